"""The game's own tiles as keys: one row a suit, so that a tile is where the eye looks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import flet as ft

from scoring.tiles import HONOURS, SUITS
from ui.components.tile_face import TileFace

GAP = 3


def rows_of(tiles: Sequence[str]) -> list[list[str]]:
    """The tiles by row: each suit, the honours, the flowers; nine at most in a row.

    >>> rows_of(["1p", "2p", "C"])
    [['1p', '2p'], ['C']]
    """

    def row(tile: str) -> str:
        return tile[1] if tile[1:] in SUITS else "honour" if tile in HONOURS else "flower"

    return [list(group) for _, group in groupby(tiles, key=row)]


def Keyboard(
    tiles: Sequence[str], language: str, width: float, on_tile: Callable[[str], None], prefix: str = "key"
) -> ft.Control:
    """Keys for `tiles`, nine of them as wide as `width` logical pixels together, 52 each at most."""
    key = min(52, int((width - 8 * GAP) / 9))
    return ft.Column(
        [
            ft.Row(
                [
                    TileFace(t, language, width=key, identifier=f"{prefix}-{t}", on_click=lambda t=t: on_tile(t))
                    for t in row
                ],
                spacing=GAP,
                tight=True,
            )
            for row in rows_of(tiles)
        ],
        spacing=GAP + 3,
        tight=True,
    )
