"""Rendered scenes on disk, so that a training reads them at the speed of a JPEG decoder.

A shard is one `.npz` of up to 100 scenes: the pictures as JPEG bytes and the marks as arrays. Shards are named by the
seeds they hold and written atomically, so an interrupted rendering goes on where it stopped and the same call always
leaves the same pixels."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets import whole_file
from datasets.face_sets import drawn, photographed, riichi_art
from datasets.labels import LabelledPhoto, Mark
from datasets.scenes import FaceSet, render
from scoring.tiles import TILES

SHARD = 100
DRAWN_SHARE = 0.81
"""Share of the scenes that wear drawn faces where real ones are at hand."""
CODES = (*TILES, "back")
_sets: list[FaceSet] = []


def face_sets(drawn_sets: int, seed: int, photographs: bool = True, drawn_share: float = DRAWN_SHARE) -> list[FaceSet]:
    """The mixture scenes are dressed in: about `drawn_share` of them in drawn sets, three in four of the others in
    photographed faces, the rest in vector art; without drawn sets in each of the others alike."""
    sets = drawn(drawn_sets, seed) if drawn_sets else []
    if photographs:
        others = drawn_sets * (1 - drawn_share) / drawn_share
        cut, art = photographed(), riichi_art()
        sets += cut * max(1, round(0.72 * others / max(1, len(cut))))
        sets += art * max(1, round(0.28 * others / max(1, len(art))))
    return sets


def _start(drawn_sets: int, seed: int, photographs: bool, drawn_share: float) -> None:
    cv2.setNumThreads(1)
    _sets.extend(face_sets(drawn_sets, seed, photographs, drawn_share))


def _shard(job: tuple[Path, int, int, tuple[int, int]]) -> int:
    path, first, count, size = job
    pictures: list[np.ndarray] = []
    rows: list[tuple[int, int, bool, bool]] = []
    corners: list[np.ndarray] = []
    for k in range(count):
        scene = render(first + k, _sets, size)
        assert scene.pixels is not None
        pictures.append(cv2.imencode(".jpg", scene.pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].ravel())
        for mark in scene.marks:
            rows.append((k, CODES.index(mark.tile), mark.upright, mark.ignored))
            corners.append(mark.corners)
    whole_file.save(
        path,
        bytes=np.concatenate(pictures),
        lengths=np.array([len(p) for p in pictures]),
        rows=np.array(rows, np.int32).reshape(-1, 4),
        corners=np.array(corners, np.float32).reshape(-1, 4, 2),
        size=np.array(size),
    )
    return count


def write(
    folder: Path,
    count: int,
    seed: int = 0,
    size: tuple[int, int] = (480, 480),
    drawn_sets: int = 60,
    photographs: bool = True,
    processes: int | None = None,
    drawn_share: float = DRAWN_SHARE,
    done: Callable[[int], None] = lambda n: None,
) -> None:
    """Render `count` scenes into a folder. `done(n)` is called for every n scenes that are on disk."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs: list[tuple[Path, int, int, tuple[int, int]]] = []
    for first in range(0, count, SHARD):
        part = min(SHARD, count - first)
        path = folder / f"scenes-{seed}-{first:06d}-{part}.npz"
        if path.exists():
            done(part)
        else:
            jobs.append((path, seed * 1_000_000 + first, part, size))
    if not jobs:
        return
    workers = processes or os.cpu_count() or 1
    with multiprocessing.get_context("spawn").Pool(
        workers, _start, (drawn_sets, seed, photographs, drawn_share)
    ) as pool:
        for n in pool.imap_unordered(_shard, jobs):
            done(n)


def read(
    folder: Path, limit: int | None = None, wanted: Callable[[int], bool] = lambda k: True
) -> Iterator[LabelledPhoto]:
    """The scenes of a folder, in the order of their names, pictures decoded (BGR); of the first `limit` those whose
    number is `wanted`."""
    given = 0
    for path in sorted(folder.glob("scenes-*.npz")):
        if path.name.endswith(".part.npz"):
            continue
        with np.load(path) as shard:
            data, lengths, rows, corners = shard["bytes"], shard["lengths"], shard["rows"], shard["corners"]
        ends = np.cumsum(lengths)
        for k, end in enumerate(ends):
            if limit is not None and given >= limit:
                return
            given += 1
            if not wanted(given - 1):
                continue
            pixels = cv2.imdecode(data[end - lengths[k] : end], cv2.IMREAD_COLOR)
            mine = np.flatnonzero(rows[:, 0] == k)
            marks = tuple(
                Mark(CODES[rows[i, 1]], corners[i].astype(np.float64), True, bool(rows[i, 2]), bool(rows[i, 3]))
                for i in mine
            )
            name = f"{path.stem}#{k}"
            yield LabelledPhoto(
                name, pixels.shape[1], pixels.shape[0], marks, pixels=pixels, group="scene", cluster=name
            )
