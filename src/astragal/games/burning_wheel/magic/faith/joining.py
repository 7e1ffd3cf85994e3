"""Joining in a prayer: other priests by the rules of help, and believers by their Will."""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Arguments
from astragal.play import GM, Line, Option, PickSeveral, Step, ask, consent

from ...conditions.hesitation import out_of_action
from ...conditions.wounds import Condition, state_of
from ...sheet.catalogue_keys import key_of
from ...sheet.faiths import Religion
from ...sheet.scene import BurningTable
from ...tests.helping import check_helpers
from .faithful import is_faithful
from .prayer_tables import PrayerKind

WILL_PER_DIE = 20
"""How many Will dice of believers are worth one die of help (faith.help.believers)."""

MOST_PEOPLE = 10_000
"""A larger crowd is a typing error."""


class Congregation(Arguments, frozen=True):
    """Believers without sheets: how many there are, and the Will of each."""

    people: int
    will: int


def priest_limit(kind: PrayerKind, rite: str, religion: Religion) -> int | None:
    """How many priests may join in a rite, or in a prayer of that kind; None without a limit.

    faith.help.priest_limit.
    """
    limits = {key_of(limit.rite): limit.priests for limit in religion.rites}
    return limits.get(key_of(rite), limits.get(kind.code)) if rite else limits.get(kind.code)


def priests_joining(
    character: str,
    asked: tuple[str, ...],
    kind: PrayerKind,
    rite: str,
    religion: Religion,
    table: BurningTable,
) -> Step[tuple[str, ...]]:
    """The other Faithful who join in (faith.help.faithful), no more than the religion allows.

    faith.help.priest_limit: the one who prays is one of them.
    """
    check_helpers(character, asked, table)
    for at, name in enumerate(asked):
        if not is_faithful(table.character(name)):
            expected = "a Faithful character, or a believer among `believers`"
            raise BadInput(f"helpers[{at}]", name, expected, "faith.help.faithful")
    limit = priest_limit(kind, rite, religion)
    most = None if limit is None else limit - 1
    if most is not None and len(asked) > most:
        what = rite or kind.name
        expected = f"at most {most}: {religion.name} allows {limit} in {what}"
        raise BadInput("helpers", list(asked), expected, "faith.help.priest_limit")
    if asked or most == 0:
        return asked
    rule = "faith.help.faithful"
    others = tuple(
        Option(key, sheet.name, rule)
        for key, sheet in table.characters.items()
        if key != character and key not in table.hidden and is_faithful(sheet)
        if state_of(table, key) is Condition.FIT and not out_of_action(table, key)
    )
    if not others:
        return ()
    seat = table.character(character).seat(character)
    question = PickSeveral(options=others, default=(), most=most)
    return (yield from ask(seat, "ask_priests", "Pray together with", question, because=rule))


def believers_dice(
    character: str,
    believers: tuple[str, ...],
    crowd: tuple[Congregation, ...],
    helpers: tuple[str, ...],
    religion: Religion,
    table: BurningTable,
) -> Step[tuple[Line, ...]]:
    """One die for every 20 Will dice of believers, added together (faith.help.believers).

    They must hold a Belief in the faith; the rest of 20 counts for nothing
    (faith.amb.believer_remainder).
    """
    rule = "faith.help.believers"
    will = 0
    for at, name in enumerate(believers):
        place = f"believers[{at}]"
        sheet = table.character(name, place)
        if name == character or name in (*helpers, *believers[:at]):
            raise BadInput(place, name, "each once, besides those who pray", rule)
        wanted = religion.name.casefold()
        if wanted not in {each.faith.casefold() for each in sheet.creeds if each.belief}:
            expected = f"somebody with a Belief in {religion.name}"
            raise BadInput(place, name, expected, rule)
        will += sheet.ability("Will", place).exponent
    for at, group in enumerate(crowd):
        if not (1 <= group.people <= MOST_PEOPLE and 1 <= group.will <= 10):
            found = f"{group.people} with Will {group.will}"
            expected = f"1 to {MOST_PEOPLE} people with Will 1 to 10"
            raise BadInput(f"crowd[{at}]", found, expected, rule)
        prompt = f"Do the {group.people} people hold a Belief in {religion.name}?"
        if (yield from consent(GM, "crowd_believes", prompt, because=rule)):
            will += group.people * group.will
    dice = will // WILL_PER_DIE
    return (Line(dice, f"believers: {will} Will dice", rule),) if dice else ()
