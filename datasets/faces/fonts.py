"""Characters as outlines: which freely licensed fonts we know, which are installed, what each can write.

Only the outlines of the sixty-odd characters that tiles carry are taken, checked against the font's character map
(no empty boxes), and scaled so that every font writes into the same square. Nothing is shipped: a font that is not
installed is skipped, and fewer than three is an error that says what to install.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from datasets.faces.outline import Curve, area, moved
from datasets.faces.outline_store import kept
from datasets.faces.strokes import STROKES, hand_written

ROOTS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts")

CHARACTERS = "一二三四五六七八九伍壹贰貳叁參萬万東东南西北中發发発白梅蘭兰菊竹春夏秋冬"
LATIN = "0123456789ESWNCFPBRGDHTOIZUK"

_APT = (
    "apt install fonts-noto-cjk fonts-lxgw-wenkai fonts-arphic-ukai fonts-arphic-uming fonts-aoyagi-kouzan-t "
    "fonts-kouzan-mouhitsu fonts-cns11643-kai fonts-dejavu-core fonts-liberation"
)


@dataclass(frozen=True)
class Font:
    """One face of one font file: where it is, its licence, and how tile-like it is (`weight`, drawn that often)."""

    name: str
    path: str
    index: int
    licence: str
    weight: float
    latin: bool = False


def _f(name: str, path: str, licence: str, weight: float = 1.0, index: int = 0, latin: bool = False) -> Font:
    return Font(name, path, index, licence, weight, latin)


_NOTO = "opentype/noto/Noto{}CJK-{}.ttc"
_NPM = "node_modules/@fontsource/{0}/files/{0}-{1}-normal.woff"

# Brush and Kai faces are what real tiles carry, so they are drawn most often.
FONTS: tuple[Font, ...] = (
    _f("kouzan-t", "truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", "public domain", 3),
    _f("kouzan", "truetype/kouzan-mouhitsu/kouzan-mouhitsu.ttf", "public domain", 3),
    _f("kouzan-gyosho", "truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", "public domain", 3),
    _f("soseki", "truetype/aoyagi-soseki/aoyagi-soseki.ttf", "public domain", 0.4),
    _f("ukai", "truetype/arphic/ukai.ttc", "Arphic Public License", 3),
    _f("ukai-tw", "truetype/arphic/ukai.ttc", "Arphic Public License", 2, 2),
    _f("uming", "truetype/arphic/uming.ttc", "Arphic Public License", 1),
    _f("bkai", "truetype/arphic-bkai00mp/bkai00mp.ttf", "Arphic Public License", 3),
    _f("gkai", "truetype/arphic-gkai00mp/gkai00mp.ttf", "Arphic Public License", 3),
    _f("bsmi", "truetype/arphic-bsmi00lp/bsmi00lp.ttf", "Arphic Public License", 1),
    _f("gbsn", "truetype/arphic-gbsn00lp/gbsn00lp.ttf", "Arphic Public License", 1),
    _f("tw-kai", "truetype/cns11643/TW-Kai-98_1.ttf", "Open Government Data License (Taiwan) 1.0", 3),
    _f("tw-sung", "truetype/cns11643/TW-Sung-98_1.ttf", "Open Government Data License (Taiwan) 1.0", 1),
    _f("cwtex-kai", "truetype/cwtex/cwkai.ttf", "GPL 2 or later", 3),
    _f("cwtex-ming", "truetype/cwtex/cwming.ttf", "GPL 2 or later", 1),
    _f("cwtex-yen", "truetype/cwtex/cwyen.ttf", "GPL 2 or later", 1),
    _f("cwtex-fs", "truetype/cwtex/cwfs.ttf", "GPL 2 or later", 1.5),
    _f("cwtex-hei", "truetype/cwtex/cwheib.ttf", "GPL 2 or later", 1),
    _f("wenkai-light", "truetype/lxgw-wenkai/LXGWWenKai-Light.ttf", "OFL 1.1", 1),
    _f("wenkai", "truetype/lxgw-wenkai/LXGWWenKai-Regular.ttf", "OFL 1.1", 2),
    _f("wenkai-bold", "truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", "OFL 1.1", 3),
    _f("serif-semibold", _NOTO.format("Serif", "SemiBold"), "OFL 1.1", 1, 3),
    _f("serif-bold", _NOTO.format("Serif", "Bold"), "OFL 1.1", 1, 3),
    _f("serif-black", _NOTO.format("Serif", "Black"), "OFL 1.1", 1.5, 3),
    _f("serif-black-jp", _NOTO.format("Serif", "Black"), "OFL 1.1", 1),
    _f("serif-medium-cn", _NOTO.format("Serif", "Medium"), "OFL 1.1", 0.7, 2),
    _f("sans-regular", _NOTO.format("Sans", "Regular"), "OFL 1.1", 0.5, 3),
    _f("sans-bold", _NOTO.format("Sans", "Bold"), "OFL 1.1", 0.7, 3),
    _f("sans-black-jp", _NOTO.format("Sans", "Black"), "OFL 1.1", 0.6),
    _f("sans-medium-cn", _NOTO.format("Sans", "Medium"), "OFL 1.1", 0.5, 2),
    _f("zenhei", "truetype/wqy/wqy-zenhei.ttc", "GPL 2 with font exception", 0.5),
    _f("ipaex-gothic", "opentype/ipaexfont-gothic/ipaexg.ttf", "IPA Font License", 0.4),
    _f("ipaex-mincho", "opentype/ipaexfont-mincho/ipaexm.ttf", "IPA Font License", 0.7),
    _f("ipamj", "truetype/ipamj/ipamjm.ttf", "IPA Font License", 0.7),
    _f("vl-gothic", "truetype/vlgothic/VL-Gothic-Regular.ttf", "M+, Sazanami and BSD", 0.4),
    _f("takao-mincho", "truetype/takao-mincho/TakaoMincho.ttf", "IPA Font License", 0.5),
    _f("hanazono", "truetype/hanazono/HanaMinA.ttf", "OFL 1.1 or Hanazono Font License", 0.6),
    _f("babelstone", "truetype/babelstone/BabelStoneHan.ttf", "Arphic Public License", 0.8),
    _f("seto", "truetype/seto/setofont.ttf", "OFL 1.1", 1),
    _f("cedar", "truetype/motoya-l-cedar/MTLc3m.ttf", "Apache 2.0", 0.5),
    _f("maruberi", "truetype/motoya-l-maruberi/MTLmr3m.ttf", "Apache 2.0", 0.7),
    _f("klee", "truetype/klee/KleeOne-Regular.ttf", "OFL 1.1", 1.5),
    _f("klee-semibold", "truetype/klee/KleeOne-SemiBold.ttf", "OFL 1.1", 2),
    _f("bizud-mincho", "truetype/bizud-mincho/BIZUDMincho-Regular.ttf", "OFL 1.1", 0.7),
    _f("bizud-gothic", "truetype/bizud-gothic/BIZUDGothic-Bold.ttf", "OFL 1.1", 0.5),
    _f("dejima", "truetype/dejima-mincho/dejima-mincho-r227.ttf", "MIT", 1),
    _f("oradano", "truetype/oradano-mincho/OradanoGSRR.ttf", "free, custom", 1),
    _f("reggae", "truetype/reggae/ReggaeOne-Regular.ttf", "OFL 1.1", 0.8),
    _f("smiley", "truetype/smiley-sans/SmileySans-Oblique.ttf", "OFL 1.1", 0.5),
    _f("kiloji", "truetype/kiloji/kiloji.ttf", "BSD 3-clause", 0.6),
    _f("kiloji-bold", "truetype/kiloji/kiloji_b.ttf", "BSD 3-clause", 0.8),
    _f("yoz", "truetype/yozvox-yozfont/YOzRN_.ttf", "OFL 1.1", 0.6),
    _f("gungseo", "truetype/unfonts-core/UnGungseo.ttf", "GPL 2", 2),
    _f("batang-bold", "truetype/unfonts-core/UnBatangBold.ttf", "GPL 2", 0.7),
    _f("mplus-bold", "opentype/mplus/Mplus1-Bold.otf", "OFL 1.1", 0.4),
    _f("mplus-black", "opentype/mplus/Mplus1-Black.otf", "OFL 1.1", 0.4),
    _f("sawarabi-mincho", "truetype/sawarabi-mincho/sawarabi-mincho-medium.ttf", "CC BY-SA 3.0 or OFL 1.1", 0.6),
    # From npm's @fontsource packages, installed under ~/.local/share/fonts (`npm install --prefix` there).
    _f("ma-shan-zheng", _NPM.format("ma-shan-zheng", "chinese-simplified-400"), "OFL 1.1", 3),
    _f("zhi-mang-xing", _NPM.format("zhi-mang-xing", "chinese-simplified-400"), "OFL 1.1", 1.5),
    _f("long-cang", _NPM.format("long-cang", "chinese-simplified-400"), "OFL 1.1", 1),
    _f("liu-jian-mao-cao", _NPM.format("liu-jian-mao-cao", "chinese-simplified-400"), "OFL 1.1", 0.7),
    _f("xiaowei", _NPM.format("zcool-xiaowei", "chinese-simplified-400"), "OFL 1.1", 1),
    _f("kuaile", _NPM.format("zcool-kuaile", "chinese-simplified-400"), "OFL 1.1", 0.4),
    _f("huangyou", _NPM.format("zcool-qingke-huangyou", "chinese-simplified-400"), "OFL 1.1", 0.4),
    _f("kaisei-bold", _NPM.format("kaisei-opti", "japanese-700"), "OFL 1.1", 1),
    _f("shippori-extrabold", _NPM.format("shippori-mincho-b1", "japanese-800"), "OFL 1.1", 1),
    _f("dela", _NPM.format("dela-gothic-one", "japanese-400"), "OFL 1.1", 0.4),
    _f("yusei", _NPM.format("yusei-magic", "japanese-400"), "OFL 1.1", 0.7),
    _f("dejavu", "truetype/dejavu/DejaVuSans.ttf", "Bitstream Vera", 1, latin=True),
    _f("dejavu-bold", "truetype/dejavu/DejaVuSans-Bold.ttf", "Bitstream Vera", 1, latin=True),
    _f("dejavu-condensed", "truetype/dejavu/DejaVuSansCondensed.ttf", "Bitstream Vera", 1, latin=True),
    _f("dejavu-serif", "truetype/dejavu/DejaVuSerif.ttf", "Bitstream Vera", 1, latin=True),
    _f("dejavu-serif-bold", "truetype/dejavu/DejaVuSerif-Bold.ttf", "Bitstream Vera", 1, latin=True),
    _f("liberation-sans", "truetype/liberation/LiberationSans-Regular.ttf", "OFL 1.1", 2, latin=True),
    _f("liberation-sans-bold", "truetype/liberation/LiberationSans-Bold.ttf", "OFL 1.1", 2, latin=True),
    _f("liberation-narrow", "truetype/liberation/LiberationSansNarrow-Bold.ttf", "OFL 1.1", 1, latin=True),
    _f("liberation-serif", "truetype/liberation/LiberationSerif-Regular.ttf", "OFL 1.1", 1, latin=True),
    _f("liberation-serif-bold", "truetype/liberation/LiberationSerif-Bold.ttf", "OFL 1.1", 2, latin=True),
    _f("serif-latin", _NOTO.format("Serif", "Bold"), "OFL 1.1", 1, 2, latin=True),
    _f("sans-latin", _NOTO.format("Sans", "Bold"), "OFL 1.1", 1, 2, latin=True),
)
_BY_NAME = {font.name: font for font in FONTS}


class FontError(RuntimeError):
    """Too few fonts, or a font that cannot write what was asked; the sentence says what to install."""


def _file(font: Font) -> Path | None:
    for root in ROOTS:
        path = root / font.path
        if path.is_file():
            return path
    return None


@lru_cache(maxsize=2)
def installed(latin: bool = False) -> tuple[Font, ...]:
    """The known fonts that are on this machine, in table order."""
    return tuple(font for font in FONTS if font.latin == latin and _file(font) is not None)


def require() -> tuple[Font, ...]:
    """The installed character fonts; `FontError` when fewer than three, or no font for digits, are installed."""
    fonts = installed()
    if len(fonts) < 3 or not installed(latin=True):
        raise FontError(
            f"Drawing tile faces needs at least 3 CJK fonts and a Latin one; {len(fonts)} and "
            f"{len(installed(latin=True))} are installed. Run: {_APT}"
        )
    return fonts


class _CubicPen:
    """Collects a glyph's contours as cubic segments (quadratic ones are raised exactly)."""

    def __init__(self) -> None:
        self.contours: list[Curve] = []
        self._segments: list[list[tuple[float, float]]] = []
        self._at = (0.0, 0.0)
        self._from = (0.0, 0.0)

    def cubic(self, operations: list[tuple[str, Any]]) -> list[Curve]:
        for name, points in operations:
            if name == "moveTo":
                self._close()
                self._at = self._from = points[0]
            elif name == "lineTo":
                self._line(points[0])
            elif name == "curveTo":
                # RecordingPen hands on whole splines; tile glyphs in CFF are plain cubics.
                from fontTools.pens.basePen import decomposeSuperBezierSegment

                pieces = [points] if len(points) == 3 else decomposeSuperBezierSegment(points)
                for a, b, c in pieces:
                    self._segments.append([self._at, a, b, c])
                    self._at = c
            elif name == "qCurveTo":
                self._quadratics(points)
            elif name in ("closePath", "endPath"):
                self._close()
        self._close()
        return self.contours

    def _line(self, to: tuple[float, float]) -> None:
        if to != self._at:
            self._segments.append([self._at, self._at, to, to])
            self._at = to

    def _quadratics(self, points: tuple[Any, ...]) -> None:
        off = list(points[:-1])
        end = points[-1]
        if end is None:  # a TrueType contour without any point on the curve
            start = ((off[-1][0] + off[0][0]) / 2, (off[-1][1] + off[0][1]) / 2)
            self._at = self._from = start
            end = start
        for i, control in enumerate(off):
            ahead = off[i + 1] if i + 1 < len(off) else None
            to = end if ahead is None else ((control[0] + ahead[0]) / 2, (control[1] + ahead[1]) / 2)
            (x0, y0), (cx, cy), (x1, y1) = self._at, control, to
            self._segments.append(
                [
                    (x0, y0),
                    (x0 + (cx - x0) * 2 / 3, y0 + (cy - y0) * 2 / 3),
                    (x1 + (cx - x1) * 2 / 3, y1 + (cy - y1) * 2 / 3),
                    (x1, y1),
                ]
            )
            self._at = to
        if not off:
            self._line(end)

    def _close(self) -> None:
        if self._segments:
            self._line(self._from)
            self.contours.append(np.array(self._segments, dtype=np.float64))
            self._segments = []


Glyph = tuple[Curve, ...]
HAND = "hand-"  # a name such as hand-71 stands for the stroke-written lettering of that number


@lru_cache(maxsize=128)
def _glyphs(name: str) -> dict[str, Glyph]:
    """Outlines of every tile character the font has: y down, 1 = the font's own square, centred on (0, 0)."""
    if name.startswith(HAND):
        return {character: hand_written(character, int(name[len(HAND) :])) for character in STROKES}
    font = _BY_NAME[name]
    path = _file(font)
    if path is None:
        raise FontError(f"Font {name} ({font.path}) is not installed. Run: {_APT}")
    characters = LATIN if font.latin else CHARACTERS
    return kept(name, path, characters, lambda: _taken(font, path, characters))


def _taken(font: Font, path: Path, characters: str) -> dict[str, Glyph]:
    """The same, read from the font file."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.ttLib import TTFont

    # Old fonts carry odd time stamps and padding; none of it touches the outlines.
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    found: dict[str, Glyph] = {}
    with TTFont(str(path), fontNumber=font.index, lazy=True) as table:
        mapped, glyph_set = table.getBestCmap(), table.getGlyphSet()
        for character in characters:
            glyph_name = mapped.get(ord(character))
            if glyph_name is None or glyph_name == ".notdef":
                continue
            recorder = DecomposingRecordingPen(glyph_set)
            glyph_set[glyph_name].draw(recorder)
            curves = _CubicPen().cubic(recorder.value)
            if curves:
                found[character] = tuple(moved(curve, sy=-1.0) for curve in curves)
    # The square the font writes into, taken from characters that fill it, so that sizes agree between fonts.
    models = "E508" if font.latin else "東南西北萬發中四"
    points = [p.reshape(-1, 2) for c in models if c in found for p in found[c]]
    if not points:
        return {}
    cloud = np.vstack(points)
    low, high = cloud.min(0), cloud.max(0)
    centre, size = (low + high) / 2, float(high[1] - low[1] if font.latin else max(high - low))
    return {character: tuple((curve - centre) / size for curve in curves) for character, curves in found.items()}


def has(name: str, text: str) -> bool:
    """Whether the font can write every character of `text`."""
    glyphs = _glyphs(name)
    return all(character in glyphs for character in text)


def glyph(name: str, character: str) -> Glyph:
    """The character's curves in the square of side 1 around (0, 0), y down.

    A font that lacks the character gives way to the first installed one that has it.
    """
    glyphs = _glyphs(name)
    if character not in glyphs:
        for font in installed(name in _BY_NAME and _BY_NAME[name].latin):
            if character in _glyphs(font.name):
                return _glyphs(font.name)[character]
        raise FontError(f"No installed font writes {character}. Run: {_APT}")
    return glyphs[character]


@lru_cache(maxsize=512)
def heaviness(name: str) -> float:
    """The share of a character's box that is ink: about .13 for Kai, .2 for a medium face, .35 for a black one."""
    shares: list[float] = []
    for character in "中四七八":
        curves = _glyphs(name).get(character, ())
        if curves:
            areas = [area(curve) for curve in curves]
            sign = 1.0 if areas[max(range(len(areas)), key=lambda i: abs(areas[i]))] > 0 else -1.0
            shares.append(sign * sum(areas))
    return sum(shares) / len(shares) if shares else 0.2


def bounds(curves: Glyph) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of the ink."""
    cloud = np.vstack([curve.reshape(-1, 2) for curve in curves])
    (x0, y0), (x1, y1) = cloud.min(0), cloud.max(0)
    return float(x0), float(y0), float(x1), float(y1)
