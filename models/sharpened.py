"""Upright boxes of real photographs become the tiles' own corners, by the project's own refiner.

Annotators drew upright boxes around tiles that lie at any tilt. The refiner looks into each box and says where the
corners are; what it says is believed only if the upright box around its corners is nearly the annotator's, so its
mistakes change nothing. Done anew at every training, from the committed refiner: no corner is stored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.labels import LabelledPhoto, Mark
from vision import network
from vision.corners import sharpen
from vision.geometry import Floats

AGREE, AGREE_LOOSE = 0.72, 0.4
"""Shared area of the two upright boxes over that of both: for tight boxes, and for those known to be too large."""


def sharpened(photos: list[LabelledPhoto]) -> list[LabelledPhoto]:
    """The photographs with `exact` marks wherever the refiner and the annotator agree. Photographs need `pixels`.
    Without a refiner (before the first one is trained) they are returned as they are."""
    if not (network.FOLDER / "refiner.onnx").is_file():
        return photos
    refiner = network.load("refiner")
    result: list[LabelledPhoto] = []
    for photo in photos:
        assert photo.pixels is not None
        quads = sharpen(refiner, np.asarray(photo.pixels, np.uint8), [m.corners for m in photo.marks])
        marks = tuple(_agreed(m, q, photo.loose) for m, q in zip(photo.marks, quads, strict=True))
        result.append(replace(photo, marks=marks))
    return result


def _agreed(mark: Mark, quad: Floats, loose: bool) -> Mark:
    if mark.exact:
        return mark
    a, b = mark.corners, quad
    low, high = np.maximum(a.min(0), b.min(0)), np.minimum(a.max(0), b.max(0))
    shared = float(np.prod(np.maximum(high - low, 0)))
    both = float(np.prod(np.ptp(a, axis=0)) + np.prod(np.ptp(b, axis=0))) - shared
    return replace(mark, corners=quad, exact=True) if shared / both > (AGREE_LOOSE if loose else AGREE) else mark
