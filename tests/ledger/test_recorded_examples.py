"""Every worked example that can happen at a table can be recorded at one, and costs what the example says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.ledger.events import LedgerError, RulesChanged, RulesChoice
from scoring.ledger.night import fold
from tests.ledger.table import discard, draw, event, night, opening, self_draw

RECORDED = {"win", "multi_win", "kong", "draw", "escape"}


def test_the_worked_examples_cost_what_they_say(shared: Path) -> None:
    examples = json.loads((shared / "rules" / "examples.json").read_text(encoding="utf-8"))["examples"]
    counted = 0
    for case in examples:
        if case["kind"] not in RECORDED:
            continue
        players = tuple("ABCD")[: case["players"]]
        one = fold(opening(*players, rules=case["variant"]), [event(case)])
        (entry,) = one.entries
        if "illegal" in case["expected"]:
            assert entry.problem is not None, case["id"]
            continue
        assert entry.problem is None, (case["id"], entry.problem)
        assert [one.totals[name] for name in players] == case["expected"]["payments"], case["id"]
        assert one.check == 0
        counted += 1
    assert counted > 60


HAND = "234567m 345678p 2s + 2s"
"""No Shandong element but 推倒和: 1 fan, so 5 flowers × 1."""


def test_draws_before_raise_a_shandong_hand_and_an_undone_draw_lowers_it_again() -> None:
    four = opening("A", "B", "C", "D", rules="shandong")
    assert night(discard(0, 1, HAND), of=four).totals["A"] == 5
    twice = night(draw(), draw(), discard(0, 1, HAND), of=four)
    assert twice.totals["A"] == 5 * (1 + 4)  # 荒庄: 2, then 4 fan more
    assert night(draw(), discard(0, 1, HAND), of=four).totals["A"] == 5 * (1 + 2)


def test_the_shandong_deal_passes_on_after_a_draw() -> None:
    assert night(draw(), draw(), of=opening("A", "B", "C", "D", rules="shandong")).dealer == "C"


def test_one_night_may_play_three_systems() -> None:
    of = opening("A", "B", "C", "D", rules="shandong")
    with pytest.raises(LedgerError, match="is for 3 players and 4 sit"):
        night({**self_draw(0), "variant": "kwx_base"}, of=of)
    contract = {"variant": "zhuji_bao", "wild": ["1m", "2m"], "contract": {"seat": 0, "level": 2, "kind": "two"}}
    three = night(
        discard(0, 1, HAND),  # Shandong: B pays A 5
        {**self_draw(0, "222456777p 13p 1m 9p + 9p"), **contract},  # Zhuji, the seed's example: 13 from each
        RulesChanged(RulesChoice("kwx_base")),  # three sit, D waits
        self_draw(1),  # B gets 2 from each
        RulesChanged(RulesChoice("shandong")),
        discard(3, 2, HAND),
        of=of,
    )
    assert [entry.seats for entry in three.entries][2:] == [("A", "B", "C", "D"), *[("A", "B", "C")] * 2, tuple("ABCD")]
    assert dict(three.totals) == {"A": 5 + 39 - 2, "B": -5 - 13 + 4, "C": -13 - 2 - 5, "D": -13 + 5}
    assert (three.hands, three.check) == (4, 0)
