"""Who can pray: the attribute, the Faithful trait, and a Belief that states the faith."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, choose, consent, note

from ...beliefs.beliefs import Bit, BitSlot, bit_in
from ...beliefs.statements_of_faith import faith_of, stated_faith, stop_believing
from ...sheet.faiths import FAITH, Creed
from ...sheet.reading import FAITHFUL
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated, Sheet
from .emotional_attributes import check_own_emotion


def is_faithful(sheet: Sheet) -> bool:
    """Whether somebody can pray, of whatever rank or none (faith.access.priest_is_shorthand).

    faith.access.faithful_trait: a trait that the group declared equivalent says so in its
    situation.
    """
    faith = sheet.attributes.get(FAITH)
    if faith is None or not faith.rating.exponent or sheet.faith_lost:
        return False
    return any(
        FAITHFUL in (trait.name.casefold(), trait.situation.casefold()) for trait in sheet.traits
    )


def may_pray(character: str, table: BurningTable) -> Rated:
    """The Faith of somebody at the table who can pray, or a refusal."""
    return check_faithful(table.character(character))


def check_faithful(sheet: Sheet) -> Rated:
    """The Faith of somebody who can pray; refused with the reason where there is none."""
    rated = sheet.find(FAITH)
    if rated is None or not rated.exponent:
        what = f"{sheet.name} does not have {FAITH}: believing alone works no miracles"
        raise NotAllowed(what, "faith.access.not_every_believer")
    check_own_emotion(sheet, FAITH)
    if sheet.faith_lost:
        what = f"{sheet.name} has lost {FAITH} with the Belief that stated it"
        raise NotAllowed(what, "faith.belief.loss")
    if not is_faithful(sheet):
        what = f"{sheet.name} needs the Faithful trait to pray"
        raise NotAllowed(what, "faith.access.faithful_trait")
    return rated


# --- The Belief that states it -------------------------------------------------------------


def check_stated(character: str, table: BurningTable) -> Step[tuple[str, BurningTable]]:
    """The faith that a priest's Beliefs state; if none is marked yet, the player says which does.

    faith.belief.required.
    """
    sheet = table.character(character)
    if faith := stated_faith(sheet):
        return faith, table
    rule = "faith.belief.required"
    _has_belief(character, table)
    chosen = yield from choose(
        sheet.seat(character),
        "creed",
        "Which Belief states your faith?",
        {str(number): belief.text for number, belief in enumerate(sheet.beliefs, 1)},
        default="1" if len(sheet.beliefs) == 1 else None,
        because=rule,
    )
    return (yield from _mark(character, int(chosen), "", table))


def _mark(
    character: str, number: int, faith: str, table: BurningTable
) -> Step[tuple[str, BurningTable]]:
    """A Belief is a statement of faith, simple or subtle, if the GM agrees.

    faith.belief.required.
    """
    sheet = table.character(character)
    belief = bit_in(sheet, BitSlot(character, Bit.BELIEF, number))
    religions = table.scene.religions
    usual = religions[0].name if len(religions) == 1 else f"{sheet.name}'s faith"
    name = faith.strip() or usual
    rule = "faith.belief.required"
    prompt = f"Does this Belief state {name}? {belief.text}"
    if not (yield from consent(GM, "states_faith", prompt, because=rule)):
        what = f"This Belief does not state {name}: {belief.text}"
        raise NotAllowed(what, rule)
    yield from note(f"{sheet.name}'s Belief states {name}: {belief.text}", rule)
    others = tuple(creed for creed in sheet.creeds if creed.belief != number)
    creeds = (*others, Creed(name, belief=number))
    return name, (yield from table.amend(character, "creeds", creeds, because=rule))


class StateFaith(Arguments, frozen=True):
    """Which Belief of a character states which faith; the number is counted from 1."""

    character: str
    number: int
    faith: str = ""


class StatementOfFaith(Outcome, frozen=True):
    """The Belief, and the faith that it states."""

    belief: str
    faith: str


def _has_belief(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not sheet.beliefs:
        what = f"{sheet.name} has no Belief: write one that states the faith"
        raise NotAllowed(what, "faith.belief.required")


def state_faith(arguments: StateFaith, table: BurningTable) -> Play[StatementOfFaith]:
    """Say that a Belief states a faith, of a priest or of any believer (faith.belief.required)."""
    faith, table = yield from _mark(arguments.character, arguments.number, arguments.faith, table)
    belief = table.character(arguments.character).beliefs[arguments.number - 1]
    return StatementOfFaith(belief.text, faith)


# --- Losing Faith and finding it again -----------------------------------------------------


class FaithChange(Arguments, frozen=True):
    """Whose Faith it is, and the Belief that it hangs on; the number is counted from 1."""

    character: str
    number: int


class FaithStanding(Outcome, frozen=True):
    """Whether Faith can be used, and its exponent on record."""

    usable: bool
    exponent: int


def _has_creed(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not any(faith_of(sheet, number) for number in range(1, len(sheet.beliefs) + 1)):
        raise NotAllowed(f"{sheet.name} has no Belief that states a faith", "faith.belief.loss")


def lose_faith(arguments: FaithChange, table: BurningTable) -> Play[FaithStanding]:
    """A character stops believing: the Belief stays as words, and Faith is lost with it.

    faith.belief.loss.
    """
    character = arguments.character
    sheet = table.character(character)
    bit_in(sheet, BitSlot(character, Bit.BELIEF, arguments.number))
    if not faith_of(sheet, arguments.number):
        expected = "the number of a Belief that states a faith"
        raise BadInput("number", arguments.number, expected, "faith.belief.loss")
    table = yield from stop_believing(character, arguments.number, table)
    return _standing(table.character(character))


def _has_lost_faith(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not sheet.faith_lost:
        raise NotAllowed(f"{sheet.name} has not lost {FAITH}", "faith.amb.lost_belief")


def restore_faith(arguments: FaithChange, table: BurningTable) -> Play[FaithStanding]:
    """The GM lets lost Faith return, with a Belief that states it (faith.amb.lost_belief)."""
    character = arguments.character
    sheet = table.character(character)
    _has_lost_faith(character, table)
    _, table = yield from _mark(character, arguments.number, "", table)
    rule = "faith.amb.lost_belief"
    yield from note(f"{sheet.name} finds {FAITH} again.", rule)
    table = yield from table.amend(character, "faith_lost", False, because=rule)
    return _standing(table.character(character))


def _standing(sheet: Sheet) -> FaithStanding:
    rated = sheet.find(FAITH)
    return FaithStanding(is_faithful(sheet), 0 if rated is None else rated.exponent)


PROCEDURES = (
    Procedure(
        "state_faith", "A Belief that states a faith", StateFaith, state_faith, check=_has_belief
    ),
    Procedure("lose_faith", "Lose Faith", FaithChange, lose_faith, gm_only=True, check=_has_creed),
    Procedure(
        "restore_faith",
        "Restore Faith",
        FaithChange,
        restore_faith,
        gm_only=True,
        check=_has_lost_faith,
    ),
)
