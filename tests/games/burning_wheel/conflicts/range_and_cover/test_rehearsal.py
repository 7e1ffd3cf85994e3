"""Exact odds of one maneuver against another, and skirmishes by policies."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conflicts.range_and_cover.policies import (
    TEMPERAMENTS,
    at_random,
    by_heart,
    by_temperament,
    simulate,
    suggested,
)
from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import StartSkirmish
from astragal.play import Ask, Option, Script, exact, run
from games.burning_wheel.playing import somehow
from games.burning_wheel.skirmishing import archer, field, one_volley, sides


def start(mine: str, theirs: str, at=None, where: str = "extreme/extreme"):
    procedure = GAME.procedure("rehearse_maneuvers")
    both = [{"character": "ann", "maneuver": mine}, {"character": "bob", "maneuver": theirs}]
    typed = GAME.read({"sides": both, "start": where}, procedure.arguments, "arguments")
    return procedure.start(typed, at or field())


def binomial(dice: int) -> dict[int, Fraction]:
    """The successes of black dice, counted by hand: each shows 4 to 6 half the time."""
    return {n: Fraction(comb(dice, n), 2**dice) for n in range(dice + 1)}


def at_least(dice: int, successes: int) -> Fraction:
    return sum((chance for n, chance in binomial(dice).items() if n >= successes), Fraction())


def test_the_odds_of_a_close_and_of_its_shot_are_those_of_coins():
    """Speed 4 and 2 range dice each; then Bow 5 with the aim that is left, against Ob 2."""
    odds = exact(start("speed_close", "speed_maintain"), somehow)
    wins: dict[int, Fraction] = Counter()  # type: ignore[assignment]
    for mine, chance in binomial(6).items():
        for theirs, other in binomial(6).items():
            wins[mine - theirs] += chance * other
    won = sum(chance for lead, chance in wins.items() if lead > 0)
    assert odds.where(lambda o: o.winner == "ann") == won
    assert odds.where(lambda o: o.ranges == ("optimal", "optimal")) == won
    hit = Fraction()
    for lead, chance in wins.items():
        if lead > 0:  # a success for the shot, and up to two for aim
            hit += chance * at_least(5 + min(2, lead - 1), 2)
        if lead == 0:  # both shoot for nothing, at extreme range
            hit += chance * at_least(5, 3)
    assert odds.where(lambda o: o.hit[1]) == hit


def test_steel_that_does_not_reach_its_hesitation_is_in_the_odds():
    odds = exact(start("speed_maintain", "", None), somehow)
    assert odds.where(lambda o: o.winner == "ann") == 1
    at = field(archer("nothing"), archer(attributes={"Steel": "B3"}))
    steel = exact(start("speed_maintain", "steel_close", at), somehow)
    assert 0 < steel.where(lambda o: o.hesitates[1] == 5) < Fraction(1, 8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mine", "theirs"), [("speed_close", "steel_close"), ("speed_withdraw", "speed_maintain")]
)
def test_simulated_volleys_agree_with_the_exact_odds(mine, theirs):
    begin, runs = start(mine, theirs), 600
    odds = exact(begin, somehow)
    chance = Seeded(f"{mine} {theirs}")
    seen = Counter(run(begin, chance, somehow) for _ in range(runs))
    assert set(seen) <= set(odds.weights)
    expected = {o: float(odds.chance(o)) * runs for o in odds.weights}
    common = [o for o, number in expected.items() if number >= 5]
    statistic = sum((seen[o] - expected[o]) ** 2 / expected[o] for o in common)
    assert statistic < len(common) + 5 * (2 * len(common)) ** 0.5 + 5


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ({"maneuver": "sneak"}, "one of speed_close"),
        ({"cover_dice": 3, "maneuver": "speed_close"}, "0 to 2 dice"),
        ({"aim": -1, "maneuver": "speed_close"}, "0 to 10 dice"),
    ],
)
def test_what_cannot_be_rehearsed_is_refused(side, words):
    with pytest.raises(BadInput, match=words):
        one_volley(side.pop("maneuver"), "speed_maintain", [], one=side)
    with pytest.raises(BadInput, match="at least one maneuver"):
        one_volley("", "", [])


@pytest.mark.rules("range_and_cover.amb.groups")
def test_a_volley_is_rehearsed_by_exactly_two():
    procedure = GAME.procedure("rehearse_maneuvers")
    three = [{"character": who, "maneuver": "speed_close"} for who in ("ann", "bob", "cat")]
    for those in (three[:1], three):
        given = {"sides": those, "start": "extreme/extreme"}
        typed = GAME.read(given, procedure.arguments, "arguments")
        with pytest.raises(BadInput, match="exactly two sides"):
            run(procedure.start(typed, field()), Seeded("anything"), somehow)


# --- Policies --------------------------------------------------------------------------------


def test_skirmishes_by_policies_come_to_an_end_and_repeat_with_the_seed():
    typed = GAME.read({"sides": sides(), "rehearsal": True}, StartSkirmish, "arguments")

    def some() -> list[str]:
        chance = Seeded("twice")
        scripters = {"ann": by_temperament("bold", chance), "bob": at_random(chance)}
        many = simulate(typed, field(), scripters, chance)
        return [next(many).settled for _ in range(12)]

    first = some()
    assert first == some()
    assert set(first) <= {"felled", "melee", "escaped", "lost_to_sight"}


def script(*keys: str) -> Ask:
    cards = tuple(Option(key, key, "r") for key in (*keys, "give_up"))
    return Ask("ann", "script", "?", Script(cards=cards, slots=3), "r")


def test_every_temperament_scripts_what_can_be_scripted_and_never_gives_up():
    asked = script("speed_close", "speed_withdraw", "speed_maintain", "perception_maintain")
    for name in TEMPERAMENTS:
        written = by_temperament(name, Seeded("x"))(asked)
        assert asked.question.check(written)
        assert not {"give_up", "stealthy_close", "steel_close"} & set(written)
    offered = suggested(asked.question, Seeded("x"))
    assert [name for name, _ in offered] == list(TEMPERAMENTS)
    assert suggested(script("point", "avoid").question, Seeded("x")) == ()


def test_a_script_by_heart_is_three_maneuvers():
    with pytest.raises(BadInput, match="3 maneuvers"):
        by_heart(("speed_close",))
    with pytest.raises(BadInput, match="one of speed_close"):
        by_heart(("point", "avoid", "point"))
