"""An outline of any number of points becomes the four corners that the project works with, and back into a box."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.labels import Mark, box_corners


def from_points(name: str, points: np.ndarray, upright: bool = False, ignored: bool = False) -> Mark:
    """A mark from an outline, points (n, 2) in pixels.

    Four points are the corners and keep their order; any other number becomes the smallest turned rectangle around
    them. ValueError when they are fewer than three or not finite."""
    points = np.asarray(points, np.float64).reshape(-1, 2)
    if not np.isfinite(points).all():
        raise ValueError("a coordinate is not a finite number")
    if len(points) < 3:
        raise ValueError(f"an outline needs at least three points and has {len(points)}")
    if len(points) != 4:
        # OpenCV gives the corners clockwise from the lowest; a turn by two begins at the upper one.
        points, upright = np.roll(cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32))), -2, axis=0), False
        points = points.astype(np.float64)
    return Mark(name, points, exact=True, upright=upright, ignored=ignored)


def from_box(name: str, left: float, top: float, right: float, bottom: float, ignored: bool = False) -> Mark:
    """A mark from an upright box in pixels. ValueError when a side is not a finite number."""
    corners = box_corners(left, top, right, bottom)
    if not np.isfinite(corners).all():
        raise ValueError("a coordinate is not a finite number")
    return Mark(name, corners, exact=False, upright=False, ignored=ignored)


def is_upright_box(corners: np.ndarray, tolerance: float = 0.5) -> bool:
    """True when four corners (4, 2) are just an upright box, in our order, within a tolerance in pixels."""
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    return bool(np.abs(corners - box_corners(left, top, right, bottom)).max() <= tolerance)
