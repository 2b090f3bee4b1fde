"""The pictures beside the labels: finding them, measuring them, and naming them in what is written.

Names keep the folders below the data set (`train/hand.jpg`) and never leave it: labels come from strangers."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

import cv2
import numpy as np

from datasets.formats.result import DatasetError, Done, none_done
from datasets.labels import LabelledPhoto
from vision.photo import open_photo
from vision.result import PhotoError

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".heic"})
SPLITS = {"train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val", "test": "test"}
"""Folder names that mean a split. Years may follow: `train2017`."""


def below(folder: Path) -> list[Path]:
    """Every picture in a folder and its folders, in a stable order; hidden folders are left alone."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.is_file()
    )


WAYS = tuple((quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
"""The ways in which a copy of a picture can lie: quarter turns, and whether it is mirrored."""


@dataclass(frozen=True, eq=False)
class Look:
    """What one decoding of a picture tells: enough to measure it and to know it again.

    digest: SHA-256 of the file, the same for exact copies.
    hashes: a difference hash, 32 bytes, of the picture in each of `WAYS`: for each cell of 16 × 16 whether it is
    brighter than its right neighbour.
    thumb: uint8 (32, 32), the picture in grey, to confirm what the hash suspects.
    """

    width: int
    height: int
    digest: str
    hashes: np.ndarray
    thumb: np.ndarray


def look(path: Path) -> Look:
    """Look at a picture; remembered as long as the file does not change. PhotoError when it cannot be read."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        changed = 0
    found = _look(path, changed)
    if isinstance(found, PhotoError):
        raise PhotoError(*found.args)
    return found


def look_ahead(paths: Iterable[Path], done: Done = none_done) -> None:
    """Look at many pictures on all cores, so that reading them afterwards takes no time."""

    def one(path: Path) -> None:
        with contextlib.suppress(PhotoError):
            look(path)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(one, paths):
            done(1)


def size(path: Path) -> tuple[int, int]:
    """Width and height of the upright picture. PhotoError, in one sentence, when it cannot be read."""
    seen = look(path)
    return seen.width, seen.height


@lru_cache(100_000)
def _look(path: Path, changed: int) -> Look | PhotoError:
    try:
        data = path.read_bytes()
        photo = open_photo(data)
    except PhotoError as error:
        return error
    except OSError as error:
        return PhotoError(f"It cannot be read ({error.strerror}).")
    return seen_in(photo.pixels, photo.width, photo.height, hashlib.sha256(data).hexdigest())


def seen_in(picture: np.ndarray, width: int, height: int, digest: str) -> Look:
    """The look of decoded pixels (h, w, 3)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    thumb = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA)
    small = cv2.resize(grey, (272, 272), interpolation=cv2.INTER_AREA)  # whole cells of 17 × 16 whichever side is up
    cells = (cv2.resize(lying(small, way), (17, 16), interpolation=cv2.INTER_AREA) for way in WAYS)
    return Look(width, height, digest, np.stack([_difference_hash(c) for c in cells]), thumb)


def lying(picture: np.ndarray, way: tuple[int, bool]) -> np.ndarray:
    """A picture (h, w) mirrored, or not, and then turned by quarters."""
    quarters, mirrored = way
    return np.ascontiguousarray(np.rot90(picture[:, ::-1] if mirrored else picture, quarters))


def _difference_hash(cells: np.ndarray) -> np.ndarray:
    return np.packbits(cells[:, 1:] < cells[:, :-1])


def measured(width: object, height: object) -> tuple[int, int]:
    """Width and height as a label file gives them. ValueError when they are no sizes of a picture."""
    try:
        w, h = (int(float(side)) for side in (width, height))  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"“{width!s:.20} × {height!s:.20}” is no size of a picture") from None
    if not (1 <= w <= 1_000_000 and 1 <= h <= 1_000_000):
        raise ValueError(f"{w!s:.20} × {h!s:.20} is no size of a picture")
    return w, h


def split_of(name: str) -> str:
    """The split that a name's folders say (`valid/images/a.jpg` → val), `train` when they say none."""
    for part in PurePosixPath(name).parts[:-1]:
        if split := SPLITS.get(re.sub(r"\d+$", "", part.lower())):
            return split
    return "train"


def plain_name(relative: Path) -> str:
    """The name of a picture without the folder `images` that formats put in between."""
    parts = [part for part in relative.parts[:-1] if part.lower() not in ("images", "jpegimages")]
    return PurePosixPath(*parts, relative.name).as_posix()


def safe_name(name: str) -> str:
    """A name that stays below the folder it is written into: no drive, no root, no `..`."""
    parts = [p for p in re.split(r"[\\/]+", name) if p not in ("", ".", "..") and not p.endswith(":")]
    return "/".join(parts) or "photo"


def distinct(photos: Iterable[LabelledPhoto]) -> list[LabelledPhoto]:
    """The photographs under safe names of which no two share a stem, as one label file is written for each stem."""
    taken: set[str] = set()
    renamed: list[LabelledPhoto] = []
    for photo in photos:
        path = PurePosixPath(safe_name(photo.name))
        if path.suffix.lower() not in SUFFIXES:
            path = path.with_name(path.name + (photo.path.suffix if photo.path else ".png"))
        stem, k = path.with_suffix(""), 1
        while stem.as_posix().casefold() in taken:
            k += 1
            stem = path.with_name(f"{path.stem}-{k}")
        taken.add(stem.as_posix().casefold())
        renamed.append(replace(photo, name=stem.as_posix() + path.suffix))
    return renamed


def put(photo: LabelledPhoto, folder: Path, copy: bool) -> Path:
    """Where the picture of a photograph lies once it is written: in `folder` when it is copied (or has been in memory
    only), where it was otherwise. A copy that is there already is not made again."""
    if photo.path is not None and not copy:
        return photo.path
    target = folder / photo.name
    target.parent.mkdir(parents=True, exist_ok=True)
    if photo.path is not None:
        if not (target.exists() and _same(target.stat(), photo.path.stat())):
            shutil.copy2(photo.path, target)
    elif photo.pixels is not None:
        done, data = cv2.imencode(target.suffix if target.suffix in (".jpg", ".png") else ".png", photo.pixels)
        if not done:
            raise DatasetError(f"The picture of {photo.name} cannot be written.")
        target.write_bytes(data.tobytes())
    else:
        raise DatasetError(f"{photo.name} has neither a picture file nor pixels: it cannot be written.")
    return target


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    """Is it one file, or a copy that `put` has made of it?"""
    return os.path.samestat(one, other) or (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def pixels(photo: LabelledPhoto) -> np.ndarray:
    """The upright pixels (h, w, 3) BGR at full size. PhotoError when the picture cannot be read."""
    if photo.pixels is not None:
        return photo.pixels
    if photo.path is None:
        raise DatasetError(f"{photo.name} has neither a picture file nor pixels.")
    return open_photo(photo.path).full()


def relative_to(path: Path, folder: Path) -> str:
    """A path as it is written into a file of `folder`: relative, with forward slashes; absolute on another drive."""
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return path.resolve().as_posix()


def find(named: str, folders: Iterable[Path], by_name: dict[str, Path]) -> Path | None:
    """The picture that a label file names: as a path from one of the folders, else by its file name alone."""
    wanted = named.replace("\\", "/")
    with contextlib.suppress(OSError, ValueError):  # names that no file can have: too long, or with a null in them
        for folder in folders:
            if (folder / wanted).is_file():
                return folder / wanted
    return by_name.get(PurePosixPath(wanted).name)
