"""Relationships: met and asked without a test, and built from contacts.

A section of the chapter on Circles. They are the GM's characters, important to a
player character, with strong ties and fairly free access (circles.relationship.definition).
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Option,
    PickSeveral,
    Play,
    Step,
    Tally,
    ask,
    choose,
    confirm,
    consent,
    note,
)

from ..conditions.enmity import check_not_barred, enemy, hostility
from ..sheet.editions import edition
from ..sheet.parts import Contact, Relationship, SocialStanding
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet

# --- Building relationships ----------------------------------------------------------------


class Bond(msgspec.Struct, frozen=True):
    """How far a contact is from being a relationship."""

    taps: int
    aptitude: int
    built: bool = False


def relationship_aptitude(
    circles: int, likes: tuple[SocialStanding, ...], dislikes: tuple[SocialStanding, ...]
) -> Tally:
    """How often a contact must be tapped: 10, less Circles and the reputations they like.

    circles.build.aptitude, gold.circles.aptitude. Every reputation that the contact knows of
    counts by its own sign (circles.amb.build_which_reputation).

    >>> relationship_aptitude(4, (SocialStanding("Just", 2),), (SocialStanding("Cruel", 1),)).total
    5
    """
    rule = "circles.build.aptitude"
    tally = Tally.of(10, "relationship aptitude", rule) - Line(circles, "Circles", rule)
    tally -= tuple(Line(each.dice, each.name, rule) for each in likes)
    return tally + tuple(Line(each.dice, each.name, rule) for each in dislikes)


def tap(table: BurningTable, character: str, name: str) -> Step[tuple[BurningTable, Bond]]:
    """A named contact has been found: count it, and see whether it was often enough.

    Nobody else can become a relationship (circles.build.named_contact). By
    circles.build.count the first time, when the contact was named, counts as well
    (circles.amb.build_first_tap), and later on meeting the obstacle is enough
    (circles.amb.build_merely_met). Whether it then becomes a relationship is up to the player,
    for the rule is optional (circles.build.optional); in the later edition it is a standing rule
    (gold.circles.relationship, gold.diff.relationship_status, gold.amb.relationship_count).
    """
    sheet = table.character(character)
    index = next(i for i, c in enumerate(sheet.contacts) if c.name.casefold() == name.casefold())
    contact = sheet.contacts[index]
    because = "circles.build.count"
    table = yield from table.add(character, f"contacts.{index}.taps", 1, because=because)
    played = edition(table.options)
    likes, dislikes = yield from _opinions(sheet, contact, by_sign=played.reputations_have_signs)
    # Never below 1, and worked out anew each time (circles.amb.build_minimum_and_change).
    circles = sheet.ability("Circles").exponent
    aptitude = max(1, relationship_aptitude(circles, likes, dislikes).total)
    bond = Bond(contact.taps + 1, aptitude)
    if bond.taps < aptitude:
        return table, bond
    if not played.bonds_form_themselves:
        becomes = yield from confirm(
            sheet.seat(character),
            "build_relationship",
            f"Make {contact.name} a relationship? (taps: {bond.taps})",
            default=True,
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
    text = f"{contact.name} becomes a relationship of {sheet.name}: no test to meet or to ask."
    yield from note(text, because)
    return table, Bond(bond.taps, aptitude, True)


def _opinions(
    sheet: Sheet, contact: Contact, *, by_sign: bool
) -> Step[tuple[tuple[SocialStanding, ...], tuple[SocialStanding, ...]]]:
    """Which of the character's reputations the contact knows of, and likes or dislikes.

    In the later edition each counts by its own sign unless the GM says differently: an infamous
    one against the character, any other in favor (gold.circles.aptitude).
    """
    known = tuple(each for each in sheet.reputations if each.identity == sheet.identity)
    if not known:
        return (), ()
    good = tuple(r.name for r in known if by_sign and not r.infamous)
    rule = "circles.amb.build_which_reputation"
    options = tuple(Option(key=r.name, label=r.name, rule=rule, note=f"{r.dice}D") for r in known)
    likes = yield from ask(
        GM,
        "contact_likes",
        f"Which of {sheet.name}'s reputations does {contact.name} like?",
        PickSeveral(options=options, default=good),
        because="circles.build.aptitude",
        kind="aside",
    )
    rest = tuple(option for option in options if option.key not in likes)
    dislikes: tuple[str, ...] = ()
    if rest:
        bad = tuple(o.key for o in rest if by_sign and o.key not in good)
        dislikes = yield from ask(
            GM,
            "contact_dislikes",
            f"Which of them does {contact.name} dislike?",
            PickSeveral(options=rest, default=bad),
            because="circles.build.aptitude",
            kind="aside",
        )
    return (
        tuple(each for each in known if each.name in likes),
        tuple(each for each in known if each.name in dislikes),
    )


# --- Meeting a relationship ----------------------------------------------------------------


class Consult(Arguments, frozen=True):
    """Meet a relationship, or an enemy who has been found, and ask about something."""

    character: str
    who: str
    about: str


class Willingness(Enum):
    """How somebody gives what they know: freely, or not."""

    FREELY = "freely"
    SOCIAL_TEST = "social_test"
    DUEL_OF_WITS = "duel_of_wits"
    NOT_MET = "not_met"


class ConsultationOutcome(Outcome, frozen=True):
    """Whether they met, and how the other gives what they know."""

    met: bool
    way: Willingness
    obstacle: int = 0
    body: int = 0


def consult(arguments: Consult, table: BurningTable) -> Play[ConsultationOutcome]:
    """Meet and talk, without a test: that is what relationships are for.

    circles.relationship.no_roll_to_meet, circles.relationship.no_roll_to_talk.
    """
    character = arguments.character
    sheet = table.character(character)
    _check_may_consult(arguments, sheet, table)
    hostile = enemy(table, character, arguments.who) is not None
    rule = "circles.relationship.no_roll_to_meet"
    prompt = f"Can {arguments.who} reasonably be met now?"
    reachable = yield from consent(GM, "reachable", prompt, because=rule)
    if not reachable:
        return ConsultationOutcome(False, Willingness.NOT_MET)
    yield from note(f"{sheet.name} meets {arguments.who}: no test needed to find them.", rule)
    way = yield from _stance(arguments, hostile=hostile)
    if way is Willingness.FREELY:
        because = "circles.relationship.no_roll_to_talk"
        yield from note(f"{arguments.who} talks freely: {arguments.about}.", because)
        return ConsultationOutcome(True, way)
    penalty, body = hostility() if hostile else (0, 0)
    yield from note(*_unwilling(arguments.who, way, penalty, body))
    return ConsultationOutcome(True, way, penalty, body)


def _unwilling(who: str, way: Willingness, penalty: int, body: int) -> tuple[str, str]:
    """What it takes to learn something from somebody who does not talk freely, and the rule.

    An enemy makes it harder: circles.enmity.social_penalty, circles.enmity.duel_bonus.
    """
    if way is Willingness.DUEL_OF_WITS:
        more = f" (+{body} to their Body of Argument)" if body else ""
        return (
            f"{who} takes the other side: a Duel of Wits{more}.",
            "circles.relationship.duel_if_at_odds",
        )
    more = f" (+{penalty} Ob)" if penalty else ""
    text = f"{who} withholds something: a test of a social skill{more}."
    return text, "circles.relationship.social_test_if_withholding"


def _check_may_consult(arguments: Consult, sheet: Sheet, table: BurningTable) -> None:
    who = arguments.who.casefold()
    for key, other in table.characters.items():
        if not other.npc and who in (key.casefold(), other.name.casefold()):
            what = f"{other.name} is a player character and can't be a relationship"
            raise NotAllowed(what, "circles.relationship.npcs_only")
    if enemy(table, arguments.character, arguments.who) is not None:
        return
    check_not_barred(sheet, table)
    if any(each.name.casefold() == who for each in sheet.relationships):
        return
    if any(each.name.casefold() == who for each in sheet.contacts):
        what = f"{arguments.who} is a contact: find them with a Circles test first"
        raise NotAllowed(what, "circles.ability.use")
    names = ", ".join(each.name for each in sheet.relationships) or "none"
    expected = f"a relationship of {sheet.name}: {names}"
    raise BadInput("who", arguments.who, expected, "circles.relationship.definition")


def _stance(arguments: Consult, *, hostile: bool) -> Step[Willingness]:
    """What the GM's character does: talk, hold something back, or take the other side.

    circles.relationship.social_test_if_withholding, circles.relationship.duel_if_at_odds. An
    enemy gives nothing freely (circles.enmity.unwilling).
    """
    free = Option("freely", "Talks freely", "circles.relationship.no_roll_to_talk")
    withholds = Option(
        "social_test",
        "Withholds something: social skill test",
        "circles.relationship.social_test_if_withholding",
    )
    at_odds = Option(
        "duel_of_wits", "Seriously at odds: Duel of Wits", "circles.relationship.duel_if_at_odds"
    )
    options = (withholds, at_odds) if hostile else (free, withholds, at_odds)
    chosen = yield from choose(
        GM,
        "stance",
        f"How does {arguments.who} respond? ({arguments.about})",
        options,
        default=options[0].key,
        because="circles.enmity.unwilling" if hostile else free.rule,
    )
    return Willingness(chosen)


PROCEDURES = (Procedure("consult", "Consult a relationship (no test)", Consult, consult),)
