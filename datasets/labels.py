"""One labelled photograph, whatever format it came from.

Every reader makes `LabelledPhoto`s and every writer takes them; nothing else in the project knows a file format. A
mark is a quadrilateral: corners in pixels, clockwise from the tile's own top left when `upright` is known, from the
upper left of the picture when the source gave an upright box only."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Mark:
    """One tile in a photograph.

    tile: its code (`5p`, `back`, …).
    corners: float array (4, 2), x and y in pixels.
    exact: True when the corners are the tile's own; False for an upright box around a tile of unknown tilt.
    upright: True when the first corner is known to be the tile's own top left.
    ignored: True when the tile is too hidden or too slanted to be asked for; training and measures leave it out.
    by_reader: True when no annotator boxed it but the project's own reader is sure of it; measures leave it out.
    """

    tile: str
    corners: np.ndarray
    exact: bool = True
    upright: bool = True
    ignored: bool = False
    by_reader: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The upright box around the corners: left, top, right, bottom."""
        (left, top), (right, bottom) = self.corners.min(0), self.corners.max(0)
        return float(left), float(top), float(right), float(bottom)


@dataclass(frozen=True)
class LabelledPhoto:
    """A picture (by path or already in memory), its marks and where it comes from.

    group: the physical set or session; photographs of one group never stand on both sides of a split.
    cluster: near-duplicates share it.
    partial: True when tiles in view may be unmarked (loose discards, walls), so an unmarked tile is no mistake.
    reviewed: True when the project's reader has added what it saw besides, so that the rest is background.
    """

    name: str
    width: int
    height: int
    marks: tuple[Mark, ...]
    path: Path | None = None
    pixels: np.ndarray | None = None
    group: str = ""
    cluster: str = ""
    split: str = "train"
    partial: bool = False
    reviewed: bool = False
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def loose(self) -> bool:
        """Are its boxes known to be too large (a rotated copy of another photograph)?"""
        return any("loose" in note for note in self.notes)

    @property
    def single(self) -> bool:
        """Does the picture show nothing but its one tile (a picture of a class folder)?"""
        whole = (0, 0, self.width, self.height)
        return len(self.marks) == 1 and bool(np.abs(np.subtract(self.marks[0].box, whole)).max() < 1)


def box_corners(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """The four corners (4, 2) of an upright box, clockwise from the upper left."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
