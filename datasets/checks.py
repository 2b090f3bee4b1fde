"""What spoils a training or a measure, found before it does.

Each check is a function from photographs (and looks at their pictures) to findings; `check` is all of them. A finding
that is `wrong` needs a person, a `note` only wants to be known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from datasets import splits
from datasets.formats.pictures import Look
from datasets.formats.result import Dataset, Finding
from datasets.labels import LabelledPhoto, Mark
from datasets.names import CODES
from scoring.tiles import BACK, FLOWERS

OUTSIDE = 2.0
"""Pixels by which a box may stick out of its picture: rounding, not a mistake."""
SMALL = 12.0
"""Short side in pixels below which nobody can read a tile."""
SAME_PLACE = 0.9
WHOLE = 0.97
"""A box that takes up so much of its picture, by area, lies over all of it."""
FEW = 20
COPIES = 4


def check(dataset: Dataset, looks: Mapping[str, Look | str]) -> list[Finding]:
    """Every finding about a data set, those of the reading first.

    looks: by the name of the photograph, what its picture looks like, or the sentence that says why it is unreadable.
    """
    found = list(dataset.findings)
    for photo in dataset.photos:
        found += geometry(photo)
        found += impossible(photo)
        found += picture(photo, looks.get(photo.name))
    found += covered(dataset.photos)
    found += empty(dataset)
    found += notes(dataset.photos)
    seen = [(photo, look) for photo in dataset.photos if isinstance(look := looks.get(photo.name), Look)]
    pairs = splits.alike([look for _, look in seen])
    found += copies([photo for photo, _ in seen], pairs)
    found += leaks(dataset.photos, [photo for photo, _ in seen], pairs)
    found += scarce(dataset.photos)
    return found


def geometry(photo: LabelledPhoto) -> list[Finding]:
    """Boxes without area, out of the picture, or two on one tile."""
    found: list[Finding] = []
    for k, mark in enumerate(photo.marks):
        left, top, right, bottom = mark.box
        what = f"mark {k + 1} ({mark.tile})"
        if right <= left or bottom <= top:
            found.append(
                Finding("box without area", photo.name, f"{what} is {right - left:.1f} × {bottom - top:.1f} pixels.")
            )
            continue
        if right <= 0 or bottom <= 0 or left >= photo.width or top >= photo.height:
            found.append(Finding("box outside", photo.name, f"{what} lies wholly outside the picture."))
            continue
        out = max(-left, -top, right - photo.width, bottom - photo.height)
        if out > OUTSIDE and not mark.exact:
            found.append(Finding("box outside", photo.name, f"{what} sticks {out:.0f} pixels out of the picture."))
        if min(right - left, bottom - top) < SMALL and not mark.ignored:
            sides = f"{right - left:.0f} × {bottom - top:.0f}"
            found.append(Finding("tiny box", photo.name, f"{what} has {sides} pixels, too few to read.", "note"))
    for i, one in enumerate(photo.marks):
        for k, other in enumerate(photo.marks[:i]):
            if overlap(one, other) > SAME_PLACE:
                found.append(
                    Finding(
                        "two labels on one tile",
                        photo.name,
                        f"marks {k + 1} ({other.tile}) and {i + 1} ({one.tile}) lie on the same place.",
                    )
                )
    return found


def overlap(one: Mark, other: Mark) -> float:
    """Intersection over union of the upright boxes of two marks."""
    a, b = one.box, other.box
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def impossible(photo: LabelledPhoto) -> list[Finding]:
    """More copies of a tile than a set has: four, one of each flower. A hint: some play with two sets."""
    counts = Counter(mark.tile for mark in photo.marks if mark.tile != BACK)
    return [
        Finding(
            "impossible hand",
            photo.name,
            f"{n} × {tile}, and a set has {most}: a wrong label, or spare blanks?",
            "note",
        )
        for tile, n in sorted(counts.items())
        if n > (most := 1 if tile in FLOWERS else COPIES)
    ]


def covered(photos: Sequence[LabelledPhoto]) -> list[Finding]:
    """Boxes over the whole picture, as a tool writes them that was given no place. Pictures of single tiles are boxed
    so rightly: a box alone in its picture is one of those, unless most photographs show several tiles."""
    labelled = [photo for photo in photos if photo.marks]
    whole_photographs = 2 * sum(len(photo.marks) > 1 for photo in labelled) > len(labelled)
    found: list[Finding] = []
    for photo in labelled:
        corners = [[0, 0], [photo.width, 0], [photo.width, photo.height], [0, photo.height]]
        everything = Mark("", np.array(corners, np.float64))
        found += [
            Finding("box over everything", photo.name, f"mark {k + 1} ({mark.tile}) covers the whole picture.")
            for k, mark in enumerate(photo.marks)
            if (len(photo.marks) > 1 or whole_photographs) and overlap(mark, everything) >= WHOLE
        ]
    return found


def empty(dataset: Dataset) -> list[Finding]:
    """Photographs without a single label, as an emptied label file leaves them, but for those of which that was said
    when they were read. A picture that shows no tile may be among them, so each is a note."""
    said = {finding.where for finding in dataset.findings}
    sentence = "it has no labelled tile and teaches nothing: label it, unless it shows none."
    return [
        Finding("no tiles", photo.name, sentence, "note")
        for photo in dataset.photos
        if not photo.marks and photo.name not in said
    ]


def picture(photo: LabelledPhoto, look: Look | str | None) -> list[Finding]:
    """A picture that cannot be read, or is not as large as its labels say."""
    if isinstance(look, str):
        return [Finding("unreadable picture", photo.name, look)]
    if look is None or (look.width, look.height) == (photo.width, photo.height):
        return []
    turned = (look.height, look.width) == (photo.width, photo.height)
    return [
        Finding(
            "wrong size",
            photo.name,
            f"the labels say {photo.width} × {photo.height} pixels, the picture has {look.width} × {look.height}"
            + (": they were drawn on the picture before its EXIF turn." if turned else "."),
        )
    ]


def notes(photos: Sequence[LabelledPhoto]) -> list[Finding]:
    """What the data set itself says against its photographs; loose boxes are told once for all."""
    found = [
        Finding("mirrored picture", photo.name, f"its notes say “{note}”: mirrored characters teach wrong tiles.")
        for photo in photos
        for note in photo.notes
        if "mirror" in note.lower()
    ]
    loose = [photo.name for photo in photos if any("loose" in note.lower() for note in photo.notes)]
    if loose:
        said = f"the notes of {len(loose)} photographs say that their boxes are larger than the tiles."
        found.append(Finding("loose boxes", loose[0], said, "note"))
    return found


def copies(photos: Sequence[LabelledPhoto], pairs: Sequence[splits.Pair]) -> list[Finding]:
    """The same file twice, a mirrored copy, and pictures that look the same (one finding for all of one look)."""
    found: list[Finding] = []
    for i, j, kind in pairs:
        one, other = photos[i].name, photos[j].name
        if kind == "exact":
            found.append(Finding("exact duplicate", other, f"the same file as {one}."))
        elif kind == "mirrored":
            found.append(Finding("mirrored picture", other, f"the mirror image of {one}: one is impossible."))
        elif kind == "turned":
            found.append(Finding("turned copy", other, f"{one}, turned by quarters.", "note"))
    nameless = [LabelledPhoto("", 0, 0, ())] * len(photos)
    for block in splits.blocks(nameless, [pair for pair in pairs if pair[2] == "near"]):
        if len(block) > 1:
            rest = ", ".join(photos[i].name for i in block[1:4]) + (" …" if len(block) > 4 else "")
            said = f"{len(block)} pictures look the same: {rest}"
            found.append(Finding("near duplicates", photos[block[0]].name, said, "note"))
    return found


def leaks(
    photos: Sequence[LabelledPhoto], seen: Sequence[LabelledPhoto], pairs: Sequence[splits.Pair]
) -> list[Finding]:
    """Blocks of the same picture, and groups, that stand in more than one split.

    photos: all of them; seen: those that the indices of `pairs` count."""
    place = {id(photo): i for i, photo in enumerate(photos)}
    among = [(place[id(seen[i])], place[id(seen[j])], kind) for i, j, kind in pairs]
    found: list[Finding] = []
    for block in splits.blocks(photos, among, "cluster"):
        sides = {photos[i].split: photos[i].name for i in reversed(block)}
        if len(sides) > 1:
            told = ", ".join(f"{name} in {split}" for split, name in sorted(sides.items()))
            found.append(
                Finding(
                    "leaked split",
                    photos[block[0]].name,
                    f"what looks the same or is one cluster, on {len(sides)} sides: {told}.",
                )
            )
    groups: dict[str, Counter[str]] = {}
    for photo in photos:
        if photo.group:
            groups.setdefault(photo.group, Counter())[photo.split] += 1
    for group, sides in sorted(groups.items()):
        if len(sides) > 1:
            told = ", ".join(f"{n} in {split}" for split, n in sorted(sides.items()))
            found.append(Finding("leaked split", f"group {group}", f"one group on {len(sides)} sides: {told}."))
    return found


def scarce(photos: Sequence[LabelledPhoto]) -> list[Finding]:
    """Classes with no or few examples."""
    counts = Counter(mark.tile for photo in photos for mark in photo.marks if not mark.ignored)
    missing = [code for code in CODES if not counts[code]]
    few = [f"{code} ({counts[code]})" for code in CODES if 0 < counts[code] < FEW]
    found: list[Finding] = []
    if missing:
        found.append(Finding("classes without examples", "classes", " ".join(missing), "note"))
    if few:
        found.append(Finding(f"classes with fewer than {FEW} examples", "classes", " ".join(few), "note"))
    return found
