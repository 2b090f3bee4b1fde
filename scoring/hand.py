"""What lay on the table when somebody won: the melds, the concealed tiles, the winning tile, and how it came.

`Hand` is what a photograph can show, `Win` adds what only the players know (who discarded, was it a kong's replacement
tile, was the hand revealed). All of it is frozen, is built from and printed to the case form of the worked examples
(`Win.from_case`, `Win.to_case`), and a hand also has a one-line text: `2225588s [CCC] [EEEE concealed] + 8s`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar, cast

from scoring.tiles import BACK, FLOWERS, NotationError, parse, show

MeldKind = Literal["chow", "pung", "kong_exposed", "kong_added", "kong_concealed"]
WinBy = Literal["self_draw", "discard", "rob_kong"]
ContractKind = Literal["two", "one", "none"]
Answer = bool | int | str | tuple[int, ...] | tuple[str, ...] | None
Answers = Mapping[str, Answer]
"""What the players said about a win, by question id: `{"win_by": "discard", "discarder": 1, "revealed": (0,)}`."""

Word = TypeVar("Word", bound=str)

MELD_KINDS: Final[tuple[MeldKind, ...]] = ("chow", "pung", "kong_exposed", "kong_added", "kong_concealed")
WIN_WAYS: Final[tuple[WinBy, ...]] = ("self_draw", "discard", "rob_kong")


@dataclass(frozen=True, slots=True)
class Meld:
    """A set that lies beside the hand (吃 chow, 碰 pung, 明杠 / 补杠 / 暗杠 kong).

    `tiles` are the physical tiles; where a wild tile stands in, `stands_for` says what the meld counts as.
    `source` is the seat whose discard was claimed, None when unknown or for a concealed kong.
    """

    kind: MeldKind
    tiles: tuple[str, ...]
    source: int | None = None
    stands_for: tuple[str, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """The tiles the meld counts as."""
        return self.stands_for or self.tiles

    @property
    def is_kong(self) -> bool:
        return self.kind.startswith("kong")


@dataclass(frozen=True, slots=True)
class Hand:
    """Tiles of one player. `concealed` excludes the winning tile: 13 minus three for each meld."""

    concealed: tuple[str, ...] = ()
    melds: tuple[Meld, ...] = ()
    winning_tile: str | None = None
    flowers: tuple[str, ...] = ()

    @property
    def all_tiles(self) -> tuple[str, ...]:
        """Every physical tile of the hand except flowers: concealed, melds, winning tile."""
        won = (self.winning_tile,) if self.winning_tile else ()
        return self.concealed + tuple(tile for meld in self.melds for tile in meld.tiles) + won

    @staticmethod
    def parse(text: str) -> "Hand":
        """Read `2225588s [CCC] [1111p concealed] [7m1m7m as 777m] + 8s | 12f` (melds bracketed, winning tile after +).

        In brackets: a chow, pung or kong; `added` or `concealed` names the kind of a kong (exposed otherwise),
        `from 2` the seat that discarded, `as …` what a meld with a wild tile stands for. Flowers follow a bar, or lie
        anywhere in the hand. Without `+` the last concealed tile of a full hand is the winning tile. Raises
        `NotationError`.
        """
        body, _, flower_text = text.partition("|")
        melds = tuple(_parse_meld(inner) for inner in re.findall(r"\[([^\]]*)\]", body))
        rest = re.sub(r"\[[^\]]*\]", " ", body)
        if "[" in rest or "]" in rest:
            raise NotationError(f"A bracket in “{text}” is not closed: write each meld as [123m].")
        before, plus, after = rest.partition("+")
        loose, won = parse(before), parse(after)
        concealed = tuple(tile for tile in loose if tile not in FLOWERS)
        flowers = (*parse(flower_text), *(tile for tile in loose if tile in FLOWERS))
        if plus and len(won) != 1:
            raise NotationError(f"Exactly one winning tile follows the + in “{text}”.")
        if not plus and len(concealed) == 14 - 3 * len(melds):
            concealed, won = concealed[:-1], concealed[-1:]
        return Hand(concealed, melds, won[0] if won else None, flowers)

    def show(self) -> str:
        """The inverse of `parse`."""
        parts = [show(self.concealed)] if self.concealed else []
        for meld in self.melds:
            words = [show(meld.tiles)]
            if meld.kind in ("kong_added", "kong_concealed"):
                words.append(meld.kind.removeprefix("kong_"))
            if meld.source is not None:
                words.append(f"from {meld.source}")
            if meld.stands_for:
                words.append(f"as {show(meld.stands_for)}")
            parts.append(f"[{' '.join(words)}]")
        if self.winning_tile:
            parts.append(f"+ {self.winning_tile}")
        if self.flowers:
            parts.append(f"| {show(self.flowers)}")
        return " ".join(parts)


def _parse_meld(inner: str) -> Meld:
    source = re.search(r"\bfrom (\d)\b", inner)
    kind_word = re.search(r"\b(exposed|added|concealed)\b", inner)
    if strange := [word for word in re.findall("[a-z]{2,}", inner) if word not in _MELD_WORDS]:
        raise NotationError(
            f"“{strange[0]}” means nothing in the meld “[{inner}]”: its tiles may be followed by exposed, added, "
            "concealed, from SEAT and as TILES."
        )
    text, _, stands = re.sub(r"\bfrom \d\b|\b(exposed|added|concealed)\b", " ", inner).partition(" as ")
    if "from" in text + stands or "as" in text + stands:
        raise NotationError(
            f"In “[{inner}]” a seat follows “from” and tiles follow “as”: [CCC from 2], [7m1m7m as 777m]."
        )
    tiles, faces = parse(text), parse(stands)
    return Meld(
        meld_kind(faces or tiles, kind_word.group(1) if kind_word else "exposed"),
        tiles,
        int(source.group(1)) if source else None,
        faces,
    )


_MELD_WORDS: Final = frozenset(("exposed", "added", "concealed", "from", "as", BACK))


def meld_kind(faces: tuple[str, ...], kong: str = "exposed") -> MeldKind:
    """What kind of meld these faces are by their number and likeness; four tiles are a kong of the given kind."""
    if len(faces) == 4:
        return cast(MeldKind, f"kong_{kong}")
    return "chow" if len(set(faces)) == len(faces) else "pung"


@dataclass(frozen=True, slots=True)
class Contract:
    """诸暨包: who promised (`seat`) how many 台 (`level`), with `two`, `one` or `none` kinds of wild tile."""

    seat: int
    level: int
    kind: ContractKind

    @property
    def points(self) -> int:
        """C(N台) = 5·2^(N−2), C(独N) = C(无财N) = 5·2^(N−1). RULES.md 3.4."""
        return 5 * 2 ** (self.level - (2 if self.kind == "two" else 1))


_TOP_LEVEL: Final = (
    "win_by",
    "winner",
    "players",
    "wild",
    "contract_kind",
    "contract_seat",
    "contract_level",
    "flowers",
)


@dataclass(frozen=True, slots=True)
class Win:
    """A hand that was won, and all that its worth depends on. Seats are 0…n−1 in turn order.

    `circumstances` holds what the players answered (RULES.md section 9): `discarder`, `revealed`, `kong_bloom`, …;
    `players` None means the usual number of the game. `discarder` names the konger when a kong was robbed.
    """

    hand: Hand
    by: WinBy = "self_draw"
    winner: int = 0
    players: int | None = None
    circumstances: Mapping[str, Answer] = field(default_factory=lambda: MappingProxyType({}))
    wild: tuple[str, ...] = ()
    contract: Contract | None = None

    @staticmethod
    def from_answers(hand: Hand, answers: Answers) -> "Win":
        """Build the win from the answers to a ruleset's questions; answers of None are left out."""
        given = {key: value for key, value in answers.items() if value is not None}
        contract = None
        if given.get("contract_kind") in ("two", "one", "none"):
            contract = Contract(
                cast(int, given.get("contract_seat", 0)),
                cast(int, given.get("contract_level", 2)),
                cast(ContractKind, given["contract_kind"]),
            )
        if "flowers" in given:
            hand = Hand(hand.concealed, hand.melds, hand.winning_tile, cast("tuple[str, ...]", given["flowers"]))
        return Win(
            hand,
            cast(WinBy, given.get("win_by", "self_draw")),
            cast(int, given.get("winner", 0)),
            cast("int | None", given.get("players")),
            MappingProxyType({key: value for key, value in given.items() if key not in _TOP_LEVEL}),
            cast("tuple[str, ...]", given.get("wild", ())),
            contract,
        )

    def answers(self) -> dict[str, Answer]:
        """The inverse of `from_answers`: every answer by its question's id."""
        out: dict[str, Answer] = {"win_by": self.by, "winner": self.winner}
        if self.players is not None:
            out["players"] = self.players
        if self.wild:
            out["wild"] = self.wild
        if self.contract:
            out |= {
                "contract_kind": self.contract.kind,
                "contract_seat": self.contract.seat,
                "contract_level": self.contract.level,
            }
        return out | dict(self.circumstances)

    @staticmethod
    def from_case(case: Mapping[str, Any]) -> "Win":
        """Build the win from the case form of the worked examples (RULES.md section 9).

        Raises `ValueError` with one sentence for a form that is not a win at all (a missing or misspelt part);
        hands that merely break the game's rules are built and refused by the ruleset, with everything wrong at once.
        """
        try:
            melds = tuple(
                Meld(
                    _one_of(meld["kind"], MELD_KINDS, "kind of meld"),
                    tuple(map(str, meld["tiles"])),
                    None if meld.get("from") is None else whole(meld["from"], "from"),
                    tuple(map(str, meld.get("as") or ())),
                )
                for meld in case.get("melds") or ()
            )
            winning = case.get("winning_tile")
            hand = Hand(
                tuple(map(str, case.get("concealed") or ())),
                melds,
                None if winning is None else str(winning),
                tuple(map(str, case.get("flowers") or ())),
            )
            raw = case.get("contract")
            contract = (
                Contract(
                    whole(raw["seat"], "seat"),
                    whole(raw["level"], "level"),
                    _one_of(raw["kind"], ("two", "one", "none"), "kind of contract"),
                )
                if raw
                else None
            )
            players = case.get("players")
            return Win(
                hand,
                _one_of(case.get("win_by", "self_draw"), WIN_WAYS, "way of winning"),
                whole(case.get("winner", 0), "winner"),
                None if players is None else whole(players, "players"),
                MappingProxyType(read_circumstances(case.get("circumstances"))),
                tuple(map(str, case.get("wild") or ())),
                contract,
            )
        except KeyError as missing:
            raise ValueError(f"The case lacks “{missing.args[0]}”.") from missing
        except (TypeError, AttributeError) as wrong:
            raise ValueError("The case is not in the form of the worked examples.") from wrong

    def to_case(self) -> dict[str, Any]:
        """The inverse of `from_case`; JSON-ready."""
        case: dict[str, Any] = {
            "concealed": list(self.hand.concealed),
            "melds": [
                {"kind": meld.kind, "tiles": list(meld.tiles), "from": meld.source}
                | ({"as": list(meld.stands_for)} if meld.stands_for else {})
                for meld in self.hand.melds
            ],
            "winning_tile": self.hand.winning_tile,
            "win_by": self.by,
            "winner": self.winner,
            "circumstances": {k: list(v) if isinstance(v, tuple) else v for k, v in self.circumstances.items()},
        }
        if self.players is not None:
            case["players"] = self.players
        if self.hand.flowers:
            case["flowers"] = list(self.hand.flowers)
        if self.wild:
            case["wild"] = list(self.wild)
        if self.contract:
            case["contract"] = {"seat": self.contract.seat, "level": self.contract.level, "kind": self.contract.kind}
        return case


def read_circumstances(raw: Mapping[str, Any] | None) -> dict[str, Answer]:
    """The circumstances of a case: lists of seats become tuples, what is null is left out."""
    if raw is not None and not isinstance(raw, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError("“circumstances” must be an object of what was answered.")
    return {
        key: tuple(cast("list[int]", value)) if isinstance(value, list) else value
        for key, value in (raw or {}).items()
        if value is not None
    }


def written(value: object) -> str:
    """A value as a case writes it, for a sentence about it: 3, "x", null, [0, 1]."""
    return json.dumps(value, ensure_ascii=False, default=str)


def whole(value: object, what: str) -> int:
    """A number of a case: 3, or "3" as a spreadsheet writes it. Raises `ValueError` with one sentence."""
    if isinstance(value, bool) or not (isinstance(value, int) or (isinstance(value, str) and value.isdecimal())):
        raise ValueError(f"“{what}” must be a whole number, not {written(value)}.")
    return int(value)


def _one_of(value: object, allowed: "tuple[Word, ...]", what: str) -> "Word":
    for choice in allowed:
        if value == choice:
            return choice
    raise ValueError(f"{written(value)} is no {what}: use {', '.join(allowed)}.")
