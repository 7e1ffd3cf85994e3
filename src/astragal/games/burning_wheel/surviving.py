"""The will to live: a point of persona against a Mortal Wound.

In the later edition it buys the Health test itself; in the Revised one it only keeps the
character from dying at once, until somebody has tended the wound (gold.diff.will_to_live_detail).
Treatment and recovery belong to the chapter on injury.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.burning_wheel.aristeia import credit
from astragal.games.burning_wheel.attempts import Terms, prepare
from astragal.games.burning_wheel.editions import edition
from astragal.games.burning_wheel.facts import AtStake, Noted
from astragal.games.burning_wheel.intent import Agreed, Declaration, Link
from astragal.games.burning_wheel.results import StandardOutcome
from astragal.games.burning_wheel.scene import BurningTable
from astragal.games.burning_wheel.sheet import Artha
from astragal.games.burning_wheel.tests import roll_standard
from astragal.games.game import Procedure
from astragal.play import GM, Number, Play, Step, ask, call, tell
from astragal.rules import catalogue


class WillToLive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who has taken a Mortal Wound and means to live."""

    character: str
    helpers: tuple[str, ...] = ()


class Clinging(msgspec.Struct, frozen=True):
    """Whether the character lives so far, and whether the wound has yet to be tended."""

    lives: bool
    awaits_treatment: bool
    test: StandardOutcome | None = None


def will_to_live(arguments: WillToLive, table: BurningTable) -> Play[Clinging]:
    """Spend 1 persona to have a chance against a Mortal Wound (gold.result.will_to_live)."""
    character = arguments.character
    sheet = table.character(character)
    rule = "gold.result.will_to_live"
    if not sheet.artha.persona:
        raise BadInput("artha.persona", 0, "1 persona, or nothing can be done", rule)
    health = sheet.ability("Health", "attributes.Health")
    table = yield from table.add(character, "artha.persona", -1, because=rule)
    table = yield from credit(table, character, health.path, health.kind, Artha(persona=1))
    if not edition(table.options).persona_buys_life:
        text = f"{sheet.name} clings to life, until somebody tends the wound."
        yield from tell(Noted(text, "gold.diff.will_to_live_detail"))
        return Clinging(lives=True, awaits_treatment=True)
    agreed = Agreed(character, "live", "clings to life", health)
    terms = yield from _terms(sheet.name)
    declaration = Declaration(character, agreed.intent, agreed.task, health.name, arguments.helpers)
    link = Link(called_for=True, laid_down=True)
    attempt = yield from prepare(declaration, agreed, 0, link, table)
    outcome, _ = yield from call(roll_standard, attempt, terms, table)
    lives = outcome.passed or bool(outcome.averted)
    return Clinging(lives=lives, awaits_treatment=False, test=outcome)


def _terms(name: str) -> Step[Terms]:
    """How hard it is to live on, which the later guide leaves to the GM."""
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
    Procedure("will_to_live", "The will to live, against a Mortal Wound", WillToLive, will_to_live),
)
