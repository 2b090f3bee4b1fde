"""A button with words on it: as high as a thumb is wide, and higher where its words need more lines.

The height comes from the room around the words, never from a number, so that no words are cut at twice the size of
text, or in a longer language."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import flet as ft

from ui import theme
from ui.components.hook import named
from ui.session import Session

USUAL = 14
"""Size of a button's words."""
LINE = 20 / 14
"""Height of a line of words to their size."""


def word_button(
    session: Session,
    identifier: str,
    words: str,
    icon: ft.IconData | None = None,
    on_click: Any = None,
    *,
    kind: Callable[..., ft.Control] = ft.OutlinedButton,
    height: float = theme.TOUCH,
    size: float = USUAL,
    font_family: str | None = None,
    style: ft.ButtonStyle | None = None,
    **how: Any,
) -> ft.Control:
    """`height` is the least it has, `size` that of its words at the usual size of text: what is large already grows no
    further than the rest. `style` is how it looks otherwise, `how` what else a button takes."""
    scale = max(session.text, 100) / 100
    size = max(USUAL, size * min(1, theme.LARGE_TEXT / session.text))
    looks = style or ft.ButtonStyle()
    looks.padding = ft.Padding.symmetric(vertical=max(6.0, (height - LINE * size * scale) / 2), horizontal=16)
    looks.icon_size = 18 / 14 * size * scale
    looks.text_style = ft.TextStyle(size=size, weight=ft.FontWeight.W_500, font_family=font_family or theme.FONT)
    return named(identifier, kind(words, icon=icon, on_click=on_click, style=looks, **how))


main_button = partial(word_button, kind=ft.FilledButton, height=56)
"""The button that goes on from a page."""
