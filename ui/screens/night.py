"""The table of a night: who has what, who deals, what to record next, and how it went so far."""

from __future__ import annotations

from typing import Any

import flet as ft

from scoring.ledger.night import Night
from scoring.ledger.playing import fixed_rules
from scoring.rules import Kong
from ui import theme
from ui.components.button import word_button
from ui.components.entry_row import EntryRow
from ui.components.hook import named
from ui.components.open_hand import OpenHand
from ui.components.payment_arrows import signed
from ui.components.player_mark import MarkOf, NameText
from ui.components.scroll import Scroll
from ui.components.trouble import Troubles
from ui.nights import Form, aim, take, target_of
from ui.screens.nights import night_name
from ui.session import Session

RECENT = 6


@ft.component
def NightTable(session: Session, night: Night, go: Any) -> ft.Control:
    """The first page of an open night."""

    def typing(kind: str) -> Any:
        async def open_form(e: Any) -> None:
            session.troubles, session.notice = (), ""
            session.form = Form(kind)
            await go("/night/record")

        return open_form

    def to(route: str) -> Any:
        async def open_it(e: Any) -> None:
            session.troubles, session.notice = (), ""
            await go(route)

        return open_it

    def looking(event: str) -> Any:
        async def open_entry(e: Any) -> None:
            session.entry, session.troubles, session.notice = event, (), ""
            await go("/night/entry")

        return open_entry

    async def photograph(e: Any) -> None:
        next_hand(session, night)
        await go("/")

    async def resume(e: Any) -> None:
        if session.target is None:  # the page was loaded anew since
            aim(session, target_of(night))
        await go("/check")

    async def leave(e: Any) -> None:
        take(session, None)
        session.troubles, session.notice = (), ""
        await go("/nights")

    async def tiles(e: Any) -> None:
        next_hand(session, night)
        await go("/check")

    rules = fixed_rules(night.rules)
    pays_kongs = any(s.transfers for s in rules.settle_kongs([Kong(0, "kong_concealed")]))
    kinds = [
        *([("kong", ft.Icons.LAYERS)] if pays_kongs else []),
        ("draw", ft.Icons.WAVES),
        *([("escape", ft.Icons.DIRECTIONS_RUN)] if hasattr(rules.ruleset, "settle_escape") else []),
        ("adjust", ft.Icons.TUNE),
    ]
    standing = [entry for entry in night.entries if not entry.undone]
    recent = standing[-RECENT:][::-1]
    return Scroll(
        [
            *([Troubles(session)] if session.troubles else []),
            *([_notice(session.notice)] if session.notice else []),
            ft.Row(
                [
                    ft.Column(
                        [
                            NameText(
                                night_name(session, night.opening),
                                size=18,
                                weight=ft.FontWeight.W_600,
                            ),
                            ft.Text(session.rule(rules.title), size=14, color=ft.Colors.ON_SURFACE_VARIANT),
                        ],
                        spacing=0,
                        tight=True,
                        expand=True,
                    ),
                    named(
                        "next-hand",
                        ft.Text(session.t("night.next_hand", n=night.hands + 1), size=18, weight=ft.FontWeight.W_600),
                    ),
                ]
            ),
            Totals(session, night),
            *OpenHand(session, "night.resume", resume),
            word_button(
                session,
                "photograph",
                session.t("night.photograph"),
                ft.Icons.PHOTO_CAMERA,
                photograph,
                kind=ft.FilledButton,
                height=60,
                size=18,
            ),
            ft.Row(
                [
                    word_button(session, "tiles", session.t("night.tiles"), ft.Icons.KEYBOARD, tiles),
                    *[
                        word_button(session, f"form-{kind}", session.t(f"form.{kind}"), icon, typing(kind))
                        for kind, icon in kinds
                    ],
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
            ),
            ft.Divider(height=8),
            *[EntryRow(session, entry, looking(entry.event.id)) for entry in recent],
            *(
                [
                    word_button(
                        session,
                        "whole-log",
                        session.t("night.log", n=len(standing)),
                        ft.Icons.HISTORY,
                        to("/night/log"),
                        kind=ft.TextButton,
                    )
                ]
                if len(night.entries) > len(recent)
                else []
            ),
            *([ft.Text(session.t("night.empty"), size=15)] if not recent else []),
            ft.Divider(height=8),
            ft.Row(
                [
                    word_button(session, "form-seats", session.t("form.seats"), ft.Icons.EVENT_SEAT, typing("seats")),
                    word_button(session, "form-rules", session.t("form.rules"), ft.Icons.MENU_BOOK, typing("rules")),
                    word_button(session, "leave-night", session.t("night.leave"), ft.Icons.LOGOUT, leave),
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
            ),
        ],
        [
            ft.Row(
                [
                    _foot(session, "figures", session.t("night.figures"), ft.Icons.SHOW_CHART, to("/night/figures")),
                    _foot(session, "settle", session.t("night.settle"), ft.Icons.PAYMENTS, to("/night/settle")),
                ],
                spacing=8,
            )
        ],
    )


def next_hand(session: Session, night: Night) -> None:
    """A fresh hand for the next hand of the night, without what an abandoned one left behind."""
    session.target = None
    aim(session, target_of(night))
    session.clear()


def Totals(session: Session, night: Night) -> ft.Control:
    """Everybody's total with the dealer's mark, and the line that lets the table check the sum."""
    rows: list[ft.Control] = []
    for name in (*night.seats, *(n for n in night.players if n not in night.seats)):
        total = night.totals[name]
        notes: list[ft.Control] = []
        if name == night.dealer:
            notes.append(_badge(session.t("night.dealer"), ft.Colors.TERTIARY, ft.Colors.ON_TERTIARY))
        if name not in night.seats:
            notes.append(_badge(session.t("night.out"), ft.Colors.SURFACE_CONTAINER_HIGHEST, ft.Colors.ON_SURFACE))
        won = total - night.opening.start
        rows.append(
            named(
                f"total-{name}",
                ft.Container(
                    ft.Row(
                        [
                            MarkOf(night, name),
                            _beside(session, NameText(name, size=18), notes),
                            ft.Text(
                                str(total).replace("-", "−") if night.opening.start else signed(total),
                                size=20 if session.large_text else 28,
                                weight=ft.FontWeight.W_700,
                                color=ft.Colors.PRIMARY if won > 0 else ft.Colors.ERROR if won < 0 else None,
                            ),
                            *([NameText(night.opening.unit, size=14)] if night.opening.unit else []),
                        ],
                        spacing=10,
                    ),
                    padding=ft.Padding.symmetric(horizontal=10, vertical=4),
                ),
                container=True,
            )
        )
    return ft.Container(
        ft.Column([*rows, CheckLine(session, night)], spacing=0, tight=True),
        bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
        border_radius=14,
        padding=8,
    )


def _beside(session: Session, name: ft.Text, notes: list[ft.Control]) -> ft.Control:
    """A name with its badges: beside it, or below where text is large."""
    if session.large_text:
        return ft.Column([name, ft.Row(notes)] if notes else [name], spacing=0, tight=True, expand=True)
    name.expand, name.expand_loose = True, True
    return ft.Row([name, *notes], spacing=8, expand=True)


def CheckLine(session: Session, night: Night) -> ft.Control:
    """That the totals and the start points sum to the same, but for what went to nobody."""
    key = "night.check" if night.check == 0 else "night.check_off"
    words = session.t(key, n=night.check)
    if night.nobody:
        words += " · " + session.t("night.nobody", n=night.nobody)
    return named(
        "check-line",
        ft.Row(
            [
                ft.Icon(
                    ft.Icons.CHECK if night.check == 0 else ft.Icons.ERROR_OUTLINE,
                    size=18,
                    color=ft.Colors.ON_SURFACE_VARIANT,
                ),
                ft.Text(words, size=13, color=ft.Colors.ON_SURFACE_VARIANT, expand=True),
            ],
            spacing=6,
        ),
    )


def _badge(words: str, back: ft.ColorValue, ink: ft.ColorValue) -> ft.Control:
    return ft.Container(
        ft.Text(words, size=13, color=ink),
        bgcolor=back,
        border_radius=6,
        padding=ft.Padding.symmetric(horizontal=6, vertical=1),
    )


def _foot(session: Session, identifier: str, words: str, icon: ft.IconData, on_click: Any) -> ft.Control:
    return ft.Container(word_button(session, identifier, words, icon, on_click, kind=ft.FilledTonalButton), expand=True)


def _notice(words: str) -> ft.Control:
    return named(
        "notice",
        ft.Container(
            ft.Text(words, size=15, font_family=theme.NAMES_FONT, color=ft.Colors.ON_SECONDARY_CONTAINER),
            bgcolor=ft.Colors.SECONDARY_CONTAINER,
            border_radius=10,
            padding=10,
        ),
        live_region=True,
    )
