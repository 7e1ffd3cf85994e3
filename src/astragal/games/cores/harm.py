"""What failing a crucial test does: a lowered Core, out of the scene, death.

The tests themselves are in :mod:`~astragal.games.cores.crucial` and
:mod:`~astragal.games.cores.opposed`, and how a Core comes back is in
:mod:`~astragal.games.cores.recovery`.
"""

from __future__ import annotations

import msgspec

from astragal.games.game import SCENE
from astragal.play import GM, Option, Step, choose, confirm, confirm_aside, note, path_of, tell
from astragal.rules import Record, catalogue

from .facts import CoreMoved
from .scene import CoresTable
from .sheet import CoreName, ladder

CRUCIAL_CORES = (CoreName.PHYSICAL, CoreName.RESOLVE)
"""Nearly always Physical, sometimes Resolve, never another (cores.crucial.cores)."""

SUDDEN, GRADUAL = "sudden", "gradual"


class CrucialStakes(msgspec.Struct, frozen=True, cache_hash=True):
    """What the GM says before a crucial test is rolled."""

    kind: str
    deadly: bool = False


class Fate(msgspec.Struct, frozen=True):
    """What became of a character who failed a crucial test."""

    core: CoreName
    before: str
    after: str
    out: bool = False
    dead: bool = False
    spared: bool = False


def set_stakes(at_risk: tuple[CoreName, ...]) -> Step[CrucialStakes]:
    """The GM decides the kind, and must say so if lives are in danger.

    cores.crucial.kind, cores.crucial.deadly_declared: before it is rolled. Only a Physical test
    can be deadly (cores.crucial.deadly_physical), so for others nobody asks.
    """
    options = (
        Option(key=SUDDEN, label="Sudden: out of the scene at once", rule="cores.crucial.sudden"),
        Option(
            key=GRADUAL, label="Gradual: the Core drops step by step", rule="cores.crucial.gradual"
        ),
    )
    kind = yield from choose(
        GM, "kind", "Sudden or gradual?", options, because="cores.crucial.kind"
    )
    deadly = False
    if CoreName.PHYSICAL in at_risk:
        deadly = yield from confirm_aside(
            GM, "deadly", "Is this test deadly?", because="cores.crucial.deadly_declared"
        )
    what = f"a {'deadly, ' if deadly else ''}{kind} crucial test"
    yield from note(f"This is {what}.", "cores.crucial.deadly_declared")
    return CrucialStakes(kind, deadly)


def consequence(kind: str, failed_by: int) -> Record:
    """The row of cores.table.crucial for a test of that kind, by the margin of failure."""
    return catalogue().table("cores.table.crucial").in_band(failed_by, "failed_by", kind=kind)


def wide_margin() -> int:
    """The margin from which a gradual test costs 2 die types (cores.crucial.gradual_margin)."""
    margin = 0
    while _types_lost(consequence(GRADUAL, margin)) == 1:
        margin += 1
    return margin


def lighter_from(stakes: CrucialStakes, dn: int) -> int | None:
    """The lowest total that fails for 1 die type only, where another would cost 2."""
    return dn - wide_margin() + 1 if stakes.kind == GRADUAL else None


def _types_lost(row: Record) -> int:
    """How many die types a row takes off; down to d0 is all of them."""
    return len(ladder()) if row["to_d0"] else row.number("types_lost")


def fail_crucial(
    character: str, core: CoreName, failed_by: int, stakes: CrucialStakes, table: CoresTable
) -> Step[tuple[Fate, CoresTable]]:
    """A crucial test was failed: the Core falls, and a character at d0 is out, or dead.

    Sudden: to d0 at once (cores.crucial.sudden). Gradual: 1 die type (cores.crucial.gradual),
    or 2 if it was failed by 6 or more; out of the scene at d0 (cores.crucial.gradual_out).
    """
    row = consequence(stakes.kind, failed_by)
    sheet = table.character(character)
    rated = sheet.core[core]
    steps = min(_types_lost(row), rated.steps_left)
    deadly = stakes.deadly and core is CoreName.PHYSICAL
    rule = "cores.crucial.sudden"
    if stakes.kind == GRADUAL:
        wide = _types_lost(row) > 1
        rule = "cores.crucial.gradual_margin" if wide else "cores.crucial.gradual"
    # Kept apart, because they come back in their own time (cores.amb.mixed_damage_recovery).
    field = "lowered_deadly" if deadly else "lowered"
    path = path_of("core", core.value)
    table = yield from table.add(character, f"{path}.{field}", steps, because=rule)
    now = table.character(character).core[core].now
    if steps:
        yield from tell(CoreMoved(sheet.name, str(core), rated.now, now, rule))
    fate = Fate(core, rated.now, now, out=now == ladder()[0])
    if fate.out and deadly:
        return (yield from _death(character, fate, table))
    if fate.out:
        table = yield from _leave(character, table)
    return fate, table


def _leave(character: str, table: CoresTable) -> Step[CoresTable]:
    if character in table.scene.out:
        return table
    name = table.character(character).name
    yield from note(f"{name} is out of the scene.", "cores.crucial.purpose")
    out = (*table.scene.out, character)
    return (yield from table.amend(SCENE, "out", out, because="cores.crucial.purpose"))


def _death(character: str, fate: Fate, table: CoresTable) -> Step[tuple[Fate, CoresTable]]:
    """Physical at d0 by a deadly test is death (cores.crucial.death), unless the GM relents.

    Then the Core stays at d0 for a long time to come (cores.recovery.spared).
    """
    sheet = table.character(character)
    spared = yield from confirm(
        GM,
        "spare",
        f"Spare {sheet.name}? Physical stays at d0 for years.",
        default=False,
        because="cores.recovery.spared",
    )
    table = yield from _leave(character, table)
    if not spared:
        table = yield from table.amend(character, "dead", True, because="cores.crucial.death")
        yield from note(f"{sheet.name} is dead.", "cores.crucial.death")
        return msgspec.structs.replace(fate, dead=True), table
    core = sheet.core.physical
    for field, after in (
        ("lowered", 0),
        ("lowered_deadly", 0),
        ("hours", 0),
        ("lasting", core.lost),
    ):
        path = path_of("core", "physical", field)
        table = yield from table.amend(character, path, after, because="cores.recovery.spared")
    yield from note(f"{sheet.name} is spared, barely alive.", "cores.recovery.spared")
    return msgspec.structs.replace(fate, spared=True), table
