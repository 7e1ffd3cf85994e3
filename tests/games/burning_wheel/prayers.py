"""A priest for the tests of Faith, and prayers with given dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.burning_wheel import BurningTable, Sheet
from games.burning_wheel.playing import AnyRolls, Played, play, table

CREED = {"text": "God is the father of us all.", "faith": "the Church"}

ANSELM: dict[str, Any] = {
    "name": "Anselm",
    "stats": {"Will": "B5", "Perception": "B4", "Forte": "B4", "Agility": "B3"},
    "attributes": {"Faith": "B5", "Health": "B4", "Steel": "B5", "Reflexes": "B4"},
    "skills": {"Oratory": "B3", "Doctrine": "B4"},
    "traits": ["Faithful"],
    "beliefs": [CREED, "The poor shall be fed.", "My bishop lies."],
}

ROLF: dict[str, Any] = {
    "name": "Rolf",
    "stats": {"Will": "B4", "Power": "B4", "Agility": "B4", "Forte": "B4", "Perception": "B4"},
    "attributes": {"Health": "B4", "Steel": "B4"},
    "skills": {"Sword": "B4", "Climbing": "B3"},
    "weapons": ["sword"],
    "gear": ["lantern"],
}

CHURCH = {"name": "the Church"}


def at_church(
    options: Mapping[str, str] | None = None,
    religion: Mapping[str, Any] | None = None,
    scene: Mapping[str, Any] | None = None,
    rolf: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> BurningTable:
    """Anselm the priest and Rolf, in a faith that is settled; ``more`` is added to Anselm."""
    priest = dict(ANSELM)
    for key, value in more.items():
        known = priest.get(key)
        priest[key] = {**known, **value} if isinstance(known, dict) else value
    there = {"religions": [{**CHURCH, **(religion or {})}], **(scene or {})}
    return table(there, options, anselm=priest, rolf={**ROLF, **(rolf or {})}, **(others or {}))


def pray(
    at: BurningTable,
    prayer: str,
    rolls: AnyRolls | None,
    answers: Mapping[str, Any] | None = None,
    **more: Any,
) -> Played:
    """Anselm prays."""
    said = {"character": "anselm", "prayer": prayer, "intent": f"a {prayer}", **more}
    return play("pray", said, at, answers, rolls)


def anselm(at: BurningTable) -> Sheet:
    return at.character("anselm")


def rolf(at: BurningTable) -> Sheet:
    return at.character("rolf")


def lines(tally: Any) -> dict[str, int]:
    return {line.label: line.amount for line in tally}
