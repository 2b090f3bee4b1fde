"""A line to write in. What is typed belongs to the person until they are done: the field is made once and never gets an
older value back from the server while somebody types on a slow connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from ui.components.hook import named


@ft.component
def Written(
    identifier: str,
    label: str,
    value: str = "",
    *,
    on_change: Callable[[str], None] | None = None,
    on_submit: Callable[[str], None] | None = None,
    made: int = 0,
    **field: Any,
) -> ft.Control:
    """A text field with `value` in it at first. A new number in `made` makes a new field, with the value of then."""
    latest: Any = ft.use_ref()
    latest.current = (on_change, on_submit)

    def tell(which: int) -> Callable[[Any], None]:
        # Async, because Flet gives every synchronous handler a thread of its own: what was typed fast, or into several
        # fields, arrived out of order and overwrote each other.
        async def told(e: Any) -> None:
            if latest.current[which]:
                latest.current[which](e.control.value)

        return told

    line = ft.use_memo(
        lambda: ft.TextField(value=value, label=label, on_change=tell(0), on_submit=tell(1), **field), [label, made]
    )
    return named(identifier, line)
