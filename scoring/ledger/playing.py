"""What a recorded case costs at this table: the bridge from the ledger to the rules.

`play` takes a case, the rules and what the night knows that the case leaves out (who deals, how many draws went
before), and gives an `Outcome`: the transfers between seats and the few facts that move the dealer on. It is pure and
depends on nothing else, so its results may be remembered; the store does that, so that a night of ten thousand events
opens at once.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import scoring
from scoring.hand import MELD_KINDS, MeldKind, Win, written
from scoring.ledger.events import LedgerError, RulesChoice, refuse
from scoring.rules import Kong, Refusal, Rules, RulesError
from scoring.settlement import BANK, Settlement, Text, Transfer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a case came to. `winners` and `discarder` are seats; `elements` by winner, sorted identifiers.

    `ends_hand` is false for kongs, which are paid while the hand goes on; `drawn` when nobody won.
    """

    transfers: tuple[Transfer, ...]
    winners: tuple[int, ...] = ()
    discarder: int | None = None
    elements: tuple[tuple[str, ...], ...] = ()
    ends_hand: bool = True
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """What the night knows when a case is played: rules, number of seats, dealer's seat, draws just before."""

    rules: RulesChoice
    seats: int
    dealer: int
    previous_draws: int


Play = Callable[[Mapping[str, Any], Moment], Outcome]
"""`play`, or something that remembers what it answered. Raises `LedgerError`."""


def rules_at(case: Mapping[str, Any], choice: RulesChoice) -> RulesChoice:
    """The rules a case is played by: the table's, unless it names another preset; its own options on top."""
    for key in ("options", "circumstances"):
        if not isinstance(case.get(key) or {}, Mapping):
            refuse(f"这一局的“{key}”应当是一个对象。", f"“{key}” of the case must be an object.")
    named = case.get("variant") or case.get("ruleset")
    table = fixed_rules(choice)
    if named is not None and named not in (choice.preset, table.ruleset.name):
        choice = RulesChoice(str(named))
    options = case.get("options")
    return RulesChoice(choice.preset, {**choice.changes, **options}) if options else choice


def fixed_rules(choice: RulesChoice) -> Rules:
    """The rules of that choice. Raises `LedgerError` with every wrong option."""
    return _fixed(choice.preset, choice.key)


@lru_cache(maxsize=256)
def _fixed(preset: str, changes: str) -> Rules:
    try:
        return scoring.rules(preset, json.loads(changes))
    except RulesError as wrong:
        zh = "".join(problem.text.zh for problem in wrong.problems)
        raise LedgerError(Text(zh, str(wrong))) from wrong


def play(case: Mapping[str, Any], moment: Moment) -> Outcome:
    """What the case costs whom. Raises `LedgerError`: not a case, not a win under these rules, the wrong table size."""
    table = fixed_rules(rules_at(case, moment.rules))
    if table.players != moment.seats or case.get("players") not in (None, moment.seats):
        wants = table.players if table.players != moment.seats else case["players"]
        refuse(
            f"这一局是 {wants} 人的，桌上却坐着 {moment.seats} 人：先用换座改人数。",
            f"This hand is for {wants} players and {moment.seats} sit at the table: change the seats first.",
        )
    full = completed(case, table, moment)
    try:
        outcome = _outcome(table, full, moment.seats)
    except LedgerError:
        raise
    except KeyError as missing:
        refuse(f"这一局缺少“{missing.args[0]}”。", f"The case lacks “{missing.args[0]}”.")
    except ValueError as wrong:
        refuse(f"这一局的格式不对：{wrong}", str(wrong))
    except (TypeError, AttributeError, IndexError):
        refuse("这一局的格式不对。", "The case is not in the form that hupai score --cases takes.")
    for transfer in outcome.transfers:
        _seat(transfer.payer, moment.seats)
        if transfer.receiver != BANK:
            _seat(transfer.receiver, moment.seats)
    return outcome


def _outcome(table: Rules, case: dict[str, Any], seats: int) -> Outcome:
    match case.get("kind", "win"):
        case "win":
            return _wins(table, [case], seats)
        case "multi_win":
            shared = {key: value for key, value in case.items() if key != "wins"}
            known = shared["circumstances"]
            wins = [
                {**shared, **won, "circumstances": {**known, **won.get("circumstances", {})}} for won in case["wins"]
            ]
            return _wins(table, wins, seats)
        case "kong":
            return _kongs(table, case, seats)
        case "draw":
            return _draw(table, case, seats)
        case "escape":
            return _escape(table, case, seats)
        case other:
            refuse(
                f"不能记录“{other}”：只有 win、multi_win、kong、draw、escape。",
                f"“{other}” cannot be recorded: a case is a win, multi_win, kong, draw or escape.",
            )


def played_as(case: Mapping[str, Any], moment: Moment) -> str:
    """Everything that `play` looks at, as one text: equal texts give equal outcomes."""
    choice = rules_at(case, moment.rules)
    full = completed(case, fixed_rules(choice), moment)
    # What a worked example is called and what it expects has no part in what it costs.
    told = {key: value for key, value in full.items() if key not in ("id", "source", "expected", "seed_example")}
    return json.dumps([choice.preset, choice.key, told], sort_keys=True)


def completed(case: Mapping[str, Any], table: Rules, moment: Moment) -> dict[str, Any]:
    """The case with the circumstances that the rules ask for and the night knows; what the case says itself stands."""
    asked = {question.id for question in table.questions}
    if case.get("kind") == "draw":  # some tables let the dealer pay, and no question about a win asks who that is
        asked.add("dealer")
    known = {"dealer": moment.dealer, "previous_draws": moment.previous_draws}
    given: Mapping[str, Any] = case.get("circumstances") or {}
    circumstances = {key: value for key, value in known.items() if key in asked} | dict(given)
    return {**case, "players": moment.seats, "circumstances": circumstances}


def _wins(table: Rules, cases: list[dict[str, Any]], seats: int) -> Outcome:
    wins = [Win.from_case({**case, "winner": _seat(case["winner"], seats)}) for case in cases]
    if len(wins) == 1:
        results = (table.score(wins[0]),)
        settlement = Settlement(seats) if isinstance(results[0], Refusal) else results[0].settlement
    else:
        results, settlement = table.settle_wins(wins)
    refusals = [result for result in results if isinstance(result, Refusal)]
    if refusals:
        raise LedgerError(
            Text("".join(r.sentence("zh") for r in refusals), " ".join(refusal.sentence("en") for refusal in refusals))
        )
    discarder = wins[0].circumstances.get("discarder")
    return Outcome(
        settlement.transfers,
        tuple(win.winner for win in wins),
        discarder if isinstance(discarder, int) else None,
        tuple(result.elements for result in results if not isinstance(result, Refusal)),
    )


def _kongs(table: Rules, case: dict[str, Any], seats: int) -> Outcome:
    if not case["kongs"]:
        refuse("没有说是哪一杠。", "“kongs” is empty: name at least one kong.")
    kongs = [
        Kong(
            _seat(kong["seat"], seats),
            _kind_of_kong(kong["kind"]),
            None if kong.get("from") is None else _seat(kong["from"], seats),
            bool(kong.get("chained", False)),
        )
        for kong in case["kongs"]
    ]
    settlements = table.settle_kongs(kongs, seats)
    return Outcome(tuple(t for settlement in settlements for t in settlement.transfers), ends_hand=False)


def _draw(table: Rules, case: dict[str, Any], seats: int) -> Outcome:
    win = Win.from_case({**case, "winner": 0})
    return Outcome(table.settle_draw(win.circumstances, seats, win.contract).transfers, drawn=True)


def _escape(table: Rules, case: dict[str, Any], seats: int) -> Outcome:
    settle = cast("Callable[..., tuple[int, Settlement]] | None", getattr(table.ruleset, "settle_escape", None))
    if settle is None:
        title = table.ruleset.title
        refuse(f"{title.zh}没有逃跑的罚则。", f"{title.en} knows no penalty for leaving the table.")
    hand = Win.from_case({**case, "winner": 0}).hand
    escapee = _seat(case["circumstances"]["escapee"], seats)
    return Outcome(settle(table, hand, escapee, seats)[1].transfers, drawn=False)


def _seat(value: Any, seats: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < seats:
        refuse(
            f"座位 {written(value)} 不存在：须在 0 到 {seats - 1} 之间。",
            f"There is no seat {written(value)}: use 0 to {seats - 1}.",
        )
    return value


def _kind_of_kong(value: Any) -> MeldKind:
    for kind in MELD_KINDS:
        if kind == value and kind.startswith("kong"):
            return kind
    refuse(
        f"没有“{value}”这种杠：只有 kong_exposed、kong_added、kong_concealed。",
        f"“{value}” is no kind of kong: use kong_exposed, kong_added or kong_concealed.",
    )
