"""What does each source of lessons bring? `python -m models.ablation` trains classifiers that differ in one thing only.

Each variant learns for the same number of steps from scratch, with the shipped finder and refiner before it, and is
measured as a whole reader on whole photographs. It prints the table of the model card and the curves over the number of
physical and of drawn sets. An interrupted run goes on where it stopped; everything lies under runs/ablation."""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from datasets import scene_store
from datasets.face_sets import drawn
from models.calibration import temperature
from models.classifier_task import ClassifierTask
from models.evaluate import measure
from models.export import export
from models.lessons import photographs
from models.training import Recipe, train
from vision import network
from vision.reading import Reader

FOLDER = Path("runs/ablation")
SEED = 5


@dataclass(frozen=True)
class Variant:
    """A mixture of lessons: shares of crops from photographs, from scenes and of bare drawn faces, and how many drawn
    sets there are (0: scenes are dressed in photographed faces and vector art only). `groups`: the photographs whose
    group begins so, each of about one set, the last of many; none given are all."""

    name: str
    shares: tuple[float, float, float]
    drawn_sets: int = 0
    groups: tuple[str, ...] = ()


VARIANTS = (
    Variant("photographs of one set", (1.0, 0.0, 0.0), groups=("rf_tray",)),
    Variant("photographs of two", (1.0, 0.0, 0.0), groups=("rf_tray", "rf_hand")),
    Variant("photographs of all, about ten", (1.0, 0.0, 0.0)),
    Variant("and scenes in photographed faces", (0.5, 0.5, 0.0)),
    Variant("and 8 drawn sets", (0.35, 0.35, 0.3), 8),
    Variant("and 40 drawn sets", (0.35, 0.35, 0.3), 40),
    Variant("and 240 drawn sets", (0.35, 0.35, 0.3), 240),
)


def figures(variant: Variant, steps: int, scenes: int) -> dict[str, dict[str, float]]:
    """Train, export and measure one variant: figures of `hupai evaluate` by split."""
    folder = FOLDER / variant.name.replace(" ", "-")
    recipe = replace(Recipe.read("classifier"), steps=steps, seed=SEED, measure_every=steps, warmup=100, average=0.997)
    if not (folder / "classifier.onnx").is_file():
        store = FOLDER / f"scenes-{variant.drawn_sets}"
        scene_store.write(store, scenes, SEED, drawn_sets=variant.drawn_sets)
        rendered = list(scene_store.read(store, scenes))
        task = ClassifierTask(
            [p for p in photographs(("train",)) if p.group.startswith(variant.groups or ("",))],
            rendered[20:] if variant.shares[1] else [],
            drawn(variant.drawn_sets, SEED + 1),
            {"scenes": rendered[:20]},
            variant.shares,
        )
        learned = train(task, recipe, folder)
        known = photographs(("held_out",))
        export("classifier", learned, folder / "classifier.onnx", {"temperature": f"{temperature(learned, known):.3f}"})
        for name in ("finder", "refiner"):
            shutil.copyfile(network.FOLDER / f"{name}.onnx", folder / f"{name}.onnx")
    reader = Reader(folder)
    return {split: measure(reader, photographs((split,), sharp=False)).figures() for split in ("held_out", "unseen")}


def main(arguments: list[str] | None = None) -> int:
    """Print a line of the table for each variant as soon as it is measured."""
    parser = argparse.ArgumentParser(prog="python -m models.ablation", description=__doc__)
    parser.add_argument("--steps", type=int, default=1200, help="batches of 128 crops for each variant")
    parser.add_argument("--scenes", type=int, default=1000, help="rendered scenes for each variant")
    parser.add_argument("--first", type=int, default=len(VARIANTS), help="only so many variants of the table")
    given = parser.parse_args(arguments)
    print("| lessons | unseen tiles right | unseen exact | unseen sure but wrong | held-out tiles right |")
    print("|---|---|---|---|---|")
    for variant in VARIANTS[: given.first]:
        both = figures(variant, given.steps, given.scenes)
        unseen, held_out = both["unseen"], both["held_out"]
        cells = (unseen["tiles_right"], unseen["photographs_exact"], unseen["sure_but_wrong"], held_out["tiles_right"])
        print(f"| {variant.name} | " + " | ".join(f"{c:.3f}" for c in cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
