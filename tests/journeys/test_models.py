"""A trainer's own networks in the app: tried on the sample photographs first, taken or not, and one can go back."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journeys.driver import App, Server
from vision.network import FOLDER, NAMES

Open = Callable[..., App]


@pytest.fixture
def own_models(server: Server) -> Iterator[Path]:
    """Two folders of networks in the data folder: good ones, and some of which one is cut off."""
    folder = server.log.parent / "data" / "models"
    for name in ("大厅 2026", "broken"):
        (folder / name).mkdir(parents=True)
        for network in NAMES:
            shutil.copyfile(FOLDER / f"{network}.onnx", folder / name / f"{network}.onnx")
    cut = folder / "broken" / "finder.onnx"
    cut.write_bytes(cut.read_bytes()[:5000])
    yield folder
    shutil.rmtree(folder)


def test_own_networks_are_tried_before_they_read_and_one_can_go_back(open_app: Open, own_models: Path) -> None:
    app = open_app("phone")
    app.go("settings")
    app.to_the_end("models-broken")
    app.click("models-broken")
    app.see("models-said", "没有换用broken")
    app.click("models-大厅 2026")
    app.see("models-said", "已换用大厅 2026")
    assert '"now": "大厅 2026"' in (own_models / "chosen.json").read_text(encoding="utf-8")
    app.shot("models-own")
    app.click("models-shipped")
    app.see("models-said", "已换用自带")
