"""A photograph that was badly read is put right by hand: a thumb on one tile, one missing, one that does not belong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scoring.tiles import parse
from tests.journeys.driver import App
from tests.journeys.tables import photographed
from ui.texts import tile_name

Open = Callable[..., App]
LANGUAGE = "zh-Hant"
LYING = ["2p 3p 4p 6p 7p 8p 4s 5s 8s 8s 1p", "F F F F"]
"""What is seen: the six of bamboo is missing, and the one of dots belongs to another."""


def one(app: App, prefix: str, tile: str) -> str:
    """The identifier of the first tile of this name, in the hand (`tile-`) or on the photograph (`outline-`)."""
    app.find("standing").first.wait_for(state="attached")  # the sheet of the tile before has gone
    (code,) = parse(tile)
    return next(name for name in app.every(prefix) if app.text(name).startswith(tile_name(LANGUAGE, code)))


def test_a_badly_read_photograph_is_put_right_by_hand_and_scored(open_app: Open, tmp_path: Path) -> None:
    app = open_app("phone", language=LANGUAGE)
    app.choose("camera", photographed(LYING, 10, tmp_path, under_a_thumb="8p", blur=3))
    app.see("standing", "14 張。點一下胡的那張")
    app.shot("repair-1-read")
    # the covered tile was misread: the button for the next doubt leads to it
    app.click("next-doubt")
    app.find("key-8p").first.wait_for(state="attached")
    app.shot("repair-2-doubt")
    app.click("key-8p")
    app.see(one(app, "outline-", "8p"), "八筒")
    assert app.find("next-doubt").count() == 0
    # a tile on the photograph that is not part of the hand
    app.click(one(app, "outline-", "1p"))
    app.click("aside")
    app.see("standing", "13 張，聽三條、六條")
    # the missing one, after a slip of the thumb; the slip is taken away, brought back and taken away again
    app.click("add-tile")
    app.click("add-9s")
    app.click("done")
    slip = one(app, "tile-", "9s")
    app.click(slip)
    app.click("remove")
    app.gone(slip)
    app.click("undo")
    app.find(slip).first.wait_for(state="attached")
    app.click("redo")
    app.gone(slip)
    app.click("add-tile")
    app.click("add-6s")
    app.click("done")
    app.see("standing", "成牌，胡六條")
    # another tile won, and the kong was a concealed one, laid open at the end
    app.click(one(app, "tile-", "5s"))
    app.click("winning")
    app.see("standing", "成牌，胡五條")
    app.click("kind-0")
    app.find("set-kong_concealed").first.wait_for(state="attached")
    app.shot("repair-3-kind")
    app.click("set-kong_concealed")
    app.see("kind-0", "暗槓")
    app.to_the_end("kind-0")
    app.shot("repair-4-put-right")
    app.click("next")
    app.click("a-win_by-discard")
    app.click("a-discarder-2")
    app.click("score")
    app.see("total", "+2")  # middle five ×2, the discarder pays
    assert [app.text(f"net-{seat}").split()[-1] for seat in range(3)] == ["+2", "0", "−2"]
    app.shot("repair-5-result")
