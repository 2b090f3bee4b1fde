"""One question about the win, drawn by its kind: a switch, seats, a number, choices or tiles.

What follows from the hand is shown as set, with a lock; what cannot be is not there at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import flet as ft

from scoring.hand import Answer as Value
from scoring.rules import Choice
from ui import theme
from ui.components.hook import named
from ui.components.stepper import stepper
from ui.components.tile_face import TileFace
from ui.session import Session
from ui.table import Asked


def Answer(session: Session, asked: Asked, on_answer: Callable[[Value], None]) -> ft.Control:
    """The question with its present value; `on_answer` gets the new one."""
    question = asked.question
    words = session.rule(question.text)
    if asked.implied:
        return _implied(session, asked, words)
    if question.kind == "bool":
        return named(
            f"q-{question.id}",
            ft.Container(
                ft.Row(
                    [
                        ft.Text(words, size=17, expand=True),
                        ft.Switch(value=bool(asked.value), on_change=lambda e: on_answer(bool(e.control.value))),
                    ]
                ),
                height=None,
                on_click=lambda e: on_answer(not asked.value),
            ),
            label=words,
            toggled=bool(asked.value),
        )
    if question.kind == "int":
        body: ft.Control = _number(session, asked, on_answer)
    elif question.kind == "tiles":
        body = _tiles(session, asked, on_answer)
    else:
        body = _choices(session, asked, on_answer)
    title = ft.Text(words, size=17)
    if asked.missing:
        title = ft.Text(f"{words} · {session.t('won.required')}", size=17, weight=ft.FontWeight.W_600)
    return named(f"q-{question.id}", ft.Column([title, body], spacing=6, tight=True))


def shown(session: Session, asked: Asked, value: Value) -> str:
    """An answer in words."""
    kind = asked.question.kind
    if isinstance(value, bool):
        return session.t("yes" if value else "no")
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        if kind == "seats":
            return "、".join(session.name(seat) for seat in items)
        return session.say(items)
    if kind == "seat":
        return session.t("won.nobody") if value is None else session.name(cast(int, value))
    named_choice = next((choice for choice in asked.choices if choice.value == value), None)
    return session.rule(named_choice.text) if named_choice else str(value)


def _implied(session: Session, asked: Asked, words: str) -> ft.Control:
    return named(
        f"q-{asked.question.id}",
        ft.Row(
            [
                ft.Icon(ft.Icons.LOCK_OUTLINE, size=20, color=ft.Colors.ON_SURFACE_VARIANT),
                ft.Text(words, size=16, expand=True, color=ft.Colors.ON_SURFACE_VARIANT),
                ft.Text(
                    shown(session, asked, asked.value),
                    size=16,
                    weight=ft.FontWeight.W_600,
                    font_family=session.names_font,
                ),
            ]
        ),
        label=f"{words}: {shown(session, asked, asked.value)} ({session.t('won.implied')})",
    )


def chip(
    identifier: str,
    words: str,
    picked: bool,
    on_click: Callable[[], None],
    font_family: str | None = None,
) -> ft.Control:
    """A choice large enough for a thumb; the picked one has a tick, not only a colour. Its words may be longer than the
    page is wide: what it lies in (`chips`) bounds it."""
    return named(
        identifier,
        ft.Container(
            ft.Row(
                [
                    *([ft.Icon(ft.Icons.CHECK, size=20)] if picked else []),
                    ft.Text(words, size=17, font_family=font_family, expand=True, expand_loose=True),
                ],
                tight=True,
                spacing=6,
                alignment=ft.MainAxisAlignment.CENTER,
            ),
            padding=ft.Padding.symmetric(horizontal=16, vertical=11),
            border_radius=12,
            border=ft.Border.all(2 if picked else 1, ft.Colors.PRIMARY if picked else ft.Colors.OUTLINE),
            bgcolor=ft.Colors.PRIMARY_CONTAINER if picked else None,
            on_click=lambda e: on_click(),
            ink=True,
        ),
        label=words,
        button=True,
        selected=picked,
    )


def chips(items: Sequence[ft.Control]) -> ft.Control:
    return ft.Row(list(items), wrap=True, spacing=8, run_spacing=8)


def _choices(session: Session, asked: Asked, on_answer: Callable[[Value], None]) -> ft.Control:
    question, several = asked.question, asked.question.kind == "seats"
    seats = question.kind in ("seat", "seats")

    def words(choice: Choice) -> str:
        if not seats:
            return session.rule(choice.text)
        if choice.value is None:
            return session.t("won.nobody")
        name = session.name(cast(int, choice.value))
        chosen = cast("tuple[int, ...]", asked.value or ()) if several else ()
        # the order in which seats were picked is part of the answer (who revealed first)
        return f"{name} {chosen.index(choice.value) + 1}" if choice.value in chosen and len(chosen) > 1 else name

    def pick(choice: Choice) -> None:
        if not several:
            again = choice.value == asked.value and not question.required
            return on_answer(None if again else choice.value)
        chosen = cast("tuple[int, ...]", asked.value or ())
        kept = tuple(seat for seat in chosen if seat != choice.value)
        on_answer(kept if choice.value in chosen else (*chosen, choice.value))

    def picked(choice: Choice) -> bool:
        if several:
            return choice.value in cast("tuple[int, ...]", asked.value or ())
        return choice.value == asked.value

    return chips(
        [
            chip(
                f"a-{question.id}-{choice.value}",
                words(choice),
                picked(choice),
                lambda c=choice: pick(c),
                session.names_font if seats else None,
            )
            for choice in asked.choices
        ]
    )


def _number(session: Session, asked: Asked, on_answer: Callable[[Value], None]) -> ft.Control:
    question = asked.question
    value = cast(int, asked.value if asked.value is not None else question.low)

    def step(by: int) -> None:
        on_answer(max(question.low, min(question.high, value + by)))

    words = session.rule(question.text)
    least, most = value <= question.low, value >= question.high
    return stepper(session, question.id, words, str(value), step, least=least, most=most)


def _tiles(session: Session, asked: Asked, on_answer: Callable[[Value], None]) -> ft.Control:
    question = asked.question
    chosen = cast("tuple[str, ...]", asked.value or ())

    def pick(tile: str) -> None:
        if tile in chosen:
            return on_answer(tuple(t for t in chosen if t != tile))
        room = chosen[1:] if question.high and len(chosen) >= question.high else chosen
        on_answer((*room, tile))

    width = min(44, int((min(session.width, theme.PAGE) - 2 * theme.GAP - 8 * 4) / 9))
    return ft.Row(
        [
            TileFace(
                choice.value,
                session.language,
                width=width,
                identifier=f"a-{question.id}-{choice.value}",
                on_click=lambda t=choice.value: pick(t),
                lit=choice.value in chosen,
            )
            for choice in asked.choices
        ],
        wrap=True,
        spacing=4,
        run_spacing=4,
    )
