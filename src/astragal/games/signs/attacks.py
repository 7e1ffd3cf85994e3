"""Attack rolls: made as Tests are, but no Tests for the rules (signs.attack.like_tests).

Dice, Successes, Advantage and Disadvantage carry over; the one attempt does not
(signs.attack.repeat), and help, Boons and Banes only where the table or the GM says so
(signs.amb.attack_modifiers). What Successes do to the target stands in a combat section that
is not part of this game's text, so here an attack ends with their number.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Outcome, Procedure
from astragal.play import Play, Tally, call, tell, then

from .before_the_roll import Approach, PreparedRoll, attack_manner, check_approach, prepare
from .boons import use_up
from .facts import AttackAnnounced, TestCame
from .rolling import throw
from .scene import SignsTable


class AttackRoll(Approach, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attack roll: like the roll of a Test, against a target."""

    target: str


class AttackOutcome(Outcome, frozen=True):
    """What an attack roll came to."""

    successes: int
    rolled: int
    dice: tuple[str, ...]
    modifiers: Tally
    boon_used: str = ""
    banes_used: tuple[str, ...] = ()


def attack_roll(arguments: AttackRoll, table: SignsTable) -> Play[AttackOutcome]:
    """Roll as for a Test (signs.attack.like_tests).

    The same target can be attacked again and again (signs.attack.repeat).
    """
    manner = attack_manner(table.options)
    sheet = check_approach(arguments, manner, table)
    if not arguments.target.strip():
        raise BadInput("target", arguments.target, "who or what is attacked")
    score, _ = sheet.score(arguments.score)
    attacked = table.characters.get(arguments.target)
    target = arguments.target.strip() if attacked is None else attacked.name
    yield from tell(AttackAnnounced(sheet.name, score, target))
    ready = yield from prepare(arguments, arguments.target, manner, table)
    assert ready is not None  # nobody is offered to fail an attack without rolling
    return then(strike, ready, table)


def strike(ready: PreparedRoll, table: SignsTable) -> Play[AttackOutcome]:
    """Throw the dice and count."""
    result = yield from call(throw, ready)
    yield from use_up(table, ready.character, result.boon, ready.banes)
    yield from tell(TestCame(ready.name, result.rolled, result.taken, ""))
    return AttackOutcome(
        successes=result.taken,
        rolled=result.rolled,
        dice=ready.dice_names,
        modifiers=ready.modifiers,
        boon_used=result.boon,
        banes_used=ready.banes,
    )


PROCEDURES = (Procedure("attack_roll", "Attack roll", AttackRoll, attack_roll, frequent=4),)
