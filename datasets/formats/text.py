"""Text, JSON and XML from files that may be damaged: the content, or one sentence that names the line."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any


class Damaged(ValueError):
    """A file that cannot be understood. `line` counts from 1; 0 when no line can be named."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(sentence)
        self.line = line

    def where(self, path: Path | str) -> str:
        return f"{path}:{self.line}" if self.line else str(path)


def read(path: Path) -> str:
    """The text of a file (UTF-8, with or without a byte order mark). Damaged when it is none or cannot be read."""
    try:
        return _decoded(path.read_bytes())
    except OSError as error:
        raise Damaged(f"it cannot be read ({error.strerror or error}).") from None


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Damaged("it is not UTF-8 text: save it as UTF-8.", data.count(b"\n", 0, error.start) + 1) from None


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Damaged, with the line, when there is none."""
    return _object(read(path))


def json_object(data: bytes) -> dict[str, Any]:
    """The JSON object in bytes. Damaged, with the line, when there is none."""
    return _object(_decoded(data))


def _object(text: str) -> dict[str, Any]:
    if not text.strip():
        raise Damaged("the file is empty.")
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        cut_off = not text[error.pos :].strip()
        raise Damaged(
            f"the JSON ends too early, the file is cut off after line {error.lineno}."
            if cut_off
            else f"the JSON is damaged at line {error.lineno}, column {error.colno}: {error.msg}.",
            error.lineno,
        ) from None
    except RecursionError:
        raise Damaged("the JSON is nested too deeply to be labels.") from None
    except ValueError:  # Python reads no number of more than 4300 digits
        raise Damaged("the JSON holds a number too long to be one of a label.") from None
    if not isinstance(content, dict):
        raise Damaged("the JSON holds no object { … } at its top.", 1)
    return content


def read_xml(path: Path) -> ElementTree.Element:
    """The root element of an XML file. Damaged, with the line, when it is none."""
    text = read(path)
    if not text.strip():
        raise Damaged("the file is empty.")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Damaged("it declares its own entities, which labels have no need of: it is not read.")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise Damaged(f"the XML is damaged at line {line}, column {column}.", line) from None
