"""Tests that magic forces on a character at once: Tax, concentration, recovery.

Their obstacle is set by the rules, so that nothing is agreed on before them: conditions count,
artha may be spent, and nothing else is asked, but whether a test serves the goal of a Divine Aura,
and whether a trait for certain situations applies.
"""

from __future__ import annotations

from astragal.dice import OpenEnded, Shaded
from astragal.play import Line, Play, Step, Tally, call, tell

from ..artha import on_a_roll as artha
from ..artha.aristeia import for_the_goal, lightened
from ..artha.bearing_pain import bear_pain
from ..artha.before_the_roll import Boost, before_roll
from ..conditions.every_test import conditions_on, obstacle_lines
from ..conditions.lines import Tester
from ..conditions.spell_tax import dice_gone
from ..sheet.editions import edition
from ..sheet.facts import DiceGathered
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from ..tests.attempts import Attempt, nature, throw_attempt
from ..tests.circumstances import in_their_situation
from ..tests.intent import CALLED_FOR, Agreement


def called_attempt(
    character: str, ability: str, task: str, bonus: tuple[Line, ...], table: BurningTable
) -> Step[Attempt]:
    """The dice of a test that the rules call for; its ``penalties`` are those of conditions.

    There may be none left: then nothing is rolled, and there are no successes.
    """
    sheet = table.character(character)
    seat = sheet.seat(character)
    rated = lightened(table, character, sheet.ability(ability))
    tester = yield from in_their_situation(Tester(character, rated, table))
    tester = yield from for_the_goal(tester)
    conditions = conditions_on(tester)
    pain = yield from bear_pain(seat, conditions, artha.hand(sheet, rated), table)
    dice = Tally.of(rated.exponent, rated.name, "tests.exponent.dice_rolled")
    for each in pain.conditions:
        dice += each.dice
    dice += bonus
    boost = Boost((), artha.ArthaAtHand(), Artha())
    if dice.total > 0:  # tests.amb.zero_dice: none can be added to none
        played = edition(table.options)
        gone = dice_gone(tester)
        boost = yield from before_roll(seat, rated, pain.hand, gone=gone, played=played)
    return Attempt(
        agreed=Agreement(character, task, task, rated),
        seat=seat,
        dice=dice,
        penalties=Tally(obstacle_lines(pain.conditions)),
        gear_dice=Shaded(),
        open_ended=nature(sheet, rated, CALLED_FOR, table, tester.idle),
        helpers=(),
        careful=False,
        hand=boost.hand,
        boost=boost.lines,
        spent=boost.spent + pain.spent,
        borne=pain.spent,
    )


def throw_called(
    attempt: Attempt, obstacle: Tally | None, table: BurningTable, *, decides: bool = True
) -> Step[artha.ThrownDice]:
    """Throw the dice of a called test, if there are any.

    Where meeting the obstacle does not alone ``decide``, it matters how far they fall short.
    """
    if attempt.dice.total > 0 and (decides or obstacle is None):
        return (yield from throw_attempt(attempt, obstacle, table, decides=decides))
    name = table.character(attempt.agreed.character).name
    yield from tell(DiceGathered(name, attempt.all_dice, obstacle))
    if attempt.dice.total > 0 and obstacle is not None:
        label = f"{name}, {attempt.agreed.name}"
        return (yield from call(throw_graded, attempt, label, obstacle.total))
    return artha.ThrownDice(0, Shaded(), Shaded(), OpenEnded.NO, spent=attempt.spent)


def throw_graded(attempt: Attempt, label: str, obstacle: int) -> Play[artha.ThrownDice]:
    """Throw dice of which every one up to the obstacle counts, and none beyond it.

    So nothing is gained by artha once it is met, while below it every success is.
    """
    seat, held = attempt.seat, attempt.hand
    thrown = yield from artha.first_throw(attempt.pool, label, seat, held, attempt.spent)
    enough = obstacle if thrown.successes >= obstacle else None
    return artha.seen(thrown, held, label, seat, enough)


def what_counts(attempt: Attempt, thrown: artha.ThrownDice) -> int:
    """The successes of a roll that meets no fixed obstacle: each penalty takes one.

    tests.amb.open_test_disadvantage, injury.amb.ob_on_versus_tests.
    """
    return max(0, thrown.successes - attempt.penalties.total)
