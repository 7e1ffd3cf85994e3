"""Measurement, distance and movement: paces, the sprint, and Speed multipliers.

Only the sprint is worked out; slower rates are the GM's estimate (movement.amb.walking_rates).
Running after somebody is in ``movement/chase``. The positioning tests of
the scripted conflicts take :func:`positioning_dice` from here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, confirm, note
from astragal.rules import catalogue

from ..sheet.lookups import Entries, LookUp, look_up
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet

# --- The pace ------------------------------------------------------------------------------

FEET_IN_A_PACE = 3
PACES_IN_A_MILE = 1760
"""movement.pace.feet_and_mile."""

_IN_PACES = {
    "pace": Fraction(1),
    "mile": Fraction(PACES_IN_A_MILE),
    "feet": Fraction(1, FEET_IN_A_PACE),
    "foot": Fraction(1, FEET_IN_A_PACE),
}


def parse_distance(text: str, place: str = "distance") -> Fraction:
    """Read a distance in paces, the unit of every distance in the game (movement.pace.used_for).

    >>> [str(parse_distance(said)) for said in ("14", "10.5 paces", "2 miles", "30 feet")]
    ['14', '21/2', '3520', '10']
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*?)s?", text.strip().casefold())
    unit = _IN_PACES.get(match[2] or "pace") if match is not None else None
    if match is None or unit is None:
        expected = "a distance in paces, feet or miles, such as 14 paces"
        raise BadInput(place, text, expected, "movement.pace.used_for")
    return Fraction(match[1]) * unit


def say_paces(paces: Fraction) -> str:
    """Write a distance as it is spoken of.

    >>> say_paces(Fraction(21, 2)), say_paces(Fraction(1))
    ('10.5 paces', '1 pace')
    """
    return f"{float(paces):.4g} pace{'' if paces == 1 else 's'}"


def sizes() -> dict[str, str]:
    """Sizes in paces, by which a table can judge others; a pace is the same for every stock.

    movement.pace.standard.

    >>> sizes()["Troll, height"]
    '3'
    """
    rows = catalogue().table("movement.table.sizes").records()
    return {str(row["thing"]): str(row["paces"]) for row in rows}


def look_up_sizes(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Say how large something is, in paces (movement.pace.standard)."""
    said = {thing: f"{paces} paces" for thing, paces in sizes().items()}
    return (yield from look_up(said, arguments.entry, "movement.pace.standard"))


# --- Rate of movement ----------------------------------------------------------------------

EXCHANGE = 3
"""How many seconds an exchange lasts (movement.rate.formula)."""

MOST_EXCHANGES = 1000
"""Nobody sprints for longer; more is a typing error."""


def multiplier(sheet: Sheet) -> Fraction:
    """The Speed multiplier of the character's body, its own or that of the type.

    movement.rate.multiplier_common, movement.rate.multiplier_others,
    movement.amb.other_multipliers.
    """
    if sheet.speed_multiplier:
        return Fraction(str(sheet.speed_multiplier))
    return _usual_multiplier(sheet.body_type)


@cache
def _usual_multiplier(body_type: str) -> Fraction:
    known = catalogue().table("movement.table.multipliers")
    return Fraction(str(known.value("multiplier", body_type=body_type)))


def sprint_paces(sheet: Sheet, exchanges: int = 1) -> Fraction:
    """How far somebody gets at top speed: Speed times the multiplier, in each exchange.

    movement.rate.formula; it is the most there is, not a usual rate
    (movement.rate.multiplier_is_maximum).
    """
    return sheet.ability("Speed", "stats.Speed").exponent * multiplier(sheet) * exchanges


def flight(sheet: Sheet) -> Fraction | None:
    """How far a character who runs screaming gets in an exchange, if it has to be measured.

    movement.run_screaming.distance: the full sprint, directly away. None without a Speed.
    """
    return None if sheet.find("Speed") is None else sprint_paces(sheet)


class Sprint(Arguments, frozen=True):
    """Who sprints for how many exchanges, and the distance to cover, if any."""

    character: str
    exchanges: int = 1
    distance: str = ""


class SprintOutcome(Outcome, frozen=True):
    """The longest distance in paces, its time in seconds, and whether it is far enough.

    ``needed`` are the seconds in which the distance to cover can be sprinted, if at all.
    """

    paces: float
    seconds: int
    reached: bool | None
    needed: float | None = None


def sprint(arguments: Sprint, table: BurningTable) -> Play[SprintOutcome]:
    """How far somebody gets at a full sprint, and how soon; nobody gets further or is faster."""
    sheet = table.character(arguments.character)
    rule = "movement.rate.formula"
    check_between("exchanges", arguments.exchanges, 1, MOST_EXCHANGES, rule, unit="exchanges")
    paces = sprint_paces(sheet, arguments.exchanges)
    seconds = EXCHANGE * arguments.exchanges
    text = f"{sheet.name} sprints up to {say_paces(paces)} in {seconds} seconds"
    reached = needed = None
    if arguments.distance:
        distance = parse_distance(arguments.distance)
        reached = distance <= paces
        text += f": {'' if reached else 'not '}far enough"
        needed = _seconds_for(distance, sprint_paces(sheet))
        if needed is not None:
            text += f". It takes at least {needed:.4g} seconds for {say_paces(distance)}"
    yield from note(f"{text}.", "movement.rate.formula")
    return SprintOutcome(float(paces), seconds, reached, needed)


def _seconds_for(distance: Fraction, paces: Fraction) -> float | None:
    """The time for a distance, at so many paces in an exchange (movement.rate.formula)."""
    if not distance:
        return 0.0
    return float(distance * EXCHANGE / paces) if paces else None


# --- Multiplier and positioning ------------------------------------------------------------


def multiplier_dice(
    multipliers: Mapping[str, Fraction], *, rule: str, generous: bool = False
) -> dict[str, Line]:
    """The bonus dice for the better multipliers; only they count, not the paces run.

    movement.position.not_measured. A die for the higher of two; among more than two, two for
    the highest and one for the next (movement.position.several_multipliers), for all who share
    them (movement.amb.more_than_three_multipliers). ``generous`` gives two for more than double
    (movement.position.more_than_double), which is the most there is
    (movement.amb.double_and_several).
    """
    ranks = sorted(set(multipliers.values()), reverse=True)
    dice: dict[Fraction, int] = {}
    if len(ranks) > 2:
        dice, rule = {ranks[0]: 2, ranks[1]: 1}, "movement.position.several_multipliers"
    elif generous and is_more_than_double(multipliers):
        dice, rule = {ranks[0]: 2}, "movement.position.more_than_double"
    elif len(ranks) == 2:
        dice = {ranks[0]: 1}
    return {
        name: Line(dice[own], f"Speed multiplier x{float(own):g}", rule)
        for name, own in multipliers.items()
        if own in dice
    }


def is_more_than_double(multipliers: Mapping[str, Fraction]) -> bool:
    """Whether there are two multipliers, one more than twice the other."""
    ranks = sorted(set(multipliers.values()))
    return len(ranks) == 2 and ranks[1] > 2 * ranks[0]


def positioning_dice(
    names: tuple[str, ...], table: BurningTable, rule: str
) -> Step[dict[str, Line]]:
    """The dice for Speed multipliers in a positioning test among these characters.

    ``rule`` is the conflict's own rule for the one die.
    """
    multipliers = {name: multiplier(table.character(name)) for name in names}
    if len(set(map(id, multipliers.values()))) < 2:  # all of one kind, as mostly
        return {}
    generous = False
    if is_more_than_double(multipliers):
        generous = yield from confirm(
            GM,
            "double_multiplier",
            "One Speed multiplier is more than double the other. Give +2D instead of +1D?",
            default=False,
            because="movement.position.more_than_double",
            kind="aside",
            standing=True,
        )
    return multiplier_dice(multipliers, rule=rule, generous=generous)


class SpeedDice(Arguments, frozen=True):
    """Who positions against whom, in a conflict played without a script."""

    characters: tuple[str, ...]


class SpeedDiceOutcome(Outcome, frozen=True):
    """The characters with positioning dice, and how many."""

    dice: tuple[tuple[str, int], ...]


def speed_dice(arguments: SpeedDice, table: BurningTable) -> Play[SpeedDiceOutcome]:
    """Say who has dice for a better Speed multiplier in a positioning test."""
    rule = "fight.position.bonus.speed_multiplier"
    if len(set(arguments.characters)) < 2:
        raise BadInput("characters", arguments.characters, "at least two characters", rule)
    for name in arguments.characters:
        table.character(name, "characters")
    lines = yield from positioning_dice(arguments.characters, table, rule)
    for name, line in lines.items():
        text = f"{table.character(name).name}: +{line.amount}D for positioning ({line.label})."
        yield from note(text, line.rule)
    return SpeedDiceOutcome(tuple((name, line.amount) for name, line in lines.items()))


PROCEDURES = (
    Procedure("sprint", "Sprint", Sprint, sprint),
    Procedure("speed_dice", "Positioning dice for Speed multipliers", SpeedDice, speed_dice),
    Procedure("look_up_sizes", "Look up sizes in paces", LookUp, look_up_sizes),
)
