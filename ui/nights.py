"""The night's score in the app: where the open hand goes, what is about to be recorded, and who else has to know.

A `Target` says as what the open hand would be recorded; a `Pending` is one event with what it would change, shown
before anybody confirms it. Its id is made once, so however often it is sent, over however bad a connection, it is
recorded once. Pure functions make both; the few that touch the store stand at the end, and call it in a thread."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

from scoring import Rules, Win
from scoring.ledger import photographs
from scoring.ledger.events import (
    COLOURS,
    Adjusted,
    Change,
    Corrected,
    Deed,
    Event,
    LedgerError,
    Opening,
    Paid,
    Played,
    RulesChoice,
    Undone,
    played,
)
from scoring.ledger.mending import repair
from scoring.ledger.night import Consequence, Entry, Night, change_of
from scoring.ledger.playing import Moment, completed, fixed_rules, rules_at
from scoring.ledger.store import GrownError, Store, UnreachableError, new_id, now, open_store
from ui import draft as edits
from ui.draft import Draft
from ui.table import House, Said

if TYPE_CHECKING:
    from ui.session import Session

PATIENCE = (0.3, 1.0, 2.5)
"""Seconds between the tries when the database does not answer."""


# ---------------------------------------------------------------- where the open hand goes


@dataclass(frozen=True)
class Target:
    """As what the open hand would be recorded.

    `seats` are the names at the table, `rules` what it plays, `dealer` and `previous_draws` what the night knows.
    `corrects` is the id of the event whose place it takes, or "". `wins` are the other winners of the same discard as
    cases, `place` where among them this hand stands, `pictures` the photographs of their hands."""

    night: str
    seats: tuple[str, ...]
    rules: RulesChoice
    dealer: int
    previous_draws: int
    hand: int
    corrects: str = ""
    wins: tuple[Mapping[str, Any], ...] = ()
    place: int = 0
    pictures: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def facts(self) -> dict[str, int]:
        """What the night knows about the hand, by the question that would ask for it."""
        return {"dealer": self.dealer, "previous_draws": self.previous_draws}


def target_of(night: Night) -> Target:
    """The next hand of the night."""
    return Target(night.opening.id, night.seats, night.rules, night.dealer_seat, night.previous_draws, night.hands + 1)


def target_for(night: Night, entry: Entry, place: int = 0) -> Target:
    """The hand of this entry (its `place`-th winner), to be put right."""
    assert isinstance(entry.deed, Played)
    wins = wins_of(entry.deed.case)
    return Target(
        night.opening.id,
        entry.seats,
        entry.rules,
        entry.seats.index(entry.dealer),
        entry.previous_draws,
        entry.hand,
        entry.event.id,
        (*wins[:place], *wins[place + 1 :]),
        place,
    )


def house_of(choice: RulesChoice, name: str = "") -> House:
    """The rules of a night as the app's own value."""
    return House.from_json(json.dumps({"preset": choice.preset, "changes": dict(choice.changes), "name": name}))


def choice_of(house: House, players: int | None = None) -> RulesChoice:
    """The inverse of `house_of`; `players` when fewer sit down than the rules would have."""
    changes = json.loads(house.to_json())["changes"]
    if players is not None and players != house.players:
        changes["players"] = players
    return RulesChoice(house.preset, changes)


def wins_of(case: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Every winner of a recorded hand as a case of its own; nothing for a kong, a draw, an escape."""
    kind = case.get("kind", "win")
    if kind == "win":
        return (case,)
    if kind != "multi_win":
        return ()
    shared = {key: value for key, value in case.items() if key != "wins"}
    known = shared.get("circumstances") or {}
    return tuple(
        {**shared, **won, "kind": "win", "circumstances": {**known, **(won.get("circumstances") or {})}}
        for won in case["wins"]
    )


def win_of(case: Mapping[str, Any], entry: Entry) -> tuple[Rules, Win]:
    """The rules and the win of one winner, with all that the night knew."""
    rules = fixed_rules(rules_at(case, entry.rules))
    moment = Moment(entry.rules, len(entry.seats), entry.seats.index(entry.dealer), entry.previous_draws)
    return rules, Win.from_case(completed(case, rules, moment))


def case_of(target: Target, house: House, win: Win) -> dict[str, Any]:
    """The open hand as it is recorded.

    What the night knows by itself (who deals) is left out, so that an edit of an earlier hand moves it along; rules
    other than the table's are named."""
    case = {"kind": "win", **win.to_case()}
    case["circumstances"] = {
        key: value for key, value in case["circumstances"].items() if target.facts.get(key) != value
    }
    base = house_of(target.rules) if target.rules.preset == house.preset else House(house.preset)
    if house.preset != target.rules.preset:
        case["variant"] = house.preset
    flat = json.loads(json.dumps(dict(house.rules.flat), default=dict))
    before = json.loads(json.dumps(dict(base.rules.flat), default=dict))
    changed = {name: value for name, value in flat.items() if before[name] != value}
    return {**case, "options": changed} if changed else case


def hand_deed(target: Target, case: Mapping[str, Any]) -> Played:
    """The hand with its other winners, where there are any."""
    if not target.wins:
        return played(case)
    wins = [dict(won) for won in (*target.wins[: target.place], case, *target.wins[target.place :])]
    shared = {key: wins[0][key] for key in ("variant", "options", "contract", "wild") if key in wins[0]}
    own = ({key: value for key, value in won.items() if key not in (*shared, "kind")} for won in wins)
    return played({"kind": "multi_win", **shared, "circumstances": {}, "wins": list(own)})


def opened_hand(case: Mapping[str, Any], entry: Entry) -> tuple[House, Draft, Said, int]:
    """A recorded hand laid open again: the rules, the tiles, what was said, and who won."""
    win = win_of(case, entry)[1]
    hand = win.hand
    draft = edits.from_codes(
        hand.concealed, [(meld.kind, meld.tiles) for meld in hand.melds], hand.winning_tile, hand.flowers
    )
    said = Said(tuple((key, value) for key, value in win.answers().items() if value is not None))
    return house_of(rules_at(case, entry.rules)), draft, said, win.winner


@dataclass(frozen=True)
class Starting:
    """A night that is about to begin, as it is typed. `rules` None are those of the session. `made` is 1 where the
    device gave back what had been typed before: a field takes a value from outside only when it is made anew."""

    name: str = ""
    players: tuple[str, ...] = ("", "", "")
    colours: tuple[str, ...] = COLOURS[:3]
    rules: House | None = None
    unit: str = ""
    start: str = "0"
    dealer: int = 0
    made: int = 0

    def to_json(self) -> str:
        """What the device keeps of it."""
        typed = {key: value for key, value in vars(self).items() if key != "made"}
        return json.dumps(typed | {"rules": self.rules.to_json() if self.rules else None})

    @staticmethod
    def from_json(text: str) -> Starting:
        """The inverse of `to_json`; what nobody has typed for any other text."""
        try:
            kept = json.loads(text)
            players, colours = tuple(map(str, kept["players"])), tuple(map(str, kept["colours"]))
            if not 2 <= len(players) <= len(COLOURS) or len(colours) != len(players) or not set(colours) <= {*COLOURS}:
                return Starting()
            rules = House.from_json(kept["rules"]) if kept["rules"] else None
            words = str(kept["name"]), players, colours, rules, str(kept["unit"]), str(kept["start"])
            return Starting(*words, int(kept["dealer"]), 1)
        except (ValueError, KeyError, TypeError, AttributeError):
            return Starting()


@dataclass(frozen=True)
class Form:
    """Something that is typed without a hand: a `kong`, `draw`, `escape`, `adjust`, `pay`, `seats` or `rules`.

    `corrects` is the id of the event whose place it takes, or ""; `payer`, `receiver` and `amount` are filled in from
    the settlement."""

    kind: str
    corrects: str = ""
    payer: str = ""
    receiver: str = ""
    amount: int = 0


# ---------------------------------------------------------------- before anybody confirms


@dataclass(frozen=True)
class Pending:
    """An event that waits for its confirmation, with what it would change in the night that the person saw.

    `alike` are entries that somebody else recorded meanwhile and that may be this very event. `wrong` is why it cannot
    be recorded any more, or None."""

    event: Event
    consequence: Consequence
    seen: int
    alike: tuple[Entry, ...] = ()
    wrong: LedgerError | None = None


def renewed(pending: Pending, night: Night, preview: Callable[[Event], Consequence] | None = None) -> Pending:
    """The same event after others recorded: its consequence now, and what of theirs may be the same thing.

    `preview` says what the event would do to `night`, where something knows that faster than folding it does."""
    if len(night.events) <= pending.seen or any(known.id == pending.event.id for known in night.events):
        return pending
    new = night.events[pending.seen :]
    same = [event for event in new if alike(event.change, pending.event.change)]
    entries = tuple(night.entry(_root(event)) for event in same)
    try:
        consequence, wrong = preview(pending.event) if preview else change_of(night, pending.event), None
    except LedgerError as refused:
        consequence, wrong = pending.consequence, refused
    return Pending(pending.event, consequence, len(night.events), (*pending.alike, *entries), wrong)


def alike(one: Change, other: Change) -> bool:
    """Whether two people who record these may mean the same thing: the end of a hand, a kong, an edit of one entry."""
    match one, other:
        case Played(a), Played(b):
            return (a.get("kind") == "kong") == (b.get("kind") == "kong")
        case (Corrected(a, _), Corrected(b, _)) | (Undone(a), Undone(b)):
            return a == b
        case (Adjusted(), Adjusted()) | (Paid(), Paid()):
            return one == other
        case _:
            return type(one) is type(other)


def _root(event: Event) -> str:
    return event.change.event if isinstance(event.change, (Corrected, Undone)) else event.id


# ---------------------------------------------------------------- the store, and the other phones

_lock = Lock()
_open: list[Store] = []


def ledger() -> Store:
    """The store of this process, opened when it is first needed. Raises `LedgerError`."""
    with _lock:
        if not _open:
            _open.append(open_store())
        return _open[0]


def mend() -> list[Any]:
    """Repair the ledger and open what came of it; what was done, in sentences. Raises `LedgerError`."""
    with _lock:
        said = repair()
        _open.clear()
        return list(said)


def _recorded(night: str, pending: Pending) -> Consequence:
    """Send the event until it is known to be recorded. Raises `GrownError` when somebody else recorded its like."""
    store = ledger()
    for wait in (*PATIENCE, None):
        try:
            while True:
                try:
                    return store.record(night, pending.event, pending.seen)
                except GrownError as grown:
                    newer = renewed(pending, grown.night, lambda event: store.preview(night, event))
                    if len(newer.alike) > len(pending.alike) or newer.wrong:
                        raise
                    pending = newer
        except UnreachableError:
            if wait is None:
                raise
            time.sleep(wait)
    raise AssertionError("unreachable")


async def look(session: Session, night: str | None = None) -> None:
    """Read the open night (or open `night`) and the list of nights anew, and show what is different."""
    wanted = night or (session.night.opening.id if session.night else None)
    mine = session.next_look()

    def read() -> tuple[tuple[tuple[Opening, int], ...], Night | None]:
        store = ledger()
        nights = tuple((opening, store.counted(opening.id, size)) for opening, size in store.nights())
        there = any(opening.id == wanted for opening, _ in nights)
        return nights, store.night(wanted) if wanted and there else None

    try:
        nights, known = await asyncio.to_thread(read)
    except LedgerError as wrong:
        session.ledger_trouble = wrong.text
        return
    if not session.latest_look(mine) and night is None:
        return  # what a later look has shown is newer: a night that was deleted meanwhile must not come back
    session.ledger_trouble = None
    if nights != session.nights:
        session.nights = nights
    if known is None and wanted and session.night is not None and session.night.opening.id == wanted:
        take(session, None)  # somebody deleted it
    if known is not None and (session.night is None or known.events != session.night.events or night):
        take(session, known)


def take(session: Session, night: Night | None) -> None:
    """Let the session follow this night: names, rules and what the night knows go into the open hand."""
    session.night = night
    if night is None:
        session.pending = None
        return release(session)
    if session.pending is not None:
        session.pending = renewed(session.pending, night)
    before = session.target
    if before is not None and before.night == night.opening.id and before.corrects:
        return  # an earlier hand lies open: the table of now is none of its business
    if (before is None or before.night != night.opening.id) and not going_on(night):
        return release(session)  # an old night that is looked at has nothing to do with the hand that lies open
    target = target_of(night)
    if before is not None and before.night == target.night and before.hand == target.hand:
        target = replace(target, wins=before.wins, place=before.place, pictures=before.pictures)
    aim(session, target)


def aim(session: Session, target: Target) -> None:
    """Let the open hand go there: the rules of that moment, and the answers that the night gives by itself."""
    before, session.target = session.target, target
    if before is None or before.night != target.night or before.rules != target.rules or before.corrects:
        lend(session, house_of(target.rules))
        if before is None or before.night != target.night:
            session.winner = 0
    if before is None or before.facts != target.facts or before.rules != target.rules:
        tell_facts(session)


def lend(session: Session, house: House) -> None:
    """Let a night's rules stand in for those that the device starts with."""
    if session.usual is None:
        session.usual = session.house
    if (house.preset, house.changes) != (session.house.preset, session.house.changes):
        session.house = house


def release(session: Session) -> None:
    """Let the open hand belong to no night, and be scored by the rules that the device starts with."""
    session.target = None
    session.house, session.usual = session.starting_house, None


def tell_facts(session: Session) -> None:
    """Answer the questions that the night can answer, where these rules ask them."""
    target = session.target
    if target is None:
        return
    asked = {question.id for question in session.house.rules.questions}
    said = session.said
    for question, value in target.facts.items():
        said = said.saying(question, value if question in asked else None)
    session.said = said


def fresh_hand(session: Session) -> None:
    """A new hand is the night's next one, and never a correction that was left half way."""
    if session.target is not None and session.target.corrects and session.night is not None:
        aim(session, target_of(session.night))
    tell_facts(session)


def going_on(night: Night, hours: int = 18) -> bool:
    """Whether this night may still be the present one: something happened in the last hours."""
    last = night.events[-1].at if night.events else night.opening.at
    try:
        return datetime.now(UTC) - datetime.fromisoformat(last) < timedelta(hours=hours)
    except (ValueError, TypeError):  # another program's clock, or one without a zone
        return False


async def propose(session: Session, change: Change) -> bool:
    """Work out what a change would do and keep it for the confirmation. False, and a sentence, when it cannot be."""
    night = session.night
    assert night is not None
    session.troubles = ()
    event = Event(new_id(), now(), change)
    try:
        consequence = await asyncio.to_thread(lambda: ledger().preview(night.opening.id, event))
        session.pending = Pending(event, consequence, len(consequence.night.events) - 1)
    except LedgerError as wrong:
        await look(session)  # somebody else may have been the reason
        session.troubles = (session.rule(wrong.text),)
        return False
    return True


async def propose_hand(session: Session, win: Win) -> bool:
    """`propose` for the open hand: into the next hand of the night, or in the place of the one it corrects."""
    target, night = session.target, session.night
    if target is None or night is None:
        return False
    case = case_of(target, session.house, win)
    if not target.corrects:
        return await propose(session, hand_deed(target, case))
    entry = night.entry(target.corrects)
    if isinstance(entry.deed, Played):
        case = with_sources(case, wins_of(entry.deed.case)[target.place])
    return await propose(session, Corrected(target.corrects, hand_deed(target, case)))


def with_sources(case: dict[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """The hand as put right, with what the app does not show (whose discard a set was made of) kept while its sets are
    the same."""

    def sets(of: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
        return [(meld["kind"], sorted(meld["tiles"])) for meld in of.get("melds") or ()]

    return {**case, "melds": before["melds"]} if before.get("melds") and sets(case) == sets(before) else case


def pictures_of(session: Session) -> tuple[bytes, ...]:
    """The photographs of the hand that lies open, and those of the other winners of its discard."""
    others = session.target.pictures if session.target else ()
    return (*others, *(photograph.preview for photograph in session.open_photographs.values()))[: photographs.MOST]


async def kept_pictures(night: Night, entry: Entry) -> tuple[bytes, ...]:
    """The photographs that were kept with an entry: those of its last correction that has any, or its first ones."""

    def read() -> tuple[bytes, ...]:
        home = ledger().home
        ids = (*reversed(entry.corrections), entry.event.id)
        return next((found for event in ids if (found := photographs.of(home, night.opening.id, event))), ())

    try:
        return await asyncio.to_thread(read)
    except LedgerError:  # the ledger itself is in trouble, and its screen says so
        return ()


async def confirm(session: Session, publish: Any, pictures: tuple[bytes, ...] = ()) -> bool:
    """Record what is pending; whether it is recorded. `publish` tells the other phones. `pictures` are kept with the
    entry; where they cannot be, the entry stands all the same and a sentence says so."""
    pending, night = session.pending, session.night
    if pending is None or night is None:
        return False
    session.troubles = ()
    try:
        done = await asyncio.to_thread(_recorded, night.opening.id, pending)
    except GrownError as grown:
        take(session, grown.night)
        return False
    except LedgerError as wrong:
        session.troubles = (session.rule(wrong.text),)
        return False
    if pictures:
        store, name, event = ledger(), done.night.opening.id, pending.event.id
        try:
            await asyncio.to_thread(photographs.keep, store.home, name, event, pictures)
        except LedgerError as wrong:
            session.troubles = (session.rule(wrong.text),)
    session.pending = None
    session.target = None  # the next hand, also when an earlier one was put right
    await look(session, done.night.opening.id)
    publish(done.night.opening.id)
    return True


async def at_once(session: Session, publish: Any, change: Change) -> bool:
    """Record without a preview what one tap takes back: undo and redo."""
    done = await propose(session, change) and await confirm(session, publish)
    if not done and session.pending is not None:
        if session.pending.wrong is not None:
            session.troubles = (session.rule(session.pending.wrong.text),)
        session.pending = None
    return done


def deed_with(entry: Entry | None, deed: Deed) -> Change:
    """The deed by itself, or as the correction of an entry."""
    return deed if entry is None else Corrected(entry.event.id, deed)
