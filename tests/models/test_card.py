"""The card beside the weights says what the file says, and leaves what a person wrote."""

from __future__ import annotations

from pathlib import Path

from models import card

COURSE = {
    "step": 80,
    "recipe": {"steps": 480, "batch": 96, "learning_rate": 0.0006, "seed": 0, "start_from": "shipped"},
    "numbers": {"exact": 0.8125, "tiles_right": 0.97},
    "facts": {
        "data": "0123",
        "photographs": 27,
        "held_out": 7,
        "scenes": 100,
        "drawn_sets": 24,
        "sources": "own photographs (mine; licence: CC0)",
    },
}
FACTS = {"date": "2026-11-30", "version": "0.1.0", "weights": "abcd", "data": "0123", "licences": "weights: CC0"}


def block(tmp_path: Path, **course: object) -> str:
    file = tmp_path / "classifier.onnx"
    file.write_bytes(b"0" * 2**20)
    return card.block("classifier", file, FACTS, {**COURSE, **course}, 1e-6)


def test_the_card_says_what_was_learned_from_and_under_which_licence(tmp_path: Path) -> None:
    text = block(tmp_path)
    for words in (
        "1.00 MiB",
        "27 photographs, 100 rendered scenes",
        "7 photographs held out",
        "licence: CC0",
        "`0123`",
    ):
        assert words in text
    assert "| begun from | shipped |" in text
    assert "exact 0.8125" in text


def test_a_checkpoint_from_before_the_facts_were_kept_says_so(tmp_path: Path) -> None:
    assert text_of(block(tmp_path, facts={}, numbers={}), "learned from") == card.UNKNOWN


def text_of(text: str, row: str) -> str:
    return next(line.split("|")[2].strip() for line in text.splitlines() if line.startswith(f"| {row} |"))


def test_an_export_replaces_its_own_block_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "CARD.md").write_text("# Mine\n\nWhat I think of them.\n")
    card.update(tmp_path, "finder", "first finder")
    card.update(tmp_path, "classifier", "first classifier")
    path = card.update(tmp_path, "finder", "second finder")
    text = path.read_text()
    assert text.startswith("# Mine\n\nWhat I think of them.\n")
    assert "first finder" not in text
    assert text.index("second finder") < text.index("first classifier")


def test_a_folder_without_a_card_gets_one(tmp_path: Path) -> None:
    assert card.update(tmp_path, "finder", "block").read_text().startswith("# The networks in this folder")
