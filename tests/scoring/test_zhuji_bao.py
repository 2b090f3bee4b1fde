"""诸暨包麻将 hand by hand: wild tiles in every place, the contract, every payment case and each switch of section 6."""

from dataclasses import replace
from typing import Any

import pytest

from scoring import Contract, Hand, Kong, RulesError, Score, rules
from tests.scoring.playing import refused, told, win, won

PURE = "1m 122234567779p + 9p"
OTHER = "19m 34578p 234567s + 9p"
ROWS: list[tuple[str, Any, dict[str, Any], dict[str, Any], str]] = [
    # the source's own example: contract 2, three 台: 5 + 8 from each
    (PURE, None, {"wild": "1m 2m", "contract": "two2@0"}, {}, "pure_suit | tai 3, contract_points 5 | 39 -13 -13 -13"),
    ("1m 122334556789p + 4p", None, {"wild": "1m", "contract": "one3@0"}, {},
        "all_chows pure_suit | tai 4, contract_points 20 | 108 -36 -36 -36"),
    # without wild tiles in play there is no point for having none
    ("123m 234567s 5578p + 9p", None, {"contract": "none2@1"}, {},
        "all_chows | tai 1, contract_points 10 | 36 -32 -2 -2"),
    ("123m 234567s 5578p + 9p", None, {"contract": "none2@1"}, {"no_wild_needs_wild_in_play": False},
        "all_chows no_wild | tai 2, contract_points 10 | 42 -34 -4 -4"),
    ("99m 34578p 234567s + 9p", None, {"wild": "1m 2m", "contract": "two2@3"}, {},
        "all_chows no_wild | tai 2, contract_points 5 | 27 -4 -4 -19"),
    # --- discards: two-part model and the others
    (PURE, 1, {"wild": "1m 2m", "contract": "two2@0"}, {}, "pure_suit | tai 3, contract_points 5 | 23 -13 -5 -5"),
    (PURE, 1, {"wild": "1m 2m", "contract": "two2@0"}, {"discard_model": "discarder_only"},
    "pure_suit | tai 3, contract_points 5 | 13 -13 0 0"),
    (PURE, 1, {"wild": "1m 2m", "contract": "two2@0"}, {"discard_model": "ext_both"},
    "pure_suit | tai 3, contract_points 5 | 13 -13 0 0"),
    (PURE, 1, {"wild": "1m 2m", "contract": "two2@0"}, {"discard_model": "contractor_covers"},
    "pure_suit | tai 3, contract_points 5 | 23 -13 -5 -5"),
    # another wins: 2 from the discarder, 3 × 5 from the contractor
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2"}, {}, "all_chows | tai 1, contract_points 5 | 17 -2 -15 0"),
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2"}, {"discard_model": "discarder_only"},
    "all_chows | tai 1, contract_points 5 | 17 -2 -15 0"),
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2"}, {"discard_model": "contractor_covers"},
    "all_chows | tai 1, contract_points 5 | 7 0 -7 0"),
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2"}, {"discard_model": "ext_both",
    "failure_receiver": "each_opponent"}, "all_chows | tai 1, contract_points 5 | 7 5 -17 5"),
    # the contractor himself discards: 2 + 15
    (OTHER, 2, {"wild": "1m 2m", "contract": "two2@2"}, {}, "all_chows | tai 1, contract_points 5 | 17 0 -17 0"),
    (OTHER, None, {"wild": "1m 2m", "contract": "two2@2"}, {}, "all_chows | tai 1, contract_points 5 | 21 -2 -17 -2"),
    (OTHER, None, {"wild": "1m 2m", "contract": "two2@2"}, {"failure_formula": "three_times_both"},
    "all_chows | tai 1, contract_points 5 | 25 -2 -21 -2"),
    (OTHER, None, {"wild": "1m 2m", "contract": "two2@2"}, {"failure_receiver": "each_opponent"},
    "all_chows | tai 1, contract_points 5 | 11 3 -17 3"),
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2"}, {"failure_receiver": "each_opponent"},
    "all_chows | tai 1, contract_points 5 | 7 3 -15 5"),
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2"}, {"unit": 3},
    "all_chows | tai 1, contract_points 5 | 51 -6 -45 0"),
    # robbing gives one 台 more
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2", "by": "rob_kong"}, {},
    "all_chows rob_kong | tai 2, contract_points 5 | 19 -4 -15 0"),
    (OTHER, 1, {"wild": "1m 2m", "contract": "two2@2", "by": "rob_kong", "robbed_kong": "exposed"},
    {"rob_exposed_kong": True}, "all_chows rob_kong | tai 2, contract_points 5 | 19 -4 -15 0"),
    # --- nobody bid: no wilds, no contract points
    ("123m 234567s 5578p + 9p", None, {}, {}, "all_chows | tai 1, contract_points 0 | 6 -2 -2 -2"),
    ("123m 234567s 5578p + 9p", 2, {}, {}, "all_chows | tai 1, contract_points 0 | 2 0 -2 0"),
    # --- the table of 台
    ("33355599m EE [717m as 777m] + E", 1, {"wild": "1m 2m", "contract": "two2@2"}, {},
        "all_pungs east_pung mixed_suit | tai 4, contract_points 5 | 31 -16 -15 0"),
    ("EEE SS WW [CCC] [FFF] + W", 1, {}, {},
        "all_honours all_pungs dragon_pung dragon_pung east_pung | tai 12, contract_points 0 | 4096 -4096 0 0"),
    ("EEE SS WW [CCC] [FFF] + W", 1, {}, {"dragon_pung_max": 1},
        "all_honours all_pungs dragon_pung east_pung | tai 11, contract_points 0 | 2048 -2048 0 0"),
    ("EEE SS WW [CCC] [FFF] + W", 1, {}, {"dragon_pung_max": "one", "tai": {"all_honours": None}},
        "all_pungs dragon_pung east_pung | tai 4, contract_points 0 | 16 -16 0 0"),
    ("123m 456m 55s 789p CC + C", None, {}, {}, "dragon_pung | tai 1, contract_points 0 | 6 -2 -2 -2"),
    ("123m 456m 55s 789p CC + C", None, {}, {"pinghu_any_hand": True},
        "all_chows dragon_pung | tai 2, contract_points 0 | 12 -4 -4 -4"),
    ("234567s 55s 78s [4444p] + 9s", None, {"kong_bloom": True}, {},
        "kong_bloom | tai 1, contract_points 0 | 6 -2 -2 -2"),
    ("123m 234567s 5578p + 9p", None, {"heavenly_hand": True}, {},
        "all_chows heavenly_hand | tai 8, contract_points 0 | 768 -256 -256 -256"),
    ("123m 234567s 5578p + 9p", 1, {"earthly_hand": True}, {},
        "all_chows earthly_hand | tai 8, contract_points 0 | 256 -256 0 0"),
    ("123m 234567s 5578p + 9p", None, {"old_dealer": True}, {}, "all_chows | tai 1, contract_points 0 | 6 -2 -2 -2"),
    ("123m 234567s 5578p + 9p", None, {"old_dealer": True}, {"tai.old_dealer": 1},
        "all_chows old_dealer | tai 2, contract_points 0 | 12 -4 -4 -4"),
    # --- wild tiles
    # a drawn wild completes anything; a discarded one is only itself
    ("19m 34578p 234567s + 1m", None, {"wild": "1m 2m", "contract": "two2@2"}, {},
        "all_chows | tai 1, contract_points 5 | 21 -2 -17 -2"),
    ("23m 234567s 55789p + 1m", 1, {"wild": "1m", "contract": "one2@2"}, {},
        "all_chows | tai 1, contract_points 10 | 32 -2 -30 0"),
    # E E and a wild one are a pung of East, 2p and the other a pair
    ("EE 11m 2345678p 44p + 4p", None, {"wild": "1m 2m", "contract": "two2@1"}, {},
        "east_pung mixed_suit | tai 3, contract_points 5 | 39 -23 -8 -8"),
    # eight wild tiles
    ("11112222m ESWNC + C", None, {"wild": "1m 2m", "contract": "two2@1"}, {},
     "all_honours all_pungs dragon_pung east_pung | tai 11, contract_points 5 | 6159 -2063 -2048 -2048"),
    ("11112222m 34589p + 9p", None, {"wild": "1m 2m", "contract": "two2@1"}, {"tai": {"east_pung": None}},
     "all_pungs pure_suit | tai 4, contract_points 5 | 63 -31 -16 -16"),
    # wild tiles in kongs and chows stay what they stand for
    ("234567s 55s 78p [4p4p1p4p as 4444p] + 9p", None,
     {"wild": "1p", "contract": "one2@1", "kong_bloom": True}, {},
         "kong_bloom | tai 1, contract_points 10 | 36 -32 -2 -2"),
    ("3456785s 789p [1p 1m 3p as 123p] + 5s", 1, {"wild": "1m", "contract": "one2@1"}, {},
        "all_chows | tai 1, contract_points 10 | 32 -32 0 0"),
    # what the natural tiles of a meld leave no doubt about need not be said
    ("3456785s 789p [1p 1m 3p] + 5s", 1, {"wild": "1m", "contract": "one2@1"}, {},
        "all_chows | tai 1, contract_points 10 | 32 -32 0 0"),
    ("3456785s 789p [5p 6p 1m] + 5s", 1, {"wild": "1m", "contract": "one2@1"}, {},
        "all_chows | tai 1, contract_points 10 | 32 -32 0 0"),
    ("33355599m EE [717m] + E", 1, {"wild": "1m 2m", "contract": "two2@2"}, {},
        "all_pungs east_pung mixed_suit | tai 4, contract_points 5 | 31 -16 -15 0"),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "discarder", "how", "options", "expected"), ROWS)
def test_a_win_pays_two_to_the_tai_and_the_contract(
    hand: str, discarder: Any, how: Any, options: Any, expected: str
) -> None:
    assert told(won("zhuji_bao", hand, discarder, options=options, **how)) == expected


PLAIN = "123m 234567s 5578p + 9p"
WITH_WILD: dict[str, Any] = {"wild": "1m", "contract": "one2@1"}


@pytest.mark.parametrize(
    ("hand", "discarder", "how", "options", "codes"),
    [
        (PLAIN, None, {"contract": "none3@0"}, {}, {"contract_not_reached"}),
        ("123m 456m 55s 789p EE + E", None, {}, {"tai": {"east_pung": None}}, {"below_minimum"}),
        ("123m 456m 55s 789p EE + E", None, {}, {"min_tai_others": 3}, {"below_minimum"}),
        ("2233445566788p + 8p", None, WITH_WILD, {}, {"no_shape"}),
        ("3456785s 789p [1m 1m 3p] + 5s", 1, WITH_WILD, {}, {"wild_meld"}),
        ("3456785s 789p [5p 6p 1m] + 5s", 1, WITH_WILD, {"wild_chow": False}, {"wild_chow"}),
        ("3456785s 789p [5p 6p 2m] + 5s", 1, WITH_WILD, {}, {"not_a_chow"}),
        ("3456785s 789p [5p 2m 5p] + 5s", 1, WITH_WILD, {}, {"not_equal"}),
        ("3456785s 789p [5p 2m 5p as 555p] + 5s", 1, WITH_WILD, {}, {"not_wild"}),
        ("3456785s 789p [5p 1m 5p as 55p] + 5s", 1, WITH_WILD, {}, {"stands_for"}),
        (PLAIN, None, {"wild": "1m", "contract": "two2@1"}, {}, {"wild"}),
        (PLAIN, None, {"wild": "1m 1m", "contract": "two2@1"}, {}, {"wild"}),
        (PLAIN, None, {"wild": "1m"}, {}, {"wild"}),
        (PLAIN, None, {"wild": "1f", "contract": "one2@1"}, {}, {"wild"}),
        (PLAIN, None, {"contract": "none2@7"}, {}, {"seat"}),
        (PLAIN, None, {"contract": "none1@1"}, {}, {"contract_level"}),
        (PLAIN, None, {}, {"no_bid": "redeal"}, {"no_bid"}),
        (PLAIN, 1, {"by": "rob_kong", "robbed_kong": "exposed"}, {}, {"robbed_kong"}),
        (PLAIN, 1, {"by": "rob_kong", "robbed_kong": "concealed"}, {}, {"robbed_kong"}),
        (PLAIN, 1, {"kong_bloom": True}, {}, {"contradiction"}),
        (PLAIN, 1, {"heavenly_hand": True}, {}, {"contradiction"}),
        (PLAIN, None, {"heavenly_hand": True, "earthly_hand": True}, {}, {"contradiction"}),
        (PLAIN, None, {"dealer": 4}, {}, {"seat"}),
        ("11111m 234567s 78p + 9p", None, {}, {}, {"too_many_copies"}),
        ("123m 234567s 5578p 9p", None, {"contract": "one2@9"}, {}, {"wild", "seat"}),
    ],
)
def test_a_hand_that_may_not_win_is_refused_with_its_reason(
    hand: str, discarder: Any, how: Any, options: Any, codes: set[str]
) -> None:
    assert refused("zhuji_bao", hand, discarder, options=options, **how) == codes


def test_a_contract_reaches_from_two_to_twenty_tai() -> None:
    honours = "EEE SS WW [CCC] [FFF] + W"
    high = Contract(0, 20, "none")
    result = rules("zhuji_bao", {"tai": {"all_honours": 20}}).score(replace(win(honours, 1), contract=high))
    assert isinstance(result, Score)
    # 20 + all pungs 1, East 2, two dragons
    assert result.figures == {"tai": 25, "contract_points": 5 * 2**19}
    above = rules("zhuji_bao").score(replace(win(honours, 1), contract=Contract(0, 21, "none")))
    assert [problem.code for problem in above.problems] == ["contract_level"]  # type: ignore[union-attr]


def test_only_the_nearest_after_the_discarder_wins() -> None:
    both = [win(PLAIN, 2, winner=1), win(PLAIN, 2, winner=0)]
    results, settlement = rules("zhuji_bao").settle_wins(both)
    assert [isinstance(result, Score) for result in results] == [False, True]
    assert settlement.payments == (2, 0, -2, 0)
    _, settlement = rules("zhuji_bao", {"multiple_winners": True}).settle_wins(both)
    assert settlement.payments == (2, 2, -4, 0)


def test_a_refusal_says_what_the_tiles_wait_for() -> None:
    drawn = rules("zhuji_bao").score(win("234567s 55s 123p 89p + E", wild="1m", contract="one2@1"))
    assert [hint.text.en for hint in drawn.hints] == ["These tiles wait for 1m 7p."]  # type: ignore[union-attr]
    thrown = rules("zhuji_bao").score(win("234567s 55s 123p 89p + E", 1, wild="1m", contract="one2@1"))
    assert [hint.text.en for hint in thrown.hints] == ["These tiles wait for 7p."]  # type: ignore[union-attr]
    hopeless = rules("zhuji_bao").score(win("147m 147p 147s ESWN + C"))
    assert hopeless.hints == ()  # type: ignore[union-attr]


def test_a_draw_fails_the_contract() -> None:
    contract = Contract(1, 3, "one")
    assert rules("zhuji_bao").settle_draw({}, contract=contract).payments == (20, -60, 20, 20)
    dealer_pays = rules("zhuji_bao", {"draw_payer": "dealer"})
    assert dealer_pays.settle_draw({"dealer": 2}, contract=contract).payments == (20, 20, -60, 20)
    assert dealer_pays.settle_draw({}).payments == (0, 0, 0, 0)
    with pytest.raises(ValueError, match="who is the dealer"):
        dealer_pays.settle_draw({}, contract=contract)
    with pytest.raises(ValueError, match="0 to 3"):
        rules("zhuji_bao").settle_draw({}, contract=Contract(5, 2, "two"))


def test_kongs_cost_nothing_and_the_dealer_stays_when_he_wins() -> None:
    table = rules("zhuji_bao")
    assert [step.payments for step in table.settle_kongs([Kong(0, "kong_added")])] == [(0, 0, 0, 0)]
    assert [table.next_dealer(3, winners) for winners in ([], [3], [0])] == [3, 3, 0]


def test_the_receipt_lays_wild_tiles_into_the_gaps() -> None:
    score = won("zhuji_bao", PURE, wild="1m 2m", contract="two2@0")
    gaps = [(group.tiles, group.faces) for group in score.groups if group.tiles != group.faces]
    assert gaps == [(("2p", "2p", "1m"), ("2p", "2p", "2p"))]
    assert sum(group.won for group in score.groups) == 1
    assert [step.text.en for step in score.steps] == [
        "tai: pure suit 3 = 3",
        "hand points: 2^3 = 8",
        "contract points: 2 tai = 5",
        "seat 1: 8 + 5 = 13",
        "seat 2: 8 + 5 = 13",
        "seat 3: 8 + 5 = 13",
        "the winner receives 39",
    ]
    drawn = won("zhuji_bao", "555p 11m 234567s 22s + 1m", wild="1m", contract="one2@1")
    assert [group.tiles for group in drawn.groups if group.won] == [("1m", "1m", "1m")]
    assert drawn.lines[0].tiles == ("1m", "1m", "1m")
    assert drawn.second is not None
    assert drawn.second.elements == ("dragon_pung",)
    any_hand = won("zhuji_bao", "123m 456m 55s 789p CC + C", options={"pinghu_any_hand": True})
    assert "every hand" in next(line for line in any_hand.lines if line.element == "all_chows").reason.en
    assert [note.code for note in won("zhuji_bao", PLAIN, kong_bloom=True).notes] == ["no_kong"]


def test_all_chows_in_every_hand_needs_its_value() -> None:
    with pytest.raises(RulesError, match="pinghu_any_hand"):
        rules("zhuji_bao", {"pinghu_any_hand": True, "tai": {"all_chows": None}})


def test_a_photographed_meld_keeps_its_tiles() -> None:
    hand = Hand.parse("33355599m EE [717m] + E")
    score = won("zhuji_bao", hand.show(), 1, wild="1m 2m", contract="two2@2")
    assert score.groups[-1].tiles == ("7m", "1m", "7m")
    assert score.groups[-1].faces == ("7m", "7m", "7m")
