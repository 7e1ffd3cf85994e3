"""The events of a campaign's log: everything that has ever happened, one entry at a time."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from astragal.play import Seat
from astragal.table.log.items import ChangedItem, Item, RolledItem
from astragal.table.log.seals import Seal, digest_of
from astragal.table.log.state import (
    Chair,
    Character,
    OpenProcedure,
    OpenQuestion,
    PendingAnswer,
    PreparedAnswer,
    ProcedureInput,
    Restorable,
    TablePartner,
)


class Event(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag_field="event"
):
    """Something that happened at the table."""

    seal: Seal | None = None
    """Its place in the hash chain; entries of older logs have none. Always the last field."""


class CampaignCreated(Event, frozen=True, tag="founded"):
    """The campaign begins: its game, its title, its house rules."""

    game: str
    title: str
    options: dict[str, str]
    scene: dict[str, Any]
    free_edits: bool = False
    asks_consent: bool = False


class TitleChanged(Event, frozen=True, tag="retitled"):
    """The campaign has another title, or other settings."""

    title: str
    free_edits: bool
    asks_consent: bool = False
    server_dice: bool = False
    """Whether all dice are the server's: nobody types in what real dice show."""
    open_review: bool = False
    """Whether reviews for players may use the sheets of the GM's characters."""
    advice: bool = False
    """Whether those who write the script of a duel may ask for advice."""


class HouseRulesChanged(Event, frozen=True, tag="read_otherwise"):
    """The house rules changed; ``options`` are all that are not at their default."""

    options: dict[str, str]


class SeatChanged(Event, frozen=True, tag="seated"):
    """Somebody has a seat, or another name at it."""

    chair: Chair


class CharacterJoined(Event, frozen=True, tag="joined"):
    """A character joined, or its sheet was replaced as a whole."""

    character: str
    sheet: Character


class CharacterRemoved(Event, frozen=True, tag="left"):
    """A character was removed from the table."""

    character: str
    name: str = ""
    hidden: bool = False


class ProcedureBegan(Event, frozen=True, tag="began"):
    """A procedure began; if it is over already, ``over`` is set and its changes have landed.

    The sheets, the scene and the options with which it began are those of that moment, so they
    are not in the log once more.
    """

    procedure: OpenProcedure
    over: bool = False


class AnswerGiven(Event, frozen=True, tag="answered"):
    """A seat answered, and the procedure went on to its next questions or to its end.

    ``given`` is what it was given now: the answer and the faces thrown after it; ``items`` is
    what came of it. While dice are being typed in, it has come no further yet (``pending``).
    """

    procedure: str
    given: tuple[ProcedureInput, ...] = ()
    items: tuple[Item, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    pending: PendingAnswer | None = None
    reason: str = ""
    """Why the GM answered for somebody else."""
    over: bool = False
    secret: bool = False
    """Whether it is the GM's alone, as the procedure is."""
    taken: int = 1
    """How many answers and handfuls were given."""
    prepared: tuple[PreparedAnswer, ...] = ()
    """What seats will answer if they are asked, after this."""
    rolls_on: tuple[Seat, ...] = ()
    """The seats whose dice need no further release, after this."""


class AnswersDrafted(Event, frozen=True, tag="drafted"):
    """A seat changed its lines of a card, is ready or not, or the GM holds the card.

    ``prepared``, ``ready``, ``held`` and ``rolls_on`` are as they stand after it, for all seats.
    """

    procedure: str
    prepared: tuple[PreparedAnswer, ...] = ()
    ready: tuple[Seat, ...] = ()
    held: bool = False
    secret: bool = False
    """Whether nobody else sees a difference."""
    rolls_on: tuple[Seat, ...] = ()


class ProcedureCancelled(Event, frozen=True, tag="withdrawn"):
    """A procedure was cancelled, and everything that happened in it was undone."""

    procedure: str
    reason: str = ""
    secret: bool = False


class RulingMade(Event, frozen=True, tag="ruled"):
    """The GM overrules: values on sheets or in the scene are what the GM says.

    ``procedures`` are those in progress that go on with it, as if it had been so all along.
    """

    reason: str
    changes: tuple[ChangedItem, ...]
    procedures: tuple[OpenProcedure, ...] = ()
    secret: bool = False


class SheetEdited(Event, frozen=True, tag="edited"):
    """Somebody edited a sheet."""

    character: str
    changes: tuple[ChangedItem, ...]
    why: str = ""
    proposal: str = ""
    name: str = ""


class EditProposed(Event, frozen=True, tag="proposed"):
    """A player would like to edit a sheet; the GM may approve it."""

    id: str
    character: str
    path: str
    before: Any
    after: Any
    why: str = ""
    name: str = ""


class EditDeclined(Event, frozen=True, tag="declined"):
    """The GM declined an edit, or the player withdrew it."""

    proposal: str
    reason: str = ""
    seat: Seat = ""
    """Whose proposal it was."""


class MessageSent(Event, frozen=True, tag="said"):
    """A message to everybody, or to the seats of its audience."""

    text: str
    audience: tuple[Seat, ...] = ()


class DiceThrown(Event, frozen=True, tag="threw"):
    """Somebody rolled dice outside a procedure, openly or in secret (seen by the GM, too)."""

    rolled: RolledItem
    audience: tuple[Seat, ...] = ()


class NoteWritten(Event, frozen=True, tag="noted"):
    """A note was written, changed, or (when empty) deleted."""

    id: str
    text: str
    shared: bool = False


class HandoutShown(Event, frozen=True, tag="handed_out"):
    """The GM made or changed a handout, or shows it to others than before."""

    id: str
    title: str
    text: str = ""
    image: str = ""
    audience: tuple[Seat, ...] = ()


class HandoutRemoved(Event, frozen=True, tag="took_back"):
    """The GM removed a handout."""

    id: str
    title: str = ""
    audience: tuple[Seat, ...] = ()
    """Who could see it."""


class PortraitChanged(Event, frozen=True, tag="portrayed"):
    """A character has another portrait, or none."""

    character: str
    image: str = ""
    name: str = ""
    audience: tuple[Seat, ...] = ()


class PartnerChanged(Event, frozen=True, tag="partner_changed"):
    """The GM gave a character to the table, which writes its scripts, or took it back."""

    character: str
    partner: TablePartner | None = None
    name: str = ""


class TestSaved(Event, frozen=True, tag="saved_test"):
    """A seat saved a test under a name, or (without a name) removed it."""

    id: str
    name: str = ""
    procedure: str = ""
    arguments: dict[str, Any] = {}


class XCardRaised(Event, frozen=True, tag="x_card"):
    """Somebody wants to stop, without saying why; play is paused. Nobody is told who it was."""


class EntriesUndone(Event, frozen=True, tag="undone"):
    """Everything after the entry ``to`` was undone; ``standing`` is the state at that entry."""

    to: int
    standing: Restorable
    reason: str = ""
    what: str = ""
    """The title of the procedure that was undone first, if it was one that everybody knows of."""


class GamePaused(Event, frozen=True, tag="paused"):
    """Play is paused."""

    reason: str = ""


class GameResumed(Event, frozen=True, tag="resumed"):
    """Play goes on."""


class SessionBegan(Event, frozen=True, tag="session_began"):
    """A session of play begins; what its dice follow from is published now, as hashes."""

    number: int
    commitment: str
    """The root over the keys of its open throws; in older sessions the hash of the seed."""
    seed: str = ""
    """Never shown before the session has ended, and then only that of an older session."""
    streams: dict[str, str] = {}
    """The hash of the key of each stream of secret throws; older sessions have none."""


class DiceContributed(Event, frozen=True, tag="contributed"):
    """A player's device added a random number to the dice of a session."""

    session: int
    value: str


class SessionEnded(Event, frozen=True, tag="session_ended"):
    """The session is over; the seed of an older one is known to all from now on."""

    number: int
    seed: str = ""
    lost: bool = False
    """Whether its keys are not known here: it was imported before it was over."""


AnyEvent: TypeAlias = (
    CampaignCreated
    | TitleChanged
    | HouseRulesChanged
    | SeatChanged
    | CharacterJoined
    | CharacterRemoved
    | ProcedureBegan
    | AnswerGiven
    | AnswersDrafted
    | ProcedureCancelled
    | RulingMade
    | SheetEdited
    | EditProposed
    | EditDeclined
    | MessageSent
    | DiceThrown
    | NoteWritten
    | HandoutShown
    | HandoutRemoved
    | PortraitChanged
    | PartnerChanged
    | TestSaved
    | XCardRaised
    | EntriesUndone
    | GamePaused
    | GameResumed
    | SessionBegan
    | DiceContributed
    | SessionEnded
)


class LogEntry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One entry of the log: its number (from 1), when, by whom, and what.

    ``mark`` is the sender's own name for the command, so that a command that is sent again after
    a lost connection is not carried out twice.
    """

    seq: int
    at: str
    seat: Seat
    event: AnyEvent
    mark: str = ""


def head_of(entry: LogEntry) -> str:
    """The head of the chain after an entry; empty if it has no seal."""
    return "" if entry.event.seal is None else entry.event.seal.head


def digest_in(entry: LogEntry) -> str:
    """All that the chain needs of an entry, and all that everybody may know of it."""
    seal = entry.event.seal
    return "" if seal is None else digest_of(entry.seq, seal.body, seal.parts)
