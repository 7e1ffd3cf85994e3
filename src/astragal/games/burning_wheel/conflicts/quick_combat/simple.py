"""Simple martial conflict: a fight without bloodshed, settled by one plain versus test.

The opening of the chapter on Fight!. What is meant to hurt is a bloody versus test
(``conflicts/quick_combat/bloody_versus``).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import GM, Play, Step, Text, ask, call, choose, confirm_aside, consent

from ...sheet.editions import edition
from ...sheet.scene import BurningTable
from ...tests.intent import ALONE, ability_options
from ...tests.versus import VersusSide, versus
from ...tests.versus_verdict import VersusOutcome


class Combatant(Arguments, frozen=True):
    """A character in a simple conflict; opponents without an intent are asked for one."""

    character: str
    intent: str = ""
    task: str = ""
    ability: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class MartialConflict(Arguments, frozen=True):
    """The acting character, with intent and task, and the opponents."""

    sides: tuple[Combatant, ...]


def martial_conflict(arguments: MartialConflict, table: BurningTable) -> Play[VersusOutcome]:
    """One plain versus test, where that is enough (fight.simple.when_single_versus).

    No dice before every intent and task is announced (fight.simple.declare_then_roll). A tie goes
    to the defender, and the result rides, as in every versus test.
    """
    yield from _is_simple()
    sides: tuple[VersusSide, ...] = ()
    for index, combatant in enumerate(arguments.sides):
        table.character(combatant.character, f"sides[{index}].character")
        if not index and not (combatant.intent.strip() and combatant.ability.strip()):
            expected = "the intent of the acting character, and an ability"
            rule = "fight.simple.declare_then_roll"
            raise BadInput("sides[0].intent", combatant.intent, expected, rule)
        sides += ((yield from _announced(combatant, table)),)
    outcome, _ = yield from call(versus, sides, ALONE, table)
    return outcome


def _is_simple() -> Step[None]:
    rule = "fight.simple.when_single_versus"
    aware = yield from consent(
        GM,
        "both_aware",
        "Does everyone know what the others are doing, and can they guess why?",
        because=rule,
    )
    deadly = yield from confirm_aside(
        GM, "lives_at_stake", "Is anybody's life at stake?", because=rule
    )
    if deadly or not aware:
        why = "lives are at stake" if deadly else "not everyone knows what is going on"
        raise NotAllowed(f"A plain versus test is not enough: {why}", rule)


def _announced(combatant: Combatant, table: BurningTable) -> Step[VersusSide]:
    """A side of the test; what was not declared is asked for."""
    sheet = table.character(combatant.character)
    seat = sheet.seat(combatant.character)
    rule = "fight.simple.declare_then_roll"
    intent, task, ability = combatant.intent, combatant.task, combatant.ability
    if not intent.strip():
        prompt = f"{sheet.name}'s intent"
        default = "hold their own"
        intent = yield from ask(
            seat, "answer_intent", prompt, Text(required=True, default=default), because=rule
        )
    if not task.strip():
        prompt = f"{sheet.name}'s task: how?"
        default = "fights back"
        task = yield from ask(
            seat, "answer_task", prompt, Text(required=True, default=default), because=rule
        )
    if not ability.strip():
        ability = yield from choose(
            edition(table.options).names_ability(seat),  # gold.tests.ability
            "answer_ability",
            f"Which ability? ({task})",
            ability_options(sheet),
            because=rule,
        )
    return VersusSide(
        character=combatant.character,
        intent=intent,
        task=task,
        ability=ability,
        helpers=combatant.helpers,
        gear=combatant.gear,
    )


PROCEDURES = (
    Procedure("martial_conflict", "Simple martial conflict", MartialConflict, martial_conflict),
)
