"""A night of ten thousand entries in the browser: how long it takes to open, and how smoothly its log runs under the
thumb. Run with `make bench`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from scoring.ledger import mending
from scoring.ledger.events import Event, played
from scoring.ledger.store import now, open_store
from tests.journeys.driver import App, Server
from tests.ledger.table import PURE, discard, draw, kong, opening, self_draw

pytestmark = pytest.mark.bench

FRAMES = """seconds => new Promise(done => {
    const gaps = []; let before = performance.now(); const end = before + seconds * 1000;
    const step = at => { gaps.push(at - before); before = at; at < end ? requestAnimationFrame(step) : done(gaps); };
    requestAnimationFrame(step);
})"""


@pytest.fixture
def long_night(tmp_path: Path) -> Iterator[Server]:
    cases = [self_draw(0), discard(1, 2, PURE), kong(2), draw(1), self_draw(2, PURE)]
    events = {n: Event(f"long{n}", now(), played(cases[n % 5])) for n in range(1, 10_001)}
    mending._write(open_store(tmp_path / "data"), {"n1": mending._Saved(opening(), events)})
    open_store(tmp_path / "data").night("n1")  # scored once, as it was while it was played
    running = Server(tmp_path).wait()
    yield running
    running.stop()


def test_ten_thousand_entries_open_at_once_and_scroll(context: BrowserContext, long_night: Server) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    app = App(page).open(long_night.url)

    def seconds(tap: str, wanted: str) -> float:
        started = time.perf_counter()
        app.click(tap)
        app.find(wanted).first.wait_for(state="attached")
        return time.perf_counter() - started

    app.go("nights")
    app.find("night-0").first.wait_for(state="attached")
    times = {"night, first time": seconds("night-0", "check-line")}
    app.click("back")
    app.find("night-0").first.wait_for(state="attached")
    times["night"] = seconds("night-0", "check-line")
    app.to_the_end("whole-log")
    times["log"] = seconds("whole-log", "jump")
    page.mouse.move(195, 500)
    page.evaluate("seconds => { window.frames_ = (" + FRAMES + ")(seconds) }", 6)
    for _ in range(60):
        page.mouse.wheel(0, 300)
        page.wait_for_timeout(90)
    gaps = sorted(page.evaluate("window.frames_"))
    shown = len(app.every("entry-"))
    app.shot("long-1-log")
    told = ", ".join(f"{what} {length:.2f} s" for what, length in times.items())
    print(
        f"\n10,000 entries: {told}; scrolling: half of the frames within {gaps[len(gaps) // 2]:.0f} ms, "
        f"95 % within {gaps[len(gaps) * 95 // 100]:.0f} ms, {shown} lines on the page"
    )
    assert times["night"] < 3
    assert gaps[len(gaps) // 2] < 100
    app.leave()
