"""A photograph taken at dusk, in haze or by lamplight is looked at as daylight would have shown it.

The networks learned from photographs in which tiles are nearly white and their print is dark, as phones make them in
good light. Tiles are white: where those that were found are not, they say what the light was, and the channels of the
picture are stretched until they are. A tile on which a shadow falls is looked at as if it lay in the sun, too."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, rectify

Light = NDArray[np.uint8]
"""What becomes of each value of each channel, (1, 256, 3)."""

DIM, TINTED, HAZY = 150.0, 1.35, 100.0
"""Tiles darker than DIM, one channel of them TINTED times as bright as another, or print brighter than HAZY: only then
is the light made good."""
COLOURED = 2.5
"""No lamp tints a white tile so much: these are backs."""
WHITE, INK = 210.0, 40.0
"""How bright tiles and their print become."""
STRONGEST = 8.0
"""No channel is stretched by more: what is left in the darkest pictures is noise."""
BODY = 0.8
"""Most of a tile is its white body, and so much of it is no brighter than that."""
FEWEST, MOST = 3, 40
"""From fewer tiles nothing is concluded, and more than so many need not be asked."""
SAMPLE, INSIDE = (9, 12), 0.9
"""A tile is looked at in so many pixels, without its rim."""
BLACK, GREY = 40.0, 1.5
"""Darker than BLACK, or one channel GREY times as bright as another, a tile is no white one in a shadow."""


def daylight(pixels: NDArray[np.uint8], quads: Sequence[Floats]) -> Light | None:
    """The stretch that makes these tiles (4, 2) of a picture (h, w, 3) BGR as daylight would show them; None where
    they are already, are too few to tell, or are coloured themselves."""
    if len(quads) < FEWEST:
        return None
    tiles = _samples(pixels, quads[:MOST])
    bodies = np.quantile(tiles, BODY, axis=1)
    brighter = np.argsort(bodies.mean(1))[len(bodies) // 2 :]  # the others may show backs, or lie in shadow
    white, ink = np.median(bodies[brighter], axis=0), np.quantile(tiles.reshape(-1, 3), 0.03, axis=0)
    tint = float(white.max() / max(white.min(), 1))
    if tint > COLOURED or (white.mean() > DIM and tint < TINTED and ink.mean() < HAZY):
        return None
    ink = np.minimum(ink, ink.mean())
    gain = np.minimum((WHITE - INK) / np.maximum(white - ink, 1), STRONGEST)
    stretched = (np.arange(256)[:, None] - ink) * gain + INK
    return np.asarray(np.clip(stretched, 0, 255)[None], np.uint8)


def lit(pixels: NDArray[np.uint8], light: Light | None) -> NDArray[np.uint8]:
    """The picture in that light."""
    return pixels if light is None else np.asarray(cv2.LUT(pixels, light), np.uint8)


def out_of_shadow(pixels: NDArray[np.uint8], quads: Sequence[Floats]) -> list[float]:
    """How many times as bright each tile (4, 2) of a picture that is lit well would be if no shadow lay on it: 1 where
    none seems to."""
    if not quads:
        return []
    bodies = np.quantile(_samples(pixels, quads), BODY, axis=1)
    bright = bodies.mean(1)
    shaded = (bright > BLACK) & (bright < DIM) & (bodies.max(1) < GREY * bodies.min(1))
    return [float(WHITE / b) if s else 1.0 for b, s in zip(bright, shaded, strict=True)]


def _samples(pixels: NDArray[np.uint8], quads: Sequence[Floats]) -> Floats:
    """Some pixels of each tile: (n, pixels, 3)."""
    return np.array([rectify(pixels, quad, SAMPLE, INSIDE).reshape(-1, 3) for quad in quads], np.float64)


def brightened(pixels: NDArray[np.uint8], gain: float) -> NDArray[np.uint8]:
    """The pixels so many times as bright."""
    return pixels if gain == 1 else np.asarray(np.clip(pixels * gain, 0, 255), np.uint8)
