"""The night's score on several phones: begun, recorded from the result and by hand, put right, settled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scoring.ledger.documents import read_night
from scoring.ledger.night import fold
from tests.journeys.driver import SHOTS, App, Server
from tests.journeys.tables import photographed
from ui.components.payment_arrows import signed

Open = Callable[..., App]

MIDDLE_FIVE = "123789p 4556s CCC + 5s"
PLAIN = "12355m 34456p 789s + 5p"


@pytest.fixture
def other_phone(browser: Browser, server: Server) -> Iterator[App]:
    """A second device with a memory of its own: a dark phone that speaks traditional Chinese."""
    context = browser.new_context(locale="zh-TW", color_scheme="dark", viewport={"width": 360, "height": 740})
    app = App(context.new_page()).open(server.url)
    yield app
    app.leave()
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
    assert len(one.every("entry-")) == 1  # what was undone stands in the whole log alone
    one.find("whole-log").first.wait_for(state="attached")
    one.click("redo")
    two.see("total-Ming", "+4")
    one.see("notice", "已重做")
    one.shot("night-5-table")
    for _ in range(12):  # the browser's own way back, which the app's button does not see
        if one.find("start-night").count():
            break
        one.page.go_back()
        one.page.wait_for_timeout(500)
    one.see("night-0", "2 笔")
    one.gone("notice")


def test_names_of_forty_characters_are_written_out_where_somebody_pays(open_app: Open) -> None:
    app = open_app("phone")
    long, chinese = "Bartholomew Featherstonehaugh of Suizhou", "欧阳上官司马诸葛" * 5
    start_night(app, long, chinese, "Li😀")  # an emoji is no part of the name: no font here has any
    type_win(app, MIDDLE_FIVE, "winner-1", "a-win_by-self_draw")
    app.find("confirm").first.wait_for(state="attached")
    app.shot("names-2-confirm")
    app.page.go_back()
    app.find("net-0").first.wait_for(state="attached")
    app.to_the_end("transfer-0")
    app.shot("names-1-payments")
    arrow, net = app.find("transfer-0").first.bounding_box(), app.find("net-0").first.bounding_box()
    assert arrow is not None
    assert net is not None
    assert arrow["height"] > 110  # the names stand in several lines
    assert net["width"] > 340  # a line of its own
    app.to_the_end("record")
    app.click("record")
    app.click("confirm")
    app.find("check-line").first.wait_for(state="attached")
    app.shot("names-3-night")
    app.click("settle")
    app.find("owed-0").first.wait_for(state="attached")
    app.shot("names-4-settle")
    app.page.go_back()
    app.find("total-Li").first.wait_for(state="attached")
    app.click("back")
    app.find("night-0").first.wait_for(state="attached")
    app.shot("names-5-nights")
    assert app.outside() == []


def test_a_photograph_of_another_game_leads_to_the_nights_rules_and_back(open_app: Open, tmp_path: Path) -> None:
    app = open_app("phone")
    start_night(app, "Ming", "Bo", "Li")
    app.click("photograph")
    app.choose("camera", photographed(["1m 2m 3m 4m 5m 6m 7m 8m 9m 5m - 5m", "E E E'"], 4, tmp_path))
    app.click("fits-night")
    app.click("rules")
    app.click("rules-shandong")
    app.click("preview")
    app.click("confirm")
    app.see("standing", "成牌")
    assert len(app.every("outline-")) == 14
    app.shot("night-6-other-rules")
    app.click("next")
    app.click("a-win_by-self_draw")
    app.click("score")
    app.click("record")
    app.find("after-Li").first.wait_for(state="attached")


def confirm(app: App) -> None:
    """Record what is shown, and wait for the table."""
    app.click("confirm")
    app.find("check-line").first.wait_for(state="attached")
    app.find("notice").first.wait_for(state="attached")


def type_form(app: App, kind: str, *picks: str) -> None:
    """Fill in a form by tapping, as far as the preview."""
    app.click(f"form-{kind}")
    app.find("preview").first.wait_for(state="attached")
    for pick in picks:
        app.click(pick)
    app.click("preview")
    app.find("confirm").first.wait_for(state="attached")


def totals(app: App, *players: str) -> dict[str, int]:
    """What the table shows."""
    found = (re.search(r"[+−]?\d+", app.text(f"total-{name}").replace(name, "")) for name in players)
    figures = [match.group().replace("−", "-") if match else "" for match in found]
    return dict(zip(players, map(int, figures), strict=True))


@pytest.mark.slow
def test_twelve_hands_of_three_games_on_two_phones_are_edited_and_settled(open_app: Open, other_phone: App) -> None:
    names = ("Ming", "Bo", "Li", "An")
    one, two = open_app("phone"), other_phone
    start_night(one, *names)
    open_night(two)
    hand = iter(range(2, 20))

    def recorded(by: App, other: App) -> None:
        confirm(by)
        n = next(hand)
        by.see("next-hand", f"第 {n} 局")
        other.see("next-hand", f"第 {n} 局")
        assert totals(by, *names) == totals(other, *names)

    type_win(one, MIDDLE_FIVE, "winner-1", "a-win_by-discard", "a-discarder-2")
    recorded(one, two)
    type_form(two, "draw")
    two.shot("twelve-1-draw")
    recorded(two, one)
    type_win(one, MIDDLE_FIVE, "winner-0")
    recorded(one, two)
    assert totals(two, *names) == {"Ming": 4, "Bo": 0, "Li": -4, "An": 0}
    type_form(two, "draw", "a-revealed-1")
    recorded(two, one)
    assert sum(totals(one, *names).values()) == 0
    # the fourth comes in with another game
    one.click("form-rules")
    one.click("rules")
    one.shot("twelve-2-rules")
    one.click("rules-shandong")
    one.click("preview")
    confirm(one)
    type_win(two, PLAIN)
    recorded(two, one)
    for by, other in ((one, two), (two, one)):
        type_form(by, "draw")
        recorded(by, other)
    type_win(one, PLAIN, "winner-2")
    one.shot("twelve-3-shandong")
    recorded(one, two)
    two.click("form-rules")
    two.click("rules")
    two.click("rules-zhuji_bao")
    two.click("preview")
    confirm(two)
    type_form(one, "draw")
    one.shot("twelve-4-zhuji-draw")
    recorded(one, two)
    # hand 3 was Bo's: at hand 9 it is put right, and everything after it follows on both phones
    before = totals(two, *names)
    two.click("whole-log")
    two.find("jump").first.wait_for(state="attached")
    two.shot("twelve-5-log")
    third = two.every("entry-")[-3]
    two.click(third)
    two.find("edit").first.wait_for(state="attached")
    two.shot("twelve-6-entry")
    two.click("edit")
    two.click("next")
    two.click("winner-1")
    two.click("score")
    two.see("record", "第 3 局")
    two.shot("twelve-7-result")
    two.click("record")
    two.find("about").first.wait_for(state="attached")
    two.shot("twelve-8-correct")
    confirm(two)
    after = totals(two, *names)
    assert {name: after[name] - before[name] for name in names} == {"Ming": -6, "Bo": 6, "Li": 0, "An": 0}
    one.see("total-Bo", signed(after["Bo"]))
    type_win(one, "1m 122234567779p + 9p", "a-wild-1m", "a-wild-2m")
    recorded(one, two)
    for by, other in ((two, one), (one, two)):
        type_form(by, "draw")
        recorded(by, other)
    one.see("next-hand", "第 13 局")
    one.shot("twelve-9-table")
    one.click("figures")
    one.find("figures-Ming").first.wait_for(state="attached")
    one.shot("twelve-a-figures")
    one.click("back")
    # settle up: fewest transfers, one in part, the rest in full
    final = totals(two, *names)
    assert sum(final.values()) == 0
    two.click("settle")
    two.find("owed-0").first.wait_for(state="attached")
    two.shot("twelve-b-settle")
    owed = len(two.every("owed-"))
    assert 1 <= owed <= 3
    two.click("part-0")
    two.find("amount").first.wait_for(state="attached")
    two.write("amount", "1")
    two.click("preview")
    two.click("confirm")
    two.find("settle").first.wait_for(state="attached")
    for _ in range(owed):
        two.click("settle")
        two.find("owed-0").first.wait_for(state="attached")
        two.click("paid-0")
        confirm(two)
    one.click("settle")
    one.see("settled", "谁也不欠谁")
    one.shot("twelve-c-settled")
    one.click("copy-chat")
    one.see("copy-chat", "已复制")
    one.copied(f"Bo {final['Bo']:+d}")
    with one.page.expect_download() as got:
        one.click("save-json")
    opening, events = read_night(got.value.path().read_text(encoding="utf-8"))
    assert dict(fold(opening, events).totals) == final
    with one.page.expect_download() as got:
        one.click("save-picture")
    picture = got.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    (SHOTS / "twelve-d-picture.png").write_bytes(picture)
    with one.page.expect_download() as got:
        one.click("save-html")
    assert "<svg" in got.value.path().read_text(encoding="utf-8")
