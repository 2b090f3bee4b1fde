"""Tiles and their three notations."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tiles import BACK, TILES, UNKNOWN, NotationError, copies, glyph, name, parse, show, sort, tile_set

CLASSES = Path(__file__).resolve().parents[3] / "shared" / "data" / "photos" / "classes.txt"


@pytest.mark.skipif(not CLASSES.exists(), reason="../shared/data is not beside this checkout")
def test_tiles_stand_in_the_order_of_the_classes_file() -> None:
    assert list(TILES) == CLASSES.read_text("utf-8").split()


@given(st.lists(st.sampled_from((*TILES, BACK, UNKNOWN))), st.sampled_from(("mps", "zh", "glyph")))
def test_parse_is_the_inverse_of_show(tiles: list[str], style: str) -> None:
    assert parse(show(tiles, style)) == tuple(tiles)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("123m 456p 11s CC", "1m 2m 3m 4p 5p 6p 1s 1s C C"),
        ("一二三万 四五六筒 一一条 中中", "1m 2m 3m 4p 5p 6p 1s 1s C C"),
        ("一萬 5餅 九索 東 發 白板", "1m 5p 9s E F P P"),
        ("🀇🀙🀐🀀🀄🀆🀤🀥", "1m 1p 1s E C P 4f 3f"),
        ("1m,2m，3m\t梅 8f", "1m 2m 3m 1f 8f"),
        ("?? back 12f", "? ? back 1f 2f"),
        ("", ""),
    ],
)
def test_the_three_notations_and_mixtures_are_read(text: str, tiles: str) -> None:
    assert parse(text) == tuple(tiles.split())


def test_equal_honours_stand_together_and_others_apart() -> None:
    assert show(("1m", "1m", "C", "C", "E", "2p")) == "11m CC E 2p"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("123", "lacks its suit"),
        ("12 3m", "lacks its suit"),
        ("1E", "lacks its suit"),
        ("m", "no numbers"),
        ("9f", "eight flowers"),
        ("0m", "“0”"),
        ("1x", "“1”"),
        ("hello", "“h”"),
    ],
)
def test_what_is_no_tile_is_named_in_one_sentence(text: str, about: str) -> None:
    with pytest.raises(NotationError, match=about):
        parse(text)


@pytest.mark.parametrize(
    ("tile", "hans", "hant", "english"),
    [
        ("1m", "一万", "一萬", "1 of characters"),
        ("5p", "五筒", "五筒", "5 of dots"),
        ("9s", "九条", "九條", "9 of bamboos"),
        ("E", "东", "東", "east wind"),
        ("F", "发", "發", "green dragon"),
        ("3f", "菊", "菊", "chrysanthemum"),
        (BACK, "牌背", "牌背", "face down"),
        (UNKNOWN, "不明", "不明", "unknown"),
    ],
)
def test_every_tile_has_its_name_in_three_writings(tile: str, hans: str, hant: str, english: str) -> None:
    assert (name(tile, "zh-Hans"), name(tile, "zh-Hant"), name(tile)) == (hans, hant, english)


def test_all_names_and_glyphs_differ() -> None:
    for language in ("zh-Hans", "zh-Hant", "en"):
        assert len({name(tile, language) for tile in TILES}) == 42  # type: ignore[arg-type]
    assert len({glyph(tile) for tile in (*TILES, BACK)}) == 43


def test_sorting_puts_the_unknown_last() -> None:
    assert sort(("?", "P", "1f", "9m", "1p")) == ("9m", "1p", "P", "1f", "?")


@pytest.mark.parametrize(
    ("kinds", "tiles"),
    [
        (tile_set("ps", winds=False), 84),
        (tile_set("mps", winds=False), 120),
        (tile_set(), 136),
        (tile_set(flowers=True), 144),
    ],
)
def test_each_game_is_played_with_its_own_number_of_tiles(kinds: tuple[str, ...], tiles: int) -> None:
    assert sum(map(copies, kinds)) == tiles
