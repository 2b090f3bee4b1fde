"""Corners are looked for until they stay, from another side each time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.corners import LEAST, MARGIN, cornered, placed, sharpen
from vision.geometry import UNIT, Floats, area, middle

PIXELS = np.zeros((200, 200, 3), np.uint8)
TILE = np.array([[80.0, 70.0], [120.0, 70.0], [120.0, 130.0], [80.0, 130.0]])


class Says:
    """A refiner that gives the same answer to whatever it is shown, and counts what it was shown."""

    def __init__(self, corners: Floats) -> None:
        self.corners, self.shown = corners, 0

    def run(self, pictures: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        self.shown += len(pictures)
        many = np.repeat(self.corners[None] / MARGIN, len(pictures), 0).astype(np.float32)
        return [many, np.tile(np.array([0, 0, -2, 0, 0], np.float32), (len(pictures), 1))]


def test_corners_that_stay_are_looked_for_three_times() -> None:
    network = Says(UNIT)
    (found,) = cornered(network, PIXELS, [TILE])
    assert np.allclose(found, TILE, atol=1e-3)
    assert network.shown == LEAST


def test_an_error_that_always_points_the_same_way_in_the_crop_does_not_add_up() -> None:
    beside = UNIT + np.array([0.08, 0.0])  # 1.6 px to the right of an upright tile, 2.4 px down one on its side
    (found,) = cornered(Says(beside), PIXELS, [TILE])
    assert np.linalg.norm(middle(found) - middle(TILE)) < 3.0  # from one side alone 2.5 × 1.6 = 4


def test_corners_that_never_stay_are_those_of_the_second_time() -> None:
    (found,) = cornered(Says(1.3 * UNIT), PIXELS, [TILE])  # 1.3 times as large each time
    assert abs(area(found)) < 1.3**4 * area(TILE)  # after six times it would be 23 times as large


def test_nothing_is_made_of_nothing() -> None:
    network = Says(UNIT)
    assert sharpen(network, PIXELS, []) == cornered(network, PIXELS, []) == placed(network, PIXELS, []) == []
    assert network.shown == 0
