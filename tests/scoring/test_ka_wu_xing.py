"""卡五星 hand by hand: the elements, each switch of section 6 turned, who pays, kongs and draws."""

from typing import Any

import pytest

from scoring import Kong, Refusal, RulesError, Score, rules
from tests.scoring.playing import refused, told, win, won

# A hand, how it was won, and what the receipt must say. Seat 0 wins unless stated; numbers after | are net payments.
PLAIN: list[tuple[str, str, Any, dict[str, Any], str]] = [
    # --- elements
    ("kwx_base", "23467s 123789p CC + 8s", None, {}, "chicken_hand | multiplier 1 | 2 -1 -1"),
    ("kwx_base", "123789p 4556s CCC + 5s", 1, {}, "middle_five | multiplier 2 | 2 -2 0"),
    ("kwx_base", "123789p 4688s CCC + 5s", None, {}, "middle_five | multiplier 2 | 4 -2 -2"),
    # 5 may be read as 5-6-7 too; one reading with it in the middle is enough
    ("kwx_base", "123789p 2245667s + 5s", 1, {}, "middle_five | multiplier 2 | 2 -2 0"),
    # 4 × 2: the fourth five, in the middle of 4-5-6
    ("kwx_base", "123789p 2245556s + 5s", 2, {}, "concealed_four middle_five | multiplier 8 | 8 0 -8"),
    # a 5 that ends 3-4-5 is no middle five
    ("kwx_base", "12378934p 22s CCC + 5p", None, {}, "chicken_hand | multiplier 1 | 2 -1 -1"),
    # 8 × 2
    ("kwx_base", "88p 22s PPP [CCC] [FFF] + 8p", 1, {}, "all_pungs big_three_dragons | multiplier 16 | 16 -16 0"),
    # 4 × 2 is the price of big three dragons
    ("kwx_base", "88p 222s PP [CCC] [FFF] + 8p", 2, {}, "all_pungs little_three_dragons | multiplier 8 | 8 0 -8"),
    ("kwx_base", "46s 123p PP [CCC] [FFFF concealed] + 5s", None, {},
        "little_three_dragons middle_five | multiplier 8 | 16 -8 -8"),
    # two dragon pungs and another pair are nothing
    ("kwx_base", "88p 22s 123p [CCC] [FFF] + 2s", None, {}, "chicken_hand | multiplier 1 | 2 -1 -1"),
    # four melds contain all pungs: 4, not 8
    ("kwx_base", "5s [111p] [333s] [7777s] [CCC] + 5s", 1, {}, "single_tile_hand | multiplier 4 | 4 -4 0"),
    ("kwx_xiangfan", "5s [111p] [333s] [7777s] [CCC] + 5s", 1, {},
        "all_pungs single_tile_hand | multiplier 4 | 4 -4 0"),
    ("kwx_base", "789p 45s 123p FF [333s] + 3s", None, {}, "open_four | multiplier 2 | 4 -2 -2"),
    # --- seven pairs
    ("kwx_base", "1133s 7799p CCFF 2s + 2s", None, {}, "seven_pairs | multiplier 4 | 8 -4 -4"),
    ("kwx_base", "1122334456677s + 5s", None, {}, "pure_suit seven_pairs | multiplier 16 | 32 -16 -16"),
    # 8 × 4 as pairs, 2 × 4 × 4 as sets: the pairs are printed first
    ("kwx_base", "1122334455566s + 5s", None, {}, "dragon_seven_pairs pure_suit | multiplier 32 | 64 -32 -32"),
    ("kwx_base", "1111s 2244555p 33s + 5p", None, {}, "double_dragon_seven_pairs | multiplier 16 | 32 -16 -16"),
    # three fours without a value of their own are printed and valued as two
    ("kwx_base", "33337p 11115555s + 7p", 1, {}, "double_dragon_seven_pairs | multiplier 16 | 16 -16 0"),
    ("kwx_leyou", "33337p 11115555s + 7p", 1, {}, "triple_dragon_seven_pairs | multiplier 128 | 128 -128 0"),
    ("kwx_leyou", "3377p 1122s CCFFP + P", None, {}, "three_dragons_seven_pairs | multiplier 32 | 64 -32 -32"),
    # four fours left in one suit: 4 × 4 × 4 × 4 beats seven pairs with 64
    ("kwx_base", "1111222233334s + 4s", None, {},
        "concealed_four concealed_four concealed_four pure_suit | multiplier 256 | 512 -256 -256"),
    # --- circumstances
    ("kwx_base", "444p 22277s CC [9999p] + C", None, {"kong_bloom": True},
        "all_pungs kong_bloom | multiplier 4 | 8 -4 -4"),
    ("kwx_base", "444p 22277s CC [999p] + C", 2, {"kong_discard": True},
        "all_pungs kong_discard | multiplier 4 | 4 0 -4"),
    ("kwx_base", "123789p 22245s CC + 3s", 1, {"by": "rob_kong"}, "rob_kong | multiplier 2 | 2 -2 0"),
    ("kwx_base", "444p 22277s CC [999p] + 7s", None, {"last_tile_draw": True},
        "all_pungs last_tile_draw | multiplier 4 | 8 -4 -4"),
    # A has no last discard; B and C double it
    ("kwx_base", "444p 22277s CC [999p] + 7s", 1, {"last_tile_discard": True}, "all_pungs | multiplier 2 | 2 -2 0"),
    ("kwx_yunmeng", "444p 22277s CC [999p] + 7s", 1, {"last_tile_discard": True},
        "all_pungs last_tile_discard | multiplier 4 | 4 -4 0"),
    ("kwx_baohu", "444p 22277s CC [999p] + 7s", 1, {"last_tile_discard": True, "kong_discard": True},
        "all_pungs kong_discard last_tile_discard | multiplier 8 | 8 -8 0"),
    # --- reveals
    ("kwx_base", "444p 22277s CC [999p] + C", None, {"revealed": (0,)},
        "all_pungs revealed_hand | multiplier 4 | 8 -4 -4"),
    # the discarder to a revealed hand pays both shares of 2
    ("kwx_base", "23467s 123789p CC + 8s", 1, {"revealed": (0,)}, "chicken_hand revealed_hand | multiplier 2 | 4 -4 0"),
    ("kwx_leyou", "23467s 123789p CC + 8s", 1, {"revealed": (0,)},
        "chicken_hand revealed_hand | multiplier 2 | 2 -2 0"),
    # B: a revealed loser pays double, so that a chicken hand reaches the minimum of 2
    ("kwx_yunmeng", "23467s 123789p CC + 8s", 1, {"revealed": (1,)}, "chicken_hand | multiplier 2 | 2 -2 0"),
    ("kwx_leyou", "23467s 123789p CC + 8s", None, {"revealed": (2,)}, "chicken_hand | multiplier [1, 2] | 3 -1 -2"),
    # --- caps
    ("kwx_suizhou", "1122334456677s + 5s", None, {}, "pure_suit seven_pairs | multiplier 8 | 16 -8 -8"),
    ("kwx_suizhou", "1111s 2244555p 33s + 5p", None, {}, "double_dragon_seven_pairs | multiplier 16 | 32 -16 -16"),
    # a triple dragon without a value is a double dragon, its exception included
    ("kwx_suizhou", "33337p 11115555s + 7p", 1, {}, "double_dragon_seven_pairs | multiplier 16 | 16 -16 0"),
    ("kwx_shiyan", "1111s 2244555p 33s + 5p", None, {}, "double_dragon_seven_pairs | multiplier 8 | 16 -8 -8"),
    # 8 after the reveal, too
    ("kwx_suizhou", "1122334456677s + 5s", None, {"revealed": (0,)},
        "pure_suit revealed_hand seven_pairs | multiplier 8 | 16 -8 -8"),
    # Xiaogan doubles outside the cap: min(16, 8) × 2
    ("kwx_xiaogan", "1122334456677s + 5s", None, {"revealed": (0,)},
        "pure_suit revealed_hand seven_pairs | multiplier 16 | 32 -16 -16"),
    ("kwx_xiaogan", "1123455567999s + 5s", None, {},
        "concealed_four pure_suit triplet_count:2 | multiplier 16 | 36 -18 -18"),
    # --- bonuses
    ("kwx_qiabazhang", "123789p 3335s CCC + 5s", 1, {"revealed": (0,)},
        "chicken_hand revealed_hand triplet_bonus:2 | multiplier 2 | 4 -4 0"),
    # 3-4-5 takes a 3: only CCC stands by itself
    ("kwx_qiabazhang", "123789p 3335s CCC + 4s", 1, {"revealed": (0,)},
        "chicken_hand revealed_hand triplet_bonus:1 | multiplier 2 | 3 -3 0"),
    # 2 + 恰 2 + 摸 1 + nine bamboos 9−7 = 7 each
    ("kwx_qiabazhang", "23456p 11666s [7777s concealed] + 7p", None, {"revealed": (0,)},
     "chicken_hand eight_tiles_bonus:2 revealed_hand self_draw_bonus:1 triplet_bonus:2 | multiplier 2 | 14 -7 -7"),
    # seven pairs hold no standing triplet: 8 × 4 + (14 − 7)
    ("kwx_qiabazhang", "1122334455566s + 5s", 1, {},
        "dragon_seven_pairs eight_tiles_bonus:7 pure_suit | multiplier 32 | 39 -39 0"),
    ("kwx_xiaogan", "33399s CCC 77p [222p] + 9s", 1, {}, "all_pungs triplet_count:3 | multiplier 2 | 5 -5 0"),
    ("kwx_four_players", "23467s 123m 789p CC + 8s", None, {}, "chicken_hand | multiplier 1 | 3 -1 -1 -1"),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "hand", "discarder", "how", "expected"), PLAIN)
def test_a_hand_is_worth_what_its_elements_make(
    preset: str, hand: str, discarder: Any, how: Any, expected: str
) -> None:
    assert told(won(preset, hand, discarder, **how)) == expected


# The same hand under a turned switch; RULES.md section 6, by row.
TURNED: list[tuple[int, str, str, Any, dict[str, Any], dict[str, Any], str]] = [
    (1, "kwx_base", "1111s 2244555p 33s + 5p", None, {}, {"values": {"double_dragon_seven_pairs": 32}},
    "double_dragon_seven_pairs | multiplier 32 | 64 -32 -32"),
    (3, "kwx_base", "5s [111p] [333s] [7777s] [CCC] + 5s", 1, {}, {"single_tile_includes_all_pungs": False},
    "all_pungs single_tile_hand | multiplier 8 | 8 -8 0"),
    (3, "kwx_base", "5s [111p] [333s] [7777s] [CCC] + 5s", 1, {}, {"values": {"single_tile_hand": None}},
    "all_pungs | multiplier 2 | 2 -2 0"),
    (4, "kwx_base", "123789p 2245556s + 5s", 2, {}, {"concealed_four_by_discard": False},
    "middle_five | multiplier 2 | 2 0 -2"),
    (4, "kwx_base", "123789p 2245556s + 5s", None, {}, {"concealed_four_by_discard": False},
    "concealed_four middle_five | multiplier 8 | 16 -8 -8"),
    (5, "kwx_leyou", "789p 45s 123p FF [333s] + 3s", 1, {}, {"open_four_by_discard": False},
    "chicken_hand | multiplier 1 | 1 -1 0"),
    # the winning tile's four does not come back through the scope
    (5, "kwx_base", "45678999s 11s [333s] + 3s", 1, {}, {"open_four_by_discard": False},
    "pure_suit | multiplier 4 | 4 -4 0"),
    (6, "kwx_base", "1111235678899s + 9s", 1, {}, {}, "concealed_four pure_suit | multiplier 16 | 16 -16 0"),
    (6, "kwx_base", "1111235678899s + 9s", 1, {}, {"four_scope": "winning_tile"}, "pure_suit | multiplier 4 | 4 -4 0"),
    (6, "kwx_base", "111123p 567s 88s CC + 8s", None, {}, {"four_scope": "full"},
    "concealed_four | multiplier 4 | 8 -4 -4"),
    (6, "kwx_base", "111123p 567s 88s CC + 8s", None, {}, {}, "chicken_hand | multiplier 1 | 2 -1 -1"),
    (6, "kwx_base", "12345s 99s [111s] [777s] + 6s", None, {}, {}, "open_four pure_suit | multiplier 8 | 16 -8 -8"),
    (6, "kwx_xiangfan", "11123p PP [CCC] [FFF] + 1p", None, {}, {},
    "concealed_four little_three_dragons | multiplier 8 | 16 -8 -8"),
    (6, "kwx_xiangfan", "1111235678899s + 9s", None, {}, {"big_hand_for_four": "pure_suit"},
    "concealed_four pure_suit | multiplier 8 | 16 -8 -8"),
    (7, "kwx_base", "1111235678899s + 9s", 1, {}, {"extra_quad_value": "open_four_value"},
    "concealed_four pure_suit | multiplier 8 | 8 -8 0"),
    (8, "kwx_leyou", "123789p 45556s CC + 5s", None, {}, {"middle_five_wait": "only_wait"},
    "concealed_four | multiplier 4 | 8 -4 -4"),
    (8, "kwx_leyou", "123789p 4688s CCC + 5s", 1, {}, {"middle_five_wait": "only_wait"},
    "middle_five | multiplier 2 | 2 -2 0"),
    (9, "kwx_base", "23467s 123789p CC + 8s", 1, {}, {"min_fan_discard": 1}, "chicken_hand | multiplier 1 | 1 -1 0"),
    (9, "kwx_yunmeng", "23467s 123789p CC + 8s", 1, {"revealed": (1,)}, {"min_fan_counts_own_reveal": False},
    "chicken_hand | multiplier 2 | 2 -2 0"),
    (11, "kwx_suizhou", "1122334456677s + 5s", None, {}, {"cap": 32},
    "pure_suit seven_pairs | multiplier 16 | 32 -16 -16"),
    (11, "kwx_suizhou", "1122334456677s + 5s", None, {}, {"cap_exceptions": {"pure_suit+seven_pairs": 12}},
    "pure_suit seven_pairs | multiplier 12 | 24 -12 -12"),
    (12, "kwx_suizhou", "1122334456677s + 5s", None, {"revealed": (0,)}, {"cap_includes_reveal": False},
    "pure_suit revealed_hand seven_pairs | multiplier 16 | 32 -16 -16"),
    # both shares of 8 on one payer, together no more than 8
    (13, "kwx_suizhou", "1122334456677s + 5s", 1, {"revealed": (0,)}, {},
    "pure_suit revealed_hand seven_pairs | multiplier 8 | 16 -16 0"),
    (13, "kwx_suizhou", "1122334456677s + 5s", 1, {"revealed": (0,)}, {"cap_per": "total"},
    "pure_suit revealed_hand seven_pairs | multiplier 8 | 8 -8 0"),
    (13, "kwx_suizhou", "1122334456677s + 5s", 1, {"revealed": (0,)}, {"cap_per": "total",
    "cap_includes_reveal": False}, "pure_suit revealed_hand seven_pairs | multiplier 16 | 16 -16 0"),
    (14, "kwx_base", "23467s 123789p CC + 8s", 1, {"revealed": (0,)}, {"reveal_discard_liability": "single"},
    "chicken_hand revealed_hand | multiplier 2 | 2 -2 0"),
    (15, "kwx_base", "23467s 123789p CC + 8s", 1, {"revealed": (0, 1)}, {},
    "chicken_hand revealed_hand | multiplier 2 | 4 -4 0"),
    (15, "kwx_base", "23467s 123789p CC + 8s", 1, {"revealed": (0, 1)},
    {"liability_exempts_revealed_discarder": True}, "chicken_hand revealed_hand | multiplier 2 | 2 -2 0"),
    (16, "kwx_base", "123789p 22245s CC + 3s", 1, {"by": "rob_kong", "revealed": (0,)}, {},
    "revealed_hand rob_kong | multiplier 4 | 8 -8 0"),
    (16, "kwx_base", "123789p 22245s CC + 3s", 1, {"by": "rob_kong", "revealed": (0,)}, {"liability_on_rob": False},
    "revealed_hand rob_kong | multiplier 4 | 4 -4 0"),
    (17, "kwx_base", "444p 22277s CC [999p] + C", None, {"revealed": (2,)}, {"reveal_doubles_payer": True},
    "all_pungs | multiplier [2, 4] | 6 -2 -4"),
    (18, "kwx_base", "444p 22277s CC [999p] + C", None, {"revealed": (0, 2)}, {"double_reveal_stacks": True},
    "all_pungs revealed_hand | multiplier [4, 8] | 12 -4 -8"),
    # the share of each seat has its own R: 8 of the revealed discarder, 4 of the third
    (18, "kwx_base", "444p 22277s CC [999p] + C", 1, {"revealed": (0, 1)}, {"double_reveal_stacks": True},
    "all_pungs revealed_hand | multiplier [8, 4] | 12 -12 0"),
    (21, "kwx_base", "444p 22277s CC [999p] + 7s", 1, {"last_tile_discard": True}, {"values.last_tile_discard": 2},
    "all_pungs last_tile_discard | multiplier 4 | 4 -4 0"),
    (25, "kwx_base", "444p 22277s CC [9999p] + C", None, {"kong_bloom": True, "kong_chain": 3}, {},
    "all_pungs kong_bloom | multiplier 4 | 8 -4 -4"),
    (25, "kwx_base", "444p 22277s CC [9999p] + C", None, {"kong_bloom": True, "kong_chain": 3},
    {"kong_bloom_chain_doubles": True}, "all_pungs kong_bloom | multiplier 16 | 32 -16 -16"),
    # not won on the fourth tile: the pairs are plain
    (28, "kwx_base", "1111s 2244557p 33s + 7p", None, {}, {"dragon_pairs_needs_winning_fourth": True},
    "seven_pairs | multiplier 4 | 8 -4 -4"),
    (28, "kwx_base", "1111s 2244555p 33s + 5p", None, {}, {"dragon_pairs_needs_winning_fourth": True},
    "double_dragon_seven_pairs | multiplier 16 | 32 -16 -16"),
    # larger of the two, and 三元 on a tie
    (30, "kwx_leyou", "1111p 22s CCFFPP 7s + 7s", None, {}, {},
    "three_dragons_seven_pairs | multiplier 32 | 64 -32 -32"),
    (30, "kwx_leyou", "11115555p CCFFP + P", None, {}, {}, "three_dragons_seven_pairs | multiplier 32 | 64 -32 -32"),
    (30, "kwx_leyou", "1111p 22s CCFFPP 7s + 7s", None, {}, {"three_dragons_pairs_stack": True},
    "dragon_seven_pairs three_dragons_seven_pairs | multiplier 256 | 512 -256 -256"),
    # 40 × 8 = 320, no more than 200
    (32, "kwx_xiangyang", "1122334456677s + 5s", 1, {}, {"unit": 40, "money_cap": {"40": 200}},
    "pure_suit seven_pairs | multiplier 8 | 200 -200 0"),
    (32, "kwx_xiangyang", "1122334456677s + 5s", 1, {"revealed": (0,)}, {"unit": 40, "money_cap": {"40": 200}},
    "pure_suit revealed_hand seven_pairs | multiplier 8 | 400 -400 0"),
    (32, "kwx_xiangyang", "1122334456677s + 5s", 1, {"revealed": (0,)}, {"unit": 40, "money_cap": {"40": 200},
    "cap_per": "total"}, "pure_suit revealed_hand seven_pairs | multiplier 8 | 200 -200 0"),
    (34, "kwx_qiabazhang", "123789p 3335s CCC + 5s", 1, {"revealed": (0,)}, {"qia_value": 3},
    "chicken_hand revealed_hand triplet_bonus:6 | multiplier 2 | 8 -8 0"),
    (35, "kwx_xiaogan", "33399s CCC 77p [222p] + 9s", 1, {}, {"qia_winning_triplet": False},
    "all_pungs triplet_count:2 | multiplier 2 | 4 -4 0"),
    # nine dots and nine bamboos: 2 + 2, or only 2
    (36, "kwx_qiabazhang", "9s [2222p] [3333p] [7777s] [8888s] + 9s", None, {}, {},
    "eight_tiles_bonus:4 self_draw_bonus:1 single_tile_hand triplet_bonus:4 | multiplier 4 | 26 -13 -13"),
    (36, "kwx_qiabazhang", "9s [2222p] [3333p] [7777s] [8888s] + 9s", None, {}, {"ba_scope": "max_suit"},
    "eight_tiles_bonus:3 self_draw_bonus:1 single_tile_hand triplet_bonus:4 | multiplier 4 | 24 -12 -12"),
    (36, "kwx_qiabazhang", "9s [CCCC] [FFFF] [PPP] [8888s] + 9s", None, {}, {"ba_honours": True},
    "eight_tiles_bonus:4 self_draw_bonus:1 single_tile_hand triplet_bonus:3 | multiplier 4 | 24 -12 -12"),
    (37, "kwx_qiabazhang", "123789p 3335s CCC + 5s", 1, {"revealed": (0,)}, {"bonus_doubled_by_reveal": True},
    "chicken_hand revealed_hand triplet_bonus:2 | multiplier 2 | 6 -6 0"),
    # 2 + 4 + 2 instead of 2 × 4 × 2
    (0, "kwx_base", "123789p 2245556s + 5s", 2, {}, {"combine": "add"},
    "concealed_four middle_five | multiplier 6 | 6 0 -6"),
    (0, "kwx_base", "123789p 4556s CCC + 5s", 1, {}, {"unit": 7}, "middle_five | multiplier 2 | 14 -14 0"),
    (0, "kwx_base", "1133s 7799p CCFF 2s + 2s", None, {}, {"values": {"seven_pairs": None}},
    "chicken_hand | multiplier 1 | 2 -1 -1"),
    (0, "kwx_base", "444p 22277s CC [999p] + C", None, {"revealed": (0,)}, {"values": {"revealed_hand": None}},
    "all_pungs | multiplier 2 | 4 -2 -2"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "preset", "hand", "discarder", "how", "options", "expected"), TURNED)
def test_a_switch_changes_exactly_what_it_says(
    row: int, preset: str, hand: str, discarder: Any, how: Any, options: Any, expected: str
) -> None:
    assert told(won(preset, hand, discarder, options=options, **how)) == expected


@pytest.mark.parametrize(
    ("preset", "hand", "discarder", "how", "options", "codes"),
    [
        ("kwx_base", "23467s 123789p CC + 8s", 1, {}, {}, {"below_minimum"}),
        ("kwx_qiabazhang", "23467s 123789p CC + 8s", None, {}, {}, {"below_minimum"}),
        ("kwx_base", "23467s 123789p CC + 8s", 1, {"revealed": (0,)}, {"min_fan_counts_own_reveal": False},
            {"below_minimum"}),
        # a payer who is not revealed would pay 1 only
        ("kwx_leyou", "23467s 123789p CC + 8s", None, {"revealed": (2,)}, {"min_fan_self_draw": 2}, {"below_minimum"}),
        ("kwx_base", "123789p 2245667s + 5s", 1, {}, {"middle_five_wait": "only_wait"}, {"below_minimum"}),
        ("kwx_base", "23467s 123789p CC + 9s", None, {}, {}, {"no_shape"}),
        ("kwx_base", "2346s 123m 789p EE C + 8s", None, {}, {}, {"tile_not_in_game"}),
        ("kwx_base", "22222s 123789p CC + 8s", None, {}, {}, {"too_many_copies"}),
        ("kwx_base", "2222s 123789p CC + 2s", None, {}, {}, {"too_many_copies", "tile_count"}),
        ("kwx_base", "23467s 789p CC [123p] + 8s", None, {}, {}, {"chow_not_allowed"}),
        ("kwx_base", "23467s 789p CC [111p] + 8s | 1f", None, {}, {}, {"tile_not_in_game"}),
        ("kwx_base", "2346s 123789p CC ? + 8s", None, {}, {}, {"unknown_tile"}),
        ("kwx_base", "2346s 123789p CC back + 8s", None, {}, {}, {"unknown_tile"}),
        ("kwx_base", "23467s 123789p CC", None, {}, {}, {"no_winning_tile"}),
        ("kwx_base", "23467s 789p CC [112p] + 8s", None, {}, {}, {"not_equal"}),
        ("kwx_base", "23467s 789p CC [1122p] + 8s", None, {}, {}, {"not_equal"}),
        ("kwx_base", "23467s 789p CC [11p] + 8s", None, {}, {}, {"meld_size"}),
        ("kwx_base", "23467s 123789p CC + 8s", 0, {}, {}, {"discarder"}),
        ("kwx_base", "23467s 123789p CC + 8s", 3, {}, {}, {"discarder"}),
        ("kwx_base", "23467s 123789p CC + 8s", None, {"by": "discard"}, {}, {"discarder"}),
        ("kwx_base", "23467s 123789p CC + 8s", 1, {"by": "self_draw"}, {}, {"discarder"}),
        ("kwx_base", "23467s 123789p CC + 8s", None, {"winner": 3}, {}, {"seat"}),
        ("kwx_base", "23467s 123789p CC + 8s", None, {"revealed": (0, 0)}, {}, {"seat"}),
        ("kwx_base", "23467s 123789p CC + 8s", None, {"revealed": (5,)}, {}, {"seat"}),
        ("kwx_base", "444p 22277s CC [999p] + C", 1, {"kong_bloom": True}, {}, {"contradiction"}),
        ("kwx_base", "444p 22277s CC [999p] + C", None, {"kong_discard": True, "last_tile_discard": True}, {},
            {"contradiction"}),
        ("kwx_base", "444p 22277s CC [999p] + C", 1, {"revealed": (0,)}, {"revealed_self_draw_only": True},
            {"revealed_self_draw_only"}),
        ("kwx_base", "444p 22277s CC [999p] + C", 1, {"by": "rob_kong", "robbed_kong": "concealed"}, {},
            {"rob_concealed_kong"}),
        ("kwx_base", "444p 22277s CC [999p] + C", 1, {"by": "rob_kong", "robbed_kong": "chained"},
            {"rob_chain_kong": False}, {"rob_chain_kong"}),
        ("kwx_base", "444p 22277s CC [999p] + C", 1, {"by": "rob_kong", "robbed_kong": "paper"}, {}, {"robbed_kong"}),
        # everything at once
        ("kwx_base", "11111s 123m [123p] [77p] + 8s", 9, {"revealed": (7,)}, {},
         {"too_many_copies", "tile_not_in_game", "tile_count", "chow_not_allowed", "meld_size", "discarder", "seat"}),
    ],
)  # fmt: skip
def test_a_hand_that_may_not_win_is_refused_with_all_reasons(
    preset: str, hand: str, discarder: Any, how: Any, options: Any, codes: set[str]
) -> None:
    assert refused(preset, hand, discarder, options=options, **how) == codes


def test_a_robbed_chained_or_concealed_kong_wins_where_the_table_allows_it() -> None:
    robbed = "444p 22277s CC [999p] + C"
    assert won("kwx_base", robbed, 1, by="rob_kong", robbed_kong="chained").figures == {"multiplier": 4}
    concealed = {"rob_concealed_kong": True}
    assert won("kwx_base", robbed, 1, by="rob_kong", robbed_kong="concealed", options=concealed).payments == (4, -4, 0)


def test_a_refusal_says_what_would_have_won() -> None:
    below = rules("kwx_base").score(win("23467s 123789p CC + 8s", 1))
    assert isinstance(below, Refusal)
    assert [hint.text.en for hint in below.hints] == ["By self-draw it would have won, for 2 in all."]
    wrong = rules("kwx_base").score(win("23467s 123789p CC + 9s"))
    assert isinstance(wrong, Refusal)
    assert [hint.text.en for hint in wrong.hints] == ["These tiles wait for 58s."]
    hopeless = rules("kwx_base").score(win("1357s 1357p CCFPP + 9s"))
    assert isinstance(hopeless, Refusal)
    assert hopeless.hints == ()


# ---------------------------------------------------------------- two winners, kongs, draws, the next dealer


def test_two_winners_of_one_discard_are_paid_separately() -> None:
    both = [win("444p 22277s CC [999p] + 7s", 1), win("1112345566689s + 7s", 1, winner=2)]
    results, settlement = rules("kwx_base").settle_wins(both)
    assert [result.figures for result in results if isinstance(result, Score)] == [{"multiplier": 2}, {"multiplier": 4}]
    assert settlement.payments == (2, -6, 4)


def test_where_one_may_win_it_is_the_nearest_after_the_discarder() -> None:
    both = [win("444p 22277s CC [999p] + 7s", 1), win("1112345566689s + 7s", 1, winner=2)]
    results, settlement = rules("kwx_base", {"multiple_winners": False}).settle_wins(both)
    assert [result.ok for result in results] == [False, True]
    assert settlement.payments == (0, -4, 4)


def test_two_winners_must_share_the_discard() -> None:
    table = rules("kwx_base")
    pair = [win("444p 22277s CC [999p] + 7s", 1), win("1112345566689s + 7s", 0, winner=2)]
    results, settlement = table.settle_wins(pair)
    assert settlement.payments == (0, 0, 0)
    assert all("same tile" in result.sentence() for result in results if isinstance(result, Refusal))
    results, _ = table.settle_wins([pair[0], pair[0]])
    assert [isinstance(result, Refusal) for result in results] == [True, True]


@pytest.mark.parametrize(
    ("kongs", "options", "steps"),
    [
        ([Kong(0, "kong_added")], {}, [(2, -1, -1)]),
        ([Kong(0, "kong_exposed", 1)], {}, [(2, -2, 0)]),
        ([Kong(0, "kong_concealed")], {}, [(4, -2, -2)]),
        # 杠上杠: the second doubles, the third doubles again; the next unchained one starts at ×1
        (
            [Kong(0, "kong_added"), Kong(0, "kong_concealed", None, True), Kong(1, "kong_exposed", 0, True), Kong(2,
                "kong_added")],
            {},
            [(2, -1, -1), (8, -4, -4), (-8, 8, 0), (-1, -1, 2)],
        ),
        (
            [Kong(0, "kong_added"), Kong(0, "kong_added", None, True), Kong(0, "kong_added", None, True)],
            {"kong_chain_cap": 2, "unit": 5},
            [(10, -5, -5), (20, -10, -10), (20, -10, -10)],
        ),
        # nothing stands before the first of the hand
        (
            [Kong(0, "kong_added", None, True), Kong(0, "kong_added", None, True)],
            {},
            [(2, -1, -1), (4, -2, -2)],
        ),
        ([Kong(0, "kong_added")], {"kong_added_units": 0}, [(0, 0, 0)]),
    ],
)  # fmt: skip
def test_kong_money_is_paid_at_once_and_doubles_in_a_chain(kongs: Any, options: Any, steps: Any) -> None:
    assert [step.payments for step in rules("kwx_base", options).settle_kongs(kongs)] == steps


@pytest.mark.parametrize(
    "kong", [Kong(0, "kong_exposed"), Kong(0, "kong_exposed", 0), Kong(0, "pung"), Kong(7, "kong_added")]
)
def test_a_kong_that_cannot_be_is_refused(kong: Kong) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        rules("kwx_base").settle_kongs([kong])


@pytest.mark.parametrize(
    ("preset", "options", "revealed", "payments"),
    [
        ("kwx_base", {}, (1, 2), (1, -2, 1)),
        ("kwx_base", {}, (), (0, 0, 0)),
        ("kwx_base", {"unit": 3, "draw_units": 2}, (0,), (-12, 6, 6)),
        ("kwx_baohu", {}, (0, 1), (-1, -1, 2)),
        ("kwx_baohu", {}, (0, 1, 2), (0, 0, 0)),
        ("kwx_baohu", {}, (2,), (1, 1, -2)),
        ("kwx_base", {"draw_penalty": "every_revealer"}, (0, 1), (-1, -1, 2)),
    ],
)
def test_after_a_draw_the_revealed_pay(preset: str, options: Any, revealed: Any, payments: Any) -> None:
    assert rules(preset, options).settle_draw({"revealed": revealed}).payments == payments


@pytest.mark.parametrize(
    ("rotation", "dealer", "winners", "discarder", "expected"),
    [
        ("discarder_if_two", 0, [2], 1, 2),
        ("discarder_if_two", 0, [0, 2], 1, 1),
        ("discarder_if_two", 2, [], None, 2),
        ("winner", 0, [0, 2], 1, 2),
        ("stay", 0, [0], 1, 0),
        ("stay", 0, [1], 0, 1),
        ("winner", 1, [2], None, 2),
    ],
)
def test_the_next_dealer(rotation: str, dealer: int, winners: list[int], discarder: Any, expected: int) -> None:
    table = rules("kwx_base", {"dealer_rotation": rotation})
    assert table.next_dealer(dealer, winners, discarder) == expected


# ---------------------------------------------------------------- the receipt


def test_the_receipt_names_reading_elements_steps_and_transfers() -> None:
    score = won("kwx_suizhou", "123789p 2245556s + 5s", 1, revealed=(0,), options={"unit": 5})
    assert [(line.element, line.shown.en, line.tiles) for line in score.lines] == [
        ("middle_five", "×2", ("4s", "5s", "6s")),
        ("concealed_four", "×4", ("5s",) * 4),
        ("revealed_hand", "×2", ()),
    ]
    assert score.lines[1].reason.zh == "手中有三张，胡第四张：五五五五条"
    assert all(line.source and line.name.zh and line.name.en for line in score.lines)
    assert [step.text.en for step in score.steps] == [
        "hand: middle five 2 × concealed four 4 = 8",
        "seat 1: min(8 × revealed 2, cap 8) = ×8",
        "seat 1: unit 5 × 8 = 40",
        "seat 1 for seat 2: min(8 × revealed 2, cap 8) = ×8",
        "seat 1 for seat 2: unit 5 × 8 = 40",
        "the winner receives 80",
    ]
    assert [(t.payer, t.receiver, t.amount) for t in score.settlement.transfers] == [(1, 0, 40), (1, 0, 40)]
    assert "他" not in score.settlement.transfers[0].reason.zh
    completed = [group for group in score.groups if group.won]
    assert [group.tiles for group in completed] == [("4s", "5s", "6s")]


def test_the_second_reading_is_on_the_receipt() -> None:
    score = won("kwx_base", "1122334455566s + 5s")
    second = score.second
    assert second is not None
    # 4 × 4 × 2 ties with 8 × 4
    assert (second.elements, second.payments) == (("concealed_four", "middle_five", "pure_suit"), (64, -32, -32))
    assert second.second is None


def test_the_receipt_shows_bonuses_limits_and_extra_fours() -> None:
    score = won(
        "kwx_qiabazhang",
        "23456p 11666s [7777s concealed] + 7p",
        revealed=(0,),
        options={"unit": 2, "money_cap": {"2": 10}},
    )
    assert "bonuses: standing triplet 2 + self-draw bonus 1 + eight tiles 2 = 5" in [
        step.text.en for step in score.steps
    ]
    assert "seat 1: 2 × (2 + 5) = 14, limited to 10" in [step.text.en for step in score.steps]
    assert score.payments == (20, -10, -10)
    extra = won("kwx_base", "12345s 99s [111s] [777s] + 6s")
    assert [line.tiles for line in extra.lines] == [extra.win.hand.all_tiles, ("1s",) * 4]
    assert "without a kong" in extra.lines[1].reason.en
    outside = won("kwx_xiaogan", "1122334456677s + 5s", revealed=(0,))
    assert outside.steps[1].text.en == "seat 1: min(16, cap 8) × revealed 2 = ×16"


def test_advice_stands_on_the_receipt_and_changes_no_number() -> None:
    bloom = won("kwx_base", "444p 22277s CC [999p] + C", kong_bloom=True)
    assert [note.code for note in bloom.notes] == ["no_kong"]
    hand = "444p 22277s CC [999p] + C"
    missed = won("kwx_base", hand, 1, passed_discarder=2, passed_multiplier=2)
    assert [note.code for note in missed.notes] == ["missed_win"]
    assert won("kwx_base", hand, 1, passed_discarder=2, passed_multiplier=1).notes == ()
    assert won("kwx_base", hand, 1, passed_discarder=1, passed_multiplier=9).notes == ()
    assert won("kwx_leyou", hand, 1, passed_discarder=2, passed_multiplier=9).notes == ()
    assert [n.code for n in won("kwx_baohu", hand, 1, passed_discarder=2, passed_multiplier=1).notes] == ["missed_win"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"cap": 8, "min_fan_discard": 16}, "min_fan_discard"),
        ({"cap": 4, "min_fan_self_draw": 8}, "min_fan_self_draw"),
        ({"cap_exceptions": {"royal_flush": 16}}, "royal_flush"),
        ({"money_cap": {"ten": 16}}, "ten"),
    ],
)
def test_options_that_cannot_stand_together_are_named(options: Any, named: str) -> None:
    with pytest.raises(RulesError, match=named):
        rules("kwx_base", options)
