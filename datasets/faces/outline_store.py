"""Outlines taken from a font once, kept in the user's cache folder: opening seventy fonts takes seconds, this does not.

One file for each font face; its name carries the font's size and time, so a changed font is read anew. A folder
that cannot be written, or a damaged file, only costs the time it would have saved.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from datasets import whole_file
from datasets.faces.outline import Curve

Outlines = dict[str, tuple[Curve, ...]]


def _folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "hupai" / "outlines"


def kept(name: str, source: Path, characters: str, take: Callable[[], Outlines]) -> Outlines:
    """The outlines of `characters` in the font file `source`, from the cache or else from `take`."""
    state = source.stat()
    mark = hashlib.sha1(f"1 {name} {source} {state.st_size} {state.st_mtime_ns} {characters}".encode()).hexdigest()
    path = _folder() / f"{name}-{mark[:16]}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError, zipfile.BadZipFile), np.load(path) as stored:
        return _unpacked(str(stored["owners"]), stored["lengths"], stored["segments"])
    outlines = take()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        whole_file.save(path, **_packed(outlines))
    return outlines


def _packed(outlines: Outlines) -> dict[str, np.ndarray]:
    curves = [(character, curve) for character, glyph in outlines.items() for curve in glyph]
    return {
        "owners": np.array("".join(character for character, _ in curves)),
        "lengths": np.array([len(curve) for _, curve in curves], dtype=np.int64),
        "segments": np.concatenate([curve for _, curve in curves]) if curves else np.zeros((0, 4, 2)),
    }


def _unpacked(owners: str, lengths: np.ndarray, segments: np.ndarray) -> Outlines:
    outlines: Outlines = {}
    pieces = np.split(segments, np.cumsum(lengths)[:-1]) if len(lengths) else []
    for character, curve in zip(owners, pieces, strict=True):
        outlines[character] = (*outlines.get(character, ()), curve)
    return outlines
