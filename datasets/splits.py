"""A fair split: what looks alike or comes from one table never stands on both sides.

Photographs are first tied into blocks (the same group, the same near-duplicate cluster, copies of one source, pictures
that look the same), and only whole blocks are dealt out. Among many seeded deals the one is kept that comes nearest to
the wanted shares and shows every class on the held-out sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from datasets.formats.pictures import WAYS, Look, lying
from datasets.labels import LabelledPhoto

By = Literal["group", "cluster"]
Kind = Literal["exact", "near", "turned", "mirrored"]
Pair = tuple[int, int, Kind]

HASH_BITS = 48
"""Two pictures are suspected to be the same when at most this many of the 256 bits of their hashes differ …"""
THUMB_ALIKE = 0.95
"""… and are when their thumbnails correlate at least so much. Measured on the project's 864 photographs (ten sets):
7 of 371,000 pairs from different clusters pass, shots of one table from one place, some of them with other tiles."""
DEALS = 100


class SplitError(ValueError):
    """The photographs cannot be split as asked. One sentence: why, and what to do."""


def source_name(name: str) -> str:
    """The name of the picture that a copy was made from: Roboflow appends `.rf.<hash>` to each augmented copy."""
    found = re.match(r"(.+?)\.rf\.[0-9A-Za-z]{16,}\.\w+$", name)
    return found[1].rsplit("/", 1)[-1] if found else ""


def alike(looks: Sequence[Look]) -> list[Pair]:
    """Every pair (i < j) of pictures that are the same file (`exact`), the same picture (`near`), the same by quarter
    turns (`turned`), or each other's mirror image however it is turned (`mirrored`)."""
    if len(looks) < 2:
        return []
    thumbs = _normal(np.array([look.thumb for look in looks], np.float32))
    hashes = [np.ascontiguousarray([look.hashes[k] for look in looks]).view(np.uint64) for k in range(len(WAYS))]
    pairs: dict[tuple[int, int], Kind] = {}
    best: dict[tuple[int, int], float] = {}
    for k, way in enumerate(WAYS):
        quarters, mirrored = way
        kind: Kind = "mirrored" if mirrored else "turned" if quarters else "near"
        faces = _normal(np.array([lying(look.thumb, way) for look in looks], np.float32))
        for i in range(len(looks) - 1):
            near = np.bitwise_count(hashes[0][i] ^ hashes[k][i + 1 :]).sum(1) <= HASH_BITS
            for j in np.flatnonzero(near) + i + 1:
                pair, correlation = (i, int(j)), float(thumbs[i] @ faces[j])
                # a symmetric picture that matches as it stands is neither turned nor a mirror image
                if correlation >= THUMB_ALIKE and pairs.get(pair) != "near" and correlation > best.get(pair, 0.0):
                    pairs[pair], best[pair] = kind, correlation
    first: dict[str, int] = {}
    for j, look in enumerate(looks):
        if look.digest in first:
            pairs[first[look.digest], j] = "exact"
        else:
            first[look.digest] = j
    return sorted((i, j, kind) for (i, j), kind in pairs.items())


def _normal(thumbs: np.ndarray) -> np.ndarray:
    """Thumbnails (n, h, w) as vectors (n, h·w) whose products are correlations; plain ones correlate with none."""
    flat = thumbs.reshape(len(thumbs), -1)
    flat = flat - flat.mean(1, keepdims=True)
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    return np.where(length > 32, flat / np.maximum(length, 1), 0).astype(np.float32)


def blocks(photos: Sequence[LabelledPhoto], pairs: Iterable[Pair], by: By = "group") -> list[list[int]]:
    """Indices of photographs that must stay together, in blocks, each in order of its first photograph.

    by: `group` ties whole groups together as well; `cluster` only what shows the same picture."""
    parent = list(range(len(photos)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    first: dict[tuple[str, str], int] = {}
    for i, photo in enumerate(photos):
        ties = [("cluster", photo.cluster), ("source", source_name(photo.name))]
        for key in ties + ([("group", photo.group)] if by == "group" else []):
            if key[1]:
                parent[root(i)] = root(first.setdefault(key, i))
    for i, j, _ in pairs:
        parent[root(j)] = root(i)
    found: dict[int, list[int]] = {}
    for i in range(len(photos)):
        found.setdefault(root(i), []).append(i)
    return list(found.values())


def deal(
    photos: Sequence[LabelledPhoto], tied: Sequence[Sequence[int]], shares: Mapping[str, float], seed: int = 0
) -> list[str]:
    """The split of each photograph. `shares` maps split names to the parts of the photographs they shall have (their
    sum is 1); the same seed gives the same deal. SplitError when there are fewer blocks than splits."""
    wanted = {name: share * len(photos) for name, share in shares.items() if share > 0}
    if len(tied) < len(wanted):
        raise SplitError(
            f"The {len(photos)} photographs are tied into {len(tied)} block{'s' * (len(tied) != 1)}, too few for "
            f"{len(wanted)} splits: add photographs of other tables, or split with --by cluster."
        )
    classes = sorted({mark.tile for photo in photos for mark in photo.marks})
    shows = np.zeros((len(tied), max(1, len(classes))), bool)
    for k, block in enumerate(tied):
        shows[k, [classes.index(mark.tile) for i in block for mark in photos[i].marks]] = True
    sizes = np.array([len(block) for block in tied])
    rng = np.random.default_rng(seed)
    deals = (_one_deal(sizes, list(wanted.values()), rng) for _ in range(DEALS))
    target = np.array(list(wanted.values()))

    def cost(side: np.ndarray) -> float:
        """How far the sides are from their shares, and how many classes the side that lacks most does not show."""
        members = side[None] == np.arange(len(target))[:, None]
        unseen = max(1 - shows[mine].any(0).mean() for mine in members)
        return float(np.abs(members @ sizes - target).sum() / len(photos) + unseen)

    best = min(deals, key=cost)
    names = list(wanted)
    split = [""] * len(photos)
    for block, side in zip(tied, best, strict=True):
        for i in block:
            split[i] = names[side]
    return split


def _one_deal(sizes: np.ndarray, wanted: Sequence[float], rng: np.random.Generator) -> np.ndarray:
    """The side of each block: in random order, each goes where most is still wanted; no side is left without any."""
    rest = np.array(wanted, float)
    side = np.zeros(len(sizes), int)
    for k in rng.permutation(len(sizes)):
        side[k] = int(rest.argmax())
        rest[side[k]] -= sizes[k]
    for s in range(len(rest)):
        if not (side == s).any():
            spare = [k for k in range(len(sizes)) if (side == side[k]).sum() > 1]
            side[min(spare, key=sizes.__getitem__)] = s
    return side
