"""Closed forms for open-ended pools, exact over their infinite support.

**Sixes.** A die of a shade with t traitor faces goes on while it shows a 6 and ends
on one of the other five faces, in a traitor on t of them. Where it ends does not
depend on how long it went on, so for N dice the traitors are binomial (t of 5), the
sixes negative binomial (each die: i sixes with chance 5/6 * 6**-i), and both are
independent. The generating function of the successes is ((t + s x) / (6 - x)) ** N
with s = 5 - t.

**Ones and sixes.** A die goes on on two faces and ends on four, t - 1 of them
traitors: ((t - 1) y + s x) / (6 - x - y) for each die, where x marks successes and y
traitors. For successes alone (y = 1) that is (t - 1 + s x) / (5 - x): as above, with a
five-sided look.

So in both cases the successes of a pool are a polynomial, how the chains end, divided
by (q - x) ** N, how long they go on, with q = 6 or 5. All numbers here are integers
over a power of q. Harsh ones have a module of their own (`harsh`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from operator import mul

from astragal.dice.count import NO_DICE, Count, OpenEnded
from astragal.dice.distribution import Distribution, counted
from astragal.dice.flat import CACHED, binomial_row, every_part, polynomial_product
from astragal.dice.shades import Shade, Shaded

HORIZON = 10**12
"""An infinite support is cut where less than one part in this many lies beyond."""


def stretch(kind: OpenEnded) -> int:
    """The q of the module's text: a chain goes on with chance 1/q."""
    return 5 if kind is OpenEnded.ONES_AND_SIXES else 6


def ending_faces(shade: Shade, kind: OpenEnded) -> tuple[int, int]:
    """On how many faces a chain ends in a traitor, and in a success."""
    failing = shade.traitor_faces
    ending = failing - 1 if kind is OpenEnded.ONES_AND_SIXES else failing
    return ending, 5 - failing


def endings(dice: Shaded, kind: OpenEnded) -> list[int]:
    """How many chains end in a success: weights out of (q - 1) ** N."""
    row = [1]
    for shade, count in dice.items():
        if count:
            row = polynomial_product(row, binomial_row(count, *ending_faces(shade, kind)))
    return row


# ---------------------------------------------------------------------- successes alone


def terms(dice: Shaded, kind: OpenEnded) -> Iterator[int]:
    """The chances of 0, 1, 2, ... successes, each times q ** (N + successes)."""
    of_shade = [(shade, count) for shade, count in dice.items() if count]
    if len(of_shade) == 1:
        (shade, count) = of_shade[0]
        failing, succeeding = ending_faces(shade, kind)
        if failing:
            return _terms_of_one_shade(count, failing, succeeding, stretch(kind))
    return _terms_of_mixed_shades(endings(dice, kind), stretch(kind))


def _terms_of_one_shade(count: int, failing: int, succeeding: int, q: int) -> Iterator[int]:
    # f = ((t + s x) / (q - x)) ** N satisfies (t + s x)(q - x) f' = N (q s + t) f, which
    # makes each coefficient a combination of the two before it.
    step = count * (q * succeeding + failing)
    inner, outer = q * succeeding - failing, q * succeeding
    before, term = 0, failing**count
    yield term
    k = 0
    while True:
        after = ((step - inner * k) * term + outer * (k - 1) * before) // (failing * (k + 1))
        yield after
        before, term = term, after
        k += 1


def _terms_of_mixed_shades(ends: list[int], q: int) -> Iterator[int]:
    # The plain convolution of the endings with the negative binomial coefficients.
    count = len(ends) - 1
    turned = [weight * q**a for a, weight in enumerate(ends)][::-1]
    lengths = [0] * count + [1]
    k = 0
    while True:
        yield sum(map(mul, turned, lengths[k : k + count + 1]))
        k += 1
        lengths.append(lengths[-1] * (count - 1 + k) // k)


@lru_cache(CACHED)
def chain_successes(dice: Shaded, kind: OpenEnded, enough: int | None) -> Distribution[int]:
    """The successes of an open-ended pool, up to `enough` or to the horizon."""
    if not dice or enough == 0:
        return counted({0: 1}, 1)
    q = stretch(kind)
    whole = tail = q**dice.total  # the chance of k or more, as `tail` out of `whole`
    found: list[int] = []
    for k, term in enumerate(terms(dice, kind)):  # pragma: no branch
        if k == enough or (enough is None and tail * HORIZON < whole):
            break
        found.append(term)
        tail = (tail - term) * q
        whole *= q
    weights = {len(found): tail}
    scale = q
    for k in range(len(found) - 1, -1, -1):
        if found[k]:  # white dice that open on ones never end in a traitor
            weights[k] = found[k] * scale
        scale *= q
    ordered = dict(reversed(weights.items()))
    return counted(ordered, whole, tail if enough is None else 0)


@lru_cache(CACHED)
def horizon(dice: Shaded, kind: OpenEnded) -> int:
    """The class of successes at which a pool's infinite support is cut."""
    return max(chain_successes(dice, kind, None).weights)


def chain_chance_of(dice: Shaded, kind: OpenEnded, successes: int) -> Fraction:
    """The chance of exactly this many successes."""
    count, q = dice.total, stretch(kind)
    if not count or successes < 0:
        return Fraction(successes == 0)
    cases = sum(
        weight * q**a * comb(count - 1 + successes - a, count - 1)
        for a, weight in enumerate(endings(dice, kind)[: successes + 1])
    )
    return Fraction(cases, q ** (count + successes))


def chain_at_least(dice: Shaded, kind: OpenEnded, successes: int) -> Fraction:
    """The chance of this many successes or more, the whole infinite tail included."""
    count, q = dice.total, stretch(kind)
    if not count or successes <= 0:
        return Fraction(successes <= 0)
    # N chains go on m times or more exactly if fewer than N of the first N + m - 1
    # throws end one: that is a finite sum. Chains that end in `a` successes must go
    # on `successes - a` times, and `tail` is kept in step with `a`, out of q ** throws.
    ends = endings(dice, kind)
    most = min(count, successes)
    throws = count + successes - most - 1
    tail = sum(comb(throws, j) * (q - 1) ** j for j in range(min(count, throws + 1)))
    cases = sum(ends[successes + 1 :]) * q ** (count + successes - 1)
    for a in range(most, -1, -1):
        cases += ends[a] * tail * q ** (count + successes - 1 - throws)
        # One more throw: what leaves the tail is "exactly m times on".
        going_on = successes - a
        tail = tail * q - comb(throws, count - 1) * (q - 1) ** count
        throws = count + going_on
    return Fraction(cases, q ** (count + successes - 1) * (q - 1) ** count)


# ---------------------------------------------------------------------- successes and traitors


def traitor_classes(dice: Shaded) -> list[tuple[int, int, Shaded]]:
    """Weight (out of 5 ** N), number and shades of the traitors in which chains end."""
    shaded = every_part(dice)
    rows = [
        binomial_row(count, 5 - shade.traitor_faces, shade.traitor_faces)
        for shade, count in dice.items()
    ]
    return [
        (rows[0][key[0]] * rows[1][key[1]] * rows[2][key[2]], sum(key), traitors)
        for key, traitors in shaded.items()
    ]


@lru_cache(CACHED)
def six_counts(dice: Shaded, enough: int | None) -> Distribution[Count]:
    """Successes and traitors of a pool that opens on sixes."""
    if not dice or enough == 0:
        return counted({Count(0): 1}, 1)
    limit = horizon(dice, OpenEnded.SIXES) if enough is None else enough
    count = dice.total
    total = 6 ** (count + limit)
    # The weight of m sixes is C(N - 1 + m, m) out of 6 ** (N + m).
    sixes = [comb(count - 1 + m, m) * 6 ** (limit - m) for m in range(limit)]
    weights: dict[Count, int] = {}
    merged = total
    for weight, traitors, shaded in traitor_classes(dice):
        ended = count - traitors
        for m in range(limit - ended):
            joint = weight * sixes[m]
            weights[Count(ended + m, NO_DICE, shaded)] = joint
            merged -= joint
    weights[Count(limit)] = merged
    return counted(weights, total, merged if enough is None else 0)


@lru_cache(CACHED)
def one_and_six_counts(dice: Shaded, enough: int | None) -> Distribution[Count]:
    """Successes and traitors of a pool that opens on ones and on sixes.

    Here the traitors have no upper bound either: those of each shade are cut at a
    horizon of their own, whose class stands for "that many or more".
    """
    if not dice or enough == 0:
        return counted({Count(0): 1}, 1)
    limit = horizon(dice, OpenEnded.ONES_AND_SIXES) if enough is None else enough
    grids = [_Grid(shade, count, limit) for shade, count in dice.items() if count]
    classes: dict[tuple[int, Shaded], int] = {(0, NO_DICE): 1}
    for grid in grids:
        joined: dict[tuple[int, Shaded], int] = {}
        for (successes, traitors), weight in classes.items():
            for more, shaded, w in grid.cells:
                if successes + more < limit:
                    key = (successes + more, traitors + shaded)
                    joined[key] = joined.get(key, 0) + weight * w
        classes = joined
    total = prod(grid.total for grid in grids)
    weights = {Count(s, NO_DICE, traitors): w for (s, traitors), w in classes.items()}
    merged = total - sum(weights.values())
    cut = sum(
        weight
        for count, weight in weights.items()
        if any(count.traitors[grid.shade] == grid.most for grid in grids)
    )
    weights[Count(limit)] = merged
    return counted(weights, total, cut + (merged if enough is None else 0))


class _Grid:
    """Successes below a limit by traitors up to a horizon, for the dice of one shade."""

    def __init__(self, shade: Shade, count: int, limit: int) -> None:
        failing, succeeding = ending_faces(shade, OpenEnded.ONES_AND_SIXES)
        self.shade = shade
        self.most = most = _traitor_horizon(count, failing, succeeding)
        self.total = 6 ** (limit + most) * 5 ** (count + limit)
        self.cells: list[tuple[int, Shaded, int]] = []
        ends = binomial_row(count, failing, succeeding)
        alone = terms(Shaded.of(shade, count), OpenEnded.ONES_AND_SIXES)
        names = [Shaded.of(shade, traitors) for traitors in range(most + 1)]
        for successes, term in zip(range(limit), alone, strict=False):
            rest = term * 5 ** (limit - successes) * 6 ** (limit + most)
            for traitors in range(max(0, count - successes), most):
                # All dice thrown but the last of each chain are ones or sixes.
                on = successes + traitors - count
                ways = sum(
                    ends[a] * comb(on, successes - a) for a in range(min(count, successes) + 1)
                )
                weight = ways * comb(successes + traitors - 1, count - 1)
                weight *= 6 ** (limit + most - successes - traitors) * 5 ** (count + limit)
                rest -= weight
                if weight:
                    self.cells.append((successes, names[traitors], weight))
            if rest:
                self.cells.append((successes, names[most], rest))


def _traitor_horizon(count: int, failing: int, succeeding: int) -> int:
    # Traitors follow the same law as successes, with the roles of the faces exchanged.
    whole = tail = 5**count
    for most, term in enumerate(_terms_of_one_shade(count, succeeding, failing, 5)):
        if tail * HORIZON < whole:
            return most
        tail = (tail - term) * 5
        whole *= 5
    raise AssertionError("the terms never end")  # pragma: no cover
