"""Who pays whom: an arrow from payer to receiver with the amount on it, and what each player has at the end.

Where text is large or a name long, what stands side by side stands below each other: a name is worth a line of its own.
"""

from __future__ import annotations

import flet as ft

from scoring import BANK, Settlement, Transfer
from ui.components.hook import named
from ui.components.player_mark import LONG, room
from ui.session import Session


def signed(amount: int) -> str:
    """An amount with its sign, as it is written everywhere: +10, −5, 0."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


def PaymentArrows(session: Session, settlement: Settlement) -> ft.Control:
    """Every transfer, with its reason."""
    arrow = _tall_arrow if session.large_text else _arrow
    return ft.Column(
        [
            named(
                f"transfer-{i}",
                ft.Column(
                    [
                        arrow(session, transfer),
                        ft.Text(
                            session.rule(transfer.reason),
                            size=13,
                            color=ft.Colors.ON_SURFACE_VARIANT,
                            font_family=session.names_font,
                        ),
                    ],
                    spacing=0,
                    tight=True,
                    horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                ),
            )
            for i, transfer in enumerate(settlement.transfers)
        ],
        spacing=8,
        tight=True,
    )


def NetPayments(session: Session, settlement: Settlement) -> ft.Control:
    """What each player has at the end; the sum is zero."""
    below = session.large_text or any(room(session.name(seat)) > LONG for seat in range(len(settlement.payments)))
    cells = [_net(session, seat, amount, below) for seat, amount in enumerate(settlement.payments)]
    return (
        ft.Column(list(cells), spacing=6, tight=True, horizontal_alignment=ft.CrossAxisAlignment.STRETCH)
        if below
        else ft.Row([ft.Container(cell, expand=True) for cell in cells], spacing=6)
    )


def _net(session: Session, seat: int, amount: int, below: bool) -> ft.Control:
    name = ft.Text(session.name(seat), size=15, font_family=session.names_font, expand=below or None)
    number = ft.Text(
        signed(amount),
        size=20 if session.large_text else 26,
        weight=ft.FontWeight.W_700,
        color=ft.Colors.PRIMARY if amount > 0 else ft.Colors.ERROR if amount < 0 else None,
    )
    return named(
        f"net-{seat}",
        ft.Container(
            ft.Row([name, number])
            if below
            else ft.Column([name, number], spacing=0, tight=True, horizontal_alignment=ft.CrossAxisAlignment.CENTER),
            bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
            border_radius=12,
            padding=8,
            alignment=ft.Alignment.CENTER,
        ),
    )


def _arrow(session: Session, transfer: Transfer) -> ft.Control:
    names = [_name(session, seat) for seat in (transfer.payer, transfer.receiver)]
    width = 104 if max(map(room, names)) <= LONG else 134
    return ft.Row(
        [
            _player(session, transfer.payer, width),
            ft.Column(
                [
                    ft.Text(str(transfer.amount), size=20, weight=ft.FontWeight.W_700),
                    ft.Icon(ft.Icons.ARROW_RIGHT_ALT, size=30, color=ft.Colors.PRIMARY),
                ],
                spacing=-10,
                tight=True,
                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                expand=True,
            ),
            _player(session, transfer.receiver, width),
        ],
        vertical_alignment=ft.CrossAxisAlignment.CENTER,
    )


def _tall_arrow(session: Session, transfer: Transfer) -> ft.Control:
    return ft.Column(
        [
            _player(session, transfer.payer),
            ft.Row(
                [
                    ft.Icon(ft.Icons.ARROW_DOWNWARD, size=30, color=ft.Colors.PRIMARY),
                    ft.Text(str(transfer.amount), size=20, weight=ft.FontWeight.W_700),
                ],
                alignment=ft.MainAxisAlignment.CENTER,
            ),
            _player(session, transfer.receiver),
        ],
        spacing=0,
        tight=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _name(session: Session, seat: int) -> str:
    return session.t("seat.bank") if seat == BANK else session.name(seat)


def _player(session: Session, seat: int, width: float | None = None) -> ft.Control:
    return ft.Container(
        ft.Text(
            _name(session, seat),
            size=17,
            font_family=session.names_font,
            weight=ft.FontWeight.W_600,
            text_align=ft.TextAlign.CENTER,
        ),
        width=width,
        padding=ft.Padding.symmetric(vertical=10, horizontal=6),
        alignment=ft.Alignment.CENTER,
        border=ft.Border.all(1, ft.Colors.OUTLINE),
        border_radius=12,
    )
