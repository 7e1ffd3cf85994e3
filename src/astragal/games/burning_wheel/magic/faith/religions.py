"""What a group settles before play: the idiom of a faith, whom it touches, which prayers work."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, choose, confirm_aside, consent, note

from ...sheet.faiths import FaithReach, Religion
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from .faithful import is_faithful
from .prayer_tables import PrayerKind, prayer_named

MOST_PRIESTS = 100
"""A larger number is a typing error."""


class SettleFaith(Arguments, frozen=True):
    """A faith: its name, idiom and strictures, whom it touches, and which prayers work.

    ``stigmata`` are those for exponents 7, 8 and 9. Without ``prayers`` all of the list work;
    ``rites`` say how many priests may join in a rite or a prayer.
    """

    religion: Religion


class SettledFaith(Outcome, frozen=True):
    """The faith as the group has settled it."""

    religion: Religion


def settle_faith(arguments: SettleFaith, table: BurningTable) -> Play[SettledFaith]:
    """Settle a faith before play: the GM and the players of the Faithful (faith.setup.idiom).

    Once play has begun a faith stays as it is; one that is met in play may still be settled.
    """
    religion = _checked(arguments.religion)
    known = {each.name.casefold() for each in table.scene.religions}
    if table.scene.session and religion.name.casefold() in known:
        what = f"Play has begun: {religion.name} stays as it was settled"
        raise NotAllowed(what, "faith.setup.idiom")
    rule = "faith.setup.idiom"
    prompt = f"Settle {religion.name} like this?"
    if not (yield from consent(GM, "settle", prompt, because=rule)):
        raise NotAllowed(f"The GM does not agree on {religion.name} like this", rule)
    for key, sheet in table.characters.items():
        seat = sheet.seat(key)
        if not is_faithful(sheet) or seat == GM:
            continue
        if not (yield from consent(seat, "settle_player", prompt, because=rule)):
            raise NotAllowed(f"{sheet.name}'s player does not agree on {religion.name}", rule)
    table = yield from _keep(religion, table)
    return SettledFaith(religion)


def _checked(religion: Religion) -> Religion:
    """Refuse a faith without a name, prayers that there are not, and limits that are none."""
    if not religion.name.strip():
        raise BadInput("religion.name", religion.name, "a name", "faith.setup.idiom")
    for at, prayer in enumerate(religion.prayers):
        prayer_named(prayer, f"religion.prayers[{at}]")
    for at, limit in enumerate(religion.rites):
        rule = "faith.help.priest_limit"
        check_between(f"religion.rites[{at}].priests", limit.priests, 1, MOST_PRIESTS, rule)
    return religion


def _keep(religion: Religion, table: BurningTable) -> Step[BurningTable]:
    wanted = religion.name.casefold()
    others = tuple(each for each in table.scene.religions if each.name.casefold() != wanted)
    touches = "everyone" if religion.reach is FaithReach.EVERYONE else "only believers"
    rule = "faith.setup.believer_or_infidel"
    yield from note(f"The prayers of {religion.name} touch {touches}.", rule)
    because = "faith.setup.idiom"
    return (yield from table.amend(SCENE, "religions", (*others, religion), because=because))


def religion_of(faith: str, table: BurningTable) -> Step[tuple[Religion, BurningTable]]:
    """The faith as it was settled; at the first prayer of one that was not, the GM says whom it
    touches (faith.setup.believer_or_infidel).
    """
    for religion in table.scene.religions:
        if religion.name.casefold() == faith.casefold():
            return religion, table
    chosen = yield from choose(
        GM,
        "reach",
        f"Whom do the prayers of {faith} touch?",
        {"everyone": "Everyone", "believers": "Only those who believe in it or are against it"},
        default="everyone",
        because="faith.setup.believer_or_infidel",
    )
    religion = Religion(faith, reach=FaithReach(chosen))
    return religion, (yield from _keep(religion, table))


def check_works(kind: PrayerKind, religion: Religion) -> None:
    """Refuse a prayer that has no effect in this game (faith.setup.pick_prayers)."""
    working = {prayer_named(each).code for each in religion.prayers}
    if working and kind.code not in working:
        what = f"{kind.name} has no effect in {religion.name}: choose another prayer"
        raise NotAllowed(what, "faith.setup.pick_prayers")


def carries(sheet: Sheet, faith: str) -> bool:
    """Whether a Belief or a trait is part of a faith or against it.

    faith.setup.believer_or_infidel.
    """
    return faith.casefold() in {creed.faith.casefold() for creed in sheet.creeds}


def is_touched(character: str, religion: Religion, table: BurningTable) -> Step[bool]:
    """Whether a prayer works on somebody: on everyone, or on believers and their opposites.

    faith.setup.believer_or_infidel. A superstition that is on no sheet is the GM's to tell.
    """
    sheet = table.character(character)
    if religion.reach is FaithReach.EVERYONE or carries(sheet, religion.name):
        return True
    rule = "faith.setup.believer_or_infidel"
    touched = yield from confirm_aside(
        GM,
        "believes",
        f"Does {sheet.name} carry anything of {religion.name}, or against it?",
        because=rule,
    )
    if not touched:
        yield from note(f"The prayer does not touch {sheet.name}.", rule)
    return touched


PROCEDURES = (Procedure("settle_faith", "Settle a faith", SettleFaith, settle_faith),)
