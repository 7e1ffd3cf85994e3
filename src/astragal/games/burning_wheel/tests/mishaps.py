"""Weird random events, left to the Die of Fate.

A part of the chapter on the Die of Fate (``tests/die_of_fate``). Falls from great heights, which
wound, are in ``injury/great_falls``.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, call

from ..sheet.scene import BurningTable
from .die_of_fate import USES, Matter, brings, check_said, fate_check


class WeirdEvent(Arguments, frozen=True):
    """A strange event that a player's action caused, and who is exposed to it now."""

    event: str
    caused_by: str
    exposed: tuple[str, ...]


class WeirdEventOutcome(Outcome, frozen=True):
    """Who was struck, and who was spared."""

    struck: tuple[str, ...]
    spared: tuple[str, ...]


def weird_event(arguments: WeirdEvent, table: BurningTable) -> Play[WeirdEventOutcome]:
    """Roll for each exposed character, every time anew; on a 1 it happens.

    die_of_fate.event.weird, die_of_fate.event.per_character. Only what a player's action brought
    about gets a die (die_of_fate.event.needs_player_cause); the GM rolls
    (die_of_fate.amb.who_rolls).
    """
    check_said(arguments.event, "event")
    if not arguments.exposed or len(set(arguments.exposed)) < len(arguments.exposed):
        expected = "at least one character, each once"
        rule = "die_of_fate.event.per_character"
        raise BadInput("exposed", list(arguments.exposed), expected, rule)
    for name in arguments.exposed:
        table.character(name, "exposed")
    caused = bool(arguments.caused_by) and not table.character(arguments.caused_by, "caused_by").npc
    if not caused:
        what = f"No player's action caused this, so it gets no Die of Fate: {arguments.event}"
        raise NotAllowed(what, "die_of_fate.event.needs_player_cause")
    struck: tuple[str, ...] = ()
    happening, spared = brings(USES[Matter.STRANGE_EVENT])
    for name in arguments.exposed:
        who = table.character(name).name
        on_one = f"{who}, {arguments.event}: {happening}"
        happens = yield from call(fate_check, on_one, spared, GM)
        struck += (name,) if happens else ()
    return WeirdEventOutcome(
        struck, tuple(name for name in arguments.exposed if name not in struck)
    )


PROCEDURES = (
    Procedure("weird_event", "Weird event (Die of Fate)", WeirdEvent, weird_event, gm_only=True),
)
