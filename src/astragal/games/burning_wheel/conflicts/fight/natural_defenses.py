"""Natural Defenses: what everybody has against being grabbed, pushed or thrown, for free.

A section of the chapter on Fight! (``conflicts/fight/fight``). Which an attack leaves is a line of
``fight.table.interactions``; against a Charge they are the positioning test
(``conflicts/fight/charge``).
"""

from __future__ import annotations

from astragal.games.burning_wheel.conflicts.fight.clash import MomentRoll
from astragal.games.burning_wheel.conflicts.fight.gathering import (
    RollKind,
    attempt_for,
    is_usable,
)
from astragal.games.burning_wheel.conflicts.fight.interactions import Reducer
from astragal.games.burning_wheel.conflicts.fight.skills import UNARMED, fighting_skill, known
from astragal.games.burning_wheel.conflicts.fight.state import Fight, FightDeed, Positioning
from astragal.play import Line, Play, choose

STOOD_STILL = (None, Positioning.MAINTAIN, Positioning.STAY)
"""Who did not position stood still (fight.amb.push_not_positioned)."""


def natural_abilities(fight: Fight, character: str, against: str, how: Reducer) -> tuple[str, ...]:
    """The abilities that a fighter may use against an attack, the best first.

    Power against a Lock (fight.lock.ability); against a Push Power or Speed, but Speed alone for
    one who closes or withdraws (fight.push.natural_defense); against a Throw Speed, Boxing or
    Brawling (fight.throw.natural_defense); against a Beat the weapon skill, or Agility without one
    (fight.beat.natural_defense).
    """
    if how is Reducer.NATURAL_POWER:
        names: tuple[str, ...] = ("Power",)
    elif how is Reducer.NATURAL_POWER_OR_SPEED:
        still = fight.fighter(character).moves in STOOD_STILL
        names = ("Power", "Speed") if still else ("Speed",)
    elif how is Reducer.NATURAL_SPEED_OR_UNARMED:
        names = ("Speed", *UNARMED)
    else:
        skill = known(fight, character, fighting_skill(fight, character))
        names = (skill[0].name,) if skill else ("Agility",)
    return tuple(
        rated.name
        for rated in known(fight, character, *names)
        if is_usable(fight, character, rated.name, RollKind.NATURAL, against)
    )


def natural_roll(
    fight: Fight, character: str, attack: FightDeed, how: Reducer, hampered: tuple[Line, ...]
) -> Play[MomentRoll | None]:
    """The Natural Defenses of a fighter against one attack; none without dice.

    Whatever he has scripted (fight.nd.when), at no cost (fight.nd.free). One that is as good as
    the attack foils it (fight.nd.tie_foils).
    """
    names = natural_abilities(fight, character, attack.action, how)
    if not names:
        return None
    ability = names[0]
    name = fight.name(character)
    if len(names) > 1:
        ability = yield from choose(
            fight.seat(character),
            "natural_defense",
            f"Natural Defenses ({name})",
            {each: each for each in names},
            default=ability,
            because="fight.nd.by_maneuver",
            kind="aside",
        )
    attempt = yield from attempt_for(
        fight,
        character,
        ability,
        RollKind.NATURAL,
        action=attack.action,
        target=attack.character,
        task="resists",
        obstacle=hampered,
    )
    return MomentRoll(character, f"{name}, Natural Defenses", attempt, attempt.pool)
