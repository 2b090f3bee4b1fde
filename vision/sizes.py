"""Neighbours are of one size: a tile that seems much smaller than those around it may have been cut short.

Where two of four dots were taken for a tile, its outline is half as large as its neighbours'. Such an outline is drawn
out to their size in each of four directions, and the caller looks again."""

from __future__ import annotations

from statistics import median

import numpy as np

from vision.geometry import Floats, area, covered, sides

NEIGHBOURS = 4
SHORT = 0.7
"""An outline below so much of its neighbours' median area may have been cut short."""
NEAR = 6.0
"""Neighbours lie within so many of its lengths."""
SWALLOWED = 0.6
"""An outline that lies so far inside a longer one is part of the same tile."""
FREE = 0.35
"""A longer outline may cover so much of another tile at most."""


def drawn_out(quads: list[Floats], tiles: list[bool]) -> list[tuple[int, list[Floats]]]:
    """Outlines (4, 2) that are short beside their neighbours: index, and what they may be as a whole.

    tiles: which of the outlines are taken for tiles; only these are neighbours. A longer outline may swallow others
    that are short themselves, as the other half of the same tile is."""
    if sum(tiles) < 4:
        return []
    usual = usual_sizes(quads, tiles)
    short = [known is not None and abs(area(quad)) < SHORT * known[0] for quad, known in zip(quads, usual, strict=True)]
    found: list[tuple[int, list[Floats]]] = []
    for k, known in enumerate(usual):
        if known is None or not short[k]:
            continue
        others = [q for i, q in enumerate(quads) if i != k and tiles[i] and not short[i]]
        longer = [q for q in _longer(quads[k], known[1]) if all(covered(q, o) < FREE for o in others)]
        if longer:
            found.append((k, longer))
    return found


def usual_sizes(quads: list[Floats], tiles: list[bool]) -> list[tuple[float, float] | None]:
    """The median area and length of the tiles around each outline, None where fewer than three are near."""
    if not quads:
        return []
    centres = np.array(quads).mean(1)
    areas, lengths = [abs(area(q)) for q in quads], [max(sides(q)) for q in quads]
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    away[:, ~np.array(tiles)] = np.inf
    np.fill_diagonal(away, np.inf)
    usual: list[tuple[float, float] | None] = []
    for row, length in zip(away, lengths, strict=True):
        nearest: list[int] = np.argsort(row)[:NEIGHBOURS].tolist()
        near = [k for k in nearest if row[k] < NEAR * length]
        usual.append((median(areas[k] for k in near), median(lengths[k] for k in near)) if len(near) >= 3 else None)
    return usual


def _longer(quad: Floats, length: float) -> list[Floats]:
    """The outline with one of its sides moved out until it is `length` long that way."""
    grown: list[Floats] = []
    for first in range(4):
        a, b, c, d = np.roll(quad, -first, axis=0)
        now = (float(np.linalg.norm(d - a)) + float(np.linalg.norm(c - b))) / 2
        if 1.15 < length / max(now, 1e-6) < 3.2:
            factor = length / now
            moved = np.stack([a, b, b + (c - b) * factor, a + (d - a) * factor])
            grown.append(np.roll(moved, first, axis=0))
    return grown
