"""Traits at work: what the traits on a sheet do to a test.

Die traits are constant modifiers; call-on traits are used after the roll and to break ties
(``artha/on_a_roll``). A section of the chapter on Beliefs, Instincts
and traits (``beliefs/beliefs``).
"""

from __future__ import annotations

from collections.abc import Iterator

from astragal.play import Line

from ..sheet.parts import Trait, TraitKind, for_ability, is_named
from ..sheet.sheet import Sheet
from .lines import Lines, Tester


def traits_on_test(tester: Tester) -> Lines:
    """What die traits do to a test."""
    sheet = tester.sheet
    return Lines(
        trait_dice(sheet, tester.tested.name, tester.idle),
        trait_obstacle(sheet, tester.name, tester.idle),
        cause="Traits leave",
    )


def trait_dice(sheet: Sheet, ability: str, idle: tuple[str, ...] = ()) -> tuple[Line, ...]:
    """Dice that die traits add to an ability, every time (beliefs.trait.die.constant).

    One that names a situation has conditions of its own, and is ``idle`` in others.

    They count for the class of the test (beliefs.amb.die_trait_dice_and_advancement), as that of
    Hoszrem's Prehensile Tail on Brawling does (rogues.burned.prehensile_tail). Character
    traits (beliefs.trait.character.samples) add nothing (beliefs.trait.character.effect), nor do
    cosmetic ones (beliefs.trait.cosmetic.definition).
    """
    return tuple(
        Line(dice, trait.name, "beliefs.trait.die.constant")
        for trait in _working(sheet, idle)
        if (dice := for_ability(trait.dice, ability))
    )


def trait_obstacle(sheet: Sheet, ability: str, idle: tuple[str, ...] = ()) -> tuple[Line, ...]:
    """What die traits do to an obstacle or penalty (beliefs.trait.die.effect_types)."""
    return tuple(
        Line(obstacle, trait.name, "beliefs.trait.die.effect_types")
        for trait in _working(sheet, idle)
        if (obstacle := for_ability(trait.obstacle, ability))
    )


def open_by_trait(sheet: Sheet, ability: str, idle: tuple[str, ...] = ()) -> bool:
    """Whether a die trait gives this ability a new way of rolling: open-ended."""
    return any(is_named(ability, trait.open_ended) for trait in _working(sheet, idle))


def trait_hesitation(sheet: Sheet, idle: tuple[str, ...] = ()) -> tuple[Line, ...]:
    """Die traits may change the hesitation itself (beliefs.trait.die.effect_types)."""
    return tuple(
        Line(trait.hesitation, trait.name, "beliefs.trait.die.effect_types")
        for trait in _working(sheet, idle)
        if trait.hesitation
    )


def _working(sheet: Sheet, idle: tuple[str, ...]) -> Iterator[Trait]:
    return (t for t in sheet.traits if t.kind is TraitKind.DIE and t.name not in idle)


def situational(tester: Tester) -> tuple[Trait, ...]:
    """The die traits that change a test, but only in the situation that they name."""
    sheet, ability = tester.sheet, tester.tested.name
    return tuple(
        trait
        for trait in _working(sheet, tester.idle)
        if trait.situation
        and (
            for_ability(trait.dice, ability)
            or for_ability(trait.obstacle, tester.name)
            or is_named(ability, trait.open_ended)
            or (trait.hesitation and ability == "Steel")
        )
    )
