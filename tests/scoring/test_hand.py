"""Hands, melds and wins: one-line text, case form and answers are inverse ways to write the same thing."""

import pytest

from scoring import Contract, Hand, Meld, Win
from scoring.tiles import NotationError


@pytest.mark.parametrize(
    "text",
    [
        "123789p 4556s CCC + 5s",
        "2225588s [CCC] [EEE from 3] + 8s",
        "345p [EE1m2m concealed as EEEE] + 9p",
        "5s [111p] [333s from 2] [7777s added from 1] [CCCC concealed] + 5s",
        "3335m [717m from 1 as 777m] | 15f",
        "",
    ],
)
def test_a_hand_is_written_and_read_back(text: str) -> None:
    hand = Hand.parse(text)
    assert Hand.parse(hand.show()) == hand


def test_the_parts_of_a_hand_are_told_apart() -> None:
    hand = Hand.parse("22255s [123m from 3] [EEEE concealed] [9999p added] + 8s | 12f")
    assert hand.concealed == ("2s", "2s", "2s", "5s", "5s")
    assert [meld.kind for meld in hand.melds] == ["chow", "kong_concealed", "kong_added"]
    assert (hand.melds[0].source, hand.winning_tile, hand.flowers) == (3, "8s", ("1f", "2f"))
    assert len(hand.all_tiles) == 5 + 3 + 4 + 4 + 1


def test_the_last_tile_of_a_full_hand_without_a_plus_is_the_winning_tile() -> None:
    assert Hand.parse("123789p 4556s CCC 5s").winning_tile == "5s"
    assert Hand.parse("123789p 4556s CCC").winning_tile is None


def test_the_words_of_a_meld_stand_in_any_order() -> None:
    (one,), (two,) = Hand.parse("[EE1m2m as EEEE concealed]").melds, Hand.parse("[EE1m2m concealed as EEEE]").melds
    assert one == two == Meld("kong_concealed", ("E", "E", "1m", "2m"), None, ("E",) * 4)


def test_flowers_may_lie_among_the_other_tiles() -> None:
    assert Hand.parse("123m 1f 456p 5f | 2f").flowers == ("2f", "1f", "5f")
    assert Hand.parse("123789p 1f 4556s CCC 5s").winning_tile == "5s"


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("[123p foo]", "“foo” means nothing"),
        ("[CCC from x]", "a seat follows “from”"),
        ("[CCC from 12]", "a seat"),
        ("[7m1m7m as]", "tiles follow “as”"),
    ],
)
def test_what_means_nothing_in_a_meld_is_named(text: str, about: str) -> None:
    with pytest.raises(NotationError, match=about):
        Hand.parse(text)


@pytest.mark.parametrize("text", ["123m [456p", "123m 456p]", "123m +", "123m + 45p", "[12]", "12"])
def test_a_hand_that_is_no_hand_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Hand.parse(text)


CASE = {
    "concealed": ["3m", "3m", "3m", "9m"],
    "melds": [{"kind": "pung", "tiles": ["7m", "1m", "7m"], "from": 1, "as": ["7m", "7m", "7m"]}],
    "winning_tile": "9m",
    "win_by": "rob_kong",
    "winner": 2,
    "players": 4,
    "circumstances": {"discarder": 1, "revealed": [0, 2]},
    "flowers": ["1f"],
    "wild": ["1m", "2m"],
    "contract": {"seat": 2, "level": 3, "kind": "two"},
}


def test_a_case_becomes_a_win_and_the_same_case_again() -> None:
    win = Win.from_case(CASE)
    assert win.hand.melds == (Meld("pung", ("7m", "1m", "7m"), 1, ("7m",) * 3),)
    assert win.circumstances["revealed"] == (0, 2)
    assert win.to_case() == CASE


def test_a_win_becomes_answers_and_the_same_win_again() -> None:
    win = Win.from_case(CASE)
    assert Win.from_answers(win.hand, win.answers()) == win
    assert Win.from_answers(win.hand, {"contract_kind": "no_bid"}).contract is None
    assert Win.from_answers(win.hand, {"flowers": ("2f", "8f")}).hand.flowers == ("2f", "8f")


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"win_by": "luck"}, "way of winning"),
        ({"melds": [{"kind": "set", "tiles": []}]}, "kind of meld"),
        ({"melds": [{"kind": "pung"}]}, "lacks “tiles”"),
        ({"melds": 3}, "not in the form"),
        ({"contract": {"seat": 1, "level": 2, "kind": "three"}}, "kind of contract"),
        ({"circumstances": [1]}, "“circumstances” must be an object"),
        ({"winner": "zero"}, '“winner” must be a whole number, not "zero"'),
        ({"players": 2.5}, "“players” must be a whole number"),
        ({"contract": {"seat": None, "level": 2, "kind": "two"}}, "“seat” must be a whole number, not null"),
    ],
)
def test_a_case_in_another_form_is_refused_in_one_sentence(change: dict, about: str) -> None:
    with pytest.raises(ValueError, match=about):
        Win.from_case(CASE | change)


def test_contract_points_double_with_each_tai_and_for_fewer_wild_tiles() -> None:
    # 5·2^(N−2) for two kinds, 5·2^(N−1) for one or none
    points = [Contract(0, level, kind).points for level in (2, 3, 4) for kind in ("two", "one", "none")]  # type: ignore[arg-type]
    assert points == [5, 10, 10, 10, 20, 20, 20, 40, 40]
