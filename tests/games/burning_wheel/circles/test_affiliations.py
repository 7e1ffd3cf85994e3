"""Buying into affiliations and advancing in rank."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import Played, play
from games.burning_wheel.seeking import at_court


def join(at: Any = None, rolls: Any = (1, 5), answers: Any = None, **more: Any) -> Played:
    """A knight of Resources B5 buys into a humble guild of 1D, unless told otherwise."""
    arguments = {
        "character": "knight",
        "affiliation": "Guild",
        "dice": 1,
        "invitation": "the master asks him to",
        **more,
    }
    return play("buy_affiliation", arguments, at or at_court(resources="B5"), answers, rolls)


def ranks(at: Any) -> dict[str, int]:
    return {each.name: each.dice for each in at.character("knight").affiliations}


@pytest.mark.rules("circles.affiliation.needs_invitation")
def test_nobody_simply_buys_his_way_in():
    with pytest.raises(BadInput, match=r"invitation: found ''.*needs_invitation"):
        join(invitation="")
    with pytest.raises(NotAllowed, match="needs a chance in play to join Guild"):
        join(answers={"invited": False}, rolls=())
    assert join().seats["invited"] == "gm"


@pytest.mark.rules("circles.affiliation.circles_test")
def test_first_comes_a_circles_test_by_occupation_station_and_disposition():
    who = {"occupation": "uncommon", "station": "higher_1", "disposition": "specific"}
    run = join(rolls=[4], **who)
    assert run.outcome.circles_obstacle.total == 1 + 2 + 1 + 3
    assert run.outcome.circles_dice.total == 4
    assert not run.outcome.circles_passed
    assert not run.outcome.joined
    assert join().outcome.circles_dice.total == 4
    assert [roll.label for roll in run.rolls] == ["Knight, Circles"]
    assert "knight.circles.log.challenging" in run.changed
    shut = join(rolls=[0])
    assert not shut.outcome.circles_passed
    assert ranks(shut.table) == {}
    assert (shut.outcome.tax, shut.outcome.resources) == (0, None)


@pytest.mark.rules("circles.affiliation.resources_test", "circles.affiliation.always_costs")
@pytest.mark.parametrize(("dice", "obstacle"), [(1, 3), (2, 5)])
def test_then_resources_pay_for_the_dice(dice: int, obstacle: int):
    run = join(dice=dice)
    assert [roll.label for roll in run.rolls] == ["Knight, Circles", "Knight, Resources"]
    assert run.outcome.resources_obstacle.total == obstacle
    assert run.outcome.joined
    assert ranks(run.table) == {"Guild": dice}
    short = join(rolls=[1, obstacle - 1], dice=dice)
    assert not short.outcome.joined
    assert ranks(short.table) == {}


def test_whoever_cannot_pay_is_taxed():
    """circles.amb.affiliation_failed_resources."""
    run = join(rolls=[1, 0], dice=2)
    assert run.outcome.tax > 0
    assert run.table.character("knight").resources.taxed == run.outcome.tax


@pytest.mark.rules("circles.affiliation.cost_modifiers")
@pytest.mark.parametrize(
    ("group", "obstacle"),
    [
        ([], 3),
        (["costly"], 4),
        (["exalted"], 5),
        (["secret"], 6),
        (["costly", "exalted", "secret"], 6),
        (["exalted", "costly"], 5),
    ],
)
def test_dear_groups_cost_more_by_the_highest_modifier(group: list[str], obstacle: int):
    """circles.amb.affiliation_modifiers_stack."""
    assert join(group=group, rolls=[1, 5]).outcome.resources_obstacle.total == obstacle


@pytest.mark.rules("circles.affiliation.advance")
def test_rising_in_ones_own_group_is_the_second_die_with_two_more_to_pay_for_it():
    """circles.amb.advance_rank_circles_test: the dice are for Resources only."""
    at = at_court(resources="B5", affiliations=[{"name": "Guild", "dice": 1}])
    run = join(at, dice=2, group=["costly"], answers={"standings": []}, rolls=[1, 6])
    assert run.outcome.resources_obstacle.total == 6
    assert run.outcome.resources_dice.total == 5 + 2
    assert run.rolls[0].expression.dice.total == 4
    assert ranks(run.table) == {"Guild": 2}
    assert "'s affiliation: Guild, 2D." in run.told
    for dice in (1, 3):
        with pytest.raises(BadInput, match=r"dice: found \d, expected 2, one more"):
            join(at, dice=dice)


@pytest.mark.rules("circles.affiliation.advance", "circles.affiliation.regain")
def test_lost_dice_that_are_bought_again_cannot_be_won_back_as_well():
    """2D, of which one was lost: it is bought for Resources, and none is left to win back."""
    at = at_court(resources="B5", affiliations=[{"name": "Guild", "dice": 1, "lost": 1}])
    run = join(at, dice=2, answers={"standings": []}, rolls=[1, 5])
    assert ranks(run.table) == {"Guild": 2}
    amends = {"character": "knight", "affiliation": "Guild", "dice": 1, "amends": "he begs"}
    with pytest.raises(NotAllowed, match="Knight has lost no dice of an affiliation"):
        play("regain_affiliation", amends, run.table, {"duel_won": True})
    # Of two that were lost one is bought again: the other can still be won back.
    at = at_court(resources="B5", affiliations=[{"name": "Guild", "dice": 1, "lost": 2}])
    run = join(at, dice=2, answers={"standings": []}, rolls=[1, 5])
    back = play("regain_affiliation", amends, run.table, {"duel_won": True}).table
    assert ranks(back) == {"Guild": 3}
    with pytest.raises(NotAllowed, match="Knight has lost no dice of an affiliation"):
        play("regain_affiliation", amends, back, {"duel_won": True})


@pytest.mark.parametrize("custom", ["not_for_sale", "ob_7"])
def test_a_third_die_is_not_for_sale_or_at_obstacle_7(custom: str):
    """circles.amb.affiliation_3d."""
    at = at_court({"circles_affiliation_3d": custom}, resources="B5")
    if custom == "not_for_sale":
        with pytest.raises(BadInput, match="no more can be bought"):
            join(at, dice=3)
    else:
        assert join(at, dice=3).outcome.resources_obstacle.total == 7
        own = at_court(
            {"circles_affiliation_3d": custom},
            resources="B5",
            affiliations=[{"name": "Guild", "dice": 2}],
        )
        raised = join(own, dice=3)
        assert (raised.outcome.resources_obstacle.total, raised.outcome.resources_dice.total) == (
            7,
            7,
        )


@pytest.mark.parametrize(
    ("more", "place"),
    [({"dice": 0}, "dice"), ({"dice": 4}, "dice"), ({"affiliation": " "}, "affiliation")],
)
def test_what_does_not_fit_is_refused_by_name(more: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        join(**more)
    assert refused.value.place == place
