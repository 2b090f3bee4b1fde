"""What a person types as a player's name, and what is kept of it."""

from __future__ import annotations

import pytest

from ui.components.name_field import without_emoji
from ui.font import names


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("奶奶👵🏻", "奶奶"),
        ("Bo❤️", "Bo"),
        ("👨‍👩‍👧 Li", " Li"),
        ("🇨🇳小李1️⃣", "小李1"),
        ("😀", ""),
        ("Zoë ★ №1", "Zoë ★ 1"),
        ("x" * 41, "x" * 40),
    ],
)
def test_emoji_are_left_out_of_a_name(typed: str, kept: str) -> None:
    assert without_emoji(typed) == kept


def test_everything_that_the_font_of_names_has_is_kept() -> None:
    assert [c for c in sorted(names()) if without_emoji(c) != c] == []
