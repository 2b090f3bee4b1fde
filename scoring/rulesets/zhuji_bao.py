"""诸暨包麻将 Zhuji Bao: four players, wild tiles chosen by the one who contracts for a number of 台 (tai).

The file reads like RULES.md section 3. Hand points are H = 2^台, contract points C come from the auction, and who pays
which of them depends on whether the contractor won. What the source lost (the 台 table, wins on a discard) is a switch.
A hand with wild tiles is never tried tile by tile: each suit says to how many chows and pungs it can be completed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import permutations
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, cast

from scoring.hand import Answer, Answers, Contract, Hand, Meld, Win, written
from scoring.legality import hand_problems, is_chow, no_kong_was_robbed, seat_problems
from scoring.receipt import NEEDS, line, meld_groups, problem, seat_choices, seat_word, total_of, way_choices, won_by
from scoring.rules import (
    NOTHING,
    Choice,
    Element,
    Explanation,
    Group,
    Kong,
    Line,
    Option,
    Preset,
    Problem,
    Question,
    Refusal,
    Rules,
    Ruleset,
    Score,
    Step,
    Value,
    fields_of,
    option,
    options_of,
)
from scoring.settlement import Settlement, Text, Transfer
from scoring.several import settle_together
from scoring.shapes import (
    WEIGHT,
    arrange,
    arrange_honours,
    completions,
    honour_completions,
    suits_of,
    weigh,
)
from scoring.tiles import DRAGONS, HONOURS, TILES, name, show, sort, tile_set

# ---------------------------------------------------------------- elements (RULES.md 3.3)


def _element(
    id: str, zh: str, en: str, value: int, condition_zh: str, condition_en: str, source: str, *excludes: str
) -> Element:
    return Element(id, Text(zh, en), value, "台", Text(condition_zh, condition_en), source, excludes)


# fmt: off
ELEMENTS: Final = (
    _element("all_chows", "平胡", "all chows", 1, "四副顺子加一对", "four chows and a pair", "[ext] 1, 2", "all_pungs"),
    _element("all_pungs", "碰碰胡", "all pungs", 1, "四副刻子或杠", "four pungs or kongs", "[ext] 1, 2", "all_chows"),
    _element("mixed_suit", "混一色", "mixed suit", 1, "一门花色加字牌", "one suit and honours", "[ext] 1, 2",
        "pure_suit"),
    _element("pure_suit", "清一色", "pure suit", 3, "全部同一门花色", "one suit only", "[ext] 1, 2", "mixed_suit"),
    _element("all_honours", "全字牌", "all honours", 7, "全部字牌（辣子）", "only honours", "[ext] 1; 2 辣子",
        "mixed_suit"),
    _element("rob_kong", "抢杠", "robbing the kong", 1, "抢别人的杠", "won on the tile of another's kong", "ZJ 升一台"),
    _element("kong_bloom", "杠开", "kong bloom", 1, "胡杠后补的牌", "won on the replacement tile of a kong",
        "[ext] 1, 2"),
    _element("east_pung", "东风", "east pung", 2, "东风刻子或杠", "a pung or kong of East", "[ext] 1, 2"),
    _element("dragon_pung", "中发白", "dragon pung", 1, "中、发或白的刻子或杠", "a pung or kong of a dragon",
        "[ext] 1, 2"),
    _element("no_wild", "无财", "no wild tile", 1, "手中没有财神", "the hand holds no wild tile", "[ext] 1, 2"),
    _element("heavenly_hand", "天胡", "heavenly hand", 7, "庄家起手胡", "the dealer wins on the dealt hand", "[ext] 2"),
    _element("earthly_hand", "地胡", "earthly hand", 7, "闲家第一轮胡", "a non-dealer wins in the first round",
        "[ext] 2"),
    _element("old_dealer", "老庄", "dealer who stayed", 0, "胡家是连庄的庄家", "the winner is a dealer who stayed on",
        "[ext] 2"),
)
# fmt: on
BY_ID: Final = {element.id: element for element in ELEMENTS}


# ---------------------------------------------------------------- options (RULES.md 6)


@dataclass(frozen=True, slots=True, eq=False)
class ZhujiBaoOptions:
    """Every switch of 诸暨包麻将."""

    # fmt: off
    tai: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])
    unit: int = option(1, "一分值多少", "what one point is worth", "house", low=1, high=10_000)
    players: int = option(4, "人数", "players at the table", "ZJ", low=2, high=4)
    pinghu_any_hand: bool = option(False, "平胡：每手胡牌都有 1 台", "all chows counts in every hand", "undefined", 53)
    dragon_pung_max: int | None = option(
        None, "中发白最多算几副（关闭：每副都算）", "how many dragon pungs count at most (off: each)",
            "[ext] 1: one; 2: each", 54,
        kind="int", low=1, high=4, nullable=True, aliases=MappingProxyType({"each": None, "one": 1}),
    )
    no_wild_needs_wild_in_play: bool = option(True, "无财须场上有财神", "“no wild” needs wild tiles in play",
        "undefined", 55)
    failure_formula: str = option(
        "h_plus_3c", "别家自摸时包家付", "what a failed contractor pays on a self-draw", "ZJ 次方+分数×3", 58,
        choices=(("h_plus_3c", "H + 3C", "H + 3C"), ("three_times_both", "3 ×（H + C）", "3 × (H + C)")),
    )
    failure_receiver: str = option(
        "winner", "失败的包分给谁", "who receives the contract points of a failure", "ZJ (cut off)", 58,
        choices=(("winner", "胡家得 3C", "the winner, 3C"), ("each_opponent", "其他三家各得 C",
            "each of the three others, C")),
    )
    discard_model: str = option(
        "two_part", "放冲怎样付", "who pays on a discard", "ZJ (lost), [ext]", 59,
        choices=(
            ("two_part", "放冲者付胡分，包分照旧", "hand points from the discarder, contract points as usual"),
            ("discarder_only", "包家胡：只有放冲者付", "contractor wins: only the discarder pays"),
            ("contractor_covers", "别家胡：包家替放冲者付",
                "another wins: the contractor pays in the discarder's place"),
            ("ext_both", "两条都用", "both of these"),
        ),
    )
    draw_payer: str = option(
        "contractor", "和局谁付包分", "who pays after a draw", "ZJ 庄家扣减相应分数", 60,
        choices=(("contractor", "包家", "the contractor"), ("dealer", "庄家", "the dealer")),
    )
    no_bid: str = option(
        "play", "没有人包时", "when nobody bids", "not stated", 62,
        choices=(("play", "无财照打，一台起胡", "play without wilds, 1 tai to win"), ("redeal", "重新发牌",
            "deal again")),
    )
    min_tai_others: int = option(1, "非包家几台起胡", "least tai for those who did not contract", "ZJ 一台起胡",
        low=0, high=20)
    rob_exposed_kong: bool = option(False, "直杠（杠别人打出的牌）也可抢", "a kong from a discard may be robbed too",
        "ZJ 明杠", None)
    wild_chow: bool = option(True, "可以财吃", "a chow may hold a wild tile", "[ext] 财吃", None)
    multiple_winners: bool = option(False, "一炮多响", "several may win on one discard", "ZJ 按顺序最近一个玩家胡",
        None)
    # fmt: on


OPTIONS: Final[tuple[Option, ...]] = options_of(ZhujiBaoOptions, {"tai": ELEMENTS})
PRESETS: Final[Mapping[str, Preset]] = {
    "zhuji_bao": Preset("zhuji_bao", "zhuji_bao", Text("诸暨包麻将", "Zhuji Bao"), None, MappingProxyType({}), "ZJ")
}


# ---------------------------------------------------------------- what the hand can be completed to


class Table(NamedTuple):
    """What the melds and circumstances contribute before the concealed tiles are read."""

    sets: int
    naturals: int
    wilds: int
    suits: str
    honours: bool
    chows: int
    pungs: int
    east: int
    dragons: int


class Completed(NamedTuple):
    """One way to complete the hand: its 台, and which numbers of sets it rests on.

    `suits` are those in use, `chows_only` whether all sets are chows, `honours` the (pungs, pairs, East pungs, dragon
    pungs) among the concealed tiles.
    """

    tai: int
    triplets: int
    suits: str
    chows_only: bool
    honours: tuple[int, int, int, int]


_TILE_SET: Final = frozenset(tile_set())
_SUIT_AT: Final = {"m": 0, "p": 1, "s": 2}


def _table(win: Win) -> Table:
    """Naturals and wild tiles of the concealed part; a discarded wild tile is a natural one (section 11)."""
    hand = win.hand
    wild = win.wild
    won = cast(str, hand.winning_tile)
    naturals, wilds = hand.concealed, 0
    if wild:
        naturals = tuple(tile for tile in hand.concealed if tile not in wild)
        wilds = len(hand.concealed) - len(naturals)
    if win.by == "self_draw" and won in wild:
        wilds += 1
        weight = weigh(naturals)
    else:
        weight = weigh(naturals) + WEIGHT[won]
    m, p, s, honours_key = suits_of(weight)
    suits = ("m" if m else "") + ("p" if p else "") + ("s" if s else "")
    chows = pungs = east = dragons = 0
    honours = honours_key > 0
    for meld in hand.melds:
        face = _faces(meld, wild)[0]
        if face in HONOURS:
            honours = True
            east += face == "E"
            dragons += face in DRAGONS
        elif face[1] not in suits:
            suits += face[1]
        if meld.kind == "chow":
            chows += 1
        else:
            pungs += 1
    return Table(4 - len(hand.melds), weight, wilds, suits, honours, chows, pungs, east, dragons)


def _faces(meld: Meld, wild: Sequence[str]) -> tuple[str, ...]:
    """What a meld counts as: what it was said to stand for, else what its natural tiles allow with fewest stand-ins."""
    if meld.stands_for:
        return meld.stands_for
    tiles = meld.tiles
    if is_chow(tiles) if meld.kind == "chow" else len(set(tiles)) == 1:
        return tiles
    naturals = [tile for tile in tiles if tile not in wild]
    if meld.kind != "chow":
        return (naturals[0],) * len(tiles) if len(set(naturals)) == 1 else tiles
    fits = [
        faces
        for start in range(1, 8)
        for suit in {tile[1:] for tile in naturals or tiles}
        for faces in permutations(f"{start + i}{suit}" for i in range(3))
        if suit in _SUIT_AT and all(tile == face or tile in wild for tile, face in zip(tiles, faces, strict=False))
    ]
    # 5-6 and a wild tile may be 4-5-6 or 5-6-7: no element tells them apart.
    return min(fits, key=lambda faces: sum(map(str.__ne__, tiles, faces)), default=tiles)


def _together(keys: Sequence[int], wilds: int) -> dict[tuple[int, int], tuple[bool, int]]:
    """What several suits together can be with at most so many wild tiles: (sets, pair) to (all chows?, most pungs)."""
    found = {(0, 0): (True, 0)}
    for key in keys:
        merged: dict[tuple[int, int], tuple[bool, int]] = {}
        for (sets, pair), (chows, pungs) in found.items():
            for spent, more, another, only, most in completions(key):
                if spent > wilds:
                    break
                if pair + another > 1 or sets + more > 4:
                    continue
                counts = sets + more, pair + another
                old_chows, old_pungs = merged.get(counts, _NOTHING)
                merged[counts] = old_chows or (chows and only), max(old_pungs, pungs + most)
        found = merged
    return found


_NOTHING: Final = (False, -1)


def _completed(win: Win, o: ZhujiBaoOptions, table: Table) -> list[Completed]:
    """Every completion worth telling apart: with each number of honour sets, all chows or as many pungs as possible."""
    parts = suits_of(table.naturals)
    tai = o.tai
    fixed = sum(tai[element] or 0 for element in _fixed_elements(win, o))
    all_pungs, all_chows = tai["all_pungs"] or 0, tai["all_chows"] or 0
    east_pung, dragon_pung = tai["east_pung"] or 0, tai["dragon_pung"] or 0
    most_dragons = 99 if o.dragon_pung_max is None else o.dragon_pung_max
    # Without a suit so far, sets of wild tiles may open one (any is as good) or stay among the honours.
    choices = (table.suits,) if table.suits else ("", "m")
    found: list[Completed] = []
    for suits in choices:
        suited = _together([parts[_SUIT_AT[suit]] for suit in suits], table.wilds)
        for spent, sets, pair, special in honour_completions(parts[3]):
            if spent > table.wilds:
                break
            here = suited.get((table.sets - sets, 1 - pair))
            if here is None or (suits and not table.suits and sets == table.sets and pair):
                continue
            pungs = table.pungs + sets
            ways = [(False, pungs + here[1])]
            if here[0] and not pungs:
                ways.append((True, 0))
            flush = tai[_flush(suits, bool(sets or pair or table.honours))] or 0 if len(suits) < 2 else 0
            for chows_only, triplets in ways:
                shape = all_pungs if triplets == 4 else 0
                if chows_only or o.pinghu_any_hand:
                    shape += all_chows
                for east, dragons in special:
                    total = (
                        fixed
                        + flush
                        + shape
                        + east_pung * (table.east + east)
                        + dragon_pung * min(table.dragons + dragons, most_dragons)
                    )
                    found.append(Completed(total, triplets, suits, chows_only, (sets, pair, east, dragons)))
    return found


def _flush(suits: str, honours: bool) -> str:
    """The element of a hand with at most one suit."""
    if not suits:
        return "all_honours"
    return "mixed_suit" if honours else "pure_suit"


def _elements(win: Win, o: ZhujiBaoOptions, table: Table, item: Completed) -> tuple[str, ...]:
    """The elements of a completion, sorted; what is worth nothing at this table is left out."""
    sets, pair, east, dragons = item.honours
    elements = _fixed_elements(win, o)
    if item.triplets == 4:
        elements.append("all_pungs")
    if item.chows_only or o.pinghu_any_hand:
        elements.append("all_chows")
    if len(item.suits) < 2:
        elements.append(_flush(item.suits, bool(sets or pair or table.honours)))
    elements += ["east_pung"] * (table.east + east)
    count = table.dragons + dragons
    elements += ["dragon_pung"] * (count if o.dragon_pung_max is None else min(count, o.dragon_pung_max))
    return tuple(sorted(element for element in elements if o.tai[element]))


def _fixed_elements(win: Win, o: ZhujiBaoOptions) -> list[str]:
    """The elements that every completion of the hand has."""
    found: list[str] = []
    if win.by == "rob_kong":
        found.append("rob_kong")
    in_play = bool(win.wild) or not o.no_wild_needs_wild_in_play
    if in_play and not any(tile in win.wild for tile in win.hand.all_tiles):
        found.append("no_wild")
    if win.circumstances:
        found += (
            element
            for element in ("kong_bloom", "heavenly_hand", "earthly_hand", "old_dealer")
            if win.circumstances.get(element)
        )
    return found


class ZhujiBao(Ruleset[ZhujiBaoOptions]):
    """诸暨包麻将 as RULES.md sections 3 and 11 have it."""

    name: ClassVar[str] = "zhuji_bao"
    title: ClassVar[Text] = Text("诸暨包麻将", "Zhuji Bao")
    elements: ClassVar[tuple[Element, ...]] = ELEMENTS
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    presets: ClassVar[Mapping[str, Preset]] = PRESETS

    def build(self, flat: Mapping[str, Value]) -> ZhujiBaoOptions:
        return ZhujiBaoOptions(**fields_of(flat, "tai"))

    def contradictions(self, options: ZhujiBaoOptions) -> list[Problem]:
        if options.pinghu_any_hand and options.tai["all_chows"] is None:
            return [
                problem(
                    "contradiction",
                    "选项“pinghu_any_hand”需要“tai.all_chows”有台数。",
                    "Option “pinghu_any_hand” needs a value in “tai.all_chows”, which is off.",
                )
            ]
        return []

    def players(self, options: ZhujiBaoOptions) -> int:
        return options.players

    def tiles(self, options: ZhujiBaoOptions) -> tuple[str, ...]:
        return tile_set()

    def questions(self, options: ZhujiBaoOptions) -> tuple[Question, ...]:
        return _questions(options)

    def score(self, rules: Rules, win: Win) -> Score | Refusal:
        o = cast(ZhujiBaoOptions, rules.options)
        players = win.players or o.players
        wild = frozenset(win.wild)
        problems = hand_problems(_explicit(win), _TILE_SET, self.title, chows=True, wild=wild)
        problems += _wild_melds(win, o)
        about = _contract_problems(win, o, players) + _circumstance_problems(win, o, players)
        if problems:
            return Refusal(rules, win, tuple(problems + about))
        table = _table(win)
        completed = _completed(win, o, table)
        if not completed:
            return Refusal(rules, win, (_no_shape(), *about), partial(_hints, rules, win))
        if about:
            return Refusal(rules, win, tuple(about))
        best = max(completed)[0]
        needed = _needed(win, o)
        if best < needed:
            return Refusal(rules, win, (_too_little(win, best, needed),))
        return _score(rules, win, players, table, completed)

    def settle_wins(self, rules: Rules, wins: Sequence[Win]) -> tuple[tuple[Score | Refusal, ...], Settlement]:
        return settle_together(rules, wins, cast(ZhujiBaoOptions, rules.options).multiple_winners)

    def settle_kongs(self, rules: Rules, kongs: Sequence[Kong], players: int) -> tuple[Settlement, ...]:
        """Kongs earn nothing by themselves."""
        return tuple(Settlement(players) for _ in kongs)

    def settle_draw(self, rules: Rules, answers: Answers, players: int, contract: Any = None) -> Settlement:
        """和局: the contract failed, its contractor (or the dealer, row 60) pays C to each of the others."""
        o = cast(ZhujiBaoOptions, rules.options)
        if contract is None:
            return Settlement(players)
        payer: object = cast(Contract, contract).seat
        if o.draw_payer == "dealer":
            payer = answers.get("dealer")
            if payer is None:
                raise ValueError("Say who is the dealer: at this table the dealer pays after a draw.")
        if not isinstance(payer, int) or not 0 <= payer < players:
            raise ValueError(f"The payer's seat must be 0 to {players - 1}, not {written(payer)}.")
        points = o.unit * cast(Contract, contract).points
        reason = Text("和局：包家失败，赔每家包分", "draw: the contract failed, contract points to each")
        return Settlement(
            players, tuple(Transfer(payer, seat, points, reason) for seat in range(players) if seat != payer)
        )

    def next_dealer(
        self, rules: Rules, dealer: int, winners: Sequence[int], discarder: int | None, players: int
    ) -> int:
        """老庄: a dealer who wins, or a drawn hand, stays; otherwise the deal passes on."""
        return dealer if not winners or dealer in winners else (dealer + 1) % players


def _no_shape() -> Problem:
    return problem(
        "no_shape", "这手牌胡不了：凑不成四副牌加一对。", "This hand is not complete: it makes no four sets and a pair."
    )


def _hints(rules: Rules, win: Win) -> tuple[Problem, ...]:
    """Which tiles would have completed the concealed ones, won the same way."""
    o, hand = cast(ZhujiBaoOptions, rules.options), win.hand
    fits = [
        tile
        for tile in rules.tiles
        if hand.all_tiles.count(tile) < 4
        and _completed(
            other := replace(win, hand=Hand(hand.concealed, hand.melds, tile, hand.flowers)), o, _table(other)
        )
    ]
    if not fits:
        return ()
    return (problem("waits", f"这些牌听的是 {show(fits, 'zh')}。", f"These tiles wait for {show(fits)}."),)


def _needed(win: Win, o: ZhujiBaoOptions) -> int:
    """How many 台 this winner must have: what was contracted, or the minimum of the others."""
    return win.contract.level if win.contract and win.contract.seat == win.winner else o.min_tai_others


def _too_little(win: Win, tai: int, needed: int) -> Problem:
    if win.contract and win.contract.seat == win.winner:
        return problem(
            "contract_not_reached",
            f"包 {needed} 台，只有 {tai} 台，没有完成。",
            f"The contract of {needed} tai is not reached: the hand has {tai}.",
        )
    return problem(
        "below_minimum",
        f"不够起胡：至少 {needed} 台，这手牌 {tai} 台。",
        f"Below the minimum of {needed} tai: this hand has {tai}.",
    )


# ---------------------------------------------------------------- legality of wild tiles, contract, circumstances


def _explicit(win: Win) -> Win:
    """The win with what each meld stands for written out, as its natural tiles allow."""
    if not any(tile in win.wild for meld in win.hand.melds for tile in meld.tiles):
        return win
    melds = tuple(
        Meld(meld.kind, meld.tiles, meld.source, faces if (faces := _faces(meld, win.wild)) != meld.tiles else ())
        for meld in win.hand.melds
    )
    hand = win.hand
    return Win(
        Hand(hand.concealed, melds, hand.winning_tile, hand.flowers),
        win.by, win.winner, win.players, win.circumstances, win.wild, win.contract,
    )  # fmt: skip


def _wild_melds(win: Win, o: ZhujiBaoOptions) -> list[Problem]:
    """正碰, 财碰 and 财吃: at most one wild tile stands in for another in a claimed pung or chow."""
    found: list[Problem] = []
    for meld in win.hand.melds:
        faces = _faces(meld, win.wild)
        if len(faces) != len(meld.tiles):
            continue
        substitutes = sum(tile != face for tile, face in zip(meld.tiles, faces, strict=True))
        text, shown = " ".join(meld.tiles), show(meld.tiles, "zh")
        if meld.kind in ("chow", "pung") and substitutes > 1:
            found.append(
                problem(
                    "wild_meld", f"“{shown}”里只能有一张财神代用。", f"Only one wild tile may stand in within “{text}”."
                )
            )
        if meld.kind == "chow" and substitutes and not o.wild_chow:
            found.append(
                problem("wild_chow", "本桌不能财吃。", f"At this table a chow may not hold a wild tile: “{text}”.")
            )
    return found


def _contract_problems(win: Win, o: ZhujiBaoOptions, players: int) -> list[Problem]:
    found: list[Problem] = []
    kinds = {"two": 2, "one": 1, "none": 0}[win.contract.kind] if win.contract else 0
    wrong = [tile for tile in win.wild if tile not in _TILE_SET]
    twice = [tile for tile in win.wild if win.wild.count(tile) > 1]
    if wrong:
        found.append(problem("wild", f"财神不能是“{wrong[0]}”。", f"“{wrong[0]}” cannot be a wild tile in this game."))
    elif twice:
        found.append(
            problem(
                "wild",
                f"财神{show(twice[:1], 'zh')}说了两次：每种只说一次。",
                f"“wild” names {twice[0]} twice: name each kind of wild tile once.",
            )
        )
    elif len(win.wild) != kinds:
        word = f"A contract of kind “{win.contract.kind}”" if win.contract else "A hand without a contract"
        many = f"{kinds or 'no'} kind{'s' * (kinds != 1)} of wild tile"
        found.append(
            problem(
                "wild",
                f"这样的包牌应有 {kinds} 种财神，现有 {len(win.wild)} 种。",
                f"{word} has {many}, and {len(win.wild)} {'is' if len(win.wild) == 1 else 'are'} named.",
            )
        )
    if win.contract is None:
        if o.no_bid == "redeal":
            found.append(
                problem(
                    "no_bid", "没有人包，本桌重新发牌。", "Nobody bid, and this table deals again: name the contract."
                )
            )
        return found
    if not 0 <= win.contract.seat < players:
        found.append(
            problem(
                "seat",
                f"包家座位须为 0 到 {players - 1}。",
                f"The contractor's seat must be 0 to {players - 1}, not {win.contract.seat}.",
            )
        )
    if not 2 <= win.contract.level <= 20:
        found.append(
            problem(
                "contract_level", "包牌从 2 台起。", f"A contract starts at 2 tai (up to 20), not {win.contract.level}."
            )
        )
    return found


def _circumstance_problems(win: Win, o: ZhujiBaoOptions, players: int) -> list[Problem]:
    found = seat_problems(win, players)
    said = win.circumstances
    if win.by == "rob_kong":
        robbed = said.get("robbed_kong", "added")
        if robbed not in ("added", "exposed"):
            found.append(
                problem(
                    "robbed_kong",
                    "只能抢补杠或直杠。",
                    f"Only an added or exposed kong can be robbed, not {written(robbed)}.",
                )
            )
        elif robbed == "exposed" and not o.rob_exposed_kong:
            found.append(problem("robbed_kong", "本桌只能抢补杠。", "At this table only an added kong can be robbed."))
    elif said.get("robbed_kong") is not None:
        found.append(no_kong_was_robbed())
    if said.get("kong_bloom") and win.by != "self_draw":
        found.append(problem("contradiction", "杠开只能是自摸。", "“kong_bloom” is possible only by self-draw."))
    if said.get("heavenly_hand") and said.get("earthly_hand"):
        found.append(
            problem("contradiction", "天胡、地胡不能同时。", "A hand is not both “heavenly_hand” and “earthly_hand”.")
        )
    if said.get("heavenly_hand") and win.by != "self_draw":
        found.append(
            problem("contradiction", "天胡只能是自摸。", "A “heavenly_hand” is the dealer's dealt hand, not a discard.")
        )
    dealer = said.get("dealer")
    if dealer is not None and (not isinstance(dealer, int) or not 0 <= dealer < players):
        found.append(
            problem(
                "seat",
                f"庄家座位须为 0 到 {players - 1}。",
                f"The dealer's seat must be 0 to {players - 1}, not {written(dealer)}.",
            )
        )
    return found


# ---------------------------------------------------------------- payments (RULES.md 3.4)


def _transfers(
    o: ZhujiBaoOptions, players: int, winner: int, discarder: int | None, contract: Contract | None, tai: int
) -> Iterator[Transfer]:
    """Who pays hand points H = 2^台 and contract points C, in every case of the table."""
    unit = o.unit
    hand_points = unit * 2**tai
    others = tuple(seat for seat in range(players) if seat != winner)
    hand_zh, hand_en = f"胡分 2^{tai}", f"hand points 2^{tai}"
    if contract is None:
        for payer in others if discarder is None else (discarder,):
            yield Transfer(payer, winner, hand_points, Text(f"无人包：{hand_zh}", f"no contract: {hand_en}"))
        return
    points = unit * contract.points
    if contract.seat == winner:
        for payer in others if discarder is None else (discarder,):
            yield Transfer(payer, winner, hand_points, Text(hand_zh, hand_en))
        alone = discarder is not None and o.discard_model in ("discarder_only", "ext_both")
        for payer in (discarder,) if alone and discarder is not None else others:
            yield Transfer(payer, winner, points, Text("包家成功：包分", "contract made: contract points"))
        return
    failed = Text("包家失败：包分", "contract failed: contract points")
    covers = discarder is not None and o.discard_model in ("contractor_covers", "ext_both")
    if covers:
        covered = Text(f"包家代付{hand_zh}", f"{hand_en}, paid in the discarder's place")
        yield Transfer(contract.seat, winner, hand_points, covered)
    else:
        for payer in others if discarder is None else (discarder,):
            times = 3 if discarder is None and payer == contract.seat and o.failure_formula == "three_times_both" else 1
            yield Transfer(payer, winner, times * hand_points, Text(hand_zh, hand_en))
    if o.failure_receiver == "each_opponent":
        for receiver in range(players):
            if receiver != contract.seat:
                yield Transfer(contract.seat, receiver, points, failed)
    else:
        yield Transfer(contract.seat, winner, points if covers else 3 * points, failed)


# ---------------------------------------------------------------- the receipt


def _score(rules: Rules, win: Win, players: int, table: Table, completed: Sequence[Completed]) -> Score:
    """The score of the best completion (section 11: 台, more triplets, the names of the elements)."""
    o = cast(ZhujiBaoOptions, rules.options)
    highest = max(completed)[:2]
    best, elements = min(
        ((item, _elements(win, o, table, item)) for item in completed if item[:2] == highest), key=lambda pair: pair[1]
    )
    settlement = _settlement(o, players, win.winner, win.circumstances.get("discarder"), win.contract, best.tai)
    figures: dict[str, int | list[int]] = {
        "tai": best.tai,
        "contract_points": win.contract.points if win.contract else 0,
    }
    return Score(
        rules, win, elements, figures, settlement, partial(_explain, rules, win, players, table, best, completed)
    )


@lru_cache(maxsize=8192)
def _settlement(
    o: ZhujiBaoOptions, players: int, winner: int, discarder: Any, contract: Contract | None, tai: int
) -> Settlement:
    """The payments of a hand of so many 台; the same few come back all night."""
    return Settlement(players, tuple(_transfers(o, players, winner, discarder, contract, tai)))


def _explain(
    rules: Rules, win: Win, players: int, table: Table, best: Completed, completed: Sequence[Completed]
) -> Explanation:
    o = cast(ZhujiBaoOptions, rules.options)
    elements = _elements(win, o, table, best)
    rest = [item for item in completed if item[:2] <= best[:2] and _elements(win, o, table, item) != elements]
    enough = any(item.tai >= _needed(win, o) for item in rest)
    shown = _groups(win, table, best)
    return Explanation(
        shown,
        _lines(win, o, best, elements, shown),
        _steps(win, o, players, best.tai, elements),
        _notes(win),
        _score(rules, win, players, table, rest) if enough else None,
    )


def _groups(win: Win, table: Table, item: Completed) -> tuple[Group, ...]:
    """The completion as parts: natural tiles where they lie, wild tiles in the gaps."""
    parts = suits_of(table.naturals)
    sets, pair, east, dragons = item.honours
    arranged = arrange_honours(parts[3], sets, pair, east, dragons) or ((), ())
    shapes: list[tuple[str, tuple[str, ...]]] = [("pung", (HONOURS[rank],) * 3) for rank in arranged[0]]
    shapes += (("pair", (HONOURS[rank],) * 2) for rank in arranged[1])
    for suit, (chows, pungs, pairs_) in _divide(item, table, parts, table.sets - sets, 1 - pair):
        offset = 9 * _SUIT_AT[suit]
        found = arrange(parts[_SUIT_AT[suit]], chows, pungs, pairs_)
        shapes += (("chow", tuple(TILES[offset + start : offset + start + 3])) for start in found[0])
        shapes += (("pung", (TILES[offset + rank],) * 3) for rank in found[1])
        shapes += (("pair", (TILES[offset + rank],) * 2) for rank in found[2])
    return (*_filled(win, shapes), *meld_groups(_explicit(win)))


def _divide(
    item: Completed, table: Table, parts: tuple[int, int, int, int], sets: int, pairs_: int
) -> list[tuple[str, tuple[int, int, int]]]:
    """How many chows, pungs and pairs each suit takes so that the completion comes out as valued."""

    def search(suits: str, sets: int, pairs_: int) -> tuple[int, list[tuple[str, tuple[int, int, int]]]] | None:
        if not suits:
            return (0, []) if not sets and not pairs_ else None
        best: tuple[int, list[tuple[str, tuple[int, int, int]]]] | None = None
        for _, here, pair, chows, most in completions(parts[_SUIT_AT[suits[0]]]):
            if here > sets or pair > pairs_ or (item.chows_only and not chows):
                continue
            rest = search(suits[1:], sets - here, pairs_ - pair)
            if rest is None:
                continue
            pungs = 0 if item.chows_only else most
            if best is None or pungs + rest[0] > best[0]:
                best = pungs + rest[0], [(suits[0], (here - pungs, pungs, pair)), *rest[1]]
        return best

    found = search(item.suits, sets, pairs_)
    return found[1] if found else []


def _filled(win: Win, shapes: Sequence[tuple[str, tuple[str, ...]]]) -> list[Group]:
    """Lay the physical tiles into the shapes; the part that took the winning tile is marked."""
    won = cast(str, win.hand.winning_tile)
    drawn_wild = win.by == "self_draw" and won in win.wild
    naturals = [tile for tile in win.hand.concealed if tile not in win.wild]
    wilds = [tile for tile in win.hand.concealed if tile in win.wild]
    tokens = [(tile, False) for tile in naturals] + ([] if drawn_wild else [(won, True)])
    spare = [(tile, False) for tile in sort(wilds)] + ([(won, True)] if drawn_wild else [])
    laid: list[list[tuple[str, bool] | None]] = []
    for _, faces in shapes:
        row: list[tuple[str, bool] | None] = []
        for face in faces:
            token = next((token for token in tokens if token[0] == face), None)
            if token is not None:
                tokens.remove(token)
            row.append(token)
        laid.append(row)
    groups: list[Group] = []
    for (kind, faces), row in zip(shapes, laid, strict=True):
        tiles = [token or spare.pop(0) for token in row]
        groups.append(
            Group(cast(Any, kind), tuple(tile for tile, _ in tiles), faces, True, any(flag for _, flag in tiles))
        )
    return groups


def _lines(
    win: Win, o: ZhujiBaoOptions, item: Completed, elements: Sequence[str], shown: Sequence[Group]
) -> tuple[Line, ...]:
    won = (cast(str, win.hand.winning_tile),)
    east = [group.tiles for group in shown if group.kind != "pair" and group.faces[0] == "E"]
    dragons = [group.tiles for group in shown if group.kind != "pair" and group.faces[0] in DRAGONS]
    lines: list[Line] = []
    for element in elements:
        if element == "east_pung":
            tiles = east.pop(0)
        elif element == "dragon_pung":
            tiles = dragons.pop(0)
        elif element in ("rob_kong", "kong_bloom", "heavenly_hand", "earthly_hand", "old_dealer"):
            tiles = won
        else:
            tiles = win.hand.all_tiles
        why = None
        if element == "all_chows" and not item.chows_only:
            why = Text("本桌每手胡牌都有平胡", "counts in every hand at this table")
        lines.append(line(BY_ID, element, cast(int, o.tai[element]), tiles, why))
    return tuple(lines)


def _steps(win: Win, o: ZhujiBaoOptions, players: int, tai: int, elements: Sequence[str]) -> tuple[Step, ...]:
    parts = [(BY_ID[element].name, cast(int, o.tai[element])) for element in elements]
    steps = [
        Step(
            Text(
                f"台数：{total_of(parts, ' + ', 'zh') or '0'} = {tai} 台",
                f"tai: {total_of(parts, ' + ', 'en') or '0'} = {tai}",
            ),
            tai,
        ),
        Step(Text(f"胡分：2^{tai} = {2**tai}", f"hand points: 2^{tai} = {2**tai}"), 2**tai),
    ]
    if win.contract:
        kind = {"two": Text("", ""), "one": Text("独", "one-wild "), "none": Text("无财", "no-wild ")}[
            win.contract.kind
        ]
        level, points = win.contract.level, win.contract.points
        steps.append(
            Step(
                Text(f"包分：{kind.zh}{level}台 = {points}", f"contract points: {kind.en}{level} tai = {points}"),
                points,
            )
        )
    paid: dict[int, list[int]] = {}
    for transfer in _settlement(
        o, players, win.winner, win.circumstances.get("discarder"), win.contract, tai
    ).transfers:
        if transfer.receiver == win.winner:
            paid.setdefault(transfer.payer, []).append(transfer.amount)
    for payer, amounts in sorted(paid.items()):
        total = sum(amounts)
        terms = " + ".join(map(str, amounts))
        whose = seat_word(payer)
        added = f"{terms} = {total}" if len(amounts) > 1 else terms
        steps.append(Step(Text(f"{whose.zh}：{added}", f"{whose.en}: {added}"), total))
    received = sum(sum(amounts) for amounts in paid.values())
    steps.append(Step(Text(f"胡家共收 {received}", f"the winner receives {received}"), received))
    return tuple(steps)


def _notes(win: Win) -> tuple[Problem, ...]:
    if win.circumstances.get("kong_bloom") and not any(meld.is_kong for meld in win.hand.melds):
        return (
            problem(
                "no_kong", "说是杠开，但没有杠。", "It is said to be a kong bloom, but no kong lies among the melds."
            ),
        )
    return ()


# ---------------------------------------------------------------- questions


def _questions(o: ZhujiBaoOptions) -> tuple[Question, ...]:
    def contracted(_hand: Hand, answers: Answers) -> bool:
        return answers.get("contract_kind") in ("two", "one", "none")

    def wild_in_play(_hand: Hand, answers: Answers) -> bool:
        return answers.get("contract_kind") in ("two", "one")

    def kinds(_hand: Hand, _answers: Answers) -> tuple[Choice, ...]:
        return (
            Choice("two", Text("N台：两种财神", "N: two kinds of wild tile")),
            Choice("one", Text("独N台：一种财神", "single N: one kind of wild tile")),
            Choice("none", Text("无财N台：没有财神", "no-wild N: no wild tile")),
            *((Choice("no_bid", Text("没有人包", "nobody bid")),) if o.no_bid == "play" else ()),
        )

    def tile_choices(_hand: Hand, _answers: Answers) -> tuple[Choice, ...]:
        return tuple(Choice(tile, Text(name(tile, "zh-Hans"), name(tile))) for tile in tile_set())

    def bloom(hand: Hand, answers: Answers) -> bool:
        return answers.get("win_by", "self_draw") == "self_draw" and any(meld.is_kong for meld in hand.melds)

    def heavenly(hand: Hand, answers: Answers) -> bool:
        drawn = answers.get("win_by", "self_draw") == "self_draw"
        return drawn and not hand.melds and not answers.get("earthly_hand")

    def earthly(hand: Hand, answers: Answers) -> bool:
        return not hand.melds and answers.get("win_by") != "rob_kong" and not answers.get("heavenly_hand")

    def robbed(_hand: Hand, _answers: Answers) -> tuple[Choice, ...]:
        return (
            Choice("added", Text("补杠", "an added kong")),
            *((Choice("exposed", Text("直杠", "a kong from a discard")),) if o.rob_exposed_kong else ()),
        )

    def anyone(_hand: Hand, _answers: Answers) -> tuple[Choice, ...]:
        return tuple(Choice(seat, seat_word(seat)) for seat in range(o.players))

    def ways(_hand: Hand, _answers: Answers) -> tuple[Choice, ...]:
        return way_choices()

    def none(_hand: Hand, answers: Answers) -> Answer:
        return () if answers.get("contract_kind") == "none" else None

    def always(_hand: Hand, _answers: Answers) -> bool:
        return True

    ticks = (
        ("kong_bloom", "是杠后补的牌吗？", "Was it the replacement tile of a kong?", bloom, NEEDS["kong_bloom"]),
        (
            "heavenly_hand",
            "天胡？",
            "Dealer's dealt hand?",
            heavenly,
            Text("自摸，没有副露，也不是地胡", "a self-draw without melds that is no earthly hand"),
        ),
        (
            "earthly_hand",
            "地胡？",
            "Non-dealer in the first round?",
            earthly,
            Text("没有副露，不是抢杠，也不是天胡", "a hand without melds, no robbed kong and no heavenly hand"),
        ),
        ("old_dealer", "胡家是老庄？", "Is the winner a dealer who stayed on?", always, NOTHING),
    )
    bid = Text("有人包牌", "a contract, of the kind two, one or none")
    # fmt: off
    return (
        Question("contract_kind", "choice", Text("包的是哪一种？", "Which kind of contract?"), True, "two",
                 choices_among=kinds),
        Question("contract_seat", "seat", Text("谁是包家？", "Who is the contractor?"), True, 0,
                 offered_when=contracted, choices_among=anyone, needs=bid),
        Question("contract_level", "int", Text("包几台？", "How many tai?"), True, 2, 2, 20, offered_when=contracted,
                 needs=bid),
        Question("wild", "tiles", Text("财神是哪几张？", "Which tiles are wild?"), True, low=1, high=2,
                 offered_when=wild_in_play, implied_by=none, choices_among=tile_choices,
                 needs=Text("有财神的包牌（two 或 one）",
                            "a contract with wild tiles, of the kind two or one")),
        Question("winner", "seat", Text("谁胡了？", "Who won?"), True, 0, choices_among=anyone),
        Question("win_by", "choice", Text("怎么胡的？", "How was it won?"), True, "self_draw", choices_among=ways),
        Question("discarder", "seat", Text("谁放的冲（被抢了杠）？", "Who discarded it (or was robbed)?"), True,
                 offered_when=won_by("discard", "rob_kong"), choices_among=seat_choices(o.players, False),
                 needs=NEEDS["discarder"]),
        Question("robbed_kong", "choice", Text("抢的是哪种杠？", "Which kind of kong was robbed?"), default="added",
                 offered_when=won_by("rob_kong"), choices_among=robbed, needs=NEEDS["rob_kong"]),
        *(Question(key, "bool", Text(zh, en), element=key, offered_when=when, needs=needs)
          for key, zh, en, when, needs in ticks if o.tai[key]),
    )
    # fmt: on
