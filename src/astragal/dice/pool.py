"""Pools of six-sided dice whose successes are counted (tests.dice.d6_only).

A `Pool` is the dice of one roll by shade. Where the dice come from, the obstacle they
meet and what artha does to them afterwards are left to the game; what Luck and rerolls
need is in the `Count`: the sixes that may be rolled on, and the traitors by shade.

**Throw order.** First one throw of all dice: black, then gray, then white. Then, on
an open-ended pool, one throw for each wave of extra dice: one die for each face that
brings one, in the order of the dice that showed them, each of its parent's shade. The
waves end with probability 1; they are never cut short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache

import msgspec

from astragal.dice.chains import (
    chain_at_least,
    chain_chance_of,
    chain_successes,
    horizon,
    one_and_six_counts,
    six_counts,
)
from astragal.dice.chance import Chance
from astragal.dice.count import NO_DICE, Count, CountWithOnes, OpenEnded
from astragal.dice.distribution import Distribution, counted
from astragal.dice.expression import Expression, Rolled, ThrownDie
from astragal.dice.flat import CACHED, flat_counts, flat_counts_with_ones, flat_successes
from astragal.dice.harsh import (
    harsh_at_least,
    harsh_chance_of,
    harsh_counts,
    harsh_successes,
)
from astragal.dice.shades import MOST_DICE, Shade, Shaded
from astragal.dice.throw import lay_out, throw
from astragal.errors import BadInput

_SUCCESS = 5  # canonical faces: a success that brings no die,
_TRAITOR = {Shade.BLACK: 2, Shade.GRAY: 2, Shade.WHITE: 1}  # and a traitor

_OPEN_NOTATION = {
    OpenEnded.NO: "",
    OpenEnded.SIXES: " open",
    OpenEnded.ONES_AND_SIXES: " open on ones",
    OpenEnded.HARSH_ONES: " open on harsh ones",
}


class Pool(Expression[Count], msgspec.Struct, frozen=True, tag="pool", tag_field="kind"):
    """Dice thrown together and judged one by one.

    >>> from astragal.dice import Recorded
    >>> Pool.of(5, Shade.BLACK).sample(Recorded([1, 2, 2, 4, 5])).value.successes
    2
    >>> Pool.of(2, open_ended=OpenEnded.SIXES).at_least(3)
    Fraction(13, 144)
    """

    dice: Shaded
    open_ended: OpenEnded = OpenEnded.NO

    def __post_init__(self) -> None:
        """Refuse pools that nobody can mean."""
        if self.dice.total > MOST_DICE:
            raise BadInput("dice", self.dice.total, f"at most {MOST_DICE} dice in one roll")

    @classmethod
    def of(
        cls, count: int, shade: Shade = Shade.BLACK, *, open_ended: OpenEnded = OpenEnded.NO
    ) -> Pool:
        """A pool of `count` dice of one shade."""
        return cls(Shaded.of(shade, count), open_ended)

    @property
    def notation(self) -> str:
        """As in "5B", "3B+2G", "4G open"."""
        return f"{self.dice}{_OPEN_NOTATION[self.open_ended]}"

    def successes(self) -> Successes:
        """The same pool, looked at for its number of successes only."""
        return Successes(self)

    def with_ones(self) -> PoolWithOnes:
        """The same pool, counting also the ones on its own dice."""
        return PoolWithOnes(self)

    # ------------------------------------------------------------------ throwing

    def sample(self, chance: Chance) -> Rolled[Count]:
        """Throw the dice, and every extra die they bring, in the order told above."""
        return throw(self.dice, self.open_ended, chance)

    def laid_out(self, faces: tuple[int, ...]) -> Iterator[ThrownDie]:
        """The dice of a throw one by one, each with its success and the die that brought it.

        >>> pool = Pool.of(2, open_ended=OpenEnded.SIXES)
        >>> [(die.success, die.parent) for die in pool.laid_out((2, 6, 4))]
        [(False, None), (True, None), (True, 1)]
        """
        return lay_out(self.dice, self.open_ended, faces)

    def faces_for(self, successes: int) -> tuple[int, ...]:
        """Faces that give exactly this many successes, for scripts that only tell the count.

        A success is shown as a 5 and a traitor as a 2, or a 1 on white dice; the lightest
        dice succeed first. Only when the dice do not suffice are there sixes.

        >>> Pool.of(4).faces_for(1)
        (5, 2, 2, 2)
        >>> Pool.of(2, open_ended=OpenEnded.SIXES).faces_for(5)
        (6, 6, 6, 5, 5)
        """
        count = self.dice.total
        most = MOST_DICE if self.open_ended is not OpenEnded.NO and count else count
        # A white die that opens on ones goes on until it succeeds.
        least = self.dice.white if self.open_ended is OpenEnded.ONES_AND_SIXES else 0
        if not least <= successes <= most:
            dice = "1 die" if count == 1 else f"{count} dice"
            expected = f"{least} to {most}, as many as {dice} can show"
            raise BadInput("successes", successes, expected)
        faces: list[int] = []
        missing, wave = successes, count
        while missing > wave:  # even all dice of this wave do not suffice: roll on
            on = min(wave, missing - wave)
            faces += [6] * on + [_SUCCESS] * (wave - on)
            missing, wave = missing - wave, on
        if faces:  # the last wave, of exactly as many dice as successes are missing
            return (*faces, *[_SUCCESS] * wave)
        for shade, dice_of_shade in reversed(self.dice.items()):
            good = min(missing, dice_of_shade)
            missing -= good
            faces[:0] = [_SUCCESS] * good + [_TRAITOR[shade]] * (dice_of_shade - good)
        if self.open_ended is OpenEnded.HARSH_ONES:
            faces += [_SUCCESS] * faces.count(1)  # threats that come to nothing
        return tuple(faces)

    # ------------------------------------------------------------------ counting

    def distribution(self, *, enough: int | None = None) -> Distribution[Count]:
        """Successes, sixes and traitors together, exactly.

        With `enough`, all classes of that many successes or more are one class,
        `Count(enough)`, without sixes or traitors. Without it the infinite support of
        an open-ended pool ends in such a class too, beyond which less than one part
        in 10 ** 12 lies; its weight is in `beyond`. (A pool that opens on ones also has
        no bound on its traitors; the classes where they are cut count in `beyond`
        with and without `enough`.)
        """
        _check_enough(enough)
        return _COUNTS[self.open_ended](self.dice, enough)

    def final_distribution(self, *, enough: int | None = None) -> Distribution[Count]:
        """How many successes, as counts without sixes or traitors.

        With `enough`, only whether there are that many: `Count(enough)`, or else `Count(0)`.
        """
        _check_enough(enough)
        return _bare_counts(self, enough)

    def chance_of(self, successes: int) -> Fraction:
        """The chance of exactly this many successes; exact for any number."""
        if self.open_ended is OpenEnded.NO:
            return flat_successes(self.dice, None).chance(successes)
        if self.open_ended is OpenEnded.HARSH_ONES:
            return harsh_chance_of(self.dice, successes)
        return chain_chance_of(self.dice, self.open_ended, successes)

    def at_least(self, successes: int) -> Fraction:
        """The chance of this many successes or more; exact for any number."""
        if self.open_ended is OpenEnded.NO:
            return flat_successes(self.dice, None).at_least(successes)
        if self.open_ended is OpenEnded.HARSH_ONES:
            return harsh_at_least(self.dice, successes)
        return chain_at_least(self.dice, self.open_ended, successes)


class Successes(Expression[int], msgspec.Struct, frozen=True, tag="successes", tag_field="kind"):
    """A pool of which only the number of successes matters (tests.dice.count_successes)."""

    pool: Pool

    @property
    def notation(self) -> str:
        """As in "5B open: successes"."""
        return f"{self.pool.notation}: successes"

    def sample(self, chance: Chance) -> Rolled[int]:
        """Throw the pool."""
        rolled = self.pool.sample(chance)
        return Rolled(rolled.value.successes, rolled.faces)

    def laid_out(self, faces: tuple[int, ...]) -> Iterator[ThrownDie]:
        """The dice of the pool one by one."""
        return self.pool.laid_out(faces)

    def distribution(self, *, enough: int | None = None) -> Distribution[int]:
        """How many successes, exactly; the last class may stand for "that many or more"."""
        _check_enough(enough)
        dice, open_ended = self.pool.dice, self.pool.open_ended
        if open_ended is OpenEnded.NO:
            return flat_successes(dice, enough)
        if open_ended is OpenEnded.HARSH_ONES:
            return harsh_successes(dice, enough)
        return chain_successes(dice, open_ended, enough)


@lru_cache(CACHED)
def _bare_counts(pool: Pool, enough: int | None) -> Distribution[Count]:
    shown = pool.successes().distribution(enough=enough)
    if enough is None:
        return shown.map(Count)
    return shown.map(lambda successes: Count(enough if successes >= enough else 0))


class PoolWithOnes(
    Expression[CountWithOnes], msgspec.Struct, frozen=True, tag="pool_with_ones", tag_field="kind"
):
    """A pool whose own ones are counted too, as those of armor are."""

    pool: Pool

    def __post_init__(self) -> None:
        """Refuse pools whose ones already have a meaning of their own."""
        if self.pool.open_ended not in (OpenEnded.NO, OpenEnded.SIXES):
            raise BadInput("pool", self.pool.notation, "a pool that is not open-ended on ones")

    @property
    def notation(self) -> str:
        """As in "3B: with ones"."""
        return f"{self.pool.notation}: with ones"

    def faces_for(self, successes: int) -> tuple[int, ...]:
        """Faces that give exactly this many successes, as the pool does; no ones on dark dice."""
        return self.pool.faces_for(successes)

    def sample(self, chance: Chance) -> Rolled[CountWithOnes]:
        """Throw the pool."""
        rolled = self.pool.sample(chance)
        count = rolled.value
        ones = rolled.faces[: self.pool.dice.total].count(1)
        return Rolled(
            CountWithOnes(count.successes, count.sixes, count.traitors, ones), rolled.faces
        )

    def laid_out(self, faces: tuple[int, ...]) -> Iterator[ThrownDie]:
        """The dice of the pool one by one."""
        return self.pool.laid_out(faces)

    def distribution(self, *, enough: int | None = None) -> Distribution[CountWithOnes]:
        """As for the pool; enough successes make sixes and traitors indifferent, not ones."""
        _check_enough(enough)
        dice = self.pool.dice
        if self.pool.open_ended is OpenEnded.NO or not dice:
            return flat_counts_with_ones(dice, enough)
        return _six_counts_with_ones(dice, enough)


@lru_cache(CACHED)
def _six_counts_with_ones(dice: Shaded, enough: int | None) -> Distribution[CountWithOnes]:
    """The first throw is a flat one; each of its sixes starts an open-ended die."""
    limit = horizon(dice, OpenEnded.SIXES) if enough is None else enough
    mixed = Distribution.mix(
        (
            weight,
            six_counts(first.sixes, max(0, limit - first.successes)).map(_continuing(first, limit)),
        )
        for first, weight in flat_counts_with_ones(dice, None).weights.items()
    )
    cut = sum(w for count, w in mixed.weights.items() if count.successes == limit)
    return counted(dict(mixed.weights), mixed.total, cut if enough is None else 0)


def _continuing(first: CountWithOnes, limit: int) -> Callable[[Count], CountWithOnes]:
    """Add what the extra dice gave to the first throw."""

    def added(extra: Count) -> CountWithOnes:
        successes = first.successes + extra.successes
        if successes >= limit:
            return CountWithOnes(limit, NO_DICE, NO_DICE, first.ones)
        return CountWithOnes(successes, NO_DICE, first.traitors + extra.traitors, first.ones)

    return added


def _check_enough(enough: int | None) -> None:
    if enough is not None and enough < 0:
        raise BadInput("enough", enough, "0 successes or more")


_COUNTS: dict[OpenEnded, Callable[[Shaded, int | None], Distribution[Count]]] = {
    OpenEnded.NO: flat_counts,
    OpenEnded.SIXES: six_counts,
    OpenEnded.ONES_AND_SIXES: one_and_six_counts,
    OpenEnded.HARSH_ONES: harsh_counts,
}
