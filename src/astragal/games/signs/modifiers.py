"""Advantage and Disadvantage: what counts, how they cancel, what is left in hand.

Every source is one line of a tally, +1 or -1, so that cancelling is nothing but its total
(signs.mod.cancel); ``signs.table.net`` then says how many dice are rolled and which may be
rolled again. The rerolls themselves are in :mod:`~astragal.games.signs.rolling`.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Die
from astragal.play import GM, Line, Option, PickSeveral, Seat, Step, Tally, ask, choose
from astragal.rules import Options, catalogue

from .successes import name_of


class DiceRolled(Enum):
    """How many of the dice are rolled, in the words of the table."""

    ONE_D6 = "one D6"
    ONE_OF_TWO = "one of the two, chosen by the player"
    BOTH = "both"


class Rerolls(Enum):
    """Which dice may be rolled again, in the words of the table."""

    NONE = "none"
    ONE = "one die, once"
    EACH = "each die, once"

    @property
    def count(self) -> int:
        """How many rerolls that makes with two dice, no die being rerolled twice."""
        return {Rerolls.NONE: 0, Rerolls.ONE: 1, Rerolls.EACH: 2}[self]


def by_net(net: int) -> tuple[DiceRolled, Rerolls]:
    """What Advantages less Disadvantages do to a roll.

    They cancel one for one (signs.mod.cancel). signs.mod.adv, signs.mod.dis,
    signs.mod.excess_adv, signs.mod.excess_dis: beyond two, either way, nothing more happens.

    >>> by_net(1) == (DiceRolled.BOTH, Rerolls.ONE), by_net(3) == by_net(2)
    (True, True)
    """
    row = catalogue().table("signs.table.net").in_band(net, "advantages_minus_disadvantages")
    return DiceRolled(row["dice_rolled"]), Rerolls(row["rerolls"])


class DieToRoll(msgspec.Struct, frozen=True):
    """A die about to be rolled: ``score``, ``tag``, or ``die`` where it is neither any more."""

    key: str
    label: str
    die: Die


def outside_factors(aiding: tuple[str, ...], hindering: tuple[str, ...]) -> Step[tuple[Line, ...]]:
    """Let the GM say which outside factors count (signs.mod.sources).

    Those proposed are on offer; the GM may add others in words.
    """
    lines: tuple[Line, ...] = ()
    for key, proposed, amount, called in (
        ("advantages", aiding, 1, "Advantages"),
        ("disadvantages", hindering, -1, "Disadvantages"),
    ):
        options = tuple(Option(key=f, label=f, rule="signs.mod.sources") for f in proposed)
        factors = yield from ask(
            GM,
            key,
            called,
            PickSeveral(options=options, default=proposed, write_in=True),
            because="signs.mod.sources",
        )
        lines += tuple(Line(amount, factor, "signs.mod.sources") for factor in factors)
    return lines


def dice_left(
    seat: Seat, two: tuple[DieToRoll, DieToRoll], modifiers: Tally, options: Options
) -> Step[tuple[DieToRoll, ...]]:
    """The dice that are rolled once Disadvantage has had its say.

    A die is taken away before the roll, and the player picks which (signs.mod.dis,
    signs.amb.dis_before_roll). With more Disadvantages the one that is left becomes a D6
    (signs.mod.excess_dis), which is a gain where it was a D4: a table may keep it from that
    (signs.amb.excess_dis_d4).
    """
    dice, _ = by_net(modifiers.total)
    if dice is DiceRolled.BOTH:
        return two
    d6 = Die(6)
    if dice is DiceRolled.ONE_OF_TWO:
        return ((yield from _remove_one(seat, two)),)
    if options["signs_excess_disadvantage_die"] == "never_larger_than_die_kept":
        kept = yield from _remove_one(seat, two)
        if kept.die < d6:
            return (kept,)
    return (DieToRoll("die", name_of(d6), d6),)


def _remove_one(seat: Seat, two: tuple[DieToRoll, DieToRoll]) -> Step[DieToRoll]:
    score, tag = two
    options = tuple(
        Option(key=each.key, label=f"Remove {each.label}", rule="signs.mod.dis") for each in two
    )
    removed = yield from choose(
        seat,
        "remove",
        "Disadvantage: which die to remove?",
        options,
        default=score.key if score.die < tag.die else tag.key,
        because="signs.mod.dis",
    )
    return tag if removed == score.key else score
