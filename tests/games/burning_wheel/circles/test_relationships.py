"""Relationships: met without a test, and built from contacts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.circles.relationships import relationship_aptitude
from astragal.games.burning_wheel.sheet.parts import SocialStanding
from astragal.games.burning_wheel.sheet.scene import Enemy
from games.burning_wheel.playing import Played, play, table
from games.burning_wheel.seeking import at_court, knight, seek

AUNT = ["Aunt Ilse"]
WAT = {"name": "Wat", "sought": "a smith", "obstacle": 1}


def ask_her(at: Any, answers: Any = None, who: str = "Aunt Ilse") -> Played:
    return play(
        "consult", {"character": "knight", "who": who, "about": "the will"}, at, answers, ()
    )


# --- Meeting -------------------------------------------------------------------------------


@pytest.mark.rules("circles.relationship.no_roll_to_meet", "circles.relationship.no_roll_to_talk")
def test_a_relationship_is_met_and_asked_without_a_test_as_often_as_one_likes():
    at = at_court(relationships=AUNT)
    for _ in range(3):
        run = ask_her(at)
        assert (run.outcome.met, run.outcome.way.value) == (True, "freely")
        assert not run.rolls
        at = run.table
    away = ask_her(at, {"reachable": False})
    assert away.seats["reachable"] == "gm"
    assert (away.outcome.met, away.outcome.way.value) == (False, "not_met")


@pytest.mark.rules("circles.relationship.definition", "circles.ability.use")
def test_who_is_no_relationship_cannot_simply_be_met():
    at = at_court(relationships=AUNT, contacts=[WAT, {**WAT, "name": "Odo"}])
    with pytest.raises(BadInput, match=r"who: found 'the Pope', expected .*Aunt Ilse"):
        ask_her(at, who="the Pope")
    with pytest.raises(NotAllowed, match="find them with a Circles test first"):
        ask_her(at, who="Wat")


@pytest.mark.rules("circles.relationship.social_test_if_withholding")
def test_what_is_held_back_takes_a_social_test():
    run = ask_her(at_court(relationships=AUNT), {"stance": "social_test"})
    assert run.seats["stance"] == "gm"
    assert run.outcome.way.value == "social_test"
    assert "talks freely" not in run.told
    assert "Aunt Ilse withholds something: a test of a social skill." in run.told


@pytest.mark.rules("circles.enmity.social_penalty", "circles.enmity.duel_bonus")
@pytest.mark.parametrize(
    ("stance", "said"),
    [
        ("social_test", "Holt withholds something: a test of a social skill (+2 Ob)."),
        ("duel_of_wits", "Holt takes the other side: a Duel of Wits (+4 to their Body"),
    ],
)
def test_what_an_enemy_knows_takes_more(stance: str, said: str):
    at = at_court(relationships=["Holt"])
    enemy = Enemy(character="knight", name="Holt")
    at = msgspec.structs.replace(at, scene=msgspec.structs.replace(at.scene, enemies=(enemy,)))
    run = ask_her(at, {"stance": stance}, who="Holt")
    assert run.seats["stance"] == "gm"
    assert said in run.told
    assert "talks freely" not in run.told


@pytest.mark.rules("circles.relationship.duel_if_at_odds")
def test_serious_differences_may_be_settled_by_a_duel_of_wits():
    run = ask_her(at_court(relationships=AUNT), {"stance": "duel_of_wits"})
    assert run.outcome.way.value == "duel_of_wits"


@pytest.mark.rules("circles.relationship.npcs_only")
def test_player_characters_are_nobodys_relationship():
    friend = {"name": "Sir Kay", "circles": "B2"}
    at = table(knight=knight(relationships=["Sir Kay"]), kay=friend)
    for who in ("kay", "Sir Kay"):
        with pytest.raises(NotAllowed, match=r"circles.relationship.npcs_only"):
            ask_her(at, who=who)
    npc = table(knight=knight(relationships=["Sir Kay"]), kay={**friend, "npc": True})
    assert ask_her(npc, who="Sir Kay").outcome.met


@pytest.mark.rules("circles.enmity.unwilling")
def test_an_enemy_gives_nothing_freely():
    enemies = [{"character": "knight", "name": "Aunt Ilse"}]
    run = ask_her(at_court(scene={"enemies": enemies}, relationships=AUNT))
    assert run.outcome.way.value == "social_test"
    assert (run.outcome.obstacle, run.outcome.body) == (2, 4)
    offered = [option.key for option in run.asks["stance"].question.options]
    assert offered == ["social_test", "duel_of_wits"]


@pytest.mark.rules("circles.relationship.no_roll_to_meet")
def test_no_test_is_made_for_a_relationship():
    with pytest.raises(NotAllowed, match="no Circles test is needed"):
        seek(at_court(relationships=AUNT), contact="aunt ilse")


# --- Building ------------------------------------------------------------------------------


@pytest.mark.rules("circles.build.aptitude")
def test_the_aptitude_is_ten_less_circles_and_liked_dice_plus_disliked_ones():
    liked, loathed = SocialStanding("Just", 2), SocialStanding("Cruel", 3)
    assert relationship_aptitude(4, (), ()).total == 6
    assert relationship_aptitude(4, (liked,), ()).total == 4
    assert relationship_aptitude(4, (), (loathed,)).total == 9
    assert relationship_aptitude(4, (liked, SocialStanding("Kind", 1)), (loathed,)).total == 6


def built(circles: str, taps: int, answers: Any = None, rolls: Any = (2,), **more: Any) -> Played:
    at = at_court(circles=circles, contacts=[{**WAT, "taps": taps}], **more)
    return seek(at, rolls, answers, contact="Wat")


@pytest.mark.rules("circles.build.count", "circles.build.optional", "circles.build.result")
def test_a_contact_tapped_often_enough_becomes_a_relationship_if_the_player_wants():
    almost = built("B6", 2)
    assert (almost.outcome.bond.taps, almost.outcome.bond.aptitude) == (3, 4)
    assert "build_relationship" not in almost.asked
    assert almost.table.character("knight").contacts[0].taps == 3
    there = built("B6", 3)
    assert there.seats["build_relationship"] == "knight"
    assert there.outcome.bond.built
    assert not there.table.character("knight").contacts
    assert [r.name for r in there.table.character("knight").relationships] == ["Wat"]
    assert ask_her(there.table, who="Wat").outcome.way.value == "freely"
    declined = built("B6", 3, {"build_relationship": False})
    assert not declined.table.character("knight").relationships
    assert declined.table.character("knight").contacts[0].taps == 4


@pytest.mark.rules("circles.build.named_contact", "circles.build.count")
def test_only_named_contacts_count_and_only_when_found():
    """circles.amb.build_first_tap, circles.amb.build_merely_met."""
    assert seek(rolls=[3]).outcome.bond is None
    assert seek(rolls=[3], answers={"name_contact": "Wat"}).outcome.bond.taps == 1
    assert built("B4", 1, rolls=[1]).outcome.bond.taps == 2
    failed = built("B4", 1, rolls=[0])
    assert failed.outcome.bond is None
    assert failed.table.character("knight").contacts[0].taps == 1


@pytest.mark.rules("circles.build.aptitude")
def test_the_gm_says_what_the_contact_likes_and_the_aptitude_is_never_below_one():
    """circles.amb.build_minimum_and_change, circles.amb.build_which_reputation."""
    fame = [{"name": "Just", "dice": 2}, {"name": "Cruel", "dice": 1}]
    plain = built("B6", 0, reputations=fame)
    assert plain.outcome.bond.aptitude == 4
    opinions = {"contact_likes": ["Just"], "contact_dislikes": ["Cruel"]}
    run = built("B6", 0, opinions, reputations=fame)
    assert run.outcome.bond.aptitude == 3
    assert run.seats["contact_likes"] == run.seats["contact_dislikes"] == "gm"
    both = {"contact_likes": ["Just", "Cruel"]}
    assert built("B9", 0, both, reputations=fame).outcome.bond.aptitude == 1


@pytest.mark.slow
@pytest.mark.rules("circles.build.count", "circles.build.result")
@given(st.integers(5, 9), st.lists(st.integers(0, 3), min_size=1, max_size=9))
def test_successful_taps_add_up_until_the_aptitude(circles: int, rolls: list[int]):
    """A contact at obstacle 1, tapped again and again: a reckoning beside the code's."""
    at = at_court(circles=f"B{circles}", contacts=[WAT])
    taps, open_ = 0, True
    for number, successes in enumerate(rolls):
        sheet = at.character("knight")
        exponent = sheet.circles.rating.exponent
        if not open_:
            with pytest.raises(NotAllowed, match="no Circles test is needed"):
                seek(at, contact="Wat", intent=f"favour {number}")
            break
        at = seek(at, [successes], contact="Wat", intent=f"favour {number}").table
        taps += successes >= 1
        # The test itself may have raised Circles before the tap is counted.
        exponent = at.character("knight").circles.rating.exponent
        if successes and taps >= 10 - exponent:
            open_ = False
            assert [r.name for r in at.character("knight").relationships] == ["Wat"]
        else:
            assert at.character("knight").contacts[0].taps == taps
