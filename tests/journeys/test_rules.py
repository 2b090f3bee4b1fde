"""House rules: changed, kept, copied as text and taken up again; the words and the light of the whole app."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable

from tests.journeys.driver import App

Open = Callable[..., App]


def test_house_rules_are_changed_kept_copied_and_taken_up_again(open_app: Open) -> None:
    app = open_app("phone")
    app.go("rules")
    app.shot("rules-1-list-phone")
    app.click("open-kwx_suizhou")
    app.find("element-middle_five").first.wait_for(state="attached")
    app.shot("rules-2-page-phone")
    app.see("sources", "D：襄樊卡五星的游戏规则")
    app.click("more-unit")
    app.see("option-unit", "原为 1")
    app.write("rows-cap_exceptions", "七对 = 32")
    app.page.keyboard.press("Enter")
    app.see("option-cap_exceptions", "已改，原为 双龙七对 16")
    app.write("house-name", "My table")
    app.click("house-save")
    app.click("house-export")
    copied = app.copied("My table")
    assert tomllib.loads(copied)["options"] == {"unit": 2, "cap_exceptions": {"seven_pairs": 32}}
    with app.page.expect_download() as saved:
        app.click("house-file")
    assert saved.value.path().read_text(encoding="utf-8") == copied
    app.click("back")
    app.find("preset-My table").first.wait_for(state="attached")
    app.click("open-kwx_base")
    app.find("house-paste").first.wait_for(state="attached")
    app.write("house-paste", json.dumps({"preset": "kwx_suizhou", "changes": {"unit": 2}}))  # from an older version
    app.click("house-import")
    app.see("option-unit", "原为 1")
    app.shot("rules-3-imported-phone")
    app.write("house-paste", "{}")
    app.click("house-import")
    app.see("trouble", "没有导入")
    app.click("back")
    app.find("preset-shandong").first.wait_for(state="attached")
    app.write("search", "随州")
    app.gone("preset-shandong")
    app.find("preset-kwx_suizhou").first.wait_for(state="attached")


def test_the_last_row_of_a_page_stands_clear_of_the_bar_at_the_foot(open_app: Open) -> None:
    app = open_app("phone")
    app.go("settings")
    app.to_the_end("network-classifier")
    line, bar = app.find("network-classifier").bounding_box(), app.find("root-settings").bounding_box()
    assert line is not None
    assert bar is not None
    version = 31  # the line below it, with the room between
    assert line["y"] + line["height"] + version < bar["y"] - 40


def test_language_and_light_are_changed_at_once_and_kept_on_the_device(open_app: Open) -> None:
    app = open_app("phone")
    app.go("settings")
    app.shot("settings-1-phone")
    app.click("language-en")
    app.see("language-en", "English")
    app.click("theme-dark")
    app.see("network-finder", "Finding tiles: 20")
    app.see("storage", "MB")
    app.click("text-150")
    app.page.wait_for_function("getComputedStyle(document.documentElement).fontSize == '24px'")
    app.click("forget")
    app.click("forget-no")
    app.gone("forget-no")
    app.shot("settings-2-dark-phone")
    app.page.wait_for_timeout(500)
    app.page.reload()
    app.open(app.page.url.split("/settings")[0] + "/")
    app.see("camera", "Take a photo")
