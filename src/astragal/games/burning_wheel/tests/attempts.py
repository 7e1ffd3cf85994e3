"""Up to the roll: what is at stake, and the dice gathered for it.

The order is the book's (tests.procedure.order): once task, intent and ability are agreed
(``tests/intent``), the GM says how hard it is, how long it takes and
what happens if it fails; then everything that adds dice or raises the obstacle is settled,
before any dice are thrown (tests.modifiers.before_the_roll). What comes after is in
``tests/tests``.
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Pool, Shaded
from astragal.errors import BadInput
from astragal.games.burning_wheel.advancement.log import mark, mark_beginner
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.bearing_pain import bear_pain
from astragal.games.burning_wheel.conditions.enmity import own_standings
from astragal.games.burning_wheel.conditions.every_test import (
    conditions_on,
    obstacle_lines,
    with_conditions,
)
from astragal.games.burning_wheel.conditions.lines import Tester
from astragal.games.burning_wheel.conditions.traits import open_by_trait
from astragal.games.burning_wheel.sheet.catalogue_keys import key_of
from astragal.games.burning_wheel.sheet.durations import parse_duration, say_duration
from astragal.games.burning_wheel.sheet.editions import REVISED, Edition, edition
from astragal.games.burning_wheel.sheet.facts import AtStake
from astragal.games.burning_wheel.sheet.parts import Artha, Skill
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Rated, Sheet, gear_in_use
from astragal.games.burning_wheel.tests.circumstances import (
    carefully,
    claim_advantage,
    disadvantages,
    gm_advantage,
    infamy,
    time_guideline,
    time_threat,
)
from astragal.games.burning_wheel.tests.gear import (
    NO_TOOLS,
    ToolUse,
    gear_dice,
    gear_obstacle,
    no_tools,
    times_base,
    tools_in_hand,
    wear_out,
)
from astragal.games.burning_wheel.tests.helping import (
    Helper,
    doubled,
    following,
    forks,
    gather_help,
    help_dice,
)
from astragal.games.burning_wheel.tests.intent import Agreed, Declaration, Link
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    Seat,
    Step,
    Tally,
    Text,
    ask,
    choose,
    confirm,
    tell,
)
from astragal.rules import catalogue

MOST_DICE = 60
"""No legal pool comes near this; more is a slip of the keyboard."""


class Terms(msgspec.Struct, frozen=True):
    """What the GM lays down before the roll; ``opposed_by`` is whose exponent the obstacle is.

    ``rule`` is the one that sets the base obstacle, where it is not the GM who does.
    """

    base: int
    success: str
    failure: str
    death: str
    seconds: int
    portions: int
    opposed_by: str = ""
    rule: str = ""


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
    borne: Artha = Artha()
    """What of the artha spent was for bearing pain."""
    tools: ToolUse = NO_TOOLS
    base_counts: int = 1
    """How many times the base obstacle counts, for want of training or tools."""
    takes_longer: bool = False
    time_threat: str = ""

    @property
    def untrained(self) -> bool:
        """Whether this is Beginner's Luck."""
        return bool(self.agreed.missing_skill)

    @property
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


# --- What the GM lays down -----------------------------------------------------------------


def set_terms(
    agreed: Agreed, declaration: Declaration, table: BurningTable, *, obstacle: bool
) -> Step[Terms]:
    """The GM sets the obstacle and says what success and failure will bring, and how long it takes.

    tests.standard.gm_sets_obstacle, tests.success.gm_announces_result: success brings the intent
    itself unless the GM says more. A test without an ``obstacle`` does not fail.
    """
    played = edition(table.options)
    base, opposed_by = 0, ""
    if obstacle:
        base, opposed_by = yield from _obstacle(agreed, declaration.target, table)
    success = yield from ask(
        GM,
        "on_success",
        "What will success bring, and what will extra successes go to?",
        Text(default=agreed.intent),
        because="tests.success.gm_announces_result",
    )
    threat, death = (yield from threaten("", played)) if obstacle else ("", "")
    seconds = yield from set_time(agreed, declaration.time)
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
    return Terms(base, success, threat, death, seconds, portions, opposed_by)


def _obstacle(agreed: Agreed, target: str, table: BurningTable) -> Step[tuple[int, str]]:
    """What the task demands in itself, whatever dice the character has.

    tests.obstacle.gm_assigns, tests.obstacle.may_be_out_of_reach; in the later edition 1 to 10
    (gold.tests.obstacle_range), or the exponent of somebody who stands against it.
    """
    played = edition(table.options)
    if played.obstacle_from_opponents and target in table.characters:
        opposed, whose = yield from _opposed(agreed, table.character(target))
        if opposed:
            return opposed, whose
    scale = catalogue().table("tests.table.obstacle_scale").records()
    names = tuple((int(str(row["obstacle"])), str(row["label"])) for row in scale)
    base: int = yield from ask(
        GM,
        "obstacle",
        f"How hard is it in itself? ({agreed.task})",
        Number(least=1, most=played.highest_base_obstacle, names=names),
        because="tests.obstacle.gm_assigns",
    )
    return base, ""


def _opposed(agreed: Agreed, opponent: Sheet) -> Step[tuple[int, str]]:
    """An opponent's exponent as the obstacle, if the GM takes one.

    gold.tests.obstacle_from_opponent, gold.diff.obstacle_from_ability.
    """
    rule = "gold.tests.obstacle_from_opponent"
    own = [rated for rated in opponent.abilities() if rated.exponent]
    none = Option(key="none", label="No: a number", rule="tests.obstacle.gm_assigns")
    options = tuple(Option(key=rated.name, label=str(rated), rule=rule) for rated in own)
    chosen = yield from choose(
        GM,
        "obstacle_from",
        f"Is an ability of {opponent.name} the obstacle? ({agreed.task})",
        (none, *options),
        default="none",
        because=rule,
    )
    if chosen == "none":
        return 0, ""
    return opponent.ability(chosen).exponent, f"{opponent.name}'s {chosen}"


NO_CONSEQUENCE = ("nothing", "nothing_happens", "nothing_much", "no_consequence", "none")
"""What is no consequence of failure at all (gold.tests.consequence_quality)."""


def threaten(unless_said: str, played: Edition = REVISED) -> Step[tuple[str, str]]:
    """What failure will bring, told before any dice are rolled (tests.failure.stated_before_roll).

    A complication (tests.failure.complication), or death, and then exactly how and why
    (tests.failure.death_announced). In the later edition it must make matters worse and move the
    story on: that nothing happens is refused (gold.tests.consequence_quality).
    """
    threat = yield from ask(
        GM,
        "on_failure",
        "What happens if it fails? A complication that turns the story another way.",
        Text(required=True, default=unless_said or None),
        because="tests.failure.complication",
    )
    if played.failure_must_complicate and key_of(threat) in NO_CONSEQUENCE:
        expected = "a consequence that complicates matters and moves the story on"
        raise BadInput("on_failure", threat, expected, "gold.tests.consequence_quality")
    deadly = yield from confirm(
        GM,
        "deadly",
        "Would failure kill the character?",
        default=False,
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

    tests.time.stated_before_roll, tests.time.gm_exact, tests.amb.time_who_states,
    gold.tests.length.
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
    pain = yield from bear_pain(seat, conditions_on(tester), in_hand, table)
    tools = yield from tools_in_hand(declaration, agreed, link, table)
    penalties, from_texts = yield from _circumstances(
        declaration, agreed, obstacle_lines(pain.conditions), link, table
    )

    dice = Tally.of(tested.exponent, tested.name, "tests.exponent.dice_rolled")
    dice = with_conditions(dice, pain.conditions, tester)
    dice += yield from claim_advantage(seat, tested, played)
    dice += yield from gm_advantage(played)
    dice += yield from forks(seat, sheet, tested, link.forks_into_stat)
    helpers = yield from gather_help(agreed.character, tested, declaration.helpers, table)
    dice += tuple(help_dice(helper.helping) for helper in helpers)
    dice += from_texts + link.dice
    careful = yield from carefully(seat, seconds, table.options, played)
    dice += careful
    threat = (yield from time_threat(played)) if careful else ""
    lines, from_gear = gear_dice(gear, tested)
    dice += lines
    if dice.total > MOST_DICE:
        expected = f"at most {MOST_DICE} dice in one test"
        raise BadInput("dice", dice.total, expected, "tests.exponent.dice_rolled")

    boost = yield from artha.before_roll(seat, tested, pain.hand, played=played)
    untrained = bool(agreed.missing_skill)
    return Attempt(
        agreed=agreed,
        seat=seat,
        dice=dice,
        penalties=penalties,
        gear_dice=from_gear,
        open_ended=nature(sheet, tested, link, table),
        helpers=helpers,
        careful=bool(careful),
        hand=boost.hand,
        boost=boost.lines,
        spent=artha.together(boost.spent, pain.spent),
        borne=pain.spent,
        tools=tools,
        base_counts=times_base(untrained=untrained, lacking=tools.lacking, options=table.options),
        takes_longer=bool(careful) and played.careful_takes_longer,
        time_threat=threat,
    )


def tester_of(agreed: Agreed, declaration: Declaration, table: BurningTable) -> Tester:
    """Who tests what, as conditions look at it."""
    return Tester(agreed.character, agreed.tested, table, agreed.missing_skill, declaration.target)


def nature(sheet: Sheet, tested: Rated, link: Link, table: BurningTable) -> OpenEnded:
    """Open-ended by the ability's nature (tests.open_ended.which_abilities), or by a die trait.

    What counts is the ability actually rolled (tests.amb.beginner_open_ended).
    """
    own = edition(table.options).nature_of(tested, table.options, linked=link.in_chain)
    by_trait = own is OpenEnded.NO and open_by_trait(sheet, tested.name)
    return OpenEnded.SIXES if by_trait else own


def ride_on(
    declaration: Declaration, agreed: Agreed, link: Link, table: BurningTable
) -> Step[Attempt]:
    """A side whose successes were rolled earlier: nothing is added to them, only held against them.

    tests.amb.ride_versus_new_opponent. A trait may still break a tie, for that is no reroll.
    """
    sheet = table.character(agreed.character)
    hampered = obstacle_lines(conditions_on(tester_of(agreed, declaration, table)))
    penalties, _ = yield from _circumstances(declaration, agreed, hampered, link, table)
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
        base_counts=2 if agreed.missing_skill else 1,
    )


def _circumstances(
    declaration: Declaration,
    agreed: Agreed,
    hampered: tuple[Line, ...],
    link: Link,
    table: BurningTable,
) -> Step[tuple[Tally, tuple[Line, ...]]]:
    """All that counts against a test, and the dice of instructions that were understood."""
    sheet = table.character(agreed.character)
    played = edition(table.options)
    gear = gear_in_use(sheet, declaration.gear)
    against = yield from disadvantages(f"{sheet.name} ({agreed.task})")
    on = None if agreed.missing_skill else agreed.tested
    dice, misled = yield from following(declaration.instructions, agreed.character, on, table)
    against += hampered
    against += yield from infamy(own_standings(sheet), agreed.tested, played)
    return Tally(against + gear_obstacle(gear, against) + misled + link.obstacle), dice


def obstacle_of(terms: Terms, attempt: Attempt) -> Tally:
    """The obstacle of a standard test, from what the GM laid down.

    It is never less than that (tests.obstacle.only_up), and the same for every shade
    (shades.obstacle.unchanged).
    """
    laid_down_by = terms.rule or "tests.obstacle.definition"
    obstacle = Tally.of(terms.base, "the task itself", laid_down_by)
    if terms.opposed_by:
        rule = "gold.tests.obstacle_from_opponent"
        obstacle = Tally.of(terms.base, terms.opposed_by, rule)
    return faced(obstacle, attempt)


def faced(base: Tally, attempt: Attempt) -> Tally:
    """The obstacle: the base, doubled for Beginner's Luck, then every penalty undoubled.

    gold.tests.tools: doubled for want of tools as well, in the later edition.
    """
    obstacle = base
    if attempt.untrained:
        obstacle += doubled(base.total, attempt.agreed.missing_skill)
    if attempt.tools.lacking:
        obstacle += no_tools(base.total, attempt.base_counts, untrained=attempt.untrained)
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
    table = yield from artha.pay(table, agreed.character, agreed.tested, lying, attempt.borne)
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
    table = yield from wear_out(table, agreed.character, attempt.tools)
    return table, earned.value if earned else ""
