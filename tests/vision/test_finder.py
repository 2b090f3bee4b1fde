"""The finder's own decisions, apart from its network."""

import math

import numpy as np
import pytest

from vision import finder
from vision.finder import TileBox, unstretched, without_doubles

PICTURE = np.zeros((600, 800, 3), np.uint8)


def tile(width: float, height: float, x: float, angle: float = 0.0, score: float = 0.9) -> TileBox:
    c, s = math.cos(angle), math.sin(angle)
    flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return TileBox(flat @ np.array([[c, s], [-s, c]]) + np.array([x, 300.0]), score)


@pytest.mark.parametrize(("width", "height"), [(30, 42), (42, 30), (40, 68)])
def test_ordinary_tiles_leave_the_photograph_as_it_is(width, height):
    assert unstretched(PICTURE, [tile(width, height, 50 * k) for k in range(6)]) is None


def test_tiles_four_times_as_long_as_wide_are_squeezed_along_their_length():
    tall = unstretched(PICTURE, [tile(40, 160, 50 * k) for k in range(6)])
    assert tall is not None
    assert tall.shape == (210, 800, 3)  # 600 * 1.4 / 4
    wide = unstretched(PICTURE, [tile(160, 40, 50 * k) for k in range(6)])
    assert wide is not None
    assert wide.shape == (600, 280, 3)  # 800 * 1.4 / 4


def test_enough_of_a_squeezed_photograph_is_left_to_read_its_tiles():
    tall = unstretched(PICTURE, [tile(40, 400, 50 * k) for k in range(6)])
    assert tall is not None
    assert tall.shape == (180, 800, 3)  # 600 * 0.3


def test_long_tiles_that_point_all_ways_are_no_stretched_photograph():
    assert unstretched(PICTURE, [tile(40, 240, 50 * k, angle=k * math.pi / 6) for k in range(6)]) is None


def test_of_two_rectangles_on_one_tile_the_surer_stays():
    kept = without_doubles([tile(30, 40, 100, score=0.4), tile(30, 40, 104, score=0.8), tile(30, 40, 131, score=0.5)])
    assert [b.score for b in kept] == [0.8, 0.5]


def test_a_shelf_of_books_behind_the_tiles_is_no_stretched_photograph():
    tiles, books = [tile(30, 42, 50 * k) for k in range(7)], [tile(30, 300, 50 * k) for k in range(5)]
    assert unstretched(PICTURE, tiles + books) is None


def looking(monkeypatch: pytest.MonkeyPatch, seen: dict[float, list[TileBox]]) -> list[float]:
    """Let a photograph 2400 px wide show `seen` at each size; the sizes that were looked at, in px."""
    sizes: list[float] = []

    def look(network, pixels, scale, threshold):
        sizes.append(round(scale * 2400))
        return seen.get(sizes[-1], [])

    monkeypatch.setattr(finder, "look", look)
    return sizes


ROW = [tile(60, 84, 64 * k) for k in range(1, 15)]
LARGE_PICTURE = np.zeros((1800, 2400, 3), np.uint8)


def test_a_row_that_is_plain_at_the_usual_size_is_looked_at_once(monkeypatch):
    sizes = looking(monkeypatch, {640: [tile(90, 120, 92 * k) for k in range(1, 15)]})
    assert len(finder.find(None, LARGE_PICTURE)) == 14
    assert sizes == [640]


def test_where_hardly_a_tile_is_seen_the_finder_looks_closer_and_from_farther(monkeypatch):
    clutter = [tile(140, 190, 1200)]
    sizes = looking(monkeypatch, {640: clutter, 1280: ROW})
    assert finder.find(None, LARGE_PICTURE) == ROW
    assert sizes == [640, 1280, 320]


def test_tiles_that_are_small_for_the_network_are_looked_at_where_they_suit_it(monkeypatch):
    sizes = looking(monkeypatch, {640: ROW[:8], 1200: ROW})  # 60 px wide are 16 px at 640; at 1200 they are 30
    assert finder.find(None, LARGE_PICTURE) == ROW
    assert sizes == [640, 1200]


def test_a_picture_without_tiles_is_empty_after_three_looks(monkeypatch):
    sizes = looking(monkeypatch, {})
    assert finder.find(None, LARGE_PICTURE) == []
    assert sizes == [640, 1280, 320]
