"""The `hupai` command: open the rooms, then hand over to the command line in `ui/cli.py`."""

from __future__ import annotations

from hupai import open_rooms


def main() -> None:
    """Entry point of the console script and of `python -m hupai`."""
    open_rooms()
    from ui.cli import main as run

    run()


if __name__ == "__main__":
    main()
