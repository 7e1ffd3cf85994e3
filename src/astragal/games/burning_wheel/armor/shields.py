"""Shields: their dice in defence, and how they fail.

A shield is a defensive weapon: it gives no armor test, but adds dice to some maneuvers, is cover
from missiles, and can strike (armor.shield.role). Here is a defence with a shield outside a
scripted fight; a scripted conflict uses :func:`shield_help` and :func:`wear_shield` and does the
rest in its own order. Block and Strike is in ``armor/block_and_strike``, cover from missiles in
``armor/shield_cover``; taking a shield up, dropping it and striking with it in
``armor/shield_in_hand``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Pool, Shade, Shaded
from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import Line, Play, Step, Tally, call, note, tell, then
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..conditions.armor_weight import SHIELD_TRAINING, has_training
from ..conditions.mounted import RiderAct
from ..sheet.armor_tables import Shield, shield_dice
from ..sheet.facts import DiceGathered, TestCame
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..tests.attempts import Attempt, agree_and_prepare, full_obstacle
from ..tests.intent import CALLED_FOR, Declaration
from ..tests.simultaneous import split_pool
from ..tests.tests import open_result
from ..weapons.damage import way_to_strike
from ..weapons.from_the_saddle import swung_dice, while_it_moves
from ..weapons.speed import check_with_shield
from ..weapons.wielding import balanced, take_up
from .equipment_dice import EquipmentRoller, dice_lost, ones_at_stake, throw_equipment
from .halves import (
    COUNTERSTRIKE,
    Half,
    divide_counterstrike,
    log_halves,
    part_of,
    source_of,
    throw_second_half,
)

MOST_SUCCESSES = 60
MOST_VA = 10
"""Larger numbers are slips of the keyboard."""

RIPOSTE_OBSTACLE = 1
"""A riposte is an ordinary Strike (fight.counterstrike.riposte_pool)."""

RIPOSTE = COUNTERSTRIKE[1]


class Maneuver(Enum):
    """What a shield may be used with: the rows of the chapter's table."""

    BLOCK = "Block"
    COUNTERSTRIKE = "Counterstrike (defence half)"
    RIPOSTE = "Counterstrike (riposte half)"
    BLOCK_HALF = "Block and Strike (Block half)"
    STRIKE_HALF = "Block and Strike (Strike half)"
    AVOID = "Avoid"
    OTHER = "Natural Defenses, positioning, other maneuvers"
    COVER = "cover from missiles (shield dice alone)"


class IncomingAttack(msgspec.Struct, frozen=True):
    """What matters to a shield about the attack to defend against."""

    successes: int = 0
    va: int = 0
    shade: Shade = Shade.BLACK
    great_strike: bool = False
    articulated: bool = False
    inside: bool = False


# --- The dice of a shield --------------------------------------------------------------------


def gets_dice(sheet: Sheet, maneuver: Maneuver) -> bool:
    """Whether a bearer adds shield dice to a maneuver at all.

    With Shield Training to Block and Counterstrike (armor.shield.training_benefit), there to the
    defending half only (armor.shield.counterstrike_dice); without it to Block alone
    (armor.shield.untrained_block_only, armor.amb.untrained_block); to an Avoid never
    (armor.shield.never_avoid).
    """
    who = "trained" if has_training(sheet, SHIELD_TRAINING) else "untrained"
    table = catalogue().table("armor.table.shield_use_by_training")
    return table.value(f"{who}_gets_shield_dice", maneuver=maneuver.value) is True


def is_true_shield(shield: Shield) -> bool:
    """Whether it can Block a Great Strike: a buckler or larger.

    armor.shield.block_great_strike, armor.amb.full_and_actual_shields; not a parrying blade
    (armor.shield.parrying_blade_no_great_strike).
    """
    table = catalogue().table("armor.table.shields")
    return bool(table.value("may_block_great_strike", shield=shield.kind))


def helps_against(sheet: Sheet, incoming: IncomingAttack) -> bool:
    """Whether there is a shield that counts against this attack.

    Not one that is destroyed (armor.shield.destroyed), none against articulated weapons
    (armor.anti_shield.articulated), none on the inside (armor.anti_shield.inside).
    """
    working = sheet.shield is not None and shield_dice(sheet.shield).total > 0
    return working and not incoming.articulated and not incoming.inside


def may_block(sheet: Sheet, incoming: IncomingAttack) -> bool:
    """Whether an attack can be Blocked: a Great Strike only with a true shield that counts.

    armor.amb.articulated_block: against a flail, a Block still has its skill dice.
    """
    if not incoming.great_strike:
        return True
    counts = helps_against(sheet, incoming)
    return counts and sheet.shield is not None and is_true_shield(sheet.shield)


def shield_help(sheet: Sheet, maneuver: Maneuver, incoming: IncomingAttack) -> Tally:
    """The shield dice that a maneuver gets against an attack; empty where it gets none.

    The current dice (armor.shield.block_dice), one less for each point of VA
    (armor.shield.va_reduces_dice), though never below one (armor.shield.va_minimum_one).
    """
    shield = sheet.shield
    if shield is None or not helps_against(sheet, incoming) or not gets_dice(sheet, maneuver):
        return Tally()
    dice = shield_dice(shield)
    taken = min(incoming.va, dice.total - 1)
    return dice + Line(-taken, "VA", "armor.shield.va_reduces_dice") if taken else dice


def wear_shield(
    table: BurningTable, character: str, ones: int, attack: Shade
) -> Step[tuple[BurningTable, int]]:
    """Take the dice that ones on the shield's own dice cost it, for all later tests.

    armor.shield.damage_ones, armor.shield.quality; without dice it is destroyed
    (armor.shield.destroyed). Cover that was rolled with it must be rolled anew
    (armor.amb.shield_missile_roll_frequency).
    """
    sheet = table.character(character)
    shield = sheet.shield
    if shield is None or not ones:
        return table, 0
    counted = yield from dice_lost(shield, ones, attack, sheet.seat(character))
    lost = min(counted, shield_dice(shield).total)
    if not lost:
        return table, 0
    because = "armor.shield.damage_ones"
    table = yield from table.add(character, "shield.lost", lost, because=because)
    covers = tuple(c for c in table.scene.covers if c.character != character or c.hiding)
    rule = "armor.amb.shield_missile_roll_frequency"
    table = yield from table.amend(SCENE, "covers", covers, because=rule)
    left = shield_dice(shield).total - lost
    said = f"is damaged: {left}D left" if left else "is destroyed"
    rule = because if left else "armor.shield.destroyed"
    yield from note(f"{sheet.name}'s {shield.called} {said}.", rule)
    return table, lost


# --- A defence with a shield -----------------------------------------------------------------


class ShieldDefence(Arguments, frozen=True):
    """A Block or a Counterstrike against an attack whose successes are known.

    ``va`` and ``shade`` are the attack's. ``feinted`` says that a Feint has drawn the defence out
    of position, ``missile`` that the attack is a shot or a throw, which no shield Blocks. The
    ``weapon`` in hand may bring balance dice.
    """

    character: str
    skill: str
    attack: int
    maneuver: str = "block"
    va: int = 0
    shade: str = "B"
    great_strike: bool = False
    articulated: bool = False
    inside: bool = False
    feinted: bool = False
    missile: bool = False
    weapon: str = ""


class DefenceOutcome(Outcome, frozen=True):
    """How a defence came out: dice, successes, and what is left of the attack.

    ``passed`` if nothing is left. ``riposte`` are the successes of a Counterstrike's other half;
    ``shield_lost`` and ``shield_left`` are the shield's dice.
    """

    passed: bool
    rolled: bool
    dice: Tally
    successes: int
    remaining: int
    riposte_dice: int = 0
    riposte: int = 0
    shield_lost: int = 0
    shield_left: int = 0


MANEUVERS = {"block": Maneuver.BLOCK, "counterstrike": Maneuver.COUNTERSTRIKE}


def shield_defence(arguments: ShieldDefence, table: BurningTable) -> Play[DefenceOutcome]:
    """Defend with skill and shield; each success reduces the attack by one.

    armor.shield.block_dice.
    """
    sheet = table.character(arguments.character)
    incoming = _incoming(arguments)
    maneuver = MANEUVERS.get(arguments.maneuver)
    if maneuver is None:
        expected = f"one of {', '.join(MANEUVERS)}"
        raise BadInput("maneuver", arguments.maneuver, expected, "armor.shield.block_dice")
    if arguments.missile:
        what = "A shield cannot Block a shot or a throw: use it as cover"
        raise NotAllowed(what, "armor.shield_missile.no_active_block")
    left = 0 if sheet.shield is None else shield_dice(sheet.shield).total
    nothing = DefenceOutcome(False, False, Tally(), 0, arguments.attack, shield_left=left)
    if arguments.feinted:  # nothing of it is rolled, the shield dice no more than the rest
        text = f"{sheet.name} is feinted out of position: no defence."
        yield from note(text, "armor.shield.feint_beats")
        return nothing
    if maneuver is Maneuver.BLOCK and not may_block(sheet, incoming):
        text = f"{sheet.name} has no shield that Blocks this Great Strike."
        yield from note(text, "armor.shield.block_great_strike")
        return nothing
    fighter = InTheFight(arguments.character, arguments.skill, arguments.weapon)
    named = arguments.maneuver.capitalize()
    attempt = yield from in_the_fight(fighter, "defend", named, table)
    defending, riposte = attempt.pool, Pool(Shaded())
    own, shield = attempt.all_dice, shield_help(sheet, maneuver, incoming)
    against = attempt.penalties if attempt.penalties.lines else None
    if maneuver is Maneuver.COUNTERSTRIKE:
        rule = "armor.shield.counterstrike_dice"
        mine = yield from divide_counterstrike(attempt, rule, sheet.name)
        defending, riposte = split_pool(attempt.pool, mine)
        skill = source_of(attempt)
        own = Tally.of(mine, skill, "armor.shield.block_dice") if mine else Tally()
        striking = Tally.of(riposte.dice.total, skill, rule)
        whole = riposte_obstacle(attempt)
        if riposte.dice:
            yield from tell(DiceGathered(f"{sheet.name}, {RIPOSTE},", striking, whole))
    dice = own + shield.lines
    if dice.total:
        yield from tell(DiceGathered(f"{sheet.name}, {arguments.maneuver},", dice, against))
    both = DefenceDice(attempt, defending, riposte, own, shield)
    return then(roll_defence, arguments, both, table)


class DefenceDice(msgspec.Struct, frozen=True, cache_hash=True):
    """The dice of a defence when they are about to be thrown."""

    attempt: Attempt
    defending: Pool
    riposte: Pool
    own: Tally
    shield: Tally


def roll_defence(
    arguments: ShieldDefence, both: DefenceDice, table: BurningTable
) -> Play[DefenceOutcome]:
    """Roll the dice of the defence; enough successes cancel the whole attack."""
    attempt = both.attempt
    sheet = table.character(arguments.character)
    enough = arguments.attack + attempt.penalties.total
    if both.defending.dice or both.shield.total:
        used = yield from throw_with_shield(
            attempt, both.defending, both.shield, sheet, Shade.parse(arguments.shade), enough
        )
    else:  # the one die strikes back
        none = Shaded()
        used = artha.ThrownDice(0, none, none, attempt.open_ended, spent=attempt.spent)
    if both.riposte.dice:
        return then(roll_riposte, arguments, both, used, table)
    return then(defended, arguments, both, used, used, table)


def _incoming(arguments: ShieldDefence) -> IncomingAttack:
    check_between("attack", arguments.attack, 0, MOST_SUCCESSES, unit="successes")
    check_va(arguments.va)
    return IncomingAttack(
        arguments.attack,
        arguments.va,
        Shade.parse(arguments.shade),
        arguments.great_strike,
        arguments.articulated,
        arguments.inside,
    )


def check_va(va: int) -> None:
    """A VA that a weapon can have."""
    check_between("va", va, 0, MOST_VA, "armor.shield.va_reduces_dice", zero="none")


class InTheFight(msgspec.Struct, frozen=True):
    """Who fights with which skill, and with which weapon beside the shield, if that is said."""

    character: str
    skill: str
    weapon: str = ""


STRIKING = ("Strike", "Counterstrike")
"""What strikes with the weapon, if only with a part of the dice; a Block does not."""


def in_the_fight(
    fighter: InTheFight, intent: str, maneuver: str, table: BurningTable
) -> Step[Attempt]:
    """The dice of a fighting skill, with all that counts for and against them.

    A weapon brings its balance dice (weapons.balance.melee_use), and leaves a hand for the shield
    (weapons.melee.note_two_handed). In the saddle a moving beast makes all of it harder, and a
    blade has its weight in whatever strikes (riding.weapon.straight_blade).
    """
    carried = None
    weight: tuple[Line, ...] = ()
    if fighter.weapon:
        carried = take_up(table, fighter.character, fighter.weapon)
        way = way_to_strike(carried, "", table.options)
        check_with_shield(way)
        if maneuver in STRIKING:
            weight = swung_dice(table, fighter.character, "", carried, way)
    declaration = Declaration(
        character=fighter.character,
        intent=intent,
        task="fights with shield in hand",
        ability=fighter.skill,
    )
    moving = yield from while_it_moves(table, fighter.character, RiderAct.OTHER)
    attempt = yield from agree_and_prepare(declaration, CALLED_FOR, table)
    if carried is not None:
        attempt = balanced(attempt, carried, table.options, maneuver)
    return msgspec.structs.replace(
        attempt, dice=attempt.dice + weight, penalties=attempt.penalties + moving
    )


def riposte_obstacle(attempt: Attempt) -> Tally:
    """What the riposte of a Counterstrike is against (fight.counterstrike.riposte_pool)."""
    base = Tally.of(RIPOSTE_OBSTACLE, "Strike", "fight.counterstrike.riposte_pool")
    return full_obstacle(base, attempt)


def throw_with_shield(
    attempt: Attempt, skill: Pool, shield: Tally, sheet: Sheet, attack: Shade, enough: int
) -> Step[artha.ThrownDice]:
    """Roll skill dice and shield dice together, the shield's apart and at its own shade.

    armor.shield.damage_ones.
    """
    label = f"{sheet.name}, {attempt.agreed.name}"
    if not shield.total or sheet.shield is None:
        thrown = yield from call(
            artha.throw, skill, label, attempt.seat, attempt.hand, attempt.spent, enough
        )
        return thrown
    roller = EquipmentRoller(
        f"{label} and {sheet.shield.called}",
        attempt.seat,
        enough,
        ones_at_stake(sheet.shield, attack, shield.total),
    )
    own = Shaded.of(Shade.parse(sheet.shield.shade), shield.total)
    used = yield from call(
        throw_equipment, own, skill.dice, attempt.open_ended, roller, attempt.hand, attempt.spent
    )
    return used


def roll_riposte(
    arguments: ShieldDefence, both: DefenceDice, used: artha.ThrownDice, table: BurningTable
) -> Play[DefenceOutcome]:
    """The half of a Counterstrike that strikes back, without any shield dice."""
    attempt = both.attempt
    label = f"{table.character(arguments.character).name}, {attempt.agreed.name} (riposte)"
    throw = yield from throw_second_half(attempt, both.riposte, label, used, None)
    return then(defended, arguments, both, used, throw, table)


def defended(
    arguments: ShieldDefence,
    both: DefenceDice,
    used: artha.ThrownDice,
    riposte: artha.ThrownDice,
    table: BurningTable,
) -> Play[DefenceOutcome]:
    """Subtract the successes from the attack, damage the shield, and log the test.

    Each +1 Ob takes a success off a roll that only reduces, as Beginner's Luck takes half of them,
    and is part of what it was up against (advancement.amb.versus_penalties). Shield dice count as
    dice rolled for the class of the test (armor.amb.shield_dice_advancement).
    """
    name = table.character(arguments.character).name
    attempt, riposte_dice = both.attempt, both.riposte.dice.total
    successes = open_result(used.successes, attempt)
    remaining = max(0, arguments.attack - successes)
    verdict = "The attack is stopped."
    if remaining:
        verdict = f"Successes left of the attack: {remaining}."
    yield from tell(TestCame(name, successes, verdict, not remaining))
    if riposte_dice:
        hits = riposte.successes >= riposte_obstacle(attempt).total
        back = "It hits." if hits else "It misses."
        yield from tell(TestCame(f"{name}, {RIPOSTE}", riposte.successes, back, hits))
    rule, against = "armor.shield.counterstrike_dice", max(1, arguments.attack)
    defence, harder = attempt, attempt.penalties.total
    halves: tuple[Half, ...] = ()
    if riposte_dice:
        defence = part_of(attempt, both.defending.dice.total, rule, first=True)
        part = part_of(attempt, riposte_dice, rule, first=False)
        halves = (Half(part, RIPOSTE_OBSTACLE + harder, RIPOSTE_OBSTACLE),)
    defence = msgspec.structs.replace(defence, dice=defence.dice + both.shield.lines)
    if both.defending.dice:  # the dice of a shield alone are no test of a skill
        halves = (Half(defence, against + harder, against), *halves)
    table = yield from log_halves(attempt, halves, riposte, table, passed=not remaining)
    shade = Shade.parse(arguments.shade)
    table, lost = yield from wear_shield(table, arguments.character, used.ones, shade)
    bearing = table.character(arguments.character).shield
    return DefenceOutcome(
        passed=not remaining,
        rolled=True,
        dice=both.own + both.shield.lines,
        successes=successes,
        remaining=remaining,
        riposte_dice=riposte_dice,
        riposte=riposte.successes if riposte_dice else 0,
        shield_lost=lost,
        shield_left=0 if bearing is None else shield_dice(bearing).total,
    )


PROCEDURES = (
    Procedure(
        "shield_defence",
        "Block or Counterstrike with a shield",
        ShieldDefence,
        shield_defence,
        gm_only=True,
    ),
)
