"""Moving quietly, or inconspicuously, among the Circles."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from games.burning_wheel.playing import Played
from games.burning_wheel.seeking import both, listen, seek

# --- Quietly -------------------------------------------------------------------------------


@pytest.mark.rules("circles.quiet.raise_obstacle", "circles.quiet.same_penalty_to_detectors")
def test_moving_quietly_raises_both_obstacles_by_the_same_amount():
    run = seek(both(), [4], about="mark", occupation="specific", place="local", quietly=3)
    assert run.outcome.obstacle.total == 8
    (made,) = run.table.scene.searches
    assert (made.obstacle, made.hidden) == (5, 3)
    assert "Mark listens: Ob 8." in listen(run.table, [6]).told


@pytest.mark.rules("circles.quiet.raise_obstacle", "circles.inconspicuous.alternative")
def test_quiet_is_one_to_five_and_not_together_with_inconspicuous():
    """circles.amb.quiet_limit, circles.amb.quiet_with_inconspicuous."""
    assert seek(both(), quietly=5).outcome.obstacle.total == 6
    with pytest.raises(BadInput, match=r"quietly: found 6, expected 1 to 5"):
        seek(both(), quietly=6)
    with pytest.raises(BadInput, match=r"circles.inconspicuous.alternative"):
        seek(both(), quietly=1, inconspicuous=True)


# --- Inconspicuously -----------------------------------------------------------------------


def sneak(
    circles: int, hides: int, answers: Any = None, options: Any = None, **more: Any
) -> Played:
    at = both(options, skills={"Inconspicuous": "B4"})
    rolls = [circles, hides]
    return seek(at, rolls, answers, about="mark", inconspicuous=True, occupation="uncommon", **more)


@pytest.mark.rules("circles.inconspicuous.alternative", "circles.inconspicuous.order")
@pytest.mark.parametrize(
    ("circles", "dice", "obstacle"), [(4, 5, 2), (3, 4, 2), (2, 4, 3), (0, 4, 3)]
)
def test_circles_come_first_and_lead_into_inconspicuous(circles: int, dice: int, obstacle: int):
    """circles.amb.inconspicuous_linked_failure: also after a failure."""
    run = sneak(circles, 2)
    first, second = run.rolls
    assert first.expression.dice.total == 4
    assert second.expression.dice.total == dice
    assert f"against Ob {obstacle} = 2 base obstacle" in run.told
    assert run.outcome.obstacle.total == 3


@pytest.mark.rules("circles.inconspicuous.obstacle")
def test_strangers_and_freaks_are_noticed():
    run = sneak(3, 4, {"disadvantages#2": ["a foreigner", "gaudy dress"]})
    assert "against Ob 4 = 2 base obstacle + 1 a foreigner + 1 gaudy dress" in run.told
    assert run.outcome.veil.obstacle == 0


@pytest.mark.rules("circles.inconspicuous.obstacle")
@pytest.mark.parametrize(("custom", "hidden"), [("ob_2", 2), ("ob_1", 3)])
def test_the_base_is_two_or_by_the_summary_one(custom: str, hidden: int):
    """circles.amb.inconspicuous_obstacle."""
    run = sneak(3, 4, options={"circles_inconspicuous_base": custom})
    assert run.outcome.veil.obstacle == hidden


@pytest.mark.rules("circles.inconspicuous.success", "circles.inconspicuous.failure")
@pytest.mark.parametrize(
    ("hides", "hidden", "traces"), [(4, 2, 0), (3, 1, 0), (2, 0, 0), (1, 0, 1), (0, 0, 1)]
)
def test_each_extra_success_hides_and_a_failure_leaves_traces(hides: int, hidden: int, traces: int):
    run = sneak(3, hides)
    assert (run.outcome.veil.obstacle, run.outcome.veil.dice) == (hidden, traces)
    found = listen(run.table, [0])
    assert f"Mark listens: Ob {7 + hidden}." in found.told
    assert found.rolls[0].expression.dice.total == 6 + traces
