"""Random cases for the two scorers, drawn towards the corners of the rules.

Whole hands are built set by set (so most of them win), in styles that the rules have something to say about: one suit,
four of a kind left in the hand, seven pairs, dragons, only pungs. Then the circumstances are drawn, consistent with
the hand: a kong bloom needs a kong, a robbed tile is held by nobody else. A share of the cases is spoiled on purpose.
"""

import random
from collections import Counter
from collections.abc import Callable

DRAGONS = ["C", "F", "P"]
WINDS = ["E", "S", "W", "N"]
FLOWERS = [f"{number}f" for number in range(1, 9)]
SYSTEMS = ("ka_wu_xing", "shandong", "zhuji_bao")
KWX_PRESETS = (
    "kwx_base",
    "kwx_suizhou",
    "kwx_xiangyang",
    "kwx_zaoyang",
    "kwx_shiyan",
    "kwx_yunmeng",
    "kwx_baohu",
    "kwx_xiangfan",
    "kwx_leyou",
    "kwx_qiabazhang",
    "kwx_xiaogan",
    "kwx_four_players",
)

KWX_SWITCHES = {
    "unit": [1, 2, 5, 20, 40],
    "cap": [None, 8, 16, 32],
    "cap_exceptions": [{}, {"double_dragon_seven_pairs": 16}, {"pure_suit+concealed_four": 16}],
    "cap_includes_reveal": [True, False],
    "cap_per": ["share", "total"],
    "combine": ["multiply", "add"],
    "min_fan_discard": [1, 2, 4],
    "min_fan_self_draw": [1, 2],
    "min_fan_counts_own_reveal": [True, False],
    "single_tile_includes_all_pungs": [True, False],
    "concealed_four_by_discard": [True, False],
    "open_four_by_discard": [True, False],
    "four_scope": ["winning_tile", "winning_tile_or_pure_suit", "winning_tile_or_big_hand", "full"],
    "extra_quad_value": ["own", "open_four_value"],
    "middle_five_wait": ["any", "only_wait"],
    "reveal_discard_liability": ["all_shares", "single"],
    "liability_exempts_revealed_discarder": [True, False],
    "liability_on_rob": [True, False],
    "reveal_doubles_payer": [True, False],
    "double_reveal_stacks": [True, False],
    "revealed_self_draw_only": [True, False],
    "draw_penalty": ["first_revealer", "each_revealer_to_unrevealed", "every_revealer"],
    "rob_chain_kong": [True, False],
    "rob_concealed_kong": [True, False],
    "kong_bloom_chain_doubles": [True, False],
    "kong_chain_cap": [None, 2, 4, 8],
    "dragon_pairs_needs_winning_fourth": [True, False],
    "three_dragons_pairs_stack": [True, False],
    "money_cap": [{}, {"2": 16, "5": 40, "10": 80, "20": 160, "40": 200}],
    "multiple_winners": [True, False],
    "qia_value": [1, 2],
    "qia_winning_triplet": [True, False],
    "ba_scope": ["each_suit", "max_suit"],
    "ba_honours": [True, False],
    "bonus_doubled_by_reveal": [True, False],
    "values": [
        {"concealed_four": 2},
        {"single_tile_hand": 2},
        {"double_dragon_seven_pairs": 32},
        {"triple_dragon_seven_pairs": 64},
        {"three_dragons_seven_pairs": 8},
        {"three_dragons_seven_pairs": 32},
        {"big_three_dragons": None, "little_three_dragons": None},
        {"last_tile_draw": 2, "last_tile_discard": 2},
        {"open_four": None},
        {"middle_five": None},
        {"all_pungs": 4},
    ],
}

SD_SWITCHES = {
    "draw_bonus_op": ["add", "multiply"],
    "draw_bonus_curve": ["doubling", "linear"],
    "base_fan_always": [True, False],
    "share_is": ["per_payer", "total"],
    "concealed_honour_triplet_flower": [True, False],
    "rob_pays_all": [True, False],
    "open_ready_wins_by_rob": [True, False],
    "open_ready_doubles_self_draw_loss": [True, False],
    "all_258_free_shape": [True, False],
    "earthly_self_draw_only": [True, False],
    "seven_pairs_need_258": [True, False],
    "escape_recipients": ["none", "others"],
}

ZJ_SWITCHES = {
    "pinghu_any_hand": [True, False],
    "dragon_pung_max": [1],
    "no_wild_needs_wild_in_play": [True, False],
    "failure_receiver": ["winner", "each_opponent"],
    "discard_model": ["two_part", "discarder_only", "contractor_covers", "ext_both"],
    "draw_payer": ["contractor", "dealer"],
    "wild_chow": [True, False],
    "tai": [{"mixed_suit": 2}, {"all_honours": 10}, {"east_pung": 1}],
}


def random_case(system: str, rng: random.Random, preset: str | None = None) -> dict:
    """One case in the form of ``rules/examples.json``, without ``expected``.

    ``preset`` fixes the rule set of Ka Wu Xing; the other systems have one each. Around one case in nine is not a
    plain win (several winners, kongs, a draw, an escape); around one win in eight is spoiled.
    """
    make = {"ka_wu_xing": ka_wu_xing_case, "shandong": shandong_case, "zhuji_bao": zhuji_case}[system]
    return make(rng, preset)


def chance(rng: random.Random, share: float) -> bool:
    return rng.random() < share


def switched(rng: random.Random, switches: dict) -> dict:
    """No override half of the time, else one to four."""
    if chance(rng, 0.5):
        return {}
    names = rng.sample(sorted(switches), rng.randint(1, 4))
    return {name: rng.choice(switches[name]) for name in names}


# Hands --------------------------------------------------------------------------------------------------------------


def build_hand(rng: random.Random, style: dict) -> tuple[list[list[str]], list[str]] | None:
    """Four sets and a pair out of at most four copies each, or None when the draw did not fit.

    ``style``: ``suits`` and ``honours`` to choose from, ``chows`` (the share of chows), ``narrow`` (ranks close to each
    other, so that sets share tiles), ``eyes`` (tiles allowed as the pair).
    """
    lowest = rng.randint(1, 5) if style["narrow"] else 1
    ranks = range(lowest, min(9, lowest + 4) + 1) if style["narrow"] else range(1, 10)
    suited = [f"{rank}{suit}" for suit in style["suits"] for rank in ranks]
    used: Counter[str] = Counter()
    sets = []
    for _ in range(4):
        for _ in range(20):
            if suited and chance(rng, style["chows"]):
                start = rng.choice(suited)
                if int(start[0]) > 7:
                    continue
                tiles = [f"{int(start[0]) + step}{start[1]}" for step in range(3)]
            else:
                tiles = [rng.choice([*suited, *style["honours"] * style["honour_weight"]])] * 3
            if all(used[tile] + count <= 4 for tile, count in Counter(tiles).items()):
                break
        else:
            return None
        used.update(tiles)
        sets.append(tiles)
    eyes = [tile for tile in style["eyes"] or [*suited, *style["honours"]] if used[tile] <= 2]
    if not eyes:
        return None
    return sets, [rng.choice(eyes)] * 2


def random_style(rng: random.Random, suits: list[str], honours: list[str]) -> dict:
    pure = chance(rng, 0.45)
    return {
        "suits": [rng.choice(suits)] if pure else suits,
        "honours": [] if pure and chance(rng, 0.7) else honours,
        "honour_weight": rng.choice([0, 1, 1, 4]),
        "chows": rng.choice([0.0, 0.5, 0.8, 0.8, 1.0]),
        "narrow": chance(rng, 0.5),
        "eyes": None,
    }


def seven_pairs(rng: random.Random, suits: list[str], honours: list[str]) -> list[str]:
    if chance(rng, 0.4):
        suits, honours = [rng.choice(suits)], honours if chance(rng, 0.3) else []
    pool = [f"{rank}{suit}" for suit in suits for rank in range(1, 10)] + honours
    quads = rng.choice([0, 0, 1, 1, 2, 3])
    kinds = rng.sample(pool, 7 - quads)
    if honours and chance(rng, 0.25) and len(kinds) >= 3:
        others = [tile for tile in pool if tile not in DRAGONS]
        kinds = DRAGONS + rng.sample(others, 4 - quads)
        rng.shuffle(kinds)
    return [tile for place, tile in enumerate(kinds) for _ in range(4 if place < quads else 2)]


def random_win(rng: random.Random, style: dict, winner: int, players: int, claims_chows: bool) -> dict | None:
    """A whole hand as ``concealed``, ``melds`` and ``winning_tile``; any concealed tile may have come last."""
    built = build_hand(rng, style)
    if built is None:
        return None
    sets, pair = built
    rng.shuffle(sets)
    wanted = rng.choice([0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 4])
    others = [seat for seat in range(players) if seat != winner]
    feeder = rng.choice(others) if chance(rng, 0.3) else None
    used = Counter(tile for tiles in [*sets, pair] for tile in tiles)
    melds = []
    concealed = list(pair)
    for tiles in sets:
        is_chow = tiles[0] != tiles[1]
        if len(melds) >= wanted or (is_chow and not claims_chows):
            concealed += tiles
            continue
        giver = feeder if feeder is not None else rng.choice(others)
        if is_chow:
            melds.append({"kind": "chow", "tiles": list(tiles), "from": (winner - 1) % players})
        elif used[tiles[0]] == 3 and chance(rng, 0.4):
            kind = rng.choice(["kong_exposed", "kong_added", "kong_concealed"])
            used[tiles[0]] += 1
            melds.append({"kind": kind, "tiles": [*tiles, tiles[0]], "from": None if "conc" in kind else giver})
        else:
            melds.append({"kind": "pung", "tiles": list(tiles), "from": giver})
    return take_winning_tile(rng, concealed, melds)


def take_winning_tile(rng: random.Random, concealed: list[str], melds: list[dict]) -> dict:
    rng.shuffle(concealed)
    # A five, or a tile that is there four times, is what the rules have most to say about.
    everything = Counter([*concealed, *(tile for meld in melds if meld["kind"] == "pung" for tile in meld["tiles"])])
    telling = [tile for tile in concealed if tile[0] == "5" or everything[tile] == 4]
    last = rng.choice(telling if telling and chance(rng, 0.5) else concealed)
    concealed.remove(last)
    return {"concealed": concealed, "melds": melds, "winning_tile": last}


def held(win: dict) -> Counter[str]:
    return Counter([*win["concealed"], win["winning_tile"], *(t for meld in win["melds"] for t in meld["tiles"])])


def has_kong(win: dict) -> bool:
    return any(meld["kind"].startswith("kong") for meld in win["melds"])


def how_won(rng: random.Random, win: dict, winner: int, players: int) -> tuple[str, dict]:
    """``win_by`` and who gave the tile; a robbed tile lies in nobody else's hand, so not in the winner's either."""
    others = [seat for seat in range(players) if seat != winner]
    ways = ["self_draw", "self_draw", "discard", "discard"]
    if held(win)[win["winning_tile"]] == 1:
        ways += ["rob_kong"]
    way = rng.choice(ways)
    return way, {} if way == "self_draw" else {"discarder": rng.choice(others)}


def spoiled(rng: random.Random, win: dict, tiles: list[str]) -> None:
    """Change the hand so that it wins no longer, or could not lie on the table."""
    way = rng.randrange(5)
    if way == 0:
        win["winning_tile"] = rng.choice(tiles)
    elif way == 1:
        win["concealed"][rng.randrange(len(win["concealed"]))] = rng.choice(tiles)
    elif way == 2:
        win["concealed"].append(rng.choice(tiles))
    elif way == 3:
        win["concealed"][:] = rng.choices(tiles, k=len(win["concealed"]))
    elif win["melds"]:
        meld = rng.choice(win["melds"])
        meld["tiles"][-1] = rng.choice(tiles)
        meld.pop("as", None)


def tiles_of_game(suits: list[str], honours: list[str]) -> list[str]:
    return [f"{rank}{suit}" for suit in suits for rank in range(1, 10)] + honours


# Ka Wu Xing ---------------------------------------------------------------------------------------------------------


def ka_wu_xing_case(rng: random.Random, preset: str | None) -> dict:
    variant = preset or rng.choice(KWX_PRESETS)
    players = 4 if variant == "kwx_four_players" else 3
    case = {
        "id": f"random-{rng.randrange(10**9)}",
        "ruleset": "ka_wu_xing",
        "variant": variant,
        "kind": "win",
        "options": switched(rng, KWX_SWITCHES),
        "players": players,
    }
    revealed = rng.sample(range(players), rng.choice([0, 0, 0, 1, 1, 2, players]))
    kind = rng.random()
    if kind < 0.04:
        return {**case, "kind": "draw", "circumstances": {"revealed": revealed}}
    if kind < 0.08:
        return {**case, "kind": "kong", "kongs": random_kongs(rng, players)}
    if kind < 0.14:
        return {**case, "kind": "multi_win", "wins": kwx_winners(rng, case, revealed)}
    suits = ["m", "p", "s"] if players == 4 else ["p", "s"]
    if players == 3 and chance(rng, 0.03):
        suits = ["m", "s"]
        case["options"]["suits"] = suits
    winner = rng.randrange(players)
    win = kwx_hand(rng, suits, winner, players)
    if chance(rng, 0.08):
        spoiled(rng, win, tiles_of_game(["m", "p", "s"], DRAGONS))
    win_by, said = how_won(rng, win, winner, players)
    return {
        **case,
        **win,
        "win_by": win_by,
        "winner": winner,
        "circumstances": kwx_said(rng, win, win_by, said, revealed),
    }


def kwx_hand(rng: random.Random, suits: list[str], winner: int, players: int) -> dict:
    if chance(rng, 0.25):
        return take_winning_tile(rng, seven_pairs(rng, suits, DRAGONS), [])
    while True:
        style = random_style(rng, suits, DRAGONS)
        if chance(rng, 0.15):
            style = {**style, "honours": DRAGONS, "honour_weight": 12, "chows": rng.choice([0.0, 0.4])}
        win = random_win(rng, style, winner, players, claims_chows=chance(rng, 0.02))
        if win is not None:
            return win


def kwx_said(rng: random.Random, win: dict, win_by: str, said: dict, revealed: list[int]) -> dict:
    if revealed:
        said["revealed"] = revealed
    if win_by == "self_draw":
        if has_kong(win) and chance(rng, 0.5):
            said["kong_bloom"] = True
            kongs = sum(meld["kind"].startswith("kong") for meld in win["melds"])
            if chance(rng, 0.5):
                said["kong_chain"] = rng.randint(1, kongs)
        if chance(rng, 0.1):
            said["last_tile_draw"] = True
    elif win_by == "discard":
        if chance(rng, 0.15):
            said["kong_discard"] = True
            if chance(rng, 0.5):
                said["kong_chain"] = rng.randint(1, 3)
        if chance(rng, 0.1):
            said["last_tile_discard"] = True
    elif chance(rng, 0.4):
        said["robbed_kong"] = rng.choice(["added", "concealed", "chained"])
    return said


def kwx_winners(rng: random.Random, case: dict, revealed: list[int]) -> list[dict]:
    players = case["players"]
    suits = ["m", "p", "s"] if players == 4 else ["p", "s"]
    discarder, wins = sharing_a_discard(rng, players, lambda seat: kwx_hand(rng, suits, seat, players))
    said: dict = {"discarder": discarder}
    if revealed:
        said["revealed"] = revealed
    if chance(rng, 0.2):
        said["kong_discard"] = True
    return [{**win, "win_by": "discard", "circumstances": said} for win in wins]


def sharing_a_discard(rng: random.Random, players: int, hand: Callable[[int], dict]) -> tuple[int, list[dict]]:
    """Two or three hands of one table that wait on the same tile: the discarder, and the hands with their seats."""
    seats = rng.sample(range(players), players)
    discarder, *others = seats
    wins = [{"winner": others[0], **hand(others[0])}]
    for seat in others[1 : rng.choice([2, 2, 3])]:
        for _ in range(400):
            win = {"winner": seat, **hand(seat)}
            if win["winning_tile"] == wins[0]["winning_tile"] and fits_together([*wins, win]):
                wins.append(win)
                break
    return discarder, wins


def fits_together(wins: list[dict]) -> bool:
    """The hands of one table hold no tile five times (the discard they share counts once)."""
    total = sum((held(win) for win in wins), Counter())
    total[wins[0]["winning_tile"]] -= len(wins) - 1
    return max(total.values()) <= 4


def random_kongs(rng: random.Random, players: int) -> list[dict]:
    kongs = []
    for place in range(rng.randint(1, 4)):
        seat, giver = rng.sample(range(players), 2)
        kind = rng.choice(["kong_exposed", "kong_added", "kong_concealed"])
        kong: dict = {"seat": seat, "kind": kind}
        if kind == "kong_exposed":
            kong["from"] = giver
        if place and chance(rng, 0.6):
            kong["chained"] = True
        kongs.append(kong)
    return kongs


# Shandong -----------------------------------------------------------------------------------------------------------


def shandong_case(rng: random.Random, _preset: str | None) -> dict:
    case = {
        "id": f"random-{rng.randrange(10**9)}",
        "ruleset": "shandong",
        "variant": "shandong",
        "kind": "win",
        "options": switched(rng, SD_SWITCHES),
        "players": 4,
    }
    kind = rng.random()
    if kind < 0.02:
        return {**case, "kind": "draw", "circumstances": {}}
    if kind < 0.06:
        win = shandong_hand(rng, 0)
        return {
            **case,
            "kind": "escape",
            "circumstances": {"escapee": rng.randrange(4)},
            "flowers": random_flowers(rng),
            "melds": win["melds"],
            "concealed": [],
        }
    if kind < 0.11:
        return {**case, "kind": "multi_win", "wins": shandong_winners(rng)}
    winner = rng.randrange(4)
    win = shandong_hand(rng, winner)
    if chance(rng, 0.03):  # no shape, but every tile a 2, 5 or 8
        tiles = rng.sample([tile for tile in tiles_of_game(["m", "p", "s"], []) if tile[0] in "258"] * 4, 14)
        win = take_winning_tile(rng, tiles, [])
        case["options"]["all_258_free_shape"] = True
    if chance(rng, 0.08):
        spoiled(rng, win, tiles_of_game(["m", "p", "s"], WINDS + DRAGONS))
    win_by, said = how_won(rng, win, winner, 4)
    flowers = random_flowers(rng)
    said = shandong_said(rng, win, win_by, said, flowers, winner)
    return {**case, **win, "win_by": win_by, "winner": winner, "flowers": flowers, "circumstances": said}


def random_flowers(rng: random.Random) -> list[str]:
    return sorted(rng.sample(FLOWERS, rng.choice([0, 0, 1, 2, 3, 8])))


def shandong_hand(rng: random.Random, winner: int) -> dict:
    honours = WINDS + DRAGONS
    if chance(rng, 0.15):
        return take_winning_tile(rng, seven_pairs(rng, ["m", "p", "s"], honours), [])
    while True:
        style = random_style(rng, ["m", "p", "s"], honours)
        if not chance(rng, 0.05):
            style["eyes"] = [f"{rank}{suit}" for suit in style["suits"] for rank in (2, 5, 8)]
        win = random_win(rng, style, winner, 4, claims_chows=True)
        if chance(rng, 0.2):
            win = straight_or_258(rng, winner)
        if win is not None:
            return win


def straight_or_258(rng: random.Random, winner: int) -> dict | None:
    """A hand around 123 456 789, or one of 2, 5 and 8 alone."""
    suits = ["m", "p", "s"]
    if chance(rng, 0.5):
        suit = rng.choice(suits)
        sets = [[f"{start + step}{suit}" for step in range(3)] for start in (1, 4, 7)]
        sets.append([rng.choice(["E", "C", f"9{suit}", f"2{rng.choice(suits)}"])] * 3)
        pair = [f"{rng.choice('258')}{rng.choice(suits)}"] * 2
    else:
        kinds = rng.sample([tile for tile in tiles_of_game(suits, []) if tile[0] in "258"], 7)
        if chance(rng, 0.5):
            return take_winning_tile(rng, kinds * 2, [])
        sets, pair = [[kind] * 3 for kind in kinds[:4]], [kinds[4]] * 2
    used = Counter(tile for tiles in [*sets, pair] for tile in tiles)
    if max(used.values()) > 4:
        return None
    melds, concealed = [], list(pair)
    for tiles in sets:
        if not chance(rng, 0.3):
            concealed += tiles
        elif tiles[0] == tiles[1]:
            melds.append({"kind": "pung", "tiles": tiles, "from": (winner + rng.randint(1, 3)) % 4})
        else:
            melds.append({"kind": "chow", "tiles": tiles, "from": (winner + 3) % 4})
    return take_winning_tile(rng, concealed, melds)


def shandong_said(rng: random.Random, win: dict, win_by: str, said: dict, flowers: list[str], winner: int) -> dict:
    if win_by == "self_draw" and (has_kong(win) or flowers) and chance(rng, 0.3):
        said["kong_bloom"] = True
        givers = [meld["from"] for meld in win["melds"] if meld["kind"] == "kong_exposed"]
        if givers and chance(rng, 0.7):
            said["kong_fed_by"] = rng.choice(givers)
    if not win["melds"] and chance(rng, 0.1):
        if win_by == "self_draw" and chance(rng, 0.5):
            said["heavenly_hand"] = True
        elif win_by != "rob_kong":
            said["earthly_hand"] = True
    feeders = Counter(meld["from"] for meld in win["melds"] if meld["from"] is not None)
    for seat, claims in feeders.items():
        if claims >= 3:
            said["three_claim_feeder"] = seat
    others = [seat for seat in range(4) if seat != winner]
    if chance(rng, 0.3):
        said["open_ready_payers"] = sorted(rng.sample(others, rng.randint(1, 3)))
    if chance(rng, 0.25 if win_by == "self_draw" else 0.08):
        said["open_ready_winner"] = True
    if chance(rng, 0.25):
        said["previous_draws"] = rng.randint(1, 7)
    return said


def shandong_winners(rng: random.Random) -> list[dict]:
    discarder, hands = sharing_a_discard(rng, 4, lambda seat: shandong_hand(rng, seat))
    alone = all(held(win)[win["winning_tile"]] == 1 for win in hands)
    win_by = "rob_kong" if alone and chance(rng, 0.5) else "discard"
    draws = rng.randint(1, 6) if chance(rng, 0.2) else 0
    flowers = rng.sample(FLOWERS, 8)
    wins = []
    for win in hands:
        own = sorted(flowers.pop() for _ in range(rng.randint(0, 2)))
        said: dict = {"discarder": discarder}
        feeders = Counter(meld["from"] for meld in win["melds"] if meld["from"] is not None)
        for feeder, claims in feeders.items():
            if claims >= 3:
                said["three_claim_feeder"] = feeder
        if draws:
            said["previous_draws"] = draws
        wins.append({**win, "win_by": win_by, "flowers": own, "circumstances": said})
    return wins


# Zhuji Bao ----------------------------------------------------------------------------------------------------------


def zhuji_case(rng: random.Random, _preset: str | None) -> dict:
    honours = WINDS + DRAGONS
    tiles = tiles_of_game(["m", "p", "s"], honours)
    kind = rng.choice(["two", "two", "one", "one", "none", None])
    winner = rng.randrange(4)
    case = {
        "id": f"random-{rng.randrange(10**9)}",
        "ruleset": "zhuji_bao",
        "variant": "zhuji_bao",
        "kind": "win",
        "options": switched(rng, ZJ_SWITCHES),
        "players": 4,
        "wild": rng.sample(tiles, {"two": 2, "one": 1}.get(kind or "none", 0)),
    }
    if kind is not None:
        contractor = winner if chance(rng, 0.35) else rng.randrange(4)
        case["contract"] = {"seat": contractor, "level": rng.choice([2, 2, 2, 3, 3, 4]), "kind": kind}
    which = rng.random()
    if which < 0.02:
        return {**case, "kind": "contract_table"}
    if which < 0.06:
        return {**case, "kind": "draw", "circumstances": {"dealer": rng.randrange(4)}}
    if which < 0.10:
        return {**case, "kind": "multi_win", "wins": zhuji_winners(rng, case["wild"])}
    win = zhuji_hand(rng, case["wild"], winner)
    if chance(rng, 0.08):
        spoiled(rng, win, tiles)
    win_by, said = how_won(rng, win, winner, 4)
    if win["winning_tile"] in case["wild"] and win_by == "rob_kong":
        win_by = "discard"
    said["dealer"] = rng.randrange(4)
    if win_by == "self_draw" and has_kong(win) and chance(rng, 0.4):
        said["kong_bloom"] = True
    if win_by == "self_draw" and not win["melds"] and chance(rng, 0.1):
        said["heavenly_hand" if said["dealer"] == winner else "earthly_hand"] = True
    return {**case, **win, "win_by": win_by, "winner": winner, "circumstances": said}


def zhuji_hand(rng: random.Random, wild: list[str], winner: int) -> dict:
    """A real hand, some of whose tiles are then replaced by wild ones: in the hand freely, in a meld one at most."""
    honours = WINDS + DRAGONS
    while True:
        style = random_style(rng, ["m", "p", "s"], honours)
        if chance(rng, 0.06):
            style = {**style, "suits": [], "honours": honours, "honour_weight": 1, "narrow": False}
        win = random_win(rng, style, winner, 4, claims_chows=True)
        if chance(rng, 0.05):
            win = take_winning_tile(rng, seven_pairs(rng, ["m", "p", "s"], honours), [])
        if win is not None:
            break
    if not wild:
        return win
    left = Counter({tile: 4 - held(win)[tile] for tile in wild})
    wanted = rng.choice([0, 1, 1, 2, 3, 4, 8])
    for meld in win["melds"]:
        stand_ins = rng.choice([0, 0, 0, 1, 2, 3] if meld["kind"].startswith("kong") else [0, 0, 0, 0, 1])
        for _ in range(stand_ins):
            options = [tile for tile in wild if left[tile] > 0]
            places = [place for place, tile in enumerate(meld["tiles"]) if tile not in wild]
            if not options or not places or wanted <= 0:
                break
            meld.setdefault("as", list(meld["tiles"]))
            place = rng.choice(places)
            meld["tiles"][place] = rng.choice(options)
            left[meld["tiles"][place]] -= 1
            wanted -= 1
        if chance(rng, 0.2):
            meld.pop("as", None)
    hand = [*win["concealed"], win["winning_tile"]]
    places = list(range(len(hand)))
    rng.shuffle(places)
    for place in places:
        options = [tile for tile in wild if left[tile] > 0]
        if wanted <= 0 or not options:
            break
        if hand[place] not in wild:
            hand[place] = rng.choice(options)
            left[hand[place]] -= 1
            wanted -= 1
    return {**win, "concealed": hand[:-1], "winning_tile": hand[-1]}


def zhuji_winners(rng: random.Random, wild: list[str]) -> list[dict]:
    discarder, wins = sharing_a_discard(rng, 4, lambda seat: zhuji_hand(rng, wild, seat))
    said = {"discarder": discarder, "dealer": rng.randrange(4)}
    return [{**win, "win_by": "discard", "circumstances": said} for win in wins]
