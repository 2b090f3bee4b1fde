"""Photographs that the page's own script sends: dropped on it, pasted into it, or taken in its live view.

Flet has no drop target for files, so `assets/capture.js` sends them here, one request a picture, and is given a token
for each; it then calls the tab's address with `?photo=TOKEN`, and the tab that is told of a token collects its picture,
once. What nobody collects is gone after some minutes, and only so many may wait."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from ui.places import LARGEST_UPLOAD, upload_folder

PATH = "/photographs"
PARAMETER = "photo"
MOST = 24
SECONDS = 600
LARGE, LOST = "large", "lost"
"""What stands in the place of a token when a picture did not arrive, and why."""


@dataclass(frozen=True)
class Arrival:
    """A picture that waits: what its sender calls it, where it lies, since when (`time.monotonic`)."""

    name: str
    path: Path
    since: float


_waiting: dict[str, Arrival] = {}


async def receive(request: Request) -> PlainTextResponse:
    """Take in one picture, the raw body of the request, its name in `X-Name`; answer with its token."""
    _sweep()
    if len(_waiting) >= MOST:
        return PlainTextResponse("Too many pictures are waiting.", status_code=429)
    token = secrets.token_hex(16)
    path, size = upload_folder() / token, 0
    try:
        with path.open("wb") as file:
            async for chunk in request.stream():
                size += len(chunk)
                if size > LARGEST_UPLOAD:
                    path.unlink()
                    return PlainTextResponse("The file is too large.", status_code=413)
                file.write(chunk)
    except BaseException:  # the sender went away in the middle
        path.unlink(missing_ok=True)
        raise
    _waiting[token] = Arrival(unquote(request.headers.get("x-name", ""))[:80], path, time.monotonic())
    return PlainTextResponse(token)


def tokens(route: str) -> list[str]:
    """The tokens in a tab's address, in order."""
    return parse_qs(route.partition("?")[2]).get(PARAMETER, [""])[0].split(".") if "?" in route else []


def collect(token: str) -> tuple[str, bytes] | None:
    """The name and the bytes of the picture with this token, which is gone afterwards; None when there is none."""
    found = _waiting.pop(token, None)
    if found is None:
        return None
    data = found.path.read_bytes()
    found.path.unlink()
    return found.name, data


def _sweep() -> None:
    for token, arrival in list(_waiting.items()):
        if time.monotonic() - arrival.since > SECONDS:
            del _waiting[token]
            arrival.path.unlink(missing_ok=True)
