"""Spell Interrupt: a casting that is broken off, with its share of Tax and a Failed Casting."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Tally, call, consent, note, then

from ...sheet.scene import BurningTable
from .casting import CastSpell, DeclaredSpell, declare_spell
from .casting_time import maintain_volleys
from .failure import SpellFailure, fail_casting
from .obstacle import tax_bonus
from .sustaining import FAILED_TAX, concentrate, end_what_cannot_last, events
from .tax import TaxDue, TaxOutcome, recover_later, tax_test


class InterruptSpell(Arguments, frozen=True):
    """Which casting is interrupted, by what, and how many of its actions were done.

    ``cause`` is a listed one, or anything else that the GM rules to be one. With ``volleys`` the
    casting is counted in volleys, as in Range and Cover and the Duel of Wits; ``held`` is a Coup de
    Magie, all of whose actions were done.
    """

    casting: CastSpell
    cause: str
    done: int = 0
    volleys: bool = False
    held: bool = False


class InterruptOutcome(Outcome, frozen=True):
    """The Tax of an interrupted casting, and what the Failed Casting came to.

    ``obstacle`` is that of Tax; nothing follows where no action was done yet.
    """

    obstacle: int = 0
    tax: TaxOutcome | None = None
    failure: SpellFailure | None = None
    awake: bool = True


def interrupting_events() -> dict[str, str]:
    """What interrupts a casting, or may (sorcery.interrupt.causes)."""
    return events("interrupts_code", "yes", "gm")


def interrupt_spell(arguments: InterruptSpell, table: BurningTable) -> Play[InterruptOutcome]:
    """A casting is interrupted: the spell is lost before any roll (sorcery.interrupt.ruins)."""
    outcome, _ = yield from call(interrupted, arguments, table)
    return outcome


def interrupted(
    arguments: InterruptSpell, table: BurningTable
) -> Play[tuple[InterruptOutcome, BurningTable]]:
    """A casting is interrupted, and the table after it."""
    yield from _check_cause(arguments.cause)
    declared, table = yield from declare_spell(arguments.casting, table)
    return then(lose_spell, declared, arguments, table)


def lose_spell(
    declared: DeclaredSpell, arguments: InterruptSpell, table: BurningTable
) -> Play[tuple[InterruptOutcome, BurningTable]]:
    """A casting that was declared is lost, and the table after it; conflicts call this."""
    obstacle = _tax_share(arguments, declared)
    name = table.character(arguments.casting.character).name
    yield from note(f"{name}'s {declared.spell.name} is interrupted.", "sorcery.interrupt.ruins")
    if not obstacle:
        return InterruptOutcome(), table
    return then(break_off, declared, obstacle, table)


def _check_cause(cause: str) -> Step[None]:
    """A listed event, or one that the GM rules to be an interruption (sorcery.interrupt.causes)."""
    rule = "sorcery.interrupt.causes"
    if not cause.strip():
        expected = f"one of {', '.join(interrupting_events())}, or what else happened"
        raise BadInput("cause", cause, expected, rule)
    surely = events("interrupts_code", "yes")
    if cause in surely:
        return
    words = interrupting_events().get(cause, cause)
    if not (yield from consent(GM, "interrupts", f"Does this interrupt? {words}", because=rule)):
        expected = f"something that interrupts: {', '.join(surely)}"
        raise BadInput("cause", cause, expected, rule)


def _tax_share(arguments: InterruptSpell, declared: DeclaredSpell) -> int:
    """The Tax obstacle of the part that was done, rounded up; 0 where nothing was.

    sorcery.interrupt.tax, sorcery.amb.interrupt_rounding: a spell of one volley that is interrupted
    in it is half done. A held one is done in full (sorcery.coup.distracted).
    """
    own, done = declared.own.amount, arguments.done
    if arguments.held:
        return own
    whole = declared.method.actions
    if not whole:
        expected = "a spell whose actions are known: write them on the sheet"
        raise BadInput("casting.spell", declared.spell.name, expected, "sorcery.interrupt.tax")
    if arguments.volleys:
        whole = maintain_volleys(whole) + 1
        if whole == 1:
            return ceil(Fraction(own, 2))
    if not 0 <= done < whole:
        unit = "volleys" if arguments.volleys else "actions"
        expected = f"0 to {whole - 1} of its {whole} {unit}"
        raise BadInput("done", done, expected, "sorcery.interrupt.tax")
    return max(1, ceil(Fraction(own * done, whole))) if done else 0


def break_off(
    declared: DeclaredSpell, share: int, table: BurningTable
) -> Play[tuple[InterruptOutcome, BurningTable]]:
    """Tax for the part that was done, and a Failed Casting (sorcery.interrupt.failed_casting)."""
    character, name = declared.arguments.character, declared.spell.name
    obstacle = Tally.of(share, f"part of {name}", "sorcery.interrupt.tax")
    bonus = tax_bonus(declared.method) + declared.forte
    due = TaxDue(character, name, declared.own.amount, obstacle, bonus)
    tax, table = yield from call(tax_test, due, table)
    if not tax.passed:
        table = yield from end_what_cannot_last(table, character)
        _, table = yield from call(concentrate, character, FAILED_TAX, table)
    # The share stands for missing successes (sorcery.amb.interrupt_margin_for_destroy).
    failure, table = yield from call(fail_casting, declared, share, table)
    if tax.lost:
        tax, table = yield from call(recover_later, character, tax, table)
    return InterruptOutcome(share, tax, failure, tax.awake), table


PROCEDURES = (
    Procedure("interrupt_spell", "Spell Interrupt", InterruptSpell, interrupt_spell, gm_only=True),
)
