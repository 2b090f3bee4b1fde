"""The hand holds tiles that the chosen game has not: the rules whose game has them all, each one tap away."""

from __future__ import annotations

from typing import Any

import flet as ft

from ui import theme
from ui.components.answer import chip, chips
from ui.components.button import word_button
from ui.components.rules_picker import house_title, own_rules
from ui.nights import Form
from ui.session import Session
from ui.table import fitting


def OtherRules(session: Session, go: Any) -> list[ft.Control]:
    """The rules that fit the open hand. A night's table plays one set of rules, and changes it where everybody sees it:
    there one button leads to that form."""
    if session.target is not None:
        return [] if session.target.corrects else [_to_the_nights_rules(session, go)]
    return [
        ft.Text(session.t("check.fitting"), size=15, color=ft.Colors.ON_SURFACE_VARIANT, weight=ft.FontWeight.W_600),
        chips(
            [
                chip(
                    f"fits-{house.name or house.preset}",
                    session.t("starting.rules_seats", title=house_title(session, house), n=house.players),
                    False,
                    lambda house=house: session.start_with(house),
                    theme.NAMES_FONT if house.name else None,
                )
                for house in fitting(session.draft, own_rules(session))
            ]
        ),
    ]


def _to_the_nights_rules(session: Session, go: Any) -> ft.Control:
    async def change(e: Any) -> None:
        session.form = Form("rules")
        await go("/night/record")

    words = session.t("check.night_rules")
    return word_button(session, "fits-night", words, ft.Icons.MENU_BOOK, change, kind=ft.FilledTonalButton)
