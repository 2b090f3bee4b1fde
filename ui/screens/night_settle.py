"""Settle up: who pays whom in the fewest transfers, what was paid already, and the night as a text, a page, a file.

A page to print is one HTML file with its own print style, which every browser turns into paper or PDF without anything
from the internet. A picture for the chat is taken of the app's own drawing, so that its fonts are there."""

from __future__ import annotations

import asyncio
from typing import Any

import flet as ft

from scoring.ledger.documents import write_chat, write_csv, write_night
from scoring.ledger.events import LedgerError, Paid
from scoring.ledger.night import NOBODY, Night, counted
from scoring.ledger.settling import Payment, rounded, settle_up
from scoring.ledger.summary import write_page
from ui import theme
from ui.components.answer import chip, chips
from ui.components.button import word_button
from ui.components.entry_row import EntryRow, whose
from ui.components.hook import named
from ui.components.payment_arrows import signed
from ui.components.player_mark import MarkOf, NameText
from ui.components.scroll import Scroll
from ui.components.sure import Sure
from ui.components.totals_chart import TotalsChart
from ui.components.trouble import Troubles
from ui.nights import Form, ledger, look, propose, take
from ui.screens.night import CheckLine
from ui.screens.nights import day, night_name
from ui.session import Session

STEPS = (1, 5, 10)


@ft.component
def NightSettle(session: Session, night: Night, go: Any, publish: Any) -> ft.Control:
    """The end of the night, or the state of it at any time."""
    step, set_step = ft.use_state(1)
    copied, set_copied = ft.use_state(False)
    pictured, set_pictured = ft.use_state(False)
    clipboard = ft.use_memo(lambda: ft.Clipboard(), [])
    picker = ft.use_memo(lambda: ft.FilePicker(), [])
    camera: Any = ft.use_ref()
    deleting, set_deleting = ft.use_state(False)
    payments = settle_up(rounded(night.balances, step))
    width = min(session.width, theme.PAGE) - 2 * theme.GAP

    def paying(payment: Payment) -> Any:
        async def pay(e: Any) -> None:
            if await propose(session, Paid(payment.payer, payment.receiver, payment.amount)):
                await go("/night/confirm")

        return pay

    def paying_part(payment: Payment) -> Any:
        async def pay(e: Any) -> None:
            session.troubles = ()
            session.form = Form("pay", "", payment.payer, payment.receiver, payment.amount)
            await go("/night/record")

        return pay

    def looking(event: str) -> Any:
        async def open_entry(e: Any) -> None:
            session.entry, session.troubles = event, ()
            await go("/night/entry")

        return open_entry

    async def copy(e: Any) -> None:
        await clipboard.set(chat(session, night, payments))
        set_copied(True)

    def saving(ending: str) -> Any:
        async def save(e: Any) -> None:
            data = await asyncio.to_thread(written, session, night, payments, ending)
            await picker.save_file(file_name=f"{file_name(night)}.{ending}", src_bytes=data)

        return save

    async def picture(e: Any) -> None:
        set_pictured(True)
        await asyncio.sleep(0.4)  # until the summary is drawn
        data = await camera.current.capture()  # at the screen's own scale: a larger one is cut to the screen
        data = await asyncio.to_thread(trimmed, data)
        await picker.save_file(file_name=f"{file_name(night)}.png", src_bytes=data)
        set_pictured(False)

    async def delete(e: Any) -> None:
        set_deleting(False)
        try:
            await asyncio.to_thread(ledger().delete, night.opening.id)
        except LedgerError as wrong:
            session.troubles = (session.rule(wrong.text),)
            return
        publish(night.opening.id)
        take(session, None)
        await look(session)
        await go("/nights")

    ft.use_dialog(
        Sure(
            session,
            "delete",
            session.t("settle.delete"),
            session.t("settle.delete_what", name=night_name(session, night.opening), n=counted(night.events)),
            lambda e: set_deleting(False),
            delete,
        )
        if deleting
        else None
    )

    if pictured:
        shot = ft.Screenshot(Summary(session, night, payments, min(width, 420)))
        camera.current = shot
        return Scroll([shot], spacing=10, align=ft.CrossAxisAlignment.START)

    paid = [entry for entry in night.entries if isinstance(entry.deed, Paid) and not entry.undone]
    return Scroll(
        [
            *([Troubles(session)] if session.troubles else []),
            Standing(session, night),
            ft.Text(session.t("settle.transfers"), size=20, weight=ft.FontWeight.W_600),
            *(
                [named("settled", ft.Text(session.t("settle.nothing"), size=17))]
                if not payments
                else [
                    _payment(session, night, payment, paying(payment), paying_part(payment), number)
                    for number, payment in enumerate(payments)
                ]
            ),
            ft.Row(
                [
                    ft.Text(session.t("settle.step"), size=15),
                    chips([chip(f"step-{n}", str(n), n == step, lambda n=n: set_step(n)) for n in STEPS]),
                ],
                wrap=True,
            ),
            *([ft.Text(session.t("settle.paid"), size=18, weight=ft.FontWeight.W_600)] if paid else []),
            *[EntryRow(session, entry, looking(entry.event.id)) for entry in paid],
            ft.Divider(height=8),
            ft.Row(
                [
                    word_button(
                        session,
                        "copy-chat",
                        session.t("result.copied" if copied else "settle.copy"),
                        ft.Icons.CHECK if copied else ft.Icons.CONTENT_COPY,
                        copy,
                        kind=ft.FilledButton,
                    ),
                    word_button(session, "save-picture", session.t("settle.picture"), ft.Icons.IMAGE, picture),
                    word_button(session, "save-html", session.t("settle.print"), ft.Icons.PRINT, saving("html")),
                    word_button(session, "save-csv", session.t("settle.csv"), ft.Icons.DOWNLOAD, saving("csv")),
                    word_button(session, "save-json", session.t("settle.json"), ft.Icons.DOWNLOAD, saving("json")),
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
            ),
            word_button(
                session,
                "delete-night",
                session.t("settle.delete"),
                ft.Icons.DELETE_OUTLINE,
                lambda e: set_deleting(True),
                kind=ft.TextButton,
            ),
        ]
    )


def chat(session: Session, night: Night, payments: tuple[Payment, ...]) -> str:
    """The settlement to paste into a chat, in the language of this tab."""
    return write_chat(night, payments, session.language, session.t("seat.bank"))


def written(session: Session, night: Night, payments: tuple[Payment, ...], ending: str) -> bytes:
    """The night as a file: html to print, csv for a spreadsheet, json for another ledger."""
    match ending:
        case "html":
            text = write_page(night, payments, session.language)
        case "csv":
            text = write_csv(night, session.language)
        case _:
            text = write_night(night.opening, night.events)
    return text.encode()


def file_name(night: Night) -> str:
    """What the files of this night are called; whatever its name, every system can write this."""
    return f"hupai-{night.opening.at[:10]}-{night.opening.id[:6]}"


def trimmed(png: bytes) -> bytes:
    """A picture without the empty margin that a capture of part of the screen has on the web."""
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4 or not pixels[..., 3].any():
        return png
    x, y, width, height = cv2.boundingRect((pixels[..., 3] > 0).astype(np.uint8))
    return cv2.imencode(".png", pixels[y : y + height, x : x + width])[1].tobytes()


def Standing(session: Session, night: Night) -> ft.Control:
    """Everybody by rank, with what is won or lost."""
    ranked = sorted(night.players, key=lambda name: (-night.totals[name], name))
    rows: list[ft.Control] = [
        ft.Row(
            [
                ft.Text(str(place), size=16, width=20, color=ft.Colors.ON_SURFACE_VARIANT),
                MarkOf(night, name, 30),
                ft.Container(NameText(name, size=18), expand=True),
                ft.Text(
                    signed(night.totals[name] - night.opening.start),
                    size=22,
                    weight=ft.FontWeight.W_700,
                ),
                *([NameText(night.opening.unit, size=14)] if night.opening.unit else []),
            ]
        )
        for place, name in enumerate(ranked, 1)
    ]
    return named(
        "standing",
        ft.Container(
            ft.Column([*rows, CheckLine(session, night)], tight=True, spacing=4),
            bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
            border_radius=14,
            padding=12,
        ),
        container=True,
    )


def _payment(session: Session, night: Night, payment: Payment, pay: Any, pay_part: Any, number: int) -> ft.Control:
    """One transfer, to be ticked off as paid in full or in part. What goes to the pot is nobody's to tick."""
    ticks: list[ft.Control] = []
    if NOBODY not in payment[:2]:
        ticks = [
            word_button(
                session, f"paid-{number}", session.t("settle.mark"), ft.Icons.CHECK, pay, kind=ft.FilledTonalButton
            ),
            word_button(session, f"part-{number}", session.t("settle.part"), on_click=pay_part, kind=ft.TextButton),
        ]
    return named(
        f"owed-{number}",
        ft.Container(
            ft.Column([_Arrow(session, night, payment), ft.Row(ticks, wrap=True, spacing=8)], tight=True, spacing=6),
            border=ft.Border.all(1, ft.Colors.OUTLINE_VARIANT),
            border_radius=12,
            padding=10,
        ),
        container=True,
    )


def _Arrow(session: Session, night: Night, payment: Payment) -> ft.Control:
    payer, receiver, amount = payment
    return ft.Row(
        [
            ft.Row(
                [
                    MarkOf(night, payer, 28),
                    NameText(whose(session, payer), size=17, expand=True, expand_loose=True),
                    ft.Icon(ft.Icons.ARROW_RIGHT_ALT, color=ft.Colors.PRIMARY),
                    MarkOf(night, receiver, 28),
                    NameText(whose(session, receiver), size=17, expand=True, expand_loose=True),
                ],
                spacing=6,
                expand=True,
            ),
            NameText(f"{amount}{' ' + night.opening.unit if night.opening.unit else ''}", size=20),
        ],
        spacing=6,
    )


def Summary(session: Session, night: Night, payments: tuple[Payment, ...], width: float) -> ft.Control:
    """The night on one picture, on paper of its own colour. A picture is no larger than the screen: the chart gives way
    where many players and payments need the height."""
    counted = [entry for entry in night.entries if not entry.undone and entry.problem is None]
    start = dict.fromkeys(night.opening.players, night.opening.start)
    return ft.Container(
        ft.Column(
            [
                NameText(night_name(session, night.opening), size=22, weight=ft.FontWeight.W_700),
                ft.Text(
                    f"{day(night.opening.at)} · " + session.t("settle.hands", n=night.hands),
                    size=14,
                    color=ft.Colors.ON_SURFACE_VARIANT,
                ),
                Standing(session, night),
                TotalsChart(
                    {name: night.colour(name) for name in night.players},
                    [start, *(entry.totals for entry in counted)],
                    width - 32,
                    max(80, min(180, session.height - 150 - 38 * len(night.players) - 36 * len(payments))),
                    session.t("figures.chart"),
                ),
                *[_Arrow(session, night, payment) for payment in payments],
            ],
            tight=True,
            spacing=10,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        ),
        width=width,
        padding=16,
        bgcolor=ft.Colors.SURFACE,
    )
