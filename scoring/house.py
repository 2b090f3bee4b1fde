"""A house's own rules: a preset with changed options under a name, as one small TOML file.

    hupai = 1
    name = "老王家"
    preset = "kwx_suizhou"

    [options]
    unit = 5
    cap = "off"

    [options.values]
    pure_suit = 8

`save` and `load` are inverse functions; nothing here touches a disk. A file that names an option this version does not
know is refused with the option's name: playing on with a rule left out would be worse than saying so.
"""

import json
import tomllib
from collections.abc import Mapping
from typing import Any, Final, cast

from scoring.receipt import problem
from scoring.rules import Rules, RulesError, rules_for
from scoring.rulesets import SYSTEMS
from scoring.settlement import Text

VERSION: Final = 1
OFF: Final = "off"
"""How a file writes an option that is switched off: TOML has no null."""


def save(table: Rules, name: str) -> str:
    """The TOML text of a house's rules: only what differs from the preset. Raises `RulesError` for an empty name."""
    if not name.strip():
        raise RulesError((problem("name", "请给规则起个名字。", "Give these rules a name."),))
    lines = [f"hupai = {VERSION}", f"name = {_toml(name.strip())}", f"preset = {_toml(table.preset)}"]
    plain = {key: value for key, value in table.changes.items() if "." not in key and not isinstance(value, Mapping)}
    nested: dict[str, dict[str, Any]] = {}
    for key, value in table.changes.items():
        head, _, tail = key.partition(".")
        if tail:
            nested.setdefault(head, {})[tail] = value
        elif isinstance(value, Mapping):
            nested[head] = dict(cast("Mapping[str, Any]", value))
    if plain:
        lines += ["", "[options]", *(f"{key} = {_toml(value)}" for key, value in plain.items())]
    for head, inner in nested.items():
        lines += ["", f"[options.{head}]", *(f"{_key(key)} = {_toml(value)}" for key, value in inner.items())]
    return "\n".join(lines) + "\n"


def value_of(text: str) -> Any:
    """The value of an option as typed: JSON where it is JSON (5, true, null), words otherwise."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def load(text: str) -> Rules:
    """The rules that a house saved. Raises `RulesError` that names what is unknown, out of range or contradictory."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise RulesError(
            (problem("toml", f"这不是规则文件：{wrong}。", f"This is no file of house rules: {wrong}."),)
        ) from wrong
    strange = [key for key in data if key not in ("hupai", "name", "preset", "options")]
    if strange:
        raise RulesError(
            (
                problem(
                    "unknown_key",
                    f"规则文件里有未知的“{strange[0]}”。",
                    f"The file has the unknown key “{strange[0]}”.",
                ),
            )
        )
    version, name, preset, options = (data.get(key) for key in ("hupai", "name", "preset", "options"))
    if version is None:
        raise RulesError(
            (
                problem(
                    "version",
                    f"规则文件没有写版本：请在开头加上 hupai = {VERSION}。",
                    f"This is no file of house rules, or it lacks its version: hupai = {VERSION} in its first line.",
                ),
            )
        )
    if version != VERSION:
        raise RulesError(
            (
                problem(
                    "version",
                    f"规则文件的版本是 {version}，这里只认 {VERSION}。",
                    f"The file is of version {version}; this Hupai reads version {VERSION} (hupai = {VERSION}).",
                ),
            )
        )
    if not isinstance(name, str) or not name.strip():
        raise RulesError((problem("name", "规则文件没有名字。", 'The file lacks a name: name = "…".'),))
    system = next((system for system in SYSTEMS if preset in system.presets), None)
    if system is None:
        raise RulesError(
            (problem("unknown_preset", f"没有规则“{preset}”。", f"The file builds on “{preset}”, which is no preset."),)
        )
    if options is not None and not isinstance(options, dict):
        raise RulesError((problem("options", "“options” 应是一个表。", "“options” must be a table: [options]."),))
    changes = {key: _read(value) for key, value in cast("dict[str, Any]", options or {}).items()}
    return rules_for(system, cast(str, preset), changes, Text(name.strip(), name.strip()))


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _read(inner) for key, inner in cast("dict[str, Any]", value).items()}
    return None if value == OFF else value


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _toml(key)


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if value is None:
        return f'"{OFF}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in cast("tuple[Any, ...]", value)) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
