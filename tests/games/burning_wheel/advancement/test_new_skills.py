"""Learning new skills: Aptitude, opening, shades of roots."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.advancement.new_skills import aptitude, opening
from astragal.rules import Options
from games.burning_wheel.playing import a_test, play, sheet, table

PLAIN = Options.of("burning_wheel")


@pytest.mark.rules("advancement.aptitude.single_root")
@pytest.mark.parametrize("exponent", range(1, 10))
def test_aptitude_is_ten_less_the_root(exponent: int):
    needed = aptitude(sheet(stats={"Agility": f"B{exponent}"}), ("Agility",), PLAIN)
    assert needed.total == 10 - exponent


@pytest.mark.rules("advancement.aptitude.several_roots")
@pytest.mark.parametrize(
    ("roots", "needed"),
    [
        (("B5", "B4"), 6),
        (("B4", "B4"), 6),
        (("B5", "B5"), 5),
        (("B1", "B8"), 6),
        (("B3", "B4", "B6"), 6),
    ],
)
def test_aptitude_of_several_roots_is_ten_less_the_average(roots: tuple[str, ...], needed: int):
    names = ("Agility", "Will", "Power")[: len(roots)]
    who = sheet(stats=dict(zip(names, roots, strict=True)))
    assert aptitude(who, names, PLAIN).total == needed


@pytest.mark.rules("gold.diff.aptitude_two_roots", "advancement.aptitude.several_roots")
@pytest.mark.parametrize("edition", ["revised", "gold"])
@pytest.mark.parametrize(
    ("roots", "needed", "rule"),
    [
        (("Agility",), 6, "advancement.aptitude.single_root"),
        (("Agility", "Will"), 5, "advancement.aptitude.several_roots"),  # the average is 5
    ],
)
def test_aptitude_says_by_which_rule_in_both_editions(
    edition: str, roots: tuple[str, ...], needed: int, rule: str
):
    options = Options.of("burning_wheel", {"edition": edition})
    found = aptitude(sheet(stats={"Agility": "B4", "Will": "B6"}), roots, options)
    assert found.total == needed
    assert {line.rule for line in found} == {rule}


@pytest.mark.parametrize(
    ("roots", "needed", "opens"),
    [
        (("G4",), 5, "G2"),  # one test less
        (("W4",), 4, "W2"),  # two less
        (("G4", "G5"), 5, "G2"),
        (("B4", "G5"), 5, "B2"),  # 4 + 5 + 2 = 11, the average 5
        (("G3", "B4"), 6, "B2"),  # 9, the average 4
        (("G4", "W5"), 5, "G2"),  # the darker is gray, and mixed roots take nothing off
        (("W9", "W9"), 1, "W4"),  # never below one
        (("G9",), 1, "G4"),
    ],
)
def test_shades_of_roots(roots: tuple[str, ...], needed: int, opens: str):
    names = ("Agility", "Will")[: len(roots)]
    who = sheet(stats=dict(zip(names, roots, strict=True)))
    assert aptitude(who, names, PLAIN).total == needed
    assert str(opening(who, names, PLAIN)) == opens


@pytest.mark.slow
@pytest.mark.rules("advancement.new_skill.starting_exponent", "advancement.new_skill.shade")
@given(st.lists(st.integers(1, 10), min_size=1, max_size=3), st.sampled_from("BGW"))
def test_a_new_skill_opens_at_half_its_root_in_its_shade(exponents: list[int], shade: str):
    names = ("Agility", "Will", "Power")[: len(exponents)]
    stats = {name: f"{shade}{n}" for name, n in zip(names, exponents, strict=True)}
    half = floor(Fraction(sum(exponents), len(exponents)) / 2)
    assert str(opening(sheet(stats=stats), names, PLAIN)) == f"{shade}{half}"


@pytest.mark.parametrize(("choice", "opens"), [("exponent_0", "B0"), ("exponent_1", "B1")])
def test_half_a_root_of_one(choice: str, opens: str):
    options = Options.of("burning_wheel", {"advancement_open_at_root_1": choice})
    assert str(opening(sheet(stats={"Will": "B1"}), ("Will",), options)) == opens
    assert str(opening(sheet(stats={"Will": "B2"}), ("Will",), options)) == "B1"


def test_a_skill_opened_at_nothing_is_still_tried_with_its_root_and_one_test_lifts_it():
    learning = {"Cant": {"roots": ["Will", "Power"], "tests": 8}}
    at = table(rich={"stats": {"Will": "B1", "Power": "B1"}, "learning": learning})
    said = {"root": "Will", "log_as": "routine"}
    opened = a_test(at, "Cant", 1, [0], said)
    assert str(opened.table.character("rich").skills["Cant"].rating) == "B0"
    again = a_test(opened.table, "Cant", 1, [1], said, intent="another")
    assert again.outcome.obstacle.total == 2
    assert again.outcome.dice.total == 1
    assert str(again.table.character("rich").skills["Cant"].rating) == "B1"
    assert "Cant" not in again.table.character("rich").learning


@pytest.mark.rules("advancement.new_skill.opens_at_aptitude", "advancement.new_skill.then_normal")
def test_exactly_the_aptitude_opens_a_skill_and_it_goes_on_like_any_other():
    at = table(rich={"stats": {"Agility": "B5"}})
    for number in range(1, 6):
        said = {"roots": ["Agility"]} if number == 1 else {}
        assert "Bow" not in at.character("rich").skills
        at = a_test(at, "Bow", 1, [0], said, intent=f"try {number}").table
    rich = at.character("rich")
    assert str(rich.skills["Bow"].rating) == "B2"
    assert rich.skills["Bow"].roots == ("Agility",)
    assert rich.learning == {}
    for number in (1, 2):  # a skill of B2 needs two routine tests and a difficult one
        at = a_test(at, "Bow", 1, [0], intent=f"shot {number}").table
    at = a_test(at, "Bow", 2, [0], intent="shot 3").table
    assert str(at.character("rich").skills["Bow"].rating) == "B3"


@pytest.mark.rules("advancement.new_skill.opens_at_aptitude")
def test_a_root_that_rises_can_open_a_skill():
    learning = {"Bow": {"roots": ["Agility"], "tests": 5}}
    stats = {"Agility": {"rating": "B4", "log": {"difficult": 2}}}
    at = table(rich={"stats": stats, "learning": learning})
    after = a_test(at, "Agility", 5, [0])
    assert "Rich opens Bow at B2." in after.told  # five tests are enough for a root of five


@pytest.mark.rules("advancement.new_skill.root")
def test_roots_come_from_whoever_knows_or_learns_the_skill():
    bow = {"rating": "B4", "roots": ["Agility"]}
    knows = table(rich={"stats": {"Agility": "B4"}}, tam={"skills": {"Bow": bow}})
    assert "roots" not in a_test(knows, "bow", 1, [0]).asked
    learning = {"Bow": {"roots": ["Agility"], "tests": 1}}
    learns = table(rich={"stats": {"Agility": "B4"}, "learning": learning})
    after = a_test(learns, "bow", 1, [0])
    assert "roots" not in after.asked
    assert after.table.character("rich").learning["Bow"].tests == 2
    nobody = a_test(table(rich={"stats": {"Agility": "B4"}}), "Bow", 1, [0], {"roots": ["Agility"]})
    assert nobody.seats["roots"] == "gm"


@pytest.mark.rules("advancement.training.practice_or_instruction_only")
def test_no_roll_teaches_a_training_skill():
    learning = {"Armor Training": {"roots": ["Power"], "tests": 3, "training": True}}
    at = table(rich={"stats": {"Power": "B4"}, "learning": learning})
    after = a_test(at, "Armor Training", 2, [4])
    assert after.outcome.passed
    assert after.outcome.earned == ""
    assert after.table.character("rich").learning["Armor Training"].tests == 3
    assert "only by practice or instruction" in after.told
    at = table(rich={"stats": {"Power": "B4"}}, tam={"training": ["Armor Training"]})
    after = a_test(at, "armor training", 2, [4], {"roots": ["Power"]})
    assert after.table.character("rich").learning == {}


@pytest.mark.rules("advancement.training.practice_or_instruction_only")
@pytest.mark.parametrize(
    ("tam", "taught"),
    [
        ({"training": ["Stilt Training"]}, False),
        ({"learning": {"Stilt Training": {"roots": ["Power"], "training": True}}}, False),
        ({"learning": {"Stilt Training": {"roots": ["Power"]}}}, True),
        ({"training": ["Whip Training"]}, True),
    ],
)
def test_a_training_skill_of_ones_own_is_one_by_whoever_has_or_learns_it(tam: Any, taught: bool):
    at = table(rich={"stats": {"Power": "B4"}}, tam={"stats": {"Power": "B4"}, **tam})
    answers = {} if "learning" in tam else {"roots": ["Power"]}
    after = a_test(at, "stilt training", 2, [4], answers)
    assert bool(after.table.character("rich").learning) is taught


@pytest.mark.rules("advancement.new_skill.root")
@pytest.mark.parametrize(
    ("learning", "message"),
    [
        ({"Bow": {}}, r"learning\.Bow\.roots: found \[\]"),
        ({"Bow": {"roots": ["Luck"]}}, r"learning\.Bow\.roots: found \['Luck'\]"),
        ({"Bow": {"roots": ["Will", "Will"]}}, r"learning\.Bow\.roots"),
        ({"Bow": {"roots": ["Will"], "tests": -1}}, r"learning\.Bow\.tests: found -1"),
        ({"sword": {"roots": ["Will"]}}, r"learning\.sword: found 'sword'"),
    ],
)
def test_bad_learning_is_refused(learning: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        sheet(skills={"Sword": "B4"}, learning=learning)


def test_a_sheet_that_learns_is_written_and_read_again():
    raw = {
        "name": "Rich",
        "stats": {"Agility": "B4"},
        "learning": {"Bow": {"roots": ["Agility"], "tests": 2, "category": "Martial"}},
        "training": ["Armor Training"],
        "practice": [{"ability": "Agility", "difficulty": "difficult", "days": 12}],
        "days": [{"first": 0, "days": 12, "hours": 4, "use": "practice"}],
    }
    read = GAME.read_sheet(raw, "rich")
    assert GAME.read_sheet(GAME.write(read), "rich") == read


@pytest.mark.rules("advancement.new_skill.opens_at_aptitude")
def test_without_its_roots_on_the_sheet_a_skill_cannot_be_learned():
    with pytest.raises(BadInput, match="stats: found 'Agility'"):
        a_test(table(rich={"stats": {"Will": "B4"}}), "Bow", 1, [], {"roots": ["Agility"]})


def test_a_trained_character_simply_has_it():
    learning = {
        "Armor Training": {"roots": ["Power"], "tests": 4, "category": "Martial", "training": True}
    }
    stats = {"Power": "B5", "Will": "B5"}
    at = table(scene={"calendar": {"day": 30}}, rich={"stats": stats, "learning": learning})
    regimen = [{"ability": "Armor Training", "hours": 2}]
    after = play("practise", {"character": "rich", "regimen": regimen}, at)
    assert after.table.character("rich").training == ("Armor Training",)
    assert after.table.character("rich").learning == {}
    assert "Armor Training" not in after.table.character("rich").skills
