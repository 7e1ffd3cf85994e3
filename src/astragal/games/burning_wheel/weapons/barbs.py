"""Barbed arrows: taking them out.

A part of the chapter on weapons. The damage of a barb is only worked out here; what the wound
does is in ``injury``.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, call, note

from ..sheet.ranged_weapons import heads, ranged
from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import Weapon
from ..tests.attempts import agree_and_prepare
from ..tests.intent import WORK, Declaration
from ..tests.terms import RollTerms
from ..tests.tests import roll_standard
from .damage import Damage, Stage, fixed
from .locations import TORSO, areas, check_location
from .missiles import BARBED

REMOVAL = {"Field Dressing": 4, "Surgery": 3}
"""The obstacles of removing a barb properly (weapons.head.barbed_removal)."""


class RemoveBarb(Arguments, frozen=True):
    """Who removes a barbed arrow from whom, and the weapon that shot it.

    Without a ``skill`` it is simply pulled out.
    """

    character: str
    victim: str
    weapon: str
    skill: str = ""
    location: str = TORSO
    shade: str = "B"
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class BarbOutcome(Outcome, frozen=True):
    """Whether it was removed properly; otherwise the wound, against which armor does not help."""

    passed: bool
    wound: Damage | None = None


def remove_barb(arguments: RemoveBarb, table: BurningTable) -> Play[BarbOutcome]:
    """Remove a barbed arrow: by Field Dressing or Surgery, or by force.

    weapons.head.barbed_removal. Pulling it out, or failing the test, is improper
    (weapons.amb.barbed_when) and costs another wound, of the weapon's Mark
    (weapons.head.barbed_damage).
    """
    victim = table.character(arguments.victim, "victim")
    if BARBED not in heads(arguments.weapon):
        expected = "a weapon that shoots arrows"
        raise BadInput("weapon", arguments.weapon, expected, "weapons.head.arrows_for_bows")
    check_location(arguments.location, areas(), "location")
    if arguments.skill and arguments.skill not in REMOVAL:
        expected = f"{' or '.join(REMOVAL)}, or no skill to pull it out"
        raise BadInput("skill", arguments.skill, expected, "weapons.head.barbed_removal")
    if arguments.skill and (yield from call(_surgery, arguments, table)):
        return BarbOutcome(True)
    weapon = ranged(arguments.weapon, table.options)
    numbers = fixed(Weapon(arguments.weapon, shade=arguments.shade), weapon)
    wound = Damage(arguments.location, Stage.MARK, numbers.shade, numbers.mark, 0)
    rule = "weapons.head.barbed_damage"
    yield from note(f"The barb wounds {victim.name}: {numbers.shade}{numbers.mark}.", rule)
    return BarbOutcome(False, wound)


def _surgery(arguments: RemoveBarb, table: BurningTable) -> Play[bool]:
    said = Declaration(
        character=arguments.character,
        intent="remove the barb without another wound",
        task="cuts the barb out",
        ability=arguments.skill,
        helpers=arguments.helpers,
        gear=arguments.gear,
        target=arguments.victim,
    )
    attempt = yield from agree_and_prepare(said, WORK, table)
    success, failure = "the barb comes out cleanly", "the barb causes another wound"
    rule = "weapons.head.barbed_removal"
    terms = RollTerms(REMOVAL[arguments.skill], success, failure, "", 0, 1, rule=rule)
    outcome, _ = yield from call(roll_standard, attempt, terms, table)
    return outcome.passed


PROCEDURES = (Procedure("remove_barb", "Remove a barbed arrow", RemoveBarb, remove_barb),)
