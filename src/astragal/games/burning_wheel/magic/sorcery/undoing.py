"""Permanent spells and what ends them: a counter-spell, or one that destroys Arcana."""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Step, call, note, then

from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import ARCANA, DESTROY, PERMANENT, ActiveSpell, Spell
from ...sheet.words import counted
from .casting import CastSpell
from .countering import is_counter, opposes
from .failure import SpellFailure, fail_casting
from .raising import CastOutcome, RaisedSpell, end_casting, raise_spell
from .spell_tables import spell_of
from .sustaining import end_spell


class UndoSpell(Arguments, frozen=True):
    """A casting meant to end a Permanent spell: whose it is, and its name."""

    casting: CastSpell
    owner: str
    spell: str


class UndoOutcome(Outcome, frozen=True):
    """The casting, whether the Permanent spell has ended, and the successes left in its effect."""

    cast: CastOutcome
    ended: bool
    left: int


def undo_spell(arguments: UndoSpell, table: BurningTable) -> Play[UndoOutcome]:
    """End a Permanent spell by casting against it, like any other spell, with its own Tax.

    sorcery.duration.permanent: a spell that destroys Arcana, or a counter-spell
    (sorcery.counter.principle).
    """
    owner = table.character(arguments.owner, "owner")
    lasting = _permanent(owner, arguments.spell)
    caster = table.character(arguments.casting.character, "casting.character")
    own = spell_of(caster, arguments.casting.spell, "casting.spell")
    destroys = own.element == ARCANA and own.impetus == DESTROY
    if not destroys:
        yield from _check_counter(own, lasting, owner)
    raised, table = yield from call(raise_spell, arguments.casting, table)
    return then(settle_undoing, arguments, lasting, destroys, raised, table)


def _permanent(owner: Sheet, name: str) -> ActiveSpell:
    permanent = [each for each in owner.active_spells if each.lasts == PERMANENT]
    for each in permanent:
        if each.name.casefold() == name.strip().casefold():
            return each
    has = ", ".join(each.name for each in permanent) or "none"
    expected = f"a {PERMANENT} spell of {owner.name}: {has}"
    raise BadInput("spell", name, expected, "sorcery.duration.permanent")


def _check_counter(own: Spell, lasting: ActiveSpell, owner: Sheet) -> Step[None]:
    known = next((each for each in owner.spells if each.name == lasting.name), Spell(lasting.name))
    if opposes(own, known) is False:
        what = f"{lasting.name} has no counter-spell: only what destroys Arcana ends it"
        raise NotAllowed(what, "sorcery.counter.none_for_some")
    if not (yield from is_counter(own, known)):
        what = f"{own.name} neither counters {lasting.name} nor destroys Arcana"
        raise NotAllowed(what, "sorcery.duration.permanent")


def settle_undoing(
    arguments: UndoSpell,
    lasting: ActiveSpell,
    destroys: bool,
    raised: RaisedSpell,
    table: BurningTable,
) -> Play[UndoOutcome]:
    """What becomes of the Permanent spell, then of the caster.

    The successes over the obstacle of a counter-spell come off those that the spell was cast with:
    below its obstacle it is negated (sorcery.counter.subtract, sorcery.counter.negated), else it
    goes on with what is left (sorcery.counter.reduced).
    """
    result, failure = raised.result, None
    whole, ended = lasting.effect + lasting.second_effect, False
    left = whole
    if not result.passed:
        found: SpellFailure
        found, table = yield from call(fail_casting, raised.declared, -result.margin, table)
        failure = found
    else:
        ended = destroys or result.margin > whole
        left = 0 if ended else whole - result.margin
        table = yield from _lessened(arguments.owner, lasting, left, ended=ended, table=table)
    cast, table = yield from call(end_casting, raised, None, failure, table)
    return UndoOutcome(msgspec.structs.replace(cast, countered=False), ended, left)


def _lessened(
    owner: str, lasting: ActiveSpell, left: int, *, ended: bool, table: BurningTable
) -> Step[BurningTable]:
    if ended:
        return (yield from end_spell(table, owner, lasting.name, "sorcery.duration.permanent"))
    rule = "sorcery.counter.reduced"
    yield from note(f"{lasting.name} goes on, with {counted(left, 'success')} in its effect.", rule)
    at = table.character(owner).active_spells.index(lasting)
    first = min(left, lasting.effect)  # what a second effect has goes first
    table = yield from table.amend(owner, f"active_spells.{at}.effect", first, because=rule)
    path = f"active_spells.{at}.second_effect"
    return (yield from table.amend(owner, path, left - first, because=rule))


PROCEDURES = (Procedure("undo_spell", "End a Permanent spell", UndoSpell, undo_spell),)
