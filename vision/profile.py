"""A tile set that somebody has shown: pictures of its tiles, by which they are known again. No training.

The classifier's last features of the shown tiles are prototypes, of the whole tile and of what is seen of it behind a
neighbour. How like them something looks is said here; what follows from it, in `vision.recognising`. What is kept is
the pictures (48 × 64 pixels each); features belong to one set of weights and are made anew when the weights change."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import MARGIN, SIZE, Look, classify
from vision.corners import sharpen
from vision.geometry import Floats, rectify, sides
from vision.light import daylight, lit
from vision.network import Network
from vision.result import ProfileError

NAME = re.compile(r"\w[\w .-]{0,39}")
TAKEN = ("auto", "none")
"""Words that mean something else where a name is asked for."""
MOST = 40
"""Examples of one tile that are kept, the newest: more add nothing."""
SEEN = (0.55, 0.75)
"""Shares of a tile's length or width that are seen of it behind a neighbour."""
VIEWS = 1 + 4 * len(SEEN)
"""A tile as a whole, and what is seen of it from each side."""
FACE = (0.68, 0.92)
"""Bounds of a face's width as a share of its length."""
BATCH = 512


@dataclass(frozen=True)
class Example:
    """One tile that was shown: its code, its crop (64, 48, 3) BGR upright, and the photograph it comes from."""

    tile: str
    crop: NDArray[np.uint8]
    source: str


@dataclass(frozen=True, eq=False)
class Profile:
    """A tile set by name.

    examples: what was shown. weights: hash of the classifier's weights that `features` (n, VIEWS, 128) were made with,
    float32, of each crop and then of the parts of it that `parts` gives.
    """

    name: str
    examples: tuple[Example, ...]
    weights: str
    features: NDArray[np.float32]

    @property
    def tiles(self) -> Counter[str]:
        """How many examples there are of each tile."""
        return Counter(example.tile for example in self.examples)

    @property
    def sources(self) -> tuple[str, ...]:
        """The photographs it was shown in."""
        return tuple(dict.fromkeys(example.source for example in self.examples))


def outlined(refiner: Network, pixels: NDArray[np.uint8], boxes: Sequence[Floats]) -> list[Floats | None]:
    """The tiles' own corners (4, 2) in the boxes that somebody drew; None where they cannot be seen.

    A box holds all of its tile and, of a standing one, its side too: the corners must lie in it and fill some of it.
    Where they do not, a box that has the shape of a face is taken for one."""
    return [
        quad if _within(quad, box) else box if FACE[0] < min(sides(box)) / max(*sides(box), 1e-6) < FACE[1] else None
        for quad, box in zip(sharpen(refiner, pixels, list(boxes)), boxes, strict=True)
    ]


def _within(quad: Floats, box: Floats) -> bool:
    (left, top), (right, bottom) = quad.min(0).tolist(), quad.max(0).tolist()
    (west, north), (east, south) = box.min(0).tolist(), box.max(0).tolist()
    shared = max(min(right, east) - max(left, west), 0.0) * max(min(bottom, south) - max(top, north), 0.0)
    own, whole = (right - left) * (bottom - top), (east - west) * (south - north)
    return shared > 0.85 * own and 0.4 < own / max(whole, 1e-6) < 1.2


def shown(
    network: Network, pixels: NDArray[np.uint8], quads: Sequence[Floats], tiles: Sequence[str], source: str
) -> list[Example]:
    """Examples of the tiles that lie at these quadrilaterals (4, 2) of `pixels`, whichever way up they lie."""
    pixels = lit(pixels, daylight(pixels, quads))  # as the reader looks at what it compares with them
    looks = classify(network, pixels, list(quads))
    return [
        Example(tile, rectify(pixels, look.corners, SIZE, MARGIN), source)
        for look, tile in zip(looks, tiles, strict=True)
    ]


def learned(name: str, examples: Iterable[Example], network: Network, before: Profile | None = None) -> Profile:
    """A profile of these examples, added to those of `before`; a photograph that is shown again replaces itself.

    network: the classifier. ProfileError for a bad name, or when nothing was shown."""
    if not NAME.fullmatch(name) or name != name.strip() or name in TAKEN:
        raise ProfileError(
            f"“{name}” is no name for a tile set: use up to 40 letters, digits, spaces, dots and hyphens."
        )
    new = list(examples)
    again = {example.source for example in new}
    kept = [*(e for e in (before.examples if before else ()) if e.source not in again), *new]
    counts: Counter[str] = Counter()
    newest: list[Example] = []
    for example in reversed(kept):
        counts[example.tile] += 1
        if counts[example.tile] <= MOST:
            newest.append(example)
    if not newest:
        raise ProfileError("No tile was shown: photograph the tiles of the set, or give labels with --labels.")
    newest.reverse()
    return _with_features(Profile(name, tuple(newest), "", np.zeros((0, 2, 0), np.float32)), network)


def current(profile: Profile, network: Network) -> Profile:
    """The profile for these weights: the same, or with its features made anew."""
    return profile if profile.weights == network.metadata.get("weights", "") else _with_features(profile, network)


def _with_features(profile: Profile, network: Network) -> Profile:
    views = np.stack([view for e in profile.examples for view in (e.crop, *parts(e.crop))])
    features = np.concatenate([network.run(views[k : k + BATCH])[2] for k in range(0, len(views), BATCH)])
    stacked = features.reshape(len(profile.examples), VIEWS, -1)
    return replace(profile, weights=network.metadata.get("weights", ""), features=stacked)


def parts(crop: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """What is left of a tile's crop (64, 48, 3) where a neighbour hides the rest of it: for each side from which it is
    seen and each share of `SEEN`, as a crop of its own."""
    (w, h), frame = SIZE, (1 - 1 / MARGIN) / 2
    left, top, right, bottom = frame * w, frame * h, (1 - frame) * w, (1 - frame) * h
    cut: list[NDArray[np.uint8]] = []
    for share in SEEN:
        across, down = share * (right - left), share * (bottom - top)
        for x0, y0, x1, y1 in (
            (left, top, right, top + down),
            (left, bottom - down, right, bottom),
            (left, top, left + across, bottom),
            (right - across, top, right, bottom),
        ):
            west, north = round(x0) if x0 > left else 0, round(y0) if y0 > top else 0
            seen = crop[north : round(y1) if y1 < bottom else h, west : round(x1) if x1 < right else w]
            quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) - [west, north]
            cut.append(rectify(np.ascontiguousarray(seen), quad, SIZE, MARGIN))
    return cut


# -- while reading -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Likeness:
    """How like each tile of a set things look; -1 for what was not shown.

    prototypes: for each class that was shown the unit features (k, VIEWS, 128) of its examples. prints: their prints.
    """

    classes: int
    prototypes: Mapping[int, Floats]
    prints: Mapping[int, Floats]

    def __call__(self, features: Floats) -> tuple[Floats, Floats]:
        """Features (n, 128) -> cosines (n, classes) with the nearest shown tile of each class, whole and cut short."""
        unit = _unit(features)
        whole, cut = np.full((2, len(features), self.classes), -1.0)
        for k, own in self.prototypes.items():
            whole[:, k] = (unit @ own[:, 0].T).max(1)
            cut[:, k] = (unit @ own[:, 1:].reshape(-1, own.shape[-1]).T).max(1)
        return whole, cut

    def printed(self, crop: NDArray[np.uint8], tile: int) -> float:
        """How a crop's print correlates with the nearest of one class, -1 to 1; 0 for one that was not shown."""
        return float((_prints(crop) @ self.prints[tile].T).max()) if tile in self.prints else 0.0


def likenesses(profile: Profile, classes: Sequence[str]) -> Likeness:
    """The likeness to the tiles of this set."""
    features = _unit(profile.features.astype(np.float64))
    tiles = np.array([classes.index(e.tile) for e in profile.examples])
    prints = np.stack([_print(e.crop) for e in profile.examples])
    members = [(int(k), tiles == k) for k in np.unique(tiles)]
    return Likeness(len(classes), {k: features[own] for k, own in members}, {k: prints[own] for k, own in members})


CELLS, CELL = (12, 17), 3.0
"""The middle of a crop is compared in so many cells of so many pixels."""
ZOOMS = ((1.0, 1.0), (1.08, 1.0), (0.92, 1.0), (1.0, 1.08), (1.0, 0.92))
LIKE, ENOUGH = 0.92, 8
"""A photograph shows a set when the median of its sure tiles is so like what was shown, of at least so many."""
SURE = 0.9
PLAIN = ("P", "back", "none")
"""Tiles that look the same in many sets."""


def matching(
    known: Sequence[Profile], classes: Sequence[str], pixels: NDArray[np.uint8], looks: Sequence[Look]
) -> Profile | None:
    """The set that a photograph shows, when there is no doubt of it: its own tiles look as they were shown, print, ink
    and all. None otherwise; reading without a profile is never wrong for the wrong reason."""
    sure = _sure(classes, pixels, looks)
    alike = [(likeness(profile, sure), profile) for profile in known]
    best = max(alike, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= LIKE else None


SIMILAR, FAMILIAR, FEW = 0.9, 0.9, 3
"""A photograph shows another set unless its sure tiles are so like what was shown, print for print (`likeness`) and in
the classifier's features (the median cosine); of fewer tiles nothing can be said. Of 485 readings of the unseen set's
photographs, upright and turned, with one to ten of the others shown, 31 were refused so; of 967 with another's tiles
shown four passed, all of them sets that are drawn alike."""


def familiar(profile: Profile, network: Network, pixels: NDArray[np.uint8], looks: Sequence[Look]) -> bool:
    """May a photograph show this set? It may where too few of its tiles are sure, and were shown, to tell.

    profile: with features of `network`, the classifier."""
    classes: Sequence[str] = network.listed("classes")
    tiles = [(tile, crop) for tile, crop in _sure(classes, pixels, looks) if tile in profile.tiles]
    tiles = [(tile, crop) for tile, crop in tiles if tile not in PLAIN]
    if len(tiles) < FEW:
        return True
    whole, _ = likenesses(profile, classes)(network.run(np.stack([crop for _, crop in tiles]))[2].astype(np.float64))
    own = [float(whole[k, classes.index(tile)]) for k, (tile, _) in enumerate(tiles)]
    return likeness(profile, tiles, FEW) >= SIMILAR and float(np.median(own)) >= FAMILIAR


def _sure(
    classes: Sequence[str], pixels: NDArray[np.uint8], looks: Sequence[Look]
) -> list[tuple[str, NDArray[np.uint8]]]:
    """The sure tiles of a photograph: code and crop."""
    return [
        (classes[int(look.probabilities.argmax())], rectify(pixels, look.corners, SIZE, MARGIN))
        for look in looks
        if look.probabilities.max() > SURE
    ]


def likeness(profile: Profile, tiles: Sequence[tuple[str, NDArray[np.uint8]]], enough: int = ENOUGH) -> float:
    """How like these tiles (codes and crops) are to the ones that were shown, -1 to 1: the median of the correlation
    with the nearest example, wherever in the crop the print lies best on it. 0 when fewer than `enough` of them were
    shown."""
    shown: dict[str, list[Floats]] = {}
    for example in profile.examples:
        shown.setdefault(example.tile, []).append(_print(example.crop))
    found = [
        float((_prints(crop) @ np.stack(shown[tile]).T).max())
        for tile, crop in tiles
        if tile in shown and tile not in PLAIN
    ]
    return float(np.median(found)) if len(found) >= enough else 0.0


def _print(crop: NDArray[np.uint8]) -> Floats:
    """A crop's middle as a unit vector of its blurred colours, brightness and contrast taken out."""
    return _cells(crop, ((1.0, 1.0, 0.0, 0.0),))[0]


def _prints(crop: NDArray[np.uint8]) -> Floats:
    """The same (n, …) moved a little, and stretched or squeezed: no outline is so exact that print lies on print."""
    ways = [(*zoom, x, y) for zoom in ZOOMS for x in (-2.0, 0.0, 2.0) for y in (-3.0, 0.0, 3.0)]
    return _cells(crop, ways)


def _cells(crop: NDArray[np.uint8], ways: Sequence[tuple[float, float, float, float]]) -> Floats:
    blurred, ((w, h), (across, down)) = cv2.GaussianBlur(crop, (0, 0), 1.5), (SIZE, CELLS)
    seen = np.empty((len(ways), down, across, 3))
    for k, (wide, high, x, y) in enumerate(ways):
        step_x, step_y = CELL * wide, CELL * high
        first = (w - 1 - step_x * (across - 1)) / 2 + x, (h - 1 - step_y * (down - 1)) / 2 + y
        matrix = np.array([[step_x, 0, first[0]], [0, step_y, first[1]]])
        seen[k] = cv2.warpAffine(blurred, matrix, CELLS, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return _unit((seen - seen.mean((1, 2), keepdims=True)).reshape(len(ways), -1))


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


# -- on disk -----------------------------------------------------------------------------------------------------------


def save(folder: Path, profile: Profile) -> None:
    """Write a profile into a folder of profiles. OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{profile.name}.npz"
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez_compressed(
            file,
            tiles=np.array([e.tile for e in profile.examples]),
            sources=np.array([e.source for e in profile.examples]),
            crops=np.stack([e.crop for e in profile.examples]),
            weights=np.array(profile.weights),
            features=profile.features,
        )
    os.replace(half, path)


def names(folder: Path) -> list[str]:
    """The profiles of a folder, by name."""
    return sorted(path.stem for path in folder.glob("*.npz"))


def load(folder: Path, name: str) -> Profile:
    """A profile by name. ProfileError when there is none, or when its file is damaged."""
    path = folder / f"{name}.npz"
    if not NAME.fullmatch(name) or not path.is_file():
        have = ", ".join(names(folder))
        raise ProfileError(
            f"There is no tile set “{name}”: "
            + (f"there are {have}." if have else "make one with `hupai calibrate NAME PHOTO`.")
        )
    try:
        with np.load(path) as file:
            tiles, sources, crops = file["tiles"].tolist(), file["sources"].tolist(), file["crops"]
            weights, features = str(file["weights"]), np.asarray(file["features"], np.float32)
        if crops.dtype != np.uint8 or crops.shape != (len(tiles), SIZE[1], SIZE[0], 3) or len(sources) != len(tiles):
            raise ValueError
        if features.ndim != 3 or len(features) != len(tiles):
            raise ValueError
        if features.shape[1] != VIEWS:  # kept by an older Hupai: they are made anew
            weights = ""
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise ProfileError(f"The tile set “{name}” is damaged ({path}): delete it and calibrate again.") from None
    examples = tuple(Example(str(t), c, str(s)) for t, c, s in zip(tiles, crops, sources, strict=True))
    return Profile(name, examples, weights, features)


def delete(folder: Path, name: str) -> None:
    """Delete a profile. ProfileError when there is none."""
    if not NAME.fullmatch(name) or not (folder / f"{name}.npz").is_file():
        load(folder, name)  # says what is wrong
    (folder / f"{name}.npz").unlink()


def digest(data: bytes) -> str:
    """What a photograph is known by in `Example.source`."""
    return hashlib.sha256(data).hexdigest()[:16]
