"""What the device of a tab is asked, and how long one waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

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
