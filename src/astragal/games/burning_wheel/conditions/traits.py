"""Traits at work: what the traits on a sheet do to a test.

Die traits are constant modifiers; call-on traits are used after the roll and to break ties
(``artha/on_a_roll``). A section of the chapter on Beliefs, Instincts
and traits (``beliefs/beliefs``).
"""

from __future__ import annotations

from astragal.play import Line

from ..sheet.parts import TraitKind, for_ability, is_named
from ..sheet.sheet import Sheet
from .lines import Lines, Tester


def traits_on_test(tester: Tester) -> Lines:
    """What die traits do to a test."""
    sheet = tester.sheet
    return Lines(
        trait_dice(sheet, tester.tested.name),
        trait_obstacle(sheet, tester.name),
        cause="Traits leave",
    )


def trait_dice(sheet: Sheet, ability: str) -> tuple[Line, ...]:
    """Dice that die traits add to an ability, every time (beliefs.trait.die.constant).

    They count for the class of the test (beliefs.amb.die_trait_dice_and_advancement), as that of
    Hoszrem's Prehensile Tail on Brawling does (rogues.burned.prehensile_tail). Character
    traits (beliefs.trait.character.samples) add nothing (beliefs.trait.character.effect), nor do
    cosmetic ones (beliefs.trait.cosmetic.definition).
    """
    return tuple(
        Line(dice, trait.name, "beliefs.trait.die.constant")
        for trait in sheet.traits
        if trait.kind is TraitKind.DIE and (dice := for_ability(trait.dice, ability))
    )


def trait_obstacle(sheet: Sheet, ability: str) -> tuple[Line, ...]:
    """What die traits do to an obstacle or penalty (beliefs.trait.die.effect_types)."""
    return tuple(
        Line(obstacle, trait.name, "beliefs.trait.die.effect_types")
        for trait in sheet.traits
        if trait.kind is TraitKind.DIE and (obstacle := for_ability(trait.obstacle, ability))
    )


def open_by_trait(sheet: Sheet, ability: str) -> bool:
    """Whether a die trait gives this ability a new way of rolling: open-ended."""
    return any(
        trait.kind is TraitKind.DIE and is_named(ability, trait.open_ended)
        for trait in sheet.traits
    )
