"""Which tiles complete a hand (听牌), how many of each are left unseen, and what each would be worth.

Every tile of the game is tried by the same scoring that judges a real win, so that a wait below the minimum or a
contract not reached shows as what it is: a tile that completes the hand by self-draw only, or not at all.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, cast

from scoring.hand import Answer, Answers, Hand, Win
from scoring.receipt import problem
from scoring.rules import Problem, Refusal, Rules, Score
from scoring.tiles import FLOWERS, copies

_KEPT = (
    "revealed",
    "open_ready_winner",
    "open_ready_payers",
    "previous_draws",
    "three_claim_feeder",
    "dealer",
    "old_dealer",
)
"""What was said about the hand that also holds for a win to come."""
KNOWN_BEFORE: Final = frozenset(
    (*_KEPT, "winner", "flowers", "wild", "contract_kind", "contract_seat", "contract_level")
)
"""Every answer that can be known before the hand is won."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One winning tile: how many nobody has seen (0–4), and its score by self-draw and by the next player's discard."""

    tile: str
    unseen: int
    self_draw: Score | Refusal
    discard: Score | Refusal

    def worth(self, way: str) -> int | None:
        """What the winner receives by `self_draw` or `discard`; None where that would be no win."""
        result = self.self_draw if way == "self_draw" else self.discard
        return result.payments[result.win.winner] if isinstance(result, Score) else None


@dataclass(frozen=True, slots=True)
class Waits:
    """All waits of a hand in the order of the tiles; `problems` say why a hand cannot be judged, everything at once."""

    hand: Hand
    waits: tuple[Wait, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def ready(self) -> bool:
        """听牌: at least one tile completes the hand."""
        return bool(self.waits)


def waits(rules: Rules, hand: Hand, answers: Answers | None = None, seen: Iterable[str] = ()) -> Waits:
    """The waits of a hand of 13 − 3·melds concealed tiles under these rules.

    `answers` are those of the questions as far as they are known (winner, revealed, wild, the contract…), `seen` the
    tiles that lie open elsewhere on the table. A winning tile in `hand` is ignored.
    """
    said: dict[str, Answer] = dict(answers or {})
    winner = cast(int, said.get("winner", 0))
    template = Win.from_answers(Hand(hand.concealed, hand.melds, None, hand.flowers), said)
    kept = {key: value for key, value in template.circumstances.items() if key in _KEPT}
    drawn = MappingProxyType(kept)
    thrown = MappingProxyType({**kept, "discarder": (winner + 1) % rules.players})
    held = Counter(hand.concealed + tuple(tile for meld in hand.melds for tile in meld.tiles))
    visible = held + Counter(seen)
    found: list[Wait] = []
    problems: tuple[Problem, ...] = ()
    for tile in rules.tiles:
        if tile in FLOWERS or held[tile] >= copies(tile):
            continue
        whole = Hand(hand.concealed, hand.melds, tile, template.hand.flowers)
        by_draw = rules.score(
            Win(whole, "self_draw", winner, template.players, drawn, template.wild, template.contract)
        )
        by_discard = rules.score(
            Win(whole, "discard", winner, template.players, thrown, template.wild, template.contract)
        )
        if isinstance(by_draw, Score) or isinstance(by_discard, Score):
            found.append(Wait(tile, max(0, copies(tile) - visible[tile]), by_draw, by_discard))
        elif not problems:
            problems = tuple(item for item in by_draw.problems if item.code not in _NO_WIN)
    if found:
        problems = ()
    elif not problems and len(hand.concealed) == 13 - 3 * len(hand.melds):
        problems = (problem("not_ready", "没有听牌：没有一张能胡的牌。", "Not ready: no single tile wins."),)
    return Waits(hand, tuple(found), problems)


_NO_WIN = frozenset(("no_shape", "no_258_pair", "below_minimum", "contract_not_reached"))
