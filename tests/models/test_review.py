"""The reader against an annotator: what nobody boxed is found, what is labelled wrongly is listed."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels import LabelledPhoto, Mark, box_corners
from models.review import overlay, review
from vision.reading import Reader

SAMPLE = Path(__file__).parents[2] / "ui" / "assets" / "samples" / "middle-five.jpg"


@pytest.fixture(scope="module")
def annotated() -> tuple[Reader, LabelledPhoto]:
    """The sample with upright boxes around the concealed row, left to right, as an annotator would draw them."""
    reader = Reader()
    reading = reader.read(SAMPLE)
    row = [reading.tiles[i] for i in reading.hand.concealed]
    marks = []
    for tile in row:
        corners = np.array(tile.corners)
        marks.append(Mark(tile.tile, box_corners(*corners.min(0), *corners.max(0)), exact=False, upright=False))
    pixels = cv2.imread(str(SAMPLE))
    return reader, LabelledPhoto("sample", 1280, 960, tuple(marks), pixels=pixels)


def test_tiles_that_nobody_boxed_are_kept_with_their_corners(annotated):
    reader, photo = annotated
    half = LabelledPhoto("half", 1280, 960, photo.marks[:7], pixels=photo.pixels)
    seen = review(reader, half)
    found = [code for code, _ in seen.tiles]
    for mark in photo.marks[7:]:
        assert mark.tile in found or "?" in found
    assert seen.contradictions == ()
    rows = overlay([seen])["half"]
    assert all(len(row) == 9 for row in rows)


def test_a_wrong_label_is_listed_not_changed(annotated):
    reader, photo = annotated
    first = photo.marks[0]
    wrong = LabelledPhoto(
        "wrong", 1280, 960, (Mark("9m", first.corners, False, False), *photo.marks[1:]), pixels=photo.pixels
    )
    contradictions = review(reader, wrong).contradictions
    assert [(label, said) for label, said, _ in contradictions] == [("9m", first.tile)]


def test_a_photograph_without_anything_besides_its_labels_is_still_named(annotated):
    reader, photo = annotated
    assert "sample" in overlay([review(reader, photo)])
