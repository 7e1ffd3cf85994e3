"""Coins, wages and prices, as far as the tables go."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.resources.coins import in_coin, in_denier, wages
from games.burning_wheel.playing import play, table


@pytest.mark.rules("resources.currency.units")
@pytest.mark.parametrize(
    ("money", "denier"),
    [
        ("1 livre", 240),
        ("1 sou", 12),
        ("20 sous", 240),
        ("1 denier", 1),
        ("2 livres, 3 sous and 4 denier", 520),
    ],
)
def test_a_livre_is_twenty_sous_and_a_sou_twelve_denier(money: str, denier: int):
    assert in_denier(money) == denier


@pytest.mark.parametrize("money", ["", "livre", "3 talents", "-1 sou", "1 livre 2 sous"])
def test_other_coins_are_not_known(money: str):
    with pytest.raises(BadInput, match="money"):
        in_denier(money)


@pytest.mark.rules("resources.currency.units")
def test_wages_are_given_in_the_smallest_coin():
    assert wages("sergeant") == 180
    assert wages("Duke") == 18 * 240
    for occupation in ("laborer", "carter", "reaper", "groom", "guard", "foot soldier"):
        assert wages(occupation) == 60
    assert wages("carpenter") == wages("archer") == 90
    assert wages("shepherd") == wages("swineherd") == 100
    assert wages("stonecutter") == wages("mason") == 615
    assert (wages("squire"), wages("knight")) == (30 * 12, 210 * 12)
    with pytest.raises(BadInput, match="occupation"):
        wages("poet")


def test_the_gm_hears_what_a_thing_cost_in_coin():
    assert in_coin("Destrier") == "30-100 livres"
    at = table(rich={"resources": "B5"})
    run = play("purchase", {"character": "rich", "item": "destrier"}, at, {}, [5])
    assert "30-100 livres" in run.asks["price"].prompt
