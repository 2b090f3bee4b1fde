"""Which rules are played: the picked one, and behind a tap all others, the house's own first."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from scoring import rulesets
from ui import theme
from ui.components.answer import chip, chips
from ui.components.button import word_button
from ui.session import Session
from ui.table import House


def house_title(session: Session, house: House) -> str:
    """What these rules are called."""
    return house.name or session.rule(house.rules.title)


def own_rules(session: Session) -> tuple[House, ...]:
    """The house's own rules: what the device starts with, if changed, and those that were kept under a name."""
    own = tuple(house for house in session.houses if house.name)
    start = session.starting_house
    return (start, *own) if start.changes and start not in own else own


@ft.component
def RulesPicker(session: Session, picked: House, on_pick: Callable[[House], None]) -> ft.Control:
    """A button with the picked rules' name; it opens the choice."""
    choosing, set_choosing = ft.use_state(False)

    def pick(house: House) -> None:
        set_choosing(False)
        on_pick(house)

    own = list(own_rules(session))
    rows: list[ft.Control] = []
    if choosing:
        groups = [(session.t("rules.own"), own)] if own else []
        groups += [(session.rule(s.title), [House(name) for name in s.presets]) for s in rulesets()]
        for words, houses in groups:
            rows.append(ft.Text(words, size=15, color=ft.Colors.ON_SURFACE_VARIANT))
            rows.append(
                chips(
                    [
                        chip(
                            f"rules-{house.name or house.preset}",
                            session.t("starting.rules_seats", title=house_title(session, house), n=house.players),
                            house == picked,
                            lambda house=house: pick(house),
                            theme.NAMES_FONT if house.name else None,
                        )
                        for house in houses
                    ]
                )
            )
    return ft.Column(
        [
            word_button(
                session,
                "rules",
                session.t("starting.rules_seats", title=house_title(session, picked), n=picked.players),
                ft.Icons.EXPAND_LESS if choosing else ft.Icons.MENU_BOOK,
                lambda e: set_choosing(not choosing),
                font_family=theme.NAMES_FONT if picked.name else None,
            ),
            *rows,
        ],
        spacing=8,
        tight=True,
    )
