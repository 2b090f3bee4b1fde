"""Pictures by every way in: several at once with bad ones among them, dropped, pasted, taken in the live view."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.journeys.driver import CHROMIUM, FLAGS, PATIENCE, ROOT, App, Server

Open = Callable[..., App]
SAMPLES = ROOT / "ui" / "assets" / "samples"


def test_bad_files_among_several_are_named_and_the_others_are_read(open_app: Open, tmp_path: Path) -> None:
    app = open_app("phone")
    words, again = tmp_path / "账单.pdf.jpg", tmp_path / "again.jpg"
    words.write_text("these are words")
    again.write_bytes((SAMPLES / "melds.jpg").read_bytes())
    app.choose("gallery", [words, SAMPLES / "melds.jpg", again])
    app.see("trouble", "账单.pdf.jpg: 这不是能读的图片")
    app.see("trouble", "again.jpg: 这张照片已经有了")
    app.find("standing").first.wait_for(state="attached")
    assert len(app.every("outline-")) == 14
    app.shot("pictures-1-bad-among-several")
    app.click("trouble-close")
    app.gone("trouble")


def test_what_is_wrong_with_a_picture_stands_above_the_ways_to_another(open_app: Open, tmp_path: Path) -> None:
    app = open_app("phone", language="en")
    words = tmp_path / "words.jpg"
    words.write_text("these are words")
    app.choose("gallery", SAMPLES / "melds.jpg")
    app.find("standing").first.wait_for(state="attached")
    app.click("back")
    app.find("resume").first.wait_for(state="attached")
    app.choose("gallery", words)
    app.see("trouble", "words.jpg: This file is not a picture")
    app.settle(app.find("trouble").first)
    said, camera = app.find("trouble").first.bounding_box(), app.find("camera").first.bounding_box()
    assert said is not None
    assert camera is not None
    assert said["y"] + said["height"] <= camera["y"], "below the open hand it would lie half under the bar"
    app.shot("pictures-1-bad-with-an-open-hand")


def test_a_picture_is_dropped_on_the_page_and_a_second_one_adds_to_the_hand(open_app: Open) -> None:
    app = open_app("desktop", language="en")
    devtools = app.page.context.new_cdp_session(app.page)

    def drag(kind: str, file: Path) -> None:
        data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 600, "y": 400, "data": data})

    drag("dragEnter", SAMPLES / "melds.jpg")
    drag("dragOver", SAMPLES / "melds.jpg")
    app.page.locator("#drop-target").wait_for()
    app.shot("pictures-2-drop")
    drag("drop", SAMPLES / "melds.jpg")
    app.find("standing").first.wait_for(state="attached")
    app.page.locator("#drop-target").wait_for(state="detached")
    assert len(app.every("outline-")) == 14
    drag("dragEnter", SAMPLES / "closed-kong.jpg")
    drag("drop", SAMPLES / "closed-kong.jpg")
    app.see("standing", "too many")
    app.shot("pictures-3-two-photographs")


def test_a_picture_is_pasted(open_app: Open) -> None:
    app = open_app("desktop")
    picture = cv2.imencode(".png", cv2.imread(str(SAMPLES / "melds.jpg")))[1].tobytes()
    app.page.evaluate(
        """async coded => {
            const blob = await (await fetch('data:image/png;base64,' + coded)).blob();
            await navigator.clipboard.write([new ClipboardItem({'image/png': blob})]);
        }""",
        base64.b64encode(picture).decode(),
    )
    app.page.keyboard.press("Control+V")
    app.find("standing").first.wait_for(state="attached")
    assert len(app.every("outline-")) == 14


@pytest.fixture
def filmed(browser: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser whose camera sees the sample hand."""
    coded = cv2.imencode(".jpg", cv2.imread(str(SAMPLES / "middle-five.jpg")), [cv2.IMWRITE_JPEG_QUALITY, 95])[1]
    film = tmp_path / "hand.mjpeg"
    film.write_bytes(coded.tobytes() * 3)
    camera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    opened = browser.browser_type.launch(
        executable_path=CHROMIUM, args=[*FLAGS, *camera, f"--use-file-for-fake-video-capture={film}"]
    )
    made = opened.new_context(locale="en-GB", viewport={"width": 390, "height": 844})
    made.set_default_timeout(PATIENCE)
    yield made
    opened.close()


def test_a_hand_is_photographed_in_the_live_view(filmed: BrowserContext, server: Server) -> None:
    app = App(filmed.new_page()).open(server.url)
    app.click("camera")
    app.page.locator("#live video").wait_for()
    app.page.locator("#live .shoot:not([disabled])").wait_for()
    app.shot("pictures-4-live")
    app.page.keyboard.press("Escape")
    app.page.locator("#live").wait_for(state="detached")
    app.click("camera")
    app.page.locator("#live .shoot:not([disabled])").click()
    app.page.locator("#live").wait_for(state="detached")
    app.find("standing").first.wait_for(state="attached")
    assert len(app.every("outline-")) >= 13
    app.leave()
