"""Taking a shield up, getting rid of it, and striking with it."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.armor.shield_in_hand import SHIELD_BASH, bash_penalty
from games.burning_wheel.playing import Played, a_test, play, table


def drop(at: BurningTable, actions: int = 0) -> Played:
    return play("drop_shield", {"character": "mara", "actions": actions}, at, {}, [])


def bearer(shield: Any, options: dict[str, str] | None = None) -> BurningTable:
    return table(options=options, mara={"skills": {"Sword": "B4"}, "shield": shield})


@pytest.mark.rules("armor.shield.drop_actions")
@pytest.mark.parametrize(("kind", "actions"), [("buckler", 1), ("target", 2), ("great shield", 3)])
def test_getting_rid_of_a_shield_costs_actions(kind: str, actions: int):
    assert drop(bearer(kind)).outcome.spent == actions
    at = bearer(kind)
    for spent in range(1, actions + 1):
        run = drop(at, 1)
        at = run.table
        assert (run.outcome.dropped, run.outcome.to_go) == (spent == actions, actions - spent)
        assert (at.character("mara").shield is None) is (spent == actions)
    with pytest.raises(NotAllowed, match="Mara has no shield"):
        drop(at)


@pytest.mark.parametrize(
    ("choice", "heater", "blade"), [("heater_2_blade_0", 2, 0), ("heater_3_blade_1", 3, 1)]
)
def test_two_kinds_of_shield_are_dropped_as_the_table_reads_it(
    choice: str, heater: int, blade: int
):
    options = {"armor_drop_actions": choice}
    assert drop(bearer("heater", options)).outcome.spent == heater
    assert drop(bearer("parrying blade", options)).outcome.spent == blade
    assert drop(bearer("target", options)).outcome.spent == 2


@pytest.mark.rules("armor.shield.destroyed_hindrance")
def test_a_destroyed_shield_hampers_until_all_the_actions_are_spent():
    at = bearer({"kind": "target", "lost": 3})

    def hampered(at: BurningTable) -> int:
        return int(a_test(at, "Sword", 1, [0]).outcome.obstacle.total) - 1

    half_off = drop(at, 1).table
    assert [hampered(each) for each in (at, half_off, drop(half_off, 1).table)] == [1, 1, 0]


@pytest.mark.rules("armor.shield.destroyed_hindrance")
def test_it_hampers_those_who_never_learned_to_fight_as_well():
    """Sword by Agility: twice the 1, and 1 for the wreck on the arm; cooking is free of it."""
    stats = dict.fromkeys(("Agility", "Perception"), "B4")
    at = table(rich={"stats": stats, "shield": {"kind": "target", "lost": 3}})
    fights = a_test(at, "Sword", 1, [0], {"roots": ["Agility"]}).outcome
    cooks = a_test(at, "Cooking", 1, [0], {"roots": ["Perception"]}).outcome
    assert (fights.obstacle.total, cooks.obstacle.total) == (2 + 1, 2)


def test_more_actions_than_it_takes_are_refused():
    with pytest.raises(BadInput, match=r"actions: found 3, expected 0 \(all it takes\) to 2"):
        drop(bearer("target"), 3)


@pytest.mark.rules("armor.shield.parrying_object")
def test_the_gm_judges_whether_an_object_serves_as_a_parrying_blade():
    at = table(mara={})
    said = {"character": "mara", "object": "a milking stool"}
    run = play("take_up_shield", said, at, {"serves_as_shield": True}, [])
    assert run.seats["serves_as_shield"] == "gm"
    assert run.outcome.dice == 1
    shield = run.table.character("mara").shield
    assert shield is not None
    assert (shield.kind, shield.called) == ("parrying_blade", "a milking stool")
    refused = play("take_up_shield", said, at, {"serves_as_shield": False}, [])
    assert (refused.outcome.taken, refused.outcome.dice, refused.changed) == (False, 0, {})


def test_a_shield_goes_on_a_free_arm():
    said = {"character": "mara", "shield": {"kind": "kite shield"}}
    run = play("take_up_shield", said, table(mara={}), {}, [])
    assert run.outcome.dice == 5
    with pytest.raises(NotAllowed, match="drop the kite shield first"):
        play("take_up_shield", said, run.table, {}, [])
    for wrong in ({}, {"shield": {"kind": "target"}, "object": "a chair"}):
        with pytest.raises(BadInput, match="either a shield or an object"):
            play("take_up_shield", {"character": "mara", **wrong}, table(mara={}), {}, [])


@pytest.mark.rules("armor.shield.as_weapon", "armor.anti_shield.inside_bash")
def test_a_shield_strikes_like_a_slow_short_weapon_also_on_the_inside():
    bash = SHIELD_BASH
    assert (bash.power, bash.add, bash.va, bash.speed, bash.length) == (2, 2, 0, "slow", "short")
    assert sum(line.amount for line in bash_penalty(inside=True)) == 1
    assert bash_penalty(inside=False) == ()
