"""Every data set spells the tiles in its own way; this is the table that knows the common ones and refuses the rest.

A name is cut into words (`Circle-3` → circle, 3; `三筒` → 三, 筒), each word has one meaning in a table, and a name is
understood when its words say exactly one tile. Single letters mean different suits in different houses (`b` is bamboo
in English and 饼, dots, in Botzone), so a whole list of names is read together: the scheme of letters that understands
most of the list is taken for all of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scoring.tiles import BACK, DRAGONS, FLOWERS, TILES, WINDS

CODES: Final = (*TILES, BACK)
"""The classes our writers write, in the order of their indices."""

_M, _P, _S = (tuple(f"{rank}{suit}" for rank in range(1, 10)) for suit in "mps")
_PLUM_TO_BAMBOO, _SEASONS = FLOWERS[:4], FLOWERS[4:]

SCHEMES: Final[tuple[Mapping[str, tuple[str, ...]], ...]] = (
    # ours and the riichi world's: 3p, 7z (1z–7z: 东南西北白发中), 1f–8f
    {"m": _M, "p": _P, "s": _S, "z": (*WINDS, "P", "F", "C"), "f": FLOWERS},
    # English initials: 3B bamboo, 3C characters, 3D dots, 1F flower, 1S season
    {"b": _S, "c": _M, "d": _P, "f": _PLUM_TO_BAMBOO, "s": _SEASONS},
    # bamboo, circles, myriads, winds
    {"b": _S, "c": _P, "m": _M, "w": WINDS},
    # pinyin initials as in Botzone: W万 T条 B饼 F风 J箭 (中发白) H花 (春夏秋冬梅兰竹菊)
    {"w": _M, "t": _S, "b": _P, "f": WINDS, "j": DRAGONS, "h": (*_SEASONS, "1f", "2f", "4f", "3f")},
)
"""Single letters with a number. A list of names takes the scheme that knows most of it, the earlier one on a tie."""

_LETTER_ALONE: Final = {"e": "E", "s": "S", "w": "W", "n": "N", "c": "C", "f": "F", "p": "P"}


def _words(table: Mapping[str, str]) -> dict[str, str]:
    return {word: meaning for meaning, words in table.items() for word in words.split()}


_RANKS: Final = _words(
    {
        "0": "0",
        "1": "1 one 一 壹",
        "2": "2 two 二 贰",
        "3": "3 three 三 叁",
        "4": "4 four 四 肆",
        "5": "5 five 五 伍",
        "6": "6 six 六 陆",
        "7": "7 seven 七 柒",
        "8": "8 eight 八 捌",
        "9": "9 nine 九 玖",
    }
)
_SUITS: Final = _words(
    {
        "m": "character characters char chars crak craks crack cracks man manzu wan wanzi wans myriad myriads sc 万 萬",
        "p": "dot dots circle circles coin coins ball balls pin pinzu tong tongzi tongs bing bingzi sd 筒 饼 餅",
        "s": "bamboo bamboos bam bams stick sticks sou souzu suo suozi tiao tiaozi sb 条 條 索 束",
    }
)
_HONOURS: Final = _words(
    {
        "E": "east ton dong ew we 东 東",
        "S": "south nan sw ws 南",
        "W": "west shaa sha xi ww 西",
        "N": "north pei bei nw wn 北",
        "C": "chun zhong hongzhong rd dr 中",
        "F": "hatsu fa facai green gd dg 发 發 绿 綠",
        "P": "haku bai baiban white wd dw 白 板",
    }
)
_FLOWERS: Final = _words(
    {
        "1f": "plum mei 梅",
        "2f": "orchid lan 兰 蘭",
        "3f": "chrysanthemum chrysanth chrys mum ju 菊",
        "4f": "竹",
        "5f": "spring 春",
        "6f": "summer xia 夏",
        "7f": "autumn fall qiu 秋",
        "8f": "winter 冬",
    }
)
_AMONG_FLOWERS: Final = {"bamboo": "4f", "zhu": "4f", "chun": "5f", "dong": "8f"}
"""Words that mean something else unless the name says flower, season or bonus: `bonus-bamboo`."""
_KINDS: Final = _words({"flower": "flower flowers hua 花", "season": "season seasons 季", "bonus": "bonus"})
_RED: Final = frozenset({"red", "aka", "赤", "红", "紅"})
_BACK: Final = frozenset({"back", "backside", "facedown", "reverse", "ura", "hidden", "背"})
_EMPTY: Final = frozenset(
    _words(
        {
            "": "tile tiles mahjong mj majiang suit suits of the honor honors honour honours wind winds dragon dragons "
            "feng pai 风 風 牌 子 财 財 龙 龍 面"
        }
    )
)
"""Words that say nothing about which tile it is."""
_WHOLE: Final = {"幺鸡": "1s", "幺雞": "1s", "yaoji": "1s", "face down": BACK, "?": ""}

_VOCABULARY: Final = (
    frozenset(_RANKS)
    | frozenset(_SUITS)
    | frozenset(_HONOURS)
    | frozenset(_FLOWERS)
    | frozenset(_AMONG_FLOWERS)
    | frozenset(_KINDS)
    | _RED
    | _BACK
    | _EMPTY
)
_PIECES: Final = re.compile(r"[a-z]+|[0-9]+|[^\sa-z0-9]")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS: Final = re.compile(r"[\s_\-.,:/()\[\]'\"+]+")


class UnknownNames(ValueError):
    """Class names that mean no tile. `names` has them all; the message lists them and says what to do."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(sorted(set(names)))
        listed = ", ".join(f"“{name}”" for name in self.names)
        super().__init__(
            f"{len(self.names)} class name{'s mean' if len(self.names) != 1 else ' means'} no tile we know: {listed}. "
            f"Say what they are in a file of lines `name = tile` (an empty tile leaves the name out): --names FILE."
        )


@dataclass(frozen=True)
class _Understood:
    """What a name says: a tile, or a letter with a number whose tile depends on the scheme."""

    tile: str = ""
    letter: str = ""
    rank: int = 0


def resolve(names: Iterable[str], context: Iterable[str] = (), own: Mapping[str, str] | None = None) -> dict[str, str]:
    """The tile of every name; names that mean nothing are missing from the answer.

    context: further names of the same list (unused classes), which help to tell what its letters mean.
    own: a person's own table, which comes before everything else; an empty tile there is kept as "".
    """
    own = own or {}
    names = list(dict.fromkeys(names))
    understood = {name: _understand(name) for name in dict.fromkeys((*names, *context)) if name not in own}
    letters = [u for u in understood.values() if u is not None and u.letter]
    scheme = max(SCHEMES, key=lambda s: sum(bool(_in_scheme(s, u)) for u in letters))
    tiles: dict[str, str] = {}
    for name in names:
        if name in own:
            tiles[name] = own[name]
        elif (u := understood[name]) is not None and (tile := u.tile or _in_scheme(scheme, u)):
            tiles[name] = tile
    return tiles


def require(names: Iterable[str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    """`resolve`, or `UnknownNames` with every name that it does not know."""
    names = list(names)
    tiles = resolve(names, own=own)
    if unknown := [name for name in names if name not in tiles]:
        raise UnknownNames(unknown)
    return tiles


def own_table(text: str) -> dict[str, str]:
    """A person's table from lines `name = tile` (`#` begins a comment). ValueError names the line that is no such."""
    table: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        name, equals, tile = (part.strip() for part in line.rpartition("="))
        if not equals or not name:
            raise ValueError(
                f"Line {number} of the names says “{line}”: write `name = tile`, for example `dot_3 = 3p`."
            )
        if tile and tile not in CODES:
            raise ValueError(
                f"Line {number} of the names gives “{tile}”, which is no tile: write one of {' '.join(CODES)}."
            )
        table[name] = tile
    return table


def _in_scheme(scheme: Mapping[str, tuple[str, ...]], u: _Understood) -> str:
    tiles = scheme.get(u.letter, ())
    rank = 5 if u.rank == 0 and u.letter in "mps" and len(tiles) == 9 else u.rank
    return tiles[rank - 1] if 1 <= rank <= len(tiles) else ""


def _cut(name: str) -> list[str] | None:
    """The words of a name, None when one of them is in no table."""
    name = _CAMEL.sub(" ", unicodedata.normalize("NFKC", name))
    words: list[str] = []
    for piece in _PIECES.findall(_SEPARATORS.sub(" ", name.casefold())):
        if piece in _VOCABULARY or len(piece) == 1:
            words.append(piece)
        elif piece in ("mr", "pr", "sr"):  # the red fives 5mr, 5pr, 5sr
            words += [piece[0], "red"]
        elif split := next(
            (
                (piece[:at], piece[at:])
                for at in range(len(piece) - 2, 1, -1)
                if piece[:at] in _VOCABULARY and piece[at:] in _VOCABULARY
            ),
            None,
        ):
            words += split
        else:
            return None
    return words


@lru_cache(4096)
def _understand(name: str) -> _Understood | None:
    plain = _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", name).casefold()).strip()
    if plain in _WHOLE:
        return _Understood(_WHOLE[plain]) if _WHOLE[plain] else None
    if glyph := _glyph(name.strip()):
        return _Understood(glyph)
    words = _cut(name)
    if not words:
        return None
    kinds = {_KINDS[w] for w in words if w in _KINDS}
    ranks: list[str] = []
    suits: set[str] = set()
    single: set[str] = set()
    letters: list[str] = []
    red = False
    for word in words:
        if kinds and word in _AMONG_FLOWERS:
            single.add(_AMONG_FLOWERS[word])
        elif word in _RANKS:
            ranks.append(_RANKS[word])
        elif word in _SUITS:
            suits.add(_SUITS[word])
        elif word in _HONOURS:
            single.add(_HONOURS[word])
        elif word in _FLOWERS:
            single.add(_FLOWERS[word])
        elif word in _RED:
            red = True
        elif word in _BACK:
            single.add(BACK)
        elif word not in _KINDS and word not in _EMPTY:
            letters.append(word)
    return _one_tile(ranks, suits, single, letters, kinds, red)


def _one_tile(
    ranks: list[str], suits: set[str], single: set[str], letters: list[str], kinds: set[str], red: bool
) -> _Understood | None:
    rank = int(ranks[0]) if len(ranks) == 1 else None
    if len(ranks) > 1 or len(letters) > 1 or len(suits) > 1:
        return None
    if letters and not suits and not single and not kinds:
        if rank is None:
            alone = _LETTER_ALONE.get(letters[0], "")
            return _Understood(alone) if alone and not red else None
        return _Understood(letter=letters[0], rank=rank) if not red or rank in (0, 5) else None
    if letters:
        return None
    if suits and rank is not None and not single and not kinds:
        rank = 5 if rank == 0 else rank
        return _Understood(f"{rank}{suits.pop()}") if not red or rank == 5 else None
    if suits or (rank is not None and single):
        return None
    if red:
        single.add("C")
    if len(single) == 1 and rank is None:
        (tile,) = single
        return _Understood(tile) if not kinds or tile in FLOWERS else None
    if rank is not None and not single and len(kinds) == 1:
        if kinds == {"flower"} and 1 <= rank <= 8:
            return _Understood(FLOWERS[rank - 1])
        if kinds == {"season"} and 1 <= rank <= 4:
            return _Understood(_SEASONS[rank - 1])
    return None


def _glyph(name: str) -> str:
    """The tile of a Unicode mahjong glyph; the block runs winds, dragons, 万条筒, 梅兰竹菊, seasons, joker, back."""
    character = name.rstrip("\ufe0e\ufe0f")
    if len(character) != 1:
        return ""
    order = (*WINDS, *DRAGONS, *_M, *_S, *_P, "1f", "2f", "4f", "3f", *_SEASONS, "", BACK)
    place = ord(character) - 0x1F000
    return order[place] if 0 <= place < len(order) else ""
