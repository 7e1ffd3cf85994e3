"""From a hit to a wound: armor first, then the grayscale."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.armor.hits import HitOutcome, IncomingHit, Protection, take_hit
from astragal.games.burning_wheel.weapons.damage import Damage, Stage
from astragal.play import Change, RollEvent, Session, rolled_from, then
from games.burning_wheel.playing import table

VICTIM: dict[str, Any] = {
    "stats": {"Forte": "B4", "Will": "B4"},
    "tolerances": ["B3", "B5", "B7", "B9", "B11", "B13"],
    "armor": "plated leather",
}


def struck(location: str, number: int, shade: str = "B", faces: Any = (), **hit: Any) -> Any:
    here = table(v=VICTIM)
    damage = Damage(location, Stage.MARK, shade, number, va=1)
    rolls = [list(face) for face in faces]
    session: Session[tuple[HitOutcome, Any]] = Session(
        then(take_hit, IncomingHit("v", damage, "gm", **hit), here),
        lambda roll: rolled_from(roll, rolls.pop(0)),
    )
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, ask.question.default)
    assert session.result is not None
    changes = [e for e in session.events if isinstance(e, Change)]
    rolled = [e for e in session.events if isinstance(e, RollEvent)]
    return session.result[0], here.changed(*changes).character("v"), rolled


def test_armor_that_holds_leaves_no_wound():
    suffered, after, _ = struck("torso", 8, faces=[[4, 4, 2, 2]])
    assert (suffered.armor.passed, suffered.level) == (True, "")
    assert not after.wounds


def test_what_gets_through_is_marked_where_shade_and_number_say():
    suffered, after, _ = struck("torso", 8, faces=[[4, 2, 2, 2]])
    assert suffered.armor.obstacle.total == 2  # 1 and the VA
    assert suffered.level == "Midi"
    assert [str(step) for step in after.wounds[0].at] == ["B8"]


def test_damage_beyond_a_shade_goes_on_in_the_next():
    """shades.ptgs.roll_over."""
    _, after, _ = struck("torso", 18, protection=Protection.COUNTED)
    assert [str(step) for step in after.wounds[0].at] == ["G2"]


def test_armor_that_was_counted_is_not_rolled_again():
    suffered, after, rolled = struck("legs", 5, protection=Protection.COUNTED)
    assert not rolled
    assert suffered.armor is None
    assert after.wounds[0].level.value == "Light"


@pytest.mark.parametrize(("location", "tested"), [("arms", "right_arm"), ("left_leg", "left_leg")])
def test_of_a_pair_one_side_is_hit(location: str, tested: str):
    suffered, _, _ = struck(location, 5, faces=[[2, 2, 2]])
    assert suffered.armor.location == tested


def test_an_arm_that_is_hit_is_an_arm_for_injury():
    """injury.steel.option_arm needs to know; the source says what did it."""
    _, after, _ = struck("left_arm", 5, protection=Protection.COUNTED)
    assert after.wounds[0].source == "a hit to the left arm"
