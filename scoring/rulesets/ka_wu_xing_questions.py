"""What the app must ask about a 卡五星 win: only what the hand, other answers and the options leave open."""

from typing import cast

from scoring.hand import Answers, Hand
from scoring.receipt import NEEDS, seat_choices, way_choices, won_by
from scoring.rules import (
    Choice,
    Question,
)
from scoring.rulesets.ka_wu_xing_tables import KaWuXingOptions
from scoring.settlement import Text


def questions_of(o: KaWuXingOptions) -> tuple[Question, ...]:
    """The questions of a table with these options, in the order they are asked."""
    values = o.values

    def offered_ways(_hand: Hand, answers: Answers) -> tuple[Choice, ...]:
        revealed = cast("tuple[int, ...]", answers.get("revealed") or ())
        ways = way_choices()
        return ways[:1] if o.revealed_self_draw_only and answers.get("winner", 0) in revealed else ways

    def bloom(hand: Hand, answers: Answers) -> bool:
        return answers.get("win_by", "self_draw") == "self_draw" and any(meld.is_kong for meld in hand.melds)

    def chain_high(hand: Hand, answers: Answers) -> bool:
        return o.kong_bloom_chain_doubles and bool(answers.get("kong_bloom")) and bloom(hand, answers)

    def robbed_choices(_hand: Hand, _answers: Answers) -> tuple[Choice, ...]:
        return (
            Choice("added", Text("补杠", "an added kong")),
            *((Choice("chained", Text("杠上杠", "a chained kong")),) if o.rob_chain_kong else ()),
            *((Choice("concealed", Text("暗杠", "a concealed kong")),) if o.rob_concealed_kong else ()),
        )

    def missed(_hand: Hand, answers: Answers) -> bool:
        return o.missed_win != "off" and answers.get("win_by") == "discard"

    def passed_choices(_hand: Hand, answers: Answers) -> tuple[Choice, ...]:
        out = (answers.get("winner", 0), answers.get("discarder"))
        return tuple(Choice(seat, Text(f"{seat} 号", f"seat {seat}")) for seat in range(o.players) if seat not in out)

    questions = [
        Question("winner", "seat", Text("谁胡了？", "Who won?"), True, 0, choices_among=seat_choices(o.players, True)),
        Question("win_by", "choice", Text("怎么胡的？", "How was it won?"), True, "self_draw",
            choices_among=offered_ways),
        Question(
            "discarder", "seat", Text("谁放的炮（被抢了杠）？", "Who discarded it (or whose kong was robbed)?"), True,
            offered_when=won_by("discard", "rob_kong"), choices_among=seat_choices(o.players, False),
            needs=NEEDS["discarder"],
        ),
        Question(
            "revealed", "seats", Text("谁亮倒了？按先后", "Who had revealed, in order?"),
            low=0, high=o.players, choices_among=seat_choices(o.players, True), element="revealed_hand",
        ),
    ]  # fmt: skip
    ticks = (
        ("kong_bloom", "是杠后补的牌吗？", "Was it the replacement tile of a kong?", bloom, "kong_bloom"),
        ("kong_discard", "是对方杠后打出的吗？", "Was it discarded right after a kong?", won_by("discard"), "discard"),
        ("last_tile_draw", "是牌墙最后一张吗？", "Was it the last tile of the wall?", won_by("self_draw"), "self_draw"),
        (
            "last_tile_discard",
            "是最后一抓之后打出的吗？" if o.last_tile_discard_any else "是最后摸起的那张牌打出来的吗？",
            "Was it the discard after the last draw?"
            if o.last_tile_discard_any
            else "Was it the last tile of the wall itself, discarded?",
            won_by("discard"),
            "discard",
        ),
    )
    questions += (
        Question(key, "bool", Text(zh, en), offered_when=offered, element=key, needs=NEEDS[needs])
        for key, zh, en, offered, needs in ticks
        if values[key] is not None
    )
    questions += (
        Question("kong_chain", "int", Text("连着第几个杠？", "How many kongs in a row?"), default=1, low=1, high=4,
            offered_when=chain_high,
            needs=Text("杠上开花，且本桌连杠加倍", "a kong bloom, at a table where it doubles for each kong in a row")),
        Question(
            "robbed_kong", "choice", Text("抢的是哪种杠？", "Which kind of kong was robbed?"), default="added",
            offered_when=won_by("rob_kong"), choices_among=robbed_choices, needs=NEEDS["rob_kong"],
        ),
        Question(
            "passed_discarder", "seat", Text("摸牌之前放过了谁的炮？",
            "Whose discard was passed up since the last draw?"),
            offered_when=missed, choices_among=passed_choices,
            needs=Text("点炮，且本桌有漏胡的规矩", "a win on a discard, at a table with a rule about passed-up wins"),
        ),
        Question(
            "passed_multiplier", "int", Text("放过的那手几倍？", "What multiplier was passed up?"), low=1, high=4096,
            offered_when=lambda hand, answers: missed(hand, answers) and answers.get("passed_discarder") is not None,
            needs=Text("先说放过了谁的炮", "passed_discarder to be said, too"),
        ),
    )  # fmt: skip
    return tuple(questions)
