"""The check screen by keyboard: every edit that a finger can make, and a whole hand typed from nothing."""

from __future__ import annotations

from dataclasses import replace

from ui.draft import Draft, History, from_codes
from ui.keys import on_key
from ui.session import Session
from ui.table import House


def tab(draft: Draft | None = None, preset: str = "kwx_suizhou") -> Session:
    return Session(language="en", route="/check", house=House(preset), history=History(draft or Draft()))


def press(session: Session, keys: str) -> bool:
    """Keys apart by spaces; `^` before one holds Ctrl. The answer is the last one's."""
    asked = False
    for key in keys.split():
        asked = on_key(session, key.removeprefix("^").replace("_", " "), ctrl=key.startswith("^"))
    return asked


def own(session: Session) -> str:
    return " ".join(piece.tile for piece in session.draft.concealed)


def test_a_hand_is_typed_from_nothing_and_goes_on() -> None:
    session = tab()
    press(session, "1 P 2 P 3 P 7 P 8 P 9 P 4 S 5 S 5 S 6 S C C C 5 S")
    assert own(session) == "1p 2p 3p 7p 8p 9p 4s 5s 5s 5s 6s C C C"
    assert session.draft.piece(session.draft.winning or 0).tile == "5s"
    assert press(session, "^Enter")


def test_an_unfinished_hand_does_not_go_on() -> None:
    session = tab()
    press(session, "1 P")
    assert not press(session, "^Enter")


def test_a_letter_alone_is_an_honour_and_after_a_digit_a_suit() -> None:
    session = tab(preset="shandong")
    press(session, "S 5 S E P 7 P 3 M N W F")
    assert own(session) == "3m 7p 5s E S W N F P"


def test_a_tile_that_the_game_does_not_have_is_not_taken() -> None:
    session = tab()
    press(session, "1 M E 9 X S")
    assert session.draft.is_empty


def test_a_tile_that_is_put_right_goes_to_its_place_and_undo_brings_it_back() -> None:
    session = tab(from_codes(["1p", "2p", "9s"]))
    press(session, "End 3 P Home 9 S")
    assert own(session) == "2p 3p 9s"
    press(session, "^Z ^Z")
    assert own(session) == "1p 2p 9s"


def test_what_was_typed_last_is_taken_away_wherever_it_stands() -> None:
    session = tab()
    press(session, "9 S 1 P Backspace")
    assert own(session) == "9s"


def test_the_cursor_walks_round_and_what_is_typed_changes_its_tile() -> None:
    session = tab(from_codes(["1p", "2p"], [("pung", ["C", "C", "C"])]))
    press(session, "Arrow_Right Arrow_Right 9 S")
    assert own(session) == "1p 9s"
    press(session, "Arrow_Left Arrow_Left Arrow_Left")
    assert session.draft.piece(session.cursor or 0).tile == "C"
    press(session, "Home 5 S End F")
    assert own(session) == "5s 9s"
    assert [p.tile for p in session.draft.melds[0].pieces] == ["C", "C", "F"]


def test_tiles_are_removed_laid_down_taken_back_and_marked() -> None:
    session = tab(from_codes(["1p", "C", "C", "C"]))
    press(session, "End [")
    assert (own(session), session.draft.melds[0].kind) == ("1p", "pung")
    press(session, "K")
    assert session.draft.melds[0].kind == "kong_exposed"
    press(session, "]")
    assert own(session) == "1p C C C C"
    press(session, "+")
    assert session.draft.winning == session.cursor
    press(session, "+ Delete Delete")
    assert session.draft.winning is None
    assert own(session) == "1p C C"
    press(session, "Escape Backspace")
    assert own(session) == "1p C"


def test_every_key_can_be_undone_and_done_again() -> None:
    session = tab()
    press(session, "1 P 2 P ^Z")
    assert own(session) == "1p"
    press(session, "^Y")
    assert own(session) == "1p 2p"
    press(session, "^Z ^Z")
    on_key(session, "Z", ctrl=True, shift=True)
    assert own(session) == "1p"


def test_doubts_are_stepped_through_and_settled_without_a_mouse() -> None:
    draft = from_codes(["1p", "2p", "3p"])
    doubtful = replace(draft, concealed=tuple(replace(p, doubt=p.tile != "2p") for p in draft.concealed))
    session = tab(doubtful)
    press(session, "D")
    assert (session.sheet, session.picked) == ("doubt", 0)
    press(session, "Enter")
    assert (session.sheet, session.picked) == ("doubt", 2)
    press(session, "9 P")
    assert (session.sheet, own(session), session.draft.doubts) == ("", "1p 2p 9p", ())


def test_a_tile_of_the_photograph_is_set_aside_and_brought_back() -> None:
    session = tab(from_codes(["1p", "2p"]))
    press(session, "Home A")
    assert (own(session), [p.tile for p in session.draft.aside]) == ("2p", ["1p"])
    press(session, "End A")
    assert own(session) == "1p 2p"


def test_enter_opens_what_the_cursor_stands_on_and_escape_closes_it() -> None:
    session = tab(from_codes(["1p", "2p"]))
    press(session, "End Enter")
    assert (session.sheet, session.picked) == ("tile", 1)
    press(session, "Escape")
    assert (session.sheet, session.cursor) == ("", 1)
