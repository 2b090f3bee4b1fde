"""The wheel, as a stranger gets it: one top-level package, weights and pictures inside, working far from a checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

HAND = "123789p 4556s CCC + 5s"
"""卡五星 by self-draw: the 5 of bamboos falls into the middle of 4-5-6. kwx_suizhou: ×2."""


def run(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from this checkout, without network: the build backend is one of the test packages."""
    folder = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT, **os.environ)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("hupai-*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment outside the checkout that holds nothing but the wheel. The packages it needs are lent by the
    environment that runs the tests, through a .pth file: quick, offline, and our own checkout is not on that path."""
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = folder / "env"
    made = run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=folder, **os.environ)
    assert made.returncode == 0, made.stderr
    pip = [sys.executable, "-m", "pip", "--python", environment, "install", "--quiet", "--no-deps", "--no-index"]
    installed = run(*pip, wheel, cwd=folder, **os.environ)
    assert installed.returncode == 0, installed.stderr
    (site_packages,) = environment.glob("lib/python*/site-packages")
    lenders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site_packages / "lent.pth").write_text("\n".join(sorted(lenders)) + "\n")
    return folder


def in_elsewhere(elsewhere: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of that environment with its own empty home, in a folder that is no checkout."""
    home = elsewhere / "home"
    home.mkdir(exist_ok=True)
    command, *rest = words
    path = os.environ.get("PATH", os.defpath)
    return run(elsewhere / "env" / "bin" / str(command), *rest, cwd=home, PATH=path, HOME=str(home), LANG="C.UTF-8")


def test_the_wheel_adds_one_name_to_site_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {"hupai", "hupai-0.1.0.dist-info"}


def test_the_wheel_carries_the_weights_their_cards_and_the_pictures_of_the_app(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    wanted = [*(ROOT / "models").glob("*.onnx"), *(ROOT / "models").glob("*.md"), *(ROOT / "ui" / "assets").rglob("*")]
    assert [path.name for path in wanted if path.suffix == ".onnx"], "no weights in models/"
    missing = {f"hupai/rooms/{path.relative_to(ROOT).as_posix()}" for path in wanted if path.is_file()} - inside
    assert missing == set()


def test_the_wheel_leaves_tests_checkpoints_and_bytecode_out(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert [n for n in names if n.endswith((".pyc", ".pt", ".pth")) or "/tests/" in n or "__pycache__" in n] == []


def test_an_installed_hupai_shadows_nobodys_packages_until_it_runs(elsewhere: Path) -> None:
    program = (
        "import importlib.util as u, json, hupai\n"
        "before = [bool(u.find_spec(n)) and 'hupai' in (u.find_spec(n).origin or '') for n in ('datasets', 'models')]\n"
        "hupai.open_rooms()\n"
        "import scoring, datasets\n"
        "print(json.dumps([hupai.__file__, before, scoring.__file__, datasets.__file__]))\n"
    )
    done = in_elsewhere(elsewhere, "python", "-c", program)
    assert done.returncode == 0, done.stderr
    package, before, *rooms = json.loads(done.stdout)
    assert before == [False, False]
    assert str(elsewhere) in package
    assert all("site-packages/hupai/rooms/" in room for room in rooms)


def test_an_installed_hupai_scores_a_hand(elsewhere: Path) -> None:
    done = in_elsewhere(elsewhere, "hupai", "score", "--hand", HAND, "--rules", "kwx_suizhou", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["payments"] == [4, -2, -2]


def test_an_installed_hupai_reads_the_sample_photograph_that_it_brings(elsewhere: Path) -> None:
    photo = min((elsewhere / "env").glob("lib/python*/site-packages/hupai/rooms/ui/assets/samples/*.jpg"))
    done = in_elsewhere(elsewhere, "hupai", "read", photo, "--json")
    assert done.returncode == 0, done.stderr
    (reading,) = json.loads(done.stdout)
    assert len(reading["tiles"]) >= 13


def test_python_m_hupai_is_the_same_command(elsewhere: Path) -> None:
    done = in_elsewhere(elsewhere, "python", "-m", "hupai", "--help")
    assert done.returncode == 0, done.stderr
    assert "score" in done.stdout
    assert "read" in done.stdout


def test_an_installed_hupai_keeps_a_night(elsewhere: Path) -> None:
    begun = in_elsewhere(elsewhere, "hupai", "ledger", "new", "--players", "A,B,C", "--rules", "kwx_suizhou", "--json")
    assert begun.returncode == 0, begun.stderr
    shown = in_elsewhere(elsewhere, "hupai", "ledger", "show", json.loads(begun.stdout)["night"], "--json")
    assert json.loads(shown.stdout)["totals"] == {"A": 0, "B": 0, "C": 0}
