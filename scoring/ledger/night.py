"""A night as it stands: the fold of its opening and its events.

`fold` walks the events once. First it settles which of them count (an undo takes one out, an undo of the undo puts it
back, the last correction of an event takes its place); then it plays what counts in order, so that an edit of hand 3
moves the dealer, the draw counter and the totals of every later hand by itself. `change_of` folds twice and says what
one more event would change, before anybody confirms it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from types import MappingProxyType
from typing import Final, NoReturn

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
    RulesChanged,
    RulesChoice,
    Seated,
    Undone,
    refuse,
)
from scoring.ledger.playing import Moment, Outcome, Play, fixed_rules, play, rules_at
from scoring.settlement import BANK, Text, Transfer

NOBODY: Final = ""
"""The name of the receiver of a penalty that no player gets, and of the giver of points that come from nowhere."""


SHORTEST = 3
"""An event is named by so many characters of its id at least."""


@dataclass(frozen=True, slots=True)
class Flow:
    """`amount` points go from one player to another (or to or from `NOBODY`), and why."""

    payer: str
    receiver: str
    amount: int
    reason: Text


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: an event that happened, as it counts now.

    `hand` is the number of the hand it belongs to (from 1), `deed` what counts (of the last correction, if any),
    `corrections` the ids of those, `undone` whether it counts at all, `problem` why it cannot be played, or None.
    `seats`, `dealer` (a name) and `previous_draws` are those at that moment, `totals` those after it.
    """

    event: Event
    deed: Deed
    hand: int
    seats: tuple[str, ...]
    dealer: str
    rules: RulesChoice
    flows: tuple[Flow, ...] = ()
    outcome: Outcome | None = None
    corrections: tuple[str, ...] = ()
    undone: bool = False
    problem: Text | None = None
    totals: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    previous_draws: int = 0

    @property
    def net(self) -> dict[str, int]:
        """What each player won or lost by this entry; players it did not touch are left out."""
        return net_of(self.flows)


@dataclass(frozen=True, slots=True)
class Night:
    """Everything a screen shows of a night. `nobody` is what went to nobody (penalties) less what came from nobody.

    Its `repr` leaves the events out: Flet prints every message that it sends, with all that a screen was given."""

    opening: Opening
    events: tuple[Event, ...] = field(repr=False)
    entries: tuple[Entry, ...] = field(repr=False)
    players: tuple[str, ...]
    seats: tuple[str, ...]
    dealer_seat: int
    rules: RulesChoice
    totals: Mapping[str, int]
    paid: Mapping[str, int]
    nobody: int
    hands: int
    previous_draws: int

    @property
    def dealer(self) -> str:
        """Who deals the next hand."""
        return self.seats[self.dealer_seat]

    @property
    def check(self) -> int:
        """What the totals fail to sum to; always zero, and shown so that nobody has to take our word for it."""
        return sum(self.totals.values()) + self.nobody - self.opening.start * len(self.players)

    @property
    def balances(self) -> dict[str, int]:
        """What each player is still to receive (or, below zero, to pay): won less start points, and what was paid."""
        return {name: self.totals[name] - self.opening.start + self.paid[name] for name in self.players}

    def colour(self, name: str) -> str:
        """What this player is painted in: the colour chosen at the opening, or the next one of the palette."""
        place = self.players.index(name)
        return self.opening.colours[place] if place < len(self.opening.colours) else COLOURS[place % len(COLOURS)]

    def entry(self, event: str) -> Entry:
        """The entry of an event, or of the event that a correction with that id corrects. Raises `LedgerError`."""
        for entry in self.entries:
            if event == entry.event.id or event in entry.corrections:
                return entry
        _refuse_unknown(event)

    def find(self, event: str) -> str:
        """The id of an event from its id or an unambiguous beginning of it, which cannot be taken for the number of a
        hand. Raises `LedgerError`."""
        ids = [known.id for known in self.events]
        found = [event] if event in ids else [known for known in ids if event and known.startswith(event)]
        if found and found != [event] and len(event) < SHORTEST:
            refuse(
                f"“{event}”太短：请写记录编号的前 {SHORTEST} 位以上，不是第几局。",
                f"“{event}” is too short: give at least {SHORTEST} characters of an event's id, not the number of its "
                "hand.",
            )
        if len(found) > 1:
            refuse(
                f"这一晚有 {len(found)} 条记录以“{event}”开头；hupai ledger show 列出全部。",
                f"In this night several events begin with “{event}”; hupai ledger show lists them all.",
            )
        if not found:
            _refuse_unknown(event)
        return found[0]


def _refuse_unknown(event: str) -> NoReturn:
    refuse(f"这一晚没有记录“{event}”。", f"This night has no event “{event}”.")


def net_of(flows: Iterable[Flow]) -> dict[str, int]:
    """What these flows come to for each player, `NOBODY` left out."""
    net: dict[str, int] = {}
    for flow in flows:
        for name, amount in ((flow.payer, -flow.amount), (flow.receiver, flow.amount)):
            if name != NOBODY:
                net[name] = net.get(name, 0) + amount
    return net


# ---------------------------------------------------------------- which events count


def standing(events: Sequence[Event]) -> frozenset[str]:
    """The ids of the events that no standing undo takes out. Read from the end, because only a later event undoes."""
    out: set[str] = set()
    for event in reversed(events):
        if event.id not in out and isinstance(event.change, Undone):
            out.add(event.change.event)
    return frozenset(event.id for event in events if event.id not in out)


def counted(events: Sequence[Event]) -> int:
    """How many entries of a log with these events stand: a correction and an undo are none of their own."""
    counts = standing(events)
    return sum(event.id in counts and not isinstance(event.change, (Corrected, Undone)) for event in events)


def to_undo(events: Sequence[Event]) -> str:
    """What `undo` would take out: the latest event that counts. Raises `LedgerError` when nothing is left."""
    counts = standing(events)
    for event in reversed(events):
        if event.id in counts and not isinstance(event.change, Undone):
            return event.id
    refuse("没有可以撤销的记录。", "There is nothing left to undo.")


def to_redo(events: Sequence[Event]) -> str:
    """What `redo` would undo: the latest undo that stands, unless something new was recorded since."""
    counts = standing(events)
    undos = {event.id for event in events if isinstance(event.change, Undone)}
    for event in reversed(events):
        if not isinstance(event.change, Undone):
            break
        if event.id in counts and event.change.event not in undos:
            return event.id
    refuse("没有可以重做的记录。", "There is nothing to redo: redo follows an undo directly.")


# ---------------------------------------------------------------- the fold


@dataclass(slots=True)
class _Table:
    """What moves while the events are played."""

    players: list[str]
    seats: tuple[str, ...]
    dealer: int
    rules: RulesChoice
    totals: dict[str, int]
    paid: dict[str, int]
    start: int
    nobody: int = 0
    hands: int = 0
    draws: int = 0


def fold(opening: Opening, events: Sequence[Event], play: Play = play) -> Night:
    """The night after these events. An event that cannot be played keeps its line, with the problem, and moves
    nothing."""
    table = _opened(opening)
    counts = standing(events)
    corrections: dict[str, list[Event]] = {}
    roots: dict[str, str] = {}
    for event in events:
        if isinstance(event.change, Corrected):
            root = roots.get(event.change.event, event.change.event)
            roots[event.id] = root
            if event.id in counts:
                corrections.setdefault(root, []).append(event)
    entries: list[Entry] = []
    for event in events:
        change = event.change
        if isinstance(change, (Corrected, Undone)):
            continue
        later = corrections.get(event.id, [])
        by = later[-1].change if later else change
        deed = by.by if isinstance(by, Corrected) else change
        named = tuple(correction.id for correction in later)
        entries.append(_entry(table, event, deed, named, event.id not in counts, play))
    return _night(opening, tuple(events), tuple(entries), table)


def after(night: Night, event: Event, play: Play = play) -> Night:
    """The night with one event more: `fold` of all of them, but what only goes on from the end is not played anew."""
    if isinstance(event.change, (Corrected, Undone)):
        return fold(night.opening, (*night.events, event), play)
    table = _Table(
        list(night.players),
        night.seats,
        night.dealer_seat,
        night.rules,
        dict(night.totals),
        dict(night.paid),
        night.opening.start,
        night.nobody,
        night.hands,
        night.previous_draws,
    )
    entry = _entry(table, event, event.change, (), False, play)
    return _night(night.opening, (*night.events, event), (*night.entries, entry), table)


def _entry(table: _Table, event: Event, deed: Deed, corrections: tuple[str, ...], undone: bool, play: Play) -> Entry:
    """The line of an event, played at this table unless it is undone; the table moves on."""
    entry = Entry(
        event,
        deed,
        table.hands + 1,
        table.seats,
        table.seats[table.dealer],
        table.rules,
        corrections=corrections,
        undone=undone,
        previous_draws=table.draws,
    )
    if not undone:
        try:
            entry = _apply(table, entry, play)
        except LedgerError as wrong:
            entry = replace(entry, problem=wrong.text)
    return replace(entry, totals=MappingProxyType(dict(table.totals)))


def _night(opening: Opening, events: tuple[Event, ...], entries: tuple[Entry, ...], table: _Table) -> Night:
    return Night(
        opening,
        events,
        entries,
        tuple(table.players),
        table.seats,
        table.dealer,
        table.rules,
        MappingProxyType(table.totals),
        MappingProxyType(table.paid),
        table.nobody,
        table.hands,
        table.draws,
    )


def _opened(opening: Opening) -> _Table:
    _check_names(opening.players)
    seats = fixed_rules(opening.rules).players
    if (named := len(opening.players)) < seats:
        refuse(
            f"这种玩法要 {seats} 人，只有 {named} 人。",
            f"These rules need {seats} players and only {named} {'is' if named == 1 else 'are'} named.",
        )
    if not 0 <= opening.dealer < seats:
        refuse(f"庄家座位须在 0 到 {seats - 1} 之间。", f"The first dealer's seat must lie between 0 and {seats - 1}.")
    return _Table(
        list(opening.players),
        opening.players[:seats],
        opening.dealer,
        opening.rules,
        dict.fromkeys(opening.players, opening.start),
        dict.fromkeys(opening.players, 0),
        opening.start,
    )


def _check_names(names: Sequence[str]) -> None:
    if any(not name.strip() for name in names):
        refuse("每位玩家都要有名字。", "Every player needs a name.")
    if len(set(names)) != len(names):
        refuse("玩家名字不能重复。", "Two players have the same name: add something that tells them apart.")


def _apply(table: _Table, entry: Entry, play: Play) -> Entry:
    match entry.deed:
        case Played(case):
            outcome = play(case, Moment(table.rules, len(table.seats), table.dealer, table.draws))
            flows = tuple(_flow(transfer, table.seats) for transfer in outcome.transfers)
            if outcome.ends_hand:
                rules = fixed_rules(rules_at(case, table.rules))
                dealer = rules.next_dealer(table.dealer, outcome.winners, outcome.discarder, len(table.seats))
                table.dealer = dealer % len(table.seats)
                table.draws = table.draws + 1 if outcome.drawn else 0
                table.hands += 1
            entry = replace(entry, flows=flows, outcome=outcome)
        case Adjusted(amounts, note):
            entry = replace(entry, flows=_adjusting(table, amounts, note))
        case Seated(seats, dealer):
            _seat_anew(table, seats, dealer)
        case RulesChanged(rules):
            wanted = fixed_rules(rules).players
            if wanted > len(table.players):
                refuse(f"这种玩法要 {wanted} 人。", f"These rules need {wanted} players: let somebody join first.")
            table.rules = rules
            if wanted != len(table.seats):
                rest = [name for name in table.players if name not in table.seats]
                _seat_anew(table, (*table.seats, *rest)[:wanted], None)
        case Paid(payer, receiver, amount, _):
            for name in (payer, receiver):
                _known(table, name)
            if amount <= 0 or payer == receiver:
                refuse(
                    "付款须是一个人付给另一个人的正数。", "A payment is a positive amount from one player to another."
                )
            table.paid[payer] += amount
            table.paid[receiver] -= amount
    for flow in entry.flows:
        for name, amount in ((flow.payer, -flow.amount), (flow.receiver, flow.amount)):
            if name == NOBODY:
                table.nobody += amount
            else:
                table.totals[name] += amount
    return entry


def _flow(transfer: Transfer, seats: tuple[str, ...]) -> Flow:
    receiver = NOBODY if transfer.receiver == BANK else seats[transfer.receiver]
    return Flow(seats[transfer.payer], receiver, transfer.amount, transfer.reason)


def _adjusting(table: _Table, amounts: Mapping[str, int], note: str) -> tuple[Flow, ...]:
    for name in amounts:
        _known(table, name)
    if sum(amounts.values()) and not note.strip():
        refuse(
            "调整之和不为零时须写明原因。",
            "An adjustment that does not sum to zero needs a note that says where the rest goes.",
        )
    reason = Text(note or "调整", note or "adjustment")
    return tuple(
        Flow(NOBODY, name, amount, reason) if amount > 0 else Flow(name, NOBODY, -amount, reason)
        for name, amount in amounts.items()
        if amount
    )


def _seat_anew(table: _Table, seats: tuple[str, ...], dealer: int | None) -> None:
    _check_names(seats)
    table.rules = _played_by(table.rules, len(seats))
    wanted = len(seats)
    if dealer is not None and not 0 <= dealer < wanted:
        refuse(f"庄家座位须在 0 到 {wanted - 1} 之间。", f"The dealer's seat must lie between 0 and {wanted - 1}.")
    for name in seats:
        if name not in table.totals:
            table.players.append(name)
            table.totals[name] = table.start
            table.paid[name] = 0
    was = table.seats[table.dealer]
    stays = seats.index(was) if was in seats else table.dealer % wanted
    table.seats, table.dealer = seats, stays if dealer is None else dealer


def _played_by(rules: RulesChoice, seats: int) -> RulesChoice:
    """The same rules for that many: somebody went home and the others go on, or came back."""
    wanted = fixed_rules(rules).players
    if seats == wanted:
        return rules
    changes = {name: value for name, value in rules.changes.items() if name != "players"}
    try:
        plain = RulesChoice(rules.preset, MappingProxyType(changes))
        if fixed_rules(plain).players == seats:
            return plain
        other = RulesChoice(rules.preset, MappingProxyType({**changes, "players": seats}))
        fixed_rules(other)
    except LedgerError:
        refuse(f"须有 {wanted} 人坐下，而不是 {seats} 人。", f"{wanted} players must sit, not {seats}.")
    return other


def _known(table: _Table, name: str) -> None:
    if name not in table.totals:
        refuse(
            f"这一晚没有“{name}”。", f"Nobody called “{name}” plays this night; there are {', '.join(table.players)}."
        )


# ---------------------------------------------------------------- before anybody confirms


@dataclass(frozen=True, slots=True)
class Consequence:
    """What one more event would change: the entries whose money changes (before, after) and the totals."""

    night: Night
    touched: tuple[tuple[Entry | None, Entry], ...]
    totals: Mapping[str, tuple[int, int]]


def change_of(night: Night, event: Event, play: Play = play) -> Consequence:
    """The preview of an event. Raises `LedgerError` when it cannot be recorded, which is the only check there is:
    whatever passes here may be appended."""
    counts = standing(night.events)
    match event.change:
        case Undone(target):
            if target not in {known.id for known in night.events}:
                _refuse_unknown(target)
            if target not in counts:
                refuse("这条记录已经撤销。", "That event is undone already.")
        case Corrected(target, by):
            root = night.entry(target)
            if root.undone:
                refuse("这条记录已撤销，先重做再更正。", "That event is undone: redo it before correcting it.")
            if type(by) is not type(root.deed):
                refuse("更正须与原记录同类。", "A correction must be of the same kind as what it corrects.")
        case _:
            pass
    then = after(night, event, play)
    pairs = zip_longest(night.entries, then.entries)  # an event adds a line at the end, or changes some
    touched = tuple(
        (old, entry)
        for old, entry in pairs
        if old is None or (old is not entry and (old.net, old.undone) != (entry.net, entry.undone))
    )
    named = (
        [then.entry(event.change.event)] if isinstance(event.change, Corrected) else then.entries[len(night.entries) :]
    )
    for entry in named:
        if entry.problem:
            raise LedgerError(entry.problem)
    moved = {
        name: (night.totals.get(name, night.opening.start), total)
        for name, total in then.totals.items()
        if night.totals.get(name, night.opening.start) != total
    }
    return Consequence(then, touched, MappingProxyType(moved))


def correcting(night: Night, event: str, by: Deed) -> Change:
    """The correction of an event, wherever in its chain of corrections that id stands."""
    return Corrected(night.entry(event).event.id, by)
