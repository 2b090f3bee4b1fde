"""A hand for every element that a hand can show, in the hand's one-line notation; a test scores each of them.

Elements of circumstance (a kong bloom, the last tile) have none: no hand shows them."""

from collections.abc import Mapping
from typing import Final

EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "ka_wu_xing": {
        "chicken_hand": "123789p 34567s 22p + 8s",
        "all_pungs": "111999p 22255s 88p + 5s",
        "pure_suit": "1233455678899p + 9p",
        "seven_pairs": "11335577p 2244s C + C",
        "dragon_seven_pairs": "11115577p 2244s C + C",
        "double_dragon_seven_pairs": "11115555p 2244s C + C",
        "triple_dragon_seven_pairs": "11115555p 2222s C + C",
        "three_dragons_seven_pairs": "1133p 2244s CCFFP + P",
        "big_three_dragons": "123p 5s CCCFFFPPP + 5s",
        "little_three_dragons": "123p 45s CCCFFFPP + 6s",
        "middle_five": "123789p 4556s CCC + 5s",
        "open_four": "68p 123456s CC [777p] + 7p",
        "concealed_four": "67778p 123456s CC + 7p",
        "single_tile_hand": "5s [111p] [888p] [222s] [CCC] + 5s",
    },
    "shandong": {
        "plain_win": "12355m 34456p 789s + 5p",
        "mixed_suit": "12355678m EEECC + C",
        "pure_straight": "123456789m 2234p + 5p",
        "all_pungs": "111m 22333p 444s EE + E",
        "seven_pairs": "1122m 3344p 5566s E + E",
        "pure_suit": "1233455567899m + 9m",
        "all_258": "222m 55522p 88855s + 5s",
    },
    "zhuji_bao": {
        "all_chows": "123456m 234p 6799s + 8s",
        "all_pungs": "111m 222p 333s EECC + C",
        "mixed_suit": "123345678m EECC + C",
        "pure_suit": "1233455567899m + 9m",
        "all_honours": "EEESSSWWWCCFF + F",
        "east_pung": "123m 456p 7899s EEE + 9s",
        "dragon_pung": "123m 456p 7899s CCC + 9s",
        "no_wild": "123m 456p 7899s EEE + 9s",
    },
}
"""By game and element."""
