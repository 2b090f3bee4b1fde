"""The house holds together: who may import whom, what may be committed, and which words mean the same everywhere."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOMS = ("scoring", "vision", "models", "datasets", "ui")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "scoring": (),
    "vision": ("scoring.tiles", "scoring.hand"),
    "datasets": ("scoring.tiles", "vision"),
    "models": ("scoring.tiles", "vision", "datasets"),
    "ui": ("scoring", "vision", "datasets", "models", "hupai"),
    "hupai": ("ui.cli",),
    "main.py": ("ui",),
}
"""The arrows between the rooms (ARCHITECTURE.md): a room, and what of the other rooms it may import."""

STORE = tuple(
    f"scoring/ledger/{part}" for part in ("store.py", "journal.py", "mending.py", "photographs.py", "migrations/")
)
"""The one part of `scoring` that touches a disk, and the only one with packages that are not Python's own."""

INPUT_AND_OUTPUT = {"os", "pathlib", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "urllib"}

DISTRIBUTION = {
    "MahjongGB": "pymahjonggb",
    "PIL": "pillow-heif",
    "cv2": "opencv-python-headless",
    "fontTools": "fonttools",
}
"""Packages whose import name is not the name they are installed by."""


def tracked() -> list[Path]:
    """What git would put into a clone."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode != 0:
        pytest.skip("not a git checkout, so there is no list of committed files")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def modules(*rooms: str) -> list[Path]:
    """Every Python file of these rooms, in a stable order."""
    files = [ROOT / room for room in rooms if room.endswith(".py")]
    for room in rooms:
        files += sorted((ROOT / room).rglob("*.py"))
    return [file for file in files if file.is_file()]


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything that a file imports, at its top or inside a function. `from a.b import c` gives
    `a.b.c`; whether c is a module or a name in one does not matter to a prefix."""
    package = file.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(filter(None, (start, node.module)))
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_import_only_what_their_arrows_allow(room: str) -> None:
    others = tuple(other for other in (*ROOMS, "hupai", "main", "tests") if other != room)
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in modules(room)
        for line, name in imported(file)
        if within(name, others) and not within(name, MAY_IMPORT[room])
    ]
    assert wrong == []


def test_the_arrow_test_sees_relative_lazy_and_aliased_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "scoring" / "rulesets").mkdir(parents=True)
    file = tmp_path / "scoring" / "rulesets" / "one.py"
    file.write_text(
        "import vision.photo as p\nfrom ..tiles import Tile\nfrom . import two\ndef f():\n    from ui import cli\n"
    )
    assert [name for _, name in imported(file)] == [
        "vision.photo",
        "scoring.tiles.Tile",
        "scoring.rulesets.two",
        "ui.cli",
    ]


def test_scoring_needs_nothing_but_python_and_touches_no_disk_outside_the_store() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in modules("scoring")
        if not file.relative_to(ROOT).as_posix().startswith(STORE)
        for line, name in imported(file)
        if (top := name.split(".")[0]) != "scoring" and (top not in sys.stdlib_module_names or top in INPUT_AND_OUTPUT)
    ]
    assert wrong == []


def test_torch_is_imported_in_models_alone() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in modules("scoring", "vision", "datasets", "ui", "hupai", "main.py")
        for line, name in imported(file)
        if name.split(".")[0] in {"torch", "torchvision"}
    ]
    assert wrong == []


def test_the_app_and_the_command_line_start_without_the_training_packages() -> None:
    program = (
        "import sys\n"
        "for name in ('torch', 'torchvision', 'onnx', 'fontTools', 'pillow_heif', 'pytest', 'hypothesis'):\n"
        "    sys.modules[name] = None  # what Python itself does for: this import must fail\n"
        "import main, ui.cli, vision.reading, scoring.rules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_package_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(need for extra in project["optional-dependencies"].values() for need in extra),
    ]
    declared = {re.split(r"[^\w.-]", need, maxsplit=1)[0].lower() for need in wanted}
    ours = {*ROOMS, "hupai", "main", "tests"}
    wrong = {
        f"{file.relative_to(ROOT)}:{line} imports {top}"
        for file in modules(*ROOMS, "hupai", "main.py", "tests")
        for line, name in imported(file)
        if (top := name.split(".")[0]) not in ours | sys.stdlib_module_names
        and DISTRIBUTION.get(top, top).replace("_", "-").lower() not in declared
    }
    assert wrong == set()


def test_constraints_pin_every_declared_package_and_name_no_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    needed = [
        *project["dependencies"],
        *(need for extra in project["optional-dependencies"].values() for need in extra),
    ]
    names = {re.split(r"[^\w.-]", need, maxsplit=1)[0].lower() for need in needed if "== 'android'" not in need}
    assert names - pinned == set()


def test_no_file_is_a_drawer_for_leftovers() -> None:
    drawers = {"util", "utils", "helper", "helpers", "misc", "manager", "managers", "common", "stuff"}
    assert [
        str(path.relative_to(ROOT)) for path in tracked() if path.stem in drawers or path.parent.name in drawers
    ] == []


def test_committed_files_name_no_place_of_one_machine_and_no_package_registry() -> None:
    # Written in pieces, so that this file does not name them either.
    places = ["/wo" + "rk/", "/ro" + "ot/", "/opt/" + "pypi", r"/ho" + r"me/\w", r"/Us" + r"ers/\w"]
    registries = [
        r"pypi\." + "org",
        "python" + "hosted",
        r"registry\." + "npmjs",
        r"deb\." + "debian",
        "extra-index" + "-url",
    ]
    found = re.compile("|".join(places + registries))
    wrong = []
    for path in tracked():
        data = path.read_bytes()
        if b"\0" in data[:8192]:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if match := found.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number} says {match.group()}")
    assert wrong == []


def test_no_photograph_or_artwork_of_others_is_committed(shared: Path) -> None:
    text = {".md", ".csv", ".txt", ".json"}
    theirs = {
        hashlib.sha256(path.read_bytes()).digest(): path
        for path in (shared / "data").rglob("*")
        if path.is_file() and path.suffix not in text
    }
    copies = [f"{path} is {theirs[digest]}" for path in tracked() if (digest := _digest(path)) in theirs]
    assert copies == []


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def test_no_committed_file_is_larger_than_eight_mebibytes() -> None:
    assert [f"{path.name}: {size}" for path in tracked() if (size := path.stat().st_size) > 8 << 20] == []


def test_every_file_that_the_architecture_page_names_is_there() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/]+\.(?:py|toml|txt)", page))
    there = {path.relative_to(ROOT).as_posix() for path in tracked()}
    missing = {name for name in named if not any(path == name or path.endswith("/" + name) for path in there)}
    assert missing == set()


def test_every_command_that_the_readme_names_is_there() -> None:
    from typer.main import get_command

    from ui.cli import app

    command = get_command(app)
    known = set(command.list_commands(command.make_context("hupai", [], resilient_parsing=True)))
    words = re.findall(r"hupai ([a-z]+)\b", (ROOT / "README.md").read_text(encoding="utf-8"))
    named = set(words) - {"alone", "command"}
    assert named >= {"read", "score", "ledger"}
    assert named - known == set()
