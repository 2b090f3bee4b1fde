"""Photographs on their way into the hand: what is read, what is refused by name, and what an impatient person gets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.requests import Request

from ui import arrivals, taking
from ui.draft import Draft
from ui.session import Photograph, Session
from ui.taking import MOST, Taking
from vision.result import PhotoError, ReadHand, Reading, ReadTile, problem

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 14.0), (0.0, 14.0))
EMPTY = problem("photo.empty", "The file is empty.")


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """A reader that finds one tile in any bytes but b"" (refused), b"cloth" (no tile), b"bug" (fails)."""
    seen: list[bytes] = []

    async def read(
        data: bytes, tell: Callable[[str], None], stop: threading.Event, faces: object = None, tile_set: str = "auto"
    ) -> Photograph:
        seen.append(data)
        await asyncio.sleep(0)
        if data == b"":
            raise PhotoError(EMPTY)
        if data == b"bug":
            raise RuntimeError
        tiles = () if data == b"cloth" else (ReadTile("5p", 0.99, SQUARE),)
        return Photograph(b"", Reading(10, 14, tiles, ReadHand(tuple(range(len(tiles))))), digest=data.decode())

    monkeypatch.setattr(taking, "read", read)
    return seen


class Tab:
    def __init__(self) -> None:
        self.session, self.went = Session(language="en"), []

        async def go(to: str) -> None:
            self.went.append(to)

        self.taking = Taking(cast(Any, SimpleNamespace(web=True)), self.session, go)

    async def take(self, *files: tuple[str, bytes | None]) -> None:
        def at_hand(data: bytes | None) -> Callable[[], Awaitable[bytes | None]]:
            async def fetch() -> bytes | None:
                return data

            return fetch

        await self.taking.take([(name, at_hand(data)) for name, data in files])


def test_each_bad_file_is_named_with_its_reason_and_the_others_are_read(reader: list[bytes]) -> None:
    tab = Tab()
    asyncio.run(
        tab.take(("a.jpg", b"a"), ("b.jpg", b""), ("c.jpg", b"cloth"), ("d.jpg", b"bug"), ("e.jpg", None), ("f", b"f"))
    )
    assert len(tab.session.photographs) == 2
    assert len(tab.session.draft.concealed) == 2
    assert tab.went == ["/check"]
    assert [sentence.partition(":")[0] for sentence in tab.session.troubles] == ["b.jpg", "c.jpg", "d.jpg", "e.jpg"]
    assert "The file is empty" in tab.session.troubles[0]
    assert tab.session.stage == ""


def test_when_no_file_can_be_read_the_open_hand_stays(reader: list[bytes]) -> None:
    tab = Tab()
    asyncio.run(tab.take(("a.jpg", b"a")))
    asyncio.run(tab.take(("b.jpg", b"")))
    assert len(tab.session.photographs) == 1
    assert tab.went == ["/check"]


def test_another_choice_is_another_hand_unless_more_of_it_was_asked_for(reader: list[bytes]) -> None:
    tab = Tab()
    asyncio.run(tab.take(("a.jpg", b"a")))
    asyncio.run(tab.take(("b.jpg", b"b")))
    assert [photo.digest for photo in tab.session.photographs] == ["b"]
    tab.session.adding = True
    asyncio.run(tab.take(("a.jpg", b"a")))
    assert [photo.digest for photo in tab.session.photographs] == ["b", "a"]


def test_a_picture_that_comes_twice_is_in_the_hand_once(reader: list[bytes]) -> None:
    tab = Tab()
    asyncio.run(tab.take(("a.jpg", b"a"), ("copy.jpg", b"a")))
    assert len(tab.session.photographs) == 1
    assert tab.session.troubles == ("copy.jpg: This picture is already there; it was not read twice.",)


def test_what_was_cleared_comes_back_with_its_photograph_and_may_be_taken_again(reader: list[bytes]) -> None:
    tab = Tab()
    asyncio.run(tab.take(("a", b"one")))
    tab.session.edit(Draft())
    assert not tab.session.open_photographs
    tab.session.history = tab.session.history.undo()
    assert [photograph.digest for photograph in tab.session.open_photographs.values()] == ["one"]
    tab.session.edit(Draft())
    tab.session.adding = True
    asyncio.run(tab.take(("a", b"one")))
    assert not tab.session.troubles
    assert list(tab.session.open_photographs) == [1]


def test_not_more_than_a_dozen_are_read_at_once(reader: list[bytes]) -> None:
    tab = Tab()
    asyncio.run(tab.take(*[(f"{n}.jpg", str(n).encode()) for n in range(MOST + 5)]))
    assert len(reader) == MOST
    assert len(tab.session.photographs) == MOST
    assert len(tab.session.troubles) == 1


def test_giving_up_keeps_what_was_read_and_reads_no_more(reader: list[bytes]) -> None:
    tab = Tab()

    async def impatient() -> bytes | None:
        tab.taking.give_up()
        return b"b"

    async def first() -> bytes | None:
        return b"a"

    asyncio.run(tab.taking.take([("a", first), ("b", impatient), ("c", first)]))
    assert reader == [b"a"]
    assert len(tab.session.photographs) == 1
    assert tab.went == []


# -- pictures that the page's own script sends -------------------------------------------------------------------------


def post(body: bytes, name: str = "hand.jpg") -> Any:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"x-name", name.encode())]
    return asyncio.run(arrivals.receive(Request({"type": "http", "method": "POST", "headers": headers}, receive)))


@pytest.fixture
def waiting(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("FLET_UPLOAD_DIR", str(tmp_path))
    monkeypatch.setattr(arrivals, "_waiting", {})
    return tmp_path


def test_a_picture_is_collected_once_and_leaves_nothing_on_the_disk(waiting: Any) -> None:
    answer = post(b"picture", "%E7%89%8C.jpg")
    token = bytes(answer.body).decode()
    assert arrivals.collect(token) == ("牌.jpg", b"picture")
    assert arrivals.collect(token) is None
    assert list(waiting.iterdir()) == []


def test_a_picture_that_is_too_large_is_refused_while_it_arrives(waiting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "LARGEST_UPLOAD", 5)
    assert post(b"picture").status_code == 413
    assert list(waiting.iterdir()) == []


def test_only_so_many_pictures_wait_and_none_for_ever(waiting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(arrivals.MOST):
        assert post(b"picture").status_code == 200
    assert post(b"picture").status_code == 429
    monkeypatch.setattr(arrivals, "SECONDS", -1)
    assert post(b"picture").status_code == 200
    assert len(list(waiting.iterdir())) == 1


@pytest.mark.parametrize(
    ("route", "tokens"),
    [("/", []), ("/check?photo=a.b", ["a", "b"]), ("/?other=1", [""]), ("/?photo=large", ["large"])],
)
def test_the_address_names_the_pictures(route: str, tokens: list[str]) -> None:
    assert arrivals.tokens(route) == tokens


def test_what_was_lost_on_the_way_is_said(reader: list[bytes], waiting: Any) -> None:
    tab = Tab()
    token = bytes(post(b"picture", "").body).decode()
    asyncio.run(tab.taking.arrived(["large", token, "lost", "unknown"]))
    assert len(tab.session.photographs) == 1
    assert len(tab.session.troubles) == 2
    assert "32 MB" in tab.session.troubles[0]
