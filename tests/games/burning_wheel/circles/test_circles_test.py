"""The Circles test: its dice, what it finds, when and where, and what it does not bring."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import Pool
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.circles.searches import Search
from astragal.play import Scripted, defaults, exact
from games.burning_wheel.playing import table
from games.burning_wheel.seeking import at_court, knight, seek

BRAVE = {"name": "Brave", "dice": 3}


# --- Dice ---------------------------------------------------------------------------------


@pytest.mark.rules("circles.test.wises")
@pytest.mark.parametrize(
    ("successes", "dice", "obstacle"), [(3, 5, 1), (2, 4, 1), (1, 4, 2), (0, 4, 2)]
)
def test_a_wise_first_is_a_linked_test(successes: int, dice: int, obstacle: int):
    at = at_court(skills={"Court-wise": "B3"})
    run = seek(at, [successes, 4], {"obstacle": 2, "on_failure": "x"}, wise="Court-wise")
    assert run.outcome.dice.total == dice
    assert run.outcome.obstacle.total == obstacle


def test_circles_take_help_but_no_forks_and_no_wounds():
    """circles.amb.help, circles.amb.forks, circles.amb.advantage_limit."""
    at = table(knight=knight(skills={"Etiquette": "B7"}), page={"circles": "B5"})
    answers = {"help": "Circles", "help_how": "asks the pages", "advantage": "They owe him"}
    run = seek(at, answers=answers, helpers=["page"])
    assert run.outcome.dice.total == 4 + 2 + 1
    assert "forks" not in run.asked
    assert any(path.startswith("page.circles.log") for path in run.changed)


def test_without_circles_only_bonus_dice_are_rolled():
    """circles.amb.circles_zero."""
    with pytest.raises(NotAllowed, match=r"circles.amb.circles_zero"):
        seek(at_court(circles="B0"))
    run = seek(at_court(circles="B0", reputations=[BRAVE]))
    assert run.outcome.dice.total == 3


# --- Found ---------------------------------------------------------------------------------


@pytest.mark.rules(
    "circles.ability.use", "circles.test.success", "circles.ability.npc_made_on_demand"
)
@pytest.mark.parametrize(("successes", "found"), [(4, True), (3, True), (2, False), (0, False)])
def test_as_many_successes_as_the_obstacle_find_somebody_well_disposed(successes: int, found: bool):
    run = seek(rolls=[successes], occupation="uncommon")
    assert run.outcome.found is run.outcome.passed is found
    assert run.outcome.disposition == ("favourable" if found else "")
    # Nobody was at the table before who could have been found.
    assert list(run.table.characters) == ["knight"]


@pytest.mark.rules("circles.ability.finds_not_extracts")
def test_finding_somebody_brings_nothing_else_yet():
    assert "their knowledge or help must still be won" in seek().told
    assert "must still be won" not in seek(rolls=[0]).told


@pytest.mark.rules("circles.test.failure", "circles.test.existence")
def test_a_failure_does_not_mean_that_there_is_nobody():
    run = seek(rolls=[0])
    assert not run.outcome.found
    assert "such a person may still exist" in run.told
    hostile = seek(rolls=[0], answers={"enmity": True, "enemy_name": "Sir Roland"})
    assert (hostile.outcome.found, hostile.outcome.passed) == (True, False)
    assert hostile.outcome.disposition == "hostile"


@pytest.mark.rules("circles.test.intent_and_task")
def test_whom_and_how_are_declared_before_the_dice():
    run = seek()
    assert "Knight's intent: news of the court. Task: asks in the stables (Circles B4)." in run.told
    assert run.before_the_dice("occupation")


def test_let_it_ride_for_the_same_intent():
    """circles.amb.let_it_ride."""
    at = seek(rolls=[0]).table
    with pytest.raises(NotAllowed, match="already rolled Circles"):
        seek(at, sought="another squire")
    assert seek(at, intent="a fresh horse").outcome.found


# --- Where and when ------------------------------------------------------------------------


@pytest.mark.rules("circles.test.place_gm_decides", "circles.test.place_local")
def test_where_somebody_is_found_is_up_to_whoever_paid_for_it():
    anywhere = seek(answers={"where": "in another kingdom"})
    assert anywhere.seats["where"] == "gm"
    assert anywhere.outcome.where == "in another kingdom"
    assert "however far off" in anywhere.asks["where"].prompt
    with pytest.raises(BadInput, match=r"where: .*circles\.test\.place_gm_decides"):
        seek(answers={"where": ""})
    local = seek(place="local", rolls=[4])
    assert "city, territory or hunting grounds" in local.asks["where"].prompt
    named = seek(place="specific", place_name="the Blue Boar", rolls=[4])
    assert "where" not in named.asked
    assert named.outcome.where == "the Blue Boar"


@pytest.mark.rules("circles.test.time_eventually", "circles.test.time_soon")
def test_eventually_and_soon_are_the_gms_to_choose():
    eventually = seek(answers={"when": "next winter"})
    assert (eventually.seats["when"], eventually.outcome.when) == ("gm", "next winter")
    assert "session" not in eventually.asks["when"].prompt
    soon = seek(time="soon", rolls=[4])
    assert soon.seats["when"] == "gm"
    assert "in this session" in soon.asks["when"].prompt
    assert soon.outcome.when == "later this session"


@pytest.mark.rules("circles.test.time_now")
def test_now_is_the_players_moment_but_breaks_into_no_scene():
    run = seek(time="now", rolls=[4], answers={"when": "at dawn"})
    assert (run.seats["when"], run.outcome.when) == ("knight", "at dawn")
    busy = seek(time="now", rolls=[4], answers={"when": "at once", "interrupts": True})
    assert busy.outcome.when == "after the scene in progress"
    assert busy.seats["interrupts"] == "gm"


# --- Odds ----------------------------------------------------------------------------------


@pytest.mark.rules("circles.test.success")
def test_the_odds_are_those_of_the_dice():
    """Four black dice against Ob 2: 11 of 16."""
    arguments: dict[str, Any] = {
        "character": "knight",
        "sought": "a squire",
        "intent": "news",
        "how": "asks",
        "through": "Knight",
        "place": "local",
    }
    search = GAME.read(arguments, Search, "arguments")
    odds = exact(GAME.procedure("circles_test").start(search, at_court()), Scripted({}, defaults))
    passed = sum(odds.chance(outcome) for outcome in odds.weights if outcome.passed)
    assert passed == Pool.of(4).at_least(2)
    assert passed * 16 == 11
