"""Exact pools, contests and rolling, beside icepool, dyce and d20."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import d20
import dyce
import icepool

from astragal.dice import OpenEnded, Pool, Seeded, Shade, beats, parse
from bench.clock import Figure, best_of

SIXES = OpenEnded.SIXES


def icepool_chain(depth: int) -> icepool.Die[int]:
    """An open-ended black die, cut after so many sixes: exact for as many successes."""
    chain: icepool.Die[int] = icepool.Die([0, 0, 0, 1, 1, 1])
    for _ in range(depth):
        chain = icepool.Die([0, 0, 0, 1, 1, chain + 1])
    return chain


def open_pools() -> Iterator[Figure]:
    """The whole distribution of an open-ended pool, to the same last number."""
    for count in (5, 8, 12, 18):
        pool = Pool.of(count, open_ended=SIXES)
        ours = pool.successes().distribution()
        last = max(ours.weights)
        theirs = count @ icepool_chain(last)
        same = (theirs.probability(k) == ours.chance(k) for k in range(last))
        assert all(same), f"{count} open-ended dice: different numbers"
        yield Figure(
            f"open-ended pool of {count} dice, 0 to {last} successes",
            best_of(lambda c=count: Pool.of(c, open_ended=SIXES).successes().distribution(), 200),
            best_of(lambda c=count, d=last: c @ icepool_chain(d), 7),
            "icepool",
            times=50,
        )


def flat_pools() -> Iterator[Figure]:
    """The whole distribution of a flat pool of gray dice."""
    for count in (10, 100):
        ours = Pool.of(count, Shade.GRAY).successes().distribution()
        theirs = count @ icepool.Die([0, 0, 1, 1, 1, 1])
        assert all(theirs.probability(k) == ours.chance(k) for k in range(count + 1))
        mine = best_of(lambda c=count: Pool.of(c, Shade.GRAY).successes().distribution(), 300)
        name = f"flat pool of {count} dice"
        pool = best_of(lambda c=count: c @ icepool.Die([0, 0, 1, 1, 1, 1]), 60)
        yield Figure(name, mine, pool, "icepool", times=20)
        other = best_of(lambda c=count: c @ dyce.H({0: 2, 1: 4}), 60)
        yield Figure(name, mine, other, "dyce", times=5)


def contests() -> Iterator[Figure]:
    """Two open-ended pools against each other; icepool's are cut, ours are not."""
    for mine, other in ((5, 4), (8, 7)):
        one, two = Pool.of(mine, open_ended=SIXES), Pool.of(other, open_ended=SIXES)
        depth = max(one.successes().distribution().weights)

        def theirs(a: int = mine, b: int = other, d: int = depth) -> Fraction:
            return (a @ icepool_chain(d) > b @ icepool_chain(d)).probability(True)

        win = beats(one, two).win
        assert abs(win - theirs()) < Fraction(1, 10**9), "the contest comes out differently"
        yield Figure(
            f"{mine} open-ended dice against {other}",
            best_of(lambda a=one, b=two: beats(a, b), 100),
            best_of(theirs, 5),
            "icepool",
            times=40,
        )


def rolling() -> Iterator[Figure]:
    """Read a plain expression and throw it, each expression a new one for both."""
    expressions = [f"{n}d{s}+{p}" for n in range(1, 6) for s in (6, 8, 10) for p in range(1, 41)]
    chance = Seeded("bench")

    def ours() -> None:
        for text in expressions:
            parse(text).sample(chance)

    def theirs() -> None:
        roller = d20.Roller()
        for text in expressions:
            roller.roll(text)

    number = len(expressions)
    yield Figure(
        f"parse and roll a plain expression (mean of {number})",
        best_of(ours, 5) / number,
        best_of(theirs, 3) / number,
        "d20",
        times=5,
    )


def figures() -> Iterator[Figure]:
    """All of them."""
    yield from open_pools()
    yield from flat_pools()
    yield from contests()
    yield from rolling()
