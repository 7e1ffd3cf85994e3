"""Purchases: whether a thing can be found, what it costs, and tests made beforehand."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.resources.linked_skill import information, linked_effect
from astragal.games.burning_wheel.resources.purchases import listed_price
from games.burning_wheel.playing import Played, play, table

RICH = {"resources": "B5", "skills": {"Ship-wise": "B3", "Accounting": "B4"}}


def buys(
    rolls: Any = None, answers: dict[str, Any] | None = None, price: int | None = 3, **more: Any
) -> Played:
    arguments = {"character": "rich", "item": "a thing", **more}
    said = {} if price is None else {"price": price}
    return play("purchase", arguments, table(rich=RICH), {**said, **(answers or {})}, rolls)


# --- What is bought ------------------------------------------------------------------------


@pytest.mark.rules("resources.test.when")
@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("a meal", "goods"),
        ("a sword", "goods"),
        ("a field", "other"),
        ("a share in a mine", "other"),
        ("the rank of baron", "other"),
        ("a scribe's pay", "service"),
        ("passage to the south", "service"),
    ],
)
def test_whatever_is_acquired_is_one_test_of_resources(item: str, kind: str):
    run = buys([3], item=item, kind=kind)
    assert [roll.label for roll in run.rolls] == ["Rich, Resources"]
    assert run.outcome.acquired
    gear = [piece.name for piece in run.table.characters["rich"].gear]
    assert gear == ([item] if kind == "goods" else [])


@pytest.mark.rules("resources.test.services_found_by_circles")
def test_a_service_is_found_by_circles_and_only_paid_for_here():
    assert buys([3], kind="service").outcome.passed
    with pytest.raises(NotAllowed) as refused:
        buys([3], {"provider": False}, kind="service")
    assert refused.value.rule == "resources.test.services_found_by_circles"
    assert "provider" not in buys([3]).asked


@pytest.mark.rules("resources.test.samples_are_reference")
def test_a_listed_thing_may_still_not_be_on_sale():
    run = buys([], {"available": "nowhere"}, price=None, item="Dwarven mail")
    assert not run.outcome.acquired
    assert not run.changed
    assert run.seats["available"] == "gm"


# --- The price -----------------------------------------------------------------------------


@pytest.mark.rules("resources.test.gm_sets_obstacle")
def test_the_gm_sets_the_price_with_the_samples_at_hand():
    run = buys([5], price=7)
    assert run.seats["price"] == "gm"
    assert run.outcome.test.obstacle.total == 7
    names = dict(run.asks["price"].question.names)
    assert "Turcoman warhorse" in names[5]
    assert "building a castle" in names[10]


@pytest.mark.rules("resources.test.gm_sets_obstacle")
@pytest.mark.parametrize(
    ("item", "price"),
    [("mule", 2), ("Letter of Marque", 3), ("destrier", 6), ("forge", 8), ("warship", 10)],
)
def test_what_is_on_the_list_costs_that_unless_the_gm_says_else(item: str, price: int):
    assert listed_price(item) == price
    assert buys([5], price=None, item=item).outcome.price == price
    assert buys([5], price=9, item=item).outcome.price == 9


PRICES = {
    1: "food; lodging; clothing; laborer",
    2: "farmer's cabin; sumptuous; fancy shoes; mule; padded; poor quality arms; "
    "poor quality plated; passage; traveling gear; servant",
    3: "townhouse; run of the mill arms; run of the mill bow; marque; household staff; "
    "popular books; draft horse; small cart; spices; quilted; knight's wages",
    4: "jewelry; exotic fabrics; antiques; palfrey; mill chainmail; craftsman tools; long bow; "
    "crossbow; baggage wagon; barge; longboat; rare herbs; lamellar barding; bodyguard",
    5: "Turcoman; plated chainmail; superior quality arms; Tome of Lore; chainmail barding; lord's",
    6: "destrier; full platemail; Dwarven arms; Elven bow; plated mail barding; baronial",
    7: "warhorse of renown; viscount; full plate barding; Dwarven shield",
    8: "printing press; forge; small cargo ship",
    9: "large cargo ship; legendary warhorse; Elven plated mail",
    10: "warship; castle; Dwarven mail",
}
"""The sample obstacles as they are printed, each thing by a word or two."""


@pytest.mark.rules("resources.test.gm_sets_obstacle")
def test_every_sample_stands_beside_its_obstacle():
    names = dict(buys([3]).asks["price"].question.names)
    assert {obstacle: len(things.split("; ")) for obstacle, things in names.items()} == {
        obstacle: len(words.split("; ")) for obstacle, words in PRICES.items()
    }
    for obstacle, words in PRICES.items():
        for word in words.split("; "):
            assert [at for at, things in names.items() if word in things] == [obstacle], word


@pytest.mark.rules("resources.bulk.price")
@pytest.mark.parametrize(("quantity", "obstacle"), [(1, 3), (10, 4), (100, 5)])
def test_ten_times_as_much_is_a_point_dearer_and_a_hundred_times_two(quantity: int, obstacle: int):
    run = buys([5], quantity=quantity)
    assert run.outcome.test.obstacle.total == obstacle
    (gear,) = run.table.characters["rich"].gear
    assert gear.name == ("a thing" if quantity == 1 else f"a thing (x{quantity})")


@pytest.mark.parametrize("quantity", [0, -10, 2, 1000])
def test_other_quantities_are_not_known(quantity: int):
    with pytest.raises(BadInput, match=r"quantity.*resources\.bulk\.price"):
        buys([5], quantity=quantity)


# --- Wises and other linked tests ----------------------------------------------------------


def linked(ability: str = "Ship-wise", **more: Any) -> dict[str, Any]:
    return {"linked": {"ability": ability, "task": "asks in the harbour", **more}}


@pytest.mark.rules(
    "resources.test.linked",
    "resources.wises.use",
    "resources.wises.linked_exceed",
    "resources.wises.linked_meet",
    "resources.wises.linked_fail",
)
@pytest.mark.parametrize(
    ("successes", "dice", "obstacle"), [(0, 5, 5), (1, 5, 4), (2, 6, 4), (3, 6, 4)]
)
def test_a_wise_may_find_a_good_deal_or_a_bad_one(successes: int, dice: int, obstacle: int):
    run = buys([successes, 4], {"linked_obstacle": 1}, price=4, **linked())
    assert run.outcome.test.dice.total == dice
    assert run.outcome.test.obstacle.total == obstacle


def test_the_effect_is_the_catalogues():
    assert [sum(line.amount for line in linked_effect(1, "x")[0])] == [1]
    assert linked_effect(0, "x") == ((), ())
    assert [sum(line.amount for line in linked_effect(-2, "x")[1])] == [1]


@pytest.mark.rules("resources.test.linked", "resources.test.linked_gm_approval")
def test_other_skills_may_be_linked_if_the_gm_thinks_them_fit():
    run = buys([2, 4], {"linked_obstacle": 1}, price=4, **linked("Accounting"))
    assert run.outcome.test.dice.total == 6
    assert run.seats["linked_suits"] == "gm"
    with pytest.raises(NotAllowed) as refused:
        buys([2, 4], {"linked_suits": False}, price=4, **linked("Accounting"))
    assert refused.value.rule == "resources.test.linked_gm_approval"


def test_somebody_else_may_ask_around():
    at = table(rich=RICH, odo={"skills": {"Ship-wise": "B5"}})
    arguments = {"character": "rich", "item": "a ship", **linked(character="odo")}
    run = play("purchase", arguments, at, {"price": 3, "linked_obstacle": 2}, [3, 3])
    assert run.outcome.test.dice.total == 6
    assert [roll.label for roll in run.rolls] == ["Odo, Ship-wise", "Rich, Resources"]


@pytest.mark.rules("resources.wises.obstacles")
def test_how_well_known_a_thing_is_sets_the_obstacle_of_the_wise():
    run = buys([1, 3], {"linked_obstacle": 1}, **linked())
    assert run.asks["linked_obstacle"].question.names == (
        (1, "commonly known in the Wise's field"),
        (3, "uncommon or hard to find"),
        (5, "known only to an insider"),
        (6, "obscure"),
    )
    assert run.seats["linked_obstacle"] == "gm"
    assert information("Accounting") != information("Ship-wise")


@pytest.mark.rules("resources.test.goods_found_by_wises", "resources.wises.use")
def test_what_is_not_everywhere_must_be_tracked_down_with_a_wise():
    with pytest.raises(NotAllowed) as refused:
        buys([3], {"available": "seek"}, price=None)
    assert refused.value.rule == "resources.test.goods_found_by_wises"
    run = buys([2, 3], {"available": "seek", "linked_obstacle": 1}, **linked())
    assert run.outcome.passed
    services = buys([3], kind="service").asks["available"].question.options
    assert "seek" not in [option.key for option in services]


# --- Bad input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"item": ""}, "item"),
        ({"item": "x" * 401}, "item"),
        ({"character": "nobody"}, "character"),
        ({"kind": "land"}, "kind"),
        ({"helpers": ["rich"]}, "helpers"),
        ({"letters": ["odo"]}, "letters"),
        ({"linked": {"ability": "Ship-wise"}}, "task"),
    ],
)
def test_what_does_not_fit_is_named(more: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        buys([3], **more)
