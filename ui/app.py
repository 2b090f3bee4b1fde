"""The app of one tab: its state, its theme, and which screen the address names.

The chain Scan, Check, How it was won, Result is four addresses, so the browser's back button goes one step back; Rules
and Settings stand beside it. What a person prefers, and the hand that lies open, is kept on the device."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import flet as ft

from scoring.ledger.events import LONGEST_NAME
from ui import draft as edits
from ui import teaching, theme
from ui.arrivals import tokens
from ui.browser_language import asked_for
from ui.calibrating import Calibrating
from ui.components.hook import named
from ui.device import LATE, answer, language_of
from ui.keys import on_key
from ui.nights import Starting
from ui.screens import night_routes, teach_routes
from ui.screens.check import Check, sheet_is_open
from ui.screens.result import Result
from ui.screens.rules import Rules, RulesPage
from ui.screens.scan import Scan
from ui.screens.settings import TEXT_SIZES, Settings
from ui.screens.won import Won
from ui.session import Session
from ui.table import House, stand
from ui.taking import Taking
from ui.texts import LANGUAGES

ROOTS = ("/", "/nights", "/rules", "/settings")
BACK = {
    "/check": "/",
    "/won": "/check",
    "/result": "/won",
    "/rules/page": "/rules",
    **night_routes.BACK,
    **teach_routes.BACK,
}
KEPT, OPEN, BEGUN = "hupai.preferences", "hupai.hand", "hupai.starting"
"""What the device keeps: what the person prefers, the hand that lies open, and the night that is about to begin (a
restart of the server loses none)."""


def where(session: Session, route: str) -> str:
    """The address that can really be shown: no result without a hand, no unknown page."""
    route = route.partition("?")[0].rstrip("/") or "/"
    if route in ("/won", "/result") and not stand(session.draft, session.house).scorable:
        return "/check" if not session.draft.is_empty else "/"
    route = teach_routes.where(session, route)
    return night_routes.where(session, route) if route in (*ROOTS, *BACK) else "/"


def preferences(session: Session) -> str:
    """What the device keeps, as text."""
    return json.dumps(
        {
            "language": session.language,
            "theme": session.theme,
            "text": session.text,
            "names": list(session.names),
            "house": session.starting_house.to_json(),
            "houses": [house.to_json() for house in session.houses],
            "keeps": session.keeps,
            "keeps_shots": session.keeps_shots,
            "tile_set": session.tile_set,
            "night": session.night.opening.id if session.night else "",
        }
    )


def recall(session: Session, text: str, before: str = "") -> None:
    """Take up what the device kept; anything in it that cannot be read (an older version's) is passed over, and so is
    whatever the person has chosen since `before`, the preferences of then: a busy browser answers late."""
    try:
        kept = json.loads(text)
        now = json.loads(preferences(session))
        kept |= {name: now[name] for name, then in json.loads(before or "{}").items() if now[name] != then}
        session.language = kept["language"] if kept.get("language") in LANGUAGES else session.language
        session.theme = kept["theme"] if kept.get("theme") in ("system", "light", "dark") else session.theme
        session.text = kept["text"] if kept.get("text") in TEXT_SIZES else session.text
        session.names = tuple(str(name)[:LONGEST_NAME] for name in kept.get("names", ()))[:4]
        session.houses = tuple(House.from_json(house) for house in kept.get("houses", ()))
        session.keeps_shots = kept.get("keeps_shots") is True
        session.keeps, session.tile_set = kept.get("keeps") is True, str(kept.get("tile_set", "auto"))
        session.start_with(House.from_json(kept["house"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return


@ft.component
def App(session: Session, keep: Any, taking: Taking, calibrating: Calibrating) -> list[ft.View]:
    """All of it, for the session of this tab."""
    page = ft.context.page
    route = where(session, session.route)

    async def go(to: str) -> None:
        await page.push_route(to)

    async def back(e: Any) -> None:
        session.troubles, session.notice = (), ""
        session.adding = False
        await go(BACK.get(route, "/"))

    async def root(e: Any) -> None:
        await go(ROOTS[e.control.selected_index])

    async def forget(e: Any) -> None:
        session.clear()
        session.houses, session.names, session.starting = (), (), Starting()
        session.start_with(House())
        await keep.remove(KEPT)
        await keep.remove(OPEN)
        await keep.remove(BEGUN)

    async def remember() -> None:
        if session.recalled:  # before that, the defaults would overwrite what is to be recalled
            await keep.set(KEPT, preferences(session))

    def dress() -> None:
        page.theme_mode = ft.ThemeMode(session.theme)
        page.update()

    async def remember_hand() -> None:
        if session.recalled:
            await keep.set(OPEN, edits.to_json(session.draft))

    async def remember_starting() -> None:
        if session.recalled:
            await keep.set(BEGUN, session.starting.to_json())

    ft.use_effect(remember_hand, [session.draft, session.recalled])
    ft.use_effect(remember_starting, [session.starting, session.recalled])
    ft.use_effect(session.play, [session.house])
    ft.use_effect(dress, [session.theme])
    night = session.night.opening.id if session.night else ""
    ft.use_effect(
        remember,
        [
            session.language,
            session.theme,
            session.text,
            session.names,
            session.starting_house,
            session.houses,
            night,
            session.keeps,
            session.keeps_shots,
            session.tile_set,
            session.recalled,
        ],
    )

    async def keep_corrections() -> None:
        if route == "/won" and session.keeps and session.open_photographs:
            await asyncio.to_thread(teaching.keep, session.draft, session.open_photographs)

    ft.use_effect(keep_corrections, [route])

    screens = {
        "/": lambda: Scan(session, taking, go),
        "/check": lambda: Check(session, go),
        "/won": lambda: Won(session, go),
        "/result": lambda: Result(session, go),
        "/rules": lambda: Rules(session, go),
        "/rules/page": lambda: RulesPage(session, go),
        "/settings": lambda: Settings(session, go, forget),
        **night_routes.screens(session, go, page),
        **teach_routes.screens(session, go, calibrating),
    }
    content = ft.Container(
        screens[route](),
        expand=True,
        padding=theme.GAP,
        alignment=ft.Alignment.TOP_CENTER,
        width=None if session.beside and route in ("/check", "/teach/set") else theme.PAGE,
    )
    return [
        ft.View(
            route="/",  # one fixed view: changing screens is instant, and the back button belongs to the address
            can_pop=False,
            padding=0,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            appbar=_bar(session, route, back),
            navigation_bar=_roots(session, route, root) if route in ROOTS else None,
            controls=[ft.SafeArea(content, expand=True)],
        )
    ]


def _bar(session: Session, route: str, back: Any) -> ft.AppBar:
    title = {"/rules/page": "/rules"}.get(route, route)
    actions: list[ft.Control] = []
    if route == "/check":
        history = session.history

        def undo(e: Any) -> None:
            session.history = session.history.undo()

        def redo(e: Any) -> None:
            session.history = session.history.redo()

        actions = [
            named(
                "undo",
                ft.IconButton(ft.Icons.UNDO, tooltip=session.t("undo"), disabled=not history.past, on_click=undo),
                label=session.t("undo"),
            ),
            named(
                "redo",
                ft.IconButton(ft.Icons.REDO, tooltip=session.t("redo"), disabled=not history.future, on_click=redo),
                label=session.t("redo"),
            ),
        ]
    if route in night_routes.UNDOABLE and session.night is not None:
        actions = night_routes.undo_and_redo(session, session.night)
    return ft.AppBar(
        leading=named(
            "back", ft.IconButton(ft.Icons.ARROW_BACK, tooltip=session.t("back"), on_click=back), session.t("back")
        )
        if route in BACK
        else None,
        automatically_imply_leading=False,
        title=ft.Text(session.t(f"title.{title}"), size=20, weight=ft.FontWeight.W_600),
        center_title=False,
        actions=actions,
    )


def _roots(session: Session, route: str, on_change: Any) -> ft.NavigationBar:
    return ft.NavigationBar(
        selected_index=ROOTS.index(route),
        on_change=on_change,
        destinations=[
            ft.NavigationBarDestination(icon=named(f"root-{name}", ft.Icon(icon)), label=session.t(f"title.{to}"))
            for name, icon, to in (
                ("scan", ft.Icons.PHOTO_CAMERA, "/"),
                ("nights", ft.Icons.SCOREBOARD, "/nights"),
                ("rules", ft.Icons.MENU_BOOK, "/rules"),
                ("settings", ft.Icons.SETTINGS, "/settings"),
            )
        ],
    )


async def main(page: ft.Page) -> None:
    """The entry of one tab; Flet calls it for every new session."""
    page.title = "胡牌 Hupai"
    page.padding = 0
    page.fonts = theme.own_font(page.web)
    page.theme, page.dark_theme = theme.theme(dark=False), theme.theme(dark=True)
    keep = ft.SharedPreferences()
    language = asked_for()
    session = Session(width=page.width or 400, height=page.height or 800, route=page.route or "/")
    session.language = language or session.language

    def resized(e: Any) -> None:
        session.width, session.height = page.width or session.width, page.height or session.height

    taking = Taking(page, session, page.push_route)

    async def routed(e: Any) -> None:
        on_top = where(session, session.route) == "/check" and sheet_is_open(session)
        session.picked, session.sheet = None, ""
        if on_top and not e.route.startswith("/check"):
            return await page.push_route("/check")  # the browser's back button closes what lies on top, no more
        if e.route.partition("?")[0] in ROOTS:  # what was just done elsewhere is no news here
            session.notice = ""
        session.route = e.route
        session.write(False)
        await taking.arrived(tokens(e.route))

    async def typed(e: ft.KeyboardEvent) -> None:
        listening = where(session, session.route) == "/check" and not session.writing
        if listening and on_key(session, e.key, ctrl=e.ctrl or e.meta, shift=e.shift):
            await page.push_route("/won")

    page.on_resize = resized
    page.on_keyboard_event = typed
    page.on_route_change = routed
    page.render_views(App, session, keep, taking, Calibrating(page, session, page.push_route))
    night_routes.follow(session, page)
    page.run_task(take_up, page, session, keep, language)


async def take_up(page: ft.Page, session: Session, keep: ft.SharedPreferences, language: str) -> None:
    """Ask the device for what it keeps, and for its `language` where its browser has not said it. It may answer late,
    or have gone: the page that comes anew when the server does leaves one behind. Flet thinks a tab broken that goes
    while its entry (`main`) still waits."""
    before, first = preferences(session), session.language
    if not language:
        language = await language_of(page)
        if session.language == first:
            session.language = language
            before = json.dumps({**json.loads(before), "language": language})
    kept, hand = await answer(lambda: keep.get(KEPT)), await answer(lambda: keep.get(OPEN))
    if isinstance(kept, str):
        recall(session, kept, before)
        await night_routes.recall(session, kept)
    if isinstance(hand, str) and session.draft.is_empty:
        session.history = edits.History(edits.from_json(hand))
    begun = await answer(lambda: keep.get(BEGUN))
    if isinstance(begun, str) and session.starting == Starting():
        session.starting = Starting.from_json(begun)
    session.recalled = LATE not in (kept, hand, begun)
    page.fonts = {**theme.own_font(page.web), theme.NAMES_FONT: theme.NAMES_FONT_FILE}
    page.schedule_update()  # which, other than `update`, may find nobody there
