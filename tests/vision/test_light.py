"""Poor light is made good by what is known of tiles: they are white, and their print is dark."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.hupai_photos import load
from models.evaluate import measure
from vision.classifier import classify
from vision.geometry import Floats
from vision.light import INK, WHITE, brightened, daylight, lit, out_of_shadow
from vision.network import Network
from vision.photo import Photo
from vision.reading import Reader

SAMPLES = Path(__file__).parents[2] / "ui" / "assets" / "samples"
LAMP = np.array([0.55, 0.85, 1.15])
QUADS: list[Floats] = [np.array([[x, 10], [x + 30, 10], [x + 30, 50], [x, 50]], float) for x in (10, 50, 90, 130)]


def table(body: tuple[int, int, int], ink: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Four tiles of one body (BGR) with some print, on grey cloth."""
    pixels = np.full((60, 170, 3), 90, np.uint8)
    for quad in QUADS:
        (left, top), (right, bottom) = quad[0].astype(int), quad[2].astype(int)
        pixels[top:bottom, left:right] = body
        pixels[top + 15 : top + 25, left + 8 : left + 22] = ink
    return pixels


def test_good_light_is_left_as_it_is() -> None:
    assert daylight(table((215, 225, 230), (40, 40, 40)), QUADS) is None


@pytest.mark.parametrize(
    ("what", "body", "ink"),
    [
        ("dusk", (60, 60, 60), (12, 12, 12)),
        ("lamplight", (110, 170, 225), (20, 30, 40)),
        ("haze", (190, 190, 190), (130, 130, 130)),
    ],
)
def test_poor_light_is_stretched_until_tiles_are_white_and_print_is_dark(what, body, ink) -> None:
    pixels = table(body, ink)
    good = lit(pixels, daylight(pixels, QUADS))
    assert np.allclose(good[12, 15], WHITE, atol=3), what
    assert np.allclose(good[30, 25].mean(), INK, atol=12), what


def test_backs_are_not_taken_for_white_tiles_in_odd_light() -> None:
    assert daylight(table((60, 150, 40), (50, 130, 35)), QUADS) is None


def test_of_two_tiles_nothing_is_concluded() -> None:
    assert daylight(table((60, 60, 60), (12, 12, 12)), QUADS[:2]) is None


def test_a_tile_in_a_shadow_is_seen_as_if_it_lay_in_the_sun() -> None:
    pixels = table((80, 85, 90), (15, 15, 15))
    sunny = brightened(pixels, out_of_shadow(pixels, QUADS)[0])
    assert np.allclose(sunny[12, 15].mean(), WHITE, atol=3)


@pytest.mark.parametrize(
    ("what", "body"), [("white", (215, 225, 230)), ("green back", (60, 140, 50)), ("black", (30, 30, 30))]
)
def test_no_shadow_is_seen_on_a_tile_that_is(what, body) -> None:
    assert out_of_shadow(table(body, body), QUADS)[0] == 1, what


@pytest.mark.parametrize("name", ["melds", "closed-kong"])
def test_a_photograph_at_night_is_read_as_by_day(name) -> None:
    day = cv2.imread(str(SAMPLES / f"{name}.jpg"))
    assert day is not None
    reader, pixels = Reader(), np.asarray(day * 0.07, np.uint8)
    photo = Photo(pixels, pixels.shape[1], pixels.shape[0])
    seen = reader.read_photo(photo, time.perf_counter(), lambda stage: None)
    by_day = reader.read(SAMPLES / f"{name}.jpg")
    assert Counter(t.tile for t in seen.tiles) == Counter(t.tile for t in by_day.tiles)
    assert photo.pixels is pixels, "the photograph itself stays as it was taken"


def in_the_shadow_of_a_hand(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A third of the light on the left two fifths of the picture, with a soft edge."""
    light = np.ones(pixels.shape[:2], np.float32)
    light[:, : 2 * pixels.shape[1] // 5] = 0.35
    return np.asarray(pixels * cv2.GaussianBlur(light, (0, 0), 8)[..., None], np.uint8)


class Recorder:
    """Stands for a classifier of two classes that goes by brightness alone, and keeps what it was shown."""

    metadata: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        self.shown: list[float] = []

    def run(self, pictures: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        bright = [float(picture.mean()) for picture in pictures]
        self.shown += bright
        classes = np.array([[9, 0] if b > 130 else [0, 9] for b in bright], np.float32)
        return [classes, np.tile(np.array([9, 0, 0, 0], np.float32), (len(bright), 1))]


def test_a_tile_in_a_shadow_is_looked_at_twice_and_doubtful_where_the_looks_disagree() -> None:
    pixels = table((215, 225, 230), (200, 200, 200))
    pixels[:, :90] = pixels[:, :90] // 3  # the first two tiles of four
    recorder = Recorder()
    looks = classify(cast(Network, recorder), pixels, QUADS)
    assert len(recorder.shown) == 4 + 2
    assert min(recorder.shown[4:]) > 2 * max(recorder.shown[:2]), "the second look is in the sun"
    assert [round(float(look.probabilities.max()), 2) for look in looks] == [0.5, 0.5, 1.0, 1.0]


@pytest.mark.slow
def test_real_photographs_of_an_unseen_set_are_read_with_a_shadow_across(shared) -> None:
    photos = [p for p in load(shared / "data") if p.split == "unseen"][::2]
    shaded = (in_the_shadow_of_a_hand(np.asarray(cv2.imread(str(p.path)), np.uint8)) for p in photos)
    figures = measure(Reader(), [replace(p, pixels=pixels) for p, pixels in zip(photos, shaded, strict=True)]).figures()
    assert figures["photographs_exact"] >= 0.85, figures  # 0.82 without a second look


def test_real_photographs_of_an_unseen_set_are_read_by_lamplight(shared) -> None:
    photos = [p for p in load(shared / "data") if p.split == "unseen"][::2]
    by_lamp = (np.clip(cv2.imread(str(p.path)) * LAMP, 0, 255).astype(np.uint8) for p in photos)
    figures = measure(
        Reader(), [replace(p, pixels=pixels) for p, pixels in zip(photos, by_lamp, strict=True)]
    ).figures()
    assert figures["photographs_exact"] >= 0.85, figures  # 0.7 and less without
