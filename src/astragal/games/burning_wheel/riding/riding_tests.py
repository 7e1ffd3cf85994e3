"""The Riding test: the rider's skill against the will of the beast.

A section of the chapter on riding (``riding``). Every test of the chapter is gathered here, those
of the beasts as well.
"""

from __future__ import annotations

from astragal.play import GM, Line, Number, Step, Tally, ask

from ..conditions.armor_weight import has_training
from ..conditions.mounted import RIDER_TRAINING, RIDING, mount_of
from ..sheet.scene import BurningTable
from ..tests.attempts import TestResult, agree_and_prepare, full_obstacle, result_of, throw_attempt
from ..tests.conclusions import conclude_test
from ..tests.helping import known_roots
from ..tests.intent import Context, Declaration

MOST_DIFFICULT = 2
"""The most that a difficult maneuver adds (riding.test.difficult_maneuver)."""


def will_of(table: BurningTable, mount: str) -> Line:
    """The obstacle of every command: the Will of the beast (riding.test.obstacle)."""
    sheet = table.character(mount)
    will = sheet.ability("Will", f"{mount}.stats.Will")
    return Line(will.exponent, f"Will of {sheet.name}", "riding.test.obstacle")


def unbroken(table: BurningTable, mount: str) -> tuple[Line, ...]:
    """What a beast without Rider Training adds: as much again (riding.test.untrained_beast).

    riding.test.rider_training. The base alone is doubled (riding.amb.double_obstacle_scope).
    """
    if has_training(table.character(mount), RIDER_TRAINING):
        return ()
    rule = "riding.test.untrained_beast"
    return (Line(will_of(table, mount).amount, f"no {RIDER_TRAINING}", rule),)


def ask_difficulty(*, lasting: bool = False) -> Step[tuple[Line, ...]]:
    """What a difficult or dangerous maneuver adds, by the GM's word.

    riding.test.difficult_maneuver.
    """
    rule = "riding.test.difficult_maneuver"
    more: int = yield from ask(
        GM,
        "difficult_riding",
        "Difficult or dangerous for the animal",
        Number(least=0, most=MOST_DIFFICULT, default=0),
        because=rule,
        kind="aside",
        standing=lasting,
    )
    return (Line(more, "difficult maneuver", rule),) if more else ()


def command(
    rider: str,
    task: str,
    table: BurningTable,
    more: tuple[Line, ...] = (),
    helpers: tuple[str, ...] = (),
    gear: tuple[str, ...] = (),
    *,
    in_fight: bool = False,
) -> Step[tuple[TestResult, BurningTable]]:
    """A Riding test to make the beast do something, against its Will (riding.test.obstacle)."""
    mount = mount_of(table, rider)
    said = Declaration(character=rider, task=task, ability=RIDING, helpers=helpers, gear=gear)
    harder = unbroken(table, mount) + more
    base = will_of(table, mount)
    return (yield from called_test(said, base, table, obstacle=harder, in_fight=in_fight))


def hold_on(
    rider: str, obstacle: Line, table: BurningTable, *, in_fight: bool = False
) -> Step[tuple[TestResult, BurningTable]]:
    """A Riding test against an obstacle of its own: to stay in the saddle.

    To recover from a fall is one of the things that Riding is tested for (riding.test.when).
    """
    said = Declaration(character=rider, task="stays in the saddle", ability=RIDING)
    return (yield from called_test(said, obstacle, table, in_fight=in_fight))


def called_test(
    said: Declaration,
    base: Line,
    table: BurningTable,
    *,
    dice: tuple[Line, ...] = (),
    obstacle: tuple[Line, ...] = (),
    in_fight: bool = False,
) -> Step[tuple[TestResult, BurningTable]]:
    """A test that the chapter calls for, from the dice to the log.

    In a fight what players could add is folded away, as for every roll there. Its root stands in
    for a skill that somebody lacks (tests.beginner.root_stat): what the sheets at the table say,
    and where none of them knows the skill, Agility, as nobody stops a fight to agree on it.
    """
    roots = known_roots(said.ability, table) or ("Agility",)
    context = Context(
        dice=dice,
        obstacle=obstacle,
        called_for=True,
        laid_down=True,
        several=in_fight,
        lasting=in_fight,
        folded=in_fight,
        roots=roots if in_fight else (),
    )
    attempt = yield from agree_and_prepare(said, context, table)
    against = full_obstacle(Tally((base,)), attempt)
    thrown = yield from throw_attempt(attempt, against, table)
    verdict = "Success." if result_of(attempt, thrown, against).passed else "Failure."
    return (yield from conclude_test(attempt, thrown, against, verdict, table, base=base.amount))
