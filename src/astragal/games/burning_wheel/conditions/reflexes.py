"""Reflexes as they count now: with the armor on, and less the wounds."""

from __future__ import annotations

from functools import lru_cache

from astragal.play import Line, Tally
from astragal.rules import Options

from ..sheet.editions import edition
from ..sheet.scene import BurningTable
from ..sheet.shades import reflexes
from ..sheet.sheet import Sheet
from .armor_weight import reflexes_worn
from .wounds import cost, in_aura, name_of


@lru_cache(1024)  # conflicts ask for it in every volley
def actions_in_exchange(table: BurningTable, character: str) -> Tally:
    """The actions of an exchange: Reflexes less armor and wounds, never below none.

    At zero there is nothing to script, but that alone is no incapacitation
    (injury.amb.reflexes_mid_exchange). Only for those whose sheet has Reflexes.
    """
    table.character(character).ability("Reflexes", "attributes.Reflexes")
    counted = reflexes_now(table, character)
    assert counted is not None, "they are on the sheet"
    return counted


def reflexes_now(table: BurningTable, character: str) -> Tally | None:
    """Reflexes less armor and wounds; None where the sheet says nothing about them.

    A Divine Aura lifts what wounds take, and in the Revised Edition every other minus
    (artha.amb.divine_aura_scope, gold.aristeia.ignore_wounds).
    """
    sheet, options = table.character(character), table.options
    in_effect = in_aura(table, character)
    unhurt = in_effect
    unhampered = in_effect and not edition(options).aura_is_for_the_goal
    return reflexes_left(sheet, options, unhurt=unhurt, unhampered=unhampered)


@lru_cache(256)
def reflexes_left(
    sheet: Sheet, options: Options, *, unhurt: bool = False, unhampered: bool = False
) -> Tally | None:
    """What armor and wounds leave of Reflexes, line by line.

    Full metal leggings have them worked out again (armor.clumsy.leggings_reflexes). Wound dice are
    taken off directly, and nothing is worked out from wounded stats (injury.dice.reflexes_direct);
    the obstacle of superficial wounds does not touch them.
    """
    own = reflexes(sheet, options)
    if own is None:
        return None
    tally = Tally.of(own.exponent, "Reflexes", "tests.attributes.reflexes")
    worn = reflexes_worn(sheet, options)
    slower = 0 if worn is None or unhampered else own.exponent - worn.exponent
    if slower:
        tally -= Line(slower, "leggings", "armor.clumsy.leggings_reflexes")
    for wound in () if unhurt else sheet.wounds:
        taken = min(tally.total, cost(wound))
        if taken:
            tally -= Line(taken, name_of(wound), "injury.dice.reflexes_direct")
    return tally
