"""Gear: what it does to a test, and how the GM grants it.

Gear augments an ability, or takes away or brings a penalty (tests.gear.effect). It comes from
character burning, from Resources tests, or from the GM in a scene that suits it
(tests.gear.acquisition); only the last of these is here.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade, Shaded
from astragal.games.burning_wheel.sheet.parts import Gear
from astragal.games.burning_wheel.sheet.reading import check
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Rated, Sheet
from astragal.games.burning_wheel.tests.circumstances import SOURCES
from astragal.games.game import Procedure
from astragal.play import GM, Line, Noted, Play, YesNo, ask, tell


def in_use(sheet: Sheet, names: tuple[str, ...]) -> tuple[Gear, ...]:
    """The pieces of gear that the player says are used, each once."""
    pieces: list[Gear] = []
    for index, name in enumerate(names):
        piece = sheet.carried(name, f"gear[{index}]")
        if piece not in pieces:
            pieces.append(piece)
    return tuple(pieces)


def gear_obstacle(gear: tuple[Gear, ...], against: tuple[Line, ...]) -> tuple[Line, ...]:
    """What gear does to the obstacle: hinder, or keep a disadvantage from counting.

    Gear takes away penalties only, never anything of what the task itself demands
    (tests.gear.effect, tests.amb.obstacle_never_decreased).
    """
    lines = tuple(
        Line(1, f"{piece.name}: {SOURCES.get(key, key)}", "tests.gear.effect")
        for piece in gear
        for key in piece.hinders
    )
    standing = [line.label for line in against]
    for piece in gear:
        for key in piece.removes:
            label = SOURCES.get(key, key)
            if label in standing:
                standing.remove(label)
                lines += (Line(-1, f"{piece.name}: no {label}", "tests.gear.effect"),)
    return lines


def gear_dice(gear: tuple[Gear, ...], tested: Rated) -> tuple[tuple[Line, ...], Shaded]:
    """Dice that gear adds to this ability, each at the gear's own shade (shades.gear.own_shade)."""
    lines: tuple[Line, ...] = ()
    dice = Shaded()
    for piece in gear:
        number = piece.dice.get(tested.name, 0)
        if number:
            lines += (Line(number, piece.name, "tests.gear.effect"),)
            dice += Shaded.of(Shade.parse(piece.shade), number)
    return lines, dice


# --- Gear granted in play ------------------------------------------------------------------


class GrantGear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody is to have a thing, in a scene that suits it."""

    character: str
    gear: Gear


class Granted(msgspec.Struct, frozen=True):
    """Whether the GM granted it."""

    granted: bool


def grant_gear(arguments: GrantGear, table: BurningTable) -> Play[Granted]:
    """The GM may grant gear in a suitable scene, without a test (tests.gear.acquisition)."""
    sheet = table.character(arguments.character)
    after = (*sheet.gear, arguments.gear)
    check(msgspec.structs.replace(sheet, gear=after))
    granted = yield from ask(
        GM,
        "grant",
        f"Does this scene suit it that {sheet.name} is granted {arguments.gear.name}?",
        YesNo(default=True),
        because="tests.gear.acquisition",
    )
    if not granted:
        return Granted(False)
    because = "tests.gear.acquisition"
    yield from table.amend(arguments.character, "gear", after, because=because)
    yield from tell(Noted(f"{sheet.name} is granted {arguments.gear.name}.", because))
    return Granted(True)


PROCEDURES = (Procedure("grant_gear", "The GM grants a piece of gear", GrantGear, grant_gear),)
