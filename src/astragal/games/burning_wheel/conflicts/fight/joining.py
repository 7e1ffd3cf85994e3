"""Joining a fight that is under way.

A section of the chapter on Fight! (``conflicts/fight/fight``). Between two exchanges others may
come in; they begin out of everybody's reach and write scripts with the rest
(fight.exchange.repeat).
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.conditions.wounds import Condition, state_of
from astragal.games.burning_wheel.conflicts.fight.positioning import join_outside
from astragal.games.burning_wheel.conflicts.fight.state import Fight
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.play import GM, Noted, Option, PickSeveral, Step, ask, choose, tell

MOST_FIGHTERS = 8
"""As many as one table can keep apart."""

ABILITIES = ("Speed", "Power", "Agility", "Reflexes")
"""What every fighter needs on the sheet."""

NEEDED = (*ABILITIES, "Will", "Steel")
"""What is filled in for characters of the GM's: pain and surprise try their nerve as well."""

FIT = (Condition.FIT,)


def first_weapon(sheet: Sheet) -> str:
    """What somebody has in hand if nothing else is said: the first weapon that is whole."""
    return next((weapon.called for weapon in sheet.weapons if not weapon.broken), "")


def who_joins(fight: Fight) -> Step[Fight]:
    """The GM says who comes in between two exchanges, and on which side."""
    there = [
        each
        for each in fight.reserves
        if state_of(fight.table, each.character) in FIT and not each.carries
    ]
    if not there:
        return fight
    rule = "fight.exchange.repeat"
    options = tuple(Option(each.character, fight.name(each.character), rule) for each in there)
    joining = yield from ask(
        GM,
        "joins",
        "Joins the fight",
        PickSeveral(options=options, default=()),
        because=rule,
    )
    for each in there:
        if each.character in joining:
            side = yield from _side(fight, each.character)
            comes = msgspec.structs.replace(each, side=side)
            ridden = tuple(o for o in fight.reserves if o.carries == each.character)
            left = tuple(o for o in fight.reserves if o is not each and o not in ridden)
            mounts = tuple(msgspec.structs.replace(mount, side=side) for mount in ridden)
            fighters = (*fight.fighters, comes, *mounts)
            fight = msgspec.structs.replace(fight, fighters=fighters, reserves=left)
            yield from tell(Noted(f"{fight.name(each.character)} joins the fight.", rule))
    return join_outside(fight)


def _side(fight: Fight, name: str) -> Step[int]:
    """The side of a newcomer: with some fighters, or against all of them."""
    sides: dict[int, list[str]] = {}
    for each in fight.standing:
        sides.setdefault(each.side, []).append(fight.name(each.character))
    options = {str(side): f"With {', '.join(names)}" for side, names in sides.items()}
    options[str(max(sides) + 1)] = "Against all of them"
    said = yield from choose(
        GM,
        "joins_side",
        f"{fight.name(name)} joins",
        options,
        default=str(min(sides)),
        because="fight.exchange.repeat",
    )
    return int(said)
