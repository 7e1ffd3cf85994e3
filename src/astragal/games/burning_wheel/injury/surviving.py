"""Clinging to life: what a point of persona is good for against a Mortal Wound.

In the later edition it buys the Health test itself; in the Revised one it only opens the way to
treatment (gold.diff.will_to_live_detail), which is in the chapter on injury
(``injury.will_to_live``).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.burning_wheel.conditions.wounds import dies, set_wound
from astragal.games.burning_wheel.injury.will_to_live import claim_life, needs_will
from astragal.games.burning_wheel.sheet.editions import edition
from astragal.games.burning_wheel.sheet.facts import AtStake
from astragal.games.burning_wheel.sheet.parts import Level
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.tests.attempts import Terms, prepare
from astragal.games.burning_wheel.tests.intent import Agreed, Declaration, Link
from astragal.games.burning_wheel.tests.results import StandardOutcome
from astragal.games.burning_wheel.tests.tests import roll_standard
from astragal.games.game import Procedure
from astragal.play import GM, Number, Play, Step, ask, call, tell
from astragal.rules import catalogue


class ClingToLife(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who has taken a Mortal Wound and means to live."""

    character: str
    helpers: tuple[str, ...] = ()


class Clinging(msgspec.Struct, frozen=True):
    """Whether the character lives so far, and whether the wound has yet to be tended."""

    lives: bool
    awaits_treatment: bool
    test: StandardOutcome | None = None


def cling_to_life(arguments: ClingToLife, table: BurningTable) -> Play[Clinging]:
    """Spend 1 persona to have a chance against a Mortal Wound (gold.result.will_to_live).

    Whoever has already said so, and paid, when the wound was taken does not pay again. Where only
    a healer helps, each Mortal Wound takes a point of its own (injury.amb.will_to_live_timing).
    """
    character, rule = arguments.character, "gold.result.will_to_live"
    sheet = table.character(character)
    played = edition(table.options)
    unpaid = None if played.persona_buys_life else needs_will(sheet)
    wound = _untended(sheet) if unpaid is None else unpaid
    if wound is None:
        raise BadInput("character", character, "somebody mortally wounded, and untended", rule)
    health = sheet.ability("Health", "attributes.Health")
    if not sheet.wounds[wound].will:
        if not sheet.artha.persona:
            raise BadInput("artha.persona", 0, "1 persona", rule)
        table = yield from claim_life(table, character, wound)
    if not played.persona_buys_life:
        return Clinging(lives=True, awaits_treatment=True)
    agreed = Agreed(character, "live", "clings to life", health)
    terms = yield from _terms(sheet.name)
    declaration = Declaration(character, agreed.intent, agreed.task, health.name, arguments.helpers)
    link = Link(called_for=True, laid_down=True)
    attempt = yield from prepare(declaration, agreed, 0, link, table)
    outcome, table = yield from call(roll_standard, attempt, terms, table)
    lives = outcome.passed or bool(outcome.averted)
    if lives:
        yield from set_wound(table, character, wound, because=rule, treated=True)
    else:
        yield from dies(table, character, because=rule, how="of the wound")
    return Clinging(lives=lives, awaits_treatment=False, test=outcome)


def _untended(sheet: Sheet) -> int | None:
    """The place of the first Mortal Wound that nothing has been done about."""
    for at, wound in enumerate(sheet.wounds):
        if wound.level is Level.MORTAL and not wound.treated:
            return at
    return None


def _terms(name: str) -> Step[Terms]:
    """How hard it is to live on, which the later guide does not say."""
    obstacle = yield from ask(
        GM,
        "health_obstacle",
        f"Which obstacle has the Health test by which {name} may live?",
        Number(least=1, most=10, default=mortal_obstacle()),
        because="injury.recovery.mortal_test",
    )
    terms = Terms(obstacle, f"{name} lives", "", f"{name} dies of the wound", 0, 1)
    yield from tell(AtStake(terms.success, terms.death, "a breath"))
    return terms


def mortal_obstacle() -> int:
    """The obstacle of recovering from a Mortal Wound (injury.recovery.mortal_test).

    >>> mortal_obstacle()
    6
    """
    return int(str(catalogue().table("injury.table.recovery").value("health_ob", wound="Mortal")))


PROCEDURES = (
    Procedure("cling_to_life", "Persona against a Mortal Wound", ClingToLife, cling_to_life),
)
