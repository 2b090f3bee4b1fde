"""The course of a training: a row of figures for each measurement, as CSV for programs and as a picture for people."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

Row = Mapping[str, str]
WIDTH, HEIGHT = 900, 300
INK, GRID = (60, 60, 60), (225, 225, 225)
COLOURS = ((60, 60, 60), (40, 110, 230), (60, 150, 30), (200, 90, 30), (150, 60, 170), (30, 160, 190), (90, 90, 220))


def append(path: Path, step: int, numbers: Mapping[str, float]) -> list[Row]:
    """Add a measurement to `curve.csv` and return all rows. Rows of this step or later ones, which a run that was
    killed and goes on measures once more, are replaced; a figure that is new gets a column."""
    rows: list[Row] = [row for row in read(path) if int(row["step"]) < step]
    rows.append({"step": str(step), **{k: f"{v:.6g}" for k, v in numbers.items()}})
    columns = list(dict.fromkeys(key for row in rows for key in row))
    half = path.with_suffix(".csv.part")
    with half.open("w", newline="", encoding="utf-8") as lines:
        table = csv.DictWriter(lines, columns, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    os.replace(half, path)
    return rows


def read(path: Path) -> list[Row]:
    """The rows of a `curve.csv`; none where there is none, and none of those that a crash cut off."""
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as lines:
        return [row for row in csv.DictReader(lines) if (row.get("step") or "").isdigit()]


def picture(rows: Sequence[Row], losses: Sequence[str]) -> np.ndarray:
    """Two diagrams over the steps, uint8 (h, w, 3): above what the training minimises (`losses`, a logarithmic scale),
    below what it is measured by."""
    measured = [key for key in dict.fromkeys(k for row in rows for k in row) if key not in ("step", *losses)]
    shares = [key for key in measured if all(-0.01 <= v <= 1.5 for v in _values(rows, key)) and _values(rows, key)]
    return np.vstack([_diagram("training loss", rows, losses, True), _diagram("measured", rows, shares, False)])


def _values(rows: Sequence[Row], key: str) -> list[float]:
    return [float(row[key]) for row in rows if row.get(key)]


def _diagram(title: str, rows: Sequence[Row], keys: Sequence[str], logarithmic: bool) -> np.ndarray:
    canvas = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    left, right, top, floor = 64, WIDTH - 210, 34, HEIGHT - 34
    _write(canvas, title, (left, 20), 0.5)
    steps = [int(row["step"]) for row in rows]
    every = [v for key in keys for v in _values(rows, key) if math.isfinite(v) and (v > 0 or not logarithmic)]
    if not every:
        return canvas
    low, high = min(every), max(every)
    scale = (lambda v: math.log(max(v, 1e-9))) if logarithmic else float
    bottom, ceiling = scale(low), scale(high)
    room = max(ceiling - bottom, 1e-6)

    def place(step: int, value: float) -> tuple[int, int]:
        x = left + (right - left) * (step - steps[0]) / max(steps[-1] - steps[0], 1)
        return round(x), round(floor - (floor - top) * (scale(value) - bottom) / room)

    for k in range(5):
        level = bottom + room * k / 4
        y = round(floor - (floor - top) * k / 4)
        cv2.line(canvas, (left, y), (right, y), GRID, 1)
        _write(canvas, f"{math.exp(level) if logarithmic else level:.3g}", (8, y + 4), 0.36)
    for step in (steps[0], steps[-1]):
        _write(canvas, str(step), (place(step, low)[0] - 8, HEIGHT - 14), 0.36)
    for k, key in enumerate(keys):
        colour = COLOURS[k % len(COLOURS)]
        points = [
            place(step, float(row[key]))
            for step, row in zip(steps, rows, strict=True)
            if row.get(key) and math.isfinite(float(row[key])) and (float(row[key]) > 0 or not logarithmic)
        ]
        if not points:
            continue
        cv2.polylines(canvas, [np.array(points, np.int32)], False, colour, 2, cv2.LINE_AA)
        for point in points:
            cv2.circle(canvas, point, 3, colour, -1, cv2.LINE_AA)
        last = next(row[key] for row in reversed(rows) if row.get(key))
        _write(canvas, f"{key} {float(last):.4g}", (right + 12, top + 10 + 20 * k), 0.4, colour)
    return canvas


def _write(canvas: np.ndarray, words: str, place: tuple[int, int], size: float, colour: tuple[int, ...] = INK) -> None:
    cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
