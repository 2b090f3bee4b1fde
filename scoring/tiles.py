"""A tile is its code, a string: `1m`…`9m` 万, `1p`…`9p` 筒, `1s`…`9s` 条, `E S W N` 东南西北, `C F P` 中发白,
`1f`…`8f` flowers.

Everything a table writes or a photograph yields is one of the 42 codes of `TILES`, in the order the networks were
trained with; `back` is a tile face down and `?` one that nobody could read. `parse` and `show` are inverse functions
for three notations: `123m 456p 11s CC`, Chinese words and the Unicode mahjong glyphs. What a game is played with is
a `tile_set`.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

Style = Literal["mps", "zh", "glyph"]
Language = Literal["zh-Hans", "zh-Hant", "en"]

SUITS: Final = ("m", "p", "s")
SUITED: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10))
WINDS: Final = ("E", "S", "W", "N")
DRAGONS: Final = ("C", "F", "P")
HONOURS: Final = WINDS + DRAGONS
FLOWERS: Final = tuple(f"{n}f" for n in range(1, 9))
TILES: Final = SUITED + HONOURS + FLOWERS
"""All 42 codes; the position of a code is its index everywhere (0–26 suits, 27–33 honours, 34–41 flowers)."""
BACK: Final = "back"
UNKNOWN: Final = "?"

INDEX: Final[dict[str, int]] = {code: i for i, code in enumerate(TILES)}

_NUMERALS: Final = "一二三四五六七八九"
_SUIT_HANS: Final = {"m": "万", "p": "筒", "s": "条"}
_SUIT_HANT: Final = {"m": "萬", "p": "筒", "s": "條"}
_SUIT_EN: Final = {"m": "characters", "p": "dots", "s": "bamboos"}
_HANS: Final = dict(zip(HONOURS + FLOWERS, "东南西北中发白梅兰菊竹春夏秋冬", strict=True))
_HANT: Final = dict(zip(HONOURS + FLOWERS, "東南西北中發白梅蘭菊竹春夏秋冬", strict=True))
_EN: Final = dict(
    zip(
        HONOURS + FLOWERS,
        [
            "east wind",
            "south wind",
            "west wind",
            "north wind",
            "red dragon",
            "green dragon",
            "white dragon",
            "plum",
            "orchid",
            "chrysanthemum",
            "bamboo flower",
            "spring",
            "summer",
            "autumn",
            "winter",
        ],
        strict=True,
    )
)
# Unicode puts the bamboo flower before the chrysanthemum (U+1F024, U+1F025); our order is that of the classes file.
_GLYPHS: Final = dict(zip(TILES, "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀄🀅🀆🀢🀣🀥🀤🀦🀧🀨🀩", strict=True)) | {BACK: "🀫"}

_SUIT_WORDS: Final = {"万": "m", "萬": "m", "筒": "p", "饼": "p", "餅": "p", "条": "s", "條": "s", "索": "s", "束": "s"}
_WORD_TILES: Final = {word: code for table in (_HANS, _HANT) for code, word in table.items()} | {"板": "P"}
_GLYPH_TILES: Final = {glyph: code for code, glyph in _GLYPHS.items()}


class NotationError(ValueError):
    """A text that names no tiles; the message says where and what is expected."""


def parse(text: str) -> tuple[str, ...]:
    """The tiles that a text names, in its order. Spaces, commas and tabs separate and mean nothing.

    `parse("123m CC")`, `parse("一二三万 中中")`, `parse("🀇🀈🀉🀄🀄")` are the same five tiles; `1万` and mixtures work
    too. Raises `NotationError` with one sentence that names the character it stumbled over.
    """
    tiles: list[str] = []
    ranks: list[str] = []
    position = 0
    while position < len(text):
        token = BACK if text.startswith(BACK, position) else text[position]
        position += len(token)
        if token.isspace() or token in ",，、\ufe0e\ufe0f":
            if ranks:
                raise NotationError(
                    f"“{''.join(ranks)}” in “{text}” lacks its suit: write m, p, s or f behind the numbers."
                )
        elif token in "123456789":
            ranks.append(token)
        elif token in _NUMERALS:
            ranks.append(str(_NUMERALS.index(token) + 1))
        elif token in "mpsf" or token in _SUIT_WORDS:
            suit = _SUIT_WORDS.get(token, token)
            if not ranks:
                raise NotationError(
                    f"“{token}” in “{text}” has no numbers in front of it: write for example 123{suit}."
                )
            if suit == "f" and "9" in ranks:
                raise NotationError(f"“{text}” names flower 9; there are eight flowers, 1f to 8f.")
            tiles += (rank + suit for rank in ranks)
            ranks = []
        elif ranks:
            raise NotationError(
                f"“{''.join(ranks)}” in “{text}” lacks its suit: write m, p, s or f behind the numbers."
            )
        elif token in HONOURS or token in (BACK, UNKNOWN):
            tiles.append(token)
        elif token in _WORD_TILES:
            tiles.append(_WORD_TILES[token])
        elif token in _GLYPH_TILES:
            tiles.append(_GLYPH_TILES[token])
        else:
            raise NotationError(
                f"“{token}” in “{text}” is no tile: write numbers with m, p or s, the letters E S W N C F P, or 1f "
                f"to 8f."
            )
    if ranks:
        raise NotationError(f"“{''.join(ranks)}” in “{text}” lacks its suit: write m, p, s or f behind the numbers.")
    return tuple(tiles)


def show(tiles: Iterable[str], style: Style = "mps") -> str:
    """The text of tiles in their given order: `parse(show(tiles, style)) == tuple(tiles)` for every style."""
    if style == "glyph":
        return "".join(_GLYPHS.get(tile, tile) for tile in tiles)
    blocks: list[str] = []
    run = ""
    run_suit = ""
    for tile in (*tiles, ""):
        suit = tile[1:] if tile[:1].isdigit() and (style == "mps" or tile[1:] != "f") else ""
        if run and suit != run_suit:
            blocks.append(run + (_SUIT_HANS[run_suit] if style == "zh" else run_suit))
            run = ""
        if suit:
            run += _NUMERALS[int(tile[0]) - 1] if style == "zh" else tile[0]
        elif tile:
            word = _HANS.get(tile, tile) if style == "zh" else tile
            # Equal honours stand together as on the table: CC, not C C.
            if blocks and blocks[-1].endswith(word) and not run_suit and tile != BACK:
                blocks[-1] += word
            else:
                blocks.append(word)
        run_suit = suit
    return " ".join(blocks)


def name(tile: str, language: Language = "en") -> str:
    """A tile's name as one says it: `5p` is 五筒, 五筒, "5 of dots"."""
    if tile == BACK:
        return "face down" if language == "en" else "牌背"
    if tile == UNKNOWN:
        return "unknown" if language == "en" else "不明"
    if tile[1:] in SUITS:
        if language == "en":
            return f"{tile[0]} of {_SUIT_EN[tile[1]]}"
        return _NUMERALS[int(tile[0]) - 1] + (_SUIT_HANS if language == "zh-Hans" else _SUIT_HANT)[tile[1]]
    return {"zh-Hans": _HANS, "zh-Hant": _HANT, "en": _EN}[language][tile]


def glyph(tile: str) -> str:
    """The Unicode mahjong glyph of a tile; `?` stays `?`."""
    return _GLYPHS.get(tile, tile)


def sort(tiles: Iterable[str]) -> tuple[str, ...]:
    """Tiles in the order of `TILES`; face-down and unknown tiles last."""
    return tuple(sorted(tiles, key=lambda tile: INDEX.get(tile, len(TILES))))


def copies(tile: str) -> int:
    """How many of a tile a full set holds: four, of each flower one."""
    return 1 if tile in FLOWERS else 4


def tile_set(
    suits: Sequence[str] = SUITS, winds: bool = True, dragons: bool = True, flowers: bool = False
) -> tuple[str, ...]:
    """The kinds of tile a game is played with, in the order of `TILES`.

    卡五星: `tile_set("ps", winds=False)` (84 tiles); 山东: `tile_set(flowers=True)` (144); 诸暨: `tile_set()` (136).
    """
    return tuple(
        tile
        for tile in TILES
        if (tile[1:] in suits if tile[1:] in SUITS else (tile in WINDS and winds) or (tile in DRAGONS and dragons))
        or (tile in FLOWERS and flowers)
    )
