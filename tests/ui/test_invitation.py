"""Who may come in: this machine, or whoever brings the invitation; nobody else gets as far as the app."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from ui.invitation import Guard, lan_address, load_token, qr

TOKEN = "a-token-of-enough-length"


async def inner(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("the app")(scope, receive, send)


def visit(
    token: str | None, *, kind: str = "http", method: str = "GET", query: str = "", path: str = "/", **headers: str
) -> list[dict[str, Any]]:
    """What the guard sends for one request."""
    sent: list[dict[str, Any]] = []
    given = {"host": "127.0.0.1:8550", **{name.replace("_", "-"): value for name, value in headers.items()}}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }
    asyncio.run(Guard(inner, token, largest_upload=1000)(scope, receive, send))
    return sent


def status(sent: list[dict[str, Any]]) -> int:
    return sent[0]["status"]


def header(sent: list[dict[str, Any]], name: str) -> str:
    return dict(sent[0]["headers"]).get(name.encode(), b"").decode()


@pytest.mark.parametrize("host", ["127.0.0.1:8550", "localhost:8550", "[::1]:8550", "LOCALHOST"])
def test_without_an_invitation_this_machine_may_come_in(host: str) -> None:
    assert status(visit(None, host=host)) == 200


@pytest.mark.parametrize("host", ["evil.example", "[", "127.0.0.1.evil.example", "192.168.1.5:8550", ""])
def test_another_name_that_points_here_is_refused(host: str) -> None:
    assert status(visit(None, host=host)) == 403


def test_the_invitation_becomes_a_cookie_and_the_address_forgets_it() -> None:
    sent = visit(TOKEN, query=f"invitation={TOKEN}", host="192.168.1.5:8550")
    assert (status(sent), header(sent, "location")) == (303, "/")
    cookie = header(sent, "set-cookie")
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    again = visit(TOKEN, cookie=cookie.split(";")[0], host="192.168.1.5:8550")
    assert status(again) == 200


@pytest.mark.parametrize(
    "request_", [{}, {"query": "invitation=wrong"}, {"cookie": "hupai_invitation=wrong"}, {"query": "invitation=ä"}]
)
def test_a_device_without_the_invitation_reads_what_to_do_in_three_languages(request_: dict[str, str]) -> None:
    sent = visit(TOKEN, **request_)
    assert status(sent) == 403
    body = sent[1]["body"].decode()
    assert all(words in body for words in ("二维码", "二維碼", "QR code"))


def test_a_crooked_path_cannot_turn_the_welcome_into_a_way_out() -> None:
    assert header(visit(TOKEN, query=f"invitation={TOKEN}", path="//evil.example"), "location") == "/"


def test_a_websocket_needs_the_cookie_and_the_apps_own_page() -> None:
    cookie = f"hupai_invitation={TOKEN}"
    assert visit(TOKEN, kind="websocket", cookie=cookie)[0]["type"] == "websocket.accept"
    assert visit(TOKEN, kind="websocket")[0]["type"] == "websocket.close"
    elsewhere = visit(TOKEN, kind="websocket", cookie=cookie, origin="http://evil.example")
    assert elsewhere[0]["type"] == "websocket.close"
    assert visit(None, kind="websocket", origin="http://127.0.0.1:8550")[0]["type"] == "websocket.accept"
    assert visit(None, kind="websocket", origin="http://evil.example")[0]["type"] == "websocket.close"


def test_another_sites_page_cannot_send_pictures_here() -> None:
    assert status(visit(None, method="POST", path="/photographs", origin="http://evil.example")) == 403
    assert status(visit(None, method="POST", path="/photographs", origin="null")) == 403
    assert status(visit(None, method="POST", path="/photographs", origin="http://127.0.0.1:8550")) == 200


def test_an_upload_that_says_it_is_too_large_is_refused_before_it_is_sent() -> None:
    assert status(visit(None, content_length="1001")) == 413
    assert status(visit(None, content_length="1000")) == 200


def test_a_length_that_is_no_number_is_a_bad_request() -> None:
    assert status(visit(None, content_length="many")) == 400


def test_the_page_may_fetch_nothing_elsewhere() -> None:
    policy = header(visit(None), "content-security-policy")
    assert "default-src 'self'" in policy
    assert "http://" not in policy
    assert "https://" not in policy


def test_the_token_is_kept_and_only_renewed_when_asked(tmp_path: Path) -> None:
    place = tmp_path / "data" / "invitation"
    first = load_token(place)
    assert len(first) >= 20
    assert load_token(place) == first
    assert load_token(place, renew=True) != first
    assert place.stat().st_mode & 0o077 == 0


def test_the_lan_address_is_an_address_and_the_qr_code_has_lines() -> None:
    assert lan_address().count(".") == 3
    assert len(qr("http://192.168.1.5:8550/?invitation=x").splitlines()) > 10
