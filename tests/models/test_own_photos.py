"""A trainer's own photographs: divided honestly, shrunk without moving a label, and whatever is wrong is named."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import formats
from datasets.formats import webdataset
from datasets.formats.result import DatasetError
from datasets.labels import LabelledPhoto, Mark, box_corners
from models import own_photos
from models.own_photos import digest, gather


def picture(seed: int, width: int = 640, height: int = 480) -> np.ndarray:
    noise = np.random.default_rng(seed).uniform(0, 255, (6, 8, 3)).astype(np.uint8)
    return cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)


def tile(left: float = 100, size: float = 60, code: str = "3p") -> Mark:
    return Mark(code, box_corners(left, 50, left + size, 50 + size * 1.4), exact=False, upright=False)


def written(folder: Path, *photos: LabelledPhoto, kind: str = "yolo") -> Path:
    formats.write(photos, folder, kind, copy=True)
    return folder


def photo(k: int, *marks: Mark, group: str = "", split: str = "train", seed: int | None = None) -> LabelledPhoto:
    pixels = picture(k if seed is None else seed)
    return LabelledPhoto(f"{k}.png", 640, 480, marks or (tile(),), pixels=pixels, group=group, split=split)


def names(photos: tuple[LabelledPhoto, ...]) -> set[str]:
    return {p.name for p in photos}


def test_tables_are_never_on_both_sides_and_the_same_folder_is_always_divided_the_same_way(tmp_path: Path) -> None:
    folder = written(tmp_path, *(photo(k, group=f"table {k // 3}") for k in range(15)))
    own = gather([folder])
    assert len(own.lessons) == 12
    assert len(own.held_out) == 3
    assert {p.group for p in own.held_out}.isdisjoint({p.group for p in own.lessons})
    assert names(gather([folder]).held_out) == names(own.held_out)
    assert own.divided == "whole groups and look-alikes held out"


def test_copies_of_one_picture_are_never_on_both_sides(tmp_path: Path) -> None:
    folder = written(tmp_path, *(photo(k, seed=k // 3) for k in range(15)))
    own = gather([folder])
    assert own.held_out
    assert {int(p.name[:-4]) // 3 for p in own.held_out}.isdisjoint({int(p.name[:-4]) // 3 for p in own.lessons})


def test_a_division_that_the_data_set_brings_is_kept_and_its_test_side_left_alone(tmp_path: Path) -> None:
    folder = written(tmp_path, *(photo(k, split="val" if k == 1 else "test" if k == 2 else "train") for k in range(5)))
    own = gather([folder])
    assert names(own.held_out) == {"1.png"}
    assert names(own.test) == {"2.png"}
    assert names(own.lessons) == {"0.png", "3.png", "4.png"}


def test_one_table_is_divided_by_look_and_two_pictures_are_not_divided_at_all(tmp_path: Path) -> None:
    table = written(tmp_path / "table", *(photo(k, group="mine") for k in range(10)))
    assert gather([table]).divided == "whole look-alikes held out"
    few = gather([written(tmp_path / "few", photo(0), photo(1))])
    assert len(few.lessons) == 2
    assert "nothing held out" in few.divided


def test_large_photographs_are_shrunk_with_their_labels(tmp_path: Path) -> None:
    big = LabelledPhoto("big.png", 2400, 1800, (tile(900, 300),), pixels=picture(1, 2400, 1800))
    small = LabelledPhoto("small.png", 2400, 1800, (tile(900, 40),), pixels=picture(2, 2400, 1800))
    folder = written(tmp_path, big, small)
    by_name = {p.name: p for p in gather([folder]).lessons}
    shrunk = by_name["big.png"]
    assert shrunk.pixels is not None
    assert shrunk.pixels.shape == (shrunk.height, shrunk.width, 3)
    assert shrunk.width == pytest.approx(2400 * 72 / 300, abs=64)
    assert np.array(shrunk.marks[0].box) / shrunk.width == pytest.approx(np.array(big.marks[0].box) / 2400, abs=1e-3)
    assert by_name["small.png"].width == 2400, "tiles of 40 pixels are not made smaller"


def test_whatever_cannot_be_used_is_named_and_the_rest_is_learned_from(tmp_path: Path) -> None:
    """A poisoned folder: a corrupt picture, a mirrored copy, an unknown class, a label without area, none at all."""
    folder = written(tmp_path, *(photo(k) for k in range(8)))
    (folder / "images" / "1.png").write_bytes(b"no picture")
    cv2.imwrite(str(folder / "images" / "2.png"), np.ascontiguousarray(picture(0)[:, ::-1]))
    (folder / "labels" / "3.txt").write_text("99 0.5 0.5 0.1 0.2\n")
    (folder / "labels" / "4.txt").write_text("11 0.5 0.5 0.1 0.0\n11 0.5 0.5 0.1 0.2\n")
    (folder / "labels" / "5.txt").write_text("")
    own = gather([folder])
    assert {(f.kind, f.where) for f in own.findings if f.severity == "wrong"} >= {
        ("unreadable picture", "1.png"),
        ("mirrored picture", "2.png"),
        ("unknown class", "3.png"),
        ("box without area", "4.png"),
        ("no tiles", "5.png"),
    }
    assert names(own.lessons) | names(own.held_out) == {"0.png", "4.png", "6.png", "7.png"}
    assert all(len(p.marks) == 1 for p in (*own.lessons, *own.held_out))


def test_a_folder_with_nothing_to_learn_from_is_refused_in_one_sentence(tmp_path: Path) -> None:
    folder = written(tmp_path, photo(0))
    (folder / "images" / "0.png").write_bytes(b"no picture")
    with pytest.raises(DatasetError, match="can be learned from") as caught:
        gather([folder])
    assert "\n" not in str(caught.value)


def test_pictures_of_single_tiles_are_told_from_photographs(tmp_path: Path) -> None:
    folder = written(tmp_path, *(photo(k, tile(), tile(300), group=f"{k}") for k in range(6)), kind="folders")
    own = gather([folder])
    assert own.singles
    assert not own.held_out
    assert all(p.single for p in own.lessons)


def test_several_folders_are_one_collection(tmp_path: Path) -> None:
    folders = [
        written(tmp_path / "a", *(photo(k, seed=k) for k in range(4))),
        written(tmp_path / "b", *(photo(k, seed=10 + k) for k in range(4)), kind="coco"),
    ]
    own = gather(folders, licence="CC0")
    assert len(own.lessons) + len(own.held_out) == 8
    assert {p.name.split("/")[0] for p in own.lessons} == {"a", "b"}
    assert own.sources == "own photographs (a, b; licence: CC0)"


def test_processes_read_shards_of_their_own_and_the_first_alone_what_is_held_out(tmp_path: Path) -> None:
    photos = [photo(k, split="val" if k > 5 else "train") for k in range(8)]
    webdataset.pack(photos, tmp_path, per_shard=2)
    parts = [gather([tmp_path], share=(rank, 2)) for rank in range(2)]
    assert [len(p.lessons) for p in parts] == [4, 2]
    assert [len(p.held_out) for p in parts] == [2, 0]
    assert names(parts[0].lessons).isdisjoint(names(parts[1].lessons))
    assert parts[0].data == parts[1].data
    assert parts[0].shared
    assert not gather([tmp_path], share=(0, 4)).shared, "three shards are too few for four"


def test_the_hash_of_data_changes_with_a_label_and_not_with_the_order() -> None:
    one, other = photo(0), photo(1)
    assert digest([one, other]) == digest([other, one])
    assert digest([one]) != digest([photo(0, tile(code="4p"))])
    assert len(own_photos.digest([])) == 16
