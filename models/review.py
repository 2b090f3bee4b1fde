"""The reader against the annotators: tiles that lie in view and that nobody boxed.

In table shots only the hand is annotated; loose discards and walls are not. The project's own reader finds most of
them. Those it is sure of are kept as tiles, those it is not as places that nobody knows; both go into the small overlay
`datasets/overlay.json`, keyed by the photograph's name, so that the next finder learns from whole photographs. No pixel
is stored. Labels that the reader contradicts with confidence are listed for a person to look at, never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from datasets.labels import LabelledPhoto
from vision.classifier import classify
from vision.corners import sharpen
from vision.finder import find
from vision.geometry import covered
from vision.reading import Reader

SURE_PLACE, SURE_TILE, MAYBE = 0.55, 0.92, 0.15
CONTRADICTS = 0.95
"""A label is listed when the reader is so sure of another tile; taught with smoothed labels, it is seldom surer."""


@dataclass(frozen=True)
class Review:
    """What the reader saw besides the labels of one photograph. `tiles`: (code, corners (4, 2)), code `?` for a place
    that may be a tile; `contradictions`: (label, reader's tile, its probability)."""

    name: str
    tiles: tuple[tuple[str, np.ndarray], ...]
    contradictions: tuple[tuple[str, str, float], ...]


def review(reader: Reader, photo: LabelledPhoto) -> Review:
    """Compare the reader with the labels of one photograph (with `pixels`)."""
    pixels = np.asarray(photo.pixels, np.uint8)
    boxes = find(reader.finder, pixels, MAYBE)
    quads = sharpen(reader.refiner, pixels, [b.corners for b in boxes])
    looks = classify(reader.classifier, pixels, quads)
    tiles: list[tuple[str, np.ndarray]] = []
    contradictions: list[tuple[str, str, float]] = []
    for box, look in zip(boxes, looks, strict=True):
        best = int(look.probabilities.argmax())
        code, p = reader.classes[best], float(look.probabilities[best])
        middle = look.corners.mean(0)
        inside = [m for m in photo.marks if (middle > m.corners.min(0)).all() and (middle < m.corners.max(0)).all()]
        if inside or any(covered(look.corners, m.corners) > 0.5 for m in photo.marks):
            if len(inside) == 1 and code not in (inside[0].tile, "none") and p > CONTRADICTS:
                contradictions.append((inside[0].tile, code, p))
            continue
        sure = box.score > SURE_PLACE and p > SURE_TILE and code not in ("none", "back")
        tiles.append((code if sure else "?", look.corners))
    return Review(photo.name, tuple(tiles), tuple(contradictions))


def overlay(reviews: list[Review]) -> dict[str, list[list[object]]]:
    """The content of `datasets/overlay.json`: for each photograph a list of [code, x0, y0, … x3, y3], empty where
    nothing was seen besides the labels."""
    return {r.name: [[code, *(round(float(v), 1) for v in quad.ravel())] for code, quad in r.tiles] for r in reviews}


def run(reader: Reader, photos: list[LabelledPhoto], done: Callable[[], None] = lambda: None) -> list[Review]:
    """Review photographs one by one."""
    reviews: list[Review] = []
    for photo in photos:
        reviews.append(review(reader, photo))
        done()
    return reviews
