"""Prayers in a fight: free of actions, rolled with the first one, and what they do there.

Ann is Faithful, with Faith B5; everybody else is as in the other fights.
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.magic.faith.in_conflict import prayers_here
from astragal.games.burning_wheel.magic.sorcery.in_conflict import PeopleAround
from games.burning_wheel.conflicts.fight.test_casting import BLOCKS, FIRST, SHARDS, casts, mage
from games.burning_wheel.fighting import FIGHTER, fight, fighter, ring, sides

PRIEST: dict[str, Any] = {
    **FIGHTER,
    "attributes": {**FIGHTER["attributes"], "Faith": "B5"},
    "traits": ["Faithful"],
    "beliefs": [{"text": "God is the father of us all.", "faith": "the Church"}],
}
QUIET = {"ann": [BLOCKS], "bob": [BLOCKS]}
CHURCH = {"religions": [{"name": "the Church"}]}


def church(options: Any = None, **others: Any) -> Any:
    return ring(options, CHURCH, ann=PRIEST, **others)


def prays(prayer: str, at: Any = None, rolls: Any = (), **more: Any) -> Any:
    """Ann prays in the first volley, while both block."""
    answers = {"ann/prayer#1": prayer, **more.pop("answers", {})}
    scripts = more.pop("scripts", QUIET)
    return fight(scripts, [*FIRST, *rolls], answers, at or church(), **more)


@pytest.mark.rules(
    "faith.conflict.fight_tandem",
    "faith.prayer.hindrance_effect",
    "faith.amb.prayer_timing_in_fight",
)
def test_a_hindrance_costs_its_victim_actions_from_the_next_one_on():
    """Ob 4 against one foe; half of Faith 5, rounded down: two actions, the second and third."""
    played = prays("hindrance", rolls=[4], answers={"ann/speech#1": "Lord, stay their hands!"})
    said = played.told
    assert "Ann prays for Hindrance: Lord, stay their hands!" in said
    assert "Bob can neither move nor act for 2 actions." in said
    assert "Volley 2. Ann: Let them come; Block; Bob: hesitates." in said
    assert "Volley 3. Ann: Let them come; Block; Bob: hesitates." in said
    assert "Exchange 2.\n" in said  # by then Bob has recovered
    assert not played.table.scene.hesitating


@pytest.mark.rules("faith.amb.aid_zero_extra")
def test_aid_is_not_offered_to_whom_it_waits_for_already():
    waiting = {"prayer": "aid", "ability": "Sword", "dice": 1}
    for options, friend, offered in (
        ({"faith_aid_recipient": "priest_only"}, FIGHTER, False),
        ({"faith_aid_recipient": "other_devotees_too"}, FIGHTER, True),
        ({"faith_aid_recipient": "other_devotees_too"}, {**FIGHTER, "prayers": [waiting]}, False),
    ):
        at = ring(options, CHURCH, ann={**PRIEST, "prayers": [waiting]}, cat=friend)
        around = PeopleAround("ann", ("bob",), ("cat",))
        assert ("aid" in {kind.code for kind in prayers_here(around, at)}) is offered


@pytest.mark.rules("faith.prayer.aid_choose_at_prayer", "faith.prayer.boon")
def test_aid_is_for_the_priest_alone_and_a_boon_for_friends_too():
    """Nobody is asked whom Aid is for; 6 successes against Ob 4 are 2 dice, a Boon has none."""
    camps = sides("ann cid", "bob")
    scripts = {"ann": [BLOCKS], "cid": [BLOCKS], "bob": [BLOCKS]}
    said = {"ann/prayer#1": "aid", "ann/prayer_ability": "Sword"}
    aided = fight(scripts, [2, 2, 1, 6], said, church(cid=fighter()), sides=camps)
    assert "prayer_for" not in aided.asked
    assert "Aid: Ann's Sword is +2D." in aided.told
    said = {"ann/prayer#1": "boon", "ann/prayer_for": "cid", "ann/prayer_ability": "Sword"}
    granted = fight(scripts, [2, 2, 1, 5], said, church(cid=fighter()), sides=camps)
    assert "Boon: Cid's Sword is open-ended until the scene ends." in granted.told


def test_a_prayer_that_fails_goes_unheard_and_costs_no_action():
    scripts = {"ann": [("stay", "strike", *BLOCKS[2:])], "bob": [BLOCKS]}
    said = prays("hindrance", rolls=[3, 1, 0], scripts=scripts).told
    assert "The prayer goes unheard." in said
    assert "Ann, Strike: 1 success. It hits." in said


@pytest.mark.rules("faith.conflict.fight_length", "fight.xref.prayer_length")
def test_a_prayer_is_the_longest_weapon_of_its_volley():
    """+1D against a sword while Bob closes, and none in the next volley."""
    close = ("close", "push", "close", "push", "stay", "block")
    scripts = {"ann": [casts("block", "block", "block")], "bob": [close]}
    said = prays("guidance", rolls=[3, 0, 3, 0, 0, 3, 0, 0, 0], scripts=scripts).told
    first, _, second = said.partition("Volley 2")
    assert "Ann, positioning, rolls 5D = 4 Speed + 1 longest weapon" in first
    assert "longest weapon" not in second


@pytest.mark.rules("faith.amb.prayer_timing_in_fight", "faith.conflict.fight_word_limit")
def test_a_longer_prayer_goes_on_and_is_rolled_in_its_last_volley():
    words = "Father of us all, look down upon your children and stay the hand of the wicked"
    said = prays("hindrance", rolls=[4], answers={"ann/speech#1": words}).told
    first, _, later = said.partition("Volley 2")
    assert "Faith" not in first.partition("prays for")[2].partition("\n")[2]
    assert "Volley 3" in later
    assert "Bob can neither move nor act" in later.partition("Volley 3")[2]


def test_words_that_are_no_prayer_keep_to_the_limit():
    words = "Father of us all, look down upon your children and stay the hand of the wicked"
    with pytest.raises(BadInput, match="at most 8 syllables"):
        fight(QUIET, FIRST, {"ann/speech#1": words}, church())


@pytest.mark.rules("faith.amb.prayer_interruption")
def test_wounds_do_not_stop_a_prayer_of_the_same_action():
    scripts = {"ann": [("stay", "push", *BLOCKS[2:])], "bob": [("stay", "strike", *BLOCKS[2:])]}
    said = prays("hindrance", rolls=[4, 0, 0, 1], scripts=scripts).told
    assert "Bob hits Ann" in said
    assert "Bob can neither move nor act for 2 actions." in said


@pytest.mark.rules("faith.conflict.fight_tandem_lost", "fight.forfeit.tandem_lost")
def test_with_an_action_that_is_given_up_the_prayer_is_lost():
    scripts = {"ann": [("stay", "stand_and_drool", *BLOCKS[2:])], "bob": [BLOCKS]}
    assert "prays" not in prays_when_drooling(scripts)
    words = "Father of us all, look down upon your children and stay the hand of the wicked"
    longer = {"ann": [("stay", "block", "stay", "stand_and_drool", *BLOCKS[4:])], "bob": [BLOCKS]}
    said = prays("hindrance", scripts=longer, answers={"ann/speech#1": words}).told
    assert "Ann's prayer is lost." in said
    assert "neither move" not in said


def prays_when_drooling(scripts: Any) -> str:
    """Who does nothing but Stand and Drool hesitates from the top of the volley: no prayer."""
    played = fight(scripts, FIRST, {}, church())
    assert played.asked.count("prayer") == 2
    return played.told


@pytest.mark.rules("faith.prayer.purification")
@pytest.mark.parametrize(("moves", "touched"), [("stay", False), ("close", True)])
def test_who_is_purified_in_a_fight_must_be_near_enough_to_touch(moves: str, touched: bool):
    """Inside a sword's length, as for the touch of a spell; Bob's Will is low enough."""
    scripts = {"ann": [(moves, "block", *BLOCKS[2:])], "bob": [BLOCKS]}
    rolls = [5] if touched else []
    at = church(bob=fighter("dagger"))
    said = prays("purification", at, rolls, scripts=scripts).told
    assert ("Bob is driven out." in said) is touched
    assert ("Ann's prayer is lost." in said) is not touched


@pytest.mark.rules("faith.prayer.blessing", "faith.prayer.aid", "faith.prayer.boon")
def test_a_blessing_is_for_somebody_else_and_counts_in_the_fight():
    at = church(cid=fighter())
    scripts = {
        "ann": [BLOCKS],
        "bob": [BLOCKS],
        "cid": [("stay", "block", "stay", "strike", "stay", "block")],
    }
    answers = {
        "ann/prayer#1": "blessing",
        "ann/prayer_ability": "Sword",
    }
    rolls = [2, 2, 1, 3, 1, 1]
    played = fight(scripts, rolls, answers, at, sides=sides("ann cid", "bob"))
    assert "Blessing: Cid's Sword is +1D." in played.told
    assert "Cid, Strike, rolls 5D = 4 Sword + 1 Blessing: Sword" in played.told
    assert "blessing" not in str(fight(QUIET, FIRST, {}, church()).asks["prayer"].question.options)


@pytest.mark.rules("faith.amb.hindrance_state")
def test_a_hindrance_breaks_off_a_casting():
    """One of two actions of Shards done: Tax at Ob 1 and a Failed Casting for Bob."""
    at = church(bob=mage(SHARDS))
    scripts = {"ann": [BLOCKS], "bob": [("stay", "incant:shards", *BLOCKS[2:])]}
    said = prays("hindrance", at, [4, 1, [4]], scripts=scripts).told
    assert said.index("Bob can neither") < said.index("Bob's Shards is interrupted.")
    assert "Bob rolls 4D = 4 Forte against Ob 1 = 1 part of Shards" in said


@pytest.mark.rules("faith.conflict.spellbreaker")
def test_a_minor_miracle_breaks_off_a_casting_of_the_volley_before():
    at = church(bob=mage({**SHARDS, "actions": 3}))
    scripts = {"ann": [BLOCKS], "bob": [("stay", "incant:shards") * 2 + ("stay", "block")]}
    answers = {"ann/prayer#2": "minor_miracle", "ann/wonder": "casting:bob"}
    said = fight(scripts, [*FIRST, 6, 2, [4]], answers, at).told
    assert "Bob's Shards is interrupted." in said
    assert "Forte against Ob 2 = 2 part of Shards" in said  # two of three actions of Ob 2


@pytest.mark.rules("faith.amb.spellbreaker_backlash")
def test_a_minor_miracle_may_neutralise_a_casting_without_harm():
    """Neither Tax nor a Failed Casting; what Bob casts next is a new spell, of three actions."""
    at = church(bob=mage({**SHARDS, "actions": 3}))
    scripts = {"ann": [BLOCKS], "bob": [casts(*("incant:shards",) * 3)]}
    answers = {"ann/prayer#2": "minor_miracle", "ann/wonder": "neutral:bob"}
    said = fight(scripts, [*FIRST, 6], answers, at).told
    assert "Bob's Shards comes to nothing." in said
    assert "interrupted" not in said.partition("comes to nothing")[0]
    assert "Forte against" not in said
    assert "8D" not in said


@pytest.mark.rules("faith.conflict.spellbreaker", "sorcery.coup.distracted")
def test_a_minor_miracle_breaks_off_a_short_spell_that_is_held():
    """The Fear, held from the start: Tax at its full Ob 2."""
    fear = {"name": "The Fear", "origin": "Presence", "duration": "Instantaneous"}
    scripts = {"ann": [BLOCKS], "bob": [casts(*("hold_spell:the_fear",) * 2, "block")]}
    answers = {"ann/prayer#2": "minor_miracle", "ann/wonder": "casting:bob"}
    said = fight(scripts, [*FIRST, 6, 2, [4]], answers, church(bob=mage(fear))).told
    assert "Bob's The Fear is interrupted." in said
    assert "Forte against Ob 2 = 2 part of The Fear" in said


@pytest.mark.rules("faith.conflict.spellbreaker", "sorcery.coup.distracted")
def test_a_minor_miracle_against_a_spell_that_is_held_costs_tax_for_all_of_it():
    """One of two actions done and the end withheld: Tax at the full Ob 2."""
    at = church(bob=mage(SHARDS))
    scripts = {"ann": [BLOCKS], "bob": [casts("incant:shards", "hold_spell", "hold_spell")]}
    answers = {"ann/prayer#3": "minor_miracle", "ann/wonder": "casting:bob"}
    said = fight(scripts, [*FIRST, 6, 2, [4]], answers, at).told
    assert "Bob's Shards is interrupted." in said
    assert "Forte against Ob 2 = 2 part of Shards" in said


@pytest.mark.rules("faith.setup.believer_or_infidel", "faith.conflict.spellbreaker")
def test_a_minor_miracle_does_not_end_the_casting_of_somebody_whom_the_faith_does_not_touch():
    scene = {"religions": [{"name": "the Church", "reach": "believers"}]}
    at = ring(None, scene, ann=PRIEST, bob=mage({**SHARDS, "actions": 3}))
    scripts = {"ann": [BLOCKS], "bob": [casts(*("incant:shards",) * 3)]}
    answers = {"ann/prayer#2": "minor_miracle", "ann/wonder": "casting:bob", "gm/believes": False}
    said = fight(scripts, [*FIRST, 6, 2, 2, [1]], answers, at).told
    assert "The prayer does not touch Bob." in said
    assert "interrupted" not in said
    assert "Bob rolls 8D = 4 Sorcery + 4 Will against Ob 2" in said


@pytest.mark.rules("faith.access.faithful_trait", "faith.setup.pick_prayers")
def test_who_is_not_faithful_has_no_prayers_and_a_faith_has_its_own():
    pious = {**PRIEST, "traits": []}
    assert "prayer" not in fight(QUIET, FIRST, {}, ring(ann=pious)).asked
    scene = {"religions": [{"name": "the Church", "prayers": ["aid", "boon"]}]}
    asked = fight(QUIET, FIRST, {}, ring(None, scene, ann=PRIEST)).asks["prayer"]
    assert [option.key for option in asked.question.options] == ["none", "aid", "boon"]
    assert asked.kind == "offered"
