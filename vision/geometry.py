"""Quadrilaterals and the one description of a tile's place that has no jumps.

A corner list jumps when a tile is turned (which corner is first?), so the finder never regresses corners. It describes
a tile by the second moments of its area, a symmetric 2×2 matrix that turns smoothly with the tile and is the same after
half a turn. Of that matrix the logarithm is used, because then growing by a factor is adding a number:

    size    = (log λ₁ + log λ₂) / 2            λ₁ ≥ λ₂ are the moments along the long and the short side, in px²
    long_c  = (log λ₁ - log λ₂) / 2 · cos 2θ   θ is the direction of the long side
    long_s  = (log λ₁ - log λ₂) / 2 · sin 2θ

Coordinates are continuous: the first pixel reaches from 0 to 1, its middle is at 0.5.
A rectangle with half sides a, b has λ = a²/3, b²/3, which is how a place becomes a rectangle again."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""Corners of the square the refiner works in, clockwise from the upper left."""


_FRAME = np.array([[1, 1, 1, 1], [-1, 1, 1, -1], [-1, -1, 1, 1]]) / 4
"""A quadrilateral's middle, and half its mean side to the right and down, as sums of its corners."""
_TURNS = np.array([[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]])


def middle(quad: Floats) -> Floats:
    """The mean of the corners (4, 2)."""
    return np.add.reduce(quad, 0) / 4


def moments(quad: Floats) -> tuple[Floats, Floats]:
    """Centre (2,) and covariance (2, 2) of the parallelogram nearest to a quadrilateral (4, 2), in px and px²."""
    centre = quad.mean(0)
    along = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    return centre, (np.outer(along, along) + np.outer(down, down)) / 3


def log_moments(covariance: Floats) -> Floats:
    """(size, long_c, long_s) of a covariance in px²."""
    a, b, c = covariance[0, 0], covariance[0, 1], covariance[1, 1]
    mean, spread = (a + c) / 2, math.hypot((a - c) / 2, b)
    large, small = mean + spread, max(mean - spread, 1e-6)
    twice = math.atan2(b, (a - c) / 2)
    half = (math.log(large) - math.log(small)) / 2
    return np.array([(math.log(large) + math.log(small)) / 2, half * math.cos(twice), half * math.sin(twice)])


def rectangle(centre: Floats, place: Floats) -> Floats:
    """The rectangle (4, 2) with a centre and (size, long_c, long_s), long side upright as far as that is possible:
    the first two corners are its upper short side, clockwise."""
    size, long_c, long_s = place.tolist()
    half, theta = math.hypot(long_c, long_s), math.atan2(long_s, long_c) / 2
    long, short = (math.sqrt(3 * math.exp(size + sign * half)) for sign in (1, -1))
    dx, dy = math.cos(theta), math.sin(theta)
    if dy < 0 or (abs(dy) < 1e-9 and dx > 0):
        dx, dy = -dx, -dy
    (x, y), (across_x, across_y), (down_x, down_y) = centre.tolist(), (short * dy, -short * dx), (long * dx, long * dy)
    return np.array(
        [
            [x - across_x - down_x, y - across_y - down_y],
            [x + across_x - down_x, y + across_y - down_y],
            [x + across_x + down_x, y + across_y + down_y],
            [x - across_x + down_x, y - across_y + down_y],
        ]
    )


def area(quad: Floats) -> float:
    """Signed area in px²: positive when the corners run clockwise on the screen (y down)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return 0.5 * ((ax - cx) * (by - dy) - (bx - dx) * (ay - cy))


def sides(quad: Floats) -> tuple[float, float]:
    """Mean width (first side and its opposite) and mean height of a quadrilateral, in px."""
    a, b, c, d = quad.tolist()
    return (math.dist(a, b) + math.dist(c, d)) / 2, (math.dist(a, d) + math.dist(b, c)) / 2


def overlap(a: Floats, b: Floats) -> float:
    """Shared area of two convex quadrilaterals over the area of both together, 0 to 1."""
    inside = shared(a, b)
    both = abs(area(a)) + abs(area(b)) - inside
    return inside / both if both > 0 else 0.0


def covered(a: Floats, b: Floats) -> float:
    """Shared area of two convex quadrilaterals over the smaller of them, 0 to 1."""
    inside = shared(a, b)
    return inside / max(min(abs(area(a)), abs(area(b))), 1e-6) if inside else 0.0


def shared(a: Floats, b: Floats) -> float:
    """The area of two convex quadrilaterals that is in both, in px²."""
    for one, other in zip(a.T.tolist(), b.T.tolist(), strict=True):  # most pairs lie apart, which costs little to see
        if max(one) <= min(other) or max(other) <= min(one):
            return 0.0
    return float(cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0])


def touching(quads: list[Floats]) -> NDArray[np.bool_]:
    """Which quadrilaterals (n) may share an area at all, because the upright boxes around them do, (n, n)."""
    many = np.array(quads).reshape(-1, 4, 2)
    low, high = many.min(1), many.max(1)
    return np.asarray((low[:, None] < high[None]).all(2) & (high[:, None] > low[None]).all(2))


def without_doubles(quads: list[Floats], most: float) -> list[int]:
    """The indices of those quadrilaterals, the surest first, that lie in no surer one by more than a share of `most`
    of the smaller of the two."""
    kept = [False] * len(quads)
    for k, near in enumerate(touching(quads)):
        surer = np.flatnonzero(near[:k]).tolist()
        kept[k] = not any(kept[other] and covered(quads[k], quads[other]) > most for other in surer)
    return [k for k, stays in enumerate(kept) if stays]


def to_photo(quad: Floats, margin: float, unit: Floats) -> Floats:
    """Corners in the refiner's square (±1 = the sides of `quad`'s parallelogram grown by `margin`) → photo pixels."""
    frame = _FRAME @ quad
    return frame[0] + (margin * unit) @ frame[1:]


def to_unit(quad: Floats, margin: float, points: Floats) -> Floats:
    """Inverse of `to_photo`."""
    centre = quad.mean(0)
    right = (quad[1] + quad[2] - quad[0] - quad[3]) / 4 * margin
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 4 * margin
    return (points - centre) @ np.linalg.inv(np.stack([right, down]))


def turned(quad: Floats, quarter_turns: int) -> Floats:
    """The same quadrilateral, another corner first: after one quarter turn the old upper right is the upper left."""
    return quad[_TURNS[quarter_turns % 4]]


def rectify(pixels: NDArray[np.uint8], quad: Floats, size: tuple[int, int], margin: float = 1.0) -> NDArray[np.uint8]:
    """Cut a quadrilateral out of a photograph as an upright crop (height, width, 3), `margin` as in `unit_to_quad`.

    The photograph is shrunk first where the tile is much larger than the crop, so that thin strokes do not alias."""
    width, height = size
    centre = middle(quad)
    grown = centre + (quad - centre) * margin
    w, h = sides(grown)
    step = int(min(w / width, h / height))
    if step >= 2:
        x0, y0 = np.floor(grown.min(0)).astype(int) - 2
        x1, y1 = np.ceil(grown.max(0)).astype(int) + 3
        x0, y0 = max(0, x0), max(0, y0)
        part = pixels[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
        if part.size and min(part.shape[:2]) >= step:
            small = cv2.resize(
                part, (max(1, part.shape[1] // step), max(1, part.shape[0] // step)), interpolation=cv2.INTER_AREA
            )
            factor = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]])
            grown = (grown - [x0, y0]) * factor
            pixels = small.astype(np.uint8)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((grown - 0.5).astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
