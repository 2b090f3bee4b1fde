"""A trained network becomes an ONNX file that says what it is.

Opset 17 and IR 8, which the runtimes on phones read. Weights are rounded to 16 bits first and stored so, which halves
the file; the arithmetic stays 32 bits wide, and the rounded network is the one that is compared and measured. Names,
version, date, licences and the hash of the weights travel inside the file; the parity of PyTorch and onnxruntime is
tested before the file is put in place."""

from __future__ import annotations

import copy
import datetime
import hashlib
import io
import json
import os
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

from models.classifier_task import CLASSES
from models.networks import Classifier, Finder, Refiner
from models.shipped import NotOurs, checkpoint

OPSET, IR = 17, 8
PARITY = 1e-4
LARGE = 512
"""Weights of at least so many numbers are stored in 16 bits."""
NETWORKS: dict[str, tuple[type[nn.Module], tuple[int, int], dict[str, list[str]]]] = {
    "finder": (Finder, (320, 320), {"outputs": ["map"]}),
    "refiner": (Refiner, (Refiner.SIZE, Refiner.SIZE), {"outputs": ["corners", "place"]}),
    "classifier": (Classifier, (Classifier.HEIGHT, Classifier.WIDTH), {"outputs": ["tile", "direction", "features"]}),
}
LICENCES = "weights: Apache-2.0; data: see models/CARD.md"


class ParityError(RuntimeError):
    """The exported network does not compute what the trained one does."""


def build(name: str) -> nn.Module:
    """An untrained network by name."""
    return Classifier(len(CLASSES)) if name == "classifier" else NETWORKS[name][0]()


def load_checkpoint(name: str, path: Path) -> nn.Module:
    """The averaged network of a checkpoint, ready to run. NotOurs when it is none of this network's."""
    network = build(name)
    try:
        network.load_state_dict(checkpoint(path)["average"])
    except (RuntimeError, KeyError, TypeError):
        raise NotOurs(f"{path} holds no {name} of this version, or is damaged") from None
    return network.eval()


def course(path: Path) -> dict[str, Any]:
    """What a checkpoint says of its making: `step`, `recipe`, `numbers` of its last measurement, `facts` of its data
    (both empty in a checkpoint from before they were kept)."""
    state = checkpoint(path)
    return {
        "step": state["step"],
        "recipe": state["recipe"],
        "numbers": state.get("numbers", {}),
        "facts": state.get("facts", {}),
    }


def version() -> str:
    """The version of the program that exports."""
    try:
        return metadata.version("hupai")
    except metadata.PackageNotFoundError:
        return "dev"


def export(name: str, network: nn.Module, path: Path, extra: dict[str, str] | None = None) -> float:
    """Write `network` to `path` and return the largest difference between its outputs and PyTorch's (at most PARITY of
    the outputs' size, else ParityError and no file)."""
    _, (height, width), shape = NETWORKS[name]
    network = rounded(network).eval().to(memory_format=torch.contiguous_format)
    example = torch.rand(2, 3, height, width)
    axes = {0: "batch", 2: "height", 3: "width"} if name == "finder" else {0: "batch"}
    buffer = io.BytesIO()
    free = {0: "batch", 2: "rows", 3: "columns"} if name == "finder" else {0: "batch"}
    torch.onnx.export(
        network,
        (example,),
        buffer,
        opset_version=OPSET,
        input_names=["picture"],
        output_names=shape["outputs"],
        dynamic_axes={"picture": axes, **dict.fromkeys(shape["outputs"], free)},
        dynamo=False,
    )
    model = onnx.load_from_string(buffer.getvalue())
    model.ir_version = IR
    _store_in_half(model)
    weights = b"".join(v.detach().numpy().tobytes() for v in network.state_dict().values())
    facts = {
        "name": f"hupai-{name}",
        "version": version(),
        "date": datetime.date.today().isoformat(),
        "weights": hashlib.sha256(weights).hexdigest()[:16],
        "licences": LICENCES,
        **(extra or {}),
    }
    if name == "classifier":
        facts["classes"] = json.dumps(list(CLASSES))
    for key, value in facts.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.checker.check_model(model)
    half = path.with_suffix(".part")
    onnx.save(model, str(half))
    difference = parity(network, half, (height, width))
    if difference > PARITY:
        half.unlink()
        raise ParityError(
            f"{name}: the exported network differs from the trained one by {difference:.2e}, more than {PARITY:.0e}"
        )
    os.replace(half, path)
    return difference


def rounded(network: nn.Module) -> nn.Module:
    """A copy of the network with its normalisations folded into the weights before them, as the export would do it, and
    every large weight then rounded to 16 bits and back."""
    copied = copy.deepcopy(network).eval()
    for sequence in [m for m in copied.modules() if isinstance(m, nn.Sequential)]:
        for k in range(len(sequence) - 1):
            first, second = sequence[k], sequence[k + 1]
            if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                sequence[k], sequence[k + 1] = fuse_conv_bn_eval(first, second), nn.Identity()
            elif isinstance(first, nn.Linear) and isinstance(second, nn.BatchNorm1d):
                sequence[k], sequence[k + 1] = fuse_linear_bn_eval(first, second), nn.Identity()
    with torch.no_grad():
        for weight in copied.parameters():
            if weight.numel() >= LARGE:
                weight.copy_(weight.half().float())
    return copied


def _store_in_half(model: onnx.ModelProto) -> None:
    """Keep large initializers as 16-bit numbers behind a cast, which the runtime folds away when it loads the file."""
    casts: list[onnx.NodeProto] = []
    for initializer in model.graph.initializer:
        values = onnx.numpy_helper.to_array(initializer)
        if values.dtype != np.float32 or values.size < LARGE:
            continue
        name = initializer.name
        initializer.CopyFrom(onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT))
    for cast in reversed(casts):
        model.graph.node.insert(0, cast)


def parity(network: nn.Module, path: Path, size: tuple[int, int], seed: int = 0) -> float:
    """Largest difference between PyTorch and onnxruntime on random pictures, relative to the size of the outputs."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    pictures = np.random.default_rng(seed).random((3, 3, *size), np.float32)
    with torch.no_grad():
        expected = network(torch.from_numpy(pictures))
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = session.run(None, {"picture": pictures})
    return max(
        float(np.abs(f - e.numpy()).max() / max(1.0, float(e.abs().max())))
        for f, e in zip(found, expected, strict=True)
    )
