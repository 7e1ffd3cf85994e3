"""Routine, difficult, challenging: the class of a test, and how many of each an ability needs."""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import NotAllowed
from astragal.play import Step, choose
from astragal.rules import catalogue

from ..sheet.editions import REVISED, Edition
from ..sheet.parts import AbilityKind, AbilityLog, Difficulty
from ..sheet.ratings import HIGHEST_EXPONENT
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated

# --- Routine, difficult, challenging -------------------------------------------------------


@cache
def difficulty(dice: int, obstacle: int) -> Difficulty:
    """The class of a test, by the dice rolled and the obstacle.

    advancement.class.three, advancement.class.dice_against_obstacle. The dice are those actually
    rolled, not merely the exponent (advancement.class.actual_dice); which of them count is in
    ``advancement.table.dice_that_count``. Beyond the last row the pattern of the table goes on
    (advancement.amb.table_beyond_18). An obstacle of 1 on a single die could be logged either
    way (advancement.class.one_die_choice); here it is routine.

    >>> [difficulty(4, obstacle).value for obstacle in (2, 3, 5)]
    ['routine', 'difficult', 'challenging']
    """
    rows = catalogue().table("advancement.table.difficulty_by_dice").records()
    row = rows[min(dice, len(rows)) - 1]
    beyond = max(0, dice - len(rows))
    # advancement.class.challenging_above_dice, out of reach or not
    # (advancement.class.unwinnable_still_counts)
    if obstacle >= row.number("challenging_min") + beyond:
        return Difficulty.CHALLENGING
    if obstacle <= row.number("routine_max") + beyond:
        return Difficulty.ROUTINE
    return Difficulty.DIFFICULT


def classed(
    table: BurningTable, character: str, ability: Rated, dice: int, obstacle: int, *, is_open: bool
) -> Step[Difficulty]:
    """The class of a test that was made; on one die against Ob 1 the player chooses.

    An open test is always routine, also on one die (advancement.open.routine,
    advancement.amb.open_test_one_die); one against a fixed obstacle is classed as usual though its
    dice be open-ended (advancement.open.not_open_ended).
    """
    if is_open:
        return Difficulty.ROUTINE
    if (dice, obstacle) != (1, 1):
        return difficulty(dice, obstacle)
    chosen = yield from choose(
        table.character(character).seat(character),
        "log_as",
        f"One die against Ob 1: log {ability.name} as routine or difficult?",
        {"routine": "Routine", "difficult": "Difficult"},
        default="difficult" if ability.kind is AbilityKind.STAT else "routine",
        because="advancement.class.one_die_choice",
    )
    return Difficulty(chosen)


# --- How many tests it takes ---------------------------------------------------------------


class Requirement(msgspec.Struct, frozen=True):
    """The tests that raise an ability by one (advancement.required.concept)."""

    routine: int
    difficult: int
    challenging: int
    either: bool
    """Whether either the difficult or the challenging tests are enough."""

    def is_met(self, log: AbilityLog) -> bool:
        """Whether a log has all of it, whichever came last (advancement.amb.order_of_classes).

        No class stands in for another (advancement.convert.never), nor do two halves make a
        whole (advancement.skill.low_no_mixing).
        """
        difficult = log.difficult >= self.difficult
        challenging = log.challenging >= self.challenging
        harder = (difficult or challenging) if self.either else (difficult and challenging)
        return harder and log.routine >= self.routine

    def __str__(self) -> str:
        """In words: 3 routine, and 2 difficult or 1 challenging."""
        joint = "or" if self.either else "and"
        harder = f"{self.difficult} difficult {joint} {self.challenging} challenging"
        return f"{self.routine} routine, and {harder}" if self.routine else harder


def advances_as(rated: Rated, played: Edition = REVISED) -> str:
    """How an ability advances: as a skill, as a stat, by its own chapter, or with its stats.

    advancement.attribute.health_steel_as_skill, advancement.circles.as_skill,
    advancement.resources.as_skill; in the later edition Greed, Grief and Hatred as well as Faith
    (gold.adv.like_skills, gold.diff.emotional_advance). Otherwise emotional attributes advance
    under conditions of their own (faith.emotional.advance_specially): Faith as a skill
    (faith.amb.advancement_table), the other three by another book.
    """
    if played.advances_like_a_skill(rated):
        return "skill"
    return _advances(rated.name, rated.kind)[0]


def earned_only_by_success(rated: Rated) -> bool:
    """Perception, Resources and Faith learn from success alone (advancement.earn.success_only)."""
    return _advances(rated.name, rated.kind)[1]


@cache
def _advances(name: str, kind: AbilityKind) -> tuple[str, bool]:
    wanted = "skill" if kind is AbilityKind.SKILL else name
    for row in catalogue().table("advancement.table.advances_as").records():
        if row["ability"] == wanted:
            return str(row["advances_as"]), bool(row["only_successful_tests"])
    return "own chapter", False


@cache
def requirement(advances: str, exponent: int) -> Requirement | None:
    """What an ability of that exponent needs; None where no log can raise it.

    A skill up to 4 needs routine tests, and difficult or challenging ones
    (advancement.skill.low_routine, advancement.skill.low_difficult_or_challenging); from 5 on
    difficult and challenging ones (advancement.skill.high_difficult_and_challenging) and no
    routine ones (advancement.skill.high_no_routine). Stats never count routine tests
    (advancement.stat.no_routine, advancement.stat.difficult_and_challenging). The scale ends at
    10 (advancement.amb.exponent_10_and_0).

    >>> print(requirement("skill", 3))
    3 routine, and 2 difficult or 1 challenging
    >>> print(requirement("stat", 3))
    2 difficult and 1 challenging
    """
    if advances not in ("skill", "stat") or not 1 <= exponent < HIGHEST_EXPONENT:
        return None
    table = catalogue().table(f"advancement.table.{advances}_tests")
    row = table.where(**{f"{advances}_exponent": exponent})
    routine, difficult, challenging = (row.number(each.value) for each in Difficulty)
    return Requirement(routine, difficult, challenging, either=bool(row["either"]))


def is_full(rated: Rated, log: AbilityLog, played: Edition = REVISED) -> bool:
    """Whether a log raises an ability; one without exponent needs any one test.

    advancement.amb.exponent_10_and_0, resources.advance.from_zero. What counts is the exponent on
    the sheet, also where Tax lowers it for a while (resources.advance.untaxed_exponent,
    advancement.amb.resources_taxed).
    """
    advances = advances_as(rated, played)
    exponent = rated.rating.exponent
    if not exponent and advances in ("skill", "stat"):
        return log != AbilityLog()
    needed = requirement(advances, exponent)
    return needed is not None and needed.is_met(log)


def check_has_log(rated: Rated) -> None:
    """Refuse to log tests of what is worked out from stats.

    advancement.attribute.reflexes_mortal_wound.
    """
    if advances_as(rated).startswith("recalculated"):
        what = f"{rated.name} has no tests of its own: it changes with its stats"
        raise NotAllowed(what, "advancement.attribute.reflexes_mortal_wound")


def with_mark(log: AbilityLog, earned: Difficulty, tests: int = 1) -> AbilityLog:
    """The log with more tests of a class, or fewer."""
    count = getattr(log, earned.value) + tests
    return msgspec.structs.replace(log, **{earned.value: count})
