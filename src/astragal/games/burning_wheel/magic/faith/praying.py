"""Praying: the intent and the prayer, the test of Faith, and how it is answered.

There is no Tax and no table for failures.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Play,
    Step,
    Tally,
    Text,
    ask,
    call,
    choose,
    consent,
    note,
    tell,
    then,
)

from ...artha.aristeia import lightened
from ...sheet.facts import IntentDeclared, TestCame
from ...sheet.scene import BurningTable, Ride
from ...sheet.sheet import stat_names
from ...sheet.words import as_sentence
from ...tests.attempts import Attempt, TestResult, prepare, result_of, throw_attempt
from ...tests.circumstances import time_taken
from ...tests.conclusions import after_test
from ...tests.intent import CALLED_FOR, LONGEST_WORDS, Agreement, Context, not_rolled_before
from ...tests.let_it_ride import let_it_ride
from ...tests.partial_records import complete
from ...tests.results import out_of_time, who_shares
from .answers import PrayerEffect, PrayerRequest, grant
from .faithful import check_faithful, check_stated, may_pray
from .holy_places import consecration_time
from .joining import believers_dice, priests_joining
from .prayer_tables import BOON, CONSECRATION, MINOR_MIRACLE, PURIFICATION, prayer_named
from .religions import check_works, religion_of
from .requests import Pray, base_obstacle, check_request, recipient
from .spell_breaking import allow_spell_breaking

MOST_OUTLANDISH = 10
"""The most that an outlandish intent adds to an obstacle; a larger number is a typing error."""


class PrayerAnswer(Enum):
    """How a prayer is answered (faith.pray.failure, faith.pray.failure_intercession)."""

    GRANTED = "granted"
    UNHEARD = "unheard"
    ANOTHER = "another"
    WRATH = "wrath"


class PrayerOutcome(TestResult, frozen=True, kw_only=True):
    """How a prayer was answered.

    ``mystery`` is the strange sign of a granted one, ``wrath`` what the angered god or another
    being does. ``bonus`` are dice given, ``actions`` how long a Hindrance holds, ``touched`` those
    on whom it works, ``revealed`` what was learned; ``shared_by`` are those who helped and share
    what a failed prayer brings.
    """

    prayer: str
    answer: PrayerAnswer
    mystery: str = ""
    wrath: str = ""
    bonus: int = 0
    actions: int = 0
    touched: tuple[str, ...] = ()
    revealed: str = ""
    seconds: int = 0
    complication: str = ""
    shared_by: tuple[str, ...] = ()
    ability: str = "Faith"


class PreparedPrayer(msgspec.Struct, frozen=True, cache_hash=True):
    """A prayer about to be rolled; ``raised`` is what an outlandish intent added."""

    request: PrayerRequest
    attempt: Attempt
    obstacle: Tally
    raised: int
    seconds: int


def pray(arguments: Pray, table: BurningTable) -> Play[PrayerOutcome]:
    """Pray for divine intervention: intent, then task, then a test of Faith.

    faith.pray.procedure.
    """
    outcome, _ = yield from call(offer_prayer, arguments, table)
    return outcome


def offer_prayer(arguments: Pray, table: BurningTable) -> Play[tuple[PrayerOutcome, BurningTable]]:
    """A prayer and the table after it; conflicts call this.

    The prayer is announced and spoken aloud (faith.pray.spoken), so who hesitates cannot pray;
    wounds alone do not stop it (faith.amb.prayer_interruption). Faith is rolled alone, without
    Will (faith.pray.faith_alone), open-ended (faith.pray.open_ended), and takes no FoRKs
    (faith.amb.forks_for_faith).
    """
    character = arguments.character
    faith = check_faithful(table.character(character))
    kind = prayer_named(arguments.prayer)
    table = yield from _whose_ability(arguments, table)
    check_request(arguments, kind, table)
    stated, table = yield from check_stated(character, table)
    religion, table = yield from religion_of(stated, table)
    check_works(kind, religion)
    sheet = table.character(character)
    seat = sheet.seat(character)
    intent = arguments.intent.strip()
    if not intent:
        question = Text(default="", longest=LONGEST_WORDS)
        intent = yield from ask(
            seat, "intent", "Intent of the prayer", question, because="faith.pray.procedure"
        )
    arguments = yield from _settled(arguments, kind.code, intent, table)
    words = f": {arguments.words.strip()}" if arguments.words.strip() else ""
    task = f"prays aloud for {kind.name}{words}"
    agreed = Agreement(character, intent, task, lightened(table, character, faith))
    if not arguments.in_script:  # tests.amb.ride_in_extended_conflict
        table = yield from not_rolled_before(agreed, CALLED_FOR, table)
    yield from tell(IntentDeclared(sheet.name, intent, task, str(agreed.tested)))
    base, raised = base_obstacle(arguments, kind), (yield from _outlandish())
    obstacle = base + raised
    seconds = (yield from consecration_time(table)) if kind.code == CONSECRATION else 0
    helpers: tuple[str, ...] = ()
    if arguments.helpers or not arguments.in_script:  # nobody is asked for help in a script
        helpers = yield from priests_joining(
            character, arguments.helpers, kind, arguments.rite, religion, table
        )
    crowd = yield from believers_dice(
        character, arguments.believers, arguments.crowd, helpers, religion, table
    )
    scripted = arguments.in_script
    context = Context(
        called_for=True,
        laid_down=True,
        dice=crowd,
        folded=scripted,
        lasting=scripted,
        several=scripted,
    )
    attempt = yield from prepare(agreed.declared(helpers), agreed, seconds, context, table)
    request = PrayerRequest(arguments, kind, religion, faith.exponent, intent, obstacle.total)
    prepared = PreparedPrayer(
        request, attempt, obstacle + attempt.penalties, sum(line.amount for line in raised), seconds
    )
    return then(roll_prayer, prepared, table)


def _whose_ability(arguments: Pray, table: BurningTable) -> Step[BurningTable]:
    """The stat, Steel or Health that a prayer is for, where a sheet of the GM's lacks it.

    tests.record.gm_characters.
    """
    named = {name.casefold(): name for name in (*stat_names(), "Steel", "Health")}
    wanted = named.get(arguments.ability.strip().casefold())
    if wanted is None or recipient(arguments) not in table.characters:
        return table
    return (yield from complete(table, (recipient(arguments),), (wanted,)))


def _settled(arguments: Pray, code: str, intent: str, table: BurningTable) -> Step[Pray]:
    """What has to be said with the prayer: the task of a Boon; and what the GM has to allow."""
    sheet = table.character(arguments.character)
    if code == BOON and not arguments.task.strip():
        task = yield from ask(
            sheet.seat(arguments.character),
            "boon_task",
            f"Boon: for which task? ({arguments.ability})",
            Text(required=True, default=intent or "what is at hand"),
            because="faith.prayer.boon",
        )
        arguments = msgspec.structs.replace(arguments, task=task)
    if code == MINOR_MIRACLE and (arguments.spell or arguments.castings):
        yield from allow_spell_breaking()
    if code == PURIFICATION and not arguments.in_script:  # the conflict sees to it
        rule = "faith.prayer.purification"
        whom = table.character(recipient(arguments)).name if arguments.targets else "it"
        prompt = f"Can {sheet.name} touch {whom}?"
        if not (yield from consent(GM, "touches", prompt, because=rule)):
            raise NotAllowed(f"{sheet.name} must touch what is to be purified", rule)
    return arguments


def _outlandish() -> Step[tuple[Line, ...]]:
    """For an outlandish intent the GM may raise the obstacle greatly (faith.pray.outlandish)."""
    rule = "faith.pray.outlandish"
    raised: int = yield from ask(
        GM,
        "outlandish",
        "Outlandish intent: raise the obstacle by",
        Number(least=0, most=MOST_OUTLANDISH, default=0),
        because=rule,
        kind="aside",
    )
    return (Line(raised, "outlandish intent", rule),) if raised else ()


# --- The roll ------------------------------------------------------------------------------


def roll_prayer(
    prepared: PreparedPrayer, table: BurningTable
) -> Play[tuple[PrayerOutcome, BurningTable]]:
    """Throw the dice of Faith: enough successes and the favor is granted (faith.pray.success).

    No Tax follows (faith.pray.no_tax). Only for Aid does it matter by how much
    (faith.pray.total_success).
    """
    attempt, obstacle, kind = prepared.attempt, prepared.obstacle, prepared.request.kind
    name = table.character(attempt.agreed.character).name
    thrown = yield from throw_attempt(attempt, obstacle, table, decides=not kind.extras_are_dice)
    result = result_of(attempt, thrown, obstacle)
    verdict = "The prayer is granted." if result.passed else f"Failed, {-result.margin} short."
    yield from tell(TestCame(name, thrown.successes, verdict, result.passed))
    complication = ""
    if attempt.careful and not result.passed:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=result.passed
    )
    agreed, arguments = attempt.agreed, prepared.request.arguments
    if not arguments.in_script:
        ride = Ride(agreed.character, agreed.name, agreed.intent, thrown.successes, result.passed)
        table = yield from let_it_ride(table, ride)
    outcome = PrayerOutcome.of(
        result_of(attempt, thrown, obstacle, earned),
        prayer=kind.code,
        answer=PrayerAnswer.GRANTED if result.passed else PrayerAnswer.UNHEARD,
        seconds=time_taken(prepared.seconds, careful=attempt.takes_longer, quickly=0),
        complication=complication,
    )
    return then(granted if result.passed else unanswered, prepared, outcome, table)


def granted(
    prepared: PreparedPrayer, outcome: PrayerOutcome, table: BurningTable
) -> Play[tuple[PrayerOutcome, BurningTable]]:
    """What was asked for happens, with one sign that nobody can explain (faith.pray.mystery)."""
    request = msgspec.structs.replace(prepared.request, extra=outcome.margin)
    effect: PrayerEffect
    effect, table = yield from grant(request, table)
    mystery = yield from ask(
        GM,
        "mystery",
        f"Mysterious sign, on the scale of {request.kind.name}",
        Text(required=True, default="something happens that nobody can explain"),
        because="faith.pray.mystery",
        kind="aside" if request.arguments.in_script else "offered",
    )
    yield from note(as_sentence(mystery), "faith.pray.mystery")
    wrath = (yield from _anger()) if prepared.raised else ""
    outcome = msgspec.structs.replace(
        outcome,
        mystery=mystery,
        wrath=wrath,
        bonus=effect.dice,
        actions=effect.actions,
        touched=effect.touched,
        revealed=effect.revealed,
    )
    return outcome, table


def _anger() -> Step[str]:
    """The god's anger at an outlandish intent, if the GM will (faith.pray.outlandish)."""
    rule = "faith.pray.outlandish"
    prompt = "Divine anger at the outlandish intent (empty: none)"
    wrath = yield from ask(GM, "anger", prompt, Text(default=""), because=rule)
    if wrath:
        yield from note(as_sentence(wrath), rule)
    return wrath


def unanswered(
    prepared: PreparedPrayer, outcome: PrayerOutcome, table: BurningTable
) -> Play[tuple[PrayerOutcome, BurningTable]]:
    """Nothing happens: the prayer goes unheard (faith.pray.failure).

    No table is consulted (faith.pray.no_failure_table). The GM may have another being answer, or
    the angered god strike (faith.pray.failure_intercession); in the later edition those who helped
    as well (gold.result.helpers_share).
    """
    rule = "faith.pray.failure_intercession"
    options = {
        PrayerAnswer.UNHEARD.value: "Nobody: it goes unheard",
        PrayerAnswer.ANOTHER.value: "Another being",
        PrayerAnswer.WRATH.value: "The god, angered: a curse or a plague",
    }
    chosen = yield from choose(
        GM,
        "who_answers",
        "Who answers the failed prayer?",
        options,
        default=PrayerAnswer.UNHEARD.value,
        because=rule,
        kind="offered" if prepared.raised else "aside",
    )
    answer = PrayerAnswer(chosen)
    if answer is PrayerAnswer.UNHEARD:
        yield from note("The prayer goes unheard.", "faith.pray.failure")
        return outcome, table
    wrath = yield from ask(GM, "anger", "What happens?", Text(default=""), because=rule)
    who = "Another being" if answer is PrayerAnswer.ANOTHER else "The angered god"
    yield from note(as_sentence(wrath) or f"{who} answers the prayer.", rule)
    sharing = yield from who_shares(prepared.attempt, table)  # faith.help.faithful: as usual
    return msgspec.structs.replace(outcome, answer=answer, wrath=wrath, shared_by=sharing), table


PROCEDURES = (Procedure("pray", "Pray", Pray, pray, check=may_pray),)
