"""Walk every journey and leave a series of screenshots for people to look at: `python -m tests.journeys.film [words]`.

The pictures lie in `tests/journeys/shots`, named after the journey and numbered in its order. Words choose journeys, as
with pytest's `-k`. `--readme` then makes the README's pictures of the shots that are there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2
import pytest

from tests.journeys.driver import FILM, SHOTS

PICTURES = Path(__file__).parent / "pictures"
README = {
    "photo-1-read-phone": "1-check",
    "photo-2-tile-phone": "2-correct",
    "photo-4-won-phone": "3-how-it-was-won",
    "photo-5-result-phone": "4-result",
    "night-5-table": "5-night",
    "twelve-a-figures": "6-figures",
}
"""Which shots the README shows, and as what."""
WIDTH = 300


def pictures() -> int:
    """Shrink the shots of the README to its pictures; 1 when one of them has not been taken yet."""
    PICTURES.mkdir(exist_ok=True)
    for shot, name in README.items():
        seen = cv2.imread(str(SHOTS / f"{shot}.png"))
        if seen is None:
            print(f"there is no {shot}.png in {SHOTS}: walk its journey first", file=sys.stderr)
            return 1
        size = (WIDTH, round(seen.shape[0] * WIDTH / seen.shape[1]))
        small = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(PICTURES / f"{name}.png"), small, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return 0


def main(words: list[str]) -> int:
    """Run the journeys with the patience that pictures need; give pytest's exit status."""
    if words == ["--readme"]:
        return pictures()
    os.environ[FILM] = "1"
    chosen = ["-k", " or ".join(words)] if words else []
    return pytest.main([str(Path(__file__).parent), "-q", *chosen])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
