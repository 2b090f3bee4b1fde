"""Our reader beside the PyPI package `mahjong-detector`, on the same photographs in the same run.

Run by hand: `python -m models.bench_reading [--photos 60]`. Prints tiles right, photographs exactly right and the ratio
of the times, at 640 pixels and at 12 megapixels, decoding included. Nothing is asserted."""

from __future__ import annotations

import argparse
import importlib.util
import io
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from datasets import hupai_photos
from datasets.labels import LabelledPhoto
from models.evaluate import Tally, judge
from vision.reading import Reader
from vision.result import ReadHand, Reading, ReadTile

HONOURS = {"chun": "C", "haku": "P", "hatsu": "F", "nan": "S", "pe": "N", "sha": "W", "tou": "E"}


def peer() -> Callable[[bytes], Reading] | None:
    """The peer as a reader of bytes, None when it is not installed."""
    if importlib.util.find_spec("mahjong_detector") is None:
        return None
    from mahjong_detector.predict import CLASS_NAMES, predict  # pyright: ignore[reportMissingImports]
    from mahjong_detector.preprocess import preprocess_image  # pyright: ignore[reportMissingImports]
    from PIL import Image  # pyright: ignore[reportMissingImports]

    def read(data: bytes) -> Reading:
        started = time.perf_counter()
        picture = Image.open(io.BytesIO(data))
        prepared, padding = preprocess_image(picture)
        tiles: list[ReadTile] = []
        for d in predict(prepared, padding):
            name = CLASS_NAMES[d.class_id]
            corners = ((d.x1, d.y1), (d.x2, d.y1), (d.x2, d.y2), (d.x1, d.y2))
            tiles.append(ReadTile(HONOURS.get(name, name), float(d.confidence), corners))
        spent = (time.perf_counter() - started) * 1000
        return Reading(picture.width, picture.height, tuple(tiles), ReadHand(), (), {"total": spent})

    return read


def enlarged(photo: LabelledPhoto) -> bytes:
    """The photograph as a JPEG of 12 megapixels, as a phone would have taken it."""
    pixels = cv2.imread(str(photo.path))
    assert pixels is not None
    big = cv2.resize(pixels, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", big, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--photos", type=int, default=60, help="photographs a split")
    count = arguments.parse_args().photos
    ours = Reader()
    theirs = peer()
    readers: dict[str, Callable[[bytes], Reading]] = {"hupai": ours.read}
    if theirs is None:
        print("mahjong-detector is not installed (pip install mahjong-detector==0.0.6): measuring ours alone")
    else:
        readers["mahjong-detector"] = theirs
    for split in ("held_out", "unseen"):
        photos = [p for p in hupai_photos.load() if p.split == split][:count]
        for name, read in readers.items():
            tally = Tally()
            for photo in photos:
                assert photo.path is not None
                judge(tally, replace(photo, partial=True), read(photo.path.read_bytes()))
            f = tally.figures()
            print(
                f"{split:9s} {name:17s} tiles right {f['tiles_right']:.3f}  "
                f"exact {f['photographs_exact']:.3f}  {f['milliseconds_median']:.0f} ms"
            )
    big = [enlarged(p) for p in [p for p in hupai_photos.load() if p.split == "held_out"][:12]]
    medians: dict[str, float] = {}
    for name, read in readers.items():
        read(big[0])
        times: list[float] = []
        for data in big:
            started = time.perf_counter()
            read(data)
            times.append((time.perf_counter() - started) * 1000)
        medians[name] = float(np.median(times))
        print(f"12 megapixels {name:17s} {medians[name]:.0f} ms (median of {len(big)})")
    if len(medians) == 2:
        print(f"ratio of times, peer / ours: {medians['mahjong-detector'] / medians['hupai']:.2f}")


if __name__ == "__main__":
    main()
