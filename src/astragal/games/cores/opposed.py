"""Opposed tests: an action that somebody else resists (cores.opposed.when).

The opposition tests first, by the normal rules and with all its spending, and what it gets is
the DN of the acting character (cores.opposed.dn, cores.amb.spend_order). An opposed test may
be crucial, for one of the two or for both (cores.crucial.opposed); then the one who does not
win bears what :mod:`~astragal.games.cores.harm` says.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Option, Play, Step, Tally, call, choose, note, tell, then

from .angst import AngstOutcome, after_tap
from .attempts import (
    Attempt,
    CoreDeclaration,
    check_declared,
    is_able,
    prepare,
    settle_core,
    unable,
    with_task,
)
from .facts import TestAnnounced, TestCame
from .harm import (
    CRUCIAL_CORES,
    GRADUAL,
    CrucialStakes,
    Fate,
    fail_crucial,
    lighter_from,
    set_stakes,
    wide_margin,
)
from .scene import CoresTable, check_can_act
from .sheet import CoreName
from .spending import Throw, pay, throw

ACTING, OPPOSING, BOTH = "acting", "opposing", "both"


class OpposedTest(Arguments, frozen=True):
    """Two characters test against each other: one acts, the other opposes."""

    acting: CoreDeclaration
    opposing: CoreDeclaration


class Side(msgspec.Struct, frozen=True):
    """One side of an opposed test when it is over."""

    character: str
    core: CoreName
    total: int | None = None
    dice: str = ""
    modifiers: Tally = Tally()
    story_spent: int = 0
    life_spent: int = 0
    fate: Fate | None = None
    purge: AngstOutcome | None = None


class OpposedOutcome(Outcome, frozen=True):
    """Who won, and by how much: the difference of the results."""

    winner: str
    acting_won: bool
    margin: int
    acting: Side
    opposing: Side


class Contest(msgspec.Struct, frozen=True, cache_hash=True):
    """An opposed test before anybody has rolled; ``at_risk`` are those it is crucial for."""

    acting: CoreDeclaration
    opposing: CoreDeclaration
    acting_core: CoreName
    opposing_core: CoreName
    stakes: CrucialStakes | None = None
    at_risk: tuple[str, ...] = ()


def opposed_test(arguments: OpposedTest, table: CoresTable) -> Play[OpposedOutcome]:
    """Two characters test against each other; nothing more than the action is at stake."""
    contest = yield from _settle(arguments, table)
    return then(opposition, contest, table)


def opposed_crucial_test(arguments: OpposedTest, table: CoresTable) -> Play[OpposedOutcome]:
    """An opposed test that can take one of the two, or either, out of the scene.

    One-way or two-way (cores.crucial.opposed); only those two, never their assistants
    (cores.crucial.assistants_safe).
    """
    contest = yield from _settle(arguments, table)
    sides = {
        ACTING: (contest.acting.character, contest.acting_core),
        OPPOSING: (contest.opposing.character, contest.opposing_core),
    }
    able = tuple(key for key, (_, core) in sides.items() if core in CRUCIAL_CORES)
    if not able:
        raise NotAllowed("A crucial test is Physical or Resolve", "cores.crucial.cores")
    options = tuple(
        Option(
            key=key,
            label=f"{table.character(sides[key][0]).name} only",
            rule="cores.crucial.opposed",
        )
        for key in able
    )
    if len(able) > 1:
        options += (Option(key=BOTH, label="Both", rule="cores.crucial.opposed"),)
    chosen = yield from choose(
        GM,
        "crucial_for",
        "Who can be taken out of the scene?",
        options,
        because="cores.crucial.opposed",
    )
    risky = able if chosen == BOTH else (chosen,)
    stakes = yield from set_stakes(tuple(sides[key][1] for key in risky))
    at_risk = tuple(sides[key][0] for key in risky)
    contest = msgspec.structs.replace(contest, stakes=stakes, at_risk=at_risk)
    return then(opposition, contest, table)


def _settle(arguments: OpposedTest, table: CoresTable) -> Step[Contest]:
    acting, opposing = arguments.acting, arguments.opposing
    if acting.character == opposing.character:
        place = "opposing.character"
        raise BadInput(place, opposing.character, "another character", "cores.opposed.when")
    for mine, other in ((acting, opposing), (opposing, acting)):
        check_can_act(mine.character, table)
        check_declared(mine, mine.core, table, opponent=other.character)
    acting = yield from with_task(acting, table)
    acting_core = yield from settle_core(acting, table)
    opposing = yield from with_task(opposing, table)
    opposing_core = yield from settle_core(opposing, table)
    return Contest(acting, opposing, acting_core, opposing_core)


def opposition(contest: Contest, table: CoresTable) -> Play[OpposedOutcome]:
    """The opposing side makes its test; a Core at d0 on either side ends the matter at once."""
    acting, opposing = contest.acting.character, contest.opposing.character
    for character, core, won in (
        (acting, contest.acting_core, False),
        (opposing, contest.opposing_core, True),
    ):
        if not is_able(character, core, table):
            yield from unable(character, core, table)
            sides = Side(acting, contest.acting_core), Side(opposing, contest.opposing_core)
            return then(suffer, contest, *sides, 0, won, None, None, table)
    name = table.character(opposing).name
    yield from tell(TestAnnounced(name, contest.opposing.task, str(contest.opposing_core), None))
    attempt, table = yield from prepare(contest.opposing, contest.opposing_core, table)
    return then(roll_opposition, contest, attempt, table)


def roll_opposition(contest: Contest, opposing: Attempt, table: CoresTable) -> Play[OpposedOutcome]:
    """What the opposition gets is the DN (cores.opposed.dn), however high or low.

    cores.amb.dn_outside_bands.
    """
    thrown = yield from call(throw, opposing.cast(None))
    table = yield from pay(opposing.character, thrown, table)
    yield from note(f"{opposing.name} rolls {thrown.total}, which is the DN.", "cores.opposed.dn")
    return then(action, contest, opposing, thrown, table)


def action(
    contest: Contest, opposing: Attempt, resisted: Throw, table: CoresTable
) -> Play[OpposedOutcome]:
    """The acting side declares what bears on its test, knowing the DN."""
    name = table.character(contest.acting.character).name
    dn = Tally.of(resisted.total, opposing.name, "cores.opposed.dn")
    yield from tell(TestAnnounced(name, contest.acting.task, str(contest.acting_core), dn))
    attempt, table = yield from prepare(contest.acting, contest.acting_core, table)
    return then(roll_action, contest, attempt, opposing, resisted, table)


def roll_action(
    contest: Contest, acting: Attempt, opposing: Attempt, resisted: Throw, table: CoresTable
) -> Play[OpposedOutcome]:
    """The acting side rolls; the same result as the opposition's wins (cores.opposed.tie)."""
    goal = resisted.total
    lighter = None
    stakes = contest.stakes
    if stakes and acting.character in contest.at_risk:
        lighter = lighter_from(stakes, resisted.total)
    if stakes and stakes.kind == GRADUAL and opposing.character in contest.at_risk:
        goal += wide_margin()  # beyond the DN a higher total can still hurt more
    thrown = yield from call(throw, acting.cast(goal, lighter=lighter))
    table = yield from pay(acting.character, thrown, table)
    won = thrown.total >= resisted.total
    yield from tell(TestCame(acting.name, thrown.total, resisted.total, won))
    sides = side_of(acting, thrown), side_of(opposing, resisted)
    margin = abs(thrown.total - resisted.total)
    return then(suffer, contest, *sides, margin, won, acting, opposing, table)


def side_of(attempt: Attempt, thrown: Throw) -> Side:
    """One side as the outcome shows it."""
    return Side(
        attempt.character,
        attempt.core,
        thrown.total,
        attempt.dice.notation,
        attempt.modifiers,
        thrown.story,
        thrown.life,
    )


def suffer(
    contest: Contest,
    acting: Side,
    opposing: Side,
    margin: int,
    won: bool,
    acting_attempt: Attempt | None,
    opposing_attempt: Attempt | None,
    table: CoresTable,
) -> Play[OpposedOutcome]:
    """Who has not won has failed, by the difference of the results (cores.amb.two_way_margin)."""
    winner, loser = (acting, opposing) if won else (opposing, acting)
    name = table.character(winner.character).name
    if acting_attempt is None:  # nobody rolled: there is nothing to win by
        yield from note(f"{name} wins.", "cores.opposed.dn")
    elif margin:
        yield from note(f"{name} wins by {margin}.", "cores.opposed.dn")
    else:
        yield from note(f"A tie, which {name} wins as the acting side.", "cores.opposed.tie")
    if contest.stakes and loser.character in contest.at_risk:
        fate, table = yield from fail_crucial(
            loser.character, loser.core, margin, contest.stakes, table
        )
        loser = msgspec.structs.replace(loser, fate=fate)
        acting, opposing = (winner, loser) if won else (loser, winner)
    if acting_attempt is not None:
        purge, table = yield from after_tap(acting_attempt, table)
        acting = msgspec.structs.replace(acting, purge=purge)
    if opposing_attempt is not None:
        purge, table = yield from after_tap(opposing_attempt, table)
        opposing = msgspec.structs.replace(opposing, purge=purge)
    return OpposedOutcome(winner.character, won, margin, acting, opposing)


PROCEDURES = (
    Procedure("opposed_test", "Opposed test", OpposedTest, opposed_test, frequent=2),
    Procedure("opposed_crucial_test", "Opposed crucial test", OpposedTest, opposed_crucial_test),
)
