"""A photograph with what was read drawn over it: an outline and a code for every tile, doubtful ones amber with `?`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vision.result import UNKNOWN, PhotoError, Reading


def write_overlay(pixels: Any, reading: Reading, path: Path) -> None:
    """Draw on a copy of `pixels` (H x W x 3 uint8, BGR, upright, at any scale) and write it to `path`.

    Raises PhotoError when the file cannot be written."""
    import cv2
    import numpy as np

    picture = pixels.copy()
    scale = picture.shape[1] / reading.width
    side = max(picture.shape[:2])
    thick, size = max(2, side // 600), max(0.5, side / 1600)
    for tile in reading.tiles:
        doubtful = bool(tile.doubt) or tile.tile == UNKNOWN
        colour = (0, 163, 245) if doubtful else (138, 211, 25)
        corners = (np.array(tile.corners) * scale).round().astype(np.int32)
        cv2.polylines(picture, [corners], True, (0, 0, 0), thick + 2, cv2.LINE_AA)
        cv2.polylines(picture, [corners], True, colour, thick, cv2.LINE_AA)
        code = tile.tile + ("?" if doubtful and tile.tile != UNKNOWN else "")
        where = (int(corners[:, 0].mean()) - int(12 * size * len(code)), int(corners[:, 1].min()) - 4)
        for ink, width in (((0, 0, 0), thick + 2), (colour, thick)):
            cv2.putText(picture, code, where, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
    try:
        written = cv2.imwrite(str(path), picture)
    except (OSError, cv2.error):
        written = False
    if not written:
        raise PhotoError(
            f"The picture with outlines cannot be written to {path}: "
            "give a name that ends in .jpg or .png, in a folder that is there."
        )
