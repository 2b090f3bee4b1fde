"""One tile as the player knows it: its drawn face on ivory, in any size, with what there is to say about it.

A doubtful tile carries a question mark and a winning tile a word: neither is told by colour alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import flet as ft

from ui import theme
from ui.components.drawn_words import DrawnWords
from ui.components.hook import named
from ui.texts import tile_name
from vision.result import UNKNOWN

RATIO = 4 / 3
"""Height of a tile's face to its width."""


def TileFace(
    tile: str,
    language: str,
    *,
    width: float = 42,
    identifier: str | None = None,
    on_click: Callable[[], None] | None = None,
    doubt: bool = False,
    winning: str = "",
    lit: bool = False,
    faded: bool = False,
    caption: str = "",
) -> ft.Control:
    """A tile's face, `width` logical pixels wide.

    winning: the word to put on the winning tile, "" for any other. lit: it takes part in what is being explained.
    caption: a few letters under the face (a probability, for instance).
    """
    height = round(width * RATIO)
    badge: list[ft.Control] = []
    if doubt:
        badge.append(_badge("?", theme.DOUBT, theme.DOUBT_INK, width, right=True))
    if winning:
        badge.append(_badge(winning, theme.WIN, "#ffffff", width, right=False))
    edge, thickness = theme.TILE_EDGE, 1.0
    if doubt:
        edge, thickness = theme.DOUBT, 3
    if winning:
        edge, thickness = theme.WIN, 3
    if lit:
        edge, thickness = theme.PICKED, 3
    body = ft.Container(
        width=width,
        height=height,
        bgcolor=theme.TILE_IVORY,
        border=ft.Border.all(thickness, edge),
        border_radius=max(3, width / 9),
        padding=0,
        alignment=ft.Alignment.CENTER,
        clip_behavior=ft.ClipBehavior.ANTI_ALIAS,
        shadow=ft.BoxShadow(blur_radius=2, color="#40000000", offset=ft.Offset(0, 1)),
        content=_face(tile, width, height, thickness),
        on_click=(lambda e: on_click()) if on_click else None,
        ink=False,
    )
    # the hit box is never smaller than the face, and badges hang inside it so that rows stay even
    stack: ft.Control = ft.Stack([body, *badge], width=width, height=height)
    if caption:
        stack = ft.Column(
            [stack, ft.Text(caption, size=13, text_align=ft.TextAlign.CENTER, width=width)],
            spacing=2,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        )
    if faded:
        stack = ft.Container(stack, opacity=0.35)
    words = tile_name(language, tile) + (f" {caption}" if caption else "") + (" ?" if doubt else "")
    if winning:
        words += f", {winning}"
    if identifier is None and on_click is None:
        return ft.Semantics(label=words, image=True, content=stack, exclude_semantics=True)
    return named(identifier or f"tile-{tile}", stack, label=words, button=on_click is not None)


def Warm(tiles: Sequence[str]) -> ft.Control:
    """All these faces, out of sight, so that the browser has fetched them before a hand is shown."""
    return ft.Stack(
        [ft.Image(src=f"/tiles/{tile}.svg", width=1, height=1, exclude_from_semantics=True) for tile in tiles],
        width=1,
        height=1,
        opacity=0.01,
    )


def _face(tile: str, width: float, height: float, edge: float) -> ft.Control:
    if tile == UNKNOWN:
        return DrawnWords("?", width * 0.6, theme.TILE_INK)
    return ft.Image(
        src=f"/tiles/{tile}.svg",
        width=width - 2 * edge,
        height=height - 2 * edge,
        fit=ft.BoxFit.CONTAIN,
        exclude_from_semantics=True,
        gapless_playback=True,
    )


def _badge(text: str, colour: str, ink: str, width: float, *, right: bool) -> ft.Control:
    size = max(14.0, width * 0.38)
    return ft.Container(
        right=0 if right else None,
        left=None if right else 0,
        top=0,
        height=size,
        padding=ft.Padding.symmetric(horizontal=size * 0.2),
        bgcolor=colour,
        border_radius=size / 3,
        alignment=ft.Alignment.CENTER,
        ignore_interactions=True,
        content=DrawnWords(text, size * 0.66, ink),
    )
