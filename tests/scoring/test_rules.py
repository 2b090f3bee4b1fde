"""Presets, options, differences and the questions the rules ask."""

import re
from typing import Any

import pytest

from scoring import (
    Hand,
    RulesError,
    Win,
    answered,
    base_of,
    differences,
    house,
    preset,
    rules,
    ruleset,
    rulesets,
    score,
)
from scoring.rules import SOURCES, legend, source_text
from tests.scoring.playing import win

ALL = [name for system in rulesets() for name in system.presets]


def test_there_are_three_games_and_fourteen_presets() -> None:
    assert [system.name for system in rulesets()] == ["ka_wu_xing", "shandong", "zhuji_bao"]
    assert len(ALL) == 14
    assert ruleset("kwx_leyou") is ruleset("ka_wu_xing")
    assert (preset("shandong").name, preset("ka_wu_xing").name) == ("shandong", "kwx_base")


# Section 6 of RULES.md: the switch of each row that has one.
SWITCHES = [
    "values.double_dragon_seven_pairs",
    "values.concealed_four",
    "values.single_tile_hand",
    "single_tile_includes_all_pungs",
    "concealed_four_by_discard",
    "open_four_by_discard",
    "four_scope",
    "big_hand_for_four",
    "extra_quad_value",
    "middle_five_wait",
    "min_fan_discard",
    "min_fan_self_draw",
    "cap_exceptions",
    "cap_includes_reveal",
    "cap_per",
    "reveal_discard_liability",
    "liability_exempts_revealed_discarder",
    "liability_on_rob",
    "reveal_doubles_payer",
    "double_reveal_stacks",
    "revealed_self_draw_only",
    "draw_penalty",
    "values.last_tile_draw",
    "values.last_tile_discard",
    "rob_chain_kong",
    "rob_concealed_kong",
    "kong_bloom_chain_doubles",
    "kong_chain_cap",
    "missed_win",
    "dragon_pairs_needs_winning_fourth",
    "values.triple_dragon_seven_pairs",
    "three_dragons_pairs_stack",
    "money_cap",
    "multiple_winners",
    "qia_value",
    "qia_winning_triplet",
    "ba_scope",
    "ba_honours",
    "bonus_doubled_by_reveal",
    "kong_with_one_tile_left",
    "draw_bonus_op",
    "draw_bonus_curve",
    "base_fan_always",
    "share_is",
    "concealed_honour_triplet_flower",
    "rob_pays_all",
    "open_ready_wins_by_rob",
    "open_ready_doubles_self_draw_loss",
    "all_258_free_shape",
    "earthly_self_draw_only",
    "seven_pairs_need_258",
    "escape_recipients",
    "dealer_on_draw",
    "pinghu_any_hand",
    "dragon_pung_max",
    "no_wild_needs_wild_in_play",
    "tai.heavenly_hand",
    "failure_receiver",
    "discard_model",
    "draw_payer",
    "no_bid",
    "unit",
    "suits",
    "cap",
    "kong_timing_strict",
    "dealer_rotation",
    "combine",
    "last_tile_discard_any",
    "min_fan_counts_own_reveal",
    "rob_exposed_kong",
    "wild_chow",
    "failure_formula",
]


def test_every_switch_of_section_six_is_an_option() -> None:
    names = {option.name for system in rulesets() for option in system.options}
    assert set(SWITCHES) - names == set()


def test_every_option_carries_its_words_source_and_a_default_it_accepts() -> None:
    for system in rulesets():
        assert len({option.name for option in system.options}) == len(system.options)
        for option in system.options:
            assert option.text.zh, option
            assert option.text.en, option
            assert option.source, option
            assert option.read(option.default) == option.default
            for choice in option.choices:
                assert choice.text.zh, option
                assert choice.text.en, option
                assert option.read(choice.value) == choice.value
            for language in ("zh", "en"):
                assert option.shown(option.default, language)


def test_every_element_has_both_names_a_condition_and_a_source() -> None:
    for system in rulesets():
        ids = {element.id for element in system.elements}
        for element in system.elements:
            assert all((element.name.zh, element.name.en, element.condition.zh, element.condition.en, element.source))
            assert set(element.excludes) <= ids


def test_every_source_that_is_named_is_described() -> None:
    for system in rulesets():
        for thing in (*system.elements, *system.options):
            first = re.split(r"[ ,:;]", thing.source)[0]
            assert first in SOURCES or first in ("house", "not", "undefined", "our"), thing.source


@pytest.mark.parametrize("name", ALL)
def test_a_preset_is_a_complete_vector_and_its_own_fixed_point(name: str) -> None:
    table = rules(name)
    assert set(table.flat) == {option.name for option in table.ruleset.options}
    assert table.changes == {}
    assert rules(name, dict(table.flat)).flat == table.flat
    assert rules(name, dict(table.flat)).changes == {}
    assert table.title.zh
    assert table.title.en


def test_what_a_preset_changes_is_listed() -> None:
    changed = {
        change.option.name: (change.before, change.after)
        for change in differences(rules("kwx_suizhou"), rules("kwx_base"))
    }
    assert changed == {"cap": (None, 8), "cap_exceptions": ({}, {"double_dragon_seven_pairs": 16})}
    assert base_of(rules("kwx_qiabazhang")).preset == "kwx_leyou"
    assert base_of(rules("kwx_base")).preset == "kwx_base"
    house_rules = rules("kwx_suizhou", {"unit": 5})
    assert [change.option.name for change in differences(house_rules, base_of(house_rules))] == ["unit"]
    assert house_rules.changes == {"unit": 5}


@pytest.mark.parametrize(
    ("name", "options", "named"),
    [
        ("kwx_wuhan", {}, "kwx_wuhan"),
        ("kwx_base", {"colour": "red"}, "colour"),
        ("kwx_base", {"values": {"royal_flush": 3}}, "values.royal_flush"),
        ("kwx_base", {"unit": 0}, "unit"),
        ("kwx_base", {"unit": True}, "unit"),
        ("kwx_base", {"unit": None}, "unit"),
        ("kwx_base", {"cap": 0}, "cap"),
        ("kwx_base", {"four_scope": "all"}, "four_scope"),
        ("kwx_base", {"multiple_winners": "yes"}, "multiple_winners"),
        ("kwx_base", {"suits": ["p"]}, "suits"),
        ("kwx_base", {"suits": ["p", "x"]}, "suits"),
        ("kwx_base", {"suits": 7}, "suits"),
        ("kwx_base", {"cap_exceptions": {"pure_suit": "much"}}, "cap_exceptions"),
        ("kwx_base", {"money_cap": 7}, "money_cap"),
        ("kwx_base", {"values": {"pure_suit": 0}}, "values.pure_suit"),
        ("kwx_base", {"values": 3}, "values"),
        ("shandong", {"share_is": "mine"}, "share_is"),
        ("zhuji_bao", {"dragon_pung_max": 9}, "dragon_pung_max"),
    ],
)
def test_what_cannot_be_is_named_in_one_sentence_of_each_language(name: str, options: Any, named: str) -> None:
    with pytest.raises(RulesError, match=named) as caught:
        rules(name, options)
    assert all(problem.text.zh.endswith("。") and problem.text.en.endswith(".") for problem in caught.value.problems)


def test_all_wrong_options_are_named_at_once() -> None:
    with pytest.raises(RulesError) as caught:
        rules("kwx_base", {"unit": 0, "colour": 1, "four_scope": "x"})
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize(
    ("name", "option", "value", "zh", "en"),
    [
        ("kwx_base", "cap", None, "关", "off"),
        ("kwx_base", "multiple_winners", True, "是", "yes"),
        ("kwx_base", "multiple_winners", False, "否", "no"),
        ("kwx_base", "cap_exceptions", {}, "无", "none"),
        ("kwx_base", "cap_exceptions", {"pure_suit": 16}, "pure_suit 16", "pure_suit 16"),
        ("kwx_base", "suits", ("p", "s"), "p s", "p s"),
        ("kwx_base", "combine", "add", "相加", "add"),
        ("kwx_base", "unit", 5, "5", "5"),
    ],
)
def test_a_value_is_shown_in_words(name: str, option: str, value: Any, zh: str, en: str) -> None:
    known = rules(name).ruleset.option(option)
    assert known is not None
    assert (known.shown(value, "zh"), known.shown(value)) == (zh, en)


@pytest.mark.parametrize(
    ("name", "element", "zh", "en"),
    [
        ("kwx_base", "all_pungs", "×2", "×2"),
        ("shandong", "all_pungs", "2番", "2 fan"),
        ("zhuji_bao", "pure_suit", "2台", "2 tai"),
    ],
)
def test_what_an_element_is_worth_is_said_in_both_languages(name: str, element: str, zh: str, en: str) -> None:
    assert next(e for e in rules(name).ruleset.elements if e.id == element).shown(2) == (zh, en)


def test_a_case_or_a_win_is_scored_in_one_call() -> None:
    won = win("123789p 4556s CCC + 5s", 1)
    assert score(won, "kwx_base").payments == (2, -2, 0)  # type: ignore[union-attr]
    assert score(won.to_case(), "kwx_base", {"unit": 3}).payments == (6, -6, 0)  # type: ignore[union-attr]


# ---------------------------------------------------------------- house rules


def test_house_rules_are_saved_and_loaded_unchanged() -> None:
    changes = {
        "unit": 5,
        "cap": None,
        "suits": ["m", "s"],
        "four_scope": "full",
        "multiple_winners": False,
        "values": {"pure_suit": 8, "open_four": None},
        "money_cap": {"5": 40},
    }
    table = rules("kwx_suizhou", changes)
    text = house.save(table, '老王“家”\t"quoted" \\')
    loaded = house.load(text)
    assert (loaded.flat, loaded.changes, loaded.preset) == (table.flat, table.changes, table.preset)
    assert loaded.title.zh == '老王“家”\t"quoted" \\'
    assert house.save(loaded, loaded.title.zh) == text


def test_unchanged_rules_are_three_lines() -> None:
    assert house.save(rules("shandong"), " 周五 ") == 'hupai = 1\nname = "周五"\npreset = "shandong"\n'


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('hupai = 1\nname = "a"\npreset = "kwx_base"\n[options]\nwindfall = 3\n', "windfall"),
        ('hupai = 1\nname = "a"\npreset = "kwx_base"\n[options.values]\nwindfall = 3\n', "values.windfall"),
        ('hupai = 1\nname = "a"\npreset = "kwx_base"\ncolour = 3\n', "colour"),
        ('hupai = 1\nname = "a"\npreset = "kwx_mars"\n', "kwx_mars"),
        ('hupai = 1\npreset = "kwx_base"\n', "name"),
        ('hupai = 2\nname = "a"\npreset = "kwx_base"\n', "version 2"),
        ('name = "a"\npreset = "kwx_base"\n', "lacks its version"),
        ('hupai = 1\nname = "a"\npreset = "kwx_base"\noptions = 3\n', "must be a table"),
        ('hupai = 1\nname = "a"\npreset = "kwx_base"\n[options]\nunit = "much"\n', "unit"),
        ('hupai = 1\nname = "a"\npreset = "kwx_suizhou"\n[options]\nmin_fan_discard = 64\n', "min_fan_discard"),
        ("not toml", "no file of house rules"),
    ],
)
def test_a_file_that_is_not_understood_is_refused_by_name(text: str, about: str) -> None:
    with pytest.raises(RulesError, match=about):
        house.load(text)


def test_house_rules_need_a_name() -> None:
    with pytest.raises(RulesError, match="name"):
        house.save(rules("kwx_base"), "  ")


# ---------------------------------------------------------------- questions


def asked(name: str, hand: str, options: Any = None, **answers: Any) -> dict[str, Any]:
    """The questions on offer, with what is implied."""
    table, tiles = rules(name, options), Hand.parse(hand)
    return {q.id: q.implied(tiles, answers) for q in table.questions if q.offered(tiles, answers)}


def test_impossible_answers_are_not_offered() -> None:
    plain = "123789p 4556s CCC + 5s"
    drawn = asked("kwx_base", plain)
    assert set(drawn) == {"winner", "win_by", "revealed", "last_tile_draw"}
    thrown = asked("kwx_base", plain, win_by="discard")
    assert set(thrown) == {"winner", "win_by", "discarder", "revealed", "kong_discard", "passed_discarder"}
    assert "kong_bloom" in asked("kwx_base", "5s 123789p CC [9999s] + 5s")
    assert "last_tile_discard" in asked("kwx_yunmeng", plain, win_by="discard")
    assert "robbed_kong" in asked("kwx_base", plain, win_by="rob_kong")
    chain = asked("kwx_base", "5s 123789p CC [9999s] + 5s", {"kong_bloom_chain_doubles": True}, kong_bloom=True)
    assert "kong_chain" in chain
    assert "passed_multiplier" in asked("kwx_base", plain, win_by="discard", discarder=1, passed_discarder=2)


def test_shandong_asks_for_what_the_hand_makes_possible() -> None:
    plain = "123m 456p 789s 55m 34p + 5p"
    assert {"heavenly_hand", "earthly_hand"} <= set(asked("shandong", plain))
    assert "kong_bloom" not in asked("shandong", plain)
    assert asked("shandong", plain + " | 1f")["flowers"] == ("1f",)
    assert asked("shandong", plain + " | 1f", heavenly_hand=True)["kong_bloom"] is True
    assert "earthly_hand" not in asked("shandong", plain, heavenly_hand=True)
    assert "heavenly_hand" not in asked("shandong", plain, win_by="discard")
    assert "earthly_hand" not in asked("shandong", plain, {"earthly_self_draw_only": True}, win_by="discard")
    fed = "5567m [123m from 3] [999m from 3] [SSS from 3] + 8m"
    assert asked("shandong", fed)["three_claim_feeder"] == 3
    assert "three_claim_feeder" not in asked("shandong", plain)
    assert asked("shandong", "5567m [123m from 3] [999m from 1] [SSS from 3] + 8m")["three_claim_feeder"] is None
    assert "kong_fed_by" in asked("shandong", "2225588s [CCCC from 2] [EEE] + 8s", kong_bloom=True)
    assert "open_ready_winner" not in asked("shandong", plain, win_by="discard")
    assert "open_ready_winner" in asked("shandong", plain, {"open_ready_wins_by_rob": True}, win_by="rob_kong")


def test_zhuji_asks_for_the_contract_first() -> None:
    plain = "123m 234567s 5578p + 9p"
    assert next(iter(asked("zhuji_bao", plain))) == "contract_kind"
    assert "wild" in asked("zhuji_bao", plain, contract_kind="two")
    assert "wild" not in asked("zhuji_bao", plain, contract_kind="none")
    assert "contract_level" not in asked("zhuji_bao", plain, contract_kind="no_bid")
    assert "old_dealer" not in asked("zhuji_bao", plain)
    assert "old_dealer" in asked("zhuji_bao", plain, {"tai.old_dealer": 1})


@pytest.mark.parametrize("name", ALL)
def test_every_question_has_words_and_choices_of_its_kind(name: str) -> None:
    table = rules(name, {"revealed_self_draw_only": True} if name.startswith("kwx") else None)
    hand = Hand.parse("5m [CCCC] [111m] [222m] [333m] + 5m")
    for answers in (
        {},
        {"win_by": "discard", "discarder": 1, "passed_discarder": 2},
        {"win_by": "rob_kong", "winner": 1},
    ):
        for question in table.questions:
            assert question.text.zh, question.id
            assert question.text.en, question.id
            choices = question.choices(hand, answers)
            assert all(choice.text.zh and choice.text.en for choice in choices)
            if question.kind in ("seat", "seats", "choice", "tiles"):
                assert choices, question.id
            if question.element:
                assert question.element in {element.id for element in table.ruleset.elements}


def test_a_revealed_winner_who_must_draw_is_offered_no_discard() -> None:
    table = rules("kwx_base", {"revealed_self_draw_only": True})
    how = next(question for question in table.questions if question.id == "win_by")
    assert [choice.value for choice in how.choices(Hand(), {"revealed": (0,)})] == ["self_draw"]
    assert len(how.choices(Hand(), {"revealed": (1,)})) == 3
    ready = rules("shandong")
    how = next(question for question in ready.questions if question.id == "win_by")
    assert [choice.value for choice in how.choices(Hand(), {"open_ready_winner": True})] == ["self_draw"]
    robbing = rules("shandong", {"open_ready_wins_by_rob": True})
    how = next(question for question in robbing.questions if question.id == "win_by")
    assert [c.value for c in how.choices(Hand(), {"open_ready_winner": True})] == ["self_draw", "rob_kong"]


def test_answers_that_no_longer_apply_are_dropped_and_implied_ones_filled_in() -> None:
    table = rules("shandong")
    hand = Hand.parse("123m 456p 789s 55m 34p + 5p | 1f")
    settled = answered(table, hand, {"win_by": "self_draw", "discarder": 2, "heavenly_hand": True})
    assert "discarder" not in settled
    assert settled["kong_bloom"] is True
    won = Win.from_answers(hand, settled)
    assert table.score(won).figures == {"fan": 8, "flowers": 1}  # type: ignore[union-attr]


@pytest.mark.parametrize("off", [None, "off", {}])
def test_a_table_of_limits_is_switched_off_by_null_off_or_an_empty_table(off):
    assert rules("kwx_base", {"money_cap": off}).flat["money_cap"] == {}


def test_every_source_is_read_in_either_language_and_its_short_names_are_explained() -> None:
    for system in rulesets():
        carried = [part.source for part in (*system.elements, *system.options, *system.presets.values())]
        for source in carried:
            assert not re.search("[a-z]{2,}", source_text(source).zh.replace("[ext]", "")), source
            assert source_text(source).en == source
        lines = [line.zh for line in legend(carried)]
        assert len(lines) == len(set(lines)) > 1
    assert [line.en for line in legend(["SD 直接相加即可; [ext] 济南"])] == [
        "SD: the rules of Shandong mahjong",
        "[ext]: known from public programs, not from the sources",
    ]
