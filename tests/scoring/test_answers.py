"""Answers that stand and answers that cannot be: superfluous, out of range, other than what the hand shows."""

from typing import Any

import pytest

from scoring import Hand, impossible, rules, rulesets
from scoring.rules import NOTHING

PLAIN = "123789p 4556s CCC + 5s"
KONG = "123789p 5s CC [9999s] + 5s"
FED = "5567m [123m from 3] [999m from 3] [SSS from 3] + 8m"
BLOOM = "2225588s [CCCC from 2] [EEE] + 8s"
BAO = "123m 234567s 5578p + 9p"
WILD = {"contract_kind": "two", "wild": ("1m", "2m")}
DISCARD = {"win_by": "discard", "discarder": 1}
ROB = {"win_by": "rob_kong", "discarder": 1}


@pytest.mark.parametrize(
    ("name", "hand", "answers", "about"),
    [
        ("kwx_base", PLAIN, {"kong_bloom": True}, "“kong_bloom” cannot be said of this win: it needs a self-draw"),
        ("kwx_base", KONG, {"kong_bloom": True, **DISCARD}, "“kong_bloom” cannot be said of this win"),
        ("kwx_base", PLAIN, {"robbed_kong": "added"}, "it needs a robbed kong"),
        ("kwx_base", PLAIN, {**ROB, "robbed_kong": "concealed"}, "choose among added, chained"),
        ("kwx_base", PLAIN, {"passed_discarder": 9, **DISCARD}, "“passed_discarder” cannot be 9: choose among 2"),
        ("kwx_leyou", PLAIN, {"passed_discarder": 2, **DISCARD}, "a rule about passed-up wins"),
        ("kwx_base", PLAIN, {"passed_multiplier": 2, **DISCARD}, "it needs passed_discarder"),
        ("kwx_base", PLAIN, {"discarder": 1}, "it needs a win on a discard or by robbing"),
        ("kwx_base", PLAIN, {"revealed": (0, 0)}, "“revealed” names 0 twice"),
        ("kwx_base", PLAIN, {"revealed": (3,)}, "“revealed” cannot be 3"),
        ("shandong", FED, {"three_claim_feeder": 1}, "“three_claim_feeder” cannot be 1: the hand shows 3"),
        ("shandong", PLAIN + " | 1f", {"flowers": ("2f",)}, "“flowers” cannot be 2f: the hand shows 1f"),
        ("shandong", PLAIN, {"heavenly_hand": True, "earthly_hand": True}, "“heavenly_hand” cannot be said"),
        ("shandong", PLAIN, {"previous_draws": 100}, "“previous_draws” must be 0 to 99, not 100"),
        ("shandong", BLOOM, {"kong_fed_by": 2}, "it needs a kong bloom"),
        ("zhuji_bao", BAO, {"contract_kind": "no_bid", "contract_seat": 0}, "it needs a contract"),
        ("zhuji_bao", BAO, {"contract_kind": "none", "wild": ("1m",)}, "it needs a contract with wild tiles"),
        ("zhuji_bao", BAO, {**WILD, "wild": ("1m", "1m")}, "“wild” names 1m twice"),
        ("zhuji_bao", BAO, {**WILD, "wild": ("1m", "1f")}, "“wild” cannot be 1f"),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_is_named_with_its_reason(
    name: str, hand: str, answers: dict[str, Any], about: str
) -> None:
    wrong = impossible(rules(name), Hand.parse(hand), answers)
    assert wrong, answers
    assert about in wrong[0].text.en
    assert wrong[0].text.zh.endswith("。")


@pytest.mark.parametrize(
    ("name", "hand", "answers"),
    [
        ("kwx_base", PLAIN, {}),
        ("kwx_base", PLAIN, {"winner": 0, "revealed": (0, 2), "last_tile_draw": True}),
        ("kwx_base", PLAIN, {"kong_bloom": False, "revealed": (), "passed_discarder": None}),
        ("kwx_base", KONG, {"kong_bloom": True}),
        ("kwx_base", PLAIN, {**DISCARD, "winner": 2, "passed_discarder": 0, "passed_multiplier": 4}),
        ("shandong", FED, {"three_claim_feeder": 3}),
        ("shandong", PLAIN + " | 1f", {"flowers": ("1f",), "kong_bloom": True, "previous_draws": 0}),
        ("shandong", BLOOM, {"kong_bloom": True, "kong_fed_by": 2}),
        ("zhuji_bao", BAO, {"wild": ("1m", "2m"), "contract_seat": 3}),
        ("zhuji_bao", BAO, {"contract_kind": "no_bid"}),
    ],
)
def test_an_answer_that_can_be_stands(name: str, hand: str, answers: dict[str, Any]) -> None:
    assert impossible(rules(name), Hand.parse(hand), answers) == ()


@pytest.mark.parametrize("name", [preset for system in rulesets() for preset in system.presets])
def test_every_question_that_is_not_always_asked_says_what_it_needs(name: str) -> None:
    for question in rules(name).questions:
        always = all(
            question.offered(Hand.parse(hand), {"win_by": how})
            for hand in (PLAIN, KONG, FED)
            for how in ("self_draw", "discard", "rob_kong")
        )
        assert (question.needs == NOTHING) == always, question.id
