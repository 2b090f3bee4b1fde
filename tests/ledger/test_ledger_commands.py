"""`hupai ledger` from a script: what it prints, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scoring import house, rules
from scoring.ledger.store import home
from tests.ledger.table import PURE, discard, draw, kong, self_draw
from ui.ledger_commands import app


def hupai(*words: str | Path, ok: int = 0, stdin: str | None = None) -> Result:
    done = CliRunner().invoke(app, [str(word) for word in words], input=stdin)
    assert done.exit_code == ok, done.output
    return done


def ask(*words: str | Path, stdin: str | None = None) -> Any:
    return json.loads(hupai(*words, "--json", stdin=stdin).stdout)


def record(night: str, case: dict[str, Any], *more: str) -> Any:
    return ask("record", night, "--case", "-", *more, stdin=json.dumps(case))


@pytest.fixture
def night() -> str:
    return ask("new", "--players", "A,B,C", "--rules", "kwx_base", "--unit", "¥")["night"]


def test_a_night_from_its_beginning_to_the_settlement(night: str, tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps(self_draw(0)))
    first = ask("record", night, "--case", case)
    assert first["payments"] == [4, -2, -2]
    assert record(night, discard(2, 1, PURE))["totals"] == {"A": 4, "B": -6, "C": 2}
    assert record(night, kong(1))["payments"] == [-1, 2, -1]
    assert record(night, draw(0))["dealer"] == "C"
    shown = ask("show", night)
    assert shown["totals"] == {"A": 1, "B": -3, "C": 2}
    assert (shown["dealer"], shown["hands"], shown["check"]) == ("C", 3, 0)
    assert [known["what"] for known in shown["events"]] == ["played"] * 4
    assert ask("settle", night) == [{"from": "B", "to": "C", "amount": 2}, {"from": "B", "to": "A", "amount": 1}]
    assert hupai("settle", night).stdout.splitlines()[-2:] == ["B → C 2 ¥", "B → A 1 ¥"]
    ask("pay", night, "B", "C", "2")
    assert ask("settle", night) == [{"from": "B", "to": "A", "amount": 1}]


def test_a_correction_is_previewed_made_undone_and_redone(night: str, tmp_path: Path) -> None:
    wrong = record(night, self_draw(0))["event"]
    record(night, draw())
    case = tmp_path / "case.json"
    case.write_text(json.dumps(self_draw(1)))
    preview = ask("correct", night, wrong, "--case", case, "--preview")
    assert preview["changed"] == [
        {"event": wrong, "hand": 1, "before": {"A": 4, "B": -2, "C": -2}, "after": {"A": -2, "B": 4, "C": -2}}
    ]
    assert ask("show", night)["totals"]["A"] == 4
    assert ask("correct", night, wrong, "--case", case)["dealer"] == "B"
    assert ask("undo", night)["totals"] == {"A": 4, "B": -2, "C": -2}
    assert ask("redo", night)["totals"] == {"A": -2, "B": 4, "C": -2}
    assert ask("undo", night, wrong)["totals"] == {"A": 0, "B": 0, "C": 0}
    assert "(corrected)" in hupai("show", night).stdout


def test_the_same_key_records_once(night: str) -> None:
    assert record(night, self_draw(0), "--key", "k") == record(night, self_draw(0), "--key", "k")
    assert len(ask("show", night)["events"]) == 1
    again = hupai("record", night, "--case", "-", "--key", "k", stdin=json.dumps(self_draw(0)))
    assert again.stderr == "The event k was recorded before under this key: nothing is recorded twice.\n"


def test_the_same_key_begins_one_night_however_much_later(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("new", "--players", "A,B,C", "--rules", "kwx_base", "--key", "friday")
    first = hupai(*words)
    assert first.stderr == ""
    monkeypatch.setattr("ui.ledger_commands.now", lambda: "2999-01-01T00:00:00+00:00")
    again = hupai(*words)
    assert again.stdout == first.stdout
    assert again.stderr == "The night friday was recorded before under this key: nothing is recorded twice.\n"
    assert len(ask("list")) == 1
    assert "Another night already has the id" in hupai(*words, "--unit", "¥", ok=2).stderr


def test_a_correction_that_moves_no_money_says_so(night: str) -> None:
    wrong = record(night, draw())["event"]
    told = hupai("correct", night, wrong, "--case", "-", stdin=json.dumps(draw()))
    assert "hand 1 draw: nobody pays, as before" in told.stdout
    hupai("undo", night, wrong)
    assert "hand 1 draw: nobody pays\n" in hupai("redo", night).stdout


def test_who_has_not_seen_the_latest_event_records_nothing(night: str) -> None:
    record(night, self_draw(0), "--seen", "0")
    late = hupai("record", night, "--case", "-", "--seen", "0", ok=2, stdin=json.dumps(self_draw(0)))
    assert late.stderr == "1 event was recorded meanwhile: look at what is new first, it may be this very hand.\n"
    assert len(ask("show", night)["events"]) == 1


def test_a_page_to_print(night: str, tmp_path: Path) -> None:
    record(night, self_draw(0))
    hupai("export", night, "--html", "--language", "zh", "--out", tmp_path / "night.html")
    assert "<h2>结算</h2>" in (tmp_path / "night.html").read_text()


def test_a_file_that_is_there_is_overwritten_only_by_force(night: str, tmp_path: Path) -> None:
    file = tmp_path / "night.json"
    file.write_text("another night")
    assert "nothing is overwritten" in hupai("export", night, "--out", file, ok=2).stderr
    assert file.read_text() == "another night"
    hupai("export", night, "--out", file, "--force")
    assert night in file.read_text()


def test_seats_adjustments_and_statistics(night: str) -> None:
    ask("seats", night, "A,D,C", "--dealer", "1")
    record(night, self_draw(1))
    assert ask("adjust", night, "A=-5", "B=5")["totals"] == {"A": -7, "B": 5, "C": -2, "D": 4}
    rows = {row["player"]: row for row in ask("statistics")}
    assert (rows["D"]["self_draws"], rows["D"]["average"], rows["B"]["hands"]) == (1, 4.0, 0)
    assert "all_pungs" in hupai("statistics", night).stdout
    assert ask("statistics", "--since", "2999-01-01") == []


def test_an_exported_night_is_imported_once(night: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(night, self_draw(0))
    file = tmp_path / "night.json"
    hupai("export", night, "--out", file)
    assert hupai("export", night).stdout_bytes == file.read_bytes()
    shown = ask("show", night)
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "other"))
    assert [ask("import", file)["added"] for _ in range(2)] == [1, 0]
    assert ask("show", night) == shown
    assert hupai("import", file).stdout == f"{night}: 1 event, 0 of them new.\n"
    assert hupai("export", "last", "--csv").stdout_bytes.startswith(b"\xef\xbb\xbfhand,")


def test_lists_and_logs_for_people(night: str) -> None:
    first = hupai("record", night, "--case", "-", stdin=json.dumps(self_draw(0))).stdout.splitlines()
    assert first[1:] == ["  hand 1 win: A +4, B -2, C -2", "  totals: A 4, B -2, C -2; A deals"]
    assert night in hupai("list").stdout
    assert "A deals" in hupai("show", night).stdout
    assert hupai("new", "--players", "X, Y, Z", "--rules", "kwx_suizhou").stdout.endswith("X, Y, Z   X deals\n")
    assert sorted(known["players"] for known in ask("list")) == [["A", "B", "C"], ["X", "Y", "Z"]]


def test_names_are_shown_as_they_are_written() -> None:
    night = ask("new", "--players", "[red]A,:heart:,C", "--name", "[b]", "--rules", "kwx_base")["night"]
    for words in (("show", night), ("list",), ("statistics",)):
        said = hupai(*words).stdout
        assert "[red]A" in said, words
        assert ":heart:" in said, words


def test_house_rules_are_given_by_name(night: str) -> None:
    rich = ask("new", "--players", "A,B,C", "--rules", "kwx_base", "--option", "unit=5", "--option", "missed_win=off")
    assert record(rich["night"], self_draw(0))["payments"] == [20, -10, -10]


def test_house_rules_are_given_as_a_file_and_names_with_the_commas_of_their_language(tmp_path: Path) -> None:
    file = tmp_path / "wang.toml"
    file.write_text(house.save(rules("kwx_base", {"unit": 5}), "Wang"), encoding="utf-8")
    night = ask("new", "--players", "阿明，Bo、小李", "--rules", str(file))
    assert night["seats"] == ["阿明", "Bo", "小李"]
    assert record(night["night"], self_draw(0))["payments"] == [20, -10, -10]
    assert (
        "wang.toml cannot be read (No such file"
        in hupai("new", "--players", "A,B,C", "--rules", "wang.toml", ok=2).stderr
    )


def test_damage_is_told_with_exit_code_one_and_mended(night: str) -> None:
    record(night, self_draw(0))
    assert hupai("check").stdout == "The ledger is sound.\n"
    (home() / "ledger.jsonl").unlink()
    assert hupai("check", ok=1).stdout == "The journal lacks 2 confirmed events.\nRun hupai ledger repair.\n"
    assert "Restored 1 night with 1 event." in hupai("repair").stdout
    assert ask("check") == {"sound": True, "findings": []}
    assert ask("repair") == ["The ledger is sound: nothing was changed."]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["record", "last", "--case", "/nowhere.json"], "/nowhere.json cannot be read (No such file or directory)."),
        (["record", "last", "--case", "-"], "-, line 1: not JSON (Expecting value)."),
        (["show", "zz"], "no night begins with “zz”"),
        (["correct", "last", "zz", "--case", "-"], "-, line 1: not JSON"),
        (["undo", "last"], "There is nothing left to undo."),
        (["redo", "last"], "There is nothing to redo"),
        (["adjust", "last", "A"], "“A” is no amount"),
        (["adjust", "last", "A=1.5"], "“A=1.5” is no amount"),
        (["adjust", "last", "A=5"], "needs a note"),
        (["seats", "last", "A"], "3 players must sit, not 1."),
        (["pay", "last", "A", "Q", "3"], "Nobody called “Q”"),
        (["new", "--players", "A", "--rules", "kwx_base"], "need 3 players and only 1 is named"),
        (["new", "--players", "A,B,C", "--rules", "bridge"], "There are no rules “bridge”"),
        (["new", "--players", "A,B,C", "--rules", "kwx_base", "--option", "unit"], "“unit” is no house rule"),
        (["pay", "last", "A", "B", "9" * 20], "99999999999999999999 is too much: at most 999999999 at once."),
        (["adjust", "last", "A=5", f"B=-{10**9}"], "-1000000000 is too much: at most 999999999 at once."),
        (["new", "--players", "A,B,C", "--rules", "kwx_base", "--start", "9" * 20], "at most 999999999 at once."),
        (["import", "/nowhere.json"], "/nowhere.json cannot be read"),
        (["export", "last", "--out", "/nowhere/x.json"], "/nowhere/x.json cannot be written"),
        (["settle", "last", "--step", "0"], "positive whole number"),
        (["repair", "--nonsense"], "No such option"),
        (["statistics", "--since", "yesterday"], "--since yesterday is no day: write it as 2026-11-30."),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_two(night: str, words: list[str], sentence: str) -> None:
    done = hupai(*words, ok=2)
    assert sentence in done.stderr
    assert done.stdout == ""
    assert ask("show", night)["events"] == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "no program would have written it"),
        ('{"winner": ' + "9" * 5000 + "}", "no program"),
        ("[]", "must hold one case"),
        ('{"kind": "riichi"}', "“riichi” cannot be recorded"),
        ("{\n\n,", "line 3"),
    ],
)
def test_a_case_that_is_none_is_refused(night: str, text: str, sentence: str) -> None:
    assert sentence in hupai("record", night, "--case", "-", ok=2, stdin=text).stderr


def test_a_key_that_means_nothing_is_named_and_the_case_recorded(night: str) -> None:
    case = {**self_draw(0), "winning_tle": "5p", "circumstances": {"kong_blom": True}}
    said = hupai("record", night, "--case", "-", stdin=json.dumps(case))
    assert [line.split(" has the key ")[1].split(",")[0] for line in said.stderr.splitlines()] == [
        "“winning_tle”",
        "“circumstances.kong_blom”",
    ]
    assert ask("show", night)["hands"] == 1


def test_a_night_is_deleted_only_when_that_is_really_meant(night: str) -> None:
    record(night, self_draw(0))
    assert "with 1 event would be gone for good" in hupai("delete", night, ok=2).stderr
    assert ask("delete", night, "--yes") == {"night": night, "events": 1}
    assert ask("list") == []


def test_a_file_that_is_no_text_is_refused(night: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    assert "is no text file" in hupai("import", tmp_path / "x", ok=2).stderr


def test_a_ledger_that_cannot_be_opened_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "file" / "x"))
    for words in (["list"], ["check"], ["statistics"], ["show", "last"], ["settle", "last"], ["undo", "x"]):
        assert "set HUPAI_HOME to another place" in hupai(*words, ok=2).stderr


def test_an_event_is_named_by_the_beginning_of_its_id(night: str, tmp_path: Path) -> None:
    record(night, self_draw(0), "--key", "abc1")
    record(night, self_draw(1), "--key", "abd2")
    case = tmp_path / "case.json"
    case.write_text(json.dumps(self_draw(2)))
    assert ask("correct", night, "abc", "--case", case)["totals"] == {"A": -4, "B": 2, "C": 2}
    assert ask("undo", night, "abd")["totals"] == {"A": -2, "B": -2, "C": 4}
    record(night, self_draw(1), "--key", "abd3")
    assert "several events begin with “abd”" in hupai("undo", night, "abd", ok=2).stderr
    assert "“a” is too short" in hupai("undo", night, "a", ok=2).stderr  # "1" means hand 1, not an id that begins so
    assert "This night has no event “x”." in hupai("undo", night, "x", ok=2).stderr


def test_that_a_hand_brings_other_rules_than_the_nights_is_said(night: str) -> None:
    own = json.dumps({**self_draw(0), "options": {"unit": 5}})
    recorded = hupai("record", night, "--case", "-", "--json", stdin=own)
    assert recorded.stderr.startswith("This hand is played by kwx_base with unit=5, the night by kwx_base: where that")
    assert json.loads(recorded.stdout)["payments"] == [20, -10, -10]
    same = json.dumps({**self_draw(0), "ruleset": "ka_wu_xing", "variant": "kwx_base", "options": {"unit": 1}})
    assert hupai("record", night, "--case", "-", stdin=same).stderr == ""


def test_kongs_without_a_kong_are_no_line_of_the_log(night: str) -> None:
    assert (
        "name at least one kong"
        in hupai("record", night, "--case", "-", ok=2, stdin=json.dumps({"kind": "kong", "kongs": []})).stderr
    )
    assert ask("show", night)["events"] == []


def test_what_is_said_of_a_hand_and_does_not_fit_it_is_noted(night: str) -> None:
    case = {**self_draw(0), "circumstances": {"kong_bloom": True}}
    assert "no kong lies among the melds" in hupai("record", night, "--case", "-", stdin=json.dumps(case)).stderr


def test_who_is_named_beyond_the_table_is_said_to_sit_out() -> None:
    said = hupai("new", "--players", "A,B,C,D,E", "--rules", "kwx_base").stdout
    assert said.endswith("A, B, C   A deals; D, E sit out\n")
    assert ask("new", "--players", "A,B,C,D", "--rules", "kwx_base")["sitting_out"] == ["D"]


def test_what_an_undone_hand_came_to_is_said(night: str) -> None:
    record(night, self_draw(0))
    record(night, draw())
    assert "  hand 2 draw: undone" in hupai("undo", night).stdout
    assert "  hand 1 win: undone, was A +4, B -2, C -2" in hupai("undo", night).stdout
    assert "  hand 1 win: A +4, B -2, C -2" in hupai("redo", night).stdout


def test_who_pays_more_than_was_owed_hears_it(night: str) -> None:
    record(night, self_draw(0))  # B and C owe A 2 each
    assert hupai("pay", night, "B", "A", "2").stderr == ""
    assert hupai("pay", night, "C", "A", "5").stderr == (
        f"That is 3 more than was owed, and counts in favour of C: hupai ledger undo {night} takes the payment back.\n"
    )
    assert ask("settle", night) == [{"from": "A", "to": "C", "amount": 3}]


def test_a_file_has_one_form_and_a_language_only_where_it_is_read(night: str) -> None:
    assert "one form" in hupai("export", night, "--csv", "--html", ok=2).stderr
    assert "one form" in hupai("export", night, "--csv", "--json", ok=2).stderr
    assert "--language xx" in hupai("export", night, "--csv", "--language", "xx", ok=2).stderr
    assert "--csv or --html" in hupai("export", night, "--language", "zh", ok=2).stderr
    assert hupai("export", night, "--csv", "--language", "zh").exit_code == 0


def test_a_name_is_one_line(night: str) -> None:
    assert "“A B”" in hupai("new", "--players", "A\nB,C,D", "--rules", "kwx_base", ok=2).stderr
    assert "“one two”" in hupai("new", "--players", "A,B,C", "--name", "one\ntwo", "--rules", "kwx_base", ok=2).stderr
    assert "line break" in hupai("seats", night, "A,B\rx,C", ok=2).stderr
    assert "line break" in hupai("new", "--players", "A,B,C", "--unit", "a\nb", "--rules", "kwx_base", ok=2).stderr


def test_a_name_has_at_most_forty_characters(night: str) -> None:
    new = ("new", "--rules", "kwx_base", "--players")
    assert "has 41 characters" in hupai(*new, f"{'x' * 41},B,C", ok=2).stderr
    assert "the name of a night has at most 40" in hupai(*new, "A,B,C", "--name", "x" * 400, ok=2).stderr
    assert "a unit has at most 40" in hupai(*new, "A,B,C", "--unit", "x" * 41, ok=2).stderr
    assert "a name has at most 40" in hupai("seats", night, f"A,B,{'x' * 41}", ok=2).stderr
    assert ask(*new, f"{'x' * 40},B,C")["dealer"] == "x" * 40


def test_names_are_told_apart_by_any_comma(night: str) -> None:
    assert ask("seats", night, "A、B，D")["totals"] == {"A": 0, "B": 0, "C": 0, "D": 0}
