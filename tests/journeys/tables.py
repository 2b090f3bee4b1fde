"""Photographs for the journeys: hands laid out on a table that the project renders, in the app's own faces.

These faces need no font, so every machine sees the same pixels. A hand is written as in `datasets.samples`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.samples import photograph, tiles_of
from datasets.scenes import FaceSet
from ui.picture import face

FACE = 120
"""Pixels that a face is wide before it is laid on the table."""


def faces_of(rows: list[str]) -> FaceSet:
    """The app's own face of every tile in these rows."""
    shown = set(tiles_of(rows)) - {"back"}
    return {tile: [cv2.cvtColor(face(tile, FACE), cv2.COLOR_BGR2RGBA)] for tile in shown}


def photographed(rows: list[str], seed: int, folder: Path, *, under_a_thumb: str = "", blur: float = 0) -> Path:
    """A photograph of the hand in these rows; `seed` chooses the table, the light and the camera.

    under_a_thumb: the lower third of the first such tile is covered. blur: the standard deviation in pixels."""
    path = folder / f"table-{seed}.jpg"
    scene = photograph(rows, [faces_of(rows)], seed)
    pixels = scene.pixels
    assert pixels is not None
    if under_a_thumb:
        a, b, c, d = next(np.array(mark.corners) for mark in scene.marks if mark.tile == under_a_thumb)
        wide, down = b - a, d - a
        thumb = [a + 0.65 * down + 0.05 * wide, b + 0.65 * down - 0.05 * wide, c + 1.6 * down, d + 1.6 * down]
        cv2.fillConvexPoly(pixels, np.array(thumb).astype(np.int32), (120, 150, 205), cv2.LINE_AA)
    if blur:
        pixels = cv2.GaussianBlur(pixels, (0, 0), blur)
    assert cv2.imwrite(str(path), pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return path
