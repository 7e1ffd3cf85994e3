"""Tools: wanted, missing, worn out; in the later edition only."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.tests.tests import StandardTest
from astragal.play import Scripted, exact
from games.burning_wheel.editions_beside import at_table, both
from games.burning_wheel.playing import a_test, declare, play, somehow

PICKS = {"name": "Lockpicks", "tools": ["Lock Pick"]}


def thief(edition, gear=(), options=None, **more):
    raw = {
        "skills": {
            "Lock Pick": {"rating": "B4", "tools": True, "roots": ["Agility"]},
            "Sword": "B4",
        },
        "stats": {"Agility": "B4"},
        "gear": list(gear),
        **more,
    }
    return at_table(edition, options, rich=raw)


@pytest.mark.rules("gold.tests.tools", "gold.diff.tools_double")
@both(revised=(3, False), gold=(3 + 3, True))
def test_without_tools_the_base_obstacle_is_doubled(edition, expected):
    obstacle, asked = expected
    played = a_test(thief(edition), "Lock Pick", 3, [0])
    assert (played.outcome.obstacle.total, "wants_tools" in played.asked) == expected
    penalised = a_test(thief(edition), "Lock Pick", 3, [0], {"disadvantages": ["darkness"]})
    assert penalised.outcome.obstacle.total == obstacle + 1  # what comes later is not doubled
    with_tools = a_test(thief(edition, [PICKS]), "Lock Pick", 3, [0])
    assert with_tools.outcome.obstacle.total == 3
    assert "wants_tools" not in a_test(thief("revised"), "Sword", 3, [0]).asked
    if asked:
        assert a_test(thief(edition), "Sword", 3, [0]).outcome.obstacle.total == 3
        ruled = {"wants_tools": True}
        assert a_test(thief(edition), "Sword", 3, [0], ruled).outcome.obstacle.total == 6
        free = {"wants_tools": False}
        assert a_test(thief(edition), "Lock Pick", 3, [0], free).outcome.obstacle.total == 3


@pytest.mark.rules("gold.tests.tools", "tests.amb.ride_versus_new_opponent")
@pytest.mark.parametrize(
    ("edition", "gear", "winner"),
    [("revised", [], "rich"), ("gold", [], "guard"), ("gold", [PICKS], "rich")],
)
def test_without_tools_kept_successes_stand_against_twice_as_many(edition, gear, winner):
    """Four that were rolled earlier, against three: without tools against six."""
    intent = "rich opens it"
    ride = {"character": "rich", "ability": "Lock Pick", "intent": intent}
    at = at_table(
        edition,
        scene={"rides": [{**ride, "successes": 4, "passed": True}]},
        rich={"skills": {"Lock Pick": {"rating": "B4", "tools": True}}, "gear": gear},
        guard={"skills": {"Observation": "B4"}},
    )
    mine = {**declare("rich", "Lock Pick", intent=intent), "riding": True}
    sides = [mine, declare("guard", "Observation", intent="catch him")]
    played = play("versus_test", {"sides": sides}, at, {"defender": "guard"}, [3])
    assert played.outcome.winner == winner


@pytest.mark.rules("gold.tests.tools_and_luck")
@pytest.mark.parametrize(
    ("edition", "option", "obstacle"),
    [("revised", "times_4", 4), ("gold", "times_4", 8), ("gold", "times_3", 6)],
)
def test_missing_tools_and_beginners_luck_combine(edition, option, obstacle):
    at = thief(edition, options={"gold_double_doubling": option}, skills={"Sword": "B4"})
    said = {"roots": ["Agility"]} | ({"wants_tools": True} if edition == "gold" else {})
    played = a_test(at, "Lock Pick", 2, [0], said)
    assert played.outcome.obstacle.total == obstacle


@pytest.mark.rules("gold.tests.tools_die_of_fate", "gold.diff.tools_die_of_fate")
@both(revised=[1], gold=[1, 2])
def test_tools_that_were_used_before_may_be_used_up(edition, expected):
    """The number of rolls: the first use of a set is free, the second wears it."""
    first = a_test(thief(edition, [PICKS]), "Lock Pick", 3, [4])
    assert len(first.rolls) == 1
    again = declare("rich", "Lock Pick", intent="get out")
    said = {"obstacle": 3, "on_failure": "it goes wrong"}
    if edition == "revised":
        assert len(play("standard_test", again, first.table, said, [4]).rolls) == 1
        return
    kept = play("standard_test", again, first.table, said, [4, [2]])
    assert [gear.name for gear in kept.table.character("rich").gear] == ["Lockpicks"]
    gone = play("standard_test", again, first.table, said, [4, [1]])
    assert gone.table.character("rich").gear == ()
    assert "used up the tools: Lockpicks" in gone.told
    # The roll comes after the result, and does not change it.
    assert gone.outcome.passed
    assert gone.outcome.margin == 1
    told = gone.told
    assert told.index("Success, 1 extra") < told.index("The Die of Fate.")
    without = declare("rich", "Lock Pick", intent="the third door")
    harder = play("standard_test", without, gone.table, said, [4])
    assert harder.outcome.obstacle.total == 6
    assert len(harder.rolls) == 1


def test_tools_are_named_for_the_test_or_found_on_the_sheet():
    hammer = {"name": "Hammer"}
    at = thief("gold", [hammer])
    played = a_test(at, "Sword", 3, [0], tools="Hammer")
    assert played.outcome.obstacle.total == 3
    assert played.table.character("rich").gear[0].used
    with pytest.raises(BadInput, match="tools: found 'Anvil'"):
        a_test(at, "Sword", 3, [0], tools="Anvil")


@pytest.mark.parametrize(("rolls", "winner"), [([4, 2], "guard"), ([4, 1], "rich")])
def test_in_a_versus_test_the_opponents_successes_are_doubled_for_want_of_tools(rolls, winner):
    lock = {"rating": "B5", "tools": True}
    at = at_table(
        "gold",
        rich={"skills": {"Lock Pick": lock}},
        guard={"skills": {"Lock Pick": lock}, "gear": [PICKS], "npc": True},
    )
    sides = [declare("rich", "Lock Pick"), declare("guard", "Lock Pick", intent="keep it shut")]
    assert play("versus_test", {"sides": sides}, at, None, rolls).outcome.winner == winner


def test_the_want_of_tools_is_part_of_the_obstacle_that_is_logged():
    hard = a_test(thief("gold"), "Lock Pick", 2, [0])  # 4D against Ob 4
    assert hard.outcome.earned == "difficult"
    assert a_test(thief("revised"), "Lock Pick", 2, [0]).outcome.earned == "routine"
    lock = {"rating": "B5", "tools": True}
    at = at_table(
        "gold",
        rich={"skills": {"Lock Pick": lock}},
        guard={"skills": {"Lock Pick": lock}, "gear": [PICKS], "npc": True},
    )
    sides = [declare("rich", "Lock Pick"), declare("guard", "Lock Pick", intent="keep it shut")]
    played = play("versus_test", {"sides": sides}, at, None, [2, 3])
    assert played.outcome.earned == ("challenging", "routine")  # 5D against 6, and against 2


def test_who_is_asked_for_tools():
    """Not for attributes; where a procedure lays the ability down, only if it usually is so."""
    at = thief("gold", attributes={"Health": "B4"})
    assert "wants_tools" not in a_test(at, "Health", 1).asked
    assert a_test(at, "Lock Pick", 1).asks["wants_tools"].kind == "consent"
    assert a_test(at, "Sword", 1).asks["wants_tools"].kind == "aside"
    job = {"character": "rich", "work": "opens what is shut", "skill": "Lock Pick"}
    at = thief("gold", resources={"rating": "B4", "taxed": 1})
    paid = play("get_a_job", job, at, None, [4])
    assert paid.outcome.obstacle.total == 2 * 2
    plain = play("get_a_job", {**job, "skill": "Sword"}, at, None, [4])
    assert plain.outcome.obstacle.total == 2
    assert "wants_tools" not in plain.asked


def test_a_graduated_test_without_tools_brings_half():
    played = play("graduated_test", declare("rich", "Lock Pick"), thief("gold"), None, [3])
    assert (played.outcome.successes, played.outcome.result) == (3, 1)


def test_the_chances_of_the_die_are_part_of_the_walk():
    at = thief("gold", [{**PICKS, "used": True}])
    said = Scripted({"obstacle": 1, "on_failure": "it goes wrong"}, somehow)
    arguments = GAME.read(declare("rich", "Lock Pick"), StandardTest, "arguments")
    start = GAME.procedure("standard_test").start(arguments, at)
    odds = exact(start, said).map(lambda outcome: outcome.passed)
    assert odds.chance(True) == 1 - Fraction(1, 16)


@pytest.mark.rules("advancement.amb.helper_of_beginner", "gold.adv.helpers", "gold.tests.tools")
@pytest.mark.parametrize(
    ("edition", "option", "log"),
    [
        ("revised", "times_4", "routine"),  # 2D against Ob 1
        ("gold", "times_4", "difficult"),  # against Ob 2: without tools, which no help makes up for
        ("gold", "times_3", "difficult"),
    ],
)
def test_the_want_of_tools_counts_for_who_helps_a_beginner(edition, option, log):
    raw = {"stats": {"Agility": "B4"}, "skills": {}}
    skills = {"skills": {"Lock Pick": {"rating": "B2", "roots": ["Agility"]}}}
    options = {"gold_double_doubling": option}
    at = at_table(edition, options, rich=raw, tam=skills)
    said = {"obstacle": 1, "on_failure": "it goes wrong", "tam/help": "Lock Pick"}
    if edition == "gold":
        said["wants_tools"] = True
    arguments = declare("rich", "Lock Pick") | {"helpers": ["tam"]}
    played = play("standard_test", arguments, at, said, [0])
    marks = played.table.character("tam").skills["Lock Pick"].log
    assert getattr(marks, log) == 1
