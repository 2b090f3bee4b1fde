"""What must hold of every hand, whatever it is worth: drawn by hypothesis from all three games."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Hand, Meld, Refusal, Rules, Score, Win, rules, rulesets
from scoring.hand import Contract
from scoring.tiles import FLOWERS, INDEX, TILES, tile_set

PRESETS = [name for system in rulesets() for name in system.presets]
DEFAULTS = {name: rules(name) for name in PRESETS}
DISTINCT = ["kwx_base", "kwx_leyou", "kwx_qiabazhang", "shandong", "zhuji_bao"]
"""Presets that pay by different formulas; the others differ by numbers."""


@st.composite
def a_win(draw: st.DrawFn, name: str) -> Win:
    """A complete hand with melds, flowers, wild tiles and circumstances; it may still be below a minimum."""
    table = DEFAULTS[name]
    kinds = [tile for tile in table.tiles if tile not in FLOWERS]
    suited = [tile for tile in kinds if tile[1:] in ("m", "p", "s") and int(tile[0]) <= 7]
    rng = random.Random(draw(st.integers(0, 2**32)))
    chows = table.ruleset.name != "ka_wu_xing"
    while True:
        sets: list[tuple[str, ...]] = []
        for _ in range(4):
            if rng.random() < 0.55:
                first = INDEX[rng.choice(suited)]
                sets.append(TILES[first : first + 3])
            else:
                sets.append((rng.choice(kinds),) * 3)
        pair = rng.choice(["2s", "5p", "8s"]) if table.ruleset.name == "shandong" else rng.choice(kinds)
        tiles = [tile for part in sets for tile in part] + [pair] * 2
        if max(map(tiles.count, tiles)) <= 4:
            break
    melds: list[Meld] = []
    concealed = [pair] * 2
    for part in sets:
        if rng.random() < 0.6 or (not chows and len(set(part)) == 3):
            concealed += part
        elif len(set(part)) == 3:
            melds.append(Meld("chow", part, 3))
        elif rng.random() < 0.4 and tiles.count(part[0]) == 3:
            melds.append(Meld(rng.choice(("kong_exposed", "kong_added", "kong_concealed")), part + part[:1]))
        else:
            melds.append(Meld("pung", part, rng.randint(1, 2)))
    rng.shuffle(concealed)
    wild: tuple[str, ...] = ()
    contract = None
    if table.ruleset.name == "zhuji_bao":
        kind = rng.choice(("two", "one", "none"))
        wild = tuple(rng.sample(tile_set(), {"two": 2, "one": 1, "none": 0}[kind]))
        contract = Contract(rng.randrange(4), 2, kind)
        # A discarded wild tile is only itself, so the winning tile stays what completes the hand.
        for place in range(len(concealed) - 1):
            free = [tile for tile in wild if (concealed + [t for m in melds for t in m.tiles]).count(tile) < 4]
            if free and rng.random() < 0.3:
                concealed[place] = rng.choice(free)
    flowers = tuple(rng.sample(FLOWERS, rng.randint(0, 3))) if table.ruleset.name == "shandong" else ()
    winner = rng.randrange(table.players)
    others = [seat for seat in range(table.players) if seat != winner]
    by = rng.choice(("self_draw", "discard", "rob_kong"))
    said: dict[str, Any] = {} if by == "self_draw" else {"discarder": rng.choice(others)}
    if table.ruleset.name == "ka_wu_xing" and rng.random() < 0.5:
        said["revealed"] = tuple(rng.sample(range(table.players), rng.randint(0, table.players)))
    if table.ruleset.name == "shandong":
        said["previous_draws"] = rng.randint(0, 6)
        said["open_ready_payers"] = tuple(rng.sample(others, rng.randint(0, 2)))
        if rng.random() < 0.2:
            said["three_claim_feeder"] = rng.choice(others)
    hand = Hand(tuple(concealed[:-1]), tuple(melds), concealed[-1], flowers)
    return Win(hand, by, winner, None, said, wild, contract)


@st.composite
def some_options(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A few options of the preset's game, each with a value it accepts."""
    chosen: dict[str, Any] = {}
    for option in draw(
        st.lists(st.sampled_from(DEFAULTS[name].ruleset.options), max_size=6, unique_by=lambda o: o.name)
    ):
        if option.name in ("players", "suits"):
            continue
        match option.kind:
            case "bool":
                chosen[option.name] = draw(st.booleans())
            case "choice":
                chosen[option.name] = draw(st.sampled_from(option.choices)).value
            case "int":
                value = draw(st.integers(option.low, min(option.high, option.low + 20)))
                chosen[option.name] = draw(st.none()) if option.nullable and draw(st.booleans()) else value
            case _:
                chosen[option.name] = {"1": 9} if option.name == "money_cap" else {"pure_suit": 16}
    return chosen


def play(name: str, options: dict[str, Any]) -> Rules | None:
    """The rules, or None where the options contradict each other (which is refused, not played)."""
    try:
        return rules(name, options)
    except ValueError:
        return None


@pytest.mark.parametrize("name", PRESETS)
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_complete_hand_is_scored_or_refused_and_pays_to_zero(name: str, data: st.DataObject) -> None:
    table = play(name, data.draw(some_options(name)))
    won = data.draw(a_win(name))
    if table is None:
        return
    result = table.score(won)
    if isinstance(result, Refusal):
        assert result.problems
        assert {p.code for p in result.problems} <= {
            "below_minimum",
            "contract_not_reached",
            "revealed_self_draw_only",
            "wild_chow",
        }
        assert all(hint.text.zh and hint.text.en for hint in result.hints)
        return
    assert sum(result.payments) == 0
    assert result.payments[won.winner] >= 0
    assert list(result.elements) == sorted(result.elements)
    # The receipt adds up: a line for every element, every tile once, the last step is what the winner receives.
    shown = sorted(
        f"{line.element}:{line.value}" if line.shown.en.startswith("+") else line.element for line in result.lines
    )
    assert shown == list(result.elements)
    assert result.steps[-1].value == result.payments[won.winner]
    if result.groups:
        assert sorted(tile for group in result.groups for tile in group.tiles) == sorted(won.hand.all_tiles)
        assert sum(group.won for group in result.groups) == 1
    if result.second:
        assert result.second.payments[won.winner] <= result.payments[won.winner]


@pytest.mark.parametrize("name", DISTINCT)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_order_of_tiles_and_melds_does_not_matter(name: str, data: st.DataObject) -> None:
    won = data.draw(a_win(name))
    hand = won.hand
    concealed = tuple(data.draw(st.permutations(hand.concealed)))
    melds = tuple(data.draw(st.permutations(hand.melds)))
    turned = replace(won, hand=Hand(concealed, melds, hand.winning_tile, tuple(reversed(hand.flowers))))
    before, after = DEFAULTS[name].score(won), DEFAULTS[name].score(turned)
    assert before.ok == after.ok
    if isinstance(before, Score) and isinstance(after, Score):
        assert (before.elements, before.figures, before.payments) == (after.elements, after.figures, after.payments)


def turn(value: Any, by: int, players: int) -> Any:
    """Seats moved on by so many places; a list of seats keeps its order."""
    if isinstance(value, tuple):
        return tuple((seat + by) % players for seat in value)
    return (value + by) % players


SEATS = ("discarder", "revealed", "open_ready_payers", "three_claim_feeder")


@pytest.mark.parametrize("name", DISTINCT)
@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(1, 3))
def test_turning_the_table_only_turns_the_payments(name: str, data: st.DataObject, by: int) -> None:
    table = DEFAULTS[name]
    won = data.draw(a_win(name))
    players = table.players
    said = {key: turn(value, by, players) if key in SEATS else value for key, value in won.circumstances.items()}
    contract = won.contract and replace(won.contract, seat=turn(won.contract.seat, by, players))
    turned = replace(won, winner=turn(won.winner, by, players), circumstances=said, contract=contract)
    before, after = table.score(won), table.score(turned)
    assert before.ok == after.ok
    if isinstance(before, Score) and isinstance(after, Score):
        assert before.elements == after.elements
        assert [after.payments[turn(seat, by, players)] for seat in range(players)] == list(before.payments)


@pytest.mark.parametrize("name", DISTINCT)
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_bigger_stake_only_scales_the_payments(name: str, data: st.DataObject) -> None:
    won = data.draw(a_win(name))
    before, after = DEFAULTS[name].score(won), rules(name, {"unit": 5}).score(won)
    assert before.ok == after.ok
    if isinstance(before, Score) and isinstance(after, Score):
        assert [5 * amount for amount in before.payments] == list(after.payments)
