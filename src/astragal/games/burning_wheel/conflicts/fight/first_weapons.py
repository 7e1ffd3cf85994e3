"""What a fighter positions with before any script is written: the weapon in hand, or a spell.

A section of the chapter on Fight! (``conflicts/fight/fight``), from the extended example.
"""

from __future__ import annotations

from astragal.play import CardLimit, CardRule, Option, Step, choose

from ...magic.sorcery.in_conflict import castable_spells
from ...sheet.catalogue_keys import key_of
from .footing import FootingDice
from .making_ready import WITH_A_WEAPON
from .spells import INCANT
from .state import Fight, in_hand

RULE = "extended_example.position.starting_weapon_binds"
WEAPON = "weapon"
SHOTS = ("release", "throw_object", "draw_bow", "hold_bow", "acquire_target", "aim")
"""Shots, and what raises a weapon for one: with a great bow there may be no time for more."""


def name_first_weapons(fight: Fight) -> Step[Fight]:
    """Who can cast says whether the first test is made with a spell.

    Before any script nobody casts, so that the spell has to be in the script that is written next
    (extended_example.position.starting_weapon_binds).
    """
    for each in fight.standing:
        name, sheet = each.character, fight.sheet(each.character)
        spells = {key_of(spell.name): spell.name for spell in castable_spells(sheet)}
        if not spells:
            continue
        chosen = yield from choose(
            fight.seat(name),
            "positions_with",
            f"{sheet.name}, first positioning, with",
            {WEAPON: in_hand(fight, name).called.capitalize(), **spells},
            default=WEAPON,
            because=RULE,
            kind="aside",
        )
        fight = fight.change(name, wields=spells.get(chosen, ""))
    return fight


def bind_first_weapons(fight: Fight, dice: dict[str, FootingDice]) -> Fight:
    """Whatever helped in the first test by its length is bound to be in the next script."""
    for each in fight.standing:
        further = dice[each.character].further
        helped = any(line.rule != "fight.advantage.terrain" for line in further)
        bound = key_of(each.wields) if each.wields else WEAPON
        fight = fight.change(each.character, wields="", bound=bound if helped else "")
    return fight


def bound_cards(
    fight: Fight, character: str, cards: tuple[Option, ...], instead: tuple[str, ...]
) -> tuple[CardRule, ...]:
    """What the first script has to have in it; ``instead`` of it one may leave the fight.

    extended_example.position.starting_weapon_binds.
    """
    bound = fight.fighter(character).bound
    if not bound or fight.exchange > 1:
        return ()
    if bound == WEAPON:
        kinds = (*WITH_A_WEAPON, *SHOTS)
        wanted = tuple(card.key for card in cards if card.key.partition(":")[0] in kinds)
        words = "an action with the weapon that helped in the first positioning test"
    else:
        wanted = tuple(card.key for card in cards if card.key == f"{INCANT}:{bound}")
        words = "the spell that helped in the first positioning test"
    return (CardRule(CardLimit.REQUIRED, wanted, words, RULE, instead),) if wanted else ()


def without_required(rules: tuple[CardRule, ...]) -> tuple[CardRule, ...]:
    """The limits that count for the rest of a script, too."""
    return tuple(rule for rule in rules if rule.limit is not CardLimit.REQUIRED)
