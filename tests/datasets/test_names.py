"""The table of class names knows the common spellings, reads a list of names together, and refuses the rest at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.names import CODES, UnknownNames, own_table, require, resolve
from scoring.tiles import show

SPELLINGS = {
    "3p": "3p 3P p3 sd3 dots-3 dot_3 3_dots 3_pin pin3 Circle-3 circles3 3-coins three_dots ThreeDots 三筒 3筒 三饼 🀛",
    "5s": "5s b-5 B5 bamboo-5 Bamboo_5 5bam bams-5 sou5 5sou souzu-5 sb5 tiao5 五条 五條 5索 五索 🀔",
    "1m": "1m m1 characters-1 character_1 1char char1 crak-1 c-1 man1 manzu1 wan-1 sc1 一万 一萬 1万 🀇",
    "1s": "1s bamboo-1 幺鸡 yaoji",
    "5p": "5p 0p 5pr red-5-dots aka_5p dots-5-red 赤五筒",
    "5m": "0m 5mr red_5_man",
    "E": "E e east East EastWind east-wind wind-east honors-east ton EW 1z dong 东 東 东风 🀀",
    "S": "S south nan SW 2z 南 南风 🀁",
    "W": "W west shaa sha xi WW 3z 西 🀂",
    "N": "N north pei bei NW 4z 北风 🀃",
    "P": "P haku bai white white_dragon dragon-white honors-white WD 5z 白 白板 🀆",
    "F": "F hatsu fa facai green GreenDragon GD 6z 发 發 发财 🀅",
    "C": "C chun zhong red red-dragon honors-red RD 7z 中 红中 紅中 🀄",
    "1f": "1f plum flower-1 bonus-plum 梅 🀢",
    "3f": "3f chrysanthemum mum flower3 菊 🀥",
    "4f": "4f bonus-bamboo bamboo-flower flower-4 竹 🀤",
    "5f": "5f spring season-1 bonus-spring season_chun 春 🀦",
    "8f": "8f winter flower-8 season4 冬 🀩",
    "back": "back Back tile_back face-down facedown 牌背 🀫",
}


@pytest.mark.parametrize(("spelling", "tile"), [(s, tile) for tile, words in SPELLINGS.items() for s in words.split()])
def test_a_common_spelling_means_its_tile(spelling: str, tile: str) -> None:
    assert resolve([spelling]) == {spelling: tile}


@pytest.mark.parametrize("spelling", ["bamboo 5", "east wind", "face down", "3 of dots", " 3p ", "Tile: 3 Dots"])
def test_spaces_and_filling_words_do_not_matter(spelling: str) -> None:
    assert resolve([spelling])


@pytest.mark.parametrize(
    "name",
    [
        "tile",
        "unknown",
        "?",
        "joker",
        "10p",
        "0",
        "5",
        "3x",
        "x",
        "0s0",
        "bamboo",
        "dots",
        "flower",
        "flower-9",
        "season-5",
        "red-3-dots",
        "dots-3-4",
        "east-3",
        "3p5s",
        "🀪",
        "b",
        "z",
        "person",
        "中国",
        "dog-3",
        "flower-east",
    ],
)
def test_a_name_that_says_no_single_tile_is_not_guessed(name: str) -> None:
    assert resolve([name]) == {}


def test_our_own_codes_and_notations_are_known() -> None:
    assert resolve(CODES) == {code: code for code in CODES}
    for language in ("zh", "glyph"):
        assert resolve([show([code], language) for code in CODES[:-1]]) == {
            show([code], language): code for code in CODES[:-1]
        }


def test_a_letter_means_what_the_rest_of_the_list_makes_of_it() -> None:
    english = [f"{rank}{suit}" for suit in "BCD" for rank in range(1, 10)] + ["1S", "4S", "1F"]
    assert {n: resolve(english)[n] for n in ("1S", "1B", "1C", "1D", "1F")} == {
        "1S": "5f",
        "1B": "1s",
        "1C": "1m",
        "1D": "1p",
        "1F": "1f",
    }
    botzone = resolve(["W1", "T1", "B1", "F1", "J1", "H8"])
    assert botzone == {"W1": "1m", "T1": "1s", "B1": "1p", "F1": "E", "J1": "C", "H8": "3f"}
    assert resolve(["1S"]) == {"1S": "1s"}, "alone it is a bamboo, as in riichi notation"
    assert resolve(["1S"], context=english) == {"1S": "5f"}, "unused classes of the list speak as well"


def test_all_unknown_names_are_listed_at_once() -> None:
    with pytest.raises(UnknownNames, match=r"3 class names .*“dice”, “joker”, “tiles”") as caught:
        require(["3p", "tiles", "joker", "5s", "dice", "joker"])
    assert caught.value.names == ("dice", "joker", "tiles")


def test_a_persons_own_table_comes_first_and_an_empty_tile_leaves_out() -> None:
    own = own_table("# mine\nb-5 = 5p\ntiles =\nname = with equals = E\n")
    assert own == {"b-5": "5p", "tiles": "", "name = with equals": "E"}
    assert require(["b-5", "tiles", "b-6"], own) == {"b-5": "5p", "tiles": "", "b-6": "6s"}


@pytest.mark.parametrize(
    ("text", "said"), [("3p\n", "Line 1"), ("a = 3p\nb = 3x", "Line 2 .*“3x”"), ("= 3p", "Line 1")]
)
def test_a_damaged_table_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        own_table(text)


@given(st.text(max_size=20))
def test_no_name_makes_the_table_stumble(name: str) -> None:
    assert all(tile in CODES for tile in resolve([name]).values())
