"""Shields as cover from missiles: in a fight, and in Range and Cover.

A shield Blocks no missile (armor.shield_missile.no_active_block). Its dice may make the bearer
harder to hit, it may cover a part of the body, and a great shield hides all of it. The shot itself
is in ``weapons/shooting``, which reads the cover from the scene.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade
from astragal.errors import NotAllowed, check_one_of
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import Play, Step, Tally, call, note, tell
from astragal.rules import catalogue

from ..artha.spending import pay_for_equipment
from ..conditions.shield_cover import cover_for_a_shot, standing_cover
from ..sheet.armor_tables import Shield, shield_dice
from ..sheet.facts import DiceGathered, TestCame
from ..sheet.scene import BurningTable, Cover
from ..weapons.missiles import COVERS
from .equipment_dice import EquipmentRoller, boost_equipment, ones_at_stake, throw_alone
from .shields import check_va, wear_shield

TARGETS = ("head", "torso", "arms", "legs")
"""The areas that a missile may be aimed at, and a shield may cover."""

HIDE = 3
"""What hiding behind a great shield adds (armor.shield_missile.great_shield_hide)."""

SHIELD_OBSTACLE = 1
"""What the shield's dice must exceed (armor.shield_missile.fight_roll)."""


# --- In a fight ------------------------------------------------------------------------------


class ShieldCover(Arguments, frozen=True):
    """A character with a shield is shot at.

    ``va`` and ``shade`` are the missile's. A bearer who is ``aware`` of it may cover an ``area``
    (head, torso, arms, legs), or ``hide`` behind a great shield.
    """

    character: str
    shooter: str
    va: int = 0
    shade: str = "B"
    aware: bool = True
    area: str = ""
    hide: bool = False


class ShieldCoverOutcome(Outcome, frozen=True):
    """What a shield does about a shot: the shooter's penalty, and the area covered.

    ``passed`` if it helps its bearer at all. ``rolled`` is false where there is no roll, or an
    earlier one still counts.
    """

    passed: bool
    penalty: int
    area: str = ""
    hiding: bool = False
    rolled: bool = False
    successes: int = 0
    shield_lost: int = 0
    shield_left: int = 0
    dice: Tally = Tally()
    obstacle: Tally = Tally()


def shield_cover(arguments: ShieldCover, table: BurningTable) -> Play[ShieldCoverOutcome]:
    """Use a shield as cover from one shooter."""
    outcome, _ = yield from call(covering, arguments, table)
    return outcome


def covering(
    arguments: ShieldCover, table: BurningTable
) -> Play[tuple[ShieldCoverOutcome, BurningTable]]:
    """How much cover a shield gives from one shooter.

    A missile whose VA is at least the shield's dice goes through as if it were not there, hiding
    or not (armor.shield_missile.va_fight, armor.amb.hide_and_va); the current dice count
    (armor.amb.va_versus_current_dice). A lower VA does nothing.
    """
    sheet = table.character(arguments.character)
    table.character(arguments.shooter, "shooter")
    shield, dice = _working(arguments, table)
    if arguments.va >= dice:
        text = f"The missile goes through {sheet.name}'s {shield.called}."
        yield from note(text, "armor.shield_missile.va_fight")
        return ShieldCoverOutcome(False, 0, shield_left=dice), table
    standing = standing_cover(table, arguments.character, arguments.shooter)
    if arguments.hide:
        return (yield from _hide(arguments, shield, dice, table))
    rolled = standing is None or standing.hiding
    covered = ShieldCoverOutcome(False, 0, arguments.area, shield_left=dice)
    if rolled:
        covered, table = yield from _roll_cover(arguments, shield, table)
    else:
        # One roll counts against this shooter (armor.amb.shield_missile_roll_frequency).
        penalty = 0 if standing is None else standing.penalty
        covered = msgspec.structs.replace(covered, penalty=penalty)
    cover = Cover(arguments.character, arguments.shooter, covered.penalty, arguments.area)
    if covered.shield_lost:
        table = yield from cover_for_a_shot(cover, table)
    else:
        table = yield from _keep(cover, table)
    passed = bool(covered.penalty or arguments.area)
    return msgspec.structs.replace(covered, passed=passed), table


def _usable(character: str, table: BurningTable) -> Shield:
    """The shield of somebody who can use it as cover, or a refusal."""
    sheet = table.character(character)
    if sheet.shield is None or not shield_dice(sheet.shield).total:
        what = f"{sheet.name} has no shield with dice left"
        raise NotAllowed(what, "armor.shield_missile.fight_roll")
    return sheet.shield


def _working(arguments: ShieldCover, table: BurningTable) -> tuple[Shield, int]:
    """The shield used as cover, and its dice; refuse what it cannot do."""
    sheet = table.character(arguments.character)
    check_va(arguments.va)
    shield = _usable(arguments.character, table)
    if arguments.area:
        rule = "armor.shield_missile.cover_area"
        check_one_of("area", arguments.area, TARGETS, rule)
        if not arguments.aware:
            what = f"{sheet.name} is not aware of the shot and cannot cover an area"
            raise NotAllowed(what, "armor.shield_missile.cover_area_awareness")
    if arguments.hide and not may_hide(shield):
        what = f"A {shield.called} is too small to hide behind: only a great shield will do"
        raise NotAllowed(what, "armor.shield_missile.great_shield_hide")
    return shield, shield_dice(shield).total


def may_hide(shield: Shield) -> bool:
    """Whether a shield is large enough to hide behind (armor.shield_missile.great_shield_hide)."""
    table = catalogue().table("armor.table.shields")
    return bool(table.value("may_hide_behind", shield=shield.kind))


def hidden_from_shot(character: str, shooter: str, table: BurningTable) -> Step[BurningTable]:
    """Hide behind a great shield from one shot, in a volley in which its bearer does nothing else.

    armor.shield_missile.great_shield_hide, armor.shield_missile.hide_limits.
    """
    sheet = table.character(character)
    assert sheet.shield is not None, "only who has one can hide behind it"
    text = f"{sheet.name} hides behind the {sheet.shield.called}."
    yield from note(text, "armor.shield_missile.great_shield_hide")
    cover = Cover(character, shooter, HIDE, hiding=True)
    return (yield from cover_for_a_shot(cover, table))


def _hide(
    arguments: ShieldCover, shield: Shield, dice: int, table: BurningTable
) -> Step[tuple[ShieldCoverOutcome, BurningTable]]:
    """Hide behind a great shield: no roll, and no other action but positioning.

    armor.shield_missile.great_shield_hide, armor.shield_missile.hide_limits; it takes the place
    of what was rolled (armor.amb.hide_and_va).
    """
    name = table.character(arguments.character).name
    text = f"{name} hides behind the {shield.called}."
    yield from note(text, "armor.shield_missile.great_shield_hide")
    cover = Cover(arguments.character, arguments.shooter, HIDE, hiding=True)
    table = yield from _keep(cover, table)
    return ShieldCoverOutcome(True, HIDE, hiding=True, shield_left=dice), table


def _roll_cover(
    arguments: ShieldCover, shield: Shield, table: BurningTable
) -> Step[tuple[ShieldCoverOutcome, BurningTable]]:
    """Roll the shield's dice alone against 1; each success over that is +1 Ob for the shooter.

    armor.shield_missile.fight_roll. Ones damage the shield as in any roll.
    """
    sheet = table.character(arguments.character)
    dice, shade = shield_dice(shield), Shade.parse(shield.shade)
    boost = yield from boost_equipment(arguments.character, shield.called, shade, dice.total, table)
    against = Tally.of(SHIELD_OBSTACLE, "shield", "armor.shield_missile.fight_roll")
    yield from tell(DiceGathered(f"{sheet.name}'s {shield.called}", dice + boost.lines, against))
    attack = Shade.parse(arguments.shade)
    roller = EquipmentRoller(
        f"{sheet.name}, {shield.called}",
        sheet.seat(arguments.character),
        SHIELD_OBSTACLE + 1,
        ones_at_stake(shield, attack, dice.total),
    )
    used = yield from throw_alone(shade, dice.total, boost, roller)
    penalty = max(0, used.successes - SHIELD_OBSTACLE)
    verdict = f"+{penalty} Ob for the shooter." if penalty else "No penalty for the shooter."
    yield from tell(
        TestCame(f"{sheet.name}'s {shield.called}", used.successes, verdict, penalty > 0)
    )
    table = yield from pay_for_equipment(table, arguments.character, used.spent)
    table, lost = yield from wear_shield(table, arguments.character, used.ones, attack)
    covered = ShieldCoverOutcome(
        passed=penalty > 0,
        penalty=penalty,
        area=arguments.area,
        rolled=True,
        successes=used.successes,
        shield_lost=lost,
        shield_left=dice.total - lost,
        dice=dice + boost.lines,
        obstacle=against,
    )
    return covered, table


def _keep(cover: Cover, table: BurningTable) -> Step[BurningTable]:
    """Keep the cover for the rest of the melee."""
    others = tuple(
        c
        for c in table.scene.covers
        if c.character != cover.character or (c.shooter != cover.shooter and not c.hiding)
    )
    rule = "armor.amb.shield_missile_roll_frequency"
    return (yield from table.amend(SCENE, "covers", (*others, cover), because=rule))


# --- In Range and Cover ----------------------------------------------------------------------

STEPS = tuple(COVERS)
"""The levels of cover, from none on (range_and_cover.shield.raises_cover_one_step)."""


class CoverStep(Arguments, frozen=True):
    """A bearer's level of cover in a volley, and the VA of the weapon aimed at them.

    ``maneuver`` is the ability that the bearer's maneuver uses; ``shooting`` if they return fire.
    """

    character: str
    cover: str = "open"
    va: int = 0
    maneuver: str = "Speed"
    shooting: bool = False


class CoverLevel(Outcome, frozen=True):
    """The level of cover that counts."""

    cover: str
    raised: bool


def cover_step(arguments: CoverStep, table: BurningTable) -> Play[CoverLevel]:
    """A shield raises its bearer's cover by one step, if its dice exceed the VA.

    range_and_cover.shield.raises_cover_one_step, range_and_cover.shield.dice_must_exceed_va; only
    with a maneuver of Speed or Steel (range_and_cover.shield.only_speed_or_steel), and not while
    shooting (range_and_cover.shield.not_while_shooting). Both chapters' conditions apply
    (armor.amb.cover_step_conditions).
    """
    sheet = table.character(arguments.character)
    rule = "range_and_cover.shield.raises_cover_one_step"
    check_one_of("cover", arguments.cover, STEPS, rule)
    check_va(arguments.va)
    dice = 0 if sheet.shield is None else shield_dice(sheet.shield).total
    fitting = arguments.maneuver.casefold() in ("speed", "steel")
    at = STEPS.index(arguments.cover)
    raised = dice > arguments.va and fitting and not arguments.shooting and at + 1 < len(STEPS)
    level = STEPS[at + 1] if raised else arguments.cover
    yield from note(f"{sheet.name}'s cover counts as {level}.", rule)
    return CoverLevel(level, raised)


PROCEDURES = (
    Procedure("shield_cover", "Shield cover (Fight!)", ShieldCover, shield_cover, check=_usable),
    Procedure("cover_step", "Shield cover (Range and Cover)", CoverStep, cover_step),
)
