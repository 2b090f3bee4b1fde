"""What a device keeps between visits, and what the settings say about the machine."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from ui.app import LATE, answer, preferences, recall
from ui.installed import megabytes, networks, storage
from ui.session import Session
from ui.table import House
from vision.network import FOLDER


def test_what_a_device_keeps_is_taken_up_again() -> None:
    house = House("kwx_suizhou").changed("unit", 5)
    before = Session(language="zh-Hant", theme="dark", text=150, names=("阿明", "Bo"), house=house, houses=(house,))
    after = Session()
    recall(after, preferences(before))
    assert (after.language, after.theme, after.text) == ("zh-Hant", "dark", 150)
    assert (after.names, after.house, after.houses) == (("阿明", "Bo"), house, (house,))


@pytest.mark.parametrize("kept", ["", "7", "{}", '{"text": 999, "theme": "pink", "language": "xx", "house": "no"}'])
def test_what_cannot_be_read_is_passed_over(kept: str) -> None:
    session = Session()
    recall(session, kept)
    assert (session.text, session.theme, session.language) == (100, "system", "zh-Hans")


def test_what_was_chosen_while_the_browser_was_busy_stays() -> None:
    kept = preferences(Session(language="zh-Hant", theme="dark", names=("阿明",), house=House("shandong"), keeps=True))
    session = Session(language="en")
    before = preferences(session)
    session.text, session.theme = 150, "light"
    session.start_with(House("zhuji_bao"))
    recall(session, kept, before)
    assert (session.text, session.theme, session.house.preset) == (150, "light", "zhuji_bao")
    assert (session.language, session.names, session.keeps) == ("zh-Hant", ("阿明",), True)


def test_the_rules_of_a_night_that_was_opened_meanwhile_are_not_those_of_the_device() -> None:
    kept = preferences(Session(house=House("shandong")))
    session = Session()
    before = preferences(session)
    session.usual, session.house = session.house, House("zhuji_bao")  # as opening a night does
    recall(session, kept, before)
    assert (session.house.preset, session.starting_house.preset) == ("zhuji_bao", "shandong")


def test_preferences_without_a_size_of_text_are_those_of_an_older_version() -> None:
    kept = json.loads(preferences(Session(language="en")))
    del kept["text"]
    session = Session()
    recall(session, json.dumps(kept))
    assert (session.language, session.text) == ("en", 100)


def test_each_network_says_when_it_was_made_and_which_weights_it_holds() -> None:
    made = networks(FOLDER)
    assert [name for name, _, _ in made] == ["finder", "refiner", "classifier"]
    assert all(len(date) == 10 and len(weights) == 8 for _, date, weights in made)


def test_the_room_that_data_takes_is_counted(tmp_path: Path) -> None:
    assert storage(tmp_path / "nothing") == 0
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "night").write_bytes(b"x" * 1500)
    (tmp_path / "b").write_bytes(b"x" * 500)
    assert storage(tmp_path) == 2000
    assert (megabytes(2_345_678), megabytes(12_345_678)) == ("2.3 MB", "12 MB")


class Device:
    """A browser that answers after a while, or not at all."""

    def __init__(self, *seconds: float) -> None:
        self.seconds, self.asked = list(seconds), 0

    async def get(self) -> str:
        self.asked += 1
        await asyncio.sleep(self.seconds.pop(0))
        return "kept"


def test_a_busy_browser_is_asked_again_until_it_answers():
    device = Device(9, 9, 0)
    assert asyncio.run(answer(device.get, patience=0.01)) == "kept"
    assert device.asked == 3


def test_a_browser_that_never_answers_may_still_keep_something():
    assert asyncio.run(answer(Device(9, 9).get, tries=2, patience=0.01)) is LATE


def test_a_browser_that_keeps_nothing_says_so_at_once():
    async def private() -> str:
        raise RuntimeError("no storage in a private window")

    assert asyncio.run(answer(private)) is None
