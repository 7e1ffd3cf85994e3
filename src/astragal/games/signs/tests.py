"""The two kinds of Test by one character: the Rules Test and the Called Test.

They differ in what is at stake and who says so; the roll between is the same. Group Tests
are in :mod:`~astragal.games.signs.groups`, attack rolls, which are no Tests, in
:mod:`~astragal.games.signs.attacks`.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Outcome, Procedure
from astragal.play import GM, Play, Step, Tally, Text, ask, call, consent, note, tell, then

from .before_the_roll import TEST, Declaration, PreparedRoll, check_approach, may_test, prepare
from .boons import Grant, impose, use_up
from .facts import TestAnnounced, TestCame
from .one_attempt import keep, not_tried_before
from .rolling import RollResult, throw
from .scene import SignsTable, TriedGoal
from .sheet import Sheet, is_name
from .verdicts import Verdict, verdict_of
from .wager import Wager, negotiate


class Stakes(msgspec.Struct, frozen=True):
    """What a Test is about: laid down by the rules, or agreed in a wager."""

    success: str
    failure: str
    complication: str = ""
    called: bool = False


class TestOutcome(Outcome, frozen=True):
    """How a Test came out.

    ``reached`` is what the Success brought, ``due`` the penalty of a failure.
    """

    __test__ = False  # a Test of the game, not one for pytest

    passed: bool
    verdict: Verdict
    successes: int
    rolled: int
    dice: tuple[str, ...]
    modifiers: Tally
    reached: str = ""
    due: str = ""
    complication: str = ""
    benefit: str = ""
    bane: str = ""
    boon_used: str = ""
    banes_used: tuple[str, ...] = ()
    helper: str = ""
    failed_by_choice: bool = False


# --- Rules Tests ---------------------------------------------------------------------------


class RulesTest(Declaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Test that the rules call for, with the outcomes they set.

    ``complication`` is what a single Success also brings, if the rules name one. Outcomes that
    are left out are asked for.
    """

    success: str = ""
    failure: str = ""
    complication: str = ""


def rules_test(arguments: RulesTest, table: SignsTable) -> Play[TestOutcome]:
    """A Test with its outcomes laid down in advance (signs.type.rules_test)."""
    check_declaration(arguments, table)
    arguments = yield from _with_goal(arguments, table)
    yield from _begin("Rules Test", arguments, table)
    success = yield from _laid_down("success", arguments.success, "On a Success")
    failure = yield from _laid_down("failure", arguments.failure, "On a failure")
    stakes = Stakes(success, failure, arguments.complication.strip())
    return then(attempt, arguments, stakes, table)


def _laid_down(key: str, said: str, prompt: str) -> Step[str]:
    """An outcome as the rules set it; one that is not written the GM says aloud."""
    if said.strip():
        return said.strip()
    return (yield from ask(GM, key, prompt, Text(default=""), because="signs.type.rules_test"))


# --- Called Tests --------------------------------------------------------------------------


class CalledTest(Declaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Test that the GM asks for; the player is asked for the rest of the wager."""

    wager: Wager = Wager()


def called_test(arguments: CalledTest, table: SignsTable) -> Play[TestOutcome]:
    """A Test the GM asks a player for (signs.type.called_test), over a wager (signs.type.wager)."""
    sheet = check_declaration(arguments, table)
    arguments = yield from _with_goal(arguments, table)
    called = yield from consent(
        GM, "call", f"Ask {sheet.name} for a Test?", because="signs.type.called_test"
    )
    if not called:
        raise NotAllowed("The GM does not ask for this Test", "signs.type.called_test")
    yield from _begin("Called Test", arguments, table)
    seat = sheet.seat(arguments.character)
    wager = yield from negotiate(seat, arguments.wager, table)
    return then(attempt, arguments, Stakes(wager.gain, wager.cost, called=True), table)


# --- What both have in common --------------------------------------------------------------


def check_declaration(declaration: Declaration, table: SignsTable) -> Sheet:
    """The sheet of who makes the Test, once everything about it is known to fit."""
    may_test(declaration.character, table)
    return check_approach(declaration, TEST, table)


SD = TypeVar("SD", bound=Declaration)


def _with_goal(declaration: SD, table: SignsTable) -> Step[SD]:
    """A Test with its goal; one that was left out is asked for, and may be said at the table."""
    if declaration.goal.strip():
        return declaration
    seat = table.character(declaration.character).seat(declaration.character)
    goal = yield from ask(seat, "goal", "Goal", Text(default=""), because="signs.attempt.once")
    return msgspec.structs.replace(declaration, goal=goal)


def _begin(kind: str, declaration: Declaration, table: SignsTable) -> Step[None]:
    sheet = table.character(declaration.character)
    score, _ = sheet.score(declaration.score)
    yield from not_tried_before(table, declaration.character, declaration.goal)
    yield from tell(TestAnnounced(kind, sheet.name, score, declaration.goal))


def attempt(declaration: Declaration, stakes: Stakes, table: SignsTable) -> Play[TestOutcome]:
    """Make ready and roll, or fail by choice."""
    ready = yield from prepare(declaration, declaration.goal, TEST, table)
    if ready is None:
        return then(failed_by_choice, declaration.character, declaration.goal, stakes, table)
    return then(roll_test, ready, declaration.goal, stakes, table)


def roll_test(
    ready: PreparedRoll, goal: str, stakes: Stakes, table: SignsTable
) -> Play[TestOutcome]:
    """Roll; what was stored for this roll is then gone, and the result stands."""
    result = yield from call(throw, ready)
    if result.taken:
        return then(passed, ready, goal, result, stakes, table)
    return then(failed, ready, goal, result, stakes, table)


def passed(
    ready: PreparedRoll, goal: str, result: RollResult, stakes: Stakes, table: SignsTable
) -> Play[TestOutcome]:
    """The goal is reached: with more (signs.success.two_or_more), plainly, or at a price."""
    table = yield from use_up(table, ready.character, result.boon, ready.banes)
    verdict = verdict_of(result.taken, complicated=_complicated(stakes, table))
    yield from tell(
        TestCame(ready.name, result.rolled, result.taken, _said(verdict, stakes.success))
    )
    benefit = complication = ""
    if verdict is Verdict.YES_AND:
        benefit = yield from (_benefit_on_request(ready) if stakes.called else _benefit_by_the_gm())
    elif verdict is Verdict.YES_BUT:
        complication = yield from _complication(stakes)
    made = TriedGoal(ready.character, goal, result.taken, True, table.scene.number)
    yield from keep(table, made)
    return TestOutcome(
        passed=True,
        verdict=verdict,
        successes=result.taken,
        rolled=result.rolled,
        dice=ready.dice_names,
        modifiers=ready.modifiers,
        reached=stakes.success,
        complication=complication,
        benefit=benefit,
        boon_used=result.boon,
        banes_used=ready.banes,
        helper=ready.helper,
    )


def failed(
    ready: PreparedRoll, goal: str, result: RollResult, stakes: Stakes, table: SignsTable
) -> Play[TestOutcome]:
    """No Success, or none taken: the penalty falls due (signs.amb.no_success_missing)."""
    table = yield from use_up(table, ready.character, result.boon, ready.banes)
    yield from tell(TestCame(ready.name, result.rolled, 0, _said(Verdict.NO, stakes.failure)))
    bane, table = yield from _bane_for_failure(ready.character, table)
    yield from keep(table, TriedGoal(ready.character, goal, 0, False, table.scene.number))
    return TestOutcome(
        passed=False,
        verdict=Verdict.NO,
        successes=0,
        rolled=result.rolled,
        dice=ready.dice_names,
        modifiers=ready.modifiers,
        due=stakes.failure,
        bane=bane,
        boon_used=result.boon,
        banes_used=ready.banes,
        helper=ready.helper,
    )


def failed_by_choice(
    character: str, goal: str, stakes: Stakes, table: SignsTable
) -> Play[TestOutcome]:
    """Failed without a roll (signs.success.downgrade): the penalty falls due all the same.

    No Bane is used up, since no dice were rolled (signs.amb.bane_and_chosen_failure); but the
    Test was made and stands (signs.attempt.scene).
    """
    name = table.character(character).name
    due = f": {stakes.failure}" if stakes.failure else ""
    yield from note(f"{name} chooses to fail{due}.", "signs.success.downgrade")
    bane, table = yield from _bane_for_failure(character, table)
    yield from keep(table, TriedGoal(character, goal, 0, False, table.scene.number))
    return TestOutcome(
        passed=False,
        verdict=Verdict.NO,
        successes=0,
        rolled=0,
        dice=(),
        modifiers=Tally(),
        due=stakes.failure,
        bane=bane,
        failed_by_choice=True,
    )


def _said(verdict: Verdict, brings: str) -> str:
    return f"{verdict}: {brings}." if brings else f"{verdict}."


def _complicated(stakes: Stakes, table: SignsTable) -> bool:
    """Whether a single Success brings a complication (signs.amb.one_success_missing).

    In a Rules Test only if the rules speak of one; in a Called Test as the table plays it.
    """
    if stakes.called:
        return table.options["signs_one_success"] == "yes_but"
    return bool(stakes.complication)


def _complication(stakes: Stakes) -> Step[str]:
    if stakes.complication:
        complication = stakes.complication
    else:
        complication = yield from ask(
            GM,
            "complication",
            "Yes, but: which cost or complication?",
            Text(required=True, default="to be named in play"),
            because="signs.amb.one_success_missing",
        )
    yield from note(f"But: {complication}.", "signs.amb.one_success_missing")
    return complication


def _benefit_on_request(ready: PreparedRoll) -> Step[str]:
    """The player of a Called Test may ask for more than the wager (signs.type.called_extra)."""
    benefit = yield from ask(
        ready.seat,
        "benefit",
        "Yes, and: which further benefit do you ask for?",
        Text(default=""),
        because="signs.type.called_extra",
    )
    if not benefit:
        return ""
    granted = yield from consent(
        GM,
        "grant_benefit",
        f"Grant {ready.name} the further benefit? ({benefit})",
        because="signs.type.called_extra",
    )
    if not granted:
        return ""
    yield from note(f"And: {benefit}.", "signs.type.called_extra")
    return benefit


def _benefit_by_the_gm() -> Step[str]:
    """There may be a further benefit, extra damage for instance (signs.success.two_or_more)."""
    benefit = yield from ask(
        GM,
        "further_benefit",
        "Yes, and: which further benefit?",
        Text(default=""),
        because="signs.success.two_or_more",
    )
    if benefit:
        yield from note(f"And: {benefit}.", "signs.success.two_or_more")
    return benefit


def _bane_for_failure(character: str, table: SignsTable) -> Step[tuple[str, SignsTable]]:
    """A Bane is a usual penalty (signs.amb.no_success_missing, signs.bane.impose)."""
    if table.character(character).npc:
        return "", table
    name = yield from ask(
        GM,
        "failure_bane",
        "Bane that the failure brings",
        Text(default=""),
        because="signs.amb.no_success_missing",
    )
    if not is_name(name):
        return "", table
    granted, table = yield from impose(Grant(character, name), table)
    return granted.name, table


PROCEDURES = (
    Procedure("rules_test", "Rules Test", RulesTest, rules_test, frequent=1, check=may_test),
    Procedure("called_test", "Called Test", CalledTest, called_test, frequent=2, check=may_test),
)
