"""The page of `hupai data label`: one photograph after another; the reader proposes, a person puts right, by keys.

Arrows walk, a digit and a suit letter name a tile, `x` says that it is none, Enter accepts the photograph and opens the
next, Page Up and Page Down turn pages. Everything can be done by tapping too."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import flet as ft

from ui import label_job, teaching, theme
from ui.browser_language import asked_for
from ui.calibrating import Board, grasped, opened
from ui.components.hook import named
from ui.components.naming import Naming
from ui.components.trouble import Troubles
from ui.device import language_of
from ui.label_job import Job
from ui.labelling import Sheet, accepted, press
from ui.reader import crop, read
from ui.session import Session
from ui.texts.reader import reader_text
from vision.result import PhotoError


@dataclass
class Labelling:
    """The work of one tab: which picture lies open, and what turning a page does."""

    session: Session
    job: Job

    async def show(self, number: int) -> None:
        """Open a picture; one that cannot be read is named and passed over by the person."""
        session, job = self.session, self.job
        session.page_of_job = number % len(job.photos)
        session.board, session.stage, session.sheet = None, "decode", ""
        name, path = job.photos[session.page_of_job]
        try:
            data = await asyncio.to_thread(path.read_bytes)
            photograph = await read(data, lambda stage: None, threading.Event())
        except (PhotoError, OSError) as error:
            reason = reader_text(session.language, error.problem) if isinstance(error, PhotoError) else str(error)
            session.troubles, session.stage = (f"{name}: {reason}",), ""
            return
        session.troubles = ()
        board = opened(photograph, data)
        sheet = await asyncio.to_thread(label_job.sheet_of, job, session.page_of_job, photograph)
        session.board = await asyncio.to_thread(_with_crops, replace(board, sheet=sheet))
        session.stage = ""

    async def accept(self) -> None:
        """The person agrees with what stands there: keep it, and open the next picture."""
        session = self.session
        if session.board is None:
            return await self.show(session.page_of_job + 1)
        sheet = accepted(session.board.sheet)
        try:
            models = await asyncio.to_thread(teaching.weights)
            await asyncio.to_thread(label_job.accept, self.job, session.page_of_job, sheet, models)
        except (OSError, ValueError) as error:
            session.troubles = (str(error),)
            return
        await self.show(session.page_of_job + 1)

    async def key(self, name: str) -> None:
        """What a key does."""
        session = self.session
        if name in ("Enter", "Numpad Enter"):
            await self.accept()
        elif name in ("Page Down", "Page Up"):
            await self.show(session.page_of_job + (1 if name == "Page Down" else -1))
        elif session.board is not None:
            self.edit(press(session.board.sheet, name.removeprefix("Numpad ")))

    def edit(self, sheet: Sheet) -> None:
        if self.session.board is not None:
            self.session.board = replace(self.session.board, sheet=sheet)
            self.job.begun[self.session.page_of_job] = sheet

    async def tapped(self, x: float, y: float) -> None:
        if self.session.board is not None:
            self.session.board = await asyncio.to_thread(grasped, self.session.board, x, y)


def _with_crops(board: Board) -> Board:
    """The board with a crop of every place, also of those that come from labels."""
    from vision.photo import open_photo

    photo = open_photo(board.data)
    scale = photo.pixels.shape[1] / photo.width
    return replace(board, crops=tuple((p.corners, crop(photo.pixels, p.corners, scale)) for p in board.sheet.places))


@ft.component
def LabelApp(session: Session, work: Labelling) -> list[ft.View]:
    """All of the page."""
    page, job = ft.context.page, work.job
    name, _ = job.photos[session.page_of_job]
    done = len(job.done())

    def turning(by: int) -> Callable[[Any], Awaitable[None]]:
        async def turn(e: Any) -> None:
            await work.show(session.page_of_job + by)

        return turn

    async def accept(e: Any) -> None:
        await work.accept()

    board: Board | None = session.board
    body: ft.Control = ft.Container(
        Naming(session, board, work.edit, lambda x, y: page.run_task(work.tapped, x, y))
        if board is not None
        else ft.Row([ft.ProgressRing(), ft.Text(session.t("teach.busy"), size=16)])
        if session.stage
        else ft.Text(session.t("label.unreadable"), size=16),
        expand=True,
        alignment=ft.Alignment.TOP_LEFT,
    )
    return [
        ft.View(
            route="/",
            padding=0,
            appbar=ft.AppBar(
                automatically_imply_leading=False,
                title=named(
                    "label-at",
                    ft.Text(
                        f"{session.page_of_job + 1} / {len(job.photos)} · {name}", size=17, font_family=theme.NAMES_FONT
                    ),
                ),
                actions=[
                    named("label-done", ft.Text(session.t("label.done", n=done), size=15)),
                    ft.Container(width=theme.GAP),
                ],
            ),
            controls=[
                ft.SafeArea(
                    ft.Container(
                        ft.Column(
                            [
                                *([Troubles(session)] if session.troubles else []),
                                body,
                                *_at_a_desk(session, job),
                                ft.Row(
                                    [
                                        _turn(
                                            "label-before",
                                            ft.Icons.CHEVRON_LEFT,
                                            session.t("label.before"),
                                            turning(-1),
                                        ),
                                        named(
                                            "accept",
                                            ft.FilledButton(
                                                session.t("label.accept"),
                                                icon=ft.Icons.CHECK,
                                                height=52,
                                                disabled=bool(session.stage),
                                                on_click=accept,
                                            ),
                                            expand=not session.wide,
                                        ),
                                        _turn(
                                            "label-after", ft.Icons.CHEVRON_RIGHT, session.t("label.after"), turning(1)
                                        ),
                                    ]
                                ),
                            ],
                            expand=True,
                        ),
                        padding=theme.GAP,
                        expand=True,
                    ),
                    expand=True,
                )
            ],
        )
    ]


def _at_a_desk(session: Session, job: Job) -> list[ft.Control]:
    """What is of use on a wide page only, which has keys and lies on the computer itself: the keys, and where the
    labels go."""
    if not session.wide:
        return []
    return [
        ft.Row(
            [
                ft.Text(session.t("label.keys"), size=13, color=ft.Colors.ON_SURFACE_VARIANT, expand=True),
                named("label-out", ft.Text(str(job.result), size=13, selectable=True), str(job.result)),
            ]
        )
    ]


def _turn(identifier: str, icon: ft.IconData, words: str, on_click: Any) -> ft.Control:
    button = ft.IconButton(icon, width=theme.TOUCH, height=theme.TOUCH, tooltip=words, on_click=on_click)
    return named(identifier, button, words)


def entry(job: Job) -> Callable[[ft.Page], Awaitable[None]]:
    """The entry of one tab, for the server."""

    async def main(page: ft.Page) -> None:
        page.title = "胡牌 Hupai"
        page.padding = 0
        page.fonts = {**theme.own_font(page.web), theme.NAMES_FONT: theme.NAMES_FONT_FILE}
        page.theme, page.dark_theme = theme.theme(dark=False), theme.theme(dark=True)
        session = Session(width=page.width or 1200, height=page.height or 800, recalled=True)
        language = asked_for()
        session.language = language or session.language
        session.page_of_job = job.first_open()
        work = Labelling(session, job)

        def resized(e: Any) -> None:
            session.width, session.height = page.width or session.width, page.height or session.height

        async def typed(e: ft.KeyboardEvent) -> None:
            if not (e.ctrl or e.meta or e.alt):
                await work.key(e.key)

        page.on_resize = resized
        page.on_keyboard_event = typed
        page.render_views(LabelApp, session, work)
        if not language:
            session.language = await language_of(page)
        await work.show(session.page_of_job)

    return main
