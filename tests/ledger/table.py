"""Hands and nights for the ledger's tests, each in one line."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from scoring import Hand, Win
from scoring.ledger.events import Change, Event, Opening, RulesChoice, played
from scoring.ledger.night import Night, change_of, fold

PUNGS = "111222p 444s 77s FF + 7s"
"""Four pungs. kwx_base: all_pungs ×2."""
PURE = "123456789p 123p 9p + 9p"
"""One suit only. kwx_base: pure_suit ×4."""

AT = "2026-11-30T20:00:00+00:00"
_ids = count(1)


def opening(
    *players: str, rules: str = "kwx_base", changes: Mapping[str, Any] | None = None, start: int = 0, dealer: int = 0
) -> Opening:
    return Opening(
        "n1", "Friday", AT, players or ("A", "B", "C"), RulesChoice(rules, changes or {}), "¥", start, dealer
    )


def self_draw(winner: int, hand: str = PUNGS, **circumstances: Any) -> dict[str, Any]:
    return {"kind": "win", **Win(Hand.parse(hand), "self_draw", winner, circumstances=circumstances).to_case()}


def discard(winner: int, discarder: int, hand: str = PUNGS, **circumstances: Any) -> dict[str, Any]:
    said = {"discarder": discarder, **circumstances}
    return {"kind": "win", **Win(Hand.parse(hand), "discard", winner, circumstances=said).to_case()}


def several(discarder: int, *winners: tuple[int, str]) -> dict[str, Any]:
    return {"kind": "multi_win", "wins": [discard(winner, discarder, hand) for winner, hand in winners]}


def kong(seat: int, kind: str = "kong_added", source: int | None = None) -> dict[str, Any]:
    return {"kind": "kong", "kongs": [{"seat": seat, "kind": kind, "from": source}]}


def draw(*revealed: int) -> dict[str, Any]:
    return {"kind": "draw", "circumstances": {"revealed": list(revealed)} if revealed else {}}


def event(change: Change | dict[str, Any], id: str = "") -> Event:
    """An event of that change, or of that case."""
    return Event(id or f"e{next(_ids)}", AT, played(change) if isinstance(change, dict) else change)


def night(*changes: Change | dict[str, Any], of: Opening | None = None) -> Night:
    """A night with these events, recorded one after the other; their ids are 1, 2, 3 …"""
    now = fold(of or opening(), ())
    for number, change in enumerate(changes, 1):
        now = change_of(now, event(change, str(number))).night
    return now
