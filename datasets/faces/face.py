"""One tile in one style as shapes: who draws what, and what red fives and indices add."""

from __future__ import annotations

from functools import lru_cache

from datasets.faces.backs import back_tile
from datasets.faces.bamboo import bamboo_tile
from datasets.faces.birds import bird_tile
from datasets.faces.characters import honour_tile, index_of, number_tile, white_tile
from datasets.faces.dots import dot_tile
from datasets.faces.flowers import flower_tile
from datasets.faces.outline import Shape, ellipse, placed
from datasets.faces.style import Style

TILES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *"ESWNCFP",
    *(f"{rank}f" for rank in range(1, 9)),
    "back",
)
"""Every face there is, in the order of the labels, then the back."""
RED_FIVES = ("0m", "0p", "0s")


@lru_cache(maxsize=256)
def shapes_of(tile: str, style: Style) -> tuple[Shape, ...]:
    """The printed shapes of `tile`, bottom first; lengths in tile heights, (0, 0) the upper left corner.

    Raises `ValueError` for a code that is not a tile.
    """
    if tile not in TILES and tile not in RED_FIVES:
        raise ValueError(
            f"{tile!r} is not a tile: use 1m..9m, 1p..9p, 1s..9s, E S W N C F P, 1f..8f, 0m 0p 0s or back."
        )
    if tile == "back":
        return tuple(back_tile(style))
    red = tile[0] == "0" and style.red_fives in ("ink", "both")
    rank = 5 if tile[0] == "0" else int(tile[0]) if tile[0].isdigit() else 0
    suit = tile[-1]
    if rank == 0:
        shapes = white_tile(style) if tile == "P" else honour_tile(tile, style)
    elif suit == "m":
        shapes = number_tile(rank, style, red)
    elif suit == "p":
        shapes = dot_tile(rank, style, red)
    elif suit == "s":
        shapes = bird_tile(style, red) if rank == 1 else bamboo_tile(rank, style, red)
    else:
        shapes = flower_tile(tile, style)
    if tile[0] == "0" and style.red_fives in ("spot", "both"):
        x, y = {"m": (0.12, 0.44), "p": (0.11, 0.5), "s": (style.aspect / 2, 0.89)}[suit]
        shapes = [*shapes, Shape((ellipse(x, y, 0.04),), style.red)]
    index = index_of(tile, style)
    if index:  # the print makes room: smaller, and away from a single corner
        small = 1 - 0.75 * style.index_size
        up = 0.5 if "br" in style.index else 0.8
        shapes = placed(shapes, style.aspect / 2 * (1 - small), up * (1 - small), small)
    return (*shapes, *index)
