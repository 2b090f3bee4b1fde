"""A player at a glance: a disc in the player's colour with the first character of the name on it."""

from __future__ import annotations

import flet as ft

from scoring.ledger.night import NOBODY, Night
from ui import theme

TIGHT = ft.TextStyle(height=1.0)
"""No room above and below the letter, so that a disc holds it at twice the size of text too."""


def PlayerMark(name: str, colour: str, size: float = 36) -> ft.Control:
    """The disc alone; the name stands beside it, so that colour is never all there is."""
    return ft.Container(
        ft.Text(name[:1] or "·", size=size * 0.44, color="#ffffff", font_family=theme.NAMES_FONT, style=TIGHT),
        width=size,
        height=size,
        border_radius=size / 2,
        bgcolor=colour,
        alignment=ft.Alignment.CENTER,
    )


def MarkOf(night: Night, name: str, size: float = 36) -> ft.Control:
    """The disc of somebody who plays this night, or of nobody."""
    return PlayerMark(name, "#7c7f86" if name == NOBODY else night.colour(name), size)


LONG = 10
"""Letters that fit where little room is left for a name; a Chinese character takes the room of two."""


def room(name: str) -> int:
    """How much room a name takes, in letters."""
    return sum(2 if ord(character) > 0x2E7F else 1 for character in name)


def NameText(words: str, **how: object) -> ft.Text:
    """Words with a player's name in them: in the font that names are written in, in several lines where one is too
    short."""
    style: dict[str, object] = {"size": 17, **how}
    return ft.Text(words, font_family=theme.NAMES_FONT, **style)  # type: ignore[arg-type]
