"""The photographs of recorded hands: small JPEG files beside the ledger, for whoever wants to look at a hand again.

They lie in `photographs/NIGHT/EVENT.1.jpg` and so on. Nothing that is counted depends on them: the event stands in the
ledger before its photograph is written, and one that is lost is not shown. A path is made of identifiers of one plain
alphabet and of nothing else, because identifiers also come from files and scripts of other people.
"""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from scoring.ledger.events import refuse

MOST: Final = 12
"""Photographs of one hand."""
LARGEST: Final = 400_000
"""Bytes of one; the app's previews have less than 300 kB."""

_PLAIN: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")


def keep(home: Path, night: str, event: str, pictures: Sequence[bytes]) -> None:
    """Write the photographs of a hand, in place of those that it has. Raises `LedgerError`."""
    if not (_PLAIN.fullmatch(night) and _PLAIN.fullmatch(event)):
        refuse(f"“{night} {event}”这样的编号不能附照片。", f"No photograph can be kept for “{night} {event}”.")
    if len(pictures) > MOST or any(not p.startswith(b"\xff\xd8") or len(p) > LARGEST for p in pictures):
        refuse("照片不是小的 JPEG，没有保存。", "Only a few small JPEG photographs are kept with a hand.")
    folder = _folder(home) / night
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in _files(folder, event):
            path.unlink()
        for number, picture in enumerate(pictures, 1):
            whole = folder / f"{event}.{number}.jpg"
            half = whole.with_suffix(f".{os.getpid()}.part")
            half.write_bytes(picture)
            half.replace(whole)
    except OSError as wrong:
        refuse(
            f"这一局已记录，照片没有保存：写不进 {folder}（{wrong.strerror}）。",
            f"The hand is recorded, its photograph is not kept: {folder} cannot be written ({wrong.strerror}).",
        )


def of(home: Path, night: str, event: str) -> tuple[bytes, ...]:
    """The photographs of an event, in order; none where none were kept or none can be read."""
    if not (_PLAIN.fullmatch(night) and _PLAIN.fullmatch(event)):
        return ()
    try:
        return tuple(path.read_bytes() for path in _files(_folder(home) / night, event))
    except OSError:
        return ()


def photographed(home: Path, night: str) -> frozenset[str]:
    """The events of a night that have photographs."""
    if not _PLAIN.fullmatch(night):
        return frozenset()
    return frozenset(path.name.partition(".")[0] for path in (_folder(home) / night).glob("*.jpg"))


def kept(home: Path) -> tuple[int, int]:
    """How many photographs are kept of all nights, and how many bytes they take."""
    sizes = [path.stat().st_size for path in _folder(home).glob("*/*.jpg")]
    return len(sizes), sum(sizes)


def forget(home: Path, night: str = "") -> None:
    """Delete the photographs of a night, or of all nights. Raises `LedgerError` when the disk will not."""
    if night and not _PLAIN.fullmatch(night):
        return
    folder = _folder(home) / night if night else _folder(home)
    if folder.is_symlink() or not folder.exists():
        return
    try:
        shutil.rmtree(folder)
    except OSError as wrong:
        refuse(f"照片删不掉：{wrong.strerror}。", f"The photographs cannot be deleted ({wrong.strerror}): {folder}.")


def _folder(home: Path) -> Path:
    return home / "photographs"


def _files(folder: Path, event: str) -> list[Path]:
    found = [folder / f"{event}.{number}.jpg" for number in range(1, MOST + 1)]
    return [path for path in found if path.is_file()]
