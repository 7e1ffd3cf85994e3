"""What a fighter fights with: the skill that goes with what he has in hand.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from ...sheet.sheet import Rated
from ...sheet.weapon_tables import FIST, SHIELD
from ...weapons.wielding import usual_skill
from .gathering import dice_left
from .state import Fight
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


def fighting_skill(fight: Fight, character: str, way: str = "") -> str:
    """The skill with what is in hand; without it Agility stands in (fight.amb.unskilled).

    Strike, Great Strike and Counterstrike with bare hands are of Brawling or Boxing
    (fight.strike.ability, fight.great_strike.ability, fight.counterstrike.ability). A shield
    strikes with the skill of the weapon beside it, where that is better
    (armor.amb.shield_weapon_skill).
    """
    used = wielded(fight, character, way)
    if used.weapon == FIST:
        return unarmed_skill(fight, character)
    skill = usual_skill(used, thrown=False, options=fight.table.options)
    if used.weapon != SHIELD:
        return skill
    best = known(fight, character, skill, fighting_skill(fight, character))
    return best[0].name if best else skill
