"""A declared set: its tiles as they lie, the name of its kind on a button that changes it."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from ui import theme
from ui.components.button import word_button
from ui.components.tile_face import TileFace
from ui.draft import Group, Piece
from ui.session import Session


def MeldGroup(
    session: Session,
    index: int,
    group: Group,
    width: float,
    on_tile: Callable[[int], None],
    on_kind: Callable[[], None],
    around: Callable[[Piece, ft.Control], ft.Control] = lambda piece, face: face,
) -> ft.Control:
    """The set with index `index`; its faces are `width` logical pixels wide, and `around` puts something about each."""
    return ft.Container(
        ft.Column(
            [
                ft.Row(
                    [
                        around(
                            p,
                            TileFace(
                                p.tile,
                                session.language,
                                width=width,
                                identifier=f"tile-{p.id}",
                                on_click=lambda p=p: on_tile(p.id),
                                doubt=p in session.draft.doubts,
                                lit=p.id in (session.picked, session.cursor),
                            ),
                        )
                        for p in group.pieces
                    ],
                    spacing=2,
                    tight=True,
                ),
                word_button(
                    session,
                    f"kind-{index}",
                    session.t(f"kind.{group.kind}"),
                    ft.Icons.EXPAND_MORE,
                    lambda e: on_kind(),
                    kind=ft.TextButton,
                    height=40,
                ),
            ],
            spacing=0,
            tight=True,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        ),
        bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
        border_radius=10,
        padding=ft.Padding.only(left=6, right=6, top=6),
    )


def KindSheet(session: Session, index: int, on_kind: Callable[[str], None], on_back: Callable[[], None]) -> ft.Control:
    """What a set may be in this game; the way back into the hand."""
    group = session.draft.melds[index]
    faces = {p.tile for p in group.pieces}
    # three different tiles cannot be a pung, three equal ones no chow: only what can be is offered
    kinds = [k for k in session.house.meld_kinds if (k == "chow") == (len(faces) > 1)]
    return ft.Column(
        [
            ft.Text(session.t("kind.title"), size=20, weight=ft.FontWeight.W_600),
            *[
                word_button(
                    session,
                    f"set-{kind}",
                    session.t(f"kind.{kind}"),
                    ft.Icons.CHECK if kind == group.kind else None,
                    lambda e, kind=kind: on_kind(kind),
                    kind=ft.FilledTonalButton,
                    height=theme.TOUCH + 4,
                    width=320,
                )
                for kind in kinds
            ],
            word_button(session, "take-back", session.t("kind.take_back"), on_click=lambda e: on_back(), width=320),
        ],
        tight=True,
        spacing=8,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
    )
