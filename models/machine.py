"""Where a training runs: the processor or an accelerator, alone or as one of the processes that `torchrun` started.

A batch is always the recipe's batch. Where several processes share it, each takes every so many-th part of its sample
numbers and the gradients are averaged, so that two processes go the way one would have gone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import torch
import torch.distributed as processes
from torch import Tensor, nn


@dataclass(frozen=True)
class Machine:
    """This process of a training.

    device: where its arithmetic happens. rank: its number, 0 to ranks - 1; number 0 alone measures, writes and tells.
    """

    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    rank: int = 0
    ranks: int = 1

    @property
    def first(self) -> bool:
        return self.rank == 0

    def share(self, samples: range) -> range:
        """This process's part of a batch's sample numbers, as large as everybody's."""
        part = len(samples) // self.ranks
        return samples[self.rank * part : (self.rank + 1) * part]

    def mine(self, number: int) -> bool:
        """Does this process read lesson (or shard) `number`?"""
        return number % self.ranks == self.rank

    @property
    def half(self) -> torch.dtype:
        """The half-width numbers this device is good at."""
        if self.device.type == "cuda" and not torch.cuda.is_bf16_supported():
            return torch.float16
        return torch.bfloat16

    def autocast(self, wanted: bool) -> AbstractContextManager[object]:
        """Half-width arithmetic where it is wanted and pays."""
        return torch.autocast(self.device.type, self.half, enabled=wanted and half_pays(self.device.type))

    def scaler(self, wanted: bool) -> torch.amp.GradScaler:
        """Keeps small gradients from vanishing in 16-bit floats; does nothing in bfloat16, which has the range."""
        return torch.amp.GradScaler(self.device.type, enabled=wanted and self.half == torch.float16)

    def joined(self, network: nn.Module) -> nn.Module:
        """The network as the loss calls it: its gradients are averaged over all processes."""
        if self.ranks == 1:
            return network
        if self.device.type == "cuda":
            network = nn.SyncBatchNorm.convert_sync_batchnorm(network)
            return nn.parallel.DistributedDataParallel(network, device_ids=[self.device.index])
        return nn.parallel.DistributedDataParallel(network)

    def mean(self, values: Mapping[str, Tensor]) -> dict[str, float]:
        """Named scalars, averaged over all processes."""
        if not values:
            return {}
        row = torch.stack([v.float() for v in values.values()])
        if self.ranks > 1:
            processes.all_reduce(row)
            row = row / self.ranks
        return dict(zip(values, row.tolist(), strict=True))

    def total(self, count: int) -> int:
        """The sum of everybody's counts."""
        return round(self.mean({"count": torch.tensor(float(count), device=self.device)})["count"] * self.ranks)

    def first_then_all(self, work: Callable[[], None]) -> None:
        """Process 0 does the work, and everybody goes on when it is done."""
        if self.first:
            work()
        self.told(True)

    def told(self, value: bool) -> bool:
        """What process 0 says, on every process."""
        if self.ranks == 1:
            return value
        said = torch.tensor([int(value)], device=self.device)
        processes.broadcast(said, 0)
        return bool(said.item())


def half_pays(kind: str) -> bool:
    """Is half-width arithmetic the faster one on this kind of device? On a processor without instructions for it, it is
    emulated: the classifier took 1.10 s a batch instead of 0.47 s on one with plain AVX-512, where processors that have
    them are 1.7 times faster in it."""
    if kind != "cpu":
        return True
    asks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in asks)


class NoDevice(ValueError):
    """The wanted device is not there; one sentence."""


def best_device() -> str:
    """The fastest kind of device this machine has."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


@contextlib.contextmanager
def machine(device: str = "auto") -> Iterator[Machine]:
    """This process's machine; under `torchrun` it joins the others and leaves them at the end.

    device: auto, cpu, cuda or mps. NoDevice when it is not there."""
    kind = best_device() if device == "auto" else device
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(kind):
        raise NoDevice(f"there is no device '{kind}' here: give --device {best_device()}")
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    here = torch.device(kind, int(os.environ.get("LOCAL_RANK", "0"))) if kind == "cuda" else torch.device(kind)
    if ranks == 1:
        yield Machine(here)
        return
    processes.init_process_group("nccl" if kind == "cuda" else "gloo")
    try:
        yield Machine(here, rank, ranks)
    finally:
        processes.destroy_process_group()
