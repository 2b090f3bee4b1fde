"""Shapes become SVG: paths with direct attributes only, so that every renderer (flutter_svg among them) agrees."""

from __future__ import annotations

import numpy as np

from datasets.faces.face import shapes_of
from datasets.faces.outline import Curve, Shape, is_closed, rectangle
from datasets.faces.style import CANONICAL, Rgb, Style

UNITS = 400  # of the view box for one tile height: a tenth of a unit is far below a pixel on any phone


def _number(value: float) -> str:
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _path(curve: Curve) -> str:
    points = np.round(curve * UNITS, 1)
    parts = [f"M{_number(points[0, 0, 0])} {_number(points[0, 0, 1])}"]
    for start, a, b, end in points:
        if np.array_equal(start, a) and np.array_equal(b, end):
            if not np.array_equal(start, end):
                parts.append(f"L{_number(end[0])} {_number(end[1])}")
        else:
            parts.append("C" + " ".join(_number(float(v)) for point in (a, b, end) for v in point))
    if is_closed(curve):
        parts.append("Z")
    return "".join(parts)


def _hex(rgb: Rgb) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in rgb)


def _element(shape: Shape, ground: Rgb) -> str:
    paint = _hex(ground if shape.paint is None else shape.paint)
    data = "".join(_path(curve) for curve in shape.curves)
    if shape.stroke:
        width = _number(shape.stroke * UNITS)
        ends = 'stroke-linecap="round" stroke-linejoin="round"'
        return f'<path d="{data}" fill="none" stroke="{paint}" stroke-width="{width}" {ends}/>'
    rule = "" if shape.nonzero or len(shape.curves) == 1 else ' fill-rule="evenodd"'
    return f'<path d="{data}" fill="{paint}"{rule}/>'


def svg(tile: str, style: Style = CANONICAL) -> str:
    """The face of `tile` as an SVG document with its rounded ground; wear and engraving are left to the raster.

    Raises `ValueError` for an unknown tile.
    """
    ground = style.back_inks[0] if tile == "back" else style.ground
    width = round(style.aspect * UNITS)
    plate = Shape((rectangle(style.aspect / 2, 0.5, style.aspect, 1.0, style.corner),), ground)
    elements = "\n".join(_element(shape, ground) for shape in (plate, *shapes_of(tile, style)))
    box = f'viewBox="0 0 {width} {UNITS}" width="{width}" height="{UNITS}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n{elements}\n</svg>\n'
