"""Who pays whom. A settlement is a list of transfers and nothing else, so its sum is zero because a transfer has two
ends.

Each transfer says why in both languages; the net payments are folded from them. The one exception in the sources, a
penalty that nobody receives (逃跑, leaving the table), is a transfer to the `BANK`, which no seat sees.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from scoring.traditional import to_traditional


class Text(NamedTuple):
    """One sentence in Chinese and in English."""

    zh: str
    en: str

    def __call__(self, language: str) -> str:
        """The sentence in a language: `zh-Hant` is Chinese in traditional characters, anything else that starts with
        `zh` in simplified ones, and the rest English. Put names in afterwards: they are not ours to convert."""
        if not language.startswith("zh"):
            return self.en
        return to_traditional(self.zh) if language == "zh-Hant" else self.zh


def many(n: int, thing: str) -> str:
    """So many of a thing, in English.

    >>> many(1, "meld"), many(2, "meld")
    ('1 meld', '2 melds')
    """
    return f"{n} {thing}{'s' * (n != 1)}"


BANK: Final = -1
"""The receiver of a penalty that no player gets."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """`payer` gives `receiver` a positive integer `amount` of units; both are seats, the receiver may be `BANK`."""

    payer: int
    receiver: int
    amount: int
    reason: Text


@dataclass(frozen=True, slots=True)
class Settlement:
    """All transfers of one event among `players` seats."""

    players: int
    transfers: tuple[Transfer, ...] = ()

    @property
    def payments(self) -> tuple[int, ...]:
        """Net amount of each seat: what it receives less what it pays. The sum is zero unless the bank received."""
        net = [0] * self.players
        for transfer in self.transfers:
            net[transfer.payer] -= transfer.amount
            if transfer.receiver != BANK:
                net[transfer.receiver] += transfer.amount
        return tuple(net)

    @staticmethod
    def join(players: int, parts: "Iterable[Settlement]") -> "Settlement":
        """Several settlements of one moment (two winners, a chain of kongs) as one."""
        return Settlement(players, tuple(transfer for part in parts for transfer in part.transfers))
