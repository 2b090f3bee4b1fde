"""Is the ledger sound, and if not, what can be saved: `check` says it in words, `repair` does it.

Repair leaves a sound ledger alone. Otherwise it reads the database row by row as far as it goes, the journal and the
backups, puts every night together from all three, and writes a new database and a new journal; the damaged ones stay
beside them under another name. What the database itself still says wins over the journal, and the journal over a
backup.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from scoring.ledger import journal
from scoring.ledger.events import (
    Event,
    LedgerError,
    Opening,
    event_from_json,
    event_to_json,
    opening_from_json,
    opening_to_json,
    refuse,
)
from scoring.ledger.night import fold
from scoring.ledger.store import EVENTS, NIGHTS, Finding, Store, home, open_store
from scoring.settlement import Text, many


def check(store: Store) -> list[Finding]:
    """Everything that is wrong with a ledger, or remarkable; an empty list for a sound one."""
    found: list[Finding] = []
    with store.reading() as connection:
        if store.folder is not None:
            found += _sound_file(connection)
        nights = connection.execute(sa.select(NIGHTS.c.id, NIGHTS.c.opening, NIGHTS.c.size)).all()
        held: set[tuple[str, int]] = set()
        for night, opening, size in nights:
            rows = connection.execute(
                sa.select(EVENTS.c.number, EVENTS.c.body).where(EVENTS.c.night == night).order_by(EVENTS.c.number)
            ).all()
            held |= {(night, 0), *((night, number) for number, _ in rows)}
            found += _sound_night(night, opening, size, [(number, body) for number, body in rows])
    if store.folder is not None:
        found += _sound_journal(store.folder, held)
        found += _lost(store.folder, {night: size for night, _, size in nights})
    return found


def _sound_file(connection: sa.Connection) -> Iterator[Finding]:
    for (line,) in connection.exec_driver_sql("PRAGMA integrity_check(10)").all():
        if line != "ok":
            yield _damage(f"记录文件损坏：{line}", f"The ledger's file is damaged: {line}")
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check").all():
        yield _damage(f"表 {row[0]} 里有一行不属于任何一晚。", f"A row of {row[0]} belongs to no night.")


def _sound_night(night: str, opening: str, size: int, rows: list[tuple[int, str]]) -> Iterator[Finding]:
    numbers = [number for number, _ in rows]
    if numbers != list(range(1, size + 1)):
        yield _damage(
            f"{night} 应有 {size} 条记录，实有 {len(rows)} 条。",
            f"The night {night} should have {many(size, 'event')} and has {len(rows)}.",
        )
    try:
        first = opening_from_json(json.loads(opening))
    except (LedgerError, ValueError) as wrong:
        yield _damage(f"{night} 的开头读不出：{wrong}", f"The opening of the night {night} cannot be read: {wrong}")
        return
    events: list[Event] = []
    for number, body in rows:
        try:
            events.append(event_from_json(json.loads(body)))
        except (LedgerError, ValueError) as wrong:
            yield _damage(
                f"{night} 的第 {number} 条读不出：{wrong}",
                f"Event {number} of the night {night} cannot be read: {wrong}",
            )
    try:
        folded = fold(first, events)
    except LedgerError as wrong:
        yield Finding(Text(f"{night}：{wrong.text.zh}", f"The night {night}: {wrong.text.en}"), damage=False)
        return
    for entry in folded.entries:
        if entry.problem:
            yield Finding(
                Text(
                    f"{night} 的记录 {entry.event.id} 现在算不出：{entry.problem.zh}",
                    f"The event {entry.event.id} of the night {night} does not count: {entry.problem.en}",
                ),
                damage=False,
            )


def _sound_journal(folder: Path, held: set[tuple[str, int]]) -> Iterator[Finding]:
    copied: set[tuple[str, int]] = set()
    for line in journal.read(folder / "ledger.jsonl"):
        if isinstance(line, journal.Damage):
            yield _damage(f"日志第 {line.line} 行损坏。", line.sentence)
        elif line.number == journal.DELETED:
            copied = {place for place in copied if place[0] != line.night}
        else:
            copied.add((line.night, line.number))
    missing = held - copied
    if missing:
        yield _damage(
            f"日志缺少 {len(missing)} 条已确认的记录。",
            f"The journal lacks {many(len(missing), 'confirmed event')}.",
        )


def _lost(folder: Path, sizes: dict[str, int]) -> Iterator[Finding]:
    """What the journal knows and the database lacks: somebody put an older file in its place, or its `-wal` is gone.

    One event too many is none: the machine may have stopped between the journal and the commit, before anybody was told
    that it is recorded."""
    for night, last in journal.latest(folder / "ledger.jsonl").items():
        if night not in sizes:
            yield _damage(f"记录文件里没有日志里的 {night}。", f"The database lacks the night {night} of the journal.")
        elif last > sizes[night] + 1:
            lost = last - sizes[night]
            yield _damage(
                f"{night} 的最后 {lost} 条只在日志里。",
                f"The database lacks the last {many(lost, 'event')} of the night {night}, which the journal has.",
            )


def _damage(zh: str, en: str) -> Finding:
    return Finding(Text(zh, en), damage=True)


# ---------------------------------------------------------------- repair


@dataclass(slots=True)
class _Saved:
    """What could be read of one night: its opening, and events by number."""

    opening: Opening | None = None
    events: dict[int, Event] = field(default_factory=dict[int, Event])


def repair(folder: Path | None = None) -> list[Text]:
    """Make a sound ledger out of whatever can be read in `folder`; what was done, in sentences. One that is sound stays
    as it is.

    Raises `LedgerError` when nothing at all can be read. The old files are kept under names that end in the time."""
    folder = folder or home()
    if os.environ.get("HUPAI_DATABASE"):
        refuse("数据库服务器由它自己修复。", "A database server mends itself: restore it from its own backups.")
    if _is_sound(folder):
        return [Text("账本没有损坏，什么都没改。", "The ledger is sound: nothing was changed.")]
    saved: dict[str, _Saved] = {}
    backups = sorted((folder / "backups").glob("ledger-*.db"), reverse=True)
    for path in reversed(backups):
        _from_database(path, saved)
    deleted = _from_journal(folder / "ledger.jsonl", saved)
    from_file = _from_database(folder / "ledger.db", saved)
    whole = {night: part for night, part in saved.items() if part.opening is not None}
    if not whole and not deleted:
        refuse(
            f"{folder} 里没有可以恢复的记录。", f"Nothing in {folder} can be restored: there are no readable nights."
        )
    stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    try:
        with TemporaryDirectory(dir=folder, prefix="repair-") as made:
            _write(open_store(Path(made)), whole, deleted - whole.keys())
            _exchange(folder, Path(made), stamp)
    except OSError as wrong:
        refuse(
            f"{folder} 写不进（{wrong.strerror}），原来的文件都还在。请腾出空间或检查权限，再修复一次。",
            f"{folder} cannot be written ({wrong.strerror}); all the old files are still there. Make room or check its "
            "permissions, and repair again.",
        )
    nights, events = len(whole), sum(len(part.events) for part in whole.values())
    said = [
        Text(
            f"恢复了 {nights} 晚，共 {events} 条记录。",
            f"Restored {many(nights, 'night')} with {many(events, 'event')}.",
        ),
        Text(f"旧文件改名为 *.damaged-{stamp}。", f"The old files are kept as *.damaged-{stamp}."),
    ]
    if not from_file:
        said.insert(
            0,
            Text("记录文件读不出，用了日志和备份。", "The database could not be read: journal and backups were used."),
        )
    for night, part in whole.items():
        lost = [number for number in range(1, max(part.events, default=0)) if number not in part.events]
        if lost:
            said.append(
                Text(
                    f"{night} 的第 {', '.join(map(str, lost))} 条哪里都读不出。",
                    f"Of the night {night}, events {', '.join(map(str, lost))} could not be read anywhere.",
                )
            )
    return said


def _is_sound(folder: Path) -> bool:
    """Whether the ledger opens and nothing in it is damaged; asking makes no ledger where there is none."""
    if not (folder / "ledger.db").exists():
        return False
    try:
        return not any(finding.damage for finding in check(open_store(folder)))
    except LedgerError:
        return False


def _exchange(folder: Path, made: Path, stamp: str) -> None:
    """Put the new ledger in the place of the old one, in an order in which the machine may stop at any moment: the new
    journal, which holds everything, is there before the old database goes."""
    if (folder / "ledger.jsonl").exists():
        shutil.copy2(folder / "ledger.jsonl", folder / f"ledger.jsonl.damaged-{stamp}")
    for name in (made / "ledger.jsonl", made / "ledger.db"):
        name.touch()  # a ledger without a night has no journal yet
    (made / "ledger.jsonl").replace(folder / "ledger.jsonl")
    for name in ("ledger.db-wal", "ledger.db-shm", "ledger.db"):
        if (folder / name).exists():
            (folder / name).rename(folder / f"{name}.damaged-{stamp}")
    (made / "ledger.db").replace(folder / "ledger.db")


def _from_journal(path: Path, saved: dict[str, _Saved]) -> set[str]:
    """Take in what the journal says; the nights that it says were deleted, of which a backup may know more."""
    deleted: set[str] = set()
    for line in journal.read(path):
        if isinstance(line, journal.Damage):
            continue
        if line.number == journal.DELETED:
            saved.pop(line.night, None)
            deleted.add(line.night)
        else:
            _keep(saved, line.night, line.number, line.body)
    return deleted


def _from_database(path: Path, saved: dict[str, _Saved]) -> bool:
    """Read what can be read, from the front until the damage and from the back until the damage."""
    if not path.exists():
        return False
    good = True
    for query in (
        "SELECT id, 0, opening FROM nights ORDER BY rowid {}",
        "SELECT night, number, body FROM events ORDER BY rowid {}",
    ):
        for direction in ("ASC", "DESC"):
            try:
                with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                    for night, number, body in connection.execute(query.format(direction)):
                        _keep(saved, night, number, json.loads(body))
            except (sqlite3.Error, ValueError):
                good = False
            else:
                break
    return good


def _keep(saved: dict[str, _Saved], night: str, number: int, body: Any) -> None:
    part = saved.setdefault(night, _Saved())
    try:
        if number == 0:
            part.opening = opening_from_json(body)
        else:
            event = event_from_json(body)
            for place in [place for place, known in part.events.items() if known.id == event.id and place != number]:
                del part.events[place]
            part.events[number] = event
    except LedgerError:
        return


def _write(store: Store, whole: dict[str, _Saved], deleted: Iterable[str] = ()) -> None:
    """Write as it was, without asking the rules again: an event that no longer counts is still part of the night."""
    lines = [journal.Line(night, journal.DELETED, {}) for night in sorted(deleted)]
    with store.writing() as connection:
        for night, part in whole.items():
            assert part.opening is not None
            opening = opening_to_json(part.opening)
            events = [part.events[number] for number in sorted(part.events)]
            connection.execute(
                NIGHTS.insert().values(
                    id=night,
                    opened_at=part.opening.at,
                    opening=json.dumps(opening, ensure_ascii=False),
                    size=len(events),
                )
            )
            lines.append(journal.Line(night, 0, opening))
            for number, event in enumerate(events, 1):
                body = event_to_json(event)
                text = json.dumps(body, ensure_ascii=False)
                connection.execute(EVENTS.insert().values(night=night, number=number, id=event.id, body=text))
                lines.append(journal.Line(night, number, body))
        if store.folder is not None:
            journal.append(store.folder / "ledger.jsonl", lines)
