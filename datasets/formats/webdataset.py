"""Packed shards in WebDataset form: tar files in which each photograph is two neighbours, `000012.jpg` and
`000012.json`.

A training on many machines reads shards, not a million small files: each process takes its own and reads them from
beginning to end. The JSON is a labelme one with what else a `LabelledPhoto` knows under `hupai`. Shards are named by
their split (`train-000000.tar`), so that nobody's lessons and measures lie in one file."""

from __future__ import annotations

import io
import json
import os
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import cv2
import numpy as np

from datasets.formats import labelme, pictures, text
from datasets.formats.result import Dataset, DatasetError, Done, Finding, assemble, none_done
from datasets.labels import LabelledPhoto, Mark
from vision.photo import open_photo
from vision.result import PhotoError

SHARD = 200
"""Photographs in a shard."""
AS_THEY_ARE = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Pictures whose bytes are packed unchanged; others become JPEG."""
LARGEST = 8 * 2**30
"""Bytes of decoded pictures that one process holds."""
LARGEST_LABEL = 4 * 2**20


def shards(folder: Path) -> list[Path]:
    """The shards of a folder in a stable order."""
    return sorted(folder.rglob("*.tar"))


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read every shard of a folder; the pictures stay in memory. DatasetError when there is none, or when they are too
    many for one process."""
    found = shards(folder)
    if not found:
        raise DatasetError(f"No shards in {folder}: `hupai data pack` makes tar files of a data set.")
    return read_shards(found, folder, own)


def read_shards(chosen: Sequence[Path], folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read some shards of a folder. A damaged one is named, and what lies before the damage is used."""
    photos: list[LabelledPhoto] = []
    findings: list[Finding] = []
    held = 0
    for shard in chosen:
        shown = shard.relative_to(folder).as_posix()
        for photo, damage in _samples(shard, shown):
            findings += damage
            if photo is not None and photo.pixels is not None:
                photos.append(photo)
                held += photo.pixels.nbytes
            if held > LARGEST:
                raise DatasetError(
                    f"The pictures of {folder} need more than {LARGEST >> 30} GB of memory: pack them smaller "
                    f"(hupai data pack --long-side 1280), or share them among more processes (torchrun)."
                )
    return assemble(photos, findings, (), own)


def _samples(shard: Path, shown: str) -> Iterator[tuple[LabelledPhoto | None, list[Finding]]]:
    """Photographs of one shard; neighbours of one key belong together, as WebDataset has it."""
    key, parts = "", dict[str, bytes]()
    try:
        with tarfile.open(shard, "r|") as tar:
            for member in tar:
                if not member.isfile():
                    continue
                stem, _, suffix = PurePosixPath(member.name).name.partition(".")
                stem = f"{PurePosixPath(member.name).parent}/{stem}"
                if stem != key:
                    if parts:
                        yield _photo(parts, f"{shown}/{PurePosixPath(key).name}")
                    key, parts = stem, {}
                stream = tar.extractfile(member)
                if stream is not None and (suffix != "json" or member.size <= LARGEST_LABEL):
                    parts[suffix.lower()] = stream.read()
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        yield None, [Finding("damaged shard", shown, f"it cannot be read to its end ({error}): pack it again.")]
    if parts:
        yield _photo(parts, f"{shown}/{PurePosixPath(key).name}")


def _photo(parts: Mapping[str, bytes], shown: str) -> tuple[LabelledPhoto | None, list[Finding]]:
    data = next((parts[suffix] for suffix in ("jpg", "jpeg", "png", "webp") if suffix in parts), None)
    if data is None:
        return None, [Finding("label without picture", shown, "the shard has no picture of this key.")]
    try:
        content = text.json_object(parts.get("json", b""))
        pixels = open_photo(data).full()
    except text.Damaged as error:
        return None, [Finding("damaged label file", error.where(f"{shown}.json"), str(error))]
    except PhotoError as error:
        return None, [Finding("unreadable picture", shown, str(error))]
    findings: list[Finding] = []
    marks: list[Mark] = []
    shapes = content.get("shapes")
    for number, shape in enumerate(shapes if isinstance(shapes, list) else [], 1):
        try:
            marks.append(labelme.parse_shape(shape))
        except ValueError as error:
            findings.append(Finding("damaged label", shown, f"shape {number} is left out: {error}."))
    told = content.get("hupai")
    told = told if isinstance(told, dict) else {}

    def words(field: str, otherwise: str = "") -> str:
        return value if isinstance(value := told.get(field), str) and value else otherwise

    notes = told.get("notes")
    photo = LabelledPhoto(
        name=words("name", f"{shown}.jpg"),
        width=pixels.shape[1],
        height=pixels.shape[0],
        marks=tuple(marks),
        pixels=pixels,
        group=words("group"),
        cluster=words("cluster"),
        split=words("split", pictures.split_of(f"{re.sub(r'[-_.].*', '', PurePosixPath(shown).parent.name)}/x")),
        partial=told.get("partial") is True,
        reviewed=told.get("reviewed") is True,
        notes=tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else (),
    )
    return photo, findings


def write(photos: Iterable[LabelledPhoto], folder: Path, copy: bool, done: Done = none_done) -> list[Finding]:
    """Pack photographs; the pictures always go along. Returns those that could not be read."""
    return pack(photos, folder, done=done)


def pack(
    photos: Iterable[LabelledPhoto],
    folder: Path,
    per_shard: int = SHARD,
    long_side: int | None = None,
    done: Done = none_done,
) -> list[Finding]:
    """Write shards of `per_shard` photographs, each split into its own, pictures shrunk to `long_side` pixels where
    they are larger. The same photographs give the same bytes. Returns what could not be packed."""
    findings: list[Finding] = []
    folder.mkdir(parents=True, exist_ok=True)
    by_split: dict[str, list[LabelledPhoto]] = {}
    for photo in pictures.distinct(photos):
        by_split.setdefault(re.sub(r"\W+", "_", photo.split) or "train", []).append(photo)
    for split, members in sorted(by_split.items()):
        for first in range(0, len(members), per_shard):
            path = folder / f"{split}-{first // per_shard:06d}.tar"
            half = path.with_suffix(".part")
            with tarfile.open(half, "w", format=tarfile.USTAR_FORMAT) as tar:
                for k, photo in enumerate(members[first : first + per_shard], first):
                    try:
                        suffix, data, packed = _packed(photo, long_side)
                    except (PhotoError, OSError) as error:
                        findings.append(Finding("unreadable picture", photo.name, str(error)))
                    else:
                        _add(tar, f"{k:06d}{suffix}", data)
                        _add(tar, f"{k:06d}.json", json.dumps(_content(packed, suffix), ensure_ascii=False).encode())
                    done(1)
            os.replace(half, path)
    return findings


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


def _packed(photo: LabelledPhoto, long_side: int | None) -> tuple[str, bytes, LabelledPhoto]:
    """The suffix and bytes of a picture, and the photograph as these bytes show it."""
    shrink = long_side is not None and max(photo.width, photo.height) > long_side
    if photo.path is not None and not shrink and (suffix := photo.path.suffix.lower()) in AS_THEY_ARE:
        data = photo.path.read_bytes()
        open_photo(data)
        return suffix, data, photo
    pixels = pictures.pixels(photo)
    height, width = pixels.shape[:2]
    if shrink and long_side is not None:
        scale = long_side / max(width, height)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        factor = np.array([pixels.shape[1] / photo.width, pixels.shape[0] / photo.height])
        marks = tuple(replace(mark, corners=mark.corners * factor) for mark in photo.marks)
        photo = replace(photo, marks=marks, width=pixels.shape[1], height=pixels.shape[0])
    return ".jpg", cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes(), photo


def _content(photo: LabelledPhoto, suffix: str) -> dict[str, Any]:
    return {
        "shapes": [labelme.shape_of(mark) for mark in photo.marks],
        "imageWidth": photo.width,
        "imageHeight": photo.height,
        "hupai": {
            "name": PurePosixPath(photo.name).with_suffix(suffix).as_posix(),
            "group": photo.group,
            "cluster": photo.cluster,
            "split": photo.split,
            "partial": photo.partial,
            "reviewed": photo.reviewed,
            "notes": list(photo.notes),
        },
    }
