"""All conditions that affect every test, in one tuple.

Each is a function of a :class:`Tester`. A chapter whose state affects tests adds its function
here, and nothing else has to know of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from astragal.errors import NotAllowed
from astragal.play import Line, Tally

from .armor_weight import weight_on_test
from .enmity import enmity_on_test
from .lines import Lines, Tester
from .mounted import mounted_on_test
from .prayers import prayers_on_test
from .spell_tax import spells_on_test
from .traits import traits_on_test
from .wounds import wounds_on_test

TestCondition = Callable[[Tester], Lines]

CONDITIONS: tuple[TestCondition, ...] = (
    wounds_on_test,
    weight_on_test,
    traits_on_test,
    enmity_on_test,
    spells_on_test,
    prayers_on_test,
    mounted_on_test,
)


@lru_cache(1024)  # a conflict asks for the same few with every roll
def conditions_on(tester: Tester) -> tuple[Lines, ...]:
    """What every condition does to a test."""
    return tuple(condition(tester) for condition in CONDITIONS)


def with_conditions(dice: Tally, conditions: tuple[Lines, ...], tester: Tester) -> Tally:
    """The dice after all conditions; refused where one of them leaves none.

    tests.amb.zero_dice: none can be added to none.
    """
    for each in conditions:
        dice += each.dice
        if each.lost and dice.total < 1:
            what = f"{each.cause} {tester.sheet.name} no dice of {tester.tested.name}"
            raise NotAllowed(f"{what}: choose another ability", each.rule)
    return dice


def obstacle_lines(conditions: tuple[Lines, ...]) -> tuple[Line, ...]:
    """What all conditions add to an obstacle."""
    return tuple(line for each in conditions for line in each.obstacle)
