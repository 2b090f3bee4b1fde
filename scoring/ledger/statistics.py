"""What one night, a month or all nights say of each player: counted from the entries that stand, and nothing else.

An average is a pair of whole numbers until it is printed; who never played has zeros, not a division by zero.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from scoring.ledger.events import Adjusted, Played
from scoring.ledger.night import Entry, Night


@dataclass(slots=True)
class Record:
    """One player's figures. `points` is won less lost in hands, kongs and draws, `adjusted` what adjustments gave
    besides; `biggest` the most one win brought.

    `hands` counts hands that ended while the player sat at the table; `elements` the times each was on a receipt, but
    for bonuses (after drawn hands, say), which are no kind of hand.
    """

    player: str
    hands: int = 0
    self_draws: int = 0
    wins_by_discard: int = 0
    dealt_in: int = 0
    points: int = 0
    adjusted: int = 0
    biggest: int = 0
    elements: Counter[str] = field(default_factory=lambda: Counter[str]())

    @property
    def wins(self) -> int:
        """All hands won."""
        return self.self_draws + self.wins_by_discard

    @property
    def average(self) -> float:
        """Points a hand; 0 for somebody who sat at none."""
        return self.points / self.hands if self.hands else 0.0

    def favourites(self, most: int = 3) -> tuple[str, ...]:
        """The elements won with most often, the oftener first, equals by name."""
        return tuple(sorted(self.elements, key=lambda name: (-self.elements[name], name))[:most])


def records(nights: Iterable[Night]) -> dict[str, Record]:
    """The figures of every player of these nights, by name (the same name is the same person)."""
    found: dict[str, Record] = {}
    for night in nights:
        for name in night.players:
            found.setdefault(name, Record(name))
        for entry in night.entries:
            if isinstance(entry.deed, Played) and entry.outcome is not None and not entry.undone:
                _count(found, entry)
            if isinstance(entry.deed, Adjusted) and entry.problem is None and not entry.undone:
                for name, amount in entry.net.items():
                    found[name].adjusted += amount
    return found


def _count(found: dict[str, Record], entry: Entry) -> None:
    outcome = entry.outcome
    assert outcome is not None
    for name, amount in entry.net.items():
        found[name].points += amount
    if outcome.ends_hand:
        for name in entry.seats:
            found[name].hands += 1
    for seat, elements in zip(outcome.winners, outcome.elements, strict=True):
        winner = found[entry.seats[seat]]
        winner.elements.update(
            element for element in elements if ":" not in element
        )  # a bonus has its amount behind it
        winner.biggest = max(winner.biggest, entry.net.get(winner.player, 0))
        if outcome.discarder is None:
            winner.self_draws += 1
        else:
            winner.wins_by_discard += 1
    if outcome.winners and outcome.discarder is not None:
        found[entry.seats[outcome.discarder]].dealt_in += 1
