"""山东麻将 Shandong: four players, all 144 tiles, eyes of 2, 5 or 8; fans add, and a share is (底 + 花) × 番.

The file reads like RULES.md section 2: the elements, the switches, then the predicates, the flowers and the liabilities
(抢杠, 包饺子, 承包 with its priority). 底 is the base of five, 花 the winner's flower points, 番 the sum of the fans.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, cast

from scoring.hand import Answer, Answers, Hand, Meld, Win, WinBy, written
from scoring.legality import hand_problems, seat_problems, seats_problem
from scoring.receipt import (
    NEEDS,
    groups,
    line,
    problem,
    seat_choices,
    seat_word,
    slot_of,
    total_of,
    way_choices,
    won_by,
)
from scoring.rules import (
    Element,
    Explanation,
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
from scoring.settlement import BANK, Settlement, Text, Transfer
from scoring.several import settle_together
from scoring.shapes import WEIGHT, Reading, pairs, readings, suits_of, weigh
from scoring.tiles import FLOWERS, HONOURS, INDEX, TILES, name, show, tile_set

# ---------------------------------------------------------------- elements (RULES.md 2.3)


def _element(
    id: str, zh: str, en: str, value: int, condition_zh: str, condition_en: str, *excludes: str, unit: Any = "番"
) -> Element:
    return Element(id, Text(zh, en), value, unit, Text(condition_zh, condition_en), "SD", excludes)


# fmt: off
ELEMENTS: Final = (
    _element("plain_win", "推倒和", "plain win", 1, "没有其他牌型", "no other hand element"),
    _element("mixed_suit", "混一色", "mixed suit", 2, "一门花色加字牌", "one suit and honours, both present",
        "pure_suit"),
    _element("pure_straight", "一条龙", "pure straight", 2, "同花色 123、456、789", "123, 456 and 789 of one suit"),
    _element("kong_bloom", "杠上开花", "kong bloom", 2,
             "胡杠后或补花摸到的牌", "won on the replacement tile of a kong or of a flower"),
    _element("all_pungs", "碰碰和", "all pungs", 2, "四副刻子或杠", "four pungs or kongs"),
    _element("seven_pairs", "七对", "seven pairs", 2, "七个对子", "seven pairs"),
    _element("earthly_hand", "地和", "earthly hand", 5,
             "闲家在第一轮吃碰杠之前和牌", "a non-dealer wins in the first round before any chow, pung or kong"),
    _element("pure_suit", "清一色", "pure suit", 5, "全部同一门花色", "one suit only", "mixed_suit"),
    _element("all_258", "将一色", "all 2, 5, 8", 5, "全部是 2、5、8", "every tile a 2, 5 or 8 of the suits"),
    _element("heavenly_hand", "天和", "heavenly hand", 6, "庄家起手和牌", "the dealer wins on the dealt hand"),
    _element("draw_bonus", "荒庄", "draw bonus", 2, "连续荒庄之后", "after consecutive draws", unit="+"),
    _element("open_ready", "明楼", "open ready", 2, "和家明楼", "the winner had laid the ready hand open", unit="×"),
)
# fmt: on
BY_ID: Final = {element.id: element for element in ELEMENTS}
EYES: Final = frozenset(INDEX[f"{rank}{suit}"] for rank in (2, 5, 8) for suit in "mps")
FLOWER_POINTS: Final[Mapping[tuple[str, bool], int]] = {
    ("pung", True): 1,
    ("kong_exposed", True): 2,
    ("kong_added", True): 2,
    ("kong_concealed", True): 3,
    ("kong_exposed", False): 1,
    ("kong_added", False): 1,
    ("kong_concealed", False): 2,
}
"""花 of a meld, by its kind and whether it is of honours (RULES.md 2.4)."""

GRADES: Final = (
    ("白板", 100), ("一万", 200), ("二万", 500), ("三万", 1_000), ("四万", 2_000), ("五万", 5_000), ("六万", 10_000),
    ("七万", 20_000), ("八万", 50_000), ("九万", 80_000), ("东风", 100_000), ("西风", 200_000), ("南风", 500_000),
    ("北风", 800_000), ("中", 1_000_000), ("发", 2_000_000), ("雀神", 5_000_000),
)  # fmt: skip
"""The grades (等级) of a player's total, with the score that reaches each."""


def grade(total: int) -> str:
    """The grade of a player's total score: 白板 up to 100, 雀神 from 5,000,000."""
    return next((title for title, needed in reversed(GRADES) if total >= needed), GRADES[0][0])


# ---------------------------------------------------------------- options (RULES.md 6)


@dataclass(frozen=True, slots=True, eq=False)
class ShandongOptions:
    """Every switch of 山东麻将."""

    # fmt: off
    values: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])
    base: int = option(5, "底", "the base of every share", "SD 设定底为5花", low=0, high=1000)
    unit: int = option(1, "一分值多少", "what one point is worth", "house", low=1, high=10_000)
    players: int = option(4, "人数", "players at the table", "SD", low=2, high=4)
    draw_bonus_op: str = option(
        "add", "荒庄的番相加还是相乘", "whether the draw bonus adds or multiplies", "SD 直接相加即可; 翻至32倍", 39,
        choices=(("add", "相加", "added"), ("multiply", "相乘", "multiplied")),
    )
    draw_bonus_curve: str = option(
        "doubling", "荒庄的番怎样增长", "how the draw bonus grows", "SD 每局2番，最高翻到32番", 40,
        choices=(("doubling", "2、4、8、16、32", "2, 4, 8, 16, 32"), ("linear", "每局加 2，最多 32",
            "2 more each, at most 32")),
    )
    base_fan_always: bool = option(False, "推倒和 1 番加在每手牌上", "plain win adds to every hand", "SD 小和 1番", 41)
    share_is: str = option(
        "per_payer", "（底+花）×番是每家还是总分", "whether the formula is each payer's share or the total",
        "SD 总分数; 三家都要输分", 42,
        choices=(("per_payer", "每家各出", "each payer's share"), ("total", "总分", "the total")),
    )
    concealed_honour_triplet_flower: bool = option(
        False, "手中字牌暗刻算一花", "a concealed honour triplet is one flower", "SD no; [ext] 济南 1", 43
    )
    rob_pays_all: bool = option(True, "抢杠：被抢者包三家", "a robbed konger pays all shares",
        "SD 输分都由被抢杠玩家给", 44)
    open_ready_wins_by_rob: bool = option(False, "明楼可以抢杠和", "an open-ready hand may rob a kong",
        "SD 只能自摸; [ext]", 45)
    open_ready_doubles_self_draw_loss: bool = option(
        False, "别人自摸时明楼者也输双倍", "an open-ready loser pays double on a self-draw too",
            "SD 点炮 only; [ext] 济南", 46
    )
    all_258_free_shape: bool = option(False, "将一色不必成牌型", "all 2, 5, 8 wins without a shape", "[ext] 全将", 47)
    earthly_self_draw_only: bool = option(False, "地和只限自摸", "an earthly hand by self-draw only", "not stated", 48)
    seven_pairs_need_258: bool = option(False, "七对也要有 258 对", "seven pairs need a pair of 2, 5 or 8",
        "SD no; [ext] 济南", 49)
    escape_recipients: str = option(
        "none", "逃跑扣的分给谁", "who receives the penalty for leaving", "not stated", 50,
        choices=(("none", "没有人", "nobody"), ("others", "其他三家平分", "the others, in equal parts")),
    )
    escape_factor: int = option(10, "逃跑扣分的倍数", "the factor of the penalty for leaving", "SD （底+花）*10",
        low=0, high=1000)
    dealer_on_draw: str = option(
        "next", "荒庄后谁坐庄", "who deals after a draw", "SD 庄家的下一家; [ext] 济南 stays", 51,
        choices=(("next", "下一家", "the next player"), ("stay", "连庄", "the same dealer")),
    )
    # fmt: on


OPTIONS: Final[tuple[Option, ...]] = options_of(ShandongOptions, {"values": ELEMENTS})
PRESETS: Final[Mapping[str, Preset]] = {
    "shandong": Preset("shandong", "shandong", Text("山东麻将", "Shandong"), None, MappingProxyType({}), "SD")
}


# ---------------------------------------------------------------- one reading, valued


class Valued(NamedTuple):
    """One reading with its fans and flowers; `fan` is the whole 番 with draw bonus and 明楼."""

    total: int
    fan: int
    flowers: int
    fans: tuple[tuple[str, int], ...]
    elements: tuple[str, ...]
    pairs: bool
    triplets: int
    reading: Reading | tuple[int, ...] | None
    settlement: Settlement


class Share(NamedTuple):
    """A share that belongs to `seat` and is paid by `payer`, `factor` times (明楼), for the named cause."""

    seat: int
    payer: int
    factor: int
    cause: str


_TILE_SET: Final = frozenset(tile_set())


class Shandong(Ruleset[ShandongOptions]):
    """山东麻将 as RULES.md sections 2 and 11 have it."""

    name: ClassVar[str] = "shandong"
    title: ClassVar[Text] = Text("山东麻将", "Shandong")
    elements: ClassVar[tuple[Element, ...]] = ELEMENTS
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    presets: ClassVar[Mapping[str, Preset]] = PRESETS

    def build(self, flat: Mapping[str, Value]) -> ShandongOptions:
        return ShandongOptions(**fields_of(flat, "values"))

    def contradictions(self, options: ShandongOptions) -> list[Problem]:
        if options.all_258_free_shape and options.values["all_258"] is None:
            return [
                problem(
                    "contradiction",
                    "选项“all_258_free_shape”需要“values.all_258”有番数。",
                    "Option “all_258_free_shape” needs a value in “values.all_258”, which is off.",
                )
            ]
        return []

    def players(self, options: ShandongOptions) -> int:
        return options.players

    def tiles(self, options: ShandongOptions) -> tuple[str, ...]:
        return tile_set(flowers=True)

    def questions(self, options: ShandongOptions) -> tuple[Question, ...]:
        return _questions(options)

    def score(self, rules: Rules, win: Win) -> Score | Refusal:
        o = cast(ShandongOptions, rules.options)
        players = win.players or o.players
        problems = hand_problems(win, _TILE_SET, self.title, chows=True, flowers=True)
        about = _circumstance_problems(win, o, players)
        if problems:
            return Refusal(rules, win, tuple(problems + about))
        hand = win.hand
        concealed = weigh(hand.concealed) + WEIGHT[cast(str, hand.winning_tile)]
        shaped = readings(concealed)
        paired = pairs(concealed) if not hand.melds else None
        seen: list[Reading | tuple[int, ...] | None] = [reading for reading in shaped if reading.pair in EYES]
        if paired is not None and (not o.seven_pairs_need_258 or not EYES.isdisjoint(paired)):
            seen.append(paired)
        if not seen and o.all_258_free_shape and not shaped and paired is None and _all_258(hand, concealed):
            seen.append(None)
        if not seen:
            wrong = _no_eyes() if shaped or paired is not None else _no_shape()
            return Refusal(rules, win, (wrong, *about), partial(_hints, rules, win))
        if about:
            return Refusal(rules, win, tuple(about))
        shares = _shares_of(win, o, players)
        valued = [_value(win, o, reading, concealed, shares, players) for reading in seen]
        if len(valued) > 1:
            valued.sort(key=_rank)
        return _score(rules, win, shares, valued)

    def settle_wins(self, rules: Rules, wins: Sequence[Win]) -> tuple[tuple[Score | Refusal, ...], Settlement]:
        return settle_together(rules, wins, True)

    def settle_kongs(self, rules: Rules, kongs: Sequence[Kong], players: int) -> tuple[Settlement, ...]:
        """Kongs earn flowers for the winner's formula, nothing by themselves."""
        return tuple(Settlement(players) for _ in kongs)

    def settle_draw(self, rules: Rules, answers: Answers, players: int, contract: Any = None) -> Settlement:
        """荒庄: nobody pays; the next hand carries the draw bonus."""
        return Settlement(players)

    def settle_escape(self, rules: Rules, hand: Hand, escapee: int, players: int) -> tuple[int, Settlement]:
        """逃跑: (底 + 花 of the escapee) × 10; the flowers and the settlement (row 50). Raises `ValueError`."""
        o = cast(ShandongOptions, rules.options)
        if not 0 <= escapee < players:
            raise ValueError(f"“escapee” must be a seat from 0 to {players - 1}, not {escapee}.")
        flowers = len(hand.flowers) + sum(_meld_flowers(meld) for meld in hand.melds)
        penalty = o.unit * (o.base + flowers) * o.escape_factor
        reason = Text("逃跑扣分", "penalty for leaving the table")
        if o.escape_recipients == "none":
            transfers = [Transfer(escapee, BANK, penalty, reason)]
        else:
            others = [(escapee + step) % players for step in range(1, players)]
            parts = _split(penalty, len(others))
            transfers = [Transfer(escapee, seat, part, reason) for seat, part in zip(others, parts, strict=True)]
        return flowers, Settlement(players, tuple(transfer for transfer in transfers if transfer.amount))

    def next_dealer(
        self, rules: Rules, dealer: int, winners: Sequence[int], discarder: int | None, players: int
    ) -> int:
        o = cast(ShandongOptions, rules.options)
        if not winners:
            return dealer if o.dealer_on_draw == "stay" else (dealer + 1) % players
        return discarder if len(winners) > 1 and discarder is not None else winners[0]


def _no_shape() -> Problem:
    return problem(
        "no_shape",
        "这手牌和不了：不是四副牌加一对将，也不是七对。",
        "This hand is not complete: neither four sets and a pair nor seven pairs.",
    )


def _no_eyes() -> Problem:
    return problem(
        "no_258_pair",
        "没有 2、5、8 的将对：除七对外都要用 2、5 或 8 作将。",
        "There is no 258 pair: except for seven pairs the eyes must be a 2, 5 or 8 of a suit.",
    )


def _hints(rules: Rules, win: Win) -> tuple[Problem, ...]:
    base = weigh(win.hand.concealed)
    fits = [
        tile
        for tile in rules.tiles[:34]
        if (base >> (3 * INDEX[tile]) & 7) < 4
        and (
            any(reading.pair in EYES for reading in readings(base + WEIGHT[tile]))
            or (not win.hand.melds and pairs(base + WEIGHT[tile]) is not None)
        )
    ]
    if not fits:
        return ()
    return (problem("waits", f"这些牌听的是 {show(fits, 'zh')}。", f"These tiles wait for {show(fits)}."),)


# ---------------------------------------------------------------- circumstances


def _circumstance_problems(win: Win, o: ShandongOptions, players: int) -> list[Problem]:
    """Everything about how the hand was won that cannot be."""
    found = seat_problems(win, players)
    said = win.circumstances
    if not said:
        return found
    by_other = win.by == "discard" or (win.by == "rob_kong" and not o.open_ready_wins_by_rob)
    if said.get("open_ready_winner") and by_other:
        found.append(
            problem("open_ready", "明楼只能自摸和牌。", "Open-ready hands win by self-draw only at this table.")
        )
    payers = said.get("open_ready_payers")
    if payers is not None:
        found += seats_problem("open_ready_payers", payers, players)
        if isinstance(payers, tuple) and win.winner in payers:
            found.append(
                problem(
                    "seat",
                    "和家的明楼请另外说明。",
                    "“open_ready_payers” are losers; for the winner say open_ready_winner.",
                )
            )
    for key in ("three_claim_feeder", "kong_fed_by"):
        seat = said.get(key)
        if seat is not None and (not isinstance(seat, int) or not 0 <= seat < players or seat == win.winner):
            found.append(
                problem(
                    "seat",
                    f"“{key}”须是另一家的座位。",
                    f"“{key}” must be the seat of another player, not {written(seat)}.",
                )
            )
    draws = said.get("previous_draws")
    if draws is not None and (not isinstance(draws, int) or isinstance(draws, bool) or draws < 0):
        found.append(
            problem(
                "previous_draws",
                "连续荒庄次数须为 0 或以上。",
                f"“previous_draws” must be 0 or more, not {written(draws)}.",
            )
        )
    if said.get("kong_bloom") and win.by != "self_draw":
        found.append(problem("contradiction", "杠上开花只能是自摸。", "“kong_bloom” is possible only by self-draw."))
    heavenly, earthly = said.get("heavenly_hand"), said.get("earthly_hand")
    if heavenly and earthly:
        found.append(
            problem("contradiction", "天和、地和不能同时。", "A hand is not both “heavenly_hand” and “earthly_hand”.")
        )
    claimed = any(meld.kind != "kong_concealed" for meld in win.hand.melds)
    if heavenly and (win.by != "self_draw" or claimed):
        found.append(
            problem(
                "contradiction",
                "天和是庄家起手自摸，没有吃碰。",
                "A “heavenly_hand” is the dealer's dealt hand: no discard, no claims.",
            )
        )
    if earthly and (win.by == "rob_kong" or win.hand.melds):
        found.append(
            problem(
                "contradiction",
                "地和在任何吃碰杠之前。",
                "An “earthly_hand” comes before any chow, pung or kong, so without melds.",
            )
        )
    return found


@lru_cache(maxsize=1024)
def _shares(
    o: ShandongOptions,
    players: int,
    winner: int,
    by: WinBy,
    discarder: Any,
    ready: tuple[int, ...],
    feeder: Any,
    fed: Any,
) -> tuple[Share, ...]:
    """Whose shares are due and who pays them (RULES.md 2.5): 承包 first, then 抢杠 and 包饺子, then the usual.

    `ready` are the losers in 明楼, `feeder` fed three claims, `fed` threw the tile of the kong that bloomed.
    """
    others = tuple((winner + step) % players for step in range(1, players))
    due = others if by == "self_draw" or (by == "rob_kong" and o.rob_pays_all) else (discarder,)
    if feeder is not None:
        factor = 2 if feeder in ready and feeder == discarder else 1
        return tuple(Share(seat, feeder, factor, "feeder") for seat in due)
    if by == "self_draw":
        if fed is not None:
            return tuple(Share(seat, fed, 2 if fed in ready else 1, "dumpling") for seat in due)
        doubled = ready if o.open_ready_doubles_self_draw_loss else ()
        return tuple(Share(seat, seat, 2 if seat in doubled else 1, "self_draw") for seat in due)
    factor = 2 if discarder in ready else 1
    return tuple(Share(seat, discarder, factor, by) for seat in due)


def _shares_of(win: Win, o: ShandongOptions, players: int) -> tuple[Share, ...]:
    said = win.circumstances
    if not said:
        return _shares(o, players, win.winner, win.by, None, (), None, None)
    return _shares(
        o,
        players,
        win.winner,
        win.by,
        said.get("discarder"),
        cast("tuple[int, ...]", said.get("open_ready_payers") or ()),
        said.get("three_claim_feeder"),
        said.get("kong_fed_by") if said.get("kong_bloom") else None,
    )


# ---------------------------------------------------------------- predicates


def _all_258(hand: Hand, concealed: int) -> bool:
    rest = concealed
    while rest:
        tile = ((rest & -rest).bit_length() - 1) // 3
        if tile not in EYES:
            return False
        rest &= ~(7 << (3 * tile))
    return all(INDEX[tile] in EYES for meld in hand.melds for tile in meld.tiles)


def _value(
    win: Win,
    o: ShandongOptions,
    reading: Reading | tuple[int, ...] | None,
    concealed: int,
    shares: tuple[Share, ...],
    players: int,
) -> Valued:
    """The fans and flowers of one reading; `None` is the shapeless hand of 2, 5 and 8."""
    hand, values, said = win.hand, o.values, win.circumstances
    fans: list[tuple[str, int]] = []

    def add(element: str) -> None:
        value = values[element]
        if value:
            fans.append((element, value))

    triplets = 0
    if isinstance(reading, Reading):
        chows = reading.chows
        if hand.melds:
            chows += tuple(min(INDEX[tile] for tile in meld.tiles) for meld in hand.melds if meld.kind == "chow")
        triplets = 4 - len(chows)
        if not chows:
            add("all_pungs")
        elif len(chows) > 2 and any(
            start in chows and start + 3 in chows and start + 6 in chows for start in (0, 9, 18)
        ):
            add("pure_straight")
    elif reading is not None:
        add("seven_pairs")
    if reading is not None:
        m, p, s, honours = suits_of(concealed)
        for meld in hand.melds:
            tile = meld.tiles[0]
            if tile in HONOURS:
                honours = 1
            elif tile[1] == "m":
                m = 1
            elif tile[1] == "p":
                p = 1
            else:
                s = 1
        if (m > 0) + (p > 0) + (s > 0) == 1:
            add("mixed_suit" if honours else "pure_suit")
    if _all_258(hand, concealed):
        add("all_258")
    if said:
        heavenly = bool(said.get("heavenly_hand"))
        # A dealer who had to replace flowers wins on the replacement tile (section 11).
        if said.get("kong_bloom") or (heavenly and hand.flowers):
            add("kong_bloom")
        if said.get("earthly_hand") and (win.by == "self_draw" or not o.earthly_self_draw_only):
            add("earthly_hand")
        if heavenly:
            add("heavenly_hand")
    if not fans or o.base_fan_always:
        add("plain_win")
    fan, elements = 0, list[str]()
    for element, value in fans:
        fan += value
        elements.append(element)
    draws = cast(int, said.get("previous_draws") or 0)
    bonus = _draw_bonus(o, draws)
    if bonus:
        elements.append(f"draw_bonus:{bonus}")
        fan = fan + bonus if o.draw_bonus_op == "add" else fan * bonus
    if said.get("open_ready_winner") and values["open_ready"]:
        elements.append("open_ready")
        fan *= values["open_ready"]
    elements.sort()
    flowers = _flowers(win, o, reading)
    total, settlement = _payment(o, shares, players, win.winner, fan, flowers)
    paired = not isinstance(reading, Reading)
    return Valued(total, fan, flowers, tuple(fans), tuple(elements), paired, triplets, reading, settlement)


def _draw_bonus(o: ShandongOptions, draws: int) -> int:
    """荒庄: 2^min(n, 5) or min(2n, 32) after n draws in a row; 0 when there was none or the element is off."""
    step = o.values["draw_bonus"]
    if not draws or not step:
        return 0
    return step ** min(draws, 5) if o.draw_bonus_curve == "doubling" else min(step * draws, step**5)


def _meld_flowers(meld: Meld) -> int:
    return FLOWER_POINTS.get((meld.kind, meld.tiles[0] in HONOURS), 0)


def _honour_triplets(win: Win, reading: Reading | tuple[int, ...] | None) -> tuple[int, ...]:
    """Concealed honour triplets of the reading that the winning tile did not complete (row 43)."""
    if not isinstance(reading, Reading):
        return ()
    won = INDEX[cast(str, win.hand.winning_tile)]
    return tuple(tile for tile in reading.pungs if tile >= 27 and tile != won)


def _flowers(win: Win, o: ShandongOptions, reading: Reading | tuple[int, ...] | None) -> int:
    """花: flower tiles, claimed honour pungs, kongs, and concealed honour triplets where the table counts them."""
    points = len(win.hand.flowers)
    for meld in win.hand.melds:
        points += _meld_flowers(meld)
    return points + len(_honour_triplets(win, reading)) if o.concealed_honour_triplet_flower else points


def _split(total: int, parts: int) -> list[int]:
    """A total in equal whole parts, the remainder on the first ones."""
    return [total // parts + (i < total % parts) for i in range(parts)]


def _amounts(o: ShandongOptions, fan: int, flowers: int, shares: tuple[Share, ...]) -> list[int]:
    """What each share costs: (底 + 花) × 番 each, or that total once, in thirds from the next in turn (row 42)."""
    whole = o.unit * (o.base + flowers) * fan
    if o.share_is == "total":
        return [part * share.factor for part, share in zip(_split(whole, len(shares)), shares, strict=True)]
    return [whole * share.factor for share in shares]


@lru_cache(maxsize=8192)
def _payment(
    o: ShandongOptions, shares: tuple[Share, ...], players: int, winner: int, fan: int, flowers: int
) -> tuple[int, Settlement]:
    """What the winner receives and the transfers; the same few fans and flowers come back all night."""
    amounts = _amounts(o, fan, flowers, shares)
    transfers = tuple(
        Transfer(share.payer, winner, amount, _CAUSES[share.cause])
        for share, amount in zip(shares, amounts, strict=True)
        if amount
    )
    return sum(amounts), Settlement(players, transfers)


def _rank(item: Valued) -> tuple[int, int, bool, int, tuple[str, ...]]:
    return -item.total, -item.fan, not item.pairs, -item.triplets, item.elements


# ---------------------------------------------------------------- the receipt

_CAUSES: Final = {
    "self_draw": Text("自摸，各家出一份", "self-draw: each other player pays a share"),
    "discard": Text("点炮，放炮者出一份", "discard: the discarder pays a share"),
    "rob_kong": Text("抢杠，被抢者出", "robbed kong: the konger pays"),
    "dumpling": Text("包饺子：放杠者全包", "fed kong and bloom: whose discard was konged pays it all"),
    "feeder": Text("承包：供了三口者全包", "fed three claims: the feeder pays it all"),
}


def _score(rules: Rules, win: Win, shares: tuple[Share, ...], ranked: Sequence[Valued]) -> Score:
    best = ranked[0]
    figures: dict[str, int | list[int]] = {"fan": best.fan, "flowers": best.flowers}
    return Score(rules, win, best.elements, figures, best.settlement, partial(_explain, rules, win, shares, ranked))


def _explain(rules: Rules, win: Win, shares: tuple[Share, ...], ranked: Sequence[Valued]) -> Explanation:
    o = cast(ShandongOptions, rules.options)
    best = ranked[0]
    second = next((k for k in range(1, len(ranked)) if ranked[k].elements != best.elements), None)
    shown = ()
    if best.reading is not None:
        won = INDEX[cast(str, win.hand.winning_tile)]
        slot = slot_of(best.reading, won) if isinstance(best.reading, Reading) else "pair"
        shown = groups(win, best.reading, slot)
    return Explanation(
        shown,
        _lines(win, o, best),
        _steps(win, o, best, shares),
        _notes(win),
        None if second is None else _score(rules, win, shares, ranked[second:]),
    )


def _lines(win: Win, o: ShandongOptions, item: Valued) -> tuple[Line, ...]:
    hand = win.hand
    won = (cast(str, hand.winning_tile),)
    tiles_of: dict[str, tuple[str, ...]] = dict.fromkeys(("kong_bloom", "earthly_hand", "heavenly_hand"), won)
    if isinstance(item.reading, Reading):
        chows = item.reading.chows + tuple(
            min(INDEX[tile] for tile in meld.tiles) for meld in hand.melds if meld.kind == "chow"
        )
        for start in (0, 9, 18):
            if {start, start + 3, start + 6} <= set(chows):
                tiles_of["pure_straight"] = TILES[start : start + 9]
    lines = [line(BY_ID, element, value, tiles_of.get(element, hand.all_tiles)) for element, value in item.fans]
    draws = cast(int, win.circumstances.get("previous_draws") or 0)
    bonus = _draw_bonus(o, draws)
    if bonus:
        why = Text(f"连续荒庄 {draws} 局", f"after {draws} draws in a row")
        lines.append(line(BY_ID, "draw_bonus", bonus, (), why))
    if "open_ready" in item.elements:
        lines.append(line(BY_ID, "open_ready", cast(int, o.values["open_ready"]), ()))
    return tuple(lines)


def _steps(win: Win, o: ShandongOptions, item: Valued, shares: tuple[Share, ...]) -> tuple[Step, ...]:
    fans = [(BY_ID[element].name, value) for element, value in item.fans]
    fan = sum(value for _, value in fans)
    steps = [
        Step(
            Text(f"牌型：{total_of(fans, ' + ', 'zh')} = {fan} 番", f"hand: {total_of(fans, ' + ', 'en')} = {fan} fan"),
            fan,
        )
    ]
    bonus = _draw_bonus(o, cast(int, win.circumstances.get("previous_draws") or 0))
    if bonus:
        sign, after = ("+", fan + bonus) if o.draw_bonus_op == "add" else ("×", fan * bonus)
        steps.append(
            Step(
                Text(f"荒庄：{fan} {sign} {bonus} = {after} 番", f"draw bonus: {fan} {sign} {bonus} = {after} fan"),
                after,
            )
        )
        fan = after
    if fan != item.fan:
        factor = item.fan // fan
        steps.append(
            Step(
                Text(f"明楼：{fan} × {factor} = {item.fan} 番", f"open ready: {fan} × {factor} = {item.fan} fan"),
                item.fan,
            )
        )
    parts = [(Text(name(tile, "zh-Hans"), tile), 1) for tile in win.hand.flowers]
    parts += [
        (Text(f"{show(meld.tiles, 'zh')}", f"{show(meld.tiles)}"), points)
        for meld in win.hand.melds
        if (points := _meld_flowers(meld))
    ]
    if o.concealed_honour_triplet_flower:
        parts += [
            (Text(f"暗刻{name(TILES[tile], 'zh-Hans')}", f"concealed {TILES[tile] * 3}"), 1)
            for tile in _honour_triplets(win, item.reading)
        ]
    if parts:
        steps.append(
            Step(
                Text(
                    f"花：{total_of(parts, ' + ', 'zh')} = {item.flowers}",
                    f"flowers: {total_of(parts, ' + ', 'en')} = {item.flowers}",
                ),
                item.flowers,
            )
        )
    whole = o.unit * (o.base + item.flowers) * item.fan
    unit = f" × {o.unit}" if o.unit > 1 else ""
    formula = f"({o.base} + {item.flowers}) × {item.fan}{unit} = {whole}"
    total_zh, total_en = ("总分", "total") if o.share_is == "total" else ("每份", "each share")
    steps.append(
        Step(Text(f"{total_zh}：(底 + 花) × 番 = {formula}", f"{total_en}: (base + flowers) × fan = {formula}"), whole)
    )
    amounts = _amounts(o, item.fan, item.flowers, shares)
    for share, amount in zip(shares, amounts, strict=True):
        twice_zh, twice_en = (
            (f"（明楼 ×{share.factor}）", f" (open ready ×{share.factor})") if share.factor > 1 else ("", "")
        )
        whose = seat_word(share.payer)
        if share.payer != share.seat:
            whose = Text(f"{whose.zh}替 {share.seat} 号", f"{whose.en} for seat {share.seat}")
        steps.append(Step(Text(f"{whose.zh}{twice_zh}：{amount}", f"{whose.en}{twice_en}: {amount}"), amount))
    steps.append(Step(Text(f"和家共收 {item.total}", f"the winner receives {item.total}"), item.total))
    return tuple(steps)


def _notes(win: Win) -> tuple[Problem, ...]:
    """Advice that changes no number."""
    said, melds = win.circumstances, win.hand.melds
    notes: list[Problem] = []
    if said.get("kong_bloom") and not win.hand.flowers and not any(meld.is_kong for meld in melds):
        notes.append(
            problem(
                "no_kong",
                "说是杠上开花，但没有杠也没有花。",
                "It is said to be a kong bloom, but there is neither a kong nor a flower.",
            )
        )
    if said.get("kong_fed_by") is not None and not said.get("kong_bloom"):
        notes.append(
            problem(
                "no_bloom",
                "没有杠上开花，包饺子不成立。",
                "Without a kong bloom the player whose discard was konged is not liable.",
            )
        )
    feeder = _feeder(win.hand)
    if feeder is not None and feeder != win.winner and said.get("three_claim_feeder") is None:
        notes.append(
            problem(
                "three_claims",
                f"三口都是 {feeder} 号供的：如算承包，请说明。",
                f"Three claims came from seat {feeder}: say so (three_claim_feeder) if he is liable for it all.",
            )
        )
    return tuple(notes)


def _feeder(hand: Hand) -> int | None:
    """The seat that three or more claimed melds came from, as far as the melds say."""
    sources = [meld.source for meld in hand.melds if meld.source is not None and meld.kind != "kong_concealed"]
    return next((seat for seat in sources if sources.count(seat) >= 3), None)


# ---------------------------------------------------------------- questions


def _questions(o: ShandongOptions) -> tuple[Question, ...]:
    values = o.values

    def ways(_hand: Hand, answers: Answers) -> Any:
        if not answers.get("open_ready_winner"):
            return way_choices()
        return way_choices()[:1] + (way_choices()[2:] if o.open_ready_wins_by_rob else ())

    def flowers(hand: Hand, _answers: Answers) -> Answer:
        return hand.flowers or None

    def drawn(answers: Answers) -> bool:
        return answers.get("win_by", "self_draw") == "self_draw"

    def bloom(hand: Hand, answers: Answers) -> bool:
        replaced = any(meld.is_kong for meld in hand.melds) or hand.flowers or answers.get("flowers")
        return drawn(answers) and bool(replaced)

    def heavenly(hand: Hand, answers: Answers) -> bool:
        claimed = any(meld.kind != "kong_concealed" for meld in hand.melds)
        return drawn(answers) and not claimed and not answers.get("earthly_hand")

    def earthly(hand: Hand, answers: Answers) -> bool:
        by = answers.get("win_by", "self_draw")
        return (
            not hand.melds
            and by != "rob_kong"
            and (by == "self_draw" or not o.earthly_self_draw_only)
            and not answers.get("heavenly_hand")
        )

    def bloom_implied(hand: Hand, answers: Answers) -> Answer:
        return True if answers.get("heavenly_hand") and (hand.flowers or answers.get("flowers")) else None

    def fed(hand: Hand, answers: Answers) -> bool:
        return bool(answers.get("kong_bloom")) and any(meld.kind == "kong_exposed" for meld in hand.melds)

    def claims(hand: Hand, _answers: Answers) -> bool:
        return sum(meld.kind != "kong_concealed" for meld in hand.melds) >= 3

    def feeder(hand: Hand, answers: Answers) -> Answer:
        seat = _feeder(hand)
        return seat if seat != answers.get("winner", 0) else None

    def open_ready(_hand: Hand, answers: Answers) -> bool:
        by = answers.get("win_by", "self_draw")
        return by == "self_draw" or (by == "rob_kong" and o.open_ready_wins_by_rob)

    early = (
        Text("自摸，没有副露，也不是天和", "a self-draw without melds that is no heavenly hand")
        if o.earthly_self_draw_only
        else Text("没有副露，不是抢杠，也不是天和", "a hand without melds, no robbed kong and no heavenly hand")
    )
    laid_open = Text("自摸或抢杠", "a self-draw or a robbed kong") if o.open_ready_wins_by_rob else NEEDS["self_draw"]
    # fmt: off
    return (
        Question("winner", "seat", Text("谁和了？", "Who won?"), True, 0, choices_among=seat_choices(o.players, True)),
        Question("win_by", "choice", Text("怎么和的？", "How was it won?"), True, "self_draw", choices_among=ways),
        Question("discarder", "seat", Text("谁放的炮（被抢了杠）？", "Who discarded it (or was robbed)?"), True,
                 offered_when=won_by("discard", "rob_kong"), choices_among=seat_choices(o.players, False),
                 needs=NEEDS["discarder"]),
        Question("flowers", "tiles", Text("和家有哪些花牌？", "Which flowers has the winner?"), high=8,
                 implied_by=flowers, choices_among=_flower_choices),
        Question("heavenly_hand", "bool", Text("天和？", "Dealer's dealt hand?"),
                 offered_when=heavenly, element="heavenly_hand",
                 needs=Text("自摸，没有吃碰明杠，也不是地和", "a self-draw without claims that is no earthly hand")),
        Question("earthly_hand", "bool", Text("地和？", "Non-dealer in the first round, before any claim?"),
                 offered_when=earthly, element="earthly_hand", needs=early),
        Question("kong_bloom", "bool", Text("是杠后（或补花）摸的牌吗？", "Replacement tile of a kong or flower?"),
                 offered_when=bloom, implied_by=bloom_implied, element="kong_bloom",
                 needs=Text("自摸，且有杠或花牌", "a self-draw and a kong or a flower")),
        Question("kong_fed_by", "seat", Text("开花的明杠是谁放的？", "Whose discard made that exposed kong?"),
                 offered_when=fed, choices_among=seat_choices(o.players, False),
                 needs=Text("杠上开花，且有明杠", "a kong bloom and an exposed kong among the melds")),
        Question("three_claim_feeder", "seat", Text("有人供了三口吗（承包）？", "Did one player feed three claims?"),
                 offered_when=claims, implied_by=feeder, choices_among=seat_choices(o.players, False),
                 needs=Text("吃碰明杠了三口", "three claimed melds")),
        *((Question("open_ready_winner", "bool", Text("和家明楼？", "Had the winner laid the hand open?"),
                    offered_when=open_ready, element="open_ready", needs=laid_open),) if values["open_ready"] else ()),
        Question("open_ready_payers", "seats", Text("输家中谁明楼？", "Which losers had laid their hand open?"),
                 high=o.players - 1, choices_among=seat_choices(o.players, False)),
        *((Question("previous_draws", "int", Text("之前连续荒庄几局？", "How many draws in a row before?"),
                    default=0, high=99, element="draw_bonus"),) if values["draw_bonus"] else ()),
    )
    # fmt: on


def _flower_choices(_hand: Hand, _answers: Answers) -> Any:
    from scoring.rules import Choice

    return tuple(Choice(tile, Text(name(tile, "zh-Hans"), name(tile))) for tile in FLOWERS)
