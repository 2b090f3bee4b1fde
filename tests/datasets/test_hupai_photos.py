"""The project's photographs: what annotators got wrong is put right as they are read, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasets import hupai_photos
from datasets.labels import LabelledPhoto

TILES_OF_LABELS = [0, 1, 2, 2]  # 1m 2m 3m 3m


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "photos" / "labels").mkdir(parents=True)
    (tmp_path / "photos" / "manifest.csv").write_text(
        "image,split,group,near_dup_cluster,note\none.jpg,train,somebody,c1,\n", encoding="utf-8"
    )
    lines = [f"{index} {0.1 + 0.2 * k} 0.5 0.1 0.2" for k, index in enumerate(TILES_OF_LABELS)]
    (tmp_path / "photos" / "labels" / "one.txt").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def read(folder: Path, monkeypatch: pytest.MonkeyPatch, corrections: list[list[object]]) -> LabelledPhoto:
    file = folder / "corrections.json"
    file.write_text(json.dumps({"one.jpg": corrections}), encoding="utf-8")
    monkeypatch.setattr(hupai_photos, "CORRECTIONS", file)
    (photo,) = hupai_photos.load(folder)
    return photo


def tiles(photo: LabelledPhoto) -> list[str]:
    return [mark.tile for mark in photo.marks if not mark.by_reader]


def test_a_wrong_label_is_put_right_and_a_tile_boxed_twice_is_there_once(folder, monkeypatch):
    assert tiles(read(folder, monkeypatch, [[2, "2m", "9p"], [4, "3m", ""]])) == ["1m", "9p", "3m"]


def test_a_box_around_half_a_tile_is_drawn_anew(folder, monkeypatch):
    photo = read(folder, monkeypatch, [[1, "1m", "1m", 20, 30, 90, 130]])
    assert photo.marks[0].box == (20, 30, 90, 130)


def test_a_label_that_has_been_changed_since_is_left_alone(folder, monkeypatch):
    assert tiles(read(folder, monkeypatch, [[2, "5s", "9p"], [7, "1m", "2m"]])) == ["1m", "2m", "3m", "3m"]


def test_every_correction_names_real_tiles_and_changes_something():
    for name, corrections in json.loads(hupai_photos.CORRECTIONS.read_text(encoding="utf-8")).items():
        for number, was, code, *box in corrections:
            assert number >= 1, name
            assert was in hupai_photos.TILES, name
            assert code == "" or (code in hupai_photos.TILES and (box or code != was)), name
