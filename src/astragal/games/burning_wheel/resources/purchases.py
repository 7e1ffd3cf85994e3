"""Purchases: what is wanted, whether it can be found, and at what price.

A part of the chapter on Resources (``resources/resources_test``): finding the
thing, its price from the GM, and one test that decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    Play,
    Step,
    Tally,
    ask,
    call,
    choose,
    consent,
    note,
)
from astragal.rules import catalogue

from ..sheet.editions import Edition, edition
from ..sheet.parts import Gear
from ..sheet.scene import BurningTable
from ..tests.results import StandardOutcome
from ..tests.tests import well_within
from .coins import in_coin
from .linked_skill import Link, LinkedSkill, LinkedTo, linked_first
from .resources_test import Mercy, ResourcesOutcome, Spending, spend


class Acquisition(Enum):
    """What sort of thing is bought (resources.test.when): goods go on the sheet as gear."""

    GOODS = "goods"
    SERVICE = "service"
    OTHER = "other"


class Purchase(Arguments, frozen=True):
    """Goods, a service, or anything else that money can buy.

    ``quantity`` is 1, or 10 or 100 in bulk. ``helpers`` are those who help with their own
    Resources; ``letters`` are from helpers who are absent and wrote a letter of credit.
    """

    character: str
    item: str
    task: str = "looks for it and pays"
    kind: Acquisition = Acquisition.GOODS
    quantity: int = 1
    linked: LinkedSkill | None = None
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()


class Deal(msgspec.Struct, frozen=True):
    """Something on offer: its price, and what finding it adds to the test.

    Where nobody could be named beforehand, the buyer ``asks_help`` before the dice are rolled.
    """

    price: Tally
    link: Link = Link()
    asks_help: bool = False


class PurchaseOutcome(Outcome, frozen=True):
    """How a purchase came out; there is no test if the thing was not found, or was granted.

    ``linked`` is the test that was made beforehand.
    """

    acquired: bool
    passed: bool = False
    price: int = 0
    test: ResourcesOutcome | None = None
    linked: StandardOutcome | None = None


def purchase(arguments: Purchase, table: BurningTable) -> Play[PurchaseOutcome]:
    """Whatever is bought, hired or invested in is a Resources test (resources.test.when)."""
    deal, table = yield from call(track_down, arguments, table)
    if deal is None:
        return PurchaseOutcome(acquired=False)
    if (yield from _granted(arguments, table)):
        yield from _take_home(arguments, "gold.resources.say_yes", table)
        linked = deal.link.outcome
        return PurchaseOutcome(acquired=True, price=deal.price.total, linked=linked)
    bought, _ = yield from call(buy, arguments, deal, Mercy.KINDNESS, table)
    return bought


def buy(
    arguments: Purchase, deal: Deal, mercy: Mercy, table: BurningTable
) -> Play[tuple[PurchaseOutcome, BurningTable]]:
    """Pay the price that was asked, agreed on or bid; goods then go on the sheet."""
    spending = Spending(
        character=arguments.character,
        intent=arguments.item,
        task=arguments.task,
        price=deal.price,
        helpers=arguments.helpers,
        letters=arguments.letters,
        dice=deal.link.dice,
        obstacle=deal.link.obstacle,
        mercy=mercy,
        asks_help=deal.asks_help,
    )
    spent, table = yield from call(spend, spending, table)
    if spent.acquired:
        table = yield from _take_home(arguments, "resources.test.success", table)
    bought = PurchaseOutcome(
        spent.acquired, spent.passed, deal.price.total, spent, deal.link.outcome
    )
    return bought, table


def _take_home(arguments: Purchase, because: str, table: BurningTable) -> Step[BurningTable]:
    """Goods go on the sheet."""
    if arguments.kind is not Acquisition.GOODS:
        return table
    name = f"{arguments.item} (x{arguments.quantity})"
    gear = Gear(arguments.item if arguments.quantity == 1 else name)
    after = (*table.character(arguments.character).gear, gear)
    return (yield from table.amend(arguments.character, "gear", after, because=because))


def _granted(arguments: Purchase, table: BurningTable) -> Step[bool]:
    """What is within somebody's means, with nothing at stake, is bought without a roll.

    gold.resources.say_yes; the Revised Edition has no such rule for purchases
    (gold.diff.say_yes).
    """
    if not edition(table.options).reach_is_asked:
        return False
    rule = "gold.resources.say_yes"
    name = table.character(arguments.character).name
    prompt = f"Is anything at stake? ({arguments.item})"
    at_stake = yield from consent(GM, "at_stake", prompt, because=rule)
    if at_stake or not (yield from well_within(f"the means of {name}: {arguments.item}", table)):
        return False
    yield from note(f"{name} can easily afford it: {arguments.item}.", rule)
    return True


# --- Finding it ----------------------------------------------------------------------------


def track_down(arguments: Purchase, table: BurningTable) -> Play[tuple[Deal | None, BurningTable]]:
    """Find the thing, and hear its price; None if it is not available here at all."""
    table.character(arguments.character)
    bulk = yield from _bulk(arguments, table)
    if arguments.kind is Acquisition.SERVICE:
        yield from _provider(arguments)
    where = yield from _available(arguments)
    if where == "nowhere":
        text = f"Not available here: {arguments.item}."
        yield from note(text, "resources.test.samples_are_reference")
        return None, table
    if where == "seek" and arguments.linked is None:
        what = f"Link a Wise test to the purchase first, to find it: {arguments.item}"
        raise NotAllowed(what, "resources.test.goods_found_by_wises")
    price = yield from set_price(arguments.item, edition(table.options))
    to = LinkedTo("this purchase", arguments.item, "find a good deal")
    link, table = yield from call(linked_first, arguments.character, arguments.linked, to, table)
    return Deal(price + bulk, link), table


def _bulk(arguments: Purchase, table: BurningTable) -> Step[tuple[Line, ...]]:
    """What buying in bulk adds: by the quantity, or as the GM says.

    gold.diff.bulk_multiplier; in the later edition one or two points, whatever the quantity
    (gold.resources.ob_bulk).
    """
    quantity = arguments.quantity
    if not edition(table.options).bulk_by_ruling or quantity == 1:
        return in_bulk(quantity)
    rule = "gold.resources.ob_bulk"
    check_between("quantity", quantity, 1, MOST_IN_BULK, rule)
    points = yield from ask(
        GM,
        "bulk",
        f"Added obstacle for buying in bulk ({quantity} x {arguments.item})",
        Number(least=1, most=2, default=1),
        because=rule,
        kind="aside",
    )
    return (Line(points, f"in bulk (x{quantity})", rule),)


MOST_IN_BULK = 100_000
"""More than this is a slip of the keyboard."""


def in_bulk(quantity: int) -> tuple[Line, ...]:
    """Ten times as much for one point, a hundred times for two.

    resources.bulk.price, resources.amb.bulk_mapping.

    >>> [sum(line.amount for line in in_bulk(quantity)) for quantity in (1, 10, 100)]
    [0, 1, 2]
    """
    points = {1: 0, 10: 1, 100: 2}.get(quantity)
    if points is None:
        raise BadInput("quantity", quantity, "1, 10 or 100", "resources.bulk.price")
    return (Line(points, f"in bulk (x{quantity})", "resources.bulk.price"),) if points else ()


def _provider(arguments: Purchase) -> Step[None]:
    """Somebody who does it must be known: that is for Circles, and only the pay is for Resources.

    resources.test.services_found_by_circles.
    """
    rule = "resources.test.services_found_by_circles"
    prompt = f"Has someone who offers this been found? ({arguments.item})"
    known = yield from consent(GM, "provider", prompt, because=rule)
    if not known:
        raise NotAllowed(f"Find someone with a Circles test first: {arguments.item}", rule)


def _available(arguments: Purchase) -> Step[str]:
    """Whether it is on offer; being on the sample list does not make it so.

    resources.test.samples_are_reference. Goods that are not everywhere are tracked down with
    Wises (resources.test.goods_found_by_wises, resources.wises.use).
    """
    reference = "resources.test.samples_are_reference"
    options = [
        Option("everywhere", "Yes, on offer", "resources.test.when"),
        Option("nowhere", "Not available here", reference),
    ]
    if arguments.kind is not Acquisition.SERVICE:
        options.insert(1, Option("seek", "Must be tracked down first", "resources.wises.use"))
    prompt = f"Is it available here? ({arguments.item})"
    return (
        yield from choose(
            GM,
            "available",
            prompt,
            options,
            default="everywhere",
            because=reference,
            kind="consent",
        )
    )


def listed_price(item: str) -> int | None:
    """The sample obstacle of a thing that is on the list, or None.

    >>> listed_price("small cargo ship"), listed_price("the moon")
    (8, None)
    """
    for obstacle, items in _samples():
        if item.casefold() in (each.casefold() for each in items):
            return obstacle
    return None


def _samples() -> Iterator[tuple[int, tuple[str, ...]]]:
    """The sample list: each obstacle with the things that cost as much."""
    for row in catalogue().table("resources.table.sample_obstacles").records():
        items = row["items"]
        assert isinstance(items, tuple)
        yield row.number("ob"), tuple(str(each) for each in items)


def set_price(item: str, played: Edition) -> Step[Tally]:
    """The GM names the price as an obstacle, from the samples or not.

    resources.test.gm_sets_obstacle, resources.amb.ship_price; as any base obstacle it has an upper
    end in the later edition (gold.tests.obstacle_range).
    """
    names = tuple((obstacle, "; ".join(items)) for obstacle, items in _samples())
    coin = f" ({in_coin(item)})" if in_coin(item) else ""
    price = yield from ask(
        GM,
        "price",
        f"Obstacle: {item}{coin}",
        Number(
            least=1,
            most=played.highest_base_obstacle,
            names=names,
            default=listed_price(item),
        ),
        because="resources.test.gm_sets_obstacle",
    )
    return Tally.of(price, "price", "resources.test.gm_sets_obstacle")


PROCEDURES = (Procedure("purchase", "Resources test", Purchase, purchase, frequent=6),)
