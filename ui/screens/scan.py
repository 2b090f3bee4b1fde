"""Scan: one tap to the camera, one to the gallery, one to the sample; then what the reader is doing, and a way out."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from pathlib import Path
from typing import Any

import flet as ft

from ui import theme
from ui.components.hook import named
from ui.components.tile_face import Warm
from ui.draft import from_reading, sort
from ui.places import ASSETS, LARGEST_UPLOAD, upload_folder
from ui.reader import Cancelled, read
from ui.session import Photograph, Session
from ui.texts.reader import reader_text
from vision.result import PhotoError

logger = logging.getLogger(__name__)
STAGES = ("wait", "decode", "find", "classify", "arrange", "show")
SAMPLES = ASSETS / "samples"


@ft.component
def Scan(session: Session, go: Any) -> ft.Control:
    """The first screen."""
    page = ft.context.page
    names = ft.use_ref(lambda: {})
    giving_up = ft.use_ref(threading.Event)
    tried: Any = ft.use_ref(lambda: -1)

    async def take(data: bytes) -> None:
        """Read one photograph and go on to the check screen with what was found."""
        loop = asyncio.get_running_loop()
        stop = giving_up.current

        def tell(stage: str) -> None:
            loop.call_soon_threadsafe(lambda: setattr(session, "stage", stage) if not stop.is_set() else None)

        session.trouble, session.stage = "", "wait"
        try:
            photograph = await read(data, tell, stop)
            if not stop.is_set():
                await show(photograph)
        except Cancelled:
            return
        except PhotoError as error:
            session.trouble = reader_text(session.language, error.problem)
            return
        except Exception:  # whatever it was, the person can go on by hand; the trace is for the terminal
            logger.exception("reading a photograph failed")
            session.trouble = session.t("scan.failed")
            return
        finally:
            if giving_up.current is stop:
                session.stage = ""

    async def show(photograph: Photograph) -> None:
        if not photograph.reading.tiles:
            session.trouble = session.t("problem.nothing")
            return
        if not session.adding:  # another hand; what lay open before is over
            session.clear()
        session.adding = True  # further pictures of the same choice belong to the same hand
        draft = from_reading(photograph.reading, len(session.photographs), session.draft)
        session.photographs = (*session.photographs, photograph)
        session.edit(sort(draft, session.house.order))
        await go("/check")

    def begin() -> None:
        session.trouble = ""
        giving_up.current = threading.Event()

    def give_up(e: Any = None) -> None:
        giving_up.current.set()
        session.stage = ""

    async def picked(e: ft.FilePickerResultEvent) -> None:
        if not e.files:
            return
        begin()
        for file in e.files:
            if file.size == 0:  # an upload of nothing never reports that it is done
                session.trouble = session.t("photo.empty")
                return
            if file.size and file.size > LARGEST_UPLOAD:
                session.trouble = session.t("scan.large", mb=LARGEST_UPLOAD >> 20)
                return
        if not page.web:
            for file in e.files:
                await take(await asyncio.to_thread(Path(file.path or "").read_bytes))
            return
        session.stage = "upload"
        uploads = []
        for file in e.files:
            names.current[file.name] = name = secrets.token_hex(16)
            uploads.append(
                ft.FilePickerUploadFile(id=file.id, name=file.name, upload_url=page.get_upload_url(name, 300))
            )
        await picker.upload(uploads)

    async def uploaded(e: ft.FilePickerUploadEvent) -> None:
        if e.error:
            session.stage, session.trouble = "", session.t("scan.upload_failed")
        elif e.progress == 1 and e.file_name in names.current:
            data = await asyncio.to_thread(_collect, upload_folder() / names.current.pop(e.file_name))
            if not giving_up.current.is_set():
                await take(data)

    picker = ft.use_memo(lambda: ft.FilePicker(on_result=picked, on_upload=uploaded), [])

    async def sample(e: Any) -> None:
        begin()
        photos = sorted(SAMPLES.glob("*.jpg"))
        if not photos:
            session.trouble = session.t("scan.no_sample")
            return
        turn = tried.current = tried.current + 1  # another one each time
        await take(await asyncio.to_thread(photos[turn % len(photos)].read_bytes))

    async def typed(e: Any) -> None:
        if not session.adding:
            session.clear()
        await go("/check")

    async def resume(e: Any) -> None:
        await go("/check")

    busy = bool(session.stage)
    title = session.t("scan.title_more") if session.adding else session.t("scan.title")
    open_hand = len(session.draft.pieces)
    controls: list[ft.Control] = [
        ft.Container(height=theme.GAP),
        ft.Image(src="/icon.svg", width=96, height=96, exclude_from_semantics=True),
        ft.Text(title, size=26, weight=ft.FontWeight.W_700, text_align=ft.TextAlign.CENTER),
        ft.Text(session.t("scan.hint"), size=16, text_align=ft.TextAlign.CENTER, color=ft.Colors.ON_SURFACE_VARIANT),
    ]
    if busy:
        controls.append(_Progress(session, give_up))
    else:
        controls += [
            named("camera", _big(session.t("scan.camera"), ft.Icons.PHOTO_CAMERA, filled=True, action=_pick(picker))),
            named(
                "gallery",
                _big(session.t("scan.gallery"), ft.Icons.PHOTO_LIBRARY, action=_pick(picker, allow_multiple=True)),
            ),
            *(
                [
                    named(
                        "resume",
                        ft.FilledTonalButton(
                            session.t("scan.resume", n=open_hand),
                            icon=ft.Icons.ARROW_FORWARD,
                            height=theme.TOUCH,
                            on_click=resume,
                        ),
                    )
                ]
                if open_hand
                else []
            ),
            ft.Row(
                [
                    named("sample", ft.TextButton(session.t("scan.sample"), icon=ft.Icons.CASINO, on_click=sample)),
                    named("type", ft.TextButton(session.t("scan.type"), icon=ft.Icons.KEYBOARD, on_click=typed)),
                ],
                alignment=ft.MainAxisAlignment.CENTER,
                wrap=True,
            ),
        ]
    controls.append(Warm(session.house.tiles))
    if session.trouble:
        controls.append(Trouble(session.trouble))
    return ft.Column(
        controls,
        scroll=ft.ScrollMode.AUTO,
        expand=True,
        spacing=16,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
    )


def _collect(path: Path) -> bytes:
    """What was uploaded; the file is gone afterwards."""
    data = path.read_bytes()
    path.unlink()
    return data


def _pick(picker: ft.FilePicker, **how: Any) -> ft.PickFiles:
    return ft.PickFiles(picker, file_type=ft.FilePickerFileType.IMAGE, **how)


def _big(words: str, icon: ft.IconData, *, filled: bool = False, **how: Any) -> ft.Control:
    button = ft.FilledButton if filled else ft.OutlinedButton
    style = ft.ButtonStyle(
        text_style=ft.TextStyle(size=20, font_family=theme.FONT), shape=ft.RoundedRectangleBorder(radius=16)
    )
    return button(words, icon=icon, width=300, height=84 if filled else 64, style=style, **how)


def Trouble(words: str) -> ft.Control:
    """One sentence about what went wrong, announced to screen readers."""
    return named(
        "trouble",
        ft.Container(
            ft.Row(
                [
                    ft.Icon(ft.Icons.ERROR_OUTLINE, color=ft.Colors.ON_ERROR_CONTAINER),
                    ft.Text(words, size=16, color=ft.Colors.ON_ERROR_CONTAINER, expand=True),
                ],
                vertical_alignment=ft.CrossAxisAlignment.START,
            ),
            bgcolor=ft.Colors.ERROR_CONTAINER,
            border_radius=12,
            padding=14,
        ),
        live_region=True,
    )


def _Progress(session: Session, give_up: Any) -> ft.Control:
    done = STAGES.index(session.stage) if session.stage in STAGES else 0
    return ft.Column(
        [
            named(
                "stage",
                ft.Text(session.t(f"scan.stage.{session.stage}"), size=18, text_align=ft.TextAlign.CENTER),
                live_region=True,
            ),
            ft.ProgressBar(value=None if session.stage == "wait" else (done + 1) / (len(STAGES) + 1), width=280),
            named("cancel", ft.OutlinedButton(session.t("cancel"), height=theme.TOUCH, on_click=give_up)),
        ],
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        spacing=16,
    )
