"""How the tests of Fight! let two actions meet: one slot, with the dice as they fall.

Ann and Bob have stats of B4, Sword and Brawling B4, a sword, and Shield Training without a shield.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.games.burning_wheel.conflicts.fight.moment import play_moment
from astragal.games.burning_wheel.conflicts.fight.state import (
    Fight,
    FightDeed,
    FightingCharacter,
    Gap,
)
from games.burning_wheel.in_a_fight import Moment, run
from games.burning_wheel.playing import AnyRolls, Played, play, table

STATS = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
BOTH: dict[str, Any] = {
    "stats": STATS,
    "attributes": {"Health": "B4", "Reflexes": "B4", "Steel": "B4"},
    "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
    "skills": {
        "Sword": "B4",
        "Brawling": "B4",
        "Throwing": "B4",
        "Shield Training": {"rating": "B1"},
    },
    "weapons": [{"weapon": "sword"}],
}
SHIELDED = {**BOTH, "shield": {"kind": "buckler"}}


def sheet(**more: Any) -> dict[str, Any]:
    """One of them, with other stats (``Power="B6"``), skills, or anything else on the sheet."""
    raw = {**BOTH}
    for name in list(more):
        if name in STATS:
            raw["stats"] = {**raw["stats"], name: more.pop(name)}
    if "skills" in more:
        more["skills"] = {**BOTH["skills"], **more["skills"]}
    return {**raw, **more}


def meet(
    one: str,
    other: str,
    rolls: AnyRolls = (),
    answers: Mapping[str, Any] | None = None,
    *,
    distance: str = "optimal",
    options: Mapping[str, str] | None = None,
    ann: Mapping[str, Any] = BOTH,
    bob: Mapping[str, Any] = BOTH,
    weapons: tuple[str, str] = ("sword", "sword"),
    **sides: Any,
) -> Played:
    """An action of Ann's against one of Bob's, as ``fight_action`` plays it.

    ``ann_stance`` and the like are further fields of a side.
    """
    given: list[dict[str, Any]] = []
    for name, action, weapon in zip(("ann", "bob"), (one, other), weapons, strict=True):
        side = {"character": name, "action": action, "weapon": weapon}
        for key, value in sides.items():
            whose, _, field = key.partition("_")
            if whose == name:
                side[field] = value
        given.append(side)
    at = table(None, options, ann=ann, bob=bob)
    return play("fight_action", {"sides": given, "distance": distance}, at, answers or {}, rolls)


def came(played: Played, who: str = "bob") -> list[tuple[str, object]]:
    """What happened to somebody: effects with their amount, or the stage of a hit."""
    return [
        (each.effect, each.stage or each.amount)
        for each in played.outcome.effects
        if each.character == who
    ]


def dice(played: Played) -> list[int]:
    """How many dice each roll had, in order."""
    return [sum(count for _, count in roll.expression.dice.items()) for roll in played.rolls]


def ring(
    gap: int = 2,
    options: Mapping[str, str] | None = None,
    weapon: str = "sword",
    series: str = "the fight",
    **sheets: Mapping[str, Any],
) -> Fight:
    """Ann on one side, Bob and whoever else is named on the other; all at one gap."""
    raw = {"ann": BOTH, "bob": BOTH, **sheets}
    at = table(None, options, **raw)
    fighters = tuple(FightingCharacter(who, int(who != "ann"), weapon=weapon) for who in raw)
    gaps = tuple(Gap("ann", who, gap) for who in raw if who != "ann")
    return Fight(fighters, at, gaps, series=series)


def moment(
    at: Fight,
    *done: str,
    rolls: AnyRolls = (),
    answers: Mapping[str, Any] | None = None,
) -> Moment:
    """Some deeds at once, as "ann strike bob" or "ann escape_lock"."""
    deeds = []
    for words in done:
        who, card, *target = words.split()
        kind = card.partition(":")[0]
        action = {"escape_lock": "non_martial", "get_up": "non_martial"}.get(kind, kind)
        if card == "change_stance:defensive":
            action = "block"
        deeds.append(FightDeed(who, action, card, target[0] if target else ""))
    return run(play_moment, at, tuple(deeds), answers=answers, rolls=rolls)


def with_state(at: Fight, character: str, **fields: Any) -> Fight:
    """The fight with some fields of a fighter set."""
    changed: Fight = at.put(msgspec.structs.replace(at.fighter(character), **fields))
    return changed
