"""Casting in a fight: action after action, the roll, and what the spell does to the fighters.

A section of the chapter on Fight! (``conflicts/fight/fight``). The test, Tax and the effect are
those of ``magic/sorcery``. All spells of a moment are rolled before any of them takes effect, and
one that is completed in the moment in which its caster is hurt is cast all the same.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from astragal.play import Step, call, note

from ...conditions.hesitation import STAND, hesitation_of, set_hesitation
from ...conditions.spell_tax import will_left
from ...magic.sorcery.casting import DeclaredSpell, NaturalDefense, SpellAvoidance
from ...magic.sorcery.countering import settle_counter
from ...magic.sorcery.coup_de_magie import hold_on
from ...magic.sorcery.in_conflict import why_not_cast
from ...magic.sorcery.interruption import InterruptSpell, lose_spell
from ...magic.sorcery.positioning import SHORTEST
from ...magic.sorcery.raising import CastOutcome, raise_declared, settle_casting
from ...magic.sorcery.reach import is_touch
from ...magic.sorcery.sustaining import end_spell, settle_distractions
from ...magic.sorcery.targets import RESISTING, SpellHit
from ...sheet.catalogue_keys import key_of
from ...sheet.spells import CONTROL, NATURAL, Spell
from ...sheet.words import counted
from ...tests.attempts import throw_attempt
from ...tests.conclusions import after_test
from .acts import lost
from .consequences import apply_effects
from .distance import Distance, distance_at
from .gathering import RollKind, burdens, is_immobilized, is_usable, lock_lines
from .grappling import throw_effects
from .harm import Harm, leave_if_felled
from .hesitation import after_steel, drop_weapon, hesitate
from .spells import HOLD, INCANT, declare, is_hold, spell_on_card
from .state import Fight, FightDeed, Posture, SpellUnderway, WaitingSpell
from .strikes import avoid_roll

THROW = "throw_opponent"
BROKEN_OFF = "broken_off"
"""The caster does something else, or nothing."""


def is_casting(card: str) -> bool:
    """Whether a card is an action of a spell that is on the sheet."""
    return card.startswith(f"{INCANT}:") or is_hold(card)


# --- The actions -------------------------------------------------------------------------------


def cast_on(fight: Fight, deeds: tuple[FightDeed, ...]) -> Step[Fight]:
    """Each who casts in a moment does one action of it; what is completed is rolled at once.

    sorcery.time.fight: whoever has won or lost the positioning test
    (sorcery.duel.fight_win_or_lose). What does not fit into the exchange goes on in the next
    (sorcery.time.carries_over).
    """
    for deed in deeds:
        if not is_casting(deed.card):
            continue
        fight = yield from _break_off_another(fight, deed)
        fighter = fight.fighter(deed.character)
        if fighter.out or fighter.is_hesitating:  # by what the lost spell has done
            continue
        act = _withhold if is_hold(deed.card) else _one_action
        fight = yield from act(fight, deed)
    return fight


def _break_off_another(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Who goes on to another spell has broken off the one that was begun.

    sorcery.interrupt.ruins.
    """
    begun, sheet = fight.fighter(deed.character).casting, fight.sheet(deed.character)
    spell = spell_on_card(sheet, deed.card) or spell_on_card(sheet, deed.card, HOLD)
    if begun is None or not begun.is_begun or spell is None or spell.name == begun.name:
        return fight
    return (yield from interrupt(fight, deed.character, BROKEN_OFF))


def _one_action(fight: Fight, deed: FightDeed) -> Step[Fight]:
    character, rule = deed.character, "fight.magic.incant_cost"
    spell = spell_on_card(fight.sheet(character), deed.card)
    if spell is None:
        return (yield from lost(fight, character, "no such spell", rule))
    casting, fight = yield from _under_way(fight, character, spell)
    if casting is None:
        why, rule = why_not_cast(fight.sheet(character), spell)
        return (yield from lost(fight, character, f"{spell.name}: {why}", rule))
    skill = casting.declared.arguments.skill
    if fight.lock_on(character) >= fight.sheet(character).ability(skill).exponent:
        return (yield from lost(fight, character, f"no dice of {skill}", "fight.lock.skill_zero"))
    casting = msgspec.structs.replace(casting, done=casting.done + 1)
    if casting.left > 0:
        said = counted(casting.left, "action")
        yield from note(f"{fight.name(character)} is casting {spell.name}: {said} to go.", rule)
        return fight.change(character, casting=casting)
    return (yield from _roll(fight.change(character, casting=None), casting))


def _under_way(
    fight: Fight, character: str, spell: Spell, *, held: bool = False
) -> Step[tuple[SpellUnderway | None, Fight]]:
    """The casting that this action is a part of: the one begun, the one declared, or a new one.

    ``held`` says that it is begun by holding its end.
    """
    fighter = fight.fighter(character)
    if fighter.casting is not None and fighter.casting.name == spell.name:
        return fighter.casting, fight
    if why_not_cast(fight.sheet(character), spell)[0]:
        return None, fight
    for each in fighter.declared:
        if each.name == spell.name:
            left = tuple(other for other in fighter.declared if other is not each)
            return each, fight.change(character, declared=left)
    return (yield from declare(fight, character, spell, held=held))


def _roll(fight: Fight, casting: SpellUnderway) -> Step[Fight]:
    """The last action: the casting test with what the fight adds to it, and Tax.

    An Avoid in the same volley makes the casting harder, not Tax (sorcery.amb.avoid_then_cast).
    """
    declared = _while_locked(fight, casting.declared)
    character = declared.arguments.character
    _, harder = burdens(fight, character, RollKind.OTHER, INCANT)
    declared = msgspec.structs.replace(declared, obstacle=declared.obstacle + harder)
    table = yield from settle_distractions(character, fight.table)
    raised, table = yield from call(raise_declared, declared, table)
    waiting = (*fight.raised, WaitingSpell(raised, casting.counters))
    return msgspec.structs.replace(fight.at(table), raised=waiting)


def _while_locked(fight: Fight, declared: DeclaredSpell) -> DeclaredSpell:
    """What a Lock takes from a casting, by its skill, and from Tax, as Forte is physical.

    fight.lock.penalty_on_actions.
    """
    character, skill = declared.arguments.character, declared.arguments.skill
    return msgspec.structs.replace(
        declared,
        dice=lock_lines(fight, character, RollKind.OTHER, INCANT, skill),
        forte=lock_lines(fight, character, RollKind.OTHER, INCANT, "Forte"),
    )


def _withhold(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Coup de Magie: the last action of a spell is withheld for as many as there are Will dice.

    sorcery.coup.hold; for longer by a test of Will (sorcery.coup.concentration), and who fails it
    loses the spell without more ado (sorcery.coup.fail). Nothing else is done meanwhile
    (sorcery.coup.full_focus). The only action of a short spell is its last one
    (sorcery.amb.coup_roll_and_release), so its card names the spell.
    """
    character, rule = deed.character, "sorcery.coup.hold"
    casting = fight.fighter(character).casting
    spell = spell_on_card(fight.sheet(character), deed.card, HOLD)
    if spell is not None:
        casting, fight = yield from _under_way(fight, character, spell, held=True)
        if casting is None:
            why, rule = why_not_cast(fight.sheet(character), spell)
            return (yield from lost(fight, character, f"{spell.name}: {why}", rule))
    if casting is None:
        return (yield from lost(fight, character, "no spell to hold", rule))
    if casting.left != 1:
        why = f"{casting.name} cannot be held yet: {counted(casting.left, 'action')} to go"
        return (yield from lost(fight, character, why, rule))
    held = casting.held + 1
    each = max(1, will_left(fight.sheet(character)))
    number = (held + each - 1) // each
    if number > 1 and (held - 1) % each == 0:
        kept, table = yield from hold_on(character, casting.name, number, fight.table)
        fight = fight.at(table)
        if not kept:
            yield from note(f"{casting.name} is lost.", "sorcery.coup.fail")
            return fight.change(character, casting=None)
    yield from note(f"{fight.name(character)} holds {casting.name}.", "sorcery.coup.hold")
    return fight.change(character, casting=msgspec.structs.replace(casting, held=held))


def drop(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """Let a sustained spell go: one action.

    fight.magic.drop_spell, sorcery.sustain.drop_action; a shield that is dropped in time does no
    harm (sorcery.shield.voluntary_drop).
    """
    character, key = deed.character, deed.card.partition(":")[2]
    for each in fight.sheet(character).sustained:
        if key_of(each.name) == key:
            rule = "sorcery.sustain.drop_action"
            table = yield from end_spell(fight.table, character, each.name, rule)
            return fight.at(table)
    return (yield from lost(fight, character, "no such spell", "fight.magic.drop_spell"))


# --- What comes of it --------------------------------------------------------------------------


def take_effects(
    fight: Fight,
    avoiding: Mapping[FightDeed, int | None],
    *,
    at_end: bool = False,
) -> Step[tuple[Fight, tuple[Harm, ...]]]:
    """The spells that were rolled take effect, and the harm of those that throw.

    One against which a counter-spell of this volley is still to come waits for it, and so does a
    counter-spell for its spell, until the volley ends (sorcery.counter.timing). ``avoiding`` are
    the Avoids of the moment, with their successes as far as they were rolled.
    """
    harms: tuple[Harm, ...] = ()
    while True:
        spell = next((each for each in fight.raised if at_end or not _waits(fight, each)), None)
        if spell is None:
            return fight, harms
        counter = next((each for each in fight.raised if each.counters == spell.character), None)
        gone = (spell, counter)
        left = tuple(each for each in fight.raised if each not in gone)
        fight = msgspec.structs.replace(fight, raised=left)
        spell, fight = yield from _aimed(fight, spell, avoiding)
        if counter is None:
            outcome, table = yield from call(settle_casting, spell.raised, fight.table)
            outcomes = [(spell.character, outcome)]
        else:
            counter, fight = yield from _aimed(fight, counter, avoiding)
            both, table = yield from call(settle_counter, spell.raised, counter.raised, fight.table)
            outcomes = [(spell.character, both.spell), (counter.character, both.counter)]
        fight = yield from take_over(fight.at(table))
        for character, outcome in outcomes:
            fight, more = yield from _struck(fight, character, outcome)
            harms += more


def _waits(fight: Fight, spell: WaitingSpell) -> bool:
    """Whether a spell waits for its counter-spell, or a counter-spell for what it counters."""
    for each in fight.standing:
        casting = each.casting
        underway = (*((casting,) if casting is not None else ()), *each.declared)
        if each.character == spell.counters and underway:
            return True
        if any(begun.counters == spell.character for begun in underway):
            return True
    return any(each.character == spell.counters for each in fight.raised)


def _aimed(
    fight: Fight, spell: WaitingSpell, avoiding: Mapping[FightDeed, int | None]
) -> Step[tuple[WaitingSpell, Fight]]:
    """A spell with those whom it still finds, and with their Avoids.

    A touch needs a distance at which a bare hand could strike (sorcery.amb.touch_in_fight).
    """
    declared = spell.raised.declared
    arguments = declared.arguments
    targets = []
    for target in arguments.targets:
        if fight.sheet(target).dead:
            continue
        if is_touch(declared.spell) and not in_touch(fight, arguments.character, target):
            text = f"{fight.name(arguments.character)} cannot touch {fight.name(target)}."
            yield from note(text, "sorcery.amb.touch_in_fight")
            continue
        targets.append(target)
    avoids, fight = yield from _avoids(fight, declared.spell, tuple(targets), avoiding)
    arguments = msgspec.structs.replace(arguments, targets=tuple(targets), avoids=avoids)
    natural = natural_defenses(fight, arguments.targets)
    declared = msgspec.structs.replace(declared, arguments=arguments, natural=natural)
    raised = msgspec.structs.replace(spell.raised, declared=declared)
    return msgspec.structs.replace(spell, raised=raised), fight


def natural_defenses(fight: Fight, targets: tuple[str, ...]) -> tuple[NaturalDefense, ...]:
    """How those whom a spell throws can keep their feet, with what the fight does to it.

    sorcery.natural_effect.control_resist; nobody who hesitates or is held fast can
    (fight.nd.none_when_hesitating, fight.lock.immobilized).
    """
    found: tuple[NaturalDefense, ...] = ()
    for target in targets:
        if fight.fighter(target).is_hesitating or is_immobilized(fight, target):
            continue
        rated = [stat for stat in RESISTING if fight.sheet(target).find(stat)]
        for stat in rated or RESISTING[:1]:  # a sheet of the GM's may have neither yet
            if not rated or is_usable(fight, target, stat, RollKind.NATURAL, THROW):
                lines = burdens(fight, target, RollKind.NATURAL, THROW, ability=stat)
                found += (NaturalDefense(target, stat, *lines),)
    return found


def in_touch(fight: Fight, character: str, target: str) -> bool:
    """Whether a fighter is near enough to touch somebody (sorcery.amb.touch_in_fight)."""
    if target not in fight.opponents(character):
        return True
    near = distance_at(fight.gap(character, target), SHORTEST)
    return near in (Distance.OPTIMAL, Distance.INSIDE)


def _avoids(
    fight: Fight,
    spell: Spell,
    targets: tuple[str, ...],
    avoiding: Mapping[FightDeed, int | None],
) -> Step[tuple[tuple[SpellAvoidance, ...], Fight]]:
    """Those who Avoid in the moment in which the spell is completed, with their successes.

    Rolled where it counts: against a spell that throws (sorcery.amb.control_throw_resistance), or
    against any by house rule (sorcery.amb.destroy_hit_and_armor).
    """
    throws = spell.area == NATURAL and spell.impetus == CONTROL
    counts = throws or fight.table.options["sorcery_avoid_against_spells"] == "yes"
    found = []
    for deed, successes in avoiding.items():
        if deed.character not in targets:
            continue
        if counts and successes is None:
            roll = yield from call(avoid_roll, fight, deed, ())
            thrown = yield from throw_attempt(roll.attempt, None, fight.table)
            successes = max(0, thrown.successes - roll.attempt.penalties.total)
            table, _ = yield from after_test(
                roll.attempt, thrown, 1, fight.table, passed=successes > 0, is_open=True
            )
            fight = fight.at(table)
        found.append(SpellAvoidance(deed.character, successes or 0 if counts else 0))
    return tuple(found), fight


def _struck(
    fight: Fight, caster: str, outcome: CastOutcome
) -> Step[tuple[Fight, tuple[Harm, ...]]]:
    """What a spell has done to the fighters: Steel, falls, and who can fight no longer."""
    harms: tuple[Harm, ...] = ()
    hits: tuple[SpellHit, ...] = () if outcome.effect is None else outcome.effect.hits
    for hit in hits:
        suffered = hit.hurt or hit.steel
        if suffered is not None:
            fight = yield from after_steel(fight, hit.character, suffered)
        if hit.thrown and hit.character in fight.opponents(caster):
            deed = FightDeed(caster, THROW, INCANT, hit.character)
            thrown = yield from throw_effects(fight, deed, hit.thrown)
            fight = yield from apply_effects(fight, thrown.effects)
            harms += thrown.harms
    for each in fight.standing:
        fight = yield from leave_if_felled(fight, each.character)
    return fight, harms


def interrupt(fight: Fight, character: str, cause: str) -> Step[Fight]:
    """A casting is lost: Tax for the part that was done, and a Failed Casting.

    sorcery.interrupt.tax, sorcery.interrupt.failed_casting; while a spell is held Tax is in full
    (sorcery.coup.distracted). The dead are not tested.
    """
    casting = fight.fighter(character).casting
    assert casting is not None
    fight = fight.change(character, casting=None)
    if fight.sheet(character).dead:
        return fight
    arguments = InterruptSpell(
        casting.declared.arguments, cause, casting.done, held=bool(casting.held)
    )
    declared = _while_locked(fight, casting.declared)
    _, table = yield from call(lose_spell, declared, arguments, fight.table)
    fight = yield from take_over(fight.at(table))
    for each in fight.standing:
        fight = yield from leave_if_felled(fight, each.character)
    return fight


def take_over(fight: Fight) -> Step[Fight]:
    """Hesitation that magic has left in the scene is counted in actions here.

    steel.amb.heartbeats_in_scripts.
    """
    for each in fight.fighters:
        name = each.character
        left = hesitation_of(fight.table, name)
        if left is None:
            continue
        fight = hesitate(fight, name, left.heartbeats, left.reaction or STAND)
        if left.prone:
            fight = fight.change(name, posture=Posture.DOWN)
        if left.dropped:
            fight = drop_weapon(fight, name)
        because = "steel.amb.heartbeats_in_scripts"
        fight = fight.at((yield from set_hesitation(fight.table, name, None, because=because)))
    return fight
