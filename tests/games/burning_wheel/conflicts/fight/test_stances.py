"""Stances: changing them, what they bar, and putting them into positioning."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight.gathering import RollKind, burdens
from astragal.games.burning_wheel.conflicts.fight.stances import (
    action_of_change,
    ask_footwork,
    between_stances,
    is_barred,
    stance_cards,
)
from astragal.games.burning_wheel.conflicts.fight.state import FightDeed
from games.burning_wheel.in_a_fight import do, fight, run

AGGRESSIVE, DEFENSIVE, NEUTRAL = Stance.AGGRESSIVE, Stance.DEFENSIVE, Stance.NEUTRAL


def totals(at, kind, action, ability=""):
    dice, obstacle = burdens(at, "ann", kind, action, ability=ability)
    return sum(line.amount for line in dice), sum(line.amount for line in obstacle)


@pytest.mark.rules("fight.stance.three", "fight.stance.change", "fight.stance.start_neutral")
@pytest.mark.parametrize("stance", ["neutral", "aggressive", "defensive"])
def test_one_action_changes_to_any_of_the_three_stances(stance):
    begun = fight()
    assert begun.fighter("ann").stance is NEUTRAL
    after = do(begun, f"change_stance:{stance}")
    assert after.who().stance.value == stance
    assert after.who("bob").stance is NEUTRAL
    assert {card.key for card in stance_cards()} == {
        "change_stance:neutral",
        "change_stance:aggressive",
        "change_stance:defensive",
    }


@pytest.mark.rules("fight.stance.aggressive_defense")
def test_nobody_avoids_in_aggressive_stance():
    assert [is_barred(stance, "avoid") for stance in (NEUTRAL, AGGRESSIVE, DEFENSIVE)] == [
        False,
        True,
        False,
    ]
    assert not any(is_barred(AGGRESSIVE, other) for other in ("block", "counterstrike", "strike"))


@pytest.mark.rules("fight.stance.defensive_change_blocks")
def test_changing_to_defensive_counts_as_a_block_without_the_stance_dice():
    assert action_of_change("change_stance:defensive") == "block"
    assert action_of_change("change_stance:aggressive") == "non_martial"
    assert action_of_change("change_stance:neutral") == "non_martial"
    angry = fight().change("ann", stance=AGGRESSIVE)
    change = FightDeed("ann", "block", "change_stance:defensive")
    assert totals(between_stances(angry, change), RollKind.DEFENCE, "block") == (0, 0)
    block = FightDeed("ann", "block", "block")
    assert totals(between_stances(angry, block), RollKind.DEFENCE, "block") == (0, 2)


@pytest.mark.rules("fight.stance.to_position")
def test_stance_dice_may_go_into_positioning_and_the_penalties_stay():
    angry = fight().change("ann", stance=AGGRESSIVE)
    assert totals(angry, RollKind.POSITION, "") == (0, 0)
    assert totals(angry, RollKind.ATTACK, "strike") == (2, 0)
    steps = run(ask_footwork, angry, answers={"stance_to_position": True})
    assert steps.played.asked == ["stance_to_position"]  # Bob has none to put there
    assert totals(steps.fight, RollKind.POSITION, "") == (2, 0)
    assert totals(steps.fight, RollKind.ATTACK, "strike") == (0, 0)
    assert totals(steps.fight, RollKind.DEFENCE, "block") == (0, 2)
    again = run(ask_footwork, steps.fight)
    assert not again.who().steps
