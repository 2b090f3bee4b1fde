"""Zhuji Bao the long way: let the wild tiles stand for everything, add the tai, settle the contract.

RULES.md 3 and 11. The name of a tile matters here only as far as the tai table looks: chow or pung, which suit, honour
or not, East, which dragon. So the search keeps a *summary* of the sets instead of the sets:
``(chows, pungs, suits, has honours, East pungs, dragon pungs)``.
"""

from functools import cache, lru_cache
from itertools import permutations

from tests.scoring.oracle.tiles import (
    ALL_TILES,
    DRAGONS,
    NotAWin,
    check_hand,
    check_payer,
    chow,
    in_order,
    is_suited,
    meld_set,
    options_of,
    pay,
    refused,
    together,
    wins_of,
)

TAI = {
    "all_chows": 1,
    "all_pungs": 1,
    "mixed_suit": 1,
    "pure_suit": 3,
    "all_honours": 7,
    "rob_kong": 1,
    "kong_bloom": 1,
    "east_pung": 2,
    "dragon_pung": 1,
    "no_wild": 1,
    "heavenly_hand": 7,
    "earthly_hand": 7,
}

PRESET = {
    "tai": TAI,
    "pinghu_any_hand": False,
    "dragon_pung_max": None,
    "no_wild_needs_wild_in_play": True,
    "failure_receiver": "winner",
    "discard_model": "two_part",
    "draw_payer": "contractor",
    "wild_chow": True,
}

# What three wild tiles, or two, can be without repeating themselves before the tai table.
ALL_WILD_SETS = [("chow", f"1{suit}") for suit in "mps"] + [("pung", t) for t in ("1m", "1p", "1s", "E", "S", *DRAGONS)]
ALL_WILD_PAIRS = ["1m", "1p", "1s", "S"]

Summary = tuple[int, int, frozenset[str], bool, int, int]
NOTHING: Summary = (0, 0, frozenset(), False, 0, 0)


def answer(case: dict) -> dict:
    options = options_of(case, PRESET)
    if case["kind"] == "contract_table":
        kinds = ("two", "one", "none")
        return {"points": {f"{kind}{level}": points(level, kind) for level in range(2, 6) for kind in kinds}}
    if case["kind"] == "draw":
        return draw(case, options)
    wins = wins_of(case)
    printed = ("elements", "tai", "contract_points")
    if case["kind"] == "win":
        score = best(case, wins[0], options)
        return {key: score[key] for key in (*printed, "payments")}
    scores = [refused(best, case, win, options) for win in wins]
    return together(case, wins, scores, printed, only_nearest=True)


def points(level: int, kind: str) -> int:
    return 5 * 2 ** (level - 2) if kind == "two" else 5 * 2 ** (level - 1)


def contract_points(case: dict) -> int:
    contract = case.get("contract")
    return points(contract["level"], contract["kind"]) if contract else 0


def draw(case: dict, options: dict) -> dict:
    """The contract failed: its points to each of the others."""
    payments = [0] * case["players"]
    if case.get("contract"):
        payer = case["contract"]["seat"]
        if options["draw_payer"] == "dealer":
            payer = case["circumstances"]["dealer"]
        for seat in range(case["players"]):
            pay(payments, payer, seat, contract_points(case))
    return {"payments": payments}


def best(case: dict, win: dict, options: dict) -> dict:
    wilds = case.get("wild", [])
    contract = case.get("contract")
    win = {**win, "melds": [{**meld, "as": faces_of(meld, wilds)} for meld in win["melds"]]}
    check_hand(win, ALL_TILES, chows_allowed=True)
    check_payer(case, win)
    for meld in win["melds"]:
        check_wilds_in(meld, wilds, options)

    free = list(win["concealed"])
    natural = []
    if win["win_by"] == "self_draw":
        free.append(win["winning_tile"])
    else:  # a discarded wild is only its own face
        natural.append(win["winning_tile"])
    natural += [tile for tile in free if tile not in wilds]
    jokers = sum(tile in wilds for tile in free)

    laid = NOTHING
    for meld in win["melds"]:
        laid = joined(laid, summary_of(meld_set(meld)))
    hands = summaries(in_order(natural), jokers, 4 - len(win["melds"]), True)
    if not hands:
        raise NotAWin("the tiles are not four sets and a pair")
    scores = [count(case, win, options, joined(laid, hand)) for hand in hands]
    score = min(scores, key=lambda one: (-one["tai"], -one["triplets"], one["elements"]))
    needed = contract["level"] if contract and contract["seat"] == win["winner"] else 1
    if score["tai"] < needed:
        raise NotAWin(f"{score['tai']} tai; {needed} are needed")
    score["contract_points"] = contract_points(case)
    score["payments"] = settle(case, win, options, 2 ** score["tai"])
    return score


def faces_of(meld: dict, wilds: list[str]) -> list[str]:
    """What the tiles of a meld stand for: as it says itself, else the meld that needs the fewest stand-ins."""
    tiles = meld["tiles"]
    if meld.get("as"):
        return meld["as"]
    if not any(tile in wilds for tile in tiles):
        return tiles
    possible = []
    for tile in ALL_TILES:
        if meld["kind"] != "chow":
            possible.append([tile] * len(tiles))
        elif chow(tile):
            possible += [list(order) for order in permutations(chow(tile) or [])]
    fitting = [
        faces
        for faces in possible
        if len(faces) == len(tiles)
        and all(tile == face or tile in wilds for tile, face in zip(tiles, faces, strict=True))
    ]
    return min(fitting, key=lambda faces: sum(map(str.__ne__, tiles, faces)), default=tiles)


def check_wilds_in(meld: dict, wilds: list[str], options: dict) -> None:
    """A tile that is not what it stands for must be wild; a chow or pung is claimed with one of them at most."""
    stand_ins = 0
    for tile, face in zip(meld["tiles"], meld["as"], strict=True):
        if tile != face:
            if tile not in wilds:
                raise NotAWin(f"{tile} is not wild and cannot stand for {face}")
            stand_ins += 1
    if meld["kind"] in ("chow", "pung") and stand_ins > 1:
        raise NotAWin("a chow or pung is claimed with one wild tile at most")
    if meld["kind"] == "chow" and stand_ins and not options["wild_chow"]:
        raise NotAWin("a chow is claimed with real tiles")


# Every hand the wild tiles allow -------------------------------------------------------------------------------------


def joined(one: Summary, other: Summary) -> Summary:
    return (
        one[0] + other[0],
        one[1] + other[1],
        one[2] | other[2],
        one[3] or other[3],
        one[4] + other[4],
        one[5] + other[5],
    )


def summary_of(one: tuple[str, str]) -> Summary:
    group, tile = one
    is_pung = group == "pung"
    suits = frozenset(tile[1]) if is_suited(tile) else frozenset()
    return (
        int(not is_pung),
        int(is_pung),
        suits,
        not is_suited(tile),
        int(is_pung and tile == "E"),
        int(is_pung and tile in DRAGONS),
    )


def pair_summary(tile: str) -> Summary:
    return (0, 0, frozenset(tile[1]) if is_suited(tile) else frozenset(), not is_suited(tile), 0, 0)


@lru_cache(maxsize=400_000)
def summaries(tiles: tuple[str, ...], jokers: int, sets: int, pair: bool) -> frozenset[Summary]:
    """Summaries of every hand of ``sets`` sets (and a pair) that these tiles and wild tiles can be."""
    if len(tiles) + jokers != 3 * sets + 2 * pair:
        return frozenset()
    if not tiles:
        return all_wild(sets, pair)
    found: set[Summary] = set()
    lowest = tiles[0]
    if sets:
        # The lowest tile is in a pung, or in a chow as its first, second or third tile.
        groups = [("pung", lowest)]
        if is_suited(lowest):
            rank, suit = int(lowest[0]), lowest[1]
            groups += [("chow", f"{start}{suit}") for start in range(max(1, rank - 2), rank + 1) if start <= 7]
        for group in groups:
            faces = [group[1]] * 3 if group[0] == "pung" else chow(group[1])
            for left, used in ways_to_fill(tiles, faces):
                if used <= jokers:
                    rest = summaries(left, jokers - used, sets - 1, pair)
                    found |= {joined(summary_of(group), hand) for hand in rest}
    if pair:
        for left, used in ways_to_fill(tiles, [lowest] * 2):
            if used <= jokers:
                found |= {joined(pair_summary(lowest), hand) for hand in summaries(left, jokers - used, sets, False)}
    return frozenset(found)


def ways_to_fill(tiles: tuple[str, ...], faces: list[str]) -> list[tuple[tuple[str, ...], int]]:
    """Every choice of real and wild tiles for these faces that uses the lowest tile: (tiles left, wilds used)."""
    ways = {(tiles, 0)}
    for face in faces:
        step = set()
        for left, used in ways:
            step.add((left, used + 1))
            if face in left:
                place = left.index(face)
                step.add((left[:place] + left[place + 1 :], used))
        ways = step
    return sorted(way for way in ways if way[0].count(tiles[0]) < tiles.count(tiles[0]))


@cache
def all_wild(sets: int, pair: bool) -> frozenset[Summary]:
    hands = {pair_summary(tile) for tile in ALL_WILD_PAIRS} if pair else {NOTHING}
    for _ in range(sets):
        hands = {joined(summary_of(one), hand) for one in ALL_WILD_SETS for hand in hands}
    return frozenset(hands)


# What it is worth ----------------------------------------------------------------------------------------------------


def count(case: dict, win: dict, options: dict, hand: Summary) -> dict:
    chows, pungs, suits, honours, east, dragons = hand
    said = win["circumstances"]
    wilds = case.get("wild", [])
    held = [*win["concealed"], win["winning_tile"], *(tile for meld in win["melds"] for tile in meld["tiles"])]
    names = []
    if chows == 4 or options["pinghu_any_hand"]:
        names.append("all_chows")
    if pungs == 4:
        names.append("all_pungs")
    if len(suits) == 1:
        names.append("mixed_suit" if honours else "pure_suit")
    if not suits:
        names.append("all_honours")
    names += ["east_pung"] * east
    most = options["dragon_pung_max"]
    names += ["dragon_pung"] * (dragons if most is None else min(dragons, most))
    if not any(tile in wilds for tile in held) and (wilds or not options["no_wild_needs_wild_in_play"]):
        names.append("no_wild")
    if win["win_by"] == "rob_kong":
        names.append("rob_kong")
    for name in ("kong_bloom", "heavenly_hand", "earthly_hand"):
        if said.get(name):
            names.append(name)
    return {
        "elements": sorted(names),
        "tai": sum(options["tai"][name] for name in names),
        "triplets": pungs,
    }


def settle(case: dict, win: dict, options: dict, hand: int) -> list[int]:
    winner = win["winner"]
    payments = [0] * case["players"]
    others = [seat for seat in range(case["players"]) if seat != winner]
    contract = case.get("contract")
    contractor = contract["seat"] if contract else None
    bid = contract_points(case)
    own_draw = win["win_by"] == "self_draw"
    discarder = None if own_draw else win["circumstances"]["discarder"]
    model = options["discard_model"]

    if contractor == winner:
        for seat in others:
            only_discarder = not own_draw and model in ("discarder_only", "ext_both")
            if own_draw or seat == discarder:
                pay(payments, seat, winner, hand + bid)
            elif not only_discarder:
                pay(payments, seat, winner, bid)
    elif contractor is not None and not own_draw and model in ("contractor_covers", "ext_both"):
        pay(payments, contractor, winner, hand + bid)
        if options["failure_receiver"] == "each_opponent":
            for seat in others:
                pay(payments, contractor, seat, bid)
    else:
        for seat in others if own_draw else [discarder]:
            pay(payments, seat, winner, hand)
        if contractor is not None and options["failure_receiver"] == "winner":
            pay(payments, contractor, winner, 3 * bid)
        elif contractor is not None:
            for seat in range(case["players"]):
                pay(payments, contractor, seat, bid)
    return payments
