"""Casting, praying or bearing pain in a duel, in the place of a verbal action.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``). Such an act is
scripted like an action and is no defence (duel_of_wits.amb.other_acts_in_a_volley). A spell of 20
actions or fewer fits one volley (duel_of_wits.link.spells); for a longer one the volleys before it
are spent on nothing else (sorcery.amb.rc_over_60).
"""

from __future__ import annotations

import msgspec

from astragal.play import Option, Step, Text, ask, call, choose, note

from ...conditions.hesitation import hesitation_of, set_hesitation
from ...conditions.spell_tax import shield_of
from ...conditions.wounds import was_hurt
from ...magic.faith.in_conflict import choose_prayer, may_pray
from ...magic.faith.praying import PrayerAnswer, offer_prayer
from ...magic.faith.requests import Pray
from ...magic.sorcery.casting_time import duel_volleys
from ...magic.sorcery.countering import choose_counter, settle_counter
from ...magic.sorcery.in_conflict import PeopleAround, castable_spells, declare_in_conflict
from ...magic.sorcery.interruption import InterruptSpell, lose_spell
from ...magic.sorcery.raising import CastOutcome, RaisedSpell, raise_declared, settle_casting
from ...magic.sorcery.sustaining import SHIELD_DESTROYED, settle_distractions
from ...sheet.catalogue_keys import key_of
from ...sheet.words import counted
from .bearing_pain import WAYS, bear_pain, ways
from .state import Duel, SpellInDuel, closed

RULE = "duel_of_wits.amb.other_acts_in_a_volley"
WORDS, PRAY = "words", "pray"


class OtherAct(msgspec.Struct, frozen=True):
    """What a speaker does instead of speaking: casts, prays, bears pain, or none of these."""

    casts: bool = False
    prayer: Pray | None = None
    pain: str = ""


def choose_act(duel: Duel, side: int) -> Step[tuple[Duel, OtherAct]]:
    """What the card stands for: a spell, a prayer, or anything else, in words."""
    name = duel.debate.speakers[side].character
    sheet, casting = duel.table.character(name), duel.castings[side]
    if casting is not None:
        return duel, OtherAct(casts=True)
    around = PeopleAround(name, (duel.debate.speakers[1 - side].character,))
    spells = {f"spell:{key_of(spell.name)}": spell for spell in castable_spells(sheet)}
    options = [Option(WORDS, "Something else", RULE)]
    options += [Option(key, f"Cast {spell.name}", RULE) for key, spell in spells.items()]
    if may_pray(sheet):
        options.append(Option(PRAY, "Pray", RULE))
    options += ways(name, duel.table)
    chosen = WORDS
    if len(options) > 1:
        chosen = yield from choose(
            duel.seat(side), "act", f"{duel.name(side)}, instead of speaking", options,
            default=WORDS, because=RULE,
        )  # fmt: skip
    if chosen in spells:
        declared, table = yield from declare_in_conflict(around, spells[chosen], duel.table)
        before = duel_volleys(declared.method.actions, duel.table.options)
        begun = SpellInDuel(declared, before)
        return _with_casting(duel.on(table), side, begun), OtherAct(casts=True)
    if chosen == PRAY:
        prayer = yield from choose_prayer(around, _castings(duel, 1 - side), duel.table)
        return duel, OtherAct(prayer=prayer)
    if chosen in WAYS:
        return duel, OtherAct(pain=chosen)
    act = yield from ask(
        duel.seat(side),
        "other_act",
        f"{duel.name(side)}: what instead of speaking?",
        Text(required=True, default="something else"),
        because=RULE,
        kind="aside",
    )
    yield from note(f"{duel.name(side)}, instead of speaking: {closed(act)}", RULE)
    return duel, OtherAct()


def _castings(duel: Duel, side: int) -> tuple[InterruptSpell, ...]:
    """The long spell of a side, as far as it was cast before this volley, for a prayer to break."""
    casting = duel.castings[side]
    if casting is None or not casting.done:
        return ()
    broken = InterruptSpell(casting.declared.arguments, "restrained", casting.done, volleys=True)
    return (broken,)


def _with_casting(duel: Duel, side: int, casting: SpellInDuel | None) -> Duel:
    castings = (casting, duel.castings[1]) if side == 0 else (duel.castings[0], casting)
    return msgspec.structs.replace(duel, castings=castings)


def break_off(duel: Duel, side: int) -> Step[Duel]:
    """Who speaks, or loses a volley, in the middle of a long spell has lost it.

    sorcery.interrupt.ruins, sorcery.amb.interrupt_rounding.
    """
    casting = duel.castings[side]
    if casting is None:
        return duel
    return (yield from _lose(duel, side, "broken_off", casting.done))


def _lose(duel: Duel, side: int, cause: str, done: int) -> Step[Duel]:
    """A casting is lost: Tax for the volleys that were ``done``, and a Failed Casting."""
    casting = duel.castings[side]
    assert casting is not None
    duel = _with_casting(duel, side, None)
    arguments = InterruptSpell(casting.declared.arguments, cause, done, volleys=True)
    _, table = yield from call(lose_spell, casting.declared, arguments, duel.table)
    return duel.on(table)


def interrupt_spells(before: Duel, duel: Duel) -> Step[Duel]:
    """Who is hurt in a volley, or loses his shield, loses the long spell that he is casting.

    sorcery.interrupt.causes, sorcery.shield.blasted_interrupts; the volley in which it happens is
    not a completed one (sorcery.amb.interrupt_rounding).
    """
    for side, speaker in enumerate(duel.debate.speakers):
        if duel.castings[side] is None:
            continue
        was, now = (each.table.character(speaker.character) for each in (before, duel))
        blasted = shield_of(was) is not None and shield_of(now) is None
        if not blasted and not was_hurt(was, now):
            continue
        begun = before.castings[side]
        cause = SHIELD_DESTROYED if blasted else "hurt"
        duel = yield from _lose(duel, side, cause, 0 if begun is None else begun.done)
    return duel


def keep_up(duel: Duel) -> Step[Duel]:
    """The Will tests for sustained spells that are due (sorcery.sustain.concentration_test)."""
    for speaker in duel.debate.speakers:
        if duel.table.character(speaker.character).distractions:
            duel = duel.on((yield from settle_distractions(speaker.character, duel.table)))
    return duel


def carry_out(
    duel: Duel, acts: tuple[OtherAct | None, OtherAct | None]
) -> Step[tuple[Duel, tuple[int, int]]]:
    """What both sides do instead of speaking, and who loses the next volley by it."""
    if all(act is not None and act.casts for act in acts) and _both_complete(duel):
        return (yield from _cast_both(duel))
    lost = [0, 0]
    for side, act in enumerate(acts):
        if act is not None:
            duel, more = yield from _carry_out_one(duel, side, act)
            lost = [max(lost[0], more[0]), max(lost[1], more[1])]
    return duel, (lost[0], lost[1])


def _carry_out_one(duel: Duel, side: int, act: OtherAct) -> Step[tuple[Duel, tuple[int, int]]]:
    """The spell, the prayer or the pain of one side."""
    if act.prayer is not None:
        return (yield from _pray(duel, side, act.prayer))
    if act.pain:
        return (yield from bear_pain(duel, side, act.pain)), (0, 0)
    casting = duel.castings[side]
    if not act.casts or casting is None:
        return duel, (0, 0)
    if casting.left:
        left = counted(casting.left, "volley")
        text = f"{duel.name(side)} is casting {casting.declared.spell.name}: {left} to go."
        yield from note(text, "sorcery.amb.rc_over_60")
        return _with_casting(duel, side, msgspec.structs.replace(casting, done=casting.done + 1)), (
            0,
            0,
        )
    raised, duel = yield from _raise(duel, side, casting)
    outcome, table = yield from call(settle_casting, raised, duel.table)
    return (yield from _struck(duel.on(table), outcome))


# --- Casting -----------------------------------------------------------------------------------


def _raise(duel: Duel, side: int, casting: SpellInDuel) -> Step[tuple[RaisedSpell, Duel]]:
    """The casting test and Tax."""
    duel = _with_casting(duel, side, None)
    table = yield from settle_distractions(duel.debate.speakers[side].character, duel.table)
    raised, table = yield from call(raise_declared, casting.declared, table)
    return raised, duel.on(table)


def _both_complete(duel: Duel) -> bool:
    """Whether both sides complete a spell in this volley."""
    return all(casting is not None and not casting.left for casting in duel.castings)


def _cast_both(duel: Duel) -> Step[tuple[Duel, tuple[int, int]]]:
    """Two spells of one volley: both are rolled before either takes effect.

    One of them may be the counter-spell of the other (sorcery.counter.timing); else each has its
    own effect.
    """
    one, other = duel.castings
    assert one is not None
    assert other is not None
    names = [speaker.character for speaker in duel.debate.speakers]
    spells = (one.declared.spell, other.declared.spell)
    counter = None
    for side in (0, 1):
        others = {names[1 - side]: spells[1 - side]}
        if (yield from choose_counter(names[side], spells[side], others, duel.table)):
            counter = side
            break
    first, duel = yield from _raise(duel, 0, one)
    second, duel = yield from _raise(duel, 1, other)
    raised = (first, second)
    if counter is not None:
        met, table = yield from call(
            settle_counter, raised[1 - counter], raised[counter], duel.table
        )
        duel, outcomes = duel.on(table), [met.spell, met.counter]
    else:
        outcomes = []
        for each in raised:
            outcome, table = yield from call(settle_casting, each, duel.table)
            duel = duel.on(table)
            outcomes.append(outcome)
    lost = [0, 0]
    for outcome in outcomes:
        duel, more = yield from _struck(duel, outcome)
        lost = [max(lost[0], more[0]), max(lost[1], more[1])]
    return duel, (lost[0], lost[1])


def _struck(duel: Duel, outcome: CastOutcome) -> Step[tuple[Duel, tuple[int, int]]]:
    """Whom a spell has shaken or held, and who loses the next volley by it."""
    duel, lost = yield from _held(duel)
    frightened = [0, 0]
    for hit in () if outcome.effect is None else outcome.effect.hits:
        steel = hit.hurt.steel if hit.hurt is not None else hit.steel
        if steel is not None and steel.tested and not steel.passed:
            whose = [speaker.character for speaker in duel.debate.speakers].index(hit.character)
            frightened[whose] = 1
            text = f"{duel.name(whose)} loses the next volley."
            yield from note(text, "duel_of_wits.amb.incite_hesitation_length")
    return duel, (max(lost[0], frightened[0]), max(lost[1], frightened[1]))


# --- Praying -----------------------------------------------------------------------------------


def _pray(duel: Duel, side: int, prayer: Pray) -> Step[tuple[Duel, tuple[int, int]]]:
    """A prayer, and what becomes of the casting that it breaks off.

    faith.conflict.spellbreaker: one that is completed in the same volley is cast all the same.
    """
    casting = duel.castings[1 - side]
    if prayer.castings and (casting is None or not casting.left):
        text = f"{duel.name(side)}'s prayer comes too late."
        yield from note(text, "faith.conflict.spellbreaker")
        return duel, (0, 0)
    outcome, table = yield from call(offer_prayer, prayer, duel.table)
    duel = duel.on(table)
    if outcome.answer is PrayerAnswer.GRANTED:
        for broken in prayer.castings:
            if broken.casting.character in outcome.touched:
                duel = _with_casting(duel, 1 - side, None)
    return (yield from _held(duel))


def _held(duel: Duel) -> Step[tuple[Duel, tuple[int, int]]]:
    """Whom a prayer holds, or what else has shaken, loses the next volley."""
    lost = [0, 0]
    for side, speaker in enumerate(duel.debate.speakers):
        if hesitation_of(duel.table, speaker.character) is None:
            continue
        because = "steel.amb.heartbeats_in_scripts"
        table = yield from set_hesitation(duel.table, speaker.character, None, because=because)
        duel, lost[side] = duel.on(table), 1
        text = f"{duel.name(side)} loses the next volley."
        yield from note(text, "duel_of_wits.amb.incite_hesitation_length")
    return duel, (lost[0], lost[1])
