"""What armor weighs: lack of training, and the clumsy weight of each piece.

Every test of a character in armor has these lines, through ``prepare`` of ``tests/attempts``;
conflicts that roll a stat in another way take :func:`burden` from here. Dice of armor and shields
themselves are not affected (armor.amb.untrained_scope).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.play import Line
from astragal.rules import Options, catalogue

from ..sheet.armor_tables import ARMS, LEGS, ArmorPiece, heaviest, is_metal, shield_dice
from ..sheet.editions import edition
from ..sheet.parts import AbilityKind, SkillAbility
from ..sheet.ratings import Rating
from ..sheet.shades import combined, reflexes
from ..sheet.sheet import Rated, Sheet, parents
from ..sheet.skill_roots import roots_of
from .lines import Lines, Tester
from .wounds import in_aura

ARMOR_TRAINING = "Armor Training"
SHIELD_TRAINING = "Shield Training"

MISSILE_SKILLS = ("Throwing", "Bow", "Crossbow", "Firearms", "Sling", "Javelin")
"""Skills of Agility that armored arms hamper although they are for fighting."""

FIGHTING_SKILLS = (
    *("Brawling", "Boxing", "Martial Arts"),
    *("Axe", "Cudgel", "Flail", "Hammer", "Knife", "Knives", "Lance", "Mace"),
    *("Polearm", "Spear", "Staff", "Sword", "Whip"),
)
"""Skills of close combat, whatever their category says."""

SENSES = ("Observation", "Tracking")
"""Skills of sight and hearing (armor.amb.helmet_perception_skills)."""


def weight_on_test(tester: Tester) -> Lines:
    """What armor does to a test; an Aura lifts the dice it takes off (artha.amb.divine_aura_scope).

    In the later edition an Aura is for wounds only.
    """
    table = tester.table
    weight = burden(tester.sheet, tester.tested, table.options, tester.name)
    wounds_only = edition(table.options).aura_is_for_the_goal
    lifted = not wounds_only and tester.for_goal and in_aura(table, tester.character)
    return msgspec.structs.replace(weight, dice=()) if lifted else weight


@lru_cache(1024)  # the same few sheets are tested again and again
def burden(sheet: Sheet, tested: Rated, options: Options, name: str = "") -> Lines:
    """All that armor does to a test of this ability; ``name`` is the skill that a stat stands for.

    The penalties of different pieces add up, for trained and untrained alike
    (armor.clumsy.applies_to_everyone). Only stats, skills and attributes suffer
    (armor.amb.untrained_scope).
    """
    if tested.kind in (AbilityKind.RESOURCES, AbilityKind.CIRCLES):
        return Lines()
    if not (sheet.armor or sheet.clumsy_boots or sheet.shield):
        return Lines()
    name = (name or tested.name).casefold()
    sheet = _without_hide(sheet)
    obstacle = untrained(sheet, options)
    obstacle += _arms(sheet, tested, name)
    obstacle += _breastplate(sheet, name)
    obstacle += _helmet(sheet, tested, name, options)
    on_legs, dice = _leggings(sheet, tested, name)
    obstacle += on_legs + _boots(sheet, tested, name, options)
    if is_fighting(tested, name):
        obstacle += dead_weight(sheet)
    return Lines(dice, obstacle, cause="Armor leaves")


def _without_hide(sheet: Sheet) -> Sheet:
    """The character with nothing on but what was put on: a hide or shell is no weight."""
    worn = {where: piece for where, piece in sheet.armor.items() if not piece.natural}
    return sheet if len(worn) == len(sheet.armor) else msgspec.structs.replace(sheet, armor=worn)


def has_training(sheet: Sheet, name: str) -> bool:
    """Whether a character has a training skill, wherever the sheet has it."""
    return name.casefold() in {known.casefold() for known in (*sheet.training, *sheet.skills)}


# --- Armor Training --------------------------------------------------------------------------


def untrained(sheet: Sheet, options: Options) -> tuple[Line, ...]:
    """What armor adds to all tests of a character without Armor Training (armor.training.trained).

    1 for chainmail (armor.training.chainmail_untrained), 2 for plated mail and full plate
    instead (armor.training.plate_untrained), nothing for lighter types
    (armor.training.light_no_penalty); the highest number, once. A helmet is no body piece, unless
    the table has it count (armor.amb.untrained_scope).
    """
    if has_training(sheet, ARMOR_TRAINING):
        return ()
    with_helmet = options["armor_untrained_helmet_alone"] == "penalty"
    body = tuple(p for where, p in sheet.armor.items() if with_helmet or where != "head")
    piece = heaviest(body)
    amount = 0 if piece is None else _untrained_penalty(piece.type)
    if piece is None or not amount:
        return ()
    of = "chainmail" if piece.type == "chainmail" else "plate"
    return (Line(amount, "no Armor Training", f"armor.training.{of}_untrained"),)


def _untrained_penalty(armor_type: str) -> int:
    table = catalogue().table("armor.table.untrained_penalty")
    return table.number("ob_to_all_tests_without_armor_training", armor_type=armor_type)


# --- Piece by piece --------------------------------------------------------------------------


def _full(sheet: Sheet, limbs: tuple[str, ...]) -> ArmorPiece | None:
    """The heaviest full piece on either limb of a pair: it counts once.

    armor.amb.arms_one_or_both.
    """
    worn = (sheet.armor[limb] for limb in limbs if limb in sheet.armor)
    return heaviest(tuple(piece for piece in worn if not piece.is_half))


def _arms(sheet: Sheet, tested: Rated, name: str) -> tuple[Line, ...]:
    """Armored arms hamper Agility and its skills: 1 for light types, 2 for metal ones.

    armor.clumsy.arms_light, armor.clumsy.arms_metal; leather and quilting hamper nothing else
    (armor.clumsy.quilting_only_arms). Climbing has numbers of its own, and these alone
    (armor.clumsy.arms_climbing, armor.amb.climbing_stacking). Half pieces hamper nothing
    (armor.clumsy.half_arms, armor.amb.half_arms_wording).
    """
    piece = _full(sheet, ARMS)
    if piece is None:
        return ()
    table = catalogue().table("armor.table.clumsy_arms").where(armor_type=piece.type)
    label = f"arms: {piece.called}"
    if name == "climbing":
        amount, rule = table.number("climbing_ob"), "armor.clumsy.arms_climbing"
    elif _is_hampered_by_arms(tested):
        amount = table.number("agility_and_agility_skills_ob")
        rule = f"armor.clumsy.arms_{'metal' if is_metal(piece.type) else 'light'}"
    else:
        return ()
    return (Line(amount, label, rule),) if amount else ()


def _is_hampered_by_arms(tested: Rated) -> bool:
    """Agility and what is based on it, but no skill of close combat.

    armor.clumsy.arms_exempt. Throwing and missile skills are hampered
    (armor.clumsy.arms_not_exempt), and so is plain Agility in place of a missing skill
    (armor.amb.unskilled_agility_exempt).
    """
    if tested.kind is not AbilityKind.SKILL:
        return tested.name == "Agility"
    if is_missile_skill(tested):
        return True
    return "Agility" in roots_of(tested) and not is_fighting(tested)


def is_missile_skill(tested: Rated) -> bool:
    """Whether a skill is one of throwing or shooting."""
    return tested.kind is AbilityKind.SKILL and tested.name.casefold() in _folded(MISSILE_SKILLS)


def is_fighting(tested: Rated, missing_skill: str = "") -> bool:
    """Whether a skill is for fighting, in close combat or at a distance.

    A stat may stand in for a ``missing_skill``.
    """
    name = missing_skill or tested.name
    if name.casefold() in _folded((*FIGHTING_SKILLS, *MISSILE_SKILLS)):
        return True
    skill = tested.ability
    return isinstance(skill, SkillAbility) and skill.category.casefold() == "martial"


def _folded(names: tuple[str, ...]) -> set[str]:
    return {name.casefold() for name in names}


def _breastplate(sheet: Sheet, name: str) -> tuple[Line, ...]:
    """What covers the torso is in the way of sneaking and of swimming.

    armor.clumsy.breastplate_plated_leather, armor.clumsy.breastplate_chainmail,
    armor.clumsy.breastplate_plate.
    """
    piece = sheet.armor.get("torso")
    if piece is None or name not in ("stealthy", "swimming"):
        return ()
    row = catalogue().table("armor.table.clumsy_breastplate").where(armor_type=piece.type)
    amount = row.number(f"{name}_ob")
    of = piece.type if piece.type in ("plated_leather", "chainmail") else "plate"
    if not amount:
        return ()
    return (Line(amount, f"torso: {piece.called}", f"armor.clumsy.breastplate_{of}"),)


HELMETS = {
    "plated_leather": "plated_leather",
    "chainmail": "bascinet",
    "plated_mail": "bascinet",
    "full_plate": "great_helm",
}
"""The clumsy headgear of each type (armor.amb.helmet_equivalents)."""


def _helmet(sheet: Sheet, tested: Rated, name: str, options: Options) -> tuple[Line, ...]:
    """Headgear dulls Perception, by its dice (armor.amb.helmet_equivalents).

    armor.clumsy.helmet_plated_leather, armor.clumsy.helmet_bascinet,
    armor.clumsy.helmet_great_helm. At some tables skills of sight and hearing, too
    (armor.amb.helmet_perception_skills).
    """
    piece = sheet.armor.get("head")
    dulled = tested.name == "Perception" and tested.kind is AbilityKind.STAT
    if options["armor_helmet_affects"] == "also_sight_and_hearing_skills":
        dulled = dulled or name in _folded(SENSES)
    if piece is None or not dulled:
        return ()
    table = catalogue().table("armor.table.clumsy_helmet")
    amount = table.number("perception_ob", headgear_of_type=piece.type)
    if piece.type == "plated_mail":
        amount = {"plus_2_ob": 2, "plus_3_ob": 3}[options["armor_helmet_5d_perception"]]
    if not amount:
        return ()
    return (Line(amount, f"head: {piece.called}", f"armor.clumsy.helmet_{HELMETS[piece.type]}"),)


def _is_of_speed(tested: Rated, name: str) -> bool:
    """Speed and its skills; Stealthy is one of them (armor.clumsy.leggings_plated_leather).

    Speed in a fight is Speed, whether it Avoids or positions (armor.clumsy.may_hit_avoid).
    """
    if tested.kind is AbilityKind.STAT:
        return tested.name == "Speed"
    return "Speed" in roots_of(tested) or name == "stealthy"


def _leggings(sheet: Sheet, tested: Rated, name: str) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Armored legs slow down: an obstacle for plated leather, a die for metal.

    armor.clumsy.leggings_plated_leather, armor.clumsy.leggings_metal. Half pieces of plated
    leather cost nothing (armor.clumsy.half_leggings_plated_leather), of metal an obstacle in
    place of the die (armor.clumsy.half_leggings_metal).
    """
    if not _is_of_speed(tested, name):
        return (), ()
    worn = tuple(sheet.armor[leg] for leg in LEGS if leg in sheet.armor)
    for half in (False, True):
        piece = heaviest(tuple(p for p in worn if p.is_half is half))
        if piece is None:
            continue
        table = catalogue().table("armor.table.clumsy_leggings")
        column = f"speed_and_speed_skills_{'half' if half else 'full'}"
        effect = str(table.value(column, armor_type=piece.type))
        kind = "metal" if is_metal(piece.type) else "plated_leather"
        rule = f"armor.clumsy.{'half_' if half else ''}leggings_{kind}"
        amount = int(effect[:2]) if effect != "none" else 0
        line = Line(amount, f"legs: {piece.called}", rule)
        if effect.endswith("Ob"):
            return (line,), ()
        if effect.endswith("D"):
            return (), (line,)
    return (), ()


def _boots(sheet: Sheet, tested: Rated, name: str, options: Options) -> tuple[Line, ...]:
    """Clumsy boots may be a disadvantage, if the table has it so.

    armor.clumsy.boots, armor.amb.boots_amount.
    """
    counted = options["armor_boots_penalty"] == "plus_1_ob"
    if not (sheet.clumsy_boots and counted and _is_of_speed(tested, name)):
        return ()
    return (Line(1, "clumsy boots", "armor.clumsy.boots"),)


def reflexes_worn(sheet: Sheet, options: Options) -> Rating | None:
    """Reflexes with the armor on: full metal leggings lower the Speed they are made of by one.

    armor.clumsy.leggings_reflexes. What was entered on the sheet moves by as much as the average
    of the stats does. None where the sheet says nothing about Reflexes.
    """
    own = reflexes(sheet, options)
    piece = _full(_without_hide(sheet), LEGS)
    table = catalogue().table("armor.table.clumsy_leggings")
    if own is None or piece is None:
        return own
    if not table.value("refactor_reflexes_full", armor_type=piece.type):
        return own
    stats = parents("Reflexes")
    if any(stat not in sheet.stats for stat in stats):
        return own
    ratings = {stat: sheet.stats[stat].rating for stat in stats}
    free = combined(tuple(ratings.values()), options).average
    slow = Rating(ratings["Speed"].shade, max(0, ratings["Speed"].exponent - 1))
    worn = combined(tuple({**ratings, "Speed": slow}.values()), options).average
    return Rating(own.shade, max(0, own.exponent + worn - free))


# --- Shields ---------------------------------------------------------------------------------


def dead_weight(sheet: Sheet) -> tuple[Line, ...]:
    """A destroyed shield hampers martial actions until it is off the arm.

    armor.shield.destroyed_hindrance; one in working order hampers nothing
    (armor.shield.no_hindrance).
    """
    if sheet.shield is None or shield_dice(sheet.shield).total:
        return ()
    return (Line(1, f"destroyed {sheet.shield.called}", "armor.shield.destroyed_hindrance"),)
