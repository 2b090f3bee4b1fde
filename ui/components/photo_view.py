"""The photograph with an outline on every tile that was found; a tap on one opens it.

Sure tiles have a thin line, doubtful ones a thick dashed line with a question mark, tiles set aside a dotted one: the
three differ in shape as well as in colour.

At first one sees the part with the tiles, as large as fits; pinch to zoom in, or out to the whole photograph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import flet as ft
import flet.canvas as cv

from ui import theme
from ui.components.drawn_words import DrawnWords
from ui.components.hook import named
from ui.session import Photograph
from vision.result import Corners


@dataclass(frozen=True)
class Mark:
    """What an outline says: whose piece it is, its label, and how it is drawn."""

    piece: int
    label: str
    doubt: bool = False
    aside: bool = False
    picked: bool = False
    winning: bool = False


CLOTH = 1.0
"""How much is seen around the tiles, in widths of a tile."""
LOWEST = 0.4
"""The least height of what is seen to its width: a single row is shown with more cloth, so that fingers have room."""


@dataclass(frozen=True)
class Window:
    """The part of a photograph that is shown at first: its corner and its size in pixels of the photograph."""

    left: float
    top: float
    width: float
    height: float


def window(tiles: Sequence[Corners], width: float, height: float) -> Window:
    """Where the tiles are on a photograph of `width` x `height` pixels, with some cloth around them; all of it without
    tiles.

    >>> window([((40, 40), (50, 40), (50, 55), (40, 55)), ((50, 40), (60, 40), (60, 55), (50, 55))], 100, 90)
    Window(left=30.0, top=30.0, width=40.0, height=35.0)
    """
    if not tiles:
        return Window(0, 0, width, height)
    xs, ys = [x for tile in tiles for x, _ in tile], [y for tile in tiles for _, y in tile]
    sides = sorted(hypot(tile[1][0] - tile[0][0], tile[1][1] - tile[0][1]) for tile in tiles)
    cloth = CLOTH * sides[len(sides) // 2]
    left, right = max(0.0, min(xs) - cloth), min(width, max(xs) + cloth)
    top, bottom = max(0.0, min(ys) - cloth), min(height, max(ys) + cloth)
    high = max(bottom - top, min(LOWEST * (right - left), height))
    top = min(max(0.0, (top + bottom - high) / 2), height - high)
    return Window(left, top, right - left, high)


def PhotoView(
    photograph: Photograph,
    marks: Mapping[int, Mark],
    width: float,
    height: float,
    on_tile: Callable[[int], None],
    label: str,
    on_empty: Callable[[float, float], None] | None = None,
) -> ft.Control:
    """`marks` by index of the reading's tiles; what is seen at first fits into `width` x `height` logical pixels.
    `on_empty` gets the photograph's pixel that was tapped where no tile is outlined; then all of it is seen, because
    what was passed over may lie anywhere."""
    reading = photograph.reading
    tiles = [tile.corners for index, tile in enumerate(reading.tiles) if index in marks]
    seen = window(tiles if on_empty is None else (), reading.width, reading.height)
    scale = min(width / seen.width, height / seen.height)
    w, h = seen.width * scale, seen.height * scale
    shapes: list[cv.Shape] = []
    boxes: list[ft.Control] = []
    for index, tile in enumerate(reading.tiles):
        mark = marks.get(index)
        if mark is None:
            continue
        points = [((x - seen.left) * scale, (y - seen.top) * scale) for x, y in tile.corners]
        shapes += _outline(points, mark)
        boxes.append(_box(points, mark, on_tile))
    picture = ft.Image(
        src=photograph.preview,
        left=-seen.left * scale,
        top=-seen.top * scale,
        width=reading.width * scale,
        height=reading.height * scale,
        fit=ft.BoxFit.FILL,
        gapless_playback=True,
        semantics_label=label,
    )
    canvas: ft.Control = cv.Canvas(shapes, width=w, height=h)
    if on_empty is not None:

        def tapped(e: ft.TapEvent) -> None:
            if e.local_position is not None:
                on_empty(e.local_position.x / scale, e.local_position.y / scale)

        # with semantics on, a tap would arrive in the middle of the control; only this way it says where it was
        canvas = ft.GestureDetector(canvas, on_tap_up=tapped, exclude_from_semantics=True)
    stack = ft.Stack([picture, canvas, *boxes], width=w, height=h, clip_behavior=ft.ClipBehavior.NONE)
    edge, least = around(seen, reading.width, reading.height, scale)
    return ft.Container(
        ft.InteractiveViewer(stack, min_scale=least, max_scale=6, boundary_margin=edge),
        width=w,
        height=h,
        border_radius=10,
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
    )


def around(seen: Window, width: float, height: float, scale: float) -> tuple[ft.Margin, float]:
    """How far one may move beyond what is seen at first, logical pixels on each side, and how small it can be made, so
    that all of a photograph of `width` x `height` pixels can be seen; with an empty edge where its shape is another."""
    out = max(width / seen.width, height / seen.height)
    across, down = (seen.width * out - width) / 2, (seen.height * out - height) / 2
    edge = ft.Margin(
        left=(seen.left + across) * scale,
        top=(seen.top + down) * scale,
        right=(width - seen.left - seen.width + across) * scale,
        bottom=(height - seen.top - seen.height + down) * scale,
    )
    return edge, 1 / out


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
                    DrawnWords(badge, 15, theme.DOUBT_INK),
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
