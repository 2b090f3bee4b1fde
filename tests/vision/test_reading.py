"""The shipped networks read: the sample photographs on any clone, real ones where they are."""

import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.samples import SAMPLES
from vision import reading
from vision.classifier import Look
from vision.decoding import four_of_a_kind, of_the_game
from vision.reading import NOT_FOUND, Reader, read_photo, without_doubles, without_sides
from vision.result import ReadTile

FOLDER = Path(__file__).parents[2] / "ui" / "assets" / "samples"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def words(name: str) -> list[str]:
    return [w.rstrip("'") for row in SAMPLES[name][0] for w in row.split() if w != "-"]


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_sample_is_read_right(reader, name):
    reading = reader.read(FOLDER / f"{name}.jpg")
    hand = [*reading.hand.concealed, *(i for meld in reading.hand.melds for i in meld.tiles)]
    assert sorted(reading.tiles[i].tile for i in hand) == sorted(words(name))
    assert len(reading.tiles) == len(hand), "the print beside the tiles is no tile"


def test_a_sample_with_a_pung_and_a_tile_set_apart_is_arranged(reader):
    reading = reader.read(FOLDER / "melds.jpg")
    assert [m.kind for m in reading.hand.melds] == ["pung"]
    assert reading.hand.winning_tile is not None
    assert reading.tiles[reading.hand.winning_tile].tile == "C"
    assert len(reading.hand.concealed) == 11


def test_a_closed_kong_is_known_by_its_backs(reader):
    reading = reader.read(FOLDER / "closed-kong.jpg")
    assert [m.kind for m in reading.hand.melds] == ["kong_concealed"]
    assert len(reading.hand.concealed) == 11


def test_corners_go_clockwise_from_the_tiles_own_top_left(reader):
    upright = cv2.imread(str(FOLDER / "middle-five.jpg"))
    middle = cv2.rotate(upright, cv2.ROTATE_180)
    reading = reader.read(cv2.imencode(".png", middle)[1].tobytes())
    fives = [t for t in reading.tiles if t.tile in ("C", "7p", "3p")]
    assert fives
    for tile in fives:
        (x0, y0), (x1, _), _, (_, y3) = tile.corners
        assert x0 > x1, "in a picture on its head the tile's own top left is on the right"
        assert y0 > y3


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_sample_is_read_right(reader, degrees):
    turn = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}[degrees]
    pixels = cv2.rotate(cv2.imread(str(FOLDER / "middle-five.jpg")), turn)
    reading = reader.read(cv2.imencode(".png", pixels)[1].tobytes())
    right = Counter(t.tile for t in reading.tiles) & Counter(words("middle-five"))
    assert right.total() >= 13


def test_a_picture_without_tiles_is_an_empty_reading_with_a_sentence(reader):
    cloth = np.full((480, 640, 3), (70, 130, 40), np.uint8)
    reading = reader.read(cv2.imencode(".png", cloth)[1].tobytes())
    assert reading.tiles == ()
    assert reading.problems == (NOT_FOUND,)


def test_the_times_of_the_stages_are_told(reader):
    stages: list[str] = []
    reading = reader.read(FOLDER / "melds.jpg", stages.append)
    assert stages == ["decode", "find", "classify", "arrange"]
    assert set(reading.milliseconds) == {"decode", "find", "classify", "arrange", "total"}
    parts = sum(v for k, v in reading.milliseconds.items() if k != "total")
    assert abs(parts - reading.milliseconds["total"]) < 1.0


def test_read_photo_keeps_its_networks_loaded():
    first = read_photo(FOLDER / "melds.jpg")
    assert read_photo((FOLDER / "melds.jpg").read_bytes()).tiles == first.tiles


def test_a_reading_of_a_large_photograph_is_in_its_own_pixels(reader):
    small = cv2.imread(str(FOLDER / "middle-five.jpg"))
    large = cv2.resize(small, (3840, 2880), interpolation=cv2.INTER_CUBIC)
    reading = reader.read(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
    assert (reading.width, reading.height) == (3840, 2880)
    here, there = reader.read(FOLDER / "middle-five.jpg"), reading
    a = sorted(np.mean(here.tiles[i].corners, axis=0)[0] * 3840 / small.shape[1] for i in here.hand.concealed)
    b = sorted(np.mean(there.tiles[i].corners, axis=0)[0] for i in there.hand.concealed)
    assert len(a) == len(b)
    assert np.abs(np.array(a) - b).max() < 30


def look(best: int, p: float, second: int, classes: int = 44) -> Look:
    probabilities = np.full(classes, (1 - p) * 0.1 / classes)
    probabilities[best], probabilities[second] = p, (1 - p) * 0.9
    return Look(np.zeros((4, 2)), probabilities)


def test_a_fifth_tile_of_a_kind_becomes_its_next_candidate_if_it_was_doubtful():
    classes = tuple(str(i) for i in range(44))
    looks = [look(3, 0.99, 4)] * 4 + [look(3, 0.6, 7)]
    assert [int(k.probabilities.argmax()) for k in four_of_a_kind(looks, classes)] == [3, 3, 3, 3, 7]


def test_five_sure_tiles_of_a_kind_stay_as_they_were_seen():
    classes = tuple(str(i) for i in range(44))
    assert [int(k.probabilities.argmax()) for k in four_of_a_kind([look(3, 0.99, 4)] * 5, classes)] == [3] * 5


def test_a_doubtful_tile_becomes_one_of_the_game_and_says_what_it_looked_like():
    changed = of_the_game([look(0, 0.5, 2, 5)], ("1m", "2m", "1p", "back", "none"), {"1p"})[0]
    assert int(changed.probabilities.argmax()) == 2
    assert float(changed.probabilities.max()) <= 0.6, "what was changed is still doubtful"
    assert changed.doubt
    assert (changed.doubt.code, changed.doubt.facts) == ("doubt.instead", (("tile", "1m"),))


def test_a_sure_tile_that_the_game_has_not_stays_and_is_doubted():
    kept = of_the_game([look(0, 0.99, 2, 5)], ("1m", "2m", "1p", "back", "none"), {"1p"})[0]
    assert int(kept.probabilities.argmax()) == 0
    assert kept.doubt
    assert kept.doubt.sentence == "the chosen game has no 1m"


def test_a_tile_of_the_game_is_surer_for_what_the_game_rules_out():
    surer = of_the_game([look(2, 0.7, 0, 5)], ("1m", "2m", "1p", "back", "none"), {"1p"})[0]
    assert float(surer.probabilities[2]) > 0.95
    assert surer.doubt is None


def test_a_back_is_a_back_in_every_game():
    seen = of_the_game([look(3, 0.6, 0, 5)], ("1m", "2m", "1p", "back", "none"), {"1p"})[0]
    assert int(seen.probabilities.argmax()) == 3


def test_the_upper_side_of_a_standing_tile_is_no_white_dragon():
    classes = ("9s", "P")
    face = np.array([[0, 20], [30, 20], [30, 64], [0, 64]], float)
    top = np.array([[3, 8], [33, 8], [30, 19], [0, 19]], float)
    meld = face - [0, 46]
    nine, white = np.array([0.9, 0.1]), np.array([0.1, 0.9])
    assert len(without_sides([Look(face, nine), Look(top, white)], classes)) == 1
    assert len(without_sides([Look(face, nine), Look(meld, white)], classes)) == 2, (
        "a white dragon lying above is a tile"
    )
    assert len(without_sides([Look(face, nine), Look(top, nine)], classes)) == 2


@pytest.mark.parametrize(
    ("code", "p", "score", "counts"),
    [
        ("5p", 0.95, 0.2, True),
        ("5p", 0.6, 0.2, False),
        ("5p", 0.6, 0.4, True),
        ("P", 0.95, 0.2, False),
        ("back", 0.95, 0.2, False),
        ("none", 0.95, 0.9, False),
    ],
)
def test_a_place_the_finder_doubts_counts_only_as_a_face_the_classifier_is_sure_of(reader, code, p, score, counts):
    seen = look(reader.classes.index(code), p, reader.classes.index("1m"))
    assert reader._is_tile(seen, score) is counts


def said(x: float, p: float, doubt: bool) -> ReadTile:
    corners = ((x, 0.0), (x + 30, 0.0), (x + 30, 40.0), (x, 40.0))
    return ReadTile("1p", p, corners, (), reading.problem("doubt.unclear", "not clear") if doubt else None)


def test_a_doubted_place_is_lonely_only_where_sure_tiles_lie_and_lie_far_away():
    assert reading._lonely(0, [said(0, 0.6, True), said(1000, 0.9, False)])
    assert not reading._lonely(0, [said(0, 0.6, True), said(120, 0.9, False)]), "a sure tile lies near"
    assert not reading._lonely(0, [said(0, 0.9, False), said(1000, 0.9, False)]), "a sure tile is never lonely"
    assert not reading._lonely(0, [said(0, 0.6, True), said(1000, 0.6, True)]), "nothing is sure in a dark picture"


def row(*tiles: tuple[str, float]) -> list[ReadTile]:
    """Sure tiles side by side, each a share as high as tiles are."""
    places = (
        ((40.0 * k, 0.0), (40.0 * k + 30, 0.0), (40.0 * k + 30, h), (40.0 * k, h))
        for k, h in enumerate(40 * share for _, share in tiles)
    )
    return [ReadTile(tile, 0.99, corners, (), None) for (tile, _), corners in zip(tiles, places, strict=True)]


@pytest.mark.parametrize(
    ("tile", "share", "doubted"),
    [("4p", 0.5, True), ("4p", 0.9, False), ("9p", 0.5, False), ("C", 0.5, False), ("1m", 0.6, True)],
)
def test_a_small_tile_is_doubted_where_a_covered_one_would_look_like_it(tile, share, doubted):
    said = reading._perhaps_parts(row(("1s", 1), ("7s", 1), (tile, share), ("E", 1), ("5p", 1)))
    assert [bool(t.doubt) for t in said] == [False, False, doubted, False, False]
    assert not doubted or (said[2].doubt and said[2].doubt.code == "doubt.part")


def test_a_last_tile_after_a_gap_won_unless_it_is_doubted_because_the_edge_cuts_it():
    tiles = row(*[("1s", 1.0)] * 15)
    del tiles[13]
    edge = reading.problem("doubt.edge", "cut by the edge of the picture")
    assert reading._arranged(tiles).winning_tile == 13
    assert reading._arranged([*tiles[:13], replace(tiles[13], doubt=edge)]).winning_tile is None


def test_two_places_that_became_one_tile_are_one():
    quad = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], float)
    assert without_doubles([quad, quad + 1, quad + 11]) == [0, 2]


# --- real photographs, where the project's shared folder is -----------------------------------------------------------


@pytest.mark.parametrize(("split", "least"), [("held_out", 0.95), ("unseen", 0.80)])
def test_real_photographs_are_read(reader, shared, split, least):
    from datasets.hupai_photos import load
    from models.evaluate import measure

    tally = measure(reader, [p for p in load(shared / "data") if p.split == split])
    figures = tally.figures()
    assert figures["tiles_right"] >= least, figures


def test_whole_hands_are_read(reader, shared):
    """Four photographs by a stranger, a closed kong with plain backs among them: every tile, as a multiset."""
    for hand in json.loads((shared / "data" / "hands" / "hands.json").read_text()):
        reading = reader.read(shared / "data" / "hands" / hand["image"])
        read = Counter(t.tile for t in reading.tiles)
        assert not Counter(hand["tiles"]) - read, f"{hand['image']}: {read}"


def without_the(place, monkeypatch):
    """Let the finder pass over a place that lies in a row, counted from the left."""
    find = reading.find

    def blind(network, pixels, threshold):
        boxes = find(network, pixels, threshold)
        row = sorted((b for b in boxes if b.score > 0.5), key=lambda b: float(b.corners.mean(0)[0]))
        return [b for b in boxes if b is not row[place]]

    monkeypatch.setattr(reading, "find", blind)


def test_a_tile_that_the_finder_passed_over_inside_a_row_is_looked_for_in_the_gap(reader, monkeypatch):
    without_the(2, monkeypatch)
    seen = reader.read(FOLDER / "middle-five.jpg")
    assert sorted(seen.tiles[i].tile for i in seen.hand.concealed) == sorted(words("middle-five"))


def test_what_looks_like_a_back_in_a_gap_is_one_only_where_it_closes_a_kong(reader):
    picture = cv2.imread(str(FOLDER / "middle-five.jpg"))
    whole = reader.read(FOLDER / "middle-five.jpg")
    row = sorted((whole.tiles[i] for i in whole.hand.concealed), key=lambda t: float(np.mean(t.corners, 0)[0]))
    (left, right), cloth = (row[1].corners, row[3].corners), picture[-20:, :20].reshape(-1, 3).mean(0)
    hole = np.array([left[1], right[0], right[3], left[2]])
    strip = hole + np.array([[0, -30], [0, -30], [0, 45], [0, 45]])
    cv2.fillConvexPoly(picture, strip.astype(np.int32), cloth.tolist())
    seen = reader.read(cv2.imencode(".png", picture)[1].tobytes())
    assert len(seen.hand.concealed) == 13
    assert "problem.gap" in [p.code for p in seen.problems]


def test_two_who_ask_for_the_networks_at_once_load_them_once(monkeypatch, tmp_path):
    loaded = []

    def slow(folder):
        time.sleep(0.05)
        loaded.append(folder)
        return object()

    monkeypatch.setattr(reading, "Reader", slow)
    monkeypatch.setattr(reading, "_readers", {})
    with ThreadPoolExecutor(2) as both:
        one, other = both.map(reading.reader, [tmp_path, tmp_path])
    assert one is other
    assert loaded == [tmp_path]
