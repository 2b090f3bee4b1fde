"""The addresses of the night's screens, undo and redo in their bar, and how this phone keeps up with the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from typing import Any

import flet as ft

from scoring.ledger.events import Change, LedgerError, Undone
from scoring.ledger.night import Night, to_redo, to_undo
from ui.components.entry_row import title
from ui.components.hook import named
from ui.nights import at_once, going_on, look, take
from ui.screens.night import NightTable
from ui.screens.night_confirm import NightConfirm
from ui.screens.night_figures import Figures
from ui.screens.night_log import EntryPage, NightLog
from ui.screens.night_record import NightRecord
from ui.screens.night_settle import NightSettle
from ui.screens.nights import NewNight, Nights
from ui.session import Session

BACK = {
    "/nights/new": "/nights",
    "/nights/figures": "/nights",
    "/night": "/nights",
    "/night/log": "/night",
    "/night/entry": "/night",
    "/night/record": "/night",
    "/night/confirm": "/night",
    "/night/settle": "/night",
    "/night/figures": "/night",
}
UNDOABLE = ("/night", "/night/log")
TOPIC = "hupai.nights"
EVERY = 5.0
"""Seconds between two looks at the store, for what other programs record: the command line, a second server."""


def where(session: Session, route: str) -> str:
    """The night's address that can really be shown: no night's page without a night."""
    if route in ("/night", "/night/log", "/night/settle", "/night/figures"):
        return route if session.night else "/nights"
    if route == "/night/confirm":
        return route if session.pending else where(session, "/night")
    if route == "/night/record":
        return route if session.form else where(session, "/night")
    if route == "/night/entry":
        return route if session.night and _has(session.night, session.entry) else where(session, "/night")
    return route


def _has(night: Night, event: str) -> bool:
    return any(entry.event.id == event for entry in night.entries)


def screens(session: Session, go: Any, page: ft.Page) -> dict[str, Callable[[], ft.Control]]:
    """Every screen of the night by its address, where there is what it shows.

    What a screen is about is given to it: it also draws itself when the session changes, and what it is about may be
    gone by then (recorded, for one) while the way to the next screen is not yet made."""
    publish = publisher(page)
    found: dict[str, Callable[[], ft.Control]] = {
        "/nights": lambda: Nights(session, go, publish),
        "/nights/new": lambda: NewNight(session, go, publish),
        "/nights/figures": lambda: Figures(session, None),
    }
    night, pending, form, entry = session.night, session.pending, session.form, session.entry
    if night is not None:
        found |= {
            "/night": lambda: NightTable(session, night, go),
            "/night/log": lambda: NightLog(session, night, go),
            "/night/entry": lambda: EntryPage(session, night, entry, go),
            "/night/settle": lambda: NightSettle(session, night, go, publish),
            "/night/figures": lambda: Figures(session, night),
        }
    if night is not None and form is not None:
        found["/night/record"] = lambda: NightRecord(session, night, form, go)
    if pending is not None:
        found["/night/confirm"] = lambda: NightConfirm(session, pending, go, publish)
    return found


def undo_and_redo(session: Session, night: Night) -> list[ft.Control]:
    """Take the latest entry back, and bring it again, as often as there is something."""
    page = ft.context.page

    def button(identifier: str, icon: ft.IconData, find: Callable[[Any], str], told: str) -> ft.Control:
        try:
            event = find(night.events)
        except LedgerError:
            event = None

        async def act(e: Any) -> None:
            assert event is not None
            words = _what(session, night, event)
            change: Change = Undone(event)
            if await at_once(session, publisher(page), change):
                session.notice = session.t(told, what=words)

        label = session.t(identifier)
        return named(
            identifier,
            ft.IconButton(icon, tooltip=label, disabled=event is None, on_click=act),
            label=label,
        )

    return [
        button("undo", ft.Icons.UNDO, to_undo, "night.undone"),
        button("redo", ft.Icons.REDO, to_redo, "night.redone"),
    ]


def _what(session: Session, night: Night, event: str) -> str:
    """What an event that is undone or redone was, in words."""
    known = next(e for e in night.events if e.id == event)
    if isinstance(known.change, Undone):
        return _what(session, night, known.change.event)
    try:
        entry = night.entry(event)
    except LedgerError:  # a correction that does not stand
        entry = night.entry(getattr(known.change, "event", event))
    return title(session, entry)


async def recall(session: Session, kept: str) -> None:
    """Open the night again that this device had open, if it may still be going on."""
    try:
        night = json.loads(kept).get("night")
    except (ValueError, AttributeError):
        return
    if not isinstance(night, str) or not night or session.night is not None:  # opened while the browser was busy
        return
    await look(session, night)
    if session.night is not None and not going_on(session.night):
        take(session, None)


# ---------------------------------------------------------------- several phones


def publisher(page: ft.Page) -> Callable[[str], None]:
    """Tells the other sessions of this server that a night has changed."""
    return lambda night: page.pubsub.send_others_on_topic(TOPIC, night)


def follow(session: Session, page: ft.Page) -> None:
    """Let this session see what others record: at once what comes through this server, soon what does not.

    Called where the server's loop runs. The looking goes on while the tab is away, which may come back, and ends when
    its session does: a page without a connection would run nothing for it."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()

    async def keep_looking() -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(told.wait(), EVERY)
            if told.is_set() or session.night is not None or session.route.startswith("/nights"):
                told.clear()
                try:
                    await look(session)
                except Exception:  # one look that fails must not be the last
                    logging.getLogger(__name__).exception("the ledger could not be looked at")

    def tell(topic: str, night: str) -> None:
        loop.call_soon_threadsafe(told.set)

    page.pubsub.subscribe_topic(TOPIC, tell)
    watching = loop.create_task(keep_looking())

    async def leave(e: Any) -> None:
        watching.cancel()
        page.pubsub.unsubscribe_all()

    page.on_close = leave
