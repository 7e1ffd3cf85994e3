"""A session begins: call-on traits may be used again, and a trait vote may be due."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Text, ask, note

from ..sheet.scene import BurningTable
from ..sheet.words import counted


class NewSession(Arguments, frozen=True):
    """Begins a session: call-on traits may be used again."""


class SessionOutcome(Outcome, frozen=True):
    """Which session it is, and whether a trait vote is due."""

    session: int
    vote: str


FIRST_PROMPT, LAST_PROMPT = 6, 12
"""A trait vote comes after every 6 to 12 sessions by default (beliefs.vote.default_interval)."""


def begin_session(_: NewSession, table: BurningTable) -> Play[SessionOutcome]:
    """Every call-on trait may be used once more (beliefs.amb.call_on_limit_scope).

    The table is reminded of the trait vote, but never forced (beliefs.amb.vote_frequency).
    """
    for character, sheet in table.characters.items():
        for index, trait in enumerate(sheet.traits):
            if trait.called_this_session:
                path = f"traits.{index}.called_this_session"
                because = "beliefs.trait.call_on.once_per_session"
                table = yield from table.amend(character, path, False, because=because)
    because = "beliefs.amb.vote_frequency"
    table = yield from table.add(SCENE, "session", 1, because=because)
    table = yield from table.add(SCENE, "since_trait_vote", 1, because=because)
    since, every = table.scene.since_trait_vote, table.scene.trait_votes_every
    vote = ""
    if since >= LAST_PROMPT:
        vote = "overdue"
    elif since >= (every or FIRST_PROMPT):
        vote = "due"
    if vote:
        text = f"A trait vote is {vote}: {counted(since, 'session')} since the last one."
        yield from note(text, "beliefs.vote.default_interval")
    return SessionOutcome(table.scene.session, vote)


class VoteRate(Arguments, frozen=True):
    """After how many sessions each trait vote is held."""

    every: int


class VoteRateOutcome(Outcome, frozen=True):
    """After how many sessions each trait vote is held from now on."""

    every: int


def announce_vote_rate(arguments: VoteRate, table: BurningTable) -> Play[VoteRateOutcome]:
    """A group may vote more often (beliefs.vote.faster_rate), if it says so beforehand.

    beliefs.vote.faster_rate_announced: that is discussed and announced before characters are
    burned, and so before the first session.
    """
    if not 1 <= arguments.every < FIRST_PROMPT:
        expected = f"1 to {FIRST_PROMPT - 1} sessions, fewer than the default"
        raise BadInput("every", arguments.every, expected, "beliefs.vote.faster_rate")
    if table.scene.session:
        raise NotAllowed(
            "Play has begun: more frequent votes must be announced before characters are burned",
            "beliefs.vote.faster_rate_announced",
        )
    why = yield from ask(
        GM,
        "discussed",
        "What did the group agree on, and why?",
        Text(default=""),
        because="beliefs.vote.faster_rate_announced",
    )
    because = "beliefs.vote.faster_rate"
    yield from table.amend(SCENE, "trait_votes_every", arguments.every, because=because)
    every = "session" if arguments.every == 1 else f"{arguments.every} sessions"
    text = f"Trait votes every {every}"
    yield from note(f"{text}: {why}" if why else f"{text}.", because)
    return VoteRateOutcome(arguments.every)


PROCEDURES = (
    Procedure(
        "begin_session",
        "New session: renew call-on traits",
        NewSession,
        begin_session,
        gm_only=True,
        touches_all=True,
    ),
    Procedure(
        "announce_vote_rate",
        "More frequent trait votes",
        VoteRate,
        announce_vote_rate,
        gm_only=True,
    ),
)
