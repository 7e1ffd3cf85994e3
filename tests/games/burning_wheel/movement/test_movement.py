"""Paces, the sprint, and the dice of a better multiplier."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.movement.movement import (
    flight,
    multiplier,
    multiplier_dice,
    parse_distance,
    positioning_dice,
    sizes,
    sprint_paces,
)
from astragal.play import Line, Play, Scripted, Step, run, then
from astragal.rules import catalogue
from games.burning_wheel.playing import Played, play, sheet, table

RULE = "fight.position.bonus.speed_multiplier"


def runs(body: str = "Man", speed: str = "B4", **more: Any) -> dict[str, Any]:
    return {"body_type": body, "stats": {"Speed": speed}, **more}


def sprinted(who: dict[str, Any], **more: Any) -> Played:
    return play("sprint", {"character": "runner", **more}, table(runner=who))


# --- The pace ------------------------------------------------------------------------------


@pytest.mark.rules("movement.pace.feet_and_mile", "movement.pace.used_for")
@pytest.mark.parametrize(
    ("said", "paces"),
    [
        ("1", 1),
        ("7 paces", 7),
        ("1 pace", 1),
        ("3 feet", 1),
        ("1 foot", Fraction(1, 3)),
        ("1 mile", 1760),
        ("0.5 miles", 880),
        (" 10.5 Paces ", Fraction(21, 2)),
    ],
)
def test_every_distance_is_read_in_paces(said: str, paces: Fraction | int):
    assert parse_distance(said) == paces


@pytest.mark.rules("movement.pace.used_for")
@pytest.mark.parametrize("said", ["", "far", "3 furlongs", "-3 paces", "paces"])
def test_what_is_no_distance_is_refused(said: str):
    with pytest.raises(BadInput, match=r"^distance: found .*paces, feet or miles.*used_for"):
        parse_distance(said)


@pytest.mark.rules("movement.pace.standard")
def test_a_pace_is_the_same_for_every_stock():
    """Whoever runs, 7 paces are 21 feet, and heights are told in the same paces."""
    for body, speed in (("Man", "B2"), ("Troll", "B2"), ("Great Wolf", "B1")):
        run_ = sprinted(runs(body, speed), distance="21 feet")
        assert (run_.outcome.paces, run_.outcome.reached) == (7.0, True)
        assert not sprinted(runs(body, speed), distance="21.1 feet").outcome.reached
    assert sizes()["Dwarf, height"] == "1.5"
    assert sizes()["Troll, height"] == "3"


# --- The sprint ----------------------------------------------------------------------------


@pytest.mark.rules("movement.rate.formula", "movement.rate.multiplier_common")
@pytest.mark.parametrize("body", ["Man", "Elf", "Orc", "Roden", "Troll"])
def test_a_sprint_of_the_common_bodies_is_as_the_table_has_it(body: str):
    for row in catalogue().table("movement.table.sprint_3_5").records():
        paces = sprint_paces(sheet(**runs(body, str(row["speed"]))))
        assert float(paces) == row["paces_in_one_exchange"]


@pytest.mark.rules("movement.rate.multiplier_others", "movement.rate.formula")
@pytest.mark.parametrize(
    ("body", "paces"),
    [("Dwarf", 12), ("great spider", 16), ("Great Wolf", 28), ("HORSE", 32)],
)
def test_other_bodies_have_multipliers_of_their_own(body: str, paces: int):
    """movement.amb.other_multipliers: 3, 4, 7 and 8."""
    assert sprint_paces(sheet(**runs(body))) == paces
    assert sprinted(runs(body), exchanges=5).outcome.paces == 5 * paces
    assert sprinted(runs(body), exchanges=5).outcome.seconds == 15


@pytest.mark.rules("movement.rate.multiplier_others")
def test_a_body_of_its_own_brings_its_multiplier():
    giraffe = runs("giraffe", "B3", speed_multiplier=6.1)
    assert sprint_paces(sheet(**giraffe)) == Fraction(183, 10)
    assert multiplier(sheet()) == Fraction(7, 2)
    with pytest.raises(BadInput, match=r"^Rich.body_type: found 'giraffe', expected one of Man"):
        sheet(**runs("giraffe"))
    for wrong in (-1, 21, float("inf")):
        with pytest.raises(BadInput, match=r"^Rich.speed_multiplier: found .*0 \(by the body"):
            sheet(speed_multiplier=wrong)


@pytest.mark.rules("movement.rate.multiplier_is_maximum")
@given(st.integers(0, 10), st.sampled_from(["Man", "Dwarf", "Horse"]), st.integers(1, 50))
def test_nobody_gets_further_than_a_full_sprint(speed: int, body: str, exchanges: int):
    who = runs(body, f"B{speed}")
    most = {"Man": Fraction(7, 2), "Dwarf": Fraction(3), "Horse": Fraction(8)}[body]
    most *= speed * exchanges
    assert sprinted(who, exchanges=exchanges, distance=f"{float(most)} paces").outcome.reached
    beyond = f"{float(most + Fraction(1, 2))} paces"
    there = sprinted(who, exchanges=exchanges, distance=beyond)
    assert there.outcome.reached is False
    assert "up to" in there.told
    assert "not far enough" in there.told


@pytest.mark.rules("movement.rate.formula")
@pytest.mark.parametrize(
    ("body", "speed", "distance", "seconds"),
    [
        ("Man", "B4", "14 paces", 3),  # the table: 14 paces in an exchange of three seconds
        ("Man", "B4", "42 paces", 9),
        ("Man", "B4", "7 paces", 1.5),
        ("Dwarf", "B4", "100 paces", 25),
        ("Horse", "B5", "1 mile", 132),  # 1760 paces by 40 in three seconds
        ("Man", "B4", "0 paces", 0),
        ("Man", "B0", "1 pace", None),
    ],
)
def test_the_time_for_a_distance(body: str, speed: str, distance: str, seconds: float | None):
    run = sprinted(runs(body, speed), distance=distance)
    assert run.outcome.needed == seconds
    assert (f"takes at least {seconds} seconds" in run.told) is (seconds is not None)
    assert sprinted(runs(body, speed)).outcome.needed is None


@pytest.mark.parametrize("exchanges", [0, -1, 1001])
def test_a_sprint_takes_an_exchange_at_least(exchanges: int):
    with pytest.raises(BadInput, match=r"^exchanges: found .*1 to 1000"):
        sprinted(runs(), exchanges=exchanges)


def test_without_speed_nobody_sprints():
    with pytest.raises(BadInput, match=r"^stats.Speed: found 'Speed', expected an ability"):
        sprinted({"stats": {"Will": "B4"}})
    with pytest.raises(BadInput, match=r"^character: found 'nobody'"):
        play("sprint", {"character": "nobody"}, table(runner=runs()))


@pytest.mark.rules("movement.run_screaming.distance")
def test_running_and_screaming_is_a_full_sprint():
    assert flight(sheet(**runs("Dwarf", "B5"))) == 15
    assert flight(sheet()) is None
    at = table(dwarf={**runs("Dwarf", "B5"), "attributes": {"Steel": "B1"}})
    fright = {"character": "dwarf", "cause": "fear", "source": "a dragon"}
    said = {"reaction": "run_screaming", "hesitation": 4}
    assert "about 15 paces away" in play("steel_test", fright, at, said, [0]).told
    stood = play("steel_test", fright, at, {"hesitation": 4}, [0])
    assert "paces" not in stood.told


# --- Multipliers and positioning -----------------------------------------------------------


def dice(*multipliers: float, generous: bool = False) -> list[int]:
    named = {str(at): Fraction(str(each)) for at, each in enumerate(multipliers)}
    found = multiplier_dice(named, rule=RULE, generous=generous)
    return [found[name].amount if name in found else 0 for name in named]


@pytest.mark.rules("movement.position.several_multipliers")
@pytest.mark.parametrize(
    ("multipliers", "expected"),
    [
        ((3.5, 3.5), [0, 0]),
        ((3.5, 3), [1, 0]),
        ((3, 3.5, 3), [0, 1, 0]),
        ((3, 4, 3.5), [0, 2, 1]),
        ((8, 7, 4, 3.5, 3), [2, 1, 0, 0, 0]),
        ((8, 8, 7, 7, 3), [2, 2, 1, 1, 0]),
        ((3,), [0]),
        ((), []),
    ],
)
def test_the_higher_of_two_has_a_die_and_of_more_the_two_highest(
    multipliers: tuple[float, ...], expected: list[int]
):
    """movement.amb.more_than_three_multipliers."""
    assert dice(*multipliers) == expected


@pytest.mark.rules("movement.position.more_than_double")
@pytest.mark.parametrize(
    ("multipliers", "expected"),
    [
        ((7, 3.5), [1, 0]),  # double is not more than double
        ((7, 3), [2, 0]),
        ((8, 3.5), [2, 0]),
        ((8, 3.5, 3), [2, 1, 0]),  # movement.amb.double_and_several: never more than two
        ((8, 7, 3), [2, 1, 0]),
    ],
)
def test_more_than_double_may_be_worth_two(multipliers: tuple[float, ...], expected: list[int]):
    assert dice(*multipliers, generous=True) == expected
    assert max(dice(*multipliers)) == (1 if len(multipliers) == 2 else 2)


def positioned(answers: dict[str, Any], **bodies: str) -> dict[str, Line]:
    at = table(**{name: runs(body) for name, body in bodies.items()})

    def it() -> Step[dict[str, Line]]:
        return (yield from positioning_dice(tuple(bodies), at, RULE))

    def whole() -> Play[tuple[tuple[str, Line], ...]]:
        return tuple((yield from it()).items())

    scripted = Scripted(answers)
    found = dict(run(then(whole), Seeded("any"), scripted))
    assert not scripted.unused
    return found


@pytest.mark.rules("movement.position.several_multipliers")
def test_among_three_multipliers_the_gm_is_not_asked_about_more_than_double():
    """movement.amb.double_and_several: x3, x7 and x8, and two dice are the most there is."""
    at = {"dwarf": "Dwarf", "wolf": "Great Wolf", "horse": "Horse"}
    assert {name: line.amount for name, line in positioned({}, **at).items()} == {
        "horse": 2,
        "wolf": 1,
    }
    with pytest.raises(AssertionError):  # an answer that nobody asked for
        positioned({"double_multiplier": True}, **at)


@pytest.mark.rules("movement.position.more_than_double", "movement.position.not_measured")
def test_in_positioning_the_gm_decides_about_more_than_double():
    assert positioned({}, man="Man", dwarf="Dwarf")["man"].amount == 1
    assert positioned({}, man="Man", dwarf="Dwarf")["man"].rule == RULE
    assert positioned({}, horse="Horse", man="Man")["horse"].amount == 1
    generous = positioned({"double_multiplier": True}, horse="Horse", man="Man")
    assert generous == {
        "horse": Line(2, "Speed multiplier x8", "movement.position.more_than_double")
    }
    ranked = positioned({}, horse="Horse", man="Man", dwarf="Dwarf")
    assert {name: line.amount for name, line in ranked.items()} == {"horse": 2, "man": 1}


def test_the_sheet_is_written_and_read_again():
    who = sheet(body_type="great wolf", speed_multiplier=6.5)
    assert GAME.read_sheet(GAME.write(who), "again") == who


@pytest.mark.rules("fight.position.bonus.speed_multiplier", "movement.position.several_multipliers")
def test_the_table_can_ask_who_has_dice_for_a_better_multiplier():
    """A man runs at 3.5, a Dwarf at 3, a wolf at 7: twice the man's, but not more than twice."""
    at = table(man=runs(), dwarf=runs("Dwarf"), wolf=runs("Great Wolf"), horse=runs("Horse"))

    def asked(*names: str) -> Played:
        return play("speed_dice", {"characters": names}, at)

    assert asked("man", "dwarf").outcome.dice == (("man", 1),)
    assert asked("wolf", "man").outcome.dice == (("wolf", 1),)
    assert asked("horse", "man").outcome.dice == (("horse", 1),)  # more only if the GM says so
    three = asked("dwarf", "man", "wolf")
    assert three.outcome.dice == (("man", 1), ("wolf", 2))
    assert "Wolf: +2D for positioning (Speed multiplier x7)." in three.told
    for alone in (("man",), ("man", "man")):
        with pytest.raises(BadInput, match="at least two characters"):
            asked(*alone)
