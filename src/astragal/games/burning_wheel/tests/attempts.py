"""Up to the roll: what is at stake, and the dice gathered for it.

The order is the book's (tests.procedure.order): once task, intent and ability are agreed
(``tests/intent``), the GM sets the obstacle, the time and the consequence of failure
(``tests/terms``); then everything that adds dice or raises the obstacle is settled, before any
dice are thrown (tests.modifiers.before_the_roll). What comes after is in ``tests/conclusions``.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Self

import msgspec

from astragal.dice import OpenEnded, Pool, Shaded
from astragal.errors import BadInput
from astragal.games.game import Outcome
from astragal.play import Line, Seat, Step, Tally, call, tell

from ..artha import on_a_roll as artha
from ..artha.aristeia import for_the_goal
from ..artha.bearing_pain import bear_pain
from ..artha.before_the_roll import before_roll
from ..conditions.enmity import counts_as_social, is_social, own_standings
from ..conditions.every_test import conditions_on, obstacle_lines, with_conditions
from ..conditions.lines import Tester
from ..conditions.mounted import melee_doublings
from ..conditions.prayers import open_by_prayer
from ..conditions.spell_tax import dice_gone
from ..conditions.traits import open_by_trait
from ..sheet.editions import edition
from ..sheet.facts import DiceGathered
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet, gear_in_use
from .circumstances import (
    carefully,
    claim_advantage,
    disadvantages,
    gm_advantage,
    in_their_situation,
    infamy,
    time_threat,
    trait_bonus,
)
from .gear import (
    NO_TOOLS,
    ToolUse,
    gear_dice,
    gear_obstacle,
    no_tools,
    times_base,
    tools_in_hand,
)
from .helping import Helper, ask_for_help, doubled, following, forks, gather_help, help_dice
from .intent import Agreement, Context, Declaration, agree
from .terms import RollTerms

MOST_DICE = 60
"""No legal pool comes near this; a larger number is a typing error."""


class Attempt(msgspec.Struct, frozen=True, cache_hash=True, dict=True):
    """Everything about one side of a test when the dice are about to be thrown."""

    agreed: Agreement
    seat: Seat
    dice: Tally
    penalties: Tally
    gear_dice: Shaded
    """Dice that keep a shade of their own: those of gear, and of Will beside Sorcery."""
    open_ended: OpenEnded
    helpers: tuple[Helper, ...]
    careful: bool
    hand: artha.ArthaAtHand
    boost: tuple[Line, ...]
    spent: Artha
    borne: Artha = Artha()
    """What of the artha spent was for bearing pain."""
    inspired: Rated | None = None
    """The ability beside the tested one that Divine Inspiration has doubled."""
    tools: ToolUse = NO_TOOLS
    base_counts: int = 1
    """How many times the base obstacle counts, for want of training or tools."""
    takes_longer: bool = False
    time_threat: str = ""
    doublings: tuple[Line, ...] = ()
    """What else makes the base obstacle count again, each as often as its amount says."""

    @property
    def untrained(self) -> bool:
        """Whether this is Beginner's Luck."""
        return bool(self.agreed.missing_skill)

    @cached_property
    def pool(self) -> Pool:
        """The dice in hand: all at the shade of the ability, but for gear (tests.amb.help_shade).

        Help has the tester's shade (shades.help.users_shade), FoRKs that of the tested skill
        (shades.fork.tested_skill_shade). Gear of the same shade is rolled with the rest
        (shades.gear.same_shade); gear of another is kept apart and counted at its own
        difficulty, and the successes are added (shades.gear.different_shade).
        The shade sets the face that makes a die a success, and nothing else does
        (tests.dice.difficulty_number, tests.shade.only_thing_that_moves_dn): 4 on a black die
        (tests.dice.success_black). All of them have six sides (tests.dice.d6_only).
        """
        shade = self.agreed.tested.rating.shade
        own = self.dice.total + sum(line.amount for line in self.boost) - self.gear_dice.total
        return Pool(Shaded.of(shade, own) + self.gear_dice, self.open_ended)

    @property
    def all_dice(self) -> Tally:
        """The dice with those bought with artha."""
        return self.dice + self.boost


@lru_cache(16384)
def without_reasons(attempt: Attempt) -> Attempt:
    """An attempt with as many dice and as hard as another, which does not say why.

    Where nobody hears of a roll, all that come to the same are one.
    """
    return msgspec.structs.replace(
        attempt, dice=total_of(attempt.dice), penalties=total_of(attempt.penalties)
    )


def total_of(tally: Tally) -> Tally:
    """A tally of the same number in one line, without a reason."""
    return Tally.of(tally.total, "", "") if tally.total else Tally()


# --- Dice and obstacle ---------------------------------------------------------------------


def prepare(
    declaration: Declaration, agreed: Agreement, seconds: int, context: Context, table: BurningTable
) -> Step[Attempt]:
    """Gather everything that adds dice to a test or raises its obstacle, then offer artha.

    All before the dice are thrown (tests.modifiers.before_the_roll). Each source is separate and
    all of them add up (tests.amb.advantage_stacking); what adds dice and what raises the obstacle
    do not cancel (tests.modifiers.no_cancelling).
    """
    sheet = table.character(agreed.character)
    seat = sheet.seat(agreed.character)
    tested = agreed.tested
    played = edition(table.options)
    gear = gear_in_use(sheet, declaration.gear)
    in_hand = artha.hand(sheet, tested)
    tester = tester_of(agreed, declaration, table)
    tester = yield from in_their_situation(tester, lasting=context.lasting)
    tester = yield from for_the_goal(tester)
    pain = yield from bear_pain(seat, conditions_on(tester), in_hand, table)
    tools = yield from tools_in_hand(declaration, agreed, context, table)
    penalties, from_texts = yield from _circumstances(
        declaration, agreed, obstacle_lines(pain.conditions), context, table
    )

    dice = Tally.of(tested.exponent, tested.name, "tests.exponent.dice_rolled")
    dice = with_conditions(dice, pain.conditions, tester)
    dice += yield from trait_bonus(sheet.name, tested)
    whose = sheet.name if context.lasting else ""
    folded = context.folded
    social = is_social(tested, agreed.missing_skill, table)
    dice += yield from claim_advantage(
        seat, tested, played, whose=whose, social=social, folded=folded, newly=context.newly
    )
    dice += yield from gm_advantage(played, whose, lasting=context.lasting)
    dice += yield from forks(
        agreed.character,
        tested,
        table,
        context.forks_into_stat,
        folded=folded,
        newly=context.newly,
    )
    asked = declaration.helpers
    if not asked and context.may_ask_help:
        asked = yield from ask_for_help(agreed.character, context.against, table)
    helpers = yield from gather_help(agreed.character, tested, asked, table)
    dice += tuple(help_dice(helper.helping) for helper in helpers)
    dice += from_texts + context.dice
    careful = yield from carefully(seat, seconds, table.options, played)
    dice += careful
    threat = (yield from time_threat(played)) if careful else ""
    lines, from_gear = gear_dice(gear, tested, agreed.missing_skill)
    dice += lines
    if dice.total > MOST_DICE:
        expected = f"at most {MOST_DICE} dice in one test"
        raise BadInput("dice", dice.total, expected, "tests.exponent.dice_rolled")

    boost = yield from before_roll(
        seat,
        tested,
        pain.hand,
        gone=dice_gone(tester),
        played=played,
        whose=whose if folded else "",
        in_passing=context.in_passing,
    )
    untrained = bool(agreed.missing_skill)
    attempt = Attempt(
        agreed=agreed,
        seat=seat,
        dice=dice,
        penalties=penalties,
        gear_dice=from_gear,
        open_ended=nature(sheet, tested, context, table, tester.idle),
        helpers=helpers,
        careful=bool(careful),
        hand=boost.hand,
        boost=boost.lines,
        spent=boost.spent + pain.spent,
        borne=pain.spent,
        tools=tools,
        base_counts=times_base(untrained=untrained, lacking=tools.lacking, options=table.options),
        takes_longer=bool(careful) and played.careful_takes_longer,
        time_threat=threat,
    )
    return with_doublings(attempt, melee_doublings(tester))


def agree_and_prepare(
    declaration: Declaration, context: Context, table: BurningTable
) -> Step[Attempt]:
    """Settle what is tested, and gather its dice at once: a test that takes no time to speak of."""
    agreed = yield from agree(declaration, context, table)
    return (yield from prepare(declaration, agreed, 0, context, table))


def with_doublings(attempt: Attempt, lines: tuple[Line, ...]) -> Attempt:
    """An attempt whose base obstacle counts more often.

    Each doubling is of the base alone, before penalties (riding.amb.double_obstacle_scope).
    """
    if not lines:
        return attempt
    times = attempt.base_counts + sum(line.amount for line in lines)
    return msgspec.structs.replace(attempt, doublings=attempt.doublings + lines, base_counts=times)


def tester_of(agreed: Agreement, declaration: Declaration, table: BurningTable) -> Tester:
    """Who tests what, as conditions look at it."""
    return Tester(agreed.character, agreed.tested, table, agreed.missing_skill, declaration.target)


def nature(
    sheet: Sheet,
    tested: Rated,
    context: Context,
    table: BurningTable,
    idle: tuple[str, ...] = (),
) -> OpenEnded:
    """Open-ended by the ability's nature (tests.open_ended.which_abilities), or by a die trait.

    Or by a Boon that was prayed for (faith.prayer.boon). What counts is the ability actually rolled
    (tests.amb.beginner_open_ended).
    """
    own = edition(table.options).nature_of(tested, table.options, linked=context.in_chain)
    given = open_by_trait(sheet, tested.name, idle) or open_by_prayer(sheet, tested.name)
    return OpenEnded.SIXES if own is OpenEnded.NO and given else own


def ride_on(
    declaration: Declaration, agreed: Agreement, context: Context, table: BurningTable
) -> Step[Attempt]:
    """A side whose successes were rolled earlier: nothing is added, but penalties still count.

    tests.amb.ride_versus_new_opponent; nor is the want of tools over (gold.tests.tools). A trait
    may still break a tie, for that is no reroll.
    """
    sheet = table.character(agreed.character)
    tester = tester_of(agreed, declaration, table)
    tester = yield from in_their_situation(tester, lasting=context.lasting)
    hampered = obstacle_lines(conditions_on(tester))
    tools = yield from tools_in_hand(declaration, agreed, context, table)
    untrained = bool(agreed.missing_skill)
    penalties, _ = yield from _circumstances(declaration, agreed, hampered, context, table)
    return Attempt(
        agreed=agreed,
        seat=sheet.seat(agreed.character),
        dice=Tally(),
        penalties=penalties,
        gear_dice=Shaded(),
        open_ended=OpenEnded.NO,
        helpers=(),
        careful=False,
        hand=artha.tie_breaking(artha.hand(sheet, agreed.tested)),
        boost=(),
        spent=Artha(),
        tools=tools,
        base_counts=times_base(untrained=untrained, lacking=tools.lacking, options=table.options),
    )


def _circumstances(
    declaration: Declaration,
    agreed: Agreement,
    hampered: tuple[Line, ...],
    context: Context,
    table: BurningTable,
) -> Step[tuple[Tally, tuple[Line, ...]]]:
    """Everything that raises the obstacle, and the dice of instructions that were understood."""
    sheet = table.character(agreed.character)
    played = edition(table.options)
    gear = gear_in_use(sheet, declaration.gear)
    against: tuple[Line, ...] = ()
    if not context.disadvantages_named:
        against = yield from disadvantages(
            sheet.name, lasting=context.lasting, folded=context.folded
        )
    on = None if agreed.missing_skill else agreed.tested
    dice, misled = yield from following(declaration.instructions, agreed.character, on, table)
    against += hampered
    social = counts_as_social(agreed.tested, agreed.missing_skill, table)
    against += yield from infamy(
        own_standings(sheet), played, social=social, lasting=context.lasting
    )
    return Tally(against + gear_obstacle(gear, against) + misled + context.obstacle), dice


def obstacle_of(terms: RollTerms, attempt: Attempt) -> Tally:
    """The obstacle of a standard test, from what the GM set.

    It is never less than that (tests.obstacle.only_up), and the same for every shade
    (shades.obstacle.unchanged).
    """
    obstacle = Tally.of(terms.base, "base obstacle", terms.rule or "tests.obstacle.definition")
    if terms.opposed_by:
        rule = "gold.tests.obstacle_from_opponent"
        obstacle = Tally.of(terms.base, terms.opposed_by, rule)
    return full_obstacle(obstacle, attempt)


def full_obstacle(base: Tally, attempt: Attempt) -> Tally:
    """The obstacle: the base, doubled for Beginner's Luck, then every penalty undoubled.

    gold.tests.tools: doubled for want of tools as well, in the later edition.
    """
    obstacle = base
    if attempt.untrained:
        obstacle += doubled(base.total, attempt.agreed.missing_skill)
    if attempt.tools.lacking:
        times = attempt.base_counts - sum(line.amount for line in attempt.doublings)
        obstacle += no_tools(base.total, times, untrained=attempt.untrained)
    for line in attempt.doublings:
        obstacle += Line(base.total * line.amount, line.label, line.rule)
    return obstacle + attempt.penalties


class TestResult(Outcome, frozen=True, kw_only=True):
    """A roll as it came out against an obstacle; outcomes of tests add what is their own."""

    passed: bool
    successes: int = 0
    margin: int = 0
    dice: Tally = Tally()
    obstacle: Tally = Tally()
    earned: str = ""
    spent: Artha = Artha()

    @classmethod
    def of(cls, result: TestResult, **further: Any) -> Self:
        """An outcome with this result, and what is its own."""
        shared = {name: getattr(result, name) for name in TestResult.__struct_fields__}
        return cls(**{**shared, **further})


def throw_attempt(
    attempt: Attempt,
    obstacle: Tally | None,
    table: BurningTable,
    *audience: Seat,
    enough: int | None = None,
    decides: bool = True,
) -> Step[artha.ThrownDice]:
    """Show what was gathered, throw it, and let the roller spend artha on the dice.

    ``enough`` successes decide the matter: those of the obstacle, if meeting it ``decides``.
    """
    name = table.character(attempt.agreed.character).name
    yield from tell(DiceGathered(name, attempt.all_dice, obstacle), *audience)
    if enough is None and obstacle is not None and decides:
        enough = obstacle.total
    label = f"{name}, {attempt.agreed.name}"
    thrown: artha.ThrownDice = yield from call(
        artha.throw, attempt.pool, label, attempt.seat, attempt.hand, attempt.spent, enough
    )
    return thrown


def result_of(
    attempt: Attempt, thrown: artha.ThrownDice, obstacle: Tally, earned: str = ""
) -> TestResult:
    """How a roll came out: as many successes as the obstacle, or more, pass (tests.standard.pass).

    The rest are extra successes (tests.standard.extra_successes).
    """
    margin = thrown.successes - obstacle.total
    return TestResult(
        passed=margin >= 0,
        successes=thrown.successes,
        margin=margin,
        dice=attempt.all_dice,
        obstacle=obstacle,
        earned=earned,
        spent=thrown.spent,
    )
