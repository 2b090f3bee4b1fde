"""`hupai data label`: photographs are labelled by keys in the browser, and the data set is on disk at once."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from datasets import formats
from tests.journeys.driver import ROOT, App, Server

SAMPLES = ROOT / "ui" / "assets" / "samples"


@pytest.fixture
def labelling(tmp_path: Path) -> Iterator[Server]:
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(SAMPLES / "melds.jpg", photos / "a.jpg")
    shutil.copy(SAMPLES / "middle-five.jpg", photos / "b.jpg")
    (photos / "c.jpg").write_bytes(b"no picture")
    running = Server(tmp_path, command=("data", "label", str(photos), str(tmp_path / "out"), "--to", "coco")).wait()
    yield running
    running.stop()


def opened(context: BrowserContext, labelling: Server, width: int = 1200, height: int = 800) -> App:
    """The page of the job, in a new tab."""
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    return App(page).open(labelling.url, ready="accept")


def test_photographs_are_labelled_by_keys_and_written_as_they_are_accepted(
    context: BrowserContext, labelling: Server
) -> None:
    app = opened(context, labelling)
    page = app.page
    app.find("face-0").first.wait_for(state="attached")
    app.see("label-at", "1 / 3")
    app.shot("label-1")
    page.keyboard.press("Enter")  # what the reader proposes is right
    app.see("label-at", "2 / 3")
    app.find("face-0").first.wait_for(state="attached")
    app.click("face-2")
    page.keyboard.press("7")
    page.keyboard.press("s")
    app.see("face-2", "七条")
    app.leave()  # the browser is closed by mistake, and a phone goes on
    app = opened(context, labelling, 390, 844)
    app.see("label-at", "2 / 3")
    app.see("face-2", "七条")
    places = len(app.every("face-"))
    app.click("face-3")
    app.find("reject").first.wait_for(state="attached")
    app.shot("label-2-phone")
    app.click("reject")
    app.page.mouse.click(195, 60)  # beside the sheet, which would go on to the next doubt
    app.gone("reject")
    app.shot("label-3-phone")
    app.click("accept")
    app.see("label-at", "3 / 3")
    app.see("trouble", "c.jpg")
    app.see("label-done", "2")
    photos = {photo.name: photo for photo in formats.read(labelling.folder / "out" / "coco").photos}
    assert set(photos) == {"a.jpg", "b.jpg"}
    told = [mark.tile for mark in photos["b.jpg"].marks if not mark.ignored]
    assert "7s" in told
    assert len(told) == places - 1
    app.leave()


@pytest.mark.bench
def test_the_page_lets_a_person_label_far_more_than_forty_tiles_a_minute(
    context: BrowserContext, labelling: Server
) -> None:
    app = opened(context, labelling)
    page = app.page
    app.find("face-0").first.wait_for(state="attached")
    started, tiles = time.perf_counter(), 0
    for number in (1, 2):
        count = len(app.every("face-"))
        app.click("face-0")
        for _ in range(count):  # every tile by hand, two keys each, as if the reader had been wrong everywhere
            page.keyboard.press("7")
            page.keyboard.press("s")
            page.keyboard.press("ArrowRight")
        tiles += count
        page.keyboard.press("Enter")
        app.see("label-at", f"{number + 1} / 3")
        if number == 1:
            app.find("face-0").first.wait_for(state="attached")
    speed = 60 * tiles / (time.perf_counter() - started)
    photos = formats.read(labelling.folder / "out" / "coco").photos
    assert {mark.tile for photo in photos for mark in photo.marks} == {"7s"}, "every tile was named by hand"
    print(f"{tiles} tiles at {speed:.0f} a minute")
    assert speed > 40
    app.leave()
