"""The log of a night: every line of it, a few at a time as the thumb comes to them; and one line looked at closely."""

from __future__ import annotations

from typing import Any

import flet as ft

from scoring import Score, Settlement
from scoring.ledger.events import Corrected, LedgerError, Played, Undone
from scoring.ledger.night import Entry, Night
from ui import theme
from ui.components.button import word_button
from ui.components.entry_row import EntryRow, clock, moves_money, net_words, rules_title, title
from ui.components.hook import named
from ui.components.payment_arrows import PaymentArrows
from ui.components.receipt import Receipt
from ui.components.scroll import Scroll
from ui.components.tile_face import TileFace
from ui.components.tile_row import TileRow, tile_width
from ui.components.trouble import Trouble, Troubles
from ui.components.written import Written
from ui.draft import History
from ui.nights import Form, kept_pictures, lend, opened_hand, propose, target_for, win_of, wins_of
from ui.session import Seated, Session

PAGE = 60
"""Lines that are sent to the phone at once; more come when the thumb gets near their end."""


@ft.component
def NightLog(session: Session, night: Night, go: Any) -> ft.Control:
    """All lines, latest first. Of ten thousand, the phone gets those it shows."""
    shown, set_shown = ft.use_state(PAGE)
    top, set_top = ft.use_state(0)
    asked: Any = ft.use_ref(lambda: 0)

    def looking(event: str) -> Any:
        async def open_entry(e: Any) -> None:
            session.entry, session.troubles, session.notice = event, (), ""
            await go("/night/entry")

        return open_entry

    def scrolled(e: ft.OnScrollEvent) -> None:
        near = e.max_scroll_extent - e.pixels < 600
        if near and asked.current < shown and top + shown < len(night.entries):
            asked.current = shown
            set_shown(shown + PAGE)

    def jump(words: str) -> None:
        """Go to a hand: the first line that belongs to it comes to the top, with a few later ones before it."""
        wanted = int(words) if words.strip().isdigit() else None
        place = next((i for i, entry in enumerate(night.entries) if wanted is not None and entry.hand >= wanted), None)
        asked.current = 0
        set_shown(PAGE)
        set_top(max(0, len(night.entries) - 1 - place) if place is not None else 0)

    latest_first = night.entries[::-1][top : top + shown]
    return ft.Column(
        [
            Written(
                "jump",
                session.t("log.jump", n=max(1, night.hands)),
                on_submit=jump,
                keyboard_type=ft.KeyboardType.NUMBER,
            ),
            ft.ListView(
                [EntryRow(session, entry, looking(entry.event.id)) for entry in latest_first],
                expand=True,
                divider_thickness=1,
                scroll_interval=200,
                on_scroll=scrolled,
            ),
        ],
        expand=True,
        spacing=theme.GAP,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


@ft.component
def EntryPage(session: Session, night: Night, event: str, go: Any) -> ft.Control:
    """One line: its receipt, its payments, and the ways to put it right."""
    entry = night.entry(event)
    then = Seated(session, entry.seats)
    width = min(session.width, theme.PAGE) - 2 * theme.GAP
    pictures, set_pictures = ft.use_state(())

    async def undo(e: Any) -> None:
        if await propose(session, Undone(entry.event.id)):
            await go("/night/confirm")

    async def redo(e: Any) -> None:
        undone = next(
            known.id
            for known in reversed(night.events)
            if isinstance(known.change, Undone) and known.change.event == entry.event.id
        )
        if await propose(session, Undone(undone)):
            await go("/night/confirm")

    def edit(place: int) -> Any:
        async def open_hand(e: Any) -> None:
            session.troubles = ()
            if wins:
                lay_open(session, night, entry, place)
                await go("/check")
            else:
                session.form = Form(form_of(entry), entry.event.id)
                await go("/night/record")

        return open_hand

    async def look_for_pictures() -> None:
        set_pictures(await kept_pictures(night, entry))

    ft.use_effect(look_for_pictures, [event, len(night.events)])

    wins = wins_of(entry.deed.case) if isinstance(entry.deed, Played) else ()
    body: list[ft.Control] = [
        *([Troubles(session)] if session.troubles else []),
        ft.Text(title(session, entry), size=22, weight=ft.FontWeight.W_700, font_family=theme.NAMES_FONT),
        ft.Text(
            session.t("entry.when", n=entry.hand, time=clock(entry.event.at), dealer=entry.dealer)
            + " · "
            + rules_title(session, entry),
            size=14,
            color=ft.Colors.ON_SURFACE_VARIANT,
            font_family=theme.NAMES_FONT,
        ),
    ]
    if entry.undone:
        body.append(ft.Text(session.t("entry.undone"), size=16, weight=ft.FontWeight.W_600))
    if entry.problem and not entry.undone:
        body.append(Trouble([session.t("entry.problem", why=then.rule(entry.problem))]))
    if entry.corrections:
        body.append(ft.Text(_was(session, night, entry), size=14, font_family=theme.NAMES_FONT))
    if moves_money(entry):
        body.append(named("net", ft.Text(net_words(session, entry.net), size=19, font_family=theme.NAMES_FONT)))
    for place, case in enumerate(wins):
        if len(wins) > 1:
            words = session.t("result.wins", name=then.name(case.get("winner", 0)))
            body.append(ft.Text(words, size=18, weight=ft.FontWeight.W_600, font_family=theme.NAMES_FONT))
        body += _receipt(session, then, case, entry, width)
        if len(wins) > 1 and not entry.undone:
            body.append(word_button(session, f"edit-{place}", session.t("entry.edit_hand"), ft.Icons.EDIT, edit(place)))
    if entry.outcome is not None and entry.outcome.transfers:
        body += [
            ft.Text(session.t("result.payments"), size=20, weight=ft.FontWeight.W_600),
            PaymentArrows(then, Settlement(len(entry.seats), entry.outcome.transfers)),
        ]
    body += [
        named(
            f"photograph-{number}",
            ft.Image(
                src=picture,
                width=width,
                border_radius=12,
                gapless_playback=True,
                semantics_label=session.t("entry.photograph", n=entry.hand),
            ),
        )
        for number, picture in enumerate(pictures)
    ]
    doing: list[ft.Control] = []
    if entry.undone:
        doing.append(word_button(session, "redo-entry", session.t("entry.redo"), ft.Icons.REDO, redo))
    else:
        if len(wins) <= 1:
            doing.append(word_button(session, "edit", session.t("entry.edit"), ft.Icons.EDIT, edit(0)))
        doing.append(word_button(session, "undo-entry", session.t("entry.undo"), ft.Icons.UNDO, undo))
    return Scroll(
        body,
        [ft.Row(doing, wrap=True, spacing=8, run_spacing=8, alignment=ft.MainAxisAlignment.CENTER)],
        align=ft.CrossAxisAlignment.START,
    )


def lay_open(session: Session, night: Night, entry: Entry, place: int) -> None:
    """Open a recorded hand in the screens where a hand is put right; recording it then corrects the entry."""
    assert isinstance(entry.deed, Played)
    house, draft, said, winner = opened_hand(wins_of(entry.deed.case)[place], entry)
    session.clear()
    session.target = target_for(night, entry, place)
    lend(session, house)
    session.history = History(draft)
    session.said, session.winner = said, winner


def form_of(entry: Entry) -> str:
    """The form in which an entry without tiles is typed."""
    if isinstance(entry.deed, Played):
        return str(entry.deed.case.get("kind"))
    return {"Adjusted": "adjust", "Paid": "pay", "Seated": "seats", "RulesChanged": "rules"}[type(entry.deed).__name__]


def _was(session: Session, night: Night, entry: Entry) -> str:
    """When it was put right, and what stood there first."""
    last = next(known for known in reversed(night.events) if known.id == entry.corrections[-1])
    assert isinstance(last.change, Corrected)
    return session.t("entry.corrected_at", time=clock(last.at), n=len(entry.corrections))


def _receipt(session: Session, then: Any, case: Any, entry: Entry, width: float) -> list[ft.Control]:
    """The tiles and the lines of one winner's hand, worked out again by the rules of that moment."""
    try:
        rules, win = win_of(case, entry)
        score = rules.score(win)
    except (LedgerError, ValueError):  # the entry says itself why it cannot be played
        return []
    tiles = [*win.hand.concealed, *(tile for meld in win.hand.melds for tile in meld.tiles), *win.hand.flowers]
    face = min(40, tile_width(width, 14))
    row = TileRow(
        [
            *[TileFace(tile, session.language, width=face) for tile in tiles],
            *(
                [TileFace(win.hand.winning_tile, session.language, width=face, winning=session.t("check.win_badge"))]
                if win.hand.winning_tile
                else []
            ),
        ]
    )
    return [row, Receipt(then, score, None, lambda i: None)] if isinstance(score, Score) else [row]
