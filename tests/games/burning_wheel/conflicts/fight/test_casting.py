"""Spells in a fight: cast action by action, interrupted, countered, and what they do.

Ann is a sorcerer with Sorcery, Will and Forte of B4, so that a casting is 8D and Tax 4D. All
numbers are reckoned from the rules: damage from half of Will for Shards (2, and 1 for every two
successes in its effect), the share of Tax from the actions that were done.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight.casting import cast_on, interrupt, take_effects
from astragal.games.burning_wheel.conflicts.fight.hesitation import hesitate
from astragal.games.burning_wheel.conflicts.fight.script import ask_script, cards_of
from astragal.games.burning_wheel.conflicts.fight.state import FightDeed, Lock
from games.burning_wheel import in_a_fight
from games.burning_wheel.fighting import fight, fighter, ring

SHARDS = {
    "name": "Shards",
    "actions": 2,
    "origin": "Sight",
    "area": "Single Target",
    "duration": "Instantaneous",
}
FEAR = {"name": "The Fear", "origin": "Presence", "duration": "Instantaneous"}
WARD = {
    "name": "Turn Aside the Blade",
    "actions": 1,
    "origin": "Personal",
    "area": "Caster",
    "element": "Air",
    "impetus": "Control",
}
BLOCKS = ("stay", "block", "stay", "block", "stay", "block")
FIRST = [2, 1]
"""The first positioning test, which Ann wins: both begin at optimal distance."""


def mage(*spells: Any, **more: Any) -> dict[str, Any]:
    sheet = fighter(**more)
    skills = {**sheet["skills"], "Sorcery": "B4"}
    return {"idiom": "speech", "traits": ["Gifted"], **sheet, "skills": skills, "spells": spells}


def casts(*cards: str) -> tuple[str, ...]:
    """A script of one action in each volley, in which everybody Maintains."""
    return tuple(part for card in cards for part in ("maintain", card))


# --- Cards ---------------------------------------------------------------------------------


@pytest.mark.rules("sorcery.sequence.declare", "fight.magic.incant_cost")
def test_each_spell_that_can_be_cast_has_a_card_and_the_others_their_reason():
    unread = {**WARD, "stage": "unread"}
    book = mage(SHARDS, unread, {"name": "Chameleon", "obstacle": 3})
    at = in_a_fight.fight(ann=book)
    cards = {card.key: card for card in cards_of(at, "ann")}
    assert cards["incant:shards"].cost == "2 actions"
    assert not {"incant", "incant:chameleon", "incant:turn_aside_the_blade"} & set(cards)
    question = ask_script(at, "ann").question
    with pytest.raises(BadInput, match="actions are not known"):
        question.check(casts("incant:chameleon", "block", "block"))
    with pytest.raises(BadInput, match="First Reading"):
        question.check(casts("incant:turn_aside_the_blade", "block", "block"))
    plain = in_a_fight.fight(ann={**book, "traits": []})
    assert "incant:shards" not in {card.key for card in cards_of(plain, "ann")}


@pytest.mark.rules("fight.magic.casting_positioning", "sorcery.time.fight_maintain_only")
def test_who_casts_may_only_maintain():
    question = ask_script(in_a_fight.fight(ann=mage(SHARDS)), "ann").question
    for card in ("incant:shards", "hold_spell"):
        with pytest.raises(BadInput, match=r"fight\.magic\.casting_positioning"):
            question.check(("close", card, "maintain", "block", "maintain", "block"))


# --- From the first action to the effect ---------------------------------------------------


@pytest.mark.rules("sorcery.time.fight", "sorcery.sequence.full_order", "sorcery.destroy.ims")
def test_a_spell_is_rolled_with_its_last_action_and_hurts_its_target():
    """5 against Ob 2: 3 over, so Mark 2 + 1 = 3; the Die of Fate says Superb, 4: a Superficial."""
    scripts = {"ann": [casts("incant:shards", "incant:shards", "block")], "bob": [BLOCKS]}
    played = fight(scripts, [*FIRST, 5, 2, [5]], {}, ring(ann=mage(SHARDS)))
    said = played.told
    assert said.index("Volley 1") < said.index("Ann is casting Shards: 1 action to go.")
    assert said.index("Volley 2") < said.index("Ann rolls 8D = 4 Sorcery + 4 Will against Ob 2")
    assert "Bob: Superb, B4 to the torso, VA 0." in said
    assert "Bob takes a Superficial wound at B4: +1 Ob." in said
    assert not played.table.character("ann").forte_tax


@pytest.mark.rules("sorcery.cast.pool", "faith.prayer.blessing")
def test_a_blessed_will_counts_in_the_fight_and_as_long_as_it_lasts():
    blessing = {"prayer": "blessing", "ability": "Will", "dice": 1}
    at = ring(ann=mage(SHARDS, prayers=[blessing]))
    scripts = {"ann": [casts("incant:shards", "incant:shards", "block")], "bob": [BLOCKS]}
    played = fight(scripts, [*FIRST, 5, 2, [5]], {}, at)
    assert "Ann rolls 9D = 4 Sorcery + 4 Will + 1 Blessing: Will against Ob 2" in played.told
    assert "blessing_over" not in played.asked


@pytest.mark.rules("sorcery.time.carries_over")
def test_a_long_spell_goes_on_in_the_next_exchange():
    longer = mage({**SHARDS, "actions": 5})
    scripts = {
        "ann": [casts(*("incant:shards",) * 3), casts("incant:shards", "incant:shards", "block")],
        "bob": [BLOCKS, BLOCKS],
    }
    said = fight(scripts, [*FIRST, 2, 2, [1]], {}, ring(ann=longer)).told
    assert said.index("Exchange 2") < said.index("1 action to go") < said.index("Ann rolls 8D")
    assert said.count("Ann: casts Shards") == 1


@pytest.mark.rules("sorcery.method.declare_before_positioning", "sorcery.method.hastily")
def test_haste_saves_an_action_for_an_obstacle():
    """Two actions less one: rolled in the first volley, at Ob 2 + 1; Tax stays at 2."""
    scripts = {"ann": [casts("incant:shards", "block", "block")], "bob": [BLOCKS]}
    answers = {"ann/casting_method": "hastily:1"}
    said = fight(scripts, [*FIRST, 3, 2, [1]], answers, ring(ann=mage(SHARDS))).told
    assert "against Ob 3 = 2 Shards + 1 hastily" in said
    assert said.index("Ann rolls 8D") < said.index("Volley 2")
    assert "Ann rolls 4D = 4 Forte against Ob 2" in said


@pytest.mark.rules("sorcery.method.carefully")
def test_care_takes_twice_as_many_actions_for_each_die():
    quick = mage({**SHARDS, "actions": 1})
    scripts = {"ann": [casts("incant:shards", "incant:shards", "block")], "bob": [BLOCKS]}
    answers = {"ann/casting_method": "carefully:1"}
    said = fight(scripts, [*FIRST, 2, 2, [1]], answers, ring(ann=quick)).told
    assert "Ann rolls 9D = 4 Sorcery + 4 Will + 1 carefully against Ob 2" in said


@pytest.mark.rules("sorcery.amb.avoid_then_cast")
def test_an_avoid_in_the_same_volley_makes_the_casting_harder_but_not_tax():
    quick = ring(ann=mage({**SHARDS, "actions": 1}, Reflexes="B4"))
    script = ("maintain", "avoid", "incant:shards", "maintain", "block", "maintain", "block")
    said = fight({"ann": [script], "bob": [BLOCKS]}, [*FIRST, 3, 2, [1]], {}, quick).told
    assert "against Ob 3 = 2 Shards + 1 Avoids in this volley" in said
    assert "4 Forte against Ob 2 = 2 Shards" in said


@pytest.mark.rules("sorcery.tax.zero_unconscious")
def test_whom_tax_fells_is_out_of_the_fight_but_the_spell_takes_effect():
    hard = mage({**SHARDS, "obstacle": 5, "actions": 1}, Health="B4")
    scripts = {"ann": [casts("incant:shards", "block", "block")], "bob": [BLOCKS]}
    played = fight(scripts, [*FIRST, 5, 1, [3], 0, 0, 0, 0], {}, ring(ann=hard))
    assert "Ann is out of the fight: unconscious" in played.told
    assert "Bob: Mark, B2 to the torso" in played.told
    assert played.outcome.winner == 1


@pytest.mark.rules("sorcery.spell.the_fear", "sorcery.ex.the_fear_on_sister")
def test_the_fear_makes_its_victim_hesitate_in_actions():
    """Steel 2 against hesitation 6 (10 - Will 4): Bob loses four actions."""
    scripts = {"ann": [casts("incant:the_fear", "block", "block")], "bob": [BLOCKS]}
    said = fight(scripts, [*FIRST, 2, 2, 2], {}, ring(ann=mage(FEAR))).told
    assert "Bob: 2 successes. Hesitates for 4 heartbeats." in said
    assert "Volley 3. Ann: Maintain; Block; Bob: hesitates" in said
    assert "Exchange 2. Bob cannot act at first." in said


@pytest.mark.rules("sorcery.amb.touch_in_fight")
@pytest.mark.parametrize(("distance", "touched"), [("optimal", False), ("inside", True)])
def test_a_touch_needs_the_distance_of_a_bare_hand(distance: str, touched: bool):
    """At the optimal distance of a sword a bare hand does not reach; inside it does."""
    touch = {**SHARDS, "origin": "Personal", "actions": 1}
    at = ring(ann=mage(touch), bob=fighter("dagger"))
    first = "close" if distance == "inside" else "stay"
    scripts = {
        "ann": [(first, "block", "maintain", "incant:shards", "stay", "block")],
        "bob": [BLOCKS],
    }
    rolls = [*FIRST, 2, 2, *([[3]] if touched else [])]
    said = fight(scripts, rolls, {}, at).told
    assert ("Ann cannot touch Bob." in said) is not touched
    assert ("Bob: Mark" in said) is touched


# --- Interrupted ---------------------------------------------------------------------------


@pytest.mark.rules(
    "sorcery.interrupt.ruins",
    "sorcery.interrupt.tax",
    "sorcery.interrupt.failed_casting",
    "sorcery.interrupt.causes",
    "sorcery.ex.interrupt_half_done",
)
def test_a_wound_breaks_off_a_spell_at_the_cost_of_the_part_that_was_done():
    """One of two actions: half of Ob 2, and the Superficial wound adds its own obstacle."""
    scripts = {
        "ann": [casts("incant:shards", "block", "block")],
        "bob": [("stay", "strike", "stay", "block", "stay", "block")],
    }
    said = fight(scripts, [*FIRST, 1, 2, [3]], {}, ring(ann=mage(SHARDS))).told
    assert "Ann's Shards is interrupted." in said
    assert "Ann rolls 4D = 4 Forte against Ob 2 = 1 part of Shards + 1 Superficial wound" in said
    assert "Harmless Dissipation" in said
    assert "8D" not in said


@pytest.mark.rules("sorcery.interrupt.causes", "injury.superficial.three_is_light")
def test_the_third_superficial_wound_breaks_off_a_spell_as_any_other():
    """Three become one Light wound; Steel holds, 2 against a hesitation of 1."""
    hurt = mage(SHARDS, Will="B9", wounds=["superficial", "superficial"])
    scripts = {
        "ann": [casts("incant:shards", "block", "block")],
        "bob": [("stay", "strike", "stay", "block", "stay", "block")],
    }
    said = fight(scripts, [3, 1, 1, 2, 1, [3]], {}, ring(ann=hurt)).told
    first = said.partition("Volley 2")[0]
    assert "Three Superficial wounds count as one Light wound." in first
    assert "Ann's Shards is interrupted." in first
    assert "against Ob 1 = 1 part of Shards" in first


@pytest.mark.rules("sorcery.amb.interrupt_rounding")
def test_before_its_first_action_a_spell_costs_nothing():
    """Hurt in the first action, Ann begins the spell with the second; the next wound ends it.

    Shards of four actions, of which two are done by then: half of Ob 2.
    """
    at = ring(ann=mage({**SHARDS, "actions": 4}, Reflexes="B4"), bob=fighter(Reflexes="B4"))
    scripts = {
        "ann": [("maintain", "push", "incant:shards", *casts("incant:shards", "push"))],
        "bob": [("stay", "strike", "block", "stay", "strike", "stay", "block")],
    }
    said = fight(scripts, [*FIRST, 0, 0, 1, 1, 2, [4], 0, 0], {}, at).told
    first, _, second = said.partition("Volley 2")
    assert "Ann takes a Superficial wound" in first
    assert "interrupted" not in first
    assert "Forte against Ob 2 = 1 part of Shards + 1 Superficial wounds" in second


def test_a_spell_that_is_completed_in_the_moment_of_the_wound_is_cast():
    quick = ring(ann=mage({**SHARDS, "actions": 1}))
    scripts = {
        "ann": [casts("incant:shards", "block", "block")],
        "bob": [("stay", "strike", "stay", "block", "stay", "block")],
    }
    said = fight(scripts, [*FIRST, 4, 2, 1, [3]], {}, quick).told
    assert "interrupted" not in said
    assert "Bob hits Ann" in said
    assert "Bob: Mark, B3" in said
    assert "Ann rolls 8D = 4 Sorcery + 4 Will against Ob 2 = 2 Shards" in said  # not hurt yet


@pytest.mark.rules("fight.magic.incant_cost")
def test_who_does_something_else_has_broken_off_the_spell():
    scripts = {"ann": [casts("incant:shards", "block", "block")], "bob": [BLOCKS]}
    said = fight(scripts, [*FIRST, 1, [4]], {}, ring(ann=mage(SHARDS))).told
    assert "Ann does not go on with Shards." in said
    assert "Ann rolls 4D = 4 Forte against Ob 1 = 1 part of Shards" in said


@pytest.mark.rules("sorcery.interrupt.causes")
def test_a_lock_restrains_and_a_fall_interrupts_unless_the_gm_says_no():
    """A Lock of two dice; a Push by four, down. In both one of two actions was done: Tax Ob 1."""
    locked = {
        "ann": [casts("incant:shards", "block", "block")],
        "bob": [("stay", "lock", "stay", "block", "stay", "block")],
    }
    said = fight(locked, [*FIRST, 4, 0, 1, [4]], {}, ring(ann=mage(SHARDS))).told
    assert said.index("Bob holds Ann") < said.index("Ann's Shards is interrupted.")
    pushed = {"ann": locked["ann"], "bob": [("stay", "push", "stay", "block", "stay", "block")]}
    down = {"bob/push": "down1_back1"}
    for rolls, answer in (([1, [4]], True), ([1, [4]], False)):
        answers = {**down, "gm/interrupts": answer}
        said = fight(pushed, [*FIRST, 4, 0, *rolls], answers, ring(ann=mage(SHARDS))).told
        at_once = said.partition("Volley 2")[0]
        assert ("interrupted" in at_once) is answer  # if not, the Block of the next volley does


@pytest.mark.rules("sorcery.interrupt.causes")
def test_the_gm_may_rule_that_something_else_interrupts():
    scripts = {"ann": [casts("incant:shards", "block", "block")], "bob": [BLOCKS]}
    answers = {"gm/other_interruption": True}
    said = fight(scripts, [*FIRST, 1, [4]], answers, ring(ann=mage(SHARDS))).told
    assert said.index("Volley 2") < said.index("Ann's Shards is interrupted.")


@pytest.mark.rules("sorcery.obstacle.target_stat")
@pytest.mark.parametrize("reached", [True, False])
def test_the_stat_of_the_target_is_the_obstacle_even_where_the_spell_does_not_reach_it(
    reached: bool,
):
    """Bob's Will is 4: Ob 4 for casting and Tax; unseen, he is not hurt by it."""
    grip = {**SHARDS, "name": "Grip", "actions": 1, "obstacle": "target's Will"}
    scripts = {"ann": [casts("incant:grip", "block", "block")], "bob": [BLOCKS]}
    rolls = [*FIRST, 4, 4, *([[3]] if reached else [])]
    harms = mage({**grip, "impetus": "Destroy"})
    said = fight(scripts, rolls, {"gm/in_reach": reached}, ring(ann=harms)).told
    assert "Ann rolls 8D = 4 Sorcery + 4 Will against Ob 4 = 4 Grip: target's Will" in said
    assert "Ann rolls 4D = 4 Forte against Ob 4" in said
    assert ("Bob: Mark" in said) is reached


@pytest.mark.rules("sorcery.obstacle.caster_stat")
def test_a_spell_that_needs_a_stat_of_its_caster_cannot_be_cast_without_it():
    own = {**SHARDS, "name": "Inner Eye", "obstacle": "caster's Faith"}
    at = in_a_fight.fight(ann=mage(own))
    assert "incant:inner_eye" not in {card.key for card in cards_of(at, "ann")}
    with pytest.raises(BadInput, match="Faith, which is not on the sheet"):
        ask_script(at, "ann").question.check(casts("incant:inner_eye", "block", "block"))


# --- Coup de Magie -------------------------------------------------------------------------


@pytest.mark.rules("sorcery.coup.hold", "sorcery.coup.concentration", "sorcery.coup.full_focus")
def test_the_end_of_a_spell_is_withheld_and_released():
    """Will 4: four actions are free; a test at Ob 1 is for the fifth and the three after it."""
    holding = ("hold_spell",) * 3
    scripts = {
        "ann": [
            casts("incant:shards", "hold_spell", "hold_spell"),
            casts(*holding),
            casts("hold_spell", "incant:shards", "block"),
        ],
        "bob": [BLOCKS] * 3,
    }
    at = ring(ann=mage(SHARDS))
    said = fight(scripts, [*FIRST, 1, 4, 2, [4]], {}, at).told
    assert said.count("Ann holds Shards.") == 6
    assert "Ann rolls 4D = 4 Will against Ob 1 = 1 Coup de Magie" in said
    assert said.index("Exchange 3") < said.index("Ann rolls 8D")
    lost = {"ann": [*scripts["ann"][:2], casts("block", "block", "block")], "bob": [BLOCKS] * 3}
    said = fight(lost, [*FIRST, 0], {}, at).told
    assert "Shards is lost." in said
    assert "interrupted" not in said


@pytest.mark.rules("sorcery.coup.distracted", "sorcery.amb.coup_distracted_failed_casting")
def test_who_is_hurt_while_holding_a_spell_pays_for_all_of_it():
    scripts = {
        "ann": [casts("incant:shards", "hold_spell", "block")],
        "bob": [("stay", "block", "stay", "strike", "stay", "block")],
    }
    said = fight(scripts, [*FIRST, 1, 3, [4]], {}, ring(ann=mage(SHARDS))).told
    assert "Forte against Ob 3 = 2 part of Shards + 1 Superficial wound" in said


def test_there_is_nothing_to_hold_before_the_last_action():
    scripts = {"ann": [casts("hold_spell", "block", "block")], "bob": [BLOCKS]}
    said = fight(scripts, FIRST, {}, ring(ann=mage(SHARDS))).told
    assert "Ann: no spell to hold; the action is lost." in said
    early = {"ann": [casts("incant:shards", "hold_spell", "block")], "bob": [BLOCKS]}
    said = fight(early, [*FIRST, 4, [6]], {}, ring(ann=mage({**SHARDS, "actions": 3}))).told
    assert "Ann: Shards cannot be held yet: 2 actions to go; the action is lost." in said


@pytest.mark.rules("sorcery.coup.hold", "sorcery.amb.coup_roll_and_release")
def test_a_spell_of_one_action_is_held_from_the_start():
    """Its only action is the last one: the card names it, and to Incant it is the release."""
    ann = mage(FEAR, SHARDS, {**SHARDS, "name": "Long Shards", "actions": 3, "obstacle": 2})
    cards = {card.key: card.label for card in cards_of(in_a_fight.fight(ann=ann), "ann")}
    assert cards["hold_spell:the_fear"] == "Hold The Fear (Coup de Magie)"
    assert "hold_spell:shards" in cards  # two actions, or one in haste
    assert "hold_spell:long_shards" not in cards
    holding = casts("hold_spell:the_fear", "hold_spell:the_fear", "hold_spell")
    scripts = {
        "ann": [holding, casts("hold_spell", "hold_spell", "incant:the_fear")],
        "bob": [BLOCKS] * 2,
    }
    said = fight(scripts, [*FIRST, 1, 4, 2, 4], {}, ring(ann=ann)).told
    assert said.count("Ann holds The Fear.") == 5
    assert "Ann rolls 4D = 4 Will against Ob 1 = 1 Coup de Magie" in said
    assert said.count("Ann rolls 8D = 4 Sorcery + 4 Will against Ob 2") == 1
    will = said.index("Ann rolls 4D = 4 Will")
    assert said.index("Exchange 2") < will < said.index("Ann rolls 8D")


@pytest.mark.rules("sorcery.coup.hold", "sorcery.method.hastily")
def test_haste_brings_a_spell_of_two_actions_to_the_one_that_is_held():
    """Nobody is asked how: Ob 2 + 1 for the action that was taken off, at the release."""
    scripts = {"ann": [casts("hold_spell:shards", "incant:shards", "block")], "bob": [BLOCKS]}
    said = fight(scripts, [*FIRST, 3, 2, [1]], {}, ring(ann=mage(SHARDS))).told
    assert said.index("Ann holds Shards.") < said.index("against Ob 3 = 2 Shards + 1 hastily")


@pytest.mark.rules("sorcery.coup.distracted", "sorcery.interrupt.causes")
def test_who_is_hurt_while_holding_a_short_spell_pays_for_all_of_it():
    scripts = {
        "ann": [casts("hold_spell:the_fear", "block", "block")],
        "bob": [("stay", "strike", *BLOCKS[2:])],
    }
    said = fight(scripts, [*FIRST, 1, 3, [4]], {}, ring(ann=mage(FEAR))).told
    assert "Ann's The Fear is interrupted." in said
    assert "Forte against Ob 3 = 2 part of The Fear + 1 Superficial wound" in said


@pytest.mark.rules("sorcery.interrupt.ruins", "sorcery.interrupt.tax")
def test_who_turns_to_another_spell_has_broken_off_the_first():
    """One of four actions of Ob 4 was done: Tax at Ob 1, then a Failed Casting, then The Fear."""
    first = {**SHARDS, "actions": 4, "obstacle": 4}
    scripts = {"ann": [casts("incant:shards", "incant:the_fear", "block")], "bob": [BLOCKS]}
    said = fight(scripts, [*FIRST, 1, [4], 2, 2, 4], {}, ring(ann=mage(first, FEAR))).told
    assert "Ann's Shards is interrupted." in said
    assert "Forte against Ob 1 = 1 part of Shards" in said
    assert said.index("part of Shards") < said.index("Ann rolls 8D")


# --- Sustained spells ----------------------------------------------------------------------


@pytest.mark.rules(
    "sorcery.spell.turn_aside_the_blade",
    "sorcery.sustain.concentration_test",
    "sorcery.sustain.may",
)
def test_a_spell_that_turns_aside_blades_is_sustained_until_a_wound_breaks_it():
    """6 against Ob 4: +2 Ob to Bob's Strike, whose 4 just hit; then Will, 3D against Ob 4."""
    at = ring(ann=mage(WARD, Forte="B6"))
    scripts = {
        "ann": [casts("incant:turn_aside_the_blade", "block", "strike")],
        "bob": [("stay", "block", "stay", "strike", "stay", "block")],
    }
    said = fight(scripts, [*FIRST, 6, 4, 4, 0, 2, 0, 0], {}, at).told
    assert "against Ob 3 = 1 base obstacle + 2 Turn Aside the Blade" in said
    assert "Ann must test Will to keep up 1 spell." in said
    assert "Ann rolls 3D = 4 Will - 1 Turn Aside the Blade against Ob 5" in said
    assert "Ann's Turn Aside the Blade ends." in said


@pytest.mark.rules("sorcery.sustain.may_not", "sorcery.sustain.concentration_test")
@pytest.mark.parametrize("hard", [True, False])
def test_a_hard_fall_threatens_sustained_spells(hard: bool):
    """A Push by four, down; Will 4D less the die set aside, 3D against Ob 2."""
    kept = {"name": "Haze", "obstacle": 2, "lasts": "Sustained"}
    at = ring(ann={**mage(WARD, Forte="B6"), "active_spells": [kept]})
    scripts = {"ann": [BLOCKS], "bob": [("stay", "push", *BLOCKS[2:])]}
    answers = {"bob/push": "down1_back1", "gm/fell_hard": hard}
    played = fight(scripts, [*FIRST, 4, 0, *([1] if hard else [])], answers, at)
    assert ("Ann rolls 3D = 4 Will - 1 Haze against Ob 2" in played.told) is hard
    assert bool(played.table.character("ann").active_spells) is not hard


@pytest.mark.rules("sorcery.sustain.drop_action", "fight.magic.drop_spell")
def test_a_spell_is_dropped_with_an_action():
    at = ring(ann=mage(WARD, Forte="B6"))
    scripts = {
        "ann": [
            casts("incant:turn_aside_the_blade", "block", "block"),
            casts("drop_spell:turn_aside_the_blade", "block", "block"),
        ],
        "bob": [BLOCKS, BLOCKS],
    }
    played = fight(scripts, [*FIRST, 6, 4], {}, at)
    assert "Ann's Turn Aside the Blade ends." in played.told
    assert not played.table.character("ann").active_spells


@pytest.mark.rules("sorcery.duration.elapsed_base", "sorcery.duration.elapsed_extend")
def test_a_spell_that_lasts_for_exchanges_ends_with_them():
    """Cast in the first exchange with one success for duration: it lasts through the third."""
    haze = {
        **WARD,
        "name": "Haze",
        "obstacle": 2,
        "up": False,
        "duration": "exchanges",
        "does": "none",
    }
    scripts = {"ann": [casts("incant:haze", "block", "block"), BLOCKS, BLOCKS], "bob": [BLOCKS] * 3}
    at = ring(ann=mage(haze))
    played = fight(scripts, [*FIRST, 3, 2], {}, at)
    assert "Haze lasts 2 exchanges." in played.told
    assert played.told.index("Exchange 3") < played.told.index("Ann's Haze ends.")
    assert played.told.index("Ann's Haze ends.") < played.told.index("Exchange 4")


# --- Locked --------------------------------------------------------------------------------


@pytest.mark.rules("fight.lock.penalty_on_actions", "fight.lock.skill_zero")
def test_a_lock_takes_dice_from_a_casting_and_from_tax():
    """8D and 4D, less two each; a Lock of four leaves no Sorcery at all."""
    bolt = {**SHARDS, "actions": 1}
    deed = FightDeed("ann", "incant:shards", "incant:shards")
    at = in_a_fight.fight(ann=mage(bolt))
    held = msgspec.structs.replace(at, locks=(Lock("bob", "ann", 2),))
    cast = in_a_fight.run(cast_on, held, (deed,), rolls=[3, 2])
    assert "Ann rolls 6D = 4 Sorcery + 4 Will - 2 Lock against Ob 2" in cast.told
    assert "Ann rolls 2D = 4 Forte - 2 Lock against Ob 2" in cast.told
    free = in_a_fight.run(cast_on, at, (deed,), rolls=[3, 2]).told
    assert "Ann rolls 8D = 4 Sorcery + 4 Will against Ob 2" in free
    for dice, lost in ((3, False), (4, True)):
        fast = msgspec.structs.replace(at, locks=(Lock("bob", "ann", dice),))
        tried = in_a_fight.run(cast_on, fast, (deed,), rolls=[] if lost else [3, 1])
        assert ("no dice of Sorcery; the action is lost" in tried.told) is lost


@pytest.mark.rules("fight.lock.penalty_on_actions", "sorcery.interrupt.tax")
def test_a_lock_takes_dice_from_the_tax_of_what_it_interrupts():
    """One action of two at Ob 2 is Ob 1."""
    deed = FightDeed("ann", "incant:shards", "incant:shards")
    begun = in_a_fight.run(cast_on, in_a_fight.fight(ann=mage(SHARDS)), (deed,)).fight
    held = msgspec.structs.replace(begun, locks=(Lock("bob", "ann", 2),))
    told = in_a_fight.run(interrupt, held, "ann", "restrained", rolls=[1, [3]]).told
    assert "Ann rolls 2D = 4 Forte - 2 Lock against Ob 1" in told


# --- Thrown --------------------------------------------------------------------------------

GALE = {
    "name": "Gale",
    "obstacle": "2^",
    "actions": 1,
    "origin": "Personal",
    "element": "Air",
    "impetus": "Control",
    "area": "Natural Effect",
    "duration": "Instantaneous",
}


def blown(at: Any, rolls: list[int], **said: Any) -> str:
    """Ann casts at Bob with six successes, four over, and what is told of it."""

    def cast(it: Any) -> Any:
        deed = FightDeed("ann", "incant:gale", "incant:gale")
        it = yield from cast_on(it, (deed,))
        return (yield from take_effects(it, {}))

    answers = {"spell_targets": ["bob"], **said}
    return in_a_fight.run(cast, at, answers=answers, rolls=[6, 2, *rolls]).told


@pytest.mark.rules("sorcery.natural_effect.control_resist", "fight.nd.none_when_hesitating")
def test_a_spell_that_throws_meets_the_natural_defenses_of_the_fight():
    """Four over against Speed or Power of four: a Lock, a stance and hesitation count."""
    at = in_a_fight.fight(ann=mage(GALE))
    free = blown(at, [3], resist_throw="Speed")
    assert "Bob rolls 4D = 4 Speed against Ob 4 = 4 the spell" in free
    assert "Thrown down, with 1 success." in free
    held = msgspec.structs.replace(at, locks=(Lock("cat", "bob", 2),))
    assert "Bob rolls 2D = 4 Speed - 2 Lock" in blown(held, [0], resist_throw="Speed")
    eager = at.change("bob", stance=Stance.AGGRESSIVE)
    slow = blown(eager, [3], resist_throw="Speed")
    assert "against Ob 6 = 4 the spell + 2 Aggressive stance" in slow
    assert "Thrown down, with 3 successes." in slow
    assert "against Ob 4 = 4 the spell" in blown(eager, [3], resist_throw="Power")
    for still in (hesitate(at, "bob", 2), msgspec.structs.replace(held, locks=(FAST,))):
        stunned = blown(still, [])
        assert "Bob has no Natural Defenses and is thrown down." in stunned


FAST = Lock("cat", "bob", 4)
"""A Lock that leaves nothing of Power and Speed."""
