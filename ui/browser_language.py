"""The language that a page opens in. A browser says which it speaks, and which was chosen on this device, with the
request that opens the line; an answer to a question would come a second after the first word."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.texts import TABLES, language_for

COOKIE = "hupai_language"
"""What was chosen on this device; the page's own script keeps it so (`assets/capture.js`)."""
_asked: ContextVar[str] = ContextVar("asked", default="")


@dataclass
class Listening:
    """Notes what the browser asks for, for everything that is done on this line."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            _asked.set(_language(HTTPConnection(scope)))
        await self.app(scope, receive, send)


def asked_for() -> str:
    """The table of words for the tab that is being served, or "" where its browser said nothing."""
    return _asked.get()


def _language(line: HTTPConnection) -> str:
    chosen = line.cookies.get(COOKIE, "")
    spoken = line.headers.get("accept-language", "").split(",")[0].partition(";")[0].strip()
    return chosen if chosen in TABLES else language_for(spoken) if spoken.strip("*") else ""
