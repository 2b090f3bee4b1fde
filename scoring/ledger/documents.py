"""A night on paper: the file that carries it to another machine, the table for a spreadsheet, the text for a chat.

Pure text in and out. The file is JSON with one event a line, so that what is wrong in it can be named by its line; it
is versioned, and reading is the exact inverse of writing.
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Final, cast

from scoring.ledger.events import (
    FORMAT,
    VERSION,
    Adjusted,
    Deed,
    Event,
    LedgerError,
    Opening,
    Paid,
    Played,
    RulesChanged,
    RulesChoice,
    Seated,
    event_from_json,
    event_to_json,
    opening_from_json,
    opening_to_json,
    refuse,
)
from scoring.ledger.night import NOBODY, Night
from scoring.ledger.playing import fixed_rules
from scoring.ledger.settling import Payment
from scoring.settlement import Text


def write_night(opening: Opening, events: Sequence[Event]) -> str:
    """The file of a night. `read_night` is its inverse."""
    head = f'{{"format": "{FORMAT}", "version": {VERSION},\n"night": {_json(opening_to_json(opening))},\n"events": ['
    lines = ",\n".join(_json(event_to_json(event)) for event in events)
    return head + ("\n" + lines + "\n" if events else "") + "]}\n"


def read_night(text: str) -> tuple[Opening, tuple[Event, ...]]:
    """Opening and events of a file. Raises `LedgerError`: not JSON, not a night, a newer version, a damaged event; with
    the line."""
    try:
        raw: Any = json.loads(text)
    except json.JSONDecodeError as wrong:
        refuse(
            f"文件第 {wrong.lineno} 行不是完整的 JSON：文件损坏，或者不是一晚的记录。",
            f"Line {wrong.lineno} is not JSON ({wrong.msg}): the file is damaged, or no night of Hupai.",
        )
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets in brackets without end
        refuse("这不是胡牌导出的一晚。", "This file is no night of Hupai: no program would have written it.")
    if not isinstance(raw, dict) or cast("dict[str, Any]", raw).get("format") != FORMAT:
        refuse("这不是胡牌导出的一晚。", "This file is no night of Hupai: it was not made by `hupai ledger export`.")
    document = cast("dict[str, Any]", raw)
    version = document.get("version")
    if not isinstance(version, int) or version > VERSION:
        refuse("文件来自更新的胡牌，请先升级。", "This file comes from a newer Hupai: update this one first.")
    opening = opening_from_json(document.get("night"))
    listed = document.get("events")
    if not isinstance(listed, list):
        refuse("文件里没有记录列表“events”。", "The file lacks its list “events”.")
    events: list[Event] = []
    seen: set[str] = set()
    for index, item in enumerate(cast("list[Any]", listed)):
        try:
            event = event_from_json(item)
            if event.id in seen:
                refuse(f"记录“{event.id}”出现了两次。", f"The event “{event.id}” is there twice.")
        except LedgerError as wrong:
            line = _line_of(text, index)
            raise LedgerError(Text(f"第 {line} 行：{wrong.text.zh}", f"Line {line}: {wrong.text.en}")) from wrong
        seen.add(event.id)
        events.append(event)
    return opening, tuple(events)


def _line_of(text: str, index: int) -> int:
    """The line on which the `index`-th event of a well-formed file begins."""
    decoder = json.JSONDecoder()
    at = text.index("[", text.index('"events"')) + 1
    for _ in range(index):
        at = decoder.raw_decode(text, _content(text, at))[1]
    return text.count("\n", 0, _content(text, at)) + 1


def _content(text: str, at: int) -> int:
    while text[at] in " \t\r\n,":
        at += 1
    return at


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


# ---------------------------------------------------------------- for a spreadsheet


def write_csv(night: Night, language: str = "en") -> str:
    """One row an event that counts: hand, time, what, dealer, then what each player won and has. With a byte order mark
    (a spreadsheet would take the hanzi for something else) and without live formulas."""
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\r\n")
    words = (Text("局", "hand"), Text("时间", "time"), Text("事项", "what"), Text("庄家", "dealer"))
    head = [word(language) for word in words]
    sums = [f"{name} {Text('合计', 'total')(language)}" for name in night.players]
    sheet.writerow([inert(cell) for cell in (*head, *night.players, *sums)])
    for entry in night.entries:
        if entry.undone or entry.problem:
            continue
        net = entry.net
        what = describe(entry.deed, language)
        text = [inert(cell) for cell in (entry.event.at, what, entry.dealer)]
        totals = [entry.totals.get(name, night.opening.start) for name in night.players]
        sheet.writerow([entry.hand, *text, *(net.get(name, 0) for name in night.players), *totals])
    return "\ufeff" + out.getvalue()


def inert(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe before = + - @ and control characters."""
    return "'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else cell


KINDS: Final = MappingProxyType(
    {
        "win": Text("胡牌", "win"),
        "multi_win": Text("一炮多响", "several wins"),
        "kong": Text("杠", "kong"),
        "draw": Text("荒庄", "draw"),
        "escape": Text("逃跑", "escape"),
    }
)
"""What a recorded case is called."""


def describe(deed: Deed, language: str = "en") -> str:
    """What an event was, in a few words. Names and notes stand as somebody wrote them."""
    zh = language.startswith("zh")
    match deed:
        case Played(case):
            kind = str(case.get("kind", "win"))
            return KINDS.get(kind, Text(kind, kind))(language)
        case Adjusted(_, note):
            return note or Text("调整", "adjustment")(language)
        case Seated(seats, _):
            return Text("入座：", "seats: ")(language) + ("、" if zh else ", ").join(seats)
        case RulesChanged(rules):
            return Text("规则：", "rules: ")(language) + rules_words(rules, language)
        case Paid(payer, receiver, amount, note):
            paid = Text("付给", "paid")(language)
            return f"{payer} {paid} {receiver} {amount}{f' ({note})' if note else ''}"


def rules_words(rules: RulesChoice, language: str = "en") -> str:
    """What the rules of a night are called, and what the house changed in them."""
    table = fixed_rules(rules)
    texts = {option.name: option.text for option in table.ruleset.options}
    changes = [
        f"{texts[name](language)} {_value(value, language)}" for name, value in table.changes.items() if name in texts
    ]
    title = table.title(language)
    if not changes:
        return title
    return f"{title}（{'；'.join(changes)}）" if language.startswith("zh") else f"{title} ({'; '.join(changes)})"


def _value(value: Any, language: str) -> str:
    if value is None or isinstance(value, bool):
        return (Text("是", "yes") if value else Text("否", "no"))(language)
    return str(value) if isinstance(value, (int, str)) else Text("另定", "changed")(language)


# ---------------------------------------------------------------- for a chat


POT: Final = Text("公账", "the pot")
"""What pays or receives where no player does."""


def signed(amount: int) -> str:
    """+5, -5, and 0 without a sign."""
    return f"{amount:+d}" if amount else "0"


def ranked(night: Night) -> list[str]:
    """The players, the richest first, equals by name."""
    return sorted(night.players, key=lambda name: (-night.totals[name], name))


def write_chat(night: Night, payments: Iterable[Payment], language: str = "en", pot: str = "") -> str:
    """The settlement as lines to paste into a chat. `pot` is what nobody is called, if ours is not the word."""
    nobody = pot or POT(language)
    unit = night.opening.unit
    lines = [night.opening.name or night.opening.at[:10]]
    lines += [f"{name} {signed(night.totals[name] - night.opening.start)}" for name in ranked(night)]
    for payer, receiver, amount in payments:
        ends = [nobody if name == NOBODY else name for name in (payer, receiver)]
        lines.append(f"{ends[0]} → {ends[1]} {amount}{' ' + unit if unit else ''}")
    return "\n".join(lines)
