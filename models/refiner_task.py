"""Teach the refiner: from a rough place of a tile to its four corners.

The place is a true quadrilateral of a scene that was shaken (moved, grown, turned, sheared) as much as the finder errs
and a bit more. Corners are exact because scenes are rendered. The crop's frame is the rough place itself, turned by any
quarter, so corners come "clockwise from the crop's upper left" and no direction has to be learned."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn

from datasets.labels import LabelledPhoto
from models.augment import recolour
from models.networks import Refiner
from models.training import to_input
from vision.geometry import Floats, area, rectify, sides, to_unit, turned


def shaken(rng: np.random.Generator, quad: Floats, amount: float = 1.0) -> Floats:
    """A rectangle roughly where a quadrilateral is, first corner any of the four."""
    quad = turned(quad, int(rng.integers(4)))
    centre = quad.mean(0)
    right = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    width, height = np.linalg.norm(right), np.linalg.norm(down)
    theta = math.atan2(down[1], down[0]) if height >= width else math.atan2(-right[0], right[1])
    theta += float(rng.normal(0, 0.12)) * amount
    flip = 1.0 if right[0] * down[1] - right[1] * down[0] > 0 else -1.0
    down_axis = np.array([math.cos(theta), math.sin(theta)])
    right_axis = flip * np.array([down_axis[1], -down_axis[0]])
    width *= math.exp(float(rng.normal(0, 0.13)) * amount)
    height *= math.exp(float(rng.normal(0, 0.13)) * amount)
    centre = (
        centre + right_axis * width * rng.normal(0, 0.12) * amount + down_axis * height * rng.normal(0, 0.1) * amount
    )
    x, y = right_axis * width, down_axis * height
    return centre + np.stack([-x - y, x - y, x + y, -x + y])


class RefinerTask:
    name = "refiner"

    def __init__(self, photos: list[LabelledPhoto], held_out: list[LabelledPhoto]) -> None:
        self.photos = [
            (p, [m for m in p.marks if m.exact and not m.ignored and min(sides(m.corners)) >= 7]) for p in photos
        ]
        self.photos = [(p, marks) for p, marks in self.photos if marks]
        rng = np.random.default_rng(7)
        self.tests: list[tuple[np.ndarray, np.ndarray, float]] = []
        for photo in held_out:
            assert photo.pixels is not None
            for mark in photo.marks:
                if mark.exact and not mark.ignored and min(sides(mark.corners)) >= 7 and _inside(photo, mark.corners):
                    rough = shaken(rng, mark.corners)
                    crop, unit = self._crop(photo.pixels, rough, mark.corners)
                    scale = np.abs(area(rough)) ** 0.5 * Refiner.MARGIN / 2 / min(sides(mark.corners))
                    self.tests.append((crop, unit, float(scale)))

    def network(self) -> nn.Module:
        return Refiner()

    @staticmethod
    def _crop(pixels: np.ndarray, rough: Floats, quad: Floats) -> tuple[np.ndarray, np.ndarray]:
        crop = rectify(pixels, rough, (Refiner.SIZE, Refiner.SIZE), Refiner.MARGIN)
        unit = to_unit(rough, Refiner.MARGIN, quad)
        first = int(np.argmin(unit @ [1, 1]))
        return crop, np.roll(unit, -first, axis=0).astype(np.float32)

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        while True:
            photo, marks = self.photos[int(rng.integers(len(self.photos)))]
            mark = marks[int(rng.integers(len(marks)))]
            if not _inside(photo, mark.corners):
                continue
            assert photo.pixels is not None
            crop, unit = self._crop(photo.pixels, shaken(rng, mark.corners), mark.corners)
            return recolour(rng, crop), unit

    def loss(self, network: nn.Module, pictures: Tensor, *targets: Tensor) -> dict[str, Tensor]:
        (unit,) = targets
        error = (network(pictures).float() - unit).abs()
        return {"loss": error.mean()}

    def measure(self, network: nn.Module) -> dict[str, float]:
        errors: list[np.ndarray] = []
        with torch.no_grad():
            for k in range(0, len(self.tests), 256):
                part = self.tests[k : k + 256]
                found = network(to_input(torch.from_numpy(np.stack([t[0] for t in part])))).numpy()
                distance = np.linalg.norm(found - np.stack([t[1] for t in part]), axis=2)
                errors.append(distance.mean(1) * np.array([t[2] for t in part]))
        all_errors = np.concatenate(errors)
        return {
            "score": -float(all_errors.mean()),
            "corner_error": float(all_errors.mean()),
            "corner_error_90": float(np.quantile(all_errors, 0.9)),
        }


def _inside(photo: LabelledPhoto, quad: Floats) -> bool:
    return bool((quad.min(0) > -2).all() and (quad.max(0) < np.array([photo.width, photo.height]) + 2).all())
