"""What the app learns of a person: tile sets that were shown to it, and corrections that were kept, with consent.

The functions here stand between the screens and the folders on disk: a hand that was put right becomes a record, a
sheet of named tiles becomes a profile, and the records become what the Teach page shows."""

from __future__ import annotations

import functools
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.tiles import TILES
from ui.places import profile_folder, record_folder
from vision.result import UNKNOWN, ProfileError

if TYPE_CHECKING:  # OpenCV and the networks are loaded in the thread that needs them, not with the first page
    from datasets.formats.records import Judged, Record
    from ui.draft import Draft
    from ui.labelling import Place, Sheet
    from ui.session import Photograph
    from vision.profile import Profile
    from vision.reading import Reader

FEW = 5
"""Below so many examples a tile is lacking in what was collected."""


# -- corrections -------------------------------------------------------------------------------------------------------


def judged(draft: Draft, number: int, photograph: Photograph, scale: float) -> tuple[Judged, ...]:
    """What the person made of every tile of one photograph (its `number` in the hand).

    scale: of the picture that is kept to the photograph's own size. A tile that is not in the hand any more was
    rejected; a doubt that nobody touched is no answer."""
    from datasets.formats.records import Judged
    from ui.labelling import scaled

    held = {p.seen[1]: p for p in draft.pieces if p.seen is not None and p.seen[0] == number}
    said: list[Judged] = []
    for index, tile in enumerate(photograph.reading.tiles):
        corners, piece = scaled(tile.corners, scale), held.get(index)
        if piece is None:
            said.append(Judged(corners, tile.tile, tile.confidence, "", "rejected"))
        elif piece.doubt or piece.tile == UNKNOWN:
            said.append(Judged(corners, tile.tile, tile.confidence, "", "unsure"))
        elif tile.tile == "back" and piece.candidates == ((piece.tile, 1.0),):
            said.append(
                Judged(corners, "back", tile.confidence, "back", "right")
            )  # a closed kong's, named by the rules
        else:
            state = "right" if piece.tile == tile.tile else "changed"
            said.append(Judged(corners, tile.tile, tile.confidence, piece.tile, state))
    return tuple(said)


def keep(draft: Draft, photographs: Mapping[int, Photograph], folder: Path | None = None) -> int:
    """Keep every photograph of a hand, given by the number that its tiles name it by, as a record by the digest of its
    file, so that a second correction of the same photograph replaces the first. What is kept is the preview, without
    any of the camera's data. Returns how many."""
    from datasets.formats import records

    folder = folder or record_folder()
    for number, photograph in photographs.items():
        width, height = size_of(photograph.preview)
        name = photograph.digest[:16]
        record = records.Record(
            name,
            f"{name}.jpg",
            width,
            height,
            judged(draft, number, photograph, width / photograph.reading.width),
            datetime.now(UTC).isoformat(timespec="seconds"),
            weights(),
            photograph.reading.profile,
        )
        records.keep(folder, record, photograph.preview)
    return len(photographs)


def keep_sheet(sheet: Sheet, photograph: Photograph, profile: str = "", folder: Path | None = None) -> None:
    """Keep a photograph whose tiles were named on the board."""
    from datasets.formats import records
    from ui.labelling import judged as of_sheet

    folder = folder or record_folder()
    width, height = size_of(photograph.preview)
    name, now = photograph.digest[:16], datetime.now(UTC).isoformat(timespec="seconds")
    tiles = of_sheet(sheet, width / sheet.width)
    record = records.Record(name, f"{name}.jpg", width, height, tiles, now, weights(), profile)
    records.keep(folder, record, photograph.preview)


def forget_records(folder: Path | None = None) -> int:
    """Delete everything that was kept; returns how many photographs there were."""
    from datasets.formats import records

    return records.forget(folder or record_folder())


def export(name: str, folder: Path | None = None) -> Path:
    """Write what was kept as a data set of a format, pictures and all, beside the folder of records; returns where.
    datasets.formats.result.DatasetError, OSError."""
    from datasets import formats

    folder = folder or record_folder()
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    out = folder.parent / "exports" / f"{name}-{stamp}"
    formats.write(formats.read(folder, "records").photos, out, name, copy=True)
    return out


LARGEST_DOWNLOAD = 64 << 20
"""Bytes of an export that are sent to the browser; a larger one is only written."""


def packed(folder: Path) -> bytes | None:
    """A written data set as one zip file, to be carried to where the training is; None when it is too large for that.
    Pictures are packed as they are: they are compressed already."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if sum(path.stat().st_size for path in files) > LARGEST_DOWNLOAD:
        return None
    packing = BytesIO()
    with zipfile.ZipFile(packing, "w", zipfile.ZIP_STORED) as archive:
        for path in files:
            archive.write(path, Path(folder.name) / path.relative_to(folder))
    return packing.getvalue()


def size_of(jpeg: bytes) -> tuple[int, int]:
    """Width and height of an encoded picture."""
    from vision.photo import open_photo

    photo = open_photo(jpeg)
    return photo.width, photo.height


def weights() -> dict[str, str]:
    """The hashes of the weights that read, by network."""
    from ui.reader import chosen

    ours = chosen()
    networks = {"finder": ours.finder, "refiner": ours.refiner, "classifier": ours.classifier}
    return {name: network.metadata.get("weights", "") for name, network in networks.items()}


@dataclass(frozen=True)
class Collected:
    """What was kept so far: photographs, tiles that somebody named, how many of them the reader had wrong, how many
    were rejected or left unsure, and the examples of each tile."""

    photographs: int = 0
    named: int = 0
    changed: int = 0
    open: int = 0
    examples: tuple[tuple[str, int], ...] = ()
    damaged: int = 0

    @property
    def lacking(self) -> tuple[str, ...]:
        """The tiles of which there are too few examples."""
        return tuple(tile for tile, count in self.examples if count < FEW and tile != "back")


def collected(folder: Path | None = None) -> Collected:
    """Count what was kept."""
    from datasets.formats import records

    found, findings = records.records(folder or record_folder())
    states = Counter(judged.state for record in found for judged in record.tiles)
    counts = records.by_tile(found)
    return Collected(
        len(found),
        sum(counts.values()),
        states["changed"] + states["added"],
        states["rejected"] + states["unsure"],
        tuple((tile, counts[tile]) for tile in (*TILES, "back")),
        len(findings),
    )


@dataclass(frozen=True)
class Shown:
    """One example of a tile, to be looked at: where it is from, its crop (JPEG), and how far the reader agrees: the
    probability it gives the label now, and what it would call the tile."""

    record: str
    index: int
    crop: bytes
    agreement: float
    said: str


def examples(tile: str, folder: Path | None = None, most: int = 120) -> list[Shown]:
    """The examples of one tile, those first that the reader agrees with least."""
    from datasets.formats import records

    folder = folder or record_folder()
    shown: list[Shown] = []
    for record in records.records(folder)[0]:
        wanted = [i for i, judged in enumerate(record.tiles) if judged.tile == tile and judged in record.told]
        if wanted:
            shown += _crops(folder, record, wanted)
    return sorted(shown, key=lambda s: s.agreement)[:most]


def _crops(folder: Path, record: Record, wanted: list[int]) -> list[Shown]:
    import numpy as np

    from ui.reader import chosen, crop
    from vision.classifier import classify
    from vision.photo import open_photo
    from vision.result import PhotoError

    try:
        pixels = open_photo(folder / record.picture).pixels
    except PhotoError:
        return []
    ours = chosen()
    quads = [np.array(record.tiles[i].corners) for i in wanted]
    looks = classify(ours.classifier, pixels, quads)
    return [
        Shown(
            record.name,
            i,
            crop(pixels, record.tiles[i].corners),
            float(look.probabilities[ours.classes.index(record.tiles[i].tile)]),
            ours.classes[int(look.probabilities.argmax())],
        )
        for i, look in zip(wanted, looks, strict=True)
    ]


def rename(shown: Shown, tile: str, folder: Path | None = None) -> None:
    """Correct a record afterwards: this example shows another tile, or ("") it is no example of any."""
    from dataclasses import replace

    from datasets.formats import records

    folder = folder or record_folder()
    for record in records.records(folder)[0]:
        if record.name == shown.record:
            was = record.tiles[shown.index]
            state = "rejected" if not tile else "right" if tile == was.read else "changed"
            tiles = list(record.tiles)
            tiles[shown.index] = replace(was, tile=tile, state=state)
            records.keep(folder, replace(record, tiles=tuple(tiles)))


# -- tile sets ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetLine:
    """One tile set in a list: its name, from how many photographs, and which tiles it lacks."""

    name: str
    photographs: int
    lacking: tuple[str, ...]


def sets(folder: Path | None = None) -> list[SetLine]:
    """The tile sets that were shown. A damaged one stands there without photographs, so that it can be deleted."""
    from vision import profile as profiles

    folder = folder or profile_folder()
    lines: list[SetLine] = []
    for name in profiles.names(folder):
        try:
            found = profiles.load(folder, name)
        except ProfileError:
            lines.append(SetLine(name, 0, ()))
        else:
            lacking = tuple(tile for tile in TILES if tile not in found.tiles)
            lines.append(SetLine(name, len(found.sources), lacking))
    return lines


def learn(name: str, sheet: Sheet, data: bytes, folder: Path | None = None) -> Profile:
    """Learn a tile set from a photograph whose tiles a person has named; added to what is known of it already.
    vision.result.ProfileError, OSError."""
    import numpy as np

    from ui.labelling import told
    from ui.reader import chosen
    from vision import profile as profiles
    from vision.photo import open_photo

    folder = folder or profile_folder()
    before = profiles.load(folder, name) if name in profiles.names(folder) else None
    network = chosen().classifier
    pixels = open_photo(data).full()
    places = list(told(sheet))
    quads, tiles = [np.array(p.corners) for p in places], [p.tile for p in places]
    shown = profiles.shown(network, pixels, quads, tiles, profiles.digest(data))
    made = profiles.learned(name, shown, network, before)
    profiles.save(folder, made)
    known.cache_clear()
    return made


def forget_set(name: str, folder: Path | None = None) -> None:
    """Delete a tile set."""
    from vision import profile as profiles

    profiles.delete(folder or profile_folder(), name)
    known.cache_clear()


@functools.cache
def known(folder: Path) -> tuple[Profile, ...]:
    """Every tile set that can be read, for the reader to choose from."""
    from vision import profile as profiles

    found: list[Profile] = []
    for name in profiles.names(folder):
        try:
            found.append(profiles.load(folder, name))
        except ProfileError:
            continue
    return tuple(found)


def grasp(reader: Reader, data: bytes, x: float, y: float, like: Sequence[Place]) -> Place:
    """The tile that lies at (x, y) of a photograph where the reader had passed one over; `like` are its neighbours, as
    large as which it probably is."""
    from dataclasses import replace

    import numpy as np

    from ui.labelling import proposed
    from vision.geometry import sides
    from vision.photo import open_photo

    photo = open_photo(data)
    sizes = [sides(np.array(place.corners)) for place in like]
    width, height = np.median(sizes, axis=0) if sizes else (photo.width / 14, photo.width / 10)
    place = proposed(reader.tile_at(photo, (x, y), (float(width), float(height))))
    return replace(place, read="", confidence=0.0)
