"""The dice and the obstacle of a Steel test."""

from __future__ import annotations

import msgspec
import pytest

from astragal.dice import Shade
from astragal.errors import NotAllowed
from astragal.games.burning_wheel.steel.dice_and_hesitation import hesitation
from games.burning_wheel.frights import MOUSE, fright
from games.burning_wheel.playing import table

# --- Hesitation ---------------------------------------------------------------------------


@pytest.mark.rules("steel.hesitation.base")
@pytest.mark.parametrize(
    ("shade", "from_what", "rule"),
    [
        ("B", 10, "steel.hesitation.base"),
        ("G", 8, "shades.will.hesitation_gray"),
        ("W", 7, "shades.will.hesitation_white"),
    ],
)
@pytest.mark.parametrize("will", range(1, 11))
def test_hesitation_is_ten_less_will_or_eight_or_seven_and_never_below_none(
    shade: str, from_what: int, rule: str, will: int
):
    sheet = table(mouse={"stats": {"Will": f"{shade}{will}"}}).character("mouse")
    line = hesitation(sheet)
    assert line is not None
    assert (line.amount, line.rule) == (max(0, from_what - will), rule)


@pytest.mark.rules("steel.test.obstacle_is_hesitation", "steel.test.disadvantage_lengthens")
def test_disadvantages_raise_the_obstacle_and_so_the_time_lost():
    run = fright(
        answers={"disadvantages": ["darkness"], "conditions": ["being_shot_at"]}, rolls=[2]
    )
    assert [line.amount for line in run.outcome.obstacle] == [6, 1, 1]
    assert run.outcome.hesitation == 8
    assert run.outcome.heartbeats == 6


def test_without_hesitation_there_is_no_test_unless_something_adds_to_it():
    """steel.amb.zero_hesitation."""
    at = table(mouse={**MOUSE, "stats": {"Will": "B10"}})
    calm = fright(at, rolls=())
    assert not calm.outcome.tested
    assert calm.outcome.passed
    assert not calm.changed
    shot_at = fright(at, answers={"conditions": ["being_shot_at"]})
    assert (shot_at.outcome.obstacle.total, shot_at.outcome.heartbeats) == (1, 1)


@pytest.mark.parametrize("stats", [{}, {"Will": "B0"}])
def test_the_gm_has_the_hesitation_of_those_without_will(stats: dict[str, str]):
    at = table(mouse={"attributes": {"Steel": "B3"}, "stats": stats})
    run = fright(at, answers={"hesitation": 5})
    assert run.outcome.heartbeats == 5
    assert run.seats["hesitation"] == "gm"
    calm = msgspec.structs.replace(run.table, scene=at.scene)
    again = fright(calm)
    assert again.outcome.heartbeats == 5, "it stays on the sheet"
    assert "hesitation" not in again.asked


def test_superficial_wounds_lengthen_the_hesitation():
    """steel.amb.superficial_ob."""
    assert fright(superficial=True).outcome.heartbeats == 7


# --- Dice ---------------------------------------------------------------------------------


@pytest.mark.rules("steel.test.open_ended")
def test_each_six_brings_another_die():
    run = fright(rolls=[[6, 6, 4, 6, 4, 5]])
    assert run.outcome.successes == 6
    assert run.outcome.passed


@pytest.mark.rules("steel.test.like_other_abilities")
@pytest.mark.parametrize(("shade", "successes"), [("B", 3), ("G", 4), ("W", 5)])
def test_the_shade_decides_which_faces_count(shade: str, successes: int):
    at = table(mouse={"stats": {"Will": "B1"}, "attributes": {"Steel": f"{shade}6"}})
    run = fright(at, rolls=[[1, 2, 3, 4, 5, 5]])
    assert run.outcome.dice.total == 6
    assert run.outcome.successes == successes
    assert run.rolls[0].expression.dice[Shade.parse(shade)] == 6


@pytest.mark.rules("steel.test.no_forks")
def test_no_other_skill_steadies_the_nerves():
    at = table(mouse={**MOUSE, "skills": {"Cat-wise": "B7", "Meditation": "B5"}})
    run = fright(at)
    assert "forks" not in run.asked
    assert run.outcome.dice.total == 3


@pytest.mark.rules("steel.test.help_rare")
def test_help_is_off_or_very_rare():
    """steel.amb.help."""
    characters = {"mouse": MOUSE, "rat": {"attributes": {"Steel": "B5"}}}
    with pytest.raises(NotAllowed, match=r"steel.test.help_rare"):
        fright(table(options={"steel_help": "off"}, **characters), helpers=["rat"])
    at = table(options={"steel_help": "gm_allows_per_test"}, **characters)
    alone = fright(at, helpers=["rat"])
    assert alone.outcome.dice.total == 3
    assert alone.seats["allow_steel_help"] == "gm"
    assert "help" not in alone.asked  # nobody is even asked where the GM says no
    helped = fright(
        at,
        helpers=["rat"],
        answers={"allow_steel_help": True, "help": "Steel", "help_how": "growls"},
    )
    assert helped.outcome.dice.total == 5
    assert "rat.attributes.Steel.log.challenging" in helped.changed


@pytest.mark.rules("steel.test.successes_reduce", "steel.test.pass", "steel.test.fail")
@pytest.mark.parametrize("successes", range(8))
def test_each_success_takes_a_heartbeat_off(successes: int):
    run = fright(rolls=[successes])
    assert run.outcome.heartbeats == max(0, 6 - successes)
    assert run.outcome.passed is (successes >= 6)
    assert bool(run.outcome.reaction) is (successes < 6)
    assert ("reaction" in run.asked) is (successes < 6)


def test_wounds_take_no_more_dice_than_there_are_and_advantages_are_rolled_all_the_same():
    """steel.amb.zero_dice."""
    pain = {"cause": "pain", "wound_dice": 7}
    steadied = fright(answers={"gm_advantage": 2}, rolls=[[4, 4]], **pain)
    assert steadied.outcome.dice.total == 2
    assert steadied.outcome.heartbeats == 4
    nothing = fright(rolls=(), **pain)
    assert nothing.outcome.dice.total == 0
    assert nothing.outcome.heartbeats == 6
    assert not any("log" in path for path in nothing.changed)


def test_luck_rerolls_one_failed_die_and_a_boon_adds_one():
    """artha.luck.already_open_ended, steel.amb.boon."""
    at = table(mouse={**MOUSE, "artha": {"fate": 1, "persona": 1}})
    run = fright(at, rolls=[[4, 2, 2, 2], [6]], answers={"boon": 1, "after_roll": "luck"})
    assert run.outcome.dice.total == 4
    assert run.outcome.successes == 2
    assert run.table.character("mouse").artha.fate == 0


def test_the_test_is_logged_by_the_dice_without_artha_passed_or_failed():
    """Three dice against Ob 6 and against Ob 3: challenging, then difficult."""
    at = table(mouse={**MOUSE, "artha": {"persona": 3}})
    run = fright(at, answers={"boon": 3})
    assert run.outcome.earned == "challenging"
    assert run.table.character("mouse").attributes["Steel"].log.challenging == 1
    brave = fright(table(mouse={**MOUSE, "stats": {"Will": "B7"}}), rolls=[3])
    assert brave.outcome.earned == "difficult"


# --- Conditions ---------------------------------------------------------------------------


@pytest.mark.rules("steel.condition.standard")
@pytest.mark.parametrize(
    "condition",
    [
        "facing_the_muzzle_of_a_loaded_gun",
        "spooky_sounds_at_night",
        "subtle_evidence_of_magic_at_work",
        "witnessing_childbirth",
        "witnessing_technology_beyond_one_s_ken",
        "witnessing_gore",
        "first_life_and_death_struggle",
    ],
)
def test_some_conditions_are_tested_without_advantage_or_disadvantage(condition: str):
    run = fright(answers={"conditions": [condition]})
    assert run.outcome.obstacle.total == 6
    assert run.outcome.dice.total == 3
    assert not {"advantage", "gm_advantage", "steel_advantages", "disadvantages"} & {*run.asked}


def test_another_listed_circumstance_makes_it_an_ordinary_test():
    """steel.amb.standard_conditions_and_company."""
    both = {
        "conditions": ["witnessing_gore", "witnessing_a_person_killed"],
        "steel_advantages": ["feeling_safe_among_friends_or_allies"],
    }
    run = fright(answers=both)
    assert (run.outcome.obstacle.total, run.outcome.dice.total) == (7, 4)


@pytest.mark.rules("steel.condition.advantages")
def test_the_listed_advantages_add_up_with_an_argued_one():
    run = fright(answers={"steel_advantages": ["startled_by_something_mundane"]})
    assert run.outcome.dice.total == 3 + 2
    run = fright(answers={"steel_advantages": ["feeling_safe_among_friends_or_allies"]})
    assert run.outcome.dice.total == 3 + 1
    both = ["startled_by_something_mundane", "feeling_safe_among_friends_or_allies"]
    run = fright(answers={"steel_advantages": both, "advantage": "The cat is asleep"})
    assert run.outcome.dice.total == 3 + 2 + 1 + 1


LISTED = {
    "being_shot_at": 1,
    "being_directly_affected_by_magic": 1,
    "witnessing_a_person_killed": 1,
    "small_explosions": 2,
    "committing_murder": 2,
    "explosions": 3,
    "witnessing_pronounced_sorcery": 3,
    "seeing_a_ghost": 3,
    "seeing_the_living_dead": 4,
    "volcanic_eruption_cataclysm": 4,
    "seeing_horrible_magic_at_work": 4,
    "presence_of_the_supernatural": 5,
}


@pytest.mark.rules("steel.condition.disadvantages")
@pytest.mark.parametrize(("condition", "obstacle"), LISTED.items())
def test_every_listed_circumstance_adds_to_the_obstacle(condition: str, obstacle: int):
    assert fright(answers={"conditions": [condition]}).outcome.obstacle.total == 6 + obstacle


@pytest.mark.rules("steel.condition.disadvantages")
def test_different_causes_add_up_and_one_cause_counts_once():
    """steel.amb.disadvantages_add."""
    for chosen, more in [
        (["being_shot_at", "committing_murder"], 3),
        (["small_explosions", "explosions"], 3),
        (["witnessing_pronounced_sorcery", "seeing_horrible_magic_at_work"], 4),
        (["seeing_a_ghost", "presence_of_the_supernatural", "being_shot_at"], 6),
    ]:
        assert fright(answers={"conditions": chosen}).outcome.obstacle.total == 6 + more


def test_a_fear_spell_is_met_at_plain_hesitation_or_with_the_modifier_for_magic():
    """steel.amb.magic_modifier_for_fear_spells."""
    for choice, obstacle in (("plain_hesitation", 6), ("plus_1_ob", 7)):
        at = table(options={"steel_fear_spell_modifier": choice}, mouse=MOUSE)
        run = fright(at, forced_by="a spell", fear_spell=True)
        assert run.outcome.obstacle.total == obstacle
        offered = {option.key for option in run.asks["conditions"].question.options}
        assert "being_directly_affected_by_magic" not in offered
        assert "being_shot_at" in offered


def test_die_traits_change_dice_obstacle_and_the_hesitation_itself():
    """beliefs.trait.die.effect_types."""
    traits = [
        {"name": "Fearless", "kind": "die", "hesitation": -2},
        {"name": "Hardened", "kind": "die", "dice": {"Steel": 1}},
        {"name": "Squeamish", "kind": "die", "obstacle": {"Steel": 1}},
        {"name": "Timid", "kind": "character", "hesitation": 3},
    ]
    run = fright(table(mouse={**MOUSE, "traits": traits}))
    assert (run.outcome.obstacle.total, run.outcome.dice.total) == (6 - 2 + 1, 3 + 1)
    fearless = [{"name": "Fearless", "kind": "die", "hesitation": -9}]
    assert not fright(table(mouse={**MOUSE, "traits": fearless}), rolls=()).outcome.tested
