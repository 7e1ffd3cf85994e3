"""Plain notation for dice, read and (by each expression's `notation`) written.

    pool     5B   3B+2G   4G open   2B open on ones   2B open on harsh ones
             5B: successes   3B: with ones
    die      d8   d5   d100   d6! (explodes once)
    sum      2d6   3d10+5   d6!+d8-d4   1d5-3 floor 0
    each     (d8, d6)
    keep     (d8, d8)kh1   (d8, d8)kl1

A bare die is that die; a die with a number before it, or with anything added, is a
sum. Capitals and spaces do not matter. There are no variables, brackets within sums
or functions: a game builds larger things from the expressions themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn, TypeAlias, TypeVar

from astragal.dice.count import OpenEnded
from astragal.dice.die import SIZES, Die, ExplodeOnce, HalfDie, Percentile
from astragal.dice.pool import Pool, PoolWithOnes, Successes
from astragal.dice.shades import MOST_DICE, Shade, Shaded
from astragal.dice.together import MOST_TOGETHER, Addend, Each, Keep, Part, Sum, Which
from astragal.errors import BadInput

AnyExpression: TypeAlias = (
    Die | ExplodeOnce | HalfDie | Percentile | Each | Keep | Sum | Pool | Successes | PoolWithOnes
)
"""Every expression there is, as a union told apart by the field `kind`.

>>> import msgspec
>>> msgspec.json.decode(b'{"kind":"pool","dice":{"gray":4}}', type=AnyExpression).notation
'4G'
"""

E = TypeVar("E")

_LONGEST = 1000
_OPENINGS = (
    ("open on harsh ones", OpenEnded.HARSH_ONES),
    ("open on ones", OpenEnded.ONES_AND_SIXES),
    ("open", OpenEnded.SIXES),
)


def parse(text: str) -> AnyExpression:
    """Read an expression in plain notation.

    >>> parse("3d10+5").distribution().mean()
    Fraction(43, 2)
    >>> parse("4G open").notation
    '4G open'
    >>> parse("2d6+X")
    Traceback (most recent call last):
    astragal.errors.BadInput: '2d6+X' at position 5: found 'X', expected a die, as in d6
    """
    return _plain(text) or _Reader(text).whole()


_SPOKEN = re.compile(r"\s*(?:([BGW])\s*(\d{1,4})|(\d{1,4})\s*D?)\s*", re.ASCII | re.IGNORECASE)


def number_of_dice(text: str) -> int | None:
    """A number of dice as people say it, or None: ``4``, ``4D``, or as a rating, ``B4``.

    >>> [number_of_dice(each) for each in ("4", "4D", "4d", "B4", "4d6", "four")]
    [4, 4, 4, 4, None, None]
    """
    found = _SPOKEN.fullmatch(text)
    return None if found is None else int(found[2] or found[3])


def spoken_dice(text: str) -> str:
    """Dice as people say them in plain notation: dice without a shade are black.

    >>> [spoken_dice(each) for each in ("4D", "B4", "g3", "3d6+1")]
    ['4B', '4B', '3G', '3d6+1']
    """
    found = _SPOKEN.fullmatch(text)
    return text if found is None else f"{number_of_dice(text)}{(found[1] or 'B').upper()}"


_PLAIN = re.compile(r"([1-9]\d?)?d(10|12|4|6|8)([+-]\d{1,9})?", re.ASCII)
_PLAIN_DICE = {str(sides): Die(sides) for sides in SIZES}


def _plain(text: str) -> Die | Sum | None:
    """Dice of one kind and a modifier, as most texts are, at one glance; None for all else."""
    found = _PLAIN.fullmatch(text)
    if found is None:
        return None
    count, sides, plus = found.groups()
    die = _PLAIN_DICE[sides]
    if count is None and plus is None:
        return die
    return Sum((die,) * int(count or 1), int(plus or 0))


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        if len(text) > _LONGEST:
            raise BadInput("notation", f"{text[:20]}...", f"at most {_LONGEST} characters")

    # ------------------------------------------------------------------ small steps

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        """Name the text, the position and what was expected there."""
        start = self.at if at is None else at
        found = self.text[start:].strip() or "the end"
        raise BadInput(f"{self.text!r} at position {start + 1}", found, expected)

    def take(self, pattern: str) -> str | None:
        """Take what matches here, after any spaces; spaces in the pattern are any spaces."""
        flexible = r"\s*" + pattern.replace(" ", r"\s+")
        match = re.compile(flexible, re.IGNORECASE | re.ASCII).match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0].strip()

    def sees(self, pattern: str) -> bool:
        """Whether the pattern comes next; nothing is taken."""
        before = self.at
        found = self.take(pattern) is not None
        self.at = before
        return found

    def skip_spaces(self) -> None:
        self.take("")

    def count(self, most: int, place: str) -> int | None:
        """Take a number of dice, if one comes next."""
        self.skip_spaces()
        start = self.at
        digits = self.take(r"\d+")
        if digits is None:
            return None
        if len(digits) > len(str(most)) or int(digits) > most:
            self.fail(f"at most {most} {place}", start)
        return int(digits)

    def checked(self, start: int, make: Callable[[], E]) -> E:
        """Make an expression; a refusal of its own is told with the position."""
        try:
            return make()
        except BadInput as refusal:
            raise BadInput(
                f"{self.text!r} at position {start + 1}", refusal.value, refusal.expected
            ) from refusal

    # ------------------------------------------------------------------ the grammar

    def whole(self) -> AnyExpression:
        expression: AnyExpression
        if self.sees(r"\d+\s*[BGW]"):
            expression = self.viewed_pool()
        elif self.sees(r"\("):
            expression = self.group_or_sum()
        else:
            expression = self.sum_or_die()
        self.skip_spaces()
        if self.at < len(self.text):
            self.fail("the end of the notation")
        return expression

    def viewed_pool(self) -> Pool | Successes | PoolWithOnes:
        pool = self.pool()
        self.skip_spaces()
        start = self.at
        if not self.take(":"):
            return pool
        if self.take("successes"):
            return pool.successes()
        if not self.take("with ones"):
            self.fail("'successes' or 'with ones'")
        return self.checked(start, pool.with_ones)

    def pool(self) -> Pool:
        start = self.at
        dice = Shaded()
        while True:
            count = self.count(MOST_DICE, "dice")
            letter = None if count is None else self.take("[BGW]")
            if count is None or letter is None:
                self.fail("dice of a shade, as in 3B or 2G")
            dice += Shaded.of(Shade.parse(letter), count)
            if not self.take(r"\+"):
                break
        for words, kind in _OPENINGS:
            if self.take(words):
                return self.checked(start, lambda: Pool(dice, kind))  # noqa: B023
        return self.checked(start, lambda: Pool(dice))

    def group_or_sum(self) -> Each | Keep | Sum:
        """An `Each`, or a `Keep` with whatever is added to it."""
        start = self.at
        group = self.group()
        if not self.sees(r"k"):
            return group
        self.at = start
        kept = self.sum_or_die()
        assert isinstance(kept, Keep | Sum)  # what begins with a group that is kept
        return kept

    def group(self) -> Each:
        start = self.at
        if not self.take(r"\("):
            self.fail("dice in brackets, as in (d8, d6)")
        parts: list[Part] = [self.sum_or_die()]
        while self.take(","):
            parts.append(self.sum_or_die())
        if not self.take(r"\)"):
            self.fail("',' or ')'")
        return self.checked(start, lambda: Each(tuple(parts)))

    def sum_or_die(self) -> Part:
        self.skip_spaces()
        start = self.at
        added: list[Addend] = []
        taken: list[Addend] = []
        plus, terms = 0, 0
        plain = True  # so far nothing but one bare die
        sign = self.take("[+-]")
        while True:
            count = self.count(10**9, "in a modifier")
            if count is None or self.sees(r"[d(]"):
                plain = plain and count is None and sign is None and not terms
                if count is not None and not 1 <= count <= MOST_TOGETHER:
                    self.fail(f"1 to {MOST_TOGETHER} dice", start)
                atom = self.addend()
                (taken if sign == "-" else added).extend([atom] * (1 if count is None else count))
            else:
                plain = False
                plus += -count if sign == "-" else count
            terms += 1
            sign = self.take("[+-]")
            if sign is None:
                break
            plain = False
        if not added and not taken:
            self.fail("a die, as in d6", start)
        floor = self.floor()
        if plain and floor is None:
            return added[0]
        return self.checked(start, lambda: Sum(tuple(added), plus, floor, tuple(taken)))

    def floor(self) -> int | None:
        if not self.take("floor"):
            return None
        sign = self.take("-")
        number = self.count(10**9, "as a floor")
        if number is None:
            self.fail("a whole number")
        return -number if sign else number

    def addend(self) -> Addend:
        self.skip_spaces()
        start = self.at
        if self.sees(r"\("):
            dice = self.group()
            which = self.take("k[hl]")
            count = None if which is None else self.count(MOST_TOGETHER, "dice kept")
            if which is None or count is None:
                self.fail("kh or kl and a number, as in (d8, d6)kh1")
            kind = Which.HIGHEST if which[-1] in "hH" else Which.LOWEST
            return self.checked(start, lambda: Keep(dice, kind, count))
        if not self.take("d"):
            self.fail("a die, as in d6")
        start = self.at
        sides = self.take(r"\d+") or ""
        if sides == "100":
            return Percentile()
        if sides == "5":
            return HalfDie()
        if sides not in map(str, SIZES):
            self.fail("one of d4, d5, d6, d8, d10, d12 and d100", start)
        die = Die(int(sides))
        return ExplodeOnce(die) if self.take("!") else die
