"""The check screen by keyboard alone, by dragging tiles about, and on a phone that lies on its side."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.driver import ROOT, App
from tests.journeys.tables import photographed

Open = Callable[..., App]
SAMPLE = ROOT / "ui" / "assets" / "samples" / "middle-five.jpg"


def keys(app: App, words: str) -> None:
    for key in words.split():
        app.page.keyboard.press(key)


def test_a_hand_is_typed_corrected_and_laid_down_by_keyboard_alone(open_app: Open) -> None:
    app = open_app("desktop", language="en")
    app.click("type")
    app.see("standing", "No tiles yet")
    keys(app, "1 p 2 p 3 p 7 p 8 p 9 p 4 s 5 s 5 s 6 s c c c 6 s")
    app.see("standing", "Not complete")
    keys(app, "End 5 s")
    app.see("standing", "complete, winning tile 5 of bamboo")
    keys(app, "ArrowLeft [")
    app.see("kind-0", "pung")
    keys(app, "Control+z")
    app.gone("kind-0")
    app.shot("check-1-keyboard-desktop")
    keys(app, "Control+y")
    app.see("kind-0", "pung")
    keys(app, "Control+Enter")
    app.find("a-win_by-discard").first.wait_for(state="attached")


def test_a_phone_on_its_side_shows_the_camera_and_the_photograph_beside_the_hand(open_app: Open) -> None:
    app = open_app("lying phone")
    camera, roots = app.find("camera").first.bounding_box(), app.find("root-scan").first.bounding_box()
    assert camera is not None
    assert roots is not None
    assert camera["y"] + camera["height"] < roots["y"]
    app.choose("gallery", SAMPLE)
    app.find("outline-13").first.wait_for(state="attached")
    app.shot("check-2-lying")
    last, first = app.find("outline-13").first.bounding_box(), app.find("tile-0").first.bounding_box()
    assert last is not None
    assert first is not None
    assert last["x"] + last["width"] < first["x"]
    assert first["y"] + first["height"] < 360
    app.click("next")
    app.find("a-win_by-discard").first.wait_for(state="attached")


def test_the_browsers_back_button_closes_what_lies_on_top_first(open_app: Open) -> None:
    app = open_app("phone")
    app.click("sample")
    app.click("outline-3")
    app.find("key-1s").first.wait_for(state="attached")
    app.page.go_back()
    app.gone("key-1s")
    app.click("outline-4")  # it is still the same screen
    app.find("key-1s").first.wait_for(state="attached")
    app.page.keyboard.press("Escape")
    app.gone("key-1s")
    app.page.go_back()
    app.find("resume").first.wait_for(state="attached")


def test_what_was_cleared_by_mistake_comes_back_with_its_photograph(open_app: Open) -> None:
    app = open_app("phone")
    app.click("sample")
    app.find("outline-3").first.wait_for(state="attached")
    app.click("clear")
    app.gone("outline-3")
    app.click("undo")
    app.find("outline-3").first.wait_for(state="attached")


def test_what_is_wrong_with_a_typed_hand_is_seen_at_once_and_no_button_stands_alone(open_app: Open) -> None:
    app = open_app("phone", language="en")
    app.click("sample")
    app.find("outline-3").first.wait_for(state="attached")
    boxes = [app.find(button).first.bounding_box() for button in ("add-tile", "more-photos", "clear")]
    assert len({round(box["y"]) for box in boxes if box}) == 1
    app.write("typed", "123x")
    app.page.keyboard.press("Enter")
    app.find("typed-error").first.wait_for(state="attached")
    app.page.wait_for_timeout(500)
    error, foot = app.find("typed-error").first.bounding_box(), app.find("next").first.bounding_box()
    app.shot("check-6-typed-wrong")
    assert error is not None
    assert foot is not None
    assert error["y"] + error["height"] <= foot["y"]


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_photograph_of_another_game_is_scored_by_other_rules_after_one_tap(
    open_app: Open, tmp_path: Path, language: str
) -> None:
    app = open_app("phone", language=language)
    app.choose("camera", photographed(["1m 2m 3m 4m 5m 6m 7m 8m 9m 5m - 5m", "E E E'"], 4, tmp_path))
    app.see("standing", re.compile("没有万子、东。.*换规则|has no characters, east wind. .* choose other rules"))
    assert app.every("fits-") == ["fits-shandong", "fits-zhuji_bao"]
    app.shot(f"check-3-other-game-{language}")
    app.click("fits-shandong")
    app.see("standing", re.compile("成牌|complete"))
    assert app.every("fits-") == []
    assert len(app.every("outline-")) == 14
    app.shot(f"check-4-other-rules-{language}")
    app.click("next")
    app.click("a-win_by-self_draw")
    app.click("score")
    app.find("total").first.wait_for(state="attached")
    app.see("net-3", "−")
    app.shot(f"check-5-other-rules-scored-{language}")


def drag(app: App, source: str, target: str) -> None:
    """A real drag with the mouse from the middle of one control to the middle of another."""
    app.settle(app.find(target).first)
    boxes = [app.find(name).first.bounding_box() for name in (source, target)]
    (x0, y0), (x1, y1) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    app.page.mouse.move(x0, y0)
    app.page.mouse.down()
    for step in range(1, 11):
        app.page.mouse.move(x0 + (x1 - x0) * step / 10, y0 + (y1 - y0) * step / 10)
        app.page.wait_for_timeout(30)
    app.page.mouse.up()


def test_tiles_are_dragged_into_sets_and_back(open_app: Open) -> None:
    app = open_app("desktop")
    app.click("type")
    app.find("typed").first.wait_for(state="attached")
    app.write("typed", "123789p 4556s CCC + 5s")
    app.page.keyboard.press("Enter")
    app.see("standing", "成牌")
    app.shot("check-2-drag-desktop")
    drag(app, "tile-10", "drop-new-set")
    app.see("kind-0", "碰")
    drag(app, "tile-11", "drop-hand")
    app.gone("kind-0")
    app.see("standing", "成牌")
