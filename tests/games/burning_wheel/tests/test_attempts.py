"""What the GM lays down and what is gathered before the roll; the order of a test."""

from __future__ import annotations

from itertools import product

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.sheet import Rated
from astragal.games.burning_wheel.tests.intent import may_be_tested
from astragal.play import DecisionEvent, RollEvent, Tell
from games.burning_wheel.playing import a_test, declare, play, table

RICH = {"stats": {"Perception": "B4"}, "skills": {"Sword": "B4", "Brawling": "B3"}}


# --- Dice ----------------------------------------------------------------------------------


@pytest.mark.rules("tests.exponent.dice_rolled")
@pytest.mark.parametrize("exponent", range(1, 11))
def test_the_exponent_is_the_number_of_dice(exponent: int):
    at = table(rich={"skills": {"Sword": f"B{exponent}"}})
    run = a_test(at, "Sword", 1, [0])
    assert run.rolls[0].expression.dice.total == exponent
    assert run.told.count(f"rolls {exponent}D = {exponent} Sword") == 1


@pytest.mark.rules("tests.open_ended.which_abilities", "tests.stats.perception")
@pytest.mark.parametrize(
    ("group", "ability", "open_ended"),
    [
        ("stats", "Perception", True),
        ("stats", "Will", False),
        ("attributes", "steel", True),
        ("attributes", "FAITH", True),
        ("attributes", "Health", False),
        ("attributes", "Hatred", False),
        ("skills", "sorcery", True),
        ("skills", "Sword", False),
    ],
)
def test_which_abilities_are_open_ended(group: str, ability: str, open_ended: bool):
    """Two sixes, then (only where they roll on) a six, a five and a two: 2 or 4 successes."""
    at = table(rich={group: {ability: "B2"}})
    faces = [6, 6, 6, 5, 2] if open_ended else [6, 6]
    run = a_test(at, ability, 4, [faces])
    assert run.outcome.successes == (4 if open_ended else 2)


@pytest.mark.rules("tests.open_ended.which_abilities")
def test_a_skill_counted_as_magical_is_open_ended():
    for magical in (True, False):
        at = table(rich={"skills": {"Song of Paths": {"rating": "B1", "magical": magical}}})
        run = a_test(at, "Song of Paths", 2, [[6, 4] if magical else [6]])
        assert run.outcome.passed is magical


@pytest.mark.rules("tests.amb.advantage_stacking")
def test_every_source_of_dice_adds_up():
    """4 + advantage 1 + GM 2 + FoRK 1 + help 2 + instructions 1 + careful 1 + gear 1 + Boon 2."""
    at = table(
        scene={"instructions": [{"title": "Manual", "reader": "rich", "understood": True}]},
        rich={
            **RICH,
            "gear": [{"name": "Fine sword", "dice": {"Sword": 1}}],
            "artha": {"persona": 2},
        },
        friend={"skills": {"Sword": "B5"}},
    )
    answers = {
        "advantage": "He stands higher",
        "gm_advantage": 2,
        "forks": ["Brawling"],
        "help": "Sword",
        "carefully": True,
        "boon": 2,
    }
    more = {
        "helpers": ["friend"],
        "instructions": ["Manual"],
        "gear": ["fine sword"],
        "time": "1 hour",
    }
    run = a_test(at, "Sword", 3, [3], answers, **more)
    assert [line.amount for line in run.outcome.dice] == [4, 1, 2, 1, 2, 1, 1, 1, 2]
    assert run.outcome.dice.total == 15
    assert run.outcome.obstacle.total == 3


@pytest.mark.rules("tests.amb.help_shade")
def test_added_dice_take_the_shade_of_the_ability_but_gear_keeps_its_own():
    at = table(
        rich={
            "skills": {"Sword": "G3", "Brawling": "B3"},
            "gear": [{"name": "Blade", "dice": {"Sword": 2}, "shade": "W"}],
        },
        friend={"skills": {"Sword": "B4"}},
    )
    answers = {"forks": ["Brawling"], "help": "Sword"}
    # gray: 3 + 1 + 1 dice, all showing 3; white: 2 dice, both showing 2
    run = a_test(at, "Sword", 7, [[3] * 5 + [2] * 2], answers, helpers=["friend"], gear=["Blade"])
    assert run.outcome.successes == 7
    assert run.outcome.passed


def test_a_hundred_dice_are_refused():
    helpers = {f"h{number}": {"skills": {"Sword": "B5"}} for number in range(48)}
    with pytest.raises(BadInput, match=r"dice: found 100, expected at most 60 dice.*\[tests"):
        a_test(
            table(rich=RICH, **helpers),
            "Sword",
            1,
            answers={"help": "Sword"},
            helpers=list(helpers),
        )


def test_every_attribute_but_the_markers_may_be_tested():
    at = table(
        rich={"attributes": {"Health": "B4", "Steel": "B4", "Reflexes": "B4", "Greed": "B1"}}
    )
    tested = {rated.name: may_be_tested(rated) for rated in at.character("rich").abilities()}
    assert tested == {"Health": True, "Steel": True, "Reflexes": False, "Greed": True}
    assert isinstance(next(at.character("rich").abilities()), Rated)


# --- The obstacle --------------------------------------------------------------------------


@pytest.mark.rules("tests.obstacle.definition", "tests.standard.pass")
def test_it_takes_as_many_successes_as_the_obstacle():
    for faces in product(range(1, 7), repeat=3):
        at = table(rich={"skills": {"Sword": "B3"}})
        count = sum(face >= 4 for face in faces)
        run = a_test(at, "Sword", 2, [list(faces)])
        assert run.outcome.passed is (count >= 2), faces
        assert run.outcome.margin == count - 2


@pytest.mark.rules(
    "tests.obstacle.gm_assigns", "tests.standard.gm_sets_obstacle", "tests.obstacle.scale"
)
def test_the_gm_sets_the_obstacle_on_the_named_scale():
    run = a_test(table(rich=RICH), "Sword", 5, [0])
    ask = run.asks["obstacle"]
    assert (ask.seat, ask.question.default) == ("gm", None)
    assert dict(ask.question.names) == {
        1: "Easy",
        2: "Routine",
        3: "Difficult",
        4: "Extremely Difficult",
        5: "Master-level",
        6: "Heroic Effort",
        7: "Ludicrously Difficult",
        8: "Nearly Impossible",
        9: "Phenomenally Difficult",
        10: "Miraculous",
    }
    assert run.outcome.obstacle.total == 5
    with pytest.raises(BadInput, match="obstacle"):
        a_test(table(rich=RICH), "Sword", 0)


@pytest.mark.rules("tests.obstacle.may_be_out_of_reach")
def test_the_obstacle_does_not_bend_to_the_dice():
    run = a_test(table(rich=RICH), "Sword", 10, [4])
    assert (run.outcome.obstacle.total, run.outcome.passed, run.outcome.margin) == (10, False, -6)


@pytest.mark.rules("tests.obstacle.only_up", "tests.modifiers.no_cancelling")
@pytest.mark.parametrize("advantages", range(4))
@pytest.mark.parametrize("disadvantages", range(4))
def test_advantages_and_disadvantages_never_cancel(advantages: int, disadvantages: int):
    against = ["darkness", "smoke", "slippery"][:disadvantages]
    answers = {"gm_advantage": advantages, "disadvantages": against}
    run = a_test(table(rich=RICH), "Sword", 2, [0], answers)
    assert run.outcome.dice.total == 4 + advantages
    assert run.outcome.obstacle.total == 2 + disadvantages


@pytest.mark.rules("tests.modifiers.no_cancelling")
@pytest.mark.parametrize("edition", ["revised", "gold"])
@pytest.mark.parametrize("disadvantages", range(4))
def test_a_players_own_advantage_cancels_no_disadvantage(edition: str, disadvantages: int):
    against = ["darkness", "smoke", "slippery"][:disadvantages]
    answers = {"advantage": "I know this door", "disadvantages": against}
    at = table(options={"edition": edition}, rich=RICH)
    run = a_test(at, "Sword", 2, [0], answers)
    assert run.outcome.dice.total == 4 + 1
    assert run.outcome.obstacle.total == 2 + disadvantages
    refused = {"revised": {"grant_advantage": False}, "gold": {"advantage_dice": 0}}[edition]
    assert a_test(at, "Sword", 2, [0], answers | refused).outcome.dice.total == 4


# --- The terms -----------------------------------------------------------------------------


@pytest.mark.rules(
    "tests.success.gm_announces_result",
    "tests.failure.stated_before_roll",
    "tests.failure.complication",
    "tests.time.stated_before_roll",
    "tests.time.gm_exact",
)
def test_the_gm_tells_what_is_at_stake_before_the_dice():
    answers = {
        "on_success": "the door opens",
        "on_failure": "the guards come",
        "time": "10 minutes",
    }
    run = a_test(table(rich=RICH), "Sword", 1, [1], answers, time="1 minute")
    stake = "Success: the door opens. Failure: the guards come. Time: 10 minutes."
    told = [e.fact.sentence() if isinstance(e, Tell) else type(e).__name__ for e in run.events]
    assert told.index(stake) < told.index("RollEvent")
    assert {run.seats[key] for key in ("on_success", "on_failure", "time")} == {"gm"}
    assert run.outcome.seconds == 600


@pytest.mark.rules("tests.failure.stated_before_roll", "tests.failure.complication")
def test_a_price_of_failure_that_is_not_written_down_is_for_the_gm_to_name():
    run = a_test(table(rich=RICH), "Sword", 2, [1], {"on_failure": " "})
    assert run.before_the_dice("on_failure")
    assert "Failure: the GM names it." in run.told
    assert "Rich: 1 success. Failed, 1 short.\n" in run.told
    dire = a_test(table(rich=RICH), "Sword", 2, [1], {"on_failure": "", "deadly": True})
    assert "Failure: death. " in dire.told
    assert "Rich: 1 success. Failed, 1 short. Death.\n" in dire.told


@pytest.mark.rules("tests.success.gm_announces_result")
def test_success_brings_the_intent_where_the_gm_says_no_more():
    run = a_test(table(rich=RICH), "Sword", 1, [1], intent="the gate is ours")
    assert "Success: the gate is ours." in run.told


@pytest.mark.rules("tests.failure.death_announced")
def test_death_is_announced_exactly_and_beforehand():
    answers = {"deadly": True, "death": "the fall breaks his neck, for the ledge is rotten"}
    run = a_test(table(rich=RICH), "Sword", 2, [0], answers)
    assert run.before_the_dice("death")
    assert "Failure: it goes wrong; the fall breaks his neck" in run.told
    assert "Failed, 2 short. The fall breaks his neck" in run.told
    with pytest.raises(BadInput, match="death"):
        a_test(table(rich=RICH), "Sword", 2, [], {"deadly": True, "death": ""})


@pytest.mark.rules("tests.time.gm_exact", "tests.amb.time_who_states")
def test_the_player_may_offer_a_time_and_the_gm_confirms_or_overrules():
    assert a_test(table(rich=RICH), "Sword", 1, [1], time="2 hours").outcome.seconds == 7200
    overruled = a_test(table(rich=RICH), "Sword", 1, [1], {"time": "3 hours"}, time="2 hours")
    assert overruled.outcome.seconds == 3 * 3600
    assert overruled.asks["time"].question.default == "2 hours"
    with pytest.raises(BadInput, match="time: found 'a while'"):
        a_test(table(rich=RICH), "Sword", 1, [], {"time": "a while"})


@pytest.mark.rules("tests.amb.time_missing_category")
@pytest.mark.parametrize(
    ("category", "hint"),
    [
        ("Martial", "usually nearly always instantaneous"),
        ("Artisan", "usually days and weeks"),
        ("Craftsman", "usually days and weeks"),
        ("Peasant", "a few minutes"),
        ("", "How long does it take?"),
    ],
)
def test_the_question_about_time_gives_the_guideline(category: str, hint: str):
    at = table(rich={"skills": {"Sword": {"rating": "B4", "category": category}}})
    assert hint in a_test(at, "Sword", 1, [1]).asks["time"].prompt


# --- The order -----------------------------------------------------------------------------


@pytest.mark.rules("tests.procedure.order", "tests.modifiers.before_the_roll")
def test_a_test_goes_step_by_step_in_the_order_of_the_book():
    at = table(
        rich={"stats": {"Agility": "B4"}, "skills": {"Sword": "B4", "Brawling": "B3"}},
        friend={"skills": {"Sword": "B5"}},
    )
    answers = {
        "advantage": "He stands higher",
        "forks": ["Brawling"],
        "help": "Sword",
        "carefully": True,
        "allocate": [1, 1],
    }
    run = a_test(at, "Sword", 2, [4], answers, helpers=["friend"], time="1 hour")
    steps = [
        event.ask.key if isinstance(event, DecisionEvent) else "roll"
        for event in run.events
        if isinstance(event, DecisionEvent | RollEvent)
    ]
    assert steps == [
        *("task_says_how", "fits", "at_stake"),
        *("obstacle", "on_success", "on_failure", "deadly", "time", "portions"),
        "disadvantages",
        *("advantage", "grant_advantage", "gm_advantage", "forks", "allow_forks"),
        *("help", "help_how", "accept_help", "allow_help", "carefully"),
        "roll",
        "allocate",
    ]
    changes = list(run.changed)
    assert changes[0] == "rich.skills.Sword.log.routine"
    assert changes[-1] == "scene.rides"
    assert list(run.events)[-1].path == "rides"


@pytest.mark.rules("tests.modifiers.before_the_roll")
def test_who_helps_is_settled_once_and_before_the_roll():
    able = {"stats": {"Will": "B4"}, "skills": {"Sword": "B4"}, "resources": "B4"}
    at = table(rich=able, friend=able)
    assert a_test(at, "Sword", 2, [2]).before_the_dice("ask_help")
    named = a_test(at, "Sword", 2, [2], helpers=["friend"])
    # A purchase names its helpers when it begins.
    bought = play("purchase", {"character": "rich", "item": "a horse"}, at, {"price": 2}, [2])
    assert "ask_help" not in (*named.asked, *bought.asked)


# --- When dice are called for --------------------------------------------------------------


@pytest.mark.rules("tests.roll.uncertain_action", "tests.amb.say_yes")
def test_with_nothing_at_stake_the_gm_may_say_yes_without_dice_or_log():
    answers = {"at_stake": "say_yes"}
    run = play("standard_test", declare("rich", "Sword"), table(rich=RICH), answers, [])
    assert run.outcome.granted
    assert run.outcome.passed
    assert not run.changed
    assert run.seats["at_stake"] == "gm"
    rolled = a_test(table(rich=RICH), "Sword", 1, [1])
    assert not rolled.outcome.granted
    assert len(rolled.rolls) == 1


@pytest.mark.rules("tests.roll.conflict_required")
def test_in_a_conflict_there_is_no_way_around_the_dice():
    at = table(rich=RICH, foe={"npc": True, "skills": {"Sword": "B3"}})
    sides = [declare("rich", "Sword"), declare("foe", "Sword", intent="keep him out")]
    run = play("versus_test", {"sides": sides}, at, rolls=[2, 1])
    assert "at_stake" not in run.asked
    assert len(run.rolls) == 2
    # and nobody but the GM is ever asked whether anything is at stake
    assert a_test(at, "Sword", 1, [1]).seats["at_stake"] == "gm"


@pytest.mark.rules("tests.roll.dice_decide", "tests.success.cannot_be_undone")
def test_no_answer_after_the_roll_changes_the_verdict():
    at = table(
        options={"tests_early_stop": "summary"},
        rich={**RICH, "artha": {"persona": 1}},
        friend={"skills": {"Sword": "B4"}},
    )
    before = {"carefully": True, "help": "Sword"}
    for successes in (0, 2, 3, 5):
        for choice, text, yes in product(
            ("task_undone", "intent_defeated"), ("", "late"), (True, False)
        ):
            if successes < 3:
                after = {"failure": choice, "time_complication": text, "helpers_share": yes}
            else:
                after = {
                    "allocate": [0, successes - 3] if yes and successes > 3 else [successes - 3, 0]
                }
                after = after if successes > 3 else {}
            run = a_test(
                at, "Sword", 3, [successes], before | after, helpers=["friend"], time="1 day"
            )
            assert run.outcome.passed is (successes >= 3)
            assert run.outcome.successes == successes
            assert run.table.scene.rides[0].successes == successes
