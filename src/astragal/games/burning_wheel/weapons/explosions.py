"""Explosions: who is near one, who escapes it, and what it does to the others.

A part of the chapter on weapons; the throw of a bomb is in ``weapons/bombs``.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Pool, Shade, Shaded
from astragal.errors import NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Line, Option, PickSeveral, Play, Step, Tally, ask, note, roll, then

from ..artha import on_a_roll as artha
from ..conditions.hesitation import check_not_hesitating
from ..conditions.wounds import Condition, check_condition
from ..sheet.ranged_weapons import bomb_va, ranged
from ..sheet.scene import BombBystander, BurningTable, FightMoment, LitBomb
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import Weapon, book
from ..tests.attempts import Attempt, agree_and_prepare, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import CALLED_FOR, Declaration
from .damage import Damage, fixed
from .fuses import check_moment
from .missiles import default_location, throw_fate
from .shooting import damage_by_fate

OPTIMAL, LUNGING = "optimal", "lunging"
DISTANCES = (OPTIMAL, LUNGING)
"""The fighting distances at which a bomb does harm, the nearest first."""


# --- Near a bomb ---------------------------------------------------------------------------


def others_near(target: str, table: BurningTable) -> Step[tuple[BombBystander, ...]]:
    """Who else is near a bomb; the GM says so (weapons.bomb.explosion.test)."""
    rule = "weapons.bomb.explosion.test"
    found: tuple[BombBystander, ...] = ()
    for distance in DISTANCES:
        taken = {target, *(each.character for each in found)}
        options = tuple(
            Option(key=key, label=sheet.name, rule=rule)
            for key, sheet in table.characters.items()
            if key not in taken
        )
        if options:
            chosen = yield from ask(
                GM,
                f"at_{distance}",
                f"Who else is at {distance} distance from the bomb?",
                PickSeveral(options=options, default=()),
                because=rule,
            )
            found += tuple(BombBystander(key, distance) for key in chosen)
    return found


def replace_bomb(
    table: BurningTable, bomb: LitBomb, after: LitBomb | None, *, because: str
) -> Step[BurningTable]:
    """A bomb has been moved or thrown, or has gone off."""
    bombs = tuple(each for each in table.scene.bombs if each != bomb)
    bombs += () if after is None else (after,)
    return (yield from table.amend(SCENE, "bombs", bombs, because=because))


def bomb_of(table: BurningTable, bomber: str) -> LitBomb:
    """A bomb that a character has lit, held or thrown; the one due first."""
    table.character(bomber, "bomber")
    bombs = [bomb for bomb in table.scene.bombs if bomb.bomber == bomber]
    if not bombs:
        what = f"{table.character(bomber).name} has lit no bomb"
        raise NotAllowed(what, "weapons.bomb.explosion.test")
    return min(bombs, key=lambda bomb: bomb.due)


# --- Getting out of the way ----------------------------------------------------------------


class SpeedRoll(msgspec.Struct, frozen=True):
    """A Speed test that was rolled, less its penalties."""

    attempt: Attempt
    throw: artha.ThrownDice

    @property
    def successes(self) -> int:
        """As many as were rolled."""
        return self.throw.successes

    @property
    def counted(self) -> int:
        """As many as count (tests.versus.obstacle_penalty)."""
        return max(0, self.throw.successes - self.attempt.penalties.total)


def speed_test(character: str, intent: str, table: BurningTable) -> Step[SpeedRoll]:
    """Roll a character's Speed; no dice come from weapons, Reflexes or multipliers."""
    said = Declaration(character=character, intent=intent, task="runs", ability="Speed")
    attempt = yield from agree_and_prepare(said, CALLED_FOR, table)
    against = attempt.penalties if attempt.penalties.lines else None
    throw = yield from throw_attempt(attempt, against, table, decides=False)
    return SpeedRoll(attempt, throw)


def _dodge(character: str, table: BurningTable) -> Step[SpeedRoll | None]:
    """The Speed of somebody in the way of an explosion; none who cannot move at all.

    Who is incapacitated or hesitates does nothing (injury.zero.physical, steel.test.fail), and
    without dice nothing is rolled (tests.amb.zero_dice).
    """
    try:
        check_condition(table, character, (Condition.FIT,))
        check_not_hesitating(table, character)
        return (yield from speed_test(character, "escape the explosion", table))
    except NotAllowed as why:
        name = table.character(character).name
        yield from note(f"{name} cannot get out of the way.", why.rule or "tests.amb.zero_dice")
    return None


def log_speed(run: SpeedRoll, against: int, table: BurningTable) -> Step[BurningTable]:
    """The test is logged against what was rolled on the other side."""
    attempt = run.attempt
    obstacle = against + attempt.penalties.total
    won = run.counted > against
    table, _ = yield from after_test(attempt, run.throw, obstacle, table, passed=won, base=against)
    return table


# --- Explosion! ----------------------------------------------------------------------------


class Explode(Arguments, frozen=True):
    """Whose bomb goes off, and when that is."""

    bomber: str
    now: FightMoment


class BlastResult(msgspec.Struct, frozen=True):
    """How one character near an explosion fared; ``damage`` is before armor."""

    character: str
    distance: str
    caught: bool
    damage: Damage | None = None


class Explosion(Outcome, frozen=True):
    """How everyone near it fared; it passes if the target was caught."""

    passed: bool
    caught: tuple[BlastResult, ...]


def _has_lit(bomber: str, table: BurningTable) -> None:
    bomb_of(table, bomber)


def explode(arguments: Explode, table: BurningTable) -> Play[Explosion]:
    """The fuse has burned down: a test against everyone who is still near.

    weapons.bomb.explosion.test. A bomber who still holds the bomb is at its optimal distance.
    """
    bomb = bomb_of(table, arguments.bomber)
    check_moment(arguments.now, "now")
    if arguments.now < bomb.due:
        what = f"The bomb does not go off before {bomb.due}"
        raise NotAllowed(what, "weapons.bomb.fight.fuse_time")
    near = bomb.near
    if not bomb.thrown:
        others = yield from others_near(bomb.bomber, table)
        near = (BombBystander(bomb.bomber, OPTIMAL), *others)
    table = yield from replace_bomb(table, bomb, None, because="weapons.bomb.explosion.test")
    return then(catch_all, msgspec.structs.replace(bomb, near=near), (), table)


def catch_all(
    bomb: LitBomb, caught: tuple[BlastResult, ...], table: BurningTable
) -> Play[Explosion]:
    """One after the other."""
    if len(caught) == len(bomb.near):
        return Explosion(any(c.caught and c.character == bomb.target for c in caught), caught)
    one, table = yield from catch(bomb, bomb.near[len(caught)], table)
    return then(catch_all, bomb, (*caught, one), table)


def explosion_dice() -> Pool:
    """The dice of an explosion (weapons.bomb.explosion.test).

    >>> explosion_dice().dice.total
    6
    """
    number = book("bomb").records()[0].number("explosion_dice")
    return Pool(Shaded.of(Shade.BLACK, number), OpenEnded.SIXES)


def catch(
    bomb: LitBomb, near: BombBystander, table: BurningTable
) -> Step[tuple[BlastResult, BurningTable]]:
    """The explosion against plain Speed (weapons.bomb.explosion.raw_speed).

    No dice for weapons, Reflexes or the Speed multiplier. If the explosion wins, the character is
    caught at that distance (weapons.bomb.explosion.bomb_wins); otherwise the character escapes
    (weapons.bomb.explosion.character_wins), on a tie, too (weapons.amb.bomb_explosion_tie).
    """
    mine = yield from _dodge(near.character, table)
    blast = yield from roll(explosion_dice(), "the explosion", GM, final=True)
    if mine is not None:
        table = yield from log_speed(mine, blast.successes, table)
    sheet = table.character(near.character)
    if (0 if mine is None else mine.counted) >= blast.successes:
        rule = "weapons.bomb.explosion.character_wins"
        yield from note(f"{sheet.name} escapes the explosion.", rule)
        return BlastResult(near.character, near.distance, False), table
    rule = "weapons.bomb.explosion.bomb_wins"
    yield from note(f"{sheet.name} is caught at {near.distance} distance.", rule)
    bonus = bomb.bonus if near.character == bomb.target else 0
    modifiers = (Line(bonus, "a good throw", "weapons.bomb.fight.throw_extras"),) if bonus else ()
    hidden = yield from _hidden(sheet)
    damage = yield from blasted(
        bomb.bomb, near.distance, modifiers, default_location(hidden), table
    )
    return BlastResult(near.character, near.distance, True, damage), table


def _hidden(sheet: Sheet) -> Step[tuple[str, ...]]:
    """The locations behind cover: it hits the torso unless that is hidden.

    weapons.amb.bomb_explosion_damage.
    """
    rule = "weapons.shoot.location_hidden"
    parts = ("torso", "legs", "arms", "head")
    return (
        yield from ask(
            GM,
            "hidden",
            f"Which of {sheet.name}'s locations are hidden from the blast?",
            PickSeveral(
                options=tuple(Option(part, part.capitalize(), rule) for part in parts),
                most=len(parts) - 1,
                default=(),
            ),
            because=rule,
            kind="offered",
        )
    )


def blasted(
    bomb: Weapon, at: str, modifiers: tuple[Line, ...], location: str, table: BurningTable
) -> Step[Damage]:
    """A Die of Fate for each victim (weapons.amb.bomb_explosion_damage).

    One less at lunging distance or extreme range (weapons.bomb.dof_penalty), where the VA is
    less, too (weapons.bomb.va).
    """
    weapon = ranged(bomb.weapon, table.options)
    fate = yield from throw_fate(weapon, Tally(modifiers + _farther(at)), GM)
    damage = damage_by_fate(weapon, fate, location, fixed(bomb, weapon), bomb_va(at))
    yield from note(f"The bomb: {damage}.", "weapons.dof.decides_stage")
    return damage


def _farther(at: str) -> tuple[Line, ...]:
    return () if at == OPTIMAL else (Line(-1, f"{at} distance", "weapons.bomb.dof_penalty"),)


PROCEDURES = (
    Procedure(
        "explode",
        "Bomb explodes",
        Explode,
        explode,
        gm_only=True,
        touches_all=True,
        check=_has_lit,
    ),
)
