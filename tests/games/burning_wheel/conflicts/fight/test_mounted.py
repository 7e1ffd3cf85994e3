"""What the saddle costs a fighter: penalties, training, a missing saddle."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conditions.every_test import conditions_on, obstacle_lines
from astragal.games.burning_wheel.conditions.lines import Tester
from astragal.games.burning_wheel.conflicts.fight.exchange import writes
from astragal.games.burning_wheel.conflicts.fight.gathering import RollKind, attempt_for, burdens
from astragal.games.burning_wheel.conflicts.fight.mounted import mount_actions, on_foot
from astragal.games.burning_wheel.conflicts.fight.script import ask_script
from astragal.games.burning_wheel.conflicts.fight.state import Fight, Positioning, Posture
from astragal.rules import catalogue
from games.burning_wheel.in_a_fight import FIGHTER
from games.burning_wheel.on_horseback import (
    BOWMAN,
    HORSE,
    KNIGHT,
    LANCER,
    RIDER,
    WOLF,
    act,
    mounted_fight,
)
from games.burning_wheel.playing import play, table

MOVES = {
    "standing": Positioning.STAY,
    "walking_or_maintaining": Positioning.MAINTAIN,
    "closing": Positioning.CLOSE,
    "withdrawing": Positioning.WITHDRAW,
}
PENALTIES = catalogue().table("riding.table.rider_penalties")
BOTH = {**KNIGHT, "training": ["Mounted Combat Training", "Mounted Combat Training (bowman)"]}


def cost(at: Fight, kind: RollKind, action: str, ability: str) -> int:
    """What an action of Ann's has against it, all together."""
    rated = at.sheet("ann").ability(ability)
    every = obstacle_lines(conditions_on(Tester("ann", rated, at.table)))
    _, lines = burdens(at, "ann", kind, action, "bob", ability=ability)
    return sum(line.amount for line in (*every, *lines))


@pytest.mark.rules(
    "riding.untrained.plus_one",
    "riding.untrained.beast_moving",
    "riding.untrained.beast_close_withdraw",
    "riding.knight.no_mounted_penalty",
    "riding.knight.close_withdraw",
    "riding.knight.walk_maintain",
    "riding.bowman.no_mounted_penalty",
    "riding.bowman.other_actions",
)
@pytest.mark.parametrize("column", MOVES)
@pytest.mark.parametrize(
    ("who", "training", "action"),
    [
        (RIDER, "none", "melee maneuver"),
        (KNIGHT, "Mounted Combat (knight)", "melee maneuver"),
        (BOWMAN, "Mounted Combat (bowman)", "any other action"),
    ],
)
@pytest.mark.parametrize(
    ("maneuver", "kind", "ability"),
    [
        ("strike", RollKind.ATTACK, "Sword"),
        ("push", RollKind.ATTACK, "Power"),
        ("block", RollKind.DEFENCE, "Sword"),
    ],
)
def test_melee_from_the_saddle_costs_what_the_table_says(
    who: dict[str, Any],
    training: str,
    action: str,
    column: str,
    maneuver: str,
    kind: RollKind,
    ability: str,
):
    at = mounted_fight(who, moves=MOVES[column])
    row = PENALTIES.where(training=training, action=action)
    assert cost(at, kind, maneuver, ability) == row.number(column)


@pytest.mark.rules("riding.bowman.shooting")
@pytest.mark.parametrize("column", MOVES)
def test_shots_of_a_mounted_bowman(column: str):
    at = mounted_fight(BOWMAN, moves=MOVES[column])
    row = PENALTIES.where(training="Mounted Combat (bowman)", action="shooting")
    assert cost(at, RollKind.SHOT, "shoot_or_throw_object", "Bow") == row.number(column)


@pytest.mark.rules("riding.bowman.shooting", "riding.bowman.other_actions")
@pytest.mark.parametrize(
    ("kind", "ability", "rule"),
    [(RollKind.SHOT, "Bow", "shooting"), (RollKind.ATTACK, "Sword", "other_actions")],
)
def test_a_bowman_is_told_by_which_rule_it_is_harder(kind: RollKind, ability: str, rule: str):
    at = mounted_fight(BOWMAN, moves=Positioning.CLOSE)
    action = "shoot_or_throw_object" if kind is RollKind.SHOT else "strike"
    _, lines = burdens(at, "ann", kind, action, "bob", ability=ability)
    assert [line.rule for line in lines if "mount" in line.label] == [f"riding.bowman.{rule}"]


@pytest.mark.rules("riding.untrained.plus_one", "riding.untrained.beast_moving")
def test_an_untrained_rider_shoots_without_the_penalty_for_melee():
    for column, expected in (("standing", 0), ("walking_or_maintaining", 1), ("closing", 3)):
        at = mounted_fight({**RIDER, "skills": KNIGHT["skills"]}, moves=MOVES[column])
        assert cost(at, RollKind.SHOT, "shoot_or_throw_object", "Bow") == expected


def test_who_has_both_trainings_has_the_better_of_the_two():
    at = mounted_fight(BOTH, moves=Positioning.MAINTAIN)
    assert cost(at, RollKind.ATTACK, "strike", "Sword") == 0


@pytest.mark.rules("riding.avoid.rider", "riding.avoid.trained_same")
@pytest.mark.parametrize(("who", "other"), [(KNIGHT, 0), (RIDER, 1), (BOWMAN, 0)])
def test_ducking_in_the_saddle_costs_two_more_for_everybody(who: dict[str, Any], other: int):
    at = mounted_fight(who, moves=Positioning.STAY)
    assert cost(at, RollKind.DEFENCE, "avoid", "Speed") == 2 + other


@pytest.mark.rules("riding.untrained.beast_close_withdraw")
def test_the_mount_itself_has_only_the_usual_penalty():
    at = mounted_fight(RIDER, moves=Positioning.CLOSE)
    _, lines = burdens(at, "horse", RollKind.ATTACK, "push", "bob", ability="Power")
    assert [line.rule for line in lines] == ["fight.position.moving_quickly"]


@pytest.mark.rules("riding.combat.horse_limits")
@pytest.mark.parametrize(("beast", "more"), [(HORSE, 2), (WOLF, 0)])
def test_a_horse_locks_at_plus_two(beast: dict[str, Any], more: int):
    at = mounted_fight(horse=beast, gap=-1)
    _, lines = burdens(at, "horse", RollKind.ATTACK, "lock", "bob", ability="Power")
    assert sum(line.amount for line in lines) == more


@pytest.mark.rules("riding.combat.saddle_stirrups")
@pytest.mark.parametrize(("gear", "obstacle"), [(HORSE["gear"], 1), (["saddle"], 2), ([], 2)])
def test_without_saddle_and_stirrups_the_base_obstacle_counts_twice(gear: Any, obstacle: int):
    at = mounted_fight(horse={**HORSE, "gear": gear}, moves=Positioning.STAY)
    struck = play(
        "strike", {"character": "ann", "weapon": "sword", "target": "bob"}, at.table, None, [4]
    )
    assert struck.outcome.obstacle.total == obstacle


@pytest.mark.rules("riding.combat.saddle_stirrups")
def test_a_push_without_a_saddle_counts_half():
    bare = {**HORSE, "gear": []}

    def attempt(at: Fight) -> Any:
        return (
            yield from attempt_for(
                at, "ann", "Power", RollKind.ATTACK, action="push", target="bob", task="pushes"
            )
        )

    assert act(attempt, mounted_fight(horse=bare)).fight.base_counts == 2  # type: ignore[attr-defined]
    assert act(attempt, mounted_fight()).fight.base_counts == 1  # type: ignore[attr-defined]


# --- Into the fight and out of it ----------------------------------------------------------


def test_a_mount_is_where_its_rider_is_and_nobodys_target():
    at = mounted_fight(gap=3)
    assert at.gap("horse", "bob") == 3
    assert at.moved("horse", "bob", 1).gap("ann", "bob") == 1
    assert at.opponents("bob") == ("ann",)
    assert [each.character for each in at.standing] == ["ann", "bob"]


@pytest.mark.rules("riding.script.conditions", "riding.script.wolves_spiders")
def test_horses_wait_for_orders_and_wolves_script():
    at = mounted_fight()
    assert not any(each.character == "horse" for each in at.standing)
    wolf = mounted_fight(horse=WOLF)
    asked = ask_script(wolf, "horse")
    assert [opener.key for opener in asked.question.openers] == ["maintain"]  # type: ignore[attr-defined]
    cards = {card.key for card in asked.question.cards}  # type: ignore[attr-defined]
    assert {"strike", "avoid", "counterstrike", "throw_opponent"} <= cards
    assert writes(wolf, "horse")


def test_a_mount_has_the_actions_of_its_own_reflexes():
    at = mounted_fight()  # Reflexes 4: two in the first volley, one in the others
    assert mount_actions(at, "horse") == 2
    slow = {**HORSE, "attributes": {**HORSE["attributes"], "Reflexes": "B3"}}
    assert mount_actions(mounted_fight(horse=slow), "horse") == 1


def test_without_a_rider_a_horse_is_gone_and_a_wolf_fights_on():
    gone = on_foot(mounted_fight(), "ann", down=True)
    assert gone.fighter("horse").out == "riderless"
    assert gone.fighter("ann").posture is Posture.DOWN
    wolf = on_foot(mounted_fight(horse=WOLF, gap=1), "ann", down=False)
    assert [each.character for each in wolf.standing] == ["ann", "horse", "bob"]
    assert wolf.gap("horse", "bob") == 1


FIGHT: dict[str, Any] = {
    "sides": [{"fighters": [{"character": "ann"}]}, {"fighters": [{"character": "bob"}]}],
    "rehearsal": True,
}


def test_a_fight_puts_its_riders_into_the_saddle():
    at = table(ann=KNIGHT, bob=FIGHTER, horse=HORSE)
    sides = [
        {"fighters": [{"character": "ann", "mount": "horse"}]},
        {"fighters": [{"character": "bob"}]},
    ]
    give_up = ["maintain", "give_up", "block", "maintain", "block", "maintain", "block"]
    done = play("fight", {"sides": sides}, at, {"bob/script": give_up, "ann/script": give_up})
    assert done.table.scene.riders[0].mount == "horse"
    assert {each.character for each in done.outcome.fighters} == {"ann", "bob", "horse"}


@pytest.mark.parametrize(
    ("fighter", "complaint"),
    [
        ({"character": "horse"}, "a character who carries no rider"),
        ({"character": "bob", "mount": "horse"}, "nobody else can ride it"),
        ({"character": "bob", "mount": "stone"}, "mount"),
    ],
)
def test_a_mount_that_cannot_be_is_refused(fighter: dict[str, Any], complaint: str):
    at = mounted_fight().table
    sides = [{"fighters": [{"character": "ann"}]}, {"fighters": [fighter]}]
    with pytest.raises(Exception, match=complaint):
        play("fight", {"sides": sides}, at)


def test_a_fighter_is_not_somebodys_mount():
    at = table(ann=KNIGHT, bob=FIGHTER, horse=HORSE)
    both = [
        {"fighters": [{"character": "ann", "mount": "horse"}]},
        {"fighters": [{"character": "bob"}, {"character": "horse"}]},
    ]
    with pytest.raises(BadInput, match="does not fight for itself"):
        play("fight", {"sides": both}, at)


# --- The cards -----------------------------------------------------------------------------


def script_of(at: Fight, who: str = "ann") -> Any:
    return ask_script(at, who).question


@pytest.mark.rules("riding.avoid.horse_limit", "riding.avoid.wolves_spiders")
def test_a_horse_avoids_only_while_it_closes_or_withdraws():
    script = ("maintain", "order:avoid", "block", "close", "block", "maintain", "block")
    with pytest.raises(BadInput, match="Closes or Withdraws"):
        script_of(mounted_fight()).check(script)
    for opener in ("close", "withdraw"):
        script_of(mounted_fight()).check((opener, *script[1:]))
    script_of(mounted_fight(horse=WOLF)).check(script)


@pytest.mark.rules("riding.combat.horse_limits", "riding.combat.command_cost")
def test_a_horse_is_not_told_to_throw_or_counterstrike():
    def orders(at: Fight) -> set[str]:
        return {card.key for card in script_of(at).cards if card.key.startswith("order:")}

    horse = {"order:bite", "order:push", "order:lock", "order:charge", "order:avoid"}
    assert orders(mounted_fight()) == horse
    assert orders(mounted_fight(horse=WOLF)) == horse | {"order:throw"}


@pytest.mark.rules("riding.combat.horse_limits")
def test_a_horse_that_fights_for_itself_neither_throws_nor_counters():
    at = mounted_fight(bob=HORSE)
    cards = {card.key for card in script_of(at, "bob").cards}
    assert not {"throw_opponent", "counterstrike"} & cards
    wolf = {card.key for card in script_of(mounted_fight(bob=WOLF), "bob").cards}
    assert {"throw_opponent", "counterstrike"} <= wolf


@pytest.mark.rules("riding.lance.charge_requirements", "riding.lance.stats")
def test_a_lance_is_couched_in_a_close():
    script = ("close", "great_strike_set", "strike", "maintain", "block", "maintain", "block")
    script_of(mounted_fight(LANCER)).check(script)
    with pytest.raises(BadInput, match="in which the mount Closes"):
        script_of(mounted_fight(LANCER)).check(("maintain", *script[1:]))
    with pytest.raises(BadInput, match="a Set directly before each Strike"):
        script_of(mounted_fight(LANCER)).check(("close", "block", *script[2:]))


@pytest.mark.rules("riding.lance.reposition")
def test_a_second_charge_with_the_lance_is_scripted_after_a_withdraw():
    at = mounted_fight(LANCER)
    again = ("close", "great_strike_set", "strike", "{}", "great_strike_set", "close", "strike")
    script_of(at).check([card.format("withdraw") for card in again])
    for moves in ("close", "maintain", "stay"):
        with pytest.raises(BadInput, match="a Withdraw before the next charge with the lance"):
            script_of(at).check([card.format(moves) for card in again])
    # The first charge was in an earlier exchange.
    once = ("{}", "great_strike_set", "block", "close", "great_strike_set", "close", "strike")
    lanced = at.change("ann", lanced=True)
    script_of(lanced).check([card.format("withdraw") for card in once])
    with pytest.raises(BadInput, match="a Withdraw before the next charge with the lance"):
        script_of(lanced).check([card.format("close") for card in once])
    # A sword asks for nothing of the kind.
    sword = ("close", "strike", "block", "close", "strike", "maintain", "block")
    script_of(mounted_fight(KNIGHT)).check(sword)


@pytest.mark.rules("riding.lance.charge_requirements", "riding.bowman.allowed_rules")
@pytest.mark.parametrize(
    ("ann", "horse", "why"),
    [
        (LANCER, {**HORSE, "gear": ["saddle and stirrups"]}, "saddle, harness and stirrups"),
        ({**BOWMAN, "weapons": ["lance"]}, HORSE, "no lance training"),
    ],
)
def test_a_lance_that_cannot_be_used(ann: dict[str, Any], horse: dict[str, Any], why: str):
    script = ("close", "great_strike_set", "strike", "maintain", "block", "maintain", "block")
    with pytest.raises(BadInput, match=why):
        script_of(mounted_fight(ann, horse)).check(script)


@pytest.mark.rules("riding.lance.charge_requirements")
def test_on_foot_a_lance_is_no_use():
    at = mounted_fight(bob=LANCER)
    barred = {card.key: card.note for card in script_of(at, "bob").barred}
    assert barred["strike"] == "a lance can only be used mounted"


@pytest.mark.rules("riding.combat.tandem_mount_stats")
def test_a_rider_does_not_charge_by_himself():
    cards = {card.key for card in script_of(mounted_fight()).cards}
    assert not {"charge_tackle", "tackle"} & cards
    early = ("close", "block", "order:charge", "maintain", "block", "maintain", "block")
    with pytest.raises(BadInput, match="Charge of the mount first"):
        script_of(mounted_fight()).check(early)


@pytest.mark.rules("riding.lance.unhorse_one_pace")
def test_only_who_is_half_out_gets_back_into_the_saddle():
    def cards(at: Fight) -> set[str]:
        return {card.key for card in script_of(at).cards}

    assert "reseat" not in cards(mounted_fight())
    assert "reseat" in cards(mounted_fight(seat={"half_out": True}))
