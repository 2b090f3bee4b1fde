"""Trainings: what the networks are asked for can be decoded again, and a killed run goes on to the same curve."""

import csv
import math
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `train`)")

from datasets.samples import photograph  # noqa: E402
from models.curve import COLOURS, append, read  # noqa: E402
from models.export import build  # noqa: E402
from models.finder_task import SIZE, FinderTask, targets  # noqa: E402
from models.machine import Machine, NoDevice, machine  # noqa: E402
from models.networks import Classifier, Finder, Refiner  # noqa: E402
from models.training import Recipe, RecipeError, to_input, train  # noqa: E402
from tests.conftest import ROOT  # noqa: E402
from tests.models.slope import RECIPE, Slope  # noqa: E402
from vision.finder import decode  # noqa: E402
from vision.geometry import overlap, rectangle  # noqa: E402


def box(width, height, angle, x, y):
    c, s = math.cos(angle), math.sin(angle)
    flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    return flat @ np.array([[c, s], [-s, c]]) + [x, y]


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.0, 1.57, 2.5])
@pytest.mark.parametrize("width", [14.0, 30.0, 70.0])
def test_what_the_finder_is_asked_for_decodes_to_the_same_rectangles(angle, width):
    step = np.array([math.cos(angle), math.sin(angle)]) * width * 1.02
    count = 3 if width > 50 else 5
    quads = [
        box(width, width * 1.35, angle, *(np.array([160.0, 160.0]) + step * k))
        for k in range(-(count // 2), count // 2 + 1)
    ]
    heat, geometry, weights = targets([(q, True, False) for q in quads])
    logit = np.log(np.clip(heat, 1e-4, 1 - 1e-4) / (1 - np.clip(heat, 1e-4, 1 - 1e-4)))
    centres, places, _ = decode(np.concatenate([logit[None], geometry]), 0.9)
    found = [rectangle(c, p) for c, p in zip(centres, places, strict=True)]
    assert len(found) == len(quads)
    for quad in quads:
        assert max(overlap(quad, f) for f in found) > 0.9
    assert weights.shape == (3, SIZE // 4, SIZE // 4)


def test_the_finder_is_measured_on_photographs_of_any_size():
    blank = np.full((96, 72, 4), 255, np.uint8)
    photo = photograph(["1p 2p 3p"], [{code: [blank] for code in ("1p", "2p", "3p")}], 5, (330, 250))  # none is n * 32
    figures = FinderTask([], [], [photo]).measure(Finder().eval())
    assert 0 <= figures["scenes_f1"] <= 1


def test_hidden_tiles_and_partly_known_places_teach_nothing_wrong():
    quad = box(30, 40, 0.3, 160, 160)
    heat, _, weights = targets([(quad, True, True)])
    assert heat.max() == 0
    assert weights[0, 40, 40] == 0
    _, _, unsure = targets([(quad, False, False)], loose=True)
    assert unsure[2].max() == 0
    assert unsure[1].max() > 0


def curve(folder):
    """The curve of a run without how fast it was."""
    rows = list(csv.DictReader((folder / "curve.csv").open()))
    return [{k: v for k, v in row.items() if k != "samples_per_second"} for row in rows]


def started(folder, *more):
    """A training in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.models.slope", folder, *map(str, more)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_run_that_is_killed_between_two_measurements_goes_on_to_the_same_curve(tmp_path):
    fresh: list[tuple[int, bool]] = []
    whole = train(Slope(), RECIPE, tmp_path / "whole", resumed=lambda *said: fresh.append(said))
    assert fresh == []
    killed = started(tmp_path / "killed", 0.01)  # 80 ms a step: time enough to be killed
    deadline = time.monotonic() + 300
    best, last = tmp_path / "killed" / "best.pt", tmp_path / "killed" / "last.pt"
    while time.monotonic() < deadline and killed.poll() is None:
        time.sleep(0.02)
        if best.exists() and last.stat().st_mtime > best.stat().st_mtime + 0.3:
            break
    killed.kill()
    killed.wait()
    left = torch.load(last, weights_only=True)["step"]
    assert 20 <= left < 60
    told: list[tuple[int, bool]] = []
    again = train(Slope(), RECIPE, tmp_path / "killed", resumed=lambda *said: told.append(said))
    assert told == [(left, True)]
    for a, b in zip(whole.parameters(), again.parameters(), strict=True):
        assert torch.equal(a, b)
    assert curve(tmp_path / "whole") == curve(tmp_path / "killed")
    assert [row["step"] for row in curve(tmp_path / "whole")] == ["20", "40", "60"]
    assert float(curve(tmp_path / "whole")[-1]["loss"]) < float(curve(tmp_path / "whole")[0]["loss"])


def test_a_measurement_made_twice_stands_in_the_curve_once_and_a_new_figure_gets_a_column(tmp_path):
    path = tmp_path / "curve.csv"
    path.write_text("step,loss\n10,0.5\n20,0.4\n30,")
    rows = append(path, 20, {"loss": 0.39, "exact": 0.5})
    assert [row["step"] for row in rows] == [row["step"] for row in read(path)] == ["10", "20"]
    assert path.read_text() == "step,loss,exact\n10,0.5,\n20,0.39,0.5\n"


def test_the_course_of_a_training_has_a_picture(tmp_path):
    train(Slope(), RECIPE, tmp_path)
    drawn = cv2.imread(str(tmp_path / "curve.png"))
    assert drawn.shape == (600, 900, 3)
    upper, lower = drawn[34:266, 64:690], drawn[334:566, 64:690]
    assert (upper == COLOURS[0]).all(2).any(), "the loss is drawn"
    assert (lower == COLOURS[0]).all(2).any(), "and so is the measure"


def test_a_training_stops_when_it_gets_no_better_and_stays_stopped(tmp_path):
    scores = iter([0.5, 0.7, 0.6, 0.7, 0.9])
    recipe = replace(RECIPE, steps=200, measure_every=10, patience=2)
    train(Slope(), recipe, tmp_path, measure=lambda network: {"score": next(scores)})
    assert [row["score"] for row in curve(tmp_path)] == ["0.5", "0.7", "0.6", "0.7"]
    assert torch.load(tmp_path / "best.pt", weights_only=True)["step"] == 20
    told: list[tuple[int, bool]] = []
    train(Slope(), recipe, tmp_path, measure=lambda network: {"score": next(scores)}, resumed=lambda *s: told.append(s))
    assert told == [(40, False)]
    assert len(curve(tmp_path)) == 4


def test_two_processes_draw_the_curve_of_one(tmp_path):
    one = tmp_path / "one"
    train(Slope(), RECIPE, one)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [*torchrun, "-m", "tests.models.slope", tmp_path / "two"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("trained by 2") == 1
    alone, together = ([float(row["loss"]) for row in curve(tmp_path / name)] for name in ("one", "two"))
    assert len(alone) == len(together) == 3
    assert together == pytest.approx(alone, rel=0.1)  # the same samples; dropout differs
    assert together[-1] < 0.9 * together[0]


def test_a_batch_is_dealt_to_processes_without_loss_or_doubles():
    shares = [Machine(rank=rank, ranks=3).share(range(30, 42)) for rank in range(3)]
    assert [k for share in shares for k in share] == list(range(30, 42))
    with pytest.raises(RecipeError, match="8 cannot be shared by 3"):
        train(Slope(), RECIPE, Path("nowhere"), here=Machine(ranks=3))


def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(NoDevice, match="tpu"), machine("tpu"):
        pass


def test_a_run_is_not_resumed_under_another_recipe(tmp_path):
    train(Slope(), RECIPE, tmp_path)
    with pytest.raises(RecipeError, match="another recipe"):
        train(Slope(), Recipe(steps=61, batch=8, learning_rate=0.05), tmp_path)


def test_a_recipe_names_the_knob_that_does_not_exist(tmp_path):
    (tmp_path / "odd.toml").write_text("steps = 1\nbatch = 2\nlearning_rate = 0.1\nspeeed = 3\n")
    with pytest.raises(RecipeError, match="speeed"):
        Recipe.read(str(tmp_path / "odd.toml"))
    with pytest.raises(RecipeError, match="no recipe"):
        Recipe.read("nothing")
    for name in ("finder", "refiner", "classifier"):
        assert Recipe.read(name).steps > 0


def test_the_networks_give_what_their_docstrings_say():
    assert Finder().eval()(torch.rand(1, 3, 96, 64)).shape == (1, 6, 24, 16)
    corners, place = Refiner().eval()(torch.rand(2, 3, 48, 48))
    assert corners.shape == (2, 4, 2)
    assert place.shape == (2, 5)
    tile, way, features = Classifier(44).eval()(torch.rand(2, 3, 64, 48))
    assert features.shape == (2, 128)
    assert tile.shape == (2, 44)
    assert way.shape == (2, 4)


@pytest.mark.parametrize("name", ["finder", "refiner", "classifier"])
def test_an_exported_network_computes_what_the_trained_one_does(name, tmp_path):
    pytest.importorskip("onnx", reason="onnx is not installed (the extra `train`)")
    from models.export import PARITY, build, export

    torch.manual_seed(1)
    network = build(name).eval()
    assert export(name, network, tmp_path / f"{name}.onnx") <= PARITY


@pytest.mark.parametrize("name", ["finder", "refiner", "classifier"])
def test_shipped_weights_go_on_in_pytorch_from_where_they_are(name):
    from models.shipped import network_of
    from vision.network import FOLDER, Network

    height, width = {"finder": (64, 96), "refiner": (48, 48), "classifier": (64, 48)}[name]
    small = np.random.default_rng(0).integers(0, 256, (24, height // 8, width // 8, 3)).astype(np.uint8)
    pictures = np.stack([cv2.resize(p, (width, height), interpolation=cv2.INTER_CUBIC) for p in small])
    network = network_of(build(name), FOLDER / f"{name}.onnx", to_input(torch.from_numpy(pictures)))
    with torch.no_grad():
        theirs = network(to_input(torch.from_numpy(pictures[:4])))
    ours = Network(FOLDER / f"{name}.onnx").run(pictures[:4])
    for mine, other in zip(ours, [theirs] if name == "finder" else theirs, strict=True):
        assert np.abs(mine - other.numpy()).max() < 1e-4


def test_weights_of_another_network_are_refused_by_name():
    from models.shipped import NotOurs, network_of
    from vision.network import FOLDER

    with pytest.raises(NotOurs, match=r"refiner\.onnx is no finder of this version"):
        network_of(build("finder"), FOLDER / "refiner.onnx", torch.rand(2, 3, 64, 64))
