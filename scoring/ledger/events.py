"""A night at the table is an opening and a list of events, and no event is ever changed.

What was recorded wrongly is put right by a later event that names it (`Corrected`), what should not stand is undone
by one (`Undone`), and undoing an undo is redoing. So nothing is lost, every change has its time, and everything shown
is folded from the list (`scoring.ledger.night`). Events and openings are printed to and read from plain JSON as
inverse functions; whatever is wrong with a foreign one is one sentence in a `LedgerError`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NoReturn, cast

from scoring.hand import written
from scoring.settlement import Text

LONGEST_NAME = 40
"""A player's name has so many characters at most."""

LARGEST_AMOUNT = 999_999_999
"""So many points are given, taken or paid at once at most, and so many does a player begin with: whoever types more has
slipped, and a screen has no room for it."""

FORMAT: Final = "hupai-night"
VERSION: Final = 1

COLOURS: Final = ("#d0453b", "#2f9e5b", "#3b7dd8", "#c77a00", "#9356c9", "#0f9d9f", "#a1684a", "#7c7f86")
"""What a player's line and mark are painted in when nobody chose another: readable on white and on black."""


class LedgerError(ValueError):
    """Something that cannot be recorded, read or shown: one sentence that says what is wrong and what to do."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.en)


def refuse(zh: str, en: str) -> NoReturn:
    """Raise the `LedgerError` with this sentence in both languages."""
    raise LedgerError(Text(zh, en))


def typed_amount(amount: int) -> int:
    """An amount as somebody typed it, be it below zero. Raises `LedgerError` where it is beyond `LARGEST_AMOUNT`."""
    if abs(amount) > LARGEST_AMOUNT:
        refuse(
            f"{amount} 太大了：一次最多 {LARGEST_AMOUNT}。",
            f"{amount} is too much: at most {LARGEST_AMOUNT} at once.",
        )
    return amount


# ---------------------------------------------------------------- how a night begins


@dataclass(frozen=True)
class RulesChoice:
    """What is played: a preset's name, and the options that the house changed (flat names, JSON values)."""

    preset: str
    changes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def key(self) -> str:
        """The changes as one text, equal for equal changes."""
        return json.dumps(dict(self.changes), sort_keys=True)


@dataclass(frozen=True, slots=True)
class Opening:
    """What is fixed when a night begins.

    `players` are names in turn order; the first of them take the seats, as many as the rules have, the others sit out.
    `unit` is what a point is called (points, ¥), `start` what each player begins with, `at` an ISO 8601 time with zone,
    `dealer` the seat of the first dealer, `colours` one of `COLOURS` for each player, or nothing.
    """

    id: str
    name: str
    at: str
    players: tuple[str, ...]
    rules: RulesChoice
    unit: str = ""
    start: int = 0
    dealer: int = 0
    colours: tuple[str, ...] = ()


# ---------------------------------------------------------------- what can happen


@dataclass(frozen=True, slots=True)
class Played:
    """A hand won (by one or several), kongs, an exhausted draw, an escape: a case in the form of the worked examples.

    Seats in a case are those of the table at that moment. A case that names another preset is played by that one.
    """

    case: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A free adjustment: units by player, and why. What does not sum to zero went to nobody, or came from nobody."""

    amounts: Mapping[str, int]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits from now on, in turn order: somebody sits out, joins, leaves, takes another's seat. Where the rules can
    be played by another number, so many may sit."""

    seats: tuple[str, ...]
    dealer: int | None = None


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """What is played from now on."""

    rules: RulesChoice


@dataclass(frozen=True, slots=True)
class Paid:
    """Money that changed hands: it leaves the totals of the night alone and lowers what is still owed."""

    payer: str
    receiver: str
    amount: int
    note: str = ""


Deed = Played | Adjusted | Seated | RulesChanged | Paid


@dataclass(frozen=True, slots=True)
class Corrected:
    """`by` stands in the place of what the event of that id said. Of several corrections the last one counts."""

    event: str
    by: Deed


@dataclass(frozen=True, slots=True)
class Undone:
    """The event of that id does not count; undone itself, it counts again."""

    event: str


Change = Deed | Corrected | Undone


@dataclass(frozen=True, slots=True)
class Event:
    """One change. `id` is chosen by whoever records it and is the idempotency key: sent twice, it is recorded once."""

    id: str
    at: str
    change: Change


# ---------------------------------------------------------------- JSON, there and back


def opening_to_json(opening: Opening) -> dict[str, Any]:
    """The inverse of `opening_from_json`."""
    return {
        "id": opening.id,
        "name": opening.name,
        "at": opening.at,
        "players": list(opening.players),
        "rules": _rules_to_json(opening.rules),
        "unit": opening.unit,
        "start": opening.start,
        "dealer": opening.dealer,
        **({"colours": list(opening.colours)} if opening.colours else {}),
    }


def opening_from_json(raw: Any) -> Opening:
    """Read an opening. Raises `LedgerError` that names the part that is missing or wrong."""
    part = _Reader(raw, "the night", "这一晚")
    return Opening(
        part.name("id"),
        part.text("name"),
        part.name("at"),
        part.names("players"),
        _rules_from_json(part.get("rules")),
        part.text("unit", ""),
        part.integer("start", 0),
        part.integer("dealer", 0),
        _colours(part),
    )


def event_to_json(event: Event) -> dict[str, Any]:
    """The inverse of `event_from_json`."""
    return {"id": event.id, "at": event.at, **change_to_json(event.change)}


def event_from_json(raw: Any) -> Event:
    """Read an event. Raises `LedgerError` that names the part that is missing or wrong."""
    part = _Reader(raw, "the event", "这条记录")
    return Event(part.name("id"), part.name("at"), change_from_json(raw))


def change_to_json(change: Change) -> dict[str, Any]:
    """The inverse of `change_from_json`."""
    match change:
        case Played(case):
            return {"what": "played", "case": dict(case)}
        case Adjusted(amounts, note):
            return {"what": "adjusted", "amounts": dict(amounts), "note": note}
        case Seated(seats, dealer):
            return {"what": "seated", "seats": list(seats), "dealer": dealer}
        case RulesChanged(rules):
            return {"what": "rules", "rules": _rules_to_json(rules)}
        case Paid(payer, receiver, amount, note):
            return {"what": "paid", "payer": payer, "receiver": receiver, "amount": amount, "note": note}
        case Corrected(event, by):
            return {"what": "corrected", "event": event, "by": change_to_json(by)}
        case Undone(event):
            return {"what": "undone", "event": event}


def change_from_json(raw: Any) -> Change:
    """Read what an event changes. Raises `LedgerError` that names the part that is missing or wrong."""
    part = _Reader(raw, "the event", "这条记录")
    match part.get("what"):
        case "played":
            return Played(MappingProxyType(dict(part.mapping("case"))))
        case "adjusted":
            return Adjusted(part.integers("amounts"), part.text("note", ""))
        case "seated":
            return Seated(part.names("seats"), None if part.get("dealer", None) is None else part.integer("dealer"))
        case "rules":
            return RulesChanged(_rules_from_json(part.get("rules")))
        case "paid":
            return Paid(part.name("payer"), part.name("receiver"), part.integer("amount"), part.text("note", ""))
        case "undone":
            return Undone(part.name("event"))
        case "corrected":
            by = change_from_json(part.get("by"))
            if isinstance(by, (Corrected, Undone)):
                refuse(
                    "更正只能换成一件发生过的事。", "A correction puts something that happened in the place of another."
                )
            return Corrected(part.name("event"), by)
        case other:
            refuse(f"不认识的记录类型 {written(other)}。", f"{written(other)} is no kind of event this version knows.")


def _colours(part: "_Reader") -> tuple[str, ...]:
    colours = part.names("colours") if part.get("colours", None) else ()
    if not set(colours) <= set(COLOURS):
        refuse("玩家颜色不在调色板里。", "The colours of the players must be among those that this version knows.")
    return colours


def _rules_to_json(rules: RulesChoice) -> dict[str, Any]:
    return {"preset": rules.preset, "changes": dict(rules.changes)}


def _rules_from_json(raw: Any) -> RulesChoice:
    part = _Reader(raw, "the rules", "规则")
    changes: Mapping[str, Any] = part.mapping("changes") if part.get("changes", None) else {}
    return RulesChoice(part.name("preset"), MappingProxyType(dict(changes)))


def played(case: Mapping[str, Any]) -> Played:
    """A `Played` that nobody can change from outside."""
    return Played(MappingProxyType(json.loads(json.dumps(dict(case)))))


_MISSING: Final = object()


class _Reader:
    """Parts of a JSON object, each checked, each refusal a sentence that names where and what."""

    def __init__(self, raw: Any, en: str, zh: str) -> None:
        if not isinstance(raw, Mapping):
            refuse(f"{zh}应当是一个 JSON 对象。", f"{en[0].upper()}{en[1:]} must be a JSON object.")
        self.raw = cast("Mapping[str, Any]", raw)
        self.en, self.zh = en, zh

    def get(self, key: str, default: Any = _MISSING) -> Any:
        value = self.raw.get(key, default)
        if value is _MISSING:
            refuse(f"{self.zh}缺少“{key}”。", f"{self.en[0].upper()}{self.en[1:]} lacks “{key}”.")
        return value

    def _wrong(self, key: str, zh: str, en: str) -> NoReturn:
        refuse(f"{self.zh}的“{key}”应当是{zh}。", f"“{key}” of {self.en} must be {en}.")

    def text(self, key: str, default: Any = _MISSING) -> str:
        value = self.get(key, default)
        # PostgreSQL keeps no NUL characters, and nobody is called by one.
        return value if isinstance(value, str) and "\0" not in value else self._wrong(key, "文字", "text")

    def name(self, key: str) -> str:
        return self.text(key).strip() or self._wrong(key, "非空文字", "text that is not empty")

    def integer(self, key: str, default: Any = _MISSING) -> int:
        value = self.get(key, default)
        return (
            value
            if isinstance(value, int) and not isinstance(value, bool)
            else self._wrong(key, "整数", "a whole number")
        )

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.get(key)
        return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else self._wrong(key, "对象", "an object")

    def names(self, key: str) -> tuple[str, ...]:
        value = self.get(key)
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in cast("list[Any]", value)):
            self._wrong(key, "名字的列表", "a list of names")
        return tuple(cast("list[str]", value))

    def integers(self, key: str) -> Mapping[str, int]:
        value = self.mapping(key)
        if not all(isinstance(v, int) and not isinstance(v, bool) for v in value.values()):
            self._wrong(key, "名字到整数的表", "whole numbers by name")
        return MappingProxyType(dict(value))
