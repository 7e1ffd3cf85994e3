"""The events of a campaign's log: everything that has ever happened, one entry at a time."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from astragal.play import Seat
from astragal.table.log.items import Changed, Item, Rolled
from astragal.table.log.state import (
    Chair,
    Character,
    Given,
    OpenProcedure,
    OpenQuestion,
    Pending,
    Prepared,
    Standing,
)


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="event"):
    """Something that happened at the table."""


class Founded(Event, frozen=True, tag="founded"):
    """The campaign begins: its game, its title, how the group reads the rules."""

    game: str
    title: str
    options: dict[str, str]
    scene: dict[str, Any]
    free_edits: bool = False


class Retitled(Event, frozen=True, tag="retitled"):
    """The campaign has another title, or the group edits sheets in another way."""

    title: str
    free_edits: bool


class ReadOtherwise(Event, frozen=True, tag="read_otherwise"):
    """The group reads the rules otherwise from now on (all options that are not as usual)."""

    options: dict[str, str]


class Seated(Event, frozen=True, tag="seated"):
    """Somebody has a seat, or another name at it."""

    chair: Chair


class Joined(Event, frozen=True, tag="joined"):
    """A character is at the table, or its sheet was replaced as a whole."""

    character: str
    sheet: Character


class Left(Event, frozen=True, tag="left"):
    """A character is no longer at the table."""

    character: str
    name: str = ""
    hidden: bool = False


class Began(Event, frozen=True, tag="began"):
    """A procedure began; if it is over already, ``over`` is set and its changes have landed.

    The sheets, the scene and the options with which it began are those of that moment, so they
    are not in the log once more.
    """

    procedure: OpenProcedure
    over: bool = False


class Answered(Event, frozen=True, tag="answered"):
    """A seat answered, and the procedure went on to its next questions or to its end.

    ``given`` is what it was given now: the answer and the faces thrown after it; ``items`` is
    what came of it. While dice are being typed in, it has come no further yet (``pending``).
    """

    procedure: str
    given: tuple[Given, ...] = ()
    items: tuple[Item, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    pending: Pending | None = None
    reason: str = ""
    """Why the GM answered for somebody else."""
    over: bool = False
    secret: bool = False
    """Whether it is the GM's alone, as the procedure is."""
    taken: int = 1
    """How many answers and handfuls were given."""
    prepared: tuple[Prepared, ...] = ()
    """What seats will answer if they are asked, after this."""


class Withdrawn(Event, frozen=True, tag="withdrawn"):
    """A procedure is called off; nothing that happened in it holds."""

    procedure: str
    reason: str = ""
    secret: bool = False


class Ruled(Event, frozen=True, tag="ruled"):
    """The GM overrules: values on sheets or in the scene are what the GM says.

    ``procedures`` are those in progress that go on with it, as if it had been so all along.
    """

    reason: str
    changes: tuple[Changed, ...]
    procedures: tuple[OpenProcedure, ...] = ()
    secret: bool = False


class Edited(Event, frozen=True, tag="edited"):
    """Somebody changed a sheet by hand."""

    character: str
    changes: tuple[Changed, ...]
    why: str = ""
    proposal: str = ""
    name: str = ""


class Proposed(Event, frozen=True, tag="proposed"):
    """A player would like to change a sheet; the GM may nod."""

    id: str
    character: str
    path: str
    before: Any
    after: Any
    why: str = ""
    name: str = ""


class Declined(Event, frozen=True, tag="declined"):
    """The GM does not nod, or the player takes it back."""

    proposal: str
    reason: str = ""
    seat: Seat = ""
    """Whose proposal it was."""


class Said(Event, frozen=True, tag="said"):
    """Words at the table, for all or for those named."""

    text: str
    audience: tuple[Seat, ...] = ()


class Threw(Event, frozen=True, tag="threw"):
    """Somebody just threw dice, for all to see or for himself (and the GM)."""

    rolled: Rolled
    audience: tuple[Seat, ...] = ()


class Noted(Event, frozen=True, tag="noted"):
    """A note was written, changed, or (when empty) thrown away."""

    id: str
    text: str
    shared: bool = False


class Undone(Event, frozen=True, tag="undone"):
    """Everything after the entry ``to`` did not happen; this is how things stood then."""

    to: int
    standing: Standing
    reason: str = ""


class Paused(Event, frozen=True, tag="paused"):
    """Play is paused."""

    reason: str = ""


class Resumed(Event, frozen=True, tag="resumed"):
    """Play goes on."""


class SessionBegan(Event, frozen=True, tag="session_began"):
    """A session of play begins; its dice are settled by a seed whose hash is published now."""

    number: int
    commitment: str
    seed: str = ""
    """Never shown before the session has ended."""


class SessionEnded(Event, frozen=True, tag="session_ended"):
    """The session is over, and its seed is known to all."""

    number: int
    seed: str


AnyEvent: TypeAlias = (
    Founded
    | Retitled
    | ReadOtherwise
    | Seated
    | Joined
    | Left
    | Began
    | Answered
    | Withdrawn
    | Ruled
    | Edited
    | Proposed
    | Declined
    | Said
    | Threw
    | Noted
    | Undone
    | Paused
    | Resumed
    | SessionBegan
    | SessionEnded
)


class Entry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One entry of the log: its number (from 1), when, by whom, and what.

    ``mark`` is what whoever sent the command called it, so that a command that is sent again
    after a lost connection is not carried out twice.
    """

    seq: int
    at: str
    seat: Seat
    event: AnyEvent
    mark: str = ""
