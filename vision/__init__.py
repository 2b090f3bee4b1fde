"""A photograph becomes tiles: open it upright, find the tiles, classify and arrange them, and keep doubts as doubts."""

import os

# onnxruntime keeps a diary of this machine for its makers as soon as it is imported, unless it finds this said
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
