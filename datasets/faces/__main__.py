"""Write the app's tile faces: `python -m datasets.faces ui/assets/tiles`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from datasets.faces import RED_FIVES, TILES, FontError, svg


def main(arguments: list[str] | None = None) -> int:
    """One SVG for each tile, the red fives and the back; exit code 2 with a sentence when it cannot."""
    parser = argparse.ArgumentParser(prog="python -m datasets.faces", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the .svg files go")
    folder: Path = parser.parse_args(arguments).folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for tile in (*TILES, *RED_FIVES):
            (folder / f"{tile}.svg").write_text(svg(tile), encoding="utf-8")
    except (FontError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(TILES) + len(RED_FIVES)} faces in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
