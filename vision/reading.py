"""A photograph is read: found, sharpened, classified, arranged, and doubted where doubt is due.

The steps are the sibling modules'; what is decided here is what may be said. A place that the classifier takes for no
tile is dropped, and so is one that lies apart from every row and resembles no face (print, spines of books); a tile of
the hand whose best candidate is too unlikely is `"?"`; what the tiles can be together is decided in `vision.decoding`;
and a hand is never made to look better than it was seen."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import geometry, network
from vision.classifier import Look, classify
from vision.corners import cornered, sharpen
from vision.decoding import DOUBTFUL, four_of_a_kind, of_the_game
from vision.finder import THRESHOLD, TileBox, find, unstretched
from vision.geometry import UNIT, Floats, area, covered, middle, shared, sides, turned
from vision.layout import Layout, arrange
from vision.level import carried, levelled, tilt
from vision.light import Light, daylight, lit
from vision.network import Network
from vision.photo import Photo, open_photo
from vision.profile import Profile, current, familiar, likenesses, matching
from vision.recognising import recognised
from vision.regrasp import regrasped
from vision.result import UNKNOWN, Corners, Problem, ReadHand, Reading, ReadMeld, ReadTile, problem
from vision.sizes import SWALLOWED, drawn_out, usual_sizes

UNSURE = 0.25
"""Below it the best candidate is not said."""
FAINT = 0.12
"""Places that the finder thinks so likely are looked at; below its own threshold the classifier must be sure."""
UNLIKE = 2.5
"""A faint place is looked at unless it is so many times as large, or as small, as the tiles in the photograph."""
PLAINLY = 0.5
"""Where the finder is so sure and the classifier sees no tile, a larger outline may show one."""
STILL_THERE = 0.7
"""A levelled photograph must show so many of the places that the photograph showed as it was held."""
PART = 0.65
"""A tile that is so small beside those around it may be a tile of which something covers a part, where"""
LOOKS_LIKE_PART = frozenset(("1m", "2m", "1p", "2p", "3p", "4p", "6p", "2s", "3s", "4s", "6s"))
"""a part of another tile looks like it: the upper half of eight dots is four dots, to anybody."""
LONELY = 5.0
"""A doubted place with no sure tile within so many of its lengths is none."""
CANDIDATES = 5
OTHER_SET = "These do not look like the tiles of “{set}”: read without it."
SMALL_TILE = 34.0
"""Short side in decoded pixels below which the photograph's full size is decoded for the classifier."""
NOT_FOUND = problem(
    "problem.nothing",
    "No tiles were found: lay them face up, fill the picture with them and take the photograph again.",
)


@dataclass(frozen=True)
class View:
    """A photograph as it is looked at. `back`: the affine (2, 3) from its pixels to the photograph's, as decoded.
    `squeezed`: the photograph was stretched, so this shows its tiles as they are."""

    pixels: NDArray[np.uint8]
    back: Floats = field(default_factory=lambda: np.eye(2, 3))
    squeezed: bool = False


class Reader:
    """The networks of one folder of models, loaded once and used for any number of photographs."""

    def __init__(self, folder: Path = network.FOLDER) -> None:
        self.finder: Network = network.load("finder", folder)
        self.refiner: Network = network.load("refiner", folder)
        self.classifier: Network = network.load("classifier", folder)
        self.classes: tuple[str, ...] = tuple(self.classifier.listed("classes"))

    def read(
        self,
        source: bytes | str | Path,
        progress: Callable[[str], None] | None = None,
        faces: Collection[str] | None = None,
        profile: Profile | None = None,
        known: Sequence[Profile] = (),
    ) -> Reading:
        """Read one photograph. `progress` is told each stage as it begins: decode, find, classify, arrange. `faces`:
        the tiles of the game that is played, None for any. `profile`: the tile set it shows; without one, that of
        `known` is taken which it surely shows, or none.
        PhotoError when it cannot be opened; a photograph without tiles is a Reading with a problem."""
        tell: Callable[[str], None] = progress or (lambda stage: None)
        tell("decode")
        started = time.perf_counter()
        photo = open_photo(source)
        return self.read_photo(photo, started, tell, faces, profile, known)

    def read_photo(
        self,
        photo: Photo,
        started: float,
        tell: Callable[[str], None],
        faces: Collection[str] | None = None,
        profile: Profile | None = None,
        known: Sequence[Profile] = (),
    ) -> Reading:
        """Read an opened photograph; `started` is when its opening began (`time.perf_counter`)."""
        stamps = [started, time.perf_counter()]
        tell("find")
        light, boxes = self._light(photo.pixels)
        view, boxes = self._found(photo.pixels, light, boxes)
        places, scores = self._sharp(view.pixels, boxes)
        stamps.append(time.perf_counter())
        tell("classify")
        small = bool(places) and float(np.median([min(sides(q)) for q in places])) < SMALL_TILE
        if not view.squeezed or (small and photo.reduced):  # the photograph's own pixels show more
            in_photo = [carried(q, view.back) / _scale(photo.pixels, photo) for q in places]
            view = View(lit(photo.full() if small else photo.pixels, light))
            places = [q * _scale(view.pixels, photo) for q in in_photo]
        looks = self._looks(view.pixels, places, scores)
        other_set: list[Problem] = []
        if profile is None and known:
            profile = matching(known, self.classes, view.pixels, looks)
        if profile is not None:
            profile = current(profile, self.classifier)
            if familiar(profile, self.classifier, view.pixels, looks):
                looks = self._recognised(view.pixels, looks, places, scores, profile)
            else:
                other_set = [problem("problem.set", OTHER_SET, set=profile.name)]
                profile = None
        scale = _scale(photo.pixels, photo)
        looks = [replace(k, corners=carried(k.corners, view.back) / scale) for k in looks]
        stamps.append(time.perf_counter())
        tell("arrange")
        looks = without_sides(looks, self.classes)
        tiles, layout = self._settled(looks, photo, faces)
        if layout.missing:
            onto = View(view.pixels, view.back / scale[:, None])
            gaps = [(np.array(tiles[i].corners), np.array(tiles[j].corners)) for i, j in layout.missing]
            for look in self._between(onto, gaps):
                more, arranged = self._settled([*looks, look], photo, faces)
                if self._named(look) != "back" or _closed_kongs(more, arranged) > _closed_kongs(tiles, layout):
                    looks, tiles, layout = [*looks, look], more, arranged
        stamps.append(time.perf_counter())
        spans = dict(zip(("decode", "find", "classify", "arrange"), np.diff(stamps) * 1000, strict=True))
        milliseconds = {k: round(float(v), 1) for k, v in {**spans, "total": (stamps[-1] - stamps[0]) * 1000}.items()}
        hand = ReadHand(
            layout.concealed, tuple(ReadMeld(kind, part) for kind, part in layout.melds), layout.winning_tile
        )
        problems, name = tuple(other_set + _problems(tiles, layout)), profile.name if profile else ""
        return Reading(photo.width, photo.height, tuple(tiles), hand, problems, milliseconds, name)

    def _settled(self, looks: list[Look], photo: Photo, faces: Collection[str] | None) -> tuple[list[ReadTile], Layout]:
        """What is said of each place, and how the tiles lie."""
        if faces is not None:
            looks = of_the_game(looks, self.classes, faces)
        tiles = [self._tile(k, photo) for k in four_of_a_kind(looks, self.classes)]
        tiles = _perhaps_parts(_backs_as_their_neighbours(tiles))
        layout = _arranged(tiles)
        if strange := {i for i in layout.left_out if tiles[i].tile == UNKNOWN or _lonely(i, tiles)}:
            tiles = [t for i, t in enumerate(tiles) if i not in strange]
            layout = _arranged(tiles)
        return tiles, layout

    def _between(self, view: View, gaps: list[tuple[Floats, Floats]]) -> list[Look]:
        """The tiles that stand in gaps of one tile, where the finder saw none: a plain back, for the most part, or what
        looks like one, as bare cloth does. A gap is given by the tiles left and right of it, in the photograph's own
        pixels, to which `view.back` leads."""
        to_view = np.asarray(cv2.invertAffineTransform(view.back), np.float64)
        rough = [carried((left + right) / 2, to_view) for left, right in gaps]
        looks = classify(self.classifier, view.pixels, sharpen(self.refiner, view.pixels, rough))
        return [
            replace(look, corners=carried(look.corners, view.back))
            for look, place in zip(looks, rough, strict=True)
            if self._is_tile(look, THRESHOLD)
            and float(look.probabilities.max()) > PLAINLY
            and shared(look.corners, place) > STILL_THERE * abs(area(place))
        ]

    def _found(
        self, pixels: NDArray[np.uint8], light: Light | None, boxes: list[TileBox]
    ) -> tuple[View, list[TileBox]]:
        """The photograph as the networks know photographs, well lit, level and not stretched, and what the finder sees
        in it. `boxes`: what it saw before the light was made good."""
        view = View(lit(pixels, light))
        if light is not None:
            boxes = find(self.finder, view.pixels, FAINT)
        if turn := tilt([b.corners for b in boxes if b.score >= THRESHOLD]):
            level = View(*levelled(view.pixels, turn))
            again = find(self.finder, level.pixels, FAINT)
            if len(again) >= STILL_THERE * len(boxes):
                view, boxes = level, again
        squeezed = unstretched(view.pixels, boxes)
        if squeezed is not None:
            height, width = np.array(view.pixels.shape[:2]) / squeezed.shape[:2]
            view, boxes = (
                View(squeezed, view.back * [width, height, 1], True),
                find(self.finder, squeezed, FAINT),
            )
        return view, _of_one_size(boxes)

    def _light(self, pixels: NDArray[np.uint8]) -> tuple[Light | None, list[TileBox]]:
        """What makes the light of a photograph good, and what the finder saw in it before."""
        boxes = find(self.finder, pixels, FAINT)
        return daylight(pixels, [b.corners for b in boxes if b.score >= THRESHOLD]), boxes

    def _sharp(self, pixels: NDArray[np.uint8], boxes: list[TileBox]) -> tuple[list[Floats], list[float]]:
        """Corners in `pixels`, each tile once, and how sure the finder was of it. The finder has said how each lies."""
        sharp = cornered(self.refiner, pixels, [b.corners for b in boxes])
        single = without_doubles(sharp)
        return [sharp[k] for k in single], [boxes[k].score for k in single]

    def _named(self, look: Look) -> str:
        return self.classes[int(look.probabilities.argmax())]

    def _is_tile(self, look: Look, score: float) -> bool:
        """Is it a tile at all? Where the finder was in doubt only a face that the classifier is sure of counts."""
        best = int(look.probabilities.argmax())
        plain = ("none", "back", "P") if score < THRESHOLD else ("none",)
        return self.classes[best] not in plain and (score >= THRESHOLD or float(look.probabilities[best]) >= DOUBTFUL)

    def tile_at(self, photo: Photo, point: tuple[float, float], size: tuple[float, float]) -> ReadTile:
        """The tile at a point of the photograph, where the finder saw none: of about this width and height, in the
        photograph's pixels."""
        pixels = photo.full()
        pixels = lit(pixels, self._light(pixels)[0])
        rough = np.array(point) + UNIT * np.array(size) / 2
        look = classify(self.classifier, pixels, sharpen(self.refiner, pixels, [rough]))
        ((_, look),) = regrasped(self.refiner, self.classifier, pixels, look, self.classes)
        return self._tile(look, photo)

    def _recognised(
        self,
        pixels: NDArray[np.uint8],
        looks: list[Look],
        places: list[Floats],
        scores: list[float],
        profile: Profile,
    ) -> list[Look]:
        """The looks, with what they leave in doubt told by a tile set that was shown."""
        passed = [
            (quad, score >= THRESHOLD)
            for quad, score in zip(places, scores, strict=True)
            if all(covered(quad, look.corners) < 0.5 for look in looks)
        ]
        shown = likenesses(profile, self.classes)
        return recognised((self.refiner, self.classifier), pixels, looks, passed, self.classes, shown)

    def _looks(self, pixels: NDArray[np.uint8], quads: list[Floats], scores: list[float]) -> list[Look]:
        """What the classifier says of quadrilaterals in pixels of `pixels`, where they are tiles. Two that turn out to
        be one tile are one."""
        looks = self._whole(classify(self.classifier, pixels, quads), scores, pixels)
        looks = [look for _, look in regrasped(self.refiner, self.classifier, pixels, looks, self.classes)]
        return [look for look in looks if self._named(look) != "none"]

    def _whole(self, looks: list[Look], scores: list[float], pixels: NDArray[np.uint8]) -> list[Look]:
        """The looks that show tiles, and those of which the finder was sure that they do. Outlines that were cut short
        are looked at again as a whole, and replaced where that shows a surer tile."""
        tiles = [self._is_tile(look, score) for look, score in zip(looks, scores, strict=True)]
        cut_short = [
            (k, out) for k, out in drawn_out([look.corners for look in looks], tiles) if scores[k] >= THRESHOLD
        ]
        longer = [quad for _, out in cut_short for quad in out]
        again = iter(classify(self.classifier, pixels, sharpen(self.refiner, pixels, longer)))
        wholes: list[Look] = []
        for k, out in cut_short:
            before = float(looks[k].probabilities.max()) if tiles[k] else 0.0
            surer = [
                look
                for look in islice(again, len(out))
                if self._is_tile(look, 0.0)
                and float(look.probabilities.max()) > before - 0.05
                and abs(area(look.corners)) > 1.2 * abs(area(looks[k].corners))
            ]
            if surer and all(covered(looks[k].corners, w.corners) <= SWALLOWED for w in wholes):
                wholes.append(max(surer, key=lambda look: float(look.probabilities.max())))
        seen = [k for k, tile, score in zip(looks, tiles, scores, strict=True) if tile or score >= PLAINLY]
        return wholes + [k for k in seen if all(covered(k.corners, w.corners) < SWALLOWED for w in wholes)]

    def _tile(self, look: Look, photo: Photo) -> ReadTile:
        order = [int(i) for i in np.argsort(-look.probabilities) if self.classes[int(i)] != "none"][:CANDIDATES]
        candidates = [(self.classes[i], round(float(look.probabilities[i]), 4)) for i in order]
        (best, p), rest = candidates[0], candidates[1:]
        flat = look.corners.tolist()
        corners: Corners = tuple((round(x, 1), round(y, 1)) for x, y in flat)  # pyright: ignore[reportAssignmentType]
        sure = p >= UNSURE
        return ReadTile(
            best if sure else UNKNOWN,
            p,
            corners,
            tuple(rest if sure else candidates),
            _doubt(look, p, candidates, photo),
        )


def _of_one_size(boxes: list[TileBox]) -> list[TileBox]:
    """Without those faint places that are much smaller or larger than the tiles the finder is sure of: print on the
    books behind, for the most part."""
    areas = [abs(area(b.corners)) for b in boxes if b.score >= THRESHOLD]
    if not areas:
        return boxes
    usual = float(np.median(areas))
    return [b for b in boxes if b.score >= THRESHOLD or usual / UNLIKE < abs(area(b.corners)) < usual * UNLIKE]


def _backs_as_their_neighbours(tiles: list[ReadTile]) -> list[ReadTile]:
    """A back has no top of its own: it takes the direction of the nearest tile that shows its face, as far as quarter
    turns allow, so that a row with a closed kong is one row."""
    shown = [np.array(t.corners) for t in tiles if t.tile != "back"]
    if not shown:
        return tiles
    turned_like: list[ReadTile] = []
    for tile in tiles:
        if tile.tile == "back":
            quad = np.array(tile.corners)
            near = min(shown, key=lambda other: float(np.linalg.norm(other.mean(0) - quad.mean(0))))
            right = near[1] - near[0]
            ways = (turned(quad, quarters) for quarters in range(4))
            flat = max(ways, key=lambda way: float((way[1] - way[0]) @ right)).tolist()
            corners: Corners = tuple((x, y) for x, y in flat)  # pyright: ignore[reportAssignmentType]
            tile = replace(tile, corners=corners)
        turned_like.append(tile)
    return turned_like


def _perhaps_parts(tiles: list[ReadTile]) -> list[ReadTile]:
    """The tiles, those doubted that may be the part of another which a neighbour or a finger leaves to be seen."""
    quads = [np.array(t.corners) for t in tiles]
    part = problem("doubt.part", "perhaps only a part of this tile is to be seen")
    return [
        replace(tile, doubt=part)
        if tile.tile in LOOKS_LIKE_PART and not tile.doubt and usual and abs(area(quad)) < PART * usual[0]
        else tile
        for tile, quad, usual in zip(tiles, quads, usual_sizes(quads, [True] * len(tiles)), strict=True)
    ]


def _lonely(place: int, tiles: list[ReadTile]) -> bool:
    """Is it a doubted place with no sure tile anywhere near it, as print is, though there are some in the picture?"""
    if not tiles[place].doubt:
        return False
    quads = [np.array(t.corners) for t in tiles]
    sure = [middle(q) for q, t in zip(quads, tiles, strict=True) if not t.doubt]
    reach = LONELY * max(sides(quads[place]))
    return bool(sure) and all(math.dist(middle(quads[place]), other) > reach for other in sure)


def _closed_kongs(tiles: list[ReadTile], layout: Layout) -> int:
    """How many melds have two backs or more: with a single one beside them three of a kind may be a pung and cloth."""
    return sum([tiles[i].tile for i in meld].count("back") > 1 for _, meld in layout.melds)


def _arranged(tiles: list[ReadTile]) -> Layout:
    cut = [i for i, t in enumerate(tiles) if t.doubt and t.doubt.code == "doubt.edge"]
    return arrange([np.array(t.corners) for t in tiles], [t.tile for t in tiles], cut)


def _scale(pixels: NDArray[np.uint8], photo: Photo) -> Floats:
    """(x, y) factors from the photograph's own pixels to those of `pixels`."""
    return np.array([pixels.shape[1] / photo.width, pixels.shape[0] / photo.height])


def without_doubles(quads: list[Floats]) -> list[int]:
    """Sharpened places of which two have become the same tile are one: the indices of those that stay, of two the
    first, which was the surer."""
    return geometry.without_doubles(quads, 0.5)


def without_sides(looks: list[Look], classes: tuple[str, ...]) -> list[Look]:
    """Of a standing tile the camera sees the face and, above it, its upper side: blank, as wide, and foreshortened. A
    "white dragon" or "back" that sits on another tile's upper edge and is much lower than that tile is its side."""
    kept: list[Look] = []
    for look in looks:
        code = classes[int(look.probabilities.argmax())]
        near = (k for k in looks if k is not look and _near(look.corners, k.corners))
        if code not in ("P", "back") or not any(_is_side(look.corners, k.corners) for k in near):
            kept.append(look)
    return kept


def _near(one: Floats, other: Floats) -> bool:
    """Are their middles no farther apart than two lengths of the larger one?"""
    return math.dist(middle(one), middle(other)) < 2 * max(*sides(one), *sides(other))


def _is_side(side: Floats, face: Floats) -> bool:
    upper = (face[0] + face[1]) / 2
    if float((middle(side) - upper) @ (upper - middle(face))) <= 0:
        return False
    width = math.dist(face[0], face[1])
    height = (math.dist(face[3], face[0]) + math.dist(face[2], face[1])) / 2
    for k in range(4):  # any edge of the side may be the one it shares with the face
        a, b, c, d = turned(side, k)
        edge = (a + b) / 2
        if (
            math.dist(edge, upper) < 0.25 * width
            and 0.7 < math.dist(a, b) / width < 1.4
            and math.dist((c + d) / 2, edge) < 0.7 * height
        ):
            return True
    return False


def _doubt(look: Look, p: float, candidates: list[tuple[str, float]], photo: Photo) -> Problem | None:
    if look.doubt or p >= DOUBTFUL:
        return look.doubt
    low, high = look.corners.min(0), look.corners.max(0)
    if (low < -0.02 * (high - low)).any() or (high > np.array([photo.width, photo.height]) + 0.02 * (high - low)).any():
        return problem("doubt.edge", "cut by the edge of the picture")
    if len(candidates) > 1 and candidates[1][1] > 0.5 * p:
        left, right = candidates[0][0], candidates[1][0]
        return problem("doubt.alike", "{left} and {right} look alike here", left=left, right=right)
    return problem("doubt.unclear", "not clear enough to be sure")


def _problems(tiles: list[ReadTile], layout: Layout) -> list[Problem]:
    if not tiles:
        return [NOT_FOUND]
    problems: list[Problem] = []
    unknown, apart = sum(t.tile == UNKNOWN for t in tiles), len(layout.left_out)
    if unknown:
        sentence = "{n} of {all} tiles could not be read: choose what they are."
        problems.append(problem("problem.unknown", sentence, n=unknown, all=len(tiles)))
    for left, right in layout.missing:
        sentence = "There is a gap of one tile between {left} and {right}."
        problems.append(problem("problem.gap", sentence, left=tiles[left].tile, right=tiles[right].tile))
    if apart:
        sentence = f"{'1 tile that lies' if apart == 1 else '{n} tiles that lie'} apart from the hand: left out."
        problems.append(problem("problem.apart", sentence, n=apart))
    return problems


_readers: dict[Path, Reader] = {}
_loading = threading.Lock()


def reader(folder: Path = network.FOLDER) -> Reader:
    """The networks of a folder (the shipped ones by default), loaded once."""
    with _loading:  # two who ask at once wait for one
        if folder not in _readers:
            _readers[folder] = Reader(folder)
        return _readers[folder]


def read_photo(
    source: bytes | str | Path,
    *,
    progress: Callable[[str], None] | None = None,
    faces: Collection[str] | None = None,
    folder: Path = network.FOLDER,
    profile: Profile | None = None,
    known: Sequence[Profile] = (),
) -> Reading:
    """Read one photograph with the networks of a folder; `faces`, `profile` and `known` as in `Reader.read`."""
    return reader(folder).read(source, progress, faces, profile, known)
