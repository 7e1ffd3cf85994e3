"""A Test from plain numbers, without a sheet: for odds at the command line."""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.plain_test import PlainTest
from astragal.rules import Options

from .scene import Scene, SignsTable
from .sheet import SCORES, Bane, Boon, Sheet, Sign
from .successes import die_names
from .tests import RulesTest

MOST = 20
"""More Advantages, Boons or Banes than this are a slip of the keyboard."""

DEFAULTS = {"score": 6, "tag": 0, "advantages": 0, "disadvantages": 0, "boons": 0, "banes": 0}


def plain_test(**numbers: int | str) -> PlainTest:
    """A Test as (name of the procedure, arguments, table, answers), from plain numbers.

    ``score`` and ``tag``
        the two dice, as 8 or ``"D8"``; ``tag = 0`` (or left out) means that no Tag helps
    ``advantages``, ``disadvantages``
        how many of each there are, help included
    ``boons``
        how many Boons without conditions are in hand; whether to use one is a question
        (``boon`` before the roll, ``boon_after`` and ``boon_die`` after it)
    ``banes``
        how many Banes weigh on the character

    Numbers may also be texts, as they come from a command line.

    No answer is needed: every question has a default. A die that shows no Success
    is rerolled wherever Advantage allows it.

    >>> from astragal.games.signs import GAME
    >>> from astragal.play import exact
    >>> name, arguments, table, _ = plain_test(score=8, tag=6, advantages=1).parts
    >>> odds = exact(GAME.procedure(name).start(arguments, table))
    >>> odds.where(lambda outcome: outcome.passed)
    Fraction(259, 384)
    """
    given = DEFAULTS | {name: _read(name, said) for name, said in numbers.items()}
    signs = {"Sign": Sign(f"D{given['tag']}", ("Tag",))} if given["tag"] else {}
    sheet = Sheet(
        name="Somebody",
        scores=dict.fromkeys(SCORES, f"D{given['score']}"),
        signs=signs,
        boons=tuple(Boon(f"Boon {n + 1}") for n in range(given["boons"])),
        banes=tuple(Bane(f"Bane {n + 1}") for n in range(given["banes"])),
    )
    arguments = RulesTest(
        character="somebody",
        score=SCORES[0],
        goal="the goal",
        tags=("Tag",) if signs else (),
        advantages=tuple(f"Advantage {n + 1}" for n in range(given["advantages"])),
        disadvantages=tuple(f"Disadvantage {n + 1}" for n in range(given["disadvantages"])),
        success="it is reached",
        failure="it is missed",
    )
    table: SignsTable = SignsTable({"somebody": sheet}, Scene(), Options.of("signs"))
    return PlainTest(
        procedure="rules_test",
        arguments=arguments,
        table=table,
        points={"boons": given["boons"]} if given["boons"] else {},
    )


def _read(name: str, said: int | str) -> int:
    """A number as it was given: the sides of a die may have a D before them."""
    if name not in DEFAULTS:
        raise BadInput(name, said, f"one of {', '.join(DEFAULTS)}")
    text = str(said).strip().upper()
    if name not in ("score", "tag"):
        if not (text.isdecimal() and int(text) <= MOST):
            raise BadInput(name, said, f"0 to {MOST}")
        return int(text)
    die = f"D{text.removeprefix('D')}"
    if name == "tag" and die == "D0":
        return 0
    if die not in die_names():
        none = ", or 0 for no Tag" if name == "tag" else ""
        raise BadInput(name, said, f"one of {', '.join(die_names())}{none}", "signs.amb.die_sizes")
    return int(die.removeprefix("D"))
