"""What one physical tile set looks like, as data: every knob of the drawings in one frozen value.

A style belongs to a set, not to a tile: all its tiles share fonts, inks, dots and sticks, as a real set does.
`random_style` draws one the way real sets are spread (mostly ivory with black or blue numbers over a red 萬, a few
of anything else); `CANONICAL` is the app's own face.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from datasets.faces import fonts

Rgb = tuple[int, int, int]
Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Style:
    """One set's look. Lengths are shares of the tile's height unless said otherwise; inks are roles d, r, g, b."""

    # The blank tile.
    seed: int = 0
    """Decides the small irregularities (wear, jitter of a bird's feathers)."""
    aspect: float = 0.74
    """Width over height: Chinese .72-.75, Japanese about .74, American about .76."""
    corner: float = 0.06
    ground: Rgb = (252, 248, 238)
    shade: float = 0.0
    """How much darker the ground gets towards one side, 0..1."""
    grain: float = 0.0
    """Unevenness of the ground, 0..1."""

    # Inks.
    dark: Rgb = (24, 26, 30)
    red: Rgb = (190, 30, 36)
    green: Rgb = (14, 112, 62)
    blue: Rgb = (28, 60, 150)
    carve: float = 0.0
    """Depth of the engraving: a dark upper inner edge and a light lower rim, 0..1."""
    wear: float = 0.0
    """How much ink has gone, 0..1."""
    wobble: float = 0.0
    """How much hand-cut lines stray, 0..1."""
    margin: float = 0.09

    # Characters.
    font: str = "wenkai-bold"
    wan_font: str = "wenkai-bold"
    honour_font: str = "wenkai-bold"
    flower_font: str = "wenkai-bold"
    bold: float = 0.0
    """Stroke added around each character (negative: taken away), share of the character's size."""
    warp: float = 0.0
    """How far the characters are bent away from the font's shape, 0..1."""
    slant: float = 0.0
    rise: float = 0.0
    """How much the horizontal strokes climb to the right, as a brush pulls them."""
    one: str = "一"
    two: str = "二"
    three: str = "三"
    five: str = "五"
    wan: str = "萬"
    number_ink: str = "d"
    wan_ink: str = "r"
    number_size: float = 0.36
    number_width: float = 1.25
    """Width over height given to the numerals."""
    number_y: float = 0.27
    wan_size: float = 0.46
    wan_width: float = 1.05
    wan_y: float = 0.69
    east: str = "東"
    green_dragon: str = "發"
    """A character, or "dragon" for the American figure."""
    red_dragon: str = "中"
    wind_ink: str = "d"
    red_ink: str = "r"
    green_ink: str = "g"
    honour_size: float = 0.62
    honour_width: float = 0.95
    honour_y: float = 0.5
    squat: float = 1.0
    """How much lower 西, 北 and 發 are than 東, as most engravers have them; 1 is the same height."""

    # White dragon.
    white: str = "frame"
    """blank, frame, double, cut, fret, letter, bracket, character or diamond."""
    white_ink: str = "b"
    white_line: float = 0.03
    white_size: float = 1.0
    """Share of the printed area that the frame takes."""

    # Dots.
    dot: str = "rings"
    dot_size: float = 1.0
    dot_spread: float = 1.0
    dot_scheme: str = "classic"
    dot_core: str = ""
    """Role of a second ink in the middle of each dot; empty for none."""
    dot_petals: int = 8
    dot_line: float = 0.12
    """Width of the lines inside a dot, share of its radius."""
    dot_close: float = 0.0
    """How far the pairs of the 6, 7 and 8 move together: 1 makes large dots touch."""
    pair_gap: float = 1.0
    """How far the upper pair of the 6 stands from the lower four: 1 is usual, 0 makes three even rows."""
    diagonal: float = 1.0
    """How steep the upper three of the 7 lie: 1 is usual, 0 is a level row."""
    big_dot: str = "medallion"
    big_dot_size: float = 0.36
    big_inks: str = "grg"

    # Bamboo.
    stick: str = "knots"
    stick_width: float = 1.0
    stick_length: float = 1.0
    stick_joints: int = 1
    stick_slot: str = "line"
    """line, segments, beads or none: what is left uncoloured inside a stick."""
    stick_knots: str = ""
    """Role of another ink for the joints between segments; empty for the stick's own."""
    stick_scheme: str = "green"
    bamboo_spread: float = 1.0
    eight: str = "joined"
    """joined: the slanted sticks of the 8 touch the upright ones; loose: they are set apart."""
    bird: str = "perched"
    bird_inks: str = "gbr"
    bird_filled: bool = False
    bird_line: float = 1.0
    bird_flip: bool = False
    bird_turn: float = 0.0
    """Radians the bird leans."""

    # Flowers.
    flower: str = "plant"
    """plant, pot, figure or sprig."""
    flower_text: str = "right"
    """Where the character stands: left, right, lower or none; the numeral takes the other side."""
    flower_chinese: bool = False
    """Whether seasons are numbered 一二三四 (then often without a character)."""
    flower_inks: str = "br"
    """Inks of the plants' and of the seasons' writing."""
    flower_simple: bool = False
    """兰 instead of 蘭, as on newer sets."""
    flower_size: float = 1.0
    flower_writing: float = 1.0
    """Size of the character and the numeral; 1 is about a quarter of the tile's height."""

    # Corner indices.
    index: str = ""
    """Corners that carry one: any of tl, tr, br (upside down), joined by a space; empty for none."""
    index_font: str = "liberation-sans-bold"
    index_size: float = 0.15
    index_ink: str = "d"
    index_honours: bool = True
    index_white: str = "P"
    """The letter of the white dragon: P, B, W or D."""

    # Red fives and backs.
    red_fives: str = "ink"
    """ink: the whole five is red; spot: a red spot beside it; both."""
    back: str = "plain"
    back_inks: tuple[Rgb, Rgb] = ((30, 120, 80), (22, 96, 62))

    def ink(self, role: str) -> Rgb:
        """The colour of a role letter: d dark, r red, g green, b blue."""
        return {"d": self.dark, "r": self.red, "g": self.green, "b": self.blue}[role]


CANONICAL = Style(
    seed=3,
    margin=0.075,
    font="wenkai-bold",
    wan_font="wenkai-bold",
    honour_font="wenkai-bold",
    flower_font="wenkai-bold",
    bold=0.015,
    ground=(255, 252, 244),
    dark=(26, 32, 44),
    red=(200, 32, 38),
    green=(12, 122, 66),
    blue=(28, 70, 168),
    number_ink="d",
    wind_ink="d",
    number_size=0.37,
    number_width=1.3,
    number_y=0.265,
    wan_size=0.45,
    wan_width=1.1,
    wan_y=0.7,
    honour_size=0.66,
    dot="rings",
    dot_scheme="classic",
    dot_close=0.5,
    big_dot="medallion",
    big_inks="grg",
    stick="knots",
    stick_slot="line",
    stick_width=1.35,
    bird="perched",
    bird_line=1.15,
    bird_filled=True,
    bird_inks="gbr",
    white="cut",
    white_line=0.035,
    flower="plant",
    red_fives="both",
    back="lattice",
    back_inks=((22, 118, 84), (12, 84, 60)),
)
"""The app's faces: LXGW WenKai Bold and Liberation Sans Bold (both OFL 1.1), full inks, legible at 32 pixels."""

DOT_SCHEMES: dict[str, dict[int, str]] = {
    # Roles in reading order, top row first.
    "classic": {2: "gb", 3: "brg", 4: "bggb", 5: "bgrgb", 6: "ggrrrr", 7: "gggrrrr", 8: "b" * 8, 9: "gggrrrbbb"},
    "classic-2": {2: "bg", 3: "grb", 4: "gbbg", 5: "gbrbg", 6: "ggrrrr", 7: "gggrrrr", 8: "b" * 8, 9: "bbbrrrggg"},
    "classic-3": {2: "gr", 3: "grb", 4: "bggb", 5: "gbrbg", 6: "bbrrrr", 7: "bbbrrrr", 8: "g" * 8, 9: "rrrgggbbb"},
    "dark": {2: "dd", 3: "drd", 4: "dddd", 5: "ddrdd", 6: "ddrrrr", 7: "dddrrrr", 8: "d" * 8, 9: "dddrrrddd"},
    "dark-green": {2: "gd", 3: "grd", 4: "dggd", 5: "dgrgd", 6: "ggrrrr", 7: "gggrrrr", 8: "d" * 8, 9: "gggrrrddd"},
    "green": {2: "gg", 3: "grg", 4: "gggg", 5: "ggrgg", 6: "ggrrrr", 7: "gggrrrr", 8: "g" * 8, 9: "gggrrrggg"},
    "blue": {2: "bb", 3: "brb", 4: "bbbb", 5: "bbrbb", 6: "bbrrrr", 7: "bbbrrrr", 8: "b" * 8, 9: "bbbrrrbbb"},
    "plain": {2: "bb", 3: "bbb", 4: "bbbb", 5: "bbbbb", 6: "bbbbbb", 7: "b" * 7, 8: "b" * 8, 9: "b" * 9},
    "plain-dark": {2: "dd", 3: "ddd", 4: "dddd", 5: "ddddd", 6: "dddddd", 7: "d" * 7, 8: "d" * 8, 9: "d" * 9},
    "six-blue": {2: "gg", 3: "brg", 4: "bggb", 5: "bgrgb", 6: "ggrrrr", 7: "gggrrrr", 8: "d" * 8, 9: "bbbrrrggg"},
}

STICK_SCHEMES: dict[str, dict[int, str]] = {
    "green": {2: "gg", 3: "ggg", 4: "gggg", 5: "ggrgg", 6: "g" * 6, 7: "rgggggg", 8: "g" * 8, 9: "grg" * 3},
    "green-blue": {2: "gg", 3: "ggg", 4: "gggg", 5: "ggrgg", 6: "g" * 6, 7: "rgbggbg", 8: "g" * 8, 9: "grg" * 3},
    "mixed": {2: "gb", 3: "rgg", 4: "gbbg", 5: "gbrbg", 6: "gggbbb", 7: "rgbggbg", 8: "g" * 8, 9: "rbg" * 3},
    "mixed-2": {2: "gg", 3: "bgg", 4: "bggb", 5: "gbrbg", 6: "gggggg", 7: "rgggggg", 8: "gggggggg", 9: "grb" * 3},
    "rows": {2: "gb", 3: "bgg", 4: "gbbg", 5: "gbrbg", 6: "gggbbb", 7: "rggggbb", 8: "ggggbbbb", 9: "rrrgggbbb"},
    "dark": {2: "dd", 3: "ddd", 4: "dddd", 5: "ddrdd", 6: "d" * 6, 7: "rdddddd", 8: "d" * 8, 9: "drd" * 3},
    "plain": {2: "gg", 3: "ggg", 4: "gggg", 5: "ggggg", 6: "g" * 6, 7: "g" * 7, 8: "g" * 8, 9: "g" * 9},
    "blue": {2: "bb", 3: "bbb", 4: "bbbb", 5: "bbrbb", 6: "b" * 6, 7: "rbbbbbb", 8: "b" * 8, 9: "brb" * 3},
}

DOTS = (
    "rings",
    "target",
    "hollow",
    "petals",
    "spokes",
    "cross",
    "quarters",
    "flower",
    "solid",
    "ring",
    "dashes",
    "double",
    "coin",
    "scallop",
)
BIG_DOTS = ("medallion", "sunflower", "wheel", "rings", "rosette", "dashes", "daisy", "beads", "large")
STICKS = ("knots", "bone", "capsule", "blocks", "beads", "chain", "bar")
BIRDS = ("perched", "sparrow", "crane", "fan", "peacock", "phoenix", "eagle", "shoot", "stalk", "rooster")
WHITES = ("blank", "frame", "double", "cut", "fret", "letter", "bracket", "character", "diamond")
BACKS = ("plain", "gradient", "bamboo", "lattice", "logo", "dots", "stripes", "frame", "weave")


def _pick(rng: np.random.Generator, **odds: float) -> str:
    """One of the names with the given odds; underscores stand for hyphens and `none` for the empty name."""
    names = list(odds)
    p = np.array(list(odds.values()), dtype=np.float64)
    name = names[int(rng.choice(len(names), p=p / p.sum()))]
    return "" if name == "none" else name.replace("_", "-")


def _of(rng: np.random.Generator, options: Sequence[Choice]) -> Choice:
    return options[int(rng.integers(len(options)))]


def _colour(
    rng: np.random.Generator, hue: tuple[float, float], sat: tuple[float, float], val: tuple[float, float]
) -> Rgb:
    h, s, v = (float(rng.uniform(*span)) for span in (hue, sat, val))
    r, g, b = colorsys.hsv_to_rgb(h % 1.0, s, v)
    return int(r * 255), int(g * 255), int(b * 255)


def _font(rng: np.random.Generator, text: str) -> str:
    able = [font for font in fonts.require() if fonts.has(font.name, text)] or list(fonts.require())
    p = np.array([font.weight for font in able])
    return able[int(rng.choice(len(able), p=p / p.sum()))].name


def _inks(rng: np.random.Generator, light: bool) -> dict[str, Rgb]:
    if light:  # light inks on a dark tile
        return {
            "dark": _colour(rng, (0.1, 0.16), (0.0, 0.25), (0.85, 1.0)),
            "red": _colour(rng, (-0.03, 0.04), (0.5, 0.9), (0.8, 1.0)),
            "green": _colour(rng, (0.3, 0.45), (0.4, 0.8), (0.7, 0.95)),
            "blue": _colour(rng, (0.5, 0.62), (0.3, 0.7), (0.8, 1.0)),
        }
    deep = float(rng.uniform(0, 1))  # a set's inks are deep or bright together
    inks = {
        "dark": _colour(rng, (0.3, 0.72), (0.0, 0.45), (0.04, 0.25)),
        "red": _colour(rng, (-0.04, 0.03), (0.72, 1.0), (0.5 + 0.35 * deep, 0.62 + 0.35 * deep)),
        "green": _colour(rng, (0.34, 0.46), (0.5, 1.0), (0.16 + 0.35 * deep, 0.34 + 0.35 * deep)),
        "blue": _colour(rng, (0.58, 0.68), (0.6, 1.0), (0.3 + 0.35 * deep, 0.5 + 0.4 * deep)),
    }
    habit = rng.random()
    if habit < 0.05:  # engraved in one colour
        one = inks[_of(rng, ("dark", "dark", "blue", "green", "red"))]
        return dict.fromkeys(inks, one)
    if habit < 0.12:  # two inks: red and something
        other = inks[_of(rng, ("dark", "blue", "green"))]
        return {"dark": other, "green": other, "blue": other, "red": inks["red"]}
    return inks


def _ground(rng: np.random.Generator) -> tuple[Rgb, bool]:
    kind = _pick(rng, white=4, ivory=4, cream=2, yellow=0.3, grey=1, green=0.25, pink=0.15, blue=0.15, black=0.3)
    spans = {
        "white": ((0.1, 0.6), (0.0, 0.04), (0.93, 1.0)),
        "ivory": ((0.08, 0.15), (0.04, 0.14), (0.88, 1.0)),
        "cream": ((0.08, 0.15), (0.12, 0.26), (0.84, 0.98)),
        "yellow": ((0.1, 0.16), (0.25, 0.5), (0.8, 0.98)),
        "grey": ((0.05, 0.6), (0.0, 0.08), (0.72, 0.9)),
        "green": ((0.3, 0.45), (0.08, 0.35), (0.7, 0.92)),
        "pink": ((0.92, 1.02), (0.08, 0.25), (0.85, 0.98)),
        "blue": ((0.52, 0.62), (0.08, 0.3), (0.8, 0.98)),
        "black": ((0.0, 1.0), (0.0, 0.3), (0.04, 0.2)),
    }
    return _colour(rng, *spans[kind]), kind == "black"


def _back(rng: np.random.Generator) -> tuple[str, tuple[Rgb, Rgb]]:
    kind = _pick(rng, plain=5, gradient=2, bamboo=1.5, lattice=1, logo=1, dots=0.6, stripes=0.5, frame=0.7, weave=0.5)
    hue = _pick(
        rng, green=5, blue=3, yellow=2.5, orange=1.2, red=0.8, purple=0.7, black=1, wood=1.2, pink=0.4, white=0.5
    )
    spans = {
        "green": ((0.28, 0.46), (0.45, 1.0), (0.25, 0.8)),
        "blue": ((0.53, 0.67), (0.45, 1.0), (0.3, 0.9)),
        "yellow": ((0.1, 0.16), (0.6, 1.0), (0.7, 1.0)),
        "orange": ((0.05, 0.1), (0.7, 1.0), (0.75, 1.0)),
        "red": ((-0.03, 0.02), (0.6, 1.0), (0.4, 0.85)),
        "purple": ((0.7, 0.82), (0.35, 0.9), (0.3, 0.75)),
        "black": ((0.0, 1.0), (0.0, 0.3), (0.04, 0.22)),
        "wood": ((0.05, 0.11), (0.35, 0.75), (0.35, 0.75)),
        "pink": ((0.88, 0.97), (0.3, 0.6), (0.8, 1.0)),
        "white": ((0.1, 0.15), (0.0, 0.15), (0.85, 1.0)),
    }
    first = _colour(rng, *spans["wood" if kind == "bamboo" and rng.random() < 0.6 else hue])
    if rng.random() < 0.25:
        return kind, (first, _colour(rng, (0.1, 0.16), (0.3, 0.8), (0.7, 1.0)))
    factor = float(rng.uniform(0.6, 0.9) if rng.random() < 0.6 else rng.uniform(1.1, 1.35))
    second = tuple(int(min(255, 20 + channel * factor)) for channel in first)
    return kind, (first, (second[0], second[1], second[2]))


def random_style(rng: np.random.Generator) -> Style:
    """A tile set nobody has seen. The same generator state gives the same style on the same installed fonts."""
    u = lambda low, high: float(rng.uniform(low, high))  # noqa: E731 - a dozen short uses below
    maker = _pick(rng, chinese=6, japanese=3, american=1)
    ground, light = _ground(rng)
    inks = _inks(rng, light)
    simple = rng.random() < (0.12 if maker == "chinese" else 0.0)
    wan = "万" if simple and rng.random() < 0.7 else "萬"
    five = "伍" if rng.random() < (0.6 if maker != "american" else 0.3) else "五"
    by_hand = rng.random() < 0.3
    hand = f"{fonts.HAND}{int(rng.integers(2**31))}"
    base = hand if by_hand and wan == "萬" else _font(rng, "四五六" + ("" if wan == "万" else "萬"))
    if five == "伍" and not fonts.has(base, "伍"):
        five = "五"
    same = rng.random() < 0.6
    wan_font = base if same else _font(rng, wan)
    honour_font = base if rng.random() < 0.6 else hand if by_hand else _font(rng, "東南西北")
    number_ink = {
        "chinese": _pick(rng, d=4, b=4, g=1, r=0.3),
        "japanese": _pick(rng, d=8, b=1, g=0.5, r=0.3),
        "american": _pick(rng, d=4, b=4, g=1.5, r=0.5),
    }[maker]
    wind_ink = number_ink if rng.random() < 0.75 and number_ink != "r" else _pick(rng, d=3, b=3, g=0.5)
    dark_set = maker == "japanese" or number_ink == "d"
    dot_scheme = (
        _pick(rng, dark=6, dark_green=3, green=1, blue=1, classic=2, classic_2=1, plain_dark=0.4, six_blue=1)
        if dark_set
        else _pick(rng, classic=5, classic_2=4, classic_3=1.5, six_blue=1, green=1, blue=0.7, dark_green=0.5, plain=0.3)
    )
    stick_scheme = (
        _pick(rng, dark=4, green=5, green_blue=1, mixed_2=0.5, plain=0.3)
        if dark_set
        else _pick(rng, green=5, green_blue=4, mixed=1, mixed_2=1, rows=0.7, plain=0.4, blue=0.4)
    )
    number_size, wan_size = u(0.29, 0.42), u(0.38, 0.52)
    index = {
        "chinese": _pick(rng, none=5, tl=3, tr=1, br=0.3, both=0.8),
        "japanese": _pick(rng, none=9, tl=1, tr=0.5, br=0.1, both=0.1),
        "american": _pick(rng, none=0.5, tl=4, tr=3, br=0.2, both=3),
    }[maker].replace("both", "tl br")
    flower_text = _pick(rng, right=4, left=4, lower=1, none=0.8) or "none"
    back, back_inks = _back(rng)
    # A chisel cuts thin faces wider, and closes the gaps of black ones unless they are cut finer.
    weights = [fonts.heaviness(name) for name in (base, wan_font, honour_font)]
    heaviest = max(weights)
    spare = min(max((0.25 - heaviest) * 0.35, 0.0), 0.045)
    bold = u(0.15 * spare, spare) if rng.random() < 0.8 else 0.0
    if min(weights) > 0.3 and not by_hand:
        bold = u(-0.014, 0.0)
    eyebrow = rng.random() < 0.02
    style = Style(
        seed=int(rng.integers(2**31)),
        aspect={"chinese": u(0.69, 0.77), "japanese": u(0.71, 0.78), "american": u(0.72, 0.80)}[maker],
        corner=u(0.02, 0.11),
        ground=ground,
        shade=u(0, 0.12) if rng.random() < 0.5 else 0.0,
        grain=u(0, 0.04) if rng.random() < 0.3 else 0.0,
        **inks,
        carve=u(0.2, 1.0) if rng.random() < 0.6 else 0.0,
        wear=u(0.05, 0.45) if rng.random() < 0.22 else 0.0,
        wobble=u(0.1, 1.0) if rng.random() < 0.5 else 0.0,
        margin=u(0.06, 0.15),
        font=base,
        wan_font=wan_font,
        honour_font=honour_font,
        flower_font=base if rng.random() < 0.5 else _font(rng, "春夏秋冬"),
        bold=bold,
        warp=u(0.1, 1.0) if rng.random() < 0.6 else 0.0,
        slant=u(-0.08, 0.08) if rng.random() < 0.25 else 0.0,
        rise=u(0.0, 0.14) if rng.random() < 0.35 else 0.0,
        one="壹" if eyebrow else "一",
        two=_of(rng, ("贰", "貳")) if eyebrow else "二",
        three=_of(rng, ("叁", "參")) if eyebrow else "三",
        five=five,
        wan=wan,
        number_ink=number_ink,
        wan_ink=_pick(rng, r=12, d=0.6, b=0.3) if number_ink != "r" else _pick(rng, d=1, r=1, b=1, g=1),
        number_size=number_size,
        number_width=u(0.95, 1.6),
        number_y=u(0.25, 0.3) if not index else u(0.26, 0.32),
        wan_size=wan_size,
        wan_width=u(0.85, 1.3),
        wan_y=min(u(0.63, 0.71), 0.93 - wan_size / 2),
        east="东" if simple and rng.random() < 0.6 else "東",
        green_dragon="dragon"
        if maker == "american" and rng.random() < 0.35
        else ("发" if simple else ("発" if rng.random() < 0.03 else "發")),
        red_dragon="中",
        wind_ink=wind_ink,
        red_ink="r" if rng.random() < 0.96 else "d",
        green_ink="g" if rng.random() < (0.8 if maker == "japanese" else 0.96) else "d",
        honour_size=u(0.44, 0.72),
        honour_width=u(0.8, 1.12),
        squat=u(0.7, 1.0),
        honour_y=u(0.48, 0.54),
        white={
            "chinese": _pick(
                rng, blank=1.5, frame=3, double=4, cut=4, fret=1, letter=0.7, bracket=0.7, character=0.4, diamond=0.4
            ),
            "japanese": _pick(rng, blank=12, frame=1.5, double=1, cut=0.7, character=0.3),
            "american": _pick(rng, frame=3, double=3, cut=2, fret=3, letter=2, bracket=1, character=0.2, diamond=0.5),
        }[maker],
        white_ink=_pick(rng, b=5, d=2, g=0.7, r=0.4) if number_ink == "b" else _pick(rng, d=4, b=3, g=0.7, r=0.6),
        white_line=u(0.016, 0.05),
        white_size=u(0.78, 1.0),
        dot=_pick(
            rng,
            rings=4,
            target=2,
            hollow=1,
            petals=3,
            spokes=2,
            cross=2,
            quarters=1,
            flower=1,
            solid=0.7,
            ring=0.4,
            dashes=2,
            double=0.7,
            coin=1,
            scallop=1,
        ),
        dot_size=u(0.82, 1.04),
        dot_spread=u(0.8, 1.05),
        dot_scheme=dot_scheme,
        dot_core=_pick(rng, none=5, r=1.2, g=0.5, d=0.3),
        dot_petals=int(rng.integers(4, 11)),
        dot_line=u(0.07, 0.18),
        dot_close=u(0, 0.8),
        pair_gap=u(0.6, 1.2) if rng.random() < 0.85 else u(0.0, 0.6),
        diagonal=u(0.6, 1.3) if rng.random() < 0.9 else u(0.1, 0.6),
        big_dot=_of(rng, BIG_DOTS),
        big_dot_size=u(0.22, 0.35),
        big_inks=(
            _of(rng, ("drd", "drr", "dgr", "ddd", "grd", "drg"))
            if dark_set
            else _of(rng, ("grg", "bgr", "grb", "brg", "grr", "gbr", "gbb", "brr"))
        ),
        stick=_pick(rng, knots=5, bone=3, capsule=2, blocks=1.2, beads=1.5, chain=1.5, bar=0.8),
        stick_width=u(0.8, 1.7),
        stick_length=u(0.86, 1.04),
        stick_joints=int(_of(rng, (1, 1, 1, 2, 2, 3))),
        stick_slot=_pick(rng, line=4, segments=3, beads=1, none=2) or "none",
        stick_knots=_pick(rng, none=14, r=1, b=0.7, g=0.4, d=0.5),
        stick_scheme=stick_scheme,
        bamboo_spread=u(0.82, 1.04),
        eight="joined" if rng.random() < 0.75 else "loose",
        bird={
            "chinese": _pick(
                rng,
                perched=4,
                sparrow=4,
                crane=2,
                phoenix=2.5,
                peacock=1.5,
                fan=1,
                eagle=1,
                rooster=1,
                shoot=0.3,
                stalk=0.3,
            ),
            "japanese": _pick(rng, fan=5, peacock=4, crane=1, sparrow=2, perched=1.5, phoenix=1, rooster=1, eagle=0.5),
            "american": _pick(
                rng, perched=2, sparrow=2, crane=3, eagle=2, peacock=2, phoenix=1, shoot=0.7, stalk=0.7, rooster=1
            ),
        }[maker],
        bird_inks="".join(rng.permutation(list("gbr")))
        if not dark_set
        else _of(rng, ("drg", "drd", "dgr", "drr", "grd", "gdr")),
        bird_filled=bool(rng.random() < 0.4),
        bird_line=u(0.55, 1.4),
        bird_turn=u(-0.22, 0.22),
        bird_flip=bool(rng.random() < 0.5),
        flower=_pick(rng, plant=5, sprig=2, pot=1, figure=1.2),
        flower_text=flower_text,
        flower_chinese=bool(rng.random() < 0.25),
        flower_inks=_pick(rng, br=4, dr=3, rd=1, bb=0.5, dd=1, rb=1, gr=1),
        flower_simple=bool(rng.random() < 0.4),
        flower_size=u(0.85, 1.2),
        flower_writing=u(0.8, 1.25),
        index=index,
        index_font=_of(rng, fonts.installed(latin=True)).name,
        index_size=u(0.10, 0.17),
        index_ink=_pick(rng, d=3, r=4, b=2.5, g=0.8),
        index_honours=bool(rng.random() < 0.8),
        index_white=_pick(rng, P=3, B=3, W=0.5, D=0.5),
        red_fives=_pick(rng, ink=4, both=2, spot=1.2),
        back=back,
        back_inks=back_inks,
    )
    return style if not light else replace(style, wear=style.wear / 2)
