"""One length of a chase: the advantages, the roll, and what it means for each pair.

How a chase begins and goes on is in ``movement/chase``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.games.game import SCENE, Outcome
from astragal.play import Line, Play, Step, Tally, call, note, then
from astragal.rules import catalogue

from ..advancement.log import end_series
from ..artha import on_a_roll as artha
from ..conditions.reflexes import reflexes_now
from ..sheet.scene import BurningTable, Pair, Pursuit, Ride, Runner
from ..tests.attempts import Attempt, agree_and_prepare, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import Context, Declaration
from ..tests.let_it_ride import let_it_ride
from ..tests.versus import roll_versus
from ..tests.versus_verdict import VersusContest
from .mounted_chase import are_all_mounted, chase_ability, mover, rider_advantages, runner_of
from .movement import multiplier, multiplier_dice

PENALTY = 2
"""What an action at full run adds to its obstacle (movement.chase.pursuer_wins.penalty)."""


class LengthResult(Enum):
    """How one length came out between a pursuer and the pursued."""

    CAUGHT_UP = "pursuer wins"
    AWAY = "pursued wins"
    TIE = "tie, unbroken"
    AHEAD = "pursued ahead"
    CAUGHT = "caught at the end"


class PairResult(msgspec.Struct, frozen=True):
    """How a length came out for one pursuer and one pursued; of each the dice and successes."""

    pursuer: str
    pursued: str
    result: LengthResult
    margin: int = 0
    dice: tuple[Tally, ...] = ()
    successes: tuple[int, ...] = ()


class ChaseLength(Outcome, frozen=True):
    """One length of a chase: how it came out for each pair, and whether the chase is over.

    ``passed`` is what the pursuers hope for: they have caught up with somebody.
    """

    results: tuple[PairResult, ...]
    over: bool
    passed: bool


# --- Advantages ----------------------------------------------------------------------------


def advantages(
    going: Pursuit, character: str, head_start: str, table: BurningTable
) -> tuple[Line, ...]:
    """The advantage dice of one runner; all of them add up.

    movement.chase.adv.reflexes, movement.chase.adv.multiplier, movement.chase.adv.forte: to
    the runner who has more than every opponent, and to nobody on a tie
    (movement.amb.equal_values). What was won before is worth a die in a long chase
    (movement.chase.extended.win_bonus), and losing costs nothing
    (movement.amb.extended_vs_linked).
    """
    pursues = any(pair.pursuer == character for pair in going.pairs)
    rivals = opponents(going, character)
    if are_all_mounted(runners(going), table):
        return rider_advantages(going, character, rivals, table) + _won_before(going, character)
    side = "pursuer" if pursues else "pursued"
    lines: tuple[Line, ...] = ()
    for ability in ("Reflexes", "Forte"):
        if _is_higher(character, rivals, ability, table):
            lines += (_line(f"higher {ability}", f"movement.chase.adv.{ability.casefold()}"),)
    lines += _multiplier_dice(going, character, table)
    if head_start == side:
        lines += (_line("head start", "movement.chase.adv.head_start"),)
    if going.nowhere_to_hide and pursues:
        lines += (_line("nowhere to hide", "movement.chase.adv.nowhere_to_hide"),)
    if character in going.suited:
        lines += (_line("other situation", "movement.chase.adv.situational"),)
    return lines + _won_before(going, character)


def _won_before(going: Pursuit, character: str) -> tuple[Line, ...]:
    if going.tests and any(pair.ahead == character for pair in going.pairs):
        return (Line(1, "won the last test", "movement.chase.extended.win_bonus"),)
    return ()


def runners(going: Pursuit) -> tuple[str, ...]:
    """All who are in a chase."""
    return tuple(runner.character for runner in going.runners)


def opponents(going: Pursuit, character: str) -> tuple[str, ...]:
    """The opponents a runner still has."""
    found = [p.pursued for p in going.pairs if p.pursuer == character]
    found += [p.pursuer for p in going.pairs if p.pursued == character]
    return tuple(found)


def _line(advantage: str, rule: str) -> Line:
    table = catalogue().table("movement.table.chase_advantages")
    return Line(table.number("dice", advantage=advantage), advantage, rule)


def _is_higher(character: str, rivals: tuple[str, ...], ability: str, table: BurningTable) -> bool:
    """Whether a rating is above those of all rivals; never where one of them is not known."""
    found = [_exponent(table, name, ability) for name in (character, *rivals)]
    exponents = [exponent for exponent in found if exponent is not None]
    known = len(exponents) == len(found)
    return known and exponents[0] > max(exponents[1:])


def _exponent(table: BurningTable, character: str, ability: str) -> int | None:
    """How high an ability is; wounds and armor come off Reflexes (injury.dice.reflexes_direct)."""
    if ability == "Reflexes":
        left = reflexes_now(table, character)
        return None if left is None else left.total
    rated = table.character(mover(character, table)).find(ability)  # riding.amb.pursuit_mixed
    return None if rated is None else rated.exponent


def _multiplier_dice(going: Pursuit, character: str, table: BurningTable) -> tuple[Line, ...]:
    """A die for the better multiplier, whatever the paces (movement.position.not_measured).

    Of more than two multipliers in play the two highest count
    (movement.position.several_multipliers); of two only one that is above every opponent's. More
    than double is worth two dice at tables that read it so (movement.amb.multiplier_in_chase).
    """
    rivals = opponents(going, character)
    running = {name for pair in going.pairs for name in (pair.pursuer, pair.pursued)}
    multipliers = {name: multiplier(table.character(mover(name, table))) for name in running}
    if len(set(multipliers.values())) <= 2:
        if multipliers[character] <= max(multipliers[rival] for rival in rivals):
            return ()
        multipliers = {name: multipliers[name] for name in (character, *rivals)}
    generous = table.options["movement_double_multiplier_in_chase"] == "plus_2d"
    rule = "movement.chase.adv.multiplier"
    line = multiplier_dice(multipliers, rule=rule, generous=generous).get(character)
    return () if line is None else (line,)


# --- A length ------------------------------------------------------------------------------


def run_length(going: Pursuit, head_start: str, table: BurningTable) -> Play[ChaseLength]:
    """Everybody who still runs gathers dice of Speed, FoRKs among them (movement.chase.forks).

    FoRKs go to a stat here, by the chase's own rule, and to both sides
    (movement.amb.forks_on_stat, movement.amb.stealthy_inconspicuous_for_both).
    """
    attempts: tuple[Attempt, ...] = ()
    for runner in going.runners:
        if opponents(going, runner.character):
            attempts += ((yield from _attempt(going, runner, head_start, table)),)
    return then(throw_length, going, attempts, table)


def _attempt(going: Pursuit, runner: Runner, head_start: str, table: BurningTable) -> Step[Attempt]:
    rivals = opponents(going, runner.character)
    names = ", ".join(table.character(name).name for name in rivals)
    pursues = any(pair.pursuer == runner.character for pair in going.pairs)
    intent = f"catch {names}" if pursues else f"get away from {names}"
    context = Context(
        dice=advantages(going, runner.character, head_start, table),
        called_for=True,
        laid_down=True,
        forks_into_stat="movement.chase.forks",
        fleeing=not pursues,
    )
    ability = chase_ability(runners(going), table)
    who = mover(runner.character, table) if ability == "Speed" else runner.character
    said = Declaration(
        character=who,
        intent=intent,
        task=runner.how,
        ability=ability,
        helpers=runner.helpers,
        gear=runner.gear,
    )
    attempt = yield from agree_and_prepare(said, context, table)
    seat = table.character(runner.character).seat(runner.character)
    return msgspec.structs.replace(attempt, seat=seat)


def throw_length(
    going: Pursuit, attempts: tuple[Attempt, ...], table: BurningTable
) -> Play[ChaseLength]:
    """One roll for each runner, then each pursuer is compared with each of the pursued.

    Neither side defends, so that a tie has no winner (movement.amb.tie_goes_to_defender), and the
    test is logged against the opponent's successes (movement.amb.advancement).
    """
    rolled: tuple[int | None, ...] = (None, None)
    if len(attempts) > 2:
        rolled, table = yield from _throw_all(going, attempts, table)
    places = {runner_of(attempt, table): at for at, attempt in enumerate(attempts)}
    tests: tuple[PairTest, ...] = ()
    for pair in going.pairs:
        sides = (places[pair.pursuer], places[pair.pursued])
        both = tuple(attempts[side] for side in sides)
        if len(attempts) > 2:
            both = tuple(_only_tie_breakers(attempt, table) for attempt in both)
        kept = tuple(rolled[side] for side in sides)
        contest = VersusContest(both, (True, True), kept, ("", ""), 0, is_one_of_many=True)
        outcome, table = yield from call(roll_versus, contest, table)
        winner = None
        if outcome.winner is not None:
            winner = pair.pursuer if outcome.winner == outcome.sides[0] else pair.pursued
        tests += (PairTest(winner, outcome.margin, outcome.dice, outcome.successes),)
    return then(settle_length, going, tests, table)


def _throw_all(
    going: Pursuit, attempts: tuple[Attempt, ...], table: BurningTable
) -> Step[tuple[tuple[int | None, ...], BurningTable]]:
    """With more than two everybody throws once, and that counts against all opponents."""
    throws: dict[str, artha.ThrownDice] = {}
    for attempt in attempts:
        against = attempt.penalties if attempt.penalties.lines else None
        throws[runner_of(attempt, table)] = yield from throw_attempt(
            attempt, against, table, decides=False
        )
    for attempt in attempts:
        runner = runner_of(attempt, table)
        mine = throws[runner]
        best = max(throws[r].successes for r in opponents(going, runner))
        obstacle = best + attempt.penalties.total
        won = mine.successes > obstacle
        table, _ = yield from after_test(attempt, mine, obstacle, table, passed=won, base=best)
    return tuple(throws[runner_of(a, table)].successes for a in attempts), table


def _only_tie_breakers(attempt: Attempt, table: BurningTable) -> Attempt:
    """A side that has thrown already, compared with one more opponent."""
    sheet = table.character(attempt.agreed.character)
    hand = artha.tie_breaking(artha.hand(sheet, attempt.agreed.tested))
    return msgspec.structs.replace(attempt, hand=hand, helpers=())


class PairTest(msgspec.Struct, frozen=True):
    """The versus test of one pair: who won, by how much, and what both rolled."""

    winner: str | None
    margin: int
    dice: tuple[Tally, ...]
    successes: tuple[int, ...]


def settle_length(
    going: Pursuit, tests: tuple[PairTest, ...], table: BurningTable
) -> Play[ChaseLength]:
    """What the test means for each pair, and who still runs."""
    made = going.made + any(test.winner is not None for test in tests)
    results: tuple[PairResult, ...] = ()
    running: tuple[Pair, ...] = ()
    for before, test in zip(going.pairs, tests, strict=True):
        result = pair_result(before, test.winner, tests=going.tests, made=made)
        results += (
            PairResult(
                before.pursuer, before.pursued, result, test.margin, test.dice, test.successes
            ),
        )
        pair = msgspec.structs.replace(
            before,
            ahead=test.winner or before.ahead,
            may_act=result is LengthResult.CAUGHT_UP,
            successes=test.successes[0],
        )
        yield from _tell_result(pair, result, table)
        if result is LengthResult.AWAY:
            table = yield from got_away(table, pair)
        elif result is not LengthResult.CAUGHT:
            running += (pair,)
    stopped = {each.pursued for each in results if each.result is LengthResult.CAUGHT}
    running = tuple(pair for pair in running if pair.pursued not in stopped)
    after = msgspec.structs.replace(going, pairs=running, made=made, lengths=going.lengths + 1)
    yield from keep(table, going, after)
    passed = any(each.result in (LengthResult.CAUGHT_UP, LengthResult.CAUGHT) for each in results)
    return ChaseLength(results, not running, passed)


def pair_result(pair: Pair, winner: str | None, *, tests: int, made: int) -> LengthResult:
    """What winning a length, or a tie, means for one pair.

    A pursuer who wins has caught up (movement.chase.pursuer_wins.one_action). The pursued who
    wins gets away (movement.chase.pursued_wins); in a long chase that takes two wins in a row
    (movement.chase.extended.two_wins), and the winner of its last test has the intent
    (movement.amb.extended_results). On an unbroken tie they run on (movement.chase.tie).
    """
    last = bool(tests) and made >= tests
    if winner is None:
        return LengthResult.TIE
    if winner == pair.pursuer:
        return LengthResult.CAUGHT if last else LengthResult.CAUGHT_UP
    return LengthResult.AWAY if not tests or last or pair.ahead == winner else LengthResult.AHEAD


def _tell_result(pair: Pair, result: LengthResult, table: BurningTable) -> Step[None]:
    """Say what a length means for one pair (movement.table.chase_results)."""
    pursuer, pursued = (table.character(name).name for name in (pair.pursuer, pair.pursued))
    text, rule = {
        LengthResult.CAUGHT_UP: (
            f"{pursuer} catches up with {pursued}: one action at +{PENALTY} Ob",
            "movement.chase.pursuer_wins.one_action",
        ),
        LengthResult.AWAY: (f"{pursued} gets away from {pursuer}", "movement.chase.pursued_wins"),
        LengthResult.TIE: (
            f"{pursuer} and {pursued} are tied: another length",
            "movement.chase.tie",
        ),
        LengthResult.AHEAD: (f"{pursued} pulls ahead", "movement.chase.extended.win_bonus"),
        LengthResult.CAUGHT: (f"{pursuer} catches {pursued}", "movement.amb.extended_results"),
    }[result]
    yield from note(f"{text}.", rule)


def catching(pair: Pair, table: BurningTable) -> str:
    """The pursuer's intent; a failure to catch the pursued rides on it."""
    return f"catch {table.character(pair.pursued).name}"


def got_away(table: BurningTable, pair: Pair) -> Step[BurningTable]:
    """No second chase after somebody who got away; they must be found by other means."""
    ability = chase_ability((pair.pursuer, pair.pursued), table)
    ride = Ride(pair.pursuer, ability, catching(pair, table), pair.successes, passed=False)
    return (yield from let_it_ride(table, ride))


def title_of(going: Pursuit) -> str:
    """The name of the series of rolls that a chase is."""
    return f"the chase of {', '.join(runner.character for runner in going.runners)}"


def keep(table: BurningTable, before: Pursuit | None, after: Pursuit) -> Step[BurningTable]:
    """Keep a chase in the scene while anybody runs; then it is over."""
    others = tuple(each for each in table.scene.chases if each != before)
    chases = (*others, after) if after.pairs else others
    rule = "movement.chase.versus_speed"
    table = yield from table.amend(SCENE, "chases", chases, because=rule)
    return table if after.pairs else (yield from end_series(table, title_of(after)))
