"""Another identity: a reputation is left behind, and comes back at a price.

A section of the chapter on Circles; what else becomes of reputations is in
``circles/losing_standing``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, note

from ..sheet.scene import BurningTable


class TakeIdentity(Arguments, frozen=True):
    """A character leaves the old life behind, under a new name."""

    character: str
    identity: str


class Identity(Outcome, frozen=True):
    """The identity in use, and the reputations that came back."""

    identity: str
    regained: tuple[tuple[str, int], ...] = ()


def _under_own_name(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if sheet.identity:
        what = f"{sheet.name} already goes by {sheet.identity}: resume the old identity first"
        raise NotAllowed(what, "circles.reputation.new_identity")


def take_identity(arguments: TakeIdentity, table: BurningTable) -> Play[Identity]:
    """Nothing of the old reputation helps under a new name (circles.reputation.new_identity)."""
    rule = "circles.reputation.new_identity"
    sheet = table.character(arguments.character)
    identity = arguments.identity.strip()
    _under_own_name(arguments.character, table)
    if not 1 <= len(identity) <= 80:
        raise BadInput("identity", arguments.identity, "a new name", rule)
    yield from table.amend(arguments.character, "identity", identity, because=rule)
    yield from note(f"{sheet.name} takes a new identity.", rule)
    return Identity(identity)


class ResumeIdentity(Arguments, frozen=True):
    """A character returns to the old identity."""

    character: str


def _under_new_name(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not sheet.identity:
        what = f"{sheet.name} has not taken a new identity"
        raise NotAllowed(what, "circles.reputation.old_identity_resumed")


def resume_identity(arguments: ResumeIdentity, table: BurningTable) -> Play[Identity]:
    """The old reputation comes back at one die less (circles.reputation.old_identity_resumed).

    Only the reputation does; the rest of the old life is as it was
    (circles.amb.new_identity_scope).
    """
    rule = "circles.reputation.old_identity_resumed"
    character = arguments.character
    sheet = table.character(character)
    _under_new_name(character, table)
    back = tuple(
        msgspec.structs.replace(each, dice=each.dice - 1) if not each.identity else each
        for each in sheet.reputations
    )
    kept = tuple(each for each in back if each.dice > 0)
    table = yield from table.amend(character, "reputations", kept, because=rule)
    yield from table.amend(character, "identity", "", because=rule)
    yield from note(f"{sheet.name} resumes the old identity.", rule)
    return Identity("", tuple((each.name, each.dice) for each in back if not each.identity))


PROCEDURES = (
    Procedure(
        "take_identity", "Take a new identity", TakeIdentity, take_identity, check=_under_own_name
    ),
    Procedure(
        "resume_identity",
        "Resume the old identity",
        ResumeIdentity,
        resume_identity,
        check=_under_new_name,
    ),
)
