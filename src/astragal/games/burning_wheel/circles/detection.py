"""Detecting movement in the Circles: has anybody been asking about a character?

A section of the chapter on Circles. The player must not be able to tell from the test whether
anybody was, so it is rolled either way, and everything that would give it away is told to the
GM alone.
"""

from __future__ import annotations

import msgspec

from astragal.games.game import SCENE, Arguments, Outcome, Procedure
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
    consent,
    note,
    tell,
    then,
)
from astragal.rules import Record, catalogue

from ..conditions.enmity import check_not_barred
from ..resources.tax import name_of
from ..sheet.editions import edition
from ..sheet.facts import IntentDeclared, TestCame
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable, Ride, SearchRecord
from ..tests.attempts import Attempt, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import CALLED_FOR
from ..tests.let_it_ride import check_no_ride, let_it_ride
from .bonus_dice import standing_effect
from .circles_test import prepare_circles
from .searches import circles_of


class DetectInquiries(Arguments, frozen=True):
    """Find out whether anyone has been asking about a character (circles.detect.use)."""

    character: str
    how: str
    circle: str = ""
    helpers: tuple[str, ...] = ()


class DetectionOutcome(Outcome, frozen=True):
    """What the player learns; a failed test brings false rumours.

    ``obstacle`` is 0 at tables where it is hidden from the player (circles.amb.detect_secrecy).
    """

    passed: bool
    successes: int
    inquiries: int
    rumours: str = ""
    earned: str = ""
    spent: Artha = Artha()
    ability: str = "Circles"
    dice: int = 0
    obstacle: int = 0


class PreparedDetection(msgspec.Struct, frozen=True):
    """A detection test about to be rolled, with each search that it is held against."""

    attempt: Attempt
    sham: Tally
    searches: tuple[SearchRecord, ...]
    intent: str

    @property
    def obstacles(self) -> tuple[Tally, ...]:
        """One obstacle for each search, or the sham one."""
        found = tuple(detection_obstacle(made) for made in self.searches) or (self.sham,)
        return tuple(each + self.attempt.penalties for each in found)

    @property
    def highest(self) -> Tally:
        """By which the one roll is rated (circles.amb.detect_which_search)."""
        return max(self.obstacles, key=lambda each: each.total)


INTENT = "learn whether anybody asks about me"


def detection_obstacle(made: SearchRecord) -> Tally:
    """10 less the obstacle of the search, plus what was done to keep it hidden.

    circles.detect.somebody_obstacle, circles.quiet.same_penalty_to_detectors and
    circles.inconspicuous.success. The search counts without what was added for secrecy, or
    secrecy would do nothing (circles.amb.quiet_and_detection_arithmetic). Never below 1
    (circles.amb.detect_minimum).

    >>> detection_obstacle(SearchRecord("spy", "a clerk", obstacle=5, hidden=3)).total
    8
    """
    rule = "circles.detect.somebody_obstacle"
    tally = Tally.of(10, "base obstacle", rule)
    tally -= Line(made.obstacle, "obstacle of the search", rule)
    if made.hidden:
        secrecy = "circles.quiet.same_penalty_to_detectors"
        tally += Line(made.hidden, "the search was hidden", secrecy)
    if tally.total < 1:
        tally += Line(1 - tally.total, "minimum", "circles.amb.detect_minimum")
    return tally


def detect_inquiries(arguments: DetectInquiries, table: BurningTable) -> Play[DetectionOutcome]:
    """Test Circles to learn whether anybody has been asking (circles.detect.use)."""
    character = arguments.character
    sheet = table.character(character)
    check_not_barred(sheet, table)
    circles = circles_of(sheet)
    table = yield from check_no_ride(table, character, circles.name, INTENT)
    yield from tell(IntentDeclared(sheet.name, INTENT, arguments.how, str(circles)))
    searches = tuple(
        made for made in table.scene.searches if made.about == character and not made.compared
    )
    sham = Tally() if searches else (yield from _sham())
    effect = yield from standing_effect(
        sheet, sheet.seat(character), arguments.circle, edition(table.options)
    )
    context = msgspec.structs.replace(
        CALLED_FOR, dice=effect.dice + _traces(searches), obstacle=effect.obstacle
    )
    attempt = yield from prepare_circles(
        character, INTENT, arguments.how, arguments.helpers, context, table
    )
    return then(roll_detection, PreparedDetection(attempt, sham, searches, INTENT), table)


def _sham() -> Step[Tally]:
    """If nobody asked the GM makes an obstacle up, so that the player cannot tell.

    circles.detect.nobody_obstacle.
    """
    row = _row_of_detection(somebody=False)
    least, most = row.number("sham_ob_least"), row.number("sham_ob_most")
    obstacle = yield from ask(
        GM,
        "sham_obstacle",
        "Nobody has been asking. Obstacle for the player's roll",
        Number(least=least, most=most, default=(least + most) // 2),
        because="circles.detect.nobody_obstacle",
        secret=True,
        kind="aside",
    )
    return Tally.of(obstacle, "base obstacle", "circles.detect.nobody_obstacle")


def _traces(searches: tuple[SearchRecord, ...]) -> tuple[Line, ...]:
    """Dice that the askers themselves give away.

    Their reputation, but only if they used it (circles.detect.opponent_reputation), and a failed
    attempt to be inconspicuous (circles.inconspicuous.failure).
    """
    lines: tuple[Line, ...] = ()
    for made in searches:
        if made.reputation_dice:
            rule = "circles.detect.opponent_reputation"
            lines += (Line(made.reputation_dice, "the asker's reputation", rule),)
        if made.traces:
            rule = "circles.inconspicuous.failure"
            lines += (Line(made.traces, "the asker was noticed", rule),)
    return lines


def roll_detection(prepared: PreparedDetection, table: BurningTable) -> Play[DetectionOutcome]:
    """Roll once, and hold the result against every search (circles.amb.detect_which_search).

    The player hears an obstacle, or not even that (circles.amb.detect_secrecy).
    """
    character = prepared.attempt.agreed.character
    name = table.character(character).name
    if table.options["circles_detection_obstacle"] == "shown":
        text = f"{name} listens: Ob {prepared.highest.total}."
        yield from note(text, "circles.amb.detect_secrecy")
    # What makes up dice and obstacle would give the case away.
    thrown = yield from throw_attempt(prepared.attempt, prepared.highest, table, GM)
    met = tuple(obstacle.total <= thrown.successes for obstacle in prepared.obstacles)
    passed = any(met)
    obstacle = prepared.highest.total
    table, earned = yield from after_test(prepared.attempt, thrown, obstacle, table, passed=passed)
    ride = Ride(character, prepared.attempt.agreed.name, prepared.intent, thrown.successes, passed)
    table = yield from let_it_ride(table, ride)
    table = yield from _compared(character, table)
    found = tuple(made for made, heard in zip(prepared.searches, met, strict=False) if heard)
    told = obstacle if table.options["circles_detection_obstacle"] == "shown" else 0
    outcome = DetectionOutcome(
        passed,
        thrown.successes,
        len(found),
        earned=earned,
        spent=thrown.spent,
        dice=prepared.attempt.dice.total,
        obstacle=told,
    )
    if not passed:
        return then(misled, character, outcome, table)
    verdict = _verdict(somebody=bool(prepared.searches))
    yield from tell(TestCame(name, thrown.successes, f"{verdict}.", True))
    for made in found:
        yield from call(same_contact, made, table)
    return outcome


def _row_of_detection(*, somebody: bool) -> Record:
    """The row of the catalogue for whether anybody was asking."""
    table = catalogue().table("circles.table.detection")
    return table.where(**{"was anyone asking": somebody})


def _verdict(*, somebody: bool) -> str:
    """What a passed test teaches (circles.detect.nobody_success, circles.detect.somebody_success).

    Only that somebody asked, not who.
    """
    return _row_of_detection(somebody=somebody).text("pass").capitalize()


def _compared(character: str, table: BurningTable) -> Step[BurningTable]:
    """Every search has been held against this test; the next one looks at later searches."""
    searches = tuple(
        msgspec.structs.replace(made, compared=True) if made.about == character else made
        for made in table.scene.searches
    )
    because = "circles.amb.detect_which_search"
    return (yield from table.amend(SCENE, "searches", searches, because=because))


def same_contact(made: SearchRecord, table: BurningTable) -> Play[bool]:
    """Where it suits, the very contact is met whom the asker used (circles.detect.same_contact).

    Neither of the two is told so; what comes out is up to the GM
    (circles.amb.detect_who_does_not_know).
    """
    if not made.contact:
        return False
    rule = "circles.detect.same_contact"
    prompt = f"Do they meet the same contact? ({made.contact})"
    suits = yield from consent(GM, "same_contact", prompt, because=rule)
    if suits:
        asker = name_of(table, made.seeker)
        yield from note(f"The source is {made.contact}, whom {asker} asked too.", rule, GM)
    return suits


def misled(
    character: str, outcome: DetectionOutcome, table: BurningTable
) -> Play[DetectionOutcome]:
    """A failed test brings false rumours, whether anybody asked or not.

    circles.detect.nobody_failure, circles.amb.detect_failure.
    """
    rumours = yield from ask(
        GM,
        "rumours",
        "What false or misleading rumours do they hear?",
        Text(default="someone has been asking questions", required=True),
        because="circles.detect.nobody_failure",
        kind="aside",
    )
    name = table.character(character).name
    yield from tell(TestCame(name, outcome.successes, f"The rumour: {rumours}.", False))
    return msgspec.structs.replace(outcome, rumours=rumours)


PROCEDURES = (
    Procedure(
        "detect_inquiries", "Circles test to detect inquiries", DetectInquiries, detect_inquiries
    ),
)
