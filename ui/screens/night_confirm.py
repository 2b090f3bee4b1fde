"""Before it is recorded: what this entry changes, down to the last total; and the question when somebody was faster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import flet as ft

from scoring.ledger.events import Change, Corrected, Played, RulesChanged, Undone
from scoring.ledger.night import Consequence, Entry
from ui import theme
from ui.components.answer import chip, chips
from ui.components.button import main_button, word_button
from ui.components.entry_row import EntryRow, moves_money, net_words, title
from ui.components.hook import named
from ui.components.payment_arrows import signed
from ui.components.player_mark import MarkOf, NameText
from ui.components.scroll import Scroll
from ui.components.trouble import Trouble, Troubles
from ui.nights import Pending, confirm, pictures_of, target_of, wins_of
from ui.session import Session

FOLLOWING = 12
"""Later entries that are shown one by one when an earlier one is put right."""


@ft.component
def NightConfirm(session: Session, pending: Pending, go: Any, publish: Any) -> ft.Control:
    """The preview, and the one confirmation."""
    sending, set_sending = ft.use_state(False)
    night = pending.consequence.night

    async def record(e: Any) -> None:
        if sending:
            return
        set_sending(True)
        change = pending.event.change
        pictures = pictures_of(session) if session.keeps_shots and is_hand(change) else ()
        done = await confirm(session, publish, pictures)
        set_sending(False)
        if done:
            if is_hand(change):
                session.clear()
            session.notice = session.t("confirm.done")
            session.form = None
            back = isinstance(change, RulesChanged) and not session.draft.is_empty
            await go("/check" if back else "/night")  # to the hand that asked for other rules

    async def another(e: Any) -> None:
        session.pending = replace(pending, alike=())

    async def leave(e: Any) -> None:
        session.pending = None
        await go("/night")

    async def same(e: Any) -> None:
        session.pending = session.form = None
        session.target = target_of(session.night) if session.night else None
        if is_hand(pending.event.change):
            session.clear()
        session.notice = session.t("confirm.same_done")
        await go("/night")

    async def one_more_winner(e: Any) -> None:
        change = pending.event.change
        assert isinstance(change, Played)
        assert session.night is not None
        wins = wins_of(change.case)
        aimed, pictures = target_of(session.night), pictures_of(session)
        session.pending = None
        session.target = replace(aimed, wins=wins, place=len(wins), pictures=pictures)
        session.clear()
        await go("/")

    change = pending.event.change
    entry, later = told(pending)
    body: list[ft.Control] = [
        *([Troubles(session)] if session.troubles else []),
        *([Trouble([session.rule(pending.wrong.text)])] if pending.wrong else []),
    ]
    if pending.alike:
        body.append(
            named(
                "alike",
                ft.Container(
                    ft.Column(
                        [
                            ft.Text(session.t("confirm.alike"), size=18, weight=ft.FontWeight.W_600),
                            *[EntryRow(session, known) for known in pending.alike[-3:]],
                        ],
                        tight=True,
                        spacing=4,
                    ),
                    bgcolor=ft.Colors.TERTIARY_CONTAINER,
                    border_radius=12,
                    padding=12,
                ),
                live_region=True,
            )
        )
    heading = {Corrected: "confirm.correct", Undone: "confirm.undo"}.get(type(change), "confirm.record")
    body += [
        ft.Text(session.t(heading), size=15, color=ft.Colors.ON_SURFACE_VARIANT),
        *([_entry(session, entry)] if entry else []),
    ]
    if later:
        body.append(ft.Text(session.t("confirm.later", n=len(later)), size=16, weight=ft.FontWeight.W_600))
        body += [_moved(session, before, after) for before, after in later[:FOLLOWING]]
        if len(later) > FOLLOWING:
            body.append(ft.Text(session.t("confirm.more", n=len(later) - FOLLOWING), size=14))
    body += [_totals(session, pending.consequence), _dealer(session, night.dealer)]
    if is_hand(change) and pictures_of(session):
        keeps = session.keeps_shots
        words = session.t("confirm.keep_photograph")
        body.append(chips([chip("keep-photograph", words, keeps, lambda: setattr(session, "keeps_shots", not keeps))]))
    several = isinstance(change, Played) and change.case.get("win_by") in ("discard", "rob_kong")
    several = several or (isinstance(change, Played) and change.case.get("kind") == "multi_win")
    if pending.alike:
        actions = [
            main_button(session, "same", session.t("confirm.same"), on_click=same),
            word_button(session, "another", session.t("confirm.another"), on_click=another, height=56),
        ]
    else:
        actions = [
            word_button(
                session,
                "confirm",
                session.t("confirm.yes"),
                ft.Icons.CHECK,
                record,
                kind=ft.FilledButton,
                height=60,
                size=18,
                disabled=sending or pending.wrong is not None,
            ),
            word_button(session, "leave", session.t("cancel"), on_click=leave, height=60),
        ]
        if several and len(wins_of(change.case)) < len(night.seats) - 1:  # type: ignore[union-attr]
            body.append(
                word_button(
                    session,
                    "one-more-winner",
                    session.t("confirm.one_more_winner"),
                    ft.Icons.PERSON_ADD,
                    one_more_winner,
                    kind=ft.TextButton,
                )
            )
    return Scroll(body, [ft.Row(actions, alignment=ft.MainAxisAlignment.CENTER, wrap=True, spacing=8, run_spacing=8)])


def is_hand(change: Change) -> bool:
    """Whether this records the hand that lies open; a kong that is noted in between leaves it there."""
    deed = change.by if isinstance(change, Corrected) else change
    return isinstance(deed, Played) and bool(wins_of(deed.case))


def told(pending: Pending) -> tuple[Entry | None, list[tuple[Entry | None, Entry]]]:
    """The entry that the event is about, as it will be, and every other entry whose money moves with it."""
    change, night = pending.event.change, pending.consequence.night
    about = change.event if isinstance(change, (Corrected, Undone)) else pending.event.id
    try:
        own: Entry | None = night.entry(about)
    except ValueError:  # an undo of an undo or of a correction: the entries that move speak for themselves
        own = None
    later = [(b, a) for b, a in pending.consequence.touched if own is None or a.event.id != own.event.id]
    return own, later


def _entry(session: Session, entry: Entry) -> ft.Control:
    return named(
        "about",
        ft.Container(
            ft.Column(
                [
                    ft.Text(title(session, entry), size=20, weight=ft.FontWeight.W_700, font_family=theme.NAMES_FONT),
                    *(
                        [ft.Text(net_words(session, entry.net), size=19, font_family=theme.NAMES_FONT)]
                        if moves_money(entry) and not entry.undone
                        else []
                    ),
                    *([ft.Text(session.t("entry.undone"), size=16)] if entry.undone else []),
                ],
                tight=True,
                spacing=2,
                horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            ),
            bgcolor=ft.Colors.PRIMARY_CONTAINER,
            border_radius=14,
            padding=14,
            alignment=ft.Alignment.CENTER,
        ),
        container=True,
    )


def _moved(session: Session, before: Entry | None, after: Entry) -> ft.Control:
    was = session.t("entry.nothing") if before is None or before.undone else net_words(session, before.net)
    if after.problem:
        now_ = session.t("entry.problem", why=session.rule(after.problem))
    else:
        now_ = session.t("entry.undone") if after.undone else net_words(session, after.net)
    return ft.Column(
        [
            ft.Text(
                session.t("confirm.hand", n=after.hand) + " · " + title(session, after),
                size=15,
                font_family=theme.NAMES_FONT,
            ),
            ft.Text(f"{was} → {now_}", size=15, font_family=theme.NAMES_FONT, weight=ft.FontWeight.W_600),
        ],
        tight=True,
        spacing=0,
    )


def _totals(session: Session, consequence: Consequence) -> ft.Control:
    night = consequence.night
    rows: list[ft.Control] = []
    for name in night.players:
        was, now_ = consequence.totals.get(name, (night.totals[name],) * 2)
        moved = was != now_
        rows.append(
            named(
                f"after-{name}",
                ft.Row(
                    [
                        MarkOf(night, name, 28),
                        ft.Container(NameText(name), expand=True),
                        ft.Text(
                            f"{_figure(was)} → {_figure(now_)}" if moved else _figure(now_),
                            size=18,
                            weight=ft.FontWeight.W_600 if moved else None,
                        ),
                    ]
                ),
                container=True,
            )
        )
    return ft.Container(
        ft.Column(rows, tight=True, spacing=4),
        bgcolor=ft.Colors.SURFACE_CONTAINER_HIGH,
        border_radius=12,
        padding=10,
    )


def _figure(total: int) -> str:
    return signed(total)


def _dealer(session: Session, name: str) -> ft.Control:
    return ft.Text(session.t("confirm.dealer", name=name), size=15, font_family=theme.NAMES_FONT)
