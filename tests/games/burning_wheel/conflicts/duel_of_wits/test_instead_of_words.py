"""Casting and praying in a duel, in the place of a verbal action.

Ann has Will B5, Sorcery B4 and Forte B6: a casting is 9D. Arcane Kindness is Ob 4, and adds its
extra successes to Persuasion and the like; bodies are 5 + 5 = 10.
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import NotAllowed
from games.burning_wheel.dueling import SPEAKER, argue, hall

CHURCH = {"religions": [{"name": "the Church"}]}


def mage(spell: Any = "Arcane Kindness", **more: Any) -> dict[str, Any]:
    return {
        **SPEAKER,
        "stats": {**SPEAKER["stats"], "Forte": "B6"},
        "attributes": {"Steel": "B4", "Health": "B4", "Reflexes": "B4"},
        "skills": {**SPEAKER["skills"], "Sorcery": "B4"},
        "traits": ["Gifted"],
        "idiom": "speech",
        "spells": [spell],
        **more,
    }


PRIEST = {
    **SPEAKER,
    "attributes": {"Steel": "B4", "Faith": "B5"},
    "traits": ["Faithful"],
    "beliefs": [{"text": "God is the father of us all.", "faith": "the Church"}],
}


def told(scripts: Any, rolls: Any, answers: Any, at: Any) -> str:
    """What is told until Ann concedes, for which her Steel is tested."""
    ann, bob = scripts
    rolls = None if rolls is None else [*rolls, 4]
    return argue([ann], [bob], rolls, {"ann/concede": True, **answers}, at).told


@pytest.mark.rules(
    "duel_of_wits.link.spells",
    "duel_of_wits.link.arcane_kindness",
    "duel_of_wits.amb.other_acts_in_a_volley",
)
def test_a_spell_takes_the_place_of_an_action_and_helps_in_the_next():
    """Bob's Point of 2 costs Ann two; 6 against Ob 4 are two dice for Persuasion afterwards."""
    scripts = (("other", "point", "avoid"), ("point", "avoid", "avoid"))
    answers = {"ann/act": "spell:arcane_kindness"}
    played = argue([scripts[0]], [scripts[1]], None, {"ann/concede": True, **answers}, hall(mage()))
    assert "Ann rolls 9D = 4 Sorcery + 5 Will against Ob 4" in played.told
    rolls = [roll.label for roll in played.rolls]
    assert rolls.index("Bob, Point, Oratory") < rolls.index("Ann, Sorcery")


@pytest.mark.rules("sorcery.time.volley_20", "sorcery.amb.rc_over_60")
def test_a_longer_spell_takes_the_volleys_before_it():
    slow = mage({"name": "Arcane Kindness", "actions": 30})
    answers = {"ann/act": "spell:arcane_kindness"}
    scripts = (("other", "other", "avoid"), ("avoid", "avoid", "avoid"))
    said = told(scripts, [6, 4], answers, hall(slow))
    assert said.index("Ann is casting Arcane Kindness: 1 volley to go.") < said.index("Volley 2")
    assert said.index("Volley 2") < said.index("Ann rolls 9D") < said.index("Volley 3")
    refused = {"sorcery_long_spells_in_duel_of_wits": "refused"}
    with pytest.raises(NotAllowed, match="too long for a Duel of Wits"):
        told(scripts, [6, 4], answers, hall(slow, options=refused))


@pytest.mark.rules("sorcery.interrupt.ruins", "sorcery.amb.interrupt_rounding")
def test_who_speaks_in_the_middle_of_a_long_spell_has_lost_it():
    """One of two volleys: half of Ob 4."""
    slow = mage({"name": "Arcane Kindness", "actions": 30})
    answers = {"ann/act": "spell:arcane_kindness"}
    scripts = (("other", "avoid", "avoid"), ("avoid", "avoid", "avoid"))
    said = told(scripts, [2, [4]], answers, hall(slow))
    assert "Ann rolls 6D = 6 Forte against Ob 2 = 2 part of Arcane Kindness" in said


@pytest.mark.rules("sorcery.interrupt.causes", "sorcery.amb.interrupt_rounding")
def test_who_is_hurt_in_the_middle_of_a_long_spell_has_lost_it():
    """One volley of three was done when the Bolt hits: a third of Ob 4, rounded up, is Ob 2.

    The Bolt: 2 against Ob 2, Mark 5, Incidental 3: a Superficial wound, +1 Ob.
    """
    slow = mage({"name": "Arcane Kindness", "actions": 60})
    bolt = {
        "name": "Bolt", "obstacle": 2, "actions": 5, "origin": "Sight", "area": "Single Target",
        "duration": "Instantaneous", "impetus": "Destroy",
    }  # fmt: skip
    tolerances = ["B3", "B5", "B7", "B8", "B9", "B10"]
    at = hall({**slow, "tolerances": tolerances}, mage(bolt, tolerances=tolerances))
    answers = {"ann/act": "spell:arcane_kindness", "bob/act": "spell:bolt"}
    scripts = (("other", "other", "avoid"), ("avoid", "other", "avoid"))
    said = told(scripts, [2, 2, [1], 3, [4]], answers, at)
    assert "Ann's Arcane Kindness is interrupted." in said.partition("Volley 3")[0]
    tax = "Forte against Ob 3 = 2 part of Arcane Kindness + 1 Superficial wound"
    assert tax in said
    third = {**slow, "tolerances": tolerances, "wounds": ["superficial", "superficial"]}
    at = hall(third, mage(bolt, tolerances=tolerances))
    said = told(scripts, [2, 2, [1], 6, 3, [4]], answers, at)
    assert "Three Superficial wounds count as one Light wound." in said
    assert "Ann's Arcane Kindness is interrupted." in said.partition("Volley 3")[0]


@pytest.mark.rules("sorcery.sustain.may_not", "sorcery.sustain.concentration_test")
def test_who_loses_heart_to_an_incite_tests_will_for_sustained_spells_at_once():
    """Steel 4 against 5; then Will 5D less the die set aside, against Ob 4: lost with 3."""
    kept = {"name": "Arcane Kindness", "obstacle": 4, "lasts": "Sustained", "effect": 2}
    at = hall(mage(active_spells=[kept]))
    scripts = (("point", "avoid", "avoid"), ("incite", "avoid", "avoid"))
    first = told(scripts, [0, 5, 4, 3], {}, at).partition("Volley 2")[0]
    assert "Ann rolls 4D = 5 Will - 1 Arcane Kindness against Ob 4" in first
    assert "Ann's Arcane Kindness ends." in first


@pytest.mark.rules("sorcery.duration.elapsed_base", "sorcery.duration.elapsed_extend")
def test_a_spell_that_lasts_for_exchanges_ends_with_them():
    """Cast before the duel with one success for duration: two whole exchanges."""
    haze = {"name": "Haze", "obstacle": 2, "lasts": "Elapsed Time", "duration": 1}
    quiet = ("avoid", "avoid", "avoid")
    at = hall(mage(active_spells=[haze]))
    said = argue([quiet] * 2, [quiet] * 2, None, {"ann/concede": True}, at).told
    first, _, later = said.partition("Exchange 2.")
    assert "Ann's Haze ends." not in first
    assert later.index("Volley 3") < later.index("Ann's Haze ends.")


@pytest.mark.rules("sorcery.spell.the_fear")
def test_the_fear_costs_a_speaker_the_next_volley():
    """Steel 2 against hesitation 5."""
    fear = mage({"name": "The Fear", "origin": "Presence", "duration": "Instantaneous"})
    answers = {"ann/act": "spell:the_fear"}
    scripts = (("other", "avoid", "avoid"), ("avoid", "point", "avoid"))
    said = told(scripts, [2, 2, 2], answers, hall(fear))
    assert "Bob loses the next volley." in said
    assert "Bob, Point" not in said


@pytest.mark.rules("faith.prayer.hindrance_effect")
def test_a_prayer_takes_the_place_of_an_action():
    answers = {"ann/act": "pray", "ann/prayer": "hindrance"}
    scripts = (("other", "avoid", "avoid"), ("avoid", "point", "avoid"))
    said = told(scripts, [4], answers, hall(PRIEST, scene=CHURCH))
    assert "Bob can neither move nor act" in said
    assert "Bob, Point" not in said


@pytest.mark.rules("faith.conflict.spellbreaker", "sorcery.interrupt.tax")
def test_a_minor_miracle_breaks_off_a_long_spell_unless_it_comes_too_late():
    """One volley of three was done: a third of Ob 4, rounded up, is Ob 2.

    Of two volleys the second is that of the casting, and the spell is cast all the same.
    """
    answers = {"ann/act": "pray", "ann/prayer": "minor_miracle", "ann/wonder": "casting:bob"}
    answers["bob/act"] = "spell:arcane_kindness"
    scripts = (("avoid", "other", "avoid"), ("other", "other", "avoid"))
    slow = mage({"name": "Arcane Kindness", "actions": 60})
    said = told(scripts, [5, 2, [4]], answers, hall(PRIEST, slow, scene=CHURCH))
    assert "Bob's Arcane Kindness is interrupted." in said
    assert "Bob rolls 6D = 6 Forte against Ob 2 = 2 part of Arcane Kindness" in said
    assert said.count("is interrupted") == 1
    shorter = mage({"name": "Arcane Kindness", "actions": 40})
    said = told(scripts, [4, 4], answers, hall(PRIEST, shorter, scene=CHURCH))
    assert "Ann's prayer comes too late." in said
    assert "Bob casts Arcane Kindness." in said


@pytest.mark.rules("faith.amb.spellbreaker_backlash")
def test_a_prayer_may_neutralise_a_long_spell_without_harm():
    """Neither Tax nor a Failed Casting for Bob, and nothing is cast."""
    answers = {"ann/act": "pray", "ann/prayer": "minor_miracle", "ann/wonder": "neutral:bob"}
    answers["bob/act"] = "spell:arcane_kindness"
    scripts = (("avoid", "other", "avoid"), ("other", "other", "avoid"))
    slow = mage({"name": "Arcane Kindness", "actions": 60})
    said = told(scripts, [5], answers, hall(PRIEST, slow, scene=CHURCH))
    assert "Bob's Arcane Kindness comes to nothing." in said
    assert "interrupted" not in said
    assert "Forte against" not in said


# --- Spell and counter-spell -------------------------------------------------------------------

FIRE = {
    "name": "Bolt", "obstacle": 2, "actions": 5, "origin": "Sight", "area": "Single Target",
    "duration": "Instantaneous", "element": "Fire", "impetus": "Destroy",
}  # fmt: skip
RAIN = {
    "name": "Rain", "obstacle": 2, "actions": 5, "origin": "Presence", "area": "Presence",
    "duration": "Instantaneous", "element": "Water", "impetus": "Create", "up": True,
}  # fmt: skip
TOLERANCES = ["B3", "B5", "B7", "B8", "B9", "B10"]
BOTH = (("other", "avoid", "avoid"), ("other", "avoid", "avoid"))


def two_mages(counters: str, rolls: list[Any], rain: dict[str, Any] = RAIN) -> str:
    at = hall(mage(FIRE, tolerances=TOLERANCES), mage(rain, tolerances=TOLERANCES))
    answers = {"ann/act": "spell:bolt", "bob/act": "spell:rain", "bob/counter_spell": counters}
    return told(BOTH, rolls, answers, at)


@pytest.mark.rules("sorcery.counter.timing", "sorcery.counter.subtract", "sorcery.counter.negated")
def test_two_spells_of_a_volley_meet_as_spell_and_counter_spell():
    """Rain's 5 against Ob 2 are 3 over: the Bolt's 4 become 1, below its Ob 2."""
    said = two_mages("ann", [4, 2, 5, 2])
    assert "The counter-spell cancels 3 successes." in said
    assert "Bolt is negated." in said
    assert "wound" not in said


@pytest.mark.rules("sorcery.counter.reduced")
def test_what_the_counter_spell_leaves_takes_effect_in_the_duel():
    """Rain's 3 are 1 over: 4 - 1 = 3 remain of the Bolt, which hurts."""
    said = two_mages("ann", [4, 2, 3, 2, [3], 5])
    assert "3 successes remain." in said
    assert "Bob takes" in said


@pytest.mark.rules("sorcery.counter.principle")
def test_two_spells_that_do_not_meet_have_their_own_effects_after_both_rolls():
    said = two_mages("none", [4, 2, 3, 2, [3], 5])
    assert "counter-spell" not in said
    assert said.index("Ann rolls 9D") < said.index("Bob rolls 9D") < said.index("Bob takes")


@pytest.mark.rules("faith.prayer.aid_waits", "faith.prayer.aid")
def test_an_aid_counts_for_one_roll_of_the_duel_alone():
    """Two dice for Oratory wait: Ann's first Point has 7D, the second 5D."""
    aid = {"prayer": "aid", "ability": "Oratory", "dice": 2}
    at = hall({**SPEAKER, "prayers": [aid]})
    scripts = (("point", "point", "avoid"), ("avoid", "avoid", "avoid"))
    said = told(scripts, None, {}, at)
    points = [line for line in said.splitlines() if line.startswith("Ann, Point, rolls")]
    assert [line.partition(" rolls ")[2].partition(" ")[0] for line in points] == ["7D", "5D"]


@pytest.mark.rules("faith.prayer.aid_waits")
def test_of_the_two_rolls_of_a_feint_an_aid_helps_one():
    aid = {"prayer": "aid", "ability": "Soothing Platitudes", "dice": 2}
    at = hall({**SPEAKER, "prayers": [aid]})
    scripts = (("feint", "avoid", "avoid"), ("obfuscate", "avoid", "avoid"))
    answers = {"ann/concede": True}
    played = argue([scripts[0]], [scripts[1]], None, answers, at)
    pools = [
        roll.expression.dice.black
        for roll in played.rolls
        if roll.label.startswith("Ann, Feint, Soothing")
    ]
    assert pools == [7, 5]
