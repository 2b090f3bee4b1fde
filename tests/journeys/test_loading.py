"""What a first visit costs: how soon the server answers, and how much goes over the wire until the page can be used."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.journeys.driver import ENABLE_SEMANTICS, App, Server
from ui.theme import NAMES_FONT_FILE

PROMISED = 6_000_000
"""Bytes of a first visit, compressed as they come; the large font for names follows when the page stands."""


def test_a_first_visit_asks_for_no_more_than_was_promised_and_for_nothing_twice(browser, server: Server) -> None:
    page = browser.new_context(locale="zh-CN", viewport={"width": 390, "height": 844}).new_page()
    app, network = App(page), page.context.new_cdp_session(page)
    address: dict[str, str] = {}
    size: dict[str, int] = {}
    network.on("Network.requestWillBeSent", lambda e: address.update({e["requestId"]: e["request"]["url"]}))
    network.on("Network.loadingFinished", lambda e: size.update({e["requestId"]: int(e["encodedDataLength"])}))
    network.send("Network.enable")
    with page.expect_event("requestfinished", lambda request: request.url.endswith(NAMES_FONT_FILE)):
        app.open(server.url)
    came = [(address[request], length) for request, length in size.items() if length > 2000]
    first = sum(size.values()) - sum(length for url, length in came if url.endswith(NAMES_FONT_FILE))
    print(f"\na first visit: {first / 1e6:.2f} MB (promised: 6 MB), then {(sum(size.values()) - first) / 1e6:.2f} MB")
    assert any(url.endswith("main.dart.wasm") and length > 1_000_000 for url, length in came), "the sum lacks the app"
    assert first < PROMISED
    assert sorted(url for url, _ in came) == sorted({url for url, _ in came})
    assert not [url for url, _ in came if "flutter_math" in url or "notosanssc" in url]
    page.context.close()
    app.leave()


WATCH = """
    window.bare = 0;
    window.addEventListener('flutter-first-frame', () => setInterval(() => {
        bare += !document.title && !document.getElementById('opening');
    }, 5));
"""
"""Counts how often the page of Flet's client was seen, which has no name yet and says that it is working."""


def test_the_icon_stays_until_the_app_is_there(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    app = App(page)
    page.add_init_script(WATCH)
    app.open(server.url)
    page.locator("#opening").wait_for(state="detached")
    assert page.evaluate("[document.title, bare]") == ["胡牌 Hupai", 0]
    app.leave()


WORDS = (
    f"const enable = {ENABLE_SEMANTICS};"
    + """
    window.said = [];
    setInterval(() => {
        const switched = document.querySelector('flt-semantics-placeholder');
        if (switched) enable(switched);
        const camera = document.querySelector('[flt-semantics-identifier="camera"]');
        const words = camera && [camera, ...camera.querySelectorAll('*')].map(e => e.ariaLabel || e.textContent)[0];
        if (words && !said.includes(words)) said.push(words);
    }, 20);
"""
)
"""What the camera's button said, from the first moment on."""


@pytest.mark.parametrize(("kept", "words"), [("", "Take a photo"), ("zh-Hant", "拍照")])
def test_the_first_word_is_in_the_language_of_the_browser_or_in_the_one_that_was_chosen_there(
    browser, server: Server, kept: str, words: str
) -> None:
    page = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844}).new_page()
    app = App(page)
    if kept:
        page.goto(server.url + "manifest.json")
        page.evaluate(
            "kept => localStorage.setItem('flutter.hupai.preferences', JSON.stringify(kept))",
            json.dumps({"language": kept}),
        )
    page.add_init_script(WORDS)
    page.goto(server.url)
    app.see("camera", words)
    page.wait_for_timeout(3000)  # what the device keeps has been asked for by then
    assert page.evaluate("said") == [words]
    page.context.close()
    app.leave()


@pytest.mark.bench
def test_the_server_answers_soon_after_it_was_started(tmp_path: Path) -> None:
    started = time.perf_counter()
    running = Server(tmp_path)
    try:
        running.wait()
        waited = time.perf_counter() - started
    finally:
        running.stop()
    print(f"\nthe server answers after {waited:.2f} s (promised: 3 s)")
    assert waited < 15
