"""Instructions found in play: a character studies a text, to use it in later tests.

What the text is then good for is in ``following`` of ``tests/helping``.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import SCENE, Arguments, Procedure
from astragal.play import GM, Play, call, note

from ..sheet.scene import BurningTable, Instructions
from .helping import complexity
from .intent import CALLED_FOR, Declaration
from .results import StandardOutcome
from .tests import standard


class ReadInstructions(Arguments, frozen=True):
    """Who studies which text found in play, with Reading or with Research."""

    character: str
    title: str
    ability: str = "Reading"


def read_instructions(arguments: ReadInstructions, table: BurningTable) -> Play[StandardOutcome]:
    """Test Reading or Research against the complexity of a text (tests.instructions.read_test).

    The reader never learns that a text misleads (tests.amb.instructions_duration): only the GM
    hears of it.
    """
    if arguments.ability not in ("Reading", "Research"):
        raise BadInput(
            "ability", arguments.ability, "Reading or Research", "tests.instructions.read_test"
        )
    study = Declaration(
        character=arguments.character,
        intent=f"understand {arguments.title}",
        task="studies the text",
        ability=arguments.ability,
    )
    outcome, table = yield from call(standard, study, CALLED_FOR, table)
    read = Instructions(arguments.title, arguments.character, outcome.passed)
    rule = "tests.instructions.success" if outcome.passed else "tests.instructions.failure"
    understood = "understood" if outcome.passed else "misunderstood"
    kind = complexity(outcome.obstacle.lines[0].amount)
    yield from note(f"{read.title} ({kind}) is {understood}.", rule, GM)
    others = tuple(
        each
        for each in table.scene.instructions
        if (each.title, each.reader) != (read.title, read.reader)
    )
    because = "tests.amb.instructions_duration"
    yield from table.amend(SCENE, "instructions", (*others, read), because=because)
    return outcome


PROCEDURES = (
    Procedure("read_instructions", "Study instructions", ReadInstructions, read_instructions),
)
