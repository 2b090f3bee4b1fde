"""Eight-bit networks: they answer like the floats they came from, and only one that wins on both counts is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed (the extra `train`)")

from models.comparing import Comparison
from models.quantizing import Verdict, quantise, timed
from vision.network import FOLDER, Network


def test_an_eight_bit_classifier_says_nearly_what_the_float_one_says_and_keeps_its_metadata(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    crops = [rng.integers(0, 256, (4, 64, 48, 3)).astype(np.uint8) for _ in range(4)]
    quantise(FOLDER / "classifier.onnx", tmp_path / "classifier.onnx", crops)
    full, eight = Network(FOLDER / "classifier.onnx"), Network(tmp_path / "classifier.onnx")
    assert eight.metadata == {**full.metadata, "precision": "int8"}
    assert (tmp_path / "classifier.onnx").stat().st_size < 0.6 * (FOLDER / "classifier.onnx").stat().st_size
    was, now = full.run(crops[0])[0], eight.run(crops[0])[0]
    assert np.corrcoef(was.ravel(), now.ravel())[0, 1] > 0.97
    assert not list(tmp_path.glob("*.part"))
    assert all(span > 0 for span in timed(full, eight, crops))


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
