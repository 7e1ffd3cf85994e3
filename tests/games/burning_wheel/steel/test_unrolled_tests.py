"""Steel tests awarded for a situation lived through, without dice."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.advancement.requirements import advances_as, requirement
from astragal.rules import catalogue
from games.burning_wheel.frights import MOUSE, fright
from games.burning_wheel.playing import Played, play, table

# --- Situations without a roll ------------------------------------------------------------


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


SITUATIONS = {
    1: "relative has died; weird",
    2: "violence; Dreaded; sports; childbirth",
    3: "bloodshed; beaten up; brawl; bearing a child",
    4: "duel to the death; tourney; being stabbed; shooting another; friend or relative killed; "
    "disaster; anthropomorphic",
    5: "mass battle; hit by an arrow; to death; cold blood; spirit activity",
    6: "Mortally Wounded; starvation",
    7: "non-humanoid",
    8: "artillery; living dead",
    9: "demons; cataclysmic",
    10: "divine",
}
"""The situations as they are printed, each by a word or two."""


@pytest.mark.rules("steel.situational.rating")
def test_the_list_has_thirty_situations_and_the_highest_that_fits_counts():
    rows = catalogue().table("steel.table.situational").records()
    assert len(rows) == 30
    for obstacle, words in SITUATIONS.items():
        listed = " / ".join(str(row["situation"]) for row in rows if row["obstacle"] == obstacle)
        assert len(listed.split(" / ")) == len(words.split("; ")), listed
        assert all(word in listed for word in words.split("; ")), listed
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


@pytest.mark.rules("steel.situational.not_with_roll")
def test_in_the_later_edition_a_fright_of_the_scene_is_a_roll_as_well():
    at = table(options={"edition": "gold"}, mouse=MOUSE, cat=MOUSE)
    frightened = fright(at).table
    with pytest.raises(NotAllowed, match=r"steel.situational.not_with_roll"):
        award(frightened)
    assert award(frightened, character="cat").outcome.awarded


def test_a_situation_is_awarded_once():
    """steel.amb.situational_frequency."""
    at = award().table
    with pytest.raises(NotAllowed, match=r"steel.amb.situational_frequency"):
        award(at)
    assert award(at, situation="the flood").outcome.awarded


def test_steel_rises_by_the_chapters_own_table():
    """steel.amb.advancement_interchangeable, steel.amb.core_formula_at_4."""
    rows = catalogue().table("steel.table.advancement").records()
    assert [row["exponent"] for row in rows] == list(range(1, 10))
    for row in rows:
        at = table(mouse={"attributes": {"Steel": f"B{row['exponent']}"}})
        needed = requirement(advances_as(at.character("mouse").ability("Steel")), row["exponent"])
        assert needed is not None
        assert (needed.routine, needed.difficult, needed.challenging, needed.either) == (
            row["routine"],
            row["difficult"],
            row["challenging"],
            row["link"] == "or",
        )


def test_an_award_may_be_the_last_test_that_was_missing():
    """Steel of 4 needs four routine tests, and two difficult or one challenging."""
    log = {"routine": 4, "difficult": 1}
    at = table(mouse={"attributes": {"Steel": {"rating": "B4", "log": log}}})
    steel = award(at, like=["being_stabbed"]).table.character("mouse").attributes["Steel"]
    assert str(steel.rating) == "B5"
    assert steel.log.routine == steel.log.difficult == 0
