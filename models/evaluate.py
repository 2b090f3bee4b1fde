"""How good is the reader? Measured on whole photographs, as a player would: every tile of the picture must be right.

A tile of the reader belongs to a mark when its middle lies in the mark's box and no other is nearer. On photographs
whose annotators left tiles in view unmarked, what the reader finds elsewhere is not counted; on the others it is an
extra tile and spoils the photograph."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from datasets.labels import LabelledPhoto, Mark
from scoring.tiles import INDEX, TILES
from vision.photo import Photo
from vision.profile import Profile
from vision.reading import Reader
from vision.result import UNKNOWN, Reading, ReadTile


@dataclass(frozen=True)
class Sets:
    """What the reader is told of tile sets: the one on the table, or those to choose from."""

    profile: Profile | None = None
    known: tuple[Profile, ...] = ()

    @property
    def shown(self) -> set[str]:
        """Digests of the photographs in which they were shown: what was shown cannot be measured."""
        every = (*self.known, *([self.profile] if self.profile else []))
        return {source for profile in every for source in profile.sources}


NO_SETS = Sets()


@dataclass
class Tally:
    """Counts over photographs. `confusions` counts (label, said); `corner_errors` are relative to the short side."""

    photographs: int = 0
    exact: int = 0
    marked: int = 0
    found: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    extra: int = 0
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    corner_errors: list[float] = field(default_factory=list)
    direction_right: list[bool] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    by_photo: dict[str, bool] = field(default_factory=dict)

    def figures(self) -> dict[str, float]:
        """The figures that the model card and the targets name."""

        def share(part: float, whole: float) -> float:
            return round(part / whole, 4) if whole else float("nan")

        figures = {
            "photographs": self.photographs,
            "tiles": self.marked,
            "tiles_found": share(self.found, self.marked),
            "tiles_right": share(self.right, self.marked),
            "photographs_exact": share(self.exact, self.photographs),
            "sure": share(self.sure, self.found + self.extra),
            "sure_but_wrong": share(self.sure_wrong, self.sure),
            "extra_tiles": self.extra,
            "precision": share(self.found, self.found + self.extra),
            "milliseconds_median": round(float(np.median(self.milliseconds)), 1) if self.milliseconds else float("nan"),
        }
        if self.corner_errors:
            figures["corner_error_mean"] = round(float(np.mean(self.corner_errors)), 4)
            figures["corner_error_90"] = round(float(np.quantile(self.corner_errors, 0.9)), 4)
        if self.direction_right:
            figures["direction_right"] = share(sum(self.direction_right), len(self.direction_right))
        return figures


def match(tiles: Iterable[ReadTile], marks: Iterable[Mark]) -> tuple[dict[int, int], list[int]]:
    """Pairs {mark index: tile index}, nearest middles first, and the tiles that belong to no mark."""
    tiles, marks = list(tiles), list(marks)
    pairs: list[tuple[float, int, int]] = []
    for m, mark in enumerate(marks):
        left, top, right, bottom = mark.box
        width, height = right - left, bottom - top
        for t, tile in enumerate(tiles):
            x, y = np.mean(tile.corners, axis=0)
            if left <= x <= right and top <= y <= bottom:
                size = np.ptp(np.array(tile.corners), axis=0)
                if 0.35 < size[0] / width < 2.2 and 0.35 < size[1] / height < 2.2:
                    pairs.append((abs(x - left - width / 2) / width + abs(y - top - height / 2) / height, m, t))
    taken: dict[int, int] = {}
    used: set[int] = set()
    for _, m, t in sorted(pairs):
        if m not in taken and t not in used:
            taken[m] = t
            used.add(t)
    return taken, [t for t in range(len(tiles)) if t not in used]


def judge(tally: Tally, photo: LabelledPhoto, reading: Reading) -> None:
    """Add one photograph to a tally."""
    asked = [m for m in photo.marks if not (m.ignored or m.by_reader)]
    pairs, rest = match(reading.tiles, asked)
    hidden = [m for m in photo.marks if m.ignored or m.by_reader]
    beside, rest_ = match([reading.tiles[t] for t in rest], hidden)
    del beside
    extra = [] if photo.partial else [rest[k] for k in rest_]
    right = 0
    for m, mark in enumerate(asked):
        said = reading.tiles[pairs[m]] if m in pairs else None
        tally.confusions[(mark.tile, said.tile if said else "missed")] += 1
        if said is None:
            continue
        good = said.tile == mark.tile
        right += good
        if said.tile != UNKNOWN and not said.doubt:
            tally.sure += 1
            tally.sure_wrong += not good
        if mark.exact:
            corners = np.array(said.corners)
            short = min(
                np.linalg.norm(mark.corners[1] - mark.corners[0]), np.linalg.norm(mark.corners[3] - mark.corners[0])
            )
            errors = [
                float(np.linalg.norm(np.roll(corners, -k, axis=0) - mark.corners, axis=1).mean() / short)
                for k in range(4)
            ]
            tally.corner_errors.append(min(errors))
            if mark.upright and mark.tile not in (
                "back",
                "P",
                "1p",
                "2p",
                "4p",
                "8p",
                "9p",
                "2s",
                "4s",
                "6s",
                "8s",
                "9s",
                "5p",
                "5s",
            ):
                tally.direction_right.append(int(np.argmin(errors)) == 0)
    for t in extra:
        tally.confusions[("nothing", reading.tiles[t].tile)] += 1
        if reading.tiles[t].tile != UNKNOWN and not reading.tiles[t].doubt:
            tally.sure += 1
            tally.sure_wrong += 1
    exact = right == len(asked) and not extra
    tally.photographs += 1
    tally.exact += exact
    tally.by_photo[photo.name] = exact
    tally.marked += len(asked)
    tally.found += len(pairs)
    tally.right += right
    tally.extra += len(extra)
    tally.milliseconds.append(reading.milliseconds.get("total", 0.0))


def measure(
    reader: Reader,
    photos: Iterable[LabelledPhoto],
    turn: bool = False,
    done: Callable[[LabelledPhoto, Reading], None] = lambda p, r: None,
    sets: Sets = NO_SETS,
) -> Tally:
    """Read photographs and tally them; with `turn` each is first turned by an angle that its name decides."""
    tally = Tally()
    for photo in photos:
        photo = any_way(photo) if turn else photo
        reading = read(reader, photo, sets)
        judge(tally, photo, reading)
        done(photo, reading)
    return tally


def read(reader: Reader, photo: LabelledPhoto, sets: Sets = NO_SETS) -> Reading:
    """Read a labelled photograph, from its pixels where it has them."""
    if photo.pixels is None:
        assert photo.path is not None
        return reader.read(photo.path, profile=sets.profile, known=sets.known)
    pixels = Photo(np.asarray(photo.pixels, np.uint8), photo.width, photo.height)
    return reader.read_photo(pixels, time.perf_counter(), lambda stage: None, profile=sets.profile, known=sets.known)


def any_way(photo: LabelledPhoto) -> LabelledPhoto:
    """The photograph turned by an angle that its name decides."""
    return turned(photo, float(np.random.default_rng(list(photo.name.encode())).uniform(0, 360)))


def turned(photo: LabelledPhoto, degrees: float) -> LabelledPhoto:
    """The photograph turned about its middle on a canvas that holds all of it."""
    pixels = photo.pixels if photo.pixels is not None else cv2.imread(str(photo.path))
    assert pixels is not None
    h, w = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1.0)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    width, height = int(h * sin + w * cos), int(h * cos + w * sin)
    matrix[:, 2] += [width / 2 - w / 2, height / 2 - h / 2]
    out = cv2.warpAffine(pixels, matrix, (width, height), borderValue=(90, 90, 90))
    marks = tuple(replace(m, corners=m.corners @ matrix[:, :2].T + matrix[:, 2]) for m in photo.marks)
    return replace(photo, pixels=out, width=width, height=height, marks=marks)


def confusion_picture(tally: Tally, size: int = 16) -> np.ndarray:
    """One picture of what was taken for what: rows are labels, columns what was said, darkness the share of the row."""
    labels = sorted({a for a, _ in tally.confusions}, key=_order)
    said = sorted({b for _, b in tally.confusions}, key=_order)
    left, top = 60, 60
    picture = np.full((top + size * len(labels) + 10, left + size * len(said) + 10, 3), 255, np.uint8)
    for r, label in enumerate(labels):
        total = sum(n for (a, _), n in tally.confusions.items() if a == label)
        cv2.putText(
            picture, label, (4, top + r * size + size - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA
        )
        for c, what in enumerate(said):
            share = tally.confusions[(label, what)] / total
            if share:
                shade = int(255 * (1 - share**0.5))
                colour = (shade, 255, shade) if label == what else (shade, shade, 255)
                cv2.rectangle(
                    picture,
                    (left + c * size, top + r * size),
                    (left + c * size + size - 2, top + r * size + size - 2),
                    colour,
                    -1,
                )
    for c, what in enumerate(said):
        cv2.putText(
            picture,
            what[:5],
            (left + c * size, top - 6 - 12 * (c % 4)),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.35,
            (0, 0, 0),
            1,
            cv2.LINE_AA,
        )
    return picture


def _order(code: str) -> tuple[int, str]:
    """Tiles in their own order, then backs and whatever else was said."""
    return INDEX.get(code, len(TILES)), code
