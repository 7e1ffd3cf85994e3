"""The game's dice: d10, d5 and d100 rolls, fixed modifiers, and re-rolls.

All of them are thrown with ten-sided dice (percentile.dice.only_d10). What a d100 means in a
test is in :mod:`~astragal.games.percentile.tests`.
"""

from __future__ import annotations

import re
from enum import Enum

import msgspec

from astragal.dice import Die, Expression, HalfDie, Percentile, Sum
from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Option,
    PickSeveral,
    Play,
    Seat,
    Step,
    ask,
    call,
    choose,
    note,
    roll,
    tell,
    then,
)
from astragal.rules import catalogue

from .degrees import is_success
from .facts import DiceShown
from .scene import PercentileTable

MOST_DICE = 100
"""More dice in one roll can only be a typing mistake."""

LARGEST_PLUS = 10_000
"""A larger fixed modifier can only be a typing mistake."""


class DieKind(Enum):
    """The three kinds of roll (percentile.dice.only_d10)."""

    D10 = "10"
    D5 = "5"
    D100 = "100"


class Notation(msgspec.Struct, frozen=True):
    """A roll as the rules write it: how many dice of which kind, and a fixed modifier."""

    count: int
    kind: DieKind
    plus: int = 0

    def __str__(self) -> str:
        """As it is written: 3d10, 1d5-3, d100."""
        number = "" if self.kind is DieKind.D100 else str(self.count)
        return f"{number}d{self.kind.value}" + (f"{self.plus:+d}" if self.plus else "")

    @property
    def faces(self) -> int:
        """How many ten-sided dice are thrown for it; a d100 takes two (percentile.dice.d100)."""
        return 2 if self.kind is DieKind.D100 else self.count

    def expression(self, floor: int | None) -> Expression[int]:
        """The dice to throw: the modifier goes on their total, and a floor comes last.

        percentile.dice.d10, percentile.dice.d5, percentile.dice.fixed_modifier,
        percentile.dice.floor_zero. A d100 by itself is never below 1.
        """
        if self.kind is DieKind.D100:
            dice = Percentile()
            return Sum((dice,), self.plus, floor) if self.plus else dice
        die = Die(10) if self.kind is DieKind.D10 else HalfDie()
        return Sum((die,) * self.count, self.plus, floor)


_NOTATION = re.compile(r"(\d{0,3})[dD](100|10|5)(?:([+\-\u2013])(\d{1,5}))?", re.ASCII)


def parse_dice(text: str, place: str = "dice") -> Notation:
    """Read a roll as the rules write it; with no number before the d there is one die.

    >>> str(parse_dice("3d10")), str(parse_dice("d10+5")), str(parse_dice("1d5-1"))
    ('3d10', '1d10+5', '1d5-1')
    """
    match = _NOTATION.fullmatch("".join(text.split()))
    expected = "ten-sided dice, as in 3d10, 2d10+5, 1d5-1 or d100"
    if match is None:
        raise BadInput(place, text, expected, "percentile.dice.only_d10")
    count, kind = int(match[1] or 1), DieKind(match[2])  # percentile.dice.d10: none written is one
    plus = int(match[4] or 0) * (1 if match[3] == "+" else -1)
    if not 1 <= count <= MOST_DICE or abs(plus) > LARGEST_PLUS:
        raise BadInput(place, text, f"1 to {MOST_DICE} dice, and a modifier up to {LARGEST_PLUS}")
    if kind is DieKind.D100 and count > 1:
        raise BadInput(place, text, "a single d100", "percentile.dice.d100")
    return Notation(count, kind, plus)


# --- Throwing, and throwing again ----------------------------------------------------------

KEEP = Option(key="keep", label="Keep the result", rule="percentile.dice.reroll")


def granted(rerolls: tuple[str, ...]) -> Step[tuple[str, ...]]:
    """Only a special rule allows a re-roll; the GM says which of those named apply.

    percentile.dice.reroll.
    """
    if not rerolls:
        return ()
    names = tuple(name.strip() for name in rerolls)
    if not all(names) or len(set(names)) < len(names) or KEEP.key in names:
        raise BadInput(
            "rerolls",
            list(rerolls),
            "names of special rules, without repeats",
            "percentile.amb.reroll_twice",
        )
    return (
        yield from ask(
            GM,
            "allow_rerolls",
            "Which of these special rules allow a re-roll?",
            PickSeveral(options=tuple(_reroll(name) for name in names), default=names),
            because="percentile.dice.reroll",
            kind="consent",
        )
    )


def _reroll(rule: str) -> Option:
    return Option(key=rule, label=f"Re-roll: {rule}", rule="percentile.dice.reroll", cost="one use")


def thrown(
    dice: Expression[int],
    label: str,
    seat: Seat,
    rerolls: tuple[str, ...],
    target: int | None = None,
) -> Step[int]:
    """Throw dice; the roller may then throw again, once for each special rule that allows it.

    Who has made a test with that ``target`` is not kept waiting for it.
    """
    if rerolls:
        return (yield from call(throw, dice, label, seat, rerolls, target))
    return (yield from roll(dice, label, seat))


def throw(
    dice: Expression[int], label: str, seat: Seat, rerolls: tuple[str, ...], target: int | None
) -> Play[int]:
    """One throw, and whatever is made of it while a re-roll is left."""
    value = yield from roll(dice, label, seat)
    if not rerolls:
        return value
    return then(seen, value, dice, label, seat, rerolls, target)


def seen(
    value: int,
    dice: Expression[int],
    label: str,
    seat: Seat,
    rerolls: tuple[str, ...],
    target: int | None,
) -> Play[int]:
    """The result is known: keep it, or roll again and take what comes.

    percentile.dice.reroll: the new result replaces the old, better or worse. A re-roll is not
    itself re-rolled unless a second special rule allows it (percentile.amb.reroll_twice).
    """
    yield from tell(DiceShown(label, value))
    choice = yield from choose(
        seat,
        "reroll",
        f"{label}: {value}. Re-roll? The new result replaces it.",
        (KEEP, *map(_reroll, rerolls)),
        default=KEEP.key,
        because="percentile.dice.reroll",
        kind="offered" if target is None or not is_success(value, target) else "aside",
    )
    if choice == KEEP.key:
        return value
    left = tuple(rule for rule in rerolls if rule != choice)
    return then(throw, dice, label, seat, left, target)


# --- Procedures ----------------------------------------------------------------------------


class RollDice(Arguments, frozen=True):
    """Dice to roll for a value.

    ``rerolls`` names the special rules that allow a re-roll, ``below_zero`` the rule that allows
    a negative result, if there is one. ``tens`` and ``ones`` are the names of the two
    dice of a d100.
    """

    dice: str
    purpose: str = ""
    character: str = ""
    rerolls: tuple[str, ...] = ()
    below_zero: str = ""
    tens: str = "the first die"
    ones: str = "the second die"


class Total(Outcome, frozen=True):
    """What a roll for a value came to."""

    dice: str
    total: int


def roll_dice(arguments: RollDice, table: PercentileTable) -> Play[Total]:
    """Roll d10s, d5s or a d100 for a value, with a fixed modifier where one is written.

    A result below 0 counts as 0 unless a rule says otherwise (percentile.dice.floor_zero).
    """
    notation = parse_dice(arguments.dice)
    seat, who = GM, ""
    if arguments.character:
        sheet = table.character(arguments.character)
        seat, who = sheet.seat(arguments.character), f"{sheet.name}, "
    rerolls = yield from granted(arguments.rerolls)
    if notation.kind is DieKind.D100:
        yield from name_the_dice(arguments.tens, arguments.ones)
    floor = None if arguments.below_zero.strip() else 0
    label = f"{who}{arguments.purpose.strip() or notation}"
    total = yield from thrown(notation.expression(floor), label, seat, rerolls)
    yield from note(f"{label}: {notation} is {total}.", "percentile.dice.fixed_modifier")
    return Total(str(notation), total)


def name_the_dice(tens: str, ones: str) -> Step[None]:
    """Say before the roll which die is which (percentile.dice.d100)."""
    if not tens.strip() or not ones.strip() or tens.strip() == ones.strip():
        raise BadInput("ones", ones, "a different die from the tens die", "percentile.dice.d100")
    text = f"{tens.strip()} gives the tens digit, {ones.strip()} the ones digit."
    yield from note(text[:1].upper() + text[1:], "percentile.dice.d100")


class ReadDice(Arguments, frozen=True):
    """Digits read off real dice; a printed 0 may be given as 0 or 10."""

    dice: str
    digits: tuple[int, ...]
    below_zero: str = ""


class DiceReading(Outcome, frozen=True):
    """What real dice come to: each of them, and the result."""

    each: tuple[int, ...]
    total: int


def read_dice(arguments: ReadDice, table: PercentileTable) -> Play[DiceReading]:  # noqa: ARG001
    """Read dice that were rolled by hand.

    percentile.amb.d10_zero: 0 is ten for d10 and d5, and the digit 0 for a d100.
    """
    notation = parse_dice(arguments.dice)
    if len(arguments.digits) != notation.faces:
        expected = f"{notation.faces} digits for {notation}"
        raise BadInput("digits", list(arguments.digits), expected, "percentile.dice.only_d10")
    for index, digit in enumerate(arguments.digits):
        if not 0 <= digit <= 10:
            raise BadInput(f"digits[{index}]", digit, "a digit of a ten-sided die, 0 to 10")
    if notation.kind is DieKind.D100:
        each = tuple(digit % 10 for digit in arguments.digits)
        shown = each[0] * 10 + each[1] or 100  # percentile.dice.d100: two 0s are 100
    else:
        faces = [digit or 10 for digit in arguments.digits]
        each = tuple(d5(face) for face in faces) if notation.kind is DieKind.D5 else tuple(faces)
        shown = sum(each)
    total = shown + notation.plus
    parts = (shown,) if notation.kind is DieKind.D100 else each
    text = " + ".join(map(str, parts))
    if notation.plus:
        text += f" {'+' if notation.plus > 0 else '-'} {abs(notation.plus)}"
    if len(parts) > 1 or notation.plus:
        text += f" = {total}"
    if total < 0 and not arguments.below_zero.strip():
        total = 0  # percentile.dice.floor_zero
        text += ", which counts as 0"
    yield from note(f"{notation}: {text}.", "percentile.dice.fixed_modifier")
    return DiceReading(each, total)


def d5(face: int) -> int:
    """A ten-sided die read as a d5: half of it, rounded up (percentile.dice.d5).

    >>> [d5(face) for face in (1, 2, 7, 10)]
    [1, 1, 4, 5]
    """
    return catalogue().table("percentile.table.d5").number("d5_result", d10_face=face)


PROCEDURES = (
    Procedure("roll_dice", "Roll dice for a value", RollDice, roll_dice, frequent=4),
    Procedure("read_dice", "Read real dice", ReadDice, read_dice),
)
