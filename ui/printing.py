"""How results look in a terminal, and as JSON for programs. Pure: values in, rich renderables or plain data out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text as Styled

from scoring import BANK, Rules, Score, rulesets
from scoring.ledger.documents import signed
from scoring.rules import Change, legend, source_text
from scoring.tiles import BACK, glyph, name, show
from scoring.waits import Waits
from ui.draft import from_reading
from ui.table import miscounted
from ui.texts import text
from vision.result import UNKNOWN, Reading


def of_photograph(photo: Path, error: Exception) -> str:
    """What is wrong with a photograph, with its name once."""
    return str(error) if str(photo) in str(error) else f"{photo}: {error}"


def guessed_for(reading: Reading, faces: Collection[str]) -> Reading:
    """The reading with those guesses alone that the game with these tiles has, and backs. What was seen stays: whoever
    named the wrong game should find out."""
    known = {*faces, BACK}
    return replace(
        reading,
        tiles=tuple(
            replace(tile, alternatives=tuple(guess for guess in tile.alternatives if guess[0] in known))
            for tile in reading.tiles
        ),
    )


def reading_json(photo: str, reading: Reading) -> dict[str, Any]:
    """A reading in the form that scripts rely on (DESIGN.md, `hupai read --json`)."""
    return {
        "photo": photo,
        "width": reading.width,
        "height": reading.height,
        "tiles": [
            {
                "tile": tile.tile,
                "confidence": round(tile.confidence, 4),
                "corners": [[round(x, 1), round(y, 1)] for x, y in tile.corners],
                "alternatives": [[code, round(p, 4)] for code, p in tile.alternatives],
                **({"doubt": str(tile.doubt)} if tile.doubt else {}),
            }
            for tile in reading.tiles
        ],
        "hand": {
            "concealed": list(reading.hand.concealed),
            "melds": [{"kind": meld.kind, "tiles": list(meld.tiles)} for meld in reading.hand.melds],
            "winning_tile": reading.hand.winning_tile,
        },
        **({"profile": reading.profile} if reading.profile else {}),
        "problems": problems_of(reading),
        "milliseconds": {stage: round(ms, 1) for stage, ms in reading.milliseconds.items()},
    }


def problems_of(reading: Reading) -> list[str]:
    """What the reader found wrong, and whether the hand can have so many tiles, as the app says it."""
    problems = [str(problem) for problem in reading.problems]
    wrong = miscounted(from_reading(reading).count()) if reading.tiles else None
    return [*problems, text("en", f"standing.{wrong.key}", **wrong.values)] if wrong else problems


def unread_json(photo: str, sentence: str) -> dict[str, Any]:
    """A photograph that could not be read: no tiles, and `error` so that nobody takes it for an empty table."""
    return {"photo": photo, "tiles": [], "problems": [sentence], "error": sentence}


def reading_table(reading: Reading) -> RenderableType:
    """The hand that was read, and what to look at."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))

    def codes(indices: Iterable[int]) -> str:
        return show([reading.tiles[i].tile for i in indices])

    hand = reading.hand
    own = [i for i in hand.concealed if i != hand.winning_tile]
    table.add_row("hand", codes(own))
    for meld in hand.melds:
        table.add_row(meld.kind.replace("_", " "), codes(meld.tiles))
    if hand.winning_tile is not None:
        table.add_row("winning tile", codes([hand.winning_tile]))
    used = {*hand.concealed, *(i for meld in hand.melds for i in meld.tiles)}
    if rest := [i for i in range(len(reading.tiles)) if i not in used]:
        table.add_row("left out", codes(rest))
    for i, tile in enumerate(reading.tiles):
        if tile.doubt or tile.tile == UNKNOWN:
            which = f"tile {i + 1}" if tile.tile == UNKNOWN else f"tile {i + 1}, {tile.tile}"
            guesses = ", ".join(f"{code} {p:.0%}" for code, p in tile.alternatives[:3])
            others = f" ({guesses})" if guesses else ""
            table.add_row("doubt", Styled(f"{which}: {tile.doubt or 'not recognised'}{others}", style="yellow"))
    for problem in problems_of(reading):
        table.add_row("problem", Styled(problem, style="yellow"))
    if reading.profile:
        table.add_row("tile set", reading.profile)
    total = reading.milliseconds.get("total")
    if total is not None:
        table.add_row("time", f"{total:.0f} ms")
    return table


def score_json(score: Score) -> dict[str, Any]:
    """A receipt as plain data: the case contract (elements, figures, payments) and everything that explains it."""
    return {
        "rules": score.rules.preset,
        "changes": _plain(score.rules.changes),
        "hand": score.win.hand.show(),
        "elements": list(score.elements),
        **dict(score.figures),
        "payments": list(score.payments),
        "lines": [
            {
                "element": line.element,
                "name": line.name._asdict(),
                "value": line.value,
                "shown": line.shown._asdict(),
                "reason": line.reason._asdict(),
                "tiles": list(line.tiles),
                "source": line.source,
            }
            for line in score.lines
        ],
        "steps": [{"text": step.text._asdict(), "value": step.value} for step in score.steps],
        "transfers": [
            {"from": t.payer, "to": None if t.receiver == BANK else t.receiver, "amount": t.amount}
            | {"reason": t.reason._asdict()}
            for t in score.settlement.transfers
        ],
        "notes": [note.text._asdict() for note in score.notes],
    }


def score_table(score: Score, language: str = "en", house: str = "") -> RenderableType:
    """The receipt for a terminal: tiles, elements with reasons, arithmetic, payments."""
    chinese = language == "zh"
    colon, comma = ("：", "、") if chinese else (": ", ", ")
    parts: list[RenderableType] = [
        Styled(score.win.hand.show(), style="bold"),
        Styled("".join(glyph(tile) for tile in score.win.hand.all_tiles), style="dim"),
    ]
    lines = _table(language, "element", *([] if chinese else [""]), "value", "reason")
    for line in score.lines:
        names = [line.name("zh")] if chinese else [line.name("en"), line.name("zh")]
        lines.add_row(*names, line.shown(language), line.reason(language))
    parts.append(lines)
    parts += [Styled(f"  {step.text(language)}") for step in score.steps]
    word = partial(_word, language)
    parts.append(Styled("  ".join(f"{word(key)}{colon}{value}" for key, value in score.figures.items()), style="bold"))
    paid = _table(language, "from", "to", "amount", "why")
    for t in score.settlement.transfers:
        paid.add_row(_seat(t.payer, language), _seat(t.receiver, language), str(t.amount), t.reason(language))
    parts.append(paid)
    net = "  ".join(f"{_seat(i, language)} {signed(v)}" for i, v in enumerate(score.payments))
    parts.append(Styled(f"{word('net')}{colon}{net}", style="bold"))
    if score.second is not None:
        figures = comma.join(f"{word(key)} {value}" for key, value in score.second.figures.items())
        names = comma.join(line.name(language) for line in score.second.lines)
        parts.append(Styled(f"{word('second reading')}{colon}{names} ({figures})", style="dim"))
    parts += [Styled(f"{word('note')}{colon}{note.text(language)}") for note in score.notes]
    played = (f"{house}{colon}" if house else "") + score.rules.preset + _changed(score.rules, language)
    parts.append(Styled(f"{word('rules')}{colon}{played}", style="dim"))
    return Group(*parts)


def _changed(rules: Rules, language: str) -> str:
    """What the house changed, behind the name of the rules."""
    comma = "、" if language == "zh" else ", "
    changes = comma.join(f"{key}={_plain(value)}" for key, value in rules.changes.items())
    return f" {_word(language, 'with')} {changes}" if changes else ""


CHINESE = {
    "element": "番种",
    "value": "数值",
    "reason": "理由",
    "condition": "条件",
    "source": "出处",
    "option": "开关",
    "meaning": "意思",
    "from": "付",
    "to": "收",
    "amount": "数目",
    "why": "原因",
    "net": "净得",
    "second reading": "另一种拆法",
    "note": "注",
    "rules": "规则",
    "multiplier": "倍数",
    "fan": "番",
    "flowers": "花",
    "tai": "台",
    "contract_points": "包分",
    "off": "不用",
    "with": "改动",
}
"""What stands beside the rules' own words in a terminal; in English each is called what it is called here."""


def _word(language: str, word: str) -> str:
    return CHINESE.get(word, word) if language == "zh" else word


def _table(language: str, *headings: str) -> Table:
    """A plain table with these headings in `language`."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for place, heading in enumerate(headings):
        # what is typed on a command line is never cut
        table.add_column(_word(language, heading), no_wrap=place == 0, overflow="fold")
    return table


def _seat(seat: int, language: str) -> str:
    if seat == BANK:
        return "桌外" if language == "zh" else "nobody"
    return f"{seat} 号" if language == "zh" else f"seat {seat}"


def presets_table(language: str = "en") -> RenderableType:
    """Every preset of every game, each in one line of a terminal; `rules show` names its source, and what that is."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("name", "", "players", "tiles"):
        table.add_column(heading, no_wrap=True)
    from scoring import rules

    for system in rulesets():
        for preset in system.presets.values():
            fixed = rules(preset.name)
            title = preset.title(language) + ("" if language == "zh" else f" {preset.title.zh}")
            table.add_row(preset.name, title, str(fixed.players), str(len(fixed.tiles)))
    return table


def presets_json() -> list[dict[str, Any]]:
    """Every preset as plain data."""
    return [
        {"name": p.name, "ruleset": system.name, "title": p.title._asdict(), "base": p.base, "source": p.source}
        for system in rulesets()
        for p in system.presets.values()
    ]


def rules_table(rules: Rules, language: str = "en", house: str = "") -> RenderableType:
    """One table's rules in full: elements with their value, and every option."""
    elements = _table(language, "element", "", "value", "condition", "source")

    def source(one: Any) -> str:
        return source_text(one.source)(language)

    for element in rules.ruleset.elements:
        value = next((v for key, v in rules.flat.items() if key.endswith(f".{element.id}")), element.value)
        shown = _word(language, "off") if value is None else element.shown(value)(language)
        elements.add_row(element.id, element.name.zh, shown, element.condition(language), source(element))
    options = _table(language, "option", "value", "meaning", "source")
    for option in rules.ruleset.options:
        options.add_row(option.name, str(_plain(rules.flat[option.name])), option.text(language), source(option))
    preset = rules.ruleset.presets[rules.preset]
    called = f"{house} ({preset.title(language)})" if house else preset.title(language)
    heading = f"{called}{_changed(rules, language)}  [{_word(language, 'source')}: {source(preset)}]"
    carried = (preset, *rules.ruleset.elements, *rules.ruleset.options)
    meant = [Styled(line(language), style="dim") for line in legend(one.source for one in carried)]
    return Group(Styled(heading, style="italic"), elements, Styled(""), options, Styled(""), *meant)


def rules_json(rules: Rules) -> dict[str, Any]:
    """One table's rules as plain data; `options` is the complete vector."""
    return {
        "preset": rules.preset,
        "ruleset": rules.ruleset.name,
        "title": rules.title._asdict(),
        "players": rules.players,
        "tiles": list(rules.tiles),
        "options": {name: _plain(value) for name, value in rules.flat.items()},
        "elements": [
            {"id": e.id, "name": e.name._asdict(), "condition": e.condition._asdict(), "source": e.source}
            for e in rules.ruleset.elements
        ],
    }


def changes_table(changes: Iterable[Change], before: str, after: str, language: str = "en") -> RenderableType:
    """In what two tables differ."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("option", before, after, "meaning"):
        table.add_column(heading)
    for change in changes:
        shown = (change.option.shown(value, language) for value in (change.before, change.after))
        table.add_row(change.option.name, *shown, change.option.text(language))
    return table


def changes_json(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [{"option": c.option.name, "before": _plain(c.before), "after": _plain(c.after)} for c in changes]


def waits_table(found: Waits, language: str = "en") -> RenderableType:
    """The tiles that complete a hand, how many are left, and what the winner would receive."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("tile", "", "", "left", "self-draw", "discard"):
        table.add_column(heading)
    for wait in found.waits:
        worth = ["no win" if (n := wait.worth(way)) is None else f"+{n}" for way in ("self_draw", "discard")]
        called = name(wait.tile, "en" if language == "en" else "zh-Hans")
        table.add_row(wait.tile, glyph(wait.tile), called, str(wait.unseen), *worth)
    return table


def waits_json(found: Waits) -> list[dict[str, Any]]:
    """The same as plain data; `self_draw` and `discard` are what the winner receives, null where it is no win."""
    return [
        {"tile": w.tile, "left": w.unseen, "self_draw": w.worth("self_draw"), "discard": w.worth("discard")}
        for w in found.waits
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value
