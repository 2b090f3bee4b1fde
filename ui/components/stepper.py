"""A number with a button for less and one for more, for fingers and for screen readers."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from ui import theme
from ui.components.hook import named
from ui.session import Session


def stepper(
    session: Session,
    name: str,
    words: str,
    shown: str,
    on_step: Callable[[int], None],
    *,
    least: bool = False,
    most: bool = False,
) -> ft.Control:
    """The buttons are called `less-NAME` and `more-NAME`; `words` says what is counted, `shown` how many.

    `on_step` gets -1 or 1. `least`, `most`: there is no less, or no more."""

    def button(sign: str, icon: ft.IconData, by: int, last: bool) -> ft.Control:
        press = ft.IconButton(
            icon, width=theme.TOUCH + 4, height=theme.TOUCH + 4, disabled=last, on_click=lambda e: on_step(by)
        )
        return named(f"{sign}-{name}", press, label=session.t(sign, what=words))

    width = None if session.large_text else 44
    number = ft.Text(
        shown, size=20, weight=ft.FontWeight.W_700, width=width, text_align=ft.TextAlign.CENTER, no_wrap=True
    )
    return ft.Row(
        [
            button("less", ft.Icons.REMOVE, -1, least),
            named(f"value-{name}", number),
            button("more", ft.Icons.ADD, 1, most),
        ],
        spacing=0,
        tight=True,
    )
