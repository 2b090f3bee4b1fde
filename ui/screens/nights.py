"""Nights: all of them, a new one, one from a file; and what to do when the ledger cannot be read."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import flet as ft

from scoring import Text
from scoring.ledger import photographs
from scoring.ledger.documents import read_night
from scoring.ledger.events import COLOURS, LedgerError, Opening, typed_amount
from scoring.ledger.store import new_id, now
from ui import theme
from ui.components.answer import chip, chips
from ui.components.button import main_button, word_button
from ui.components.hook import named
from ui.components.name_field import NameField
from ui.components.player_mark import NameText, PlayerMark
from ui.components.rules_picker import RulesPicker
from ui.components.scroll import Scroll
from ui.components.trouble import Trouble, Troubles
from ui.components.written import Written
from ui.installed import megabytes
from ui.nights import Starting, choice_of, ledger, look, mend
from ui.places import upload_folder
from ui.session import Session

SEATS = (2, 8)
"""Fewest and most people who may be named for a night; those beyond the table sit out."""
LARGEST_FILE = 8 << 20


@ft.component
def Nights(session: Session, go: Any, publish: Any) -> ft.Control:
    """The list, latest first."""
    page = ft.context.page
    uploads: Any = ft.use_ref(lambda: {})

    async def refresh() -> None:
        await look(session)

    ft.use_effect(refresh, [])

    async def start(e: Any) -> None:
        session.troubles = ()
        await go("/nights/new")

    async def figures(e: Any) -> None:
        await go("/nights/figures")

    async def take_in(data: bytes) -> None:
        try:
            opening, events = await asyncio.to_thread(lambda: read_night(data.decode("utf-8-sig")))
            added = await asyncio.to_thread(lambda: ledger().merge(opening, events))
        except UnicodeDecodeError:
            session.troubles = (session.t("nights.no_file"),)
        except LedgerError as wrong:
            session.troubles = (session.rule(wrong.text), session.t("nights.not_imported"))
        else:
            session.troubles = ()
            publish(opening.id)
            await look(session, opening.id)
            session.notice = session.t("nights.imported", n=added, all=len(events))
            await go("/night")

    async def picked(e: ft.FilePickerResultEvent) -> None:
        if not e.files:
            return
        file = e.files[0]
        bad = not file.size or file.size > LARGEST_FILE
        session.troubles = (session.t("nights.no_file"),) if bad else ()
        if bad:
            return
        if not page.web:
            await take_in(await asyncio.to_thread(Path(file.path or "").read_bytes))
            return
        uploads.current[file.name] = name = secrets.token_hex(16)
        address = page.get_upload_url(name, 300)
        await picker.upload([ft.FilePickerUploadFile(id=file.id, name=file.name, upload_url=address)])

    async def uploaded(e: ft.FilePickerUploadEvent) -> None:
        if e.error:
            session.troubles = (session.t("nights.no_file"),)
        elif e.progress == 1 and e.file_name in uploads.current:
            path = upload_folder() / uploads.current.pop(e.file_name)
            data = await asyncio.to_thread(path.read_bytes)
            path.unlink()
            await take_in(data)

    picker = ft.use_memo(lambda: ft.FilePicker(on_result=picked, on_upload=uploaded), [])

    def opener(night: str) -> Any:
        async def open_it(e: Any) -> None:
            session.troubles, session.notice = (), ""
            await look(session, night)
            await go("/night")

        return open_it

    if session.ledger_trouble is not None:
        return _Damaged(session, session.ledger_trouble, publish)
    return Scroll(
        [
            *([Troubles(session)] if session.troubles else []),
            *([named("notice", _said(session.notice), live_region=True)] if session.notice else []),
            word_button(
                session, "start-night", session.t("nights.start"), ft.Icons.ADD, start, kind=ft.FilledButton, height=60
            ),
            *(
                _card(session, opening, entries, opener(opening.id), i == 0)
                for i, (opening, entries) in enumerate(session.nights[:200])
            ),
            *([ft.Text(session.t("nights.none"), size=16)] if not session.nights else []),
            ft.Row(
                [
                    word_button(
                        session,
                        "import-night",
                        session.t("nights.import"),
                        ft.Icons.UPLOAD_FILE,
                        kind=ft.TextButton,
                        action=ft.PickFiles(picker, allowed_extensions=["json"]),
                    ),
                    *(
                        [
                            word_button(
                                session,
                                "all-figures",
                                session.t("nights.figures"),
                                ft.Icons.LEADERBOARD,
                                figures,
                                kind=ft.TextButton,
                            )
                        ]
                        if session.nights
                        else []
                    ),
                ],
                wrap=True,
                alignment=ft.MainAxisAlignment.CENTER,
            ),
            _Photographs(session),
        ]
    )


@ft.component
def _Photographs(session: Session) -> ft.Control:
    """How many photographs are kept with hands, and the way to be rid of them all."""
    found, set_found = ft.use_state((0, 0))

    def count() -> tuple[int, int]:
        return photographs.kept(ledger().home)

    async def look_for_them() -> None:
        with suppress(LedgerError, OSError):  # the list above says what is wrong
            set_found(await asyncio.to_thread(count))

    async def forget(e: Any) -> None:
        try:
            await asyncio.to_thread(lambda: photographs.forget(ledger().home))
        except LedgerError as wrong:
            session.troubles = (session.rule(wrong.text),)
        await look_for_them()

    ft.use_effect(look_for_them, [])
    number, size = found
    if not number:
        return ft.Container()
    return ft.Column(
        [
            _said(session.t("nights.photographs", n=number, size=megabytes(size))),
            word_button(
                session, "forget-photographs", session.t("nights.forget_photographs"), ft.Icons.DELETE_OUTLINE, forget
            ),
        ],
        tight=True,
        spacing=4,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
    )


def day(at: str) -> str:
    """The day and the hour at which a night began, where this machine stands."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at[:16]


def night_name(session: Session, opening: Opening) -> str:
    """What the night is called: its own name, or its day."""
    return opening.name or session.t("nights.unnamed", day=day(opening.at)[:10])


def _card(session: Session, opening: Opening, entries: int, on_click: Any, first: bool) -> ft.Control:
    here = session.night is not None and session.night.opening.id == opening.id
    colours = [opening.colours[i] if i < len(opening.colours) else COLOURS[i % 8] for i in range(len(opening.players))]
    return named(
        "night-0" if first else f"night-{opening.id}",
        ft.Container(
            ft.Row(
                [
                    ft.Column(
                        [
                            NameText(night_name(session, opening), weight=ft.FontWeight.W_600),
                            ft.Text(
                                session.t("nights.line", day=day(opening.at), n=entries),
                                size=13,
                                color=ft.Colors.ON_SURFACE_VARIANT,
                            ),
                            ft.Row(
                                [
                                    ft.Row(
                                        [
                                            PlayerMark(name, colour, 24),
                                            NameText(name, size=15, expand=True, expand_loose=True),
                                        ],
                                        spacing=4,
                                        tight=True,
                                    )
                                    for name, colour in zip(opening.players, colours, strict=True)
                                ],
                                wrap=True,
                                spacing=10,
                                run_spacing=4,
                            ),
                        ],
                        spacing=4,
                        expand=True,
                        tight=True,
                    ),
                    ft.Icon(ft.Icons.CHEVRON_RIGHT),
                ]
            ),
            bgcolor=ft.Colors.PRIMARY_CONTAINER if here else ft.Colors.SURFACE_CONTAINER_HIGH,
            border_radius=12,
            padding=12,
            on_click=on_click,
            ink=True,
        ),
        button=True,
    )


@ft.component
def _Damaged(session: Session, why: Text, publish: Any) -> ft.Control:
    """The ledger cannot be read: why, and the way out. What was confirmed is in the journal and the backups."""
    said, set_said = ft.use_state(())

    async def repair(e: Any) -> None:
        try:
            done = await asyncio.to_thread(mend)
        except LedgerError as wrong:
            set_said((session.rule(wrong.text),))
            return
        set_said(tuple(session.rule(text) for text in done))
        session.notice = " ".join(session.rule(text) for text in done)
        await look(session)
        publish("")

    async def again(e: Any) -> None:
        await look(session)

    return Scroll(
        [
            Trouble([session.rule(why)]),
            *[ft.Text(words, size=16) for words in said],
            main_button(session, "repair", session.t("nights.repair"), ft.Icons.BUILD, repair),
            word_button(session, "look-again", session.t("nights.again"), on_click=again),
        ]
    )


# ---------------------------------------------------------------- a new night


def opening_of(starting: Starting, session: Session) -> Opening:
    """The night as typed. Raises `LedgerError` for a start that is no whole number, or too large a one."""
    named_ = [(name.strip(), colour) for name, colour in zip(starting.players, starting.colours, strict=True)]
    kept = [(name, colour) for name, colour in named_ if name]
    house = starting.rules or session.starting_house
    try:
        start = int(starting.start.replace("−", "-") or 0)
    except ValueError:
        raise LedgerError(Text("起始分须是整数。", "The start points must be a whole number.")) from None
    players = min(len(kept), house.players)
    return Opening(
        new_id(),
        starting.name.strip(),
        now(),
        tuple(name for name, _ in kept),
        choice_of(house, players if players >= SEATS[0] else None),
        starting.unit.strip(),
        typed_amount(start),
        min(starting.dealer, max(0, players - 1)),
        tuple(colour for _, colour in kept),
    )


@ft.component
def NewNight(session: Session, go: Any, publish: Any) -> ft.Control:
    """Who plays, what is played, for what."""
    starting = session.starting
    house = starting.rules or session.starting_house
    wrong, set_wrong = ft.use_state("")

    def change(**parts: Any) -> None:
        session.starting = replace(session.starting, **parts)

    def rename(place: int, name: str) -> None:
        players = list(session.starting.players)
        players[place] = name
        change(players=tuple(players))

    def recolour(place: int) -> None:
        now_ = session.starting.colours
        free = [colour for colour in COLOURS if colour not in now_ or colour == now_[place]]
        following = free[(free.index(now_[place]) + 1) % len(free)]
        change(colours=(*now_[:place], following, *now_[place + 1 :]))

    def one_more(e: Any) -> None:
        free = next(colour for colour in COLOURS if colour not in starting.colours)
        change(players=(*starting.players, ""), colours=(*starting.colours, free))

    async def begin(e: Any) -> None:
        try:
            opening = opening_of(session.starting, session)
            await asyncio.to_thread(lambda: ledger().create(opening))
        except LedgerError as refused:
            set_wrong(session.rule(refused.text))
            return
        set_wrong("")
        session.starting = Starting(players=("",) * len(starting.players), colours=starting.colours)
        session.target = None
        await look(session, opening.id)
        publish(opening.id)
        await go("/night")

    given = [name.strip() for name in starting.players if name.strip()]
    seats = min(house.players, len(given)) if len(given) >= SEATS[0] else house.players
    out = given[seats:]
    return Scroll(
        [
            ft.Text(session.t("starting.players"), size=18, weight=ft.FontWeight.W_600),
            *[
                ft.Row(
                    [
                        named(
                            f"colour-{place}",
                            ft.Container(
                                PlayerMark(name.strip(), starting.colours[place], 40),
                                padding=4,
                                border_radius=24,
                                on_click=lambda e, place=place: recolour(place),
                            ),
                            label=session.t("starting.colour", n=place + 1),
                            button=True,
                        ),
                        ft.Container(
                            NameField(
                                session,
                                f"player-{place}",
                                session.t("starting.player", n=place + 1),
                                name,
                                on_change=lambda words, place=place: rename(place, words),
                                made=starting.made,
                            ),
                            expand=True,
                        ),
                    ],
                    spacing=6,
                )
                for place, name in enumerate(starting.players)
            ],
            *(
                [
                    word_button(
                        session,
                        "one-more",
                        session.t("starting.one_more"),
                        ft.Icons.PERSON_ADD,
                        one_more,
                        kind=ft.TextButton,
                    )
                ]
                if len(starting.players) < SEATS[1]
                else []
            ),
            *([_said(session.t("starting.out", names="、".join(out)))] if out else []),
            *(
                [_said(session.t("starting.fewer", n=seats))]
                if len(given) >= SEATS[0] and seats < house.players
                else []
            ),
            ft.Text(session.t("starting.rules"), size=18, weight=ft.FontWeight.W_600),
            RulesPicker(session, house, lambda picked: change(rules=picked)),
            *(
                [
                    ft.Text(session.t("starting.dealer"), size=18, weight=ft.FontWeight.W_600),
                    chips(
                        [
                            chip(
                                f"dealer-{seat}",
                                name,
                                seat == min(starting.dealer, seats - 1),
                                lambda seat=seat: change(dealer=seat),
                                theme.NAMES_FONT,
                            )
                            for seat, name in enumerate(given[:seats])
                        ]
                    ),
                ]
                if len(given) >= SEATS[0]
                else []
            ),
            ft.Row(
                [
                    ft.Container(
                        Written(
                            "unit",
                            session.t("starting.unit"),
                            starting.unit,
                            on_change=lambda words: change(unit=words[:8]),
                            made=starting.made,
                            text_style=ft.TextStyle(font_family=theme.NAMES_FONT),
                        ),
                        expand=True,
                    ),
                    ft.Container(
                        Written(
                            "start-points",
                            session.t("starting.start"),
                            starting.start,
                            on_change=lambda words: change(start=words),
                            made=starting.made,
                            keyboard_type=ft.KeyboardType.NUMBER,
                        ),
                        expand=True,
                    ),
                ]
            ),
            Written(
                "night-name",
                session.t("starting.name"),
                starting.name,
                on_change=lambda words: change(name=words[:40]),
                made=starting.made,
                text_style=ft.TextStyle(font_family=theme.NAMES_FONT),
            ),
        ],
        [
            *([Trouble([wrong])] if wrong else []),
            main_button(
                session,
                "begin",
                session.t("starting.begin"),
                ft.Icons.CASINO,
                begin,
                disabled=len(given) < SEATS[0],
            ),
        ],
    )


def _said(words: str) -> ft.Control:
    return ft.Text(words, size=14, color=ft.Colors.ON_SURFACE_VARIANT, font_family=theme.NAMES_FONT)
