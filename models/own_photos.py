"""A trainer's own photographs become lessons and held-out photographs, honestly divided.

Any format of `datasets/formats` is taken. Photographs that the data set itself puts into `val` are held out, those of
`test` are left alone; where it says nothing of the kind, whole groups and near-duplicate clusters are dealt out, so
that no table and no copy of a picture stands on both sides. What cannot be used is named, counted and left out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets import checks, formats, splits
from datasets.formats import pictures, webdataset
from datasets.formats.result import DatasetError, Finding
from datasets.labels import LabelledPhoto, Mark
from vision.geometry import sides
from vision.result import PhotoError

HELD_OUT = 0.2
TILE = 72.0
"""Pixels that the short side of the middle tile keeps: all the networks look at, a quarter of a phone's pixels."""
LEAST_SIDE = 640


@dataclass(frozen=True)
class OwnPhotos:
    """What the folders gave. `held_out` and `test` are empty where there was too little to divide.

    singles: held-out pictures that show one tile only (class folders): no photographs for the reader.
    divided: how it was decided what is held out, in words. sources: what the data is and under which licence.
    data: a hash of everything that was read (of all shards, where they are shared).
    shared: True when each process has read shards of its own.
    """

    lessons: tuple[LabelledPhoto, ...]
    held_out: tuple[LabelledPhoto, ...]
    singles: tuple[LabelledPhoto, ...]
    test: tuple[LabelledPhoto, ...]
    findings: tuple[Finding, ...]
    divided: str
    sources: str = ""
    data: str = ""
    shared: bool = False


def gather(
    folders: Iterable[Path],
    kind: str = "auto",
    names: Mapping[str, str] | None = None,
    partial: bool = False,
    licence: str = "",
    seed: int = 0,
    share: tuple[int, int] = (0, 1),
    done: Callable[[int], None] = lambda n: None,
) -> OwnPhotos:
    """Read, open and divide the photographs of some folders.

    partial: tiles in view may be unlabelled. share: number of this process and of all; of packed lessons it then reads
    its own shards alone. DatasetError when there is nothing to learn from."""
    photos: list[LabelledPhoto] = []
    findings: list[Finding] = []
    folders = list(folders)
    shared = False
    for folder in folders:
        mine = _own_shards(folder, kind, share) if len(folders) == 1 else None
        shared = mine is not None
        dataset = formats.read(folder, kind, names) if mine is None else webdataset.read_shards(mine, folder, names)
        findings += dataset.findings
        prefix = f"{folder.name}/" if len(folders) > 1 else ""
        photos += [replace(p, name=prefix + p.name, partial=p.partial or partial) for p in dataset.photos]
    usable: list[LabelledPhoto] = []
    looks: list[pictures.Look] = []
    for photo in photos:
        said = [*checks.geometry(photo), *checks.notes([photo])]
        photo = _sound(photo)
        wrong = [finding for finding in said if finding.severity == "wrong"]
        findings += wrong
        mirrored = any(finding.kind == "mirrored picture" for finding in wrong)
        if mirrored or not any(not mark.ignored for mark in photo.marks):
            if not mirrored:
                findings.append(Finding("no tiles", photo.name, "it has no labelled tile, so it teaches nothing."))
            continue
        try:
            opened, look = _opened(photo)
        except (PhotoError, DatasetError) as error:
            findings.append(Finding("unreadable picture", photo.name, str(error)))
        else:
            usable.append(opened)
            looks.append(look)
        done(1)
    if not usable:
        raise DatasetError(
            f"No photograph of {', '.join(map(str, folders))} can be learned from: "
            f"{len(findings)} things are wrong, which `hupai data check` lists."
        )
    pairs = splits.alike(looks)
    findings += [
        Finding("mirrored picture", usable[j].name, f"it is the mirror image of {usable[i].name}.")
        for i, j, how in pairs
        if how == "mirrored"
    ]
    mirrors = {j for _, j, how in pairs if how == "mirrored"}
    sides_, divided = _divided(usable, pairs, seed, shared)
    on = {
        side: tuple(p for k, p in enumerate(usable) if sides_[k] == side and k not in mirrors)
        for side in ("train", "val", "test")
    }
    whole = tuple(p for p in on["val"] if not p.single)
    singles = tuple(p for p in on["val"] if p.single)
    sources = f"own photographs ({', '.join(f.name for f in folders)}; licence: {licence or 'not stated'})"
    data = _digest_of_files(webdataset.shards(folders[0])) if shared else digest([*on["train"], *on["val"]])
    return OwnPhotos(on["train"], whole, singles, on["test"], tuple(findings), divided, sources, data, shared)


def _own_shards(folder: Path, kind: str, share: tuple[int, int]) -> list[Path] | None:
    """The shards that this process reads: its part of the lessons, and process 0 those that are held out too. None
    when the folder is not packed, holds nothing out, or has fewer shards than there are processes."""
    rank, ranks = share
    if ranks == 1 or (formats.detect(folder) if kind == "auto" else kind) != "webdataset":
        return None
    found = webdataset.shards(folder)
    held_out = [path for path in found if path.name.startswith(("val-", "held_out-"))]
    lessons = [path for path in found if path.name.startswith("train-")]
    if not held_out or len(lessons) < ranks:
        return None
    return lessons[rank::ranks] + (held_out if rank == 0 else [])


def _sound(photo: LabelledPhoto) -> LabelledPhoto:
    """The photograph without marks that have no area or lie wholly outside it."""

    def sound(mark: Mark) -> bool:
        left, top, right, bottom = mark.box
        area = min(sides(mark.corners)) >= 1 and right > left and bottom > top
        return area and right > 0 and bottom > 0 and left < photo.width and top < photo.height

    return replace(photo, marks=tuple(mark for mark in photo.marks if sound(mark)))


def _divided(photos: list[LabelledPhoto], pairs: list[splits.Pair], seed: int, shared: bool) -> tuple[list[str], str]:
    """The side of each photograph, and in words how it was found."""
    if shared or any(p.split in ("val", "held_out") for p in photos):
        told = {"val": "val", "held_out": "val", "test": "test", "unseen": "test"}
        return [told.get(p.split, "train") for p in photos], "as the data set divides them"
    test = [p.split in ("test", "unseen") for p in photos]
    rest = [k for k in range(len(photos)) if not test[k]]
    place = {k: i for i, k in enumerate(rest)}
    among = [(place[i], place[j], how) for i, j, how in pairs if i in place and j in place]
    for by, words in (("group", "whole groups and look-alikes held out"), ("cluster", "whole look-alikes held out")):
        lessons = [photos[k] for k in rest]
        tied = splits.blocks(lessons, among, by)
        largest = max((len(block) for block in tied), default=0)
        if len(tied) >= 3 and largest <= (1 - HELD_OUT) * len(lessons):
            dealt = splits.deal(lessons, tied, {"train": 1 - HELD_OUT, "val": HELD_OUT}, seed)
            return ["test" if test[k] else dealt[place[k]] for k in range(len(photos))], words
    return ["test" if t else "train" for t in test], "too few that differ: nothing held out"


def _opened(photo: LabelledPhoto) -> tuple[LabelledPhoto, pictures.Look]:
    """The photograph with its pixels, shrunk as far as its tiles stay large, and its look."""
    pixels = pictures.pixels(photo)
    height, width = pixels.shape[:2]
    if (width, height) != (photo.width, photo.height):
        size = f"{photo.width} × {photo.height}"
        raise DatasetError(f"Its labels are for {size} pixels, and it has {width} × {height}.")
    look = pictures.seen_in(pixels, width, height, hashlib.sha256(pixels.tobytes()).hexdigest())
    middle = float(np.median([min(sides(mark.corners)) for mark in photo.marks]))
    scale = max(TILE / max(middle, 1.0), LEAST_SIDE / max(width, height))
    if scale >= 1:
        return replace(photo, pixels=pixels), look
    small = cv2.resize(pixels, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    factor = np.array([small.shape[1] / width, small.shape[0] / height])
    marks = tuple(replace(mark, corners=mark.corners * factor) for mark in photo.marks)
    return replace(photo, pixels=small, width=small.shape[1], height=small.shape[0], marks=marks), look


def digest(photos: Iterable[LabelledPhoto]) -> str:
    """A hash of pictures' names and everything their labels say, the same in any order: which data a network saw."""
    lines = sorted(
        f"{p.name} " + ";".join(f"{m.tile} {np.round(m.corners, 1).tolist()} {m.ignored}" for m in p.marks)
        for p in photos
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _digest_of_files(paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        with path.open("rb") as data:
            total.update(hashlib.file_digest(data, "sha256").digest())
    return total.hexdigest()[:16]
