"""`hupai data` as a person or a script meets it: what it prints, its exit codes, and bad input in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from datasets import formats
from datasets.commands import app
from datasets.labels import LabelledPhoto, Mark, box_corners
from tests.datasets.test_formats import HEIGHT, WIDTH, picture

TILE = Mark("3p", box_corners(10, 20, 50, 70), exact=False, upright=False)


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """Six photographs of three tables, as YOLO."""
    photos = [
        LabelledPhoto(f"{k}.png", WIDTH, HEIGHT, (TILE,), pixels=picture(k), group=f"table {k // 2}") for k in range(6)
    ]
    formats.write(photos, tmp_path / "hands", "yolo", copy=True)
    return tmp_path / "hands"


def refused(result: Result, *said: str) -> None:
    """Exit code 2 and one sentence on stderr."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.strip().count("\n") == 0
    for words in said:
        assert words in result.stderr


@pytest.mark.parametrize("to", [f.name for f in formats.FORMATS.values() if f.write])
def test_convert_writes_every_format_and_reads_it_back(hands: Path, tmp_path: Path, to: str) -> None:
    result = run("convert", hands, tmp_path / "out", "--from", "yolo", "--to", to, "--copy")
    assert result.exit_code == 0, result.output
    assert "6 photographs, 6 tiles" in result.stdout
    back = json.loads(run("stats", tmp_path / "out", "--from", to, "--json").stdout)
    assert back["tiles"] == {"3p": 6}
    assert [g["group"] for g in back["photographs"]] == ["table 0", "table 1", "table 2"]


def test_convert_says_what_a_box_format_loses(tmp_path: Path) -> None:
    scene = LabelledPhoto("a.png", WIDTH, HEIGHT, (Mark("3p", TILE.corners),), pixels=picture(1))
    formats.write([scene], tmp_path / "in", "coco")
    assert "corners of 1 are not kept" in run("convert", tmp_path / "in", tmp_path / "out", "--to", "voc").stdout


def test_convert_refuses_unknown_names_all_at_once_and_takes_a_table_for_them(hands: Path, tmp_path: Path) -> None:
    (hands / "data.yaml").unlink()
    classes = (hands / "classes.txt").read_text().splitlines()
    classes[0], classes[1], classes[11] = "joker", "dice", "kreis drei"
    (hands / "classes.txt").write_text("\n".join(classes))
    (hands / "labels" / "0.txt").write_text("0 0.5 0.5 0.1 0.2\n1 0.2 0.2 0.1 0.1\n")
    out = tmp_path / "out"
    refused(run("convert", hands, out, "--to", "coco"), "“dice”, “joker”, “kreis drei”", "--names", "--skip-unknown")
    assert not out.exists()
    table = tmp_path / "names.txt"
    table.write_text("joker =\ndice = 1m\nkreis drei = 3p\n")
    result = run("convert", hands, out, "--to", "coco", "--names", table)
    assert result.exit_code == 0, result.output
    assert "6 photographs, 6 tiles" in result.stdout  # 5 × 3p and the dice; the joker is left out
    skipped = run("convert", hands, tmp_path / "skipped", "--to", "coco", "--skip-unknown")
    assert "6 photographs, 0 tiles" in skipped.stdout
    assert skipped.exit_code == 1
    table.write_text("joker = 7x\n")
    refused(run("convert", hands, tmp_path / "x", "--to", "coco", "--names", table), "“7x”")


def test_convert_goes_on_past_damage_names_it_and_counts_it(hands: Path, tmp_path: Path) -> None:
    (hands / "labels" / "0.txt").write_text("garbage\n")
    (hands / "images" / "1.png").write_bytes(b"no picture")
    result = run("convert", hands, tmp_path / "out", "--to", "labelme")
    assert result.exit_code == 1
    assert "5 photographs, 4 tiles" in result.stdout
    assert "labels/0.txt:1: damaged label" in result.stderr
    assert "1.png: unreadable picture" in result.stderr
    assert "2 things left out" in result.stderr


@pytest.mark.parametrize("command", ["convert", "check", "split", "stats"])
def test_a_folder_without_a_data_set_is_refused(tmp_path: Path, command: str) -> None:
    more = {"convert": [tmp_path / "out", "--to", "coco"], "split": [tmp_path / "out"]}.get(command, [])
    refused(run(command, tmp_path / "nowhere", *more), "There is no folder", "nowhere")
    (tmp_path / "empty").mkdir()
    refused(run(command, tmp_path / "empty", *more), "holds neither pictures nor labels")
    refused(run(command, tmp_path / "empty", *more, "--from", "excel"), "“excel”", "yolo")


def test_pictures_that_nobody_has_labelled_yet_are_named_with_the_way_to_label_them(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), picture(0))
    for folder in (tmp_path, tmp_path / "images"):
        refused(run("check", folder), "holds 1 picture and no labels", f"hupai data label {folder} OUT --to yolo")


def test_convert_refuses_an_unknown_target_and_a_folder_in_use(hands: Path, tmp_path: Path) -> None:
    refused(run("convert", hands, tmp_path / "out", "--to", "scenes"), "“scenes”", "labelme")
    refused(run("convert", hands, hands, "--to", "coco"), "not empty")
    refused(run("convert", hands, tmp_path / "out", "--to", "folders"), "--copy")


def test_check_is_quiet_about_a_clean_set_and_fails_on_a_poisoned_one(hands: Path) -> None:
    clean = run("check", hands)
    assert clean.exit_code == 0, clean.output
    assert "6 photographs: 0 wrong" in clean.stdout
    cv2.imwrite(str(hands / "images" / "5.png"), np.ascontiguousarray(picture(0)[:, ::-1]))
    (hands / "labels" / "1.txt").write_text("11 0.5 0.5 0.1 0.0\n50 0.5 0.5 0.1 0.1\n")
    (hands / "images" / "3.png").write_bytes((hands / "images" / "3.png").read_bytes()[:400])
    for name in ("0.txt", "4.txt"):
        (hands / "labels" / name).write_text("")
    poisoned = run("check", hands)
    assert poisoned.exit_code == 1
    for line in (
        "5.png: mirrored picture",
        "1.png: box without area",
        "1.png: unknown class: “#50”",
        "3.png: unreadable picture",
        "0.png: note: no tiles",
        "4.png: note: no tiles",
        "  1 × unknown class",
        "  2 × note: no tiles",
    ):
        assert [said for said in poisoned.stdout.splitlines() if said.startswith(line)], line
    told = json.loads(run("check", hands, "--json").stdout)
    assert told["wrong"] == 4
    assert {f["kind"] for f in told["findings"] if f["severity"] == "wrong"} == {
        "mirrored picture",
        "unreadable picture",
        "box without area",
        "unknown class",
    }


def test_split_writes_lists_that_keep_tables_apart_and_say_the_same_for_the_same_seed(
    hands: Path, tmp_path: Path
) -> None:
    out = tmp_path / "split"
    result = run("split", hands, out, "--val", 0.34, "--seed", 3)
    assert result.exit_code == 0, result.output
    assert "train 4 (67 %), val 2 (33 %)" in result.stdout
    lists = {side: (out / f"{side}.txt").read_text() for side in ("train", "val")}
    named = [Path(line).stem for line in lists["val"].splitlines()]
    assert named in (["0", "1"], ["2", "3"], ["4", "5"]), "a table of two photographs"
    assert all((out / line).is_file() for text in lists.values() for line in text.splitlines())
    run("split", hands, out, "--val", 0.34, "--seed", 3)
    assert {side: (out / f"{side}.txt").read_text() for side in lists} == lists
    rows = (out / "splits.csv").read_text().splitlines()
    assert rows[0] == "image,split,group,near_dup_cluster,block"
    assert len(rows) == 7


def test_split_refuses_shares_that_leave_nothing_and_tables_too_few(hands: Path, tmp_path: Path) -> None:
    refused(run("split", hands, tmp_path / "out", "--val", 1.5), "--val 1.5")
    refused(run("split", hands, tmp_path / "out", "--by", "colour"), "“colour”")
    manifest = hands / "manifest.csv"
    manifest.write_text(manifest.read_text().replace("table 1", "table 0").replace("table 2", "table 0"))
    refused(run("split", hands, tmp_path / "out"), "1 block", "--by cluster")
    assert run("split", hands, tmp_path / "out", "--by", "cluster").exit_code == 0


def test_stats_counts_and_draws(hands: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "bars.png"
    result = run("stats", hands, "--picture", drawn)
    assert result.exit_code == 0, result.output
    assert "3p 6" in result.stdout
    assert cv2.imread(str(drawn)).shape[2] == 3
    bad = run("stats", hands, "--picture", tmp_path / "bars.txt")
    assert bad.exit_code == 2
    assert "ends in .png" in bad.stderr


def test_whatever_looks_at_a_damaged_set_ends_with_the_same_exit_code(hands: Path, tmp_path: Path) -> None:
    (hands / "labels" / "1.txt").write_text("50 0.5 0.5 0.1 0.1\n")
    for words in (("check", hands), ("stats", hands), ("split", hands, tmp_path / "out", "--val", 0.34)):
        result = run(*words)
        assert result.exit_code == 1, words
        assert "unknown class" in result.output + result.stderr
    assert json.loads(run("split", hands, tmp_path / "two", "--val", 0.34, "--json").stdout)["left_out"] == 1


def test_what_was_written_before_is_overwritten_only_by_force(hands: Path, tmp_path: Path) -> None:
    split = ("split", hands, tmp_path / "out", "--val", 0.34)
    counted = ("stats", hands, "--picture", tmp_path / "bars.png")
    for words in (split, counted):
        assert run(*words).exit_code == 0
        refused(run(*words), "is there already, and nothing is overwritten")
        assert run(*words, "--force").exit_code == 0


def test_into_a_pipe_no_progress_is_shown_not_even_an_empty_line(hands: Path, tmp_path: Path) -> None:
    for words in (("check", hands), ("stats", hands), ("convert", hands, tmp_path / "out", "--to", "coco")):
        assert run(*words).stderr == "", words


def test_a_file_of_names_that_is_not_there_is_said_in_our_words(hands: Path, tmp_path: Path) -> None:
    refused(run("check", hands, "--names", tmp_path / "nope"), "nope cannot be read (No such file or directory).")


def test_json_before_a_command_counts_for_it_and_alone_lists_the_formats(hands: Path, tmp_path: Path) -> None:
    assert json.loads(run("--json", "stats", hands).stdout)["tiles"] == {"3p": 6}
    told = json.loads(run("--json", "convert", hands, tmp_path / "out", "--to", "coco").stdout)
    assert (told["photographs"], told["left_out"]) == (6, 0)
    listed = {f["name"]: f["written"] for f in json.loads(run("--json").stdout)["formats"]}
    assert listed["webdataset"]
    assert not listed["scenes"]
    assert "pack" in run().stdout


def test_pack_divides_fairly_and_what_it_packed_reads_like_what_it_was_given(hands: Path, tmp_path: Path) -> None:
    out = tmp_path / "packed"
    told = json.loads(run("pack", hands, out, "--val", 0.3, "--per-shard", 3, "--json").stdout)
    assert told["photographs"] == {"train": 4, "val": 2}
    assert told["shards"] == 3
    held = json.loads(run("stats", out, "--json").stdout)
    assert held["tiles"] == {"3p": 6}
    assert len({g["group"] for g in held["photographs"]}) == 3, "no table on both sides"
    assert run("check", out).exit_code == 0
    refused(run("pack", hands, out), "not empty")
    refused(run("pack", hands, tmp_path / "x", "--val", 1), "--val")


def test_pack_leaves_out_what_is_damaged_and_says_so(hands: Path, tmp_path: Path) -> None:
    (hands / "images" / "1.png").write_bytes(b"no picture")
    result = run("pack", hands, tmp_path / "packed", "--val", 0)
    assert result.exit_code == 1
    assert "1.png: unreadable picture" in result.stderr
    assert "train 5" in result.stdout
