"""Gear, weapons and shields that are lost, found again, or given to somebody else.

What is lost is kept in the scene, so that it can be found with all that sets it apart; what is
destroyed is gone. How the GM grants new gear is in ``tests/gear``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, confirm, note

from ..sheet.parts import Gear
from ..sheet.scene import BurningTable, LostThing
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import Weapon, is_natural

# --- What somebody has ---------------------------------------------------------------------


def possessions(sheet: Sheet) -> dict[str, LostThing]:
    """What a character could lose or give away, by its name: weapons, the shield, gear."""
    has = [LostThing(weapon=each) for each in sheet.weapons if not is_natural(each.weapon)]
    has += [LostThing(shield=sheet.shield)] if sheet.shield is not None else []
    has += [LostThing(gear=each) for each in sheet.gear]
    named: dict[str, LostThing] = {}
    for thing in has:
        named.setdefault(thing.called, thing)
    return named


def _named(sheet: Sheet, name: str) -> LostThing:
    has = possessions(sheet)
    for called, thing in has.items():
        if called.casefold() == name.strip().casefold():
            return thing
    expected = f"something that {sheet.name} has: {', '.join(has) or 'nothing'}"
    raise BadInput("thing", name, expected, "tests.gear.acquisition")


def _has_something(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not possessions(sheet):
        raise NotAllowed(f"{sheet.name} carries nothing", "tests.gear.acquisition")


def _without(sheet: Sheet, thing: LostThing) -> tuple[str, object]:
    """The part of the sheet that has the thing, and what is left there without it."""
    if thing.shield is not None:
        return "shield", None
    field, carried = ("weapons", sheet.weapons) if thing.weapon else ("gear", sheet.gear)
    left: list[Weapon | Gear] = list(carried)
    left.remove(thing.weapon or thing.gear)  # type: ignore[arg-type]
    return field, tuple(left)


def _with(sheet: Sheet, thing: LostThing) -> tuple[str, object]:
    """The part of the sheet that takes the thing, and what is there with it."""
    field: str
    after: object
    if thing.shield is not None:
        if sheet.shield is not None:
            expected = f"something else: {sheet.name} has a shield ({sheet.shield.called})"
            raise BadInput("thing", thing.called, expected, "armor.shield.role")
        field, after = "shield", thing.shield
    elif thing.weapon is not None:
        _check_new(sheet, thing, [each.called for each in sheet.weapons])
        field, after = "weapons", (*sheet.weapons, thing.weapon)
    else:
        _check_new(sheet, thing, [each.name for each in sheet.gear])
        field, after = "gear", (*sheet.gear, thing.gear)
    return field, after


def _check_new(sheet: Sheet, thing: LostThing, names: list[str]) -> None:
    """Each weapon and each piece of gear on a sheet has a name of its own."""
    if thing.called.casefold() in (name.casefold() for name in names):
        expected = f"something else: {sheet.name} has one of that name"
        raise BadInput("thing", thing.called, expected, "tests.gear.acquisition")


# --- Lost ----------------------------------------------------------------------------------


class LoseGear(Arguments, frozen=True):
    """Who loses what, and how. What is ``destroyed`` cannot be found again."""

    character: str
    thing: str
    how: str = ""
    destroyed: bool = False


class LossOutcome(Outcome, frozen=True):
    """What is gone."""

    lost: str


def lose_gear(arguments: LoseGear, table: BurningTable) -> Play[LossOutcome]:
    """Something is dropped, taken or destroyed in play (tests.gear.acquisition)."""
    thing = _named(table.character(arguments.character), arguments.thing)
    yield from lose(
        table,
        arguments.character,
        thing,
        how=arguments.how,
        destroyed=arguments.destroyed,
        because="tests.gear.acquisition",
    )
    return LossOutcome(thing.called)


def lose(
    table: BurningTable,
    character: str,
    thing: LostThing,
    *,
    how: str = "",
    destroyed: bool = False,
    because: str,
) -> Step[BurningTable]:
    """Take a thing off the sheet, and leave it in the scene unless it is destroyed."""
    sheet = table.character(character)
    field, left = _without(sheet, thing)
    table = yield from table.amend(character, field, left, because=because)
    if not destroyed:
        lost = msgspec.structs.replace(thing, owner=character, how=how.strip())
        everything = (*table.scene.lost, lost)
        table = yield from table.amend(SCENE, "lost", everything, because=because)
    said = f" ({how.strip()})" if how.strip() else ""
    verb = "is destroyed" if destroyed else "is lost"
    yield from note(f"{sheet.name}'s {thing.called} {verb}{said}.", because)
    return table


# --- Found ---------------------------------------------------------------------------------


class FindGear(Arguments, frozen=True):
    """Who finds something that was lost, by this character or another."""

    character: str
    thing: str


class FindOutcome(Outcome, frozen=True):
    """Whether it was found."""

    found: bool


def _something_lost(_: str, table: BurningTable) -> None:
    if not table.scene.lost:
        raise NotAllowed("Nothing has been lost", "tests.gear.acquisition")


def find_gear(arguments: FindGear, table: BurningTable) -> Play[FindOutcome]:
    """Something lost is found again, in a scene that suits it (tests.gear.acquisition)."""
    because = "tests.gear.acquisition"
    sheet = table.character(arguments.character)
    lost = table.scene.lost
    wanted = arguments.thing.strip().casefold()
    thing = next((each for each in lost if each.called.casefold() == wanted), None)
    if thing is None:
        names = ", ".join(each.called for each in lost) or "nothing"
        raise BadInput("thing", arguments.thing, f"something that was lost: {names}", because)
    field, after = _with(sheet, thing)
    prompt = f"Does {sheet.name} find {thing.called} in this scene?"
    found = yield from confirm(GM, "find", prompt, default=True, because=because)
    if not found:
        return FindOutcome(False)
    table = yield from table.amend(arguments.character, field, after, because=because)
    at = lost.index(thing)
    yield from table.amend(SCENE, "lost", lost[:at] + lost[at + 1 :], because=because)
    yield from note(f"{sheet.name} finds {thing.called}.", because)
    return FindOutcome(True)


# --- Given ---------------------------------------------------------------------------------


class GiveGear(Arguments, frozen=True):
    """Who gives something to whom."""

    character: str
    thing: str
    receiver: str


class GiftOutcome(Outcome, frozen=True):
    """Whether it was taken."""

    given: bool


def give_gear(arguments: GiveGear, table: BurningTable) -> Play[GiftOutcome]:
    """Something is given to another character, who may refuse it (tests.gear.acquisition)."""
    because = "tests.gear.acquisition"
    giver = table.character(arguments.character)
    receiver = table.character(arguments.receiver, "receiver")
    if arguments.receiver == arguments.character:
        raise BadInput("receiver", arguments.receiver, "another character", because)
    thing = _named(giver, arguments.thing)
    field, after = _with(receiver, thing)
    seat = receiver.seat(arguments.receiver)
    prompt = f"{giver.name} gives {receiver.name} this: {thing.called}. Take it?"
    taken = yield from confirm(seat, "take_gift", prompt, default=True, because=because)
    if not taken:
        return GiftOutcome(False)
    left_in, left = _without(giver, thing)
    table = yield from table.amend(arguments.character, left_in, left, because=because)
    yield from table.amend(arguments.receiver, field, after, because=because)
    yield from note(f"{giver.name} gives {receiver.name} this: {thing.called}.", because)
    return GiftOutcome(True)


PROCEDURES = (
    Procedure("lose_gear", "Lose gear", LoseGear, lose_gear, check=_has_something),
    Procedure("find_gear", "Find lost gear", FindGear, find_gear, check=_something_lost),
    Procedure("give_gear", "Give gear to somebody", GiveGear, give_gear, check=_has_something),
)
