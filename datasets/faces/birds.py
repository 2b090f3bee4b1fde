"""The 1 of bamboo: the tile that differs most from set to set, so ten families of birds and shoots with free joints.

Every family is drawn in the square -1..1 around (0, 0), y down, head mostly up and to the left; `bird_flip` draws
the other hand of the design (a bird has no reading direction). The joints move a little with the style's seed, so
two sets of one family do not carry the same bird.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from datasets.faces.outline import Curve, Paint, Shape, brush, ellipse, leaf, moved, polyline, rectangle, smooth
from datasets.faces.style import Style


class _Hand:
    """The drawing hand of one set: three inks, a line width, filled or engraved, and a slightly unsteady wrist."""

    def __init__(self, style: Style, inks: tuple[Paint, Paint, Paint]) -> None:
        self.rng = np.random.default_rng([style.seed, 1])
        self.a, self.b, self.c = inks
        self.line = 0.05 * style.bird_line
        self.filled = style.bird_filled
        self.style = style
        self.shapes: list[Shape] = []

    def pts(self, points: list[tuple[float, float]], stray: float = 0.03) -> list[tuple[float, float]]:
        moves = self.rng.normal(0, stray, (len(points), 2))
        return [(x + float(dx), y + float(dy)) for (x, y), (dx, dy) in zip(points, moves, strict=True)]

    def u(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def body(self, curve: Curve, paint: Paint, filled: bool | None = None) -> None:
        """A closed part: filled, or engraved as an outline that hides what lies under it."""
        if self.filled if filled is None else filled:
            self.shapes.append(Shape((curve,), paint))
        else:
            self.shapes += [Shape((curve,), None), Shape((curve,), paint, self.line)]

    def stroke(self, points: list[tuple[float, float]], paint: Paint, width: float = 1.0) -> None:
        self.shapes.append(Shape((smooth(points),), paint, self.line * width))

    def feather(self, points: list[tuple[float, float]], paint: Paint, width: float = 0.12) -> None:
        """A tapering plume: filled, or a pair of lines."""
        self.shapes.append(Shape((brush(points, (width * 0.5, width, width * 0.8, 0.01)),), paint))

    def hatch(self, centre: tuple[float, float], paint: Paint, n: int, size: float, turn: float = 0.0) -> None:
        """Short curved lines: scales and wing bars, taken out of a filled part."""
        mark = None if self.filled else paint
        for i in range(n):
            t = (i - (n - 1) / 2) * size / n * 1.6
            curve = smooth([(-size * 0.4, t), (0, t + size * 0.12), (size * 0.4, t)])
            self.shapes.append(Shape((moved(curve, *centre, turn=turn),), mark, self.line * 0.7))

    def eye(self, x: float, y: float, r: float, ring: Paint) -> None:
        self.shapes += [
            Shape((ellipse(x, y, r),), None),
            Shape((ellipse(x, y, r),), ring, self.line * 0.8),
            Shape((ellipse(x, y, r * 0.42),), ring),
        ]


def _perched(h: _Hand) -> None:
    """A parrot-like bird upright on a branch with a long hanging tail."""
    lean = h.u(-0.12, 0.12)
    n = int(h.rng.integers(2, 5))
    for i in range(n):  # tail
        x = -0.05 + (i - (n - 1) / 2) * 0.13 - lean
        h.feather(
            h.pts([(0.02 + (x * 0.4), 0.2), (x + 0.02, 0.55), (x + 0.12 + lean, 0.96)]),
            (h.c, h.a, h.c, h.b)[i % 4],
            h.u(0.09, 0.15),
        )
    branch = h.pts([(-0.62, 0.24), (-0.25, 0.3), (0.25, 0.26), (0.66, 0.14)])
    h.stroke(branch, h.b, 1.4)
    for x, y in (branch[0], branch[-1]):
        h.body(ellipse(x, y, h.u(0.06, 0.11)), h.b, False)
    body = h.pts([(-0.3, -0.35), (-0.02, -0.5), (0.27, -0.3), (0.3, 0.05), (0.06, 0.36), (-0.2, 0.2)])
    h.body(smooth(body, closed=True), h.a)
    h.hatch((-0.03, -0.02), h.a, int(h.rng.integers(2, 5)), 0.4)
    wing = h.pts([(0.2, -0.42), (0.44, -0.2), (0.36, 0.25), (0.18, 0.05)])
    h.body(smooth(wing, closed=True), h.b)
    if h.u(0, 1) < 0.6:
        h.body(smooth([(-x - 0.06, y) for x, y in wing], closed=True), h.b)
    hx, hy = h.u(-0.1, 0.1), -0.62
    h.body(ellipse(hx, hy, 0.21, 0.2), h.a)
    h.eye(hx - 0.02, hy, 0.1, h.c)
    h.shapes.append(Shape((polyline([(hx - 0.18, hy - 0.06), (hx - 0.36, hy + 0.04), (hx - 0.17, hy + 0.09)]),), h.c))
    for i in range(int(h.rng.integers(1, 4))):  # crest
        h.stroke(
            h.pts([(hx, hy - 0.2), (hx + 0.12 - i * 0.14, hy - 0.33), (hx + 0.28 - i * 0.3, hy - 0.32 + 0.05 * i)]),
            h.c,
            1.3,
        )


def _sparrow(h: _Hand) -> None:
    """A small bird on a slant, head up left, tail down right, a sprig under its feet."""
    for i in range(int(h.rng.integers(2, 5))):
        t = i * 0.16
        h.feather(
            h.pts([(0.12, 0.15), (0.34 - t * 0.5, 0.5), (0.62 - t, 0.95)]), (h.c, h.b, h.c, h.a)[i % 4], h.u(0.09, 0.16)
        )
    h.stroke(h.pts([(-0.1, 0.25), (-0.35, 0.55), (-0.68, 0.62)]), h.a, 1.4)
    for x in (-0.3, -0.5):
        h.shapes.append(Shape((leaf((x, 0.52), (x - 0.18, 0.52 + h.u(0.2, 0.36)), 0.35),), h.a))
    body = h.pts([(-0.45, -0.35), (-0.15, -0.5), (0.2, -0.2), (0.3, 0.2), (0.05, 0.32), (-0.28, 0.12)])
    h.body(smooth(body, closed=True), h.b)
    h.hatch((-0.1, 0.0), h.b, 3, 0.36, -0.5)
    root = (-0.02, -0.22)
    for i in range(int(h.rng.integers(3, 6))):  # wing feathers
        a = -0.5 + i * 0.28 + h.u(-0.05, 0.05)
        tip = (root[0] + 0.72 * np.cos(a), root[1] + 0.72 * np.sin(a) - 0.12)
        h.feather(
            [root, ((root[0] + tip[0]) / 2, (root[1] + tip[1]) / 2 - 0.07), (float(tip[0]), float(tip[1]))],
            h.b if i % 2 else h.a,
            0.1,
        )
    hx, hy = -0.45, -0.52
    h.body(ellipse(hx, hy, 0.2), h.c)
    h.eye(hx - 0.02, hy - 0.02, 0.085, h.b)
    h.shapes.append(
        Shape(
            (polyline([(hx - 0.16, hy - 0.07), (hx - 0.42, hy - 0.06 + h.u(-0.1, 0.1)), (hx - 0.16, hy + 0.08)]),), h.c
        )
    )
    if h.u(0, 1) < 0.7:
        h.stroke(h.pts([(hx + 0.05, hy - 0.18), (hx + 0.2, hy - 0.33), (hx + 0.42, hy - 0.36)]), h.c, 1.3)


def _crane(h: _Hand) -> None:
    """A crane that comes down: one great wing up, the other ahead, the neck in an S."""
    root = (0.15, 0.05)
    quills, reach = int(h.rng.integers(4, 7)), h.u(0.6, 0.85)
    for i in range(quills):  # the raised wing: quills side by side
        t = i / (quills - 1)
        base = (-0.05 + 0.45 * t, 0.1 - 0.06 * t)
        tip = (-0.1 + 0.95 * t + h.u(-0.03, 0.03), -0.4 - reach * 0.6 * (1 - (1.6 * t - 0.6) ** 2))
        h.stroke([base, ((base[0] + tip[0]) / 2 - 0.06, (base[1] + tip[1]) / 2), tip], h.a, 1.1)
    h.stroke([(-0.05, 0.1), (0.3, -0.02), (0.5, 0.1)], h.a, 1.8)
    for i in range(int(h.rng.integers(3, 6))):
        t = i / 4
        h.stroke(
            [(0.05 - 0.2 * t, 0.02), (-0.35 - 0.1 * t, -0.12 + 0.1 * t), (-0.85 + 0.18 * t, 0.05 + 0.22 * t)], h.a, 1.2
        )
    h.body(smooth(h.pts([(-0.15, 0.02), (0.3, 0.0), (0.55, 0.2), (0.3, 0.36), (-0.05, 0.28)]), closed=True), h.b)
    h.hatch(root, h.b, 3, 0.3, 0.3)
    neck = h.pts([(-0.02, 0.2), (-0.22, 0.36), (-0.12, 0.58), (-0.3, 0.74)], 0.02)
    h.stroke(neck, h.c, 2.4)
    hx, hy = neck[-1]
    h.body(ellipse(hx, hy, 0.13), h.c)
    h.eye(hx, hy, 0.05, h.c)
    h.stroke([(hx - 0.1, hy), (hx - 0.34, hy + h.u(0.02, 0.2))], h.c, 1.2)
    for dx in (0.0, 0.14):
        h.stroke(h.pts([(0.3 + dx, 0.34), (0.42 + dx, 0.6), (0.34 + dx, 0.72), (0.55 + dx, 0.88)]), h.c, 1.1)
    if h.u(0, 1) < 0.6:  # clouds or far birds
        for x, y in ((-0.7, -0.45), (-0.45, -0.65), (-0.75, -0.78)):
            h.stroke(
                [
                    (x - 0.14, y + 0.06),
                    (x - 0.05, y - 0.03),
                    (x + 0.02, y + 0.04),
                    (x + 0.1, y - 0.05),
                    (x + 0.18, y + 0.03),
                ],
                h.b,
                0.9,
            )


def _fan(h: _Hand) -> None:
    """A peacock from the front with its fan up, wings spread below: the usual Japanese bird."""
    cy, radius = -0.36, h.u(0.5, 0.62)
    spikes = int(h.rng.integers(10, 16))
    for a in np.linspace(-2.4, 2.4, spikes):
        tip = (1.14 * radius * float(np.sin(a)), cy - 1.14 * radius * float(np.cos(a)))
        base = (0.75 * radius * float(np.sin(a)), cy - 0.75 * radius * float(np.cos(a)))
        h.shapes.append(Shape((leaf(base, tip, 0.7),), h.a))
    h.shapes.append(Shape((ellipse(0, cy, radius),), h.a))
    eyes = h.rng.random() < 0.5
    for count, distance in ((1, 0.0), (6, 0.36), (11, 0.74)):
        for k in range(count):
            a = k * 2 * np.pi / count + distance
            x, y = distance * radius * np.sin(a), cy - distance * radius * np.cos(a)
            mark = ellipse(float(x), float(y), radius * 0.12)
            h.shapes.append(Shape((mark,), None, h.line * 0.9 if eyes else 0.0))
    for side in (-1, 1):  # wings
        for i in range(4):
            y = 0.1 + i * 0.13
            curve = smooth(
                [
                    (side * 0.12, 0.05 + i * 0.1),
                    (side * 0.5, y + 0.02),
                    (side * (0.82 - i * 0.09), y + 0.06 + 0.1 * (i % 2)),
                ]
            )
            h.shapes += [Shape((curve,), h.b, h.line * 2.2), Shape((curve,), None, h.line * 0.6)]
    body = smooth(
        h.pts([(-0.2, 0.1), (0.14, 0.02), (0.36, 0.24), (0.2, 0.5), (-0.12, 0.52), (-0.3, 0.32)]), closed=True
    )
    h.shapes += [Shape((body,), None), Shape((body,), h.b, h.line * 1.3)]
    h.hatch((0.05, 0.3), h.b, 3, 0.28)
    neck = h.pts([(0.05, 0.25), (-0.08, 0.05), (-0.2, -0.08), (-0.3, 0.04)], 0.02)
    h.shapes += [Shape((smooth(neck),), h.b, h.line * 4.0), Shape((smooth(neck),), None, h.line * 2.4)]
    h.shapes.append(Shape((ellipse(-0.24, -0.02, 0.03),), h.b))
    h.shapes.append(Shape((polyline([(-0.3, -0.03), (-0.46, 0.12), (-0.26, 0.08)]),), h.c))
    for x in (-0.1, 0.14):
        h.stroke([(x, 0.52), (x - 0.02, 0.8)], h.c, 1.2)
        for d in (-0.13, 0.0, 0.12):
            h.stroke([(x - 0.02, 0.78), (x - 0.02 + d, 0.95)], h.c, 1.0)


def _peacock(h: _Hand) -> None:
    """A peacock from the side: long neck, crest, a train with eyes to the lower right, grass."""
    train = h.pts([(0.0, -0.05), (0.4, 0.05), (0.68, 0.45), (0.62, 0.82), (0.32, 0.74), (0.02, 0.35)])
    h.body(smooth(train, closed=True), h.c)
    for _ in range(int(h.rng.integers(6, 11))):
        x, y = h.u(0.22, 0.52), h.u(0.2, 0.7)
        h.shapes += [
            Shape((ellipse(x, y, 0.075),), None),
            Shape((ellipse(x, y, 0.065),), h.c, h.line * 0.7),
            Shape((ellipse(x, y, 0.022),), h.c),
        ]
    for i in range(4):
        h.feather([(0.0, -0.1), (0.32 + 0.05 * i, -0.18 + 0.1 * i), (0.75 - 0.04 * i, -0.3 + 0.17 * i)], h.b, 0.1)
    body = h.pts([(-0.4, -0.1), (-0.2, -0.3), (0.1, -0.1), (0.14, 0.25), (-0.1, 0.42), (-0.38, 0.2)])
    h.body(smooth(body, closed=True), h.a)
    h.hatch((-0.15, 0.1), h.a, 3, 0.34)
    neck = brush(h.pts([(-0.22, -0.1), (-0.38, -0.4), (-0.24, -0.66)], 0.02), (0.32, 0.17, 0.12))
    h.body(neck, h.a)
    h.body(ellipse(-0.25, -0.7, 0.12), h.a)
    h.eye(-0.27, -0.71, 0.045, h.a)
    h.shapes.append(Shape((polyline([(-0.35, -0.73), (-0.52, -0.66), (-0.34, -0.65)]),), h.c))
    for d in (-0.12, 0.0, 0.12):
        h.stroke([(-0.22, -0.8), (-0.22 + d, -0.94)], h.c, 0.8)
        h.shapes.append(Shape((ellipse(-0.22 + d, -0.95, 0.03),), h.c))
    for x in (-0.2, -0.04):
        h.stroke([(x, 0.4), (x - 0.03, 0.84)], h.c, 1.0)
    h.stroke([(-0.6, 0.9), (-0.4, 0.84), (-0.2, 0.92), (0.05, 0.86), (0.3, 0.94), (0.55, 0.88)], h.b, 1.0)


def _phoenix(h: _Hand) -> None:
    """A bird in flight seen from above: plumes sweep out of the body, one long tail."""
    inks = (h.b, h.c, h.a)
    for i, a in enumerate(np.linspace(-2.3, 2.5, int(h.rng.integers(5, 8)))):
        length = h.u(0.6, 0.9)
        tip = (length * float(np.sin(a)), -length * float(np.cos(a)))
        bend = 0.25 * length
        mid = (tip[0] * 0.5 + bend * float(np.cos(a)) * 0.6, tip[1] * 0.5 + bend * float(np.sin(a)) * 0.6)
        h.feather([(0.0, 0.0), mid, tip], inks[i % 3], h.u(0.1, 0.18))
    for i in range(3):
        h.feather(
            h.pts([(0.05, 0.1), (0.3 + 0.06 * i, 0.45), (0.45 + 0.16 * i, 0.95 - 0.1 * i)]),
            h.c if i != 1 else h.b,
            0.14,
        )
    body = h.pts([(-0.3, -0.2), (0.0, -0.26), (0.24, 0.0), (0.2, 0.26), (-0.1, 0.2)])
    h.body(smooth(body, closed=True), h.a)
    h.hatch((0.0, 0.0), h.a, 4, 0.34, 0.6)
    h.stroke(h.pts([(-0.2, -0.12), (-0.42, -0.22), (-0.5, -0.42)], 0.02), h.a, 2.2)
    h.body(ellipse(-0.52, -0.5, 0.13), h.c)
    h.eye(-0.53, -0.51, 0.05, h.a)
    h.shapes.append(Shape((polyline([(-0.63, -0.55), (-0.84, -0.46), (-0.61, -0.42)]),), h.c))


def _eagle(h: _Hand) -> None:
    """A bird from the front, wings half open on both sides, tail spread below."""
    for side in (-1, 1):
        n = int(h.rng.integers(4, 7))
        for i in range(n):
            t = i / (n - 1)
            tip = (side * (0.9 - 0.35 * t), -0.55 + 0.95 * t)
            h.feather(
                [(side * 0.1, -0.25 + 0.2 * t), (side * (0.5 - 0.1 * t), -0.5 + 0.55 * t), tip],
                h.b if i % 2 else h.a,
                h.u(0.12, 0.18),
            )
    for i in range(5):
        x = (i - 2) * 0.15
        h.feather([(x * 0.3, 0.25), (x * 0.8, 0.6), (x * 1.3, 0.95 - 0.05 * abs(i - 2))], h.c if i % 2 else h.b, 0.13)
    h.body(
        smooth(h.pts([(0, -0.45), (0.22, -0.15), (0.15, 0.3), (0, 0.42), (-0.15, 0.3), (-0.22, -0.15)]), closed=True),
        h.a,
    )
    h.hatch((0, 0.0), h.a, 4, 0.32)
    h.body(ellipse(0, -0.6, 0.19), h.c)
    h.eye(-0.05, -0.62, 0.07, h.a)
    h.shapes.append(Shape((polyline([(-0.16, -0.66), (-0.36, -0.56), (-0.14, -0.52)]),), h.c))
    for d in (0.0, 0.14):
        h.stroke([(0.04, -0.77), (0.1 + d, -0.92)], h.c, 1.2)


def _rooster(h: _Hand) -> None:
    """A standing bird with arching tail plumes, comb and wattle."""
    for i in range(int(h.rng.integers(3, 6))):
        t = i * 0.14
        h.feather(
            h.pts([(0.25, 0.15), (0.55 + 0.05 * i, -0.35 + t), (0.85, -0.35 + 2.2 * t), (0.8, 0.1 + 2.4 * t)], 0.02),
            (h.b, h.a, h.c)[i % 3],
            0.14,
        )
    h.body(
        smooth(
            h.pts([(-0.45, -0.05), (-0.3, -0.3), (0.0, -0.05), (0.35, 0.0), (0.3, 0.3), (0.0, 0.48), (-0.35, 0.3)]),
            closed=True,
        ),
        h.a,
    )
    h.body(smooth(h.pts([(-0.15, 0.02), (0.25, 0.08), (0.1, 0.32), (-0.15, 0.26)]), closed=True), h.b)
    h.hatch((0.02, 0.16), h.b, 3, 0.26)
    h.body(brush([(-0.32, -0.05), (-0.42, -0.35), (-0.36, -0.6)], (0.36, 0.22, 0.16)), h.a)
    h.body(ellipse(-0.38, -0.64, 0.15), h.a)
    h.eye(-0.41, -0.65, 0.055, h.a)
    h.shapes.append(Shape((polyline([(-0.5, -0.7), (-0.72, -0.6), (-0.5, -0.57)]),), h.c))
    for i in range(3):
        h.shapes.append(Shape((ellipse(-0.46 + 0.1 * i, -0.82 - 0.03 * (i == 1), 0.07, 0.1),), h.c))
    for x in (-0.12, 0.1):
        h.stroke([(x, 0.45), (x, 0.85)], h.c, 1.2)
        for d in (-0.15, 0.13):
            h.stroke([(x, 0.84), (x + d, 0.94)], h.c, 1.1)


def _shoot(h: _Hand) -> None:
    """A bamboo shoot: a cone of overlapping sheaths with leaves at its foot."""
    n = int(h.rng.integers(4, 7))
    h.body(
        smooth(
            h.pts(
                [(0, -0.9), (0.26, -0.3), (0.38, 0.4), (0.2, 0.75), (-0.2, 0.75), (-0.38, 0.4), (-0.26, -0.3)], 0.015
            ),
            closed=True,
        ),
        h.a,
    )
    for i in range(n):
        y, a = -0.45 + i * 1.1 / n, 0.16 + 0.2 * i / n
        mark = None if h.filled else (h.a if i % 2 else h.c)
        h.shapes.append(Shape((smooth([(-a, y + 0.16), (0, y - 0.08), (a, y + 0.16)]),), mark, h.line * 1.2))
    for side in (-1, 1):
        for i in range(2):
            h.shapes.append(
                Shape((leaf((side * 0.3, 0.66 - 0.2 * i), (side * 0.78, 0.2 + 0.3 * i + h.u(-0.1, 0.1)), 0.32),), h.b)
            )
    h.stroke([(-0.6, 0.88), (-0.2, 0.8), (0.2, 0.84), (0.6, 0.88)], h.c, 1.2)


def _stalk(h: _Hand) -> None:
    """One great bamboo cane with a small bird or leaves beside it."""
    for i in range(3):
        y = -0.58 + i * 0.56
        h.body(rectangle(0.0, y, 0.26, 0.5, 0.08), h.a)
        h.shapes.append(Shape((rectangle(0.0, y + 0.28, 0.36, 0.07, 0.03),), h.a))
        side = -1 if i % 2 else 1
        for d in (-0.25, 0.05):
            h.shapes.append(
                Shape(
                    (leaf((side * 0.14, y + 0.2), (side * 0.7, y + 0.2 + d + h.u(-0.05, 0.05)), 0.3),),
                    h.b if d < 0 else h.a,
                )
            )
    h.body(ellipse(-0.5, -0.55, 0.2, 0.15, 0.4), h.c)
    h.body(ellipse(-0.64, -0.7, 0.1), h.c)
    h.feather([(-0.38, -0.48), (-0.28, -0.3), (-0.2, -0.12)], h.c, 0.1)


_FAMILIES: dict[str, Callable[[_Hand], None]] = {
    "perched": _perched,
    "sparrow": _sparrow,
    "crane": _crane,
    "fan": _fan,
    "peacock": _peacock,
    "phoenix": _phoenix,
    "eagle": _eagle,
    "rooster": _rooster,
    "shoot": _shoot,
    "stalk": _stalk,
}


def bird_tile(style: Style, red: bool = False) -> list[Shape]:
    """1s."""
    inks = tuple(style.red if red else style.ink(role) for role in style.bird_inks)
    hand = _Hand(style, (inks[0], inks[1], inks[2]))
    _FAMILIES[style.bird](hand)
    wide = (style.aspect / 2 - 0.6 * style.margin) / 0.97
    size = min(0.5 - 0.9 * style.margin, 1.2 * wide)
    flip = -1.0 if style.bird_flip else 1.0
    return [
        Shape(
            tuple(moved(moved(c, turn=style.bird_turn), style.aspect / 2, 0.5, flip * wide, size) for c in s.curves),
            s.paint,
            s.stroke * size,
            s.nonzero,
        )
        for s in hand.shapes
    ]
