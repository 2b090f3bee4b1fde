"""The `hupai` command. Human output by default, `--json` for programs; a mistake gets one sentence on stderr, exit 2.

Commands that need more than the rules (reading photographs, training, data) are imported when they are called, so that
`hupai score --hand …` answers at once and PyTorch is never loaded by the app."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from typer.core import TyperGroup

from datasets.results import FORCE, occupied

LAZY = {
    "train": ("models.commands", "Train a network: finder, refiner or classifier."),
    "export": ("models.commands", "Write a trained network as ONNX."),
    "evaluate": ("models.commands", "Measure the reader on labelled photographs."),
    "models": ("ui.model_commands", "Which networks read the photographs: list, try and use others, go back."),
    "quantize": ("models.commands", "Eight-bit networks, measured against the floats."),
    "review": ("models.commands", "Compare the reader with the labels of the training photographs."),
    "calibrate": ("ui.profile_commands", "Show the reader a tile set in one photograph or more."),
    "profiles": ("ui.profile_commands", "Tile sets that the reader was shown: list, delete."),
    "data": ("ui.data_commands", "Labelled photographs: label, count, check, convert, render."),
    "ledger": ("ui.ledger_commands", "A night at the table: record, correct, settle up."),
}
"""Commands that live in other rooms: module (its `app` is a Typer) and the line that `hupai --help` shows."""


UsageError: Any = typer.BadParameter.__mro__[1]
"""What Typer raises for a command line that it does not understand; it has no public name of its own."""


_PLAINER = (
    (r"Input should be a valid integer.*", "give a whole number"),
    (r"Input should be a valid number.*", "give a number"),
    (r"Input should be greater than or equal to (\S+)", r"give at least \1"),
    (r"Input should be less than or equal to (\S+)", r"give at most \1"),
    (r"No such option: (-\d+).*", r"“\1” is below zero: give a number above it"),
    (
        r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)",
        r"“\1” is too much here; put what has spaces in it in quotes",
    ),
)
"""What a library says of a wrong value, and how that is said here."""


def _in_our_words(message: str) -> str:
    for theirs, ours in _PLAINER:
        message = re.sub(theirs, ours, message, flags=re.DOTALL)
    return message.rstrip(".")


class Rooms(TyperGroup):
    """A group whose rarer commands are imported when they are called. A usage error is one sentence, like any other."""

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except UsageError as wrong:
            root = wrong.ctx.find_root().command_path if wrong.ctx else ""
            command = wrong.ctx.command_path.removeprefix(root) if wrong.ctx else ""
            print(f"{_in_our_words(wrong.format_message())}: see hupai{command} --help.", file=sys.stderr)
            sys.exit(2)
        sys.exit(code if isinstance(code, int) else 0)

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *LAZY]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        if found is not None or cmd_name not in LAZY:
            return found
        module, _ = LAZY[cmd_name]
        try:
            commands = importlib.import_module(module).app
        except ModuleNotFoundError as missing:
            fail(f"`hupai {cmd_name}` needs {missing.name}, which is not installed: pip install 'hupai[train]'.")
        commands.rich_markup_mode = None  # every help looks like every other, wherever the command lives
        commands._add_completion = False
        group = typer.main.get_command(commands)
        inner = getattr(group, "commands", {})
        return inner.get(cmd_name, group)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list in the help, without importing anything for it."""
        own = {name: super(Rooms, self).get_command(ctx, name) for name in super().list_commands(ctx)}
        rows = [(name, command.get_short_help_str(90)) for name, command in own.items() if command]
        rows += [(name, line) for name, (_, line) in LAZY.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


app = typer.Typer(cls=Rooms, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
out = Console(markup=False, emoji=False)
Force = Annotated[bool, typer.Option("--force", help=FORCE)]
PROFILE_HELP = "The tile set on the table: a name given to `hupai calibrate`, or auto to choose the one that matches."


def fail(sentence: str) -> NoReturn:
    """End with one sentence on stderr and exit code 2."""
    print(sentence, file=sys.stderr)
    raise typer.Exit(2)


def print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


@app.callback(invoke_without_command=True)
def open_app(
    ctx: typer.Context,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones on the home network in, with an invitation.")] = False,
    port: Annotated[
        int | None,
        typer.Option(envvar="PORT", min=1, max=65535, help="The port to listen on: 8550, or a free one, unless named."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the app in a browser.")] = True,
    new_invitation: Annotated[
        bool, typer.Option(help="Make a new invitation; devices let in before stay out.")
    ] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Hupai 胡牌: photograph a winning mahjong hand, see what it is worth and who pays whom.

    Without a command it opens the app.
    """
    if version:
        from ui.installed import version as installed

        print(f"hupai {installed()}")
        raise typer.Exit
    from ui.places import profile_folder

    ctx.meta["hupai.profiles"] = profile_folder()  # `evaluate` lives in a room that does not know where things lie
    if ctx.invoked_subcommand is None:
        from ui.server import PortTaken, serve

        try:
            serve(lan=lan, port=port, browser=browser, renew=new_invitation)
        except PortTaken as taken:
            fail(str(taken))


# -- reading -----------------------------------------------------------------------------------------------------------


@app.command()
def read(
    photos: Annotated[list[Path], typer.Argument(help="Photographs of a hand.")],
    as_json: Annotated[bool, typer.Option("--json", help="A JSON list, one object a photograph.")] = False,
    overlay: Annotated[
        Path | None, typer.Option("--out", help="Write the photograph with outlines: a file, or a folder for several.")
    ] = None,
    force: Force = False,
    rules: Annotated[
        str | None, typer.Option(help="The game that is played: a doubtful tile is then one of its tiles.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help=PROFILE_HELP)] = None,
) -> None:
    """Read photographs: which tiles, which hand, what is doubtful."""
    from rich.progress import Progress

    from ui.printing import guessed_for, of_photograph, reading_json, unread_json
    from vision.photo import open_photo
    from vision.reading import read_photo
    from vision.result import PhotoError

    pictures = _pictures(photos, overlay, force) if overlay is not None else {}
    faces = _rules(_house(rules, None)).tiles if rules else None
    sets = _profiles(profile)
    answers: list[dict[str, Any]] = []
    failed = False
    with Progress(console=Console(stderr=True), transient=True, disable=as_json or not sys.stderr.isatty()) as bar:
        task = bar.add_task("reading", total=len(photos))
        for photo in photos:
            try:
                reading = read_photo(photo, faces=faces, **sets)
                reading = reading if faces is None else guessed_for(reading, faces)
                if photo in pictures:
                    from ui.overlay import write_overlay

                    write_overlay(open_photo(photo).pixels, reading, pictures[photo])
            except PhotoError as error:
                failed = True
                print(of_photograph(photo, error), file=sys.stderr)
                answers.append(unread_json(str(photo), str(error)))
            else:
                answers.append(reading_json(str(photo), reading))
                if not as_json:
                    bar.console.print() if len(answers) > 1 else None
                    _print_reading(out, photo, reading)
            bar.advance(task)
    if as_json:
        print_json(answers)
    if failed:
        raise typer.Exit(2)


def _pictures(photos: list[Path], out: Path, force: bool) -> dict[Path, Path]:
    """Where the picture with outlines of each photograph goes: nothing is overwritten, least of all by each other."""
    into_folder = len(photos) > 1 or out.is_dir()
    pictures = {photo: out / f"{photo.stem}.jpg" if into_folder else out for photo in photos}
    places = list(pictures.values())
    if twice := [place.stem for place in places if places.count(place) > 1]:
        fail(f"Several photographs are called {twice[0]}: write their outlines one by one, each with its own --out.")
    if {place.resolve() for place in places} & {photo.resolve() for photo in photos}:
        fail(f"{out} is where a photograph itself lies: give --out another name.")
    if taken := occupied(*places, force=force):
        fail(taken)
    try:
        if into_folder:
            out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{out} cannot be made ({error.strerror}): give the name of a folder.")
    return pictures


def _print_reading(console: Console, photo: Path, reading: Any) -> None:
    """What was read below the photograph's name, which is never broken into lines: it is there to be copied."""
    from ui.printing import reading_table

    console.print(str(photo), style="italic", soft_wrap=True, highlight=False, markup=False)
    console.print(reading_table(reading))


def _profiles(name: str | None) -> dict[str, Any]:
    """What `read_photo` is told of tile sets: the named one, all of them to choose from (`auto`), or nothing."""
    if name is None:
        return {}
    from ui.places import profile_folder
    from vision import profile as profiles
    from vision.result import ProfileError

    folder = profile_folder()
    try:
        if name == "auto":
            return {"known": [profiles.load(folder, known) for known in profiles.names(folder)]}
        return {"profile": profiles.load(folder, name)}
    except ProfileError as error:
        fail(str(error))


# -- scoring -----------------------------------------------------------------------------------------------------------


@app.command()
def score(
    photo: Annotated[Path | None, typer.Argument(help="A photograph of the hand.")] = None,
    hand: Annotated[
        str | None, typer.Option(help="The hand as text: '123789p 4556s CCC + 5s', melds as [222s].")
    ] = None,
    profile: Annotated[str | None, typer.Option(help=PROFILE_HELP)] = None,
    rules: Annotated[str | None, typer.Option(help="The preset: see `hupai rules`.")] = None,
    win: Annotated[
        str | None, typer.Option(help="How it was won: self-draw (unless said), discard or rob-kong.")
    ] = None,
    from_seat: Annotated[int | None, typer.Option("--from", help="The seat that discarded, 0 to players - 1.")] = None,
    winner: Annotated[int | None, typer.Option(help="The seat that won; 0 unless said.")] = None,
    winning_tile: Annotated[
        str | None, typer.Option(help="The tile that won, where nothing sets it apart: 5s.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="A house rule: NAME=VALUE. Repeatable.")] = None,
    say: Annotated[list[str] | None, typer.Option(help="A circumstance: QUESTION=VALUE. Repeatable.")] = None,
    cases: Annotated[Path | None, typer.Option(help="A file of worked examples; prints a list of answers.")] = None,
    language: Annotated[str, typer.Option(help="Language of names and reasons: en or zh.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="JSON for programs.")] = False,
) -> None:
    """Score a hand: named elements with reasons, the arithmetic, who pays whom."""
    given = {"PHOTO": photo, "--hand": hand, "--cases": cases}
    flags = {"--winner": winner, "--win": win, "--from": from_seat, "--winning-tile": winning_tile}
    if len([one for one in given.values() if one is not None]) != 1:
        fail(f"Give one of {', '.join(given)}, for example: hupai score --hand '123789p 4556s CCC + 5s'.")
    if cases is not None:
        flags |= {"--rules": rules, "--option": option, "--say": say, "--profile": profile}
        if language != "en":
            flags["--language"] = language
        _refuse_superfluous(flags, "each case says that itself")
        return _cases(cases, as_json)
    from scoring import Refusal
    from ui.printing import score_json, score_table
    from ui.table import Said, result_of

    _refuse_unknown_language(language)
    house = _house(rules, option)
    table = _rules(house)
    if photo is not None:
        won = _hand_on(photo, winning_tile, house, _profiles(profile))
    else:
        _refuse_superfluous({"--profile": profile}, "there is no photograph")
        won = _hand_in(hand or "", winning_tile)
    answers = _said(say or [], table)
    for key, flag, value in (
        ("winner", "--winner", winner),
        ("win_by", "--win", None if win is None else _way(win)),
        ("discarder", "--from", from_seat),
    ):
        if value is not None and answers.get(key, value) != value:
            fail(f"{flag} and --say {key} say different things: leave one of them out.")
        if value is not None:
            answers[key] = value
    said = Said(tuple(({"winner": 0, "win_by": "self_draw"} | answers).items()))
    _refuse_unknown_seats(said, table.players)
    _refuse_impossible(house, won, said)
    _refuse_open_questions(house, won, said)
    result = result_of(house, won, said, said.answers["winner"])
    if isinstance(result, Refusal):
        fail(result.sentence(language))
    if as_json:
        print_json(score_json(result))
    else:
        out.print(score_table(result, language, house.name))


def _refuse_superfluous(flags: dict[str, Any], why: str) -> None:
    """What was said and has no effect is a mistake; silence about it would hide one."""
    for flag, value in flags.items():
        if value is not None:
            fail(f"{flag} has no meaning here, because {why}: leave it out.")


def _refuse_unknown_language(language: str) -> None:
    if language not in ("en", "zh"):
        fail(f"--language {language} is not known: use en or zh.")


def _cases(path: Path, as_json: bool) -> None:
    from scoring.cases import answers, notes, unknown_keys

    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}.")
    except (ValueError, RecursionError):
        fail(f"{path} is not JSON: give a list of cases (the README shows one).")
    listed = document.get("examples") if isinstance(document, dict) else document
    if not isinstance(listed, list):
        fail(f"{path} holds no list of cases (the README shows one).")
    for number, case in enumerate(listed):
        for key in unknown_keys(case):
            which = case.get("id", number)
            print(
                f"{path}: case {which} has the key “{key}”, which means nothing and was passed over.", file=sys.stderr
            )
        for note in notes(case):
            print(f"{path}: case {case.get('id', number)}: {note}", file=sys.stderr)
    given = answers(listed)
    if as_json:
        return print_json(given)
    for one in given:
        rest = {key: value for key, value in one.items() if key != "id"}
        out.print(f"{one['id']}  {json.dumps(rest, ensure_ascii=False)}", soft_wrap=True, highlight=False)
    if all("illegal" in one for one in given):  # for programs each answer says so itself
        fail(f"{path}: " + ("no case could be scored." if given else "the list of cases is empty."))


def _hand_on(photo: Path, winning_tile: str | None, house: Any, sets: dict[str, Any]) -> Any:
    from ui.draft import from_reading
    from ui.printing import of_photograph
    from ui.table import hand_of
    from vision.reading import read_photo
    from vision.result import UNKNOWN, PhotoError

    named = None if winning_tile is None else _tile(winning_tile)
    try:
        reading = read_photo(photo, faces=house.tiles, **sets)
    except PhotoError as error:
        fail(of_photograph(photo, error))
    if not reading.tiles:
        fail(f"{photo}: no tiles were found; go closer, so that the tiles fill the picture.")
    draft = from_reading(reading, kinds=house.meld_kinds)
    if any(piece.tile == UNKNOWN for piece in draft.pieces):
        _print_reading(Console(stderr=True, markup=False, emoji=False), photo, reading)
        fail("Some tiles were not recognised: correct the hand in the app, or give it with --hand.")
    if draft.doubts:
        _print_reading(Console(stderr=True, markup=False, emoji=False), photo, reading)
    return _with_winning_tile(hand_of(draft), named, photo)


def _hand_in(text: str, winning_tile: str | None) -> Any:
    """The hand as it was typed."""
    from scoring import Hand
    from scoring.tiles import NotationError

    try:
        hand = Hand.parse(text)
    except NotationError as wrong:
        fail(str(wrong))
    if winning_tile is None:
        return hand
    named = _tile(winning_tile)
    if "+" in text and named != hand.winning_tile:
        fail(
            f"--winning-tile {winning_tile}, but in the hand {hand.winning_tile} follows the +: leave one of them out."
        )
    if hand.winning_tile in (None, named):
        return replace(hand, winning_tile=named)
    return _with_winning_tile(hand, named, "--hand")


def _tile(text: str) -> str:
    """The one tile that --winning-tile names."""
    from scoring.tiles import NotationError, parse

    try:
        (tile,) = parse(text)
    except NotationError as wrong:
        fail(f"--winning-tile {text}: {wrong}")
    except ValueError:
        fail(f"--winning-tile {text}: name one tile, for example 5s.")
    return tile


def _with_winning_tile(hand: Any, named: str | None, where: str | Path) -> Any:
    """The hand with the tile that won: the one lying apart, or the one that was named."""
    held = [*hand.concealed, *([hand.winning_tile] if hand.winning_tile else [])]
    if named is None:
        if hand.winning_tile is None and held:
            fail(f"{where}: no tile lies apart, so say which one won, for example --winning-tile {held[-1]}.")
        return hand
    if named not in held:
        fail(f"--winning-tile {named}: the hand ({where}) has no such tile; it holds {' '.join(held)}.")
    held.remove(named)
    return replace(hand, concealed=tuple(held), winning_tile=named)


def _house(rules: str | None, option: list[str] | None) -> Any:
    """What the table plays: a preset, or the file of a house's rules, with the options of the command line on top."""
    from ui.table import House, first_preset

    changes = _options(option or [])
    if rules is not None and not rules.endswith(".toml") and Path(rules).suffix:
        fail(f"{rules} is neither a preset nor a house's rules: those are a file that ends in .toml.")
    if rules is None or not rules.endswith(".toml"):
        return House(_preset(rules or first_preset()), tuple(changes.items()))
    try:
        told = House.from_file(Path(rules))
    except ValueError as wrong:
        fail(str(wrong))
    return replace(told, changes=tuple({**dict(told.changes), **changes}.items()))


def _preset(name: str) -> str:
    from scoring import RulesError, preset

    try:
        return preset(name).name
    except RulesError as wrong:
        fail(str(wrong))


def _rules(house: Any) -> Any:
    from scoring import RulesError

    try:
        return house.rules
    except RulesError as wrong:
        fail(str(wrong))


def _way(win: str) -> str:
    from scoring.hand import WIN_WAYS

    way = win.replace("-", "_")
    if way not in WIN_WAYS:
        fail(f"--win {win} is no way to win: use {', '.join(w.replace('_', '-') for w in WIN_WAYS)}.")
    return way


def _options(given: list[str]) -> dict[str, Any]:
    from scoring.house import value_of

    pairs: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            fail(f"--option {one} has no value: write for example --option unit=5.")
        if name.strip() in pairs:
            fail(f"--option {name.strip()} is given twice: leave one of them out.")
        pairs[name.strip()] = value_of(value)
    return pairs


_SAID = {"bool": "yes", "choice": "none", "tiles": "1m,2m", "seat": "1", "seats": "0,2", "int": "2"}
"""For each kind of question, an answer as it is typed."""


def _said(given: list[str], table: Any) -> dict[str, Any]:
    from scoring.hand import Hand
    from scoring.tiles import NotationError, parse

    known = {question.id: question for question in table.questions}
    said: dict[str, Any] = {}
    for one in given:
        name, equals, text = one.partition("=")
        question = known.get(name)
        if question is None:
            fail(f"--say {one} answers no question of these rules; they ask: {', '.join(known)}.")
        if not equals:
            fail(f"--say {one} lacks its answer: write for example --say {name}={_SAID[question.kind]}.")
        if name in said:
            fail(f"--say {name} is given twice: leave one of them out.")
        match question.kind:
            case "bool":
                if text not in ("yes", "no", "true", "false"):
                    fail(f"--say {one}: answer yes or no.")
                said[name] = text in ("yes", "true")
            case "choice":
                allowed = [str(choice.value) for choice in question.choices(Hand(), {})]
                if text not in allowed:
                    fail(f"--say {one}: answer one of {', '.join(allowed)}.")
                said[name] = text
            case "tiles":
                try:
                    said[name] = parse(text)
                except NotationError as wrong:
                    fail(f"--say {one}: {wrong}")
            case _:
                numbers = text.replace(" ", "").split(",") if text else []
                several = question.kind == "seats"
                short = all(number.isdecimal() and len(number) < 10 for number in numbers)
                if not short or (len(numbers) != 1 and not several):
                    fail(f"--say {one}: give {'seats like 0,2' if several else 'one number'}.")
                said[name] = tuple(map(int, numbers)) if several else int(numbers[0])
    return said


def _refuse_unknown_seats(said: Any, players: int) -> None:
    answers = said.answers
    for key in ("winner", "discarder"):
        seat = answers.get(key)
        if seat is not None and not 0 <= seat < players:
            fail(f"Seat {seat} does not exist: these rules are for {players} players, seats 0 to {players - 1}.")
    if answers.get("win_by") == "self_draw" and answers.get("discarder") is not None:
        fail("Nobody discards when it is won by self-draw: leave --from out, or say --win discard.")
    if answers.get("win_by") != "self_draw" and answers.get("discarder") is None:
        fail("Say who discarded: --from SEAT.")
    if answers.get("win_by") != "self_draw" and answers.get("discarder") == answers.get("winner"):
        fail("The winner cannot have discarded the winning tile: give another seat with --from.")


def _refuse_impossible(house: Any, hand: Any, said: Any) -> None:
    """What cannot have been so is refused; the app does not even offer it."""
    from scoring import impossible

    if wrong := impossible(house.rules, hand, said.answers):
        fail(wrong[0].text.en)


def _refuse_open_questions(house: Any, hand: Any, said: Any) -> None:
    """What only the table knows must be said; without it the score would be a guess."""
    from ui.table import asked

    for one in asked(house, hand, said):
        if one.missing:
            question = one.question
            example = one.choices[-1].value if question.kind == "choice" else _SAID[question.kind]
            fail(f"These rules ask: {question.text.en} Say it, for example --say {question.id}={example}.")


# -- rules and waits ---------------------------------------------------------------------------------------------------

rules_app = typer.Typer(help="The rules: list the presets, show one, compare two.", rich_markup_mode=None)
app.add_typer(rules_app, name="rules")


@rules_app.callback(invoke_without_command=True)
def rules_list_by_default(ctx: typer.Context) -> None:
    """The rules: list the presets, show one, compare two."""
    if ctx.invoked_subcommand is None:
        rules_list()


@rules_app.command("list")
def rules_list(as_json: Annotated[bool, typer.Option("--json", help="JSON for programs.")] = False) -> None:
    """Every preset of every game."""
    from ui.printing import presets_json, presets_table

    print_json(presets_json()) if as_json else out.print(presets_table())


@rules_app.command("show")
def rules_show(
    name: Annotated[str, typer.Argument(help="A preset.")],
    option: Annotated[list[str] | None, typer.Option(help="A house rule: NAME=VALUE. Repeatable.")] = None,
    language: Annotated[str, typer.Option(help="en or zh.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="JSON for programs.")] = False,
) -> None:
    """One preset in full: elements, values, every switch with its source."""
    from ui.printing import rules_json, rules_table

    _refuse_unknown_language(language)
    house = _house(name, option)
    table = _rules(house)
    print_json(rules_json(table)) if as_json else out.print(rules_table(table, language, house.name))


@rules_app.command("export")
def rules_export(
    preset: Annotated[str, typer.Argument(help="A preset, or the file of a house's rules.")],
    name: Annotated[str, typer.Option(help="What the house calls its rules.")],
    option: Annotated[list[str] | None, typer.Option(help="A house rule: NAME=VALUE. Repeatable.")] = None,
    file: Annotated[Path | None, typer.Option("--out", help="The file to write; standard output without it.")] = None,
    force: Force = False,
) -> None:
    """Keep a house's rules as one small TOML file, which every --rules takes."""
    from scoring import RulesError, house

    try:
        text = house.save(_rules(_house(preset, option)), name)
    except RulesError as wrong:
        fail(str(wrong))
    if file is None:
        print(text, end="")
        return
    if taken := occupied(file, force=force):
        fail(taken)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}.")
    out.print(f"{file}: {name}", highlight=False)


@rules_app.command("diff")
def rules_diff(
    first: Annotated[str, typer.Argument(help="A preset, or the file of a house's rules.")],
    second: Annotated[str, typer.Argument(help="Others of the same game.")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON for programs.")] = False,
) -> None:
    """In which switches two rules differ."""
    from scoring import differences
    from ui.printing import changes_json, changes_table

    a, b = _rules(_house(first, None)), _rules(_house(second, None))
    if a.ruleset.name != b.ruleset.name:
        fail(f"{first} and {second} are different games ({a.ruleset.name}, {b.ruleset.name}): nothing to compare.")
    changes = differences(b, a)
    if as_json:
        print_json(changes_json(changes))
    elif changes:
        out.print(changes_table(changes, first, second))
    else:
        out.print(f"{first} and {second} play by the same rules.", highlight=False)


@app.command()
def waits(
    hand: Annotated[list[str], typer.Argument(help="The hand without its winning tile: 123789p 4556s CCC.")],
    rules: Annotated[str | None, typer.Option(help="The preset: see `hupai rules`.")] = None,
    winner: Annotated[int | None, typer.Option(help="The seat that waits; 0 unless said.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="A house rule: NAME=VALUE. Repeatable.")] = None,
    say: Annotated[list[str] | None, typer.Option(help="What is known already: QUESTION=VALUE. Repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON for programs.")] = False,
) -> None:
    """Which tiles complete a hand, and what each would be worth."""
    from scoring import Hand, answered
    from scoring.waits import KNOWN_BEFORE
    from scoring.waits import waits as completing
    from ui.printing import waits_json, waits_table
    from ui.table import Said

    house = _house(rules, option)
    table = _rules(house)
    given = _hand_in(" ".join(hand), None)
    held = given.concealed + ((given.winning_tile,) if given.winning_tile else ())
    wanted = 13 - 3 * len(given.melds)
    if len(held) != wanted:
        fail(f"The hand has {len(held)} tiles beside its melds; to wait for one it needs {wanted}.")
    waiting = Hand(held, given.melds, None, given.flowers)
    answers = _said(say or [], table)
    for one in answers:
        if one not in KNOWN_BEFORE:
            fail(f"--say {one} cannot be known before the hand is won: leave it out.")
    said = Said(tuple(({"winner": 0} | answers | ({} if winner is None else {"winner": winner})).items()))
    _refuse_unknown_seats(said.saying("win_by", "self_draw"), table.players)
    _refuse_impossible(house, waiting, said)
    _refuse_open_questions(house, waiting, said)
    found = completing(table, waiting, answered(table, waiting, said.answers))
    if as_json:
        print_json(waits_json(found))
    elif found.ready:
        out.print(waits_table(found))
    else:
        fail(" ".join(problem.text.en for problem in found.problems))


def main() -> None:
    """Run the command line; anything that went wrong is one sentence, never a traceback of the person's mistake.

    Output is UTF-8 whatever the terminal says of itself (a redirected stdout on Windows is not): Chinese and tile
    glyphs are in most lines."""
    if sys.stdout is None:  # a program may close it before it starts us
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  it stays open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  what is left to be written cannot be written at the end either
        if isinstance(error, BrokenPipeError):
            raise SystemExit(1) from None
        what = error.filename or "The output"
        print(f"{what} cannot be read or written ({error.strerror or error}).", file=sys.stderr)
        raise SystemExit(2) from None
