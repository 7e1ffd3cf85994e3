"""One side of a test up to the roll: which Core, who may, and everything that bears on it.

All kinds of test go this way (cores.test.sequence): plain and opposed tests, crucial ones,
and Angst tests. What they are compared with, and what follows, is in the modules named after
them.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from astragal.errors import NotAllowed
from astragal.play import GM, Option, Seat, Step, Tally, Text, ask, choose, note, tell

from . import modifiers
from .assisting import check_helpers, support
from .dice import Dice, Source, core_sides, d4_sign
from .facts import DiceGathered
from .modifiers import Declaration
from .relationships import check_grades, relationship_lines
from .scene import CoresTable, check_can_act
from .sheet import CoreName, ladder
from .spending import Hand, RollPlan, hand_of


class CoreDeclaration(Declaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a player says with a test of a Core of their choice."""

    core: CoreName


class Attempt(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything about one side of a test when the dice are about to be thrown."""

    character: str
    name: str
    seat: Seat
    core: CoreName
    dice: Dice
    modifiers: Tally
    hand: Hand
    tapped: str = ""
    """The type of Angst that was tapped positively, if one was."""

    def cast(
        self, goal: int | None, *, sixes: bool = False, lighter: int | None = None
    ) -> RollPlan:
        """The roll, up to the total that is as good as any higher one."""
        label = f"{self.name}, {self.core}"
        if not (self.hand.story or self.hand.life):
            goal = lighter = None  # nobody is asked anything: one roll is like the other
        return RollPlan(
            self.name, self.seat, label, self.dice, self.modifiers, self.hand, goal, sixes, lighter
        )


CD = TypeVar("CD", bound=CoreDeclaration)


def with_task(declared: CD, table: CoresTable) -> Step[CD]:
    """A declaration with its task; one that was left out is asked for, and may be said aloud.

    cores.test.sequence.
    """
    if declared.task.strip():
        return declared
    check_can_act(declared.character, table)
    check_declared(declared, declared.core, table)
    sheet = table.character(declared.character)
    task = yield from ask(
        sheet.seat(declared.character),
        "task",
        f"Task ({sheet.name})",
        Text(default=""),
        because="cores.test.sequence",
    )
    return msgspec.structs.replace(declared, task=task)


def settle_core(
    declared: CoreDeclaration, table: CoresTable, among: tuple[CoreName, ...] = tuple(CoreName)
) -> Step[CoreName]:
    """The GM picks the Core that the task calls for (cores.test.core_die, cores.test.sequence)."""
    check_can_act(declared.character, table)
    check_declared(declared, declared.core, table)
    sheet = table.character(declared.character)
    options = tuple(
        Option(key=core.value, label=f"{core} ({sheet.core[core].now})", rule="cores.test.core_die")
        for core in among
    )
    chosen = yield from choose(
        GM,
        "core",
        f"Which Core does {sheet.name} test?",
        options,
        default=declared.core.value,
        because="cores.test.core_die",
        kind="consent",
    )
    return CoreName(chosen)


def check_declared(
    declaration: Declaration,
    core: CoreName,
    table: CoresTable,
    *,
    angst_test: bool = False,
    opponent: str = "",
) -> None:
    """Refuse what the rules forbid before anybody has been asked or has rolled anything."""
    sheet = table.character(declaration.character)
    if sheet.dead:
        raise NotAllowed(f"{sheet.name} is dead", "cores.crucial.death")
    check_helpers(declaration.character, declaration.helpers, table, opponent)
    for name in (declaration.character, *declaration.helpers):
        check_grades(table.character(name), table.options)
    modifiers.declared(declaration, core, table, angst_test=angst_test)


def is_able(character: str, core: CoreName, table: CoresTable) -> bool:
    """Whether the Core can be tested: one at d0 fails without a roll (cores.amb.d0_core)."""
    return table.character(character).core[core].now != ladder()[0]


def unable(character: str, core: CoreName, table: CoresTable) -> Step[None]:
    """Say that a test fails because there is no Core Die to roll (cores.amb.d0_core)."""
    name = table.character(character).name
    text = f"{name}'s {core} is at {ladder()[0]}: the test fails without a roll."
    yield from note(text, "cores.amb.d0_core")


def prepare(
    declaration: Declaration,
    core: CoreName,
    table: CoresTable,
    *,
    angst_test: bool = False,
    sources: tuple[Source, ...] = (),
) -> Step[tuple[Attempt, CoresTable]]:
    """Gather everything that bears on a test, and pay for what has to be paid beforehand.

    On an Angst test nothing is tapped and overwhelming Angst does not weigh; all else applies
    (cores.angst.no_tapping, cores.angst.not_overwhelmed, cores.amb.angst_modifiers).
    """
    character = declaration.character
    sheet = table.character(character)
    meant = declaration.core if isinstance(declaration, CoreDeclaration) else core
    bearing = yield from modifiers.what_bears(
        declaration, meant, core, table, angst_test=angst_test
    )
    foreign = modifiers.across(sheet, core, bearing.rock, bearing.suck)
    if sheet.story_points:
        table = yield from modifiers.paid_across(character, foreign, table)
    table = yield from modifiers.tapped(character, bearing.tap, table)
    if not sheet.story_points:  # with the point that the tap has earned (cores.amb.gm_tap_when)
        table = yield from modifiers.paid_across(character, foreign, table)
    table = yield from modifiers.factoid_used(character, bearing, table)
    lines = relationship_lines(sheet, bearing.relationship, table.options)
    if not angst_test:
        lines += modifiers.overwhelming(sheet)
    lines += yield from support(character, declaration.helpers, table)

    sources = (
        *sources,
        *modifiers.knack_sources(sheet, bearing),
        *modifiers.tap_sources(bearing),
        *modifiers.factoid_sources(bearing),
    )
    sides = core_sides(sheet.core[core].now, bool(bearing.rock), bool(bearing.suck), table.options)
    dice = Dice(bool(bearing.perk), sides, d4_sign(sources, table.options))
    way, _, kind = bearing.tap.partition(":")
    attempt = Attempt(
        character,
        sheet.name,
        sheet.seat(character),
        core,
        dice,
        Tally(lines),
        hand_of(table.character(character)),
        kind if way == modifiers.POSITIVE else "",
    )
    reasons = tuple(f"{what}: {name}" for what, name in _reasons(bearing) if name)
    reasons += tuple(str(source) for source in sources)
    if sources and not dice.d4:
        reasons += ("Bonus and Penalty Die cancel",)
    yield from tell(DiceGathered(sheet.name, dice.notation, reasons, attempt.modifiers))
    return attempt, table


def _reasons(bearing: modifiers.TestModifiers) -> tuple[tuple[str, str], ...]:
    return (("Rock", bearing.rock), ("Suck", bearing.suck), ("Perk", bearing.perk))
