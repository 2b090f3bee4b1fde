"""Two sets of networks on the same photographs: who reads which, and whether that is more than chance."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets import formats
from datasets.labels import LabelledPhoto, Mark, box_corners
from models.commands import app
from models.comparing import compare, sign_test
from tests.conftest import ROOT
from vision.network import FOLDER
from vision.result import ReadHand, Reading, ReadTile


class Said:
    """A reader that says what it is told to, by the photograph's width."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers

    def read_photo(self, photo: Any, started: float, tell: Any, **told: Any) -> Reading:
        codes = self.answers[photo.width - 300].split()
        tiles = tuple(
            ReadTile(code, 0.9, tuple(map(tuple, box_corners(22 * k, 10, 22 * k + 20, 40).tolist())), (), "")  # pyright: ignore
            for k, code in enumerate(codes)
        )
        return Reading(photo.width, photo.height, tiles, ReadHand())


def photo(k: int, *tiles: str) -> LabelledPhoto:
    marks = tuple(Mark(t, box_corners(22 * i, 10, 22 * i + 20, 40), exact=False) for i, t in enumerate(tiles))
    return LabelledPhoto(f"{k}.jpg", 300 + k, 100, marks, pixels=np.zeros((100, 300 + k, 3), np.uint8))


PHOTOS = [photo(0, "1m", "2m"), photo(1, "3p", "4p"), photo(2, "5s", "6s")]


def test_what_one_set_mends_and_the_other_spoils_is_named_tile_by_tile() -> None:
    first, second = Said("1m 2m", "3p 4p", "5s"), Said("1m 2m", "3p 9p", "5s 6s")
    result = compare(first, second, PHOTOS)  # pyright: ignore[reportArgumentType]
    assert [o.name for o in result.fixed] == ["1.jpg"]
    assert [o.name for o in result.broken] == ["2.jpg"]
    assert [o.changed for o in result.outcomes] == [(), (("4p", "4p", "9p"),), (("6s", "missed", "6s"),)]
    assert result.figures[0]["photographs_exact"] == result.figures[1]["photographs_exact"] == pytest.approx(0.6667)
    told = result.as_json()
    assert told["photographs"][1] == {
        "photo": "1.jpg",
        "tiles": 2,
        "exact": [True, False],
        "right": [2, 1],
        "extra": [0, 0],
        "changed": [["4p", "4p", "9p"]],
    }


@pytest.mark.parametrize(
    ("one", "other", "chance"), [(0, 0, 1.0), (1, 0, 1.0), (3, 3, 1.0), (6, 0, 2 / 64), (9, 1, 22 / 1024)]
)
def test_few_photographs_prove_nothing(one: int, other: int, chance: float) -> None:
    assert sign_test(one, other) == sign_test(other, one) == pytest.approx(chance)


def test_own_networks_are_compared_on_photographs_that_they_did_not_learn_from(tmp_path: Path) -> None:
    pixels = cv2.imread(str(ROOT / "ui" / "assets" / "samples" / "melds.jpg"))
    height, width = pixels.shape[:2]
    lesson = LabelledPhoto(
        "lesson.jpg", width, height, (Mark("1m", box_corners(9, 9, 40, 60)),), pixels=pixels, split="train"
    )
    formats.write([lesson, replace(lesson, name="other.jpg", split="val")], tmp_path / "photos", "yolo-obb")
    words = ["evaluate", "--data", str(tmp_path / "photos"), "--models", str(FOLDER), "--against", "shipped"]
    result = CliRunner().invoke(app, [*words, "--json"])
    assert [told["photo"] for told in json.loads(result.stdout)["photographs"]] == ["other.jpg"]
    assert "lessons of a training left out: 1" in result.stderr
    result = CliRunner().invoke(app, [*words, "--split", "train", "--json"])
    assert [told["photo"] for told in json.loads(result.stdout)["photographs"]] == ["lesson.jpg"]
