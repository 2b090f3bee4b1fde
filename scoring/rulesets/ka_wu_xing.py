"""卡五星 Ka Wu Xing: three players, two suits and the dragons; every element multiplies.

The elements, switches and presets are data in `ka_wu_xing_tables`; here are the predicates and the payments of RULES.md
section 1. A hand is worth, for payer i, M_i = min(H × R_i, cap), where H is the product of its best reading's elements
and R_i = 2 when the winner (or, in some towns, payer i) had laid the hand open (亮倒).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeGuard, cast

from scoring.hand import Answer, Answers, Hand, Meld, Win, WinBy, written
from scoring.legality import hand_problems, no_kong_was_robbed, seat_problems, seats_problem
from scoring.receipt import groups, line, problem, slot_of, total_of
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
)
from scoring.rulesets.ka_wu_xing_questions import questions_of
from scoring.rulesets.ka_wu_xing_tables import (
    BIG_HANDS,
    BY_ID,
    ELEMENTS,
    OPTIONS,
    PAIR_ELEMENTS,
    PRESETS,
    KaWuXingOptions,
)
from scoring.settlement import Settlement, Text, Transfer
from scoring.several import settle_together
from scoring.shapes import WEIGHT, Reading, pairs, readings, suits_of, weigh
from scoring.tiles import DRAGONS, INDEX, TILES, show, sort, tile_set

# ---------------------------------------------------------------- one reading, valued


class Valued(NamedTuple):
    """One reading of the hand with its elements: `factors` make up the product, `bonuses` are added to each share."""

    product: int
    factors: tuple[tuple[str, int], ...]
    bonuses: tuple[tuple[str, int], ...]
    elements: tuple[str, ...]
    payment: "Payment"
    pairs: bool
    triplets: int
    reading: Reading | tuple[int, ...]
    slot: str


class Payment(NamedTuple):
    """What a product costs: M and the amount of every share, in the order of `Shares.seats`, and the transfers."""

    total: int
    multipliers: tuple[int, ...]
    amounts: tuple[int, ...]
    settlement: Settlement


class Shares(NamedTuple):
    """Who pays: each share belongs to a seat and may be paid by another. `reveal` is R of that seat."""

    winner: int
    by: WinBy
    players: int
    seats: tuple[int, ...]
    payers: tuple[int, ...]
    reveal: tuple[int, ...]
    tested: tuple[int, ...]
    """R as the minimum is tested with it, for the shares that are tested; 0 for those that are not."""


@lru_cache(maxsize=16)
def _tile_set(suits: tuple[str, ...]) -> frozenset[str]:
    return frozenset(tile_set(suits, winds=False))


class KaWuXing(Ruleset[KaWuXingOptions]):
    """卡五星 as RULES.md section 1 and 11 have it."""

    name: ClassVar[str] = "ka_wu_xing"
    title: ClassVar[Text] = Text("卡五星", "Ka Wu Xing")
    elements: ClassVar[tuple[Element, ...]] = ELEMENTS
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    presets: ClassVar[Mapping[str, Preset]] = PRESETS

    def build(self, flat: Mapping[str, Value]) -> KaWuXingOptions:
        return KaWuXingOptions(**fields_of(flat, "values"))

    def contradictions(self, options: KaWuXingOptions) -> list[Problem]:
        o, found = options, list[Problem]()
        unknown = [part for key in o.cap_exceptions for part in key.split("+") if part not in BY_ID]
        if unknown:
            found.append(
                problem(
                    "option_value",
                    f"选项“cap_exceptions”里没有番种“{unknown[0]}”。",
                    f"Option “cap_exceptions” names “{unknown[0]}”, which is no element.",
                )
            )
        for minimum in ("min_fan_discard", "min_fan_self_draw"):
            least = cast(int, getattr(o, minimum))
            highest = max([o.cap or 0, *o.cap_exceptions.values()]) * (1 if o.cap_includes_reveal else 2)
            if o.cap is not None and least > highest:
                found.append(
                    problem(
                        "contradiction",
                        f"选项“{minimum}”{least} 高于“cap”{o.cap}，谁也胡不了。",
                        f"Option “{minimum}” {least} is above “cap” {o.cap}; nobody could win.",
                    )
                )
        bad = [key for key in o.money_cap if not key.isdigit()]
        if bad:
            found.append(
                problem(
                    "option_value",
                    f"选项“money_cap”的底金“{bad[0]}”不是整数。",
                    f"Option “money_cap” has the unit “{bad[0]}”, which is no whole number.",
                )
            )
        return found

    def players(self, options: KaWuXingOptions) -> int:
        return options.players

    def tiles(self, options: KaWuXingOptions) -> tuple[str, ...]:
        return tile_set(options.suits, winds=False)

    def questions(self, options: KaWuXingOptions) -> tuple[Question, ...]:
        return questions_of(options)

    # -------------------------------------------------------- scoring

    def score(self, rules: Rules, win: Win) -> Score | Refusal:
        o = cast(KaWuXingOptions, rules.options)
        players = win.players or o.players
        problems = hand_problems(win, _tile_set(o.suits), self.title, chows=False)
        about = _circumstance_problems(win, o, players)
        if problems:
            return Refusal(rules, win, tuple(problems + about))
        hand = win.hand
        won = cast(str, hand.winning_tile)
        concealed = weigh(hand.concealed) + WEIGHT[won]
        seen = readings(concealed)
        paired = pairs(concealed) if not hand.melds else None
        if not seen and paired is None:
            return Refusal(rules, win, (_no_shape(), *about), partial(_shape_hints, rules, win))
        if about:
            return Refusal(rules, win, tuple(about))
        said = win.circumstances
        shares = _shares(o, players, win.winner, win.by, said.get("discarder"), said.get("revealed") or ())
        valued = [_value_sets(win, o, reading, concealed, shares) for reading in seen]
        if paired is not None:
            valued.append(_value_pairs(win, o, paired, concealed, shares))
        legal = [item for item in valued if _reaches_minimum(item, win, o, shares)]
        if not legal:
            best = max(valued, key=lambda item: item.product)
            return Refusal(rules, win, (_below_minimum(win, o, best, shares),), partial(_minimum_hints, rules, win))
        if len(legal) > 1:
            legal.sort(key=_rank)
        return _score(rules, win, shares, legal)

    def settle_wins(self, rules: Rules, wins: Sequence[Win]) -> tuple[tuple[Score | Refusal, ...], Settlement]:
        return settle_together(rules, wins, cast(KaWuXingOptions, rules.options).multiple_winners)

    def settle_kongs(self, rules: Rules, kongs: Sequence[Kong], players: int) -> tuple[Settlement, ...]:
        o = cast(KaWuXingOptions, rules.options)
        settled: list[Settlement] = []
        length = -1
        for kong in kongs:
            # The first kong is never doubled (C 九.6), whatever it is said to follow.
            length = length + 1 if kong.chained else 0
            factor = 2**length if o.kong_chain_cap is None else min(2**length, o.kong_chain_cap)
            settled.append(Settlement(players, _kong_transfers(kong, o, players, factor)))
        return tuple(settled)

    def settle_draw(self, rules: Rules, answers: Answers, players: int, contract: Any = None) -> Settlement:
        o = cast(KaWuXingOptions, rules.options)
        revealed = cast("tuple[int, ...]", answers.get("revealed") or ())
        amount = o.unit * o.draw_units
        everyone = range(players)
        match o.draw_penalty:
            case "first_revealer":
                owed = [(seat, other) for seat in revealed[:1] for other in everyone if other != seat]
                reason = Text("荒庄：第一个亮倒的赔每家", "draw: the first to reveal pays everyone")
            case "each_revealer_to_unrevealed":
                owed = [(seat, other) for seat in revealed for other in everyone if other not in revealed]
                reason = Text("荒庄：亮倒的赔没亮的", "draw: each revealed pays each unrevealed")
            case _:
                owed = [(seat, other) for seat in revealed for other in everyone if other != seat]
                reason = Text("荒庄：亮倒的赔其他每家", "draw: each revealed pays everyone else")
        return Settlement(players, tuple(Transfer(a, b, amount, reason) for a, b in owed if amount))

    def next_dealer(
        self, rules: Rules, dealer: int, winners: Sequence[int], discarder: int | None, players: int
    ) -> int:
        o = cast(KaWuXingOptions, rules.options)
        if not winners or (o.dealer_rotation == "stay" and dealer in winners):
            return dealer
        if len(winners) > 1 and discarder is not None and o.dealer_rotation == "discarder_if_two":
            return discarder
        start = dealer if discarder is None else discarder
        return min(winners, key=lambda seat: (seat - start) % players)


def _no_shape() -> Problem:
    return problem(
        "no_shape",
        "这手牌胡不了：不是四副牌加一对将，也不是七对。",
        "This hand is not complete: neither four sets and a pair nor seven pairs.",
    )


# ---------------------------------------------------------------- circumstances


def _circumstance_problems(win: Win, o: KaWuXingOptions, players: int) -> list[Problem]:
    """Everything about how the hand was won that cannot be, or that this table does not allow."""
    found = seat_problems(win, players)
    said = win.circumstances
    if not said:
        return found
    revealed = said.get("revealed")
    if revealed is not None:
        found += seats_problem("revealed", revealed, players)
        if (
            o.revealed_self_draw_only
            and isinstance(revealed, tuple)
            and win.winner in revealed
            and win.by != "self_draw"
        ):
            found.append(
                problem(
                    "revealed_self_draw_only",
                    "本桌亮倒后只能自摸。",
                    "At this table a revealed hand wins by self-draw only.",
                )
            )
    for key, way, zh, en in _WAYS:
        if said.get(key) and win.by != way:
            found.append(
                problem(
                    "contradiction",
                    f"{BY_ID[key].name.zh}只能是{zh}。",
                    f"“{key}” ({BY_ID[key].name.en}) is possible only {en}.",
                )
            )
    if win.by == "rob_kong":
        robbed = said.get("robbed_kong", "added")
        if robbed not in ("added", "concealed", "chained"):
            found.append(
                problem(
                    "robbed_kong",
                    "robbed_kong 只能是 added、concealed 或 chained。",
                    f"“robbed_kong” must be added, concealed or chained, not {written(robbed)}.",
                )
            )
        if robbed == "concealed" and not o.rob_concealed_kong:
            found.append(
                problem("rob_concealed_kong", "本桌不能抢暗杠。", "At this table a concealed kong cannot be robbed.")
            )
        if robbed == "chained" and not o.rob_chain_kong:
            found.append(
                problem("rob_chain_kong", "本桌不能抢杠上杠。", "At this table a chained kong cannot be robbed.")
            )
    elif said.get("robbed_kong") is not None:
        found.append(no_kong_was_robbed())
    return found + _passed_problems(win, players)


def _passed_problems(win: Win, players: int) -> list[Problem]:
    """漏胡: what was passed up was the discard of another seat, and worth something."""
    found: list[Problem] = []
    seat, worth = win.circumstances.get("passed_discarder"), win.circumstances.get("passed_multiplier")
    if seat is not None and (not _is_whole(seat) or not 0 <= seat < players or seat == win.winner):
        found.append(
            problem(
                "seat",
                "“passed_discarder”须是另一家的座位。",
                f"“passed_discarder” must be the seat of another player, 0 to {players - 1}, not {written(seat)}.",
            )
        )
    if worth is not None and (not _is_whole(worth) or worth < 1):
        found.append(
            problem(
                "passed_multiplier",
                "“passed_multiplier”须为 1 或以上。",
                f"“passed_multiplier” must be 1 or more, not {written(worth)}.",
            )
        )
    return found


def _is_whole(value: Answer) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


_WAYS: Final = (
    ("kong_bloom", "self_draw", "自摸", "by self-draw"),
    ("kong_discard", "discard", "捉炮", "on a discard"),
    ("last_tile_draw", "self_draw", "自摸", "by self-draw"),
    ("last_tile_discard", "discard", "捉炮", "on a discard"),
)


@lru_cache(maxsize=1024)
def _shares(
    o: KaWuXingOptions, players: int, winner: int, by: WinBy, discarder: Any, revealed: tuple[int, ...]
) -> Shares:
    """Whose shares are due, who pays them, and R of each (RULES.md 1.4, 1.5, rows 14–18)."""
    own = o.values["revealed_hand"] if winner in revealed else None
    others = tuple(seat for seat in range(players) if seat != winner)
    if by == "self_draw":
        seats, payers = others, others
    else:
        liable = (
            own is not None
            and o.reveal_discard_liability == "all_shares"
            and (by == "discard" or o.liability_on_rob)
            and not (o.liability_exempts_revealed_discarder and discarder in revealed)
        )
        seats = others if liable else (discarder,)
        payers = (discarder,) * len(seats)
    reveal = tuple(_reveal(own, seat in revealed, o) for seat in seats)
    if by == "self_draw":
        tested = reveal
    else:
        counted = own if o.min_fan_counts_own_reveal else None
        tested = tuple(_reveal(counted, seat in revealed, o) if seat == payers[0] else 0 for seat in seats)
    return Shares(winner, by, players, seats, payers, reveal, tested)


def _reveal(own: int | None, payer_revealed: bool, o: KaWuXingOptions) -> int:
    if own is not None:
        return own * 2 if payer_revealed and o.double_reveal_stacks else own
    return 2 if payer_revealed and o.reveal_doubles_payer else 1


def _capped(product: int, reveal: int, cap: int | None, o: KaWuXingOptions) -> int:
    if cap is None:
        return product * reveal
    return min(product * reveal, cap) if o.cap_includes_reveal else min(product, cap) * reveal


def _cap(o: KaWuXingOptions, elements: Sequence[str]) -> int | None:
    """The cap of a hand: the largest among its elements (section 11, row 11)."""
    if o.cap is None or not o.cap_exceptions:
        return o.cap
    present = set(elements)
    return max([o.cap, *(limit for key, limit in o.cap_exceptions.items() if present.issuperset(key.split("+")))])


# ---------------------------------------------------------------- predicates


def _value_sets(win: Win, o: KaWuXingOptions, reading: Reading, concealed: int, shares: Shares) -> Valued:
    """The elements of four sets and a pair."""
    hand = win.hand
    values = o.values
    won = INDEX[cast(str, hand.winning_tile)]
    melds = hand.melds
    pungs = reading.pungs + tuple(INDEX[meld.tiles[0]] for meld in melds)
    factors: list[tuple[str, int]] = []

    def add(element: str) -> None:
        value = values[element]
        if value is not None:
            factors.append((element, value))

    single = len(melds) == 4
    if single:
        add("single_tile_hand")
    if not reading.chows and not (
        single and o.single_tile_includes_all_pungs and values["single_tile_hand"] is not None
    ):
        add("all_pungs")
    if _is_pure(concealed, melds):
        add("pure_suit")
    dragons = 0
    for tile in pungs:
        dragons += tile >= _DRAGON
    if dragons == 3:
        add("big_three_dragons")
    elif dragons == 2 and reading.pair >= _DRAGON:
        add("little_three_dragons")
    slot = slot_of(reading, won)
    if slot == "middle" and (o.middle_five_wait == "any" or _only_wait(win)):
        add("middle_five")
    four = _counted_four(win, o, concealed)
    if four:
        add(four)
    if o.four_scope != "winning_tile":
        big = {element for element, _ in factors}
        if o.four_scope == "full" or (
            "pure_suit" in big
            if o.four_scope == "winning_tile_or_pure_suit" or o.big_hand_for_four == "pure_suit"
            else not BIG_HANDS.isdisjoint(big)
        ):
            for element, _tile in _extra_fours(hand, concealed, won):
                value = values["open_four" if o.extra_quad_value == "open_four_value" else element]
                if value is not None and values[element] is not None:
                    factors.append((element, value))
    _add_circumstances(win, o, factors)
    bonuses = _bonuses(win, o, reading, slot, concealed) if _has_bonuses(o) else ()
    return _valued(win, o, shares, factors, bonuses, False, len(pungs), reading, slot)


def _value_pairs(win: Win, o: KaWuXingOptions, paired: tuple[int, ...], concealed: int, shares: Shares) -> Valued:
    """The elements of seven pairs and its dragons."""
    values = o.values
    fours = 7 - len(set(paired))
    if o.dragon_pairs_needs_winning_fourth and concealed >> (3 * INDEX[cast(str, win.hand.winning_tile)]) & 7 != 4:
        fours = 0
    element, value = _pair_element(fours, values)
    factors: list[tuple[str, int]] = []
    three = values["three_dragons_seven_pairs"]
    if three is not None and {_DRAGON, _DRAGON + 1, _DRAGON + 2} <= set(paired):
        if not fours:
            element, value = "three_dragons_seven_pairs", three
        elif o.three_dragons_pairs_stack:
            factors.append(("three_dragons_seven_pairs", three))
        elif three >= (value or 1):
            element, value = "three_dragons_seven_pairs", three
    if value is not None:
        factors.append((element, value))
    if _is_pure(concealed, ()) and values["pure_suit"] is not None:
        factors.append(("pure_suit", values["pure_suit"]))
    _add_circumstances(win, o, factors)
    bonuses = _bonuses(win, o, None, "", concealed) if _has_bonuses(o) else ()
    return _valued(win, o, shares, factors, bonuses, True, 0, paired, "pair")


def _pair_element(fours: int, values: Mapping[str, int | None]) -> tuple[str, int | None]:
    """The name and value of seven pairs with so many fours; one without a value counts as the next lower (row 29)."""
    printed = PAIR_ELEMENTS[fours]
    if fours == 3 and values[printed] is None:
        printed = PAIR_ELEMENTS[2]
    for step in range(PAIR_ELEMENTS.index(printed), -1, -1):
        if values[PAIR_ELEMENTS[step]] is not None:
            return PAIR_ELEMENTS[step], values[PAIR_ELEMENTS[step]]
    return "seven_pairs", None


_DRAGON: Final = INDEX["C"]


def _is_pure(concealed: int, melds: Sequence[Meld]) -> bool:
    m, p, s, honours = suits_of(concealed)
    if honours or (m > 0) + (p > 0) + (s > 0) != 1:
        return False
    suit = "m" if m else "p" if p else "s"
    return all(meld.tiles[0][1:] == suit for meld in melds)


def _only_wait(win: Win) -> bool:
    """Whether nothing but the winning tile completes the thirteen, tiles held four times left out (section 11)."""
    hand = win.hand
    base = weigh(hand.concealed)
    held = base + weigh(tile for meld in hand.melds for tile in meld.tiles)
    for tile, weight in WEIGHT.items():
        if tile == hand.winning_tile or held >> (3 * INDEX[tile]) & 7 >= 4:
            continue
        if readings(base + weight) or (not hand.melds and pairs(base + weight) is not None):
            return False
    return True


def _counted_four(win: Win, o: KaWuXingOptions, concealed: int) -> str | None:
    """The four that the winning tile completes: of three in the hand, or of one's own pung (rows 4, 5 for discards)."""
    won = cast(str, win.hand.winning_tile)
    if concealed >> (3 * INDEX[won]) & 7 == 4:
        return "concealed_four" if win.by == "self_draw" or o.concealed_four_by_discard else None
    if any(meld.kind == "pung" and meld.tiles[0] == won for meld in win.hand.melds):
        return "open_four" if win.by == "self_draw" or o.open_four_by_discard else None
    return None


def _extra_fours(hand: Hand, concealed: int, won: int) -> list[tuple[str, int]]:
    """The unkonged fours that the winning tile did not complete, each once."""
    found = [
        ("open_four", INDEX[meld.tiles[0]])
        for meld in hand.melds
        if meld.kind == "pung" and INDEX[meld.tiles[0]] != won and concealed >> (3 * INDEX[meld.tiles[0]]) & 7
    ]
    rest, tile = concealed & _FOURS, 0
    while rest:
        tile = ((rest & -rest).bit_length() - 1) // 3
        if tile != won:
            found.append(("concealed_four", tile))
        rest &= rest - 1
    return found


_FOURS: Final = sum(4 << (3 * i) for i in range(34))


def _add_circumstances(win: Win, o: KaWuXingOptions, factors: list[tuple[str, int]]) -> None:
    said = win.circumstances
    robbing = o.values["rob_kong"]
    if win.by == "rob_kong" and robbing is not None:
        factors.append(("rob_kong", robbing))
    if not said:
        return
    for element in ("kong_bloom", "kong_discard", "last_tile_draw", "last_tile_discard"):
        value = o.values[element]
        if said.get(element) and value is not None:
            if element == "kong_bloom" and o.kong_bloom_chain_doubles:
                value **= max(1, cast(int, said.get("kong_chain") or 1))
            factors.append((element, value))


@lru_cache(maxsize=64)
def _has_bonuses(o: KaWuXingOptions) -> bool:
    values = o.values
    return any(
        values[element] is not None
        for element in ("triplet_bonus", "self_draw_bonus", "eight_tiles_bonus", "triplet_count")
    )


def _bonuses(
    win: Win, o: KaWuXingOptions, reading: Reading | None, slot: str, concealed: int
) -> tuple[tuple[str, int], ...]:
    """恰, 摸, 八张 and 数坎: units added to every share. In seven pairs no triplet stands by itself."""
    values, hand = o.values, win.hand
    found: list[tuple[str, int]] = []
    triplets = len(_standing(win, o, reading, slot)) + sum(meld.is_kong for meld in hand.melds)
    if values["triplet_bonus"] is not None:
        found.append(("triplet_bonus", triplets * o.qia_value * values["triplet_bonus"]))
    if values["self_draw_bonus"] is not None and win.by == "self_draw":
        found.append(("self_draw_bonus", values["self_draw_bonus"]))
    if values["eight_tiles_bonus"] is not None:
        found.append(("eight_tiles_bonus", _eight_tiles(win, o) * values["eight_tiles_bonus"]))
    if values["triplet_count"] is not None:
        found.append(("triplet_count", triplets * values["triplet_count"]))
    return tuple((element, amount) for element, amount in found if amount)


def _standing(win: Win, o: KaWuXingOptions, reading: Reading | None, slot: str) -> tuple[int, ...]:
    """The concealed triplets of the reading; the one that the winning tile completed only where the table counts it."""
    if reading is None:
        return ()
    if slot == "pung" and not o.qia_winning_triplet:
        return tuple(tile for tile in reading.pungs if tile != INDEX[cast(str, win.hand.winning_tile)])
    return reading.pungs


def _eight_tiles(win: Win, o: KaWuXingOptions) -> int:
    tiles = win.hand.all_tiles
    lengths = [sum(tile[1:] == suit for tile in tiles) for suit in o.suits]
    if o.ba_honours:
        lengths.append(sum(tile in DRAGONS for tile in tiles))
    over = [length - 7 for length in lengths if length >= 8]
    return sum(over) if o.ba_scope == "each_suit" else max(over, default=0)


def _valued(
    win: Win,
    o: KaWuXingOptions,
    shares: Shares,
    factors: list[tuple[str, int]],
    bonuses: tuple[tuple[str, int], ...],
    paired: bool,
    triplets: int,
    reading: Reading | tuple[int, ...],
    slot: str,
) -> Valued:
    """Product, cap and every share's amount of one reading."""
    if not factors and o.values["chicken_hand"] is not None:
        factors.append(("chicken_hand", o.values["chicken_hand"]))
    product, named = 1, list[str]()
    for element, value in factors:
        product *= value
        named.append(element)
    if o.combine == "add" and factors:
        product = sum(value for _, value in factors)
    revealed = win.circumstances.get("revealed")
    if revealed and win.winner in cast("tuple[int, ...]", revealed) and o.values["revealed_hand"] is not None:
        named.append("revealed_hand")
    cap = o.cap if o.cap is None or not o.cap_exceptions else _cap(o, named)
    bonus = 0
    for element, amount in bonuses:
        bonus += amount
        named.append(f"{element}:{amount}")
    named.sort()
    payment = _payment(o, shares, product, bonus, cap)
    return Valued(product, tuple(factors), bonuses, tuple(named), payment, paired, triplets, reading, slot)


@lru_cache(maxsize=8192)
def _payment(o: KaWuXingOptions, shares: Shares, product: int, bonus: int, cap: int | None) -> Payment:
    """What a product and its bonuses cost each payer; the same few numbers come back all night."""
    multipliers = tuple(_capped(product, reveal, cap, o) for reveal in shares.reveal)
    amounts = _amounts(multipliers, bonus, cap, shares, o)
    transfers = tuple(
        Transfer(payer, shares.winner, amount, _TRANSFER_REASONS[shares.by, payer == seat])
        for seat, payer, amount in zip(shares.seats, shares.payers, amounts, strict=True)
        if amount
    )
    return Payment(sum(amounts), multipliers, amounts, Settlement(shares.players, transfers))


def _amounts(
    multipliers: tuple[int, ...], bonus: int, cap: int | None, shares: Shares, o: KaWuXingOptions
) -> tuple[int, ...]:
    """What each share costs: unit × (M + bonus), within the money limit; one payer's shares together if so agreed."""
    together = o.cap_per == "total" and len(shares.seats) > len(set(shares.payers))
    if together and cap is not None:
        # Where the reveal doubles outside the cap (row 12), it does so here too.
        outside = (1,) * len(multipliers) if o.cap_includes_reveal else shares.reveal
        room, within = cap, list[int]()
        for multiplier, reveal in zip(multipliers, outside, strict=True):
            part = min(multiplier // reveal, room)
            room -= part
            within.append(part * reveal)
        multipliers = tuple(within)
    amounts = tuple(
        o.unit * (multiplier + (bonus * reveal if o.bonus_doubled_by_reveal else bonus))
        for multiplier, reveal in zip(multipliers, shares.reveal, strict=True)
    )
    limit = o.money_cap.get(str(o.unit))
    if limit is None:
        return amounts
    if not together:
        return tuple(min(amount, limit) for amount in amounts)
    left, paid = limit, list[int]()
    for amount in amounts:
        paid.append(min(amount, left))
        left -= paid[-1]
    return tuple(paid)


def _reaches_minimum(item: Valued, win: Win, o: KaWuXingOptions, shares: Shares) -> bool:
    least = o.min_fan_self_draw if win.by == "self_draw" else o.min_fan_discard
    if least <= 1:
        return True
    cap = _cap(o, item.elements)
    return all(_capped(item.product, reveal, cap, o) >= least for reveal in shares.tested if reveal)


def _rank(item: Valued) -> tuple[int, int, bool, int, tuple[str, ...]]:
    """The order of readings (section 11): total, product, seven pairs first, more triplets, names."""
    return -item.payment.total, -item.product, not item.pairs, -item.triplets, item.elements


def _below_minimum(win: Win, o: KaWuXingOptions, best: Valued, shares: Shares) -> Problem:
    least = o.min_fan_self_draw if win.by == "self_draw" else o.min_fan_discard
    cap = _cap(o, best.elements)
    reached = min(_capped(best.product, reveal, cap, o) for reveal in shares.tested if reveal)
    way = Text("自摸", "self-draw") if win.by == "self_draw" else Text("捉炮", "win on a discard")
    return problem(
        "below_minimum",
        f"不够起胡：本桌{way.zh}至少 {least} 倍，这手牌只有 {reached} 倍。",
        f"Below the minimum: a {way.en} needs ×{least} at this table, and this hand makes ×{reached}.",
    )


def _minimum_hints(rules: Rules, win: Win) -> tuple[Problem, ...]:
    """What a hand below the minimum would have been worth by self-draw."""
    if win.by == "self_draw":
        return ()
    circumstances = {key: value for key, value in win.circumstances.items() if key == "revealed"}
    drawn = rules.score(Win(win.hand, "self_draw", win.winner, win.players, MappingProxyType(circumstances)))
    if not isinstance(drawn, Score):
        return ()
    gain = drawn.payments[win.winner]
    return (
        problem("by_self_draw", f"自摸就能胡，共收 {gain}。", f"By self-draw it would have won, for {gain} in all."),
    )


def _shape_hints(rules: Rules, win: Win) -> tuple[Problem, ...]:
    """Which tiles would have completed the concealed ones."""
    hand = win.hand
    base = weigh(hand.concealed)
    fits = [
        tile
        for tile in rules.tiles
        if (base >> (3 * INDEX[tile]) & 7) < 4
        and (readings(base + WEIGHT[tile]) or (not hand.melds and pairs(base + WEIGHT[tile]) is not None))
    ]
    if not fits:
        return ()
    return (problem("waits", f"这些牌听的是 {show(fits, 'zh')}。", f"These tiles wait for {show(fits)}."),)


# ---------------------------------------------------------------- kongs


def _kong_transfers(kong: Kong, o: KaWuXingOptions, players: int, factor: int) -> tuple[Transfer, ...]:
    chain_zh, chain_en = (f"，杠上杠 ×{factor}", f", chained ×{factor}") if factor > 1 else ("", "")
    others = tuple(seat for seat in range(players) if seat != kong.seat)
    if kong.kind == "kong_exposed":
        if kong.source is None or kong.source not in others:
            raise ValueError(f"An exposed kong needs the seat that discarded, not {written(kong.source)}.")
        payers, units, reason = (kong.source,), o.kong_exposed_units, Text(f"直杠{chain_zh}", f"exposed kong{chain_en}")
    elif kong.kind == "kong_added":
        payers, units, reason = others, o.kong_added_units, Text(f"蓄杠{chain_zh}", f"added kong{chain_en}")
    elif kong.kind == "kong_concealed":
        payers, units, reason = others, o.kong_concealed_units, Text(f"暗杠{chain_zh}", f"concealed kong{chain_en}")
    else:
        raise ValueError(f"{written(kong.kind)} is no kong: use kong_exposed, kong_added or kong_concealed.")
    if not 0 <= kong.seat < players:
        raise ValueError(f"The konger's seat must be 0 to {players - 1}, not {kong.seat}.")
    amount = o.unit * units * factor
    return tuple(Transfer(payer, kong.seat, amount, reason) for payer in payers if amount)


# ---------------------------------------------------------------- the receipt


def _score(rules: Rules, win: Win, shares: Shares, ranked: Sequence[Valued]) -> Score:
    """The score of the first of the ranked readings; the receipt is written when somebody looks at it."""
    best = ranked[0]
    multipliers = best.payment.multipliers
    same = len(set(multipliers)) == 1
    return Score(
        rules,
        win,
        best.elements,
        {"multiplier": multipliers[0] if same else list(multipliers)},
        best.payment.settlement,
        partial(_explain, rules, win, shares, ranked),
    )


_TRANSFER_REASONS: Final = {
    ("self_draw", True): Text("自摸，各家出一份", "self-draw: each other player pays a share"),
    ("discard", True): Text("点炮，放炮者出一份", "discard: the discarder pays a share"),
    ("discard", False): Text(
        "包胡：点了亮倒者的炮，替另一家出", "discard to a revealed hand: he pays the other player's share too"
    ),
    ("rob_kong", True): Text("抢杠，被抢者出一份", "robbed kong: the konger pays a share"),
    ("rob_kong", False): Text(
        "包胡：被亮倒者抢杠，替另一家出", "kong robbed by a revealed hand: he pays the other player's share too"
    ),
}


def _explain(rules: Rules, win: Win, shares: Shares, ranked: Sequence[Valued]) -> Explanation:
    o = cast(KaWuXingOptions, rules.options)
    best = ranked[0]
    lines = _lines(win, o, best)
    second = next((k for k in range(1, len(ranked)) if ranked[k].elements != best.elements), None)
    return Explanation(
        groups(win, best.reading, best.slot),
        lines,
        _steps(o, win, best, shares),
        _notes(win, o, best),
        None if second is None else _score(rules, win, shares, ranked[second:]),
    )


def _lines(win: Win, o: KaWuXingOptions, item: Valued) -> tuple[Line, ...]:
    """One line an element, with the tiles it rests on."""
    hand = win.hand
    won = cast(str, hand.winning_tile)
    concealed = weigh(hand.concealed) + WEIGHT[won]
    completed = _counted_four(win, o, concealed)
    extra = _extra_fours(hand, concealed, INDEX[won])
    tiles_of: dict[str, tuple[str, ...]] = {"middle_five": (f"4{won[1:]}", won, f"6{won[1:]}")}
    tiles_of |= dict.fromkeys(
        ("big_three_dragons", "little_three_dragons", "three_dragons_seven_pairs"),
        tuple(t for t in hand.all_tiles if t in DRAGONS),
    )
    tiles_of |= dict.fromkeys(PAIR_ELEMENTS[1:], tuple(t for t in sort(hand.all_tiles) if hand.all_tiles.count(t) == 4))
    tiles_of |= dict.fromkeys(
        ("rob_kong", "kong_bloom", "kong_discard", "last_tile_draw", "last_tile_discard", "single_tile_hand"), (won,)
    )
    lines: list[Line] = []
    for element, value in item.factors:
        if element == completed:
            completed = None
            lines.append(line(BY_ID, element, value, (won,) * 4))
        elif element in ("open_four", "concealed_four"):
            four = next(entry for entry in extra if entry[0] == element)
            extra.remove(four)
            lines.append(line(BY_ID, element, value, (TILES[four[1]],) * 4, _EXTRA_FOUR))
        else:
            lines.append(line(BY_ID, element, value, tiles_of.get(element, hand.all_tiles)))
    if "revealed_hand" in item.elements:
        lines.append(line(BY_ID, "revealed_hand", cast(int, o.values["revealed_hand"]), ()))
    standing = _standing(win, o, item.reading if isinstance(item.reading, Reading) else None, item.slot)
    kongs = tuple(tile for meld in hand.melds if meld.is_kong for tile in meld.tiles)
    for element, amount in item.bonuses:
        triplets = tuple(TILES[tile] for tile in standing for _ in range(3)) + kongs
        lines.append(line(BY_ID, element, amount, triplets if element.startswith("triplet") else ()))
    return tuple(lines)


_EXTRA_FOUR: Final = Text(
    "四张没有开杠，本桌这样的牌型也算四归", "four of a kind without a kong, which this table counts in such a hand"
)


def _steps(o: KaWuXingOptions, win: Win, item: Valued, shares: Shares) -> tuple[Step, ...]:
    """The arithmetic of M and of each share, so that the numbers on the receipt add up."""
    sign = " × " if o.combine == "multiply" else " + "
    factors = [(BY_ID[element].name, value) for element, value in item.factors]
    product = Text(*(total_of(factors, sign, language) or "1" for language in ("zh", "en")))
    steps = [Step(Text(f"牌型：{product.zh} = {item.product}", f"hand: {product.en} = {item.product}"), item.product)]
    cap = _cap(o, item.elements)
    bonus = sum(amount for _, amount in item.bonuses)
    if bonus:
        extras = [(BY_ID[element].name, amount) for element, amount in item.bonuses]
        added = Text(*(total_of(extras, " + ", language) for language in ("zh", "en")))
        steps.append(Step(Text(f"另加：{added.zh} = {bonus}", f"bonuses: {added.en} = {bonus}"), bonus))
    for seat, payer, reveal, multiplier, amount in zip(
        shares.seats, shares.payers, shares.reveal, item.payment.multipliers, item.payment.amounts, strict=True
    ):
        whose_zh, whose_en = (
            (f"{payer} 号替 {seat} 号", f"seat {payer} for seat {seat}")
            if payer != seat
            else (f"{seat} 号", f"seat {seat}")
        )
        part_zh = part_en = str(item.product)
        if cap is not None and not o.cap_includes_reveal and item.product > cap:
            part_zh, part_en = f"min({item.product}, 封顶 {cap})", f"min({item.product}, cap {cap})"
        if reveal > 1:
            part_zh, part_en = f"{part_zh} × 亮倒 {reveal}", f"{part_en} × revealed {reveal}"
        if cap is not None and o.cap_includes_reveal and item.product * reveal > cap:
            part_zh, part_en = f"min({part_zh}, 封顶 {cap})", f"min({part_en}, cap {cap})"
        if part_en != str(multiplier):
            steps.append(
                Step(
                    Text(f"{whose_zh}：{part_zh} = {multiplier} 倍", f"{whose_en}: {part_en} = ×{multiplier}"),
                    multiplier,
                )
            )
        plus = bonus * reveal if o.bonus_doubled_by_reveal else bonus
        sum_text = f"({multiplier} + {plus})" if plus else str(multiplier)
        full = o.unit * (multiplier + plus)
        if amount < full:
            steps.append(
                Step(
                    Text(
                        f"{whose_zh}：{o.unit} × {sum_text} = {full}，限额后 {amount}",
                        f"{whose_en}: {o.unit} × {sum_text} = {full}, limited to {amount}",
                    ),
                    amount,
                )
            )
        else:
            steps.append(
                Step(
                    Text(
                        f"{whose_zh}：底金 {o.unit} × {sum_text} = {amount}",
                        f"{whose_en}: unit {o.unit} × {sum_text} = {amount}",
                    ),
                    amount,
                )
            )
    total = item.payment.total
    steps.append(Step(Text(f"胡家共收 {total}", f"the winner receives {total}"), total))
    return tuple(steps)


def _notes(win: Win, o: KaWuXingOptions, item: Valued) -> tuple[Problem, ...]:
    """Advice that changes no number: 漏胡, a bloom without a kong in the picture."""
    said = win.circumstances
    notes: list[Problem] = []
    if said.get("kong_bloom") and not any(meld.is_kong for meld in win.hand.melds):
        notes.append(
            problem(
                "no_kong",
                "说是杠上开花，但手牌里没有杠。",
                "It is said to be a kong bloom, but no kong lies among the melds.",
            )
        )
    passed = said.get("passed_discarder")
    if win.by == "discard" and passed is not None and passed != said.get("discarder") and o.missed_win != "off":
        before = cast(int, said.get("passed_multiplier") or 0)
        # The size is H × R of the discarder's share, before any cap (section 11, row 27).
        revealed = cast("tuple[int, ...]", said.get("revealed") or ())
        own = o.values["revealed_hand"] if win.winner in revealed else None
        now = item.product * _reveal(own, said.get("discarder") in revealed, o)
        if o.missed_win == "strict" or now <= before:
            notes.append(
                problem(
                    "missed_win",
                    f"漏胡：放过 {passed} 号的炮之后还没有摸牌，"
                    f"本桌不能胡别家的{'' if o.missed_win == 'strict' else f'（除非大于 {before} 倍）'}。",
                    f"Missed win: after passing up seat {passed}'s discard one may not win on another's before "
                    f"drawing again" + ("." if o.missed_win == "strict" else f", unless for more than ×{before}."),
                )
            )
    return tuple(notes)
