"""Damage is found, said in words, and mended without losing a confirmed event."""

from __future__ import annotations

import contextlib
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring.ledger import journal
from scoring.ledger.events import LedgerError, event_to_json
from scoring.ledger.mending import check, repair
from scoring.ledger.store import Store, open_store
from tests.ledger.table import draw, event, kong, opening, self_draw


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ledger with two nights of ten and three events."""
    store = open_store(tmp_path / "ledger")
    store.create(opening())
    for n in range(10):
        store.record("n1", event(kong(n % 3), f"e{n}"))
    store.create(replace(opening(), id="n2"), [event(self_draw(0)), event(draw()), event(self_draw(1))])
    return tmp_path / "ledger"


def ids(store: Store) -> list[str]:
    return [known.id for known in store.events("n1")[1]]


def sql(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "ledger.db", isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def said(folder: Path) -> str:
    found = check(open_store(folder))
    assert any(finding.damage for finding in found)
    return "\n".join(finding.text.en for finding in found)


def test_a_sound_ledger_has_no_findings(folder: Path) -> None:
    assert check(open_store(folder)) == []


def test_a_sound_ledger_is_left_alone_by_a_repair(folder: Path) -> None:
    assert [text.en for text in repair(folder)] == ["The ledger is sound: nothing was changed."]
    assert not list(folder.glob("*damaged*"))
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]


def test_a_ledger_that_is_overwritten_with_nonsense_comes_back_whole(folder: Path) -> None:
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (folder / name).unlink(missing_ok=True)
    (folder / "ledger.db").write_bytes(b"coffee" * 5000)
    with pytest.raises(LedgerError, match=r"damaged\. Run hupai ledger repair"):
        open_store(folder)
    told = repair(folder)
    assert told[0].en == "The database could not be read: journal and backups were used."
    assert told[1].en == "Restored 2 nights with 13 events."
    store = open_store(folder)
    assert ids(store) == [f"e{n}" for n in range(10)]
    assert store.night("n2").totals == {"A": 2, "B": 2, "C": -4}
    assert check(store) == []
    assert list(folder.glob("ledger.db.damaged-*"))


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7, 0.9])
def test_a_hole_in_the_middle_of_the_database_comes_back_whole(folder: Path, place: float) -> None:
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray((folder / "ledger.db").read_bytes())
    start = int(len(data) * place) // 4096 * 4096
    data[start : start + 4096] = b"\xff" * 4096
    (folder / "ledger.db").write_bytes(data)
    repair(folder)
    store = open_store(folder)
    assert ids(store) == [f"e{n}" for n in range(10)]
    assert len(store.events("n2")[1]) == 3
    assert check(store) == []


def test_a_lost_database_comes_back_from_the_journal(folder: Path) -> None:
    for path in folder.glob("ledger.db*"):
        path.unlink()
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]


@pytest.mark.parametrize("left", [None, b""])
def test_a_database_that_is_gone_is_no_new_beginning(folder: Path, left: bytes | None) -> None:
    running = open_store(folder)
    for path in folder.glob("ledger.db*"):
        path.unlink()
    if left is not None:
        (folder / "ledger.db").write_bytes(left)
    with pytest.raises(LedgerError, match=r"damaged\. Run hupai ledger repair"):
        running.nights()
    for _ in range(2):
        with pytest.raises(LedgerError, match=r"gone from .* holds 2 nights\. Run hupai ledger repair"):
            open_store(folder)
    repair(folder)
    assert ids(running) == [f"e{n}" for n in range(10)]


def test_an_older_copy_in_the_place_of_the_database_is_noticed_and_catches_up(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "ledger.db")) as ours, closing(sqlite3.connect(folder / "old")) as copy:
        ours.backup(copy)
    store = open_store(folder)
    for n in range(10, 13):
        store.record("n1", event(kong(n % 3), f"e{n}"))
    store.create(replace(opening(), id="n3"))
    for path in folder.glob("ledger.db*"):
        path.unlink()
    (folder / "old").rename(folder / "ledger.db")
    assert said(folder).splitlines() == [
        "The database lacks the last 3 events of the night n1, which the journal has.",
        "The database lacks the night n3 of the journal.",
    ]
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(13)]
    assert check(open_store(folder)) == []


def test_half_a_file_comes_back_whole(folder: Path) -> None:
    for name in ("ledger.db", "ledger.jsonl"):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) // 2])
        with contextlib.suppress(LedgerError):
            assert any(finding.damage for finding in check(open_store(folder)))
        repair(folder)
        assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]
        assert check(open_store(folder)) == []


@pytest.mark.parametrize("step", range(2, 7))  # the first would be a backup of nothing
def test_a_repair_that_stops_half_way_loses_nothing(folder: Path, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = iter(range(1, 100))

    def until(real: Any) -> Any:
        def act(*words: Any) -> Any:
            if next(steps) == step:
                raise OSError(28, "No space left on device")
            return real(*words)

        return act

    sql(folder, "DELETE FROM events WHERE night = 'n1' AND number = 4")
    with monkeypatch.context() as stopped:
        for name in ("rename", "replace", "touch"):
            stopped.setattr(Path, name, until(getattr(Path, name)))
        with pytest.raises(LedgerError, match="all the old files are still there"):
            repair(folder)
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]
    assert len(open_store(folder).events("n2")[1]) == 3
    assert check(open_store(folder)) == []


def test_a_row_that_is_no_json_is_said_with_the_way_out(folder: Path) -> None:
    sql(folder, "UPDATE nights SET opening = '{' WHERE id = 'n2'", "UPDATE events SET body = '' WHERE number = 4")
    store = open_store(folder)
    for look in (store.nights, lambda: store.night("n2"), lambda: store.night("n1")):
        with pytest.raises(LedgerError, match=r"damaged\. Run hupai ledger repair"):
            look()


def test_a_journal_that_may_not_be_read_is_named(folder: Path) -> None:
    (folder / "ledger.jsonl").unlink()
    (folder / "ledger.jsonl").mkdir()
    for ask in (lambda: check(open_store(folder)), lambda: repair(folder)):
        with pytest.raises(LedgerError, match=r"journal .* cannot be read"):
            ask()


def test_a_lost_journal_is_noticed_and_written_again(folder: Path) -> None:
    (folder / "ledger.jsonl").unlink()
    assert said(folder) == "The journal lacks 15 confirmed events."
    repair(folder)
    assert check(open_store(folder)) == []


def test_when_both_are_gone_the_backup_brings_back_the_day_before(folder: Path) -> None:
    with (
        closing(sqlite3.connect(folder / "ledger.db")) as ours,
        closing(sqlite3.connect(folder / "backups" / "ledger-2026-01-01.db")) as copy,
    ):
        ours.backup(copy)
    for path in [*folder.glob("ledger.db*"), folder / "ledger.jsonl"]:
        path.unlink()
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]


def test_a_torn_line_of_the_journal_costs_that_line_alone_and_the_next_event_is_kept(folder: Path) -> None:
    path = folder / "ledger.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    open_store(folder).record("n1", event(draw(), "after"))
    assert said(folder).splitlines() == [
        "Line 15 of the journal is damaged (its checksum does not fit); it is left out.",
        "The journal lacks 1 confirmed event.",
    ]
    repair(folder)
    store = open_store(folder)
    assert ids(store)[-1] == "after"
    assert check(store) == []


def test_a_missing_event_is_noticed_and_comes_back_from_the_journal(folder: Path) -> None:
    sql(folder, "DELETE FROM events WHERE night = 'n1' AND number = 4")
    assert "The night n1 should have 10 events and has 9." in said(folder)
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]


def test_an_event_that_nobody_can_read_any_more_is_named_and_the_others_stay(folder: Path) -> None:
    sql(folder, "UPDATE events SET body = '{\"id\": \"e3\"' WHERE night = 'n1' AND number = 4")
    lines = (folder / "ledger.jsonl").read_text().splitlines(keepends=True)
    (folder / "ledger.jsonl").write_text("".join(line for line in lines if '"e3"' not in line))
    assert "Event 4 of the night n1 cannot be read" in said(folder)
    assert repair(folder)[-1].en == "Of the night n1, events 4 could not be read anywhere."
    store = open_store(folder)
    assert ids(store) == ["e0", "e1", "e2", "e4", "e5", "e6", "e7", "e8", "e9"]
    assert check(store) == []


def test_a_spoilt_opening_is_noticed_and_comes_back_from_the_journal(folder: Path) -> None:
    sql(folder, "UPDATE nights SET opening = '[]' WHERE id = 'n1'")
    assert "The opening of the night n1 cannot be read" in said(folder)
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]


def test_an_event_without_its_night_is_noticed(folder: Path) -> None:
    sql(folder, "PRAGMA foreign_keys = OFF", "DELETE FROM nights WHERE id = 'n2'")
    assert "A row of events belongs to no night." in said(folder)
    repair(folder)
    assert len(open_store(folder).events("n2")[1]) == 3


def test_an_event_or_a_night_that_no_longer_counts_is_remarked_and_is_no_damage(folder: Path) -> None:
    sql(
        folder,
        "UPDATE events SET body = replace(body, 'kong_', 'king_') WHERE night = 'n1' AND number = 4",
        "UPDATE nights SET opening = replace(opening, 'kwx_base', 'bridge') WHERE id = 'n2'",
    )
    found = check(open_store(folder))
    assert [finding.damage for finding in found] == [False, False]
    assert found[0].text.en.startswith("The event e3 of the night n1 does not count: “king_added” is no kind of kong")
    assert found[1].text.en.startswith("The night n2: There are no rules “bridge”")


def test_of_two_lines_for_the_same_place_the_later_counts_as_after_a_commit_that_failed(folder: Path) -> None:
    lost, won = event(draw(), "lost"), event(kong(1), "won")
    for path in folder.glob("ledger.db*"):
        path.unlink()
    journal.append(
        folder / "ledger.jsonl",
        [journal.Line("n1", 11, event_to_json(lost)), journal.Line("n1", 11, event_to_json(won))],
    )
    repair(folder)
    assert ids(open_store(folder))[-2:] == ["e9", "won"]


def test_a_night_that_was_deleted_stays_deleted_whatever_is_repaired(folder: Path) -> None:
    with (
        closing(sqlite3.connect(folder / "ledger.db")) as ours,
        closing(sqlite3.connect(folder / "backups" / "ledger-2026-01-01.db")) as copy,
    ):
        ours.backup(copy)
    open_store(folder).delete("n1")
    assert check(open_store(folder)) == []
    for _ in range(2):
        for path in folder.glob("ledger.db*"):
            path.unlink()
        repair(folder)
        assert [known.id for known, _ in open_store(folder).nights()] == ["n2"]
        assert check(open_store(folder)) == []
    open_store(folder).delete("n2")
    repair(folder)
    assert open_store(folder).nights() == []


def test_a_deletion_that_was_not_committed_did_not_happen(folder: Path) -> None:
    journal.append(folder / "ledger.jsonl", [journal.Line("n1", journal.DELETED, {})])
    assert said(folder) == "The journal lacks 11 confirmed events."
    repair(folder)
    assert ids(open_store(folder)) == [f"e{n}" for n in range(10)]
    assert check(open_store(folder)) == []


def test_where_nothing_can_be_read_nothing_is_touched(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"coffee")
    with pytest.raises(LedgerError, match="can be restored: there are no readable nights"):
        repair(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.db"]
