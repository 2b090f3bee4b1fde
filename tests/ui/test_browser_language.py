"""A page opens in the language of its browser, or in the one that was chosen there: over Flet's real line."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ui.browser_language import COOKIE, asked_for
from ui.server import build

HELLO = b"\x92\x01\x83\xaasession_id\xa0\xa9page_name\xa0\xa4page\x80"
"""What a new tab says first, in MessagePack: [1, {"session_id": "", "page_name": "", "page": {}}]."""


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({"accept-language": "en-GB,en;q=0.9"}, "en"),
        ({"accept-language": "zh-TW,zh;q=0.9,en;q=0.8"}, "zh-Hant"),
        ({"accept-language": "zh-CN"}, "zh-Hans"),
        ({"accept-language": "de"}, "en"),
        ({"accept-language": "en", "cookie": f"{COOKIE}=zh-Hant"}, "zh-Hant"),
        ({"accept-language": "en", "cookie": f"{COOKIE}=undefined"}, "en"),
        ({"accept-language": "*"}, ""),
        ({}, ""),
    ],
)
def test_the_first_word_is_in_the_language_that_the_browser_asks_for(
    tmp_path: Path, headers: dict[str, str], language: str
) -> None:
    heard: list[str] = []
    opened = threading.Event()

    async def entry(page: object) -> None:
        heard.append(asked_for())
        opened.set()

    client = TestClient(build(None, tmp_path, entry))
    with client.websocket_connect("ws://127.0.0.1/ws", headers=headers) as line:
        line.send_bytes(b"\x00" + HELLO)
        assert opened.wait(10)
    assert heard == [language]
