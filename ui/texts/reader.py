"""What the reader says of a photograph, in the language of the tab.

The reader speaks English, in a handful of sentences; each is recognised by its pattern and said again from the tables.
A sentence that is not known is shown as it is, behind one that is: better a foreign sentence than none."""

from __future__ import annotations

import re

from ui.texts import text, tile_name

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (key, re.compile(pattern))
    for key, pattern in (
        ("photo.pixels", r"^The picture has (?P<w>\d+) × (?P<h>\d+) pixels, more than the (?P<mp>\d+) megapixels"),
        ("photo.small", r"^The picture has only (?P<w>\d+) × (?P<h>\d+) pixels"),
        ("photo.cut", r"^The (JPEG|PNG) file is cut off"),
        ("photo.empty", r"^The file is empty"),
        ("photo.large", r" is larger than (?P<mb>\d+) MiB"),
        ("photo.kind", r"^The file is not a picture"),
        ("photo.damaged", r"^The file begins like a picture but|^The HEIC photograph cannot be decoded"),
        ("photo.heic", r"^This is a HEIC photograph"),
        ("scan.nothing", r"^No tiles were found"),
        ("problem.gap", r"^There is a gap of one tile between (?P<left>\S+) and (?P<right>\S+)\."),
        ("problem.unknown", r"^(?P<n>\d+) of (?P<all>\d+) tiles could not be read"),
        ("problem.apart", r"^(?P<n>\d+) tiles? that lies? apart"),
        ("doubt.edge", r"^cut by the edge"),
        ("doubt.alike", r"^(?P<left>\S+) and (?P<right>\S+) look alike"),
        ("doubt.unclear", r"^not clear enough"),
    )
)


def recognised(sentence: str) -> tuple[str, dict[str, str]] | None:
    """The key of a sentence of the reader and the values in it, or None for one that is not known."""
    for key, pattern in PATTERNS:
        if found := pattern.search(sentence):
            return key, {name: value for name, value in found.groupdict().items() if value is not None}
    return None


def reader_text(language: str, sentence: str) -> str:
    """A sentence of the reader in `language`."""
    found = recognised(sentence)
    if found is None:
        return text(language, "photo.other", sentence=sentence)
    key, values = found
    named = {name: tile_name(language, v) if name in ("left", "right") else v for name, v in values.items()}
    return text(language, key, **named)
