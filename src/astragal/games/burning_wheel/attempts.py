"""Up to the roll: what is at stake, and the dice gathered for it.

The order is the book's (tests.procedure.order): once task, intent and ability are agreed
(:mod:`~astragal.games.burning_wheel.intent`), the GM says how hard it is, how long it takes and
what happens if it fails; then everything that adds dice or raises the obstacle is settled,
before any dice are thrown (tests.modifiers.before_the_roll). What comes after is in
:mod:`~astragal.games.burning_wheel.tests`.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Pool, Shaded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import artha
from astragal.games.burning_wheel.advancement import mark, mark_beginner
from astragal.games.burning_wheel.circumstances import (
    carefully,
    claim_advantage,
    disadvantages,
    gm_advantage,
    time_guideline,
)
from astragal.games.burning_wheel.contacts import social_penalty
from astragal.games.burning_wheel.duration import parse_duration, say_duration
from astragal.games.burning_wheel.enduring import aura_lifts, pain
from astragal.games.burning_wheel.facts import AtStake
from astragal.games.burning_wheel.gear import gear_dice, gear_obstacle, in_use
from astragal.games.burning_wheel.helping import (
    Helper,
    doubled,
    following,
    forks,
    gather_help,
    help_dice,
)
from astragal.games.burning_wheel.intent import Agreed, Declaration, Link
from astragal.games.burning_wheel.scene import BurningTable
from astragal.games.burning_wheel.sheet import Artha, Kind, Rated, Sheet, Skill
from astragal.games.burning_wheel.traits import open_by_trait, trait_dice, trait_obstacle
from astragal.play import GM, Line, Number, Seat, Step, Tally, Text, YesNo, ask, tell
from astragal.rules import catalogue

MOST_DICE = 60
"""No legal pool comes near this; more is a slip of the keyboard."""


class Terms(msgspec.Struct, frozen=True):
    """What the GM lays down before the roll."""

    base: int
    success: str
    failure: str
    death: str
    seconds: int
    portions: int


class Attempt(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything about one side of a test when the dice are about to be thrown."""

    agreed: Agreed
    seat: Seat
    dice: Tally
    penalties: Tally
    gear_dice: Shaded
    open_ended: OpenEnded
    helpers: tuple[Helper, ...]
    careful: bool
    hand: artha.Hand
    boost: tuple[Line, ...]
    spent: Artha

    @property
    def untrained(self) -> bool:
        """Whether this is Beginner's Luck."""
        return bool(self.agreed.missing_skill)

    @property
    def pool(self) -> Pool:
        """The dice in hand: all at the shade of the ability, but for gear (tests.amb.help_shade).

        The shade sets the face that makes a die a success, and nothing else does
        (tests.dice.difficulty_number): 4 on a black die (tests.dice.success_black).
        """
        shade = self.agreed.tested.rating.shade
        own = self.dice.total + sum(line.amount for line in self.boost) - self.gear_dice.total
        return Pool(Shaded.of(shade, own) + self.gear_dice, self.open_ended)

    @property
    def all_dice(self) -> Tally:
        """The dice with those bought with artha."""
        return self.dice + self.boost


def open_ended_by_nature(rated: Rated) -> OpenEnded:
    """Perception, Steel, Faith and all magic are open-ended (tests.open_ended.which_abilities).

    What counts is the ability actually rolled (tests.amb.beginner_open_ended).
    """
    magical = isinstance(rated.ability, Skill) and rated.ability.magical
    named = any(
        record["open_ended"] and str(record["ability"]).casefold() == rated.name.casefold()
        for record in catalogue().table("tests.table.open_ended").records()
    )
    return OpenEnded.SIXES if magical or named else OpenEnded.NO


# --- What the GM lays down -----------------------------------------------------------------


def set_terms(
    agreed: Agreed, offered_time: str, *, obstacle: bool, failure: bool = True
) -> Step[Terms]:
    """The GM sets the obstacle and says what success and failure will bring, and how long it takes.

    tests.standard.gm_sets_obstacle, tests.success.gm_announces_result: success brings the intent
    itself unless the GM says more.
    """
    base = (yield from _obstacle(agreed)) if obstacle else 0
    success = yield from ask(
        GM,
        "on_success",
        "What will success bring, and what will extra successes go to?",
        Text(default=agreed.intent),
        because="tests.success.gm_announces_result",
    )
    threat, death = (yield from threaten("")) if failure else ("", "")
    seconds = yield from set_time(agreed, offered_time)
    portions = 1
    if seconds:
        portions = yield from ask(
            GM,
            "portions",
            "One roll; in how many parts are its results handed out over that time?",
            Number(least=1, most=20, default=1),
            because="tests.time.break_up_results",
        )
    what = f"{threat}; {death}" if death else threat
    yield from tell(AtStake(success, what, say_duration(seconds)))
    return Terms(base, success, threat, death, seconds, portions)


def _obstacle(agreed: Agreed) -> Step[int]:
    """What the task demands in itself, whatever dice the character has.

    tests.obstacle.gm_assigns, tests.obstacle.may_be_out_of_reach.
    """
    scale = catalogue().table("tests.table.obstacle_scale").records()
    names = tuple((int(str(row["obstacle"])), str(row["label"])) for row in scale)
    base: int = yield from ask(
        GM,
        "obstacle",
        f"How hard is it in itself? ({agreed.task})",
        Number(least=1, most=20, names=names),
        because="tests.obstacle.gm_assigns",
    )
    return base


def threaten(unless_said: str) -> Step[tuple[str, str]]:
    """What failure will bring, told before any dice are rolled (tests.failure.stated_before_roll).

    A complication (tests.failure.complication), or death, and then exactly how and why
    (tests.failure.death_announced).
    """
    threat = yield from ask(
        GM,
        "on_failure",
        "What happens if it fails? A complication that turns the story another way.",
        Text(required=True, default=unless_said or None),
        because="tests.failure.complication",
    )
    deadly = yield from ask(
        GM,
        "deadly",
        "Would failure kill the character?",
        YesNo(default=False),
        because="tests.failure.death_announced",
    )
    if not deadly:
        return threat, ""
    death = yield from ask(
        GM,
        "death",
        "Say exactly what will happen, and why.",
        Text(required=True),
        because="tests.failure.death_announced",
    )
    return threat, death


def set_time(agreed: Agreed, offered: str) -> Step[int]:
    """How long it takes, stated before the roll; the GM's word is final within the guideline.

    tests.time.stated_before_roll, tests.time.gm_exact, tests.amb.time_who_states.
    """
    skill = agreed.tested.ability
    usual = time_guideline(skill.category if isinstance(skill, Skill) else agreed.tested.kind.value)
    hint = f" (usually {usual})" if usual else ""
    said = yield from ask(
        GM,
        "time",
        f"How long does it take?{hint}",
        Text(default=offered or "instantaneous"),
        because="tests.time.stated_before_roll",
    )
    return parse_duration(said)


# --- Dice and obstacle ---------------------------------------------------------------------


def prepare(
    declaration: Declaration, agreed: Agreed, seconds: int, link: Link, table: BurningTable
) -> Step[Attempt]:
    """Gather everything that adds dice to a test or counts against it, then offer artha.

    Each source is separate and all of them add up (tests.amb.advantage_stacking).
    """
    sheet = table.character(agreed.character)
    seat = sheet.seat(agreed.character)
    tested = agreed.tested
    gear = in_use(sheet, declaration.gear)
    penalties, from_texts = yield from _circumstances(declaration, agreed, link, table)

    dice = Tally.of(tested.exponent, tested.name, "tests.exponent.dice_rolled")
    # Wounds take no dice from Resources and Circles (injury.dice.unaffected).
    unaffected = tested.kind in (Kind.RESOURCES, Kind.CIRCLES)
    spared = unaffected or aura_lifts(table, agreed.character, tested)
    hurt = () if spared else pain(sheet)[0]
    if hurt and dice.total + sum(line.amount for line in hurt) < 1:
        what = f"wounds leave {sheet.name} no dice of {tested.name}, and none can be added to none"
        raise NotAllowed(what, "tests.amb.zero_dice")
    dice += hurt
    dice += trait_dice(sheet, tested.name)
    dice += yield from claim_advantage(seat, tested)
    dice += yield from gm_advantage()
    dice += yield from forks(seat, sheet, tested, link.forks_into_stat)
    helpers = yield from gather_help(agreed.character, tested, declaration.helpers, table)
    dice += tuple(help_dice(helper.helping) for helper in helpers)
    dice += from_texts + link.dice
    careful = yield from carefully(seat, seconds, table.options)
    dice += careful
    lines, from_gear = gear_dice(gear, tested)
    dice += lines
    if dice.total > MOST_DICE:
        expected = f"at most {MOST_DICE} dice in one test"
        raise BadInput("dice", dice.total, expected, "tests.exponent.dice_rolled")

    boost = yield from artha.before_roll(seat, tested, artha.hand(sheet, tested))
    return Attempt(
        agreed=agreed,
        seat=seat,
        dice=dice,
        penalties=penalties,
        gear_dice=from_gear,
        open_ended=_nature(sheet, tested),
        helpers=helpers,
        careful=bool(careful),
        hand=boost.hand,
        boost=boost.lines,
        spent=boost.spent,
    )


def _nature(sheet: Sheet, tested: Rated) -> OpenEnded:
    """Open-ended by the ability's nature, or by a die trait."""
    by_trait = open_by_trait(sheet, tested.name)
    return OpenEnded.SIXES if by_trait else open_ended_by_nature(tested)


def ride_on(
    declaration: Declaration, agreed: Agreed, link: Link, table: BurningTable
) -> Step[Attempt]:
    """A side whose successes were rolled earlier: nothing is added to them, only held against them.

    tests.amb.ride_versus_new_opponent. A trait may still break a tie, for that is no reroll.
    """
    sheet = table.character(agreed.character)
    penalties, _ = yield from _circumstances(declaration, agreed, link, table)
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
    )


def _circumstances(
    declaration: Declaration, agreed: Agreed, link: Link, table: BurningTable
) -> Step[tuple[Tally, tuple[Line, ...]]]:
    """All that counts against a test, and the dice of instructions that were understood."""
    sheet = table.character(agreed.character)
    gear = in_use(sheet, declaration.gear)
    against = yield from disadvantages(f"{sheet.name} ({agreed.task})")
    on = None if agreed.missing_skill else agreed.tested
    dice, misled = yield from following(declaration.instructions, agreed.character, on, table)
    against += trait_obstacle(sheet, agreed.name) + pain(sheet)[1]
    against += social_penalty(
        table, agreed.character, declaration.target, agreed.tested, agreed.missing_skill
    )
    return Tally(against + gear_obstacle(gear, against) + misled + link.obstacle), dice


def obstacle_of(terms: Terms, attempt: Attempt) -> Tally:
    """The obstacle: the base, doubled for Beginner's Luck, then every penalty undoubled."""
    obstacle = Tally.of(terms.base, "the task itself", "tests.obstacle.definition")
    if attempt.untrained:
        obstacle += doubled(terms.base, attempt.agreed.missing_skill)
    return obstacle + attempt.penalties


# --- When the dice have fallen ------------------------------------------------------------


def after_test(
    attempt: Attempt,
    lying: artha.Throw,
    obstacle: int,
    table: BurningTable,
    *,
    passed: bool,
    base: int | None = None,
    is_open: bool = False,
) -> Step[tuple[BurningTable, str]]:
    """Pay for what was spent and log the test, for the roller and for everyone who helped.

    All dice rolled count for the class: help (advancement.help.dice_count), FoRKs, which earn
    nothing themselves (advancement.fork.dice_count, advancement.fork.earn_nothing), advantages
    (advancement.bonus.advantage_counts) and gear (advancement.bonus.equipment_counts); only
    those of artha do not (advancement.artha.never_counts). The obstacle is the one rolled
    against, with its penalties (advancement.amb.obstacle_with_modifiers), though Beginner's Luck
    looks at its ``base``. A speech that was acted out is a test like any other
    (advancement.social.roll_and_log).
    """
    agreed = attempt.agreed
    table = yield from artha.pay(table, agreed.character, agreed.tested, lying)
    dice = attempt.dice.total
    if attempt.untrained:
        base = obstacle if base is None else base
        # advancement.amb.helper_of_beginner: the doubling is the primary's own trouble.
        obstacle = base + attempt.penalties.total
        table, earned = yield from mark_beginner(
            table,
            agreed.character,
            agreed.missing_skill,
            agreed.roots,
            agreed.tested,
            dice,
            base,
            passed=passed,
            is_open=is_open,
        )
    else:
        table, earned = yield from mark(
            table, agreed.character, agreed.tested, dice, obstacle, passed=passed, is_open=is_open
        )
    for helper in attempt.helpers:
        # advancement.help.helper_earns; advancement.help.helper_class: as if testing alone.
        alone = helper.helping.exponent
        table, _ = yield from mark(
            table,
            helper.character,
            helper.helping,
            alone,
            obstacle,
            passed=passed,
            is_open=is_open,
            beside=agreed.character,
        )
    return table, earned.value if earned else ""
