"""Everything written: the character suit, winds, dragons, and the index in a corner."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from datasets.faces import fonts
from datasets.faces.outline import Curve, Paint, Shape, brush, ellipse, moved, polyline, rectangle, smooth
from datasets.faces.style import Style

NUMERALS = "一二三四五六七八九"
LETTERS = {"E": "E", "S": "S", "W": "W", "N": "N", "C": "C", "F": "F"}


class Pen(NamedTuple):
    """How a set's engraver changes the characters of a font; shares of the character's size, except the seed."""

    bold: float = 0.0
    slant: float = 0.0
    rise: float = 0.0
    warp: float = 0.0
    seed: int = 0


def _warped(curves: tuple[Curve, ...], amount: float, seed: int, character: str) -> tuple[Curve, ...]:
    """The character bent by a smooth field over 4 × 4 knots, and widened towards its head or foot."""
    rng = np.random.default_rng([seed, ord(character), 5])
    habits = np.random.default_rng([seed, 6])
    knots = rng.normal(0, 0.05 * amount, (4, 4, 2))
    taper, bow = habits.normal(0, 0.16 * amount), habits.normal(0, 0.1 * amount)
    bent: list[Curve] = []
    for curve in curves:
        at = np.clip((curve + 0.6) / 1.2, 0, 1) * 3
        cell = np.minimum(at.astype(int), 2)
        f = at - cell
        f = f * f * (3 - 2 * f)
        x, y = cell[..., 0], cell[..., 1]
        fx, fy = f[..., :1], f[..., 1:]
        top = knots[y, x] * (1 - fx) + knots[y, x + 1] * fx
        foot = knots[y + 1, x] * (1 - fx) + knots[y + 1, x + 1] * fx
        out = curve + top * (1 - fy) + foot * fy
        wide = out[..., 0] * (1 + taper * 2 * out[..., 1])
        bent.append(np.stack([wide, out[..., 1] + bow * (4 * out[..., 0] ** 2 - 0.5)], axis=-1))
    return tuple(bent)


def written(
    font: str,
    character: str,
    x: float,
    y: float,
    width: float,
    height: float,
    paint: Paint,
    pen: Pen | None = None,
    upside_down: bool = False,
) -> list[Shape]:
    """The character in a square stretched to `width` × `height` around (x, y); 一 stays as thin as it is."""
    pen = pen or Pen()
    curves = fonts.glyph(font, character)
    if pen.warp:
        curves = _warped(curves, pen.warp, pen.seed, character)
    left, _, right, _ = fonts.bounds(curves)
    sign = -1.0 if upside_down else 1.0
    lean = np.array([[1.0, -pen.rise], [-pen.slant, 1.0]])
    centre = ((left + right) / 2, 0.0)
    placed = tuple(moved((curve - centre) @ lean, x, y, sign * width, sign * height) for curve in curves)
    shapes = [Shape(placed, paint, nonzero=True)]
    if pen.bold > 0:
        shapes.append(Shape(placed, paint, stroke=pen.bold * min(width, height) * 2))
    elif pen.bold < 0:
        shapes.append(Shape(placed, None, stroke=-pen.bold * min(width, height) * 2))
    return shapes


def fitted(
    font: str, character: str, x: float, y: float, width: float, height: float, paint: Paint, pen: Pen
) -> list[Shape]:
    """Like `written`, but never wider than `width` of real ink: brush faces run over their square."""
    left, top, right, bottom = fonts.bounds(fonts.glyph(font, character))
    over = max(right - left, 1.0)
    tall = max(bottom - top, 0.9)
    return written(font, character, x, y, width / over, height / tall, paint, pen)


def pen_of(style: Style) -> Pen:
    """The pen of a style."""
    return Pen(style.bold, style.slant, style.rise, style.warp, style.seed)


def number_tile(rank: int, style: Style, red: bool = False) -> list[Shape]:
    """1m..9m: the numeral above 萬."""
    numeral = {1: style.one, 2: style.two, 3: style.three, 5: style.five}.get(rank, NUMERALS[rank - 1])
    room = style.aspect - 2 * style.margin
    # The two characters may touch but not cross, as 四 and 萬 would in a set cut too large.
    over = style.number_y + style.number_size / 2 - (style.wan_y - style.wan_size / 2) - 0.02
    number_size, wan_size = (size - max(over, 0.0) for size in (style.number_size, style.wan_size))
    pen = pen_of(style)
    middle = style.aspect / 2
    ink = style.red if red else style.ink(style.number_ink)
    wan_ink = style.red if red else style.ink(style.wan_ink)
    width, wan_width = (min(number_size * style.number_width, room), min(wan_size * style.wan_width, room))
    return [
        *fitted(style.font, numeral, middle, style.number_y, width, number_size, ink, pen),
        *fitted(style.wan_font, style.wan, middle, style.wan_y, wan_width, wan_size, wan_ink, pen),
    ]


def honour_tile(tile: str, style: Style) -> list[Shape]:
    """E S W N C F: one large character (or the American dragon figure)."""
    character = {
        "E": style.east,
        "S": "南",
        "W": "西",
        "N": "北",
        "C": style.red_dragon,
        "F": style.green_dragon,
    }[tile]
    role = {"C": style.red_ink, "F": style.green_ink}.get(tile, style.wind_ink)
    if tile in "CF" and style.green_dragon == "dragon":
        return dragon(
            style.aspect / 2, style.honour_y, style.aspect * 0.42, style.ink("r" if tile == "C" else "g"), style
        )
    width = min(style.honour_size * style.honour_width, style.aspect - style.margin)
    if tile == "C":
        width *= 0.86  # 中 is a narrow character, everywhere
    return fitted(
        style.honour_font,
        character,
        style.aspect / 2,
        style.honour_y,
        width,
        style.honour_size * (style.squat if tile in "WNF" else 1.0),
        style.ink(role),
        pen_of(style),
    )


def dragon(x: float, y: float, size: float, paint: Paint, style: Style) -> list[Shape]:
    """The coiled dragon of American sets: an S-shaped body with scales, claws, horns and flames."""
    rng = np.random.default_rng([style.seed, 77])
    spine = [
        (0.35, -0.95),
        (-0.35, -0.75),
        (-0.55, -0.25),
        (0.1, 0.0),
        (0.6, 0.35),
        (0.25, 0.85),
        (-0.5, 0.9),
        (-0.75, 0.55),
    ]
    spine = [(px + float(rng.normal(0, 0.04)), py + float(rng.normal(0, 0.04))) for px, py in spine]
    curves = [brush(spine, (0.1, 0.26, 0.34, 0.34, 0.32, 0.26, 0.18, 0.02))]
    shapes = [Shape(tuple(curves), paint), Shape((smooth(spine[1:-1]),), None, 0.05)]
    hx, hy = spine[0]
    shapes += [
        Shape((ellipse(hx + 0.1, hy + 0.02, 0.24, 0.17, 0.2),), paint),
        Shape((ellipse(hx + 0.1, hy - 0.02, 0.045),), None),
        Shape((smooth([(hx - 0.05, hy - 0.1), (hx - 0.25, hy - 0.25), (hx - 0.5, hy - 0.2)]),), paint, 0.05),
        Shape((smooth([(hx + 0.3, hy + 0.05), (hx + 0.5, hy + 0.2), (hx + 0.42, hy + 0.42)]),), paint, 0.05),
    ]
    for i, (px, py) in enumerate(spine[1:-1]):
        side = -1 if i % 2 else 1
        for spread in (-0.25, 0.0, 0.25):
            shapes.append(
                Shape(
                    (smooth([(px, py), (px + side * 0.32, py + spread * 0.5), (px + side * 0.46, py + spread)]),),
                    paint,
                    0.05,
                )
            )
    return [Shape(tuple(moved(c, x, y, size, size) for c in s.curves), s.paint, s.stroke * size) for s in shapes]


def white_tile(style: Style) -> list[Shape]:
    """The white dragon: nothing, or one of the frames sets put there."""
    w, m, line = style.aspect, style.margin + 0.01, style.white_line
    ink = style.ink(style.white_ink)
    x, y, fw, fh = w / 2, 0.5, (w - 2 * m) * style.white_size, (1 - 2 * m * 1.1) * style.white_size
    kind = style.white
    if kind == "blank":
        return []
    if kind == "character":
        return fitted(style.honour_font, "白", x, y, w * 0.72, style.honour_size, ink, pen_of(style))
    frame = Shape((rectangle(x, y, fw, fh, 0.02),), ink, line)
    inner = lambda gap, corner=0.01: rectangle(x, y, fw - 2 * gap, fh - 2 * gap, corner)  # noqa: E731
    thin = line * 0.55
    if kind == "frame":
        return [frame]
    if kind == "double":
        return [frame, Shape((inner(line * 2.4),), ink, thin)]
    if kind == "cut":
        gap = line * 2.6
        a, b, c = fw / 2 - gap, fh / 2 - gap, 0.075
        octagon = [
            (-a + c, -b),
            (a - c, -b),
            (a, -b + c),
            (a, b - c),
            (a - c, b),
            (-a + c, b),
            (-a, b - c),
            (-a, -b + c),
        ]
        corners = [
            polyline([(sx * a, sy * (b - c)), (sx * a, sy * b), (sx * (a - c), sy * b)], closed=False)
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        return [
            frame,
            Shape((moved(polyline(octagon), x, y),), ink, thin),
            Shape(tuple(moved(corner, x, y) for corner in corners), ink, thin),
        ]
    if kind == "fret":
        band = 0.085
        shapes = [Shape((rectangle(x, y, fw, fh), rectangle(x, y, fw - 2 * band, fh - 2 * band)), ink)]
        ticks: list[Shape] = []
        for side in (-1, 1):
            for t in np.linspace(-0.5, 0.5, 9):
                ticks.append(
                    Shape((rectangle(x + side * (fw - band) / 2, y + t * (fh - band * 1.4), band * 0.55, 0.03),), None)
                )
            for t in np.linspace(-0.5, 0.5, 6):
                ticks.append(
                    Shape((rectangle(x + t * (fw - band * 1.4), y + side * (fh - band) / 2, 0.03, band * 0.55),), None)
                )
        shapes += ticks
        shapes.append(Shape((rectangle(x, y, fw - 2.6 * band, fh - 2.6 * band),), ink, 0.012))
        return shapes
    if kind == "letter":
        return [
            frame,
            Shape((inner(line * 2.6),), ink, thin),
            *written(style.index_font, style.index_white, x, y, 0.17, 0.17, style.red if style.seed % 2 else ink),
        ]
    if kind == "bracket":
        gap = 0.2
        a, b = fw / 2, fh / 2
        return [
            Shape(
                tuple(
                    moved(
                        polyline(
                            [(sx * a, sy * (b - gap)), (sx * a, sy * b), (sx * (a - gap * 0.8), sy * b)], closed=False
                        ),
                        x,
                        y,
                    )
                    for sx in (-1, 1)
                    for sy in (-1, 1)
                ),
                ink,
                line,
            )
        ]
    return [frame, Shape((polyline([(x, y - 0.2), (x + 0.14, y), (x, y + 0.2), (x - 0.14, y)]),), ink, thin)]


def index_of(tile: str, style: Style) -> list[Shape]:
    """The Arabic digit or letter in the corners that the style names; nothing on flowers, which carry their own."""
    if not style.index or tile == "back" or tile.endswith("f"):
        return []
    if tile[0].isdigit():
        text = "5" if tile[0] == "0" else tile[0]
    elif not style.index_honours:
        return []
    else:
        text = style.index_white if tile == "P" else LETTERS[tile]
    if tile == "P" and style.white == "letter":
        return []
    size = style.index_size
    x, y = 0.035 + size * 0.36, 0.035 + size * 0.5
    ink = style.ink(style.index_ink)
    shapes: list[Shape] = []
    for corner in style.index.split():
        if corner == "tl":
            shapes += written(style.index_font, text, x, y, size, size, ink)
        elif corner == "tr":
            shapes += written(style.index_font, text, style.aspect - x, y, size, size, ink)
        else:
            shapes += written(style.index_font, text, style.aspect - x, 1 - y, size, size, ink, upside_down=True)
    return shapes
