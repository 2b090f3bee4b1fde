"""Where only a part of a tile was grasped, a larger outline is tried, and taken only when it is surer."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.face_sets import drawn
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


def regrasped_by(reader: Reader, pixels: NDArray[np.uint8], looks: list[Look]) -> list[tuple[int, Look]]:
    return regrasped(reader.refiner, reader.classifier, pixels, looks, reader.classes)


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
    ((_, again),) = regrasped_by(reader, pixels, doubted(seen))
    assert reader.classes[int(again.probabilities.argmax())] == "8p"
    assert covered(again.corners, whole) > 0.9


def test_two_halves_of_one_tile_become_one_tile(reader: Reader) -> None:
    pixels = cv2.imread(str(SAMPLE))
    assert pixels is not None
    (whole,) = [np.array(t.corners) for t in reader.read(SAMPLE).tiles if t.tile == "8p"]
    middle = (whole[[1, 0]] + whole[[2, 3]]) / 2
    upper, lower = np.concatenate([whole[:2], middle]), np.concatenate([middle[::-1], whole[2:]])
    looks = doubted(classify(reader.classifier, pixels, [upper, lower]))
    assert len(regrasped_by(reader, pixels, looks)) == 1


def test_a_sure_tile_and_a_place_that_is_no_tile_are_left_as_they_are(reader: Reader) -> None:
    pixels = cv2.imread(str(SAMPLE))
    assert pixels is not None
    sure = np.zeros(len(reader.classes))
    sure[0] = 1
    none = np.full(len(reader.classes), 0.3 / (len(reader.classes) - 1))
    none[reader.classes.index("none")] = 0.7
    looks = [Look(QUAD, sure), Look(QUAD + 100, none)]
    assert regrasped_by(reader, pixels, looks) == list(enumerate(looks))


def test_two_of_one_dot_in_a_row_are_no_two_of_dots(reader: Reader) -> None:
    faces = drawn(1, 3)[0]
    size = (45, 60)
    row = [cv2.resize(faces[tile][0][..., 2::-1], size) for tile in ("E", "1p", "1p", "E", "S", "W")]
    pixels = cv2.copyMakeBorder(np.hstack(row), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 120, 40))
    quads = [np.array([[x, 60.0], [x + 45, 60], [x + 45, 120], [x, 120]]) for x in range(60, 330, 45)]
    seen = classify(reader.classifier, pixels, quads)
    looks = [*seen[:1], *doubted(seen[1:3]), *seen[3:]]
    tiles = [reader.classes[int(k.probabilities.argmax())] for _, k in regrasped_by(reader, pixels, looks)]
    assert tiles == ["E", "1p", "1p", "E", "S", "W"]
