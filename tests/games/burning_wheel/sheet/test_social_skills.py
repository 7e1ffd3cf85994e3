"""Which skills are social where nobody has written what they are."""

from __future__ import annotations

import pytest

from games.burning_wheel.editions_beside import at_table, both, either
from games.burning_wheel.playing import a_test, declare, play

PLAIN = {"Persuasion": "B4", "falsehood": "B4", "Streetwise": "B4", "Sword": "B4"}
FOE = {"enemies": [{"character": "mara", "name": "Ordog"}]}


def plain(edition, **more):
    return at_table(edition, None, FOE, mara={"stats": {"Will": "B4"}, "skills": PLAIN, **more})


@pytest.mark.rules("circles.enmity.social_penalty", "gold.ob.personal_enemy")
@pytest.mark.parametrize(
    ("ability", "obstacle"),
    [("Persuasion", 4), ("falsehood", 4), ("Streetwise", 4), ("Sword", 2), ("Will", 2)],
)
@either
def test_the_skills_of_the_book_are_social_without_a_word_on_the_sheet(edition, ability, obstacle):
    tried = a_test(plain(edition), ability, 2, [0], target="Ordog")
    assert tried.outcome.obstacle.total == obstacle


@pytest.mark.rules("circles.enmity.social_penalty")
def test_what_a_sheet_says_of_a_skill_comes_first():
    said = {"Persuasion": {"rating": "B4", "category": "Academic"}}
    at = plain("revised", skills=said)
    assert a_test(at, "Persuasion", 2, [0], target="Ordog").outcome.obstacle.total == 2


@pytest.mark.rules("circles.enmity.social_penalty", "gold.tests.beginners_luck")
@either
def test_a_social_skill_that_nobody_has_is_social_too(edition):
    at = plain(edition, skills={})
    said = {"roots": ["Will"]}
    tried = a_test(at, "Seduction", 2, [0], said, target="Ordog")
    assert tried.outcome.obstacle.total == 2 * 2 + 2


@pytest.mark.rules("circles.enmity.social_penalty", "gold.ob.personal_enemy")
@either
def test_nobody_has_to_name_the_enemy_in_a_versus_test(edition):
    foe = {"enemies": [{"character": "mara", "name": "Guard"}]}
    at = at_table(edition, None, foe, mara={"skills": PLAIN}, guard={"skills": PLAIN, "npc": True})
    sides = [declare("mara", "Persuasion"), declare("guard", "Persuasion", intent="keep them out")]
    assert play("versus_test", {"sides": sides}, at, None, [3, 2]).outcome.counted == (1, 2)


@pytest.mark.rules("gold.ob.infamous", "gold.diff.infamous_ob")
@both(revised=2, gold=5)
def test_infamy_weighs_on_them(edition, expected):
    at = plain(edition, reputations=[{"name": "Kinslayer", "dice": 3, "infamous": True}])
    said = {"infamy_bears": ["Kinslayer"]} if edition == "gold" else {}
    assert a_test(at, "Persuasion", 2, [0], said).outcome.obstacle.total == expected
