"""Which tiles a hand waits for, how many are left, and what each is worth."""

from typing import Any

import pytest

from scoring import Hand, rules, waits


def waiting(name: str, hand: str, answers: Any = None, seen: str = "", options: Any = None) -> str:
    """Each wait as `tile:unseen:self-draw/discard` (- where it would be no win)."""
    found = waits(rules(name, options), Hand.parse(hand), answers, seen.split())
    return " ".join(
        f"{w.tile}:{w.unseen}:{w.worth('self_draw') or '-'}/{w.worth('discard') or '-'}" for w in found.waits
    )


@pytest.mark.parametrize(
    ("name", "hand", "answers", "seen", "expected"),
    [
        # a chicken hand may not win on a discard
        ("kwx_base", "23467s 123789p CC", {}, "", "5s:4:2/- 8s:4:2/-"),
        ("kwx_base", "23467s 123789p CC", {}, "5s 5s 8s C", "5s:2:2/- 8s:3:2/-"),
        # revealed: both shares of 2 from the discarder
        ("kwx_base", "23467s 123789p CC", {"revealed": (0,)}, "", "5s:4:4/4 8s:4:4/4"),
        ("kwx_leyou", "23467s 123789p CC", {}, "", "5s:4:2/1 8s:4:2/1"),
        # the pair that is held four times is no wait
        ("kwx_leyou", "2222456s 123789p", {}, "", ""),
        ("kwx_base", "2223344455566s", {}, "", "1s:4:8/4 3s:2:16/8 4s:1:32/16 6s:2:16/8 7s:4:8/4"),
        ("shandong", "123m 456p 789s 55m 34p", {}, "", "2p:4:15/5 5p:3:15/5"),
        # 明楼 wins by self-draw only, and doubles
        ("shandong", "123m 456p 789s 55m 34p", {"open_ready_winner": True}, "", "2p:4:30/- 5p:3:30/-"),
        # a contract made: 8 + 20 from each, on a discard 20 from the two others too
        ("zhuji_bao", "111234567899s5s", {"contract_kind": "none", "contract_level": 3, "contract_seat": 0}, "",
            "5s:2:84/68 9s:2:84/68"),
    ],
)  # fmt: skip
def test_the_waits_of_a_hand(name: str, hand: str, answers: Any, seen: str, expected: str) -> None:
    assert waiting(name, hand, answers, seen) == expected


def test_a_hand_that_is_not_ready_says_so() -> None:
    found = waits(rules("kwx_base"), Hand.parse("1357s 1357p CCFPP"))
    assert not found.ready
    assert [problem.code for problem in found.problems] == ["not_ready"]


def test_a_hand_that_cannot_be_judged_says_everything_that_is_wrong() -> None:
    found = waits(rules("kwx_base"), Hand.parse("123m 3467s CC"))
    assert not found.ready
    assert {problem.code for problem in found.problems} == {"tile_not_in_game", "tile_count"}


def test_melds_and_a_kong_count_as_seen() -> None:
    assert waiting("kwx_leyou", "4567s [444p] [777p] [4444s]") == ""
    assert waiting("kwx_leyou", "5678s [444p] [777p] [999s]", {}, "5s") == "5s:2:2/1 8s:3:2/1"


def test_with_wild_tiles_a_drawn_wild_completes_but_a_discarded_one_does_not() -> None:
    answers = {"wild": ("1m",), "contract_kind": "one", "contract_seat": 1, "contract_level": 2}
    # 1m drawn stands for 7p, 2 + 30 and 2 from each; thrown it is only a 1m. 7p has no wild tile: 4 + 30, 4, 4
    assert waiting("zhuji_bao", "234567s 55s 123p 89p", answers) == "1m:4:36/- 7p:4:42/34"
