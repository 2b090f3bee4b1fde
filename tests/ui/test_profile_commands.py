"""`hupai calibrate`, `hupai profiles` and `hupai read --profile`, as scripts call them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from datasets.names import CODES
from ui.cli import app
from vision.reading import read_photo

SAMPLE = Path(__file__).parents[2] / "ui" / "assets" / "samples" / "middle-five.jpg"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def labels(folder: Path) -> Path:
    """YOLO boxes of what the sample shows, in the order of a classes.txt of one's own, and a line that is damaged."""
    folder.mkdir()
    reading = read_photo(SAMPLE)
    lines = ["1 not a number"]
    for tile in reading.tiles:
        (left, top), (right, bottom) = np.min(tile.corners, axis=0), np.max(tile.corners, axis=0)
        middle = ((left + right) / 2 / reading.width, (top + bottom) / 2 / reading.height)
        size = ((right - left) / reading.width, (bottom - top) / reading.height)
        lines.append(" ".join(map(str, (CODES[::-1].index(tile.tile), *middle, *size))))
    (folder / "middle-five.txt").write_text("\n".join(lines))
    (folder / "classes.txt").write_text("\n".join(CODES[::-1]))
    return folder


def test_a_tile_set_is_measured_on_photographs_that_were_not_shown(tmp_path: Path) -> None:
    labels(tmp_path / "data")
    for name in ("middle-five", "melds"):
        (tmp_path / "data" / f"{name}.jpg").write_bytes((SAMPLE.parent / f"{name}.jpg").read_bytes())
    (tmp_path / "data" / "melds.txt").write_text("0 0.5 0.5 0.1 0.1\n")
    assert run("calibrate", "green", str(tmp_path / "data" / "middle-five.jpg")).exit_code == 0
    for name in ("green", str(tmp_path / "home" / "profiles" / "green.npz")):
        measured = run("evaluate", "--data", str(tmp_path / "data"), "--profile", name, "--json")
        assert measured.exit_code == 0, measured.output
        assert sum(split["photographs"] for split in json.loads(measured.stdout).values()) == 1
    (tmp_path / "data" / "melds.jpg").unlink()
    every = run("evaluate", "--data", str(tmp_path / "data"), "--profile", "green")
    assert (every.exit_code, every.stderr.count("\n")) == (2, 1)
    assert "Every photograph was shown to the reader" in every.stderr
    gone = run("evaluate", "--data", str(tmp_path / "data"), "--profile", "blue")
    assert "There is no tile set “blue”" in gone.stderr


def test_a_set_is_shown_with_labels_listed_read_with_and_deleted(tmp_path: Path) -> None:
    shown = run("calibrate", "green", str(SAMPLE), "--labels", str(labels(tmp_path / "labels")), "--json")
    assert shown.exit_code == 0, shown.output
    answer = json.loads(shown.stdout)
    assert answer["examples"] == 14
    assert answer["tiles"]["C"] == 3
    assert "1m" in answer["lacking"]
    assert "line 1" in answer["photos"][0]["left_out"][0]
    assert [p["profile"] for p in json.loads(run("profiles", "list", "--json").stdout)] == ["green"]
    for name in ("green", "auto"):
        (read,) = json.loads(run("read", str(SAMPLE), "--profile", name, "--json").stdout)
        assert read["profile"] == "green"
    assert run("profiles", "delete", "green").exit_code == 0
    assert json.loads(run("profiles", "list", "--json").stdout) == []


def test_without_labels_only_the_sure_readings_serve(tmp_path: Path) -> None:
    pixels = cv2.imread(str(SAMPLE))
    assert pixels is not None
    (x0, y0), (x1, y1) = (
        np.min(read_photo(SAMPLE).tiles[0].corners, axis=0),
        np.max(read_photo(SAMPLE).tiles[0].corners, axis=0),
    )
    part = pixels[int(y0) : int(y1), int(x0) : int(x1)]
    part[:] = cv2.GaussianBlur(part, (0, 0), 14)  # one tile that nobody could read
    photo = tmp_path / "spoilt.png"
    cv2.imwrite(str(photo), pixels)
    sure = sum(tile.doubt is None for tile in read_photo(photo).tiles)
    answer = json.loads(run("calibrate", "green", str(photo), "--json").stdout)
    assert answer["examples"] == sure >= 12


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["calibrate", "a/b", str(SAMPLE)], "no name for a tile set"),
        (["calibrate", "green", "nowhere.jpg"], "no file nowhere.jpg"),
        (["calibrate", "green", str(SAMPLE), "--labels", "nowhere"], "no folder of labels nowhere"),
        (["calibrate", "green", str(SAMPLE), "--labels", str(SAMPLE.parent)], "no label in"),
        (["calibrate", "auto", "nowhere.jpg"], "“auto” means another thing"),
        (["read", str(SAMPLE), "--profile", "blue"], "no tile set “blue”"),
        (["profiles", "delete", "blue"], "no tile set “blue”"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(arguments: list[str], says: str, home: Path) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not home.exists()
