"""Let it Ride: one roll stands until conditions change (tests.let_it_ride.one_roll).

Each result is kept in the scene under its character, ability and intent. While it is there,
nobody can have that test rolled again, neither a player who failed nor a GM who wants another
roll (tests.let_it_ride.binds_both, tests.let_it_ride.not_negotiable). The rolls inside a
scripted conflict do not ride (tests.amb.ride_in_extended_conflict).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, consent, note

from ..sheet.rides import Ride, same_words
from ..sheet.scene import BurningTable
from ..sheet.words import as_sentence, counted, sentences

MOST_NAMED = 12
"""How many results are named to somebody who has named one that is not there."""


def same_intent(one: str, other: str) -> bool:
    """Whether two intents are the same words, however they were typed."""
    return same_words(one) == same_words(other)


def riding(table: BurningTable, character: str, ability: str, intent: str) -> Ride | None:
    """The result that already rides for this, if there is one; the latest of several.

    There are several only where the intents were said at the table and not written down.
    """
    return table.scene.results.latest(character, ability, intent)


def check_no_ride(
    table: BurningTable, character: str, ability: str, intent: str
) -> Step[BurningTable]:
    """Refuse a second roll unless the GM says openly what changed drastically.

    That binds the GM and the players alike (tests.let_it_ride.binds_both). A failure stands as
    well, even without any successes (tests.let_it_ride.failure_stands).
    """
    standing = riding(table, character, ability, intent)
    if standing is None:
        return table
    sheet = table.character(character)
    rolled = f"{sheet.name} already rolled {ability}"
    result = counted(standing.successes, "success")
    if not intent.strip() and (yield from _is_another(f"{rolled} ({result})")):
        return table
    record = f"Let it Ride: {rolled} for this intent ({result})"
    changed = yield from ask(
        GM,
        "conditions_changed",
        f"{record}. Which conditions have drastically changed? (empty: none)",
        Text(default=""),
        because="tests.let_it_ride.one_roll",
    )
    if not changed:
        what = f"{record}. Roll again only if the GM says what has drastically changed"
        raise NotAllowed(what, "tests.let_it_ride.one_roll")
    # The player may refuse a retest that nothing calls for (tests.let_it_ride.not_negotiable).
    agrees = yield from consent(
        sheet.seat(character),
        "accept_retest",
        f"{record}. The GM says this has changed: {changed}. Roll again?",
        because="tests.let_it_ride.not_negotiable",
    )
    if not agrees:
        what = f"{record}. The player declines a second roll for: {changed}"
        raise NotAllowed(what, "tests.let_it_ride.not_negotiable")
    anew = sentences(
        as_sentence(f"Conditions have changed: {changed}"), f"{ability} may be rolled again."
    )
    yield from note(anew, "tests.amb.ride_extent")
    return (yield from _end(table, standing))


def _is_another(record: str) -> Step[bool]:
    """Whether an intent that nobody wrote down is another than before; the GM heard both."""
    prompt = f"{record}. Is this another intent?"
    return (yield from consent(GM, "new_intent", prompt, because="tests.let_it_ride.one_roll"))


def _end(table: BurningTable, ride: Ride) -> Step[BurningTable]:
    rides = table.scene.results.without(ride)
    return (yield from table.amend(SCENE, "rides", rides, because="tests.amb.ride_extent"))


def let_it_ride(table: BurningTable, new: Ride) -> Step[BurningTable]:
    """Keep a result (tests.let_it_ride.successes_carry)."""
    rides = table.scene.results.grown(new)
    return (yield from table.amend(SCENE, "rides", rides, because="tests.let_it_ride.one_roll"))


def _standing(table: BurningTable, arguments: RideReference) -> Ride:
    ride = riding(table, arguments.character, arguments.ability, arguments.intent)
    if ride is None:
        kept = "; ".join(_named(ride) for ride in table.scene.rides[-MOST_NAMED:])
        which = "the latest are " if len(table.scene.rides) > MOST_NAMED else ""
        expected = f"a result that rides ({which}{kept or 'there is none'})"
        raise BadInput("intent", arguments.intent, expected, "tests.amb.ride_extent")
    return ride


def _named(ride: Ride) -> str:
    intent = repr(ride.intent) if ride.intent else "said at the table"
    return f"{ride.character}, {ride.ability}, {intent}"


# --- Procedures ----------------------------------------------------------------------------


class RideReference(Arguments, frozen=True):
    """Which result: the character, the ability and the intent of the roll."""

    character: str
    ability: str
    intent: str = ""


class HarderLater(RideReference, frozen=True, kw_only=True):
    """Which result, and the new obstacle it has to meet."""

    obstacle: int


class RideComparison(Outcome, frozen=True):
    """What a kept result comes to against another obstacle."""

    successes: int
    obstacle: int
    passed: bool
    margin: int


def harder_later(arguments: HarderLater, table: BurningTable) -> Play[RideComparison]:
    """Another obstacle within the same intent: compare, without a roll.

    tests.let_it_ride.harder_later, tests.let_it_ride.successes_carry. The successes of a failed
    test are good for something less, too (extended_example.let_it_ride.partial_information).
    """
    if arguments.obstacle < 1:
        raise BadInput("obstacle", arguments.obstacle, "1 or more", "tests.obstacle.scale")
    ride = _standing(table, arguments)
    margin = ride.successes - arguments.obstacle
    verdict = "enough" if margin >= 0 else "too few"
    text = (
        f"{ride.ability} rides with {counted(ride.successes, 'success')}: "
        f"{verdict} for Ob {arguments.obstacle}."
    )
    because = "tests.let_it_ride.harder_later"
    if not ride.passed:  # it is good for something less, and has failed all the same
        yield from note(text, "extended_example.let_it_ride.partial_information")
        return RideComparison(ride.successes, arguments.obstacle, margin >= 0, margin)
    yield from note(text, because)
    path = f"rides.{table.scene.rides.index(ride)}.passed"
    yield from table.amend(SCENE, path, margin >= 0, because=because)
    return RideComparison(ride.successes, arguments.obstacle, margin >= 0, margin)


class RideEnd(Outcome, frozen=True):
    """A result that no longer rides."""

    ride: Ride


def settle_intent(arguments: RideReference, table: BurningTable) -> Play[RideEnd]:
    """The intent is settled, or conditions have changed: the result no longer rides.

    tests.amb.ride_extent.
    """
    ride = _standing(table, arguments)
    reason = yield from ask(
        GM,
        "reason",
        f"Why does {ride.ability} no longer ride?",
        Text(default=""),
        because="tests.amb.ride_extent",
    )
    what = f"{ride.ability} ({ride.intent})" if ride.intent else ride.ability
    text = as_sentence(f"{what} no longer rides{f': {reason}' if reason else ''}")
    yield from note(text, "tests.amb.ride_extent")
    yield from _end(table, ride)
    return RideEnd(ride)


class RideStage(Outcome, frozen=True):
    """One stage of the results of a test."""

    number: int
    of: int
    successes: int


def next_portion(arguments: RideReference, table: BurningTable) -> Play[RideStage]:
    """Come back to a test with several stages: the next results, without another roll.

    tests.time.break_up_leave_and_return.
    """
    ride = _standing(table, arguments)
    if ride.handed_out >= ride.portions:
        raise NotAllowed(
            f"All {counted(ride.portions, 'stage')} of {ride.ability} have been revealed",
            "tests.time.break_up_results",
        )
    number = ride.handed_out + 1
    path = f"rides.{table.scene.rides.index(ride)}.handed_out"
    yield from table.amend(SCENE, path, number, because="tests.time.break_up_leave_and_return")
    yield from note(
        f"{ride.ability}: stage {number} of {ride.portions}.", "tests.time.break_up_results"
    )
    return RideStage(number, ride.portions, ride.successes)


PROCEDURES = (
    Procedure("harder_later", "Let it Ride: new obstacle", HarderLater, harder_later, gm_only=True),
    Procedure(
        "settle_intent", "Let it Ride: end a result", RideReference, settle_intent, gm_only=True
    ),
    Procedure("next_portion", "Reveal the next stage of a result", RideReference, next_portion),
)
