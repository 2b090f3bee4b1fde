"""Photographs that a person has put right, one record each: a picture, and a JSON file of the same name beside it.

A record says what was read and what the person made of it, tile by tile, and by which weights it was read: what was
changed is what a training needs most, and what was rejected or left unsure is worth as much as what was confirmed. The
app keeps such records only with consent; `hupai data label` makes them of any folder of pictures. The folder is a data
set like any other (`hupai data convert`, `hupai train … --data`)."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np

from datasets.formats import text
from datasets.formats.result import Dataset, DatasetError, Finding
from datasets.labels import LabelledPhoto, Mark
from datasets.names import CODES
from scoring.tiles import BACK
from vision.result import UNKNOWN, Corners

KIND: Final = "hupai-record"
"""What the JSON file of a record says of itself, so that no other program's file is taken for one."""
State = Literal["right", "changed", "added", "rejected", "unsure"]
"""What a person made of a tile: the reader was right; it is another tile; the reader had passed it over; it is no tile
of this hand (or none at all); nobody has said what it is."""


@dataclass(frozen=True)
class Judged:
    """One place of a photograph.

    corners: in pixels of the record's picture.
    read, confidence: what the reader said and how sure it was; "" and 0 where it had passed the tile over.
    tile: what the person says it is; "" when nobody said.
    """

    corners: Corners
    read: str
    confidence: float
    tile: str
    state: State


@dataclass(frozen=True)
class Record:
    """One photograph as a person left it. `picture` is the name of its file in the folder of the records, or a path
    from there; `models` are the hashes of the weights by network; `profile` the tile set that was read with, or ""."""

    name: str
    picture: str
    width: int
    height: int
    tiles: tuple[Judged, ...]
    time: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    profile: str = ""

    @property
    def told(self) -> tuple[Judged, ...]:
        """The tiles of which a person has said what they are."""
        return tuple(judged for judged in self.tiles if judged.state in ("right", "changed", "added"))

    def to_json(self) -> str:
        tiles = [
            {"tile": t.tile, "read": t.read, "confidence": round(t.confidence, 4), "state": t.state}
            | {"corners": [[round(x, 1), round(y, 1)] for x, y in t.corners]}
            for t in self.tiles
        ]
        said = {"kind": KIND, "picture": self.picture, "width": self.width, "height": self.height}
        said |= {"time": self.time, "profile": self.profile, "models": dict(self.models), "tiles": tiles}
        return json.dumps(said, ensure_ascii=False, indent=1)

    @staticmethod
    def from_json(name: str, content: Any) -> Record:
        """The inverse of `to_json`. ValueError, in words, for anything else."""
        if not is_record(content):
            raise ValueError("it is no record of Hupai")
        try:
            tiles = tuple(_judged(one) for one in content["tiles"])
            return Record(
                name,
                str(content["picture"]),
                int(content["width"]),
                int(content["height"]),
                tiles,
                str(content.get("time", "")),
                {str(k): str(v) for k, v in content.get("models", {}).items()},
                str(content.get("profile", "")),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"it is a damaged record ({error})") from None


def _judged(one: Any) -> Judged:
    corners = np.array(one["corners"], np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError("a tile of it has no four corners")
    tile, read, state = str(one["tile"]), str(one["read"]), one["state"]
    if state not in get_args(State) or {tile, read} - {*CODES, UNKNOWN, ""}:
        raise ValueError(f"a tile of it is said to be “{tile:.20}”, read as “{read:.20}”, {state!s:.20}")
    (a, b), (c, d), (e, f), (g, h) = corners.tolist()
    return Judged(((a, b), (c, d), (e, f), (g, h)), read, float(one["confidence"]), tile, state)


# -- on disk -----------------------------------------------------------------------------------------------------------


def keep(folder: Path, record: Record, picture: bytes | None = None) -> None:
    """Write a record, and its picture unless it lies elsewhere; an older one of the same name is replaced. OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if picture is not None:
        _put(folder / record.picture, picture)
    _put(folder / f"{record.name}.json", record.to_json().encode())


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    half.write_bytes(data)
    os.replace(half, path)


def records(folder: Path) -> tuple[list[Record], list[Finding]]:
    """Every record of a folder, oldest first, and what could not be read."""
    found: list[Record] = []
    findings: list[Finding] = []
    for path in sorted(folder.rglob("*.json")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        try:
            found.append(Record.from_json(name, text.read_json(path)))
        except text.Damaged as error:
            findings.append(Finding("damaged record", f"{name}.json", str(error)))
        except ValueError as error:
            findings.append(Finding("damaged record", f"{name}.json", f"{error}; it is left out."))
    return sorted(found, key=lambda r: r.time), findings


def forget(folder: Path, names: Iterable[str] | None = None) -> int:
    """Delete these records and their pictures, all of them by default; returns how many there were. A picture that lies
    outside the folder is never touched."""
    gone = 0
    wanted = set(names) if names is not None else None
    for record in records(folder)[0]:
        if wanted is not None and record.name not in wanted:
            continue
        picture = (folder / record.picture).resolve()
        if picture.is_relative_to(folder.resolve()):
            picture.unlink(missing_ok=True)
        (folder / f"{record.name}.json").unlink(missing_ok=True)
        gone += 1
    return gone


# -- as a data set -----------------------------------------------------------------------------------------------------


def is_record(content: Any) -> bool:
    """Is this what a record's JSON file holds?"""
    return isinstance(content, dict) and content.get("kind") == KIND


def labelled(record: Record, folder: Path) -> LabelledPhoto:
    """The record as a labelled photograph. What nobody told stays a mark that is not asked for; which corner is
    a tile's own top left was never asked either."""
    marks = tuple(
        Mark(j.tile if asked else BACK, np.array(j.corners), exact=True, upright=False, ignored=not asked)
        for j in record.tiles
        for asked in (j.state in ("right", "changed", "added") and j.tile in CODES,)
    )
    name = record.name + Path(record.picture).suffix
    group = record.profile or "own"
    return LabelledPhoto(
        name, record.width, record.height, marks, folder / record.picture, group=group, cluster=record.name
    )


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """The records of a folder as a data set. DatasetError when there is none."""
    found, findings = records(folder)
    photos: list[LabelledPhoto] = []
    for record in found:
        if (folder / record.picture).is_file():
            photos.append(labelled(record, folder))
        else:
            findings.append(Finding("label without picture", record.name, "its picture is not there; left out."))
    if not photos and not findings:
        raise DatasetError(f"No records in {folder}: the app's Teach page or `hupai data label` makes some.")
    return Dataset(tuple(photos), tuple(findings))


def by_tile(found: Iterable[Record]) -> Counter[str]:
    """How many examples of each tile were told."""
    return Counter(judged.tile for record in found for judged in record.told)
