"""How it went: the totals as lines, and every player's figures, over one night, a month, or all nights."""

from __future__ import annotations

import asyncio
from typing import Any

import flet as ft

from scoring import rulesets
from scoring.ledger.events import LedgerError
from scoring.ledger.night import Night
from scoring.ledger.statistics import Record, records
from scoring.ledger.store import now
from ui import theme
from ui.components.answer import chip, chips
from ui.components.hook import named
from ui.components.payment_arrows import signed
from ui.components.player_mark import NameText, PlayerMark
from ui.components.scroll import Scroll
from ui.components.totals_chart import TotalsChart
from ui.components.trouble import Trouble
from ui.nights import ledger
from ui.session import Session


def counted(span: str, night: Night | None) -> dict[str, Record]:
    """The figures of every player over one night, the nights of this month, or all. Raises `LedgerError`."""
    if span == "night":
        assert night is not None
        return records([night])
    store = ledger()
    since = now()[:7] if span == "month" else ""
    return records(store.night(opening.id) for opening, _ in store.nights() if opening.at >= since)


@ft.component
def Figures(session: Session, night: Night | None) -> ft.Control:
    """Chart and figures; outside a night only the figures of many."""
    choices = ("night", "month", "all") if night else ("month", "all")
    span, set_span = ft.use_state(choices[0])
    found, set_found = ft.use_state(None)
    wrong, set_wrong = ft.use_state("")

    async def count() -> None:
        try:
            set_found(await asyncio.to_thread(counted, span, night))
            set_wrong("")
        except LedgerError as refused:
            set_wrong(session.rule(refused.text))

    ft.use_effect(count, [span, len(night.events) if night else 0])
    width = min(session.width, theme.PAGE) - 2 * theme.GAP
    body: list[ft.Control] = []
    if night is not None:
        start = dict.fromkeys(night.opening.players, night.opening.start)
        moments = [start, *(e.totals for e in night.entries if not e.undone and e.problem is None)]
        colours = {name: night.colour(name) for name in night.players}
        last = ", ".join(f"{name} {total}" for name, total in night.totals.items())
        body.append(TotalsChart(colours, moments, width, 230, session.t("figures.chart") + ": " + last))
    body.append(
        chips(
            [
                chip(f"span-{key}", session.t(f"figures.{key}"), key == span, lambda key=key: set_span(key))
                for key in choices
            ]
        )
    )
    if wrong:
        body.append(Trouble([wrong]))
    ranked = sorted((found or {}).values(), key=lambda record: (-record.points, record.player))
    names = {element.id: element.name for system in rulesets() for element in system.elements}
    body += [_card(session, record, night, names) for record in ranked]
    return Scroll(body)


def _card(session: Session, record: Record, night: Night | None, names: dict[str, Any]) -> ft.Control:
    colour = night.colour(record.player) if night and record.player in night.players else "#7c7f86"
    favourites = [session.rule(names[key]) if key in names else key for key in record.favourites()]
    figures = [
        ("hands", str(record.hands)),
        ("wins", str(record.wins)),
        ("self_draws", str(record.self_draws)),
        ("by_discard", str(record.wins_by_discard)),
        ("dealt_in", str(record.dealt_in)),
        ("biggest", signed(record.biggest)),
        ("average", f"{record.average:+.1f}".replace("-", "−")),
        *([("adjusted", signed(record.adjusted))] if record.adjusted else []),
    ]
    return named(
        f"figures-{record.player}",
        ft.Container(
            ft.Column(
                [
                    ft.Row(
                        [
                            PlayerMark(record.player, colour, 30),
                            ft.Container(NameText(record.player, size=18, weight=ft.FontWeight.W_600), expand=True),
                            ft.Text(signed(record.points), size=22, weight=ft.FontWeight.W_700),
                        ]
                    ),
                    ft.Row(
                        [
                            ft.Column(
                                [
                                    ft.Text(value, size=17, weight=ft.FontWeight.W_600),
                                    ft.Text(session.t(f"figures.{key}"), size=12, color=ft.Colors.ON_SURFACE_VARIANT),
                                ],
                                spacing=0,
                                tight=True,
                                width=72 * max(100, session.text * 0.8) / 100,
                            )
                            for key, value in figures
                        ],
                        wrap=True,
                        spacing=8,
                        run_spacing=6,
                    ),
                    *(
                        [
                            ft.Text(
                                session.t(
                                    "figures.favourites",
                                    names=("、" if session.language != "en" else ", ").join(favourites),
                                ),
                                size=14,
                            )
                        ]
                        if favourites
                        else []
                    ),
                ],
                tight=True,
                spacing=8,
            ),
            bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
            border_radius=12,
            padding=12,
        ),
        container=True,
    )
