"""`hupai models`: which folder of networks reads the photographs on this machine, and trying another one.

A folder is tried on the sample photographs before it reads; one that fails changes nothing. The app's settings offer
the same choice."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from models import choice
from ui.places import SAMPLES, data_folder

app = typer.Typer(help="Which networks read the photographs: list them, try and use others, go back.")
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@app.callback(invoke_without_command=True)
def models(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Which networks read the photographs: list them, try and use others, go back."""
    if ctx.invoked_subcommand is None:
        listed(as_json)


@app.command("list")
def listed(as_json: AsJson = False) -> None:
    """The folders of networks on this machine, and which of them reads."""
    home = data_folder()
    now, known = choice.chosen(home), choice.folders(home)
    if as_json:
        print(json.dumps({"now": now, "folders": {k: str(v) for k, v in known.items()}}, ensure_ascii=False, indent=1))
        return
    for name, folder in known.items():
        print(f"{name}  {folder}{'  (these read the photographs)' if name == now else ''}")


@app.command()
def use(
    name: Annotated[str, typer.Argument(help="A name of the list, shipped, or a folder that `hupai export` made.")],
    as_json: AsJson = False,
) -> None:
    """Try a folder of networks on the sample photographs and, if it passes, let it read from now on."""
    home = data_folder()
    try:
        trial = choice.switch(home, name, SAMPLES) if name in choice.folders(home) else _added(home, Path(name))
    except choice.NoChoice as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from None
    _tell(trial, as_json)


@app.command()
def back(as_json: AsJson = False) -> None:
    """Go back to the networks that read before; the same command again switches to those that read now."""
    home = data_folder()
    _tell(choice.switch(home, choice.before(home), SAMPLES), as_json)
    if not as_json:
        print(f"`hupai models back` switches to “{choice.before(home)}” again.")


def _added(home: Path, folder: Path) -> choice.Trial:
    return choice.add(home, folder, SAMPLES)


def _tell(trial: choice.Trial, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**vars(trial), "passed": trial.passed}, ensure_ascii=False))
    elif trial.passed:
        print(
            f"The networks “{trial.name}” read photographs from now on: "
            f"{trial.right} of {trial.tiles} tiles of the sample photographs are right."
        )
    if trial.passed:
        return
    why = trial.trouble or f"only {trial.right} of {trial.tiles} sample tiles are right, {trial.needed} are needed"
    print(f"The networks “{trial.name}” were not taken: {why.rstrip('.')}. Nothing was changed.", file=sys.stderr)
    raise typer.Exit(2)
