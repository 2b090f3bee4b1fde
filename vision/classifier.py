"""Which tile is it, and where is its top?

A quadrilateral is cut out upright and looked at; if its top then seems to be elsewhere it is turned and looked at
again. Probabilities are calibrated by the temperature that the export measured on held-out sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, rectify, sides, turned
from vision.light import brightened, out_of_shadow
from vision.network import Network
from vision.result import Problem

SIZE = (48, 64)
MARGIN = 1.12


@dataclass(frozen=True)
class Look:
    """What the classifier says of one quadrilateral: corners (4, 2) from the tile's own top left, and a probability for
    each of the network's classes. `doubt`: why it is doubted however sure it is, None for no such reason. `evidence`
    compares outlines of one tile: the logarithm of the best probability."""

    corners: Floats
    probabilities: Floats
    doubt: Problem | None = None
    evidence: float = 0.0


def classify(network: Network, pixels: NDArray[np.uint8], quads: list[Floats]) -> list[Look]:
    """Look at quadrilaterals (4, 2) in pixels of `pixels`. A tile in a shadow is looked at as it is and as it would be
    in the sun: where the two do not agree it is doubtful."""
    looks = _classified(network, pixels, quads, [1.0] * len(quads))
    gains = out_of_shadow(pixels, [look.corners for look in looks])
    shaded = [k for k, gain in enumerate(gains) if gain != 1]
    sunny = _classified(network, pixels, [looks[k].corners for k in shaded], [gains[k] for k in shaded])
    for k, look in zip(shaded, sunny, strict=True):
        looks[k] = _both(looks[k], look)
    return looks


def _both(one: Look, other: Look) -> Look:
    """What two looks at one tile say together."""
    probabilities = (one.probabilities + other.probabilities) / 2
    surer = max(one, other, key=lambda look: look.evidence)
    return replace(surer, probabilities=probabilities, evidence=float(np.log(probabilities.max())))


def _classified(network: Network, pixels: NDArray[np.uint8], quads: list[Floats], gains: list[float]) -> list[Look]:
    """Look at quadrilaterals, each so many times as bright as it is."""
    if not quads:
        return []
    standing = [upright(q) for q in quads]
    first, ways = _see(network, pixels, standing, gains)
    way = ways.argmax(1)
    again = [k for k in range(len(quads)) if way[k]]
    corners = [turned(q, int(w)) for q, w in zip(standing, way, strict=True)]
    scores = first.copy()
    if again:
        second, second_ways = _see(network, pixels, [corners[k] for k in again], [gains[k] for k in again])
        for place, k in enumerate(again):
            if way[k] == 2:
                scores[k] = (first[k] + second[place]) / 2
            elif second_ways[place][0] >= ways[k][0]:
                scores[k] = second[place]
            else:  # turned on its side it looks no better: stay with the first look
                corners[k] = standing[k]
    probabilities = np.exp(_logarithms(scores))
    return [Look(c, p, None, float(s.max())) for c, p, s in zip(corners, probabilities, scores, strict=True)]


def upright(quad: Floats) -> Floats:
    """The quadrilateral with its long side upright, where one side is plainly longer."""
    width, height = sides(quad)
    return turned(quad, 1) if width > height * 1.02 else quad


def _see(network: Network, pixels: NDArray[np.uint8], quads: list[Floats], gains: list[float]) -> tuple[Floats, Floats]:
    """Logarithms of class probabilities (n, classes) and direction probabilities (n, 4) of one look."""
    crops = np.stack([brightened(rectify(pixels, q, SIZE, MARGIN), g) for q, g in zip(quads, gains, strict=True)])
    outputs = network.run(crops)
    temperature = float(network.metadata.get("temperature", "1"))
    scores = _logarithms(outputs[0].astype(np.float64) / temperature)
    return scores, np.exp(_logarithms(outputs[1].astype(np.float64)))


def _logarithms(logits: Floats) -> Floats:
    """Logits (n, k) as logarithms of probabilities."""
    below = logits - logits.max(1, keepdims=True)
    return below - np.log(np.exp(below).sum(1, keepdims=True))
