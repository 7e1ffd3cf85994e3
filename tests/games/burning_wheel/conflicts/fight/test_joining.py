"""Getting up again in a fight that is under way."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from astragal.games.burning_wheel.conflicts.fight.getting_ready import make_ready
from astragal.games.burning_wheel.conflicts.fight.joining import rise_again, who_joins
from astragal.games.burning_wheel.conflicts.fight.script import script_for
from astragal.games.burning_wheel.conflicts.fight.state import FightDeed, Posture
from games.burning_wheel import in_a_fight
from games.burning_wheel.on_horseback import mounted_fight

FELLED = {"wounds": ["severe", "light"]}
"""Four dice of wounds: stats of 4 are at nothing, and with a die borne at one."""


def down(options: Any = None, **more: Any) -> Any:
    bob = {**in_a_fight.FIGHTER, **FELLED, **more}
    at = in_a_fight.fight(options, bob=bob)
    return at.change("bob", out="unconscious")


@pytest.mark.rules("injury.grit.incapacitated", "injury.grit.time")
@pytest.mark.parametrize("successes", [4, 3])
def test_who_is_felled_may_grit_his_teeth_once_and_get_up(successes: int):
    """Health 5 against Ob 4; four actions of the exchange, on the ground."""
    answers = {"bob/get_up_again": "grit"}
    played = in_a_fight.run(rise_again, down(), rolls=[successes], answers=answers)
    bob = played.fight.fighter("bob")
    up = successes >= 4
    assert bob.out == ("" if up else "unconscious")
    assert bob.hesitates == (4 if up else 0)
    assert (bob.posture is Posture.DOWN) is up
    again = in_a_fight.run(rise_again, played.fight.change("bob", out="unconscious"))
    assert "get_up_again" not in again.played.asked


@pytest.mark.rules("injury.grit.time", "fight.avoid.defends_all")
def test_nothing_of_the_volley_in_which_somebody_fell_is_left_when_he_gets_up():
    """He fell as he was losing an action, with an Avoid rolled against a Charge still to come."""
    at = down().change(
        "bob", hesitates=1, loses=True, avoids=True, avoided=3, announced=("throw_object", "avoid")
    )
    up = in_a_fight.run(rise_again, at, rolls=[4], answers={"bob/get_up_again": "grit"}).fight
    assert up.fighter("bob").hesitates == 4
    apart = up.moved("ann", "bob", 4)  # a sword does not reach, and a stone would
    assert "leave" in {card.key for card in script_for(apart, "ann").cards}
    deeds = (FightDeed("ann", "strike", "strike", "bob"), FightDeed("bob", "avoid", "avoid"))
    ready = in_a_fight.run(make_ready, up.change("bob", hesitates=0), deeds).played.outcome
    assert [roll.what for roll in ready.incoming[0].rolls] == ["Ann, Strike", "Bob, Avoid"]


@pytest.mark.rules("artha.amb.grit_repeats", "artha.grit.no_health_test")
def test_persona_gets_a_felled_fighter_up_without_a_test_in_two_actions():
    at = down(artha={"persona": 1})
    played = in_a_fight.run(rise_again, at, answers={"bob/get_up_again": "persona"})
    assert played.fight.fighter("bob").out == ""
    assert played.fight.fighter("bob").hesitates == 2
    assert played.fight.sheet("bob").artha.persona == 0


@pytest.mark.rules("injury.amb.shrug_retries", "gold.diff.grit_teeth")
def test_only_an_attempt_that_is_left_gets_somebody_up():
    """A wound whose test was made has persona left; in the later edition it has nothing."""
    tried = {"wounds": [{"level": level, "tried": True} for level in ("severe", "light")]}
    assert "get_up_again" not in in_a_fight.run(rise_again, down(**tried)).played.asked
    tried["artha"] = {"persona": 1}
    asked = in_a_fight.run(rise_again, down(**tried)).played.asks["get_up_again"]
    assert [option.key for option in asked.question.options] == ["no", "persona"]
    gold = in_a_fight.run(rise_again, down({"edition": "gold"}, **tried))
    assert "get_up_again" not in gold.played.asked


@pytest.mark.rules("injury.grit.one_die_each_wound", "injury.grit.incapacitated")
def test_the_worst_wound_is_the_one_that_is_borne():
    played = in_a_fight.run(rise_again, down(), rolls=[4], answers={"bob/get_up_again": "grit"})
    assert [wound.borne for wound in played.fight.sheet("bob").wounds] == [True, False]


@pytest.mark.rules("fight.exchange.repeat")
def test_a_mount_joins_with_its_rider_and_is_not_asked_for_by_itself():
    at = mounted_fight()
    bob = at.fighter("bob")
    waiting = tuple(each for each in at.fighters if each != bob)
    at = msgspec.structs.replace(at, fighters=(bob,), reserves=waiting)
    joined = in_a_fight.run(who_joins, at, answers={"gm/joins": ["ann"]})
    asked = joined.played.asks["joins"].question
    assert [option.key for option in asked.options] == ["ann"]
    assert [each.character for each in joined.fight.fighters] == ["bob", "ann", "horse"]
    assert joined.fight.reserves == ()


@pytest.mark.rules("injury.zero.not_death", "injury.grit.incapacitated")
def test_only_who_is_down_by_wounds_is_asked():
    for out in ("gave up", "left"):
        assert (
            "get_up_again"
            not in in_a_fight.run(rise_again, down().change("bob", out=out)).played.asked
        )
    dying = in_a_fight.fight(bob={**in_a_fight.FIGHTER, "wounds": ["mortal"]})
    assert (
        "get_up_again"
        not in in_a_fight.run(rise_again, dying.change("bob", out="dying")).played.asked
    )
