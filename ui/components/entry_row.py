"""One line of the night's log: what happened, who won or lost how much by it, and whether it still counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import flet as ft

from scoring.ledger.events import Adjusted, Paid, Played, RulesChanged, Seated
from scoring.ledger.night import NOBODY, Entry
from scoring.ledger.playing import fixed_rules, rules_at
from ui import theme
from ui.components.hook import named
from ui.components.payment_arrows import signed
from ui.session import Session


def clock(at: str) -> str:
    """The time of an event where this machine stands: 21:05."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M")
    except ValueError:  # somebody's own file may say anything
        return ""


def joined(session: Session, names: list[str] | tuple[str, ...]) -> str:
    """Names in a row, as the language joins them."""
    return (", " if session.language == "en" else "、").join(names)


def whose(session: Session, name: str) -> str:
    """A player by name, or the pot."""
    return session.t("seat.bank") if name == NOBODY else name


def title(session: Session, entry: Entry) -> str:
    """What happened, in a few words and with names."""
    deed, seats = entry.deed, entry.seats

    def name(seat: object) -> str:
        return seats[seat] if isinstance(seat, int) and 0 <= seat < len(seats) else "?"

    match deed:
        case Played(case):
            said = case.get("circumstances") or {}
            match case.get("kind", "win"):
                case "win":
                    if case.get("win_by", "self_draw") == "self_draw":
                        return session.t("entry.self_draw", name=name(case.get("winner", 0)))
                    key = "entry.robbed" if case["win_by"] == "rob_kong" else "entry.discard"
                    return session.t(key, name=name(case.get("winner", 0)), other=name(said.get("discarder")))
                case "multi_win":
                    wins = case.get("wins") or [{}]
                    discarder = {**said, **(wins[0].get("circumstances") or {})}.get("discarder")
                    winners = joined(session, [name(won.get("winner")) for won in wins])
                    return session.t("entry.several", names=winners, other=name(discarder))
                case "kong":
                    kongs = [
                        session.t("entry.kong", name=name(k.get("seat")), kind=session.t(f"kind.{k.get('kind')}"))
                        for k in case.get("kongs") or ()
                    ]
                    return joined(session, kongs)
                case "escape":
                    return session.t("entry.escape", name=name(said.get("escapee")))
                case _:
                    return session.t("entry.draw")
        case Adjusted(_, note):
            return note or session.t("entry.adjusted")
        case Seated(names, _):
            return session.t("entry.seated", names=joined(session, names))
        case RulesChanged(rules):
            return session.t("entry.rules", title=session.rule(fixed_rules(rules).title))
        case Paid(payer, receiver, amount, note):
            words = session.t("entry.paid", payer=payer, receiver=receiver, amount=amount)
            return f"{words} · {note}" if note else words


def rules_title(session: Session, entry: Entry) -> str:
    """What the rules of this entry are called."""
    choice = rules_at(entry.deed.case, entry.rules) if isinstance(entry.deed, Played) else entry.rules
    return session.rule(fixed_rules(choice).title)


def net_words(session: Session, net: Mapping[str, int]) -> str:
    """Who won and who lost: 阿明 +10, Bo −5."""
    moved = sorted((item for item in net.items() if item[1]), key=lambda item: -item[1])
    return "  ".join(f"{name} {signed(amount)}" for name, amount in moved) or session.t("entry.nothing")


def moves_money(entry: Entry) -> bool:
    """Whether it is about points at all: somebody who sits down moves none."""
    return not isinstance(entry.deed, (Seated, RulesChanged, Paid))


def EntryRow(session: Session, entry: Entry, on_click: Callable[[Any], Any] | None = None) -> ft.Control:
    """The line. One that does not count is struck through and says why."""
    state = ""
    if entry.undone:
        state = session.t("entry.undone")
    elif entry.problem:
        state = session.t("entry.problem", why=session.rule(entry.problem))
    elif entry.corrections:
        state = session.t("entry.corrected")
    off = entry.undone or entry.problem is not None
    hand = entry.outcome is not None and entry.outcome.ends_hand
    words: list[ft.Control] = [
        ft.Text(
            title(session, entry),
            size=16,
            weight=ft.FontWeight.W_600,
            font_family=theme.NAMES_FONT,
            style=ft.TextStyle(decoration=ft.TextDecoration.LINE_THROUGH) if off else None,
        )
    ]
    if moves_money(entry) and not off:
        words.append(ft.Text(net_words(session, entry.net), size=15, font_family=theme.NAMES_FONT))
    if state:
        colour = ft.Colors.ERROR if entry.problem and not entry.undone else ft.Colors.ON_SURFACE_VARIANT
        words.append(ft.Text(state, size=13, color=colour, font_family=theme.NAMES_FONT))
    return named(
        f"entry-{entry.event.id}",
        ft.Container(
            ft.Row(
                [
                    ft.Column(
                        [
                            ft.Text(str(entry.hand) if hand else "·", size=17, weight=ft.FontWeight.W_700),
                            ft.Text(clock(entry.event.at), size=12, color=ft.Colors.ON_SURFACE_VARIANT),
                        ],
                        spacing=0,
                        tight=True,
                        width=44 * max(100, session.text * 0.85) / 100,
                        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
                    ),
                    ft.Column(words, spacing=1, tight=True, expand=True),
                    *([ft.Icon(ft.Icons.CHEVRON_RIGHT, color=ft.Colors.ON_SURFACE_VARIANT)] if on_click else []),
                ],
                spacing=8,
            ),
            padding=ft.Padding.symmetric(vertical=8, horizontal=6),
            border_radius=10,
            on_click=on_click,
            ink=on_click is not None,
        ),
        button=on_click is not None,
    )
