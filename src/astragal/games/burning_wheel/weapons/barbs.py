"""Barbed arrows: getting them out again.

A part of the chapter on weapons. The wound that a barb tears is only worked out here; what it
does is in the chapter on injury.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon, heads, ranged
from astragal.games.burning_wheel.tests.attempts import prepare
from astragal.games.burning_wheel.tests.intent import CALLED_FOR, Declaration, agree
from astragal.games.burning_wheel.tests.terms import RollTerms
from astragal.games.burning_wheel.tests.tests import roll_standard
from astragal.games.burning_wheel.weapons.damage import Damage, Stage, fixed
from astragal.games.burning_wheel.weapons.locations import TORSO, areas, check_location
from astragal.games.burning_wheel.weapons.missiles import BARBED
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Noted, Play, call, tell

REMOVAL = {"Field Dressing": 4, "Surgery": 3}
"""What it takes to remove a barb properly (weapons.head.barbed_removal)."""


class RemoveBarb(Arguments, frozen=True):
    """Who takes a barbed arrow of which weapon out of whom, and how.

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


class BarbOut(Outcome, frozen=True):
    """Whether it came out as it should; else the wound, against which no armor helps."""

    passed: bool
    wound: Damage | None = None


def remove_barb(arguments: RemoveBarb, table: BurningTable) -> Play[BarbOut]:
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
        expected = f"{' or '.join(REMOVAL)}, or none to pull it out"
        raise BadInput("skill", arguments.skill, expected, "weapons.head.barbed_removal")
    if arguments.skill and (yield from call(_surgery, arguments, table)):
        return BarbOut(True)
    weapon = ranged(arguments.weapon, table.options)
    numbers = fixed(Weapon(arguments.weapon, shade=arguments.shade), weapon)
    wound = Damage(arguments.location, Stage.MARK, numbers.shade, numbers.mark, 0)
    rule = "weapons.head.barbed_damage"
    yield from tell(Noted(f"The barb tears {victim.name}: {numbers.shade}{numbers.mark}.", rule))
    return BarbOut(False, wound)


def _surgery(arguments: RemoveBarb, table: BurningTable) -> Play[bool]:
    said = Declaration(
        character=arguments.character,
        intent="the barb comes out without tearing",
        task="cuts it free",
        ability=arguments.skill,
        helpers=arguments.helpers,
        gear=arguments.gear,
        target=arguments.victim,
    )
    agreed = yield from agree(said, CALLED_FOR, table)
    attempt = yield from prepare(said, agreed, 0, CALLED_FOR, table)
    terms = RollTerms(REMOVAL[arguments.skill], said.intent, "it tears", "", 0, 1)
    outcome, _ = yield from call(roll_standard, attempt, terms, table)
    return outcome.passed


PROCEDURES = (Procedure("remove_barb", "Take out a barbed arrow", RemoveBarb, remove_barb),)
