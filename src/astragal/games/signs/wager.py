"""The wager of a Called Test: what a Success will gain and what failure will cost.

The player begins; the GM and the other players negotiate until the offer is fair to everyone
(signs.type.wager). An offer is agreed when nobody makes another.
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Option, Seat, Step, Text, ask, choose, tell

from .facts import WagerOffered
from .scene import SignsTable


class Wager(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An offer: the gain on a Success, the cost of a failure."""

    gain: str = ""
    cost: str = ""


FAIR = Option(key="fair", label="Agree", rule="signs.type.wager")
COUNTER = Option(key="counter", label="Make another offer", rule="signs.type.wager")


def other_players(table: SignsTable, player: Seat) -> tuple[Seat, ...]:
    """Everybody else who plays a character here, each once."""
    seats = (sheet.seat(key) for key, sheet in table.characters.items() if not sheet.npc)
    return tuple(dict.fromkeys(seat for seat in seats if seat not in (player, GM)))


def negotiate(player: Seat, declared: Wager, table: SignsTable) -> Step[Wager]:
    """The player wagers, the others agree or make another offer, until one stands."""
    seats = (player, GM, *other_players(table, player))
    offer = yield from _stated(player, declared, "gain", "cost")
    by = player
    yield from tell(WagerOffered(table.who(by), offer.gain, offer.cost))
    undecided = [seat for seat in seats if seat != by]
    while undecided:
        seat = undecided.pop(0)
        answer = yield from choose(
            seat,
            "fair",
            f"{WagerOffered(table.who(by), offer.gain, offer.cost).sentence()} Fair?",
            (FAIR, COUNTER),
            default=FAIR.key,
            because="signs.type.wager",
            kind="consent",
        )
        if answer == COUNTER.key:
            offer = yield from _stated(seat, Wager(), "counter_gain", "counter_cost")
            by = seat
            yield from tell(WagerOffered(table.who(by), offer.gain, offer.cost))
            undecided = [other for other in seats if other != by]
    yield from tell(WagerOffered(table.who(by), offer.gain, offer.cost, agreed=True))
    return offer


def _stated(seat: Seat, said: Wager, gain_key: str, cost_key: str) -> Step[Wager]:
    """Ask for whatever part of an offer is not written; it may be said at the table instead."""
    gain, cost = said.gain.strip(), said.cost.strip()
    if not gain:
        gain = yield from ask(
            seat,
            gain_key,
            "What does a Success gain?",
            Text(default=""),
            because="signs.type.wager",
        )
    if not cost:
        cost = yield from ask(
            seat,
            cost_key,
            "What does failure cost?",
            Text(default=""),
            because="signs.type.wager",
        )
    return Wager(gain, cost)
