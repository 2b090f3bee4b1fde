"""How fast the ledger is; run with `make bench`. Limits are generous, the printed figures are what matters."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.ledger import mending
from scoring.ledger.events import Event, played
from scoring.ledger.mending import check
from scoring.ledger.store import Store, open_store
from tests.ledger.table import AT, PURE, discard, draw, event, kong, opening, self_draw

pytestmark = pytest.mark.bench


def test_a_night_of_ten_thousand_events_opens_at_once(tmp_path: Path) -> None:
    cases = [self_draw(0), discard(1, 2, PURE), kong(2), draw(1), self_draw(2, PURE)]
    events = {n: Event(f"long{n}", AT, played(cases[n % 5])) for n in range(1, 10_001)}
    mending._write(open_store(tmp_path), {"n1": mending._Saved(opening(), events)})
    open_store(tmp_path).night("n1")  # scored once, and remembered
    times: list[float] = []
    for _ in range(5):
        store = open_store(tmp_path)
        start = time.process_time()
        night = store.night("n1")
        times.append(time.process_time() - start)
    start = time.process_time()
    store.record("n1", event(draw()))
    again = time.process_time() - start
    print(f"\n10,000 events ({night.hands} hands) open in {min(times):.2f} s of CPU; one more takes {again:.2f} s")
    assert min(times) < 3


def record_at(store: Store, table: int, count: int) -> float:
    name = f"table{table}"
    store.create(replace(opening(), id=name))
    slowest = 0.0
    for n in range(count):
        start = time.perf_counter()
        store.record(name, event(kong(n % 3), f"{name}-{n}"))
        slowest = max(slowest, time.perf_counter() - start)
    return slowest


def test_many_tables_record_at_once(store: Store) -> None:
    tables = 10 if store.folder else 50
    start = time.perf_counter()
    with ThreadPoolExecutor(tables) as hall:
        slowest = max(hall.map(lambda table: record_at(store, table, 10), range(tables)))
    seconds = time.perf_counter() - start
    where = store.engine.dialect.name
    print(f"\n{tables} tables at once on {where}: {tables * 10 / seconds:.0f} events/s, slowest {slowest:.2f} s")
    assert [len(store.events(f"table{table}")[1]) for table in range(tables)] == [10] * tables
    assert check(store) == []
