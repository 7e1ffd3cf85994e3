"""The types of the API besides the table's own: bodies, answers, messages of a socket."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from astragal.games.at_table import FirstQuestion
from astragal.games.demo import Demo
from astragal.games.forms import Form
from astragal.table.commands.commands import AnyCommand, Key, Path

CampaignId = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Token = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Mark = Annotated[str, msgspec.Meta(max_length=60)]


# --- Errors --------------------------------------------------------------------------------


class ErrorDetails(msgspec.Struct, frozen=True):
    """Why something was refused: the place, the value found there, what is expected there."""

    line: str
    """All of it as one line for people."""
    place: str = ""
    value: Any = None
    expected: str = ""
    rule: str = ""
    """The id of the rule behind it, where there is one."""


class ErrorBody(msgspec.Struct, frozen=True):
    """The answer to every request that is refused."""

    error: ErrorDetails


# --- Bodies and answers of HTTP ------------------------------------------------------------


class CreateCampaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign to create: its game, title, house rules and GM's name; or the game's demo."""

    game: Key
    title: Annotated[str, msgspec.Meta(max_length=120)] = ""
    options: dict[str, str] = {}
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    demo: bool = False


class NewCampaign(msgspec.Struct, frozen=True):
    """A campaign that was created; the link opens the GM's seat."""

    campaign: str
    link: str
    token: str


class JoinTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a link, to exchange for a seat."""

    token: Token


class SeatOpened(msgspec.Struct, frozen=True):
    """The seat that a link opens, and its campaign."""

    campaign: str
    seat: str


class DoCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command; sent again with the same mark, it is still carried out only once."""

    command: AnyCommand
    mark: Mark = ""


class CommandDone(msgspec.Struct, frozen=True):
    """The number of a command's entry in the log."""

    seq: int


class EditToCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edit of a sheet to check before it is made."""

    character: Key
    path: Path
    value: Any


class BeginToCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A procedure with its arguments, to check before it is begun."""

    procedure: Key
    arguments: dict[str, Any] = {}


class BeginChecked(msgspec.Struct, frozen=True):
    """Why something could not be begun, as far as a seat may know."""

    refused: ErrorDetails | None = None


class DraftToCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character that is being made.

    With ``values`` it is checked, upon the sheet it began with (``base``); without them one is
    begun, from a pre-made sheet, a file or nothing.
    """

    ready: Annotated[str, msgspec.Meta(max_length=120)] = ""
    file: Annotated[str, msgspec.Meta(max_length=1_000_000)] = ""
    values: dict[str, Any] | None = None
    base: dict[str, Any] = {}


class ImageKept(msgspec.Struct, frozen=True):
    """The name of an image that was uploaded, to put into a handout or a portrait."""

    image: str


class Empty(msgspec.Struct, frozen=True):
    """Success, with nothing else to tell."""


class NewLink(msgspec.Struct, frozen=True):
    """A new link to a seat; older ones no longer open it."""

    seat: str
    link: str
    token: str


class LinkInfo(msgspec.Struct, frozen=True):
    """A seat that has a link, and when it was made; the link itself is not stored."""

    seat: str
    made: str


class RevokedLinks(msgspec.Struct, frozen=True):
    """The seat whose links were revoked."""

    seat: str


class Health(msgspec.Struct, frozen=True):
    """The server and its database work."""

    status: str
    version: str


# --- The games -----------------------------------------------------------------------------


class GameOption(msgspec.Struct, frozen=True):
    """A house rule: the question, the choices, and the default."""

    name: str
    question: str
    choices: tuple[str, ...]
    default: str
    reading: str
    rule: str
    chapter: str


class ReadySheet(msgspec.Struct, frozen=True):
    """A pre-made sheet that comes with the game."""

    name: str
    title: str
    concept: str


class OfferedProcedure(msgspec.Struct, frozen=True):
    """A procedure that can be begun, with the form for its arguments."""

    name: str
    title: str
    form: Form
    gm_only: bool
    group: str = ""
    """Its group among the others."""
    words: tuple[str, ...] = ()
    """What else people call it."""
    against: tuple[str, ...] = ()
    """The arguments that are its sides, where one begins it by saying against whom."""


class ScenarioOffer(msgspec.Struct, frozen=True):
    """A scenario that can be watched."""

    name: str
    title: str


class OfferedGame(msgspec.Struct, frozen=True):
    """A game with everything that the page offers of it."""

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
    scenarios: tuple[ScenarioOffer, ...] = ()
    groups: tuple[str, ...] = ()
    first_questions: tuple[FirstQuestion, ...] = ()
    has_obstacles: bool = False


# --- The socket ----------------------------------------------------------------------------


class FromSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message from a seat: a command, a request for odds or coming questions, a ping.

    Odds can be requested ``supposing`` answers of this seat, by the keys of the questions; by the
    GM also as another seat sees them (``seen_as``).
    """

    mark: Mark = ""
    command: AnyCommand | None = None
    odds: Key | None = None
    supposing: Annotated[dict[str, Any], msgspec.Meta(max_length=40)] = {}
    seen_as: Key | None = None
    card: Key | None = None
    ping: int | None = None


class Ack(msgspec.Struct, frozen=True, tag="ack", tag_field="type"):
    """The command with this mark is safely in the log, as this entry."""

    mark: str
    seq: int


class CommandRefused(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    """The command with this mark was refused and changed nothing."""

    mark: str
    error: ErrorDetails


class Pong(msgspec.Struct, frozen=True, tag="pong", tag_field="type"):
    """The answer to a ping."""

    n: int


class Present(msgspec.Struct, frozen=True, tag="present", tag_field="type"):
    """The seats that have the table open."""

    seats: tuple[str, ...]


class Bye(msgspec.Struct, frozen=True, tag="bye", tag_field="type"):
    """The reason why the server is about to close this socket."""

    why: str
