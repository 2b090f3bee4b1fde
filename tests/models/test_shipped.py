"""The weights that are shipped: readable on phones, small, with a card that says whose pictures they learned from."""

import json
from pathlib import Path

import pytest

from scoring.tiles import TILES
from vision import network

MODELS = Path(__file__).parents[2] / "models"
NAMES = ("finder", "refiner", "classifier")


@pytest.mark.parametrize("name", NAMES)
def test_a_network_has_an_opset_and_ir_that_phones_read(name):
    onnx = pytest.importorskip("onnx", reason="onnx is not installed (the extra `test`)")
    for file in {MODELS / f"{name}.onnx", network.file_of(name)}:
        model = onnx.load(str(file))
        assert model.ir_version <= 8
        assert all(entry.version <= 17 for entry in model.opset_import if entry.domain in ("", "ai.onnx"))


@pytest.mark.parametrize("name", NAMES)
def test_a_network_says_its_name_date_and_licences(name):
    facts = network.load(name).metadata
    assert facts["name"] == f"hupai-{name}"
    assert facts["licences"]
    assert len(facts["date"]) == 10
    assert len(facts["weights"]) == 16


def test_the_classifier_knows_every_tile_in_the_order_of_the_project():
    classes = json.loads(network.load("classifier").metadata["classes"])
    assert tuple(classes) == (*TILES, "back", "none")


def test_the_networks_that_read_are_small_together_and_with_those_that_trainings_start_from():
    assert sum(network.file_of(name).stat().st_size for name in NAMES) < 4 * 2**20
    assert sum(file.stat().st_size for file in MODELS.glob("*.onnx")) < 7 * 2**20


def test_eight_bits_came_from_the_floats_beside_them():
    for eight in MODELS.glob("*.int8.onnx"):
        floats = network.Network(MODELS / eight.name.replace(".int8", "")).metadata
        assert network.Network(eight).metadata == {**floats, "precision": "int8"}


def test_the_card_names_the_sources_their_licences_and_the_commands():
    card = (MODELS / "CARD.md").read_text(encoding="utf-8")
    for line in (
        "roboflow-chinese-mahjong-v4",
        "CC BY 4.0",
        "camerash_mixed",
        "MIT",
        "kch3coo_cn",
        "Apache-2.0",
        "FluffyStuff",
        "CC0 1.0",
        "hupai train finder",
        "hupai train refiner",
        "hupai train classifier",
        "hupai evaluate",
    ):
        assert line in card, f"models/CARD.md does not name {line}"


def test_a_missing_network_is_named_with_the_way_out(tmp_path):
    with pytest.raises(network.NoModel, match="hupai train finder"):
        network.Network(tmp_path / "finder.onnx")
