"""Words as a part of a drawing: on a tile, on the photograph. They keep their size however large text is set, as the
drawing does; a screen reader has them from the label of what they stand on."""

from __future__ import annotations

import flet as ft
import flet.canvas as cv

from ui import theme

CHINESE = 0x2E80
"""From this character on they are square."""
LATIN = 0.62
"""Width of a letter that is no Chinese character, to its height; no letter of the badges is wider."""


def drawn_width(words: str, size: float) -> float:
    """How wide the words are, logical pixels.

    >>> drawn_width("胡", 10.0), drawn_width("?", 10.0)
    (10.0, 6.2)
    """
    return sum(size if ord(character) >= CHINESE else size * LATIN for character in words)


def DrawnWords(words: str, size: float, colour: ft.ColorValue) -> ft.Control:
    """The words in the middle of a box that fits them."""
    width, height = drawn_width(words, size), size * 1.2
    style = ft.TextStyle(size=size, color=colour, weight=ft.FontWeight.W_700, font_family=theme.FONT)
    text = cv.Text(width / 2, height / 2, words, style, alignment=ft.Alignment.CENTER)
    return cv.Canvas([text], width=width, height=height)
