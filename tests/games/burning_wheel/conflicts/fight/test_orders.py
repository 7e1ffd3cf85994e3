"""Orders to the mount: what they cost, who rolls, and how long they are kept up."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.conflicts.fight.mounted import (
    AVOID_ORDER,
    OBEYED,
    REFUSED,
    in_tandem,
)
from astragal.games.burning_wheel.conflicts.fight.orders import arranged, obey, repeated
from astragal.games.burning_wheel.conflicts.fight.state import FightDeed, Positioning, Posture
from games.burning_wheel.in_a_fight import FIGHTER
from games.burning_wheel.on_horseback import (
    BOWMAN,
    HORSE,
    KNIGHT,
    RIDER,
    WOLF,
    act,
    labels,
    mounted_fight,
    volley,
)

SLOW = {**HORSE, "attributes": {**HORSE["attributes"], "Reflexes": "B3"}}
"""One action in each volley."""

OBEYS = {"Ann, Riding": 3, "Horse, positioning": 4}


@pytest.mark.rules(
    "riding.combat.command_cost",
    "riding.combat.tandem_mount_stats",
    "riding.combat.positioning_free",
)
def test_an_order_costs_an_action_and_a_riding_test_and_the_mount_rolls():
    done = volley(mounted_fight(gap=0), ("maintain", "order:push"), dice={**OBEYS, "Push": 4})
    assert "Ann, Riding" in labels(done)
    assert any(label.startswith("Horse, Push") for label in labels(done))
    assert "rolls 6D = 6 Power" in done.told  # the horse's, not Ann's 4
    assert done.who("bob").posture is Posture.DOWN
    assert done.who("horse").order == "order:push"


@pytest.mark.rules("riding.combat.command_cost")
def test_a_mount_that_does_not_obey_does_nothing():
    done = volley(
        mounted_fight(gap=0), ("maintain", "order:push"), dice={**OBEYS, "Ann, Riding": 2}
    )
    assert "Horse does not obey; the action is lost." in done.told
    assert not any("Push" in label for label in labels(done))


@pytest.mark.rules(
    "riding.untrained.beast_moving",
    "riding.untrained.beast_close_withdraw",
    "riding.knight.close_withdraw",
    "riding.knight.walk_maintain",
    "riding.bowman.other_actions",
)
@pytest.mark.parametrize(
    ("rider", "obstacles"),
    [(RIDER, (3, 4, 6, 6)), (KNIGHT, (3, 3, 4, 4)), (BOWMAN, (3, 4, 4, 4))],
)
def test_an_order_is_harder_to_give_while_the_beast_moves(
    rider: dict[str, Any], obstacles: tuple[int, ...]
):
    """An action of the rider like any other: the beast's Will is 3."""
    for moves, obstacle in zip(("stay", "maintain", "close", "withdraw"), obstacles, strict=True):
        at = mounted_fight(rider, gap=3)
        done = volley(at, (moves, "order:push"), dice={"Ann, Riding": 0})
        tested = [line for line in done.told.splitlines() if "Ann rolls" in line]
        # The last one: those who are no knights test Riding before they position, too.
        assert f"against Ob {obstacle} = 3 Will of Horse" in tested[-1], moves


@pytest.mark.rules("riding.combat.tandem_rider_second_action")
def test_with_a_second_action_the_rider_acts_as_well():
    at = mounted_fight(gap=0, moves=Positioning.MAINTAIN)
    done = volley(
        at, ("maintain", "order:push", "strike"), dice={**OBEYS, "Push": 1, "Ann, Strike": 4}
    )
    assert any(label.startswith("Ann, Strike") for label in labels(done))
    assert "Ann hits Bob" in done.told


@pytest.mark.rules("riding.combat.last_order")
def test_a_horse_goes_on_with_its_last_order():
    at = mounted_fight(gap=0)
    done = volley(at, ("maintain", "order:push", "assess:longer"), dice={**OBEYS, "Push": 1})
    pushes = [label for label in labels(done) if "Push" in label]
    assert len(pushes) == 2  # the horse has two actions in the first volley
    assert labels(done).count("Ann, Riding") == 1
    assert done.played.asks["goes_on"].kind == "consent"
    stopped = volley(
        at,
        ("maintain", "order:push", "assess:longer"),
        dice={**OBEYS, "Push": 1},
        answers={"goes_on": False},
    )
    assert len([label for label in labels(stopped) if "Push" in label]) == 1


@pytest.mark.rules("riding.combat.last_order")
def test_an_order_is_kept_up_while_there_are_actions_and_somebody_in_reach():
    def deeds(slot: int, **more: Any) -> list[Any]:
        at = mounted_fight(horse=SLOW, **more).change("horse", order="order:push")
        return act(repeated_with, at, slot).given

    def repeated_with(at: Any, slot: int) -> Any:
        return at, (yield from repeated(at, slot))

    assert [deed.action for deed in deeds(1, gap=0)] == ["push"]
    assert deeds(2, gap=0) == []  # no action left in this volley
    assert deeds(1, gap=4) == []  # nobody there


@pytest.mark.rules("riding.combat.command_cost")
def test_without_an_action_of_its_own_the_mount_cannot_obey():
    done = volley(
        mounted_fight(horse=SLOW, gap=0),
        ("maintain", "assess:longer", "order:push"),
        dice=OBEYS,
    )
    assert "Horse has no action left in this volley" in done.told


@pytest.mark.rules("riding.amb.mount_actions_count")
def test_a_mount_that_hesitates_obeys_no_order():
    at = mounted_fight(gap=0).change("horse", hesitates=2)
    done = volley(at, ("maintain", "order:push"), dice=OBEYS)
    assert "Horse hesitates and obeys no order; the action is lost." in done.told
    assert "Ann, Riding" not in labels(done)


@pytest.mark.rules("riding.avoid.command_mount")
def test_the_mount_avoids_for_both():
    at = mounted_fight(gap=2, moves=Positioning.WITHDRAW)
    dice = {"Ann, Riding": 4, "Bob, Strike": 3}  # Will 3, and 1 for a Withdraw
    hit = volley(at, ("withdraw", "order:avoid"), ("maintain", "strike"), dice=dice)
    assert "Bob hits Ann" in hit.told
    assert "Horse, Avoid, rolls 5D = 5 Speed" in hit.told
    missed = volley(
        at, ("withdraw", "order:avoid"), ("maintain", "strike"), dice={**dice, "Avoid": 4}
    )
    assert "hits" not in missed.told


@pytest.mark.rules("riding.avoid.command_mount")
def test_an_avoid_of_the_mount_leaves_the_riders_own_action_alone():
    wolf = {**WOLF, "attributes": {**WOLF["attributes"], "Reflexes": "B6"}}
    at = mounted_fight(horse=wolf)
    dice = {"Bob, Strike": 2, "Avoid": 4, "Ann, Strike": 3, "Horse, positioning": 4}
    done = volley(
        at,
        ("maintain", "strike"),
        ("maintain", "strike"),
        ("maintain", "avoid"),
        dice=dice,
    )
    assert "Ann hits Bob" in done.told
    assert "Bob hits" not in done.told


@pytest.mark.rules("riding.avoid.rider")
def test_ducking_helps_the_rider_and_not_an_open_mount():
    dice = {"Bob, Strike": 2, "Ann, Avoid": 4}
    at = mounted_fight(moves=Positioning.STAY)
    ducks = volley(at, ("stay", "avoid"), ("stay", "strike"), dice=dice)
    assert "hits" not in ducks.told
    open_horse = volley(
        at, ("stay", "avoid"), ("stay", "strike"), dice=dice, answers={"ann/open": "mount_torso"}
    )
    assert "Bob hits Horse" in open_horse.told


# --- Charges -------------------------------------------------------------------------------


@pytest.mark.rules("riding.combat.tandem_mount_stats")
def test_a_mount_charges_with_its_own_power():
    at = mounted_fight(gap=3)
    done = volley(
        at,
        ("close", "order:charge"),
        dice={"Ann, Riding": 4, "Horse, positioning, Power": 6},
    )
    assert "= 6 Power + 1 Charge" in done.told
    assert done.who("bob").posture is Posture.DOWN
    failed = volley(at, ("close", "order:charge"), dice={"Ann, Riding": 3})
    assert "charge" not in failed.told.casefold().replace("order (charge)", "")


def charged_by_bob(first: str, dice: dict[str, int], beast: Any = HORSE, own: str = "") -> Any:
    """Bob charges with 4 successes; Ann's horse withdraws without any, and this is her script."""
    at = mounted_fight(horse=beast, gap=3)
    return volley(
        at,
        ("withdraw", first),
        ("close", "charge_tackle"),
        ("maintain", own) if own else ("maintain",),
        dice={"Bob, positioning": 4, **dice},
    )


@pytest.mark.rules("riding.avoid.command_mount", "fight.charge.avoid_adds")
def test_an_avoid_of_the_mount_is_added_against_a_charge():
    # 5 successes, one of them lost to moving quickly, against 4.
    dice = {"Ann, Riding": 4, "Horse, Avoid": 5}
    foiled = charged_by_bob("order:avoid", dice)
    assert "Bob's charge fails" in foiled.told
    # One Riding test, before the dice of the Charge; the horse's own Speed.
    assert labels(foiled).count("Ann, Riding") == 1
    assert "Horse, positioning, rolls 5D = 5 Speed" in foiled.told
    near = charged_by_bob("order:avoid", {**dice, "Horse, Avoid": 4})
    assert "Bob's charge succeeds by 1." in near.told
    stubborn = charged_by_bob("order:avoid", {**dice, "Ann, Riding": 3})
    assert "Bob's charge succeeds by 4." in stubborn.told
    assert labels(stubborn).count("Ann, Riding") == 1
    other = charged_by_bob("assess:longer", dice)
    assert "Bob's charge succeeds by 4." in other.told
    assert "Ann, Riding" not in labels(other)  # nothing was ordered


@pytest.mark.rules("riding.avoid.command_mount", "fight.charge.avoid_adds")
@pytest.mark.parametrize(("early", "avoids"), [(OBEYED, True), (REFUSED, False)])
def test_what_came_of_an_order_before_the_charge_holds_for_the_first_action(
    early: str, avoids: bool
):
    def ordered(at: Any) -> Any:
        deed, at, _ = yield from obey(at, "ann", AVOID_ORDER, "", (), 1, 1)
        return at, deed

    done = act(ordered, mounted_fight().change("horse", early=early))
    assert labels(done) == []  # Riding was tested with the positioning
    assert (done.given is not None) is avoids
    assert done.who("horse").early == ""


@pytest.mark.rules("fight.charge.avoid_adds", "riding.combat.tandem_mount_stats")
def test_the_first_action_of_a_volley_is_enough_for_a_charge_and_an_avoid():
    """Reflexes 3: the beast has one action in each volley."""
    dice = {"Ann, Riding": 4, "Horse, Avoid": 5}
    assert "Bob's charge fails" in charged_by_bob("order:avoid", dice, SLOW).told
    at = mounted_fight(horse=SLOW, gap=3)
    charges = {"Ann, Riding": 4, "Horse, positioning, Power": 6}
    done = volley(at, ("close", "order:charge"), dice=charges)
    assert done.who("bob").posture is Posture.DOWN


@pytest.mark.rules("riding.avoid.wolves_spiders", "fight.charge.avoid_adds")
def test_a_wolf_avoids_a_charge_by_its_own_script():
    dice = {"Horse, Avoid": 5}
    assert "Bob's charge fails" in charged_by_bob("assess:longer", dice, WOLF, "avoid").told
    assert "succeeds by 4" in charged_by_bob("assess:longer", dice, WOLF, "strike").told


@pytest.mark.rules("riding.avoid.command_mount", "fight.avoid.penalty_other_actions")
def test_an_avoid_makes_the_other_actions_of_the_mount_harder():
    at = mounted_fight(gap=0)
    both = volley(at, ("withdraw", "order:push", "order:avoid"), dice={"Ann, Riding": 4})
    pushed = "Horse, Push, rolls 6D = 6 Power against Ob 2 = 1 moving quickly + 1 Avoids"
    assert pushed in both.told
    alone = volley(at, ("withdraw", "order:push"), dice={"Ann, Riding": 4})
    assert "Avoids" not in alone.told


# --- Wolves and spiders --------------------------------------------------------------------


@pytest.mark.rules("riding.script.wolves_spiders")
def test_a_wolf_follows_its_own_script():
    at = mounted_fight(horse=WOLF, gap=0)
    done = volley(
        at,
        ("maintain", "assess:longer"),
        horse=("maintain", "strike"),
        dice={"Horse, Strike": 4},
    )
    assert "Horse hits Bob" in done.told
    assert "Ann, Riding" not in labels(done)


@pytest.mark.rules("riding.script.forfeit", "riding.script.wolves_spiders")
def test_a_wolf_forfeits_an_action_to_obey():
    at = mounted_fight(horse=WOLF, gap=0)
    dice = {"Ann, Riding": 3, "Horse, Push": 3}
    later = (("maintain", "strike"), ("maintain", "strike"))
    done = volley(
        at, ("maintain", "order:push"), horse=("maintain", "strike"), dice=dice, later=later
    )
    assert "Horse forfeits an action to obey." in done.told
    plans = dict(done.given)["horse"]
    assert [plan.cards for plan in plans] == [("strike",), ("strike",), ("stand_and_drool",)]
    assert not any("Horse, Strike" in label for label in labels(done))
    stuck = volley(at, ("maintain", "order:push"), horse=("maintain", "strike"), dice=dice)
    assert "no action left to forfeit" in stuck.told
    idle = (("maintain", "stand_and_drool"),) * 2  # what is given up already is no action
    drooling = volley(
        at, ("maintain", "order:push"), horse=("maintain", "strike"), dice=dice, later=idle
    )
    assert "no action left to forfeit" in drooling.told
    same = volley(at, ("maintain", "order:push"), horse=("maintain", "push"), dice=dice)
    assert "forfeit" not in same.told
    assert len([label for label in labels(same) if "Push" in label]) == 1


@pytest.mark.rules("riding.script.wolves_spiders")
def test_a_wilful_wolf_does_as_it_likes():
    at = mounted_fight(horse=WOLF, gap=0)
    later = (("maintain", "strike"), ("maintain", "strike"))
    done = volley(
        at,
        ("maintain", "order:push"),
        horse=("maintain", "strike"),
        dice={"Horse, Strike": 4},
        later=later,
        answers={"obeys": False},
    )
    assert "Horse does as it likes." in done.told
    assert "Horse hits Bob" in done.told


@pytest.mark.rules("riding.script.wolves_spiders")
def test_a_wolf_that_would_do_it_anyway_is_not_asked():
    """Two actions in the volley: what counts is its own script for the moment of the order."""
    wolf = {**WOLF, "attributes": {**WOLF["attributes"], "Reflexes": "B4"}}
    at = mounted_fight(horse=wolf, gap=0)
    dice = {"Ann, Riding": 3, "Horse, Push": 3}
    for own, asked in ((("push", "strike"), False), (("strike", "push"), True)):
        done = volley(at, ("maintain", "order:push"), horse=("maintain", *own), dice=dice)
        assert ("obeys" in done.played.asked) is asked


@pytest.mark.rules("riding.script.wolves_spiders", "riding.combat.horse_limits")
def test_the_defence_of_a_wolf_protects_its_rider_and_strikes_back():
    at = mounted_fight(horse=WOLF, gap=0)
    done = volley(
        at,
        ("maintain", "assess:longer"),
        ("maintain", "strike"),
        ("maintain", "counterstrike"),
        dice={"Bob, Strike": 1, "Horse": 2},
    )
    assert "hits Ann" not in done.told
    assert "Horse hits Bob" in done.told


@pytest.mark.rules("riding.avoid.wolves_spiders", "riding.amb.mount_avoid_test")
def test_a_rider_who_defends_himself_needs_no_defence_of_the_wolf():
    own = FightDeed("ann", "block", "block", "bob")
    wolfs = FightDeed("ann", "avoid", "avoid", by="horse")
    strikes = FightDeed("ann", "strike", "strike", "bob")
    assert arranged((own, wolfs)) == (own,)
    assert arranged((strikes, wolfs)) == (wolfs, strikes)


@pytest.mark.rules("riding.combat.tandem_defenses")
def test_in_tandem_the_mounts_natural_defenses_count():
    bob = {**FIGHTER, "weapons": []}
    at = mounted_fight(KNIGHT, gap=0, bob=bob)
    dice = {**OBEYS, "Bob, Push": 2}
    both = volley(at, ("maintain", "order:push"), ("maintain", "push"), dice=dice)
    assert "Horse, Natural Defenses" in both.told
    alone = volley(
        at,
        ("maintain", "order:push"),
        ("maintain", "push"),
        dice=dice,
        answers={"at_the_rider": True},
    )
    assert "Ann, Natural Defenses" in alone.told
    apart = volley(at, ("maintain", "assess:longer"), ("maintain", "push"), dice=dice)
    assert "Ann, Natural Defenses" in apart.told


@pytest.mark.rules("riding.combat.tandem_defenses")
@pytest.mark.parametrize(("card", "together"), [("push", True), ("charge", False)])
def test_an_order_that_is_over_is_no_tandem(card: str, together: bool):
    opens = {"push": "maintain", "charge": "close"}[card]
    at = mounted_fight(KNIGHT, gap=3 if card == "charge" else 0)
    dice = {"Ann, Riding": 4, "Horse, positioning, Power": 6}
    before = volley(at, (opens, f"order:{card}"), dice=dice)
    then = before.fight.change("bob", posture=Posture.STANDING, hindrances=())
    assert in_tandem(then, "ann") is together
