"""A poisoned data set is caught: each kind of poison has its finding, and a clean one has none that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import checks, counts, formats
from datasets.formats import pictures
from datasets.formats.result import Dataset, Finding
from datasets.labels import LabelledPhoto, Mark, box_corners
from datasets.names import CODES
from tests.datasets.test_formats import HEIGHT, WIDTH, picture


def mark(tile: str = "3p", left: float = 10, top: float = 10, right: float = 50, bottom: float = 60) -> Mark:
    return Mark(tile, box_corners(left, top, right, bottom), exact=False, upright=False)


def photo(name: str, seed: int, *marks: Mark, **more: object) -> LabelledPhoto:
    return LabelledPhoto(name, WIDTH, HEIGHT, marks or (mark(),), pixels=picture(seed), **more)  # pyright: ignore


def look(pixels: np.ndarray, digest: str) -> pictures.Look:
    return pictures.seen_in(pixels, pixels.shape[1], pixels.shape[0], digest)


def found(*photos: LabelledPhoto) -> list[tuple[str, str]]:
    """(kind, where) of everything wrong in some photographs."""
    looks = {p.name: look(p.pixels, p.name) for p in photos if p.pixels is not None}
    return [(f.kind, f.where) for f in checks.check(Dataset(photos), looks) if f.severity == "wrong"]


def jpeg(pixels: np.ndarray, quality: int = 60) -> np.ndarray:
    data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def test_clean_photographs_have_nothing_wrong() -> None:
    assert found(photo("a", 1), photo("b", 2, split="val"), photo("c", 3)) == []


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (mark(right=10), "box without area"),
        (mark(left=400, right=440), "box outside"),
        (mark(top=200, bottom=250), "box outside"),
        (mark(left=-10), "box outside"),
    ],
)
def test_boxes_that_cannot_be_are_found(bad: Mark, kind: str) -> None:
    assert found(photo("a", 1, bad)) == [(kind, "a")]


def test_a_box_may_stick_out_by_the_rounding_of_its_writer() -> None:
    assert found(photo("a", 1, mark(left=-1.5))) == []


def test_two_labels_on_one_tile_are_found_and_neighbours_are_not() -> None:
    assert found(photo("a", 1, mark("3p"), mark("5p", left=11))) == [("two labels on one tile", "a")]
    assert found(photo("a", 1, mark("3p"), mark("5p", left=50, right=90))) == []


def everything(tile: str = "3p") -> Mark:
    """A box over the whole picture, but for a pixel on each side."""
    return mark(tile, 1, 1, WIDTH - 1, HEIGHT - 1)


def test_a_box_over_the_whole_picture_is_found_where_photographs_show_several_tiles() -> None:
    whole = [photo(name, k, mark("3p"), mark("5p", left=60, right=100)) for k, name in enumerate("abc")]
    poisoned = photo("d", 4, mark("3p"), everything("5p"))
    alone = photo("e", 5, everything())
    assert found(*whole, poisoned, alone) == [("box over everything", "d"), ("box over everything", "e")]


def test_pictures_of_single_tiles_may_be_boxed_whole() -> None:
    assert found(photo("a", 1, everything()), photo("b", 2, everything("5p")), photo("c", 3)) == []


def test_photographs_whose_labels_were_emptied_are_noted_one_by_one() -> None:
    emptied = [replace(photo(name, k), marks=()) for k, name in enumerate("ab", 1)]
    unlabelled = replace(photo("d", 4), marks=())
    dataset = Dataset((*emptied, photo("c", 3), unlabelled), (Finding("picture without label", "d", "…", "note"),))
    noted = [(f.kind, f.where, f.severity) for f in checks.check(dataset, {}) if f.where in "abcd"]
    assert noted == [("picture without label", "d", "note"), ("no tiles", "a", "note"), ("no tiles", "b", "note")]


def test_five_of_a_tile_and_two_of_a_flower_are_noted() -> None:
    row = [mark(tile, left=10 + 42 * k, right=50 + 42 * k) for k, tile in enumerate(["9s"] * 5 + ["1f"])]
    row += [mark("1f", top=100, bottom=150)] + [mark("back", 10 + 42 * k, 170, 50 + 42 * k, 220) for k in range(5)]
    said = [f.sentence for f in checks.impossible(photo("a", 1, *row))]
    assert [s.split(",")[0] for s in said] == ["2 × 1f", "5 × 9s"]


@pytest.mark.parametrize(
    "flip",
    [lambda p: p[:, ::-1], lambda p: p[::-1], lambda p: p.swapaxes(0, 1)],
    ids=["left and right", "top and bottom", "along the diagonal"],
)
def test_a_mirrored_copy_is_found_by_its_look_however_it_is_turned(flip: Callable[[np.ndarray], np.ndarray]) -> None:
    flipped = replace(photo("b", 1), pixels=jpeg(np.ascontiguousarray(flip(picture(1)))))
    flipped = replace(flipped, width=flipped.pixels.shape[1], height=flipped.pixels.shape[0])  # pyright: ignore
    assert found(photo("a", 1), flipped, photo("c", 2)) == [("mirrored picture", "b")]


def test_a_mirrored_copy_is_found_by_its_notes() -> None:
    assert found(photo("a", 1, notes=("loose boxes", "may be mirrored"))) == [("mirrored picture", "a")]


def test_a_symmetric_picture_is_no_mirror_image_of_its_copy() -> None:
    half = picture(1)[:, : WIDTH // 2]
    both = np.ascontiguousarray(np.hstack([half, half[:, ::-1]]))
    assert found(replace(photo("a", 1), pixels=both), replace(photo("b", 1), pixels=jpeg(both))) == []


@pytest.mark.parametrize(
    "copy",
    [
        lambda p: jpeg(p, 40),
        lambda p: cv2.resize(p, (200, 150), interpolation=cv2.INTER_AREA),
        lambda p: np.clip(p.astype(float) * 0.8 + 20, 0, 255).astype(np.uint8),
        lambda p: np.ascontiguousarray(p[3:-3, 4:-4]),
        lambda p: jpeg(cv2.rotate(p, cv2.ROTATE_180)),
        lambda p: jpeg(cv2.rotate(p, cv2.ROTATE_90_CLOCKWISE)),
    ],
    ids=["saved again", "smaller", "darker", "cropped a little", "turned round", "turned by a quarter"],
)
def test_near_duplicates_on_both_sides_are_a_leaked_split(copy: object) -> None:
    a = photo("a", 1)
    pixels = copy(picture(1))  # pyright: ignore
    b = replace(photo("b", 1), pixels=pixels, width=pixels.shape[1], height=pixels.shape[0])
    assert found(a, b, photo("c", 2, split="val")) == []
    assert found(a, replace(b, split="val"), photo("c", 2, split="val")) == [("leaked split", "a")]


def test_a_cluster_a_source_and_a_group_on_both_sides_are_leaks_whatever_the_pictures_look_like() -> None:
    assert found(photo("a", 1, cluster="7"), photo("b", 2, cluster="7", split="val")) == [("leaked split", "a")]
    assert found(photo("a", 1, group="mum's"), photo("b", 2, group="mum's", split="val")) == [
        ("leaked split", "group mum's")
    ]
    roboflow = "train/hand_jpg.rf.{}.jpg"
    copies = [roboflow.format("0" * 32), roboflow.format("1" * 32).replace("train", "valid")]
    assert found(photo(copies[0], 1), photo(copies[1], 2, split="val")) == [("leaked split", copies[0])]


def test_featureless_pictures_are_not_taken_for_copies() -> None:
    plain = [replace(photo(n, 1), pixels=np.full((HEIGHT, WIDTH, 3), v, np.uint8)) for n, v in (("a", 90), ("b", 91))]
    assert found(plain[0], replace(plain[1], split="val")) == []


def test_a_poisoned_folder_is_caught(tmp_path: Path) -> None:
    """Wrong classes, a corrupt picture, a mirrored copy, an exact copy on the other side, a box out of the picture."""
    names = ["clean", "wrong", "corrupt", "mirrored", "copied", "outside"]
    photos = [replace(photo(f"{name}.png", k)) for k, name in enumerate(names)]
    formats.write(photos, tmp_path, "yolo", copy=True)
    images, labels = tmp_path / "images", tmp_path / "labels"
    (labels / "wrong.txt").write_text("99 0.5 0.5 0.1 0.2\n3 0.5 0.5 0.1 0.2\n")
    (images / "corrupt.png").write_bytes((images / "corrupt.png").read_bytes()[:2000])
    cv2.imwrite(str(images / "mirrored.png"), picture(0)[:, ::-1])
    (images / "copied.png").write_bytes((images / "clean.png").read_bytes())
    (labels / "outside.txt").write_text("3 1.2 0.5 0.1 0.2\n")
    manifest = tmp_path / "manifest.csv"
    manifest.write_text(manifest.read_text().replace("copied.png,images/copied.png,,train", "copied.png,,,val"))
    dataset = formats.read(tmp_path)
    looks = {p.name: pictures.look(p.path) for p in dataset.photos if p.path}
    wrong = {(f.kind, f.where) for f in checks.check(dataset, looks) if f.severity == "wrong"}
    assert wrong == {
        ("unknown class", "wrong.png"),
        ("unreadable picture", "corrupt.png"),
        ("exact duplicate", "copied.png"),
        ("mirrored picture", "mirrored.png"),
        ("box outside", "outside.png"),
        ("leaked split", "clean.png"),
    }


def test_labels_drawn_before_the_exif_turn_are_found() -> None:
    turned = replace(photo("a", 1), width=HEIGHT, height=WIDTH)
    (finding,) = checks.picture(turned, look(picture(1), "a"))
    assert "EXIF" in finding.sentence


def test_classes_without_examples_are_noted() -> None:
    none, few = checks.scarce([photo("a", 1)])
    assert none.sentence.split() == [code for code in CODES if code != "3p"]
    assert few.sentence == "3p (1)"


def test_counts_add_up_and_have_a_picture() -> None:
    held = counts.count(
        [photo("a", 1, mark("3p"), mark("5s", right=22)), photo("b", 2, mark("3p"), split="val", group="g")]
    )
    assert held.classes == {"3p": 2, "5s": 1}
    assert held.tiles == {("train", ""): 2, ("val", "g"): 1}
    assert held.sizes == {32: 2, 12: 1}  # short sides of 40, 40 and 12 pixels
    drawn = counts.picture(held)
    three, five = (bar_height(drawn, CODES.index(code)) for code in ("3p", "5s"))
    assert three == pytest.approx(2 * five, abs=2)
    assert bar_height(drawn, CODES.index("9m")) <= 1


def bar_height(drawn: np.ndarray, k: int) -> int:
    """Rows of the k-th bar of the upper row of bars."""
    column = drawn[:260, round(30 + (k + 0.4) * 28)]
    return int((column == (120, 140, 40)).all(1).sum())
