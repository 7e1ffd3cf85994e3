"""Making a shot ready: how many actions each part takes, aiming, holding, and lengths."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.conflicts.fight.footing import length_of
from astragal.games.burning_wheel.conflicts.fight.making_ready import (
    is_ready_to_shoot,
    missile_length,
    shooting_cards,
    shooting_cost,
    throws,
)
from astragal.games.burning_wheel.conflicts.fight.other_actions import cost_of
from astragal.games.burning_wheel.conflicts.fight.script import cards_of
from astragal.games.burning_wheel.conflicts.fight.state import Preparation
from games.burning_wheel.hurting import STATS
from games.burning_wheel.in_a_fight import do, fight
from games.burning_wheel.playing import play


def archer(bow="hunting bow", **stats):
    return fight(
        ann={
            "weapons": [{"weapon": bow}],
            "skills": {"Bow": "B4", "Crossbow": "B4", "Throwing": "B4", "Firearms": "B4"},
            "stats": {**STATS, **stats},
        }
    )


NOCK = ("nock_arrow",) * 3


@pytest.mark.rules("fight.nock.cost", "fight.nock.prep")
@pytest.mark.parametrize("bow", ["hunting bow", "great bow"])
def test_three_actions_nock_an_arrow_which_may_then_wait(bow):
    at = archer(bow)
    assert cost_of("nock_arrow", at, "ann") == 3
    assert not do(at, *NOCK[:2]).who().ready.nocked
    nocked = do(at, *NOCK)
    assert nocked.who().ready == Preparation(nocked=True)
    later = do(nocked.fight, "physical_act", "physical_act")
    assert later.who().ready.nocked


@pytest.mark.rules("fight.draw_bow.cost", "fight.acquire.not_for_bows")
@pytest.mark.parametrize(("bow", "actions"), [("hunting bow", 2), ("great bow", 4)])
def test_drawing_a_bow_acquires_the_target_with_the_last_action(bow, actions):
    at = do(archer(bow), *NOCK).fight
    assert cost_of("draw_bow", at, "ann") == actions
    assert do(at, *("draw_bow",) * (actions - 1)).who().ready.target == ""
    assert do(at, *("draw_bow",) * actions).who().ready.target == "bob"
    assert "acquire_target" not in {card.key for card in shooting_cards(at, "ann")}


def test_a_bow_without_an_arrow_cannot_be_drawn():
    after = do(archer(), "draw_bow")
    assert after.who().ready.drawn == 0
    assert "the action is lost" in after.told


@pytest.mark.rules("fight.draw_bow.hold")
@pytest.mark.parametrize("power", [2, 3])
def test_power_says_how_long_a_bow_stays_drawn(power):
    drawn = do(archer(Power=f"B{power}"), *NOCK, "draw_bow", "draw_bow").fight
    held = do(drawn, *("hold_bow",) * power)
    assert held.who().ready.target == "bob"
    tired = do(held.fight, "hold_bow")
    assert tired.who().ready == Preparation(nocked=True)
    assert "lets it down" in tired.told


@pytest.mark.rules("fight.aim.bonus", "fight.aim.limit")
@pytest.mark.parametrize(("perception", "dice"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_aiming_adds_a_die_an_action_up_to_half_the_perception_rounded_up(perception, dice):
    at = do(archer("crossbow", Perception=f"B{perception}"), "acquire_target").fight
    assert [do(at, *("aim",) * many).who().ready.aimed for many in (1, dice)] == [1, dice]
    more = do(at, *("aim",) * (dice + 1))
    assert more.who().ready.aimed == dice
    assert "the action is lost" in more.told


def test_nobody_aims_without_a_target():
    assert do(archer("crossbow"), "aim").who().ready.aimed == 0


@pytest.mark.rules("fight.acquire.one_action")
@pytest.mark.parametrize("weapon", ["crossbow", "pistol", "throwing knife"])
def test_acquiring_a_target_is_one_action_for_crossbows_guns_and_throws(weapon):
    at = archer(weapon)
    assert "acquire_target" in {card.key for card in shooting_cards(at, "ann")}
    assert cost_of("acquire_target", at, "ann") == 1
    assert do(at, "acquire_target", target="bob").who().ready.target == "bob"


def test_whoever_does_something_else_takes_the_eyes_off_the_target():
    at = do(archer("crossbow"), "acquire_target", "aim").fight
    after = do(at, "physical_act")
    assert (after.who().ready.target, after.who().ready.aimed) == ("", 0)


@pytest.mark.rules("fight.reload.crossbow", "fight.shoot.reload_totals")
@pytest.mark.parametrize(
    ("weapon", "actions"),
    [("crossbow", 16), ("heavy crossbow", 32), ("pistol", 40), ("arquebus", 40)],
)
def test_reloading_takes_its_actions_and_only_then_is_it_loaded(weapon, actions):
    at = fight(ann={"weapons": [{"weapon": weapon, "loaded": False}]})
    assert shooting_cost("reload", at, "ann") == actions
    nearly = do(at, *("reload",) * (actions - 1))
    assert not nearly.fight.sheet("ann").weapons[0].loaded
    done = do(nearly.fight, "reload")
    assert done.fight.sheet("ann").weapons[0].loaded
    assert done.played.changed == {"ann.weapons.0.loaded": True}


def test_reloading_begins_again_after_doing_something_else():
    at = fight(ann={"weapons": [{"weapon": "crossbow", "loaded": False}]})
    broken_off = do(at, *("reload",) * 15, "physical_act", "physical_act").fight
    assert not do(broken_off, "reload").fight.sheet("ann").weapons[0].loaded


@pytest.mark.rules("fight.shoot.bow_total", "fight.shoot.loaded_crossbow_total")
def test_the_totals_of_the_book():
    def total(weapon, *cards):
        return sum(cost_of(card, archer(weapon), "ann") for card in cards)

    assert total("hunting bow", "nock_arrow", "draw_bow", "release") == 6
    assert total("crossbow", "acquire_target", "release") == 2
    assert total("pistol", "acquire_target", "release") == 2


@pytest.mark.rules("fight.shoot.costs_only_in_melee")
def test_the_costs_count_in_a_melee_and_not_at_range():
    at = archer()
    assert "the action is lost" in do(at, "release").told
    arguments = {"character": "ann", "target": "bob", "weapon": "hunting bow"}
    shot = play("shoot", {**arguments, "range": "optimal"}, at.table, rolls=[2, [3]])
    assert shot.outcome.passed


# --- Lengths -------------------------------------------------------------------------------


@pytest.mark.rules("fight.missile.loaded_bow_length", "fight.missile.unloaded_is_club")
def test_a_loaded_missile_weapon_is_longest_and_an_unloaded_one_is_a_club():
    bow = archer()
    assert (is_ready_to_shoot(bow, "ann"), length_of(bow, "ann")) == (False, "long")
    nocked = do(bow, *NOCK).fight
    assert (is_ready_to_shoot(nocked, "ann"), length_of(nocked, "ann")) == (True, "longest")
    assert length_of(archer("crossbow"), "ann") == "longest"
    assert missile_length(nocked, "ann")[1].amount == 2
    empty = fight(ann={"weapons": [{"weapon": "crossbow", "loaded": False}]})
    assert length_of(empty, "ann") == "long"
    assert missile_length(empty, "ann") is None


@pytest.mark.rules("fight.missile.thrown_length")
def test_what_is_thrown_in_a_volley_is_longest():
    sword = fight()
    assert length_of(sword, "ann") == "long"
    for card in ("throw_object", "throw_object:chair"):
        thrown = sword.change("ann", announced=("block", card))
        assert (throws(thrown, "ann"), length_of(thrown, "ann")) == (True, "longest")
        assert missile_length(thrown, "ann")[1].amount == 1
    assert missile_length(sword, "ann") is None
    assert missile_length(archer("throwing knife"), "ann")[1].amount == 1


@pytest.mark.rules("fight.missile.thrown_length", "fight.position.weapon_used_must_act")
@pytest.mark.parametrize(
    ("weapon", "length"),
    [("throwing knife", "shortest"), ("roden knives", "shortest"), ("javelin", "longest")],
)
def test_what_is_for_throwing_has_its_own_length_while_it_is_kept_in_the_hand(weapon, length):
    thief = {"traits": ["Roden"], "concept": "Roden"}
    at = fight(ann={"weapons": [{"weapon": weapon}], **thief})
    for cards in ((), ("push",), ("throw_object",), ("strike", "throw_object")):
        thrown = at.change("ann", announced=cards)
        assert (length_of(thrown, "ann"), missile_length(thrown, "ann")[1].amount) == ("longest", 1)
    for cards in (("strike",), ("push", "block")):
        kept = at.change("ann", announced=cards)
        assert (length_of(kept, "ann"), missile_length(kept, "ann")) == (length, None)


@pytest.mark.rules("fight.throw_object.thrown_weapon_rules")
def test_a_weapon_in_hand_can_be_thrown_and_a_fist_cannot():
    armed, bare = (
        {card.key: card.label for card in cards_of(at, "ann")}
        for at in (fight(), fight(ann={"weapons": []}))
    )
    assert armed["throw_object"] == "Throw the sword"
    assert "throw_object" not in bare
    assert "throw_object:chair" in bare
