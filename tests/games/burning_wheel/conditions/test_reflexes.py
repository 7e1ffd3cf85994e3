"""Reflexes as they count now: what armor and wounds leave of them."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conditions.reflexes import actions_in_exchange, reflexes_now
from games.burning_wheel.hurting import MAN, STATS
from games.burning_wheel.playing import table

METAL = ("chainmail", "plated mail", "full plate")
EVEN = dict.fromkeys(STATS, "B4")
ARISTEIA = {"character": "man", "form": "divine_aura", "ability": "Sword", "goal": "win"}
AURA = {"aristeias": [ARISTEIA]}


def actions(*, scene: Any = None, options: Any = None, **more: Any) -> int:
    at = table(scene=scene or {}, options=options or {}, man={**MAN, **more})
    return actions_in_exchange(at, "man").total


@pytest.mark.rules("injury.dice.reflexes_direct")
def test_reflexes_lose_the_wound_dice_themselves():
    """4 less 3 is 1; worked out again from wounded stats it would be (3 + 3 + 0) / 3 = 2."""
    stats = {**STATS, "Perception": "B6", "Agility": "B6", "Speed": "B1"}
    at = table(man={**MAN, "stats": stats, "wounds": ["Severe"]})
    left = actions_in_exchange(at, "man")
    assert left.total == 1
    assert {line.rule for line in left} == {
        "tests.attributes.reflexes",
        "injury.dice.reflexes_direct",
    }
    # +1 Ob does not touch them, and they never fall below none
    assert actions(wounds=["Superficial"]) == 4
    assert actions(wounds=["Traumatic", "Severe"]) == 0


@pytest.mark.rules("armor.clumsy.leggings_reflexes")
def test_full_metal_leggings_cost_an_action_of_the_exchange():
    """(4 + 4 + 3) / 3 is 3; half pieces and lighter types change nothing."""
    for name in METAL:
        assert actions(stats=EVEN, armor={"legs": name}) == 3, name
        assert actions(stats=EVEN, armor={"legs": f"half {name}"}) == 4, name
        # (4 + 5 + 3) / 3 is 4 still
        assert actions(stats={**EVEN, "Agility": "B5"}, armor={"legs": name}) == 4, name
    assert actions(stats=EVEN, armor={"legs": "plated leather"}) == 4
    worn = table(man={**MAN, "stats": EVEN, "armor": {"legs": "mail"}})
    assert {line.rule for line in actions_in_exchange(worn, "man")} == {
        "tests.attributes.reflexes",
        "armor.clumsy.leggings_reflexes",
    }


def test_armor_and_wounds_both_count():
    assert actions(stats=EVEN, armor={"legs": "mail"}, wounds=["Light"]) == 2
    assert actions(stats=EVEN, armor={"legs": "mail"}, wounds=["Severe", "Light"]) == 0


def test_a_hide_does_not_weigh():
    hide = {"type": "full plate", "natural": True}
    assert actions(stats=EVEN, armor={"legs": hide}) == 4


@pytest.mark.rules("artha.aristeia.divine_aura")
def test_a_divine_aura_gives_the_actions_back():
    """artha.amb.divine_aura_scope; in the later edition it is for wounds alone."""
    hurt = {"stats": EVEN, "wounds": ["Midi"], "armor": {"legs": "mail"}}
    assert actions(**hurt) == 1
    assert actions(scene=AURA, **hurt) == 4
    assert actions(scene=AURA, options={"edition": "gold"}, **hurt) == 3


def test_who_has_no_reflexes_on_the_sheet():
    none = table(man={"name": "Man"}, made={"name": "Made", "stats": EVEN})
    assert reflexes_now(none, "man") is None
    made = reflexes_now(none, "made")
    assert made is not None
    assert made.total == 4
    with pytest.raises(BadInput, match=r"attributes\.Reflexes"):
        actions_in_exchange(none, "man")
