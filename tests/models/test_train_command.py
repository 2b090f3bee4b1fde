"""`hupai train` as a trainer meets it: the network in training sits in the reader like an exported one, and bad input
gets one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the extra `train`)")
pytest.importorskip("onnx", reason="onnx is not installed (the extra `train`)")

import torch
from rich.console import Console
from typer.testing import CliRunner

from datasets.labels import LabelledPhoto, Mark
from models.commands import _bar, app, going_on, unlabelled
from models.export import build
from models.shipped import network_of
from models.training import RECIPES, Recipe, to_input
from models.trial import InTraining, OnPhotographs
from tests.conftest import ROOT
from vision.geometry import rectify
from vision.network import FOLDER, Network
from vision.reading import Reader

SAMPLE = ROOT / "ui" / "assets" / "samples" / "middle-five.jpg"


@pytest.fixture(scope="module")
def classifier() -> torch.nn.Module:
    """The shipped classifier, as if it were in training."""
    pictures = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (32, 64, 48, 3)).astype(np.uint8))
    return network_of(build("classifier"), FOLDER / "classifier.onnx", to_input(pictures))


@pytest.fixture(scope="module")
def sample() -> LabelledPhoto:
    """A sample photograph, labelled by what the shipped networks read."""
    reading = Reader().read(SAMPLE)
    marks = tuple(Mark(tile.tile, np.array(tile.corners)) for tile in reading.tiles)
    assert len(marks) > 12
    return LabelledPhoto("sample", reading.width, reading.height, marks, pixels=cv2.imread(str(SAMPLE)))


def test_a_network_in_training_answers_the_reader_like_the_exported_one(
    classifier: torch.nn.Module, sample: LabelledPhoto
) -> None:
    crops = np.stack([rectify(np.asarray(sample.pixels), mark.corners, (48, 64), 1.12) for mark in sample.marks])
    said, ours = InTraining(classifier).run(crops), Network(FOLDER / "classifier.onnx").run(crops)
    assert len(said) == len(ours)
    for one, other in zip(said, ours, strict=True):
        assert np.abs(one - other).max() < 1e-3


def test_the_best_checkpoint_is_judged_by_photographs_read_exactly(
    classifier: torch.nn.Module, sample: LabelledPhoto
) -> None:
    measure = OnPhotographs("classifier", [sample], lambda network: {"score": 0.5, "scenes": 0.5})
    figures = measure(classifier)
    assert figures == {"score": pytest.approx(1.1), "scenes": 0.5, "exact": 1.0, "tiles_right": 1.0}
    torch.manual_seed(0)
    assert measure(build("classifier").eval())["exact"] == 0.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["train", "reader"], "There is no network 'reader'"),
        (["train", "refiner", "--data", "x"], "The refiner learns from rendered scenes alone"),
        (["train", "classifier", "--data", "nowhere"], "There is no folder nowhere"),
        (["train", "classifier", "--recipe", "nothing"], "nothing.toml"),
        (["train", "classifier", "--start-from", "gone.pt"], "There are no weights at gone.pt"),
        (["train", "classifier", "--device", "tpu"], "there is no device 'tpu'"),
        (["train", "classifier", "--scenes", "4"], "4 scenes are too few"),
        (["train", "classifier", "--steps", "0"], "0 of them teach nothing: give 1 or more"),
        (["train", "finder", "--steps", "-5"], "-5 of them teach nothing: give 1 or more"),
        (["evaluate", "--data", "nowhere"], "There is no folder nowhere"),
        (["evaluate", "--split", "moon"], "There is no split 'moon'"),
        (["evaluate", "--models", "nowhere"], "finder.onnx is missing"),
        (["export", "classifier", "gone.pt"], "There is no checkpoint gone.pt"),
        (["quantize", str(FOLDER)], "is not empty"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "none"))
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stderr.strip().count("\n") == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 cut off", "is no checkpoint of a training, or is damaged"),
        (b"step,loss\n60,0.7\n", "is no checkpoint of a training, or is damaged"),
        (b"", "is no checkpoint of a training, or is damaged"),
        (None, "holds no finder of this version, or is damaged"),
    ],
    ids=["cut off", "a curve", "empty", "another network"],
)
def test_what_is_no_checkpoint_of_this_network_is_not_exported(
    content: bytes | None, said: str, tmp_path: Path
) -> None:
    torch.save({"average": build("refiner").state_dict()}, tmp_path / "given.pt")
    if content is not None:
        (tmp_path / "given.pt").write_bytes(content)
    result = CliRunner().invoke(app, ["export", "finder", str(tmp_path / "given.pt"), "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_network_that_is_there_is_replaced_by_force_alone(tmp_path: Path) -> None:
    checkpoint = tmp_path / "best.pt"
    checkpoint.write_bytes(b"whatever")
    (tmp_path / "finder.onnx").write_bytes(b"somebody's network")
    result = CliRunner().invoke(app, ["export", "finder", str(checkpoint), "--out", str(tmp_path)])
    assert (result.exit_code, "say --force" in result.stderr) == (2, True)
    assert (tmp_path / "finder.onnx").read_bytes() == b"somebody's network"


@pytest.mark.parametrize(("last", "says"), [(True, "goes on from"), (False, "begins again")])
def test_an_interrupted_training_says_how_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: bool, says: str
) -> None:
    def interrupted(*what: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("models.commands._run", interrupted)
    if last:
        (tmp_path / "last.pt").write_bytes(b"")
    result = CliRunner().invoke(app, ["train", "classifier", "--out", str(tmp_path), "--device", "cpu"])
    assert result.exit_code == 130
    assert result.stderr.startswith(f"Interrupted: the same command {says}")


def test_a_training_that_goes_on_says_from_which_batch_and_one_that_is_over_that_it_is() -> None:
    last = Path("runs/finder/last.pt")
    assert going_on(last, 160, 480, True) == "runs/finder/last.pt is there: the training goes on from batch 160 of 480."
    assert going_on(last, 240, 480, False) == (
        "runs/finder/last.pt is there, and this training was over after batch 240 of 480: nothing is left to train. "
        "Another one takes another --out."
    )


def test_photographs_that_are_labelled_in_part_are_pointed_at_partial(sample: LabelledPhoto) -> None:
    half = replace(sample, marks=sample.marks[:7])
    assert unlabelled([half, sample], FOLDER).startswith("In 1 of 2 photographs that were looked at lie tiles without")
    for photos in ([sample], [replace(half, partial=True)], [half, *[sample] * 7], []):
        assert unlabelled(photos, FOLDER) == ""


def test_how_long_it_will_take_is_known_where_minutes_pass_between_two_steps_that_are_told() -> None:
    now = [0.0]
    bar = _bar(Console(quiet=True))
    bar.get_time = lambda: now[0]
    task = bar.add_task("train", total=480)
    for step in (50, 100, 150):
        now[0] += 200
        bar.update(task, completed=step)
    assert bar.tasks[task].time_remaining == 330 * 4


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_knob_of_every_recipe_is_explained(path: Path) -> None:
    assert Recipe.read(path.stem).steps > 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert [
        line for line in lines if "=" in line and not line.startswith("#") and not line.partition("#")[2].strip()
    ] == []
