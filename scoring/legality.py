"""What must hold of any hand before it is read: tiles of this game, not too many of a kind, melds that are melds,
seats.

Every check returns all it finds, so that a refusal says everything that is wrong at once.
"""

from collections import Counter
from collections.abc import Iterable

from scoring.hand import Answer, Meld, Win, written
from scoring.rules import Problem
from scoring.settlement import Text, many
from scoring.tiles import BACK, FLOWERS, INDEX, SUITS, UNKNOWN, name


def hand_problems(
    win: Win,
    tile_set: frozenset[str],
    game: Text,
    chows: bool,
    flowers: bool = False,
    wild: frozenset[str] = frozenset(),
) -> list[Problem]:
    """What is wrong with the tiles of a win: strange tiles, five of a kind, wrong number, melds that are none.

    `tile_set` are the kinds a hand may hold, flowers lie beside it where the game has them.
    """
    hand = win.hand
    problems: list[Problem] = []
    tiles = hand.all_tiles
    if len(tiles) == 14 and not hand.melds and not hand.flowers and hand.winning_tile and tile_set.issuperset(tiles):
        # Most hands; nothing but five of a kind can be wrong.
        kinds = set(tiles)
        if len(kinds) >= 11 or max(map(tiles.count, kinds)) <= 4:
            return problems
    if not tile_set.issuperset(tiles):
        for tile in sorted(set(tiles) - tile_set):
            problems.append(_strange(tile, game))
    counts = Counter(tiles)
    if max(counts.values(), default=0) > 4:
        for tile, number in counts.items():
            if number > 4:
                problems.append(
                    Problem(
                        "too_many_copies",
                        Text(
                            f"{name(tile, 'zh-Hans')}有 {number} 张，一副牌只有 4 张。",
                            f"There are {number} tiles of {tile}; a set of tiles has only 4.",
                        ),
                    )
                )
    if hand.winning_tile is None:
        problems.append(
            Problem("no_winning_tile", Text("没有说明胡的是哪一张牌。", "Say which tile won: put it after a +."))
        )
    expected = 13 - 3 * len(hand.melds)
    if len(hand.concealed) != expected:
        problems.append(
            Problem(
                "tile_count",
                Text(
                    f"手牌（不含胡的那张）应有 {expected} 张，现有 {len(hand.concealed)} 张。",
                    f"With {many(len(hand.melds), 'meld')} the hand must hold {many(expected, 'concealed tile')} "
                    f"beside the winning tile, not {len(hand.concealed)}.",
                ),
            )
        )
    for meld in hand.melds:
        problems += meld_problems(meld, chows, wild)
    for tile, number in Counter(hand.flowers).items():
        if tile not in FLOWERS:
            problems.append(_strange_flower(tile))
        elif number > 1:
            problems.append(
                Problem(
                    "too_many_copies",
                    Text(
                        f"花牌{name(tile, 'zh-Hans')}只有 1 张，现有 {number} 张。",
                        f"There is one flower {tile}, not {number}.",
                    ),
                )
            )
        elif not flowers:
            problems.append(_strange(tile, game))
    return problems


def _strange(tile: str, game: Text) -> Problem:
    if tile == UNKNOWN:
        return Problem(
            "unknown_tile", Text("有一张牌没有认出来，请先指明。", "One tile is not recognised; say which it is first.")
        )
    if tile == BACK:
        return Problem(
            "unknown_tile", Text("有一张牌扣着，请先指明是什么牌。", "One tile lies face down; say which it is first.")
        )
    if tile not in INDEX:
        return Problem("unknown_tile", Text(f"“{tile}”不是牌。", f"“{tile}” is no tile."))
    if tile in FLOWERS:
        return Problem(
            "tile_not_in_game",
            Text(
                f"花牌{name(tile, 'zh-Hans')}不能算在手牌里。",
                f"The flower {tile} ({name(tile)}) is no part of a hand in {game.en}.",
            ),
        )
    return Problem(
        "tile_not_in_game",
        Text(
            f"{game.zh}不用{name(tile, 'zh-Hans')}这张牌。", f"The tile {tile} ({name(tile)}) is not used in {game.en}."
        ),
    )


def _strange_flower(tile: str) -> Problem:
    return Problem("not_a_flower", Text(f"“{tile}”不是花牌。", f"“{tile}” is no flower; flowers are 1f to 8f."))


def is_chow(faces: Iterable[str]) -> bool:
    """Three tiles of one suit in a row, in any order."""
    ordered = sorted(faces)
    return (
        len(ordered) == 3
        and all(len(tile) == 2 and tile[1] in SUITS for tile in ordered)
        and len({tile[1] for tile in ordered}) == 1
        and [int(tile[0]) - int(ordered[0][0]) for tile in ordered] == [0, 1, 2]
    )


def meld_problems(meld: Meld, chows: bool, wild: frozenset[str]) -> list[Problem]:
    """What is wrong with one meld: its size, its likeness, its wild tiles, a chow where none is allowed."""
    shown = "".join(name(tile, "zh-Hans") if tile in INDEX else tile for tile in meld.tiles)
    text = " ".join(meld.tiles)
    problems: list[Problem] = []
    size = 4 if meld.is_kong else 3
    word = Text(
        "杠" if meld.is_kong else "顺子" if meld.kind == "chow" else "刻子", "kong" if meld.is_kong else meld.kind
    )
    if len(meld.tiles) != size:
        problems.append(
            Problem(
                "meld_size",
                Text(
                    f"{word.zh}“{shown}”应有 {size} 张牌。",
                    f"The {word.en} “{text}” must have {size} tiles, not {len(meld.tiles)}.",
                ),
            )
        )
    elif meld.kind == "chow" and not is_chow(meld.faces):
        problems.append(
            Problem(
                "not_a_chow", Text(f"“{shown}”不是顺子。", f"“{text}” is no chow: three tiles of one suit in a row.")
            )
        )
    elif meld.kind != "chow" and len(set(meld.faces)) != 1:
        problems.append(
            Problem("not_equal", Text(f"“{shown}”不是{word.zh}。", f"“{text}” is no {word.en}: its tiles differ."))
        )
    if meld.kind == "chow" and not chows:
        problems.append(
            Problem(
                "chow_not_allowed", Text("这种玩法不能吃牌。", f"A chow may not be claimed in this game: “{text}”.")
            )
        )
    if meld.stands_for:
        if len(meld.stands_for) != len(meld.tiles):
            problems.append(
                Problem(
                    "stands_for",
                    Text(f"“{shown}”的代用说明张数不对。", f"“as” must name as many tiles as the meld “{text}” has."),
                )
            )
        else:
            for tile, face in zip(meld.tiles, meld.stands_for, strict=True):
                if tile != face and tile not in wild:
                    problems.append(
                        Problem(
                            "not_wild",
                            Text(
                                f"{shown} 里的 {tile} 不是财神，不能当 {face}。",
                                f"{tile} is not wild and cannot stand for {face} in “{text}”.",
                            ),
                        )
                    )
    return problems


def seat_problems(win: Win, players: int) -> list[Problem]:
    """Wrong seats: winner or discarder outside the table, a discarder missing or superfluous."""
    problems: list[Problem] = []
    if not 0 <= win.winner < players:
        problems.append(
            Problem(
                "seat",
                Text(
                    f"胡牌者座位须为 0 到 {players - 1}。",
                    f"The winner's seat must be 0 to {players - 1}, not {win.winner}.",
                ),
            )
        )
    for meld in win.hand.melds:
        if meld.source is not None and not 0 <= meld.source < players:
            problems.append(
                Problem(
                    "seat",
                    Text(
                        f"副露的来源座位须为 0 到 {players - 1}。",
                        f"The meld “{' '.join(meld.tiles)}” is from seat {meld.source}: seats are 0 to {players - 1}.",
                    ),
                )
            )
    discarder = win.circumstances.get("discarder")
    if win.by == "self_draw":
        if discarder is not None:
            problems.append(
                Problem(
                    "discarder",
                    Text(
                        "自摸没有放炮者。", "A self-draw has no discarder; leave it out or say that it was a discard."
                    ),
                )
            )
    elif discarder is None:
        problems.append(
            Problem(
                "discarder",
                Text("请说明是谁放的炮。", "Say who discarded the winning tile (or whose kong was robbed)."),
            )
        )
    elif not isinstance(discarder, int) or isinstance(discarder, bool) or not 0 <= discarder < players:
        problems.append(
            Problem(
                "discarder",
                Text(
                    f"放炮者座位须为 0 到 {players - 1}。",
                    f"The discarder's seat must be 0 to {players - 1}, not {written(discarder)}.",
                ),
            )
        )
    elif discarder == win.winner:
        problems.append(
            Problem("discarder", Text("不能胡自己打出的牌。", "The winner cannot win on their own discard."))
        )
    return problems


def no_kong_was_robbed() -> Problem:
    """A kind of robbed kong was named, and the hand was won in another way."""
    return Problem(
        "robbed_kong",
        Text("不是抢杠，不用说抢的是哪种杠。", "“robbed_kong” is said of a robbed kong only, and none was robbed."),
    )


def seats_problem(key: str, value: Answer, players: int) -> list[Problem]:
    """A list of seats that names a seat twice or one that is not at the table."""
    seats = value if isinstance(value, tuple) else None
    if (
        seats is not None
        and len(set(seats)) == len(seats)
        and all(isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < players for seat in seats)
    ):
        return []
    return [
        Problem(
            "seat",
            Text(
                f"“{key}”须为不重复的座位号，从 0 到 {players - 1}。",
                f"“{key}” must list different seats from 0 to {players - 1}, not {written(value)}.",
            ),
        )
    ]
