"""Weird random events and falls from great heights, left to the Die of Fate.

A part of the chapter on the Die of Fate (``tests/die_of_fate``).
Wounds are only named here: what they do is in the chapter on injury.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.die_of_fate import (
    USES,
    Matter,
    brings,
    check_said,
    fate_check,
    seat_of,
)
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Noted, Play, Step, call, choose, confirm, tell
from astragal.rules import catalogue

# --- Weird random events -------------------------------------------------------------------


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


# --- Falling from great heights ------------------------------------------------------------


class FatalFall(Arguments, frozen=True):
    """Who falls from a height that ought to kill, and from where."""

    character: str
    height: str


class FallOutcome(Outcome, frozen=True):
    """How a fall ended: the wound taken, or none."""

    spared: bool
    wound: str = ""


SERIOUS = ("mortal", "traumatic", "severe")
"""The wounds that a fall may bring, the worst first (die_of_fate.amb.fall_severity)."""


def fatal_fall(arguments: FatalFall, table: BurningTable) -> Play[FallOutcome]:
    """A fall from a fatal height is for the Die of Fate (die_of_fate.fall.roll).

    If a test could prevent the fall, that test comes first
    (die_of_fate.amb.fall_vs_never_the_only_option).
    """
    name = table.character(arguments.character).name
    check_said(arguments.height, "height")
    rule = "die_of_fate.amb.fall_vs_never_the_only_option"
    preventable = yield from confirm(
        GM,
        "preventable",
        "Can a test still prevent the fall?",
        default=False,
        because=rule,
        kind="aside",
    )
    if preventable:
        raise NotAllowed(f"Roll the test that could keep {name} from falling first", rule)
    on_one, otherwise = brings("fall from a fatal height")
    yield from tell(Noted(f"{name} falls from {arguments.height}.", "die_of_fate.fall.roll"))
    owner = seat_of(arguments.character, table)
    spared = yield from call(fate_check, on_one, otherwise, owner)
    wound = yield from _lesser_wound(name) if spared else _serious_wound(name, table)
    rule = "die_of_fate.fall.on_one" if spared else "die_of_fate.fall.otherwise"
    text = f"{name} takes a {wound} wound." if wound else f"{name} is unhurt."
    yield from tell(Noted(text, rule))
    return FallOutcome(spared, wound)


def _wounds() -> tuple[str, ...]:
    """The levels of wounds, the lightest first, as the chapter on injury has them."""
    rows = catalogue().table("injury.table.wound_effects").records()
    return tuple(str(r["wound"]).lower() for r in rows if r["abbreviation"] != "-")


def _lesser_wound(name: str) -> Step[str]:
    """Unhurt, or alive with any wound that is not mortal (die_of_fate.fall.on_one)."""
    rule = "die_of_fate.fall.on_one"
    wounds = {wound: f"A {wound} wound" for wound in _wounds() if wound != "mortal"}
    chosen = yield from choose(
        GM,
        "fall_wound",
        f"{name} survives the fall. With which wound?",
        {"unhurt": "Unhurt", **wounds},
        default="unhurt",
        because=rule,
    )
    return "" if chosen == "unhurt" else chosen


def _serious_wound(name: str, table: BurningTable) -> Step[str]:
    """A serious wound: as the table reads it, or as the GM grades this one.

    die_of_fate.fall.otherwise, die_of_fate.amb.fall_severity.
    """
    reading = table.options["die_of_fate_fall_wound"]
    if reading != "gm_each_time":
        return reading
    rule = "die_of_fate.amb.fall_severity"
    options = {wound: f"A {wound} wound" for wound in SERIOUS}
    prompt = f"Which wound does {name} take from the fall?"
    return (yield from choose(GM, "fall_wound", prompt, options, default=SERIOUS[0], because=rule))


PROCEDURES = (
    Procedure("weird_event", "Weird event (Die of Fate)", WeirdEvent, weird_event, gm_only=True),
    Procedure("fatal_fall", "Fatal fall (Die of Fate)", FatalFall, fatal_fall, gm_only=True),
)
