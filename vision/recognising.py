"""A tile set that was shown tells what the networks doubt. What they are sure of it never changes.

A doubted tile, a place that was passed over, and the places beside the tiles that were found are looked at in several
outlines. Each is compared with the shown tiles, whole and cut short as behind a neighbour. Only where it is far more
like one of them than like any other is it that tile; everything else stays as it was read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.classifier import MARGIN, SIZE, Look, upright
from vision.corners import sharpen
from vision.decoding import DOUBTFUL
from vision.geometry import Floats, area, covered, middle, rectify, sides, turned, without_doubles
from vision.network import Network
from vision.profile import PLAIN, Likeness
from vision.regrasp import larger, moved

LIKE, APART = 0.82, 0.08
"""A doubted tile is known again that is so like a shown one (a cosine) and so much less like any other."""
PLAUSIBLE = 0.5
"""What the classifier thinks so likely, and the set too, stays as it was read unless there is no doubt of it."""
AGREED = 0.03
"""So much less is enough where the classifier's first guess is the same."""
SEEN_APART = 0.12
"""So much less where the finder was sure of a tile and the classifier of none."""
NEW_LIKE, NEW_APART = 0.88, 0.14
"""Where the finder saw none either, it takes more."""
CUT = 0.05
"""What likeness to a tile cut short counts less."""
KNOWN, GUESSED = 0.9, 0.8
"""How sure a tile is that is known again without any doubt, and any other, which stays for a person to look at."""
SURE_LIKE, SURE_APART, SURE_PRINT = 0.9, 0.15, 0.8
"""A whole tile of which there is no doubt is so like one, so much less like any other, and printed so alike."""
NEXT, ALONE_PRINT = 2.2, 0.75
"""A tile that was passed over lies within so many lengths of a sure one, or is whole and printed so alike: spines of
books are like bamboo."""
PRINT, CLEAR = 0.3, SURE_APART - 0.01
"""What a difference in print (a correlation) counts beside one in features, and how far apart it makes them at most."""
SIZES, SMALL = (0.5, 1.6), 0.25
"""A tile that was passed over is at least and at most so many times as large as the sure ones; of one that was doubted
less may be seen."""
FREE = 0.45
"""It covers so much of another at most."""
MERGED = 1.6
"""A doubted outline that is so many times as large as those around it may hold two tiles."""
NEAR = (
    (1, 0),
    (-1, 0),
    *((x, y) for y in (-0.7, 0.7) for x in (-0.5, 0, 0.5)),
    *((x, y) for y in (-0.35, 0.35) for x in (-0.75, 0.75)),
)
"""Where neighbours are looked for, in a tile's own widths and lengths."""
HIDDEN = 0.7
"""Where so much of one lies on a tile there is none beside it."""
HINT = 0.75
"""So like a shown tile is a place at first sight, or it is not looked at in several outlines."""
SAME = 0.75
"""Outlines that cover so much of each other are one place."""
ROUNDS = 3
"""How often places are looked for beside those found last."""


@dataclass(frozen=True)
class Found:
    """The best of some outlines of one place: corners from the tile's own top left, its class, how like a shown tile
    it is (a cosine, less for one cut short), how much more than like any other, whether it is whole, and then how its
    print correlates with the shown one."""

    corners: Floats
    tile: int
    like: float
    apart: float
    whole: bool
    printed: float

    @property
    def certain(self) -> bool:
        """Is there no doubt that it is this tile?"""
        return self.like >= SURE_LIKE and self.apart >= SURE_APART and self.printed >= SURE_PRINT


def recognised(
    networks: tuple[Network, Network],
    pixels: NDArray[np.uint8],
    looks: Sequence[Look],
    passed: Sequence[tuple[Floats, bool]],
    classes: Sequence[str],
    shown: Likeness,
) -> list[Look]:
    """The looks with what is known again put right, and the tiles that were passed over.

    networks: refiner and classifier. passed: outlines (4, 2) that were taken for no tile, and whether the finder was
    sure of one. shown: the tile set."""
    told = list(looks)
    sizes = [abs(area(look.corners)) for look in looks if _sure(look)]
    if not sizes:
        return told
    usual = float(np.median(sizes))
    doubted = [k for k, look in enumerate(looks) if not _sure(look)]
    ideas = [_outlines(networks[0], pixels, looks[k].corners) for k in doubted]
    for k, found in zip(doubted, best_of(networks[1], pixels, ideas, classes, shown), strict=True):
        if found is None or classes[found.tile] in PLAIN:  # cloth and backs are like a white dragon, too
            continue
        guess = max((i for i, c in enumerate(classes) if c != "none"), key=lambda i: float(looks[k].probabilities[i]))
        agreed = found.tile == guess
        if agreed and float(looks[k].probabilities[guess]) >= PLAUSIBLE and not found.certain:
            continue
        fits = SMALL < abs(area(found.corners)) / usual < SIZES[1] and _roomy(found, told, k)
        if fits and found.like >= LIKE and found.apart >= (AGREED if agreed else APART):
            told[k] = _as(found, looks[k].probabilities)
    return _with_new(networks, pixels, told, passed, classes, shown, usual)


def _with_new(
    networks: tuple[Network, Network],
    pixels: NDArray[np.uint8],
    looks: list[Look],
    passed: Sequence[tuple[Floats, bool]],
    classes: Sequence[str],
    shown: Likeness,
    usual: float,
) -> list[Look]:
    """The looks and, beside them, the tiles that were passed over."""
    told, fresh = list(looks), [k for k in looks if _sure(k) and classes[int(k.probabilities.argmax())] not in PLAIN]
    faces, places = [look.corners for look in fresh], list(passed)
    height, width = pixels.shape[:2]
    for _ in range(ROUNDS):
        solid = [k.corners for k in told if _sure(k) or abs(area(k.corners)) < MERGED * usual]
        rough = [q for look in fresh for q in around(look.corners) if all(covered(q, o) < HIDDEN for o in solid)]
        near = [(q, False) for q in sharpen(networks[0], pixels, rough, 1)]
        places = [
            (q, seen)
            for q, seen in [*places, *near]
            if SIZES[0] < abs(area(q)) / usual < SIZES[1]
            and (q.mean(0) > 0).all()
            and (q.mean(0) < [width, height]).all()
            and all(covered(q, other) < FREE for other in solid)
        ]
        places = [places[k] for k in without_doubles([q for q, _ in places], SAME)]
        first = best_of(networks[1], pixels, [[q] for q, _ in places], classes, shown)
        places = [place for place, f in zip(places, first, strict=True) if place[1] or (f and f.like >= HINT)]
        exact = sharpen(networks[0], pixels, [q for q, _ in places])
        ideas = [
            _outlines(networks[0], pixels, q) if seen else [*_varied(q), e]
            for (q, seen), e in zip(places, exact, strict=True)
        ]
        found = best_of(networks[1], pixels, ideas, classes, shown)
        clear = [
            f
            for f, (_, seen) in zip(found, places, strict=True)
            if f
            and classes[f.tile] not in PLAIN
            and f.like >= (LIKE if seen else NEW_LIKE)
            and f.apart >= (SEEN_APART if seen else NEW_APART)
            and ((f.whole and f.printed >= ALONE_PRINT) or _beside(f.corners, faces))
        ]
        fresh = list[Look]()
        places = list[tuple[Floats, bool]]()
        for new in sorted(clear, key=lambda f: -f.like):
            if all(covered(new.corners, other) <= FREE for other in [*solid, *(k.corners for k in fresh)]):
                fresh.append(_as(new, np.ones(len(classes))))
        if not fresh:
            break
        told = [k for k in told if _sure(k) or all(covered(k.corners, f.corners) < 0.5 for f in fresh)] + fresh
    return told


def _sure(look: Look) -> bool:
    return float(look.probabilities.max()) >= DOUBTFUL


def _as(found: Found, before: Floats) -> Look:
    """What was known again as a look: nearly all of the probability, the rest shared as it was before."""
    p = KNOWN if found.certain else GUESSED
    rest = before.copy()
    rest[found.tile] = 0.0
    probabilities = rest / max(float(rest.sum()), 1e-9) * (1 - p)
    probabilities[found.tile] = p
    return Look(found.corners, probabilities, None, found.like)


def _beside(quad: Floats, faces: Sequence[Floats]) -> bool:
    return any(math.dist(middle(quad), middle(face)) < NEXT * max(sides(face)) for face in faces)


def _roomy(found: Found, looks: Sequence[Look], own: int) -> bool:
    return all(k == own or covered(found.corners, look.corners) < 0.5 for k, look in enumerate(looks))


def around(quad: Floats) -> list[Floats]:
    """The outlines (4, 2) of neighbours that touch this one on the left and on the right, or stand half behind it."""
    right, down = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    return [quad + x * right + y * down for x, y in NEAR]


def _outlines(refiner: Network, pixels: NDArray[np.uint8], quad: Floats) -> list[Floats]:
    """What else a doubted outline may be: itself, larger ones drawn to what they hold, and a little more or less of
    each side."""
    return [*_varied(quad), *sharpen(refiner, pixels, larger(quad), 1)]


def _varied(quad: Floats) -> list[Floats]:
    """An outline, and the same with a little more or less of each side."""
    return [quad, *(moved(quad, side, share) for side in range(4) for share in (-0.15, 0.15))]


def best_of(
    classifier: Network,
    pixels: NDArray[np.uint8],
    ideas: Sequence[Sequence[Floats]],
    classes: Sequence[str],
    shown: Likeness,
) -> list[Found | None]:
    """Of several outlines of each place the one that is most like a shown tile; None for a place without one."""
    flat = [upright(q) for outlines in ideas for q in outlines]
    if not flat:
        return [None] * len(ideas)
    crops = np.stack([rectify(pixels, q, SIZE, MARGIN) for q in flat])
    crops = np.concatenate([crops, crops[:, ::-1, ::-1]])
    whole, cut = shown(classifier.run(crops)[2].astype(np.float64))
    named = np.array([c not in PLAIN for c in classes])
    found: list[Found | None] = []
    first = 0
    for outlines in ideas:
        span = [*range(first, first + len(outlines)), *range(first + len(flat), first + len(flat) + len(outlines))]
        found.append(_best(flat, crops, span, whole, cut, named, shown) if outlines else None)
        first += len(outlines)
    return found


def _best(
    quads: Sequence[Floats],
    crops: NDArray[np.uint8],
    span: Sequence[int],
    whole: Floats,
    cut: Floats,
    named: NDArray[np.bool_],
    shown: Likeness,
) -> Found:
    """Cloth, backs and the sides of tiles are like a white dragon, so that one is never the answer. Faces that the
    classifier hardly tells apart, as flowers are, are told by their print."""
    likes = np.maximum(whole[span], cut[span] - CUT)
    best = np.where(named, likes, -1.0)
    tiles, rows = best.argmax(1), np.arange(len(span))
    others = likes.copy()
    others[rows, tiles] = -1.0
    apart = best.max(1) - others.max(1)
    row = int((best.max(1) + apart).argmax())
    tile, rival, at = int(tiles[row]), int(others[row].argmax()), span[row]
    like, more, seen_whole = float(likes[row, tile]), float(apart[row]), bool(whole[at, tile] >= cut[at, tile] - CUT)
    printed = shown.printed(crops[at], tile) if seen_whole and like >= LIKE else 0.0
    if printed and more < SURE_APART:
        more = min(more + PRINT * (printed - shown.printed(crops[at], rival)), CLEAR)
    quad = quads[at % len(quads)]
    return Found(turned(quad, 2) if at >= len(quads) else quad, tile, like, more, seen_whole, printed)
