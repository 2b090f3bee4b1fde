"""What goes wrong at a table: somebody closes the tab while a photograph is read, the machine that serves is started
anew in the middle of a hand, everybody opens the app at once. Nothing breaks and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.journeys.driver import ROOT, App, Server
from tests.journeys.test_night import MIDDLE_FIVE, start_night, type_win

Open = Callable[..., App]
SAMPLE = ROOT / "ui" / "assets" / "samples" / "middle-five.jpg"


def test_a_tab_that_is_closed_while_a_photograph_is_read_holds_nobody_up(open_app: Open) -> None:
    left = open_app("phone")
    left.choose("gallery", SAMPLE)
    left.find("cancel").first.wait_for(state="attached")  # it is being read
    left.page.close()
    other = open_app("phone")
    other.choose("gallery", SAMPLE)
    other.find("outline-13").first.wait_for(state="attached")


def came_back(page: Page, running: Server) -> Server:
    """The server that was killed, begun anew, and the page with it: it comes anew by itself."""
    again = Server(running.folder, port=running.port)
    with page.expect_navigation():
        again.wait()
    return again


def test_a_hand_survives_the_server(browser, tmp_path: Path) -> None:
    running = Server(tmp_path).wait()
    page = browser.new_context(locale="zh-CN").new_page()
    app = App(page)
    app.open(running.url)
    app.choose("gallery", SAMPLE)
    app.find("outline-13").first.wait_for(state="attached")
    before = app.text("standing")
    running.kill()
    again = came_back(page, running)
    try:
        app.open(running.url + "check", "standing")
        app.see("standing", before)
    finally:
        again.stop()
        page.context.close()


@pytest.mark.parametrize(
    ("locale", "theme", "words"), [("zh-CN", "light", "和主机的连接断了"), ("en-GB", "dark", "is lost; trying again")]
)
def test_a_lost_connection_is_said_and_what_was_typed_for_a_new_night_comes_back(
    browser, tmp_path: Path, locale: str, theme: str, words: str
) -> None:
    running = Server(tmp_path).wait()
    page = browser.new_context(locale=locale, color_scheme=theme, viewport={"width": 390, "height": 844}).new_page()
    app = App(page).open(running.url)
    app.go("nights")
    app.click("start-night")
    app.find("player-0").first.wait_for(state="attached")
    app.write("player-0", "阿明")
    app.write("player-1", "Bo")
    app.write("unit", "¥")
    running.kill()
    page.locator("#lost").get_by_text(words).wait_for()
    app.shot(f"robust-1-lost-{theme}")
    again = came_back(page, running)
    try:
        app.open(page.url, "dealer-0")
        app.see("dealer-0", "阿明")
        app.shot(f"robust-2-back-{theme}")
        app.click("begin")
        app.see("total-Bo", "¥")
        assert "Traceback" not in again.log.read_text(), "a page that comes anew leaves nobody to be missed"
    finally:
        again.stop()
        page.context.close()


def test_a_hand_that_the_server_died_on_is_offered_on_the_nights_table(browser, tmp_path: Path) -> None:
    running = Server(tmp_path).wait()
    page = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844}).new_page()
    app = App(page).open(running.url)
    start_night(app, "Ming", "Bo", "Li")
    assert app.find("resume").count() == 0
    type_win(app, MIDDLE_FIVE, "winner-1", "a-win_by-discard", "a-discarder-2")
    app.find("confirm").first.wait_for(state="attached")
    running.kill()
    again = came_back(page, running)
    try:
        app.open(running.url + "night", "check-line")
        app.see("resume", "not recorded")
        app.shot("robust-2-not-recorded")
        app.click("resume")
        app.see("standing", "complete")
    finally:
        again.stop()
        page.context.close()


@pytest.mark.slow
def test_ten_tabs_are_open_at_once_and_each_reads_its_own_photograph(open_app: Open) -> None:
    tabs = [open_app("phone") for _ in range(10)]
    for tab in tabs:
        tab.page.bring_to_front()
        tab.choose("gallery", SAMPLE)
    for tab in tabs:
        tab.page.bring_to_front()
        tab.find("outline-13").first.wait_for(state="attached")
