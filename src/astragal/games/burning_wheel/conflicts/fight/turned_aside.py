"""Spells of an opponent that turn attacks aside, where a test of a fight does not know of them.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from astragal.play import Line

from ...conditions.armor_weight import is_fighting
from ...conditions.spell_tax import turned_aside
from .state import Fight

STRIKING_HALVES = ("riposte", "strike_half")
"""The parts of divided actions that attack."""


def turned_aside_lines(
    fight: Fight, character: str, target: str, action: str, ability: str = ""
) -> tuple[Line, ...]:
    """What spells of the target's add to an attack (sorcery.spell.turn_aside_the_blade).

    To the half of an action that strikes, and to a Push or a Lock with a stat. A Charge is rolled
    when everybody positions (``charge``); other attacks are tests of fighting skills, which know
    it (``conditions/spell_tax``).
    """
    rated = fight.sheet(character).find(ability) if ability else None
    known = rated is None or is_fighting(rated)
    if known and action not in STRIKING_HALVES:
        return ()
    return turned_aside(fight.sheet(target))
