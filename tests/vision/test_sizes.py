"""A tile that seems shorter than its neighbours is drawn out to their size, each way that is free."""

import numpy as np
import pytest

from vision.geometry import turned
from vision.sizes import drawn_out


def box(left, top, width=30.0, height=42.0):
    return np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]], dtype=float)


STANDING_APART = [box(60.0 * k, 0) for k in range(5)]


def test_tiles_of_one_size_are_left_alone():
    assert drawn_out(STANDING_APART) == []


@pytest.mark.parametrize("first", range(4))
def test_half_a_tile_may_be_whole_upwards_or_downwards_whatever_corner_comes_first(first):
    half = turned(box(60, 0, height=21), first)
    ((index, longer),) = drawn_out([STANDING_APART[0], half, *STANDING_APART[2:]])
    assert index == 1
    found = {(float(q[:, 1].min()), float(q[:, 1].max())) for q in longer if np.ptp(q[:, 0]) < 31}
    assert found == {(0.0, 42.0), (-21.0, 21.0)}


def test_an_outline_never_grows_over_another_tile():
    half, above = box(60, 0, height=21), box(60, -43)
    ((_, longer),) = drawn_out([STANDING_APART[0], half, above, *STANDING_APART[2:]])
    assert {float(q[:, 1].min()) for q in longer} == {0.0}, "there is another tile above it"


def test_a_lone_small_tile_far_from_the_others_is_no_half():
    assert drawn_out([*STANDING_APART, box(3000, 0, height=20)]) == []


def test_three_tiles_are_too_few_to_say_what_size_tiles_are():
    assert drawn_out([box(0, 0), box(60, 0), box(120, 0, height=20)]) == []
