"""One server, one browser and one browser context for all journeys: Flutter's megabytes come from its cache, and a new
tab is still a new session."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.journeys.driver import CHROMIUM, FLAGS, PATIENCE, App, Server

sync_api = pytest.importorskip("playwright.sync_api")

SIZES = {"phone": (390, 844), "desktop": (1200, 800)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/journeys" in item.nodeid:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server")).wait()
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
    """Opens tabs: `open_app("phone", language="en", theme="dark")`. What the device keeps is as new in every test."""
    tabs: list[App] = []

    def open_tab(size: str = "phone", language: str = "zh-Hans", theme: str = "light") -> App:
        page = context.new_page()
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        app = App(page)
        tabs.append(app)
        page.goto(server.url + "manifest.json")  # the app's own origin, without starting it
        page.evaluate("localStorage.clear()")
        app.open(server.url)
        if language != "zh-Hans":
            app.go("settings")
            app.click(f"language-{language}")
            app.go("scan")
        return app

    yield open_tab
    for app in tabs:
        assert app.errors == []
        assert app.elsewhere == [], "the page reached out of this machine"
        app.page.close()
