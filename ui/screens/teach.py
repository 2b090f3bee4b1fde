"""Teach: tile sets that were shown to the reader, and corrections that were kept for a training, with consent."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import flet as ft

from ui import teaching, theme
from ui.calibrating import Board as Open
from ui.calibrating import Calibrating
from ui.components.answer import chip, chips
from ui.components.button import main_button, word_button
from ui.components.hook import named
from ui.components.naming import Naming
from ui.components.scroll import Scroll
from ui.components.tile_face import TileFace
from ui.components.trouble import Troubles
from ui.components.written import Written
from ui.labelling import Sheet, accepted
from ui.session import Session
from ui.teaching import Collected, SetLine, Shown
from ui.theme import NAMES_FONT

EXPORTS = ("yolo", "yolo-obb", "coco", "voc", "labelme")


@ft.component
def Teach(session: Session, go: Any, calibrating: Calibrating) -> ft.Control:
    """The page: sets above, corrections below."""
    sets, set_sets = ft.use_state(list[SetLine])
    held, set_held = ft.use_state(Collected)
    said, set_said = ft.use_state("")
    files = ft.use_memo(lambda: ft.FilePicker(), [])

    async def look() -> None:
        set_sets(await asyncio.to_thread(teaching.sets))
        set_held(await asyncio.to_thread(teaching.collected))

    ft.use_effect(look, [])

    async def forget_set(name: str) -> None:
        await asyncio.to_thread(teaching.forget_set, name)
        if session.tile_set == name:
            session.tile_set = "auto"
        await look()

    async def forget_all(e: Any) -> None:
        await asyncio.to_thread(teaching.forget_records)
        await look()

    async def export(name: str) -> None:
        try:
            out = await asyncio.to_thread(teaching.export, name)
            data = await asyncio.to_thread(teaching.packed, out)
        except (ValueError, OSError) as error:
            set_said(str(error))
            return
        set_said(session.t("teach.exported", path=str(out)))
        if data is not None:
            await files.save_file(file_name=f"hupai-{out.name}.zip", src_bytes=data)

    async def open_tile(tile: str) -> None:
        session.looked_at = tile
        await go("/teach/tile")

    def consent() -> None:
        session.keeps = not session.keeps

    busy = bool(session.stage)
    parts: list[ft.Control] = [
        _title(session.t("teach.sets")),
        ft.Text(session.t("teach.sets_hint"), size=15),
        *(
            [named("teach-busy", ft.Row([ft.ProgressRing(width=22, height=22), ft.Text(session.t("teach.busy"))]))]
            if busy
            else [_pickers(session, calibrating)]
        ),
        *([Troubles(session)] if session.troubles else []),
        *(_set(session, line, forget_set) for line in sets),
        *([_choice(session, sets)] if sets else []),
        ft.Divider(),
        _title(session.t("teach.corrections")),
        named(
            "keeps",
            ft.Container(
                ft.Row(
                    [
                        ft.Text(session.t("teach.consent"), size=16, expand=True),
                        ft.Switch(value=session.keeps, on_change=lambda e: consent()),
                    ]
                ),
                on_click=lambda e: consent(),
            ),
            label=session.t("teach.consent"),
            toggled=session.keeps,
        ),
        *(_collection(session, held, open_tile, export, forget_all) if held.photographs else []),
        *([named("teach-said", ft.Text(said, size=15, selectable=True), live_region=True)] if said else []),
    ]
    return Scroll(parts, align=ft.CrossAxisAlignment.START)


def _pickers(session: Session, calibrating: Calibrating) -> ft.Control:
    def button(identifier: str, key: str, icon: ft.IconData) -> ft.Control:
        action = ft.PickFiles(calibrating.picker, file_type=ft.FilePickerFileType.IMAGE)
        return word_button(
            session, identifier, session.t(key), icon, kind=ft.FilledTonalButton, height=theme.TOUCH + 4, action=action
        )

    return ft.Row([button("show-set", "teach.show", ft.Icons.ADD_A_PHOTO)], wrap=True)


def _set(session: Session, line: SetLine, on_forget: Any) -> ft.Control:
    async def forget(e: Any) -> None:
        await on_forget(line.name)

    words = session.t("teach.set", n=line.photographs)
    if line.lacking:
        words += " " + session.t("teach.set_lacks", n=len(line.lacking))
    return named(
        f"set-{line.name}",
        ft.Row(
            [
                ft.Column(
                    [
                        ft.Text(line.name, size=17, weight=ft.FontWeight.W_600, font_family=NAMES_FONT),
                        ft.Text(words if line.photographs else session.t("teach.set_damaged"), size=14),
                    ],
                    tight=True,
                    spacing=2,
                    expand=True,
                ),
                named(
                    f"forget-set-{line.name}",
                    ft.IconButton(
                        ft.Icons.DELETE_OUTLINE,
                        width=theme.TOUCH,
                        height=theme.TOUCH,
                        tooltip=session.t("rules.forget"),
                        on_click=forget,
                    ),
                    session.t("rules.forget"),
                ),
            ]
        ),
    )


def _choice(session: Session, sets: list[SetLine]) -> ft.Control:
    """Which of the sets the reader takes: the one that matches, none, or always the same."""

    def choose(name: str) -> None:
        session.tile_set = name

    named_sets = [(line.name, line.name) for line in sets if line.photographs]
    options = [("auto", session.t("teach.auto")), ("none", session.t("teach.none")), *named_sets]
    return ft.Column(
        [
            ft.Text(session.t("teach.which"), size=15),
            chips(
                [
                    chip(f"use-set-{name}", words, name == session.tile_set, lambda n=name: choose(n), NAMES_FONT)
                    for name, words in options
                ]
            ),
        ],
        tight=True,
        spacing=6,
    )


def _collection(session: Session, held: Collected, on_tile: Any, on_export: Any, on_forget: Any) -> list[ft.Control]:
    def face(tile: str, count: int) -> ft.Control:
        async def opened() -> None:
            await on_tile(tile)

        return TileFace(
            tile,
            session.language,
            width=38,
            identifier=f"collected-{tile}",
            on_click=lambda: ft.context.page.run_task(opened),
            faded=not count,
            caption=str(count),
        )

    def exporter(name: str) -> ft.Control:
        async def clicked(e: Any) -> None:
            await on_export(name)

        return word_button(session, f"export-{name}", name, on_click=clicked)

    lacking = (
        session.t("teach.lacking", n=len(held.lacking), few=teaching.FEW) if held.lacking else session.t("teach.enough")
    )
    return [
        named(
            "collected",
            ft.Text(
                session.t(
                    "teach.collected", n=held.photographs, named=held.named, changed=held.changed, open=held.open
                ),
                size=16,
            ),
        ),
        ft.Text(lacking, size=15),
        ft.Row([face(tile, count) for tile, count in held.examples], wrap=True, spacing=6, run_spacing=8),
        ft.Text(session.t("teach.export"), size=15),
        ft.Row([exporter(name) for name in EXPORTS], wrap=True, spacing=8, run_spacing=8),
        word_button(session, "forget-records", session.t("teach.forget"), ft.Icons.DELETE_OUTLINE, on_forget),
    ]


@ft.component
def TeachSet(session: Session, go: Any, calibrating: Calibrating) -> ft.Control:
    """A photograph of a set on the board: put right, named, learnt."""
    name: Any = ft.use_ref(lambda: "")
    ready, set_ready = ft.use_state(False)
    page = ft.context.page
    opened: Open | None = session.board

    def write(typed: str) -> None:
        name.current = typed.strip()
        set_ready(bool(name.current))

    def edit(sheet: Sheet) -> None:
        if session.board is not None:
            session.board = replace(session.board, sheet=sheet)

    async def learn(e: Any) -> None:
        if session.board is not None:
            edit(accepted(session.board.sheet))
        if await calibrating.learn(name.current):
            await go("/teach")

    if opened is None:
        return ft.Text(session.t("teach.no_board"), size=16)
    wide = session.wide
    field = Written(
        "set-name", session.t("teach.name"), on_change=write, text_style=ft.TextStyle(font_family=NAMES_FONT)
    )
    done = main_button(
        session,
        "learn",
        session.t("teach.learn"),
        ft.Icons.CHECK,
        learn,
        disabled=not ready or not opened.sheet.places,
    )
    return ft.Column(
        [
            ft.Container(
                Naming(session, opened, edit, lambda x, y: page.run_task(calibrating.tapped, x, y)), expand=True
            ),
            *([Troubles(session)] if session.troubles else []),
            ft.Column([field, done], horizontal_alignment=ft.CrossAxisAlignment.STRETCH, tight=True)
            if session.large_text
            else ft.Row([ft.Container(field, expand=not wide, width=360 if wide else None), done]),
        ],
        expand=True,
        spacing=theme.GAP,
    )


@ft.component
def TeachTile(session: Session, go: Any) -> ft.Control:
    """Every example of one tile side by side, those first that the reader disagrees with: a wrong label stands out."""
    tile = session.looked_at
    shown, set_shown = ft.use_state(list[Shown])
    looking, set_looking = ft.use_state(True)

    async def look() -> None:
        set_shown(await asyncio.to_thread(teaching.examples, tile))
        set_looking(False)

    ft.use_effect(look, [tile])

    async def reject(one: Shown) -> None:
        await asyncio.to_thread(teaching.rename, one, "")
        await look()

    def card(one: Shown) -> ft.Control:
        async def clicked(e: Any) -> None:
            await reject(one)

        against = one.said != tile
        words = session.say((one.said,)) if against and one.said != "none" else f"{min(one.agreement, 0.99):.0%}"
        return named(
            f"example-{one.record}-{one.index}",
            ft.Column(
                [
                    ft.Image(src=one.crop, width=66, height=88, border_radius=4, exclude_from_semantics=True),
                    ft.Text(words, size=13, color=ft.Colors.ERROR if against else None, weight=ft.FontWeight.W_600),
                    named(
                        f"drop-{one.record}-{one.index}",
                        ft.IconButton(
                            ft.Icons.BLOCK,
                            width=theme.TOUCH,
                            height=theme.TOUCH,
                            tooltip=session.t("teach.drop"),
                            on_click=clicked,
                        ),
                        session.t("teach.drop"),
                    ),
                ],
                tight=True,
                spacing=2,
                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            ),
            label=words,
        )

    body: ft.Control = (
        ft.ProgressRing()
        if looking
        else ft.Row([card(one) for one in shown], wrap=True, spacing=10, run_spacing=10)
        if shown
        else ft.Text(session.t("teach.none_yet"), size=16)
    )
    return Scroll(
        [
            ft.Row(
                [
                    TileFace(tile, session.language, width=44),
                    ft.Text(session.t("teach.examples", tile=session.say((tile,))), size=16, expand=True),
                ]
            ),
            body,
        ],
        align=ft.CrossAxisAlignment.START,
    )


def _title(words: str) -> ft.Control:
    return ft.Text(words, size=18, weight=ft.FontWeight.W_600)
