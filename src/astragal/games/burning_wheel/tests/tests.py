"""Testing your abilities: standard and open tests.

Read it beside the chapter. Up to the roll every test goes the same way
(``tests/attempts``); here is what is rolled and what it is compared
with; what follows is in ``tests/results``. Tests of one character
against another (``tests/versus``) and chains of tests
(``tests/linked``) have modules of their own. The dice decide
(tests.roll.dice_decide).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Option, Play, Step, Tally, call, choose, consent, note, tell, then
from astragal.rules import catalogue

from ..sheet.editions import REVISED, check_edition, edition
from ..sheet.facts import TestCame
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from ..sheet.words import as_sentence, counted
from .attempts import Attempt, obstacle_of, prepare, result_of, throw_attempt
from .circumstances import time_taken
from .conclusions import after_test
from .intent import Agreement, Context, Declaration, agree, not_rolled_before
from .results import StandardOutcome, failed, out_of_time, passed, ride
from .terms import RollTerms, set_terms

BY_ITSELF = Context(may_ask_help=True)
"""A test that somebody begins, and that is part of nothing."""

# --- Standard tests ------------------------------------------------------------------------


class StandardTest(Declaration, frozen=True, kw_only=True):
    """One ability against a fixed obstacle."""


def standard_test(arguments: StandardTest, table: BurningTable) -> Play[StandardOutcome]:
    """One ability rolled against an obstacle that the GM sets (tests.standard.gm_sets_obstacle)."""
    outcome, _ = yield from call(standard, arguments, BY_ITSELF, table)
    return outcome


def standard(
    declaration: Declaration, context: Context, table: BurningTable
) -> Play[tuple[StandardOutcome, BurningTable]]:
    """A standard test, alone or in a chain, and the table after it.

    The order is the book's (tests.procedure.order).
    """
    agreed = yield from agree(declaration, context, table)
    if (yield from _say_yes(agreed, context, table)):
        return StandardOutcome(passed=True, granted=True, ability=agreed.name), table
    table = yield from not_rolled_before(agreed, context, table)
    terms = yield from set_terms(agreed, declaration, table, obstacle=True)
    attempt = yield from prepare(declaration, agreed, terms.seconds, context.timed, table)
    return then(roll_standard, attempt, terms, table)


def _say_yes(agreed: Agreement, context: Context, table: BurningTable) -> Step[bool]:
    """Without anything at stake the GM may simply say yes; in a conflict dice are rolled.

    tests.roll.uncertain_action, tests.roll.conflict_required, tests.amb.say_yes,
    artha.play.no_stakes_no_roll. At the wrong moment the GM has a test wait, or refuses it
    (advancement.award.gm_may_hold). In the later edition the task must also be within reach
    (gold.tests.say_yes).
    """
    if context.called_for:
        return False
    hold = "advancement.award.gm_may_hold"
    options = (
        Option("roll", "Roll", "tests.roll.conflict_required", note="something is at stake"),
        Option("say_yes", "Say yes", "tests.amb.say_yes", note="it happens without a roll"),
        Option("not_now", "Not the moment", hold, note="no test at this moment"),
    )
    chosen = yield from choose(
        GM,
        "at_stake",
        "Say yes, or roll?",
        options,
        default="roll",
        because="tests.roll.uncertain_action",
        kind="consent",
    )
    if chosen == "not_now":
        what = f"This is not the moment for a test: {agreed.intent or agreed.name}. Try it later"
        raise NotAllowed(what, hold)
    if chosen == "roll":
        return False
    name = table.character(agreed.character).name
    if not (yield from well_within(f"the abilities of {name}", table)):
        return False
    what = agreed.intent or agreed.task or agreed.name
    yield from note(as_sentence(f"The GM says yes: {what}"), "tests.amb.say_yes")
    return True


def well_within(what: str, table: BurningTable) -> Step[bool]:
    """The second thing that saying yes takes, in the later edition (gold.diff.say_yes)."""
    if not edition(table.options).reach_is_asked:
        return True
    rule = "gold.tests.say_yes"
    within: bool = yield from consent(GM, "within_reach", f"Is it within {what}?", because=rule)
    return within


def roll_standard(
    attempt: Attempt, terms: RollTerms, table: BurningTable
) -> Play[tuple[StandardOutcome, BurningTable]]:
    """Throw the dice once and compare: as many successes as the obstacle, or more, pass.

    tests.standard.pass; the dice decide (tests.roll.dice_decide).
    """
    obstacle = obstacle_of(terms, attempt)
    thrown = yield from throw_attempt(attempt, obstacle, table)
    if result_of(attempt, thrown, obstacle).passed:
        return then(passed, attempt, terms, thrown, table)
    return then(failed, attempt, terms, thrown, table)


# --- Open tests ----------------------------------------------------------------------------


class Clue(Arguments, frozen=True):
    """A piece of information, and how many successes it takes to learn it."""

    rating: int
    text: str


class OpenTest(Declaration, frozen=True, kw_only=True):
    """The number of successes is itself the result; the GM decides what there is to learn."""

    information: tuple[Clue, ...] = ()


class OpenOutcome(Outcome, frozen=True):
    """The result of an open test; a graduated one also states an obstacle.

    What the GM ``granted`` was not rolled, and all that there is to learn is revealed.
    ``penalties`` are what takes successes off; ``result`` is what is left.
    """

    successes: int
    result: int
    dice: Tally
    revealed: tuple[str, ...]
    earned: str = ""
    spent: Artha = Artha()
    seconds: int = 0
    complication: str = ""
    ability: str = ""
    obstacle: Tally = Tally()
    granted: bool = False
    penalties: Tally = Tally()


def _has_open_tests(_: str, table: BurningTable) -> None:
    """The later edition has graduated tests instead (gold.diff.graduated_vs_open)."""
    what = "Use a graduated test: this edition has no open tests"
    check_edition(REVISED, table.options, what, "gold.diff.graduated_vs_open")


def open_test(arguments: OpenTest, table: BurningTable) -> Play[OpenOutcome]:
    """No obstacle: the number of successes is itself the result (tests.open.no_obstacle).

    The later edition has graduated tests instead (gold.diff.graduated_vs_open).
    """
    outcome, _ = yield from call(open_question, arguments, BY_ITSELF, table)
    return outcome


def open_question(
    declaration: OpenTest, context: Context, table: BurningTable
) -> Play[tuple[OpenOutcome, BurningTable]]:
    """An open test, alone or in a chain, and the table after it.

    In the later edition it is a graduated one, which only states an obstacle
    (gold.diff.graduated_vs_open).
    """
    for index, clue in enumerate(declaration.information):
        if clue.rating < 1:  # nothing at all is learned without a success
            place = f"information[{index}].rating"
            raise BadInput(place, clue.rating, "1 or more", "tests.open.graded_by_obstacle_scale")
    agreed = yield from agree(declaration, context, table)
    if (yield from _say_yes(agreed, context, table)):
        known = tuple(clue.text for clue in declaration.information)
        for text in known:  # who only asks to be told is told (artha.play.no_stakes_no_roll)
            yield from note(text, "artha.play.no_stakes_no_roll")
        return OpenOutcome(0, 0, Tally(), known, ability=agreed.name, granted=True), table
    table = yield from not_rolled_before(agreed, context, table)
    terms = yield from set_terms(agreed, declaration, table, obstacle=False)
    attempt = yield from prepare(declaration, agreed, terms.seconds, context.timed, table)
    return then(roll_open, attempt, terms, declaration.information, table)


GRADUATED = Tally.of(1, "graduated", "gold.tests.graduated_ob")
"""The obstacle that every graduated test states."""


def roll_open(
    attempt: Attempt, terms: RollTerms, information: tuple[Clue, ...], table: BurningTable
) -> Play[tuple[OpenOutcome, BurningTable]]:
    """Throw the dice; the more successes, the more is learned (tests.open.more_is_more)."""
    name = table.character(attempt.agreed.character).name
    graduated = edition(table.options).has_graduated_tests
    stated = GRADUATED if graduated else Tally()
    shown = stated if graduated else None
    thrown = yield from throw_attempt(attempt, shown, table, decides=False)
    found = open_result(thrown.successes, attempt)
    yield from _tell_what_is_left(thrown.successes, found, attempt)
    # What is rated so high or lower comes out (tests.open.graded_by_obstacle_scale).
    revealed = tuple(clue.text for clue in information if clue.rating <= found)
    yield from tell(TestCame(name, found, f"Learned: {_depth(found)}.", found > 0))
    for text in revealed:
        yield from note(text, "tests.open.graded_by_obstacle_scale")
    complication = ""
    # Nothing learned is as near to failure as an open test comes; a graduated one never fails
    # (gold.roll.graduated, gold.amb.graduated_pass).
    passed = found > 0 or graduated
    if attempt.careful and not passed:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    # advancement.open.routine, gold.adv.graduated: logged with obstacle 1, and passed with any
    # success (advancement.amb.open_test_success).
    table, earned = yield from after_test(attempt, thrown, 1, table, passed=passed, is_open=True)
    table = yield from ride(attempt, terms.portions, thrown, table, passed=passed)
    outcome = OpenOutcome(
        successes=thrown.successes,
        result=found,
        dice=attempt.all_dice,
        revealed=revealed,
        earned=earned,
        spent=thrown.spent,
        seconds=time_taken(terms.seconds, careful=attempt.takes_longer, quickly=0),
        complication=complication,
        ability=attempt.agreed.name,
        obstacle=stated,
        penalties=attempt.penalties,
    )
    return outcome, table


def open_result(successes: int, attempt: Attempt) -> int:
    """Beginner's Luck halves the successes, then each disadvantage takes one, down to none.

    tests.amb.open_test_disadvantage. So does the want of tools, where tools matter.
    """
    return max(0, successes // attempt.base_counts - attempt.penalties.total)


def _tell_what_is_left(successes: int, found: int, attempt: Attempt) -> Step[None]:
    """Say what takes how much off an open result (tests.amb.open_test_disadvantage)."""
    taken = []
    if attempt.base_counts > 1:
        wants = [f"no {attempt.agreed.missing_skill}"] if attempt.untrained else []
        wants += ["no tools"] if attempt.tools.lacking else []
        wants += [line.label for line in attempt.doublings]
        taken.append(f"divided by {attempt.base_counts} ({', '.join(wants)})")
    if attempt.penalties.lines:
        reasons = ", ".join(line.label for line in attempt.penalties.lines)
        taken.append(f"less {attempt.penalties.total} ({reasons})")
    if taken:
        text = f"{counted(successes, 'success')}, {', '.join(taken)}: {found} left."
        yield from note(text, "tests.amb.open_test_disadvantage")


def _depth(successes: int) -> str:
    """How deep an open result goes, in words (tests.amb.open_test_wording)."""
    rows = catalogue().table("tests.table.open_test_information").records()
    reached = [str(row["information"]) for row in rows if row.number("successes") <= successes]
    return f"{reached[-1]} matters" if reached else "nothing"


PROCEDURES = (
    Procedure("standard_test", "Standard test", StandardTest, standard_test, frequent=1),
    Procedure("open_test", "Open test", OpenTest, open_test, frequent=7, check=_has_open_tests),
)
