"""The result as a picture: every language drawn, nothing cut off, no box in the place of a character."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from scoring import Score
from scoring.tiles import TILES
from ui.draft import History
from ui.picture import MARGIN, WIDTH, face, plain, receipt_picture, text_width, wrapped
from ui.session import Session
from ui.table import House, Said, draft_from_text, hand_of, result_of

HAND = "123789p 4556s [CCC] + 5s"


def drawn(language: str = "zh-Hans", names: tuple[str, ...] = (), rules: tuple[str, ...] = ("规则",)) -> Any:
    session = Session(
        language=language, house=House("kwx_suizhou"), names=names, history=History(draft_from_text(HAND))
    )
    said = Said((("win_by", "discard"), ("discarder", 1)))
    score = result_of(session.house, hand_of(session.draft), said)
    assert isinstance(score, Score)
    return cv2.imdecode(
        np.frombuffer(receipt_picture(session, score, "×2", rules, "2026-11-30"), np.uint8), cv2.IMREAD_COLOR
    )


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_the_picture_is_as_wide_as_a_chat_wants_and_keeps_its_margin(language: str) -> None:
    picture = drawn(language)
    assert picture.shape[1] == WIDTH
    paper = picture[-1, 0]
    assert (picture[:, -10:] == paper).all()
    assert (picture[-MARGIN:] == paper).all()


def test_a_longer_receipt_makes_a_longer_picture() -> None:
    assert drawn(rules=("规则", "改动一", "改动二")).shape[0] > drawn().shape[0]


def test_players_names_are_drawn_and_a_symbol_without_a_glyph_is_left_out() -> None:
    assert plain("老王😀\n") == "老王"
    assert (drawn(names=("老王😀", "Bo")) == drawn(names=("老王", "Bo"))).all()
    assert (drawn(names=("老李", "Bo")) != drawn(names=("老王", "Bo"))).any()


def test_text_is_broken_between_chinese_characters_and_between_words() -> None:
    sentence = "胡五筒或五条，且作四五六的中张 and then some more English words"
    lines = wrapped(sentence, 24, 200)
    assert len(lines) > 2
    assert all(text_width(line, 24) <= 200 for line in lines)
    assert "".join(lines).replace(" ", "") == sentence.replace(" ", "")
    assert not any(line.startswith("，") for line in lines)


def test_a_word_longer_than_a_line_is_broken_and_a_long_name_is_written_out() -> None:
    lines = wrapped("so Featherstonehaughsquire ends", 24, 100)
    assert "".join(lines).replace(" ", "") == "soFeatherstonehaughsquireends"
    assert all(text_width(line, 24) <= 100 for line in lines)
    assert drawn(names=("Bartholomew Featherstonehaugh",)).shape[0] > drawn(names=("Bo",)).shape[0]


@pytest.mark.parametrize("tile", [*TILES, "back"])
def test_every_face_is_drawn_with_ink_on_it(tile: str) -> None:
    pixels = face(tile, 60)
    assert pixels.shape == (81, 60, 3)
    shades = pixels[8:-8, 6:-6].reshape(-1, 3).astype(int)
    dark = (shades.sum(1) < 500).mean()
    assert (dark > 0.02) if tile not in ("P",) else (dark < 0.5)
