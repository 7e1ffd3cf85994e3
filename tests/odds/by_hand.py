"""Odds and best play worked out again, plainly: die by die, with nothing taken from the library."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

DIFFICULTY = {"black": 4, "gray": 3, "white": 2}


def successes(faces: tuple[int, ...], shade: str) -> int:
    return sum(face >= DIFFICULTY[shade] for face in faces)


def by_faces(dice: int, shade: str) -> dict[int, Fraction]:
    """How many successes a flat pool shows, by throwing every face."""
    found: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=dice):
        shown = successes(faces, shade)
        found[shown] = found.get(shown, Fraction(0)) + Fraction(1, 6**dice)
    return found


@cache
def at_least(dice: int, shade: str, need: int, open_ended: bool) -> Fraction:
    """The chance of so many successes, one die after another; a six may bring another die."""
    if need <= 0:
        return Fraction(1)
    if not dice:
        return Fraction(0)
    fails = DIFFICULTY[shade] - 1
    failed = Fraction(fails, 6) * at_least(dice - 1, shade, need, open_ended)
    plain = Fraction(5 - fails, 6) * at_least(dice - 1, shade, need - 1, open_ended)
    after_a_six = dice if open_ended else dice - 1
    six = Fraction(1, 6) * at_least(after_a_six, shade, need - 1, open_ended)
    return failed + plain + six


def exactly(dice: int, shade: str, number: int, open_ended: bool) -> Fraction:
    more = at_least(dice, shade, number + 1, open_ended)
    return at_least(dice, shade, number, open_ended) - more


def beats(mine: int, theirs: int, shade: str = "black") -> Fraction:
    """The chance of a flat pool to have more successes than another."""
    one, other = by_faces(mine, shade), by_faces(theirs, shade)
    return sum((one[a] * other[b] for a in one for b in other if a > b), Fraction(0))


# --- Black dice, and artha on them ------------------------------------------------------------


@cache
def lie(missing: int, sixes: int, traitors: int, fate: int, deeds: int, lucky: bool) -> Fraction:
    """The best chance with dice that lie: let them, roll on for sixes, or reroll what failed."""
    if missing <= 0:
        return Fraction(1)
    ways = [Fraction(0)]
    if fate and not lucky:
        ways.append(roll_on(sixes, missing, traitors, deeds))
    if deeds and traitors:
        ways.append(roll_again(traitors, missing, sixes, 0, fate, lucky))
    return max(ways)


@cache
def roll_on(dice: int, missing: int, traitors: int, deeds: int) -> Fraction:
    """Luck: open-ended dice for the sixes, one after another, then what may still be bought."""
    if missing <= 0:
        return Fraction(1)
    if not dice:
        return lie(missing, 0, traitors, 0, deeds, True)
    failed = Fraction(3, 6) * roll_on(dice - 1, missing, traitors + 1, deeds)
    plain = Fraction(2, 6) * roll_on(dice - 1, missing - 1, traitors, deeds)
    return failed + plain + Fraction(1, 6) * roll_on(dice, missing - 1, traitors, deeds)


@cache
def roll_again(
    dice: int, missing: int, sixes: int, traitors: int, fate: int, lucky: bool
) -> Fraction:
    """Saving Grace: the failed dice again, open-ended if Luck has made the roll so."""
    if missing <= 0:
        return Fraction(1)
    if not dice:
        return lie(missing, sixes, traitors, fate, 0, lucky)
    failed = Fraction(3, 6) * roll_again(dice - 1, missing, sixes, traitors + 1, fate, lucky)
    plain = Fraction(2, 6) * roll_again(dice - 1, missing - 1, sixes, traitors, fate, lucky)
    if lucky:
        six = roll_again(dice, missing - 1, sixes, traitors, fate, lucky)
    else:
        six = roll_again(dice - 1, missing - 1, sixes + 1, traitors, fate, lucky)
    return failed + plain + Fraction(1, 6) * six


@cache
def thrown(dice: int, missing: int, sixes: int, traitors: int, fate: int, deeds: int) -> Fraction:
    """The first throw, one die after another, then the best with what lies."""
    if not dice:
        return lie(missing, sixes, traitors, fate, deeds, False)
    return (
        Fraction(3, 6) * thrown(dice - 1, missing, sixes, traitors + 1, fate, deeds)
        + Fraction(2, 6) * thrown(dice - 1, missing - 1, sixes, traitors, fate, deeds)
        + Fraction(1, 6) * thrown(dice - 1, missing - 1, sixes + 1, traitors, fate, deeds)
    )


def best_chance(exponent: int, ob: int, fate: int, persona: int, deeds: int) -> Fraction:
    """The best of everything: Divine Inspiration or not, each number of persona, then the dice."""
    fate, persona, deeds = min(fate, 1), min(persona, 3), min(deeds, 2)
    return max(
        thrown(exponent * (1 + inspired) + boon, ob, 0, 0, fate, min(1, deeds - inspired))
        for inspired in range(min(1, deeds) + 1)
        for boon in range(persona + 1)
    )
