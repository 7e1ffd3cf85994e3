"""Using a weapon: skill, dice, hindrances; and a weapon that pays for a Complication."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.reading import check
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon, balance_dice
from astragal.games.burning_wheel.weapons.wielding import usual_skill
from astragal.rules import Options
from games.burning_wheel.playing import Played, a_test, play, table

OPTIONS = Options.of("burning_wheel", {})


def fighter(**more: Any) -> BurningTable:
    plain = {"stats": {"Power": "B4", "Agility": "B3"}, "skills": {"Sword": "B4", "Brawling": "B3"}}
    return table(a={**plain, **more})


def strike(at: BurningTable, successes: int = 1, answers: Any = None, **more: Any) -> Played:
    return play("strike", {"character": "a", **more}, at, answers, [successes])


@pytest.mark.rules("weapons.strike.skill")
def test_the_skill_is_that_of_the_weapon() -> None:
    used = {
        name: usual_skill(Weapon(name), thrown=False, options=OPTIONS)
        for name in ("small sword", "hatchet", "dagger", "polearm", "great bow", "heavy crossbow")
    }
    assert list(used.values()) == ["Sword", "Axe", "Knives", "Polearm", "Bow", "Crossbow"]
    assert usual_skill(Weapon("arquebus"), thrown=False, options=OPTIONS) == "Firearms"
    assert usual_skill(Weapon("spear"), thrown=True, options=OPTIONS) == "Throwing"
    assert usual_skill(Weapon("sword", skill="Fencing"), thrown=False, options=OPTIONS) == "Fencing"
    played = strike(fighter(weapons=["sword"]), weapon="sword")
    assert "4D = 4 Sword against Ob 1" in played.told
    fists = strike(fighter())
    assert "3D = 3 Brawling" in fists.told
    boxing = strike(fighter(skills={"Boxing": "B5"}), skill="Boxing")
    assert "5D = 5 Boxing" in boxing.told


@pytest.mark.rules("weapons.strike.skill")
def test_without_the_skill_agility_is_tested_against_the_doubled_base() -> None:
    at = fighter(weapons=["mace"])
    slippery = {"hindrances": ["driving_rain_or_snow"]}
    played = strike(at, 3, slippery, weapon="mace")
    assert "roots" not in played.asked  # nobody needs to say which stat stands in
    assert "3D = 3 Agility" in played.told
    # Base Ob 1, once more for Beginner's Luck, and the rain after that, undoubled.
    assert played.outcome.obstacle.total == 3
    assert played.outcome.passed


@pytest.mark.rules("weapons.found.skill")
def test_found_things_are_for_brawling_or_for_a_skill_they_resemble() -> None:
    brawl = strike(fighter(), weapon="chair")
    assert "3D = 3 Brawling" in brawl.told
    assert "resembles" not in brawl.asked
    alike = strike(fighter(), weapon="branch", skill="Sword")
    assert alike.seats["resembles"] == "gm"
    assert "4D = 4 Sword" in alike.told
    with pytest.raises(NotAllowed, match=r"Sword cannot be used.*weapons\.found\.skill"):
        strike(fighter(), 1, {"resembles": False}, weapon="bottle", skill="Sword")
    assert "resembles" not in strike(fighter(weapons=["sword"]), weapon="sword").asked


@pytest.mark.rules("weapons.strike.modifiers")
def test_what_hampers_a_blow_raises_its_obstacle() -> None:
    at = fighter(weapons=["sword"], skills={"Sword": "B9"})
    answers = {
        "hindrances": [
            "acting_against_a_target_at_lunging_distance",
            "closing_or_withdrawing_while_acting",
            "attacking_from_the_ground",
            "near_darkness",
        ]
    }
    played = strike(at, 9, answers, weapon="sword")
    # 1, and 1 for distance, 1 for movement, 4 from the ground, 3 in near darkness.
    assert played.outcome.obstacle.total == 10
    assert not played.outcome.passed
    assert played.seats["hindrances"] == "gm"


@pytest.mark.rules("weapons.balance.melee_use")
def test_balance_dice_have_the_shade_of_the_weapon() -> None:
    at = fighter(weapons=[{"weapon": "sword", "balance": 2, "shade": "G"}])
    played = play("strike", {"character": "a", "weapon": "sword"}, at, None, [[3, 3, 3, 3, 3, 3]])
    # Six threes: nothing for four black dice, a success each for two gray ones.
    assert "6D = 4 Sword + 2 balance: sword" in played.told
    assert played.outcome.successes == 2


def test_a_weapon_that_nobody_has_is_refused() -> None:
    with pytest.raises(BadInput, match="weapon: found 'sword', expected a weapon that A has"):
        strike(fighter(), weapon="sword")


def test_whoever_is_out_of_action_or_has_dropped_it_strikes_nobody() -> None:
    stunned = {"hesitating": [{"character": "a", "heartbeats": 2, "reaction": "stand_and_drool"}]}
    dropped = {
        "hesitating": [{"character": "a", "heartbeats": 0, "reaction": "", "dropped": "sword"}]
    }
    for scene, complaint in ((stunned, "hesitates for"), (dropped, "has dropped sword")):
        at = table(scene, a={"stats": {"Power": "B4"}, "weapons": ["sword"]})
        with pytest.raises(NotAllowed, match=complaint):
            play("strike", {"character": "a", "weapon": "sword"}, at)


# --- Complications -------------------------------------------------------------------------

WITH_COMPLICATIONS = {"complications": True}
BALANCED = {"weapon": "sword", "balance": 1}


@pytest.mark.rules("weapons.balance.complication_loss", "weapons.balance.loss_permanent")
def test_a_balanced_weapon_loses_its_balance_first_and_breaks_the_next_time() -> None:
    at = table(WITH_COMPLICATIONS, a={"stats": {"Power": "B4"}, "weapons": [BALANCED]})
    first = play("weapon_complication", {"character": "a", "weapon": "sword"}, at)
    assert (first.outcome.balance_lost, first.outcome.broken) == (True, False)
    again = play("weapon_complication", {"character": "a", "weapon": "sword"}, first.table)
    assert (again.outcome.balance_lost, again.outcome.broken) == (True, True)
    with pytest.raises(NotAllowed, match="broken"):
        play("weapon_complication", {"character": "a", "weapon": "sword"}, again.table)


@pytest.mark.rules("weapons.balance.loss_permanent")
def test_lost_balance_never_comes_back() -> None:
    lost = {**BALANCED, "balance_lost": True}
    at = fighter(weapons=[lost])
    assert "4D = 4 Sword against" in strike(at, weapon="sword").told


@pytest.mark.rules("weapons.balance.complication_loss")
def test_a_plain_weapon_breaks_and_is_of_no_use() -> None:
    at = table(WITH_COMPLICATIONS, a={"stats": {"Power": "B4"}, "weapons": ["sword"]})
    broken = play("weapon_complication", {"character": "a", "weapon": "sword"}, at)
    assert (broken.outcome.balance_lost, broken.outcome.broken) == (False, True)
    with pytest.raises(NotAllowed, match="The sword is broken"):
        play("strike", {"character": "a", "weapon": "sword"}, broken.table)


@pytest.mark.rules("weapons.balance.complication_loss")
def test_a_complication_of_a_failed_test_may_fall_on_a_weapon() -> None:
    mara = {"skills": {"Sword": "B3"}, "weapons": [BALANCED], "artha": {"persona": 1}}
    at = table(WITH_COMPLICATIONS, mara=mara)
    answers = {
        "disaster": True,
        "complication": "the blade is notched",
        "weapon_pays": "sword",
    }
    played = a_test(at, "Sword", 3, [0], answers)
    assert played.seats["weapon_pays"] == "gm"
    assert played.table.characters["mara"].weapons[0].balance_lost
    spared = a_test(at, "Sword", 3, [0], {**answers, "weapon_pays": "none"})
    assert not spared.table.characters["mara"].weapons[0].balance_lost


def test_without_complications_no_weapon_pays() -> None:
    at = table(a={"weapons": ["sword"]})
    with pytest.raises(NotAllowed, match=r"artha\.complication\.optional"):
        play("weapon_complication", {"character": "a", "weapon": "sword"}, at)
    at = table(WITH_COMPLICATIONS, a={"weapons": ["sword"]})
    with pytest.raises(NotAllowed, match="cannot break"):
        play("weapon_complication", {"character": "a", "weapon": ""}, at)


# --- Over time -----------------------------------------------------------------------------

KEPT = [{"weapon": "sword", "balance": 1}, "superior crossbow", "pistol", "hunting bow"]


@pytest.mark.slow
@pytest.mark.rules("weapons.balance.loss_permanent")
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["weapon_complication", "shoot", "reload"]),
            st.sampled_from(["sword", "superior crossbow", "pistol", "hunting bow"]),
        ),
        max_size=12,
    )
)
def test_whatever_happens_to_weapons_what_is_lost_stays_lost(events: list[tuple[str, str]]) -> None:
    skills = {"Crossbow": "B3", "Firearms": "B3", "Bow": "B3"}
    owner = {"stats": {"Power": "B4", "Agility": "B4"}, "skills": skills, "weapons": KEPT}
    at = table(WITH_COMPLICATIONS, a=owner)
    for procedure, weapon in events:
        before = at.characters["a"].weapons
        try:
            at = play(procedure, {"character": "a", "weapon": weapon}, at).table
        except (NotAllowed, BadInput):
            continue
        check(at.characters["a"])
        after = at.characters["a"].weapons
        assert len(after) == len(KEPT)
        for old, new in zip(before, after, strict=True):
            assert new.balance_lost >= old.balance_lost
            assert new.broken >= old.broken
            assert balance_dice(new, at.options) <= balance_dice(old, at.options)
            if old.broken:
                assert new == old or procedure == "reload"
        shot = next(each for each in after if each.called == weapon)
        if procedure == "shoot":
            assert shot.loaded is (weapon == "hunting bow")
        if procedure == "reload":
            assert shot.loaded
