"""Staying in the saddle, and nerves of mounts outside of a fight."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import NotAllowed
from games.burning_wheel.on_horseback import HORSE, ridden
from games.burning_wheel.playing import Played, play

SHAKEN = {"cause": "fear", "source": "a fire", "character": "horse"}


def saddle(rolls: Any, answers: dict[str, Any] | None = None, **more: Any) -> Played:
    return play("stay_in_saddle", {"character": "ann", **more}, ridden(), answers, rolls)


@pytest.mark.rules("riding.steel.rear_or_buck")
@pytest.mark.parametrize(("successes", "stays"), [(2, True), (1, False)])
def test_a_rearing_mount_throws_whoever_fails_an_ob_2_test(successes: int, stays: bool):
    done = saddle([successes])
    assert done.outcome.passed is stays
    assert bool(done.table.scene.riders) is stays
    (line,) = done.outcome.test.obstacle.lines
    assert (line.amount, line.rule) == (2, "riding.steel.rear_or_buck")
    assert done.outcome.test.successes == successes


@pytest.mark.rules("riding.roll.stay_mounted")
@pytest.mark.parametrize(("successes", "stays"), [(4, True), (3, False)])
def test_a_mount_that_goes_down_throws_whoever_fails_an_ob_4_test(successes: int, stays: bool):
    done = saddle([successes], {"mount_does": "roll"})
    assert done.outcome.passed is stays
    (line,) = done.outcome.test.obstacle.lines
    assert (line.amount, line.rule) == (4, "riding.roll.stay_mounted")
    assert done.outcome.test.successes == successes


@pytest.mark.rules("riding.steel.rear_or_buck")
def test_how_badly_one_falls_is_how_far_one_has_failed():
    """Power 6 on rock: B5/B10/B15; two missing is Incidental."""
    done = saddle([0], surface="rock or pavement")
    (hit,) = done.outcome.suffered
    assert (hit.damage.stage.value, hit.damage.number) == ("incidental", 5)
    assert hit.hurt is not None


@pytest.mark.rules("riding.roll.ground_strength")
@pytest.mark.parametrize(("surface", "hurt"), [("soft earth or mud", []), ("thick grass", [1])])
def test_a_weak_pony_in_the_mud_hurts_nobody(surface: str, hurt: list[int]):
    """Power 3 and mud, -3: nothing is left. On grass, -1, a Mark of 2, and an Incidental of 1."""
    pony = {**HORSE, "stats": {**HORSE["stats"], "Power": "B3"}}
    arguments = {"character": "ann", "surface": surface}
    done = play("stay_in_saddle", arguments, ridden(horse=pony), None, [1])
    assert not done.outcome.passed
    assert not done.table.scene.riders
    assert [hit.damage.number for hit in done.outcome.suffered] == hurt


@pytest.mark.rules("riding.steel.mount_reacts", "riding.steel.mount_reactions")
@pytest.mark.parametrize(
    ("reaction", "equivalent", "told"),
    [
        ("bolt", "run_screaming", "Horse bolts."),
        ("shy", "stand_and_drool", "Horse shies."),
        ("rear", "stand_and_drool", "Ann needs an Ob 2 Riding test"),
        ("roll", "fall_prone_and_beg_for_mercy", "Ann needs an Ob 4 Riding test"),
    ],
)
def test_a_mount_that_loses_its_nerve(reaction: str, equivalent: str, told: str):
    # Will 3: hesitation 7, so two successes leave five heartbeats.
    done = play("steel_test", SHAKEN, ridden(), {"mount_reaction": reaction}, [2])
    (left,) = done.table.scene.hesitating
    assert (left.heartbeats, left.reaction) == (5, equivalent)
    assert told in done.told
    assert ("Riding test" in done.told) is (reaction in ("rear", "roll"))
    assert done.outcome.mount_reaction == reaction


def test_a_beast_without_a_rider_reacts_as_anybody():
    done = play("steel_test", SHAKEN, ridden(seat={"rider": "bob"}, bob=HORSE), None, [2])
    assert "mount_reaction" in done.asked
    free = play("dismount", {"character": "ann"}, ridden()).table
    assert "reaction" in play("steel_test", SHAKEN, free, None, [2]).asked


@pytest.mark.rules("riding.steel.rider_chooses", "riding.steel.change_in_progress")
def test_the_rider_may_choose_what_a_frightened_mount_does():
    shaken = play("steel_test", SHAKEN, ridden(), {"mount_reaction": "bolt"}, [2]).table
    failed = play("steady_mount", {"character": "ann"}, shaken, None, [2])
    assert not failed.asks["difficult_riding"].standing  # asked of each test anew
    assert not failed.outcome.passed
    assert failed.table.scene.hesitating[0].reaction == "run_screaming"
    done = play("steady_mount", {"character": "ann"}, shaken, {"rider_chooses": "shy"}, [3])
    (left,) = done.table.scene.hesitating
    assert (left.reaction, left.heartbeats) == ("stand_and_drool", 5)  # the kind, not the length
    reared = play("steady_mount", {"character": "ann"}, shaken, {"rider_chooses": "rear"}, [3, 1])
    assert reared.table.scene.riders == ()


def test_a_calm_mount_needs_no_steadying():
    with pytest.raises(NotAllowed, match="does not hesitate"):
        play("steady_mount", {"character": "ann"}, ridden())
