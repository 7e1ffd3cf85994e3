"""Scoring a deal: a Wise, or another skill that suits, tested before a Resources test.

A part of the chapter on Resources (``resources/resources_test``). It leads into a purchase, a
loan or the upkeep of a lifestyle alike (resources.test.linked).
"""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Arguments
from astragal.play import GM, Line, Number, Play, ask, call, consent, tell
from astragal.rules import Record, catalogue

from ..sheet.editions import edition
from ..sheet.facts import AtStake
from ..sheet.scene import BurningTable
from ..tests.attempts import prepare
from ..tests.intent import Context, Declaration, agree, not_rolled_before
from ..tests.results import StandardOutcome
from ..tests.terms import RollTerms
from ..tests.tests import roll_standard


class LinkedSkill(Arguments, frozen=True):
    """A linked test made before a Resources test, by the same character or by somebody else."""

    ability: str
    task: str
    character: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    tools: str = ""


class LinkedTo(msgspec.Struct, frozen=True):
    """What a test leads into: the Resources test in words, what it is for, and the intent."""

    test: str
    what: str
    intent: str


class Link(msgspec.Struct, frozen=True):
    """What a test made beforehand brings: dice or obstacle, and how it came out."""

    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    outcome: StandardOutcome | None = None


def linked_first(
    character: str, linked: LinkedSkill | None, to: LinkedTo, table: BurningTable
) -> Play[tuple[Link, BurningTable]]:
    """A Wise, or another skill that suits, tested beforehand; nothing if there is none.

    resources.test.linked; whether it suits is up to the GM (resources.test.linked_gm_approval).
    """
    if linked is None:
        return Link(), table
    rule = "resources.test.linked_gm_approval"
    prompt = f"Can {linked.ability} help with {to.test}? ({to.what})"
    suits = yield from consent(GM, "linked_suits", prompt, because=rule)
    if not suits:
        what = f"The GM does not let {linked.ability} help with {to.test}: {to.what}"
        raise NotAllowed(what, rule)
    declaration = Declaration(
        character=linked.character or character,
        intent=f"{to.intent}: {to.what}",
        task=linked.task,
        ability=linked.ability,
        helpers=linked.helpers,
        gear=linked.gear,
        instructions=linked.instructions,
        tools=linked.tools,
    )
    context = Context(called_for=True, in_chain=True)
    agreed = yield from agree(declaration, context, table)
    table = yield from not_rolled_before(agreed, context, table)
    hardest = edition(table.options).highest_base_obstacle  # gold.tests.obstacle_range
    base = yield from ask(
        GM,
        "linked_obstacle",
        f"Obstacle of the linked {agreed.name} test ({to.what})",
        Number(least=1, most=hardest, names=information(agreed.name)),
        because="resources.wises.obstacles",
    )
    good = _linked("obstacle exceeded").number("dice")
    bad = _linked("failed").number("ob")
    terms = RollTerms(base, f"+{good}D if exceeded", f"+{bad} Ob on Resources", "", 0, 1)
    yield from tell(AtStake(terms.success, terms.failure, "some asking around"))
    attempt = yield from prepare(declaration, agreed, 0, context, table)
    outcome, table = yield from call(roll_standard, attempt, terms, table)
    dice, obstacle = linked_effect(outcome.margin, agreed.name)
    return Link(dice, obstacle, outcome), table


def information(ability: str) -> tuple[tuple[int, str], ...]:
    """What the obstacles of a Wise stand for (resources.wises.obstacles).

    >>> information("Ship-wise")[1]
    (3, 'uncommon or hard to find')
    """
    if not ability.casefold().endswith("wise"):
        rows = catalogue().table("tests.table.obstacle_scale").records()
        return tuple((row.number("obstacle"), str(row["label"])) for row in rows)
    rows = catalogue().table("resources.table.wises").records()
    return tuple((row.number("ob"), row.text("information")) for row in rows)


def linked_effect(margin: int, ability: str) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """A die for exceeding the obstacle, nothing for meeting it, +1 Ob for failing.

    resources.wises.linked_exceed, resources.wises.linked_meet, resources.wises.linked_fail.
    """
    if margin > 0:
        row, rule = _linked("obstacle exceeded"), "resources.wises.linked_exceed"
    elif margin < 0:
        row, rule = _linked("failed"), "resources.wises.linked_fail"
    else:
        row, rule = _linked("obstacle met exactly"), "resources.wises.linked_meet"
    dice, obstacle = (
        (Line(amount, f"linked: {ability}", rule),) if amount else ()
        for amount in (row.number("dice"), row.number("ob"))
    )
    return dice, obstacle


def _linked(result: str) -> Record:
    return catalogue().table("resources.table.linked").where(result_of_linked_test=result)
