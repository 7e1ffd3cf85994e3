"""A wizard for the tests of sorcery, and castings with given dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.burning_wheel import BurningTable, Sheet
from games.burning_wheel.playing import AnyRolls, Played, play, table

TOLERANCES = ["B3", "B5", "B7", "B9", "B10", "B11"]

HAN: dict[str, Any] = {
    "name": "Han",
    "stats": {"Will": "B5", "Perception": "B4", "Forte": "B6", "Power": "B4", "Agility": "B4"},
    "attributes": {"Health": "B6", "Reflexes": "B4", "Steel": "B5"},
    "skills": {"Sorcery": "B5"},
    "traits": ["Gifted"],
    "idiom": "speech",
    "tolerances": TOLERANCES,
}

FOE: dict[str, Any] = {
    "name": "Foe",
    "npc": True,
    "stats": {"Will": "B4", "Forte": "B4", "Power": "B4", "Speed": "B4", "Agility": "B4"},
    "attributes": {"Health": "B4", "Steel": "B3"},
    "tolerances": TOLERANCES,
}

LIGHT = {"name": "Glow", "obstacle": 3, "actions": 12}


def wizard(*spells: Any, **more: Any) -> dict[str, Any]:
    """Han, with these spells; stats and the like are added to his own."""
    merged = {**HAN, "spells": list(spells)}
    for key, value in more.items():
        known = merged.get(key)
        merged[key] = {**known, **value} if isinstance(known, dict) else value
    return merged


def at_table(*spells: Any, options: Mapping[str, str] | None = None, **more: Any) -> BurningTable:
    """Han and a foe, alone."""
    return table(options=options, han=wizard(*spells, **more), foe=FOE)


def cast(
    at: BurningTable,
    spell: str,
    rolls: AnyRolls | None,
    answers: Mapping[str, Any] | None = None,
    **more: Any,
) -> Played:
    """Han casts a spell: the casting roll, Tax, then whatever follows."""
    return play("cast_spell", {"character": "han", "spell": spell, **more}, at, answers, rolls)


def han(at: BurningTable) -> Sheet:
    return at.character("han")


SUSTAINED = {"name": "Ward", "obstacle": 3, "duration": "Sustained"}


def keeping(*spells: Mapping[str, Any], **more: Any) -> BurningTable:
    """Han with spells that he keeps up already."""
    active = [{"lasts": "Sustained", **spell} for spell in spells]
    return at_table(LIGHT, active_spells=active, **more)
