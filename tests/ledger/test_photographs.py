"""Photographs lie with their hands, go with their night, and no identifier leads anywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.ledger import photographs
from scoring.ledger.events import LedgerError

ONE, TWO = b"\xff\xd8one", b"\xff\xd8two"


def test_photographs_of_a_hand_come_back_in_order(tmp_path: Path) -> None:
    photographs.keep(tmp_path, "n1", "e1", [ONE, TWO])
    photographs.keep(tmp_path, "n1", "e2", [TWO])
    assert photographs.of(tmp_path, "n1", "e1") == (ONE, TWO)
    assert photographs.photographed(tmp_path, "n1") == {"e1", "e2"}
    assert photographs.kept(tmp_path) == (3, 15)
    assert photographs.of(tmp_path, "n1", "e") == ()


def test_keeping_again_replaces_and_leaves_nothing_of_before(tmp_path: Path) -> None:
    photographs.keep(tmp_path, "n1", "e1", [ONE, TWO])
    photographs.keep(tmp_path, "n1", "e1", [TWO])
    assert photographs.of(tmp_path, "n1", "e1") == (TWO,)
    assert [path.name for path in (tmp_path / "photographs" / "n1").iterdir()] == ["e1.1.jpg"]


def test_a_night_takes_its_photographs_along_and_all_can_be_deleted(tmp_path: Path) -> None:
    for night in ("n1", "n2", "n3"):
        photographs.keep(tmp_path, night, "e1", [ONE])
    photographs.forget(tmp_path, "n1")
    photographs.forget(tmp_path, "n1")
    assert (photographs.of(tmp_path, "n1", "e1"), photographs.of(tmp_path, "n2", "e1")) == ((), (ONE,))
    photographs.forget(tmp_path)
    assert photographs.kept(tmp_path) == (0, 0)


@pytest.mark.parametrize("name", ["..", "../n1", "/etc", "a/b", "a\\b", "", "a.1", "x" * 65, "e\n"])
def test_no_identifier_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside.1.jpg"
    outside.write_bytes(ONE)
    home = tmp_path / "home"
    photographs.keep(home, "n1", "e1", [ONE])
    for night, event in ((name, "e1"), ("n1", name)):
        with pytest.raises(LedgerError, match="No photograph can be kept"):
            photographs.keep(home, night, event, [ONE])
        assert photographs.of(home, night, event) == ()
    assert photographs.photographed(home, name) == frozenset()
    if name:
        photographs.forget(home, name)
    assert photographs.kept(home) == (1, 5)
    assert outside.exists()


@pytest.mark.parametrize("picture", [b"<svg>", b"\xff\xd8" + b"x" * photographs.LARGEST])
def test_only_small_jpegs_are_kept(tmp_path: Path, picture: bytes) -> None:
    with pytest.raises(LedgerError, match="small JPEG"):
        photographs.keep(tmp_path, "n1", "e1", [picture])
    assert photographs.kept(tmp_path) == (0, 0)


def test_a_disk_that_takes_no_photograph_is_named(tmp_path: Path) -> None:
    (tmp_path / "photographs").write_text("")
    with pytest.raises(LedgerError, match="The hand is recorded, its photograph is not kept"):
        photographs.keep(tmp_path, "n1", "e1", [ONE])
