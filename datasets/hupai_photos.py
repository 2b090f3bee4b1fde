"""The project's own photographs: the folder `../shared/data`, with its splits and its traps taken into account.

The photographs belong to others (see that folder's README) and never enter the repository; this reader turns them
into `LabelledPhoto`s. Held-out photographs are whole near-duplicate clusters, chosen by a hash of the cluster's name so
that the split never depends on an order of files."""

from __future__ import annotations

import csv
import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.labels import LabelledPhoto, Mark, box_corners
from scoring.tiles import TILES

HELD_OUT_PERCENT = 12
OVERLAY = Path(__file__).parent / "overlay.json"
"""Tiles that nobody boxed, found by `hupai review`: for each photograph [code or "?", x0, y0, … x3, y3]."""
CORRECTIONS = Path(__file__).parent / "corrections.json"
"""Labels that a person has looked at and found wrong: for each photograph [which label, its code, the right code], the
first label being 1; an empty code where a tile was boxed twice. Four numbers more are the right box, in pixels."""
PARTIAL_GROUPS = ("rf_fb", "rf_hand", "rf_misc", "leo")


class NoPhotographs(FileNotFoundError):
    """The folder of photographs is not there. The message says where it was looked for."""


def data_folder() -> Path:
    """`HUPAI_DATA` if set, else `../shared/data` beside the repository."""
    return Path(os.environ.get("HUPAI_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def _split(row: dict[str, str]) -> str:
    if row["split"] == "unseen_set":
        return "unseen"
    digest = hashlib.sha256(f"{row['near_dup_cluster']}".encode()).digest()
    return "held_out" if int.from_bytes(digest[:4], "big") % 100 < HELD_OUT_PERCENT else "train"


def _corrected(marks: list[Mark], corrections: list[list[Any]]) -> list[Mark]:
    """The labels with the wrong ones put right; one that no longer says what was corrected stays."""
    right: dict[int, Mark | None] = dict(enumerate(marks))
    for number, was, code, *box in corrections:
        mark = right.get(number - 1)
        if mark is not None and mark.tile == was:
            corners = box_corners(*box) if box else mark.corners
            right[number - 1] = replace(mark, tile=code, corners=corners) if code else None
    return [mark for mark in right.values() if mark is not None]


def load(folder: Path | None = None) -> list[LabelledPhoto]:
    """Every photograph of the folder but those that may be mirrored. Splits: `train`, `held_out` (whole clusters of
    the training sets), `unseen` (sets that are never trained on)."""
    folder = folder or data_folder()
    manifest = folder / "photos" / "manifest.csv"
    if not manifest.is_file():
        raise NoPhotographs(
            f"no labelled photographs at {folder}: set HUPAI_DATA to the folder that holds photos/manifest.csv"
        )
    photos: list[LabelledPhoto] = []
    seen: dict[str, list[list[str | float]]] = json.loads(OVERLAY.read_text()) if OVERLAY.is_file() else {}
    corrections: dict[str, list[list[Any]]] = json.loads(CORRECTIONS.read_text())
    with manifest.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if "mirrored" in row["note"]:
                continue
            label = folder / "photos" / "labels" / f"{Path(row['image']).stem}.txt"
            marks: list[Mark] = []
            for line in label.read_text().splitlines():
                if not line.strip():
                    continue
                index, cx, cy, w, h = (float(x) for x in line.split()[:5])
                corners = 640 * box_corners(cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
                marks.append(Mark(TILES[int(index)], corners, exact=False, upright=False))
            marks = _corrected(marks, corrections.get(row["image"], []))
            for code, *flat in seen.get(row["image"], []):
                corners = np.array(flat, np.float64).reshape(4, 2)
                known = code != "?"
                marks.append(Mark(str(code) if known else "back", corners, True, known, not known, by_reader=True))
            photos.append(
                LabelledPhoto(
                    name=row["image"],
                    width=640,
                    height=640,
                    marks=tuple(marks),
                    path=folder / "photos" / "images" / row["image"],
                    group=row["group"],
                    cluster=row["near_dup_cluster"],
                    split=_split(row),
                    partial=row["group"].startswith(PARTIAL_GROUPS),
                    reviewed=row["image"] in seen,
                    notes=tuple(n for n in row["note"].split(";") if n),
                )
            )
    return photos
