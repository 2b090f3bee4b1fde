"""Who may come in.

By default the app answers this machine alone. With `--lan` it answers the home network too, and then a device needs the
invitation: a token in the address (usually through the QR code), which becomes a cookie at the first visit. The token
is kept in the app's data folder, so a phone that was let in once still is after a restart."""

from __future__ import annotations

import io
import re
import secrets
import socket
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PARAMETER = "invitation"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

KEPT = ("/tiles/", "/fonts/", "/canvaskit/", "/assets/")
"""What a browser need not ask for again within ten minutes; the rest it asks for and mostly gets `not modified`."""
HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")

REFUSED = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>胡牌 Hupai</title>
<style>body{font:18px/1.6 system-ui,sans-serif;margin:15vh auto;max-width:26em;padding:0 1em}</style>
<h1>胡牌 Hupai</h1>
<p lang="zh-Hans">需要邀请:请扫描主机终端里的二维码,再从那里打开。</p>
<p lang="zh-Hant">需要邀請:請掃描主機終端裡的二維碼,再從那裡打開。</p>
<p lang="en">You need the invitation: scan the QR code in the terminal of the host and open the app from there.</p>"""


def load_token(path: Path, renew: bool = False) -> str:
    """The token kept at `path`; a new one is made when there is none, or when it is to be renewed."""
    if not renew and path.is_file() and len(token := path.read_text().strip()) >= 20:
        return token
    path.parent.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(18)
    path.touch(mode=0o600)
    path.write_text(token)
    return token


def lan_address() -> str:
    """This machine's address on the home network, or the loopback address when it has none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET: a datagram socket only looks up the route
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def qr(url: str) -> str:
    """The address as a QR code of text blocks, for a terminal."""
    import segno

    out = io.StringIO()
    segno.make(url, error="l").terminal(out=out, compact=True)
    return out.getvalue()


@dataclass
class Guard:
    """Stands before the app and lets in only who may come in.

    token: what a device must bring, or None for this machine alone; then only loopback names are answered, so that a
        web page elsewhere cannot reach in by pointing its own name at 127.0.0.1.
    A websocket or an upload from another site's page is refused in both cases, and so is an upload that says it is too
    large.
    """

    app: ASGIApp
    token: str | None
    largest_upload: int

    @property
    def cookie(self) -> str:
        return "hupai_invitation"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        if self.token is None:
            allowed = _hostname(headers.get("host", "")) in LOOPBACK
        else:
            given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(PARAMETER, [""])[0]
            if scope["type"] == "http" and given and secrets.compare_digest(given.encode(), self.token.encode()):
                welcome = RedirectResponse("/", status_code=303)
                welcome.set_cookie(self.cookie, self.token, max_age=30 * 86400, httponly=True, samesite="strict")
                return await welcome(scope, receive, send)
            allowed = secrets.compare_digest(_cookie(headers, self.cookie).encode(), self.token.encode())
        origin = headers.get("origin")
        only_reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if origin and origin.partition("://")[2] != headers.get("host") and not only_reads:
            allowed = False
        if scope["type"] == "websocket":
            if not allowed:
                return await send({"type": "websocket.close", "code": 1008})
        elif not allowed:
            return await HTMLResponse(REFUSED, status_code=403)(scope, receive, send)
        length = headers.get("content-length") or "0"
        if not length.isdecimal():
            return await PlainTextResponse("The length is no number.", status_code=400)(scope, receive, send)
        if int(length[:20]) > self.largest_upload:
            return await PlainTextResponse("The file is too large.", status_code=413)(scope, receive, send)
        return await self.app(
            scope, receive, send if scope["type"] == "websocket" else _at_home(send, headers, scope["path"])
        )


def _at_home(send: Send, headers: Headers, path: str) -> Send:
    """`send`, with a header that keeps the page from fetching anything elsewhere, and one for the browser's cache."""
    host = headers.get("host", "")
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""  # older Safari does not count them as 'self'

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            out = MutableHeaders(scope=message)
            out["Cache-Control"] = "private, max-age=600" if path.startswith(KEPT) else "no-cache"
            out["Content-Security-Policy"] = (
                "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
                "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
                f"connect-src 'self' data: blob:{sockets}; worker-src 'self' blob:; frame-ancestors 'none'; "
                "base-uri 'self'; form-action 'none'"
            )
        await send(message)

    return guarded


def _hostname(host: str) -> str:
    try:
        return (urlsplit("//" + host).hostname or "").rstrip(".")
    except ValueError:  # a bracket that is not closed
        return ""


def _cookie(headers: Headers, name: str) -> str:
    try:
        jar = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[name].value if name in jar else ""
