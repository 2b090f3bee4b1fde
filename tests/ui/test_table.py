"""What the app asks of the rules: does the hand stand, what is still open, what is it worth; for every game alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring import RulesError, Score, rulesets
from scoring.tiles import NotationError
from ui import draft as edits
from ui.components.option_field import read_rows
from ui.draft import Draft, from_codes
from ui.table import House, Said, asked, draft_from_text, first_preset, fitting, hand_of, result_of, stand

SUIZHOU = House("kwx_suizhou")
PRESETS = [preset for system in rulesets() for preset in system.presets]


def test_a_houses_rules_travel_as_the_file_that_the_command_line_takes() -> None:
    house = SUIZHOU.changed("unit", 5).changed("cap_exceptions", {"seven_pairs": 32})
    text = house.to_toml("老王家")
    assert 'preset = "kwx_suizhou"' in text
    assert House.from_text(text) == replace(house, name="老王家")
    assert House.from_text(house.to_json()) == house
    for wrong in ("", "{", "hello", 'hupai = 1\nname = "x"\npreset = "kwx_mars"'):
        with pytest.raises((ValueError, KeyError)):
            House.from_text(wrong)


def test_a_table_of_the_rules_is_typed_with_the_elements_by_any_of_their_names() -> None:
    elements = SUIZHOU.rules.ruleset.elements
    assert read_rows("七对 = 16，清一色+碰碰胡：32", elements) == {"seven_pairs": 16, "pure_suit+all_pungs": 32}
    assert read_rows("seven pairs=16, 5 = 100", elements) == {"seven_pairs": 16, "5": 100}
    assert read_rows("", elements) == {}
    for wrong in ("七对", "七对 = x", "没有的番 = 3"):
        with pytest.raises(ValueError, match=wrong.partition(" ")[0]):
            read_rows(wrong, elements)


def key(text: str, house: House = SUIZHOU) -> str:
    return stand(draft_from_text(text), house).key


@pytest.mark.parametrize(
    ("hand", "standing"),
    [
        ("123789p 4556s CCC + 5s", "complete"),
        ("123789p 4556s [CCC] + 5s", "complete"),
        ("123789p 4556s [CCCC concealed] + 5s", "complete"),  # a kong counts as three
        ("11223344556677p", "complete"),  # seven pairs; without + the last tile is the winning one
        ("123p", "few"),
        ("123789p 4556s CCC", "ready"),  # thirteen, waiting for 5s
        ("124578p 4558s CCC", "not_ready"),
        ("123789p 4556s CCC + 9s", "waits_else"),
        ("124578p 4558s CCC + 9s", "no_shape"),
        ("123789p 4556s CCC 11p + 5s", "many"),
        ("123789p 4556s CCC + ?", "unknown"),
        ("123789p 4556s EEE + 5s", "foreign"),  # no winds in this game
        ("11111p 4556s CCC + 5s", "five"),
    ],
)
def test_the_live_line_says_how_the_hand_stands(hand: str, standing: str) -> None:
    assert key(hand) == standing


def test_the_rules_that_fit_a_hand_have_all_its_tiles_and_the_houses_own_stand_first() -> None:
    own = (replace(House("shandong").changed("unit", 5), name="老王家"), SUIZHOU.changed("unit", 5))
    characters = fitting(draft_from_text("123m 456p"), own)
    assert [house.name or house.preset for house in characters] == [
        "老王家",
        "kwx_four_players",
        "shandong",
        "zhuji_bao",
    ]
    assert [house.preset for house in fitting(draft_from_text("E | 1f"))] == ["shandong"]
    assert SUIZHOU in fitting(draft_from_text("123p ?"))


def test_a_hand_with_all_its_tiles_may_be_scored_if_only_to_hear_why_it_is_no_win() -> None:
    assert stand(draft_from_text("124578p 4558s CCC + 9s"), SUIZHOU).scorable
    assert not stand(draft_from_text("123789p 4556s CCC"), SUIZHOU).scorable


def test_flowers_on_the_table_are_counted_without_being_asked_for_again() -> None:
    house = House("shandong")
    hand = hand_of(draft_from_text("12355m 34456p 789s + 5p | 12f"))
    result = result_of(house, hand, Said((("win_by", "self_draw"),)))
    assert isinstance(result, Score)
    assert result.figures["flowers"] == 2


def test_an_empty_table_asks_for_tiles() -> None:
    assert stand(Draft(), SUIZHOU).key == "empty"


def test_a_complete_hand_without_a_winning_tile_asks_for_it() -> None:
    draft = edits.mark_winning(draft_from_text("123789p 4556s CCC + 5s"), None)
    assert stand(draft, SUIZHOU).key == "no_winning"


def test_a_set_of_different_tiles_is_no_pung() -> None:
    draft = from_codes(["1p"], [("pung", ["1p", "2p", "3p"])])
    assert stand(draft, SUIZHOU).key == "bad_meld"


def test_where_tiles_can_be_wild_a_strange_shape_may_go_on() -> None:
    draft = draft_from_text("124m 579p 1133s EE S + 7s")
    wild = [House(preset) for preset in PRESETS if any(q.id == "wild" for q in House(preset).rules.questions)]
    assert wild
    assert {(stand(draft, house).key, stand(draft, house).scorable) for house in wild} == {("with_wilds", True)}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_says_which_tiles_and_sets_it_has(preset: str) -> None:
    house = House(preset)
    assert {"pung", "kong_concealed"} <= set(house.meld_kinds)
    assert set(house.tiles) <= set(house.order)
    assert ("chow" in house.meld_kinds) == (house.rules.ruleset.name != "ka_wu_xing")  # 卡五星: no chow is claimed


def test_a_hand_typed_and_a_hand_scored_are_the_same() -> None:
    text = "123789p 4556s [CCC] + 5s"
    assert hand_of(draft_from_text(text)).show() == text
    with pytest.raises(NotationError):
        draft_from_text("123x")


def test_only_what_the_hand_leaves_open_is_asked() -> None:
    hand = hand_of(draft_from_text("123789p 4556s CCC + 5s"))

    def ids(*pairs: tuple[str, object]) -> set[str]:
        return {a.question.id for a in asked(SUIZHOU, hand, Said(pairs))}  # type: ignore[arg-type]

    assert "kong_bloom" not in ids(("win_by", "self_draw"))  # there is no kong
    assert "discarder" not in ids(("win_by", "self_draw"))
    assert "discarder" in ids(("win_by", "discard"))


def test_a_required_answer_is_missing_until_it_is_given() -> None:
    hand = hand_of(draft_from_text("123789p 4556s CCC + 5s"))
    said = Said((("win_by", "discard"),))
    assert [a.question.id for a in asked(SUIZHOU, hand, said) if a.missing] == ["discarder"]
    assert not any(a.missing for a in asked(SUIZHOU, hand, said.saying("discarder", 1)))


def test_the_discarder_pays_for_a_middle_five() -> None:
    house = SUIZHOU.changed("unit", 5)
    said = Said((("win_by", "discard"), ("discarder", 1)))
    result = result_of(house, hand_of(draft_from_text("123789p 4556s CCC + 5s")), said)
    assert isinstance(result, Score)
    assert result.payments == (10, -10, 0)  # ×2 × unit 5


def test_another_seat_can_have_won() -> None:
    said = Said((("winner", 2), ("win_by", "self_draw")))
    result = result_of(SUIZHOU, hand_of(draft_from_text("123789p 4556s CCC + 5s")), said, winner=2)
    assert isinstance(result, Score)
    assert result.payments == (-2, -2, 4)


def test_an_answer_taken_back_is_gone() -> None:
    said = Said().saying("discarder", 1)
    assert said.saying("discarder", None) == Said()


def test_house_rules_survive_being_written_and_read() -> None:
    house = replace(SUIZHOU.changed("unit", 5).changed("cap", 16), name="我家")
    assert House.from_json(house.to_json()) == house


def test_a_change_back_to_the_presets_own_value_is_no_change() -> None:
    assert SUIZHOU.changed("cap", 16).changed("cap", 8) == SUIZHOU


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"preset": "nonesuch"}', '{"preset": "kwx_base", "changes": {"x": 1}}']
)
def test_a_rules_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError, RulesError)):
        House.from_json(text)


def test_before_anybody_has_chosen_the_first_preset_is_played() -> None:
    assert House().preset == first_preset()
