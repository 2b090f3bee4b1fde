"""Scenes that `hupai data render` has left as packed shards; read only, so that any trainer can have them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from datasets import scene_store
from datasets.formats.result import Dataset, DatasetError

AT_ONCE = 1500
"""Scenes that are held in memory at once, about 1 GB."""


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read every shard of a folder; the pictures stay in memory. DatasetError when there is none, when one is damaged,
    or when they are too many for that."""
    shards = [path for path in sorted(folder.glob("scenes-*.npz")) if not path.name.endswith(".part.npz")]
    if not shards:
        raise DatasetError(f"No rendered scenes in {folder}: `hupai data render {folder}` makes some.")
    count = 0
    for path in shards:
        try:
            with np.load(path) as shard:
                count += len(shard["lengths"])
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise DatasetError(f"The shard {path} is damaged: remove it and render again.") from None
    if count > AT_ONCE:
        raise DatasetError(
            f"{folder} holds {count} scenes, and {AT_ONCE} are read at once: put some shards into another folder."
        )
    return Dataset(tuple(scene_store.read(folder)))
