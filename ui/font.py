"""Make the bundled fonts: `python -m ui.font [NotoSansCJK-Regular.ttc]`.

Flutter on the web paints its own glyphs, so a Chinese app must bring its font. Two subsets of Noto Sans CJK SC (SIL
Open Font License 1.1, from Debian's fonts-noto-cjk): a small one with all that the app and the rules can say, in both
scripts, which the first page waits for, and a large one with the everyday characters that players' names are written in
(GB2312 level 1, Big5 level 1), which follows when the page stands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from scoring import rulesets
from scoring.tiles import TILES, name
from scoring.traditional import to_traditional
from ui.places import ASSETS
from ui.texts import LANGUAGES, TABLES

SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
ROOMS = ASSETS.parents[1]
WORDS = ASSETS / "fonts" / "NotoSansSC-Hupai.otf"
NAMES = ASSETS / "fonts" / "NotoSansSC-Hupai-names.otf"
FACE = "Noto Sans CJK SC"
HAN, TILE_GLYPHS = 0x2E80, 0x1F000
"""Where Chinese characters and their punctuation begin in Unicode, and where the mahjong tiles, which the app draws."""
SYMBOLS = "−×÷±≤≥≠→←↑↓⇒·…—–‘’“”「」『』《》〈〉【】（）、，。；：？！％＋－＝～＿①②③④⑤⑥⑦⑧⑨⑩★☆✓●○◎△▲▼■□"


def shown() -> Iterator[str]:
    """Every text that the app can show by itself: its tables, tile names, and all that the rulesets say."""
    for table in TABLES.values():
        yield from table.values()
    yield from LANGUAGES.values()
    for tile in (*TILES, "back", "?"):
        yield from (name(tile, language) for language in ("zh-Hans", "zh-Hant", "en"))
    for system in rulesets():
        yield from system.title
        for element in system.elements:
            yield from (*element.name, *element.condition, element.source, *element.shown(2), element.id)
        for option in system.options:
            yield from (*option.text, option.source, option.name, *(w for c in option.choices for w in c.text))
        for preset in system.presets.values():
            yield from (*preset.title, preset.source, preset.name)


def said() -> str:
    """Every text that the rules and the reader put together as they go: it stands in their source."""
    return "".join(
        path.read_text(encoding="utf-8")
        for room in ("scoring", "vision", "ui")
        for path in sorted(ROOMS.glob(f"{room}/**/*.py"))
        if path.name != "traditional.py"  # a table of characters, not something said
    )


def words() -> set[str]:
    """What the small font must cover."""
    own = set("".join(shown())) | {c for c in said() if HAN <= ord(c) < TILE_GLYPHS}
    own |= set(to_traditional("".join(own)))
    return own | {chr(c) for c in (*range(0x20, 0x7F), *range(0xA0, 0x100))} - {"\xad"} | set(SYMBOLS)


def names() -> set[str]:
    """What the large font must cover: names are written in anything."""
    return words() | everyday()


def everyday() -> set[str]:
    """GB2312 level 1 (3755 simplified characters) and Big5 level 1 (5401 traditional ones)."""
    found: set[str] = set()
    for codec, first, last in (("gb2312", 0xB0A1, 0xD7F9), ("big5", 0xA440, 0xC67E)):
        for code in range(first, last + 1):
            try:
                found.add(code.to_bytes(2, "big").decode(codec))
            except UnicodeDecodeError:  # the second byte leaves gaps
                continue
    return {c for c in found if len(c) == 1}


def lacking(target: Path, wanted: set[str], source: Path = SOURCE) -> set[str]:
    """The wanted characters that `source` could give and `target`, which may not be there, has not."""
    from fontTools.ttLib import TTCollection, TTFont

    font = next(f for f in TTCollection(str(source), lazy=True).fonts if f["name"].getDebugName(4) == FACE)
    has = {chr(c) for c in TTFont(str(target), lazy=True).getBestCmap()} if target.is_file() else set()
    return (wanted & {chr(c) for c in font.getBestCmap()}) - has


def make(target: Path, wanted: set[str], source: Path = SOURCE) -> int:
    """Write the subset with these characters to `target`, give its size in bytes. Raises OSError without `source`."""
    from fontTools import subset
    from fontTools.ttLib import TTCollection

    collection = TTCollection(str(source), lazy=True)
    font = next(f for f in collection.fonts if f["name"].getDebugName(4) == FACE)
    options = subset.Options()
    options.hinting = False
    options.desubroutinize = False
    options.layout_features = ["kern", "vert", "ccmp", "locl"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(sorted(wanted)))
    cutter.subset(font)
    target.parent.mkdir(parents=True, exist_ok=True)
    font.save(str(target))
    return target.stat().st_size


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    for path, wanted in ((WORDS, words()), (NAMES, names())):
        if not lacking(path, wanted, given):  # the large one seldom lacks any, and cutting it takes a minute
            print(f"{path.name} has all {len(wanted)} characters")
            continue
        print(f"{path.name}: {make(path, wanted, given) / 1e6:.2f} MB, {len(wanted)} characters")
