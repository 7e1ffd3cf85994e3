"""Setting the price: haggling between a buyer and a seller, and bidding among buyers.

A part of the chapter on Resources (``resources/resources_test``). A round of
haggling is a versus test; a bargain, once closed, leads to the Resources test. A price may also
be fought over in a Duel of Wits.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Play,
    Step,
    Tally,
    ask,
    call,
    choose,
    confirm,
    note,
    then,
)
from astragal.rules import Options

from ..advancement.log import begin_series, end_series
from ..conflicts.duel_of_wits.challenge import FIGHT, DuelSide
from ..conflicts.duel_of_wits.duel import DuelOfWits, argue
from ..conflicts.duel_of_wits.state import closed
from ..sheet.editions import edition
from ..sheet.scene import BurningTable
from ..tests.attempts import Attempt, agree_and_prepare
from ..tests.intent import CALLED_FOR, Declaration
from ..tests.partial_records import complete_for
from ..tests.versus import roll_versus
from ..tests.versus_verdict import VersusContest
from .purchases import Acquisition, Deal, Purchase, PurchaseOutcome, buy, track_down
from .resources_test import MOST_OBSTACLE, Mercy
from .tax import Ending

# --- Haggling ------------------------------------------------------------------------------


class HagglingMethod(Enum):
    """How the price is fought over."""

    HAGGLING = "haggling"
    DUEL_OF_WITS = "duel_of_wits"


class Haggle(Purchase, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A purchase with haggling over the price first, and what the two sides say.

    resources.haggle.allowed.
    """

    seller: str
    buyer_says: str = "asks for a lower price"
    seller_says: str = "defends the price"
    method: HagglingMethod = HagglingMethod.HAGGLING


class HagglingRound(msgspec.Struct, frozen=True):
    """One round: who won it, what the winner did, and the price after it.

    ``successes`` and ``dice`` are the buyer's and the seller's.
    """

    winner: str | None
    choice: str
    price: int
    successes: tuple[int, ...] = ()
    margin: int = 0
    dice: tuple[Tally, ...] = ()


class Bargain(Outcome, frozen=True):
    """How a bargain went, and what became of the purchase."""

    acquired: bool
    passed: bool
    price: int
    rounds: tuple[HagglingRound, ...] = ()
    closed_by: str | None = None
    walked_away: bool = False
    purchase: PurchaseOutcome | None = None


def rounds_allowed(options: Options) -> int | None:
    """How many Haggling tests there may be; None for as many as it takes.

    resources.haggle.three_rounds, resources.amb.haggle_after_three; in the later edition one
    (gold.diff.haggling, gold.amb.haggle_limit).
    """
    if edition(options).one_haggling_test:
        return 1
    return {"three": 3, "one": 1, "no_limit": None}[options["resources_haggling_rounds"]]


def floor_of(original: int) -> int:
    """Half the price first asked, and never below it, so half a point counts as one.

    resources.haggle.floor, resources.amb.haggle_floor_rounding.

    >>> floor_of(9), floor_of(8)
    (5, 4)
    """
    return -(-original // 2)


def haggle(arguments: Haggle, table: BurningTable) -> Play[Bargain]:
    """Haggle over the obstacle of a purchase before it is tested (resources.haggle.allowed).

    What finding it, being away or owing money adds comes afterwards
    (resources.amb.linked_before_haggle).
    """
    table.character(arguments.seller, "seller")
    if arguments.seller == arguments.character:
        expected = "someone other than the buyer"
        raise BadInput("seller", arguments.seller, expected, "resources.haggle.versus")
    deal, table = yield from call(track_down, arguments, table)
    if deal is None:
        return Bargain(acquired=False, passed=False, price=0)
    if arguments.method is HagglingMethod.DUEL_OF_WITS:
        price, winner, table = yield from _duel(arguments, deal.price.total, table)
        if price is None:
            return Bargain(acquired=False, passed=False, price=deal.price.total)
        return then(conclude, arguments, deal, price, (), winner, table)
    who = (arguments.character, arguments.seller)
    table = yield from complete_for(table, who, "Haggling")
    table = yield from begin_series(table, _title(arguments), who)
    return then(haggle_round, arguments, deal, deal.price.total, (), table)


def _title(arguments: Haggle) -> str:
    return f"haggling over {arguments.item}"


def haggle_round(
    arguments: Haggle,
    deal: Deal,
    price: int,
    rounds: tuple[HagglingRound, ...],
    table: BurningTable,
) -> Play[Bargain]:
    """One test of Haggling against Haggling, and what its winner does (resources.haggle.versus).

    Both would move the price, so neither defends and a tie moves nothing, though the round
    counts (resources.amb.haggle_tie).
    """
    attempts = yield from _both(arguments, table)
    contest = VersusContest(attempts, (True, True), (None, None), ("", ""), 0, is_one_of_many=True)
    return then(throw_round, arguments, deal, price, rounds, contest, table)


def throw_round(
    arguments: Haggle,
    deal: Deal,
    price: int,
    rounds: tuple[HagglingRound, ...],
    contest: VersusContest,
    table: BurningTable,
) -> Play[Bargain]:
    """Both throw; the winner moves the price by a point, or closes the bargain."""
    buyer, seller = arguments.character, arguments.seller
    outcome, table = yield from call(roll_versus, contest, table)
    choice = "tied"
    original = deal.price.total
    if edition(table.options).one_haggling_test:
        # A buyer who wins has the price lowered, and that is all (gold.resources.haggle).
        choice = {buyer: "lower", seller: "lost"}.get(outcome.winner or "", "tied")
        choice = "tied" if choice == "lower" and price == 1 else choice
    elif outcome.winner == buyer:
        choice = yield from _buyer_wins(buyer, price, floor_of(original), table)
    elif outcome.winner == seller:
        choice = yield from _seller_wins(seller, price, original, table)
    price += {"lower": -1, "raise": 1}.get(choice, 0)
    this = HagglingRound(
        outcome.winner, choice, price, outcome.successes, outcome.margin, outcome.dice
    )
    rounds = (*rounds, this)
    yield from note(f"The price is Ob {price}.", "resources.haggle.continue")
    most = rounds_allowed(table.options)
    if choice == "close" or (most is not None and len(rounds) >= most):
        # resources.haggle.close_leads_to_test; after the last round the price stays as it is.
        closed_by = outcome.winner if choice == "close" else None
        table = yield from end_series(table, _title(arguments))
        return then(conclude, arguments, deal, price, rounds, closed_by, table)
    # resources.haggle.continue: the price was changed, not closed on.
    return then(haggle_round, arguments, deal, price, rounds, table)


def _both(arguments: Haggle, table: BurningTable) -> Step[tuple[Attempt, ...]]:
    """Both sides gather their dice, FoRKs and all; an enemy is hard to haggle with.

    circles.enmity.social_penalty.
    """
    buyer, seller = arguments.character, arguments.seller
    sides = (
        (buyer, "a lower price", arguments.buyer_says, seller),
        (seller, "a better price", arguments.seller_says, buyer),
    )
    attempts: tuple[Attempt, ...] = ()
    for character, wants, says, other in sides:
        intent = f"{wants} for {arguments.item}"
        declaration = Declaration(
            character=character, intent=intent, task=says, ability="Haggling", target=other
        )
        # Whom they ask for help may change from round to round (tests.help.dice_handed_over).
        context = msgspec.structs.replace(CALLED_FOR, may_ask_help=True, against=(other,))
        attempts += ((yield from agree_and_prepare(declaration, context, table)),)
    return attempts


def _buyer_wins(buyer: str, price: int, floor: int, table: BurningTable) -> Step[str]:
    """A point off the price, or the bargain closed as it is (resources.haggle.buyer_wins)."""
    options = {"lower": f"Lower it to Ob {price - 1}, and go on", "close": f"Close at Ob {price}"}
    if price <= floor:  # resources.haggle.floor
        del options["lower"]
    return (yield from _winner_chooses(buyer, "buyer_wins", options, table))


def _seller_wins(seller: str, price: int, original: int, table: BurningTable) -> Step[str]:
    """A point more on the price, or the bargain closed as it is.

    resources.haggle.seller_wins; never above what was asked at first (resources.haggle.ceiling).
    """
    options = {"close": f"Close at Ob {price}", "raise": f"Raise it to Ob {price + 1}, and go on"}
    if price >= original:
        del options["raise"]
    return (yield from _winner_chooses(seller, "seller_wins", options, table))


def _winner_chooses(
    character: str, key: str, options: dict[str, str], table: BurningTable
) -> Step[str]:
    sheet = table.character(character)
    prompt = f"{sheet.name} wins the round. Move the price, or close the bargain?"
    rule = f"resources.haggle.{key}"
    seat, default = sheet.seat(character), next(iter(options))
    if len(options) == 1:
        return default
    return (yield from choose(seat, key, prompt, options, default=default, because=rule))


def _duel(
    arguments: Haggle, original: int, table: BurningTable
) -> Step[tuple[int | None, str | None, BurningTable]]:
    """A Duel of Wits over the price, with Haggling as the main skill of both.

    resources.haggle.duel_of_wits. The terms are two prices (duel_of_wits.terms.agree_before_start):
    what the seller asks, and what the buyer would pay, which is half of it at least
    (resources.haggle.floor, resources.haggle.ceiling). The winner's price is paid
    (duel_of_wits.win.terms_bind_all) but for what was conceded; without a winner it is as it was.
    The result is the price, who won it, and the table; no price where swords were drawn.
    """
    rule = "resources.haggle.duel_of_wits"
    buyer, seller = arguments.character, arguments.seller
    for character in (buyer, seller):
        skill = table.character(character).find("Haggling")
        if skill is None or not skill.exponent:
            name = table.character(character).name
            raise NotAllowed(f"{name} needs Haggling for a Duel of Wits over a price", rule)
    sheet, floor = table.character(buyer), floor_of(original)
    wanted = yield from ask(
        sheet.seat(buyer),
        "duel_offer",
        f"Price if {sheet.name} wins the Duel of Wits (Ob {original} is asked)",
        Number(least=floor, most=original, default=floor),
        because="resources.haggle.floor",
    )
    lower, asked = (f"{arguments.item} at Ob {price}" for price in (wanted, original))
    sides = (
        DuelSide(buyer, "Haggling", arguments.buyer_says, wins=lower, loses=asked),
        DuelSide(seller, "Haggling", arguments.seller_says, wins=asked, loses=lower),
    )
    duel = DuelOfWits(f"the price of {arguments.item}", sides)
    outcome, table = yield from call(argue, duel, table)
    if outcome.settled == FIGHT:
        return None, None, table
    price = wanted if outcome.winner == buyer else original
    if outcome.compromise:
        price = yield from ask(
            GM,
            "duel_price",
            f"Price after the compromise: {closed(outcome.compromise)}",
            Number(least=wanted, most=original, default=price),
            because="duel_of_wits.compromise.agreed_by_players",
        )
    yield from note(f"After the Duel of Wits the price is Ob {price}.", rule)
    return price, outcome.winner, table


def conclude(
    arguments: Haggle,
    deal: Deal,
    price: int,
    rounds: tuple[HagglingRound, ...],
    closed_by: str | None,
    table: BurningTable,
) -> Play[Bargain]:
    """The bargain is closed: the buyer tests Resources at the price reached, or walks away.

    resources.haggle.close_leads_to_test, resources.haggled_price.walk_away.
    """
    sheet = table.character(arguments.character)
    leaves = yield from confirm(
        sheet.seat(arguments.character),
        "walk_away",
        f"The price is Ob {price}. Walk away before rolling?",
        default=False,
        because="resources.haggled_price.walk_away",
    )
    if leaves:
        ending = Ending.WALKED_AWAY
        text = f"{sheet.name} walks away. Tax: {ending.tax}."
        yield from note(text, "resources.haggled_price.walk_away")
        return Bargain(ending.obtained, False, price, rounds, closed_by, walked_away=True)
    haggled = price - deal.price.total
    if haggled:
        line = Line(haggled, "haggled", "resources.haggle.close_leads_to_test")
        deal = msgspec.structs.replace(deal, price=deal.price + line)
    # A failure is taxed in full (resources.haggled_price.full_tax).
    bought, _ = yield from call(buy, arguments, deal, Mercy.HAGGLED, table)
    return Bargain(bought.acquired, bought.passed, price, rounds, closed_by, purchase=bought)


# --- Bidding -------------------------------------------------------------------------------


class Auction(Arguments, frozen=True):
    """Who bids for what, in which order; without a ``seller`` it is the GM who sells."""

    item: str
    bidders: tuple[str, ...]
    seller: str = ""
    kind: Acquisition = Acquisition.GOODS


class AuctionOutcome(Outcome, frozen=True):
    """What an auction came to: every bid in order, and who has the goods in the end."""

    passed: bool
    goes_to: str | None
    bids: tuple[tuple[str, int], ...] = ()
    purchase: PurchaseOutcome | None = None


def auction(arguments: Auction, table: BurningTable) -> Play[AuctionOutcome]:
    """Buyers bid obstacles, without any skill test (resources.bid.procedure).

    The later edition allows it and says no more (gold.resources.bid, gold.diff.bidding).
    """
    names = arguments.bidders
    if len(set(names)) < max(2, len(names)):
        expected = "at least two bidders, each once"
        raise BadInput("bidders", list(names), expected, "resources.bid.procedure")
    for name in names:
        table.character(name, "bidders")
    seat = GM
    if arguments.seller in names:
        expected = "somebody who does not bid"
        raise BadInput("seller", arguments.seller, expected, "resources.bid.procedure")
    if arguments.seller:
        seat = table.character(arguments.seller, "seller").seat(arguments.seller)
    opening = yield from ask(
        seat,
        "opening",
        f"Opening bid, as an obstacle ({arguments.item})",
        Number(least=1, most=MOST_OBSTACLE),
        because="resources.bid.procedure",
    )
    return then(bid, arguments, names, opening, (), table)


def bid(
    arguments: Auction,
    left: tuple[str, ...],
    asked: int,
    bids: tuple[tuple[str, int], ...],
    table: BurningTable,
) -> Play[AuctionOutcome]:
    """The next in turn bids what is asked, or is out; it ends when all others are.

    A bid tops the last one by one point, never more (resources.bid.increment,
    resources.amb.bidding_end).
    """
    if not left:
        yield from note(f"Nobody bids: {arguments.item}.", "resources.bid.procedure")
        return AuctionOutcome(passed=False, goes_to=None)
    if (bids and left == (bids[-1][0],)) or asked > MOST_OBSTACLE:
        return then(knock_down, arguments, bids, table)
    bidder = left[0]
    sheet = table.character(bidder)
    prompt = f"{sheet.name}: bid Ob {asked}? ({arguments.item})"
    rule = "resources.bid.increment"
    bids_more = yield from confirm(sheet.seat(bidder), "bid", prompt, default=False, because=rule)
    if not bids_more:
        return then(bid, arguments, left[1:], asked, bids, table)
    yield from note(f"{sheet.name} bids Ob {asked}.", rule)
    bids = (*bids, (bidder, asked))
    return then(bid, arguments, (*left[1:], bidder), asked + 1, bids, table)


def knock_down(
    arguments: Auction, bids: tuple[tuple[str, int], ...], table: BurningTable
) -> Play[AuctionOutcome]:
    """The highest bidder must test Resources at the obstacle bid.

    resources.bid.procedure; if that fails, the GM says who gets the goods
    (resources.amb.bidding_end).
    """
    winner, price = bids[-1]
    wants = Purchase(winner, arguments.item, "pays what was bid", arguments.kind)
    # Who wins is known only now, and so is who might help (resources.help.as_skill).
    deal = Deal(Tally.of(price, "highest bid", "resources.bid.procedure"), asks_help=True)
    bought, _ = yield from call(buy, wants, deal, Mercy.KINDNESS, table)
    if bought.acquired:
        return AuctionOutcome(bought.passed, winner, bids, bought)
    others = tuple(dict.fromkeys(name for name in arguments.bidders if name != winner))
    rule = "resources.amb.bidding_end"
    goes_to = yield from choose(
        GM,
        "goods_go_to",
        "The highest bidder can't pay. Who gets the goods?",
        {"nobody": "Nobody", **{name: table.character(name).name for name in others}},
        default="nobody",
        because=rule,
    )
    return AuctionOutcome(False, None if goes_to == "nobody" else goes_to, bids, bought)


PROCEDURES = (
    Procedure("haggle", "Haggling, then a Resources test", Haggle, haggle),
    Procedure("auction", "Auction", Auction, auction),
)
