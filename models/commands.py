"""`hupai train …`, `hupai export …` and `hupai evaluate`: the networks from the command line.

PyTorch is imported inside the commands that need it, so that measuring works without it."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from datasets import hupai_photos, results, scene_store
from datasets.formats.result import DatasetError
from datasets.labels import LabelledPhoto
from datasets.names import own_table
from models import card
from models.lessons import NoLessons, photographs
from models.own_photos import OwnPhotos, gather
from vision import network
from vision.network import NAMES, SHIPPED, Network

if TYPE_CHECKING:
    from models.evaluate import Sets
    from models.machine import Machine
    from models.training import Recipe

app = typer.Typer(no_args_is_help=True, add_completion=False)
RUNS = Path("runs")
MODELS = Path(__file__).parent
PROFILES = "hupai.profiles"
"""By this name the command line hands on (in Click's `meta`) where tile sets lie that were shown."""
RECENT = 1800.0
"""Seconds over which a speed is taken: on a busy machine there are minutes between two steps that are told."""
LOOKED_AT = 8
"""Photographs of a trainer's own in which tiles without a label are looked for."""
SHOWN = 20
"""Lines about photographs that cannot be used; the rest is counted."""


def _stop(sentence: str) -> typer.Exit:
    print(sentence, file=sys.stderr)
    return typer.Exit(2)


def _bar(console: Console) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    live = console.is_terminal
    return Progress(*columns, console=console, transient=True, disable=not live, speed_estimate_period=RECENT)


@app.command()
def train(
    name: Annotated[str, typer.Argument(help="finder, refiner or classifier.")],
    data: Annotated[
        list[Path] | None,
        typer.Option(help="Your own photographs: a data set in any format that `hupai data` reads. Repeatable."),
    ] = None,
    recipe: Annotated[
        str | None, typer.Option(help="Recipe: a name of models/recipes or a .toml file; NAME-own with --data.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; one that exists is resumed.")] = None,
    steps: Annotated[int | None, typer.Option(help="Batches in all, instead of the recipe's.")] = None,
    scenes: Annotated[int | None, typer.Option(help="Rendered scenes, instead of the recipe's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the recipe's.")] = None,
    start_from: Annotated[
        str | None,
        typer.Option(help="First weights, instead of the recipe's: shipped, a .pt or .onnx file; nothing begins anew."),
    ] = None,
    scene_folder: Annotated[Path | None, typer.Option(help="Where rendered scenes are kept.")] = None,
    kind: Annotated[str, typer.Option("--from", help="Format of --data; it is found out by itself.")] = "auto",
    own_names: Annotated[
        Path | None, typer.Option("--names", help="Lines `name = tile` for class names we do not know.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Not every tile in view is labelled in --data.")] = False,
    licence: Annotated[str, typer.Option(help="Licence of --data, for the card of the weights.")] = "",
    models: Annotated[Path, typer.Option(help="The networks that stand beside it when photographs are read.")] = MODELS,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or mps.")] = "auto",
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: what came of it, with every measurement.")
    ] = False,
) -> None:
    """Train a network. Interrupted runs go on where they stopped; `hupai export` makes an ONNX file of the result.

    Under torchrun the processes share every batch: torchrun --nproc-per-node 2 -m hupai train …"""
    if name not in NAMES:
        raise _stop(f"There is no network '{name}': choose one of {', '.join(NAMES)}.")
    if name == "refiner" and data:
        raise _stop("The refiner learns from rendered scenes alone: leave out --data.")
    try:
        from models.machine import NoDevice, machine
        from models.shipped import NotOurs
        from models.training import Recipe, RecipeError
    except ModuleNotFoundError as missing:
        raise _stop(f"Training needs {missing.name}, which is not installed: pip install 'hupai[train]'.") from None
    try:
        table = own_table(own_names.read_text("utf-8-sig")) if own_names else {}
    except (OSError, ValueError) as error:
        raise _stop(f"The names in {own_names} cannot be read: {error}") from None
    first = "" if start_from == "nothing" else start_from
    folder = out or RUNS / (f"{name}-own" if data else name)
    try:
        knobs = Recipe.read(
            recipe or (f"{name}-own" if data else name), steps=steps, scenes=scenes, seed=seed, start_from=first
        )
        begin = _first_weights(name, knobs.start_from)
        with machine(device) as here:
            own = _own_photographs(data, kind, table, partial, licence, knobs.seed, here) if data else None
            if own and here.first and (hint := unlabelled(own.lessons, models)):
                print(hint, file=sys.stderr)
            _run(name, knobs, folder, begin, scene_folder or _scene_folder(knobs), own, models, here, as_json)
    except (RecipeError, NoDevice, NoLessons, NotOurs, DatasetError) as error:
        raise _stop(f"{str(error).rstrip('.')}.") from None
    except KeyboardInterrupt:
        last = folder / "last.pt"
        since = f"goes on from {last}" if last.is_file() else "begins again, with the scenes that are rendered already"
        print(f"Interrupted: the same command {since}.", file=sys.stderr)
        raise typer.Exit(130) from None


def unlabelled(photos: Sequence[LabelledPhoto], models: Path) -> str:
    """A hint at --partial where the reader is sure of tiles that nobody labelled, in a third of the photographs that it
    is shown; "" otherwise, and where it cannot read."""
    from models.review import run as reviewed
    from vision.network import NoModel
    from vision.reading import Reader

    whole = [photo for photo in photos if not photo.single and not photo.partial]
    looked = whole[:: max(1, len(whole) // LOOKED_AT)][:LOOKED_AT]
    try:
        seen = [[code for code, _ in one.tiles if code != "?"] for one in reviewed(Reader(models), looked)]
    except NoModel:
        return ""
    in_them = [tiles for tiles in seen if len(tiles) > 1]
    if not looked or 3 * len(in_them) < len(looked):
        return ""
    many = sum(map(len, in_them))
    return (
        f"In {len(in_them)} of {len(looked)} photographs that were looked at lie tiles without a label, {many} in all: "
        "where not every tile in view is labelled, say --partial."
    )


def _scene_folder(recipe: Any) -> Path:
    return RUNS / f"scenes-{recipe.scene_seed}"


def _first_weights(name: str, said: str) -> Path | None:
    """The file whose weights a training begins with. NoLessons when it is not there."""
    if not said:
        return None
    path = MODELS / f"{name}.onnx" if said == SHIPPED else Path(said)
    if not path.is_file():
        raise NoLessons(f"There are no weights at {path}: give --start-from shipped, a .pt or a .onnx file")
    return path


def _own_photographs(
    folders: list[Path], kind: str, table: dict[str, str], partial: bool, licence: str, seed: int, here: Any
) -> OwnPhotos:
    """A trainer's photographs, with a word about each thing that could not be used."""
    console = Console(stderr=True, quiet=not here.first, markup=False, emoji=False)
    with console.status("read photographs"):
        own = gather(folders, kind, table, partial, licence, seed, (here.rank, here.ranks))
    wrong = [finding for finding in own.findings if finding.severity == "wrong"]
    for finding in wrong[:SHOWN]:
        console.print(str(finding), highlight=False, markup=False, soft_wrap=True)
    if wrong:
        more = f"; the first {SHOWN} are shown, `hupai data check` shows all" if len(wrong) > SHOWN else ""
        what = "1 thing was left out or looks" if len(wrong) == 1 else f"{len(wrong)} things were left out or look"
        console.print(f"{what} wrong{more}.")
    held = len(own.held_out) + len(own.singles)
    whose = " (of this process)" if own.shared else ""
    console.print(
        f"{len(own.lessons)} photographs to learn from{whose}, {held} held out ({own.divided}), "
        f"{len(own.test)} of a test split left alone."
    )
    return own


def _run(
    name: str,
    knobs: Recipe,
    folder: Path,
    begin: Path | None,
    scenes: Path,
    own: OwnPhotos | None,
    models: Path,
    here: Machine,
    as_json: bool,
) -> None:
    """Prepare the lessons, train, and say on the way how it goes."""
    from models import lessons
    from models.training import train as run

    console = Console(quiet=not here.first, stderr=as_json, markup=False, emoji=False)
    started = time.monotonic()
    with _bar(console) as bar:
        task = bar.add_task("render scenes", total=knobs.scenes)
        here.first_then_all(lambda: lessons.render(scenes, knobs, lambda n: bar.advance(task, n)))
    with console.status("prepare lessons"):
        ready = lessons.prepare(name, knobs, scenes, own, here, models)
    with _bar(console) as bar:
        progress = bar.add_task(f"train {name}", total=knobs.steps)

        def report(step: int, numbers: dict[str, float]) -> None:
            speed = f"train {name}, {numbers['samples_per_second']:.0f} samples/s"
            bar.update(progress, completed=step, description=speed)
            if "score" in numbers or not console.is_terminal:
                told = "  ".join(f"{k} {v:.4g}" for k, v in numbers.items())
                seconds = None if console.is_terminal else bar.tasks[progress].time_remaining
                left = f"  {timedelta(seconds=round(seconds))} left" if seconds else ""
                console.print(f"{step:6d}{left}  {told}", highlight=False, soft_wrap=True)

        def resumed(step: int, more: bool) -> None:
            bar.reset(progress, completed=step)  # those batches took this call no time
            console.print(going_on(folder / "last.pt", step, knobs.steps, more), highlight=False, soft_wrap=True)

        run(
            ready.task,
            knobs,
            folder,
            begin,
            report,
            measure=ready.measure,
            facts=ready.facts,
            here=here,
            resumed=resumed,
        )
    if as_json:
        if here.first:
            print(json.dumps(_outcome(folder, time.monotonic() - started), indent=1))
        return
    console.print(
        f"{folder / 'best.pt'} holds the best weights, {folder / 'curve.png'} shows the course: "
        f"hupai export {name} {folder / 'best.pt'}" + (" --out FOLDER" if own else " --force"),
        soft_wrap=True,
    )


def going_on(last: Path, step: int, steps: int, more: bool) -> str:
    """What is said of a run whose checkpoint is there, at this batch of so many; `more` are left to be trained on."""
    if more:
        return f"{last} is there: the training goes on from batch {step} of {steps}."
    return (
        f"{last} is there, and this training was over after batch {step} of {steps}: nothing is left to train. "
        "Another one takes another --out."
    )


def _outcome(folder: Path, seconds: float) -> dict[str, Any]:
    """What a run left in its folder: the weights, every measurement so far, and the one that the best weights had.

    seconds: of this call; a run that was resumed took longer in all."""
    from models import curve

    measured = [{k: float(v) for k, v in row.items() if v} for row in curve.read(folder / "curve.csv")]
    return {
        "best": str(folder / "best.pt"),
        "last": str(folder / "last.pt"),
        "picture": str(folder / "curve.png"),
        "best_measured": max(measured, key=lambda row: row["score"], default=None),
        "measured": measured,
        "seconds": round(seconds, 1),
    }


@app.command()
def export(
    name: Annotated[str, typer.Argument(help="finder, refiner or classifier.")],
    checkpoint: Annotated[Path, typer.Argument(help="The .pt file of a training.")],
    out: Annotated[Path, typer.Option(help="Folder of models to write to; what it lacks is filled up.")] = MODELS,
    licence: Annotated[str, typer.Option(help="Licence of the weights, for the file and the card.")] = "",
    data: Annotated[
        list[Path] | None, typer.Option(help="Your own photographs: the held-out ones calibrate the classifier.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=results.FORCE)] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Write a trained network as ONNX, after proving that it computes the same, and its card. The classifier is
    calibrated. A folder that lacks the other networks gets the shipped ones, so that it can read at once."""
    if name not in NAMES:
        raise _stop(f"There is no network '{name}': choose one of {', '.join(NAMES)}.")
    if not checkpoint.is_file():
        raise _stop(f"There is no checkpoint {checkpoint}: train one with `hupai train {name}`.")
    if taken := results.occupied(out / f"{name}.onnx", force=force):
        raise _stop(taken)
    try:
        from models.calibration import temperature
        from models.export import LICENCES, course, load_checkpoint
        from models.export import export as write
        from models.shipped import NotOurs
    except ModuleNotFoundError as missing:
        raise _stop(f"Exporting needs {missing.name}, which is not installed: pip install 'hupai[train]'.") from None
    try:
        trained, made = load_checkpoint(name, checkpoint), course(checkpoint)
        held_out = photographs(("held_out",)) if not data else list(gather(data, seed=made["recipe"]["seed"]).held_out)
    except (NotOurs, DatasetError) as error:
        raise _stop(f"{str(error).rstrip('.')}.") from None
    extra = {"temperature": f"{temperature(trained, held_out):.3f}"} if name == "classifier" else {}
    learned = made["facts"]
    extra["data"] = str(learned.get("data", card.UNKNOWN))
    own = str(learned.get("sources", "")).startswith("own")
    extra["licences"] = (
        f"weights: {licence or ('not stated' if own else 'Apache-2.0')}; data: {learned['sources']}"
        if licence or own
        else LICENCES
    )
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.onnx"
    difference = write(name, trained, path, extra)
    # it came from other weights: `hupai quantize` makes it anew
    network.eight_bits_of(name, out).unlink(missing_ok=True)
    facts = Network(path).metadata
    written = card.update(out, name, card.block(name, path, facts, made, difference))
    filled = [other for other in NAMES if not (out / f"{other}.onnx").is_file()]
    for other in filled:
        network.copy(other, MODELS, out)
    if as_json:
        print(
            json.dumps(
                {"file": str(path), "card": str(written), "difference": difference, "filled_up": filled, **facts}
            )
        )
        return
    print(
        f"{path}: {path.stat().st_size / 2**20:.2f} MiB, differs from PyTorch by {difference:.1e}"
        + (f", temperature {extra['temperature']}" if "temperature" in extra else "")
    )
    print(f"{written}: what it is and what it learned from")
    if filled:
        print(f"{out}: the shipped {' and '.join(filled)} put beside it")


@app.command()
def review(
    models: Annotated[Path, typer.Option(help="Folder of models.")] = MODELS,
    out: Annotated[Path, typer.Option(help="The overlay to write.")] = hupai_photos.OVERLAY,
) -> None:
    """Compare the reader with the labels of the training photographs: keep the tiles that nobody boxed in an overlay,
    list the labels that the reader contradicts."""
    from models.review import overlay, run
    from vision.network import NoModel
    from vision.reading import Reader

    try:
        reader = Reader(models)
    except NoModel as error:
        raise _stop(f"{error}.") from None
    plain = [
        replace(p, marks=tuple(m for m in p.marks if not m.by_reader)) for p in photographs(("train",), sharp=False)
    ]
    if not plain:
        raise _stop(f"There are no photographs at {hupai_photos.data_folder()}: set HUPAI_DATA to their folder.")
    console = Console(stderr=True, markup=False, emoji=False)
    with _bar(console) as bar:
        progress = bar.add_task("review", total=len(plain))
        reviews = run(reader, plain, lambda: bar.advance(progress))
    lines = [
        f"{json.dumps(name)}: {json.dumps(tiles, separators=(',', ':'))}" for name, tiles in overlay(reviews).items()
    ]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    sure = sum(code != "?" for r in reviews for code, _ in r.tiles)
    unsure = sum(code == "?" for r in reviews for code, _ in r.tiles)
    print(f"{out}: {len(reviews)} photographs, {sure} tiles nobody boxed, {unsure} places nobody knows")
    for r in reviews:
        for label, said, p in r.contradictions:
            print(f"{r.name}: labelled {label}, read as {said} ({p:.2f})")


@app.command()
def evaluate(
    ctx: typer.Context,
    split: Annotated[
        list[str] | None,
        typer.Option(help="held_out, unseen, train or scenes; of --data: train, held_out, test. Repeatable."),
    ] = None,
    models: Annotated[Path, typer.Option(help="Folder of models.")] = MODELS,
    against: Annotated[
        Path | None,
        typer.Option(help="A second folder of models, or shipped: who reads which photograph, one by one."),
    ] = None,
    data: Annotated[
        list[Path] | None, typer.Option(help="Your own photographs, in the place of the project's. Repeatable.")
    ] = None,
    kind: Annotated[str, typer.Option("--from", help="Format of --data; it is found out by itself.")] = "auto",
    partial: Annotated[bool, typer.Option("--partial", help="Not every tile in view is labelled in --data.")] = False,
    profile: Annotated[
        str | None, typer.Option(help="Read with a tile set that was shown: a name, a file of one, or auto.")
    ] = None,
    turn: Annotated[bool, typer.Option("--turn", help="Turn every photograph by any angle first.")] = False,
    limit: Annotated[int | None, typer.Option(help="At most so many photographs a split.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture of the confusions here.")] = None,
    failures: Annotated[
        Path | None, typer.Option(help="Write an overlay of every photograph that is not exact into this new folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=results.FORCE)] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Measure the reader on whole photographs: tiles right, photographs exactly right, tiles called sure but wrong."""
    from models.evaluate import Tally, any_way, confusion_picture, measure
    from vision.network import NoModel
    from vision.reading import Reader

    console = Console(stderr=as_json, markup=False, emoji=False)
    against = MODELS if against == Path(SHIPPED) else against
    if picture is not None and (taken := results.occupied(picture, force=force)):
        raise _stop(taken)
    if failures is not None and (taken := results.in_use(failures)):
        raise _stop(taken)
    try:
        reader = Reader(models)
        other = Reader(against) if against else None
    except NoModel as error:
        raise _stop(f"{error}.") from None
    sets = _sets(ctx, profile)
    chosen = _measured(split, data, kind, partial, limit, console)
    if seen := sets.shown:
        chosen = {name: [p for p in many if _digest(p) not in seen] for name, many in chosen.items()}
        chosen = {name: many for name, many in chosen.items() if many}
        if not chosen:
            raise _stop("Every photograph was shown to the reader: measure on others.")
    if other is not None and against is not None:
        if data and not split:
            chosen = _not_learned(chosen, console)
        photos = [any_way(photo) if turn else photo for many in chosen.values() for photo in many]
        return _compared(reader, other, (models, against), photos, sets, as_json)
    figures: dict[str, dict[str, float]] = {}
    everything = Tally()
    for name, photos in chosen.items():
        with _bar(console) as bar:
            progress = bar.add_task(name, total=len(photos))

            def done(photo: LabelledPhoto, reading: Any, bar: Progress = bar, progress: Any = progress) -> None:
                bar.advance(progress)
                if failures is not None:
                    _keep_failure(failures, photo, reading)

            tally = measure(reader, photos, turn, done, sets)
        figures[name] = tally.figures()
        everything.confusions += tally.confusions
    if picture is not None:
        cv2.imwrite(str(picture), confusion_picture(everything))
    if as_json:
        print(json.dumps(figures, indent=1))
        return
    title = "The reader on whole photographs" + (", each turned by any angle" if turn else "")
    console.print(_figures(title, figures))
    worst = [(n, a, b) for (a, b), n in everything.confusions.most_common() if a != b][:12]
    if worst:
        console.print("most frequent mistakes: " + ", ".join(f"{a}→{b} {n}×" for n, a, b in worst))


def _measured(
    split: list[str] | None,
    data: list[Path] | None,
    kind: str,
    partial: bool,
    limit: int | None,
    console: Console,
) -> dict[str, list[LabelledPhoto]]:
    """The photographs to measure on, by split."""
    chosen: dict[str, list[LabelledPhoto]] = {}
    if data:
        try:
            own = gather(data, kind, partial=partial)
        except DatasetError as error:
            raise _stop(str(error)) from None
        sides = {"train": own.lessons, "held_out": own.held_out, "test": own.test}
        for name in split or list(sides):
            if name not in sides:
                raise _stop(f"There is no split '{name}' of --data: choose train, held_out or test.")
            if photos := [p for p in sides[name] if not p.single][:limit]:
                chosen[name] = photos
    for name in () if data else split or ["held_out", "unseen", "scenes"]:
        if name == "scenes":
            chosen[name] = _fresh_scenes(limit or 100)
        elif name not in ("held_out", "unseen", "train"):
            raise _stop(f"There is no split '{name}': choose held_out, unseen, train or scenes.")
        elif photos := photographs((name,), sharp=False)[:limit]:
            chosen[name] = photos
        else:
            console.print(f"{name}: skipped, there are no photographs at {hupai_photos.data_folder()}")
    if not chosen:
        raise _stop("There is nothing to measure: set HUPAI_DATA to the folder of photographs, or give --split scenes.")
    return chosen


def _not_learned(chosen: dict[str, list[LabelledPhoto]], console: Console) -> dict[str, list[LabelledPhoto]]:
    """Without the photographs that a training on the same data learns from, where there are others: on its own lessons
    a network always wins."""
    others = {name: photos for name, photos in chosen.items() if name != "train"}
    if others and "train" in chosen:
        left = len(chosen["train"])
        console.print(f"lessons of a training left out: {left} (--split train compares on them)", highlight=False)
    return others or chosen


def _figures(title: str, results: dict[str, dict[str, float]]) -> Table:
    table = Table(title=title)
    table.add_column("figure")
    for name in results:
        table.add_column(name, justify="right")
    for figure in dict.fromkeys(figure for result in results.values() for figure in result):
        table.add_row(figure.replace("_", " "), *(_shown(result.get(figure)) for result in results.values()))
    return table


def _sets(ctx: typer.Context, name: str | None) -> Sets:
    """The tile set of this name (or of this file), or all of them for `auto`."""
    from models.evaluate import NO_SETS, Sets
    from vision import profile as profiles
    from vision.result import ProfileError

    if name is None:
        return NO_SETS
    file = Path(name)
    folder = file.parent if file.suffix == ".npz" else ctx.meta.get(PROFILES, Path())
    try:
        if name == "auto":
            return Sets(known=tuple(profiles.load(folder, known) for known in profiles.names(folder)))
        return Sets(profiles.load(folder, file.stem if file.suffix == ".npz" else name))
    except ProfileError as error:
        raise _stop(str(error)) from None


def _digest(photo: LabelledPhoto) -> str:
    """What a tile set knows a photograph by."""
    from vision.profile import digest

    return digest(photo.path.read_bytes()) if photo.path is not None and photo.path.is_file() else ""


def _compared(
    reader: Any, other: Any, folders: tuple[Path, Path], photos: list[LabelledPhoto], sets: Sets, as_json: bool
) -> None:
    """Both sets of models on the same photographs, and where they part."""
    from models.comparing import Comparison, compare

    console = Console(stderr=as_json, markup=False, emoji=False)
    with _bar(console) as bar:
        progress = bar.add_task("read with both", total=len(photos))
        result: Comparison = compare(reader, other, photos, lambda: bar.advance(progress), sets)
    if as_json:
        print(json.dumps({"models": [str(folder) for folder in folders], **result.as_json()}, indent=1))
        return
    first, second = map(str, folders)
    console.print(_figures(f"{len(photos)} photographs", {first: result.figures[0], second: result.figures[1]}))
    for words, outcomes in (("only the first", result.fixed), ("only the second", result.broken)):
        console.print(f"{len(outcomes)} photographs are read exactly by {words} set")
        for outcome in outcomes:
            said = ", ".join(f"{tile}: {one} | {two}" for tile, one, two in outcome.changed)
            extra = f"{outcome.extra[0]} | {outcome.extra[1]} extra tiles" if any(outcome.extra) else ""
            told = " and ".join(part for part in (said, extra) if part)
            console.print(f"  {outcome.name}: {told}", highlight=False, soft_wrap=True)
    console.print(f"a coin would favour one side so strongly with probability {result.chance:.3f}")


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) and value <= 1 else f"{value:.4g}"


def _fresh_scenes(count: int) -> list[LabelledPhoto]:
    """Scenes that no training saw, from a seed of their own, turned any way."""
    from datasets.scenes import render

    sets = scene_store.face_sets(12, 99, hupai_photos.data_folder().is_dir())
    return [render(77_000_000 + k, sets, (640, 640)) for k in range(count)]


def _keep_failure(folder: Path, photo: LabelledPhoto, reading: Any) -> None:
    from models.evaluate import Tally, judge

    one = Tally()
    judge(one, photo, reading)
    if one.exact:
        return
    pixels = photo.pixels if photo.pixels is not None else cv2.imread(str(photo.path))
    assert pixels is not None
    out = np.ascontiguousarray(pixels.copy())
    for mark in photo.marks:
        cv2.polylines(out, [mark.corners.astype(np.int32)], True, (255, 200, 0), 1)
    for tile in reading.tiles:
        cv2.polylines(
            out, [np.array(tile.corners, np.int32)], True, (0, 0, 255) if tile.doubt else (0, 200, 0), 1, cv2.LINE_AA
        )
        x, y = np.mean(tile.corners, axis=0).astype(int)
        cv2.putText(
            out, tile.tile, (int(x) - 8, int(y) + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 0, 255), 1, cv2.LINE_AA
        )
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{Path(photo.name).stem}.jpg"), out)


@app.command()
def quantize(
    out: Annotated[Path, typer.Argument(help="A new folder of models: eight bits where they win, floats elsewhere.")],
    models: Annotated[Path, typer.Option(help="Folder of models.")] = MODELS,
    calibrate: Annotated[int, typer.Option(help="Photographs that set the ranges; the others measure.")] = 24,
    limit: Annotated[int | None, typer.Option(help="At most so many photographs to measure on.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Make eight-bit networks and measure them against the floats: how fast, and how many photographs are exact."""
    try:
        from models.quantizing import judge, overheard
    except ModuleNotFoundError as missing:
        raise _stop(f"This needs {missing.name}, which is not installed: pip install 'hupai[train]'.") from None
    if taken := results.in_use(out):
        raise _stop(taken)
    console = Console(stderr=as_json, markup=False, emoji=False)
    photos = photographs(("held_out",), sharp=False) or _fresh_scenes(calibrate + 60)
    first, rest = photos[:: max(1, len(photos) // calibrate)][:calibrate], []
    names = {photo.name for photo in first}
    rest = [*(p for p in photos if p.name not in names), *photographs(("unseen",), sharp=False)][:limit]
    out.mkdir(parents=True, exist_ok=True)
    verdicts = []
    with _bar(console) as bar:
        heard = overheard(models, first, _steps(bar, "calibrate", len(first)))
        for name in NAMES:
            verdicts.append(judge(name, models, out, heard[name], rest, _steps(bar, f"measure {name}", len(rest))))
    for verdict in verdicts:
        shutil.copyfile(network.floats_of(verdict.name, models), network.floats_of(verdict.name, out))
        if not verdict.wins:
            network.eight_bits_of(verdict.name, out).unlink()
    if as_json:
        print(json.dumps([verdict.as_json() for verdict in verdicts], indent=1))
        return
    table = Table(title=f"eight bits | floats, on {len(rest)} photographs")
    for column in ("network", "MiB", "ms a call", "exact", "tiles right", "fixed, broken", "verdict"):
        table.add_column(column)
    for v in verdicts:
        eight, full = v.comparison.figures
        table.add_row(
            v.name,
            f"{v.bytes[1] / 2**20:.2f} | {v.bytes[0] / 2**20:.2f}",
            f"{v.milliseconds[1]:.1f} | {v.milliseconds[0]:.1f}",
            f"{eight['photographs_exact']} | {full['photographs_exact']}",
            f"{eight['tiles_right']} | {full['tiles_right']}",
            f"{len(v.comparison.fixed)}, {len(v.comparison.broken)}",
            "wins"
            if v.wins
            else f"stays float: {'worse' if v.faster else 'no faster' if v.as_good else 'worse, no faster'}",
        )
    console.print(table)
    console.print(f"{out}: eight bits where they win on both, floats elsewhere")


def _steps(bar: Progress, words: str, total: int) -> Callable[[], None]:
    task = bar.add_task(words, total=total)
    return lambda: bar.advance(task)
