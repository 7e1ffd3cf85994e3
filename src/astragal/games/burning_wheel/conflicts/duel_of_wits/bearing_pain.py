"""Bearing the pain of wounds in a duel, in the place of a verbal action.

Gritting one's teeth takes a whole volley (duel_of_wits.link.grit_teeth, injury.grit.time), and so
do the other ways for which ``injury.table.shrug_off`` has one; the rest is as outside a conflict
(``injury/shrugging_off``, ``artha/bearing_pain``).
"""

from __future__ import annotations

from astragal.play import Option, Step, call, confirm_aside

from ...artha.bearing_pain import GritYourTeeth, ShrugItOff, gritting_by_persona, shrugging
from ...conditions.borne_pain import PainMethod, bearable, takes
from ...injury.shrugging_off import ClearCobwebs, GritTeeth, cobwebs, gritting, which_wound
from ...sheet.editions import edition
from ...sheet.parts import WoundLevel
from ...sheet.scene import BurningTable
from .state import Duel

RULE = "duel_of_wits.link.grit_teeth"
WAYS = {
    "pain:cobwebs": PainMethod.COBWEBS,
    "pain:grit": PainMethod.GRITTING,
    "pain:persona": PainMethod.GRIT,
}
"""The ways that take a volley, as they are answered."""


def ways(character: str, table: BurningTable) -> tuple[Option, ...]:
    """How a speaker could bear the pain of wounds in this volley."""
    sheet = table.character(character)
    paid = bool(sheet.artha.persona) and not edition(table.options).pain_is_borne_on_the_test
    return tuple(
        Option(key, method.value, RULE)
        for key, method in WAYS.items()
        if bearable(sheet, method)
        and takes(method).volleys
        and (paid or method is not PainMethod.GRIT)
    )


def shrug_off(duel: Duel) -> Step[Duel]:
    """Shrug it Off for fate, which takes no volley in a duel: at the top of each.

    injury.amb.cobwebs_outside_fight, artha.shrug.no_health_test; in the later edition pain is
    ignored on the test itself.
    """
    if takes(PainMethod.SHRUG).volleys or edition(duel.table.options).pain_is_borne_on_the_test:
        return duel
    for side, speaker in enumerate(duel.debate.speakers):
        sheet = duel.table.character(speaker.character)
        hurts = any(w.level is WoundLevel.SUPERFICIAL and not w.borne for w in sheet.wounds)
        if not hurts or not sheet.artha.fate:
            continue
        prompt = f"{duel.name(side)}: Shrug it Off, 1 fate for the scene"
        rule = "artha.shrug.effect"
        if (yield from confirm_aside(duel.seat(side), "shrug_it_off", prompt, because=rule)):
            _, table = yield from call(shrugging, ShrugItOff(speaker.character), duel.table)
            duel = duel.on(table)
    return duel


def bear_pain(duel: Duel, side: int, way: str) -> Step[Duel]:
    """Bear the pain of a wound, by a test of Health or by artha."""
    character = duel.debate.speakers[side].character
    method = WAYS[way]
    if method is PainMethod.COBWEBS:
        _, table = yield from call(cobwebs, ClearCobwebs(character), duel.table)
        return duel.on(table)
    wound = yield from which_wound(duel.table.character(character), duel.seat(side), method)
    if method is PainMethod.GRITTING:
        _, table = yield from call(gritting, GritTeeth(character, wound), duel.table)
    else:
        paid = GritYourTeeth(character, wound)
        _, table = yield from call(gritting_by_persona, paid, duel.table)
    return duel.on(table)
