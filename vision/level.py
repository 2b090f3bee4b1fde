"""A photograph held askew is levelled before its tiles are looked for again.

The finder has learned mostly from photographs whose rows lie level and does worse on others. Once some tiles are found
their own direction says how the photograph was held."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, sides

AGREED = 0.75
"""How much the tiles must agree on their direction, 0 (all ways) to 1 (all the same)."""
LEAST = math.radians(9)
"""A photograph that is tilted less is level enough."""


def tilt(quads: list[Floats]) -> float:
    """By how much the photograph must be turned (radians, clockwise on the screen positive, a quarter turn at most) so
    that the tiles' long sides stand upright; 0 when they do already, or point all ways."""
    doubled: list[complex] = []
    for quad in quads:
        width, height = sides(quad)
        along = quad[3] + quad[2] - quad[0] - quad[1] if height >= width else quad[1] + quad[2] - quad[0] - quad[3]
        if max(width, height) > 1.12 * min(width, height):
            angle = 2 * math.atan2(along[1], along[0])
            doubled.append(complex(math.cos(angle), math.sin(angle)))
    if len(doubled) < 3:
        return 0.0
    mean = sum(doubled) / len(doubled)
    if abs(mean) < AGREED:
        return 0.0
    direction = math.atan2(mean.imag, mean.real) / 2  # of the long sides, -90 to 90 degrees from the x axis
    turn = (math.pi / 2 - direction + math.pi / 2) % math.pi - math.pi / 2
    return turn if abs(turn) > LEAST else 0.0


def levelled(pixels: NDArray[np.uint8], turn: float) -> tuple[NDArray[np.uint8], Floats]:
    """The photograph turned by `turn` on a canvas that holds all of it, and the affine (2, 3) from its pixels back to
    those of `pixels`."""
    height, width = pixels.shape[:2]
    c, s = math.cos(turn), math.sin(turn)
    w, h = math.ceil(width * abs(c) + height * abs(s)), math.ceil(width * abs(s) + height * abs(c))
    linear = np.array([[c, -s], [s, c]])
    shift = np.array([w, h]) / 2 - linear @ np.array([width, height]) / 2
    forward = np.hstack([linear, (shift + linear @ np.full(2, 0.5) - 0.5)[:, None]])
    edge = pixels[:: max(1, height // 64), :: max(1, width // 64)].reshape(-1, 3).mean(0)
    turned = cv2.warpAffine(pixels, forward, (w, h), flags=cv2.INTER_LINEAR, borderValue=tuple(float(v) for v in edge))
    return np.asarray(turned, np.uint8), np.hstack([linear.T, (-linear.T @ shift)[:, None]])


def carried(quad: Floats, affine: Floats) -> Floats:
    """A quadrilateral (4, 2) moved by an affine (2, 3)."""
    return quad @ affine[:, :2].T + affine[:, 2]
