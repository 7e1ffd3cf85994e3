"""Get a job: Taxed dice come back by work, at the end of its time."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from games.burning_wheel.playing import Played, play, table

CYCLE = 180  # days: half a year of months of thirty days


def worker(taxed: int, **more: Any) -> dict[str, Any]:
    skills = {"Cooking": "B6", "Baking": "B3"}
    return {"resources": {"rating": "B5", "taxed": taxed, **more}, "skills": skills}


def works(
    at: BurningTable, rolls: Any, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    arguments = {"character": "rich", "work": "cooks for the duke", "skill": "Cooking", **more}
    return play("get_a_job", arguments, at, answers, rolls)


def later(at: BurningTable, time: str) -> BurningTable:
    return play("let_time_pass", {"time": time}, at).table


def settled(at: BurningTable) -> BurningTable:
    return play("maintenance", {}, at).table


def taxed(at: BurningTable) -> int:
    wealth = at.characters["rich"].resources
    assert wealth is not None
    return wealth.taxed


@pytest.mark.rules("resources.job.test")
@pytest.mark.parametrize("lost", [1, 2, 4])
def test_the_obstacle_is_one_and_the_dice_that_were_taxed(lost: int):
    run = works(table(rich=worker(lost)), [0])
    assert run.outcome.obstacle.total == 1 + lost
    assert [roll.label for roll in run.rolls] == ["Rich, Cooking"]


@pytest.mark.rules("resources.job.forks")
def test_forks_are_welcome():
    run = works(table(rich=worker(1)), [0], {"forks": ["Baking"]})
    assert run.outcome.dice.total == 7


@pytest.mark.rules("artha.aristeia.minor_epiphany_effects")
def test_a_minor_epiphany_lightens_the_skill_of_the_job_too():
    held = {"character": "rich", "form": "minor_epiphany", "ability": "Cooking"}
    for scene, passed in (({"aristeias": [held]}, True), ({}, False)):
        run = works(table(scene, rich=worker(1)), [[3, 3, 2, 2, 2, 2]])
        assert run.outcome.passed is passed  # threes are successes of a gray skill


@pytest.mark.rules("resources.job.describe")
def test_the_work_is_described_and_is_one_of_the_characters_skills():
    with pytest.raises(BadInput, match=r"work.*resources\.job\.describe"):
        works(table(rich=worker(1)), [1], work=" ")
    with pytest.raises(BadInput, match="skill"):
        works(table(rich=worker(1)), [1], skill="Singing")
    with pytest.raises(BadInput, match=r"skill.*resources\.job\.describe"):
        works(table(rich=worker(1)), [1], skill="Resources")
    unlearned = {**worker(1), "skills": {"Cooking": "B0"}}
    with pytest.raises(BadInput, match=r"skill.*resources\.job\.describe"):
        works(table(rich=unlearned), [])


@pytest.mark.rules("resources.job.recover_one", "resources.job.recover_more", "resources.job.time")
@pytest.mark.parametrize(
    ("lost", "successes", "restored"), [(3, 3, 0), (3, 4, 1), (3, 5, 2), (3, 6, 3), (1, 6, 1)]
)
def test_dice_come_back_at_the_end_of_the_cycle(lost: int, successes: int, restored: int):
    run = works(table(rich=worker(lost)), [successes])
    assert run.outcome.days == CYCLE
    assert taxed(run.table) == lost  # not yet
    assert taxed(settled(later(run.table, "179 days"))) == lost
    assert taxed(settled(later(run.table, "180 days"))) == lost - restored


@pytest.mark.rules("resources.job.faster")
def test_extra_successes_may_save_time_instead():
    at = table(rich=worker(3))
    run = works(at, [6], {"job_dice": 0, "job_faster": 2})
    assert (run.outcome.restores, run.outcome.days) == (1, 144)  # four fifths of 180
    assert "works for 144 days and earns 1D of Resources." in run.told
    assert taxed(settled(later(run.table, "143 days"))) == 3
    assert taxed(settled(later(run.table, "144 days"))) == 2
    mixed = works(at, [6], {"job_dice": 1, "job_faster": 1})
    assert (mixed.outcome.restores, mixed.outcome.days) == (2, 162)
    with pytest.raises(BadInput, match="job_dice"):
        works(at, [6], {"job_dice": 3})  # more than were Taxed beyond the first
    with pytest.raises(BadInput, match="job_faster"):
        works(at, [6], {"job_dice": 1, "job_faster": 2})  # more than there are
    only = works(table(rich=worker(1)), [6], {"job_faster": 4})
    assert "job_dice" not in only.asked
    assert (only.outcome.restores, only.outcome.days) == (1, 108)


@pytest.mark.rules("resources.job.advancement")
@pytest.mark.parametrize("successes", [0, 6])
def test_the_skill_learns_pass_or_fail_and_resources_do_not(successes: int):
    run = works(table(rich=worker(3)), [successes])
    # Six dice against Ob 4: routine.
    assert run.changed["rich.skills.Cooking.log.routine"] == 1
    assert not any("resources.log" in path for path in run.changed)


@pytest.mark.rules("resources.job.failure", "resources.tax.no_natural_recovery")
def test_a_failure_uses_up_the_cycle_and_the_dice_stay_lost():
    failed = works(table(rich=worker(2)), [0])
    assert "works for 180 days and earns nothing." in failed.told
    at = failed.table
    with pytest.raises(NotAllowed) as refused:
        works(later(at, "100 days"), [6])
    assert refused.value.rule == "resources.amb.job_failure_and_retry"
    after = settled(later(at, "180 days"))
    assert taxed(after) == 2
    again = works(after, [6])  # a new cycle, a new attempt, which takes its whole time
    assert taxed(settled(later(again.table, "179 days"))) == 2
    assert taxed(settled(later(again.table, "180 days"))) == 0


@pytest.mark.rules("resources.tax.no_natural_recovery")
def test_taxed_dice_never_come_back_by_themselves():
    assert taxed(settled(later(table(rich=worker(3)), "20 years"))) == 3


def test_there_is_one_job_in_a_cycle_though_it_be_done_early():
    at = works(table(rich=worker(3)), [6], {"job_dice": 0, "job_faster": 2}).table
    done = settled(later(at, "150 days"))
    assert taxed(done) == 2
    with pytest.raises(NotAllowed):
        works(done, [6])
    assert works(settled(later(done, "30 days")), [3]).outcome.passed


@pytest.mark.rules("resources.amb.job_failure_and_retry")
def test_a_job_that_runs_into_the_next_cycle_leaves_no_time_for_another():
    """Taken in the middle of a cycle, it ends in the middle of the next."""
    at = works(later(table(rich=worker(2)), "3 months"), [3]).table
    at = settled(later(at, "3 months"))
    with pytest.raises(NotAllowed, match="already worked"):
        works(at, [])
    at = settled(later(at, "3 months"))
    assert taxed(at) == 1
    assert works(at, [2]).outcome.restores == 1


@pytest.mark.rules("resources.job.test")
def test_without_taxed_dice_there_is_nothing_to_earn():
    with pytest.raises(NotAllowed) as refused:
        works(table(rich=worker(0)), [6])
    assert refused.value.rule == "resources.job.test"


def test_careful_work_takes_half_as_long_again():
    run = works(table(rich=worker(1)), [2], {"carefully": True})
    assert (run.outcome.dice.total, run.outcome.days) == (7, 270)
