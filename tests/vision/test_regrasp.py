"""Where only a part of a tile was grasped, a larger outline is tried, and taken only when it is surer."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classifier import Look, classify
from vision.geometry import area, covered
from vision.reading import Reader
from vision.regrasp import larger, regrasped

SAMPLE = Path(__file__).parents[2] / "ui" / "assets" / "samples" / "middle-five.jpg"
QUAD = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 38.0], [10.0, 38.0]])


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def doubted(looks: list[Look]) -> list[Look]:
    """These looks, as doubtful as most halves are to the network itself."""
    return [Look(k.corners, k.probabilities * 0.5, evidence=-1.0) for k in looks]


def test_every_larger_outline_holds_the_tile_and_is_larger() -> None:
    for outline in larger(QUAD):
        assert covered(outline, QUAD) == pytest.approx(1, abs=1e-3)
        assert area(outline) > 1.5 * area(QUAD)


def test_half_a_tile_becomes_the_whole_one(reader: Reader) -> None:
    pixels = cv2.imread(str(SAMPLE))
    assert pixels is not None
    (whole,) = [np.array(t.corners) for t in reader.read(SAMPLE).tiles if t.tile == "8p"]
    half = whole.copy()
    half[2:] = (whole[[1, 0]] + whole[[2, 3]]) / 2  # its upper half: four dots
    seen = classify(reader.classifier, pixels, [half])
    assert reader.classes[int(seen[0].probabilities.argmax())] != "8p"
    doubted = [
        Look(seen[0].corners, seen[0].probabilities * 0.5, evidence=-1.0)
    ]  # as the network itself doubts most halves
    ((_, again),) = regrasped(reader.refiner, reader.classifier, pixels, doubted, reader.classes)
    assert reader.classes[int(again.probabilities.argmax())] == "8p"
    assert covered(again.corners, whole) > 0.9


def test_two_halves_of_one_tile_become_one_tile(reader: Reader) -> None:
    pixels = cv2.imread(str(SAMPLE))
    assert pixels is not None
    (whole,) = [np.array(t.corners) for t in reader.read(SAMPLE).tiles if t.tile == "8p"]
    middle = (whole[[1, 0]] + whole[[2, 3]]) / 2
    upper, lower = np.concatenate([whole[:2], middle]), np.concatenate([middle[::-1], whole[2:]])
    looks = [
        Look(k.corners, k.probabilities * 0.5, evidence=-1.0)
        for k in classify(reader.classifier, pixels, [upper, lower])
    ]
    assert len(regrasped(reader.refiner, reader.classifier, pixels, looks, reader.classes)) == 1


def test_a_sure_tile_and_a_place_that_is_no_tile_are_left_as_they_are(reader: Reader) -> None:
    pixels = cv2.imread(str(SAMPLE))
    assert pixels is not None
    sure = np.zeros(len(reader.classes))
    sure[0] = 1
    none = np.full(len(reader.classes), 0.3 / (len(reader.classes) - 1))
    none[reader.classes.index("none")] = 0.7
    looks = [Look(QUAD, sure), Look(QUAD + 100, none)]
    assert regrasped(reader.refiner, reader.classifier, pixels, looks, reader.classes) == list(enumerate(looks))
