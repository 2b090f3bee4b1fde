"""How much does a profile bring? `python -m models.bench_calibration` reads photographs before and after the reader was
shown others of the same set, several draws with fixed seeds, and prints the table.

Three kinds of sets: the unseen one, of which some photographs are shown and the others measured; each set of the
training, of which training photographs are shown and held-out ones measured; and drawn sets, of which one photograph
with one of each tile in rows is shown and hands are measured. What is shown and near-duplicates of it are never
measured. A mistake is any labelled tile that is not said to be what it is, missed ones included; of a face that was not
shown a profile can say nothing, so mistakes on shown faces are counted apart. Where not every tile in view is labelled,
what is said elsewhere cannot be judged, but how much of it is new is counted."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets import hupai_photos
from datasets.face_sets import drawn
from datasets.labels import LabelledPhoto
from datasets.samples import photograph
from models.evaluate import any_way, match
from scoring.tiles import TILES
from vision import profile as profiles
from vision.photo import Photo
from vision.profile import Example, Profile
from vision.reading import Reader
from vision.result import UNKNOWN

SHOWN = (1, 4, 10)
EACH = 0
"""Instead of a number of photographs: one of each tile."""
DRAWN_SEED, HANDS = 777, 6


@dataclass(frozen=True)
class Draw:
    """What is shown, and the photographs that are read before and after."""

    of: str
    shown: tuple[Example, ...]
    measured: tuple[LabelledPhoto, ...]


@dataclass
class Gain:
    """Counts over draws: labelled tiles, mistakes before and after (`known`: on faces that were shown), tiles that were
    right before and not after, sure but wrong before and after, and tiles elsewhere that are new, sure and doubted."""

    shown: str
    tiles: int = 0
    before: int = 0
    after: int = 0
    known_before: int = 0
    known_after: int = 0
    harmed: int = 0
    sure_wrong_before: int = 0
    sure_wrong_after: int = 0
    new_sure: int = 0
    new_doubted: int = 0

    def row(self) -> dict[str, float | str]:
        """The line of the table."""
        return {**asdict(self), "gone": round(1 - self.after / self.before, 3) if self.before else float("nan")}


@dataclass(frozen=True)
class Said:
    """What one reading says: of each labelled tile its code, whether it is right and whether it is called sure; and the
    tiles elsewhere that are called sure and that are doubted, by their codes."""

    tiles: tuple[str, ...]
    right: tuple[bool, ...]
    sure: tuple[bool, ...]
    elsewhere: Counter[str]
    doubted: Counter[str]


def pixels_of(photo: LabelledPhoto) -> np.ndarray:
    pixels = photo.pixels if photo.pixels is not None else cv2.imread(str(photo.path))
    assert pixels is not None
    return np.asarray(pixels, np.uint8)


def shown(reader: Reader, photo: LabelledPhoto) -> list[Example]:
    """The examples of a labelled photograph, as `hupai calibrate --labels` makes them."""
    pixels, marks = pixels_of(photo), [m for m in photo.marks if not m.ignored and not m.by_reader]
    quads = profiles.outlined(reader.refiner, pixels, [m.corners for m in marks])
    seen = [(m.tile, q) for m, q in zip(marks, quads, strict=True) if q is not None]
    return profiles.shown(reader.classifier, pixels, [q for _, q in seen], [t for t, _ in seen], photo.name)


def said(reader: Reader, photo: LabelledPhoto, profile: Profile | None) -> Said:
    """Read one photograph."""
    pixels = pixels_of(photo)
    reading = reader.read_photo(Photo(pixels, photo.width, photo.height), 0.0, lambda stage: None, profile=profile)
    asked = [m for m in photo.marks if not (m.ignored or m.by_reader)]
    pairs, rest = match(reading.tiles, asked)
    tiles = [reading.tiles[pairs[m]] if m in pairs else None for m in range(len(asked))]
    others = [reading.tiles[k] for k in rest]
    return Said(
        tuple(mark.tile for mark in asked),
        tuple(tile is not None and tile.tile == mark.tile for tile, mark in zip(tiles, asked, strict=True)),
        tuple(tile is not None and tile.tile != UNKNOWN and not tile.doubt for tile in tiles),
        Counter(t.tile for t in others if t.tile != UNKNOWN and not t.doubt),
        Counter(t.tile for t in others if t.tile == UNKNOWN or t.doubt),
    )


def add(gain: Gain, before: Said, after: Said, profile: Profile) -> None:
    """Count one photograph, read without and with the set."""
    known = [tile in profile.tiles for tile in before.tiles]
    gain.tiles += len(before.right)
    gain.before += before.right.count(False)
    gain.after += after.right.count(False)
    gain.known_before += sum(k and not r for k, r in zip(known, before.right, strict=True))
    gain.known_after += sum(k and not r for k, r in zip(known, after.right, strict=True))
    gain.harmed += sum(was and not still for was, still in zip(before.right, after.right, strict=True))
    gain.sure_wrong_before += sum(s and not r for r, s in zip(before.right, before.sure, strict=True))
    gain.sure_wrong_after += sum(s and not r for r, s in zip(after.right, after.sure, strict=True))
    gain.new_sure += (after.elsewhere - before.elsewhere).total()
    gain.new_doubted += max(0, after.doubted.total() - before.doubted.total())


def chosen(photos: Sequence[LabelledPhoto], many: int, count: int) -> list[list[LabelledPhoto]]:
    """Random choices, no two of one near-duplicate cluster: so many, or (`EACH`) each that shows another tile."""
    rng = np.random.default_rng(0)
    choices: list[list[LabelledPhoto]] = []
    for _ in range(count):
        by_cluster: dict[str, LabelledPhoto] = {}
        for k in rng.permutation(len(photos)):
            by_cluster.setdefault(photos[k].cluster, photos[k])
        choices.append(_cover(list(by_cluster.values())) if many == EACH else list(by_cluster.values())[:many])
    return choices


def _cover(photos: list[LabelledPhoto]) -> list[LabelledPhoto]:
    seen: set[str] = set()
    cover: list[LabelledPhoto] = []
    for photo in photos:
        if new := {m.tile for m in photo.marks if not m.ignored} - seen:
            cover.append(photo)
            seen |= new
    return cover


def of_photographs(
    reader: Reader, photos: Sequence[LabelledPhoto], others: Sequence[LabelledPhoto], many: int, count: int
) -> Iterator[Draw]:
    """Draws of photographs that are shown, and those of `others` that are unlike them."""
    for choice in chosen(photos, many, count):
        examples = [example for photo in choice for example in shown(reader, photo)]
        if many == EACH:
            examples = list({example.tile: example for example in examples}.values())
        clusters = {photo.cluster for photo in choice}
        words = "one of each" if many == EACH else str(many)
        yield Draw(words, tuple(examples), tuple(p for p in others if p.cluster not in clusters))


def of_drawn_sets(reader: Reader, count: int) -> Iterator[Draw]:
    """One photograph of a drawn set with one of each tile in rows, and hands photographed from anywhere."""
    for number, faces in enumerate(drawn(count, DRAWN_SEED)):
        rng = np.random.default_rng(number)
        order = [str(tile) for tile in rng.permutation(TILES)]
        rows = [" ".join(order[k : k + 9]) for k in range(0, len(order), 9)]
        laid = photograph(rows, [faces], 900 + number, (1600, 1200), 65.0, float(rng.uniform(-8, 8)))
        hands = [
            photograph(
                [" ".join(str(tile) for tile in rng.choice(TILES, 14))],
                [faces],
                1000 + HANDS * number + k,
                elevation=float(rng.uniform(30, 85)),
                roll=float(rng.uniform(-180, 180)),
            )
            for k in range(HANDS)
        ]
        yield Draw(f"drawn set {number}", tuple(shown(reader, laid)), tuple(hands))


class Bench:
    """A reader, and what it says of photographs without any set: each is read so once."""

    def __init__(self, reader: Reader, limit: int = 1000, turn: bool = False) -> None:
        self.reader, self.limit, self.turn = reader, limit, turn
        self.plain: dict[str, Said] = {}

    def gain(self, of: str, draws: Sequence[Draw] | Iterator[Draw]) -> Gain:
        """Show, and measure the others, at most `limit` of them a draw."""
        gain = Gain(of)
        for number, draw in enumerate(track(draws, of, console=Console(stderr=True))):
            profile = profiles.learned("bench", draw.shown, self.reader.classifier)
            order = np.random.default_rng(number).permutation(len(draw.measured))[: self.limit]
            for photo in (draw.measured[k] for k in order):
                photo = any_way(photo) if self.turn else photo
                key = f"{draw.of if photo.path is None else ''} {photo.name}"
                if key not in self.plain:
                    self.plain[key] = said(self.reader, photo, None)
                add(gain, self.plain[key], said(self.reader, photo, profile), profile)
        return gain


def unseen(bench: Bench, photos: Sequence[LabelledPhoto], count: int) -> list[Gain]:
    """The set that no training saw."""
    own = [p for p in photos if p.split == "unseen"]
    return [
        bench.gain("one of each" if n == EACH else f"{n} shown", of_photographs(bench.reader, own, own, n, count))
        for n in (*SHOWN, EACH)
    ]


def held_out(bench: Bench, photos: Sequence[LabelledPhoto], count: int) -> list[Gain]:
    """The sets of the training, group by group."""
    gains: list[Gain] = []
    for group in sorted({p.group for p in photos if p.split == "held_out"}):
        lessons = [p for p in photos if p.group == group and p.split == "train"]
        others = [p for p in photos if p.group == group and p.split == "held_out"]
        if lessons:
            gains.append(bench.gain(f"{group}, 10 shown", of_photographs(bench.reader, lessons, others, 10, count)))
    return gains


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m models.bench_calibration", description=__doc__)
    parser.add_argument("--sets", default="unseen,held-out,drawn", help="Which of unseen, held-out and drawn.")
    parser.add_argument("--models", type=Path, help="A folder of models instead of the shipped ones.")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--drawn-sets", type=int, default=10)
    parser.add_argument("--limit", type=int, default=1000, help="At most so many photographs are read a draw.")
    parser.add_argument("--turn", action="store_true", help="Turn what is measured by any angle.")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    sets = given.sets.split(",")
    if strange := set(sets) - {"unseen", "held-out", "drawn"}:
        print(f"There are no {', '.join(sorted(strange))} sets: choose of unseen, held-out and drawn.", file=sys.stderr)
        return 2
    try:
        photos = hupai_photos.load() if set(sets) != {"drawn"} else []
    except hupai_photos.NoPhotographs as missing:
        print(f"{missing}; --sets drawn needs none.", file=sys.stderr)
        return 2
    bench = Bench(Reader(given.models) if given.models else Reader(), given.limit, given.turn)
    gains: list[Gain] = []
    if "unseen" in sets:
        gains += unseen(bench, photos, given.draws)
    if "held-out" in sets:
        gains += held_out(bench, photos, given.draws)
    if "drawn" in sets:
        gains.append(bench.gain("drawn, rows shown", of_drawn_sets(bench.reader, given.drawn_sets)))
    rows = [gain.row() for gain in gains]
    if given.json:
        print(json.dumps(rows, indent=1))
        return 0
    table = Table(title="Mistakes before and after a set was shown" + (", turned by any angle" if given.turn else ""))
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="left" if name == "shown" else "right")
    for row in rows:
        table.add_row(*(value if isinstance(value, str) else f"{value:g}" for value in row.values()))
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
