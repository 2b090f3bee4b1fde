"""What a person has put right is kept as one record a photograph, and is a data set like any other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import formats
from datasets.formats import records
from datasets.formats.records import Judged, Record
from datasets.formats.result import DatasetError

SQUARE = ((10.0, 10.0), (30.0, 10.0), (30.0, 38.0), (10.0, 38.0))
NEXT = ((40.0, 10.0), (60.0, 10.0), (60.0, 38.0), (40.0, 38.0))
PICTURE = cv2.imencode(".png", np.full((64, 96, 3), 200, np.uint8))[1].tobytes()
RECORD = Record(
    "a1",
    "a1.png",
    96,
    64,
    (
        Judged(SQUARE, "2p", 0.61, "4p", "changed"),
        Judged(NEXT, "5s", 0.99, "5s", "right"),
        Judged(SQUARE, "", 0.0, "C", "added"),
        Judged(SQUARE, "8s", 0.4, "", "rejected"),
        Judged(NEXT, "?", 0.2, "", "unsure"),
    ),
    "2026-11-30T21:00:00",
    {"classifier": "bc42dac452b649ad"},
    "green",
)


def test_a_record_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    records.keep(tmp_path, RECORD, PICTURE)
    found, findings = records.records(tmp_path)
    assert (found, findings) == ([RECORD], [])
    assert (tmp_path / "a1.png").read_bytes() == PICTURE


def test_keeping_the_same_photograph_again_replaces_its_record(tmp_path: Path) -> None:
    records.keep(tmp_path, RECORD, PICTURE)
    records.keep(tmp_path, replace(RECORD, tiles=RECORD.tiles[:1]))
    assert [len(r.tiles) for r in records.records(tmp_path)[0]] == [1]


def test_what_nobody_told_is_a_mark_that_is_not_asked_for(tmp_path: Path) -> None:
    records.keep(tmp_path, RECORD, PICTURE)
    (photo,) = formats.read(tmp_path).photos
    assert [m.tile for m in photo.marks if not m.ignored] == ["4p", "5s", "C"]
    assert sum(m.ignored for m in photo.marks) == 2
    assert records.by_tile([RECORD])["4p"] == 1


@pytest.mark.parametrize("name", [f.name for f in formats.FORMATS.values() if f.write and f.keeps != "tile"])
def test_records_go_out_in_every_format_that_is_written(tmp_path: Path, name: str) -> None:
    records.keep(tmp_path / "kept", RECORD, PICTURE)
    photos = formats.read(tmp_path / "kept").photos
    assert formats.write(photos, tmp_path / "out", name, copy=True) == []
    (again,) = formats.read(tmp_path / "out", name).photos
    told = [m for m in again.marks if not m.ignored]
    assert [m.tile for m in told] == ["4p", "5s", "C"]
    assert np.allclose(np.ptp(told[0].corners, axis=0), (20, 28), atol=0.5)


def test_a_damaged_record_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    records.keep(tmp_path, RECORD, PICTURE)
    (tmp_path / "cut.json").write_text('{"kind": "hupai-record", "picture"')
    wrong = json.loads(RECORD.to_json())
    wrong["tiles"][0]["tile"] = "12p"
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    (tmp_path / "short.json").write_text(json.dumps({"kind": records.KIND}))
    found, findings = records.records(tmp_path)
    assert [r.name for r in found] == ["a1"]
    assert sorted(f.where for f in findings) == ["cut.json", "short.json", "wrong.json"]


def test_a_record_without_its_picture_is_named(tmp_path: Path) -> None:
    records.keep(tmp_path, RECORD)
    assert [f.kind for f in records.read(tmp_path).findings] == ["label without picture"]


def test_an_empty_folder_says_where_records_come_from(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="hupai data label"):
        records.read(tmp_path)


def test_forgetting_deletes_records_and_their_pictures_and_nothing_else(tmp_path: Path) -> None:
    outside = tmp_path / "mine.png"
    outside.write_bytes(PICTURE)
    folder = tmp_path / "kept"
    records.keep(folder, RECORD, PICTURE)
    records.keep(folder, replace(RECORD, name="b2", picture="../mine.png"))
    assert records.forget(folder, ["a1"]) == 1
    assert not (folder / "a1.png").exists()
    assert records.forget(folder) == 1
    assert outside.exists()
    assert list(folder.iterdir()) == []
