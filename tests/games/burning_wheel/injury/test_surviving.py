"""A point of persona against a Mortal Wound."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.parts import Artha
from games.burning_wheel.editions_beside import at_table, both
from games.burning_wheel.playing import play


def dying(edition, wounds=("Mortal",), persona=1):
    hero = {
        "attributes": {"Health": "B5"},
        "artha": {"persona": persona},
        "wounds": [{"level": level} for level in wounds],
    }
    return at_table(edition, rich=hero)


def cling(at, rolls=(), answers=None):
    return play("cling_to_life", {"character": "rich"}, at, answers, rolls)


@pytest.mark.rules("gold.result.will_to_live", "gold.diff.will_to_live_detail")
@both(revised=(False, True), gold=(True, False))
def test_persona_buys_the_health_test_or_only_the_hope_of_treatment(edition, expected):
    tested, _awaits = expected
    played = cling(dying(edition), [5], {"health_obstacle": 5}) if tested else cling(dying(edition))
    after = played.table.character("rich")
    assert after.artha.persona == 0
    # Only what buys a test counts toward its epiphany (artha.amb.epiphany_accounting).
    assert after.attributes["Health"].spent == (Artha(persona=1) if tested else Artha())
    assert ((played.outcome.test is not None), played.outcome.awaits_treatment) == expected
    assert played.outcome.lives
    assert not after.dead
    assert after.wounds[0].will


@pytest.mark.rules("injury.recovery.mortal_test")
def test_the_health_test_is_as_hard_as_the_gm_says_from_1_to_10():
    hard = cling(dying("gold"), [5], {"health_obstacle": 10}).outcome.test
    assert (hard.obstacle.total, hard.margin) == (10, -5)
    for beyond in (0, 11):
        with pytest.raises(BadInput, match="health_obstacle"):
            cling(dying("gold"), [5], {"health_obstacle": beyond})


def test_whoever_fails_the_health_test_dies():
    played = cling(dying("gold"), [3])
    assert played.outcome.test.obstacle.total == 6
    assert not played.outcome.lives
    assert played.table.character("rich").dead


@both(revised=True, gold=False)
def test_whoever_has_paid_when_the_wound_was_taken_does_not_pay_again(edition, expected):
    hero = {"attributes": {"Health": "B5"}, "wounds": [{"level": "Mortal", "will": True}]}
    at = at_table(edition, rich=hero)
    played = cling(at) if expected else cling(at, [5], {"health_obstacle": 5})
    assert played.outcome.lives
    assert played.outcome.awaits_treatment is expected
    assert played.table.character("rich").wounds[0].treated is not expected


def test_each_mortal_wound_takes_a_point_of_its_own():
    """injury.amb.will_to_live_timing."""
    wounds = [{"level": "Mortal", "will": True}, {"level": "Mortal"}]
    hero = {"attributes": {"Health": "B5"}, "artha": {"persona": 1}, "wounds": wounds}
    played = cling(at_table("revised", rich=hero))
    after = played.table.character("rich")
    assert (after.artha.persona, [wound.will for wound in after.wounds]) == (0, [True, True])


def test_a_second_point_may_still_cheat_death():
    said = {"complication": "left for dead, and robbed"}
    played = cling(dying("gold", persona=2), [3], said)
    assert played.outcome.lives
    assert not played.table.character("rich").dead


@pytest.mark.parametrize("edition", ["revised", "gold"])
def test_it_takes_a_mortal_wound_and_a_point(edition):
    with pytest.raises(NotAllowed, match="Rich has no untreated Mortal Wound"):
        cling(dying(edition, wounds=("Midi",)))
    with pytest.raises(NotAllowed, match="Rich has no persona for the Will to Live"):
        cling(dying(edition, persona=0))


@pytest.mark.rules("gold.artha.belief_instinct", "gold.result.will_to_live")
@both(revised=False, gold=True)
def test_what_the_will_to_live_took_is_noted_beside_a_belief(edition, expected):
    belief = [{"text": "I will see my son again"}]
    hero = {"attributes": {"Health": "B5"}, "artha": {"persona": 1}, "beliefs": belief}
    at = at_table(edition, rich={**hero, "wounds": [{"level": "Mortal"}]})
    said = {"about": ["beliefs.0"], "health_obstacle": 5} if expected else {}
    played = cling(at, [5] if expected else [], said)
    assert played.table.character("rich").beliefs[0].spent.persona == expected
