"""Spells in a script: their cards, what is said of them before positioning, and their length.

A section of the chapter on Fight! (``conflicts/fight/fight``). A spell is written into the script
instead of being announced (sorcery.sequence.declare), with one card for each of its actions
(sorcery.time.fight). Target, method and area are said at the top of the volley in which it is
begun. How it is cast is in ``casting``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.play import Line, Option, Step

from ...magic.sorcery.casting_time import basic_actions
from ...magic.sorcery.countering import choose_counter
from ...magic.sorcery.in_conflict import (
    PeopleAround,
    castable_spells,
    declare_in_conflict,
    why_not_cast,
)
from ...magic.sorcery.methods import fewest_actions
from ...magic.sorcery.obstacle import least_obstacle
from ...magic.sorcery.positioning import (
    LONGEST,
    LONGEST_BUT_MISSILES,
    MISSILE,
    SHORTEST,
    SpellConflict,
    faster_spell,
    fight_length,
    length_advantage,
    weapon_of,
)
from ...magic.sorcery.spell_tables import say_obstacle, spell_of
from ...sheet.catalogue_keys import key_of
from ...sheet.sheet import Sheet
from ...sheet.spells import Spell, known_spells
from ...sheet.words import counted
from .distance import Distance, distance_at
from .making_ready import missile_length
from .state import Fight, FightingCharacter, SpellUnderway

INCANT, HOLD, DROP = "incant", "hold_spell", "drop_spell"

# --- The cards -----------------------------------------------------------------------------


def spell_cards(fight: Fight, character: str) -> tuple[Option, ...]:
    """A card for each spell that a fighter can cast, to withhold one, and to drop others.

    fight.magic.incant_cost, sorcery.coup.hold, sorcery.sustain.drop_action.
    """
    sheet = fight.sheet(character)
    rule = "fight.magic.incant_cost"
    cards = [
        Option(
            f"{INCANT}:{key_of(spell.name)}",
            f"Incant {spell.name}",
            rule,
            cost=_cost(spell),
            note=f"Ob {say_obstacle(spell)}{_begun(fight, character, spell)}",
        )
        for spell in castable_spells(sheet)
    ]
    if cards:
        cards += _hold_cards(fight, character)
    return (*cards, *drop_cards(sheet))


def _hold_cards(fight: Fight, character: str) -> list[Option]:
    """Cards to withhold the end of a spell: of the one begun, or of one that has only an end.

    sorcery.coup.hold. A spell of one action, or one that haste brings to one, is held without an
    action before (sorcery.amb.coup_roll_and_release), so the card says which.
    """
    rule, sheet = "sorcery.coup.hold", fight.sheet(character)
    note = "the one you are casting, when only its last action is left"
    found = [Option(HOLD, "Hold the spell (Coup de Magie)", rule, note=note)]
    for spell in castable_spells(sheet):
        actions = basic_actions(spell, least_obstacle(spell, sheet) or 1)
        if fewest_actions(actions) == 1:
            label = f"Hold {spell.name} (Coup de Magie)"
            note = f"ready from this action on; Incant {spell.name} releases it"
            found.append(Option(f"{HOLD}:{key_of(spell.name)}", label, rule, note=note))
    return found


def is_hold(card: str) -> bool:
    """Whether a card withholds the end of a spell (sorcery.coup.hold)."""
    return card.partition(":")[0] == HOLD


def drop_cards(sheet: Sheet) -> tuple[Option, ...]:
    """A card for each spell that is sustained: to let it go (sorcery.sustain.drop_action)."""
    return tuple(
        Option(f"{DROP}:{key_of(each.name)}", f"Drop {each.name}", "sorcery.sustain.drop_action")
        for each in sheet.sustained
    )


def _cost(spell: Spell) -> str:
    each = " for each point of the obstacle" if spell.times_obstacle else ""
    return f"{counted(spell.actions, 'action')}{each}"


def _begun(fight: Fight, character: str, spell: Spell) -> str:
    casting = fight.fighter(character).casting
    if casting is None or casting.name != spell.name:
        return ""
    return f", {casting.done} of {counted(casting.declared.method.actions, 'action')} done"


def barred_spells(sheet: Sheet) -> tuple[Option, ...]:
    """The spells that somebody knows and cannot cast here, each with the reason as its note."""
    found = []
    for spell in sheet.spells:
        why, rule = why_not_cast(sheet, spell)
        if why:
            key, label = f"{INCANT}:{key_of(spell.name)}", f"Incant {spell.name}"
            found.append(Option(key, label, rule, note=why))
    return tuple(found)


def spell_on_card(sheet: Sheet, card: str, wanted: str = INCANT) -> Spell | None:
    """The spell that a card is for, if it is a card of that kind and the spell on the sheet."""
    kind, _, key = card.partition(":")
    if kind != wanted or not key:
        return None
    return next((spell for spell in sheet.spells if key_of(spell.name) == key), None)


@cache
def spell_called(key: str) -> str:
    """The name of a spell by its key on a card: as the book has it, or else in capitals."""
    known = {key_of(spell.name): spell.name for spell in known_spells().values()}
    return known.get(key, key.replace("_", " ").title())


# --- What is said at the top of a volley -----------------------------------------------------


def declare_spells(fight: Fight) -> Step[Fight]:
    """Everybody says how the spells that are begun in this volley are cast, and at whom.

    All of it before the positioning dice are rolled (sorcery.method.declare_before_positioning).
    The first spell of the volley is what its caster positions with
    (sorcery.duel.must_cast_to_use).
    """
    for fighter in fight.standing:
        name = fighter.character
        holds = any(map(is_hold, fighter.announced))
        if not (fighter.casting or fighter.wields or holds or _scripted(fight, fighter)):
            continue
        fight = fight.change(name, declared=(), wields="")
        fight = yield from _declare_all(fight, name)
        fighter = fight.fighter(name)
        cast = {spell.name for spell in _scripted(fight, fighter) if spell is not None}
        first = next((each.name for each in _in_order(fight, name) if each.name in cast), "")
        if first:
            fight = fight.change(name, wields=first)
    return (yield from _name_counters(fight))


def _scripted(fight: Fight, fighter: FightingCharacter) -> tuple[Spell | None, ...]:
    """The spells on the cards of a volley, in order; None for any other card, if there is one."""
    sheet = fight.sheet(fighter.character)
    spells = tuple(spell_on_card(sheet, card) for card in fighter.announced)
    return spells if any(spells) else ()


def _declare_all(fight: Fight, character: str) -> Step[Fight]:
    """The spells that begin in this volley: where no card continues what was begun before."""
    fighter = fight.fighter(character)
    current = fighter.casting
    name, left = (current.name, current.left) if current is not None else ("", 0)
    for card in fighter.announced:
        sheet, holds = fight.sheet(character), is_hold(card)
        spell = spell_on_card(sheet, card, HOLD if holds else INCANT)
        if spell is None:
            left = left if holds else 0
        elif spell.name == name and left:
            left -= not holds
        elif not why_not_cast(sheet, spell)[0]:
            begun, fight = yield from declare(fight, character, spell, held=holds)
            declared = (*fight.fighter(character).declared, begun)
            fight = fight.change(character, declared=declared)
            name, left = spell.name, begun.left - (not holds)
    return fight


def declare(
    fight: Fight, character: str, spell: Spell, *, held: bool = False
) -> Step[tuple[SpellUnderway, Fight]]:
    """A casting is declared, with target, method and area.

    ``held`` says that its end is withheld before anything else was done, so that it has to be one
    of a single action.
    """
    near = sorted(fight.opponents(character), key=lambda other: fight.gap(character, other))
    friends = [e.character for e in fight.standing if e.character not in (character, *near)]
    around = PeopleAround(character, tuple(near), tuple(friends))
    actions = 1 if held else 0
    declared, table = yield from declare_in_conflict(around, spell, fight.table, actions=actions)
    return SpellUnderway(declared), fight.at(table)


# --- Counter-spells --------------------------------------------------------------------------


def _in_order(fight: Fight, character: str) -> tuple[SpellUnderway, ...]:
    """The spells of a volley: the one under way, if the next card goes on with it, and the rest."""
    fighter = fight.fighter(character)
    found = fighter.declared
    if fighter.casting is not None:
        spells = _scripted(fight, fighter)
        first = next((spell for spell in spells if spell is not None), None)
        if first is not None and first.name == fighter.casting.name:
            found = (fighter.casting, *found)
    return found


def _finishing(fight: Fight, character: str) -> SpellUnderway | None:
    """The first spell that a fighter completes in this volley, if nothing interrupts it."""
    fighter = fight.fighter(character)
    spells = _scripted(fight, fighter)
    for each in _in_order(fight, character):
        many = sum(spell is not None and spell.name == each.name for spell in spells)
        if many >= each.left:
            return each
    return None


def _name_counters(fight: Fight) -> Step[Fight]:
    """Who completes a spell may counter one that is completed in the same volley.

    sorcery.counter.timing.
    """
    for fighter in fight.standing:
        name, own = fighter.character, _finishing(fight, fighter.character)
        if own is None:
            continue
        taken = {_counters(fight, each.character) for each in fight.standing}
        others = {}
        for other in fight.opponents(name):
            theirs = _finishing(fight, other)
            if theirs is None or other in taken or _counters(fight, other) == name:
                continue
            others[other] = theirs.declared.spell
        against = yield from choose_counter(name, own.declared.spell, others, fight.table)
        if against:
            new = msgspec.structs.replace(own, counters=against)
            fight = _replaced(fight, name, own, new)
    return fight


def _counters(fight: Fight, character: str) -> str:
    return next((each.counters for each in _in_order(fight, character) if each.counters), "")


def _replaced(fight: Fight, character: str, old: SpellUnderway, new: SpellUnderway) -> Fight:
    fighter = fight.fighter(character)
    if fighter.casting is old:
        return fight.change(character, casting=new)
    declared = tuple(new if each is old else each for each in fighter.declared)
    return fight.change(character, declared=declared)


# --- A spell as a weapon -----------------------------------------------------------------------


def wielded_spell(fight: Fight, character: str) -> Spell | None:
    """The spell that a fighter positions with, if there is one."""
    name = fight.fighter(character).wields
    return spell_of(fight.sheet(character), name) if name else None


def spell_length(spell: Spell, *, shot_at: bool) -> str:
    """The length of a spell, by origin and area (sorcery.duel.spells_are_weapons).

    Some are not against missiles (sorcery.duel.fight_presence); a measured area has none of its
    own (sorcery.amb.measured_area_in_fight), so that its caster is as one with bare hands.
    """
    length = fight_length(spell)
    if length == LONGEST_BUT_MISSILES:
        return SHORTEST if shot_at else LONGEST
    return LONGEST if length == LONGEST else SHORTEST


def spell_dice(
    fight: Fight, character: str, lengths: dict[str, str], *, at_start: bool
) -> tuple[Line, ...]:
    """The dice of the spell that a fighter positions with, against those who are best to it.

    For its length against what the others have (sorcery.duel.fight_sight,
    sorcery.duel.fight_sight_vs_sight, sorcery.duel.presence_vs_presence), for a measured area
    (sorcery.duel.measured_area_dice), and for the faster of two spells
    (sorcery.duel.fastest_spell). ``lengths`` are those of the opponents' weapons.
    """
    spell = wielded_spell(fight, character)
    assert spell is not None
    sheet, actions = fight.sheet(character), _actions(fight, character)
    longer: list[tuple[Line, ...]] = [()]
    faster: tuple[Line, ...] = ()
    for other, length in lengths.items():
        theirs = wielded_spell(fight, other)
        if theirs is not None:
            faster = faster or faster_spell(actions, _actions(fight, other))
        if missile_length(fight, other) is not None:
            length = MISSILE
        at = _at(fight, character, other, spell, at_start=at_start)
        longer.append(length_advantage(spell, sheet, theirs, fight.sheet(other), length, at))
    best = max(longer, key=lambda lines: sum(line.amount for line in lines))
    area = weapon_of(spell, _increments(fight, character), SpellConflict.FIGHT).dice
    return best + area.lines + faster


def _at(fight: Fight, character: str, other: str, spell: Spell, *, at_start: bool) -> str:
    at = distance_at(fight.gap(character, other), spell_length(spell, shot_at=False))
    if at_start:  # fight.amb.length_outside_two
        much = fight.table.options["fight_length_dice_at_start"] == "plus_2d"
        at = Distance.LUNGING if much else Distance.OUTSIDE
    return str(at.value)


def _first(fight: Fight, character: str) -> SpellUnderway | None:
    name = fight.fighter(character).wields
    return next((each for each in _in_order(fight, character) if each.name == name), None)


def _actions(fight: Fight, character: str) -> int:
    """The actions of the spell that somebody positions with, as it is cast."""
    underway = _first(fight, character)
    if underway is not None:
        return underway.declared.method.actions
    spell = wielded_spell(fight, character)
    return 0 if spell is None else spell.actions


def _increments(fight: Fight, character: str) -> int:
    underway = _first(fight, character)
    return 0 if underway is None else underway.declared.arguments.wider
