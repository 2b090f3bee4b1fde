"""Several winners of one discard (一炮双响, 一炮多响): each is scored alone, all transfers stand together.

Where a table lets only one win, it is the nearest in turn after the discarder, and the others are told so.
"""

from collections.abc import Sequence
from typing import cast

from scoring.hand import Win
from scoring.receipt import problem
from scoring.rules import Problem, Refusal, Rules, Score
from scoring.settlement import Settlement


def settle_together(
    rules: Rules, wins: Sequence[Win], multiple_winners: bool
) -> tuple[tuple[Score | Refusal, ...], Settlement]:
    """Each result in the given order, and the settlement of those that stand."""
    players = next((win.players for win in wins if win.players), None) or rules.players
    results: list[Score | Refusal] = [rules.score(win) for win in wins]
    wrong = _joint_problems(wins)
    if wrong:
        results = [
            Refusal(rules, win, (*(result.problems if isinstance(result, Refusal) else ()), *wrong))
            for win, result in zip(wins, results, strict=True)
        ]
    standing = [i for i, result in enumerate(results) if isinstance(result, Score)]
    if not multiple_winners and len(standing) > 1:
        discarder = cast(int, wins[0].circumstances.get("discarder", 0))
        nearest = min(standing, key=lambda i: (wins[i].winner - discarder) % players)
        for i in standing:
            if i != nearest:
                results[i] = Refusal(rules, wins[i], (_not_nearest(),))
    return tuple(results), Settlement.join(
        players, (result.settlement for result in results if isinstance(result, Score))
    )


def _not_nearest() -> Problem:
    return problem(
        "not_nearest",
        "本桌只能一家胡：由放炮者下家起最近的一家。",
        "Only one may win at this table: the nearest in turn after the discarder.",
    )


def _joint_problems(wins: Sequence[Win]) -> list[Problem]:
    """What is wrong with several wins on one tile: a seat named twice, different tiles or discarders."""
    found: list[Problem] = []
    if len({win.winner for win in wins}) < len(wins):
        found.append(problem("winners", "同一个座位胡了两次。", "The same seat is named as winner twice."))
    if len({(win.by, win.circumstances.get("discarder"), win.hand.winning_tile) for win in wins}) > 1:
        found.append(
            problem(
                "winners",
                "一炮多响须是同一家打出的同一张牌。",
                "Several winners must win on the same tile of the same discarder.",
            )
        )
    return found
