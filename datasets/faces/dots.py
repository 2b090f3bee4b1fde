"""The dot suit 筒: where the dots of each rank lie on real sets, and the ways a dot is drawn.

Layouts are centres in the unit square of the printed area. Every set keeps them: the 7 is three on a falling
diagonal over two by two, the 6 a pair set apart from two by two, the 8 two by four, the 9 three by three.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.faces.outline import Paint, Shape, ellipse, leaf, moved, polyline, rectangle, star
from datasets.faces.style import DOT_SCHEMES, Style

# rank: (centres, largest radius in tile widths)
LAYOUT: dict[int, tuple[tuple[tuple[float, float], ...], float]] = {
    2: (((0.5, 0.23), (0.5, 0.77)), 0.215),
    3: (((0.16, 0.14), (0.5, 0.5), (0.84, 0.86)), 0.165),
    4: (((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)), 0.17),
    5: (((0.18, 0.17), (0.82, 0.17), (0.5, 0.5), (0.18, 0.83), (0.82, 0.83)), 0.16),
    6: (((0.24, 0.12), (0.76, 0.12), (0.24, 0.56), (0.76, 0.56), (0.24, 0.87), (0.76, 0.87)), 0.165),
    7: (((0.13, 0.09), (0.49, 0.2), (0.86, 0.33), (0.27, 0.62), (0.73, 0.62), (0.27, 0.9), (0.73, 0.9)), 0.15),
    8: (tuple((x, y) for y in (0.09, 0.363, 0.637, 0.91) for x in (0.24, 0.76)), 0.15),
    9: (tuple((x, y) for y in (0.13, 0.5, 0.87) for x in (0.12, 0.5, 0.88)), 0.15),
}


def dot(
    kind: str, x: float, y: float, r: float, ink: Paint, style: Style, core: Paint = None, cored: bool = False
) -> list[Shape]:
    """One dot of radius `r`; with `cored` its middle takes the second paint."""
    line, n = style.dot_line * r, style.dot_petals
    centre = core if cored else ink
    ring = lambda radius, width, paint: Shape((ellipse(x, y, radius - width / 2),), paint, width)  # noqa: E731
    disc = lambda radius, paint: Shape((ellipse(x, y, radius),), paint)  # noqa: E731
    spread = np.arange(n) * 2 * np.pi / n
    if kind == "rings":
        return [disc(r, ink), ring(r * 0.8, line, None), ring(r * 0.5, line, None), disc(r * 0.5 - line, centre)]
    if kind == "target":
        return [disc(r, ink), disc(r * 0.62, None), disc(r * 0.36, centre)]
    if kind == "hollow":
        return [ring(r, line * 1.5, ink), ring(r * 0.66, line * 1.2, ink), disc(r * 0.26, centre)]
    if kind == "double":
        return [ring(r, line * 1.6, ink), ring(r * 0.6, line * 1.6, centre)]
    if kind == "petals":
        petals = tuple(
            ellipse(x + r * 0.46 * np.sin(a), y - r * 0.46 * np.cos(a), r * 0.5 / n**0.5, r * 0.2, a - np.pi / 2)
            for a in spread
        )
        return [
            disc(r, ink),
            ring(r * 0.84, line * 0.8, None),
            Shape(petals, None),
            disc(r * 0.24, None),
            disc(r * 0.17, centre),
        ]
    if kind == "spokes":
        spokes = tuple(
            polyline(
                [
                    (x + r * 0.24 * np.sin(a), y - r * 0.24 * np.cos(a)),
                    (x + r * 0.74 * np.sin(a), y - r * 0.74 * np.cos(a)),
                ],
                closed=False,
            )
            for a in spread
        )
        return [disc(r, ink), Shape(spokes, None, line * 0.9), disc(r * 0.26, None), disc(r * 0.17, centre)]
    if kind == "cross":
        leaves = tuple(
            leaf(
                (x + r * 0.1 * np.sin(a), y - r * 0.1 * np.cos(a)),
                (x + r * 0.74 * np.sin(a), y - r * 0.74 * np.cos(a)),
                0.5,
            )
            for a in np.pi / 4 + np.arange(4) * np.pi / 2
        )
        return [disc(r, ink), Shape(leaves, None), disc(r * 0.12, centre)]
    if kind == "quarters":
        bars = (rectangle(x, y, r * 1.5, line), rectangle(x, y, line, r * 1.5))
        return [
            disc(r, ink),
            *(Shape((bar,), None) for bar in bars),
            ring(r * 0.86, line * 0.6, None),
            disc(r * 0.2, centre),
        ]
    if kind == "flower":
        n = max(n, 6)
        spread = np.arange(n) * 2 * np.pi / n
        petals = tuple(
            ellipse(x + r * 0.68 * np.sin(a), y - r * 0.68 * np.cos(a), r * 2.0 / n, r * 0.32, a) for a in spread
        )
        return [
            *(Shape((petal,), ink) for petal in petals),
            disc(r * 0.5, ink),
            disc(r * 0.4, None),
            disc(r * 0.25, centre),
        ]
    if kind == "coin":  # a coin with a square hole
        hole = rectangle(x, y, r * 0.62, r * 0.62)
        return [disc(r, ink), ring(r * 0.84, line * 0.8, None), Shape((hole,), None), Shape((hole,), centre, line)]
    if kind == "scallop":
        n = max(n, 7) + 2
        bumps = tuple(
            ellipse(x + r * 0.86 * np.sin(a), y - r * 0.86 * np.cos(a), r * 0.14 + r * 0.9 / n)
            for a in np.arange(n) * 2 * np.pi / n
        )
        small = tuple(moved(bump, x * 0.1, y * 0.1, 0.9, 0.9) for bump in bumps)
        return [
            *(Shape((bump,), ink) for bump in small),
            disc(r * 0.86, ink),
            ring(r * 0.66, line, None),
            disc(r * 0.3, centre),
        ]
    if kind == "ring":
        return [ring(r, max(line * 2, r * 0.28), ink)]
    if kind == "dashes":
        dashes = tuple(
            rectangle(x + r * 0.48 * np.sin(a), y - r * 0.48 * np.cos(a), r * 1.6 / n, line * 0.9, turn=a)
            for a in spread
        )
        return [
            disc(r, ink),
            ring(r * 0.82, line * 0.7, None),
            Shape(dashes, None),
            disc(r * 0.26, None),
            disc(r * 0.15, centre),
        ]
    return [disc(r, ink)] + ([disc(r * 0.3, centre)] if cored else [])


def big_dot(x: float, y: float, r: float, style: Style, inks: Sequence[Paint]) -> list[Shape]:
    """The ornate single dot of the 1: outer, middle and inner paint."""
    a, b, c = inks
    kind, line = style.big_dot, 0.07 * r
    ring = lambda radius, width, paint: Shape((ellipse(x, y, radius - width / 2),), paint, width)  # noqa: E731
    disc = lambda radius, paint: Shape((ellipse(x, y, radius),), paint)  # noqa: E731
    around = lambda n: np.arange(n) * 2 * np.pi / n  # noqa: E731
    at = lambda t, d: (x + d * r * np.sin(t), y - d * r * np.cos(t))  # noqa: E731
    count = 8 + 2 * (style.dot_petals % 5)
    if kind == "medallion":
        petals = tuple(ellipse(*at(t, 0.66), r * 0.85 / count, r * 0.11, t) for t in around(count))
        return [
            disc(r, a), ring(r * 0.9, line * 0.7, None), Shape(petals, None), disc(r * 0.5, None), disc(r * 0.42, b),
            Shape(tuple(leaf(at(t, 0.06), at(t, 0.34), 0.6) for t in around(4)), None), disc(r * 0.07, c),
        ]  # fmt: skip
    if kind == "sunflower":
        petals = tuple(ellipse(*at(t, 0.8), r * 2.1 / count, r * 0.2, t) for t in around(count))
        return [
            *(Shape((petal,), a, line * 1.1) for petal in petals), disc(r * 0.6, None),
            ring(r * 0.6, line, a), disc(r * 0.5, b),
            ring(r * 0.42, line * 0.7, None), disc(r * 0.2, None), disc(r * 0.14, c),
        ]  # fmt: skip
    if kind == "wheel":
        ticks = tuple(rectangle(*at(t, 0.76), line * 0.8, r * 0.16, turn=t) for t in around(count * 2))
        petals = tuple(ellipse(*at(t, 0.36), r * 0.07, r * 0.1, t) for t in around(8))
        return [
            ring(r, line * 1.6, a), *(Shape((tick,), a) for tick in ticks), disc(r * 0.56, b), Shape(petals, None),
            ring(r * 0.25, line * 0.8, None), disc(r * 0.08, None),
        ]  # fmt: skip
    if kind == "rings":
        return [ring(r, r * 0.22, a), ring(r * 0.72, r * 0.2, b), ring(r * 0.46, r * 0.1, c), disc(r * 0.08, c)]
    if kind == "rosette":
        petals = tuple(leaf(at(t, 0.35), at(t, 0.93), 0.62) for t in around(count))
        return [
            ring(r, line * 1.4, a), *(Shape((petal,), a) for petal in petals), disc(r * 0.4, None), disc(r * 0.36, b),
            Shape((star(x, y, r * 0.26, r * 0.1, 5),), None),
        ]  # fmt: skip
    if kind == "dashes":
        dashes = tuple(rectangle(*at(t, 0.76), r * 2.6 / count, line * 0.9, turn=t) for t in around(count))
        inner = tuple(ellipse(*at(t, 0.3), r * 0.1) for t in around(5))
        return [
            disc(r, a),
            ring(r * 0.92, line * 0.5, None),
            Shape(dashes, None),
            disc(r * 0.58, None),
            disc(r * 0.52, b),
            Shape(inner, None),
            disc(r * 0.1, c),
        ]
    if kind == "daisy":
        petals = tuple(ellipse(*at(t, 0.72), r * 1.8 / count, r * 0.27, t) for t in around(count))
        return [
            *(Shape((petal,), a) for petal in petals),
            disc(r * 0.5, None),
            disc(r * 0.44, b),
            ring(r * 0.34, line, None),
            disc(r * 0.12, c),
        ]
    if kind == "beads":
        beads = tuple(ellipse(*at(t, 0.78), r * 1.5 / count) for t in around(count))
        return [
            ring(r, line, a),
            *(Shape((bead,), a) for bead in beads),
            ring(r * 0.58, line, a),
            disc(r * 0.46, b),
            disc(r * 0.3, None),
            disc(r * 0.2, c),
        ]
    return dot(style.dot, x, y, r, a, style, b, cored=True)


def dot_tile(rank: int, style: Style, red: bool = False) -> list[Shape]:
    """1p..9p."""
    w = style.aspect
    if rank == 1:
        inks = [style.red if red else style.ink(role) for role in style.big_inks]
        return big_dot(w / 2, 0.5, min(style.big_dot_size, w / 2 - style.margin * 0.7), style, inks)
    centres, largest = LAYOUT[rank]
    points = np.array(centres)
    if rank in (6, 7, 8):
        pairs = slice(3 if rank == 7 else 0, None)
        points[pairs, 0] = 0.5 + (points[pairs, 0] - 0.5) * (1 - 0.25 * style.dot_close)
    if rank == 6:
        points[2:4, 1] = 0.5 + (points[2:4, 1] - 0.5) * style.pair_gap
    if rank == 7:
        points[:3, 1] = 0.2 + (points[:3, 1] - 0.2) * min(style.diagonal, 1.15)
    # Dots fill a tile more than characters do.
    box = np.array([w - 1.4 * style.margin, 1 - 1.5 * style.margin])
    points = (points - 0.5) * box * style.dot_spread + (w / 2, 0.5)
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    nearest = float(apart[apart > 0].min())
    edge = float(min(points[:, 0].min(), w - points[:, 0].max(), points[:, 1].min(), 1 - points[:, 1].max())) - 0.03
    r = min(largest * w * 1.06, nearest / 2 * 0.99, edge) * style.dot_size
    shapes: list[Shape] = []
    for (x, y), role in zip(points, DOT_SCHEMES[style.dot_scheme][rank], strict=True):
        ink = style.red if red else style.ink(role)
        cored = bool(style.dot_core) and style.dot_core != role and not red
        shapes += dot(style.dot, float(x), float(y), r, ink, style, style.ink(style.dot_core) if cored else None, cored)
    return shapes


__all__ = ["LAYOUT", "big_dot", "dot", "dot_tile"]
