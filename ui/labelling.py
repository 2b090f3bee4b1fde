"""The tiles of one photograph while a person says what they are: by keys, or by taps. Pure.

The reader proposes; what it was unsure of comes first. A tile is named by the keys a player would think of: a digit and
then its suit (`3` `p`), a letter for an honour (`E S W N C F P`), `b` for a back, `x` for what is no tile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist
from statistics import fmean
from typing import TYPE_CHECKING

from datasets.names import CODES
from scoring.tiles import HONOURS
from vision.result import UNKNOWN, Corners, Reading, ReadTile

if TYPE_CHECKING:  # these bring OpenCV, which must not hold up the first page
    from datasets.formats.records import Judged, State
    from datasets.labels import LabelledPhoto

LETTERS = {**{honour.lower(): honour for honour in HONOURS}, "b": "back"}


@dataclass(frozen=True)
class Place:
    """One place of the photograph.

    corners: in pixels of the photograph. read, confidence, candidates: what the reader said ("" where it had passed
    the tile over). tile: what it is now taken for, or `UNKNOWN`. rejected: a person says that it is none.
    doubt: the reader was unsure and no person has looked at it yet.
    """

    corners: Corners
    read: str = ""
    confidence: float = 0.0
    candidates: tuple[str, ...] = ()
    tile: str = UNKNOWN
    rejected: bool = False
    doubt: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the place, in pixels of the photograph."""
        return fmean(x for x, _ in self.corners), fmean(y for _, y in self.corners)

    @property
    def open(self) -> bool:
        """Does a person still have to say something?"""
        return not self.rejected and (self.doubt or self.tile == UNKNOWN)

    @property
    def state(self) -> State:
        if self.rejected:
            return "rejected"
        if self.tile == UNKNOWN:
            return "unsure"
        return "added" if not self.read else "right" if self.tile == self.read else "changed"


@dataclass(frozen=True)
class Sheet:
    """The places of one photograph in reading order, the one that is being looked at (`at`), and a digit that waits for
    its suit."""

    width: int
    height: int
    places: tuple[Place, ...] = ()
    at: int = 0
    digit: str = ""

    @property
    def picked(self) -> Place | None:
        return self.places[self.at] if self.at < len(self.places) else None

    @property
    def open(self) -> tuple[int, ...]:
        """The places that a person still has to say something of."""
        return tuple(i for i, place in enumerate(self.places) if place.open)


def proposed(tile: ReadTile) -> Place:
    """A tile of a reading as a proposal."""
    named = () if tile.tile == UNKNOWN else (tile.tile,)
    guesses = (*named, *(code for code, _ in tile.alternatives if code not in named))
    return Place(tile.corners, tile.tile, tile.confidence, guesses[:5], tile.tile, doubt=tile.doubt is not None)


def from_reading(reading: Reading) -> Sheet:
    """What the reader found, all of it, the first doubt picked."""
    return _begun(reading.width, reading.height, [proposed(tile) for tile in reading.tiles])


def from_labels(photo: LabelledPhoto, reading: Reading) -> Sheet:
    """A photograph that somebody has labelled: the labels stand, and where the reader contradicts one it is a doubt.
    What the reader found besides is proposed too."""
    proposals = [proposed(tile) for tile in reading.tiles]
    taken: set[int] = set()
    places: list[Place] = []
    for mark in photo.marks:
        if mark.ignored:
            continue
        left, top, right, bottom = mark.box
        middle = ((left + right) / 2, (top + bottom) / 2)
        near = [
            (dist(p.middle, middle), i)
            for i, p in enumerate(proposals)
            if i not in taken and left < p.middle[0] < right and top < p.middle[1] < bottom
        ]
        if near:
            _, i = min(near)
            taken.add(i)
            seen = proposals[i]
            guesses = tuple(dict.fromkeys((mark.tile, *seen.candidates)))[:5]
            places.append(replace(seen, tile=mark.tile, candidates=guesses, doubt=mark.tile != seen.read))
        else:
            (a, b), (c, d), (e, f), (g, h) = mark.corners.tolist()
            places.append(Place(((a, b), (c, d), (e, f), (g, h)), tile=mark.tile, candidates=(mark.tile,)))
    places += [replace(p, doubt=True) for i, p in enumerate(proposals) if i not in taken]
    return _begun(photo.width, photo.height, places)


def _begun(width: int, height: int, places: list[Place]) -> Sheet:
    sheet = Sheet(width, height, tuple(in_reading_order(places)))
    return replace(sheet, at=sheet.open[0] if sheet.open else 0)


def in_reading_order(places: Sequence[Place]) -> list[Place]:
    """Row by row from the top, each from the left. Two tiles are of one row when the middle of one lies within the
    other's upper and lower edge."""
    rows: list[list[Place]] = []
    for place in sorted(places, key=lambda p: p.middle[1]):
        middle = place.middle[1]
        ys = [y for _, y in rows[-1][-1].corners] if rows else []
        if ys and min(ys) < middle < max(ys):
            rows[-1].append(place)
        else:
            rows.append([place])
    return [p for row in rows for p in sorted(row, key=lambda p: p.middle[0])]


# -- edits -------------------------------------------------------------------------------------------------------------


def pick(sheet: Sheet, at: int) -> Sheet:
    """Look at another place."""
    return replace(sheet, at=at, digit="") if 0 <= at < len(sheet.places) else sheet


def step(sheet: Sheet, by: int) -> Sheet:
    """The next place, or the one before; round at the ends."""
    return pick(sheet, (sheet.at + by) % len(sheet.places)) if sheet.places else sheet


def next_open(sheet: Sheet) -> Sheet:
    """The next place that nobody has settled, from here on and round; the sheet as it is when there is none."""
    after = [i for i in sheet.open if i > sheet.at] or [i for i in sheet.open if i != sheet.at]
    return pick(sheet, after[0]) if after else replace(sheet, digit="")


def say(sheet: Sheet, tile: str) -> Sheet:
    """The picked place shows this tile; the next open one is picked."""
    return _settled(sheet, tile=tile, rejected=False, doubt=False)


def confirm(sheet: Sheet) -> Sheet:
    """The picked place is what it is taken for."""
    place = sheet.picked
    return sheet if place is None or place.tile == UNKNOWN else say(sheet, place.tile)


def reject(sheet: Sheet) -> Sheet:
    """The picked place is no tile; once more, and it is one again."""
    place = sheet.picked
    return sheet if place is None else _settled(sheet, rejected=not place.rejected, doubt=False)


def _settled(sheet: Sheet, **changes: object) -> Sheet:
    if sheet.picked is None:
        return sheet
    places = list(sheet.places)
    places[sheet.at] = replace(sheet.picked, **changes)  # type: ignore[arg-type]
    return next_open(replace(sheet, places=tuple(places)))


def added(sheet: Sheet, place: Place) -> Sheet:
    """One more place, which the reader had passed over; it is picked."""
    places = tuple(in_reading_order([*sheet.places, place]))
    return replace(sheet, places=places, at=places.index(place), digit="")


def press(sheet: Sheet, key: str) -> Sheet:
    """What a key does. Keys are named as Flet does: `A`, `1`, `Arrow Left`, ` `. An unknown one does nothing."""
    letter = key.lower()
    if key == "Arrow Left" or key == "Arrow Up":
        return step(sheet, -1)
    if key == "Arrow Right" or key == "Arrow Down":
        return step(sheet, 1)
    if key in (" ", "Space", "Tab"):
        return next_open(sheet)
    if key == "=" or letter == "y":
        return confirm(sheet)
    if letter == "x" or key == "Delete":
        return reject(sheet)
    if len(key) == 1 and key.isdigit() and key != "0":
        return replace(sheet, digit=key)
    if sheet.digit and (code := sheet.digit + letter) in CODES:
        return say(sheet, code)
    if not sheet.digit and letter in LETTERS:
        return say(sheet, LETTERS[letter])
    return replace(sheet, digit="")


# -- what comes of it --------------------------------------------------------------------------------------------------


def judged(sheet: Sheet, scale: float = 1.0) -> tuple[Judged, ...]:
    """What the person made of every place, in pixels of a picture of `scale` times the size. A doubt that nobody looked
    at is no answer, so it stays unsure."""
    from datasets.formats.records import Judged

    return tuple(
        Judged(
            scaled(p.corners, scale),
            p.read,
            p.confidence,
            "" if p.rejected or p.open else p.tile,
            "unsure" if p.open else p.state,
        )
        for p in sheet.places
    )


def scaled(corners: Corners, scale: float) -> Corners:
    """The corners in a picture of `scale` times the size."""
    (a, b), (c, d), (e, f), (g, h) = ((x * scale, y * scale) for x, y in corners)
    return ((a, b), (c, d), (e, f), (g, h))


def accepted(sheet: Sheet) -> Sheet:
    """The person has looked at the whole photograph and agrees: no doubt is left but tiles that nobody named."""
    return replace(sheet, places=tuple(replace(p, doubt=False) for p in sheet.places))


def told(sheet: Sheet) -> Iterable[Place]:
    """The places of which it is known what they show."""
    return (p for p in sheet.places if not p.rejected and not p.open)
