"""Pursuit on mounts: Riding against Riding, and a chase in which only some ride.

A part of the chase (``movement/chase``), by the rules of the chapter on riding. What a length comes
to is that of every chase (riding.amb.pursuit_results).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from astragal.play import GM, Line, Option, Step, choose
from astragal.rules import catalogue

from ..conditions.mounted import RIDING, mount_of, rider_of
from ..conditions.reflexes import reflexes_left
from ..sheet.scene import BurningTable, Pursuit
from ..sheet.sheet import Sheet
from ..tests.attempts import Attempt
from .movement import multiplier

TOWN, OPEN = "town_or_forest", "open_country"

ANIMAL_FRIENDS = ("Low Speech", "Affinity for Animals")
UNSEEN = ("Stealth", "Stealthy", "Inconspicuous")
"""Skills or traits alike (riding.amb.stealth_skill_name)."""


def are_all_mounted(names: tuple[str, ...], table: BurningTable) -> bool:
    """Whether one ridden beast pursues another, and nobody is on foot."""
    return all(mount_of(table, name) for name in names)


def chase_ability(names: tuple[str, ...], table: BurningTable) -> str:
    """What a chase is tested with: Speed, or Riding if all ride (riding.pursuit.versus_riding)."""
    return RIDING if are_all_mounted(names, table) else "Speed"


def mover(name: str, table: BurningTable) -> str:
    """Whose legs count in a chase in which somebody is on foot: the mount's, if there is one.

    riding.amb.pursuit_mixed.
    """
    return mount_of(table, name) or name


def runner_of(attempt: Attempt, table: BurningTable) -> str:
    """The runner that an attempt is for; a mount runs for its rider."""
    name = attempt.agreed.character
    return rider_of(table, name) or name


# --- Where they ride -------------------------------------------------------------------------


def ask_country(going: Pursuit, table: BurningTable) -> Step[Pursuit]:
    """Town and forest, or open country and highways; in the first the smaller beast counts."""
    country = yield from choose(
        GM,
        "country",
        "Where is the pursuit?",
        {OPEN: "Open country or a highway", TOWN: "In a town or a forest"},
        default=OPEN if going.nowhere_to_hide or not going.lengths else TOWN,
        because="riding.pursuit.adv_rural_highway",
    )
    suited: tuple[str, ...] = ()
    if country == TOWN:
        rule = "riding.pursuit.adv_urban_forest"
        options = [Option("nobody", "None", rule)]
        for runner in going.runners:
            beast = table.character(mount_of(table, runner.character)).name
            options.append(Option(runner.character, beast, rule))
        smaller = yield from choose(
            GM, "smaller_beast", "The smaller beast", options, default="nobody", because=rule
        )
        suited = () if smaller == "nobody" else (smaller,)
    return msgspec.structs.replace(going, nowhere_to_hide=country == OPEN, suited=suited)


# --- Advantages ------------------------------------------------------------------------------


@cache
def _dice(advantage: str) -> int:
    table = catalogue().table("riding.table.pursuit_advantages")
    return table.number("dice", advantage=advantage)


def _line(advantage: str, rule: str) -> tuple[Line, ...]:
    return (Line(_dice(advantage), advantage, f"riding.pursuit.{rule}"),)


def rider_advantages(
    going: Pursuit, character: str, rivals: tuple[str, ...], table: BurningTable
) -> tuple[Line, ...]:
    """The advantage dice of a rider in a pursuit of riders (``riding.table.pursuit_advantages``).

    Always those for beasts, Reflexes and a way with animals (riding.pursuit.adv_general); some
    in towns and forest (riding.pursuit.adv_urban_forest), another in open country
    (riding.pursuit.adv_rural_highway).
    """
    rider = table.character(character)
    beast = table.character(mount_of(table, character))
    others = tuple(table.character(name) for name in rivals)
    beasts = tuple(table.character(mount_of(table, name)) for name in rivals)
    general = "adv_general"
    lines: tuple[Line, ...] = ()
    if _exceeds(beast, beasts, multiplier):
        lines += _line("animal with the higher sprint multiplier", general)
    if _has(rider, ANIMAL_FRIENDS):
        lines += _line("rider with Low Speech or Affinity for Animals", general)

    def quick(sheet: Sheet) -> int | None:
        left = reflexes_left(sheet, table.options)
        return None if left is None else left.total

    if _exceeds(beast, beasts, quick):
        lines += _line("animal with higher Reflexes", general)
    if _exceeds(rider, others, quick):
        lines += _line("rider with higher Reflexes", general)
    if _exceeds(beast, beasts, _rated("Speed")):
        lines += _line("beast with higher Speed", general)
    if not going.nowhere_to_hide:
        where = "adv_urban_forest"
        if _has(beast, UNSEEN):
            lines += _line("mount has Stealth or Inconspicuous", where)
        if _has(rider, UNSEEN):
            lines += _line("rider has Stealth or Inconspicuous", where)
        if character in going.suited:
            lines += _line("beast with smaller body", where)
    elif _exceeds(beast, beasts, _rated("Forte")):
        lines += _line("mount with the highest Forte", "adv_rural_highway")
    return lines


def _rated(ability: str) -> Callable[[Sheet], int | None]:
    def exponent(sheet: Sheet) -> int | None:
        rated = sheet.find(ability)
        return None if rated is None else rated.exponent

    return exponent


def _exceeds(sheet: Sheet, others: tuple[Sheet, ...], of: Callable[[Sheet], object]) -> bool:
    """Whether a value is above all others; never where one of them is not known."""
    own, *theirs = (of(each) for each in (sheet, *others))
    if own is None or None in theirs:
        return False
    return all(own > each for each in theirs)  # type: ignore[operator]


def _has(sheet: Sheet, names: tuple[str, ...]) -> bool:
    """Whether somebody has one of these, as a skill or as a trait."""
    known = {*sheet.skills, *sheet.attributes, *(trait.name for trait in sheet.traits)}
    return not {name.casefold() for name in names}.isdisjoint(name.casefold() for name in known)
