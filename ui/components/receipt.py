"""What the hand is worth, line by line: name, value, reason, then the arithmetic. A tap on a line lights its tiles."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from scoring import Line, Score
from ui import theme
from ui.components.hook import named
from ui.session import Session


def Receipt(session: Session, score: Score, lit: int | None, on_line: Callable[[int], None]) -> ft.Control:
    """The receipt of `score`; `lit` is the index of the line that was tapped."""
    return ft.Column(
        [
            *[_line(session, i, line, i == lit, on_line) for i, line in enumerate(score.lines)],
            ft.Divider(height=8),
            *[
                ft.Row(
                    [
                        ft.Icon(ft.Icons.SUBDIRECTORY_ARROW_RIGHT, size=18, color=ft.Colors.ON_SURFACE_VARIANT),
                        ft.Text(session.rule(step.text), size=15, expand=True, font_family=session.names_font),
                    ],
                    vertical_alignment=ft.CrossAxisAlignment.START,
                )
                for step in score.steps
            ],
        ],
        spacing=6,
        tight=True,
    )


def _line(session: Session, index: int, line: Line, lit: bool, on_line: Callable[[int], None]) -> ft.Control:
    return named(
        f"line-{line.element}-{index}",
        ft.Container(
            ft.Row(
                [
                    ft.Column(
                        [
                            ft.Text(session.rule(line.name), size=19, weight=ft.FontWeight.W_600),
                            ft.Text(session.rule(line.reason), size=14, color=ft.Colors.ON_SURFACE_VARIANT),
                        ],
                        spacing=0,
                        expand=True,
                        tight=True,
                    ),
                    ft.Text(session.rule(line.shown), size=22, weight=ft.FontWeight.W_700, color=ft.Colors.PRIMARY),
                ]
            ),
            bgcolor=ft.Colors.PRIMARY_CONTAINER if lit else ft.Colors.SURFACE_CONTAINER_HIGH,
            border=ft.Border.all(2, theme.PICKED if lit else "#00000000"),
            border_radius=12,
            padding=ft.Padding.symmetric(horizontal=14, vertical=8),
            on_click=lambda e: on_line(index),
            ink=True,
        ),
        button=True,
    )
