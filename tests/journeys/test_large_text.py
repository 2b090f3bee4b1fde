"""Somebody who reads with twice the usual size of text, on a small phone: every screen holds, nothing is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.journeys.driver import ROOT, App

Open = Callable[..., App]
SAMPLE = ROOT / "ui" / "assets" / "samples" / "middle-five.jpg"
LANGUAGES = ["en", *(pytest.param(language, marks=pytest.mark.slow) for language in ("zh-Hans", "zh-Hant"))]


def hand(app: App) -> Iterator[str]:
    """From the first screen to the result of a hand, a screen at a time."""
    app.find("camera").first.wait_for(state="attached")
    yield "scan"
    app.choose("gallery", SAMPLE)
    app.find("outline-13").first.wait_for(state="attached")
    yield "photograph"
    app.click("outline-3")
    app.find("key-1s").first.wait_for(state="attached")
    yield "tile"
    app.page.keyboard.press("Escape")
    app.gone("key-1s")
    app.write("typed", "123789p 4556s [CCC] + 5s")
    app.page.keyboard.press("Enter")
    app.find("kind-0").first.wait_for(state="attached")
    yield "check"
    app.click("kind-0")
    app.find("take-back").first.wait_for(state="attached")
    yield "set"
    app.page.keyboard.press("Escape")
    app.gone("take-back")
    app.click("add-tile")
    app.find("add-1p").first.wait_for(state="attached")
    yield "keyboard"
    app.click("done")
    app.gone("done")
    app.click("next")
    app.click("a-win_by-discard")
    app.click("a-discarder-1")
    yield "won"
    app.click("score")
    app.find("total").first.wait_for(state="attached")
    yield "result"


def roots(app: App) -> Iterator[str]:
    """Rules with the house's editor, settings, and what the reader is taught."""
    app.go("rules")
    app.find("search").first.wait_for(state="attached")
    yield "rules"
    app.click("open-kwx_suizhou")
    app.find("element-middle_five").first.wait_for(state="attached")
    yield "rules page"
    app.click("back")
    app.go("settings")
    app.find("language-en").first.wait_for(state="attached")
    yield "settings"
    app.click("forget")
    app.find("forget-no").first.wait_for(state="attached")
    yield "forget"
    app.click("forget-no")
    app.gone("forget-no")
    app.click("settings-teach")
    app.find("keeps").first.wait_for(state="attached")
    yield "teach"
    app.choose("show-set", SAMPLE)
    app.find("board-left").first.wait_for(state="attached")
    yield "board"
    app.click("face-3")
    app.find("key-2m").first.wait_for(state="attached")
    yield "board keys"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("walk", [hand, roots])
def test_no_screen_reaches_over_the_edge_at_twice_the_size_of_text(open_app: Open, walk, language: str) -> None:
    app = open_app("small phone", language=language, text=200)
    for screen in walk(app):
        app.shot(f"large-{screen.replace(' ', '-')}-{language}")
        assert app.outside() == [], screen


def test_buttons_grow_with_their_words_and_names_are_written_out(open_app: Open) -> None:
    app = open_app("small phone", language="en", text=200)
    app.click("type")
    app.find("typed").first.wait_for(state="attached")
    app.write("typed", "123789p 4556s [CCC] + 5s")
    app.page.keyboard.press("Enter")
    app.find("kind-0").first.wait_for(state="attached")
    box = app.find("next").first.bounding_box()
    assert box is not None
    assert box["height"] >= 80  # two lines: 2 × 2 × 20
    app.click("next")
    app.click("a-win_by-discard")
    app.click("a-discarder-1")
    app.click("score")
    app.find("net-1").first.wait_for(state="attached")
    box = app.find("net-1").first.bounding_box()
    assert box is not None
    assert box["width"] > 300  # a line of its own, where three beside each other cut every name
