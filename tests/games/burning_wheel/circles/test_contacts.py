"""Naming contacts, the Enmity Clause, and changes of heart."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conditions.enmity import enemy, enemy_body
from games.burning_wheel.playing import Played, declare, play, table
from games.burning_wheel.seeking import at_court, knight, seek

ENEMY = {"character": "knight", "name": "Sir Roland", "grudge": "a horse"}
WAT = {"name": "Wat", "sought": "a smith", "obstacle": 2}
HATED = {"enmity": True, "enemy_name": "Sir Roland", "grudge": "a horse"}


# --- Naming --------------------------------------------------------------------------------


@pytest.mark.rules("circles.naming.condition_exceed", "circles.naming.not_if_merely_met")
@pytest.mark.parametrize(("successes", "nameable"), [(4, True), (2, True), (1, False), (0, False)])
def test_only_a_search_that_did_better_than_it_must_lets_the_player_name(
    successes: int, nameable: bool
):
    run = seek(rolls=[successes])
    assert run.outcome.may_be_named is nameable
    assert ("name_contact" in run.asked) is nameable
    if successes == 1:
        assert "serves the present need, then drops out of sight" in run.told
        assert not run.table.character("knight").contacts


@pytest.mark.rules("circles.naming.written")
def test_only_a_name_that_is_written_down_and_suits_is_kept():
    assert not seek(rolls=[2]).table.character("knight").contacts
    run = seek(rolls=[3], answers={"name_contact": "Wat"}, time="soon")
    assert run.seats["name_contact"] == "knight"
    (contact,) = run.table.character("knight").contacts
    assert (contact.name, contact.sought, contact.obstacle) == ("Wat", "a squire", 2)
    assert (contact.place, contact.time, contact.taps) == ("anywhere", "soon", 1)
    silly = seek(rolls=[2], answers={"name_contact": "Bob the Great", "name_suits": False})
    assert silly.outcome.name == ""
    assert not silly.table.character("knight").contacts
    assert silly.seats["name_suits"] == "gm"
    with pytest.raises(
        BadInput, match="name_contact: found 'wat', expected a name that is not on the sheet yet"
    ):
        seek(at_court(contacts=[WAT]), rolls=[2], answers={"name_contact": "wat"})


@pytest.mark.rules("circles.naming.same_obstacle", "circles.naming.bonus")
def test_what_was_added_for_secrecy_is_not_part_of_the_obstacle_next_time():
    """circles.amb.naming_same_obstacle."""
    run = seek(rolls=[4], answers={"name_contact": "Wat"}, quietly=2)
    assert run.outcome.obstacle.total == 3
    again = seek(run.table, contact="Wat", intent="another favour")
    assert (again.outcome.obstacle.total, again.outcome.dice.total) == (1, 5)


# --- Enmity --------------------------------------------------------------------------------


@pytest.mark.rules(
    "circles.enmity.gm_option", "circles.naming.condition_enmity", "circles.naming.gm_names_enemies"
)
def test_the_gm_may_find_an_enemy_instead_and_names_and_keeps_him():
    plain = seek(rolls=[0])
    assert plain.seats["enmity"] == "gm"
    assert not plain.table.scene.enemies
    assert "enmity" not in seek(rolls=[1]).asked
    run = seek(rolls=[0], answers=HATED)
    assert run.seats["enemy_name"] == run.seats["grudge"] == "gm"
    (kept,) = run.table.scene.enemies
    assert (kept.character, kept.name, kept.grudge) == ("knight", "Sir Roland", "a horse")
    assert "Enmity Clause: Sir Roland is found, and is Knight's enemy (a horse)." in run.told
    assert not run.table.character("knight").contacts


def test_an_enemys_name_helps_to_find_him_if_the_player_wrote_it_down():
    """circles.amb.enemy_naming_bonus."""
    unwritten = seek(rolls=[0], answers=HATED).table
    with pytest.raises(BadInput, match="contact: found 'Sir Roland'"):
        seek(unwritten, contact="Sir Roland", intent="revenge")
    written = seek(rolls=[0], answers={**HATED, "write_name": True}).table
    run = seek(written, contact="Sir Roland", intent="revenge")
    assert run.outcome.dice.total == 5
    assert run.outcome.disposition == "hostile"
    assert run.outcome.bond is None


def test_a_named_contact_may_turn_out_an_enemy():
    run = seek(at_court(contacts=[WAT]), rolls=[0], contact="Wat", answers={"enmity": True})
    assert "enemy_name" not in run.asked
    assert enemy(run.table, "knight", "wat") is not None


def persuade(at: Any, ability: str, **more: Any) -> Played:
    arguments = declare("knight", ability, **more)
    return play("standard_test", arguments, at, {"obstacle": 1, "on_failure": "x"}, [3])


SOCIAL = {"Persuasion": {"rating": "B3", "category": "Social"}, "Sword": "B3"}


@pytest.mark.rules("circles.enmity.social_penalty")
def test_social_tests_against_an_enemy_are_harder():
    at = table(
        scene={"enemies": [ENEMY]},
        knight=knight(skills=SOCIAL),
        roland={"name": "Sir Roland", "npc": True},
        page={"skills": SOCIAL},
    )
    assert persuade(at, "Persuasion", target="sir roland").outcome.obstacle.total == 3
    assert persuade(at, "Persuasion", target="roland").outcome.obstacle.total == 3
    assert persuade(at, "Persuasion", target="Lady Brandt").outcome.obstacle.total == 1
    assert persuade(at, "Persuasion").outcome.obstacle.total == 1
    assert persuade(at, "Sword", target="Sir Roland").outcome.obstacle.total == 1
    friendly = play(
        "standard_test",
        declare("page", "Persuasion", target="Sir Roland"),
        at,
        {"obstacle": 1, "on_failure": "x"},
        [1],
    )
    assert friendly.outcome.obstacle.total == 1


@pytest.mark.rules("circles.enmity.social_penalty")
def test_beginners_at_a_social_skill_suffer_from_enmity_as_well():
    at = table(
        scene={"enemies": [ENEMY]},
        knight=knight(),
        teacher={
            "skills": {"Persuasion": {"rating": "B3", "roots": ["Will"], "category": "Social"}}
        },
    )
    # The base doubles, the penalty does not: 1 + 1 + 2.
    assert persuade(at, "Persuasion", target="Sir Roland").outcome.obstacle.total == 4


@pytest.mark.rules("circles.enmity.social_penalty")
@pytest.mark.parametrize(
    ("skill", "written", "obstacle"),
    [
        # What speakers use is social, whatever a short sheet leaves out.
        ("ugly truth", "B3", 3),
        ("Haggling", {"rating": "B3"}, 3),
        # The sheet has the last word, and Cooking is not among those skills.
        ("Rhetoric", {"rating": "B3", "category": "Academic"}, 1),
        ("Cooking", "B3", 1),
    ],
)
def test_the_skills_of_speakers_are_social_without_a_word_on_the_sheet(skill, written, obstacle):
    at = table(
        scene={"enemies": [ENEMY]},
        knight=knight(skills={skill: written}),
        roland={"name": "Sir Roland", "npc": True, "stats": {"Will": "B4"}},
    )
    assert persuade(at, skill, target="Sir Roland").outcome.obstacle.total == obstacle
    sides = [declare("knight", skill), declare("roland", "Will", intent="stand firm")]
    run = play("versus_test", {"sides": sides}, at, {"on_failure": "x"}, [3, 2])
    assert run.outcome.counted == (3 if obstacle == 1 else 1, 2)


@pytest.mark.rules("circles.enmity.social_penalty")
@pytest.mark.parametrize(
    ("teacher", "obstacle"), [({}, 4), ({"skills": {"Persuasion": "B3"}}, 4), (SOCIAL, 4)]
)
def test_so_are_they_for_beginners(teacher, obstacle):
    teaching = {"skills": teacher} if teacher is SOCIAL else teacher
    at = table(scene={"enemies": [ENEMY]}, knight=knight(), teacher=teaching)
    arguments = declare("knight", "Persuasion", target="Sir Roland")
    said = {"obstacle": 1, "on_failure": "x", "roots": ["Will"]}
    assert play("standard_test", arguments, at, said, [3]).outcome.obstacle.total == obstacle


@pytest.mark.rules("circles.enmity.social_penalty")
def test_enmity_costs_successes_in_a_versus_test():
    at = table(
        scene={"enemies": [ENEMY]},
        knight=knight(skills=SOCIAL),
        roland={"name": "Sir Roland", "npc": True, "stats": {"Will": "B4"}},
    )
    sides = [
        declare("knight", "Persuasion", target="roland"),
        declare("roland", "Will", intent="stand firm"),
    ]
    run = play("versus_test", {"sides": sides}, at, {"on_failure": "x"}, [3, 2])
    assert run.outcome.counted == (1, 2)
    assert run.outcome.winner == "roland"


@pytest.mark.rules("circles.enmity.duel_bonus")
def test_an_enemy_adds_four_points_to_the_body_of_argument():
    at = at_court(scene={"enemies": [ENEMY]})
    assert [line.amount for line in enemy_body(at, "knight", "Sir Roland")] == [4]
    assert enemy_body(at, "knight", "Lady Brandt") == ()


# --- Changes of heart ----------------------------------------------------------------------


def turn(at: Any, who: str, becomes: str, answers: Any = None) -> Played:
    arguments = {"character": "knight", "who": who, "becomes": becomes, "why": "a great favour"}
    return play("change_of_heart", arguments, at, answers)


@pytest.mark.rules("circles.disposition.can_change")
def test_an_enemy_won_over_costs_nothing_any_more_and_a_lost_friend_does():
    at = table(scene={"enemies": [ENEMY]}, knight=knight(skills=SOCIAL, contacts=[WAT]))
    won = turn(at, "Sir Roland", "friend").table
    assert persuade(won, "Persuasion", target="Sir Roland").outcome.obstacle.total == 1
    lost = turn(at, "Wat", "enemy").table
    assert persuade(lost, "Persuasion", target="Wat").outcome.obstacle.total == 3
    unmoved = turn(at, "Wat", "enemy", {"change_of_heart": False})
    assert not unmoved.outcome.changed
    assert unmoved.table == at


@pytest.mark.rules("circles.disposition.can_change")
@pytest.mark.parametrize(
    ("who", "becomes"), [("Wat", "friend"), ("Sir Roland", "enemy"), ("Nobody", "enemy")]
)
def test_a_change_of_heart_is_a_change(who: str, becomes: str):
    at = at_court(scene={"enemies": [ENEMY]}, contacts=[WAT])
    with pytest.raises(BadInput, match="who: found"):
        turn(at, who, becomes)
