"""Every reading of a hand: four sets and a pair, or seven pairs; with and without wild tiles.

The tiles of a hand are counted in one integer, three bits for each of the 34 kinds, so that the part of one suit is a
small integer that a table remembers: a suit is split once, ever. Readings name tiles by their index in `TILES`; a
chow by its lowest tile. With wild tiles the question is not which tiles they become but which numbers of chows,
pungs and pairs each suit can be completed to; `arrange` finds the tiles afterwards, for the receipt.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from scoring.tiles import TILES

WEIGHT: Final[dict[str, int]] = {tile: 1 << (3 * i) for i, tile in enumerate(TILES[:34])}
SUIT_MASK: Final = (1 << 27) - 1
HONOUR_SHIFT: Final = 81


class Reading(NamedTuple):
    """One way to see concealed tiles as sets and a pair: tile indices, `chows` by their lowest tile."""

    pair: int
    chows: tuple[int, ...]
    pungs: tuple[int, ...]


def weigh(tiles: Iterable[str]) -> int:
    """The counted form of tiles: at most seven of a kind fit, more than any legal hand holds."""
    return sum(map(WEIGHT.__getitem__, tiles))


def count(weight: int, tile: int) -> int:
    """How many of the tile with that index a counted hand holds."""
    return weight >> (3 * tile) & 7


def suits_of(weight: int) -> tuple[int, int, int, int]:
    """The counted characters, dots, bamboos and honours, each as a small integer."""
    return weight & SUIT_MASK, weight >> 27 & SUIT_MASK, weight >> 54 & SUIT_MASK, weight >> HONOUR_SHIFT


@cache
def _splits(key: int, honours: bool) -> tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]:
    """Every split of one suit's tiles into sets and at most one pair: (pair rank or -1, chows, pungs), ranks from 0."""
    if not key:
        return ((-1, (), ()),)
    rank = ((key & -key).bit_length() - 1) // 3
    unit = 1 << (3 * rank)
    here = key >> (3 * rank) & 7
    found: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()
    if here >= 3:
        found |= {(pair, chows, (rank, *pungs)) for pair, chows, pungs in _splits(key - 3 * unit, honours)}
    if here >= 2:
        found |= {(rank, chows, pungs) for pair, chows, pungs in _splits(key - 2 * unit, honours) if pair < 0}
    if not honours and rank <= 6 and key >> (3 * rank + 3) & 7 and key >> (3 * rank + 6) & 7:
        rest = _splits(key - unit - (unit << 3) - (unit << 6), honours)
        found |= {(pair, (rank, *chows), pungs) for pair, chows, pungs in rest}
    return tuple(sorted(found))


@cache
def _group_splits(key: int, offset: int) -> tuple[Reading, ...]:
    """The splits of one suit in tile indices of the whole set."""
    return tuple(
        Reading(
            pair + offset if pair >= 0 else -1,
            tuple(tile + offset for tile in chows),
            tuple(tile + offset for tile in pungs),
        )
        for pair, chows, pungs in _splits(key, offset == 27)
    )


def readings(weight: int) -> tuple[Reading, ...]:
    """Every reading of counted concealed tiles (winning tile included) as sets and exactly one pair."""
    found: Sequence[Reading] = _NO_TILES
    for key, offset in (
        (weight & SUIT_MASK, 0),
        (weight >> 27 & SUIT_MASK, 9),
        (weight >> 54 & SUIT_MASK, 18),
        (weight >> 81, 27),
    ):
        if not key:
            continue
        splits = _group_splits(key, offset)
        if not splits:
            return ()
        if found is _NO_TILES:
            found = splits
            continue
        found = [
            Reading(pair if pair >= 0 else split_pair, chows + split_chows, pungs + split_pungs)
            for pair, chows, pungs in found
            for split_pair, split_chows, split_pungs in splits
            if pair < 0 or split_pair < 0
        ]
    return tuple([reading for reading in found if reading.pair >= 0])


_NO_TILES: Final = (Reading(-1, (), ()),)
_ODD: Final = sum(1 << (3 * i) for i in range(34))


def pairs(weight: int) -> tuple[int, ...] | None:
    """The tiles of seven pairs (four equal tiles twice) or None; the caller sees to it that there are fourteen."""
    if weight & _ODD:
        return None
    found: list[int] = []
    while weight:
        tile = ((weight & -weight).bit_length() - 1) // 3
        found += [tile] * (count(weight, tile) // 2)
        weight &= ~(7 << (3 * tile))
    return tuple(found)


# ---------------------------------------------------------------- wild tiles

Cover = tuple[int, int, int]
"""Chows, pungs, pairs."""


@cache
def covers(key: int) -> frozenset[Cover]:
    """The least numbers of (chows, pungs, pairs) of one suit that hold all its tiles, gaps filled by wild tiles.

    A natural tile is used wherever one fits: what holds more tiles holds fewer as well. At most four sets and a pair.
    """
    if not key:
        return frozenset(((0, 0, 0),))
    rank = ((key & -key).bit_length() - 1) // 3
    here = key >> (3 * rank) & 7
    found = {(c, p + 1, d) for c, p, d in covers(key - (min(here, 3) << (3 * rank))) if c + p < 4}
    found |= {(c, p, 1) for c, p, d in covers(key - (min(here, 2) << (3 * rank))) if not d}
    for start in range(max(0, rank - 2), min(rank, 6) + 1):
        rest = key
        for tile in range(rank, start + 3):
            if rest >> (3 * tile) & 7:
                rest -= 1 << (3 * tile)
        found |= {(c + 1, p, d) for c, p, d in covers(rest) if c + p < 4}
    return frozenset(found)


class Completion(NamedTuple):
    """A number of sets and pairs that a suit can be completed to, with so many wild tiles.

    `chows`: it can be chows alone; `pungs`: the most of its sets that can be pungs.
    """

    wilds: int
    sets: int
    pair: int
    chows: bool
    pungs: int


def size(key: int) -> int:
    """How many tiles a counted suit holds."""
    number = 0
    while key:
        number += key & 7
        key >>= 3
    return number


@cache
def completions(key: int) -> tuple[Completion, ...]:
    """What a suit can be completed to, sets of wild tiles alone included, fewest wild tiles first."""
    found: dict[tuple[int, int], tuple[bool, int]] = {}
    for chows, pungs, pair in covers(key):
        for pairs_ in range(pair, 2):
            for sets in range(chows + pungs, 5):
                only, most = found.get((sets, pairs_), (False, -1))
                found[sets, pairs_] = only or not pungs, max(most, sets - chows)
    tiles = size(key)
    return tuple(
        sorted(
            Completion(3 * sets + 2 * pair - tiles, sets, pair, only, most)
            for (sets, pair), (only, most) in found.items()
        )
    )


def arrange(key: int, chows: int, pungs: int, pairs_: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """One arrangement (chows, pungs, pairs, by rank) of a suit with exactly those numbers that holds all its tiles.

    Raises `ValueError` when there is none; `completions` says beforehand.
    """
    found = _arrange(key, chows, pungs, pairs_)
    if found is None:
        raise ValueError("These tiles cannot be completed so.")
    return found


def _arrange(
    key: int, chows: int, pungs: int, pairs_: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] | None:
    if not key:
        return (0,) * chows, (0,) * pungs, (0,) * pairs_
    rank = ((key & -key).bit_length() - 1) // 3
    here = key >> (3 * rank) & 7
    if pungs:
        rest = _arrange(key - (min(here, 3) << (3 * rank)), chows, pungs - 1, pairs_)
        if rest:
            return rest[0], (rank, *rest[1]), rest[2]
    if pairs_:
        rest = _arrange(key - (min(here, 2) << (3 * rank)), chows, pungs, 0)
        if rest:
            return rest[0], rest[1], (rank, *rest[2])
    if chows:
        for start in range(max(0, rank - 2), min(rank, 6) + 1):
            left = key
            for tile in range(rank, start + 3):
                if left >> (3 * tile) & 7:
                    left -= 1 << (3 * tile)
            rest = _arrange(left, chows - 1, pungs, pairs_)
            if rest:
                return (start, *rest[0]), rest[1], rest[2]
    return None


@cache
def honour_covers(key: int) -> frozenset[tuple[int, int, int, int]]:
    """The least (pungs, pairs, East pungs, dragon pungs) that hold all honours of a hand, gaps filled by wild tiles."""
    if not key:
        return frozenset(((0, 0, 0, 0),))
    rank = ((key & -key).bit_length() - 1) // 3
    here = key >> (3 * rank) & 7
    east, dragon = int(rank == 0), int(rank >= 4)
    found = {
        (p + 1, d, e + east, n + dragon) for p, d, e, n in honour_covers(key - (min(here, 3) << (3 * rank))) if p < 4
    }
    found |= {(p, 1, e, n) for p, d, e, n in honour_covers(key - (min(here, 2) << (3 * rank))) if not d}
    return frozenset(found)


class HonourCompletion(NamedTuple):
    """Pungs and pairs that the honours can be completed to; `special` are the (East pungs, dragon pungs) among them."""

    wilds: int
    pungs: int
    pair: int
    special: tuple[tuple[int, int], ...]


@cache
def honour_completions(key: int) -> tuple[HonourCompletion, ...]:
    """What the honours can be completed to, fewest wild tiles first.

    A pung of wild tiles alone is an East or a dragon pung: those are the only ones worth anything.
    """
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for pungs, pair, east, dragons in honour_covers(key):
        for pairs_ in range(pair, 2):
            for more in range(5 - pungs):
                states = found.setdefault((pungs + more, pairs_), set())
                states |= {(east + i, dragons + more - i) for i in range(more + 1)}
    tiles = size(key)
    return tuple(
        sorted(
            HonourCompletion(3 * pungs + 2 * pair - tiles, pungs, pair, tuple(sorted(states)))
            for (pungs, pair), states in found.items()
        )
    )


def arrange_honours(
    key: int, pungs: int, pairs_: int, east: int, dragons: int
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """One arrangement (pungs, pairs, by rank 0–6) of the honours with exactly those numbers."""
    if not key:
        if east + dragons > pungs:
            return None
        # Ranks 0 and 4 are East and the red dragon; 1 is the south wind, for a pung that is worth nothing.
        return (0,) * east + (4,) * dragons + (1,) * (pungs - east - dragons), (1,) * pairs_
    rank = ((key & -key).bit_length() - 1) // 3
    here = key >> (3 * rank) & 7
    if pungs:
        rest = arrange_honours(
            key - (min(here, 3) << (3 * rank)), pungs - 1, pairs_, east - (rank == 0), dragons - (rank >= 4)
        )
        if rest and min(east - (rank == 0), dragons - (rank >= 4)) >= 0:
            return (rank, *rest[0]), rest[1]
    if pairs_:
        rest = arrange_honours(key - (min(here, 2) << (3 * rank)), pungs, 0, east, dragons)
        if rest:
            return rest[0], (rank, *rest[1])
    return None
