"""Explosives up to the throw: making them, lighting the fuse, and how long it burns.

A part of the chapter on weapons. Throwing a bomb and running from it are in ``weapons/bombs``, the
explosion in ``weapons/explosions``. Volleys and positioning tests belong to Fight!; here they are
arguments.
"""

from __future__ import annotations

from enum import Enum
from itertools import count

from astragal.errors import BadInput, NotAllowed, check_between, check_one_of
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Line, Noted, Play, Seat, Step, Tally, call, consent, note

from ..sheet.ranged_weapons import is_bomb
from ..sheet.scene import BurningTable, FightMoment, LitBomb
from ..sheet.sheet import Sheet
from ..sheet.weapon_lengths import length_dice
from ..sheet.weapon_tables import Weapon, book
from ..tests.die_of_fate import FATEFUL, FateConditions, throw_openly
from ..tests.intent import WORK, Declaration
from ..tests.tests import standard
from .gunpowder import WORSE

BOMB = "iron-cased bomb"

MAKING = ("Firebombs", "Alchemy", "Artillery", "Munitions")
"""The skills that make explosives (weapons.bomb.making)."""

LENGTHS = ("shortest", "short", "long", "longer", "longest")
"""The weapon lengths."""

DISTANCES = ("outside", "lunging", "optimal", "inside")
"""The fighting distances."""

VOLLEYS = 3
"""The volleys of an exchange."""

LIGHTING = 2
"""The actions it takes to light a fuse (weapons.bomb.fight.light_two_actions)."""

MOST_MOMENT = 99
"""No fight lasts longer; a larger number is a typing error."""


# --- Making --------------------------------------------------------------------------------


class MakeBomb(Arguments, frozen=True):
    """Who makes a bomb, and with which skill."""

    character: str
    skill: str
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class BombMakingOutcome(Outcome, frozen=True):
    """The bomb, made well or badly."""

    passed: bool
    bomb: str


def make_bomb(arguments: MakeBomb, table: BurningTable) -> Play[BombMakingOutcome]:
    """Make an explosive with one of the skills for it (weapons.bomb.making).

    The GM sets the obstacle. Whether the test was passed is kept with the bomb, for it decides
    how a misfire goes (weapons.amb.skill_for_explosives).
    """
    check_one_of("skill", arguments.skill, MAKING, "weapons.bomb.making")
    name = _new_name(table.character(arguments.character))
    said = Declaration(
        character=arguments.character,
        intent=f"make a reliable bomb ({name})",
        task="fills and seals an iron case",
        ability=arguments.skill,
        helpers=arguments.helpers,
        gear=arguments.gear,
    )
    outcome, table = yield from call(standard, said, WORK, table)
    sheet = table.character(arguments.character)
    bomb = Weapon(BOMB, name=name, badly_made=not outcome.passed)
    weapons = (*sheet.weapons, bomb)
    rule = "weapons.bomb.making"
    yield from table.amend(arguments.character, "weapons", weapons, because=rule)
    yield from note(f"{sheet.name} has made a bomb ({bomb.name}).", rule)
    return BombMakingOutcome(outcome.passed, bomb.name)


def _new_name(sheet: Sheet) -> str:
    taken = {carried.called for carried in sheet.weapons}
    return next(name for number in count(1) if (name := f"bomb {number}") not in taken)


def bomb_in_hand(sheet: Sheet, name: str) -> Weapon:
    """A bomb that a character carries; the first, unless one is named."""
    for carried in sheet.weapons:
        if is_bomb(carried.weapon) and (not name or name in (carried.called, carried.weapon)):
            return carried
    has = ", ".join(c.called for c in sheet.weapons if is_bomb(c.weapon))
    if not has:
        raise NotAllowed(f"{sheet.name} has no bomb: make one first", "weapons.bomb.making")
    raise BadInput("bomb", name, f"a bomb that {sheet.name} has: {has}", "weapons.bomb.making")


# --- Time ----------------------------------------------------------------------------------


def check_moment(moment: FightMoment, place: str) -> None:
    """Refuse a moment that no fight has."""
    limits = (("exchange", MOST_MOMENT), ("volley", VOLLEYS), ("action", MOST_MOMENT))
    for field, most in limits:
        found = getattr(moment, field)
        check_between(f"{place}.{field}", found, 1, most, "weapons.bomb.fight.fuse_time")


def goes_off(lit: FightMoment) -> FightMoment:
    """When a bomb explodes: one exchange later, in the same volley and action.

    weapons.bomb.fight.fuse_time; counted from the action in which the fuse catches, the second
    of the two (weapons.amb.bomb_fuse_two_actions).

    >>> str(goes_off(FightMoment(1, 1, 1)))
    'exchange 2, volley 1, action 1'
    """
    return FightMoment(lit.exchange + 1, lit.volley, lit.action)


def next_volley(now: FightMoment) -> FightMoment:
    """The beginning of the volley after this one.

    >>> str(next_volley(FightMoment(1, 3, 2)))
    'exchange 2, volley 1, action 1'
    """
    if now.volley < VOLLEYS:
        return FightMoment(now.exchange, now.volley + 1)
    return FightMoment(now.exchange + 1)


def volleys_between(first: FightMoment, later: FightMoment) -> int:
    """How many volleys there are from one moment to another."""
    return VOLLEYS * (later.exchange - first.exchange) + later.volley - first.volley


def volleys_held(lit: FightMoment, now: FightMoment) -> int:
    """How many full volleys have gone by since a fuse was lit (weapons.amb.bomb_held_dice).

    >>> [volleys_held(FightMoment(1, 1, action), FightMoment(1, 3, 1)) for action in (1, 2)]
    [2, 1]
    """
    whole = volleys_between(lit, now)
    return max(0, whole - (now.action < lit.action))


def bomb_position(
    bomb: LitBomb | None, opponent_length: str, now: FightMoment, distance: str = "optimal"
) -> tuple[Line, ...]:
    """The positioning dice of a bomber in Fight!.

    None stands for a bomb whose fuse is still being lit, which gives none
    (weapons.bomb.fight.no_dice_while_lighting). A lit one counts as a longest weapon
    (weapons.bomb.fight.length), with a die more for each volley it is held
    (weapons.bomb.fight.held_dice).
    """
    if bomb is None:
        return ()
    own = str(book("bomb").records()[0]["length_when_lit"])
    dice, held = length_dice(own, opponent_length, distance), volleys_held(bomb.lit, now)
    lines = [
        Line(dice, "a lit bomb", "weapons.bomb.fight.length"),
        Line(held, "volley held" if held == 1 else "volleys held", "weapons.bomb.fight.held_dice"),
    ]
    return tuple(line for line in lines if line.amount)


# --- Lighting the fuse ---------------------------------------------------------------------


class Fuse(Enum):
    """How a fuse burns."""

    BURNS = "burns"
    AT_ONCE = "explodes at once"
    DUD = "dud"
    NEXT_VOLLEY = "explodes in the next volley"


class LightFuse(Arguments, frozen=True):
    """Who lights the fuse of which bomb, and ``at`` which moment it is lit."""

    character: str
    bomb: str = ""
    at: FightMoment = FightMoment()


class FuseOutcome(Outcome, frozen=True):
    """How the fuse burns, when the bomb goes off, if it does, and the actions it took."""

    fuse: Fuse
    due: FightMoment | None
    actions: int = LIGHTING


def carries_bomb(character: str, table: BurningTable) -> Weapon:
    """The first bomb that a character carries, or a refusal."""
    return bomb_in_hand(table.character(character), "")


def _may_light(character: str, table: BurningTable) -> None:
    """Refuse somebody without a bomb, or with a lit one in hand."""
    carries_bomb(character, table)
    if in_hand(table, character) is not None:
        what = f"{table.character(character).name} already holds a lit bomb: throw it first"
        raise NotAllowed(what, "weapons.bomb.fight.light_two_actions")


def light_fuse(arguments: LightFuse, table: BurningTable) -> Play[FuseOutcome]:
    """Light the fuse: two actions, a flame, and a Die of Fate.

    weapons.bomb.fight.light_two_actions: the flame must be ready to hand.
    """
    sheet = table.character(arguments.character)
    bomb = bomb_in_hand(sheet, arguments.bomb)
    check_moment(arguments.at, "at")
    rule = "weapons.bomb.fight.light_two_actions"
    _may_light(arguments.character, table)
    flame = yield from consent(GM, "flame", f"Does {sheet.name} have a flame ready?", because=rule)
    if not flame:
        raise NotAllowed(f"{sheet.name} has no flame ready: get one first", rule)
    fuse = yield from misfire_die(bomb, sheet.seat(arguments.character))
    left = tuple(carried for carried in sheet.weapons if carried != bomb)
    table = yield from table.amend(arguments.character, "weapons", left, because=rule)
    due = _due(fuse, arguments.at)
    if due is None:
        return FuseOutcome(fuse, None)
    lit = LitBomb(arguments.character, bomb, arguments.at, due)
    yield from table.amend(SCENE, "bombs", (*table.scene.bombs, lit), because=rule)
    yield from note(f"{sheet.name}'s bomb will go off in {due}.", "weapons.bomb.fight.fuse_time")
    return FuseOutcome(fuse, due)


def _due(fuse: Fuse, now: FightMoment) -> FightMoment | None:
    """When it goes off; a bomb that explodes at once does so in the bomber's hand."""
    return {
        Fuse.BURNS: goes_off(now),
        Fuse.AT_ONCE: now,
        Fuse.DUD: None,
        Fuse.NEXT_VOLLEY: next_volley(now),
    }[fuse]


def misfire_die(bomb: Weapon, owner: Seat) -> Step[Fuse]:
    """A Die of Fate when the fuse is lit: on a 1 it misfires (weapons.bomb.misfire.roll).

    A badly made bomb then explodes at once (weapons.bomb.misfire.badly_made); for any other a
    second die is thrown: on 4 to 6 it is a dud (weapons.bomb.misfire.dud), on 1 to 3 it explodes
    in the next volley (weapons.bomb.misfire.early). One die for both matters
    (weapons.amb.bomb_misfire_order).
    """
    said = FateConditions("the bomb misfires", "the fuse burns")
    if (yield from throw_openly(said, "the misfire die", owner)) != FATEFUL:
        return Fuse.BURNS
    if bomb.badly_made:
        rule = "weapons.bomb.misfire.badly_made"
        yield from note("The bomb is badly made and explodes at once.", rule)
        return Fuse.AT_ONCE
    text = f"Second die: 1-{WORSE} explodes in the next volley, otherwise a dud."
    again = Noted(text, "weapons.bomb.misfire.roll")
    if (yield from throw_openly(again, "the second misfire die", owner)) > WORSE:
        yield from note("The bomb is a dud.", "weapons.bomb.misfire.dud")
        return Fuse.DUD
    rule = "weapons.bomb.misfire.early"
    yield from note("The fuse burns too fast.", rule)
    return Fuse.NEXT_VOLLEY


def in_hand(table: BurningTable, character: str) -> LitBomb | None:
    """The lit bomb that a character holds."""
    for bomb in table.scene.bombs:
        if bomb.bomber == character and not bomb.thrown:
            return bomb
    return None


# --- Holding it ----------------------------------------------------------------------------


class HoldBomb(Arguments, frozen=True):
    """A positioning test with a bomb in hand: against which weapon length, and when."""

    character: str
    opponent_length: str
    now: FightMoment = FightMoment()
    distance: str = "optimal"


class BombPosition(Outcome, frozen=True):
    """The positioning dice that a bomb gives."""

    dice: Tally


def hold_bomb(arguments: HoldBomb, table: BurningTable) -> Play[BombPosition]:
    """The positioning dice of a bomber in Fight!; none before the fuse burns."""
    sheet = table.character(arguments.character)
    rule = "weapons.bomb.fight.length"
    for field, known in (("opponent_length", LENGTHS), ("distance", DISTANCES)):
        check_one_of(field, getattr(arguments, field), known, rule)
    check_moment(arguments.now, "now")
    bomb = in_hand(table, arguments.character)
    dice = Tally(bomb_position(bomb, arguments.opponent_length, arguments.now, arguments.distance))
    said = f"+{dice.total}D ({dice})" if dice.total else "no dice"
    yield from note(f"{sheet.name}'s bomb in positioning: {said}.", rule)
    return BombPosition(dice)


PROCEDURES = (
    Procedure("make_bomb", "Make a bomb", MakeBomb, make_bomb),
    Procedure("light_fuse", "Light a bomb's fuse", LightFuse, light_fuse, check=_may_light),
    Procedure("hold_bomb", "Bomb: positioning dice in Fight!", HoldBomb, hold_bomb),
)
