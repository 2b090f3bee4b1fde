"""Walk every journey and leave a series of screenshots for people to look at: `python -m tests.journeys.film [words]`.

The pictures lie in `tests/journeys/shots`, named after the journey and numbered in its order. Words choose journeys, as
with pytest's `-k`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def main(words: list[str]) -> int:
    """Run the journeys with the patience that pictures need; give pytest's exit status."""
    os.environ["HUPAI_FILM"] = "1"
    chosen = ["-k", " or ".join(words)] if words else []
    return pytest.main([str(Path(__file__).parent), "-q", *chosen])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
