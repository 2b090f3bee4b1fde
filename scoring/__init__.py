"""The rules of the game: tiles, hands, what they are worth and who pays whom. Pure Python, no I/O, imports no room.

Choose what the table plays, say what was won, read the receipt:

    from scoring import Hand, Win, rules
    table = rules("kwx_suizhou", {"unit": 5})            # a preset and the house's changes; a bad one: RulesError
    hand = Hand.parse("123789p 4556s CCC + 5s")          # or Hand(concealed, melds, winning_tile, flowers)
    win = Win(hand, "discard", winner=0, circumstances={"discarder": 1})
    result = table.score(win)
    if result.ok:                                        # a Score: a receipt
        result.elements                                  # ("middle_five",)
        result.figures                                   # {"multiplier": 2}
        result.payments                                  # (10, -10, 0)
        for line in result.lines: line.name("zh"), line.shown("zh"), line.reason("en"), line.tiles, line.source
        for step in result.steps: step.text("en")        # each arithmetic step, cap included
        for t in result.settlement.transfers: t.payer, t.receiver, t.amount, t.reason("en")
        result.groups, result.second, result.notes       # the reading, the second-best one (a Score), advice
    else:                                                # a Refusal: everything that is wrong, at once
        [problem.text("en") for problem in result.problems]; result.hints

What the app asks about a win is described by the rules themselves (`Question`: id, kind, text, choices):

    answers = {"win_by": "discard"}
    for question in table.questions:
        if question.offered(hand, answers):              # impossible answers are not offered
            fixed = question.implied(hand, answers)      # implied ones are shown as set (None: ask)
            question.choices(hand, answers)              # seats, choices or tiles to choose among
    win = Win.from_answers(hand, answered(table, hand, answers))

The rules form is built from `table.ruleset.options` (`Option`: name, kind, default, low/high/choices, text, source) and
`table.flat` (every option's value now). Also here: `rulesets()` and their `.presets`; `score(case_or_win, preset,
options)` in one call; `waits(table, hand)`; `table.settle_kongs([Kong(0, "kong_added")])`,
`table.settle_draw({"revealed": (1,)})`, `table.settle_wins([win, win])`, `table.next_dealer(...)`;
`differences(a, base_of(a))`; house rules as a TOML string (`scoring.house`); the case contract of scripts
(`scoring.cases.answer`); what the short names of sources mean (`scoring.rules.SOURCES`). Texts are pairs: `text("zh")`,
`text("en")`.
"""

from collections.abc import Mapping
from typing import Any

from scoring.answers import answered, impossible
from scoring.hand import Answer, Answers, Contract, Hand, Meld, Win
from scoring.rules import (
    Change,
    Choice,
    Element,
    Group,
    Kong,
    Line,
    Option,
    Preset,
    Problem,
    Question,
    Refusal,
    Rules,
    RulesError,
    Ruleset,
    Score,
    Step,
    base_of,
    differences,
    rules_for,
)
from scoring.rulesets import SYSTEMS
from scoring.settlement import BANK, Settlement, Text, Transfer
from scoring.waits import Wait, Waits, waits

__all__ = [
    "BANK",
    "Answer",
    "Answers",
    "Change",
    "Choice",
    "Contract",
    "Element",
    "Group",
    "Hand",
    "Kong",
    "Line",
    "Meld",
    "Option",
    "Preset",
    "Problem",
    "Question",
    "Refusal",
    "Rules",
    "RulesError",
    "Ruleset",
    "Score",
    "Settlement",
    "Step",
    "Text",
    "Transfer",
    "Wait",
    "Waits",
    "Win",
    "answered",
    "base_of",
    "differences",
    "impossible",
    "preset",
    "rules",
    "ruleset",
    "rulesets",
    "score",
    "waits",
]


def rulesets() -> tuple[Ruleset[Any], ...]:
    """Every game that can be scored."""
    return SYSTEMS


def ruleset(name: str) -> Ruleset[Any]:
    """The game of that name, or the game that a preset of that name belongs to. Raises `RulesError`."""
    for system in SYSTEMS:
        if name == system.name or name in system.presets:
            return system
    known = ", ".join(item for system in SYSTEMS for item in system.presets)
    raise RulesError(
        (
            Problem(
                "unknown_preset",
                Text(f"没有规则“{name}”，可选：{known}。", f"There are no rules “{name}”; choose one of {known}."),
            ),
        )
    )


def preset(name: str) -> Preset:
    """The preset of that name. Raises `RulesError`."""
    system = ruleset(name)
    return system.presets[name if name in system.presets else next(iter(system.presets))]


def rules(name: str, options: Mapping[str, Any] | None = None) -> Rules:
    """What a table plays: a preset (or a game, meaning its first preset) with the options the house changed.

    Raises `RulesError` whose problems name an unknown preset, an unknown option, a value out of range, a contradiction.
    """
    return rules_for(ruleset(name), preset(name).name, options)


def score(won: Win | Mapping[str, Any], name: str, options: Mapping[str, Any] | None = None) -> Score | Refusal:
    """Score a win, or a case in the form of the worked examples, under a preset. Raises `RulesError`, `ValueError`."""
    return rules(name, options).score(won if isinstance(won, Win) else Win.from_case(won))
