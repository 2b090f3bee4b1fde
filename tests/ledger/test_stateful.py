"""Random nights against a recomputation by hand that knows nothing of the ledger.

The model is a list of what was said, each with its own list of versions and a stack of undos. Its totals are added up
from scratch every time; dealer and draw counter are kept by the three sentences of the rules that apply."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from scoring.ledger.documents import read_night, write_night
from scoring.ledger.events import Adjusted, Corrected, LedgerError, Played, Undone, played
from scoring.ledger.mending import check, repair
from scoring.ledger.night import to_redo, to_undo
from scoring.ledger.store import open_store
from tests.ledger.table import PURE, discard, draw, event, kong, opening, self_draw

seats = st.integers(0, 2)
two_seats = st.permutations([0, 1, 2]).map(lambda order: order[:2])

# (case, net by seat, winners or None while the hand goes on): the arithmetic is written out, not computed.
self_draws = seats.map(lambda s: (self_draw(s), [4 if i == s else -2 for i in range(3)], [s]))
discards = two_seats.map(lambda o: (discard(*o, PURE), [{o[0]: 4, o[1]: -4}.get(i, 0) for i in range(3)], [o[0]]))
kongs = seats.map(lambda s: (kong(s, "kong_concealed"), [4 if i == s else -2 for i in range(3)], None))
draws = seats.map(lambda s: (draw(s), [-2 if i == s else 1 for i in range(3)], []))
hands = st.one_of(self_draws, discards, kongs, draws)


@dataclass
class Said:
    """Something that was recorded: its versions (the last counts), each with whether it is undone."""

    id: str
    versions: list[list[Any]] = field(default_factory=list)
    undone: bool = False

    def now(self) -> Any:
        return next(value for value, undone in reversed(self.versions) if not undone)


class NightMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.said: list[Said] = []
        self.order: list[tuple[Said, int]] = []  # what could be undone: an entry (version 0) or a correction of it
        self.undos: list[tuple[Said, int]] = []
        self.count = 0

    @initialize()
    def begin(self) -> None:
        self.store = open_store(self.folder)
        self.store.create(opening())

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def record(self, change: Any) -> str:
        self.count += 1
        sent = event(change, f"m{self.count}")
        self.store.record("n1", sent)
        self.store.record("n1", sent)  # every entry is sent twice, as over a bad connection
        return sent.id

    @rule(hand=hands)
    def play(self, hand: Any) -> None:
        self.add(Said(self.record(hand[0]), [[hand, False]]))

    @rule(payer=seats, amount=st.integers(1, 50))
    def adjust(self, payer: int, amount: int) -> None:
        change = Adjusted({"ABC"[payer]: -amount}, "broken cup")
        net = [-amount if i == payer else 0 for i in range(3)]
        self.add(Said(self.record(change), [[(change, net, None), False]]))

    def add(self, said: Said) -> None:
        self.said.append(said)
        self.order.append((said, 0))
        self.undos.clear()

    @precondition(lambda self: any(self.correctable()))
    @rule(data=st.data(), hand=hands)
    def correct(self, data: st.DataObject, hand: Any) -> None:
        said = data.draw(st.sampled_from(self.correctable()))
        self.record(Corrected(said.id, played(hand[0])))
        said.versions.append([hand, False])
        self.order.append((said, len(said.versions) - 1))
        self.undos.clear()

    def correctable(self) -> list[Said]:
        return [said for said in self.said if not said.undone and isinstance(said.versions[0][0][0], dict)]

    @rule()
    def undo(self) -> None:
        left = [(said, version) for said, version in self.order if not self.is_undone(said, version)]
        events = self.store.events("n1")[1]
        if not left:
            with pytest.raises(LedgerError):
                to_undo(events)
            return
        self.record(Undone(to_undo(events)))
        self.set_undone(*left[-1], True)
        self.undos.append(left[-1])

    @rule()
    def redo(self) -> None:
        events = self.store.events("n1")[1]
        if not self.undos:
            with pytest.raises(LedgerError):
                to_redo(events)
            return
        self.record(Undone(to_redo(events)))
        self.set_undone(*self.undos.pop(), False)

    def is_undone(self, said: Said, version: int) -> bool:
        return said.undone if version == 0 else said.versions[version][1]

    def set_undone(self, said: Said, version: int, undone: bool) -> None:
        if version == 0:
            said.undone = undone
        else:
            said.versions[version][1] = undone

    @rule()
    def restart(self) -> None:
        self.store = open_store(self.folder)

    @rule()
    def carry_to_another_machine(self) -> None:
        document = write_night(*self.store.events("n1"))
        assert self.store.merge(*read_night(document)) == 0
        before = self.store.night("n1")
        shutil.rmtree(self.folder)
        self.store = open_store(self.folder)
        self.store.merge(*read_night(document))
        assert self.store.night("n1") == before

    @rule()
    def repair_what_is_sound(self) -> None:
        before = self.store.night("n1")
        repair(self.folder)
        self.store = open_store(self.folder)
        assert self.store.night("n1") == before

    @invariant()
    def the_ledger_says_what_adding_up_by_hand_says(self) -> None:
        totals, dealer, draws_before, hand_number = [0, 0, 0], 0, 0, 0
        for said in self.said:
            if said.undone:
                continue
            _, net, winners = said.now()
            totals = [total + won for total, won in zip(totals, net, strict=True)]
            if winners is not None:
                hand_number += 1
                draws_before = 0 if winners else draws_before + 1
                dealer = winners[0] if winners else dealer
        night = self.store.night("n1")
        assert list(night.totals.values()) == totals
        assert (night.dealer_seat, night.previous_draws, night.hands) == (dealer, draws_before, hand_number)
        assert night.check == 0
        assert [entry.event.id for entry in night.entries] == [said.id for said in self.said]
        assert all(isinstance(entry.deed, Played | Adjusted) for entry in night.entries)

    @invariant()
    def the_ledger_is_sound(self) -> None:
        assert check(self.store) == []


TestNights = NightMachine.TestCase
TestNights.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)


@pytest.mark.slow
def test_two_hundred_random_nights() -> None:
    run_state_machine_as_test(NightMachine, settings=settings(max_examples=200, stateful_step_count=40, deadline=None))
