"""What a fighter fights with: the skill that goes with what he has in hand.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from ...sheet.sheet import Rated
from ...sheet.weapon_tables import FIST
from ...weapons.wielding import usual_skill
from .gathering import dice_left
from .state import Fight, in_hand
from .weapon_in_hand import wielded

UNARMED = ("Brawling", "Boxing")
"""The skills of the bare hands (fight.strike.ability, fight.throw.ability)."""


def known(fight: Fight, character: str, *names: str) -> tuple[Rated, ...]:
    """Which of these abilities a fighter has, the one with most dice first."""
    found = [fight.sheet(character).find(name) for name in names]
    able = [rated for rated in found if rated is not None and rated.exponent]
    return tuple(sorted(able, key=lambda rated: -dice_left(fight, character, rated)))


def unarmed_skill(fight: Fight, character: str) -> str:
    """Brawling or Boxing, whichever a fighter is better at."""
    best = known(fight, character, *UNARMED)
    return best[0].name if best else UNARMED[0]


def fighting_skill(fight: Fight, character: str) -> str:
    """The skill with what is in hand; without it Agility stands in (fight.amb.unskilled).

    Strike, Great Strike and Counterstrike also with Brawling or Boxing, armed or not
    (fight.strike.ability, fight.great_strike.ability, fight.counterstrike.ability).
    """
    if in_hand(fight, character).weapon == FIST:
        return unarmed_skill(fight, character)
    return usual_skill(wielded(fight, character), thrown=False, options=fight.table.options)
