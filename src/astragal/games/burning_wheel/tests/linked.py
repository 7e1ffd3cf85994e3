"""Linked tests: a long operation as a chain, each test helping or hampering the next.

A section of the chapter on tests (``tests/tests``). A link is a
standard test, a versus test with an opponent, or an open test with a threshold.
"""

from __future__ import annotations

from enum import Enum

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Option, PickSeveral, Play, Step, ask, call, note, then
from astragal.rules import catalogue

from ..sheet.scene import BurningTable
from ..sheet.words import as_sentence
from .intent import Context, Declaration, check_declared
from .results import StandardOutcome
from .tests import OpenOutcome, OpenTest, open_question, standard
from .versus import VersusSide, versus
from .versus_verdict import VersusOutcome


class LinkedTest(Declaration, frozen=True, kw_only=True):
    """One test of a chain: standard; versus, with an opponent; or open, with a threshold."""

    opponent: VersusSide | None = None
    open_threshold: int | None = None
    is_open: bool = False


class LinkedTests(Arguments, frozen=True):
    """A long operation as a chain of tests in order, and the intent of the whole."""

    tests: tuple[LinkedTest, ...]
    intent: str = ""


class LinkResult(Enum):
    """What the next test of a chain sees of the one before it."""

    EXCEEDED = "exceeded its obstacle"
    MET = "met its obstacle exactly"
    FAILED = "failed"
    NO_EFFECT = "no effect"


AnyOutcome = StandardOutcome | VersusOutcome | OpenOutcome


class LinkedOutcome(Outcome, frozen=True):
    """What every test of a chain brought; together they are the outcome."""

    links: tuple[LinkResult, ...]
    outcomes: tuple[AnyOutcome, ...]
    all_passed: bool


def linked_tests(arguments: LinkedTests, table: BurningTable) -> Play[LinkedOutcome]:
    """Several abilities, one after the other, towards one goal (tests.linked.purpose).

    Each happens at its own point in time (tests.linked.spread_over_time).
    """
    _check_chain(arguments.tests)
    for test in arguments.tests:
        check_declared(test, table)
        if test.opponent is not None:
            check_declared(test.opponent, table)
    tests = yield from _listed(arguments.tests, table)
    intent = arguments.intent.strip() or tests[-1].intent
    return then(next_link, tests, intent, LinkResult.NO_EFFECT, (), (), table)


def _check_chain(tests: tuple[LinkedTest, ...]) -> None:
    """Every link is another ability or another character, and of one kind.

    tests.amb.linked_and_let_it_ride, tests.let_it_ride.one_per_ability,
    tests.let_it_ride.no_split_rolls.
    """
    if len(tests) < 2:
        raise BadInput("tests", len(tests), "at least two tests", "tests.linked.purpose")
    seen = set()
    for index, test in enumerate(tests):
        rolled = (test.character, test.ability.strip().casefold())
        if rolled in seen:
            who = f"{test.character} already rolls {test.ability}"
            what = f"In tests[{index}], {who} in this chain: use another ability"
            raise NotAllowed(what, "tests.amb.linked_and_let_it_ride")
        seen.add(rolled)
        if test.open_threshold is not None and not test.is_open:
            rule = "tests.amb.linked_from_versus_or_open"
            place = f"tests[{index}].open_threshold"
            raise BadInput(place, test.open_threshold, "is_open = true with it", rule)
        if test.is_open and test.opponent is not None:
            place = f"tests[{index}].is_open"
            raise BadInput(place, True, "an open test or an opponent, not both")


def _listed(tests: tuple[LinkedTest, ...], table: BurningTable) -> Step[tuple[LinkedTest, ...]]:
    """The GM decides which of the tests make up the chain, in what order.

    tests.linked.gm_lists_tests.
    """
    rule = "tests.linked.gm_lists_tests"
    names = tuple(f"{table.character(test.character).name}'s {test.ability}" for test in tests)
    options = tuple(
        Option(key=str(number), label=name, rule=rule) for number, name in enumerate(names, 1)
    )
    chosen = yield from ask(
        GM,
        "chain",
        "Which tests, in what order?",
        PickSeveral(options=options, least=2, default=tuple(option.key for option in options)),
        because=rule,
        kind="consent",
    )
    places = [int(key) - 1 for key in chosen]
    told = ", then ".join(names[place] for place in places)
    yield from note(f"Linked tests: {told}.", rule)
    return tuple(tests[place] for place in places)


def next_link(
    tests: tuple[LinkedTest, ...],
    intent: str,
    before: LinkResult,
    results: tuple[LinkResult, ...],
    outcomes: tuple[AnyOutcome, ...],
    table: BurningTable,
    earlier: tuple[tuple[str, str], ...] = (),
) -> Play[LinkedOutcome]:
    """The next test, changed by the one just before it and no other.

    tests.linked.only_the_previous. A failure does not stop the chain
    (tests.linked.failure_does_not_stop).
    """
    if not tests:
        return (yield from _together(intent, results, outcomes))
    test, context = tests[0], link_effect(before, earlier)
    plain = {field: getattr(test, field) for field in Declaration.__struct_fields__}
    outcome: AnyOutcome
    if test.opponent is not None:
        outcome, table = yield from call(
            versus, (VersusSide(**plain), test.opponent), context, table
        )
        ability, result = outcome.abilities[0], _link_of_versus(outcome, test.character)
    elif test.is_open:
        outcome, table = yield from call(open_question, OpenTest(**plain), context, table)
        ability, result = outcome.ability, _link_of_open(outcome.result, test.open_threshold)
    else:
        outcome, table = yield from call(standard, Declaration(**plain), context, table)
        ability, result = outcome.ability, link_of_margin(outcome.margin)
    results, outcomes = (*results, result), (*outcomes, outcome)
    earlier = (*earlier, (test.character, ability.casefold()))
    return then(next_link, tests[1:], intent, result, results, outcomes, table, earlier)


def link_effect(before: LinkResult, earlier: tuple[tuple[str, str], ...] = ()) -> Context:
    """A die for a test after one that exceeded its obstacle, an obstacle after a failure.

    tests.linked.exceeded, tests.linked.met, tests.linked.failed.
    """
    if before is LinkResult.NO_EFFECT:
        return Context(called_for=True, in_chain=True, earlier=earlier)
    row = catalogue().table("tests.table.linked").where(previous_test=before.value)
    dice, obstacle = row.number("dice_change"), row.number("obstacle_change")
    return Context(
        (Line(dice, "linked test exceeded", "tests.linked.exceeded"),) if dice else (),
        (Line(obstacle, "linked test failed", "tests.linked.failed"),) if obstacle else (),
        in_chain=True,
        called_for=True,
        earlier=earlier,
    )


def link_of_margin(margin: int) -> LinkResult:
    """What a test with this margin means for the next."""
    if margin < 0:
        return LinkResult.FAILED
    return LinkResult.EXCEEDED if margin else LinkResult.MET


def _link_of_open(result: int, threshold: int | None) -> LinkResult:
    """Without a threshold an open test has no effect (tests.amb.linked_from_versus_or_open)."""
    return LinkResult.NO_EFFECT if threshold is None else link_of_margin(result - threshold)


def _link_of_versus(outcome: VersusOutcome, character: str) -> LinkResult:
    """Winning counts as exceeding, a won tie or a deadlock as meeting.

    tests.amb.linked_from_versus_or_open.
    """
    if outcome.winner == character:
        return LinkResult.EXCEEDED if outcome.margin else LinkResult.MET
    return LinkResult.MET if outcome.winner is None else LinkResult.FAILED


def _together(
    intent: str, results: tuple[LinkResult, ...], outcomes: tuple[AnyOutcome, ...]
) -> Step[LinkedOutcome]:
    """Each result contributes its piece (tests.linked.combined_outcome).

    If all succeed the intent comes true, though the last step was another's
    (tests.success.indirect_means).
    """
    pieces = ", ".join(result.value for result in results)
    yield from note(f"Linked tests: {pieces}.", "tests.linked.combined_outcome")
    succeeded = all(result is not LinkResult.FAILED for result in results)
    if succeeded:
        yield from note(as_sentence(f"Intent achieved: {intent}"), "tests.success.indirect_means")
    return LinkedOutcome(results, outcomes, succeeded)


PROCEDURES = (Procedure("linked_tests", "Linked tests", LinkedTests, linked_tests, frequent=8),)
