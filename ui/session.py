"""What one open tab knows: the photographs, the hand, how it was won, and what the person prefers.

Everything in here is a frozen value that is replaced, never changed in place, so that a screen redraws exactly when
something it shows has become different. The functions that compute those values live in `draft.py` and `table.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import flet as ft

from scoring import Text
from scoring.ledger.events import Opening
from scoring.ledger.night import Night
from ui.draft import Draft, History, in_game, sort
from ui.nights import Form, Pending, Starting, Target, fresh_hand
from ui.table import House, Said
from ui.texts import rule_text, text, tile_name
from ui.theme import LARGE_TEXT, LOW, LYING, NAMES_FONT, WIDE
from vision.result import Reading

if TYPE_CHECKING:
    from ui.calibrating import Board

SEAT = re.compile(r"\bseat ([0-3])\b|(?<!\d)([0-3]) [号號]")
"""How the rules name a player, who knows nobody's name: `seat 1`, `1 号`."""


@dataclass(frozen=True)
class Photograph:
    """One photograph of the hand as the app keeps it: what was read, and a light preview of it.

    preview: JPEG bytes. crops: one small JPEG for every tile of the reading, upright. digest: of the file's bytes, by
    which a picture that comes twice is known. The large parts are not printed: Flet prints every message that it
    sends, with all that a screen was given."""

    preview: bytes = field(repr=False)
    reading: Reading = field(repr=False)
    crops: tuple[bytes, ...] = field(default=(), repr=False)
    digest: str = ""


@ft.observable
@dataclass
class Session:
    """The state of one tab. `text` is the size of text in per cent.

    `stage` is what the reader is doing ("" when idle), `batch` with which photograph of how many, `troubles` a sentence
    each about what went wrong; `sheet` what lies open over the screen, `picked` the id of the tile it is about;
    `cursor` the id of the tile that the keyboard stands on, `digit` the number that waits for its suit; `recalled`
    whether what the device keeps has been taken up; `adding` whether the next photograph shows more of the same hand.

    The score of the night: `nights` are all of them with the number of their entries, `night` the one that is open,
    `target` as what the open hand would be recorded there, `pending` what waits for a confirmation, `form` what is
    being typed without a hand, `entry` the id of the line that is looked at, `starting` the night that is about to
    begin, `ledger_trouble` why the ledger cannot be read, `notice` one sentence about what was just done,
    `keeps_shots` whether a hand's photograph is kept with its entry.

    `house` is what the open hand is scored by. While a night lends it its rules, `usual` holds those that this device
    starts with, to be taken up again when the night is left; None while `house` itself is those.

    What it learns of a person: `keeps` whether corrected photographs may be kept, `tile_set` the set that is read with
    (`auto`: the one that matches; `none`), `board` a photograph whose tiles are being named, `page_of_job` which of
    many that are labelled, `looked_at` the tile whose examples are shown."""

    language: str = "zh-Hans"
    theme: str = "system"
    text: int = 100
    width: float = 400
    height: float = 800
    route: str = "/"
    photographs: tuple[Photograph, ...] = ()
    history: History = field(default_factory=History)
    stage: str = ""
    batch: tuple[int, int] = (1, 1)
    troubles: tuple[str, ...] = ()
    picked: int | None = None
    sheet: str = ""
    cursor: int | None = None
    digit: str = ""
    _writing: bool = False  # no screen shows it, so nothing is drawn anew when it changes
    _looks: int = 0  # at the ledger: how many were begun, and which was the last to be shown
    _shown: int = 0
    house: House = field(default_factory=House)
    usual: House | None = None
    houses: tuple[House, ...] = ()
    said: Said = field(default_factory=Said)
    winner: int = 0
    names: tuple[str, ...] = ()
    recalled: bool = False
    adding: bool = False
    nights: tuple[tuple[Opening, int], ...] = ()
    night: Night | None = None
    target: Target | None = None
    pending: Pending | None = None
    form: Form | None = None
    entry: str = ""
    starting: Starting = field(default_factory=Starting)
    ledger_trouble: Text | None = None
    notice: str = ""
    keeps: bool = False
    keeps_shots: bool = False
    tile_set: str = "auto"
    board: Board | None = None
    page_of_job: int = 0
    looked_at: str = ""

    def t(self, key: str, **values: Any) -> str:
        """The app's words for `key` in the language of this tab."""
        return text(self.language, key, **values)

    def rule(self, words: Text) -> str:
        """A sentence of the rules in the language of this tab, with the players' names where it numbers their seats."""
        return SEAT.sub(lambda found: self.name(int(found[1] or found[2])), rule_text(self.language, words))

    def say(self, tiles: Iterable[str]) -> str:
        """Tiles by name, in the language of this tab."""
        return self.join(tile_name(self.language, tile) for tile in tiles)

    def join(self, words: Iterable[str]) -> str:
        """Several things in one line, in the language of this tab."""
        return (", " if self.language == "en" else "、").join(words)

    def name(self, seat: int) -> str:
        """What the player in this seat is called."""
        if self.target is not None and seat < len(self.target.seats):
            return self.target.seats[seat]
        given = self.names[seat] if seat < len(self.names) else ""
        return given or self.t(f"seat.{seat}")

    @property
    def starting_house(self) -> House:
        """The rules that this device starts with, whatever the open night plays."""
        return self.usual or self.house

    def start_with(self, house: House) -> None:
        """Let the device start with these rules from now on; an open night goes on playing its own."""
        if self.usual is None:
            self.house = house
        else:
            self.usual = house

    @property
    def names_font(self) -> str | None:
        """The font for texts with a player's name in them: the large one as soon as anybody has given a name."""
        return NAMES_FONT if self.target is not None or any(self.names) else None

    @property
    def house_title(self) -> str:
        """What the rules of this table are called: the house's own name for them, or the preset's."""
        return self.house.name or self.rule(self.house.rules.title)

    @property
    def house_font(self) -> str | None:
        return NAMES_FONT if self.house.name else None

    @property
    def writing(self) -> bool:
        """Whether a text field has the keyboard."""
        return self._writing

    def write(self, now: bool) -> None:
        """A text field has got the keyboard, or has lost it."""
        self._writing = now

    def next_look(self) -> int:
        """The number of a look at the ledger that begins."""
        self._looks += 1
        return self._looks

    def latest_look(self, number: int) -> bool:
        """Whether no later look has been shown than this one, which is being shown now."""
        latest = number > self._shown
        self._shown = max(self._shown, number)
        return latest

    @property
    def draft(self) -> Draft:
        return self.history.now

    @property
    def open_photographs(self) -> dict[int, Photograph]:
        """The photographs that lie beside the hand, by the number that its tiles name them by. The others were cleared
        or undone with it."""
        return {number: self.photographs[number] for number in self.draft.photographs if number < len(self.photographs)}

    @property
    def large_text(self) -> bool:
        """Whether text is so large that what stands side by side must stand below each other."""
        return self.text > LARGE_TEXT

    @property
    def wide(self) -> bool:
        return self.width >= WIDE

    @property
    def low(self) -> bool:
        """Whether there is little height: a phone that lies on its side."""
        return self.height < LOW and self.width >= LYING

    @property
    def beside(self) -> bool:
        """Whether what stands below each other on a phone has room beside each other."""
        return self.wide or self.low

    def edit(self, draft: Draft) -> None:
        """One step of the person's, which undo takes back. The hand stays sorted, as players hold theirs."""
        self.history = self.history.do(sort(draft, self.house.order))

    def play(self) -> None:
        """Let the open hand be one of the game that is played by now, as if it had been read for it."""
        readings = {number: photograph.reading for number, photograph in self.open_photographs.items()}
        house = self.house
        draft = in_game(self.draft, readings, house.tiles, house.meld_kinds, house.order)
        if draft != self.draft:
            self.history = replace(self.history, now=draft)
        if self.winner >= house.players:
            self.winner = 0

    def clear(self) -> None:
        """A new hand: nothing of the last one stays."""
        self.photographs, self.history, self.said = (), History(), Said()
        self.troubles, self.sheet = (), ""
        self.picked = self.cursor = None
        self.adding = False
        fresh_hand(self)


class Seated:
    """The session for a screen about an earlier hand: its words, with the names of those who sat at the table then."""

    def __init__(self, session: Session, seats: tuple[str, ...]) -> None:
        self._session, self.seats = session, seats
        self.names_font = NAMES_FONT

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def name(self, seat: int) -> str:
        """Who sat there."""
        return self.seats[seat] if 0 <= seat < len(self.seats) else "?"

    def rule(self, words: Text) -> str:
        """A sentence of the rules with the names of then."""
        return SEAT.sub(lambda found: self.name(int(found[1] or found[2])), rule_text(self.language, words))
