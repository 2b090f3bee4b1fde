"""The case contract of scripts: every kind of case, and no input that makes it raise."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cases import answer, answers
from tests.scoring.playing import win

WIN: dict[str, Any] = {"id": "a", "variant": "kwx_base", "kind": "win", "players": 3}
WIN |= win("123789p 4556s CCC + 5s", 1).to_case()


def test_a_win_is_answered_in_the_agreed_form() -> None:
    assert answer(WIN) == {"id": "a", "elements": ["middle_five"], "multiplier": 2, "payments": [2, -2, 0]}
    shandong = WIN | {"variant": "shandong", "players": 4, "circumstances": {"discarder": 3}}
    shandong |= {
        "concealed": ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "5m", "5m", "3p", "4p"],
        "winning_tile": "5p",
    }
    assert answer(shandong) == {"id": "a", "elements": ["plain_win"], "fan": 1, "flowers": 0, "payments": [5, 0, 0, -5]}
    assert answers([WIN, shandong]) == [answer(WIN), answer(shandong)]


def test_a_game_without_a_preset_means_its_first() -> None:
    assert answer({**WIN, "variant": None, "ruleset": "ka_wu_xing"})["multiplier"] == 2


def test_several_winners_are_answered_in_their_order() -> None:
    second = win("1112345566689s + 5s", 1, winner=2).to_case()
    case = {"id": "b", "variant": "kwx_base", "kind": "multi_win", "players": 3, "wins": [WIN, second]}
    reply = answer(case)
    assert [row.get("multiplier") for row in reply["wins"]] == [2, None]
    assert "illegal" in reply["wins"][1]
    assert reply["payments"] == [2, -2, 0]
    assert "Seat 2:" in answer(case | {"wins": [second]})["illegal"]
    assert "empty" in answer(case | {"wins": []})["illegal"]


def test_kongs_draws_escapes_and_contracts_are_answered() -> None:
    kongs = [{"seat": 0, "kind": "kong_exposed", "from": 1}, {"seat": 0, "kind": "kong_added", "chained": True}]
    case = {"id": 1, "variant": "kwx_base", "kind": "kong", "players": 3, "kongs": kongs}
    assert answer(case) == {"id": 1, "payments": [6, -4, -2], "steps": [[2, -2, 0], [4, -2, -2]]}
    draw = {"id": 2, "variant": "kwx_base", "kind": "draw", "circumstances": {"revealed": [1, 2]}}
    assert answer(draw) == {"id": 2, "payments": [1, -2, 1]}
    failed = {"id": 3, "variant": "zhuji_bao", "kind": "draw", "contract": {"seat": 0, "level": 2, "kind": "two"}}
    assert answer(failed) == {"id": 3, "payments": [-15, 5, 5, 5]}
    escape = {"id": 4, "variant": "shandong", "kind": "escape", "flowers": ["1f"], "circumstances": {"escapee": 1}}
    assert answer(escape) == {"id": 4, "flowers": 1, "payments": [0, -60, 0, 0]}
    table = answer({"id": 5, "variant": "zhuji_bao", "kind": "contract_table"})
    assert table["points"]["none5"] == 80


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"variant": "kwx_mars"}, 'no rules "kwx_mars"'),
        ({"kind": "wish"}, "no kind of case"),
        ({"players": 9}, "players"),
        ({"options": {"colour": 1}}, "colour"),
        ({"options": {"unit": 0}}, "unit"),
        ({"options": 7}, "form of the worked examples"),
        ({"win_by": "luck"}, "way of winning"),
        ({"concealed": 7}, "form of the worked examples"),
        ({"circumstances": {}}, "Say who discarded"),
        ({"circumstances": {"discarder": "x"}}, "discarder"),
        ({"circumstances": {"discarder": 1, "revealed": 0}}, "revealed"),
        ({"circumstances": {"discarder": 1, "robbed_kong": "added"}}, "none was robbed"),
        ({"circumstances": {"discarder": 1, "passed_discarder": 9}}, "passed_discarder"),
        ({"circumstances": {"discarder": 1, "passed_discarder": 2, "passed_multiplier": "x"}}, "passed_multiplier"),
        ({"melds": [{"kind": "pung", "tiles": ["9p"] * 3, "from": 5}]}, "is from seat 5"),
        ({"circumstances": {"discarder": 1, "revealed": [[0]]}}, ""),
        ({"circumstances": {"discarder": 1, "revealed": [1, 1]}}, "not [1, 1]."),
        ({"variant": None, "ruleset": None}, "does not say by which rules"),
        ({"winning_tile": None}, "which tile won"),
        ({"kind": "escape"}, "penalty"),
        ({"kind": "contract_table"}, "no contracts"),
        ({"kind": "kong"}, "kongs"),
        ({"kind": "kong", "kongs": []}, "name at least one kong"),
        ({"kind": "kong", "kongs": [{"seat": 0, "kind": "kong_exposed"}]}, "seat that discarded"),
        ({"kind": "multi_win"}, "wins"),
    ],
)
def test_a_bad_case_is_answered_with_a_sentence(change: dict, about: str) -> None:
    reply = answer(WIN | change)
    assert set(reply) == {"id", "illegal"}
    assert about in reply["illegal"]


def test_what_is_no_case_at_all_is_answered_too() -> None:
    for thing in (None, 3, "x", [], {}):
        assert "illegal" in answer(thing)  # type: ignore[arg-type]


TILE = st.sampled_from(["1m", "5p", "5s", "E", "C", "1f", "back", "?", "9z", "", 5, None])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=5) | TILE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["kwx_base", "kwx_qiabazhang", "shandong", "zhuji_bao"]),
    st.dictionaries(
        st.sampled_from(
            [
                "concealed",
                "melds",
                "winning_tile",
                "win_by",
                "circumstances",
                "players",
                "winner",
                "wild",
                "contract",
                "flowers",
                "options",
                "kind",
                "kongs",
                "wins",
            ]
        ),
        ANYTHING | st.lists(TILE, max_size=15),
        max_size=4,
    ),
)
def test_no_input_makes_it_raise(variant: str, change: dict) -> None:
    reply = answer({**WIN, "variant": variant, **change})
    json.dumps(reply)
    assert "illegal" in reply or "payments" in reply
