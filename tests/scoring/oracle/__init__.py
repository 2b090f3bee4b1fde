"""A second, slow scorer that shares no line with ``scoring``: the tests hold one against the other.

It is written from the text of the rules alone (``../shared/rules/RULES.md``, section 11 first) and does everything the
long way: every way of cutting a hand into sets is tried, every way is priced, the dearest is kept. Plain dictionaries
and recursion, so that a disagreement with the fast engine can be settled by reading one short function beside one
sentence of the rules.

``answer`` takes one case in the form of ``rules/examples.json`` and returns the object that
``hupai score --cases --json`` prints for it.
"""

from tests.scoring.oracle import ka_wu_xing, shandong, zhuji_bao
from tests.scoring.oracle.tiles import NotAWin

SYSTEMS = {"ka_wu_xing": ka_wu_xing, "shandong": shandong, "zhuji_bao": zhuji_bao}


def answer(case: dict) -> dict:
    """What the rules say about one case; its ``expected`` is not looked at.

    Returns ``id`` and ``payments`` (net per seat, seat order) with either ``illegal`` (a sentence, payments all zero)
    or what was counted: ``elements`` with ``multiplier`` / ``fan`` and ``flowers`` / ``tai`` and ``contract_points``;
    ``wins`` for several winners, ``steps`` for kongs, ``points`` for the table of contracts.
    Raises ValueError for a switch or a kind of case that the rules do not name.
    """
    system = SYSTEMS[case["ruleset"]]
    try:
        result = system.answer(case)
    except NotAWin as reason:
        result = {"illegal": str(reason)}
    return {"id": case.get("id"), "payments": [0] * case["players"], **result}
