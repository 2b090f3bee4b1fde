"""The app as a web page: Flet inside FastAPI, compressed, without any address outside this machine.

`build` gives the ASGI application and `serve` runs it. Everything that a stranger could send is bounded here: the size
of an upload, the size of a websocket message, and who may come in at all (`invitation.py`)."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from ui import arrivals, font_manifest
from ui.invitation import PARAMETER, Guard, lan_address, load_token, qr
from ui.places import ASSETS, LARGEST_UPLOAD, clear_left_uploads, data_folder, upload_folder

PORT = 8550
RUN = "/run"
"""Where a page asks which run of the server answers (`assets/lost.js`)."""
Entry = Callable[[Any], Awaitable[None]]
"""What runs for every new tab; it gets the Flet page."""


def build(token: str | None, uploads: Path, entry: Entry | None = None):  # type: ignore[no-untyped-def]
    """The ASGI application. `token` None means this machine alone; `uploads` must exist; `entry` is what each tab runs,
    the app without one."""
    import flet_web.fastapi as flet_fastapi
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse

    from ui.browser_language import Listening

    if entry is None:
        from ui.app import main as entry

    async def this_run(request: Request) -> PlainTextResponse:
        return PlainTextResponse(run)

    secret, run = secrets.token_hex(16), secrets.token_hex(8)
    os.environ.setdefault("FLET_SECRET_KEY", secret)
    site = flet_fastapi.FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    site.add_route(arrivals.PATH, arrivals.receive, methods=["POST"])
    site.add_route(RUN, this_run)
    site.add_route(font_manifest.PATH, font_manifest.answer)
    site.add_route(font_manifest.GOOGLE, font_manifest.stand_in)
    site.mount(
        "/",
        flet_fastapi.app(
            entry,
            assets_dir=str(ASSETS),
            upload_dir=str(uploads),
            max_upload_size=LARGEST_UPLOAD,
            secret_key=secret,
            no_cdn=True,
            app_name="胡牌 Hupai",
            app_short_name="胡牌",
            app_description="Photograph a mahjong hand, see what it is worth and who pays.",
        ),
    )
    site.add_middleware(GZipMiddleware, minimum_size=1024)
    site.add_middleware(Listening)
    return Guard(site, token, LARGEST_UPLOAD)


WARM_UP_AFTER = 2.0
"""Seconds from when the server listens until the networks are loaded; the first page comes first."""


def run(server: Any, listening: Callable[[], None]) -> None:
    """Run this uvicorn server until it ends; `listening` is called as soon as it answers."""
    startup = server.startup

    async def started(*sockets: Any, **named: Any) -> None:
        await startup(*sockets, **named)
        if server.started:
            listening()

    server.startup = started
    server.run()


class PortTaken(Exception):
    """The port that was asked for is not to be had. The message is one sentence."""


def free_port(wanted: int | None) -> int:
    """The port that was `wanted`, or PORT, or any free one where PORT is taken. Raises PortTaken: whoever names a port
    means it, and their bookmarks would lead to somebody else's page."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted or PORT))
        except OSError as error:
            if wanted is not None:
                raise PortTaken(f"Port {wanted} cannot be used ({error.strerror}): name another with --port.") from None
            probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _told(sentence: str) -> None:
    """Say it at once, to a file as well as to a terminal: the address is of no use when the server has ended."""
    print(sentence, flush=True)


def serve(
    *,
    lan: bool = False,
    port: int | None = None,
    browser: bool = True,
    renew: bool = False,
    entry: Entry | None = None,
    say: Callable[[str], None] = _told,
) -> None:
    """Run the app until it is interrupted. `say` gets what the person at the terminal should read."""
    import uvicorn

    from ui.reader import warm_up

    token = load_token(data_folder() / "invitation", renew) if lan else None
    clear_left_uploads()
    uploads = upload_folder()
    chosen = free_port(port)
    if port is None and chosen != PORT:
        say(f"Port {PORT} is taken, perhaps by another Hupai; this one is at {chosen}.")
    invited = f"?{PARAMETER}={token}" if token else ""
    if token:
        there = f"http://{lan_address()}:{chosen}/{invited}"
        say(qr(there))
        say(f"Phones on the same network: {there}")
    here = f"http://127.0.0.1:{chosen}/{invited}"
    say(f"On this machine: {here}")

    def listening() -> None:
        if browser and (sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY")):
            threading.Thread(target=webbrowser.open, args=[here], daemon=True).start()
        later = threading.Timer(WARM_UP_AFTER, warm_up)  # while the person lays out the tiles
        later.daemon = True
        later.start()

    site = build(token, uploads, entry)
    host = "0.0.0.0" if lan else "127.0.0.1"
    server = uvicorn.Server(uvicorn.Config(site, host, chosen, log_level="warning", ws_max_size=1 << 20))
    try:
        with contextlib.suppress(KeyboardInterrupt):  # raised once more when it has ended
            run(server, listening)
    finally:
        shutil.rmtree(uploads, ignore_errors=True)
