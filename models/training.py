"""One loop for all networks: steps, a cosine, checkpoints that a killed run resumes from, and a curve on disk.

A task says how sample `i` of the run is made, what the loss of a batch is, and how good the network has become. Sample
`i` depends on the seed and on `i` alone, and so does what else is left to chance, so a run that was killed and resumed
sees the same samples in the same order and draws the same curve, and so does one that several processes share."""

from __future__ import annotations

import copy
import math
import os
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from datasets.scene_store import DRAWN_SHARE
from models import curve
from models.machine import Machine
from models.shipped import checkpoint, network_of

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
    drawn_share: float = DRAWN_SHARE
    real_share: float = 0.5
    bare_share: float = 0.2
    patience: int = 0
    start_from: str = ""
    frozen_norms: bool = False

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
        recipe = cls(**{**knobs, **{k: v for k, v in changes.items() if v is not None}})
        if recipe.steps < 1:
            raise RecipeError(f"steps are batches, and {recipe.steps} of them teach nothing: give 1 or more")
        return recipe


_DEFAULTS = {f.name: f.default for f in fields(Recipe) if f.default is not MISSING}
"""What the knobs are in a checkpoint from before they existed."""


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


def _batches(task: Task, recipe: Recipe, start: int, here: Machine) -> Iterator[list[Tensor]]:
    order = (here.share(range(s * recipe.batch, (s + 1) * recipe.batch)) for s in range(start, recipe.steps))
    loader = DataLoader(
        _Samples(task, recipe.seed),
        batch_sampler=order,
        num_workers=recipe.workers,
        prefetch_factor=6 if recipe.workers else None,
        worker_init_fn=_quiet,
        pin_memory=here.device.type == "cuda",
    )
    for batch in loader:
        yield [part.to(here.device, non_blocking=True) for part in batch]


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
    *,
    measure: Callable[[nn.Module], dict[str, float]] | None = None,
    facts: Mapping[str, Any] | None = None,
    here: Machine | None = None,
    resumed: Callable[[int, bool], None] = lambda step, more: None,
) -> nn.Module:
    """Train a task in a folder (`last.pt`, `best.pt`, `curve.csv`, `curve.png`) and return the averaged network.

    A folder with a `last.pt` of the same recipe is resumed.
    start_from: first weights for fine-tuning, a checkpoint or an exported .onnx file such as the shipped ones.
    measure: another measure than the task's own. facts: what the data was, kept in the checkpoints for the export.
    here: the device, and which of several processes this is. resumed: told, where there is a `last.pt`, the batch it
    holds and whether any is left to be trained on.
    """
    here, measure = here or Machine(), measure or task.measure
    if recipe.batch % here.ranks:
        raise RecipeError(f"a batch of {recipe.batch} cannot be shared by {here.ranks} processes: change `batch`")
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    network = task.network().to(here.device, memory_format=torch.channels_last)
    average = task.network().to(here.device, memory_format=torch.channels_last)
    step, best, stale = 0, -math.inf, 0
    last = folder / "last.pt"
    if start_from and not last.exists():
        _begin_with(network, _first_weights(task, start_from, recipe.seed))
    state = torch.load(last, weights_only=True, map_location=here.device) if last.exists() else None
    if state:
        if {**_DEFAULTS, **state["recipe"], "start_from": recipe.start_from} != asdict(recipe):
            raise RecipeError(
                f"{last} belongs to a run with another recipe: remove the folder or name another with --out"
            )
        network.load_state_dict(state["network"])
    average.load_state_dict(state["average"] if state else network.state_dict())
    optimizer = torch.optim.AdamW(network.parameters(), recipe.learning_rate, weight_decay=recipe.weight_decay)
    scaler = here.scaler(recipe.bfloat16)
    measured = getattr(measure, "by", "samples")
    if state:
        optimizer.load_state_dict(state["optimizer"])
        if state.get("scaler"):
            scaler.load_state_dict(state["scaler"])
        step, stale = state["step"], state.get("stale", 0)
        best = state["best"] if state.get("measured", "samples") == measured else best
    joined = here.joined(network)

    def keep(name: str) -> None:
        state = {
            "network": network.state_dict(),
            "average": average.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scaler": scaler.state_dict(),
            "step": step,
            "best": best,
            "stale": stale,
            "measured": measured,
            "numbers": numbers,
            "sums": {key: float(value) for key, value in sums.items()},
            "since": since,
            "recipe": asdict(recipe),
            "facts": dict(facts or {}),
        }
        _save(folder / name, state)

    def tired() -> bool:
        return bool(recipe.patience) and stale >= recipe.patience

    if state:
        resumed(step, step < recipe.steps and not tired())
    if tired():
        return _ready(average, here)
    saved = clock = time.monotonic()
    so_far = state or {}
    numbers: dict[str, float] = so_far.get("numbers", {})
    sums = {key: torch.tensor(value, device=here.device) for key, value in so_far.get("sums", {}).items()}
    since: int = so_far.get("since", 0)
    begun = since
    joined.train()
    if recipe.frozen_norms:
        _freeze_norms(joined)
    for pictures, *targets in _batches(task, recipe, step, here):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(recipe, step)
        torch.manual_seed((recipe.seed * recipe.steps + step) * here.ranks + here.rank)  # for dropout, as resumed
        with here.autocast(recipe.bfloat16):
            parts = task.loss(joined, to_input(pictures), *targets)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(parts["loss"]).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        scaler.step(optimizer)
        scaler.update()
        step += 1
        decay = min(recipe.average, (step + 1) / (step + 10))
        with torch.no_grad():
            for mine, theirs in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
                if mine.dtype.is_floating_point:
                    mine.lerp_(theirs, 1 - decay)
                else:
                    mine.copy_(theirs)
        for key, value in parts.items():
            sums[key] = sums[key] + value.detach() if key in sums else value.detach()
        since += 1
        due = step % recipe.measure_every == 0 or step == recipe.steps
        if step % 50 == 0 or due:
            losses = here.mean({k: v / since for k, v in sums.items()})
            speed = (since - begun) * recipe.batch / max(time.monotonic() - clock, 1e-6)
            report(step, {**losses, "samples_per_second": speed})
        if due:
            if here.first:
                # the CPU is where the network will be used, and its arithmetic the one that counts
                numbers = {**losses, **measure(_ready(average, here)), "samples_per_second": speed}
                rows = curve.append(folder / "curve.csv", step, numbers)
                cv2.imwrite(str(folder / "curve.png"), curve.picture(rows, list(losses)))
                report(step, numbers)
                stale = 0 if numbers["score"] > best else stale + 1
                if not stale:
                    best = numbers["score"]
                    keep("best.pt")
                sums, since = {}, 0
                keep("last.pt")
            sums, since, begun = {}, 0, 0
            saved = clock = time.monotonic()
            if here.told(tired()):
                break
        elif here.first and time.monotonic() - saved > 60 * recipe.checkpoint_minutes:
            keep("last.pt")
            saved = time.monotonic()
    return _ready(average, here)


def _ready(network: nn.Module, here: Machine) -> nn.Module:
    """The network as it will be used: on the CPU, in evaluation."""
    return (network if here.device.type == "cpu" else copy.deepcopy(network).cpu()).eval()


def _freeze_norms(network: nn.Module) -> None:
    """Normalisations keep the means and spreads they came with: a small collection's own would be a worse guess."""
    for part in network.modules():
        if isinstance(part, nn.modules.batchnorm._BatchNorm):
            part.eval()


def _first_weights(task: Task, path: Path, seed: int) -> dict[str, Tensor]:
    if path.suffix != ".onnx":
        return checkpoint(path)["average"]
    pictures = [task.sample(np.random.default_rng([seed, 1, k]))[0] for k in range(TYPICAL)]
    return network_of(task.network(), path, to_input(torch.from_numpy(np.stack(pictures)))).state_dict()


def _begin_with(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Load the weights that fit; a part of the network that has another shape now begins anew."""
    mine = network.state_dict()
    network.load_state_dict({k: v for k, v in weights.items() if k in mine and mine[k].shape == v.shape}, strict=False)
