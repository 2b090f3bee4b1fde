"""What went wrong, one sentence each, announced to screen readers; a tap puts it away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import flet as ft

from ui import theme
from ui.components.hook import named
from ui.session import Session


def Troubles(session: Session) -> ft.Control:
    """What went wrong on this tab; file names in it are written in anything, so the large font draws it."""
    return Trouble(session.troubles, session.t("done"), lambda: setattr(session, "troubles", ()))


def Trouble(sentences: Sequence[str], close: str = "", on_close: Callable[[], None] | None = None) -> ft.Control:
    """These sentences; with `on_close` a button puts them away, and `close` is what it is called."""
    button = ft.IconButton(
        ft.Icons.CLOSE,
        width=theme.TOUCH,
        height=theme.TOUCH,
        icon_color=ft.Colors.ON_ERROR_CONTAINER,
        tooltip=close,
        on_click=lambda e: on_close() if on_close else None,
    )
    return named(
        "trouble",
        ft.Container(
            ft.Row(
                [
                    ft.Icon(ft.Icons.ERROR_OUTLINE, color=ft.Colors.ON_ERROR_CONTAINER),
                    ft.Column(
                        [
                            ft.Text(sentence, size=16, color=ft.Colors.ON_ERROR_CONTAINER, font_family=theme.NAMES_FONT)
                            for sentence in sentences
                        ],
                        expand=True,
                        tight=True,
                        spacing=8,
                    ),
                    *([named("trouble-close", button, close)] if on_close else []),
                ],
            ),
            bgcolor=ft.Colors.ERROR_CONTAINER,
            border_radius=12,
            padding=ft.Padding.only(left=14, right=14 if on_close is None else 0, top=10, bottom=10),
        ),
        live_region=True,
    )
