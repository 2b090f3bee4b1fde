"""A night travels as a file without losing anything, and nothing foreign gets in without a sentence."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ledger.documents import describe, inert, read_night, write_chat, write_csv, write_night
from scoring.ledger.events import (
    Adjusted,
    Corrected,
    Event,
    LedgerError,
    Opening,
    Paid,
    RulesChanged,
    RulesChoice,
    Seated,
    Undone,
    played,
)
from scoring.ledger.settling import settle_up
from tests.ledger.table import AT, discard, draw, event, kong, night, opening, self_draw

names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip).map(str.strip)
deeds = st.one_of(
    st.just(played(self_draw(0))),
    st.builds(Adjusted, st.dictionaries(names, st.integers()), names),
    st.builds(Seated, st.lists(names).map(tuple), st.none() | st.integers(0, 3)),
    st.builds(lambda p, n: RulesChanged(RulesChoice(p, {"unit": n})), names, st.integers()),
    st.builds(Paid, names, names, st.integers(), names),
)
changes = deeds | st.builds(Undone, names) | st.builds(Corrected, names, deeds)
openings = st.builds(
    Opening, names, names, names, st.lists(names).map(tuple), st.builds(RulesChoice, names), names, st.integers()
)


@given(openings, st.lists(st.builds(Event, names, names, changes), unique_by=lambda e: e.id))
def test_reading_is_the_inverse_of_writing(first, events):
    assert read_night(write_night(first, events)) == (first, tuple(events))


def test_a_file_has_one_event_a_line():
    text = write_night(opening(), [event(draw()), event(kong(1))])
    assert [line[:9] for line in text.splitlines()] == [
        '{"format"',
        '"night": ',
        '"events":',
        '{"id": "e',
        '{"id": "e',
        "]}",
    ]


FILE = write_night(opening(), [event(draw(), "one"), event(kong(1), "two"), event(Undone("two"), "three")])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Line 1 is not JSON"),
        (FILE[:-40], "Line 6 is not JSON"),
        ("[]", "no night of Hupai"),
        ("[" * 100_000, "no program would have written it"),
        ('{"start": ' + "9" * 5000 + "}", "no program would have written it"),
        ('{"format": "other"}', "no night of Hupai"),
        (FILE.replace('"version": 1', '"version": 2'), "newer Hupai"),
        (FILE.replace('"version": 1', '"version": "x"'), "newer Hupai"),
        (FILE.replace('"events"', '"happenings"'), "lacks its list “events”"),
        (FILE.replace('"players": ["A", "B", "C"]', '"players": "ABC"'), "“players” of the night must be a list"),
        (FILE.replace('"start": 0', '"start": "0"'), "“start” of the night must be a whole number"),
        (FILE.replace('"name": "Friday"', '"name": 5'), "“name” of the night must be text"),
        (FILE.replace('"rules": {', '"rules": 1, "x": {'), "The rules must be a JSON object"),
        (FILE.replace('"id": "two"', '"id": "one"'), "Line 5: The event “one” is there twice"),
        (FILE.replace('"id": "two"', '"id": " "'), "Line 5: “id” of the event must be text that is not empty"),
        (FILE.replace('"what": "undone"', '"what": "forgotten"'), 'Line 6: "forgotten" is no kind of event'),
        (FILE.replace('"event": "two"', '"happening": "two"'), "Line 6: The event lacks “event”"),
        (FILE.replace('"case": {', '"case": 7, "x": {'), "Line 4: “case” of the event must be an object"),
        (FILE.replace("one", "o\\u0000e"), "Line 4: “id” of the event must be text"),
    ],
)
def test_a_foreign_or_damaged_file_is_refused_with_the_line(text, sentence):
    with pytest.raises(LedgerError, match=sentence):
        read_night(text)


def test_a_correction_of_a_correction_is_refused():
    raw = json.loads(write_night(opening(), [event(Corrected("a", played(draw())))]))
    raw["events"][0]["by"] = {"what": "undone", "event": "b"}
    with pytest.raises(LedgerError, match="in the place of another"):
        read_night(json.dumps(raw))


@pytest.mark.parametrize("amounts", [{"A": "5"}, {"A": True}, {"A": 1.5}])
def test_amounts_are_whole_numbers(amounts):
    raw = json.loads(write_night(opening(), [event(Adjusted({"A": 1}, "x"))]))
    raw["events"][0]["amounts"] = amounts
    with pytest.raises(LedgerError, match="whole numbers by name"):
        read_night(json.dumps(raw))


def test_a_spreadsheet_gets_a_byte_order_mark_and_one_row_an_event_that_counts():
    text = write_csv(night(self_draw(0), self_draw(1), Undone("2"), discard(2, 1)))
    assert text.startswith("\ufeffhand,time,what,dealer,A,B,C,A total,B total,C total\r\n")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert rows[1:] == [
        ["1", AT, "win", "A", "4", "-2", "-2", "4", "-2", "-2"],
        ["2", AT, "win", "A", "0", "-2", "2", "4", "-4", "0"],
    ]


def test_no_name_or_note_becomes_a_formula():
    hostile = night(Adjusted({"=1+1": 5, "@SUM(A1)": -5}, "-2+3"), of=opening("=1+1", "@SUM(A1)", "+86"))
    header, row = list(csv.reader(io.StringIO(write_csv(hostile, "zh").removeprefix("\ufeff"))))
    assert header[4:7] == ["'=1+1", "'@SUM(A1)", "'+86"]
    assert row[2:] == ["'-2+3", "'=1+1", "5", "-5", "0", "5", "-5", "0"]


@given(st.text())
def test_an_inert_cell_starts_with_nothing_that_a_spreadsheet_runs(cell):
    assert inert(cell)[:1] not in set("=+-@\t\r\n")
    assert inert(cell).endswith(cell)


def test_the_chat_text_names_who_pays_whom():
    now = night(discard(0, 1), Adjusted({"B": -3}, "broken cup"))
    assert write_chat(now, settle_up(now.balances)) == "Friday\nA +2\nC 0\nB -5\nB → the pot 3 ¥\nB → A 2 ¥"
    assert "B → 公账 3 ¥" in write_chat(now, settle_up(now.balances), "zh")


def test_start_points_are_no_winnings_in_the_chat():
    now = night(discard(0, 1), of=opening(start=100))
    assert write_chat(now, settle_up(now.balances)).splitlines()[1:] == ["A +2", "C 0", "B -2", "B → A 2 ¥"]


def test_every_kind_of_event_has_words_in_both_languages():
    for deed, zh, en in [
        (played(self_draw(0)), "胡牌", "win"),
        (played(draw()), "荒庄", "draw"),
        (played({"kind": "tea"}), "tea", "tea"),
        (Adjusted({}, ""), "调整", "adjustment"),
        (Seated(("A", "B")), "入座：A、B", "seats: A, B"),
        (RulesChanged(RulesChoice("kwx_base")), "规则：卡五星 · 通用", "rules: Ka Wu Xing, general"),
        (Paid("A", "B", 3, "cash"), "A 付给 B 3 (cash)", "A paid B 3 (cash)"),
    ]:
        assert (describe(deed, "zh"), describe(deed)) == (zh, en)
