"""Photographs for the journeys: hands laid out on a table that the project renders, in the app's own faces.

These faces need no font, so every machine sees the same pixels. A hand is written as in `datasets.samples`."""

from __future__ import annotations

from pathlib import Path

import cv2

from datasets.samples import photograph, tiles_of
from datasets.scenes import FaceSet
from ui.picture import face

FACE = 120
"""Pixels that a face is wide before it is laid on the table."""


def faces_of(rows: list[str]) -> FaceSet:
    """The app's own face of every tile in these rows."""
    shown = set(tiles_of(rows)) - {"back"}
    return {tile: [cv2.cvtColor(face(tile, FACE), cv2.COLOR_BGR2RGBA)] for tile in shown}


def photographed(rows: list[str], seed: int, folder: Path) -> Path:
    """A photograph of the hand in these rows; `seed` chooses the table, the light and the camera."""
    path = folder / f"table-{seed}.jpg"
    pixels = photograph(rows, [faces_of(rows)], seed).pixels
    assert pixels is not None
    assert cv2.imwrite(str(path), pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return path
