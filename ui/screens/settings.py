"""Settings: language, light or dark, the players' names, the rules one starts with, what is kept and where."""

from __future__ import annotations

import asyncio
import contextlib
import platform
from typing import Any

import flet as ft

from ui import theme
from ui.components.answer import chip, chips
from ui.components.button import word_button
from ui.components.hook import named
from ui.components.model_choice import ModelChoice, own_models
from ui.components.name_field import NameField
from ui.components.option_field import OptionField
from ui.components.rules_picker import house_title
from ui.components.scroll import Scroll
from ui.components.sure import Sure
from ui.installed import megabytes, networks, storage, version
from ui.places import data_folder
from ui.session import Session
from ui.table import House
from ui.texts import LANGUAGES

THEMES = ("system", "light", "dark")
TEXT_SIZES = (100, 125, 150, 200)
"""Per cent of the usual size. The page's own script hands them to Flutter (capture.js); a phone's app takes them from
the phone's settings."""


@ft.component
def Settings(session: Session, go: Any, forget: Any) -> ft.Control:
    """The settings of this device."""

    async def forget_all(e: Any) -> None:
        set_asking(False)
        await forget(e)

    def set_unit(value: Any) -> None:
        session.start_with(session.starting_house.changed("unit", value))

    def rename(seat: int, name: str) -> None:
        names = [session.names[s] if s < len(session.names) else "" for s in range(4)]
        names[seat] = name.strip()[:12]
        session.names = tuple(names)

    async def open_rules(e: Any) -> None:
        await go("/rules")

    async def open_teach(e: Any) -> None:
        await go("/teach")

    home = data_folder()
    made, set_made = ft.use_state([])
    asking, set_asking = ft.use_state(False)

    async def look() -> None:
        from models import choice

        with contextlib.suppress(OSError):  # networks that are missing are said where they are missed: at reading
            set_made(await asyncio.to_thread(lambda: networks(choice.folder(home))))

    ft.use_effect(look, [])
    ft.use_dialog(
        Sure(
            session,
            "forget",
            session.t("settings.forget"),
            session.t("settings.forget_what"),
            lambda e: set_asking(False),
            forget_all,
        )
        if asking
        else None
    )
    kept = session.t("settings.folder", path=str(home), size=megabytes(storage(home)))
    unit = next((option for option in session.starting_house.rules.ruleset.options if option.name == "unit"), None)

    return Scroll(
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
            *(
                [
                    _title(session.t("settings.text")),
                    chips(
                        [
                            chip(
                                f"text-{size}",
                                f"{size} %",
                                size == session.text,
                                lambda n=size: setattr(session, "text", n),
                            )
                            for size in TEXT_SIZES
                        ]
                    ),
                ]
                if ft.context.page.web
                else []
            ),
            _title(session.t("settings.rules")),
            word_button(
                session,
                "settings-rules",
                house_title(session, session.starting_house),
                ft.Icons.MENU_BOOK,
                open_rules,
                font_family=theme.NAMES_FONT,
            ),
            *(
                [
                    OptionField(
                        session,
                        unit,
                        session.starting_house.rules.flat["unit"],
                        House(session.starting_house.preset).rules.flat["unit"],
                        set_unit,
                    )
                ]
                if unit
                else []
            ),
            _title(session.t("settings.names")),
            ft.Row(
                [
                    ft.Container(
                        NameField(
                            session,
                            f"name-{seat}",
                            session.t("settings.seat", n=seat + 1),
                            session.names[seat] if seat < len(session.names) else "",
                            on_change=lambda name, seat=seat: rename(seat, name),
                            hint_text=session.t(f"seat.{seat}"),
                        ),
                        width=160,
                    )
                    for seat in range(4)
                ],
                wrap=True,
                vertical_alignment=ft.CrossAxisAlignment.START,
            ),
            *([_title(session.t("settings.models")), ModelChoice(session)] if own_models(home) else []),
            _title(session.t("title./teach")),
            word_button(session, "settings-teach", session.t("settings.teach"), ft.Icons.SCHOOL, open_teach),
            _title(session.t("settings.data")),
            ft.Text(session.t("settings.privacy"), size=15),
            named("storage", ft.Text(kept, size=13, selectable=True), label=kept),
            word_button(
                session, "forget", session.t("settings.forget"), ft.Icons.DELETE_OUTLINE, lambda e: set_asking(True)
            ),
            *[
                named(
                    f"network-{name}",
                    ft.Text(
                        session.t(f"settings.network.{name}", date=date, weights=weights),
                        size=13,
                        color=ft.Colors.ON_SURFACE_VARIANT,
                    ),
                )
                for name, date, weights in made
            ],
            ft.Text(
                f"Hupai {version()} · Flet {ft.__version__} · Python {platform.python_version()}",
                size=13,
                color=ft.Colors.ON_SURFACE_VARIANT,
            ),
        ],
        align=ft.CrossAxisAlignment.START,
    )


def _title(words: str) -> ft.Control:
    return ft.Text(words, size=18, weight=ft.FontWeight.W_600)
