"""A defence with a shield: whose dice, against what, and how the shield fails."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.armor.shields import (
    IncomingAttack,
    Maneuver,
    ShieldDefence,
    gets_dice,
    may_block,
    shield_help,
)
from astragal.games.burning_wheel.sheet.armor_tables import shield_dice, shield_kinds
from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.play import Tell, defaults, exact
from games.burning_wheel.playing import AnyRolls, Played, play, sheet, table

TRAINED = ("Shield Training",)
TRUE_SHIELDS = ("buckler", "target", "heater", "great_shield")


def bearer(shield: Any = "target", **more: Any) -> BurningTable:
    return table(mara={"skills": {"Sword": "B4"}, "shield": shield, "training": TRAINED, **more})


def defend(
    at: BurningTable, rolls: AnyRolls, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    said = {"character": "mara", "skill": "Sword", "attack": 3, **more}
    return play("shield_defence", said, at, answers, rolls)


def helps(incoming: IncomingAttack, maneuver: Maneuver = Maneuver.BLOCK, **raw: Any) -> int:
    return shield_help(sheet(**{"training": TRAINED, **raw}), maneuver, incoming).total


# --- Whose dice ------------------------------------------------------------------------------


@pytest.mark.rules("armor.shield.block_dice", "armor.shield.counterstrike_dice")
def test_all_sources_of_the_dice_are_told_before_they_are_divided():
    at = bearer(wounds=["Light"], skills={"Sword": "B6", "Brawling": "B3"})
    said = {"forks": ["Brawling"]}
    block = defend(at, [0, 0], said)
    assert "rolls 9D = 6 Sword - 1 Light wound + 1 FoRK: Brawling + 3 target" in block.told
    both = defend(at, [0, 0, 0], {**said, "split": [4, 2]}, maneuver="counterstrike")
    assert "Mara divides 6D = 6 Sword - 1 Light wound + 1 FoRK: Brawling" in both.told
    assert "rolls 7D = 4 Sword + 3 target" in both.told


@pytest.mark.rules("armor.shield.block_dice", "tests.beginner.double_base_obstacle")
@pytest.mark.parametrize(("rolled", "counts"), [(3, 1), (4, 2)])
def test_half_the_successes_of_a_beginner_count_in_a_block(rolled, counts):
    at = table(mara={"stats": {"Agility": "B4"}})
    run = defend(at, [rolled], {"roots": ["Agility"]})
    assert (run.outcome.successes, run.outcome.remaining) == (counts, 3 - counts)


@pytest.mark.rules("armor.shield.block_dice")
def test_a_block_rolls_skill_and_shield_and_all_successes_come_off_the_attack():
    run = defend(bearer(), [2, 1], attack=5)
    assert run.outcome.dice.total == 4 + 3
    assert "rolls 7D = 4 Sword + 3 target" in run.told
    assert [roll.expression.notation for roll in run.rolls] == ["3B: with ones", "4B"]
    assert (run.outcome.successes, run.outcome.remaining, run.outcome.passed) == (3, 2, False)
    assert defend(bearer(), [2, 1], attack=3).outcome.passed
    worn = bearer({"kind": "target", "lost": 1})
    assert defend(worn, [0, 0]).outcome.dice.total == 4 + 2
    alone = table(mara={"skills": {"Sword": "B4"}})
    assert defend(alone, [2]).outcome.remaining == 1


@pytest.mark.rules(
    "armor.shield.training_benefit",
    "armor.shield.untrained_block_only",
    "armor.shield.counterstrike_dice",
    "armor.shield.never_avoid",
    "armor.shield.role",
)
@pytest.mark.parametrize(
    ("maneuver", "trained", "untrained"),
    [
        (Maneuver.BLOCK, True, True),
        (Maneuver.COUNTERSTRIKE, True, False),
        (Maneuver.RIPOSTE, False, False),
        (Maneuver.BLOCK_HALF, True, False),
        (Maneuver.STRIKE_HALF, False, False),
        (Maneuver.AVOID, False, False),
        (Maneuver.OTHER, False, False),
        (Maneuver.COVER, True, True),
    ],
)
def test_which_maneuvers_get_shield_dice(maneuver: Maneuver, trained: bool, untrained: bool):
    assert gets_dice(sheet(training=TRAINED), maneuver) is trained
    assert gets_dice(sheet(), maneuver) is untrained
    assert helps(IncomingAttack(), maneuver, shield="target") == (3 if trained else 0)
    assert helps(IncomingAttack(), maneuver, shield="target", training=()) == (
        3 if untrained else 0
    )


@pytest.mark.rules("armor.shield.counterstrike_dice")
def test_the_shield_goes_to_the_defending_half_of_a_counterstrike():
    run = defend(bearer(), [2, 1, 3], {"split": [1, 3]}, maneuver="counterstrike", attack=3)
    assert [roll.expression.notation for roll in run.rolls] == ["3B: with ones", "1B", "3B"]
    assert (run.outcome.successes, run.outcome.riposte_dice, run.outcome.riposte) == (3, 3, 3)
    untrained = bearer(training=())
    run = defend(untrained, [1, 2], {"split": [2, 2]}, maneuver="counterstrike")
    assert [roll.expression.notation for roll in run.rolls] == ["2B", "2B"]
    with pytest.raises(BadInput, match="split"):
        defend(bearer(), [], {"split": [4, 0]}, maneuver="counterstrike")
    two = defend(bearer(skills={"Sword": "B2"}), [0, 1, 1], maneuver="counterstrike")
    assert (two.outcome.dice.total, two.outcome.riposte_dice) == (1 + 3, 1)


@pytest.mark.rules("armor.shield.feint_beats")
@pytest.mark.parametrize("maneuver", ["block", "counterstrike"])
def test_a_feint_beats_a_defence_shield_and_all(maneuver: str):
    run = defend(bearer(), [], maneuver=maneuver, feinted=True)
    assert (run.outcome.rolled, run.outcome.remaining, run.outcome.passed) == (False, 3, False)


@pytest.mark.rules("armor.shield.block_great_strike", "armor.shield.parrying_blade_no_great_strike")
@pytest.mark.parametrize("kind", shield_kinds())
def test_only_a_true_shield_blocks_a_great_strike(kind: str):
    blocks = kind in TRUE_SHIELDS
    run = defend(bearer(kind), [1, 1] if blocks else [], great_strike=True)
    assert (run.outcome.rolled, run.outcome.remaining) == ((True, 1) if blocks else (False, 3))
    assert defend(bearer(kind), [1, 1]).outcome.rolled  # anything Blocks a plain blow
    assert not may_block(sheet(), IncomingAttack(great_strike=True))


# --- Against what ----------------------------------------------------------------------------


@pytest.mark.rules("armor.shield.va_reduces_dice", "armor.shield.va_minimum_one")
@pytest.mark.parametrize(("va", "dice"), [(0, 3), (1, 2), (2, 1), (3, 1), (9, 1)])
def test_va_takes_shield_dice_but_leaves_one(va: int, dice: int):
    run = defend(bearer(), [1, 1], va=va, attack=2)
    assert run.outcome.dice.total == 4 + dice
    assert run.outcome.passed  # and no obstacle is any higher


@pytest.mark.rules("armor.anti_shield.articulated", "armor.anti_shield.inside")
@pytest.mark.parametrize("how", ["articulated", "inside"])
def test_flails_and_the_inside_leave_only_skill_dice(how: str):
    run = defend(bearer(), [2], **{how: True})
    assert (run.outcome.dice.total, run.outcome.remaining) == (4, 1)
    for maneuver in Maneuver:
        assert helps(IncomingAttack(**{how: True}), maneuver, shield="target") == 0
    assert not defend(bearer(), [], great_strike=True, **{how: True}).outcome.rolled


@pytest.mark.rules("armor.shield_missile.no_active_block")
def test_no_shield_blocks_a_missile():
    with pytest.raises(NotAllowed, match=r"armor\.shield_missile\.no_active_block"):
        defend(bearer(), [], missile=True)


# --- Failure ---------------------------------------------------------------------------------


@pytest.mark.rules("armor.shield.damage_ones")
def test_ones_on_the_shields_own_dice_damage_it_and_ones_of_skill_do_not():
    run = defend(bearer(), [[2, 2, 2], [1, 1, 1, 1]])
    assert (run.outcome.shield_lost, run.outcome.shield_left) == (0, 3)
    run = defend(bearer(), [[1, 2, 2], [5, 5, 5, 5]])
    assert (run.outcome.shield_lost, run.outcome.shield_left) == (1, 2)
    assert defend(run.table, [0, 0]).outcome.dice.total == 4 + 2  # for all later tests


@pytest.mark.rules("armor.shield.quality")
def test_shields_have_qualities_like_armor():
    for quality, lost in (("poor", 3), ("run_of_the_mill", 1)):
        at = bearer({"kind": "target", "quality": quality})
        assert defend(at, [[1, 1, 1], 0]).outcome.shield_lost == lost
    superior = bearer({"kind": "target", "quality": "superior"})
    assert defend(superior, [[1, 1, 1], 0, [2]]).outcome.shield_lost == 0
    assert defend(superior, [[1, 1, 1], 0, [1]]).outcome.shield_lost == 1


def test_a_darker_attack_does_not_damage_a_shield_and_a_lighter_one_does():
    gray = {"kind": "target", "shade": "G"}
    assert defend(bearer(gray), [[1, 1, 3], 0], shade="B").outcome.shield_lost == 0
    run = defend(bearer(gray), [[1, 1, 3], 0], shade="W")
    assert (run.outcome.shield_lost, run.outcome.successes) == (1, 1)  # and 3 is a success


@pytest.mark.rules("armor.shield.destroyed", "armor.shield.destroyed_hindrance")
def test_a_shield_without_dice_is_useless_and_in_the_way():
    run = defend(bearer("parrying blade"), [[1], 2])
    assert (run.outcome.shield_left, "destroyed" in run.told) == (0, True)
    assert run.behind("is destroyed") == ["armor.shield.destroyed"]
    damaged = defend(bearer("buckler"), [[1, 4], 2])
    assert damaged.behind("is damaged") == ["armor.shield.damage_ones"]
    after = defend(run.table, [3], attack=3)
    assert after.outcome.dice.total == 4
    assert after.outcome.successes == 2  # +1 Ob takes a success off what only reduces


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), max_size=10))
def test_shield_dice_never_go_below_zero_or_come_back(blows: list[tuple[int, int]]):
    at = bearer({"kind": "great_shield", "quality": "poor"})
    before = 5
    for va, face in blows:
        rolled = max(1, before - va) if before else 0
        rolls: list[Any] = [[face] * rolled, 0] if rolled else [0]
        at = defend(at, rolls, va=va).table
        shield = at.character("mara").shield
        assert shield is not None
        after = shield_dice(shield).total
        assert after == before - (rolled if face == 1 else 0)
        assert 0 <= after <= before
        before = after


# --- Artha, growth, odds, bad input ----------------------------------------------------------


def test_luck_and_saving_grace_reach_skill_and_shield_dice_together():
    at = bearer(artha={"fate": 1, "deeds": 1})
    answers = {"after_roll": "saving_grace", "after_roll#2": "luck"}
    rolls = [[1, 2, 6], [2, 2, 2, 5], [4, 1], [6, 2, 2], [4, 5]]
    run = defend(at, rolls, answers, attack=9)
    assert run.outcome.successes == 1 + 1 + 1 + 1 + 2  # then one die for each of the two sixes
    assert run.outcome.shield_lost == 1  # a new one on the reroll
    assert run.table.character("mara").artha.fate == run.table.character("mara").artha.deeds == 0


@pytest.mark.rules("artha.spend.two_deeds", "artha.saving_grace.effect")
@pytest.mark.parametrize(("first", "second"), [("nothing", "saving_grace"), ("saving_grace", None)])
def test_one_saving_grace_for_both_halves_of_a_counterstrike(first: str, second: str | None):
    """Two deeds at hand; what was not bought on the defence can be bought on the riposte."""
    at = bearer(artha={"deeds": 2})
    answers = {"split": [1, 3], "after_roll": first}
    again = [[2, 2, 2], [5]] if first == "saving_grace" else []
    rolls = [[2, 2, 2], [2], *again, [2, 2, 2]]
    if second:
        answers["after_roll#2"], rolls = second, [*rolls, [4, 5, 6]]
    run = defend(at, rolls, answers, maneuver="counterstrike", attack=3)
    assert run.asked.count("after_roll") == (2 if second else 1)
    assert (run.outcome.successes, run.outcome.riposte) == ((0, 3) if second else (1, 0))
    assert run.table.character("mara").artha.deeds == 1


@pytest.mark.rules("beliefs.trait.call_on.once_per_session")
@pytest.mark.parametrize("half", ["defence", "riposte"])
def test_a_trait_is_called_on_for_one_half_of_a_counterstrike_and_marked(half: str):
    """The failed dice of that half are rolled again: three of the shield and one, or three."""
    at = bearer(traits=[{"name": "Calm", "kind": "call_on"}])
    answers, rolls = {"split": [1, 3], "after_roll": "call_on:Calm"}, [[2, 2, 2], [2]]
    if half == "defence":
        rolls += [[4, 5, 2], [2], [2, 2, 2]]
    else:
        answers |= {"after_roll": "nothing", "after_roll#2": "call_on:Calm"}
        rolls += [[2, 2, 2], [4, 5, 2]]
    run = defend(at, rolls, answers, maneuver="counterstrike", attack=3)
    assert run.asked.count("after_roll") == (1 if half == "defence" else 2)
    assert (run.outcome.successes, run.outcome.riposte) == ((2, 0) if half == "defence" else (0, 2))
    (trait,) = run.table.character("mara").traits
    assert trait.called_this_session


@pytest.mark.parametrize(("attack", "stopped"), [(3, True), (4, False)])
def test_it_is_told_whether_the_attack_is_stopped(attack: int, stopped: bool):
    run = defend(bearer(), [2, 1], attack=attack)
    (came,) = [e.fact for e in run.events if isinstance(e, Tell) and isinstance(e.fact, TestCame)]
    assert (came.passed, "The attack is stopped." in run.told) == (stopped, stopped)
    assert ("Successes left of the attack: 1." in run.told) is not stopped


def test_shield_dice_count_for_the_class_of_the_test():
    # 4 dice against 4 would be difficult; with the shield's 3 it is routine (6 or 7 dice).
    run = defend(bearer(), [0, 0], attack=4)
    assert run.table.character("mara").skills["Sword"].log.routine == 1
    alone = defend(table(mara={"skills": {"Sword": "B4"}}), [0], attack=4)
    assert alone.table.character("mara").skills["Sword"].log.difficult == 1


def logged(run: Any, character: str = "mara") -> tuple[int, int, int]:
    """The routine, difficult and challenging tests of somebody's Sword."""
    log = run.table.character(character).skills["Sword"].log
    return log.routine, log.difficult, log.challenging


@pytest.mark.rules("advancement.amb.versus_penalties")
def test_what_hampers_a_defence_is_part_of_what_it_was_up_against():
    """Four dice against two successes are Routine, with one more in the dark Difficult."""
    plain = table(mara={"skills": {"Sword": "B4"}})
    assert logged(defend(plain, [0], attack=2)) == (1, 0, 0)
    assert logged(defend(plain, [0], {"disadvantages": ["darkness"]}, attack=2)) == (0, 1, 0)


@pytest.mark.rules("advancement.series.highest_obstacle", "armor.shield.counterstrike_dice")
@pytest.mark.parametrize(
    ("split", "attack", "marks"),
    [([2, 2], 3, (1, 0, 0)), ([2, 2], 4, (0, 1, 0)), ([3, 1], 6, (0, 1, 0))],
)
def test_each_half_of_a_counterstrike_is_a_test_of_its_own_dice(split, attack, marks):
    """Two or three of four dice defend, with the shield's three; the riposte is against Ob 1."""
    run = defend(bearer(), [0, 0, 0], {"split": split}, maneuver="counterstrike", attack=attack)
    assert logged(run) == marks


def test_the_odds_of_a_block_are_those_of_all_its_dice():
    procedure = GAME.procedure("shield_defence")
    odds = exact(procedure.start(ShieldDefence("mara", "Sword", 4, va=1), bearer()), defaults)
    # six black dice in all: four or more successes in (15 + 6 + 1) of 64 throws
    assert odds.map(lambda o: o.passed).chance(True).as_integer_ratio() == (11, 32)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"maneuver": "avoid"}, r"maneuver: found 'avoid'"),
        ({"attack": -1}, r"attack: found -1"),
        ({"va": 11}, r"va: found 11"),
        ({"shade": "?"}, r"shade: found '\?'"),
    ],
)
def test_what_makes_no_sense_is_refused(more: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        defend(bearer(), [], **more)


@pytest.mark.rules("fight.counterstrike.one_die", "armor.shield.counterstrike_dice")
@pytest.mark.parametrize(
    ("half", "rolls", "defended", "riposte", "log"),
    [
        ("defence", [[4, 4, 2], [5]], 3, 0, "difficult"),  # four dice against three
        ("riposte", [[4, 4, 2], [5]], 2, 1, "routine"),  # the shield alone tests no skill
    ],
)
def test_a_single_die_defends_or_strikes_back(half, rolls, defended, riposte, log):
    at = bearer(skills={"Sword": "B1"})
    played = defend(at, rolls, {"one_die": half}, maneuver="counterstrike", attack=3)
    assert (played.outcome.successes, played.outcome.riposte) == (defended, riposte)
    assert f"mara.skills.Sword.log.{log}" in played.changed
    assert len([path for path in played.changed if ".log." in path]) == 1
