"""What a screen holds: rows that scroll, and below them a foot that stays, with what is done next.

Below the last row there is room, so that nothing hides behind the foot, or behind the bar of the page."""

from __future__ import annotations

from collections.abc import Sequence

import flet as ft

from ui import theme

ROOM = 40
"""Logical pixels below the last row."""


def Scroll(
    rows: Sequence[ft.Control],
    foot: Sequence[ft.Control] = (),
    *,
    spacing: float = theme.GAP,
    align: ft.CrossAxisAlignment = ft.CrossAxisAlignment.STRETCH,
    foot_align: ft.CrossAxisAlignment = ft.CrossAxisAlignment.STRETCH,
) -> ft.Control:
    """`align` says how the rows lie in the width of the page, `foot_align` how the foot does."""
    scrolling = ft.Column(
        [*rows, ft.Container(height=ROOM)],
        scroll=ft.ScrollMode.AUTO,
        expand=True,
        spacing=spacing,
        horizontal_alignment=align,
    )
    if not foot:
        return scrolling
    return ft.Column([scrolling, *foot], expand=True, spacing=theme.GAP, horizontal_alignment=foot_align)
