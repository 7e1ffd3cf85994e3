"""The sequence of a casting: roll, Tax, effect or failure, recovery."""

from __future__ import annotations

import msgspec

from astragal.games.game import Procedure
from astragal.play import Fact, Play, Step, Tally, Wheel, WheelRing, call, note, tell, then

from ...conditions.prayers import use_up_prayers
from ...sheet.durations import say_duration
from ...sheet.scene import BurningTable
from ...sheet.spells import SpellStage
from ...sheet.words import counted
from ...tests.attempts import Attempt, TestResult, result_of, throw_attempt
from ...tests.conclusions import conclude_test
from .casting import CastSpell, DeclaredSpell, declare_spell, prepare_casting
from .casting_time import seconds_of
from .effects import SpellOutcome, take_effect
from .failure import SpellFailure, fail_casting
from .garbled import on_the_wheel, ring
from .obstacle import tax_bonus, tax_obstacle
from .practicals import count_practical
from .spell_tables import check_gifted
from .sustaining import FAILED_TAX, concentrate, end_what_cannot_last, settle_distractions
from .tax import TaxDue, TaxOutcome, recover_later, tax_test


class SpellRaised(Fact, frozen=True, tag="spell_raised"):
    """A casting and its Tax, before any effect: ``cast``, and whether the caster is ``awake``.

    ``passed`` is both: the spell is cast, and the caster still on their feet.
    """

    name: str
    spell: str
    cast: bool
    awake: bool
    lost: int
    successes: int
    margin: int
    dice: Tally
    obstacle: Tally
    tax_dice: Tally
    tax_obstacle: Tally
    passed: bool
    facets: tuple[tuple[str, str], ...] = ()
    """The rings of the Wheel of Magic, each with the facet of the spell."""
    role = "conclusion"

    def sentence(self) -> str:
        """What became of spell and caster."""
        verb = "casts" if self.cast else "fails to cast"
        if not self.awake:
            return f"{self.name} {verb} {self.spell} and falls unconscious."
        tax = f", losing {self.lost}D of Forte" if self.lost else ""
        return f"{self.name} {verb} {self.spell}{tax}."

    @property
    def hope(self) -> str:
        """Both of it together."""
        return "to cast it and stay on your feet"

    @property
    def wheel(self) -> Wheel | None:
        """The Wheel of Magic with the spell's facets (sorcery.garble.use_wheel)."""
        if not self.facets:
            return None
        rings = tuple(WheelRing(name, ring(name), chosen) for name, chosen in self.facets)
        return Wheel(rings, "sorcery.garble.use_wheel")


class RaisedSpell(msgspec.Struct, frozen=True):
    """A casting whose dice and Tax are known, before its effect."""

    declared: DeclaredSpell
    result: TestResult
    tax: TaxOutcome


class CastOutcome(TestResult, frozen=True, kw_only=True):
    """How a casting came out: the roll, Tax, and what the spell did or how it failed.

    ``awake`` says whether the caster is still on their feet; ``actions`` and ``seconds`` how long
    it took.
    """

    spell: str
    actions: int = 0
    seconds: int = 0
    awake: bool = True
    tax: TaxOutcome | None = None
    effect: SpellOutcome | None = None
    failure: SpellFailure | None = None
    countered: bool = False


def cast_spell(arguments: CastSpell, table: BurningTable) -> Play[CastOutcome]:
    """Cast a spell, with everything that follows."""
    outcome, _ = yield from call(casting, arguments, table)
    return outcome


def casting(arguments: CastSpell, table: BurningTable) -> Play[tuple[CastOutcome, BurningTable]]:
    """A casting in the book's order, and the table after it (sorcery.sequence.full_order)."""
    raised, table = yield from call(raise_spell, arguments, table)
    return then(settle_casting, raised, table)


def raise_spell(
    arguments: CastSpell, table: BurningTable
) -> Play[tuple[RaisedSpell, BurningTable]]:
    """Declare, gather and roll a casting, and test Tax."""
    table = yield from settle_distractions(arguments.character, table)
    declared, table = yield from declare_spell(arguments, table)
    return then(raise_declared, declared, table)


def raise_declared(
    declared: DeclaredSpell, table: BurningTable
) -> Play[tuple[RaisedSpell, BurningTable]]:
    """Gather and roll a casting that was declared, and test Tax; conflicts call this."""
    attempt, obstacle = yield from prepare_casting(declared, table)
    yield from _say_time(declared, table)
    return then(roll_casting, declared, attempt, obstacle, table)


def _say_time(declared: DeclaredSpell, table: BurningTable) -> Step[None]:
    """The actions that the casting takes (sorcery.actions.unit)."""
    actions = declared.method.actions
    if not actions:
        return
    sheet = table.character(declared.arguments.character)
    took = say_duration(seconds_of(actions, sheet))
    what = counted(actions, "action")
    outside = "" if declared.arguments.in_script else f", {took} outside of conflicts"
    yield from note(f"{declared.spell.name} takes {what}{outside}.", "sorcery.actions.unit")


def roll_casting(
    declared: DeclaredSpell, attempt: Attempt, obstacle: Tally, table: BurningTable
) -> Play[tuple[RaisedSpell, BurningTable]]:
    """Roll the casting: as many successes as its obstacle, or more, cast the spell.

    sorcery.cast.success, sorcery.cast.failure. It is logged for the skill, by all dice rolled
    (sorcery.amb.casting_test_advances_what).
    """
    thrown = yield from throw_attempt(attempt, obstacle, table)
    result = result_of(attempt, thrown, obstacle)
    verdict = f"Failed Casting, {-result.margin} short."
    if result.passed:
        verdict = f"Cast, {result.margin} extra." if result.margin else "Cast, exactly."
    result, table = yield from conclude_test(attempt, thrown, obstacle, verdict, table)
    # What was prayed for was for this, too: the Will in the pool (sorcery.cast.pool).
    table = yield from use_up_prayers(table, declared.arguments.character, "Will")
    return then(tax_caster, declared, result, table)


def tax_caster(
    declared: DeclaredSpell, result: TestResult, table: BurningTable
) -> Play[tuple[RaisedSpell, BurningTable]]:
    """Tax follows every casting at once, whether or not it succeeded (sorcery.cast.tax_always).

    Failing it threatens the spells that are sustained already (sorcery.sustain.may_not), though
    not the one that is raised (sorcery.sustain.own_tax_exempt).
    """
    character, spell = declared.arguments.character, declared.spell
    obstacle = tax_obstacle(declared.own, declared.method)
    bonus = tax_bonus(declared.method) + declared.forte
    due = TaxDue(character, spell.name, declared.own.amount, obstacle, bonus)
    tax, table = yield from call(tax_test, due, table)
    yield from tell(
        SpellRaised(
            name=table.character(character).name,
            spell=spell.name,
            cast=result.passed,
            awake=tax.awake,
            lost=tax.lost,
            successes=result.successes,
            margin=result.margin,
            dice=result.dice,
            obstacle=result.obstacle,
            tax_dice=tax.dice,
            tax_obstacle=tax.obstacle,
            passed=result.passed and tax.awake,
            facets=on_the_wheel(spell),
        )
    )
    if not tax.passed:
        table = yield from end_what_cannot_last(table, character)
        _, table = yield from call(concentrate, character, FAILED_TAX, table)
    return RaisedSpell(declared, result, tax), table


def settle_casting(
    raised: RaisedSpell, table: BurningTable
) -> Play[tuple[CastOutcome, BurningTable]]:
    """Effect or Failed Casting, then recovery."""
    declared, result = raised.declared, raised.result
    if not result.passed:
        failure, table = yield from call(fail_casting, declared, -result.margin, table)
        return then(end_casting, raised, None, failure, table)
    effect, table = yield from call(
        take_effect,
        declared,
        result.margin,
        result.obstacle.total,
        declared.arguments.wider,
        table,
    )
    return then(end_casting, raised, effect, None, table)


def end_casting(
    raised: RaisedSpell,
    effect: SpellOutcome | None,
    failure: SpellFailure | None,
    table: BurningTable,
) -> Play[tuple[CastOutcome, BurningTable]]:
    """Test Health for every die lost, and count a Practical (sorcery.sickness.health_test)."""
    declared = raised.declared
    character, spell = declared.arguments.character, declared.spell
    tax = raised.tax
    if tax.lost:
        tax, table = yield from call(recover_later, character, tax, table)
    if spell.stage is SpellStage.PRACTICALS:
        table = yield from count_practical(table, character, spell.name)
    actions = declared.method.actions
    outcome = CastOutcome.of(
        raised.result,
        spell=spell.name,
        actions=actions,
        seconds=seconds_of(actions, table.character(character)),
        awake=tax.awake,
        tax=tax,
        effect=effect,
        failure=failure,
        countered=raised.result.passed and effect is None,
    )
    return outcome, table


def _is_gifted(character: str, table: BurningTable) -> None:
    check_gifted(table.character(character))


PROCEDURES = (
    Procedure("cast_spell", "Cast a spell", CastSpell, cast_spell, frequent=15, check=_is_gifted),
)
