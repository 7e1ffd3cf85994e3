"""Opposed tests: characters against each other, every tie-break, and what if all fail.

Each side comes to its target number as in any test (:mod:`~astragal.games.percentile.attempts`);
who is ahead is in :mod:`~astragal.games.percentile.standings`. A special rule's re-roll is for a
side's own throw; in a roll-off there is none.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Arguments, Procedure
from astragal.play import GM, Option, Play, Step, Then, call, choose, note, roll, tell, then

from .attempts import Attempt, Declaration, aim, check_declared, described, tested_by
from .degrees import judged
from .dice import thrown
from .facts import ContestCame, SideCame, TestAnnounced
from .scene import PercentileTable
from .standings import FAILED, DecidedBy, Entrant, Lead, RollOff, Standing, standing
from .tests import D100

REROLL, STALEMATE = "reroll", "stalemate"


class OpposedTest(Arguments, frozen=True):
    """Two or more sides, each with a test of its own (percentile.opposed.each_tests)."""

    sides: tuple[Declaration, ...]


class OpposedOutcome(msgspec.Struct, frozen=True, cache_hash=True):
    """Who won an Opposed test, if anybody, with how many degrees, and by what."""

    winner: str | None
    degrees: int
    decided_by: DecidedBy
    sides: tuple[str, ...]
    rolled_again: bool = False


class Contest(msgspec.Struct, frozen=True, cache_hash=True):
    """An Opposed test when the dice are about to be thrown."""

    attempts: tuple[Attempt, ...]
    roll_may_decide: tuple[bool, ...]
    again_if_all_fail: bool
    again_if_tied: bool


def opposed_test(arguments: OpposedTest, table: PercentileTable) -> Play[OpposedOutcome]:
    """Each side makes its own fitting test; the abilities need not be the same.

    percentile.opposed.each_tests.
    """
    names = [side.character for side in arguments.sides]
    if len(names) < 2 or len(set(names)) < len(names):
        expected = "at least two different characters"
        raise BadInput("sides", names, expected, "percentile.opposed.each_tests")
    for side in arguments.sides:
        check_declared(side, table)
    attempts: tuple[Attempt, ...] = ()
    for declared in arguments.sides:
        side = yield from described(declared, table)
        tested, table = yield from tested_by(side, table)
        attempts += ((yield from aim(side, tested, table)),)
    contest = yield from _agree(attempts, table)
    for attempt in attempts:
        yield from tell(TestAnnounced(attempt.name, attempt.ability, attempt.target, attempt.task))
    return then(next_side, contest, 0, Lead())


def _agree(attempts: tuple[Attempt, ...], table: PercentileTable) -> Step[Contest]:
    """The GM says before the first roll what happens if nobody is ahead.

    percentile.opposed.both_fail, percentile.amb.opposed_reroll_both_fail. A full tie needs equal
    bonuses, and is handled as if both had failed (percentile.amb.opposed_full_tie).
    """
    rule = "percentile.opposed.both_fail"
    both_fail = table.options["percentile_opposed_both_fail"]
    if_all_fail = yield from _stalemate_or_reroll("if_both_fail", "everyone fails", both_fail, rule)
    if_tied = STALEMATE
    if len({attempt.bonus for attempt in attempts}) < len(attempts):
        full_tie, rule = (
            table.options["percentile_opposed_full_tie"],
            "percentile.amb.opposed_full_tie",
        )
        if_tied = yield from _stalemate_or_reroll("if_tied", "everything is tied", full_tie, rule)
    # A roll can break a tie only against an equal bonus (percentile.opposed.tie_roll).
    bonuses = Counter(attempt.bonus for attempt in attempts)
    roll_may_decide = tuple(bonuses[attempt.bonus] > 1 for attempt in attempts)
    return Contest(attempts, roll_may_decide, if_all_fail == REROLL, if_tied == REROLL)


def _stalemate_or_reroll(key: str, when: str, default: str, rule: str) -> Step[str]:
    options = (
        Option(key=STALEMATE, label="Stalemate: nothing happens", rule=rule),
        Option(key=REROLL, label="Roll again until there is a winner", rule=rule),
    )
    prompt = f"What if {when}?"
    return (
        yield from choose(GM, key, prompt, options, default=default, because=rule, kind="aside")
    )


# --- The dice ------------------------------------------------------------------------------


def next_side(contest: Contest, side: int, lead: Lead) -> Play[OpposedOutcome]:
    """One side after the other rolls; all that matters is who is ahead."""
    worth = yield from call(side_rolls, contest.attempts[side], contest.roll_may_decide[side])
    lead = lead.met(side, worth)
    if side + 1 < len(contest.attempts):
        return then(next_side, contest, side + 1, lead)
    return decide(contest, lead)


def side_rolls(attempt: Attempt, roll_may_decide: bool) -> Play[Standing]:
    """One side's test, made in the normal way (percentile.opposed.each_tests)."""
    rolled = yield from thrown(D100, attempt.label, attempt.seat, attempt.rerolls)
    target = attempt.target.total
    result = judged(rolled, target, sign=attempt.sign)
    yield from tell(SideCame(attempt.name, rolled, target, result.passed, result.degrees))
    worth = standing(rolled, target, attempt.bonus, sign=attempt.sign)
    if worth == FAILED or roll_may_decide:
        return worth
    return msgspec.structs.replace(worth, rolled=0)  # told apart by bonus before it comes to that


def decide(contest: Contest, lead: Lead) -> Then[OpposedOutcome]:
    """One is ahead and wins; if nobody is, what the GM said beforehand happens."""
    again = contest.again_if_tied if lead.sides else contest.again_if_all_fail
    if len(lead.sides) == 1 or not again:
        return then(settle, contest, lead, False)
    return then(roll_off, contest, lead.sides or tuple(range(len(contest.attempts))))


def roll_off(contest: Contest, throwing: tuple[int, ...]) -> Play[OpposedOutcome]:
    """Those who failed, or tied, roll again until there is a winner.

    percentile.opposed.both_fail.
    """
    entrants = tuple(
        Entrant(side, contest.attempts[side].target.total, contest.attempts[side].bonus)
        for side in throwing
    )
    names = " and ".join(contest.attempts[side].name for side in throwing)
    yield from note(f"Nobody is ahead: {names} roll again.", "percentile.opposed.both_fail")
    off = RollOff(
        entrants, contest.attempts[0].sign, contest.again_if_all_fail, contest.again_if_tied
    )
    lead = yield from roll(off, f"{names}: roll-off", GM)
    return then(settle, contest, lead, True)


_RULES = {
    DecidedBy.SUCCESS: "percentile.opposed.one_succeeds",
    DecidedBy.DEGREES: "percentile.opposed.both_succeed",
    DecidedBy.BONUS: "percentile.opposed.tie_bonus",
    DecidedBy.ROLL: "percentile.opposed.tie_roll",
    DecidedBy.NOTHING: "percentile.opposed.both_fail",
}


def settle(contest: Contest, lead: Lead, rolled_again: bool) -> Play[OpposedOutcome]:
    """Say who has won, and by what."""
    sides = tuple(attempt.character for attempt in contest.attempts)
    if len(lead.sides) != 1:
        text, by = "Stalemate: nothing happens.", DecidedBy.NOTHING
        yield from tell(ContestCame(text, (_RULES[by],)))
        return OpposedOutcome(None, 0, by, sides, rolled_again)
    winner = contest.attempts[lead.sides[0]]
    yield from tell(ContestCame(f"{winner.name} wins: {_how(lead)}.", (_RULES[lead.by],)))
    return OpposedOutcome(winner.character, lead.best.degrees, lead.by, sides, rolled_again)


def _how(lead: Lead) -> str:
    """What an Opposed test was decided by, with the winner's number."""
    best = lead.best
    match lead.by:
        case DecidedBy.DEGREES:
            return f"more degrees of success, {best.degrees}"
        case DecidedBy.BONUS:
            return f"equal degrees, and the higher characteristic bonus, {best.bonus}"
        case DecidedBy.ROLL:
            return f"equal degrees and bonuses, and the lower roll, {best.rolled}"
        case _:
            return "the only success"


PROCEDURES = (Procedure("opposed_test", "Opposed test", OpposedTest, opposed_test, frequent=2),)
