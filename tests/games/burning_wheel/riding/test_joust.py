"""Lance to lance, and who stays in the saddle."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import NotAllowed
from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.play import Tell
from games.burning_wheel.on_horseback import BOWMAN, HORSE, LANCER, riders
from games.burning_wheel.playing import Played, play, table

FAST = {**HORSE, "stats": {**HORSE["stats"], "Speed": "B6"}}


def joust(
    rolls: Any,
    answers: dict[str, Any] | None = None,
    ann: dict[str, Any] | None = None,
    horse: dict[str, Any] | None = None,
    mare: dict[str, Any] | None = None,
) -> Played:
    at = table(
        riders("ann:horse", "bob:mare"),
        ann=ann or LANCER,
        bob=LANCER,
        horse=horse or HORSE,
        mare=mare or HORSE,
    )
    return play("joust", {"character": "ann", "opponent": "bob"}, at, answers, rolls)


@pytest.mark.rules(
    "riding.lance.joust_winner",
    "riding.lance.joust_use_range_and_cover",
    "riding.lance.unhorse_push",
)
def test_the_winner_strikes_and_the_loser_does_not():
    # Ann 4 to 2; she hits with 2, Bob keeps his seat with 2 of Power or Riding.
    done = joust([4, 2, 2, 2])
    assert done.outcome.winner == "ann"
    assert done.outcome.struck == ("ann",)
    assert done.behind("Ann strikes") == ["riding.lance.joust_winner"]
    assert done.outcome.seats == ("seated", "seated")
    # Power 4 and the lance's 4: B4/B8/B12, one success over: Incidental.
    assert [hit.damage.number for hit in done.outcome.suffered] == [4]
    # Two successes against Ob 1; of the Push, 2 for the lance and 2 for the saddle, none is left.
    (strike,) = done.outcome.strikes
    assert (strike.lancer, strike.successes, strike.obstacle) == ("ann", 2, 1)
    assert (strike.passed, strike.push) == (True, 0)
    other = joust([1, 2, 0])
    assert (other.outcome.winner, other.outcome.struck) == ("bob", ())
    (miss,) = other.outcome.strikes
    assert (miss.lancer, miss.successes, miss.passed, miss.push) == ("bob", 0, False, None)


@pytest.mark.rules("riding.lance.joust_tie")
def test_on_a_tie_both_strike():
    done = joust([3, 3, 1, 1, 4, 4])
    assert done.outcome.winner is None
    assert done.outcome.struck == ("ann", "bob")
    assert [(each.lancer, each.successes, each.push) for each in done.outcome.strikes] == [
        ("ann", 1, -3),
        ("bob", 1, -3),
    ]
    assert done.behind("Both strike") == ["riding.lance.joust_tie"]


@pytest.mark.rules("riding.lance.joust_winner", "advancement.class.dice_against_obstacle")
def test_what_hampers_a_beast_takes_a_success_and_counts_in_its_obstacle():
    """Six dice, +1 Ob: 3 successes are 2 against 4, which with the penalty is difficult."""
    done = joust([3, 4, 0], horse={**HORSE, "wounds": ["Superficial"]})
    assert done.outcome.winner == "bob"
    log = done.table.character("horse").stats["Speed"].log
    assert (log.routine, log.difficult, log.challenging) == (0, 1, 0)
    sound = joust([3, 4, 0]).table.character("horse").stats["Speed"].log
    assert (sound.routine, sound.difficult) == (1, 0)


@pytest.mark.rules("riding.lance.joust_pool")
def test_the_beast_is_rolled_and_the_rider_helps():
    skilled = {**LANCER, "skills": {**LANCER["skills"], "Riding": "B5"}}
    done = joust([1, 2, 0], {"ann/forks": ["Lance"]}, ann=skilled)
    # Speed 5, two dice of help for Riding 5, one for the FoRK; one of help for Bob's Riding 4.
    assert "Ann, lance charge, rolls 8D" in done.told
    assert "Bob, lance charge, rolls 6D" in done.told
    assert "Lance" in done.told
    quick = {**FAST, "attributes": {**HORSE["attributes"], "Reflexes": "B6"}}
    fast = joust([1, 2, 0], horse=quick)
    assert "Ann, lance charge, rolls 8D = 6 Speed + 1 higher Reflexes + 1 help" in fast.told


@pytest.mark.rules("riding.lance.unhorse_defense")
def test_the_defender_chooses_riding_or_power_never_speed():
    strong = joust([4, 2, 2, 0], {"keeps_seat": "Power"})
    ask = strong.asks["keeps_seat"]
    assert [option.key for option in ask.question.options] == ["Riding", "Power"]  # type: ignore[attr-defined]


@pytest.mark.rules("riding.lance.unhorse_defense")
@pytest.mark.parametrize(("resisted", "passed"), [(1, False), (2, True), (3, True)])
def test_as_many_successes_as_the_lance_keep_the_seat(resisted: int, passed: bool):
    done = joust([4, 2, 2, resisted])
    assert (done.outcome.seats[1] == "seated") is passed
    defences = [e.fact for e in done.events if isinstance(e, Tell) and isinstance(e.fact, TestCame)]
    assert (defences[-1].name, defences[-1].passed) == ("Bob", passed)


@pytest.mark.rules("riding.lance.unhorse_one_pace")
def test_one_pace_is_half_out_of_the_saddle():
    done = joust([4, 2, 2, 1])
    assert done.outcome.seats == ("seated", "half_out")
    assert [each.half_out for each in done.table.scene.riders] == [False, True]
    test = {"character": "bob", "ability": "Perception", "task": "looks", "intent": "see"}
    later = play("standard_test", test, done.table, {"obstacle": 1}, [4])
    assert "2 half out of the saddle" in later.told


@pytest.mark.rules("riding.lance.unhorse_two_paces", "riding.lance.unhorse_fall_damage")
@pytest.mark.parametrize(("resisted", "stage", "number"), [(2, "incidental", 2), (1, "mark", 4)])
def test_two_paces_unhorse_with_the_speed_of_the_lancers_horse(
    resisted: int, stage: str, number: int
):
    """Speed 4 on a dirt road: B2/B4/B6, by the net successes of the Push; its Power is 6."""
    slow = {**HORSE, "stats": {**HORSE["stats"], "Speed": "B4"}}
    done = joust([5, 2, 4, resisted], horse=slow)
    assert done.outcome.seats[1] == "unhorsed"
    assert [each.rider for each in done.table.scene.riders] == ["ann"]
    fall = done.outcome.suffered[-1].damage
    assert (fall.stage.value, fall.number) == (stage, number)


@pytest.mark.rules("riding.lance.charge_requirements", "riding.bowman.allowed_rules")
def test_what_a_lance_takes():
    with pytest.raises(NotAllowed, match="Ann has no lance"):
        joust([], ann={**LANCER, "weapons": ["sword"]})
    with pytest.raises(NotAllowed, match="saddle, harness and stirrups"):
        joust([], horse={**HORSE, "gear": ["saddle and stirrups"]})
    with pytest.raises(NotAllowed, match="mounted bowman"):
        joust([], ann={**BOWMAN, "weapons": ["lance"]})


@pytest.mark.rules("riding.lance.stats")
def test_the_numbers_of_a_lance():
    done = joust([4, 2, 3, 4])
    (hit,) = done.outcome.suffered
    # Power 4 + 4, Add 2: two over the obstacle is the Mark; VA 2.
    assert (hit.damage.stage.value, hit.damage.number, hit.damage.va) == ("mark", 8, 2)


@pytest.mark.rules("riding.lance.joust_pool", "riding.amb.lance_help_skill")
def test_the_rider_learns_from_the_close_as_a_helper_does():
    """Ann's Riding against Bob's one success, Bob's against her three: Ob 1 and Ob 3 on 4D."""
    done = joust([3, 1, 0])
    logs = {name: done.table.character(name).skills["Riding"].log for name in ("ann", "bob")}
    assert (logs["ann"].routine, logs["ann"].difficult) == (1, 0)
    assert (logs["bob"].routine, logs["bob"].difficult) == (0, 1)
