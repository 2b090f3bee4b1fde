"""The night's score in the app: what a hand is recorded as, what others did meanwhile, and how an entry opens again."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scoring import Score, Text
from scoring.ledger import store as storing
from scoring.ledger.events import (
    COLOURS,
    Adjusted,
    Corrected,
    Event,
    LedgerError,
    Opening,
    Paid,
    Played,
    RulesChanged,
    RulesChoice,
    Seated,
    Undone,
)
from scoring.ledger.night import Night, change_of, fold
from scoring.ledger.store import UnreachableError, now, open_store
from ui import nights
from ui.app import preferences
from ui.components.totals_chart import MOST, name_places, thinned
from ui.draft import History
from ui.nights import (
    Form,
    Starting,
    Target,
    alike,
    at_once,
    case_of,
    choice_of,
    confirm,
    going_on,
    hand_deed,
    house_of,
    kept_pictures,
    look,
    opened_hand,
    pictures_of,
    propose,
    propose_hand,
    renewed,
    take,
    target_for,
    target_of,
    wins_of,
    with_sources,
)
from ui.screens.night import next_hand
from ui.screens.night_confirm import is_hand
from ui.screens.night_figures import counted
from ui.screens.night_log import lay_open
from ui.screens.night_record import adjusted, deed_of, drawn_case, no_amount, opened
from ui.screens.night_routes import where
from ui.screens.night_settle import trimmed
from ui.screens.nights import opening_of
from ui.session import Photograph, Session
from ui.table import House, Said, draft_from_text, hand_of, result_of
from vision.result import ReadHand, Reading

FIVE = "123789p 4556s CCC + 5s"
PLAIN = "12355m 34456p 789s + 5p"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> storing.Store:
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    monkeypatch.delenv("HUPAI_DATABASE", raising=False)
    opened_store = open_store(tmp_path)
    monkeypatch.setattr(nights, "_open", [opened_store])
    monkeypatch.setattr(nights, "PATIENCE", (0.01, 0.01))
    return opened_store


def opening(*players: str, rules: str = "kwx_suizhou", **changes: Any) -> Opening:
    return Opening("n1", "", now(), players or ("A", "B", "C"), RulesChoice(rules, changes))


def phone(of: Opening | None = None) -> Session:
    """A phone with the night open."""
    first = of or opening()
    nights.ledger().create(first)
    session = Session()
    asyncio.run(look(session, first.id))
    return session


def hold(session: Session, hand: str, winner: int = 0, **said: Any) -> Score:
    """Lay a hand open, say how it was won, and score it as the result screen does."""
    session.clear()
    session.history = History(draft_from_text(hand))
    session.winner = winner
    for question, answer in said.items():
        session.said = session.said.saying(question, answer)
    result = result_of(session.house, hand_of(session.draft), session.said, session.winner)
    assert isinstance(result, Score), result
    return result


def record(session: Session, hand: str, winner: int = 0, **said: Any) -> Night:
    """The way of a hand from the result to the ledger."""
    score = hold(session, hand, winner, **said)
    assert asyncio.run(propose_hand(session, score.win)), session.troubles
    return confirmed(session)


def confirmed(session: Session, told: list[str] | None = None) -> Night:
    assert asyncio.run(confirm(session, (told if told is not None else []).append)), session.troubles
    assert session.night is not None
    return session.night


# ---------------------------------------------------------------- from the result into the ledger


def test_a_hand_is_recorded_with_what_its_result_said():
    session = phone()
    score = hold(session, FIVE, 1, win_by="discard", discarder=2)
    told: list[str] = []
    assert asyncio.run(propose_hand(session, score.win))
    assert session.pending is not None
    assert dict(session.pending.consequence.totals) == {"B": (0, 2), "C": (0, -2)}
    night = confirmed(session, told)
    assert [night.totals[name] for name in "ABC"] == list(score.payments)
    assert told == ["n1"]
    assert session.pending is None
    assert session.target == target_of(night)


def test_the_phone_calls_the_seats_by_the_names_of_the_night():
    session = phone(opening("阿明", "Bo", "小李"))
    assert [session.name(seat) for seat in range(3)] == ["阿明", "Bo", "小李"]


def test_the_phone_plays_by_the_rules_of_the_night_and_by_others_only_when_told():
    session = phone(opening(unit=5))
    assert dict(session.house.changes) == {"unit": 5}
    night = record(session, FIVE, 0)
    plain = night.totals["A"]
    session.house = session.house.changed("unit", 1)
    night = record(session, FIVE, 0)
    assert night.totals["A"] - plain == plain // 5
    assert dict(session.house.changes) == {"unit": 5}  # the next hand is played by the night's again
    session.house = House("kwx_xiangyang")
    night = record(session, FIVE, 0)
    assert isinstance(night.entries[-1].deed, Played)
    assert night.entries[-1].deed.case["variant"] == "kwx_xiangyang"


def test_who_deals_and_how_many_draws_went_before_is_answered_and_follows_an_edit_of_an_earlier_hand():
    session = phone(opening("A", "B", "C", "D", rules="shandong"))
    assert asyncio.run(at_once(session, [].append, Played(drawn_case({}))))
    assert session.said.answers["previous_draws"] == 1
    night = record(session, PLAIN, 0)
    with_bonus = night.totals["A"]
    assert "previous_draws" not in night.entries[-1].deed.case["circumstances"]  # type: ignore[union-attr]
    assert asyncio.run(at_once(session, [].append, Undone(night.entries[0].event.id)))
    assert session.night is not None
    assert session.night.totals["A"] < with_bonus


def test_two_winners_of_one_discard_are_recorded_as_one_hand():
    session = phone()
    score = hold(session, FIVE, 1, win_by="discard", discarder=0)
    assert session.target is not None
    first = case_of(session.target, session.house, score.win)
    session.target = replace(session.target, wins=(first,), place=1)
    night = record(session, "123456p 456s 55s FF + 5s".replace("55s FF", "FFF 5s"), 2, win_by="discard", discarder=0)
    assert night.hands == 1
    assert {name for name, total in night.totals.items() if total > 0} == {"B", "C"}
    assert session.target is not None
    assert session.target.wins == ()
    wins = wins_of(night.entries[0].deed.case)  # type: ignore[union-attr]
    assert [won["winner"] for won in wins] == [1, 2]


# ---------------------------------------------------------------- an earlier hand


def test_an_earlier_hand_opens_as_it_was_and_goes_back_to_its_place():
    session = phone()
    record(session, FIVE, 1, win_by="discard", discarder=2)
    night = record(session, FIVE, 0)
    lay_open(session, night, night.entries[0], 0)
    assert session.target is not None
    assert (session.target.hand, session.target.corrects) == (1, night.entries[0].event.id)
    assert session.winner == 1
    assert session.said.answers["discarder"] == 2
    session.said = session.said.saying("discarder", 0)
    result = result_of(session.house, hand_of(session.draft), session.said, session.winner)
    assert isinstance(result, Score)
    assert asyncio.run(propose_hand(session, result.win))
    assert session.pending is not None
    assert isinstance(session.pending.event.change, Corrected)
    night = confirmed(session)
    assert night.entries[0].net == {"A": -2, "B": 2}
    assert len(night.entries) == 2
    assert session.target == target_of(night)


def test_a_new_hand_is_no_correction_of_one_that_was_left_half_way():
    session = phone()
    night = record(session, FIVE, 1)
    lay_open(session, night, night.entries[0], 0)
    session.clear()  # a new photograph
    assert session.target == target_of(night)


def test_one_of_two_winners_is_put_right_and_the_other_stays():
    night = fold(opening(), ())
    target = target_of(night)
    house = house_of(target.rules)
    cases = []
    for winner in (1, 2):
        session = Session(target=target, house=house)
        score = hold(session, FIVE, winner, win_by="discard", discarder=0)
        cases.append(case_of(target, house, score.win))
    both = hand_deed(replace(target, wins=(cases[0],), place=1), cases[1])
    night = nights.change_of(night, nights.Event("e", now(), both)).night
    again = target_for(night, night.entries[0], 0)
    assert [won["winner"] for won in again.wins] == [2]
    assert hand_deed(again, cases[0]) == both


def test_whose_discard_a_set_was_made_of_survives_an_edit_that_leaves_the_sets_alone():
    before = {"melds": [{"kind": "pung", "tiles": ["9p"] * 3, "from": 2}]}
    same = {"melds": [{"kind": "pung", "tiles": ["9p"] * 3, "from": None}]}
    other = {"melds": [{"kind": "pung", "tiles": ["8p"] * 3, "from": None}]}
    assert with_sources(same, before)["melds"] == before["melds"]
    assert with_sources(other, before)["melds"] == other["melds"]


@pytest.mark.parametrize("preset", ["kwx_suizhou", "shandong", "zhuji_bao"])
def test_a_hand_recorded_and_opened_again_gives_the_same_case(preset: str):
    players = "ABCD"[: House(preset).players]
    session = phone(opening(*players, rules=preset))
    said: dict[str, Any] = {"win_by": "self_draw"}
    hand = FIVE if preset.startswith("kwx") else PLAIN
    if preset == "zhuji_bao":
        hand, said = "1m 122234567779p + 9p", {"wild": ("1m", "2m"), "contract_kind": "two", "contract_seat": 1}
    night = record(session, hand, 2, **said)
    entry = night.entries[0]
    assert isinstance(entry.deed, Played)
    house, draft, answers, winner = opened_hand(entry.deed.case, entry)
    result = result_of(house, hand_of(draft), answers, winner)
    assert isinstance(result, Score)
    assert case_of(target_for(night, entry), house, result.win) == entry.deed.case


# ---------------------------------------------------------------- several phones


def two_phones() -> tuple[Session, Session]:
    one, two = phone(), Session()
    asyncio.run(look(two, "n1"))
    return one, two


def test_two_people_who_record_the_same_hand_get_one_hand_and_a_question():
    one, two = two_phones()
    for session in (one, two):
        assert asyncio.run(propose_hand(session, hold(session, FIVE, 1).win))
    confirmed(one)
    assert not asyncio.run(confirm(two, [].append))
    assert two.pending is not None
    assert [entry.net for entry in two.pending.alike] == [{"A": -2, "B": 4, "C": -2}]
    assert two.night is not None
    assert two.night.hands == 1
    two.pending = replace(two.pending, alike=())  # no, it is another hand
    assert confirmed(two).hands == 2


def test_the_question_comes_by_itself_when_the_other_phone_was_faster():
    one, two = two_phones()
    assert asyncio.run(propose(two, Played(drawn_case({}))))
    record(one, FIVE, 1)
    asyncio.run(look(two))
    assert two.pending is not None
    assert len(two.pending.alike) == 1
    assert two.pending.consequence.night.totals["B"] == 4  # the preview is of now


def test_something_else_that_was_recorded_meanwhile_is_no_question():
    one, two = two_phones()
    assert asyncio.run(propose(two, Played(drawn_case({}))))
    assert asyncio.run(at_once(one, [].append, Adjusted({"A": -5, "B": 5})))
    assert confirmed(two).hands == 1


def test_an_edit_that_others_made_impossible_says_so_and_stays_unconfirmed():
    one, two = two_phones()
    first = record(one, FIVE, 1).entries[0].event.id
    asyncio.run(look(two))
    assert asyncio.run(propose(two, Undone(first)))
    assert asyncio.run(at_once(one, [].append, Undone(first)))
    asyncio.run(look(two))
    assert two.pending is not None
    assert two.pending.wrong is not None


def test_two_people_who_undo_the_same_hand_undo_it_once():
    one, two = two_phones()
    first = record(one, FIVE, 1).entries[0].event.id
    asyncio.run(look(two))
    assert asyncio.run(at_once(one, [].append, Undone(first)))
    assert not asyncio.run(at_once(two, [].append, Undone(first)))
    assert two.troubles
    assert two.pending is None
    assert two.night is not None
    assert two.night.hands == 0


def test_a_kong_that_is_noted_leaves_the_open_hand_alone():
    kong, win = Played({"kind": "kong", "kongs": []}), Played({"kind": "win"})
    assert [is_hand(change) for change in (kong, win, Corrected("a", win), Undone("a"), Played({"kind": "draw"}))] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_long_night_and_a_photograph_are_printed_in_a_line():
    night = record(phone(), FIVE, 1)
    for n in range(50):
        night = nights.change_of(night, nights.Event(str(n), now(), Adjusted({"A": -1, "B": 1}))).night
    photograph = Photograph(b"x" * 10_000, Reading(4, 3, (), ReadHand()), (b"y" * 1000,))
    assert len(repr(night)) < 1000
    assert len(repr(photograph)) < 100


def test_what_may_be_the_same_thing():
    kong, draw, win = Played({"kind": "kong"}), Played({"kind": "draw"}), Played({"kind": "win"})
    assert alike(draw, win)
    assert alike(kong, kong)
    assert not alike(kong, win)
    assert alike(Undone("a"), Undone("a"))
    assert not alike(Undone("a"), Undone("b"))
    assert not alike(Corrected("a", draw), Corrected("b", draw))
    assert not alike(Paid("A", "B", 1), Paid("A", "B", 2))
    assert not alike(Paid("A", "B", 1), win)
    assert alike(Seated(("A",)), Seated(("B",)))


def test_a_night_that_has_not_grown_changes_nothing_that_waits():
    session = phone()
    asyncio.run(propose(session, Played(drawn_case({}))))
    assert session.pending is not None
    assert session.night is not None
    assert renewed(session.pending, session.night) is session.pending


# ---------------------------------------------------------------- what breaks


def test_a_connection_that_breaks_after_the_write_never_doubles(monkeypatch: pytest.MonkeyPatch):
    session = phone()
    honest = storing.Store.record
    tries: list[str] = []

    def breaks(self: storing.Store, night: str, event: Any, seen: int | None = None) -> Any:
        tries.append(event.id)
        done = honest(self, night, event, seen)
        if len(tries) < 3:
            raise UnreachableError(Text("x", "x"))  # it was written, and nobody heard
        return done

    monkeypatch.setattr(storing.Store, "record", breaks)
    night = record(session, FIVE, 1)
    assert len(tries) == 3
    assert len(set(tries)) == 1
    assert len(night.events) == 1


def test_a_database_that_stays_away_says_so_and_the_same_entry_can_be_sent_again(monkeypatch: pytest.MonkeyPatch):
    session = phone()
    asyncio.run(propose(session, Played(drawn_case({}))))
    with monkeypatch.context() as broken:

        def away(*_: Any) -> Any:
            raise UnreachableError(Text("x", "x"))

        broken.setattr(storing.Store, "record", away)
        assert not asyncio.run(confirm(session, [].append))
    assert session.troubles
    assert session.pending is not None
    assert confirmed(session).hands == 1


def test_a_damaged_ledger_is_said_in_words_and_mended_from_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    session = phone()
    record(session, FIVE, 1)
    (tmp_path / "ledger.db").write_bytes(b"not a database" * 500)
    for ending in ("-wal", "-shm"):
        (tmp_path / f"ledger.db{ending}").unlink(missing_ok=True)
    monkeypatch.setattr(nights, "_open", [])
    asyncio.run(look(session))
    assert session.ledger_trouble is not None
    assert "repair" in session.ledger_trouble.en
    assert any("1 night with 1 event" in text.en for text in nights.mend())
    asyncio.run(look(session))
    assert session.ledger_trouble is None
    assert session.night is not None
    assert session.night.totals["B"] == 4


# ---------------------------------------------------------------- forms


def filled(kind: str, night: Night, **fields: Any) -> Any:
    draft = {**opened(Form(kind), None, night), **fields}
    return deed_of(kind, draft, night.seats, night, None)


def test_a_form_says_nothing_until_all_is_said():
    night = fold(opening(), ())
    assert filled("kong", night) is None
    assert filled("kong", night, kongs=[{"seat": 0, "kind": "kong_exposed"}]) is None
    assert filled("kong", night, kongs=[{"seat": 0, "kind": "kong_exposed", "from": 0}]) is None
    assert filled("kong", night, kongs=[{"seat": 0, "kind": "kong_exposed", "from": 1}]) is not None
    assert filled("adjust", night, amount="5") is None
    assert filled("adjust", night, payers=("A",), amount="five") is None
    for wrong in ("0", "-5", "1.5", "5²", "²", "1000000000"):
        assert filled("adjust", night, payers=("A",), receivers=("B",), amount=wrong) is None
    assert filled("pay", night, payer="A", amount="5") is None
    assert filled("seats", night, seats=()) is None
    assert filled("escape", night) is None
    assert filled("escape", night, seat=1, tiles="[11x]") is None


@pytest.mark.parametrize("words", ["0", "-5", "1.5", "5²", "1000000000"])
def test_why_something_is_no_amount_is_said(words: str):
    assert "from 1 to 999,999,999" in no_amount(Session(language="en"), words)


@pytest.mark.parametrize("words", ["", " ", "5", " 999999999 "])
def test_nothing_is_said_of_an_amount_or_before_it_is_typed(words: str):
    assert no_amount(Session(language="en"), words) == ""


def test_a_form_makes_the_deed_it_says():
    night = fold(opening("A", "B", "C", "D", rules="shandong"), ())
    assert filled("adjust", night, payers=("A", "B"), receivers=("C",), amount="5") == Adjusted(
        {"A": -5, "B": -5, "C": 10}
    )
    assert filled("adjust", night, payers=("A",), amount="5", note="cup") == Adjusted({"A": -5}, "cup")
    assert filled("pay", night, payer="A", receiver="B", amount="7") == Paid("A", "B", 7)
    escape = filled("escape", night, seat=1, tiles="[1111m concealed] 1f3f")
    after = nights.change_of(night, nights.Event("e", now(), escape)).night
    assert after.totals["B"] < 0
    assert after.check == 0


def test_other_rules_are_played_by_those_who_are_there_and_bring_in_who_sat_out():
    of = Opening("n1", "", now(), ("A", "B", "C"), RulesChoice("kwx_suizhou"))
    three = fold(of, [])
    assert filled("rules", three, house=House("shandong")) == RulesChanged(RulesChoice("shandong", {"players": 3}))
    four = fold(replace(of, players=("A", "B", "C", "D")), [])
    assert four.seats == ("A", "B", "C")
    change = filled("rules", four, house=House("shandong"))
    assert change == RulesChanged(RulesChoice("shandong"))
    assert change_of(four, Event("e1", now(), change)).night.seats == ("A", "B", "C", "D")


def test_a_drawn_hand_names_who_had_revealed_and_the_contract():
    assert drawn_case({"revealed": (2, 0)})["circumstances"] == {"revealed": [2, 0]}
    assert drawn_case({"contract_kind": "one", "contract_seat": 3, "contract_level": 4})["contract"] == {
        "seat": 3,
        "level": 4,
        "kind": "one",
    }
    assert "contract" not in drawn_case({"contract_kind": "nobody"})


def test_a_form_opens_with_what_the_entry_says():
    night = fold(opening(), ())
    for change in (
        Played({"kind": "draw", "circumstances": {"revealed": [1]}}),
        Paid("A", "B", 3, "cash"),
        Seated(("B", "C", "A")),
        Played({"kind": "kong", "kongs": [{"seat": 0, "kind": "kong_added"}]}),
    ):
        night = nights.change_of(night, nights.Event(str(len(night.events)), now(), change)).night
    draw, paid, seated, kong = night.entries
    assert opened(Form("draw", "0"), draw, night)["said"] == Said((("revealed", (1,)),))
    assert opened(Form("pay", "1"), paid, night)["amount"] == "3"
    assert opened(Form("seats", "2"), seated, night)["seats"] == ("B", "C", "A")
    assert opened(Form("kong", "3"), kong, night)["kongs"] == [{"seat": 0, "kind": "kong_added"}]


@pytest.mark.parametrize(
    ("amounts", "amount"),
    [
        ({"A": -10, "B": 5, "C": 5}, "5"),
        ({"A": -5, "B": -5, "C": 10}, "5"),
        ({"A": -5}, "5"),
        ({"B": 7}, "7"),
        ({"A": -5, "B": 5}, "5"),
        ({"A": -5, "B": 2, "C": 3}, ""),
    ],
)
def test_an_adjustment_opens_as_it_was_said(amounts: dict[str, int], amount: str):
    session = phone()
    assert asyncio.run(propose(session, Adjusted(amounts, "cup")))
    night = confirmed(session)
    form = opened(Form("adjust", night.entries[0].event.id), night.entries[0], night)
    assert (form["amount"], form["note"]) == (amount, "cup")
    if amount:
        deed = deed_of("adjust", form, night.seats, night, night.entries[0])
        assert isinstance(deed, Adjusted)
        assert dict(deed.amounts) == amounts


def test_figures_are_counted_over_one_night_this_month_and_all(store: storing.Store):
    session = phone()
    record(session, FIVE, 0)
    old = replace(opening(), id="old", at="2020-01-01T20:00:00+00:00")
    store.create(old)
    store.record("old", nights.Event("x", old.at, session.night.entries[0].deed))
    found = [counted(span, session.night)["A"] for span in ("night", "month", "all")]
    assert [(figures.wins, figures.self_draws) for figures in found] == [(1, 1), (1, 1), (2, 2)]
    assert found[2].favourites() == ("middle_five",)


def test_points_that_several_give_to_several_sum_to_zero():
    assert sum(adjusted(("A", "B"), ("C", "D"), 3).values()) == 0
    assert adjusted((), ("A",), 3) == {"A": 3}


# ---------------------------------------------------------------- beginning, and where one stands


def test_a_night_begins_with_those_who_are_named_and_the_rest_sits_out():
    session = Session(house=House("kwx_suizhou"))
    first = opening_of(Starting(players=("A", " ", "B", "C", "D"), colours=nights.COLOURS[:5]), session)
    assert first.players == ("A", "B", "C", "D")
    assert first.colours == (nights.COLOURS[0], *nights.COLOURS[2:5])
    assert fold(first, ()).seats == ("A", "B", "C")


def test_two_people_play_a_game_of_three_by_two():
    first = opening_of(Starting(players=("A", "B", "")), Session(house=House("kwx_suizhou")))
    assert fold(first, ()).seats == ("A", "B")


def test_a_start_that_is_no_number_is_refused():
    with pytest.raises(LedgerError, match="whole number"):
        opening_of(Starting(players=("A", "B", "C"), start="many"), Session())
    with pytest.raises(LedgerError, match="at most 999999999"):
        opening_of(Starting(players=("A", "B", "C"), start="-1000000000"), Session())


def test_house_rules_go_into_the_night_and_come_back():
    house = House("kwx_suizhou").changed("unit", 5)
    assert house_of(choice_of(house)) == house


def test_an_address_without_a_night_leads_to_the_list():
    session = Session()
    assert {where(session, f"/night{end}") for end in ("", "/log", "/confirm", "/record", "/entry")} == {"/nights"}
    assert where(phone(), "/night/confirm") == "/night"


def test_a_night_of_yesterday_is_not_opened_by_itself():
    assert going_on(fold(opening(), ()))
    assert not going_on(fold(replace(opening(), at="2020-01-01T20:00:00+00:00"), ()))
    assert not going_on(fold(replace(opening(), at="someday"), ()))


def test_an_open_night_leaves_the_rules_to_start_with_alone():
    session = Session(house=House("kwx_xiangyang"))
    nights.ledger().create(opening("A", "B", "C", "D", rules="shandong"))
    asyncio.run(look(session, "n1"))
    assert (session.house.preset, session.starting_house.preset) == ("shandong", "kwx_xiangyang")
    assert House.from_json(json.loads(preferences(session))["house"]) == House("kwx_xiangyang")
    session.start_with(House("kwx_base"))  # somebody looks up other rules meanwhile
    assert session.house.preset == "shandong"
    take(session, None)
    assert (session.house, session.usual, session.target) == (House("kwx_base"), None, None)


def test_a_hand_that_lies_open_is_none_of_the_business_of_an_old_night():
    session = Session(house=House("kwx_xiangyang"))
    nights.ledger().create(replace(opening("A", "B", "C", "D", rules="shandong"), at="2020-01-01T20:00:00+00:00"))
    asyncio.run(look(session, "n1"))
    assert session.night is not None
    assert (session.target, session.house) == (None, House("kwx_xiangyang"))
    next_hand(session, session.night)  # until somebody goes on with it
    assert session.house.preset == "shandong"
    nights.ledger().create(replace(opening(), id="n2"))
    asyncio.run(look(session, "n2"))
    asyncio.run(look(session, "n1"))
    assert (session.target, session.house) == (None, House("kwx_xiangyang"))


PICTURE = b"\xff\xd8picture"


def photographed(session: Session, *pictures: bytes) -> None:
    session.photographs = tuple(Photograph(p, Reading(1, 1, (), ReadHand()), digest=str(p)) for p in pictures)
    session.history = History(replace(session.draft, photographs=tuple(range(len(pictures)))))


def test_a_photograph_is_kept_with_its_hand_and_a_correction_may_bring_another():
    session = phone()
    score = hold(session, FIVE, 0)
    photographed(session, PICTURE)
    assert asyncio.run(propose_hand(session, score.win))
    assert asyncio.run(confirm(session, [].append, pictures_of(session)))
    night = session.night
    assert night is not None
    assert asyncio.run(kept_pictures(night, night.entries[0])) == (PICTURE,)
    lay_open(session, night, night.entries[0], 0)
    assert pictures_of(session) == ()
    photographed(session, PICTURE + b"2")
    assert asyncio.run(propose_hand(session, score.win))
    assert asyncio.run(confirm(session, [].append, pictures_of(session)))
    night = session.night
    assert asyncio.run(kept_pictures(night, night.entries[0])) == (PICTURE + b"2",)
    assert asyncio.run(at_once(session, [].append, Undone(night.entries[0].corrections[-1])))
    night = session.night
    assert asyncio.run(kept_pictures(night, night.entries[0])) == (PICTURE,)


def test_a_hand_is_recorded_although_its_photograph_cannot_be_kept(tmp_path: Path):
    (tmp_path / "photographs").write_text("")
    session = phone()
    score = hold(session, FIVE, 0)
    assert asyncio.run(propose_hand(session, score.win))
    assert asyncio.run(confirm(session, [].append, (PICTURE,)))
    assert session.night is not None
    assert len(session.night.entries) == 1
    assert "照片没有保存" in session.troubles[0]


def test_the_photographs_of_several_winners_are_kept_together():
    session = phone()
    hold(session, FIVE, 0)
    assert session.target is not None
    session.target = replace(session.target, wins=({},), pictures=(PICTURE,))
    photographed(session, PICTURE + b"2")
    assert pictures_of(session) == (PICTURE, PICTURE + b"2")


def test_a_night_that_somebody_deletes_is_closed_on_the_other_phones():
    session = phone(opening(unit=5))
    nights.ledger().delete("n1")
    asyncio.run(look(session))
    assert (session.night, session.target, session.nights) == (None, None, ())
    assert session.house == House()


def test_a_target_knows_what_the_night_knows():
    target = Target("n", ("A",), RulesChoice("shandong"), 2, 1, 5)
    assert target.facts == {"dealer": 2, "previous_draws": 1}


def test_a_picture_of_the_night_has_no_empty_margin():
    pixels = np.zeros((40, 30, 4), np.uint8)
    pixels[2:12, 3:9] = (10, 20, 30, 255)
    png = cv2.imencode(".png", pixels)[1].tobytes()
    cut = cv2.imdecode(np.frombuffer(trimmed(png), np.uint8), cv2.IMREAD_UNCHANGED)
    assert cut.shape == (10, 6, 4)
    assert trimmed(b"no picture") == b"no picture"


def test_a_long_night_is_drawn_with_few_points_and_both_its_ends():
    moments = [{"A": n} for n in range(10_001)]
    seen = thinned(moments)
    assert len(seen) <= MOST + 1
    assert (seen[0], seen[-1]) == (moments[0], moments[-1])
    assert thinned(moments[:7]) == moments[:7]


def test_no_name_lies_on_another_at_the_end_of_the_lines():
    assert name_places([50, 50, 10], 0, 100) == [50, 66, 10]
    crowded = sorted(name_places([98, 99, 97, 100], 0, 100))
    assert crowded == [52, 68, 84, 100]


def test_a_look_that_began_earlier_does_not_bring_a_deleted_night_back() -> None:
    session = Session()
    early, late = session.next_look(), session.next_look()
    assert session.latest_look(late)
    assert not session.latest_look(early)
    assert session.latest_look(session.next_look())


def test_a_night_deleted_while_another_look_at_the_ledger_is_under_way_stays_gone(
    store: storing.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = phone()
    read, entered, held = store.night, threading.Event(), threading.Event()

    def slow(name: str) -> Night:
        found = read(name)
        entered.set()
        held.wait(5)
        return found

    async def scene() -> None:
        early = asyncio.create_task(look(session))
        await asyncio.to_thread(entered.wait, 5)
        store.delete("n1")
        await look(session)
        held.set()
        await early

    monkeypatch.setattr(storing.Store, "night", lambda self, name: slow(name))
    asyncio.run(scene())
    assert (session.nights, session.night) == ((), None)


def test_a_night_that_is_about_to_begin_is_kept_by_the_device() -> None:
    typed = Starting("周五", ("阿明", "Bo", ""), COLOURS[1:4], House("shandong").changed("unit", 5), "¥", "100", 1)
    assert Starting.from_json(typed.to_json()) == replace(typed, made=1)
    assert Starting.from_json(Starting().to_json()) == Starting(made=1)
    broken = json.dumps({**json.loads(typed.to_json()), "colours": ["javascript", "x", "y"]})
    for wrong in ("", "7", "{}", broken, typed.to_json().replace("shandong", "mars")):
        assert Starting.from_json(wrong) == Starting()
