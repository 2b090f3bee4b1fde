"""A tile set that was shown is known again: kept, enlarged, made anew for other weights, chosen when it lies there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import profile as profiles
from vision.classifier import MARGIN, SIZE
from vision.geometry import rectify
from vision.profile import Example, Profile
from vision.reading import Reader
from vision.result import ProfileError

FOLDER = Path(__file__).parents[2] / "ui" / "assets" / "samples"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def shown(reader: Reader, name: str) -> list[Example]:
    pixels = cv2.imread(str(FOLDER / f"{name}.jpg"))
    assert pixels is not None
    tiles = reader.read(FOLDER / f"{name}.jpg").tiles
    quads = [np.array(t.corners) for t in tiles]
    return profiles.shown(reader.classifier, pixels, quads, [t.tile for t in tiles], name)


@pytest.fixture(scope="module")
def middle(reader: Reader) -> Profile:
    return profiles.learned("green", shown(reader, "middle-five"), reader.classifier)


def test_a_profile_comes_back_as_it_was_kept(middle: Profile, tmp_path: Path) -> None:
    profiles.save(tmp_path, middle)
    again = profiles.load(tmp_path, "green")
    assert profiles.names(tmp_path) == ["green"]
    assert again.tiles == middle.tiles
    assert (again.weights, again.sources) == (middle.weights, middle.sources)
    assert np.array_equal(again.features, middle.features)
    assert all(np.array_equal(a.crop, b.crop) for a, b in zip(again.examples, middle.examples, strict=True))
    profiles.delete(tmp_path, "green")
    assert profiles.names(tmp_path) == []


def test_a_second_photograph_adds_and_the_same_one_again_replaces(reader: Reader, middle: Profile) -> None:
    both = profiles.learned("green", shown(reader, "melds"), reader.classifier, middle)
    assert len(both.sources) == 2
    again = profiles.learned("green", shown(reader, "melds"), reader.classifier, both)
    assert len(again.examples) == len(both.examples)


def test_other_weights_make_the_features_anew_from_the_kept_pictures(reader: Reader, middle: Profile) -> None:
    stale = replace(middle, weights="others", features=np.zeros_like(middle.features))
    fresh = profiles.current(stale, reader.classifier)
    assert fresh.weights == reader.classifier.metadata["weights"]
    assert np.allclose(fresh.features, middle.features, atol=1e-4)
    assert profiles.current(fresh, reader.classifier) is fresh


def test_a_tile_is_most_like_itself_whole_or_cut_short(reader: Reader, middle: Profile) -> None:
    like = profiles.likenesses(middle, reader.classes)
    for view in range(profiles.VIEWS):
        both = like(middle.features[:, view].astype(np.float64))
        for row, example in enumerate(middle.examples):
            own = both[0 if view == 0 else 1][row]
            assert reader.classes[int(own.argmax())] == example.tile
            assert own.max() == pytest.approx(1)
            assert own[reader.classes.index("1m")] == -1  # not shown


def test_the_parts_of_a_tile_are_what_is_seen_of_it_from_each_side(middle: Profile) -> None:
    crop = middle.examples[0].crop
    height, width = crop.shape[:2]
    across, down = round(0.55 * width), round(0.55 * height)
    sides = (crop[:down], crop[-down:], crop[:, :across], crop[:, -across:])
    spread = [cv2.resize(side, (width, height))[8:-8, 8:-8].ravel() for side in sides]
    for k, part in enumerate(profiles.parts(crop)[:4]):
        alike = [np.corrcoef(side, part[8:-8, 8:-8].ravel())[0, 1] for side in spread]
        assert int(np.argmax(alike)) == k


def test_a_profile_of_an_older_hupai_is_made_anew(reader: Reader, middle: Profile, tmp_path: Path) -> None:
    profiles.save(tmp_path, replace(middle, features=middle.features[:, :2]))
    fresh = profiles.current(profiles.load(tmp_path, "green"), reader.classifier)
    assert fresh.features.shape == middle.features.shape


def test_a_photograph_is_read_with_the_set_that_it_shows_and_with_no_other(reader: Reader, middle: Profile) -> None:
    again = cv2.GaussianBlur(cv2.imread(str(FOLDER / "middle-five.jpg")), (0, 0), 0.8)
    darker = cv2.imencode(".jpg", cv2.convertScaleAbs(again, alpha=0.8, beta=6))[1].tobytes()
    assert reader.read(darker, known=[middle]).profile == "green"
    for other in ("melds", "closed-kong"):  # other sets, drawn otherwise
        assert reader.read(FOLDER / f"{other}.jpg", known=[middle]).profile == ""


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "auto", "x" * 41, "tail "])
def test_a_name_that_is_no_name_of_a_file_is_refused(reader: Reader, middle: Profile, name: str) -> None:
    with pytest.raises(ProfileError, match="no name"):
        profiles.learned(name, middle.examples, reader.classifier)


def test_what_is_missing_or_damaged_is_said_in_one_sentence(reader: Reader, middle: Profile, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="hupai calibrate"):
        profiles.load(tmp_path, "green")
    profiles.save(tmp_path, middle)
    with pytest.raises(ProfileError, match="there are green"):
        profiles.load(tmp_path, "blue")
    (tmp_path / "green.npz").write_bytes((tmp_path / "green.npz").read_bytes()[:999])
    with pytest.raises(ProfileError, match="damaged"):
        profiles.load(tmp_path, "green")
    with pytest.raises(ProfileError, match="No tile was shown"):
        profiles.learned("empty", [], reader.classifier)


def test_a_box_around_a_standing_tile_is_drawn_to_its_face(reader: Reader) -> None:
    pixels = cv2.imread(str(FOLDER / "middle-five.jpg"))
    assert pixels is not None
    tiles = reader.read(FOLDER / "middle-five.jpg").tiles[:6]
    boxes = []
    for tile in tiles:
        (left, top), (right, bottom) = np.min(tile.corners, axis=0), np.max(tile.corners, axis=0)
        boxes.append(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))
    boxes.append(np.array([[5.0, 5.0], [60.0, 5.0], [60.0, 90.0], [5.0, 90.0]]) * [8, 1])  # far too wide
    quads = profiles.outlined(reader.refiner, pixels, boxes)
    assert all(q is not None for q in quads[:6])
    assert quads[6] is None


def test_a_box_in_the_shape_of_a_face_is_taken_for_one_where_no_corners_are_seen(reader: Reader) -> None:
    table = np.full((300, 400, 3), 90, np.uint8)
    box = np.array([[100.0, 100.0], [160.0, 100.0], [160.0, 180.0], [100.0, 180.0]])
    face, strip = profiles.outlined(reader.refiner, table, [box, box * [1, 1.5]])
    assert face is not None
    assert (face == box).all()
    assert strip is None


def test_a_set_is_the_same_where_its_tiles_are_grasped_a_little_aside(reader: Reader, middle: Profile) -> None:
    pixels = cv2.imread(str(FOLDER / "middle-five.jpg"))
    assert pixels is not None
    aside, other = [], []
    for tile in reader.read(FOLDER / "middle-five.jpg").tiles:
        quad = np.array(tile.corners)
        right, down = (quad[1] - quad[0]) / 16, (quad[3] - quad[0]) / 21
        grasped = quad + 0.7 * right + [[0, 0], [0, 0], down, down]
        aside.append((tile.tile, rectify(pixels, grasped, SIZE, MARGIN)))
        other.append((tile.tile, cv2.bitwise_not(rectify(pixels, quad, SIZE, MARGIN))))
    assert profiles.likeness(middle, aside) >= profiles.SIMILAR
    assert profiles.likeness(middle, other) < 0.5
