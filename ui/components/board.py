"""The tiles of a photograph to be named: the picture with its outlines, every tile beside its drawn face, and keys.

A tap picks a tile, a key names it, and the next doubtful one is picked by itself. A tap on the photograph where nothing
is outlined adds a tile that was passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import flet as ft

from scoring.tiles import TILES
from ui import theme
from ui.components.button import word_button
from ui.components.hook import named
from ui.components.keyboard import Keyboard
from ui.components.photo_view import Mark, PhotoView
from ui.components.tile_face import TileFace
from ui.labelling import Place, Sheet, confirm, reject, say
from ui.session import Photograph, Session
from vision.result import Corners, ReadHand, Reading, ReadTile

Crops = Mapping[Corners, bytes]
"""A JPEG of every place, by its corners."""
PAIR = 44
"""Width of a tile in the list, logical pixels."""


def BoardView(
    session: Session,
    sheet: Sheet,
    photograph: Photograph,
    width: float,
    height: float,
    on_pick: Callable[[int], None],
    on_empty: Callable[[float, float], None],
) -> ft.Control:
    """The photograph in `width` × `height` logical pixels, and how many tiles are still to be looked at."""
    tiles = tuple(ReadTile(p.tile, p.confidence, p.corners) for p in sheet.places)
    shown = Photograph(photograph.preview, Reading(sheet.width, sheet.height, tiles, ReadHand()))
    marks = {
        i: Mark(i, _words(session, place), doubt=place.open, aside=place.rejected, picked=i == sheet.at)
        for i, place in enumerate(sheet.places)
    }
    return ft.Column(
        [
            PhotoView(shown, marks, width, height, on_pick, session.t("board.photo", n=len(tiles)), on_empty),
            named("board-left", ft.Text(_left(session, sheet), size=16, weight=ft.FontWeight.W_500), live_region=True),
        ],
        spacing=theme.GAP,
        tight=True,
    )


def BoardTiles(session: Session, sheet: Sheet, crops: Crops, on_pick: Callable[[int], None]) -> ft.Control:
    """Every tile of the photograph, and below it the face it is taken for."""
    return ft.Row(
        [
            _pair(session, i, place, crops.get(place.corners), i == sheet.at, on_pick)
            for i, place in enumerate(sheet.places)
        ],
        wrap=True,
        spacing=6,
        run_spacing=6,
    )


def _words(session: Session, place: Place) -> str:
    if place.rejected:
        return session.t("board.rejected")
    return session.say((place.tile,)) + (" ?" if place.open else "")


def _left(session: Session, sheet: Sheet) -> str:
    if not sheet.places:
        return session.t("board.nothing")
    return session.t("board.doubts", n=len(sheet.open)) if sheet.open else session.t("board.clear")


def _pair(
    session: Session, i: int, place: Place, crop: bytes | None, picked: bool, on_pick: Callable[[int], None]
) -> ft.Control:
    """A tile of the photograph, and below it the face it is taken for."""
    face = TileFace(
        place.tile,
        session.language,
        width=PAIR,
        identifier=f"face-{i}",
        on_click=lambda: on_pick(i),
        doubt=place.open,
        lit=picked,
        faded=place.rejected,
    )
    picture = (
        ft.Image(
            src=crop,
            width=PAIR,
            height=PAIR * 4 / 3,
            border_radius=4,
            exclude_from_semantics=True,
            gapless_playback=True,
        )
        if crop
        else ft.Container(width=PAIR, height=PAIR * 4 / 3, bgcolor=ft.Colors.SURFACE_CONTAINER_HIGHEST, border_radius=4)
    )
    return ft.Column([picture, face], spacing=2, tight=True)


def BoardKeys(
    session: Session, sheet: Sheet, crops: Crops, width: float, on_sheet: Callable[[Sheet], None]
) -> ft.Control:
    """What the picked tile may be: its picture, the reader's guesses, and every tile, `width` logical pixels wide."""
    place = sheet.picked
    assert place is not None
    guesses = [tile for tile in place.candidates[:4] if tile != place.tile]
    crop = crops.get(place.corners)
    return ft.Column(
        [
            ft.Row(
                [
                    *(
                        [
                            ft.Image(
                                src=crop, width=54, height=72, border_radius=6, semantics_label=session.t("tile.crop")
                            )
                        ]
                        if crop
                        else []
                    ),
                    *(
                        TileFace(
                            tile,
                            session.language,
                            width=40,
                            identifier=f"guess-{tile}",
                            on_click=lambda t=tile: on_sheet(say(sheet, t)),
                        )
                        for tile in guesses
                    ),
                    *(
                        [
                            _act(
                                session,
                                "right",
                                session.t("tile.right"),
                                ft.Icons.CHECK,
                                lambda: on_sheet(confirm(sheet)),
                            )
                        ]
                        if place.open and place.tile in TILES
                        else []
                    ),
                    _act(
                        session,
                        "reject",
                        session.t("board.take_back" if place.rejected else "board.reject"),
                        ft.Icons.UNDO if place.rejected else ft.Icons.BLOCK,
                        lambda: on_sheet(reject(sheet)),
                    ),
                    _act(
                        session,
                        "key-back-face",
                        session.t("board.back"),
                        ft.Icons.FLIP_TO_BACK,
                        lambda: on_sheet(say(sheet, "back")),
                    ),
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
                vertical_alignment=ft.CrossAxisAlignment.CENTER,
            ),
            Keyboard(TILES, session.language, width, lambda tile: on_sheet(say(sheet, tile))),
        ],
        spacing=8,
        tight=True,
    )


def _act(session: Session, identifier: str, words: str, icon: ft.IconData, on_click: Callable[[], None]) -> ft.Control:
    return word_button(session, identifier, words, icon, lambda e: on_click())
