"""One file per game. A new system joins the house by standing in `SYSTEMS`."""

from typing import Any, Final

from scoring.rules import Ruleset
from scoring.rulesets.ka_wu_xing import KaWuXing
from scoring.rulesets.shandong import Shandong
from scoring.rulesets.zhuji_bao import ZhujiBao

SYSTEMS: Final[tuple[Ruleset[Any], ...]] = (KaWuXing(), Shandong(), ZhujiBao())
