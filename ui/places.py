"""Where things lie on disk: the app's own files, what must outlive it, and uploads that must not."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

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


def upload_folder() -> Path:
    """Where photographs arrive from a browser: a folder of this run alone, emptied as they are read."""
    if "FLET_UPLOAD_DIR" not in os.environ:  # Flet's own name for it; the server and the screens must agree
        os.environ["FLET_UPLOAD_DIR"] = tempfile.mkdtemp(prefix="hupai-")
    return Path(os.environ["FLET_UPLOAD_DIR"])
