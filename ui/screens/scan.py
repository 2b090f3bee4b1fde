"""Scan: one tap to the camera, one to the gallery, one to the sample; then what the reader is doing, and a way out.

A picture can also be dropped on the page, or pasted into it, wherever one is (see `arrivals`)."""

from __future__ import annotations

import asyncio
from typing import Any

import flet as ft

from ui import theme
from ui.components.button import word_button
from ui.components.hook import named
from ui.components.open_hand import OpenHand
from ui.components.scroll import Scroll
from ui.components.tile_face import Warm
from ui.components.trouble import Troubles
from ui.places import SAMPLES
from ui.session import Session
from ui.taking import Taking

STAGES = ("wait", "decode", "find", "classify", "arrange", "show")


@ft.component
def Scan(session: Session, taking: Taking, go: Any) -> ft.Control:
    """The first screen."""
    tried: Any = ft.use_ref(lambda: -1)
    picker = taking.picker

    async def sample(e: Any) -> None:
        photos = sorted(SAMPLES.glob("*.jpg"))
        if not photos:
            session.troubles = (session.t("scan.no_sample"),)
            return
        tried.current = (tried.current + 1) % len(photos)  # another one each time
        photo = photos[tried.current]
        await taking.take([(photo.name, lambda: asyncio.to_thread(photo.read_bytes))])

    async def typed(e: Any) -> None:
        if not session.adding:
            session.clear()
        await go("/check")

    async def resume(e: Any) -> None:
        await go("/check")

    ways = [
        _big(session, "camera", session.t("scan.camera"), ft.Icons.PHOTO_CAMERA, filled=True, action=_pick(picker)),
        _big(
            session,
            "gallery",
            session.t("scan.gallery"),
            ft.Icons.PHOTO_LIBRARY,
            action=_pick(picker, allow_multiple=True),
        ),
    ]
    busy = bool(session.stage)
    title = session.t("scan.title_more") if session.adding else session.t("scan.title")
    controls: list[ft.Control] = [
        *([Troubles(session)] if session.troubles else []),
        *([] if session.large_text or session.low or session.troubles else [_emblem()]),
        ft.Text(title, size=26, weight=ft.FontWeight.W_700, text_align=ft.TextAlign.CENTER),
        ft.Text(session.t("scan.hint"), size=16, text_align=ft.TextAlign.CENTER, color=ft.Colors.ON_SURFACE_VARIANT),
    ]
    if busy:
        controls.append(_Progress(session, lambda e: taking.give_up()))
    else:
        controls += [
            ft.Row(ways, alignment=ft.MainAxisAlignment.CENTER) if session.low else ft.Column(ways, spacing=16),
            *OpenHand(session, "scan.resume", resume),
            ft.Row(
                [
                    word_button(
                        session, "sample", session.t("scan.sample"), ft.Icons.CASINO, sample, kind=ft.TextButton
                    ),
                    word_button(session, "type", session.t("scan.type"), ft.Icons.KEYBOARD, typed, kind=ft.TextButton),
                ],
                alignment=ft.MainAxisAlignment.CENTER,
                wrap=True,
            ),
        ]
    controls.append(Warm(session.house.tiles))
    return Scroll(controls, spacing=16, align=ft.CrossAxisAlignment.CENTER)


def _emblem() -> ft.Control:
    """The app's icon, where it does not push the camera's button, or what went wrong, off a phone."""
    icon = ft.Image(src="/icon.svg", width=96, height=96, exclude_from_semantics=True)
    return ft.Container(icon, padding=ft.Padding.only(top=theme.GAP + 16))


def _pick(picker: ft.FilePicker, **how: Any) -> ft.PickFiles:
    return ft.PickFiles(picker, file_type=ft.FilePickerFileType.IMAGE, **how)


def _big(
    session: Session, identifier: str, words: str, icon: ft.IconData, *, filled: bool = False, **how: Any
) -> ft.Control:
    shape = ft.ButtonStyle(shape=ft.RoundedRectangleBorder(radius=16))
    kind, height = (ft.FilledButton, 84) if filled else (ft.OutlinedButton, 64)
    return word_button(
        session, identifier, words, icon, kind=kind, height=height, size=20, width=300, style=shape, **how
    )


def _Progress(session: Session, give_up: Any) -> ft.Control:
    done = STAGES.index(session.stage) if session.stage in STAGES else 0
    number, of = session.batch
    words = session.t(f"scan.stage.{session.stage}")
    if of > 1:
        words = session.t("scan.batch", n=number, of=of) + "\n" + words
    return ft.Column(
        [
            named(
                "stage",
                ft.Text(words, size=18, text_align=ft.TextAlign.CENTER),
                live_region=True,
            ),
            ft.ProgressBar(value=None if session.stage == "wait" else (done + 1) / (len(STAGES) + 1), width=280),
            word_button(session, "cancel", session.t("cancel"), on_click=give_up),
        ],
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        spacing=16,
    )
