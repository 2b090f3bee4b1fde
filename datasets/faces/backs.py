"""Tiles face down: the coloured layer of a two-tone tile, plain or patterned."""

from __future__ import annotations

import numpy as np

from datasets.faces.outline import Shape, ellipse, polyline, rectangle, smooth, star
from datasets.faces.style import Style


def back_tile(style: Style) -> list[Shape]:
    """The pattern over a ground of `back_inks[0]`, in `back_inks[1]`."""
    w, ink = style.aspect, style.back_inks[1]
    rng = np.random.default_rng([style.seed, 99])
    kind = style.back
    if kind == "bamboo":
        shapes = []
        for x in np.linspace(0.02, w - 0.02, 26):
            sway = rng.normal(0, 0.004, 5)
            curve = smooth([(float(x + s), y) for s, y in zip(sway, np.linspace(0, 1, 5), strict=True)])
            shapes.append(Shape((curve,), ink, float(rng.uniform(0.002, 0.01))))
        return shapes
    if kind == "lattice":
        frame = Shape((rectangle(w / 2, 0.5, w - 0.1, 0.9, 0.03),), ink, 0.016)
        across, down = 6, 9
        dx, dy = (w - 0.18) / across, 0.82 / down
        diamonds = tuple(
            polyline([(x, y - dy * 0.42), (x + dx * 0.42, y), (x, y + dy * 0.42), (x - dx * 0.42, y)])
            for x in (0.09 + (np.arange(across) + 0.5) * dx).tolist()
            for y in (0.09 + (np.arange(down) + 0.5) * dy).tolist()
        )
        return [frame, Shape(diamonds, ink)]
    if kind == "logo":
        return [
            Shape((ellipse(w / 2, 0.5, 0.2),), ink, 0.02),
            Shape((star(w / 2, 0.5, 0.15, 0.065, 4 + style.seed % 4),), ink),
        ]
    if kind == "dots":
        return [
            Shape(
                tuple(
                    ellipse(float(x), float(y), 0.022)
                    for x in np.linspace(0.1, w - 0.1, 6)
                    for y in np.linspace(0.1, 0.9, 8)
                ),
                ink,
            )
        ]
    if kind == "stripes":
        return [Shape(tuple(rectangle(w / 2, float(y), w, 0.03) for y in np.linspace(0.04, 0.96, 11)), ink)]
    if kind == "frame":
        return [
            Shape((rectangle(w / 2, 0.5, w - 0.16, 0.84, 0.03),), ink, 0.025),
            Shape((rectangle(w / 2, 0.5, w - 0.26, 0.74, 0.02),), ink, 0.01),
        ]
    if kind == "weave":
        return [
            Shape(
                tuple(
                    rectangle(w * (i + 0.5) / 7, (k + 0.5) / 9, w / 7 * 0.42, 0.09 if (i + k) % 2 else 0.05, 0.01)
                    for i in range(7)
                    for k in range(9)
                ),
                ink,
            )
        ]
    return []
