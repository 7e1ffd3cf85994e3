"""Success and failure: what follows once the dice of a test have fallen.

No question here can change the verdict (tests.success.cannot_be_undone): a success is
spent on quality and speed, a failure takes its time and its toll. Every result rides.
"""

from __future__ import annotations

from enum import Enum

from astragal.games.about import listed
from astragal.play import (
    GM,
    Option,
    Play,
    Step,
    Text,
    ask,
    choose,
    confirm,
    confirm_aside,
    consent,
    note,
    tell,
)

from ..artha import on_a_roll as artha
from ..artha.complications import what_pays
from ..sheet.durations import parse_duration, say_duration
from ..sheet.editions import edition
from ..sheet.facts import TestCame
from ..sheet.parts import AbilityKind, SkillAbility
from ..sheet.scene import BurningTable, Ride
from ..sheet.words import as_sentence, counted, sentences
from .attempts import Attempt, TestResult, obstacle_of, result_of
from .circumstances import allocate, time_taken
from .conclusions import after_test
from .intent import Agreement
from .let_it_ride import let_it_ride
from .terms import RollTerms


class Failure(Enum):
    """The two ways in which a failed test defeats the intent (tests.failure.intent_over_task)."""

    TASK_UNDONE = "task_undone"
    INTENT_DEFEATED = "intent_defeated"


class StandardOutcome(TestResult, frozen=True, kw_only=True):
    """How a standard test came out."""

    seconds: int = 0
    patiently: int = 0
    quickly: int = 0
    failure: Failure | None = None
    complication: str = ""
    averted: str = ""
    shared_by: tuple[str, ...] = ()
    granted: bool = False
    ability: str = ""


# --- Success -------------------------------------------------------------------------------


def passed(
    attempt: Attempt, terms: RollTerms, thrown: artha.ThrownDice, table: BurningTable
) -> Play[tuple[StandardOutcome, BurningTable]]:
    """What the GM announced comes true, the way the player described it.

    tests.success.as_described, tests.amb.degree_of_intent: a bare success already brings all
    that was announced, and nobody takes anything off it (gold.result.success,
    tests.success.cannot_be_undone); extra successes carry the intent further
    (tests.success.degree_sets_intent).
    """
    obstacle = obstacle_of(terms, attempt)
    extra = result_of(attempt, thrown, obstacle).margin
    agreed = attempt.agreed
    name = table.character(agreed.character).name
    verdict = sentences(
        f"Success, {extra} extra." if extra else "Success, exactly.", as_sentence(terms.success)
    )
    yield from tell(TestCame(name, thrown.successes, verdict, True))
    done = as_sentence(f"Done: {agreed.task}") if agreed.task else ""
    done = sentences(done, agreed.intent_said("Intent achieved"))
    if done:  # otherwise both were said at the table
        yield from note(done, "tests.success.as_described")
    patiently, quickly = yield from spend_extra(attempt, extra, terms.seconds)
    seconds = yield from _time_saved(attempt, terms.seconds, quickly, table)
    if seconds:
        yield from note(f"It took {say_duration(seconds)}.", "tests.method.quickly_time")
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=True, base=terms.base
    )
    table = yield from ride(attempt, terms.portions, thrown, table, passed=True)
    outcome = StandardOutcome.of(
        result_of(attempt, thrown, obstacle, earned),
        seconds=seconds,
        patiently=patiently,
        quickly=quickly,
        ability=agreed.name,
    )
    return outcome, table


def _time_saved(attempt: Attempt, whole: int, quickly: int, table: BurningTable) -> Step[int]:
    """The time a success takes: a tenth less for each extra success put into speed.

    In the later edition speed has no rate; the GM says what it comes to, by default the same
    (gold.result.extra_successes, gold.diff.quality_and_speed).
    """
    seconds = time_taken(whole, careful=attempt.takes_longer, quickly=quickly)
    if not (whole and quickly) or edition(table.options).speed_has_a_rate:
        return seconds
    said = yield from ask(
        GM,
        "time_taken",
        f"{counted(quickly, 'success')} into speed. How long, instead of {say_duration(whole)}?",
        Text(required=True, default=say_duration(seconds)),
        because="gold.result.extra_successes",
        kind="aside",
    )
    return parse_duration(said)


def spend_extra(attempt: Attempt, extra: int, seconds: int) -> Step[tuple[int, int]]:
    """Extra successes go into quality and speed, or some into each (gold.result.extra_successes).

    Quality is only colour (tests.method.patiently_quality), unless the skill has a rule of its
    own for extra successes (tests.method.patiently_skill_rules), which then reads the number.
    """
    skill = attempt.agreed.tested.ability
    own_rule = skill.patiently if isinstance(skill, SkillAbility) else ""
    matters = bool(seconds or own_rule)
    patiently, quickly = yield from allocate(attempt.seat, extra, matters=matters)
    if patiently:
        rule = "patiently_skill_rules" if own_rule else "patiently_quality"
        yield from note(f"{patiently} into {own_rule or 'quality'}.", f"tests.method.{rule}")
    return patiently, quickly


# --- Failure -------------------------------------------------------------------------------


def failed(
    attempt: Attempt, terms: RollTerms, thrown: artha.ThrownDice, table: BurningTable
) -> Play[tuple[StandardOutcome, BurningTable]]:
    """The intent does not come about (tests.failure.criterion); what was threatened does.

    Exactly that, in the GM's own words (gold.result.failure).
    """
    obstacle = obstacle_of(terms, attempt)
    short = obstacle.total - thrown.successes
    name = table.character(attempt.agreed.character).name
    threat = terms.death or terms.failure
    verdict = sentences(f"Failed, {short} short.", as_sentence(threat))
    yield from tell(TestCame(name, thrown.successes, verdict, False))
    how = yield from _how_it_fails(attempt.agreed)
    complication = ""
    if attempt.careful:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    averted, thrown = yield from turn_aside(
        attempt, threat, thrown, table, deadly=bool(terms.death)
    )
    if averted:
        table = yield from what_pays(attempt.agreed.character, averted, table)
    seconds = yield from _time_lost(attempt, terms, thrown.successes, short, table)
    sharing = yield from who_shares(attempt, table)
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=False, base=terms.base
    )
    table = yield from ride(attempt, terms.portions, thrown, table, passed=False)
    outcome = StandardOutcome.of(
        result_of(attempt, thrown, obstacle, earned),
        seconds=seconds,
        failure=how,
        complication=complication,
        averted=averted,
        shared_by=sharing,
        ability=attempt.agreed.name,
    )
    return outcome, table


def turn_aside(
    attempt: Attempt,
    disaster: str,
    thrown: artha.ThrownDice,
    table: BurningTable,
    *,
    deadly: bool = False,
) -> Step[tuple[str, artha.ThrownDice]]:
    """A Complication: a point of persona turns disaster into another bad but lesser fate.

    Only where the table plays with them (artha.complication.optional) and the failure would be a
    disaster (artha.complication.condition); once for a roll (artha.complication.one_per_roll), and
    the test stays failed (artha.complication.test_still_failed). In the later edition certain
    death can always be bought off, with the GM's consent to what comes instead
    (gold.result.cheat_death, gold.diff.cheat_death_status).
    """
    character = attempt.agreed.character
    if not artha.may_focus(table, character, thrown):
        return "", thrown
    dire = deadly and edition(table.options).death_may_be_cheated
    if not dire and table.scene.complications:
        dire = yield from confirm(
            GM,
            "disaster",
            f"Is this a disaster, like death or capture? {disaster}".rstrip(),
            default=deadly,
            because="artha.complication.condition",
        )
    if not dire:
        return "", thrown
    proposal = yield from _propose_fate(attempt, table)
    if not proposal:
        return "", thrown
    text = as_sentence(f"Complication: {proposal}")
    yield from note(text, "artha.complication.player_chooses_fate")
    return proposal, artha.focused(thrown)


def _propose_fate(attempt: Attempt, table: BurningTable) -> Step[str]:
    """The player names the new outcome (artha.complication.player_chooses_fate).

    It must cost something (artha.complication.must_cost): things or position in physical matters
    (artha.complication.physical_cost), the tie to the subject in social and learned ones
    (artha.complication.social_cost). What the GM finds too mild costs nothing and may be amended
    (artha.amb.complication_refusal).
    """
    social = is_social_or_academic(attempt.agreed, table)
    cost = "complicates your ties to the matter" if social else "costs you something tangible"
    rule = f"artha.complication.{'social' if social else 'physical'}_cost"
    while True:
        proposal = yield from ask(
            attempt.seat,
            "complication",
            f"Complication for 1 persona: what happens instead that {cost}? (empty: none)",
            Text(default=""),
            because=rule,
        )
        if not proposal:
            return ""
        accepted = yield from consent(
            GM,
            "accept_complication",
            f"Is this Complication costly enough? {proposal}",
            because="artha.complication.must_cost",
        )
        if accepted:
            return proposal


def is_social_or_academic(agreed: Agreement, table: BurningTable) -> bool:
    """Whether a test is social or academic, rather than physical: Circles are social.

    Beginner's Luck is what the missing skill is, as far as somebody at the table knows it.
    """
    if agreed.tested.kind is AbilityKind.CIRCLES:
        return True
    skills = [agreed.tested.ability]
    if agreed.missing_skill:
        found = (sheet.find(agreed.missing_skill) for sheet in table.characters.values())
        skills = [rated.ability for rated in found if rated is not None]
    learned = ("Social", "Academic", "School of Thought")
    return any(isinstance(each, SkillAbility) and each.category in learned for each in skills)


def _how_it_fails(agreed: Agreement) -> Step[Failure]:
    """Failure is aimed at the intent; the task itself may even be done.

    tests.failure.intent_over_task.
    """
    rule = "tests.failure.intent_over_task"
    options = {
        "task_undone": "The task is not done",
        "intent_defeated": "The task is done, but something new defeats the intent",
    }
    chosen = yield from choose(
        GM, "failure", "How does it fail?", options, default="task_undone", because=rule
    )
    done = "not done" if chosen == "task_undone" else "done"
    task = f"{done}: {agreed.task}" if agreed.task else f"the task is {done}"
    yield from note(sentences(as_sentence(task), agreed.intent_said("Intent failed")), rule)
    return Failure(chosen)


def out_of_time(
    attempt: Attempt, thrown: artha.ThrownDice, table: BurningTable
) -> Step[tuple[str, artha.ThrownDice]]:
    """A careful test that fails has run out of time (tests.method.carefully_failure).

    The GM has the right to a serious complication; Focus cancels that, though not the failure
    (artha.focus.condition, artha.focus.test_still_failed). In the later edition it was said
    beforehand (gold.dice.carefully).
    """
    complication = attempt.time_threat
    if not complication:
        complication = yield from ask(
            GM,
            "time_complication",
            "Time has run out. What serious complication follows? (empty: none)",
            Text(default=""),
            because="tests.method.carefully_failure",
        )
    if not complication:
        return "", thrown
    focus = False
    if artha.may_focus(table, attempt.agreed.character, thrown):
        focus = yield from confirm(
            attempt.seat,
            "focus",
            f"Focus: spend 1 persona to avoid this? {complication}",
            default=False,
            because="artha.focus.condition",
        )
    if focus:
        yield from note(f"Focus averts this: {complication}.", "artha.focus.condition")
        return "", artha.focused(thrown)
    yield from note(f"Time has run out: {complication}.", "tests.method.carefully_failure")
    return complication, thrown


WIDE_MISS = 3
"""A miss by this much, or without any success, is a wide one (tests.amb.time_and_failure)."""


def _time_lost(
    attempt: Attempt, terms: RollTerms, successes: int, short: int, table: BurningTable
) -> Step[int]:
    """A failed test takes its full time, unless the character notices.

    tests.time.failure_costs_same, tests.time.failure_give_up_early: which misses are noticed is
    contradictory in the book: the body says the wide ones, the summary the narrow ones
    (tests.amb.time_and_failure).
    """
    seconds = time_taken(terms.seconds, careful=attempt.takes_longer, quickly=0)
    if not seconds:
        return 0
    wide = not successes or short >= WIDE_MISS
    noticed = wide if table.options["tests_early_stop"] == "body" else not wide
    full = Option("full_time", "No: it takes the full time", "tests.time.failure_costs_same")
    early = Option("may_stop_early", "Yes: noticed early", "tests.time.failure_give_up_early")
    ruling = yield from choose(
        GM,
        "time_lost",
        "Does the character notice the failure early?",
        (full, early),
        default="may_stop_early" if noticed else "full_time",
        because="tests.time.failure_give_up_early",
        kind="consent",
    )
    stop = False
    if ruling != "full_time":
        stop = yield from confirm(
            attempt.seat,
            "stop_early",
            "It is going wrong. Give up now and lose little time?",
            default=True,
            because="tests.time.failure_give_up_early",
        )
    if stop:
        name = table.character(attempt.agreed.character).name
        text = f"{name} gives up early and loses little time."
        yield from note(text, "tests.time.failure_give_up_early")
        return 0
    yield from note(f"It took {say_duration(seconds)}.", "tests.time.failure_costs_same")
    return seconds


def who_shares(attempt: Attempt, table: BurningTable) -> Step[tuple[str, ...]]:
    """Failure falls on the primary, and on helpers where that was said or is the table's custom.

    tests.amb.primary_risk; in the later edition always (gold.result.helpers_share).
    """
    helpers = tuple(helper.character for helper in attempt.helpers)
    if not helpers:
        return ()
    shared = always_shared(table)
    if not shared:
        shared = yield from confirm_aside(
            GM,
            "helpers_share",
            "Do the helpers share the failure, as announced before the roll?",
            because="tests.amb.primary_risk",
        )
    return (yield from share(helpers, table)) if shared else ()


def always_shared(table: BurningTable) -> bool:
    """Whether helpers share in every failure (gold.diff.helpers_share_failure)."""
    later = edition(table.options).helpers_share_every_failure
    return later or table.options["tests_helpers_share_failure"] == "always"


def share(helpers: tuple[str, ...], table: BurningTable) -> Step[tuple[str, ...]]:
    """Say who shares in a failure."""
    names = listed([table.character(helper).name for helper in helpers])
    later = edition(table.options).helpers_share_every_failure
    rule = "gold.result.helpers_share" if later else "tests.amb.primary_risk"
    yield from note(f"The failure is shared by {names}.", rule)
    return helpers


# --- Let it ride ---------------------------------------------------------------------------


def ride(
    attempt: Attempt, portions: int, thrown: artha.ThrownDice, table: BurningTable, *, passed: bool
) -> Step[BurningTable]:
    """Keep the result of a roll for everything that its intent covers."""
    agreed = attempt.agreed
    new = Ride(agreed.character, agreed.name, agreed.intent, thrown.successes, passed, portions)
    return (yield from let_it_ride(table, new))
