"""What breaks off a casting in a fight, and what threatens the spells that are sustained.

A section of the chapter on Fight! (``conflicts/fight/fight``). A spell must be cast without a
break (sorcery.interrupt.ruins); what happens in the moment in which it is completed comes too
late.
"""

from __future__ import annotations

from astragal.play import GM, Step, confirm_aside, consent, note

from ...conditions.spell_tax import shield_of, threaten_spells
from ...conditions.wounds import was_hurt
from ...magic.sorcery.sustaining import SHIELD_DESTROYED, UNCONSCIOUS, settle_distractions
from ...weapons.locations import HEAD, area_of
from .casting import BROKEN_OFF, interrupt
from .harm import Harm
from .state import Fight, Posture


def after_moment(before: Fight, fight: Fight, harms: tuple[Harm, ...] = ()) -> Step[Fight]:
    """When a moment is over: castings that are interrupted, then tests for sustained spells.

    sorcery.interrupt.causes, sorcery.sustain.may_not.
    """
    if not _anybody_casts(fight):
        return fight
    for fighter in fight.fighters:
        casting = fighter.casting
        if casting is None or not (casting.is_begun or fighter.out):
            continue
        cause = yield from _cause(before, fight, fighter.character, harms)
        if cause:
            fight = yield from interrupt(fight, fighter.character, cause)
    fight = yield from _hard_falls(before, fight)
    return (yield from keep_up(fight))


def _anybody_casts(fight: Fight) -> bool:
    """Whether somebody casts or sustains a spell, so that anything can be broken off."""
    characters = fight.table.characters
    for fighter in fight.fighters:
        sheet = characters[fighter.character]
        if fighter.casting is not None or sheet.active_spells or sheet.distractions:
            return True
    return False


def _hard_falls(before: Fight, fight: Fight) -> Step[Fight]:
    """A hard fall threatens sustained spells; how hard it was is for the GM to say.

    sorcery.sustain.may_not; one set of Will tests is enough for what comes of one moment.
    """
    for fighter in fight.standing:
        name, sheet = fighter.character, fight.sheet(fighter.character)
        if not sheet.sustained or sheet.distractions:
            continue
        if not (before.fighter(name).posture is Posture.STANDING is not fighter.posture):
            continue
        prompt = f"{fight.name(name)} falls: hard enough to threaten sustained spells?"
        if (yield from consent(GM, "fell_hard", prompt, because="sorcery.sustain.may_not")):
            fight = fight.at((yield from threaten_spells(fight.table, name, "fell_hard")))
    return fight


def keep_up(fight: Fight) -> Step[Fight]:
    """The Will tests for sustained spells that are due (sorcery.sustain.concentration_test)."""
    for fighter in fight.fighters:
        if fight.sheet(fighter.character).distractions:
            fight = fight.at((yield from settle_distractions(fighter.character, fight.table)))
    return fight


def _cause(before: Fight, fight: Fight, character: str, harms: tuple[Harm, ...]) -> Step[str]:
    """What interrupts a caster, of what has happened to him since: a code of the table, or none.

    A wound of any level has a penalty (sorcery.amb.may_not_hurt). Who hesitates has failed a
    Steel test, or is held as if he had. A hit to the head may be one in the mouth, and a fall may
    be too much, as the GM says.
    """
    was, now = before.fighter(character), fight.fighter(character)
    if now.out:
        return UNCONSCIOUS
    if was_hurt(before.sheet(character), fight.sheet(character)):
        return "hurt"
    if now.hesitates > was.hesitates:
        return "failed_steel"
    if fight.lock_on(character) > before.lock_on(character):
        return "restrained"
    if shield_of(before.sheet(character)) is not None and shield_of(fight.sheet(character)) is None:
        return SHIELD_DESTROYED  # sorcery.shield.blasted_interrupts
    rule, name = "sorcery.interrupt.causes", fight.name(character)
    if was.posture is Posture.STANDING is not now.posture:
        prompt = f"{name} falls: is the spell interrupted?"
        if (yield from consent(GM, "interrupts", prompt, because=rule)):
            return "fell_hard"
    struck = [harm for harm in harms if harm.hit.character == character]
    if any(area_of(harm.hit.damage.location) == HEAD for harm in struck):
        prompt = f"{name} is hit in the mouth"
        if (yield from confirm_aside(GM, "hit_in_the_mouth", prompt, because=rule)):
            return "hit_in_the_mouth"
    return ""


def without_a_break(before: Fight, fight: Fight, acting: list[str]) -> Step[Fight]:
    """Who had an action in a slot and did not go on with his spell has broken it off.

    fight.magic.incant_cost, sorcery.interrupt.ruins.
    """
    for name in acting:
        casting = fight.fighter(name).casting
        if casting is None or not casting.is_begun or casting != before.fighter(name).casting:
            continue
        text = f"{fight.name(name)} does not go on with {casting.name}."
        yield from note(text, "fight.magic.incant_cost")
        fight = yield from interrupt(fight, name, BROKEN_OFF)
    return fight


def ruled_out(fight: Fight) -> Step[Fight]:
    """Anything else may interrupt a casting, if the GM says so: the list is open.

    sorcery.interrupt.causes.
    """
    for fighter in fight.standing:
        if fighter.casting is None or not fighter.casting.is_begun:
            continue
        prompt = f"Something else interrupts {fight.name(fighter.character)}'s casting"
        rule = "sorcery.interrupt.causes"
        if (yield from confirm_aside(GM, "other_interruption", prompt, because=rule)):
            fight = yield from interrupt(fight, fighter.character, "ruled")
    return fight


def forget_unbegun(fight: Fight) -> Fight:
    """The fight after a volley: what was declared and not begun is forgotten."""
    for each in fight.fighters:
        if each.declared:
            fight = fight.change(each.character, declared=())
    return fight
