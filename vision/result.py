"""What a photograph says, as plain frozen values.

A `Reading` never hides its doubts: a tile that is not sure enough is `"?"` with its candidates beside it, an empty
photograph is a `Reading` without tiles and with a problem that says so, and a photograph that cannot be opened is a
`PhotoError`, never an empty reading. Everything is in pixels of the upright photograph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

UNKNOWN = "?"

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four (x, y) in pixels of the upright photograph, clockwise from the tile's own top left."""

MeldKind = Literal["chow", "pung", "kong_exposed", "kong_added", "kong_concealed"]


Code = Literal[
    "photo.pixels",
    "photo.small",
    "photo.cut",
    "photo.empty",
    "photo.large",
    "photo.kind",
    "photo.damaged",
    "photo.heic",
    "photo.other",
    "problem.nothing",
    "problem.unknown",
    "problem.gap",
    "problem.apart",
    "problem.set",
    "doubt.edge",
    "doubt.alike",
    "doubt.part",
    "doubt.unclear",
    "doubt.foreign",
    "doubt.instead",
    "doubt.fifth",
]
"""What can be said of a photograph: why it cannot be opened, what is wrong with its reading, why a tile is doubted."""


@dataclass(frozen=True)
class Problem:
    """One thing to say about a photograph. `sentence` says it in English; `code` and `facts` let others say it in their
    own language. A fact is a number or a tile's code, by name."""

    code: Code
    sentence: str
    facts: tuple[tuple[str, int | str], ...] = ()

    def __str__(self) -> str:
        return self.sentence


def problem(code: Code, sentence: str, **facts: int | str) -> Problem:
    """A problem with its facts by name; `{name}` in the sentence stands for a fact."""
    return Problem(code, sentence.format(**facts), tuple(facts.items()))


class PhotoError(Exception):
    """A photograph that cannot be read at all. The message is one sentence: what is wrong and what to do; `problem` is
    the same for programs."""

    def __init__(self, said: Problem | str) -> None:
        self.problem = said if isinstance(said, Problem) else Problem("photo.other", said)
        super().__init__(said)


class ProfileError(Exception):
    """A tile set that cannot be learnt, found or read. The message is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class ReadTile:
    """One tile in the photograph.

    tile: its code (`5p`, `C`, `back`, …) or `UNKNOWN` when no candidate is sure enough.
    confidence: calibrated probability of the best candidate, 0 to 1 (also when `tile` is unknown).
    alternatives: further candidates with their probabilities, best first; for an unknown tile the first of them is
        the best guess.
    doubt: why a person should look at it, or None for a tile that is sure.
    """

    tile: str
    confidence: float
    corners: Corners
    alternatives: tuple[tuple[str, float], ...] = ()
    doubt: Problem | None = None


@dataclass(frozen=True)
class ReadMeld:
    """A declared set as it lies in the photograph; `tiles` are indices into `Reading.tiles`."""

    kind: MeldKind
    tiles: tuple[int, ...]


@dataclass(frozen=True)
class ReadHand:
    """How the tiles lie: indices into `Reading.tiles`. `winning_tile` is one of `concealed`, or None if not told apart.
    Tiles in neither list were left out (discards, walls, other hands)."""

    concealed: tuple[int, ...] = ()
    melds: tuple[ReadMeld, ...] = ()
    winning_tile: int | None = None


@dataclass(frozen=True)
class Reading:
    """All the reader says of one photograph. `milliseconds` is by stage: decode, find, classify, arrange, total."""

    width: int
    height: int
    tiles: tuple[ReadTile, ...]
    hand: ReadHand
    problems: tuple[Problem, ...] = ()
    milliseconds: dict[str, float] = field(default_factory=dict)
    profile: str = ""
    """The tile set by whose examples the tiles were told, or ""."""
