"""kill -9 in the middle of two hundred writes: whatever was confirmed is there afterwards, and the ledger is sound."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scoring.ledger.mending import check
from scoring.ledger.store import open_store
from tests.conftest import ROOT
from tests.ledger.table import draw, event, opening

WRITES = 200


def recorder(folder: Path, first: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.ledger.recorder", str(folder), str(first), str(WRITES)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_somewhere(folder: Path, first: int, moment: random.Random) -> list[str]:
    """Start a recorder, kill it after a random number of confirmations and a random moment more; what it confirmed."""
    process = recorder(folder, first)
    assert process.stdout is not None
    confirmed = [process.stdout.readline().strip() for _ in range(moment.randrange(1, WRITES // 4))]
    time.sleep(moment.random() * 0.02)
    process.kill()
    confirmed += process.stdout.read().split()
    process.wait()
    return [word for word in confirmed if word]


def survive(folder: Path, kills: int, seed: int) -> None:
    moment = random.Random(seed)
    open_store(folder).create(opening())
    confirmed: list[str] = []
    for _ in range(kills):
        confirmed += kill_somewhere(folder, len(open_store(folder).events("n1")[1]), moment)
        store = open_store(folder)
        there = [known.id for known in store.events("n1")[1]]
        assert set(confirmed) <= set(there)
        assert len(there) == len(set(there))
        # At most the one write that was under way can be there without having been confirmed, for each kill.
        assert len(there) - len(confirmed) <= kills
        assert [finding for finding in check(store) if finding.damage] == []
    assert store.record("n1", event(draw(), "after")).night.hands == 1


def test_nothing_confirmed_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    survive(tmp_path, kills=3, seed=6)


@pytest.mark.slow
def test_nothing_confirmed_is_lost_in_forty_kills(tmp_path: Path) -> None:
    survive(tmp_path, kills=40, seed=7)


def test_two_processes_that_record_into_one_night_lose_nothing(tmp_path: Path) -> None:
    open_store(tmp_path).create(opening())
    words = [sys.executable, "-m", "tests.ledger.recorder", str(tmp_path)]
    both = [subprocess.Popen([*words, str(first), "30"], cwd=ROOT, stdout=subprocess.DEVNULL) for first in (0, 1000)]
    assert [process.wait(120) for process in both] == [0, 0]
    store = open_store(tmp_path)
    wanted = {f"w{first + n}" for first in (0, 1000) for n in range(30)}
    assert {known.id for known in store.events("n1")[1]} == wanted
    assert check(store) == []
