"""The end of Permanent spells, reckoned by hand.

Foe's Flame (Fire, Create) was cast with two successes in its effect. Han casts 10D, his Tax is 6D.
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import play, table
from games.burning_wheel.spellcasting import FOE, wizard

FLAME = {"name": "Flame", "obstacle": 3, "element": "Fire", "impetus": "Create"}
LASTING = {"name": "Flame", "obstacle": 3, "lasts": "Permanent", "effect": 2}
RAIN = {"name": "Rain", "obstacle": 2, "element": "Water", "impetus": "Create"}
BANE = {"name": "Bane", "obstacle": 4, "element": "Arcana", "impetus": "Destroy"}


def undo(spell: dict[str, Any], rolls: Any, answers: Any = None, **foe: Any) -> Any:
    owner = {**FOE, "spells": [FLAME], "active_spells": [LASTING], **foe}
    said = {
        "casting": {"character": "han", "spell": spell["name"]},
        "owner": "foe",
        "spell": "flame",
    }
    return play("undo_spell", said, table(han=wizard(spell), foe=owner), answers, rolls)


def flames(played: Any) -> list[int]:
    return [each.effect for each in played.table.character("foe").active_spells]


@pytest.mark.rules("sorcery.duration.permanent")
def test_what_destroys_arcana_ends_a_permanent_spell():
    played = undo(BANE, [4, 4])
    assert (played.outcome.ended, played.outcome.left, flames(played)) == (True, 0, [])
    assert "counters" not in played.asked
    assert played.outcome.cast.tax.obstacle.total == 4
    failed = undo(BANE, [3, 4, [5]])
    assert (failed.outcome.ended, flames(failed)) == (False, [2])
    assert failed.outcome.cast.failure.result == "Harmless Dissipation"


@pytest.mark.rules("sorcery.duration.permanent", "sorcery.counter.subtract")
def test_a_counter_spell_ends_it_when_it_brings_it_below_its_obstacle():
    """The Flame had 5 against Ob 3: with 3 over Ob 2 the Rain leaves it 2; with 2 over, 3."""
    assert undo(RAIN, [5, 2]).outcome.ended
    weaker = undo(RAIN, [4, 2])
    assert (weaker.outcome.ended, weaker.outcome.left, flames(weaker)) == (False, 0, [0])
    assert flames(undo(RAIN, [3, 2])) == [1]


@pytest.mark.rules("sorcery.counter.reduced", "sorcery.effect.split_two_effects")
def test_successes_of_a_second_effect_are_lost_first():
    """2 and 1 are 3 over: a counter-spell with 2 over leaves 1, one with 4 over ends it."""
    two = {"active_spells": [{**LASTING, "second_effect": 1}]}
    weaker = undo(RAIN, [4, 2], **two)
    (left,) = weaker.table.character("foe").active_spells
    assert (weaker.outcome.left, left.effect, left.second_effect) == (1, 1, 0)
    (hardly,) = undo(RAIN, [3, 2], **two).table.character("foe").active_spells
    assert (hardly.effect, hardly.second_effect) == (2, 0)
    assert not undo(RAIN, [5, 2], **two).outcome.ended
    assert undo(RAIN, [6, 2], **two).outcome.ended


@pytest.mark.rules("sorcery.duration.permanent", "sorcery.counter.none_for_some")
def test_nothing_else_ends_it():
    wind = {"name": "Stone", "obstacle": 2, "element": "Earth", "impetus": "Enhance"}
    with pytest.raises(NotAllowed, match="nor destroys Arcana"):
        undo(wind, [])
    with pytest.raises(NotAllowed, match="has no counter-spell"):
        undo(RAIN, [], spells=[{**FLAME, "uncountered": True}])
    assert undo(BANE, [4, 4], spells=[{**FLAME, "uncountered": True}]).outcome.ended
    with pytest.raises(BadInput, match="a Permanent spell of Foe: none"):
        undo(RAIN, [], active_spells=[{**LASTING, "lasts": "Sustained"}])
