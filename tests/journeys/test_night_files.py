"""What a night leaves on the disk: a photograph with its hand, a file that goes out and comes in again, and a ledger
that somebody damages under the running app. On a server of its own, because the damage is real."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.journeys.driver import App, Server
from tests.journeys.test_night import confirm, start_night, type_form
from tests.journeys.test_photograph import SAMPLE, put_right

Open = Callable[..., App]


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path).wait()
    yield running
    running.stop()


def test_a_night_with_a_photograph_goes_out_comes_back_and_survives_damage(
    context: BrowserContext, alone: Server, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    app = App(page).open(alone.url)
    start_night(app, "阿明", "Bo", "Li")
    # a photographed hand keeps its photograph when somebody says so
    app.click("photograph")
    app.choose("camera", SAMPLE)
    app.find("standing").first.wait_for(state="attached")
    put_right(app, "zh-Hans")
    app.see("standing", "成牌")
    app.click("next")
    app.click("score")
    app.click("record")
    app.find("keep-photograph").first.wait_for(state="attached")
    app.click("keep-photograph")
    app.shot("files-1-keep")
    confirm(app)
    assert len(list(data.glob("photographs/*/*.1.jpg"))) == 1
    type_form(app, "draw")
    confirm(app)
    app.click(app.every("entry-")[1])
    app.find("photograph-0").first.wait_for(state="attached")
    app.to_the_end("photograph-0")
    app.shot("files-2-photograph")
    app.click("back")
    # out into a file, deleted with its photograph, and in again; what is damaged is named with its line
    app.click("settle")
    with page.expect_download() as got:
        app.click("save-json")
    file = tmp_path / "night.json"
    got.value.save_as(file)
    app.click("delete-night")
    app.find("delete-yes").first.wait_for(state="attached")
    app.shot("files-3-delete")
    app.click("delete-yes")
    app.find("start-night").first.wait_for(state="attached")
    app.gone("night-0")
    assert list(data.glob("photographs/*/*.jpg")) == []
    damaged = tmp_path / "damaged.json"
    damaged.write_text(file.read_text(encoding="utf-8").replace('"what"', '"waht"'), encoding="utf-8")
    app.choose("import-night", damaged)
    app.see("trouble", re.compile("第 4 行：.*what[^x]*没有导入"))
    app.shot("files-4-damaged-file")
    app.choose("import-night", file)
    app.see("notice", "2")
    app.see("next-hand", "第 3 局")
    app.click("back")
    # the ledger's own file is spoilt under the running app: said in words, and mended with one tap
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (data / name).unlink(missing_ok=True)
    (data / "ledger.db").write_bytes(b"coffee" * 5000)
    app.see("trouble", "记录文件已损坏")
    app.shot("files-5-damaged-ledger")
    app.click("repair")
    app.see("notice", "恢复了 1 晚")
    app.shot("files-6-repaired")
    app.click("night-0")
    app.see("next-hand", "第 3 局")
    app.leave()
