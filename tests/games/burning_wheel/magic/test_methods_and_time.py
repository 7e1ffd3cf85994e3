"""Five ways to cast, and how long each takes."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.magic.sorcery.casting_time import (
    actions_per_minute,
    maintain_volleys,
)
from astragal.games.burning_wheel.magic.sorcery.methods import CastingMethod, method_effect
from astragal.rules import catalogue
from games.burning_wheel.playing import play, table
from games.burning_wheel.spellcasting import LIGHT, at_table, cast, wizard


def effect(method: str, steps: int, actions: int = 12, ob: int = 4, skill: int = 5, forte: int = 6):
    return method_effect(CastingMethod(method), steps, actions, ob, skill, forte)


@pytest.mark.rules("sorcery.method.five", "sorcery.method.normally")
def test_there_are_five_ways_and_the_plain_one_changes_nothing():
    assert len(CastingMethod) == 5
    outcome = cast(at_table(LIGHT), "Glow", [3, 3]).outcome
    assert (outcome.actions, outcome.dice.total, outcome.tax.dice.total) == (12, 10, 6)
    with pytest.raises(BadInput, match="normally"):
        cast(at_table(LIGHT), "Glow", [3, 3], steps=1)
    with pytest.raises(BadInput):
        cast(at_table(LIGHT), "Glow", [3, 3], method="boldly")


@pytest.mark.rules("sorcery.method.carefully")
@pytest.mark.parametrize(("steps", "actions"), [(1, 24), (2, 48), (3, 72)])
def test_carefully_adds_dice_to_the_casting(steps: int, actions: int):
    outcome = cast(at_table(LIGHT), "Glow", [3, 3], method="carefully", steps=steps).outcome
    assert (outcome.actions, outcome.dice.total, outcome.tax.dice.total) == (actions, 10 + steps, 6)


@pytest.mark.rules("sorcery.method.patiently")
@pytest.mark.parametrize(("steps", "actions"), [(1, 36), (2, 72), (3, 108)])
def test_patiently_adds_dice_to_tax(steps: int, actions: int):
    outcome = cast(at_table(LIGHT), "Glow", [3, 3], method="patiently", steps=steps).outcome
    assert (outcome.actions, outcome.dice.total, outcome.tax.dice.total) == (actions, 10, 6 + steps)


@pytest.mark.rules("sorcery.method.both", "sorcery.amb.both_unequal")
@pytest.mark.parametrize(("steps", "times"), [(1, 5), (2, 10), (3, 20), (4, 40), (7, 320)])
def test_both_add_equal_dice(steps: int, times: int):
    found = effect("patiently_and_carefully", steps, 1, ob=9, skill=9, forte=9)
    assert (found.actions, found.cast_dice, found.tax_dice) == (times, steps, steps)


@pytest.mark.rules("sorcery.method.hastily")
@pytest.mark.parametrize(
    ("steps", "to_cast", "to_tax"), [(1, 1, 0), (2, 2, 1), (4, 4, 3), (8, 8, 7)]
)
def test_haste_costs_obstacle(steps: int, to_cast: int, to_tax: int):
    found = effect("hastily", steps, 20)
    assert (found.actions, found.cast_obstacle, found.tax_obstacle) == (20 - steps, to_cast, to_tax)


@pytest.mark.parametrize(
    ("method", "most", "numbers"),
    [
        pytest.param(
            "carefully", 3, {"ob": 3}, marks=pytest.mark.rules("sorcery.method.carefully_max")
        ),
        pytest.param(
            "carefully",
            2,
            {"ob": 4, "skill": 2},
            marks=pytest.mark.rules("sorcery.method.carefully_max"),
        ),
        pytest.param(
            "patiently", 3, {"ob": 3}, marks=pytest.mark.rules("sorcery.method.patiently_max")
        ),
        pytest.param(
            "patiently",
            2,
            {"ob": 4, "forte": 2},
            marks=pytest.mark.rules("sorcery.method.patiently_max"),
        ),
        pytest.param(
            "patiently_and_carefully",
            2,
            {"ob": 4, "skill": 5, "forte": 2},
            marks=pytest.mark.rules("sorcery.method.both_max"),
        ),
        pytest.param(
            "patiently_and_carefully",
            1,
            {"ob": 4, "skill": 1, "forte": 6},
            marks=pytest.mark.rules("sorcery.method.both_max"),
        ),
        pytest.param(
            "hastily",
            4,
            {"actions": 9},
            marks=pytest.mark.rules(
                "sorcery.method.hastily_floor", "sorcery.amb.hastily_half_rounding"
            ),
        ),
        pytest.param(
            "hastily", 0, {"actions": 1}, marks=pytest.mark.rules("sorcery.method.hastily_floor")
        ),
    ],
)
def test_each_method_has_its_limit(method: str, most: int, numbers: dict[str, int]):
    if most:
        effect(method, most, **numbers)
    with pytest.raises(BadInput):
        effect(method, most + 1, **numbers)
    with pytest.raises(BadInput):
        effect(method, 0, **numbers)


@pytest.mark.rules("sorcery.amb.method_obstacle_for_cap")
def test_the_limit_looks_at_the_spells_own_obstacle():
    wide = at_table({**LIGHT, "area": "Paces"})
    with pytest.raises(BadInput, match="1 to 3"):
        cast(wide, "Glow", [9, 3], wider=2, method="carefully", steps=4)


@pytest.mark.rules("sorcery.method.hastily_floor")
def test_haste_needs_known_actions():
    with pytest.raises(BadInput, match="actions are known"):
        cast(at_table({"name": "Shards"}), "Shards", [3, 3], method="hastily", steps=1)


# --- Time ----------------------------------------------------------------------------------


def times(spell: dict[str, Any], options: dict[str, str] | None = None, **more: Any) -> Any:
    said = {"character": "han", "spell": spell["name"], **more}
    return play("spell_time", said, at_table(spell, options=options), rolls=[]).outcome


@pytest.mark.rules("sorcery.actions.unit", "sorcery.time.actions_per_minute")
def test_actions_outside_of_conflicts():
    found = times({"name": "Slow", "obstacle": 2, "actions": 120})
    assert (found.actions, found.per_minute, found.seconds) == (120, 80, 90)
    slow = wizard({"name": "Slow", "obstacle": 2, "actions": 120})
    bare = table(han={**slow, "attributes": {"Health": "B4"}})  # and no Reflexes
    found = play("spell_time", {"character": "han", "spell": "Slow"}, bare, rolls=[]).outcome
    assert (found.per_minute, found.seconds) == (60, 120)
    rows = catalogue().table("sorcery.table.actions_per_minute").rows
    assert [(f"B{n}", actions_per_minute(n)) for n in (3, 4, 5, 6)] == [tuple(r) for r in rows]
    still = at_table(LIGHT, attributes={"Reflexes": "B0"})
    assert cast(still, "Glow", [3, 3]).outcome.seconds == 12
    with pytest.raises(BadInput, match="actions are known"):
        times({"name": "Shards"})


@pytest.mark.rules("sorcery.actions.x_actions")
def test_an_x_actions_spell_takes_longer_at_a_higher_obstacle():
    light = {"name": "Mage Light", "obstacle": "1-10"}
    assert [times(light, obstacle=ob).actions for ob in (1, 3, 10)] == [4, 12, 40]


@pytest.mark.rules("sorcery.actions.x_actions", "sorcery.obstacle.caster_stat")
def test_the_time_of_a_spell_whose_obstacle_is_a_stat_of_the_caster():
    """Will B5: 3 actions for each point are 15; three dice of care are within Ob 5."""
    spell = {"name": "Gaze", "obstacle": "caster's Will", "actions": 3, "times_obstacle": True}
    assert times(spell).actions == 15
    assert times(spell, method="carefully", steps=3).actions == 90


@pytest.mark.rules("sorcery.time.fight", "sorcery.time.carries_over")
@pytest.mark.parametrize(
    ("actions", "left", "when"),
    [(4, 0, (1, 4)), (5, 0, (2, 1)), (9, 2, (3, 3)), (2, 2, (1, 4)), (3, 2, (2, 1))],
)
def test_in_a_fight_each_scripted_action_pays_for_one(
    actions: int, left: int, when: tuple[int, int]
):
    found = times({"name": "Slow", "obstacle": 2, "actions": actions}, left=left)
    assert (found.exchange, found.action) == when
    with pytest.raises(BadInput, match="0 to 4"):
        times({"name": "Slow", "obstacle": 2, "actions": 2}, left=5)


@pytest.mark.rules(
    "sorcery.time.volley_20",
    "sorcery.time.rc_over_20",
    "sorcery.time.rc_over_40",
    "sorcery.amb.rc_over_60",
)
def test_volleys_of_range_and_cover():
    expected = {1: 0, 20: 0, 21: 1, 40: 1, 41: 2, 60: 2, 61: 3, 80: 3, 81: 4}
    assert {actions: maintain_volleys(actions) for actions in expected} == expected
    found = times({"name": "Slow", "obstacle": 2, "actions": 41})
    assert (found.maintain, found.duel) == (2, 2)


@pytest.mark.rules("sorcery.amb.rc_over_60", "sorcery.time.volley_20")
def test_long_spells_in_a_duel_of_wits_may_be_refused():
    spell = {"name": "Slow", "obstacle": 2, "actions": 21}
    assert times(spell, {"sorcery_long_spells_in_duel_of_wits": "allowed"}).duel == 1
    refused = {"sorcery_long_spells_in_duel_of_wits": "refused"}
    with pytest.raises(NotAllowed, match="too long for a Duel of Wits"):
        times(spell, refused)
    assert times({**spell, "actions": 20}, refused).duel == 0


@pytest.mark.rules("sorcery.time.rc_casting_volley_free", "sorcery.duel.normal_maneuvers")
def test_the_casting_volley_leaves_every_maneuver():
    said = {"character": "han", "spell": "Glow"}
    told = play("spell_time", said, at_table(LIGHT), rolls=[]).told
    assert "Close, Withdraw or Maintain" in told
