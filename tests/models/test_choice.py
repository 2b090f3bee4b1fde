"""Another folder of networks reads only after it has shown on the sample photographs that it can; one can go back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from models import choice
from tests.conftest import ROOT
from ui.model_commands import app
from vision.network import FOLDER

SAMPLES = ROOT / "ui" / "assets" / "samples"


def copied(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for file in FOLDER.glob("*.onnx"):
        shutil.copyfile(file, folder / file.name)
    return folder


def test_only_a_folder_that_passes_its_trial_reads_and_one_can_go_back(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert choice.folder(home) == FOLDER
    trial = choice.add(home, copied(tmp_path / "mine"), SAMPLES)
    assert trial.passed, trial
    assert trial.tiles == 43
    assert choice.chosen(home) == "mine"
    assert choice.folder(home) == home / "models" / "mine"
    assert {p.name for p in choice.folder(home).glob("*.onnx")} == {p.name for p in FOLDER.glob("*.onnx")}
    assert choice.before(home) == choice.SHIPPED
    choice.switch(home, choice.before(home), SAMPLES)
    assert (choice.chosen(home), choice.before(home)) == (choice.SHIPPED, "mine")


def test_networks_that_read_worse_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    right = iter([3, 14] * 3)  # what it reads and what the shipped networks read, photograph by photograph
    monkeypatch.setattr(choice, "_right", lambda reader, picture, wanted: next(right))
    trial = choice.add(home, copied(tmp_path / "mine"), SAMPLES)
    assert not trial.passed
    assert (trial.right, trial.needed, trial.trouble) == (9, 36, "")
    assert choice.folders(home) == {choice.SHIPPED: FOLDER}


@pytest.mark.parametrize("damage", ["missing", "cut off", "another network", "no networks at all"])
def test_whatever_lies_in_a_folder_the_trial_ends_in_one_sentence_and_changes_nothing(
    tmp_path: Path, damage: str
) -> None:
    folder = copied(tmp_path / "theirs")
    match damage:
        case "missing":
            for file in folder.glob("refiner*.onnx"):
                file.unlink()
        case "cut off":
            for file in folder.glob("finder*.onnx"):
                file.write_bytes(file.read_bytes()[:5000])
        case "another network":
            for file in folder.glob("classifier*.onnx"):
                shutil.copyfile(folder / "refiner.onnx", file)
        case _:
            shutil.rmtree(folder)
            folder.mkdir()
    home = tmp_path / "home"
    trial = choice.add(home, folder, SAMPLES)
    assert not trial.passed
    assert trial.trouble
    assert "\n" not in trial.trouble
    assert choice.chosen(home) == choice.SHIPPED
    assert not (home / "models").exists()


def test_a_folder_that_is_taken_away_or_a_state_that_is_damaged_gives_way_to_the_shipped_networks(
    tmp_path: Path,
) -> None:
    copied(tmp_path / "models" / "mine")
    state = tmp_path / "models" / "chosen.json"
    state.write_text(json.dumps({"now": "mine", "before": "gone"}))
    assert choice.chosen(tmp_path) == "mine"
    assert choice.before(tmp_path) == choice.SHIPPED
    shutil.rmtree(tmp_path / "models" / "mine")
    assert choice.folder(tmp_path) == FOLDER
    state.write_text("[")
    assert choice.folder(tmp_path) == FOLDER


def test_the_command_line_lists_refuses_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    listed = CliRunner().invoke(app, ["--json"])
    assert json.loads(listed.stdout) == {"now": "shipped", "folders": {"shipped": str(FOLDER)}}
    gone = CliRunner().invoke(app, ["use", str(tmp_path / "nowhere")])
    assert gone.exit_code == 2
    assert "There is no folder" in gone.stderr
    (tmp_path / "empty").mkdir()
    empty = CliRunner().invoke(app, ["use", str(tmp_path / "empty")])
    assert empty.exit_code == 2
    assert "finder.onnx is missing" in empty.stderr
    assert "Nothing was changed" in empty.stderr
