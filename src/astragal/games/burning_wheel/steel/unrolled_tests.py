"""Situational Steel tests: awarded without a roll, for advancement only."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, confirm, consent
from astragal.rules import catalogue

from ..advancement.log import mark
from ..sheet.catalogue_keys import check_key, key_of
from ..sheet.scene import BurningTable, UnrolledSteelTest
from ..sheet.sheet import Sheet
from ..tests.intent import LONGEST_WORDS


class SteelAward(Arguments, frozen=True):
    """Who lived through which situation, and the listed situations that it is ``like``."""

    character: str
    situation: str
    like: tuple[str, ...]


class SteelAwardOutcome(Outcome, frozen=True):
    """Whether the GM awarded a test, at which obstacle, and how it is logged."""

    awarded: bool
    obstacle: int = 0
    earned: str = ""


def situational_steel(arguments: SteelAward, table: BurningTable) -> Play[SteelAwardOutcome]:
    """The GM may award a test for advancement only, without dice (steel.situational.gm_award).

    One for each situation, at the highest obstacle that fits (steel.amb.situational_frequency),
    and none where Steel was rolled in it (steel.situational.not_with_roll).
    """
    character = arguments.character
    sheet = table.character(character)
    steel = sheet.ability("Steel", "attributes.Steel")
    obstacle = _situational_obstacle(arguments)
    situation = arguments.situation.strip()
    if not 1 <= len(situation) <= LONGEST_WORDS:
        expected = f"the situation, in at most {LONGEST_WORDS} characters"
        raise BadInput("situation", arguments.situation, expected, "steel.situational.gm_award")
    if UnrolledSteelTest(character, situation) in table.scene.harrowed:
        what = f"{sheet.name} has already been awarded a test for this: {situation}"
        raise NotAllowed(what, "steel.amb.situational_frequency")
    yield from _not_rolled(character, sheet, situation, table)
    awarded = yield from consent(
        GM,
        "award",
        f"Award {sheet.name} an Ob {obstacle} Steel test? {situation}",
        because="steel.situational.gm_award",
    )
    if not awarded:
        return SteelAwardOutcome(False)
    # Nothing is rolled: the exponent stands for the dice (steel.situational.rating,
    # steel.amb.situational_dice).
    table, earned = yield from mark(table, character, steel, steel.exponent, obstacle, passed=True)
    harrowed = (*table.scene.harrowed, UnrolledSteelTest(character, situation))
    because = "steel.amb.situational_frequency"
    yield from table.amend(SCENE, "harrowed", harrowed, because=because)
    return SteelAwardOutcome(True, obstacle, earned.value if earned else "")


def _situational_obstacle(arguments: SteelAward) -> int:
    """The highest obstacle among the listed situations that it is like.

    These obstacles are for awards only; rolled tests have their own list
    (steel.amb.gore_listed_twice).
    """
    listed = {
        key_of(row["situation"]): row.number("obstacle")
        for row in catalogue().table("steel.table.situational").records()
    }
    rule = "steel.situational.rating"
    if not arguments.like:
        raise BadInput("like", [], "at least one listed situation", rule)
    return max(
        listed[check_key(key, listed, f"like[{index}]", rule)]
        for index, key in enumerate(arguments.like)
    )


def _not_rolled(character: str, sheet: Sheet, situation: str, table: BurningTable) -> Step[None]:
    """Awards stand for the strain of a whole situation in which nothing was rolled."""
    rolled = any(r.character == character and r.ability == "Steel" for r in table.scene.rides)
    # In the later edition nothing rides, but what has shaken somebody in the scene is known.
    rolled = rolled or any(shaken.character == character for shaken in table.scene.shaken)
    in_it = yield from confirm(
        GM,
        "rolled_in_it",
        f"Did {sheet.name} roll Steel in this situation? {situation}",
        default=rolled,
        because="steel.situational.not_with_roll",
        kind="aside",
    )
    if in_it:
        what = f"{sheet.name} has already rolled Steel in this situation: {situation}"
        raise NotAllowed(what, "steel.situational.not_with_roll")


PROCEDURES = (
    Procedure(
        "situational_steel",
        "Steel test without a roll",
        SteelAward,
        situational_steel,
        gm_only=True,
    ),
)
