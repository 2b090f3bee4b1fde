"""How it was won: only what the picture cannot show and this ruleset leaves open, in the ruleset's own words."""

from __future__ import annotations

from typing import Any

import flet as ft

from scoring.hand import Answer as Value
from ui import theme
from ui.components.answer import Answer, chip, chips
from ui.components.button import main_button, word_button
from ui.components.scroll import Scroll
from ui.components.tile_face import TileFace
from ui.components.tile_row import TileRow, tile_width
from ui.nights import Form
from ui.session import Session
from ui.table import asked, hand_of


@ft.component
def Won(session: Session, go: Any) -> ft.Control:
    """The third screen."""
    hand = hand_of(session.draft)
    width = min(session.width, theme.PAGE) - 2 * theme.GAP
    said = session.said.saying("winner", session.winner)
    questions = [a for a in asked(session.house, hand, said) if a.question.id != "winner"]
    missing = any(a.missing for a in questions)

    def answer(question: str, value: Value) -> None:
        session.said = session.said.saying(question, value)

    def winner(seat: int) -> None:
        session.winner = seat
        session.said = session.said.saying("winner", seat)

    async def on(e: Any) -> None:
        await go("/result")

    async def rules(e: Any) -> None:
        if session.target is None:
            await go("/rules")
        else:  # the table plays one set of rules, and changes it where everybody sees it
            session.form = Form("rules")
            await go("/night/record")

    faces = [TileFace(p.tile, session.language, width=min(34, tile_width(width, 14))) for p in session.draft.pieces]
    return Scroll(
        [
            TileRow(faces),
            word_button(
                session,
                "house",
                session.house_title,
                ft.Icons.MENU_BOOK,
                rules,
                font_family=session.house_font,
                disabled=session.target is not None and bool(session.target.corrects),
            ),
            ft.Text(session.t("won.who"), size=17),
            chips(
                [
                    chip(
                        f"winner-{s}",
                        session.name(s),
                        s == session.winner,
                        lambda s=s: winner(s),
                        session.names_font,
                    )
                    for s in range(session.house.players)
                ]
            ),
            *[
                Answer(session, a, lambda value, q=a.question.id: answer(q, value))
                for a in sorted(questions, key=lambda a: a.implied)
            ],
        ],
        [
            main_button(
                session,
                "score",
                session.t("won.score"),
                ft.Icons.CALCULATE,
                on,
                size=18,
                width=min(width, 520),
                disabled=missing,
            )
        ],
        spacing=16,
        align=ft.CrossAxisAlignment.START,
        foot_align=ft.CrossAxisAlignment.CENTER if session.beside else ft.CrossAxisAlignment.STRETCH,
    )
