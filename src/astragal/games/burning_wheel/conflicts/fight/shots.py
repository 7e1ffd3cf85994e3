"""Shots and throws in a fight, from what makes them harder to the hit.

A section of the chapter on Fight! (``conflicts/fight/fight``). What comes before is in
``making_ready``; numbers, Die of Fate and misfires are those of ``weapons/shooting``.
"""

from __future__ import annotations

import msgspec

from astragal.play import (
    GM,
    Line,
    Play,
    Step,
    Tally,
    call,
    choose,
    confirm,
    confirm_aside,
    consent,
    note,
    then,
)
from astragal.rules import catalogue

from ...armor.hits import IncomingHit
from ...armor.shield_cover import HIDE, TARGETS, ShieldCover, covering, hidden_from_shot, may_hide
from ...artha.on_a_roll import ThrownDice
from ...conditions.hesitation import STAND
from ...conditions.mounted import elevation
from ...conditions.shield_cover import cover_from, shot_penalty, standing_cover
from ...sheet.armor_tables import shield_dice
from ...sheet.ranged_weapons import CLOSE, RangedWeapon, heads, is_missile, ranged
from ...sheet.sheet import Sheet
from ...sheet.weapon_tables import FIST, Weapon
from ...tests.attempts import full_obstacle, throw_attempt
from ...weapons.gunpowder import Misfire, gunpowder_die
from ...weapons.missiles import Head, head_of, obstacle_at, va_of
from ...weapons.openings import hidden_by_cover
from ...weapons.shooting import (
    SNAPSHOT,
    ShotInFlight,
    against_shot,
    is_bow,
    misfire_of,
    place_and_fate,
    shot_rolled,
    snapshot,
)
from ...weapons.wielding import WeaponTest, balanced, lighter_power, location_bears, usual_skill
from .acts import lost
from .distance import INSIDE_GAP
from .gathering import RollKind, attempt_for, is_usable, spent
from .harm import Harm
from .hesitation import drop_weapon, take_in_hand
from .making_ready import draw_cost, target_of
from .mounted import is_avoiding
from .rider_targets import ask_shot_at
from .state import NOT_READY, Fight, FightDeed, in_hand

SHOOTING = "shoot_or_throw_object"
"""What a shot and a throw are to the actions they meet."""

COUNTED = (SNAPSHOT, "maintaining", "moving", "target_moving")
"""Conditions of ``fight.table.missile_obstacles`` that the fight itself knows."""


# --- The shot ------------------------------------------------------------------------------


class _Shot(msgspec.Struct, frozen=True):
    """A shot about to be made."""

    character: str
    target: str
    carried: Weapon
    weapon: RangedWeapon
    head: Head
    acquired: bool
    aimed: int
    victim: str = ""
    """Rider or mount, where the target is both."""
    hidden: tuple[str, ...] = ()
    """What of the target is out of sight."""


Shots = tuple[Fight, tuple[Harm, ...]]
"""The fight after a shot, and the hits it made."""


def shoot(fight: Fight, deed: FightDeed) -> Step[Shots]:
    """Release, trigger or throw: one action (fight.release.one_action).

    Also for a throw (fight.amb.throw_object_cost). What follows is one roll; its hit waits for
    those of the same moment.
    """
    shot, why, rule = _aimed_shot(fight, deed)
    if shot is None:
        return (yield from lost(fight, deed.character, why, rule)), ()
    if deed.card.partition(":")[2] and not (yield from _lies_about(fight, deed, shot.carried)):
        rule = "fight.throw_object.thrown_weapon_rules"
        return (yield from lost(fight, deed.character, "nothing like that here", rule)), ()
    victim = yield from ask_shot_at(fight, shot.character, shot.target)
    shot = msgspec.structs.replace(shot, victim=victim)
    fight, harms = yield from call(_loose, fight, shot)
    fight = spent(fight, deed.character, RollKind.SHOT, SHOOTING)
    return fight.change(deed.character, ready=NOT_READY), harms


def _aimed_shot(fight: Fight, deed: FightDeed) -> tuple[_Shot | None, str, str]:
    """The shot, or why there is none and by which rule."""
    kind, _, thing = deed.card.partition(":")
    character = deed.character
    ready = fight.fighter(character).ready
    carried = Weapon(thing) if thing else in_hand(fight, character)
    target = target_of(fight, deed)
    acquired = bool(ready.target) and ready.target == target
    if not target:
        return None, "no target", "fight.acquire.one_action"
    if fight.gap(character, target) == INSIDE_GAP and carried.weapon != "pistol":
        return None, "too close to shoot or throw", "fight.missile.not_inside"
    if kind == "throw_object":
        if not thing and (carried.weapon == FIST or is_missile(carried.weapon)):
            return None, "nothing to throw", "fight.throw_object.thrown_weapon_rules"
    elif not is_missile(carried.weapon):
        return None, "nothing to shoot with", "fight.release.one_action"
    elif is_bow(carried.weapon):
        short = draw_cost(carried.weapon) - ready.drawn
        if short > 1 or not ready.nocked:
            return None, "the bow is not drawn", "fight.draw_bow.snapshot"
        acquired = short <= 0 and acquired
    elif not carried.loaded:
        return None, f"the {carried.called} is not loaded", "fight.shoot.reload_totals"
    if not is_usable(fight, character, _skill(fight, carried, kind), RollKind.SHOT, SHOOTING):
        return None, "no dice left", "fight.lock.skill_zero"
    weapon = ranged(carried.weapon, fight.table.options, carried.quality)
    head = head_of(carried, _head_on(fight, character, carried))
    aimed = ready.aimed if acquired else 0
    return _Shot(character, target, carried, weapon, head, acquired, aimed), "", ""


def _head_on(fight: Fight, character: str, carried: Weapon) -> str:
    """The head that a fighter shoots with, where it fits what is in hand.

    weapons.head.arrows_for_bows.
    """
    head = fight.fighter(character).head
    return head if head in heads(carried.weapon) else ""


def _skill(fight: Fight, carried: Weapon, kind: str) -> str:
    thrown = kind == "throw_object"
    return usual_skill(carried, thrown=thrown, options=fight.table.options)


def _lies_about(fight: Fight, deed: FightDeed, thing: Weapon) -> Step[bool]:
    """Whether there is such a thing to throw: the GM may say that there is not."""
    return (
        yield from consent(
            GM,
            "lies_about",
            f"{fight.name(deed.character)} finds a {thing.called} to throw",
            because="fight.throw_object.thrown_weapon_rules",
        )
    )


def _loose(fight: Fight, shot: _Shot) -> Play[Shots]:
    sheet = fight.sheet(shot.character)
    if shot.weapon.gunpowder:
        misfire = yield from gunpowder_die(shot.carried.called, sheet.seat(shot.character))
        if misfire is not None:
            return (yield from _misfire(fight, shot, misfire))
    against, covered, fight = yield from call(_against, fight, shot)
    if _is_behind_cover(against):
        hidden = yield from hidden_by_cover(shot.victim or shot.target, fight.table)
        shot = msgspec.structs.replace(shot, hidden=hidden)
    return then(_throw, fight, shot, against, covered)


def _is_behind_cover(against: tuple[Line, ...]) -> bool:
    """Whether a shot is harder because of what the target stands behind."""
    listed = catalogue().table("fight.table.missile_obstacles")
    rows = [listed.where(condition_code=code) for code in ("behind_cover", "hidden")]
    return any(line.label == row["condition"] for line in against for row in rows)


def _throw(fight: Fight, shot: _Shot, against: tuple[Line, ...], covered: str) -> Play[Shots]:
    """Gather the dice of a shot, and throw them."""
    ready = yield from call(_gather, fight, shot, against)
    throw = yield from throw_attempt(ready.test.attempt, ready.test.obstacle, fight.table)
    return then(_landed, fight, shot, ready, throw, covered)


class _ReadyShot(msgspec.Struct, frozen=True, cache_hash=True):
    """A shot with its dice, and whether a lighter Power goes into what is thrown."""

    test: WeaponTest
    bonus: bool


def _gather(fight: Fight, shot: _Shot, against: tuple[Line, ...]) -> Play[_ReadyShot]:
    bonus = False
    if shot.weapon.thrown:
        bonus = yield from lighter_power(shot.character, shot.carried, fight.table)
    kind = "throw_object" if shot.weapon.thrown else "release"
    attempt = yield from attempt_for(
        fight,
        shot.character,
        _skill(fight, shot.carried, kind),
        RollKind.SHOT,
        action=SHOOTING,
        target=shot.victim or shot.target,
        task=f"uses the {shot.carried.called}",
        dice=_dice(fight, shot),
        obstacle=against,
        roots=("Agility",),
    )
    attempt = balanced(attempt, shot.carried, fight.table.options)
    base = obstacle_at(CLOSE, "")  # fight.release.base_obstacle
    obstacle = full_obstacle(Tally((base,)), attempt)
    return _ReadyShot(WeaponTest(attempt, obstacle, base.amount), bonus)


def _dice(fight: Fight, shot: _Shot) -> tuple[Line, ...]:
    aimed = (Line(shot.aimed, "aiming", "fight.aim.bonus"),) if shot.aimed else ()
    bow = is_bow(shot.carried.weapon)
    return aimed + (elevation(fight.table, shot.character, shot.target) if bow else ())


def _landed(
    fight: Fight, shot: _Shot, ready: _ReadyShot, throw: ThrownDice, covered: str
) -> Play[Shots]:
    """What a shot that was rolled does."""
    sheet = fight.sheet(shot.character)
    outcome, table = yield from shot_rolled(
        shot.character,
        shot.carried,
        ready.test,
        throw,
        fight.table,
        with_bonus=ready.bonus,
        logged=bool(fight.series),
    )
    fight = _left_the_hand(fight.at(table), shot)
    if not outcome.passed:
        return fight, ()
    flight = ShotInFlight(
        shot.character,
        shot.carried,
        shot.weapon,
        shot.head,
        CLOSE,
        shot.hidden,
        ready.bonus,
        covered,
        location_bears(shot.victim or shot.target, fight.table),
    )
    location, fate = yield from place_and_fate(flight, outcome, fight.table)
    damage = flight.damage(sheet, fate, location)
    yield from note(f"{sheet.name} hits: {damage}.", "weapons.dof.decides_stage")
    hit = IncomingHit(
        shot.victim or shot.target,
        damage,
        sheet.seat(shot.character),
        source=f"{sheet.name}'s {shot.carried.called}",
        opponent=shot.character,
    )
    return fight, (Harm(hit, shot.character),)


def _left_the_hand(fight: Fight, shot: _Shot) -> Fight:
    """What was thrown lies on the ground."""
    if not shot.weapon.thrown or fight.fighter(shot.character).weapon not in (
        shot.carried.called,
        shot.carried.weapon,
    ):
        return fight
    if shot.carried not in fight.sheet(shot.character).weapons:  # it has shattered
        return take_in_hand(fight, shot.character, "")
    return drop_weapon(fight, shot.character)


def _misfire(fight: Fight, shot: _Shot, misfire: Misfire) -> Step[Shots]:
    """The gun jams, or hurts its shooter (weapons.gun.jam, weapons.gun.backfire)."""
    outcome, table = yield from misfire_of(
        shot.character, shot.carried, shot.weapon, misfire, fight.table
    )
    fight = fight.at(table)
    if outcome.backfire is None:
        return fight, ()
    source = f"the backfire of the {shot.carried.called}"
    hit = IncomingHit(shot.character, outcome.backfire, GM, source=source)
    return fight, (Harm(hit, shot.character),)


# --- What makes it harder ------------------------------------------------------------------


def _against(fight: Fight, shot: _Shot) -> Step[tuple[tuple[Line, ...], str, Fight]]:
    """What raises the obstacle of a shot, and what part of the target its shield covers.

    The shooter's own movement (fight.release.own_movement) weighs on it in ``gathering``; here are
    the target's, the lack of a target acquired (fight.acquire.snapshot), and what the GM sees:
    cover (fight.release.target_cover), light, weather, size (fight.disadvantage.missile). Distance
    does not matter (fight.amb.lunging_for_missiles). A rider's shield does not protect the mount:
    it is the bearer who must be shot at (armor.shield_missile.fight_roll).
    """
    sheet = fight.sheet(shot.character)
    lines = yield from against_shot(
        CLOSE, shot.head, sheet, acquired=True, without=COUNTED, lasting=True
    )
    if not shot.acquired:
        lines += (snapshot(),)
    victim = shot.victim or shot.target
    lines += target_lines(fight, shot.target, victim)
    if victim != shot.target:
        return lines, "", fight
    fight = yield from _raise_shield(fight, shot)
    va = va_of(sheet, shot.weapon, shot.head, CLOSE)
    lines += shot_penalty(fight.table, shot.target, shot.character, va)
    cover = cover_from(fight.table, shot.target, shot.character, va)
    return lines, "" if cover is None else cover.area, fight


def target_lines(fight: Fight, target: str, victim: str) -> tuple[Line, ...]:
    """What a target does against being shot; the ``victim`` is rider or mount.

    Closing or withdrawing (fight.release.target_movement), and an Avoid in this volley, which does
    nothing else about missiles (fight.release.target_avoiding, fight.avoid.not_vs_missiles).
    """
    fighter = fight.fighter(target)
    lines: tuple[Line, ...] = ()
    if fighter.moves is not None and fighter.moves.is_quick:
        table = catalogue().table("fight.table.missile_obstacles")
        amount = table.number("ob_penalty", condition_code="target_moving")
        lines += (Line(amount, "moving target", "fight.release.target_movement"),)
    if is_avoiding(fight, target, victim):
        lines += (Line(1, "the target Avoids", "fight.release.target_avoiding"),)
    return lines


def _raise_shield(fight: Fight, shot: _Shot) -> Step[Fight]:
    """The target may hold a shield in the way, unless hesitating or the missile goes through it.

    armor.shield_missile.fight_roll: once against each shooter
    (armor.amb.shield_missile_roll_frequency). Who has a great shield and does nothing but position
    in this volley may hide behind it (armor.shield_missile.great_shield_hide).
    """
    target, shooter = shot.target, shot.character
    sheet = fight.sheet(target)
    va = va_of(fight.sheet(shooter), shot.weapon, shot.head, CLOSE)
    if not _may_cover(sheet, va) or fight.fighter(target).is_hesitating:
        return fight
    if _may_hide(fight, target):
        hides = yield from confirm_aside(
            fight.seat(target),
            "hide_behind_shield",
            f"{sheet.name} hides behind the shield: +{HIDE} Ob, no roll",
            because="armor.shield_missile.great_shield_hide",
        )
        if hides:
            return fight.at((yield from hidden_from_shot(target, shooter, fight.table)))
    if standing_cover(fight.table, target, shooter) is not None:
        return fight
    raised = yield from confirm(
        fight.seat(target),
        "raise_shield",
        f"{sheet.name} holds the shield in the way",
        default=True,
        because="armor.shield_missile.fight_roll",
        kind="aside",
    )
    if not raised:
        return fight
    areas = {"": "No area", **{area: area.capitalize() for area in TARGETS}}
    area = yield from choose(
        fight.seat(target),
        "cover_area",
        f"{sheet.name} covers",
        areas,
        default="",
        because="armor.shield_missile.cover_area",
        kind="aside",
    )
    said = ShieldCover(target, shooter, va=va, shade=shot.carried.shade, area=area)
    _, table = yield from call(covering, said, fight.table)
    return fight.at(table)


def _may_hide(fight: Fight, target: str) -> bool:
    """Whether a fighter has a shield to hide behind, and nothing else to do in this volley.

    armor.shield_missile.hide_limits.
    """
    fighter, shield = fight.fighter(target), fight.sheet(target).shield
    idle = fighter.waits is None and all(card == STAND for card in fighter.announced)
    return idle and shield is not None and may_hide(shield)


def _may_cover(sheet: Sheet, va: int) -> bool:
    return sheet.shield is not None and shield_dice(sheet.shield).total > va
