"""The gunpowder die by itself."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.games.burning_wheel.weapons.gunpowder import Misfire, gunpowder_die
from astragal.play import Play, defaults, exact, then


def whether_it_fires() -> Play[Misfire | None]:
    return (yield from gunpowder_die("pistol", "anna"))


@pytest.mark.rules(
    "weapons.gun.gunpowder_die",
    "weapons.gun.misfire_on_one",
    "weapons.gun.jam",
    "weapons.gun.backfire",
)
def test_one_gun_in_six_does_not_fire_and_half_of_these_backfire() -> None:
    odds = exact(then(whether_it_fires), defaults)
    chance = {result: Fraction(w, sum(odds.weights.values())) for result, w in odds.weights.items()}
    assert chance == {
        None: Fraction(5, 6),
        Misfire.JAM: Fraction(1, 12),
        Misfire.BACKFIRE: Fraction(1, 12),
    }
