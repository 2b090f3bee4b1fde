"""A night is folded from its events: who has what, who deals, what an edit moves, what an undo takes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.ledger.events import (
    COLOURS,
    Adjusted,
    Corrected,
    LedgerError,
    Paid,
    RulesChanged,
    RulesChoice,
    Seated,
    Undone,
    opening_from_json,
    opening_to_json,
    played,
)
from scoring.ledger.night import NOBODY, after, change_of, correcting, fold, to_redo, to_undo
from scoring.ledger.playing import Moment, play
from tests.ledger.table import PUNGS, PURE, discard, draw, event, kong, night, opening, self_draw, several


def totals(*changes, of=None):
    return dict(night(*changes, of=of).totals)


def test_a_self_draw_is_paid_by_everybody():
    assert totals(self_draw(0)) == {"A": 4, "B": -2, "C": -2}  # all_pungs ×2 from each


def test_a_discard_is_paid_by_the_discarder():
    assert totals(discard(1, 2, PURE)) == {"A": 0, "B": 4, "C": -4}  # pure_suit ×4


def test_two_winners_of_one_discard_are_both_paid_by_the_discarder():
    both = several(1, (0, "222s 444p 77s FF 999p + 7s"), (2, "111234s 66s 89s 556s + 7s"))
    assert totals(both) == {"A": 2, "B": -6, "C": 4}  # all_pungs 2, pure_suit 4


def test_a_kong_is_paid_at_once_and_the_hand_goes_on():
    now = night(kong(0), kong(1, "kong_concealed"), kong(2, "kong_exposed", 0))
    assert dict(now.totals) == {"A": 2 - 2 - 2, "B": -1 + 4, "C": -1 - 2 + 2}
    assert (now.hands, [entry.hand for entry in now.entries]) == (0, [1, 1, 1])


def test_the_first_revealer_pays_for_a_drawn_hand():
    now = night(draw(1, 2))
    assert dict(now.totals) == {"A": 1, "B": -2, "C": 1}
    assert (now.hands, now.previous_draws, now.dealer) == (1, 1, "A")


def test_the_winner_deals_next_and_after_two_winners_the_discarder_does():
    now = night(self_draw(2), several(1, (0, "222s 444p 77s FF 999p + 7s"), (2, "111234s 66s 89s 556s + 7s")), draw())
    assert [entry.dealer for entry in now.entries] == ["A", "C", "B"]
    assert now.dealer == "B"  # a draw leaves the dealer


def test_draws_in_a_row_are_counted_until_somebody_wins():
    assert night(draw(), draw()).previous_draws == 2
    assert night(draw(), draw(), self_draw(0)).previous_draws == 0


def test_start_points_are_had_but_not_won():
    now = night(self_draw(0), of=opening(start=1000))
    assert dict(now.totals) == {"A": 1004, "B": 998, "C": 998}
    assert now.balances == {"A": 4, "B": -2, "C": -2}
    assert now.check == 0


def test_house_rules_of_the_night_and_options_of_the_case_both_count():
    doubled = opening(changes={"unit": 5})
    assert totals(self_draw(0), of=doubled) == {"A": 20, "B": -10, "C": -10}
    assert totals(self_draw(0) | {"options": {"unit": 7}}, of=doubled) == {"A": 28, "B": -14, "C": -14}


def test_a_case_that_names_another_preset_is_played_by_that_one():
    capped = self_draw(0, "1111222233334p + 4p")  # pure_suit and three quads: 256 from each; Suizhou caps at ×16
    assert totals(capped)["A"] == 512
    assert totals(capped | {"ruleset": "ka_wu_xing", "variant": "kwx_suizhou"})["A"] == 32


# ---------------------------------------------------------------- edits


def test_an_edit_of_an_early_hand_moves_the_dealer_and_totals_of_every_later_one():
    now = night(self_draw(0), draw(), self_draw(1))
    assert [entry.dealer for entry in now.entries] == ["A", "A", "A"]
    edit = event(correcting(now, "1", played(discard(2, 1, PURE))))
    after = change_of(now, edit)
    assert [entry.dealer for entry in after.night.entries] == ["A", "C", "C"]
    assert dict(after.night.totals) == {"A": 0 - 2, "B": -4 + 4, "C": 4 - 2}
    assert dict(after.totals) == {"A": (2, -2), "B": (2, 0), "C": (-4, 2)}  # before and after, for the preview
    ((before, changed),) = after.touched
    assert before is not None
    assert (before.net, changed.net) == ({"A": 4, "B": -2, "C": -2}, {"B": -4, "C": 4})


def test_the_last_of_several_corrections_counts_and_undoing_it_brings_the_one_before_back():
    edits = [self_draw(0), Corrected("1", played(self_draw(1))), Corrected("1", played(self_draw(2)))]
    assert totals(*edits) == {"A": -2, "B": -2, "C": 4}
    assert totals(*edits, Undone("3")) == {"A": -2, "B": 4, "C": -2}
    assert totals(*edits, Undone("3"), Undone("2")) == {"A": 4, "B": -2, "C": -2}


def test_a_correction_may_name_the_correction_it_puts_right():
    now = night(self_draw(0), Corrected("1", played(self_draw(1))))
    assert correcting(now, "2", played(self_draw(2))) == Corrected("1", played(self_draw(2)))
    assert totals(self_draw(0), Corrected("1", played(self_draw(1))), Corrected("2", played(self_draw(2))))["C"] == 4


def test_undo_takes_back_the_latest_and_redo_brings_it_again_without_limit():
    now = night(self_draw(0), self_draw(1), self_draw(2))
    for gone in ("3", "2", "1"):
        assert to_undo(now.events) == gone
        now = change_of(now, event(Undone(gone))).night
    assert set(now.totals.values()) == {0}
    with pytest.raises(LedgerError, match="nothing left to undo"):
        to_undo(now.events)
    for expected in ({"A": 4, "B": -2, "C": -2}, {"A": 2, "B": 2, "C": -4}, {"A": 0, "B": 0, "C": 0}):
        now = change_of(now, event(Undone(to_redo(now.events)))).night
        assert dict(now.totals) == expected
    with pytest.raises(LedgerError, match="nothing to redo"):
        to_redo(now.events)


def test_undo_after_redo_takes_back_what_was_brought_again():
    now = night(self_draw(0), self_draw(1), Undone("2"), Undone("3"))
    assert to_undo(now.events) == "2"


def test_something_new_closes_the_way_to_redo():
    with pytest.raises(LedgerError, match="nothing to redo"):
        to_redo(night(self_draw(0), Undone("1"), self_draw(1)).events)


def test_an_undone_hand_keeps_its_line_in_the_log():
    now = night(self_draw(0), self_draw(1), Undone("1"))
    assert [(entry.undone, entry.flows != ()) for entry in now.entries] == [(True, False), (False, True)]


def test_a_later_hand_that_an_edit_makes_impossible_keeps_its_line_with_the_reason():
    now = night(Seated(("A", "B", "D")), Adjusted({"D": 5, "A": -5}), of=opening("A", "B", "C"))
    after = change_of(now, event(Undone("1"))).night
    assert after.entries[1].problem is not None
    assert "Nobody called “D”" in after.entries[1].problem.en
    assert dict(after.totals) == {"A": 0, "B": 0, "C": 0}


# ---------------------------------------------------------------- adjustments, payments, seats, rules


def test_an_adjustment_moves_points_and_what_is_left_over_is_named():
    now = night(Adjusted({"A": -20, "B": 15}, "broken cup"))
    assert dict(now.totals) == {"A": -20, "B": 15, "C": 0}
    assert (now.nobody, now.check) == (5, 0)
    assert {(flow.payer, flow.receiver, flow.amount) for flow in now.entries[0].flows} == {
        ("A", NOBODY, 20),
        (NOBODY, "B", 15),
    }


def test_a_payment_lowers_what_is_owed_and_leaves_the_totals():
    now = night(discard(0, 1), Paid("B", "A", 1))
    assert dict(now.totals) == {"A": 2, "B": -2, "C": 0}
    assert now.balances == {"A": 1, "B": -1, "C": 0}


def test_a_fourth_sits_out_and_comes_in_and_the_dealer_keeps_the_deal():
    four = opening("A", "B", "C", "D", dealer=1)
    now = night(self_draw(0), Seated(("D", "A", "C")), discard(0, 1), of=four)
    assert now.seats == ("D", "A", "C")
    assert dict(now.totals) == {"A": 4 - 2, "B": -2, "C": -2, "D": 2}
    assert [entry.dealer for entry in now.entries] == ["B", "A", "A"]


def test_two_go_on_when_the_third_goes_home_and_a_fourth_may_sit_down():
    now = night(self_draw(0), Seated(("A", "B")), self_draw(1), Seated(("A", "B", "D")), self_draw(0))
    assert dict(now.totals) == {"A": 6, "B": -2, "C": -2, "D": -2}
    assert [dict(entry.rules.changes) for entry in now.entries] == [{}, {}, {"players": 2}, {"players": 2}, {}]
    now = night(Seated(("A", "B", "C", "D")))
    assert (now.rules.changes, now.seats) == ({"players": 4}, ("A", "B", "C", "D"))


def test_somebody_joins_with_the_start_points():
    now = night(Seated(("A", "B", "E"), dealer=2), of=opening(start=100))
    assert now.players == ("A", "B", "C", "E")
    assert (now.totals["E"], now.dealer, now.check) == (100, "E", 0)


def test_new_rules_hold_from_then_on():
    now = night(self_draw(0), RulesChanged(RulesChoice("kwx_base", {"unit": 10})), self_draw(0))
    assert [entry.net.get("A") for entry in now.entries] == [4, None, 40]


def test_rules_for_more_players_seat_those_who_waited():
    four = opening("A", "B", "C", "D")
    now = night(RulesChanged(RulesChoice("kwx_four_players")), of=four)
    assert now.seats == ("A", "B", "C", "D")


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ([{"kind": "win", **self_draw(0, "111222p 444s 77s FF + 8s")}], "not complete"),
        ([{**self_draw(0), "winner": 3}], "There is no seat 3"),
        ([{"kind": "win", "concealed": [], "win_by": "discard"}], "lacks “winner”"),
        ([{**self_draw(0), "players": 4}], "is for 4 players"),
        ([{**self_draw(0), "variant": "kwx_four_players"}], "is for 4 players"),
        ([{**self_draw(0), "variant": "bridge"}], "no rules “bridge”"),
        ([{**self_draw(0), "options": {"cap": "high"}}], "“cap” must be"),
        ([{**self_draw(0), "options": 3}], "“options” of the case must be an object"),
        ([{"kind": "riichi"}], "“riichi” cannot be recorded"),
        ([{"kind": "kong"}], "lacks “kongs”"),
        ([kong(0, "pung")], "“pung” is no kind of kong"),
        ([kong(7)], "There is no seat 7"),
        ([{"kind": "kong", "kongs": 5}], "not in the form"),
        ([{"kind": "escape", "circumstances": {"escapee": 1}}], "knows no penalty for leaving"),
        ([Adjusted({"A": 5})], "needs a note"),
        ([Adjusted({"X": 5, "A": -5})], "Nobody called “X” plays this night; there are A, B, C"),
        ([Paid("A", "A", 5)], "from one player to another"),
        ([Paid("A", "B", 0)], "positive amount"),
        ([Paid("A", "Z", 1)], "Nobody called “Z”"),
        ([Seated(("A",))], "3 players must sit, not 1"),
        ([Seated(("A", "B", "B"))], "same name"),
        ([Seated(("A", "B", " "))], "needs a name"),
        ([Seated(("A", "B", "C"), 3)], "between 0 and 2"),
        ([RulesChanged(RulesChoice("kwx_four_players"))], "let somebody join first"),
        ([Undone("9")], "no event “9”"),
        ([self_draw(0), Undone("1"), Undone("1")], "undone already"),
        ([self_draw(0), Corrected("9", played(draw()))], "no event “9”"),
        ([self_draw(0), Undone("1"), Corrected("1", played(draw()))], "redo it before"),
        ([self_draw(0), Corrected("1", Paid("A", "B", 1))], "of the same kind"),
        ([self_draw(0), Corrected("1", played({"kind": "riichi"}))], "cannot be recorded"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(changes, sentence):
    with pytest.raises(LedgerError, match=sentence):
        night(*changes)


@pytest.mark.parametrize(
    ("of", "sentence"),
    [
        (opening("A", "B"), "need 3 players and only 2"),
        (opening("A", "B", "A"), "same name"),
        (opening("A", "B", ""), "needs a name"),
        (opening(dealer=3), "between 0 and 2"),
        (opening(rules="poker"), "no rules “poker”"),
        (opening(changes={"luck": 1}), "no option “luck”"),
    ],
)
def test_a_night_that_cannot_begin_is_refused(of, sentence):
    with pytest.raises(LedgerError, match=sentence):
        fold(of, ())


def test_every_refusal_speaks_chinese_too():
    with pytest.raises(LedgerError) as refused:
        night(Adjusted({"A": 5}))
    assert refused.value.text.zh == "调整之和不为零时须写明原因。"


def test_the_default_hand_is_what_its_name_says():
    now = night(self_draw(0, PUNGS))
    assert now.entries[0].outcome is not None
    assert now.entries[0].outcome.elements == (("all_pungs",),)


def test_one_event_more_gives_what_folding_all_of_them_gives():
    now = fold(opening(start=10), ())
    deeds = [self_draw(0), draw(1), Adjusted({"A": -3}, "cup"), Seated(("A", "B", "D")), Paid("A", "D", 2), kong(1)]
    for n, deed in enumerate(deeds):
        now = after(now, event(deed, f"d{n}"))
        assert now == fold(now.opening, now.events)
    assert now.entry("d5").previous_draws == 1


def test_the_dealer_pays_for_a_drawn_hand_where_the_house_says_so():
    failed = {"kind": "draw", "contract": {"seat": 2, "level": 2, "kind": "two"}}
    of = opening("A", "B", "C", "D", rules="zhuji_bao", changes={"draw_payer": "dealer"}, dealer=1)
    assert totals(failed, of=of) == {"A": 5, "B": -15, "C": 5, "D": 5}  # contract 2 tai: 5 to each


def test_players_have_the_colour_they_chose_or_the_next_one():
    of = replace(opening(), colours=(COLOURS[4], COLOURS[0]))
    now = night(Seated(("A", "B", "D")), of=of)
    assert [now.colour(name) for name in "ABCD"] == [COLOURS[4], COLOURS[0], COLOURS[2], COLOURS[3]]
    assert opening_from_json(opening_to_json(of)) == of
    with pytest.raises(LedgerError, match="colours of the players"):
        opening_from_json(opening_to_json(replace(of, colours=("url(x)",))))


@pytest.mark.parametrize(("rules", "players", "wants"), [("shandong", 3, 4), ("kwx_suizhou", 4, 4)])
def test_a_hand_for_another_number_of_players_is_refused_by_the_number_it_is_for(rules, players, wants):
    with pytest.raises(LedgerError, match=f"for {wants} players and 3 sit at the table"):
        play({"ruleset": rules, "players": players}, Moment(RulesChoice("kwx_suizhou"), 3, 0, 0))
