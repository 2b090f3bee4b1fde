"""Pictures of tables that never were: tiles as boxes in space, seen by a camera, with exact corners for every face.

A scene is laid out in tile widths on a table (z up), each tile a box with a yaw and a pose (face up, face down,
standing, leaning on a rack), grouped as people group them: the hand in a row, melds with a sideways tile, kongs with
two backs, discards, walls. A pinhole camera looks at it from 15 to 90 degrees and any roll; faces are warped in, sides
shaded, shadows thrown, and then the photograph is spoiled as phones spoil it. Nothing is ever mirrored.

Pure: the same seed, faces and size give the same pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from datasets.labels import LabelledPhoto, Mark

FaceSet = dict[str, list[np.ndarray]]
"""One physical or drawn set: for each tile code its pictures, uint8 RGBA (h, w, 4), upright, tight around the face."""

ANTIALIAS = 2
FACE_MAX = 160
"""Longest height a face texture is used at, in pixels."""

Vector = np.ndarray


@dataclass
class Tile3D:
    """A tile on the table. Its own frame: x along the width, y up the face, z out of the face."""

    code: str
    centre: Vector
    axes: np.ndarray  # (3, 3): columns are the tile's x, y, z in table coordinates
    labelled: bool = True
    size: tuple[float, float, float] = (1.0, 1.36, 0.8)


@dataclass
class SetLook:
    """What all tiles of one set share: proportions and the colours of body and back (BGR)."""

    height: float
    depth: float
    body: Vector
    back: Vector
    back_share: float
    face_wear: float
    textures: FaceSet = field(default_factory=dict)


def rotation(yaw: float, pitch: float = 0.0) -> np.ndarray:
    """Axes of a tile lying face up, then raised by `pitch` (pi/2 stands on its lower edge), then turned by `yaw`."""
    cp, sp, cy, sy = math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw)
    raised = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
    turned = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return turned @ raised


def face_down(axes: np.ndarray) -> np.ndarray:
    return axes @ np.diag([-1.0, 1.0, -1.0])


class Camera:
    """A pinhole camera that looks at a point of the table."""

    def __init__(
        self,
        target: Vector,
        distance: float,
        elevation: float,
        azimuth: float,
        roll: float,
        focal: float,
        centre: Vector,
    ):
        away = np.array(
            [math.cos(elevation) * math.sin(azimuth), -math.cos(elevation) * math.cos(azimuth), math.sin(elevation)]
        )
        self.position = target + distance * away
        forward = -away
        right = np.cross(forward, [0, 0, 1.0])
        if np.linalg.norm(right) < 1e-6:
            right = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        c, s = math.cos(roll), math.sin(roll)
        self.rows = np.stack([c * right + s * down, -s * right + c * down, forward])
        self.focal, self.centre = focal, centre

    def project(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) table points → (n, 2) pixels."""
        seen = (points - self.position) @ self.rows.T
        depth = np.maximum(seen[:, 2:3], 0.05)
        return seen[:, :2] / depth * self.focal + self.centre

    def depth(self, point: Vector) -> float:
        return float(np.linalg.norm(point - self.position))


def _colour(rng: np.random.Generator, low: Sequence[int], high: Sequence[int]) -> Vector:
    return rng.uniform(low, high).astype(np.float64)


def random_look(rng: np.random.Generator, textures: FaceSet) -> SetLook:
    """Body, back and proportions for a set of faces."""
    ratios = [t.shape[0] / t.shape[1] for many in textures.values() for t in many[:1]]
    height = float(np.clip(np.median(ratios), 1.2, 1.55))
    white = (
        _colour(rng, (205, 215, 218), (250, 252, 255))
        if rng.random() < 0.8
        else _colour(rng, (170, 200, 205), (225, 240, 248))
    )
    backs = [
        (60, 130, 40),
        (180, 110, 30),
        (30, 140, 210),
        (40, 40, 40),
        (40, 90, 200),
        (130, 40, 130),
        (200, 190, 90),
        (225, 228, 230),
    ]
    back = np.clip(np.array(backs[rng.integers(len(backs))]) + rng.normal(0, 25, 3), 0, 255)
    return SetLook(
        height,
        float(rng.uniform(0.55, 0.9)),
        white,
        back,
        float(rng.choice([0.0, 0.35, 0.5])),
        float(rng.uniform(0, 1)),
        textures,
    )


# --- laying tiles out -------------------------------------------------------------------------------------------------


def _row(
    rng: np.random.Generator, look: SetLook, codes: Sequence[str], pose: str, gap: float, jitter: float
) -> list[Tile3D]:
    """A row along x, starting at the origin. Poses: flat, standing, leaning."""
    tiles, x = [], 0.0
    pitch = {"flat": 0.0, "standing": math.pi / 2, "leaning": math.pi / 2 - float(rng.uniform(0.1, 0.9))}[pose]
    for code in codes:
        down = code == "back" and rng.random() < 0.97
        axes = rotation(rng.normal(0, jitter), pitch)
        if rng.random() < 0.04 and pose == "flat":
            axes = axes @ np.diag([-1.0, -1.0, 1.0])  # the person turned it by half
        if down:
            axes = face_down(axes)
        lift = abs(axes[2, 1]) * look.height / 2 + abs(axes[2, 2]) * look.depth / 2
        tiles.append(
            Tile3D(
                code, np.array([x + 0.5, rng.normal(0, jitter * 0.8), lift]), axes, size=(1.0, look.height, look.depth)
            )
        )
        x += 1.0 + (abs(rng.normal(0, gap)) if gap else rng.uniform(0, 0.015))
        if rng.random() < 0.03:
            x += rng.uniform(0.3, 1.5)
    return tiles


def _meld(rng: np.random.Generator, look: SetLook, codes: Sequence[str], kind: str) -> list[Tile3D]:
    """Three or four tiles side by side; one may lie sideways, the added kong's fourth beside it; a closed kong shows
    backs."""
    h, tiles, x = look.height, [], 0.0
    sideways = int(rng.integers(3)) if kind != "kong_concealed" and rng.random() < 0.6 else -1
    row = list(codes) if kind != "kong_added" else list(codes[:3])
    hidden = {"kong_concealed": [(0, 3), (1, 2), (0, 1, 2)][int(rng.integers(3))]}.get(kind, ())
    for i, code in enumerate(row):
        if i == sideways:
            axes = rotation(math.pi / 2 * (1 if rng.random() < 0.5 else -1))
            for k in range(2 if kind == "kong_added" else 1):
                tiles.append(
                    Tile3D(
                        code,
                        np.array([x + h / 2, -h / 2 + 0.5 + 1.01 * k, look.depth / 2]),
                        axes,
                        size=(1.0, h, look.depth),
                    )
                )
            x += h + 0.01
            continue
        axes = rotation(rng.normal(0, 0.02))
        down = i in hidden
        tiles.append(
            Tile3D(
                "back" if down else code,
                np.array([x + 0.5, 0, look.depth / 2]),
                face_down(axes) if down else axes,
                size=(1.0, h, look.depth),
            )
        )
        x += 1.01
    return tiles


def _place(tiles: list[Tile3D], x: float, y: float, yaw: float = 0.0) -> list[Tile3D]:
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    for t in tiles:
        t.centre, t.axes = turn @ t.centre + [x, y, 0], turn @ t.axes
    return tiles


def _pool(rng: np.random.Generator, codes: Sequence[str]) -> list[str]:
    faces = [c for c in codes if c != "back"]
    deck = faces * max(4, -(-120 // len(faces)))  # a set of few faces lies on the table more often than four times
    rng.shuffle(deck)
    return deck


def _crowd(rng: np.random.Generator, look: SetLook, deck: list[str]) -> tuple[list[Tile3D], tuple[float, float], float]:
    """Tiles that stand about singly, turned more or less to the camera, some half behind others."""
    spread, near = float(rng.uniform(1.8, 4.5)), float(rng.uniform(0.75, 1.6))
    spots: list[np.ndarray] = []
    tiles: list[Tile3D] = []
    for _ in range(int(rng.integers(4, 20))):
        spot = rng.uniform(-spread, spread, 2) * [1.0, 0.6]
        if any(np.linalg.norm((spot - o) * [1.0, 0.8]) < near for o in spots):
            continue
        spots.append(spot)
        axes = rotation(float(rng.normal(0, 0.25)), math.pi / 2)
        centre = np.array([*spot, look.height / 2])
        tiles.append(Tile3D(deck.pop(), centre, axes, size=(1.0, look.height, look.depth)))
    return tiles, (0.0, 0.0), spread * float(rng.uniform(2.0, 3.2))


def _lay_table(rng: np.random.Generator, look: SetLook) -> tuple[list[Tile3D], tuple[float, float], float]:
    """Everything on the table, the point the camera looks at and how many tile widths should fit across."""
    deck = _pool(rng, list(look.textures))
    tiles: list[Tile3D] = []
    kind = rng.choice(["hand", "hand", "hand", "scatter", "grid", "close", "crowd"])
    if kind == "crowd":
        return _crowd(rng, look, deck)
    if kind == "grid":
        columns, rows = int(rng.integers(3, 11)), int(rng.integers(2, 5))
        gap = float(rng.choice([0.0, 0.02, 0.2]))
        for r in range(rows):
            part = _row(rng, look, [deck.pop() for _ in range(columns)], "flat", gap, 0.01)
            tiles += _place(part, 0, r * (look.height + (gap or 0.01)))
        return (
            tiles,
            (columns / 2, rows * look.height / 2),
            max(columns, rows * look.height) * float(rng.uniform(1.05, 1.8)),
        )
    if kind == "scatter":
        count, spread = int(rng.integers(3, 24)), float(rng.uniform(2.5, 8))
        spots: list[np.ndarray] = []
        for _ in range(count):
            spot = rng.uniform(-spread, spread, 2)
            if any(np.linalg.norm(spot - o) < look.height * 1.12 for o in spots):
                continue
            spots.append(spot)
            down = rng.random() < 0.06
            pitch = 0.0 if rng.random() < 0.75 else math.pi / 2
            axes = rotation(rng.uniform(0, 2 * math.pi), pitch)
            axes = face_down(axes) if down else axes
            lift = abs(axes[2, 1]) * look.height / 2 + abs(axes[2, 2]) * look.depth / 2
            tiles.append(
                Tile3D(
                    "back" if down else deck.pop(), np.array([*spot, lift]), axes, size=(1.0, look.height, look.depth)
                )
            )
        return tiles, (0.0, 0.0), spread * float(rng.uniform(1.6, 2.8))
    melds = int(rng.choice([0, 0, 0, 1, 1, 2, 3, 4])) if kind == "hand" else 0
    hand = 14 - 3 * melds if kind == "hand" else int(rng.integers(2, 7))
    if rng.random() < 0.2 and kind == "hand":
        hand = int(rng.integers(max(2, hand - 4), hand + 5))
    codes = [deck.pop() for _ in range(hand)]
    if rng.random() < 0.6:
        codes.sort()
    if rng.random() < 0.08:
        codes[int(rng.integers(len(codes)))] = "back"
    pose = str(rng.choice(["flat", "flat", "flat", "standing", "leaning"]))
    row = _row(rng, look, codes, pose, float(rng.choice([0, 0, 0.04, 0.3])), float(rng.choice([0.004, 0.02, 0.06])))
    if rng.random() < 0.15 and kind == "hand":  # the winning tile set apart or turned
        apart = row[-1]
        apart.centre = apart.centre + np.array([rng.uniform(0.2, 1.2), rng.uniform(-0.3, 0.3), 0])
        if rng.random() < 0.5 and pose == "flat":
            apart.axes = rotation(math.pi / 2) @ apart.axes
            apart.centre = apart.centre + np.array([0.3, 0, 0])
    tiles += row
    width = max(t.centre[0] for t in row) + 0.5
    x, above = (0.0, True) if rng.random() < 0.6 else (width + 0.5, False)
    for _ in range(melds):
        code = deck.pop()
        form = str(rng.choice(["chow", "pung", "pung", "kong_exposed", "kong_added", "kong_concealed"]))
        many = [code] * 4
        if form == "chow" and code[0] in "1234567" and len(code) == 2 and code[1] in "mps":
            many = [f"{int(code[0]) + k}{code[1]}" for k in range(3)]
            many = many if all(c in look.textures for c in many) else [code] * 3
        part = _meld(rng, look, many[:3] if form in ("chow", "pung") else many, form)
        tiles += _place(part, x, (look.height + float(rng.uniform(0.3, 1.2))) if above else 0.0)
        x += 4.2 + float(rng.uniform(0.1, 0.6)) * 1.0
    if rng.random() < 0.45 and kind == "hand":  # discards in the middle
        for _ in range(int(rng.integers(3, 26))):
            spot = np.array([rng.uniform(-2, width + 2), rng.uniform(3.5, 9)])
            if any(np.linalg.norm(spot - t.centre[:2]) < look.height * 1.05 for t in tiles):
                continue
            axes = rotation(rng.uniform(0, 2 * math.pi) if rng.random() < 0.7 else rng.normal(0, 0.05))
            tiles.append(
                Tile3D(deck.pop(), np.array([*spot, look.depth / 2]), axes, size=(1.0, look.height, look.depth))
            )
    if rng.random() < 0.35 and kind == "hand":  # a wall of backs, two high
        y = float(rng.uniform(10, 12)) if rng.random() < 0.6 else -2.5
        x0, yaw = float(rng.uniform(-4, 4)), float(rng.normal(0, 0.15))
        part = []
        for i in range(int(rng.integers(4, 14))):
            for level in range(2):
                axes = face_down(rotation(0))
                part.append(
                    Tile3D(
                        "back",
                        np.array([i * 1.01, 0, look.depth * (level + 0.5)]),
                        axes,
                        labelled=False,
                        size=(1.0, look.height, look.depth),
                    )
                )
        tiles += _place(part, x0, y, yaw)
    span = max(width, x if melds else 0.0)
    return tiles, (span / 2, look.height * 0.5), span * float(rng.uniform(1.05, 2.0))


# --- painting ---------------------------------------------------------------------------------------------------------


def _noise(rng: np.random.Generator, h: int, w: int, cells: int) -> np.ndarray:
    small = rng.standard_normal((max(2, h * cells // max(h, w)), max(2, w * cells // max(h, w)))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


_PRINT = cv2.FontFace("uni")
"""OpenCV's own font, which has Chinese characters too."""


def _write(canvas: np.ndarray, text: str, at: tuple[int, int], size: float, ink: tuple[int, ...]) -> None:
    cv2.putText(canvas, text, at, ink, _PRINT, max(6, int(size)), 0)


def _paint_text(rng: np.random.Generator, canvas: np.ndarray) -> None:
    """Books, print, keyboards and cards: what is not a tile but looks drawn."""
    h, w = canvas.shape[:2]
    letters = "ABCDEFGHJKLMNPRSTUVWXYZabcdefghknopqrstuvxyz0123456789&%#+=?"
    what = rng.integers(4)
    x, y = int(rng.integers(0, w)), int(rng.integers(0, h))
    size = int(rng.integers(w // 20, w // 6))
    if what == 0:  # a row of book spines
        for _ in range(int(rng.integers(3, 12))):
            bw, bh = int(rng.integers(size // 4, size)), int(size * rng.uniform(3, 6))
            pale = rng.random() < 0.5
            colour = tuple(int(v) for v in rng.integers(190 if pale else 0, 256, 3))
            cv2.rectangle(canvas, (x, y), (x + bw, y + bh), colour, -1)
            ink = tuple(int(v) for v in rng.integers(0, 90 if pale else 256, 3))
            hanzi = (
                rng.random() < 0.6
            )  # a spine set from above to below in characters, as most books beside such tables
            for k in range(int(rng.integers(2, 9))):
                word = chr(int(rng.integers(0x4E00, 0x9FA0))) if hanzi else "".join(rng.choice(list(letters), 2))
                _write(canvas, word, (x + bw // 10, y + (k + 1) * bw), bw * (0.8 if hanzi else 0.6), ink)
            x += bw + int(rng.integers(0, 3))
    elif what == 1:  # keys
        body = _colour(rng, (20, 20, 20), (240, 240, 240))
        key = np.clip(body + rng.normal(0, 60), 0, 255)
        ink = (0, 0, 0) if key.mean() > 120 else (255, 255, 255)
        pitch = max(8, size // 2)
        for r in range(int(rng.integers(2, 5))):
            for c in range(int(rng.integers(3, 10))):
                px, py = x + c * pitch + r * pitch // 3, y + r * pitch
                cv2.rectangle(canvas, (px, py), (px + pitch - 3, py + pitch - 3), tuple(key.tolist()), -1)
                cv2.putText(
                    canvas,
                    str(rng.choice(list(letters))),
                    (px + pitch // 5, py + pitch // 2),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    pitch / 60,
                    ink,
                    1,
                    cv2.LINE_AA,
                )
    elif what == 2:  # printed lines, in either script
        ground = _colour(rng, (180, 180, 180), (255, 255, 255))
        cv2.rectangle(canvas, (x, y), (x + size * 5, y + size * 4), tuple(ground.tolist()), -1)
        for k in range(int(rng.integers(3, 12))):
            count = int(rng.integers(5, 30))
            if rng.random() < 0.4:
                line = "".join(chr(int(c)) for c in rng.integers(0x4E00, 0x9FA0, count))
            else:
                line = "".join(rng.choice(list(letters + "     "), count))
            _write(canvas, line, (x + 4, y + (k + 1) * size // 3), size * rng.uniform(0.15, 0.28), (30, 30, 30))
    else:  # loose shapes: coasters, sticks, dice, fingers
        for _ in range(int(rng.integers(1, 7))):
            colour = tuple(int(v) for v in rng.integers(0, 256, 3))
            px, py = int(rng.integers(0, w)), int(rng.integers(0, h))
            shape = rng.integers(3)
            if shape == 0:
                cv2.circle(canvas, (px, py), int(size * rng.uniform(0.2, 1.2)), colour, -1, cv2.LINE_AA)
            elif shape == 1:
                box = cv2.boxPoints(
                    ((px, py), (size * rng.uniform(1, 5), size * rng.uniform(0.08, 0.5)), rng.uniform(0, 180))
                )
                cv2.fillPoly(canvas, [box.astype(np.int32)], colour, cv2.LINE_AA)
            else:
                cv2.ellipse(
                    canvas,
                    (px, py),
                    (int(size * 2.5), int(size * 0.5)),
                    rng.uniform(0, 360),
                    0,
                    360,
                    tuple(_colour(rng, (110, 140, 180), (170, 200, 245)).tolist()),
                    -1,
                    cv2.LINE_AA,
                )


def _ground(rng: np.random.Generator, h: int, w: int, camera: Camera) -> np.ndarray:
    """Cloth, wood, mat, rail and clutter."""
    palette = [
        (70, 130, 40),
        (60, 100, 30),
        (150, 120, 40),
        (120, 90, 60),
        (60, 110, 165),
        (90, 140, 190),
        (200, 205, 210),
        (235, 235, 235),
        (30, 30, 30),
        (60, 60, 70),
        (60, 40, 130),
        (170, 160, 60),
    ]
    base = np.clip(
        np.array(palette[rng.integers(len(palette))], np.float32) + rng.normal(0, 22, 3).astype(np.float32), 0, 255
    )
    canvas = np.empty((h, w, 3), np.float32)
    canvas[:] = base
    if rng.random() < 0.3:  # wood: stretched noise
        grain = cv2.resize(
            rng.standard_normal((int(rng.integers(20, 120)), 3)).astype(np.float32),
            (w, h),
            interpolation=cv2.INTER_CUBIC,
        )
        grain = grain if rng.random() < 0.5 else cv2.resize(cv2.rotate(grain, cv2.ROTATE_90_CLOCKWISE), (w, h))
        canvas += grain[..., None] * float(rng.uniform(3, 18))
    for cells in (6, 40, 200):
        canvas += _noise(rng, h, w, cells)[..., None] * float(rng.uniform(0, 9))
    if rng.random() < 0.25:  # weave or print
        period = float(rng.uniform(4, 24))
        xs, ys = np.meshgrid(np.arange(w), np.arange(h))
        a = rng.uniform(0, math.pi)
        canvas += (np.sin((xs * math.cos(a) + ys * math.sin(a)) * 2 * math.pi / period) * rng.uniform(2, 14))[
            ..., None
        ].astype(np.float32)
    canvas = np.clip(canvas, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 3))):  # rails and the edge of the table, along or across the row
        y0 = float(rng.choice([-2.2, -1.6, 6, 12])) + float(rng.normal(0, 0.5))
        depth = float(rng.choice([1.0, 2.0, 30.0]))
        corners = np.array(
            [
                [-60, y0, 0],
                [60, y0, 0],
                [60, y0 - depth if y0 < 0 else y0 + depth, 0],
                [-60, y0 - depth if y0 < 0 else y0 + depth, 0],
            ]
        )
        seen = (corners - camera.position) @ camera.rows.T
        if (seen[:, 2] < 1).any():
            continue
        colour = np.clip(np.array(palette[rng.integers(len(palette))]) + rng.normal(0, 20, 3), 0, 255)
        cv2.fillPoly(
            canvas, [camera.project(corners).clip(-9000, 9000).astype(np.int32)], tuple(colour.tolist()), cv2.LINE_AA
        )
    for _ in range(int(rng.choice([0, 0, 1, 2, 4, 7]))):
        _paint_text(rng, canvas)
    return canvas


_CORNER_SIGNS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_SIDES: tuple[tuple[int, int], ...] = ((0, -1), (0, 1), (1, -1), (1, 1))


def _face_corners(tile: Tile3D, back: bool) -> np.ndarray:
    """Corners (4, 3) of the printed face (or of the back), clockwise from its own top left as one looks at it."""
    w, h, d = tile.size
    z = -d / 2 if back else d / 2
    s = -1 if back else 1
    local = np.array([[-s * w / 2, h / 2, z], [s * w / 2, h / 2, z], [s * w / 2, -h / 2, z], [-s * w / 2, -h / 2, z]])
    return tile.centre + local @ tile.axes.T


def _side_corners(tile: Tile3D, axis: int, sign: int, z0: float, z1: float) -> np.ndarray:
    """A band of one side between two depths (z0, z1 from -0.5 at the back to 0.5 at the face)."""
    w, h, d = tile.size
    size = np.array([w, h, d])
    other = 1 - axis
    local = np.zeros((4, 3))
    local[:, axis] = sign * 0.5
    local[:, other] = [-0.5, 0.5, 0.5, -0.5]
    local[:, 2] = [z0, z0, z1, z1]
    return tile.centre + (local * size) @ tile.axes.T


def _area(quad: np.ndarray) -> float:
    """Signed area; positive when the corners run clockwise on the screen (y down)."""
    x, y = quad[:, 0], quad[:, 1]
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def _paste(canvas: np.ndarray, texture: np.ndarray, quad: np.ndarray, shade: float) -> None:
    """Warp an RGBA texture onto a quadrilateral of the canvas (BGR, uint8)."""
    h, w = canvas.shape[:2]
    x0, y0 = np.floor(quad.min(0)).astype(int) - 1
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 2
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
    if x1 <= x0 or y1 <= y0:
        return
    length = max(float(np.linalg.norm(quad[0] - quad[3])), float(np.linalg.norm(quad[1] - quad[2])), 4.0)
    th, tw = texture.shape[:2]
    if th > length * 1.3:
        scale = length * 1.1 / th
        texture = cv2.resize(
            texture, (max(3, round(tw * scale)), max(4, round(th * scale))), interpolation=cv2.INTER_AREA
        )
        th, tw = texture.shape[:2]
    source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
    warped = cv2.warpPerspective(
        texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    alpha = warped[..., 3:4].astype(np.float32) / 255
    colour = warped[..., 2::-1].astype(np.float32) * shade
    region = canvas[y0:y1, x0:x1]
    region[:] = np.clip(region * (1 - alpha) + colour * alpha, 0, 255).astype(np.uint8)


def _prepared(texture: np.ndarray) -> np.ndarray:
    """A texture at most FACE_MAX high."""
    if texture.shape[0] > FACE_MAX:
        w = max(8, round(texture.shape[1] * FACE_MAX / texture.shape[0]))
        texture = cv2.resize(texture, (w, FACE_MAX), interpolation=cv2.INTER_AREA)
    return texture


def render(
    seed: int,
    face_sets: Sequence[FaceSet],
    size: tuple[int, int] = (480, 480),
    pixels_per_tile: tuple[float, float] = (12.0, 90.0),
    spoil: bool = True,
    lay: Callable[[np.random.Generator, SetLook], tuple[list[Tile3D], tuple[float, float], float]] = _lay_table,
    elevation: tuple[float, float] = (0.3, math.pi / 2),
    roll: float | None = None,
    frontal: bool = False,
) -> LabelledPhoto:
    """Render one scene.

    size: width and height in pixels. pixels_per_tile: bounds of a tile's width in the picture. spoil: add what phones
    add (blur, noise, colour cast, shadow, glare, JPEG). roll: the camera's turn in radians, None for any. frontal: the
    camera stands before the hand and aims at its middle, so that nothing is cut off.
    """
    rng = np.random.default_rng(seed)
    textures = face_sets[int(rng.integers(len(face_sets)))]
    look = random_look(rng, textures)
    tiles, target, across = lay(rng, look)
    width, height = size[0] * ANTIALIAS, size[1] * ANTIALIAS
    tile_pixels = float(np.clip(size[0] / across, *pixels_per_tile)) * ANTIALIAS
    raised = math.asin(rng.uniform(math.sin(elevation[0]), math.sin(elevation[1])))
    distance = float(rng.uniform(14, 40))
    turn = (
        roll
        if roll is not None
        else (float(rng.uniform(0, 2 * math.pi)) if rng.random() < 0.5 else float(rng.normal(0, 0.12)))
    )
    azimuth = float(rng.normal(0, 0.35)) if rng.random() < 0.7 else float(rng.uniform(-math.pi, math.pi))
    if frontal:
        azimuth = float(rng.normal(0, 0.06))
    if any(abs(t.axes[2, 1]) > 0.5 for t in tiles):
        azimuth = float(np.clip(azimuth, -1.0, 1.0))
        raised = min(raised, 1.0)
    aside = 0.0 if frontal else 0.12
    centre = np.array([width, height]) / 2 + rng.uniform(-aside, aside, 2) * [width, height]
    camera = Camera(np.array([*target, 0.0]), distance, raised, azimuth, turn, tile_pixels * distance, centre)
    canvas = _ground(rng, height, width, camera)

    light = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.8, 2.0)])
    light /= np.linalg.norm(light)
    ambient = float(rng.uniform(0.45, 0.75))

    shadow = np.zeros((height // 4, width // 4), np.uint8)
    for tile in tiles:
        corners = tile.centre + (_CORNER_SIGNS * tile.size) @ tile.axes.T
        flat = corners.copy()
        flat[:, :2] -= light[:2] / light[2] * corners[:, 2:3] * 0.8
        flat[:, 2] = 0
        hull = cv2.convexHull((camera.project(flat) / 4).clip(-3000, 3000).astype(np.float32))
        cv2.fillConvexPoly(shadow, hull.astype(np.int32), 255)
    soft = cv2.GaussianBlur(shadow, (0, 0), float(rng.uniform(0.6, 5)) * tile_pixels / 60 + 0.5)
    soft = cv2.resize(soft, (width, height)).astype(np.float32) * (float(rng.uniform(0.15, 0.7)) / 255)
    canvas = (canvas * (1 - soft[..., None])).astype(np.uint8)

    owner = np.full((size[1], size[0]), -1, np.int16)
    face_ids: list[tuple[int, np.ndarray, bool]] = []
    rng.uniform(0.0, 0.5)  # a draw without use; without it every seed would show another picture
    body_front = look.body
    cache: dict[tuple[str, int], np.ndarray] = {}
    for index in sorted(range(len(tiles)), key=lambda i: -camera.depth(tiles[i].centre)):
        tile = tiles[index]
        back_edge = -0.5 + look.back_share
        order: list[tuple[float, np.ndarray, Vector]] = []
        for axis, sign in _SIDES:
            for z0, z1, colour in ((-0.5, back_edge, look.back), (back_edge, 0.5, body_front)):
                if z1 - z0 < 0.01:
                    continue
                corners = _side_corners(tile, axis, sign, z0, z1)
                normal = tile.axes[:, axis] * sign
                if np.dot(normal, camera.position - corners.mean(0)) <= 0:
                    continue
                shade = ambient + (1.15 - ambient) * max(0.0, float(np.dot(normal, light)))
                order.append((shade, camera.project(corners), colour))
        for shade, quad, colour in order:
            points = quad.clip(-9000, 9000)
            cv2.fillConvexPoly(
                canvas, points.astype(np.int32), tuple(np.clip(colour * shade, 0, 255).tolist()), cv2.LINE_AA
            )
            cv2.fillConvexPoly(owner, (points / ANTIALIAS).astype(np.int32), -1)
        for back in (False, True):
            corners = _face_corners(tile, back)
            normal = tile.axes[:, 2] * (-1 if back else 1)
            if np.dot(normal, camera.position - corners.mean(0)) <= 0:
                continue
            quad = camera.project(corners)
            shade = ambient + (1.15 - ambient) * max(0.0, float(np.dot(normal, light)))
            points = quad.clip(-9000, 9000)
            ground = look.back if back else body_front
            if back and look.back_share == 0:
                ground = look.back if rng.random() < 0.5 else body_front
            cv2.fillConvexPoly(
                canvas, points.astype(np.int32), tuple(np.clip(ground * shade, 0, 255).tolist()), cv2.LINE_AA
            )
            cv2.fillConvexPoly(owner, (points / ANTIALIAS).astype(np.int32), index)
            if not back and tile.code in look.textures:
                many = look.textures[tile.code]
                pick = int(rng.integers(len(many)))
                key = (tile.code, pick)
                if key not in cache:
                    cache[key] = _prepared(many[pick])
                _paste(canvas, cache[key], quad, shade)
            elif back and "back" in look.textures and rng.random() < 0.5:
                _paste(canvas, look.textures["back"][0], quad, shade)
            edge = tuple(np.clip(ground * shade * rng.uniform(0.72, 1.05), 0, 255).tolist())
            cv2.polylines(canvas, [points.astype(np.int32)], True, edge, max(1, int(tile_pixels / 40)), cv2.LINE_AA)
            face_ids.append((index, (quad + 0.5) / ANTIALIAS, back))

    marks: list[Mark] = []
    for index, quad, back in face_ids:
        tile = tiles[index]
        x0, y0 = quad.min(0)
        x1, y1 = quad.max(0)
        if x1 < 0 or y1 < 0 or x0 > size[0] or y0 > size[1]:
            continue
        area = abs(_area(quad))
        visible = float((owner[max(0, int(y0)) : int(y1) + 2, max(0, int(x0)) : int(x1) + 2] == index).sum()) / max(
            area, 1.0
        )
        long = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[0] - quad[1]))
        slanted = (
            area < 0.28 * long * long or min(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[0] - quad[3])) < 6
        )
        standing_back = back and tile.code != "back"
        if visible < 0.25 and not standing_back:
            continue
        code = "back" if back else tile.code
        ignored = visible < 0.62 or slanted or standing_back or (back != (tile.code == "back"))
        if not tile.labelled:
            ignored = True
        marks.append(Mark(code, quad.copy(), exact=True, upright=not back, ignored=ignored))

    picture = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
    if spoil:
        picture = spoil_picture(rng, picture, tile_pixels / ANTIALIAS)
    return LabelledPhoto(
        f"scene-{seed}", size[0], size[1], tuple(marks), pixels=picture, group="scene", cluster=f"scene-{seed}"
    )


def spoil_picture(rng: np.random.Generator, picture: np.ndarray, tile_pixels: float) -> np.ndarray:
    """What a phone in a living room does to a picture: uneven light, cast, glare, blur, noise, JPEG."""
    h, w = picture.shape[:2]
    image = picture.astype(np.float32)
    if rng.random() < 0.6:  # uneven light and soft shadows
        field_ = _noise(rng, h, w, int(rng.integers(2, 5)))
        image *= 1 + np.clip(field_, -1.5, 1.5)[..., None] * float(rng.uniform(0.05, 0.3))
    if rng.random() < 0.15:  # a hard shadow across the table
        mask = np.zeros((h, w), np.uint8)
        points = rng.uniform(-0.3, 1.3, (4, 2)) * [w, h]
        cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.float32)).astype(np.int32), 255)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 12)))
        image *= 1 - mask[..., None].astype(np.float32) / 255 * float(rng.uniform(0.2, 0.6))
    if rng.random() < 0.2:  # glare
        glare = np.zeros((h, w), np.float32)
        centre = (int(rng.integers(w)), int(rng.integers(h)))
        cv2.ellipse(
            glare,
            centre,
            (int(rng.uniform(0.5, 3) * tile_pixels), int(rng.uniform(0.3, 2) * tile_pixels)),
            rng.uniform(0, 180),
            0,
            360,
            1.0,
            -1,
        )
        glare = cv2.GaussianBlur(glare, (0, 0), tile_pixels * 0.4 + 1)
        image += glare[..., None] * float(rng.uniform(40, 200))
    image *= rng.uniform(0.82, 1.18, 3).astype(np.float32) if rng.random() < 0.6 else 1.0
    image = image * float(np.clip(rng.normal(0.95, 0.22), 0.3, 1.5)) + float(rng.normal(0, 10))
    image = np.clip(image, 0, 255)
    if rng.random() < 0.5:
        image = 255 * (image / 255) ** float(rng.uniform(0.7, 1.4))
    if rng.random() < 0.5:
        sigma = float(rng.uniform(0.3, 0.035 * tile_pixels + 0.6))
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    if rng.random() < 0.12:  # moved
        length = int(rng.integers(3, max(4, int(tile_pixels * 0.15) + 3)))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        image = cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-6))
    if rng.random() < 0.6:
        image += rng.standard_normal(image.shape).astype(np.float32) * float(rng.uniform(1, 9))
    image = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.7:
        ok, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        image = cv2.imdecode(coded, cv2.IMREAD_COLOR) if ok else image
    return image
