"""The app reads all evening: a hundred photographs leave no more in memory than twenty did."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from pathlib import Path

import pytest

from ui.places import ASSETS
from ui.reader import read

PHOTOGRAPHS = 100
STATM = Path("/proc/self/statm")


def resident() -> int:
    """Bytes of this process that lie in memory."""
    gc.collect()
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not STATM.is_file(), reason="needs Linux's /proc to look")
def test_memory_stays_flat_over_a_hundred_photographs() -> None:
    samples = [path.read_bytes() for path in sorted((ASSETS / "samples").glob("*.jpg"))]

    async def evening() -> tuple[int, int]:
        settled = 0
        for number in range(PHOTOGRAPHS):
            if number == 20:
                settled = resident()
            photograph = await read(samples[number % len(samples)], lambda stage: None, threading.Event())
            assert photograph.reading.tiles
        return settled, resident()

    settled, last = asyncio.run(evening())
    print(f"{settled / 1e6:.0f} MB after 20 photographs, {last / 1e6:.0f} MB after {PHOTOGRAPHS}")
    assert last - settled < 60e6
