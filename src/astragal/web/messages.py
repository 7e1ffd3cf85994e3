"""What goes over the wire beside the table's own types: bodies, answers, messages of a socket."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from astragal.games.demo import Demo
from astragal.games.forms import Form
from astragal.table.commands.commands import AnyCommand, Key, Path

CampaignId = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Token = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Mark = Annotated[str, msgspec.Meta(max_length=60)]


# --- Refusals ------------------------------------------------------------------------------


class Wrong(msgspec.Struct, frozen=True):
    """Why something was refused: the place, the value found there, what belongs there."""

    line: str
    """The whole, as one line for people."""
    place: str = ""
    value: Any = None
    expected: str = ""
    rule: str = ""
    """The id of the rule behind it, where there is one."""


class Refused(msgspec.Struct, frozen=True):
    """The answer to whatever is refused."""

    error: Wrong


# --- Bodies and answers of HTTP ------------------------------------------------------------


class FoundCampaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign to be founded: of which game, under which title, by whom; or the game's demo."""

    game: Key
    title: Annotated[str, msgspec.Meta(max_length=120)] = ""
    options: dict[str, str] = {}
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    demo: bool = False


class NewCampaign(msgspec.Struct, frozen=True):
    """A campaign is there; the link opens the GM's seat."""

    campaign: str
    link: str
    token: str


class JoinTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a link, to be exchanged for a seat."""

    token: Token


class SeatOpened(msgspec.Struct, frozen=True):
    """Which seat a link opens, and at which campaign."""

    campaign: str
    seat: str


class Do(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command; one that is sent again with the same mark is carried out once."""

    command: AnyCommand
    mark: Mark = ""


class Done(msgspec.Struct, frozen=True):
    """The number of the entry that a command led to."""

    seq: int


class EditToCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edit that somebody is about to make."""

    character: Key
    path: Path
    value: Any


class Nothing(msgspec.Struct, frozen=True):
    """All is well, and there is nothing to say."""


class LinkMade(msgspec.Struct, frozen=True):
    """A new link to a seat; those made before no longer open it."""

    seat: str
    link: str
    token: str


class LinkKept(msgspec.Struct, frozen=True):
    """A seat that a link opens, and when the link was made; the link itself is not kept."""

    seat: str
    made: str


class Revoked(msgspec.Struct, frozen=True):
    """The seat whose links no longer open it."""

    seat: str


class Health(msgspec.Struct, frozen=True):
    """That the server is well: it answers, and so does its database."""

    status: str
    version: str


# --- The games -----------------------------------------------------------------------------


class GameOption(msgspec.Struct, frozen=True):
    """Something a group may read otherwise: the question, the choices, and what is usual."""

    name: str
    question: str
    choices: tuple[str, ...]
    default: str
    reading: str
    rule: str
    chapter: str


class ReadySheet(msgspec.Struct, frozen=True):
    """A sheet that comes with the game."""

    name: str
    title: str
    concept: str


class OfferedProcedure(msgspec.Struct, frozen=True):
    """Something that can be begun, and the form for what it has to know."""

    name: str
    title: str
    form: Form
    gm_only: bool


class OfferedGame(msgspec.Struct, frozen=True):
    """A game as a page offers it."""

    name: str
    title: str
    main_test: str
    options: tuple[GameOption, ...]
    ready: tuple[ReadySheet, ...]
    procedures: tuple[OfferedProcedure, ...]
    frequent: tuple[str, ...]
    opening: tuple[str, ...]
    closing: tuple[str, ...]
    demo: Demo | None


# --- The socket ----------------------------------------------------------------------------


class FromSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message from a seat: a command, a wish for odds or for what lies ahead, a ping, a token.

    Odds may be asked for ``supposing`` that this seat answers so, by the keys of the questions.
    """

    mark: Mark = ""
    command: AnyCommand | None = None
    odds: Key | None = None
    supposing: Annotated[dict[str, Any], msgspec.Meta(max_length=40)] = {}
    ahead: Key | None = None
    ping: int | None = None
    token: Token | None = None
    since: int | None = None


class Ack(msgspec.Struct, frozen=True, tag="ack", tag_field="type"):
    """The command of this mark is in the log, for good, as this entry."""

    mark: str
    seq: int


class NotDone(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    """The command of this mark has changed nothing, and why."""

    mark: str
    error: Wrong


class Pong(msgspec.Struct, frozen=True, tag="pong", tag_field="type"):
    """The line is alive."""

    n: int


class Present(msgspec.Struct, frozen=True, tag="present", tag_field="type"):
    """The seats that have the table open now."""

    seats: tuple[str, ...]


class Bye(msgspec.Struct, frozen=True, tag="bye", tag_field="type"):
    """The server is about to close this socket, and why."""

    why: str
