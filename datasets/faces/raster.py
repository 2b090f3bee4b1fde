"""Shapes become pixels: filled four times finer than asked, engraved, worn, laid on the ground, shrunk.

Everything that looks random is drawn from the style's seed and the tile's code, so the same face comes out the same
on every call.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.face import shapes_of
from datasets.faces.outline import Shape, area, flat, is_closed
from datasets.faces.style import Style

Pixels = NDArray[np.uint8]
_SHIFT = 4  # fractional bits that OpenCV takes for coordinates


def _points(shape: Shape, scale: float, steps: int) -> list[NDArray[np.int32]]:
    """Each curve as fixed-point pixel corners. Pixel centres lie at whole numbers, hence the half."""
    polygons: list[NDArray[np.int32]] = []
    for curve in shape.curves:
        points = flat(curve, steps)
        if shape.stroke and not is_closed(curve):
            points = np.vstack([points, curve[-1, 3]])
        polygons.append(np.rint((points * scale - 0.5) * (1 << _SHIFT)).astype(np.int32))
    return polygons


def _fill_nonzero(canvas: Pixels, shape: Shape, polygons: list[NDArray[np.int32]], colour: tuple[int, ...]) -> None:
    """Fill a glyph by its winding: larger contours first, each adds or takes away by its own direction."""
    areas = [area(curve) for curve in shape.curves]
    order = sorted(range(len(areas)), key=lambda i: -abs(areas[i]))
    outside = areas[order[0]] > 0
    low = np.min([p.min(0) for p in polygons], axis=0) >> _SHIFT
    high = (np.max([p.max(0) for p in polygons], axis=0) >> _SHIFT) + 2
    x0, y0 = (max(int(v) - 1, 0) for v in low)
    x1, y1 = min(int(high[0]), canvas.shape[1]), min(int(high[1]), canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    corner = np.array([x0, y0], np.int32) << _SHIFT
    for i in order:
        cv2.fillPoly(mask, [polygons[i] - corner], 255 if (areas[i] > 0) == outside else 0, shift=_SHIFT)
    canvas[y0:y1, x0:x1][mask > 0] = colour


def ink_layer(shapes: tuple[Shape, ...], width: int, height: int, fine: int) -> NDArray[np.float32]:
    """Red, green, blue (already multiplied by coverage) and coverage, 0..255, (height, width, 4)."""
    canvas = np.zeros((height * fine, width * fine, 4), np.uint8)
    scale = float(height * fine)
    steps = 6 if height <= 128 else 12
    for shape in shapes:
        colour = (0, 0, 0, 0) if shape.paint is None else (*shape.paint, 255)
        polygons = _points(shape, scale, steps)
        if shape.stroke:
            thickness = max(1, round(shape.stroke * scale))
            for curve, polygon in zip(shape.curves, polygons, strict=True):
                cv2.polylines(canvas, [polygon], is_closed(curve), colour, thickness, shift=_SHIFT)
        elif shape.nonzero:
            _fill_nonzero(canvas, shape, polygons, colour)
        else:
            cv2.fillPoly(canvas, polygons, colour, shift=_SHIFT)
    return cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)


def _noise(rng: np.random.Generator, width: int, height: int, cells: int) -> NDArray[np.float32]:
    """Smooth noise in -1..1, `cells` bumps along the height."""
    small = rng.uniform(-1, 1, (cells, max(2, round(cells * width / height)))).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def _strayed(ink: NDArray[np.float32], rng: np.random.Generator, amount: float) -> NDArray[np.float32]:
    """The ink with lines that stray by up to a hundredth of the height."""
    height, width = ink.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = 0.012 * amount * height
    return cv2.remap(
        ink,
        columns + reach * _noise(rng, width, height, 9),
        rows + reach * _noise(rng, width, height, 9),
        cv2.INTER_LINEAR,
    )


@lru_cache(maxsize=64)
def _tile_mask(width: int, height: int, corner: float) -> NDArray[np.float32]:
    """Coverage 0..1 of the rounded rectangle."""
    fine = 4
    r = round(corner * height * fine)
    w, h = width * fine, height * fine
    mask = np.zeros((h, w), np.uint8)
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _ground(tile: str, style: Style, rng: np.random.Generator, width: int, height: int) -> NDArray[np.float32]:
    base = np.array(style.back_inks[0] if tile == "back" else style.ground, np.float32)
    light = np.ones((height, width), np.float32)
    shade = max(style.shade, 0.25) if tile == "back" and style.back == "gradient" else style.shade
    if shade:
        angle = (style.seed % 360) * np.pi / 180
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        along = (columns / width - 0.5) * np.float32(np.cos(angle)) + (rows / height - 0.5) * np.float32(np.sin(angle))
        light -= shade * (along + 0.5)
    if style.grain:
        light += style.grain * 0.5 * (_noise(rng, width, height, 5) + 0.6 * _noise(rng, width, height, 24))
    return base * light[..., None]


def draw(tile: str, style: Style, height: int) -> Pixels:
    """The face of `tile`: (height, width, 4) RGBA, upright, alpha 255 inside the rounded rectangle of the tile.

    `height` is in pixels, at least 8; the width is `round(height * style.aspect)`. The same arguments give the same
    pixels. Raises `ValueError` for an unknown tile or a height below 8, `fonts.FontError` when the character fonts
    are missing.
    """
    if height < 8:
        raise ValueError(f"A face of {height} pixels cannot be drawn: ask for a height of at least 8.")
    width = round(height * style.aspect)
    fine = 4 if height <= 140 else 3 if height <= 260 else 2
    rng = np.random.default_rng([style.seed, zlib.crc32(tile.encode())])
    ink = ink_layer(shapes_of(tile, style), width, height, fine)
    if style.wobble and tile != "back":
        ink = _strayed(ink, rng, style.wobble)
    cover = ink[..., 3] / 255
    colour = ink[..., :3]
    if style.wear and tile != "back":
        lost = np.clip(
            style.wear * (0.55 * _noise(rng, width, height, 6) + 0.45 * _noise(rng, width, height, 30) + 0.5), 0, 0.9
        )
        cover = cover * (1 - lost)
        colour = colour * (1 - lost)[..., None]
    picture = _ground(tile, style, rng, width, height)
    if style.carve and tile != "back":
        # Light from above: the upper wall of each groove lies in shadow, its lower lip catches light.
        depth = 0.014 * height
        above = cv2.warpAffine(cover, np.array([[1, 0, depth * 0.5], [0, 1, depth]], np.float32), (width, height))
        below = cv2.warpAffine(cover, np.array([[1, 0, -depth * 0.5], [0, 1, -depth]], np.float32), (width, height))
        colour = colour * (1 - 0.6 * style.carve * cover * (1 - above))[..., None]
        colour = colour + (60 * style.carve * cover * np.clip(1 - below, 0, 1))[..., None] * 0.5 * cover[..., None]
        picture = picture * (1 + 0.1 * style.carve * np.clip(above - cover, 0, 1))[..., None]
    picture = picture * (1 - cover)[..., None] + colour
    alpha = _tile_mask(width, height, style.corner)
    out = np.empty((height, width, 4), np.uint8)
    out[..., :3] = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    out[..., 3] = np.rint(alpha * 255).astype(np.uint8)
    return out
