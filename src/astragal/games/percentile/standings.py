"""Who is ahead in an Opposed test, and the roll-off in which all throw until one is.

The order that decides is the same for two sides and for more
(percentile.amb.opposed_more_than_two): success, degrees of success, bonus, lower roll.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, partial

import msgspec

from astragal.dice import Chance, Distribution, Expression, Percentile, Rolled

from .degrees import judged


class DecidedBy(Enum):
    """What an Opposed test was decided by, from the first thing looked at to the last."""

    SUCCESS = "only_one_succeeds"
    DEGREES = "degrees"
    BONUS = "bonus"
    ROLL = "lower_roll"
    NOTHING = "stalemate"


_ORDER = {by: place for place, by in enumerate(DecidedBy)}


class Standing(msgspec.Struct, frozen=True, cache_hash=True):
    """What one side's roll is worth against the others; a failure is worth nothing.

    Degrees of failure are never compared (percentile.opposed.both_fail).
    """

    degrees: int
    bonus: int = 0
    rolled: int = 0


FAILED = Standing(0)


def standing(rolled: int, target: int, bonus: int, *, sign: bool) -> Standing:
    """A side's roll, judged the normal way (percentile.opposed.each_tests)."""
    result = judged(rolled, target, sign=sign)
    return Standing(result.degrees, bonus, rolled) if result.passed else FAILED


class Lead(msgspec.Struct, frozen=True, cache_hash=True):
    """Who is ahead so far: nobody, one side, or several that nothing tells apart."""

    sides: tuple[int, ...] = ()
    best: Standing = FAILED
    by: DecidedBy = DecidedBy.SUCCESS

    def met(self, side: int, other: Standing) -> Lead:
        """The lead after one more side; those who fail are out."""
        if other == FAILED:
            return self
        if not self.sides:
            return Lead((side,), other)  # percentile.opposed.one_succeeds
        ahead, by = compared(other, self.best)
        if ahead == 0:
            return msgspec.structs.replace(self, sides=(*self.sides, side))
        if ahead > 0:
            return Lead((side,), other, by)
        finer = by if _ORDER[by] > _ORDER[self.by] else self.by
        return msgspec.structs.replace(self, by=finer)


def compared(one: Standing, other: Standing) -> tuple[int, DecidedBy]:
    """Which of two successes is ahead (above 0: the first), and by what.

    percentile.opposed.both_succeed, percentile.amb.opposed_number_of_successes;
    percentile.opposed.tie_bonus; percentile.opposed.tie_roll.
    """
    if one.degrees != other.degrees:
        return one.degrees - other.degrees, DecidedBy.DEGREES
    if one.bonus != other.bonus:
        return one.bonus - other.bonus, DecidedBy.BONUS
    if one.rolled != other.rolled:
        return other.rolled - one.rolled, DecidedBy.ROLL
    return 0, DecidedBy.NOTHING


# --- The roll-off --------------------------------------------------------------------------


class Entrant(msgspec.Struct, frozen=True, cache_hash=True):
    """One side of a roll-off: its number in the contest, its target number and its bonus."""

    side: int
    target: int
    bonus: int


class RollOff(Expression[Lead], msgspec.Struct, frozen=True, tag="roll_off", tag_field="kind"):
    """All throw a d100, again and again, until there is a winner (percentile.opposed.both_fail).

    The target numbers stay the same (percentile.amb.opposed_reroll_both_fail). A round in which
    all fail, or in which nothing tells the best apart, is thrown again if so agreed, the latter
    only by those who tied; otherwise it ends the matter. The faces are those of all rounds, side
    by side. As one expression it has a true distribution although it may take any number of
    rounds.
    """

    entrants: tuple[Entrant, ...]
    sign: bool
    again_if_all_fail: bool
    again_if_tied: bool

    @property
    def notation(self) -> str:
        """As in "d100 against 35, 40 until one wins"."""
        targets = ", ".join(str(each.target) for each in self.entrants)
        return f"d100 against {targets} until one wins"

    def sample(self, chance: Chance) -> Rolled[Lead]:
        """Throw round after round."""
        faces: tuple[int, ...] = ()
        entrants = self.entrants
        while True:
            lead = Lead()
            for each in entrants:
                rolled = Percentile().sample(chance)
                faces += rolled.faces
                lead = lead.met(each.side, self._standing(each, rolled.value))
            remaining = self._again(entrants, lead)
            if not remaining:
                return Rolled(lead, faces)
            entrants = remaining

    def distribution(self, *, enough: int | None = None) -> Distribution[Lead]:  # noqa: ARG002
        """What comes of it in the end; rounds that lead to nothing but another round drop out."""
        return _settled(self)

    def _standing(self, entrant: Entrant, rolled: int) -> Standing:
        return standing(rolled, entrant.target, entrant.bonus, sign=self.sign)

    def _again(self, entrants: tuple[Entrant, ...], lead: Lead) -> tuple[Entrant, ...]:
        """Those who throw again after a round, or nobody."""
        if not lead.sides:
            return entrants if self.again_if_all_fail else ()
        if len(lead.sides) > 1 and self.again_if_tied:
            return tuple(each for each in entrants if each.side in lead.sides)
        return ()

    def _round(self) -> Distribution[Lead]:
        """One round: the sides one after the other, keeping only who is ahead."""
        leads = Distribution.certain(Lead())
        d100 = Percentile().distribution()
        for each in self.entrants:
            thrown = d100.map(partial(self._standing, each))
            leads = leads.combine(thrown, partial(_after, each.side))
        return leads


def _after(side: int, lead: Lead, thrown: Standing) -> Lead:
    return lead.met(side, thrown)


@cache
def _settled(off: RollOff) -> Distribution[Lead]:
    ends: list[tuple[int, Distribution[Lead]]] = []
    for lead, weight in off._round().weights.items():
        remaining = off._again(off.entrants, lead)
        if not remaining:
            ends.append((weight, Distribution.certain(lead)))
        elif remaining != off.entrants:
            fewer = msgspec.structs.replace(off, entrants=remaining)
            ends.append((weight, _settled(fewer)))
        # The same sides again: the weights of all other ends are simply in proportion.
    return Distribution.mix(ends)
