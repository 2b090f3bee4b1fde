"""How the app looks: one place for colours, sizes and the font.

Colour is never the only carrier of a meaning: a doubt has a question mark, a win has a word, a payment has a sign."""

from __future__ import annotations

import flet as ft

FONT, NAMES_FONT = "Hupai", "HupaiNames"
FONT_FILE, NAMES_FONT_FILE = "/fonts/NotoSansSC-Hupai.otf", "/fonts/NotoSansSC-Hupai-names.otf"
"""The small font that the first page waits for, and the large one for names, which follows (see `ui.font`)."""

SEED = "#0b6b4f"
"""The green of the table's felt; Material derives both schemes from it."""

TILE_IVORY = "#fffdf4"
TILE_EDGE = "#b9ae8f"
TILE_INK = "#1d1b16"
DOUBT = "#f5a300"
DOUBT_INK = "#3a2600"
SURE = "#19d38a"
WIN = "#d7263d"
PICKED = "#3d8bff"
ASIDE = "#d0d0d0"

GAP = 12
SHEET = ft.AnimationStyle(duration=150, reverse_duration=20)
"""How a sheet comes and goes. It goes fast: what was chosen on it is seen only once it has gone."""
TOUCH = 48
"""The smallest side of anything one has to hit, in logical pixels."""
LARGE_TEXT = 125
"""Per cent of the usual size of text up to which words fit where they stand; above, rows become columns."""
WIDE = 900
"""From this page width on, there is a mouse and a keyboard, and the photograph and the hand stand side by side."""
LYING, LOW = 600, 480
"""From this page width on, and below this height, a phone lies on its side: they stand side by side there, too."""
PAGE = 720
"""Text and forms are not stretched beyond this width."""


def own_font(web: bool) -> dict[str, str]:
    """The small font for `page.fonts`; a browser has loaded it already (see `ui.font_manifest`)."""
    return {} if web else {FONT: FONT_FILE}


def theme(dark: bool) -> ft.Theme:
    """The Material theme for light or dark."""
    return ft.Theme(
        font_family=FONT,
        color_scheme_seed=SEED,
        use_material3=True,
        visual_density=ft.VisualDensity.STANDARD,
        scaffold_bgcolor="#101412" if dark else "#f6f8f4",
    )
