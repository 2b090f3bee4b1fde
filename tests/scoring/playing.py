"""One-line hands for the tests: `won("kwx_base", "123789p 4556s CCC + 5s", 1)` is a win on seat 1's discard."""

from typing import Any

from scoring import Hand, Refusal, Score, Win, rules
from scoring.hand import Contract


def win(
    hand: str,
    discarder: int | None = None,
    *,
    by: Any = None,
    winner: int = 0,
    wild: str = "",
    contract: str = "",
    **circumstances: Any,
) -> Win:
    """A win: by self-draw without a discarder, on a discard with one. `contract="two3@1"`: two kinds, 3 台, seat 1."""
    if discarder is not None:
        circumstances["discarder"] = discarder
    kind, level, seat = (contract[:-3], int(contract[-3]), int(contract[-1])) if contract else ("", 0, 0)
    return Win(
        Hand.parse(hand),
        by or ("self_draw" if discarder is None else "discard"),
        winner,
        circumstances=circumstances,
        wild=tuple(wild.split()),
        contract=Contract(seat, level, kind) if contract else None,  # type: ignore[arg-type]
    )


def won(preset: str, hand: str, discarder: int | None = None, /, *, options: Any = None, **how: Any) -> Score:
    """The score of a hand that must win."""
    result = rules(preset, options).score(win(hand, discarder, **how))
    assert isinstance(result, Score), result.sentence()
    return result


def refused(preset: str, hand: str, discarder: int | None = None, /, *, options: Any = None, **how: Any) -> set[str]:
    """The codes of everything that is wrong with a hand that must not win."""
    result = rules(preset, options).score(win(hand, discarder, **how))
    assert isinstance(result, Refusal), result.elements
    for problem in result.problems:
        assert problem.text.zh.endswith("。"), problem
        assert problem.text.en.endswith("."), problem
    return {problem.code for problem in result.problems}


def told(score: Score) -> str:
    """Elements, value and payments in one line: `middle_five ×2 [2, -2, 0]`."""
    value = ", ".join(f"{key} {value}" for key, value in score.figures.items())
    return f"{' '.join(score.elements)} | {value} | {' '.join(map(str, score.payments))}"
