"""How much does a profile bring? `python -m models.bench_calibration` reads the photographs of an unseen set before and
after the reader was shown some of them, several draws with fixed seeds, and prints the table.

What is shown and near-duplicates of it are never measured. A mistake is any labelled tile that is not said to be what
it is, missed ones included. Where not every tile in view is labelled, what is said elsewhere cannot be judged, but
how much of it is new and called sure is counted."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets import hupai_photos
from datasets.labels import LabelledPhoto
from models.evaluate import match
from models.evaluate import turned as turned_by
from vision import profile as profiles
from vision.photo import Photo
from vision.profile import Profile
from vision.reading import Reader
from vision.result import UNKNOWN

SHOWN = (1, 4, 10)


@dataclass
class Gain:
    """Counts over draws for one number of photographs shown: labelled tiles, mistakes before and after, tiles that were
    right before and not after, sure but wrong before and after, and sure tiles elsewhere that are new."""

    shown: int
    tiles: int = 0
    before: int = 0
    after: int = 0
    harmed: int = 0
    sure_wrong_before: int = 0
    sure_wrong_after: int = 0
    new_elsewhere: int = 0

    def row(self) -> dict[str, float]:
        """The line of the table."""
        return {
            **asdict(self),
            "mistakes_gone": round(1 - self.after / self.before, 3) if self.before else float("nan"),
        }


@dataclass(frozen=True)
class Said:
    """What one reading says: of each labelled tile whether it is right and whether it is called sure, and how many
    tiles elsewhere are called sure, by their codes."""

    right: tuple[bool, ...]
    sure: tuple[bool, ...]
    elsewhere: Counter[str]


def pixels_of(photo: LabelledPhoto) -> np.ndarray:
    pixels = photo.pixels if photo.pixels is not None else cv2.imread(str(photo.path))
    assert pixels is not None
    return np.asarray(pixels, np.uint8)


def show(reader: Reader, photos: Sequence[LabelledPhoto]) -> Profile:
    """The profile of labelled photographs, as `hupai calibrate --labels` makes it."""
    examples: list[profiles.Example] = []
    for photo in photos:
        pixels, marks = pixels_of(photo), [m for m in photo.marks if not m.ignored and not m.by_reader]
        quads = profiles.outlined(reader.refiner, pixels, [m.corners for m in marks])
        seen = [(m.tile, q) for m, q in zip(marks, quads, strict=True) if q is not None]
        examples += profiles.shown(reader.classifier, pixels, [q for _, q in seen], [t for t, _ in seen], photo.name)
    return profiles.learned("bench", examples, reader.classifier)


def said(reader: Reader, photo: LabelledPhoto, profile: Profile | None) -> Said:
    """Read one photograph."""
    pixels = pixels_of(photo)
    reading = reader.read_photo(Photo(pixels, photo.width, photo.height), 0.0, lambda stage: None, profile=profile)
    asked = [m for m in photo.marks if not (m.ignored or m.by_reader)]
    pairs, rest = match(reading.tiles, asked)
    tiles = [reading.tiles[pairs[m]] if m in pairs else None for m in range(len(asked))]
    return Said(
        tuple(tile is not None and tile.tile == mark.tile for tile, mark in zip(tiles, asked, strict=True)),
        tuple(tile is not None and tile.tile != UNKNOWN and not tile.doubt for tile in tiles),
        Counter(t.tile for t in (reading.tiles[k] for k in rest) if t.tile != UNKNOWN and not t.doubt),
    )


def add(gain: Gain, before: Said, after: Said) -> None:
    """Count one photograph, read without and with the set."""
    gain.tiles += len(before.right)
    gain.before += before.right.count(False)
    gain.after += after.right.count(False)
    gain.harmed += sum(was and not still for was, still in zip(before.right, after.right, strict=True))
    gain.sure_wrong_before += sum(s and not r for r, s in zip(before.right, before.sure, strict=True))
    gain.sure_wrong_after += sum(s and not r for r, s in zip(after.right, after.sure, strict=True))
    gain.new_elsewhere += (after.elsewhere - before.elsewhere).total()


def draws(photos: Sequence[LabelledPhoto], shown: int, count: int, seed: int = 0) -> list[list[LabelledPhoto]]:
    """Random choices of `shown` photographs, no two of one near-duplicate cluster."""
    rng = np.random.default_rng(seed)
    chosen: list[list[LabelledPhoto]] = []
    for _ in range(count):
        by_cluster: dict[str, LabelledPhoto] = {}
        for k in rng.permutation(len(photos)):
            by_cluster.setdefault(photos[k].cluster, photos[k])
        chosen.append(list(by_cluster.values())[:shown])
    return chosen


def bench(reader: Reader, photos: Sequence[LabelledPhoto], count: int, limit: int, turn: bool) -> list[Gain]:
    """Draw, show, measure the others (at most `limit` of them a draw)."""
    turned = {
        p.name: turned_by(p, float(np.random.default_rng(list(p.name.encode())).uniform(0, 360))) if turn else p
        for p in photos
    }
    plain: dict[str, Said] = {}
    gains: list[Gain] = []
    for shown in SHOWN:
        gain = Gain(shown)
        for number, chosen in enumerate(
            track(draws(photos, shown, count), f"{shown} shown", console=Console(stderr=True))
        ):
            profile = show(reader, chosen)
            seen = {p.cluster for p in chosen}
            others = [p for p in photos if p.cluster not in seen]
            order = np.random.default_rng(number).permutation(len(others))[:limit]
            for photo in (turned[others[k].name] for k in order):
                if photo.name not in plain:
                    plain[photo.name] = said(reader, photo, None)
                add(gain, plain[photo.name], said(reader, photo, profile))
        gains.append(gain)
    return gains


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m models.bench_calibration", description=__doc__)
    parser.add_argument("--group", help="A group of photographs instead of the unseen set.")
    parser.add_argument("--models", type=Path, help="A folder of models instead of the shipped ones.")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--limit", type=int, default=1000, help="At most so many photographs are read a draw.")
    parser.add_argument("--turn", action="store_true", help="Turn what is measured by any angle.")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    try:
        photos = hupai_photos.load()
    except hupai_photos.NoPhotographs as missing:
        print(f"{missing}.", file=sys.stderr)
        return 2
    wanted = [p for p in photos if (p.group == given.group if given.group else p.split == "unseen")]
    if not wanted:
        print(f"There is no group “{given.group}” among the photographs.", file=sys.stderr)
        return 2
    reader = Reader(given.models) if given.models else Reader()
    rows = [gain.row() for gain in bench(reader, wanted, given.draws, given.limit, given.turn)]
    if given.json:
        print(json.dumps(rows, indent=1))
        return 0
    table = Table(title="Tiles right before and after calibration" + (", turned by any angle" if given.turn else ""))
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for row in rows:
        table.add_row(*(f"{value:g}" for value in row.values()))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
