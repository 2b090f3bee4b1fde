"""The doors: files that are no photographs, devices without the invitation, addresses that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.journeys.driver import App, Server

Open = Callable[..., App]


NO_PHOTOGRAPHS = {
    "empty.jpg": (b"", "空的"),
    "words.jpg": (b"these are words", "不是能读的图片"),
    "cut.jpg": (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xda\x00\x08", "不完整"),
}


def test_a_file_that_is_no_photograph_gets_one_sentence(open_app: Open, tmp_path: Path) -> None:
    app = open_app("phone")
    for name, (content, says) in NO_PHOTOGRAPHS.items():
        file = tmp_path / name
        file.write_bytes(content)
        gallery = app.choose("gallery", file)
        assert gallery.is_multiple()
        assert gallery.element.get_attribute("capture") is None
        app.see("trouble", says)
    app.shot("doors-no-photograph")
    camera = app.choose("camera", file)  # one can go on at once; this button asks for the rear camera
    assert camera.element.get_attribute("capture") == "environment"
    app.see("trouble", "不完整")


def test_an_address_without_a_hand_leads_to_the_start(open_app: Open, server: Server) -> None:
    app = open_app("phone")
    for way in ("result", "nowhere/at/all"):
        app.open(server.url + way)
        app.page.wait_for_timeout(2000)  # the page stands before the address has been heard
        assert app.find("camera").count(), way


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("lan"), "--lan").wait()
    yield running
    running.stop()


def test_a_device_without_the_invitation_stays_outside_and_one_with_it_comes_in(
    context: BrowserContext, lan: Server
) -> None:
    page = context.new_page()
    app = App(page)
    answer = page.goto(lan.url)
    assert answer is not None
    assert answer.status == 403
    assert "QR code" in page.inner_text("body")
    assert app.refused.pop() == f"403 {lan.url}"
    app.shot("doors-refused")
    printed = lan.log.read_text()
    invited = re.search(r"http://127\.0\.0\.1:\d+/\?invitation=\S+", printed)
    assert invited, printed
    app.open(invited.group())
    assert "invitation" not in page.url
    app.shot("doors-invited")
    app.leave()
