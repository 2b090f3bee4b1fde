"""Where tile faces come from: cut from photographs of real sets, vector art, and sets drawn by the project.

Each source gives `FaceSet`s for `datasets.scenes`. Third-party pictures are read where they lie and never copied."""

from __future__ import annotations

import csv
import multiprocessing
from pathlib import Path

import cv2
import numpy as np

from datasets import whole_file
from datasets.hupai_photos import data_folder
from datasets.scenes import FACE_MAX, FaceSet


def _rounded(picture: np.ndarray, share: float = 0.09) -> np.ndarray:
    """A BGR crop as RGBA with rounded transparent corners."""
    h, w = picture.shape[:2]
    alpha = np.zeros((h, w), np.uint8)
    r = max(1, int(w * share))
    cv2.rectangle(alpha, (r, 0), (w - r - 1, h - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (w - 1, h - r - 1), 255, -1)
    for x, y in ((r, r), (w - r - 1, r), (r, h - r - 1), (w - r - 1, h - r - 1)):
        cv2.circle(alpha, (x, y), r, 255, -1)
    return np.dstack([cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), alpha])


def _fit(picture: np.ndarray) -> np.ndarray:
    h, w = picture.shape[:2]
    if h > FACE_MAX:
        picture = cv2.resize(picture, (max(8, round(w * FACE_MAX / h)), FACE_MAX), interpolation=cv2.INTER_AREA)
    return picture


def photographed(folder: Path | None = None) -> list[FaceSet]:
    """Crops of `faces/`. Its folders mix several sets each, so a "set" here takes any of the crops for each tile; a
    folder with a few tiles only joins the first."""
    folder = (folder or data_folder()) / "faces"
    sets: dict[str, FaceSet] = {}
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            picture = cv2.imread(str(folder / row["set"] / row["file"]))
            if picture is None or picture.shape[0] < 24:
                continue
            sets.setdefault(row["set"], {}).setdefault(row["tile"], []).append(_rounded(_fit(picture), 0.06))
    whole = [faces for faces in sets.values() if len(faces) >= 30]
    for few in (faces for faces in sets.values() if len(faces) < 30):
        for tile, pictures in few.items():
            whole[0].setdefault(tile, []).extend(pictures)
    return whole


_FLUFFY = {
    **{f"Man{i}": f"{i}m" for i in range(1, 10)},
    **{f"Pin{i}": f"{i}p" for i in range(1, 10)},
    **{f"Sou{i}": f"{i}s" for i in range(1, 10)},
    **{"Ton": "E", "Nan": "S", "Shaa": "W", "Pei": "N", "Chun": "C", "Hatsu": "F", "Haku": "P"},
    **{"Man5-Dora": "5m", "Pin5-Dora": "5p", "Sou5-Dora": "5s"},
}


def riichi_art(folder: Path | None = None) -> list[FaceSet]:
    """FluffyStuff's faces (CC0) on light grounds of several colours."""
    folder = (folder or data_folder()) / "art" / "FluffyStuff__riichi-mahjong-tiles" / "Export" / "Regular"
    sets: list[FaceSet] = []
    for ground in ((250, 250, 248), (240, 234, 215), (226, 232, 236)):
        faces: FaceSet = {}
        for name, tile in _FLUFFY.items():
            picture = cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_UNCHANGED)
            if picture is None:
                continue
            alpha = picture[..., 3:4].astype(np.float32) / 255
            h, w = picture.shape[:2]
            flat = np.full((h, w, 3), ground[::-1], np.float32) * (1 - alpha) + picture[..., :3] * alpha
            faces.setdefault(tile, []).append(_rounded(_fit(flat.astype(np.uint8))))
        if faces:
            sets.append(faces)
    return sets


def _draw_set(job: tuple[Path, int, int, int]) -> None:
    from datasets.faces import draw, random_style
    from scoring.tiles import TILES

    path, seed, k, height = job
    style = random_style(np.random.default_rng([seed, k]))
    names = [*TILES, "back", *(f"0{suit}" for suit in "mps" if k % 3 == 0)]
    whole_file.save(path, **{f"t{name}": draw(name, style, height) for name in names})


def drawn(
    count: int, seed: int = 0, height: int = 96, cache: Path = Path("runs/drawn"), processes: int = 1
) -> list[FaceSet]:
    """Sets drawn by the project, one random style each, in every third set red fives among the fives. Drawing a set
    takes two seconds, so sets are kept in the folder `cache`."""
    cache.mkdir(parents=True, exist_ok=True)
    paths = [cache / f"set-{height}-{seed}-{k:04d}.npz" for k in range(count)]
    jobs = [(path, seed, k, height) for k, path in enumerate(paths) if not path.exists()]
    if jobs and processes > 1:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            pool.map(_draw_set, jobs, chunksize=1)
    else:
        for job in jobs:
            _draw_set(job)
    sets: list[FaceSet] = []
    for path in paths:
        faces: FaceSet = {}
        with np.load(path) as pictures:
            for name in pictures.files:
                tile = name[1:].replace("0", "5") if name[1] == "0" else name[1:]
                faces.setdefault(tile, []).append(pictures[name])
        sets.append(faces)
    return sets
