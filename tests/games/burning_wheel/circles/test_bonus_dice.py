"""What reputations, affiliations and names do to a search by Circles."""

from __future__ import annotations

import pytest

from games.burning_wheel.playing import table
from games.burning_wheel.seeking import at_court, knight, seek

NAVY = {"name": "The navy", "dice": 1, "scope": "the navy"}
JUST = {"name": "Just", "dice": 2, "scope": "the county"}
BRAVE = {"name": "Brave", "dice": 3}
TRAITOR = {"name": "Traitor", "dice": 2, "infamous": True, "scope": "the court"}


@pytest.mark.rules("circles.ability.bonus_dice_sources")
def test_affiliations_and_reputations_add_their_dice_and_count_for_advancement():
    at = at_court(affiliations=[{"name": "Guild", "dice": 1}], reputations=[BRAVE])
    run = seek(at, station="highest", occupation="specific")
    assert [line.amount for line in run.outcome.dice] == [4, 1, 3]
    assert run.outcome.obstacle.total == 7
    # Eight dice against Ob 7: difficult; the four of Circles alone would make it challenging.
    assert run.outcome.earned == "difficult"


@pytest.mark.rules("circles.reputation.scope", "circles.affiliation.scope")
@pytest.mark.parametrize(
    ("circle", "dice"), [("the navy", 1), ("The County", 2), ("abroad", 0), ("", 0)]
)
def test_standings_count_only_where_they_are_defined(circle: str, dice: int):
    at = at_court(affiliations=[NAVY], reputations=[JUST])
    assert seek(at, circle=circle).outcome.dice.total == 4 + dice


@pytest.mark.rules("circles.affiliation.scope", "circles.reputation.scope")
@pytest.mark.parametrize(
    ("used", "allowed", "dice"), [(["The navy"], None, 1), (["The navy"], [], 0), ([], None, 0)]
)
def test_what_is_related_to_an_affiliation_counts_if_player_and_gm_say_so(used, allowed, dice):
    """The docks are not the navy, but the navy's affairs reach there; not without a word."""
    at = at_court(affiliations=[NAVY], reputations=[JUST])
    answers = {"standings": used}
    if allowed is not None:
        answers["allow_standings"] = allowed
    run = seek(at, circle="the docks", answers=answers)
    assert run.outcome.dice.total == 4 + dice
    notes = [option.note for option in run.asks["standings"].question.options]
    assert notes == ["+1D, for the navy", "+2D, for the county"]


@pytest.mark.rules("circles.reputation.scope", "circles.affiliation.scope")
@pytest.mark.parametrize(
    ("allowed", "dice"), [(["Guild", "Brave"], 1 + 3), (["Guild"], 1), ([], 0)]
)
def test_a_standing_without_a_written_scope_may_count_anywhere(allowed: list[str], dice: int):
    """Words cannot tell then, so the GM says where it counts."""
    at = at_court(affiliations=[{"name": "Guild", "dice": 1}], reputations=[BRAVE])
    run = seek(at, circle="the navy", answers={"allow_standings": allowed})
    assert run.outcome.dice.total == 4 + dice


@pytest.mark.rules("circles.reputation.scope", "circles.affiliation.scope")
def test_the_gm_has_the_last_word_on_where_a_standing_counts():
    at = at_court(reputations=[BRAVE])
    run = seek(at, answers={"allow_standings": []})
    assert run.seats["allow_standings"] == "gm"
    assert run.outcome.dice.total == 4


@pytest.mark.rules("circles.ability.bonus_dice_optional")
def test_a_player_may_leave_standings_out():
    at = at_court(affiliations=[{"name": "Guild", "dice": 1}], reputations=[BRAVE])
    run = seek(at, answers={"standings": ["Guild"]})
    assert run.outcome.dice.total == 5
    assert run.seats["standings"] == "knight"
    (made,) = run.table.scene.searches
    assert (made.standings, made.reputation_dice) == (("Guild",), 0)


@pytest.mark.rules("circles.infamy.penalty")
@pytest.mark.parametrize(("circle", "obstacle"), [("the court", 3), ("the docks", 1)])
def test_infamy_is_an_obstacle_for_each_die_within_the_group_it_offends(circle: str, obstacle: int):
    at = at_court(reputations=[TRAITOR])
    run = seek(at, circle=circle)
    assert run.outcome.obstacle.total == obstacle
    assert run.outcome.dice.total == 4
    ruled = seek(at, circle="the docks", answers={"offended": ["Traitor"]})
    assert ruled.outcome.obstacle.total == 3
    assert ruled.seats["offended"] == "gm"


@pytest.mark.rules("circles.infamy.opens_circles")
def test_infamy_is_a_reputation_among_those_who_approve():
    """circles.amb.infamy_bonus_dice."""
    at = at_court(reputations=[TRAITOR])
    run = seek(at, circle="the rebels", answers={"standings": ["Traitor"]})
    assert run.outcome.dice.total == 6
    denied = {"standings": ["Traitor"], "allow_standings": []}
    assert seek(at, circle="the rebels", answers=denied).outcome.dice.total == 4


@pytest.mark.rules("circles.test.sought_reputation")
def test_the_reputation_of_the_person_sought_helps_to_find_him():
    at = table(knight=knight(), duke={"npc": True, "reputations": [JUST, BRAVE]})
    assert seek(at, person="duke").outcome.dice.total == 4 + 5
    some = seek(at, person="duke", answers={"sought_reputation": ["Just"]})
    assert some.outcome.dice.total == 6
    assert seek(renown=3).outcome.dice.total == 7


@pytest.mark.rules("circles.naming.bonus")
def test_a_written_name_is_one_die_more():
    wat = {"name": "Wat", "sought": "a smith", "obstacle": 2}
    run = seek(at_court(contacts=[wat]), contact="Wat")
    assert run.outcome.dice.total == 5
    assert "1 named contact: Wat" in run.told
