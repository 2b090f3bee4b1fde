"""How the totals went: a line for each player over the hands, drawn on a canvas with the names at the ends.

Drawn by hand, because a line chart is forty lines of canvas and `flet-charts` would be one more extension to build into
every phone package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import flet as ft
import flet.canvas as cv

from ui import theme
from ui.components.hook import named

LEFT, RIGHT, EDGE = 44, 76, 14
MOST = 120
"""Points of a line that are drawn; more could not be told apart."""


def thinned(moments: Sequence[Mapping[str, int]], most: int = MOST) -> list[Mapping[str, int]]:
    """At most about `most` of these moments, evenly, the first and the last among them.

    >>> thinned([{"A": n} for n in range(5)], 3)
    [{'A': 0}, {'A': 2}, {'A': 4}]
    """
    step = max(1, -(-(len(moments) - 1) // (most - 1))) if len(moments) > 1 else 1
    kept = list(moments[::step])
    return kept if (len(moments) - 1) % step == 0 else [*kept, moments[-1]]


def name_places(wanted: Sequence[float], low: float, high: float, gap: float = 16) -> list[float]:
    """Where names go so that none lies on another: as near to `wanted` as `gap` and the edges allow, in that order.

    >>> name_places([50, 50, 10], 0, 100)
    [50, 66, 10]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = [0.0] * len(wanted)
    free = low
    for i in order:
        places[i] = max(wanted[i], free)
        free = places[i] + gap
    limit = high
    for i in reversed(order):  # what ran out at the bottom moves up again
        places[i] = min(places[i], limit)
        limit = places[i] - gap
    return places


def TotalsChart(
    colours: Mapping[str, str], moments: Sequence[Mapping[str, int]], width: float, height: float, label: str
) -> ft.Control:
    """The chart, `width` × `height` logical pixels. `moments` are the totals from the start on; a player who joined
    later begins later. `label` says in words what is seen."""
    seen = thinned(moments)
    values = [value for moment in seen for value in moment.values()] or [0]
    low, high = min(0, *values), max(0, *values)
    span = (high - low) or 1

    def x(place: int) -> float:
        return LEFT + (width - LEFT - RIGHT) * place / max(1, len(seen) - 1)

    def y(value: int) -> float:
        return EDGE + (height - 2 * EDGE) * (high - value) / span

    shapes: list[cv.Shape] = []
    for value in sorted({low, 0, high}):
        if value and abs(y(value) - y(0)) < 14:
            continue  # its figure would lie on the zero's
        grid = ft.Paint(color=ft.Colors.OUTLINE if value == 0 else ft.Colors.OUTLINE_VARIANT, stroke_width=1)
        shapes.append(cv.Line(LEFT, y(value), width - RIGHT, y(value), grid))
        shapes.append(
            cv.Text(
                LEFT - 6,
                y(value),
                str(value).replace("-", "−"),
                ft.TextStyle(size=12, color=ft.Colors.ON_SURFACE_VARIANT, font_family=theme.FONT),
                alignment=ft.Alignment.CENTER_RIGHT,
            )
        )
    ends: list[tuple[str, str, float]] = []
    for name, colour in colours.items():
        line = [(x(place), y(moment[name])) for place, moment in enumerate(seen) if name in moment]
        if not line:
            continue
        path = [cv.Path.MoveTo(*line[0]), *(cv.Path.LineTo(*point) for point in line[1:])]
        paint = ft.Paint(color=colour, stroke_width=2.5, style=ft.PaintingStyle.STROKE, stroke_join=ft.StrokeJoin.ROUND)
        shapes += [cv.Path(path, paint), cv.Circle(*line[-1], 4, ft.Paint(color=colour))]
        ends.append((name, colour, line[-1][1]))
    places = name_places([at for _, _, at in ends], 8, height - 8)
    for (name, colour, _), place in zip(ends, places, strict=True):
        shapes.append(
            cv.Text(
                width - RIGHT + 8,
                place,
                name if len(name) <= 5 else name[:4] + "…",
                ft.TextStyle(size=13, color=colour, weight=ft.FontWeight.W_600, font_family=theme.NAMES_FONT),
                alignment=ft.Alignment.CENTER_LEFT,
            )
        )
    return named("chart", cv.Canvas(shapes, width=width, height=height), label=label, image=True)
