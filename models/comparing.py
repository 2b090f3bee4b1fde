"""Two sets of networks, photograph by photograph: which one mends what the other spoils.

Two averages that differ by a point say little about which set is better: the same photographs are hard for both. What
counts is where they disagree, and whether chance alone would make them disagree so one-sidedly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from datasets.labels import LabelledPhoto
from models.evaluate import NO_SETS, Sets, Tally, judge, match, read
from vision.reading import Reader
from vision.result import Reading

MISSED = "missed"


@dataclass(frozen=True)
class Outcome:
    """One photograph read by both sets.

    exact, right, extra: of the first and the second set. changed: (label, what the first said, what the second said)
    for each tile on which only one of them is right."""

    name: str
    marked: int
    exact: tuple[bool, bool]
    right: tuple[int, int]
    extra: tuple[int, int]
    changed: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Comparison:
    """All photographs, in their order, and the figures of each set as `hupai evaluate` gives them."""

    outcomes: tuple[Outcome, ...]
    figures: tuple[dict[str, float], dict[str, float]]

    @property
    def fixed(self) -> list[Outcome]:
        """Photographs that only the first set reads exactly."""
        return [o for o in self.outcomes if o.exact == (True, False)]

    @property
    def broken(self) -> list[Outcome]:
        """Photographs that only the second set reads exactly."""
        return [o for o in self.outcomes if o.exact == (False, True)]

    @property
    def chance(self) -> float:
        """How often a coin would favour one side at least so strongly (the sign test, two-sided)."""
        return sign_test(len(self.fixed), len(self.broken))

    def as_json(self) -> dict[str, Any]:
        return {
            "figures": list(self.figures),
            "fixed": [o.name for o in self.fixed],
            "broken": [o.name for o in self.broken],
            "chance": round(self.chance, 4),
            "photographs": [
                {
                    "photo": o.name,
                    "tiles": o.marked,
                    "exact": list(o.exact),
                    "right": list(o.right),
                    "extra": list(o.extra),
                    "changed": [list(change) for change in o.changed],
                }
                for o in self.outcomes
            ],
        }


def sign_test(one: int, other: int) -> float:
    """The chance of a split at least as uneven as `one` against `other` when both are equally likely."""
    n, fewer = one + other, min(one, other)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(fewer + 1)) / 2**n)


def compare(
    first: Reader,
    second: Reader,
    photos: Iterable[LabelledPhoto],
    done: Callable[[], None] = lambda: None,
    sets: Sets = NO_SETS,
) -> Comparison:
    """Read every photograph with both sets of networks, told of the same tile sets."""
    totals = Tally(), Tally()
    outcomes: list[Outcome] = []
    for photo in photos:
        readings = read(first, photo, sets), read(second, photo, sets)
        alone = Tally(), Tally()
        for total, one, reading in zip(totals, alone, readings, strict=True):
            judge(total, photo, reading)
            judge(one, photo, reading)
        a, b = alone
        outcomes.append(
            Outcome(
                photo.name,
                a.marked,
                (bool(a.exact), bool(b.exact)),
                (a.right, b.right),
                (a.extra, b.extra),
                _changed(photo, *readings),
            )
        )
        done()
    return Comparison(tuple(outcomes), (totals[0].figures(), totals[1].figures()))


def _changed(photo: LabelledPhoto, one: Reading, other: Reading) -> tuple[tuple[str, str, str], ...]:
    asked = [m for m in photo.marks if not (m.ignored or m.by_reader)]
    pairs = [match(reading.tiles, asked)[0] for reading in (one, other)]
    changed: list[tuple[str, str, str]] = []
    for k, mark in enumerate(asked):
        said = [
            reading.tiles[found[k]].tile if k in found else MISSED
            for reading, found in zip((one, other), pairs, strict=True)
        ]
        if (said[0] == mark.tile) != (said[1] == mark.tile):
            changed.append((mark.tile, said[0], said[1]))
    return tuple(changed)
