"""山东麻将 hand by hand: fans, flowers, liabilities and each switch of section 6."""

from typing import Any

import pytest

from scoring import Hand, Kong, RulesError, Score, rules
from scoring.rulesets.shandong import grade
from tests.scoring.playing import refused, told, win, won

PLAIN_HAND = "123m 456p 789s 55m 34p + 5p"
ROWS: list[tuple[str, Any, dict[str, Any], dict[str, Any], str]] = [
    # (5 + 0) × 1 from each
    (PLAIN_HAND, None, {}, {}, "plain_win | fan 1, flowers 0 | 15 -5 -5 -5"),
    (PLAIN_HAND, 2, {}, {}, "plain_win | fan 1, flowers 0 | 5 0 -5 0"),
    # two flower tiles and East: (5 + 3) × 2
    ("1233455789m [EEE] + 5m | 15f", 2, {}, {}, "mixed_suit | fan 2, flowers 3 | 16 0 -16 0"),
    ("EESSCC 11m 33p 99s 4m + 4m", None, {}, {}, "seven_pairs | fan 2, flowers 0 | 30 -10 -10 -10"),
    # 2 + 5
    ("55m 22p 888s [222m] [555p] + 5m", 1, {}, {}, "all_258 all_pungs | fan 7, flowers 0 | 35 -35 0 0"),
    ("222555888m 2255p + 5p", None, {}, {}, "all_258 all_pungs | fan 7, flowers 0 | 105 -35 -35 -35"),
    ("1234567m 55m [789m] 78m + 9m", None, {}, {}, None),
    ("12345678m 22m 45m + 6m", None, {}, {}, None),
    # 5 + 2: pure suit and straight
    ("123456789m 2245m + 3m", None, {}, {}, "pure_straight pure_suit | fan 7, flowers 0 | 105 -35 -35 -35"),
    ("123789m 22p 456p [456m] + 7p", None, {}, {}, None),
    ("123789m 22p 78p [456m] + 9p", 1, {}, {}, "pure_straight | fan 2, flowers 0 | 10 -10 0 0"),
    # the winning tile completes the pung of 8: no flower; kongs 2 and 1
    ("2225588s [CCC] [EEE] + 8s", 1, {}, {}, "all_pungs mixed_suit | fan 4, flowers 2 | 28 -28 0 0"),
    # exposed honour kong 2, concealed honour kong 3, added suit kong 1, concealed suit kong 2: (5 + 8) × 4
    ("5s [EEEE] [CCCC concealed] [1111s added] [9999s concealed] + 5s", 3, {}, {},
        "all_pungs mixed_suit | fan 4, flowers 8 | 52 0 0 -52"),
    ("88m 23456p CCC [789s] + 7p", None, {}, {}, "plain_win | fan 1, flowers 0 | 15 -5 -5 -5"),
    ("88m 23456p CCC [789s] + 7p", None, {}, {"concealed_honour_triplet_flower": True},
        "plain_win | fan 1, flowers 1 | 18 -6 -6 -6"),
    # completed by the winning tile: none
    ("88m 234p 567p CC [789s] + C", None, {}, {"concealed_honour_triplet_flower": True}, None),
    ("88m 234p 22p [789s] CC + C", None, {}, {"concealed_honour_triplet_flower": True}, None),
    # East by oneself; completed by the winning tile it gives none
    ("88m 23456p EEE [789s] + 7p", None, {}, {"concealed_honour_triplet_flower": True},
     "plain_win | fan 1, flowers 1 | 18 -6 -6 -6"),
    ("88m 234p EE [789s] [567p] + E", None, {}, {"concealed_honour_triplet_flower": True},
     "plain_win | fan 1, flowers 0 | 15 -5 -5 -5"),
    # --- circumstances
    ("2225588s [CCCC] [EEE] + 8s", None, {"kong_bloom": True}, {},
        "all_pungs kong_bloom mixed_suit | fan 6, flowers 3 | 144 -48 -48 -48"),
    (PLAIN_HAND + " | 1f", None, {"kong_bloom": True}, {}, "kong_bloom | fan 2, flowers 1 | 36 -12 -12 -12"),
    (PLAIN_HAND, None, {"heavenly_hand": True}, {}, "heavenly_hand | fan 6, flowers 0 | 90 -30 -30 -30"),
    # flowers were replaced: the hand was completed by a replacement tile
    (PLAIN_HAND + " | 1f", None, {"heavenly_hand": True}, {},
    "heavenly_hand kong_bloom | fan 8, flowers 1 | 144 -48 -48 -48"),
    (PLAIN_HAND, 1, {"earthly_hand": True}, {}, "earthly_hand | fan 5, flowers 0 | 25 -25 0 0"),
    (PLAIN_HAND, 1, {"earthly_hand": True}, {"earthly_self_draw_only": True},
    "plain_win | fan 1, flowers 0 | 5 -5 0 0"),
    # 1 + 2^3
    (PLAIN_HAND, None, {"previous_draws": 3}, {}, "draw_bonus:8 plain_win | fan 9, flowers 0 | 135 -45 -45 -45"),
    (PLAIN_HAND, None, {"previous_draws": 7}, {}, "draw_bonus:32 plain_win | fan 33, flowers 0 | 495 -165 -165 -165"),
    (PLAIN_HAND, None, {"previous_draws": 3}, {"draw_bonus_op": "multiply"},
    "draw_bonus:8 plain_win | fan 8, flowers 0 | 120 -40 -40 -40"),
    (PLAIN_HAND, None, {"previous_draws": 3}, {"draw_bonus_curve": "linear"},
    "draw_bonus:6 plain_win | fan 7, flowers 0 | 105 -35 -35 -35"),
    (PLAIN_HAND, None, {"previous_draws": 20}, {"draw_bonus_curve": "linear"},
    "draw_bonus:32 plain_win | fan 33, flowers 0 | 495 -165 -165 -165"),
    (PLAIN_HAND, None, {"previous_draws": 3}, {"values": {"draw_bonus": None}},
    "plain_win | fan 1, flowers 0 | 15 -5 -5 -5"),
    # (1 + 8) × 2
    (PLAIN_HAND, None, {"previous_draws": 3, "open_ready_winner": True}, {},
    "draw_bonus:8 open_ready plain_win | fan 18, flowers 0 | 270 -90 -90 -90"),
    (PLAIN_HAND, None, {"previous_draws": 1, "open_ready_winner": True}, {"draw_bonus_op": "multiply"},
    "draw_bonus:2 open_ready plain_win | fan 4, flowers 0 | 60 -20 -20 -20"),
    ("1233455789m [EEE] + 5m", 2, {}, {"base_fan_always": True},
        "mixed_suit plain_win | fan 3, flowers 1 | 18 0 -18 0"),
    # --- who pays
    (PLAIN_HAND, 3, {"by": "rob_kong"}, {}, "plain_win | fan 1, flowers 0 | 15 0 0 -15"),
    (PLAIN_HAND, 3, {"by": "rob_kong"}, {"rob_pays_all": False}, "plain_win | fan 1, flowers 0 | 5 0 0 -5"),
    # 包饺子: whose discard was konged pays all three
    ("2225588s [CCCC from 2] [EEE] + 8s", None, {"kong_bloom": True, "kong_fed_by": 2}, {},
        "all_pungs kong_bloom mixed_suit | fan 6, flowers 3 | 144 0 -144 0"),
    ("2225588s [CCCC from 2] [EEE] + 8s", None, {"kong_bloom": True, "kong_fed_by": 2, "open_ready_payers": (2,)}, {},
        "all_pungs kong_bloom mixed_suit | fan 6, flowers 3 | 288 0 -288 0"),
    # without a bloom nobody is liable for the kong
    ("2225588s [CCCC from 2] [EEE] + 8s", None, {"kong_fed_by": 2}, {},
        "all_pungs mixed_suit | fan 4, flowers 3 | 96 -32 -32 -32"),
    # 承包: three shares by self-draw or robbing, one on a discard, before every other liability
    ("5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", None, {"three_claim_feeder": 3}, {},
        "mixed_suit | fan 2, flowers 1 | 36 0 0 -36"),
    ("5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", 1, {"three_claim_feeder": 3}, {},
        "mixed_suit | fan 2, flowers 1 | 12 0 0 -12"),
    ("5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", 1, {"three_claim_feeder": 3, "by": "rob_kong"}, {},
        "mixed_suit | fan 2, flowers 1 | 36 0 0 -36"),
    ("5567m [123m from 3] [999m from 3] [SSSS from 1] + 8m", None, {"three_claim_feeder": 3, "kong_bloom": True,
        "kong_fed_by": 1}, {}, "kong_bloom mixed_suit | fan 4, flowers 2 | 84 0 0 -84"),
    # doubled only when the feeder is in 明楼 and discarded himself
    ("5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", 3, {"three_claim_feeder": 3, "open_ready_payers": (3,)},
        {}, "mixed_suit | fan 2, flowers 1 | 24 0 0 -24"),
    ("5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", None, {"three_claim_feeder": 3, "open_ready_payers": (3,
        )}, {}, "mixed_suit | fan 2, flowers 1 | 36 0 0 -36"),
    ("5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", 1, {"three_claim_feeder": 3, "open_ready_payers": (1, 3)},
        {}, "mixed_suit | fan 2, flowers 1 | 12 0 0 -12"),
    (PLAIN_HAND, 2, {"open_ready_payers": (2,)}, {}, "plain_win | fan 1, flowers 0 | 10 0 -10 0"),
    (PLAIN_HAND, 2, {"open_ready_payers": (1,)}, {}, "plain_win | fan 1, flowers 0 | 5 0 -5 0"),
    (PLAIN_HAND, 3, {"by": "rob_kong", "open_ready_payers": (3,)}, {}, "plain_win | fan 1, flowers 0 | 30 0 0 -30"),
    (PLAIN_HAND, None, {"open_ready_payers": (2,)}, {}, "plain_win | fan 1, flowers 0 | 15 -5 -5 -5"),
    (PLAIN_HAND, None, {"open_ready_payers": (2,)}, {"open_ready_doubles_self_draw_loss": True},
    "plain_win | fan 1, flowers 0 | 20 -5 -10 -5"),
    (PLAIN_HAND, 1, {"by": "rob_kong", "open_ready_winner": True}, {"open_ready_wins_by_rob": True},
    "open_ready plain_win | fan 2, flowers 0 | 30 -30 0 0"),
    # the total of 8 × 2 in thirds, the remainder from the next in turn; from seat 2: seats 3, 0, 1
    ("1233455789m [EEE] + 5m | 15f", None, {}, {"share_is": "total"}, "mixed_suit | fan 2, flowers 3 | 16 -6 -5 -5"),
    ("1233455789m [EEE] + 5m | 15f", None, {"winner": 2}, {"share_is": "total"},
        "mixed_suit | fan 2, flowers 3 | -5 -5 16 -6"),
    ("1233455789m [EEE] + 5m | 15f", 2, {}, {"share_is": "total"}, "mixed_suit | fan 2, flowers 3 | 16 0 -16 0"),
    (PLAIN_HAND, 3, {"by": "rob_kong"}, {"share_is": "total"}, "plain_win | fan 1, flowers 0 | 5 0 0 -5"),
    # --- shapes
    ("2258m 2255p 2258s 8p + 8s", None, {}, {"all_258_free_shape": True},
        "all_258 | fan 5, flowers 0 | 75 -25 -25 -25"),
    ("EESSCC 22m 33p 99s 4m + 4m", None, {}, {"seven_pairs_need_258": True},
        "seven_pairs | fan 2, flowers 0 | 30 -10 -10 -10"),
    ("225588m 2255p 225s + 5s", None, {}, {}, "all_258 seven_pairs | fan 7, flowers 0 | 105 -35 -35 -35"),
    (PLAIN_HAND, None, {}, {"base": 8, "unit": 2}, "plain_win | fan 1, flowers 0 | 48 -16 -16 -16"),
]  # fmt: skip
ROWS = [row for row in ROWS if row[4]]


@pytest.mark.parametrize(("hand", "discarder", "how", "options", "expected"), ROWS)
def test_a_share_is_base_and_flowers_times_fan(
    hand: str, discarder: Any, how: Any, options: Any, expected: str
) -> None:
    assert told(won("shandong", hand, discarder, options=options, **how)) == expected


@pytest.mark.parametrize(
    ("hand", "discarder", "how", "options", "codes"),
    [
        ("12333m 34456p 789s + 5p", None, {}, {}, {"no_258_pair"}),
        ("123m 456p 789s 55m 34p + 9p", None, {}, {}, {"no_shape"}),
        ("EESSCC 11m 33p 99s 4m + 4m", None, {}, {"seven_pairs_need_258": True}, {"no_258_pair"}),
        ("2258m 2255p 2258s 8p + 8s", None, {}, {}, {"no_shape"}),
        ("2258m 2255p 2258s 9p + 8s", None, {}, {"all_258_free_shape": True}, {"no_shape"}),
        (PLAIN_HAND, 2, {"open_ready_winner": True}, {}, {"open_ready"}),
        (PLAIN_HAND, 2, {"open_ready_winner": True, "by": "rob_kong"}, {}, {"open_ready"}),
        (PLAIN_HAND, None, {"open_ready_payers": (0,)}, {}, {"seat"}),
        (PLAIN_HAND, None, {"open_ready_payers": (9,)}, {}, {"seat"}),
        (PLAIN_HAND, None, {"three_claim_feeder": 0}, {}, {"seat"}),
        (PLAIN_HAND, None, {"kong_fed_by": 4}, {}, {"seat"}),
        (PLAIN_HAND, None, {"previous_draws": -1}, {}, {"previous_draws"}),
        (PLAIN_HAND, 1, {"kong_bloom": True}, {}, {"contradiction"}),
        (PLAIN_HAND, 1, {"heavenly_hand": True}, {}, {"contradiction"}),
        (PLAIN_HAND, None, {"heavenly_hand": True, "earthly_hand": True}, {}, {"contradiction"}),
        ("2225588s [CCC] [EEE] + 8s", 1, {"earthly_hand": True}, {}, {"contradiction"}),
        ("2225588s [CCC] [EEE] + 8s", None, {"heavenly_hand": True}, {}, {"contradiction"}),
        (PLAIN_HAND + " | 11f", None, {}, {}, {"too_many_copies"}),
        (PLAIN_HAND + " | 1m", None, {}, {}, {"not_a_flower"}),
        ("123m 456p 789s 55m 34p + 1f", None, {}, {}, {"tile_not_in_game"}),
        ("2225588s [CCC] [135s] + 8s", 1, {}, {}, {"not_a_chow"}),
        ("2225588s [CCC] [1ESs] + 8s".replace("1ESs", "ESW"), 1, {}, {}, {"not_a_chow"}),
    ],
)
def test_a_hand_that_may_not_win_is_refused_with_its_reason(
    hand: str, discarder: Any, how: Any, options: Any, codes: set[str]
) -> None:
    assert refused("shandong", hand, discarder, options=options, **how) == codes


def test_several_robbers_each_receive_three_shares() -> None:
    both = [win(PLAIN_HAND, 3, by="rob_kong"), win(PLAIN_HAND, 3, by="rob_kong", winner=1)]
    results, settlement = rules("shandong").settle_wins(both)
    assert all(isinstance(result, Score) for result in results)
    assert settlement.payments == (15, 15, 0, -30)


def test_leaving_the_table_costs_ten_times_base_and_flowers() -> None:
    hand = Hand.parse("[CCC] | 12f")
    table = rules("shandong")
    flowers, settlement = table.ruleset.settle_escape(table, hand, 1, 4)  # type: ignore[attr-defined]
    assert (flowers, settlement.payments) == (3, (0, -80, 0, 0))
    assert table.ruleset.settle_escape(table, hand, 0, 4)[1].payments == (-80, 0, 0, 0)  # type: ignore[attr-defined]
    shared = rules("shandong", {"escape_recipients": "others"})
    # 80 in thirds: 27 for seats 2 and 3, next in turn, 26 for seat 0
    assert shared.ruleset.settle_escape(shared, hand, 1, 4)[1].payments == (26, -80, 27, 27)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="seat from 0 to 3"):
        table.ruleset.settle_escape(table, hand, 4, 4)  # type: ignore[attr-defined]


def test_kongs_and_draws_cost_nothing_by_themselves() -> None:
    table = rules("shandong")
    assert [step.payments for step in table.settle_kongs([Kong(0, "kong_concealed")])] == [(0, 0, 0, 0)]
    assert table.settle_draw({}).payments == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("options", "dealer", "winners", "discarder", "expected"),
    [({}, 0, [], None, 1), ({"dealer_on_draw": "stay"}, 3, [], None, 3), ({}, 0, [2], 1, 2), ({}, 0, [2, 3], 1, 1)],
)
def test_the_next_dealer(options: Any, dealer: int, winners: Any, discarder: Any, expected: int) -> None:
    assert rules("shandong", options).next_dealer(dealer, winners, discarder) == expected


@pytest.mark.parametrize(
    ("total", "title"), [(-5, "白板"), (100, "白板"), (200, "一万"), (9_999, "五万"), (5_000_000, "雀神")]
)
def test_totals_have_grades(total: int, title: str) -> None:
    assert grade(total) == title


def test_the_receipt_adds_up_and_names_every_flower() -> None:
    score = won(
        "shandong",
        "5m CCC 234567p [EEE] + 5m | 1f",
        1,
        previous_draws=2,
        open_ready_payers=(1,),
        options={"concealed_honour_triplet_flower": True, "unit": 2},
    )
    assert [step.text.en for step in score.steps] == [
        "hand: plain win 1 = 1 fan",
        "draw bonus: 1 + 4 = 5 fan",
        "flowers: 1f 1 + EEE 1 + concealed CCC 1 = 3",
        "each share: (base + flowers) × fan = (5 + 3) × 5 × 2 = 80",
        "seat 1 (open ready ×2): 160",
        "the winner receives 160",
    ]
    assert [line.element for line in score.lines] == ["plain_win", "draw_bonus"]
    fed = won(
        "shandong", "5567m [123m from 3] [999m from 3] [SSS from 3] + 8m", three_claim_feeder=3, open_ready_winner=True
    )
    assert "seat 3 for seat 1: 24" in [step.text.en for step in fed.steps]
    assert "open ready: 2 × 2 = 4 fan" in [step.text.en for step in fed.steps]
    straight = won("shandong", "123789m 22p 78p [456m] + 9p", 1)
    assert straight.lines[0].tiles == tuple(f"{n}m" for n in range(1, 10))
    assert won("shandong", "2258m 2255p 2258s 8p + 8s", options={"all_258_free_shape": True}).groups == ()


def test_advice_stands_on_the_receipt() -> None:
    claims = won("shandong", "5567m [123m from 3] [999m from 3] [SSS from 3] + 8m")
    assert [note.code for note in claims.notes] == ["three_claims"]
    assert [note.code for note in won("shandong", PLAIN_HAND, kong_bloom=True).notes] == ["no_kong"]
    assert [note.code for note in won("shandong", PLAIN_HAND, kong_fed_by=1).notes] == ["no_bloom"]


def test_a_free_shape_needs_the_element_it_pays() -> None:
    with pytest.raises(RulesError, match="all_258_free_shape"):
        rules("shandong", {"all_258_free_shape": True, "values": {"all_258": None}})


def test_a_refusal_says_what_the_tiles_wait_for() -> None:
    result = rules("shandong").score(win("123m 456p 789s 55m 34p + 9p"))
    assert [hint.text.en for hint in result.hints] == ["These tiles wait for 25p."]  # type: ignore[union-attr]
    hopeless = rules("shandong").score(win("147m 147p 147s ESWN + C"))
    assert hopeless.hints == ()  # type: ignore[union-attr]
