"""The result as a picture to send to a chat: the hand, the receipt, who pays whom, in the language of the tab.

It is drawn here, with OpenCV and the app's own font and tile faces, because a browser's canvas gives back no more than
fits on the screen. The faces are the app's SVG files, which are made of nothing but filled and stroked paths."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from scoring import BANK, Score
from ui.components.payment_arrows import signed
from ui.places import ASSETS
from ui.session import Session

WIDTH = 900
"""Pixels: two rows of a hand's tiles side by side, and text that a phone shows large enough unzoomed."""
MARGIN = 36
INK, FAINT, GREEN, RED, PAPER, PLATE = "#191c1a", "#4a524d", "#0b6b4f", "#b3261e", "#f6f8f4", "#e3eae4"
FINE = 3
"""Faces are drawn so many times larger and shrunk, which smooths their edges."""
HAN = r"\u2e80-\u9fff\uff00-\uffef"
PIECE = re.compile(rf"\s*(?:[{HAN}]|[^\s{HAN}]+)[，。；：、）」]*")
"""What a line is broken between: a Chinese character or a word, with the punctuation that may not begin a line."""
PATH = re.compile(r'<path d="([^"]+)" fill="(none|#[0-9a-f]{6})"(?: stroke="(#[0-9a-f]{6})" stroke-width="([0-9.]+)")?')


def bgr(colour: str) -> tuple[int, int, int]:
    """`#rrggbb` as OpenCV has it."""
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)


# -- faces -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def face(tile: str, width: int) -> Any:
    """A tile's face as uint8 (height, width, 3), BGR, on its own ivory; its corners are the paper's. Raises OSError for
    a tile that has none."""
    import cv2

    text = (ASSETS / "tiles" / f"{tile}.svg").read_text(encoding="utf-8")
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', text)
    assert found, tile
    scale = width * FINE / int(found[1])
    height = round(int(found[2]) * width / int(found[1]))
    canvas = np.full((height * FINE, width * FINE, 3), bgr(PAPER), np.uint8)
    for data, fill, stroke, thickness in PATH.findall(text):
        curves = [np.rint(curve * scale * 16).astype(np.int32) for curve in _curves(data)]
        if stroke:
            closed = data.endswith("Z")
            cv2.polylines(
                canvas, curves, closed, bgr(stroke), max(1, round(float(thickness) * scale)), cv2.LINE_AA, shift=4
            )
            continue
        winding = np.zeros(canvas.shape[:2], np.int16)  # overlapping strokes of a character are no holes
        for curve in curves:
            mask = np.zeros(canvas.shape[:2], np.uint8)
            cv2.fillPoly(mask, [curve], 1, shift=4)
            winding += mask.astype(np.int16) * (1 if cv2.contourArea(curve, oriented=True) > 0 else -1)
        canvas[winding != 0] = bgr(fill)
    return cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)


def _curves(data: str) -> Iterator[Any]:
    """The curves of an SVG path of M, L, C and Z, flattened: float (n, 2) in the path's own units."""
    points: list[Any] = []
    steps = np.linspace(0, 1, 9)[1:, None]
    for command, numbers in re.findall(r"([MLC])([-0-9. ]+)", data):
        given = np.array(numbers.split(), float).reshape(-1, 2)
        if command == "M" and points:
            yield np.array(points)
            points = []
        if command == "C":
            start, (a, b, end) = points[-1], given
            points += list(
                (1 - steps) ** 3 * start
                + 3 * (1 - steps) ** 2 * steps * a
                + 3 * (1 - steps) * steps**2 * b
                + steps**3 * end
            )
        else:
            points += list(given)
    if points:
        yield np.array(points)


# -- a sheet that grows downwards --------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _font() -> Any:
    import cv2

    return cv2.FontFace(str(ASSETS / "fonts" / "NotoSansSC-Hupai-names.otf"))


def text_width(words: str, size: int) -> int:
    """Pixels that a line of text takes."""
    import cv2

    return int(cv2.getTextSize((WIDTH, WIDTH), words, (0, 0), _font(), size)[2])


def wrapped(words: str, size: int, width: int) -> list[str]:
    """The text in lines of at most `width` pixels: broken between Chinese characters, and between other words."""
    lines, line = [], ""
    for part in PIECE.findall(words):
        if line and text_width(line + part, size) > width:
            lines.append(line)
            part, line = part.lstrip(), ""
        while text_width(part, size) > width and len(part) > 1:  # a word that is longer than a line
            fits = next(n for n in range(len(part) - 1, 0, -1) if n == 1 or text_width(part[:n], size) <= width)
            lines.append(part[:fits])
            part = part[fits:]
        line += part
    return [*lines, line] if line else lines


class Sheet:
    """A page of fixed width; what is put on it goes below what is there."""

    def __init__(self) -> None:
        self.pixels: Any = np.full((4000, WIDTH, 3), bgr(PAPER), np.uint8)
        self.y = MARGIN

    def plate(self, height: int, colour: str = PLATE) -> None:
        """A coloured ground for the next `height` pixels."""
        import cv2

        cv2.rectangle(self.pixels, (MARGIN - 14, self.y), (WIDTH - MARGIN + 14, self.y + height), bgr(colour), -1)

    def write(
        self, words: str, size: int, colour: str = INK, *, x: int = MARGIN, width: int = 0, to: str = "left"
    ) -> None:
        """Text, wrapped within `width` pixels from `x`; `to` the left, the right or the middle of them."""
        width = width or WIDTH - x - MARGIN
        for line in wrapped(plain(words), size, width):
            self.put(line, size, colour, x=x, width=width, to=to)
            self.y += round(size * 1.4)

    def put(self, words: str, size: int, colour: str, *, x: int = MARGIN, width: int = 0, to: str = "left") -> None:
        """One line of text, without going on to the next."""
        import cv2

        width = width or WIDTH - x - MARGIN
        spare = width - text_width(words, size)
        at = x + {"left": 0, "middle": spare // 2, "right": spare}[to]
        cv2.putText(self.pixels, words, (at, self.y + round(size * 1.05)), bgr(colour), _font(), size)

    def tiles(self, groups: Sequence[Sequence[str]], winning: str | None, word: str) -> None:
        """The hand: groups of tiles with a space between them, the winning tile framed and called so (a star
        where its word is long), in rows."""
        import cv2

        size, gap, x = 52, 4, MARGIN
        height = face("P", size).shape[0]
        for group, won in [*((g, False) for g in groups if g), *([([winning], True)] if winning else [])]:
            length = len(group) * (size + gap)
            if x > MARGIN and x + length > WIDTH - MARGIN + gap:
                x, self.y = MARGIN, self.y + height + 12
            for tile in group:
                if x + size > WIDTH - MARGIN:
                    x, self.y = MARGIN, self.y + height + 12
                drawn = face(tile, size)
                self.pixels[self.y : self.y + drawn.shape[0], x : x + size] = drawn
                frame, thick = (RED, 3) if won else ("#b9ae8f", 1)
                corner = (x + size - 1, self.y + drawn.shape[0] - 1)
                cv2.rectangle(self.pixels, (x, self.y), corner, bgr(frame), thick, cv2.LINE_AA)
                if won:
                    cv2.rectangle(self.pixels, (x, self.y), (x + 26, self.y + 26), bgr(RED), -1)
                    cv2.putText(
                        self.pixels, word if len(word) == 1 else "★", (x + 4, self.y + 20), (255, 255, 255), _font(), 19
                    )
                x += size + gap
            x += 3 * gap
        self.y += height + 20

    def png(self) -> bytes:
        """What has been put on it, with the margin below."""
        import cv2

        return cv2.imencode(".png", self.pixels[: self.y + MARGIN])[1].tobytes()


def plain(words: str) -> str:
    """Text without what the font cannot draw: emoji in a player's name, control characters."""
    return "".join(c for c in words if c == " " or (ord(c) < 0x1F000 and unicodedata.category(c)[0] not in "CM"))


# -- the receipt -------------------------------------------------------------------------------------------------------


def receipt_picture(session: Session, score: Score, figures: str, rules: Sequence[str], when: str) -> bytes:
    """The whole result as a PNG. `figures` is its size in words, `rules` what it was scored by, `when` the date."""
    sheet, hand = Sheet(), score.win.hand
    sheet.plate(220, "#a8f2d0")
    sheet.y += 12
    sheet.write(session.t("result.wins", name=session.name(score.win.winner)), 28, to="middle")
    sheet.write(signed(score.payments[score.win.winner]), 80, to="middle")
    sheet.write(figures, 30, to="middle")
    sheet.y = MARGIN + 220 + 24
    groups = [hand.concealed, *(meld.tiles for meld in hand.melds), hand.flowers]
    sheet.tiles(groups, hand.winning_tile, session.t("check.win_badge"))
    for line in score.lines:
        reason = session.rule(line.reason)
        rows = len(wrapped(plain(reason), 22, WIDTH - 2 * MARGIN - 150))
        sheet.plate(58 + rows * 31)
        sheet.y += 8
        sheet.put(session.rule(line.shown), 34, GREEN, to="right")
        sheet.write(session.rule(line.name), 30, width=WIDTH - 2 * MARGIN - 150)
        sheet.write(reason, 22, FAINT, width=WIDTH - 2 * MARGIN - 150)
        sheet.y += 20
    for step in score.steps:
        sheet.write(session.rule(step.text), 24)
    sheet.y += 16
    for transfer in score.settlement.transfers:
        receiver = session.t("seat.bank") if transfer.receiver == BANK else session.name(transfer.receiver)
        sheet.put(str(transfer.amount), 28, INK, to="right")
        sheet.write(f"{session.name(transfer.payer)} → {receiver}", 28, width=WIDTH - 2 * MARGIN - 120)
        sheet.write(session.rule(transfer.reason), 20, FAINT, width=WIDTH - 2 * MARGIN - 120)
    sheet.y += 14
    column = (WIDTH - 2 * MARGIN) // len(score.payments)
    names = [wrapped(plain(session.name(seat)), 24, column - 8) for seat in range(len(score.payments))]
    rows = max(1, *map(len, names))
    sheet.plate(70 + 34 * rows)
    sheet.y += 8
    for row in range(rows):
        for seat, lines in enumerate(names):
            if row < len(lines):
                sheet.put(lines[row], 24, INK, x=MARGIN + seat * column, width=column, to="middle")
        sheet.y += 34
    for seat, amount in enumerate(score.payments):
        colour = GREEN if amount > 0 else RED if amount < 0 else INK
        sheet.put(signed(amount), 42, colour, x=MARGIN + seat * column, width=column, to="middle")
    sheet.y += 78
    for words in (*rules, f"{when} · Hupai 胡牌"):
        sheet.write(words, 20, FAINT)
    return sheet.png()
