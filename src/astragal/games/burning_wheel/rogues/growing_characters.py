"""Characters of the GM's who come back: abilities and traits are added as scenes require.

Also where the GM looks for them: which skills go with which lifepaths.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, note
from astragal.rules import catalogue

from ..sheet.lookups import Entries, LookUp, look_up
from ..sheet.parts import Ability, SkillAbility, Trait
from ..sheet.ratings import HIGHEST_EXPONENT, Rating
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet, attribute_names, stat_names
from ..sheet.spells import Spell, spell_by_name
from .one_off import check_gm_character, gm_character
from .quick_characters import Competence, skill_rating, spelled


class Addition(Arguments, frozen=True):
    """What one of the GM's characters turns out to have: an ability, a trait or a spell.

    ``competence`` is how good they are at it, where no ``exponent`` is given.
    """

    character: str
    ability: str = ""
    exponent: int = 0
    competence: Competence = Competence.PROFESSIONAL
    trait: str = ""
    spell: str = ""


class AdditionOutcome(Outcome, frozen=True):
    """What is on the sheet now and was not before."""

    added: tuple[str, ...]


def add_to_character(arguments: Addition, table: BurningTable) -> Play[AdditionOutcome]:
    """Write down what a scene requires, on top of what is there (rogues.deeper.growth).

    Nothing else is worked out; a number may be given while playing (rogues.oneoff.improvise).
    """
    because = "rogues.deeper.growth"
    sheet = gm_character(arguments.character, table, because)
    added: list[str] = []
    if arguments.ability.strip():
        path, after, said = _ability(arguments, sheet)
        table = yield from table.amend(arguments.character, path, after, because=because)
        added.append(said)
    if arguments.trait.strip():
        trait = arguments.trait.strip()
        _check_new("trait", trait, [each.name for each in sheet.traits])
        traits = (*sheet.traits, Trait(trait))
        table = yield from table.amend(arguments.character, "traits", traits, because=because)
        added.append(trait)
    if arguments.spell.strip():
        spells = (*sheet.spells, new_spell(arguments.spell, sheet))
        table = yield from table.amend(arguments.character, "spells", spells, because=because)
        added.append(f"the spell {spells[-1].name}")
    if not added:
        raise BadInput("ability", "", "an ability, a trait or a spell to add", because)
    yield from note(f"{sheet.name} has {', '.join(added)}.", because)
    return AdditionOutcome(tuple(added))


def new_spell(name: str, sheet: Sheet) -> Spell:
    """A spell that a character is given: as the book has it, or else only its name."""
    spell = spell_by_name(name)
    _check_new("spell", spell.name, [each.name for each in sheet.spells])
    return spell


def _ability(arguments: Addition, sheet: Sheet) -> tuple[str, object, str]:
    """The part of the sheet with the ability in it: a stat, an attribute, or else a skill."""
    if not 0 <= arguments.exponent <= HIGHEST_EXPONENT:
        expected = f"0 (by the competence) to {HIGHEST_EXPONENT}"
        raise BadInput("exponent", arguments.exponent, expected, "tests.exponent.scale")
    rating = f"B{arguments.exponent}" if arguments.exponent else skill_rating(arguments.competence)
    name = spelled(arguments.ability)
    _check_new("ability", name, [each.name for each in sheet.abilities()])
    known = {
        **dict.fromkeys(stat_names(), "stats"),
        **dict.fromkeys(attribute_names(), "attributes"),
    }
    group = known.get(name, "skills")
    kind = SkillAbility if group == "skills" else Ability
    after = {**getattr(sheet, group), name: kind(Rating.parse(rating))}
    return group, after, f"{name} {rating}"


def _check_new(place: str, name: str, has: list[str]) -> None:
    if name.casefold() in (each.casefold() for each in has):
        expected = "something that is not on the sheet yet"
        raise BadInput(place, name, expected, "rogues.deeper.growth")


def skills_by_lifepath() -> dict[str, str]:
    """For each lifepath the skills of the book's own characters who have it.

    >>> "Brewing" in skills_by_lifepath()["Brewer"]
    True
    """
    skills = {row["id"]: row for row in catalogue().table("rogues.table.skills").records()}
    found: dict[str, dict[str, None]] = {}
    for row in catalogue().table("rogues.table.identity").records():
        known = skills[row["id"]]
        names = [text.rpartition(" ")[0] for text in known.texts("skills")]
        for lifepath in row.texts("lifepaths"):
            found.setdefault(lifepath, {}).update(dict.fromkeys((*names, *known.texts("training"))))
    return {lifepath: ", ".join(names) for lifepath, names in sorted(found.items())}


def look_up_lifepaths(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Which skills somebody with a lifepath may have (rogues.oneoff.lifepaths_as_reference)."""
    rule = "rogues.oneoff.lifepaths_as_reference"
    return (yield from look_up(skills_by_lifepath(), arguments.entry, rule))


PROCEDURES = (
    Procedure(
        "add_to_character",
        "Add to one of the GM's characters",
        Addition,
        add_to_character,
        gm_only=True,
        check=check_gm_character,
    ),
    Procedure("look_up_lifepaths", "Skills by lifepath", LookUp, look_up_lifepaths),
)
