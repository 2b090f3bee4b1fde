"""Where things lie on disk: the app's own files, what must outlive it, and uploads that must not."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

from platformdirs import user_data_path

ASSETS = Path(__file__).parent / "assets"
SAMPLES = ASSETS / "samples"
"""Photographs whose tiles are known (`datasets/samples.py`)."""
LARGEST_UPLOAD = 32 << 20
"""Bytes of one photograph. The largest phone pictures (50 megapixels, JPEG) have about 25 MB."""


def data_folder() -> Path:
    """Where the app keeps what must outlive it: the invitation, house rules, the night's score."""
    return Path(os.environ.get("HUPAI_HOME") or user_data_path("hupai", appauthor=False))


def profile_folder() -> Path:
    """Where tile sets lie that the reader was shown."""
    return data_folder() / "profiles"


def record_folder() -> Path:
    """Where photographs are kept that somebody has put right, with consent."""
    return data_folder() / "corrections"


UPLOADS, MINE = "hupai-uploads-", "of-a-running-hupai"
"""How a folder of uploads is called, and the file in it that its server holds."""
_held: dict[Path, IO[str]] = {}
"""Those files stay open as long as this process lives; when it is killed the system itself lets go of them."""


def upload_folder() -> Path:
    """Where photographs arrive from a browser: a folder of this run alone, emptied as they are read."""
    if "FLET_UPLOAD_DIR" not in os.environ:  # Flet's own name for it; the server and the screens must agree
        made = Path(tempfile.mkdtemp(prefix=UPLOADS))
        _held[made] = (made / MINE).open("w")
        _hold(_held[made])
        os.environ["FLET_UPLOAD_DIR"] = str(made)
    return Path(os.environ["FLET_UPLOAD_DIR"])


def clear_left_uploads() -> None:
    """Delete what servers that were killed have left behind, photographs perhaps; those of living servers stay."""
    for left in Path(tempfile.gettempdir()).glob(f"{UPLOADS}*/{MINE}"):
        with contextlib.suppress(OSError):
            with left.open("r+") as file:
                _hold(file)
            shutil.rmtree(left.parent, ignore_errors=True)


def _hold(file: IO[str]) -> None:
    """Take this file for the process alone. Raises OSError when another has it."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
