"""How tiles lie, at any angle: hand, melds, winning tile, and what belongs to somebody else."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.layout import arrange, meld_kind, rows

WIDTH, HEIGHT = 30.0, 40.0


def lay(*lines: str, angle: float = 0.0) -> tuple[list[np.ndarray], list[str]]:
    """Rows of words from the top of the picture down; `-` is a gap of one tile, `'` a tile lying across, `^` one on its
    head."""
    quads, codes = [], []
    for r, line in enumerate(lines):
        x = 0.0
        for word in line.split():
            if word == "-":
                x += WIDTH
                continue
            across, head, code = "'" in word, "^" in word, word.strip("'^")
            width = HEIGHT if across else WIDTH
            centre = np.array([x + width / 2, r * HEIGHT * 1.5 + (HEIGHT - WIDTH) / 2 * across])
            turn = math.pi / 2 if across else math.pi if head else 0.0
            c, s = math.cos(turn), math.sin(turn)
            flat = np.array([[-WIDTH, -HEIGHT], [WIDTH, -HEIGHT], [WIDTH, HEIGHT], [-WIDTH, HEIGHT]]) / 2
            quads.append(flat @ np.array([[c, s], [-s, c]]) + centre)
            codes.append(code)
            x += width + 1
    c, s = math.cos(angle), math.sin(angle)
    return [q @ np.array([[c, s], [-s, c]]) + 500 for q in quads], codes


def named(codes: list[str], indices: tuple[int, ...]) -> str:
    return " ".join(codes[i] for i in indices)


@given(st.floats(-math.pi, math.pi))
def test_a_row_is_read_left_to_right_at_any_angle(angle):
    quads, codes = lay("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E P P", angle=angle)
    layout = arrange(quads, codes)
    assert named(codes, layout.concealed) == "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E P P"
    assert layout.melds == ()
    assert layout.left_out == ()


@given(st.floats(-math.pi, math.pi))
def test_a_pung_with_a_sideways_tile_above_the_hand_is_a_meld(angle):
    quads, codes = lay("C C' C", "4s 5s 6s 1p 1p 2p 2p 3p 3p 4p 4p", angle=angle)
    layout = arrange(quads, codes)
    assert [(kind, named(codes, part)) for kind, part in layout.melds] == [("pung", "C C C")]
    assert len(layout.concealed) == 11


@pytest.mark.parametrize("kong", ["back C C back", "C back back C", "back back back C"])
def test_a_closed_kong_hides_tiles_under_their_backs(kong):
    quads, codes = lay(kong, "1m 1m 1m N N 4p 5p 5p 6p 6p 7p")
    assert [kind for kind, _ in arrange(quads, codes).melds] == ["kong_concealed"]


def test_a_closed_kong_beside_the_hand_without_a_gap_is_found_by_its_backs():
    quads, codes = lay("1m 1m 1m N N 4p 5p 5p 6p 6p 7p back C C back")
    layout = arrange(quads, codes)
    assert [(kind, named(codes, part)) for kind, part in layout.melds] == [("kong_concealed", "back C C back")]
    assert len(layout.concealed) == 11


def test_several_melds_in_a_row_of_their_own_are_told_apart():
    quads, codes = lay("2m 3m 4m F F F F 9s 9s 9s", "1p 1p 5s 6s 7s")
    layout = arrange(quads, codes)
    # the row of melds is longer than the hand: nothing but a gap or a sideways tile could tell them apart
    assert len(layout.concealed) + sum(len(part) for _, part in layout.melds) + len(layout.left_out) == len(codes)


def test_the_winning_tile_set_apart_is_named():
    quads, codes = lay("1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C C - 5s")
    layout = arrange(quads, codes)
    assert layout.winning_tile == 13
    assert layout.missing == (), "the place before a tile set apart is no gap"
    assert 13 in layout.concealed


def test_a_tile_that_the_edge_of_the_picture_cuts_is_not_set_apart():
    quads, codes = lay("1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C C - 5s")
    layout = arrange(quads, codes, cut=[13])
    assert layout.winning_tile is None
    assert 13 in layout.concealed
    assert layout.missing == (), "nothing lacks"


def test_the_gap_before_a_tile_cut_by_the_edge_is_named_where_the_hand_lacks_one():
    quads, codes = lay("1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C - 5s")
    layout = arrange(quads, codes, cut=[12])
    assert layout.winning_tile is None
    assert [(codes[a], codes[b]) for a, b in layout.missing] == [("C", "5s")]


def test_a_tile_cut_by_the_edge_that_lies_across_is_not_the_one_that_won():
    quads, codes = lay("1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C C 5s'")
    assert arrange(quads, codes).winning_tile == 13
    assert arrange(quads, codes, cut=[13]).winning_tile is None


def test_a_tile_cut_by_the_edge_beside_a_hand_that_lacks_one_is_left_out_and_counted():
    quads, codes = lay("1p 2p 3p 7p 8p - 4s 5s 6s 5s 5s C C C", "", "9m")
    assert arrange(quads, codes).winning_tile == 13
    layout = arrange(quads, codes, cut=[13])
    assert layout.winning_tile is None
    assert named(codes, layout.left_out) == "9m"


def test_discards_of_the_table_are_left_out_and_counted():
    quads, codes = lay("9m 8m E", "", "", "", "", "1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C C 5s")
    layout = arrange(quads, codes)
    assert len(layout.concealed) == 14
    assert named(codes, layout.left_out) == "9m 8m E"


def test_a_gap_of_one_tile_inside_a_row_is_named():
    quads, codes = lay("1p 2p 3p - 5p 6p 7p 8p 9p 4s 5s 6s C C")
    layout = arrange(quads, codes)
    assert [(codes[a], codes[b]) for a, b in layout.missing] == [("3p", "5p")]


@given(st.floats(-math.pi, math.pi))
def test_a_hand_laid_out_in_parts_far_apart_is_one_hand(angle):
    quads, codes = lay("1p 2p 3p - - - 7p 8p 9p - - 4s 5s 6s 5s 5s C C C", angle=angle)
    layout = arrange(quads, codes)
    assert len(layout.concealed) + 3 * len(layout.melds) == 14
    assert layout.left_out == ()


def test_a_row_in_the_same_line_across_the_table_is_somebody_elses():
    quads, codes = lay("1p 2p 3p 7p 8p 9p 4s 5s 6s 5s 5s - - - - - - 9m 8m E")
    assert named(codes, arrange(quads, codes).left_out) == "9m 8m E"


def test_a_row_of_discards_that_would_make_the_hand_too_large_is_left_out():
    quads, codes = lay("1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C C 5s - - 9m 8m E 7m 1m 1s")
    assert named(codes, arrange(quads, codes).left_out) == "9m 8m E 7m 1m 1s"


def test_no_tiles_make_an_empty_layout():
    assert arrange([], []).concealed == ()


def test_a_tile_on_its_head_stays_in_its_row():
    quads, _ = lay("1p 2p^ 3p 4p 5p^ 6p 7p")
    assert len(rows(quads)) == 1


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        ("5s 5s 5s", "pung"),
        ("3m 1m 2m", "chow"),
        ("E E E E", "kong_exposed"),
        ("back P P back", "kong_concealed"),
        ("1m 2m 4m", None),
        ("9p 1p 2p", None),
        ("E S W", None),
        ("back back back back", None),
        ("5s ? 5s", None),
    ],
)
def test_what_set_some_tiles_are(codes, kind):
    assert meld_kind(codes.split()) == kind
