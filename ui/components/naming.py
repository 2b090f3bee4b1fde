"""Naming the tiles of a photograph: on a wide page everything side by side, on a phone the keys come up with a tap.

Used where a tile set is shown, and by `hupai data label`."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from ui import theme
from ui.calibrating import Board
from ui.components.board import BoardKeys, BoardTiles, BoardView
from ui.labelling import Sheet, pick
from ui.session import Session


@ft.component
def Naming(
    session: Session, board: Board, on_sheet: Callable[[Sheet], None], on_empty: Callable[[float, float], None]
) -> ft.Control:
    """`on_sheet` gets every new state of the tiles, `on_empty` the photograph's pixel that was tapped beside them."""
    sheet, crops = board.sheet, dict(board.crops)
    width = session.width - 2 * theme.GAP
    left = width * 0.56

    def picking(i: int) -> None:
        on_sheet(pick(sheet, i))
        session.sheet = "" if session.wide else "naming"

    def naming(new: Sheet) -> None:
        on_sheet(new)
        if new.at == sheet.at:  # nothing else is open
            session.sheet = ""

    def close(e: object = None) -> None:
        session.sheet = ""

    up = session.sheet == "naming" and not session.wide and sheet.picked is not None
    ft.use_dialog(
        ft.BottomSheet(
            ft.Container(
                BoardKeys(session, sheet, crops, session.width - 32, naming),
                padding=ft.Padding.only(left=16, right=16, top=4, bottom=20),
            ),
            scrollable=True,
            draggable=True,
            show_drag_handle=True,
            animation_style=theme.SHEET,
            on_dismiss=close,
        )
        if up
        else None
    )
    tiles = BoardTiles(session, sheet, crops, picking)
    if not session.wide:
        picture = BoardView(session, sheet, board.photograph, width, session.height * 0.34, picking, on_empty)
        return ft.Column([picture, tiles], scroll=ft.ScrollMode.AUTO, expand=True, spacing=theme.GAP)
    keys = [BoardKeys(session, sheet, crops, min(left, 520), on_sheet)] if sheet.picked is not None else []
    picture = BoardView(session, sheet, board.photograph, left, session.height * 0.38, picking, on_empty)
    return ft.Row(
        [
            ft.Column([picture, *keys], scroll=ft.ScrollMode.AUTO, width=left, spacing=theme.GAP),
            ft.Column([tiles], scroll=ft.ScrollMode.AUTO, expand=True),
        ],
        expand=True,
        spacing=2 * theme.GAP,
        vertical_alignment=ft.CrossAxisAlignment.START,
    )
