"""The addresses under /teach, so that the app knows them without knowing what is on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from ui.calibrating import Calibrating
from ui.screens.teach import Teach, TeachSet, TeachTile
from ui.session import Session

BACK = {"/teach": "/settings", "/teach/set": "/teach", "/teach/tile": "/teach"}


def where(session: Session, route: str) -> str:
    """No board without a photograph on it, no tile page without a tile."""
    if (route == "/teach/set" and session.board is None) or (route == "/teach/tile" and not session.looked_at):
        return "/teach"
    return route


def screens(session: Session, go: Any, calibrating: Calibrating) -> dict[str, Callable[[], ft.Control]]:
    """What is shown at each address."""
    return {
        "/teach": lambda: Teach(session, go, calibrating),
        "/teach/set": lambda: TeachSet(session, go, calibrating),
        "/teach/tile": lambda: TeachTile(session, go),
    }
