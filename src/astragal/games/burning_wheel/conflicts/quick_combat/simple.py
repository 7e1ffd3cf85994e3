"""Simple martial conflict: a fight without bloodshed, settled by one plain versus test.

The opening of the chapter on Fight!. What is meant to hurt is a bloody versus test
(``conflicts/quick_combat/bloody_versus``).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.intent import ALONE, ability_options
from astragal.games.burning_wheel.tests.versus import VersusSide, versus
from astragal.games.burning_wheel.tests.versus_verdict import VersusOutcome
from astragal.games.game import Arguments, Procedure
from astragal.play import GM, Play, Step, Text, ask, call, choose, confirm


class Combatant(Arguments, frozen=True):
    """Somebody in a simple conflict; whoever is acted against may be asked what he does."""

    character: str
    intent: str = ""
    task: str = ""
    ability: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class MartialConflict(Arguments, frozen=True):
    """Whoever acts, with intent and task, and those he acts against."""

    sides: tuple[Combatant, ...]


def martial_conflict(arguments: MartialConflict, table: BurningTable) -> Play[VersusOutcome]:
    """One plain versus test, where it will do (fight.simple.when_single_versus).

    No dice before everybody's intent and task are announced (fight.simple.declare_then_roll). The
    tie is the defender's, and the result rides, as in every versus test.
    """
    yield from _is_simple()
    sides: tuple[VersusSide, ...] = ()
    for index, combatant in enumerate(arguments.sides):
        table.character(combatant.character, f"sides[{index}].character")
        if not index and not (combatant.intent.strip() and combatant.ability.strip()):
            expected = "what the acting character wants, and the ability for it"
            rule = "fight.simple.declare_then_roll"
            raise BadInput("sides[0].intent", combatant.intent, expected, rule)
        sides += ((yield from _announced(combatant, table)),)
    outcome, _ = yield from call(versus, sides, ALONE, table)
    return outcome


def _is_simple() -> Step[None]:
    rule = "fight.simple.when_single_versus"
    aware = yield from confirm(
        GM,
        "both_aware",
        "Does everybody know what the others do, and can guess why?",
        default=True,
        because=rule,
    )
    deadly = yield from confirm(
        GM, "lives_at_stake", "Is anybody's life at stake?", default=False, because=rule
    )
    if deadly or not aware:
        why = "lives are at stake" if deadly else "they do not know of each other"
        raise NotAllowed(f"a plain versus test will not do: {why}", rule)


def _announced(combatant: Combatant, table: BurningTable) -> Step[VersusSide]:
    """What a character does; the GM asks whoever has not said so yet."""
    sheet = table.character(combatant.character)
    seat = sheet.seat(combatant.character)
    rule = "fight.simple.declare_then_roll"
    intent, task, ability = combatant.intent, combatant.task, combatant.ability
    if not intent.strip():
        prompt = f"{sheet.name}, what do you do? What do you want?"
        intent = yield from ask(seat, "answer_intent", prompt, Text(required=True), because=rule)
    if not task.strip():
        task = yield from ask(
            seat,
            "answer_task",
            f"How does {sheet.name} do that?",
            Text(required=True),
            because=rule,
        )
    if not ability.strip():
        ability = yield from choose(
            seat,
            "answer_ability",
            f"Which ability is that? ({task})",
            ability_options(sheet),
            because=rule,
        )
    return VersusSide(combatant.character, intent, task, ability, combatant.helpers, combatant.gear)


PROCEDURES = (
    Procedure(
        "martial_conflict",
        "A fight without bloodshed, in one versus test",
        MartialConflict,
        martial_conflict,
    ),
)
