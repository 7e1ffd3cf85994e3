"""Where a blow can land."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.weapons.locations import (
    area_of,
    areas,
    check_location,
    move_cost,
    moving_rule,
    sided,
)


@pytest.mark.rules("weapons.location.four_areas")
def test_there_are_four_locations() -> None:
    assert set(areas()) == {"head", "torso", "arms", "legs"}
    with pytest.raises(BadInput, match="open: found 'nose', expected one of torso, arms"):
        check_location("nose", areas(), "open")


@pytest.mark.rules("weapons.location.left_right")
def test_sides_double_the_limbs() -> None:
    assert set(sided()) == {"head", "torso", "left_arm", "right_arm", "left_leg", "right_leg"}
    assert [area_of(part) for part in ("left_arm", "right_leg", "torso")] == [
        "arms",
        "legs",
        "torso",
    ]


@pytest.mark.rules("weapons.location.move_from_torso_or_arms", "weapons.location.move_legs_head")
def test_what_it_costs_to_move_a_blow() -> None:
    for here in ("torso", "arms"):
        assert {move_cost(here, there) for there in areas() if there != here} == {1}
    assert move_cost("head", "legs") == move_cost("legs", "head") == 2
    # A reading: everything else costs one.
    assert [move_cost("legs", "torso"), move_cost("legs", "arms")] == [1, 1]
    assert [move_cost("head", "torso"), move_cost("head", "arms")] == [1, 1]
    assert all(move_cost(here, here) == 0 for here in areas())


@pytest.mark.rules("weapons.location.move_leg_to_leg", "weapons.location.move_arm_to_arm")
def test_from_one_side_to_the_other() -> None:
    assert move_cost("left_leg", "right_leg") == 1
    assert move_cost("right_arm", "left_arm") == 2
    # Everything else as it was.
    assert move_cost("left_leg", "head") == 2
    assert move_cost("torso", "left_arm") == 1
    assert move_cost("right_arm", "left_leg") == 1
    assert moving_rule("left_leg", "right_leg") == "weapons.location.move_leg_to_leg"
    assert moving_rule("left_arm", "right_arm") == "weapons.location.move_arm_to_arm"
    assert moving_rule("head", "left_leg") == "weapons.location.move_legs_head"
