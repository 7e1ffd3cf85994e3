"""Tax and the Sickness: Forte lost, fainting, overtaxing, and dice that return."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conditions.wounds import Condition, state_of
from games.burning_wheel.playing import a_test, play, table
from games.burning_wheel.spellcasting import HAN, LIGHT, at_table, cast, han, wizard

HOUR = 3600
HARD = {"name": "Storm", "obstacle": 4}


def taxed(dice: int, **more: Any) -> Any:
    return at_table(LIGHT, HARD, forte_tax=[{"seconds": 4 * HOUR}] * dice, **more)


@pytest.mark.rules("sorcery.tax.test", "sorcery.tax.pass")
def test_tax_is_forte_against_the_spell_obstacle():
    outcome = cast(at_table(LIGHT), "Glow", [3, 3]).outcome.tax
    assert (outcome.dice.total, outcome.obstacle.total, outcome.passed) == (6, 3, True)
    assert outcome.lost == 0


@pytest.mark.rules("sorcery.tax.not_open_ended")
def test_tax_is_never_open_ended():
    strong = {"name": "Hardy", "kind": "die", "open_ended": ["Forte"]}
    at = at_table(LIGHT, traits=["Gifted", strong])
    played = cast(at, "Glow", [3, [6, 6, 1, 1, 1, 1], 0])
    assert played.rolls[1].expression.open_ended is OpenEnded.NO
    assert played.outcome.tax.successes == 2


@pytest.mark.rules("sorcery.tax.fail", "sorcery.sickness.temporary")
@pytest.mark.parametrize(("successes", "lost"), [(3, 0), (2, 1), (0, 3)])
def test_failing_takes_as_many_dice_as_are_missing(successes: int, lost: int):
    played = cast(at_table(LIGHT), "Glow", [3, successes, *[1] * lost])
    assert played.outcome.tax.lost == lost
    assert han(played.table).forte_left == 6 - lost
    assert str(han(played.table).stats["Forte"].rating) == "B6"  # only for the time being


@pytest.mark.rules("sorcery.tax.reduced_forte_rolls")
def test_lost_dice_are_missing_from_every_later_forte_test():
    at = taxed(2)
    assert cast(at, "Glow", [3, 3]).outcome.tax.dice.total == 4
    assert a_test(at, "Forte", 2, [2]).outcome.dice.total == 4
    further = cast(at, "Glow", [3, 2, 1])
    assert han(further.table).forte_left == 3


@pytest.mark.rules("sorcery.amb.tax_and_wounds")
def test_tax_and_wounds_are_kept_apart():
    at = taxed(3, wounds=["Midi"])
    played = cast(at, "Glow", [3, 1, 0, 0])
    assert played.outcome.tax.dice.total == 1  # 6 less 3 less 2
    assert played.outcome.awake  # Tax alone leaves one die
    assert han(played.table).forte_left == 1


@pytest.mark.rules("sorcery.amb.tax_and_wounds", "injury.zero.physical")
def test_tax_and_wounds_together_leave_nobody_on_their_feet():
    """6 less 2 by a Midi wound: with 3 left of Tax still up, with 2 down, but awake."""
    at = taxed(2, wounds=["Midi"])
    up = cast(at, "Glow", [3, 2, 0]).table
    assert state_of(up, "han") is Condition.FIT
    down = cast(at, "Glow", [3, 1, 0, 0])
    assert down.outcome.awake
    assert "Han is helpless, but awake (Forte at zero)." in down.told
    assert state_of(down.table, "han") is Condition.HELPLESS
    rested = play("let_time_pass", {"time": "1 day"}, down.table)
    assert "Han comes to." in rested.told


@pytest.mark.rules("sorcery.tax.zero_unconscious")
def test_forte_at_zero_means_unconscious():
    played = cast(taxed(4), "Glow", [3, 1, 1, 1])
    assert not played.outcome.awake
    assert played.outcome.tax.wound is None
    assert "Han is unconscious (Forte at zero)." in played.told
    with pytest.raises(NotAllowed, match="unconscious") as refused:
        cast(played.table, "Glow", [3, 3])
    assert refused.value.rule == "sorcery.tax.zero_unconscious"


@pytest.mark.rules("sorcery.tax.overtax", "sorcery.amb.overtax_unconscious_and_shade")
@pytest.mark.parametrize(("dice", "below", "at"), [(4, 2, "B8"), (5, 3, "B12"), (3, 1, "B4")])
def test_points_below_zero_are_one_wound(dice: int, below: int, at: str):
    played = cast(taxed(dice), "Storm", [4, 0, *[1] * (6 - dice)])
    assert played.outcome.tax.below == below
    assert [str(step) for wound in han(played.table).wounds for step in wound.at] == [at]
    assert han(played.table).forte_left == 0
    assert len(han(played.table).forte_tax) == 6
    assert not played.outcome.awake


@pytest.mark.rules("sorcery.amb.overtax_obstacle_used")
def test_haste_does_not_deepen_the_wound():
    hasty = {**HARD, "actions": 8}
    at = at_table(hasty, forte_tax=[{"seconds": 4 * HOUR}] * 5)
    outcome = cast(at, "Storm", [8, 1, 1], method="hastily", steps=3).outcome
    assert outcome.tax.obstacle.total == 6
    assert outcome.tax.below == 4
    assert [
        str(step)
        for w in han(cast(at, "Storm", [8, 1, 1], method="hastily", steps=3).table).wounds
        for step in w.at
    ] == ["B16"]  # 4 points at Ob 4, not 6


@pytest.mark.rules("sorcery.sickness.base_time", "sorcery.sickness.health_test")
@pytest.mark.parametrize(
    ("health", "successes", "hours"), [("B6", 2, 2), ("B4", 0, 6), ("B4", 4, 2)]
)
def test_recovery_is_ten_less_health_less_successes(health: str, successes: int, hours: int):
    at = at_table(LIGHT, attributes={"Health": health})
    played = cast(at, "Glow", [3, 2, successes])
    assert played.outcome.tax.hours == (hours,)
    assert han(played.table).forte_tax[0].seconds == hours * HOUR


@pytest.mark.rules("sorcery.sickness.health_test", "tests.amb.open_test_disadvantage")
@pytest.mark.parametrize(("scope", "hours"), [("every_test", 3), ("", 2)])
def test_what_hinders_health_takes_a_success_of_recovery(scope: str, hours: int):
    """Health 6: four hours, less two successes, or less one where a scratch counts for Health."""
    options = {"injury_superficial_ob_scope": scope} if scope else None
    at = table(options=options, han=wizard(LIGHT, wounds=["Superficial"]))
    assert cast(at, "Glow", [4, 3, 2]).outcome.tax.hours == (hours,)


@pytest.mark.rules("sorcery.sickness.minimum")
def test_it_never_takes_less_than_an_hour():
    assert cast(at_table(LIGHT), "Glow", [3, 2, 6]).outcome.tax.hours == (1,)
    hale = at_table(LIGHT, attributes={"Health": "B10"})  # 10 less 10 would be none at all
    assert cast(hale, "Glow", [3, 2, 0]).outcome.tax.hours == (1,)


@pytest.mark.rules("sorcery.sickness.per_die")
def test_each_die_has_its_own_test_and_time():
    assert cast(at_table(LIGHT), "Glow", [3, 0, 0, 2, 6]).outcome.tax.hours == (4, 2, 1)


@pytest.mark.rules("sorcery.sickness.per_die")
def test_a_new_loss_leaves_the_time_of_the_dice_lost_before_as_it_is():
    """4 hours for the first two; the third, of Health B6 with a success, takes 3."""
    again = cast(taxed(2), "Glow", [3, 2, 1])
    assert [die.seconds for die in han(again.table).forte_tax] == [4 * HOUR, 4 * HOUR, 3 * HOUR]


@pytest.mark.rules("sorcery.sickness.health_test")
def test_the_health_test_is_an_open_one():
    changed = cast(at_table(LIGHT), "Glow", [3, 2, 1]).changed
    assert changed["han.attributes.Health.log.routine"] == 1


@pytest.mark.rules("advancement.series.one_test", "sorcery.sickness.per_die")
def test_several_dice_to_recover_are_one_test_of_health():
    played = cast(at_table(LIGHT), "Glow", [3, 0, 0, 2, 6])
    assert han(played.table).attributes["Health"].log.routine == 1
    assert not played.table.scene.series
    again = cast(played.table, "Glow", [3, 1, 0, 1])
    assert han(again.table).attributes["Health"].log.routine == 2


# --- Dice return ---------------------------------------------------------------------------


def wait(at: Any, time: str, **more: Any) -> Any:
    return play("let_time_pass", {"time": time, **more}, at, rolls=[]).table


@pytest.mark.rules("sorcery.sickness.temporary", "sorcery.amb.recovery_sequence")
def test_dice_return_one_after_the_other():
    at = at_table(forte_tax=[{"seconds": 2 * HOUR}, {"seconds": 3 * HOUR}])
    assert han(wait(at, "1 hour")).forte_left == 4
    assert han(wait(at, "2 hours")).forte_left == 5
    assert han(wait(at, "4 hours")).forte_left == 5
    assert han(wait(at, "5 hours")).forte_left == 6
    assert han(wait(wait(at, "1 hour"), "1 hour")).forte_left == 5


@pytest.mark.rules("sorcery.tax.zero_unconscious", "sorcery.sickness.temporary")
def test_a_caster_wakes_with_the_first_die():
    at = at_table(forte_tax=[{"seconds": 2 * HOUR}] * 6)
    played = play("let_time_pass", {"time": "2 hours"}, at, rolls=[])
    assert "Han comes to." in played.told


@pytest.mark.rules("sorcery.amb.recovery_sequence")
@pytest.mark.parametrize(("reading", "left"), [("no", 6), ("yes", 5)])
def test_recovery_may_need_rest(reading: str, left: int):
    options = {"sorcery_recovery_needs_rest": reading}
    at = at_table(forte_tax=[{"seconds": HOUR}], options=options)
    busy = [{"character": "han", "doing": "riding hard"}]
    assert han(wait(at, "2 hours", busy=busy)).forte_left == left
    assert han(wait(at, "2 hours")).forte_left == 6


# --- What a sheet may say ------------------------------------------------------------------


@pytest.mark.rules("sorcery.tax.fail")
def test_no_more_can_be_lost_than_there_is():
    with pytest.raises(BadInput, match="at most 6 with Forte 6"):
        at_table(forte_tax=[{"seconds": HOUR}] * 7)


def test_a_caster_needs_forte_health_and_will():
    for group, name in (("stats", "Forte"), ("stats", "Will"), ("attributes", "Health")):
        short = wizard(LIGHT)
        short[group] = {key: value for key, value in HAN[group].items() if key != name}
        with pytest.raises(BadInput, match=name):
            cast(table(han=short), "Glow", [3, 3])


@pytest.mark.rules("artha.amb.divine_aura_scope")
def test_a_divine_aura_lifts_tax():
    aura = {"character": "han", "form": "divine_aura", "ability": "Forte"}
    at = table({"aristeias": [aura]}, han={**wizard(LIGHT), "forte_tax": [{"seconds": HOUR}] * 6})
    assert a_test(at, "Forte", 2, [2]).outcome.dice.total == 6


@pytest.mark.rules("artha.aristeia.divine_aura_goal")
@pytest.mark.parametrize(("serves", "dice", "tax"), [(True, 10, 6), (False, 8, 4)])
def test_a_divine_aura_lifts_wounds_from_what_serves_its_goal(serves: bool, dice: int, tax: int):
    """5 + 5 and 6, or less the two dice of a Midi wound, which count once for the casting."""
    aura = {"character": "han", "form": "divine_aura", "ability": "Forte", "goal": "escape"}
    at = table({"aristeias": [aura]}, han=wizard(LIGHT, wounds=["Midi"]))
    outcome = cast(at, "Glow", [3, 3], {"gm/serves_goal": serves}).outcome
    assert (outcome.dice.total, outcome.tax.dice.total) == (dice, tax)
    plain = cast(at_table(LIGHT, wounds=["Midi"]), "Glow", [3, 3])
    assert "serves_goal" not in plain.asked


@pytest.mark.rules("tests.amb.zero_dice")
def test_nothing_is_bought_for_tax_without_dice():
    """Forte 6, 4 taxed and 2 lost to a Midi wound: none is left to add to.

    Nobody casts in that state, but a spell that is sustained still tires: after 2 - 1 hours.
    """
    kept = {"name": "Haze", "obstacle": 1, "lasts": "Sustained"}
    at = taxed(4, wounds=["Midi"], artha={"persona": 3}, active_spells=[kept])
    with pytest.raises(NotAllowed, match="helpless"):
        cast(at, "Glow", [])
    tired = play("let_time_pass", {"time": "1 hour"}, at, {}, [0])
    assert han(tired.table).forte_left == 1
    assert tired.asked.count("boon") == 1  # for the die to come back
    one_die = cast(taxed(3, wounds=["Midi"], artha={"persona": 3}), "Glow", [3, 1, 0, 0])
    assert (one_die.outcome.tax.dice.total, one_die.outcome.tax.lost) == (1, 2)
    assert one_die.asked.count("boon") == 1 + 1 + 2
