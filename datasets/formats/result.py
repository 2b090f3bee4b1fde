"""What reading a data set gives: photographs, and findings about everything that is not in them.

Nothing damaged or unknown ends a reading. It becomes a `Finding` that names the file and says in one sentence what is
wrong, and the rest of the data set is read as if it were not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from datasets import names
from datasets.labels import LabelledPhoto, Mark, box_corners

Severity = Literal["wrong", "note"]
Done = Callable[[int], None]
"""Told how many photographs more are done, for a progress bar."""


def none_done(count: int) -> None:
    """A `Done` that tells nobody."""


class DatasetError(ValueError):
    """There is nothing to read or nowhere to write. One sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Finding:
    """One thing that a person should know about a data set.

    kind: what sort of thing (`unknown class`, `damaged label`, …), the same words for the same thing everywhere.
    where: the file, with `:line` where that is known.
    severity: `wrong` spoils a training or a measure; a `note` does not.
    """

    kind: str
    where: str
    sentence: str
    severity: Severity = "wrong"

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: {self.sentence}"


@dataclass(frozen=True)
class Dataset:
    """Photographs with our tile codes, what was found wrong on the way, and the class names that mean no tile with
    how many marks of each were left out."""

    photos: tuple[LabelledPhoto, ...]
    findings: tuple[Finding, ...] = ()
    unknown: Mapping[str, int] = field(default_factory=dict)


def assemble(
    photos: Iterable[LabelledPhoto],
    findings: Iterable[Finding] = (),
    declared: Iterable[str] = (),
    own: Mapping[str, str] | None = None,
) -> Dataset:
    """Translate the source's class names into tile codes.

    photos: marks whose `tile` is still the source's class name.
    declared: all the class names that the source declares; they help to tell what its letters mean.
    own: a person's own table of names; a name with an empty tile is left out and is no finding.
    """
    photos = list(photos)
    used = Counter(mark.tile for photo in photos for mark in photo.marks)
    tiles = names.resolve(used, declared, own)
    first = {mark.tile: photo.name for photo in reversed(photos) for mark in photo.marks}
    unknown = {name: count for name, count in sorted(used.items()) if name not in tiles}
    strange = [
        Finding("unknown class", first[name], f"“{name}” means no tile we know ({count} marks of it in all).")
        for name, count in unknown.items()
    ]

    def translated(photo: LabelledPhoto) -> LabelledPhoto:
        marks: list[Mark] = [replace(m, tile=tiles[m.tile]) for m in photo.marks if tiles.get(m.tile)]
        return replace(photo, marks=tuple(marks))

    return Dataset(tuple(map(translated, photos)), (*findings, *strange), unknown)


def boxed(photo: LabelledPhoto) -> LabelledPhoto:
    """The photograph as formats of upright boxes know it."""
    marks = tuple(replace(m, corners=box_corners(*m.box), exact=False, upright=False) for m in photo.marks)
    return replace(photo, marks=marks)
