"""Nights on disk: SQLite in the user's data folder, or whatever database `HUPAI_DATABASE` names.

A confirmed event is never lost and never doubled. An event is inserted together with a compare-and-swap of its
night's size, so two phones cannot both write hand 7, and its id is unique in the night, so a retry writes nothing.
With SQLite every write also goes to a journal beside the database before it is committed; `check` finds damage in
either and says it in words, `repair` builds a sound ledger from whatever can still be read of both and of the
backups.

Everything that is shown is folded from the events by `scoring.ledger.night`. What a hand came to is remembered under a
fingerprint of the case, the rules and this very version of the rules' code, only so that a long night opens at once.
"""

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar, cast

import platformdirs
import sqlalchemy as sa
from sqlalchemy import event as sa_event
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.pool import NullPool

import scoring
from scoring.ledger import journal, photographs
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
from scoring.ledger.night import Consequence, Night, change_of, counted, fold
from scoring.ledger.playing import Moment, Outcome, play, played_as
from scoring.settlement import Text, Transfer

T = TypeVar("T")

HEAD: Final = "0001"
"""The revision that this code reads and writes; the last file in `migrations/versions`."""

KEPT_BACKUPS: Final = 7

_tables: Final = sa.MetaData()
NIGHTS: Final = sa.Table(
    "nights",
    _tables,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("opened_at", sa.Text, nullable=False),
    sa.Column("opening", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
)
EVENTS: Final = sa.Table(
    "events",
    _tables,
    sa.Column("night", sa.Text, sa.ForeignKey("nights.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.UniqueConstraint("night", "id"),
)
OUTCOMES: Final = sa.Table(
    "outcomes",
    _tables,
    sa.Column("night", sa.Text, sa.ForeignKey("nights.id"), primary_key=True),
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("outcome", sa.Text, nullable=False),
)


class GrownError(LedgerError):
    """Somebody else recorded something that the sender had not seen yet: ask whether this is the same hand again."""

    def __init__(self, night: Night, new: Sequence[Event]) -> None:
        self.night, self.new = night, tuple(new)
        super().__init__(
            Text(
                f"刚才有人记录了 {len(new)} 条，请先看一下：是不是同一局？",
                f"{len(new)} event{'s were' if len(new) != 1 else ' was'} recorded meanwhile: "
                "look at what is new first, it may be this very hand.",
            )
        )


class UnreachableError(LedgerError):
    """The database did not answer, or another program held it too long. Nothing is known to be wrong: sending the very
    same event again is safe, because its id is recorded once."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that `check` found. `damage` is true when `repair` has to mend it."""

    text: Text
    damage: bool


def home() -> Path:
    """The folder where nights, journal and backups lie: `HUPAI_HOME`, or the system's place for such data."""
    named = os.environ.get("HUPAI_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_data_dir("hupai", appauthor=False))


def now() -> str:
    """This moment as events carry it: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_id() -> str:
    """A fresh id for a night or an event: ten hexadecimal digits."""
    return secrets.token_hex(5)


@dataclass(frozen=True)
class Store:
    """A place where nights are kept. Make one with `open_store`; it may be used from several threads and processes."""

    engine: sa.Engine
    folder: Path | None
    """Where database, journal and backups lie; None for a database server, which has its own backups."""
    _outcomes: dict[str, dict[str, Outcome]] = field(default_factory=dict[str, dict[str, Outcome]])
    _nights: dict[str, Night] = field(default_factory=dict[str, Night])
    """The latest fold of each night, good as long as the night has not grown; events are never changed."""
    _counted: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    @property
    def home(self) -> Path:
        """Where the photographs of hands lie: beside the database, or where it would be without a server."""
        return self.folder or home()

    # ------------------------------------------------------------ reading

    def nights(self) -> list[tuple[Opening, int]]:
        """Every night with the number of its events, latest first."""
        with self.reading() as connection:
            rows = connection.execute(sa.select(NIGHTS.c.opening, NIGHTS.c.size).order_by(NIGHTS.c.opened_at.desc()))
            return [(_stored(opening_from_json, opening), size) for opening, size in rows]

    def counted(self, night: str, size: int) -> int:
        """How many entries stand in a night of `size` events. All events are counted where one cannot be read, which is
        said when the night is opened. Raises `UnreachableError`."""
        if self._counted.get(night, (-1, 0))[0] != size:
            try:
                self._counted[night] = size, counted(self.events(night)[1])
            except UnreachableError:
                raise
            except LedgerError:
                return size
        return self._counted[night][1]

    def find(self, name: str) -> str:
        """The id of a night from its id, an unambiguous beginning of it, or `last`. Raises `LedgerError`."""
        nights = self.nights()
        if name == "last" and nights:
            return nights[0][0].id
        found = [opening.id for opening, _ in nights if opening.id == name] or [
            opening.id for opening, _ in nights if name and opening.id.startswith(name)
        ]
        if len(found) != 1:
            many = "several nights begin" if found else "no night begins"
            refuse(
                f"有 {len(found)} 个夜晚以“{name}”开头；hupai ledger list 列出全部。",
                f"In this ledger {many} with “{name}”; hupai ledger list shows them all.",
            )
        return found[0]

    def night(self, night: str) -> Night:
        """A night as it stands. Raises `LedgerError` for an id that is not there."""
        with self.reading() as connection:
            size = connection.execute(sa.select(NIGHTS.c.size).where(NIGHTS.c.id == night)).scalar()
        known = self._nights.get(night)
        if known is None or len(known.events) != size:
            known = self._nights[night] = self._folded(*self.events(night))
        return known

    def events(self, night: str) -> tuple[Opening, tuple[Event, ...]]:
        """A night's opening and events, in order. Raises `LedgerError` for an id that is not there."""
        with self.reading() as connection:
            opening = connection.execute(sa.select(NIGHTS.c.opening).where(NIGHTS.c.id == night)).scalar()
            if opening is None:
                _no_night(night)
            rows = connection.execute(sa.select(EVENTS.c.body).where(EVENTS.c.night == night).order_by(EVENTS.c.number))
            bodies = [row[0] for row in rows]
        return _stored(opening_from_json, opening), tuple(_stored(event_from_json, body) for body in bodies)

    # ------------------------------------------------------------ writing

    def create(self, opening: Opening, events: Sequence[Event] = ()) -> Night:
        """Begin a night (with all its events, when it comes from a file). Sent twice, it is there once.

        Raises `LedgerError` when the rules, the players or one of the events cannot be, or another night has that
        id."""
        night = fold(opening, (), self._play(opening.id))
        for event in events:
            night = change_of(night, event, self._play(opening.id)).night
        body = _json(opening_to_json(opening))
        try:
            with self.writing() as connection:
                connection.execute(
                    NIGHTS.insert().values(id=opening.id, opened_at=opening.at, opening=body, size=len(events))
                )
                lines = [journal.Line(opening.id, 0, opening_to_json(opening))]
                for number, event in enumerate(events, 1):
                    connection.execute(_insertion(opening.id, number, event))
                    lines.append(journal.Line(opening.id, number, event_to_json(event)))
                self._journal(lines)
        except IntegrityError:
            known, _ = self.events(opening.id)
            if known != opening:
                refuse(f"编号“{opening.id}”已是另一晚。", f"Another night already has the id “{opening.id}”.")
            return self.night(opening.id)
        _back_up_daily(self)  # an app that runs for weeks opens its ledger once, but begins a night each evening
        return night

    def record(self, night: str, event: Event, seen: int | None = None) -> Consequence:
        """Confirm an event. Its id is the idempotency key: the same event again changes nothing and answers the same.

        `seen` is how many events the sender had before its eyes; when there are more, `GrownError` shows them instead.
        Raises `LedgerError` when the event cannot be, or its id was used for something else.
        """
        while True:
            before = self.night(night)
            events = before.events
            for place, known in enumerate(events):
                if known.id == event.id:
                    if known.change != event.change:
                        refuse(
                            f"编号“{event.id}”已用于另一条记录。",
                            f"The key “{event.id}” was already used for another event of this night.",
                        )
                    return change_of(self._folded(before.opening, events[:place]), known, self._play(night))
            if seen is not None and len(events) > seen:
                raise GrownError(before, events[seen:])
            consequence = change_of(before, event, self._play(night))
            if self._append(night, len(events), event):
                self._nights[night] = consequence.night
                return consequence

    def delete(self, night: str) -> None:
        """Delete a night with all its events and photographs; there is no way back, but for a backup of today.

        Raises `LedgerError` for an id that is not there."""
        with self.writing() as connection:
            there = connection.execute(sa.select(NIGHTS.c.id).where(NIGHTS.c.id == night).with_for_update()).scalar()
            if there is None:
                _no_night(night)
            for table in (OUTCOMES, EVENTS):
                connection.execute(table.delete().where(table.c.night == night))
            connection.execute(NIGHTS.delete().where(NIGHTS.c.id == night))
            self._journal([journal.Line(night, journal.DELETED, {})])
        self._nights.pop(night, None)
        self._outcomes.pop(night, None)
        photographs.forget(self.home, night)

    def preview(self, night: str, event: Event) -> Consequence:
        """What this event would change in the night as it stands now. Raises `LedgerError` when it cannot be."""
        return change_of(self.night(night), event, self._play(night))

    def merge(self, opening: Opening, events: Sequence[Event]) -> int:
        """Bring in a night from a file: a new one, or the events that ours lacks. Returns how many events were added.

        Raises `LedgerError` when ours and the file's went different ways; nothing is changed then."""
        with self.reading() as connection:
            size = connection.execute(sa.select(NIGHTS.c.size).where(NIGHTS.c.id == opening.id)).scalar()
        if size is None:
            self.create(opening, events)
            return len(events)
        known, ours = self.events(opening.id)
        common = min(len(ours), len(events))
        if known != opening or tuple(events[:common]) != ours[:common]:
            place = next((i for i in range(common) if events[i] != ours[i]), 0) + 1
            refuse(
                f"文件里的这一晚与这里的从第 {place} 条起不同，没有导入。",
                f"The night in the file and the one here differ from event {place} on, so nothing was imported.",
            )
        for event in events[common:]:
            self.record(opening.id, event)
        return len(events) - common

    def _append(self, night: str, size: int, event: Event) -> bool:
        """Write the event as number `size` + 1, unless somebody else just did; whether it was written."""
        try:
            with self.writing() as connection:
                swap = sa.update(NIGHTS).where(NIGHTS.c.id == night, NIGHTS.c.size == size).values(size=size + 1)
                if connection.execute(swap).rowcount != 1:
                    return False
                connection.execute(_insertion(night, size + 1, event))
                self._journal([journal.Line(night, size + 1, event_to_json(event))])
        except IntegrityError:
            return False
        return True

    def _journal(self, lines: Sequence[journal.Line]) -> None:
        """Inside the transaction and before its commit, so that the journal never lacks what was confirmed."""
        if self.folder is not None:
            try:
                journal.append(self.folder / "ledger.jsonl", lines)
            except OSError as wrong:
                refuse(
                    f"没有记录：写不进 {self.folder}（{wrong.strerror}）。请腾出空间后再试。",
                    f"Nothing was recorded: {self.folder} cannot be written ({wrong.strerror}). Make room, try again.",
                )

    # ------------------------------------------------------------ connections

    @contextmanager
    def reading(self) -> Generator[sa.Connection]:
        """A connection to look things up with; what the database complains of comes as a `LedgerError`."""
        with in_words(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[sa.Connection]:
        """A connection in a transaction that is committed at the end, or rolled back when anything is raised."""
        with in_words(), self.engine.connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                yield connection

    # ------------------------------------------------------------ remembered outcomes

    def _folded(self, opening: Opening, events: Sequence[Event]) -> Night:
        """The fold, with every outcome that this night has met before taken from memory or from the database."""
        known = self._known(opening.id)
        before = set(known)
        night = fold(opening, events, self._play(opening.id))
        fresh = {key: outcome for key, outcome in list(known.items()) if key not in before}
        if fresh:
            self._remember(opening.id, fresh)
        return night

    def _known(self, night: str) -> dict[str, Outcome]:
        if night not in self._outcomes:
            with self.reading() as connection:
                rows = connection.execute(
                    sa.select(OUTCOMES.c.fingerprint, OUTCOMES.c.outcome).where(OUTCOMES.c.night == night)
                ).all()
            self._outcomes[night] = {key: _outcome_from_json(outcome) for key, outcome in rows}
        return self._outcomes[night]

    def _remember(self, night: str, fresh: Mapping[str, Outcome]) -> None:
        """Best effort: a ledger that cannot be written to can still be read."""
        rows = [
            {"night": night, "fingerprint": key, "outcome": _outcome_to_json(outcome)} for key, outcome in fresh.items()
        ]
        try:
            with self.writing() as connection:
                if connection.execute(sa.select(NIGHTS.c.id).where(NIGHTS.c.id == night)).scalar() is None:
                    return
                known = set(
                    connection.execute(sa.select(OUTCOMES.c.fingerprint).where(OUTCOMES.c.night == night)).scalars()
                )
                missing = [row for row in rows if row["fingerprint"] not in known]
                if missing:
                    connection.execute(OUTCOMES.insert(), missing)
        except (LedgerError, IntegrityError):
            return

    def _play(self, night: str) -> "_Remembering":
        return _Remembering(self._known(night))


class _Remembering:
    """`play`, asked once for each case under each rules."""

    def __init__(self, known: dict[str, Outcome]) -> None:
        self.known = known

    def __call__(self, case: Mapping[str, Any], moment: Moment) -> Outcome:
        key = blake2b((_version_of_the_rules() + played_as(case, moment)).encode(), digest_size=16).hexdigest()
        outcome = self.known.get(key)
        if outcome is None:
            outcome = self.known[key] = play(case, moment)
        return outcome


@lru_cache(maxsize=1)
def _version_of_the_rules() -> str:
    """A digest of the code that scores: a changed rule file makes every remembered outcome void."""
    folder = Path(scoring.__file__).parent
    files = [path for path in sorted(folder.rglob("*.py*")) if "__pycache__" not in path.parts]
    digest = blake2b(digest_size=8)
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _no_night(night: str) -> NoReturn:
    refuse(f"没有“{night}”这一晚。", f"There is no night “{night}”; hupai ledger list shows them all.")


def _outcome_to_json(outcome: Outcome) -> str:
    transfers = [[t.payer, t.receiver, t.amount, t.reason.zh, t.reason.en] for t in outcome.transfers]
    return _json([transfers, outcome.winners, outcome.discarder, outcome.elements, outcome.ends_hand, outcome.drawn])


def _outcome_from_json(text: str) -> Outcome:
    transfers, winners, discarder, elements, ends_hand, drawn = json.loads(text)
    return Outcome(
        tuple(Transfer(payer, receiver, amount, Text(zh, en)) for payer, receiver, amount, zh, en in transfers),
        tuple(winners),
        discarder,
        tuple(tuple(names) for names in elements),
        ends_hand,
        drawn,
    )


def _insertion(night: str, number: int, event: Event) -> sa.Insert:
    return EVENTS.insert().values(night=night, number=number, id=event.id, body=_json(event_to_json(event)))


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character: no disk, no database and no screen takes it
        refuse("里面有不成字的字符，没有记录。", "It holds half a character, which nothing can show: write it anew.")
    return text


def _stored(read: Callable[[Any], T], text: str) -> T:
    """Something from the database. Raises `LedgerError` with the way out where it is damaged."""
    try:
        return read(json.loads(text))
    except (LedgerError, ValueError) as wrong:
        raise LedgerError(DAMAGED) from wrong


DAMAGED: Final = Text(
    "记录文件已损坏。运行 hupai ledger repair：它用日志和备份恢复，不会丢掉任何一局。",
    "The ledger's file is damaged. Run hupai ledger repair: it restores it from the journal and the backups.",
)

_AWAY: Final = (
    "locked",
    "connection refused",
    "connection failed",
    "could not connect",
    "closed",
    "terminat",
    "timeout",
)
"""Words with which a database or its driver says that it may answer a moment later."""


@contextmanager
def in_words() -> Generator[None]:
    """Turn a database's complaint into a sentence that says what to do."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as wrong:
        complaint = str(wrong.orig)
        away = wrong.connection_invalidated or any(sign in complaint.lower() for sign in _AWAY)
        raise (UnreachableError if away else LedgerError)(_words(complaint)) from wrong


def _words(complaint: str) -> Text:
    low = complaint.lower()
    if "malformed" in low or "not a database" in low or "corrupt" in low or "no such table" in low:
        return DAMAGED
    if "full" in low:
        return Text(
            "没有记录：磁盘已满。请腾出空间后再试。", "Nothing was recorded: the disk is full. Make room and try again."
        )
    if "disk i/o" in low:  # so SQLite calls a disk without room for its helper files too
        return Text(
            "没有记录：磁盘读写出错，多半是满了。请腾出空间后再试。",
            "Nothing was recorded: the disk fails, most often because it is full. Make room and try again.",
        )
    if "locked" in low:
        return Text(
            "没有记录：另一个程序占用着记录文件。请稍后再试。",
            "Another program holds the ledger; try again in a moment.",
        )
    if "readonly" in low or "read-only" in low or "unable to open" in low:
        return Text(
            f"写不进记录文件：检查文件夹 {home()} 的权限。",
            f"The ledger cannot be written: check the permissions of the folder {home()}.",
        )
    first = complaint.strip().splitlines()[0] if complaint.strip() else "no answer"
    return Text(f"数据库报告：{first}", f"The database says: {first}")


# ---------------------------------------------------------------- opening


def open_store(folder: Path | None = None, address: str | None = None) -> Store:
    """The ledger in `folder`, or at `address`, or at `HUPAI_DATABASE`, or in `home()`; brought up to date.

    Raises `LedgerError`: the folder cannot be made, the database does not answer, is damaged, or of a newer Hupai."""
    if folder is None:
        address = address or os.environ.get("HUPAI_DATABASE")
    if address:
        try:
            # A server that was restarted has dropped the pool's connections: each is tried before it is used.
            store = Store(sa.create_engine(address, pool_pre_ping=True), None)
        except (ArgumentError, ImportError) as wrong:
            refuse(
                f"HUPAI_DATABASE 用不了：{wrong}",
                f"HUPAI_DATABASE cannot be used ({wrong}); write postgresql+psycopg://user@host/name.",
            )
    else:
        folder = folder or home()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            refuse(
                f"不能建立文件夹 {folder}：{wrong.strerror}。",
                f"The folder {folder} cannot be made ({wrong.strerror}): set HUPAI_HOME to another place.",
            )
        store = Store(_sqlite(folder / "ledger.db"), folder)
    _migrate(store)
    _back_up_daily(store)
    return store


def _refuse_to_begin_anew(folder: Path) -> None:
    """A database that is gone, or empty, beside a journal with nights in it is a loss and not a beginning."""
    if nights := len(journal.latest(folder / "ledger.jsonl")):
        refuse(
            f"记录文件不见了，日志里还有 {nights} 晚。运行 hupai ledger repair 恢复。",
            f"The ledger's file is gone from {folder}, and its journal holds {nights} night{'s' * (nights != 1)}. "
            "Run hupai ledger repair to restore it.",
        )


def _sqlite(path: Path) -> sa.Engine:
    """Write-ahead log, foreign keys, a commit that the disk has really taken. No pool: a file that `repair` put in the
    place of another is seen at once."""
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=NullPool, connect_args={"timeout": 30})

    @sa_event.listens_for(engine, "connect")
    def _(raw: Any, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        # sqlite3 would begin transactions by itself, and only before some statements.
        raw.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            raw.execute(f"PRAGMA {pragma}")

    @sa_event.listens_for(engine, "begin")
    def _(connection: sa.Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        # A reader that becomes a writer half way may find its snapshot stale; writers say so from the start.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _migrate(store: Store) -> None:
    with store.reading() as connection:
        revision = _revision(connection)
    if revision == HEAD:
        return
    if revision is None and store.folder is not None:
        _refuse_to_begin_anew(store.folder)
        with suppress(OSError):  # a file system without owners, or a file of somebody else's, keeps its own rules
            (store.folder / "ledger.db").chmod(0o600)  # as the journal; SQLite gives its helper files the same
    if revision is not None and revision > HEAD:
        refuse("这个记录来自更新的胡牌，请先升级。", "This ledger was written by a newer Hupai: update this one first.")
    # Only now, because alembic takes longer to import than everything else here together.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with store.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(7420001)"))
        if _revision(connection) != HEAD:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return cast("str | None", connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar())


def _back_up_daily(store: Store) -> None:
    """Once a day with a night in it, a whole copy of the database beside it; the latest `KEPT_BACKUPS` stay."""
    if store.folder is None:
        return
    folder = store.folder / "backups"
    today = folder / f"ledger-{datetime.now(UTC):%Y-%m-%d}.db"
    if today.exists():
        return
    half = today.with_suffix(f".{os.getpid()}.part")
    try:
        with closing(sqlite3.connect(store.folder / "ledger.db")) as ours:
            if not ours.execute("SELECT EXISTS (SELECT 1 FROM nights)").fetchone()[0]:
                return  # a backup of nothing would stand in the way of today's
            folder.mkdir(exist_ok=True)
            half.touch(0o600)
            with closing(sqlite3.connect(half)) as copy:
                ours.backup(copy)
        half.replace(today)
        for old in sorted(folder.glob("ledger-*.db"))[:-KEPT_BACKUPS]:
            old.unlink()
    except (OSError, sqlite3.Error):
        # A full disk must not keep anybody from reading; `check` tells when there is no backup.
        half.unlink(missing_ok=True)
