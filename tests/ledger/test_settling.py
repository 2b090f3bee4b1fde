"""Settling up takes the fewest transfers there are, and loses nobody a point."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ledger.events import LedgerError
from scoring.ledger.settling import Payment, rounded, settle_up

NAMES = "ABCDEFGHIJKLMN"

balances = st.lists(st.integers(-30, 30), min_size=1, max_size=7).map(
    lambda some: dict(zip(NAMES, [*some, -sum(some)], strict=False))
)


def fewest(amounts: tuple[int, ...]) -> int:
    """By plain search: people who owe nothing need no transfer, others as many as they are less their groups."""
    amounts = tuple(amount for amount in amounts if amount)
    if not amounts:
        return 0
    best = len(amounts) - 1
    for size in range(1, len(amounts)):
        for group in combinations(range(1, len(amounts)), size - 1):
            inside = (0, *group)
            if sum(amounts[i] for i in inside) == 0:
                rest = tuple(amount for i, amount in enumerate(amounts) if i not in inside)
                best = min(best, len(inside) - 1 + fewest(rest))
    return best


def after(balance: dict[str, int], payments: tuple[Payment, ...]) -> dict[str, int]:
    left = dict(balance)
    for payer, receiver, amount in payments:
        assert amount > 0
        left[payer] = left.get(payer, 0) + amount
        left[receiver] = left.get(receiver, 0) - amount
    return left


def test_one_winner_is_paid_by_each_loser():
    assert settle_up({"A": 7, "B": -4, "C": -3}) == (Payment("B", "A", 4), Payment("C", "A", 3))


def test_two_pairs_settle_in_two_transfers_although_the_largest_do_not_match():
    # Largest to largest would take three: D pays A 6, then B 1, …
    assert settle_up({"A": 6, "B": 7, "C": -6, "D": -7}) == (Payment("D", "B", 7), Payment("C", "A", 6))


def test_nobody_owes_anything():
    assert settle_up({"A": 0, "B": 0}) == ()
    assert settle_up({}) == ()


def test_a_penalty_that_nobody_received_goes_to_the_pot():
    assert settle_up({"A": 3, "B": -8, "C": 0}) == (Payment("B", "", 5), Payment("B", "A", 3))


@given(balances)
def test_after_the_payments_nobody_owes_and_there_are_as_few_as_can_be(balance):
    payments = settle_up(balance)
    assert set(after(balance, payments).values()) <= {0}
    assert len(payments) == fewest(tuple(balance.values()))


@given(st.lists(st.integers(-900, 900), min_size=13, max_size=13))
def test_beyond_the_exact_limit_it_still_comes_out_even(some):
    balance = dict(zip(NAMES, [*some, -sum(some)], strict=True))
    payments = settle_up(balance)
    assert set(after(balance, payments).values()) <= {0}
    assert len(payments) < len(balance)


@given(balances, st.integers(1, 20))
def test_rounding_keeps_the_sum_and_moves_nobody_by_a_whole_step(balance, step):
    near = rounded(balance, step)
    assert sum(near.values()) == sum(balance.values()) == 0
    assert all(value % step == 0 and abs(value - balance[name]) < step for name, value in near.items())


def test_rounding_to_fives():
    assert rounded({"A": 7, "B": -3, "C": -4}, 5) == {"A": 10, "B": -5, "C": -5}


def test_a_step_of_zero_is_refused():
    with pytest.raises(LedgerError, match="positive whole number"):
        rounded({"A": 1}, 0)
