"""Modifiers: the difficulty of the task, the circumstances, and the limit on their sum.

They are all settled before the roll, and added into one final modifier
(percentile.core.modifiers, percentile.difficulty.combine).
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from astragal.errors import BadInput
from astragal.play import GM, Line, Number, Option, PickSeveral, Step, Tally, ask, choose
from astragal.rules import catalogue

from .sheet import near

LIMIT = 60
"""No final modifier is better than +60 or worse than -60 (percentile.difficulty.cap)."""

DEFAULT = "Challenging"
"""Where a test begins if nobody says how hard it is (percentile.difficulty.default)."""

LARGEST_PART = 1000
"""The limit is on the sum, not on its parts; a larger part can only be a typing mistake."""


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A circumstance and what it is worth, for or against."""

    label: str
    amount: int


# --- Difficulty ----------------------------------------------------------------------------


@cache
def difficulties() -> dict[str, int]:
    """The ladder from Trivial to Hellish, each with its modifier.

    >>> difficulties()["Hard"]
    -20
    """
    rows = catalogue().table("percentile.table.difficulty").records()
    return {str(row["difficulty"]): row.number("modifier") for row in rows}


def parse_difficulty(text: str, place: str = "difficulty") -> str:
    """A difficulty by its name, whatever the capitals."""
    wanted = " ".join(text.split()).casefold()
    for name in difficulties():
        if name.casefold() == wanted:
            return name
    expected = f"one of {near(text.title(), list(difficulties()))}"
    raise BadInput(place, text, expected, "percentile.difficulty.gm")


def difficulty(stated: str, what: str) -> Step[Line]:
    """How hard it is: as the rules state, or as the GM sets it from the ladder.

    percentile.difficulty.gm; with nothing said it is Challenging (percentile.difficulty.default).
    """
    if stated:
        name = parse_difficulty(stated)
        return Line(difficulties()[name], name, "percentile.difficulty.gm")
    options = tuple(
        Option(key=name, label=f"{name} ({amount:+d})", rule="percentile.difficulty.gm")
        for name, amount in difficulties().items()
    )
    name = yield from choose(
        GM,
        "difficulty",
        f"Difficulty ({what})",
        options,
        default=DEFAULT,
        because="percentile.difficulty.gm",
    )
    rule = "percentile.difficulty.default" if name == DEFAULT else "percentile.difficulty.gm"
    return Line(difficulties()[name], name, rule)


# --- Circumstances -------------------------------------------------------------------------

_WITH_AMOUNT = re.compile(r"(.*\S)\s*([+\-\u2013])\s*(\d{1,4})", re.ASCII | re.DOTALL)


def circumstances(declared: tuple[Modifier, ...], what: str) -> Step[tuple[Line, ...]]:
    """The GM names everything that helps or hinders (percentile.core.modifiers).

    What was brought up already is on offer; the GM may strike it and write in more, as in
    "smoke -20". For words without a number the GM is asked what they are worth.
    """
    brought = {}
    for index, each in enumerate(declared):
        label = each.label.strip()
        if not label or label in brought:
            raise BadInput(
                f"modifiers[{index}].label", each.label, "a few words, different for each modifier"
            )
        if abs(each.amount) > LARGEST_PART:
            expected = f"-{LARGEST_PART} to {LARGEST_PART}"
            raise BadInput(f"modifiers[{index}].amount", each.amount, expected)
        brought[label] = each.amount
    rule = "percentile.core.modifiers"
    options = tuple(
        Option(key=label, label=f"{label} ({amount:+d})", rule=rule)
        for label, amount in brought.items()
    )
    named = yield from ask(
        GM,
        "modifiers",
        f"Modifiers ({what})",
        PickSeveral(options=options, write_in=True, default=tuple(brought)),
        because=rule,
    )
    lines: tuple[Line, ...] = ()
    for words in named:
        label, amount = words, brought.get(words)
        match = None if amount is not None else _WITH_AMOUNT.fullmatch(words.strip())
        if match is not None:
            label, amount = match[1], int(match[3]) * (1 if match[2] == "+" else -1)
        elif amount is None:
            amount = yield from ask(
                GM,
                "worth",
                f"Modifier for {words}",
                Number(least=-LARGEST_PART, most=LARGEST_PART),
                because=rule,
            )
        lines += (Line(amount, label, rule),)
    return lines


# --- The sum -------------------------------------------------------------------------------


def final_modifier(lines: tuple[Line, ...]) -> Tally:
    """All modifiers in one sum, held within the limit from whatever sources they come.

    percentile.difficulty.combine, percentile.difficulty.cap. Assistance and the lack of training
    are inside it (percentile.amb.assist_cap, percentile.amb.untrained_in_cap).

    >>> final_modifier((Line(40, "Simple", ""), Line(40, "gift", ""), Line(-10, "crowd", ""))).total
    60
    """
    every = Tally(lines)
    held = max(-LIMIT, min(LIMIT, every.total))
    if held == every.total:
        return every
    label = f"limit of {LIMIT if held > 0 else -LIMIT:+d}"
    return every + Line(held - every.total, label, "percentile.difficulty.cap")
