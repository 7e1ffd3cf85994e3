"""Sessions of play: one begins with the first test of an evening, and its dice with it."""

from __future__ import annotations

from astragal.errors import BadInput, Refusal
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden, SeatAt
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.state import Campaign, DiceSession, Role
from astragal.table.running.keys import commitments


def session_began(number: int, seed: bytes) -> happened.SessionBegan:
    """A session whose dice follow from a seed, of which only commitments are shown."""
    root, streams = commitments(seed)
    return happened.SessionBegan(number, root, seed.hex(), streams)


def has_keys(campaign: Campaign) -> bool:
    """Whether a session is in progress that dice can be thrown in."""
    return campaign.session is not None and bool(campaign.session.seed)


def leaves_a_card(event: AnyEvent) -> bool:
    """Whether a procedure began that is not over at once, as notes on a sheet are."""
    return isinstance(event, happened.ProcedureBegan) and not event.over


def first_roll(campaign: Campaign, seed: bytes) -> list[AnyEvent]:
    """What has to happen before dice can be thrown: nothing while a session has its keys.

    A session that was imported before it was over has none, and ends here.
    """
    session = campaign.session
    if session is None:
        return [begun(campaign, seed)]
    if has_keys(campaign):
        return []
    return [_ended(session), session_began(len(campaign.past_sessions) + 2, seed)]


def begun(campaign: Campaign, seed: bytes) -> AnyEvent:
    """The GM begins a session, before anybody has rolled."""
    if campaign.session is not None:
        number = campaign.session.number
        raise Refusal(f"Session {number} is still in progress. End it first.")
    return session_began(len(campaign.past_sessions) + 1, seed)


def ended(campaign: Campaign) -> AnyEvent:
    """The GM ends the session, and what its dice followed from can be seen."""
    if campaign.session is None:
        raise Refusal("No session is in progress.")
    return _ended(campaign.session)


def _ended(session: DiceSession) -> AnyEvent:
    shown = "" if session.streams else session.seed
    return happened.SessionEnded(session.number, shown, not session.seed)


def contributed(at: SeatAt, command: do.ContributeToDice) -> AnyEvent:
    """A player adds to the dice of a session, so that nobody can know them in advance."""
    session = at.campaign.session
    if at.chair.role is not Role.PLAYER:
        raise Forbidden("Only players can add to the dice.")
    if session is None or session.number != command.session or not session.streams:
        raise BadInput("session", command.session, "the number of the session in progress")
    if any(seat == at.seat for seat, _ in session.given):
        raise Refusal("This seat has already added to the dice of this session.")
    return happened.DiceContributed(command.session, command.value)
