"""A process to be killed: records kongs into the night of the folder it is given, and says each one it was confirmed.

Run as `python -m tests.ledger.recorder FOLDER FIRST COUNT`."""

from __future__ import annotations

import sys
from pathlib import Path

from scoring.ledger.store import open_store
from tests.ledger.table import event, kong


def main() -> None:
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    store = open_store(folder)
    for n in range(first, first + count):
        store.record("n1", event(kong(n % 3), f"w{n}"))
        print(f"w{n}", flush=True)


if __name__ == "__main__":
    main()
