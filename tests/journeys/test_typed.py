"""A hand typed from nothing, on a phone and on a desktop, in every game, to the payments and back."""

from __future__ import annotations

import re
from collections.abc import Callable

import cv2

from tests.journeys.driver import SHOTS, App
from ui.picture import WIDTH

Open = Callable[..., App]


def type_hand(app: App, hand: str) -> None:
    app.click("type")
    app.find("typed").first.wait_for(state="attached")
    app.write("typed", hand)
    app.page.keyboard.press("Enter")


def test_a_hand_is_written_scored_and_paid_on_a_phone(open_app: Open) -> None:
    app = open_app("phone")
    type_hand(app, "123789p 4556s [CCC] + 5s")
    app.see("standing", "成牌")
    app.shot("typed-1-check-phone")
    app.click("next")
    app.click("a-win_by-discard")
    app.see("q-discarder", "请选")
    app.click("a-discarder-1")
    app.shot("typed-2-won-phone")
    app.click("score")
    app.see("total", "+2")
    app.see("net-1", "−2")
    app.shot("typed-3-result-phone")
    app.to_the_end("share-picture")
    with app.page.expect_download() as saved:
        app.click("share-picture")
    assert re.fullmatch(r"hupai-[0-9-]+\.png", saved.value.suggested_filename)
    picture = cv2.imread(str(saved.value.path()))
    assert picture.shape[1] == WIDTH
    SHOTS.mkdir(exist_ok=True)
    cv2.imwrite(str(SHOTS / "typed-3-shared-picture.png"), picture)
    app.click("share")
    app.see("share", "已复制")
    assert "乙 −2" in app.copied("卡五星")
    app.click("back")
    app.find("score").first.wait_for(state="attached")
    app.click("back")
    app.see("standing", "成牌")


def test_tiles_are_tapped_in_one_by_one_and_undone(open_app: Open) -> None:
    app = open_app("phone")
    app.click("type")
    app.click("add-tile")
    app.find("add-1p").first.wait_for(state="attached")
    for tile in ("1p", "1p", "2p", "2p", "3p", "3p", "4p", "4p", "5p", "5p", "C", "C", "F", "F"):
        app.click(f"add-{tile}")
    app.shot("typed-4-keyboard-phone")
    app.click("done")
    app.gone("done")
    app.see("standing", "14 张，成牌，胡发")  # the last tile that filled the hand is the winning one
    app.click("undo")
    app.see("standing", "13 张，听")
    app.click("redo")
    app.see("standing", "成牌")


def test_another_game_is_scored_in_english_on_a_dark_desktop(open_app: Open) -> None:
    app = open_app("desktop", language="en", theme="dark", preset="shandong")
    type_hand(app, "12355m 34456p 789s + 5p")
    app.see("standing", "complete")
    app.shot("typed-5-check-desktop-dark")
    app.click("next")
    app.click("score")
    app.see("total", "+15")  # a plain win, self-drawn: 5 × 1 from each of three
    app.shot("typed-6-result-desktop-dark")


def test_wild_tiles_and_the_contract_are_asked_where_the_game_has_them(open_app: Open) -> None:
    app = open_app("phone", language="zh-Hant", preset="zhuji_bao")
    type_hand(app, "1m 122234567779p + 9p")
    app.see("standing", "財神")
    app.click("next")
    app.click("a-wild-1m")
    app.click("a-wild-2m")
    app.shot("typed-7-wild-phone")
    app.click("score")
    app.see("total", "+39")  # (contract 5 + 2³) from each of three
    app.shot("typed-8-result-zhuji-phone")


def test_a_slip_of_the_pen_and_a_hand_that_is_no_win_hear_why(open_app: Open) -> None:
    app = open_app("phone", language="en")
    type_hand(app, "123x")
    app.see("typed-error", "lacks its suit")
    app.write("typed", "124578p 4558s CCC + 9s")
    app.page.keyboard.press("Enter")
    app.see("standing", "no winning hand")
    app.click("next")
    app.click("score")
    app.find("refused").first.wait_for(state="attached")
    app.shot("typed-9-refused-phone")
