"""Which folder of networks reads the photographs on this machine: the shipped one, or one of a person's own.

Own folders lie in `models/` of the data folder, put there by `hupai models use FOLDER`. None reads before it has been
tried on the sample photographs, whose tiles are known; one that cannot be loaded, or reads much less of them than the
shipped networks do, is not taken, and what was chosen before stays chosen."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from datasets.samples import SAMPLES, tiles_of
from scoring.tiles import TILES
from vision import network
from vision.network import NAMES, SHIPPED
from vision.reading import Reader

ENOUGH = 0.85
"""A folder must read so large a part of what the shipped networks read right on the sample photographs."""


class NoChoice(ValueError):
    """There is no such folder of networks. One sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Trial:
    """How a folder of networks did on the sample photographs.

    right: tiles read right, of `tiles`. needed: how many are asked for. trouble: why it cannot be loaded, or ""."""

    name: str
    right: int
    tiles: int
    needed: int
    trouble: str = ""

    @property
    def passed(self) -> bool:
        return not self.trouble and self.right >= self.needed


def folders(home: Path) -> dict[str, Path]:
    """The folders of networks by name, the shipped one first."""
    own = sorted(p for p in (home / "models").glob("*") if p.is_dir() and not p.name.startswith("."))
    return {SHIPPED: network.FOLDER, **{p.name: p for p in own}}


def chosen(home: Path) -> str:
    """The name of the folder that reads. One that is no longer there has given way to the shipped one."""
    name = _state(home).get("now", SHIPPED)
    return name if name in folders(home) else SHIPPED


def before(home: Path) -> str:
    """The name of the folder that read before it, to go back to."""
    name = _state(home).get("before", SHIPPED)
    return name if name in folders(home) else SHIPPED


def folder(home: Path) -> Path:
    """The folder that reads."""
    return folders(home)[chosen(home)]


def switch(home: Path, name: str, samples: Path, tell: Callable[[str], None] = lambda stage: None) -> Trial:
    """Let a folder read from now on if it passes its trial. NoChoice when there is none of this name."""
    known = folders(home)
    if name not in known:
        raise NoChoice(f"There are no networks '{name}': choose one of {', '.join(known)}.")
    result = tried(known[name], name, samples, tell)
    if result.passed and name != chosen(home):
        state = {"now": name, "before": chosen(home)}
        file = home / "models" / "chosen.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".part")
        half.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
        half.replace(file)
    return result


def add(home: Path, source: Path, samples: Path) -> Trial:
    """Try a folder of networks, copy it into the data folder, and let it read. NoChoice when it is none; nothing is
    copied when it fails, and nothing is overwritten: a second folder of one name becomes `name-2`."""
    if not source.is_dir():
        raise NoChoice(f"There is no folder {source}: `hupai export … --out FOLDER` makes one.")
    named = source.resolve().name
    result = tried(source, named, samples)
    if not result.passed:
        return result
    name, k = named, 1
    while name in folders(home):
        k += 1
        name = f"{named}-{k}"
    half = home / "models" / f".{name}.part"
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    for part in NAMES:
        network.copy(part, source, half)
    if (source / "CARD.md").is_file():
        shutil.copyfile(source / "CARD.md", half / "CARD.md")
    half.replace(home / "models" / name)
    return switch(home, name, samples)


def tried(folder: Path, name: str, samples: Path, tell: Callable[[str], None] = lambda stage: None) -> Trial:
    """Read the sample photographs with a folder of networks and count the tiles that are right."""
    wanted = {sample: Counter(tiles_of(rows)) for sample, (rows, _) in SAMPLES.items()}
    tiles = sum(many.total() for many in wanted.values())
    right = needed = 0
    try:
        reader, shipped = _reader(folder), Reader()
        for sample, many in wanted.items():
            tell(sample)
            right += _right(reader, samples / f"{sample}.jpg", many)
            needed += _right(shipped, samples / f"{sample}.jpg", many)
    except Exception as error:  # a stranger's file may be anything, and it must not end the program that tries it
        return Trial(name, 0, tiles, tiles, str(error).strip().splitlines()[0])
    return Trial(name, right, tiles, round(ENOUGH * needed))


def _reader(folder: Path) -> Reader:
    """The reader of a folder. ValueError when its networks are others than ours."""
    for name in NAMES:
        if network.load(name, folder).metadata.get("name") != f"hupai-{name}":
            raise ValueError(f"{name}.onnx is none of Hupai's networks: `hupai export` makes them")
    reader = Reader(folder)
    if reader.classes[: len(TILES)] != tuple(TILES):
        raise ValueError("its classifier knows other tiles than this version of Hupai")
    return reader


def _right(reader: Reader, picture: Path, wanted: Counter[str]) -> int:
    said = Counter(tile.tile for tile in reader.read(picture).tiles)
    return (said & wanted).total()


def _state(home: Path) -> dict[str, str]:
    try:
        content = json.loads((home / "models" / "chosen.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {k: v for k, v in content.items() if isinstance(v, str)} if isinstance(content, dict) else {}
