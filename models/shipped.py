"""The shipped weights back in PyTorch, to train on from where they are.

An ONNX file of the export holds no normalisations: they were folded into the weights before them. Here they come back:
each is given the mean and the spread that its input has on some pictures, and such a scale and shift that it changes
nothing. The network computes what the file computes, and learns on as if it had never been exported."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import Tensor, nn


class NotOurs(ValueError):
    """A file that is none of this network's; the message names what does not fit."""


def checkpoint(path: Path) -> dict[str, Any]:
    """What a training left: `average`, the weights that are kept, `step`, `recipe` and more. NotOurs for any other
    file."""
    try:
        state = torch.load(path, weights_only=True, map_location="cpu")
    except (RuntimeError, LookupError, TypeError, ValueError, AttributeError, EOFError, pickle.UnpicklingError):
        state = None  # a file that is no pickle ends the unpickler in any of these ways
    if not isinstance(state, dict) or "average" not in state:
        raise NotOurs(f"{path} is no checkpoint of a training, or is damaged")
    return state


def network_of(network: nn.Module, path: Path, pictures: Tensor) -> nn.Module:
    """The network, untrained so far, with the weights of an exported file, ready to run.

    pictures: typical inputs (n, 3, h, w), 0 to 1; a few dozen are enough. NotOurs when the file does not fit."""
    network.eval()
    weights = _weights(path)
    state = network.state_dict()
    norms = _norms(network)
    for key, value in state.items():
        folded = any(key.startswith(f"{norm}.") for norm in norms)
        if folded or key.endswith("num_batches_tracked"):
            continue
        if key not in weights or tuple(weights[key].shape) != tuple(value.shape):
            kind = type(network).__name__.lower()
            raise NotOurs(f"{path.name} is no {kind} of this version: it has no {key} of shape {tuple(value.shape)}")
        state[key] = weights[key]
    network.load_state_dict(state)
    _unfold(network, norms, weights, pictures)
    return network


def _weights(path: Path) -> dict[str, Tensor]:
    """Every weight of the file by its name in the network, 32 bits wide."""
    values: dict[str, Tensor] = {}
    for initializer in onnx.load(str(path)).graph.initializer:
        array = onnx.numpy_helper.to_array(initializer).astype(np.float32)
        values[initializer.name.removesuffix("_half")] = torch.from_numpy(array.copy())
    return values


def _norms(network: nn.Module) -> dict[str, str]:
    """Names of the normalisations, each with the name of the layer it was folded into."""
    names: dict[str, str] = {}
    for prefix, sequence in network.named_modules():
        if isinstance(sequence, nn.Sequential):
            for k in range(1, len(sequence)):
                if isinstance(sequence[k], (nn.BatchNorm1d, nn.BatchNorm2d)):
                    stem = f"{prefix}." if prefix else ""
                    names[f"{stem}{k}"] = f"{stem}{k - 1}"
    return names


def _unfold(network: nn.Module, norms: dict[str, str], weights: dict[str, Tensor], pictures: Tensor) -> None:
    """Give every normalisation statistics of its own input and make it change nothing but add the folded bias. A
    layer that has a bias itself has it loaded already."""
    modules = dict(network.named_modules())

    def before(norm: nn.BatchNorm2d, bias: Tensor | None) -> Callable[[nn.Module, tuple[Tensor]], None]:
        def hook(_: nn.Module, inputs: tuple[Tensor]) -> None:
            x = inputs[0].detach()
            over = [d for d in range(x.dim()) if d != 1]
            mean, spread = x.mean(over), x.var(over, unbiased=False)
            norm.running_mean, norm.running_var = mean.clone(), spread.clone()
            with torch.no_grad():
                norm.weight.copy_(torch.sqrt(spread + norm.eps))
                norm.bias.copy_(mean if bias is None else mean + bias)

        return hook

    hooks = []
    for name, folded_into in norms.items():
        layer = modules[folded_into]
        bias = None if getattr(layer, "bias", None) is not None else weights[f"{folded_into}.bias"]
        hooks.append(modules[name].register_forward_pre_hook(before(modules[name], bias)))
    with torch.no_grad():
        network(pictures)
    for hook in hooks:
        hook.remove()
