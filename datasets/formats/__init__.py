"""The formats other programs know, one small file each. A reader makes a `Dataset` of a folder, a writer takes
photographs; what a format cannot hold is said here, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from datasets import results
from datasets.formats import class_folders, coco, labelme, pictures, records, rendered, text, voc, webdataset, yolo
from datasets.formats.result import Dataset, DatasetError, Done, Finding
from datasets.labels import LabelledPhoto

Reader = Callable[[Path, Mapping[str, str] | None], Dataset]
Writer = Callable[[Iterable[LabelledPhoto], Path, bool, Done], list[Finding]]


@dataclass(frozen=True)
class Format:
    """A format by the name it has on the command line.

    keeps: the most it says about a tile: its four `corners`, an upright `box`, or its `tile` alone.
    write: None for formats that are only read.
    """

    name: str
    what: str
    keeps: Literal["corners", "box", "tile"]
    read: Reader
    write: Writer | None


FORMATS = {
    f.name: f
    for f in (
        Format("yolo", "YOLO text files, upright boxes", "box", yolo.read, yolo.write_boxes),
        Format("yolo-obb", "YOLO text files, four corners", "corners", yolo.read, yolo.write_corners),
        Format("yolo-polygon", "YOLO text files, outlines", "corners", yolo.read, yolo.write_corners),
        Format("coco", "one COCO JSON file", "corners", coco.read, coco.write),
        Format("voc", "Pascal VOC XML files", "box", voc.read, voc.write),
        Format("labelme", "labelme JSON files", "corners", labelme.read, labelme.write),
        Format("webdataset", "packed shards in WebDataset form", "corners", webdataset.read, webdataset.write),
        Format("folders", "a folder of pictures for each class", "tile", class_folders.read, class_folders.write),
        Format("records", "photographs put right in Hupai", "corners", records.read, None),
        Format("scenes", "rendered scenes of `hupai data render`", "corners", rendered.read, None),
    )
}


PLAIN_FOLDERS = {"images", "photos", "pictures", "train", "val", "valid", "test"}
"""Folders of pictures whose name is no class."""


def detect(folder: Path) -> str:
    """The name of the format that a folder (or a COCO file) holds. DatasetError when it is none that we know."""
    if folder.is_file():
        if folder.suffix.lower() == ".json":
            return "coco"
        raise DatasetError(f"{folder} is no data set: name a folder, or a COCO file that ends in .json.")
    if not folder.is_dir():
        raise DatasetError(f"There is no folder {folder}: check the name.")
    if any(folder.glob("scenes-*.npz")):
        return "scenes"
    if any(folder.rglob("*.tar")):
        return "webdataset"
    for path in sorted(folder.rglob("*.json"))[:50]:
        try:
            content = text.read_json(path)
        except text.Damaged:
            continue
        if records.is_record(content):
            return "records"
        if labelme.is_labelme(content):
            return "labelme"
        if coco.is_coco(content):
            return "coco"
    if any(folder.rglob("*.xml")):
        return "voc"
    if (folder / "classes.txt").is_file() or (folder / "data.yaml").is_file() or any(folder.rglob("labels/**/*.txt")):
        return "yolo"
    shown = pictures.below(folder)
    if any(path.parent != folder and path.parent.name.lower() not in PLAIN_FOLDERS for path in shown):
        return "folders"
    if shown:
        raise DatasetError(
            f"{folder} holds {len(shown)} {'picture' if len(shown) == 1 else 'pictures'} and no labels: label them in "
            f"the browser with `hupai data label {folder} OUT --to yolo`, or put the label files beside them."
        )
    raise DatasetError(
        f"{folder} holds neither pictures nor labels of a format we know: name the folder that holds both, "
        f"in one of the formats {', '.join(FORMATS)}."
    )


def read(folder: Path, name: str = "auto", own: Mapping[str, str] | None = None) -> Dataset:
    """Read a data set. DatasetError when the folder is not there, or holds nothing of the format."""
    name = detect(folder) if name == "auto" else name
    if name not in FORMATS:
        raise DatasetError(f"There is no format “{name}”: write one of {', '.join(FORMATS)}.")
    if not folder.exists():
        raise DatasetError(f"There is no folder {folder}: check the name.")
    if folder.is_file() and name != "coco":
        raise DatasetError(f"{folder} is a file: name the folder of the data set.")
    return FORMATS[name].read(folder, own)


def write(
    photos: Iterable[LabelledPhoto], folder: Path, name: str, copy: bool = False, done: Done = lambda n: None
) -> list[Finding]:
    """Write photographs into a new or empty folder; returns what could not be written. Pictures stay where they are
    unless `copy`; those that are in memory only are always written. DatasetError when the folder is in use."""
    if name not in FORMATS or (writer := FORMATS[name].write) is None:
        able = ", ".join(f.name for f in FORMATS.values() if f.write)
        raise DatasetError(f"“{name}” is no format that is written: write one of {able}.")
    if taken := results.in_use(folder):
        raise DatasetError(taken)
    folder.mkdir(parents=True, exist_ok=True)
    return writer(photos, folder, copy, done)
