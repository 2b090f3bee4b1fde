"""A tile that seems shorter than its neighbours is drawn out to their size, each way that is free."""

import numpy as np
import pytest

from vision.geometry import turned
from vision.sizes import drawn_out


def drawn(quads):
    return drawn_out(quads, [True] * len(quads))


def box(left, top, width=30.0, height=42.0):
    return np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]], dtype=float)


STANDING_APART = [box(60.0 * k, 0) for k in range(5)]


def test_tiles_of_one_size_are_left_alone():
    assert drawn(STANDING_APART) == []


@pytest.mark.parametrize("first", range(4))
def test_half_a_tile_may_be_whole_upwards_or_downwards_whatever_corner_comes_first(first):
    half = turned(box(60, 0, height=21), first)
    ((index, longer),) = drawn([STANDING_APART[0], half, *STANDING_APART[2:]])
    assert index == 1
    found = {(float(q[:, 1].min()), float(q[:, 1].max())) for q in longer if np.ptp(q[:, 0]) < 31}
    assert found == {(0.0, 42.0), (-21.0, 21.0)}


def test_an_outline_never_grows_over_another_tile():
    half, above = box(60, 0, height=21), box(60, -43)
    ((_, longer),) = drawn([STANDING_APART[0], half, above, *STANDING_APART[2:]])
    assert {float(q[:, 1].min()) for q in longer} == {0.0}, "there is another tile above it"


def test_two_halves_of_one_tile_may_each_be_the_whole():
    halves = [box(60, 0, height=21), box(60, 21, height=21)]
    found = drawn([STANDING_APART[0], *halves, *STANDING_APART[2:]])
    wholes = [
        {(float(q[:, 1].min()), float(q[:, 1].max())) for q in longer if np.ptp(q[:, 0]) < 31} for _, longer in found
    ]
    assert [index for index, _ in found] == [1, 2]
    assert all((0.0, 42.0) in whole for whole in wholes)


def test_what_is_no_tile_is_nobodys_neighbour():
    print_beside = [box(60.0 * k, 60, height=90) for k in range(5)]
    assert drawn_out([*STANDING_APART, *print_beside], [True] * 5 + [False] * 5) == []


def test_a_lone_small_tile_far_from_the_others_is_no_half():
    assert drawn([*STANDING_APART, box(3000, 0, height=20)]) == []


def test_three_tiles_are_too_few_to_say_what_size_tiles_are():
    assert drawn([box(0, 0), box(60, 0), box(120, 0, height=20)]) == []
