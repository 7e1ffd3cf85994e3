"""Bombs in Fight!: the throw, and running away.

A part of the chapter on weapons; making bombs and lighting them is in ``weapons/fuses``, the
explosion in ``weapons/explosions``, bombs in Range and Cover in ``weapons/bombs_at_range``. A lit
bomb is kept in the scene until it goes off.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Pool, Shade, Shaded
from astragal.errors import BadInput, NotAllowed, check_one_of
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Number, Play, Step, ask, note, roll, then

from ..artha import on_a_roll as artha
from ..sheet.editions import edition
from ..sheet.scene import BombBystander, BurningTable, FightMoment, LitBomb
from ..sheet.sheet import Sheet
from ..sheet.weapon_lengths import length_dice
from ..sheet.weapon_tables import book
from ..sheet.weapons_carried import armed_with
from ..tests.attempts import TestResult, result_of
from ..tests.conclusions import conclude_test
from .damage import way_to_strike
from .explosions import (
    DISTANCES,
    LUNGING,
    OPTIMAL,
    bomb_of,
    log_speed,
    others_near,
    replace_bomb,
    speed_test,
)
from .fuses import check_moment, in_hand, volleys_between
from .missiles import success_bonus
from .shooting import SNAPSHOT, snapshot
from .wielding import Attack, WeaponTest, aim_with, hindrances, roll_weapon

DELIVERING = ("Throwing", "Artillery", "Inconspicuous")
"""The skills that deliver explosives (weapons.bomb.delivering)."""

LANDING = 2
"""The obstacle of landing a bomb with Throwing; twice that with Agility
(weapons.bomb.fight.throw_ob)."""

LOST_POSITION = 2
"""What a positioning test that was not won adds to that (weapons.bomb.fight.position_loss)."""

POSITIONS = ("won", "tied", "lost")


# --- Throwing ------------------------------------------------------------------------------


class ThrowBomb(Attack, frozen=True):
    """A lit bomb is thrown at the target, or delivered in another way.

    ``positioning`` is how the bomber's positioning test came out; ``acquired`` whether the target
    was acquired. Instead of Throwing the ``skill`` may be Artillery or Inconspicuous, against an
    obstacle that the GM sets.
    """

    positioning: str = "won"
    acquired: bool = True


class BombThrowOutcome(TestResult, frozen=True, kw_only=True):
    """Where the bomb landed: its distance from the target (none for a miss), and who is near."""

    distance: str
    bonus: int
    near: tuple[BombBystander, ...]
    due: FightMoment


def _lit_bomb(character: str, table: BurningTable) -> LitBomb:
    """The lit bomb in somebody's hand, or a refusal."""
    bomb = in_hand(table, character)
    if bomb is None:
        what = f"{table.character(character).name} has no lit bomb: light a fuse first"
        raise NotAllowed(what, "weapons.bomb.fight.light_two_actions")
    return bomb


def throw_bomb(arguments: ThrowBomb, table: BurningTable) -> Play[BombThrowOutcome]:
    """Land a lit bomb: Throwing against Ob 2, or Agility against Ob 4, with the usual penalties.

    weapons.bomb.fight.throw_ob, weapons.bomb.fight.throw_penalties.
    """
    sheet = table.character(arguments.character)
    bomb = _lit_bomb(arguments.character, table)
    table.character(arguments.target, "target")
    check_one_of("positioning", arguments.positioning, POSITIONS, "weapons.bomb.fight.position_win")
    skill = arguments.skill or "Throwing"
    check_one_of("skill", skill, DELIVERING, "weapons.bomb.delivering")
    thrown = skill == "Throwing"
    base = LANDING if thrown else (yield from _delivered_against(skill, sheet, table))
    against = yield from _hampered(arguments, sheet, thrown=thrown)
    attack = msgspec.structs.replace(arguments, skill=skill)
    roots = ("Agility",) if thrown else ()
    test = yield from aim_with(attack, bomb.bomb, base, against, table, roots=roots, named=True)
    throw = yield from roll_weapon(test, table)
    return then(after_bomb, arguments, bomb, test, throw, table)


def _delivered_against(skill: str, sheet: Sheet, table: BurningTable) -> Step[int]:
    most = edition(table.options).highest_base_obstacle  # gold.tests.obstacle_range
    return (
        yield from ask(
            GM,
            "obstacle",
            f"Obstacle for {sheet.name} to deliver the bomb with {skill}",
            Number(least=1, most=most),
            because="weapons.bomb.delivering",
        )
    )


def _hampered(arguments: ThrowBomb, sheet: Sheet, *, thrown: bool) -> Step[tuple[Line, ...]]:
    """Light, weather and movement, a lost position, and a target that was not acquired.

    weapons.bomb.fight.throw_penalties, weapons.bomb.fight.position_loss,
    weapons.bomb.fight.throw_acquire. A tie in positioning is not a win
    (weapons.amb.bomb_position_tie).
    """
    lines = yield from hindrances(
        "fight.table.missile_obstacles",
        f"Disadvantages ({sheet.name})",
        "weapons.bomb.fight.throw_penalties",
        without=(SNAPSHOT,),
        with_others=True,
    )
    if arguments.positioning != "won":
        lines += (Line(LOST_POSITION, "out of position", "weapons.bomb.fight.position_loss"),)
    if thrown and not arguments.acquired:
        amount = snapshot().amount
        lines += (Line(amount, "target not acquired", "weapons.bomb.fight.throw_acquire"),)
    return lines


def after_bomb(
    arguments: ThrowBomb,
    bomb: LitBomb,
    test: WeaponTest,
    throw: artha.ThrownDice,
    table: BurningTable,
) -> Play[BombThrowOutcome]:
    """Log the throw, and see where the bomb lands.

    At its optimal range to the target if the bomber won the positioning test
    (weapons.bomb.fight.position_win), else at lunging distance
    (weapons.bomb.fight.position_loss_hit). Extra successes are for the Die of Fate
    (weapons.bomb.fight.throw_extras). A miss lands too far from the target to harm it, and the GM
    says near whom (weapons.amb.bomb_miss).
    """
    passed = result_of(test.attempt, throw, test.obstacle).passed
    distance = OPTIMAL if arguments.positioning == "won" else LUNGING
    where = f"The bomb lands at {distance} distance." if passed else "The bomb lands too far away."
    result, table = yield from conclude_test(
        test.attempt, throw, test.obstacle, where, table, base=test.base
    )
    others = yield from others_near(arguments.target, table)
    near = (BombBystander(arguments.target, distance), *others) if passed else others
    lines = success_bonus(throw.successes, 0, test.obstacle.total) if passed else ()
    landed = msgspec.structs.replace(
        bomb,
        thrown=True,
        target=arguments.target,
        bonus=sum(line.amount for line in lines),
        near=near,
    )
    because = "weapons.bomb.fight.throw_ob"
    yield from replace_bomb(table, bomb, landed, because=because)
    return BombThrowOutcome.of(
        result,
        distance=distance if passed else "",
        bonus=landed.bonus,
        near=near,
        due=bomb.due,
    )


# --- Run away! -----------------------------------------------------------------------------


class FleeBomb(Arguments, frozen=True):
    """A character runs from a thrown bomb; ``weapon`` is what the character holds."""

    character: str
    bomber: str
    now: FightMoment
    weapon: str = ""


class FleeBombOutcome(Outcome, frozen=True):
    """Whether the character is clear of the bomb, or else the distance from it."""

    passed: bool
    distance: str
    successes: int
    against: int


def flee_bomb(arguments: FleeBomb, table: BurningTable) -> Play[FleeBombOutcome]:
    """Withdraw from a bomb: its length dice against Speed (weapons.bomb.fight.flee_test).

    Only while it is not to go off in the volley that follows (weapons.bomb.fight.flee_when).
    """
    bomb = bomb_of(table, arguments.bomber)
    check_moment(arguments.now, "now")
    near = _near(bomb, arguments.character)
    if not bomb.thrown or volleys_between(arguments.now, bomb.due) < 2:
        what = "There is no time left to run" if bomb.thrown else "The bomb has not been thrown yet"
        raise NotAllowed(what, "weapons.bomb.fight.flee_when")
    sheet = table.character(arguments.character)
    held = way_to_strike(armed_with(sheet, arguments.weapon), "", table.options)
    # The dice of a longest weapon, and nothing else (weapons.amb.bomb_flee_dice).
    longest = str(book("bomb").records()[0]["length_when_lit"])
    dice = length_dice(longest, held.length, near.distance)
    mine = yield from speed_test(arguments.character, "get away from the bomb", table)
    against = 0
    if dice:
        pool = Pool(Shaded.of(Shade.BLACK, dice))
        against = (yield from roll(pool, "the bomb's length dice", GM, final=True)).successes
    table = yield from log_speed(mine, against, table)
    distance = withdrawn(near.distance, mine.counted - against)
    after = tuple(each for each in bomb.near if each != near)
    after += (BombBystander(arguments.character, distance),) if distance else ()
    because = f"weapons.bomb.fight.flee_{near.distance}"
    moved = msgspec.structs.replace(bomb, near=after)
    yield from replace_bomb(table, bomb, moved, because=because)
    where = f"is still at {distance} distance" if distance else "is clear of the bomb"
    yield from note(f"{sheet.name} {where}.", because)
    return FleeBombOutcome(not distance, distance, mine.successes, against)


def withdrawn(distance: str, margin: int) -> str:
    """The distance after a Withdraw won by a margin; empty when clear of the bomb.

    From its optimal distance two fighting distances must be gained
    (weapons.bomb.fight.flee_optimal), from lunging distance one
    (weapons.bomb.fight.flee_lunging); winning by two gains two at once
    (weapons.amb.bomb_withdraw_two, fight.position.win_by_two), a tie none (fight.position.tie).

    >>> withdrawn("optimal", 1), withdrawn("optimal", 2), withdrawn("lunging", 1)
    ('lunging', '', '')
    """
    gained = 2 if margin >= 2 else 1 if margin > 0 else 0
    left = DISTANCES[DISTANCES.index(distance) :] if distance else ()
    return left[gained] if gained < len(left) else ""


def _near(bomb: LitBomb, character: str) -> BombBystander:
    for near in bomb.near:
        if near.character == character:
            return near
    near_it = ", ".join(each.character for each in bomb.near) or "nobody"
    expected = f"a character near the bomb: {near_it}"
    raise BadInput("character", character, expected, "weapons.bomb.fight.flee_test")


PROCEDURES = (
    Procedure("throw_bomb", "Throw a lit bomb", ThrowBomb, throw_bomb, check=_lit_bomb),
    Procedure("flee_bomb", "Run from a bomb", FleeBomb, flee_bomb),
)
