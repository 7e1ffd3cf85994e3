"""Characteristics in play: their bonuses, what raises them, Influence, and movement.

A test's own use of them is in :mod:`~astragal.games.percentile.tests`. How characteristics are
generated, and how far a bonus carries in numbers, is not in this game's text.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Number, Play, ask, note

from .scene import PercentileTable, Stride
from .sheet import HIGHEST, LOWEST, Raise, RaiseDuration, characteristics, parse_characteristic

INFLUENCE = parse_characteristic("Influence")
AGILITY = parse_characteristic("Agility")

# --- Bonuses -------------------------------------------------------------------------------


class Bonuses(Arguments, frozen=True):
    """Look up the bonus of each of a character's characteristics."""

    character: str


class Bonus(msgspec.Struct, frozen=True):
    """A characteristic with its bonus, each under its short name."""

    characteristic: str
    value: int
    bonus: str
    worth: int


class BonusesOutcome(Outcome, frozen=True):
    """The characteristics a character has, in the order of the list of ten."""

    bonuses: tuple[Bonus, ...]


def bonuses(arguments: Bonuses, table: PercentileTable) -> Play[BonusesOutcome]:
    """Look up each characteristic's bonus: its tens digit (percentile.char.bonus).

    The bonus goes by the abbreviation with a B (percentile.char.bonus_abbreviation).
    """
    sheet = table.character(arguments.character)
    found = tuple(
        Bonus(short, sheet.value(short).total, one.bonus, sheet.bonus(short))
        for short, one in characteristics().items()
        if short in sheet.characteristics
    )
    said = ", ".join(f"{each.bonus} {each.worth}" for each in found)
    yield from note(f"{sheet.name}: {said or 'no characteristics'}.", "percentile.char.bonus")
    return BonusesOutcome(found)


# --- Raised for a time or for good ---------------------------------------------------------


class RaiseCharacteristic(Arguments, frozen=True):
    """Why a characteristic is raised, by how much, and for how long."""

    character: str
    characteristic: str
    amount: int
    why: str
    lasts: RaiseDuration = RaiseDuration.SCENE


class RaiseOutcome(Outcome, frozen=True):
    """A characteristic after it was raised."""

    characteristic: str
    value: int
    bonus: int


def raise_characteristic(
    arguments: RaiseCharacteristic, table: PercentileTable
) -> Play[RaiseOutcome]:
    """Raise a characteristic for a time or for good (percentile.char.base).

    It stays on the scale (percentile.char.range), and Influence is not raised this way
    (percentile.char.influence_change).
    """
    short = parse_characteristic(arguments.characteristic)
    sheet = table.character(arguments.character)
    name = sheet.called(short)
    if short == INFLUENCE:
        raise NotAllowed(
            f"{name} changes only through deeds in play", "percentile.char.influence_change"
        )
    value = sheet.value(short, "characteristic").total
    why = arguments.why.strip()
    if not why:
        raise BadInput("why", arguments.why, "a reason, in a few words")
    if not 1 <= arguments.amount <= HIGHEST - value:
        expected = f"1 to {HIGHEST - value}: {name} is {value} and cannot exceed {HIGHEST}"
        raise BadInput("amount", arguments.amount, expected, "percentile.char.range")
    because = "percentile.char.base"
    if arguments.lasts is RaiseDuration.FOR_GOOD:
        path = f"characteristics.{short}"
        table = yield from table.add(arguments.character, path, arguments.amount, because=because)
    else:
        raised = Raise(short, arguments.amount, why, arguments.lasts)
        raises = (*sheet.raises, raised)
        table = yield from table.amend(arguments.character, "raises", raises, because=because)
    after = table.character(arguments.character)
    outcome = RaiseOutcome(short, after.value(short).total, after.bonus(short))
    how_long = arguments.lasts.in_words
    rises = f"{sheet.name}'s {name} rises to {outcome.value} {how_long} ({why})"
    yield from note(f"{rises}.", because)
    return outcome


class EndRaise(Arguments, frozen=True):
    """Which temporary increase ends, by its reason."""

    character: str
    why: str


class RaiseEndOutcome(Outcome, frozen=True):
    """What is over."""

    ended: tuple[Raise, ...]


def end_raise(arguments: EndRaise, table: PercentileTable) -> Play[RaiseEndOutcome]:
    """What raised a characteristic for a time wears off (percentile.char.base)."""
    sheet = table.character(arguments.character)
    wanted = arguments.why.strip().casefold()
    ended = tuple(each for each in sheet.raises if each.why.casefold() == wanted)
    if not ended:
        known = ", ".join(each.why for each in sheet.raises) or "there are none"
        raise BadInput("why", arguments.why, f"a current increase of {sheet.name}'s: {known}")
    left = tuple(each for each in sheet.raises if each not in ended)
    because = "percentile.char.base"
    yield from table.amend(arguments.character, "raises", left, because=because)
    yield from note(f"{sheet.name}: {arguments.why.strip()} wears off.", because)
    return RaiseEndOutcome(ended)


# --- Influence and Infamy ------------------------------------------------------------------


class Deed(Enum):
    """What sort of thing moves Influence."""

    NOTABLE_SUCCESS = "notable_success"
    PUBLIC_FAILURE = "public_failure"
    OTHER_WAYS = "other_ways"


class ChangeInfluence(Arguments, frozen=True):
    """What a character did in public."""

    character: str
    deed: Deed
    what: str


class InfluenceOutcome(Outcome, frozen=True):
    """Influence (or Infamy) before and after."""

    called: str
    before: int
    after: int


def change_influence(arguments: ChangeInfluence, table: PercentileTable) -> Play[InfluenceOutcome]:
    """A notable success raises Influence, a public failure lowers it; the GM says by how much.

    percentile.char.influence_change. Infamy works identically, but may also be gained in other
    ways (percentile.char.infamy). Either stays on the scale (percentile.char.range).
    """
    sheet = table.character(arguments.character)
    name = sheet.called(INFLUENCE)
    before = sheet.value(INFLUENCE, "character").total
    if arguments.deed is Deed.OTHER_WAYS and not sheet.evil:
        raise NotAllowed(
            f"{name} is gained only by deeds in play; only Infamy can be gained in other ways",
            "percentile.char.influence_change",
        )
    if not arguments.what.strip():
        raise BadInput("what", arguments.what, "what the character did, in a few words")
    sign = -1 if arguments.deed is Deed.PUBLIC_FAILURE else 1
    room = before - LOWEST if sign < 0 else HIGHEST - before
    rule = (
        "percentile.char.infamy"
        if arguments.deed is Deed.OTHER_WAYS
        else "percentile.char.influence_change"
    )
    amount = yield from ask(
        GM,
        "amount",
        f"{name} ({before}) {'falls' if sign < 0 else 'rises'} by how much?",
        Number(least=0, most=room),
        because=rule,
    )
    after = before + sign * amount
    path = f"characteristics.{INFLUENCE}"
    yield from table.amend(arguments.character, path, after, because=rule)
    yield from note(f"{sheet.name}: {name} is now {after} ({arguments.what.strip()}).", rule)
    return InfluenceOutcome(name, before, after)


# --- Movement ------------------------------------------------------------------------------

FARTHEST = 1000
"""A longer distance in one turn can only be a typing mistake."""


class Movement(Arguments, frozen=True):
    """How far a character moves in a turn."""

    character: str


class MovementOutcome(Outcome, frozen=True):
    """How far somebody moves in a turn."""

    bonus: int
    distance: int


def movement(arguments: Movement, table: PercentileTable) -> Play[MovementOutcome]:
    """How far a character moves in a turn, by the Agility bonus (percentile.char.agility_movement).

    The distances are the table's own: the GM gives each bonus its distance the first time it
    comes up, and a higher bonus always goes farther.
    """
    sheet = table.character(arguments.character)
    bonus = sheet.bonus(AGILITY, "character")
    rule = "percentile.char.agility_movement"
    strides = table.scene.strides
    known = next((each.distance for each in strides if each.bonus == bonus), None)
    if known is None:
        least = max((each.distance + 1 for each in strides if each.bonus < bonus), default=0)
        most = min((each.distance - 1 for each in strides if each.bonus > bonus), default=FARTHEST)
        if least > most:
            raise NotAllowed(
                f"There is no distance left for AgB {bonus} between its neighbours; make a ruling",
                rule,
            )
        known = yield from ask(
            GM,
            "distance",
            f"How far does AgB {bonus} move in a turn?",
            Number(least=least, most=most),
            because=rule,
        )
        new = tuple(sorted((*strides, Stride(bonus, known)), key=lambda each: each.bonus))
        yield from table.amend(SCENE, "strides", new, because=rule)
    yield from note(f"{sheet.name} (AgB {bonus}) moves {known} in a turn.", rule)
    return MovementOutcome(bonus, known)


PROCEDURES = (
    Procedure("bonuses", "Characteristic bonuses", Bonuses, bonuses),
    Procedure(
        "raise_characteristic",
        "Raise a characteristic",
        RaiseCharacteristic,
        raise_characteristic,
        gm_only=True,
    ),
    Procedure("end_raise", "End an increase", EndRaise, end_raise, gm_only=True),
    Procedure(
        "change_influence",
        "Change Influence or Infamy",
        ChangeInfluence,
        change_influence,
        gm_only=True,
    ),
    Procedure("movement", "Movement", Movement, movement, frequent=5),
)
