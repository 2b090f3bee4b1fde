"""Drawn faces: every tile in any style, always the same, never two tiles alike, and canonical SVGs the app can read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

cv2 = pytest.importorskip("cv2", reason="drawing faces needs OpenCV")
pytest.importorskip("fontTools", reason="character outlines need fontTools (the train extra)")

from datasets.faces import CANONICAL, RED_FIVES, TILES, FontError, Style, draw, fonts, random_style, svg  # noqa: E402
from datasets.faces.bamboo import LAYOUT as STICKS  # noqa: E402
from datasets.faces.dots import LAYOUT as DOTS  # noqa: E402
from datasets.faces.style import BACKS, BIG_DOTS, BIRDS, DOT_SCHEMES, STICK_SCHEMES, WHITES  # noqa: E402
from datasets.faces.style import DOTS as DOT_KINDS  # noqa: E402
from datasets.faces.style import STICKS as STICK_KINDS  # noqa: E402

ASSETS = Path(__file__).parents[2] / "ui" / "assets" / "tiles"
ALL = (*TILES, *RED_FIVES)
needs_fonts = pytest.mark.skipif(
    len(fonts.installed()) < 3 or not fonts.installed(latin=True),
    reason="fewer than 3 CJK fonts, or no Latin one, are installed",
)

HERE = next((font.name for font in fonts.installed()), CANONICAL.font)
PLAIN = replace(CANONICAL, font=HERE, wan_font=HERE, honour_font=HERE, flower_font=HERE)
"""The app's own face, in a font that this machine has."""


def ink_share(face: np.ndarray, ground: tuple[int, int, int]) -> float:
    """Share of the face that differs clearly from its ground."""
    inner = face[4:-4, 4:-4, :3].astype(int)
    return float((np.abs(inner - ground).max(axis=2) > 40).mean())


@lru_cache
def random_set(seed: int) -> tuple[Style, dict[str, np.ndarray]]:
    """A random style on even ground and all its faces, 48 pixels high."""
    style = replace(random_style(np.random.default_rng(seed)), shade=0.0, grain=0.0)
    return style, {tile: draw(tile, style, 48) for tile in ALL}


@needs_fonts
@pytest.mark.parametrize("seed", range(20))
def test_every_tile_of_a_random_set_is_printed_and_none_is_blank_but_the_white_dragon(seed: int) -> None:
    style, faces = random_set(seed)
    for tile, face in faces.items():
        assert face.dtype == np.uint8
        assert face.shape == (48, round(48 * style.aspect), 4)
        assert face[24, face.shape[1] // 2, 3] == 255
        if tile not in ("P", "back"):
            assert ink_share(face, style.ground) > 0.015, tile


@needs_fonts
@pytest.mark.parametrize("seed", range(20))
def test_no_two_tiles_of_a_set_look_alike(seed: int) -> None:
    _, faces = random_set(seed)
    flat = np.stack([faces[tile][..., :3].ravel() for tile in TILES]).astype(np.float32)
    for i, j in combinations(range(len(TILES)), 2):
        assert np.abs(flat[i] - flat[j]).mean() > 0.5, (TILES[i], TILES[j])


@needs_fonts
def test_the_same_style_gives_the_same_pixels_and_another_style_gives_others() -> None:
    first, again = (random_style(np.random.default_rng(5)) for _ in range(2))
    assert first == again
    assert first != random_style(np.random.default_rng(6))
    for tile in ("5m", "7p", "1s", "3f", "back"):
        assert np.array_equal(draw(tile, first, 80), draw(tile, again, 80))


@needs_fonts
def test_a_worn_and_wobbling_set_is_still_the_same_on_every_call() -> None:
    style = replace(PLAIN, wear=0.5, wobble=1.0, carve=1.0, grain=0.1, shade=0.1)
    assert np.array_equal(draw("9s", style, 96), draw("9s", style, 96))
    assert not np.array_equal(draw("9s", style, 96), draw("9s", PLAIN, 96))


@needs_fonts
@pytest.mark.parametrize("fives", ["ink", "spot", "both"])
def test_a_red_five_differs_from_the_five_and_is_redder(fives: str) -> None:
    style = replace(PLAIN, red_fives=fives)
    for suit in "mps":
        red, plain = (draw(f"{rank}{suit}", style, 96).astype(int) for rank in "05")
        redness = [(face[..., 0] - face[..., 1]).clip(0).sum() for face in (red, plain)]
        assert redness[0] > redness[1], suit


@pytest.mark.parametrize("rank", range(2, 10))
def test_dots_and_sticks_are_as_many_as_the_rank_says_and_every_scheme_colours_each(rank: int) -> None:
    assert len(DOTS[rank][0]) == rank
    assert all(len(scheme[rank]) == rank for scheme in DOT_SCHEMES.values())
    assert all(len(scheme[rank]) == rank for scheme in STICK_SCHEMES.values())
    if rank != 8:  # the W over M is not a grid
        assert len(STICKS[rank][0]) == rank


@needs_fonts
@pytest.mark.parametrize("rank", range(2, 10))
def test_that_many_separate_dots_are_printed(rank: int) -> None:
    style = replace(PLAIN, dot="solid", dot_size=0.85)
    face = draw(f"{rank}p", style, 128)[..., :3].astype(int)
    ink = (np.abs(face - style.ground).max(axis=2) > 60).astype(np.uint8)
    assert cv2.connectedComponents(ink)[0] - 1 == rank


@needs_fonts
@pytest.mark.parametrize("rank", [2, 3, 4, 5, 6, 7, 9])
def test_that_many_separate_sticks_are_printed(rank: int) -> None:
    style = replace(PLAIN, stick="capsule", stick_slot="none", stick_joints=0, stick_length=0.9)
    face = draw(f"{rank}s", style, 128)[..., :3].astype(int)
    ink = (np.abs(face - style.ground).max(axis=2) > 60).astype(np.uint8)
    assert cv2.connectedComponents(ink)[0] - 1 == rank


@needs_fonts
def test_the_seven_of_dots_falls_to_the_right_over_two_by_two() -> None:
    top, bottom = DOTS[7][0][:3], DOTS[7][0][3:]
    assert [x for x, _ in top] == sorted(x for x, _ in top)
    assert [y for _, y in top] == sorted(y for _, y in top)
    assert max(y for _, y in top) < min(y for _, y in bottom)
    assert {x for x, _ in bottom} == {0.27, 0.73}


@needs_fonts
def test_the_eight_of_bamboo_is_a_w_over_an_m() -> None:
    face = draw("8s", PLAIN, 200)[..., :3].astype(int)
    ink = np.abs(face - PLAIN.ground).max(axis=2) > 60
    middle = ink[:, ink.shape[1] // 2 - 10 : ink.shape[1] // 2 + 10].any(axis=1)
    rows = np.flatnonzero(middle)
    # On the middle line the W reaches up and the M hangs down, so the ink lies in the outer thirds.
    assert rows.min() < 60
    assert rows.max() > 140
    assert not middle[85:115].any()


@needs_fonts
@pytest.mark.parametrize(
    ("field", "kinds", "tile"),
    [
        ("bird", BIRDS, "1s"),
        ("dot", DOT_KINDS, "5p"),
        ("big_dot", BIG_DOTS, "1p"),
        ("stick", STICK_KINDS, "3s"),
        ("white", WHITES, "P"),
        ("back", BACKS, "back"),
    ],
)
def test_each_named_design_draws_its_own_picture(field: str, kinds: tuple[str, ...], tile: str) -> None:
    style = replace(PLAIN, shade=0.0)
    pictures = [draw(tile, replace(style, **{field: kind}), 64).astype(int) for kind in kinds]
    for one, other in combinations(range(len(kinds)), 2):
        assert np.abs(pictures[one] - pictures[other]).mean() > 0.2, (kinds[one], kinds[other])


@needs_fonts
def test_a_bird_may_face_either_way_but_an_index_stays_readable() -> None:
    left, right = (replace(PLAIN, bird_flip=flip, index="tl", index_ink="r") for flip in (False, True))
    a, b = draw("1s", left, 96), draw("1s", right, 96)
    corner = slice(0, 16)
    assert np.array_equal(a[corner, corner], b[corner, corner])
    assert not np.array_equal(a, b)


@needs_fonts
def test_an_unknown_tile_or_a_tiny_height_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="is not a tile: use 1m"):
        draw("10m", PLAIN, 64)
    with pytest.raises(ValueError, match="at least 8"):
        draw("1m", PLAIN, 4)


def test_without_fonts_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "installed", lambda latin=False: ())
    with pytest.raises(FontError, match="apt install fonts-noto-cjk"):
        fonts.require()


@needs_fonts
def test_outlines_come_back_from_the_cache_unchanged_and_a_damaged_cache_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    font = fonts.installed()[0]
    outlines = []
    for damage in (False, False, True):
        for path in tmp_path.rglob("*.npz") if damage else ():
            path.write_bytes(b"not a zip file")
        fonts._glyphs.cache_clear()
        outlines.append(fonts.glyph(font.name, "四"))
    assert len(list(tmp_path.rglob("*.npz"))) >= 1
    for other in outlines[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(outlines[0], other, strict=True))


@pytest.mark.parametrize("tile", ALL)
def test_the_committed_svg_has_only_what_flutter_draws(tile: str) -> None:
    path = ASSETS / f"{tile}.svg"
    text = path.read_text(encoding="utf-8")
    assert len(text) <= 20_000
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert re.fullmatch(r"0 0 \d+ \d+", root.attrib["viewBox"])
    assert {child.tag.split("}")[1] for child in root.iter()} <= {"svg", "path", "rect", "circle", "g"}
    used = {name for element in root.iter() for name in element.attrib}
    assert not used & {"class", "style", "filter", "transform"}


@needs_fonts
@pytest.mark.parametrize("tile", ["5p", "8s", "1s", "P", "back"])
def test_the_committed_svg_is_what_the_code_writes_today(tile: str) -> None:
    # Tiles without characters do not depend on the installed fonts.
    assert (ASSETS / f"{tile}.svg").read_text(encoding="utf-8") == svg(tile)


def test_all_committed_svgs_differ() -> None:
    texts = {(ASSETS / f"{tile}.svg").read_text(encoding="utf-8") for tile in ALL}
    assert len(texts) == len(ALL) == 46
