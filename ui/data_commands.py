"""`hupai data …`, and with it `hupai data label`, which needs the app's own page."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from datasets.commands import app
from datasets.formats.result import DatasetError
from ui import label_job
from ui.places import data_folder

__all__ = ["app"]


@app.command()
def label(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Folder of pictures, labelled already or not.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the labels; work there is gone on with.")],
    to: Annotated[str, typer.Option("--to", help="The format to write, below OUT.")] = "yolo-obb",
    lan: Annotated[bool, typer.Option("--lan", help="Let other devices on the home network in.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8551,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Label photographs in the browser: the reader proposes, you put right, by keys. Ctrl-C ends it without loss."""
    try:
        job = label_job.begun(source, out, to)
        out.mkdir(parents=True, exist_ok=True)
        if not os.access(out, os.W_OK):
            raise PermissionError("no permission to write there")
    except (DatasetError, OSError) as error:
        print(f"{out} cannot be written ({error})." if isinstance(error, OSError) else str(error), file=sys.stderr)
        raise typer.Exit(2) from None
    from ui.label_app import entry
    from ui.server import serve

    print(
        f"{len(job.photos)} pictures, {len(job.done())} of them accepted already; the data set is kept in {job.result}"
    )
    data_folder().mkdir(parents=True, exist_ok=True)
    serve(lan=lan, port=port, browser=browser, entry=entry(job))
    print(f"{len(job.done())} of {len(job.photos)} pictures are in {job.result}")
