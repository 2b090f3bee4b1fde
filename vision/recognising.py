"""A tile set that was shown tells what the networks doubt. What they are sure of it never changes.

A doubted tile, a place that was passed over, and the places beside the tiles that were found are looked at in several
outlines. Each is compared with the shown tiles, whole and cut short as behind a neighbour. Only where it is far more
like one of them than like any other is it that tile; everything else stays as it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.classifier import MARGIN, SIZE, Look, upright
from vision.corners import sharpen
from vision.decoding import DOUBTFUL
from vision.geometry import Floats, area, covered, rectify, turned
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
SURE_LIKE, SURE_APART = 0.9, 0.15
"""A whole tile of which there is no doubt is so like one and so much less like any other."""
SIZES, SMALL = (0.5, 1.6), 0.25
"""A tile that was passed over is at least and at most so many times as large as the sure ones; of one that was doubted
less may be seen."""
FREE = 0.45
"""It covers so much of another at most."""
MERGED = 1.6
"""A doubted outline that is so many times as large as those around it may hold two tiles."""
ROUNDS = 3
"""How often places are looked for beside those found last."""


@dataclass(frozen=True)
class Found:
    """The best of some outlines of one place: corners from the tile's own top left, its class, how like a shown tile
    it is (a cosine, less for one cut short), how much more than like any other, and whether it is whole."""

    corners: Floats
    tile: int
    like: float
    apart: float
    whole: bool

    @property
    def certain(self) -> bool:
        """Is there no doubt that it is this tile?"""
        return self.whole and self.like >= SURE_LIKE and self.apart >= SURE_APART


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
    told, fresh = list(looks), [look for look in looks if _sure(look)]
    places = list(passed)
    height, width = pixels.shape[:2]
    for _ in range(ROUNDS):
        solid = [k.corners for k in told if _sure(k) or abs(area(k.corners)) < MERGED * usual]
        near = sharpen(networks[0], pixels, [q for look in fresh for q in beside(look.corners)])
        places = [
            (q, seen)
            for q, seen in [*places, *((q, False) for q in near)]
            if SIZES[0] < abs(area(q)) / usual < SIZES[1]
            and (q.mean(0) > 0).all()
            and (q.mean(0) < [width, height]).all()
            and all(covered(q, other) < FREE for other in solid)
        ]
        ideas = [_outlines(networks[0], pixels, q) if seen else [q] for q, seen in places]
        found = best_of(networks[1], pixels, ideas, classes, shown)
        clear = [
            f
            for f, (_, seen) in zip(found, places, strict=True)
            if f
            and classes[f.tile] not in PLAIN
            and f.like >= (LIKE if seen else NEW_LIKE)
            and f.apart >= (SEEN_APART if seen else NEW_APART)
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


def _roomy(found: Found, looks: Sequence[Look], own: int) -> bool:
    return all(k == own or covered(found.corners, look.corners) < 0.5 for k, look in enumerate(looks))


def beside(quad: Floats) -> list[Floats]:
    """The outlines (4, 2) of neighbours that touch this one on the left and on the right."""
    right = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    return [quad + right, quad - right]


def _outlines(refiner: Network, pixels: NDArray[np.uint8], quad: Floats) -> list[Floats]:
    """What else a doubted outline may be: itself, larger ones drawn to what they hold, and a little more or less of
    each side."""
    near = [moved(quad, side, share) for side in range(4) for share in (-0.15, 0.15)]
    return [quad, *sharpen(refiner, pixels, larger(quad), 1), *near]


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
    both = classifier.run(np.concatenate([crops, crops[:, ::-1, ::-1]]))[2].astype(np.float64)
    whole, cut = shown(both)
    found: list[Found | None] = []
    first = 0
    for outlines in ideas:
        span = [*range(first, first + len(outlines)), *range(first + len(flat), first + len(flat) + len(outlines))]
        found.append(_best(flat, span, whole, cut) if outlines else None)
        first += len(outlines)
    return found


def _best(quads: Sequence[Floats], span: Sequence[int], whole: Floats, cut: Floats) -> Found:
    likes = np.maximum(whole[span], cut[span] - CUT)
    row, tile = divmod(int(likes.argmax()), likes.shape[1])
    others = np.delete(likes, tile, axis=1)
    at = span[row]
    quad = quads[at % len(quads)]
    return Found(
        turned(quad, 2) if at >= len(quads) else quad,
        tile,
        float(likes[row, tile]),
        float(likes[row, tile] - others.max()),
        bool(whole[at, tile] >= cut[at, tile] - CUT),
    )
