"""The data of 卡五星: the table of elements, every switch with its source, the twelve presets as changes of each other.

`ka_wu_xing` beside it holds the predicates and the payments; the source of this page is RULES.md 1.3, 6 and 7.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, cast

from scoring.rules import (
    Element,
    Option,
    Preset,
    Value,
    option,
    options_of,
)
from scoring.settlement import Text

# ---------------------------------------------------------------- elements (RULES.md 1.3)


def _element(
    id: str,
    zh: str,
    en: str,
    value: int | None,
    condition_zh: str,
    condition_en: str,
    source: str,
    *excludes: str,
    bonus: bool = False,
) -> Element:
    return Element(id, Text(zh, en), value, "+" if bonus else "×", Text(condition_zh, condition_en), source, excludes)


# fmt: off
ELEMENTS: Final = (
    _element("chicken_hand", "屁胡", "chicken hand", 1, "没有其他番种", "a legal hand without any other element",
        "LY A B D"),
    _element("all_pungs", "碰碰胡", "all pungs", 2, "四副刻子（杠）加一对将", "four pungs or kongs and a pair",
        "LY A C D"),
    _element("pure_suit", "清一色", "pure suit", 4, "全部同一门花色，没有中发白", "all tiles of one suit, no dragons",
        "LY A C D"),
    _element("seven_pairs", "七对", "seven pairs", 4,
             "七个不同的对子，没有碰杠", "seven different pairs, no melds", "LY A C D", "middle_five"),
    _element("dragon_seven_pairs", "龙七对", "dragon seven pairs", 8,
             "七对里有一组四张", "seven pairs with one four of a kind", "LY A C D", "seven_pairs"),
    _element("double_dragon_seven_pairs", "双龙七对", "double dragon seven pairs", 16,
             "七对里有两组四张", "seven pairs with two fours of a kind",
             "A C D: 16; LY: 32", "seven_pairs", "dragon_seven_pairs"),
    _element("triple_dragon_seven_pairs", "三龙七对", "triple dragon seven pairs", None,
             "七对里有三组四张（未定值时算双龙）",
             "seven pairs with three fours of a kind (without a value: as double dragon)",
             "LY: 128", "seven_pairs", "dragon_seven_pairs", "double_dragon_seven_pairs"),
    _element("three_dragons_seven_pairs", "三元七对", "three dragons seven pairs", None,
             "七对里有中中发发白白", "seven pairs with a pair of each dragon", "LY: 32", "seven_pairs"),
    _element("big_three_dragons", "大三元", "big three dragons", 8,
             "中、发、白三副刻子（杠）", "pungs or kongs of all three dragons", "A C D", "little_three_dragons"),
    _element("little_three_dragons", "小三元", "little three dragons", 4,
             "中发白两副刻子（杠）加第三种作将", "two dragon pungs or kongs and a pair of the third", "A C D"),
    _element("middle_five", "卡五星", "middle five", 2,
             "胡五筒或五条，且作 4-5-6 的中张", "won on a 5 that stands in the middle of a concealed 4-5-6",
             "LY A B C D"),
    _element("open_four", "明四归", "open four", 2,
             "胡自己碰过的牌的第四张", "the winning tile is the fourth of one's own exposed pung", "LY A C D"),
    _element("concealed_four", "暗四归", "concealed four", 4,
             "手中有三张，胡第四张", "three in the hand, and the winning tile is the fourth", "LY A C: 4; D: 2"),
    _element("single_tile_hand", "手抓一", "single-tile hand", 4,
             "四副碰杠，手中只剩一张", "four melds and one tile left in the hand", "LY A C: 4; D: 2"),
    _element("kong_bloom", "杠上开花", "kong bloom", 2,
             "杠后补牌自摸", "self-draw of the replacement tile of a kong", "LY A C D"),
    _element("kong_discard", "杠上炮", "kong discard", 2,
             "胡别人杠后打出的牌", "won on the discard that follows a kong", "LY A B C D"),
    _element("rob_kong", "抢杠胡", "robbing the kong", 2,
             "胡别人补杠的那张牌", "won on the tile that another adds to a pung", "LY A C D"),
    _element("last_tile_draw", "海底捞月", "last tile of the wall", 2,
             "自摸最后一张牌", "self-draw of the last tile of the wall", "A C"),
    _element("last_tile_discard", "海底炮", "last discard", None,
             "胡最后打出的牌", "won on the discard after the last draw", "B C: 2"),
    _element("revealed_hand", "亮倒", "revealed hand", 2,
             "听牌后把手牌亮出来", "the winner had laid the ready hand open", "LY A B C D"),
    _element("triplet_bonus", "恰", "standing triplet", None,
             "独立的暗刻，以及每个杠", "each concealed triplet that stands by itself, and every kong", "LY 恰八张",
             bonus=True),
    _element("self_draw_bonus", "摸", "self-draw bonus", None, "自摸", "self-draw", "LY 恰八张", bonus=True),
    _element("eight_tiles_bonus", "八张", "eight tiles", None,
             "一门花色有 n 张（n≥8）加 n−7", "n tiles of one suit, n at least 8: n − 7", "LY 恰八张", bonus=True),
    _element("triplet_count", "数坎", "counted triplets", None,
             "每个暗刻或杠，碰不算", "each concealed triplet or kong; pungs do not count", "A (named) [ext]",
             bonus=True),
)
# fmt: on
BY_ID: Final = {element.id: element for element in ELEMENTS}
PAIR_ELEMENTS: Final = ("seven_pairs", "dragon_seven_pairs", "double_dragon_seven_pairs", "triple_dragon_seven_pairs")
BIG_HANDS: Final = frozenset(
    ("all_pungs", "pure_suit", "big_three_dragons", "little_three_dragons", "single_tile_hand")
)


# ---------------------------------------------------------------- options (RULES.md 6)

_NO_CAP: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class KaWuXingOptions:
    """Every switch of 卡五星; the defaults are those of `kwx_base` (block A without a cap)."""

    # fmt: off
    values: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])
    unit: int = option(1, "底金：一个单位多少", "the stake: what one unit is worth", "A B C D", low=1, high=10_000)
    players: int = option(3, "人数", "players at the table", "A B C; F: 4", low=2, high=4)
    suits: tuple[str, ...] = option(("p", "s"), "用哪几门花色", "the suits in play", "A B C", kind="suits", low=2)
    combine: str = option(
        "multiply", "番种之间相乘还是相加", "whether elements multiply or add", "A 七, LY",
        choices=(
            ("multiply", "相乘", "multiply"),
            ("add", "相加", "add"),
        ),
    )
    single_tile_includes_all_pungs: bool = option(
        True, "手抓一已含碰碰胡，不再另乘", "a single-tile hand already contains all pungs",
            "LY 清一色手抓一×16; D: no", 3,
    )
    concealed_four_by_discard: bool = option(True, "暗四归捉炮也算", "a concealed four also counts on a discard",
        "A 逮炮也算", 4)
    open_four_by_discard: bool = option(True, "明四归捉炮也算", "an open four also counts on a discard", "A", 5)
    four_scope: str = option(
        "winning_tile_or_pure_suit", "不是胡张凑成的四张算不算四归",
        "which fours that the winning tile did not complete also count", "LY, A 九.6, D 6", 6,
        choices=(
            ("winning_tile", "只算胡的那张", "only the winning tile's"),
            ("winning_tile_or_pure_suit", "清一色时手上的也算", "all in a pure suit"),
            ("winning_tile_or_big_hand", "大胡时手上的也算", "all in a big hand"),
            ("full", "全频道：一律都算", "all, always"),
        ),
    )
    big_hand_for_four: str = option(
        "any", "“大胡时也算”的大胡指什么", "what a big hand is when fours count in big hands",
        "A 大胡(清一色); D 大胡", 6,
        choices=(
            ("any", "碰碰胡、清一色、大小三元、手抓一", "all pungs, pure suit, three dragons, single tile"),
            ("pure_suit", "只有清一色", "pure suit only"),
        ),
    )
    extra_quad_value: str = option(
        "own", "这样的四归按什么算", "what such a four is worth", "not stated; [ext]", 7,
        choices=(
            ("own", "明归明、暗归暗", "its own value"),
            ("open_four_value", "一律按明四归", "always that of an open four"),
        ),
    )
    middle_five_wait: str = option(
        "any", "卡五星是否必须单胡一张", "whether a middle five must be the only wait", "LY 单胡一张; A 2245667", 8,
        choices=(
            ("any", "能做成卡就算", "any reading with the 5 inside 4-5-6"),
            ("only_wait", "只听这一张才算", "only when nothing else wins"),
        ),
    )
    min_fan_discard: int = option(
        2, "捉炮至少几倍", "least multiplier to win on a discard", "A, B: 2; LY, C, D: 1", 9, low=1, high=64,
    )
    min_fan_counts_own_reveal: bool = option(
        True, "自己亮倒的翻倍算在起胡里", "the winner's own reveal helps to reach the minimum", "our reading of B 5", 9,
    )
    min_fan_self_draw: int = option(
        1, "自摸至少几倍", "least multiplier to win by self-draw", "LY 恰八张: 2", 10, low=1, high=64,
    )
    cap: int | None = option(
        None, "封顶倍数", "the cap on the multiplier", "A: 8", 11, kind="int", low=1, high=4096, nullable=True,
    )
    cap_exceptions: Mapping[str, int] = option(
        _NO_CAP, "封顶的例外：番种（可用 + 组合）→ 倍数",
            "hands with a higher cap: element (or elements joined by +) to multiplier",
        "A: 双龙七对 16", 11, low=1, high=4096,
    )
    cap_includes_reveal: bool = option(
        True, "亮倒翻倍之后再封顶", "the cap is applied after the reveal doubles", "A; [ext] no", 12,
    )
    cap_per: str = option(
        "share", "一人包两份时怎样封顶", "how the cap counts when one player pays both shares", "not stated", 13,
        choices=(
            ("share", "每份各封顶", "each share"),
            ("total", "合起来封顶", "the shares together"),
        ),
    )
    reveal_discard_liability: str = option(
        "all_shares", "点亮倒者的炮赔几份", "what the discarder to a revealed hand pays", "A, C, D: all; LY, B: one",
        14,
        choices=(
            ("all_shares", "包胡：各家的都由他出", "every share"),
            ("single", "只出自己一份", "his own share"),
        ),
    )
    liability_exempts_revealed_discarder: bool = option(
        False, "放炮者也亮倒时不包", "a revealed discarder is not liable for the others", "[ext]", 15,
    )
    liability_on_rob: bool = option(
        True, "抢杠也按包胡算", "robbing a kong counts as a discard for that liability", "A 点炮(包括抢杠胡)", 16,
    )
    reveal_doubles_payer: bool = option(False, "亮倒者输也翻倍", "a revealed loser pays double", "LY, B: yes", 17)
    double_reveal_stacks: bool = option(False, "亮对亮翻两次（×4）", "winner and payer both revealed: ×4", "[ext]", 18)
    revealed_self_draw_only: bool = option(
        False, "亮倒后只能自摸", "a revealed hand wins by self-draw only", "C (contradicts itself)", 19,
    )
    draw_penalty: str = option(
        "first_revealer", "荒庄时亮倒者怎样赔", "who pays after a draw", "A B D LY; C", 20,
        choices=(
            ("first_revealer", "第一个亮倒的赔每家", "the first to reveal pays everyone"),
            ("each_revealer_to_unrevealed", "亮倒的各赔没亮的", "each revealed pays each unrevealed"),
            ("every_revealer", "亮倒的各赔其他每家", "each revealed pays everyone else"),
        ),
    )
    last_tile_discard_any: bool = option(
        True, "海底炮：最后一抓之后打出的任何牌都算",
            "the last discard may be any tile, not only the last tile of the wall itself",
        "B any; C the 84th tile", 21,
    )
    rob_chain_kong: bool = option(True, "杠上杠也可以抢", "a chained kong may be robbed", "C 九.6 (damaged)", 24)
    rob_concealed_kong: bool = option(False, "暗杠也可以抢", "a concealed kong may be robbed", "C 11 (damaged)", 24)
    kong_bloom_chain_doubles: bool = option(
        False, "连杠后开花每杠再翻倍", "kong bloom doubles for each kong in a row", "[ext]", 25,
    )
    kong_chain_cap: int | None = option(
        None, "杠上杠翻倍的上限", "limit of the doubling of chained kongs", "[ext]: 8", 26, kind="int", low=1,
            high=1024,
        nullable=True,
    )
    missed_win: str = option(
        "bigger_ok", "漏胡之后", "after passing up a win", "A, D; C", 27,
        choices=(
            ("off", "不限", "no rule"),
            ("strict", "过手前不能再胡别家的炮", "no other discard until the next draw"),
            ("bigger_ok", "更大的可以胡", "only a bigger hand"),
        ),
        aliases=MappingProxyType({"none": "strict"}),
    )
    dragon_pairs_needs_winning_fourth: bool = option(
        False, "龙七对必须胡第四张", "dragon pairs only when the winning tile is the fourth", "E", 28,
    )
    three_dragons_pairs_stack: bool = option(
        False, "三元七对与龙七对相乘", "three dragons pairs and dragon pairs multiply", "LY silent", 30,
    )
    money_cap: Mapping[str, int] = option(
        _NO_CAP, "封顶金额：底金 → 每份最多", "money limit: unit to the most a share may cost",
        "E 2-16 5-40 10-80 20-160 40-200", 32, low=1,
    )
    multiple_winners: bool = option(True, "可以一炮双响", "two may win on one discard", "A, C; LY one", 33)
    qia_value: int = option(1, "一恰值几个底", "what one standing triplet is worth", "[ext]", 34, low=1, high=64)
    qia_winning_triplet: bool = option(
        True, "胡张凑成的刻子也算恰、算坎", "a triplet completed by the winning tile counts as a standing one",
            "[ext]", 35,
    )
    ba_scope: str = option(
        "each_suit", "八张按每门还是最多的一门", "eight tiles: every suit or the longest", "not stated", 36,
        choices=(
            ("each_suit", "每门都算", "each suit"),
            ("max_suit", "只算最多的一门", "the longest suit"),
        ),
    )
    ba_honours: bool = option(False, "八张：中发白也算一门", "eight tiles: the dragons are a third colour", "[ext]", 36)
    bonus_doubled_by_reveal: bool = option(False, "恰、摸、八张随亮倒翻倍", "bonuses double with the reveal",
        "[ext] no", 37)
    kong_with_one_tile_left: bool = option(True, "牌墙剩一张时还可以开杠", "a kong is allowed while one tile is left",
        "A, C", 38)
    kong_timing_strict: bool = option(
        True, "补杠须当时杠，不能碰后再杠", "an added kong at once, no pung and kong later", "A 九.3, 九.8",
    )
    dealer_rotation: str = option(
        "discarder_if_two", "下一局谁坐庄", "who deals the next hand", "A 二, C 三",
        choices=(
            ("discarder_if_two", "胡家；一炮双响则放炮者", "the winner; the discarder after two winners"),
            ("winner", "胡家", "the first winner"),
            ("stay", "霸王庄：输牌才下", "the dealer until he loses"),
        ),
    )
    kong_added_units: int = option(
        1, "蓄杠：其他每家几个", "an added kong: units from each other player", "A, D, LY: 1", low=0, high=64,
    )
    kong_exposed_units: int = option(
        2, "直杠：点杠者几个", "an exposed kong: units from the discarder", "A, D, LY: 2; C 点杠者出双份", 31, low=0,
            high=64,
    )
    kong_concealed_units: int = option(
        2, "暗杠：其他每家几个", "a concealed kong: units from each other player", "A, D, LY: 2", low=0, high=64,
    )
    draw_units: int = option(1, "荒庄每份赔几个", "units for each payment after a draw", "A B C D LY: 1", 20, low=0,
        high=64)
    # fmt: on


OPTIONS: Final[tuple[Option, ...]] = options_of(KaWuXingOptions, {"values": ELEMENTS})


# ---------------------------------------------------------------- presets (RULES.md 7)


def _preset(name: str, zh: str, en: str, base: str | None, source: str, **changes: Value) -> tuple[str, Preset]:
    values = cast("dict[str, int | None]", changes.pop("values", {}))
    flat = {f"values.{key}": value for key, value in values.items()} | changes
    return name, Preset(name, "ka_wu_xing", Text(zh, en), base, MappingProxyType(flat), source)


# fmt: off
_BLOCK_A: Final = MappingProxyType({"double_dragon_seven_pairs": 16})
PRESETS: Final[Mapping[str, Preset]] = dict(
    (
        _preset("kwx_base", "卡五星 · 通用", "Ka Wu Xing, general", None, "A without a cap"),
        _preset("kwx_suizhou", "卡五星 · 随州", "Ka Wu Xing, Suizhou", "kwx_base", "A 七", cap=8,
            cap_exceptions=_BLOCK_A),
        _preset("kwx_xiangyang", "卡五星 · 襄阳", "Ka Wu Xing, Xiangyang", "kwx_base", "A 七", cap=8,
            cap_exceptions=_BLOCK_A),
        _preset("kwx_zaoyang", "卡五星 · 枣阳", "Ka Wu Xing, Zaoyang", "kwx_base", "A 七", cap=8,
            cap_exceptions=_BLOCK_A),
        _preset("kwx_shiyan", "卡五星 · 十堰", "Ka Wu Xing, Shiyan", "kwx_base", "A 七 满和", cap=8),
        _preset(
            "kwx_yunmeng", "卡五星 · 云梦", "Ka Wu Xing, Yunmeng", "kwx_base", "B, element values from A",
            values={"last_tile_draw": None, "last_tile_discard": 2}, four_scope="winning_tile", missed_win="off",
            reveal_doubles_payer=True, reveal_discard_liability="single",
        ),
        _preset(
            "kwx_baohu", "卡五星 · 包胡", "Ka Wu Xing, full liability", "kwx_base", "C",
            values={"last_tile_discard": 2}, four_scope="winning_tile", missed_win="strict", min_fan_discard=1,
            draw_penalty="each_revealer_to_unrevealed", last_tile_discard_any=False,
        ),
        _preset(
            "kwx_xiangfan", "卡五星 · 襄樊", "Ka Wu Xing, Xiangfan", "kwx_base", "D",
            values={"concealed_four": 2, "single_tile_hand": 2, "last_tile_draw": None}, min_fan_discard=1,
            single_tile_includes_all_pungs=False, four_scope="winning_tile_or_big_hand",
        ),
        _preset(
            "kwx_leyou", "卡五星 · 乐游", "Ka Wu Xing, Leyou", "kwx_base", "LY",
            values={
                "double_dragon_seven_pairs": 32, "triple_dragon_seven_pairs": 128, "three_dragons_seven_pairs": 32,
                "big_three_dragons": None, "little_three_dragons": None, "last_tile_draw": None,
            },
            min_fan_discard=1, four_scope="winning_tile", missed_win="off", dealer_rotation="winner",
            reveal_doubles_payer=True, reveal_discard_liability="single",
        ),
        _preset(
            "kwx_qiabazhang", "卡五星 · 恰八张", "Ka Wu Xing, qia ba zhang", "kwx_leyou", "LY 恰八张",
            values={"triplet_bonus": 1, "self_draw_bonus": 1, "eight_tiles_bonus": 1}, min_fan_discard=2,
                min_fan_self_draw=2,
        ),
        _preset(
            "kwx_xiaogan", "卡五星 · 孝感", "Ka Wu Xing, Xiaogan", "kwx_base", "[ext] help text of 孝感卡五星",
            values={"triplet_count": 1}, cap=8, cap_includes_reveal=False, min_fan_self_draw=2,
            cap_exceptions=MappingProxyType({"pure_suit+concealed_four": 16}),
        ),
        _preset("kwx_four_players", "拳打脚踢 · 四人", "Ka Wu Xing, four players", "kwx_base", "F", players=4,
            suits=("m", "p", "s")),
    )
)
# fmt: on
