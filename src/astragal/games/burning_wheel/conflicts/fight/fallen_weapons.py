"""Weapons that lie on the ground, and the way to them.

A section of the chapter on Fight! (``conflicts/fight/fight``). How they come there is in
``consequences`` and ``hesitation``, how they are picked up in ``other_actions``.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from astragal.play import Step, note

from ...sheet.words import counted
from .state import Fight

LONGEST_STEP = 2
"""How far one may move after winning by as much (fight.position.win_by_two)."""


def wants_to_win(fight: Fight, character: str) -> bool:
    """Whether to keep the distance is not all: a weapon lies there to be reached."""
    return any(fallen.owner == character for fallen in fight.fallen)


def reach_for_weapons(fight: Fight, won: Mapping[str, int]) -> Step[Fight]:
    """Who has won a positioning test comes nearer to a weapon that was knocked away.

    fight.disarm.retrieve_needs_position: one that lies near is reached at once. Each fighting
    distance farther is a step more (fight.disarm.farther); a test that is won by two or more is
    good for two of them, as for any move (fight.position.win_by_two). ``won`` is by how much.
    """
    fallen = []
    for each in fight.fallen:
        steps = min(LONGEST_STEP, won.get(each.owner, 0))
        if each.reached or not steps:
            fallen.append(each)
            continue
        left = each.farther + 1 - steps
        if left > 0:
            text = (
                f"{fight.name(each.owner)} comes nearer to the {each.weapon.called}: "
                f"{counted(left, 'distance')} to go."
            )
            yield from note(text, "fight.disarm.farther")
        else:
            text = f"{fight.name(each.owner)} can pick up the {each.weapon.called}."
            yield from note(text, "fight.disarm.retrieve_needs_position")
        near = max(0, left - 1)
        fallen.append(msgspec.structs.replace(each, farther=near, reached=left <= 0))
    return msgspec.structs.replace(fight, fallen=tuple(fallen))
