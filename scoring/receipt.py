"""What every receipt shares: the reading as groups, an element as a line, a problem as a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from scoring.hand import Answers, Hand, Win
from scoring.rules import Choice, Element, Group, Line, Problem
from scoring.settlement import Text
from scoring.shapes import Reading
from scoring.tiles import INDEX, TILES, show


def problem(code: str, zh: str, en: str) -> Problem:
    """A `Problem` in one line."""
    return Problem(code, Text(zh, en))


def slot_of(reading: Reading, won: int) -> str:
    """Which part of a reading the winning tile completed, as favourable as the reading allows.

    `middle` is the middle of a 4-5-6, then any `chow`, the `pair`, and a `pung` only when nothing else can take it.
    """
    if won < 27:
        if won % 9 == 4 and won - 1 in reading.chows:
            return "middle"
        if any(start <= won <= start + 2 for start in reading.chows):
            return "chow"
    return "pair" if reading.pair == won else "pung"


def groups(win: Win, reading: Reading | Sequence[int], slot: str) -> tuple[Group, ...]:
    """A reading of natural tiles (sets and a pair, or the tiles of seven pairs) as parts, the completed one marked."""
    won = INDEX[cast(str, win.hand.winning_tile)]
    parts: list[tuple[str, tuple[int, ...]]] = []
    if isinstance(reading, Reading):
        parts += (("chow", (tile, tile + 1, tile + 2)) for tile in sorted(reading.chows))
        parts += (("pung", (tile,) * 3) for tile in sorted(reading.pungs))
        parts.append(("pair", (reading.pair,) * 2))
    else:
        parts += (("pair", (tile,) * 2) for tile in reading)
    completed = next(
        i
        for i, (kind, tiles) in enumerate(parts)
        if won in tiles and (tiles[1] == won and kind == "chow" if slot == "middle" else kind == slot)
    )
    found = [
        Group(cast(Any, kind), faces := tuple(TILES[tile] for tile in tiles), faces, True, i == completed)
        for i, (kind, tiles) in enumerate(parts)
    ]
    return (*found, *meld_groups(win))


def meld_groups(win: Win) -> tuple[Group, ...]:
    """The melds of a win as parts of its reading."""
    return tuple(Group(meld.kind, meld.tiles, meld.faces, meld.kind == "kong_concealed") for meld in win.hand.melds)


def line(
    elements: Mapping[str, Element], element: str, value: int, tiles: Sequence[str], reason: Text | None = None
) -> Line:
    """One element with its reason and the tiles it rests on."""
    entry = elements[element]
    why = reason or entry.condition
    on_zh, on_en = (f"：{show(tiles, 'zh')}", f": {show(tiles)}") if tiles else ("", "")
    return Line(
        element, entry.name, value, entry.shown(value), Text(why.zh + on_zh, why.en + on_en), tuple(tiles), entry.source
    )


def total_of(parts: Sequence[tuple[Text, int]], sign: str, language: str) -> str:
    """`all pungs 2 × pure suit 4`: the terms of one arithmetic step."""
    return sign.join(f"{name(language)} {value}" for name, value in parts)


def seat_word(seat: int) -> Text:
    """What a seat is called where no name is known."""
    return Text(f"{seat} 号", f"seat {seat}")


def seat_choices(players: int, winner_too: bool) -> Any:
    """The seats a question can be answered with; without the winner unless `winner_too`."""

    def among(_hand: Hand, answers: Answers) -> tuple[Choice, ...]:
        winner = answers.get("winner", 0)
        return tuple(Choice(seat, seat_word(seat)) for seat in range(players) if winner_too or seat != winner)

    return among


NEEDS: Final = {
    "self_draw": Text("自摸", "a self-draw"),
    "discard": Text("点炮", "a win on a discard"),
    "rob_kong": Text("抢杠", "a robbed kong"),
    "discarder": Text("点炮或抢杠", "a win on a discard or by robbing a kong"),
    "kong_bloom": Text("自摸，且牌里有杠", "a self-draw and a kong among the melds"),
}
"""What a question needs to be asked, where several games ask it."""


def won_by(*ways: str) -> Any:
    """Offered when the hand was won in one of these ways."""

    def offered(_hand: Hand, answers: Answers) -> bool:
        return answers.get("win_by", "self_draw") in ways

    return offered


def way_choices(rob: Text | None = None) -> tuple[Choice, ...]:
    """The three ways of winning."""
    return (
        Choice("self_draw", Text("自摸", "self-draw")),
        Choice("discard", Text("点炮", "discard")),
        Choice("rob_kong", rob or Text("抢杠", "robbing a kong")),
    )
