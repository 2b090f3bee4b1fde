"""Two scorers that share no line must say the same of every hand: the worked examples, then hands drawn at random."""

import json
import random
from pathlib import Path

import pytest

from tests.scoring.oracle import answer
from tests.scoring.oracle_hands import SYSTEMS, random_case

EXAMPLES = Path(__file__).parents[3] / "shared" / "rules" / "examples.json"


def worked_examples() -> list:
    """Each worked example, and its alternative with the switch turned, as (case, expected)."""
    if not EXAMPLES.exists():
        return [pytest.param(None, None, marks=pytest.mark.skip(reason="../shared/rules/examples.json is not here"))]
    found = []
    for case in json.loads(EXAMPLES.read_text(encoding="utf-8"))["examples"]:
        found.append(pytest.param(case, case["expected"], id=case["id"]))
        if "alternative" in case:
            turned = {**case, "options": {**case["options"], **case["alternative"]["options"]}}
            found.append(pytest.param(turned, case["alternative"]["expected"], id=f"{case['id']}-alternative"))
    return found


@pytest.mark.parametrize(("case", "expected"), worked_examples())
def test_the_slow_scorer_gives_every_worked_example_as_written(case: dict, expected: dict) -> None:
    given = answer(case)
    if "illegal" in expected:
        assert "illegal" in given, given
    else:
        assert {key: given.get(key) for key in expected} == expected


def test_four_quads_left_in_one_suit_count_one_by_one_and_beat_the_seven_pairs() -> None:
    # RULES.md 11: 123 123 123 123 44, pure suit 4 and three concealed fours of 4 = 256; as seven pairs 4 x 16 = 64.
    case = {"ruleset": "ka_wu_xing", "variant": "kwx_base", "kind": "win", "players": 3, "winner": 0}
    case |= {"concealed": [tile for tile in ("1s", "2s", "3s") for _ in range(4)] + ["4s"], "winning_tile": "4s"}
    given = answer({**case, "win_by": "self_draw"})
    assert given["elements"] == ["concealed_four"] * 3 + ["pure_suit"]
    assert (given["multiplier"], given["payments"]) == (256, [512, -256, -256])


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_one_seat_pays_another_receives(system: str) -> None:
    rng = random.Random(7)
    for _ in range(500):
        case = random_case(system, rng)
        if case["kind"] != "escape":  # what an escapee loses goes to nobody
            assert sum(answer(case)["payments"]) == 0, json.dumps(case)


def comparable(given: dict) -> dict:
    """What two answers must share: the sentence of a refusal is free, and nothing is paid for one."""
    if "illegal" in given:
        assert not any(given.get("payments", [])), given
        return {"illegal": True}
    return given if "wins" not in given else {**given, "wins": [comparable(win) for win in given["wins"]]}


def compare(system: str, seed: int, cases: int) -> None:
    from scoring.cases import answer as fast_answer

    rng = random.Random(seed)
    legal = 0
    for _ in range(cases):
        case = random_case(system, rng)
        slow, fast = answer(case), fast_answer(case)
        legal += "illegal" not in slow
        if comparable(slow) != comparable(fast):
            pytest.fail(f"case {json.dumps(case)}\nslow {json.dumps(slow)}\nfast {json.dumps(fast)}")
    assert legal > cases / 3, f"only {legal} of {cases} cases can be scored: the generator tests too little"


@pytest.mark.parametrize("system", SYSTEMS)
def test_both_scorers_agree_on_random_cases(system: str) -> None:
    compare(system, seed=2026, cases=300)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_both_scorers_agree_on_twenty_thousand_random_cases(system: str) -> None:
    compare(system, seed=1130, cases=20_000)
