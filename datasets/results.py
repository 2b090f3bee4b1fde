"""Where a result may be written: what is there already is never overwritten unless that is meant.

Every command that writes what a person has named asks here first, so that they all refuse alike."""

from __future__ import annotations

from pathlib import Path

FORCE = "Overwrite what is there already."
"""The help of every --force."""


def occupied(*places: Path, force: bool = False) -> str:
    """Why nothing is written to these files: one sentence about the first that is there already, "" where none is or
    overwriting it is meant."""
    taken = next((place for place in places if place.exists()), None)
    if taken is None or force:
        return ""
    return f"{taken} is there already, and nothing is overwritten: give another name, or say --force."


def in_use(folder: Path) -> str:
    """Why nothing is written into this folder, "" where it is new or empty. It is not forced: what lies in a folder
    would mix with the result."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        return f"{folder} is not empty, and nothing there is overwritten: give a new folder."
    return ""
