"""From a rough rectangle to a tile's four corners.

The refiner network sees a tile cut out with some surroundings, always at the same size. First it sees an upright square
and says how the tile lies in it; then it sees the tile cut out straight, and says where the corners are, until they
stay. It sees the tile standing on another side each time: its errors are then others too, and the mean of the last two
answers is better than either."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.geometry import UNIT, Floats, area, middle, rectangle, rectify, sides, to_photo, turned

SIZE = 48
MARGIN = 1.6
LEAST, MOST = 3, 6
"""How often the corners of a tile are looked for."""
STEADY = 0.1
"""Corners that have moved by less, in short sides, are not looked for again."""
ASTRAY = 0.7
"""Corners that have gone so far, in short sides, since the second time and will not stay have lost their tile."""


class Runs(Protocol):
    """What runs the refiner: uint8 crops (n, 48, 48, 3) → corners (n, 4, 2) and places (n, 5) in squares of ±1."""

    def run(self, pictures: NDArray[np.uint8]) -> list[NDArray[np.float32]]: ...


def sharpen(network: Runs, pixels: NDArray[np.uint8], rough: list[Floats], most: int = MOST) -> list[Floats]:
    """Corners (4, 2) for rough rectangles (4, 2) at any tilt, in pixels of `pixels`, clockwise, the upper short side
    first as far as there is one. Where the network says something that no tile can be, the rectangle stays. `most`: how
    often they are looked for."""
    return cornered(network, pixels, placed(network, pixels, rough), most)


def placed(network: Runs, pixels: NDArray[np.uint8], rough: list[Floats]) -> list[Floats]:
    """The first step of `sharpen`: rectangles that lie as the tiles do."""
    if not rough:
        return []
    squares = [middle(q) + UNIT * math.sqrt(abs(area(q))) / 2 for q in rough]
    places = network.run(_cut(pixels, squares))[1].astype(np.float64)
    return [
        _accept(q, to_photo(s, MARGIN, rectangle(p[:2], p[2:]))) for q, s, p in zip(rough, squares, places, strict=True)
    ]


def cornered(network: Runs, pixels: NDArray[np.uint8], quads: list[Floats], most: int = MOST) -> list[Floats]:
    """The second step of `sharpen`: the corners of tiles that nearly fill their rectangles, looked for `most` times at
    most. Those of the second time are kept where they would go astray afterwards, as they do on photographs that are
    stretched beyond all that the network has learned."""
    quads = list(quads)
    second: dict[int, Floats] = {}
    moving = list(range(len(quads)))
    for n in range(most):
        if not moving:
            break
        before = [quads[k] for k in moving]
        still: list[int] = []
        for k, old, new in zip(moving, before, _seen(network, pixels, before, n), strict=True):
            if n == 1:
                second[k] = (old + new) / 2
            rests = n + 1 >= LEAST and _moved(old, new) <= STEADY
            quads[k] = (old + new) / 2 if rests else new
            if not rests:
                still.append(k)
        moving = still
    for k in moving:
        if k in second and _moved(second[k], quads[k]) > ASTRAY:
            quads[k] = second[k]
    return quads


def _seen(network: Runs, pixels: NDArray[np.uint8], quads: list[Floats], side: int) -> list[Floats]:
    """Where the network sees the corners when a tile stands on one of its four sides."""
    frames = [turned(q, side) for q in quads]
    corners = network.run(_cut(pixels, [_parallelogram(q) for q in frames]))[0].astype(np.float64)
    return [turned(_accept(q, to_photo(q, MARGIN, c)), -side) for q, c in zip(frames, corners, strict=True)]


def _moved(before: Floats, after: Floats) -> float:
    """How far corners have gone on average, in short sides."""
    return float(np.linalg.norm(after - before, axis=1).mean()) / max(min(sides(before)), 1e-6)


def _cut(pixels: NDArray[np.uint8], quads: list[Floats]) -> NDArray[np.uint8]:
    return np.stack([rectify(pixels, q, (SIZE, SIZE), MARGIN) for q in quads])


def _parallelogram(quad: Floats) -> Floats:
    return to_photo(quad, 1.0, UNIT)


def _accept(before: Floats, after: Floats) -> Floats:
    edges = turned(after, 1) - after
    following = turned(edges, 1)
    convex = bool((edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] > 0).all())
    ratio = abs(area(after)) / max(abs(area(before)), 1e-6)
    return after if convex and 0.3 < ratio < 3.0 else before
