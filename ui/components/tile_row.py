"""Tiles side by side, as large as the width allows, wrapping before they become too small to tell 7p from 8p."""

from __future__ import annotations

from collections.abc import Sequence

import flet as ft

GAP = 4
LARGEST = 60
SMALLEST = 40


def tile_width(available: float, tiles: int) -> float:
    """The width of one face so that `tiles` of them fill `available` logical pixels, in one row or several.

    The widest face that keeps the number of rows least; never outside SMALLEST..LARGEST."""
    for rows in range(1, 8):
        columns = -(-max(tiles, 1) // rows)
        width = (available - GAP * (columns - 1)) / columns
        if width >= SMALLEST:
            return min(LARGEST, int(width))
    return SMALLEST


def TileRow(faces: Sequence[ft.Control]) -> ft.Control:
    """The faces in reading order; the row wraps."""
    return ft.Row(list(faces), wrap=True, spacing=GAP, run_spacing=GAP + 2)
