"""Unhorse him: a lance that hits another rider also pushes.

A section of the chapter on riding (``riding``).
"""

from __future__ import annotations

import msgspec

from astragal.play import Option, Step, choose, note, tell
from astragal.rules import catalogue

from ..armor.hits import IncomingHit
from ..conditions.mounted import RIDING
from ..materials.thrown_against import GROUND, stage_of_throw, surface_struck
from ..sheet.facts import TestCame
from ..sheet.scene import BurningTable
from ..tests.attempts import agree_and_prepare, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import Context, Declaration
from ..tests.tests import open_result
from .falls import landing, thrown_hit
from .mounts import change_saddle, out_of_saddle

HALF_OUT, UNHORSED = "half_out", "unhorsed"


class Unhorsed(msgspec.Struct, frozen=True):
    """What a lance did to a rider's seat: a code of ``riding.table.unhorse``, and a fall's hit."""

    result: str
    net: int
    hit: IncomingHit | None = None


def push_from_saddle(
    rider: str, successes: int, lancers_mount: str, table: BurningTable, *, defends: bool = True
) -> Step[tuple[Unhorsed, BurningTable]]:
    """The successes of a lance that hit are a Push as well (riding.lance.unhorse_push).

    All that are left after a defence, whatever else they were spent on
    (riding.amb.unhorse_successes_to_hit). One net success is a pace (riding.amb.unhorse_paces).
    """
    resisted = 0
    if defends:
        resisted, table = yield from _natural_defence(rider, successes, table)
    net = successes - resisted
    row = catalogue().table("riding.table.unhorse").in_band(net, "net_push_successes")
    result = row.text("result_code")
    name = table.character(rider).name
    if result == HALF_OUT:
        rule = "riding.lance.unhorse_one_pace"
        yield from note(f"{name} is half out of the saddle.", rule)
        table = yield from change_saddle(table, rider, rule, half_out=True)
        return Unhorsed(result, net), table
    if result != UNHORSED:
        yield from note(f"{name} keeps the saddle.", "riding.lance.unhorse_push")
        return Unhorsed(result, net), table
    rule = "riding.lance.unhorse_two_paces"
    yield from note(f"{name} is unhorsed.", rule)
    table = yield from out_of_saddle(table, rider, rule)
    hit = yield from _fall(rider, net, lancers_mount, table)
    return Unhorsed(result, net, hit), table


def _natural_defence(
    rider: str, against: int, table: BurningTable
) -> Step[tuple[int, BurningTable]]:
    """Riding or Power, as the defender chooses, never Speed (riding.lance.unhorse_defense)."""
    sheet = table.character(rider)
    rule = "riding.lance.unhorse_defense"
    known = [rated for name in (RIDING, "Power") if (rated := sheet.find(name)) is not None]
    best = max(known, key=lambda rated: rated.exponent)
    ability = best.name
    if len(known) > 1:
        ability = yield from choose(
            sheet.seat(rider),
            "keeps_seat",
            f"{sheet.name} keeps the saddle with",
            tuple(Option(rated.name, str(rated), rule) for rated in known),
            default=best.name,
            because=rule,
        )
    said = Declaration(character=rider, task="keeps the saddle", ability=ability)
    context = Context(called_for=True, laid_down=True, several=True, lasting=True, folded=True)
    attempt = yield from agree_and_prepare(said, context, table)
    penalties = attempt.penalties if attempt.penalties.lines else None
    thrown = yield from throw_attempt(attempt, penalties, table, decides=False)
    counts = open_result(thrown.successes, attempt)
    passed = counts >= against
    text = f"Reduces the Push by {counts}." if counts else "Does not reduce the Push."
    yield from tell(TestCame(sheet.name, thrown.successes, text, passed))
    table, _ = yield from after_test(
        attempt,
        thrown,
        max(1, against) + attempt.penalties.total,
        table,
        passed=passed,
        base=max(1, against),
    )
    return counts, table


def _fall(
    rider: str, net: int, lancers_mount: str, table: BurningTable
) -> Step[IncomingHit | None]:
    """The fall is a Throw: the Speed of the lancer's horse, and the ground as the weapon.

    riding.lance.unhorse_fall_damage; by the levels of a Throw (riding.amb.unhorse_fall_steps), and
    where the rider lands, as of any Throw (materials.amb.default_location).
    """
    speed = table.character(lancers_mount).ability("Speed", f"{lancers_mount}.stats.Speed")
    surface = yield from surface_struck(GROUND)
    stage = stage_of_throw(net)
    if stage is None:
        return None
    rule = "riding.lance.unhorse_fall_damage"
    location = yield from landing(rider, table)
    return (yield from thrown_hit(rider, speed, surface, stage, table, rule, location))
