"""The other uses of magical skill: reading a caster's aura, deciphering writing, research."""

from __future__ import annotations

from enum import Enum

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import Play, call

from ...sheet.scene import BurningTable
from ...sheet.spells import SpellEffect
from ...tests.intent import Context, Declaration
from ...tests.results import StandardOutcome
from ...tests.tests import standard

SECOND_SIGHT = "second sight"
AURA_READING = "Aura Reading"


class AssessCaster(Arguments, frozen=True):
    """Who assesses which caster, to time a counter-spell."""

    character: str
    opponent: str
    helpers: tuple[str, ...] = ()


def _can_see(character: str, table: BurningTable) -> None:
    """Refuse somebody who cannot see auras (sorcery.counter.assess)."""
    sheet = table.character(character)
    seeing = any(trait.name.casefold() == SECOND_SIGHT for trait in sheet.traits) or any(
        each.does is SpellEffect.SIGHT and each.name == "Magesense" for each in sheet.active_spells
    )
    if not seeing:
        what = f"{sheet.name} needs Second Sight, or Magesense in effect, to assess a caster"
        raise NotAllowed(what, "sorcery.counter.assess")


def assess_caster(arguments: AssessCaster, table: BurningTable) -> Play[StandardOutcome]:
    """Read a caster's aura, with Second Sight or Magesense (sorcery.counter.assess).

    The GM sets the obstacle.
    """
    other = table.character(arguments.opponent, "opponent")
    _can_see(arguments.character, table)
    task = f"reads the aura of {other.name}"
    declared = Declaration(
        character=arguments.character,
        intent=f"know what {other.name} casts, and when",
        task=task,
        ability=AURA_READING,
        helpers=arguments.helpers,
        target=arguments.opponent,
    )
    context = Context(called_for=True, laid_down=True)
    outcome, _ = yield from call(standard, declared, context, table)
    return outcome


class SorceryPurpose(Enum):
    """What Sorcery serves for besides casting (sorcery.skill.uses)."""

    DECIPHER = "decipher"
    RESEARCH = "research"


class UseSorcery(Arguments, frozen=True):
    """Who deciphers wizardly writing or researches a spell, and which one."""

    character: str
    purpose: SorceryPurpose
    what: str
    helpers: tuple[str, ...] = ()
    time: str = ""


def use_sorcery(arguments: UseSorcery, table: BurningTable) -> Play[StandardOutcome]:
    """Use Sorcery as a language and a science (sorcery.skill.uses).

    It takes no Gifted trait (sorcery.gifted.required_to_cast).
    """
    verbs = {SorceryPurpose.DECIPHER: "deciphers", SorceryPurpose.RESEARCH: "researches"}
    task = f"{verbs[arguments.purpose]} {arguments.what.strip()}"
    declared = Declaration(
        character=arguments.character,
        intent=task,
        task=task,
        ability="Sorcery",
        helpers=arguments.helpers,
        time=arguments.time,
    )
    outcome, _ = yield from call(standard, declared, Context(may_ask_help=True), table)
    return outcome


PROCEDURES = (
    Procedure("assess_caster", "Assess a caster", AssessCaster, assess_caster, check=_can_see),
    Procedure("use_sorcery", "Decipher or research", UseSorcery, use_sorcery),
)
