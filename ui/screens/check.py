"""Check: the photograph and the hand side by side; every tile one tap away from being put right.

Doubts are stepped through with one button, what is still missing stands in one line, and the same screen types a hand
from nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import flet as ft

from scoring.tiles import SUITS, NotationError
from ui import draft as edits
from ui import theme
from ui.components.button import main_button, word_button
from ui.components.hook import named
from ui.components.keyboard import Keyboard
from ui.components.meld_group import KindSheet, MeldGroup
from ui.components.other_rules import OtherRules
from ui.components.photo_view import Mark, PhotoView
from ui.components.rules_picker import RulesPicker
from ui.components.scroll import Scroll
from ui.components.tile_face import TileFace
from ui.components.tile_row import TileRow, tile_width
from ui.components.tile_sheet import TileSheet
from ui.components.trouble import Troubles
from ui.components.written import Written
from ui.draft import Declarable, Draft, Piece
from ui.session import Session
from ui.table import Standing, draft_from_text, stand
from ui.texts.reader import reader_text
from vision.result import MeldKind


@ft.component
def Check(session: Session, go: Any) -> ft.Control:
    """The second screen: the hand as read, as corrected, or as typed."""
    draft = session.draft
    width = min(session.width, session.width if session.beside else theme.PAGE) - 2 * theme.GAP
    half = (width - 2 * theme.GAP) / 2 if session.beside else width
    sheet_width = min(half if session.beside else session.width, 560) - 32
    standing = stand(draft, session.house)

    def open_tile(identity: int) -> None:
        session.picked, session.sheet = identity, "tile"

    def close(e: Any = None) -> None:
        session.picked, session.sheet = None, ""

    def step(new: Draft) -> None:
        """An edit that closes the sheet, or opens the next doubt when one was being stepped through."""
        stepping = session.sheet == "doubt"
        session.edit(new)
        left = new.doubts
        if stepping and left:
            session.picked = left[0].id
        else:
            close()

    def next_doubt(e: Any = None) -> None:
        waiting = draft.doubts
        if waiting:
            session.picked, session.sheet = waiting[0].id, "doubt"

    def set_aside() -> None:
        identity = cast(int, session.picked)
        there = any(p.id == identity for p in draft.aside)
        step(edits.bring_back(draft, identity) if there else edits.set_aside(draft, identity))

    def add(tile: str) -> None:
        session.edit(edits.fill(session.draft, tile, session.house.hand_size))

    def on_kind(kind: str) -> None:
        session.edit(edits.set_kind(draft, int(session.sheet.removeprefix("kind-")), cast(MeldKind, kind)))
        close()

    def on_take_back() -> None:
        session.edit(edits.take_back(draft, int(session.sheet.removeprefix("kind-"))))
        close()

    content: ft.Control | None = None
    if session.sheet in ("tile", "doubt") and sheet_is_open(session):
        picked = cast(int, session.picked)
        content = TileSheet(
            session,
            picked,
            sheet_width,
            on_tile=lambda tile: step(edits.change(draft, picked, tile)),
            on_right=lambda: step(edits.confirm(draft, picked)),
            on_winning=lambda: step(edits.mark_winning(draft, picked)),
            on_declare=lambda found: step(_declare(draft, found)),
            on_aside=set_aside,
            on_remove=lambda: step(edits.remove(draft, picked)),
        )
    elif session.sheet == "add":
        content = ft.Column(
            [
                ft.Text(session.t("check.add"), size=20, weight=ft.FontWeight.W_600),
                ft.Text(standing_words(session, standing), size=15),
                Keyboard(session.house.tiles, session.language, sheet_width, add, prefix="add"),
                word_button(session, "done", session.t("done"), on_click=close, kind=ft.FilledButton),
            ],
            tight=True,
            spacing=12,
        )
    elif session.sheet.startswith("kind-"):
        content = KindSheet(session, int(session.sheet.removeprefix("kind-")), on_kind, on_take_back)
    ft.use_dialog(
        ft.BottomSheet(
            ft.Container(content, padding=ft.Padding.only(left=16, right=16, top=4, bottom=20)),
            scrollable=True,
            draggable=True,
            show_drag_handle=True,
            animation_style=theme.SHEET,
            on_dismiss=close,
            size_constraints=ft.BoxConstraints(max_width=600, max_height=session.height * 0.92),
        )
        if content is not None
        else None
    )

    wrong = [Troubles(session)] if session.troubles else []
    hand = [
        named("standing", _banner(session, standing), live_region=True),
        *(OtherRules(session, go) if standing.key == "foreign" else []),
        *([_doubts(session, next_doubt)] if draft.doubts else []),
        *_other_set(session),
        *_gaps(session),
        *_hand(session, half, open_tile),
        _tools(session, go),
        _Typed(session),
        *([RulesPicker(session, session.house, session.start_with)] if session.target is None else []),
        *([ft.Text(session.t("check.keys"), size=13, color=ft.Colors.ON_SURFACE_VARIANT)] if session.wide else []),
    ]
    photos = [
        PhotoView(
            photograph,
            _marks(session, number),
            half,
            session.height * (0.72 if session.beside else 0.36),
            open_tile,
            session.t("check.photo", n=len(photograph.reading.tiles)),
        )
        for number, photograph in session.open_photographs.items()
    ]

    async def on(e: Any) -> None:
        await go("/won")

    foot = [
        main_button(
            session,
            "next",
            session.t("check.next"),
            ft.Icons.ARROW_FORWARD,
            on,
            size=18,
            width=min(half, 520),
            disabled=not standing.scorable,
        )
    ]
    foot_align = ft.CrossAxisAlignment.CENTER if session.beside else ft.CrossAxisAlignment.STRETCH
    if not (session.beside and photos):
        return Scroll([*wrong, *photos, *hand], foot, align=ft.CrossAxisAlignment.START, foot_align=foot_align)
    return ft.Row(
        [
            ft.Column(photos, scroll=ft.ScrollMode.AUTO, width=half),
            ft.Container(
                Scroll([*wrong, *hand], foot, align=ft.CrossAxisAlignment.START, foot_align=foot_align), expand=True
            ),
        ],
        expand=True,
        spacing=2 * theme.GAP,
        vertical_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _declare(draft: Draft, found: Declarable) -> Draft:
    return edits.declare(draft, found.kind, found.identities)


def sheet_is_open(session: Session) -> bool:
    """Whether a sheet lies over this screen; one about a tile that is gone does not."""
    if session.sheet not in ("tile", "doubt"):
        return bool(session.sheet)
    return any(p.id == session.picked for p in (*session.draft.pieces, *session.draft.aside))


def _marks(session: Session, number: int) -> dict[int, Mark]:
    draft = session.draft
    doubts = {p.id for p in draft.doubts}
    aside = {p.id for p in draft.aside}
    return {
        p.seen[1]: Mark(
            p.id,
            session.say((p.tile,)) + (" ?" if p.id in doubts else ""),
            doubt=p.id in doubts,
            aside=p.id in aside,
            picked=p.id in (session.picked, session.cursor),
            winning=p.id == draft.winning,
        )
        for p in (*draft.pieces, *draft.aside)
        if p.seen is not None and p.seen[0] == number
    }


def standing_words(session: Session, standing: Standing) -> str:
    """The live line in the language of the tab: how many tiles, and complete or what is missing."""
    values = {key: session.say(v) if isinstance(v, tuple) else v for key, v in standing.values.items()}
    if standing.key == "foreign":
        values["tiles"] = _by_suit(session, standing.values["tiles"])
    return session.t(f"standing.{standing.key}", **values)


def _by_suit(session: Session, tiles: tuple[str, ...]) -> str:
    """These tiles by name, a suit that the game has not at all by its own."""
    whole = [suit for suit in SUITS if not any(tile.endswith(suit) for tile in session.house.tiles)]
    suits = dict.fromkeys(tile[-1] for tile in tiles if tile[-1] in whole)
    names = (session.t(f"suit.{suit}.whole") for suit in suits)
    return session.join((*names, *(session.say((tile,)) for tile in tiles if tile[-1] not in suits)))


def _banner(session: Session, standing: Standing) -> ft.Control:
    ink, ground = (
        (ft.Colors.ON_PRIMARY_CONTAINER, ft.Colors.PRIMARY_CONTAINER)
        if standing.complete
        else (ft.Colors.ON_SURFACE, ft.Colors.SURFACE_CONTAINER_HIGHEST)
    )
    return ft.Container(
        ft.Row(
            [
                ft.Icon(ft.Icons.CHECK_CIRCLE if standing.complete else ft.Icons.INFO_OUTLINE, color=ink),
                ft.Text(standing_words(session, standing), size=17, color=ink, expand=True, weight=ft.FontWeight.W_500),
            ]
        ),
        bgcolor=ground,
        border_radius=12,
        padding=ft.Padding.symmetric(horizontal=14, vertical=10),
    )


def _doubts(session: Session, on_next: Callable[[Any], None]) -> ft.Control:
    return word_button(
        session,
        "next-doubt",
        session.t("check.next_doubt", n=len(session.draft.doubts)),
        ft.Icons.HELP,
        on_next,
        kind=ft.FilledButton,
        height=theme.TOUCH + 4,
        size=17,
        style=ft.ButtonStyle(bgcolor=theme.DOUBT, color=theme.DOUBT_INK, icon_color=theme.DOUBT_INK),
    )


def _other_set(session: Session) -> list[ft.Control]:
    """The set that was chosen in the settings is not the one in the photograph."""
    said = {
        reader_text(session.language, problem)
        for photograph in session.open_photographs.values()
        for problem in photograph.reading.problems
        if problem.code == "problem.set"
    }
    return [ft.Row([ft.Icon(ft.Icons.STYLE_OUTLINED), ft.Text(words, size=15, expand=True)]) for words in sorted(said)]


def _gaps(session: Session) -> list[ft.Control]:
    """Places where the reader thinks a tile was passed over."""
    if session.draft.count() >= session.house.hand_size:
        return []
    return [
        ft.Row(
            [ft.Icon(ft.Icons.SPACE_BAR), ft.Text(reader_text(session.language, problem), size=15, expand=True)],
        )
        for photograph in session.open_photographs.values()
        for problem in photograph.reading.problems
        if problem.code == "problem.gap"
    ]


def _hand(session: Session, width: float, on_tile: Callable[[int], None]) -> list[ft.Control]:
    draft = session.draft
    doubts = {p.id for p in draft.doubts}
    face = tile_width(width, max(len(draft.concealed), 7))

    def show(piece: Piece, size: float, faded: bool = False) -> ft.Control:
        return TileFace(
            piece.tile,
            session.language,
            width=size,
            identifier=f"tile-{piece.id}",
            on_click=lambda: on_tile(piece.id),
            doubt=piece.id in doubts,
            winning=session.t("check.win_badge") if piece.id == draft.winning else "",
            lit=piece.id in (session.picked, session.cursor),
            faded=faded,
        )

    def drag(piece: Piece, size: float, faded: bool = False) -> ft.Control:
        return _dragged(session, piece, show(piece, size, faded), size)

    def moved(identity: int, new: Draft) -> None:
        session.edit(new)
        session.cursor = identity if session.cursor is not None else None

    def lay_down(identity: int) -> None:
        """The set that this tile makes; where there are several, its sheet asks which."""
        found = edits.declarable(draft, identity, session.house.meld_kinds) if _inside(draft, identity) else ()
        if len({one.identities for one in found}) == 1:
            session.edit(_declare(draft, found[0]))
        elif found:
            on_tile(identity)

    parts: list[ft.Control] = []
    if draft.concealed or draft.melds:
        own = sorted(draft.concealed, key=lambda p: p.id == draft.winning)  # the winning tile stands last
        row = TileRow([drag(p, face) for p in own]) if own else _zone(session.t("kind.take_back"))
        parts += [
            _heading(session.t("check.concealed", n=len(own))),
            _target("hand", row, lambda i: moved(i, edits.to_hand(draft, i))),
        ]
    if draft.melds:
        small = min(44, (width - 60) / 6)
        parts += [
            _heading(session.t("check.melds")),
            ft.Row(
                [
                    _target(
                        f"meld-{i}",
                        MeldGroup(
                            session,
                            i,
                            group,
                            small,
                            on_tile,
                            lambda i=i: setattr(session, "sheet", f"kind-{i}"),
                            around=lambda p, shown: _dragged(session, p, shown, small),
                        ),
                        lambda piece, i=i: moved(piece, edits.to_meld(draft, piece, i)),
                    )
                    for i, group in enumerate(draft.melds)
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
            ),
        ]
    if draft.flowers:
        parts += [_heading(session.t("check.flowers")), TileRow([drag(p, 40) for p in draft.flowers])]
    if session.wide and draft.concealed:
        parts.append(_target("new-set", _zone(session.t("check.new_set")), lay_down))
    if draft.aside or (session.wide and session.open_photographs):
        beside = (
            TileRow([drag(p, 34, faded=True) for p in draft.aside[:40]])
            if draft.aside
            else _zone(session.t("check.drop_aside"))
        )
        if draft.aside:
            parts.append(_heading(session.t("check.aside", n=len(draft.aside))))
        parts.append(_target("beside", beside, lambda i: moved(i, edits.set_aside(draft, i))))
    return parts


def _inside(draft: Draft, identity: int) -> bool:
    return any(p.id == identity for p in draft.concealed)


def _dragged(session: Session, piece: Piece, shown: ft.Control, size: float) -> ft.Control:
    """A tile that can be dragged. With a finger only sideways at first: up and down scrolls the page."""
    return ft.Draggable(
        group="tile",
        content=shown,
        content_feedback=ft.Container(TileFace(piece.tile, session.language, width=size), opacity=0.8),
        affinity=None if session.wide else ft.Axis.HORIZONTAL,
        data=piece.id,
    )


def _target(identifier: str, content: ft.Control, on_tile: Callable[[int], None]) -> ft.Control:
    """Where a dragged tile may be let go."""
    target = ft.DragTarget(group="tile", content=content, on_accept=lambda e: on_tile(cast(int, e.src.data)))
    return named(f"drop-{identifier}", target)


def _zone(words: str) -> ft.Control:
    """A place for tiles where none lies yet."""
    return ft.Container(
        ft.Text(words, size=14, color=ft.Colors.ON_SURFACE_VARIANT),
        border=ft.Border.all(1, ft.Colors.OUTLINE_VARIANT),
        border_radius=10,
        padding=14,
        alignment=ft.Alignment.CENTER,
    )


def _heading(words: str) -> ft.Control:
    return ft.Text(words, size=15, color=ft.Colors.ON_SURFACE_VARIANT, weight=ft.FontWeight.W_600)


def _tools(session: Session, go: Any) -> ft.Control:
    async def more(e: Any) -> None:
        session.adding = True
        await go("/")

    def clear(e: Any) -> None:
        session.edit(Draft())

    return ft.Row(
        [
            word_button(
                session, "add-tile", session.t("check.add"), ft.Icons.ADD, lambda e: setattr(session, "sheet", "add")
            ),
            word_button(session, "more-photos", session.t("check.more"), ft.Icons.ADD_A_PHOTO, more),
            word_button(session, "clear", session.t("check.clear"), ft.Icons.DELETE_OUTLINE, clear),
        ],
        wrap=True,
        spacing=8,
        run_spacing=8,
    )


@ft.component
def _Typed(session: Session) -> ft.Control:
    """A line in which a hand can be written: `123m 456p 11s [CCC] + 5s`."""
    words: Any = ft.use_ref(lambda: "")
    error, set_error = ft.use_state("")
    made, set_made = ft.use_state(0)

    def write(typed: str) -> None:
        words.current = typed

    # tasks, unlike threads, keep the order in which the browser told of focus and keys
    async def focus(e: Any) -> None:
        session.write(True)

    async def blur(e: Any) -> None:
        session.write(False)

    def submit(typed: str) -> None:
        try:
            session.edit(
                replace(draft_from_text(typed), aside=session.draft.aside, photographs=session.draft.photographs)
            )
        except NotationError as wrong:
            set_error(session.t("check.typed_bad", reason=str(wrong)))
        else:
            set_error("")
            set_made(made + 1)

    field = Written(
        "typed",
        session.t("check.typed"),
        on_change=write,
        on_submit=submit,
        made=made,
        hint_text="123m 456p 11s [CCC] + 5s",
        autocorrect=False,
        on_focus=focus,
        on_blur=blur,
    )
    enter = ft.IconButton(
        ft.Icons.KEYBOARD_RETURN,
        width=theme.TOUCH,
        height=theme.TOUCH,
        tooltip=session.t("check.typed_ok"),
        on_click=lambda e: submit(words.current),
    )
    return ft.Column(
        [
            *(
                [named("typed-error", ft.Text(error, size=15, color=ft.Colors.ERROR), live_region=True)]
                if error
                else []
            ),
            ft.Row(
                [
                    ft.Container(field, expand=True, padding=ft.Padding.only(top=6)),
                    named("typed-ok", enter, session.t("check.typed_ok")),
                ]
            ),
        ],
        spacing=4,
        tight=True,
    )
