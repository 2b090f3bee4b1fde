"""A line to write a player's name in. No font here has emoji, and nothing is asked for on the internet: they are left
out of the name, which is said below it. Kept, they would be seen nowhere, and two names that look the same would be
two players."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import flet as ft

from scoring.ledger.events import LONGEST_NAME
from ui import theme
from ui.components.hook import named
from ui.components.written import Written
from ui.font import SYMBOLS

UNSEEN = ("So", "Sk", "Cf", "Cn", "Me")
"""What emoji are made of, as Unicode sorts characters: symbols, the colour of a skin, joiners, those that are newer
than this Python, and what turns a digit into a key."""


def without_emoji(name: str) -> str:
    """The name without emoji, and no longer than a name may be."""
    kept = (c for c in name if c in SYMBOLS or ord(c) < 0x100 or unicodedata.category(c) not in UNSEEN)
    return "".join(c for c in kept if not "\ufe00" <= c <= "\ufe0f")[:LONGEST_NAME]


@ft.component
def NameField(
    session: Any,
    identifier: str,
    label: str,
    value: str = "",
    *,
    on_change: Callable[[str], None] | None = None,
    on_submit: Callable[[str], None] | None = None,
    **field: Any,
) -> ft.Control:
    """As `Written`; what is told is a name without emoji."""
    emoji, set_emoji = ft.use_state(False)

    def typed(words: str) -> None:
        if words or on_change:  # where a name is added, the field is empty afterwards and the sentence stays
            set_emoji(without_emoji(words) != words[:LONGEST_NAME])
        if on_change:
            on_change(without_emoji(words))

    line = Written(
        identifier,
        label,
        value,
        on_change=typed,
        on_submit=(lambda words: on_submit(without_emoji(words))) if on_submit else None,
        text_style=ft.TextStyle(font_family=theme.NAMES_FONT),
        **field,
    )
    said = ft.Text(session.t("name.emoji"), size=14, color=ft.Colors.ERROR)
    return ft.Column(
        [line, *([named(f"{identifier}-emoji", said, live_region=True)] if emoji else [])],
        spacing=4,
        tight=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )
