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


def comparable(given: dict) -> dict:
    """What two answers must share: the sentence of a refusal is free, and so is what is paid for it (nothing)."""
    if "illegal" in given:
        assert not any(given.get("payments", [])), given
        return {"illegal": True}
    return given


def compare(system: str, seed: int, cases: int) -> None:
    fast_answer = pytest.importorskip("scoring.cases", reason="the fast scorer is not written yet").answer

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
