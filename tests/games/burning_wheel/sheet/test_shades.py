"""Shades: of stats, attributes, skills and gear, and which dice are rolled at whose."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.advancement.new_skills import aptitude, opening
from astragal.games.burning_wheel.sheet.ratings import Rating
from astragal.games.burning_wheel.sheet.shades import (
    about,
    combined,
    darkest,
    derived,
    may_create,
    reflexes,
    steps_above,
    whose_shade,
)
from astragal.games.burning_wheel.steel.dice_and_hesitation import hesitation
from astragal.games.burning_wheel.tests.tests import StandardTest
from astragal.play import Scripted, exact
from astragal.rules import Options, catalogue
from games.burning_wheel.playing import Played, a_test, declare, play, sheet, table

PLAIN = Options.of("burning_wheel")
STEEP = PLAIN.but(shades_mixed_root_bonus="2_per_step_and_stat")
STATS = ("Agility", "Will", "Power")
LOWEST = {"B": 4, "G": 3, "W": 2}


def stats(*ratings: str) -> dict[str, Any]:
    return {"stats": dict(zip(STATS, ratings, strict=False))}


def dice_of(run: Played) -> tuple[int, int, int]:
    dice = run.rolls[0].expression.dice  # type: ignore[attr-defined]
    return dice.black, dice.gray, dice.white


# --- What shades are -----------------------------------------------------------------------


@pytest.mark.rules("shades.basic.three")
def test_there_are_three_shades_from_dark_to_light():
    rows = catalogue().table("shades.table.shades").records()
    assert [shade.letter for shade in Shade] == [row["shade"] for row in rows] == ["B", "G", "W"]
    assert [str(about(shade)["name"]).split(", ")[1] for shade in Shade] == [
        "mundane",
        "heroic",
        "supernatural",
    ]
    assert [steps_above(shade, Shade.BLACK) for shade in Shade] == [0, 1, 2]
    assert darkest([Shade.WHITE, Shade.GRAY]) is Shade.GRAY
    with pytest.raises(BadInput, match="B, G or W"):
        Shade.parse("R")


@pytest.mark.rules("shades.basic.what_can_have")
def test_stats_attributes_skills_and_gear_each_have_a_shade_of_their_own():
    """Four shades on one sheet, each rolled at its own."""
    who = {
        "stats": {"Will": "G3"},
        "attributes": {"Health": "W3"},
        "skills": {"Sword": "B3"},
        "gear": [{"name": "blade", "dice": {"Sword": 2}, "shade": "G"}],
    }
    at = table(rich=who)
    for ability, expected in (("Will", (0, 3, 0)), ("Health", (0, 0, 3)), ("Sword", (3, 0, 0))):
        assert dice_of(a_test(at, ability, 1, [1])) == expected
    armed = a_test(at, "Sword", 1, [1], gear=["blade"])
    assert dice_of(armed) == (3, 2, 0)
    with pytest.raises(BadInput, match=r"gear\[0\].shade: found 'X'"):
        sheet(gear=[{"name": "blade", "shade": "X"}])


@pytest.mark.rules("shades.obstacle.unchanged")
@pytest.mark.parametrize("shade", "BGW")
@pytest.mark.parametrize("obstacle", [1, 2, 3])
def test_the_obstacle_is_the_same_and_only_the_chance_differs(shade: str, obstacle: int):
    run = a_test(table(rich={"skills": {"Sword": f"{shade}3"}}), "Sword", obstacle, [1])
    assert run.outcome.obstacle.total == obstacle
    start = GAME.procedure("standard_test").start(
        StandardTest(character="rich", intent="win", task="strikes", ability="Sword"),
        table(rich={"skills": {"Sword": f"{shade}3"}}),
    )
    odds = exact(start, Scripted({"obstacle": obstacle, "on_failure": "loses"}))
    faces = list(product(range(1, 7), repeat=3))
    enough = [f for f in faces if sum(face >= LOWEST[shade] for face in f) >= obstacle]
    found = sum((odds.chance(o) for o in odds.weights if o.passed), Fraction(0))
    assert found == Fraction(len(enough), len(faces))


# --- Roots and aptitude --------------------------------------------------------------------


@pytest.mark.rules("shades.root.darker")
@pytest.mark.parametrize(
    ("roots", "shade"),
    [
        (("G4", "B4"), "B"),
        (("B4", "G4"), "B"),
        (("W4", "G4"), "G"),
        (("W4", "W4"), "W"),
        (("W4", "G4", "B4"), "B"),
        (("W4", "G4", "G4"), "G"),
    ],
)
def test_a_skill_of_several_roots_opens_in_the_darkest(roots: tuple[str, ...], shade: str):
    opened = opening(sheet(**stats(*roots)), STATS[: len(roots)], PLAIN)
    assert opened.shade.letter == shade


@pytest.mark.rules("shades.root.plus_two")
@pytest.mark.parametrize(
    ("roots", "flat", "steep"),
    [
        # the sum, with two more; or with two for each stat and step above the darkest
        (("G4", "B3"), 9, 9),
        (("G4", "G3"), 7, 7),
        (("W4", "B3"), 9, 11),
        (("W4", "G3"), 9, 9),
        (("G4", "G4", "B4"), 14, 16),
        (("W4", "G4", "B4"), 14, 18),
    ],
)
def test_two_is_added_to_the_sum_of_roots_whose_shades_differ(
    roots: tuple[str, ...], flat: int, steep: int
):
    """shades.amb.root_wording, shades.amb.mixed_white: flat_2 is the default."""
    ratings = [Rating.parse(root) for root in roots]
    assert PLAIN["shades_mixed_root_bonus"] == "flat_2"
    assert combined(ratings, PLAIN).total == flat
    assert combined(ratings, STEEP).total == steep
    who, names = sheet(**stats(*roots)), STATS[: len(roots)]
    for options, total in ((PLAIN, flat), (STEEP, steep)):
        assert opening(who, names, options).exponent == total // (2 * len(roots))
        if len({root[0] for root in roots}) > 1:  # shades.amb.aptitude_mixed
            assert aptitude(who, names, options).total == max(1, 10 - total // len(roots))


@pytest.mark.rules("shades.aptitude.gray", "shades.aptitude.white")
@pytest.mark.parametrize("exponent", range(1, 10))
@pytest.mark.parametrize(("shade", "fewer"), [("B", 0), ("G", 1), ("W", 2)])
def test_lighter_roots_take_fewer_tests(exponent: int, shade: str, fewer: int):
    """shades.amb.aptitude_mixed: never below one, and only if all of them are lighter."""
    one = sheet(**stats(f"{shade}{exponent}"))
    assert aptitude(one, STATS[:1], PLAIN).total == max(1, 10 - exponent - fewer)
    two = sheet(**stats(f"{shade}{exponent}", f"{shade}{exponent}"))
    assert aptitude(two, STATS[:2], PLAIN).total == max(1, 10 - exponent - fewer)
    if fewer:
        rule = {"G": "shades.aptitude.gray", "W": "shades.aptitude.white"}[shade]
        assert rule in aptitude(one, STATS[:1], PLAIN).rules


@pytest.mark.rules("shades.root.plus_two")
def test_the_reading_of_mixed_roots_is_in_force_when_a_skill_opens():
    """W5 and B5: 12 in all, so 6 of 10; or 14 and 7. The third test opens it, or the fourth."""
    who = {**stats("W5", "B5"), "learning": {"Bow": {"roots": ["Agility", "Will"], "tests": 2}}}
    said = {"root": "Will"}
    flat = a_test(table(rich=who), "Bow", 1, [0], said)
    assert "Bow" in flat.table.character("rich").learning
    steep = {"shades_mixed_root_bonus": "2_per_step_and_stat"}
    opened = a_test(table(options=steep, rich=who), "Bow", 1, [0], said)
    assert str(opened.table.character("rich").skills["Bow"].rating) == "B3"


# --- Will ----------------------------------------------------------------------------------


@pytest.mark.rules("shades.will.hesitation_gray", "shades.will.hesitation_white")
@pytest.mark.parametrize(("shade", "from_what"), [("B", 10), ("G", 8), ("W", 7)])
@pytest.mark.parametrize("will", range(1, 11))
def test_hesitation_is_less_with_a_lighter_will(shade: str, from_what: int, will: int):
    """shades.amb.hesitation_floor."""
    line = hesitation(sheet(stats={"Will": f"{shade}{will}"}))
    assert line is not None
    assert line.amount == max(0, from_what - will)
    assert about(Shade.parse(shade))["hesitation"] == f"{from_what} - Will"
    fright = {"character": "mouse", "cause": "fear", "source": "a cat"}
    mouse = {"stats": {"Will": f"{shade}{will}"}, "attributes": {"Steel": "B2"}}
    tested = from_what > will
    run = play("steel_test", fright, table(mouse=mouse), None, [0] if tested else [])
    assert run.outcome.tested is tested
    assert run.outcome.heartbeats == line.amount
    if tested and shade != "B":
        rule = {"G": "shades.will.hesitation_gray", "W": "shades.will.hesitation_white"}[shade]
        assert rule in run.outcome.obstacle.rules
    shot_at = play("steel_test", fright, table(mouse=mouse), {"conditions": ["being_shot_at"]}, [0])
    assert shot_at.outcome.obstacle.total == line.amount + 1


# --- Reflexes and the Mortal Wound ---------------------------------------------------------


@pytest.mark.rules("shades.reflexes.requirement")
@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        (("G4", "G4", "G4"), "G4"),
        (("G4", "G4", "B4"), "B4"),  # 14 / 3
        (("G5", "G4", "B4"), "B5"),  # 15 / 3
        (("W4", "G4", "G4"), "G4"),
        (("W4", "W4", "W5"), "W4"),
        (("B4", "B4", "B5"), "B4"),
        (("W10", "W10", "G10"), "G10"),  # the scale ends there
    ],
)
def test_reflexes_are_as_light_as_the_darkest_of_their_three_stats(
    ratings: tuple[str, ...], expected: str
):
    """shades.amb.attributes_shade_math."""
    three = dict(zip(("Perception", "Agility", "Speed"), ratings, strict=True))
    assert str(reflexes(sheet(stats=three), PLAIN)) == expected
    entered = sheet(stats=three, attributes={"Reflexes": "B7"})
    assert str(reflexes(entered, PLAIN)) == "B7"
    del three["Speed"]
    assert reflexes(sheet(stats=three), PLAIN) is None


@pytest.mark.rules("shades.mortal_wound.gray")
@pytest.mark.parametrize(
    ("power", "forte", "shade"),
    [("G4", "G5", "G"), ("G4", "B5", "B"), ("B4", "G5", "B"), ("W4", "G5", "G"), ("W1", "W1", "W")],
)
def test_the_mortal_wound_is_gray_if_power_and_forte_are(power: str, forte: str, shade: str):
    made = derived(sheet(stats={"Power": power, "Forte": forte}), "Mortal Wound", PLAIN)
    assert made is not None
    assert made.shade.letter == shade
    assert derived(sheet(stats={"Power": power}), "Mortal Wound", PLAIN) is None


@pytest.mark.rules("shades.mortal_wound.gray", "shades.reflexes.requirement")
def test_when_the_last_stat_has_its_epiphany_the_marker_follows():
    nearly = {"fate": 20, "persona": 10, "deeds": 3}
    stats_ = {
        "Power": {"rating": "B4", "spent": nearly},
        "Forte": "G4",
        "Speed": {"rating": "B4", "spent": nearly},
        "Agility": "G4",
        "Perception": "B4",
    }
    who = {
        "stats": stats_,
        "attributes": {"Mortal Wound": "B10", "Reflexes": "B4"},
        "artha": {"fate": 1},
    }
    power = a_test(table(rich=who), "Power", 1, [[6, 1, 1, 1], [1]], {"after_roll": "luck"})
    rich = power.table.character("rich")
    assert str(rich.stats["Power"].rating) == "G4"
    assert str(rich.attributes["Mortal Wound"].rating) == "G10"  # the number stays
    assert "Mortal Wound is now G10" in power.told
    body = {**who, "tolerances": ["B3", "B5", "B6", "B7", "B8", "B10"]}
    power = a_test(table(rich=body), "Power", 1, [[6, 1, 1, 1], [1]], {"after_roll": "luck"})
    tolerances = power.table.character("rich").tolerances
    assert tolerances is not None
    assert str(tolerances.mortal) == "G10"  # only a gray wound kills now
    speed = a_test(table(rich=who), "Speed", 1, [[6, 1, 1, 1], [1]], {"after_roll": "luck"})
    after = speed.table.character("rich")
    assert str(after.stats["Speed"].rating) == "G4"
    assert str(after.attributes["Reflexes"].rating) == "B4"  # Perception is still black


@pytest.mark.parametrize(("others", "after"), [("B4", "B5"), ("G4", "B4")])
def test_reflexes_that_follow_their_stats_count_the_two_of_mixed_shades(others: str, after: str):
    """shades.amb.attributes_shade_math: 14 / 3 becomes 15 / 3; without the two, 12 and 13."""
    who = {
        "stats": {
            "Speed": {"rating": "G4", "log": {"difficult": 2}},
            "Agility": others,
            "Perception": others,
        },
        "attributes": {"Reflexes": "B4"},
    }
    run = a_test(table(rich=who), "Speed", 5, [0])
    rich = run.table.character("rich")
    assert str(rich.stats["Speed"].rating) == "G5"
    assert str(rich.attributes["Reflexes"].rating) == after


# --- Skills --------------------------------------------------------------------------------


def makes(skill: str, effect: str, **more: Any) -> Played:
    at = table(
        smith={"skills": {"Smith": skill, "Metal-wise": "W5"}}, helper={"skills": {"Smith": "W5"}}
    )
    said = {"obstacle": 1, "on_failure": "it breaks", **more.pop("answers", {})}
    arguments = {**declare("smith", "Smith", effect=effect), **more}
    return play("create", arguments, at, said, more.get("rolls", [1]))


@pytest.mark.rules("shades.skill.effects")
@pytest.mark.parametrize(("skill", "effect"), list(product("BGW", repeat=2)))
def test_an_ability_creates_effects_of_its_own_shade_or_darker(skill: str, effect: str):
    allowed = "BGW".index(effect) <= "BGW".index(skill)
    assert may_create(Shade.parse(skill), Shade.parse(effect)) is allowed
    if allowed:
        made = makes(f"{skill}4", effect)
        assert made.outcome.passed
        assert made.outcome.shade is Shade.parse(effect)
        return
    with pytest.raises(NotAllowed, match=r"cannot create .*\[shades\.skill\.effects\]"):
        makes(f"{skill}4", effect)


@pytest.mark.rules("shades.skill.effects")
def test_neither_help_nor_forks_make_it_lighter():
    """shades.amb.creating_effects_scope."""
    said = {"forks": ["Metal-wise"], "help": "Smith", "help_how": "holds the tongs"}
    dark = makes("B4", "B", answers=said, helpers=["helper"])
    assert dark.outcome.test.dice.total == 7
    with pytest.raises(NotAllowed, match=r"shades\.skill\.effects"):
        makes("B4", "G", helpers=["helper"])


def test_what_fails_is_of_no_shade_and_shades_have_names():
    at = table(smith={"skills": {"Smith": "G3"}})
    said = {"obstacle": 3, "on_failure": "it breaks"}
    failed = play("create", declare("smith", "Smith", effect="G"), at, said, [1])
    assert failed.outcome.shade is None
    assert not failed.outcome.passed
    assert "Created in" not in failed.told
    with pytest.raises(BadInput, match=r"^effect: found 'red', .*shades\.skill\.effects"):
        play("create", declare("smith", "Smith", effect="red"), at)


# --- Whose dice ----------------------------------------------------------------------------

MIXED: dict[str, Any] = {
    "skills": {"Sword": "G4", "Brawling": "B3", "Dirge": "W7"},
    "gear": [
        {"name": "old blade", "dice": {"Sword": 2}, "shade": "B"},
        {"name": "good blade", "dice": {"Sword": 2}, "shade": "G"},
        {"name": "star blade", "dice": {"Sword": 1}, "shade": "W"},
    ],
    "artha": {"persona": 2},
}
HELPERS: dict[str, Any] = {
    "page": {"skills": {"Sword": "B3"}},
    "ghost": {"skills": {"Sword": "W5"}},
}


def fights(answers: dict[str, Any] | None = None, **more: Any) -> tuple[int, int, int]:
    return dice_of(a_test(table(rich=MIXED, **HELPERS), "Sword", 1, [1], answers, **more))


def test_the_table_of_whose_shade_is_covered_here():
    assert [source.split(",")[0].split(" ")[0] for source in whose_shade()] == [
        "tested",
        "help",
        "FoRK",
        "balance",
        "armor",
        "shield",
        "advantage",
    ]


@pytest.mark.rules("shades.help.users_shade")
@pytest.mark.parametrize(("helper", "dice"), [("page", 5), ("ghost", 6)])
def test_help_is_rolled_at_the_testers_shade(helper: str, dice: int):
    said = {"help": "Sword", "help_how": "distracts him"}
    assert fights(said, helpers=[helper]) == (0, dice, 0)


@pytest.mark.rules("shades.fork.tested_skill_shade")
@pytest.mark.parametrize(("fork", "dice"), [("Brawling", 5), ("Dirge", 6)])
def test_forks_are_rolled_at_the_tested_skills_shade(fork: str, dice: int):
    assert fights({"forks": [fork]}) == (0, dice, 0)


def test_advantage_and_artha_are_rolled_at_the_tested_abilitys_shade():
    """shades.amb.other_bonus_dice."""
    assert fights({"advantage": "from above", "gm_advantage": 1, "boon": 2}) == (0, 8, 0)


@pytest.mark.rules("shades.gear.own_shade", "shades.gear.same_shade", "shades.gear.different_shade")
@pytest.mark.parametrize(
    ("gear", "dice"),
    [
        (["good blade"], (0, 6, 0)),  # all together
        (["old blade"], (2, 4, 0)),
        (["star blade"], (0, 4, 1)),
        (["old blade", "good blade", "star blade"], (2, 6, 1)),
    ],
)
def test_gear_is_rolled_at_its_own_shade(gear: list[str], dice: tuple[int, int, int]):
    assert fights(gear=gear) == dice


@pytest.mark.rules("shades.gear.different_shade")
def test_each_die_counts_at_its_own_difficulty_and_successes_are_added():
    """All threes: four gray dice succeed and two black ones do not; all twos: one white."""
    blades = ["old blade", "star blade"]
    threes = a_test(table(rich=MIXED), "Sword", 1, [[3] * 7], gear=blades)
    assert threes.outcome.successes == 4 + 1
    twos = a_test(table(rich=MIXED), "Sword", 1, [[2] * 7], gear=blades)
    assert twos.outcome.successes == 1


@pytest.mark.rules("shades.gear.different_shade")
def test_the_odds_of_a_mixed_roll_are_those_of_its_faces():
    who = {**MIXED, "skills": {"Sword": "G3"}, "artha": {}}
    arguments = StandardTest(
        character="rich", intent="win", task="strikes", ability="Sword", gear=("old blade",)
    )
    start = GAME.procedure("standard_test").start(arguments, table(rich=who))
    odds = exact(start, Scripted({"obstacle": 3, "on_failure": "loses"}))
    lowest = (3, 3, 3, 4, 4)
    faces = list(product(range(1, 7), repeat=5))
    enough = sum(
        sum(face >= least for face, least in zip(f, lowest, strict=True)) >= 3 for f in faces
    )
    passed = sum((odds.chance(o) for o in odds.weights if o.passed), Fraction(0))
    assert passed == Fraction(enough, len(faces))
