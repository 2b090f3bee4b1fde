"""Teach the classifier: a rectified crop to one of 42 faces, a back, or not a tile, and where its top is.

Crops come from real photographs (few physical sets), from rendered scenes (light, neighbours, slant) and straight from
drawn faces (hundreds of styles). Places are shaken by as much as the finder and refiner err. A crop may stand on its
head, and now and then lie on its side; it is never mirrored."""

from __future__ import annotations

import math

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from datasets.labels import LabelledPhoto, Mark
from datasets.scenes import FaceSet
from models.augment import recolour
from models.networks import Classifier
from models.training import to_input
from scoring.tiles import TILES
from vision.geometry import Floats, covered, rectify, sides, turned

CLASSES: tuple[str, ...] = (*TILES, "back", "none")
NONE = CLASSES.index("none")
SIZE = (Classifier.WIDTH, Classifier.HEIGHT)
QUARTERS = (0.5, 0.09, 0.32, 0.09)
"""How often a crop is shown after 0, 1, 2, 3 quarter turns."""
UNKNOWN_WAY = -1


def jittered(rng: np.random.Generator, quad: Floats, amount: float = 1.0) -> Floats:
    """A quadrilateral as the refiner might have found it."""
    centre = quad.mean(0)
    angle, w = float(rng.normal(0, 0.035)) * amount, min(sides(quad))
    c, s = math.cos(angle), math.sin(angle)
    spread = (quad - centre) @ np.array([[c, s], [-s, c]]) * np.exp(rng.normal(0, 0.05, 2) * amount)
    return centre + spread + rng.normal(0, 0.04, 2) * w * amount + rng.normal(0, 0.022, (4, 2)) * w * amount


def portrait(quad: Floats) -> Floats:
    """The quadrilateral with its long side upright (a tile's own top may still be at the bottom)."""
    width, height = sides(quad)
    return turned(quad, 1) if width > height else quad


def usable(photo: LabelledPhoto, mark: Mark) -> bool:
    """Is the tile large enough to be told, and its place known well enough to be cut out?"""
    return not mark.ignored and min(sides(mark.corners)) >= 11 and (mark.exact or not photo.loose)


def _half(rng: np.random.Generator, quad: Floats) -> Floats:
    """About half of a quadrilateral, cut across its longer sides; any of its corners first, long side upright."""
    a, b, c, d = portrait(quad)
    kept = float(rng.uniform(0.38, 0.56))
    part = np.stack([a, b, b + (c - b) * kept, a + (d - a) * kept])
    if rng.random() < 0.5:
        part = np.stack([d + (a - d) * kept, c + (b - c) * kept, c, d])
    return turned(portrait(part), 2 * int(rng.integers(2)))


class ClassifierTask:
    name = "classifier"

    def __init__(
        self,
        photos: list[LabelledPhoto],
        scenes: list[LabelledPhoto],
        drawn: list[FaceSet],
        tests: dict[str, list[LabelledPhoto]],
        shares: tuple[float, float, float] = (0.4, 0.35, 0.25),
        none_share: float = 0.08,
    ) -> None:
        self.shares, self.none_share, self.drawn = np.cumsum(shares) / sum(shares), none_share, drawn
        self.photos, self.scenes = photos, scenes
        self.by_class = [self._by_class(photos), self._by_class(scenes)]
        self.tests = {name: self._test(many) for name, many in tests.items()}

    @staticmethod
    def _by_class(photos: list[LabelledPhoto]) -> list[list[tuple[LabelledPhoto, Mark]]]:
        lists: list[list[tuple[LabelledPhoto, Mark]]] = [[] for _ in CLASSES]
        for photo in photos:
            for mark in photo.marks:
                if usable(photo, mark):
                    lists[CLASSES.index(mark.tile)].append((photo, mark))
        return [many for many in lists if many]

    @staticmethod
    def _test(photos: list[LabelledPhoto]) -> tuple[Tensor, Tensor]:
        crops, classes = [], []
        for photo in photos:
            for mark in photo.marks:
                if not usable(photo, mark):
                    continue
                assert photo.pixels is not None
                crops.append(
                    rectify(
                        photo.pixels, mark.corners if mark.upright else portrait(mark.corners), SIZE, Classifier.MARGIN
                    )
                )
                classes.append(CLASSES.index(mark.tile))
        return torch.from_numpy(np.stack(crops)), torch.tensor(classes)

    def network(self) -> nn.Module:
        return Classifier(len(CLASSES))

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        if rng.random() < self.none_share:
            crop, label, way = self._nothing(rng), NONE, UNKNOWN_WAY
        else:
            source = int(np.searchsorted(self.shares, rng.random()))
            crop, label, way = self._drawn(rng) if source == 2 and self.drawn else self._cut(rng, min(source, 1))
        if rng.random() < 0.3:  # as small as it is in a photograph of the whole table
            small = float(rng.uniform(0.25, 0.8))
            tiny = cv2.resize(crop, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
            crop = cv2.resize(tiny, SIZE, interpolation=cv2.INTER_LINEAR)
        return recolour(rng, crop), np.int64(label), np.int64(way)

    def _cut(self, rng: np.random.Generator, source: int) -> tuple[np.ndarray, int, int]:
        lists = self.by_class[source] or self.by_class[1 - source]
        many = (
            lists[int(rng.integers(len(lists)))]
            if rng.random() < 0.6
            else lists[int(rng.choice(len(lists), p=self._weights(lists)))]
        )
        photo, mark = many[int(rng.integers(len(many)))]
        quarter = int(rng.choice(4, p=QUARTERS))
        quad = turned(jittered(rng, mark.corners if mark.upright else portrait(mark.corners)), quarter)
        assert photo.pixels is not None
        crop = rectify(photo.pixels, quad, SIZE, Classifier.MARGIN * math.exp(rng.normal(0, 0.03)))
        way = (4 - quarter) % 4 if mark.upright and mark.tile != "back" else UNKNOWN_WAY
        return crop, CLASSES.index(mark.tile), way

    @staticmethod
    def _weights(lists: list[list[tuple[LabelledPhoto, Mark]]]) -> np.ndarray:
        counts = np.array([len(many) for many in lists], np.float64)
        return counts / counts.sum()

    def _drawn(self, rng: np.random.Generator) -> tuple[np.ndarray, int, int]:
        faces = self.drawn[int(rng.integers(len(self.drawn)))]
        tile = str(rng.choice(list(faces)))
        picture = faces[tile][int(rng.integers(len(faces[tile])))]
        h, w = picture.shape[:2]
        edge = max(3, w // 5)
        around = np.empty((h + 2 * edge, w + 2 * edge, 3), np.uint8)
        around[:] = rng.integers(0, 256, 3)
        if rng.random() < 0.6:  # neighbours on one or both sides
            for x in (0, w + edge):
                if rng.random() < 0.7:
                    other = faces[str(rng.choice(list(faces)))][0]
                    part = other[:, -edge:, :] if x == 0 else other[:, :edge, :]
                    if part.shape[0] == h and part.shape[1] == edge:
                        around[edge : edge + h, x : x + edge] = part[..., 2::-1]
        alpha = picture[..., 3:4].astype(np.float32) / 255
        inside = around[edge : edge + h, edge : edge + w]
        inside[:] = (inside * (1 - alpha) + picture[..., 2::-1] * alpha).astype(np.uint8)
        quad = np.array([[edge, edge], [edge + w, edge], [edge + w, edge + h], [edge, edge + h]], np.float64)
        quarter = int(rng.choice(4, p=QUARTERS))
        crop = rectify(
            around, turned(jittered(rng, quad), quarter), SIZE, Classifier.MARGIN * math.exp(rng.normal(0, 0.03))
        )
        return crop, CLASSES.index(tile), (4 - quarter) % 4 if tile != "back" else UNKNOWN_WAY

    def _nothing(self, rng: np.random.Generator) -> np.ndarray:
        """A place where no tile is, or none that fits: cloth, clutter, between two tiles, a whole row."""
        for _ in range(50):
            pool = self.photos if self.photos and (rng.random() < 0.5 or not self.scenes) else self.scenes
            photo = pool[int(rng.integers(len(pool)))]
            if photo.partial or not photo.marks or photo.pixels is None:
                continue
            mark = photo.marks[int(rng.integers(len(photo.marks)))]
            like = mark.corners
            kind = rng.random()
            if kind < 0.2 and usable(photo, mark) and mark.tile not in ("P", "back"):
                # half of a tile: two of four dots are no 2p
                return rectify(photo.pixels, _half(rng, jittered(rng, like, 0.5)), SIZE, Classifier.MARGIN)
            if kind < 0.5:  # elsewhere, a similar size
                size = math.exp(rng.normal(0, 0.5))
                quad = (like - like.mean(0)) * size + rng.uniform(0, 1, 2) * [photo.width, photo.height]
            elif kind < 0.78:  # beside or between
                quad = like + rng.uniform(0.42, 0.75) * rng.choice([-1, 1]) * (
                    (like[1] - like[0]) if rng.random() < 0.6 else (like[3] - like[0])
                )
            else:  # much too large, or a part only
                quad = like.mean(0) + (like - like.mean(0)) * (
                    rng.uniform(1.7, 3.5) if rng.random() < 0.6 else rng.uniform(0.25, 0.5)
                )
            if any(
                covered(quad, m.corners) > 0.62 and 0.6 < min(sides(quad)) / max(min(sides(m.corners)), 1) < 1.6
                for m in photo.marks
            ):
                continue
            return rectify(photo.pixels, quad, SIZE, Classifier.MARGIN)
        return rng.integers(0, 256, (SIZE[1], SIZE[0], 3)).astype(np.uint8)

    def loss(self, network: nn.Module, pictures: Tensor, *targets: Tensor) -> dict[str, Tensor]:
        label, way = targets
        tile, top, _ = network(pictures)
        tile, top = tile.float(), top.float()
        main = nn.functional.cross_entropy(tile, label, label_smoothing=0.05)
        known = (way != UNKNOWN_WAY).sum().clamp(min=1)
        side = nn.functional.cross_entropy(top, way, ignore_index=UNKNOWN_WAY, reduction="sum") / known
        return {
            "loss": main + 0.3 * side,
            "tile": main.detach(),
            "way": side.detach(),
            "right": (tile.argmax(1) == label).float().mean(),
        }

    def measure(self, network: nn.Module) -> dict[str, float]:
        numbers: dict[str, float] = {}
        for name, (crops, classes) in self.tests.items():
            right = 0
            with torch.no_grad():
                for k in range(0, len(crops), 256):
                    right += int((network(to_input(crops[k : k + 256]))[0].argmax(1) == classes[k : k + 256]).sum())
            numbers[name] = right / len(crops)
        return {"score": float(np.mean([v for k, v in numbers.items() if k != "unseen"])), **numbers}
