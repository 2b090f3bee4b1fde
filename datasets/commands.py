"""`hupai data …`: convert, check, split, pack and count labelled photographs; render scenes and the sample photographs.

Exit codes: 0 when all is well, 1 when something was found wrong or left out (each on a line of its own), 2 when there
was nothing to do the work on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import cv2
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from datasets import checks, counts, formats, hupai_photos, names, results, scene_store, splits
from datasets.formats import pictures, webdataset
from datasets.formats.result import Dataset, DatasetError, Finding
from datasets.labels import LabelledPhoto
from vision.result import PhotoError

app = typer.Typer(add_completion=False)
SIDES = ("train", "val", "test")
SHOWN = 200
"""Lines of notes shown before the rest is only counted; what is wrong is always shown."""

Folder = Annotated[Path, typer.Argument(metavar="IN", help="Folder of the data set, or a COCO file.")]
From = Annotated[str, typer.Option("--from", help=f"Its format: auto, {', '.join(formats.FORMATS)}.")]
NamesFile = Annotated[Path | None, typer.Option("--names", help="Lines `name = tile` for class names we do not know.")]


def _for_programs(ctx: typer.Context, value: bool) -> bool:
    """`hupai data --json COMMAND` says the same as `hupai data COMMAND --json`."""
    return value or bool(ctx.obj)


Force = Annotated[bool, typer.Option("--force", help=results.FORCE)]
Json = Annotated[bool, typer.Option("--json", help="For programs.", callback=_for_programs)]


@app.callback(invoke_without_command=True)
def data(ctx: typer.Context, as_json: Json = False) -> None:
    """Labelled photographs: convert, check, split, pack, count, render.

    `--json` here counts for the command that follows; alone it lists the formats."""
    ctx.obj = as_json
    if ctx.invoked_subcommand is not None:
        return
    if not as_json:
        print(ctx.get_help())
        return
    listed = [
        {"name": f.name, "what": f.what, "keeps": f.keeps, "written": f.write is not None}
        for f in formats.FORMATS.values()
    ]
    _print_json({"formats": listed})


def _stop(sentence: str) -> typer.Exit:
    print(sentence, file=sys.stderr)
    return typer.Exit(2)


@contextmanager
def _bar(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr that is gone when the work is done."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words, total=total)
        yield lambda n: bar.advance(task, n)


def _look_ahead(paths: Sequence[Path]) -> None:
    with _bar("look at pictures", len(paths)) as done:
        pictures.look_ahead(paths, done)


def _read(folder: Path, name: str, own_names: Path | None) -> Dataset:
    """The data set, or the end of the command with one sentence."""
    try:
        own = names.own_table(own_names.read_text("utf-8-sig")) if own_names else {}
    except OSError as error:
        raise _stop(f"The names in {own_names} cannot be read ({error.strerror or error}).") from None
    except UnicodeDecodeError:
        raise _stop(f"The names in {own_names} cannot be read: it is no text file in UTF-8.") from None
    except ValueError as error:
        raise _stop(f"The names in {own_names} cannot be read: {error}") from None
    try:
        name = formats.detect(folder) if name == "auto" else name
        if name in ("yolo", "yolo-obb", "yolo-polygon", "folders") and folder.is_dir():
            _look_ahead(pictures.below(folder))  # these formats do not say how large a picture is
        dataset = formats.read(folder, name, own)
    except DatasetError as error:
        raise _stop(str(error)) from None
    except OSError as error:
        raise _stop(f"{folder} cannot be read ({error.strerror or error}): check its permissions.") from None
    if not dataset.photos:
        for finding in dataset.findings[:SHOWN]:
            print(finding, file=sys.stderr)
        raise _stop(f"No photograph in {folder} could be read as {name}: {len(dataset.findings)} files were left out.")
    return dataset


def _looks(photos: Iterable[LabelledPhoto]) -> dict[str, pictures.Look | str]:
    """By name, what each picture looks like or why it cannot be read."""
    photos = list(photos)
    _look_ahead([photo.path for photo in photos if photo.path is not None])
    looks: dict[str, pictures.Look | str] = {}
    for photo in photos:
        try:
            if photo.path is not None:
                looks[photo.name] = pictures.look(photo.path)
            elif photo.pixels is not None:
                looks[photo.name] = pictures.seen_in(photo.pixels, photo.width, photo.height, photo.name)
        except PhotoError as error:
            looks[photo.name] = str(error)
    return looks


def _many(n: int, thing: str) -> str:
    return f"{n} {thing}{'s' * (n != 1)}"


@app.command()
def convert(
    source: Folder,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.")],
    to: Annotated[str, typer.Option("--to", help=f"{', '.join(f.name for f in formats.FORMATS.values() if f.write)}.")],
    name: From = "auto",
    own_names: NamesFile = None,
    skip_unknown: Annotated[bool, typer.Option(help="Leave out marks whose class name we do not know.")] = False,
    copy: Annotated[bool, typer.Option("--copy", help="Copy the pictures too; else OUT says where they lie.")] = False,
    as_json: Json = False,
) -> None:
    """Write a data set in another format. Damaged files are named, left out and counted (exit code 1)."""
    if to not in formats.FORMATS or formats.FORMATS[to].write is None:
        able = ", ".join(f.name for f in formats.FORMATS.values() if f.write)
        raise _stop(f"“{to}” is no format that is written: give --to one of {able}.")
    dataset = _read(source, name, own_names)
    if dataset.unknown and not skip_unknown:
        raise _stop(f"{names.UnknownNames(dataset.unknown)} Or leave their marks out: --skip-unknown.")
    try:
        with _bar(f"write {to}", len(dataset.photos)) as done:
            findings = [*dataset.findings, *formats.write(dataset.photos, out, to, copy, done)]
    except DatasetError as error:
        raise _stop(str(error)) from None
    except OSError as error:
        raise _stop(f"{out} cannot be written ({error.strerror or error}).") from None
    marks = sum(len(photo.marks) for photo in dataset.photos)
    what = f"{formats.FORMATS[to].what}{_lost(dataset.photos, to)}"
    told = f"{out}: {_many(len(dataset.photos), 'photograph')}, {_many(marks, 'tile')} as {what}."
    _end(told, {"out": str(out), "photographs": len(dataset.photos), "tiles": marks}, findings, as_json)


def _end(told: str, counted: Mapping[str, Any], findings: Sequence[Finding], as_json: bool) -> None:
    """Say what was written and what was left out; exit code 1 when anything was."""
    wrong = [finding for finding in findings if finding.severity == "wrong"]
    if as_json:
        _print_json({**counted, "left_out": len(wrong), "findings": [vars(finding) for finding in findings]})
        raise typer.Exit(1 if wrong else 0)
    for finding in findings:
        print(finding, file=sys.stderr)
    print(told)
    if wrong:
        print(f"{_many(len(wrong), 'thing')} left out, see above.", file=sys.stderr)
        raise typer.Exit(1)


@app.command()
def pack(
    source: Folder,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.")],
    name: From = "auto",
    val: Annotated[
        float, typer.Option(help="Share held out where the data set itself holds nothing out; 0: nothing.")
    ] = 0.15,
    seed: Annotated[int, typer.Option(help="Same seed, same split.")] = 0,
    per_shard: Annotated[int, typer.Option(help="Photographs in a shard.")] = webdataset.SHARD,
    long_side: Annotated[int | None, typer.Option(help="Shrink larger pictures to so many pixels.")] = None,
    own_names: NamesFile = None,
    as_json: Json = False,
) -> None:
    """Pack a data set into tar shards in WebDataset form, which several processes can share.

    Each split has shards of its own. What is damaged is named, left out and counted (exit code 1)."""
    if not 0 <= val < 1 or per_shard < 1 or (long_side is not None and long_side < 64):
        raise _stop("--val must be a share below 1, --per-shard at least 1, --long-side at least 64 pixels.")
    if taken := results.in_use(out):
        raise _stop(taken)
    dataset = _read(source, name, own_names)
    photos, findings = list(dataset.photos), list(dataset.findings)
    if val and not any(photo.split in ("val", "held_out") for photo in photos):
        looks = _looks(photos)
        findings += [finding for photo in photos for finding in checks.picture(photo, looks.get(photo.name))]
        photos = [photo for photo in photos if isinstance(looks.get(photo.name), pictures.Look)]
        lessons = [photo for photo in photos if photo.split == "train"]
        pairs = splits.alike([look for photo in lessons if isinstance(look := looks[photo.name], pictures.Look)])
        try:
            sides = splits.deal(lessons, splits.blocks(lessons, pairs), {"train": 1 - val, "val": val}, seed)
        except splits.SplitError as error:
            raise _stop(f"{error} Or hold nothing out: --val 0.") from None
        dealt = [replace(photo, split=side) for photo, side in zip(lessons, sides, strict=True)]
        photos = dealt + [photo for photo in photos if photo.split != "train"]
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _bar("pack", len(photos)) as done:
            findings += webdataset.pack(photos, out, per_shard, long_side, done)
    except OSError as error:
        raise _stop(f"{out} cannot be written ({error.strerror or error}).") from None
    shards = len(webdataset.shards(out))
    held = counts.count(photos)
    by_split: dict[str, int] = {}
    for (split, _), n in sorted(held.photographs.items()):
        by_split[split] = by_split.get(split, 0) + n
    told = ", ".join(f"{split} {n}" for split, n in by_split.items())
    counted = {"out": str(out), "shards": shards, "photographs": by_split}
    _end(f"{out}: {_many(shards, 'shard')}; {told}.", counted, findings, as_json)


def _lost(photos: Iterable[LabelledPhoto], to: str) -> str:
    tilted = sum(mark.exact for photo in photos for mark in photo.marks)
    if tilted and formats.FORMATS[to].keeps == "box":
        return f" (upright boxes only: the corners of {tilted} are not kept)"
    return ""


@app.command()
def check(source: Folder, name: From = "auto", own_names: NamesFile = None, as_json: Json = False) -> None:
    """Find what spoils a training: damaged labels, unknown classes, mirrored pictures, duplicates, leaked splits …

    One line for each finding. Exit code 1 when something is wrong; notes alone leave it at 0."""
    dataset = _read(source, name, own_names)
    looks = _looks(dataset.photos)
    with Console(stderr=True).status("compare pictures"):
        findings = checks.check(dataset, looks)
    held = counts.count(dataset.photos)
    wrong = [finding for finding in findings if finding.severity == "wrong"]
    noted = [finding for finding in findings if finding.severity == "note"]
    if as_json:
        listed = [vars(finding) for finding in (*wrong, *noted)]
        _print_json({"wrong": len(wrong), "notes": len(noted), "findings": listed, **held.as_json()})
        raise typer.Exit(1 if wrong else 0)
    for finding in (*wrong, *(replace(note, kind=f"note: {note.kind}") for note in noted[:SHOWN])):
        print(finding)
    if len(noted) > SHOWN:
        print(f"… and {_many(len(noted) - SHOWN, 'note')} more: --json lists all.")
    _tables(held, str(source))
    print(f"{_many(len(dataset.photos), 'photograph')}: {len(wrong)} wrong, {_many(len(noted), 'note')}.")
    for kind, n in (*_kinds(wrong).items(), *((f"note: {kind}", n) for kind, n in _kinds(noted).items())):
        print(f"  {n} × {kind}")
    raise typer.Exit(1 if wrong else 0)


def _kinds(findings: Iterable[Finding]) -> dict[str, int]:
    kinds: dict[str, int] = {}
    for finding in findings:
        kinds[finding.kind] = kinds.get(finding.kind, 0) + 1
    return dict(sorted(kinds.items(), key=lambda item: -item[1]))


@app.command()
def split(
    source: Folder,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for train.txt, val.txt, test.txt, splits.csv.")],
    name: From = "auto",
    val: Annotated[float, typer.Option(help="Share of the photographs held out to choose a model.")] = 0.15,
    test: Annotated[float, typer.Option(help="Share held out to measure it.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Same seed, same split.")] = 0,
    by: Annotated[
        str, typer.Option(help="group: whole groups stay together; cluster: only copies of a picture.")
    ] = "group",
    own_names: NamesFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Divide the photographs so that no group and no near-duplicate stands on two sides.

    What is damaged is named, left out and counted (exit code 1)."""
    if by not in ("group", "cluster"):
        raise _stop(f"“{by}” is no way to split: give --by group or --by cluster.")
    if not (0 <= val < 1 and 0 <= test < 1 and 0 < val + test < 1):
        raise _stop(f"--val {val} and --test {test} must be shares between 0 and 1 that leave something to train on.")
    if taken := results.occupied(*(out / name for name in (*map("{}.txt".format, SIDES), "splits.csv")), force=force):
        raise _stop(taken)
    dataset = _read(source, name, own_names)
    looks = _looks(dataset.photos)
    photos = [photo for photo in dataset.photos if isinstance(looks.get(photo.name), pictures.Look)]
    left_out = [*dataset.findings, *(f for p in dataset.photos for f in checks.picture(p, looks.get(p.name)))]
    pairs = splits.alike([look for photo in photos if isinstance(look := looks[photo.name], pictures.Look)])
    tied = splits.blocks(photos, pairs, "group" if by == "group" else "cluster")
    try:
        sides = splits.deal(photos, tied, {"train": 1 - val - test, "val": val, "test": test}, seed)
        _write_lists(out, photos, sides, tied)
    except splits.SplitError as error:
        raise _stop(str(error)) from None
    except OSError as error:
        raise _stop(f"{out} cannot be written ({error.strerror or error}).") from None
    shares = {side: sides.count(side) for side in SIDES if side in sides}
    counted = {"blocks": len(tied), "largest_block": max(map(len, tied)), "photographs": shares}
    told = ", ".join(f"{side} {n} ({100 * n / len(photos):.0f} %)" for side, n in shares.items())
    blocks = f"{_many(len(tied), 'block')} that stay{'s' * (len(tied) == 1)} together"
    _end(f"{out}: {told}; {blocks}, the largest of {max(map(len, tied))}.", counted, left_out, as_json)


def _write_lists(
    out: Path, photos: Sequence[LabelledPhoto], sides: Sequence[str], tied: Sequence[Sequence[int]]
) -> None:
    """`<split>.txt` with a picture a line, and `splits.csv` with the block of each."""
    out.mkdir(parents=True, exist_ok=True)
    block = {i: number for number, members in enumerate(tied) for i in members}
    lines: Mapping[str, list[str]] = {side: [] for side in SIDES}
    rows = ["image,split,group,near_dup_cluster,block"]
    for i, (photo, side) in enumerate(zip(photos, sides, strict=True)):
        path = pictures.relative_to(photo.path, out) if photo.path else photo.name
        lines[side].append(path if path.startswith(("/", "..")) else f"./{path}")
        rows.append(",".join(_quoted(v) for v in (photo.name, side, photo.group, photo.cluster, str(block[i]))))
    for side, listed in lines.items():
        if listed:
            (out / f"{side}.txt").write_text("\n".join(listed) + "\n", "utf-8")
        else:
            (out / f"{side}.txt").unlink(missing_ok=True)
    (out / "splits.csv").write_text("\n".join(rows) + "\n", "utf-8")


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"' if any(c in value for c in ',"\n') else value


@app.command()
def stats(
    source: Annotated[
        Path | None, typer.Argument(metavar="[IN]", help="A data set; the project's own if none.")
    ] = None,
    name: From = "auto",
    picture: Annotated[Path | None, typer.Option(help="Write a PNG with the bars of classes and sizes.")] = None,
    own_names: NamesFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Count photographs by split and group, tiles by class and size. What is damaged is left out (exit code 1)."""
    if picture is not None and picture.suffix.lower() != ".png":
        raise _stop(f"{picture} is no name of a PNG: give --picture a name that ends in .png.")
    if picture is not None and (taken := results.occupied(picture, force=force)):
        raise _stop(taken)
    findings: Sequence[Finding] = ()
    if source is not None:
        dataset = _read(source, name, own_names)
        photos, findings = list(dataset.photos), dataset.findings
    else:
        try:
            photos = hupai_photos.load()
        except hupai_photos.NoPhotographs as error:
            raise _stop(f"{error}.") from None
    held = counts.count(photos)
    if picture is not None:
        data = cv2.imencode(".png", counts.picture(held, f"{len(photos)} photographs: tiles by class"))[1]
        try:
            picture.write_bytes(data.tobytes())
        except OSError as error:
            raise _stop(f"{picture} cannot be written ({error.strerror or error}).") from None
    for finding in findings:
        print(finding, file=sys.stderr)
    if as_json:
        _print_json(held.as_json())
    else:
        _tables(held, str(source or "Photographs"))
    if any(finding.severity == "wrong" for finding in findings):
        raise typer.Exit(1)


def _tables(held: counts.Counts, title: str) -> None:
    table = Table(title=title)
    for column in ("split", "group", "photographs", "tiles"):
        table.add_column(column, justify="right" if column in ("photographs", "tiles") else "left")
    for (part, group), n in sorted(held.photographs.items()):
        table.add_row(part, group, str(n), str(held.tiles[part, group]))
    console = Console(markup=False, emoji=False)
    console.print(table)
    console.print("tiles: " + "  ".join(f"{tile} {n}" for tile, n in held.classes.most_common()))
    sizes = "  ".join(f"{counts.size_words(low)}: {held.sizes[low]}" for low in counts.SIZES if held.sizes[low])
    console.print(f"short side in pixels: {sizes}")


def _print_json(content: Any) -> None:
    print(json.dumps(content, ensure_ascii=False, indent=2))


@app.command()
def render(
    out: Annotated[Path, typer.Argument(help="Folder for the scenes; those already there are kept.")],
    count: Annotated[int, typer.Option(help="How many scenes.")] = 1000,
    seed: Annotated[int, typer.Option(help="Same seed, same pixels.")] = 1,
    drawn_sets: Annotated[int, typer.Option(help="Drawn tile sets that dress them.")] = 60,
    processes: Annotated[int | None, typer.Option(help="Processes; as many as there are cores by default.")] = None,
    as_json: Json = False,
) -> None:
    """Render scenes with exact corners into packed shards. May be interrupted and called again."""
    if count < 1 or drawn_sets < 0:
        raise _stop("--count must be at least 1 and --drawn-sets at least 0.")
    photographs = hupai_photos.data_folder().is_dir()
    if not photographs and not drawn_sets:
        raise _stop(f"There are no photographed faces at {hupai_photos.data_folder()}: give --drawn-sets at least 1.")
    try:
        with _bar("render scenes", count) as done:
            scene_store.write(
                out, count, seed, drawn_sets=drawn_sets, photographs=photographs, processes=processes, done=done
            )
    except OSError as error:
        raise _stop(f"{out} cannot be written ({error.strerror or error}).") from None
    if as_json:
        _print_json({"out": str(out), "scenes": count, "seed": seed})
        return
    print(f"{out}: {count} scenes")


@app.command()
def samples(
    out: Annotated[Path, typer.Argument(help="Folder for the sample photographs.")] = Path("ui/assets/samples"),
    as_json: Json = False,
) -> None:
    """Render the sample photographs that the app offers to people without tiles at hand."""
    from datasets.face_sets import drawn
    from datasets.samples import SAMPLES, photograph

    out.mkdir(parents=True, exist_ok=True)
    for name, (rows, seed) in SAMPLES.items():
        scene = photograph(rows, drawn(1, seed, 160), seed)
        assert scene.pixels is not None
        cv2.imwrite(str(out / f"{name}.jpg"), scene.pixels, [cv2.IMWRITE_JPEG_QUALITY, 88])
        if not as_json:
            print(out / f"{name}.jpg")
    if as_json:
        _print_json({"photographs": [str(out / f"{name}.jpg") for name in SAMPLES]})
