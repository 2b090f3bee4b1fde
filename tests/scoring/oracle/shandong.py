"""Shandong the long way: add the fan of every reading, count the flowers, split the bill.

RULES.md 2 and 11.
"""

from tests.scoring.oracle.tiles import (
    ALL_TILES,
    HONOURS,
    NotAWin,
    check_hand,
    check_meld,
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

FAN = {
    "plain_win": 1,
    "mixed_suit": 2,
    "pure_straight": 2,
    "kong_bloom": 2,
    "all_pungs": 2,
    "seven_pairs": 2,
    "earthly_hand": 5,
    "pure_suit": 5,
    "all_258": 5,
    "heavenly_hand": 6,
}
BASE_POINTS = 5

PRESET = {
    "draw_bonus_op": "add",
    "draw_bonus_curve": "doubling",
    "base_fan_always": False,
    "share_is": "per_payer",
    "concealed_honour_triplet_flower": False,
    "rob_pays_all": True,
    "open_ready_wins_by_rob": False,
    "open_ready_doubles_self_draw_loss": False,
    "all_258_free_shape": False,
    "earthly_self_draw_only": False,
    "seven_pairs_need_258": False,
    "escape_recipients": "none",
}


def answer(case: dict) -> dict:
    options = options_of(case, PRESET)
    if case["kind"] == "draw":
        return {}
    if case["kind"] == "escape":
        return escape(case, options)
    wins = wins_of(case)
    printed = ("elements", "fan", "flowers")
    if case["kind"] == "win":
        score = best(case, wins[0], options)
        return {key: score[key] for key in (*printed, "payments")}
    scores = [refused(best, case, win, options) for win in wins]
    return together(case, wins, scores, printed, only_nearest=False)


def turn_after(players: int, seat: int) -> list[int]:
    return [(seat + step) % players for step in range(1, players)]


def in_thirds(total: int, seats: list[int]) -> dict[int, int]:
    """Equal parts; what does not divide falls on the seats next in turn, one each."""
    each, rest = divmod(total, len(seats))
    return {seat: each + (1 if place < rest else 0) for place, seat in enumerate(seats)}


def escape(case: dict, options: dict) -> dict:
    escapee = case["circumstances"]["escapee"]
    for meld in case.get("melds", []):
        check_meld(meld, chows_allowed=True)
    flowers = flowers_of_melds(case)
    total = (BASE_POINTS + flowers) * 10
    payments = [0] * case["players"]
    payments[escapee] -= total
    if options["escape_recipients"] == "others":
        for seat, part in in_thirds(total, turn_after(case["players"], escapee)).items():
            payments[seat] += part
    return {"flowers": flowers, "payments": payments}


def flowers_of_melds(win: dict) -> int:
    total = len(win.get("flowers", []))
    for meld in win.get("melds", []):
        honour = meld["tiles"][0] in HONOURS
        if meld["kind"] == "pung":
            total += 1 if honour else 0
        elif meld["kind"] in ("kong_exposed", "kong_added"):
            total += 2 if honour else 1
        elif meld["kind"] == "kong_concealed":
            total += 3 if honour else 2
    return total


def best(case: dict, win: dict, options: dict) -> dict:
    check_hand(win, ALL_TILES, chows_allowed=True)
    check_payer(case, win)
    may_win = ["self_draw", "rob_kong"] if options["open_ready_wins_by_rob"] else ["self_draw"]
    if win["circumstances"].get("open_ready_winner") and win["win_by"] not in may_win:
        raise NotAWin("an open-ready hand wins by self-draw only")
    tiles = in_order([*win["concealed"], win["winning_tile"]])
    everything = [*tiles, *(tile for meld in win["melds"] for tile in meld["tiles"])]
    legal = [reading for reading in readings(tiles, win["winning_tile"]) if is_258(reading["pair"])]
    candidates = [price(case, win, options, reading) for reading in legal]
    if is_seven_pairs(tiles) and (not options["seven_pairs_need_258"] or any(is_258(tile) for tile in tiles)):
        candidates.append(price(case, win, options, "seven_pairs"))
    if not candidates and options["all_258_free_shape"] and all(is_258(tile) for tile in everything):
        candidates.append(price(case, win, options, "no_shape"))
    if not candidates:
        raise NotAWin("neither four sets with a pair of 2, 5 or 8 nor seven pairs")
    return min(
        candidates,
        key=lambda score: (
            -score["payments"][win["winner"]],
            -score["fan"],
            "seven_pairs" not in score["elements"],
            -score["triplets"],
            score["elements"],
        ),
    )


def is_258(tile: str) -> bool:
    return is_suited(tile) and tile[0] in "258"


def price(case: dict, win: dict, options: dict, reading: dict | str) -> dict:
    said = win["circumstances"]
    tiles = [*win["concealed"], win["winning_tile"], *(tile for meld in win["melds"] for tile in meld["tiles"])]
    sets = [] if isinstance(reading, str) else [*reading["sets"], *(meld_set(meld) for meld in win["melds"])]
    names = []
    if reading == "no_shape":
        names.append("all_258")
    else:
        suits = {tile[1] for tile in tiles if is_suited(tile)}
        honours = any(not is_suited(tile) for tile in tiles)
        if len(suits) == 1:
            names.append("mixed_suit" if honours else "pure_suit")
        if reading == "seven_pairs":
            names.append("seven_pairs")
        elif all(group == "pung" for group, _ in sets):
            names.append("all_pungs")
        if any(all(("chow", f"{rank}{suit}") in sets for rank in (1, 4, 7)) for suit in "mps"):
            names.append("pure_straight")
        if all(is_258(tile) for tile in tiles):
            names.append("all_258")
    # A dealt hand with flowers was completed by their replacement (section 11).
    after_flowers = said.get("heavenly_hand") and win.get("flowers")
    if (said.get("kong_bloom") or after_flowers) and win["win_by"] == "self_draw":
        names.append("kong_bloom")
    if said.get("heavenly_hand"):
        names.append("heavenly_hand")
    if said.get("earthly_hand") and (win["win_by"] == "self_draw" or not options["earthly_self_draw_only"]):
        names.append("earthly_hand")
    if not names or options["base_fan_always"]:
        names.append("plain_win")
    fan = sum(FAN[name] for name in names)

    draws = said.get("previous_draws", 0)
    if draws:
        extra = 2 ** min(draws, 5) if options["draw_bonus_curve"] == "doubling" else min(2 * draws, 32)
        names.append(f"draw_bonus:{extra}")
        fan = fan + extra if options["draw_bonus_op"] == "add" else fan * extra
    if said.get("open_ready_winner"):
        names.append("open_ready")
        fan *= 2

    flowers = flowers_of_melds(win)
    if options["concealed_honour_triplet_flower"] and not isinstance(reading, str):
        flowers += sum(
            group == "pung" and tile in HONOURS and (group, tile) != reading["won"] for group, tile in reading["sets"]
        )
    return {
        "elements": sorted(names),
        "fan": fan,
        "flowers": flowers,
        "triplets": sum(group == "pung" for group, _ in sets),
        "payments": bill(case, win, options, (BASE_POINTS + flowers) * fan),
    }


def bill(case: dict, win: dict, options: dict, share: int) -> list[int]:
    said, winner, players = win["circumstances"], win["winner"], case["players"]
    others = turn_after(players, winner)
    open_payers = said.get("open_ready_payers", [])
    total_only = options["share_is"] == "total"
    discarder = said.get("discarder")

    # What is due to the winner, before anybody pays for others.
    if win["win_by"] == "discard" or (win["win_by"] == "rob_kong" and not options["rob_pays_all"]):
        everything = share
    else:
        everything = share if total_only else 3 * share

    payments = [0] * players
    feeder = said.get("three_claim_feeder")
    fed_kong = said.get("kong_fed_by") if said.get("kong_bloom") and win["win_by"] == "self_draw" else None
    if feeder is not None:
        dealt_in = win["win_by"] != "self_draw" and discarder == feeder
        pay(payments, feeder, winner, everything * (2 if dealt_in and feeder in open_payers else 1))
    elif win["win_by"] != "self_draw":
        pay(payments, discarder, winner, everything * (2 if discarder in open_payers else 1))
    elif fed_kong is not None:
        pay(payments, fed_kong, winner, everything * (2 if fed_kong in open_payers else 1))
    else:
        parts = in_thirds(share, others) if total_only else dict.fromkeys(others, share)
        for seat, part in parts.items():
            doubled = options["open_ready_doubles_self_draw_loss"] and seat in open_payers
            pay(payments, seat, winner, part * (2 if doubled else 1))
    return payments
