"""Spells and prayers in a skirmish, reckoned by hand from the rules.

Ann has no bow; her Sorcery is B4 and her Will B5, so that a casting is 9D. Bob shoots.
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal.play import DecisionEvent
from games.burning_wheel.skirmishing import archer, field, skirmish

STAY = ["speed_maintain"] * 3
CHURCH = {"religions": [{"name": "the Church"}]}


def spell(**more: Any) -> dict[str, Any]:
    return {
        "name": "Bolt",
        "obstacle": 2,
        "actions": 9,
        "up": True,
        "origin": "Sight",
        "area": "Single Target",
        "duration": "Instantaneous",
        "element": "Fire",
        "impetus": "Destroy",
        **more,
    }


def wizard(*spells: Any, **more: Any) -> dict[str, Any]:
    made = archer("nothing", skills={"Sorcery": "B4"}, **more)
    return {**made, "traits": ["Gifted"], "idiom": "speech", "spells": list(spells)}


def priest(**more: Any) -> dict[str, Any]:
    made = archer("nothing", attributes={"Faith": "B5"}, **more)
    creed = {"text": "God is the father of us all.", "faith": "the Church"}
    return {**made, "traits": ["Faithful"], "beliefs": [creed]}


BOLT = {"ann/spell#1": "bolt", "bob/shoot": "hold"}


@pytest.mark.rules(
    "sorcery.time.volley_20",
    "sorcery.duel.rc_sight",
    "sorcery.duel.rc_win_spend_to_cast",
    "sorcery.duel.rc_other_actions",
)
def test_a_short_spell_is_cast_in_the_volley_that_is_won():
    """Speed 4 and 5D for Sight; won by 2: one success for the spell, one for a die of cover.

    4 against Ob 2: Mark 5 + 2 = 7; the Die of Fate says Incidental, 4.
    """
    rolls = [4, 2, 4, 2, [1], 0, 2, 0, 2]  # Bob's wound takes one of his successes later on
    played = skirmish([STAY], [STAY], rolls, BOLT, field(wizard(spell())))
    said = played.told
    covered = [event.ask for event in played.events if isinstance(event, DecisionEvent)]
    first = next(ask for ask in covered if ask.key == "cover_dice")
    assert (first.seat, first.question.most) == ("ann", 1)
    assert "Ann, Speed Maintain, rolls 9D = 4 Speed + 5 Sight origin" in said
    assert "Ann (4) beats Bob (2): 2 to spend." in said
    assert "Bob: Incidental, B4 to the torso" in said
    second = said.partition("Volley 2")[2]
    assert "Sight origin" not in second.partition("Volley 3")[0]  # nothing is cast in it
    assert "+ 1 cover" in second


@pytest.mark.rules("sorcery.duel.rc_lose")
def test_who_loses_the_position_does_not_cast():
    rolls = [1, 3, 0, 1, 0, 1]
    said = skirmish([STAY], [STAY], rolls, BOLT, field(wizard(spell()))).told
    assert "Sorcery" not in said.partition("Volley 1")[2].replace("(Sorcery B4)", "")
    assert "interrupted" not in said


@pytest.mark.rules("sorcery.duel.rc_tie")
def test_on_a_tie_a_spell_costs_nothing_and_ducking_makes_it_harder():
    answers = {"ann/spell#1": "bolt", "ann/tie_shot": "cast", "bob/tie_shot": "duck"}
    answers["bob/shoot"] = "hold"
    said = skirmish(
        [STAY], [STAY], [3, 3, 3, 2, [1], 0, 2, 0, 2], answers, field(wizard(spell()))
    ).told
    assert "against Ob 3 = 2 Bolt + 1 ducking" in said
    assert "Bob: Incidental, B3 to the torso" in said


@pytest.mark.rules("sorcery.amb.interrupt_rounding", "sorcery.interrupt.causes")
def test_a_spell_of_one_volley_is_half_done_when_an_arrow_breaks_it_off():
    """Half of Ob 3, rounded up: 2, and 1 for the Superficial wound."""
    answers = {"ann/spell#1": "bolt", "bob/shoot#2": "hold", "bob/shoot#3": "hold"}
    rolls = [1, 2, 2, [1], 3, [4], 0, 1, 0, 1]
    at = field(wizard(spell(obstacle=3)), archer(stats={"Power": "B4"}))
    said = skirmish([STAY], [STAY], rolls, answers, at).told
    assert "Ann's Bolt is interrupted." in said
    assert "Forte against Ob 3 = 2 part of Bolt + 1 Superficial wound" in said


@pytest.mark.rules("sorcery.interrupt.causes", "injury.superficial.three_is_light")
def test_the_third_superficial_wound_breaks_off_a_spell_as_any_other():
    answers = {"ann/spell#1": "bolt", "bob/shoot#2": "hold", "bob/shoot#3": "hold"}
    hurt = {**wizard(spell(obstacle=3)), "wounds": ["superficial", "superficial"]}
    at = field(hurt, archer(stats={"Power": "B4"}))
    rolls = [1, 2, 2, [1], 6, 3, [4], 0, 1, 0, 1]  # the sixth is Steel, which holds
    said = skirmish([STAY], [STAY], rolls, answers, at).told
    first = said.partition("Volley 2")[0]
    assert "Three Superficial wounds count as one Light wound." in first
    assert "Ann's Bolt is interrupted." in first


@pytest.mark.rules("sorcery.time.rc_over_20", "sorcery.time.rc_casting_volley_free")
def test_a_longer_spell_takes_a_volley_of_maintain_first():
    """30 actions: prepared in the first volley, cast in the second while Ann withdraws."""
    mine = ["speed_maintain", "speed_withdraw", "speed_maintain"]
    rolls = [3, 2, 4, 0, 4, 2, [1], 0, 2]
    answers = {"ann/spell#1": "bolt", "bob/shoot": "hold", "ann/cover_dice": 0}
    said = skirmish([mine], [STAY], rolls, answers, field(wizard(spell(actions=30)))).told
    first, _, second = said.partition("Volley 2")
    assert "4 Speed + 5 Sight origin" in first
    assert "Ann rolls 9D" not in first
    assert "Ann rolls 9D = 4 Sorcery + 5 Will against Ob 2" in second


@pytest.mark.rules("sorcery.time.rc_over_20")
def test_a_long_spell_is_not_begun_on_the_move_and_breaks_off_with_one():
    """41 actions: two volleys of Maintain. Ann closes in the second: a third of Ob 3 is Ob 1."""
    mine = ["speed_maintain", "speed_close", "speed_maintain"]
    answers = {"ann/spell#1": "bolt", "bob/shoot": "hold", "bob/aim_dice": 0, "bob/cover_dice": 0}
    at = field(wizard(spell(actions=41, obstacle=3)))
    said = skirmish([mine], [STAY], [0, 1, 1, [4], 0, 1, 0, 1], answers, at).told
    assert said.index("Volley 2") < said.index("Ann does not go on with Bolt.")
    assert "Forte against Ob 1 = 1 part of Bolt" in said
    close = ["speed_close", "speed_maintain", "speed_maintain"]
    moving = skirmish([close], [STAY], [0, 1] * 3, {"bob/shoot": "hold"}, at)
    assert moving.asked.count("spell") == 2  # not in the volley in which she closes


@pytest.mark.rules("sorcery.method.hastily", "sorcery.time.volley_20")
def test_haste_makes_a_long_spell_short_enough_to_be_cast_on_the_move():
    """22 actions less 2 fit into a volley: Ob 2 + 2, and Tax at 2 + 1."""
    mine = ["speed_withdraw", "speed_maintain", "speed_maintain"]
    answers = {"ann/spell#1": "bolt", "ann/casting_method": "hastily:2", "bob/shoot": "hold"}
    rolls = [4, 0, 4, 3, [1], 0, 2, 0, 2]
    said = skirmish([mine], [STAY], rolls, answers, field(wizard(spell(actions=22)))).told
    first = said.partition("Volley 2")[0]
    assert "against Ob 4 = 2 Bolt + 2 hastily" in first
    assert "4 Forte against Ob 3 = 2 Bolt + 1 hastily" in first
    slow = {"ann/spell#1": "bolt", "bob/shoot": "hold"}
    said = skirmish([mine], [STAY], [0, 1] * 3, slow, field(wizard(spell(actions=22)))).told
    assert "Bolt takes too long to be cast on the move." in said


@pytest.mark.rules("sorcery.duel.rc_presence", "sorcery.duel.fastest_spell")
def test_a_spell_from_the_presence_ignores_a_die_of_cover_and_the_faster_has_a_die():
    """In the first volley Bob wins two dice of cover; in the second one of them counts."""
    near = spell(origin="Presence")
    answers = {"ann/spell#2": "bolt", "bob/shoot": "hold", "bob/aim_dice": 0, "bob/cover_dice": 2}
    said = skirmish([STAY], [STAY], [0, 2, 0, 1, 0, 1], answers, field(wizard(near))).told
    second = said.partition("Volley 2")[2].partition("Volley 3")[0]
    assert "Ann, Speed Maintain, rolls 5D = 4 Speed + 1 Presence origin" in second
    assert "+ 1 cover" in second
    slow = {**wizard(spell(name="Slow", actions=12)), "weapons": []}
    both = {"ann/spell#1": "bolt", "bob/spell#1": "slow"}
    said = skirmish([STAY], [STAY], None, both, field(wizard(spell()), slow)).told
    assert "Ann, Speed Maintain, rolls 10D = 4 Speed + 5 Sight origin + 1 faster spell" in said


@pytest.mark.rules("sorcery.counter.timing", "sorcery.counter.negated")
def test_on_a_tie_two_sorcerers_may_meet_with_spell_and_counter_spell():
    rain = {**wizard(spell(name="Rain", element="Water", impetus="Create")), "weapons": []}
    answers = {
        "ann/spell#1": "bolt",
        "bob/spell#1": "rain",
        "ann/tie_shot": "cast",
        "bob/tie_shot": "cast",
        "bob/counter_spell": "ann",
    }
    rolls = [3, 3, 4, 2, 5, 2, 0, 1, 0, 1]
    said = skirmish([STAY], [STAY], rolls, answers, field(wizard(spell()), rain)).told
    assert "The counter-spell cancels 3 successes." in said
    assert "Bolt is negated." in said


@pytest.mark.rules("sorcery.duration.elapsed_base")
def test_a_spell_that_lasts_for_exchanges_ends_with_them():
    """Cast before the skirmish, with no success for duration: one whole exchange."""
    haze = {"name": "Haze", "obstacle": 2, "lasts": "Elapsed Time"}
    at = field(wizard(spell(), active_spells=[haze]))
    said = skirmish([STAY] * 2, [STAY] * 2, [0, 1] * 6, {"bob/shoot": "hold"}, at).told
    before, _, after = said.partition("Ann's Haze ends.")
    assert "Volley 3" in before
    assert "Volley 2" in after


@pytest.mark.rules("sorcery.shield.blasted_interrupts")
def test_a_shield_that_is_shot_away_interrupts_the_long_spell_behind_it():
    """Ann prepares 41 actions; in the second volley Bob's Bolt of 3 takes both dice of her shield.

    One of three volleys was done: a third of Ob 3 is Ob 1.
    """
    shield = {
        "name": "Eldritch Shield", "obstacle": 2, "lasts": "Sustained", "effect": 2,
        "does": "shield",
    }  # fmt: skip
    ann = wizard(spell(name="Slow", actions=41, obstacle=3), active_spells=[shield])
    bob = {**wizard(spell()), "weapons": []}
    answers = {"ann/spell#1": "slow", "bob/spell#2": "bolt"}
    rolls = [0, 0, 0, 1, 3, 2, [1], 1, [4], 0, 1]
    said = skirmish([STAY], [STAY], rolls, answers, field(ann, bob)).told
    assert "Ann's Eldritch Shield cancels 2 successes (0 dice left)." in said
    assert said.index("Eldritch Shield ends") < said.index("Ann's Slow is interrupted.")
    assert "Forte against Ob 1 = 1 part of Slow" in said


# --- Prayers -------------------------------------------------------------------------------


@pytest.mark.rules("faith.conflict.rc_dice", "faith.amb.rc_use", "faith.prayer.hindrance_effect")
def test_a_battle_prayer_helps_to_position_and_holds_its_foe_for_a_volley():
    """+1D for a Hindrance; won by 1, which the prayer costs. Ob 4 for one foe."""
    at = field(priest(), scene=CHURCH)
    answers = {"ann/prayer#1": "hindrance", "bob/shoot": "hold"}
    said = skirmish([STAY], [STAY], [3, 2, 4, 0, 0, 1], answers, at).told
    assert "Ann, Speed Maintain, rolls 5D = 4 Speed + 1 Hindrance" in said
    assert "Bob can neither move nor act" in said
    assert "Bob hesitates for 1 volley." in said


@pytest.mark.rules(
    "faith.conflict.rc_no_cover",
    "faith.amb.rc_no_cover_scope",
    "range_and_cover.amb.cover_vs_faith",
)
@pytest.mark.parametrize("fortifications", ["kept", "barred"])
def test_nobody_uses_or_gains_cover_against_a_battle_prayer(fortifications: str):
    options = {"faith_rc_fortification_dice": fortifications}
    at = field(priest(), scene=CHURCH, options=options)
    answers = {
        "ann/prayer#2": "minor_miracle",
        "bob/shoot": "hold",
        "bob/aim_dice": 0,
        "bob/cover_dice#1": 2,
    }
    strong = {"fortification": 3}
    played = skirmish([STAY], [STAY], [0, 2, 0, 2, 0, 1], answers, at, other=strong)
    one, two, three = played.told.split("Volley ")[1:4]
    assert "3 fortification" in one
    assert "cover" not in two.partition("Speed Maintain, rolls")[2]
    assert ("3 fortification" in two) is (fortifications == "kept")
    assert "2 cover" in three  # what was won before is kept by who Maintains


@pytest.mark.rules("faith.amb.rc_no_cover_scope", "range_and_cover.position.action_list")
@pytest.mark.parametrize(("prayer", "volleys"), [("none", 3), ("minor_miracle", 2)])
def test_in_the_volley_of_a_battle_prayer_its_opponent_can_buy_no_cover(prayer: str, volleys: int):
    """Bob wins the first volley by 2, Ann the others by 1, which buys no cover either way."""
    at = field(priest(), scene=CHURCH)
    answers = {"ann/prayer#1": prayer, "bob/shoot": "hold", "bob/aim_dice": 0}
    played = skirmish([STAY], [STAY], [0, 2, 1, 0, 1, 0], answers, at)
    assert played.asked.count("cover_dice") == volleys


@pytest.mark.rules("faith.conflict.spellbreaker")
def test_a_prayer_against_a_spell_that_is_cast_in_the_same_volley_comes_too_late():
    """Bob's long spell is ready in the second volley; on a tie he casts it while Ann prays."""
    bob = {**wizard(spell(actions=30)), "weapons": []}
    answers = {
        "bob/spell#1": "bolt",
        "ann/prayer#2": "minor_miracle",
        "ann/wonder": "casting:bob",
        "ann/tie_shot": "pray",
        "bob/tie_shot": "cast",
    }
    at = field(priest(), bob, scene=CHURCH)
    said = skirmish([STAY], [STAY], [0, 1, 3, 3, 2, 2, [1], 0, 1], answers, at).told
    assert "Ann's prayer comes too late." in said
    assert "interrupted" not in said
    assert said.count("Bob rolls 4D = 4 Forte") == 1


@pytest.mark.rules("faith.amb.spellbreaker_backlash")
def test_a_prayer_may_neutralise_a_long_spell_without_harm():
    """Bob has prepared one volley of three; he has neither Tax nor a Failed Casting."""
    bob = {**wizard(spell(actions=41)), "weapons": []}
    answers = {
        "bob/spell#1": "bolt",
        "ann/prayer#2": "minor_miracle",
        "ann/wonder": "neutral:bob",
    }
    at = field(priest(), bob, scene=CHURCH)
    said = skirmish([STAY], [STAY], [0, 1, 2, 1, 5, 0, 1], answers, at).told
    assert "Bob's Bolt comes to nothing." in said
    assert "interrupted" not in said
    assert "4 Forte" not in said


@pytest.mark.rules("faith.setup.believer_or_infidel", "faith.conflict.spellbreaker")
def test_a_prayer_does_not_end_the_casting_of_somebody_whom_the_faith_does_not_touch():
    scene = {"religions": [{"name": "the Church", "reach": "believers"}]}
    bob = {**wizard(spell(actions=41)), "weapons": []}
    answers = {
        "bob/spell#1": "bolt",
        "ann/prayer#2": "minor_miracle",
        "ann/wonder": "casting:bob",
        "gm/believes": False,
    }
    at = field(priest(), bob, scene=scene)
    said = skirmish([STAY], [STAY], [0, 1, 2, 1, 5, 0, 1, 2, 2, [1]], answers, at).told
    assert "The prayer does not touch Bob." in said
    assert "Bob rolls 9D = 4 Sorcery + 5 Will against Ob 2" in said
