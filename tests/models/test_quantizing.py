"""Eight-bit networks: they answer like the floats they came from, and only one that wins on both counts is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed (the extra `train`)")

import onnx

from models.comparing import Comparison
from models.quantizing import Verdict, heads, in_floats, quantise, timed
from vision.network import FOLDER, Network, file_of


def test_an_eight_bit_classifier_says_nearly_what_the_float_one_says_and_keeps_its_metadata(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    crops = [rng.integers(0, 256, (4, 64, 48, 3)).astype(np.uint8) for _ in range(4)]
    quantise(FOLDER / "classifier.onnx", tmp_path / "classifier.int8.onnx", crops)
    full, eight = Network(FOLDER / "classifier.onnx"), Network(tmp_path / "classifier.int8.onnx")
    assert eight.metadata == {**full.metadata, "precision": "int8"}
    assert (tmp_path / "classifier.int8.onnx").stat().st_size < 0.6 * (FOLDER / "classifier.onnx").stat().st_size
    was, now = full.run(crops[0])[0], eight.run(crops[0])[0]
    assert np.corrcoef(was.ravel(), now.ravel())[0, 1] > 0.97
    assert not list(tmp_path.glob("*.part"))
    assert all(span > 0 for span in timed(full, eight, crops))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("finder", {"/head/Conv"}),
        ("refiner", {"/head/head.3/Gemm", "/place/place.3/Gemm"}),
        ("classifier", {"/tile/Gemm", "/way/Gemm"}),
    ],
)
def test_the_layers_that_give_the_answers_stay_in_floats(name: str, kept: set[str]) -> None:
    model = onnx.load(str(FOLDER / f"{name}.onnx"))
    layers = {node.name for node in model.graph.node if node.op_type in ("Conv", "Gemm")}
    assert layers & set(heads(in_floats(model))) == kept


def test_a_folder_reads_in_eight_bits_where_it_has_them(tmp_path: Path) -> None:
    assert file_of("finder", tmp_path) == tmp_path / "finder.onnx"
    (tmp_path / "finder.int8.onnx").write_bytes(b"")
    assert file_of("finder", tmp_path) == tmp_path / "finder.int8.onnx"


def figures(exact: float, right: float) -> dict[str, float]:
    return {"photographs_exact": exact, "tiles_right": right}


@pytest.mark.parametrize(
    ("milliseconds", "eight", "words"),
    [
        ((20.0, 10.0), figures(0.9, 0.99), "wins"),
        ((10.2, 10.0), figures(0.9, 0.99), "stays float: no faster"),
        ((20.0, 10.0), figures(0.9, 0.98), "stays float: reads worse"),
        ((20.0, 10.0), figures(0.8, 0.99), "stays float: reads worse"),
        ((10.0, 20.0), figures(0.8, 0.98), "stays float: no faster, reads worse"),
    ],
)
def test_only_what_is_faster_and_as_good_wins(
    milliseconds: tuple[float, float], eight: dict[str, float], words: str
) -> None:
    verdict = Verdict("finder", (2, 1), milliseconds, Comparison((), (eight, figures(0.9, 0.99))))
    assert verdict.words == words
    assert verdict.wins == (words == "wins")
