"""A night on one printed page: who has what, how it went, who pays whom. One HTML file without anything outside it.

The chart is inline SVG with a line for each player in the player's colour, and every line ends in the player's name, so
that a black-and-white print still tells them apart. All text is escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from scoring.ledger.documents import POT, describe, ranked, rules_words, signed
from scoring.ledger.night import Night
from scoring.ledger.settling import Payment
from scoring.settlement import Text

WIDTH, HEIGHT, LEFT, RIGHT, EDGE = 720, 260, 44, 96, 14

STYLE: Final = """
body{font:14px/1.45 "Noto Sans CJK SC","PingFang SC","Microsoft YaHei",system-ui,sans-serif}
body{margin:2em auto;padding:0 1em;max-width:46em;color:#111}
h1{font-size:1.5em;margin:0}h2{font-size:1.1em;margin:1.4em 0 .4em}p{margin:.2em 0}
.side{display:flex;gap:0 2em;align-items:flex-start}.side>*{flex:1;min-width:0}
table{border-collapse:collapse;width:100%}th,td{padding:.15em .5em;border-bottom:1px solid #ccc;text-align:right}
th:first-child,td:first-child,td.what,th.what{text-align:left}
svg{width:100%;height:auto}svg text{font-size:12px}
@media(max-width:40em){.side{display:block}}
@media print{body{margin:0;padding:0;max-width:none;font-size:10.5px;line-height:1.3}tr{break-inside:avoid}
.side{display:flex}svg{max-height:17em}}
"""


LONG: Final = 24
"""Lines of the log that still stand in one column; more stand in two side by side, for the page to remain one."""


def write_page(night: Night, payments: Iterable[Payment], language: str = "en") -> str:
    """The page of a night with this settlement (`settle_up`), in English or in Chinese of either script (`Text`)."""

    def say(zh: str, en: str) -> str:
        return Text(zh, en)(language)

    zh = language.startswith("zh")
    opening = night.opening
    title = opening.name or say("麻将之夜", "A night of mahjong")
    unit = f" {opening.unit}" if opening.unit else ""
    counted = [entry for entry in night.entries if not entry.undone and entry.problem is None]
    log = [
        [str(entry.hand), describe(entry.deed, language), entry.dealer]
        + [signed(entry.net[name]) if entry.net.get(name) else "" for name in night.players]
        for entry in counted
    ]
    pot = POT(language)
    settled = [[f"{payer or pot} → {receiver or pot}", f"{amount}{unit}"] for payer, receiver, amount in payments]
    if night.check:
        check = f"{say('核对：合计差', 'Check: the totals are off by')} {night.check}"
    else:
        check = say("核对：收支相抵，没有差错", "Check: the totals add up")
    if night.nobody:
        check += f"；{night.nobody} {say('归公账', '')}" if zh else f"; {night.nobody} went to nobody"
    heads = (say("局", "hand"), say("事项", "what"), say("庄家", "dealer"), *night.players)
    hands = say("局", "hand" if night.hands == 1 else "hands")
    half = (len(log) + 1) // 2 if len(log) > LONG else max(1, len(log))
    logs = [_table(heads, log[at : at + half]) for at in range(0, max(1, len(log)), half)]
    lines = [
        f'<!doctype html><html lang="{language if zh else "en"}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f"<h1>{escape(title)}</h1><p>{escape(opening.at[:10])} · {escape(rules_words(night.rules, language))} · "
        f"{night.hands} {hands}</p>",
        f'<div class="side"><section><h2>{say("合计", "Totals")}</h2>',
        _table((), [[name, f"{night.totals[name]}{unit}"] for name in ranked(night)]),
        f"<p>{escape(check)}</p></section>",
        f"<section><h2>{say('结算', 'Settling up')}</h2>",
        _table((), settled) if settled else f"<p>{say('谁也不欠谁。', 'Nobody owes anything.')}</p>",
        "</section></div>",
        f"<h2>{say('走势', 'How it went')}</h2>",
        chart(
            {name: night.colour(name) for name in night.players},
            [dict.fromkeys(opening.players, opening.start), *(dict(e.totals) for e in counted)],
        ),
        f"<h2>{say('经过', 'Hand by hand')}</h2>",
        f'<div class="side">{"".join(logs)}</div>',
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def chart(colours: Mapping[str, str], totals: Sequence[dict[str, int]]) -> str:
    """Totals over time as SVG: a line in its colour for each player, `totals` from the start on. A player who was not
    yet there at some moment begins later."""
    values = [value for moment in totals for value in moment.values()] or [0]
    low, high = min(0, *values), max(0, *values)
    span = (high - low) or 1

    def x(place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * place / max(1, len(totals) - 1)

    def y(value: int) -> float:
        return EDGE + (HEIGHT - 2 * EDGE) * (high - value) / span

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    for value in sorted({low, 0, high}):
        parts.append(
            f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#ccc"/>'
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
        )
    ends: list[float] = []
    for name, colour in colours.items():
        line = [(x(place), y(moment[name])) for place, moment in enumerate(totals) if name in moment]
        if not line:
            continue
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        # Names of equal totals would lie on each other: each takes the next free line downwards.
        at = line[-1][1]
        while any(abs(at - other) < 13 for other in ends):
            at += 4
        ends.append(at)
        parts.append(f'<text x="{WIDTH - RIGHT + 6}" y="{at + 4:.1f}" fill="{colour}">{escape(name)}</text>')
    return "".join(parts) + "</svg>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th{' class=what' if i == 1 else ''}>{escape(text)}</th>" for i, text in enumerate(heads))
    wide = len(heads) > 2
    body = "".join(
        "<tr>"
        + "".join(f"<td{' class=what' if wide and i == 1 else ''}>{escape(t)}</td>" for i, t in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f"<table>{'<tr>' + head + '</tr>' if heads else ''}{body}</table>"
