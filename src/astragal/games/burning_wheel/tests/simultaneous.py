"""Dice thrown at the same time, as the sides of a scripted conflict throw theirs.

All rolls are seen before anybody buys anything on one of them; then the sides buy in turn, the
one that is behind first, until all in a row are content (artha.amb.versus_after_roll_sequence). A
side may have several rolls: its hand, with its limits, is one for all of them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Protocol

import msgspec

from astragal.dice import Count, Pool, Shaded
from astragal.play import (
    Ask,
    PickOne,
    Play,
    Seat,
    Step,
    all_foregone,
    call,
    foregone,
    then,
    together,
)

from ..artha import on_a_roll as artha
from ..artha.on_a_roll import ArthaAtHand, ThrownDice
from ..sheet.parts import Artha
from ..sheet.words import counted


class ThingDice(msgspec.Struct, frozen=True):
    """The dice of a thing that are thrown with a pool, such as those of a shield with a Block.

    At most so many of their ``ones`` can damage it.
    """

    dice: Shaded
    ones: int


class RollingSide(msgspec.Struct, frozen=True, cache_hash=True):
    """A side with dice in hand: one pool for each roll that it makes at once.

    One that is ``told_all`` is asked with the others' successes beside its own. ``things`` are
    dice of equipment that belong to some of the pools.
    """

    seat: Seat
    label: str
    pools: tuple[tuple[str, Pool], ...]
    hand: ArthaAtHand
    spent: Artha = Artha()
    told_all: bool = False
    things: tuple[ThingDice | None, ...] = ()

    def thing(self, at: int) -> ThingDice | None:
        """The dice of a thing that are thrown with one of the pools."""
        return self.things[at] if self.things else None


Throws = tuple[tuple[ThrownDice, ...], ...]
"""The throws of each side, one for each of its pools."""


def throw_together(rollers: tuple[RollingSide, ...]) -> Step[Throws]:
    """Everybody throws; then, with all dice seen, what may still be bought.

    What a side is asked mentions nobody else's dice, which everybody can see.
    """
    return (yield from together(throw_and_buy, rollers))


AFTER_ROLL = "after_roll"
"""The key of the question what to use on dice that lie there."""


def throw_and_buy(rollers: tuple[RollingSide, ...]) -> Play[Throws]:
    """The sides throw, and then those who can buy something do so in turn, the lowest first.

    Sides with nothing to use on the dice throw first. All dice are thrown before anybody buys,
    so that this changes nothing but how much there is to walk. Nor does it matter what a side
    could use, if it is known that it will not.
    """
    throws: dict[int, tuple[ThrownDice, ...]] = {}
    buyers = [side for side, roller in enumerate(rollers) if roller.hand.may_buy(lucky=False)]
    if buyers and (yield from all_foregone(AFTER_ROLL)):
        rollers = tuple(msgspec.structs.replace(each, hand=ArthaAtHand()) for each in rollers)
        buyers = []
    for side, roller in enumerate(rollers):
        if side not in buyers:
            throws[side] = yield from call(throw_all, roller)
    if buyers:
        bought = yield from call(buyers_throw, tuple(rollers[side] for side in buyers))
        throws |= dict(zip(buyers, bought, strict=True))
    return tuple(throws[side] for side in range(len(rollers)))


def buyers_throw(rollers: tuple[RollingSide, ...]) -> Play[Throws]:
    """The sides that could buy something throw, and then may do so."""
    throws: Throws = ()
    for roller in rollers:
        throws += ((yield from call(throw_all, roller)),)
    totals = [_sum(mine) for mine in throws]
    order = tuple(sorted(range(len(rollers)), key=lambda side: totals[side]))
    hands = tuple(roller.hand for roller in rollers)
    bought: Bought = yield from call(buy_in_turn, rollers, throws, hands, order)
    return tuple(
        tuple(_with_late(was, now) for was, now in zip(before, after, strict=True))
        for before, after in zip(throws, bought[0], strict=True)
    )


def _with_late(was: ThrownDice, now: ThrownDice) -> ThrownDice:
    late = now.successes - was.successes
    return msgspec.structs.replace(now, late=late) if late > 0 else now


def throw_all(roller: RollingSide) -> Play[tuple[ThrownDice, ...]]:
    """One side throws all its pools."""
    lots = tuple(
        DiceLot(
            pool,
            _label(roller, name),
            roller.seat,
            roller.hand,
            Artha() if at else roller.spent,
            roller.thing(at),
        )
        for at, (name, pool) in enumerate(roller.pools)
    )
    if len(lots) == 1:
        return ((yield from _throw(lots[0])),)
    return (yield from together(throw_lots, lots))


class DiceLot(msgspec.Struct, frozen=True, cache_hash=True):
    """The dice of one roll, as they are thrown first."""

    pool: Pool
    label: str
    seat: Seat
    hand: ArthaAtHand
    spent: Artha
    thing: ThingDice | None = None


def throw_lots(lots: tuple[DiceLot, ...]) -> Play[tuple[ThrownDice, ...]]:
    """Rolls of one side that are thrown at once, with one hand for all of them.

    Of dice that certainly nobody will touch only the successes matter, whatever else was rolled.
    """
    throws: tuple[ThrownDice, ...] = ()
    for lot in lots:
        thrown = yield from _throw(lot)
        if (yield from foregone(_everything(lot.seat, lot.label, thrown, lot.hand))):
            thrown = thrown.settled()
        throws += (thrown,)
    return throws


def _throw(lot: DiceLot) -> Step[ThrownDice]:
    """Throw a lot, a thing's dice first, as their ones count."""
    if lot.thing is None:
        return (yield from artha.first_throw(lot.pool, lot.label, lot.seat, lot.hand, lot.spent))
    nature = lot.pool.open_ended
    thing, ones = lot.thing.dice, lot.thing.ones
    thrown = yield from artha.throw_thing(
        thing, nature, lot.label, lot.seat, lot.hand, lot.spent, ones
    )
    if not lot.pool.dice:
        return thrown
    label = f"{lot.label}: other dice"
    more = yield from artha.first_throw(lot.pool, label, lot.seat, lot.hand, Artha())
    if not lot.hand.may_buy(lucky=False):
        return thrown.settled(more.successes)
    return thrown.joined(Count(more.successes, more.sixes, more.traitors))


Bought = tuple[Throws, tuple[ArthaAtHand, ...]]
"""The throws with what was bought on them, and what each side has left to use."""


class Judge(Protocol):
    """Compares the rolls of several sides."""

    def missing(self, throws: Throws, side: int) -> int:
        """How many more successes would change the verdict for a side."""


def buy_in_turn(
    rollers: tuple[RollingSide, ...],
    throws: Throws,
    hands: tuple[ArthaAtHand, ...],
    order: tuple[int, ...],
    judge: Judge | None = None,
) -> Play[Bought]:
    """The sides buy in turn, each on any of its own rolls, until all in a row are content.

    artha.amb.versus_after_roll_sequence. ``order`` is that in which they are asked next;
    ``judge`` knows what a side is missing, where the rolls are compared.
    """
    for at, side in enumerate(order, 1):
        others: tuple[int, ...] = ()
        if rollers[side].told_all:
            others = tuple(_sum(mine) for rival, mine in enumerate(throws) if rival != side)
        missing = None if judge is None else judge.missing(throws, side)
        bought = yield from _buy(rollers[side], throws[side], hands[side], others, missing)
        if bought is not None:
            throws = (*throws[:side], bought[0], *throws[side + 1 :])
            hands = (*hands[:side], bought[1], *hands[side + 1 :])
            return then(buy_in_turn, rollers, throws, hands, order[at:] + order[:at], judge)
    return tuple(tuple(throw.settled() for throw in mine) for mine in throws), hands


def _buy(
    roller: RollingSide,
    throws: tuple[ThrownDice, ...],
    hand: ArthaAtHand,
    others: tuple[int, ...],
    missing: int | None,
) -> Step[tuple[tuple[ThrownDice, ...], ArthaAtHand] | None]:
    """One purchase on one of a side's rolls, if there is anything to buy and somebody wants it."""
    for at, (name, _) in enumerate(roller.pools):
        label, throw = _label(roller, name), throws[at]
        asked = _anything(roller.seat, label, throw, hand, others, missing)
        choice: str = artha.CONTENT.key if asked is None else (yield asked)
        if choice != artha.CONTENT.key:
            throw, hand = yield from artha.use(choice, throw, hand, label, roller.seat, None)
            return (*throws[:at], throw, *throws[at + 1 :]), hand
    return None


@lru_cache(1024)  # the same dice come up beside many others
def _anything(
    seat: Seat,
    label: str,
    throw: ThrownDice,
    hand: ArthaAtHand,
    others: tuple[int, ...] = (),
    missing: int | None = None,
) -> Ask | None:
    """The question what to use on a roll, where there is anything.

    It is put aside where nothing of it could bring what is ``missing``, if that is known.
    """
    offered = artha.offers(throw, hand)
    if not offered:
        return None
    against = "".join(f" against {each}" for each in others)
    return Ask(
        seat,
        AFTER_ROLL,
        f"{label}: {counted(throw.successes, 'success')}{against}. Spend artha or call on a trait?",
        PickOne(options=(artha.CONTENT, *offered), default=artha.CONTENT.key),
        because="artha.amb.versus_after_roll_sequence",
        kind="offered" if artha.could_bring(missing, throw, hand) else "aside",
    )


def _everything(seat: Seat, label: str, thrown: ThrownDice, hand: ArthaAtHand) -> tuple[Ask, ...]:
    """Every question that may come up about these dice, whatever else the hand is used on."""
    left = [
        ArthaAtHand(Artha(fate=fate, deeds=deeds), call_ons, hand.grace_used)
        for fate in {hand.artha.fate, 0}
        for deeds in {hand.artha.deeds, 0}
        for many in range(len(hand.call_ons) + 1)
        for call_ons in combinations(hand.call_ons, many)
    ]
    asks = [
        _anything(seat, label, dice, held) for dice in (thrown, thrown.settled()) for held in left
    ]
    return tuple([asked for asked in asks if asked is not None])


def _sum(throws: tuple[ThrownDice, ...]) -> int:
    return sum(throw.successes for throw in throws)


def _label(roller: RollingSide, name: str) -> str:
    return f"{roller.label} ({name})" if name else roller.label


def merged(throws: tuple[ThrownDice, ...]) -> ThrownDice:
    """The rolls of one side as one, for paying and for the log."""
    first, *rest = throws
    for throw in rest:
        spent = Artha(
            first.spent.fate + throw.spent.fate,
            first.spent.persona + throw.spent.persona,
            first.spent.deeds + throw.spent.deeds,
        )
        first = msgspec.structs.replace(
            first,
            successes=first.successes + throw.successes,
            spent=spent,
            called=first.called + throw.called,
        )
    return first


def split_pool(pool: Pool, dice: int) -> tuple[Pool, Pool]:
    """A number of dice of a pool, and the rest; the darkest dice go into the first part."""
    first: dict[str, int] = {}
    for shade, count in pool.dice.items():
        first[shade.value] = min(count, dice)
        dice -= first[shade.value]
    part = Shaded(**first)
    return Pool(part, pool.open_ended), Pool(pool.dice - part, pool.open_ended)
