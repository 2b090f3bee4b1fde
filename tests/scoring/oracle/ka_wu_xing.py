"""Ka Wu Xing the long way: price every reading as a product of element values, keep the one that pays most.

RULES.md 1 and 11; presets from section 7, switches from section 6.
"""

from collections import Counter
from math import prod

from tests.scoring.oracle.tiles import (
    DRAGONS,
    KONGS,
    NotAWin,
    add_up,
    can_be_complete,
    check_hand,
    check_payer,
    in_order,
    is_seven_pairs,
    is_suited,
    meld_set,
    options_of,
    pay,
    readings,
    refused,
    together,
    wins_of,
)

# Block A of section 1.3. None: the block does not have the element.
VALUES = {
    "chicken_hand": 1,
    "all_pungs": 2,
    "pure_suit": 4,
    "seven_pairs": 4,
    "dragon_seven_pairs": 8,
    "double_dragon_seven_pairs": 16,
    "triple_dragon_seven_pairs": None,
    "three_dragons_seven_pairs": None,
    "big_three_dragons": 8,
    "little_three_dragons": 4,
    "middle_five": 2,
    "open_four": 2,
    "concealed_four": 4,
    "single_tile_hand": 4,
    "kong_bloom": 2,
    "kong_discard": 2,
    "rob_kong": 2,
    "last_tile_draw": 2,
    "last_tile_discard": None,
    "revealed_hand": 2,
    "triplet_bonus": None,
    "self_draw_bonus": None,
    "eight_tiles_bonus": None,
    "triplet_count": None,
}

BASE = {
    "values": VALUES,
    "unit": 1,
    "suits": ["p", "s"],
    "cap": None,
    "cap_exceptions": {},
    "cap_includes_reveal": True,
    "cap_per": "share",
    "combine": "multiply",
    "min_fan_discard": 2,
    "min_fan_self_draw": 1,
    "min_fan_counts_own_reveal": True,
    "single_tile_includes_all_pungs": True,
    "concealed_four_by_discard": True,
    "open_four_by_discard": True,
    "four_scope": "winning_tile_or_pure_suit",
    "extra_quad_value": "own",
    "middle_five_wait": "any",
    "reveal_discard_liability": "all_shares",
    "liability_exempts_revealed_discarder": False,
    "liability_on_rob": True,
    "reveal_doubles_payer": False,
    "double_reveal_stacks": False,
    "revealed_self_draw_only": False,
    "draw_penalty": "first_revealer",
    "rob_chain_kong": True,
    "rob_concealed_kong": False,
    "kong_bloom_chain_doubles": False,
    "kong_chain_cap": None,
    "dragon_pairs_needs_winning_fourth": False,
    "three_dragons_pairs_stack": False,
    "money_cap": None,
    "multiple_winners": True,
    "qia_value": 1,
    "qia_winning_triplet": True,
    "ba_scope": "each_suit",
    "ba_honours": False,
    "bonus_doubled_by_reveal": False,
}


def preset(values: dict | None = None, **switches) -> dict:
    return {**BASE, **switches, "values": {**VALUES, **(values or {})}}


LEYOU_VALUES = {
    "double_dragon_seven_pairs": 32,
    "triple_dragon_seven_pairs": 128,
    "three_dragons_seven_pairs": 32,
    "big_three_dragons": None,
    "little_three_dragons": None,
    "last_tile_draw": None,
}
LEYOU = {
    "four_scope": "winning_tile",
    "reveal_doubles_payer": True,
    "reveal_discard_liability": "single",
}
CITY_CAP = {"cap": 8, "cap_exceptions": {"double_dragon_seven_pairs": 16}}

PRESETS = {
    "kwx_base": preset(),
    "kwx_suizhou": preset(**CITY_CAP),
    "kwx_xiangyang": preset(**CITY_CAP),
    "kwx_zaoyang": preset(**CITY_CAP),
    "kwx_shiyan": preset(cap=8),
    "kwx_yunmeng": preset({"last_tile_draw": None, "last_tile_discard": 2}, **LEYOU),
    "kwx_baohu": preset(
        {"last_tile_discard": 2},
        four_scope="winning_tile",
        draw_penalty="each_revealer_to_unrevealed",
        min_fan_discard=1,
    ),
    "kwx_xiangfan": preset(
        {"concealed_four": 2, "single_tile_hand": 2, "last_tile_draw": None},
        single_tile_includes_all_pungs=False,
        four_scope="winning_tile_or_big_hand",
        min_fan_discard=1,
    ),
    "kwx_leyou": preset(LEYOU_VALUES, **LEYOU, min_fan_discard=1),
    "kwx_qiabazhang": preset(
        {**LEYOU_VALUES, "triplet_bonus": 1, "self_draw_bonus": 1, "eight_tiles_bonus": 1},
        **LEYOU,
        min_fan_self_draw=2,
    ),
    "kwx_xiaogan": preset(
        {"triplet_count": 1},
        cap=8,
        cap_exceptions={"pure_suit+concealed_four": 16},
        cap_includes_reveal=False,
        min_fan_self_draw=2,
    ),
    "kwx_four_players": preset(suits=["m", "p", "s"]),
}


def answer(case: dict) -> dict:
    options = options_of(case, PRESETS[case["variant"]])
    if case["kind"] == "kong":
        return kongs(case, options)
    if case["kind"] == "draw":
        return draw(case, options)
    wins = wins_of(case)
    printed = ("elements", "multiplier")
    if case["kind"] == "win":
        score = best(case, wins[0], options)
        return {key: score[key] for key in (*printed, "payments")}
    scores = [refused(best, case, win, options) for win in wins]
    return together(case, wins, scores, printed, only_nearest=not options["multiple_winners"])


def kongs(case: dict, options: dict) -> dict:
    """Each kong is paid at once; in an unbroken chain each costs twice the one before."""
    players, unit = range(case["players"]), options["unit"]
    steps = []
    in_chain = 0
    for kong in case["kongs"]:
        in_chain = in_chain + 1 if kong.get("chained") else 1
        factor = 2 ** (in_chain - 1)
        if options["kong_chain_cap"] is not None:
            factor = min(factor, options["kong_chain_cap"])
        row = [0] * case["players"]
        if kong["kind"] == "kong_exposed":
            pay(row, kong["from"], kong["seat"], 2 * unit * factor)
        else:
            each = 1 if kong["kind"] == "kong_added" else 2
            for seat in players:
                pay(row, seat, kong["seat"], each * unit * factor)
        steps.append(row)
    return {"steps": steps, "payments": add_up(steps)}


def draw(case: dict, options: dict) -> dict:
    """Nobody won: who had laid the hand open pays a unit."""
    revealed = case.get("circumstances", {}).get("revealed", [])
    payments = [0] * case["players"]
    payers = revealed[:1] if options["draw_penalty"] == "first_revealer" else revealed
    for payer in payers:
        for seat in range(case["players"]):
            spared = options["draw_penalty"] == "each_revealer_to_unrevealed" and seat in revealed
            if seat != payer and not spared:
                pay(payments, payer, seat, options["unit"])
    return {"payments": payments}


def best(case: dict, win: dict, options: dict) -> dict:
    check(case, win, options)
    tiles = in_order([*win["concealed"], win["winning_tile"]])
    candidates = [{"standard": reading} for reading in readings(tiles, win["winning_tile"])]
    if is_seven_pairs(tiles):
        candidates.append({"standard": None})
    if not candidates:
        raise NotAWin("the tiles are neither four sets and a pair nor seven pairs")
    priced = [price(case, win, options, candidate["standard"]) for candidate in candidates]
    legal = [score for score in priced if score["reaches_minimum"]]
    if not legal:
        raise NotAWin("the hand is below the minimum of this table")
    return min(
        legal,
        key=lambda score: (
            -score["payments"][win["winner"]],
            -score["product"],
            not score["is_seven_pairs"],
            -score["triplets"],
            score["elements"],
        ),
    )


def check(case: dict, win: dict, options: dict) -> None:
    game = [f"{rank}{suit}" for suit in options["suits"] for rank in range(1, 10)] + DRAGONS
    check_hand(win, game, chows_allowed=False)
    check_payer(case, win)
    robbed = win["circumstances"].get("robbed_kong", "added")
    if win["win_by"] == "rob_kong":
        if robbed == "concealed" and not options["rob_concealed_kong"]:
            raise NotAWin("a concealed kong cannot be robbed")
        if robbed == "chained" and not options["rob_chain_kong"]:
            raise NotAWin("a kong on a kong cannot be robbed")
    if win["win_by"] != "self_draw" and options["revealed_self_draw_only"] and is_revealed(win, win["winner"]):
        raise NotAWin("a revealed hand wins by self-draw only")


def is_revealed(win: dict, seat: int) -> bool:
    return seat in win["circumstances"].get("revealed", [])


def all_tiles(win: dict) -> list[str]:
    return [*win["concealed"], win["winning_tile"], *(tile for meld in win["melds"] for tile in meld["tiles"])]


# What a reading is worth -------------------------------------------------------------------------------------------


def price(case: dict, win: dict, options: dict, reading: dict | None) -> dict:
    """One reading (None: seven pairs) with its elements, factors and payments."""
    values = options["values"]
    factors = pairs_elements(win, options) if reading is None else set_elements(win, options, reading)
    factors += circumstance_elements(win, options)
    factors = [(name, value) for name, value in factors if value is not None]
    numbers = [value for _, value in factors]
    product = 1
    if numbers:
        product = prod(numbers) if options["combine"] == "multiply" else sum(numbers)
    names = [name for name, _ in factors] or ["chicken_hand"]
    if is_revealed(win, win["winner"]) and values["revealed_hand"] is not None:
        names.append("revealed_hand")
    extras = bonuses(win, options, reading)
    money = shares(case, win, options, product, names, sum(extras.values()))
    return {
        "elements": sorted([*names, *(f"{name}:{amount}" for name, amount in extras.items())]),
        "product": product,
        "is_seven_pairs": reading is None,
        "triplets": 0 if reading is None else sum(group == "pung" for group, _ in every_set(win, reading)),
        **money,
    }


def every_set(win: dict, reading: dict) -> list:
    return [*reading["sets"], *(meld_set(meld) for meld in win["melds"])]


def is_pure(win: dict) -> bool:
    tiles = all_tiles(win)
    return all(is_suited(tile) for tile in tiles) and len({tile[1] for tile in tiles}) == 1


def pairs_elements(win: dict, options: dict) -> list:
    values = options["values"]
    copies = Counter(all_tiles(win))
    quads = sum(count == 4 for count in copies.values())
    if options["dragon_pairs_needs_winning_fourth"] and copies[win["winning_tile"]] != 4:
        quads = 0
    if quads == 3 and values["triple_dragon_seven_pairs"] is None:
        quads = 2
    family = ["seven_pairs", "dragon_seven_pairs", "double_dragon_seven_pairs", "triple_dragon_seven_pairs"][quads]
    found = [(family, values[family])]
    three = ("three_dragons_seven_pairs", values["three_dragons_seven_pairs"])
    if three[1] is not None and all(copies[dragon] >= 2 for dragon in DRAGONS):
        if quads and options["three_dragons_pairs_stack"]:
            found.append(three)
        elif three[1] >= values[family] or not quads:
            found = [three]
    if is_pure(win):
        found.append(("pure_suit", values["pure_suit"]))
    return found


def set_elements(win: dict, options: dict, reading: dict) -> list:
    values = options["values"]
    sets = every_set(win, reading)
    names = []
    if len(win["melds"]) == 4 and values["single_tile_hand"] is not None:
        names.append("single_tile_hand")
    contained = "single_tile_hand" in names and options["single_tile_includes_all_pungs"]
    if all(group == "pung" for group, _ in sets) and not contained:
        names.append("all_pungs")
    if is_pure(win):
        names.append("pure_suit")
    dragon_pungs = sum(tile in DRAGONS for group, tile in sets if group == "pung")
    if dragon_pungs == 3:
        names.append("big_three_dragons")
    if dragon_pungs == 2 and reading["pair"] in DRAGONS:
        names.append("little_three_dragons")
    if is_middle_five(win, options, reading):
        names.append("middle_five")
    found = [(name, values[name]) for name in names]
    return found + fours(win, options, [name for name, value in found if value is not None])


def is_middle_five(win: dict, options: dict, reading: dict) -> bool:
    tile = win["winning_tile"]
    if not is_suited(tile) or tile[0] != "5" or reading["won"] != ("chow", f"4{tile[1]}"):
        return False
    return options["middle_five_wait"] == "any" or waits(win, options) == [tile]


def waits(win: dict, options: dict) -> list[str]:
    """Every tile that completes the thirteen, but for those the player holds four times already."""
    held = Counter(all_tiles(win))
    held[win["winning_tile"]] -= 1
    game = [f"{rank}{suit}" for suit in options["suits"] for rank in range(1, 10)] + DRAGONS
    return [tile for tile in game if held[tile] < 4 and can_be_complete(in_order([*win["concealed"], tile]))]


def fours(win: dict, options: dict, names: list[str]) -> list:
    """Four of a kind that was not konged: first the winning tile's, then the others if the scope is open."""
    values = options["values"]
    found = []
    tile = win["winning_tile"]
    own_draw = win["win_by"] == "self_draw"
    kind = kind_of_four(win, tile)
    if kind and (own_draw or options[f"{kind}_by_discard"]):
        found.append((kind, values[kind]))
    if options["four_scope"] == "winning_tile":
        is_open = False
    elif options["four_scope"] == "winning_tile_or_pure_suit":
        is_open = is_pure(win)
    elif options["four_scope"] == "winning_tile_or_big_hand":
        big = ("all_pungs", "pure_suit", "big_three_dragons", "little_three_dragons", "single_tile_hand")
        is_open = any(name in names for name in big)
    else:
        is_open = True
    for other in sorted(set(all_tiles(win)) - {tile}):
        kind = kind_of_four(win, other)
        if kind and is_open:
            value = values[kind] if options["extra_quad_value"] == "own" else values["open_four"]
            found.append((kind, value))
    return found


def kind_of_four(win: dict, tile: str) -> str | None:
    """Is this tile held four times without a kong, and was a pung of it claimed?"""
    in_hand = [*win["concealed"], win["winning_tile"]].count(tile)
    pung = any(meld["kind"] == "pung" and meld["tiles"][0] == tile for meld in win["melds"])
    if pung and in_hand == 1:
        return "open_four"
    return "concealed_four" if in_hand == 4 else None


def circumstance_elements(win: dict, options: dict) -> list:
    values = options["values"]
    said = win["circumstances"]
    found = []
    if win["win_by"] == "self_draw":
        if said.get("kong_bloom") and values["kong_bloom"] is not None:
            in_a_row = said.get("kong_chain", 1) if options["kong_bloom_chain_doubles"] else 1
            found.append(("kong_bloom", values["kong_bloom"] ** in_a_row))
        if said.get("last_tile_draw"):
            found.append(("last_tile_draw", values["last_tile_draw"]))
    if win["win_by"] == "discard":
        if said.get("kong_discard"):
            found.append(("kong_discard", values["kong_discard"]))
        if said.get("last_tile_discard"):
            found.append(("last_tile_discard", values["last_tile_discard"]))
    if win["win_by"] == "rob_kong":
        found.append(("rob_kong", values["rob_kong"]))
    return found


def bonuses(win: dict, options: dict, reading: dict | None) -> dict[str, int]:
    values = options["values"]
    triplets = 0
    if reading is not None:
        triplets = sum(group == "pung" for group, _ in reading["sets"])
        if reading["won"][0] == "pung" and not options["qia_winning_triplet"]:
            triplets -= 1
        triplets += sum(meld["kind"] in KONGS for meld in win["melds"])
    found = {}
    if values["triplet_bonus"] is not None:
        found["triplet_bonus"] = triplets * options["qia_value"]
    if values["triplet_count"] is not None:
        found["triplet_count"] = triplets
    if values["self_draw_bonus"] is not None and win["win_by"] == "self_draw":
        found["self_draw_bonus"] = 1
    if values["eight_tiles_bonus"] is not None:
        colours = Counter(tile[1] if is_suited(tile) else "dragons" for tile in all_tiles(win))
        if not options["ba_honours"]:
            del colours["dragons"]
        over = [count - 7 for count in colours.values() if count >= 8]
        found["eight_tiles_bonus"] = sum(over) if options["ba_scope"] == "each_suit" else max(over, default=0)
    return {name: amount for name, amount in found.items() if amount}


# Who pays it ---------------------------------------------------------------------------------------------------------


def reveal_factor(win: dict, options: dict, payer: int, own_counts: bool = True) -> int:
    own = is_revealed(win, win["winner"]) and own_counts
    other = is_revealed(win, payer)
    if own and other and options["double_reveal_stacks"]:
        return 4
    return 2 if own or (other and options["reveal_doubles_payer"]) else 1


def cap_of(options: dict, names: list[str]) -> int | None:
    if options["cap"] is None:
        return None
    caps = [options["cap"]]
    for combination, higher in options["cap_exceptions"].items():
        if all(name in names for name in combination.split("+")):
            caps.append(higher)
    return max(caps)


def at_most(amount: int, limit: int | None) -> int:
    return amount if limit is None else min(amount, limit)


def shares(case: dict, win: dict, options: dict, product: int, names: list[str], bonus: int) -> dict:
    """The multiplier of every share, who pays it, and whether the hand reaches the table's minimum."""
    winner, unit = win["winner"], options["unit"]
    others = [seat for seat in range(case["players"]) if seat != winner]
    cap = cap_of(options, names)
    limit = (options["money_cap"] or {}).get(str(unit))

    def multiplier(seat: int, own_counts: bool = True) -> int:
        factor = reveal_factor(win, options, seat, own_counts)
        if options["cap_includes_reveal"]:
            return at_most(product * factor, cap)
        return at_most(product, cap) * factor

    if win["win_by"] == "self_draw":
        payer_of = {seat: seat for seat in others}
        reaches = all(multiplier(seat) >= options["min_fan_self_draw"] for seat in others)
    else:
        discarder = win["circumstances"]["discarder"]
        for_all = is_liable(win, options, discarder)
        payer_of = {seat: discarder for seat in others if for_all or seat == discarder}
        reaches = multiplier(discarder, options["min_fan_counts_own_reveal"]) >= options["min_fan_discard"]

    payments = [0] * case["players"]
    for payer in sorted(set(payer_of.values())):
        theirs = [seat for seat in payer_of if payer_of[seat] == payer]
        multipliers = [multiplier(seat) for seat in theirs]
        extras = [
            bonus * (reveal_factor(win, options, seat) if options["bonus_doubled_by_reveal"] else 1) for seat in theirs
        ]
        if options["cap_per"] == "total":
            # Where reveals lie outside the cap (row 12) they lie outside that of the total too.
            outside = 1
            if not options["cap_includes_reveal"]:
                outside = max(reveal_factor(win, options, seat) for seat in theirs)
            total = at_most(sum(multipliers), cap and cap * outside)
            amount = at_most(unit * (total + sum(extras)), limit)
        else:
            amount = sum(at_most(unit * (m + extra), limit) for m, extra in zip(multipliers, extras, strict=True))
        pay(payments, payer, winner, amount)
    printed = [multiplier(seat) for seat in sorted(payer_of)]
    return {
        "multiplier": printed[0] if len(set(printed)) == 1 else printed,
        "payments": payments,
        "reaches_minimum": reaches,
    }


def is_liable(win: dict, options: dict, discarder: int) -> bool:
    """Does the discarder pay a revealed winner everybody's share?"""
    if options["reveal_discard_liability"] != "all_shares" or not is_revealed(win, win["winner"]):
        return False
    if win["win_by"] == "rob_kong" and not options["liability_on_rob"]:
        return False
    return not (options["liability_exempts_revealed_discarder"] and is_revealed(win, discarder))
