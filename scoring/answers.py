"""What was said about a win, held against the questions of the rules: which answers stand, and which cannot be.

The app drops what no longer applies (`answered`), because there a person changes one answer after another. Who gives
all of them at once, on a command line, is told instead (`impossible`): each superfluous answer is a mistake somewhere.
"""

from collections.abc import Sequence
from typing import cast

from scoring.hand import Answer, Answers, Hand
from scoring.receipt import problem
from scoring.rules import Problem, Question, Rules


def answered(table: Rules, hand: Hand, answers: Answers) -> dict[str, Answer]:
    """The answers that stand: those offered, completed by the implied ones and the defaults. The others are dropped."""
    settled: dict[str, Answer] = {}
    for question in table.questions:
        known = {**answers, **settled}
        if question.offered(hand, known):
            implied = question.implied(hand, known)
            value = answers.get(question.id, question.default) if implied is None else implied
            if value is not None:
                settled[question.id] = value
    return settled


def impossible(table: Rules, hand: Hand, answers: Answers) -> tuple[Problem, ...]:
    """What was answered and cannot be: to a question that this hand and the other answers do not raise, with a value
    that is none of its choices, or other than what the hand itself shows. No, nobody and nothing can always be said."""
    known = {**answers, **answered(table, hand, answers)}
    said = [question for question in table.questions if _says_something(answers.get(question.id))]
    return tuple(
        wrong
        for question in said
        if (wrong := _wrong(question, hand, {**known, question.id: answers[question.id]})) is not None
    )


def _says_something(value: Answer) -> bool:
    return value is not None and value is not False and value != ()


def _wrong(question: Question, hand: Hand, known: Answers) -> Problem | None:
    key, value = question.id, known[question.id]
    if not question.offered(hand, known):
        needs = question.needs
        return problem(
            "answer",
            f"这一胡不能说“{key}”：须是{needs.zh}。",
            f"“{key}” cannot be said of this win: it needs {needs.en}.",
        )
    implied = question.implied(hand, known)
    if implied is not None and implied != value:
        return problem(
            "answer",
            f"“{key}”不能是 {_shown(value)}：从牌上看是 {_shown(implied)}。",
            f"“{key}” cannot be {_shown(value)}: the hand shows {_shown(implied)}.",
        )
    if question.kind == "int":
        if isinstance(value, int) and question.low <= value <= question.high:
            return None
        return problem(
            "answer",
            f"“{key}”须为 {question.low} 到 {question.high}，不能是 {_shown(value)}。",
            f"“{key}” must be {question.low} to {question.high}, not {_shown(value)}.",
        )
    if question.kind == "bool":
        return None
    given = cast("Sequence[Answer]", value) if isinstance(value, tuple) else (value,)
    choices = tuple(choice.value for choice in question.choices(hand, known))
    if strange := [one for one in given if one not in choices]:
        return problem(
            "answer",
            f"“{key}”不能是 {_shown(strange[0])}，可选：{_shown(choices)}。",
            f"“{key}” cannot be {_shown(strange[0])}: choose among {_shown(choices)}.",
        )
    if twice := [one for one in dict.fromkeys(given) if given.count(one) > 1]:
        return problem(
            "answer",
            f"“{key}”把 {_shown(twice[0])} 说了两次。",
            f"“{key}” names {_shown(twice[0])} twice.",
        )
    return None


def _shown(value: object) -> str:
    """A value as it is typed: 1m,2m."""
    return ", ".join(map(str, cast("tuple[object, ...]", value))) if isinstance(value, tuple) else str(value)
