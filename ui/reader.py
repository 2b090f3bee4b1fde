"""From a photograph's bytes to what the app shows of it: the reading, a light preview, and a crop of every tile.

The work runs in a thread of its own, one photograph at a time on this machine; a person who gives up is obeyed at the
next stage. Nothing of the photograph is kept beyond what is returned."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import threading
from collections.abc import Callable, Collection
from typing import Any

from ui.places import SAMPLES, data_folder, profile_folder
from ui.session import Photograph
from vision.result import Corners, Reading

CROP = (72, 96)
"""Pixels of a crop: enough to compare with the drawn face, small enough to send fourteen of them."""
_one_at_a_time = asyncio.Semaphore(1)


class Cancelled(Exception):
    """The person gave up waiting."""


async def read(
    data: bytes,
    tell: Callable[[str], None],
    cancelled: threading.Event,
    faces: Collection[str] | None = None,
    tile_set: str = "none",
) -> Photograph:
    """Read one photograph. `tell` gets the name of each stage, from another thread; `faces` are the tiles of the game;
    `tile_set` is the one on the table, or `auto` for the one that matches, if any.

    Raises vision.result.PhotoError for a file that cannot be read and Cancelled when `cancelled` was set.
    """
    tell("wait")
    async with _one_at_a_time:
        return await asyncio.to_thread(_work, data, tell, cancelled, faces, tile_set)


def _work(
    data: bytes,
    tell: Callable[[str], None],
    cancelled: threading.Event,
    faces: Collection[str] | None,
    tile_set: str,
) -> Photograph:
    # imported here, in the thread: loading OpenCV and the networks must not hold up the first page
    from models import choice
    from ui.teaching import known
    from vision.photo import open_photo, preview
    from vision.reading import read_photo

    def stage(name: str) -> None:
        if cancelled.is_set():
            raise Cancelled
        tell(name)

    stage("decode")
    photo = open_photo(data)
    sets = {profile.name: profile for profile in known(profile_folder())} if tile_set != "none" else {}
    folder, candidates = choice.folder(data_folder()), tuple(sets.values()) if tile_set == "auto" else ()
    reading = read_photo(data, progress=stage, faces=faces, folder=folder, profile=sets.get(tile_set), known=candidates)
    stage("show")
    tiles = crops(photo.pixels, reading, photo.pixels.shape[1] / photo.width)
    return Photograph(preview(photo), reading, tiles, hashlib.sha256(data).hexdigest())


def chosen() -> Any:
    """The reader with the networks that were chosen in the settings; call it in a thread."""
    from models import choice
    from vision.reading import reader

    return reader(choice.folder(data_folder()))


def warm_up() -> None:
    """Load what the first photograph would wait for, and read a small one. Call it in a thread, once the app is up."""
    with contextlib.suppress(Exception):  # whatever is wrong is said when somebody's photograph is read
        chosen().read(next(iter(sorted(SAMPLES.glob("*.jpg")))))


def crops(pixels: Any, reading: Reading, scale: float = 1.0) -> tuple[bytes, ...]:
    """Every tile of the reading, upright, as a small JPEG.

    pixels: H x W x 3 uint8, BGR, at `scale` of the photograph's own size, in which the reading's corners are."""
    return tuple(crop(pixels, tile.corners, scale) for tile in reading.tiles)


def crop(pixels: Any, corners: Corners, scale: float = 1.0) -> bytes:
    """One quadrilateral of the photograph, straightened, as JPEG bytes."""
    import cv2
    import numpy as np

    w, h = CROP
    square = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(corners, np.float32) * np.float32(scale), square)
    _, encoded = cv2.imencode(".jpg", cv2.warpPerspective(pixels, warp, CROP), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return encoded.tobytes()
