"""A set that was shown tells what is doubted or was passed over, changes nothing that is sure, and is silent where
another set lies on the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.face_sets import drawn
from datasets.scenes import render
from vision import profile as profiles
from vision.classifier import Look, classify
from vision.geometry import Floats, covered
from vision.photo import Photo
from vision.profile import Example, Profile
from vision.reading import Reader
from vision.recognising import GUESSED, KNOWN, around, recognised

SAMPLES = Path(__file__).parents[2] / "ui" / "assets" / "samples"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def pixels() -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(SAMPLES / "middle-five.jpg")), np.uint8)


@pytest.fixture(scope="module")
def looks(reader: Reader, pixels: NDArray[np.uint8]) -> list[Look]:
    quads = [np.array(t.corners) for t in reader.read(SAMPLES / "middle-five.jpg").tiles if not t.doubt]
    assert len(quads) == 14
    return classify(reader.classifier, pixels, quads)


@pytest.fixture(scope="module")
def green(reader: Reader, pixels: NDArray[np.uint8], looks: list[Look]) -> Profile:
    """The set of the sample, shown in a darker and blurred copy of it."""
    dark = cv2.convertScaleAbs(cv2.GaussianBlur(pixels, (0, 0), 0.7), alpha=0.85, beta=8)
    return profiles.learned("green", shown(reader, np.asarray(dark, np.uint8), looks), reader.classifier)


def shown(reader: Reader, pixels: NDArray[np.uint8], looks: list[Look]) -> list[Example]:
    quads, tiles = [look.corners for look in looks], [name(reader, look) for look in looks]
    return profiles.shown(reader.classifier, pixels, quads, tiles, "shown")


def name(reader: Reader, look: Look) -> str:
    return reader.classes[int(look.probabilities.argmax())]


def doubted(look: Look, said: int) -> Look:
    """This look, taken for another tile and in doubt."""
    probabilities = np.full(len(look.probabilities), 0.6 / (len(look.probabilities) - 1))
    probabilities[said] = 0.4
    return replace(look, probabilities=probabilities)


def told_by(
    reader: Reader,
    pixels: NDArray[np.uint8],
    looks: list[Look],
    profile: Profile,
    passed: list[tuple[Floats, bool]] | None = None,
) -> list[Look]:
    likeness = profiles.likenesses(profile, reader.classes)
    return recognised((reader.refiner, reader.classifier), pixels, looks, passed or [], reader.classes, likeness)


def test_every_doubted_tile_becomes_the_one_that_it_is_like_and_hardly_any_stays_a_guess(
    reader, pixels, looks, green
) -> None:
    guessed = 0
    for k, look in enumerate(looks):
        wrong = [*looks]
        wrong[k] = doubted(look, reader.classes.index("E"))
        told = told_by(reader, pixels, wrong, green)
        assert [name(reader, t) for t in told] == [name(reader, t) for t in looks]
        assert told[k].probabilities.max() >= GUESSED - 1e-9
        guessed += told[k].probabilities.max() < KNOWN - 1e-9
    assert guessed <= 2


def test_a_sure_tile_stays_what_the_networks_say_whatever_was_shown(reader, pixels, looks) -> None:
    called = [replace(e, tile="N") if e.tile == "C" else e for e in shown(reader, pixels, looks)]
    house = profiles.learned("house", called, reader.classifier)  # a house where the red dragon is called north
    assert told_by(reader, pixels, looks, house) == looks
    reading = reader.read(SAMPLES / "middle-five.jpg", profile=house)
    assert (reading.profile, [t.tile for t in reading.tiles].count("C")) == ("house", 3)


@pytest.mark.parametrize("gone", [0, 6, 13])
def test_a_tile_that_was_passed_over_is_found_beside_its_neighbours(reader, pixels, looks, green, gone) -> None:
    rest = [look for k, look in enumerate(looks) if k != gone]
    *same, new = told_by(reader, pixels, rest, green)
    assert all(a is b for a, b in zip(same, rest, strict=True))
    assert name(reader, new) == name(reader, looks[gone])
    assert covered(new.corners, looks[gone].corners) > 0.8


def test_of_a_tile_half_hidden_the_seen_part_is_enough_for_a_guess_that_stays_in_doubt(reader, pixels, looks, green):
    right = 0
    for k in range(len(looks)):
        a, b, c, d = looks[k].corners
        hidden = np.array([a + 0.6 * (d - a), b + 0.6 * (c - b), c, d])
        covered_up = pixels.copy()
        cv2.fillConvexPoly(covered_up, hidden.astype(np.int32), (228, 236, 238), cv2.LINE_AA)
        seen = np.array([a, b, b + 0.6 * (c - b), a + 0.6 * (d - a)])
        wrong = [*looks]
        wrong[k] = doubted(replace(looks[k], corners=seen), reader.classes.index("E"))
        told = told_by(reader, covered_up, wrong, green)[k]
        right += name(reader, told) == name(reader, looks[k])
        assert told.probabilities.max() < KNOWN
    assert right >= 4  # without the set none of them would be


def test_a_tile_that_stands_half_behind_another_is_found(reader, pixels, looks, green) -> None:
    one = looks[0].corners
    behind = around(one)[4]
    canvas = np.full_like(pixels, 120)
    for look, to in ((looks[6], behind), (looks[0], one)):
        matrix = cv2.getPerspectiveTransform(look.corners.astype(np.float32), to.astype(np.float32))
        moved = cv2.warpPerspective(pixels, matrix, pixels.shape[1::-1])
        mask = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, to.astype(np.int32), 255)
        canvas[mask > 0] = moved[mask > 0]
    told = told_by(reader, canvas, [looks[0]], green)
    found = [t for t in told[1:] if name(reader, t) == name(reader, looks[6])]
    assert (len(told), len(found)) == (2, 1)


def test_nothing_is_made_of_the_bare_table(reader, pixels, looks, green) -> None:
    height = looks[0].corners[3] - looks[0].corners[0]
    table = [(look.corners - 1.5 * height, True) for look in looks]
    assert told_by(reader, pixels, looks, green, table) == looks


def test_a_neighbour_touches_on_the_left_or_on_the_right_or_stands_half_behind() -> None:
    quad = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 28.0], [0.0, 28.0]])
    right, left, *behind = around(quad)
    assert (right.tolist()[0], left.tolist()[0]) == ([20.0, 0.0], [-20.0, 0.0])
    assert len(behind) == 10
    assert all(0.05 < covered(outline, quad) < 0.45 for outline in behind)


def test_of_a_photograph_with_too_few_tiles_to_tell_who_names_the_set_is_believed(reader, pixels, looks, green) -> None:
    left, top = np.min([look.corners for look in looks[:2]], axis=(0, 1)).astype(int) - 20
    right, bottom = np.max([look.corners for look in looks[:2]], axis=(0, 1)).astype(int) + 20
    two = np.ascontiguousarray(pixels[top:bottom, left:right])
    photo = Photo(two, two.shape[1], two.shape[0])
    named = reader.read_photo(photo, 0.0, lambda stage: None, profile=green)
    unnamed = reader.read_photo(photo, 0.0, lambda stage: None, known=[green])
    assert (named.profile, unnamed.profile) == ("green", "")
    assert not [p for p in named.problems if p.code == "problem.set"]


@pytest.mark.parametrize("sample", ["melds", "closed-kong"])
def test_with_the_profile_of_another_set_a_photograph_is_read_without_and_says_so(reader, green, sample) -> None:
    plain = reader.read(SAMPLES / f"{sample}.jpg")
    with_it = reader.read(SAMPLES / f"{sample}.jpg", profile=green)
    assert (with_it.tiles, with_it.hand, with_it.profile) == (plain.tiles, plain.hand, "")
    assert [p.code for p in with_it.problems] == ["problem.set", *(p.code for p in plain.problems)]
    assert "“green”" in str(with_it.problems[0])


def test_tables_in_drawn_faces_lose_and_gain_nothing_by_the_profile_of_another_set(reader, green, tmp_path) -> None:
    read, doubts = 0, 0
    for k, faces in enumerate(drawn(2, 4242, cache=tmp_path)):
        for seed in range(4):
            scene = render(31_000 + 10 * k + seed, [faces], (480, 480), pixels_per_tile=(24.0, 60.0))
            photo = Photo(np.asarray(scene.pixels, np.uint8), scene.width, scene.height)
            plain = reader.read_photo(photo, 0.0, lambda stage: None)
            assert reader.read_photo(photo, 0.0, lambda stage: None, profile=green).tiles == plain.tiles
            read, doubts = read + len(plain.tiles), doubts + sum(t.doubt is not None for t in plain.tiles)
    assert read > 40
    assert doubts > 10  # there was something to spoil
