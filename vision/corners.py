"""From a rough rectangle to a tile's four corners.

The refiner network sees a tile cut out with some surroundings, always at the same size. First it sees an upright square
and says how the tile lies in it; then it sees the tile cut out straight, twice, and says where the corners are."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.geometry import UNIT, Floats, area, middle, rectangle, rectify, sides, to_photo, turned

SIZE = 48
MARGIN = 1.6
ROUNDS = 2
STILL = 0.1
"""Corners that have moved by less, in short sides, are not looked at again."""


class Runs(Protocol):
    """What runs the refiner: uint8 crops (n, 48, 48, 3) → corners (n, 4, 2) and places (n, 5) in squares of ±1."""

    def run(self, pictures: NDArray[np.uint8]) -> list[NDArray[np.float32]]: ...


def sharpen(network: Runs, pixels: NDArray[np.uint8], rough: list[Floats], rounds: int = ROUNDS) -> list[Floats]:
    """Corners (4, 2) for rough rectangles (4, 2) at any tilt, in pixels of `pixels`, clockwise, the upper short side
    first as far as there is one. Where the network says something that no tile can be, the rectangle stays."""
    if not rough:
        return []
    squares = [middle(q) + UNIT * math.sqrt(abs(area(q))) / 2 for q in rough]
    places = network.run(_cut(pixels, squares))[1].astype(np.float64)
    quads = [
        _accept(q, to_photo(s, MARGIN, rectangle(p[:2], p[2:]))) for q, s, p in zip(rough, squares, places, strict=True)
    ]
    moving = list(range(len(quads)))
    for _ in range(rounds):
        if not moving:
            break
        cut = _cut(pixels, [_parallelogram(quads[k]) for k in moving])
        corners = network.run(cut)[0].astype(np.float64)
        before = [quads[k] for k in moving]
        for k, c in zip(moving, corners, strict=True):
            quads[k] = _accept(quads[k], to_photo(quads[k], MARGIN, c))
        moving = [k for k, old in zip(moving, before, strict=True) if _moved(old, quads[k]) > STILL]
    return quads


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
