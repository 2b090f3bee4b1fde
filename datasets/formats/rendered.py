"""Scenes that `hupai data render` has left as packed shards; read only, so that any trainer can have them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from datasets import scene_store
from datasets.formats.result import Dataset, DatasetError


def read(folder: Path, own: Mapping[str, str] | None = None) -> Dataset:
    """Read every shard of a folder; the pictures stay in memory. DatasetError when there is none or one is damaged."""
    if not any(folder.glob("scenes-*.npz")):
        raise DatasetError(f"No rendered scenes in {folder}: `hupai data render {folder}` makes some.")
    try:
        return Dataset(tuple(scene_store.read(folder)))
    except (OSError, ValueError, KeyError) as error:
        raise DatasetError(f"A shard in {folder} is damaged ({error}): remove it and render again.") from None
