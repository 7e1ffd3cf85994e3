"""Tests whose obstacle the rules set: everything else about them is as usual."""

from __future__ import annotations

from astragal.play import Line, Play, call, tell

from ...sheet.durations import say_duration
from ...sheet.editions import edition
from ...sheet.facts import AtStake
from ...sheet.scene import BurningTable
from ...tests.attempts import prepare
from ...tests.intent import Context, Declaration, agree, not_rolled_before
from ...tests.results import StandardOutcome
from ...tests.terms import RollTerms, set_time, threaten
from ...tests.tests import roll_standard


def roll_against(
    declaration: Declaration,
    base: Line,
    unless_said: str,
    seconds: int | None,
    roots: tuple[str, ...],
    table: BurningTable,
    has_tools: bool | None = None,
) -> Play[tuple[StandardOutcome, BurningTable]]:
    """Test an ability against an obstacle of the rules, and the table after it.

    ``unless_said`` is what failure brings unless the GM says otherwise; ``roots`` are the stats
    that stand in for a skill that is missing. Where the time is not known, the GM says it.
    ``has_tools`` is for work that takes tools.
    """
    context = Context(
        called_for=True, laid_down=True, may_ask_help=True, roots=roots, has_tools=has_tools
    )
    agreed = yield from agree(declaration, context, table)
    table = yield from not_rolled_before(agreed, context, table)
    if seconds is None:
        seconds = yield from set_time(agreed, declaration.time)
    threat, death = yield from threaten(unless_said, edition(table.options))
    yield from tell(AtStake(agreed.own_intent, death or threat, say_duration(seconds)))
    terms = RollTerms(base.amount, agreed.own_intent, threat, death, seconds, 1, rule=base.rule)
    attempt = yield from prepare(declaration, agreed, seconds, context, table)
    return (yield from call(roll_standard, attempt, terms, table))
