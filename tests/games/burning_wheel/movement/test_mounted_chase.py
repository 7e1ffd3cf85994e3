"""Pursuit on mounts: Riding against Riding, and its advantages one by one."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.rules import catalogue
from games.burning_wheel.chasing import results
from games.burning_wheel.on_horseback import HORSE, RIDER, riders
from games.burning_wheel.playing import Played, play, table

PLAIN = {**RIDER, "skills": {"Riding": "B4"}}
BARE = {**HORSE, "gear": [], "skills": {}}
CHASE = {"pursuers": [{"character": "ann"}], "pursued": [{"character": "bob"}]}


def pursuit(
    rolls: Any,
    answers: dict[str, Any] | None = None,
    ann: dict[str, Any] | None = None,
    horse: dict[str, Any] | None = None,
    *pairs: str,
) -> Played:
    pairs = pairs or ("ann:horse", "bob:mare")
    at = table(
        riders(*pairs),
        ann={**PLAIN, **(ann or {})},
        bob=PLAIN,
        horse={**BARE, **(horse or {})},
        mare=BARE,
    )
    return play("chase", CHASE, at, answers, rolls)


@pytest.mark.rules("riding.pursuit.versus_riding")
def test_riders_test_riding_against_riding():
    done = pursuit([3, 2])
    assert [roll.label for roll in done.rolls] == ["Ann, Riding", "Bob, Riding"]
    assert results(done) == ["caught_up"]
    assert "one action at +2 Ob" in done.told
    assert results(pursuit([2, 3])) == ["away"]
    assert results(pursuit([2, 2])) == ["tie"]
    assert {"nowhere_to_hide", "situation", "head_start"}.isdisjoint(done.asked)


def die_for(advantage: str) -> str:
    row = catalogue().table("riding.table.pursuit_advantages").where(advantage=advantage)
    return f"{row.number('dice')} {advantage}"


FASTER = {**HORSE["stats"], "Speed": "B6"}
TOWN = {"country": "town_or_forest"}


@pytest.mark.rules(
    "riding.pursuit.adv_general",
    "riding.pursuit.adv_urban_forest",
    "riding.pursuit.adv_rural_highway",
)
@pytest.mark.parametrize(
    ("advantage", "ann", "horse", "answers"),
    [
        ("animal with the higher sprint multiplier", {}, {"speed_multiplier": 9}, {}),
        ("rider with Low Speech or Affinity for Animals", {"traits": ["Low Speech"]}, {}, {}),
        (
            "rider with Low Speech or Affinity for Animals",
            {"skills": {"Riding": "B4", "Affinity for Animals": "B2"}},
            {},
            {},
        ),
        ("animal with higher Reflexes", {}, {"attributes": {"Reflexes": "B6"}}, {}),
        ("rider with higher Reflexes", {"attributes": {"Reflexes": "B6"}}, {}, {}),
        ("beast with higher Speed", {}, {"stats": FASTER}, {}),
        ("mount has Stealth or Inconspicuous", {}, {"traits": ["Stealth"]}, TOWN),
        (
            "rider has Stealth or Inconspicuous",
            {"skills": {"Riding": "B4", "Stealthy": "B2"}},
            {},
            TOWN,
        ),
        ("beast with smaller body", {}, {}, {**TOWN, "smaller_beast": "ann"}),
        ("mount with the highest Forte", {}, {"stats": {**HORSE["stats"], "Forte": "B7"}}, {}),
    ],
)
def test_each_advantage_is_a_die(
    advantage: str, ann: dict[str, Any], horse: dict[str, Any], answers: dict[str, Any]
):
    done = pursuit([3, 2], answers, ann, horse)
    assert f"Ann rolls 5D = 4 Riding + {die_for(advantage)}" in done.told
    assert "Bob rolls 4D = 4 Riding" in done.told


@pytest.mark.rules("riding.pursuit.adv_urban_forest", "riding.pursuit.adv_rural_highway")
def test_what_counts_in_one_kind_of_country_does_not_in_the_other():
    sly, strong = {"traits": ["Stealth"]}, {"stats": {**HORSE["stats"], "Forte": "B7"}}
    assert "Ann rolls 4D" in pursuit([3, 2], None, None, sly).told
    assert "Ann rolls 4D" in pursuit([3, 2], TOWN, None, strong).told
    assert "smaller_beast" not in pursuit([3, 2]).asked


@pytest.mark.rules("riding.pursuit.adv_general")
@pytest.mark.parametrize(("speed", "dice"), [("B6", 4), ("B7", 4), ("B8", 5)])
def test_who_pursues_several_riders_needs_a_beast_better_than_each_of_theirs(speed: str, dice: int):
    quick = {**BARE, "stats": {**HORSE["stats"], "Speed": "B7"}}
    mine = {**BARE, "stats": {**HORSE["stats"], "Speed": speed}}
    at = table(
        riders("ann:horse", "bob:mare", "cid:colt"),
        **dict.fromkeys(("ann", "bob", "cid"), PLAIN),
        horse=mine,
        mare=BARE,
        colt=quick,
    )
    sides = {
        "pursuers": [{"character": "ann"}],
        "pursued": [{"character": "bob"}, {"character": "cid"}],
    }
    done = play("chase", sides, at, None, [3, 2, 2])
    assert f"Ann rolls {dice}D" in done.told
    assert f"Cid rolls {5 if speed == 'B6' else 4}D" in done.told
    assert "Bob rolls 4D" in done.told  # faster than nobody


@pytest.mark.rules("riding.pursuit.versus_riding")
def test_with_somebody_on_foot_it_is_a_chase_of_legs():
    """riding.amb.pursuit_mixed: the mount's Speed, multiplier and Forte."""
    done = pursuit([3, 2], None, None, None, "ann:horse")
    assert [roll.label for roll in done.rolls] == ["Horse, Speed", "Bob, Speed"]
    assert "Horse rolls 7D = 5 Speed + 1 higher Forte + 1 Speed multiplier x8" in done.told
    assert results(done) == ["caught_up"]
    away = pursuit([1, 2], None, None, None, "ann:horse")
    assert results(away) == ["away"]
    assert away.table.scene.rides[0].character == "ann"


def test_a_mount_under_its_rider_does_not_run_by_itself():
    at = table(riders("ann:horse"), ann=PLAIN, bob=PLAIN, horse=BARE)
    sides = {"pursuers": [{"character": "horse"}], "pursued": [{"character": "bob"}]}
    with pytest.raises(BadInput, match="carries no rider"):
        play("chase", sides, at)
