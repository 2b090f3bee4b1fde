"""The case contract of scripts (RULES.md section 9): one worked example in, one JSON object out, never an exception.

`answer` takes an object as it stands in examples.json (its `expected` is ignored) and gives `id` with either
`illegal`, a sentence that names everything wrong, or the elements, the figures and the payments.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, cast

from scoring.hand import Contract, Hand, Win, read_circumstances, whole, written
from scoring.rules import Kong, Refusal, Rules, RulesError, Ruleset, Score, rules_for
from scoring.rulesets import SYSTEMS
from scoring.settlement import Settlement


def answer(case: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one case: `{"id", "elements", "multiplier", "payments"}`, or what its kind calls for."""
    if not isinstance(case, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        return {
            "id": None,
            "illegal": f"A case is a table of its ruleset, hand and circumstances, not {written(case)}.",
        }
    reply: dict[str, Any] = {"id": case.get("id")}
    try:
        return reply | _answer(case)
    except RulesError as wrong:
        return reply | {"illegal": " ".join(problem.text.en for problem in wrong.problems)}
    except ValueError as wrong:
        return reply | {"illegal": str(wrong)}
    except KeyError as missing:
        return reply | {"illegal": f"The case lacks “{missing.args[0]}”."}
    except (TypeError, AttributeError, IndexError):
        return reply | {"illegal": "The case is not in the form of the worked examples."}


KEYS: Final[Mapping[str, frozenset[str]]] = {
    "case": frozenset(
        [
            "id",
            "ruleset",
            "variant",
            "kind",
            "options",
            "players",
            "winner",
            "win_by",
            "concealed",
            "melds",
            "winning_tile",
            "flowers",
            "wild",
            "contract",
            "circumstances",
            "wins",
            "kongs",
            "source",
            "expected",
            "ambiguous",
            "alternative",
            "seed_example",
        ]
    ),
    "melds": frozenset({"kind", "tiles", "from", "as"}),
    "kongs": frozenset({"seat", "kind", "from", "chained"}),
    "contract": frozenset({"seat", "level", "kind"}),
}
"""What a case and its parts may say; of these the last five are notes of whoever wrote the example."""


def unknown_keys(case: Any) -> list[str]:
    """The keys of a case that mean nothing, so that a misspelt one is not passed over in silence: `winning_tle`,
    `melds.form`. What is asked about the win is named too: `circumstances.kong_blom`."""
    if not isinstance(case, Mapping):
        return []
    given = cast("Mapping[str, Any]", case)
    strange = [key for key in given if key not in KEYS["case"]]
    for part in ("melds", "kongs", "contract"):
        inside = given.get(part)
        for item in cast("list[Any]", inside if isinstance(inside, list) else [inside]):
            if isinstance(item, Mapping):
                strange += [f"{part}.{key}" for key in cast("Mapping[str, Any]", item) if key not in KEYS[part]]
    said = given.get("circumstances")
    if isinstance(said, Mapping):
        strange += [f"circumstances.{key}" for key in cast("Mapping[str, Any]", said) if key not in _circumstances()]
    for win in cast("list[Any]", given["wins"]) if isinstance(given.get("wins"), list) else []:
        strange += [f"wins.{key}" for key in unknown_keys(win)]
    return list(dict.fromkeys(strange))


def notes(case: Any, table: Rules | None = None) -> list[str]:
    """What the receipt of a win, by these rules or by the case's own, notes in words and an answer has no place for:
    said to be a kong bloom, and no kong is there. Nothing for what is no win."""
    try:
        win = Win.from_case(case) if case.get("kind", "win") == "win" else None
        result = (table or case_rules(case)).score(win) if win else None
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return []
    return [note.text.en for note in result.notes] if isinstance(result, Score) else []


@lru_cache(maxsize=1)
def _circumstances() -> frozenset[str]:
    """Everything that any game asks, and what only a ledger or a draw says."""
    tables = (rules_for(system, name, {}) for system in SYSTEMS for name in system.presets)
    return frozenset(q.id for table in tables for q in table.questions) | {"dealer", "old_dealer", "escapee"}


def answers(cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """`answer` for each case of a list."""
    return [answer(case) for case in cases]


def _answer(case: Mapping[str, Any]) -> dict[str, Any]:
    rules = case_rules(case)
    kind = case.get("kind", "win")
    players = whole(case.get("players") or rules.players, "players")
    if players != rules.players:
        raise ValueError(
            f"The case is for {players} players and its rules are for {rules.players}: "
            f"where they are played by {players}, say so with the option players."
        )
    match kind:
        case "win":
            return _result(rules.score(Win.from_case(case)))
        case "multi_win":
            return _several(rules, case, players)
        case "kong":
            return _kongs(rules, case, players)
        case "draw":
            raw = case.get("contract")
            contract = Contract(whole(raw["seat"], "seat"), whole(raw["level"], "level"), raw["kind"]) if raw else None
            said = read_circumstances(case.get("circumstances"))
            return {"payments": list(rules.settle_draw(said, players, contract).payments)}
        case "escape":
            return _escape(rules, case, players)
        case "contract_table":
            return {"points": contract_points(rules), "payments": [0] * players}
        case _:
            raise ValueError(
                f"{written(kind)} is no kind of case: use win, multi_win, kong, draw, escape or contract_table."
            )


def case_rules(case: Mapping[str, Any]) -> Rules:
    """The rules that a case is played under: its preset (`variant`, or the game's first) and its options."""
    variant, game = case.get("variant"), case.get("ruleset")
    name = variant or game
    for system in SYSTEMS:
        if name in system.presets or name == system.name:
            preset = cast(str, name) if name in system.presets else next(iter(system.presets))
            return _rules(system, preset, json.dumps(case.get("options") or {}, sort_keys=True))
    known = ", ".join(item for system in SYSTEMS for item in system.presets)
    if name is None:
        raise ValueError(f"The case does not say by which rules: give its variant, one of {known}.")
    raise ValueError(f"There are no rules {written(name)}; choose one of {known}.")


@lru_cache(maxsize=256)
def _rules(system: Ruleset[Any], preset: str, options: str) -> Rules:
    """The same few rules come back in a file of many cases."""
    return rules_for(system, preset, json.loads(options))


def _result(result: Score | Refusal) -> dict[str, Any]:
    if isinstance(result, Refusal):
        return {"illegal": result.sentence("en")}
    return {"elements": list(result.elements), **result.figures, "payments": list(result.payments)}


def _several(rules: Rules, case: Mapping[str, Any], players: int) -> dict[str, Any]:
    shared = {key: value for key, value in case.items() if key not in ("wins", "id", "kind")}
    wins = [Win.from_case({**shared, **cast("dict[str, Any]", win), "players": players}) for win in case["wins"]]
    if not wins:
        raise ValueError("“wins” is empty: name at least one winner.")
    results, settlement = rules.settle_wins(wins)
    refused = [result for result in results if isinstance(result, Refusal)]
    if len(refused) == len(results):
        return {"illegal": " ".join(f"Seat {item.win.winner}: {item.sentence('en')}" for item in refused)}
    rows = [_result(result) for result in results]
    for row in rows:
        row.pop("payments", None)
    return {"wins": rows, "payments": list(settlement.payments)}


def _kongs(rules: Rules, case: Mapping[str, Any], players: int) -> dict[str, Any]:
    if not case["kongs"]:
        raise ValueError("“kongs” is empty: name at least one kong.")
    kongs = [
        Kong(
            whole(kong["seat"], "seat"),
            kong["kind"],
            None if kong.get("from") is None else whole(kong["from"], "from"),
            bool(kong.get("chained")),
        )
        for kong in case["kongs"]
    ]
    steps = rules.settle_kongs(kongs, players)
    return {
        "payments": list(Settlement.join(players, steps).payments),
        "steps": [list(step.payments) for step in steps],
    }


def _escape(rules: Rules, case: Mapping[str, Any], players: int) -> dict[str, Any]:
    from scoring.rulesets.shandong import Shandong

    if not isinstance(rules.ruleset, Shandong):
        raise ValueError(f"{rules.ruleset.title.en} knows no penalty for leaving the table.")
    hand: Hand = Win.from_case(case).hand
    escapee = whole(case["circumstances"]["escapee"], "escapee")
    flowers, settlement = rules.ruleset.settle_escape(rules, hand, escapee, players)
    return {"flowers": flowers, "payments": list(settlement.payments)}


def contract_points(rules: Rules) -> dict[str, int]:
    """C of every contract from 2 to 5 台: `{"two2": 5, "one2": 10, …}`."""
    if rules.ruleset.name != "zhuji_bao":
        raise ValueError(f"{rules.ruleset.title.en} has no contracts.")
    return {
        f"{kind}{level}": Contract(0, level, kind).points for level in range(2, 6) for kind in ("two", "one", "none")
    }
