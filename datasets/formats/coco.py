"""COCO: one JSON file that lists pictures, annotations and categories.

A four-point `segmentation` gives the corners; without one the `bbox` does. What COCO has no field for (whether the
corners are the tile's own, whether the tile is too hidden to be asked for) stands in `attributes`, where annotation
tools keep such things."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.formats import manifest, pictures, text
from datasets.formats.outlines import from_box, from_points, is_upright_box
from datasets.formats.result import Dataset, DatasetError, Done, Finding, assemble, none_done
from datasets.labels import LabelledPhoto, Mark
from datasets.names import CODES

FILE = "annotations.json"


def parse_annotation(annotation: Mapping[str, Any], categories: Mapping[Any, str]) -> Mark:
    """The mark of one annotation, its tile still the category's name. ValueError says what is wrong with it."""
    try:
        category = annotation["category_id"]
        name = categories.get(category, f"#{category}")
        told = annotation.get("attributes")
        told = told if isinstance(told, dict) else {}
        ignored = bool(annotation.get("ignore") or annotation.get("iscrowd") or told.get("ignored"))
        segmentation = annotation.get("segmentation")
        if isinstance(segmentation, list) and segmentation:
            rings = segmentation if isinstance(segmentation[0], list) else [segmentation]
            points = np.array([x for ring in rings for x in ring], np.float64)
            if len(points) % 2:
                raise ValueError("its segmentation has an odd count of numbers")
            mark = from_points(name, points.reshape(-1, 2), bool(told.get("upright", False)), ignored)
            # A box drawn as four points says nothing about the tile's tilt, unless its writer says that it does.
            mark = replace(mark, exact=bool(told.get("exact", not is_upright_box(mark.corners))))
        else:
            left, top, width, height = (float(x) for x in annotation["bbox"])
            mark = from_box(name, left, top, left + width, top + height, ignored)
        return replace(mark, by_reader=bool(told.get("by_reader", False)))
    except KeyError as error:
        raise ValueError(f"it has no {error}") from None
    except (TypeError, OverflowError):
        raise ValueError("its numbers are not numbers, or not in the shape COCO gives them") from None


def annotation_of(mark: Mark, number: int, image: int) -> dict[str, Any]:
    """The annotation of a mark with one of our codes."""
    left, top, right, bottom = mark.box
    x, y = mark.corners[:, 0], mark.corners[:, 1]
    area = abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
    return {
        "id": number,
        "image_id": image,
        "category_id": CODES.index(mark.tile) + 1,
        "bbox": [round(left, 3), round(top, 3), round(right - left, 3), round(bottom - top, 3)],
        "segmentation": [[round(float(v), 3) for v in mark.corners.ravel()]],
        "area": round(area, 3),
        "iscrowd": 0,
        "attributes": {
            "exact": mark.exact,
            "upright": mark.upright,
            "ignored": mark.ignored,
            "by_reader": mark.by_reader,
        },
    }


def is_coco(content: Mapping[str, Any]) -> bool:
    return isinstance(content.get("images"), list) and isinstance(content.get("annotations"), list)


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read every COCO file in a folder (or the one file that is named). DatasetError when there is none."""
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.json"))
    folder = folder.parent if folder.is_file() else folder
    rows, findings = manifest.read(folder)
    by_name = {path.name: path for path in reversed(pictures.below(folder))}
    photos: list[LabelledPhoto] = []
    declared: list[str] = []
    read_any = False
    for file in files:
        shown = file.relative_to(folder).as_posix()
        try:
            content = text.read_json(file)
        except text.Damaged as error:
            findings.append(Finding("damaged label file", error.where(shown), str(error)))
            continue
        if not is_coco(content):
            continue
        read_any = True
        more, names, damage = _photos(content, file, folder, shown, by_name, manifest.names_by_path(rows))
        photos += [manifest.told(photo, rows) for photo in more]
        declared += names
        findings += damage
    if not read_any and not findings:
        raise DatasetError(
            f"No COCO file in {folder}: expected a JSON file with `images`, `annotations`, `categories`."
        )
    return assemble(photos, findings, declared, own)


def _photos(
    content: Mapping[str, Any],
    file: Path,
    folder: Path,
    shown: str,
    by_name: dict[str, Path],
    named_by_path: Mapping[str, str],
) -> tuple[list[LabelledPhoto], list[str], list[Finding]]:
    findings: list[Finding] = []
    listed = content.get("categories")
    categories = {
        c["id"]: str(c["name"])
        for c in (listed if isinstance(listed, list) else [])
        if isinstance(c, dict) and isinstance(c.get("id"), int | str) and "name" in c
    }
    marks: dict[Any, list[Mark]] = {}
    for annotation in content["annotations"]:
        try:
            if not isinstance(annotation, dict):
                raise ValueError("it is no object { … }")
            mark = parse_annotation(annotation, categories)
            marks.setdefault(_key(annotation.get("image_id")), []).append(mark)
        except ValueError as error:
            number = annotation.get("id", "?") if isinstance(annotation, dict) else "?"
            findings.append(Finding("damaged label", shown, f"annotation {number} is left out: {error}."))
    photos: list[LabelledPhoto] = []
    for image in content["images"]:
        try:
            named = str(image["file_name"])
            width, height = pictures.measured(image["width"], image["height"])
            own_marks = marks.pop(_key(image["id"]), [])
        except (KeyError, TypeError, ValueError):
            said = f"an image lacks `id`, `file_name`, `width` or `height`: {image!s:.80}"
            findings.append(Finding("damaged label", shown, said))
            continue
        path = pictures.find(named, (file.parent, file.parent / "images", folder, folder / "images"), by_name)
        if path is None:
            findings.append(Finding("label without picture", shown, f"{named} is not there; left out."))
            continue
        name = named_by_path.get(named) or (
            pictures.plain_name(path.relative_to(folder)) if path.is_relative_to(folder) else named
        )
        split = next(
            (s for s in map(pictures.split_of, (name, shown, f"{_last(file.stem)}/_")) if s != "train"), "train"
        )
        photos.append(LabelledPhoto(name, width, height, tuple(own_marks), path=path, split=split))
    for stray, lost in marks.items():
        findings.append(
            Finding("damaged label", shown, f"{len(lost)} annotations belong to image {stray}, which is not listed.")
        )
    return photos, list(categories.values()), findings


def _key(value: Any) -> Any:
    return value if isinstance(value, int | str) else str(value)


def _last(stem: str) -> str:
    """`instances_val2017` → val2017, where a split is commonly named."""
    return stem.rsplit("_", 1)[-1]


def write(photos: Iterable[LabelledPhoto], folder: Path, copy: bool, done: Done = none_done) -> list[Finding]:
    """Write `annotations.json` and a manifest; pictures only with `copy`."""
    photos = pictures.distinct(photos)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    paths: dict[str, str] = {}
    for number, photo in enumerate(photos, 1):
        paths[photo.name] = pictures.relative_to(pictures.put(photo, folder / "images", copy), folder)
        images.append({"id": number, "file_name": paths[photo.name], "width": photo.width, "height": photo.height})
        for mark in photo.marks:
            annotations.append(annotation_of(mark, len(annotations) + 1, number))
        done(1)
    content = {
        "info": {"description": "mahjong tiles, written by hupai"},
        "images": images,
        "annotations": annotations,
        "categories": [{"id": k, "name": code, "supercategory": "tile"} for k, code in enumerate(CODES, 1)],
    }
    (folder / FILE).write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")
    (folder / manifest.NAME).write_text(manifest.written(photos, paths), "utf-8")
    return []
