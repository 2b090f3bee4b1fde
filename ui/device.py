"""What the device of a tab is asked, and how long one waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import flet as ft

from ui.texts import language_for

LATE = object()
"""The answer of a browser that never gave one: it may keep something, so nothing is written over it."""


async def answer(ask: Callable[[], Awaitable[Any]], tries: int = 6, patience: float = 5.0) -> Any:
    """What the browser answers; asked again when it is busy, for `patience` seconds each time. LATE when it never did,
    None when it cannot (in a private window, say)."""
    for _ in range(tries):
        try:
            return await asyncio.wait_for(ask(), patience)
        except TimeoutError:
            continue
        except Exception:  # a browser that tells or keeps nothing is no reason not to open
            return None
    return LATE


async def language_of(page: ft.Page) -> str:
    """The table of words for the language of the device, Chinese where it does not say one."""
    device = await answer(page.get_device_info, tries=1)
    return language_for(getattr(device, "language", None) or "zh")
