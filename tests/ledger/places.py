"""Where the store's tests keep their ledgers: SQLite always, PostgreSQL when `HUPAI_DATABASE` names one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from scoring.ledger.store import Store, open_store

SERVER = os.environ.get("HUPAI_DATABASE", "")


@contextmanager
def on_server() -> Iterator[str]:
    """The address of a fresh schema on the server, dropped afterwards."""
    schema = "hupai_test_" + secrets.token_hex(6)
    engine = sa.create_engine(SERVER)
    with engine.begin() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    try:
        yield f"{SERVER}{'&' if '?' in SERVER else '?'}options=-csearch_path%3D{schema}"
    finally:
        with engine.begin() as connection:
            connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
        engine.dispose()


@contextmanager
def ledger(kind: str, folder: Path) -> Iterator[Store]:
    """An empty ledger of that kind."""
    if kind == "sqlite":
        yield open_store(folder)
        return
    with on_server() as address:
        store = open_store(address=address)
        try:
            yield store
        finally:
            store.engine.dispose()
