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


class PhotoError(Exception):
    """A photograph that cannot be read at all. The message is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class ReadTile:
    """One tile in the photograph.

    tile: its code (`5p`, `C`, `back`, …) or `UNKNOWN` when no candidate is sure enough.
    confidence: calibrated probability of the best candidate, 0 to 1 (also when `tile` is unknown).
    alternatives: further candidates with their probabilities, best first; for an unknown tile the first of them is
        the best guess.
    doubt: why a person should look at it, in words, or "" for a tile that is sure.
    """

    tile: str
    confidence: float
    corners: Corners
    alternatives: tuple[tuple[str, float], ...] = ()
    doubt: str = ""


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
    problems: tuple[str, ...] = ()
    milliseconds: dict[str, float] = field(default_factory=dict)
