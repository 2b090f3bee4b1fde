"""Who pays whom at the end, in the fewest transfers.

People who owe and people who are owed split into groups that each sum to zero; a group of k needs k−1 transfers, so
the most groups give the fewest transfers. Up to `EXACT` people that is worked out exactly over all subsets; beyond,
the largest debtor pays the largest creditor until nobody owes. Everything is whole numbers, rounded once at most.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.ledger.events import refuse

EXACT: Final = 12


class Payment(NamedTuple):
    """`payer` gives `receiver` `amount`."""

    payer: str
    receiver: str
    amount: int


def settle_up(balances: Mapping[str, int], nobody: str = "") -> tuple[Payment, ...]:
    """The fewest payments that bring every balance to zero. A balance is what a player is to receive, or below zero
    pay.

    What the balances fail to sum to (penalties that nobody received) is paid to, or comes from, the pot called
    `nobody`.
    """
    rest = -sum(balances.values())
    open_ = {name: amount for name, amount in ({**balances, nobody: rest} if rest else balances).items() if amount}
    payments = [payment for group in _groups(open_) for payment in _chain({name: open_[name] for name in group})]
    return tuple(sorted(payments, key=lambda p: (-p.amount, p.payer, p.receiver)))


def rounded(balances: Mapping[str, int], step: int) -> dict[str, int]:
    """Balances in multiples of `step` whose sum is still that of the rounded whole: those who lose or gain most by
    rounding are served first, so nobody is off by more than one step. [7, −3, −4] in steps of 5 is [10, −5, −5]."""
    if step < 1:
        refuse("取整单位须是正整数。", "The rounding step must be a positive whole number.")
    down = {name: amount // step for name, amount in balances.items()}
    left = round(sum(balances.values()) / step) - sum(down.values())
    by_rest = sorted(balances, key=lambda name: (-(balances[name] % step), name))
    return {name: (down[name] + (name in by_rest[:left])) * step for name in balances}


def _groups(open_: Mapping[str, int]) -> list[list[str]]:
    """The most groups that each sum to zero (exact up to `EXACT` people, else all of them as one)."""
    names = list(open_)
    if not names:
        return []
    if len(names) > EXACT:
        return [names]
    full = (1 << len(names)) - 1
    total = [0] * (full + 1)
    most = [0] * (full + 1)
    for people in range(1, full + 1):
        lowest = people & -people
        total[people] = total[people ^ lowest] + open_[names[lowest.bit_length() - 1]]
        # The best split without some one person, and one group more when everybody here sums to zero.
        most[people] = max(most[people ^ (1 << i)] for i in range(len(names)) if people >> i & 1) + (total[people] == 0)
    groups: list[list[str]] = []
    group: list[str] = []
    people = full
    while people:
        # Take out the person without whom as many groups remain; each time a zero sum is passed, a group closes.
        if total[people] == 0 and group:
            groups.append(group)
            group = []
        worth = most[people] - (total[people] == 0)
        i = next(i for i in range(len(names)) if people >> i & 1 and most[people ^ (1 << i)] == worth)
        group.append(names[i])
        people ^= 1 << i
    return [*groups, group]


def _chain(open_: Mapping[str, int]) -> list[Payment]:
    """One group settled by its largest debtor paying its largest creditor, again and again: at most k−1 payments."""
    left = dict(open_)
    payments: list[Payment] = []
    while any(left.values()):
        payer = min(left, key=lambda name: (left[name], name))
        receiver = max(left, key=lambda name: (left[name], name))
        amount = min(-left[payer], left[receiver])
        payments.append(Payment(payer, receiver, amount))
        left[payer] += amount
        left[receiver] -= amount
    return payments
