"""Both kinds of ledger, each fresh; and no test ever touches the ledger of whoever runs the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.ledger.store import Store
from tests.ledger.places import SERVER, ledger


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HUPAI_DATABASE", raising=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "postgresql" and not SERVER.startswith("postgresql"):
        pytest.skip("HUPAI_DATABASE names no PostgreSQL")
    with ledger(request.param, tmp_path / "ledger") as place:
        yield place
