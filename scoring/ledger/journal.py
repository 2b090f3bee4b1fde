"""The second copy: every confirmed event once more, one line of JSON each, in a file that is only ever appended to.

The database is what the app reads; this file is what brings a night back when the database file is damaged. A line
carries a checksum, so a torn last line (the machine died while writing) or a flipped bit is found and named, and
costs that line alone. Nothing here knows SQL.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from scoring.ledger.events import refuse

DELETED: Final = -1
"""The number of a line that says that its night was deleted: what stands before it no longer counts."""


@dataclass(frozen=True, slots=True)
class Line:
    """One confirmed thing: the opening of a night (`number` 0), its `number`-th event, as JSON, or that it was
    `DELETED`."""

    night: str
    number: int
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that cannot be read."""

    line: int
    sentence: str


def append(path: Path, lines: Iterable[Line]) -> None:
    """Write the lines and wait until the disk has them. Raises `OSError`."""
    text = "".join(_written(line) for line in lines)
    if not text:
        return
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        # A torn line before us must not swallow ours.
        if os.fstat(handle).st_size and not _ends_with_newline(path):
            text = "\n" + text
        data = text.encode()
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def read(path: Path) -> Iterator[Line | Damage]:
    """Every line, good or damaged, in order; nothing where there is no file. Raises `LedgerError` where it cannot be
    read at all."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as wrong:
        refuse(
            f"日志 {path} 读不出（{wrong.strerror}）：检查它的权限。",
            f"The journal {path} cannot be read ({wrong.strerror}): check its permissions.",
        )
    for number, raw in enumerate(content.split(b"\n"), 1):
        if raw.strip():
            yield _read(raw, number)


def latest(path: Path) -> dict[str, int]:
    """Of every night that was not deleted, the number of its last event; 0 for one with an opening alone."""
    found: dict[str, int] = {}
    for line in read(path):
        if isinstance(line, Damage):
            continue
        if line.number == DELETED:
            found.pop(line.night, None)
        else:
            found[line.night] = max(line.number, found.get(line.night, 0))
    return found


def _written(line: Line) -> str:
    body = json.dumps([line.night, line.number, line.body], ensure_ascii=False, separators=(",", ":"))
    return f"{_checksum(body.encode())} {body}\n"


def _read(raw: bytes, number: int) -> Line | Damage:
    checksum, _, body = raw.partition(b" ")
    if checksum.decode("ascii", "replace") != _checksum(body):
        return Damage(number, f"Line {number} of the journal is damaged (its checksum does not fit); it is left out.")
    night, place, content = cast("tuple[str, int, dict[str, Any]]", json.loads(body))
    return Line(night, place, content)


def _checksum(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=8).hexdigest()


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
