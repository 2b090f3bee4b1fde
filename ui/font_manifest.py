"""Which fonts a browser loads before the page says its first word: the icons, and the app's own under the name Roboto.

Flutter paints its own glyphs. It falls back to the family Roboto wherever a text names no font or one that has not come
yet, a theme that is still being blended in among them. For a character that is not there either it asks for one of
Google's fonts, which nobody here may fetch from the internet: it gets the large font for names, whatever it asked for.
Flet's own list also names fonts for formulas, which nobody writes here."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from ui.theme import FONT_FILE, NAMES_FONT_FILE

PATH = "/assets/FontManifest.json"
"""Where Flutter looks for the list; the addresses in it are relative to this folder."""
GOOGLE = "/assets/fonts/{family}/{file:path}"
"""Where Flutter asks for a font that it knows to have a character, such as `notosanssc/v37/….woff2`."""
KEPT = "MaterialIcons"
"""The font of Flet's own list that the app paints with."""


@lru_cache(maxsize=1)
def manifest() -> list[dict[str, Any]]:
    """The fonts as Flutter's manifest has them: `family`, and `fonts`, each with the address of its `asset`."""
    from flet_web import get_package_web_dir

    theirs = json.loads((Path(get_package_web_dir()) / "assets" / "FontManifest.json").read_text(encoding="utf-8"))
    own = {"family": "Roboto", "fonts": [{"asset": f"..{FONT_FILE}"}]}
    return [*(font for font in theirs if font["family"] == KEPT), own]


async def answer(request: Request) -> Response:
    """The list, for the server."""
    return JSONResponse(manifest())


async def stand_in(request: Request) -> Response:
    """The large font in the place of one of Google's; the browser keeps one copy, however many are asked for."""
    return RedirectResponse(NAMES_FONT_FILE)
