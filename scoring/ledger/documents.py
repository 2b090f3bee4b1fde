"""A night on paper: the file that carries it to another machine, the table for a spreadsheet, the text for a chat.

Pure text in and out. The file is JSON with one event a line, so that what is wrong in it can be named by its line; it
is versioned, and reading is the exact inverse of writing.
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

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
    Seated,
    event_from_json,
    event_to_json,
    opening_from_json,
    opening_to_json,
    refuse,
)
from scoring.ledger.night import NOBODY, Night
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
    zh = language.startswith("zh")
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\r\n")
    head = ["局", "时间", "事项", "庄家"] if zh else ["hand", "time", "what", "dealer"]
    sums = [f"{name} {'合计' if zh else 'total'}" for name in night.players]
    sheet.writerow([inert(cell) for cell in (*head, *night.players, *sums)])
    for entry in night.entries:
        if entry.undone or entry.problem:
            continue
        net = entry.net
        what = describe(entry.deed)(language)
        text = [inert(cell) for cell in (entry.event.at, what, entry.dealer)]
        totals = [entry.totals.get(name, night.opening.start) for name in night.players]
        sheet.writerow([entry.hand, *text, *(net.get(name, 0) for name in night.players), *totals])
    return "\ufeff" + out.getvalue()


def inert(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe before = + - @ and control characters."""
    return "'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else cell


def describe(deed: Deed) -> Text:
    """What an event was, in a few words."""
    match deed:
        case Played(case):
            kind = str(case.get("kind", "win"))
            words = {
                "win": Text("胡牌", "win"),
                "multi_win": Text("一炮多响", "several wins"),
                "kong": Text("杠", "kong"),
                "draw": Text("荒庄", "draw"),
                "escape": Text("逃跑", "escape"),
            }
            return words.get(kind, Text(kind, kind))
        case Adjusted(_, note):
            return Text(note or "调整", note or "adjustment")
        case Seated(seats, _):
            return Text(f"入座：{'、'.join(seats)}", f"seats: {', '.join(seats)}")
        case RulesChanged(rules):
            return Text(f"规则：{rules.preset}", f"rules: {rules.preset}")
        case Paid(payer, receiver, amount, note):
            tail = f" ({note})" if note else ""
            return Text(f"{payer} 付给 {receiver} {amount}{tail}", f"{payer} paid {receiver} {amount}{tail}")


# ---------------------------------------------------------------- for a chat


def write_chat(night: Night, payments: Iterable[Payment], language: str = "en", pot: str = "") -> str:
    """The settlement as lines to paste into a chat. `pot` is what nobody is called, if ours is not the word."""
    nobody = pot or ("公账" if language.startswith("zh") else "the pot")
    unit = night.opening.unit
    lines = [night.opening.name or night.opening.at[:10]]
    lines += [f"{name} {night.totals[name]:+d}" for name in sorted(night.players, key=lambda n: (-night.totals[n], n))]
    for payer, receiver, amount in payments:
        ends = [nobody if name == NOBODY else name for name in (payer, receiver)]
        lines.append(f"{ends[0]} → {ends[1]} {amount}{' ' + unit if unit else ''}")
    return "\n".join(lines)
