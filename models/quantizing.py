"""Eight-bit networks, made and judged: smaller for certain, but worth having only if they are faster and as good.

Static quantisation in QDQ form. The ranges of the activations come from what the reader really feeds to each network
on some photographs; those photographs are not the ones it is measured on afterwards. The last layer stays in floats: it
costs little, and there a corner or the logarithm of a size would be rounded. Then the reader reads the others
with one network replaced, and both are timed on the same pictures, by turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from datasets.labels import LabelledPhoto
from models.comparing import Comparison, compare
from models.evaluate import read
from vision.network import NAMES, Network, eight_bits_of, floats_of
from vision.reading import Reader

ROUNDS = 15
FEATURES = 64
"""A last layer with so many outputs gives features, not answers."""
FASTER = 1.05
"""An eight-bit network must be at least so many times as fast: less is noise."""


class Overheard:
    """A network that keeps a copy of what it is fed."""

    def __init__(self, network: Network) -> None:
        self._network, self.metadata, self.listed = network, network.metadata, network.listed
        self.pictures: list[np.ndarray] = []

    def run(self, pictures: np.ndarray) -> list[np.ndarray]:
        self.pictures.append(pictures.copy())
        return self._network.run(pictures)


@dataclass(frozen=True)
class Verdict:
    """One network in eight bits against itself in floats.

    bytes, milliseconds: float, eight bits; the milliseconds are the median of one call with what the reader feeds it.
    comparison: the reader with the eight-bit network (first) against the float one (second)."""

    name: str
    bytes: tuple[int, int]
    milliseconds: tuple[float, float]
    comparison: Comparison

    @property
    def faster(self) -> bool:
        return self.milliseconds[0] >= FASTER * self.milliseconds[1]

    @property
    def as_good(self) -> bool:
        eight, full = self.comparison.figures
        return eight["photographs_exact"] >= full["photographs_exact"] and eight["tiles_right"] >= full["tiles_right"]

    @property
    def wins(self) -> bool:
        return self.faster and self.as_good

    @property
    def words(self) -> str:
        """What comes of it, in a few words."""
        against = [*([] if self.faster else ["no faster"]), *([] if self.as_good else ["reads worse"])]
        return f"stays float: {', '.join(against)}" if against else "wins"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "bytes": list(self.bytes),
            "milliseconds": [round(m, 2) for m in self.milliseconds],
            "faster": self.faster,
            "as_good": self.as_good,
            "wins": self.wins,
            **self.comparison.as_json(),
        }


def in_floats_alone(folder: Path) -> Reader:
    """The reader of a folder, whatever it has in eight bits."""
    reader = Reader(folder)
    for name in NAMES:
        setattr(reader, name, Network(floats_of(name, folder)))
    return reader


def overheard(folder: Path, photos: Sequence[LabelledPhoto], done: Callable[[], None]) -> dict[str, list[np.ndarray]]:
    """What the reader feeds to each network on some photographs, uint8 (n, h, w, 3) a call."""
    reader = in_floats_alone(folder)
    ears = {name: Overheard(getattr(reader, name)) for name in NAMES}
    for name, ear in ears.items():
        setattr(reader, name, ear)
    for photo in photos:
        read(reader, photo)
        done()
    return {name: ear.pictures for name, ear in ears.items()}


def judge(
    name: str,
    folder: Path,
    out: Path,
    heard: list[np.ndarray],
    photos: Sequence[LabelledPhoto],
    done: Callable[[], None],
) -> Verdict:
    """Quantise one network into `out` and measure it."""
    full, eight = floats_of(name, folder), eight_bits_of(name, out)
    quantise(full, eight, heard)
    readers = in_floats_alone(folder), in_floats_alone(folder)
    setattr(readers[0], name, Network(eight))
    comparison = compare(*readers, photos, done)
    times = timed(Network(full), Network(eight), heard[: ROUNDS * 2])
    return Verdict(name, (full.stat().st_size, eight.stat().st_size), times, comparison)


def quantise(source: Path, target: Path, heard: Sequence[np.ndarray]) -> None:
    """Write `source` in eight bits (weights and activations, QDQ). `heard`: typical inputs, uint8 (n, h, w, 3)."""
    model = in_floats(onnx.load(str(source)))
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    whole = target.with_suffix(".float.part")
    onnx.save(model, str(whole))
    try:
        quantize_static(
            str(whole),
            str(target),
            _Heard(model.graph.input[0].name, heard),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            nodes_to_exclude=heads(model),
            reduce_range=True,  # processors without VNNI add up two products in 16 bits, which full eight bits overflow
            weight_type=QuantType.QInt8,
            activation_type=QuantType.QUInt8,
        )
    finally:
        whole.unlink(missing_ok=True)
    model = onnx.load(str(target))
    del model.metadata_props[:]
    for key, value in {**metadata, "precision": "int8"}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    model.ir_version = 8
    onnx.save(model, str(target))


def heads(model: onnx.ModelProto) -> list[str]:
    """The names of the layers that give the answers (not the features), and of what follows them."""
    makers = {output: node for node in model.graph.node for output in node.output}
    answers = {weight.name: min(weight.dims) for weight in model.graph.initializer if len(weight.dims) > 1}
    names: list[str] = []
    for output in model.graph.output:
        passed, asked = [], [output.name]
        while asked:
            node = makers.get(asked.pop())
            if node is None:
                continue
            passed.append(node.name)
            if node.op_type not in ("Conv", "Gemm"):
                asked += node.input
            elif answers.get(node.input[1], FEATURES) >= FEATURES:
                passed.clear()
        names += passed
    return names


def in_floats(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network with its weights stored in 32 bits, without the casts that the export puts before them."""
    halves = {initializer.name: initializer for initializer in model.graph.initializer}
    for node in list(model.graph.node):
        if node.op_type == "Cast" and node.input[0] in halves:
            weight = halves[node.input[0]]
            values = onnx.numpy_helper.to_array(weight).astype(np.float32)
            weight.CopyFrom(onnx.numpy_helper.from_array(values, node.output[0]))
            model.graph.node.remove(node)
    return model


class _Heard(CalibrationDataReader):
    def __init__(self, name: str, heard: Sequence[np.ndarray]) -> None:
        self._batches = iter(
            {name: np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32) / np.float32(255)}
            for pictures in heard
        )

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._batches, None)


def timed(one: Network, other: Network, heard: Sequence[np.ndarray]) -> tuple[float, float]:
    """Median milliseconds of a call of each, by turns, so that whatever else the machine does meets both."""
    spans: tuple[list[float], list[float]] = ([], [])
    for k, pictures in enumerate(heard):
        for network, mine in zip((one, other), spans, strict=True):
            network.run(pictures) if k == 0 else None
            started = time.perf_counter()
            network.run(pictures)
            mine.append((time.perf_counter() - started) * 1000)
    return float(np.median(spans[0])), float(np.median(spans[1]))
