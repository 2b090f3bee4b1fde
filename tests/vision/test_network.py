"""What the runtime of the networks does to the machine it runs on: nothing."""

import os
import subprocess
import sys


def test_the_runtime_keeps_no_diary_of_this_machine(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY" and not k.startswith("XDG_")}
    words = "from vision.network import load; load('classifier')"
    subprocess.run([sys.executable, "-c", words], env={**environment, "HOME": str(tmp_path)}, check=True)
    assert not [path for path in tmp_path.rglob("*") if "nnxruntime" in path.name]
