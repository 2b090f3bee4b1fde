"""Asked once more before something is gone for good. The question scrolls where large text needs more than the page."""

from __future__ import annotations

from typing import Any

import flet as ft

from ui import theme
from ui.components.button import word_button
from ui.session import Session


def Sure(session: Session, name: str, title: str, what: str, on_no: Any, on_yes: Any) -> ft.AlertDialog:
    """The buttons are called `NAME-no` and `NAME-yes`; `what` says what would be gone."""
    return ft.AlertDialog(
        modal=True,
        scrollable=True,
        inset_padding=ft.Padding.symmetric(horizontal=20, vertical=24),
        title=ft.Text(title, size=20),
        content=ft.Text(what, size=16, font_family=theme.NAMES_FONT),
        actions=[
            word_button(session, f"{name}-no", session.t("cancel"), on_click=on_no, kind=ft.TextButton),
            word_button(
                session, f"{name}-yes", session.t("settings.forget_yes"), on_click=on_yes, kind=ft.FilledButton
            ),
        ],
    )
