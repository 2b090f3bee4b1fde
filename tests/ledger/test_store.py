"""A confirmed event is kept, once, whoever records at the same moment and whatever breaks; on both databases."""

from __future__ import annotations

import sqlite3
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from scoring.ledger import journal, mending, photographs
from scoring.ledger import store as storing
from scoring.ledger.events import Corrected, LedgerError, Undone, played
from scoring.ledger.mending import check
from scoring.ledger.night import counted
from scoring.ledger.playing import play
from scoring.ledger.store import GrownError, Store, home, open_store
from tests.ledger.table import discard, draw, event, kong, opening, self_draw


def test_what_was_recorded_is_there_after_a_restart(store: Store) -> None:
    store.create(opening())
    done = store.record("n1", event(self_draw(0)))
    assert dict(done.night.totals) == {"A": 4, "B": -2, "C": -2}
    again = replace(store, _outcomes={}, _nights={})
    assert again.night("n1") == done.night
    assert check(again) == []


def test_the_same_event_sent_again_is_recorded_once_and_answers_the_same(store: Store) -> None:
    store.create(opening())
    first = store.record("n1", event(self_draw(0), "key"))
    store.record("n1", event(draw(), "later"))
    retry = store.record("n1", event(self_draw(0), "key"))
    assert retry == first
    assert [known.id for known in store.events("n1")[1]] == ["key", "later"]


def test_a_key_is_not_used_for_two_different_events(store: Store) -> None:
    store.create(opening())
    store.record("n1", event(self_draw(0), "key"))
    with pytest.raises(LedgerError, match="“key” was already used for another event"):
        store.record("n1", event(self_draw(1), "key"))


def test_a_night_that_is_begun_twice_is_there_once(store: Store) -> None:
    store.create(opening())
    store.record("n1", event(self_draw(0)))
    assert store.create(opening()).totals["A"] == 4
    with pytest.raises(LedgerError, match="Another night already has the id “n1”"):
        store.create(opening("X", "Y", "Z"))
    assert [size for _, size in store.nights()] == [1]


def test_the_entries_of_a_night_are_those_that_stand(store: Store) -> None:
    store.create(opening())
    for change in (kong(0), kong(1), Undone("e2"), Corrected("e1", played(kong(2)))):
        store.record("n1", event(change, f"e{len(store.night('n1').events) + 1}"))
    assert (store.counted("n1", 4), counted(store.night("n1").events)) == (1, 1)
    store.record("n1", event(Undone("e3"), "e5"))
    assert store.counted("n1", 5) == 2


def test_who_has_not_seen_the_latest_hand_gets_it_shown_instead_of_a_second_one(store: Store) -> None:
    store.create(opening())
    store.record("n1", event(self_draw(0), "mine"), seen=0)
    with pytest.raises(GrownError) as grown:
        store.record("n1", event(self_draw(0), "yours"), seen=0)
    assert [new.id for new in grown.value.new] == ["mine"]
    assert grown.value.night.totals["A"] == 4
    store.record("n1", event(self_draw(0), "yours"), seen=1)  # asked, and it was another hand
    assert store.night("n1").totals["A"] == 8


def test_two_phones_that_record_the_same_hand_at_once_make_one_hand_and_one_question(store: Store) -> None:
    store.create(opening())

    def phone(name: str) -> str:
        try:
            store.record("n1", event(self_draw(0), name), seen=0)
        except GrownError:
            return "asked"
        return "recorded"

    with ThreadPoolExecutor(4) as phones:
        answers = sorted(phones.map(phone, ["one", "two", "three", "four"]))
    assert answers == ["asked", "asked", "asked", "recorded"]
    assert len(store.events("n1")[1]) == 1


def test_many_phones_that_record_at_once_lose_nothing(store: Store) -> None:
    store.create(opening())
    with ThreadPoolExecutor(6) as phones:
        list(phones.map(lambda n: store.record("n1", event(kong(n % 3), f"k{n}")), range(24)))
    now = store.night("n1")
    assert {known.id for known in now.events} == {f"k{n}" for n in range(24)}
    assert now.totals == {"A": 0, "B": 0, "C": 0}  # each konged eight times
    assert check(store) == []


def test_an_event_that_cannot_be_leaves_the_night_as_it_was(store: Store) -> None:
    store.create(opening())
    with pytest.raises(LedgerError):
        store.record("n1", event({**self_draw(0), "winner": 5}))
    assert store.events("n1")[1] == ()


def test_half_a_character_is_refused_and_leaves_everything_as_it_was(store: Store) -> None:
    with pytest.raises(LedgerError, match="half a character"):
        store.create(replace(opening(), name="\ud83c"))
    store.create(opening())
    with pytest.raises(LedgerError, match="half a character"):
        store.record("n1", event({**self_draw(0), "source": "\ud83c"}))
    assert store.events("n1")[1] == ()
    assert check(store) == []


def test_nights_are_listed_latest_first_and_found_by_the_beginning_of_their_id(store: Store) -> None:
    store.create(replace(opening(), id="abc1", at="2026-01-01T20:00:00+00:00"))
    store.create(replace(opening(), id="abd2", at="2026-02-01T20:00:00+00:00"))
    assert [known.id for known, _ in store.nights()] == ["abd2", "abc1"]
    assert (store.find("abc"), store.find("abd2"), store.find("last")) == ("abc1", "abd2", "abd2")
    for name, sentence in [("ab", "several nights begin"), ("x", "no night begins"), ("", "no night begins")]:
        with pytest.raises(LedgerError, match=sentence):
            store.find(name)
    with pytest.raises(LedgerError, match="no night “x”"):
        store.night("x")


def test_importing_a_file_twice_changes_nothing(store: Store) -> None:
    events = [event(self_draw(0)), event(draw())]
    assert [store.merge(opening(), events) for _ in range(2)] == [2, 0]
    assert store.events("n1") == (opening(), tuple(events))


def test_importing_a_longer_file_adds_what_is_missing_and_a_shorter_one_nothing(store: Store) -> None:
    events = [event(self_draw(0)), event(draw()), event(discard(0, 1))]
    store.merge(opening(), events[:1])
    assert store.merge(opening(), events) == 2
    assert store.merge(opening(), events[:2]) == 0
    assert store.events("n1")[1] == tuple(events)


def test_a_night_that_went_two_ways_is_not_imported(store: Store) -> None:
    first = event(self_draw(0))
    store.merge(opening(), [first, event(draw())])
    with pytest.raises(LedgerError, match="differ from event 2 on"):
        store.merge(opening(), [first, event(self_draw(1))])
    assert len(store.events("n1")[1]) == 2


def test_a_file_with_an_event_that_cannot_be_brings_in_nothing(store: Store) -> None:
    with pytest.raises(LedgerError, match="no event “nine”"):
        store.merge(opening(), [event(self_draw(0)), event(Undone("nine"))])
    assert store.nights() == []


def test_hands_are_scored_once_and_remembered(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.create(opening())
    store.record("n1", event(self_draw(0), "1"))
    store.record("n1", event(draw(), "2"))

    def never(*_: object) -> None:
        raise AssertionError("scored again")

    fresh = replace(store, _outcomes={}, _nights={})
    assert fresh.night("n1").totals["A"] == 4  # folded and remembered
    monkeypatch.setattr(storing, "play", never)
    assert replace(store, _outcomes={}, _nights={}).night("n1").totals["A"] == 4
    with pytest.raises(AssertionError):
        store.record("n1", event(Corrected("1", played(self_draw(1)))))
    monkeypatch.setattr(storing, "play", play)
    monkeypatch.setattr(storing, "_version_of_the_rules", lambda: "changed")
    assert replace(store, _outcomes={}, _nights={}).night("n1").totals["A"] == 4  # other rules code: scored anew


# ---------------------------------------------------------------- SQLite and its folder


def test_a_night_is_deleted_with_its_photographs_and_the_others_stay(store: Store) -> None:
    for name in ("n1", "n2"):
        store.create(replace(opening(), id=name))
        store.record(name, event(self_draw(0), "e1"))
        photographs.keep(store.home, name, "e1", [b"\xff\xd8"])
    store.delete("n1")
    assert [known.id for known, _ in store.nights()] == ["n2"]
    for gone in (lambda: store.night("n1"), lambda: store.delete("n1"), lambda: store.record("n1", event(draw()))):
        with pytest.raises(LedgerError, match="There is no night “n1”"):
            gone()
    assert photographs.kept(store.home)[0] == 1
    assert check(store) == []
    store.create(opening())  # and may come back from a file
    assert store.night("n1").events == ()
    assert check(store) == []


def test_the_data_folder_is_where_hupai_home_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "here"))
    open_store().create(opening())
    assert {path.name for path in (tmp_path / "here").iterdir()} >= {"ledger.db", "ledger.jsonl", "backups"}
    monkeypatch.delenv("HUPAI_HOME")
    assert home().name == "hupai"


@pytest.mark.skipif(sys.platform == "win32", reason="there other users are kept out by the folder")
def test_no_other_user_of_the_machine_reads_a_new_ledger(tmp_path: Path) -> None:
    fresh = open_store(tmp_path)
    with fresh.writing() as connection:
        connection.execute(sa.text("SELECT 1"))
        open_now = dict.fromkeys(("ledger.db", "ledger.db-wal", "ledger.db-shm"), 0o600)
        assert {path.name: _mode(path) for path in tmp_path.glob("ledger.db*")} == open_now
    fresh.create(opening())
    kept = ["ledger.db", "ledger.jsonl", *(str(p.relative_to(tmp_path)) for p in tmp_path.glob("backups/*"))]
    assert len(kept) == 3
    assert {name: _mode(tmp_path / name) for name in kept} == dict.fromkeys(kept, 0o600)


@pytest.mark.skipif(sys.platform == "win32", reason="there other users are kept out by the folder")
def test_a_ledger_that_was_opened_to_others_stays_open_to_them(tmp_path: Path) -> None:
    open_store(tmp_path).create(opening())
    (tmp_path / "ledger.db").chmod(0o660)
    open_store(tmp_path).record("n1", event(self_draw(0)))
    assert _mode(tmp_path / "ledger.db") == 0o660


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_full_disk_refuses_the_event_and_keeps_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path)
    store.create(opening())
    store.record("n1", event(self_draw(0)))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(journal, "append", full)
        with pytest.raises(LedgerError, match=r"Nothing was recorded: .* \(No space left on device\)"):
            store.record("n1", event(self_draw(1)))
    assert open_store(tmp_path).night("n1").totals["A"] == 4
    assert check(store) == []


def test_a_database_that_may_not_grow_refuses_in_words(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.create(opening())

    @sa.event.listens_for(store.engine, "connect")
    def _(raw, _record) -> None:
        raw.execute(f"PRAGMA max_page_count = {raw.execute('PRAGMA page_count').fetchone()[0]}")

    with pytest.raises(LedgerError, match="the disk is full"):
        store.merge(replace(opening(), id="n2"), [event(self_draw(n % 3)) for n in range(40)])


@pytest.mark.parametrize(
    ("complaint", "sentence"),
    [
        ("disk I/O error", "most often because it is full"),
        ("database or disk is full", "the disk is full"),
        ("attempt to write a readonly database", "check the permissions"),
        ("no such table: nights", "Run hupai ledger repair"),
        ("", "The database says: no answer"),
    ],
)
def test_what_a_database_complains_of_comes_with_what_to_do(complaint: str, sentence: str) -> None:
    with pytest.raises(LedgerError, match=sentence), storing.in_words():
        raise sa.exc.OperationalError("SELECT 1", {}, sqlite3.OperationalError(complaint))


def test_another_program_that_holds_the_file_is_waited_for_and_then_named(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.create(opening())
    other = sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    @sa.event.listens_for(store.engine, "connect")
    def _(raw, _record) -> None:
        raw.execute("PRAGMA busy_timeout = 50")

    with pytest.raises(LedgerError, match="Another program holds the ledger"):
        store.record("n1", event(draw()))
    assert store.night("n1").hands == 0  # reading goes on
    other.rollback()
    other.close()
    assert store.record("n1", event(draw())).night.hands == 1


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match=r"cannot be made .* set HUPAI_HOME"):
        open_store(tmp_path / "file" / "folder")


def test_a_ledger_of_a_newer_hupai_is_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path)
    with sqlite3.connect(tmp_path / "ledger.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(LedgerError, match="newer Hupai"):
        open_store(tmp_path)


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    with store.reading() as connection:
        inspector = sa.inspect(connection)
        for table in (storing.NIGHTS, storing.EVENTS, storing.OUTCOMES):
            made = inspector.get_columns(table.name)
            assert [(c["name"], c["nullable"]) for c in made] == [(c.name, c.nullable) for c in table.columns]
            assert inspector.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
        assert [u["column_names"] for u in inspector.get_unique_constraints("events")] == [["night", "id"]]


def test_there_is_one_backup_a_day_and_seven_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 10):
        (folder / f"ledger-2020-01-0{day}.db").write_text("old")
    open_store(tmp_path).create(opening())
    open_store(tmp_path)
    kept = sorted(path.name for path in folder.iterdir())
    assert len(kept) == 7
    assert kept[-1] > "ledger-2026"
    assert kept[0] == "ledger-2020-01-04.db"


def test_an_app_that_runs_for_days_has_a_backup_of_each_evening(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    assert not (tmp_path / "backups").exists(), "nothing was played yet"
    store.create(opening())
    (backup,) = (tmp_path / "backups").iterdir()
    backup.rename(backup.with_name("ledger-2020-01-01.db"))
    store.create(replace(opening(), id="n2"))
    assert [path.name for path in sorted((tmp_path / "backups").iterdir())] == ["ledger-2020-01-01.db", backup.name]
    with sqlite3.connect(backup) as copy:
        assert copy.execute("SELECT count(*) FROM nights").fetchone() == (2,)


def test_a_database_address_that_means_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_DATABASE", "my computer")
    with pytest.raises(LedgerError, match=r"HUPAI_DATABASE cannot be used .* write postgresql\+psycopg"):
        open_store()
    with pytest.raises(LedgerError, match="A database server mends itself"):
        mending.repair()


def test_a_database_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg", reason="the extra `club` is not installed")
    monkeypatch.setenv("HUPAI_DATABASE", "postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    with pytest.raises(LedgerError, match=r"The database says: .*refused"):
        open_store()
