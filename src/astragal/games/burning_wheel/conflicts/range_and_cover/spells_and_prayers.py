"""Spells and prayers in a skirmish: what is begun, cast, answered, and what interrupts it.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). A spell of 20
actions or fewer fits into one volley (sorcery.time.volley_20); a longer one takes volleys of
Maintain first (sorcery.time.rc_over_20, sorcery.time.rc_over_40). It is cast only after the
positioning test is won, for one success, or tied.
"""

from __future__ import annotations

import msgspec

from astragal.play import Line, Option, Step, call, choose, note

from ...conditions.hesitation import STAND, hesitation_of, set_hesitation
from ...conditions.spell_tax import shield_of
from ...conditions.wounds import was_hurt
from ...magic.faith.in_conflict import choose_prayer, may_pray
from ...magic.faith.prayer_tables import prayer_named
from ...magic.faith.praying import PrayerAnswer, offer_prayer
from ...magic.sorcery.casting_time import maintain_volleys
from ...magic.sorcery.countering import choose_counter, settle_counter
from ...magic.sorcery.in_conflict import PeopleAround, castable_spells, declare_in_conflict
from ...magic.sorcery.interruption import InterruptSpell, lose_spell
from ...magic.sorcery.methods import fewest_actions
from ...magic.sorcery.raising import CastOutcome, RaisedSpell, raise_declared, settle_casting
from ...magic.sorcery.sustaining import SHIELD_DESTROYED, UNCONSCIOUS, settle_distractions
from ...sheet.catalogue_keys import key_of
from ...sheet.spells import Spell
from ...sheet.words import counted
from .hesitation import after_steel, begin
from .maneuvers import MAINTAIN, maneuver
from .shots import leave_if_felled
from .state import Skirmish, SpellAtRange

CAST, PRAY = "cast", "pray"
BROKEN_OFF = "broken_off"


class MagicAct(msgspec.Struct, frozen=True):
    """Who casts the spell that is ready, or prays, and how many of its targets have ducked."""

    character: str
    what: str


class RaisedAtRange(msgspec.Struct, frozen=True):
    """A spell that was rolled, and whose spell it counters."""

    raised: RaisedSpell
    counters: str = ""

    @property
    def character(self) -> str:
        """Who has cast it."""
        return self.raised.declared.arguments.character


# --- Before positioning ------------------------------------------------------------------------


def declare_magic(skirmish: Skirmish, cards: tuple[str, str]) -> Step[Skirmish]:
    """Everybody who can act may begin a spell, or pray, when the maneuvers are shown.

    sorcery.method.declare_before_positioning. A spell that was begun goes on; while it is only
    prepared, its caster has to Maintain (sorcery.time.rc_over_20), and in the volley in which it
    is cast may do anything (sorcery.time.rc_casting_volley_free).
    """
    for side in (0, 1):
        if not cards[side]:
            continue
        for each in skirmish.active(side):
            if each.is_hesitating:
                continue
            name, casting = each.character, each.casting
            maintains = maneuver(cards[side]).intent == MAINTAIN
            if casting is not None and casting.left and not maintains:
                text = f"{skirmish.name(name)} does not go on with {casting.name}."
                yield from note(text, "sorcery.time.rc_over_20")
                skirmish = yield from interrupt(skirmish, name, BROKEN_OFF)
            elif casting is None:
                skirmish = yield from _begin_spell(skirmish, name, maintains=maintains)
            if skirmish.one(name).casting is None and may_pray(skirmish.sheet(name)):
                prayer = yield from choose_prayer(
                    around(skirmish, name), _castings(skirmish, name), skirmish.table
                )
                skirmish = skirmish.change(name, prayer=prayer)
    return skirmish


def around(skirmish: Skirmish, character: str) -> PeopleAround:
    """Those among whom somebody casts or prays."""
    side = skirmish.one(character).side
    foes = tuple(each.character for each in skirmish.active(1 - side))
    friends = tuple(e.character for e in skirmish.active(side) if e.character != character)
    return PeopleAround(character, foes, friends)


def _castings(skirmish: Skirmish, character: str) -> tuple[InterruptSpell, ...]:
    """The castings of opponents that a prayer could break off."""
    return tuple(
        InterruptSpell(each.casting.declared.arguments, "restrained", each.casting.done, True)
        for each in skirmish.active(1 - skirmish.one(character).side)
        if each.casting is not None
    )


def _begin_spell(skirmish: Skirmish, character: str, *, maintains: bool) -> Step[Skirmish]:
    """Which spell somebody begins, if any; a long one only while the side Maintains.

    Haste may make it short enough to be cast on the move (sorcery.method.hastily).
    """
    rule = "sorcery.duel.normal_maneuvers"
    options = [Option("none", "No spell", rule)]
    spells: dict[str, Spell] = {}
    for spell in castable_spells(skirmish.sheet(character)):
        volleys = maintain_volleys(spell.actions)
        if (
            maintain_volleys(fewest_actions(spell.actions))
            and not maintains
            and not spell.times_obstacle
        ):
            continue
        spells[key_of(spell.name)] = spell
        before = f"{counted(volleys, 'volley')} of Maintain first" if volleys else ""
        options.append(Option(key_of(spell.name), spell.name, rule, note=before))
    if not spells:
        return skirmish
    chosen = yield from choose(
        skirmish.seat(character),
        "spell",
        f"{skirmish.name(character)} casts",
        options,
        default="none",
        because=rule,
        kind="aside" if skirmish.one(character).weapon else "offered",
    )
    if chosen == "none":
        return skirmish
    declared, table = yield from declare_in_conflict(
        around(skirmish, character), spells[chosen], skirmish.table
    )
    casting = SpellAtRange(declared, maintain_volleys(declared.method.actions))
    if casting.left and not maintains:
        text = f"{spells[chosen].name} takes too long to be cast on the move."
        yield from note(text, "sorcery.time.rc_over_20")
        return skirmish.on(table)
    return skirmish.on(table).change(character, casting=casting)


# --- Casting -----------------------------------------------------------------------------------


def may_cast(skirmish: Skirmish, character: str) -> bool:
    """Whether somebody has a spell ready to be cast in this volley."""
    casting = skirmish.one(character).casting
    return casting is not None and not casting.left


def raise_spells(
    skirmish: Skirmish, acts: tuple[MagicAct, ...], ducking: tuple[str, ...]
) -> Step[tuple[Skirmish, tuple[RaisedAtRange, ...]]]:
    """All spells of a volley are rolled before any takes effect.

    A target that has ducked makes it harder (sorcery.duel.rc_tie). Two of opposite sides may be
    spell and counter-spell (sorcery.counter.timing).
    """
    casting = [act.character for act in acts if act.what == CAST]
    counters = yield from _counters(skirmish, casting)
    raised: tuple[RaisedAtRange, ...] = ()
    for name in casting:
        underway = skirmish.one(name).casting
        assert underway is not None
        declared = underway.declared
        if set(declared.arguments.targets) & set(ducking):
            line = Line(1, "ducking", "sorcery.duel.rc_tie")
            declared = msgspec.structs.replace(declared, obstacle=declared.obstacle + line)
        table = yield from settle_distractions(name, skirmish.table)
        found, table = yield from call(raise_declared, declared, table)
        skirmish = skirmish.on(table).change(name, casting=None)
        raised += (RaisedAtRange(found, counters.get(name, "")),)
    return skirmish, raised


def _counters(skirmish: Skirmish, casting: list[str]) -> Step[dict[str, str]]:
    """Who casts a counter-spell against whose spell (sorcery.counter.principle)."""
    found: dict[str, str] = {}
    for name in casting:
        own = skirmish.one(name).casting
        assert own is not None
        others = {}
        for other in casting:
            theirs = skirmish.one(other).casting
            if theirs is None or other in found or other in found.values():
                continue
            if skirmish.one(other).side != skirmish.one(name).side:
                others[other] = theirs.declared.spell
        against = yield from choose_counter(name, own.declared.spell, others, skirmish.table)
        if against:
            found[name] = against
    return found


def take_effect(skirmish: Skirmish, raised: tuple[RaisedAtRange, ...]) -> Step[Skirmish]:
    """The spells of a volley take effect, after all dice of it."""
    done: list[str] = []
    for spell in raised:
        if spell.character in done or any(
            spell.counters == each.character for each in raised if each.character not in done
        ):
            continue
        counter = next((each for each in raised if each.counters == spell.character), None)
        if counter is None:
            outcome, table = yield from call(settle_casting, spell.raised, skirmish.table)
            outcomes = [(spell.character, outcome)]
        else:
            both, table = yield from call(
                settle_counter, spell.raised, counter.raised, skirmish.table
            )
            outcomes = [(spell.character, both.spell), (counter.character, both.counter)]
        skirmish = skirmish.on(table)
        for character, came in outcomes:
            done.append(character)
            skirmish = yield from _struck(skirmish, came)
    return skirmish


def _struck(skirmish: Skirmish, outcome: CastOutcome) -> Step[Skirmish]:
    """What a spell has done to people: Steel, and who is out of it."""
    for hit in () if outcome.effect is None else outcome.effect.hits:
        suffered = hit.hurt or hit.steel
        if suffered is not None:
            skirmish = yield from after_steel(skirmish, hit.character, suffered)
    return (yield from _taken_over(skirmish))


def _taken_over(skirmish: Skirmish) -> Step[Skirmish]:
    """Hesitation that magic has left in the scene costs the next volley here.

    range_and_cover.amb.hesitation_length.
    """
    for each in skirmish.skirmishers:
        left = hesitation_of(skirmish.table, each.character)
        if left is not None:
            because = "steel.amb.heartbeats_in_scripts"
            table = yield from set_hesitation(skirmish.table, each.character, None, because=because)
            skirmish = yield from begin(
                skirmish.on(table), each.character, 1, left.reaction or STAND
            )
    return (yield from leave_if_felled(skirmish, tuple(e.character for e in skirmish.skirmishers)))


# --- Praying -----------------------------------------------------------------------------------


def pray(skirmish: Skirmish, acts: tuple[MagicAct, ...]) -> Step[Skirmish]:
    """The prayers of a volley are rolled; those who are held lose the next one.

    faith.amb.rc_use, faith.prayer.hindrance_effect.
    """
    for act in acts:
        prayer = skirmish.one(act.character).prayer
        if act.what != PRAY or prayer is None:
            continue
        if any(skirmish.one(each.casting.character).casting is None for each in prayer.castings):
            # A spell that is cast in the same volley cannot be broken off any more.
            text = f"{skirmish.name(act.character)}'s prayer comes too late."
            yield from note(text, "faith.conflict.spellbreaker")
            continue
        outcome, table = yield from call(offer_prayer, prayer, skirmish.table)
        skirmish = skirmish.on(table)
        if outcome.answer is PrayerAnswer.GRANTED:
            for broken in prayer.castings:
                caster = broken.casting.character
                if caster in outcome.touched:  # faith.setup.believer_or_infidel
                    skirmish = skirmish.change(caster, casting=None)
        skirmish = yield from _taken_over(skirmish)
    return skirmish


# --- Afterwards --------------------------------------------------------------------------------


def interrupt(skirmish: Skirmish, character: str, cause: str) -> Step[Skirmish]:
    """A casting is lost: Tax for the volleys that were done, and a Failed Casting.

    sorcery.interrupt.tax, sorcery.amb.interrupt_rounding: of one volley it is half of it.
    """
    casting = skirmish.one(character).casting
    assert casting is not None
    skirmish = skirmish.change(character, casting=None)
    if skirmish.sheet(character).dead:
        return skirmish
    arguments = InterruptSpell(casting.declared.arguments, cause, casting.done, volleys=True)
    _, table = yield from call(lose_spell, casting.declared, arguments, skirmish.table)
    return (yield from _taken_over(skirmish.on(table)))


def _cause(before: Skirmish, skirmish: Skirmish, character: str) -> str:
    """What has interrupted a caster in a volley, if anything (sorcery.interrupt.causes)."""
    one, was, now = skirmish.one(character), before.sheet(character), skirmish.sheet(character)
    if one.out:
        return UNCONSCIOUS
    if was_hurt(was, now):
        return "hurt"
    if one.hesitates > before.one(character).hesitates:
        return "failed_steel"
    blasted = shield_of(was) is not None and shield_of(now) is None
    return SHIELD_DESTROYED if blasted else ""  # sorcery.shield.blasted_interrupts


def after_volley(before: Skirmish, skirmish: Skirmish, cards: tuple[str, str]) -> Step[Skirmish]:
    """At the end of a volley: what was interrupted, what goes on, and tests for sustained spells.

    sorcery.interrupt.causes; a spell of one volley that could not be cast in it, as the test was
    lost, has to be begun again (sorcery.duel.rc_lose).
    """
    for each in skirmish.skirmishers:
        name, casting = each.character, each.casting
        if casting is None:
            continue
        cause = _cause(before, skirmish, name)
        if cause:
            skirmish = yield from interrupt(skirmish, name, cause)
        elif casting.left and cards[each.side]:
            on = msgspec.structs.replace(casting, done=casting.done + 1)
            skirmish = skirmish.change(name, casting=on)
        elif not casting.before:
            skirmish = skirmish.change(name, casting=None)
    for each in skirmish.skirmishers:
        if skirmish.sheet(each.character).distractions:
            table = yield from settle_distractions(each.character, skirmish.table)
            skirmish = skirmish.on(table)
        if each.prayer is not None:
            skirmish = skirmish.change(each.character, prayer=None)
    return skirmish


def what_is_ready(skirmish: Skirmish, character: str) -> tuple[Option, ...]:
    """A spell to be cast or a prayer to be spoken in this volley, as options."""
    found: tuple[Option, ...] = ()
    one = skirmish.one(character)
    if one.casting is not None and may_cast(skirmish, character):
        rule = "sorcery.duel.rc_win_spend_to_cast"
        found += (Option(CAST, f"Cast {one.casting.name}", rule),)
    if one.prayer is not None:
        name = prayer_named(one.prayer.prayer).name
        found += (Option(PRAY, f"Pray for {name}", "faith.amb.rc_use"),)
    return found
