"""What no label format has a place for: the group, cluster, split and notes of each photograph, in `manifest.csv`.

Every writer leaves one beside the labels and every reader takes one that is there, so converting loses nothing of
what a fair split rests on. A manifest may lack any column but `image`, and others than these are left alone. The last
four say what YOLO and VOC cannot and are empty elsewhere: `marks` counts the marks, `corners` is `own` (the first
corner is the tile's own top left), `any` (which corner comes first is not known) or `box` (upright boxes) for all of
them, `ignored` and `by_reader` list marks by their place from 0. When the labels have been edited since and their count
is another, the two lists are not believed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from datasets.formats import pictures, text
from datasets.formats.result import Finding
from datasets.labels import LabelledPhoto

NAME = "manifest.csv"
COLUMNS: tuple[str, ...] = (
    "image",
    "path",
    "group",
    "split",
    "near_dup_cluster",
    "partial",
    "reviewed",
    "note",
    "marks",
    "corners",
    "ignored",
    "by_reader",
)
LISTS = {"train.txt": "train", "val.txt": "val", "valid.txt": "val", "test.txt": "test"}

Rows = Mapping[str, Mapping[str, str]]


def read(folder: Path) -> tuple[Rows, list[Finding]]:
    """The rows of a folder's manifest by picture name, and the splits of its lists `train.txt`, `val.txt`, `test.txt`
    where the manifest says none; empty when there is neither."""
    rows: dict[str, dict[str, str]] = {}
    findings: list[Finding] = []
    if (path := folder / NAME).is_file():
        try:
            for row in csv.DictReader(io.StringIO(text.read(path))):
                if row.get("image"):
                    rows[row["image"]] = {k: v for k, v in row.items() if isinstance(k, str) and isinstance(v, str)}
            if not rows:
                findings.append(Finding("damaged manifest", NAME, "it has no rows with a column `image`."))
        except (text.Damaged, csv.Error) as error:
            findings.append(Finding("damaged manifest", NAME, str(error)))
    for file, split in LISTS.items():
        if (folder / file).is_file():
            try:
                for line in text.read(folder / file).splitlines():
                    if (named := PurePosixPath(line.strip().replace("\\", "/"))).suffix.lower() in pictures.SUFFIXES:
                        rows.setdefault(pictures.plain_name(Path(named)), {}).setdefault("split", split)
            except text.Damaged as error:
                findings.append(Finding("damaged list", file, str(error)))
    return rows, findings


def row_of(rows: Rows, name: str) -> Mapping[str, str]:
    """The row of a picture, by its name with folders or by its file name alone."""
    return rows.get(name) or rows.get(PurePosixPath(name).name) or {}


def names_by_path(rows: Rows) -> dict[str, str]:
    """The name of each picture by where the manifest says it lies, for labels that know only the place."""
    return {row["path"]: name for name, row in rows.items() if row.get("path")}


def told(photo: LabelledPhoto, rows: Rows) -> LabelledPhoto:
    """The photograph with what its row says."""
    row = row_of(rows, photo.name)
    if not row:
        return photo
    exact = {"own": (True, True), "any": (True, False), "box": (False, False)}.get(row.get("corners", ""))
    marks = photo.marks
    if exact is not None:
        marks = tuple(replace(m, exact=exact[0], upright=exact[1]) for m in marks)
    if row.get("marks") == str(len(marks)):
        hidden, seen = (row.get(column, "").split() for column in ("ignored", "by_reader"))
        marks = tuple(
            replace(m, ignored=m.ignored or str(k) in hidden, by_reader=m.by_reader or str(k) in seen)
            for k, m in enumerate(marks)
        )
    return replace(
        photo,
        marks=marks,
        group=row.get("group") or photo.group,
        cluster=row.get("near_dup_cluster") or photo.cluster,
        split=row.get("split") or photo.split,
        partial=row.get("partial") == "yes" or photo.partial,
        reviewed=row.get("reviewed") == "yes" or photo.reviewed,
        notes=tuple(note.strip() for note in row.get("note", "").split(";") if note.strip()) or photo.notes,
    )


def written(photos: Iterable[LabelledPhoto], paths: Mapping[str, str], of_marks: bool = False) -> str:
    """The text of a manifest.

    paths: where each picture lies, seen from the manifest.
    of_marks: True for formats that cannot say themselves what the last four columns do."""
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    table.writeheader()
    for photo in photos:
        row = {
            "image": photo.name,
            "path": paths[photo.name],
            "group": photo.group,
            "split": photo.split,
            "near_dup_cluster": photo.cluster,
            "partial": "yes" if photo.partial else "",
            "reviewed": "yes" if photo.reviewed else "",
            "note": ";".join(photo.notes),
        }
        if of_marks:
            row |= {
                "marks": str(len(photo.marks)),
                "corners": _corners(photo),
                "ignored": " ".join(str(k) for k, mark in enumerate(photo.marks) if mark.ignored),
                "by_reader": " ".join(str(k) for k, mark in enumerate(photo.marks) if mark.by_reader),
            }
        table.writerow(row)
    return out.getvalue()


def _corners(photo: LabelledPhoto) -> str:
    kinds = {"own" if m.exact and m.upright else "any" if m.exact else "box" for m in photo.marks}
    return kinds.pop() if len(kinds) == 1 else ""
