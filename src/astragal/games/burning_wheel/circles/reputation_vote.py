"""New reputations, and greater ones, by vote when a scenario ends.

A section of the chapter on Circles; the vote is the one for traits
(``beliefs/trait_vote``).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_one_of
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Ask, Option, PickOne, Play, Seat, Step, ask_all, note
from astragal.rules import catalogue

from ..beliefs.trait_vote import Vote, VoteCount, carries, counted, electorate
from ..sheet.parts import SocialStanding
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .losing_standing import find_standing, set_standing


class Nomination(Arguments, frozen=True):
    """A reputation proposed for a character: a new one of some dice, or one more die."""

    character: str
    reputation: str
    by: Seat = GM
    dice: int = 1
    raises: bool = False
    scope: str = ""
    infamous: bool = False


class ReputationVote(Arguments, frozen=True):
    """A scenario has ended: who took part, and which reputations are proposed."""

    scenario: str
    participants: tuple[str, ...]
    nominations: tuple[Nomination, ...]


class ReputationVoteOutcome(Outcome, frozen=True):
    """What was granted, and what was not; and the votes."""

    granted: tuple[tuple[str, str, int], ...]
    rejected: tuple[tuple[str, str], ...]
    votes: tuple[VoteCount, ...] = ()


def reputation_vote(arguments: ReputationVote, table: BurningTable) -> Play[ReputationVoteOutcome]:
    """Anyone at the table may propose one; the vote is as for traits, and must be unanimous.

    circles.reputation.new_by_vote, circles.reputation.advance,
    circles.amb.new_reputation_default. Everybody is discussed before anybody votes.
    """
    _check_vote(arguments, table)
    voters = electorate(arguments.participants, table)
    granted: tuple[tuple[str, str, int], ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    counts: tuple[VoteCount, ...] = ()
    for nomination in arguments.nominations:
        passed, count = yield from _vote(nomination, voters, table)
        counts += (count,)
        if passed:
            table, dice = yield from _grant(nomination, arguments.scenario, table)
            granted += ((nomination.character, nomination.reputation, dice),)
        else:
            rejected += ((nomination.character, nomination.reputation),)
    return ReputationVoteOutcome(granted, rejected, counts)


def new_sizes() -> dict[int, str]:
    """How many dice a new reputation may have, and what that takes (circles.reputation.new_size).

    >>> sorted(new_sizes())
    [1, 2, 3]
    """
    rows = catalogue().table("circles.table.new_reputation").records()
    return {row.number("dice"): str(row["event of this weight"]) for row in rows}


def _check_vote(arguments: ReputationVote, table: BurningTable) -> None:
    if not arguments.scenario.strip():
        expected = "the name of the scenario that has ended"
        raise BadInput("scenario", arguments.scenario, expected, "circles.reputation.new_by_vote")
    for name in arguments.participants:
        table.character(name, "participants")
    seats = electorate(arguments.participants, table)
    seen: set[tuple[str, str]] = set()
    for index, each in enumerate(arguments.nominations):
        place, rule = f"nominations[{index}]", "circles.reputation.new_by_vote"
        sheet = table.character(each.character, f"{place}.character")
        check_one_of(f"{place}.by", each.by, seats, rule)
        if (each.character, each.reputation.casefold()) in seen:
            expected = "each reputation once"
            raise BadInput(place, each.reputation, expected, "circles.reputation.advance")
        seen.add((each.character, each.reputation.casefold()))
        if each.raises:
            _check_raise(each, sheet, arguments.scenario, place)
        elif each.dice not in new_sizes():
            events = ", ".join(f"{dice} ({event})" for dice, event in new_sizes().items())
            raise BadInput(f"{place}.dice", each.dice, events, "circles.reputation.new_size")
        elif not each.reputation.strip() or any(
            standing.name.casefold() == each.reputation.casefold()
            for standing in (*sheet.affiliations, *sheet.reputations)
        ):
            expected = "a name that is not on the sheet yet"
            raise BadInput(f"{place}.reputation", each.reputation, expected, rule)


def _check_raise(each: Nomination, sheet: Sheet, scenario: str, place: str) -> None:
    rule = "circles.reputation.advance"
    at = find_standing(sheet, "reputations", each.reputation, f"{place}.reputation", rule)
    if each.dice != 1:
        raise BadInput(f"{place}.dice", each.dice, "1, the most for one scenario", rule)
    if sheet.reputations[at].raised_in == scenario:
        what = f"{each.reputation} has already risen in this scenario: {scenario}"
        raise NotAllowed(what, rule)


def _vote(
    nomination: Nomination, voters: tuple[Seat, ...], table: BurningTable
) -> Step[tuple[bool, VoteCount]]:
    """All vote at once; who owns the character has a vote only where the table says so.

    beliefs.amb.vote_owner_and_gm.
    """
    owner = table.character(nomination.character).seat(nomination.character)
    if table.options["beliefs_owner_votes_on_gain"] != "yes":
        voters = tuple(seat for seat in voters if seat != owner or seat == GM)
    rule = "circles.reputation.advance" if nomination.raises else "circles.reputation.new_by_vote"
    options = tuple(Option(vote.value, vote.value.capitalize(), rule) for vote in Vote)
    what = "+1D for" if nomination.raises else f"new {nomination.dice}D reputation,"
    prompt = f"{table.character(nomination.character).name}: {what} {nomination.reputation}?"
    answers = yield from ask_all(
        *(
            Ask(seat, "vote", prompt, PickOne(options=options, default="yes"), rule)
            for seat in voters
        )
    )
    votes = tuple(Vote(answer) for answer in answers)
    passed = carries(votes, unanimous=True)
    count = counted(votes, nomination.character, nomination.reputation)
    yield from note(f"{prompt} {'Granted' if passed else 'Not granted'}: {count}.", rule)
    return passed, count


def _grant(
    nomination: Nomination, scenario: str, table: BurningTable
) -> Step[tuple[BurningTable, int]]:
    character, rule = nomination.character, "circles.reputation.advance"
    sheet = table.character(character)
    if nomination.raises:
        index = find_standing(sheet, "reputations", nomination.reputation, "reputation", rule)
        old = sheet.reputations[index]
        after = msgspec.structs.replace(old, dice=old.dice + 1, raised_in=scenario)
        table = yield from set_standing(table, character, "reputations", index, after, because=rule)
        return table, after.dice
    new = SocialStanding(
        nomination.reputation,
        nomination.dice,
        infamous=nomination.infamous,
        scope=nomination.scope,
        identity=sheet.identity,
        raised_in=scenario,
    )
    because = "circles.reputation.new_by_vote"
    reputations = (*sheet.reputations, new)
    table = yield from table.amend(character, "reputations", reputations, because=because)
    return table, new.dice


PROCEDURES = (Procedure("reputation_vote", "Reputation vote", ReputationVote, reputation_vote),)
