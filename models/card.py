"""The card of a folder of networks: for each what it is, what it learned from, and what was measured; written by the
export, so that it cannot say anything else than the file beside it.

`CARD.md` is one page for people. Each network has a block between two comments, which the next export of that network
replaces; whatever a person writes around the blocks stays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

NAME = "CARD.md"
TITLE = """# The networks in this folder

Three small convolutional networks read a photograph: the finder says where tiles are, the refiner where exactly their
corners are, the classifier which tile each is. `hupai evaluate --models` this folder measures them.
"""
UNKNOWN = "not recorded"


def block(name: str, path: Path, facts: Mapping[str, str], course: Mapping[str, Any], difference: float) -> str:
    """What is known of one exported network, as a Markdown section.

    facts: the file's own metadata. course: see `models.export.course`. difference: from PyTorch, relative."""
    recipe, data = course["recipe"], course["facts"]
    rows = {
        "file": f"`{path.name}`, {path.stat().st_size / 2**20:.2f} MiB, differs from PyTorch by {difference:.1e}",
        "made": f"{facts['date']} with Hupai {facts['version']}",
        "weights": f"`{facts['weights']}`",
        "begun from": recipe.get("start_from") or "nothing",
        "learned from": _learned(data),
        "data": f"`{facts.get('data', UNKNOWN)}`",
        "licences": facts["licences"],
        "course": f"step {course['step']} of {recipe['steps']}, batch {recipe['batch']}, "
        f"learning rate {recipe['learning_rate']}, seed {recipe['seed']}",
        "measured there": ", ".join(f"{k} {v:.4g}" for k, v in course["numbers"].items()) or UNKNOWN,
    }
    if "temperature" in facts:
        rows["temperature"] = facts["temperature"]
    lines = [f"## {name}", "", "| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows.items())]
    return "\n".join(lines)


def _learned(data: Mapping[str, Any]) -> str:
    if not data:
        return UNKNOWN
    told = f"{data['photographs']} photographs, {data['scenes']} rendered scenes, {data['drawn_sets']} drawn tile sets"
    held = f"; {data['held_out']} photographs held out" if data["held_out"] else ""
    return told + held + (f"; {data['sources']}" if data["sources"] else "")


def update(folder: Path, name: str, text: str) -> Path:
    """Put a network's block into the folder's card, in the place of an older one; the card is begun where there is
    none. Returns the card."""
    card = folder / NAME
    begin, end = f"<!-- hupai export {name}: begin -->", f"<!-- hupai export {name}: end -->"
    content = card.read_text(encoding="utf-8") if card.is_file() else TITLE
    before, found, rest = content.partition(begin)
    after = rest.partition(end)[2] if found else ""
    section = f"{begin}\n{text}\n{end}"
    content = before + section + after if found else f"{content.rstrip()}\n\n{section}\n"
    half = card.with_suffix(".md.part")
    half.write_text(content, encoding="utf-8")
    half.replace(card)
    return card
