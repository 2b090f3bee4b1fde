"""The three small networks: where tiles are, where exactly their corners are, and which tiles they are.

Plain 3×3 convolutions with batch normalisation: on two CPU cores in `channels_last` they train and run faster than
depthwise blocks of half the size. Channels are multiples of 16: others fall off the fast path of the CPU kernels
(24 channels instead of 32 made the finder ten times slower). All take BGR pixels as float 0..1, shape (batch, 3,
height, width)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision import classifier, corners, finder

FINDER_STRIDE = finder.STRIDE
"""One cell of the finder's output is a square of so many pixels."""


def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions and a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """Picture → map (batch, 6, height/4, width/4): tile-centre logit; offset of the centre from the cell's middle in
    cells (x, y); size, long_c, long_s of `vision.geometry` with λ in units of (16 px)²."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), Residual(32))
        self.down8 = nn.Sequential(conv(32, 48, 2), Residual(48))
        self.down16 = nn.Sequential(conv(48, 96, 2), Residual(96))
        self.down32 = nn.Sequential(conv(96, 128, 2), Residual(128))
        self.up16 = conv(128, 96, 1, 1)
        self.join16 = conv(96, 64)
        self.up8 = conv(64, 48, 1, 1)
        self.join8 = conv(48, 48)
        self.up4 = conv(48, 32, 1, 1)
        self.join4 = nn.Sequential(conv(32, 48), conv(48, 48))
        self.head = nn.Conv2d(48, 6, 1)
        nn.init.constant_(self.head.bias[0:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        s4 = self.stem(x)
        s8 = self.down8(s4)
        s16 = self.down16(s8)
        s32 = self.down32(s16)
        u16 = self.join16(s16 + nn.functional.interpolate(self.up16(s32), scale_factor=2.0, mode="nearest"))
        u8 = self.join8(s8 + nn.functional.interpolate(self.up8(u16), scale_factor=2.0, mode="nearest"))
        u4 = self.join4(s4 + nn.functional.interpolate(self.up4(u8), scale_factor=2.0, mode="nearest"))
        return self.head(u4)


class Refiner(nn.Module):
    """Crop (batch, 3, 48, 48) around a roughly known tile → two answers in that crop's square of ±1: the corners
    (batch, 4, 2), clockwise from the crop's upper left, which mean something when the tile stands nearly straight in
    the crop; and its place (batch, 5) at any tilt: centre x, y, then size, long_c, long_s of `vision.geometry`."""

    SIZE, MARGIN = corners.SIZE, corners.MARGIN

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16),
            conv(16, 32, 2),
            Residual(32),
            conv(32, 64, 2),
            Residual(64),
            conv(64, 96, 2),
            Residual(96),
            conv(96, 32, 1, 1),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(32 * 6 * 6, 128), nn.ReLU(inplace=True), nn.Linear(128, 8))
        self.place = nn.Sequential(nn.Flatten(), nn.Linear(32 * 6 * 6, 128), nn.ReLU(inplace=True), nn.Linear(128, 5))
        base = torch.tensor([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) / self.MARGIN
        self.register_buffer("base", base)
        self.register_buffer("usual", torch.tensor([0.0, 0.0, -2.0, 0.0, 0.0]))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        features = self.body(x)
        return self.base + 0.25 * self.head(features).view(-1, 4, 2), self.usual + 0.5 * self.place(features)


class Classifier(nn.Module):
    """Rectified crop (batch, 3, 64, 48) → (class logits (batch, len(CLASSES)), direction logits (batch, 4), features
    (batch, 128), from which both are made and which tell sets apart that the classes do not).

    Direction k means: the tile's own top is found after k quarter turns of `vision.geometry.turned`."""

    (WIDTH, HEIGHT), MARGIN = classifier.SIZE, classifier.MARGIN

    def __init__(self, classes: int, width: int = 32) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            conv(3, w),
            conv(w, w, 2),
            Residual(w),
            conv(w, 2 * w, 2),
            Residual(2 * w),
            conv(2 * w, 4 * w, 2),
            Residual(4 * w),
            conv(4 * w, 5 * w, 2),
        )
        self.pool = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(5 * w * 4 * 3, 128), nn.BatchNorm1d(128), nn.ReLU(inplace=True)
        )
        self.tile = nn.Linear(128, classes)
        self.way = nn.Linear(128, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.pool(self.body(x))
        return self.tile(features), self.way(features), features
