"""Scenes: the same seed gives the same pixels, corners are where the face is, and nothing is ever mirrored."""

import numpy as np
import pytest

from datasets.samples import SAMPLES, photograph
from datasets.scenes import render
from vision.geometry import area, rectify, sides

CORNERS = {
    "upper left": (255, 0, 0),
    "upper right": (0, 255, 0),
    "lower right": (0, 0, 255),
    "lower left": (255, 255, 0),
}


def flag(height: int = 96, width: int = 70) -> np.ndarray:
    """A face whose four quarters differ, so that a turn or a mirror shows."""
    face = np.full((height, width, 4), 255, np.uint8)
    half, middle = height // 2, width // 2
    red, green, blue, yellow = CORNERS.values()
    face[:half, :middle, :3], face[:half, middle:, :3] = red, green
    face[half:, middle:, :3], face[half:, :middle, :3] = blue, yellow
    return face


FLAGS = [{code: [flag()] for code in ("1m", "2m", "3m", "5p", "7s", "E", "C", "back")}]


def test_the_same_seed_gives_the_same_pixels_and_marks():
    a, b = render(5, FLAGS, (200, 200)), render(5, FLAGS, (200, 200))
    assert np.array_equal(a.pixels, b.pixels)
    assert [m.tile for m in a.marks] == [m.tile for m in b.marks]
    assert not np.array_equal(a.pixels, render(6, FLAGS, (200, 200)).pixels)


@pytest.mark.parametrize("seed", range(12))
def test_corners_go_clockwise_from_the_tiles_own_top_left(seed):
    scene = render(seed, FLAGS, (400, 400), (30.0, 90.0), spoil=False)
    checked = 0
    for mark in scene.marks:
        if mark.ignored or mark.tile == "back" or min(sides(mark.corners)) < 24:
            continue
        if (mark.corners < 2).any() or (mark.corners > 398).any():
            continue
        assert area(mark.corners) > 0
        crop = rectify(scene.pixels, mark.corners, (48, 64)).astype(int)
        quarters = [crop[16, 12], crop[16, 36], crop[48, 36], crop[48, 12]]
        wrong: list[str] = []
        for seen, (name, wanted) in zip(quarters, CORNERS.items(), strict=True):
            blue, green, red = seen
            bright = max(1, int(seen.max()))
            ratio = np.array([red, green, blue]) / bright
            if np.abs(ratio - np.array(wanted) / 255).max() >= 0.45:
                wrong.append(name)
        assert len(wrong) <= 1, (
            f"{wrong} of a {mark.tile} in scene {seed}: one corner may be hidden behind another tile"
        )
        checked += 1
    assert checked or all(
        m.ignored or m.tile == "back" or min(sides(m.corners)) < 24 or (m.corners < 2).any() or (m.corners > 398).any()
        for m in scene.marks
    )


def test_hidden_tiles_are_not_asked_for():
    scenes = [render(seed, FLAGS, (300, 300), spoil=False) for seed in range(30)]
    assert any(m.ignored for s in scenes for m in s.marks)
    assert any(not m.ignored for s in scenes for m in s.marks)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_a_sample_shows_the_hand_that_it_names(name):
    rows, seed = SAMPLES[name]
    codes = {w.rstrip("'") for row in rows for w in row.split()} - {"-"}
    scene = photograph(rows, [{code: [flag()] for code in codes}], seed, (640, 480))
    shown = sorted(m.tile for m in scene.marks if not m.ignored)
    assert shown == sorted(w.rstrip("'") for row in rows for w in row.split() if w != "-")
    assert all((m.corners > 0).all() and (m.corners < [640, 480]).all() for m in scene.marks)
