"""What all three games share: the tiles, a case that can exist at the table, and every way to cut a hand into sets.

A *set* is a pair of words, ``("chow", lowest tile)`` or ``("pung", tile)``; a kong is a pung here. A *reading* is a
dictionary: ``sets`` (the concealed ones), ``pair``, and ``won`` (which of them the winning tile finished).
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

DRAGONS = ["C", "F", "P"]
WINDS = ["E", "S", "W", "N"]
HONOURS = WINDS + DRAGONS
SUITED = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
ALL_TILES = SUITED + HONOURS
PLACE = {tile: place for place, tile in enumerate(ALL_TILES)}
KONGS = ("kong_exposed", "kong_added", "kong_concealed")

Set = tuple[str, str]


class NotAWin(Exception):
    """The case cannot be scored; the message says why."""


def is_suited(tile: str) -> bool:
    return tile not in HONOURS


def in_order(tiles) -> tuple[str, ...]:
    return tuple(sorted(tiles, key=PLACE.__getitem__))


def chow(lowest: str) -> list[str] | None:
    """The three tiles of the chow that starts here, or None: honours have none, nor have 8 and 9."""
    if not is_suited(lowest) or int(lowest[0]) > 7:
        return None
    return [f"{int(lowest[0]) + step}{lowest[1]}" for step in range(3)]


def without(tiles: tuple[str, ...], taken: list[str]) -> tuple[str, ...] | None:
    """The tiles that are left after taking some away, or None if they are not all there."""
    left = list(tiles)
    for tile in taken:
        if tile not in left:
            return None
        left.remove(tile)
    return tuple(left)


@lru_cache(maxsize=200_000)
def partitions(tiles: tuple[str, ...], pair_needed: bool = True) -> frozenset[tuple[tuple[Set, ...], str | None]]:
    """Every way to cut sorted tiles into sets and (if needed) one pair: (sorted sets, pair).

    The lowest tile must go somewhere: into the pair, a pung or the chow that it begins.
    """
    if not tiles:
        return frozenset() if pair_needed else frozenset({((), None)})
    found = set()
    lowest = tiles[0]
    for group, taken in (("pung", [lowest] * 3), ("chow", chow(lowest))):
        left = without(tiles, taken) if taken else None
        if left is not None:
            for sets, pair in partitions(left, pair_needed):
                found.add((tuple(sorted([*sets, (group, lowest)])), pair))
    left = without(tiles, [lowest] * 2)
    if pair_needed and left is not None:
        for sets, _ in partitions(left, False):
            found.add((sets, lowest))
    return frozenset(found)


def is_seven_pairs(tiles: tuple[str, ...]) -> bool:
    return len(tiles) == 14 and all(copies in (2, 4) for copies in Counter(tiles).values())


def readings(tiles: tuple[str, ...], winning_tile: str) -> Iterator[dict]:
    """Every reading of the concealed tiles, winning tile included, as four sets and a pair.

    The same cut is read once for each place the winning tile may have gone.
    """
    for sets, pair in sorted(partitions(in_order(tiles)), key=str):
        if winning_tile == pair:
            yield {"sets": list(sets), "pair": pair, "won": "pair"}
        for one in sorted(set(sets)):
            if winning_tile in tiles_of(one):
                yield {"sets": list(sets), "pair": pair, "won": one}


def tiles_of(one: Set) -> list[str]:
    group, tile = one
    return [tile] * 3 if group == "pung" else (chow(tile) or [])


def meld_set(meld: dict) -> Set:
    """The set a meld stands for; ``as`` says it where a wild tile lies in it."""
    faces = in_order(meld.get("as") or meld["tiles"])
    return ("chow" if meld["kind"] == "chow" else "pung", faces[0])


def can_be_complete(tiles: tuple[str, ...]) -> bool:
    return is_seven_pairs(tiles) or bool(partitions(in_order(tiles)))


def check_hand(win: dict, game_tiles: list[str], chows_allowed: bool) -> None:
    """Refuse what cannot lie on this table: too many tiles, five of a kind, a meld that is none."""
    melds = win.get("melds", [])
    if len(win["concealed"]) != 13 - 3 * len(melds):
        raise NotAWin(f"{len(win['concealed'])} concealed tiles beside {len(melds)} melds; 13 less 3 a meld are needed")
    held = [*win["concealed"], win["winning_tile"], *(tile for meld in melds for tile in meld["tiles"])]
    for tile, copies in Counter(held).items():
        if tile not in game_tiles:
            raise NotAWin(f"{tile} is not a tile of this game")
        if copies > 4:
            raise NotAWin(f"{copies} copies of {tile}; there are four")
    for meld in melds:
        check_meld(meld, chows_allowed)


def check_meld(meld: dict, chows_allowed: bool) -> None:
    faces = in_order(meld.get("as") or meld["tiles"])
    if meld["kind"] == "chow":
        if not chows_allowed:
            raise NotAWin("no chow may be claimed in this game")
        good = list(faces) == chow(faces[0])
    else:
        good = len(faces) == (4 if meld["kind"] in KONGS else 3) and len(set(faces)) == 1
    if not good or len(meld["tiles"]) != len(faces):
        raise NotAWin(f"{' '.join(meld['tiles'])} is no {meld['kind']}")


def check_payer(case: dict, win: dict) -> None:
    """A discard or a robbed kong comes from another player at the table."""
    if win["win_by"] != "self_draw":
        discarder = win["circumstances"].get("discarder")
        if discarder not in range(case["players"]) or discarder == win["winner"]:
            raise NotAWin("a discard comes from another player")


def options_of(case: dict, preset: dict) -> dict:
    """The preset with the case's overrides; ``values`` and the like are overridden entry by entry."""
    options = {name: dict(value) if isinstance(value, dict) else value for name, value in preset.items()}
    for name, value in case.get("options", {}).items():
        if name not in options:
            raise ValueError(f"the rules name no switch {name!r}")
        options[name] = {**options[name], **value} if name in ("values", "tai") else value
    return options


def wins_of(case: dict) -> list[dict]:
    """The winners of a case, each with its own hand; what they share stands on the case."""
    shared = {key: case[key] for key in ("circumstances", "flowers", "win_by", "winning_tile") if key in case}
    wins = case["wins"] if case["kind"] == "multi_win" else [case]
    return [{"circumstances": {}, "melds": [], **shared, **win} for win in wins]


def together(case: dict, wins: list[dict], scores: list[dict], printed: tuple[str, ...], only_nearest: bool) -> dict:
    """Several winners of one tile: a hand that may not win is refused by itself, the others are paid.

    ``only_nearest``: of those that may win, only the first in turn after the discarder does.
    """
    players = case["players"]
    able = [place for place, score in enumerate(scores) if "illegal" not in score]
    if not able:
        raise NotAWin("; ".join(score["illegal"] for score in scores))
    if only_nearest:
        discarder = wins[0]["circumstances"]["discarder"]
        able = [min(able, key=lambda place: (wins[place]["winner"] - discarder) % players)]
    rows = []
    for place, score in enumerate(scores):
        if place in able:
            rows.append({key: score[key] for key in printed})
        else:
            rows.append({"illegal": score.get("illegal", "another player is nearer in turn")})
    return {"wins": rows, "payments": add_up([scores[place]["payments"] for place in able])}


def refused(score, *arguments) -> dict:
    """A score, or the refusal in its place."""
    try:
        return score(*arguments)
    except NotAWin as reason:
        return {"illegal": str(reason)}


def pay(payments: list[int], payer: int, receiver: int, amount: int) -> None:
    payments[payer] -= amount
    payments[receiver] += amount


def add_up(rows: list[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]
