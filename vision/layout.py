"""How do the tiles lie? Rows, sets laid aside, the winning tile, and what belongs to somebody else.

Works on quadrilaterals alone, at any angle: two tiles are neighbours when one stands beside the other along the other's
own width (or, for a tile lying sideways, along its height). Neighbours make rows; the longest row is the hand; short
rows or parts of rows that are a set, have a sideways tile or show backs are melds; everything else is left out and
counted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np

from vision.geometry import Floats, sides
from vision.result import MeldKind

GAP = 0.38
"""A gap wider than this, in tile widths, ends a group."""
GAP_OF_A_TILE = 2.3
"""Middles so many widths apart, exactly in line, still belong to one row: a tile may be missing between them."""
LARGEST_HAND = 18
FARTHEST, IN_LINE = 5.0, 0.12
"""A hand is laid out in parts: a row that goes on in the same line, at most so many tile widths away, is part of it. In
the same line: no farther off the line than so many of those widths for each width between them."""


@dataclass(frozen=True)
class Group:
    """Tiles side by side, left to right; `sideways` are those that lie across."""

    tiles: tuple[int, ...]
    sideways: tuple[int, ...] = ()


@dataclass(frozen=True)
class Layout:
    """Indices of tiles: the concealed part, the melds, the winning tile if it lies apart, and what was left out.
    `missing` names places in the hand's row where a tile would fit: (index left of it, index right of it)."""

    concealed: tuple[int, ...] = ()
    melds: tuple[tuple[MeldKind, tuple[int, ...]], ...] = ()
    winning_tile: int | None = None
    left_out: tuple[int, ...] = ()
    missing: tuple[tuple[int, int], ...] = ()


def rows(quads: list[Floats]) -> list[list[int]]:
    """Tiles that stand side by side, each row in order along its axis, longest row first."""
    n = len(quads)
    if not n:
        return []
    centres, width, height = _frames(quads)
    length = np.array([max(sides(q)) for q in quads])
    broad = np.linalg.norm(width, axis=1)
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    spread = _cross(width, height)
    steps = (centres[None] - centres[:, None]) / np.where(np.abs(spread) < 1e-6, np.nan, spread)[:, None, None]
    across, along = np.abs(_cross(steps, height[:, None])), np.abs(_cross(width[:, None], steps))
    turned = np.abs(width @ width.T) < 0.7 * broad[:, None] * broad
    near = (across < np.where(turned, 1.55, 1.0 + GAP * 2)) & (along < np.where(turned, 0.42, 0.36))
    near |= ~turned & (across < GAP_OF_A_TILE) & (along < 0.2)
    taller = length / length[:, None]
    near &= (taller > 0.55) & (taller < 1.8)
    for i, j in np.argwhere(near).tolist():
        if j != i:
            parent[root(i)] = root(j)
    groups: dict[int, list[int]] = {}
    for i in range(n):
        groups.setdefault(root(i), []).append(i)
    return sorted((_ordered(g, centres, width) for g in groups.values()), key=lambda g: -len(g))


def _frames(quads: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """Middles of quadrilaterals, and their mean sides to the right and down, (n, 2) each."""
    a, b, c, d = np.array(quads).transpose(1, 0, 2)
    return (a + b + c + d) / 4, (b + c - a - d) / 2, (c + d - a - b) / 2


def _cross(one: Floats, other: Floats) -> Floats:
    """The cross products of vectors (…, 2)."""
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]


def _ordered(row: list[int], centres: Floats, width: Floats) -> list[int]:
    """Left to right as the tiles are read: along the direction most tiles call their right."""
    directions = width[row] / np.linalg.norm(width[row], axis=1, keepdims=True)
    axis = np.median(directions, axis=0)
    if np.linalg.norm(axis) < 0.3:
        axis = directions[0]
    return sorted(row, key=lambda i: float(centres[i] @ axis))


def _groups(row: list[int], quads: list[Floats]) -> list[Group]:
    """Cut a row where gaps are; say which tiles lie across."""
    centres, axes, _ = _frames([quads[i] for i in row])
    units = axes / np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-6)
    main = np.median(units, axis=0)
    main = main / max(float(np.linalg.norm(main)), 1e-6)
    across = {i for i, on in zip(row, np.abs(units @ main).tolist(), strict=True) if on < 0.6}
    upright = [i for i in row if i not in across] or row
    pitch = median(sides(quads[i])[0] for i in upright)
    parts: list[list[int]] = [[row[0]]]
    apart = np.linalg.norm(np.diff(centres, axis=0), axis=1).tolist()
    for (left, right), far in zip(pairwise(row), apart, strict=True):
        half = sum(sides(quads[i])[1 if i in across else 0] for i in (left, right)) / 2
        gap = far - half
        if gap > GAP * pitch:
            parts.append([right])
        else:
            parts[-1].append(right)
    return [Group(tuple(p), tuple(i for i in p if i in across)) for p in parts]


def meld_kind(codes: list[str], sideways: int = 0) -> MeldKind | None:
    """What set these tiles are, backs standing for hidden tiles of a closed kong; None if they are no set."""
    shown = [c for c in codes if c not in ("back", "?")]
    backs = codes.count("back")
    if len(codes) == 4 and backs in (1, 2, 3) and shown and len(set(shown)) == 1:
        return "kong_concealed"
    if backs or "?" in codes:
        return None
    if len(codes) == 4 and len(set(codes)) == 1:
        return "kong_added" if sideways >= 2 else "kong_exposed"
    if len(codes) == 3 and len(set(codes)) == 1:
        return "pung"
    if len(codes) == 3 and all(len(c) == 2 and c[1] in "mps" for c in codes) and len({c[1] for c in codes}) == 1:
        ranks = sorted(int(c[0]) for c in codes)
        if ranks[1] == ranks[0] + 1 and ranks[2] == ranks[1] + 1:
            return "chow"
    return None


def _sets(row: list[int], codes: list[str]) -> list[tuple[MeldKind, tuple[int, ...]]] | None:
    """A row of several melds without gaps, cut into sets of three or four; None if it cannot be."""
    if not row:
        return []
    for size in (4, 3):
        part = row[:size]
        kind = meld_kind([codes[i] for i in part]) if len(part) == size else None
        rest = _sets(row[size:], codes) if kind else None
        if kind and rest is not None:
            return [(kind, tuple(part)), *rest]
    return None


def arrange(quads: list[Floats], codes: list[str], cut: Collection[int] = ()) -> Layout:
    """Quadrilaterals (from each tile's own top left) and their codes → which tiles are hand, melds, winning tile.

    `cut`: the doubted tiles of which the edge of the picture takes a part. Where such a one lies says nothing of the
    tile that won: it stands at the edge because the picture ends there, not because somebody set it apart."""
    usable = [i for i in range(len(quads)) if codes[i] != "none"]
    found = [[usable[k] for k in row] for row in rows([quads[i] for i in usable])]
    if not found:
        return Layout()
    size = {id(row): median(max(sides(quads[i])) for i in row) for row in found}
    facing = [row for row in found if sum(codes[i] != "back" for i in row) * 2 >= len(row) or len(row) <= 4]
    if not facing:
        return Layout(left_out=tuple(usable))
    main = max(facing, key=lambda row: (len(row), size[id(row)]))
    usual, other_rows = size[id(main)], [row for row in facing if row is not main]
    centres, widths, _ = _frames(quads)
    for row in sorted(other_rows, key=lambda row: _away(row, main, centres)):
        alike = 0.8 < size[id(row)] / usual < 1.25
        if alike and len(row) + len(main) <= LARGEST_HAND and _in_line(row, main, quads, centres):
            other_rows.remove(row)
            main = _ordered([*main, *row], centres, widths)
    groups = _groups(main, quads)
    melds: list[tuple[MeldKind, tuple[int, ...]]] = []
    concealed: list[int] = []
    loose: list[int] = []
    biggest = max(groups, key=lambda g: len(g.tiles))
    for group in groups:
        kind = meld_kind([codes[i] for i in group.tiles], len(group.sideways))
        if group is not biggest and kind:
            melds.append((kind, group.tiles))
        elif group is not biggest and len(group.tiles) == 1 and group is groups[-1] and group.tiles[0] not in cut:
            loose.append(group.tiles[0])
        else:
            taken, rest = _set_apart(group, codes)
            melds += taken
            concealed += rest
    others: list[int] = []
    for row in other_rows:
        near = 0.75 < size[id(row)] / usual < 1.35 and _beside(row, main, quads, centres)
        parts = _row_melds(row, quads, codes) if near and len(concealed) + 3 * len(melds) + 3 <= LARGEST_HAND else None
        if parts and len(melds) + len(parts) <= 4:
            melds += parts
        elif (
            near
            and len(row) == 1
            and not loose
            and codes[row[0]] != "back"
            and row[0] not in cut
            and (len(concealed) + 3 * len(melds)) == 13
        ):
            loose.append(row[0])
        else:
            others += row
    others += [i for row in found if row not in facing for i in row]
    winning = loose[0] if len(loose) == 1 else None
    if winning is None and len(found) and len(concealed) % 3 == 2:
        turned = [i for g in groups for i in g.sideways if i in concealed and i not in cut]
        winning = turned[0] if len(turned) == 1 else None
    concealed += loose
    # of a hand that lacks nothing the tile at the edge may well have been set apart, which no gap betrays
    may_be_apart = {*loose, *(cut if len(concealed) + 3 * len(melds) >= 14 else ())}
    return Layout(
        tuple(concealed),
        tuple(melds),
        winning,
        tuple(others),
        _missing([g for g in groups if len(g.tiles) != 1 or may_be_apart.isdisjoint(g.tiles)], quads),
    )


def _set_apart(group: Group, codes: list[str]) -> tuple[list[tuple[MeldKind, tuple[int, ...]]], list[int]]:
    """Melds inside a row without gaps: those around a sideways tile or with backs; and the rest of the row."""
    row = list(group.tiles)
    melds: list[tuple[MeldKind, tuple[int, ...]]] = []
    marked = [i for i in row if i in group.sideways or codes[i] == "back"]
    for i in marked:
        if i not in row:
            continue
        at = row.index(i)
        options = [(size, start) for size in (4, 3) for start in range(max(0, at - size + 1), at + 1)]
        for length, start in options:
            part = row[start : start + length]
            kind = (
                meld_kind([codes[k] for k in part], sum(k in group.sideways for k in part))
                if len(part) == length
                else None
            )
            if kind and len(row) - length >= 2:
                melds.append((kind, tuple(part)))
                row = row[:start] + row[start + length :]
                break
    return melds, row


def _row_melds(row: list[int], quads: list[Floats], codes: list[str]) -> list[tuple[MeldKind, tuple[int, ...]]] | None:
    melds: list[tuple[MeldKind, tuple[int, ...]]] = []
    for group in _groups(row, quads):
        kind = meld_kind([codes[i] for i in group.tiles], len(group.sideways))
        whole: list[tuple[MeldKind, tuple[int, ...]]] = [(kind, group.tiles)] if kind else []
        parts = whole or _sets(list(group.tiles), codes)
        if not parts:
            return None
        melds += parts
    return melds


def _in_line(row: list[int], main: list[int], quads: list[Floats], centres: Floats) -> bool:
    """Does the row go on where the main one ends, in the same line and not too far away?"""
    if len(main) < 3:
        return False
    first, last = centres[main[0]], centres[main[-1]]
    pitch = median(sides(quads[i])[0] for i in main)
    along = (last - first) / max(float(np.linalg.norm(last - first)), 1e-6)
    for end, way in ((first, -along), (last, along)):
        steps = (centres[row] - end) / pitch
        on, off = steps @ way, np.abs(steps @ np.array([-way[1], way[0]]))
        if on.min() > 0.5 and on.min() < FARTHEST and (off < IN_LINE * (1.5 + on)).all():
            return True
    return False


def _away(row: list[int], main: list[int], centres: Floats) -> float:
    """The shortest way between two rows, in px."""
    return float(np.linalg.norm(centres[row][:, None] - centres[main], axis=2).min())


def _beside(row: list[int], main: list[int], quads: list[Floats], centres: Floats) -> bool:
    """Is a row within four tile heights of the main one?"""
    return _away(row, main, centres) < 4 * median(max(sides(quads[i])) for i in main)


def _missing(groups: list[Group], quads: list[Floats]) -> tuple[tuple[int, int], ...]:
    """Gaps between groups of the row that are just one tile wide."""
    gaps: list[tuple[int, int]] = []
    for left, right in pairwise(groups):
        i, j = left.tiles[-1], right.tiles[0]
        pitch = (sides(quads[i])[0] + sides(quads[j])[0]) / 2
        steps = float(np.linalg.norm(quads[j].mean(0) - quads[i].mean(0))) / pitch
        if 1.8 < steps < 2.2:
            gaps.append((i, j))
    return tuple(gaps)
