"""Trainings: what the networks are asked for can be decoded again, and a killed run goes on to the same curve."""

import csv
import math

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (the extra `train`)")

from models.export import build  # noqa: E402
from models.finder_task import SIZE, targets  # noqa: E402
from models.networks import Classifier, Finder, Refiner  # noqa: E402
from models.training import Recipe, RecipeError, to_input, train  # noqa: E402
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


def test_hidden_tiles_and_partly_known_places_teach_nothing_wrong():
    quad = box(30, 40, 0.3, 160, 160)
    heat, _, weights = targets([(quad, True, True)])
    assert heat.max() == 0
    assert weights[0, 40, 40] == 0
    _, _, unsure = targets([(quad, False, False)], loose=True)
    assert unsure[2].max() == 0
    assert unsure[1].max() > 0


class Slope:
    """A task small enough to train in a second: is the picture bright?"""

    name = "slope"

    def network(self):
        return torch.nn.Sequential(torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(3, 1))

    def sample(self, rng):
        level = rng.integers(0, 256)
        return np.full((4, 4, 3), level, np.uint8), np.float32(level > 127)

    def loss(self, network, pictures, *goals):
        return {"loss": torch.nn.functional.binary_cross_entropy_with_logits(network(pictures)[:, 0].float(), goals[0])}

    def measure(self, network):
        with torch.no_grad():
            ramp = torch.linspace(0, 1, 11).view(-1, 1, 1, 1).expand(-1, 3, 4, 4)
            return {"score": float(torch.sigmoid(network(ramp)[:, 0])[-1])}


RECIPE = Recipe(
    steps=60, batch=8, learning_rate=0.05, warmup=5, workers=0, measure_every=10, bfloat16=False, checkpoint_minutes=1e9
)


class Killed(Exception):
    pass


def test_a_killed_run_goes_on_to_the_same_curve(tmp_path):
    whole = train(Slope(), RECIPE, tmp_path / "whole")

    def kill(step, numbers):
        if step == 30 and "score" in numbers:
            raise Killed

    with pytest.raises(Killed):
        train(Slope(), RECIPE, tmp_path / "killed", report=kill)
    again = train(Slope(), RECIPE, tmp_path / "killed")
    for a, b in zip(whole.parameters(), again.parameters(), strict=True):
        assert torch.equal(a, b)
    curves = [list(csv.reader((tmp_path / name / "curve.csv").open())) for name in ("whole", "killed")]
    assert curves[0][-1] == curves[1][-1]
    assert float(curves[0][-1][1]) < float(curves[0][1][1])


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
