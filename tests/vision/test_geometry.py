"""A tile's place has no jumps, and what is taken apart can be put together again."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import (
    area,
    covered,
    log_moments,
    moments,
    overlap,
    rectangle,
    rectify,
    sides,
    to_photo,
    to_unit,
    turned,
)

angles = st.floats(-math.pi, math.pi)
lengths = st.floats(6, 200)


def box(width: float, height: float, angle: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return flat @ np.array([[c, s], [-s, c]]) + [x, y]


@given(lengths, st.floats(1.05, 3), angles, st.floats(-500, 500), st.floats(-500, 500))
def test_a_rectangle_is_the_same_after_being_described_by_its_moments(width, ratio, angle, x, y):
    quad = box(width, width * ratio, angle, x, y)
    centre, covariance = moments(quad)
    again = rectangle(centre, log_moments(covariance))
    assert overlap(quad, again) > 0.999


@given(lengths, st.floats(1.0, 3), angles)
def test_a_small_turn_moves_the_description_a_little(width, ratio, angle):
    before = log_moments(moments(box(width, width * ratio, angle))[1])
    after = log_moments(moments(box(width, width * ratio, angle + 0.01))[1])
    assert np.abs(before - after).max() < 0.03


@given(lengths, lengths, angles)
def test_half_a_turn_changes_nothing(width, height, angle):
    before = log_moments(moments(box(width, height, angle))[1])
    after = log_moments(moments(box(width, height, angle + math.pi))[1])
    assert np.allclose(before, after, atol=1e-6)


@given(lengths, lengths, angles, st.floats(1, 2))
def test_the_refiners_square_and_the_photograph_are_inverse(width, height, angle, margin):
    rough = box(width, height, angle, 30, 40)
    points = box(width * 1.1, height * 0.9, angle + 0.1, 31, 39)
    assert np.allclose(to_photo(rough, margin, to_unit(rough, margin, points)), points, atol=1e-6)


def test_a_rectified_crop_shows_the_tile_upright_whatever_its_angle():
    pixels = np.zeros((200, 200, 3), np.uint8)
    pixels[:] = 30
    for angle in (0.0, 0.7, 2.0, -2.8):
        scene = pixels.copy()
        quad = box(30, 40, angle, 100, 100)
        yy, xx = np.mgrid[0:200, 0:200] + 0.5
        unit = to_unit(quad, 1.0, np.stack([xx.ravel(), yy.ravel()], 1)).reshape(200, 200, 2)
        inside = (np.abs(unit) < 1).all(2)
        scene[inside] = (0, 255, 0)
        scene[inside & (unit[..., 1] < 0)] = (0, 0, 255)  # the upper half is red
        crop = rectify(scene, quad, (48, 64))
        assert crop[16, 24].tolist() == [0, 0, 255]
        assert crop[48, 24].tolist() == [0, 255, 0]


def test_turning_by_quarters_moves_the_first_corner_clockwise():
    quad = box(10, 20, 0)
    assert np.allclose(turned(quad, 1)[0], quad[1])
    assert np.allclose(turned(turned(quad, 3), 1), quad)
    assert sides(quad) == (10.0, 20.0)
    assert area(quad) == 200.0


def test_overlap_and_cover_of_known_boxes():
    a, b = box(10, 10, 0), box(10, 10, 0, 5, 0)
    assert abs(overlap(a, b) - 1 / 3) < 1e-6
    assert abs(covered(a, b) - 1 / 2) < 1e-6
    assert overlap(a, box(10, 10, 0, 50, 0)) == 0
