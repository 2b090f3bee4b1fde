"""The eight flowers: a plant, pot, sprig or figure with its character and numeral in the upper corners.

1f..4f are plum, orchid, chrysanthemum and bamboo; 5f..8f spring, summer, autumn and winter. Real sets agree on
little more than the writing, so the drawings are loose and change with the style.
"""

from __future__ import annotations

import numpy as np

from datasets.faces.characters import pen_of, written
from datasets.faces.outline import Paint, Shape, brush, ellipse, leaf, placed, polyline, rectangle, smooth
from datasets.faces.style import Style

PLANTS = "梅蘭菊竹"
SEASONS = "春夏秋冬"
_LINE = 0.05


def blossom(
    x: float, y: float, r: float, petals: int, paint: Paint, open_: bool, rng: np.random.Generator
) -> list[Shape]:
    """A flower head; `open_` draws outlines only."""
    turn = float(rng.uniform(0, 1))
    shapes: list[Shape] = []
    for k in range(petals):
        a = turn + k * 2 * np.pi / petals
        petal = ellipse(
            x + r * 0.6 * float(np.sin(a)), y - r * 0.6 * float(np.cos(a)), r * 1.7 / petals, r * 0.42, float(a)
        )
        shapes.append(Shape((petal,), paint, _LINE * 0.7 if open_ else 0.0))
    core = ellipse(x, y, r * 0.26)
    return [*shapes, Shape((core,), None), Shape((core,), paint, _LINE * 0.6)]


def _stem(
    points: list[tuple[float, float]], leaf_ink: Paint, rng: np.random.Generator, leaves: int, size: float = 0.3
) -> list[Shape]:
    shapes = [Shape((brush(points, (0.07, 0.06, 0.04)),), leaf_ink)]
    for i in range(leaves):
        t = (i + 0.6) / (leaves + 0.5)
        k = min(int(t * (len(points) - 1)), len(points) - 2)
        f = t * (len(points) - 1) - k
        x = points[k][0] + (points[k + 1][0] - points[k][0]) * f
        y = points[k][1] + (points[k + 1][1] - points[k][1]) * f
        side = 1 if i % 2 else -1
        tip = (x + side * size * float(rng.uniform(0.8, 1.3)), y - size * float(rng.uniform(-0.2, 0.8)))
        shapes.append(Shape((leaf((x, y), tip, 0.4, side * 0.12),), leaf_ink))
    return shapes


def _plant(number: int, style: Style, ink: Paint, bloom: Paint, green: Paint, rng: np.random.Generator) -> list[Shape]:
    """One plant in the square -1..1, growing from the foot."""
    j = lambda s=0.06: float(rng.normal(0, s))  # noqa: E731
    open_ = bool(rng.random() < 0.5)
    # Seasons carry any flower; the four plants are mostly themselves.
    kind = 6 if style.seed % 7 == 0 else number
    if number > 4:
        kind = (5, 6, 7, 6, 1, 2, 3, 5)[(number + style.seed) % 8]
    if kind == 1:  # plum: a knotty branch with five-petalled blossoms
        branch = [(-0.5 + j(), 0.9), (-0.25 + j(), 0.35), (0.15 + j(), 0.0), (0.05 + j(), -0.5), (0.35 + j(), -0.85)]
        shapes = [Shape((brush(branch, (0.14, 0.1, 0.09, 0.06, 0.03)),), ink)]
        shapes += [Shape((brush([branch[2], (0.55 + j(), 0.1 + j())], (0.07, 0.02)),), ink)]
        for x, y, r in ((0.2, 0.1, 0.32), (-0.2, -0.35, 0.24), (0.45, -0.5, 0.22)):
            shapes += blossom(x + j(), y + j(), r, 5, bloom, open_, rng)
        return shapes + _stem([(-0.45, 0.8), (0.0, 0.7), (0.45, 0.85)], green, rng, 2, 0.2)
    if kind == 2:  # orchid: long arching blades and a small flower
        shapes = []
        for i in range(int(rng.integers(5, 8))):
            reach = -0.85 + 1.7 * i / 6 + j()
            shapes.append(
                Shape(
                    (
                        brush(
                            [
                                (0.0 + j(0.03), 0.9),
                                (reach * 0.35, 0.05 + j()),
                                (reach, -0.55 + 0.5 * abs(reach) + j(0.1)),
                            ],
                            (0.06, 0.11, 0.01),
                        ),
                    ),
                    green,
                )
            )
        shapes += blossom(0.15 + j(), 0.1 + j(), 0.2, 5, bloom, open_, rng) + blossom(
            -0.25 + j(), 0.4, 0.15, 4, bloom, open_, rng
        )
        return [*shapes, Shape((smooth([(-0.4, 0.92), (0, 0.86), (0.4, 0.93)]),), ink, _LINE)]
    if kind == 3:  # chrysanthemum: a full head of many petals
        shapes = _stem([(-0.1 + j(), 0.95), (0.1 + j(), 0.45), (0.0, 0.0)], green, rng, 4, 0.36)
        shapes += blossom(0.05 + j(), -0.15 + j(), 0.46, int(rng.integers(9, 14)), bloom, open_, rng)
        return shapes + blossom(-0.4 + j(), 0.35, 0.2, 8, bloom, open_, rng)
    if kind == 4:  # bamboo: jointed canes with hanging leaves
        shapes = []
        for x in (-0.12 + j(), 0.2 + j()):
            top = -0.8 if x < 0.1 else -0.4
            for i in range(4):
                y0, y1 = 0.92 - (0.92 - top) * i / 4, 0.92 - (0.92 - top) * (i + 1) / 4 + 0.04
                shapes.append(
                    Shape((polyline([(x + 0.03 * i, y0), (x + 0.03 * (i + 1), y1)], closed=False),), ink, _LINE * 1.3)
                )
        for _ in range(int(rng.integers(7, 12))):
            x, y = float(rng.uniform(-0.45, 0.5)), float(rng.uniform(-0.7, 0.5))
            shapes.append(
                Shape(
                    (leaf((x, y), (x + float(rng.uniform(-0.3, 0.3)), y + float(rng.uniform(0.2, 0.45))), 0.32),), green
                )
            )
        return shapes + ([Shape((ellipse(0.35, -0.55, 0.1),), bloom)] if rng.random() < 0.3 else [])
    if kind == 6:  # a wide flower low down, curling sprigs above it, blades at the foot
        shapes = []
        for side in (-1, 1, int(rng.choice((-1, 1)))):
            sprig = [
                (0.05 + j(), 0.3),
                (side * 0.3 + j(), -0.2 + j()),
                (side * 0.12 + j(0.12), -0.6),
                (side * 0.35 + j(), -0.9 + j()),
            ]
            shapes.append(Shape((smooth(sprig),), green, _LINE * 1.1))
            for k in range(int(rng.integers(2, 6))):
                t = k / 5
                x, y = sprig[1][0] * (1 - t) + sprig[3][0] * t, sprig[1][1] * (1 - t) + sprig[3][1] * t
                for way in (-1, 1):
                    shapes.append(Shape((leaf((x, y), (x + way * 0.2, y - 0.12 + j()), 0.5),), green))
        for side in (-1, 1):
            shapes.append(Shape((leaf((0.1 * side, 0.55), (side * 0.7 + j(), 0.8 + j()), 0.34, side * 0.15),), green))
        shapes.append(Shape((smooth([(0.05, 0.6), (0.0 + j(), 0.95)]),), ink, _LINE * 1.3))
        x, y, r = j(), 0.34 + j(), float(rng.uniform(0.34, 0.46))
        shapes += blossom(x, y, r, int(rng.integers(5, 8)), bloom, open_, rng)
        return shapes + (blossom(x, y, r * 0.55, 5, bloom, True, rng) if open_ else [])
    if kind == 7:  # a bud or half-open rose, outlined, on a bent stem with two large outlined leaves
        x, y = -0.15 + j(), -0.2 + j()
        shapes = [Shape((smooth([(0.2 + j(), 0.95), (0.25 + j(), 0.4), (x + 0.05, y + 0.2)]),), ink, _LINE * 1.3)]
        for side in (-1, 1):
            blade = leaf((0.22, 0.6), (0.22 + side * float(rng.uniform(0.4, 0.6)), 0.35 + j(0.15)), 0.55, side * 0.1)
            shapes.append(Shape((blade,), green, 0.0 if rng.random() < 0.4 else _LINE))
        for r in (0.42, 0.3, 0.17):
            shapes.append(
                Shape(
                    (
                        smooth(
                            [
                                (x - r, y + j(0.04)),
                                (x - r * 0.4, y - r + j(0.04)),
                                (x + r * 0.7, y - r * 0.6),
                                (x + r, y + r * 0.2),
                                (x, y + r),
                            ],
                            closed=True,
                        ),
                    ),
                    bloom,
                    _LINE,
                )
            )
        return shapes
    # A rose, lotus or peony on a bent stem.
    shapes = _stem(
        [(0.25 + j(), 0.95), (-0.15 + j(), 0.4), (0.05 + j(), -0.1)], green, rng, int(rng.integers(3, 6)), 0.36
    )
    shapes += blossom(0.05 + j(), -0.2 + j(), 0.4, int(rng.integers(5, 8)), bloom, open_, rng)
    if rng.random() < 0.6:
        shapes += blossom(-0.35 + j(), 0.4 + j(), 0.24, 6, bloom, open_, rng)
    return shapes


def _figure(number: int, ink: Paint, bloom: Paint, green: Paint, rng: np.random.Generator) -> list[Shape]:
    """A robed figure with hat, sash and something in the hand."""
    j = lambda s=0.05: float(rng.normal(0, s))  # noqa: E731
    robe = [
        (0.0, -0.4),
        (0.3 + j(), -0.2),
        (0.35 + j(), 0.3),
        (0.5 + j(), 0.85),
        (-0.45 + j(), 0.85),
        (-0.32 + j(), 0.3),
        (-0.28 + j(), -0.2),
    ]
    shapes = [
        Shape(
            (smooth(robe, closed=True),),
            (ink, bloom, green, ink)[number % 4],
            0.0 if rng.random() < 0.4 else _LINE * 1.2,
        ),
        Shape((smooth([(-0.3, 0.15), (0, 0.22), (0.32, 0.14)]),), bloom, _LINE * 1.3),
        Shape((smooth([(0, -0.35), (0.05, 0.2), (-0.05, 0.8)]),), None if rng.random() < 0.3 else green, _LINE),
        Shape((ellipse(0.02, -0.55, 0.17, 0.19),), None),
        Shape((ellipse(0.02, -0.55, 0.17, 0.19),), ink, _LINE),
        Shape((polyline([(-0.2, -0.68), (0.02, -0.95 + j()), (0.24, -0.68)]),), bloom if number % 2 else ink),
    ]
    hand = (0.55 + j(), -0.1 + j())
    shapes.append(Shape((smooth([(0.25, -0.15), (0.4, 0.05), hand]),), ink, _LINE * 1.2))
    shapes.append(Shape((polyline([(hand[0], hand[1] - 0.5), (hand[0] + j(), 0.85)], closed=False),), green, _LINE))
    return shapes + blossom(hand[0], hand[1] - 0.5, 0.16, 5, bloom, False, rng)


def flower_tile(tile: str, style: Style) -> list[Shape]:
    """1f..8f."""
    number = int(tile[0])
    season = number > 4
    place = (number - 1) % 4
    rng = np.random.default_rng([style.seed, 40 + number])
    writing = style.ink(style.flower_inks[1 if season else 0])
    stem, bloom, green = style.ink("d"), style.red, style.green
    w = style.aspect
    if style.flower == "figure":
        art = _figure(number, stem, bloom, green, rng)
    else:
        art = _plant(number, style, stem if number != 4 else style.ink("b"), bloom, green, rng)
    size = 0.35 * style.flower_size
    wide = min(size, (w / 2 - 0.05) / 0.85)
    shapes: list[Shape] = []
    if style.flower == "pot":
        shapes += placed(art, w / 2, 0.5, wide * 0.85, size * 0.8)
        pot = [(-0.14, 0.72), (0.14, 0.72), (0.1, 0.92), (-0.1, 0.92)]
        shapes += [
            Shape((polyline([(w / 2 + x, y) for x, y in pot]),), style.blue),
            Shape((rectangle(w / 2, 0.73, 0.34, 0.04, 0.01),), style.red),
        ]
    elif style.flower == "sprig":
        shapes += placed(art, w / 2 + 0.02, 0.6, wide * 0.9, size * 0.9, turn=float(rng.uniform(-0.5, 0.5)))
    else:
        shapes += placed(art, w / 2, 0.96 - 0.4 * style.margin - 0.95 * size, wide, size)
    return shapes + _writing(place, season, style, writing)


def _writing(place: int, season: bool, style: Style, ink: Paint) -> list[Shape]:
    """The character and the numeral in the upper corners."""
    w, big, small = style.aspect, 0.24 * style.flower_writing, 0.18 * style.flower_writing
    edge = 0.02 + 0.7 * style.margin
    left, right = edge + big / 2, w - edge - big / 2
    character = SEASONS[place] if season else PLANTS[place]
    if character == "蘭" and style.flower_simple:
        character = "兰"
    where = style.flower_text
    if where == "none" and not (season and style.flower_chinese) and season == bool(style.seed % 2):
        where = "right"  # at least one group of four says what it is
    shapes: list[Shape] = []
    if where != "none":
        x, y = (right if where == "right" else left), (0.94 - big / 2 if where == "lower" else edge + big / 2)
        shapes += written(style.flower_font, character, x, y, big, big, ink, pen_of(style))
    x = w - edge - small / 2 if where == "left" else edge + small / 2
    if style.flower_chinese and season:
        x += 0.02 if x < w / 2 else -0.02
        return shapes + written(
            style.flower_font,
            "一二三四"[place],
            x,
            edge + 0.01 + small / 2,
            small * 1.1,
            small * 1.1,
            ink,
            pen_of(style),
        )
    return shapes + written(style.index_font, "1234"[place], x, edge + small / 2, small, small, ink)
