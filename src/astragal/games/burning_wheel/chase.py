"""The chase: one versus test of Speed, and what comes of it.

A section of the chapter on movement (:mod:`~astragal.games.burning_wheel.movement`). It is a
single positioning test about getting away: rates are not compared
(movement.chase.versus_speed). The one action of a pursuer who has caught up is a test of its
own, so between one length and the next a chase waits in the scene; conflicts that resolve that
action by their own rules take :func:`full_run` from here.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import artha
from astragal.games.burning_wheel.advancement import begin_series, end_series
from astragal.games.burning_wheel.attempts import Attempt, after_test, prepare
from astragal.games.burning_wheel.facts import Gathered, Noted
from astragal.games.burning_wheel.intent import Declaration, Link, agree
from astragal.games.burning_wheel.let_it_ride import check_no_ride, let_it_ride
from astragal.games.burning_wheel.movement import multiplier, multiplier_dice
from astragal.games.burning_wheel.ratings import Rating
from astragal.games.burning_wheel.scene import BurningTable, Pair, Pursuit, Ride, Runner
from astragal.games.burning_wheel.shades import reflexes
from astragal.games.burning_wheel.sheet import Sheet
from astragal.games.burning_wheel.tests import standard
from astragal.games.burning_wheel.versus import Contest, Side, roll_versus, versus
from astragal.games.game import SCENE, Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Play,
    Step,
    YesNo,
    ask,
    call,
    tell,
    then,
)
from astragal.rules import catalogue

MOST_RUNNERS = 12
"""More than these are a crowd, and better played by one roller for each side."""

MOST_TESTS = 20
"""The longest chase that a GM may announce."""

PENALTY = 2
"""What an action at full run costs (movement.chase.pursuer_wins.penalty)."""


class Result(Enum):
    """What one length came to between a pursuer and his quarry."""

    CAUGHT_UP = "pursuer wins"
    AWAY = "pursued wins"
    TIE = "tie, unbroken"
    AHEAD = "pursued ahead"
    CAUGHT = "caught at the end"


class Chase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who runs after whom; with ``extended`` a player wants a long chase, or a race, in parts."""

    pursuers: tuple[Runner, ...]
    pursued: tuple[Runner, ...]
    head_start: bool = False
    extended: bool = False


class PairResult(msgspec.Struct, frozen=True):
    """How a length came out for one pursuer and one quarry."""

    pursuer: str
    pursued: str
    result: Result
    margin: int = 0


class Length(msgspec.Struct, frozen=True):
    """One length of a chase: how it came out for each pair, and whether anybody still runs.

    ``passed`` is what the pursuers hope for: somebody has been caught up with.
    """

    results: tuple[PairResult, ...]
    over: bool
    passed: bool


# --- Setting out ---------------------------------------------------------------------------


def chase(arguments: Chase, table: BurningTable) -> Play[Length]:
    """Somebody runs away and somebody runs after: a versus test of Speed settles it.

    movement.chase.versus_speed. The rolls of one chase earn one test (advancement.series.one_test).
    """
    _check(arguments, table)
    pursuers, pursued = _sides(arguments, table)
    pairs = tuple(Pair(p.character, q.character) for p in pursuers for q in pursued)
    for pair in pairs:
        table = yield from check_no_ride(table, pair.pursuer, "Speed", catching(pair, table))
    tests = (yield from _announce()) if arguments.extended else 0
    going = Pursuit((*pursuers, *pursued), pairs, tests)
    who = tuple(runner.character for runner in going.runners)
    table = yield from begin_series(table, _title(going), who)
    head_start = yield from _head_start(arguments)
    going = yield from _ground(going, table)
    table = yield from _keep(table, None, going)
    return then(run_length, going, head_start, table)


def _check(arguments: Chase, table: BurningTable) -> None:
    """Two sides with somebody on each, and everybody on one of them only."""
    seen: set[str] = set()
    running = {r.character for going in table.scene.chases for r in going.runners}
    rule = "movement.chase.versus_speed"
    for side in ("pursuers", "pursued"):
        runners: tuple[Runner, ...] = getattr(arguments, side)
        if not 1 <= len(runners) <= MOST_RUNNERS:
            raise BadInput(side, len(runners), f"1 to {MOST_RUNNERS} runners", rule)
        for index, runner in enumerate(runners):
            place = f"{side}[{index}]"
            for where, name in (
                (f"{place}.character", runner.character),
                *((f"{place}.helpers", helper) for helper in runner.helpers),
            ):
                table.character(name, where)
                if name in seen:
                    raise BadInput(where, name, "somebody who has no other part in it", rule)
                seen.add(name)
            if runner.character in running:
                expected = "somebody who is in no chase yet"
                raise BadInput(f"{place}.character", runner.character, expected, rule)


def _sides(arguments: Chase, table: BurningTable) -> tuple[tuple[Runner, ...], tuple[Runner, ...]]:
    """Everybody runs against everybody else, or the first of each side with the others' help.

    movement.amb.group_chase.
    """
    if table.options["movement_group_chase"] == "each_pair":
        return arguments.pursuers, arguments.pursued
    return (_with_help(arguments.pursuers),), (_with_help(arguments.pursued),)


def _with_help(side: tuple[Runner, ...]) -> Runner:
    helpers = [*side[0].helpers]
    for other in side[1:]:
        helpers += [other.character, *other.helpers]
    return msgspec.structs.replace(side[0], helpers=tuple(helpers))


def _announce() -> Step[int]:
    """How many tests a long chase takes (movement.chase.extended.gm_sets_tests)."""
    rule = "movement.chase.extended.gm_sets_tests"
    question = Number(least=2, most=MOST_TESTS, default=3)
    tests = yield from ask(
        GM, "tests", "How many tests does this chase take?", question, because=rule
    )
    yield from tell(Noted(f"The chase takes {tests} tests.", rule))
    return tests


def _head_start(arguments: Chase) -> Step[str]:
    """Who has a head start: the pursued, unless the GM says that the pursuer ran already.

    movement.amb.head_start_who.
    """
    rule = "movement.chase.adv.head_start"
    labels = {"nobody": "nobody", "pursued": "whoever flees", "pursuer": "whoever runs after"}
    options = tuple(Option(key=key, label=label, rule=rule) for key, label in labels.items())
    default = "pursued" if arguments.head_start else "nobody"
    question = PickOne(options=options, default=default)
    return (yield from ask(GM, "head_start", "Who has a head start?", question, because=rule))


def _ground(going: Pursuit, table: BurningTable) -> Step[Pursuit]:
    """What the ground means: nowhere to hide on it, or somebody better suited to it."""
    rule = "movement.chase.adv.nowhere_to_hide"
    bare = yield from ask(
        GM,
        "nowhere_to_hide",
        "Is there nowhere to hide?",
        YesNo(default=going.nowhere_to_hide),
        because=rule,
    )
    rule = "movement.chase.adv.situational"
    options = tuple(
        Option(key=r.character, label=table.character(r.character).name, rule=rule)
        for r in going.runners
    )
    suited = yield from ask(
        GM,
        "situation",
        "Whom does the situation favour, as by the ground?",
        PickSeveral(options=options, default=going.suited),
        because=rule,
    )
    return msgspec.structs.replace(going, nowhere_to_hide=bare, suited=suited)


# --- Advantages ----------------------------------------------------------------------------


def advantages(
    going: Pursuit, character: str, head_start: str, table: BurningTable
) -> tuple[Line, ...]:
    """The advantage dice of one runner; all of them add up.

    movement.chase.adv.reflexes, movement.chase.adv.multiplier, movement.chase.adv.forte: to
    whoever has more than every opponent, and where it is equal to nobody
    (movement.amb.equal_values). What was won before is worth a die in a long chase
    (movement.chase.extended.win_bonus), and losing costs nothing
    (movement.amb.extended_vs_linked).
    """
    pursues = any(pair.pursuer == character for pair in going.pairs)
    rivals = opponents(going, character)
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
    if going.tests and any(pair.ahead == character for pair in going.pairs):
        lines += (Line(1, "won the test before", "movement.chase.extended.win_bonus"),)
    return lines


def opponents(going: Pursuit, character: str) -> tuple[str, ...]:
    """Those whom a runner still runs against."""
    found = [p.pursued for p in going.pairs if p.pursuer == character]
    found += [p.pursuer for p in going.pairs if p.pursued == character]
    return tuple(found)


def _line(advantage: str, rule: str) -> Line:
    table = catalogue().table("movement.table.chase_advantages")
    return Line(int(str(table.value("dice", advantage=advantage))), advantage, rule)


def _is_higher(character: str, rivals: tuple[str, ...], ability: str, table: BurningTable) -> bool:
    """Whether a rating is above those of all rivals; where one is not known, nobody's is."""
    ratings = [_rating(table, name, ability) for name in (character, *rivals)]
    exponents = [rating.exponent for rating in ratings if rating is not None]
    known = len(exponents) == len(ratings)
    return known and exponents[0] > max(exponents[1:])


def _rating(table: BurningTable, character: str, ability: str) -> Rating | None:
    sheet = table.character(character)
    if ability == "Reflexes":
        return reflexes(sheet, table.options)
    rated = sheet.find(ability)
    return None if rated is None else rated.rating


def _multiplier_dice(going: Pursuit, character: str, table: BurningTable) -> tuple[Line, ...]:
    """A die for the better multiplier, whatever the paces (movement.position.not_measured).

    Of more than two multipliers in play the two highest count
    (movement.position.several_multipliers); of two only one that is above every opponent's. More
    than double is worth two dice at tables that read it so (movement.amb.multiplier_in_chase).
    """
    rivals = opponents(going, character)
    running = {name for pair in going.pairs for name in (pair.pursuer, pair.pursued)}
    multipliers = {name: multiplier(table.character(name)) for name in running}
    if len(set(multipliers.values())) <= 2:
        if multipliers[character] <= max(multipliers[rival] for rival in rivals):
            return ()
        multipliers = {name: multipliers[name] for name in (character, *rivals)}
    generous = table.options["movement_double_multiplier_in_chase"] == "plus_2d"
    rule = "movement.chase.adv.multiplier"
    line = multiplier_dice(multipliers, rule=rule, generous=generous).get(character)
    return () if line is None else (line,)


# --- A length ------------------------------------------------------------------------------


def run_length(going: Pursuit, head_start: str, table: BurningTable) -> Play[Length]:
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
    link = Link(
        dice=advantages(going, runner.character, head_start, table),
        called_for=True,
        laid_down=True,
        forks_into_stat="movement.chase.forks",
    )
    said = Declaration(
        runner.character, intent, runner.how, "Speed", helpers=runner.helpers, gear=runner.gear
    )
    agreed = yield from agree(said, link, table)
    return (yield from prepare(said, agreed, 0, link, table))


def throw_length(
    going: Pursuit, attempts: tuple[Attempt, ...], table: BurningTable
) -> Play[Length]:
    """One roll for each runner, then each pursuer is compared with each quarry.

    Neither side defends, so that a tie is nobody's (movement.amb.tie_goes_to_defender), and the
    test is logged against the opponent's successes (movement.amb.advancement).
    """
    rolled: tuple[int | None, ...] = (None, None)
    if len(attempts) > 2:
        rolled, table = yield from _throw_all(going, attempts, table)
    places = {attempt.agreed.character: at for at, attempt in enumerate(attempts)}
    tests: tuple[Settled, ...] = ()
    for pair in going.pairs:
        sides = (places[pair.pursuer], places[pair.pursued])
        both = tuple(attempts[side] for side in sides)
        if len(attempts) > 2:
            both = tuple(_only_tie_breakers(attempt, table) for attempt in both)
        kept = tuple(rolled[side] for side in sides)
        contest = Contest(both, (True, True), kept, ("", ""), 0, is_one_of_many=True)
        outcome, table = yield from call(roll_versus, contest, table)
        tests += (Settled(outcome.winner, outcome.margin, outcome.successes[0]),)
    return then(settle_length, going, tests, table)


def _throw_all(
    going: Pursuit, attempts: tuple[Attempt, ...], table: BurningTable
) -> Step[tuple[tuple[int | None, ...], BurningTable]]:
    """With more than two everybody throws once, and that counts against all opponents."""
    throws: dict[str, artha.Throw] = {}
    for attempt in attempts:
        name = table.character(attempt.agreed.character).name
        against = attempt.penalties if attempt.penalties.lines else None
        yield from tell(Gathered(name, attempt.all_dice, against))
        throws[attempt.agreed.character] = yield from call(
            artha.throw,
            attempt.pool,
            f"{name}, {attempt.agreed.name}",
            attempt.seat,
            attempt.hand,
            attempt.spent,
            None,
        )
    for attempt in attempts:
        mine = throws[attempt.agreed.character]
        best = max(throws[r].successes for r in opponents(going, attempt.agreed.character))
        obstacle = best + attempt.penalties.total
        won = mine.successes > obstacle
        table, _ = yield from after_test(attempt, mine, obstacle, table, passed=won, base=best)
    return tuple(throws[a.agreed.character].successes for a in attempts), table


def _only_tie_breakers(attempt: Attempt, table: BurningTable) -> Attempt:
    """A side that has thrown already, against one more opponent."""
    sheet = table.character(attempt.agreed.character)
    hand = artha.tie_breaking(artha.hand(sheet, attempt.agreed.tested))
    return msgspec.structs.replace(attempt, hand=hand, helpers=())


class Settled(msgspec.Struct, frozen=True):
    """The versus test of one pair: who won, by how much, and the pursuer's successes."""

    winner: str | None
    margin: int
    successes: int


def settle_length(going: Pursuit, tests: tuple[Settled, ...], table: BurningTable) -> Play[Length]:
    """What the test means for each pair, and who still runs."""
    made = going.made + any(test.winner is not None for test in tests)
    results: tuple[PairResult, ...] = ()
    running: tuple[Pair, ...] = ()
    for before, test in zip(going.pairs, tests, strict=True):
        result = result_of(before, test.winner, tests=going.tests, made=made)
        results += (PairResult(before.pursuer, before.pursued, result, test.margin),)
        pair = msgspec.structs.replace(
            before,
            ahead=test.winner or before.ahead,
            may_act=result is Result.CAUGHT_UP,
            successes=test.successes,
        )
        yield from _tell_result(pair, result, table)
        if result is Result.AWAY:
            table = yield from _rides(table, pair)
        elif result is not Result.CAUGHT:
            running += (pair,)
    stopped = {each.pursued for each in results if each.result is Result.CAUGHT}
    running = tuple(pair for pair in running if pair.pursued not in stopped)
    after = msgspec.structs.replace(going, pairs=running, made=made, lengths=going.lengths + 1)
    yield from _keep(table, going, after)
    passed = any(each.result in (Result.CAUGHT_UP, Result.CAUGHT) for each in results)
    return Length(results, not running, passed)


def result_of(pair: Pair, winner: str | None, *, tests: int, made: int) -> Result:
    """What winning a length, or a tie, means for one pair.

    A pursuer who wins has caught up (movement.chase.pursuer_wins.one_action). The pursued, if he
    wins, is away (movement.chase.pursued_wins); in a long chase two wins in a row put him out of
    reach (movement.chase.extended.two_wins), and whoever wins its last test has his intent
    (movement.amb.extended_results). On an unbroken tie they run on (movement.chase.tie).
    """
    last = bool(tests) and made >= tests
    if winner is None:
        return Result.TIE
    if winner == pair.pursuer:
        return Result.CAUGHT if last else Result.CAUGHT_UP
    return Result.AWAY if not tests or last or pair.ahead == winner else Result.AHEAD


def _tell_result(pair: Pair, result: Result, table: BurningTable) -> Step[None]:
    pursuer, pursued = (table.character(name).name for name in (pair.pursuer, pair.pursued))
    said = {
        Result.AHEAD: (f"{pursued} is ahead", "movement.chase.extended.win_bonus"),
        Result.CAUGHT: (f"{pursuer} has caught {pursued}", "movement.amb.extended_results"),
    }
    if result in said:
        text, rule = said[result]
    else:
        rule = {
            Result.CAUGHT_UP: "movement.chase.pursuer_wins.one_action",
            Result.AWAY: "movement.chase.pursued_wins",
            Result.TIE: "movement.chase.tie",
        }[result]
        row = catalogue().table("movement.table.chase_results").where(result=result.value)
        text = f"{pursuer} after {pursued}: {row['what_happens']}; {row['next']}"
    yield from tell(Noted(f"{text}.", rule))


def catching(pair: Pair, table: BurningTable) -> str:
    """The pursuer's intent, under which an escape rides."""
    return f"catch {table.character(pair.pursued).name}"


def _rides(table: BurningTable, pair: Pair) -> Step[BurningTable]:
    """No second chase after somebody who got away: he must be found by other means."""
    ride = Ride(pair.pursuer, "Speed", catching(pair, table), pair.successes, passed=False)
    return (yield from let_it_ride(table, ride))


def _title(going: Pursuit) -> str:
    return f"the chase of {', '.join(runner.character for runner in going.runners)}"


def _keep(table: BurningTable, before: Pursuit | None, after: Pursuit) -> Step[BurningTable]:
    """Keep a chase in the scene while anybody runs; when nobody does, it is over."""
    others = tuple(each for each in table.scene.chases if each != before)
    chases = (*others, after) if after.pairs else others
    rule = "movement.chase.versus_speed"
    table = yield from table.amend(SCENE, "chases", chases, because=rule)
    return table if after.pairs else (yield from end_series(table, _title(after)))


# --- Running on ----------------------------------------------------------------------------


class RunOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another length of the chase in which this character runs."""

    character: str


def chase_of(table: BurningTable, character: str) -> Pursuit:
    """The chase in which somebody runs."""
    table.character(character)
    for going in table.scene.chases:
        if opponents(going, character):
            return going
    running = [r.character for c in table.scene.chases for r in c.runners]
    expected = f"somebody in a chase: {', '.join(running) or 'nobody is'}"
    raise BadInput("character", character, expected, "movement.chase.versus_speed")


def run_on(arguments: RunOn, table: BurningTable) -> Play[Length]:
    """After a tie, or an action that stopped nobody, both roll again.

    movement.chase.tie, movement.chase.pursuer_wins.continue. The head start is used up, the
    other advantages stay unless the ground changes (movement.amb.tie_let_it_ride).
    """
    before = chase_of(table, arguments.character)
    changed = yield from ask(
        GM,
        "ground_changed",
        "Has the ground changed?",
        YesNo(default=False),
        because="movement.amb.tie_let_it_ride",
    )
    going = (yield from _ground(before, table)) if changed else before
    if going != before:
        table = yield from _keep(table, before, going)
    return then(run_length, going, "nobody", table)


class GiveUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pursuer runs no further."""

    pursuer: str


class GaveUp(msgspec.Struct, frozen=True):
    """Who got away by that, and whether the chase is over."""

    away: tuple[str, ...]
    over: bool


def give_up_chase(arguments: GiveUp, table: BurningTable) -> Play[GaveUp]:
    """A pursuer gives up, and no further roll is made; whom he ran after is away from him."""
    before = chase_of(table, arguments.pursuer)
    lost = tuple(pair for pair in before.pairs if pair.pursuer == arguments.pursuer)
    if not lost:
        rule = "movement.chase.versus_speed"
        raise BadInput("pursuer", arguments.pursuer, "somebody who runs after another", rule)
    for pair in lost:
        table = yield from _rides(table, pair)
    left = tuple(pair for pair in before.pairs if pair not in lost)
    yield from _keep(table, before, msgspec.structs.replace(before, pairs=left))
    name = table.character(arguments.pursuer).name
    yield from tell(Noted(f"{name} gives up the chase.", "movement.chase.pursued_wins"))
    return GaveUp(tuple(pair.pursued for pair in lost), not left)


# --- One action at full run ----------------------------------------------------------------


class OneAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a pursuer who has caught up does to whom, and with which ability.

    ``against`` is the ability with which the quarry opposes it, if it is no test against an
    obstacle. Without an ability the action was tested by a procedure of its own, with what
    :func:`full_run` adds.
    """

    pursuer: str
    pursued: str
    task: str
    ability: str = ""
    against: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class Acted(msgspec.Struct, frozen=True):
    """Whether the action stopped the quarry, how its test came out, and whether all is over."""

    stopped: bool
    test: bool | None
    over: bool


def full_run(table: BurningTable, character: str) -> tuple[Line, ...]:
    """What an action at full run adds to its obstacle, for a pursuer who has just caught up.

    movement.chase.pursuer_wins.penalty.
    """
    if any(p.pursuer == character and p.may_act for c in table.scene.chases for p in c.pairs):
        return (Line(PENALTY, "at full run", "movement.chase.pursuer_wins.penalty"),)
    return ()


def one_action(arguments: OneAction, table: BurningTable) -> Play[Acted]:
    """Exactly one thing, by its own rules (movement.chase.pursuer_wins.one_action).

    A test of its own, with the penalty of :func:`full_run`. If it does not stop the quarry, the
    chase goes on (movement.chase.pursuer_wins.continue).
    """
    before = chase_of(table, arguments.pursuer)
    found = [p for p in before.pairs if (p.pursuer, p.pursued) == _who(arguments)]
    rule = "movement.chase.pursuer_wins.one_action"
    if not found:
        raise BadInput("pursued", arguments.pursued, "somebody he is running after", rule)
    if not found[0].may_act:
        name = table.character(arguments.pursuer).name
        raise NotAllowed(f"{name} has not just caught up, or has done his one thing", rule)
    passed, table = yield from _tested(arguments, before.lengths, table)
    stopped = yield from ask(
        GM,
        "stopped",
        f"Does that stop {table.character(arguments.pursued).name}? {arguments.task}",
        YesNo(default=bool(passed)),
        because="movement.chase.pursuer_wins.continue",
    )
    pairs = tuple(
        msgspec.structs.replace(pair, may_act=False) if pair.pursuer == arguments.pursuer else pair
        for pair in before.pairs
        if not (stopped and pair.pursued == arguments.pursued)
    )
    yield from _keep(table, before, msgspec.structs.replace(before, pairs=pairs))
    return Acted(stopped, passed, not pairs)


def _who(arguments: OneAction) -> tuple[str, str]:
    return arguments.pursuer, arguments.pursued


def _tested(
    arguments: OneAction, length: int, table: BurningTable
) -> Step[tuple[bool | None, BurningTable]]:
    """The action's own test: against an obstacle, or against an ability of the quarry."""
    if not arguments.ability:
        return None, table
    pursued: Sheet = table.character(arguments.pursued)
    said = Declaration(
        arguments.pursuer,
        f"stop {pursued.name} at length {length}",
        arguments.task,
        arguments.ability,
        helpers=arguments.helpers,
        gear=arguments.gear,
        target=arguments.pursued,
    )
    link = Link(obstacle=full_run(table, arguments.pursuer), called_for=True)
    if not arguments.against:
        plain, table = yield from call(standard, said, link, table)
        return plain.passed, table
    mine = Side(**{field: getattr(said, field) for field in Declaration.__struct_fields__})
    keeps_running = f"run on from length {length}"
    other = Side(arguments.pursued, keeps_running, "keeps running", arguments.against)
    outcome, table = yield from call(versus, (mine, other), link, table)
    return outcome.winner == arguments.pursuer, table


PROCEDURES = (
    Procedure("chase", "Somebody runs after somebody: a test of Speed", Chase, chase),
    Procedure("run_on", "A chase goes on for another length", RunOn, run_on),
    Procedure("one_action", "What a pursuer who caught up does", OneAction, one_action),
    Procedure("give_up_chase", "A pursuer gives up the chase", GiveUp, give_up_chase),
)
