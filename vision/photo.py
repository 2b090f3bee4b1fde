"""Bytes become upright pixels, or one sentence that says why not.

The size is read from the file's head before anything is decoded, so a small file that unpacks to gigabytes is refused
while it is still small. Large JPEGs are decoded at half scale, which costs a third of the time, and at full scale only
when the tiles in them turn out to be small."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(80_000_000))

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.result import PhotoError, Problem, problem

LARGEST_FILE = 64 * 2**20
LARGEST_PIXELS = 64_000_000
HALVE_ABOVE = 3000
"""Long side in pixels from which a JPEG is first decoded at half scale."""
SMALLEST_SIDE = 32
CUT = "The {} file is cut off, its end is missing: copy or send the photograph again."


@dataclass
class Photo:
    """An upright photograph.

    pixels: uint8 (h, w, 3) BGR at `scale` of the photograph's own size (1.0 or 0.5).
    width, height: the photograph's own size in pixels, upright.
    """

    pixels: NDArray[np.uint8]
    width: int
    height: int
    scale: float = 1.0
    _data: bytes = field(default=b"", repr=False)

    @property
    def reduced(self) -> bool:
        """Are these fewer pixels than the photograph has?"""
        return self.scale != 1.0

    def full(self) -> NDArray[np.uint8]:
        """The pixels at the photograph's own size; decoded now if they were not."""
        if self.reduced:
            self.pixels, self.scale = _decode(self._data, cv2.IMREAD_COLOR), 1.0
        return self.pixels


def open_photo(source: bytes | str | Path) -> Photo:
    """Open a photograph from bytes or a path. PhotoError, in one sentence, for whatever is not a readable picture."""
    data = source if isinstance(source, bytes) else _bytes(Path(source))
    kind = _kind(data)
    if kind == "HEIC":
        data, kind = _from_heic(data), "PNG"
    size = _size(data, kind)
    if size and size[0] * size[1] > LARGEST_PIXELS:
        raise _too_many_pixels(*size)
    if kind == "JPEG" and data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
        raise PhotoError(problem("photo.cut", CUT.format("JPEG")))
    if kind == "PNG" and b"IEND" not in data[-64:]:
        raise PhotoError(problem("photo.cut", CUT.format("PNG")))
    halve = kind == "JPEG" and size is not None and max(size) >= HALVE_ABOVE
    pixels = _decode(data, cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR)
    if not halve and kind in ("PNG", "WebP"):
        pixels = _on_white(data, pixels)
    height, width = pixels.shape[:2]
    if min(height, width) < SMALLEST_SIDE:
        sentence = "The picture has only {w} × {h} pixels, too few to read a tile: take the photograph again."
        raise PhotoError(problem("photo.small", sentence, w=width, h=height))
    if halve and size is not None:
        wide = (width >= height) == (size[0] >= size[1])
        width, height = size if wide else (size[1], size[0])
        return Photo(pixels, width, height, pixels.shape[1] / width, data)
    return Photo(pixels, width, height)


def preview(photo: Photo, longest: int = 1280, largest: int = 300_000) -> bytes:
    """A JPEG of the photograph for the screen, at most `longest` pixels long and `largest` bytes heavy."""
    height, width = photo.pixels.shape[:2]
    scale = min(1.0, longest / max(height, width))
    small = (
        cv2.resize(
            photo.pixels, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA
        )
        if scale < 1
        else photo.pixels
    )
    for quality in (85, 75, 65, 50, 35, 20):
        coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(coded) <= largest:
            return coded
    return preview(Photo(photo.pixels, photo.width, photo.height, photo.scale), longest * 3 // 4, largest)


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise PhotoError(f"{path} is a folder: name a photograph in it.")
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise _too_large(str(path))
        return path.read_bytes()
    except FileNotFoundError:
        raise PhotoError(f"There is no file {path}: check the name.") from None
    except OSError as error:
        raise PhotoError(f"{path} cannot be read ({error.strerror}): check its permissions.") from None


def _kind(data: bytes) -> str:
    if not data:
        raise PhotoError(problem("photo.empty", "The file is empty: copy or send the photograph again."))
    if len(data) > LARGEST_FILE:
        raise _too_large("The file")
    if data[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return "PNG"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[4:8] == b"ftyp":
        brands = data[8:40]
        if b"avif" in brands:
            return "AVIF"
        if any(b in brands for b in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")):
            return "HEIC"
    if data[:2] == b"BM":
        return "BMP"
    if data[:4] in (b"II*\x00", b"MM\x00*"):
        return "TIFF"
    if data[:4] == b"GIF8":
        return "GIF"
    sentence = "The file is not a picture that can be read: give a JPEG, PNG, WebP, AVIF, TIFF or BMP file."
    raise PhotoError(problem("photo.kind", sentence))


def _too_large(what: str) -> PhotoError:
    mb = LARGEST_FILE >> 20
    sentence = f"{what} is larger than {mb} MiB: save the photograph smaller."
    return PhotoError(Problem("photo.large", sentence, (("mb", mb),)))


def _too_many_pixels(width: int, height: int) -> PhotoError:
    sentence = "The picture has {w} × {h} pixels, more than the {mp} megapixels that are read: save it smaller."
    return PhotoError(problem("photo.pixels", sentence, w=width, h=height, mp=LARGEST_PIXELS // 10**6))


def _size(data: bytes, kind: str) -> tuple[int, int] | None:
    """Width and height as the file's head gives them (before EXIF turns it), None where they are not looked for."""
    try:
        if kind == "PNG":
            return struct.unpack(">II", data[16:24])
        if kind == "BMP":
            w, h = struct.unpack("<ii", data[18:26])
            return abs(w), abs(h)
        if kind == "GIF":
            return struct.unpack("<HH", data[6:10])
        if kind == "WebP":
            if data[12:16] == b"VP8X":
                return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
            if data[12:16] == b"VP8L":
                bits = int.from_bytes(data[21:25], "little")
                return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
            w, h = struct.unpack("<HH", data[26:30])
            return w & 0x3FFF, h & 0x3FFF
        if kind == "AVIF" and (at := data.find(b"ispe")) > 0:
            return struct.unpack(">II", data[at + 8 : at + 16])
        if kind == "JPEG":
            at = 2
            while at + 9 < len(data):
                if data[at] != 0xFF:
                    at += 1
                    continue
                marker = data[at + 1]
                if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                    h, w = struct.unpack(">HH", data[at + 5 : at + 9])
                    return w, h
                if marker == 0xFF:
                    at += 1
                elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
                    at += 2
                else:
                    at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    except struct.error:
        pass
    return None


def _decode(data: bytes, flags: int) -> NDArray[np.uint8]:
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        pixels = None
    if pixels is None or pixels.size == 0:
        sentence = "The file begins like a picture but cannot be decoded: it is damaged, copy or send it again."
        raise PhotoError(problem("photo.damaged", sentence))
    return np.asarray(pixels, np.uint8)


def _on_white(data: bytes, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What is transparent shows white, as on paper."""
    raw = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if raw is None or raw.ndim != 3 or raw.shape[2] != 4 or raw.shape[:2] != pixels.shape[:2]:
        return pixels
    whole = 65535.0 if raw.dtype == np.uint16 else 255.0
    alpha = raw[..., 3:4].astype(np.float32) / whole
    return (pixels * alpha + 255 * (1 - alpha)).astype(np.uint8)


def _from_heic(data: bytes) -> bytes:
    """HEIC as PNG through the optional package pillow-heif."""
    try:
        import io

        import pillow_heif  # pyright: ignore[reportMissingImports]
        from PIL import Image, ImageOps  # pyright: ignore[reportMissingImports]
    except ImportError:
        sentence = "This is a HEIC photograph, which needs the package pillow-heif: install it, or send it as JPEG."
        raise PhotoError(problem("photo.heic", sentence)) from None
    try:
        pillow_heif.register_heif_opener()
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > LARGEST_PIXELS:
                raise _too_many_pixels(picture.width, picture.height)
            out = io.BytesIO()
            ImageOps.exif_transpose(picture).convert("RGB").save(out, "PNG", compress_level=1)
            return out.getvalue()
    except PhotoError:
        raise
    except Exception as error:
        sentence = f"The HEIC photograph cannot be decoded ({error}): send it as JPEG."
        raise PhotoError(Problem("photo.damaged", sentence)) from None
