"""Whatever a character's state does to every test is in the tallies of every kind of test.

A condition that is added to ``CONDITIONS`` fails here until it has a case of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.conditions import lines as on_test
from astragal.games.burning_wheel.conditions.every_test import CONDITIONS
from astragal.games.burning_wheel.sheet.facts import DiceGathered
from astragal.play import Line, Tell
from games.burning_wheel.playing import Played, declare, play, table

Label = tuple[int, str]

SOCIAL = {"rating": "B5", "roots": ["Speed"], "category": "Social"}
ANN: dict[str, Any] = {
    "stats": {"Will": "B5", "Speed": "B5", "Perception": "B4"},
    "attributes": {"Steel": "B5", "Health": "B5"},
    "skills": {"Patter": SOCIAL, "Surgery": "B5"},
    "resources": "B5",
    "circles": "B5",
    "lifepaths": [{"name": "Juggler", "setting": "City Dweller"}],
}
BOB: dict[str, Any] = {
    "skills": {"Patter": SOCIAL, "Haggling": SOCIAL},
    "attributes": {"Health": "B4"},
    "tolerances": "B4",
    "wounds": ["Light"],
}


class Case(NamedTuple):
    """A state that a condition is about, and the lines that it has in each kind of test."""

    dice: Mapping[str, tuple[Label, ...]]
    obstacle: Mapping[str, tuple[Label, ...]]
    sheet: Mapping[str, Any] = {}
    scene: Mapping[str, Any] = {}


def every(names: tuple[str, ...], *lines: Label) -> dict[str, tuple[Label, ...]]:
    return dict.fromkeys(names, lines)


class Kind(NamedTuple):
    """A kind of test that Ann makes, and what is tested in it."""

    procedure: str
    arguments: Mapping[str, Any]
    ability: str = "Patter"
    missing: str = ""
    answers: Mapping[str, Any] = {}
    options: Mapping[str, str] = {}
    shows_obstacle: bool = True


MINE = declare("ann", "Patter", target="bob")
THEIRS = declare("bob", "Patter", intent="keep her out", task="shouts her down")
TERMS = {"obstacle": 2, "on_failure": "it goes wrong"}
GOLD = {"edition": "gold"}
SEARCH = {"character": "ann", "sought": "a fence", "intent": "a buyer", "how": "asks around"}

KINDS = {
    "standard": Kind("standard_test", MINE, answers=TERMS),
    "beginner": Kind(
        "standard_test",
        declare("ann", "Haggling", target="bob"),
        "Speed",
        "Haggling",
        answers=TERMS,
    ),
    "open": Kind("open_test", MINE, shows_obstacle=False),
    "graduated": Kind("graduated_test", MINE, options=GOLD, shows_obstacle=False),
    "versus, first": Kind("versus_test", {"sides": [MINE, THEIRS]}),
    "versus, second": Kind("versus_test", {"sides": [THEIRS, MINE]}),
    "Steel": Kind("steel_test", {"character": "ann", "cause": "fear", "source": "a cat"}, "Steel"),
    "Circles": Kind("circles_test", {**SEARCH, "through": "Juggler"}, "Circles"),
    "Resources": Kind(
        "purchase", {"character": "ann", "item": "a rope"}, "Resources", answers={"price": 2}
    ),
    "treatment": Kind("treat", {"healer": "ann", "patient": "bob", "skill": "Surgery"}, "Surgery"),
    "recovery": Kind("recover", {"character": "ann"}, "Health"),
}
PATTER = ("standard", "open", "graduated", "versus, first", "versus, second")
BODILY = (*PATTER, "beginner", "Steel", "treatment")
"""Those that wounds and armor are about; Circles and Resources are spared, as is Health."""

CASES = {
    "wounds_on_test": Case(
        dice=every(BODILY, (-1, "Light wound")),
        obstacle=every(BODILY, (1, "Superficial wound")),
        sheet={"wounds": ["Light", "Superficial"]},
    ),
    "weight_on_test": Case(
        dice=every((*PATTER, "beginner"), (-1, "legs: chainmail")),
        obstacle=every((*BODILY, "recovery"), (1, "no Armor Training")),
        sheet={"armor": {"legs": "chainmail"}, "wounds": ["Superficial"]},
    ),
    "traits_on_test": Case(
        dice=every(tuple(KINDS), (1, "Famed")),
        obstacle=every(tuple(KINDS), (1, "Famed")),
        sheet={
            "traits": [
                {
                    "name": "Famed",
                    "kind": "die",
                    "dice": dict.fromkeys({kind.ability for kind in KINDS.values()}, 1),
                    "obstacle": dict.fromkeys(
                        {kind.missing or kind.ability for kind in KINDS.values()}, 1
                    ),
                }
            ],
            "wounds": ["Superficial"],
        },
    ),
    "enmity_on_test": Case(
        dice={},
        obstacle=every((*PATTER, "beginner"), (2, "Bob is an enemy")),
        sheet={"wounds": ["Superficial"]},
        scene={"enemies": [{"character": "ann", "name": "Bob"}]},
    ),
    "spells_on_test": Case(
        dice=every(tuple(KINDS), (2, "Kindness")),
        obstacle={},
        sheet={
            "active_spells": [
                {
                    "name": "Kindness",
                    "obstacle": 4,
                    "lasts": "Permanent",
                    "effect": 2,
                    "does": "bonus_dice",
                    "abilities": sorted({each.missing or each.ability for each in KINDS.values()}),
                }
            ],
            "wounds": ["Superficial"],
        },
    ),
    "prayers_on_test": Case(
        dice={name: ((1, f"Blessing: {kind.ability}"),) for name, kind in KINDS.items()},
        obstacle={},
        sheet={
            "prayers": [
                {"prayer": "blessing", "ability": ability, "dice": 1}
                for ability in sorted({kind.ability for kind in KINDS.values()})
            ],
            "wounds": ["Superficial"],
        },
    ),
    "mounted_on_test": Case(
        dice={},
        obstacle=every(tuple(KINDS), (2, "half out of the saddle")),
        sheet={"wounds": ["Superficial"]},
        scene={"riders": [{"rider": "ann", "mount": "bob", "half_out": True}]},
    ),
}
NAMES = [condition.__name__ for condition in CONDITIONS]


def at_table(case: Case, kind: Kind) -> BurningTable:
    return table(case.scene, kind.options, ann={**ANN, **case.sheet}, bob=BOB)


def run(at: BurningTable, kind: Kind) -> Played:
    return play(kind.procedure, kind.arguments, at, kind.answers)


def gathered(played: Played) -> DiceGathered:
    """What Ann had in hand in the end."""
    facts = [event.fact for event in played.events if isinstance(event, Tell)]
    return next(f for f in facts if isinstance(f, DiceGathered) and f.name == "Ann")


def said(lines: tuple[Line, ...]) -> tuple[Label, ...]:
    return tuple((line.amount, line.label) for line in lines)


def lines_of(name: str, at: BurningTable, kind: Kind) -> on_test.Lines:
    condition = next(each for each in CONDITIONS if each.__name__ == name)
    tested = at.character("ann").ability(kind.ability)
    target = "bob" if kind.ability == "Patter" or kind.missing else ""
    return condition(on_test.Tester("ann", tested, at, kind.missing, target))


def test_every_condition_has_a_case_here():
    assert set(NAMES) == set(CASES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_its_lines_are_in_the_tallies_of_every_kind_of_test(name: str, kind: str):
    case, test = CASES[name], KINDS[kind]
    dice, obstacle = case.dice.get(kind, ()), case.obstacle.get(kind, ())
    at = at_table(case, test)
    found = lines_of(name, at, test)
    assert (said(found.dice), said(found.obstacle)) == (dice, obstacle)
    fact = gathered(run(at, test))
    assert set(dice) <= set(said(fact.dice.lines))
    if test.shows_obstacle and obstacle:
        assert fact.obstacle is not None
        assert set(obstacle) <= set(said(fact.obstacle.lines))


@pytest.mark.parametrize("kind", ["open", "graduated"])
@pytest.mark.parametrize("name", NAMES)
def test_what_would_be_an_obstacle_takes_successes_where_there_is_none(name: str, kind: str):
    """tests.amb.open_test_disadvantage."""
    case, test = CASES[name], KINDS[kind]
    at = at_table(case, test)
    plain = play(test.procedure, test.arguments, at_table(Case({}, {}), test), rolls=[5])
    assert plain.outcome.result == 5
    on = [lines_of(each, at, test) for each in NAMES]
    dice = 5 + sum(line.amount for each in on for line in each.dice)
    lost = sum(line.amount for each in on for line in each.obstacle)
    hampered = play(test.procedure, test.arguments, at, rolls=[dice])
    assert lost > 0
    assert hampered.outcome.result == max(0, dice - lost)


@pytest.mark.parametrize("name", NAMES)
def test_a_side_whose_result_rides_has_the_obstacle_as_well(name: str):
    """tests.amb.ride_versus_new_opponent: no dice are added, but penalties still count."""
    case = CASES[name]
    ride = {"character": "ann", "ability": "Patter", "intent": "get in", "successes": 5}
    scene = {**case.scene, "rides": [{**ride, "passed": True}]}
    kind = Kind("versus_test", {"sides": [{**MINE, "riding": True}, THEIRS]})
    at = table(scene, None, ann={**ANN, **case.sheet}, bob=BOB)
    on = [lines_of(each, at, kind) for each in NAMES]
    lost = sum(line.amount for each in on for line in each.obstacle)
    played = play(kind.procedure, kind.arguments, at, rolls=[0])
    assert lost > 0
    assert played.outcome.counted[0] == 5 - lost
