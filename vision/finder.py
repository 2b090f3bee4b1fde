"""Where are tiles? The finder network looks at the photograph in a size at which tiles are 16 to 60 pixels wide.

It looks once at a fixed size. Where it is sure of hardly any tile it looks at twice and at half that size, for a whole
table or a tile that fills the picture; where the tiles turn out too small or too large for it, it looks once more at
the size that suits them. What it gives is a rectangle for each tile; `vision.corners` makes exact corners of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import geometry
from vision.geometry import Floats, area, rectangle, sides
from vision.network import Network

STRIDE, COARSEST = 4, 32
"""One cell of the network's answer, and of its coarsest map, is a square of so many pixels."""
PLACE_UNIT = 16.0**2
"""The finder's log moments are those of areas measured in squares of 16 px."""
LONG_SIDE = 640
SMALL, LARGE, IDEAL = 15.0, 62.0, 30.0
"""Short side of tiles, in pixels of the looked-at size: below SMALL or above LARGE a second look makes it IDEAL."""
SMALL_WITH_DETAIL = 20.0
"""The same as SMALL where the photograph shows more than was looked at."""
LARGEST_LOOK = 1920
FEW = 4
"""Sure of fewer tiles than this, the finder looks at other sizes too."""
TALL, ASPECT, MOST_SQUEEZED = 1.8, 1.4, 0.3
"""Tiles more than TALL times as long as wide are squeezed to ASPECT, but no side of the photograph below this:
the network overrates how long such tiles are."""
THRESHOLD = 0.30
SAME = 0.40
"""Two rectangles of which the smaller lies so far inside the other are one tile."""


@dataclass(frozen=True)
class TileBox:
    """A rectangle (4, 2) around a tile in photo pixels, long side upright as far as possible, and how sure, 0 to 1."""

    corners: Floats
    score: float


def decode(output: NDArray[np.float32], threshold: float) -> tuple[Floats, Floats, Floats]:
    """The network's map (6, h, w) → centres (n, 2) in px of the looked-at picture, places (n, 3) (size, long_c, long_s
    in px²), scores (n,), best first. Only cells that no neighbour exceeds count."""
    score = 1 / (1 + np.exp(-output[0].astype(np.float64)))
    highest = cv2.dilate(score, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((score >= threshold) & (score >= highest))
    order = np.argsort(-score[ys, xs])[:400]
    ys, xs = ys[order], xs[order]
    values = output[:, ys, xs].astype(np.float64)
    centres = np.stack([(xs + 0.5 + values[1]) * STRIDE, (ys + 0.5 + values[2]) * STRIDE], axis=1)
    places = values[3:6].T.copy()
    places[:, 0] += np.log(PLACE_UNIT)
    return centres, places, score[ys, xs]


def unstretched(pixels: NDArray[np.uint8], boxes: list[TileBox]) -> NDArray[np.uint8] | None:
    """The photograph squeezed until its tiles are as wide as tiles are, None if they are already (or point all ways).

    A photograph taken from very low, or stretched by somebody, shows tiles three times as long as wide; the networks
    have learned tiles up to about twice."""
    sure = [b for b in boxes if b.score > 0.4] or boxes
    if len(sure) < 3:
        return None
    spreads: list[Floats] = []
    for box in sure:
        along, down = (box.corners[1] - box.corners[0]) / 2, (box.corners[3] - box.corners[0]) / 2
        spreads.append((np.outer(along, along) + np.outer(down, down)) / max(abs(area(box.corners)) / 4, 1e-6))
    spread = np.median(spreads, axis=0)  # a shelf of books behind the tiles is no stretched photograph
    x, y = float(np.sqrt(spread[0, 0])), float(np.sqrt(spread[1, 1]))
    if abs(spread[0, 1]) > 0.4 * max(spread[0, 0], spread[1, 1]) or not (y / x > TALL or x / y > TALL):
        return None
    height, width = pixels.shape[:2]
    squeeze = [min(1.0, max(MOST_SQUEEZED, ASPECT * r)) for r in (y / x, x / y)]
    size = (max(64, round(width * squeeze[0])), max(64, round(height * squeeze[1])))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def look(network: Network, pixels: NDArray[np.uint8], scale: float, threshold: float = THRESHOLD) -> list[TileBox]:
    """One look at the photograph shrunk (or grown) by `scale`: its rectangles, doubles removed, in photo pixels."""
    height, width = pixels.shape[:2]
    w, h = (max(1, round(side * scale / COARSEST)) * COARSEST for side in (width, height))
    small = cv2.resize(pixels, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    output = network.run(np.asarray(small, np.uint8)[None])[0][0]
    centres, places, scores = decode(output, threshold)
    back = np.array([width / w, height / h])
    boxes: list[TileBox] = []
    for centre, place, score in zip(centres, places, scores, strict=True):
        quad = rectangle(centre, place) * back
        boxes.append(TileBox(quad, float(score)))
    return without_doubles(boxes)


def without_doubles(boxes: list[TileBox]) -> list[TileBox]:
    """Of rectangles that lie in each other only the surest."""
    surest = sorted(boxes, key=lambda b: -b.score)
    return [surest[k] for k in geometry.without_doubles([b.corners for b in surest], SAME)]


def find(network: Network, pixels: NDArray[np.uint8], threshold: float = THRESHOLD) -> list[TileBox]:
    """The tiles of an upright photograph (h, w, 3) BGR, surest first."""
    long_side = max(pixels.shape[:2])
    scale = LONG_SIDE / long_side
    boxes = look(network, pixels, scale, threshold)
    if len(_sure(boxes)) < FEW:
        for other in (2 * scale, scale / 2):
            again = look(network, pixels, other, threshold) if other <= 1 else []
            if len(_sure(again)) > len(_sure(boxes)):
                boxes, scale = again, other
    sure = _sure(boxes) or boxes
    if not sure:
        return []
    size = float(np.median([min(sides(b.corners)) for b in sure])) * scale
    if (SMALL if scale > 0.8 else SMALL_WITH_DETAIL) <= size <= LARGE:
        return boxes
    better = min(scale * IDEAL / size, LARGEST_LOOK / long_side)
    again = look(network, pixels, better, threshold)
    return again if len(again) >= 0.6 * len(sure) else boxes


def _sure(boxes: list[TileBox]) -> list[TileBox]:
    return [b for b in boxes if b.score > 0.5]
