"""A folder of pictures to be labelled: which there are, what was said of each so far, and the data set they become.

Every photograph that is accepted is written at once as a record below `OUT/records`, so nothing is lost when the server
ends, and the same command goes on where it stopped. The data set in the chosen format is written anew from the records
whenever one changes; the pictures stay where they are."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from datasets import formats
from datasets.formats import pictures, records
from datasets.formats.records import Record
from datasets.formats.result import DatasetError
from datasets.labels import LabelledPhoto
from ui.labelling import Place, Sheet, from_labels, from_reading, in_reading_order, judged
from ui.session import Photograph


@dataclass(frozen=True)
class Job:
    """What is to be done: pictures by name, labels that were there before, where the result goes, in which format.

    begun: by the picture's number, what was said of it and not accepted yet, so that a closed tab loses nothing."""

    photos: tuple[tuple[str, Path], ...]
    labels: dict[str, LabelledPhoto]
    out: Path
    to: str
    begun: dict[int, Sheet] = field(default_factory=dict[int, "Sheet"])

    @property
    def result(self) -> Path:
        """Where the data set is written."""
        return self.out / self.to

    def done(self) -> dict[str, Record]:
        """What was said so far, by the picture's name."""
        folder = self.out / "records"
        return {str(r.name): r for r in records.records(folder)[0]} if folder.is_dir() else {}

    def first_open(self) -> int:
        """The first picture that nobody has accepted yet; 0 when all are."""
        done = self.done()
        return next((i for i, (name, _) in enumerate(self.photos) if key(name) not in done), 0)


def key(name: str) -> str:
    """The name of the record of a picture."""
    return pictures.safe_name(name).rpartition(".")[0] or pictures.safe_name(name)


def begun(source: Path, out: Path, to: str) -> Job:
    """The job of a folder of pictures, labelled already in a format we know or not at all. DatasetError."""
    if to not in formats.FORMATS or formats.FORMATS[to].write is None:
        able = ", ".join(f.name for f in formats.FORMATS.values() if f.write)
        raise DatasetError(f"“{to}” is no format that is written: give --to one of {able}.")
    if not source.is_dir():
        raise DatasetError(f"There is no folder {source}: check the name.")
    if (out / to).exists() and not (out / "records").is_dir():
        raise DatasetError(
            f"{out / to} is there already and was not labelled here: give another folder for the labels."
        )
    found = pictures.below(source)
    if not found:
        raise DatasetError(f"{source} holds no pictures: name a folder of photographs.")
    labels: dict[str, LabelledPhoto] = {}
    try:
        labels = {str(p.path): p for p in formats.read(source).photos if p.marks and p.path is not None}
    except DatasetError:  # most folders are not labelled yet
        labels = {}
    photos = tuple((path.relative_to(source).as_posix(), path) for path in found)
    return Job(photos, labels, out, to)


def sheet_of(job: Job, number: int, photograph: Photograph) -> Sheet:
    """The tiles of one picture: as they were left, accepted or not; else as they were labelled; else as read."""
    name, path = job.photos[number]
    reading = photograph.reading
    if number in job.begun:
        return job.begun[number]
    if (record := job.done().get(key(name))) is not None:
        places = [
            Place(t.corners, t.read, t.confidence, (t.tile,) if t.tile else (), t.tile or "?", t.state == "rejected")
            for t in record.tiles
        ]
        return Sheet(record.width, record.height, tuple(in_reading_order(places)))
    if (labelled := job.labels.get(str(path))) is not None:
        return from_labels(labelled, reading)
    return from_reading(reading)


def accept(job: Job, number: int, sheet: Sheet, models: dict[str, str]) -> None:
    """Keep what was said of one picture, and write the data set anew. OSError, DatasetError."""
    name, path = job.photos[number]
    folder = job.out / "records"
    picture = pictures.relative_to(path, folder)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    records.keep(folder, Record(key(name), picture, sheet.width, sheet.height, judged(sheet), now, models))
    job.begun.pop(number, None)
    write(job)


def write(job: Job) -> None:
    """Write the data set of all records; the old one is replaced when the new one is whole. The pictures that it has
    copied are taken over, so that accepting one picture does not copy a thousand."""
    half, old = job.out / f".{job.to}.part", job.out / f".{job.to}.old"
    for left in (half, old):
        shutil.rmtree(left, ignore_errors=True)
    half.mkdir(parents=True)
    wanted = formats.FORMATS[job.to]
    if wanted.keeps != "tile":  # there pictures are of tiles, and named by what may have changed
        for picture in pictures.below(job.result):
            target = half / picture.relative_to(job.result)
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # a disk that knows no links gets a copy
                os.link(picture, target)
    assert wanted.write is not None  # `begun` has asked for it
    wanted.write(records.read(job.out / "records").photos, half, True, lambda n: None)
    if job.result.exists():
        os.replace(job.result, old)
    os.replace(half, job.result)
    shutil.rmtree(old, ignore_errors=True)
