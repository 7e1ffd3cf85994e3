"""Two sorcerers in a fight: spells as weapons in positioning, and counter-spells.

Ann and Bob have Speed, Sorcery, Will and Forte of B4; both cast in the first volley.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.burning_wheel.conflicts.fight.test_casting import BLOCKS, FIRST, casts, mage
from games.burning_wheel.fighting import fight, fighter, ring


def spell(name: str = "Bolt", origin: str = "Sight", **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "obstacle": 2,
        "actions": 1,
        "up": True,
        "origin": origin,
        "area": "Single Target",
        "duration": "Instantaneous",
        "element": "Fire",
        "impetus": "Destroy",
        **more,
    }


def dice(ann: dict[str, Any], bob: dict[str, Any] | None, foe: dict[str, Any] | None = None) -> str:
    """Ann's positioning dice when she Maintains while she casts, and Bob does, or closes."""
    sheets = {"ann": mage(ann), "bob": mage(bob) if bob else foe or fighter()}
    card = "incant:" + str((bob or {}).get("name", "")).lower()
    bobs = casts(card, "block", "block") if bob else ("close", "push", *BLOCKS[2:])
    name = "incant:" + str(ann["name"]).lower()
    scripts = {"ann": [casts(name, "block", "block")], "bob": [bobs]}
    said = fight(scripts, None, {}, ring(**sheets)).told
    line = next(line for line in said.splitlines() if line.startswith("Ann, positioning"))
    return line.partition(" rolls ")[2]


SIGHT, PRESENCE = spell(), spell(origin="Presence")


@pytest.mark.rules(
    "sorcery.duel.spells_are_weapons", "sorcery.duel.fight_sight", "sorcery.duel.fight_presence"
)
@pytest.mark.parametrize(
    ("ann", "foe", "expected"),
    [
        (SIGHT, fighter(), "5D = 4 Speed + 1 longer weapon"),  # longest against long
        (SIGHT, fighter("dagger"), "6D = 4 Speed + 2 longer weapon"),
        (PRESENCE, fighter(), "5D = 4 Speed + 1 longer weapon"),
        (spell(origin="Personal"), fighter(), "4D = 4 Speed"),
        (
            spell(origin="Personal", area="Natural Effect"),
            fighter(),
            "5D = 4 Speed + 1 longer weapon",
        ),
        (SIGHT, fighter("crossbow"), "5D = 4 Speed + 1 longer than a missile weapon"),
        (PRESENCE, fighter("crossbow"), "4D = 4 Speed"),
        (
            spell(origin="Personal", area="10s of Paces"),
            fighter(),
            "5D = 4 Speed + 1 10s of Paces",
        ),
    ],
)
def test_a_spell_positions_by_its_origin_and_area(ann: Any, foe: Any, expected: str):
    assert dice(ann, None, foe) == expected


@pytest.mark.rules(
    "sorcery.duel.fight_sight_vs_sight",
    "sorcery.duel.fastest_spell",
    "sorcery.duel.presence_vs_presence",
    "sorcery.amb.sight_vs_presence",
)
@pytest.mark.parametrize(
    ("ann", "bob", "expected"),
    [
        (SIGHT, SIGHT, "4D = 4 Speed"),
        (SIGHT, spell(actions=2), "5D = 4 Speed + 1 faster spell"),
        (SIGHT, PRESENCE, "5D = 4 Speed + 1 longer spell"),
        (PRESENCE, SIGHT, "4D = 4 Speed"),
        (PRESENCE, PRESENCE, "4D = 4 Speed"),
    ],
)
def test_of_two_spells_the_longer_and_the_faster_has_a_die(ann: Any, bob: Any, expected: str):
    assert dice(ann, bob) == expected


@pytest.mark.rules("sorcery.duel.must_cast_to_use", "sorcery.ex.spell_length_needs_casting")
def test_without_a_casting_action_a_spell_gives_no_dice():
    """In the second volley Ann only blocks: swords of one length, no dice."""
    scripts = {
        "ann": [casts("incant:bolt", "block", "block")],
        "bob": [("close", "push", "close", "push", "stay", "block")],
    }
    said = fight(scripts, None, {}, ring(ann=mage(SIGHT))).told
    second = said.partition("Volley 2")[2]
    assert "longer weapon" in said.partition("Volley 2")[0]
    assert "longer weapon" not in second


@pytest.mark.rules("sorcery.duel.measured_area_dice", "sorcery.amb.dice_and_area_same_obstacle")
def test_obstacle_buys_area_and_dice():
    """White Fire's measure: 1D at first, and one more for +2 Ob; cast at 2 + 2."""
    wide = spell(origin="Personal", area="10s of Paces")
    scripts = {
        "ann": [casts("incant:bolt", "block", "block")],
        "bob": [("close", "push", *BLOCKS[2:])],
    }
    answers = {"ann/wider": 2}
    said = fight(scripts, None, answers, ring(ann=mage(wide))).told
    assert "Ann, positioning, rolls 6D = 4 Speed + 2 10s of Paces" in said
    assert "against Ob 4 = 2 Bolt + 2 larger area" in said
    narrow = fight(scripts, None, {"ann/wider": 0}, ring(ann=mage(wide))).told
    assert "Ann, positioning, rolls 5D = 4 Speed + 1 10s of Paces" in narrow
    assert "against Ob 2 = 2 Bolt" in narrow


# --- Counter-spells ------------------------------------------------------------------------

WATER = spell("Rain", element="Water", impetus="Create")
BOTH = {
    "ann": [("maintain", "incant:bolt", *BLOCKS[2:])],
    "bob": [("maintain", "incant:rain", *BLOCKS[2:])],
}


@pytest.mark.rules("sorcery.counter.subtract", "sorcery.counter.negated", "sorcery.counter.timing")
def test_a_counter_spell_of_the_same_volley_negates_a_spell():
    """Bolt 4; Rain 5 against 2: three over. One is left of the Bolt, below its obstacle."""
    answers = {"bob/counter_spell": "ann"}
    at = ring(ann=mage(SIGHT), bob=mage(WATER))
    said = fight(BOTH, [*FIRST, 0, 0, 4, 2, 5, 2], answers, at).told
    assert "The counter-spell cancels 3 successes." in said
    assert "Bolt is negated." in said
    assert "Failed Casting" not in said


@pytest.mark.rules("sorcery.counter.reduced")
def test_what_is_left_of_a_countered_spell_takes_effect():
    """Bolt 5 less 1: two over, so Mark 4 + 2 = 6; the Die of Fate says Incidental, B3."""
    answers = {"bob/counter_spell": "ann"}
    at = ring(ann=mage(SIGHT), bob=mage(WATER))
    said = fight(BOTH, [*FIRST, 0, 0, 5, 2, 3, 2, [1]], answers, at).told
    assert "4 successes remain." in said
    assert "Bob: Incidental, B3 to the torso" in said


@pytest.mark.rules("sorcery.counter.timing")
@pytest.mark.parametrize("first", ["ann", "bob"])
def test_a_spell_waits_for_the_counter_spell_of_its_volley_and_the_other_way_round(first: str):
    at = ring(ann=mage(SIGHT, Reflexes="B6"), bob=mage(WATER, Reflexes="B6"))
    rest = ("stay", "block", "block") * 2
    order = {"ann": ("incant:bolt", "block"), "bob": ("block", "incant:rain")}
    if first == "bob":
        order = {"ann": ("block", "incant:bolt"), "bob": ("incant:rain", "block")}
    scripts = {who: [("maintain", *cards, *rest)] for who, cards in order.items()}
    castings = [4, 2, 5, 2] if first == "ann" else [5, 2, 4, 2]
    said = fight(scripts, [*FIRST, 0, 0, *castings], {"bob/counter_spell": "ann"}, at).told
    assert "Bolt is negated." in said
    assert said.index("Bolt is negated.") < said.index("Volley 2")


@pytest.mark.rules("sorcery.counter.none_for_some", "sorcery.counter.principle")
def test_a_counter_is_offered_only_where_there_can_be_one():
    at = ring(ann=mage({**SIGHT, "uncountered": True}), bob=mage(WATER))
    played = fight(BOTH, [*FIRST, 0, 0, 1, 2, 1, 2, [4], [4]], {}, at)
    assert played.asked.count("counter_spell") == 1
    assert played.seats["counter_spell"] == "ann"  # who may counter the Rain
    doubtful = ring(ann=mage(SIGHT), bob=mage({**WATER, "element": "Heaven", "impetus": "Enhance"}))
    refused = {"bob/counter_spell": "ann", "gm/counters": False}
    said = fight(BOTH, [*FIRST, 0, 0, 2, 2, 5, 2, [1]], refused, doubtful).told
    assert "negated" not in said
    assert "Bob: Incidental, B2" in said


@pytest.mark.rules("sorcery.shield.exchange", "sorcery.shield.blasted_interrupts")
@pytest.mark.parametrize("dice", [2, 4])
def test_a_shield_that_is_shot_away_interrupts_the_casting_behind_it(dice: int):
    """Two dice of shield against Ann's Bolt of 3: one is left, below the obstacle, no hit.

    The shield is gone; Bob had done one of two actions at Ob 2: Tax at Ob 1. Of four dice one is
    left, and Bob goes on with his spell in the next volley.
    """
    shield = {
        "name": "Eldritch Shield",
        "obstacle": 2,
        "lasts": "Sustained",
        "effect": dice,
        "does": "shield",
    }
    slow = spell("Rain", actions=2)
    blasted = dice == 2
    scripts = {
        "ann": [("stay", "incant:bolt", *BLOCKS[2:])],
        "bob": [casts("incant:rain", "block" if blasted else "incant:rain", "block")],
    }
    at = ring(ann=mage(SIGHT), bob={**mage(slow, Forte="B6"), "active_spells": [shield]})
    rest = [[1], 1, [4]] if blasted else [[1], 2, 2, [1]]
    said = fight(scripts, [*FIRST, 3, 2, *rest], {}, at).told
    cancelled, left = (2, "0 dice") if blasted else (3, "1 die")
    assert f"Shield cancels {cancelled} successes ({left} left)." in said
    assert "Bolt does not affect Bob." in said
    first = said.partition("Volley 2")[0]
    assert ("Eldritch Shield ends" in first) is blasted
    assert ("Bob's Rain is interrupted." in first) is blasted
    assert ("Rain is interrupted." in said) is blasted
