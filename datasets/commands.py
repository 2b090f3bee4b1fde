"""`hupai data …`: render scenes, count what is there, make the sample photographs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from datasets import hupai_photos, scene_store

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Labelled photographs: count, render.")


def _stop(sentence: str) -> typer.Exit:
    print(sentence, file=sys.stderr)
    return typer.Exit(2)


@app.command()
def render(
    out: Annotated[Path, typer.Argument(help="Folder for the scenes; those already there are kept.")],
    count: Annotated[int, typer.Option(help="How many scenes.")] = 1000,
    seed: Annotated[int, typer.Option(help="Same seed, same pixels.")] = 1,
    drawn_sets: Annotated[int, typer.Option(help="Drawn tile sets that dress them.")] = 60,
    processes: Annotated[int | None, typer.Option(help="Processes; as many as there are cores by default.")] = None,
) -> None:
    """Render scenes with exact corners into packed shards. May be interrupted and called again."""
    if count < 1 or drawn_sets < 0:
        raise _stop("--count must be at least 1 and --drawn-sets at least 0.")
    photographs = hupai_photos.data_folder().is_dir()
    if not photographs and not drawn_sets:
        raise _stop(f"There are no photographed faces at {hupai_photos.data_folder()}: give --drawn-sets at least 1.")
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("render scenes", total=count)
        scene_store.write(out, count, seed, drawn_sets=drawn_sets, photographs=photographs, processes=processes, done=lambda n: bar.advance(task, n))
    print(f"{out}: {count} scenes")


@app.command()
def stats(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """Count the photographs of the data folder by split and group, and their tiles by class."""
    try:
        photos = hupai_photos.load()
    except hupai_photos.NoPhotographs as error:
        raise _stop(f"{error}.") from None
    groups = Counter((p.split, p.group) for p in photos)
    tiles = Counter(m.tile for p in photos for m in p.marks)
    if as_json:
        print(json.dumps({"photographs": [{"split": s, "group": g, "count": n} for (s, g), n in sorted(groups.items())], "tiles": tiles}))
        return
    table = Table(title="Photographs")
    for column in ("split", "group", "photographs", "tiles"):
        table.add_column(column, justify="right" if column in ("photographs", "tiles") else "left")
    for (split, group), count in sorted(groups.items()):
        marked = sum(len(p.marks) for p in photos if (p.split, p.group) == (split, group))
        table.add_row(split, group, str(count), str(marked))
    Console().print(table)
    Console().print("tiles: " + "  ".join(f"{tile} {n}" for tile, n in tiles.most_common()))


@app.command()
def samples(out: Annotated[Path, typer.Argument(help="Folder for the sample photographs.")] = Path("ui/assets/samples")) -> None:
    """Render the sample photographs that the app offers to people without tiles at hand."""
    from datasets.face_sets import drawn
    from datasets.samples import SAMPLES, photograph

    out.mkdir(parents=True, exist_ok=True)
    for name, (rows, seed) in SAMPLES.items():
        scene = photograph(rows, drawn(1, seed, 160), seed)
        assert scene.pixels is not None
        cv2.imwrite(str(out / f"{name}.jpg"), scene.pixels, [cv2.IMWRITE_JPEG_QUALITY, 88])
        print(out / f"{name}.jpg")
