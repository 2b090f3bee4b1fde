"""Rules: every game and preset with a page made from the ruleset itself, and the house's own changes to it."""

from __future__ import annotations

from typing import Any

import flet as ft

from scoring import Element, Hand, RulesError, rulesets
from scoring.examples import EXAMPLES
from scoring.rules import legend, source_text
from ui import theme
from ui.components.button import word_button
from ui.components.hook import named
from ui.components.option_field import OptionField
from ui.components.scroll import Scroll
from ui.components.tile_face import TileFace
from ui.components.trouble import Trouble
from ui.components.written import Written
from ui.session import Session
from ui.table import House


@ft.component
def Rules(session: Session, go: Any) -> ft.Control:
    """Systems and presets, with a search over names, elements and switches."""
    search, set_search = ft.use_state("")

    def choose(house: House) -> None:
        session.start_with(house)

    def forget(house: House) -> None:
        session.houses = tuple(h for h in session.houses if h != house)

    async def open_page(e: Any) -> None:
        await go("/rules/page")

    cards: list[ft.Control] = [
        _card(session, h, h.name, session.rule(h.rules.title), choose, open_page, forget, theme.NAMES_FONT)
        for h in session.houses
    ]
    for system in rulesets():
        found = [p for p in system.presets.values() if matches(session, search, system, p)]
        if found:
            cards.append(ft.Text(session.rule(system.title), size=20, weight=ft.FontWeight.W_600))
        cards += [_card(session, House(p.name), session.rule(p.title), p.name, choose, open_page) for p in found]
    return Scroll(
        [
            Written("search", session.t("rules.search"), on_change=set_search),
            *cards,
        ]
    )


def matches(session: Session, search: str, system: Any, preset: Any) -> bool:
    """Does it have this word, in Chinese, in English, or as this tab shows it (in traditional characters)?"""
    wanted = search.strip().lower()
    if not wanted:
        return True
    names = [preset.title, system.title, *(e.name for e in system.elements), *(o.text for o in system.options)]
    words = [preset.name, system.name, *(part.id for part in system.elements), *(part.name for part in system.options)]
    words += [word for name in names for word in (*name, session.rule(name))]
    return any(wanted in word.lower() for word in words)


def _card(
    session: Session,
    house: House,
    title: str,
    below: str,
    choose: Any,
    open_page: Any,
    forget: Any = None,
    font_family: str | None = None,
) -> ft.Control:
    picked = house == session.starting_house

    async def open_it(e: Any) -> None:
        choose(house)
        await open_page(e)

    return named(
        f"preset-{house.name or house.preset}",
        ft.Container(
            ft.Row(
                [
                    ft.Icon(ft.Icons.CHECK_CIRCLE if picked else ft.Icons.CIRCLE_OUTLINED, color=ft.Colors.PRIMARY),
                    ft.Column(
                        [
                            ft.Text(title, size=17, weight=ft.FontWeight.W_600, font_family=font_family),
                            ft.Text(below, size=13, color=ft.Colors.ON_SURFACE_VARIANT),
                        ],
                        spacing=0,
                        expand=True,
                        tight=True,
                    ),
                    *(
                        [
                            ft.IconButton(
                                ft.Icons.DELETE_OUTLINE,
                                tooltip=session.t("rules.forget"),
                                on_click=lambda e: forget(house),
                            )
                        ]
                        if forget
                        else []
                    ),
                    named(
                        f"open-{house.name or house.preset}",
                        ft.IconButton(
                            ft.Icons.CHEVRON_RIGHT,
                            width=48,
                            height=48,
                            tooltip=session.t("rules.open"),
                            on_click=open_it,
                        ),
                    ),
                ]
            ),
            bgcolor=ft.Colors.PRIMARY_CONTAINER if picked else ft.Colors.SURFACE_CONTAINER_HIGH,
            border_radius=12,
            padding=ft.Padding.only(left=14, right=4, top=4, bottom=4),
            on_click=lambda e: choose(house),
            ink=True,
        ),
        label=f"{title}, {below}",
        button=True,
        selected=picked,
    )


@ft.component
def RulesPage(session: Session, go: Any) -> ft.Control:
    """One preset: its elements, its switches, and the house's changes."""
    house = session.starting_house
    table = house.rules
    name: Any = ft.use_ref(lambda: house.name)  # no state: a tap may come before the page was drawn anew
    pasted, set_pasted = ft.use_state("")
    imports, set_imports = ft.use_state(0)
    trouble, set_trouble = ft.use_state("")
    clipboard = ft.use_memo(lambda: ft.Clipboard(), [])
    plain = House(house.preset).rules

    files = ft.use_memo(lambda: ft.FilePicker(), [])
    page = ft.context.page

    def change(option: str, value: Any) -> None:
        try:
            session.start_with(session.starting_house.changed(option, value))
        except RulesError as wrong:
            set_trouble(" ".join(session.rule(problem.text) for problem in wrong.problems))
        else:
            set_trouble("")

    def set_name(typed: str) -> None:
        name.current = typed

    def save(e: Any) -> None:
        now = session.starting_house
        kept = House(now.preset, now.changes, name.current.strip()[:40] or session.t("rules.own"))
        session.houses = (*(h for h in session.houses if h.name != kept.name), kept)
        session.start_with(kept)

    async def export(e: Any) -> None:
        await clipboard.set(session.starting_house.to_toml(_called()))
        set_trouble("")

    async def save_file(e: Any) -> None:
        """As a file: a browser saves it, a phone's own app hands it on."""
        text = session.starting_house.to_toml(_called()).encode()
        if page.web:
            await files.save_file(file_name="hupai-rules.toml", src_bytes=text)
        else:
            await ft.Share().share_files([ft.ShareFile(data=text, mime_type="text/plain", name="hupai-rules.toml")])

    def _called() -> str:
        return name.current.strip()[:40] or house.name or session.t("rules.own")

    def bring_in(e: Any) -> None:
        try:
            session.start_with(House.from_text(pasted))
        except (ValueError, KeyError, TypeError, AttributeError):
            set_trouble(session.t("rules.bad_import"))
        else:
            set_pasted("")
            set_imports(imports + 1)
            set_trouble("")

    return Scroll(
        [
            ft.Text(
                house.name or session.rule(table.title),
                size=24,
                weight=ft.FontWeight.W_700,
                font_family=theme.NAMES_FONT if house.name else None,
            ),
            ft.Text(
                session.t("rules.table", players=table.players, tiles=len(table.tiles)),
                size=15,
                color=ft.Colors.ON_SURFACE_VARIANT,
            ),
            *([Trouble([trouble])] if trouble else []),
            ft.Text(session.t("rules.elements"), size=20, weight=ft.FontWeight.W_600),
            *[_element(session, e, table.flat) for e in table.ruleset.elements],
            ft.Text(session.t("rules.options"), size=20, weight=ft.FontWeight.W_600),
            *[
                OptionField(
                    session,
                    option,
                    table.flat[option.name],
                    plain.flat[option.name],
                    lambda value, o=option.name: change(o, value),
                )
                for option in table.ruleset.options
            ],
            named("sources", _sources(session, table)),
            ft.Text(session.t("rules.house"), size=20, weight=ft.FontWeight.W_600),
            Written(
                "house-name",
                session.t("rules.name"),
                house.name,
                on_change=set_name,
                text_style=ft.TextStyle(font_family=theme.NAMES_FONT),
            ),
            ft.Row(
                [
                    word_button(
                        session,
                        "house-save",
                        session.t("rules.save"),
                        ft.Icons.SAVE,
                        save,
                        kind=ft.FilledButton,
                        height=52,
                    ),
                    word_button(
                        session, "house-export", session.t("rules.export"), ft.Icons.CONTENT_COPY, export, height=52
                    ),
                    word_button(
                        session, "house-file", session.t("rules.file"), ft.Icons.FILE_DOWNLOAD, save_file, height=52
                    ),
                ],
                wrap=True,
            ),
            Written(
                "house-paste",
                session.t("rules.import"),
                on_change=set_pasted,
                made=imports,
                multiline=True,
                min_lines=2,
                max_lines=8,
            ),
            word_button(
                session,
                "house-import",
                session.t("rules.import_do"),
                ft.Icons.DOWNLOAD,
                bring_in,
                height=52,
                disabled=not pasted,
            ),
        ]
    )


def _sources(session: Session, table: Any) -> ft.Control:
    """What the short names of the sources above stand for."""
    carried = (*table.ruleset.elements, *table.ruleset.options)
    lines = [session.rule(line) for line in legend(part.source for part in carried)]
    return ft.Text("\n".join(lines), size=12, color=ft.Colors.ON_SURFACE_VARIANT)


def _example(session: Session, element: Element) -> list[ft.Control]:
    """A hand that shows the element, drawn small: melds apart, the winning tile last and framed."""
    text = EXAMPLES.get(session.starting_house.rules.ruleset.name, {}).get(element.id)
    if text is None:
        return []
    hand = Hand.parse(text)
    groups = [hand.concealed, *(meld.tiles for meld in hand.melds)]
    faces = [
        ft.Row([TileFace(t, session.language, width=20) for t in tiles], spacing=1, tight=True) for tiles in groups
    ]
    last = TileFace(hand.winning_tile or "", session.language, width=20, winning=session.t("check.win_badge"))
    return [ft.Row([*faces, last], wrap=True, spacing=5, run_spacing=4)]


def _element(session: Session, element: Element, flat: Any) -> ft.Control:
    value = next((v for key, v in flat.items() if key.endswith(f".{element.id}")), element.value)
    return named(
        f"element-{element.id}",
        ft.Row(
            [
                ft.Column(
                    [
                        ft.Text(session.rule(element.name), size=17, weight=ft.FontWeight.W_600),
                        ft.Text(session.rule(element.condition), size=14, color=ft.Colors.ON_SURFACE_VARIANT),
                        ft.Text(session.rule(source_text(element.source)), size=12, color=ft.Colors.ON_SURFACE_VARIANT),
                        *_example(session, element),
                    ],
                    spacing=0,
                    expand=True,
                    tight=True,
                ),
                ft.Text(
                    "–" if value is None else session.rule(element.shown(value)), size=18, weight=ft.FontWeight.W_700
                ),
            ]
        ),
    )
