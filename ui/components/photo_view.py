"""The photograph with an outline on every tile that was found; a tap on one opens it.

Sure tiles have a thin line, doubtful ones a thick dashed line with a question mark, tiles set aside a dotted one: the
three differ in shape as well as in colour. Pinch to zoom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import flet as ft
import flet.canvas as cv

from ui import theme
from ui.components.hook import named
from ui.session import Photograph


@dataclass(frozen=True)
class Mark:
    """What an outline says: whose piece it is, its label, and how it is drawn."""

    piece: int
    label: str
    doubt: bool = False
    aside: bool = False
    picked: bool = False
    winning: bool = False


def PhotoView(
    photograph: Photograph,
    marks: Mapping[int, Mark],
    width: float,
    height: float,
    on_tile: Callable[[int], None],
    label: str,
    on_empty: Callable[[float, float], None] | None = None,
) -> ft.Control:
    """`marks` by index of the reading's tiles; the photograph is fitted into `width` x `height` logical pixels.
    `on_empty` gets the photograph's pixel that was tapped where no tile is outlined."""
    reading = photograph.reading
    scale = min(width / reading.width, height / reading.height)
    w, h = reading.width * scale, reading.height * scale
    shapes: list[cv.Shape] = []
    boxes: list[ft.Control] = []
    for index, tile in enumerate(reading.tiles):
        mark = marks.get(index)
        if mark is None:
            continue
        points = [(x * scale, y * scale) for x, y in tile.corners]
        shapes += _outline(points, mark)
        boxes.append(_box(points, mark, on_tile))
    picture: ft.Control = ft.Image(
        src=photograph.preview, width=w, height=h, fit=ft.BoxFit.FILL, gapless_playback=True, semantics_label=label
    )
    canvas: ft.Control = cv.Canvas(shapes, width=w, height=h)
    if on_empty is not None:

        def tapped(e: ft.TapEvent) -> None:
            if e.local_position is not None:
                on_empty(e.local_position.x / scale, e.local_position.y / scale)

        # with semantics on, a tap would arrive in the middle of the control; only this way it says where it was
        canvas = ft.GestureDetector(canvas, on_tap_up=tapped, exclude_from_semantics=True)
    stack = ft.Stack(
        width=w,
        height=h,
        controls=[
            picture,
            canvas,
            *boxes,
        ],
    )
    return ft.Container(
        ft.InteractiveViewer(stack, min_scale=1, max_scale=6, boundary_margin=ft.Margin.all(0)),
        width=w,
        height=h,
        border_radius=10,
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
    )


def _outline(points: list[tuple[float, float]], mark: Mark) -> list[cv.Shape]:
    (x, y), *rest = points
    elements: list[cv.Path.PathElement] = [
        cv.Path.MoveTo(x, y),
        *(cv.Path.LineTo(a, b) for a, b in rest),
        cv.Path.Close(),
    ]
    colour, width, dash = theme.SURE, 2.0, None
    if mark.aside:
        colour, width, dash = theme.ASIDE, 1.5, [2, 4]
    if mark.doubt:
        colour, width, dash = theme.DOUBT, 3.5, [8, 5]
    if mark.winning:
        colour, width = theme.WIN, 3.5
    if mark.picked:
        colour, width, dash = theme.PICKED, 4, None

    def line(ink: str, wide: float, pattern: list[float] | None) -> cv.Path:
        return cv.Path(
            elements,
            paint=ft.Paint(
                style=ft.PaintingStyle.STROKE,
                color=ink,
                stroke_width=wide,
                stroke_dash_pattern=pattern,
                stroke_join=ft.StrokeJoin.ROUND,
            ),
        )

    # a dark line below keeps the light one visible on ivory tiles and on any cloth
    return [line("#99000000", width + 2, None), line(colour, width, dash)]


def _box(points: list[tuple[float, float]], mark: Mark, on_tile: Callable[[int], None]) -> ft.Control:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    # A tilted tile's upright box reaches into its neighbours; the part that is surely its own is as wide as its sides.
    w, h = max(xs) - min(xs), max(ys) - min(ys)
    area = abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True))) / 2
    shrink = max(0.5, (area / (w * h)) ** 0.5) if w and h else 1
    cx, cy = sum(xs) / 4, sum(ys) / 4
    badge = "?" if mark.doubt else ""
    return ft.Container(
        left=cx - w * shrink / 2,
        top=cy - h * shrink / 2,
        content=named(
            f"outline-{mark.piece}",
            ft.Container(
                width=w * shrink,
                height=h * shrink,
                on_click=lambda e: on_tile(mark.piece),
                alignment=ft.Alignment.CENTER,
                content=ft.Container(
                    ft.Text(badge, size=15, weight=ft.FontWeight.W_700, color=theme.DOUBT_INK),
                    bgcolor=theme.DOUBT,
                    border_radius=10,
                    width=20,
                    height=20,
                    alignment=ft.Alignment.CENTER,
                )
                if badge
                else None,
            ),
            label=mark.label,
            button=True,
        ),
    )
