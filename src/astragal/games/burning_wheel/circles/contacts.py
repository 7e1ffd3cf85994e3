"""Named contacts and enemies: whom a character has met through Circles, and how they feel.

How they are found is in ``circles/circles_test``, how contacts become
relationships in ``circles/relationships``. Named contacts are on the player's sheet, enemies on the
GM's record in the scene.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, confirm, consent, note

from ..conditions.enmity import enemy, known_names
from ..sheet.editions import edition
from ..sheet.parts import Contact
from ..sheet.scene import BurningTable, Enemy

LONGEST_NAME = 80
"""A longer name is a description."""


# --- Enemies -------------------------------------------------------------------------------


def make_enemy(
    table: BurningTable, character: str, name: str, grudge: str, *, because: str
) -> Step[BurningTable]:
    """Put somebody on the GM's record of enemies (circles.naming.gm_names_enemies)."""
    if enemy(table, character, name) is not None:
        return table
    enemies = (*table.scene.enemies, Enemy(character, name, grudge))
    return (yield from table.amend(SCENE, "enemies", enemies, because=because))


def invoke_enmity(
    table: BurningTable, character: str, search: Contact, *, known: str = ""
) -> Step[tuple[BurningTable, str]]:
    """The person sought is there, but bears the character ill will.

    circles.enmity.gm_option: the GM need not do this. The GM names the enemy
    (circles.naming.condition_enmity, circles.naming.gm_names_enemies), in the later edition the
    player does (gold.circles.enmity, gold.diff.enemy_named_by); a player who writes the
    name down, too, may use it to find them again (circles.amb.enemy_naming_bonus). The name
    comes back, empty if the clause was not invoked.
    """
    rule = "circles.enmity.gm_option"
    prompt = f"Invoke the Enmity Clause? ({search.sought})"
    invoked = yield from confirm(GM, "enmity", prompt, default=False, because=rule)
    if not invoked:
        return table, ""
    name = known
    if not known:
        seat = table.character(character).seat(character)
        name = yield from ask(
            edition(table.options).names_enemy(seat),
            "enemy_name",
            "What is the enemy's name?",
            Text(required=True, longest=LONGEST_NAME),
            because="circles.naming.gm_names_enemies",
        )
    prompt = f"Why does {name} bear a grudge?"
    grudge = yield from ask(
        GM, "grudge", prompt, Text(default="an old slight"), because=rule, kind="aside"
    )
    because = "circles.naming.condition_enmity"
    table = yield from make_enemy(table, character, name, grudge, because=because)
    sheet = table.character(character)
    text = f"Enmity Clause: {name} is found, and is {sheet.name}'s enemy ({grudge})."
    yield from note(text, rule)
    if name.casefold() not in (each.casefold() for each in known_names(sheet)):
        write = yield from confirm(
            sheet.seat(character),
            "write_name",
            f"Write down {name}'s name, to find them again?",
            default=False,
            because="circles.amb.enemy_naming_bonus",
        )
        if write:
            entry = msgspec.structs.replace(search, name=name)
            contacts = (*sheet.contacts, entry)
            because = "circles.naming.written"
            table = yield from table.amend(character, "contacts", contacts, because=because)
    return table, name


# --- Naming --------------------------------------------------------------------------------


def name_contact(
    table: BurningTable, character: str, search: Contact
) -> Step[tuple[BurningTable, str]]:
    """A player whose test exceeded the obstacle may name the contact.

    circles.naming.condition_exceed. Only a name that is written down earns anything
    (circles.naming.written), and it must suit the contact.
    """
    sheet = table.character(character)
    name = yield from ask(
        sheet.seat(character),
        "name_contact",
        f"Name of the contact ({search.sought}; empty: not written down)",
        Text(default="", longest=LONGEST_NAME),
        because="circles.naming.condition_exceed",
    )
    if not name:
        return table, ""
    because = "circles.naming.written"
    if name.casefold() in (each.casefold() for each in known_names(sheet)):
        raise BadInput("name_contact", name, "a name that is not on the sheet yet", because)
    prompt = f"Does the name suit the contact? ({name})"
    suits = yield from consent(GM, "name_suits", prompt, because=because)
    if not suits:
        return table, ""
    contacts = (*sheet.contacts, msgspec.structs.replace(search, name=name))
    return (yield from table.amend(character, "contacts", contacts, because=because)), name


# --- Friends and enemies -------------------------------------------------------------------


class Disposition(Enum):
    """How somebody feels about a character."""

    FRIEND = "friend"
    ENEMY = "enemy"


class ChangeOfHeart(Arguments, frozen=True):
    """Through play, an enemy becomes a friend, or a friend an enemy."""

    character: str
    who: str
    becomes: Disposition
    why: str


class ChangeOfHeartOutcome(Outcome, frozen=True):
    """Whether the GM agreed."""

    changed: bool


def change_of_heart(arguments: ChangeOfHeart, table: BurningTable) -> Play[ChangeOfHeartOutcome]:
    """Enemies may be won over, and friends lost (circles.disposition.can_change)."""
    character = arguments.character
    sheet = table.character(character)
    because = "circles.disposition.can_change"
    hostile = enemy(table, character, arguments.who)
    known = {each.casefold() for each in known_names(sheet)}
    if arguments.becomes is Disposition.FRIEND and hostile is None:
        raise BadInput("who", arguments.who, f"an enemy of {sheet.name}", because)
    if arguments.becomes is Disposition.ENEMY and (
        hostile is not None or arguments.who.casefold() not in known
    ):
        expected = f"a contact or relationship of {sheet.name} who is not an enemy yet"
        raise BadInput("who", arguments.who, expected, because)
    becomes = f"{sheet.name}'s {arguments.becomes.value}"
    prompt = f"Does {arguments.who} become {becomes}? ({arguments.why})"
    agreed = yield from consent(GM, "change_of_heart", prompt, because=because)
    if not agreed:
        return ChangeOfHeartOutcome(False)
    if hostile is not None:
        enemies = tuple(each for each in table.scene.enemies if each != hostile)
        yield from table.amend(SCENE, "enemies", enemies, because=because)
    else:
        yield from make_enemy(table, character, arguments.who, arguments.why, because=because)
    yield from note(f"{arguments.who} becomes {becomes}.", because)
    return ChangeOfHeartOutcome(True)


PROCEDURES = (
    Procedure(
        "change_of_heart",
        "Change of heart (friend or enemy)",
        ChangeOfHeart,
        change_of_heart,
        gm_only=True,
    ),
)
