"""Relationships, named contacts and enemies: who can be met, and what they are like.

How contacts are found is in :mod:`~astragal.games.burning_wheel.circles`. Whoever is found and
named there stands on the player's sheet; enemies stand on the GM's record in the scene.
"""

from __future__ import annotations

import re
from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.facts import Noted
from astragal.games.burning_wheel.scene import BurningTable, Enemy
from astragal.games.burning_wheel.sheet import (
    Contact,
    Rated,
    Relationship,
    Sheet,
    Skill,
    Standing,
)
from astragal.games.game import SCENE, Procedure
from astragal.play import (
    GM,
    Line,
    Option,
    PickOne,
    PickSeveral,
    Play,
    Step,
    Tally,
    Text,
    YesNo,
    ask,
    tell,
)
from astragal.rules import catalogue

LONGEST_NAME = 80
"""A longer name is a description."""


# --- Under another name --------------------------------------------------------------------


def own_standings(sheet: Sheet) -> tuple[Standing, ...]:
    """The affiliations and reputations that count under the identity now in use.

    circles.reputation.new_identity.
    """
    both = (*sheet.affiliations, *sheet.reputations)
    return tuple(each for each in both if each.dice > 0 and each.identity == sheet.identity)


def known_names(sheet: Sheet) -> tuple[str, ...]:
    """The names of everybody on the sheet, relationships and contacts."""
    return (*(r.name for r in sheet.relationships), *(c.name for c in sheet.contacts))


def own_contacts(sheet: Sheet) -> tuple[Contact, ...]:
    """The named contacts who know the character by the identity now in use."""
    return tuple(each for each in sheet.contacts if each.identity == sheet.identity)


def check_not_barred(sheet: Sheet, table: BurningTable) -> None:
    """Under a new identity some tables bar base Circles and relationships, too.

    circles.amb.new_identity_scope.
    """
    barred = table.options["circles_new_identity"] == "base_and_relationships_barred"
    if sheet.identity and barred:
        what = f"as {sheet.identity}, {sheet.name} has none of the benefits of the old life"
        raise NotAllowed(what, "circles.reputation.new_identity")


# --- Enemies -------------------------------------------------------------------------------


def enemy(table: BurningTable, character: str, name: str) -> Enemy | None:
    """The GM's record of an enemy, by the name or the key of a character at the table."""
    called = {name.casefold()}
    if name in table.characters:
        called.add(table.characters[name].name.casefold())
    for known in table.scene.enemies:
        if known.character == character and known.name.casefold() in called:
            return known
    return None


def hostility() -> tuple[int, int]:
    """What an enemy costs: the obstacle of social tests, and the points on his body of argument.

    >>> hostility()
    (2, 4)
    """
    rows = catalogue().table("circles.table.results").records()
    said = next(str(row["disposition"]) for row in rows if "hostile" in str(row["disposition"]))
    obstacle, body = re.findall(r"\+(\d+)", said)
    return int(obstacle), int(body)


def social_penalty(
    table: BurningTable, character: str, target: str, tested: Rated, missing_skill: str = ""
) -> tuple[Line, ...]:
    """What enmity adds to the obstacle of an ordinary test of a social skill.

    circles.enmity.social_penalty.
    """
    if not target or enemy(table, character, target) is None:
        return ()
    if not _social(tested, missing_skill, table):
        return ()
    return (Line(hostility()[0], f"{target} is an enemy", "circles.enmity.social_penalty"),)


def _social(tested: Rated, missing_skill: str, table: BurningTable) -> bool:
    """Whether the test is one of a social skill, or stands in for one."""
    skills = [tested.ability]
    if missing_skill:
        found = (sheet.find(missing_skill) for sheet in table.characters.values())
        skills = [rated.ability for rated in found if rated is not None]
    return any(isinstance(s, Skill) and s.category.casefold() == "social" for s in skills)


def enemy_body(table: BurningTable, character: str, opponent: str) -> tuple[Line, ...]:
    """What an enemy adds to the body of argument in a Duel of Wits: points, not dice to roll.

    circles.enmity.duel_bonus, circles.amb.enmity_duel_dice.
    """
    if enemy(table, character, opponent) is None:
        return ()
    return (Line(hostility()[1], "an enemy", "circles.enmity.duel_bonus"),)


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
    (circles.naming.condition_enmity, circles.naming.gm_names_enemies); a player who writes the
    name down, too, may use it to find him again (circles.amb.enemy_naming_bonus). The name
    comes back, empty if the clause was not invoked.
    """
    invoked = yield from ask(
        GM,
        "enmity",
        f"Invoke the Enmity Clause: an enemy is found instead? ({search.sought})",
        YesNo(default=False),
        because="circles.enmity.gm_option",
    )
    if not invoked:
        return table, ""
    name = known
    if not known:
        name = yield from ask(
            GM,
            "enemy_name",
            "What is the enemy called?",
            Text(required=True, longest=LONGEST_NAME),
            because="circles.naming.gm_names_enemies",
        )
    grudge = yield from ask(
        GM,
        "grudge",
        f"Over what slight or wrong does {name} bear ill will?",
        Text(default="an old slight"),
        because="circles.enmity.gm_option",
    )
    because = "circles.naming.condition_enmity"
    table = yield from make_enemy(table, character, name, grudge, because=because)
    sheet = table.character(character)
    text = f"{name} is found, and is an enemy of {sheet.name}: {grudge}."
    yield from tell(Noted(text, "circles.enmity.gm_option"))
    if name.casefold() not in (each.casefold() for each in known_names(sheet)):
        write = yield from ask(
            sheet.seat(character),
            "write_name",
            f"Write down the name of {name}, to find him again?",
            YesNo(default=False),
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
    """A player whose test did better than it must may name the contact.

    circles.naming.condition_exceed. Only a name that is written down earns anything
    (circles.naming.written), and it must suit the contact.
    """
    sheet = table.character(character)
    name = yield from ask(
        sheet.seat(character),
        "name_contact",
        f"What is the contact called? ({search.sought}; empty: not written down)",
        Text(default="", longest=LONGEST_NAME),
        because="circles.naming.condition_exceed",
    )
    if not name:
        return table, ""
    if name.casefold() in (each.casefold() for each in known_names(sheet)):
        raise BadInput("name_contact", name, "a name of its own", "circles.naming.written")
    suits = yield from ask(
        GM,
        "name_suits",
        f"Does this name suit the contact? {name}",
        YesNo(default=True),
        because="circles.naming.written",
    )
    if not suits:
        return table, ""
    contacts = (*sheet.contacts, msgspec.structs.replace(search, name=name))
    because = "circles.naming.written"
    return (yield from table.amend(character, "contacts", contacts, because=because)), name


# --- Building relationships ----------------------------------------------------------------


class Bond(msgspec.Struct, frozen=True):
    """How far a contact is from being a relationship."""

    taps: int
    aptitude: int
    built: bool = False


def relationship_aptitude(
    circles: int, likes: tuple[Standing, ...], dislikes: tuple[Standing, ...]
) -> Tally:
    """How often a contact must be tapped: 10, less Circles and what he likes.

    circles.build.aptitude. Every reputation that the contact knows of counts by its own sign
    (circles.amb.build_which_reputation).

    >>> relationship_aptitude(4, (Standing("Just", 2),), (Standing("Cruel", 1),)).total
    5
    """
    rule = "circles.build.aptitude"
    tally = Tally.of(10, "relationship aptitude", rule) - Line(circles, "Circles", rule)
    tally -= tuple(Line(each.dice, each.name, rule) for each in likes)
    return tally + tuple(Line(each.dice, each.name, rule) for each in dislikes)


def tap(table: BurningTable, character: str, name: str) -> Step[tuple[BurningTable, Bond]]:
    """A named contact has been found: count it, and see whether it was often enough.

    circles.build.count; the first time, when the contact was named, counts as well
    (circles.amb.build_first_tap), and later on meeting the obstacle is enough
    (circles.amb.build_merely_met). Whether it then becomes a relationship is up to the player,
    for the rule is optional (circles.build.optional).
    """
    sheet = table.character(character)
    index = next(i for i, c in enumerate(sheet.contacts) if c.name.casefold() == name.casefold())
    contact = sheet.contacts[index]
    because = "circles.build.count"
    table = yield from table.add(character, f"contacts.{index}.taps", 1, because=because)
    likes, dislikes = yield from _opinions(sheet, contact)
    # Never below 1, and worked out anew each time (circles.amb.build_minimum_and_change).
    circles = sheet.ability("Circles").exponent
    aptitude = max(1, relationship_aptitude(circles, likes, dislikes).total)
    bond = Bond(contact.taps + 1, aptitude)
    if bond.taps < aptitude:
        return table, bond
    becomes = yield from ask(
        sheet.seat(character),
        "build_relationship",
        f"{contact.name} has been tapped {bond.taps} times. Make this a relationship?",
        YesNo(default=True),
        because="circles.build.optional",
    )
    if not becomes:
        return table, bond
    contacts = tuple(each for each in sheet.contacts if each.name != contact.name)
    because = "circles.build.result"
    table = yield from table.amend(character, "contacts", contacts, because=because)
    new = Relationship(contact.name, contact.sought)
    relationships = (*sheet.relationships, new)
    table = yield from table.amend(character, "relationships", relationships, because=because)
    text = f"{contact.name} is a relationship of {sheet.name} now: no test to find or to ask."
    yield from tell(Noted(text, because))
    return table, Bond(bond.taps, aptitude, True)


def _opinions(
    sheet: Sheet, contact: Contact
) -> Step[tuple[tuple[Standing, ...], tuple[Standing, ...]]]:
    """Which of the character's reputations the contact knows of, and likes or dislikes."""
    known = tuple(each for each in sheet.reputations if each.identity == sheet.identity)
    if not known:
        return (), ()
    rule = "circles.amb.build_which_reputation"
    options = tuple(Option(key=r.name, label=r.name, rule=rule, note=f"{r.dice}D") for r in known)
    likes = yield from ask(
        GM,
        "contact_likes",
        f"Which reputations of {sheet.name} please {contact.name}?",
        PickSeveral(options=options, default=()),
        because="circles.build.aptitude",
    )
    rest = tuple(option for option in options if option.key not in likes)
    dislikes: tuple[str, ...] = ()
    if rest:
        dislikes = yield from ask(
            GM,
            "contact_dislikes",
            f"Which of them does {contact.name} find distasteful?",
            PickSeveral(options=rest, default=()),
            because="circles.build.aptitude",
        )
    return (
        tuple(each for each in known if each.name in likes),
        tuple(each for each in known if each.name in dislikes),
    )


# --- Meeting a relationship ----------------------------------------------------------------


class Consult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody wants to see, and ask, a relationship (or an enemy who has been found)."""

    character: str
    who: str
    about: str


class Way(Enum):
    """How what somebody knows is to be had."""

    FREELY = "freely"
    SOCIAL_TEST = "social_test"
    DUEL_OF_WITS = "duel_of_wits"
    NOT_MET = "not_met"


class Consulted(msgspec.Struct, frozen=True):
    """Whether they met, and how what he knows is to be had."""

    met: bool
    way: Way
    obstacle: int = 0
    body: int = 0


def consult(arguments: Consult, table: BurningTable) -> Play[Consulted]:
    """Meet and talk, without a test: that is what relationships are for.

    circles.relationship.no_roll_to_meet, circles.relationship.no_roll_to_talk.
    """
    character = arguments.character
    sheet = table.character(character)
    _check_may_consult(arguments, sheet, table)
    hostile = enemy(table, character, arguments.who) is not None
    reachable = yield from ask(
        GM,
        "reachable",
        f"Is it reasonably possible to see {arguments.who} now?",
        YesNo(default=True),
        because="circles.relationship.no_roll_to_meet",
    )
    if not reachable:
        return Consulted(False, Way.NOT_MET)
    text = f"{sheet.name} meets {arguments.who}: no test."
    yield from tell(Noted(text, "circles.relationship.no_roll_to_meet"))
    way = yield from _stance(arguments, hostile=hostile)
    if way is Way.FREELY:
        because = "circles.relationship.no_roll_to_talk"
        yield from tell(Noted(f"{arguments.who} tells freely: {arguments.about}.", because))
        return Consulted(True, way)
    penalty, body = hostility() if hostile else (0, 0)
    return Consulted(True, way, penalty, body)


def _check_may_consult(arguments: Consult, sheet: Sheet, table: BurningTable) -> None:
    who = arguments.who.casefold()
    for key, other in table.characters.items():
        if not other.npc and who in (key.casefold(), other.name.casefold()):
            what = f"{other.name} is a player character and nobody's relationship"
            raise NotAllowed(what, "circles.relationship.npcs_only")
    if enemy(table, arguments.character, arguments.who) is not None:
        return
    check_not_barred(sheet, table)
    if any(each.name.casefold() == who for each in sheet.relationships):
        return
    if any(each.name.casefold() == who for each in sheet.contacts):
        what = f"{arguments.who} is a contact and must be found with Circles first"
        raise NotAllowed(what, "circles.ability.use")
    names = ", ".join(each.name for each in sheet.relationships) or "none"
    expected = f"a relationship of {sheet.name}: {names}"
    raise BadInput("who", arguments.who, expected, "circles.relationship.definition")


def _stance(arguments: Consult, *, hostile: bool) -> Step[Way]:
    """What the GM's character does: talk, hold something back, or take the other side.

    circles.relationship.social_test_if_withholding, circles.relationship.duel_if_at_odds. An
    enemy gives nothing freely (circles.enmity.unwilling).
    """
    free = Option(key="freely", label="Talks freely", rule="circles.relationship.no_roll_to_talk")
    withholds = Option(
        key="social_test",
        label="Holds something back: a social skill may get it out",
        rule="circles.relationship.social_test_if_withholding",
    )
    at_odds = Option(
        key="duel_of_wits",
        label="Seriously at odds: a Duel of Wits may settle it",
        rule="circles.relationship.duel_if_at_odds",
    )
    options = (withholds, at_odds) if hostile else (free, withholds, at_odds)
    chosen = yield from ask(
        GM,
        "stance",
        f"{arguments.who} is asked: {arguments.about}. What does he do?",
        PickOne(options=options, default=options[0].key),
        because="circles.enmity.unwilling" if hostile else free.rule,
    )
    return Way(chosen)


# --- Friends and enemies -------------------------------------------------------------------


class Disposition(Enum):
    """How somebody feels about a character."""

    FRIEND = "friend"
    ENEMY = "enemy"


class ChangeOfHeart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody comes to feel otherwise about a character, through play."""

    character: str
    who: str
    becomes: Disposition
    why: str


class Changed(msgspec.Struct, frozen=True):
    """Whether the GM agreed."""

    changed: bool


def change_of_heart(arguments: ChangeOfHeart, table: BurningTable) -> Play[Changed]:
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
        expected = f"a contact or relationship of {sheet.name} who is no enemy yet"
        raise BadInput("who", arguments.who, expected, because)
    agreed = yield from ask(
        GM,
        "change_of_heart",
        f"Does {arguments.who} become {arguments.becomes.value} to {sheet.name}? {arguments.why}",
        YesNo(default=True),
        because=because,
    )
    if not agreed:
        return Changed(False)
    if hostile is not None:
        enemies = tuple(each for each in table.scene.enemies if each != hostile)
        yield from table.amend(SCENE, "enemies", enemies, because=because)
    else:
        yield from make_enemy(table, character, arguments.who, arguments.why, because=because)
    yield from tell(Noted(f"{arguments.who} is now a {arguments.becomes.value}.", because))
    return Changed(True)


PROCEDURES = (
    Procedure("consult", "Meet and ask a relationship, without a test", Consult, consult),
    Procedure(
        "change_of_heart",
        "An enemy is won over, or a friend becomes an enemy",
        ChangeOfHeart,
        change_of_heart,
    ),
)
