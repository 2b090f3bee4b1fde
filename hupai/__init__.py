"""Hupai 胡牌, as other programs see it: one package.

In the repository the rooms (`scoring`, `vision`, `models`, `datasets`, `ui`) stand side by side and are imported by
name. A wheel carries them in `hupai/rooms`, so that site-packages gains one name and nobody's `datasets` is touched.
`rooms()` says where they are and `open_rooms()` puts that folder first on this process's path."""

from __future__ import annotations

import sys
from pathlib import Path

__version__ = "0.1.0"


def rooms() -> Path:
    """The folder that holds the rooms: `hupai/rooms` in an installed wheel, the repository itself in a checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "rooms"
    return installed if installed.is_dir() else here.parent


def open_rooms() -> None:
    """Make `import scoring`, `import vision`, … find our rooms, ahead of packages of the same name elsewhere.

    Only for the process that asks. A program that wants `scoring` as a library calls this once before it imports it."""
    folder = str(rooms())
    if folder in sys.path:
        sys.path.remove(folder)
    sys.path.insert(0, folder)
