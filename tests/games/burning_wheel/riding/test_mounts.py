"""Into the saddle and out of it, and what the book says of beasts."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conditions.mounted import (
    elevation,
    has_harness,
    is_bowman,
    is_knight,
    untrained_line,
)
from astragal.games.burning_wheel.weapons.from_the_saddle import is_curved
from astragal.games.ready import ready_sheets
from astragal.rules import catalogue
from games.burning_wheel.on_horseback import HORSE, RIDER, ridden
from games.burning_wheel.playing import play, sheet, table


def test_somebody_mounts_and_dismounts():
    up = play("mount_up", {"character": "ann", "mount": "horse"}, table(ann=RIDER, horse=HORSE))
    assert [(each.rider, each.mount) for each in up.table.scene.riders] == [("ann", "horse")]
    assert up.told == "Ann rides Horse."
    down = play("dismount", {"character": "ann"}, up.table)
    assert down.table.scene.riders == ()


@pytest.mark.parametrize(
    ("who", "mount", "complaint"),
    [
        ("ann", "ann", "another character"),
        ("ann", "nobody", "mount"),
        ("bob", "horse", "nobody else can ride it"),
        ("ann", "bob", "already"),
    ],
)
def test_what_cannot_be_ridden_is_refused(who: str, mount: str, complaint: str):
    at = ridden(bob=RIDER) if complaint in ("nobody else can ride it", "already") else None
    at = at or table(ann=RIDER, horse=HORSE)
    with pytest.raises((BadInput, NotAllowed), match=complaint):
        play("mount_up", {"character": who, "mount": mount}, at)


def test_who_is_not_in_the_saddle_cannot_leave_it():
    with pytest.raises(NotAllowed, match="Ann is not in the saddle"):
        play("dismount", {"character": "ann"}, table(ann=RIDER, horse=HORSE))


def test_half_out_of_the_saddle_one_gets_back_into_it():
    done = play("reseat", {"character": "ann"}, ridden(seat={"half_out": True}))
    assert not done.table.scene.riders[0].half_out
    with pytest.raises(NotAllowed, match="sits firmly"):
        play("reseat", {"character": "ann"}, done.table)


@pytest.mark.rules("riding.horse.multiplier")
def test_a_horse_runs_eight_paces_for_each_point_of_speed():
    for row in catalogue().table("riding.table.horse_movement").records():
        at = table(horse={**HORSE, "stats": {"Speed": row.text("speed")}})
        assert play("sprint", {"character": "horse"}, at).outcome.paces == row.number(
            "paces_in_one_exchange"
        )


@pytest.mark.rules("riding.horse.multiplier")
def test_what_is_known_of_mounts():
    told = play("look_up_mounts", {"entry": ""}, ridden()).told
    assert "Horse: Speed multiplier x8; Avoid only with Close or Withdraw scripted" in told
    assert "Great Spider: Speed multiplier x4; Avoid always, Counterstrike yes" in told
    assert "B5 40" in told
    assert "Horse, ridden by Ann: Speed multiplier x8" in told


@pytest.mark.rules("riding.roll.ground_strength")
def test_the_ground_is_as_hard_in_both_chapters():
    ours = catalogue().table("riding.table.ground_strength").records()
    theirs = catalogue().table("materials.table.ground_strength")
    for row in ours:
        assert theirs.number("strength", surface=row["ground"]) == row["strength"]


@pytest.mark.parametrize("name", ["destrier", "riding_horse", "wild_horse"])
def test_ready_mounts_can_be_ridden(name: str):
    beast = GAME.read_sheet(ready_sheets(GAME)[name], name)
    at = GAME.table({"ann": ridden().character("ann"), "beast": beast})
    done = play("mount_up", {"character": "ann", "mount": "beast"}, at)
    assert done.table.scene.riders[0].mount == "beast"


def ready(*names: str, mounts: dict[str, str]) -> BurningTable:
    """Ready sheets at one table, some of them in the saddle."""
    everybody = (*names, *mounts.values())
    sheets = {name: GAME.read_sheet(ready_sheets(GAME)[name], name) for name in everybody}
    at = GAME.table(sheets)
    for rider, mount in mounts.items():
        at = play("mount_up", {"character": rider, "mount": mount}, at).table
    return at


@pytest.mark.rules("riding.lance.charge_requirements", "riding.bowman.allowed_rules")
def test_of_the_two_ready_riders_the_knight_jousts_and_the_bowman_does_not():
    names = ("sir_aldwin", "ilun_of_the_steppe")
    at = ready(*names, mounts={"sir_aldwin": "destrier", "ilun_of_the_steppe": "riding_horse"})
    knight, bowman = (at.character(name) for name in names)
    assert (is_knight(knight), is_bowman(knight)) == (True, False)
    assert (is_knight(bowman), is_bowman(bowman)) == (False, True)
    # Neither pays for fighting mounted, and both have what their training is for.
    assert (untrained_line(knight), untrained_line(bowman)) == ((), ())
    assert has_harness(at.character("destrier"))
    tacks = (["harness", "bridle"], ["saddle", "stirrups"], ["saddle", "stirrups", "harness"])
    in_tack = [has_harness(sheet(gear=tack)) for tack in tacks]
    assert in_tack == [False, False, True]  # all three are needed behind a lance
    assert is_curved(bowman.weapons[1])
    assert elevation(at, "ilun_of_the_steppe", "destrier")
    assert not elevation(at, "ilun_of_the_steppe", "sir_aldwin")
    with pytest.raises(NotAllowed, match="Ilun has no lance"):
        play("joust", {"character": "sir_aldwin", "opponent": "ilun_of_the_steppe"}, at)
