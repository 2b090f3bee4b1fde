"""A training small enough for a test: is the picture bright? Run as a program it can be killed, or shared by torchrun:
`python -m tests.models.slope FOLDER`."""

import sys
import time
from pathlib import Path

import numpy as np
import torch

from models.training import Recipe, train


class Slope:
    name = "slope"

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause

    def network(self):
        return torch.nn.Sequential(
            torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Dropout(0.2), torch.nn.Linear(3, 1)
        )

    def sample(self, rng):
        time.sleep(self.pause)
        level = rng.integers(0, 256)
        return np.full((4, 4, 3), level, np.uint8), np.float32(level > 127)

    def loss(self, network, pictures, *goals):
        return {"loss": torch.nn.functional.binary_cross_entropy_with_logits(network(pictures)[:, 0].float(), goals[0])}

    def measure(self, network):
        with torch.no_grad():
            ramp = torch.linspace(0, 1, 11).view(-1, 1, 1, 1).expand(-1, 3, 4, 4)
            return {"score": float(torch.sigmoid(network(ramp)[:, 0])[-1])}


RECIPE = Recipe(
    steps=60, batch=8, learning_rate=0.05, warmup=5, workers=0, measure_every=20, bfloat16=False, checkpoint_minutes=0
)
"""`checkpoint_minutes=0`: after every step, so that a kill lands between two measurements."""

if __name__ == "__main__":
    from models.machine import machine

    torch.set_num_threads(1)
    with machine("cpu") as here:
        train(Slope(float(sys.argv[2]) if len(sys.argv) > 2 else 0.0), RECIPE, Path(sys.argv[1]), here=here)
        if here.first:
            print(f"trained by {here.ranks}")
