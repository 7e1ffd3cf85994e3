"""Setting up a game: the concept, the mechanics in use, limits, and who fits in."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from games.burning_wheel.playing import Played, play, table

CONCEPTS = ["Hunt wizards", "Sail to the Purple Desert"]


def group(scene: dict[str, Any] | None = None, **mara: Any) -> BurningTable:
    return table(
        scene=scene,
        mara={"player": "ann", **mara},
        tam={"player": "ben"},
        wolf={"npc": True},
    )


def vote(answers: dict[str, Any], at: BurningTable | None = None) -> Played:
    said = {"concepts": CONCEPTS, "participants": ["mara", "tam", "wolf"]}
    return play("agree_on_concept", said, at or group(), answers)


@pytest.mark.rules("rogues.setup.concept")
def test_the_gm_has_one_vote_among_the_others():
    run = vote({"gm/concept_vote": "1", "ann/concept_vote": "2", "ben/concept_vote": "2"})
    assert run.outcome.concept == CONCEPTS[1]
    assert run.table.scene.concept == CONCEPTS[1]
    assert run.asked.count("concept_vote") == 3  # the wolf is the GM's, who votes once


@pytest.mark.rules("rogues.setup.concept")
def test_a_tie_settles_nothing():
    at = table(mara={"player": "ann"})
    run = play(
        "agree_on_concept",
        {"concepts": CONCEPTS, "participants": ["mara"]},
        at,
        {"gm/concept_vote": "1", "ann/concept_vote": "2"},
    )
    assert run.outcome.concept == ""
    assert "vote again" in run.told
    assert not run.changed
    for wrong in ([], ["a", "a"], ["a", " "]):
        with pytest.raises(BadInput):
            play("agree_on_concept", {"concepts": wrong}, at)


@pytest.mark.rules("rogues.setup.concept_from_character")
def test_an_idea_for_a_character_changes_the_concept_or_gives_way():
    at = table(mara={"player": "ann"})
    said = {"concepts": ["Hunt wizards"], "participants": ["mara"]}
    idea = {"character_idea": "a monk"}
    run = play("agree_on_concept", said, at, {**idea, "gives_way": "concept"})
    assert run.outcome.concept == "Hunt wizards; a monk"
    assert run.asks["new_concept"].question.required
    assert run.seats["character_idea"] == "ann"
    assert run.seats["gives_way"] == "gm"
    run = play("agree_on_concept", said, at, {**idea, "gives_way": "idea", "new_idea": "a hermit"})
    assert run.outcome.concept == "Hunt wizards"
    assert run.seats["new_idea"] == "ann"
    assert run.asks["new_idea"].question.required
    assert "a hermit" in run.told
    assert play("agree_on_concept", said, at, idea).outcome.concept == "Hunt wizards"
    assert "gives_way" not in play("agree_on_concept", said, at).asked


def fits(at: BurningTable, answers: dict[str, Any] | None = None, who: str = "mara") -> Played:
    return play("fits_the_game", {"character": who}, at, answers)


@pytest.mark.rules("rogues.setup.pick_mechanics")
def test_parts_that_are_set_aside_cannot_be_begun_until_they_are_chosen_again():
    at = group(circles="B3")
    search = {"character": "mara", "sought": "a smuggler", "intent": "a boat", "how": "asks"}
    play("circles_test", search, at, rolls=[3])
    off = play("pick_mechanics", {"parts": ["circles"]}, at)
    assert "Not in this game: Circles." in off.told
    with pytest.raises(NotAllowed, match="Circles is not in use") as refused:
        play("circles_test", search, off.table)
    assert refused.value.rule == "rogues.setup.pick_mechanics"
    on = play("pick_mechanics", {}, off.table)
    play("circles_test", search, on.table, rolls=[3])
    with pytest.raises(BadInput, match="one of circles"):
        play("pick_mechanics", {"parts": ["astrology"]}, at)


@pytest.mark.rules("rogues.setup.pick_mechanics")
@pytest.mark.parametrize(
    ("thing", "has"),
    [
        ("Elf", {"body_type": "Elf"}),
        ("sorcery", {"skills": {"Sorcery": "B3"}}),
        ("Sword", {"weapons": ["sword"]}),
        ("The Fear", {"gear": ["spell: The Fear"]}),
        ("The Fear", {"spells": ["The Fear"]}),
        ("Gifted", {"traits": ["Gifted"]}),
    ],
)
def test_things_that_are_set_aside_are_nobodys(thing: str, has: dict[str, Any]):
    with_it = group(**has)
    assert fits(with_it).outcome.fits
    off = play("pick_mechanics", {"things": [thing]}, with_it).table
    assert fits(off).outcome.faults == (f"{thing} is not in this game",)
    assert fits(off, who="wolf").outcome.fits


@pytest.mark.rules("rogues.setup.lifepath_limits", "rogues.setup.lifepath_lower_limit")
@pytest.mark.parametrize(
    ("lifepaths", "fault"),
    [(2, "at least 3"), (3, ""), (5, ""), (6, "at most 5")],
)
def test_lifepaths_have_an_upper_and_a_lower_limit(lifepaths: int, fault: str):
    limits = play("set_limits", {"fewest": 3, "most": 5}, group()).table.scene.limits
    at = group(
        scene={"limits": GAME.write(limits)}, lifepaths=[f"Path {n}" for n in range(lifepaths)]
    )
    found = fits(at).outcome.faults
    assert len(found) == bool(fault)
    assert all(fault in each for each in found)
    assert fits(at, who="wolf").outcome.fits  # the limits are for players' characters


@pytest.mark.rules("rogues.setup.lifepath_lower_limit")
def test_there_may_be_a_lower_limit_alone():
    limits = play("set_limits", {"fewest": 4}, group()).table.scene.limits
    assert (limits.fewest_lifepaths, limits.most_lifepaths) == (4, 0)
    at = group(scene={"limits": GAME.write(limits)}, lifepaths=[f"Path {n}" for n in range(12)])
    assert fits(at).outcome.fits


@pytest.mark.rules("rogues.setup.lifepath_limits")
def test_the_power_level_is_the_highest_exponent():
    at = group(stats={"Will": "B6"}, attributes={"Mortal Wound": "B10"})
    off = play("set_limits", {"highest_exponent": 5}, at).table
    assert fits(off).outcome.faults == ("Will B6, no exponent above 5 is allowed",)
    for wrong in ({"fewest": 5, "most": 3}, {"most": 99}, {"highest_exponent": 11}):
        with pytest.raises(BadInput):
            play("set_limits", wrong, at)


@pytest.mark.rules("rogues.setup.relationships")
def test_the_gm_vets_relationships():
    at = group(scene={"concept": "Hunt wizards"}, relationships=["Tam", "an uncle"])
    run = fits(at, {"relationship#2": "no"})
    assert run.seats["relationship"] == "gm"
    (fault,) = run.outcome.faults
    assert "an uncle will not matter" in fault
    run = fits(at, {"relationship#2": "work_in"})
    assert run.outcome.fits
    assert run.table.scene.concept == "Hunt wizards; an uncle"


@pytest.mark.rules("rogues.setup.pick_mechanics")
def test_a_part_takes_the_skill_of_its_name_with_it():
    off = play("pick_mechanics", {"parts": ["sorcery"]}, group(skills={"Sorcery": "B3"})).table
    assert fits(off).outcome.faults == ("sorcery is not in this game",)


def test_what_was_settled_is_on_the_page_of_the_scene():
    at = group(
        scene={
            "concept": "Hunt wizards",
            "set_aside": ["circles", "Elf"],
            "limits": {"most_lifepaths": 4},
        }
    )
    section = GAME.scene_page(at)[0]
    assert [row.value for row in section.rows] == [
        "Hunt wizards",
        "at most 4 lifepaths",
        "Circles, Elf",
    ]
