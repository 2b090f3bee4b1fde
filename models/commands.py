"""`hupai train …`, `hupai export …` and `hupai evaluate`: the networks from the command line.

PyTorch is imported inside the commands that need it, so that measuring works without it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from datasets import hupai_photos, scene_store
from datasets.labels import LabelledPhoto
from models.sharpened import sharpened

app = typer.Typer(no_args_is_help=True, add_completion=False)
NAMES = ("finder", "refiner", "classifier")
RUNS = Path("runs")
MODELS = Path(__file__).parent
HELD_OUT_SCENES = 120


def _stop(sentence: str) -> typer.Exit:
    print(sentence, file=sys.stderr)
    return typer.Exit(2)


def _scenes(folder: Path, count: int, drawn_sets: int, seed: int, console: Console) -> list[LabelledPhoto]:
    """The scenes of a recipe, rendered first where they are missing."""
    with _bar(console) as bar:
        task = bar.add_task("render scenes", total=count)
        scene_store.write(
            folder,
            count,
            seed,
            drawn_sets=drawn_sets,
            photographs=hupai_photos.data_folder().is_dir(),
            done=lambda n: bar.advance(task, n),
        )
    return list(scene_store.read(folder, count))


def _photos(splits: tuple[str, ...], sharp: bool = True) -> list[LabelledPhoto]:
    """The project's photographs of some splits with their pixels; none where the folder is missing. `sharp`: with the
    tiles' own corners where the refiner agrees with the annotator (for lessons, never for measures)."""
    try:
        photos = [p for p in hupai_photos.load() if p.split in splits]
    except hupai_photos.NoPhotographs:
        return []
    opened = [replace(p, pixels=cv2.imread(str(p.path))) for p in photos]
    return sharpened(opened) if sharp else opened


def _bar(console: Console) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


@app.command()
def train(
    name: Annotated[str, typer.Argument(help="finder, refiner or classifier.")],
    recipe: Annotated[str | None, typer.Option(help="Recipe: a name of models/recipes or a .toml file.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; one that exists is resumed.")] = None,
    steps: Annotated[int | None, typer.Option(help="Batches in all, instead of the recipe's.")] = None,
    scenes: Annotated[int | None, typer.Option(help="Rendered scenes, instead of the recipe's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the recipe's.")] = None,
    start_from: Annotated[Path | None, typer.Option(help="Checkpoint or .onnx whose weights to begin with.")] = None,
    scene_folder: Annotated[Path | None, typer.Option(help="Where rendered scenes are kept.")] = None,
) -> None:
    """Train a network. Interrupted runs go on where they stopped; `hupai export` makes an ONNX file of the result."""
    if name not in NAMES:
        raise _stop(f"There is no network '{name}': choose one of {', '.join(NAMES)}.")
    try:
        from models.training import Recipe, RecipeError
        from models.training import train as run
    except ModuleNotFoundError as missing:
        raise _stop(f"Training needs {missing.name}, which is not installed: pip install 'hupai[train]'.") from None
    try:
        knobs = Recipe.read(recipe or name, steps=steps, scenes=scenes, seed=seed)
    except RecipeError as error:
        raise _stop(f"{error}.") from None
    console = Console()
    pictures = _scenes(
        scene_folder or RUNS / f"scenes-{knobs.scene_seed}", knobs.scenes, knobs.drawn_sets, knobs.scene_seed, console
    )
    held = min(HELD_OUT_SCENES, len(pictures) // 5)
    tests, lessons = pictures[:held], pictures[held:]
    task: Any
    if name == "refiner":
        from models.refiner_task import RefinerTask

        task = RefinerTask(lessons, tests)
    elif name == "finder":
        from models.finder_task import FinderTask

        task = FinderTask(lessons, _photos(("train",)), tests[:60] + _photos(("held_out",)), knobs.real_share)
    else:
        from datasets.face_sets import drawn
        from models.classifier_task import ClassifierTask

        seen, unseen = _photos(("held_out",)), _photos(("unseen",))
        named = {"scenes": tests, "held_out": seen, "unseen": unseen}
        task = ClassifierTask(
            _photos(("train",)),
            lessons,
            drawn(knobs.drawn_sets),
            {k: v for k, v in named.items() if v},
            (knobs.real_share, 0.6 - knobs.real_share / 2, 0.4 - knobs.real_share / 2),
        )
    folder = out or RUNS / name
    with _bar(console) as bar:
        progress = bar.add_task(f"train {name}", total=knobs.steps)

        def report(step: int, numbers: dict[str, float]) -> None:
            bar.update(progress, completed=step)
            if "score" in numbers or (not console.is_terminal and step % 100 == 0):
                console.print(
                    f"{step:6d}  " + "  ".join(f"{k} {v:.4f}" for k, v in numbers.items()),
                    highlight=False,
                    soft_wrap=True,
                )

        try:
            run(task, knobs, folder, start_from, report)
        except RecipeError as error:
            raise _stop(f"{error}.") from None
    console.print(f"{folder / 'best.pt'} holds the best weights: hupai export {name} {folder / 'best.pt'}")


@app.command()
def export(
    name: Annotated[str, typer.Argument(help="finder, refiner or classifier.")],
    checkpoint: Annotated[Path, typer.Argument(help="The .pt file of a training.")],
    out: Annotated[Path, typer.Option(help="Folder of models to write to.")] = MODELS,
) -> None:
    """Write a trained network as ONNX, after proving that it computes the same. The classifier is calibrated."""
    if name not in NAMES:
        raise _stop(f"There is no network '{name}': choose one of {', '.join(NAMES)}.")
    if not checkpoint.is_file():
        raise _stop(f"There is no checkpoint {checkpoint}: train one with `hupai train {name}`.")
    try:
        from models.calibration import temperature
        from models.export import export as write
        from models.export import load_checkpoint
    except ModuleNotFoundError as missing:
        raise _stop(f"Exporting needs {missing.name}, which is not installed: pip install 'hupai[train]'.") from None
    network = load_checkpoint(name, checkpoint)
    extra = {"temperature": f"{temperature(network, _photos(('held_out',))):.3f}"} if name == "classifier" else {}
    out.mkdir(parents=True, exist_ok=True)
    difference = write(name, network, out / f"{name}.onnx", extra)
    size = (out / f"{name}.onnx").stat().st_size / 2**20
    print(
        f"{out / name}.onnx: {size:.2f} MiB, differs from PyTorch by {difference:.1e}"
        + "".join(f", {k} {v}" for k, v in extra.items())
    )


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
    plain = [replace(p, marks=tuple(m for m in p.marks if not m.by_reader)) for p in _photos(("train",), sharp=False)]
    if not plain:
        raise _stop(f"There are no photographs at {hupai_photos.data_folder()}: set HUPAI_DATA to their folder.")
    console = Console(stderr=True)
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
    split: Annotated[
        list[str] | None, typer.Option(help="held_out, unseen, train or scenes; may be given more than once.")
    ] = None,
    models: Annotated[Path, typer.Option(help="Folder of models.")] = MODELS,
    turn: Annotated[bool, typer.Option("--turn", help="Turn every photograph by any angle first.")] = False,
    limit: Annotated[int | None, typer.Option(help="At most so many photographs a split.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture of the confusions here.")] = None,
    failures: Annotated[
        Path | None, typer.Option(help="Write an overlay of every photograph that is not exact into this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Measure the reader on whole photographs: tiles right, photographs exactly right, tiles called sure but wrong."""
    from models.evaluate import Tally, confusion_picture, measure
    from vision.network import NoModel
    from vision.reading import Reader

    wanted = split or ["held_out", "unseen", "scenes"]
    console = Console(stderr=as_json)
    try:
        reader = Reader(models)
    except NoModel as error:
        raise _stop(f"{error}.") from None
    results: dict[str, dict[str, float]] = {}
    everything = Tally()
    for name in wanted:
        if name == "scenes":
            photos = _fresh_scenes(limit or 100)
        elif name in ("held_out", "unseen", "train"):
            photos = _photos((name,), sharp=False)[:limit]
            if not photos:
                console.print(f"{name}: skipped, there are no photographs at {hupai_photos.data_folder()}")
                continue
        else:
            raise _stop(f"There is no split '{name}': choose held_out, unseen, train or scenes.")
        with _bar(console) as bar:
            progress = bar.add_task(name, total=len(photos))

            def done(photo: LabelledPhoto, reading: Any, bar: Progress = bar, progress: Any = progress) -> None:
                bar.advance(progress)
                if failures is not None:
                    _keep_failure(failures, photo, reading)

            tally = measure(reader, photos, turn, done)
        results[name] = tally.figures()
        everything.confusions += tally.confusions
    if not results:
        raise _stop("There is nothing to measure: set HUPAI_DATA to the folder of photographs, or give --split scenes.")
    if picture is not None:
        cv2.imwrite(str(picture), confusion_picture(everything))
    if as_json:
        print(json.dumps(results, indent=1))
        return
    table = Table(title="The reader on whole photographs" + (", each turned by any angle" if turn else ""))
    table.add_column("figure")
    for name in results:
        table.add_column(name, justify="right")
    for figure in next(iter(results.values()), {}):
        table.add_row(figure.replace("_", " "), *(_shown(r.get(figure)) for r in results.values()))
    for figure in ("corner_error_mean", "corner_error_90", "direction_right"):
        if any(figure in r for r in results.values()) and figure not in next(iter(results.values())):
            table.add_row(figure.replace("_", " "), *(_shown(r.get(figure)) for r in results.values()))
    console.print(table)
    worst = [(n, a, b) for (a, b), n in everything.confusions.most_common() if a != b][:12]
    console.print("most frequent mistakes: " + ", ".join(f"{a}→{b} {n}×" for n, a, b in worst))


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


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
