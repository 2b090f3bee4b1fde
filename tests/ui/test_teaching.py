"""What the app learns of a person: a hand that was put right becomes a record, and a folder is labelled one by one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import formats
from datasets.formats import pictures, records
from datasets.formats.result import DatasetError
from ui import draft as edits
from ui import label_job, teaching
from ui.labelling import from_reading, press
from ui.session import Photograph
from vision.result import UNKNOWN, Corners, ReadHand, Reading, ReadMeld, ReadTile, problem


def at(x: float) -> Corners:
    return ((x, 20.0), (x + 20, 20.0), (x + 20, 48.0), (x, 48.0))


DOUBT = problem("doubt.unclear", "not clear enough to be sure")
TILES = (
    ReadTile("5p", 0.99, at(10)),
    ReadTile("2p", 0.5, at(40), (("4p", 0.4),), DOUBT),
    ReadTile(UNKNOWN, 0.2, at(70), (("P", 0.2),), DOUBT),
    ReadTile("8s", 0.9, at(100)),
    ReadTile("back", 0.99, at(130)),
    ReadTile("F", 0.99, at(150)),
    ReadTile("F", 0.99, at(170)),
    ReadTile("back", 0.99, at(190)),
)
READING = Reading(400, 200, TILES, ReadHand((0, 1, 2, 3), (ReadMeld("kong_concealed", (4, 5, 6, 7)),)))
PREVIEW = cv2.imencode(".jpg", np.full((100, 200, 3), 190, np.uint8))[1].tobytes()
PHOTOGRAPH = Photograph(PREVIEW, READING, (), "0123456789abcdef0123")


def test_a_corrected_hand_becomes_a_record_of_what_was_changed_rejected_and_left_open(tmp_path: Path) -> None:
    draft = edits.from_reading(READING)
    ids = {p.seen[1]: p.id for p in draft.pieces if p.seen}
    draft = edits.set_aside(edits.change(draft, ids[1], "4p"), ids[3])
    assert teaching.keep(draft, {0: PHOTOGRAPH}, tmp_path) == 1
    (record,) = records.records(tmp_path)[0]
    assert [(t.tile, t.state) for t in record.tiles] == [
        ("5p", "right"),
        ("4p", "changed"),
        ("", "unsure"),
        ("", "rejected"),
        ("back", "right"),  # the rules say what lies under it, the picture shows a back
        ("F", "right"),
        ("F", "right"),
        ("back", "right"),
    ]
    assert record.tiles[0].corners[0] == (5.0, 10.0), "corners are those of the picture that is kept"
    assert record.models["classifier"]
    held = teaching.collected(tmp_path)
    assert (held.photographs, held.named, held.changed, held.open) == (1, 6, 1, 2)
    assert "1m" in held.lacking


def test_the_same_photograph_is_one_record_and_an_example_can_be_taken_back(tmp_path: Path) -> None:
    draft = edits.from_reading(READING)
    teaching.keep(draft, {0: PHOTOGRAPH}, tmp_path)
    teaching.keep(draft, {0: PHOTOGRAPH}, tmp_path)
    (one,) = teaching.examples("5p", tmp_path)
    assert 0 <= one.agreement <= 1
    teaching.rename(one, "", tmp_path)
    assert teaching.examples("5p", tmp_path) == []
    out = teaching.export("yolo-obb", tmp_path)
    assert len(formats.read(out).photos) == 1
    assert teaching.forget_records(tmp_path) == 1


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    for name in ("one.jpg", "more/two.jpg"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(PREVIEW)
    return folder


def test_a_job_goes_on_where_it_stopped_and_its_data_set_is_whole_after_every_picture(
    source: Path, tmp_path: Path
) -> None:
    job = label_job.begun(source, tmp_path / "out", "yolo-obb")
    assert [name for name, _ in job.photos] == ["more/two.jpg", "one.jpg"]
    small = Photograph(PREVIEW, Reading(200, 100, TILES[:2], ReadHand()))
    sheet = label_job.sheet_of(job, 0, small)
    sheet = press(press(sheet, "4"), "P")
    job.begun[0] = sheet  # as the page does with every edit
    assert label_job.sheet_of(job, 0, small) == sheet, "another tab begins where this one was closed"
    label_job.accept(job, 0, sheet, {})
    again = label_job.begun(source, tmp_path / "out", "yolo-obb")
    assert again.first_open() == 1
    assert [p.tile for p in label_job.sheet_of(again, 0, small).places] == ["5p", "4p"]
    copied = {path.name: path.stat().st_ino for path in pictures.below(job.result)}
    label_job.accept(again, 1, from_reading(small.reading), {})
    still = {path.name: path.stat().st_ino for path in pictures.below(job.result)}
    assert len(still) == 2
    assert {name: still[name] for name in copied} == copied, "a picture that is there was copied once more"
    photos = formats.read(again.result).photos
    assert sorted(len([m for m in p.marks if not m.ignored]) for p in photos) == [1, 2]
    assert not list((tmp_path / "out").glob(".*"))


def test_a_job_that_cannot_begin_says_why(source: Path, tmp_path: Path) -> None:
    for place, to, says in (
        (source, "scenes", "no format that is written"),
        (tmp_path / "nowhere", "yolo", "There is no folder"),
        (tmp_path / "out", "yolo", "holds no pictures"),
    ):
        (tmp_path / "out").mkdir(exist_ok=True)
        with pytest.raises(DatasetError, match=says):
            label_job.begun(place, tmp_path / "labels", to)


def test_a_data_set_that_was_not_labelled_here_is_not_replaced(source: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "yolo").mkdir(parents=True)
    with pytest.raises(DatasetError, match="was not labelled here"):
        label_job.begun(source, tmp_path / "out", "yolo")
    (tmp_path / "out" / "records").mkdir()  # of a job in another format
    assert label_job.begun(source, tmp_path / "out", "yolo").first_open() == 0
