"""The hands that the rules pages draw: each has the element beside which it stands, under some preset of its game."""

from __future__ import annotations

import pytest

from scoring import Hand, Score, Win, rules, rulesets
from scoring.examples import EXAMPLES

WILD = {"contract_kind": "two", "contract_level": 2, "contract_seat": 0, "wild": ("1s", "2s")}
SYSTEMS = {system.name: system for system in rulesets()}


@pytest.mark.parametrize(("game", "element"), [(game, element) for game in EXAMPLES for element in EXAMPLES[game]])
def test_the_hand_drawn_beside_an_element_has_it(game: str, element: str) -> None:
    system, hand = SYSTEMS[game], Hand.parse(EXAMPLES[game][element])
    assert element in {e.id for e in system.elements}
    assert len(hand.concealed) + 3 * len(hand.melds) == 13
    said = {"winner": 0, "win_by": "self_draw", **(WILD if game == "zhuji_bao" else {})}
    scores = [rules(preset).score(Win.from_answers(hand, said)) for preset in system.presets]
    assert any(isinstance(score, Score) and element in score.elements for score in scores)


def test_most_elements_that_a_hand_can_show_are_drawn() -> None:
    assert sum(map(len, EXAMPLES.values())) >= 29
