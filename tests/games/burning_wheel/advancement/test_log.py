"""Advancing abilities: the class of a test, full logs, series, Beginner's Luck."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.advancement.log import begin_series, end_series, mark
from astragal.games.burning_wheel.advancement.requirements import (
    advances_as,
    difficulty,
    is_full,
    requirement,
)
from astragal.games.burning_wheel.sheet.parts import AbilityLog, Difficulty
from astragal.play import Scripted, Session, exact, then
from astragal.rules import catalogue
from games.burning_wheel.playing import Played, a_test, declare, play, sheet, table

R, D, C = Difficulty.ROUTINE, Difficulty.DIFFICULT, Difficulty.CHALLENGING


def log_of(at: BurningTable, ability: str, name: str = "rich") -> tuple[int, int, int]:
    log = at.character(name).ability(ability).ability.log
    return log.routine, log.difficult, log.challenging


def rating(at: BurningTable, ability: str, name: str = "rich") -> str:
    return str(at.character(name).ability(ability).rating)


def run(step: Any, answers: dict[str, Any] | None = None) -> Any:
    """Let a step of a procedure run by itself; give what it returns."""

    def whole() -> Any:
        return (yield from step)

    def no_dice(roll: Any) -> Any:
        raise AssertionError(f"{roll.label} is rolled")

    session = Session(then(whole), no_dice)
    scripted = Scripted(answers or {})
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, scripted(ask))
    return session.result


def marked(
    at: BurningTable,
    ability: str,
    dice: int,
    obstacle: int,
    *,
    passed: bool = True,
    who: str = "rich",
    is_open: bool = False,
    answers: dict[str, Any] | None = None,
) -> tuple[BurningTable, Difficulty | None]:
    rated = at.character(who).ability(ability)
    step = mark(at, who, rated, dice, obstacle, passed=passed, is_open=is_open)
    result: tuple[BurningTable, Difficulty | None] = run(step, answers)
    return result


def skilled(exponent: int, log: tuple[int, int, int] = (0, 0, 0), **more: Any) -> BurningTable:
    logged = dict(zip(("routine", "difficult", "challenging"), log, strict=True))
    return table(rich={"skills": {"Sword": {"rating": f"B{exponent}", "log": logged}}, **more})


# --- Routine, difficult, challenging -------------------------------------------------------

PRINTED = """
1 1 1 2
2 1 2 3
3 2 3 4
4 2 4 5
5 3 5 6
6 4 6 7
7 4 7 8
8 5 8 9
9 6 9 10
10 7 10 11
11 8 11 12
12 9 12 13
13 10 13 14
14 11 14 15
15 12 15 16
16 13 16 17
17 14 17 18
18 15 18 19
"""  # dice, the last routine obstacle, the last difficult one, the first challenging one


@pytest.mark.rules(
    "advancement.class.dice_against_obstacle", "advancement.class.challenging_above_dice"
)
@pytest.mark.parametrize("row", PRINTED.split("\n")[1:-1])
def test_the_class_of_a_test_is_as_printed(row: str):
    dice, routine, difficult, challenging = map(int, row.split())
    for obstacle in range(1, routine + 1):
        assert difficulty(dice, obstacle) is R
    for obstacle in range(routine + 1, difficult + 1):
        assert difficulty(dice, obstacle) is D
    assert difficulty(dice, challenging) is C
    assert difficulty(dice, 99) is C
    if dice > 1:
        assert difficulty(dice, dice) is D


@pytest.mark.rules("advancement.class.three")
@given(st.integers(1, 60), st.integers(1, 80))
def test_every_test_is_of_one_class_and_more_dice_never_make_it_harder(dice: int, obstacle: int):
    order = [R, D, C]
    assert len(Difficulty) == 3
    here = order.index(difficulty(dice, obstacle))
    assert order.index(difficulty(dice + 1, obstacle)) <= here
    assert order.index(difficulty(dice, obstacle + 1)) >= here
    if dice > 18:  # advancement.amb.table_beyond_18: the pattern goes on
        expected = R if obstacle <= dice - 3 else D if obstacle <= dice else C
        assert difficulty(dice, obstacle) is expected


@pytest.mark.rules("advancement.class.one_die_choice")
def test_one_die_against_ob_1_is_the_players_choice():
    for choice in ("routine", "difficult"):
        after = a_test(skilled(1), "Sword", 1, [0], {"log_as": choice})
        assert after.outcome.earned == choice
        assert after.seats["log_as"] == "rich"
    with pytest.raises(BadInput, match="log_as: found 'challenging'"):
        a_test(skilled(1), "Sword", 1, [0], {"log_as": "challenging"})
    assert "log_as" not in a_test(skilled(1), "Sword", 2, [0]).asked
    assert "log_as" not in a_test(skilled(2), "Sword", 1, [0]).asked
    # Unless somebody chooses it is what counts: routine tests are nothing to a stat.
    assert a_test(skilled(1), "Sword", 1, [0]).outcome.earned == "routine"
    assert a_test(table(rich={"stats": {"Power": "B1"}}), "Power", 1, [0]).outcome.earned == (
        "difficult"
    )


@pytest.mark.rules("advancement.open.routine")
@pytest.mark.parametrize("exponent", [1, 2, 6])
def test_open_tests_are_routine_also_on_one_die(exponent: int):
    after = play("open_test", declare("rich", "Sword"), skilled(exponent), {}, [1])
    assert after.outcome.earned == "routine"
    assert "log_as" not in after.asked
    assert log_of(after.table, "Sword") == (1, 0, 0)


@pytest.mark.rules("advancement.open.not_open_ended")
def test_open_ended_dice_are_classed_by_the_fixed_obstacle():
    at = table(rich={"skills": {"Sorcery": {"rating": "B4", "magical": True}}})
    after = a_test(at, "Sorcery", 4, [[6, 6, 1, 1, 6, 5, 1]])
    assert after.outcome.earned == "difficult"  # four dice thrown at first, not seven


def test_a_test_without_dice_earns_nothing():
    at, earned = marked(skilled(4), "Sword", 0, 1)
    assert earned is None
    assert log_of(at, "Sword") == (0, 0, 0)


# --- Which dice count ----------------------------------------------------------------------


@pytest.mark.rules("advancement.class.actual_dice")
def test_dice_lost_or_gained_change_the_class():
    assert marked(skilled(4), "Sword", 4, 3)[1] is D
    assert marked(skilled(4), "Sword", 6, 3)[1] is R
    assert marked(skilled(4), "Sword", 2, 3)[1] is C


@pytest.mark.rules("advancement.help.dice_count")
def test_help_makes_the_lesson_smaller():
    at = table(rich={"skills": {"Sword": "B4"}}, tam={"skills": {"Brawling": "B5"}})
    assert a_test(at, "Sword", 4, [0]).outcome.earned == "difficult"
    helped = a_test(at, "Sword", 4, [0], {"help": "Brawling"}, helpers=["tam"])
    assert helped.outcome.earned == "routine"  # six dice


@pytest.mark.rules("advancement.fork.dice_count", "advancement.fork.earn_nothing")
def test_forks_count_but_earn_nothing():
    at = table(rich={"skills": {"Sword": "B4", "Knives": "B7"}})
    after = a_test(at, "Sword", 4, [0], {"forks": ["Knives"]})
    assert after.outcome.earned == "routine"  # six dice
    assert log_of(after.table, "Knives") == (0, 0, 0)
    assert log_of(after.table, "Sword") == (1, 0, 0)


@pytest.mark.rules("advancement.bonus.advantage_counts")
def test_an_advantage_counts():
    after = a_test(skilled(4), "Sword", 3, [0], {"advantage": "the high ground"})
    assert after.outcome.earned == "routine"


@pytest.mark.rules("advancement.bonus.equipment_counts")
def test_dice_of_gear_count():
    at = skilled(4, gear=[{"name": "fine sword", "dice": {"Sword": 1}}])
    assert a_test(at, "Sword", 3, [0]).outcome.earned == "difficult"
    assert a_test(at, "Sword", 3, [0], gear=["fine sword"]).outcome.earned == "routine"


@pytest.mark.rules("advancement.artha.never_counts")
@pytest.mark.parametrize("bought", [{"boon": 3}, {"divine_inspiration": True}])
def test_dice_of_artha_never_count(bought: dict[str, Any]):
    at = skilled(4, artha={"persona": 3, "deeds": 1})
    after = a_test(at, "Sword", 5, [0], bought)
    assert after.outcome.dice.total > 4
    assert after.outcome.earned == "challenging"


def test_the_table_of_dice_that_count_says_the_same():
    rows = catalogue().table("advancement.table.dice_that_count")
    counts = {str(row["source_of_dice"]): row["counts_for_class"] for row in rows.records()}
    assert counts["artha"] is False
    tested_here = ("exponent of the tested ability", "help", "FoRK", "advantage", "equipment bonus")
    assert all(counts[source] for source in tested_here)
    careful = a_test(skilled(4), "Sword", 3, [0], {"carefully": True}, time="1 hour")
    assert careful.outcome.earned == "routine"
    assert counts["working carefully, linked test, instructions"] is True


def test_disadvantages_count_in_the_obstacle():
    after = a_test(skilled(4), "Sword", 4, [0], {"disadvantages": ["fog"]})
    assert after.outcome.earned == "challenging"


# --- How many tests it takes ---------------------------------------------------------------

SKILL = {1: (1, 1, 1), 2: (2, 1, 1), 3: (3, 2, 1), 4: (4, 2, 1)}
SKILL |= {5: (0, 3, 1), 6: (0, 3, 2), 7: (0, 4, 2), 8: (0, 4, 3), 9: (0, 5, 3)}
STAT = {
    1: (1, 1),
    2: (1, 1),
    3: (2, 1),
    4: (2, 1),
    5: (3, 1),
    6: (3, 2),
    7: (4, 2),
    8: (4, 3),
    9: (5, 3),
}


@pytest.mark.rules(
    "advancement.required.concept",
    "advancement.skill.low_routine",
    "advancement.skill.low_difficult_or_challenging",
    "advancement.skill.low_no_mixing",
    "advancement.convert.never",
)
@pytest.mark.parametrize("exponent", range(1, 5))
def test_low_skills_need_routine_and_one_of_the_others(exponent: int):
    routine, difficult, challenging = SKILL[exponent]
    sword = sheet(skills={"Sword": f"B{exponent}"}).ability("Sword")
    for log in product(range(6), range(4), range(3)):
        full = log[0] >= routine and (log[1] >= difficult or log[2] >= challenging)
        assert is_full(sword, AbilityLog(*log)) is full, log


@pytest.mark.rules(
    "advancement.skill.high_difficult_and_challenging", "advancement.skill.high_no_routine"
)
@pytest.mark.parametrize("exponent", range(5, 10))
def test_high_skills_need_both_and_no_routine(exponent: int):
    _, difficult, challenging = SKILL[exponent]
    sword = sheet(skills={"Sword": f"B{exponent}"}).ability("Sword")
    for log in product((0, 20), range(7), range(5)):
        assert is_full(sword, AbilityLog(*log)) is (
            log[1] >= difficult and log[2] >= challenging
        ), log


@pytest.mark.rules("advancement.stat.no_routine", "advancement.stat.difficult_and_challenging")
@pytest.mark.parametrize("exponent", range(1, 10))
@pytest.mark.parametrize("stat", ["Will", "Perception", "Agility", "Speed", "Power", "Forte"])
def test_stats_need_both_and_never_routine(stat: str, exponent: int):
    difficult, challenging = STAT[exponent]
    rated = sheet(stats={stat: f"B{exponent}"}).ability(stat)
    for log in product((0, 20), range(7), range(5)):
        assert is_full(rated, AbilityLog(*log)) is (
            log[1] >= difficult and log[2] >= challenging
        ), log


def test_at_ten_nothing_rises_and_from_nothing_any_test_lifts():
    for kind, name in (("skills", "Sword"), ("stats", "Will")):
        top = sheet(**{kind: {name: "B10"}}).ability(name)
        assert not is_full(top, AbilityLog(50, 50, 50))
        nothing = sheet(**{kind: {name: "B0"}}).ability(name)
        assert not is_full(nothing, AbilityLog())
        assert all(
            is_full(nothing, log) for log in (AbilityLog(1), AbilityLog(0, 1), AbilityLog(0, 0, 1))
        )
    at, _ = marked(table(rich={"resources": "B0"}), "Resources", 2, 1)
    assert rating(at, "Resources") == "B1"


@pytest.mark.rules(
    "advancement.attribute.health_steel_as_skill",
    "advancement.circles.as_skill",
    "advancement.resources.as_skill",
)
@pytest.mark.parametrize("name", ["Health", "Steel", "Circles", "Resources", "Faith"])
def test_some_others_advance_as_skills(name: str):
    kinds: dict[str, Any] = {"circles": "B3"} if name == "Circles" else {"resources": "B3"}
    if name not in ("Circles", "Resources"):
        kinds = {"attributes": {name: "B3"}}
    rated = sheet(**kinds).ability(name)
    assert advances_as(rated) == "skill"
    assert is_full(rated, AbilityLog(3, 2, 0))  # a stat would need a challenging test
    assert not is_full(rated, AbilityLog(0, 2, 1))  # a stat would not need routine ones


def test_emotional_attributes_have_chapters_of_their_own():
    at = table(rich={"attributes": {"Hate": "B3"}})
    rated = at.character("rich").ability("Hatred")
    assert advances_as(rated) == "own chapter"
    assert requirement(advances_as(rated), 3) is None
    after, earned = marked(at, "Hatred", 3, 3)
    assert earned is D
    assert log_of(after, "Hatred") == (0, 1, 0)


# --- Pass or fail --------------------------------------------------------------------------


@pytest.mark.rules("advancement.log.tests_are_marked", "advancement.earn.pass_or_fail")
@pytest.mark.parametrize("successes", [0, 2])
def test_a_test_is_earned_pass_or_fail(successes: int):
    after = a_test(skilled(4), "Sword", 2, [successes])
    assert after.outcome.passed is (successes == 2)
    assert log_of(after.table, "Sword") == (1, 0, 0)
    assert after.changed["rich.skills.Sword.log.routine"] == 1


@pytest.mark.rules("advancement.earn.success_only", "advancement.resources.as_skill")
@pytest.mark.parametrize("name", ["Perception", "Resources", "Faith"])
def test_some_learn_from_success_alone(name: str):
    raw = {
        "Perception": {"stats": {"Perception": "B4"}},
        "Resources": {"resources": "B4"},
        "Faith": {"attributes": {"Faith": "B4"}},
    }[name]
    failed, nothing = marked(table(rich=raw), name, 4, 4, passed=False)
    assert nothing is None
    assert log_of(failed, name) == (0, 0, 0)
    passed, earned = marked(table(rich=raw), name, 4, 4, passed=True)
    assert earned is D
    assert log_of(passed, name) == (0, 1, 0)


@pytest.mark.rules("advancement.earn.success_only")
def test_a_failed_perception_test_leaves_no_mark():
    at = table(rich={"stats": {"Perception": "B4"}})
    assert log_of(a_test(at, "Perception", 4, [[1, 1, 1, 1]]).table, "Perception") == (0, 0, 0)
    assert log_of(a_test(at, "Perception", 4, [[4, 4, 4, 4]]).table, "Perception") == (0, 1, 0)
    # An open test succeeds with any success at all (advancement.amb.open_test_success).
    for faces, mark_made in (([1, 1, 1, 1], 0), ([4, 1, 1, 1], 1)):
        after = play("open_test", declare("rich", "Perception"), at, {}, [faces])
        assert log_of(after.table, "Perception") == (mark_made, 0, 0)


@pytest.mark.rules("advancement.class.unwinnable_still_counts")
def test_a_hopeless_test_teaches_unless_success_is_needed():
    assert log_of(a_test(skilled(2), "Sword", 9, [[6, 6]]).table, "Sword") == (0, 0, 1)
    at = table(rich={"stats": {"Perception": "B2"}})
    assert log_of(a_test(at, "Perception", 9, [[4, 4]]).table, "Perception") == (0, 0, 0)


@pytest.mark.rules("advancement.social.roll_and_log")
def test_a_speech_is_rolled_and_logged_however_well_it_was_acted():
    at = table(rich={"skills": {"Oratory": {"rating": "B4", "category": "Social"}}})
    after = a_test(at, "Oratory", 4, [1], task="speaks for half an hour, and how")
    assert after.asks["obstacle"].seat == "gm"
    assert len(after.rolls) == 1
    assert not after.outcome.passed
    assert log_of(after.table, "Oratory") == (0, 1, 0)


@pytest.mark.rules("advancement.social.roll_and_log")
def test_a_hostile_crowd_makes_a_speech_harder_for_the_log_too():
    """advancement.amb.obstacle_with_modifiers: the obstacle rolled against, with its penalties."""
    at = table(rich={"skills": {"Oratory": {"rating": "B4", "category": "Social"}}})
    plain = a_test(at, "Oratory", 2, [1])
    assert log_of(plain.table, "Oratory") == (1, 0, 0)  # four dice: Ob 1 and 2 are routine
    heckled = a_test(at, "Oratory", 2, [1], {"disadvantages": ["hecklers"]})
    assert heckled.outcome.obstacle.total == 3
    assert log_of(heckled.table, "Oratory") == (0, 1, 0)


# --- Attributes ----------------------------------------------------------------------------

SIX = ("Perception", "Will", "Agility", "Speed", "Power", "Forte")
ALMOST = {"log": {"difficult": 2}}  # a stat of B4 that lacks one challenging test


@pytest.mark.rules("advancement.attribute.reflexes_mortal_wound")
@pytest.mark.parametrize(
    ("stats", "tested", "reflexes"),
    [
        (("B4", "B4", "B4"), "Speed", "B4"),  # 13 / 3: the average stays 4
        (("B4", "B5", "B5"), "Perception", "B5"),  # 15 / 3
        (("B5", "B5", "B4"), "Speed", "B5"),
    ],
)
def test_reflexes_follow_the_average(stats: tuple[str, ...], tested: str, reflexes: str):
    names = ("Perception", "Agility", "Speed")
    ratings: dict[str, Any] = {n: {"rating": r} for n, r in zip(names, stats, strict=True)}
    ratings[tested] |= ALMOST
    attributes = {"Reflexes": "B4", "Health": "B4", "Steel": "B4"}
    at = table(rich={"stats": ratings, "attributes": attributes})
    after, _ = marked(at, tested, 4, 5)
    assert rating(after, tested) == "B5"
    assert rating(after, "Reflexes") == reflexes


@pytest.mark.rules("advancement.attribute.health_steel_independent")
@pytest.mark.parametrize("raised", SIX)
def test_health_and_steel_stay_when_a_stat_goes_up(raised: str):
    """Beside stats of 5, any average of two or three with the raised one goes from 4 to 5."""
    stats: dict[str, Any] = {name: {"rating": "B5"} for name in SIX}
    stats[raised] = {"rating": "B4", **ALMOST}
    attributes = {"Health": "B4", "Steel": "B4", "Reflexes": "B4", "Mortal Wound": "B10"}
    after, _ = marked(table(rich={"stats": stats, "attributes": attributes}), raised, 4, 5)
    assert rating(after, raised) == "B5"
    assert (rating(after, "Health"), rating(after, "Steel")) == ("B4", "B4")
    derived = raised in ("Perception", "Agility", "Speed")
    assert rating(after, "Reflexes") == ("B5" if derived else "B4")  # as this one does


@pytest.mark.rules("advancement.attribute.reflexes_mortal_wound")
def test_mortal_wound_follows_the_average_of_its_stats():
    stats = {"Power": {"rating": "B4", **ALMOST}, "Forte": "B3", "Will": "B5"}
    attributes = {"Mortal Wound": "B9"}
    at = table(rich={"stats": stats, "attributes": attributes})
    after, _ = marked(at, "Power", 4, 5)
    assert rating(after, "Power") == "B5"
    assert rating(after, "Mortal Wound") == "B10"  # 7 / 2 became 8 / 2
    stats = {"Forte": {"rating": "B4", **ALMOST}, "Power": "B4", "Will": "B4"}
    at = table(rich={"stats": stats, "attributes": attributes})
    after, _ = marked(at, "Forte", 4, 5)
    assert rating(after, "Forte") == "B5"
    assert rating(after, "Mortal Wound") == "B9"  # 8 / 2 and 9 / 2 are both 4


@pytest.mark.rules("advancement.attribute.reflexes_mortal_wound", "tests.attributes.mortal_wound")
@pytest.mark.parametrize(
    ("written", "last", "rises_to", "kills_at"),
    [
        ("B10", "B10", "B11", "B11"),  # beyond the scale of abilities
        ("B10", "B12", "B11", "B12"),  # entered apart from the attribute: it stays
        ("B16", "B16", "B16", "B16"),
    ],
)
def test_the_last_tolerance_goes_up_with_the_mortal_wound(
    written: str, last: str, rises_to: str, kills_at: str
):
    raw = {
        "stats": {"Power": {"rating": "B4", **ALMOST}, "Forte": "B5"},
        "attributes": {"Mortal Wound": written},
        "tolerances": ["B2", "B4", "B6", "B7", "B8", last],
    }
    after, _ = marked(table(rich=raw), "Power", 4, 5)  # 9 / 2 becomes 10 / 2
    assert rating(after, "Mortal Wound") == rises_to
    tolerances = after.character("rich").tolerances
    assert tolerances is not None
    assert (str(tolerances.traumatic), str(tolerances.mortal)) == ("B8", kills_at)


@pytest.mark.rules("advancement.attribute.reflexes_mortal_wound")
def test_reflexes_end_with_the_scale_of_abilities():
    stats = {"Perception": {"rating": "B4", **ALMOST}, "Agility": "B5", "Speed": "B5"}
    at = table(rich={"stats": stats, "attributes": {"Reflexes": "B10"}})
    after, _ = marked(at, "Perception", 4, 5)  # 14 / 3 becomes 15 / 3
    assert (rating(after, "Perception"), rating(after, "Reflexes")) == ("B5", "B10")


@pytest.mark.rules("advancement.attribute.reflexes_mortal_wound")
def test_markers_have_no_log():
    at = table(rich={"attributes": {"Reflexes": "B4"}})
    with pytest.raises(NotAllowed, match="it changes with its stats"):
        marked(at, "Reflexes", 4, 4)


def search(at: BurningTable, occupation: str, **arguments: Any) -> Played:
    sought = {"sought": "a fence", "intent": "sell it", "how": "asks about", "through": "Thief"}
    wish = {"character": "rich", **sought, **arguments}
    return play("circles_test", wish, at, {"occupation": occupation}, [0])


CIRCLES = {
    "circles": {"rating": "B3", "log": {"routine": 2, "difficult": 2}},
    "lifepaths": ["Thief"],
    "affiliations": [{"name": "the guild", "dice": 1}],
    "reputations": [{"name": "honest", "dice": 2}],
}


@pytest.mark.rules("advancement.circles.count_all_dice")
def test_affiliation_and_reputation_count_for_the_class_of_a_circles_test():
    alone = table(rich={"circles": "B3", "lifepaths": ["Thief"]})
    run = search(alone, "uncommon")
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (3, 3)
    assert run.outcome.earned == "difficult"
    run = search(table(rich={**CIRCLES, "circles": "B3"}), "uncommon")
    assert (run.outcome.dice.total, run.outcome.obstacle.total) == (6, 3)
    assert run.outcome.earned == "routine"


@pytest.mark.rules("advancement.circles.only_base_rises")
def test_circles_rises_and_the_affiliation_does_not():
    run = search(table(rich=CIRCLES), "uncommon")
    assert rating(run.table, "Circles") == "B4"
    rich = run.table.character("rich")
    assert [each.dice for each in (*rich.affiliations, *rich.reputations)] == [1, 2]


def test_taxed_resources_need_what_the_untaxed_exponent_needs():
    for taxed in (0, 1, 2):
        log = {"routine": 2, "difficult": 2}
        raw = {"resources": {"rating": "B3", "taxed": taxed, "log": log}}
        at, earned = marked(
            table(rich=raw), "Resources", 3 - taxed, 1, answers={"log_as": "routine"}
        )
        assert earned is R
        assert rating(at, "Resources") == "B4"
    # but the class is found with the dice really rolled
    assert marked(table(rich={"resources": "B3"}), "Resources", 2, 2)[1] is D
    assert marked(table(rich={"resources": "B3"}), "Resources", 3, 2)[1] is R


# --- I just learned something --------------------------------------------------------------


@pytest.mark.rules("advancement.advance.immediately", "advancement.advance.clean_slate")
def test_an_ability_rises_in_the_middle_of_a_chain():
    log = {"routine": 3, "difficult": 4}
    raw = {"skills": {"Sword": {"rating": "B4", "log": log}, "Oratory": "B4"}}
    at = table(rich=raw, tam={"skills": {"Brawling": "B2"}})
    tests = [
        declare("rich", "Sword", intent="one"),
        declare("tam", "Brawling", intent="two", helpers=["rich"]),
    ]
    answers = {"obstacle": 2, "on_failure": "no", "rich/help": "Sword", "help_how": "so"}
    after = play("linked_tests", {"tests": tests}, at, answers, [2, 2])
    assert "Rich advances: Sword is now B5." in after.told
    # The same sword, a moment later, helps with two dice instead of one.
    assert after.outcome.outcomes[1].dice.total == 4
    assert log_of(after.table, "Sword") == (1, 0, 0)  # as a helper on five dice


@given(
    st.integers(0, 9),
    st.lists(st.tuples(st.sampled_from([R, D, C]), st.booleans()), max_size=40),
)
@pytest.mark.rules("advancement.advance.immediately", "advancement.advance.clean_slate")
def test_over_a_career_the_log_is_never_full_and_exponents_climb_one_by_one(
    exponent: int, career: list[tuple[Difficulty, bool]]
):
    obstacles = {R: 1, D: 4, C: 5}
    at = skilled(exponent)
    here, log = exponent, [0, 0, 0]
    for each, passed in career:
        at, earned = marked(at, "Sword", 4, obstacles[each], passed=passed)
        assert earned is each
        log[[R, D, C].index(each)] += 1
        if here == 0:
            risen = True
        elif here < 5:
            routine, difficult, challenging = SKILL[here]
            risen = log[0] >= routine and (log[1] >= difficult or log[2] >= challenging)
        elif here < 10:
            risen = log[1] >= SKILL[here][1] and log[2] >= SKILL[here][2]
        else:
            risen = False
        if risen:
            here, log = here + 1, [0, 0, 0]
        assert rating(at, "Sword") == f"B{here}"
        assert log_of(at, "Sword") == tuple(log)


# --- Versus --------------------------------------------------------------------------------


def duel(at: BurningTable, rolls: list[int], **answers: Any) -> Played:
    sides = [declare("rich", "Sword", intent="win"), declare("tam", "Sword", intent="win too")]
    return play("versus_test", {"sides": sides}, at, answers, rolls)


CLASS_OF_FOUR = ("routine", "routine", "routine", "difficult", "difficult", "challenging")
"""The class of a test on four dice, by the obstacle: none counts as one."""


@pytest.mark.rules("advancement.versus.opponents_successes")
@pytest.mark.parametrize(("mine", "theirs"), list(product(range(5), range(6))))
def test_each_side_is_classed_by_what_the_other_rolled(mine: int, theirs: int):
    """By what was rolled: neither one's own successes nor the other's penalties count."""
    at = table(rich={"skills": {"Sword": "B4"}}, tam={"skills": {"Sword": "B5"}})
    plain = duel(at, [mine, theirs])
    assert plain.outcome.earned[0] == CLASS_OF_FOUR[theirs]
    hampered = duel(at, [mine, theirs], **{"disadvantages#2": ["mud"]})
    assert hampered.outcome.earned[0] == CLASS_OF_FOUR[theirs]


@pytest.mark.rules("advancement.versus.opponents_successes")
def test_in_a_versus_test_the_obstacle_is_what_the_other_rolled():
    at = table(rich={"skills": {"Sword": "B4"}}, tam={"skills": {"Sword": "B6"}})
    after = duel(at, [3, 5])
    assert after.outcome.earned == ("challenging", "routine")  # 4D against 5, 6D against 3
    after = duel(at, [4, 0])
    # No success counts as an obstacle of one (advancement.amb.versus_zero).
    assert after.outcome.earned == ("routine", "routine")


@pytest.mark.rules("advancement.versus.opponents_successes", "advancement.class.one_die_choice")
@pytest.mark.parametrize("choice", ["routine", "difficult"])
def test_one_die_against_nothing_is_one_die_against_ob_1(choice: str):
    trained = table(rich={"skills": {"Sword": "B1"}}, tam={"skills": {"Sword": "B5"}})
    after = duel(trained, [0, 0], **{"rich/log_as": choice})
    assert after.outcome.earned[0] == choice
    untrained = table(rich={"stats": {"Agility": "B1"}}, tam={"skills": {"Sword": "B5"}})
    after = duel(untrained, [0, 0], roots=["Agility"], **{"rich/log_as": choice})
    assert after.outcome.earned[0] == choice
    assert learned(after.table, "Sword") == (choice == "routine")
    assert log_of(after.table, "Agility") == (0, int(choice == "difficult"), 0)


def test_a_sides_own_penalties_are_part_of_its_obstacle():
    at = table(rich={"skills": {"Sword": "B4"}}, tam={"skills": {"Sword": "B4"}})
    answers = {"disadvantages#1": ["mud"]}
    assert duel(at, [3, 2], **answers).outcome.earned == ("difficult", "difficult")
    assert duel(at, [3, 2]).outcome.earned == ("routine", "difficult")


# --- Helpers learn -------------------------------------------------------------------------


@pytest.mark.rules("advancement.help.helper_earns", "advancement.help.helper_class")
@pytest.mark.parametrize(
    ("exponent", "log"), [(1, (0, 0, 1)), (3, (0, 1, 0)), (5, (1, 0, 0)), (8, (1, 0, 0))]
)
def test_a_helper_learns_as_if_alone(exponent: int, log: tuple[int, int, int]):
    raw = {"skills": {"Brawling": f"B{exponent}"}, "artha": {"persona": 2}}
    at = table(rich={"skills": {"Sword": "B6"}}, tam=raw)
    after = a_test(at, "Sword", 3, [0], {"help": "Brawling"}, helpers=["tam"])
    assert log_of(after.table, "Brawling", "tam") == log
    assert log_of(after.table, "Sword") == (1, 0, 0)


@pytest.mark.rules("advancement.help.helper_class")
def test_a_helper_is_classed_without_the_dice_that_are_lost_for_now():
    for taxed, log in ((0, (1, 0, 0)), (2, (0, 1, 0))):  # Ob 2 on four dice, and on two
        friend = {"resources": {"rating": "B4", "taxed": taxed}}
        at = table(rich={"resources": "B6"}, tam=friend)
        wish = {"character": "rich", "item": "a horse", "helpers": ["tam"]}
        run = play("purchase", wish, at, {"price": 2, "help": "Resources"}, [2])
        assert log_of(run.table, "Resources", "tam") == log


@pytest.mark.rules("advancement.help.helper_class")
@pytest.mark.parametrize(
    ("wounds", "log"),
    [([], (1, 0, 0)), (["Light"], (1, 0, 0)), (["Midi"], (0, 1, 0)), (["Severe"], (0, 0, 1))],
)
def test_a_helper_is_classed_without_the_dice_that_wounds_take(wounds, log):
    """Ob 2 on four or three dice is routine; on two difficult; on one challenging."""
    friend = {"skills": {"Brawling": "B4"}, "stats": {"Power": "B5"}, "wounds": wounds}
    at = table(rich={"skills": {"Sword": "B6"}}, tam=friend)
    run = a_test(at, "Sword", 2, [0], {"help": "Brawling"}, helpers=["tam"])
    assert log_of(run.table, "Brawling", "tam") == log
    assert run.outcome.dice.total == 7  # the help itself goes by the exponent


@pytest.mark.rules("advancement.help.helper_class")
def test_a_helper_in_clumsy_armor_is_classed_by_the_dice_left():
    """Full leggings take a die of Speed: Ob 2 on three dice is routine, on two difficult."""
    for armor, log in (({}, (1, 0, 0)), ({"legs": "mail"}, (0, 1, 0))):
        friend = {"stats": {"Speed": "B3"}, "armor": armor, "training": ["Armor Training"]}
        at = table(rich={"stats": {"Speed": "B6"}}, tam=friend)
        run = a_test(at, "Speed", 2, [0], {"help": "Speed"}, helpers=["tam"])
        assert log_of(run.table, "Speed", "tam") == log


def test_a_helper_of_an_open_test_learns_something_routine():
    at = table(rich={"skills": {"History": "B4"}}, tam={"skills": {"Reading": "B1"}})
    said = {"help": "Reading"}
    run = play("open_test", declare("rich", "History", helpers=["tam"]), at, said, [2])
    assert log_of(run.table, "Reading", "tam") == (1, 0, 0)
    assert "log_as" not in run.asked


def test_a_result_that_rides_is_logged_once():
    at = a_test(skilled(4), "Sword", 2, [2]).table
    ride = {"character": "rich", "ability": "Sword", "intent": "get in", "obstacle": 5}
    after = play("harder_later", ride, at)
    assert not after.outcome.passed
    assert log_of(after.table, "Sword") == (1, 0, 0)


def test_a_helper_of_perception_needs_the_primarys_success():
    raw = {"stats": {"Perception": "B4"}}
    at = table(rich=raw, tam=raw)
    for faces, earned in (([1] * 5, 0), ([4] * 5, 1)):
        after = a_test(at, "Perception", 3, [faces], {"help": "Perception"}, helpers=["tam"])
        assert log_of(after.table, "Perception", "tam") == (0, earned, 0)


def test_a_helper_of_a_beginner_learns_from_the_undoubled_obstacle():
    at = table(rich={"stats": {"Agility": "B4"}}, tam={"skills": {"Brawling": "B4"}})
    answers = {"roots": ["Agility"], "help": "Brawling", "disadvantages": ["fog"]}
    after = a_test(at, "Sword", 2, [0], answers, helpers=["tam"])
    assert after.outcome.obstacle.total == 5
    assert log_of(after.table, "Brawling", "tam") == (0, 1, 0)  # 2 and 1 for the fog, on four


# --- A series of rolls is one test ---------------------------------------------------------


def steps(at: BurningTable, *parts: Any) -> BurningTable:
    """One thing after the other, each beginning where the one before ended."""
    for part in parts:
        at = part(at)
    return at


def series(*names: str) -> Any:
    return lambda at: run(begin_series(at, "a fight", names))


def over(at: BurningTable) -> BurningTable:
    after: BurningTable = run(end_series(at, "a fight"))
    return after


def roll(ability: str, dice: int, obstacle: int, *, passed: bool = True, who: str = "rich") -> Any:
    return lambda at: marked(at, ability, dice, obstacle, passed=passed, who=who)[0]


@pytest.mark.rules("advancement.series.one_test")
def test_a_series_earns_one_test_for_each_ability():
    at = table(rich={"skills": {"Sword": "B4", "Brawling": "B4"}}, tam={"skills": {"Sword": "B4"}})
    punches = [roll("Sword", 4, 2) for _ in range(6)]
    inside = steps(at, series("rich", "tam"), *punches, roll("Brawling", 4, 1))
    assert log_of(inside, "Sword") == (0, 0, 0)
    after = steps(inside, roll("Sword", 4, 3, who="tam"), over)
    assert log_of(after, "Sword") == (1, 0, 0)
    assert log_of(after, "Brawling") == (1, 0, 0)
    assert log_of(after, "Sword", "tam") == (0, 1, 0)
    assert after.scene.series == ()
    assert log_of(roll("Sword", 4, 2)(after), "Sword") == (2, 0, 0)


@pytest.mark.rules("advancement.series.highest_obstacle")
def test_the_hardest_test_of_a_series_counts():
    rolls = [roll("Sword", 4, obstacle) for obstacle in (2, 4, 5, 1)]
    assert log_of(steps(skilled(4), series("rich"), *rolls, over), "Sword") == (0, 0, 1)


@pytest.mark.parametrize(
    ("choice", "log"), [("hardest_class", (0, 1, 0)), ("highest_obstacle", (1, 0, 0))]
)
@pytest.mark.rules("advancement.series.highest_obstacle")
def test_with_changing_dice_the_class_or_the_obstacle_decides(choice: str, log: tuple[int, ...]):
    at = table(options={"advancement_series_test": choice}, rich={"skills": {"Sword": "B4"}})
    for rolls in ([(4, 3), (8, 5)], [(8, 5), (4, 3)]):  # 8D against 5 is routine
        made = [roll("Sword", *each) for each in rolls]
        assert log_of(steps(at, series("rich"), *made, over), "Sword") == log


@pytest.mark.rules("advancement.series.needed_test_at_once")
def test_the_lacking_test_of_a_series_is_logged_at_once():
    at = skilled(4, (3, 2, 0))  # one routine test lacks
    inside = steps(at, series("rich"), roll("Sword", 4, 4), roll("Sword", 4, 5))
    assert rating(inside, "Sword") == "B4"
    inside = roll("Sword", 4, 1)(inside)
    assert rating(inside, "Sword") == "B5"
    # The rest of the series earns no more (advancement.amb.series_after_advance).
    after = steps(inside, roll("Sword", 5, 9), over)
    assert rating(after, "Sword") == "B5"
    assert log_of(after, "Sword") == (0, 0, 0)


@pytest.mark.rules("advancement.series.needed_test_at_once")
def test_only_a_test_that_completes_the_advancement_is_logged_early():
    at = skilled(4, (2, 2, 0))  # two routine tests lack
    after = steps(at, series("rich"), roll("Sword", 4, 1), roll("Sword", 4, 5), over)
    assert log_of(after, "Sword") == (2, 2, 1)


def test_a_series_of_perception_chooses_among_the_successes():
    at = table(rich={"stats": {"Perception": "B4"}})
    rolls = [roll("Perception", 4, 5, passed=False), roll("Perception", 4, 3)]
    assert log_of(steps(at, series("rich"), *rolls, over), "Perception") == (0, 1, 0)


def test_nobody_is_in_two_series():
    at = series("rich")(skilled(4))
    with pytest.raises(NotAllowed, match="already in a series of rolls: a fight"):
        run(begin_series(at, "another", ("rich",)))


@pytest.mark.rules("advancement.series.one_test")
@pytest.mark.parametrize("first", ["one", "two", "three"])
def test_series_side_by_side_end_each_on_their_own(first: str):
    names = ("one", "two", "three")
    at = table(**{name: {"skills": {"Sword": "B4"}} for name in names})
    for name in names:
        at = run(begin_series(at, f"fight {name}", (name,)))
        at = roll("Sword", 4, 3, who=name)(at)
    at = run(end_series(at, f"fight {first}"))
    left = [name for name in names if name != first]
    assert [each.title for each in at.scene.series] == [f"fight {name}" for name in left]
    for name in names:
        assert log_of(at, "Sword", name) == (0, int(name == first), 0)
    for name in left:
        at = run(end_series(at, f"fight {name}"))
    assert [log_of(at, "Sword", name) for name in names] == [(0, 1, 0)] * 3


@pytest.mark.rules("advancement.series.one_test", "advancement.series.needed_test_at_once")
def test_inside_a_series_nothing_is_earned_but_the_test_that_was_lacking():
    at = series("rich")(skilled(4))
    assert a_test(at, "Sword", 3, [0]).outcome.earned == ""
    beginner = series("rich")(table(rich={"stats": {"Agility": "B4"}}))
    assert a_test(beginner, "Bow", 2, [0], {"roots": ["Agility"]}).outcome.earned == ""
    lacking = {"Sword": {"rating": "B4", "log": {"routine": 4, "difficult": 1}}}
    at = series("rich")(table(rich={"skills": lacking}))
    assert a_test(at, "Sword", 2, [0]).outcome.earned == ""
    assert a_test(at, "Sword", 3, [0]).outcome.earned == "difficult"


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 9)), min_size=1, max_size=12))
@pytest.mark.rules("advancement.series.one_test", "advancement.series.highest_obstacle")
def test_any_series_leaves_exactly_one_mark_of_its_hardest_class(rolls: list[tuple[int, int]]):
    at = skilled(9)  # nothing can rise in one series: it needs eight tests
    rolls = [(dice + 1, obstacle) for dice, obstacle in rolls]  # one die would ask
    after = steps(at, series("rich"), *(roll("Sword", *each) for each in rolls), over)
    hardest = max([R, D, C].index(difficulty(*each)) for each in rolls)
    assert log_of(after, "Sword") == tuple(int(at == hardest) for at in range(3))


# --- Beginner's Luck -----------------------------------------------------------------------


def learned(at: BurningTable, skill: str, name: str = "rich") -> int:
    learning = at.character(name).learning
    return learning[skill].tests if skill in learning else 0


@pytest.mark.rules(
    "advancement.beginner.routine_goes_to_skill", "advancement.beginner.harder_goes_to_stat"
)
@pytest.mark.parametrize(
    ("obstacle", "toward", "log"),
    [(1, 1, (0, 0, 0)), (2, 1, (0, 0, 0)), (3, 0, (0, 1, 0)), (4, 0, (0, 1, 0)), (5, 0, (0, 0, 1))],
)
@pytest.mark.parametrize("successes", [0, 4])
def test_the_base_obstacle_decides_where_a_beginners_test_goes(
    obstacle: int, toward: int, log: tuple[int, int, int], successes: int
):
    at = table(rich={"stats": {"Agility": "B4"}})
    answers = {"roots": ["Agility"], "disadvantages": ["fog", "rain"]}
    after = a_test(at, "Bow", obstacle, [successes], answers)
    assert learned(after.table, "Bow") == toward
    assert log_of(after.table, "Agility") == log


@pytest.mark.rules("advancement.beginner.counts_pass_or_fail")
@pytest.mark.parametrize("faces", [[1, 1, 1, 1], [4, 4, 1, 1]])
def test_a_beginners_routine_test_counts_pass_or_fail_even_of_perception(faces: list[int]):
    at = table(rich={"stats": {"Perception": "B4"}})
    after = a_test(at, "Tracking", 1, [faces], {"roots": ["Perception"]})
    assert learned(after.table, "Tracking") == 1
    assert log_of(after.table, "Perception") == (0, 0, 0)


def test_a_beginners_hard_test_of_perception_needs_success_against_the_doubled_obstacle():
    at = table(rich={"stats": {"Perception": "B4"}})
    for successes, log in ((4, (0, 0, 0)), (6, (0, 1, 0))):
        faces = [6] * 4 + ([1] * 4 if successes == 4 else [6, 6, 1, 1, 1, 1])
        after = a_test(at, "Tracking", 3, [faces], {"roots": ["Perception"]})
        assert after.outcome.successes == successes
        assert log_of(after.table, "Perception") == log
        assert learned(after.table, "Tracking") == 0


def test_help_and_advantages_make_a_beginners_test_easier_to_place():
    at = table(rich={"stats": {"Agility": "B4"}})
    answers = {"roots": ["Agility"], "advantage": "at leisure"}
    after = a_test(at, "Bow", 3, [0], answers)  # five dice: routine
    assert learned(after.table, "Bow") == 1


def test_one_die_lets_the_player_choose_between_skill_and_stat():
    at = table(rich={"stats": {"Agility": "B1"}})
    said = {"roots": ["Agility"]}
    routine = a_test(at, "Bow", 1, [0], said | {"log_as": "routine"}).table
    assert (learned(routine, "Bow"), log_of(routine, "Agility")) == (1, (0, 0, 0))
    harder = a_test(at, "Bow", 1, [0], said | {"log_as": "difficult"}).table
    assert (learned(harder, "Bow"), log_of(harder, "Agility")) == (0, (0, 1, 0))


@pytest.mark.rules("advancement.beginner.two_roots_choose")
def test_with_two_roots_the_player_chooses_the_stat():
    at = table(rich={"stats": {"Agility": "B4", "Will": "B2"}})
    said = {"roots": ["Agility", "Will"]}
    after = a_test(at, "Juggling", 2, [0], said | {"root": "Will"})
    assert after.seats["root"] == "rich"
    assert after.outcome.dice.total == 2
    assert log_of(after.table, "Will") == (0, 1, 0)
    after = a_test(at, "Juggling", 2, [0], said | {"root": "Agility"})
    assert after.outcome.dice.total == 4
    assert after.table.character("rich").learning["Juggling"].roots == ("Agility", "Will")


def test_untrained_against_an_opponent_the_others_successes_count_undoubled():
    at = table(rich={"stats": {"Agility": "B4"}}, tam={"skills": {"Sword": "B5"}})
    after = duel(at, [1, 2], roots=["Agility"], **{"disadvantages#1": ["mud"]})
    assert learned(after.table, "Sword") == 1  # 4D against 2, not against 3 or 4


def test_open_and_series_tests_of_a_beginner_count_once_toward_the_skill():
    at = table(rich={"stats": {"Perception": "B1"}})
    opened = play("open_test", declare("rich", "Tracking"), at, {"roots": ["Perception"]}, [[1]])
    assert learned(opened.table, "Tracking") == 1
    at = series("rich")(table(rich={"stats": {"Agility": "B4"}}))
    for intent in ("one", "two", "three"):
        at = a_test(at, "Bow", 2, [0], {"roots": ["Agility"]}, intent=intent).table
    assert learned(at, "Bow") == 0
    assert learned(over(at), "Bow") == 1


def test_the_last_test_that_a_skill_lacks_opens_it_in_the_middle_of_a_series():
    learning = {"Bow": {"roots": ["Agility"], "tests": 5}}
    at = series("rich")(table(rich={"stats": {"Agility": "B4"}, "learning": learning}))
    at = a_test(at, "Bow", 2, [0]).table
    assert rating(at, "Bow") == "B2"
    assert log_of(over(at), "Bow") == (0, 0, 0)


# --- The drivers ---------------------------------------------------------------------------


def test_the_odds_of_a_test_that_raises_the_ability_are_those_of_any_other():
    procedure = GAME.procedure("standard_test")
    arguments = GAME.read(declare("rich", "Sword"), procedure.arguments, "arguments")
    policy = Scripted({"obstacle": 2, "on_failure": "no"})
    odds = [
        exact(procedure.start(arguments, at), policy).map(lambda o: o.passed).chance(True)
        for at in (skilled(3), skilled(3, (2, 2, 0)))
    ]
    assert odds[0] == odds[1]
    assert odds[0] == 0.5  # two or three successes of three black dice
