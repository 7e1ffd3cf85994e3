"""Bombs in Range and Cover, where they are simply a weapon of short range.

A part of the chapter on weapons. The bomb is lit and ready: fuses and fighting distances do not
matter (weapons.bomb.rc.simplified). The positioning test itself belongs to Range and Cover; its
result is an argument.
"""

from __future__ import annotations

from astragal.errors import BadInput, check_between, check_one_of
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Step, call, note, then

from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import Weapon, book
from ..tests.die_of_fate import FATEFUL, FateConditions, throw_openly
from .bombs import POSITIONS
from .explosions import OPTIMAL, blasted
from .fuses import bomb_in_hand, carries_bomb
from .locations import TORSO
from .shooting import Shot, ShotOutcome, loose

BETTER = 2
"""The dice of a bomb against another weapon of one die (weapons.bomb.rc.vs_one_die_weapon)."""

NEGATED = 1
"""How many dice of cover a bomb takes away (weapons.bomb.rc.negates_cover)."""


def range_dice(opponent: int) -> Line:
    """The range dice of a bomb in positioning, against a weapon with ``opponent`` dice.

    One (weapons.bomb.rc.range_weapon), or two against another weapon of one die
    (weapons.bomb.rc.vs_one_die_weapon), such as a bomb (weapons.amb.bomb_rc_two_bombs).

    >>> range_dice(1).amount, range_dice(2).amount
    (2, 1)
    """
    own = book("bomb").records()[0].number("optimal_dice")
    if opponent == own:
        return Line(BETTER, "bomb against one die", "weapons.bomb.rc.vs_one_die_weapon")
    return Line(own, "bomb", "weapons.bomb.rc.range_weapon")


def cover_left(dice: int) -> int:
    """What a bomb leaves of an opponent's dice for cover in positioning.

    weapons.bomb.rc.negates_cover; the cover of the throw itself stays
    (weapons.amb.bomb_rc_cover).

    >>> cover_left(2), cover_left(0)
    (1, 0)
    """
    return max(0, dice - NEGATED)


class PositionBomb(Arguments, frozen=True):
    """The range dice of the opponent's weapon, and the opponent's dice for cover."""

    opponent_dice: int
    cover: int = 0


class BombRangeDice(Outcome, frozen=True):
    """The range dice of the bomb, and what is left of the opponent's cover."""

    dice: int
    cover: int


MOST_POSITIONING = 20
"""No weapon and no cover gives more dice; a larger number is a typing error."""


def position_bomb(arguments: PositionBomb, _: BurningTable) -> Play[BombRangeDice]:
    """The positioning dice of a bomb in Range and Cover, and what it leaves of cover."""
    for field in ("opponent_dice", "cover"):
        found = getattr(arguments, field)
        rule = "weapons.bomb.rc.range_weapon"
        check_between(field, found, 0, MOST_POSITIONING, rule, unit="dice")
    line, left = range_dice(arguments.opponent_dice), cover_left(arguments.cover)
    yield from note(f"The bomb gives {line.amount}D for range.", line.rule)
    if arguments.cover:
        yield from note(f"The opponent keeps {left}D for cover.", "weapons.bomb.rc.negates_cover")
    return BombRangeDice(line.amount, left)


class LobBomb(Shot, frozen=True):
    """A bomb is thrown in Range and Cover; ``positioning`` says how that test came out."""

    positioning: str = "won"


def lob_bomb(arguments: LobBomb, table: BurningTable) -> Play[ShotOutcome]:
    """Throw a bomb at a distance, against the obstacles of range and cover.

    weapons.bomb.rc.obstacle. If the positioning test was not won, it may go off in the bomber's
    hand (weapons.bomb.rc.in_hand).
    """
    sheet = table.character(arguments.character)
    bomb = bomb_in_hand(sheet, arguments.weapon)
    check_one_of("positioning", arguments.positioning, POSITIONS, "weapons.bomb.rc.in_hand")
    if arguments.range not in ("optimal", "extreme"):
        expected = "optimal or extreme"
        raise BadInput("range", arguments.range, expected, "weapons.bomb.rc.obstacle")
    if arguments.positioning != "won" and (yield from goes_off_in_hand(arguments.character, table)):
        table = yield from spend(table, arguments.character, bomb)
        return then(harm_bomber, bomb, table)
    shot = Shot(**{field: getattr(arguments, field) for field in Shot.__struct_fields__})
    outcome = yield from call(loose, shot, bomb, table)
    yield from spend(table, arguments.character, bomb)
    return outcome


def goes_off_in_hand(character: str, table: BurningTable) -> Step[bool]:
    """Whether a bomb goes off too soon: on a Die of Fate of 1 (weapons.bomb.rc.in_hand).

    A tie is not a win, so the die is thrown then, too (weapons.amb.bomb_rc_in_hand).
    """
    sheet = table.character(character)
    said = FateConditions(f"the bomb explodes in {sheet.name}'s hand", "it does not")
    seat = sheet.seat(character)
    return (yield from throw_openly(said, "the Die of Fate, bomb in hand", seat)) == FATEFUL


def harm_bomber(bomb: Weapon, table: BurningTable) -> Play[ShotOutcome]:
    """It hurts the bomber, at its full VA, and nobody else (weapons.amb.bomb_rc_in_hand)."""
    damage = yield from blasted(bomb, OPTIMAL, (), TORSO, table)
    return ShotOutcome(passed=False, backfire=damage)


def spend(table: BurningTable, character: str, bomb: Weapon) -> Step[BurningTable]:
    """A bomb is gone when it has been thrown."""
    left = tuple(carried for carried in table.character(character).weapons if carried != bomb)
    rule = "weapons.bomb.rc.simplified"
    yield from note(f"The {bomb.called} is used up.", rule)
    return (yield from table.amend(character, "weapons", left, because=rule))


PROCEDURES = (
    Procedure("lob_bomb", "Bomb: throw in Range and Cover", LobBomb, lob_bomb, check=carries_bomb),
    Procedure(
        "position_bomb", "Bomb: positioning dice in Range and Cover", PositionBomb, position_bomb
    ),
)
