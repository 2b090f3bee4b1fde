"""What is installed here, in which version, and how much room what it keeps takes on the disk."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path


def version() -> str:
    """The version of the installed package, or "dev" in a checkout that is not installed."""
    try:
        return metadata.version("hupai")
    except metadata.PackageNotFoundError:
        return "dev"


def networks(folder: Path) -> list[tuple[str, str, str]]:
    """Each network of a folder of models: its name, the day it was made, the first figures of its weights' digest; all
    from the ONNX files themselves."""
    from vision.network import NAMES, load  # it brings onnxruntime, for which the other pages do not wait

    found = [(name, load(name, folder).metadata) for name in NAMES]
    return [(name, said.get("date", "?"), said.get("weights", "?")[:8]) for name, said in found]


def storage(folder: Path) -> int:
    """Bytes that everything in a folder takes; 0 for one that is not there."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def megabytes(size: int) -> str:
    """A size as people read it: 0.3 MB, 12 MB."""
    return f"{size / 1e6:.1f} MB" if size < 10e6 else f"{size / 1e6:.0f} MB"
