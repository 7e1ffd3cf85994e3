"""Riding and Steel: what a rider can do about a mount that has lost its nerve.

A section of the chapter on riding (``riding``). The Steel test itself, and the reactions of a
mount, are in ``steel/steel``; how a fight counts them is in ``conflicts/fight/mount_nerves``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Step, choose, note

from ..conditions.hesitation import hesitation_of, set_hesitation
from ..conditions.mounted import check_seated, mount_of, mount_reaction, mount_reactions, seated
from ..sheet.scene import BurningTable
from ..steel.dice_and_hesitation import Cause, SteelTest
from ..tests.attempts import TestResult
from .falls import REAR, ROLL, Fallen, SaddleTest, apply_hits, mount_rears, mount_rolls
from .riding_tests import ask_difficulty, command

NOT_HURT = 1
"""A mount that rolls of its own accord has missed no test: the least there is."""


def steel_of_mount(mount: str) -> SteelTest:
    """The Steel test of a mount that was not trained to fight, as an exchange begins.

    riding.untrained.mount_steel; against its hesitation alone
    (riding.amb.untrained_mount_trained_rider).
    """
    rule = "riding.untrained.mount_steel"
    return SteelTest(mount, Cause.FEAR, "the fight", forced_by=rule, plain=True, in_script=True)


class SteadyMount(Arguments, frozen=True):
    """The rider whose mount hesitates."""

    character: str


class SteadyOutcome(Outcome, frozen=True):
    """Whether the rider chose what the mount does, and what that is; ``test`` says so."""

    passed: bool
    reaction: str = ""
    saddle: SaddleTest | None = None
    test: TestResult | None = None


def steady(
    rider: str, table: BurningTable, *, in_fight: bool = False
) -> Step[tuple[str, TestResult, BurningTable]]:
    """A Riding test at the beast's Will: then the rider chooses the reaction.

    riding.steel.rider_chooses, also when the mount reacts already
    (riding.steel.change_in_progress). It changes the kind and not the length
    (riding.amb.rider_test_timing_steel). Empty if it fails.
    """
    harder = yield from ask_difficulty(lasting=in_fight)
    task = "steadies the mount"
    result, table = yield from command(rider, task, table, harder, in_fight=in_fight)
    if not result.passed:
        return "", result, table
    sheet = table.character(rider)
    name = table.character(mount_of(table, rider)).name
    rule = "riding.steel.rider_chooses"
    said: str = yield from choose(
        sheet.seat(rider),
        "rider_chooses",
        f"{name} hesitates. How?",
        mount_reactions(),
        default="shy",
        because=rule,
    )
    yield from note(f"{sheet.name} has {name} {said}.", rule)
    return said, result, table


def rider_suffers(
    rider: str, reaction: str, table: BurningTable, *, in_fight: bool = False
) -> Step[tuple[Fallen, BurningTable]]:
    """What a mount's reaction means for its rider: nothing, or a Riding test.

    riding.steel.rear_or_buck, riding.roll.stay_mounted.
    """
    if reaction == REAR:
        return (yield from mount_rears(rider, table, in_fight=in_fight))
    if reaction == ROLL:
        return (yield from mount_rolls(rider, NOT_HURT, table, in_fight=in_fight))
    return Fallen(stayed=True), table


def steady_mount(arguments: SteadyMount, table: BurningTable) -> Play[SteadyOutcome]:
    """Outside of a fight: the rider tries to choose what a frightened mount does."""
    rider = arguments.character
    mount = seated(table, rider).mount
    left = hesitation_of(table, mount)
    if left is None or not left.heartbeats:
        name = table.character(mount).name
        raise NotAllowed(f"{name} does not hesitate", "riding.steel.rider_chooses")
    said, test, table = yield from steady(rider, table)
    if not said:
        return SteadyOutcome(passed=False, test=test)
    code = mount_reaction(said).text("equivalent_code")
    changed = msgspec.structs.replace(left, reaction=code, prone=said == ROLL)
    table = yield from set_hesitation(table, mount, changed, because="riding.steel.rider_chooses")
    fallen, table = yield from rider_suffers(rider, said, table)
    suffered, _ = yield from apply_hits(fallen.hits, table)
    return SteadyOutcome(True, said, SaddleTest(fallen.stayed, suffered, fallen.test), test)


PROCEDURES = (
    Procedure(
        "steady_mount",
        "Steady a frightened mount",
        SteadyMount,
        steady_mount,
        check=check_seated,
    ),
)
