"""How a tab sees what other phones record, while it is there and when it has gone, on Flet's own pages and sessions."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flet.controls.context import _context_page
from flet.messaging.connection import Connection
from flet.messaging.session import Session as Tab
from flet.pubsub.pubsub_hub import PubSubHub

from scoring.ledger.events import Adjusted, Event, Opening, RulesChoice
from scoring.ledger.store import new_id, now, open_store
from ui import nights
from ui.screens import night_routes
from ui.screens.night_routes import TOPIC, follow
from ui.session import Session


class Line(Connection):
    """The line to a browser that takes everything and says nothing."""

    def __init__(self, hub: PubSubHub, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self.pubsubhub, self.loop = hub, loop

    def send_message(self, message: Any) -> None:
        pass

    def dispose(self) -> None:
        pass


@pytest.fixture(autouse=True)
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    monkeypatch.delenv("HUPAI_DATABASE", raising=False)
    monkeypatch.setattr(nights, "_open", [open_store(tmp_path)])
    monkeypatch.setattr(night_routes, "EVERY", 60.0)  # seen in time is what was told
    nights.ledger().create(Opening("n1", "", now(), ("A", "B", "C"), RulesChoice("kwx_suizhou")))
    return "n1"


async def meet(night: str, then: Callable[[Tab, Session], Any]) -> Session:
    """A tab that follows the night, and another session that records and tells it; `then` comes before that."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as threads:
        hub = PubSubHub(loop, threads)
        tab = Tab(Line(hub, loop))
        _context_page.set(tab.page)
        session = Session()
        await nights.look(session, night)
        follow(session, tab.page)
        await then(tab, session)
        nights.ledger().record(night, Event(new_id(), now(), Adjusted({"A": 5, "B": -5}, "")))
        hub.send_others_on_topic("somebody else", TOPIC, night)
        for _ in range(100):
            await asyncio.sleep(0.01)
            if session.night is not None and session.night.events:
                break
        await tab.dispatch_event(tab.page._i, "close", None)
    return session


def test_what_another_phone_records_is_seen_at_once(night: str) -> None:
    async def stay(tab: Tab, session: Session) -> None:
        pass

    seen = asyncio.run(meet(night, stay)).night
    assert seen is not None
    assert seen.totals["A"] == 5


@pytest.mark.filterwarnings("error")
def test_a_tab_that_has_gone_leaves_nothing_undone_when_another_phone_records(
    night: str, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    caplog.set_level(logging.DEBUG, "ui")

    async def go(tab: Tab, session: Session) -> None:
        await tab.disconnect(3600)

    seen = asyncio.run(meet(night, go)).night
    gc.collect()
    assert seen is not None
    assert seen.totals["A"] == 5, "it may come back"
    assert [str(warning.message) for warning in recwarn] == []
    assert caplog.text == ""
