"""One server, one browser and one browser context for all journeys of a process: Flutter's megabytes come from its
cache, and a new tab is still a new session. Where `HUPAI_DATABASE` names a database the server's nights are in a schema
of their own there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest

from tests.journeys.driver import CHROMIUM, FLAGS, PATIENCE, App, Server
from tests.ledger.places import SERVER, on_server
from ui.table import House

sync_api = pytest.importorskip("playwright.sync_api")

ONLY = "kept => { localStorage.clear(); localStorage.setItem('flutter.hupai.preferences', JSON.stringify(kept)) }"
"""Forget what the test before left on the device, an open hand for one, and keep these preferences."""

SIZES = {"phone": (390, 844), "small phone": (360, 740), "lying phone": (740, 360), "desktop": (1200, 800)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/journeys" in item.nodeid:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with on_server() if SERVER else nullcontext("") as database:
        running = Server(tmp_path_factory.mktemp("server"), database=database).wait()
        yield running
        running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[sync_api.Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium, or set CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def context(browser: sync_api.Browser) -> Iterator[sync_api.BrowserContext]:
    made = browser.new_context(locale="zh-CN", permissions=["clipboard-read", "clipboard-write"])
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture
def open_app(context: sync_api.BrowserContext, server: Server) -> Iterator[Callable[..., App]]:
    """Opens tabs: `open_app("phone", language="en", theme="dark")`. The device keeps what the test says and no more."""
    tabs: list[App] = []

    def open_tab(
        size: str = "phone",
        language: str = "zh-Hans",
        theme: str = "light",
        preset: str = "kwx_suizhou",
        text: int = 100,
    ) -> App:
        page = context.new_page()
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        app = App(page)
        tabs.append(app)
        page.goto(server.url + "manifest.json")  # the app's own origin, without starting it
        kept = json.dumps({"language": language, "theme": theme, "text": text, "house": House(preset).to_json()})
        page.evaluate(ONLY, kept)
        return app.open(server.url)

    yield open_tab
    for app in tabs:
        app.leave()
