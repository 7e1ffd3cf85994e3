"""The fight with nothing in it but what one roll, or one script, depends on.

A section of the chapter on Fight! (``conflicts/fight/fight``). Whoever plays many fights meets the
same roll again and again, while no two fights are ever alike as a whole. Where somebody rides,
casts or prays, much depends on everything, and the fight stays as it is. Whole parts of a volley
are in ``remembered_parts``.
"""

from __future__ import annotations

import msgspec

from .narrowed_tables import is_plain, seen_by
from .state import Fight, FightingCharacter

AVOID = "avoid"


def for_roll(fight: Fight, character: str, *others: str) -> Fight:
    """What the dice of an action depend on: who rolls, whom it is about, and how far they are.

    Of the others it is only what they have in hand. Positioning is another matter.
    """
    if not is_plain(fight):
        return fight
    own = fight.fighter(character)
    fighters = [
        FightingCharacter(
            character,
            own.side,
            own.weapon,
            own.way,
            own.stance,
            own.posture,
            moves=own.moves,
            avoids=own.avoids,
            steps=own.steps,
            charges=own.charges,
            hindrances=own.hindrances,
            announced=(AVOID,) * own.announced.count(AVOID),
            other_hand=own.other_hand,
        )
    ]
    for name in dict.fromkeys(others):
        other = fight.fighter(name)
        armed = FightingCharacter(name, other.side, other.weapon, other.way)
        fighters.append(msgspec.structs.replace(armed, other_hand=other.other_hand))
    return Fight(
        tuple(fighters),
        seen_by(fight.table, character),
        tuple([gap for gap in fight.gaps if character in (gap.one, gap.other)]),
        tuple([lock for lock in fight.locks if lock.victim == character]),
        ground=fight.ground,
        series=fight.series,
    )


def for_footing(fight: Fight, character: str) -> Fight:
    """What the Speed of a fighter who positions depends on, beside the dice for doing it."""
    if not is_plain(fight):
        return fight
    own = fight.fighter(character)
    alone = FightingCharacter(
        character,
        own.side,
        stance=own.stance,
        posture=own.posture,
        hesitates=int(own.is_hesitating),
        reaction=own.reaction,
        moves=own.moves,
        steps=own.steps,
        hindrances=own.hindrances,
    )
    return Fight(
        (alone,),
        seen_by(fight.table, character),
        locks=tuple([lock for lock in fight.locks if lock.victim == character]),
        ground=fight.ground,
        series=fight.series,
    )


LONG = (30, 40)
"""From which exchange on a fight is a long one, and from which on a very long one."""


def long_so_far(fight: Fight) -> int:
    """Of a long fight, the exchange that has made it one; otherwise 0."""
    return max((number for number in LONG if fight.exchange >= number), default=0)


def for_script(fight: Fight, character: str) -> Fight:
    """What a fighter may script depends on: what is in everybody's hands, and how far they are."""
    if not is_plain(fight):
        return fight
    fighters = []
    for each in fight.fighters:
        if each.character == character:
            fighters.append(
                FightingCharacter(
                    character,
                    each.side,
                    each.weapon,
                    each.way,
                    posture=each.posture,
                    ready=each.ready,
                    readied=each.readied,
                    concealed=each.concealed,
                    other_hand=each.other_hand,
                    announced=each.announced,
                    bound=each.bound,
                )
            )
        elif not each.out:
            fighters.append(
                FightingCharacter(
                    each.character,
                    each.side,
                    each.weapon,
                    each.way,
                    posture=each.posture,
                    hesitates=int(each.is_hesitating),
                    ready=each.ready,
                    other_hand=each.other_hand,
                    announced=each.announced,  # what is thrown is a longer weapon
                )
            )
    return Fight(
        tuple(fighters),
        seen_by(fight.table, character),
        fight.gaps,
        fight.locks,
        fight.fallen,
        exchange=long_so_far(fight) or min(fight.exchange, 2),  # only the first is different
    )
