"""What the app asks of the rules: the game's tiles, whether a hand stands, what is still open, what it is worth.

`House` is what this table plays (a preset and the house's changes), as a value that can be saved and compared. Nothing
here names a game: everything comes from the ruleset's own description."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from scoring import Hand, Meld, Question, Refusal, Rules, RulesError, Score, Win, answered, preset, rules, rulesets
from scoring import house as house_file
from scoring.hand import MELD_KINDS, Answer
from scoring.rules import Choice
from scoring.tiles import SUITS, TILES
from ui.draft import BACK, Draft, MeldKind, from_codes, is_flower, too_many
from vision.result import UNKNOWN

HAND_SIZE = 14


def first_preset() -> str:
    """What is played before anybody has chosen: the first preset of the first game."""
    return next(iter(rulesets()[0].presets))


@dataclass(frozen=True)
class House:
    """What one table plays. `changes` are flat options in internal form; `name` is what the house calls it, or ""."""

    preset: str = field(default_factory=first_preset)
    changes: tuple[tuple[str, Any], ...] = ()
    name: str = ""

    @cached_property
    def rules(self) -> Rules:
        """The rules with all options fixed. Raises scoring.RulesError."""
        return rules(self.preset, dict(self.changes))

    @property
    def tiles(self) -> tuple[str, ...]:
        """The kinds of tile that this game is played with."""
        return self.rules.tiles

    @property
    def order(self) -> tuple[str, ...]:
        return TILES

    @property
    def hand_size(self) -> int:
        return HAND_SIZE

    @property
    def players(self) -> int:
        return self.rules.players

    @cached_property
    def meld_kinds(self) -> tuple[MeldKind, ...]:
        """The kinds of set that can be declared in this game.

        The rules are asked in the one way they can answer: a hand with a chow is refused for the chow, or not."""
        run = Meld("chow", next((suit[:3] for suit in _suits(self.tiles) if len(suit) >= 3), ("1m", "2m", "3m")))
        answer = self.rules.score(Win(Hand(melds=(run,))))
        refused = isinstance(answer, Refusal) and any(p.code == "chow_not_allowed" for p in answer.problems)
        return tuple(kind for kind in MELD_KINDS if kind != "chow" or not refused)

    def changed(self, name: str, value: Any) -> House:
        """The same house with one option changed; a value equal to the preset's own is no change.

        Raises scoring.RulesError for a value that cannot be."""
        wanted = {**dict(self.changes), name: value}
        fixed = rules(self.preset, wanted)
        return House(self.preset, tuple(fixed.changes.items()), self.name)

    def to_json(self) -> str:
        return json.dumps({"preset": self.preset, "changes": dict(self.changes), "name": self.name}, default=dict)

    @staticmethod
    def from_json(text: str) -> House:
        """The inverse of `to_json`. Raises ValueError, KeyError or scoring.RulesError for anything else."""
        raw = json.loads(text)
        base = preset(raw["preset"]).name
        fixed = rules(base, raw.get("changes") or {})
        return House(base, tuple(fixed.changes.items()), str(raw.get("name", ""))[:40])

    def to_toml(self, name: str) -> str:
        """The file of a house's rules under this name, which the command line takes too (see `scoring.house`).

        Raises scoring.RulesError for an empty name."""
        return house_file.save(self.rules, name)

    @staticmethod
    def from_text(text: str) -> House:
        """A house's rules as somebody sent them: the TOML file, or the JSON that older versions copied.

        Raises ValueError (scoring.RulesError is one) or KeyError."""
        if text.lstrip().startswith("{"):
            return House.from_json(text)
        told = House.from_toml(text)
        return replace(told, name=told.name[:40])

    @staticmethod
    def from_file(file: Path) -> House:
        """The house whose rules lie in this file. Raises ValueError with one sentence that names it."""
        try:
            return House.from_toml(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            raise ValueError(
                f"{file} cannot be read ({why}): give a file that `hupai rules export` or the app wrote."
            ) from None
        except RulesError as wrong:
            raise ValueError(f"{file}: {wrong}") from None

    @staticmethod
    def from_toml(text: str) -> House:
        """The inverse of `to_toml`. Raises scoring.RulesError."""
        table = house_file.load(text)
        return House(table.preset, tuple(table.changes.items()), table.title.zh)


def _suits(tiles: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [tuple(tile for tile in tiles if tile[1:] == suit) for suit in SUITS]


# -- draft and hand ----------------------------------------------------------------------------------------------------


def hand_of(draft: Draft) -> Hand:
    """The draft as scoring knows it: the winning tile apart, melds in tile order."""
    rank = {tile: i for i, tile in enumerate(TILES)}
    winning = next((p.tile for p in draft.concealed if p.id == draft.winning), None)
    return Hand(
        tuple(p.tile for p in draft.concealed if p.id != draft.winning),
        tuple(
            Meld(group.kind, tuple(sorted((p.tile for p in group.pieces), key=lambda t: rank.get(t, len(rank)))))
            for group in draft.melds
        ),
        winning,
        tuple(p.tile for p in draft.flowers),
    )


def draft_from_text(text: str) -> Draft:
    """A hand as written: `123m 456p 11s [CCC] + 5s`. Raises scoring.tiles.NotationError with one sentence."""
    hand = Hand.parse(text)
    return from_codes(hand.concealed, [(m.kind, m.tiles) for m in hand.melds], hand.winning_tile, hand.flowers)


# -- which game is it? -------------------------------------------------------------------------------------------------


def foreign(draft: Draft, house: House) -> tuple[str, ...]:
    """The tiles of the hand that this game has not."""
    return tuple(dict.fromkeys(p.tile for p in draft.pieces if p.tile not in (*house.tiles, UNKNOWN, BACK)))


def fitting(draft: Draft, own: Iterable[House] = ()) -> tuple[House, ...]:
    """The rules whose game has every tile of the hand: the house's own, then the presets."""
    presets = (House(name) for system in rulesets() for name in system.presets)
    return tuple(house for house in (*own, *presets) if not foreign(draft, house))


# -- does it stand? ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """The live line: its sentence (`key`) and what goes into it (`values`; a tuple is tiles).

    complete: a winning hand as it lies. scorable: all its tiles are there, so the rules can be asked, if only to say
    why it is no win."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = False
    scorable: bool = False


def stand(draft: Draft, house: House) -> Standing:
    """How the hand stands: the one thing to do next, most basic first."""
    from scoring.waits import waits

    n, size = draft.count(), house.hand_size
    unknown = sum(p.tile in (UNKNOWN, BACK) for p in draft.pieces)
    strange = foreign(draft, house)
    if draft.is_empty:
        return Standing("empty", {"size": size})
    if unknown:
        return Standing("unknown", {"n": n, "unknown": unknown})
    if strange:
        return Standing("foreign", {"tiles": strange})
    if five := too_many(draft):
        return Standing("five", {"tiles": five})
    if bad := next((group for group in draft.melds if not _is_set(group.kind, [p.tile for p in group.pieces])), None):
        return Standing("bad_meld", {"tiles": tuple(p.tile for p in bad.pieces)})
    if wrong := miscounted(n, size):
        return wrong
    hand = hand_of(draft)
    wilds = any(question.id == "wild" for question in house.rules.questions)
    if n == size and draft.winning is None:
        return Standing("no_winning", {"n": n})
    winning = hand.winning_tile
    open_hand = Hand(hand.concealed, hand.melds, None, hand.flowers)
    wanted = tuple(wait.tile for wait in waits(house.rules, open_hand).waits)
    if n == size - 1:
        if winning is not None:
            return Standing("few", {"n": n, "missing": 1})
        return Standing("ready", {"n": n, "tiles": wanted}) if wanted else Standing("not_ready", {"n": n})
    if winning in wanted:
        return Standing("complete", {"n": n, "tiles": (winning,)}, complete=True, scorable=True)
    if wilds:
        return Standing("with_wilds", {"n": n}, scorable=True)
    return (
        Standing("waits_else", {"tiles": wanted}, scorable=True)
        if wanted
        else Standing("no_shape", {"n": n}, scorable=True)
    )


def miscounted(n: int, size: int = HAND_SIZE) -> Standing | None:
    """Why so many tiles are no hand, neither a winning one nor one that waits for a tile; None where they may be."""
    if n < size - 1:
        return Standing("few", {"n": n, "missing": size - n})
    return Standing("many", {"n": n, "surplus": n - size}) if n > size else None


def _is_set(kind: MeldKind, tiles: list[str]) -> bool:
    if kind == "chow":
        numbers = sorted(tile[0] for tile in tiles)
        suits = {tile[1:] for tile in tiles}
        run = "".join(numbers) in "123456789"
        return len(tiles) == 3 and len(suits) == 1 and suits <= {"m", "p", "s"} and run
    return len(set(tiles)) == 1 and len(tiles) == (3 if kind == "pung" else 4)


# -- how it was won ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What the players said about the win, by question; a value, so that a screen can compare it."""

    pairs: tuple[tuple[str, Answer], ...] = ()

    @property
    def answers(self) -> dict[str, Answer]:
        return dict(self.pairs)

    def saying(self, question: str, value: Answer) -> Said:
        """With one more answer (None takes it back)."""
        kept = {**self.answers, question: value}
        return Said(tuple((key, answer) for key, answer in kept.items() if answer is not None))


@dataclass(frozen=True)
class Asked:
    """One question as it is shown: its value now, whether that is implied (then it is only shown), and the choices."""

    question: Question
    value: Answer
    implied: bool
    choices: tuple[Choice, ...]
    missing: bool


def asked(house: House, hand: Hand, said: Said) -> tuple[Asked, ...]:
    """The questions that this hand and the answers so far leave open, in the ruleset's own order."""
    table, given = house.rules, _given(hand, said)
    settled = answered(table, hand, given)
    shown: list[Asked] = []
    for question in table.questions:
        known = {**given, **settled}
        if not question.offered(hand, known):
            continue
        implied = question.implied(hand, known)
        value = settled.get(question.id)
        shown.append(
            Asked(
                question,
                value,
                implied is not None,
                tuple(question.choices(hand, known)),
                question.required and value is None,
            )
        )
    return tuple(shown)


def result_of(house: House, hand: Hand, said: Said, winner: int = 0) -> Score | Refusal:
    """What the hand is worth with what was said."""
    answers = answered(house.rules, hand, {"winner": winner, **_given(hand, said)})
    return house.rules.score(Win.from_answers(hand, {"winner": winner, **answers}))


def _given(hand: Hand, said: Said) -> dict[str, Answer]:
    """What was said, and what the hand on the table says by itself: its flowers."""
    return {**({"flowers": hand.flowers} if hand.flowers else {}), **said.answers}


# -- what would have been worth more -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Near:
    """One tile exchanged for another would have made more of the hand: what it would then have been worth."""

    gone: str
    come: str
    score: Score


def one_away(house: House, hand: Hand, said: Said, winner: int = 0, most: int = 3) -> tuple[Near, ...]:
    """The hands one tile away from this one that pay the winner more, the dearest first, each set of elements once."""
    now = result_of(house, hand, said, winner)
    if isinstance(now, Refusal):
        return ()
    answers = answered(house.rules, hand, {"winner": winner, **_given(hand, said)})
    found: list[Near] = []
    for gone in dict.fromkeys((*hand.concealed, *([hand.winning_tile] if hand.winning_tile else []))):
        for come in house.tiles:
            if come == gone or is_flower(come) or hand.all_tiles.count(come) >= 4:
                continue
            score = house.rules.score(Win.from_answers(_exchanged(hand, gone, come), {**answers, "winner": winner}))
            if isinstance(score, Score) and score.payments[winner] > now.payments[winner]:
                found.append(Near(gone, come, score))
    found.sort(key=lambda near: -near.score.payments[winner])
    best: dict[tuple[str, ...], Near] = {}
    for near in found:
        best.setdefault(near.score.elements, near)
    return tuple(best.values())[:most]


def _exchanged(hand: Hand, gone: str, come: str) -> Hand:
    """The hand with one `gone` exchanged for `come`: one of the concealed tiles, or else the winning tile."""
    if gone not in hand.concealed:
        return replace(hand, winning_tile=come)
    at = hand.concealed.index(gone)
    return replace(hand, concealed=(*hand.concealed[:at], come, *hand.concealed[at + 1 :]))
