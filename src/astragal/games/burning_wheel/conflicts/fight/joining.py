"""Joining a fight that is under way, and getting up again in one.

A section of the chapter on Fight! (``conflicts/fight/fight``). Between two exchanges others may
come in; they begin out of everybody's reach and write scripts with the rest
(fight.exchange.repeat). Whom wounds have felled may try to get up then.
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Option, PickSeveral, Step, ask, call, choose, note

from ...artha.bearing_pain import GritYourTeeth, gritting_by_persona
from ...conditions.borne_pain import PainMethod, takes
from ...conditions.wounds import Condition, dice_left, is_incapacitated, state_of
from ...injury.shrugging_off import GritTeeth, gritting
from ...sheet.editions import edition
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.words import counted
from .hesitation import hesitate
from .positioning import join_outside
from .state import Fight, Posture

MOST_FIGHTERS = 8
"""As many as one table can keep apart."""

ABILITIES = ("Speed", "Power", "Agility", "Reflexes")
"""What every fighter needs on the sheet."""

NEEDED = (*ABILITIES, "Steel")
"""What is filled in for characters of the GM's: pain and surprise try their nerve as well."""

FIT = (Condition.FIT,)
FELLED = (Condition.HELPLESS, Condition.UNCONSCIOUS)
"""Who has been brought to nothing in a stat by wounds (injury.zero.stat_incapacitated)."""


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
            yield from note(f"{fight.name(each.character)} joins the fight.", rule)
    return join_outside(fight)


# --- Getting up again ------------------------------------------------------------------------

_WAYS = {"grit": PainMethod.GRITTING, "persona": PainMethod.GRIT}
"""How a fighter whom wounds have felled may get up again, as it is answered."""


def rise_again(fight: Fight) -> Step[Fight]:
    """Who is incapacitated may grit his teeth once, before an exchange, and get up.

    injury.grit.incapacitated; by Health, or with persona (artha.amb.grit_repeats). It takes the
    first actions of the exchange (injury.grit.time, artha.grit.no_health_test), and who is up
    again lies on the ground.
    """
    for each in fight.fighters:
        name = each.character
        felled = each.out in [state.value for state in FELLED]
        if each.carries or not felled or state_of(fight.table, name) not in FELLED:
            continue
        ways = _ways_up(fight.table, name)
        if not ways:
            continue
        rule = "injury.grit.incapacitated"
        options = [Option("no", "No", rule)]
        options += [
            Option(key, method.value, rule, cost=counted(takes(method).actions, "action"))
            for key, method in ways.items()
        ]
        chosen = yield from choose(
            fight.seat(name),
            "get_up_again",
            f"{fight.name(name)} is down: one attempt to get up",
            options,
            default="no",
            because=rule,
        )
        if chosen != "no":
            fight = yield from _grit(fight, name, ways[chosen])
    return fight


def _ways_up(table: BurningTable, name: str) -> dict[str, PainMethod]:
    """How somebody could try: never twice (injury.amb.shrug_retries)."""
    sheet = table.character(name)
    if sheet.staggered or not is_incapacitated(sheet):
        return {}
    able = {
        PainMethod.GRITTING: sheet.find("Health") is not None and bool(_worst(sheet, tried=False)),
        PainMethod.GRIT: bool(sheet.artha.persona and _worst(sheet, tried=True))
        and not edition(table.options).pain_is_borne_on_the_test,
    }
    return {key: method for key, method in _WAYS.items() if able[method]}


def _worst(sheet: Sheet, *, tried: bool) -> int:
    """The number of a wound of which a die can be borne, the worst first; 0 without one."""
    found = [
        (dice_left(wound), number)
        for number, wound in enumerate(sheet.wounds, 1)
        if dice_left(wound) and not wound.borne and (tried or not wound.tried)
    ]
    return max(found)[1] if found else 0


def _grit(fight: Fight, name: str, method: PainMethod) -> Step[Fight]:
    """The attempt; if it works, the fighter is in it again."""
    sheet = fight.sheet(name)
    if method is PainMethod.GRITTING:
        wound = _worst(sheet, tried=False)
        _, table = yield from call(gritting, GritTeeth(name, wound), fight.table)
    else:
        wound = _worst(sheet, tried=True)
        _, table = yield from call(gritting_by_persona, GritYourTeeth(name, wound), fight.table)
    fight = fight.at(table)
    if state_of(table, name) not in FIT:
        return fight
    # Whatever was left of the volley in which he fell is over.
    fight = fight.change(
        name,
        out="",
        posture=Posture.DOWN,
        hesitates=0,
        loses=False,
        moves=None,
        avoids=False,
        avoided=None,
        charges=False,
        casting=None,
        prayer=None,
        announced=(),
        targets=(),
        waits=None,
    )
    fight = hesitate(fight, name, takes(method).actions)
    text = f"{fight.name(name)} is in the fight again, on the ground."
    yield from note(text, "injury.grit.incapacitated")
    return fight


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
