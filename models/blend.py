"""The mean of two courses of one network: `python -m models.blend OLD NEW SHARE OUT`.

Two sets of weights of which one went on from the other mostly agree, and what each learned by chance cancels out in
their mean: it read photographs of sets nobody knows better than either. Works on exported files, whose normalisations
are part of the weights already."""

from __future__ import annotations

import argparse
import hashlib
import sys
from datetime import date
from pathlib import Path

import numpy as np
import onnx

from models.shipped import NotOurs


def blend(old: Path, new: Path, share: float, out: Path) -> None:
    """Write (1 - share) of the weights of `old` and `share` of those of `new`. NotOurs when the two files are not of
    one network."""
    model, other = onnx.load(str(old)), onnx.load(str(new))
    theirs = {weight.name: onnx.numpy_helper.to_array(weight) for weight in other.graph.initializer}
    mean: list[np.ndarray] = []
    for weight in model.graph.initializer:
        mine = onnx.numpy_helper.to_array(weight)
        if weight.name not in theirs or theirs[weight.name].shape != mine.shape:
            raise NotOurs(f"{new.name} is no {old.name}: it has no {weight.name} of shape {mine.shape}")
        if mine.dtype.kind == "f":
            blended = ((1 - share) * mine.astype(np.float64) + share * theirs[weight.name]).astype(mine.dtype)
            weight.CopyFrom(onnx.numpy_helper.from_array(blended, weight.name))
            mean.append(blended)
    facts = {
        "weights": hashlib.sha256(b"".join(part.tobytes() for part in mean)).hexdigest()[:16],
        "date": date.today().isoformat(),
    }
    for entry in model.metadata_props:
        entry.value = facts.get(entry.key, entry.value)
    onnx.save(model, str(out))


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m models.blend", description=__doc__)
    for name in ("old", "new"):
        parser.add_argument(name, type=Path, help="an exported network")
    parser.add_argument("share", type=float, help="how much of the new one, 0 to 1")
    parser.add_argument("out", type=Path, help="the file to write")
    given = parser.parse_args(arguments)
    try:
        blend(given.old, given.new, given.share, given.out)
    except (NotOurs, FileNotFoundError) as error:
        print(f"{error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
