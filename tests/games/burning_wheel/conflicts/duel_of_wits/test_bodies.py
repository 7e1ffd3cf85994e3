"""The body of argument: its methods, traits, enemies, groups."""

from __future__ import annotations

import pytest

from astragal.play import Tell
from games.burning_wheel.dueling import SPEAKER, argue, hall, speaker, try_volley

POINTS, AVOIDS = ("point",) * 3, ("avoid",) * 3
END = {"ann/concede": True}
EXCHANGE = [0, 0] * 3


def started(rolls=(), answers=None, at=None, **more):
    duel = argue([POINTS], [AVOIDS], [*rolls, *EXCHANGE, 5], {**END, **(answers or {})}, at, **more)
    return duel.outcome.started, duel


@pytest.mark.rules("duel_of_wits.body.standard")
def test_the_standard_body_is_will_and_the_successes_of_one_test():
    bodies, duel = started([3, 1], {"body_method": "standard"})
    assert bodies == (5 + 3, 5 + 1)
    assert [roll.label for roll in duel.rolls[:2]] == ["Ann, Oratory", "Bob, Oratory"]


def test_the_body_test_takes_forks_help_advantage_and_artha():
    at = hall(
        ann={**SPEAKER, "skills": {"Oratory": "B5", "Etiquette": "B3"}, "artha": {"persona": 1}},
        cyd={"skills": {"Oratory": "B4"}},
    )
    answers = {
        "body_method": "standard", "forks#1": ["Etiquette"],
        "ann/advantage#1": "the prince is her cousin",
        "cyd/help": "Oratory", "cyd/help_how": "nods", "boon#1": 1,
    }  # fmt: skip
    bodies, duel = started([6, 1], answers, at, side_a={"helpers": ["cyd"]})
    assert duel.rolls[0].expression.dice.total == 5 + 1 + 1 + 1 + 1
    assert "carefully" not in duel.asked  # nobody can take time for what is said at once
    assert bodies[0] == 5 + 6


@pytest.mark.rules("artha.aristeia.minor_epiphany", "duel_of_wits.link.minor_epiphany")
@pytest.mark.parametrize(("ability", "skills", "body"), [
    ("Oratory", ("Oratory B5",), 5 + 4),
    ("Will", ("Falsehood B4",), 5 + 4 // 2),
])  # fmt: skip
def test_a_minor_epiphany_holds_for_the_whole_duel_the_body_included(ability, skills, body):
    """Threes are successes of what is gray: the dueling skill, or the root of one not learned."""
    held = {"character": "ann", "form": "minor_epiphany", "ability": ability}
    luck = {"duel_of_wits_beginners_luck": "also_to_open"}
    for scene, counted in (({"aristeias": [held]}, body), ({}, 5)):
        at = hall(ann=speaker(*skills), scene=scene, options=luck)
        rolls = [[3, 3, 3, 3, 2], 1]
        assert started(rolls, {"body_method": "standard"}, at)[0] == (counted, 6)


@pytest.mark.rules("duel_of_wits.body.big_deal")
def test_a_big_deal_is_will_and_skill_without_a_roll():
    bodies, duel = started(
        answers={"body_method": "big_deal"}, at=hall(ann=speaker("Oratory B6", will="B4"))
    )
    assert bodies == (4 + 6, 5 + 5)
    assert "Point" in duel.rolls[0].label
    assert duel.seats["body_method"] == "gm"


@pytest.mark.rules("duel_of_wits.body.not_a_big_deal")
def test_a_small_point_is_will_alone_if_both_players_want_it_over():
    bodies, _ = started(answers={"body_method": "not_a_big_deal"})
    assert bodies == (5, 5)
    unwilling = {"body_method": "not_a_big_deal", "bob/quickly": False}
    assert started([2, 1], unwilling)[0] == (7, 6)


@pytest.mark.rules("duel_of_wits.body.traits_checked_first")
def test_traits_are_read_first_and_those_that_speak_of_the_body_count():
    trait = {
        "name": "Voice of thunder",
        "kind": "die",
        "dice": {"Body of Argument": 2, "Oratory": 1},
    }
    bodies, duel = started(at=hall(ann={**SPEAKER, "traits": [trait]}))
    assert bodies == (12, 10)
    told = [e.fact.sentence() for e in duel.events if isinstance(e, Tell)]
    assert "Ann, traits to keep in mind: Voice of thunder." in told
    assert duel.rolls[0].expression.dice.total == 5 + 1


@pytest.mark.rules("duel_of_wits.body.character_traits")
def test_character_traits_that_fit_add_a_point_each_if_the_gm_likes():
    at = hall(ann={**SPEAKER, "traits": ["Stubborn", "Proud", "Bald"]})
    assert started(at=at)[0] == (10, 10)
    fitting, duel = started(answers={"body_traits": ["Stubborn", "Proud"]}, at=at)
    assert fitting == (12, 10)
    assert duel.seats["body_traits"] == "gm"


@pytest.mark.rules("circles.enmity.duel_bonus", "circles.enmity.social_penalty")
def test_an_enemy_by_the_enmity_clause_has_four_points_more_and_that_is_all():
    """The obstacle of ordinary social tests is none of a duel's: no roll of it loses a success."""
    scene = {"enemies": [{"character": "ann", "name": "Bob"}]}
    assert started(at=hall(scene=scene))[0] == (10, 14)
    skills = {"Oratory": {"rating": "B5", "roots": ["Will"], "category": "Social"}}
    at = hall(ann={**SPEAKER, "skills": skills}, scene=scene)
    assert started([3, 1], {"body_method": "standard"}, at)[0] == (5 + 3, 5 + 1 + 4)
    assert try_volley("point", "feint", [4], at=at).outcome.losses == (0, 4)


def test_shade_does_not_count_for_the_body():
    at = hall(ann=speaker("Oratory G4", will="G4"))
    assert started(at=at)[0] == (8, 10)


@pytest.mark.rules("duel_of_wits.group.body_small", "duel_of_wits.group.body_large")
@pytest.mark.parametrize(("helpers", "bodies"), [(1, (10, 10)), (2, (10, 10)), (3, (20, 20))])
def test_groups_set_their_bodies_higher_by_default(helpers, bodies):
    names = ["cyd", "dan", "eve"][:helpers]
    at = hall(**{name: {"stats": {"Will": "B3"}} for name in names})
    said = {"body_method": "big_deal" if helpers < 3 else "doubled"}
    found, duel = started(answers=said, at=at, side_b={"helpers": names})
    assert duel.asks["body_method"].question.default == said["body_method"]
    assert found == bodies


@pytest.mark.rules("duel_of_wits.group.body_large")
@pytest.mark.parametrize(
    ("choice", "rolls", "bodies"),
    [("big_deal_body", (), (20, 20)), ("standard_body", (3, 1), (16, 12))],
)
def test_doubled_is_twice_the_big_deal_or_twice_the_standard_body(choice, rolls, bodies):
    at = hall(options={"duel_of_wits_group_double": choice})
    assert started(rolls, {"body_method": "doubled"}, at)[0] == bodies


def test_one_method_holds_for_both_sides():
    _, duel = started([2, 2], {"body_method": "standard"})
    assert duel.asked.count("body_method") == 1
