"""On a machine that promised a browser, a journey that nobody walked is a failure; elsewhere it is a skip."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SETTINGS = "[pytest]\ntestpaths = tests\nmarkers =\n    browser\n    slow\n    bench\naddopts = -m 'not slow'\n"
WALKED = "import pytest\n@pytest.mark.browser\ndef test_journey():\n    pass\n"
SKIPPED = "import pytest\n@pytest.mark.browser\ndef test_journey():\n    pytest.skip('no chromium')\n"
SKIPPED_AS_A_MODULE = "import pytest\npytest.skip('no chromium', allow_module_level=True)\n"
EXPECTED_TO_FAIL = "import pytest\n@pytest.mark.browser\n@pytest.mark.xfail\ndef test_known():\n    assert False\n"
OTHER = "def test_arithmetic():\n    assert 1 + 1 == 2\n"


def outcome(folder: Path, promised: bool, *files: str, arguments: tuple[str, ...] = ()) -> tuple[int, str]:
    """Exit status and output of a run over these test files with our conftest."""
    (folder / "pytest.ini").write_text(SETTINGS)
    (folder / "tests").mkdir()
    (folder / "tests" / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    for number, text in enumerate((*files, OTHER)):
        (folder / "tests" / f"test_{number}.py").write_text(text)
    environment = os.environ | {"HUPAI_NO_SKIP_BROWSER": "1" if promised else ""}
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("promised", "files", "status"),
    [
        (False, [SKIPPED], 0),
        (True, [SKIPPED], 1),
        (True, [SKIPPED_AS_A_MODULE], 1),
        (True, [WALKED, SKIPPED], 1),
        (True, [WALKED, EXPECTED_TO_FAIL], 0),
    ],
)
def test_a_skipped_journey_counts_as_promised(tmp_path: Path, promised: bool, files: list[str], status: int) -> None:
    code, output = outcome(tmp_path, promised, *files)
    assert code == status, output


def test_a_run_of_one_file_need_not_walk_a_journey(tmp_path: Path) -> None:
    code, output = outcome(tmp_path, True, arguments=("tests/test_0.py",))
    assert code == 0, output


@pytest.mark.parametrize(("files", "status"), [([WALKED], 0), ([WALKED, SKIPPED], 1), ([SKIPPED_AS_A_MODULE], 1)])
def test_several_processes_keep_the_promise_together(tmp_path: Path, files: list[str], status: int) -> None:
    code, output = outcome(tmp_path, True, *files, arguments=("-n", "2", "--dist", "loadfile"))
    assert code == status, output
