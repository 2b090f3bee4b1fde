"""Result: the number, why it is that number, and who pays whom, so that the table agrees."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from datetime import datetime
from typing import Any

import flet as ft

from scoring import Refusal, Score
from ui import theme
from ui.components.button import main_button, word_button
from ui.components.hook import named
from ui.components.option_field import value_words
from ui.components.payment_arrows import NetPayments, PaymentArrows, signed
from ui.components.player_mark import TIGHT
from ui.components.receipt import Receipt
from ui.components.scroll import Scroll
from ui.components.tile_face import TileFace
from ui.components.tile_row import TileRow, tile_width
from ui.components.trouble import Troubles
from ui.nights import propose_hand
from ui.session import Session
from ui.table import Near, hand_of, one_away, result_of


@ft.component
def Result(session: Session, go: Any) -> ft.Control:
    """The fourth screen."""
    lit, set_lit = ft.use_state(None)
    second, set_second = ft.use_state(False)
    clipboard = ft.use_memo(lambda: ft.Clipboard(), [])
    files = ft.use_memo(lambda: ft.FilePicker(), [])
    copied, set_copied = ft.use_state(False)
    page = ft.context.page
    width = min(session.width, theme.PAGE) - 2 * theme.GAP
    asked = (session.house, hand_of(session.draft), session.said, session.winner)
    best = ft.use_memo(lambda: result_of(*asked), [asked])
    near = ft.use_memo(lambda: one_away(*asked), [asked])

    async def again(e: Any) -> None:
        session.clear()
        await go("/")

    async def record(e: Any) -> None:
        if isinstance(best, Score) and await propose_hand(session, best.win):
            await go("/night/confirm")
        elif session.target is None:
            await go("/nights")

    async def share(e: Any) -> None:
        if isinstance(best, Score):
            await clipboard.set(receipt_text(session, best))
            set_copied(True)

    async def share_picture(e: Any) -> None:
        """The receipt as one picture. A browser saves it, a phone's own app hands it on."""
        from ui.picture import receipt_picture  # OpenCV is loaded when it is wanted

        if not isinstance(best, Score):
            return
        now = f"{datetime.now():%Y-%m-%d %H:%M}"
        facts = (session, best, _figures(session, best), _rules_words(session), now)
        drawn, name = await asyncio.to_thread(receipt_picture, *facts), f"hupai-{re.sub('[ :]', '-', now)}.png"
        if page.web:
            await files.save_file(file_name=name, src_bytes=drawn)
        else:
            await ft.Share().share_files([ft.ShareFile(data=drawn, mime_type="image/png", name=name)])

    if isinstance(best, Refusal):
        body: list[ft.Control] = _refusal(session, best)
    else:
        score = best.second if second and best.second is not None else best
        tiles = Counter(score.lines[lit].tiles) if lit is not None and lit < len(score.lines) else Counter[str]()
        body = [
            _headline(session, score),
            NetPayments(session, score.settlement),
            TileRow(_lit_faces(session, tiles, min(42, tile_width(width, 14)))),
            Receipt(session, score, lit, lambda i: set_lit(None if i == lit else i)),
            ft.Text(session.t("result.payments"), size=20, weight=ft.FontWeight.W_600),
            PaymentArrows(session, score.settlement),
            _share(session, copied, share, share_picture),
            *[
                ft.Row([ft.Icon(ft.Icons.LIGHTBULB_OUTLINE, size=20), ft.Text(session.rule(note.text), expand=True)])
                for note in score.notes
            ],
        ]
        if best.second is not None:
            body.append(
                word_button(
                    session,
                    "second",
                    session.t("result.best" if second else "result.second", n=_figures(session, best.second)),
                    ft.Icons.SWAP_HORIZ,
                    lambda e: (set_second(not second), set_lit(None)),
                )
            )
        body += [*(_near(session, one) for one in near), _rules_line(session)]
    actions: list[ft.Control] = [main_button(session, "new-hand", session.t("result.new"), ft.Icons.ADD_A_PHOTO, again)]
    if isinstance(best, Score):
        actions.insert(0, _record_button(session, record))
    if session.troubles:
        body.append(Troubles(session))
    return Scroll(
        body,
        [ft.Row(actions, alignment=ft.MainAxisAlignment.CENTER, wrap=True, spacing=8)],
        spacing=16,
        align=ft.CrossAxisAlignment.START,
    )


def _share(session: Session, copied: bool, share: Any, share_picture: Any) -> ft.Control:
    """The result for those who are not at the table: as a picture, or as text."""
    return ft.Row(
        [
            word_button(session, "share-picture", session.t("result.picture"), ft.Icons.IMAGE_OUTLINED, share_picture),
            word_button(
                session,
                "share",
                session.t("result.copied" if copied else "result.share"),
                ft.Icons.CHECK if copied else ft.Icons.CONTENT_COPY,
                share,
            ),
        ],
        wrap=True,
        spacing=8,
    )


def _record_button(session: Session, record: Any) -> ft.Control:
    """Into the night's score: the next hand, or the earlier one that lies open again."""
    target = session.target
    if target is None:
        return word_button(session, "record", session.t("result.to_night"), ft.Icons.SCOREBOARD, record, height=56)
    words = session.t("result.record_correct", n=target.hand) if target.corrects else session.t("result.record")
    return main_button(session, "record", words, ft.Icons.SCOREBOARD, record)


def _headline(session: Session, score: Score) -> ft.Control:
    return named(
        "total",
        ft.Container(
            ft.Column(
                [
                    ft.Text(
                        session.t("result.wins", name=session.name(score.win.winner)),
                        size=17,
                        font_family=session.names_font,
                    ),
                    ft.Text(signed(score.payments[score.win.winner]), size=56, weight=ft.FontWeight.W_700, style=TIGHT),
                    ft.Text(_figures(session, score), size=20, weight=ft.FontWeight.W_500),
                ],
                spacing=0,
                tight=True,
                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            ),
            bgcolor=ft.Colors.PRIMARY_CONTAINER,
            border_radius=18,
            padding=14,
            alignment=ft.Alignment.CENTER,
        ),
        container=True,
    )


def _figures(session: Session, score: Score) -> str:
    """The figures of a score in words: ×8, 4 fan and 2 flowers, …; a figure without words is named by its key."""

    def one(key: str, value: int | list[int]) -> str:
        number = " / ".join(map(str, value)) if isinstance(value, list) else str(value)
        return session.t(f"figure.{key}", n=number) if key in FIGURES else f"{key} {number}"

    return " · ".join(one(key, value) for key, value in score.figures.items())


FIGURES = ("multiplier", "fan", "flowers", "tai", "contract_points")


def _lit_faces(session: Session, tiles: Counter[str], width: float) -> list[ft.Control]:
    left, faces = tiles.copy(), []
    for piece in sorted(session.draft.pieces, key=lambda p: p.id == session.draft.winning):
        lit = left[piece.tile] > 0
        left[piece.tile] -= lit
        faces.append(
            TileFace(
                piece.tile,
                session.language,
                width=width,
                lit=lit,
                winning=session.t("check.win_badge") if piece.id == session.draft.winning else "",
            )
        )
    return faces


def _refusal(session: Session, refusal: Refusal) -> list[ft.Control]:
    return [
        named(
            "refused",
            ft.Container(
                ft.Column(
                    [
                        ft.Text(session.t("result.refused"), size=20, weight=ft.FontWeight.W_600),
                        *[ft.Text(session.rule(problem.text), size=17) for problem in refusal.problems],
                    ],
                    tight=True,
                ),
                bgcolor=ft.Colors.ERROR_CONTAINER,
                border_radius=14,
                padding=16,
            ),
            container=True,
        ),
        *[
            ft.Row([ft.Icon(ft.Icons.LIGHTBULB_OUTLINE), ft.Text(session.rule(hint.text), size=16, expand=True)])
            for hint in refusal.hints
        ],
        _rules_line(session),
    ]


def _near(session: Session, near: Near) -> ft.Control:
    """One exchange of a tile, and what it would have made of the hand."""
    score = near.score
    names = session.join(session.rule(line.name) for line in score.lines)
    words = session.t("result.near", names=names, n=signed(score.payments[score.win.winner]))
    return named(
        f"near-{near.gone}-{near.come}",
        ft.Row(
            [
                ft.Text(session.t("result.one_away"), size=15),
                TileFace(near.gone, session.language, width=28),
                ft.Icon(ft.Icons.ARROW_RIGHT_ALT, size=20),
                TileFace(near.come, session.language, width=28),
                ft.Text(words, size=15, expand=True),
            ],
            spacing=6,
        ),
    )


def _rules_words(session: Session) -> list[str]:
    """The preset and what the house changed, as they are printed beside every score."""
    options = {option.name: option for option in session.house.rules.ruleset.options}
    changes = [
        f"{session.rule(options[name].text)}: {value_words(session, options[name], value)}"
        for name, value in session.house.changes
        if name in options
    ]
    title = session.t("result.rules", title=session.house_title)
    return [title, *([session.t("result.changes")] if changes else []), *changes]


def _rules_line(session: Session) -> ft.Control:
    words = "\n".join(_rules_words(session))
    return named(
        "rules-line", ft.Text(words, size=13, color=ft.Colors.ON_SURFACE_VARIANT, font_family=session.house_font)
    )


def receipt_text(session: Session, score: Score) -> str:
    """The whole result as text to be shared."""
    lines = [
        f"{session.t('result.wins', name=session.name(score.win.winner))} {_figures(session, score)}",
        score.win.hand.show(),
        *[
            f"· {session.rule(line.name)} {session.rule(line.shown)}: {session.rule(line.reason)}"
            for line in score.lines
        ],
        *[session.rule(step.text) for step in score.steps],
        *[f"{session.name(seat)} {signed(amount)}" for seat, amount in enumerate(score.payments)],
        *_rules_words(session),
    ]
    return "\n".join(lines)
