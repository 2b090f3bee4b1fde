"""Probabilities that mean what they say: one temperature, chosen where the network was not trained.

Held-out crops come from sets the network knows, so the temperature found on them is too confident for a set it does
not; crops are therefore shaken and recoloured before they are counted, and a temperature below one, which would make
the network surer than it says it is, is never taken."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from datasets.labels import LabelledPhoto
from models.augment import recolour
from models.classifier_task import CLASSES, SIZE, jittered, portrait, usable
from models.networks import Classifier
from models.training import to_input
from vision.geometry import rectify

FALLBACK = 1.0


def temperature(network: nn.Module, photos: list[LabelledPhoto], seed: int = 0) -> float:
    """The temperature that makes held-out labels most likely; FALLBACK without photographs."""
    rng = np.random.default_rng(seed)
    crops, labels = [], []
    for photo in photos:
        for mark in photo.marks:
            if photo.pixels is None or not usable(photo, mark):
                continue
            quad = jittered(rng, portrait(mark.corners), 1.5)
            crops.append(recolour(rng, rectify(photo.pixels, quad, SIZE, Classifier.MARGIN), 1.5))
            labels.append(CLASSES.index(mark.tile))
    if not crops:
        return FALLBACK
    with torch.no_grad():
        logits = torch.cat(
            [network(to_input(torch.from_numpy(np.stack(crops[k : k + 256]))))[0] for k in range(0, len(crops), 256)]
        )
    target = torch.tensor(labels)
    choices = np.exp(np.linspace(np.log(0.3), np.log(3.0), 60))
    losses = [float(nn.functional.cross_entropy(logits / float(t), target)) for t in choices]
    return max(FALLBACK, float(choices[int(np.argmin(losses))]))
