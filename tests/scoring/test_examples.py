"""Every worked example of ../shared/rules, and every alternative under its other switch, exactly."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.cases import answer

EXAMPLES = Path(__file__).resolve().parents[3] / "shared" / "rules" / "examples.json"
CASES: list[dict[str, Any]] = json.loads(EXAMPLES.read_text("utf-8"))["examples"] if EXAMPLES.exists() else []


@pytest.mark.skipif(not CASES, reason="../shared/rules/examples.json is not beside this checkout")
def test_the_worked_examples_are_all_here() -> None:
    assert len(CASES) == 77


def check(reply: dict[str, Any], expected: dict[str, Any]) -> None:
    if "illegal" in expected:
        assert "illegal" in reply, reply
        return
    assert {key: reply.get(key) for key in expected} == expected


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_worked_example_scores_exactly(case: dict[str, Any]) -> None:
    check(answer(case), case["expected"])


ALTERNATIVES = [case for case in CASES if "alternative" in case]


@pytest.mark.parametrize("case", ALTERNATIVES, ids=[case["id"] for case in ALTERNATIVES])
def test_the_alternative_of_an_example_scores_exactly(case: dict[str, Any]) -> None:
    other = case["alternative"]
    check(answer(case | {"options": case["options"] | other["options"]}), other["expected"])
