"""One file per game. A new system joins the house by standing in `SYSTEMS`."""

from typing import Any, Final

from scoring.rules import Ruleset

SYSTEMS: Final[tuple[Ruleset[Any], ...]] = ()
