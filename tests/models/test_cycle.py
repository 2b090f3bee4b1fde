"""The whole cycle as a trainer walks it: render scenes, train, export, and the reader reads better than chance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `train`)")
pytest.importorskip("onnx", reason="onnx is not installed (the extra `train`)")

from typer.testing import CliRunner

from datasets import scene_store
from models.classifier_task import CLASSES
from models.commands import app
from models.evaluate import measure
from vision.network import Network
from vision.reading import Reader

CHANCE = 1 / len(CLASSES)


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output + result.stderr
    return result.stdout


def cycle(folder: Path, **knobs: object) -> float:
    """Render, train a classifier from nothing, export it beside the shipped finder and refiner, and read scenes that
    it has not seen, in tile sets that it has. The share of found tiles that are right."""
    recipe = {"learning_rate": 0.004, "warmup": 10, "average": 0.9, "workers": 0, "real_share": 0.0, **knobs}
    (folder / "small.toml").write_text("\n".join(f"{knob} = {value}" for knob, value in recipe.items()))
    scenes, made, models = folder / "scenes", folder / "run", folder / "models"
    knobs_and_places = ("--recipe", folder / "small.toml", "--out", made, "--scene-folder", scenes)
    trained = json.loads(run("train", "classifier", *knobs_and_places, "--json"))
    assert trained["best"] == str(made / "best.pt")
    assert trained["measured"][-1]["step"] == recipe["steps"]
    assert trained["best_measured"] in trained["measured"]
    assert "nothing is left to train" in run("train", "classifier", *knobs_and_places)
    told = json.loads(run("export", "classifier", made / "best.pt", "--out", models, "--json"))
    assert sorted(told["filled_up"]) == ["finder", "refiner"]
    facts = Network(models / "classifier.onnx").metadata
    assert facts["data"] == told["data"] != "not recorded"
    assert facts["version"]
    assert f"{recipe['scenes']} rendered scenes" in (models / "CARD.md").read_text(encoding="utf-8")
    assert (made / "curve.png").is_file()
    held_out = list(scene_store.read(scenes, int(str(recipe["scenes"])) // 5))
    tally = measure(Reader(models), held_out)
    return tally.right / tally.found


@pytest.fixture(autouse=True)
def no_photographs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "none"))


def test_a_classifier_trained_for_seconds_reads_scenes_four_times_better_than_chance(tmp_path: Path) -> None:
    right = cycle(tmp_path, steps=60, batch=64, measure_every=30, scenes=30, drawn_sets=2)
    assert right > 4 * CHANCE


@pytest.mark.slow
def test_a_classifier_trained_for_two_minutes_reads_scenes_twenty_times_better_than_chance(tmp_path: Path) -> None:
    right = cycle(tmp_path, steps=450, batch=96, measure_every=150, scenes=200, drawn_sets=8, workers=1)
    assert right > 20 * CHANCE
