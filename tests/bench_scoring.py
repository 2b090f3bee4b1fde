"""Hands scored per second on one core, best of all readings, beside two PyPI packages on random complete hands.

    python tests/bench_scoring.py [hands]

`mahjong` (riichi, `HandCalculator.estimate_hand_value`) is pure Python as ours is; `PyMahjongGB` calls C++. A peer
that is not installed is left out. Every engine gets hands of its own tiles, all different, won by self-draw, and
each is timed three times; the best counts. Ours is asked for elements, figures and payments, as a table asks it.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring import Hand, Win, rules, waits
from scoring.hand import Contract
from scoring.tiles import INDEX, TILES, sort, tile_set

WANTED = {"kwx_suizhou": 3.0, "shandong": 3.0, "zhuji_bao with 8 wilds": 1.0}
"""How many times the speed of `mahjong` ours is meant to have."""


def complete_hands(kinds: Sequence[str], number: int, seed: int, eyes: Sequence[str] = ()) -> list[tuple[str, ...]]:
    """Random hands of four sets and a pair, a chow twice as likely as a pung; no five of a kind."""
    rng = random.Random(seed)
    starts = [t for t in kinds if t[1:] in ("m", "p", "s") and int(t[0]) <= 7]
    hands: list[tuple[str, ...]] = []
    while len(hands) < number:
        tiles = [rng.choice(eyes or kinds)] * 2
        for _ in range(4):
            if rng.random() < 2 / 3:
                first = INDEX[rng.choice(starts)]
                tiles += TILES[first : first + 3]
            else:
                tiles += [rng.choice(kinds)] * 3
        if max(map(tiles.count, tiles)) <= 4:
            rng.shuffle(tiles)
            hands.append(tuple(tiles))
    return hands


def per_second(work: Callable[[Any], object], hands: Sequence[Any]) -> float:
    """Hands per second, the best of three runs over all of them."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for hand in hands:
            work(hand)
        best = min(best, time.process_time() - start)
    return len(hands) / best


def ours(number: int) -> dict[str, float]:
    """Our three games; in Zhuji two kinds of tile are wild and the hands hold up to eight of them."""
    speeds: dict[str, float] = {}
    for preset, kinds, eyes in (
        ("kwx_suizhou", tile_set("ps", winds=False), ()),
        ("shandong", tile_set(), [f"{rank}{suit}" for rank in "258" for suit in "mps"]),
    ):
        table = rules(preset)
        wins = [Win(Hand(tiles[:-1], (), tiles[-1])) for tiles in complete_hands(kinds, number, 1, eyes)]
        assert all(table.score(win).ok for win in wins[:200])
        speeds[preset] = per_second(table.score, wins)
    table = rules("zhuji_bao", {"min_tai_others": 0})
    rng = random.Random(2)
    for label, most in (("zhuji_bao without wilds", 0), ("zhuji_bao with 8 wilds", 8)):
        wins = []
        for tiles in complete_hands(tile_set(), number, 3):
            wild = tuple(rng.sample(tile_set(), 2)) if most else ()
            # Any tile of the hand may turn into a wild one and the hand stays complete.
            changed = list(tiles)
            room = [t for t in wild for _ in range(4 - tiles.count(t))]
            rng.shuffle(room)
            for place, tile in zip(rng.sample(range(14), rng.randint(0, len(room))), room, strict=False):
                changed[place] = tile
            contract = Contract(1, 2, "two") if most else Contract(1, 2, "none")
            wins.append(Win(Hand(tuple(changed[:-1]), (), changed[-1]), wild=wild, contract=contract))
        assert all(table.score(win).ok for win in wins[:200])
        speeds[label] = per_second(table.score, wins)
    return speeds


def riichi(number: int) -> float | None:
    """`mahjong`: hands per second of `estimate_hand_value`, self-draw, no dora."""
    try:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig
    except ImportError:
        return None
    config = HandConfig(is_tsumo=True)
    hands: list[tuple[list[int], int]] = []
    for tiles in complete_hands(tile_set(), number, 1):
        used: dict[str, int] = {}
        numbers = []
        for tile in tiles:
            numbers.append(4 * INDEX[tile] + used.get(tile, 0))
            used[tile] = used.get(tile, 0) + 1
        hands.append((sorted(numbers), numbers[-1]))
    assert all(HandCalculator.estimate_hand_value(list(t), w, config=config).error is None for t, w in hands[:200])
    return per_second(lambda hand: HandCalculator.estimate_hand_value(list(hand[0]), hand[1], config=config), hands)


def chinese_official(number: int) -> float | None:
    """`PyMahjongGB`: hands per second of `MahjongFanCalculator`, self-draw."""
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError:
        return None
    names = {"m": "W", "p": "B", "s": "T", "E": "F1", "S": "F2", "W": "F3", "N": "F4", "C": "J1", "F": "J2", "P": "J3"}
    spelt = [
        tuple(names[t] if t in names else names[t[1]] + t[0] for t in tiles)
        for tiles in complete_hands(tile_set(), number, 1)
    ]
    return per_second(
        lambda hand: MahjongFanCalculator((), hand[:-1], hand[-1], 0, True, False, False, False, 0, 0), spelt
    )


def waiting(number: int) -> dict[str, float]:
    """Milliseconds for all waits of thirteen tiles, both ways of winning scored."""
    found: dict[str, float] = {}
    for preset, kinds, said in (
        ("kwx_suizhou", tile_set("ps", winds=False), {}),
        ("shandong", tile_set(), {}),
        (
            "zhuji_bao",
            tile_set(),
            {"wild": ("5p", "6p"), "contract_kind": "two", "contract_seat": 1, "contract_level": 2},
        ),
    ):
        table = rules(preset)
        hands = [Hand(sort(tiles[:-1])) for tiles in complete_hands(kinds, number, 5)]
        found[preset] = 1000 / per_second(lambda hand, table=table, said=said: waits(table, hand, said), hands)
    return found


def main(number: int) -> dict[str, float]:
    """Measure and print; how many times the speed of `mahjong` each of `WANTED` has."""
    ratios: dict[str, float] = {}
    peers = {"mahjong (riichi)": riichi(number), "PyMahjongGB (C++)": chinese_official(number)}
    print(f"{number} random complete hands, one core, Python {sys.version.split()[0]}")
    base = peers["mahjong (riichi)"]
    for name, speed in peers.items():
        print(f"  {name:26} {f'{speed:10,.0f} hands/s' if speed else 'not installed'}")
    for name, speed in ours(number).items():
        if base and name in WANTED:
            ratios[name] = speed / base
        ratio = f"{speed / base:6.2f} × mahjong" if base else ""
        wanted = f" (wanted {WANTED[name]:.0f})" if name in WANTED and base else ""
        print(f"  {name:26} {speed:10,.0f} hands/s {ratio}{wanted}")
    for name, milliseconds in waiting(max(20, number // 50)).items():
        print(f"  waits, {name:19} {milliseconds:10.2f} ms (wanted under 3)")
    return ratios


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
