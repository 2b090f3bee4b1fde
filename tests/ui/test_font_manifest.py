"""The list of fonts that the browser loads first: short, and with nothing in it that the server lacks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from ui.font import NAMES, WORDS
from ui.font_manifest import PATH
from ui.server import build

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


def fetched(folder: Path, *paths: str) -> list[Answer]:
    """What the server answers at these paths."""
    site = build(None, folder)

    async def visit(path: str) -> Answer:
        asked, said = [{"type": "http.request", "body": b"", "more_body": False}], list[Any]()

        async def receive() -> Any:
            if not asked:
                await asyncio.Event().wait()  # the browser waits, and says nothing more
            return asked.pop()

        async def send(message: Any) -> None:
            said.append(message)

        head = {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": [(b"host", b"127.0.0.1:8550")]}
        who = {"server": ("127.0.0.1", 8550), "client": ("127.0.0.1", 50_000), "scheme": "http", "root_path": ""}
        await site({"type": "http", "http_version": "1.1", "method": "GET", **head, **who}, receive, send)
        headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
        return said[0]["status"], headers, b"".join(message.get("body", b"") for message in said[1:])

    async def all_of_them() -> list[Answer]:
        return [await visit(path) for path in paths]

    return asyncio.run(all_of_them())


def test_every_font_of_the_list_is_there_and_whatever_has_none_falls_back_to_the_apps_own(tmp_path: Path) -> None:
    ((_, _, body),) = fetched(tmp_path, PATH)
    addresses = {font["family"]: urljoin(PATH, one["asset"]) for font in json.loads(body) for one in font["fonts"]}
    assert list(addresses) == ["MaterialIcons", "Roboto"]
    (_, _, icons), (_, _, own) = fetched(tmp_path, *addresses.values())
    assert icons[:4] in (b"OTTO", b"\0\1\0\0")
    assert own == WORDS.read_bytes()


def test_a_font_of_googles_that_is_asked_for_is_answered_with_the_large_one_of_the_app(tmp_path: Path) -> None:
    ((status, headers, _),) = fetched(tmp_path, "/assets/fonts/notosanssc/v37/k3kCo84MPvpLmixcA63oeAL7.113.woff2")
    assert status == 307
    ((_, _, body),) = fetched(tmp_path, headers["location"])
    assert body == NAMES.read_bytes()
