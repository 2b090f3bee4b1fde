"""A tile set that somebody has shown: pictures of its tiles, by which they are known again. No training.

The classifier's last features of the shown tiles are prototypes: whatever comes close to one of them is more probably
that tile. The network keeps its say, since a few pictures cannot know every light and every tilt. What is kept is the
pictures (48 × 64 pixels each); features belong to one set of weights and are made anew when the weights change."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import MARGIN, SIZE, Gains, Look, classify
from vision.corners import sharpen
from vision.geometry import Floats, rectify
from vision.network import Network
from vision.result import ProfileError

NAME = re.compile(r"\w[\w .-]{0,39}")
TAKEN = ("auto", "none")
"""Words that mean something else where a name is asked for."""
MOST = 40
"""Examples of one tile that are kept, the newest: more add nothing."""


@dataclass(frozen=True)
class Example:
    """One tile that was shown: its code, its crop (64, 48, 3) BGR upright, and the photograph it comes from."""

    tile: str
    crop: NDArray[np.uint8]
    source: str


@dataclass(frozen=True, eq=False)
class Profile:
    """A tile set by name.

    examples: what was shown. weights: hash of the classifier's weights that `features` (n, 2, 128) were made with,
    float32, of each crop and of the same crop turned upside down.
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
    """The tiles' own corners (4, 2) in the upright boxes that somebody drew; None where they cannot be seen.

    A box holds all of its tile and, of a standing one, its side too: the corners must lie in it and fill some of it."""
    return [
        quad if _within(quad, box) else None
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
    crops = np.stack([e.crop for e in profile.examples])
    both = np.concatenate([crops, crops[:, ::-1, ::-1]])
    features = network.run(both)[2]
    stacked = np.stack(np.split(features, 2), axis=1)
    return replace(profile, weights=network.metadata.get("weights", ""), features=stacked)


# -- while reading -----------------------------------------------------------------------------------------------------

WEIGHT, NARROW, UNSHOWN = 8.0, 6.0, 0.2
"""What a tile gains that looks exactly as it was shown (a logarithm), how fast that fades as it looks less so, and what
share of it a tile gains that was not shown yet, so that the shown ones do not crowd it out."""


def gains(profile: Profile, classes: Sequence[str]) -> Gains:
    """What the classifier is told of this set: a tile gains by how near it comes to its nearest prototype."""
    prototypes = _unit(profile.features.reshape(-1, profile.features.shape[-1]).astype(np.float64))
    index = np.repeat([classes.index(e.tile) for e in profile.examples], profile.features.shape[1])
    usual = np.where(np.isin(classes, ("none", "back")), 0.0, UNSHOWN)

    def gained(features: Floats) -> Floats:
        near = np.exp(NARROW * (_unit(features) @ prototypes.T - 1))
        shares = np.tile(usual, (len(features), 1))
        for k in np.unique(index):
            shares[:, k] = near[:, index == k].max(1)
        return WEIGHT * shares

    return gained


LIKE, ENOUGH = 0.8, 8
"""A photograph shows a set when the median of its sure tiles is so like what was shown, of at least so many."""
SURE = 0.9
PLAIN = ("P", "back", "none")
"""Tiles that look the same in many sets."""


def matching(
    known: Sequence[Profile], classes: Sequence[str], pixels: NDArray[np.uint8], looks: Sequence[Look]
) -> Profile | None:
    """The set that a photograph shows, when there is no doubt of it: its own tiles look as they were shown, print, ink
    and all. None otherwise; reading without a profile is never wrong for the wrong reason."""
    sure = [
        (classes[int(look.probabilities.argmax())], rectify(pixels, look.corners, SIZE, MARGIN))
        for look in looks
        if look.probabilities.max() > SURE
    ]
    alike = [(likeness(profile, sure), profile) for profile in known]
    best = max(alike, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= LIKE else None


def likeness(profile: Profile, tiles: Sequence[tuple[str, NDArray[np.uint8]]]) -> float:
    """How like these tiles (codes and crops) are to the ones that were shown, -1 to 1: the median of the correlation
    with the nearest example. 0 when too few of them were shown."""
    shown: dict[str, list[Floats]] = {}
    for example in profile.examples:
        shown.setdefault(example.tile, []).append(_print(example.crop))
    found = [
        max(float(p @ other) for other in shown[tile])
        for tile, crop in tiles
        if tile in shown and tile not in PLAIN
        for p in (_print(crop),)
    ]
    return float(np.median(found)) if len(found) >= ENOUGH else 0.0


def _print(crop: NDArray[np.uint8]) -> Floats:
    """A crop as a unit vector of its blurred colours, brightness and contrast taken out."""
    small = cv2.resize(cv2.GaussianBlur(crop, (0, 0), 1.5), (16, 21), interpolation=cv2.INTER_AREA).astype(np.float64)
    return _unit((small - small.mean((0, 1))).ravel())


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
        if features.ndim != 3 or features.shape[:2] != (len(tiles), 2):
            raise ValueError
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
