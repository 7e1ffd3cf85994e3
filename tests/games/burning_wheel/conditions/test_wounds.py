"""What wounds cost, and what becomes of those who carry them."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conditions.lines import Tester
from astragal.games.burning_wheel.conditions.wounds import (
    condition,
    is_usable,
    level_at,
    pain,
    pain_on_both,
    stats_at_zero,
    wound_dice,
    wounds_on_test,
)
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from astragal.games.burning_wheel.sheet.ratings import Coordinate
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import dice_of
from astragal.rules import catalogue
from games.burning_wheel.hurting import MAN, STATS, body, hit, man, the_man
from games.burning_wheel.playing import a_test, declare, play, sheet, table

# --- The grayscale -------------------------------------------------------------------------


@pytest.mark.rules("injury.ptgs.scale")
def test_the_scale_has_sixteen_steps_of_each_shade_from_black_to_white():
    written = [f"{shade}{number}" for shade in "BGW" for number in range(1, 17)]
    steps = [Coordinate.parse(text) for text in written]
    assert [str(step) for step in steps] == written
    assert [step.place for step in steps] == list(range(1, 49))
    assert steps == sorted(steps)
    for text in ("B0", "B17", "X3", "7", "", None, 3):
        with pytest.raises(BadInput, match=r"injury\.ptgs\.scale"):
            Coordinate.parse(text)


@pytest.mark.rules("injury.ptgs.six_tolerances", "injury.ptgs.tolerance_placement")
def test_six_tolerances_are_given_in_rising_order():
    names = [level.value for level in WoundLevel]
    assert names == ["Superficial", "Light", "Midi", "Severe", "Traumatic", "Mortal"]
    whole = sheet(tolerances=["B3", "B5", "B7", "B8", "G2", "W1"]).tolerances
    assert [str(whole.of(level)) for level in WoundLevel] == ["B3", "B5", "B7", "B8", "G2", "W1"]
    with pytest.raises(BadInput, match=r"tolerances: .*6 steps.*six_tolerances"):
        sheet(tolerances=["B3", "B5"])
    with pytest.raises(BadInput, match=r"tolerances\.light: found 'B3'.*right of B3"):
        sheet(tolerances=["B3", "B3", "B7", "B8", "B9", "B10"])
    with pytest.raises(BadInput, match=r"tolerances\.midi: found 'B8'.*right of G1"):
        sheet(tolerances=["B3", "G1", "B8", "G3", "G4", "G5"])


@pytest.mark.parametrize("stats", ["B3", "B4", "B5", "B6"])
def test_characters_of_no_account_have_ready_tolerances(stats: str):
    """injury.amb.tolerance_placement: the four rows for one-off characters."""
    row = catalogue().table("injury.table.one_off_npc_tolerances").where(npc_stats=stats)
    ready = sheet(tolerances=stats).tolerances
    assert [str(ready.of(level)) for level in WoundLevel] == [
        row[n.value.casefold()] for n in WoundLevel
    ]
    with pytest.raises(BadInput, match="B3, B4, B5, B6"):
        sheet(tolerances="B7")


@pytest.mark.rules("injury.register.level", "injury.register.between")
@pytest.mark.parametrize(
    ("step", "level"),
    [
        ("B3", "Superficial"),
        ("B4", "Superficial"),  # between two: the lesser
        ("B5", "Light"),
        ("B6", "Light"),
        ("B7", "Midi"),
        ("B8", "Severe"),
        ("B9", "Traumatic"),
        ("B10", "Mortal"),
        ("B16", "Mortal"),
        ("G1", "Mortal"),
        ("W16", "Mortal"),
    ],
)
def test_a_wound_has_the_level_of_the_tolerance_at_or_left_of_it(step: str, level: str):
    assert level_at(sheet(**MAN).tolerances, Coordinate.parse(step)) is WoundLevel(level)


@pytest.mark.rules("injury.register.mortal_or_beyond")
def test_the_last_step_is_mortal_for_everyone():
    giant = sheet(tolerances=["W1", "W3", "W5", "W7", "W9", "W16"])
    assert level_at(giant.tolerances, Coordinate.parse("W15")) is WoundLevel.TRAUMATIC
    assert level_at(giant.tolerances, Coordinate.parse("W16")) is WoundLevel.MORTAL


# --- Effects -------------------------------------------------------------------------------


@pytest.mark.rules(
    "injury.effect.superficial",
    "injury.effect.light",
    "injury.effect.midi",
    "injury.effect.severe",
    "injury.effect.traumatic",
)
@pytest.mark.parametrize(
    ("level", "dice", "obstacle"),
    [
        ("Superficial", 0, 1),
        ("Light", -1, 0),
        ("Midi", -2, 0),
        ("Severe", -3, 0),
        ("Traumatic", -4, 0),
    ],
)
def test_each_level_costs_what_it_costs_on_every_later_test(level: str, dice: int, obstacle: int):
    at = table(man={"wounds": [level], "skills": {"Sword": "B6"}})
    outcome = a_test(at, "Sword", 2, [0]).outcome
    assert outcome.dice.total == 6 + dice
    assert outcome.obstacle.total == 2 + obstacle
    lines = (*outcome.dice, *outcome.obstacle)
    assert f"injury.effect.{level.casefold()}" in {line.rule for line in lines}


@pytest.mark.rules("injury.effect.mortal", "injury.mortal.drops", "injury.zero.not_death")
def test_a_mortal_wound_fells_and_costs_no_dice():
    down = man(wounds=["Mortal"])
    assert (body(down).dice, body(down).condition) == (0, "dying")
    with pytest.raises(NotAllowed, match=r"is dying and cannot act \[injury\.effect\.mortal"):
        a_test(down, "Power", 1, [0])
    felled = man(wounds=["Traumatic"])  # incapacitated, which is something else
    assert body(felled).condition == "unconscious"
    assert not the_man(felled).dead
    assert condition(sheet(wounds=["Mortal"])).value == "dying"


@pytest.mark.rules("injury.dice.affected", "injury.register.effects_add")
def test_stats_skills_and_steel_lose_wound_dice():
    strong = {**STATS, "Power": "B5"}
    raw = {"stats": strong, "attributes": {"Steel": "B5", "Health": "B4"}, "skills": {"Bow": "B5"}}
    at = table(man={**raw, "wounds": ["Light", "Light"]})
    for ability in ("Power", "Bow"):
        assert a_test(at, ability, 1, [0]).outcome.dice.total == 3
    fear = {"character": "man", "cause": "fear", "source": "a ghost"}
    assert play("steel_test", fear, at, rolls=[0]).outcome.dice.total == 3


@pytest.mark.rules("injury.dice.affected")
def test_every_kind_of_roll_carries_the_lines_by_itself():
    raw = {"stats": {"Power": "B6", "Speed": "B6"}, "wounds": ["Midi", "Superficial"]}
    at = table(man=raw, other={"stats": {"Power": "B4"}})
    asked = play("open_test", declare("man", "Power"), at, rolls=[3])
    assert (asked.outcome.dice.total, asked.outcome.result) == (4, 2)
    sides = [declare("man", "Power"), declare("other", "Power", intent="hold")]
    fought = play("versus_test", {"sides": sides}, at, {"on_failure": "x"}, [3, 0])
    assert fought.outcome.dice[0].total == 4
    assert fought.outcome.counted[0] == 2  # +1 Ob is a success less (injury.amb.ob_on_versus_tests)
    untrained = a_test(at, "Juggling", 1, [0], {"roots": ["Speed"]})
    assert untrained.outcome.dice.total == 4
    assert untrained.outcome.obstacle.total == 1 * 2 + 1  # doubled first, then the wound


@pytest.mark.rules("injury.dice.unaffected", "injury.recovery.health_unwounded")
@pytest.mark.parametrize("ability", ["Health", "Faith", "Grief", "Greed", "Hatred"])
def test_health_and_emotions_are_spared(ability: str):
    hurt = {"wounds": ["Midi", "Superficial"]}
    at = table(man={"attributes": {ability: "B3"}, **hurt})
    outcome = a_test(at, ability, 2, [0]).outcome
    assert (outcome.dice.total, outcome.obstacle.total) == (3, 2)


@pytest.mark.rules("injury.dice.unaffected")
def test_circles_and_the_mortal_wound_are_spared():
    at = table(man={"circles": "B3", "attributes": {"Mortal Wound": "B9"}, "wounds": ["Midi"]})
    assert a_test(at, "Circles", 1, [0]).outcome.dice.total == 3
    assert at.character("man").ability("Mortal Wound").exponent == 9


def test_the_obstacle_may_fall_on_every_test():
    """injury.amb.superficial_ob_scope."""
    for choice, obstacle in (("as_wound_dice", 2), ("every_test", 3)):
        options = {"injury_superficial_ob_scope": choice}
        at = table(options=options, man={"attributes": {"Health": "B3"}, "wounds": ["Superficial"]})
        assert a_test(at, "Health", 2, [0]).outcome.obstacle.total == obstacle


@pytest.mark.rules("injury.dice.no_refactor")
def test_nothing_on_the_sheet_is_worked_out_again():
    attributes = {"Health": "B4", "Reflexes": "B4", "Mortal Wound": "B10", "Steel": "B5"}
    before = man(attributes=attributes, stats={**STATS, "Will": "B6"})
    after = play("take_wound", {"character": "man", "at": "B8"}, before, rolls=[0])
    one, other = the_man(before), the_man(after.table)
    assert one.tolerances == other.tolerances
    assert {n: a.rating for n, a in one.attributes.items()} == {
        n: a.rating for n, a in other.attributes.items()
    }
    assert after.outcome.steel.hesitation == 10 - 6  # by the Will on the sheet


def test_no_reflexes_left_is_no_incapacitation():
    """injury.amb.reflexes_mid_exchange."""
    at = table(man={"attributes": {"Reflexes": "B2"}, "stats": {"Will": "B4"}, "wounds": ["Midi"]})
    assert body(at).actions == 0
    assert body(at).condition == "fit"


@pytest.mark.rules("injury.dice.cumulative")
def test_wound_dice_of_several_wounds_add_up():
    assert wound_dice(sheet(wounds=["Light", "Light"])) == 2
    assert wound_dice(sheet(wounds=["Light", "Midi"])) == 3
    dice, _ = pain(sheet(wounds=["Light", "Midi"]))
    assert [line.amount for line in dice] == [-1, -2]  # a line for each


# --- Superficial wounds --------------------------------------------------------------------


@pytest.mark.rules(
    "injury.superficial.two",
    "injury.superficial.three",
    "injury.superficial.further_sets",
)
def test_superficial_wounds_one_after_another():
    """The whole of injury.table.superficial_count, wound by wound."""
    at = man()
    for row in catalogue().table("injury.table.superficial_count").records():
        shown = body(at)
        assert (shown.dice, shown.obstacle) == (row["dice"], row["ob"])
        at = hit(at, "Superficial")


@pytest.mark.rules("injury.superficial.three_is_light")
def test_three_are_one_light_wound_with_three_marks():
    at = hit(man(), "B3", "B4", "B3")
    (wound,) = the_man(at).wounds
    assert wound.level is WoundLevel.LIGHT
    assert [str(step) for step in wound.at] == ["B3", "B4", "B3"]
    shown = body(at).wounds[0]
    assert shown.name == "three Superficial wounds"
    assert shown.stops.startswith("Health Ob 2")  # recovered from as one light wound


def test_recovered_superficial_wounds_do_not_count_toward_three():
    """injury.amb.superficial_recovered_then_new."""
    at = play("end_scene", {}, hit(man(), "Superficial", "Superficial")).table
    at = play("recover", {"character": "man"}, at, rolls=[1]).table
    at = hit(at, "Superficial")
    assert (body(at).dice, body(at).obstacle) == (0, 1)
    assert body(hit(at, "Superficial")).dice == -1


# --- Zero ----------------------------------------------------------------------------------


@pytest.mark.rules("injury.zero.skill")
def test_a_skill_at_zero_is_not_tested_not_lent_and_not_forked():
    skills = {"Bow": "B2", "Sword": "B5"}
    at = table(
        man={"skills": skills, "wounds": ["Midi"]},
        friend={"skills": {"Bow": "B4"}},
    )
    with pytest.raises(NotAllowed, match=r"no dice of Bow.*\[injury\.zero\.skill"):
        a_test(at, "Bow", 1, [0])
    sword = a_test(at, "Sword", 1, [0])
    assert "forks" not in sword.asked  # Bow was the only other skill
    asked = play(
        "standard_test",
        declare("friend", "Bow", helpers=["man"]),
        at,
        {"obstacle": 1, "on_failure": "x"},
        [0],
    )
    assert [option.key for option in asked.asks["help"].question.options] == ["none", "Sword"]
    sound = table(man={"skills": skills, "wounds": ["Light"]})
    assert a_test(sound, "Bow", 1, [0]).outcome.dice.total == 1
    assert "forks" in a_test(sound, "Sword", 1, [0]).asked


@pytest.mark.rules("injury.zero.stat_incapacitated")
@pytest.mark.parametrize("stat", STATS)
def test_any_stat_at_zero_incapacitates(stat: str):
    at = man(stats={**STATS, stat: "B2"}, wounds=["Midi"])
    assert stats_at_zero(the_man(at)) == (stat,)
    assert body(at).condition != "fit"
    assert body(man(stats={**STATS, stat: "B3"}, wounds=["Midi"])).condition == "fit"


@pytest.mark.rules("injury.zero.physical")
@pytest.mark.parametrize("stat", ["Power", "Forte", "Agility", "Speed"])
def test_without_a_physical_stat_one_can_only_watch_and_think(stat: str):
    at = man(stats={**STATS, stat: "B2"}, wounds=["Midi"], skills={"Sword": "B6"})
    assert body(at).condition == "helpless"
    assert a_test(at, "Perception", 1, [0]).outcome.dice.total == 2
    with pytest.raises(NotAllowed, match=r"can only watch and think \[injury\.zero\.physical"):
        a_test(at, "Sword", 1, [0])
    # whether an art is no more than thinking is the GM's call
    thought = a_test(at, "Sword", 1, [0], {"only_watches": True})
    assert thought.seats["only_watches"] == "gm"


@pytest.mark.rules("injury.zero.mental")
@pytest.mark.parametrize("stat", ["Perception", "Will"])
def test_without_a_mental_stat_one_is_unconscious(stat: str):
    at = man(stats={**STATS, stat: "B2", "Power": "B2"}, wounds=["Midi"])
    assert body(at).condition == "unconscious"
    with pytest.raises(NotAllowed, match=r"is unconscious .*\[injury\.zero\.mental"):
        a_test(at, "Perception", 1, [0])


def test_the_felled_help_nobody():
    at = table(
        friend={"stats": {"Power": "B4"}},
        man={"stats": {"Power": "B4", "Forte": "B2"}, "wounds": ["Midi"]},
    )
    assert "help" not in a_test(at, "Power", 1, [0], helpers=["man"]).asked


def test_what_the_sheet_says_of_wounds_must_be_possible():
    for raw, place in (
        ({"wounds": ["Superficial"] * 3}, "injury.superficial.three"),
        ({"wounds": [{"level": "Light", "returned": 2}]}, "wounds[0].returned"),
        ({"wounds": [{"level": "Midi", "merged": True}]}, "injury.superficial.three_is_light"),
        ({"wounds": [{"level": "Midi", "at": ["B3", "B4"]}]}, "wounds[0].at"),
        ({"wounds": [{"level": "Midi", "bled": -1}]}, "wounds[0].bled"),
        ({"wounds": [{"level": "Midi", "stat": "Sword"}]}, "wounds[0].stat"),
        ({"wounds": ["Awful"]}, "wounds[0].level"),
        ({"superficials": -1}, "superficials"),
        ({"stats": {"Will": "B6"}, "caps": {"Will": 5}}, "injury.fail.mortal_soft"),
        ({"caps": {"Will": 5}}, "caps.Will"),
    ):
        with pytest.raises(BadInput) as refused:
            sheet(**raw)
        assert place in str(refused.value)
    assert len(sheet(superficials=7).wounds) == 3


# --- Two abilities in one roll -------------------------------------------------------------


def test_two_abilities_in_one_roll_lose_wound_dice_once_or_each():
    """injury.amb.combined_pools: Will and Sorcery."""
    raw = {"stats": {"Will": "B5"}, "skills": {"Sorcery": "B4"}, "wounds": ["Midi"]}
    for choice, lost in (("once", 2), ("each_ability", 4)):
        at = table(options={"injury_combined_pools": choice}, man=raw)
        man = at.character("man")
        dice, obstacle = pain_on_both(at, "man", man.ability("Will"), man.ability("Sorcery"))
        assert (-sum(line.amount for line in dice), obstacle) == (lost, ())
        faith = sheet(attributes={"Faith": "B3"}).ability("Faith")  # spared, beside one that is not
        dice, _ = pain_on_both(at, "man", man.ability("Will"), faith)
        assert -sum(line.amount for line in dice) == 2
    weak = table(man={**raw, "skills": {"Sorcery": "B2"}})
    man = weak.character("man")
    with pytest.raises(NotAllowed, match="no dice of Sorcery"):
        pain_on_both(weak, "man", man.ability("Will"), man.ability("Sorcery"))


def test_dice_of_each_level_are_those_of_the_table():
    rows = catalogue().table("injury.table.wound_effects").records()
    named = {str(r["wound"]): r["dice_penalty"] for r in rows}
    for level in WoundLevel:
        assert dice_of(level) == (
            0 if level is WoundLevel.MORTAL else -int(str(named[level.value]))
        )


@pytest.mark.rules("injury.zero.skill", "injury.dice.unaffected")
def test_only_skills_are_unusable_at_zero():
    """A Midi wound takes two dice: of a skill of 2 nothing is left, and Health is not touched."""
    at = man(attributes={"Health": "B2"}, skills={"Sword": "B2", "Bow": "B3"}, wounds=["Midi"])
    rated = the_man(at).ability
    assert [is_usable(at, "man", rated(name)) for name in ("Sword", "Bow", "Health")] == [
        False,
        True,
        True,
    ]


@pytest.mark.rules("injury.effect.superficial", "gold.aristeia.ignore_wounds")
@pytest.mark.parametrize(("edition", "in_aura"), [("revised", 1), ("gold", 0)])
def test_a_superficial_wound_hurts_in_both_editions_unless_an_aura_lifts_it(
    edition: str, in_aura: int
):
    """gold.diff.aristeia_scope: in the Revised Edition an aura leaves obstacles as they are."""
    aristeia = {"character": "man", "form": "divine_aura", "ability": "Power", "goal": "win"}
    for scene, added in (({}, 1), ({"aristeias": [aristeia]}, in_aura)):
        at = table(scene, {"edition": edition}, man={**MAN, "wounds": ["Superficial"]})
        _, obstacle = wounds_on_power(at)
        assert obstacle == added, (edition, scene)


def wounds_on_power(at: BurningTable) -> tuple[int, int]:
    lines = wounds_on_test(Tester("man", the_man(at).ability("Power"), at))
    return sum(each.amount for each in lines.dice), sum(each.amount for each in lines.obstacle)
