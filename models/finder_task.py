"""Teach the finder: every cell near a tile's centre says so, and says how the tile lies.

Real photographs teach what tables look like, rendered scenes teach geometry: their corners are exact and they are
turned any way. A real photograph is turned too (an upright box turns into its tilted quadrilateral), stretched back and
forth because its publisher stretched it, and trusted only where its annotator looked: around the marked tiles and on
the player's own side below them. Elsewhere an unmarked tile may lie, so nothing is learned there."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from datasets.labels import LabelledPhoto
from models.augment import recolour
from models.networks import FINDER_STRIDE, Finder
from models.training import to_input
from vision.finder import COARSEST, PLACE_UNIT, decode
from vision.geometry import log_moments, moments, overlap, rectangle, sides

SIZE = 320
TILE_PIXELS = (9.0, 90.0)
TRUSTED = 0.9
"""How far around a marked tile a partly marked photograph is trusted, in tile sizes."""


class FinderTask:
    name = "finder"

    def __init__(
        self,
        scenes: list[LabelledPhoto],
        photos: list[LabelledPhoto],
        held_out: list[LabelledPhoto],
        real_share: float = 0.5,
    ) -> None:
        self.scenes, self.photos, self.held_out, self.real_share = scenes, photos, held_out, real_share

    def network(self) -> nn.Module:
        return Finder()

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        real = bool(self.photos) and rng.random() < self.real_share
        pool = self.photos if real else self.scenes
        photo = pool[int(rng.integers(len(pool)))]
        assert photo.pixels is not None
        pixels = photo.pixels
        wanted = math.exp(rng.uniform(math.log(TILE_PIXELS[0]), math.log(TILE_PIXELS[1])))
        marks = [m for m in photo.marks if not m.ignored]
        if marks and rng.random() < 0.92:
            focus = marks[int(rng.integers(len(marks)))].corners
            middle, present = focus.mean(0), min(sides(focus))
        else:
            middle, present = rng.uniform(0, 1, 2) * [photo.width, photo.height], 30.0
        scale = float(np.clip(wanted / present, SIZE / 2 / max(photo.width, photo.height), 4.0))
        angle = rng.normal(0, 0.15) if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi)
        stretch = math.exp(rng.normal(0, 0.18))
        c, s = math.cos(angle), math.sin(angle)
        linear = np.array([[c, -s], [s, c]]) @ np.diag([scale * stretch, scale / stretch])
        target = SIZE / 2 + rng.uniform(-0.35, 0.35, 2) * SIZE
        shrink = 1
        while scale * max(stretch, 1 / stretch) * shrink < 0.55 and shrink < 8:
            shrink *= 2
        if shrink > 1:
            pixels = cv2.resize(pixels, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
        move = target - linear @ middle
        matrix = np.hstack([linear * shrink, (move + linear @ np.full(2, shrink / 2) - 0.5)[:, None]])
        fill = tuple(float(v) for v in rng.integers(0, 256, 3))
        crop = cv2.warpAffine(
            pixels, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=fill
        )
        places = [(m.corners @ linear.T + move, m.exact, m.ignored) for m in photo.marks]
        heat, geometry, weights = targets(places, photo.loose)
        if photo.partial and not photo.reviewed:
            trusted = _trust(photo)
            cells = np.hstack([linear / FINDER_STRIDE * 4, (move / FINDER_STRIDE)[:, None]])
            seen = cv2.warpAffine(
                trusted,
                cells,
                (SIZE // FINDER_STRIDE,) * 2,
                flags=cv2.INTER_NEAREST,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=1.0,
            )
            weights[0] *= seen
        return recolour(rng, crop), heat, geometry, weights

    def loss(self, network: nn.Module, pictures: Tensor, *targets: Tensor) -> dict[str, Tensor]:
        heat, geometry, weights = targets
        found = network(pictures).float()
        logit = found[:, 0]
        p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
        peak = (heat > 0.999).float()
        focal = -(peak * (1 - p) ** 2 * p.log() + (1 - peak) * (1 - heat) ** 4 * p**2 * (1 - p).log()) * weights[:, 0]
        count = peak.sum().clamp(min=1)
        error = (found[:, 1:] - geometry).abs()
        offset = (error[:, :2].sum(1) * weights[:, 1]).sum() / weights[:, 1].sum().clamp(min=1)
        place = (error[:, 2:].sum(1) * weights[:, 2]).sum() / weights[:, 2].sum().clamp(min=1)
        focal = focal.sum() / count
        return {
            "loss": focal + 0.5 * offset + place,
            "focal": focal.detach(),
            "offset": offset.detach(),
            "place": place.detach(),
        }

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Found and missed tiles on held-out pictures at their own size, at a fixed threshold and at the best one."""
        numbers: dict[str, float] = {}
        scores: list[float] = []
        for kind in sorted({p.group == "scene" for p in self.held_out}):
            hits: list[tuple[float, bool]] = []
            total, errors = 0, []
            for photo in self.held_out:
                if (photo.group == "scene") != kind:
                    continue
                assert photo.pixels is not None
                picture = torch.from_numpy(_in_whole_cells(photo.pixels)[None])
                with torch.no_grad():
                    output = network(to_input(picture))[0].numpy()
                centres, places, confident = decode(output, 0.15)
                quads = [rectangle(c, p) for c, p in zip(centres, places, strict=True)]
                wanted = [m for m in photo.marks if not m.ignored and min(sides(m.corners)) >= 8]
                total += len(wanted)
                free = set(range(len(wanted)))
                hidden = [m for m in photo.marks if m.ignored or min(sides(m.corners)) < 8]
                for quad, score in zip(quads, confident, strict=True):
                    mate = max(free, key=lambda k: overlap(quad, wanted[k].corners), default=None)
                    value = overlap(quad, wanted[mate].corners) if mate is not None else 0.0
                    if mate is not None and value > 0.45:
                        free.discard(mate)
                        hits.append((float(score), True))
                        errors.append(value)
                    elif not any(overlap(quad, m.corners) > 0.2 for m in hidden) and not photo.partial:
                        hits.append((float(score), False))
            hits.sort(reverse=True)
            good = np.cumsum([h for _, h in hits]) if hits else np.zeros(1)
            f1 = 2 * good / (np.arange(1, len(good) + 1) + max(total, 1))
            name = "scenes" if kind else "photos"
            best = int(np.argmax(f1))
            numbers |= {
                f"{name}_f1": float(f1[best]),
                f"{name}_threshold": hits[best][0] if hits else 0.0,
                f"{name}_overlap": float(np.mean(errors)) if errors else 0.0,
            }
            scores.append(float(f1[best]) + 0.5 * (float(np.mean(errors)) if errors else 0.0))
        return {"score": float(np.mean(scores)), **numbers}


def _in_whole_cells(pixels: np.ndarray) -> np.ndarray:
    """The picture with its last pixels repeated on the right and below, until the coarsest map has whole cells."""
    height, width = pixels.shape[:2]
    return cv2.copyMakeBorder(pixels, 0, -height % COARSEST, 0, -width % COARSEST, cv2.BORDER_REPLICATE)


def targets(
    places: list[tuple[np.ndarray, bool, bool]], loose: bool = False, size: int = SIZE
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the finder should say: heat (n, n); offset and log moments (5, n, n); weights (3, n, n) of the heat, the
    offset and the place. `places` are (corners in px, exact, ignored)."""
    n = size // FINDER_STRIDE
    heat, geometry, weights = (
        np.zeros((n, n), np.float32),
        np.zeros((5, n, n), np.float32),
        np.zeros((3, n, n), np.float32),
    )
    weights[0] = 1
    nearest = np.full((n, n), np.inf, np.float32)
    for corners, exact, ignored in places:
        centre, covariance = moments(corners)
        reach = 3 * np.sqrt(np.diag(covariance))
        x0, y0 = np.floor((centre - reach) / FINDER_STRIDE).astype(int)
        x1, y1 = np.ceil((centre + reach) / FINDER_STRIDE).astype(int) + 1
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(n, x1), min(n, y1)
        if x0 >= x1 or y0 >= y1:
            continue
        xs, ys = np.meshgrid((np.arange(x0, x1) + 0.5) * FINDER_STRIDE, (np.arange(y0, y1) + 0.5) * FINDER_STRIDE)
        dx, dy = centre[0] - xs, centre[1] - ys
        inverse = np.linalg.inv(covariance)
        distance = inverse[0, 0] * dx**2 + 2 * inverse[0, 1] * dx * dy + inverse[1, 1] * dy**2
        window = (slice(y0, y1), slice(x0, x1))
        small = float(np.sqrt(abs(np.linalg.det(covariance)))) < 5.0
        if ignored or small:
            weights[0][window] = np.where(distance < 3, 0.0, weights[0][window])
            continue
        bump = np.exp(-1.5 * distance).astype(np.float32)
        cx, cy = int(centre[0] // FINDER_STRIDE), int(centre[1] // FINDER_STRIDE)
        heat[window] = np.maximum(heat[window], bump)
        if 0 <= cx < n and 0 <= cy < n:
            heat[cy, cx] = 1.0
        place = log_moments(covariance / PLACE_UNIT)
        mine = (distance < nearest[window]) & (distance < 0.8)
        nearest[window] = np.where(mine, distance, nearest[window])
        for k, value in enumerate((dx / FINDER_STRIDE, dy / FINDER_STRIDE, *place)):
            geometry[k][window] = np.where(mine, value, geometry[k][window])
        sure = np.exp(-distance)
        weights[1][window] = np.where(mine, sure, weights[1][window])
        weights[2][window] = np.where(mine, sure * (1.0 if exact else 0.0 if loose else 0.4), weights[2][window])
    return heat, geometry, weights


@cache
def _trust_of(name: str, boxes: tuple[tuple[float, float, float, float], ...], width: int, height: int) -> np.ndarray:
    mask = np.zeros((height // 4, width // 4), np.float32)
    for left, top, right, bottom in boxes:
        x, y = (right - left) * TRUSTED, (bottom - top) * TRUSTED
        mask[
            max(0, int((top - y) / 4)) : int((bottom + y) / 4) + 1,
            max(0, int((left - x) / 4)) : int((right + x) / 4) + 1,
        ] = 1
    if boxes:
        lowest = max(bottom + 0.15 * (bottom - top) for _, top, _, bottom in boxes)
        mask[int(lowest / 4) :] = 1
    return mask


def _trust(photo: LabelledPhoto) -> np.ndarray:
    return _trust_of(photo.name, tuple(m.box for m in photo.marks), photo.width, photo.height)
