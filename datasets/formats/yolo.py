"""YOLO's text files: a line for each tile, its class by index, coordinates as shares of the picture's sides.

Three dialects share one reader, since the length of a line tells them apart: `class cx cy w h` is a box (a sixth
number, a confidence, is left alone), eight numbers are the corners of an oriented box, other even counts an outline.
Class names come from `classes.txt` or `data.yaml`; the picture of `labels/a.txt` is `images/a.jpg`, one beside the
label, or where `manifest.csv` says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from datasets.formats import manifest, pictures, text
from datasets.formats.outlines import from_box, from_points
from datasets.formats.result import Dataset, DatasetError, Done, Finding, assemble, boxed, none_done
from datasets.labels import LabelledPhoto, Mark
from datasets.names import CODES
from vision.result import PhotoError

NOT_LABELS = {"classes.txt", "labels.txt", "obj.names", "images.txt", *manifest.LISTS}


def parse_line(line: str, width: int, height: int, classes: Sequence[str]) -> Mark:
    """The mark of one line, its tile still the source's class name (`#57` for an index without a name).

    ValueError says in words what is wrong with the line."""
    fields = line.split()
    try:
        numbers = np.array([float(field) for field in fields])
    except ValueError:
        raise ValueError(f"“{line[:60]}” is not a row of numbers") from None
    index, shares = numbers[0], numbers[1:]
    if not index.is_integer() or index < 0:
        raise ValueError(f"the class index “{fields[0]}” is no whole number")
    name = classes[int(index)] if index < len(classes) else f"#{int(index)}"
    scale = np.array([width, height], np.float64)
    if len(shares) in (4, 5):
        cx, cy, w, h = shares[:4] * np.tile(scale, 2)
        return from_box(name, cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
    if len(shares) >= 6 and len(shares) % 2 == 0:
        return from_points(name, shares.reshape(-1, 2) * scale)
    raise ValueError(f"it has {len(fields)} numbers; a box has 5, an oriented box 9, an outline an odd count from 7")


def box_line(mark: Mark, width: int, height: int) -> str:
    """`class cx cy w h` of a mark with one of our codes."""
    left, top, right, bottom = mark.box
    return _line(
        mark, [(left + right) / 2 / width, (top + bottom) / 2 / height, (right - left) / width, (bottom - top) / height]
    )


def corner_line(mark: Mark, width: int, height: int) -> str:
    """`class x1 y1 x2 y2 x3 y3 x4 y4` of a mark with one of our codes: an oriented box, and an outline as well."""
    return _line(mark, (mark.corners / [width, height]).ravel())


def _line(mark: Mark, shares: Iterable[float]) -> str:
    return f"{CODES.index(mark.tile)} " + " ".join(f"{share:.7f}".rstrip("0").rstrip(".") for share in shares)


def class_names(yaml: str) -> list[str]:
    """The list `names` of a data.yaml, in any of the three ways it is written: [a, b], lines `- a`, lines `0: a`."""
    found = re.search(r"^names[ \t]*:(.*?)(?=^[A-Za-z_][\w-]*[ \t]*:|\Z)", yaml, re.MULTILINE | re.DOTALL)
    if not found:
        return []
    body = re.sub(r"(?m)(^|\s)#.*$", "", found[1]).strip()
    scalar = r"""'((?:[^']|'')*)'|"([^"]*)"|([^\s,\[\]{}'"][^,\[\]{}\n]*)"""
    if body[:1] in ("[", "{"):
        pairs = re.findall(rf"(?:(\d+)\s*:\s*)?(?:{scalar})" if body[0] == "{" else rf"()(?:{scalar})", body)
    else:
        pairs = re.findall(rf"(?m)^[ \t]*(?:-|(\d+)[ \t]*:)[ \t]*(?:{scalar})", body)
    named: dict[int, str] = {}
    for k, (index, single, double, plain) in enumerate(pairs):
        named[int(index) if index else k] = (single.replace("''", "'") or double or plain).strip()
    return [named.get(k, f"#{k}") for k in range(max(named, default=-1) + 1)] if max(named, default=0) < 100_000 else []


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read a folder of YOLO labels, whatever its layout. DatasetError when there are no class names or no labels."""
    classes = _classes(folder)
    rows, findings = manifest.read(folder)
    photos: list[LabelledPhoto] = []
    labels = _labels(folder)
    used: set[Path] = set()
    for name, path in _pictures(folder, rows):
        label = next((c for c in _label_paths(folder, name, path) if c in labels), None)
        if label is not None:
            used.add(label)
        elif not labels:
            continue
        try:
            width, height = pictures.size(path)
        except PhotoError as error:
            findings.append(Finding("unreadable picture", name, str(error)))
            continue
        if label is None:
            findings.append(Finding("picture without label", name, "it has no label file and counts as empty.", "note"))
        marks: list[Mark] = []
        if label is not None:
            marks, damage = _marks(label, label.relative_to(folder).as_posix(), width, height, classes)
            findings += damage
        photo = LabelledPhoto(name, width, height, tuple(marks), path=path, split=pictures.split_of(name))
        photos.append(manifest.told(photo, rows))
    if not labels:
        raise DatasetError(
            f"No YOLO labels in {folder}: expected text files in a folder `labels` or beside the pictures."
        )
    for label in sorted(labels - used):
        findings.append(
            Finding(
                "label without picture", label.relative_to(folder).as_posix(), "its picture is not there; left out."
            )
        )
    return assemble(photos, findings, classes, own)


def _classes(folder: Path) -> list[str]:
    for place in (folder, folder / "labels", folder.parent):
        for path in (
            place / "classes.txt",
            place / "obj.names",
            *sorted(place.glob("*.yaml")),
            *sorted(place.glob("*.yml")),
        ):
            if not path.is_file():
                continue
            try:
                content = text.read(path)
            except text.Damaged as error:
                raise DatasetError(f"The class names in {path} cannot be read: {error}") from None
            lines = [line.strip() for line in content.strip().splitlines()]
            if names := class_names(content) if path.suffix in (".yaml", ".yml") else lines:
                return names
    raise DatasetError(
        f"No class names for the labels in {folder}: put `classes.txt` (a name a line) or `data.yaml` beside them."
    )


def _labels(folder: Path) -> set[Path]:
    """Every text file that may be a label: in a folder `labels`, or with a picture beside it."""
    texts = [p for p in folder.rglob("*.txt") if p.name not in NOT_LABELS and p.is_file()]
    beside = {p.with_suffix("") for p in pictures.below(folder)}
    return {p for p in texts if "labels" in p.relative_to(folder).parts or p.with_suffix("") in beside}


def _pictures(folder: Path, rows: manifest.Rows) -> list[tuple[str, Path]]:
    """(name, path) of every picture below the folder and of those that the manifest names elsewhere."""
    found = [(pictures.plain_name(path.relative_to(folder)), path) for path in pictures.below(folder)]
    names = {name for name, _ in found}
    outside = [
        (name, path)
        for name, row in rows.items()
        if name not in names and row.get("path") and (path := folder / row["path"]).is_file()
    ]
    return found + outside


def _label_paths(folder: Path, name: str, path: Path) -> Iterable[Path]:
    if path.is_relative_to(folder):
        relative = path.relative_to(folder)
        swapped = Path(*("labels" if part == "images" else part for part in relative.parts))
        yield (folder / swapped).with_suffix(".txt")
        yield path.with_suffix(".txt")
    yield (folder / "labels" / name).with_suffix(".txt")


def _marks(path: Path, shown: str, width: int, height: int, classes: Sequence[str]) -> tuple[list[Mark], list[Finding]]:
    try:
        lines = text.read(path).splitlines()
    except text.Damaged as error:
        return [], [Finding("damaged label", error.where(shown), str(error))]
    marks: list[Mark] = []
    findings: list[Finding] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            marks.append(parse_line(line, width, height, classes))
        except ValueError as error:
            findings.append(Finding("damaged label", f"{shown}:{number}", f"{error}; the line is left out."))
    return marks, findings


def write(
    photos: Iterable[LabelledPhoto], folder: Path, copy: bool, done: Done = none_done, *, corners: bool
) -> list[Finding]:
    """Write labels, class names, lists of the splits and a manifest; pictures only with `copy`.

    corners: True for the corners of each tile, False for upright boxes."""
    photos = pictures.distinct(photos if corners else map(boxed, photos))
    paths: dict[str, str] = {}
    for photo in photos:
        paths[photo.name] = pictures.relative_to(pictures.put(photo, folder / "images", copy), folder)
        label = (folder / "labels" / photo.name).with_suffix(".txt")
        label.parent.mkdir(parents=True, exist_ok=True)
        one = corner_line if corners else box_line
        label.write_text("".join(f"{one(m, photo.width, photo.height)}\n" for m in photo.marks), "utf-8")
        done(1)
    splits = {split: [p for p in photos if p.split == split] for split in sorted({p.split for p in photos})}
    for split, members in splits.items():
        listed = (path if path.startswith("..") else f"./{path}" for path in (paths[p.name] for p in members))
        (folder / f"{pictures.safe_name(split)}.txt").write_text("".join(f"{line}\n" for line in listed), "utf-8")
    (folder / "classes.txt").write_text("".join(f"{code}\n" for code in CODES), "utf-8")
    lines = ["path: .", *(f"{split}: {pictures.safe_name(split)}.txt" for split in splits), "names:"]
    lines += [f'  {k}: "{code}"' for k, code in enumerate(CODES)]
    (folder / "data.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / manifest.NAME).write_text(manifest.written(photos, paths, of_marks=True), "utf-8")
    return []


write_boxes = partial(write, corners=False)
write_corners = partial(write, corners=True)
