"""Showing the app a tile set: a photograph of its tiles, the reader's proposals, a person's corrections, a profile.

`Calibrating` belongs to one tab, like `Taking`, whose ways to a photograph's bytes it uses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ui import teaching
from ui.labelling import Sheet, added, from_reading
from ui.session import Photograph
from ui.taking import Fetch, Taking
from vision.result import Corners, ProfileError


@dataclass(frozen=True)
class Board:
    """What lies open on the calibrating page: the photograph, its bytes, its tiles, and a crop of each."""

    photograph: Photograph
    data: bytes = field(repr=False, compare=False)
    sheet: Sheet
    crops: tuple[tuple[Corners, bytes], ...]


def opened(photograph: Photograph, data: bytes) -> Board:
    """A photograph that was read, ready to be named."""
    corners = (tile.corners for tile in photograph.reading.tiles)
    return Board(
        photograph, data, from_reading(photograph.reading), tuple(zip(corners, photograph.crops, strict=False))
    )


def grasped(board: Board, x: float, y: float) -> Board:
    """One more tile, at (x, y) of the photograph. Takes its time: call it in a thread."""
    from ui.reader import chosen, crop
    from vision.photo import open_photo

    place = teaching.grasp(chosen(), board.data, x, y, board.sheet.places)
    photo = open_photo(board.data)
    picture = crop(photo.pixels, place.corners, photo.pixels.shape[1] / photo.width)
    return replace(board, sheet=added(board.sheet, place), crops=(*board.crops, (place.corners, picture)))


class Calibrating(Taking):
    """What happens between a choice of a photograph and a profile."""

    @property
    def faces(self) -> None:
        """A set is shown whole, whatever is played with it."""
        return None

    async def take(self, files: Sequence[tuple[str, Fetch]]) -> None:
        """Read one photograph and open it on the board; whatever is wrong with it is said."""
        session = self.session
        session.troubles, session.stage, session.batch = (), "upload", (1, 1)
        name, fetch = files[0]
        got: list[bytes] = []

        async def remembered() -> bytes | None:
            data = await fetch()
            got[:] = [data] if data is not None else []
            return data

        self.stop.clear()
        photograph = await self._read(name, remembered, self.stop)
        session.stage = ""
        if photograph is not None and got:
            session.board = opened(photograph, got[0])
            await self.go("/teach/set")

    async def tapped(self, x: float, y: float) -> None:
        """A tile was passed over at (x, y) of the photograph."""
        if self.session.board is not None:
            self.session.board = await asyncio.to_thread(grasped, self.session.board, x, y)

    async def learn(self, name: str) -> bool:
        """Learn the set on the board; False, with a trouble, when that cannot be."""
        session, board = self.session, self.session.board
        if board is None:
            return False
        try:
            await asyncio.to_thread(teaching.learn, name, board.sheet, board.data)
            if session.keeps:
                await asyncio.to_thread(teaching.keep_sheet, board.sheet, board.photograph, name)
        except (ProfileError, OSError) as error:
            session.troubles = (str(error) if isinstance(error, ProfileError) else session.t("teach.unkept"),)
            return False
        session.board = None
        return True
