"""The Flet entry that `flet build` packages for phones; on a computer, `hupai` serves the same app to browsers."""

from __future__ import annotations

import flet as ft

from ui.app import main
from ui.places import ASSETS

if __name__ == "__main__":
    ft.run(main, assets_dir=str(ASSETS), no_cdn=True, host="127.0.0.1")
