"""From a rough rectangle to a tile's four corners.

The refiner network sees a tile cut out by its rough rectangle with some surroundings, always at the same size, and says
where the corners are in that cut. Run twice, the second cut is already nearly right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.geometry import UNIT, Floats, area, rectify, to_photo
from vision.network import Network

SIZE = 48
MARGIN = 1.6
ROUNDS = 2


def sharpen(network: Network, pixels: NDArray[np.uint8], rough: list[Floats]) -> list[Floats]:
    """Corners (4, 2) for rough rectangles (4, 2), in pixels of `pixels`, in the rectangles' order of corners. Where the
    network says something that no tile can be, the rectangle stays."""
    quads = list(rough)
    for _ in range(ROUNDS if quads else 0):
        crops = np.stack([rectify(pixels, _parallelogram(q), (SIZE, SIZE), MARGIN) for q in quads])
        found = network.run(crops)[0].astype(np.float64)
        quads = [_accept(q, to_photo(q, MARGIN, u)) for q, u in zip(quads, found, strict=True)]
    return quads


def _parallelogram(quad: Floats) -> Floats:
    return to_photo(quad, 1.0, UNIT)


def _accept(before: Floats, after: Floats) -> Floats:
    edges = np.roll(after, -1, axis=0) - after
    following = np.roll(edges, -1, axis=0)
    convex = bool((edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] > 0).all())
    ratio = abs(area(after)) / max(abs(area(before)), 1e-6)
    return after if convex and 0.3 < ratio < 3.0 else before
