"""What is this tile? The photograph's own picture of it, the reader's guesses first, then every tile of the game."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from ui.components.button import word_button
from ui.components.keyboard import Keyboard
from ui.components.tile_face import TileFace
from ui.draft import BACK, Declarable, Piece, declarable, of_another_game
from ui.session import Session
from ui.texts.reader import reader_text


def TileSheet(
    session: Session,
    identity: int,
    width: float,
    *,
    on_tile: Callable[[str], None],
    on_right: Callable[[], None],
    on_winning: Callable[[], None],
    on_declare: Callable[[Declarable], None],
    on_aside: Callable[[], None],
    on_remove: Callable[[], None],
) -> ft.Control:
    """Everything one may do with one tile, `width` logical pixels wide."""
    draft = session.draft
    piece = draft.piece(identity)
    inside = any(p.id == identity for p in draft.concealed)
    aside = any(p.id == identity for p in draft.aside)
    top: list[ft.Control] = []
    if piece.seen is not None and piece.seen[0] < len(session.photographs):
        crops = session.photographs[piece.seen[0]].crops
        if piece.seen[1] < len(crops):
            top.append(
                ft.Column(
                    [
                        ft.Image(
                            src=crops[piece.seen[1]],
                            width=66,
                            height=88,
                            border_radius=6,
                            gapless_playback=True,
                            semantics_label=session.t("tile.crop"),
                        ),
                        ft.Text(session.t("tile.crop"), size=13),
                    ],
                    tight=True,
                    spacing=2,
                    horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                )
            )
    guesses = [(tile, p) for tile, p in piece.candidates if tile in session.house.tiles or tile == piece.tile]
    if piece.doubt and piece.tile not in dict(guesses):  # the reader's own, before another game was chosen
        guesses.insert(0, (piece.tile, 0.0))
    top += [
        TileFace(
            tile,
            session.language,
            width=54,
            identifier=f"guess-{tile}",
            on_click=lambda tile=tile: on_tile(tile),
            lit=tile == piece.tile,
            caption=_share(p) if p else "",
        )
        for tile, p in guesses[:4]
    ]
    doing: list[ft.Control] = []
    if piece.doubt and piece.tile in session.house.tiles:
        doing.append(_act(session, "right", session.t("tile.right"), ft.Icons.CHECK, on_right, filled=True))
    if inside:
        if draft.winning != identity:
            doing.append(_act(session, "winning", session.t("tile.winning"), ft.Icons.STAR, on_winning))
        doing += [
            _act(
                session,
                f"declare-{found.kind}-{found.tiles[0]}",
                session.t("tile.declare", kind=session.t(f"kind.{found.kind}"), tiles=session.say(found.tiles)),
                ft.Icons.TABLE_RESTAURANT,
                lambda found=found: on_declare(found),
            )
            for found in declarable(draft, identity, session.house.meld_kinds)
        ]
    if aside:
        doing.append(_act(session, "bring-back", session.t("tile.bring_back"), ft.Icons.ADD, on_aside))
    elif piece.seen is not None:
        doing.append(_act(session, "aside", session.t("tile.aside"), ft.Icons.VISIBILITY_OFF, on_aside))
    if piece.seen is None:
        doing.append(_act(session, "remove", session.t("tile.remove"), ft.Icons.DELETE_OUTLINE, on_remove))
    return ft.Column(
        [
            ft.Text(session.t("tile.title"), size=20, weight=ft.FontWeight.W_600),
            *([ft.Text(_why(session, piece), size=15)] if piece in draft.doubts else []),
            *([ft.Row(top, wrap=True, spacing=10, vertical_alignment=ft.CrossAxisAlignment.START)] if top else []),
            Keyboard(session.house.tiles, session.language, width, on_tile),
            ft.Row(doing, wrap=True, spacing=8, run_spacing=8),
        ],
        tight=True,
        spacing=12,
    )


def _share(probability: float) -> str:
    """A probability as people say it; never a certainty, in either direction."""
    return "<1%" if probability < 0.005 else f"{min(probability, 0.99):.0%}"


def _why(session: Session, piece: Piece) -> str:
    """Why a person should look at this tile."""
    if piece.seen is not None and piece.seen[0] < len(session.photographs):
        tile = session.photographs[piece.seen[0]].reading.tiles[piece.seen[1]]
        if of_another_game(tile)[1] in session.house.tiles:  # another game is played by now
            return session.t("doubt.unclear")
        if tile.doubt and tile.tile != BACK:
            return reader_text(session.language, tile.doubt)
        if tile.tile == BACK:
            return session.t("doubt.back" if piece.tile == BACK else "doubt.inferred")
    return session.t("doubt.unclear")


def _act(
    session: Session,
    identifier: str,
    words: str,
    icon: ft.IconData,
    on_click: Callable[[], None],
    *,
    filled: bool = False,
) -> ft.Control:
    kind = ft.FilledButton if filled else ft.OutlinedButton
    return word_button(session, identifier, words, icon, lambda e: on_click(), kind=kind)
