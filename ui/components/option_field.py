"""One switch of the rules, drawn by its kind, with its sentence and its source; a changed one says so in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import flet as ft

from scoring import Element, Option
from scoring.rules import source_text
from ui import theme
from ui.components.answer import chip, chips
from ui.components.hook import named
from ui.components.stepper import stepper
from ui.components.written import Written
from ui.session import Session
from ui.texts import rule_text


def value_words(session: Session, option: Option, value: Any) -> str:
    """An option's value as one reads it."""
    if value is None:
        return session.t("rules.off")
    if isinstance(value, bool):
        return session.t("yes" if value else "no")
    if option.kind == "map":
        rows = [f"{_row_name(session, key)} {amount}" for key, amount in dict(value).items()]
        return session.join(rows) or session.t("rules.none")
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
            f"{option.name} · {session.rule(source_text(option.source))}" if option.source else option.name,
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
    if option.kind == "map" and on_change is not None:
        return _MapField(session, option, words, value, on_change)
    if on_change is None:
        shown: ft.Control = ft.Text(value_words(session, option, value), size=16, weight=ft.FontWeight.W_600)
        return _row(option, words, shown)
    if option.kind == "bool":
        switch = ft.Switch(value=bool(value), on_change=lambda e: on_change(bool(e.control.value)))
        return _row(option, words, switch)
    if option.kind == "int":
        number = _number(session, option, value, on_change)
        if session.large_text:
            return named(f"option-{option.name}", ft.Column([*words, number], spacing=0, tight=True))
        return _row(option, words, number)
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


def read_rows(text: str, elements: Sequence[Element]) -> dict[str, int]:
    """A table as it is typed, `seven pairs = 16, pure suit + concealed four = 32`, with the elements by any of their
    names. Raises ValueError, with what was not understood, for anything else."""
    known = {words: e.id for e in elements for words in (e.id, e.name.zh, rule_text("zh-Hant", e.name), e.name.en)}
    rows: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in re.split(r"[,，、;；\n]", text))):
        found = re.fullmatch(r"(.+?)\s*[=＝:：]\s*(\d+)", part)
        if not found:
            raise ValueError(part)
        names = [name.strip() for name in re.split(r"[+＋]", found[1])]
        if strange := next((name for name in names if not name.isdecimal() and name not in known), None):
            raise ValueError(strange)
        rows["+".join(known.get(name, name) for name in names)] = int(found[2])
    return rows


def _row_name(session: Session, key: str) -> str:
    """What stands left in a row of a table: an element by name, several of them, or a number as it is."""
    names = {element.id: session.rule(element.name) for element in session.house.rules.ruleset.elements}
    return " + ".join(names.get(part, part) for part in key.split("+"))


@ft.component
def _MapField(
    session: Session, option: Option, words: list[ft.Control], value: Any, on_change: Callable[[Any], None]
) -> ft.Control:
    """A table, typed as one line; what is not understood is named and changes nothing."""
    trouble, set_trouble = ft.use_state("")
    line: Any = ft.use_ref(lambda: None)
    shown = ", ".join(f"{_row_name(session, key)} = {amount}" for key, amount in dict(value).items())

    def take(typed: str) -> None:
        try:
            rows = read_rows(typed, session.house.rules.ruleset.elements)
        except ValueError as wrong:
            set_trouble(session.t("rules.bad_rows", part=str(wrong)))
        else:
            set_trouble("")
            on_change(rows)

    def write(typed: str) -> None:
        line.current = typed

    field = Written(
        f"rows-{option.name}",
        session.t("rules.rows"),
        shown,
        on_change=write,
        on_submit=take,
        made=hash(shown),
        helper=session.t("rules.rows_several"),
        helper_max_lines=3,
    )
    use = ft.IconButton(
        ft.Icons.CHECK,
        width=theme.TOUCH,
        height=theme.TOUCH,
        tooltip=session.t("check.typed_ok"),
        on_click=lambda e: take(shown if line.current is None else line.current),
    )
    return named(
        f"option-{option.name}",
        ft.Column(
            [
                *words,
                ft.Row(
                    [
                        ft.Container(field, expand=True, padding=ft.Padding.only(top=12)),  # the label rises above it
                        named(f"take-{option.name}", use, session.t("check.typed_ok")),
                    ]
                ),
                *([ft.Text(trouble, size=15, color=ft.Colors.ERROR)] if trouble else []),
            ],
            spacing=4,
            tight=True,
        ),
    )


def _row(option: Option, words: list[ft.Control], shown: ft.Control) -> ft.Control:
    return named(
        f"option-{option.name}",
        ft.Row([ft.Column(words, spacing=0, expand=True, tight=True), shown], spacing=8),
    )


def _number(session: Session, option: Option, value: int | None, on_change: Callable[[Any], None]) -> ft.Control:
    # multipliers go in doublings at the table: 1, 2, 4, 8, … but any number can be typed on the command line
    def step(by: int) -> None:
        if value is None:
            on_change(option.low if by > 0 else None)
        elif by < 0 and value <= option.low:
            on_change(None if option.nullable else option.low)
        else:
            on_change(max(option.low, min(option.high, value + by)))

    shown = session.t("rules.off") if value is None else str(value)
    return stepper(session, option.name, session.rule(option.text), shown, step)
