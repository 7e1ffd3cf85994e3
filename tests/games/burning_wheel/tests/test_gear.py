"""Gear: what it does to a test, and gear granted in play."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from games.burning_wheel.playing import a_test, play, table

LANTERN = {"name": "Lantern", "removes": ["darkness"]}
RICH = {
    "stats": {"Perception": "B4"},
    "skills": {"Sword": "B4", "Etiquette": "B3"},
    "gear": [
        LANTERN,
        {"name": "Fine sword", "dice": {"Sword": 2}},
        {"name": "Court dress", "removes": ["dress"]},
        {"name": "Mail", "hinders": ["a heavy coat"]},
    ],
}


@pytest.mark.rules("tests.gear.effect")
def test_gear_augments_the_ability_it_is_for_and_no_other():
    at = table(rich=RICH)
    assert a_test(at, "Sword", 1, [0], gear=["fine sword"]).outcome.dice.total == 6
    assert a_test(at, "Etiquette", 1, [0], gear=["Fine sword"]).outcome.dice.total == 3
    assert a_test(at, "Sword", 1, [0]).outcome.dice.total == 4
    twice = a_test(at, "Sword", 1, [0], gear=["Fine sword", "fine sword"])
    assert twice.outcome.dice.total == 6
    typed = table(rich={**RICH, "gear": [{"name": "Blade", "dice": {"sword": 1}}]})
    assert a_test(typed, "Sword", 1, [0], gear=["Blade"]).outcome.dice.total == 5


@pytest.mark.rules("tests.gear.effect", "advancement.bonus.equipment_counts")
def test_a_rope_is_good_for_whoever_never_learned_to_climb():
    rope = {"name": "Rope", "dice": {"Climbing": 1}}
    at = table(rich={"stats": {"Speed": "B3"}, "gear": [rope]})
    roots = {"roots": ["Speed"]}
    run = a_test(at, "Climbing", 2, [[4, 4, 4, 4]], roots, gear=["Rope"])
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (4, 4)
    assert a_test(at, "Climbing", 2, [[4, 4, 4]], roots).outcome.dice.total == 3
    assert a_test(at, "Speed", 2, [[4, 4, 4]], gear=["Rope"]).outcome.dice.total == 3
    # Ob 3 would be difficult on 3D and on 4D alike, Ob 4 challenging on 3D alone.
    harder = a_test(at, "Climbing", 4, [0], roots, gear=["Rope"])
    assert harder.outcome.earned == "difficult"


@pytest.mark.rules(
    "tests.gear.effect", "tests.amb.obstacle_never_decreased", "tests.obstacle.only_up"
)
@pytest.mark.parametrize(
    ("against", "obstacle"),
    [([], 2), (["darkness"], 2), (["smoke"], 3), (["darkness", "smoke"], 3)],
)
def test_a_lantern_takes_away_darkness_but_nothing_of_the_task_itself(
    against: list[str], obstacle: int
):
    answers = {"disadvantages": against}
    run = a_test(table(rich=RICH), "Perception", 2, [[1, 1, 1, 1]], answers, gear=["Lantern"])
    assert run.outcome.obstacle.total == obstacle


@pytest.mark.rules("tests.gear.effect")
def test_two_pieces_do_not_take_away_the_same_penalty_twice():
    both = {"stats": {"Perception": "B4"}, "gear": [LANTERN, {**LANTERN, "name": "Candle"}]}
    answers = {"disadvantages": ["darkness"]}
    run = a_test(table(rich=both), "Perception", 2, [[1] * 4], answers, gear=["Lantern", "Candle"])
    assert run.outcome.obstacle.total == 2


@pytest.mark.rules("tests.gear.effect")
def test_gear_may_also_bring_a_penalty():
    run = a_test(table(rich=RICH), "Etiquette", 2, [0], gear=["Mail"])
    assert run.outcome.obstacle.total == 3
    dressed = {"disadvantages": ["dress"]}
    assert (
        a_test(
            table(rich=RICH), "Etiquette", 2, [0], dressed, gear=["Court dress"]
        ).outcome.obstacle.total
        == 2
    )


def test_gear_that_is_not_carried_is_refused():
    with pytest.raises(
        BadInput, match=r"gear\[0\]: found 'Ladder', expected gear that Rich carries: Lantern"
    ):
        a_test(table(rich=RICH), "Sword", 1, gear=["Ladder"])


@pytest.mark.rules("tests.gear.acquisition")
def test_the_gm_grants_gear_in_a_scene_that_suits_it():
    at = table(rich={"skills": {"Sword": "B4"}})
    arguments = {"character": "rich", "gear": {"name": "Helmet"}}
    run = play("grant_gear", arguments, at, rolls=[])
    assert [gear.name for gear in run.table.character("rich").gear] == ["Helmet"]
    assert run.seats == {"grant": "gm"}
    refused = play("grant_gear", arguments, at, {"grant": False}, [])
    assert not refused.outcome.granted
    assert not refused.changed


@pytest.mark.rules("tests.gear.acquisition")
def test_most_gear_is_colour():
    at = table(rich={"skills": {"Sword": "B4"}, "gear": ["Hat", "Rope"]})
    run = a_test(at, "Sword", 2, [2], gear=["Hat", "Rope"])
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (4, 2)


def test_gear_that_no_sheet_could_have_is_not_granted():
    arguments = {"character": "rich", "gear": {"name": "Axe", "dice": {"Axe": 0}}}
    with pytest.raises(BadInput, match=r"gear\[0\]\.dice\.Axe: found 0"):
        play("grant_gear", arguments, table(rich={}), rolls=[])
