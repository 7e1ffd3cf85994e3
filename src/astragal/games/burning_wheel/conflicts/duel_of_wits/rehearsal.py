"""A single volley of a Duel of Wits: for preparing a script, and for its odds.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, call, rehearse, then

from ...sheet.scene import BurningTable
from .actions import Debate, Speaker
from .challenge import DuelSide, choose_skill
from .exchange import aftermath
from .matrix import NOTHING, actions
from .state import Duel, DuelTerms
from .volley import Clash, volley


class RehearsalSide(Arguments, frozen=True):
    """One side of a volley: a speaker, the dueling skill, and an action."""

    character: str
    skill: str
    action: str = ""


class RehearseVolley(Arguments, frozen=True):
    """A single volley, to see its possible results."""

    sides: tuple[RehearsalSide, ...]
    about: str = "a rehearsal"


class VolleyOutcome(Outcome, frozen=True):
    """The result of the volley: losses, what would follow, and who would lose a volley."""

    speakers: tuple[str, str]
    losses: tuple[int, int]
    successes: tuple[tuple[int, ...], tuple[int, ...]]
    follows: tuple[tuple[str, str, int], ...] = ()
    hesitates: tuple[bool, bool] = (False, False)


def rehearse_volley(arguments: RehearseVolley, table: BurningTable) -> Play[VolleyOutcome]:
    """Play one volley as the duel does, without bodies to lose; it changes nothing."""
    return (yield from call(rehearse(try_volley), arguments, table))


def try_volley(arguments: RehearseVolley, table: BurningTable) -> Play[VolleyOutcome]:
    """The volley, and what follows from it."""
    if len(arguments.sides) != 2:
        rule = "duel_of_wits.amb.more_than_two_sides"
        raise BadInput("sides", len(arguments.sides), "exactly two sides", rule)
    for at, side in enumerate(arguments.sides):
        table.character(side.character, f"sides[{at}].character")
        if side.action not in (NOTHING, *actions()):
            expected = f"one of {', '.join(actions())}, or empty for no action"
            place = f"sides[{at}].action"
            raise BadInput(place, side.action, expected, "duel_of_wits.actions.seven")
        yield from choose_skill(DuelSide(side.character, side.skill), f"sides[{at}]", table)
    one, other = arguments.sides
    debate = Debate(
        arguments.about, (Speaker(one.character, one.skill), Speaker(other.character, other.skill))
    )
    clash = yield from call(volley, debate, (one.action, other.action), (), table)
    return then(rehearsed, debate, clash, table)


def rehearsed(debate: Debate, clash: Clash, table: BurningTable) -> Play[VolleyOutcome]:
    """What follows from a clash, Steel tests included."""
    names = (debate.speakers[0].character, debate.speakers[1].character)
    far = (1000, 1000)
    nothing = DuelTerms("", "")
    duel = Duel(debate, (nothing, nothing), (), "", far, far, table)
    _, lost = yield from aftermath(duel, clash)
    follows = tuple((names[side], after.name.casefold(), much) for side, after, much in clash.after)
    return VolleyOutcome(
        names, clash.losses, clash.counted, follows, (bool(lost[0]), bool(lost[1]))
    )


PROCEDURES = (
    Procedure(
        "rehearse_volley", "Rehearse a volley (Duel of Wits)", RehearseVolley, rehearse_volley
    ),
)
