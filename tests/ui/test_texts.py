"""The words: three tables with the same keys, the same blanks, and a character in the font for everything."""

from __future__ import annotations

from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from scoring import Text, rulesets
from ui.font import NAMES, WORDS, names, words
from ui.screens.rules import matches
from ui.session import Session
from ui.texts import LANGUAGES, TABLES, language_for, rule_text, text, tile_name
from ui.texts.reader import reader_text
from vision.result import Code, Problem, problem


@pytest.mark.parametrize("language", TABLES)
def test_every_table_has_the_same_keys(language: str) -> None:
    assert set(TABLES[language]) == set(TABLES["en"])


@pytest.mark.parametrize("key", TABLES["en"])
def test_a_text_has_the_same_blanks_in_every_language(key: str) -> None:
    def blanks(words: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(words) if name}

    assert len({frozenset(blanks(table[key])) for table in TABLES.values()}) == 1


def test_no_text_is_empty_and_the_two_scripts_do_not_mix() -> None:
    for table in TABLES.values():
        assert all(table.values())
    assert not set("这说张对录设开门问题").intersection("".join(TABLES["zh-Hant"].values()))
    assert not set("這說張對錄設開門問題").intersection("".join(TABLES["zh-Hans"].values()))


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh-CN", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh_HK", "zh-Hant"),
        ("zh", "zh-Hans"),
        ("en-GB", "en"),
        ("de", "en"),
    ],
)
def test_the_browsers_language_chooses_the_table(locale: str, language: str) -> None:
    assert language_for(locale) == language


def test_rules_speak_traditional_chinese_too() -> None:
    words = Text("杠上开花，庄家数番", "kong bloom")
    assert rule_text("zh-Hant", words) == "槓上開花，莊家數番"
    assert rule_text("zh-Hans", words) == words.zh
    assert rule_text("en", words) == "kong bloom"


def test_a_tile_is_named_in_every_language() -> None:
    assert [tile_name(language, "5p") for language in LANGUAGES] == ["五筒", "五筒", "5 of dots"]


@pytest.mark.parametrize("code", get_args(Code))
def test_whatever_the_reader_says_has_words_in_every_language(code: Code) -> None:
    facts = {
        "w": 1,
        "h": 2,
        "mp": 64,
        "mb": 32,
        "n": 1,
        "all": 14,
        "left": "5p",
        "right": "6p",
        "tile": "1m",
        "set": "green",
    }
    said = Problem(code, "English.", tuple(facts.items()))
    assert all(reader_text(language, said) for language in LANGUAGES)


def test_the_tiles_in_a_problem_are_named_in_the_language_of_the_tab() -> None:
    gap = problem("problem.gap", "There is a gap of one tile between {left} and {right}.", left="5p", right="7p")
    assert str(gap) == "There is a gap of one tile between 5p and 7p."
    assert "五筒" in reader_text("zh-Hant", gap)
    assert "5 of dots" in reader_text("en", gap)


def test_a_tile_set_that_is_called_like_a_tile_keeps_its_name() -> None:
    assert "5p" in reader_text("zh-Hans", problem("problem.set", "Not {set}.", set="5p"))


def test_a_text_with_blanks_is_filled() -> None:
    assert text("en", "standing.few", n=12, missing=2) == "12 tiles, 2 missing."


def test_one_thing_is_not_called_several() -> None:
    assert text("en", "teach.set", n=1) == "1 photograph."
    assert text("en", "teach.set", n=2) == "2 photographs."
    assert text("en", "teach.lacking", n=1, few=5).startswith("1 tile has fewer")
    assert text("en", "problem.apart", n=1) == "1 tile that lies apart was left out."
    assert text("en", "figure.flowers", n="1 / 2") == "1 / 2 flowers"
    assert text("zh-Hans", "teach.set", n=1) == "1张照片。"


def covered(font: Path) -> set[str]:
    from fontTools.ttLib import TTFont

    return {chr(code) for code in TTFont(str(font), lazy=True).getBestCmap()}


def test_the_small_font_has_every_character_that_the_app_and_the_rules_can_say() -> None:
    assert sorted(words() - covered(WORDS)) == [], "run python -m ui.font"
    assert set("萬東發槓風莊") <= covered(WORDS)
    assert WORDS.stat().st_size < 500_000  # the first page waits for it


def test_the_large_font_has_what_names_are_written_in() -> None:
    assert sorted(names() - covered(NAMES)) == [], "run python -m ui.font"
    assert set("龍鳳張李王陈刘黃蓉曦") <= covered(NAMES)
    assert NAMES.stat().st_size < 5_000_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (NAMES.parent / "OFL.txt").read_text()


def test_the_search_of_the_rules_knows_every_name_as_each_language_shows_it():
    for language in LANGUAGES:
        session = Session(language=language)
        for system in rulesets():
            preset = next(iter(system.presets.values()))
            for element in system.elements:
                assert matches(session, session.rule(element.name), system, preset), (language, element.id)
    assert not matches(Session(), "billiards", rulesets()[0], next(iter(rulesets()[0].presets.values())))
