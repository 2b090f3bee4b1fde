"""What nights say of a player."""

from __future__ import annotations

from scoring.ledger.events import Adjusted, Undone
from scoring.ledger.statistics import records
from tests.ledger.table import PURE, discard, draw, kong, night, opening, self_draw, several


def test_wins_losses_and_the_biggest_hand_are_counted_from_what_stands():
    now = night(
        self_draw(0),  # A 4
        discard(0, 1, PURE),  # A 4 from B
        several(1, (0, "222s 444p 77s FF 999p + 7s"), (2, "111234s 66s 89s 556s + 7s")),  # A 2, C 4 from B
        kong(2),  # C 2
        draw(1),  # B pays 1 each
        self_draw(1),
        Undone("6"),
        Adjusted({"A": 100, "B": -100}),  # no hand, so no statistics
    )
    found = records([now])
    a, b, c = (found[name] for name in "ABC")
    assert (a.hands, a.self_draws, a.wins_by_discard, a.wins, a.dealt_in) == (4, 1, 2, 3, 0)
    assert (b.wins, b.dealt_in) == (0, 2)
    assert (c.wins_by_discard, c.biggest) == (1, 4)
    assert a.points == 4 + 4 + 2 - 1 + 1
    assert a.average == 10 / 4
    assert a.favourites() == ("all_pungs", "pure_suit")
    assert a.points + b.points + c.points == 0
    assert (a.adjusted, b.adjusted, c.adjusted) == (100, -100, 0)


def test_the_same_name_on_two_nights_is_the_same_person():
    found = records([night(self_draw(0)), night(self_draw(2), of=opening("B", "A", "D"))])
    assert {name: record.points for name, record in found.items()} == {"A": 4 - 2, "B": -2 - 2, "C": -2, "D": 4}


def test_who_only_watched_has_zeros():
    watcher = records([night(self_draw(0), of=opening("A", "B", "C", "D"))])["D"]
    assert (watcher.hands, watcher.average, watcher.favourites()) == (0, 0.0, ())


def test_nobody_wins_with_drawn_hands_however_many_went_before():
    four = opening("A", "B", "C", "D", rules="shandong")
    record = records([night(draw(), draw(), self_draw(0, "123456789m 5m EEE + 5m"), of=four)])["A"]
    assert record.favourites(9) == ("mixed_suit", "pure_straight")
