"""Sample photographs: scenes of a given hand, for people without tiles at hand and for tests on a fresh clone.

A hand is written as it lies: rows of codes, `-` for a gap of one tile, `'` after a code for a tile lying across, `back`
for one face down."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from datasets.labels import LabelledPhoto
from datasets.scenes import FaceSet, SetLook, Tile3D, face_down, render, rotation

Lay = Callable[[np.random.Generator, SetLook], tuple[list[Tile3D], tuple[float, float], float]]


def lay_rows(rows: list[str], jitter: float = 0.012, spread: float = 1.12) -> Lay:
    """Tiles in rows, the first row nearest to the player."""

    def lay(rng: np.random.Generator, look: SetLook) -> tuple[list[Tile3D], tuple[float, float], float]:
        tiles: list[Tile3D] = []
        widest, y = 0.0, 0.0
        for row in rows:
            x = 0.0
            for word in row.split():
                if word == "-":
                    x += 1.0
                    continue
                across, code = word.endswith("'"), word.rstrip("'")
                width = look.height if across else 1.0
                axes = rotation(rng.normal(0, jitter) + (math.pi / 2 if across else 0.0))
                axes = face_down(axes) if code == "back" else axes
                place = np.array(
                    [
                        x + width / 2,
                        y + (0.5 - look.height / 2 if across else 0.0) + rng.normal(0, jitter),
                        look.depth / 2,
                    ]
                )
                tiles.append(Tile3D(code, place, axes, size=(1.0, look.height, look.depth)))
                x += width + 0.012
            widest, y = max(widest, x), y + look.height + 0.45
        return tiles, (widest / 2, (y - look.height - 0.45) / 2), widest * spread

    return lay


def photograph(
    rows: list[str],
    faces: list[FaceSet],
    seed: int = 0,
    size: tuple[int, int] = (1280, 960),
    elevation: float = 60.0,
    roll: float = 0.0,
    spoil: bool = True,
) -> LabelledPhoto:
    """A scene of a given hand, `elevation` and `roll` in degrees."""
    up = math.radians(elevation)
    return render(seed, faces, size, (8.0, 400.0), spoil, lay_rows(rows), (up, up), math.radians(roll), frontal=True)


SAMPLES: dict[str, tuple[list[str], int]] = {
    "middle-five": (["1p 2p 3p 7p 8p 9p 4s 5s 6s 5s C C C - 5s"], 31),
    "melds": (["2s 2s 2s 4p 4p 4p 7s 7s C C - C", "9p 9p' 9p"], 7),
    "closed-kong": (["3s 4s 5s 6p 7p 8p 2p 2p 5s 6s - 7s", "back F F back"], 21),
}
"""What the app offers to try: rows of the hand, and the seed of the scene."""


def tiles_of(rows: list[str]) -> list[str]:
    """The tiles that lie in some rows."""
    return [word.rstrip("'") for row in rows for word in row.split() if word != "-"]
