"""One-off characters: the quick method in a line, as a procedure, and growing afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.rogues.one_line import one_line_character
from games.burning_wheel.playing import play, table

GUARD = {"npc": True}
STATS = ("Will", "Perception", "Agility", "Speed", "Power", "Forte")


def line(text: str) -> Any:
    return GAME.read_sheet(GAME.sketch(text), "sketch")


def one_off(answers: dict[str, Any] | None = None, **arguments: Any) -> Any:
    said = {"one_belief": "Nobody passes.", **(answers or {})}
    return play("one_off_character", {"character": "guard", **arguments}, table(guard=GUARD), said)


def ratings(group: dict[str, Any]) -> dict[str, str]:
    return {name: str(each.rating) for name, each in group.items()}


@pytest.mark.rules("tests.attributes.health", "tests.attributes.reflexes")
def test_health_is_of_will_and_forte_and_reflexes_of_the_other_three():
    """Will 5 and Forte 5 make 5; Perception, Agility and Speed of 4 make 4, and the other way."""
    hardy = one_off(able=["Will", "Forte"]).table.character("guard").attributes
    assert (str(hardy["Health"].rating), str(hardy["Reflexes"].rating)) == ("B5", "B4")
    quick = one_off(able=["Perception", "Agility", "Speed"]).table.character("guard").attributes
    assert (str(quick["Health"].rating), str(quick["Reflexes"].rating)) == ("B4", "B5")


@pytest.mark.rules("rogues.oneoff.skill_level")
@pytest.mark.parametrize(("word", "rating"), [("ordinary", 3), ("professional", 4), ("expert", 5)])
def test_one_exponent_for_every_skill(word: str, rating: int):
    made = line(f"guard, {word}, sword, ugly truth")
    assert ratings(made.skills) == {"Sword": f"B{rating}", "Ugly Truth": f"B{rating}"}
    run = one_off(competence=word, skills=["sword"])
    assert dict(run.outcome.skills) == {"Sword": f"B{rating}"}


@pytest.mark.rules("rogues.oneoff.skill_hierarchy", "rogues.amb.fourth_ability")
def test_ranked_abilities_go_down_from_five_and_the_fourth_is_like_the_third():
    wanted = {"Sorcery": "B5", "Persuasion": "B4", "Falsehood": "B3", "Riding": "B3"}
    assert ratings(line("mage, ranked sorcery > persuasion > falsehood > riding").skills) == wanted
    three = dict(one_off(ranked=["Sorcery", "Persuasion", "Falsehood"]).outcome.skills)
    assert three == {name: wanted[name] for name in ("Sorcery", "Persuasion", "Falsehood")}
    for wrong in (
        ["Sword"],
        ["Sword", "Axe"],
        ["a", "b", "c", "d", "e"],
        ["Sword", "Axe", "sword"],
    ):
        with pytest.raises(BadInput, match="3 or 4 abilities"):
            one_off(ranked=wrong)


@pytest.mark.rules("rogues.oneoff.stats_base")
def test_every_stat_begins_at_four_where_the_method_is_used():
    assert ratings(line("guard, professional, sword").stats) == dict.fromkeys(STATS, "B4")
    assert dict(one_off().outcome.stats) == dict.fromkeys(STATS, "B4")
    assert not line("guard, sword B4").stats


@pytest.mark.rules("rogues.oneoff.stats_age")
@pytest.mark.parametrize(("age", "allowed"), [(14, True), (15, False), (49, False), (50, True)])
def test_threes_are_for_the_very_old_and_the_very_young(age: int, allowed: bool):
    if not allowed:
        with pytest.raises(BadInput) as refused:
            line(f"child, ordinary, age {age}, weak speed and power")
        assert refused.value.rule == "rogues.oneoff.stats_age"
        with pytest.raises(BadInput):
            one_off(age=age, weak=["Speed"])
        return
    made = line(f"child, ordinary, age {age}, weak speed and power")
    assert made.age == age
    assert ratings(made.stats) == {
        **dict.fromkeys(STATS, "B4"),
        "Speed": "B3",
        "Power": "B3",
    }
    quick = one_off(age=age, weak=["Speed"])
    assert dict(quick.outcome.stats)["Speed"] == "B3"
    assert quick.table.character("guard").age == age
    with pytest.raises(BadInput):
        one_off(weak=["Speed"])


@pytest.mark.rules("rogues.oneoff.stats_able")
def test_the_gifted_have_fives_in_some_stats_or_in_all():
    assert ratings(line("captain, expert, able will and agility").stats) == {
        **dict.fromkeys(STATS, "B4"),
        "Will": "B5",
        "Agility": "B5",
    }
    assert dict(one_off(able=["all"]).outcome.stats) == dict.fromkeys(STATS, "B5")
    with pytest.raises(BadInput, match="each stat only once"):
        one_off(age=60, weak=["Will"], able=["all"])
    with pytest.raises(BadInput, match="one of Will"):
        one_off(able=["luck"])


TABLE = {
    3: ["B3", "B5", "B6", "B7", "B8", "B9"],
    4: ["B3", "B5", "B7", "B8", "B9", "B10"],
    5: ["B3", "B6", "B8", "B9", "B10", "B11"],
    6: ["B4", "B7", "B9", "B10", "B11", "B12"],
}
"""As the book has them, typed in again."""


def steps(sheet: Any) -> list[str]:
    return [str(getattr(sheet.tolerances, each)) for each in sheet.tolerances.__struct_fields__]


@pytest.mark.rules("rogues.oneoff.ptgs", "rogues.amb.one_off_ptgs_mixed")
@pytest.mark.parametrize(
    ("power", "forte", "level"),
    [(3, 3, 3), (4, 4, 4), (5, 5, 5), (6, 6, 6), (3, 4, 3), (4, 5, 4), (3, 6, 4), (6, 5, 5)],
)
def test_tolerances_go_by_power_and_forte(power: int, forte: int, level: int):
    made = line(f"guard, 4s, power {power}, forte {forte}")
    assert steps(made) == TABLE[level]
    assert str(made.attributes["Mortal Wound"].rating) == TABLE[level][-1]


@pytest.mark.rules("rogues.amb.one_off_ptgs_mixed")
def test_stats_beyond_the_table_leave_the_tolerances_to_the_gm():
    assert line("giant, 8s").tolerances is None
    assert line("rat, 2s").tolerances is None
    assert line("hero, g5s").tolerances is None


@pytest.mark.rules("rogues.oneoff.ptgs_tweak")
def test_tolerances_can_be_changed_to_taste():
    tough = ["B4", "B6", "B8", "B10", "B11", "B13"]
    made = line(f"guard, 4s, tolerances {' '.join(tough)}")
    assert steps(made) == tough
    assert str(made.attributes["Mortal Wound"].rating) == "B13"
    run = one_off(tolerances=tough)
    assert list(run.outcome.tolerances) == tough
    with pytest.raises(BadInput, match="6 steps"):
        one_off(tolerances=["B4", "B6"])
    with pytest.raises(BadInput, match="to the right"):
        one_off(tolerances=["B4", "B6", "B6", "B10", "B11", "B13"])


@pytest.mark.rules("rogues.oneoff.gear", "rogues.oneoff.traits")
def test_gear_and_traits_are_there_only_if_the_gm_gives_them():
    plain = line("guard, professional, spear")
    for field in ("gear", "weapons", "armor", "shield", "traits"):
        assert not getattr(plain, field), field
    armed = line("guard, professional, spear, weapon spear, armor leather, gear horn, trait Loyal")
    assert [each.weapon for each in armed.weapons] == ["spear"]
    assert [each.name for each in armed.gear] == ["horn"]
    assert armed.armor["torso"].type == "leather"
    assert [each.name for each in armed.traits] == ["Loyal"]
    assert not one_off().table.character("guard").traits
    (trait,) = one_off(trait="Loyal").table.character("guard").traits
    assert trait.name == "Loyal"


@pytest.mark.rules("rogues.oneoff.belief", "rogues.oneoff.instinct")
def test_one_belief_and_at_most_one_instinct():
    made = line("guard, professional, belief Nobody passes, instinct Always bar the door")
    assert [each.text for each in made.beliefs] == ["Nobody passes"]
    assert [each.text for each in made.instincts] == ["Always bar the door"]
    for twice in ("belief a, belief b", "instinct a, instinct b"):
        with pytest.raises(BadInput, match="only once"):
            line(f"guard, {twice}")
    run = one_off()
    assert run.asks["one_belief"].question.default is None  # it has to be said
    assert run.asks["one_belief"].question.required
    assert len(run.table.character("guard").beliefs) == 1
    assert not run.table.character("guard").instincts
    again = play(
        "one_off_character",
        {"character": "guard"},
        run.table,
        {"one_belief": "The toll is mine.", "one_instinct": "If bribed, look away."},
    ).table.character("guard")
    assert [each.text for each in again.beliefs] == ["The toll is mine."]
    assert [each.text for each in again.instincts] == ["If bribed, look away."]


@pytest.mark.rules("rogues.oneoff.improvise", "rogues.deeper.growth")
def test_numbers_are_given_while_playing_and_only_to_the_gms_characters():
    at = table(guard=GUARD, ann={"player": "ann"})
    run = play("add_to_character", {"character": "guard", "ability": "sword"}, at)
    assert run.changed.keys() == {"guard.skills"}
    assert ratings(run.table.character("guard").skills) == {"Sword": "B4"}
    more = play(
        "add_to_character",
        {"character": "guard", "ability": "Steel", "exponent": 6, "trait": "Loyal"},
        run.table,
    ).table.character("guard")
    assert ratings(more.skills) == {"Sword": "B4"}
    assert ratings(more.attributes) == {"Steel": "B6"}
    assert [each.name for each in more.traits] == ["Loyal"]
    for procedure in ("add_to_character", "one_off_character"):
        with pytest.raises(NotAllowed, match="a player's character"):
            play(procedure, {"character": "ann", "trait": "Loyal"}, at, {"one_belief": "x"})
    for wrong in ({}, {"ability": "sword"}, {"ability": "Axe", "exponent": 11}):
        with pytest.raises(BadInput):
            play("add_to_character", {"character": "guard", **wrong}, run.table)


@pytest.mark.rules("rogues.oneoff.lifepaths_as_reference")
def test_a_lifepath_shows_the_skills_of_those_who_have_it():
    run = play("look_up_lifepaths", {"entry": "pickpocket"}, table())
    ((name, skills),) = run.outcome.entries
    assert name == "Pickpocket"
    assert skills.split(", ")[:3] == ["Inconspicuous", "Streetwise", "Sleight of Hand"]
    both = dict(play("look_up_lifepaths", {"entry": "foot soldier"}, table()).outcome.entries)
    assert {"Hammer", "Soldiering", "Shield Training"} <= set(both["Foot Soldier"].split(", "))
    with pytest.raises(BadInput):
        play("look_up_lifepaths", {"entry": "astronaut"}, table())


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("guard, sword", "sword", "the quick method"),
        ("guard, expert, ordinary", "ordinary", "only once"),
        ("guard, age old", "age old", "an age from 1"),
        ("guard, expert, sword, sword B3", "sword", "only once"),
        ("guard, ranked a > b > c, ranked d > e > f", "ranked d > e > f", "only once"),
    ],
)
def test_what_the_method_cannot_mean_is_refused(text: str, found: str, expected: str):
    with pytest.raises(BadInput) as refused:
        line(text)
    assert refused.value.value == found
    assert expected in refused.value.expected


@pytest.mark.rules("tests.record.gm_characters")
def test_only_a_mortal_wound_in_a_line_may_be_above_ten():
    line = "ogre, 6s, mortal wound B12"
    assert one_line_character(line)["attributes"]["Mortal Wound"] == "B12"
    assert one_line_character("wretch, 1s, sword B1")["skills"] == {"Sword": "B1"}
    wrong_lines = ("ogre, power B11", "ogre, sword B11", "ogre, mortal wound B17", "ogre, sword B0")
    for wrong in wrong_lines:
        with pytest.raises(BadInput):
            one_line_character(wrong)
