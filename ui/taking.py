"""Photographs on their way into the hand, one after another, wherever they come from: camera, album, drop, sample.

One bad file stops nothing: it is named with its reason while the others are read. The check screen follows when all are
through. `Taking` belongs to one tab and outlives its screens, so looking at the rules meanwhile loses nothing."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import flet as ft

from ui.arrivals import LARGE, LOST, collect
from ui.draft import from_reading
from ui.places import LARGEST_UPLOAD, upload_folder
from ui.reader import Cancelled, read
from ui.session import Photograph, Session
from ui.texts.reader import reader_text
from vision.result import PhotoError, Problem, problem

logger = logging.getLogger(__name__)
MOST = 12
"""Photographs in one go: one hand does not need more."""
UPLOAD_SECONDS = 300
TOO_LARGE = problem("photo.large", "The file is larger than {mb} MB: choose a smaller one.", mb=LARGEST_UPLOAD >> 20)

Fetch = Callable[[], Awaitable[bytes | None]]
"""Gets the bytes of one photograph; None when they did not arrive."""


class Taking:
    """What happens between a choice of files and the check screen. `go` leads to an address."""

    def __init__(self, page: ft.Page, session: Session, go: Callable[[str], Awaitable[None]]) -> None:
        self.page, self.session, self.go = page, session, go
        self.stop = threading.Event()
        self.picker = ft.FilePicker(on_result=self._picked, on_upload=self._uploaded)
        self._upload: asyncio.Future[bool] | None = None

    @property
    def faces(self) -> Sequence[str] | None:
        """The tiles that the photograph can show: those of the game."""
        return self.session.house.rules.tiles

    async def take(self, files: Sequence[tuple[str, Fetch]]) -> None:
        """Read these photographs, each a name and a way to its bytes, as one hand, or as more of the open one."""
        session, stop = self.session, threading.Event()
        self.stop.set()  # a choice that was still under way gives way to this one
        self.stop = stop
        onto_open, added = session.adding, 0
        session.troubles, session.stage = (), "upload"
        for number, (name, fetch) in enumerate(files[:MOST], 1):
            session.batch = (number, min(len(files), MOST))
            photograph = await self._read(name, fetch, stop)
            if stop.is_set():
                break
            if photograph is None:
                continue
            if not onto_open and not added:  # another hand; what lay open before is over
                troubles = session.troubles
                session.clear()
                session.troubles = troubles
            if any(photograph.digest == other.digest for other in session.open_photographs.values()):
                self._refuse(name, session.t("scan.twice"))
                continue
            draft = from_reading(photograph.reading, len(session.photographs), session.draft, session.house.meld_kinds)
            session.photographs = (*session.photographs, photograph)
            session.edit(draft)
            added += 1
        if stop is not self.stop:
            return
        session.stage = ""
        if len(files) > MOST:
            self._refuse("", session.t("scan.many", n=MOST))
        if added and not stop.is_set():
            session.adding = False
            await self.go("/check")

    def give_up(self) -> None:
        """Stop at the next stage; what was read so far stays."""
        self.stop.set()
        self.session.stage = ""

    async def arrived(self, tokens: Sequence[str]) -> None:
        """Take what the page's script sent (see `arrivals`). On the check screen it is more of the same hand."""
        files: list[tuple[str, Fetch]] = []
        lost: list[str] = []
        for token in tokens:
            if token in (LARGE, LOST):
                lost.append(self._say(TOO_LARGE) if token == LARGE else self.session.t("scan.upload_failed"))
            elif found := await asyncio.to_thread(collect, token):
                files.append((found[0], _at_hand(found[1])))
        if files:
            if self.session.route.startswith("/check"):
                self.session.adding = True
            await self.take(files)
        for sentence in lost:
            self._refuse("", sentence)

    async def _read(self, name: str, fetch: Fetch, stop: threading.Event) -> Photograph | None:
        session, loop = self.session, asyncio.get_running_loop()

        def tell(stage: str) -> None:
            loop.call_soon_threadsafe(lambda: setattr(session, "stage", stage) if not stop.is_set() else None)

        try:
            data = await fetch()
            if stop.is_set():
                return None
            if data is None:
                return self._refuse(name, session.t("scan.upload_failed"))
            photograph = await read(data, tell, stop, self.faces, session.tile_set)
        except Cancelled:
            return None
        except PhotoError as error:
            return self._refuse(name, self._say(error.problem))
        except Exception:  # whatever it was, the person can go on by hand; the trace is for the terminal
            logger.exception("reading a photograph failed")
            return self._refuse(name, session.t("scan.failed"))
        if not photograph.reading.tiles:
            return self._refuse(name, session.t("problem.nothing"))
        return photograph

    def _refuse(self, name: str, sentence: str) -> None:
        self.session.troubles = (*self.session.troubles, f"{name}: {sentence}" if name else sentence)

    def _say(self, problem: Problem) -> str:
        return reader_text(self.session.language, problem)

    # -- the file picker ---------------------------------------------------------------------------------------------

    async def _picked(self, e: ft.FilePickerResultEvent) -> None:
        if e.files:
            await self.take([(file.name, self._fetching(file)) for file in e.files])

    def _fetching(self, file: ft.FilePickerFile) -> Fetch:
        async def fetch() -> bytes | None:
            if file.size == 0:  # an upload of nothing never reports that it is done
                return b""
            if file.size and file.size > LARGEST_UPLOAD:
                raise PhotoError(TOO_LARGE)
            if not self.page.web:
                return await asyncio.to_thread(Path(file.path or "").read_bytes)
            return await self._send(file)

        return fetch

    async def _send(self, file: ft.FilePickerFile) -> bytes | None:
        """Have the browser send one file. One at a time, so that two of the same name are never taken for each other
        (a phone calls every picture `image.jpg`)."""
        name = secrets.token_hex(16)
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._upload, self.session.stage = done, "upload"
        url = self.page.get_upload_url(name, UPLOAD_SECONDS)
        await self.picker.upload([ft.FilePickerUploadFile(id=file.id, name=file.name, upload_url=url)])
        try:
            arrived = await asyncio.wait_for(done, UPLOAD_SECONDS)
        except TimeoutError:
            arrived = False
        return await asyncio.to_thread(_collect, upload_folder() / name) if arrived else None

    async def _uploaded(self, e: ft.FilePickerUploadEvent) -> None:
        if self._upload is not None and not self._upload.done() and (e.error or e.progress == 1):
            self._upload.set_result(not e.error)


def _at_hand(data: bytes) -> Fetch:
    async def fetch() -> bytes:
        return data

    return fetch


def _collect(path: Path) -> bytes:
    """What was uploaded; the file is gone afterwards."""
    data = path.read_bytes()
    path.unlink()
    return data
