"""The command line: what it prints for people and for programs, and one sentence with exit code 2 for every mistake."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scoring.tiles import parse
from ui.cli import app
from vision.result import PhotoError, ReadHand, Reading, ReadMeld, ReadTile, problem

ROOT = Path(__file__).parents[2]
SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 14.0), (0.0, 14.0))
MIDDLE_FIVE = "123789p 4556s CCC + 5s"
BAO = "123789m 4556s EEE + 5s"


def hupai(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def parsed(*arguments: str | Path) -> Any:
    result = hupai(*arguments)
    assert result.exit_code == 0, result.output + result.stderr
    return json.loads(result.stdout)


def mistake(*arguments: str | Path) -> str:
    """The one sentence that a mistake gets."""
    result = hupai(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    (sentence,) = result.stderr.strip().splitlines()
    return sentence


def test_a_typed_hand_is_scored_with_names_reasons_arithmetic_and_payments() -> None:
    result = hupai("score", "--hand", MIDDLE_FIVE, "--rules", "kwx_suizhou", "--win", "discard", "--from", "1")
    assert result.exit_code == 0
    for words in ("卡五星", "middle five", "×2", "seat 1 -2", "kwx_suizhou"):
        assert words in result.stdout


def test_for_programs_a_score_is_the_case_contract_and_its_explanation() -> None:
    score = parsed(
        "score", "--hand", MIDDLE_FIVE, "--rules", "kwx_suizhou", "--option", "unit=5", "--win", "self-draw", "--json"
    )
    assert (score["elements"], score["multiplier"]) == (["middle_five"], 2)
    assert score["payments"] == [20, -10, -10]  # ×2 × unit 5 from each
    assert [t["amount"] for t in score["transfers"]] == [10, 10]
    assert score["lines"][0]["name"]["zh"] == "卡五星"
    assert score["changes"] == {"unit": 5}


def test_in_chinese_every_heading_is_chinese_too() -> None:
    hand = ("--hand", MIDDLE_FIVE, "--rules", "kwx_suizhou", "--win", "discard", "--from", "1", "--language", "zh")
    said = hupai("score", *hand).stdout
    assert not {"element", "value", "reason", "seat", "net", "rules:", "multiplier", "why"}.intersection(said.split())
    assert all(words in said for words in ("番种", "理由", "1 号 -2  2 号 0", "倍数：2", "规则：kwx_suizhou"))
    assert "middle five" not in said
    assert "开关" in hupai("rules", "show", "shandong", "--language", "zh").stdout


def test_a_misspelt_key_of_a_case_is_named_and_the_case_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    case = {"id": "a", "variant": "kwx_suizhou", "concealed": list(parse("123789p 4556s CCC"))}
    said = {"winning_tile": "5s", "wining_by": "discard", "circumstances": {"kong_blom": True}}
    file.write_text(json.dumps([case | said]))
    result = hupai("score", "--cases", file, "--json")
    assert json.loads(result.stdout)[0]["payments"] == [4, -2, -2]
    assert [key for key in ("wining_by", "circumstances.kong_blom") if key not in result.stderr] == []


def test_a_port_that_was_named_and_is_taken_is_refused_and_the_usual_one_is_left_for_another() -> None:
    from ui.server import PORT, PortTaken, free_port

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortTaken, match=f"Port {taken.getsockname()[1]}"):
            free_port(taken.getsockname()[1])
        assert str(taken.getsockname()[1]) in mistake("--port", str(taken.getsockname()[1]))
    assert free_port(None) >= 1024
    assert PORT == 8550


def test_circumstances_can_be_said() -> None:
    plain = parsed("score", "--hand", MIDDLE_FIVE, "--rules", "kwx_base", "--json")
    shown = parsed("score", "--hand", MIDDLE_FIVE, "--rules", "kwx_base", "--say", "revealed=0", "--json")
    assert shown["multiplier"] == 2 * plain["multiplier"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("score",), "one of PHOTO, --hand, --cases"),
        (("score", "--hand", "12x"), "12x"),
        (("score", "--hand", "123p"), "tiles"),
        (("score", "--hand", MIDDLE_FIVE, "--rules", "nonesuch"), "nonesuch"),
        (("score", "--hand", MIDDLE_FIVE, "--win", "luck"), "luck"),
        (("score", "--hand", MIDDLE_FIVE, "--win", "discard"), "--from"),
        (("score", "--hand", MIDDLE_FIVE, "--win", "discard", "--from", "0"), "winner"),
        (("score", "--hand", MIDDLE_FIVE, "--win", "discard", "--from", "9"), "Seat 9"),
        (("score", "--hand", MIDDLE_FIVE, "--win", "self-draw", "--from", "1"), "self-draw"),
        (("score", "--nonesuch"), "hupai score --help"),
        (("nonesuch",), "nonesuch"),
        (("read",), "photos"),
        (("--port", "99999"), "--port"),
        (("ledger", "show"), "NIGHT"),
        (("score", "--hand", MIDDLE_FIVE, "--option", "unit"), "unit"),
        (("score", "--hand", MIDDLE_FIVE, "--option", "nonesuch=1"), "nonesuch"),
        (("score", "--hand", MIDDLE_FIVE, "--say", "nonesuch=1"), "nonesuch"),
        (
            ("score", "--hand", MIDDLE_FIVE, "--say", "kong_bloom=yes"),
            "it needs a self-draw and a kong among the melds",
        ),
        (("score", "--hand", MIDDLE_FIVE, "--say", "robbed_kong=added"), "it needs a robbed kong"),
        (("score", "--hand", MIDDLE_FIVE, "--say", "revealed=1", "--say", "revealed=2"), "given twice"),
        (("score", "--hand", MIDDLE_FIVE, "--say", "revealed=1,1"), "“revealed” names 1 twice"),
        (("score", "--hand", MIDDLE_FIVE, "--say", "win_by=discard", "--win", "self-draw"), "leave one of them out"),
        (("score", "--hand", MIDDLE_FIVE, "--winning-tile", "4s"), "5s follows the +"),
        (("score", "--hand", MIDDLE_FIVE, "--winning-tile", "zz"), "--winning-tile zz: “z”"),
        (("score", "--hand", MIDDLE_FIVE, "--winning-tile", "55s"), "name one tile"),
        (("score", "--hand", "123789p 4556s CCC 5s", "--winning-tile", "9s"), "no such tile"),
        (("score", "--hand", MIDDLE_FIVE, "--profile", "green"), "there is no photograph"),
        (("score", "--cases", "nowhere.json", "--hand", MIDDLE_FIVE), "one of PHOTO, --hand, --cases"),
        (("score", "--cases", "nowhere.json", "--rules", "kwx_base"), "--rules has no meaning here"),
        (("score", "--hand", MIDDLE_FIVE, "--option", "unit=5", "--option", "unit=6"), "--option unit is given twice"),
        (("score", "--hand", "[123p foo] 4556s CCC"), "“foo” means nothing in the meld"),
        (
            ("score", "--hand", BAO, "--rules", "zhuji_bao"),
            "Which tiles are wild? Say it, for example --say wild=",
        ),
        (("score", "--hand", BAO, "--rules", "zhuji_bao", "--say", "wild"), "--say wild lacks its answer"),
        (
            ("score", "--hand", BAO, "--rules", "zhuji_bao", "--say", "wild=1m"),
            "has 2 kinds of wild tile, and 1 is named",
        ),
        (
            ("score", "--hand", BAO, "--rules", "zhuji_bao", "--say", "contract_kind=tow"),
            "answer one of two, one, none, no_bid",
        ),
        (("score", "--hand", MIDDLE_FIVE, "--rules", "empty.json"), "a file that ends in .toml"),
        (("rules", "show", "kwx_base", "--language", "fr"), "--language fr"),
        (("score", "--hand", MIDDLE_FIVE, "--say", "last_tile_draw=perhaps"), "yes or no"),
        (("score", "--cases", "nowhere.json"), "nowhere.json"),
        (("rules", "show", "nonesuch"), "nonesuch"),
        (("rules", "diff", "kwx_base", "shandong"), "different games"),
        (("waits", "123p"), "13"),
        (("waits", "123789m 4556s EEE", "--rules", "zhuji_bao"), "Which tiles are wild?"),
        (("waits", "123789p 4556s CCC", "--say", "kong_bloom=yes"), "cannot be known before the hand is won"),
        (("waits", "123789p 4556s CCC", "--say", "revealed=7"), "“revealed” cannot be 7"),
        (("waits", "123789p 4556s CCC", "--winner", "3"), "Seat 3 does not exist"),
        (
            ("ledger", "new", "--players", "A,B,C", "--rules", "kwx_base", "--start", "x"),
            "'--start': give a whole number: see",
        ),
        (("--port", "70000"), "give at most 65535"),
        (("data", "split", "a", "b", "--val", "x"), "'--val': give a number: see"),
        (("ledger", "pay", "last", "A", "B", "-3"), "“-3” is below zero: give a number above it"),
        (("score", "p.jpg", "4556s", "CCC"), "“4556s CCC” is too much here; put what has spaces in it in quotes"),
        (("waits", "124578p 4558s CCC"), "Not ready"),
    ],
)
def test_a_mistake_gets_one_sentence_that_names_it(arguments: tuple[str, ...], says: str) -> None:
    assert says in mistake(*arguments)


def test_the_winning_tile_of_a_typed_hand_may_be_named_too() -> None:
    def won(*words: str) -> str:
        return parsed("score", *words, "--rules", "kwx_leyou", "--json")["hand"].split("+ ")[1]

    assert won("--hand", MIDDLE_FIVE, "--winning-tile", "五条") == "5s"
    assert won("--hand", "123789p 4556s CCC", "--winning-tile", "5s") == "5s"
    assert won("--hand", "123789p 4556s CCC 5s", "--winning-tile", "6s") == "6s"


def test_a_typed_hand_keeps_what_was_said_of_its_melds() -> None:
    fed = "[CCC from 2] [EEE from 2] [123p from 2] 45p 55m + 6p"
    score = parsed("score", "--hand", fed, "--rules", "shandong", "--json")
    assert score["payments"] == [21, 0, -21, 0]  # 承包: 5 + 2 flowers, all three shares
    wild = "[7m1m7m as 777m] 234567s 55p 33m + 3m"
    how = ("--say", "contract_kind=one", "--say", "wild=1m", "--say", "contract_seat=1", "--say", "contract_level=2")
    assert (
        parsed("score", "--hand", wild, "--rules", "zhuji_bao", "--option", "min_tai_others=0", *how, "--json")["tai"]
        == 0
    )


def test_cases_are_answered_one_object_each(tmp_path: Path) -> None:
    case = {
        "id": "A",
        "ruleset": "ka_wu_xing",
        "variant": "kwx_base",
        "kind": "win",
        "options": {},
        "concealed": ["4s", "5s", "5s", "6s", "1p", "2p", "3p", "7p", "8p", "9p", "C", "C", "C"],
        "melds": [],
        "winning_tile": "5s",
        "win_by": "discard",
        "circumstances": {"discarder": 1},
        "players": 3,
        "winner": 0,
        "expected": {"elements": ["ignored"]},
    }
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"examples": [case, {**case, "id": "B", "concealed": ["1p"]}]}))
    one, two = parsed("score", "--cases", path, "--json")
    assert one == {"id": "A", "elements": ["middle_five"], "multiplier": 2, "payments": [2, -2, 0]}
    assert set(two) == {"id", "illegal"}


def cases(folder: Path, *parts: dict[str, Any]) -> Path:
    """A file of cases: a plain self-drawn win of the first seat, but for these parts."""
    plain = {"variant": "kwx_base", "concealed": list(parse("123789p 4556s CCC")), "winning_tile": "5s"}
    file = folder / "cases.json"
    file.write_text(json.dumps([{"id": str(number), **plain, **part} for number, part in enumerate(parts)]))
    return file


def test_a_case_for_another_number_of_players_than_its_rules_is_refused_unless_it_says_so(tmp_path: Path) -> None:
    by_four = {"players": 4, "options": {"players": 4}}
    three, four, said = parsed("score", "--cases", cases(tmp_path, {"players": 3}, {"players": 4}, by_four), "--json")
    assert (len(three["payments"]), len(said["payments"])) == (3, 4)
    assert four["illegal"].startswith("The case is for 4 players and its rules are for 3")


def test_a_case_whose_answers_do_not_fit_its_hand_is_answered_and_that_is_said(tmp_path: Path) -> None:
    result = hupai("score", "--cases", cases(tmp_path, {"circumstances": {"kong_bloom": True}}), "--json")
    assert json.loads(result.stdout)[0]["elements"] == ["kong_bloom", "middle_five"]
    assert "case 0: It is said to be a kong bloom, but no kong lies among the melds." in result.stderr


def test_for_people_a_file_in_which_nothing_can_be_scored_is_a_failure(tmp_path: Path) -> None:
    result = hupai("score", "--cases", cases(tmp_path, {"winner": "zero"}))
    assert (result.exit_code, "no case could be scored" in result.stderr) == (2, True)
    assert "illegal" in result.stdout  # and why
    assert hupai("score", "--cases", cases(tmp_path, {"winner": "zero"}, {})).exit_code == 0
    assert "empty" in mistake("score", "--cases", cases(tmp_path))
    assert parsed("score", "--cases", cases(tmp_path), "--json") == []


KONG = {"kind": "kong", "kongs": [{"seat": "x", "kind": "kong_concealed"}]}


@pytest.mark.parametrize("part", [{"winner": "zero"}, KONG, {"players": "x"}, {"kind": "kong"}, {"circumstances": 3}])
def test_what_is_wrong_in_a_case_is_said_in_our_words_and_not_in_pythons(tmp_path: Path, part: dict[str, Any]) -> None:
    (answer,) = parsed("score", "--cases", cases(tmp_path, part), "--json")
    assert not any(word in answer["illegal"] for word in ("int()", "Error", "object has", "'str'", "'int'"))
    assert "“" in answer["illegal"]  # what it is about


def test_a_file_of_cases_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text("{")
    assert "not JSON" in mistake("score", "--cases", path)
    path.write_text("[" * 100_000)
    assert "not JSON" in mistake("score", "--cases", path)
    path.write_text('{"examples": 3}')
    assert "list" in mistake("score", "--cases", path)


def test_the_presets_are_listed_shown_and_compared() -> None:
    names = [preset["name"] for preset in parsed("rules", "list", "--json")]
    assert {"kwx_suizhou", "shandong", "zhuji_bao"} <= set(names)
    assert hupai("rules").stdout.count("kwx_") >= 12
    shown = parsed("rules", "show", "kwx_suizhou", "--json")
    assert (shown["players"], shown["options"]["cap"]) == (3, 8)
    base = hupai("rules", "show", "kwx_base").stdout
    assert "…" not in base
    assert "values.double_dragon_seven_pairs" in base
    assert base.count("[ext]") > 5  # which was once taken for a style
    shown = hupai("rules", "show", "shandong").stdout
    assert shown.startswith("Shandong  [source: SD]\n")
    assert "SD: the rules of Shandong mahjong" in shown
    assert "Zhuji Bao" not in shown  # a source of another game
    changes = parsed("rules", "diff", "kwx_base", "kwx_suizhou", "--json")
    assert {"option": "cap", "before": None, "after": 8} in changes


def test_each_preset_takes_one_line_of_a_terminal() -> None:
    lines = hupai("rules", "list").stdout.splitlines()
    assert len(lines) == 1 + len(parsed("rules", "list", "--json"))
    assert max(sum(2 if ord(sign) > 0x2E80 else 1 for sign in line.rstrip()) for line in lines) <= 80


@pytest.mark.parametrize("command", ["score", "rules", "ledger", "data", "models", "profiles", "calibrate", "train"])
def test_every_help_looks_alike(command: str) -> None:
    said = hupai(command, "--help").stdout
    assert said.startswith(f"Usage: root {command}")
    assert "╭" not in said
    assert "--install-completion" not in said


def test_the_networks_are_listed_with_and_without_the_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    assert hupai("models", "list").stdout == hupai("models").stdout
    assert hupai("models").stdout.endswith("(these read the photographs)\n")
    assert parsed("models", "list", "--json")["now"] == parsed("models", "--json")["now"] == "shipped"


def test_a_home_that_is_a_file_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").touch()
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    for words in (("list",), ("delete", "green")):
        assert "is a file and no folder" in mistake("profiles", *words)


def test_a_tile_set_is_not_called_by_two_lines() -> None:
    assert "“green blue”" in mistake("profiles", "delete", "green\nblue")


def test_waits_name_the_tiles_how_many_are_left_and_what_they_bring() -> None:
    (wait,) = parsed("waits", "123789p 4556s CCC", "--rules", "kwx_base", "--json")
    assert wait == {"tile": "5s", "left": 2, "self_draw": 4, "discard": 2}


def test_waits_are_worth_what_the_contract_makes_of_them() -> None:
    hand = ("waits", "1m", "122234567779p", "--rules", "zhuji_bao")
    bid = ("--say", "wild=1m,2m", "--say", "contract_level=2")
    own = {wait["tile"]: wait for wait in parsed(*hand, *bid, "--say", "contract_seat=0", "--json")}
    others = {wait["tile"]: wait for wait in parsed(*hand, *bid, "--say", "contract_seat=2", "--json")}
    assert own["9p"]["self_draw"] == 39  # the source's own example: 3 × (8 + 5)
    assert others["9p"]["self_draw"] == 8 + 8 + (8 + 3 * 5)
    alone = {wait["tile"]: wait for wait in parsed(*hand, *bid, "--say", "contract_seat=2", "--winner", "2", "--json")}
    assert alone["9p"] == own["9p"]


def test_waits_count_the_flowers_that_lie_in_the_hand() -> None:
    (plain,) = parsed("waits", "123m 456p 789s 55m 34p", "--rules", "shandong", "--json")[:1]
    (rich,) = parsed("waits", "123m 456p 789s 55m 34p 1f", "--rules", "shandong", "--json")[:1]
    assert (plain["discard"], rich["discard"]) == (5, 6)


def test_scoring_a_typed_hand_loads_neither_the_networks_nor_the_app() -> None:
    script = (
        "import sys; from typer.testing import CliRunner; from ui.cli import app;"
        f"assert CliRunner().invoke(app, ['score', '--hand', '{MIDDLE_FIVE}']).exit_code == 0;"
        "print(sorted(m for m in ('torch', 'cv2', 'onnxruntime', 'flet', 'numpy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_help_names_the_rarer_commands_without_loading_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from ui.cli import app; import typer.testing as t;"
         "print(t.CliRunner().invoke(app, ['--help']).output, 'models' in sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(word in done.stdout for word in ("train", "evaluate", "data", "waits"))
    assert done.stdout.strip().endswith("False")


# -- reading: the reader itself is tested in tests/vision; here is what the command makes of its answers ---------------


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader with three answers: a hand of two tiles, an empty table, a file it cannot open."""
    reading = pytest.importorskip("vision.reading")
    hand = Reading(
        100,
        50,
        (
            ReadTile("5p", 0.98765, SQUARE),
            ReadTile("7p", 0.5, SQUARE, (("8p", 0.4),), problem("doubt.unclear", "close")),
        ),
        ReadHand((0, 1), (ReadMeld("pung", ()),), 1),
        (),
        {"total": 12.34},
    )

    def read_photo(source: Path, *, progress: Any = None, faces: Any = None) -> Reading:
        if "bad" in str(source):
            raise PhotoError("The file is empty: choose another.")
        return (
            Reading(100, 50, (), ReadHand(), (problem("problem.nothing", "nothing"),))
            if "empty" in str(source)
            else hand
        )

    monkeypatch.setattr(reading, "read_photo", read_photo)


def test_a_reading_is_printed_in_the_form_that_scripts_rely_on(reader: None) -> None:
    (photo,) = parsed("read", "hand.jpg", "--json")
    assert set(photo) == {"photo", "width", "height", "tiles", "hand", "problems", "milliseconds"}
    assert photo["tiles"][0] == {
        "tile": "5p",
        "confidence": 0.9877,
        "corners": [[0.0, 0.0], [10.0, 0.0], [10.0, 14.0], [0.0, 14.0]],
        "alternatives": [],
    }
    assert photo["tiles"][1]["doubt"] == "close"
    assert photo["hand"] == {"concealed": [0, 1], "melds": [{"kind": "pung", "tiles": []}], "winning_tile": 1}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hand.jpg", "--out", "there.jpg"), "there.jpg is there already"),
        (("hand.jpg", "--out", "hand.jpg", "--force"), "where a photograph itself lies"),
        (("a/hand.jpg", "b/hand.jpg", "--out", "new"), "Several photographs are called hand"),
        (("hand.jpg", "--out", "new/out.jpg"), "in a folder that is there"),
    ],
)
def test_outlines_are_written_over_nothing_and_not_over_each_other(
    reader: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    cv2 = pytest.importorskip("cv2")
    monkeypatch.chdir(tmp_path)
    for name in ("hand.jpg", "there.jpg"):
        cv2.imwrite(name, cv2.UMat(50, 100, cv2.CV_8UC3).get())
    result = hupai("read", *words)
    assert (result.exit_code, says in result.stderr) == (2, True), result.stderr
    assert not Path("new").exists()
    assert hupai("read", "hand.jpg", "--out", "there.jpg", "--force").exit_code == 0
    assert hupai("read", "hand.jpg", "there.jpg", "--out", "folder").exit_code == 0
    assert [path.name for path in sorted(Path("folder").iterdir())] == ["hand.jpg", "there.jpg"]


def test_the_other_photographs_are_still_read_when_one_is_bad(reader: None) -> None:
    result = hupai("read", "hand.jpg", "bad.jpg", "empty.jpg", "--json")
    assert result.exit_code == 2
    first, bad, empty = json.loads(result.stdout)
    assert first["tiles"]
    assert bad == {
        "photo": "bad.jpg",
        "tiles": [],
        "problems": ["The file is empty: choose another."],
        "error": "The file is empty: choose another.",
    }
    assert "error" not in empty  # an empty table is an answer, not a failure
    assert result.stderr.strip() == "bad.jpg: The file is empty: choose another."


def test_for_people_the_doubts_are_named(reader: None) -> None:
    result = hupai("read", "hand.jpg")
    assert "tile 2, 7p: close (8p 40%)" in result.stdout


def test_going_back_to_other_networks_says_which_read_now_and_what_the_same_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.network import FOLDER

    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    shutil.copytree(FOLDER, tmp_path / "mine", ignore=shutil.ignore_patterns("*.py", "recipes", "__pycache__"))
    assert "“mine” read photographs from now on" in hupai("models", "use", tmp_path / "mine").stdout
    told = hupai("models", "back").stdout
    assert "“shipped” read photographs from now on" in told
    assert "`hupai models back` switches to “mine” again." in told
    assert "“mine” read photographs from now on" in hupai("models", "back").stdout


def test_a_photograph_without_tiles_cannot_be_scored(reader: None) -> None:
    assert "no tiles" in mistake("score", "empty.jpg")
    assert "empty" in mistake("score", "bad.jpg")


def reading_of(*tiles: str) -> Reading:
    read = tuple(ReadTile(tile, 0.99, SQUARE) for tile in tiles)
    return Reading(640, 480, read, ReadHand(tuple(range(len(tiles)))))


def test_the_guesses_are_tiles_of_the_game_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = problem("doubt.foreign", "the chosen game has no {tile}", tile="2m")
    seen = (
        ReadTile("2m", 0.9, SQUARE, (("3m", 0.05), ("2p", 0.03), ("back", 0.01), ("E", 0.01)), foreign),
        ReadTile("5p", 0.6, SQUARE, (("5m", 0.3), ("6p", 0.1)), problem("doubt.unclear", "not clear")),
    )
    monkeypatch.setattr("vision.reading.read_photo", lambda photo, faces: Reading(9, 9, seen, ReadHand((0, 1))))
    (photo,) = parsed("read", "p.jpg", "--rules", "kwx_suizhou", "--json")
    assert [tile["tile"] for tile in photo["tiles"]] == ["2m", "5p"], "what was seen stays"
    assert [[code for code, _ in tile["alternatives"]] for tile in photo["tiles"]] == [["2p", "back"], ["6p"]]
    assert "(2p 3%, back 1%)" in hupai("read", "p.jpg", "--rules", "kwx_suizhou").stdout
    (any_game,) = parsed("read", "p.jpg", "--json")
    assert any_game["tiles"][1]["alternatives"] == [["5m", 0.3], ["6p", 0.1]]


@pytest.mark.parametrize(
    ("tiles", "says"),
    [(15, "15 tiles, 1 too many."), (14, ""), (13, ""), (12, "12 tiles, 2 missing."), (3, "3 tiles, 11 missing.")],
)
def test_a_photograph_with_an_impossible_number_of_tiles_says_so_and_is_read_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tiles: int, says: str
) -> None:
    row = reading_of(*[f"{1 + n % 9}{'pms'[n // 9]}" for n in range(tiles)])
    monkeypatch.setattr("vision.reading.read_photo", lambda photo, faces: row)
    (photo,) = parsed("read", "p.jpg", "--json")
    assert photo["problems"] == ([says] if says else [])
    assert len(photo["tiles"]) == tiles
    assert ("problem" in hupai("read", "p.jpg").stdout) == bool(says)


def test_a_photograph_whose_winning_tile_lies_among_the_others_asks_which_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = reading_of(*["1p", "2p", "3p", "7p", "8p", "9p", "4s", "5s", "5s", "6s", "C", "C", "C", "5s"])
    monkeypatch.setattr("vision.reading.read_photo", lambda photo, faces: row)
    assert "--winning-tile 5s" in mistake("score", "p.jpg", "--rules", "kwx_base")
    assert "no such tile" in mistake("score", "p.jpg", "--rules", "kwx_base", "--winning-tile", "9s")
    scored = parsed("score", "p.jpg", "--rules", "kwx_base", "--winning-tile", "5s", "--json")
    assert scored["elements"] == ["middle_five"]


def test_an_unknown_language_is_named() -> None:
    assert "--language fr" in mistake("score", "--hand", MIDDLE_FIVE, "--language", "fr")


def test_output_is_utf8_whatever_the_terminal_says_of_itself() -> None:
    command = [sys.executable, "-m", "hupai", "rules", "list"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0
    assert "卡五星" in done.stdout.decode("utf-8")


def test_a_case_that_is_no_table_is_an_answer_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('[3, {"id": "x"}]', encoding="utf-8")
    first, second = parsed("score", "--cases", tmp_path / "odd.json", "--json")
    assert "not 3" in first["illegal"]
    assert "by which rules" in second["illegal"]


def test_a_houses_rules_are_kept_in_a_file_that_every_rules_option_takes(tmp_path: Path) -> None:
    file = tmp_path / "wang.toml"
    kept = hupai("rules", "export", "kwx_suizhou", "--name", "老王家", "--option", "unit=5", "--out", file)
    assert kept.exit_code == 0
    scored = hupai("score", "--hand", MIDDLE_FIVE, "--rules", file)
    assert "老王家: kwx_suizhou with unit=5" in scored.stdout
    assert hupai("rules", "show", file).stdout.startswith("老王家 (Ka Wu Xing, Suizhou) with unit=5  [source: A 七]")
    assert parsed("score", "--hand", MIDDLE_FIVE, "--rules", file, "--json")["payments"] == [20, -10, -10]
    file.write_text(file.read_text(encoding="utf-8").replace("unit", "unti"), encoding="utf-8")
    assert "unti" in mistake("score", "--hand", MIDDLE_FIVE, "--rules", file)
    assert "cannot be read" in mistake("waits", "123789p 4556s CCC", "--rules", tmp_path / "none.toml")


def test_a_houses_rules_overwrite_no_file_unless_that_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "wang.toml"
    file.write_text("mine")
    export = ("rules", "export", "kwx_suizhou", "--name", "王", "--out", file)
    assert "nothing is overwritten" in mistake(*export)
    assert file.read_text() == "mine"
    assert hupai(*export, "--force").exit_code == 0
    assert "王" in file.read_text(encoding="utf-8")


def test_presets_that_play_alike_are_said_to() -> None:
    assert "play by the same rules" in hupai("rules", "diff", "kwx_suizhou", "kwx_xiangyang").stdout


def test_what_cannot_be_written_out_is_one_sentence_and_a_closed_pipe_none() -> None:
    command = f"{sys.executable} -m hupai rules list"
    full = subprocess.run(f"{command} > /dev/full", shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    if full.returncode == 1 and "/dev/full" in full.stderr:
        pytest.skip("no /dev/full on this system")
    assert full.returncode == 2
    assert full.stderr == "The output cannot be read or written (No space left on device).\n"
    closed = subprocess.run(f"{command} | head -1", shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert closed.stderr == ""
    without = subprocess.run(f"{command} >&-", shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (without.returncode, without.stderr) == (0, "")
