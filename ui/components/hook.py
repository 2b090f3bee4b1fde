"""A stable name for a control: screen readers get its label, tests find it by its identifier."""

from __future__ import annotations

from typing import Any

import flet as ft


def named(identifier: str, content: ft.Control, label: str | None = None, **semantics: Any) -> ft.Semantics:
    """`content` under an identifier that reaches the page's semantics tree (Flet's `key` does not)."""
    return ft.Semantics(identifier=identifier, label=label, content=content, **semantics)
