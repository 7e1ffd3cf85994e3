"""Positioning: who gets into position, with which dice, and by how much.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``). Nobody shoots
without it (range_and_cover.basics.position_before_shot). What a volley's test depends on is a
:class:`ReadyPositions`, so that its odds can be worked out alone.
"""

from __future__ import annotations

from functools import cached_property

import msgspec

from astragal.play import Line, Play, Step, Tally, call, choose, note, tell

from ...artha.on_a_roll import ThrownDice
from ...conditions.every_test import conditions_on
from ...conditions.lines import Tester
from ...sheet.editions import edition
from ...sheet.facts import DiceGathered
from ...sheet.words import counted
from ...steel.dice_and_hesitation import Cause, SteelTest, own_hesitation, steel_conditions
from ...tests.attempts import Attempt
from ...tests.broken_ties import break_tie
from ...tests.conclusions import after_test, pay_for
from ...tests.intent import Context, Declaration
from ...tests.simultaneous import RollingSide, throw_together
from ...tests.tests import open_result
from ..rolls import gathered
from .maneuvers import OBSERVING, Tested, maneuver, meeting
from .mounted import cue_lines, cue_obstacle, edges, who_tests
from .position_dice import position_lines
from .state import Skirmish


class ReadySide(msgspec.Struct, frozen=True, cache_hash=True, dict=True):
    """One side of a positioning test, when the dice are about to be thrown.

    ``automatic`` successes are not rolled; ``hesitation`` is what a Steel maneuver has to reach. A
    side without ``attempt`` has no dice: it hesitates, or wounds have left it none.
    """

    maneuver: str
    tested: Tested | None = None
    attempt: Attempt | None = None
    automatic: int = 0
    hesitation: int = 0
    name: str = ""

    @property
    def called(self) -> str:
        """What the side does, in words."""
        return maneuver(self.maneuver).label if self.maneuver else "first positioning"

    @cached_property
    def roller(self) -> RollingSide | None:
        """The side with its dice in hand, if there are any to throw."""
        attempt = self.attempt
        if attempt is None or not attempt.pool.dice.total:
            return None
        label = f"{self.name}, {self.called}, {attempt.agreed.name}"
        pools = (("", attempt.pool),)
        return RollingSide(attempt.seat, label, pools, attempt.hand, attempt.spent)

    def counts(self, thrown: ThrownDice | None) -> int:
        """What is compared: the successes less the penalties, never below zero.

        Automatic ones are added first (range_and_cover.amb.stealthy_penalties).
        """
        if self.attempt is None:
            return 0
        rolled = 0 if thrown is None else thrown.successes
        return open_result(rolled + self.automatic, self.attempt)


class ReadyPositions(msgspec.Struct, frozen=True, cache_hash=True):
    """Both sides of a positioning test: all that its result depends on."""

    sides: tuple[ReadySide, ReadySide]
    passive: tuple[bool, bool] = (False, False)

    def judged(self, result: PositionRolls) -> tuple[tuple[str, bool], ...]:
        """Which side gets into position."""
        winner = judge(self, result.counts).winner
        return tuple(
            (f"{each.name}, {each.called}", winner == side)
            for side, each in enumerate(self.sides)
            if each.name
        )


class PositionRolls(msgspec.Struct, frozen=True):
    """A positioning test that was rolled."""

    counts: tuple[int, int]
    throws: tuple[ThrownDice | None, ThrownDice | None]


class PositionResult(msgspec.Struct, frozen=True, cache_hash=True):
    """Who won, by how much, and who fell short of his own hesitation, by how much.

    Without a winner it is a tie, or nobody could do anything.
    """

    winner: int | None
    margin: int = 0
    tied: bool = False
    short: tuple[int, int] = (0, 0)


# --- Before the dice -------------------------------------------------------------------------


def make_ready(skirmish: Skirmish, played: tuple[str, str]) -> Play[ReadyPositions]:
    """Everything before the dice; a side that cannot act has no card and no dice.

    range_and_cover.position.is_versus: each side rolls what its own maneuver says.
    """
    passive = (not played[0], not played[1])
    keys = [each or "speed_maintain" for each in played]
    keys[0] = yield from _with_what(skirmish, 0, keys[0], keys[1])
    keys[1] = yield from _with_what(skirmish, 1, keys[1], keys[0])
    tests = meeting(keys[0], keys[1]).tests
    edge = yield from edges(skirmish)
    sides = []
    for side in (0, 1):
        if passive[side]:
            sides.append(ReadySide(keys[side]))
            continue
        sides.append((yield from _gather(skirmish, side, keys[side], tests[side], edge[side])))
    for side, ready in enumerate(sides):
        if ready.attempt is not None:
            against = ready.attempt.penalties if ready.attempt.penalties.lines else None
            name = skirmish.name(skirmish.leader(side).character)
            said = f"{name}, {maneuver(ready.maneuver).label},"
            yield from tell(DiceGathered(said, ready.attempt.all_dice, against))
            if ready.automatic:
                text = f"{name} adds {counted(ready.automatic, 'automatic success')} of Stealthy."
                yield from note(text, "range_and_cover.stealthy_close.automatic")
    return ReadyPositions((sides[0], sides[1]), passive)


def _with_what(skirmish: Skirmish, side: int, key: str, other: str) -> Step[str]:
    """Observation may be used against a Stealthy maneuver, once it is seen.

    range_and_cover.perception_maintain.observation, range_and_cover.amb.observation_when_chosen.
    """
    if key != "perception_maintain" or not maneuver(other).is_stealthy:
        return key
    leader = skirmish.leader(side).character
    skill = skirmish.sheet(leader).find("Observation")
    if skill is None or not skill.exponent:
        return key
    said = yield from choose(
        skirmish.seat(leader),
        "watch_with",
        f"{skirmish.name(leader)} watches with",
        {
            "Observation": "Observation: Stealthy is rolled",
            "Perception": "Perception: open-ended, against automatic successes",
        },
        default="Observation",
        because="range_and_cover.perception_maintain.observation",
    )
    return OBSERVING if said == "Observation" else key


_TASKS = "positions"

_FORKS = "range_and_cover.dice.pool"
"""The rule that lets FoRKs into Speed and Perception here."""


def _gather(
    skirmish: Skirmish, side: int, key: str, tested: Tested, edge: tuple[Line, ...]
) -> Step[ReadySide]:
    """The dice of a side, by the ability of its maneuver.

    Speed (range_and_cover.speed_close.test, range_and_cover.speed_maintain.test), Perception, which
    is open-ended with all its dice (range_and_cover.perception_maintain.open_ended), Observation,
    which is not (range_and_cover.perception_maintain.observation_not_open_ended), Stealthy, or
    Steel, which takes no FoRKs (range_and_cover.amb.steel_and_ability_bonus) and is open-ended
    (range_and_cover.steel.open_ended). Against Stealthy
    (range_and_cover.stealthy_close.vs_stealthy) and Observation
    (range_and_cover.stealthy_close.vs_observation) Stealthy is rolled; the row of the two maneuvers
    says which of them it is.
    """
    does = maneuver(key)
    leader = skirmish.leader(side)
    who = who_tests(skirmish, leader.character, leader.mount, tested)
    lines = position_lines(skirmish, side, does, edge) + cue_lines(skirmish, side, tested)
    if not has_dice(skirmish, who, tested.ability):
        text = f"{skirmish.name(who)} has no dice of {tested.ability} left."
        yield from note(text, "tests.amb.zero_dice")
        return ReadySide(key, tested)
    attempt = yield from gather(
        skirmish,
        who,
        tested.ability,
        lines,
        helpers=helpers_of(skirmish, side),
        without=("forks",) if tested is Tested.AUTOMATIC else (),
        obstacle=cue_obstacle(skirmish, side, tested),
    )
    attempt = msgspec.structs.replace(attempt, seat=skirmish.seat(leader.character))
    if tested is Tested.AUTOMATIC:
        return _automatic(key, attempt, skirmish.name(who))
    if tested is not Tested.STEEL:
        return ReadySide(key, tested, attempt, name=skirmish.name(who))
    obstacle = yield from _own_hesitation(skirmish, who)
    return ReadySide(key, tested, attempt, hesitation=obstacle.total, name=skirmish.name(who))


def gather(
    skirmish: Skirmish,
    character: str,
    ability: str,
    lines: tuple[Line, ...],
    *,
    helpers: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    obstacle: tuple[Line, ...] = (),
) -> Step[Attempt]:
    """The dice of somebody who positions, as for any test."""
    context = Context(
        dice=lines,
        obstacle=obstacle,
        called_for=True,
        laid_down=True,
        several=True,
        lasting=True,
        folded=True,
        forks_into_stat=_FORKS if ability in ("Speed", "Perception") else "",
    )
    said = Declaration(character=character, task=_TASKS, ability=ability, helpers=helpers)
    return (yield from call(gathered, said, context, without, skirmish.table))


def has_dice(skirmish: Skirmish, character: str, ability: str) -> bool:
    """Whether wounds have left any dice of an ability, for none can be added to none."""
    rated = skirmish.sheet(character).find(ability)
    if rated is None:
        return False
    on_test = conditions_on(Tester(character, rated, skirmish.table))
    return rated.exponent - sum(each.lost for each in on_test) >= 1


def helpers_of(skirmish: Skirmish, side: int) -> tuple[str, ...]:
    """The companions of a leader, who help him to position (range_and_cover.amb.groups)."""
    leader = skirmish.leader(side).character
    return tuple(
        each.character
        for each in skirmish.active(side)
        if each.character != leader and not each.is_hesitating
    )


def _automatic(key: str, attempt: Attempt, name: str) -> ReadySide:
    """The exponent of Stealthy counts as successes and is not rolled; only what is added to it is.

    range_and_cover.stealthy_close.automatic, range_and_cover.stealthy_close.rolled_extras. What
    takes dice away lowers the exponent (range_and_cover.amb.stealthy_penalties); there are no FoRKs
    (range_and_cover.amb.stealthy_forks), and the successes are not doubled against Perception
    (range_and_cover.amb.perception_vs_stealthy_doubling).
    """
    own, *rest = attempt.dice.lines
    lost = sum(line.amount for line in rest if line.amount < 0)
    extras = Tally(tuple(line for line in rest if line.amount > 0))
    left = msgspec.structs.replace(attempt, dice=extras)
    return ReadySide(key, Tested.AUTOMATIC, left, max(0, own.amount + lost), name=name)


def _own_hesitation(skirmish: Skirmish, character: str) -> Step[Tally]:
    """What a Steel maneuver has to reach: plain hesitation, or with what shakes the nerve.

    range_and_cover.steel_close.test, range_and_cover.amb.steel_disadvantages.
    """
    table = skirmish.table
    sheet = skirmish.sheet(character)
    obstacle = own_hesitation(sheet, edition(table.options), Cause.FEAR)
    if table.options["range_and_cover_steel_maneuver_obstacle"] == "with_steel_disadvantages":
        test = SteelTest(character, Cause.FEAR, "being shot at", in_script=True)
        lines, _ = yield from steel_conditions(test, sheet, table.options)
        obstacle += lines
    text = f"{sheet.name} must reach {obstacle.total} to move in the open."
    yield from note(text, "range_and_cover.steel_close.test")
    return obstacle


# --- Dice ------------------------------------------------------------------------------------


def cast(ready: ReadyPositions) -> Play[PositionRolls]:
    """Both sides throw at once."""
    throws = yield from throw_sides(ready.sides)
    counts = [side.counts(thrown) for side, thrown in zip(ready.sides, throws, strict=True)]
    return PositionRolls((counts[0], counts[1]), (throws[0], throws[1]))


def throw_sides(sides: tuple[ReadySide, ...]) -> Step[list[ThrownDice | None]]:
    """The dice of these sides; none of those who have none to throw."""
    rolling = tuple(side.roller for side in sides if side.roller is not None)
    thrown = iter((yield from throw_together(rolling)) if rolling else ())
    return [None if side.roller is None else next(thrown)[0] for side in sides]


# --- Who wins --------------------------------------------------------------------------------


def judge(ready: ReadyPositions, counts: tuple[int, int]) -> PositionResult:
    """Who wins, and by how much (range_and_cover.position.margin_is_currency).

    A tie is a tie, also for automatic successes (range_and_cover.amb.stealthy_meets_obstacle), and
    nobody wins it for defending (range_and_cover.amb.tie_and_defender). A side that cannot act
    always loses, with no successes (range_and_cover.hesitate.drool.opponent_wins,
    range_and_cover.hesitate.prone.loses, range_and_cover.hesitate.swoon.loses,
    range_and_cover.amb.hesitation_margin). A Steel roll is held against both obstacles, each time
    with all its successes (range_and_cover.amb.steel_two_obstacles), and wins if it is enough for
    both (range_and_cover.steel_close.wins); whoever does not reach his own
    hesitation has lost (range_and_cover.steel_close.fails_hesitation,
    range_and_cover.amb.steel_short_of_hesitation).
    """
    short = (_short(ready, 0, counts), _short(ready, 1, counts))
    able = [not ready.passive[side] and not short[side] for side in (0, 1)]
    if able[0] and able[1]:
        lead = counts[0] - counts[1]
        if not lead:
            return PositionResult(None, tied=True)
        return PositionResult(0 if lead > 0 else 1, abs(lead))
    if not able[0] and not able[1]:
        return PositionResult(None, short=short)
    winner = 0 if able[0] else 1
    return PositionResult(winner, max(0, counts[winner] - counts[1 - winner]), short=short)


def _short(ready: ReadyPositions, side: int, counts: tuple[int, int]) -> int:
    return max(0, ready.sides[side].hesitation - counts[side])


def settle_tie(
    ready: ReadyPositions, rolls: PositionRolls, result: PositionResult
) -> Step[tuple[PositionResult, PositionRolls]]:
    """A tie may be broken by a trait, in place of what a tie does; two of them offset each other.

    beliefs.trait.call_on.break_tie, range_and_cover.amb.initial_tie,
    tests.amb.tie_trait_against_defender. Whoever wins so is in position, with no margin to spend.
    """
    one, other = (side.attempt for side in ready.sides)
    if not result.tied or one is None or other is None:
        return result, rolls
    winner, throws = yield from break_tie((one, other), rolls.throws)
    if winner is not None:
        result = PositionResult(winner)
    return result, msgspec.structs.replace(rolls, throws=throws)


def log_rolls(
    skirmish: Skirmish, ready: ReadyPositions, rolls: PositionRolls, winner: int | None
) -> Step[Skirmish]:
    """Pay for what was used on the rolls, and mark the tests.

    The obstacle is the other side's successes, and an ability that is rolled again and again earns
    one test (range_and_cover.advance.versus_and_series). Who falls short of his own hesitation has
    failed, however the rolls compare. Of Stealthy the exponent counts as dice as well, though it
    is not rolled (range_and_cover.stealthy_close.automatic).
    """
    for side in (0, 1):
        attempt, thrown = ready.sides[side].attempt, rolls.throws[side]
        if attempt is None or thrown is None:
            continue
        if not skirmish.series:
            table = yield from pay_for(attempt, thrown, skirmish.table)
            skirmish = skirmish.on(table)
            continue
        against = max(1, rolls.counts[1 - side], ready.sides[side].hesitation)
        rule = "range_and_cover.stealthy_close.automatic"
        whole = (
            Tally.of(ready.sides[side].automatic, attempt.agreed.name, rule) + attempt.dice.lines
        )
        table, _ = yield from after_test(
            msgspec.structs.replace(attempt, dice=whole),
            thrown,
            against + attempt.penalties.total,
            skirmish.table,
            passed=side == winner,
            base=against,
        )
        skirmish = skirmish.on(table)
    return skirmish
