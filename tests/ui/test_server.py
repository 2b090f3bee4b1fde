"""What happens around the web page: when the networks are loaded, and what a killed server leaves on the disk."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from ui.places import MINE, clear_left_uploads
from ui.server import free_port, run

ROOT = Path(__file__).parents[2]
SERVES = "import sys; from ui.places import upload_folder; print(upload_folder(), flush=True); sys.stdin.read()"


class Other:
    """Another Hupai on this machine, with a folder for uploads and a photograph in it."""

    def __init__(self, temporary: Path) -> None:
        environment = {key: value for key, value in os.environ.items() if key != "FLET_UPLOAD_DIR"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVES],
            cwd=ROOT,
            env=environment | {"TMPDIR": str(temporary)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.folder = Path(self.process.stdout.readline().strip())
        (self.folder / "photograph").write_bytes(b"jpeg")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Other, Other]]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    both = Other(tmp_path), Other(tmp_path)
    yield both
    for other in both:
        other.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="TMPDIR names the folder for temporary files elsewhere")
def test_what_a_killed_server_left_is_cleared_and_what_a_living_one_holds_stays(others: tuple[Other, Other]) -> None:
    killed, living = others
    killed.kill()
    assert killed.folder.exists()
    clear_left_uploads()
    assert not killed.folder.exists()
    assert sorted(path.name for path in living.folder.iterdir()) == sorted([MINE, "photograph"])


def test_what_is_done_once_the_server_listens_finds_it_listening() -> None:
    async def site(scope, receive, send) -> None:
        raise AssertionError("nobody asks for a page")

    port = free_port(None)
    server = uvicorn.Server(uvicorn.Config(site, "127.0.0.1", port, log_level="critical", lifespan="off"))
    answered: list[bool] = []

    def listening() -> None:
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            answered.append(True)
        server.should_exit = True

    run(server, listening)
    assert answered == [True]
