"""Falls from great heights: the Die of Fate says how they end, and the wound is taken at once.

A part of the chapter on the Die of Fate (``tests/die_of_fate``). It is here because a fall wounds.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, call, choose, confirm_aside, note

from ..conditions.wounds import LEVELS, tolerances_of
from ..sheet.parts import WoundLevel
from ..sheet.scene import BurningTable
from ..tests.die_of_fate import brings, check_said, fate_check, seat_of
from .injury import TakeWound, with_tolerances, wounded


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
    sheet = table.character(arguments.character)
    if sheet.dead:
        expected = f"a living character: {sheet.name} is dead"
        raise BadInput("character", arguments.character, expected)
    check_said(arguments.height, "height")
    rule = "die_of_fate.amb.fall_vs_never_the_only_option"
    preventable = yield from confirm_aside(
        GM, "preventable", "Can a test still prevent the fall?", because=rule
    )
    if preventable:
        raise NotAllowed(f"Roll the test that could keep {sheet.name} from falling first", rule)
    on_one, otherwise = brings("fall from a fatal height")
    yield from note(f"{sheet.name} falls from {arguments.height}.", "die_of_fate.fall.roll")
    owner = seat_of(arguments.character, table)
    spared = yield from call(fate_check, on_one, otherwise, owner)
    wound = yield from _lesser_wound(sheet.name) if spared else _serious_wound(sheet.name, table)
    if not wound:
        yield from note(f"{sheet.name} is unhurt.", "die_of_fate.fall.on_one")
        return FallOutcome(spared)
    return FallOutcome(spared, (yield from _taken(arguments, WoundLevel(wound.title()), table)))


def _taken(arguments: FatalFall, level: WoundLevel, table: BurningTable) -> Step[str]:
    """The wound goes on the sheet, at the tolerance of its level, with all its consequences.

    die_of_fate.fall.otherwise; Will to Live and treatment apply as usual
    (die_of_fate.amb.fall_severity).
    """
    table = yield from with_tolerances(arguments.character, table)
    tolerances = tolerances_of(table.character(arguments.character), table.options)
    assert tolerances is not None
    source = f"a fall from {arguments.height}"
    hit = TakeWound(arguments.character, tolerances.of(level), source=source)
    hurt, _ = yield from call(wounded, hit, table)
    return hurt.level.casefold()


def _lesser_wound(name: str) -> Step[str]:
    """Unhurt, or alive with any wound that is not mortal (die_of_fate.fall.on_one)."""
    levels = tuple(level.value.casefold() for level in LEVELS if level is not WoundLevel.MORTAL)
    chosen = yield from choose(
        GM,
        "fall_wound",
        f"{name} survives the fall. With which wound?",
        {"unhurt": "Unhurt", **{level: f"A {level} wound" for level in levels}},
        default="unhurt",
        because="die_of_fate.fall.on_one",
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
    Procedure("fatal_fall", "Fatal fall (Die of Fate)", FatalFall, fatal_fall, gm_only=True),
)
