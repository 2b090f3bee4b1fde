"""What the runtime of the networks does to the machine it runs on: nothing."""

import os
import subprocess
import sys

import pytest

from vision.network import Network, NoModel


def test_the_runtime_keeps_no_diary_of_this_machine(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY" and not k.startswith("XDG_")}
    words = "from vision.network import load; load('classifier')"
    subprocess.run([sys.executable, "-c", words], env={**environment, "HOME": str(tmp_path)}, check=True)
    assert not [path for path in tmp_path.rglob("*") if "nnxruntime" in path.name]


def test_a_file_that_is_no_network_is_named(tmp_path):
    (tmp_path / "finder.onnx").write_bytes(b"no network at all")
    with pytest.raises(NoModel, match=r"finder\.onnx is damaged or no network"):
        Network(tmp_path / "finder.onnx")
