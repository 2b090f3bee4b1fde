"""Drawn tile faces: every tile in any of countless set designs, as pixels to learn from or as SVG for the app.

A `Style` says what one tile set looks like; `random_style` invents one; `draw` prints a tile of it. The characters
come from whichever freely licensed CJK fonts the machine has (see `fonts.FONTS`); nothing of them is shipped except
the canonical faces under `ui/assets/tiles`, whose characters are outlines of LXGW WenKai Bold and whose digits
are Liberation Sans Bold (both OFL 1.1).
`python -m datasets.faces FOLDER` writes those.
"""

from datasets.faces.face import RED_FIVES, TILES
from datasets.faces.fonts import FontError
from datasets.faces.raster import draw
from datasets.faces.style import CANONICAL, Style, random_style
from datasets.faces.vector import svg

__all__ = ["CANONICAL", "RED_FIVES", "TILES", "FontError", "Style", "draw", "random_style", "svg"]
