"""The bamboo suit 条, 2 to 9: where the sticks of each rank stand on real sets, and the ways a stick is drawn.

The 1 is a bird and lives in `birds`. The 8 is a W over an M: upright sticks outside, slanted ones between.
"""

from __future__ import annotations

import numpy as np

from datasets.faces.outline import Paint, Shape, ellipse, outline_of, placed, polyline, rectangle
from datasets.faces.style import STICK_SCHEMES, Style

# rank: centres in the unit square of the printed area, and the length of a stick in tile heights
LAYOUT: dict[int, tuple[tuple[tuple[float, float], ...], float]] = {
    2: (((0.5, 0.24), (0.5, 0.76)), 0.37),
    3: (((0.5, 0.24), (0.14, 0.76), (0.86, 0.76)), 0.37),
    4: (((0.18, 0.24), (0.82, 0.24), (0.18, 0.76), (0.82, 0.76)), 0.38),
    5: (((0.1, 0.24), (0.9, 0.24), (0.5, 0.5), (0.1, 0.76), (0.9, 0.76)), 0.37),
    6: (tuple((x, y) for y in (0.24, 0.76) for x in (0.1, 0.5, 0.9)), 0.37),
    7: (((0.5, 0.14), *((x, y) for y in (0.5, 0.86) for x in (0.1, 0.5, 0.9))), 0.26),
    9: (tuple((x, y) for y in (0.14, 0.5, 0.86) for x in (0.1, 0.5, 0.9)), 0.26),
}


def stick(length: float, width: float, ink: Paint, style: Style) -> list[Shape]:
    """One upright stick centred on (0, 0)."""
    shapes = _cane(length, width, ink, style)
    if style.stick_knots and ink != style.red:
        joints = _joints(length, style)
        knot = style.ink(style.stick_knots)
        for i in range(1, joints + 1):
            y = -length / 2 + length * i / (joints + 1)
            shapes.append(Shape((rectangle(0, y, width * 0.95, width * 0.3, width * 0.1),), knot))
    return shapes


def _joints(length: float, style: Style) -> int:
    return min(style.stick_joints, 2) if length < 0.3 else style.stick_joints


def _cane(length: float, width: float, ink: Paint, style: Style) -> list[Shape]:
    kind, joints, a, h = style.stick, _joints(length, style), width / 2, length / 2
    parts = joints + 1
    step = length / parts
    middles = [-h + step * (i + 0.5) for i in range(parts)]
    knots = [-h + step * i for i in range(1, parts)]
    line = width * 0.16
    if kind == "bar":
        return [
            Shape((rectangle(0, 0, width * 0.62, length, width * 0.1),), ink),
            *(Shape((rectangle(0, y, width, line * 1.4),), ink) for y in (-h, *knots, h)),
        ]
    if kind == "chain":
        shapes = [Shape((ellipse(0, y, a * 0.8, step / 2 * 0.92),), ink, width * 0.24) for y in middles]
        return shapes + [Shape((rectangle(0, y, width * 0.8, line * 1.3, line),), ink) for y in knots]
    if kind == "beads":
        shapes = [Shape((ellipse(0, y, a * 0.86, step * 0.5),), ink) for y in middles]
        shapes += [Shape((ellipse(0, y, a, min(a, step * 0.3)),), ink) for y in (-h + a * 0.6, *knots, h - a * 0.6)]
        return shapes + _slots(style, middles, step, width)
    if kind == "capsule":
        shapes = [Shape((rectangle(0, 0, width * 0.9, length, a),), ink)]
        shapes += [Shape((rectangle(0, y, width, line * 0.8),), None) for y in knots]
        return shapes + _slots(style, middles, step, width)
    if kind == "blocks":
        shapes = [Shape((rectangle(0, y, width * 0.86, step * 0.9, width * 0.14),), ink) for y in middles]
        return shapes + _slots(style, middles, step, width)
    ys: list[float] = []
    widths: list[float] = []
    if kind == "bone":  # flared ends and a waist in each part
        for y in middles:
            ys += [y - step * 0.5, y - step * 0.36, y - step * 0.18, y + step * 0.18, y + step * 0.36, y + step * 0.5]
            widths += [a * 1.12, a * 0.98, a * 0.6, a * 0.6, a * 0.98, a * 1.12]
        return [Shape((outline_of(ys, widths, round_=False),), ink), *_slots(style, middles, step, width * 0.72)]
    for i, y in enumerate(middles):  # knots: rounded lobes that meet in a waist
        ys += [y - step * 0.46, y - step * 0.2, y + step * 0.2, y + step * 0.46]
        first, last = i == 0, i == len(middles) - 1
        widths += [a * (0.62 if first else 0.8), a, a, a * (0.62 if last else 0.8)]
    return [Shape((outline_of(ys, widths),), ink), *_slots(style, middles, step, width)]


def _slots(style: Style, middles: list[float], step: float, width: float) -> list[Shape]:
    """The light lines inside a stick."""
    line = width * 0.2
    if style.stick_slot == "line":
        top, bottom = middles[0] - step * 0.28, middles[-1] + step * 0.28
        return [Shape((polyline([(0, top), (0, bottom)], closed=False),), None, line)]
    if style.stick_slot == "segments":
        return [Shape((rectangle(0, y, line * 1.5, step * 0.56, line * 0.7),), None) for y in middles]
    if style.stick_slot == "beads":
        return [Shape((ellipse(0, y, line * 0.9, min(line * 1.4, step * 0.24)),), None) for y in middles]
    return []


def bamboo_tile(rank: int, style: Style, red: bool = False) -> list[Shape]:
    """2s..9s."""
    w = style.aspect
    box = np.array([w - 2 * style.margin - 0.08, 1 - 2 * style.margin])
    middle = np.array([w / 2, 0.5])
    roles = STICK_SCHEMES[style.stick_scheme][rank]
    width = 0.085 * style.stick_width
    shapes: list[Shape] = []
    if rank == 8:
        return _eight(style, box * (min(style.bamboo_spread, 1.0) * 0.94, 1.0), middle, width, roles)
    centres, length = LAYOUT[rank]
    points = (np.array(centres) - 0.5) * box * (style.bamboo_spread, 1.0) + middle
    length = min(length, float(box[1]) * (0.3 if rank in (7, 9) else 0.46)) * style.stick_length
    for (x, y), role in zip(points, roles, strict=True):
        ink = style.red if red else style.ink(role)
        shapes += placed(stick(length, width, ink, style), float(x), float(y), 1.0)
    return shapes


def _eight(style: Style, box: np.ndarray, middle: np.ndarray, width: float, roles: str) -> list[Shape]:
    """W over M: the slanted sticks of the upper half rise to the middle, those of the lower half sink to it."""
    shapes: list[Shape] = []
    half = float(box[1]) * 0.42 * style.stick_length
    x_out = float(box[0]) / 2
    inset = width * (0.1 if style.eight == "joined" else 0.75)
    slim = width * 0.86
    for row, (sign, cy) in enumerate(((-1, middle[1] - box[1] * 0.26), (1, middle[1] + box[1] * 0.26))):
        for i, side in enumerate((-1, 1)):
            upright = style.ink(roles[row * 4 + i * 3])
            shapes += placed(stick(half, width, upright, style), float(middle[0] + side * x_out), float(cy), 1.0)
            # From the inner foot of the upright stick to the middle of the other end.
            x0, y0 = middle[0] + side * (x_out - inset), cy - sign * half * 0.36
            x1, y1 = middle[0] + side * slim * 0.3, cy + sign * half * (0.2 if style.seed % 3 else 0.36)
            slant = style.ink(roles[row * 4 + 1 + i])
            length = float(np.hypot(x1 - x0, y1 - y0)) + slim * 0.4
            turn = float(np.arctan2(y1 - y0, x1 - x0) - np.pi / 2)
            shapes += placed(stick(length, slim, slant, style), float(x0 + x1) / 2, float(y0 + y1) / 2, 1.0, turn=turn)
    return shapes
