"""Pascal VOC: an XML file for each picture, upright boxes in whole pixels; `difficult` marks a tile not asked for."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from datasets.formats import manifest, pictures, text
from datasets.formats.outlines import from_box
from datasets.formats.result import Dataset, DatasetError, Done, Finding, assemble, boxed, none_done
from datasets.labels import LabelledPhoto, Mark

LABELS, PICTURES, LISTS = "Annotations", "JPEGImages", "ImageSets/Main"


def parse_object(element: ElementTree.Element) -> Mark:
    """The mark of one `object`, its tile still the source's class name. ValueError says what is wrong with it."""
    name = (element.findtext("name") or "").strip()
    if not name:
        raise ValueError("it has no name")
    sides: list[float] = []
    for side in ("xmin", "ymin", "xmax", "ymax"):
        said = element.findtext(f"bndbox/{side}")
        try:
            sides.append(float(said or ""))
        except ValueError:
            raise ValueError(f"its {side} is “{said or ''}”, no number") from None
    left, top, right, bottom = sides
    return from_box(name, left, top, right, bottom, ignored=(element.findtext("difficult") or "").strip() == "1")


def annotation(photo: LabelledPhoto, path: str) -> ElementTree.Element:
    """The XML of a photograph whose marks bear our codes; `path` is where its picture lies, seen from the XML."""
    root = ElementTree.Element("annotation")
    ElementTree.SubElement(root, "filename").text = PurePosixPath(photo.name).name
    ElementTree.SubElement(root, "path").text = path
    size = ElementTree.SubElement(root, "size")
    for tag, value in (("width", photo.width), ("height", photo.height), ("depth", 3)):
        ElementTree.SubElement(size, tag).text = str(value)
    for mark in photo.marks:
        thing = ElementTree.SubElement(root, "object")
        ElementTree.SubElement(thing, "name").text = mark.tile
        ElementTree.SubElement(thing, "truncated").text = "0"
        ElementTree.SubElement(thing, "difficult").text = str(int(mark.ignored))
        box = ElementTree.SubElement(thing, "bndbox")
        for tag, value in zip(("xmin", "ymin", "xmax", "ymax"), mark.box, strict=True):
            ElementTree.SubElement(box, tag).text = str(round(value))
    ElementTree.indent(root)
    return root


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read every VOC file of a folder, its boxes as they stand. DatasetError when there is no XML file."""
    files = sorted(folder.rglob("*.xml"))
    if not files:
        raise DatasetError(
            f"No Pascal VOC labels in {folder}: expected XML files, in `Annotations` or beside the pictures."
        )
    rows, findings = manifest.read(folder)
    by_name = {path.name: path for path in reversed(pictures.below(folder))}
    splits = _splits(folder)
    photos: list[LabelledPhoto] = []
    for file in files:
        shown = file.relative_to(folder).as_posix()
        try:
            root = text.read_xml(file)
        except text.Damaged as error:
            findings.append(Finding("damaged label file", error.where(shown), str(error)))
            continue
        if root.tag != "annotation":
            continue
        named = (root.findtext("path") or "").strip()
        plain = (root.findtext("filename") or f"{file.stem}.jpg").strip()
        places = (file.parent, file.parent.parent / PICTURES, folder / PICTURES, folder / "images", folder)
        path = (pictures.find(named, (file.parent,), {}) if named else None) or pictures.find(plain, places, by_name)
        if path is None:
            findings.append(Finding("label without picture", shown, f"{plain} is not there; left out."))
            continue
        try:
            width, height = pictures.measured(root.findtext("size/width"), root.findtext("size/height"))
        except ValueError as error:
            findings.append(Finding("damaged label file", shown, f"its `size` is damaged: {error}."))
            continue
        marks: list[Mark] = []
        for number, element in enumerate(root.iter("object"), 1):
            try:
                marks.append(parse_object(element))
            except ValueError as error:
                findings.append(Finding("damaged label", shown, f"object {number} is left out: {error}."))
        relative = file.relative_to(folder).with_suffix("")
        parts = [part for part in relative.parts if part != LABELS]
        name = PurePosixPath(*parts).as_posix() + path.suffix
        split = splits.get(PurePosixPath(*parts).as_posix()) or pictures.split_of(name)
        photos.append(manifest.told(LabelledPhoto(name, width, height, tuple(marks), path=path, split=split), rows))
    return assemble(photos, findings, (), own)


def _splits(folder: Path) -> dict[str, str]:
    splits: dict[str, str] = {}
    for split in ("train", "val", "test"):
        try:
            listed = text.read(folder / LISTS / f"{split}.txt").splitlines()
        except text.Damaged:
            continue
        splits |= {line.split()[0]: split for line in listed if line.strip()}
    return splits


def write(photos: Iterable[LabelledPhoto], folder: Path, copy: bool, done: Done = none_done) -> list[Finding]:
    """Write an XML file for each photograph, lists of the splits and a manifest; pictures only with `copy`."""
    photos = pictures.distinct(map(boxed, photos))
    paths: dict[str, str] = {}
    for photo in photos:
        picture = pictures.put(photo, folder / PICTURES, copy)
        paths[photo.name] = pictures.relative_to(picture, folder)
        file = (folder / LABELS / photo.name).with_suffix(".xml")
        file.parent.mkdir(parents=True, exist_ok=True)
        root = annotation(photo, pictures.relative_to(picture, file.parent))
        file.write_text(ElementTree.tostring(root, encoding="unicode") + "\n", "utf-8")
        done(1)
    (folder / LISTS).mkdir(parents=True, exist_ok=True)
    for split in sorted({photo.split for photo in photos}):
        stems = (PurePosixPath(p.name).with_suffix("").as_posix() for p in photos if p.split == split)
        (folder / LISTS / f"{pictures.safe_name(split)}.txt").write_text("".join(f"{s}\n" for s in stems), "utf-8")
    (folder / manifest.NAME).write_text(manifest.written(photos, paths, of_marks=True), "utf-8")
    return []
