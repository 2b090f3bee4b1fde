"""Every word the app shows, in one table per language; the tables have the same keys (a test holds that).

The rules speak for themselves in simplified Chinese and English; their traditional form is converted character by
character, which is safe for the words that rules are made of (`scoring/traditional.py` says how it was checked)."""

from __future__ import annotations

from string import Formatter
from typing import Any

from scoring import Text
from scoring.tiles import name
from ui.texts import en, zh_hans, zh_hant

TABLES = {"zh-Hans": zh_hans.TEXTS, "zh-Hant": zh_hant.TEXTS, "en": en.TEXTS}
LANGUAGES = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}


class _Counted(Formatter):
    """`{n:tile|tiles}` is the number with the word for one or for several."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, counted, several = format_spec.partition("|")
        if not counted:
            return super().format_field(value, format_spec)
        return f"{value} {one if str(value) == '1' else several}"


def text(language: str, key: str, **values: Any) -> str:
    """The words for `key`. Raises KeyError for a key that no table has."""
    return _Counted().vformat(TABLES[language][key], (), values)


def rule_text(language: str, words: Text) -> str:
    """A sentence of the rules in `language`."""
    return words(language)


def tile_name(language: str, tile: str) -> str:
    """A tile by name: 五筒, 5 of dots."""
    return name(tile, language)  # type: ignore[arg-type]  # the keys of TABLES are scoring's languages


def language_for(locale: str) -> str:
    """The best table for a browser's language tag: `zh-TW` is traditional, `zh` simplified, anything else English."""
    tag = locale.replace("_", "-").lower()
    if not tag.startswith("zh"):
        return "en"
    return "zh-Hant" if any(part in ("hant", "tw", "hk", "mo") for part in tag.split("-")) else "zh-Hans"
