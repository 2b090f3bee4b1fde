"""What a data set holds: photographs by split and group, tiles by class, sizes of tiles; and one picture of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from datasets.labels import LabelledPhoto, Mark
from datasets.names import CODES

SIZES = (0, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""Lower ends of the bins for the short side of a tile in pixels."""


@dataclass(frozen=True)
class Counts:
    """Counts over photographs.

    photographs, tiles: by (split, group).
    classes: marks by tile.
    sizes: marks by the lower end of their bin of `SIZES`.
    """

    photographs: Counter[tuple[str, str]]
    tiles: Counter[tuple[str, str]]
    classes: Counter[str]
    sizes: Counter[int]

    def as_json(self) -> dict[str, Any]:
        return {
            "photographs": [
                {"split": split, "group": group, "count": n, "tiles": self.tiles[split, group]}
                for (split, group), n in sorted(self.photographs.items())
            ],
            "tiles": {code: self.classes[code] for code in CODES if self.classes[code]},
            "sizes": {size_words(low): self.sizes[low] for low in SIZES},
        }


def short_side(mark: Mark) -> float:
    """The shorter side of a tile in pixels."""
    c = mark.corners
    return float(min(np.linalg.norm(c[1] - c[0]), np.linalg.norm(c[3] - c[0])))


def size_words(low: int) -> str:
    """`24–31`, `256+`."""
    k = SIZES.index(low)
    return f"{low}–{SIZES[k + 1] - 1}" if k + 1 < len(SIZES) else f"{low}+"


def count(photos: Sequence[LabelledPhoto]) -> Counts:
    """Count photographs and their marks."""
    photographs = Counter((p.split, p.group) for p in photos)
    tiles: Counter[tuple[str, str]] = Counter()
    for p in photos:
        tiles[p.split, p.group] += len(p.marks)
    marks = [mark for p in photos for mark in p.marks]
    sizes = Counter(max(low for low in SIZES if low <= short_side(mark)) for mark in marks)
    return Counts(photographs, tiles, Counter(mark.tile for mark in marks), sizes)


def picture(counts: Counts, title: str = "") -> np.ndarray:
    """Two rows of bars, uint8 (h, w, 3): how many tiles of each class, how many of each size."""
    upper = [(code, counts.classes[code]) for code in CODES]
    lower = [(size_words(low).replace("–", "-"), counts.sizes[low]) for low in SIZES]
    width = 28 * len(upper) + 60
    return np.vstack([_bars(title or "tiles by class", upper, width), _bars("short side in pixels", lower, width)])


def _bars(title: str, bars: Sequence[tuple[str, int]], width: int, height: int = 260) -> np.ndarray:
    canvas = np.full((height, width, 3), 255, np.uint8)
    ascii_title = title.encode("ascii", "replace").decode()
    cv2.putText(canvas, ascii_title, (30, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 40), 1, cv2.LINE_AA)
    most = max((n for _, n in bars), default=0) or 1
    step, floor, room = (width - 60) / len(bars), height - 34, height - 90
    for k, (label, n) in enumerate(bars):
        left, right = round(30 + k * step), round(30 + (k + 0.8) * step)
        tall = round(room * n / most)
        cv2.rectangle(canvas, (left, floor - tall), (right, floor), (120, 140, 40) if n else (200, 200, 255), -1)
        for words, y in ((label, height - 16), (str(n), floor - tall - 6)):
            wide = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 0.34, 1)[0][0]
            x = (left + right - wide) // 2
            cv2.putText(canvas, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.34, (40, 40, 40), 1, cv2.LINE_AA)
    return canvas
