"""Who pays whom: an arrow from payer to receiver with the amount on it, and what each player has at the end."""

from __future__ import annotations

import flet as ft

from scoring import BANK, Settlement
from ui.components.hook import named
from ui.session import Session


def signed(amount: int) -> str:
    """An amount with its sign, as it is written everywhere: +10, −5, 0."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


def PaymentArrows(session: Session, settlement: Settlement) -> ft.Control:
    """Every transfer, and the net payments; the sum of these is zero."""
    return ft.Column(
        [
            *[
                named(
                    f"transfer-{i}",
                    ft.Column(
                        [
                            ft.Row(
                                [
                                    _player(session, t.payer),
                                    ft.Column(
                                        [
                                            ft.Text(str(t.amount), size=20, weight=ft.FontWeight.W_700),
                                            ft.Icon(ft.Icons.ARROW_RIGHT_ALT, size=30, color=ft.Colors.PRIMARY),
                                        ],
                                        spacing=-10,
                                        tight=True,
                                        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                                        expand=True,
                                    ),
                                    _player(session, t.receiver),
                                ],
                                vertical_alignment=ft.CrossAxisAlignment.CENTER,
                            ),
                            ft.Text(
                                session.rule(t.reason),
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
                for i, t in enumerate(settlement.transfers)
            ],
            ft.Divider(height=8),
            ft.Row(
                [
                    named(
                        f"net-{seat}",
                        ft.Container(
                            ft.Column(
                                [
                                    ft.Text(
                                        session.name(seat),
                                        size=15,
                                        font_family=session.names_font,
                                        no_wrap=True,
                                        overflow=ft.TextOverflow.ELLIPSIS,
                                    ),
                                    ft.Text(
                                        signed(amount),
                                        size=26,
                                        weight=ft.FontWeight.W_700,
                                        color=ft.Colors.PRIMARY
                                        if amount > 0
                                        else ft.Colors.ERROR
                                        if amount < 0
                                        else None,
                                    ),
                                ],
                                spacing=0,
                                tight=True,
                                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                            ),
                            bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
                            border_radius=12,
                            padding=8,
                            alignment=ft.Alignment.CENTER,
                        ),
                        expand=True,
                    )
                    for seat, amount in enumerate(settlement.payments)
                ],
                spacing=6,
            ),
        ],
        spacing=8,
        tight=True,
    )


def _player(session: Session, seat: int) -> ft.Control:
    return ft.Container(
        ft.Text(
            session.t("seat.bank") if seat == BANK else session.name(seat),
            size=17,
            font_family=session.names_font,
            weight=ft.FontWeight.W_600,
            no_wrap=True,
            overflow=ft.TextOverflow.ELLIPSIS,
            text_align=ft.TextAlign.CENTER,
        ),
        width=104,
        padding=ft.Padding.symmetric(vertical=10, horizontal=6),
        alignment=ft.Alignment.CENTER,
        border=ft.Border.all(1, ft.Colors.OUTLINE),
        border_radius=12,
    )
