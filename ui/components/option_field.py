"""One switch of the rules, drawn by its kind, with its sentence and its source; a changed one says so in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from scoring import Option
from ui import theme
from ui.components.answer import chip, chips
from ui.components.hook import named
from ui.session import Session


def value_words(session: Session, option: Option, value: Any) -> str:
    """An option's value as one reads it."""
    if value is None:
        return session.t("rules.off")
    if isinstance(value, bool):
        return session.t("yes" if value else "no")
    if option.kind == "map":
        return ", ".join(f"{key} {amount}" for key, amount in dict(value).items()) or session.t("rules.none")
    if option.kind == "suits":
        return "".join(session.t(f"suit.{suit}") for suit in value)
    found = next((choice for choice in option.choices if choice.value == value), None)
    return session.rule(found.text) if found else str(value)


def OptionField(
    session: Session, option: Option, value: Any, before: Any, on_change: Callable[[Any], None] | None
) -> ft.Control:
    """The option with its value; `before` is the preset's own. Without `on_change` it is only shown."""
    words = [
        ft.Text(session.rule(option.text), size=16),
        ft.Text(
            f"{option.name} · {option.source}" if option.source else option.name,
            size=12,
            color=ft.Colors.ON_SURFACE_VARIANT,
        ),
    ]
    if value != before:
        words.append(
            ft.Text(
                session.t("rules.was", value=value_words(session, option, before)),
                size=13,
                weight=ft.FontWeight.W_600,
                color=ft.Colors.TERTIARY,
            )
        )
    if on_change is None or option.kind == "map":
        shown: ft.Control = ft.Text(value_words(session, option, value), size=16, weight=ft.FontWeight.W_600)
        return _row(option, words, shown)
    if option.kind == "bool":
        switch = ft.Switch(value=bool(value), on_change=lambda e: on_change(bool(e.control.value)))
        return _row(option, words, switch)
    if option.kind == "int":
        return _row(option, words, _number(session, option, value, on_change))
    if option.kind == "suits":

        def toggle(suit: str) -> None:
            kept = tuple(s for s in "mps" if (s in value) != (s == suit))
            on_change(kept)

        choices = [
            chip(f"o-{option.name}-{s}", session.t(f"suit.{s}"), s in value, lambda s=s: toggle(s)) for s in "mps"
        ]
    else:
        items = [*((c.value, session.rule(c.text)) for c in option.choices)]
        if option.nullable:
            items.append((None, session.t("rules.off")))
        choices = [chip(f"o-{option.name}-{v}", text, v == value, lambda v=v: on_change(v)) for v, text in items]
    return named(f"option-{option.name}", ft.Column([*words, chips(choices)], spacing=4, tight=True))


def _row(option: Option, words: list[ft.Control], shown: ft.Control) -> ft.Control:
    return named(
        f"option-{option.name}",
        ft.Row([ft.Column(words, spacing=0, expand=True, tight=True), shown], spacing=8),
    )


def _number(session: Session, option: Option, value: int | None, on_change: Callable[[Any], None]) -> ft.Control:
    # multipliers go in doublings at the table: 1, 2, 4, 8, … but any number can be typed on the command line
    def step(up: bool) -> Any:
        if value is None:
            return option.low if up else None
        if not up and value <= option.low:
            return None if option.nullable else option.low
        return max(option.low, min(option.high, value + (1 if up else -1)))

    size = theme.TOUCH
    return ft.Row(
        [
            named(
                f"less-{option.name}",
                ft.IconButton(ft.Icons.REMOVE, width=size, height=size, on_click=lambda e: on_change(step(False))),
            ),
            ft.Text(
                session.t("rules.off") if value is None else str(value),
                size=18,
                weight=ft.FontWeight.W_600,
                width=44,
                text_align=ft.TextAlign.CENTER,
            ),
            named(
                f"more-{option.name}",
                ft.IconButton(ft.Icons.ADD, width=size, height=size, on_click=lambda e: on_change(step(True))),
            ),
        ],
        spacing=0,
        tight=True,
    )
