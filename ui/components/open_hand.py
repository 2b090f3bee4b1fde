"""The way back to the hand that lies open."""

from __future__ import annotations

from typing import Any

import flet as ft

from ui.components.button import word_button
from ui.session import Session


def OpenHand(session: Session, words: str, on_click: Any) -> list[ft.Control]:
    """A button that says so in these words (a text's name, of `n` tiles); nothing where no hand lies open."""
    n = len(session.draft.pieces)
    if not n:
        return []
    said = session.t(words, n=n)
    return [word_button(session, "resume", said, ft.Icons.ARROW_FORWARD, on_click, kind=ft.FilledTonalButton)]
