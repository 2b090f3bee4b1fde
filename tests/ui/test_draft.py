"""Putting a hand right: every edit is a step from one draft to the next, and undo takes it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui import draft as edits
from ui.draft import Draft, History, from_codes, from_reading
from ui.table import House
from vision.result import UNKNOWN, Problem, ReadHand, Reading, ReadMeld, ReadTile, problem

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 14.0), (0.0, 14.0))
UNCLEAR = problem("doubt.unclear", "not clear enough to be sure")


def seen(tile: str, confidence: float = 0.99, *guesses: tuple[str, float], doubt: Problem | None = None) -> ReadTile:
    return ReadTile(tile, confidence, SQUARE, guesses, doubt)


def reading(tiles: list[ReadTile], **hand: object) -> Reading:
    return Reading(100, 100, tuple(tiles), ReadHand(**hand))  # type: ignore[arg-type]


def codes(draft: Draft) -> list[str]:
    return [piece.tile for piece in draft.concealed]


def tiles_of(draft: Draft, meld: int) -> list[str]:
    return [piece.tile for piece in draft.melds[meld].pieces]


def test_a_tile_moves_from_a_set_into_the_hand_and_the_rest_of_the_set_comes_along() -> None:
    draft = from_codes(["1p"], [("pung", ["C", "C", "C"]), ("kong_exposed", ["F"] * 4)])
    moved = edits.to_hand(draft, draft.melds[0].pieces[0].id)
    assert sorted(codes(moved)) == ["1p", "C", "C", "C"]
    smaller = edits.to_hand(draft, draft.melds[1].pieces[0].id)
    assert codes(smaller) == ["1p", "F"]
    assert (smaller.melds[1].kind, tiles_of(smaller, 1)) == ("pung", ["F", "F", "F"])
    assert edits.to_hand(draft, draft.concealed[0].id) == draft


def test_a_fourth_tile_moved_to_its_pung_makes_an_added_kong_and_another_tile_does_nothing() -> None:
    draft = from_codes(["C", "1p"], [("pung", ["C", "C", "C"])])
    moved = edits.to_meld(draft, draft.concealed[0].id, 0)
    assert (moved.melds[0].kind, tiles_of(moved, 0), codes(moved)) == ("kong_added", ["C"] * 4, ["1p"])
    assert edits.to_meld(draft, draft.concealed[1].id, 0) == draft
    assert edits.to_meld(draft, draft.melds[0].pieces[0].id, 0) == draft


def test_the_tile_that_fills_the_hand_is_the_winning_one_unless_another_is() -> None:
    full = edits.fill(from_codes(["1p"]), "2p", 2)
    assert full.piece(full.winning or 0).tile == "2p"
    marked = edits.mark_winning(from_codes(["1p"]), 0)
    assert edits.fill(marked, "2p", 2).winning == 0
    assert edits.fill(from_codes(["1p"]), "3p", 3).winning is None


def test_a_reading_becomes_the_hand_the_melds_and_what_lies_aside() -> None:
    read = reading(
        [seen("1p"), seen("2p"), seen("9s"), seen("9s"), seen("9s"), seen("C")],
        concealed=(0, 1),
        melds=(ReadMeld("pung", (2, 3, 4)),),
        winning_tile=1,
    )
    draft = from_reading(read)
    assert codes(draft) == ["1p", "2p"]
    assert [p.tile for p in draft.melds[0].pieces] == ["9s", "9s", "9s"]
    assert [p.tile for p in draft.aside] == ["C"]
    assert draft.piece(draft.winning or 0).tile == "2p"


def test_runs_laid_out_apart_are_part_of_the_hand_where_no_run_can_be_declared() -> None:
    read = reading(
        [seen(t) for t in ("1p", "2p", "3p", "9s", "9s", "9s", "C", "C")],
        concealed=(6, 7),
        melds=(ReadMeld("chow", (0, 1, 2)), ReadMeld("pung", (3, 4, 5))),
        winning_tile=7,
    )
    draft = from_reading(read, kinds=("pung", "kong_exposed"))
    assert codes(draft) == ["C", "C", "1p", "2p", "3p"]
    assert [group.kind for group in draft.melds] == ["pung"]


def test_another_game_takes_the_tiles_as_they_were_seen_and_lays_its_runs_down() -> None:
    first, third = (problem("doubt.foreign", "the chosen game has no {tile}", tile=tile) for tile in ("1m", "3m"))
    instead = problem("doubt.instead", "it looks like {tile}, which the chosen game has not", tile="2m")
    tiles = [seen("1m", doubt=first), seen("2p", 0.5, ("2s", 0.3), doubt=instead), seen("3m", doubt=third)]
    tiles += [seen("C"), seen("C", 0.5, doubt=UNCLEAR)]
    read = reading(tiles, concealed=(3, 4), melds=(ReadMeld("chow", (0, 1, 2)),))
    shandong, kwx = House("shandong"), House("kwx_suizhou")

    def play(draft: Draft, house: House) -> Draft:
        return edits.in_game(draft, {0: read}, house.tiles, house.meld_kinds, house.order)

    before = edits.sort(from_reading(read, kinds=kwx.meld_kinds), kwx.order)
    assert codes(before) == ["1m", "3m", "2p", "C", "C"]
    assert play(before, kwx) == before
    draft = play(before, shandong)
    assert [(group.kind, tiles_of(draft, i)) for i, group in enumerate(draft.melds)] == [("chow", ["1m", "2m", "3m"])]
    assert [piece.tile for piece in draft.doubts] == ["C", "2m"]  # not clear, and seen with other tiles in mind
    assert play(draft, shandong) == draft


def test_another_game_changes_no_tile_that_somebody_has_named() -> None:
    instead = problem("doubt.instead", "it looks like {tile}, which the chosen game has not", tile="2m")
    read = reading([seen("2p", 0.5, doubt=instead), seen("3p", 0.5, doubt=instead)], concealed=(0, 1))
    house = House("shandong")
    said = edits.confirm(from_reading(read), 1)
    assert codes(edits.in_game(said, {0: read}, house.tiles, house.meld_kinds, house.order)) == ["2m", "3p"]
    kept = edits.from_json(edits.to_json(said))  # after a restart the tiles alone are known
    assert codes(edits.in_game(kept, {}, house.tiles, house.meld_kinds, house.order)) == ["2p", "3p"]


def test_a_doubtful_tile_keeps_its_guesses_until_somebody_has_said_what_it_is() -> None:
    read = reading([seen("7p", 0.6, ("8p", 0.35), doubt=UNCLEAR)], concealed=(0,))
    draft = from_reading(read)
    (piece,) = draft.doubts
    assert piece.candidates == (("7p", 0.6), ("8p", 0.35))
    changed = edits.change(draft, piece.id, "8p")
    assert codes(changed) == ["8p"]
    assert changed.doubts == ()


def test_confirming_settles_a_doubt_but_not_an_unknown_tile() -> None:
    read = reading([seen("7p", 0.6, doubt=UNCLEAR), seen(UNKNOWN, 0.2, ("1s", 0.2))], concealed=(0, 1))
    draft = from_reading(read)
    after = edits.confirm(edits.confirm(draft, 0), 1)
    assert [p.tile for p in after.doubts] == [UNKNOWN]


def test_a_tile_that_lies_face_down_in_the_hand_is_a_doubt_until_somebody_names_it() -> None:
    draft = from_reading(reading([seen("1p"), seen("back")], concealed=(0, 1)))
    assert [p.id for p in draft.doubts] == [1]
    assert edits.confirm(draft, 1).doubts == draft.doubts
    assert edits.change(draft, 1, "2p").doubts == ()


def test_the_backs_of_a_concealed_kong_become_its_tile_and_only_a_doubtful_back_stays_a_doubt() -> None:
    backs = seen("back"), seen("back", 0.6, doubt=UNCLEAR)
    read = reading([backs[0], seen("5s"), seen("5s"), backs[1]], melds=(ReadMeld("kong_concealed", (0, 1, 2, 3)),))
    draft = from_reading(read)
    assert [p.tile for p in draft.melds[0].pieces] == ["5s"] * 4
    assert [p.id for p in draft.doubts] == [draft.melds[0].pieces[3].id]


def test_flowers_of_the_photograph_lie_apart_from_the_hand() -> None:
    draft = from_reading(reading([seen("1p"), seen("3f")], concealed=(0, 1)))
    assert (codes(draft), [p.tile for p in draft.flowers]) == (["1p"], ["3f"])


def test_a_second_photograph_adds_to_the_hand_and_gives_no_tile_a_used_id() -> None:
    first = from_reading(reading([seen("1p"), seen("2p")], concealed=(0, 1), winning_tile=0))
    melds = reading([seen("C")] * 3, melds=(ReadMeld("pung", (0, 1, 2)),))
    both = from_reading(melds, 1, first)
    assert len({p.id for p in both.pieces}) == 5
    assert both.winning == first.winning
    assert both.melds[0].pieces[0].seen == (1, 0)


def test_a_kong_counts_as_three_tiles_and_a_flower_as_none() -> None:
    draft = from_codes(["1p"] * 2, [("kong_exposed", ["9s"] * 4)], flowers=["1f"])
    assert draft.count() == 5


def test_laying_down_a_pung_takes_it_out_of_the_hand_and_taking_it_back_returns_it() -> None:
    draft = from_codes(["1p", "9s", "9s", "9s"])
    (pung,) = edits.declarable(draft, 1, ("pung", "chow"))
    laid = edits.declare(draft, pung.kind, pung.identities)
    assert (codes(laid), laid.melds[0].kind) == (["1p"], "pung")
    assert sorted(codes(edits.take_back(laid, 0))) == ["1p", "9s", "9s", "9s"]


@pytest.mark.parametrize(
    ("hand", "tile", "offered"),
    [
        (["3p", "4p", "5p"], "3p", ["chow"]),
        (["3p", "4p", "5p", "6p"], "5p", ["chow", "chow"]),  # 345 and 456
        (["8p", "9p", "7p"], "9p", ["chow"]),
        (["9p", "1s", "2s"], "9p", []),  # a run does not leave its suit
        (["C", "C", "C", "C"], "C", ["kong_exposed", "kong_added", "kong_concealed", "pung"]),
        (["E", "S", "W"], "E", []),  # winds make no run
    ],
)
def test_only_sets_that_the_hand_holds_are_offered(hand: list[str], tile: str, offered: list[str]) -> None:
    kinds = ("chow", "pung", "kong_exposed", "kong_added", "kong_concealed")
    assert [d.kind for d in edits.declarable(from_codes(hand), hand.index(tile), kinds)] == offered


def test_the_winning_tile_is_never_laid_down_with_the_others() -> None:
    draft = from_codes(["9s", "9s"], winning="9s")
    assert edits.declarable(draft, 0, ("pung",)) == ()


def test_a_pung_called_a_kong_gets_its_fourth_tile_and_gives_it_back() -> None:
    draft = from_codes([], [("pung", ["C"] * 3)])
    kong = edits.set_kind(draft, 0, "kong_added")
    assert [p.tile for p in kong.melds[0].pieces] == ["C"] * 4
    assert [p.tile for p in edits.set_kind(kong, 0, "pung").melds[0].pieces] == ["C"] * 3


def test_a_kong_that_loses_a_tile_is_a_pung_and_a_pung_goes_back_into_the_hand() -> None:
    draft = from_codes(["1p"], [("kong_concealed", ["C"] * 4)])
    three = edits.remove(draft, draft.melds[0].pieces[0].id)
    assert three.melds[0].kind == "pung"
    two = edits.remove(three, three.melds[0].pieces[0].id)
    assert (two.melds, codes(two)) == ((), ["1p", "C", "C"])


def test_a_tile_set_aside_comes_back_where_it_belongs() -> None:
    draft = from_codes(["1p", "2p"])
    aside = edits.set_aside(draft, 0)
    assert (codes(aside), [p.tile for p in aside.aside]) == (["2p"], ["1p"])
    assert sorted(codes(edits.bring_back(aside, 0))) == ["1p", "2p"]


def test_removing_the_winning_tile_leaves_none() -> None:
    draft = from_codes(["1p"], winning="2p")
    assert edits.remove(draft, draft.winning or 0).winning is None


def test_a_tile_called_a_flower_moves_to_the_flowers_and_back() -> None:
    draft = from_codes(["1p", "2p"])
    flower = edits.change(draft, 0, "5f")
    assert (codes(flower), [p.tile for p in flower.flowers]) == (["2p"], ["5f"])
    assert sorted(codes(edits.change(flower, 0, "1p"))) == ["1p", "2p"]


def test_sorting_follows_the_given_order_with_unknown_tiles_last() -> None:
    draft = from_codes(["C", UNKNOWN, "1p"])
    assert codes(edits.sort(draft, ["1p", "C"])) == ["1p", "C", UNKNOWN]


def test_the_fifth_of_a_kind_is_noticed_across_melds() -> None:
    draft = from_codes(["C", "C"], [("pung", ["C"] * 3)])
    assert edits.too_many(draft) == ("C",)


def test_undo_and_redo_walk_the_same_steps_and_a_new_step_forgets_what_was_undone() -> None:
    one, two, three = (from_codes(["1p"] * n) for n in (1, 2, 3))
    history = History().do(one).do(two)
    assert history.undo().now == one
    assert history.undo().redo().now == two
    assert history.undo().do(three).redo().now == three
    assert history.do(two) is history  # an edit that changes nothing leaves no step
    assert History().undo() == History()


def test_the_open_hand_survives_being_kept_as_text() -> None:
    draft = from_codes(["1p", "2p"], [("kong_added", ["C"] * 4)], winning="3p", flowers=["1f"])
    kept = edits.from_json(edits.to_json(draft))
    assert (codes(kept), kept.melds[0].kind, kept.piece(kept.winning or 0).tile) == (
        ["1p", "2p", "3p"],
        "kong_added",
        "3p",
    )
    assert [p.tile for p in kept.flowers] == ["1f"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"concealed": ["9x"], "melds": [], "winning": null, "flowers": []}', '{"concealed": 3}']
)
def test_a_text_that_is_no_hand_is_an_empty_table(text: str) -> None:
    assert edits.from_json(text) == Draft()


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["add", "remove", "change", "aside", "back", "win", "declare", "take", "kind"]),
        st.integers(0, 20),
        st.sampled_from(["1p", "2p", "3p", "C", "1f", "9s"]),
    ),
    max_size=25,
)


@given(EDITS)
def test_no_sequence_of_edits_loses_a_tile_or_gives_two_the_same_id(steps: list[tuple[str, int, str]]) -> None:
    draft = from_codes(["1p", "2p", "3p", "C", "C", "C", "C"], [("pung", ["9s"] * 3)])
    for what, number, tile in steps:
        before = len(draft.pieces) + len(draft.aside)
        hand = [*draft.pieces]
        gained = 0
        match what:
            case "add":
                draft, gained = edits.add(draft, tile), 1
            case "remove" if hand:
                draft, gained = edits.remove(draft, hand[number % len(hand)].id), -1
            case "change" if hand:
                draft = edits.change(draft, hand[number % len(hand)].id, tile)
            case "aside" if hand:
                draft = edits.set_aside(draft, hand[number % len(hand)].id)
            case "back" if draft.aside:
                draft = edits.bring_back(draft, draft.aside[number % len(draft.aside)].id)
            case "win" if draft.concealed:
                draft = edits.mark_winning(draft, draft.concealed[number % len(draft.concealed)].id)
            case "declare" if draft.concealed:
                piece = draft.concealed[number % len(draft.concealed)]
                for found in edits.declarable(draft, piece.id, ("chow", "pung", "kong_exposed"))[:1]:
                    draft = edits.declare(draft, found.kind, found.identities)
            case "take" if draft.melds:
                draft = edits.take_back(draft, number % len(draft.melds))
            case _:
                pass
        everything = (*draft.pieces, *draft.aside)
        assert len(everything) == before + gained
        assert len({p.id for p in everything}) == len(everything)
        assert draft.winning is None or draft.winning in {p.id for p in draft.concealed}
