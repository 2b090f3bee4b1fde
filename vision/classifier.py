"""Which tile is it, and where is its top?

A quadrilateral is cut out upright and looked at; if its top then seems to be elsewhere it is turned and looked at
again. Probabilities are calibrated by the temperature that the export measured on held-out sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, rectify, sides, turned
from vision.network import Network
from vision.result import Problem

SIZE = (48, 64)
MARGIN = 1.12


@dataclass(frozen=True)
class Look:
    """What the classifier says of one quadrilateral: corners (4, 2) from the tile's own top left, and a probability for
    each of the network's classes. `doubt`: why it is doubted however sure it is, None for no such reason."""

    corners: Floats
    probabilities: Floats
    doubt: Problem | None = None


def classify(network: Network, pixels: NDArray[np.uint8], quads: list[Floats]) -> list[Look]:
    """Look at quadrilaterals (4, 2) in pixels of `pixels`."""
    if not quads:
        return []
    upright = [turned(q, 1) if sides(q)[0] > sides(q)[1] * 1.02 else q for q in quads]
    first, ways = _see(network, pixels, upright)
    way = ways.argmax(1)
    again = [k for k in range(len(quads)) if way[k]]
    corners = [turned(q, int(w)) for q, w in zip(upright, way, strict=True)]
    scores = first.copy()
    if again:
        second, second_ways = _see(network, pixels, [corners[k] for k in again])
        for place, k in enumerate(again):
            if way[k] == 2:
                scores[k] = (first[k] + second[place]) / 2
            elif second_ways[place][0] >= ways[k][0]:
                scores[k] = second[place]
            else:  # turned on its side it looks no better: stay with the first look
                corners[k] = upright[k]
    temperature = float(network.metadata.get("temperature", "1"))
    scaled = scores / temperature
    scaled = np.exp(scaled - scaled.max(1, keepdims=True))
    probabilities = scaled / scaled.sum(1, keepdims=True)
    return [Look(c, p) for c, p in zip(corners, probabilities, strict=True)]


def _see(network: Network, pixels: NDArray[np.uint8], quads: list[Floats]) -> tuple[Floats, Floats]:
    """Class logits (n, classes) and direction probabilities (n, 4) of one look."""
    crops = np.stack([rectify(pixels, q, SIZE, MARGIN) for q in quads])
    logits, directions = network.run(crops)[:2]
    ways = np.exp(directions - directions.max(1, keepdims=True)).astype(np.float64)
    return logits.astype(np.float64), ways / ways.sum(1, keepdims=True)
