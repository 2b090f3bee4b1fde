"""What a network learns from: rendered scenes, the project's photographs or a trainer's own, each process its share.

Held-out scenes and photographs are the measure; nothing of them is ever a lesson."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from datasets import hupai_photos, scene_store
from datasets.labels import LabelledPhoto
from models.own_photos import OwnPhotos, digest
from models.sharpened import sharpened
from vision import network

if TYPE_CHECKING:
    from models.machine import Machine
    from models.training import Recipe
    from models.trial import OnPhotographs

HELD_OUT_SCENES, FEWEST_SCENES = 120, 5
PROJECT = "the project's photographs (sources and licences: models/CARD.md)"


class NoLessons(ValueError):
    """There is nothing to learn from. One sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Lessons:
    """A task with its samples. `measure` is None where no photograph is held out: the samples alone then judge.
    `facts` is what the export writes about the data."""

    task: Any
    measure: OnPhotographs | None
    facts: dict[str, Any]


def photographs(splits: tuple[str, ...], sharp: bool = True) -> list[LabelledPhoto]:
    """The project's photographs of some splits with their pixels; none where the folder is missing. `sharp`: with the
    tiles' own corners where the refiner agrees with the annotator (for lessons, never for measures)."""
    try:
        photos = [p for p in hupai_photos.load() if p.split in splits]
    except hupai_photos.NoPhotographs:
        return []
    opened = [replace(p, pixels=cv2.imread(str(p.path))) for p in photos]
    return sharpened(opened) if sharp else opened


def render(folder: Path, recipe: Recipe, done: Callable[[int], None]) -> None:
    """Render the scenes of a recipe that the folder lacks. NoLessons when they are too few."""
    if recipe.scenes < FEWEST_SCENES:
        raise NoLessons(f"{recipe.scenes} scenes are too few to hold any out: give at least {FEWEST_SCENES}")
    scene_store.write(
        folder,
        recipe.scenes,
        recipe.scene_seed,
        drawn_sets=recipe.drawn_sets,
        photographs=hupai_photos.data_folder().is_dir(),
        drawn_share=recipe.drawn_share,
        done=done,
    )


def prepare(
    name: str, recipe: Recipe, scenes: Path, own: OwnPhotos | None, here: Machine, models: Path = network.FOLDER
) -> Lessons:
    """The lessons of network `name` on this machine.

    scenes: folder of rendered scenes. own: photographs that take the place of the project's. models: the networks that
    stand beside the one in training when photographs are read. NoLessons when they teach it nothing."""
    held = min(HELD_OUT_SCENES, recipe.scenes // 5)

    def wanted(k: int) -> bool:
        return here.first if k < held else here.mine(k - held)

    pictures = list(scene_store.read(scenes, recipe.scenes, wanted))
    tests, lessons = (pictures[:held], pictures[held:]) if here.first else ([], pictures)
    if own is None:
        photos, held_out, singles = photographs(("train",)), photographs(("held_out",), sharp=False), []
        sources = PROJECT if photos else ""
    else:
        photos, held_out, singles = sharpened(list(own.lessons)), list(own.held_out), list(own.singles)
        sources = own.sources
    facts = {
        "data": own.data if own else digest([*photos, *held_out]),
        "photographs": here.total(len(photos)) if own and own.shared else len(photos),
        "held_out": len(held_out),
        "scenes": recipe.scenes,
        "drawn_sets": recipe.drawn_sets,
        "sources": sources,
    }
    if here.ranks > 1 and not (own and own.shared) and len(photos) >= 8 * here.ranks:
        photos = [photo for k, photo in enumerate(photos) if here.mine(k)]
    task: Any
    if name == "refiner":
        from models.refiner_task import RefinerTask

        task = RefinerTask(lessons, tests)
    elif name == "finder":
        from models.finder_task import FinderTask

        whole = [photo for photo in photos if not photo.single]
        if own and not whole:
            raise NoLessons("pictures of single tiles teach no finder: give photographs with boxes or outlines")
        task = FinderTask(lessons, whole, tests[:60] + held_out, recipe.real_share)
    else:
        from datasets.face_sets import drawn
        from models.classifier_task import ClassifierTask, usable

        unseen = photographs(("unseen",), sharp=False) if own is None and here.first else []
        named = {"scenes": tests, "held_out": held_out + singles, "unseen": unseen}
        named = {k: [p for p in v if any(usable(p, m) for m in p.marks)] for k, v in named.items()}
        task = ClassifierTask(
            photos,
            lessons,
            # other sets than those in the scenes
            drawn(recipe.drawn_sets, recipe.scene_seed + 1) if recipe.bare_share else [],
            {k: v for k, v in named.items() if v and here.first},
            (recipe.real_share, 1 - recipe.real_share - recipe.bare_share, recipe.bare_share),
        )
    return Lessons(task, _on_photographs(name, held_out, task, models) if here.first else None, facts)


def _on_photographs(name: str, photos: list[LabelledPhoto], task: Any, models: Path) -> OnPhotographs | None:
    """The measure by whole photographs, where there are any and the other networks are there."""
    from models.trial import OnPhotographs
    from vision.network import NoModel

    if not photos or name == "refiner":
        return None
    try:
        return OnPhotographs(name, photos, task.measure, models)
    except NoModel:
        return None
