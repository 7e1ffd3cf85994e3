"""Block and Strike: two halves on one action, against whatever the opponent does."""

from __future__ import annotations

import time
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.armor.block_and_strike import BlockAndStrike, facing
from astragal.play import defaults, exact
from games.burning_wheel.playing import AnyRolls, Played, play, table


def bearer(shield: Any = "target", sword: str = "B5", **more: Any) -> BurningTable:
    raw = {"skills": {"Sword": sword}, "shield": shield, "training": ["Shield Training"]}
    return table(mara={**raw, **more})


def both(
    at: BurningTable, rolls: AnyRolls, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    return play(
        "block_and_strike", {"character": "mara", "skill": "Sword", **more}, at, answers, rolls
    )


def notations(run: Played) -> list[str]:
    return [roll.expression.notation for roll in run.rolls]


@pytest.mark.rules("armor.block_and_strike.requirement")
@pytest.mark.parametrize(
    "raw", [{"training": []}, {"shield": {"kind": "target", "lost": 3}}, {"shield": None}]
)
def test_it_takes_shield_training_and_a_shield_with_a_die_left(raw: dict[str, Any]):
    at = (
        bearer(**raw)
        if raw.get("shield", "") is not None
        else table(mara={"skills": {"Sword": "B5"}, "training": ["Shield Training"]})
    )
    with pytest.raises(NotAllowed, match=r"armor\.block_and_strike\.requirement"):
        both(at, [])
    last = bearer({"kind": "target", "lost": 2})
    assert both(last, [0, 0, 0]).outcome.actions == 1


@pytest.mark.rules(
    "armor.block_and_strike.split",
    "armor.block_and_strike.simultaneous",
    "armor.block_and_strike.script",
)
def test_skill_dice_are_divided_and_the_shield_goes_to_the_block():
    run = both(bearer(), [2, 1, 3], {"split": [4, 1]}, attack=4)
    assert notations(run) == ["3B: with ones", "1B", "4B"]
    assert (run.outcome.strike_dice.total, run.outcome.block_dice.total) == (4, 4)
    assert run.before_the_dice("split")
    assert (run.outcome.block, run.outcome.remaining) == (3, 1)
    assert (run.outcome.strike_obstacle.total, run.outcome.strike, run.outcome.margin) == (1, 3, 2)
    assert (run.outcome.passed, run.outcome.actions) == (True, 1)
    missed = both(bearer(), [0, 0, 0], {"split": [4, 1]}, attack=4)
    assert (missed.outcome.passed, missed.outcome.remaining) == (False, 4)
    for wrong in ([5, 0], [0, 5], [3, 3]):
        with pytest.raises(BadInput, match="split"):
            both(bearer(), [], {"split": wrong})


def test_a_single_skill_die_strikes_and_the_shield_blocks_alone():
    run = both(bearer(sword="B1"), [1, 1], attack=2)
    assert notations(run) == ["3B: with ones", "1B"]
    assert "split" not in run.asked
    assert (run.outcome.remaining, run.outcome.strike) == (1, 1)
    # The shield's dice alone against 2 test no skill: what is logged is the Strike at Ob 1.
    assert run.changed["mara.skills.Sword.log.routine"] == 1
    hard = both(bearer(sword="B1"), [1, 1], attack=5)
    assert [path for path in hard.changed if ".log." in path] == ["mara.skills.Sword.log.routine"]


ACTIONS = {
    # action: the Block half answers it, the Strike half is reduced
    "strike": (True, False),
    "block_and_strike": (True, True),
    "block": (False, True),
    "counterstrike": (True, True),
    "avoid": (False, True),
    "feint": (False, False),
    "disarm": (True, False),
    "beat_and_bind": (True, False),
    "push": (False, False),
    "lock": (False, False),
    "throw_opponent": (False, False),
    "spell_song_or_prayer": (False, False),
    "change_stance_to_defensive": (False, True),
    "other_non_martial_action_stand_and_drool_any_hesitation": (False, False),
}


@pytest.mark.rules("armor.block_and_strike.counts_as_strike", "armor.block_and_strike.feint")
@pytest.mark.parametrize("action", ACTIONS)
def test_counters_meet_the_strike_half_in_full_and_the_block_answers_what_a_block_can(action: str):
    blocks, reduced = ACTIONS[action]
    rolls = [2, 1, 3] if blocks else [3]
    run = both(bearer(), rolls, {"split": [3, 2]}, against=action, attack=4, defence=2)
    assert (run.outcome.blocked, run.outcome.remaining) == (blocks, 1 if blocks else 4)
    assert run.outcome.strike == (1 if reduced else 3)
    assert ("feinted out of position" in run.told) is (action == "feint")


def test_after_a_charge_or_for_a_shooter_the_strike_is_made_if_it_can_be():
    for action in ("charge_or_tackle", "missile_shot_or_thrown_weapon"):
        assert both(bearer(), [2], against=action, attack=3).outcome.passed
        kept = both(bearer(), [], {"strike_possible": False}, against=action, attack=3)
        assert (kept.outcome.passed, kept.outcome.remaining) == (False, 3)
    with pytest.raises(BadInput, match="against: found 'dance'"):
        both(bearer(), [], against="dance")
    assert facing("Great Strike").blocks


@pytest.mark.rules("armor.shield.block_great_strike", "armor.shield.parrying_blade_no_great_strike")
def test_the_block_half_answers_a_great_strike_only_with_a_true_shield():
    run = both(bearer("buckler"), [1, 1, 1], against="great_strike", attack=3, va=1)
    assert (run.outcome.blocked, notations(run)[0]) == (True, "1B: with ones")
    assert not both(bearer("parrying blade"), [1], against="great_strike", attack=3).outcome.blocked


@pytest.mark.rules(
    "armor.block_and_strike.aggressive_maneuver",
    "armor.block_and_strike.aggressive_stance_block_penalty",
)
def test_stances_treat_it_as_a_strike_with_a_block():
    aggressive = both(bearer(), [3, 1, 3], {"split": [3, 2]}, attack=4, stance="aggressive")
    assert notations(aggressive) == ["3B: with ones", "2B", "5B"]
    assert aggressive.outcome.block == 4 - 2
    assert aggressive.outcome.strike_obstacle.total == 1
    defensive = both(bearer(), [3, 1, 3], {"split": [3, 2]}, attack=4, stance="defensive")
    assert notations(defensive) == ["3B: with ones", "2B", "3B"]
    assert (defensive.outcome.block, defensive.outcome.strike_obstacle.total) == (4, 3)


def test_penalties_weigh_on_both_halves():
    run = both(bearer(), [2, 0, 2], {"split": [3, 2], "disadvantages": ["darkness"]}, attack=2)
    assert (run.outcome.block, run.outcome.strike_obstacle.total) == (1, 2)


def test_ones_of_the_shield_damage_it_and_a_flail_ignores_it():
    run = both(bearer(), [[1, 2, 2], 0, 0], attack=2)
    assert (run.outcome.shield_lost, run.outcome.shield_left) == (1, 2)
    flail = both(bearer(), [1, 1], {"split": [3, 2]}, attack=2, articulated=True)
    assert notations(flail) == ["2B", "3B"]


@pytest.mark.rules("advancement.series.highest_obstacle", "advancement.amb.versus_penalties")
@pytest.mark.parametrize(
    ("more", "log"),
    [
        ({"attack": 2}, "routine"),  # 3D against 1, 2D + 3D against 2
        ({"attack": 2, "against": "avoid", "defence": 2}, "difficult"),  # 3D against 1 + 2
        ({"attack": 5}, "difficult"),  # 5D against 5
        ({"attack": 5, "stance": "aggressive"}, "challenging"),  # 5D against 5 + 2
        ({"attack": 1, "stance": "defensive"}, "difficult"),  # 3D against 1 + 2
    ],
)
def test_the_harder_half_is_the_one_test(more: dict[str, Any], log: str):
    blocks = more.get("against") != "avoid"
    run = both(bearer(), [0, 0, 0] if blocks else [0], {"split": [3, 2]}, **more)
    kept = run.table.character("mara").skills["Sword"].log
    assert (kept.routine + kept.difficult + kept.challenging, getattr(kept, log)) == (1, 1)


def test_its_exact_odds_come_quickly():
    procedure = GAME.procedure("block_and_strike")
    start = procedure.start(BlockAndStrike("mara", "Sword", attack=3), bearer())
    exact(start, defaults)
    began = time.process_time()
    odds = exact(start, defaults)
    assert time.process_time() - began < 2  # far less on a quiet machine
    assert odds.map(lambda o: o.passed).chance(True).as_integer_ratio() == (7, 8)


@pytest.mark.rules("armor.block_and_strike.simultaneous", "armor.artha.allowed")
def test_what_is_spent_on_the_block_is_not_there_for_the_strike():
    """Luck on the Block half rolls on for its six; the Strike half has a six as well."""
    answers = {"split": [4, 1], "after_roll#1": "luck"}
    rolls: AnyRolls = [[6, 2, 2], 0, [2], [6, 2, 2, 2]]
    opponent = {"against": "block_and_strike", "attack": 4, "defence": 2}
    run = both(bearer(artha={"fate": 1}), rolls, answers, **opponent)
    assert run.asked.count("after_roll") == 1
    assert run.table.character("mara").artha.fate == 0


@pytest.mark.rules("beliefs.trait.call_on.once_per_session")
@pytest.mark.parametrize("half", ["block", "strike"])
def test_a_trait_is_called_on_for_one_half_and_marked(half: str):
    """The failed dice of that half are rolled again: three of the shield and one, or four."""
    answers, rolls = {"split": [4, 1], "after_roll": "call_on:Calm"}, [[2, 2, 2], [2]]
    if half == "block":
        rolls += [[4, 5, 2], [2], [2, 2, 2, 2]]
    else:
        answers |= {"after_roll": "nothing", "after_roll#2": "call_on:Calm"}
        rolls += [[2, 2, 2, 2], [4, 5, 2, 2]]
    at = bearer(traits=[{"name": "Calm", "kind": "call_on"}])
    run = both(at, rolls, answers, attack=4)
    assert run.asked.count("after_roll") == (1 if half == "block" else 2)
    assert (run.outcome.block, run.outcome.strike) == ((2, 0) if half == "block" else (0, 2))
    (trait,) = run.table.character("mara").traits
    assert trait.called_this_session
