"""The blow: what is open, how successes are divided, and what a defence takes away."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.weapons.blows import (
    Allocation,
    Landing,
    defended,
    divide,
    landed,
    with_late_successes,
)
from astragal.games.burning_wheel.weapons.damage import Stage, ims
from astragal.games.burning_wheel.weapons.locations import areas, move_cost
from astragal.play import Tally, best, defaults, exact
from games.burning_wheel.playing import Played, play, table

FENCER = {
    "stats": {"Power": "B4", "Agility": "B4"},
    "skills": {"Sword": "B6"},
    "weapons": ["sword", "dirk"],
}


def duel(options: dict[str, str] | None = None, **more: Any) -> BurningTable:
    return table(None, options, a={**FENCER, **more}, b={"player": "ben"})


def strike(at: BurningTable, successes: int, answers: Any = None, **more: Any) -> Played:
    arguments = {"character": "a", "target": "b", "weapon": "sword", **more}
    return play("strike", arguments, at, answers, [successes])


# --- One roll ------------------------------------------------------------------------------


@pytest.mark.rules("weapons.hit.one_roll", "weapons.hit.miss")
@pytest.mark.parametrize(
    ("successes", "number"), [(0, None), (1, 4), (2, 4), (3, 7), (4, 7), (5, 10), (6, 10)]
)
def test_one_roll_hits_and_hurts(successes: int, number: int | None) -> None:
    played = strike(duel(), successes)  # Power 4 and sword 3: B4/B7/B10, Add 2, Ob 1
    assert len(played.rolls) == 1
    assert played.outcome.passed is (number is not None)
    damage = played.outcome.damage
    assert (damage.number if damage else None) == number


@pytest.mark.rules("weapons.ims.superb_is_limit")
def test_nothing_is_above_superb() -> None:
    played = strike(duel(skills={"Sword": "B10"}), 10)
    assert (played.outcome.damage.stage, played.outcome.damage.number) == (Stage.SUPERB, 10)


def test_a_knife_needs_less() -> None:
    at = duel(skills={"Knives": "B4"})
    numbers = [strike(at, n, weapon="dirk").outcome.damage.number for n in (1, 2, 3, 4)]
    assert numbers == [3, 5, 7, 7]  # Power 4 and dirk 1, Add 1


@pytest.mark.rules("extended_example.strike.defense_raises_obstacle")
@pytest.mark.parametrize(
    ("defence", "log"), [(0, "routine"), (2, "difficult"), (4, "challenging"), (5, "challenging")]
)
def test_the_test_is_logged_once_against_obstacle_and_defence(defence: int, log: str) -> None:
    """Four dice against Ob 1 and what the defence takes, also where that is too much."""
    played = strike(duel(skills={"Sword": "B4"}), 4, {"defence": defence})
    marks = played.table.characters["a"].skills["Sword"].log
    assert played.outcome.earned == log
    assert (marks.routine + marks.difficult + marks.challenging, getattr(marks, log)) == (1, 1)


def test_luck_is_offered_even_when_every_die_is_a_success() -> None:
    at = duel(skills={"Sword": "B2"}, artha={"fate": 1})
    arguments = {"character": "a", "target": "b", "weapon": "sword"}
    played = play("strike", arguments, at, {"after_roll": "luck"}, [[6, 4], [4]])
    assert (played.outcome.successes, played.outcome.damage.number) == (3, 7)
    useless = play("strike", arguments, at, None, [[5, 4]]).asks["after_roll"]
    assert [o.note for o in useless.question.options if o.key == "luck"] == ["no sixes: no effect"]


# --- What is open --------------------------------------------------------------------------


@pytest.mark.rules("weapons.location.defender_declares")
def test_the_defender_says_what_is_open_before_any_dice() -> None:
    played = strike(duel(), 1, {"open": "legs"})
    assert played.seats["open"] == "ben"
    assert played.before_the_dice("open")
    assert played.outcome.damage.location == "legs"
    assert strike(duel(), 1).outcome.damage.location == "torso"


@pytest.mark.rules("weapons.location.left_right", "weapons.location.move_leg_to_leg")
def test_favoring_a_side_tells_left_from_right() -> None:
    answers = {"favors_side": True, "open": "left_leg", "aim": "right_leg"}
    played = strike(duel(), 2, answers)
    assert played.outcome.damage.location == "right_leg"
    with pytest.raises(BadInput, match="open: found 'left_leg'"):
        strike(duel(), 1, {"open": "left_leg"})
    with pytest.raises(BadInput, match="aim: found 'left_arm'"):  # two successes, and there is one
        strike(duel(), 2, {"favors_side": True, "open": "right_arm", "aim": "left_arm"})


@pytest.mark.rules("weapons.location.favoring_penalty")
def test_the_gm_may_find_that_favoring_a_side_hampers() -> None:
    played = strike(duel(), 1, {"favors_side": True, "favoring_hampers": True})
    assert played.seats["favoring_hampers"] == "gm"
    assert played.outcome.hampered.total == 1
    assert strike(duel(), 1, {"favors_side": True}).outcome.hampered.total == 0
    assert "favoring_hampers" not in strike(duel(), 1).asked


# --- Dividing ------------------------------------------------------------------------------


@pytest.mark.rules(
    "weapons.location.attacker_allocates",
    "weapons.location.aim_not_damage",
    "weapons.location.rest_to_damage",
    "weapons.melee.extra_successes_two_uses",
)
@given(st.sampled_from(areas()), st.sampled_from(areas()), st.integers(0, 8))
def test_every_extra_success_goes_to_aim_or_to_damage(here: str, there: str, extra: int) -> None:
    cost = move_cost(here, there)
    if cost > extra:
        with pytest.raises(BadInput, match="only_extras"):
            divide(here, there, extra)
    else:
        divided = divide(here, there, extra)
        assert (divided.aim, divided.damage) == (cost, extra - cost)
        assert divided.extra == extra


@pytest.mark.rules("weapons.location.attacker_allocates")
def test_the_attacker_divides_after_his_roll_and_before_the_defence() -> None:
    played = strike(duel(), 4, {"aim": "head"})
    assert played.seats["aim"] == "a"
    assert played.asked.index("aim") < played.asked.index("defence")
    assert not played.before_the_dice("aim")
    # Three extra successes, one of them on the head: two for damage, a Mark.
    assert (played.outcome.damage.location, played.outcome.damage.number) == ("head", 7)
    assert (played.outcome.ims, played.outcome.for_damage) == ("B4/B7/B10", 2)
    assert "(IMS B4/B7/B10; 2 extra for damage, Add 2)" in played.told


@pytest.mark.rules("weapons.location.only_extras")
def test_with_a_bare_hit_there_is_nothing_to_divide() -> None:
    assert "aim" not in strike(duel(), 1).asked
    offered = strike(duel(), 2, {"open": "head"}).asks["aim"].question
    assert [option.key for option in offered.options] == ["head", "torso", "arms"]  # type: ignore[attr-defined]


# --- Defence -------------------------------------------------------------------------------


@pytest.mark.rules("weapons.defense.knocks_off_extras", "weapons.defense.restores_location")
@pytest.mark.parametrize(
    ("taken", "location", "number"),
    [
        # Six successes against Ob 1, from legs to head for two: three left for damage.
        (0, "head", 7),
        (1, "legs", 7),  # the aim is short of its price and wasted
        (2, "legs", 7),
        (3, "legs", 7),  # two on damage
        (4, "legs", 4),  # one
        (5, "legs", 4),  # none, but it hits
        (6, None, None),
    ],
)
def test_a_defence_takes_the_aim_first_then_damage_then_the_hit(
    taken: int, location: str | None, number: int | None
) -> None:
    answers = {"open": "legs", "aim": "head", "defence": taken}
    played = strike(duel(), 6, answers)
    damage = played.outcome.damage
    found = (damage.location, damage.number) if damage else (None, None)
    assert found == (location, number)
    assert ("The defence turns the blow back: legs." in played.told) is (location == "legs")


@pytest.mark.rules("weapons.hit.miss", "weapons.defense.knocks_off_extras")
@given(st.integers(0, 3), st.integers(0, 6), st.integers(0, 12))
def test_a_blow_lands_exactly_while_successes_are_left(aim: int, damage: int, taken: int) -> None:
    blow = defended(Allocation("legs", "head" if aim else "legs", aim, damage), taken)
    left = aim + damage - taken
    assert blow.hits is (left >= 0)
    assert blow.lacking == max(0, -left)
    assert (landed(blow, 2, ims(7), Tally()) is not None) is blow.hits
    assert 0 <= blow.damage <= damage


def test_dividing_after_the_defence_is_a_reading() -> None:
    late = {"weapons_allocation_time": "after_defence"}
    played = strike(duel(late), 6, {"open": "legs", "aim": "head", "defence": 3})
    assert played.asked.index("defence") < played.asked.index("aim")
    # Two extra successes are left, and both go into the head.
    assert (played.outcome.damage.location, played.outcome.damage.number) == ("head", 4)
    early = {"weapons_allocation_time": "before_defence"}
    played = strike(duel(early), 6, {"open": "legs", "aim": "head", "defence": 3})
    assert (played.outcome.damage.location, played.outcome.damage.number) == ("legs", 7)
    assert not strike(duel(late), 2, {"defence": 2}).outcome.passed


# --- A blow that was rolled elsewhere ------------------------------------------------------


def blow(at: BurningTable, answers: Any = None, **more: Any) -> Played:
    return play("blow", {"character": "a", "target": "b", "weapon": "sword", **more}, at, answers)


@pytest.mark.rules("weapons.location.attacker_allocates")
def test_successes_that_come_later_are_divided_when_they_come() -> None:
    # Two successes, all of them and one more taken away; one gained later makes the hit good.
    made_good = blow(duel(), successes=2, defence=2, later=1)
    assert (made_good.outcome.damage.number, made_good.outcome.damage.location) == (4, "torso")
    assert not blow(duel(), successes=2, defence=2).outcome.passed
    # With one more to spare it may be aimed, or go into damage.
    aimed = blow(duel(), {"aim#2": "head"}, successes=2, defence=2, later=2)
    assert aimed.outcome.damage.location == "head"
    deeper = blow(duel(), successes=2, defence=1, later=2)
    assert (deeper.outcome.damage.stage, deeper.outcome.damage.location) == (Stage.MARK, "torso")
    missed = blow(duel(), successes=0, later=1)
    assert missed.outcome.damage.number == 4
    everything = blow(
        duel({"weapons_allocation_time": "after_defence"}),
        {"aim": "head"},
        successes=4,
        defence=1,
        later=1,
    )
    # 3 extra, less 1, and 1 more: one on the head, two on damage.
    assert everything.outcome.damage.location == "head"
    assert everything.outcome.damage.stage is Stage.MARK


@given(st.integers(0, 6), st.integers(0, 6))
def test_late_successes_fill_the_gap_first(lacking: int, gained: int) -> None:
    blow, free = with_late_successes(Landing("torso", 0, lacking), gained)
    assert blow.lacking == max(0, lacking - gained)
    assert free == max(0, gained - lacking)


def test_impossible_numbers_are_refused() -> None:
    for wrong in ({"successes": -1}, {"obstacle": 0}, {"defence": 1000}, {"later": -3}):
        with pytest.raises(BadInput, match=next(iter(wrong))):
            blow(duel(), **{"successes": 3, **wrong})
    with pytest.raises(BadInput, match="target: found 'c'"):
        blow(duel(), successes=1, target="c")


# --- Lighter Power -------------------------------------------------------------------------


def test_gray_power_may_go_into_a_blow_and_shatter_the_weapon() -> None:
    hero = duel(stats={"Power": "G4", "Agility": "B4"})
    asked = strike(hero, 3, {"power_bonus": True})
    assert asked.outcome.damage.number == 9  # 4 + 2 + 3
    assert len(asked.table.characters["a"].weapons) == 2
    assert strike(hero, 3).outcome.damage.number == 7
    gone = strike(hero, 0, {"power_bonus": True})
    assert [each.weapon for each in gone.table.characters["a"].weapons] == ["dirk"]
    parried = strike(hero, 3, {"power_bonus": True, "defence": 3})
    assert [each.weapon for each in parried.table.characters["a"].weapons] == ["dirk"]
    held = strike(hero, 3, {"power_bonus": True, "defence": 2})
    assert len(held.table.characters["a"].weapons) == 2


# --- Odds ----------------------------------------------------------------------------------


def start(at: BurningTable, **more: Any) -> Any:
    procedure = GAME.procedure("strike")
    arguments = {"character": "a", "target": "b", "weapon": "sword", **more}
    return procedure.start(GAME.read(arguments, procedure.arguments, "arguments"), at)


def test_the_odds_of_a_strike_are_those_of_its_dice() -> None:
    at = duel(skills={"Sword": "B4"})
    began = time.process_time()
    odds = exact(start(at), defaults)
    elapsed = time.process_time() - began
    by_number: dict[int | None, int] = {}
    for outcome, weight in odds.weights.items():
        number = outcome.damage.number if outcome.damage else None
        by_number[number] = by_number.get(number, 0) + weight
    # Four dice at one in two: 1, 4, 6, 4, 1 of sixteen for 0 to 4 successes against Ob 1.
    assert by_number == {None: 1, 4: 10, 7: 5}
    assert elapsed < 1


def test_advice_on_where_to_strike_takes_no_time() -> None:
    at = duel(skills={"Sword": "B6"}, artha={"fate": 1, "persona": 1, "deeds": 0})
    began = time.process_time()
    advice = best(start(at), {"a": lambda outcome: int(outcome.passed)}, about=("boon",))
    assert time.process_time() - began < 2
    # A miss takes six dice without a success, or seven with the die that persona buys.
    assert {c.answer: c.worth for c in advice.choices} == {
        0: Fraction(63, 64),
        1: Fraction(127, 128),
    }


@pytest.mark.rules("injury.steel.option_arm", "weapons.location.defender_declares")
def test_what_is_open_is_offered_where_it_makes_a_difference():
    """To one without armor it makes none, unless arms and legs can fail."""
    plain = strike(duel(), 1).asks["open"].kind
    argh = table({"argh_my_arm": True}, None, a=FENCER, b={"player": "ben"})
    clad = table(a=FENCER, b={"player": "ben", "armor": "chainmail"})
    shown = [strike(at, 1).asks["open"].kind for at in (argh, clad)]
    assert (plain, shown) == ("aside", ["offered", "offered"])
