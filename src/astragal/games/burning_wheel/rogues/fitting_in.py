"""Whether a character fits the game that the group has set up (``rogues/set_up``)."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, choose, note

from ..sheet.scene import BurningTable, SetUpLimits
from ..sheet.sheet import Sheet
from .set_up import restate_concept


class Fitting(Arguments, frozen=True):
    """The character to check."""

    character: str


class FittingInOutcome(Outcome, frozen=True):
    """Whether a character fits the game, and what does not."""

    fits: bool
    faults: tuple[str, ...]


def fits_the_game(arguments: Fitting, table: BurningTable) -> Play[FittingInOutcome]:
    """Check a character against the concept, the limits, and the parts of the rules in use.

    The limits are for the players' characters (rogues.setup.lifepath_limits); what was set aside
    is in the game for nobody (rogues.setup.pick_mechanics). The GM vets the relationships.
    """
    sheet = table.character(arguments.character)
    faults = [(each, "rogues.setup.pick_mechanics") for each in _set_aside(sheet, table)]
    if not sheet.npc:
        faults += _beyond(sheet, table.scene.limits)
        for index in range(len(sheet.relationships)):
            fault, table = yield from _vet(arguments.character, index, table)
            faults += [(fault, "rogues.setup.relationships")] if fault else []
    for fault, rule in faults:
        yield from note(f"{sheet.name}: {fault}.", rule)
    verdict = "does not fit the game yet" if faults else "fits the game"
    yield from note(f"{sheet.name} {verdict}.", "rogues.setup.concept")
    return FittingInOutcome(not faults, tuple(fault for fault, _ in faults))


def _set_aside(sheet: Sheet, table: BurningTable) -> Iterator[str]:
    """What the character has of the things that are not in this game.

    A part of the rules takes the skill or attribute of its name with it.
    """
    has = {
        sheet.body_type,
        *sheet.attributes,
        *sheet.skills,
        *sheet.training,
        *(trait.name for trait in sheet.traits),
        *(spell.name for spell in sheet.spells),
        *(gear.name.removeprefix("spell: ") for gear in sheet.gear),
        *(name for weapon in sheet.weapons for name in (weapon.called, weapon.weapon)),
    }
    lower = {name.casefold() for name in has}
    for thing in table.scene.set_aside:
        if thing.casefold() in lower:
            yield f"{thing} is not in this game"


def _beyond(sheet: Sheet, limits: SetUpLimits) -> list[tuple[str, str]]:
    """Too few or too many lifepaths, or too high an exponent.

    rogues.setup.lifepath_limits, rogues.setup.lifepath_lower_limit.
    """
    count, found = len(sheet.lifepaths), []
    if limits.most_lifepaths and count > limits.most_lifepaths:
        text = f"{count} lifepaths, at most {limits.most_lifepaths} are allowed"
        found.append((text, "rogues.setup.lifepath_limits"))
    if count < limits.fewest_lifepaths:
        text = f"{count} lifepaths, at least {limits.fewest_lifepaths} are required"
        found.append((text, "rogues.setup.lifepath_lower_limit"))
    for rated in sheet.abilities():
        high = limits.highest_exponent
        if high and rated.name != "Mortal Wound" and rated.rating.exponent > high:
            text = f"{rated.name} {rated.rating}, no exponent above {high} is allowed"
            found.append((text, "rogues.setup.lifepath_limits"))
    return found


def _vet(character: str, index: int, table: BurningTable) -> Step[tuple[str, BurningTable]]:
    """Whether a relationship will matter; one outside the concept is worked into it.

    rogues.setup.relationships. Gives the fault, if any.
    """
    rule = "rogues.setup.relationships"
    person = table.character(character).relationships[index]
    matters = yield from choose(
        GM,
        "relationship",
        f"Relationship: will {person.name} matter in this game?",
        {
            "yes": "Yes",
            "work_in": "Yes: the concept makes room for it",
            "no": "No: choose another",
        },
        default="yes",
        because=rule,
        kind="consent",
    )
    if matters == "no":
        return f"the relationship with {person.name} will not matter: choose another", table
    if matters == "work_in":
        concept = yield from restate_concept(table.scene.concept, person.name, because=rule)
        table = yield from table.amend(SCENE, "concept", concept, because=rule)
    return "", table


PROCEDURES = (
    Procedure("fits_the_game", "Does the character fit the game?", Fitting, fits_the_game),
)
