"""A file of arrays that is there whole or not at all, whoever else writes it at the same time."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np


def save(path: Path, **arrays: np.ndarray) -> None:
    """Write `.npz`, under a name of this process first (it ends in .part.npz), so that a stopped or a second writer
    spoils nothing."""
    half = path.with_name(f"{path.stem}.{os.getpid()}.part.npz")
    np.savez(half, **arrays)  # pyright: ignore[reportArgumentType]
    os.replace(half, path)
