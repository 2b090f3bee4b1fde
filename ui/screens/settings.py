"""Settings: language, light or dark, the players' names, the rules one starts with, what is kept and where."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

import flet as ft

from ui import theme
from ui.components.answer import chip, chips
from ui.components.hook import named
from ui.components.model_choice import ModelChoice, own_models
from ui.components.written import Written
from ui.places import data_folder
from ui.session import Session
from ui.texts import LANGUAGES

THEMES = ("system", "light", "dark")


def version() -> str:
    """The version of the installed package, or "dev" in a checkout that is not installed."""
    try:
        return metadata.version("hupai")
    except metadata.PackageNotFoundError:
        return "dev"


@ft.component
def Settings(session: Session, go: Any, forget: Any) -> ft.Control:
    """The settings of this device."""

    def rename(seat: int, name: str) -> None:
        names = [session.names[s] if s < len(session.names) else "" for s in range(4)]
        names[seat] = name.strip()[:12]
        session.names = tuple(names)

    async def open_rules(e: Any) -> None:
        await go("/rules")

    async def open_teach(e: Any) -> None:
        await go("/teach")

    return ft.Column(
        [
            _title(session.t("settings.language")),
            chips(
                [
                    chip(
                        f"language-{key}", words, key == session.language, lambda k=key: setattr(session, "language", k)
                    )
                    for key, words in LANGUAGES.items()
                ]
            ),
            _title(session.t("settings.theme")),
            chips(
                [
                    chip(
                        f"theme-{key}",
                        session.t(f"settings.theme.{key}"),
                        key == session.theme,
                        lambda k=key: setattr(session, "theme", k),
                    )
                    for key in THEMES
                ]
            ),
            _title(session.t("settings.rules")),
            named(
                "settings-rules",
                ft.OutlinedButton(
                    ft.Text(session.house_title, font_family=session.house_font),
                    icon=ft.Icons.MENU_BOOK,
                    height=theme.TOUCH,
                    on_click=open_rules,
                ),
            ),
            _title(session.t("settings.names")),
            ft.Row(
                [
                    ft.Container(
                        Written(
                            f"name-{seat}",
                            session.t("settings.seat", n=seat + 1),
                            session.names[seat] if seat < len(session.names) else "",
                            on_change=lambda name, seat=seat: rename(seat, name),
                            hint_text=session.t(f"seat.{seat}"),
                            text_style=ft.TextStyle(font_family=theme.NAMES_FONT),
                        ),
                        width=160,
                    )
                    for seat in range(4)
                ],
                wrap=True,
            ),
            *([_title(session.t("settings.models")), ModelChoice(session)] if own_models(data_folder()) else []),
            _title(session.t("title./teach")),
            named(
                "settings-teach",
                ft.OutlinedButton(
                    session.t("settings.teach"), icon=ft.Icons.SCHOOL, height=theme.TOUCH, on_click=open_teach
                ),
            ),
            _title(session.t("settings.data")),
            ft.Text(session.t("settings.privacy"), size=15),
            ft.Text(session.t("settings.folder", path=str(data_folder())), size=13, selectable=True),
            named(
                "forget",
                ft.OutlinedButton(
                    session.t("settings.forget"), icon=ft.Icons.DELETE_OUTLINE, height=theme.TOUCH, on_click=forget
                ),
            ),
            ft.Text(
                f"Hupai {version()} · Flet {ft.__version__} · Python {platform.python_version()}",
                size=13,
                color=ft.Colors.ON_SURFACE_VARIANT,
            ),
        ],
        scroll=ft.ScrollMode.AUTO,
        expand=True,
        spacing=theme.GAP,
    )


def _title(words: str) -> ft.Control:
    return ft.Text(words, size=18, weight=ft.FontWeight.W_600)
