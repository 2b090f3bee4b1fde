"""The contract every rule system keeps: what it can be asked, and what its answers look like.

A `Ruleset` is one game (卡五星, 山东, 诸暨包): a table of `Element`s, a frozen dataclass of `Option`s, presets that
change some of them, and pure functions from a win to a `Score` or a `Refusal`. `Rules` is a ruleset with its options
fixed: what one table plays. Everything carries its own explanation: an option its sentence and source, a score its
receipt, a refusal everything that is wrong at once.
"""

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar, cast

from scoring.hand import Answer, Answers, Hand, MeldKind, Win, written
from scoring.settlement import Settlement, Text

Value = Any
"""An option's value: bool, int, str, None, a tuple of strings, or a mapping of string to int."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, as one sentence; `code` names the kind of trouble for programs."""

    code: str
    text: Text


class RulesError(ValueError):
    """Options that cannot be: an unknown preset or option, a value out of range, a contradiction."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.text.en for problem in self.problems))


@dataclass(frozen=True, slots=True)
class Element:
    """A named part of a hand's worth. `unit`: `×` multiplies, `番` and `台` add, `+` is a bonus."""

    id: str
    name: Text
    value: int | None
    unit: Literal["×", "番", "台", "+"]
    condition: Text
    source: str
    excludes: tuple[str, ...] = ()

    def shown(self, value: int) -> Text:
        """The value as it stands on a receipt: ×4, +2, 2番 or 2 fan."""
        if self.unit in "×+":
            return Text(f"{self.unit}{value}", f"{self.unit}{value}")
        return Text(f"{value}{self.unit}", f"{value} {'fan' if self.unit == '番' else 'tai'}")


SOURCES: Final[Mapping[str, Text]] = {
    "LY": Text("乐游：卡五星麻将游戏规则", "LY: an article of a download site on 卡五星"),
    "A": Text("卡五星规则（百科，随州、襄阳、枣阳、十堰）", "A: an encyclopaedia's rules, with the towns' caps"),
    "B": Text("云梦三人卡五星", "B: the rules of Yunmeng"),
    "C": Text("卡五星游戏规则（包胡）", "C: a third full description, with full liability"),
    "D": Text("襄樊卡五星的游戏规则", "D: the table of Xiangfan"),
    "E": Text("网友解答", "E: a forum answer on terms and money limits"),
    "F": Text("卡五星的来历（四人打法）", "F: the history of the game, played by four"),
    "SD": Text("山东麻将规则", "SD: the rules of Shandong mahjong"),
    "ZJ": Text("诸暨包麻将棋牌游戏规则（残）", "ZJ: the rules of Zhuji Bao, cut off at the end"),
    "[ext]": Text("其他公开程序的做法，原文没有", "[ext]: known from public programs, not from the sources"),
}
"""What the short names of sources stand for, which elements and options carry."""
_IN_CHINESE: Final[Mapping[str, str]] = {
    "our reading of": "我们的理解：",
    "element values from": "番值取自",
    "contradicts itself": "自相矛盾",
    "without a cap": "不封顶",
    "the 84th tile": "第 84 张",
    "help text of": "帮助：",
    "not stated": "未写明",
    "cut off": "残缺",
    "damaged": "残缺",
    "undefined": "未写明",
    "silent": "未提",
    "named": "只有名称",
    "house": "自家",
    "stays": "不换",
    "lost": "缺失",
    "only": "仅此",
    "each": "每个",
    "any": "任一",
    "all": "全部",
    "one": "一个",
    "yes": "是",
    "no": "否",
}
"""What is said about a source beside its own words, which stand as they are in any language."""
_SAID: Final = re.compile("|".join(rf"\b{words}\b ?" for words in _IN_CHINESE))


def source_text(source: str) -> Text:
    """Where a value comes from, for readers of either language."""
    return Text(_SAID.sub(lambda said: _IN_CHINESE[said[0].strip()], source), source)


def legend(sources: Iterable[str]) -> list[Text]:
    """A line for each short name in these sources: what it stands for."""
    named = {word for source in sources for word in re.findall(r"\[ext\]|\b[A-Z]{1,2}\b", source)}

    def line(short: str, said: str, colon: str) -> str:
        return said if said.startswith(short) else f"{short}{colon}{said}"

    return [
        Text(line(short, text.zh, "："), line(short, text.en, ": "))
        for short, text in SOURCES.items()
        if short in named
    ]


# ---------------------------------------------------------------- options


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option or question, with its words."""

    value: Value
    text: Text


@dataclass(frozen=True, slots=True)
class Option:
    """A switch of the rules. `name` may be dotted (`values.pure_suit`); `row` is its row in RULES.md section 6.

    `kind`: `bool`, `int` (within `low`…`high`), `choice` (one of `choices`), `suits` (a tuple of m, p, s) or
    `map` (string keys to integers, for caps and money limits; None and "off" are the empty table). `nullable`: None
    switches the thing off.
    """

    name: str
    kind: Literal["bool", "int", "choice", "suits", "map"]
    default: Value
    text: Text
    source: str
    row: int | None = None
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 1_000_000
    nullable: bool = False
    aliases: Mapping[Any, Value] = field(default_factory=lambda: MappingProxyType({}))

    def read(self, value: Value) -> Value:
        """The value in its internal form, from Python, JSON or TOML. Raises `RulesError` that names the option."""
        if isinstance(value, (str, int)) and value in self.aliases:
            return self.aliases[value]
        if value is None and self.nullable:
            return None
        if self.kind == "map" and value in (None, "off"):
            value = cast("Value", {})
        match self.kind:
            case "bool" if isinstance(value, bool):
                return value
            case "int" if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
                return value
            case "choice" if any(choice.value == value for choice in self.choices):
                return value
            case "suits" if isinstance(value, (list, tuple, str)):
                suits = tuple(suit for suit in "mps" if suit in cast("Sequence[str]", value))
                if len(suits) == len(cast("Sequence[str]", value)) and len(suits) >= self.low:
                    return suits
            case "map" if isinstance(value, Mapping):
                items = cast("Mapping[Any, Any]", value)
                if all(
                    isinstance(v, int) and not isinstance(v, bool) and self.low <= v <= self.high
                    for v in items.values()
                ):
                    return MappingProxyType({str(key): int(v) for key, v in items.items()})
            case _:
                pass
        raise RulesError((Problem("option_value", self._refusal(value)),))

    def shown(self, value: Value, language: str = "en") -> str:
        """A value of this option as people read it: yes or no, a choice's words, a table's rows."""
        chinese = language.startswith("zh")
        if value is None:
            return "关" if chinese else "off"
        if isinstance(value, bool):
            return ("是" if value else "否") if chinese else ("yes" if value else "no")
        if isinstance(value, Mapping):
            rows = cast("Mapping[str, int]", value)
            return ", ".join(f"{key} {amount}" for key, amount in rows.items()) or ("无" if chinese else "none")
        if isinstance(value, tuple):
            return " ".join(cast("tuple[str, ...]", value))
        return next((choice.text(language) for choice in self.choices if choice.value == value), str(value))

    def _refusal(self, value: Value) -> Text:
        off_zh, off_en = ("或关闭", " or off") if self.nullable else ("", "")
        match self.kind:
            case "bool":
                zh, en = "只能是 true 或 false", "must be true or false"
            case "int":
                zh, en = (
                    f"须为 {self.low} 到 {self.high} 的整数{off_zh}",
                    f"must be a whole number from {self.low} to {self.high}{off_en}",
                )
            case "choice":
                words = ", ".join(str(choice.value) for choice in self.choices)
                zh, en = f"只能是：{words}{off_zh}", f"must be one of {words}{off_en}"
            case "suits":
                zh, en = f"须为 m、p、s 中至少 {self.low} 门", f"must name at least {self.low} of the suits m, p, s"
            case "map":
                zh = f"须为名称到整数（{self.low} 到 {self.high}）的表"
                en = f"must be a table of whole numbers from {self.low} to {self.high}"
        return Text(
            f"选项“{self.name}”{zh}，不能是 {written(value)}。", f"Option “{self.name}” {en}, not {written(value)}."
        )


def option(default: Value, zh: str, en: str, source: str, row: int | None = None, **more: Any) -> Any:
    """A dataclass field that carries its `Option` (name and kind are filled in from the field by `options_of`)."""
    metadata = {"option": (default, Text(zh, en), source, row, more)}
    if isinstance(default, Mapping):
        mapping = cast("Mapping[str, int]", default)
        return field(default_factory=lambda: mapping, metadata=metadata)
    return field(default=default, metadata=metadata)


def fields_of(flat: Mapping[str, Value], table: str) -> dict[str, Any]:
    """Flat options as the fields of an options dataclass: those named `table.…` gathered in one mapping, the rest as
    they are. What every ruleset's `build` begins with."""
    gathered = {key.removeprefix(f"{table}."): value for key, value in flat.items() if key.startswith(f"{table}.")}
    return {table: MappingProxyType(gathered), **{key: value for key, value in flat.items() if "." not in key}}


def options_of(options_type: type[Any], tables: Mapping[str, Sequence[Element]]) -> tuple[Option, ...]:
    """Every option of an options dataclass: its fields, and one `table.element` for each element of `tables`."""
    found: list[Option] = []
    for spec in dataclasses.fields(options_type):
        if spec.name in tables:
            found += (
                Option(
                    f"{spec.name}.{element.id}",
                    "int",
                    element.value,
                    Text(f"{element.name.zh}：{element.condition.zh}", f"{element.name.en}: {element.condition.en}"),
                    element.source,
                    low=0 if element.unit != "×" else 1,
                    high=1024,
                    nullable=True,
                )
                for element in tables[spec.name]
            )
            continue
        default, text, source, row, more = spec.metadata["option"]
        kind = more.get("kind") or (
            "choice"
            if "choices" in more
            else "bool"
            if isinstance(default, bool)
            else "map"
            if isinstance(default, Mapping)
            else "int"
        )
        rest = {key: value for key, value in more.items() if key not in ("kind", "choices")}
        choices = tuple(Choice(value, Text(zh, en)) for value, zh, en in more.get("choices", ()))
        found.append(Option(spec.name, kind, default, text, source, row, choices, **rest))
    return tuple(found)


# ---------------------------------------------------------------- questions

Kind = Literal["bool", "seat", "seats", "int", "choice", "tiles"]


def _always(_hand: Hand, _answers: Answers) -> bool:
    return True


def _nothing(_hand: Hand, _answers: Answers) -> Any:
    return None


NOTHING: Final = Text("", "")
"""What a question needs that is always asked."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something about a win that only the players know, asked by the app and the command line.

    `kind`: `bool` (a tick), `seat` (one of `choices`, None for nobody), `seats` (an ordered tuple of seats), `int`
    (`low`…`high`), `choice` (one of `choices`), `tiles` (a tuple of tiles out of `choices`, `low`…`high` of them).
    A question that is not `offered` would be impossible with the hand and the other answers, and `needs` says what it
    takes; one that is `implied` already has its answer, which is shown as set.
    """

    id: str
    kind: Kind
    text: Text
    required: bool = False
    default: Answer = None
    low: int = 0
    high: int = 0
    offered_when: Callable[[Hand, Answers], bool] = _always
    implied_by: Callable[[Hand, Answers], Answer] = _nothing
    choices_among: Callable[[Hand, Answers], tuple[Choice, ...]] = lambda _hand, _answers: ()
    element: str | None = None
    needs: Text = NOTHING

    def offered(self, hand: Hand, answers: Answers) -> bool:
        """Whether this can be answered with anything but no, for this hand and the other answers."""
        return self.offered_when(hand, answers)

    def implied(self, hand: Hand, answers: Answers) -> Answer:
        """The answer that follows from the hand and the other answers; None when the players must say."""
        return self.implied_by(hand, answers) if self.offered_when(hand, answers) else None

    def choices(self, hand: Hand, answers: Answers) -> tuple[Choice, ...]:
        """The values that can be chosen (seats carry their number as text; the app puts names in their place)."""
        return self.choices_among(hand, answers)


# ---------------------------------------------------------------- results


@dataclass(frozen=True, slots=True)
class Group:
    """One part of the reading of a hand: a chow, pung, kong or pair, concealed or melded.

    `tiles` are the physical tiles, `faces` what they count as (different only where a wild tile stands in),
    `won` whether the winning tile is the one that completed it.
    """

    kind: MeldKind | Literal["pair"]
    tiles: tuple[str, ...]
    faces: tuple[str, ...]
    concealed: bool
    won: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One element on the receipt: what it is called, what it gives, why, and the tiles it rests on."""

    element: str
    name: Text
    value: int
    shown: Text
    reason: Text
    tiles: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the arithmetic, in order; `value` is its result."""

    text: Text
    value: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The whole receipt of a score: reading, elements, arithmetic, advice, and the next best reading."""

    groups: tuple[Group, ...]
    lines: tuple[Line, ...]
    steps: tuple[Step, ...]
    notes: tuple[Problem, ...] = ()
    second: "Score | None" = None


@dataclass(frozen=True)
class Score:
    """What a win is worth and who pays: a receipt.

    `elements` are the sorted identifiers (`triplet_bonus:2` for bonuses); `figures` the numbers under the names of the
    case contract (`multiplier`, or `fan` and `flowers`, or `tai` and `contract_points`); `settlement` every transfer.
    The explanation is worked out when it is first looked at.
    """

    rules: "Rules"
    win: Win
    elements: tuple[str, ...]
    figures: Mapping[str, int | list[int]]
    settlement: Settlement
    explain: Callable[[], Explanation] = field(repr=False, compare=False)

    ok: ClassVar[Literal[True]] = True

    @property
    def payments(self) -> tuple[int, ...]:
        """Net units of every seat."""
        return self.settlement.payments

    @cached_property
    def explanation(self) -> Explanation:
        return self.explain()

    @property
    def groups(self) -> tuple[Group, ...]:
        """The reading of the hand that the score rests on."""
        return self.explanation.groups

    @property
    def lines(self) -> tuple[Line, ...]:
        """One line for each element."""
        return self.explanation.lines

    @property
    def steps(self) -> tuple[Step, ...]:
        """The arithmetic, cap included."""
        return self.explanation.steps

    @property
    def notes(self) -> tuple[Problem, ...]:
        """Advice: things that do not change the score but that the table may want to look at."""
        return self.explanation.notes

    @property
    def second(self) -> "Score | None":
        """The next best reading of the same tiles, None where there is only one."""
        return self.explanation.second


def _no_hints() -> tuple[Problem, ...]:
    return ()


@dataclass(frozen=True)
class Refusal:
    """Why this is no win under these rules: everything that is wrong, at once. `hints` say what would have been one."""

    rules: "Rules"
    win: Win
    problems: tuple[Problem, ...]
    find_hints: Callable[[], tuple[Problem, ...]] = field(default=_no_hints, repr=False, compare=False)

    ok: ClassVar[Literal[False]] = False

    @cached_property
    def hints(self) -> tuple[Problem, ...]:
        """What would have won: looked for when somebody asks."""
        return self.find_hints()

    def sentence(self, language: str = "en") -> str:
        """All problems as one text."""
        return (" " if not language.startswith("zh") else "").join(problem.text(language) for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Kong:
    """A declared kong. `source` is the discarder of an exposed one; `chained`: 杠上杠, part of an unbroken chain."""

    seat: int
    kind: MeldKind
    source: int | None = None
    chained: bool = False


# ---------------------------------------------------------------- presets and the contract


@dataclass(frozen=True, slots=True)
class Preset:
    """A named vector of options: `changes` against the `base` preset (None: against the defaults of the game)."""

    name: str
    ruleset: str
    title: Text
    base: str | None
    changes: Mapping[str, Value]
    source: str


@dataclass(frozen=True, slots=True)
class Change:
    """An option that differs from another preset's."""

    option: Option
    before: Value
    after: Value


OptionsT = TypeVar("OptionsT")


class Ruleset(ABC, Generic[OptionsT]):
    """One game. Every method is a pure function of its arguments; `OptionsT` is the frozen dataclass of its options."""

    name: ClassVar[str]
    title: ClassVar[Text]
    elements: ClassVar[tuple[Element, ...]]
    options: ClassVar[tuple[Option, ...]]
    presets: ClassVar[Mapping[str, Preset]]

    @abstractmethod
    def build(self, flat: Mapping[str, Value]) -> OptionsT:
        """The options dataclass from a complete vector of option values."""

    @abstractmethod
    def contradictions(self, options: OptionsT) -> list[Problem]:
        """Options that are each allowed but cannot stand together."""

    @abstractmethod
    def players(self, options: OptionsT) -> int:
        """How many sit at the table."""

    @abstractmethod
    def tiles(self, options: OptionsT) -> tuple[str, ...]:
        """The kinds of tile in play."""

    @abstractmethod
    def questions(self, options: OptionsT) -> tuple[Question, ...]:
        """What the app must ask about a win, in order."""

    @abstractmethod
    def score(self, rules: "Rules", win: Win) -> Score | Refusal:
        """What a win is worth, by the reading that gives the winner most."""

    @abstractmethod
    def settle_wins(self, rules: "Rules", wins: Sequence[Win]) -> tuple[tuple[Score | Refusal, ...], Settlement]:
        """Several winners of one discard: each result in the given order, and all transfers together."""

    @abstractmethod
    def settle_kongs(self, rules: "Rules", kongs: Sequence[Kong], players: int) -> tuple[Settlement, ...]:
        """What each kong of a hand costs, one settlement a kong, in order."""

    @abstractmethod
    def settle_draw(self, rules: "Rules", answers: Answers, players: int, contract: Any = None) -> Settlement:
        """What an exhausted wall costs."""

    @abstractmethod
    def next_dealer(
        self, rules: "Rules", dealer: int, winners: Sequence[int], discarder: int | None, players: int
    ) -> int:
        """Who deals the next hand; `winners` is empty after a draw."""

    def option(self, name: str) -> Option | None:
        """The option of that name."""
        return next((item for item in self.options if item.name == name), None)


DEFAULTS: Final = "defaults"


@dataclass(frozen=True)
class Rules:
    """What one table plays: a ruleset with all options fixed. Made by `scoring.rules_for`.

    `preset` is the preset it started from, `changes` the options that the house changed (flat names),
    `title` what the house calls it.
    """

    ruleset: Ruleset[Any]
    preset: str
    title: Text
    changes: Mapping[str, Value]
    flat: Mapping[str, Value]
    options: Any = field(repr=False)

    @property
    def players(self) -> int:
        return self.ruleset.players(self.options)

    @property
    def tiles(self) -> tuple[str, ...]:
        """The kinds of tile in play."""
        return self.ruleset.tiles(self.options)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What must be asked about a win under these rules."""
        return self.ruleset.questions(self.options)

    def score(self, win: Win) -> Score | Refusal:
        return self.ruleset.score(self, win)

    def settle_wins(self, wins: Sequence[Win]) -> tuple[tuple[Score | Refusal, ...], Settlement]:
        return self.ruleset.settle_wins(self, wins)

    def settle_kongs(self, kongs: Sequence[Kong], players: int | None = None) -> tuple[Settlement, ...]:
        return self.ruleset.settle_kongs(self, kongs, players or self.players)

    def settle_draw(self, answers: Answers, players: int | None = None, contract: Any = None) -> Settlement:
        return self.ruleset.settle_draw(self, answers, players or self.players, contract)

    def next_dealer(
        self, dealer: int, winners: Sequence[int], discarder: int | None = None, players: int | None = None
    ) -> int:
        return self.ruleset.next_dealer(self, dealer, winners, discarder, players or self.players)


def flatten(changes: Mapping[str, Any], tables: Iterable[str]) -> dict[str, Any]:
    """`{"values": {"pure_suit": 4}}` as `{"values.pure_suit": 4}`; dotted names stay."""
    flat: dict[str, Any] = {}
    for key, value in changes.items():
        if key in tables and isinstance(value, Mapping):
            flat |= {f"{key}.{inner}": amount for inner, amount in cast("Mapping[str, Any]", value).items()}
        else:
            flat[key] = value
    return flat


def rules_for(
    ruleset: Ruleset[Any], preset: str, changes: Mapping[str, Any] | None = None, title: Text | None = None
) -> Rules:
    """Fix the options of a preset with a house's changes. Raises `RulesError` that names every wrong option."""
    chosen = ruleset.presets[preset]
    flat: dict[str, Any] = {item.name: item.default for item in ruleset.options}
    for name in lineage(ruleset, preset):
        flat |= ruleset.presets[name].changes
    tables = {item.name.partition(".")[0] for item in ruleset.options if "." in item.name}
    problems: list[Problem] = []
    read: dict[str, Any] = {}
    for name, value in flatten(changes or {}, tables).items():
        known = ruleset.option(name)
        if known is None:
            problems.append(
                Problem(
                    "unknown_option",
                    Text(f"{ruleset.title.zh}没有选项“{name}”。", f"{ruleset.title.en} has no option “{name}”."),
                )
            )
            continue
        try:
            read[name] = known.read(value)
        except RulesError as wrong:
            problems += wrong.problems
    if problems:
        raise RulesError(problems)
    changed = {name: value for name, value in read.items() if value != flat[name]}
    flat |= read
    options = ruleset.build(flat)
    problems = ruleset.contradictions(options)
    if problems:
        raise RulesError(problems)
    return Rules(ruleset, preset, title or chosen.title, MappingProxyType(changed), MappingProxyType(flat), options)


def lineage(ruleset: Ruleset[Any], preset: str) -> tuple[str, ...]:
    """A preset's bases, furthest first, and itself."""
    names: list[str] = []
    step: str | None = preset
    while step:
        names.insert(0, step)
        step = ruleset.presets[step].base
    return tuple(names)


def base_of(rules: Rules) -> Rules:
    """What these rules build on: a house's preset, a preset's base, or the preset itself where there is none."""
    own = rules.ruleset.presets[rules.preset]
    return rules_for(rules.ruleset, rules.preset if rules.changes else own.base or rules.preset)


def differences(rules: Rules, other: Rules) -> tuple[Change, ...]:
    """The options in which `rules` differs from `other` (of the same ruleset), in the order of the options."""
    return tuple(
        Change(item, other.flat[item.name], rules.flat[item.name])
        for item in rules.ruleset.options
        if rules.flat[item.name] != other.flat[item.name]
    )
