"""Bearing the pain of wounds in the place of a verbal action.

Ann has Oratory B5 and a wound or two; the bodies are 5 + 5 each, doubled to 20.
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import with_dice
from astragal.play import DecisionEvent
from games.burning_wheel.dueling import SPEAKER, hall, one_exchange
from games.burning_wheel.playing import Played

SCRIPTS = ("other", "point", "point"), ("point", "avoid", "avoid")


def hurt(*wounds: str, **more: Any) -> dict[str, Any]:
    attributes = {"Steel": "B4", "Health": "B5"}
    return {**SPEAKER, "attributes": attributes, "wounds": list(wounds), **more}


def bears(
    way: str, rolls: list[int], ann: Any, answers: Any = None, edition: str = "revised"
) -> Played:
    at = hall(ann=ann, options={"edition": edition})
    return one_exchange(*SCRIPTS, rolls, {"ann/act": way, **(answers or {})}, at)


def points(played: Played) -> list[int]:
    """Ann's dice for her two Points."""
    return [r.expression.dice.total for r in played.rolls if r.label.startswith("Ann, Point")]


def offered(played: Played) -> list[str]:
    asks = [e.ask for e in played.events if isinstance(e, DecisionEvent) and e.ask.key == "act"]
    return [option.key for option in asks[0].question.options]


@pytest.mark.rules("duel_of_wits.link.grit_teeth")
@pytest.mark.parametrize(("health", "dice"), [(4, 5 - 2 + 1), (3, 5 - 2)])
def test_gritting_teeth_takes_a_volley_and_a_health_test_of_four(health, dice):
    """Bob's Point of three is undefended; of a Midi wound's two dice one is then ignored."""
    played = bears("pain:grit", [3, health, 1, 0, 1, 0], hurt("midi"))
    assert "Ann, Health" in [roll.label for roll in played.rolls]
    assert points(played) == [dice, dice]
    assert "wound" not in played.asked  # there is only one
    assert played.outcome.bodies[1] == 20 - 1 - 1
    assert "Ann loses 3." in played.told


@pytest.mark.rules("duel_of_wits.link.grit_teeth", "injury.grit.one_die_each_wound")
def test_of_several_wounds_one_is_chosen():
    played = bears("pain:grit", [0, 4, 1, 0, 1, 0], hurt("light", "midi"), {"ann/wound": "2"})
    assert [wound.borne for wound in played.table.character("ann").wounds] == [False, True]
    assert points(played) == [5 - 3 + 1] * 2


@pytest.mark.rules("injury.effect.midi")
def test_what_wounds_have_left_no_dice_of_cannot_be_used():
    """A Midi wound takes two dice: all of Haggling 2, not all of Oratory 3."""
    skills = {"Oratory": "B3", "Haggling": "B2", "Persuasion": "B1"}
    at = hall(ann={**hurt("midi"), "skills": skills})
    assert with_dice(at, "ann", tuple(skills)) == ("Oratory",)


@pytest.mark.rules("duel_of_wits.link.grit_teeth")
def test_for_persona_no_health_is_tested():
    ann = hurt("midi", artha={"persona": 1})
    played = bears("pain:persona", [0, 1, 0, 1, 0], ann)
    assert points(played) == [5 - 2 + 1] * 2
    assert played.table.character("ann").artha.persona == 0
    later = bears("pain:grit", [0, 4, 1, 0, 1, 0], ann, edition="gold")
    assert "pain:persona" not in offered(later)  # there it is spent on each test


@pytest.mark.rules("duel_of_wits.link.grit_teeth")
@pytest.mark.parametrize(("health", "lost"), [(2, 0), (1, 1)])
def test_the_cobwebs_are_cleared_by_a_health_test_of_two(health, lost):
    """The obstacle of a Superficial wound takes a success off each Point, until it is lifted."""
    played = bears("pain:cobwebs", [0, health, 3, 0, 3, 0], hurt("superficial"))
    assert played.outcome.bodies[1] == 20 - 2 * (3 - lost)
    assert "pain:grit" not in offered(played)  # it has no dice to bear


@pytest.mark.rules("duel_of_wits.link.grit_teeth")
def test_who_is_not_hurt_has_nothing_to_bear():
    played = one_exchange(*SCRIPTS, [0, 1, 0, 1, 0], at=hall(ann=hurt()))
    assert "act" not in played.asked


@pytest.mark.rules("injury.amb.cobwebs_outside_fight", "artha.shrug.effect")
def test_shrug_it_off_takes_no_volley_and_costs_a_point_of_fate():
    """Ann's Points are at +1 Ob until she spends the point at the top of the second volley.

    As long as she has fate for a roll she throws after Bob.
    """
    ann = hurt("superficial", artha={"fate": 1})
    scripts = ("point", "point", "point"), ("avoid", "avoid", "avoid")
    answers = {"ann/shrug_it_off#2": True}
    played = one_exchange(*scripts, [0, 2, 2, 0, 2, 0], answers, hall(ann=ann))
    assert played.outcome.bodies[1] == 20 - 1 - 2 - 2
    after = played.table.character("ann")
    assert after.artha.fate == 0
    assert after.wounds[0].borne
    assert "shrug_it_off" not in one_exchange(*scripts, [2, 0, 2, 0, 2, 0], {}, hall()).asked
    worse = hall(ann=hurt("light", artha={"fate": 1}))  # too bad a wound for a point of fate
    assert "shrug_it_off" not in one_exchange(*scripts, [0, 2] * 3, {}, worse).asked


@pytest.mark.rules("gold.diff.shrug_off_superficial")
def test_in_the_later_edition_pain_is_ignored_on_the_test_itself():
    ann = hurt("superficial", artha={"fate": 1})
    scripts = ("point", "point", "point"), ("avoid", "avoid", "avoid")
    at = hall(ann=ann, options={"edition": "gold"})
    played = one_exchange(*scripts, [2, 0, 2, 0, 2, 0], {}, at)
    assert "shrug_it_off" not in played.asked
