"""Naming the tiles of a photograph by keys: the doubtful ones come first, and every key does one thing."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.labels import LabelledPhoto, Mark
from ui import labelling
from ui.labelling import Place, Sheet, press
from vision.result import UNKNOWN, Corners, ReadHand, Reading, ReadTile, problem

DOUBT = problem("doubt.unclear", "not clear enough to be sure")


def at(x: float, y: float) -> Corners:
    return ((x, y), (x + 20, y), (x + 20, y + 28), (x, y + 28))


def sheet(*tiles: ReadTile) -> Sheet:
    return labelling.from_reading(Reading(400, 300, tiles, ReadHand()))


SURE = ReadTile("5p", 0.99, at(10, 10))
UNSURE = ReadTile("2p", 0.5, at(40, 12), (("4p", 0.4),), DOUBT)
BLANK = ReadTile(UNKNOWN, 0.2, at(10, 60), (("P", 0.2), ("back", 0.1)), DOUBT)


def typed(start: Sheet, keys: str) -> Sheet:
    for key in keys:
        start = press(start, key.upper() if key.isalpha() else key)
    return start


def test_the_first_doubt_is_picked_and_the_next_follows_by_itself() -> None:
    now = sheet(SURE, UNSURE, BLANK)
    assert now.at == 1
    now = typed(now, "4p")
    assert now.places[1].tile == "4p"
    assert now.at == 2
    assert typed(now, "p").places[2].tile == "P"


@pytest.mark.parametrize(
    ("keys", "tile"),
    [("7s", "7s"), ("1m", "1m"), ("8f", "8f"), ("e", "E"), ("s", "S"), ("c", "C"), ("b", "back"), ("35m", "5m")],
)
def test_a_tile_is_named_as_a_player_would_write_it(keys: str, tile: str) -> None:
    assert typed(sheet(UNSURE), keys).places[0].tile == tile


def test_a_digit_and_a_letter_that_is_no_suit_name_nothing() -> None:
    now = typed(sheet(UNSURE), "9f")
    assert (now.places[0].tile, now.digit) == ("2p", "")


def test_a_tile_can_be_confirmed_rejected_and_taken_back() -> None:
    now = sheet(UNSURE)
    assert typed(now, "y").places[0].state == "right"
    gone = typed(now, "x")
    assert (gone.places[0].state, gone.open) == ("rejected", ())
    assert typed(gone, "x").places[0].state == "right"


def test_arrows_walk_round_and_space_goes_to_the_next_doubt() -> None:
    now = sheet(SURE, UNSURE, BLANK)
    assert press(now, "Arrow Left").at == 0
    assert press(press(now, "Arrow Right"), "Arrow Right").at == 0
    assert press(now, " ").at == 2


def test_what_comes_of_it_says_what_was_changed_added_rejected_and_left_open() -> None:
    now = typed(sheet(SURE, UNSURE, BLANK), "4p")
    now = labelling.added(now, Place(at(100, 10), "", 0.0, (), "7s"))
    states = {j.corners[0]: (j.state, j.tile) for j in labelling.judged(now, 0.5)}
    assert states == {
        (5.0, 5.0): ("right", "5p"),
        (20.0, 6.0): ("changed", "4p"),
        (50.0, 5.0): ("added", "7s"),
        (5.0, 30.0): ("unsure", ""),
    }


def test_a_doubt_that_nobody_looked_at_is_settled_only_when_the_whole_sheet_is_accepted() -> None:
    now = sheet(SURE, UNSURE)
    assert [j.state for j in labelling.judged(now)] == ["right", "unsure"]
    assert [j.state for j in labelling.judged(labelling.accepted(now))] == ["right", "right"]
    assert len(list(labelling.told(now))) == 1


def test_tiles_stand_in_reading_order_row_by_row() -> None:
    places = [Place(at(200, 12)), Place(at(10, 60)), Place(at(10, 10)), Place(at(100, 20))]
    assert [p.corners[0] for p in labelling.in_reading_order(places)] == [(10, 10), (100, 20), (200, 12), (10, 60)]


def test_labels_stand_and_where_the_reader_contradicts_one_it_is_a_doubt() -> None:
    marks = (Mark("5p", np.array(at(10, 10))), Mark("4p", np.array(at(40, 12))), Mark("N", np.array(at(200, 200))))
    photo = LabelledPhoto("a.jpg", 400, 300, marks)
    now = labelling.from_labels(photo, Reading(400, 300, (SURE, UNSURE, BLANK), ReadHand()))
    assert [(p.tile, p.open) for p in now.places] == [("5p", False), ("4p", True), (UNKNOWN, True), ("N", False)]
