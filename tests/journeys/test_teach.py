"""A tile set shown in one photograph; corrections kept with consent, looked at, written as a data set, deleted."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from datasets import formats
from tests.journeys.driver import ROOT, App, Server
from vision import profile as profiles

Open = Callable[..., App]
SAMPLES = ROOT / "ui" / "assets" / "samples"


def teach_page(app: App) -> None:
    app.go("settings")
    app.to_the_end("settings-teach")
    app.click("settings-teach")
    app.find("keeps").first.wait_for(state="attached")


@pytest.mark.parametrize(("size", "theme"), [("phone", "light"), ("desktop", "dark")])
def test_a_tile_set_is_shown_put_right_and_learnt(open_app: Open, server: Server, size: str, theme: str) -> None:
    app = open_app(size, language="zh-Hans" if size == "phone" else "en", theme=theme)
    name = "绿色" if size == "phone" else "green"
    teach_page(app)
    app.shot(f"teach-1-{size}")
    app.choose("show-set", SAMPLES / "middle-five.jpg")
    app.find("board-left").first.wait_for(state="attached")
    assert len(app.every("face-")) >= 14
    for stray in range(14, len(app.every("face-"))):  # the pattern of something beside the hand, taken for a tile
        app.click(f"face-{stray}")
        app.click("reject")
    app.see("board-left", re.compile("全部认好了|All tiles are named"))
    app.click("face-3")
    app.click("key-2m")
    app.see("face-3", re.compile("二万|2 of characters"))
    app.click("face-3")
    app.click("guess-7p") if "guess-7p" in app.every("guess-") else app.click("key-7p")
    app.shot(f"teach-2-board-{size}")
    app.write("set-name", name)
    app.click("learn")
    app.find(f"set-{name}").first.wait_for(state="attached")
    app.shot(f"teach-3-learnt-{size}")
    kept = profiles.load(server.folder / "data" / "profiles", name)
    assert kept.tiles["7p"] == 1
    assert sum(kept.tiles.values()) == 14
    app.click(f"forget-set-{name}")
    app.gone(f"set-{name}")
    assert profiles.names(server.folder / "data" / "profiles") == []


def test_corrections_are_kept_only_with_consent_and_can_be_seen_written_and_deleted(
    open_app: Open, server: Server, tmp_path: Path
) -> None:
    folder = server.folder / "data" / "corrections"
    app = open_app("phone", language="en")

    def correct_one() -> None:
        app.choose("gallery", SAMPLES / "middle-five.jpg")
        app.find("standing").first.wait_for(state="attached")
        app.click("outline-2")
        app.click("key-9s")
        app.gone("key-9s")
        app.click("next")
        app.find("score").first.wait_for(state="attached")
        app.page.go_back()
        app.click("back")

    correct_one()
    assert not folder.exists(), "nothing may be kept before somebody has agreed"
    teach_page(app)
    app.click("keeps")
    app.click("back")
    app.go("scan")
    correct_one()
    teach_page(app)
    app.see("collected", re.compile(r"1 photograph: 1[34] tiles named, 1 of them corrected"))
    app.shot("teach-4-collected")
    app.click("collected-9s")
    app.page.locator('[flt-semantics-identifier^="example-"]').first.wait_for(state="attached")
    assert len(app.every("example-")) == 1
    app.shot("teach-5-examples")
    app.click("back")
    with app.page.expect_download() as got:
        app.click("export-yolo-obb")
    app.find("teach-said").first.wait_for(state="attached")
    (out,) = (server.folder / "data" / "exports").iterdir()
    with zipfile.ZipFile(got.value.path()) as archive:
        archive.extractall(tmp_path)
    for written in (out, tmp_path / out.name):  # on the computer, and what the phone was given
        (photo,) = formats.read(written).photos
        assert "9s" in [m.tile for m in photo.marks]
    app.click("forget-records")
    app.gone("collected")
    assert list(folder.iterdir()) == []
