"""How much does a profile bring? `python -m models.bench_calibration` reads the photographs of an unseen set before and
after the reader was shown some of them, several draws with fixed seeds, and prints the table.

What is shown and near-duplicates of it are never measured. A mistake is any labelled tile that is not said to be what
it is, missed ones included."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets import hupai_photos
from datasets.labels import LabelledPhoto
from models.evaluate import Tally, judge
from models.evaluate import turned as turned_by
from vision import profile as profiles
from vision.photo import Photo
from vision.profile import Profile
from vision.reading import Reader

SHOWN = (1, 4, 10)


@dataclass
class Gain:
    """Counts over draws for one number of photographs shown: tiles asked, wrong before and after, sure but wrong."""

    shown: int
    tiles: int = 0
    before: int = 0
    after: int = 0
    sure_before: int = 0
    sure_after: int = 0

    def row(self) -> dict[str, float]:
        """The line of the table."""
        share = (lambda part: round(part / self.tiles, 4)) if self.tiles else (lambda part: float("nan"))
        return {
            "shown": self.shown,
            "right_before": share(self.tiles - self.before),
            "right_after": share(self.tiles - self.after),
            "mistakes_gone": round(1 - self.after / self.before, 3) if self.before else float("nan"),
            "sure_but_wrong_before": share(self.sure_before),
            "sure_but_wrong_after": share(self.sure_after),
        }


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


def wrong(reader: Reader, photo: LabelledPhoto, profile: Profile | None) -> tuple[int, int, int]:
    """Of one photograph: labelled tiles, how many of them are not said right, how many sure tiles are wrong."""
    pixels, tally = pixels_of(photo), Tally()
    reading = reader.read_photo(Photo(pixels, photo.width, photo.height), 0.0, lambda stage: None, profile=profile)
    judge(tally, photo, reading)
    return tally.marked, tally.marked - tally.right, tally.sure_wrong


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
    plain: dict[str, tuple[int, int, int]] = {}
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
                    plain[photo.name] = wrong(reader, photo, None)
                tiles, before, sure_before = plain[photo.name]
                _, after, sure_after = wrong(reader, photo, profile)
                gain.tiles += tiles
                gain.before += before
                gain.after += after
                gain.sure_before += sure_before
                gain.sure_after += sure_after
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
