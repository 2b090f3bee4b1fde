"""A file becomes an upright photograph or one clear sentence."""

import struct
import zlib

import cv2
import numpy as np
import pytest

from vision.photo import HALVE_ABOVE, LARGEST_PIXELS, open_photo, preview
from vision.result import PhotoError


def picture(width: int = 120, height: int = 80) -> np.ndarray:
    """Upper left quarter red, the rest grey, so that turning shows."""
    pixels = np.full((height, width, 3), 128, np.uint8)
    pixels[: height // 2, : width // 2] = (0, 0, 255)
    return pixels


def jpeg(pixels: np.ndarray, orientation: int | None = None) -> bytes:
    data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    if orientation is None:
        return data
    tiff = b"II*\x00\x08\x00\x00\x00" + struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\x00\x00" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def png_head(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = zlib.compress(b"\x00" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def test_a_jpeg_opens_with_its_own_size():
    photo = open_photo(jpeg(picture()))
    assert (photo.width, photo.height) == (120, 80)
    assert photo.pixels.shape == (80, 120, 3)


@pytest.mark.parametrize(("orientation", "where"), [(1, (0, 0)), (3, (1, 1)), (6, (0, 1)), (8, (1, 0))])
def test_a_photograph_turned_by_exif_is_read_upright(orientation, where):
    photo = open_photo(jpeg(picture(), orientation))
    assert (photo.width, photo.height) == ((80, 120) if orientation in (6, 8) else (120, 80))
    row, column = where[0], where[1]
    h, w = photo.pixels.shape[:2]
    blue, green, red = photo.pixels[(1 + 2 * row) * h // 4, (1 + 2 * column) * w // 4]
    assert red > 200
    assert green < 60
    assert blue < 60


@pytest.mark.parametrize("orientation", [1, 6])
def test_a_large_jpeg_is_decoded_at_half_scale_and_keeps_its_size(orientation):
    data = jpeg(picture(HALVE_ABOVE + 200, 1600), orientation)
    photo = open_photo(data)
    long_side = max(photo.width, photo.height)
    assert long_side == HALVE_ABOVE + 200
    assert photo.scale == pytest.approx(0.5)
    assert photo.full().shape[:2] == (photo.height, photo.width)


def test_grey_and_sixteen_bit_and_transparent_pictures_open_as_colour():
    grey = cv2.imencode(".png", np.full((50, 60), 77, np.uint8))[1].tobytes()
    assert open_photo(grey).pixels[10, 10].tolist() == [77, 77, 77]
    deep = cv2.imencode(".png", np.full((50, 60, 3), 256 * 90, np.uint16))[1].tobytes()
    assert abs(int(open_photo(deep).pixels[10, 10, 0]) - 90) <= 1
    clear = np.zeros((50, 60, 4), np.uint8)
    assert open_photo(cv2.imencode(".png", clear)[1].tobytes()).pixels[10, 10].tolist() == [255, 255, 255]


@pytest.mark.parametrize("kind", [".webp", ".bmp", ".png"])
def test_other_formats_open(kind):
    assert open_photo(cv2.imencode(kind, picture())[1].tobytes()).width == 120


@pytest.mark.parametrize(
    ("data", "sentence", "codes"),
    [
        (b"", "empty", "photo.empty"),
        (b"hello, this is no picture", "not a picture", "photo.kind"),
        (jpeg(picture())[:-300], "cut off", "photo.cut"),
        (cv2.imencode(".png", picture())[1].tobytes()[:-20], "cut off", "photo.cut"),
        (b"\xff\xd8\xff\xe0" + b"\x00" * 500 + b"\xff\xda\xff\xd9", "damaged", "photo.damaged"),
        (png_head(12_000, 9_000), "megapixels", "photo.pixels"),
        (
            b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 100,
            "HEIC",
            "photo.heic photo.damaged",  # with and without the optional package
        ),
        (cv2.imencode(".png", picture(8, 8))[1].tobytes(), "too few", "photo.small"),
    ],
    ids=["empty", "text", "cut jpeg", "cut png", "damaged", "bomb", "heic", "tiny"],
)
def test_what_is_no_readable_picture_gets_one_sentence_and_a_code(data, sentence, codes):
    with pytest.raises(PhotoError, match=sentence) as refusal:
        open_photo(data)
    assert str(refusal.value).count("\n") == 0
    assert str(refusal.value).endswith(".")
    assert refusal.value.problem.code in codes.split()


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(PhotoError, match="no file"):
        open_photo(tmp_path / "nothing.jpg")
    with pytest.raises(PhotoError, match="folder"):
        open_photo(tmp_path)


def test_the_limit_lets_a_fifty_megapixel_phone_through():
    assert 8160 * 6120 < LARGEST_PIXELS < 100_000_000


def test_a_preview_is_light_whatever_the_photograph():
    noise = np.random.default_rng(0).integers(0, 256, (1500, 2000, 3)).astype(np.uint8)
    assert len(preview(open_photo(jpeg(noise)))) <= 300_000
    small = cv2.imdecode(np.frombuffer(preview(open_photo(jpeg(picture(2000, 1000)))), np.uint8), cv2.IMREAD_COLOR)
    assert small.shape[1] == 1280
