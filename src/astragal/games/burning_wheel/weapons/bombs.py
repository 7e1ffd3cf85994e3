"""Bombs in Fight!: the throw, running away, and the explosion.

A part of the chapter on weapons; making bombs and lighting them is in
``weapons/fuses``, bombs in Range and Cover in
``weapons/bombs_at_range``. A lit bomb waits in the scene until it goes
off.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Pool, Shade, Shaded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.games.burning_wheel.sheet.scene import (
    BombBystander,
    BurningTable,
    FightMoment,
    LitBomb,
)
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.sheet.weapon_tables import book, length_dice
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with
from astragal.games.burning_wheel.tests.attempts import after_test
from astragal.games.burning_wheel.weapons.damage import way_to_strike
from astragal.games.burning_wheel.weapons.explosions import (
    DISTANCES,
    LUNGING,
    OPTIMAL,
    bomb_of,
    log_speed,
    others_near,
    replace_bomb,
    speed_test,
)
from astragal.games.burning_wheel.weapons.fuses import (
    check_moment,
    in_hand,
    volleys_between,
)
from astragal.games.burning_wheel.weapons.missiles import success_bonus
from astragal.games.burning_wheel.weapons.shooting import (
    SNAPSHOT,
    snapshot,
)
from astragal.games.burning_wheel.weapons.wielding import (
    Aimed,
    Attack,
    aim_with,
    hindrances,
    roll_weapon,
)
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Noted,
    Number,
    Play,
    Step,
    Tally,
    ask,
    roll,
    tell,
    then,
)

DELIVERING = ("Throwing", "Artillery", "Inconspicuous")
"""The skills that deliver explosives (weapons.bomb.delivering)."""

LANDING = 2
"""What it takes to land a bomb with Throwing; twice that with Agility
(weapons.bomb.fight.throw_ob)."""

LOST_POSITION = 2
"""What a bad moment adds to that (weapons.bomb.fight.position_loss)."""

POSITIONS = ("won", "tied", "lost")


# --- Throwing ------------------------------------------------------------------------------


class ThrowBomb(Attack, frozen=True):
    """A lit bomb is thrown at somebody, or brought to him in another way.

    ``positioning`` is how the bomber's positioning test came out; ``acquired`` whether he took
    aim. Instead of Throwing the ``skill`` may be Artillery or Inconspicuous, at an obstacle of the
    GM's.
    """

    positioning: str = "won"
    acquired: bool = True


class BombThrown(Outcome, frozen=True):
    """Where the bomb lies: its distance from the target (none for a miss), and who is near it."""

    passed: bool
    successes: int
    obstacle: Tally
    distance: str
    bonus: int
    near: tuple[BombBystander, ...]
    due: FightMoment
    earned: str = ""


def throw_bomb(arguments: ThrowBomb, table: BurningTable) -> Play[BombThrown]:
    """Land a lit bomb: Throwing against Ob 2, or Agility against Ob 4.

    weapons.bomb.fight.throw_ob, with the usual penalties (weapons.bomb.fight.throw_penalties).
    """
    sheet = table.character(arguments.character)
    bomb = in_hand(table, arguments.character)
    if bomb is None:
        what = f"{sheet.name} holds no lit bomb"
        raise NotAllowed(what, "weapons.bomb.fight.light_two_actions")
    table.character(arguments.target, "target")
    if arguments.positioning not in POSITIONS:
        rule = "weapons.bomb.fight.position_win"
        expected = f"one of {', '.join(POSITIONS)}"
        raise BadInput("positioning", arguments.positioning, expected, rule)
    skill = arguments.skill or "Throwing"
    if skill not in DELIVERING:
        expected = f"one of {', '.join(DELIVERING)}"
        raise BadInput("skill", skill, expected, "weapons.bomb.delivering")
    thrown = skill == "Throwing"
    base = LANDING if thrown else (yield from _delivered_against(skill, sheet))
    against = yield from _hampered(arguments, sheet, thrown=thrown)
    attack = msgspec.structs.replace(arguments, skill=skill)
    roots = ("Agility",) if thrown else ()
    aimed = yield from aim_with(attack, bomb.bomb, base, against, table, roots=roots)
    lying = yield from roll_weapon(aimed, table)
    return then(after_bomb, arguments, bomb, aimed, lying, table)


def _delivered_against(skill: str, sheet: Sheet) -> Step[int]:
    return (
        yield from ask(
            GM,
            "obstacle",
            f"How hard is it for {sheet.name} to deliver the bomb by {skill}?",
            Number(least=1, most=20),
            because="weapons.bomb.delivering",
        )
    )


def _hampered(arguments: ThrowBomb, sheet: Sheet, *, thrown: bool) -> Step[tuple[Line, ...]]:
    """Light, weather and movement, a bad moment, and no aim.

    weapons.bomb.fight.throw_penalties, weapons.bomb.fight.position_loss,
    weapons.bomb.fight.throw_acquire. A tie in positioning is no win
    (weapons.amb.bomb_position_tie).
    """
    lines = yield from hindrances(
        "fight.table.missile_obstacles",
        f"What hampers {sheet.name}'s throw?",
        "weapons.bomb.fight.throw_penalties",
        without=(SNAPSHOT,),
    )
    if arguments.positioning != "won":
        lines += (Line(LOST_POSITION, "out of position", "weapons.bomb.fight.position_loss"),)
    if thrown and not arguments.acquired:
        amount = snapshot().amount
        lines += (Line(amount, "target not acquired", "weapons.bomb.fight.throw_acquire"),)
    return lines


def after_bomb(
    arguments: ThrowBomb, bomb: LitBomb, aimed: Aimed, lying: artha.Throw, table: BurningTable
) -> Play[BombThrown]:
    """Log the throw, and see where the bomb lies.

    At its optimal range to the target if the bomber won his position
    (weapons.bomb.fight.position_win), else at lunging distance
    (weapons.bomb.fight.position_loss_hit). Extra successes are for the Die of Fate
    (weapons.bomb.fight.throw_extras). A miss lies too far from the target to harm him, and the GM
    says near whom (weapons.amb.bomb_miss).
    """
    obstacle = aimed.obstacle.total
    passed = lying.successes >= obstacle
    name = table.character(arguments.character).name
    distance = OPTIMAL if arguments.positioning == "won" else LUNGING
    where = f"It lies at {distance} distance." if passed else "It lies too far off."
    yield from tell(TestCame(name, lying.successes, where, passed))
    table, earned = yield from after_test(
        aimed.attempt, lying, obstacle, table, passed=passed, base=aimed.base
    )
    others = yield from others_near(arguments.target, table)
    near = (BombBystander(arguments.target, distance), *others) if passed else others
    lines = success_bonus(lying.successes, 0, obstacle) if passed else ()
    lies = msgspec.structs.replace(
        bomb,
        thrown=True,
        target=arguments.target,
        bonus=sum(line.amount for line in lines),
        near=near,
    )
    because = "weapons.bomb.fight.throw_ob"
    yield from replace_bomb(table, bomb, lies, because=because)
    return BombThrown(
        passed=passed,
        successes=lying.successes,
        obstacle=aimed.obstacle,
        distance=distance if passed else "",
        bonus=lies.bonus,
        near=near,
        due=bomb.due,
        earned=earned,
    )


# --- Run away! -----------------------------------------------------------------------------


class FleeBomb(Arguments, frozen=True):
    """Somebody moves away from a thrown bomb; ``weapon`` is what he holds meanwhile."""

    character: str
    bomber: str
    now: FightMoment
    weapon: str = ""


class Fled(Outcome, frozen=True):
    """Whether he is clear of it, and at which distance he is now otherwise."""

    passed: bool
    distance: str
    successes: int
    against: int


def flee_bomb(arguments: FleeBomb, table: BurningTable) -> Play[Fled]:
    """Withdraw from a bomb: its length dice against Speed (weapons.bomb.fight.flee_test).

    Only while it is not to go off in the volley that follows (weapons.bomb.fight.flee_when).
    """
    bomb = bomb_of(table, arguments.bomber)
    check_moment(arguments.now, "now")
    near = _near(bomb, arguments.character)
    if not bomb.thrown or volleys_between(arguments.now, bomb.due) < 2:
        what = "there is no time to get away from it" if bomb.thrown else "it is not thrown yet"
        raise NotAllowed(what, "weapons.bomb.fight.flee_when")
    sheet = table.character(arguments.character)
    held = way_to_strike(armed_with(sheet, arguments.weapon), "", table.options)
    # The length of a longest weapon, and nothing else (weapons.amb.bomb_flee_dice).
    longest = str(book("bomb").records()[0]["length_when_lit"])
    dice = length_dice(longest, held.length, near.distance)
    mine, table = yield from speed_test(arguments.character, "get away from the bomb", table)
    against = 0
    if dice:
        pool = Pool(Shaded.of(Shade.BLACK, dice))
        against = (yield from roll(pool, "the bomb, for its length", GM, final=True)).successes
    table = yield from log_speed(mine, against, table)
    distance = withdrawn(near.distance, mine.counted - against)
    after = tuple(each for each in bomb.near if each != near)
    after += (BombBystander(arguments.character, distance),) if distance else ()
    because = f"weapons.bomb.fight.flee_{near.distance}"
    moved = msgspec.structs.replace(bomb, near=after)
    yield from replace_bomb(table, bomb, moved, because=because)
    where = f"is still at {distance} distance" if distance else "is clear of the bomb"
    yield from tell(Noted(f"{sheet.name} {where}.", because))
    return Fled(not distance, distance, mine.successes, against)


def withdrawn(distance: str, margin: int) -> str:
    """Where a Withdraw leads, won by a margin; empty when clear of the bomb.

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
    expected = f"somebody near the bomb: {near_it}"
    raise BadInput("character", character, expected, "weapons.bomb.fight.flee_test")


PROCEDURES = (
    Procedure("throw_bomb", "A lit bomb is thrown", ThrowBomb, throw_bomb),
    Procedure("flee_bomb", "Somebody runs from a bomb", FleeBomb, flee_bomb),
)
