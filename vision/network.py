"""Runs an ONNX network on pictures. The one place that knows onnxruntime."""

from __future__ import annotations

import json
import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

FOLDER = Path(__file__).resolve().parents[1] / "models"
"""Where the shipped weights lie: the room `models`, in the repository and inside an installed wheel alike."""

SHIPPED = "shipped"
"""What a person calls those weights."""

NAMES = ("finder", "refiner", "classifier")
"""The networks of a folder of models."""

_runtime: Any = onnxruntime  # it ships no types


class NoModel(FileNotFoundError):
    """The weights are not there, or damaged. The message says which file and how to make it."""


class Network:
    """One network: uint8 pictures in, float arrays out."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise NoModel(
                f"the network {path.name} is missing from {path.parent}: "
                f"reinstall Hupai or make it with `hupai train {path.name.partition('.')[0]}`"
            )
        options = _runtime.SessionOptions()
        options.intra_op_num_threads = min(4, os.cpu_count() or 1)
        options.log_severity_level = 3
        # threads that wait asleep: on a busy home machine spinning ones take the cores from what they wait for
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session: Any = _runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has a dozen exceptions for a file that is none of its own
            raise NoModel(f"{path} is damaged or no network: reinstall Hupai or export it again") from error
        self._input = str(self._session.get_inputs()[0].name)
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    def run(self, pictures: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """(n, h, w, 3) BGR bytes → the network's outputs."""
        floats = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32) / np.float32(255)
        outputs: list[Any] = self._session.run(None, {self._input: floats})
        return [np.asarray(o, np.float32) for o in outputs]

    def listed(self, key: str) -> Any:
        """A value that the export wrote into the file as JSON."""
        return json.loads(self.metadata[key])


def floats_of(name: str, folder: Path = FOLDER) -> Path:
    """The file of a network in floats, which trainings start from."""
    return folder / f"{name}.onnx"


def eight_bits_of(name: str, folder: Path = FOLDER) -> Path:
    """The file of a network in eight bits, which not every folder has."""
    return folder / f"{name}.int8.onnx"


def file_of(name: str, folder: Path = FOLDER) -> Path:
    """The file of a network that is read with: the one in eight bits where the folder has it, else the one in
    floats."""
    eight = eight_bits_of(name, folder)
    return eight if eight.is_file() else floats_of(name, folder)


def copy(name: str, source: Path, target: Path) -> None:
    """Copy what a folder has of a network into another one."""
    for file in (floats_of(name, source), eight_bits_of(name, source)):
        if file.is_file():
            shutil.copyfile(file, target / file.name)


@cache
def load(name: str, folder: Path = FOLDER) -> Network:
    """The network `name` of a folder of models, loaded once."""
    return Network(file_of(name, folder))
