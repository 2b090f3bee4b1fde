"""The night's score on several phones: begun, recorded from the result and by hand, put right, settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.journeys.driver import App, Server

Open = Callable[..., App]

MIDDLE_FIVE = "123789p 4556s CCC + 5s"


@pytest.fixture
def other_phone(browser: Browser, server: Server) -> Iterator[App]:
    """A second device with a memory of its own: a dark phone that speaks traditional Chinese."""
    context = browser.new_context(locale="zh-TW", color_scheme="dark", viewport={"width": 360, "height": 740})
    app = App(context.new_page()).open(server.url)
    yield app
    assert app.errors == []
    context.close()


def start_night(app: App, *players: str) -> None:
    """Begin a night with these players under the rules of the device."""
    app.go("nights")
    app.click("start-night")
    app.find("player-0").first.wait_for(state="attached")
    for place, name in enumerate(players):
        if place > 2:
            app.click("one-more")
            app.find(f"player-{place}").first.wait_for(state="attached")
        app.write(f"player-{place}", name)
    app.shot("night-1-new")
    app.click("begin")
    app.find("check-line").first.wait_for(state="attached")


def open_night(app: App) -> None:
    """Open the latest night on another phone."""
    app.go("nights")
    app.click("night-0")
    app.find("check-line").first.wait_for(state="attached")


def type_win(app: App, hand: str, *answers: str) -> None:
    """Type a hand into the open night, say how it was won, and go as far as the preview."""
    app.click("tiles")
    app.find("typed").first.wait_for(state="attached")
    app.write("typed", hand)
    app.page.keyboard.press("Enter")
    app.click("next")
    for answer in answers:
        app.click(answer)
    app.click("score")
    app.click("record")


def test_two_phones_keep_one_score(open_app: Open, other_phone: App) -> None:
    one, two = open_app("phone"), other_phone
    start_night(one, "Ming", "Bo", "Li")
    open_night(two)
    # a hand from one phone's result is on the other at once
    type_win(one, MIDDLE_FIVE, "winner-1", "a-win_by-discard", "a-discarder-2")
    one.see("after-Bo", "0 → +2")
    one.shot("night-2-confirm")
    one.click("confirm")
    one.see("total-Bo", "+2")
    two.see("total-Bo", "+2")
    two.see("next-hand", "第 2 局")
    # both record a kong at the same moment: the second is asked
    for phone in (one, two):
        phone.click("form-kong")
        phone.click("kong0-seat-0")
        phone.click("kong0-kong_concealed")
        phone.click("preview")
        phone.find("confirm").first.wait_for(state="attached")
    one.click("confirm")
    one.see("total-Ming", "+4")
    two.see("alike", "Ming 暗槓")
    two.shot("night-3-asked")
    two.click("same")
    two.see("total-Ming", "+4")
    two.shot("night-4-table-dark")
    # undo on one phone, redo on the other
    two.click("undo")
    one.see("total-Ming", "0")
    one.click("redo")
    two.see("total-Ming", "+4")
    one.shot("night-5-table")
