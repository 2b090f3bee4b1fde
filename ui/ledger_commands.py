"""`hupai ledger`: keep a night's score from a terminal or a script.

Every command opens the store, does one thing and prints what came of it, as a table or with `--json` for programs.
Whatever cannot be done is one sentence on stderr and exit code 2, and nothing was recorded. NIGHT is a night's id, an
unambiguous beginning of it, or `last`; EVENT is the id that `record` printed and `show` lists.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from datasets.results import FORCE, occupied
from scoring.cases import notes, unknown_keys
from scoring.house import value_of
from scoring.ledger.documents import describe, read_night, write_chat, write_csv, write_night
from scoring.ledger.events import (
    LONGEST_NAME,
    Adjusted,
    Change,
    Corrected,
    Event,
    LedgerError,
    Opening,
    Paid,
    Played,
    RulesChoice,
    Seated,
    Undone,
    change_to_json,
    opening_to_json,
    played,
    typed_amount,
)
from scoring.ledger.mending import check as check_ledger
from scoring.ledger.mending import repair as repair_ledger
from scoring.ledger.night import Consequence, Entry, Night, change_of, correcting, to_redo, to_undo
from scoring.ledger.playing import fixed_rules, rules_at
from scoring.ledger.settling import rounded, settle_up
from scoring.ledger.statistics import records
from scoring.ledger.store import Store, new_id, now, open_store
from scoring.ledger.summary import write_page

app = typer.Typer(
    name="ledger", help="Keep the night's score: record hands, edit them, settle up.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
NightName = Annotated[str, typer.Argument(metavar="NIGHT", help="A night's id, the beginning of it, or “last”.")]
CaseFile = Annotated[
    str,
    typer.Option("--case", metavar="FILE", help="A case as hupai score --cases takes it; - reads stdin."),
]
Key = Annotated[str, typer.Option("--key", help="Idempotency key: the same key again records nothing twice.")]
Preview = Annotated[bool, typer.Option("--preview", help="Show what would change and record nothing.")]


@contextmanager
def in_one_sentence() -> Iterator[None]:
    """A refusal becomes its sentence on stderr and exit code 2."""
    try:
        yield
    except LedgerError as wrong:
        typer.echo(wrong.text.en, err=True)
        raise typer.Exit(2) from None


def show_json(value: Any) -> None:
    """Print plain data for programs."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


# ---------------------------------------------------------------- recording


@app.command()
def new(
    players: Annotated[str, typer.Option(help="Names in turn order, with commas; those beyond the table sit out.")],
    rules: Annotated[str, typer.Option(help="A preset, or the file of a house's rules; hupai rules lists them.")],
    name: Annotated[str, typer.Option(help="What the night is called.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="A house rule, as NAME=VALUE in JSON; may be repeated.")
    ] = None,
    unit: Annotated[str, typer.Option(help="What a point is called: points, ¥.")] = "",
    start: Annotated[int, typer.Option(help="What each player begins with.")] = 0,
    dealer: Annotated[int, typer.Option(help="The seat of the first dealer.")] = 0,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Begin a night and print its id."""
    with in_one_sentence():
        names = _names(players)
        _refuse_what_is_no_name(name, "the name of a night")
        _refuse_what_is_no_name(unit, "a unit")
        choice = _choice(rules, dict(map(_house_rule, option or [])))
        opening = Opening(key or new_id(), name, now(), names, choice, unit, typed_amount(start), dealer)
        store = open_store()
        before = next((known for known, _ in store.nights() if known.id == opening.id), None)
        night = store.create(replace(opening, at=before.at) if before else opening)
    if before:
        _say_it_was_there(f"The night {opening.id}")
    out = [name for name in night.players if name not in night.seats]
    if as_json:
        show_json({"night": night.opening.id, "seats": list(night.seats), "dealer": night.dealer, "sitting_out": out})
    else:
        rest = f"; {', '.join(out)} sit{'s' * (len(out) == 1)} out" if out else ""
        typer.echo(f"{night.opening.id}   {', '.join(night.seats)}   {night.dealer} deals{rest}")


@app.command()
def record(
    night: NightName,
    case: CaseFile,
    key: Key = "",
    seen: Annotated[
        int | None, typer.Option(help="How many events you have seen; when there are more, nothing is recorded.")
    ] = None,
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Record a hand, kong, draw or escape; seats are the players in order."""
    with in_one_sentence():
        hand = played(_read_case(case))
        _record(night, lambda known: _by_its_rules(hand, known.rules), key, preview, as_json, seen)


@app.command()
def correct(
    night: NightName,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="The id of the event to put right.")],
    case: CaseFile,
    key: Key = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Put an earlier hand right; everything after it follows."""
    with in_one_sentence():
        by = played(_read_case(case))

        def made(known: Night) -> Change:
            wrong = known.find(event)
            change = correcting(known, wrong, by)
            _by_its_rules(by, known.entry(wrong).rules)
            return change

        _record(night, made, key, preview, as_json)


@app.command()
def undo(
    night: NightName, event: Annotated[str, typer.Argument(metavar="[EVENT]")] = "", as_json: AsJson = False
) -> None:
    """Take back the latest event that counts, or the one that is named."""
    with in_one_sentence():
        _record(night, lambda known: Undone(known.find(event) if event else to_undo(known.events)), "", False, as_json)


@app.command()
def redo(night: NightName, as_json: AsJson = False) -> None:
    """Take back the latest undo."""
    with in_one_sentence():
        _record(night, lambda known: Undone(to_redo(known.events)), "", False, as_json)


@app.command()
def adjust(
    night: NightName,
    amounts: Annotated[list[str], typer.Argument(metavar="NAME=POINTS…", help="For instance A=-20 B=20.")],
    note: Annotated[str, typer.Option(help="Why; needed when the points do not sum to zero.")] = "",
    key: Key = "",
    preview: Preview = False,
    as_json: AsJson = False,
) -> None:
    """Give and take points freely."""
    with in_one_sentence():
        _record(night, lambda _: Adjusted(dict(map(_amount, amounts)), note), key, preview, as_json)


@app.command()
def seats(
    night: NightName,
    names: Annotated[str, typer.Argument(metavar="A,B,C", help="Who sits from now on, in turn order.")],
    dealer: Annotated[int | None, typer.Option(help="The seat that deals next.")] = None,
    as_json: AsJson = False,
) -> None:
    """Change who sits at the table; a new name joins the night."""
    with in_one_sentence():
        _record(night, lambda _: Seated(_names(names), dealer), "", False, as_json)


@app.command()
def pay(
    night: NightName,
    payer: str,
    receiver: str,
    amount: int,
    note: Annotated[str, typer.Option()] = "",
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Note that one player paid another; what is still owed shrinks."""
    with in_one_sentence():
        paid = Paid(payer, receiver, typed_amount(amount), note)
        known = _record(night, lambda _: paid, key, False, as_json)
        over = min(amount, max(known.balances[payer], -known.balances[receiver]))
        if over > 0:
            typer.echo(
                f"That is {over} more than was owed, and counts in favour of {payer}: "
                f"hupai ledger undo {night} takes the payment back.",
                err=True,
            )


# ---------------------------------------------------------------- looking


@app.command("list")
def list_nights(as_json: AsJson = False) -> None:
    """All nights, latest first."""
    with in_one_sentence():
        nights = open_store().nights()
    if as_json:
        show_json([{**opening_to_json(opening), "events": size} for opening, size in nights])
        return
    table = _table("night", "begun", "name", "players", "rules", "events")
    for opening, size in nights:
        players = ", ".join(opening.players)
        table.add_row(opening.id, opening.at[:16], opening.name, players, opening.rules.preset, str(size))
    _print(table)


@app.command()
def show(night: NightName, as_json: AsJson = False) -> None:
    """The log of a night with totals and dealer."""
    with in_one_sentence():
        known = _night(open_store(), night)
    if as_json:
        show_json(night_json(known))
        return
    table = _table("hand", "event", "what", "dealer", *known.players)
    for entry in known.entries:
        state = "undone: " if entry.undone else f"does not count ({entry.problem.en}): " if entry.problem else ""
        what = state + describe(entry.deed) + (" (corrected)" if entry.corrections else "")
        net = [f"{entry.net[name]:+d}" if entry.net.get(name) else "" for name in known.players]
        table.add_row(str(entry.hand), entry.event.id, what, entry.dealer, *net)
    table.add_section()
    table.add_row("", "", "total", known.dealer + " deals", *(str(known.totals[name]) for name in known.players))
    _print(table)
    nobody = f" and {known.nobody} to nobody" if known.nobody else ""
    typer.echo(f"check: the totals and the start points differ by {known.check}{nobody}")


@app.command()
def settle(
    night: NightName,
    step: Annotated[int, typer.Option(help="Round to multiples of this, once.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Who pays whom, in the fewest transfers; payments already made are counted in."""
    with in_one_sentence():
        known = _night(open_store(), night)
        payments = settle_up(rounded(known.balances, step))
    if as_json:
        show_json([{"from": p.payer or None, "to": p.receiver or None, "amount": p.amount} for p in payments])
    else:
        typer.echo(write_chat(known, payments))


@app.command()
def statistics(
    nights: Annotated[
        list[str] | None, typer.Argument(metavar="[NIGHT]…", help="All nights when none is named.")
    ] = None,
    since: Annotated[str, typer.Option(help="Only nights begun on this day or later, as 2026-11-30.")] = "",
    as_json: AsJson = False,
) -> None:
    """Wins, deals-in, the biggest hand and favourite elements of every player.

    Points are those of hands, kongs and draws; what adjustments gave stands beside them.
    """
    if since and not re.fullmatch(r"\d{4}-\d\d-\d\d", since):
        _refuse(f"--since {since} is no day: write it as 2026-11-30.")
    with in_one_sentence():
        store = open_store()
        ids = [store.find(name) for name in nights or []] or [opening.id for opening, _ in store.nights()]
        chosen = [known for known in map(store.night, ids) if known.opening.at >= since]
        found = sorted(records(chosen).values(), key=lambda record: (-record.points, record.player))
    rows = [
        {
            "player": r.player,
            "hands": r.hands,
            "self_draws": r.self_draws,
            "wins_by_discard": r.wins_by_discard,
            "dealt_in": r.dealt_in,
            "points": r.points,
            "adjusted": r.adjusted,
            "average": round(r.average, 2),
            "biggest": r.biggest,
            "favourites": list(r.favourites()),
        }
        for r in found
    ]
    if as_json:
        show_json(rows)
        return
    table = _table(
        "player",
        "hands",
        "self-draw",
        "by discard",
        "dealt in",
        "points",
        "adjusted",
        "average",
        "biggest",
        "favourites",
    )
    for row in rows:
        table.add_row(*(", ".join(v) if isinstance(v, list) else str(v) for v in row.values()))
    _print(table)


# ---------------------------------------------------------------- in and out, and keeping it sound


@app.command()
def export(
    night: NightName,
    out: Annotated[Path | None, typer.Option(help="Write here instead of to the terminal.")] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="A table for a spreadsheet instead of JSON.")] = False,
    as_page: Annotated[bool, typer.Option("--html", help="One page to print: totals, chart, settlement, log.")] = False,
    language: Annotated[str | None, typer.Option(help="Language of table and page: en, zh or zh-Hant.")] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE)] = False,
    as_json: AsJson = False,
) -> None:
    """A night as a file that another ledger imports (JSON, also without --json)."""
    if as_json + as_csv + as_page > 1:
        _refuse("One file has one form: give --json, --csv or --html.")
    if language is not None and not (as_csv or as_page):
        _refuse("--language is that of a table or a page: give it with --csv or --html.")
    if language not in (None, "en", "zh", "zh-Hant"):
        _refuse(f"--language {language} is not known: use en, zh or zh-Hant.")
    with in_one_sentence():
        store = open_store()
        known = _night(store, night)
        if as_page:
            text = write_page(known, settle_up(known.balances), language or "en")
        elif as_csv:
            text = write_csv(known, language or "en")
        else:
            text = write_night(known.opening, known.events)
        if out is None:
            sys.stdout.buffer.write(text.encode())
            return
        if taken := occupied(out, force=force):
            _refuse(taken)
        try:
            out.write_bytes(text.encode())
        except OSError as wrong:
            _refuse(f"{out} cannot be written ({wrong.strerror}): choose another place.")


@app.command("import")
def import_night(file: Annotated[Path, typer.Argument(metavar="FILE")], as_json: AsJson = False) -> None:
    """Bring in an exported night. The same file twice changes nothing."""
    with in_one_sentence():
        opening, events = read_night(_read_text(str(file)))
        added = open_store().merge(opening, events)
    if as_json:
        show_json({"night": opening.id, "events": len(events), "added": added})
    else:
        typer.echo(f"{opening.id}: {_events(len(events))}, {added} of them new.")


@app.command()
def delete(
    night: NightName,
    yes: Annotated[bool, typer.Option("--yes", help="Really delete it: there is no way back.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a night with its photographs."""
    with in_one_sentence():
        store = open_store()
        known = _night(store, night)
        name, size = known.opening.id, len(known.events)
        if not yes:
            _refuse(
                f"{name} with {_events(size)} would be gone for good: export it if you may want it, then say --yes."
            )
        store.delete(name)
    if as_json:
        show_json({"night": name, "events": size})
    else:
        typer.echo(f"{name} with {_events(size)} is deleted.")


@app.command()
def check(as_json: AsJson = False) -> None:
    """Look for damage; exit code 1 when there is any."""
    with in_one_sentence():
        found = check_ledger(open_store())
    damage = any(finding.damage for finding in found)
    if as_json:
        show_json({"sound": not damage, "findings": [{"text": f.text.en, "damage": f.damage} for f in found]})
    else:
        for finding in found:
            typer.echo(finding.text.en)
        typer.echo("Run hupai ledger repair." if damage else "The ledger is sound.")
    if damage:
        raise typer.Exit(1)


@app.command()
def repair(as_json: AsJson = False) -> None:
    """Build a sound ledger from database, journal and backups; the old files are kept."""
    with in_one_sentence():
        said = repair_ledger()
    if as_json:
        show_json([text.en for text in said])
    else:
        typer.echo("\n".join(text.en for text in said))


# ---------------------------------------------------------------- shared by the commands


def _record(name: str, change: Any, key: str, preview: bool, as_json: bool, seen: int | None = None) -> Night:
    """Record what `change` makes of the night as it stands, print what it did to the totals, give the night after."""
    store = open_store()
    night = _night(store, name)
    made: Change = change(night)
    event = Event(key or new_id(), now(), made)
    consequence = change_of(night, event) if preview else store.record(night.opening.id, event, seen)
    if not preview and any(known.id == event.id for known in night.events):
        _say_it_was_there(f"The event {event.id}")
    if as_json:
        show_json(consequence_json(event, consequence))
        return consequence.night
    if not preview:
        typer.echo(event.id)
    moved = list(consequence.touched)
    if isinstance(made, Corrected) and not any(after.event.id == made.event for _, after in moved):
        moved.insert(0, (night.entry(made.event), consequence.night.entry(made.event)))
    for before, after in moved:
        counted = before and before.event.id != event.id and not before.undone
        was = _signed(before.net) if before and counted else ""
        if after.undone:
            told = f"undone, was {was}" if was else "undone"
        else:
            told = _signed(after.net)
            told += ", as before" if told == was else f" instead of {was}" if was else ""
        typer.echo(f"  hand {after.hand} {describe(after.deed)}: {told}")
    totals = ", ".join(f"{name} {total}" for name, total in consequence.night.totals.items())
    typer.echo(f"  totals: {totals}; {consequence.night.dealer} deals")
    return consequence.night


def _say_it_was_there(what: str) -> None:
    typer.echo(f"{what} was recorded before under this key: nothing is recorded twice.", err=True)


def _by_its_rules(hand: Played, rules: RulesChoice) -> Played:
    """The hand; rules of its own are said, because nobody sees them on the table, and so is what the receipt notes."""
    own = rules_at(hand.case, rules)
    played_by, night_by = fixed_rules(own), fixed_rules(rules)
    if (played_by.ruleset.name, played_by.flat) != (night_by.ruleset.name, night_by.flat):
        typer.echo(
            f"This hand is played by {_rules_words(own)}, the night by {_rules_words(rules)}: where that is not meant, "
            "take the rules out of the case and correct it.",
            err=True,
        )
    for note in notes(hand.case, played_by):
        typer.echo(note, err=True)
    return hand


def _rules_words(choice: RulesChoice) -> str:
    changes = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in choice.changes.items())
    return f"{choice.preset} with {changes}" if changes else choice.preset


def consequence_json(event: Event, consequence: Consequence) -> dict[str, Any]:
    """What an event did, as plain data."""
    night = consequence.night
    own = next((entry for _, entry in consequence.touched if entry.event.id == event.id), None)
    return {
        "event": event.id,
        "payments": None if own is None else [own.net.get(name, 0) for name in own.seats],
        "changed": [
            {
                "event": after.event.id,
                "hand": after.hand,
                "before": None if before is None else before.net,
                "after": {} if after.undone else after.net,
            }
            for before, after in consequence.touched
        ],
        "totals": dict(night.totals),
        "dealer": night.dealer,
    }


def night_json(night: Night) -> dict[str, Any]:
    """A night as plain data: `events` by `id`, `totals` by player, `dealer` and what else a program may want."""
    return {
        "night": night.opening.id,
        "name": night.opening.name,
        "rules": night.rules.preset,
        "seats": list(night.seats),
        "dealer": night.dealer,
        "hands": night.hands,
        "events": [entry_json(entry) for entry in night.entries],
        "totals": dict(night.totals),
        "balances": night.balances,
        "nobody": night.nobody,
        "check": night.check,
    }


def entry_json(entry: Entry) -> dict[str, Any]:
    """One line of the log as plain data."""
    return {
        "id": entry.event.id,
        "at": entry.event.at,
        **change_to_json(entry.deed),
        "hand": entry.hand,
        "dealer": entry.dealer,
        "seats": list(entry.seats),
        "payments": [entry.net.get(name, 0) for name in entry.seats],
        "transfers": [
            {"from": f.payer or None, "to": f.receiver or None, "amount": f.amount, "reason": f.reason._asdict()}
            for f in entry.flows
        ],
        "corrections": list(entry.corrections),
        "undone": entry.undone,
        "problem": None if entry.problem is None else entry.problem.en,
    }


def _night(store: Store, name: str) -> Night:
    return store.night(store.find(name))


def _events(n: int) -> str:
    return f"{n} event{'s' * (n != 1)}"


def _names(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in re.split("[,，、]", text))
    for name in names:
        _refuse_what_is_no_name(name)
    return names


def _refuse_what_is_no_name(name: str, what: str = "a name") -> None:
    if not name.isprintable():
        _refuse(f"“{' '.join(name.split())}” has a line break in it or another sign that is not seen: leave it out.")
    if len(name) > LONGEST_NAME:
        _refuse(f"“{name[:20]}…” has {len(name)} characters: {what} has at most {LONGEST_NAME}.")


def _read_case(file: str) -> dict[str, Any]:
    text = _read_text(file)
    try:
        case = json.loads(text)
    except json.JSONDecodeError as wrong:
        _refuse(f"{file}, line {wrong.lineno}: not JSON ({wrong.msg}).")
    except (ValueError, RecursionError):
        _refuse(f"{file} is no case: no program would have written it.")
    if not isinstance(case, dict):
        _refuse(f"{file} must hold one case, a JSON object as `hupai score --cases` takes in a list.")
    for key in unknown_keys(case):
        typer.echo(f"{file} has the key “{key}”, which means nothing and was passed over.", err=True)
    return case


def _read_text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except OSError as wrong:
        _refuse(f"{file} cannot be read ({wrong.strerror}).")
    except UnicodeDecodeError:
        _refuse(f"{file} is no text file: expected JSON in UTF-8.")


def _choice(rules: str, options: dict[str, Any]) -> RulesChoice:
    """A preset, or the file of a house's rules, with the options of the command line on top."""
    from ui.table import House  # it brings the app's hand with it, which no other command here needs

    if not rules.endswith(".toml"):
        return RulesChoice(rules, options)
    try:
        told = House.from_file(Path(rules))
    except ValueError as wrong:
        _refuse(str(wrong))
    return RulesChoice(told.preset, {**dict(told.changes), **options})


def _house_rule(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        _refuse(f"“{text}” is no house rule: write NAME=VALUE.")
    return name.strip(), value_of(value)


def _amount(text: str) -> tuple[str, int]:
    name, _, value = text.rpartition("=")
    try:
        points = int(value)
    except ValueError:
        _refuse(f"“{text}” is no amount: write NAME=POINTS with a whole number.")
    return name.strip(), typed_amount(points)


def _refuse(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(2)


def _signed(net: dict[str, int]) -> str:
    winners_first = sorted(net.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {amount:+d}" for name, amount in winners_first if amount) or "nobody pays"


def _table(*heads: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _print(table: Table) -> None:
    """As wide as the terminal, and in one line a row where the output goes into a file or a pipe."""
    Console(width=None if sys.stdout.isatty() else 200, markup=False, emoji=False).print(table)
