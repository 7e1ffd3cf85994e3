"""A single volley of a Duel of Wits: for preparing a script, and for its odds.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, call, rehearse, then

from ...sheet.scene import BurningTable
from ..scripting import CarriedEffect, Until
from .actions import Debate, Speaker
from .challenge import DuelSide, choose_skill
from .exchange import aftermath
from .matrix import NOTHING, actions
from .state import Duel, DuelTerms
from .volley import Clash, volley


class RehearsalSide(Arguments, frozen=True):
    """One side of a volley: a speaker, the dueling skill, an action, and who may speak up.

    ``dice`` and ``obstacle`` are what an earlier volley has left: a die of a lost Obfuscate or
    those of a failed Incite, and what an Obfuscate adds.
    """

    character: str
    skill: str
    action: str = ""
    helpers: tuple[str, ...] = ()
    dice: int = 0
    obstacle: int = 0


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
        for field in ("dice", "obstacle"):
            rule = "duel_of_wits.amb.modifier_on_lost_action"
            check_between(f"sides[{at}].{field}", getattr(side, field), 0, MOST_LEFT, rule)
        yield from choose_skill(DuelSide(side.character, side.skill), f"sides[{at}]", table)
    one, other = arguments.sides
    debate = Debate(
        arguments.about,
        (
            Speaker(one.character, one.skill, one.helpers),
            Speaker(other.character, other.skill, other.helpers),
        ),
    )
    left = (*_left(one, 0), *_left(other, 1))
    clash = yield from call(volley, debate, (one.action, other.action), left, table)
    return then(rehearsed, debate, clash, table)


MOST_LEFT = 10
"""An Incite that fails leaves no more dice than a Will has."""


def _left(side: RehearsalSide, at: int) -> tuple[CarriedEffect, ...]:
    """What an earlier volley has left to a side (duel_of_wits.amb.modifier_on_lost_action)."""
    rule = "duel_of_wits.amb.modifier_on_lost_action"
    effects: tuple[CarriedEffect, ...] = ()
    if side.dice:
        line = Line(side.dice, "earlier volley", rule)
        effects += (CarriedEffect(at, Until.ROLL, line),)
    if side.obstacle:
        line = Line(side.obstacle, "earlier volley", rule)
        effects += (CarriedEffect(at, Until.ACTION, line, is_obstacle=True),)
    return effects


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
