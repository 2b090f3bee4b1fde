"""How long a person waits, on this machine, over loopback: printed beside what was promised, and held to it loosely,
because a busy machine is slow."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from scoring.tiles import parse
from tests.journeys.driver import ROOT, App
from ui.texts import tile_name

Open = Callable[..., App]
SAMPLE = ROOT / "ui" / "assets" / "samples" / "middle-five.jpg"


@pytest.mark.bench
def test_outlines_follow_the_choice_of_a_large_photograph_and_a_correction_is_seen_at_once(
    open_app: Open, tmp_path: Path
) -> None:
    large = tmp_path / "twelve-megapixels.jpg"
    cv2.imwrite(str(large), cv2.resize(cv2.imread(str(SAMPLE)), (4000, 3000), interpolation=cv2.INTER_CUBIC))
    app = open_app("desktop", language="en")
    for turn in ("first", "again"):  # the first photograph also loads the networks
        started = time.perf_counter()
        app.choose("gallery", large)
        app.find("outline-3").first.wait_for(state="attached")
        waited = time.perf_counter() - started
        print(f"\n{turn}: {waited:.2f} s from the click to outlines (promised: 2 s)")
        if turn == "first":
            app.click("back")
            app.find("gallery").first.wait_for(state="attached")
    assert waited < 6
    app.click("outline-3")
    app.find("key-1s").first.wait_for(state="attached")
    app.settle(app.find("key-1s").first)
    box = app.find("key-1s").first.bounding_box()
    assert box is not None
    started = time.perf_counter()
    app.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    (tile,) = parse("1s")
    app.page.wait_for_function(
        """name => [...document.querySelectorAll('[flt-semantics-identifier="outline-3"]')]
                .some(e => e.outerHTML.includes(name))""",
        arg=tile_name("en", tile),
        polling=5,
    )
    repainted = time.perf_counter() - started
    print(f"a correction is seen after {repainted * 1000:.0f} ms (promised: 150 ms)")
    assert repainted < 2
