"""labelme: a JSON file for each picture, shapes with points in pixels; the picture may lie inside as base64."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.formats import manifest, pictures, text
from datasets.formats.outlines import from_box, from_points
from datasets.formats.result import Dataset, DatasetError, Done, Finding, assemble, none_done
from datasets.labels import LabelledPhoto, Mark
from vision.photo import open_photo
from vision.result import PhotoError


def parse_shape(shape: Mapping[str, Any]) -> Mark:
    """The mark of one shape, its tile still the label. ValueError says what is wrong with it."""
    if not isinstance(shape, Mapping) or not isinstance(shape.get("label"), str):
        raise ValueError("it has no label")
    kind = shape.get("shape_type") or "polygon"
    flags = shape.get("flags")
    flags = flags if isinstance(flags, dict) else {}
    ignored = bool(flags.get("ignored") or shape.get("difficult"))
    try:
        points = np.array(shape["points"], np.float64).reshape(-1, 2)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ValueError("its points are not pairs of numbers") from None
    if kind == "rectangle" and len(points) in (2, 4):
        (left, top), (right, bottom) = points.min(0), points.max(0)
        mark = from_box(shape["label"], left, top, right, bottom, ignored)
    elif kind in ("polygon", "rotation", "oriented_rectangle", "rectangle"):
        mark = from_points(shape["label"], points, bool(flags.get("upright", False)), ignored)
    else:
        raise ValueError(f"a {kind} is no outline of a tile")
    return replace(mark, by_reader=bool(flags.get("by_reader", False)))


def shape_of(mark: Mark) -> dict[str, Any]:
    """The shape of a mark with one of our codes: an outline of its four corners, a rectangle for an upright box."""
    left, top, right, bottom = mark.box
    points = mark.corners.tolist() if mark.exact else [[left, top], [right, bottom]]
    return {
        "label": mark.tile,
        "points": [[round(x, 3), round(y, 3)] for x, y in points],
        "group_id": None,
        "shape_type": "polygon" if mark.exact else "rectangle",
        "flags": {"upright": mark.upright, "ignored": mark.ignored, "by_reader": mark.by_reader},
    }


def is_labelme(content: Mapping[str, Any]) -> bool:
    return isinstance(content.get("shapes"), list)


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read every labelme file of a folder. DatasetError when there is none."""
    rows, findings = manifest.read(folder)
    by_name = {path.name: path for path in reversed(pictures.below(folder))}
    photos: list[LabelledPhoto] = []
    for file in sorted(folder.rglob("*.json")):
        shown = file.relative_to(folder).as_posix()
        try:
            content = text.read_json(file)
        except text.Damaged as error:
            findings.append(Finding("damaged label file", error.where(shown), str(error)))
            continue
        if not is_labelme(content):
            continue
        photo, damage = _photo(content, file, folder, shown, by_name)
        findings += damage
        if photo is not None:
            photos.append(manifest.told(photo, rows))
    if not photos and not findings:
        raise DatasetError(f"No labelme files in {folder}: expected JSON files with `shapes`.")
    return assemble(photos, findings, (), own)


def _photo(
    content: Mapping[str, Any], file: Path, folder: Path, shown: str, by_name: dict[str, Path]
) -> tuple[LabelledPhoto | None, list[Finding]]:
    findings: list[Finding] = []
    marks: list[Mark] = []
    for number, shape in enumerate(content["shapes"], 1):
        try:
            marks.append(parse_shape(shape))
        except ValueError as error:
            findings.append(Finding("damaged label", shown, f"shape {number} is left out: {error}."))
    named = content.get("imagePath")
    named = named if isinstance(named, str) and named else f"{file.stem}.jpg"
    path = pictures.find(named, (file.parent, folder / "images", folder), by_name)
    inside = None
    try:
        if path is None:
            inside = _inside(content)
            width, height = inside.shape[1], inside.shape[0]
        elif content.get("imageWidth") is not None and content.get("imageHeight") is not None:
            width, height = pictures.measured(content["imageWidth"], content["imageHeight"])
        else:
            width, height = pictures.size(path)
    except ValueError as error:
        return None, [*findings, Finding("damaged label file", shown, f"{error}.")]
    except PhotoError as error:
        kind = "label without picture" if path is None else "unreadable picture"
        return None, [*findings, Finding(kind, shown, f"{named}: {error}")]
    name = file.relative_to(folder).with_suffix(path.suffix if path else ".png")
    split = pictures.split_of(name.as_posix())
    photo = LabelledPhoto(name.as_posix(), width, height, tuple(marks), path=path, pixels=inside, split=split)
    return photo, findings


def _inside(content: Mapping[str, Any]) -> np.ndarray:
    data = content.get("imageData")
    if not isinstance(data, str) or not data:
        raise PhotoError("it is not there, nor is it inside the file; left out.")
    try:
        return open_photo(base64.b64decode(data, validate=True)).full()
    except binascii.Error:
        raise PhotoError("the picture inside the file is no base64; left out.") from None


def write(photos: Iterable[LabelledPhoto], folder: Path, copy: bool, done: Done = none_done) -> list[Finding]:
    """Write a JSON file for each photograph and a manifest; pictures only with `copy`."""
    photos = pictures.distinct(photos)
    paths: dict[str, str] = {}
    for photo in photos:
        picture = pictures.put(photo, folder, copy)
        paths[photo.name] = pictures.relative_to(picture, folder)
        file = (folder / photo.name).with_suffix(".json")
        file.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "version": "5.5.0",
            "flags": {},
            "shapes": [shape_of(mark) for mark in photo.marks],
            "imagePath": pictures.relative_to(picture, file.parent),
            "imageData": None,
            "imageHeight": photo.height,
            "imageWidth": photo.width,
        }
        file.write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")
        done(1)
    (folder / manifest.NAME).write_text(manifest.written(photos, paths), "utf-8")
    return []
