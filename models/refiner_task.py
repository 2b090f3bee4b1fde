"""Teach the refiner: from a rough place of a tile to its four corners.

Two kinds of lessons, both cut from scenes with exact corners. Half are squares around a tile at any tilt, moved and
grown as much as the finder errs: there only the place is asked, because it has no jumps. Half are rectangles that are
nearly right: there the corners are asked too, "clockwise from the crop's upper left", in a frame turned by any
quarter."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn

from datasets.labels import LabelledPhoto, Mark
from models.augment import recolour
from models.networks import Refiner
from models.training import to_input
from vision.corners import sharpen
from vision.geometry import UNIT, Floats, area, log_moments, moments, rectify, sides, to_unit, turned

STRETCH = 0.25
"""Publishers stretch photographs to squares; tiles twice as long as wide are then no rarity."""


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


def squared(rng: np.random.Generator, quad: Floats, amount: float = 1.0, stretch: float = 0.0) -> Floats:
    """An upright square roughly where a quadrilateral is, as the finder gives it. With `stretch` the square is turned
    any way and drawn out by so much (standard deviation of the logarithm), as if the whole photograph had been."""
    side = math.sqrt(abs(area(quad)))
    centre = quad.mean(0) + rng.normal(0, 0.13, 2) * side * amount
    frame = UNIT
    if stretch:
        long, turn, first = math.exp(rng.normal(0, stretch)), rng.uniform(0, 2 * math.pi), rng.uniform(0, 2 * math.pi)
        frame = UNIT @ _rotation(first) @ np.diag([long, 1 / long]) @ _rotation(turn)
    return centre + frame * side / 2 * math.exp(float(rng.normal(0, 0.2)) * amount)


def _rotation(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s], [-s, c]])


class RefinerTask:
    name = "refiner"

    def __init__(self, photos: list[LabelledPhoto], held_out: list[LabelledPhoto]) -> None:
        lessons = [(p, [m for m in p.marks if _usable(p, m)]) for p in photos]
        self.photos = [(p, marks) for p, marks in lessons if marks]
        rng = np.random.default_rng(7)
        self.tests = [
            (
                p,
                [m.corners for m in p.marks if _usable(p, m)],
                [squared(rng, m.corners) for m in p.marks if _usable(p, m)],
            )
            for p in held_out
        ]

    def network(self) -> nn.Module:
        return Refiner()

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        photo, marks = self.photos[int(rng.integers(len(self.photos)))]
        quad = marks[int(rng.integers(len(marks)))].corners
        assert photo.pixels is not None
        near = rng.random() < 0.5
        rough = shaken(rng, quad) if near else squared(rng, quad, stretch=STRETCH)
        crop = rectify(photo.pixels, rough, (Refiner.SIZE, Refiner.SIZE), Refiner.MARGIN)
        unit = to_unit(rough, Refiner.MARGIN, quad)
        unit = np.roll(unit, -int(np.argmin(unit @ [1, 1])), axis=0)
        centre, covariance = moments(unit)
        place = np.concatenate([centre, log_moments(covariance)])
        return recolour(rng, crop), unit.astype(np.float32), place.astype(np.float32), np.float32(near)

    def loss(self, network: nn.Module, pictures: Tensor, *targets: Tensor) -> dict[str, Tensor]:
        unit, place, near = targets
        corners, found = network(pictures)
        sharp = ((corners.float() - unit).abs().mean((1, 2)) * near).sum() / near.sum().clamp(min=1)
        rough = (found.float() - place).abs().mean()
        return {"loss": sharp + 0.5 * rough, "corners": sharp.detach(), "place": rough.detach()}

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Corner error relative to the short side, from upright squares at any tilt, as the reader does it."""

        class Torch:
            def run(self, pictures: np.ndarray) -> list[np.ndarray]:
                with torch.no_grad():
                    return [o.numpy() for o in network(to_input(torch.from_numpy(pictures)))]

        errors: list[float] = []
        for photo, quads, rough in self.tests:
            for quad, found in zip(quads, sharpen(Torch(), np.asarray(photo.pixels, np.uint8), rough), strict=True):
                distances = [np.linalg.norm(np.roll(found, -k, axis=0) - quad, axis=1).mean() for k in range(4)]
                errors.append(float(min(distances)) / min(sides(quad)))
        return {
            "score": -float(np.mean(errors)),
            "corner_error": float(np.mean(errors)),
            "corner_error_median": float(np.median(errors)),
            "corner_error_90": float(np.quantile(errors, 0.9)),
        }


def _usable(photo: LabelledPhoto, mark: Mark) -> bool:
    inside = (mark.corners.min(0) > -2).all() and (
        mark.corners.max(0) < np.array([photo.width, photo.height]) + 2
    ).all()
    return bool(inside) and mark.exact and not mark.ignored and min(sides(mark.corners)) >= 7
