"""Perhaps only a part of the tile was grasped: half of a four of dots is a two of dots, to anybody.

Where the classifier is not quite sure, larger outlines are tried, grown all round or beyond one side; the refiner draws
each to the tile it then sees, and whichever outline makes the classifier surest is taken. An outline must hold what was
grasped before, so no neighbour is taken instead. Measured on sets never trained on, this mended two thirds of the
mistakes on turned photographs and spoilt none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.classifier import Look, classify
from vision.corners import cornered, placed
from vision.decoding import DOUBTFUL
from vision.geometry import Floats, area, covered, middle, shared, touching
from vision.network import Network
from vision.sizes import usual_sizes

SURE = 0.93
"""A tile that is surer than this is not tried again."""
GROWN, BEYOND = 1.5, 0.8
"""How much larger all round, and how far beyond one side, as a share of the tile's own length."""
HOLDS, LARGER, LARGEST = 0.85, 1.15, 3.2
"""An outline holds so much of the one before, and is so many times as large."""
WHOLE = 1.05
"""A tile that is so many times as large as those around it has nothing missing, and is not tried again."""
GIANT = 1.6
"""Nor is it so many times as large as the tiles around it: two of one dot are no two of dots."""
ROUNDS = 1
"""How often the corners of each try are looked for at most; more of it changes nothing measurable."""


def regrasped(
    refiner: Network,
    classifier: Network,
    pixels: NDArray[np.uint8],
    looks: Sequence[Look],
    classes: Sequence[str],
) -> list[tuple[int, Look]]:
    """The looks by their place, with a better outline wherever there is one; two that have become one tile are one."""
    none, back = classes.index("none"), classes.index("back")
    shown = [look.probabilities.argmax() != none for look in looks]
    doubtful = [k for k, look in enumerate(looks) if not shown[k] or look.probabilities.max() < SURE]
    if not doubtful:
        return list(enumerate(looks))
    usual = usual_sizes([look.corners for look in looks], shown)
    doubtful = [k for k in doubtful if not (shown[k] and _is_whole(looks[k].corners, usual[k]))]

    def fitting(tried: Iterable[tuple[int, Floats]]) -> list[tuple[int, Floats]]:
        return [(k, quad) for k, quad in tried if _fits(looks[k].corners, quad, usual[k])]

    rough = [(k, outline) for k in doubtful for outline in larger(looks[k].corners)]
    places = fitting(zip([k for k, _ in rough], placed(refiner, pixels, [quad for _, quad in rough]), strict=True))
    sharp = cornered(refiner, pixels, [quad for _, quad in places], ROUNDS)
    tried = fitting(zip([k for k, _ in places], sharp, strict=True))
    better = list(looks)
    seen = classify(classifier, pixels, [quad for _, quad in tried])
    for (k, _), look in zip(tried, seen, strict=True):
        if look.probabilities.argmax() in (none, back):
            continue
        if better[k].probabilities.argmax() == none:  # half a tile is none: only a sure face makes it one
            surer = look.probabilities.max() > DOUBTFUL
        else:
            surer = look.evidence > better[k].evidence
        if surer:
            better[k] = look
    changed = {k for k in doubtful if better[k] is not looks[k]}
    touches = touching([look.corners for look in better])
    return [(k, look) for k, look in enumerate(better) if not _double(k, better, changed, touches[k])]


def larger(quad: Floats) -> list[Floats]:
    """Larger outlines (4, 2) to try: grown all round, then beyond each side."""
    centre = middle(quad)
    outlines = [centre + (quad - centre) * GROWN]
    return outlines + [moved(quad, side, BEYOND) for side in range(4)]


def moved(quad: Floats, side: int, share: float) -> Floats:
    """The outline with one side moved out by a share of the length that way."""
    a, b, c, d = ((side + k) % 4 for k in range(4))
    other = quad.copy()
    other[a] += share * (quad[a] - quad[d])
    other[b] += share * (quad[b] - quad[c])
    return other


def _is_whole(quad: Floats, usual: tuple[float, float] | None) -> bool:
    return usual is not None and abs(area(quad)) > WHOLE * usual[0]


def _fits(before: Floats, after: Floats, usual: tuple[float, float] | None) -> bool:
    if usual and abs(area(after)) > GIANT * usual[0]:
        return False
    own = max(abs(area(before)), 1e-6)
    return shared(before, after) / own > HOLDS and LARGER < abs(area(after)) / own < LARGEST


def _double(k: int, looks: Sequence[Look], changed: set[int], touches: NDArray[np.bool_]) -> bool:
    """Does this look show a tile that a surer one shows too, now that one of the two has grown?"""
    return any(
        other != k
        and touches[other]
        and (k in changed or other in changed)
        and covered(looks[k].corners, looks[other].corners) > 0.5
        and (looks[other].evidence, -other) > (looks[k].evidence, -k)
        for other in range(len(looks))
    )
