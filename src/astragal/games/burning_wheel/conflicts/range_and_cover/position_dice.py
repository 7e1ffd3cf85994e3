"""Positioning dice: those of weapons, spells, prayers, cover and fortifications.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
"""

from __future__ import annotations

from astragal.play import Line

from ...conditions.hesitation import RUN
from ...magic.faith.battle_prayers import keeps_fortifications, prayer_range_dice
from ...magic.faith.prayer_tables import prayer_named
from ...magic.sorcery.positioning import SpellConflict, SpellWeapon, faster_spell, weapon_of
from ...sheet.ranged_weapons import is_bomb, is_reloaded
from ...weapons.bombs_at_range import NEGATED, range_dice
from .maneuvers import FieldManeuver
from .state import Skirmish, SpellAtRange


def range_lines(skirmish: Skirmish, side: int, category: str = "") -> tuple[Line, ...]:
    """The range dice of a side's weapon (range_and_cover.dice.range_dice_add).

    None in the volley after a shot with a crossbow or gun (range_and_cover.reload.lose_range_dice),
    though bows and thrown weapons keep theirs (range_and_cover.reload.others_free). A bomb has
    dice of its own.
    """
    leader = skirmish.leader(side)
    if leader.casting is not None:
        return spell_lines(skirmish, side)
    arm, carried = skirmish.arm(leader.character), skirmish.carried(leader.character)
    if arm is None or carried is None:
        return ()
    if leader.fired and is_reloaded(carried.weapon):
        return ()
    at = category or skirmish.category(leader.character)
    if is_bomb(carried.weapon) and arm.dice(at):
        other = skirmish.leader(1 - side)
        theirs = skirmish.arm(other.character)
        against = category or skirmish.category(other.character)
        return (range_dice(0 if theirs is None else theirs.dice(against)),)
    return arm.lines(at)


def spell_lines(skirmish: Skirmish, side: int) -> tuple[Line, ...]:
    """The range dice of the spell that a leader casts, and a die for the faster of two spells.

    sorcery.duel.spells_are_weapons, sorcery.duel.fastest_spell; only while it is cast
    (sorcery.duel.must_cast_to_use).
    """
    mine, theirs = (skirmish.leader(each).casting for each in (side, 1 - side))
    assert mine is not None
    faster: tuple[Line, ...] = ()
    if theirs is not None:
        faster = faster_spell(mine.declared.method.actions, theirs.declared.method.actions)
    return _spell_weapon(mine).dice.lines + faster


def _spell_weapon(casting: SpellAtRange) -> SpellWeapon:
    wider = casting.declared.arguments.wider
    return weapon_of(casting.declared.spell, wider, SpellConflict.RANGE_AND_COVER)


def prayed(skirmish: Skirmish, side: int) -> tuple[Line, ...]:
    """The positioning dice of the battle prayers of a side (faith.conflict.rc_dice)."""
    return tuple(
        line
        for each in skirmish.active(side)
        if each.prayer is not None
        for line in prayer_range_dice(prayer_named(each.prayer.prayer))
    )


def cover_lines(skirmish: Skirmish, side: int) -> tuple[Line, ...]:
    """The cover dice in hand (range_and_cover.cover.dice.next_volley); some weapons take one away.

    Against a battle prayer there are none (faith.conflict.rc_no_cover,
    range_and_cover.amb.cover_vs_faith).
    """
    if prayed(skirmish, 1 - side):
        return ()
    dice = max(0, skirmish.teams[side].cover - _negated(skirmish, side))
    return (Line(dice, "cover", "range_and_cover.cover.dice.next_volley"),) if dice else ()


def _fortification(skirmish: Skirmish, side: int) -> tuple[Line, ...]:
    """The dice of prepared defences (range_and_cover.fort.dice).

    Against a battle prayer they may be barred (faith.amb.rc_no_cover_scope). The die that a weapon
    negates is one of theirs where there is no other (weapons.amb.bomb_rc_cover).
    """
    if prayed(skirmish, 1 - side) and not keeps_fortifications(skirmish.table.options):
        return ()
    team = skirmish.teams[side]
    dice = team.fortification - max(0, _negated(skirmish, side) - team.cover)
    return (Line(dice, "fortification", "range_and_cover.fort.dice"),) if dice > 0 else ()


def _negated(skirmish: Skirmish, side: int) -> int:
    """How many dice of a side's cover do not count against the weapon of the other.

    One for a bomb (weapons.bomb.rc.negates_cover), and for a spell from the Presence
    (sorcery.duel.rc_presence).
    """
    leader = skirmish.leader(1 - side)
    if leader.casting is not None:
        return _spell_weapon(leader.casting).ignores_cover
    carried = skirmish.carried(leader.character)
    return NEGATED if carried is not None and is_bomb(carried.weapon) else 0


def position_lines(
    skirmish: Skirmish, side: int, does: FieldManeuver, edge: tuple[Line, ...]
) -> tuple[Line, ...]:
    """All positioning dice but the ability, FoRKs and advantages (range_and_cover.dice.pool).

    Who runs screaming has neither cover nor range dice (range_and_cover.hesitate.run.maneuver), but
    the others (range_and_cover.amb.hesitation_run_bonus). Prepared defences help whoever holds his
    ground in them, every time (range_and_cover.fort.maintain_only,
    range_and_cover.amb.cover_limit_and_fortifications).
    """
    lines = edge
    leader = skirmish.leader(side)
    if not (leader.is_hesitating and leader.reaction == RUN):
        lines += range_lines(skirmish, side) + cover_lines(skirmish, side)
    lines += prayed(skirmish, side)
    if does.holds_ground:
        lines += _fortification(skirmish, side)
    if does.bonus:
        lines += (Line(does.bonus, "running away", "range_and_cover.speed_withdraw.test"),)
    return lines
