"""The check screen by keyboard, for whoever types faster than they point.

A digit and a suit letter are a tile (`5` `s`), a letter alone is an honour (`e`, `s`, `w`, `n`, `c`, `f`, `p`). It
changes the tile under the cursor; without a cursor it is one more tile, so a whole hand can be typed. `press` is pure:
what one key does to the hand; `on_key` applies it to the tab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ui import draft as edits
from ui.draft import Draft, MeldKind, Piece
from ui.session import Session
from ui.table import stand
from vision.result import UNKNOWN

Command = Literal["", "undo", "redo", "next", "look", "doubt", "close"]


@dataclass(frozen=True)
class Pressed:
    """After a key: the hand, where the cursor stands, the digit that waits for its suit, and what else to do."""

    draft: Draft
    cursor: int | None = None
    digit: str = ""
    command: Command = ""


def walk(draft: Draft) -> list[Piece]:
    """The tiles in the order in which the screen shows them: the winning tile last of the hand's own."""
    own = sorted(draft.concealed, key=lambda p: p.id == draft.winning)
    return [*own, *(p for group in draft.melds for p in group.pieces), *draft.flowers, *draft.aside]


def press(was: Pressed, key: str, *, ctrl: bool, tiles: Sequence[str], kinds: Sequence[MeldKind], size: int) -> Pressed:
    """What `key` (as Flet calls it: `Arrow Left`, `5`, `S`, `Delete`) does. `tiles` and `kinds` are the game's, `size`
    is that of a whole hand."""
    draft, cursor = was.draft, was.cursor if any(p.id == was.cursor for p in walk(was.draft)) else None
    now, key = Pressed(draft, cursor), key.removeprefix("Numpad ")
    if ctrl:
        shortcuts: dict[str, Command] = {"Z": "undo", "Y": "redo", "Enter": "next"}
        return replace(now, command=shortcuts.get(key, ""))
    if len(key) == 1 and key.isdecimal():
        return replace(now, digit=key)
    tile = was.digit + key.lower() if was.digit else key
    if tile in tiles:
        if cursor is not None:
            return replace(now, draft=edits.change(draft, cursor, tile))
        return replace(now, draft=edits.fill(draft, tile, size))
    if key in ("Arrow Left", "Arrow Right", "Home", "End"):
        return replace(now, cursor=_step(walk(draft), cursor, key))
    if key == "Escape":
        return Pressed(draft, None, command="close")
    if key == "D":
        return replace(now, command="doubt")
    if cursor is None:
        # without a cursor, what was typed last is what one takes away
        last = max((piece.id for piece in draft.concealed), default=None)
        return Pressed(edits.remove(draft, last)) if key == "Backspace" and last is not None else now
    return _at(now, cursor, key, kinds)


def _at(now: Pressed, cursor: int, key: str, kinds: Sequence[MeldKind]) -> Pressed:
    """Keys that do something with the tile under the cursor."""
    draft = now.draft
    inside = any(p.id == cursor for p in draft.concealed)
    match key:
        case "Delete" | "Backspace":
            rest = [p.id for p in walk(draft)]
            at = rest.index(cursor)
            beside = (rest[at + 1 :] or rest[:at][-1:] or [None])[0]
            return Pressed(edits.remove(draft, cursor), beside)
        case "+" | "=" | "Add" if inside:
            return replace(now, draft=edits.mark_winning(draft, None if draft.winning == cursor else cursor))
        case "[" if inside:
            found = edits.declarable(draft, cursor, kinds)
            return replace(now, draft=edits.declare(draft, found[0].kind, found[0].identities)) if found else now
        case "]":
            meld = next((i for i, g in enumerate(draft.melds) if any(p.id == cursor for p in g.pieces)), None)
            if meld is not None:
                return replace(now, draft=edits.take_back(draft, meld))
            return replace(now, draft=edits.to_hand(draft, cursor))
        case "K":
            return replace(now, draft=_next_kind(draft, cursor, kinds))
        case "A":
            there = any(p.id == cursor for p in draft.aside)
            return replace(now, draft=edits.bring_back(draft, cursor) if there else edits.set_aside(draft, cursor))
        case "Enter":
            piece = draft.piece(cursor)
            if piece.doubt and piece.tile != UNKNOWN:
                return replace(now, draft=edits.confirm(draft, cursor))
            return replace(now, command="look")
        case _:
            return now


def _step(pieces: Sequence[Piece], cursor: int | None, key: str) -> int | None:
    if not pieces:
        return None
    ids = [p.id for p in pieces]
    if key in ("Home", "End") or cursor is None:
        return ids[0] if key in ("Home", "Arrow Right") else ids[-1]
    return ids[(ids.index(cursor) + (1 if key == "Arrow Right" else -1)) % len(ids)]


def _next_kind(draft: Draft, cursor: int, kinds: Sequence[MeldKind]) -> Draft:
    """The set under the cursor as the next kind that its tiles can be."""
    for index, group in enumerate(draft.melds):
        if any(p.id == cursor for p in group.pieces):
            able = [k for k in kinds if (k == "chow") == (len({p.tile for p in group.pieces}) > 1)]
            if group.kind in able:
                return edits.set_kind(draft, index, able[(able.index(group.kind) + 1) % len(able)])
    return draft


def on_key(session: Session, key: str, *, ctrl: bool = False, shift: bool = False) -> bool:
    """One key on the check screen. True when it asks for the next screen and the hand is ready for it."""
    looking = session.sheet in ("tile", "doubt")
    was = Pressed(session.draft, session.picked if looking else session.cursor, session.digit)
    command_key = "Y" if ctrl and shift and key == "Z" else key
    house = session.house
    now = press(was, command_key, ctrl=ctrl, tiles=house.tiles, kinds=house.meld_kinds, size=house.hand_size)
    session.digit = now.digit
    if now.draft != was.draft:
        session.edit(now.draft)
    if looking:
        if now.draft != was.draft:
            left = now.draft.doubts if session.sheet == "doubt" else ()
            session.picked, session.sheet = (left[0].id, "doubt") if left else (None, "")
        elif now.command == "close":
            session.picked, session.sheet = None, ""
        return False
    session.cursor = now.cursor
    match now.command:
        case "undo":
            session.history = session.history.undo()
        case "redo":
            session.history = session.history.redo()
        case "look":
            session.picked, session.sheet = now.cursor, "tile"
        case "doubt" if session.draft.doubts:
            session.picked, session.sheet = session.draft.doubts[0].id, "doubt"
        case "next":
            return stand(session.draft, house).scorable
    return False
