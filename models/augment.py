"""Changes to a training picture that leave its tiles what they are. Nothing here mirrors."""

from __future__ import annotations

import cv2
import numpy as np


def recolour(rng: np.random.Generator, picture: np.ndarray, strength: float = 1.0) -> np.ndarray:
    """Another lamp, another camera: brightness, contrast, cast, grey, blur, noise. uint8 in and out, same shape."""
    image = picture.astype(np.float32)
    if rng.random() < 0.8:
        image = (image - 128) * np.exp(rng.normal(0, 0.18 * strength)) + 128 + rng.normal(0, 16 * strength)
        image *= np.exp(rng.normal(0, 0.07 * strength, 3))
    if rng.random() < 0.06:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.15:
        h, w = image.shape[:2]
        slope = (
            np.linspace(-1, 1, w, dtype=np.float32)[None] * rng.normal()
            + np.linspace(-1, 1, h, dtype=np.float32)[:, None] * rng.normal()
        )
        image *= 1 + 0.2 * np.clip(slope, -1.5, 1.5)[..., None]
    if rng.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 1.3)))
    if rng.random() < 0.35:
        image = image + rng.standard_normal(image.shape).astype(np.float32) * float(rng.uniform(1, 10))
    return np.clip(image, 0, 255).astype(np.uint8)
