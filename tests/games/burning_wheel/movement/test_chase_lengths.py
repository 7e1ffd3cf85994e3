"""One length of a chase: its dice, FoRKs, groups, and what it means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.movement.chase_lengths import LengthResult, pair_result
from astragal.games.burning_wheel.sheet.scene import Pair
from astragal.rules import catalogue
from games.burning_wheel.chasing import HARE, HOUND, LUCKY, after, dice_of, on, results, two
from games.burning_wheel.playing import Played, declare, play, table

# --- Advantages ----------------------------------------------------------------------------


@pytest.mark.rules("movement.chase.adv.reflexes", "movement.chase.adv.forte")
@pytest.mark.parametrize("ability", ["Reflexes", "Forte"])
@pytest.mark.parametrize(
    ("hound", "hare", "dice"),
    [("B5", "B4", [5, 4]), ("B4", "B5", [4, 5]), ("B4", "B4", [4, 4]), ("B4", None, [4, 4])],
)
def test_the_higher_reflexes_or_forte_is_worth_a_die_and_equal_ones_nothing(
    ability: str, hound: str, hare: str | None, dice: list[int]
):
    """movement.amb.equal_values."""

    def runner(rating: str | None) -> dict[str, Any]:
        rated = {} if rating is None else {ability: rating}
        if ability == "Reflexes":
            return {"stats": {"Speed": "B4"}, "attributes": rated}
        return {"stats": {"Speed": "B4", **rated}}

    run = after(two(runner(hound), runner(hare)), [1, 0])
    assert dice_of(run) == dice
    if dice != [4, 4]:
        assert f"+ 1 higher {ability}" in run.told


@pytest.mark.rules("movement.chase.adv.forte")
@pytest.mark.parametrize(
    ("forte", "dice"), [("B5", [4, 4, 5]), ("B6", [4, 4, 4]), ("B7", [5, 4, 4])]
)
def test_who_pursues_two_needs_more_forte_than_either(forte: str, dice: list[int]):
    at = table(
        hound={"stats": {"Speed": "B4", "Forte": forte}},
        hare={"stats": {"Speed": "B4", "Forte": "B4"}},
        leveret={"stats": {"Speed": "B4", "Forte": "B6"}},
    )
    assert dice_of(after(at, [1, 0, 0], pursued=("hare", "leveret"))) == dice


@pytest.mark.rules("movement.chase.adv.reflexes", "injury.dice.reflexes_direct")
def test_wounds_come_off_the_reflexes_of_a_runner():
    """5 less 1 is no more than 4; two less make the other the quicker one."""
    slow = {"stats": {"Speed": "B4"}, "attributes": {"Reflexes": "B4"}}
    quick = {"stats": {"Speed": "B6"}, "attributes": {"Reflexes": "B5"}}
    assert dice_of(after(two(quick, slow), [1, 0])) == [7, 4]
    assert dice_of(after(two({**quick, "wounds": ["Light"]}, slow), [1, 0])) == [5, 4]
    assert dice_of(after(two({**quick, "wounds": ["Midi"]}, slow), [1, 0])) == [4, 5]


@pytest.mark.rules("movement.chase.adv.multiplier")
@pytest.mark.parametrize(
    ("hound", "hare", "choice", "dice"),
    [
        ("Man", "Man", "plus_1d", [4, 4]),
        ("Great Wolf", "Man", "plus_1d", [5, 4]),
        ("Man", "Horse", "plus_1d", [4, 5]),
        ("Man", "Horse", "plus_2d", [4, 6]),
        ("Great Wolf", "Dwarf", "plus_2d", [6, 4]),
        ("Great Wolf", "Man", "plus_2d", [5, 4]),  # exactly double
    ],
)
def test_the_higher_multiplier_is_worth_a_die_or_two_by_option(
    hound: str, hare: str, choice: str, dice: list[int]
):
    at = table(
        options={"movement_double_multiplier_in_chase": choice},
        hound={**HOUND, "body_type": hound},
        hare={**HARE, "body_type": hare},
    )
    assert dice_of(after(at, [1, 0])) == dice


@pytest.mark.rules("movement.chase.adv.head_start")
def test_a_head_start_is_the_quarrys_unless_the_gm_says_otherwise_and_is_used_once():
    """movement.amb.head_start_who, movement.amb.tie_let_it_ride."""
    assert dice_of(after(two(), [1, 0])) == [4, 4]
    run = after(two(), [1, 1], head_start=True)
    assert dice_of(run) == [4, 5]
    assert dice_of(on(run.table, [1, 0])) == [4, 4]
    assert dice_of(after(two(), [1, 0], {"head_start": "pursuer"}, head_start=True)) == [5, 4]
    assert dice_of(after(two(), [1, 0], {"head_start": "pursued"})) == [4, 5]
    assert dice_of(after(two(), [1, 0], {"head_start": "nobody"}, head_start=True)) == [4, 4]


@pytest.mark.rules("movement.chase.adv.nowhere_to_hide", "movement.chase.adv.situational")
def test_bare_ground_is_worth_two_dice_to_the_pursuer_and_suiting_it_one_to_either():
    run = after(two(), [1, 1], {"nowhere_to_hide": True, "situation": ["hare"]})
    assert run.seats["nowhere_to_hide"] == run.seats["situation"] == "gm"
    assert dice_of(run) == [6, 5]
    again = on(run.table, [1, 1])  # they stay, unless the ground changes
    assert dice_of(again) == [6, 5]
    assert "situation" not in again.asked
    forest = {"ground_changed": True, "nowhere_to_hide": False, "situation": ["hound"]}
    changed = on(again.table, [1, 1], forest)
    assert dice_of(changed) == [5, 4]
    assert dice_of(on(changed.table, [1, 0])) == [5, 4]


def test_advantages_add_up_as_the_table_says():
    fast = {"stats": {"Speed": "B2", "Forte": "B5"}, "attributes": {"Reflexes": "B5"}}
    slow = {"stats": {"Speed": "B2", "Forte": "B4"}, "attributes": {"Reflexes": "B4"}}
    said = {"head_start": "pursuer", "nowhere_to_hide": True, "situation": ["hound"]}
    run = after(two({**fast, "body_type": "Horse"}, slow), [1, 0], said)
    rows = catalogue().table("movement.table.chase_advantages").column("dice")
    assert dice_of(run) == [2 + sum(int(str(each)) for each in rows), 2]


# --- FoRKs ---------------------------------------------------------------------------------

SLY = {"stats": {"Speed": "B4"}, "skills": {"Streetwise": "B3", "Climbing": "B7"}}


@pytest.mark.rules("movement.chase.forks")
def test_skills_go_into_the_test_of_speed_as_forks_if_the_gm_agrees():
    """movement.amb.forks_on_stat, movement.amb.stealthy_inconspicuous_for_both."""
    both = {"hound/forks": ["Streetwise"], "hare/forks": ["Streetwise", "Climbing"]}
    run = after(two(SLY, SLY), [1, 1], both)
    assert dice_of(run) == [5, 7]
    assert run.seats["allow_forks"] == "gm"
    assert run.asks["forks"].because == "movement.chase.forks"
    denied = after(two(SLY, SLY), [1, 1], {"hare/forks": ["Climbing"], "allow_forks": []})
    assert dice_of(denied) == [4, 4]
    anew = on(run.table, [1, 1], {"hound/forks": ["Climbing"]})  # movement.amb.tie_let_it_ride
    assert dice_of(anew) == [6, 4]


def test_any_other_test_of_speed_takes_no_forks():
    sides = [declare("hound", "Speed", intent="win"), declare("hare", "Speed", intent="win")]
    run = play("versus_test", {"sides": sides}, two(SLY, SLY), None, [1, 0])
    assert "forks" not in run.asked


# --- Groups --------------------------------------------------------------------------------


def pack(choice: str = "each_pair", **bodies: str) -> BurningTable:
    names = {"hound": "Man", "wolf": "Man", "hare": "Man", "fox": "Man", **bodies}
    runners = {n: {"stats": {"Speed": "B4"}, "body_type": body} for n, body in names.items()}
    return table(options={"movement_group_chase": choice}, **runners)


@pytest.mark.parametrize(("rolls", "made"), [([2, 2, 1], 1), ([2, 1, 1], 1), ([2, 2, 2], 0)])
def test_one_pair_that_is_not_tied_makes_a_length_one_of_the_announced_tests(
    rolls: list[int], made: int
):
    """movement.amb.extended_results, movement.chase.tie."""
    run = after(pack(), rolls, {"tests": 3}, pursued=("hare", "fox"), extended=True)
    assert run.table.scene.chases[0].made == made


def test_with_several_everybody_rolls_once_and_each_pair_is_settled_by_itself():
    """movement.amb.group_chase."""
    sides: Any = {"pursuers": ("hound", "wolf"), "pursued": ("hare", "fox")}
    run = after(pack("each_pair"), [2, 3, 2, 1], **sides)
    assert len(run.rolls) == 4
    assert results(run) == ["tie", "caught_up", "caught_up", "caught_up"]
    run = after(pack(), [1, 3, 2, 3], **sides)
    assert results(run) == ["away", "away", "caught_up", "tie"]
    left = run.table.scene.chases[0].pairs
    assert [(pair.pursuer, pair.pursued) for pair in left] == [("wolf", "hare"), ("wolf", "fox")]
    assert len(on_as(run.table, "wolf", [1, 1, 1]).rolls) == 3
    leap = {"pursuer": "wolf", "pursued": "hare", "task": "leaps"}
    caught = play("one_action", leap, run.table, {"stopped": True})
    assert [pair.pursued for pair in caught.table.scene.chases[0].pairs] == ["fox"]
    assert not caught.outcome.over


def on_as(at: BurningTable, who: str, rolls: list[int]) -> Played:
    return play("run_on", {"character": who}, at, None, rolls)


def test_in_a_group_every_runner_earns_one_test_against_the_best_opponent():
    """movement.amb.advancement: four dice against four successes are a difficult test."""
    run = after(pack(), [1, 0, 4, 2], pursuers=("hound",), pursued=("wolf", "hare", "fox"))
    assert results(run) == ["caught_up", "away", "away"]
    series = run.table.scene.series[0]
    found = {test.character: (test.difficulty.value, test.obstacle) for test in series.tests}
    assert found["hound"] == ("difficult", 4)
    assert found["hare"] == ("routine", 1)


@pytest.mark.rules("movement.position.several_multipliers")
def test_of_three_multipliers_in_a_chase_the_two_highest_count():
    at = pack(hound="Great Wolf", wolf="Man", hare="Dwarf")
    run = after(at, [1, 1, 1], pursuers=("hound", "wolf"))
    assert dice_of(run) == [6, 5, 4]
    two_of_a_kind = pack(hound="Great Wolf", wolf="Man", hare="Man")
    assert dice_of(after(two_of_a_kind, [1, 1, 1], pursuers=("hound", "wolf"))) == [5, 4, 4]
    rival = pack(hound="Great Wolf", wolf="Man", hare="Great Wolf")
    assert dice_of(after(rival, [1, 1, 1], pursuers=("hound", "wolf"))) == [4, 4, 4]


def test_a_group_may_act_through_one_roller_with_help():
    """movement.amb.group_chase."""
    at = pack("one_roller_with_help")
    said = {"wolf/help": "Speed", "wolf/help_how": "cuts off the path"}
    run = after(at, [1, 0], said, pursuers=("hound", "wolf"), pursued=("hare", "fox"))
    assert dice_of(run) == [5, 4]
    assert [each.pursuer for each in run.outcome.results] == ["hound"]


def test_a_trait_breaks_the_tie_of_one_pair_only():
    runners = {name: dict(HOUND) for name in ("hound", "hare", "fox")}
    runners["hound"] = {**HOUND, "traits": [LUCKY]}
    run = after(table(**runners), [2, 2, 2], {"break_tie": "Lucky"}, pursued=("hare", "fox"))
    assert results(run) == ["caught_up", "tie"]
    assert run.table.character("hound").traits[0].called_this_session


# --- Results ---------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1, max_size=12), st.integers(2, 6))
def test_a_long_chase_ends_as_it_should(lengths: list[int], tests: int):
    """Told again: runs of the quarry's wins, and the last of the announced tests."""
    pair, made = Pair("p", "q"), 0
    for at, sign in enumerate(lengths):
        winner = {-1: "q", 0: None, 1: "p"}[sign]
        made += sign != 0
        result = pair_result(pair, winner, tests=tests, made=made)
        decisive = [each for each in lengths[: at + 1] if each]
        if sign == 0:
            assert result is LengthResult.TIE
        elif len(decisive) == tests:
            assert result is (LengthResult.CAUGHT if sign > 0 else LengthResult.AWAY)
        elif sign > 0:
            assert result is LengthResult.CAUGHT_UP
        else:
            assert result is (
                LengthResult.AWAY if decisive[-2:] == [-1, -1] else LengthResult.AHEAD
            )
        if result in (LengthResult.AWAY, LengthResult.CAUGHT):
            break
        pair = Pair("p", "q", ahead=winner or pair.ahead)
