"""Counter-spells: a spell of an opposed element or impetus lessens another, or cancels it.

The list of opposites is not complete; the GM judges the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Number, Play, Step, ask, call, choose, confirm, consent, note, then
from astragal.rules import catalogue

from ...sheet.scene import BurningTable
from ...sheet.spells import MEASURED, Spell
from ...sheet.words import counted
from .casting import CastSpell
from .effects import SpellOutcome, take_effect
from .failure import SpellFailure, fail_casting
from .raising import CastOutcome, RaisedSpell, end_casting, raise_spell
from .spell_tables import spell_of


class CounterSpell(Arguments, frozen=True):
    """A spell, and the one that is cast against it in the same volley."""

    spell: CastSpell
    counter: CastSpell


class CounterOutcome(Outcome, frozen=True):
    """How both castings came out; ``left`` are the successes that remain to the spell.

    ``negated`` says that it was cancelled, ``overwhelmed`` that successes of the counter-spell are
    left for its own effect.
    """

    spell: CastOutcome
    counter: CastOutcome
    left: int
    negated: bool
    overwhelmed: bool


def opposes(counter: Spell, spell: Spell) -> bool | None:
    """Whether one spell counters another; None where only the GM can say.

    sorcery.counter.principle: a listed pair of elements (sorcery.counter.elements) or of impeti
    (sorcery.counter.impeti), either way round (sorcery.amb.counter_requirements), or a named pair
    (sorcery.counter.known_pairs). Some spells have no counter-spell
    (sorcery.counter.none_for_some).
    """
    if spell.uncountered:
        return False
    if spell.name in counter.counters:
        return True
    pairs = (
        ("counter_elements", spell.element, counter.element),
        ("counter_impeti", spell.impetus, counter.impetus),
    )
    for table, incoming, against in pairs:
        if incoming and against:
            listed = catalogue().table(f"sorcery.table.{table}").where(incoming=incoming)
            if listed[against] == "yes":
                return True
    return None


def counter_spell(arguments: CounterSpell, table: BurningTable) -> Play[CounterOutcome]:
    """Cast a spell and a counter-spell, both to be completed in one volley.

    The counter-spell is cast like any other, with its own obstacle and Tax
    (sorcery.counter.roll).
    """
    yield from _check_counter(arguments, table)
    raised, table = yield from call(raise_spell, arguments.spell, table)
    counter, table = yield from call(raise_spell, arguments.counter, table)
    outcome, _ = yield from call(settle_counter, raised, counter, table)
    return outcome


def _check_counter(arguments: CounterSpell, table: BurningTable) -> Step[None]:
    caster = table.character(arguments.spell.character, "spell.character")
    other = table.character(arguments.counter.character, "counter.character")
    spell = spell_of(caster, arguments.spell.spell, "spell.spell")
    counter = spell_of(other, arguments.counter.spell, "counter.spell")
    found = opposes(counter, spell)
    if found is False:
        what = f"{spell.name} has no counter-spell: distract its caster, or undo what it did"
        raise NotAllowed(what, "sorcery.counter.none_for_some")
    if not (yield from is_counter(counter, spell)):
        what = f"{counter.name} opposes neither element nor impetus of {spell.name}"
        raise NotAllowed(what, "sorcery.counter.principle")
    rule = "sorcery.counter.timing"
    prompt = "Are both spells completed in the same volley?"
    if not (yield from consent(GM, "same_volley", prompt, because=rule)):
        what = "A counter-spell must be completed in the same volley as the spell it counters"
        raise NotAllowed(what, rule)


def is_counter(counter: Spell, spell: Spell) -> Step[bool]:
    """Whether one spell counters another, by the GM's word (sorcery.amb.counter_requirements)."""
    return (
        yield from confirm(
            GM,
            "counters",
            f"Does {counter.name} counter {spell.name}?",
            default=bool(opposes(counter, spell)),
            because="sorcery.amb.counter_requirements",
            kind="consent",
        )
    )


def choose_counter(
    character: str, own: Spell, others: Mapping[str, Spell], table: BurningTable
) -> Step[str]:
    """Whose spell of the same volley somebody counters with his own in a conflict; or nobody's.

    sorcery.counter.timing: of a listed pair, or as the GM allows it (sorcery.counter.principle).
    ``others`` are the spells that opponents complete in the volley.
    """
    sheet = table.character(character)
    options = {"none": "No: it has its own effect"}
    for other, spell in others.items():
        if opposes(own, spell) is not False:
            options[other] = f"{table.character(other).name}'s {spell.name}"
    if len(options) == 1:
        return ""
    chosen = yield from choose(
        sheet.seat(character),
        "counter_spell",
        f"{sheet.name}, {own.name} as a counter-spell against",
        options,
        default="none",
        because="sorcery.counter.timing",
    )
    if chosen == "none" or not (yield from is_counter(own, others[chosen])):
        return ""
    return chosen


def settle_counter(
    raised: RaisedSpell, counter: RaisedSpell, table: BurningTable
) -> Play[tuple[CounterOutcome, BurningTable]]:
    """Take the counter-spell's successes over its obstacle off the spell.

    sorcery.counter.subtract. One that fails changes nothing (sorcery.amb.counter_failed).
    """
    over = counter.result.margin if counter.result.passed else 0
    stopped = min(over, raised.result.successes) if raised.result.passed else 0
    left = raised.result.successes - stopped
    negated = raised.result.passed and left < raised.result.obstacle.total
    spare = over - raised.result.successes if raised.result.passed else 0
    if stopped:
        text = f"The counter-spell cancels {counted(stopped, 'success')}."
        yield from note(text, "sorcery.counter.subtract")
    cast, table = yield from call(_settle_spell, raised, left, negated, table)
    against, table = yield from call(_settle_counter, counter, spare, raised.result.passed, table)
    return CounterOutcome(cast, against, left, negated, spare > 0), table


def _settle_spell(
    raised: RaisedSpell, left: int, negated: bool, table: BurningTable
) -> Play[tuple[CastOutcome, BurningTable]]:
    """The spell as far as it is left.

    Below its obstacle it is negated, which is no Failed Casting (sorcery.counter.negated); else it
    takes effect with what remains (sorcery.counter.reduced).
    """
    effect: SpellOutcome | None = None
    failure: SpellFailure | None = None
    obstacle = raised.result.obstacle.total
    if not raised.result.passed:
        failure, table = yield from call(
            fail_casting, raised.declared, -raised.result.margin, table
        )
    elif negated:
        yield from note(f"{raised.declared.spell.name} is negated.", "sorcery.counter.negated")
    else:
        yield from note(f"{counted(left, 'success')} remain.", "sorcery.counter.reduced")
        arguments = raised.declared.arguments
        effect, table = yield from call(
            take_effect,
            raised.declared,
            left - obstacle,
            obstacle,
            arguments.wider,
            table,
        )
    return then(end_casting, raised, effect, failure, table)


def _settle_counter(
    counter: RaisedSpell, spare: int, used: bool, table: BurningTable
) -> Play[tuple[CastOutcome, BurningTable]]:
    """The counter-spell's own effect: only what is left once the other is overwhelmed.

    sorcery.counter.overwhelm; the rest goes to its effect, and to its area at one increment each
    (sorcery.amb.counter_overwhelm). Where there was nothing to counter it takes effect in full;
    ``used`` says that there was.
    """
    result, declared = counter.result, counter.declared
    effect: SpellOutcome | None = None
    failure: SpellFailure | None = None
    if not result.passed:
        failure, table = yield from call(fail_casting, declared, -result.margin, table)
        return then(end_casting, counter, effect, failure, table)
    extra = spare if used else result.margin
    if used and spare <= 0:
        return then(end_casting, counter, effect, failure, table)
    wider = declared.arguments.wider
    if used:
        text = f"{declared.spell.name} overwhelms it: {counted(spare, 'success')} left."
        yield from note(text, "sorcery.counter.overwhelm")
        more = yield from _into_area(counter, spare, table)
        wider, extra = wider + more, spare - more
    effect, table = yield from call(
        take_effect, declared, extra, result.obstacle.total, wider, table
    )
    return then(end_casting, counter, effect, failure, table)


def _into_area(counter: RaisedSpell, spare: int, table: BurningTable) -> Step[int]:
    """How many of the successes left over enlarge the counter-spell's area."""
    if counter.declared.spell.area != MEASURED:
        return 0
    character = counter.declared.arguments.character
    return (
        yield from ask(
            table.character(character).seat(character),
            "overwhelm_area",
            "Successes into a larger area",
            Number(least=0, most=spare, default=0),
            because="sorcery.amb.counter_overwhelm",
        )
    )


PROCEDURES = (Procedure("counter_spell", "Counter-spell", CounterSpell, counter_spell),)
