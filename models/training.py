"""One loop for all networks: steps, a cosine, checkpoints that a killed run resumes from, and a curve on disk.

A task says how sample `i` of the run is made, what the loss of a batch is, and how good the network has become. Sample
`i` depends on the seed and on `i` alone, so a run that was killed and resumed sees the same samples in the same order
and draws the same curve."""

from __future__ import annotations

import csv
import math
import os
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from models.shipped import network_of

cv2.setNumThreads(0)  # a worker forked from a process with OpenCV's threads waits for them for ever

RECIPES = Path(__file__).parent / "recipes"
TYPICAL = 64
"""Samples from which an exported network's normalisations are restored."""


class RecipeError(ValueError):
    """A recipe that cannot be used; the message names the knob."""


@dataclass(frozen=True)
class Recipe:
    """Every knob of a training; the TOML files in `models/recipes` say what each does."""

    steps: int
    batch: int
    learning_rate: float
    weight_decay: float = 0.02
    warmup: int = 200
    average: float = 0.998
    seed: int = 0
    bfloat16: bool = True
    workers: int = 1
    checkpoint_minutes: float = 3.0
    measure_every: int = 1000
    scenes: int = 4000
    scene_seed: int = 1
    drawn_sets: int = 120
    real_share: float = 0.5

    @classmethod
    def read(cls, name: str, **changes: Any) -> Recipe:
        """Recipe `name` of `models/recipes` (or a path), with some knobs changed. RecipeError names an unknown knob."""
        path = Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml"
        if not path.is_file():
            raise RecipeError(
                f"there is no recipe {path}: "
                f"name one of {', '.join(p.stem for p in RECIPES.glob('*.toml'))} or a .toml file"
            )
        knobs = tomllib.loads(path.read_text(encoding="utf-8"))
        known = {f.name for f in fields(cls)}
        for knob in (*knobs, *changes):
            if knob not in known:
                raise RecipeError(
                    f"recipe {path.name} has a knob '{knob}' that does not exist; known are {', '.join(sorted(known))}"
                )
        return cls(**{**knobs, **{k: v for k, v in changes.items() if v is not None}})


class Task(Protocol):
    """What distinguishes one training from another."""

    name: str

    def network(self) -> nn.Module: ...

    def sample(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One sample as arrays (the first a uint8 picture (h, w, 3) BGR), stacked to a batch by the loop."""
        ...

    def loss(self, network: nn.Module, pictures: Tensor, *targets: Tensor) -> dict[str, Tensor]:
        """Named parts; `loss` among them is minimised."""
        ...

    def measure(self, network: nn.Module) -> dict[str, float]:
        """How good it is on held-out samples; `score` among them is what best means (higher is better)."""
        ...


class _Samples(Dataset[tuple[np.ndarray, ...]]):
    def __init__(self, task: Task, seed: int) -> None:
        self.task, self.seed = task, seed

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        return self.task.sample(np.random.default_rng([self.seed, index]))


def _batches(task: Task, recipe: Recipe, start: int) -> Iterator[list[Tensor]]:
    order = (list(range(s * recipe.batch, (s + 1) * recipe.batch)) for s in range(start, recipe.steps))
    loader = DataLoader(
        _Samples(task, recipe.seed),
        batch_sampler=order,
        num_workers=recipe.workers,
        prefetch_factor=6 if recipe.workers else None,
        worker_init_fn=_quiet,
    )
    yield from loader


def _quiet(_: int) -> None:
    torch.set_num_threads(1)


def to_input(pictures: Tensor) -> Tensor:
    """uint8 (batch, h, w, 3) → float 0..1 (batch, 3, h, w), channels last."""
    return pictures.permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)


def learning_rate(recipe: Recipe, step: int) -> float:
    """Linear warm-up, then half a cosine down to a hundredth."""
    if step < recipe.warmup:
        return recipe.learning_rate * (step + 1) / recipe.warmup
    done = (step - recipe.warmup) / max(1, recipe.steps - recipe.warmup)
    return recipe.learning_rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def _save(path: Path, state: dict[str, Any]) -> None:
    half = path.with_suffix(".part")
    torch.save(state, half)
    os.replace(half, path)


def train(
    task: Task,
    recipe: Recipe,
    folder: Path,
    start_from: Path | None = None,
    report: Callable[[int, dict[str, float]], None] = lambda step, numbers: None,
) -> nn.Module:
    """Train a task in a folder (`last.pt`, `best.pt`, `curve.csv`) and return the averaged network.

    A folder with a `last.pt` of the same recipe is resumed. `start_from` gives first weights for fine-tuning: a
    checkpoint, or an exported .onnx file such as the shipped ones.
    """
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    network = task.network().to(memory_format=torch.channels_last)
    average = task.network().to(memory_format=torch.channels_last)
    if start_from and not (folder / "last.pt").exists():
        _begin_with(network, _first_weights(task, start_from, recipe.seed))
    average.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(network.parameters(), recipe.learning_rate, weight_decay=recipe.weight_decay)
    step, best = 0, -math.inf
    last = folder / "last.pt"
    if last.exists():
        state = torch.load(last, weights_only=True)
        if state["recipe"] != asdict(recipe):
            raise RecipeError(
                f"{last} belongs to a run with another recipe: remove the folder or name another with --out"
            )
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, best = state["step"], state["best"]

    def keep(name: str) -> None:
        state = {
            "network": network.state_dict(),
            "average": average.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": step,
            "best": best,
            "recipe": asdict(recipe),
        }
        _save(folder / name, state)

    saved = time.monotonic()
    sums: dict[str, float] = {}
    since = 0
    network.train()
    for pictures, *targets in _batches(task, recipe, step):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(recipe, step)
        with torch.autocast("cpu", torch.bfloat16, enabled=recipe.bfloat16):
            parts = task.loss(network, to_input(pictures), *targets)
        optimizer.zero_grad(set_to_none=True)
        parts["loss"].backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        step += 1
        decay = min(recipe.average, (step + 1) / (step + 10))
        with torch.no_grad():
            for mine, theirs in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
                if mine.dtype.is_floating_point:
                    mine.lerp_(theirs, 1 - decay)
                else:
                    mine.copy_(theirs)
        for key, value in parts.items():
            sums[key] = sums.get(key, 0.0) + float(value.detach())
        since += 1
        if step % 50 == 0:
            report(step, {k: v / since for k, v in sums.items()})
        if step % recipe.measure_every == 0 or step == recipe.steps:
            average.eval()
            numbers = {**{k: v / since for k, v in sums.items()}, **task.measure(average)}
            sums, since = {}, 0
            _append(folder / "curve.csv", step, numbers)
            report(step, numbers)
            if numbers["score"] > best:
                best = numbers["score"]
                keep("best.pt")
            keep("last.pt")
            saved = time.monotonic()
        elif time.monotonic() - saved > 60 * recipe.checkpoint_minutes:
            keep("last.pt")
            saved = time.monotonic()
    average.eval()
    return average


def _first_weights(task: Task, path: Path, seed: int) -> dict[str, Tensor]:
    if path.suffix != ".onnx":
        return torch.load(path, weights_only=True)["average"]
    pictures = [task.sample(np.random.default_rng([seed, 1, k]))[0] for k in range(TYPICAL)]
    return network_of(task.network(), path, to_input(torch.from_numpy(np.stack(pictures)))).state_dict()


def _begin_with(network: nn.Module, weights: dict[str, Tensor]) -> None:
    """Load the weights that fit; a part of the network that has another shape now begins anew."""
    mine = network.state_dict()
    network.load_state_dict({k: v for k, v in weights.items() if k in mine and mine[k].shape == v.shape}, strict=False)


def _append(path: Path, step: int, numbers: dict[str, float]) -> None:
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines)
        if new:
            writer.writerow(["step", *numbers])
        writer.writerow([step, *(f"{v:.6g}" for v in numbers.values())])
