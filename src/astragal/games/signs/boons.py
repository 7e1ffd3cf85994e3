"""Boons and Banes: granting and imposing them, when they count, using them up, their time limits.

Both live on the sheet. A Boon is the player's to use (signs.boon.effect); a Bane is not
(signs.bane.effect). Using a Boon after the dice are seen is part of the roll and stands in
:mod:`~astragal.games.signs.rolling`.
"""

from __future__ import annotations

from typing import TypeVar

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Option, PickSeveral, Play, Seat, Step, ask, choose, note

from .scene import SignsTable, same_words
from .sheet import NOTHING, Bane, Boon, Influence, Sheet, is_name

I = TypeVar("I", bound=Influence)  # noqa: E741  # an Influence: a Boon or a Bane


# --- Which ones count for a roll -----------------------------------------------------------


def in_question(held: tuple[I, ...], *, every_one: bool) -> tuple[I, ...]:
    """Those that can count on a roll.

    Boons and Banes go for Tests (signs.boon_bane.tests_only); for another roll only those
    that the GM gave for other rolls as well (signs.boon_bane.other_rolls).
    """
    return tuple(each for each in held if every_one or each.other_rolls)


def whose_conditions_hold(
    key: str, held: tuple[I, ...], circumstances: tuple[str, ...], because: str
) -> Step[tuple[I, ...]]:
    """Those without conditions, and those whose conditions the GM says hold now.

    The others wait (signs.amb.many_banes). What was said about the circumstances is the GM's
    default.
    """
    tied = [each for each in held if each.condition]
    if not tied:
        return held
    options = tuple(
        Option(key=each.name, label=f"{each.name}: {each.condition}", rule=because) for each in tied
    )
    hold = tuple(
        each.name
        for each in tied
        if any(same_words(each.condition, circumstance) for circumstance in circumstances)
    )
    met = yield from ask(
        GM,
        key,
        "Which of these conditions apply?",
        PickSeveral(options=options, default=hold),
        because=because,
    )
    return tuple(each for each in held if not each.condition or each.name in met)


def banes_now(
    sheet: Sheet, circumstances: tuple[str, ...], *, every_one: bool
) -> Step[tuple[Bane, ...]]:
    """The Banes that count: all at once, and nobody is asked about it.

    signs.bane.effect, signs.amb.many_banes; a Bane with conditions counts only under them
    (signs.bane.limits).
    """
    banes = in_question(sheet.banes, every_one=every_one)
    return (
        yield from whose_conditions_hold(
            "bane_conditions", banes, circumstances, "signs.bane.limits"
        )
    )


def boons_now(
    sheet: Sheet, circumstances: tuple[str, ...], *, every_one: bool
) -> Step[tuple[Boon, ...]]:
    """The Boons that may be used: those with conditions only when they hold.

    signs.boon.conditions.
    """
    boons = in_question(sheet.boons, every_one=every_one)
    return (
        yield from whose_conditions_hold(
            "boon_conditions", boons, circumstances, "signs.boon.conditions"
        )
    )


def bane_lines(banes: tuple[Bane, ...]) -> tuple[Line, ...]:
    """One Disadvantage for each (signs.bane.effect)."""
    return tuple(Line(-1, f"Bane: {bane.name}", "signs.bane.effect") for bane in banes)


def boon_before(seat: Seat, boons: tuple[Boon, ...]) -> Step[Boon | None]:
    """Offer one Boon, and no more, before the roll (signs.boon.effect, signs.boon.one_per_test)."""
    if not boons:
        return None
    options = tuple(Option(key=b.name, label=b.name, rule="signs.boon.effect") for b in boons)
    chosen = yield from choose(
        seat,
        "boon",
        "Use a Boon for an Advantage?",
        (KEEP, *options),
        default=KEEP.key,
        because="signs.boon.effect",
    )
    return next((boon for boon in boons if boon.name == chosen), None)


KEEP = Option(key=NOTHING, label="Use none", rule="signs.boon.effect")


def boon_line(boon: Boon) -> Line:
    """The Advantage that a Boon stores (signs.boon.effect)."""
    return Line(1, f"Boon: {boon.name}", "signs.boon.effect")


def use_up(
    table: SignsTable, character: str, boon: str, banes: tuple[str, ...]
) -> Step[SignsTable]:
    """The dice were rolled: the Boon that was used is gone, and so is every Bane that counted.

    signs.boon.effect, signs.bane.effect; a Bane is gone even if an Advantage cancelled it.
    """
    sheet = table.character(character)
    left = tuple(each for each in sheet.boons if each.name != boon)
    table = yield from table.amend(character, "boons", left, because="signs.boon.effect")
    borne = tuple(each for each in sheet.banes if each.name not in banes)
    return (yield from table.amend(character, "banes", borne, because="signs.bane.effect"))


# --- Getting and losing them ---------------------------------------------------------------


class Grant(Arguments, frozen=True):
    """Who gets the Boon or Bane, its name, and any limits the GM sets."""

    character: str
    name: str
    condition: str = ""
    until: str = ""
    other_rolls: bool = False


class GrantOutcome(Outcome, frozen=True):
    """The Boon or Bane as it now stands on the sheet."""

    name: str


def grant_boon(arguments: Grant, table: SignsTable) -> Play[GrantOutcome]:
    """The GM grants a player character a Boon (signs.boon.grant).

    It may have conditions (signs.boon.conditions) and a time limit (signs.boon.expiry).
    """
    name = _fit_for(
        arguments, table, "signs.boon.grant", table.character(arguments.character).boons
    )
    boon = Boon(name, arguments.condition.strip(), arguments.until.strip(), arguments.other_rolls)
    boons = (*table.character(arguments.character).boons, boon)
    yield from table.amend(arguments.character, "boons", boons, because="signs.boon.grant")
    yield from _told(table, arguments.character, "gains the Boon", boon, "signs.boon.grant")
    return GrantOutcome(name)


def impose_bane(arguments: Grant, table: SignsTable) -> Play[GrantOutcome]:
    """The GM imposes a Bane on a player character (signs.bane.impose).

    It may have conditions and a time limit (signs.bane.limits).
    """
    granted, _ = yield from impose(arguments, table)
    return granted


def impose(arguments: Grant, table: SignsTable) -> Step[tuple[GrantOutcome, SignsTable]]:
    """Impose a Bane, by itself or as what a failed Test costs, and the table after it."""
    name = _fit_for(
        arguments, table, "signs.bane.impose", table.character(arguments.character).banes
    )
    bane = Bane(name, arguments.condition.strip(), arguments.until.strip(), arguments.other_rolls)
    banes = (*table.character(arguments.character).banes, bane)
    because = "signs.bane.impose"
    table = yield from table.amend(arguments.character, "banes", banes, because=because)
    yield from _told(table, arguments.character, "suffers the Bane", bane, because)
    return GrantOutcome(name), table


def _may_get(character: str, table: SignsTable) -> None:
    sheet = table.character(character)
    if sheet.npc:
        what = f"Only player characters get Boons and Banes, and {sheet.name} is not one"
        raise NotAllowed(what, "signs.amb.npc_tests")


def _fit_for(arguments: Grant, table: SignsTable, rule: str, held: tuple[Influence, ...]) -> str:
    """The name it gets, one of its own; only player characters get any (signs.amb.npc_tests)."""
    _may_get(arguments.character, table)
    name = arguments.name.strip()
    if not is_name(name):
        raise BadInput("name", arguments.name, "a name for it", rule)
    taken = {each.name.casefold() for each in held}
    fresh, number = name, 1
    while fresh.casefold() in taken:
        number += 1
        fresh = f"{name} ({number})"
    return fresh


def _told(
    table: SignsTable, character: str, what: str, influence: Influence, rule: str
) -> Step[None]:
    text = f"{table.character(character).name} {what} “{influence.name}”"
    text += f" (when: {influence.condition})" if influence.condition else ""
    text += f", until {influence.until}" if influence.until else ""
    yield from note(f"{text}.", rule)


def lapse(table: SignsTable, reached: str) -> Step[tuple[SignsTable, tuple[str, ...]]]:
    """Everything given until this moment lapses; what has no time limit stays.

    signs.boon.expiry, signs.bane.limits.
    """
    lapsed: tuple[str, ...] = ()
    for character in table.characters:
        for group, because in (("boons", "signs.boon.expiry"), ("banes", "signs.bane.limits")):
            held: tuple[Influence, ...] = getattr(table.character(character), group)
            gone = tuple(e for e in held if e.until and same_words(e.until, reached))
            left = tuple(each for each in held if each not in gone)
            table = yield from table.amend(character, group, left, because=because)
            for each in gone:
                name = table.character(character).name
                yield from note(f"“{each.name}” lapses for {name}.", because)
            lapsed += tuple(f"{character}: {each.name}" for each in gone)
    return table, lapsed


class TimePasses(Arguments, frozen=True):
    """The moment reached, in the words of the time limit, such as dawn or session."""

    reached: str


class LapseOutcome(Outcome, frozen=True):
    """What lapsed, and whose it was."""

    lapsed: tuple[str, ...]


def time_passes(arguments: TimePasses, table: SignsTable) -> Play[LapseOutcome]:
    """A moment has come: Boons and Banes given until then lapse.

    signs.boon.expiry, signs.bane.limits.
    """
    if not arguments.reached.strip():
        expected = "the moment reached, such as dawn or session"
        raise BadInput("reached", arguments.reached, expected, "signs.boon.expiry")
    _, lapsed = yield from lapse(table, arguments.reached)
    return LapseOutcome(lapsed)


PROCEDURES = (
    Procedure(
        "grant_boon", "Grant a Boon", Grant, grant_boon, gm_only=True, frequent=6, check=_may_get
    ),
    Procedure("impose_bane", "Impose a Bane", Grant, impose_bane, gm_only=True, check=_may_get),
    Procedure(
        "time_passes", "Time passes", TimePasses, time_passes, gm_only=True, touches_all=True
    ),
)
