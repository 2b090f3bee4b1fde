"""A photograph held askew is levelled by the direction of its own tiles."""

import math

import numpy as np
import pytest

from vision.level import carried, levelled, tilt


def row(degrees, count=6, width=30.0, height=42.0):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.array([[c, -s], [s, c]])
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=float)
    return [(flat + np.array([k * (width + 1), 0])) @ turn.T + 300 for k in range(count)]


@pytest.mark.parametrize("degrees", [15, 40, -35, 80, -85, 60])
def test_a_tilted_row_says_how_the_photograph_must_be_turned(degrees):
    assert math.degrees(tilt(row(degrees))) == pytest.approx(-degrees, abs=0.1)


@pytest.mark.parametrize("degrees", [0, 4, -7, 180, 176])
def test_a_row_that_is_nearly_level_is_left_as_it_is(degrees):
    assert tilt(row(degrees)) == 0.0


def test_tiles_that_point_all_ways_say_nothing():
    assert tilt([row(angle, count=1)[0] for angle in range(0, 180, 15)]) == 0.0


def test_two_tiles_are_too_few_to_turn_a_photograph_for():
    assert tilt(row(40, count=2)) == 0.0


@pytest.mark.parametrize("degrees", [30.0, -70.0])
def test_what_is_found_in_the_levelled_photograph_comes_back_to_its_place(degrees):
    pixels = np.zeros((120, 200, 3), np.uint8)
    pixels[40:60, 150:170] = 255
    level, back = levelled(pixels, math.radians(degrees))
    ys, xs = np.nonzero(level[..., 0] > 200)
    middle = np.array([[xs.mean() + 0.5, ys.mean() + 0.5]] * 4)
    assert np.abs(carried(middle, back)[0] - [160, 50]).max() < 0.7
