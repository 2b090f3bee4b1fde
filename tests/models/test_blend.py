"""The mean of two networks lies between them, and only two of one kind have one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed (the extra `test`)")
pytest.importorskip("torch", reason="PyTorch is not installed (the extra `train`)")

import onnx

from models.blend import blend, main
from vision.network import FOLDER, Network


def first_weight(path: Path) -> np.ndarray:
    weight = next(i for i in onnx.load(str(path)).graph.initializer if i.name.endswith("_half"))
    return onnx.numpy_helper.to_array(weight).astype(np.float64)


def test_a_blend_of_a_network_with_a_changed_one_lies_as_far_from_it_as_it_was_told(tmp_path: Path) -> None:
    old, new, out = FOLDER / "refiner.onnx", tmp_path / "new.onnx", tmp_path / "out.onnx"
    model = onnx.load(str(old))
    for weight in model.graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype == np.float16:
            weight.CopyFrom(onnx.numpy_helper.from_array((values * 2).astype(np.float16), weight.name))
    onnx.save(model, str(new))
    blend(old, new, 0.75, out)
    assert np.allclose(first_weight(out), 1.75 * first_weight(old), rtol=1e-3, atol=1e-6)
    before, after = Network(old).metadata, Network(out).metadata
    assert after["name"] == before["name"]
    assert after["weights"] != before["weights"]


def test_two_different_networks_have_no_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = main([str(FOLDER / "refiner.onnx"), str(FOLDER / "finder.onnx"), "0.5", str(tmp_path / "out.onnx")])
    assert said == 2
    assert "finder.onnx is no refiner.onnx" in capsys.readouterr().err
    assert not (tmp_path / "out.onnx").exists()
