"""Detecting movement in the Circles: has anybody been asking about a character?

A section of the chapter on Circles. The player must not be able to tell from the test whether
anybody was, so it is rolled either way, and everything that would give it away is told to the
GM alone.
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.circles.bonus_dice import bear_on
from astragal.games.burning_wheel.circles.circles_test import prepare_circles, throw_circles
from astragal.games.burning_wheel.circles.searches import circles_of
from astragal.games.burning_wheel.conditions.enmity import check_not_barred
from astragal.games.burning_wheel.conditions.hesitation import check_in_control
from astragal.games.burning_wheel.sheet.editions import edition
from astragal.games.burning_wheel.sheet.facts import IntentDeclared, TestCame
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.games.burning_wheel.sheet.scene import BurningTable, Ride, SearchRecord
from astragal.games.burning_wheel.tests.attempts import Attempt, after_test
from astragal.games.burning_wheel.tests.intent import Context
from astragal.games.burning_wheel.tests.let_it_ride import check_no_ride, let_it_ride
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Noted,
    Number,
    Play,
    Step,
    Tally,
    Text,
    ask,
    call,
    confirm,
    tell,
    then,
)
from astragal.rules import Record, catalogue


class DetectInquiries(Arguments, frozen=True):
    """Somebody listens for whether others ask about him (circles.detect.use)."""

    character: str
    how: str
    circle: str = ""
    helpers: tuple[str, ...] = ()


class Detected(Outcome, frozen=True):
    """What the player learns; a failed test teaches rumours that are false."""

    passed: bool
    successes: int
    inquiries: int
    rumours: str = ""
    earned: str = ""
    spent: Artha = Artha()
    ability: str = "Circles"


class Ear(msgspec.Struct, frozen=True):
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
    tally = Tally.of(10, "to hear of it", rule) - Line(made.obstacle, "a search so hard", rule)
    if made.hidden:
        tally += Line(made.hidden, "it was hidden", "circles.quiet.same_penalty_to_detectors")
    if tally.total < 1:
        tally += Line(1 - tally.total, "at the least", "circles.amb.detect_minimum")
    return tally


def detect_inquiries(arguments: DetectInquiries, table: BurningTable) -> Play[Detected]:
    """Test Circles to learn whether anybody has been asking (circles.detect.use)."""
    character = arguments.character
    sheet = table.character(character)
    check_in_control(table, character)
    check_not_barred(sheet, table)
    circles = circles_of(sheet)
    table = yield from check_no_ride(table, character, circles.name, INTENT)
    yield from tell(IntentDeclared(sheet.name, INTENT, arguments.how, str(circles)))
    searches = tuple(
        made for made in table.scene.searches if made.about == character and not made.compared
    )
    sham = Tally() if searches else (yield from _sham())
    bearing = yield from bear_on(
        sheet, sheet.seat(character), arguments.circle, edition(table.options)
    )
    context = Context(
        dice=bearing.dice + _traces(searches),
        obstacle=bearing.obstacle,
        called_for=True,
        laid_down=True,
    )
    attempt = yield from prepare_circles(
        character, INTENT, arguments.how, arguments.helpers, context, table
    )
    return then(roll_detection, Ear(attempt, sham, searches, INTENT), table)


def _sham() -> Step[Tally]:
    """If nobody asked the GM makes an obstacle up, so that the player cannot tell.

    circles.detect.nobody_obstacle.
    """
    row = _row_of_detection(somebody=False)
    least, most = row.number("sham_ob_least"), row.number("sham_ob_most")
    obstacle = yield from ask(
        GM,
        "sham_obstacle",
        "Nobody has been asking. Which obstacle shall the player roll against?",
        Number(least=least, most=most, default=(least + most) // 2),
        because="circles.detect.nobody_obstacle",
        secret=True,
    )
    return Tally.of(obstacle, "to hear of it", "circles.detect.nobody_obstacle")


def _traces(searches: tuple[SearchRecord, ...]) -> tuple[Line, ...]:
    """Dice that the askers themselves give away.

    Their reputation, but only if they used it (circles.detect.opponent_reputation), and a failed
    attempt to be inconspicuous (circles.inconspicuous.failure).
    """
    lines: tuple[Line, ...] = ()
    for made in searches:
        if made.reputation_dice:
            rule = "circles.detect.opponent_reputation"
            lines += (Line(made.reputation_dice, "the asker is known", rule),)
        if made.traces:
            rule = "circles.inconspicuous.failure"
            lines += (Line(made.traces, "the asker was seen", rule),)
    return lines


def roll_detection(ear: Ear, table: BurningTable) -> Play[Detected]:
    """Roll once, and hold the result against every search (circles.amb.detect_which_search).

    The player hears an obstacle, or not even that (circles.amb.detect_secrecy).
    """
    character = ear.attempt.agreed.character
    name = table.character(character).name
    if table.options["circles_detection_obstacle"] == "shown":
        text = f"{name} listens: Ob {ear.highest.total}."
        yield from tell(Noted(text, "circles.amb.detect_secrecy"))
    # What makes up dice and obstacle would give the case away.
    lying = yield from throw_circles(ear.attempt, ear.highest, name, GM)
    met = tuple(obstacle.total <= lying.successes for obstacle in ear.obstacles)
    passed = any(met)
    obstacle = ear.highest.total
    table, earned = yield from after_test(ear.attempt, lying, obstacle, table, passed=passed)
    ride = Ride(character, ear.attempt.agreed.name, ear.intent, lying.successes, passed)
    table = yield from let_it_ride(table, ride)
    table = yield from _compared(character, table)
    found = tuple(made for made, heard in zip(ear.searches, met, strict=False) if heard)
    if not passed:
        return then(misled, character, lying, earned, table)
    verdict = _verdict(somebody=bool(ear.searches))
    yield from tell(TestCame(name, lying.successes, f"{verdict}.", True))
    for made in found:
        yield from call(same_contact, made)
    return Detected(True, lying.successes, len(found), earned=earned, spent=lying.spent)


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


def same_contact(made: SearchRecord) -> Play[bool]:
    """Where it suits, the very contact is met whom the asker used (circles.detect.same_contact).

    Neither of the two is told so; what comes out is up to the GM
    (circles.amb.detect_who_does_not_know).
    """
    if not made.contact:
        return False
    suits = yield from confirm(
        GM,
        "same_contact",
        f"Does it suit the situation that the same contact is met? {made.contact}",
        default=True,
        because="circles.detect.same_contact",
    )
    if suits:
        text = f"The source is {made.contact}, whom {made.seeker} asked, too."
        yield from tell(Noted(text, "circles.detect.same_contact"), GM)
    return suits


def misled(character: str, lying: artha.Throw, earned: str, table: BurningTable) -> Play[Detected]:
    """A failed test brings false rumours, whether anybody asked or not.

    circles.detect.nobody_failure, circles.amb.detect_failure.
    """
    rumours = yield from ask(
        GM,
        "rumours",
        "Which false or misleading rumours are heard?",
        Text(default="somebody is said to have asked about somebody", required=True),
        because="circles.detect.nobody_failure",
    )
    name = table.character(character).name
    yield from tell(TestCame(name, lying.successes, f"It is said: {rumours}.", False))
    return Detected(False, lying.successes, 0, rumours, earned, lying.spent)


PROCEDURES = (
    Procedure(
        "detect_inquiries",
        "Find out whether anybody asks about a character",
        DetectInquiries,
        detect_inquiries,
    ),
)
