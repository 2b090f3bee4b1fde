"""What is written in a format is read back from it, and no damage ends a reading: it is named, and the rest is read."""

from __future__ import annotations

import base64
import json
import math
import re
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets import formats
from datasets.formats import coco, labelme, outlines, pictures, text, voc, webdataset, yolo
from datasets.formats.result import Dataset, DatasetError, boxed
from datasets.labels import LabelledPhoto, Mark, box_corners
from datasets.names import CODES

WIDTH, HEIGHT = 320, 240
LABELS = [f.name for f in formats.FORMATS.values() if f.write and f.keeps != "tile"]
CORNERS = [name for name in LABELS if formats.FORMATS[name].keeps == "corners"]
FILES = [name for name in LABELS if name != "webdataset"]
"""Formats that keep labels and pictures as files of their own."""
BOXES = [name for name in LABELS if formats.FORMATS[name].keeps == "box"]
# One folder serves all examples of a test; each example writes into a folder of its own below it.
files = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def picture(seed: int) -> np.ndarray:
    """Soft random shapes (h, w, 3): two seeds look nothing alike, and JPEG keeps them well."""
    noise = np.random.default_rng(seed).uniform(0, 255, (6, 8, 3)).astype(np.uint8)
    return cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)


@pytest.fixture(scope="module")
def photos_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for k in range(2):
        cv2.imwrite(str(folder / f"{k}.png"), picture(k))
    return folder


@st.composite
def marks(draw: st.DrawFn) -> Mark:
    """A tile at any tilt within the picture, or an upright box around one."""
    long = draw(st.floats(8, 90))
    short = draw(st.floats(6, 60))
    angle = math.radians(draw(st.floats(0, 360)))
    x, y = draw(st.floats(60, WIDTH - 60)), draw(st.floats(60, HEIGHT - 60))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    corners = box_corners(-short / 2, -long / 2, short / 2, long / 2) @ turn.T + [x, y]
    exact = draw(st.booleans())
    mark = Mark(
        draw(st.sampled_from(CODES)), corners, True, draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    )
    return mark if exact else replace(mark, corners=box_corners(*mark.box), exact=False, upright=False)


words = st.text("abcdefgh_0123", min_size=1, max_size=8)


@st.composite
def annotated(draw: st.DrawFn) -> list[LabelledPhoto]:
    return [
        LabelledPhoto(
            name=f"{draw(st.sampled_from(['', 'valid/', 'a b/']))}{k}.png",
            width=WIDTH,
            height=HEIGHT,
            marks=tuple(draw(st.lists(marks(), max_size=6))),
            path=Path(f"{k}.png"),
            group=draw(words),
            cluster=draw(words),
            split=draw(st.sampled_from(["train", "val", "unseen"])),
            partial=draw(st.booleans()),
            reviewed=draw(st.booleans()),
            notes=tuple(draw(st.lists(words, max_size=2))),
        )
        for k in range(2)
    ]


def written_and_read(photos: list[LabelledPhoto], pictures_in: Path, name: str, copy: bool) -> Dataset:
    photos = [replace(p, path=pictures_in / str(p.path)) for p in photos]
    with tempfile.TemporaryDirectory(dir=pictures_in.parent) as folder:
        assert formats.write(photos, Path(folder), name, copy) == []
        assert formats.detect(Path(folder)) == name.split("-")[0]
        read = formats.read(Path(folder), name)
        assert all(p.path.is_file() if p.path else p.pixels is not None for p in read.photos)
        return read


@pytest.mark.parametrize("name", CORNERS)
@files
@given(photos=annotated(), copy=st.booleans())
def test_corners_survive_in_their_order_within_half_a_pixel(
    photos: list[LabelledPhoto], copy: bool, name: str, photos_folder: Path
) -> None:
    read = written_and_read(photos, photos_folder, name, copy)
    for was, now in paired(photos, read):
        assert [m.tile for m in now.marks] == [m.tile for m in was.marks]
        assert [(m.ignored, m.by_reader) for m in now.marks] == [(m.ignored, m.by_reader) for m in was.marks]
        for a, b in zip(was.marks, now.marks, strict=True):
            assert np.abs(a.corners - b.corners).max() <= 0.5
        if len({(m.exact, m.upright) for m in was.marks}) == 1 or not name.startswith("yolo"):
            assert [(m.exact, m.upright) for m in now.marks] == [(m.exact, m.upright) for m in was.marks]


@pytest.mark.parametrize("name", BOXES)
@files
@given(photos=annotated(), copy=st.booleans())
def test_upright_boxes_survive_within_half_a_pixel(
    photos: list[LabelledPhoto], copy: bool, name: str, photos_folder: Path
) -> None:
    read = written_and_read(photos, photos_folder, name, copy)
    for was, now in paired(photos, read):
        assert [(m.tile, m.ignored, m.by_reader) for m in now.marks] == [
            (m.tile, m.ignored, m.by_reader) for m in was.marks
        ]
        assert not any(m.exact or m.upright for m in now.marks), "a box does not pretend to know a tilt"
        for a, b in zip(was.marks, now.marks, strict=True):
            assert np.abs(np.subtract(a.box, b.box)).max() <= 0.5 + 1e-9


def paired(photos: list[LabelledPhoto], read: Dataset) -> Iterator[tuple[LabelledPhoto, LabelledPhoto]]:
    """Photographs as they were and as they are now, after what every format keeps has been compared."""
    assert read.findings == ()
    assert read.unknown == {}
    by_name = {p.name: p for p in read.photos}
    assert sorted(by_name) == sorted(p.name for p in photos)
    for was in photos:
        now = by_name[was.name]
        kept = ("width", "height", "group", "cluster", "split", "partial", "reviewed", "notes")
        assert [getattr(now, f) for f in kept] == [getattr(was, f) for f in kept]
        yield was, now


@given(marks(), st.lists(st.floats(0.05, 0.95), min_size=4, max_size=12))
def test_an_outline_with_points_along_its_edges_is_the_same_tile_within_half_a_pixel(
    mark: Mark, along: list[float]
) -> None:
    edges = [(mark.corners[k % 4], mark.corners[(k + 1) % 4]) for k in range(len(along))]
    ordered = [
        point
        for k in range(4)
        for point in (
            mark.corners[k],
            *(a + (b - a) * t for j, (t, (a, b)) in enumerate(zip(along, edges, strict=True)) if j % 4 == k),
        )
    ]
    read = outlines.from_points("1p", np.array(ordered)).corners
    assert max(np.linalg.norm(read - corner, axis=1).min() for corner in mark.corners) <= 0.5


@given(marks())
def test_a_line_an_annotation_a_shape_and_an_object_say_what_the_mark_says(mark: Mark) -> None:
    line = yolo.parse_line(yolo.corner_line(mark, WIDTH, HEIGHT), WIDTH, HEIGHT, CODES)
    annotation = coco.parse_annotation(coco.annotation_of(mark, 1, 1), dict(enumerate(CODES, 1)))
    shape = labelme.parse_shape(labelme.shape_of(mark))
    for read in (line, annotation, shape):
        assert read.tile == mark.tile
        assert np.abs(read.corners - mark.corners).max() < 0.01
    photo = boxed(LabelledPhoto("a.png", WIDTH, HEIGHT, (mark,)))
    (thing,) = voc.annotation(photo, "a.png").iter("object")
    assert np.abs(np.subtract(voc.parse_object(thing).box, mark.box)).max() <= 0.5 + 1e-9


def test_class_folders_keep_the_tiles_and_straighten_them(tmp_path: Path) -> None:
    tilted = np.array([[100, 60], [130, 90], [90, 130], [60, 100]], float)  # 30√2 × 40√2 = 42 × 57 pixels
    hidden = Mark("9s", box_corners(0, 0, 50, 50), ignored=True)
    photo = LabelledPhoto(
        "a/b.png",
        WIDTH,
        HEIGHT,
        (Mark("1p", tilted), hidden, Mark("back", box_corners(0, 0, 10, 20))),
        pixels=picture(3),
    )
    assert formats.write([photo], tmp_path, "folders", copy=True) == []
    read = formats.read(tmp_path)
    assert Counter(m.tile for p in read.photos for m in p.marks) == {"1p": 1, "back": 1}
    assert {p.marks[0].tile: (p.width, p.height) for p in read.photos} == {"1p": (42, 57), "back": (32, 64)}
    one = next(p for p in read.photos if p.marks[0].tile == "1p")
    middle = pictures.pixels(one)[28, 21].astype(int)
    assert np.abs(middle - picture(3)[95, 95]).max() < 12, "the middle of the crop is the middle of the tile"


def test_pictures_stay_where_they_are_unless_copied(tmp_path: Path, photos_folder: Path) -> None:
    photo = LabelledPhoto("0.png", WIDTH, HEIGHT, (), path=photos_folder / "0.png")
    for name in FILES:
        formats.write([photo], tmp_path / name, name)
        assert pictures.below(tmp_path / name) == []
        formats.write([photo], tmp_path / f"{name}-copied", name, copy=True)
        assert [p.name for p in pictures.below(tmp_path / f"{name}-copied")] == ["0.png"]
    with pytest.raises(DatasetError, match="--copy"):
        formats.write([photo], tmp_path / "folders", "folders")


def test_names_of_strangers_never_leave_the_folder_and_never_collide(tmp_path: Path) -> None:
    names = ["../../evil.png", "/etc/evil.png", "C:\\evil.png", "a/../evil.png", "evil.jpg", "evil"]
    photos = [LabelledPhoto(name, WIDTH, HEIGHT, (), pixels=picture(k)) for k, name in enumerate(names)]
    out = tmp_path / "below" / "out"
    formats.write(photos, out, "yolo")
    assert [p for p in tmp_path.rglob("*evil*") if out not in p.parents] == []
    assert len(list((out / "labels").rglob("*.txt"))) == len(names) == len(formats.read(out).photos)


@pytest.mark.parametrize(
    "yaml",
    [
        "nc: 2\nnames: ['1B', \"EW\"]\nroboflow:\n  license: MIT\n",
        "names:\n- 1B\n- EW\nnc: 2\n",
        "names:\n  0: 1B  # one bamboo\n  1: EW\ntrain: x\n",
        "path: .\nnames: {0: 1B, 1: 'EW'}",
        "names: [\n  1B,\n  EW,\n]\n",
    ],
)
def test_class_names_are_read_however_the_yaml_writes_them(yaml: str) -> None:
    assert yolo.class_names(yaml) == ["1B", "EW"]


def test_outlines_of_any_count_become_four_corners() -> None:
    triangle = outlines.from_points("1p", np.array([[0, 0], [10, 0], [0, 10]]))
    assert triangle.corners.shape == (4, 2)
    assert not triangle.upright
    six = outlines.from_points("1p", np.array([[0, 0], [5, 0], [10, 0], [10, 20], [5, 20], [0, 20]]))
    assert six.box == pytest.approx((0, 0, 10, 20), abs=0.01)


def test_a_roboflow_export_is_read_with_its_splits_and_names(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text("train: ../train/images\nnames: ['1B', '1S', 'EW']\nnc: 3\n")
    for k, folder in enumerate(("train", "valid")):
        for part in ("images", "labels"):
            (tmp_path / folder / part).mkdir(parents=True)
        cv2.imwrite(str(tmp_path / folder / "images" / "a.rf.0123456789abcdef0123456789abcdef.jpg"), picture(k))
        label = tmp_path / folder / "labels" / "a.rf.0123456789abcdef0123456789abcdef.txt"
        label.write_text("1 0.5 0.5 0.25 0.5\n0 0 0 0.5 0 0.5 1 0 1\n")
    read = formats.read(tmp_path)
    assert [(p.name.split("/")[0], p.split) for p in read.photos] == [("train", "train"), ("valid", "val")]
    assert [(m.tile, m.box) for m in read.photos[0].marks] == [("5f", (120, 60, 200, 180)), ("1s", (0, 0, 160, 240))]


def test_a_cvat_style_coco_folder_is_read_with_its_splits(tmp_path: Path) -> None:
    for k, split in enumerate(("train2017", "val2017")):
        (tmp_path / split).mkdir()
        cv2.imwrite(str(tmp_path / split / f"{k}.png"), picture(k))
        content = {
            "images": [{"id": 7, "file_name": f"{k}.png", "width": WIDTH, "height": HEIGHT}],
            "categories": [{"id": 0, "name": "Mahjong tiles"}, {"id": 3, "name": "dots-3"}],
            "annotations": [
                {"id": 1, "image_id": 7, "category_id": 3, "bbox": [10, 20, 30, 40], "segmentation": []},
                {"id": 2, "image_id": 7, "category_id": 3, "segmentation": [[10, 20, 40, 20, 40, 60, 10, 60]]},
                {"id": 3, "image_id": 7, "category_id": 3, "segmentation": [[10, 20, 40, 25, 38, 60, 8, 55]]},
            ],
        }
        (tmp_path / "annotations").mkdir(exist_ok=True)
        (tmp_path / "annotations" / f"instances_{split}.json").write_text(json.dumps(content))
    read = formats.read(tmp_path)
    assert read.findings == ()
    assert [p.split for p in read.photos] == ["train", "val"]
    assert [m.box for m in read.photos[0].marks][:2] == [(10, 20, 40, 60)] * 2
    assert [m.exact for m in read.photos[0].marks] == [False, False, True], "four points of an upright box tell no tilt"


def good(name: str, folder: Path) -> Path:
    """A data set of two photographs with a tile each, and the label file of the first."""
    mark = Mark("3p", box_corners(10, 20, 40, 60))
    photos = [LabelledPhoto(f"{k}.png", WIDTH, HEIGHT, (mark,), pixels=picture(k)) for k in range(2)]
    formats.write(photos, folder, name, copy=True)
    return next(
        folder / label
        for label in ("labels/0.txt", coco.FILE, "Annotations/0.xml", "0.json")
        if (folder / label).is_file()
    )


DAMAGE = [
    ("yolo", lambda t: t + "9 0.5 0.5\n", "labels/0.txt:2", "3 numbers"),
    ("yolo", lambda t: t + "9 0.5 0.5 nan 0.1\n", "labels/0.txt:2", "finite"),
    ("yolo", lambda t: t + "dot 0.5 0.5 0.1 0.1\n", "labels/0.txt:2", "no whole number|row of numbers"),
    ("yolo", lambda t: t + "1.5 0.5 0.5 0.1 0.1\n", "labels/0.txt:2", "whole number"),
    ("yolo-obb", lambda t: t + "9 0 0 1 0 1 1 0\n", "labels/0.txt:2", "8 numbers"),
    ("coco", lambda t: t[: len(t) // 2], "annotations.json:", "line"),
    ("coco", lambda t: t.replace('"id": 1,\n', '"id" 1,\n', 1), "annotations.json:7", "line 7"),
    ("coco", lambda t: t.replace('"category_id"', '"cat"', 1), "annotations.json", "annotation 1 .*category_id"),
    ("voc", lambda t: t.replace("</size>", "", 1), "Annotations/0.xml:", "line"),
    ("voc", lambda t: t.replace("<xmin>10", "<xmin>ten"), "Annotations/0.xml", "xmin is “ten”"),
    ("voc", lambda t: t.replace("<width>320", "<width>-3"), "Annotations/0.xml", "-3"),
    ("labelme", lambda t: t[:-20], "0.json:", "cut off"),
    ("labelme", lambda t: "", "0.json", "empty"),
    ("labelme", lambda t: t.replace('"polygon"', '"point"'), "0.json", "a point is no outline"),
    ("labelme", lambda t: "[1, 2]", "0.json:1", "no object"),
]


@pytest.mark.parametrize(("name", "damage", "where", "said"), DAMAGE)
def test_damage_is_named_with_its_place_and_the_rest_is_read(
    tmp_path: Path, name: str, damage: Any, where: str, said: str
) -> None:
    label = good(name, tmp_path)
    label.write_text(damage(label.read_text()))
    read = formats.read(tmp_path, name)
    (finding,) = read.findings
    assert finding.where.startswith(where)
    assert finding.severity == "wrong"
    assert re.search(said, finding.sentence)
    whole_file = name == "coco" and "annotation" not in finding.sentence
    assert len(read.photos) == (0 if whole_file else 1 if finding.kind == "damaged label file" else 2)
    assert "\n" not in str(finding)


@pytest.mark.parametrize("name", FILES)
def test_a_label_that_is_no_text_and_a_picture_that_is_none_are_named(tmp_path: Path, name: str) -> None:
    label = good(name, tmp_path)
    label.write_bytes(b"\n\xff\xfe\x00broken")
    (finding,) = formats.read(tmp_path, name).findings
    assert finding.where.endswith(":2")
    assert "UTF-8" in finding.sentence


@pytest.mark.parametrize("name", [n for n in FILES if n != "coco"])
def test_a_missing_picture_leaves_out_its_label_alone(tmp_path: Path, name: str) -> None:
    good(name, tmp_path)
    next(tmp_path.rglob("0.png")).unlink()
    read = formats.read(tmp_path, name)
    assert [p.name for p in read.photos] == ["1.png"]
    assert [f.kind for f in read.findings] == ["label without picture"]


def test_a_picture_inside_a_labelme_file_is_used(tmp_path: Path) -> None:
    label = good("labelme", tmp_path)
    data = base64.b64encode((tmp_path / "0.png").read_bytes()).decode()
    label.write_text(json.dumps(json.loads(label.read_text()) | {"imageData": data}))
    (tmp_path / "0.png").unlink()
    read = formats.read(tmp_path)
    assert read.findings == ()
    assert np.array_equal(pictures.pixels(read.photos[0]), picture(0))


def packed(folder: Path, count: int = 5) -> list[LabelledPhoto]:
    """Photographs packed two in a shard."""
    tile = Mark("3p", box_corners(10, 20, 40, 60))
    photos = [
        LabelledPhoto(f"{k}.png", WIDTH, HEIGHT, (tile,), pixels=picture(k), split="val" if k == 4 else "train")
        for k in range(count)
    ]
    assert webdataset.pack(photos, folder, per_shard=2) == []
    return photos


def test_shards_keep_each_split_apart_and_photographs_as_neighbours_that_webdataset_takes_for_one(
    tmp_path: Path,
) -> None:
    packed(tmp_path)
    assert [p.name for p in webdataset.shards(tmp_path)] == ["train-000000.tar", "train-000001.tar", "val-000000.tar"]
    with tarfile.open(tmp_path / "train-000001.tar") as tar:
        assert tar.getnames() == ["000002.jpg", "000002.json", "000003.jpg", "000003.json"]
    again = tmp_path / "again"
    packed(again)
    for shard in webdataset.shards(again):
        assert shard.read_bytes() == (tmp_path / shard.name).read_bytes()


def test_some_shards_can_be_read_without_the_others(tmp_path: Path) -> None:
    packed(tmp_path)
    read = webdataset.read_shards(webdataset.shards(tmp_path)[1:2], tmp_path)
    assert [p.name for p in read.photos] == ["2.jpg", "3.jpg"]


def test_a_shard_that_is_cut_off_gives_what_lies_before_the_cut(tmp_path: Path) -> None:
    packed(tmp_path)
    shard = tmp_path / "train-000000.tar"
    with tarfile.open(shard) as tar:
        second = tar.getmember("000001.jpg").offset_data
    shard.write_bytes(shard.read_bytes()[: second + 100])
    read = formats.read(tmp_path)
    assert [p.name for p in read.photos] == ["0.jpg", "2.jpg", "3.jpg", "4.jpg"]
    assert [f.kind for f in read.findings] == ["damaged shard"]


def test_shards_of_strangers_are_read_and_what_is_wrong_in_them_is_named(tmp_path: Path) -> None:
    jpeg = cv2.imencode(".jpg", picture(1))[1].tobytes()
    label = json.dumps({"shapes": [{"label": "3_pin", "points": [[1, 2], [30, 50]], "shape_type": "rectangle"}]})
    members = {
        "a/one.jpg": jpeg,
        "a/one.json": label.encode(),
        "a/two.jpg": b"no picture",
        "a/two.json": b"{}",
        "a/three.json": label.encode(),
        "a/four.jpg": jpeg,
        "a/four.json": b"{",
        "a/five.seg.png": b"",
    }
    with tarfile.open(tmp_path / "valid-0.tar", "w") as tar:
        for name, data in members.items():
            webdataset._add(tar, name, data)
    read = formats.read(tmp_path)
    assert [(p.split, p.marks[0].tile, p.marks[0].box) for p in read.photos] == [("val", "3p", (1, 2, 30, 50))]
    assert [f.kind for f in read.findings] == [
        "unreadable picture",
        "label without picture",
        "damaged label file",
        "label without picture",
    ]


def test_shrinking_a_photograph_for_a_shard_shrinks_its_marks_with_it(tmp_path: Path) -> None:
    tile = Mark("3p", box_corners(20, 40, 60, 100))
    photo = LabelledPhoto("a.png", WIDTH, HEIGHT, (tile,), pixels=picture(1))
    webdataset.pack([photo], tmp_path, long_side=WIDTH // 2)
    (read,) = formats.read(tmp_path).photos
    assert (read.width, read.height) == (WIDTH // 2, HEIGHT // 2)
    assert read.marks[0].box == pytest.approx((10, 20, 30, 50))


def test_rendered_scenes_are_read_and_a_damaged_shard_is_named(tmp_path: Path) -> None:
    shard = tmp_path / "scenes-1-000000-1.npz"
    jpeg = cv2.imencode(".jpg", picture(1))[1].ravel()
    corners = box_corners(10, 20, 50, 70)[None].astype(np.float32)
    rows = np.array([[0, CODES.index("back"), 1, 0]], np.int32)
    np.savez(
        shard, bytes=jpeg, lengths=np.array([len(jpeg)]), rows=rows, corners=corners, size=np.array((HEIGHT, WIDTH))
    )
    (scene,) = formats.read(tmp_path).photos
    assert [(m.tile, m.box) for m in scene.marks] == [("back", (10, 20, 50, 70))]
    formats.write([scene], tmp_path / "out", "yolo-obb")
    assert pictures.size(next((tmp_path / "out" / "images").glob("*.*"))) == (WIDTH, HEIGHT)
    shard.write_bytes(shard.read_bytes()[:200])
    with pytest.raises(DatasetError, match=shard.name):
        formats.read(tmp_path)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_an_empty_folder_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(DatasetError, match=str(tmp_path)) as caught:
        formats.read(tmp_path, name)
    assert "\n" not in str(caught.value)


def test_nothing_is_written_into_a_folder_in_use(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(DatasetError, match="not empty"):
        formats.write([], tmp_path, "yolo")


def test_xml_with_entities_of_its_own_is_not_expanded(tmp_path: Path) -> None:
    bomb = tmp_path / "a.xml"
    bomb.write_text('<!DOCTYPE a [<!ENTITY x "ha">]><annotation>&x;</annotation>')
    with pytest.raises(text.Damaged, match="entities"):
        text.read_xml(bomb)


FIELDS = (
    "id",
    "image_id",
    "category_id",
    "bbox",
    "segmentation",
    "name",
    "file_name",
    "width",
    "height",
    "label",
    "points",
    "shape_type",
    "flags",
    "attributes",
)
TOP = ("images", "annotations", "categories", "shapes", "imagePath", "imageData", "imageWidth")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.just("0.png") | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6),
    max_leaves=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(top=st.fixed_dictionaries({key: json_values | st.lists(json_values, max_size=3) for key in TOP}))
def test_no_json_ends_a_reading(top: dict[str, Any], photos_folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=photos_folder.parent) as folder:
        (Path(folder) / "0.png").write_bytes((photos_folder / "0.png").read_bytes())
        (Path(folder) / "0.json").write_text(json.dumps(top))
        for name in ("coco", "labelme"):
            try:
                read = formats.read(Path(folder), name)
            except DatasetError:
                continue
            assert all(p.width > 0 and np.isfinite(m.corners).all() for p in read.photos for m in p.marks)


@given(st.text("0123456789.-e \tn", max_size=30))
def test_no_line_is_read_as_something_it_is_not(line: str) -> None:
    if not line.strip():
        return
    try:
        mark = yolo.parse_line(line, WIDTH, HEIGHT, CODES)
    except ValueError:
        return
    assert mark.corners.shape == (4, 2)
    assert np.isfinite(mark.corners).all()
