"""Class folders: pictures of single tiles, sorted into a folder for each class (`train/3p/001.png`).

Each picture is one mark that fills it. Writing cuts every tile out of its photograph, straightened where its corners
are known, so this format always writes pictures and loses where the tiles lay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import cv2
import numpy as np

from datasets.formats import manifest, pictures
from datasets.formats.outlines import from_box
from datasets.formats.result import Dataset, DatasetError, Done, Finding, assemble, none_done
from datasets.labels import LabelledPhoto, Mark, box_corners
from vision.photo import SMALLEST_SIDE
from vision.result import PhotoError


def crop(picture: np.ndarray, mark: Mark) -> np.ndarray:
    """The tile (h, w, 3) cut out and straightened; at least `SMALLEST_SIDE` pixels on its short side, so that what is
    written can be read again. ValueError when it has no area."""
    corners = mark.corners if mark.exact else box_corners(*mark.box)
    width = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3]))
    height = max(np.linalg.norm(corners[3] - corners[0]), np.linalg.norm(corners[2] - corners[1]))
    if min(width, height) < 2:
        raise ValueError(f"the tile is only {width:.1f} × {height:.1f} pixels large")
    scale = max(1.0, SMALLEST_SIDE / min(width, height))
    w, h = round(width * scale), round(height * scale)
    target = box_corners(0, 0, w, h).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return cv2.warpPerspective(picture, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read pictures of single tiles by the name of their folder. DatasetError when no folder holds pictures."""
    rows, findings = manifest.read(folder)
    photos: list[LabelledPhoto] = []
    for path in pictures.below(folder):
        if path.parent == folder:
            continue
        name = path.relative_to(folder).as_posix()
        try:
            width, height = pictures.size(path)
        except PhotoError as error:
            findings.append(Finding("unreadable picture", name, str(error)))
            continue
        marks = (from_box(path.parent.name, 0, 0, width, height),)
        photo = LabelledPhoto(name, width, height, marks, path=path, split=pictures.split_of(name))
        photos.append(manifest.told(photo, rows))
    if not photos and not findings:
        raise DatasetError(f"No class folders in {folder}: expected a folder for each class with its pictures.")
    return assemble(photos, findings, sorted({photo.marks[0].tile for photo in photos}), own)


def write(photos: Iterable[LabelledPhoto], folder: Path, copy: bool, done: Done = none_done) -> list[Finding]:
    """Cut every tile that is asked for into the folder of its class. DatasetError without `copy`: there is nothing to
    write but pictures. Returns what could not be cut out."""
    if not copy:
        raise DatasetError("Class folders consist of pictures: say --copy to have the tiles cut out and written.")
    written: list[LabelledPhoto] = []
    findings: list[Finding] = []
    for photo in pictures.distinct(photos):
        done(1)
        try:
            picture = pictures.pixels(photo)
        except PhotoError as error:
            findings.append(Finding("unreadable picture", photo.name, str(error)))
            continue
        stem = PurePosixPath(photo.name).with_suffix("").as_posix().replace("/", "_")
        for k, mark in enumerate(photo.marks):
            if mark.ignored:
                continue
            try:
                tile = crop(picture, mark)
            except ValueError as error:
                findings.append(Finding("tile without area", photo.name, f"{mark.tile} is left out: {error}."))
                continue
            name = f"{photo.split}/{mark.tile}/{stem}-{k:02d}.png"
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(cv2.imencode(".png", tile)[1].tobytes())
            whole = Mark(mark.tile, box_corners(0, 0, tile.shape[1], tile.shape[0]), mark.exact, mark.upright)
            written.append(
                LabelledPhoto(
                    name, tile.shape[1], tile.shape[0], (whole,), path, None, photo.group, photo.cluster, photo.split
                )
            )
    text = manifest.written(written, {photo.name: photo.name for photo in written}, of_marks=True)
    (folder / manifest.NAME).write_text(text, "utf-8")
    return findings
