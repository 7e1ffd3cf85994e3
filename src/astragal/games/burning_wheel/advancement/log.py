"""Advancing abilities: the mark that a test leaves, and what a full log does.

Every test is marked as part of the test itself (``after_test`` of ``tests/attempts``), and an
ability rises the moment its log is full; what that takes is in ``advancement/requirements``. A
conflict calls :func:`begin_series` and :func:`end_series` around its rolls; each ability marked in
between counts once. Corrections and requests are in ``advancement/corrections``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE
from astragal.play import Step, note, value_at
from astragal.rules import catalogue

from ..conditions.prayers import end_blessing
from ..sheet.editions import edition
from ..sheet.faiths import FAITH
from ..sheet.parts import AbilityKind, Difficulty
from ..sheet.ratings import HIGHEST_EXPONENT, STEPS, Rating
from ..sheet.scene import BurningTable, Series, SeriesTest
from ..sheet.shades import derived, move_last_tolerance
from ..sheet.sheet import Rated, Sheet, parents
from .growing_faith import faith_grows
from .new_skills import about_skill, is_training, learn, open_what_is_learned, would_open
from .requirements import (
    advances_as,
    check_has_log,
    classed,
    earned_only_by_success,
    is_full,
    with_mark,
)

# --- Marking a test ------------------------------------------------------------------------


def mark(
    table: BurningTable,
    character: str,
    tested: Rated,
    dice: int,
    obstacle: int,
    *,
    passed: bool,
    is_open: bool = False,
    beside: str = "",
) -> Step[tuple[BurningTable, Difficulty | None]]:
    """Log a test: pass or fail as a rule (advancement.earn.pass_or_fail).

    No dice earn nothing (advancement.amb.table_beyond_18), no obstacle counts as one
    (advancement.amb.versus_zero). None is earned where success was needed, or where a series
    keeps the test for later: the character's own, or that of the character ``beside`` whom
    they help (advancement.amb.helper_details).
    """
    check_has_log(tested)
    if dice < 1 or (earned_only_by_success(tested) and not passed):
        return table, None
    obstacle = max(1, obstacle)
    earned = yield from classed(table, character, tested, dice, obstacle, is_open=is_open)
    test = SeriesTest(character, tested.name, earned, obstacle)
    table, logged = yield from earn(table, test, beside)
    return table, earned if logged else None


def mark_beginner(
    table: BurningTable,
    character: str,
    skill: str,
    roots: tuple[str, ...],
    stat: Rated,
    dice: int,
    base: int,
    *,
    passed: bool,
    is_open: bool = False,
) -> Step[tuple[BurningTable, Difficulty | None]]:
    """Log a test by Beginner's Luck, classed by its base obstacle before doubling.

    If that is routine it goes toward the missing skill, and nothing to the stat
    (advancement.beginner.routine_goes_to_skill, passed or failed); if it is harder it is a test
    of the stat (advancement.beginner.harder_goes_to_stat). All dice rolled count but artha
    (advancement.amb.beginner_which_dice). No roll teaches a Training skill
    (advancement.training.practice_or_instruction_only).
    """
    if dice < 1:
        return table, None
    base = max(1, base)
    earned = yield from classed(table, character, stat, dice, base, is_open=is_open)
    log = catalogue().table("advancement.table.beginner_log")
    row = log.where(class_of_base_obstacle_for_the_stat=earned.value.capitalize())
    if row["logged_to"] == "stat":
        # advancement.amb.beginner_perception_failed: judged against the doubled obstacle.
        if earned_only_by_success(stat) and not passed:
            return table, None
        test = SeriesTest(character, stat.name, earned, base)
    elif is_training(skill, table):
        rule = "advancement.training.practice_or_instruction_only"
        yield from note(f"{skill} is learned only by practice or instruction.", rule)
        return table, None
    else:
        test = SeriesTest(character, skill, earned, base, roots)
    table, logged = yield from earn(table, test)
    return table, earned if logged else None


def earn(
    table: BurningTable, test: SeriesTest, beside: str = ""
) -> Step[tuple[BurningTable, bool]]:
    """Log a test now, or keep it for the end of the series it belongs to."""
    at = _series_of(table, test.character)
    if at is None:
        at = _series_of(table, beside)
    if at is None:
        return (yield from log_test(table, test)), True
    return (yield from _hold(table, at, test))


def log_test(table: BurningTable, test: SeriesTest) -> Step[BurningTable]:
    """Make the mark in the ability's own log (advancement.log.tests_are_marked).

    The ability rises if that was all it lacked. What is not open yet counts tests toward its
    Aptitude instead; a skill without exponent is open, and one test lifts it
    (advancement.amb.start_root_1).
    """
    found = table.character(test.character).find(test.ability)
    if found is None:
        rule = "advancement.beginner.counts_pass_or_fail"
        about = about_skill(test.ability, test.roots, table)
        return (yield from learn(table, test.character, test.ability, about, rule))
    path, because = f"{found.path}.log.{test.difficulty.value}", "advancement.log.tests_are_marked"
    table = yield from table.add(test.character, path, 1, because=because)
    return (yield from advance(table, test.character, found.name))


# --- Advancing -----------------------------------------------------------------------------


def advance(table: BurningTable, character: str, ability: str) -> Step[BurningTable]:
    """Raise an ability whose log is full, at once, even in the middle of a scene.

    advancement.advance.immediately; then its log is cleared, surplus and all
    (advancement.advance.clean_slate). The same number of dice stays taxed, so that what is left
    of Resources rises as well (gold.resources.advance_taxed, gold.diff.taxed_advance).
    """
    sheet = table.character(character)
    rated = sheet.ability(ability)
    if not is_full(rated, rated.ability.log, edition(table.options)):
        return table
    if rated.kind is AbilityKind.STAT and rated.exponent >= sheet.caps.get(rated.name, STEPS):
        return table  # capped for good by a Mortal Wound (injury.fail.mortal_soft)
    rating = rated.rating.raised()
    table = yield from table.amend(
        character, f"{rated.path}.rating", rating, because="advancement.advance.immediately"
    )
    for each in Difficulty:
        path = f"{rated.path}.log.{each.value}"
        table = yield from table.amend(
            character, path, 0, because="advancement.advance.clean_slate"
        )
    text = f"{sheet.name} advances: {rated.name} is now {rating}."
    yield from note(text, "advancement.advance.immediately")
    if rated.kind is AbilityKind.STAT:
        table = yield from _follow(table, character, sheet, rated.name)
        table = yield from open_what_is_learned(table, character)
    if rated.name == FAITH:
        table = yield from faith_grows(table, character)
    return table


def _follow(table: BurningTable, character: str, before: Sheet, stat: str) -> Step[BurningTable]:
    """Reflexes and Mortal Wound go up when their average does, at once.

    advancement.attribute.reflexes_mortal_wound, advancement.amb.mid_conflict_markers. Health and
    Steel are independent of their stats by then (advancement.attribute.health_steel_independent).
    """
    after = table.character(character)
    for name, marker in after.attributes.items():
        rated = Rated(name, AbilityKind.ATTRIBUTE, marker)
        if not advances_as(rated).startswith("recalculated") or stat not in parents(name):
            continue
        now, then = (derived(sheet, name, table.options) for sheet in (after, before))
        if now is None or then is None:
            continue  # a short sheet without those stats
        # The Mortal Wound is a step of the grayscale and may go beyond the scale of abilities.
        most = STEPS if name == "Mortal Wound" else HIGHEST_EXPONENT
        exponent = min(most, marker.rating.exponent + now.average - then.average)
        rating = Rating(marker.rating.shade, exponent)
        because = "advancement.attribute.reflexes_mortal_wound"
        table = yield from table.amend(character, f"{rated.path}.rating", rating, because=because)
        table = yield from move_last_tolerance(table, before, character, because=because)
    return table


# --- A series of rolls is one test ---------------------------------------------------------


def begin_series(
    table: BurningTable, title: str, characters: tuple[str, ...]
) -> Step[BurningTable]:
    """From here on, each ability of these characters earns one test in all.

    advancement.series.one_test: a duel, a fight, an exchange of shots, a scene of repeated
    rolls (advancement.amb.series_extent). To be closed with :func:`end_series`.
    """
    rule = "advancement.series.one_test"
    if not title or any(series.title == title for series in table.scene.series):
        raise BadInput("title", title, "a name that no open series has", rule)
    for name in characters:
        sheet = table.character(name, "characters")
        at = _series_of(table, name)
        if at is not None:
            inside = table.scene.series[at].title
            raise NotAllowed(f"{sheet.name} is already in a series of rolls: {inside}", rule)
    series = (*table.scene.series, Series(title, characters))
    return (yield from table.amend(SCENE, "series", series, because=rule))


def end_series(table: BurningTable, title: str) -> Step[BurningTable]:
    """Log the one test that each ability has from a series, and close it."""
    titles = [series.title for series in table.scene.series]
    rule = "advancement.series.one_test"
    if title not in titles:
        expected = f"an open series ({', '.join(titles) or 'there is none'})"
        raise BadInput("title", title, expected, rule)
    at = titles.index(title)
    series = table.scene.series[at]
    left = (*table.scene.series[:at], *table.scene.series[at + 1 :])
    table = yield from table.amend(SCENE, "series", left, because=rule)
    for test in series.tests:
        if not test.logged:
            table = yield from log_test(table, test)
        # What a Blessing was for is played out with the conflict (faith.prayer.blessing).
        table = yield from end_blessing(table, test.character, test.ability)
    return table


def begin_own_series(
    table: BurningTable, title: str, character: str
) -> Step[tuple[BurningTable, bool]]:
    """A series of one character's rolls, unless those belong to a conflict's already.

    advancement.series.one_test; the second part of the answer says whether it was begun.
    """
    if _series_of(table, character) is not None:
        return table, False
    return (yield from begin_series(table, title, (character,))), True


def _series_of(table: BurningTable, character: str) -> int | None:
    for at, series in enumerate(table.scene.series):
        if character in series.characters:
            return at
    return None


def _hold(table: BurningTable, at: int, test: SeriesTest) -> Step[tuple[BurningTable, bool]]:
    """Keep the hardest test of each ability; one that raises the ability is logged at once.

    advancement.series.highest_obstacle, advancement.series.needed_test_at_once; after that the
    ability earns no more in this series (advancement.amb.series_after_advance).
    """
    series = table.scene.series[at]
    same = [each for each in series.tests if _same(each, test)]
    others = tuple(each for each in series.tests if not _same(each, test))
    if same and same[0].logged:
        return table, False
    if completes(table, test):
        tests = (*others, msgspec.structs.replace(test, logged=True))
        rule = "advancement.series.needed_test_at_once"
        table = yield from table.amend(SCENE, f"series.{at}.tests", tests, because=rule)
        return (yield from log_test(table, test)), True
    if not same or _is_harder(test, same[0], table):
        rule = "advancement.series.highest_obstacle"
        tests = (*others, test)
        table = yield from table.amend(SCENE, f"series.{at}.tests", tests, because=rule)
    return table, False


def _same(one: SeriesTest, other: SeriesTest) -> bool:
    same_ability = one.ability.casefold() == other.ability.casefold()
    return one.character == other.character and same_ability


def _is_harder(test: SeriesTest, kept: SeriesTest, table: BurningTable) -> bool:
    """Whether a test takes the place of the one kept so far.

    The hardest class, then the highest obstacle; or strictly the highest obstacle, as the group
    reads it (advancement.amb.series_which_test).
    """
    order = list(Difficulty)
    new = (order.index(test.difficulty), test.obstacle)
    old = (order.index(kept.difficulty), kept.obstacle)
    if table.options["advancement_series_test"] == "highest_obstacle":
        return new[::-1] > old[::-1]
    return new > old


def completes(table: BurningTable, test: SeriesTest) -> bool:
    """Whether a test is the one that its ability lacks."""
    sheet = table.character(test.character)
    found = sheet.find(test.ability)
    if found is None:
        return would_open(sheet, test.ability, test.roots, table.options)
    log = value_at(sheet, f"{found.path}.log")
    return is_full(found, with_mark(log, test.difficulty), edition(table.options))
