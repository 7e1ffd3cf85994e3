"""Turn Aside the Blade in a fight: +2 Ob on every attack at its caster, and on nothing else.

Each +1 Ob takes a success off a roll without an obstacle of its own.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.burning_wheel.meeting import SHIELDED, came, meet, sheet

SPELL = {
    "name": "Turn Aside the Blade",
    "obstacle": 4,
    "lasts": "Sustained",
    "does": "attack_obstacle",
    "effect": 2,
}
WARDED: dict[str, Any] = sheet(active_spells=[SPELL])
INCIDENTAL = [("hit", "incidental")]

pytestmark = pytest.mark.rules("sorcery.spell.turn_aside_the_blade")


def test_a_strike_is_at_ob_3():
    assert came(meet("strike", "no_action", [2], bob=WARDED)) == []
    assert came(meet("strike", "no_action", [4], bob=WARDED)) == INCIDENTAL


def test_a_block_of_the_casters_own_strike_is_not_hindered():
    """3 less 2 leave 1, an Incidental hit; with a Block of none it would be a Mark."""
    assert came(meet("strike", "block", [3, 2], ann=WARDED)) == INCIDENTAL


def test_of_a_counterstrike_only_the_riposte_is_hindered():
    """The Strike's 3 less a defence of 1 are no Mark; the riposte's 3 just meet Ob 3."""
    both = meet("strike", "counterstrike", [3, 1, 3], {"split": (1, 3)}, ann=WARDED)
    assert came(both) == INCIDENTAL
    assert came(both, "ann") == INCIDENTAL
    short = meet("strike", "counterstrike", [3, 1, 2], {"split": (2, 2)}, ann=WARDED)
    assert came(short, "ann") == []


def test_the_half_of_a_block_and_strike_that_strikes_is_hindered():
    """Bob's Strike of 1, blocked by 1, which nothing hinders; then 3 that just meet Ob 3."""
    said = {"split": (3, 1)}
    both = meet("block_and_strike", "strike", [1, 1, 3], said, ann=SHIELDED, bob=WARDED)
    assert came(both) == INCIDENTAL
    assert came(both, "ann") == []
    short = meet("block_and_strike", "strike", [1, 1, 2], said, ann=SHIELDED, bob=WARDED)
    assert came(short) == []


def test_a_push_with_power_is_an_attack_as_well():
    """4 less 2 for the spell against Natural Defenses of 2: foiled."""
    assert not came(meet("push", "no_action", [4, 2], bob=WARDED))
    assert came(meet("push", "no_action", [4, 1], bob=WARDED))


@pytest.mark.parametrize(
    ("card", "distance"), [("beat_and_bind", "optimal"), ("throw_opponent", "inside")]
)
def test_who_resists_the_caster_is_not_hindered(card: str, distance: str):
    """Natural Defenses with a fighting skill: as many successes as the attack foil it."""
    assert came(meet(card, "no_action", [2, 2], ann=WARDED, distance=distance)) == []
    assert came(meet(card, "no_action", [2, 1], ann=WARDED, distance=distance))
