"""`hupai calibrate NAME PHOTO…` and `hupai profiles`: the reader gets to know a tile set from a few photographs."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from datasets.formats import text, yolo
from datasets.formats.result import assemble
from datasets.labels import LabelledPhoto, Mark
from scoring.tiles import TILES
from ui.places import data_folder, profile_folder
from ui.printing import of_photograph
from vision import profile as profiles
from vision.network import NoModel
from vision.photo import Photo, open_photo
from vision.profile import Example, Profile
from vision.reading import Reader
from vision.result import UNKNOWN, PhotoError, ProfileError

app = typer.Typer(no_args_is_help=True, add_completion=False)
profiles_app = typer.Typer(no_args_is_help=True, help="Tile sets that the reader was shown: list, delete.")
app.add_typer(profiles_app, name="profiles")
out = Console(markup=False, emoji=False)

Json = Annotated[bool, typer.Option("--json", help="JSON for programs.")]


def _stop(sentence: str) -> typer.Exit:
    print(" ".join(sentence.split()), file=sys.stderr)  # a name with a line break in it makes no second line
    return typer.Exit(2)


def _folder() -> Path:
    if data_folder().is_file():
        raise _stop(f"{data_folder()} is a file and no folder to keep things in: name another with HUPAI_HOME.")
    return profile_folder()


@dataclass(frozen=True)
class Taken:
    """What one photograph gave: its examples, and in words what could not be used."""

    photo: str
    examples: tuple[Example, ...]
    left_out: tuple[str, ...]
    labelled: bool


@app.command()
def calibrate(
    name: Annotated[str, typer.Argument(help="What to call this tile set.")],
    photos: Annotated[list[Path], typer.Argument(help="Photographs of its tiles, one of each in rows for instance.")],
    labels: Annotated[
        Path | None, typer.Option(help="Folder of YOLO labels in the order of its classes.txt; else beside the photos.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the reader a tile set: from then on it knows these tiles better. A further photograph adds to it.

    Without labels the reader's own sure readings serve. No training, a few seconds."""
    started = time.perf_counter()
    folder = _folder()
    if name in profiles.TAKEN:
        raise _stop(f"“{name}” means another thing where a tile set is named: call yours something else.")
    if labels is not None and not labels.is_dir():
        raise _stop(f"There is no folder of labels {labels}: check the name.")
    try:
        before = profiles.load(folder, name) if name in profiles.names(folder) else None
        reader = Reader()
        taken: list[Taken] = []
        with Progress(console=Console(stderr=True), transient=True, disable=as_json or not sys.stderr.isatty()) as bar:
            for path in bar.track(photos, description="look at the tiles"):
                try:
                    taken.append(_taken(reader, path, labels))
                except PhotoError as error:
                    raise _stop(of_photograph(path, error)) from None
        made = profiles.learned(name, [e for t in taken for e in t.examples], reader.classifier, before)
        profiles.save(folder, made)
    except (ProfileError, NoModel) as error:
        raise _stop(str(error)) from None
    except OSError as error:
        raise _stop(f"The tile set cannot be kept in {folder} ({error.strerror or error}).") from None
    lacking = [tile for tile in TILES if tile not in made.tiles]
    seconds = time.perf_counter() - started
    if as_json:
        used = [{"photo": t.photo, "examples": len(t.examples), "left_out": list(t.left_out)} for t in taken]
        print(
            json.dumps({**described(made), "lacking": lacking, "photos": used, "seconds": round(seconds, 2)}, indent=1)
        )
        return
    for t in taken:
        how = "labelled" if t.labelled else "read with confidence"
        print(f"{t.photo}: {len(t.examples)} tiles {how}" + "".join(f"; {words}" for words in t.left_out))
    print(
        f"{name}: {len(made.examples)} examples of {len(made.tiles)} tiles from {len(made.sources)} "
        f"{'photograph' if len(made.sources) == 1 else 'photographs'}, "
        f"in {seconds:.1f} s. Use it with: hupai read --profile '{name}' PHOTO"
    )
    if lacking:
        print(f"not shown yet: {' '.join(lacking)}")


def described(profile: Profile) -> dict[str, Any]:
    """A profile as plain data."""
    return {
        "profile": profile.name,
        "examples": len(profile.examples),
        "tiles": dict(sorted(profile.tiles.items(), key=lambda item: [*TILES, "back"].index(item[0]))),
        "photographs": len(profile.sources),
        "weights": profile.weights,
    }


# -- what a photograph shows -------------------------------------------------------------------------------------------


def _taken(reader: Reader, path: Path, labels: Path | None) -> Taken:
    photo = open_photo(path)
    source = profiles.digest(path.read_bytes())
    label = _label(path, labels)
    if labels is not None and label is None:
        raise ProfileError(f"{path.name} has no label in {labels}: expected {path.stem}.txt there.")
    return _labelled(reader, path, photo, label, source) if label else _read(reader, path, photo, source)


def _label(path: Path, folder: Path | None) -> Path | None:
    """The label file of a photograph: in the named folder, else beside it or in the `labels` beside `images`."""
    beside = (path.with_suffix(".txt"), path.parent.parent / "labels" / f"{path.stem}.txt")
    places = (folder / f"{path.stem}.txt",) if folder else beside
    return next((place for place in places if place.is_file()), None)


def _classes(label: Path) -> list[str]:
    for place in (label.parent, label.parent.parent):
        if (place / "classes.txt").is_file():
            try:
                return [line.strip() for line in text.read(place / "classes.txt").strip().splitlines()]
            except text.Damaged as error:
                raise ProfileError(f"{place / 'classes.txt'} cannot be read: {error}") from None
    raise ProfileError(f"There is no classes.txt beside {label} or above: put one there, a class name a line.")


def _labelled(reader: Reader, path: Path, photo: Photo, label: Path, source: str) -> Taken:
    pixels = photo.full()
    classes = _classes(label)
    marks: list[Mark] = []
    left_out: list[str] = []
    try:
        lines = text.read(label).splitlines()
    except text.Damaged as error:
        raise ProfileError(f"{label} cannot be read: {error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                marks.append(yolo.parse_line(line, photo.width, photo.height, classes))
            except ValueError as error:
                left_out.append(f"line {number} of {label.name} left out, {error}")
    plain = LabelledPhoto(path.name, photo.width, photo.height, tuple(marks), pixels=pixels)
    dataset = assemble([plain], declared=classes)
    left_out += [f"{finding.kind}: {finding.sentence}" for finding in dataset.findings]
    drawn = dataset.photos[0].marks
    quads = profiles.outlined(reader.refiner, pixels, [mark.corners for mark in drawn])
    seen = [(mark.tile, quad) for mark, quad in zip(drawn, quads, strict=True) if quad is not None]
    if vague := len(drawn) - len(seen):
        left_out.append(f"{vague} left out, their corners cannot be seen")
    return Taken(str(path), _examples(reader, pixels, seen, source), tuple(left_out), True)


def _read(reader: Reader, path: Path, photo: Photo, source: str) -> Taken:
    reading = reader.read(path)
    sure = [tile for tile in reading.tiles if tile.doubt is None and tile.tile != UNKNOWN]
    pixels = photo.full()
    seen = [(tile.tile, np.array(tile.corners)) for tile in sure]
    doubtful = len(reading.tiles) - len(sure)
    left_out = (f"{doubtful} doubtful, left out: label them or put them right in the app",) if doubtful else ()
    return Taken(str(path), _examples(reader, pixels, seen, source), left_out, False)


def _examples(reader: Reader, pixels: Any, seen: list[tuple[str, Any]], source: str) -> tuple[Example, ...]:
    tiles, quads = [tile for tile, _ in seen], [quad for _, quad in seen]
    return tuple(profiles.shown(reader.classifier, pixels, quads, tiles, source))


# -- what there is -----------------------------------------------------------------------------------------------------


@profiles_app.command("list")
def listed(as_json: Json = False) -> None:
    """The tile sets that were shown, and which tiles each lacks."""
    folder, found, broken = _folder(), list[Profile](), list[str]()
    for name in profiles.names(folder):
        try:
            found.append(profiles.load(folder, name))
        except ProfileError as error:
            broken.append(str(error))
    for sentence in broken:
        print(sentence, file=sys.stderr)
    if as_json:
        print(json.dumps([described(profile) for profile in found], ensure_ascii=False, indent=1))
    elif found:
        out.print(_table(found))
    else:
        print("No tile set was shown yet: hupai calibrate NAME PHOTO")
    if broken:
        raise typer.Exit(2)


def _table(found: list[Profile]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("name", "photographs", "examples", "tiles", "not shown yet"):
        table.add_column(heading, overflow="fold")
    for profile in found:
        lacking = " ".join(tile for tile in TILES if tile not in profile.tiles)
        numbers = (len(profile.sources), len(profile.examples), len(profile.tiles))
        table.add_row(profile.name, *map(str, numbers), lacking)
    return table


@profiles_app.command("delete")
def deleted(name: Annotated[str, typer.Argument(help="The tile set.")]) -> None:
    """Forget a tile set."""
    try:
        profiles.delete(_folder(), name)
    except ProfileError as error:
        raise _stop(str(error)) from None
    except OSError as error:
        raise _stop(f"The tile set cannot be deleted ({error.strerror or error}).") from None
    print(f"{name} is deleted.")
