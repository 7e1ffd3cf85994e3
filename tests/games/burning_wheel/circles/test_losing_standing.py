"""Reputations and affiliations lost, turned to infamy, left behind and won back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import Played, declare, play
from games.burning_wheel.seeking import at_court, seek

GUILD = {"name": "Guild", "dice": 2}
STERN = {"name": "Stern", "dice": 2}
KILLER = {"infamy": "escalate", "deed": "murders them all", "infamous_for": "Killer"}


def used(**more: Any) -> Any:
    """The table after a search that used everything the knight has."""
    standings = {"affiliations": [GUILD], "reputations": [STERN], **more}
    return seek(at_court(**standings)).table


def falls(at: Any, standing: str, answers: Any = None) -> Played:
    arguments = {"character": "knight", "standing": standing, "what": "The duel was lost."}
    return play("disaster", arguments, at, answers, ())


def dice(at: Any, group: str) -> dict[str, int]:
    return {each.name: each.dice for each in getattr(at.character("knight"), group)}


# --- Losing dice ---------------------------------------------------------------------------


@pytest.mark.rules("circles.affiliation.loss")
def test_an_affiliation_that_was_used_loses_a_die_if_the_gm_says_so():
    at = used()
    run = falls(at, "guild")
    assert run.seats["loses_die"] == "gm"
    assert run.outcome.lost == 1
    assert dice(run.table, "affiliations") == {"Guild": 1}
    assert "infamy" not in run.asked
    spared = falls(at, "Guild", {"loses_die": False})
    assert spared.table == at


@pytest.mark.rules("circles.affiliation.loss")
def test_an_affiliation_without_dice_is_gone_and_opens_no_doors():
    """circles.amb.affiliation_loss_basis."""
    at = falls(falls(used(), "Guild").table, "Guild").table
    assert dice(at, "affiliations") == {"Guild": 0}
    assert seek(at, intent="another").outcome.dice.total == 4 + 2
    with pytest.raises(BadInput, match="a standing that still has dice"):
        falls(at, "Guild")


@pytest.mark.rules("circles.reputation.loss")
def test_a_reputation_that_was_used_loses_a_die_and_is_struck_at_none():
    """circles.amb.reputation_minimum."""
    once = falls(used(), "Stern")
    assert once.seats["infamy"] == "knight"
    assert dice(once.table, "reputations") == {"Stern": 1}
    assert dice(falls(once.table, "Stern").table, "reputations") == {}


@pytest.mark.rules("circles.affiliation.loss", "circles.reputation.loss")
@pytest.mark.parametrize("standing", ["Guild", "Stern"])
def test_only_what_was_used_in_a_search_is_at_risk(standing: str):
    at = at_court(affiliations=[GUILD], reputations=[STERN])
    with pytest.raises(NotAllowed, match="has not used this in a Circles test"):
        falls(at, standing)
    other = "Stern" if standing == "Guild" else "Guild"
    at = seek(at, answers={"standings": [other]}).table
    with pytest.raises(NotAllowed, match="has not used this in a Circles test"):
        falls(at, standing)
    assert falls(at, other).outcome.lost == 1
    with pytest.raises(BadInput, match="standing: found 'Fame'"):
        falls(at, "Fame")


# --- Infamy --------------------------------------------------------------------------------


@pytest.mark.rules("circles.reputation.infamy_choice", "circles.reputation.infamy_effect")
def test_rather_than_lose_a_die_the_player_may_move_it_into_infamy():
    """circles.amb.infamy_keeps_die."""
    run = falls(used(), "Stern", {**KILLER, "offends": "the house"})
    assert dice(run.table, "reputations") == {"Stern": 1, "Killer": 1}
    old, new = run.table.character("knight").reputations
    assert (old.infamous, new.infamous, new.scope) == (False, True, "the house")
    assert run.seats["deed"] == run.seats["infamous_for"] == "knight"
    # The circles that the reputation affects are others now.
    searched = seek(run.table, intent="another", circle="the house")
    assert searched.outcome.obstacle.total == 2


@pytest.mark.rules("circles.reputation.infamy_grows")
def test_each_further_time_another_die_moves():
    once = falls(used(reputations=[{"name": "Stern", "dice": 3}]), "Stern", KILLER).table
    twice = falls(once, "Stern", {"infamy": "escalate", "deed": "burns the house"}).table
    assert dice(twice, "reputations") == {"Stern": 1, "Killer": 2}
    thrice = falls(twice, "Stern", {"infamy": "escalate", "deed": "salts the earth"}).table
    assert dice(thrice, "reputations") == {"Killer": 3}


@pytest.mark.rules("circles.reputation.infamy_effect")
def test_infamy_needs_words_of_its_own():
    for words in ("Stern", "guild"):
        with pytest.raises(BadInput, match="infamous_for"):
            falls(used(), "Stern", {**KILLER, "infamous_for": words})


@pytest.mark.rules("circles.reputation.infamy_enemies")
def test_the_gm_may_turn_friends_into_enemies_over_it():
    contact = {"name": "Wat", "sought": "a smith", "obstacle": 2}
    at = used(relationships=["Aunt Ilse"], contacts=[contact])
    assert not falls(at, "Stern", KILLER).table.scene.enemies
    run = falls(at, "Stern", {**KILLER, "turn_against": ["Aunt Ilse", "Wat"]})
    assert run.seats["turn_against"] == "gm"
    assert [each.name for each in run.table.scene.enemies] == ["Aunt Ilse", "Wat"]
    assert run.table.scene.enemies[0].grudge == "murders them all"


# --- Another identity ----------------------------------------------------------------------


def guise(at: Any) -> Any:
    return play("take_identity", {"character": "knight", "identity": "Brother Pell"}, at).table


@pytest.mark.rules("circles.reputation.new_identity")
def test_under_a_new_identity_nothing_of_the_old_life_helps():
    contact = {"name": "Wat", "sought": "a smith", "obstacle": 1}
    at = guise(at_court(affiliations=[GUILD], reputations=[STERN], contacts=[contact]))
    run = seek(at)
    assert run.outcome.dice.total == 4
    assert "standings" not in run.asked
    with pytest.raises(BadInput, match="contact: found 'Wat'"):
        seek(at, contact="Wat")
    made = seek(at, rolls=[3], answers={"name_contact": "Ulf"}).table
    assert [c.identity for c in made.character("knight").contacts] == ["", "Brother Pell"]
    assert seek(made, contact="Ulf", intent="more").outcome.dice.total == 5
    with pytest.raises(NotAllowed, match="already goes by Brother Pell"):
        guise(at)


@pytest.mark.rules("circles.reputation.new_identity")
def test_base_circles_and_relationships_are_kept_or_barred():
    """circles.amb.new_identity_scope."""
    ask = {"character": "knight", "who": "Aunt Ilse", "about": "the will"}
    kept = guise(
        at_court(
            {"circles_new_identity": "base_and_relationships_kept"}, relationships=["Aunt Ilse"]
        )
    )
    assert play("consult", ask, kept).outcome.met
    assert seek(kept).outcome.found
    barred = guise(
        at_court(
            {"circles_new_identity": "base_and_relationships_barred"}, relationships=["Aunt Ilse"]
        )
    )
    for attempt in (lambda: play("consult", ask, barred), lambda: seek(barred)):
        with pytest.raises(NotAllowed, match=r"circles.reputation.new_identity"):
            attempt()


@pytest.mark.rules("circles.reputation.old_identity_resumed")
def test_the_old_reputation_comes_back_at_one_die_less():
    fame = [STERN, {"name": "Kind", "dice": 1}]
    at = guise(at_court(affiliations=[GUILD], reputations=fame))
    back = play("resume_identity", {"character": "knight"}, at)
    assert back.outcome.regained == (("Stern", 1), ("Kind", 0))
    assert dice(back.table, "reputations") == {"Stern": 1}
    assert dice(back.table, "affiliations") == {"Guild": 2}
    assert seek(back.table).outcome.dice.total == 4 + 2 + 1
    with pytest.raises(NotAllowed, match="Knight has not taken a new identity"):
        play("resume_identity", {"character": "knight"}, back.table)


# --- Giving up and winning back ------------------------------------------------------------


def cut(at: Any, number: int) -> Played:
    arguments = {"character": "knight", "affiliation": "Guild", "dice": number}
    return play("cut_ties", arguments, at)


def regain(at: Any, number: int, answers: Any = None, rolls: Any = (), **more: Any) -> Played:
    arguments = {
        "character": "knight",
        "affiliation": "Guild",
        "dice": number,
        "amends": "pays the debt",
        **more,
    }
    return play("regain_affiliation", arguments, at, answers, rolls)


@pytest.mark.rules("circles.affiliation.cut_ties")
def test_a_player_may_give_up_as_many_dice_as_he_likes():
    at = at_court(affiliations=[GUILD])
    for number, left in ((1, 1), (2, 0)):
        run = cut(at, number)
        assert not run.asked
        assert dice(run.table, "affiliations") == {"Guild": left}
    for number in (0, 3):
        with pytest.raises(BadInput, match=f"dice: found {number}, expected 1 to 2"):
            cut(at, number)


@pytest.mark.rules("circles.affiliation.regain")
def test_lost_dice_are_won_back_by_amends_and_a_won_duel():
    """circles.amb.affiliation_regain_amount."""
    at = cut(at_court(affiliations=[GUILD]), 2).table
    run = regain(at, 2, {"duel_won": True})
    assert run.seats["duel_won"] == run.seats["made_good"] == "gm"
    assert dice(run.table, "affiliations") == {"Guild": 2}
    assert regain(at, 2, {"duel_won": False}).table == at
    assert regain(at, 2, {"made_good": False}).table == at
    with pytest.raises(BadInput, match="dice: found 3"):
        regain(at, 3)
    with pytest.raises(NotAllowed, match="Knight has lost no dice of an affiliation"):
        regain(at_court(affiliations=[GUILD]), 1)


@pytest.mark.rules("circles.affiliation.regain")
@pytest.mark.parametrize(("rolls", "won"), [([1, 1], 1), ([1, 0], 0), ([0, 1], 0)])
def test_a_series_of_social_tests_does_as_well_if_all_of_them_pass(rolls: list[int], won: int):
    skills = {"Persuasion": "B3", "Oratory": "B3"}
    at = cut(at_court(affiliations=[GUILD], skills=skills), 1).table
    tests = [
        declare("knight", "Persuasion", intent="win the masters"),
        declare("knight", "Oratory", intent="win the hall"),
    ]
    run = regain(at, 1, {"obstacle": 1, "on_failure": "x"}, rolls, tests=tests)
    assert run.outcome.regained == won
    assert [test.passed for test in run.outcome.tests] == [bool(successes) for successes in rolls]
    assert dice(run.table, "affiliations") == {"Guild": 1 + won}


@pytest.mark.rules("circles.affiliation.regain")
@pytest.mark.parametrize("ability", ["Will", "Sword", "Circles"])
def test_nothing_but_social_skills_wins_people_over(ability: str):
    skills = {"Sword": {"rating": "B5", "category": "Martial"}}
    at = cut(at_court(affiliations=[GUILD], skills=skills), 1).table
    with pytest.raises(BadInput, match="expected a social skill") as refused:
        regain(at, 1, tests=[declare("knight", ability, intent="win the masters")])
    assert refused.value.rule == "circles.affiliation.regain"


# --- Over time -----------------------------------------------------------------------------


@pytest.mark.rules(
    "circles.affiliation.loss", "circles.affiliation.cut_ties", "circles.affiliation.regain"
)
@given(st.lists(st.sampled_from(["fall", "cut", "regain"]), max_size=8))
def test_dice_held_and_dice_lost_are_always_those_once_held(moves: list[str]):
    at, held = used(affiliations=[{"name": "Guild", "dice": 3}]), 3
    for move in moves:
        if move == "regain" and held < 3:
            at, held = regain(at, 1, {"duel_won": True}).table, held + 1
        elif move != "regain" and held:
            run = falls(at, "Guild") if move == "fall" else cut(at, 1)
            at, held = run.table, held - 1
        (guild,) = at.character("knight").affiliations
        assert (guild.dice, guild.lost) == (held, 3 - held)
