"""Nerves: what calls for a Steel test, its dice and obstacle, and what a failure looks like."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.hesitation import reactions
from astragal.games.burning_wheel.nerves import SteelTest, hesitation
from astragal.play import Scripted, Tell, defaults, exact
from astragal.rules import catalogue
from games.burning_wheel.playing import Played, a_test, play, table

MOUSE: dict[str, Any] = {"stats": {"Will": "B4"}, "attributes": {"Steel": "B3"}}
REACTIONS = ["stand_and_drool", "fall_prone_and_beg_for_mercy", "swoon", "run_screaming"]


def fright(at: Any = None, rolls: Any = (0,), answers: Any = None, **more: Any) -> Played:
    """A fear test by the mouse, unless told otherwise."""
    arguments = {"character": "mouse", "cause": "fear", "source": "a cat", **more}
    return play("steel_test", arguments, at or table(mouse=MOUSE), answers, rolls)


# --- What calls for a test -----------------------------------------------------------------


@pytest.mark.rules(
    "steel.test.gm_calls",
    "steel.cause.surprise",
    "steel.cause.surprise_only_if_it_counts",
    "steel.cause.fear",
    "steel.attribute.meaning",
)
@pytest.mark.parametrize("cause", ["surprise", "fear"])
def test_the_gm_alone_says_whether_a_surprise_or_a_fright_is_tested(cause: str):
    run = fright(cause=cause)
    assert run.seats["call_for_steel"] == "gm"
    assert run.outcome.tested
    calm = fright(cause=cause, answers={"call_for_steel": False}, rolls=())
    assert not calm.outcome.tested
    assert calm.outcome.passed
    assert "reacts freely" in calm.told
    assert not calm.changed


@pytest.mark.rules("steel.test.gm_calls")
def test_no_player_calls_for_an_ordinary_test_of_steel():
    run = a_test(table(mouse=MOUSE), "Steel", 1, [1])
    assert run.seats["call_for_steel"] == "gm"
    with pytest.raises(NotAllowed, match=r"only the GM calls .*\[steel.test.gm_calls\]"):
        a_test(table(mouse=MOUSE), "Steel", 1, [1], {"call_for_steel": False})


@pytest.mark.rules("steel.test.three_causes")
def test_there_are_three_causes_and_no_other():
    for cause in ("surprise", "fear", "pain"):
        assert fright(cause=cause, wound_dice=1).outcome.tested
    with pytest.raises(BadInput, match=r"^arguments.cause: found 'boredom'"):
        fright(cause="boredom")


@pytest.mark.rules("steel.cause.pain")
def test_every_wound_of_a_die_or_more_is_tested_without_asking_and_takes_its_dice():
    run = fright(cause="pain", source="a light wound", wound_dice=2)
    assert "call_for_steel" not in run.asked
    assert run.outcome.dice.total == 1
    with pytest.raises(BadInput, match=r"wound_dice: found 0, expected .*steel.cause.pain"):
        fright(cause="pain", source="a scratch", superficial=True)


def test_what_another_chapter_forces_needs_no_call():
    assert "call_for_steel" not in fright(forced_by="an incitement").asked


def test_one_fright_is_tested_once_but_every_wound_hurts():
    """steel.amb.repeat_tests."""
    at = fright().table
    with pytest.raises(NotAllowed, match="already rolled Steel"):
        fright(at, source=" A  Cat ")
    assert fright(at, source="two cats").outcome.tested
    hurt = fright(at, cause="pain", source="a bite", wound_dice=1).table
    assert fright(hurt, cause="pain", source="a bite", wound_dice=1).outcome.tested


# --- Hesitation ----------------------------------------------------------------------------


@pytest.mark.rules("steel.hesitation.base")
@pytest.mark.parametrize(("shade", "from_what"), [("B", 10), ("G", 8), ("W", 7)])
@pytest.mark.parametrize("will", range(1, 11))
def test_hesitation_is_ten_less_will_or_eight_or_seven_and_never_below_none(
    shade: str, from_what: int, will: int
):
    sheet = table(mouse={"stats": {"Will": f"{shade}{will}"}}).character("mouse")
    line = hesitation(sheet)
    assert line is not None
    assert line.amount == max(0, from_what - will)


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


def test_the_gm_has_the_hesitation_of_those_without_will():
    run = fright(table(mouse={"attributes": {"Steel": "B3"}}), answers={"hesitation": 5})
    assert run.outcome.heartbeats == 5
    assert run.seats["hesitation"] == "gm"


def test_superficial_wounds_lengthen_the_hesitation():
    """steel.amb.superficial_ob."""
    assert fright(superficial=True).outcome.heartbeats == 7


# --- Dice ----------------------------------------------------------------------------------


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


# --- Conditions ----------------------------------------------------------------------------


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


# --- Failing -------------------------------------------------------------------------------


@pytest.mark.rules("steel.fail.player_chooses_how")
@pytest.mark.parametrize("cause", ["surprise", "fear", "pain"])
def test_the_player_chooses_one_of_four_whatever_the_cause(cause: str):
    at = table(mouse={**MOUSE, "player": "anna"})
    run = fright(at, cause=cause, wound_dice=1)
    assert run.seats["reaction"] == "anna"
    assert [option.key for option in run.asks["reaction"].question.options] == REACTIONS
    assert [option.key for option in reactions()] == REACTIONS


def test_no_reaction_allows_any_defence():
    """steel.amb.defence_of_other_reactions."""
    for reaction in REACTIONS:
        assert not fright(answers={"reaction": reaction}).outcome.may_defend


@pytest.mark.rules("steel.fail.stand_and_drool", "steel.fail.stand_no_defence")
def test_standing_and_drooling_is_standing_still_without_defence_or_voice():
    run = fright(answers={"reaction": "stand_and_drool"}, rolls=[1])
    assert run.outcome.heartbeats == 5
    assert (run.outcome.may_defend, run.outcome.may_shout) == (False, False)
    assert (run.outcome.prone, run.outcome.flees_from) == (False, "")
    assert "stands stunned: no defence, and not a sound" in run.told


@pytest.mark.rules("steel.fail.fall_prone")
def test_falling_prone_may_bring_one_behind_cover():
    answers = {"reaction": "fall_prone_and_beg_for_mercy"}
    run = fright(answers={**answers, "behind_cover": True})
    assert (run.outcome.prone, run.outcome.cover) == (True, True)
    assert run.seats["behind_cover"] == "gm"
    in_the_open = fright(answers=answers)
    assert (in_the_open.outcome.prone, in_the_open.outcome.cover) == (True, False)
    assert "plea" not in in_the_open.asked
    assert not in_the_open.outcome.dropped


@pytest.mark.rules("steel.fail.fall_prone_close_combat")
def test_in_close_combat_the_weapon_falls_and_the_opponent_decides():
    at = table(mouse={**MOUSE, "gear": ["needle"]}, cat={"player": "tom"})
    answers = {"reaction": "fall_prone_and_beg_for_mercy", "plea": "plays with it"}
    run = fright(at, answers=answers, opponent="cat", weapon="needle")
    assert run.outcome.dropped == "needle"
    assert run.seats["plea"] == "tom"
    assert "begs Cat for mercy" in run.told
    assert "Cat: plays with it." in run.told
    held = fright(at, answers={"reaction": "swoon"}, opponent="cat", weapon="needle")
    assert not held.outcome.dropped


@pytest.mark.rules("steel.fail.swoon")
def test_a_swoon_is_a_silent_collapse():
    run = fright(answers={"reaction": "swoon"})
    assert (run.outcome.prone, run.outcome.may_shout) == (True, False)
    assert "swoons, unaware of everything" in run.told


@pytest.mark.rules("steel.fail.run_screaming", "steel.fail.run_direction")
def test_running_is_loud_and_straight_away_from_what_the_gm_names():
    at = table(mouse={**MOUSE, "player": "anna"})
    answers = {"reaction": "run_screaming", "flees_from": "the cat's shadow", "cry": "squeaks"}
    run = fright(at, answers=answers)
    assert run.outcome.flees_from == "the cat's shadow"
    assert run.outcome.may_shout
    assert (run.seats["flees_from"], run.seats["cry"]) == ("gm", "anna")
    assert "runs at top speed and squeaks" in run.told
    assert "Straight away from the cat's shadow, whatever is in the way." in run.told


def test_the_others_need_not_learn_how_long_the_gms_characters_hesitate():
    for npc, audience in ((True, ("gm",)), (False, ())):
        run = fright(table(mouse={**MOUSE, "npc": npc}))
        (told,) = [
            e for e in run.events if isinstance(e, Tell) and "Hesitates" in e.fact.sentence()
        ]
        assert told.audience == audience


# --- Odds ----------------------------------------------------------------------------------


@pytest.mark.rules("steel.test.open_ended", "steel.test.pass")
def test_the_odds_are_those_of_open_ended_dice():
    """Two black dice against a hesitation of 2: counted by hand over at most four throws."""

    def at_least(needed: int, dice: int, depth: int) -> Fraction:
        if needed <= 0:
            return Fraction(1)
        if not dice or not depth:
            return Fraction(0)
        total = Fraction(0)
        for faces in product(range(1, 7), repeat=dice):
            good = sum(face >= 4 for face in faces)
            total += at_least(needed - good, faces.count(6), depth - 1)
        return total / 6**dice

    at = table(mouse={"stats": {"Will": "B8"}, "attributes": {"Steel": "B2"}})
    start = GAME.procedure("steel_test").start(
        GAME.read({"character": "mouse", "cause": "fear", "source": "a cat"}, SteelTest, "x"), at
    )
    odds = exact(start, Scripted({}, defaults))
    passed = sum((odds.chance(o) for o in odds.weights if o.passed), Fraction(0))
    assert abs(float(passed) - float(at_least(2, 2, 6))) < 1e-3


# --- Situations without a roll -------------------------------------------------------------


def award(at: Any = None, answers: Any = None, **more: Any) -> Played:
    arguments = {"character": "mouse", "situation": "the siege", "like": ["being_stabbed"], **more}
    return play("situational_steel", arguments, at or table(mouse=MOUSE), answers, ())


@pytest.mark.rules("steel.situational.gm_award")
def test_the_gm_awards_a_test_without_dice_or_does_not():
    run = award()
    assert run.seats["award"] == "gm"
    assert run.outcome.awarded
    refused = award(answers={"award": False})
    assert not refused.outcome.awarded
    assert not refused.changed


@pytest.mark.rules("steel.situational.rating")
@pytest.mark.parametrize(
    ("like", "obstacle", "earned"),
    [
        ("news_that_a_relative_has_died", 1, "routine"),
        ("witnessing_childbirth", 2, "routine"),
        ("bearing_a_child", 3, "difficult"),
        ("being_stabbed", 4, "difficult"),
        ("murder_in_cold_blood", 5, "challenging"),
        ("presence_of_the_divine", 10, "challenging"),
    ],
)
def test_the_listed_obstacle_is_held_against_the_exponent(like: str, obstacle: int, earned: str):
    """On an exponent of 4: routine to Ob 2, difficult to 4, challenging above."""
    at = table(mouse={"attributes": {"Steel": "B4"}})
    run = award(at, like=[like])
    assert (run.outcome.obstacle, run.outcome.earned) == (obstacle, earned)
    assert getattr(run.table.character("mouse").attributes["Steel"].log, earned) == 1


@pytest.mark.rules("steel.situational.rating")
def test_the_list_has_thirty_situations_and_the_highest_that_fits_counts():
    rows = catalogue().table("steel.table.situational").records()
    assert len(rows) == 30
    like = ["being_stabbed", "taking_part_in_a_mass_battle", "witnessing_childbirth"]
    assert award(like=like).outcome.obstacle == 5
    with pytest.raises(BadInput, match=r"like\[0\]: found 'being tickled', expected one of "):
        award(like=["being tickled"])
    with pytest.raises(BadInput, match="like: "):
        award(like=[])


@pytest.mark.rules("steel.situational.not_with_roll")
def test_there_is_no_award_where_steel_was_rolled():
    rolled = fright().table
    with pytest.raises(NotAllowed, match=r"steel.situational.not_with_roll"):
        award(rolled)
    assert award(rolled, {"rolled_in_it": False}).outcome.awarded
    with pytest.raises(NotAllowed, match=r"steel.situational.not_with_roll"):
        award(answers={"rolled_in_it": True})


def test_a_situation_is_awarded_once():
    """steel.amb.situational_frequency."""
    at = award().table
    with pytest.raises(NotAllowed, match=r"steel.amb.situational_frequency"):
        award(at)
    assert award(at, situation="the flood").outcome.awarded


def test_the_chapters_own_table_of_advancement_is_the_one_for_skills():
    """steel.amb.advancement_interchangeable, steel.amb.core_formula_at_4."""
    own = catalogue().table("steel.table.advancement").rows
    assert [row[0] for row in own] == list(range(1, 10))
    assert own[3] == (4, 4, 2, "or", 1)
    assert own[4] == (5, 0, 3, "and", 1)


# --- Bad input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"source": "  "}, "source"),
        ({"source": "x" * 401}, "source"),
        ({"wound_dice": -1}, "wound_dice"),
        ({"wound_dice": 21}, "wound_dice"),
        ({"opponent": "dog"}, "opponent"),
        ({"weapon": "cannon"}, "weapon"),
        ({"character": "dog"}, "character"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(more: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        fright(**more)
    assert refused.value.place == place
    assert "\n" not in str(refused.value)


def test_nobody_without_steel_can_test_it():
    with pytest.raises(BadInput, match=r"^attributes.Steel: "):
        fright(table(mouse={"stats": {"Will": "B4"}}))
