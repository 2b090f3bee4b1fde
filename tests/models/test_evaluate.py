"""The measure: a photograph is exact only if every tile of it is."""

import numpy as np

from datasets.labels import LabelledPhoto, Mark, box_corners
from models.evaluate import Tally, confusion_picture, judge, match, turned
from vision.result import Problem, ReadHand, Reading, ReadTile, problem


def said(tile: str, left: float, doubt: Problem | None = None, corners=None) -> ReadTile:
    quad = box_corners(left, 10, left + 20, 40) if corners is None else corners
    return ReadTile(tile, 0.9, tuple(map(tuple, quad.tolist())), (), doubt)


def photo(*tiles: str, partial: bool = False, exact: bool = False) -> LabelledPhoto:
    marks = tuple(Mark(t, box_corners(22 * k, 10, 22 * k + 20, 40), exact=exact) for k, t in enumerate(tiles))
    return LabelledPhoto("p", 300, 100, marks, pixels=np.zeros((100, 300, 3), np.uint8), partial=partial)


def tally(photo: LabelledPhoto, *tiles: ReadTile) -> Tally:
    result = Tally()
    judge(result, photo, Reading(300, 100, tiles, ReadHand()))
    return result


def test_all_right_is_exact():
    t = tally(photo("1m", "5p"), said("1m", 0), said("5p", 22))
    assert (t.exact, t.right, t.sure, t.sure_wrong) == (1, 2, 2, 0)


def test_one_wrong_tile_spoils_the_photograph_and_counts_as_sure_but_wrong():
    t = tally(photo("1m", "5p"), said("1m", 0), said("6p", 22))
    assert (t.exact, t.right, t.sure_wrong) == (0, 1, 1)
    assert t.figures()["tiles_right"] == 0.5


def test_a_doubtful_mistake_is_not_sure_but_wrong():
    t = tally(photo("1m", "5p"), said("1m", 0), said("6p", 22, doubt=problem("doubt.unclear", "look alike")))
    assert (t.exact, t.sure, t.sure_wrong) == (0, 1, 0)


def test_an_extra_tile_spoils_a_fully_marked_photograph_but_not_a_partly_marked_one():
    tiles = said("1m", 0), said("9s", 200)
    assert tally(photo("1m"), *tiles).exact == 0
    assert tally(photo("1m", partial=True), *tiles).exact == 1


def test_a_missed_tile_is_named_in_the_confusions():
    t = tally(photo("1m", "5p"), said("1m", 0))
    assert t.confusions[("5p", "missed")] == 1
    assert t.figures()["tiles_found"] == 0.5


def test_each_tile_belongs_to_one_mark_only():
    pairs, rest = match([said("1m", 2), said("1m", 4)], photo("1m").marks)
    assert len(pairs) == 1
    assert len(rest) == 1


def test_corner_errors_are_measured_whatever_corner_comes_first():
    quad = np.roll(box_corners(0, 10, 20, 40) + np.array([1, 0]), 1, axis=0)
    t = tally(photo("2m", exact=True), said("2m", 0, corners=quad))
    assert abs(t.corner_errors[0] - 1 / 20) < 1e-9
    assert t.direction_right == [False]


def test_turning_a_photograph_turns_its_marks_with_it():
    start = photo("1m")
    start.pixels[10:40, 0:20] = 255
    after = turned(start, 30)
    x, y = after.marks[0].corners.mean(0).astype(int)
    assert after.pixels[y, x].tolist() == [255, 255, 255]


def test_the_picture_of_confusions_is_drawn():
    t = tally(photo("1m", "5p"), said("1m", 0), said("6p", 22))
    assert confusion_picture(t).ndim == 3
