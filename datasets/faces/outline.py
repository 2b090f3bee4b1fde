"""The geometry of a printed face: closed and open curves with a paint, nothing that knows pixels or files.

A curve is an array of cubic Bézier segments, so glyphs, circles and polygons are one type, affine maps are one
matrix product, and the same curves become polygons for a raster or path data for an SVG. A `Shape` is some curves
with a paint; a face is a list of shapes, the later ones on top. Lengths are in tile heights, y points down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Curve = NDArray[np.float64]
"""(n, 4, 2): n cubic segments, each start, two handles, end; consecutive segments touch."""

Paint = tuple[int, int, int] | None
"""Red, green, blue 0..255; None takes the ink away, so that the ground shows."""

_ARC = 0.5522847498  # handle length that makes a cubic follow a quarter of the unit circle
_UNIT_CIRCLE: Curve = np.array(
    [
        [(1, 0), (1, _ARC), (_ARC, 1), (0, 1)],
        [(0, 1), (-_ARC, 1), (-1, _ARC), (-1, 0)],
        [(-1, 0), (-1, -_ARC), (-_ARC, -1), (0, -1)],
        [(0, -1), (_ARC, -1), (1, -_ARC), (1, 0)],
    ],
    dtype=np.float64,
)


class Shape(NamedTuple):
    """Curves in one paint: filled (`stroke` 0) or drawn as lines of width `stroke`.

    `nonzero` fills overlapping contours of a glyph as one (TrueType's rule); otherwise overlaps become holes.
    """

    curves: tuple[Curve, ...]
    paint: Paint
    stroke: float = 0.0
    nonzero: bool = False


def moved(curve: Curve, dx: float = 0.0, dy: float = 0.0, sx: float = 1.0, sy: float = 1.0, turn: float = 0.0) -> Curve:
    """The curve scaled by (sx, sy), turned clockwise by `turn` radians, then moved by (dx, dy)."""
    c, s = np.cos(turn), np.sin(turn)
    return (curve * (sx, sy)) @ np.array([[c, s], [-s, c]]) + (dx, dy)


def ellipse(x: float, y: float, rx: float, ry: float | None = None, turn: float = 0.0) -> Curve:
    """A closed ellipse (a circle when `ry` is left out)."""
    return moved(_UNIT_CIRCLE, x, y, rx, rx if ry is None else ry, turn)


def polyline(points: Sequence[Sequence[float]] | NDArray[np.float64], closed: bool = True) -> Curve:
    """Straight edges through the points."""
    a = np.asarray(points, dtype=np.float64)
    b = np.roll(a, -1, axis=0)
    if not closed:
        a, b = a[:-1], b[:-1]
    return np.stack([a, a, b, b], axis=1)


def smooth(points: Sequence[Sequence[float]] | NDArray[np.float64], closed: bool = False) -> Curve:
    """A curve that passes through the points without corners (Catmull-Rom)."""
    p = np.asarray(points, dtype=np.float64)
    if len(p) == 2:
        return polyline(p, closed=False)
    if closed:
        before, after = np.roll(p, 1, axis=0), np.roll(p, -1, axis=0)
        tangent = (after - before) / 6
        nxt, nxt_tangent = after, np.roll(tangent, -1, axis=0)
        return np.stack([p, p + tangent, nxt - nxt_tangent, nxt], axis=1)
    padded = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    tangent = (padded[2:] - padded[:-2]) / 6
    return np.stack([p[:-1], p[:-1] + tangent[:-1], p[1:] - tangent[1:], p[1:]], axis=1)


def rectangle(x: float, y: float, w: float, h: float, corner: float = 0.0, turn: float = 0.0) -> Curve:
    """A rectangle centred on (x, y) whose corners are rounded with radius `corner`."""
    a, b, r = w / 2, h / 2, min(corner, w / 2, h / 2)
    if r <= 0:
        return moved(polyline([(-a, -b), (a, -b), (a, b), (-a, b)]), x, y, turn=turn)
    k = r * (1 - _ARC)
    parts: list[Curve] = []
    for px, py, qx, qy, hx, hy, gx, gy in (
        (a - r, -b, a, -b + r, a - k, -b, a, -b + k),
        (a, b - r, a - r, b, a, b - k, a - k, b),
        (-a + r, b, -a, b - r, -a + k, b, -a, b - k),
        (-a, -b + r, -a + r, -b, -a, -b + k, -a + k, -b),
    ):
        parts.append(np.array([(px, py), (hx, hy), (gx, gy), (qx, qy)], dtype=np.float64))
    segments: list[Curve] = []
    for i, part in enumerate(parts):
        end, start = part[3], parts[(i + 1) % 4][0]
        segments += [part, np.array([end, end, start, start])]
    return moved(np.stack(segments), x, y, turn=turn)


def leaf(a: Sequence[float], b: Sequence[float], width: float, bend: float = 0.0) -> Curve:
    """A pointed leaf or petal from `a` to `b`; `width` and `bend` are shares of its length."""
    start, end = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    along = end - start
    across = np.array([-along[1], along[0]])
    left, right = across * (bend + width * 0.66), across * (bend - width * 0.66)
    return np.array(
        [
            [start, start + along * 0.3 + left, end - along * 0.3 + left, end],
            [end, end - along * 0.3 + right, start + along * 0.3 + right, start],
        ]
    )


def brush(points: Sequence[Sequence[float]], widths: Sequence[float]) -> Curve:
    """A filled stroke through the points whose width follows `widths` (one for each point; 0 is a tip)."""
    line = flat(smooth(points), 5)
    line = np.vstack([line, np.asarray(points[-1], dtype=np.float64)])
    half = np.interp(np.linspace(0, len(widths) - 1, len(line)), np.arange(len(widths)), np.asarray(widths)) / 2
    ahead = np.gradient(line, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * half[:, None]
    return polyline(np.vstack([line + across, (line - across)[::-1]]))


def outline_of(lengths: Sequence[float], half_widths: Sequence[float], round_: bool = True) -> Curve:
    """A closed outline, symmetrical about the y axis, with the given half width at each height."""
    right = np.stack([half_widths, lengths], axis=1)
    left = right[::-1] * (-1, 1)
    points = np.vstack([right, left])
    return smooth(points, closed=True) if round_ else polyline(points)


def star(x: float, y: float, outer: float, inner: float, points: int, turn: float = 0.0) -> Curve:
    """A star with straight edges."""
    angles = turn + np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return polyline(np.stack([x + radii * np.sin(angles), y - radii * np.cos(angles)], axis=1))


def placed(
    shapes: Iterable[Shape], dx: float, dy: float, sx: float, sy: float | None = None, turn: float = 0.0
) -> list[Shape]:
    """All shapes scaled, turned and moved; the line widths follow the smaller scale."""
    tall = sx if sy is None else sy
    line = min(abs(sx), abs(tall))
    return [
        Shape(tuple(moved(c, dx, dy, sx, tall, turn) for c in s.curves), s.paint, s.stroke * line, s.nonzero)
        for s in shapes
    ]


_WEIGHTS: dict[int, NDArray[np.float64]] = {}


def flat(curve: Curve, steps: int = 8) -> NDArray[np.float64]:
    """Points along the curve, `steps` for each segment (one when every segment is straight); (k, 2)."""
    if np.array_equal(curve[:, 0], curve[:, 1]) and np.array_equal(curve[:, 2], curve[:, 3]):
        return curve[:, 0]
    weights = _WEIGHTS.get(steps)
    if weights is None:
        t = np.arange(steps) / steps
        weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
        _WEIGHTS[steps] = weights
    return np.einsum("sk,nkd->nsd", weights, curve).reshape(-1, 2)


def is_closed(curve: Curve) -> bool:
    """Whether the last segment ends where the first begins."""
    return bool(np.abs(curve[0, 0] - curve[-1, 3]).max() < 1e-9)


def area(curve: Curve) -> float:
    """Signed area inside the curve (positive when it runs clockwise on a screen)."""
    p = flat(curve, 4)
    q = np.roll(p, -1, axis=0)
    return float((p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]).sum() / 2)
