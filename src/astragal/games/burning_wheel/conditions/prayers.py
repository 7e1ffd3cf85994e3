"""Answered prayers at work: the dice of Blessings and Aid, abilities that a Boon makes open-ended.

Praying itself is in ``magic/faith``.
"""

from __future__ import annotations

from collections.abc import Callable

from astragal.play import GM, Line, Step, consent, note
from astragal.rules import Options

from ..sheet.faiths import AnsweredPrayer
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .lines import Lines, Tester

BLESSING, AID, BOON = "blessing", "aid", "boon"


def prayers_on_test(tester: Tester) -> Lines:
    """The dice of a Blessing (faith.prayer.blessing) and of an Aid that waits (faith.prayer.aid).

    What counts is the ability that is rolled.
    """
    found = helping(tester.sheet, tester.tested.name, tester.table.options)
    return Lines(tuple(Line(each.dice, _label(each), _rule(each)) for each in found))


def helping(sheet: Sheet, ability: str, options: Options) -> tuple[AnsweredPrayer, ...]:
    """The prayers that add dice to a test of an ability.

    Blessing and Aid combine, or only the one with more dice counts, as the group reads it
    (faith.amb.blessing_stacking). A blessed thing must be there to be used.
    """
    found = tuple(
        each
        for each in sheet.prayers
        if each.dice
        and each.ability == ability
        and (not each.thing or sheet.has_in_hand(each.thing))
    )
    if len(found) > 1 and options["faith_blessing_with_aid"] == "one_at_a_time":
        return (max(found, key=lambda each: each.dice),)
    return found


def _label(prayer: AnsweredPrayer) -> str:
    return f"{prayer.prayer.capitalize()}: {prayer.thing or prayer.ability}"


def _rule(prayer: AnsweredPrayer) -> str:
    return f"faith.prayer.{prayer.prayer}"


def open_by_prayer(sheet: Sheet, ability: str) -> bool:
    """Whether a Boon makes an ability open-ended (faith.prayer.boon)."""
    return any(each.prayer == BOON and each.ability == ability for each in sheet.prayers)


# --- When they end -------------------------------------------------------------------------


def use_up_prayers(table: BurningTable, character: str, ability: str) -> Step[BurningTable]:
    """After a test: Aid is used up (faith.prayer.aid_waits), a Blessing if its intent is over.

    Outside of a conflict one test mostly settles an intent, unless the GM says that it goes on
    (faith.prayer.blessing); in a series of rolls it lasts until the series ends.
    """
    used = helping(table.character(character), ability, table.options)
    if any(each.prayer == AID for each in used):
        table = yield from _end(
            table, character, lambda each: each.prayer == AID and each in used, _AID_WAITS
        )
    blessed = any(each.prayer == BLESSING for each in used)
    in_series = any(character in series.characters for series in table.scene.series)
    if not blessed or in_series:
        return table
    name = table.character(character).name
    prompt = f"{name}'s Blessing ({ability}): is its intent played out?"
    if not (yield from consent(GM, "blessing_over", prompt, because=_BLESSING)):
        return table
    return (yield from end_blessing(table, character, ability))


def end_blessing(table: BurningTable, character: str, ability: str) -> Step[BurningTable]:
    """The intent of a Blessing is played out (faith.prayer.blessing)."""

    def over(each: AnsweredPrayer) -> bool:
        return each.prayer == BLESSING and each.ability == ability

    return (yield from _end(table, character, over, _BLESSING))


def end_boons(table: BurningTable, character: str) -> Step[BurningTable]:
    """The scene is completed (faith.prayer.boon)."""
    return (yield from _end(table, character, lambda each: each.prayer == BOON, _BOON))


_BLESSING, _BOON, _AID_WAITS = (
    "faith.prayer.blessing",
    "faith.prayer.boon",
    "faith.prayer.aid_waits",
)


def _end(
    table: BurningTable, character: str, over: Callable[[AnsweredPrayer], bool], rule: str
) -> Step[BurningTable]:
    sheet = table.character(character)
    ending = tuple(each for each in sheet.prayers if over(each))
    for each in ending:
        text = f"{sheet.name}'s {each.prayer.capitalize()} ({each.ability}) is over."
        yield from note(text, rule)
    left = tuple(each for each in sheet.prayers if each not in ending)
    return (yield from table.amend(character, "prayers", left, because=rule))
