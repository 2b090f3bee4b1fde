"""A network in training, measured as a player would measure it: by whole photographs that are read exactly right.

It takes its place among the shipped networks inside the reader. Crops that are told apart one by one say little: at
.99 a tile, one hand in eight is still wrong, and which hand depends on how the three networks get on together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from datasets.labels import LabelledPhoto
from models.classifier_task import CLASSES
from models.evaluate import measure
from models.training import to_input
from vision import network
from vision.reading import Reader


class InTraining:
    """Answers like `vision.network.Network`, from a PyTorch network."""

    def __init__(self, trained: nn.Module) -> None:
        self._trained = trained
        self.metadata = {"classes": json.dumps(list(CLASSES)), "temperature": "1"}

    def run(self, pictures: np.ndarray) -> list[np.ndarray]:
        """(n, h, w, 3) BGR bytes → the network's outputs."""
        with torch.no_grad():
            outputs = self._trained(to_input(torch.from_numpy(np.ascontiguousarray(pictures))))
        return [o.numpy() for o in (outputs if isinstance(outputs, tuple) else (outputs,))]

    def listed(self, key: str) -> Any:
        """A value of the metadata that is JSON."""
        return json.loads(self.metadata[key])


class OnPhotographs:
    """A measure for `models.training.train`: the samples' own figures, and the reader's on held-out photographs.

    name: which network is in training; the others are those of `folder` (NoModel when they are not there).
    photos: with their pixels. The score is the share of photographs read exactly, and among equals that of tiles.
    """

    by = "photographs"

    def __init__(
        self,
        name: str,
        photos: list[LabelledPhoto],
        samples: Callable[[nn.Module], dict[str, float]],
        folder: Path = network.FOLDER,
    ) -> None:
        self.name, self.photos, self.samples = name, photos, samples
        self.reader = Reader(folder)

    def __call__(self, trained: nn.Module) -> dict[str, float]:
        setattr(self.reader, self.name, InTraining(trained))
        figures = measure(self.reader, self.photos).figures()
        exact, right = figures["photographs_exact"], figures["tiles_right"]
        return {**self.samples(trained), "exact": exact, "tiles_right": right, "score": exact + 0.1 * right}
