"""The chase: one versus test of Speed, and what follows.

It is a single positioning test about getting away: rates are not compared
(movement.chase.versus_speed). The roll is in ``movement/chase_lengths``. The one action of a
pursuer who has caught up is a test of its own, so between one length and the next a chase is kept
in the scene; conflicts that resolve that action by their own rules take :func:`full_run` from here.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    PickSeveral,
    Play,
    Step,
    ask,
    call,
    choose,
    confirm,
    confirm_aside,
    note,
    then,
)

from ..advancement.log import begin_series
from ..conditions.mounted import RIDING, rider_of
from ..sheet.scene import BurningTable, Pair, Pursuit, Runner
from ..tests.intent import Context, Declaration
from ..tests.let_it_ride import check_no_ride
from ..tests.partial_records import complete, complete_for
from ..tests.results import StandardOutcome
from ..tests.tests import standard
from ..tests.versus import VersusSide, versus
from ..tests.versus_verdict import VersusOutcome
from .chase_lengths import (
    PENALTY,
    ChaseLength,
    catching,
    got_away,
    keep,
    opponents,
    run_length,
    runners,
    title_of,
)
from .mounted_chase import are_all_mounted, ask_country, chase_ability, mover

MOST_RUNNERS = 12
"""The most on one side; a crowd is better played by one roller for each side."""

MOST_TESTS = 20
"""The longest chase that a GM may announce."""


class Chase(Arguments, frozen=True):
    """Who runs after whom; ``extended`` is a long chase, or a race, of several tests."""

    pursuers: tuple[Runner, ...]
    pursued: tuple[Runner, ...]
    head_start: bool = False
    extended: bool = False


# --- Setting out ---------------------------------------------------------------------------


def chase(arguments: Chase, table: BurningTable) -> Play[ChaseLength]:
    """A versus test of Speed decides whether the pursued get away.

    movement.chase.versus_speed. The rolls of one chase earn one test (advancement.series.one_test).
    The GM is asked for the stats of a character of theirs who has none yet
    (tests.record.gm_characters).
    """
    _check_runners(arguments, table)
    pursuers, pursued = _sides(arguments, table)
    pairs = tuple(Pair(p.character, q.character) for p in pursuers for q in pursued)
    for pair in pairs:
        ability = chase_ability((pair.pursuer, pair.pursued), table)
        table = yield from check_no_ride(table, pair.pursuer, ability, catching(pair, table))
    tests = (yield from _announce()) if arguments.extended else 0
    going = Pursuit((*pursuers, *pursued), pairs, tests)
    who = tuple(runner.character for runner in going.runners)
    riders = are_all_mounted(who, table)
    movers = tuple(mover(name, table) for name in who)
    if riders:
        table = yield from complete_for(table, who, RIDING)
    else:
        table = yield from complete(table, movers, ("Speed",))
    # A mount that runs for its rider earns one test as well (riding.amb.pursuit_mixed).
    table = yield from begin_series(table, title_of(going), tuple(dict.fromkeys((*who, *movers))))
    head_start = "nobody" if riders else (yield from _head_start(arguments))
    going = yield from _ground(going, table)
    table = yield from keep(table, None, going)
    return then(run_length, going, head_start, table)


def _check_runners(arguments: Chase, table: BurningTable) -> None:
    """Two sides with somebody on each, and everybody on one of them only."""
    seen: set[str] = set()
    running = {r.character for going in table.scene.chases for r in going.runners}
    rule = "movement.chase.versus_speed"
    for side in ("pursuers", "pursued"):
        those: tuple[Runner, ...] = getattr(arguments, side)
        check_between(side, len(those), 1, MOST_RUNNERS, rule, unit="runners")
        for index, runner in enumerate(those):
            place = f"{side}[{index}]"
            for where, name in (
                (f"{place}.character", runner.character),
                *((f"{place}.helpers", helper) for helper in runner.helpers),
            ):
                table.character(name, where)
                if name in seen:
                    raise BadInput(where, name, "a character with no other part in the chase", rule)
                seen.add(name)
                if rider_of(table, name):
                    raise BadInput(where, name, "a character who carries no rider", rule)
            if runner.character in running:
                expected = "a character who is not in a chase yet"
                raise BadInput(f"{place}.character", runner.character, expected, rule)


def _sides(arguments: Chase, table: BurningTable) -> tuple[tuple[Runner, ...], tuple[Runner, ...]]:
    """Everybody runs against every opponent, or the first of each side with the others' help.

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
    tests = yield from ask(GM, "tests", "Number of tests in the chase", question, because=rule)
    yield from note(f"The chase takes {tests} tests.", rule)
    return tests


def _head_start(arguments: Chase) -> Step[str]:
    """Who has a head start: the pursued, unless the GM says that the pursuer ran already.

    movement.amb.head_start_who.
    """
    return (
        yield from choose(
            GM,
            "head_start",
            "Who has a head start?",
            {"nobody": "Nobody", "pursued": "The pursued", "pursuer": "The pursuer"},
            default="pursued" if arguments.head_start else "nobody",
            because="movement.chase.adv.head_start",
            kind="consent",
        )
    )


def _ground(going: Pursuit, table: BurningTable) -> Step[Pursuit]:
    """What the terrain means: nowhere to hide, or an advantage to some.

    Where all ride, it is about the country (riding.pursuit.adv_urban_forest).
    """
    if are_all_mounted(runners(going), table):
        return (yield from ask_country(going, table))
    rule = "movement.chase.adv.nowhere_to_hide"
    bare = yield from confirm(
        GM,
        "nowhere_to_hide",
        "Is there nowhere to hide?",
        default=going.nowhere_to_hide,
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
        "Who is favoured by the terrain or situation?",
        PickSeveral(options=options, default=going.suited),
        because=rule,
    )
    return msgspec.structs.replace(going, nowhere_to_hide=bare, suited=suited)


# --- Running on ----------------------------------------------------------------------------


class RunOn(Arguments, frozen=True):
    """A character in the chase that goes on for another length."""

    character: str


def chase_of(character: str, table: BurningTable) -> Pursuit:
    """The chase that a character is in."""
    for going in table.scene.chases:
        if opponents(going, character):
            return going
    what = f"{table.character(character).name} is not in a chase"
    raise NotAllowed(what, "movement.chase.versus_speed")


def run_on(arguments: RunOn, table: BurningTable) -> Play[ChaseLength]:
    """After a tie, or an action that stopped nobody, both roll again.

    movement.chase.tie, movement.chase.pursuer_wins.continue. The head start is used up, the
    other advantages stay unless the terrain changes (movement.amb.tie_let_it_ride).
    """
    before = chase_of(arguments.character, table)
    changed = yield from confirm_aside(
        GM, "ground_changed", "Has the terrain changed?", because="movement.amb.tie_let_it_ride"
    )
    going = (yield from _ground(before, table)) if changed else before
    if going != before:
        table = yield from keep(table, before, going)
    return then(run_length, going, "nobody", table)


class GiveUpChase(Arguments, frozen=True):
    """The pursuer who gives up."""

    pursuer: str


class GiveUpOutcome(Outcome, frozen=True):
    """Who got away, and whether the chase is over."""

    away: tuple[str, ...]
    over: bool


def _pursues(pursuer: str, table: BurningTable) -> tuple[Pursuit, tuple[Pair, ...]]:
    """The chase in which somebody is a pursuer, and whom they pursue in it; or a refusal."""
    going = chase_of(pursuer, table)
    pairs = tuple(pair for pair in going.pairs if pair.pursuer == pursuer)
    if not pairs:
        what = f"{table.character(pursuer).name} pursues nobody"
        raise NotAllowed(what, "movement.chase.versus_speed")
    return going, pairs


def give_up_chase(arguments: GiveUpChase, table: BurningTable) -> Play[GiveUpOutcome]:
    """A pursuer gives up without a further roll; the pursued gets away."""
    before, lost = _pursues(arguments.pursuer, table)
    for pair in lost:
        table = yield from got_away(table, pair)
    left = tuple(pair for pair in before.pairs if pair not in lost)
    yield from keep(table, before, msgspec.structs.replace(before, pairs=left))
    name = table.character(arguments.pursuer).name
    yield from note(f"{name} gives up the chase.", "movement.chase.pursued_wins")
    return GiveUpOutcome(tuple(pair.pursued for pair in lost), not left)


# --- One action at full run ----------------------------------------------------------------


class OneAction(Arguments, frozen=True):
    """What a pursuer who has caught up does to whom, and with which ability.

    ``against`` is the ability with which the pursued opposes it in a versus test. Leave
    ``ability`` empty if the action was tested separately, at +2 Ob.
    """

    pursuer: str
    pursued: str
    task: str
    ability: str = ""
    against: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class OneActionOutcome(Outcome, frozen=True):
    """Whether the action stopped the pursued, whether its test passed, and if the chase is over.

    ``rolled`` is the test itself, where it was made here.
    """

    stopped: bool
    test: bool | None
    over: bool
    rolled: StandardOutcome | VersusOutcome | None = None


def full_run(table: BurningTable, character: str) -> tuple[Line, ...]:
    """What an action at full run adds to its obstacle, for a pursuer who has just caught up.

    movement.chase.pursuer_wins.penalty.
    """
    if any(p.pursuer == character and p.may_act for c in table.scene.chases for p in c.pairs):
        return (Line(PENALTY, "at full run", "movement.chase.pursuer_wins.penalty"),)
    return ()


def one_action(arguments: OneAction, table: BurningTable) -> Play[OneActionOutcome]:
    """Exactly one action, by its own rules (movement.chase.pursuer_wins.one_action).

    A test of its own, with the penalty of a full run. If it does not stop the pursued, the
    chase goes on (movement.chase.pursuer_wins.continue).
    """
    before, _ = _pursues(arguments.pursuer, table)
    found = [p for p in before.pairs if (p.pursuer, p.pursued) == _who(arguments)]
    rule = "movement.chase.pursuer_wins.one_action"
    if not found:
        raise BadInput("pursued", arguments.pursued, "somebody the pursuer is chasing", rule)
    if not found[0].may_act:
        name = table.character(arguments.pursuer).name
        raise NotAllowed(f"{name} can act only once, right after catching up", rule)
    rolled, table = yield from _tested(arguments, before.lengths, table)
    passed = _has_passed(rolled, arguments.pursuer)
    stopped = yield from confirm(
        GM,
        "stopped",
        f"Does this stop {table.character(arguments.pursued).name}? {arguments.task}",
        default=bool(passed),
        because="movement.chase.pursuer_wins.continue",
        kind="offered" if passed is None else "consent",
    )
    pairs = tuple(
        msgspec.structs.replace(pair, may_act=False) if pair.pursuer == arguments.pursuer else pair
        for pair in before.pairs
        if not (stopped and pair.pursued == arguments.pursued)
    )
    yield from keep(table, before, msgspec.structs.replace(before, pairs=pairs))
    return OneActionOutcome(stopped, passed, not pairs, rolled)


def _who(arguments: OneAction) -> tuple[str, str]:
    return arguments.pursuer, arguments.pursued


def _tested(
    arguments: OneAction, length: int, table: BurningTable
) -> Step[tuple[StandardOutcome | VersusOutcome | None, BurningTable]]:
    """The action's own test: against an obstacle, or against an ability of the pursued."""
    if not arguments.ability:
        return None, table
    pursued = table.character(arguments.pursued)
    said = Declaration(
        character=arguments.pursuer,
        intent=f"stop {pursued.name} at length {length}",
        task=arguments.task,
        ability=arguments.ability,
        helpers=arguments.helpers,
        gear=arguments.gear,
        target=arguments.pursued,
    )
    context = Context(obstacle=full_run(table, arguments.pursuer), called_for=True)
    if not arguments.against:
        plain, table = yield from call(standard, said, context, table)
        return plain, table
    mine = VersusSide(**{field: getattr(said, field) for field in Declaration.__struct_fields__})
    keeps_running = f"run on from length {length}"
    other = VersusSide(
        character=arguments.pursued,
        intent=keeps_running,
        task="keeps running",
        ability=arguments.against,
    )
    outcome, table = yield from call(versus, (mine, other), context, table)
    return outcome, table


def _has_passed(rolled: StandardOutcome | VersusOutcome | None, pursuer: str) -> bool | None:
    if isinstance(rolled, VersusOutcome):
        return rolled.winner == pursuer
    return None if rolled is None else rolled.passed


PROCEDURES = (
    Procedure("chase", "Chase", Chase, chase),
    Procedure("run_on", "Chase: another length", RunOn, run_on, touches_all=True, check=chase_of),
    Procedure(
        "one_action", "Chase: the pursuer's one action", OneAction, one_action, check=_pursues
    ),
    Procedure("give_up_chase", "Chase: give up", GiveUpChase, give_up_chase, check=_pursues),
)
