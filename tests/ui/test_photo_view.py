"""Which part of a photograph is seen at first, and that all of it can be reached."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.components.photo_view import LOWEST, Window, around, window
from vision.result import Corners

PHOTO = (1280.0, 960.0)


def tile(x: float, y: float, side: float = 60) -> Corners:
    return ((x, y), (x + side, y), (x + side, y + side * 4 / 3), (x, y + side * 4 / 3))


def row(n: int, x: float = 100, y: float = 300) -> list[Corners]:
    return [tile(x + 62 * i, y) for i in range(n)]


def test_a_row_on_much_cloth_is_seen_large_with_a_tile_of_cloth_around() -> None:
    seen = window(row(14), *PHOTO)
    assert (seen.left, seen.width) == (40, 14 * 62 - 2 + 120)
    assert seen.height == pytest.approx(LOWEST * seen.width)
    assert seen.top + seen.height / 2 == pytest.approx(300 + 40)


def test_a_row_at_the_very_edge_is_seen_to_the_edge_and_no_further() -> None:
    assert window(row(20, 10, 0), *PHOTO).top == 0
    seen = window(row(10, 700, 870), *PHOTO)
    assert seen.top + seen.height == 960


def test_without_tiles_all_of_it_is_seen() -> None:
    assert window([], *PHOTO) == Window(0, 0, *PHOTO)


places = st.tuples(st.floats(0, 1200), st.floats(0, 870), st.floats(10, 60)).map(lambda at: tile(*at))


@given(st.lists(places, min_size=1, max_size=20))
def test_every_tile_is_seen_and_nothing_beside_the_photograph(tiles: list[Corners]) -> None:
    seen = window(tiles, *PHOTO)
    assert seen.left >= 0
    assert seen.top >= 0
    assert seen.left + seen.width <= 1280 + 1e-6
    assert seen.top + seen.height <= 960 + 1e-6
    for corners in tiles:
        assert all(seen.left <= x <= seen.left + seen.width + 1e-6 for x, _ in corners)
        assert all(seen.top <= y <= seen.top + seen.height + 1e-6 for _, y in corners)


@given(st.lists(places, min_size=1, max_size=20), st.floats(0.1, 2))
def test_zoomed_out_the_whole_photograph_is_seen(tiles: list[Corners], scale: float) -> None:
    seen = window(tiles, *PHOTO)
    edge, least = around(seen, *PHOTO, scale)
    # Flutter shows nothing beyond the edge, so what may be seen must fill the view when it is smallest, with all of it
    width, height = seen.width * scale, seen.height * scale
    assert (edge.left + width + edge.right) * least == pytest.approx(width)
    assert (edge.top + height + edge.bottom) * least == pytest.approx(height)
    assert edge.left >= seen.left * scale - 1e-6
    assert edge.top >= seen.top * scale - 1e-6
    assert edge.right >= (1280 - seen.left - seen.width) * scale - 1e-6
    assert edge.bottom >= (960 - seen.top - seen.height) * scale - 1e-6
