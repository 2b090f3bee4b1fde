"""Which networks read the photographs: a chip for each folder. One that is tapped is tried on the sample photographs
first and reads only if it passes; the line below says what came of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import flet as ft

from ui import theme
from ui.components.answer import chip, chips
from ui.components.hook import named
from ui.places import SAMPLES, data_folder
from ui.session import Session


def own_models(home: Path) -> bool:
    """Is there anything to choose from? Most people have the shipped networks alone."""
    folder = home / "models"
    return folder.is_dir() and any(p.is_dir() and not p.name.startswith(".") for p in folder.iterdir())


@ft.component
def ModelChoice(session: Session) -> ft.Control:
    """The folders of networks of this machine."""
    from models import choice  # it brings OpenCV, for which the other pages do not wait

    home = data_folder()
    said, say = ft.use_state("")
    busy, set_busy = ft.use_state(False)
    now = choice.chosen(home)

    def title(name: str) -> str:
        return session.t("settings.models.shipped") if name == choice.SHIPPED else name

    async def pick(name: str) -> None:
        if busy or name == now:
            return
        set_busy(True)
        say(session.t("settings.models.trying", name=title(name)))
        trial = await asyncio.to_thread(choice.switch, home, name, SAMPLES)
        result = "passed" if trial.passed else "damaged" if trial.trouble else "worse"
        say(session.t(f"settings.models.{result}", name=title(name), right=trial.right, tiles=trial.tiles))
        set_busy(False)

    return ft.Column(
        [
            chips(
                [
                    chip(
                        f"models-{name}",
                        title(name),
                        name == now,
                        lambda name=name: ft.context.page.run_task(pick, name),
                        None if name == choice.SHIPPED else theme.NAMES_FONT,
                    )
                    for name in choice.folders(home)
                ]
            ),
            *([named("models-said", ft.Text(said, size=15, font_family=theme.NAMES_FONT), label=said)] if said else []),
        ],
        tight=True,
        spacing=6,
    )
