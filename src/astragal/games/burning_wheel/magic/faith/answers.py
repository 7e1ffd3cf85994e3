"""What an answered prayer brings about, prayer by prayer.

Success is complete: there are no degrees, and only Aid makes anything of extra successes.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from astragal.play import GM, Step, Text, ask, note

from ...conditions.hesitation import STAND, hesitation_of, set_hesitation
from ...conditions.wounds import name_of, set_wound
from ...sheet.faiths import AnsweredPrayer, HolyPlace, Religion
from ...sheet.scene import BurningTable, Hesitation
from ...sheet.words import as_sentence, counted
from .holy_places import make_holy
from .prayer_tables import (
    AID,
    BLESSING,
    BOON,
    CONSECRATION,
    GUIDANCE,
    HINDRANCE,
    INSPIRATION,
    INTERCESSION,
    MINOR_MIRACLE,
    MIRACLE,
    PURIFICATION,
    PrayerKind,
)
from .religions import is_touched
from .requests import Pray, recipient
from .spell_breaking import break_casting, strip_spell


class PrayerRequest(msgspec.Struct, frozen=True, cache_hash=True):
    """A prayer that is about to be answered: what is asked for, in which faith, by what Faith.

    ``obstacle`` is that of the prayer, ``extra`` the successes over it.
    """

    arguments: Pray
    kind: PrayerKind
    religion: Religion
    faith: int
    intent: str
    obstacle: int
    extra: int = 0


class PrayerEffect(msgspec.Struct, frozen=True):
    """What of an answer is counted: dice, actions, those it holds, and what is revealed."""

    dice: int = 0
    actions: int = 0
    touched: tuple[str, ...] = ()
    revealed: str = ""


Answered = tuple[PrayerEffect, BurningTable]


def grant(request: PrayerRequest, table: BurningTable) -> Step[Answered]:
    """The favor asked for is granted, to all whom the faith touches.

    faith.pray.success, faith.pray.total_success, faith.setup.believer_or_infidel.
    """
    touched: tuple[str, ...] = ()
    for target in request.arguments.targets:
        own = target == request.arguments.character
        if own or (yield from is_touched(target, request.religion, table)):
            touched += (target,)
    if request.arguments.targets and not touched:
        return PrayerEffect(), table
    return (yield from _ANSWERS[request.kind.code](request, touched, table))


# --- Blessing, Aid, Boon -------------------------------------------------------------------


def _bless(request: PrayerRequest, _: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """+1D until one intent is played out (faith.prayer.blessing)."""
    return (yield from _give(request, 1, "faith.prayer.blessing", table))


def _aid(request: PrayerRequest, _: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """The extra successes become dice, which wait for the ability named.

    faith.prayer.aid, faith.prayer.aid_waits. Without any it succeeds and gives nothing
    (faith.amb.aid_zero_extra).
    """
    dice = request.extra if request.kind.extras_are_dice else 0
    if not dice:
        text = "The prayer is heard, but no dice are left over."
        yield from note(text, "faith.amb.aid_zero_extra")
        return PrayerEffect(), table
    return (yield from _give(request, dice, "faith.prayer.aid", table))


def _boon(request: PrayerRequest, _: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """An ability is open-ended until the scene is completed (faith.prayer.boon)."""
    return (yield from _give(request, 0, "faith.prayer.boon", table))


def _give(request: PrayerRequest, dice: int, rule: str, table: BurningTable) -> Step[Answered]:
    arguments = request.arguments
    who = recipient(arguments)
    sheet = table.character(who)
    ability = sheet.ability(arguments.ability).name
    answered = AnsweredPrayer(
        prayer=request.kind.code,
        ability=ability,
        dice=dice,
        by=arguments.character,
        intent=arguments.task if request.kind.code == BOON else request.intent,
        thing=arguments.thing,
        obstacle=request.obstacle,
    )
    given = f"+{dice}D" if dice else "open-ended until the scene ends"
    yield from note(f"{request.kind.name}: {sheet.name}'s {ability} is {given}.", rule)
    prayers = (*sheet.prayers, answered)
    table = yield from table.amend(who, "prayers", prayers, because=rule)
    return PrayerEffect(dice=dice, touched=(who,)), table


# --- Hindrance -----------------------------------------------------------------------------


def hindered_actions(faith: int) -> int:
    """Half of the priest's Faith exponent, in actions (faith.prayer.hindrance_effect).

    Rounded down, at least one (faith.amb.hindrance_rounding).

    >>> [hindered_actions(faith) for faith in (1, 4, 5)]
    [1, 2, 2]
    """
    return max(1, faith // 2)


def _hinder(
    request: PrayerRequest, touched: tuple[str, ...], table: BurningTable
) -> Step[Answered]:
    """The targets can neither move nor act, as if they stood and drooled.

    faith.prayer.hindrance_effect, faith.amb.hindrance_state: it is no failed Steel test and
    threatens no spell, but it breaks off a casting.
    """
    for casting in request.arguments.castings:
        if casting.casting.character in touched:
            table = yield from break_casting(casting, table)
    actions = hindered_actions(request.faith)
    rule = "faith.prayer.hindrance_effect"
    for target in touched:
        left = hesitation_of(table, target)
        beats = actions if left is None else max(left.heartbeats, actions)
        held = Hesitation(target, beats, STAND)
        if left is not None:
            reaction = left.reaction or STAND
            held = msgspec.structs.replace(left, heartbeats=beats, reaction=reaction)
        name = table.character(target).name
        yield from note(f"{name} can neither move nor act for {counted(actions, 'action')}.", rule)
        table = yield from set_hesitation(table, target, held, because=rule)
    return PrayerEffect(actions=actions, touched=touched), table


# --- What is revealed ----------------------------------------------------------------------


def _guide(_: PrayerRequest, __: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """The right way to go, literally or figuratively (faith.prayer.guidance)."""
    shown = yield from _reveal("Which way is right?", "faith.prayer.guidance")
    return PrayerEffect(revealed=shown), table


def _inspire(_: PrayerRequest, __: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """A revelation; the GM may reveal more, or other things, than was wished for.

    faith.prayer.inspiration.
    """
    prompt = "What is revealed? (It may be more, or something else)"
    shown = yield from _reveal(prompt, "faith.prayer.inspiration")
    return PrayerEffect(revealed=shown), table


def _reveal(prompt: str, rule: str) -> Step[str]:
    shown: str = yield from ask(GM, "revelation", prompt, Text(default=""), because=rule)
    if shown:
        yield from note(as_sentence(shown), rule)
    return shown


# --- Wonders -------------------------------------------------------------------------------


def _small_wonder(
    request: PrayerRequest, touched: tuple[str, ...], table: BurningTable
) -> Step[Answered]:
    """One small wonder: light, a broken blade made whole, a wound closed, a spell broken.

    faith.prayer.minor_miracle, faith.conflict.spellbreaker.
    """
    arguments, rule = request.arguments, "faith.prayer.minor_miracle"
    who = recipient(arguments)
    sheet = table.character(who)
    if arguments.wound:
        wound = sheet.wounds[arguments.wound - 1]
        yield from note(f"{sheet.name}'s {name_of(wound)} bleeds no more.", rule)
        table = yield from set_wound(table, who, arguments.wound - 1, clotted=True, because=rule)
    if arguments.thing:
        at = next(i for i, each in enumerate(sheet.weapons) if each.called == arguments.thing)
        yield from note(f"{sheet.name}'s {arguments.thing} is whole again.", rule)
        table = yield from table.amend(who, f"weapons.{at}.broken", False, because=rule)
    if arguments.spell:
        table = yield from strip_spell(who, arguments.spell, table)
    for casting in arguments.castings:
        table = yield from break_casting(casting, table, neutral=arguments.neutral)
    return PrayerEffect(touched=touched), table


def _purify(_: PrayerRequest, touched: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """Rot is driven out, all of it, or a lesser evil spirit (faith.prayer.purification)."""
    rule = "faith.prayer.purification"
    for target in touched:
        yield from note(f"{table.character(target).name} is driven out.", rule)
    if not touched:
        yield from note("The rot is driven out, all of it.", rule)
    return PrayerEffect(touched=touched), table


def _consecrate(request: PrayerRequest, _: tuple[str, ...], table: BurningTable) -> Step[Answered]:
    """A place is made holy (faith.prayer.consecration)."""
    arguments = request.arguments
    holy = HolyPlace(arguments.place.strip(), request.faith, arguments.character, request.obstacle)
    return PrayerEffect(), (yield from make_holy(holy, table))


def _great_wonder(
    request: PrayerRequest, touched: tuple[str, ...], table: BurningTable
) -> Step[Answered]:
    """The devotee or the danger is taken away; the god's power appears on the largest scale.

    faith.prayer.intercession, faith.prayer.miracle: what exactly happens is the intent.
    """
    text = as_sentence(f"{request.kind.name}: {request.intent or request.kind.effect}")
    yield from note(text, request.kind.rule)
    return PrayerEffect(touched=touched), table


_ANSWERS: dict[str, Callable[[PrayerRequest, tuple[str, ...], BurningTable], Step[Answered]]] = {
    BLESSING: _bless,
    AID: _aid,
    HINDRANCE: _hinder,
    BOON: _boon,
    GUIDANCE: _guide,
    MINOR_MIRACLE: _small_wonder,
    PURIFICATION: _purify,
    CONSECRATION: _consecrate,
    INSPIRATION: _inspire,
    INTERCESSION: _great_wonder,
    MIRACLE: _great_wonder,
}
