"""What the reader says of a photograph, in the language of the tab: its codes are keys of the tables."""

from __future__ import annotations

from ui.texts import text, tile_name
from vision.result import Problem


def reader_text(language: str, problem: Problem) -> str:
    """A problem of the reader in `language`; its English sentence, behind one in `language`, for a rare one."""
    if problem.code == "photo.other":
        return text(language, "photo.other", sentence=problem.sentence)
    facts = {
        key: tile_name(language, fact) if isinstance(fact, str) and key != "set" else fact
        for key, fact in problem.facts
    }
    return text(language, problem.code, **facts)
